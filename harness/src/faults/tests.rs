//! Catalogue and wrappers: names are unique, a wrapper without a fault changes nothing, and each faulty
//! model differs where its story says.

use super::schedule::{Rescheduled, Rules};
use super::{FAULTS, by_name};
use crate::corpus::Corpus;
use crate::family::{Family, Op};
use crate::golden::load_golden;
use contract::case::Case;
use contract::json::read_case;
use contract::model::{Model, StepModel};
use contract::outcome::{Outcome, VectorOutcome};
use std::collections::BTreeSet;

/// Vector cases of the golden files.
fn golden_cases() -> Vec<Case> {
    let corpus = Corpus::find(None).unwrap();
    let directed = load_golden(&corpus, &Op::enabled(Family::Vector)).unwrap();
    directed.cases.into_iter().map(|directed| directed.case).collect()
}

fn run(model: &mut dyn Model, case: &Case) -> Box<VectorOutcome> {
    match model.run(case).unwrap() {
        Outcome::Vector(outcome) => outcome,
        Outcome::Tensor(_) => panic!("a tensor outcome"),
    }
}

#[test]
fn names_are_unique_and_stories_are_told() {
    let names: BTreeSet<_> = FAULTS.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), FAULTS.len());
    for fault in FAULTS {
        assert!(!fault.story.is_empty() && fault.source.starts_with("spec "), "{}", fault.name);
        let found = by_name(fault.name).ok().unwrap();
        assert_eq!((found.name, found.story), (fault.name, fault.story));
    }
    assert_eq!(by_name("waw-ignore").err().unwrap().nearest, Some("waw-ignored"));
}

#[test]
fn a_rescheduler_with_the_right_rules_changes_nothing() {
    let mut right = candidate::model();
    let again = Rescheduled::new(Rules::RIGHT, candidate::model().vector);
    let mut again = StepModel::new("again", candidate::model().tensor, again);
    let cases = golden_cases();
    assert!(cases.len() > 800);
    for case in &cases {
        assert_eq!(run(&mut right, case), run(&mut again, case), "{}", case.id());
    }
}

/// The outcomes of the right and of a faulty candidate.
fn pair(fault: &str, state: &str, program: &str) -> (Box<VectorOutcome>, Box<VectorOutcome>) {
    let text = format!(
        r#"{{"version":1,"kind":"vector","id":"f","profile":{{}},"state":{{{state}}},"program":[{program}]}}"#
    );
    let case = read_case(&text).unwrap();
    let mut faulty = (by_name(fault).unwrap().make)();
    (run(&mut candidate::model(), &case), run(&mut *faulty, &case))
}

fn halves(elements: &[u16]) -> String {
    let mut text: String = elements
        .iter()
        .flat_map(|element| element.to_le_bytes())
        .map(|byte| format!("{byte:02x}"))
        .collect();
    text.extend(std::iter::repeat_n('0', 128 - text.len()));
    text
}

#[test]
fn select_loses_the_upper_half_and_shuffle_sees_high_bits() {
    let state = format!(
        r#""v1":"{}","v2":"{}","v3":"{}""#,
        halves(&[0xAAAA]),
        halves(&[0xBBBB]),
        halves(&[0x20, 0x40])
    );
    let program = r#""F0 { S3 SELNX16 v4, v1, v2, v3 }""#;
    let (right, wrong) = pair("sel-index-5-bits", &state, program);
    assert_eq!((right.state.vec[4].0[0], wrong.state.vec[4].0[0]), (0xAA, 0xBB));
    let program = r#""F0 { S3 SHFLNX16 v4, v1, v3 }""#;
    let (right, wrong) = pair("shfl-high-bits", &state, program);
    assert_eq!((right.state.vec[4].0[2], wrong.state.vec[4].0[2]), (0xAA, 0));
    assert_eq!(right.schedule, wrong.schedule);
}

#[test]
fn a_saturating_sum_wraps_and_a_tie_goes_to_the_higher_lane() {
    let state = format!(r#""v1":"{}""#, halves(&[0x7FFF, 0x7FFF, 0x8000, 0x8000, 1, 0x7FFF]));
    let (right, wrong) = pair("radds-unclamped", &state, r#""F0 { S3 RADDSNX16 v4, v1 }""#);
    assert_eq!(right.state.vec[4].0[..4], [0xFE, 0x7F, 0, 0]);
    assert_eq!(right.state.vec, wrong.state.vec);
    let state = format!(r#""v1":"{}""#, halves(&[0x7FFF, 0x7FFF, 0, 0x8000, 0x8000]));
    let (right, wrong) = pair("rbmin-higher-lane", &state, r#""F0 { S3 RBMINNX16 v4, vb1, v1 }""#);
    assert_eq!((right.state.vbool[1], wrong.state.vbool[1]), (0b11 << 6, 0b11 << 8));
    let state = format!(r#""v1":"{}""#, halves(&[0x7FFF, 0x7FFF]));
    let (right, wrong) = pair("radds-unclamped", &state, r#""F0 { S3 RADDSNX16 v4, v1 }""#);
    assert_eq!(right.state.vec[4].0[..2], [0xFF, 0x7F]);
    assert_eq!(wrong.state.vec[4].0[..2], [0xFE, 0xFF]);
}

#[test]
fn align_registers_keep_what_they_held() {
    let ones = "11".repeat(64);
    let state = format!(r#""a2":"0x80003","u0":"{ones}""#);
    let (right, wrong) = pair("valign-not-reprimed", &state, r#""F0 { S1 LA2NX8_IP v1, u0, a2 }""#);
    assert_eq!((right.state.valign[0].0[0], wrong.state.valign[0].0[0]), (0, 0x11));
    let pending = format!("aabbcc{}03", "00".repeat(60));
    let state = format!(r#""a2":"0x80003","u0":"{pending}""#);
    let (right, wrong) = pair("sapos-not-clearing", &state, r#""F0 { S0 SAPOS_FP u0, a2 }""#);
    assert_eq!((right.state.valign[0].0[0], wrong.state.valign[0].0[0]), (0, 0xAA));
    assert_eq!(right.state.memory, wrong.state.memory);
}

/// Issue cycles of the right and of a faulty candidate.
fn issues(fault: &str, program: &str) -> (Vec<u32>, Vec<u32>) {
    let (right, wrong) = pair(fault, r#""a2":"0x80100","a3":"0x80200""#, program);
    let cycles = |outcome: &VectorOutcome| {
        let schedule = outcome.schedule.as_ref().unwrap();
        schedule.bundles.iter().map(|bundle| bundle.issue.unwrap().0).collect()
    };
    (cycles(&right), cycles(&wrong))
}

#[test]
fn schedules_differ_by_the_misread_rule_alone() {
    let prime = r#""F0 { S1 LA_PP u0, a2 }","F0 { S1 LA2NX8_IP v1, u0, a2 }""#;
    assert_eq!(issues("valign-def-10", prime), (vec![0, 1], vec![0, 2]));
    let control = r#""F0 { S3 ADDNX16 v4, v1, v2 }","F0 { S3 SELNX16 v5, v1, v2, v4 }""#;
    assert_eq!(issues("sel-control-10", control), (vec![0, 1], vec![0, 2]));
    let increment = r#""F0 { S1 LV2NX8_IP v1, a2, 64 }","F0 { S1 LV2NX8_IP v2, a2, 64 }""#;
    assert_eq!(issues("ar-increment-def-4", increment), (vec![0, 1], vec![0, 4]));
    let twice = r#""F0 { S3 ADDNX16 v4, v1, v2 }","F0 { S1 LV2NX8_I v4, a2, 0 }""#;
    assert_eq!(issues("waw-ignored", twice), (vec![0, 2], vec![0, 1]));
    let chain = r#""F0 { S3 ADDNX16 v4, v1, v2 }","F0 { S3 ADDNX16 v5, v4, v2 }""#;
    assert_eq!(issues("distance-one-short", chain), (vec![0, 2], vec![0, 1]));
}
