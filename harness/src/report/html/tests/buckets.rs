//! Parts about one bucket, on outcomes changed by hand.

use super::support::{article, as_xml, text_of, tree};
use contract::case::Case;
use contract::isa::{ClauseId, ClauseSet};
use contract::json::read_case;
use contract::outcome::{
    LegalityReason, Outcome, TensorOutcome, TensorVerdict, VectorOutcome, VectorStep,
};
use roxmltree::Node;

/// Two steps: 0xE6 on FP32 stored as BFLOAT16, then a copy of it with an unchecked byte.
fn tensor_case() -> Case {
    read_case(concat!(
        r#"{"version":1,"kind":"tensor","id":"t","generation":"mariana","profile":{},"memory":[{"#,
        r#""space":"sbuf","partition":0,"partitions":1,"offset":0,"stride":24,"data":""#,
        "0000803f000000400000404000008040",
        "0000000000000000",
        r#""}],"registers":{},"program":[""#,
        "e6100000000000000000000003000000",
        "00000000010001000100040001000100",
        "0a060100060400000000004000000000",
        "10000000010001000100040001000100",
        r#"",""#,
        "e6100000000000000000000002000000",
        "00000000010001000100040001000100",
        "0a060100060401000000004000000000",
        "10000000010001000100040001000100",
        r#""]}"#
    ))
    .unwrap()
}

fn vector_case() -> Case {
    let lanes: String = (0..32).map(|lane| format!("{lane:02x}00")).collect();
    read_case(&format!(
        r#"{{"version":1,"kind":"vector","id":"v","profile":{{}},"cpenable":2,"state":{{
            "a2":"0x00080040","v2":"{lanes}","v3":"{lanes}"}},
            "memory":{{"base":"0x00080000","bytes":4096,"init":[]}},
            "program":["F0 {{ S3 ADDNX16 v1, v2, v3 }}","F0 {{ S0 SV2NX8_I v1, a2, 0 }}",
                       "F0 {{ S3 EQNX16 vb1, v1, v2 }}"]}}"#
    ))
    .unwrap()
}

fn tensor(change: impl FnOnce(&mut TensorOutcome)) -> String {
    article(&tensor_case(), |outcome| match outcome {
        Outcome::Tensor(outcome) => change(outcome),
        Outcome::Vector(_) => panic!("a tensor outcome"),
    })
}

fn vector(change: impl FnOnce(&mut VectorOutcome)) -> String {
    article(&vector_case(), |outcome| match outcome {
        Outcome::Vector(outcome) => change(outcome),
        Outcome::Tensor(_) => panic!("a vector outcome"),
    })
}

fn of_class<'a>(node: Node<'a, 'a>, name: &str, class: &str) -> Vec<String> {
    node.descendants()
        .filter(|it| it.has_tag_name(name))
        .filter(|it| it.attribute("class").is_some_and(|it| it.split(' ').any(|it| it == class)))
        .map(text_of)
        .collect()
}

#[test]
fn a_tensor_value_shows_element_bytes_and_rule() {
    let markup = tensor(|outcome| outcome.state.regions[0].data[21] ^= 0x40);
    let xml = as_xml(&markup);
    let document = tree(&xml);
    let text = text_of(document.root());
    assert!(
        text.contains("element 2 of channel 0 (BFLOAT16) is 0x0140"),
        "the sentence names the element: {text}"
    );
    assert!(text.contains("the reference has 0x4140 (12.0)"), "{text}");
    // The byte is marked on both sides, and nothing else of the row is.
    let hex = document.descendants().find(|it| it.attribute("class") == Some("hex")).unwrap();
    let marks = |side: &str| of_class(hex, "mark", side);
    assert_eq!(marks("reference"), ["41"]);
    assert_eq!(marks("candidate"), ["01"]);
    assert!(text_of(hex).starts_with("0x00000010 sbuf partition 0 + 0x10 reference"));
    assert!(text.contains("spec 03 section 7.4"), "{text}");
    assert!(text.contains("spec 03 section 3.4"), "{text}");
    assert!(text.contains("From oracle/spec/03-tensor-semantics.md"), "{text}");
    // The guilty record is decoded and open, the other one is closed.
    let details: Vec<Option<&str>> = document
        .descendants()
        .filter(|it| it.has_tag_name("details"))
        .filter(|it| text_of(*it).starts_with("Record field by field"))
        .map(|it| it.attribute("open"))
        .collect();
    assert_eq!(details, [None, Some("open")]);
    assert_eq!(of_class(document.root(), "li", "guilty").len(), 1);
    assert!(text.contains("accumulator_cmd 12 02 Accumulate (2)"), "{text}");
    // The diff has a sign on each side's line.
    let lines = of_class(document.root(), "span", "candidate");
    assert!(lines.iter().any(|line| line.starts_with("+0x00000010 sbuf")), "{lines:?}");
}

#[test]
fn a_tensor_verdict_names_the_clause_and_quotes_it() {
    let markup = tensor(|outcome| outcome.steps[1].verdict = TensorVerdict::Accept);
    let xml = as_xml(&markup);
    let text = text_of(tree(&xml).root());
    assert!(
        text.contains("the candidate accepts the record, the reference answers reject CR-REV."),
        "{text}"
    );
    assert!(text.contains("spec 02 section 4.1"), "{text}");
    assert!(text.contains("condition reverse_operands = None"), "{text}");
    assert!(text.contains("not reported: CR-REV"), "{text}");
    let both = tensor(|outcome| {
        outcome.steps[1].verdict = TensorVerdict::Reject(ClauseSet::of(ClauseId::CrAcc));
    });
    assert!(
        both.contains(
            "both refuse the record, but the candidate does not report CR-REV and reports CR-ACC, \
             which the reference finds fulfilled."
        ),
        "{both}"
    );
    let refuses = tensor(|outcome| {
        outcome.steps[0].verdict = TensorVerdict::Reject(ClauseSet::of(ClauseId::CrAcc));
    });
    assert!(
        refuses.contains("the reference accepts the record, the candidate answers reject CR-ACC")
    );
}

#[test]
fn accumulators_and_flags_have_their_numbers() {
    let markup = tensor(|outcome| {
        outcome.state.accumulators[0] ^= 0x8000_0000;
        outcome.state.seeded ^= 2;
        outcome.steps[0].indeterminate_acc = true;
    });
    let xml = as_xml(&markup);
    let text = text_of(tree(&xml).root());
    assert!(text.contains("the candidate raises INDETERMINATE_ACC, the reference does not."));
    assert!(text.contains("Accumulators at the end of the program"), "{text}");
    assert!(text.contains("(20.0)") && text.contains("(-20.0)"), "{text}");
    assert!(text.contains("seeded flag of lane 1"), "{text}");
    let only = tensor(|outcome| outcome.state.accumulators[0] ^= 0x8000_0000);
    assert!(only.contains("the accumulator of lane 0 ends as 0xc1a00000 (-20.0)"), "{only}");
}

#[test]
fn a_vector_register_is_shown_lane_by_lane() {
    let markup = vector(|outcome| {
        outcome.state.vec[1].0[6] ^= 0x10;
        outcome.state.vec[1].0[63] ^= 0x80;
    });
    let xml = as_xml(&markup);
    let document = tree(&xml);
    let lanes = document.descendants().find(|it| it.attribute("class") == Some("lanes")).unwrap();
    let items: Vec<String> =
        lanes.children().filter(|it| it.has_tag_name("li")).map(text_of).collect();
    assert_eq!(items.len(), 32);
    assert_eq!(items[0], "0 equal 0x0000");
    assert_eq!(items[3], "3 ≠ differs, reference 0x0006 candidate 0x0016");
    assert_eq!(items[31], "31 ≠ differs, reference 0x003e candidate 0x803e");
    let text = text_of(document.root());
    assert!(text.contains("2 lanes of 32 differ (3, 31)"), "{text}");
    assert!(text.contains("v1 differs from the reference in 2 bytes."), "{text}");
    assert!(text.contains("Schedule, the same in both"), "{text}");
}

#[test]
fn predicates_and_vector_memory_mark_what_differs() {
    let markup = vector(|outcome| {
        outcome.state.vbool[1] ^= 0x30;
        let at = outcome.state.memory.window(0x0008_0048, 1).unwrap();
        outcome.state.memory.write(at, &[0xEE]);
    });
    let xml = as_xml(&markup);
    let document = tree(&xml);
    let text = text_of(document.root());
    assert!(text.contains("vb1 is 0x0000000000000033, the reference has 0x0000000000000003."));
    let hex = document.descendants().find(|it| it.attribute("class") == Some("hex")).unwrap();
    assert_eq!(of_class(hex, "mark", "reference"), ["08"]);
    assert_eq!(of_class(hex, "mark", "candidate"), ["ee"]);
    assert!(text_of(hex).starts_with("0x00080040 data memory"), "{}", text_of(hex));
}

#[test]
fn a_schedule_difference_draws_both_charts() {
    let markup = vector(|outcome| {
        let schedule = outcome.schedule.as_mut().unwrap();
        schedule.bundles[1].issue = Some((9, 8));
        schedule.cycles = 12;
    });
    let xml = as_xml(&markup);
    let document = tree(&xml);
    let pictures: Vec<&str> = document
        .descendants()
        .filter(|it| it.has_tag_name("svg"))
        .filter_map(|it| it.attribute("id"))
        .collect();
    assert_eq!(pictures, ["chart-1-reference", "chart-1-candidate"]);
    assert!(!markup.contains("http"));
    let text = text_of(document.root());
    assert!(
        text.contains(
            "Bundle 1 (SV2NX8_I): it issues in cycle 9 (8 stalled), in the reference in cycle "
        ),
        "{text}"
    );
    assert!(text.contains("spec 05 section 3.1"), "{text}");
    let none = vector(|outcome| {
        outcome.schedule = None;
        outcome.state.ar[0] = 1;
    });
    assert!(none.contains("The candidate gives no schedule."));
}

#[test]
fn a_vector_verdict_quotes_the_check_that_gives_the_reason() {
    let markup = vector(|outcome| {
        outcome.steps[2] = VectorStep::Reject(LegalityReason::DupDef);
    });
    let xml = as_xml(&markup);
    let text = text_of(tree(&xml).root());
    assert!(
        text.contains("the reference accepts the bundle, the candidate answers reject DUP_DEF.")
    );
    assert!(text.contains("two def postings in the bundle"), "{text}");
}

#[test]
fn a_program_of_strange_words_is_text() {
    let case = read_case(
        r#"{"version":1,"kind":"vector","id":"v","profile":{},"cpenable":2,"state":{},
            "program":["F0 { S3 <B>X</B> v1 }"]}"#,
    );
    // The grammar may refuse such a word; what it takes must come out as text.
    if let Ok(case) = case {
        let markup = article(&case, |outcome| {
            if let Outcome::Vector(outcome) = outcome {
                outcome.state.ar[0] ^= 1;
            }
        });
        assert!(!markup.contains("<B>"));
        tree(&as_xml(&markup));
    }
}

/// A reason that only an external model gives.
#[test]
fn a_reason_of_a_model_is_text() {
    let markup = tensor(|outcome| {
        outcome.steps[0].verdict = TensorVerdict::Unsupported(
            contract::outcome::TensorReason::from_text("<img src=x onerror=alert(1)>"),
        );
    });
    assert!(!markup.contains("<img"));
    assert!(markup.contains("&lt;img"));
    tree(&as_xml(&markup));
}
