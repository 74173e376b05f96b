//! Every case of `tensor_cases.jsonl` whose program uses only the opcodes that this model executes.
//! The reader below knows just what those cases use.

use crate::support::golden;
use contract::case::TensorCase;
use contract::isa::{ClauseId, Generation};
use contract::model::TensorModel;
use contract::outcome::{TensorStep, TensorVerdict};
use contract::profile::Profile;
use contract::state::{Region, Space, TensorState};
use oracle::tensor::OracleTensor;
use serde_json::{Value, json};

const EXECUTED: &[u8] = &[0x9A, 0xE6, 0x4E, 0x5E];

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no string"))
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or_else(|| panic!("{value}"))
}

fn bytes(hex: &str) -> Vec<u8> {
    assert_eq!(hex.len() % 2, 0);
    (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal"))
        .collect()
}

fn profile(value: &Value) -> Profile {
    let switches = value.as_object().expect("an object");
    let mut profile = match switches.get("preset") {
        Some(name) => Profile::preset(text(name)).expect("a preset"),
        None => Profile::default(),
    };
    for (key, value) in switches.iter().filter(|(key, _)| *key != "preset") {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        profile.set(key, &value).expect("a switch");
    }
    profile
}

fn case(value: &Value) -> TensorCase {
    TensorCase {
        id: text(&value["id"]).to_owned(),
        generation: Generation::from_name(text(&value["generation"])).expect("a generation"),
        profile: profile(&value["profile"]),
        memory: value["memory"]
            .as_array()
            .expect("regions")
            .iter()
            .map(|region| Region {
                space: Space::from_name(text(&region["space"])).expect("a space"),
                partition: number(&region["partition"]),
                partitions: number(&region["partitions"]),
                offset: number(&region["offset"]),
                stride: number(&region["stride"]),
                data: bytes(text(&region["data"])),
            })
            .collect(),
        registers: value["registers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(number, word)| {
                let word = text(word).strip_prefix("0x").expect("0x…");
                (
                    number.parse().expect("a register number"),
                    u32::from_str_radix(word, 16).expect("a word"),
                )
            })
            .collect(),
        program: value["program"]
            .as_array()
            .expect("records")
            .iter()
            .map(|record| bytes(text(record)).try_into().expect("64 bytes"))
            .collect(),
    }
}

fn step_json(step: &TensorStep) -> Value {
    let mut out = match &step.verdict {
        TensorVerdict::Accept => json!({"verdict": "accept"}),
        TensorVerdict::Reject(clauses) => {
            let ids: Vec<&str> = clauses.iter().map(ClauseId::id).collect();
            json!({"verdict": "reject", "clauses": ids})
        }
        TensorVerdict::Unsupported(reason) => {
            json!({"verdict": "unsupported", "reason": reason.text()})
        }
        TensorVerdict::Fault(reason) => json!({"verdict": "fault", "reason": reason.text()}),
    };
    if step.indeterminate_acc {
        out["flags"] = json!(["INDETERMINATE_ACC"]);
    }
    out
}

fn state_json(state: &TensorState) -> (Value, Value, Value) {
    let memory: Vec<Value> = state
        .regions
        .iter()
        .map(|region| {
            let data: String = region.data.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({"space": region.space.name(), "partition": region.partition,
                "partitions": region.partitions, "offset": region.offset,
                "stride": region.stride, "data": data})
        })
        .collect();
    let lanes: Vec<usize> = (0..128).filter(|lane| state.seeded >> lane & 1 == 1).collect();
    let accumulators: serde_json::Map<String, Value> = lanes
        .iter()
        .map(|&lane| (lane.to_string(), json!(format!("0x{:08x}", state.accumulators[lane]))))
        .collect();
    (json!(memory), Value::Object(accumulators), json!(lanes))
}

#[test]
fn every_golden_case_of_the_executed_opcodes_holds() {
    let mut checked = 0;
    for line in golden("tensor_cases.jsonl").lines() {
        let entry: Value = serde_json::from_str(line).expect("valid JSON");
        let case = case(&entry["case"]);
        if !case.program.iter().all(|record| EXECUTED.contains(&record[0])) {
            continue;
        }
        let expected = &entry["expected"];
        let mut model = OracleTensor::default();
        let mut state = TensorState::of(&case);
        let steps: Vec<Value> = case
            .program
            .iter()
            .map(|record| step_json(&model.step(&mut state, record).expect("no stray write")))
            .collect();
        assert_eq!(json!(steps), expected["steps"], "{}: steps", case.id);
        let (memory, accumulators, seeded) = state_json(&state);
        assert_eq!(memory, expected["memory"], "{}: memory", case.id);
        assert_eq!(accumulators, expected["accumulators"], "{}: accumulators", case.id);
        assert_eq!(seeded, expected["seeded"], "{}: seeded", case.id);
        checked += 1;
    }
    assert_eq!(checked, EXPECTED_CASES);
}

/// Cases of the file whose program uses the four opcodes only.
const EXPECTED_CASES: usize = 57;
