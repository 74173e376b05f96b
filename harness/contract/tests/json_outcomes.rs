//! The JSON form of outcomes and schedules: the texts that the contract and spec 05 section 9.1 show,
//! and what a model must not answer.

use contract::case::{Case, TensorCase, VectorCase};
use contract::isa::{ClauseId, Mnemonic};
use contract::json::{
    JsonError, OutcomeWriter, declined, read_case, read_outcome, read_schedule, write_outcome,
    write_schedule,
};
use contract::outcome::{
    FaultReason, LegalityReason, Outcome, TensorOutcome, TensorReason, TensorStep, TensorVerdict,
    VectorOutcome, VectorStep,
};
use contract::schedule::{BundleVerdict, LatTable, Role, Schedule};
use contract::state::{Line, TensorState, VectorState};
use serde_json::{Value, json};

fn tensor_case(steps: usize) -> TensorCase {
    let text = json!({"version": 1, "kind": "tensor", "id": "t-1", "generation": "mariana",
        "memory": [{"space": "sbuf", "partition": 0, "partitions": 2, "offset": 4096, "stride": 4,
            "data": "0001020304050607"}],
        "program": vec!["00".repeat(64); steps]});
    match read_case(&text.to_string()) {
        Ok(Case::Tensor(case)) => case,
        other => panic!("{other:?}"),
    }
}

fn vector_case(bundles: usize) -> VectorCase {
    let text = json!({"version": 1, "kind": "vector", "id": "v-1",
        "state": {"a2": 1}, "profile": {"rb_tie": "union"}, "cpenable": 3,
        "memory": {"base": "0x00080000", "bytes": 256,
            "init": [{"address": "0x00080010", "data": "0102030405"}]},
        "program": vec!["F0 { }"; bundles]});
    match read_case(&text.to_string()) {
        Ok(Case::Vector(case)) => case,
        other => panic!("{other:?}"),
    }
}

fn tensor_outcome() -> (Case, Outcome) {
    let case = tensor_case(5);
    let mut flagged = TensorStep::new(TensorVerdict::Accept);
    flagged.indeterminate_acc = true;
    let clauses = [ClauseId::TcAr, ClauseId::HdrLen].into_iter().collect();
    let mut state = TensorState::of(&case);
    state.regions[0].data[7] = 0xff;
    state.accumulators[0] = 0x3f80_0000;
    state.seeded = 1 | 1 << 127;
    let steps = vec![
        TensorStep::new(TensorVerdict::Accept),
        flagged,
        TensorStep::new(TensorVerdict::Reject(clauses)),
        TensorStep::new(TensorVerdict::Unsupported(TensorReason::OutOfScope)),
        TensorStep::new(TensorVerdict::Fault(TensorReason::ExecBounds)),
    ];
    (Case::Tensor(case), Outcome::Tensor(Box::new(TensorOutcome { steps, state })))
}

#[test]
fn a_tensor_outcome_is_written_as_the_contract_shows_it() {
    let (case, outcome) = tensor_outcome();
    let text = write_outcome(&case, &outcome);
    assert_eq!(
        text,
        concat!(
            r#"{"version":1,"kind":"tensor","id":"t-1","steps":[{"verdict":"accept"},"#,
            r#"{"verdict":"accept","flags":["INDETERMINATE_ACC"]},"#,
            r#"{"verdict":"reject","clauses":["HDR-LEN","TC-AR"]},"#,
            r#"{"verdict":"unsupported","reason":"OUT_OF_SCOPE"},"#,
            r#"{"verdict":"fault","reason":"EXEC-BOUNDS"}],"#,
            r#""memory":[{"space":"sbuf","partition":0,"partitions":2,"offset":4096,"stride":4,"#,
            r#""data":"00010203040506ff"}],"#,
            r#""accumulators":{"0":"0x3f800000","127":"0x00000000"},"seeded":[0,127]}"#,
        )
    );
    assert_eq!(read_outcome(&text, &case), Ok(outcome));
}

fn vector_outcome() -> (Case, Outcome) {
    let case = vector_case(3);
    let mut state = VectorState::of(&case);
    state.ar = [0; 16];
    state.ar[3] = 0x8_0043;
    state.vec[31] = Line([0xab; 64]);
    state.vbool[0] = 0xff;
    state.valign[1] = Line([1; 64]);
    state.wvec[2] = [2; 192];
    state.pr[15] = 1;
    state.fcr = 0x40;
    state.fsr = 0x800;
    state.gvr[7] = Line([3; 64]);
    state.fs[1] = 1 << 63;
    // One byte set back, a run across two lines, and the last byte of the window.
    state.memory.write(0x10, &[0, 2, 9]);
    state.memory.write(0x3e, &[7; 4]);
    state.memory.write(0xff, &[8]);
    let steps = vec![
        VectorStep::Accept,
        VectorStep::Unsupported(Mnemonic::from_name("ADDNX16").unwrap()),
        VectorStep::Fault(FaultReason::BadAccess, Some(0x8_1000)),
    ];
    let schedule = None;
    (Case::Vector(case), Outcome::Vector(Box::new(VectorOutcome { steps, state, schedule })))
}

#[test]
fn a_vector_outcome_is_written_as_the_contract_shows_it() {
    let (case, outcome) = vector_outcome();
    let text = write_outcome(&case, &outcome);
    let expected = [
        r#"{"version":1,"kind":"vector","id":"v-1","steps":[{"verdict":"accept"},"#,
        r#"{"verdict":"unsupported","reason":"ADDNX16"},"#,
        r#"{"verdict":"fault","reason":"BadAccess","address":"0x00081000"}],"#,
        r#""state":{"a3":"0x00080043","v31":""#,
        &"ab".repeat(64),
        r#"","vb0":"0x00000000000000ff","u1":""#,
        &"01".repeat(64),
        r#"","wv2":""#,
        &"02".repeat(192),
        r#"","pr15":"0x0000000000000001","fcr":"0x040","fsr":"0x800","gr7":""#,
        &"03".repeat(64),
        r#"","fs1":"0x8000000000000000"},"memory":[{"address":"0x00080010","data":"00"},"#,
        r#"{"address":"0x00080012","data":"09"},{"address":"0x0008003e","data":"07070707"},"#,
        r#"{"address":"0x000800ff","data":"08"}],"schedule":null}"#,
    ];
    assert_eq!(text, expected.concat());
    assert_eq!(read_outcome(&text, &case), Ok(outcome));
}

#[test]
fn other_vector_steps_are_written_as_the_contract_shows_them() {
    for (step, expected) in [
        (
            VectorStep::Reject(LegalityReason::DupDef),
            r#"{"verdict":"reject","clauses":["DUP_DEF"]}"#,
        ),
        (
            VectorStep::Fault(FaultReason::Alignment, Some(6)),
            r#"{"verdict":"fault","reason":"Alignment","address":"0x00000006"}"#,
        ),
        (
            VectorStep::Fault(FaultReason::Coprocessor1Exception, None),
            r#"{"verdict":"fault","reason":"Coprocessor1Exception"}"#,
        ),
    ] {
        let case = vector_case(2);
        let state = VectorState::of(&case);
        let outcome = VectorOutcome { steps: vec![step], state, schedule: None };
        let (case, outcome) = (Case::Vector(case), Outcome::Vector(Box::new(outcome)));
        let text = write_outcome(&case, &outcome);
        assert!(text.contains(&format!("\"steps\":[{expected}]")), "{text}");
        assert_eq!(read_outcome(&text, &case), Ok(outcome));
    }
}

#[test]
fn a_reused_writer_writes_what_a_fresh_one_does() {
    let mut writer = OutcomeWriter::default();
    let pairs = [vector_outcome(), tensor_outcome(), vector_outcome()];
    let (mut all, mut fresh) = (String::new(), String::new());
    for (case, outcome) in &pairs {
        writer.write(&mut all, case, outcome);
        fresh.push_str(&write_outcome(case, outcome));
    }
    assert_eq!(all, fresh);
}

/// The error of an outcome with one place set to another value, or taken away.
fn refusal(pair: (Case, Outcome), place: &str, value: Option<Value>) -> String {
    let (case, outcome) = pair;
    let mut document: Value = serde_json::from_str(&write_outcome(&case, &outcome)).unwrap();
    let (parent, key) = place.rsplit_once('/').unwrap();
    match (document.pointer_mut(parent).unwrap(), value) {
        (Value::Object(map), Some(value)) => {
            map.insert(key.to_owned(), value);
        }
        (Value::Object(map), None) => {
            map.remove(key).unwrap();
        }
        (Value::Array(values), Some(value)) => values[key.parse::<usize>().unwrap()] = value,
        (Value::Array(values), None) => {
            values.remove(key.parse().unwrap());
        }
        (other, _) => panic!("{place} is inside {other}"),
    }
    match read_outcome(&document.to_string(), &case) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{place} was read: {document}"),
    }
}

#[test]
fn bad_tensor_outcomes_are_refused_with_the_place() {
    for (place, value, sentence) in [
        ("/id", Some(json!("t-2")), "id: \"t-2\", expected \"t-1\""),
        ("/kind", Some(json!("vector")), "kind: \"vector\", expected \"tensor\""),
        ("/version", Some(json!(2)), "version: 2, expected 1"),
        ("/steps/4", None, "steps: 4 steps, expected 5, one per instruction"),
        (
            "/steps/0/verdict",
            Some(json!("ok")),
            "steps[0].verdict: \"ok\", expected \"accept\", \"reject\", \"unsupported\" or \"fault\"",
        ),
        (
            "/steps/2/clauses/0",
            Some(json!("XX-OPC")),
            "steps[2].clauses[0]: \"XX-OPC\", expected a clause id of spec 02 that this build knows",
        ),
        (
            "/steps/2/clauses",
            Some(json!([])),
            "steps[2].clauses: an array of 0, expected at least one clause",
        ),
        ("/steps/3/reason", None, "steps[3].reason: missing, expected a reason"),
        (
            "/steps/0/reason",
            Some(json!("EXEC-64")),
            "steps[0].reason: \"EXEC-64\", expected none beside this verdict",
        ),
        (
            "/steps/0/flags",
            Some(json!(["SLOW"])),
            "steps[0].flags[0]: \"SLOW\", expected \"INDETERMINATE_ACC\"",
        ),
        ("/memory/0", None, "memory: 0 regions, expected 1, the regions of the case"),
        (
            "/memory/0/partition",
            Some(json!(1)),
            "memory[0]: another region, expected the region of the case",
        ),
        (
            "/memory/0/data",
            Some(json!("00")),
            "memory[0].data: 2 hex digits, expected 16 (partitions 2 × stride 4 bytes)",
        ),
        (
            "/accumulators/128",
            Some(json!(0)),
            "accumulators.128: no such lane, expected a number from 0 to 127",
        ),
        ("/seeded/1", None, "seeded: other lanes, expected the lanes of \"accumulators\""),
        ("/seeded", None, "seeded: missing, expected an array"),
        (
            "/schedule",
            Some(json!(null)),
            "schedule: unknown key, expected one of version, kind, id, steps, memory, accumulators, \
             seeded",
        ),
    ] {
        assert_eq!(refusal(tensor_outcome(), place, value), sentence);
    }
}

#[test]
fn bad_vector_outcomes_are_refused_with_the_place() {
    for (place, value, sentence) in [
        ("/steps/2", None, "steps: 2 steps, expected 3, one per bundle"),
        (
            "/steps/0",
            Some(json!({"verdict": "reject", "clauses": ["DUP_DEF"]})),
            "steps[1]: an object, expected no step after the end of the program",
        ),
        (
            "/steps/1/reason",
            Some(json!("FROBNX16")),
            "steps[1].reason: \"FROBNX16\", expected a mnemonic of table lat-1",
        ),
        (
            "/steps/2/address",
            None,
            "steps[2].address: missing, expected an integer of 32 bits, or its hex digits after `0x`",
        ),
        (
            "/steps/2/reason",
            Some(json!("Coprocessor1Exception")),
            "steps[2].address: \"0x00081000\", expected none beside this verdict",
        ),
        (
            "/steps/2",
            Some(json!({"verdict": "reject", "clauses": ["DUP_DEF", "OPERAND"]})),
            "steps[2].clauses: an array of 2, expected one reason",
        ),
        ("/state/a16", Some(json!(1)), "state.a16: no such register, expected a0 to a15"),
        (
            "/memory/0/address",
            Some(json!("0x80100")),
            "memory[0]: 1 bytes at 0x00080100, expected bytes of the window 0x00080000 to 0x000800ff",
        ),
        ("/memory", None, "memory: missing, expected an array"),
        ("/schedule", Some(json!({"v": 2})), "schedule.v: 2, expected 1"),
    ] {
        assert_eq!(refusal(vector_outcome(), place, value), sentence);
    }
}

#[test]
fn a_missing_schedule_is_no_schedule() {
    let (case, outcome) = vector_outcome();
    let mut document: Value = serde_json::from_str(&write_outcome(&case, &outcome)).unwrap();
    document.as_object_mut().unwrap().remove("schedule");
    assert_eq!(read_outcome(&document.to_string(), &case), Ok(outcome));
}

#[test]
fn reasons_that_the_spec_does_not_list_are_kept_as_given() {
    let case = Case::Vector(vector_case(1));
    let text = r#"{"version":1,"kind":"vector","id":"v-1","steps":[{"verdict":"fault","reason":"Meltdown"}],"state":{},"memory":[],"schedule":null}"#;
    let outcome = read_outcome(text, &case).unwrap();
    let Outcome::Vector(read) = &outcome else { panic!() };
    assert_eq!(read.steps, [VectorStep::Fault(FaultReason::Other("Meltdown".into()), None)]);
    assert_eq!(write_outcome(&case, &outcome), text);
}

#[test]
fn a_wrong_status_word_is_read_so_that_it_can_be_compared() {
    let case = Case::Vector(vector_case(1));
    let text = r#"{"version":1,"kind":"vector","id":"v-1","steps":[{"verdict":"accept"}],"state":{"fcr":"0xffff"},"memory":[],"schedule":null}"#;
    let outcome = read_outcome(text, &case).unwrap();
    let Outcome::Vector(read) = &outcome else { panic!() };
    assert_eq!(read.state.fcr, 0xffff);
    assert_eq!(write_outcome(&case, &outcome), text);
}

#[test]
fn a_model_that_declines_a_case_gives_no_outcome() {
    let document = json!({"version": 1, "kind": "vector", "id": "v-1", "unsupported": "RADDNX16"});
    assert_eq!(declined(&document), Some("RADDNX16"));
    assert!(read_outcome(&document.to_string(), &Case::Vector(vector_case(1))).is_err());
    assert_eq!(declined(&json!({"version": 1})), None);
    assert_eq!(declined(&json!([])), None);
}

fn canonical(schedule: &Schedule) -> String {
    let mut out = String::new();
    write_schedule(&mut out, schedule);
    out
}

/// A stall, a fault, a port and an illegal bundle of an unknown format.
const SCHEDULE: &str = concat!(
    r#"{"v":1,"table":"lat-1/formal","cycles":4,"bundles":["#,
    r#"{"b":0,"fmt":"F0","verdict":"ok","issue":0,"stall":0,"cause":[],"ops":["#,
    r#"{"s":1,"op":"LA_PP","post":[["AR",2,"use",1],["valign",0,"def",9]]},"#,
    r#"{"s":3,"op":"DCMPRS2NX8","post":[["b32_pr",null,"port",12]]}]},"#,
    r#"{"b":1,"fmt":"N2","verdict":"fault","reason":"BadAccess","issue":3,"stall":2,"#,
    r#""cause":[{"k":"RAW","c":"valign","i":0,"pb":0,"ps":1,"pl":9,"cs":1,"cl":9,"d":1},"#,
    r#"{"k":"WAW","c":"vec","i":31,"pb":0,"ps":3,"pl":12,"cs":0,"cl":10,"d":3}],"#,
    r#""ops":[{"s":0,"op":"SCATTERW","post":[]}]},"#,
    r#"{"b":2,"fmt":"F5","verdict":"illegal","reason":"FORMAT","issue":null,"stall":null,"#,
    r#""cause":[],"ops":[]}]}"#,
);

#[test]
fn a_schedule_is_written_in_its_canonical_bytes() {
    let schedule = read_schedule(SCHEDULE).unwrap();
    assert_eq!(canonical(&schedule), SCHEDULE);
    assert_eq!((schedule.table, schedule.cycles), (LatTable::Lat1Formal, 4));
    let [first, second, third] = &schedule.bundles[..] else { panic!() };
    assert_eq!(first.issue, Some((0, 0)));
    let ops = schedule.ops_of(first);
    assert_eq!((ops[0].slot, ops[1].op.name()), (1, "DCMPRS2NX8"));
    let port = schedule.postings_of(&ops[1])[0];
    assert_eq!((port.index, port.role, port.lat), (None, Role::Port, 12));
    assert_eq!(second.verdict, BundleVerdict::Fault(FaultReason::BadAccess));
    assert_eq!(schedule.causes_of(second)[1].producer_lat, 12);
    assert_eq!(third.verdict, BundleVerdict::Illegal(LegalityReason::Format));
    assert_eq!((third.format.text(), third.issue), ("F5", None));
}

#[test]
fn a_schedule_prints_as_the_text_of_the_spec() {
    let text = "\
B0 F0 ok @0 +0
  S1 LA_PP a2.use@1 u0.def@9
  S3 DCMPRS2NX8 pr-.port@12
B1 N2 fault:BadAccess @3 +2
  S0 SCATTERW
  ! RAW u0 B0.S1@9 > S1@9 d=1
  ! WAW v31 B0.S3@12 > S0@10 d=3
B2 F5 illegal:FORMAT
= 4";
    assert_eq!(read_schedule(SCHEDULE).unwrap().to_string(), text);
}

#[test]
fn the_golden_schedules_survive() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/golden/lat_examples.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 27);
    for example in examples {
        let golden = &example["expect"]["schedule"];
        let schedule = read_schedule(&golden.to_string()).unwrap();
        let text = canonical(&schedule);
        assert_eq!(&serde_json::from_str::<Value>(&text).unwrap(), golden, "{}", example["id"]);
        assert_eq!(read_schedule(&text), Ok(schedule));
        assert!(!text.contains([' ', '\n']));
    }
}

#[test]
fn bad_schedules_are_refused_with_the_place() {
    for (from, to, sentence) in [
        ("\"v\":1", "\"v\":2", "v: 2, expected 1"),
        ("lat-1/formal", "lat-2", "table: \"lat-2\", expected \"lat-1\" or \"lat-1/formal\""),
        ("\"b\":1", "\"b\":2", "bundles[1].b: 2, expected 1"),
        (
            "\"LA_PP\"",
            "\"LA_QQ\"",
            "bundles[0].ops[0].op: \"LA_QQ\", expected a mnemonic of table lat-1",
        ),
        (
            "\"AR\",2",
            "\"XR\",2",
            "bundles[0].ops[0].post[0][0]: \"XR\", expected a register class such as \"vec\"",
        ),
        (
            "\"use\",1",
            "\"uses\",1",
            "bundles[0].ops[0].post[0][2]: \"uses\", expected \"use\", \"def\" or \"port\"",
        ),
        (
            "\"use\",1]",
            "\"use\"]",
            "bundles[0].ops[0].post[0]: an array of 3, expected [class, index, role, LAT]",
        ),
        ("\"WAW\"", "\"WAR\"", "bundles[1].cause[1].k: \"WAR\", expected \"RAW\" or \"WAW\""),
        (
            "\"issue\":0",
            "\"issue\":null",
            "bundles[0].issue: null, expected an integer of 32 bits, or its hex digits after `0x`",
        ),
        (
            "\"issue\":null",
            "\"issue\":9",
            "bundles[2]: an illegal bundle with an issue cycle or stall, expected \"issue\" and \"stall\" to be null",
        ),
        (
            "\"verdict\":\"ok\"",
            "\"verdict\":\"ok\",\"reason\":\"\"",
            "bundles[0].reason: \"\", expected none beside \"ok\"",
        ),
        (
            "\"ok\"",
            "\"accept\"",
            "bundles[0].verdict: \"accept\", expected \"ok\", \"illegal\" or \"fault\"",
        ),
        (
            "\"reason\":\"FORMAT\",",
            "",
            "bundles[2].reason: missing, expected a reason of spec 05 section 6",
        ),
    ] {
        assert!(SCHEDULE.contains(from), "{from}");
        let error = read_schedule(&SCHEDULE.replacen(from, to, 1)).expect_err(sentence);
        assert_eq!(error.to_string(), sentence);
    }
    let error = read_schedule(&SCHEDULE.replace("\"cycles\"", "\"cycels\"")).unwrap_err();
    assert!(matches!(error, JsonError::UnknownKey { nearest: Some("cycles"), .. }));
}
