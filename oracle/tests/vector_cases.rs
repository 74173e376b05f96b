//! The hand-worked cases of `vector_cases.jsonl`: steps, registers and memory. A case that ends in an
//! illegal bundle is run up to that bundle, which legality judges; its state must then be the final
//! one, since an illegal bundle has no effect.

mod vector_support;

use contract::bundle::Bundle;
use contract::case::MemoryChunk;
use contract::outcome::VectorStep;
use contract::profile::Profile;
use contract::state::VectorState;
use serde_json::{Map, Value};
use vector_support::{bundle, golden, hex_bytes, machine_at, number};

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn object<'a>(value: &'a Value, key: &str) -> &'a Map<String, Value> {
    value[key].as_object().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn set_registers(state: &mut VectorState, values: &Map<String, Value>) {
    for (name, value) in values {
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let index = name[digits..].parse().unwrap_or(0);
        let bytes = || hex_bytes(value.as_str().unwrap()).try_into().unwrap();
        match &name[..digits] {
            "a" => state.ar[index] = number(value) as u32,
            "v" => state.vec[index].0 = bytes(),
            "vb" => state.vbool[index] = number(value) as u64,
            "u" => state.valign[index].0 = bytes(),
            "wv" => state.wvec[index] = hex_bytes(value.as_str().unwrap()).try_into().unwrap(),
            "pr" => state.pr[index] = number(value) as u64,
            "fcr" => state.fcr = number(value) as u16,
            "fsr" => state.fsr = number(value) as u16,
            other => panic!("register {other}"),
        }
    }
}

fn chunks(values: &[Value]) -> Vec<MemoryChunk> {
    values
        .iter()
        .map(|chunk| MemoryChunk {
            address: number(&chunk["address"]) as u32,
            data: hex_bytes(text(chunk, "data")),
        })
        .collect()
}

fn step_of(step: &VectorStep) -> Value {
    match step {
        VectorStep::Accept => serde_json::json!({"verdict": "accept"}),
        VectorStep::Reject(reason) => {
            serde_json::json!({"verdict": "reject", "clauses": [reason.text()]})
        }
        VectorStep::Fault(reason, None) => {
            serde_json::json!({"verdict": "fault", "reason": reason.text()})
        }
        VectorStep::Fault(reason, Some(address)) => serde_json::json!({
            "verdict": "fault", "reason": reason.text(), "address": format!("0x{address:08x}")
        }),
        VectorStep::Unsupported(op) => {
            serde_json::json!({"verdict": "unsupported", "reason": op.name()})
        }
    }
}

/// Runs a case and compares steps, registers and memory with what it expects.
fn check(id: &str, case: &Value, expected: &Value) {
    let mut profile = Profile::default();
    for (key, value) in object(case, "profile") {
        profile.set(key, value.as_str().unwrap()).unwrap();
    }
    let window = &case["memory"];
    let base = number(&window["base"]) as u32;
    let bytes = number(&window["bytes"]) as u32;
    let init = chunks(list(window, "init"));
    let mut state = machine_at(profile, base, bytes, init.clone());
    state.cpenable = number(&case["cpenable"]) as u8;
    set_registers(&mut state, object(case, "state"));

    let program: Vec<Bundle> =
        list(case, "program").iter().map(|line| bundle(line.as_str().unwrap())).collect();
    let mut wanted_steps = list(expected, "steps").to_vec();
    let illegal = wanted_steps.pop_if(|step| step["verdict"] == "reject").is_some();
    let mut steps = Vec::new();
    for bundle in &program {
        if illegal && steps.len() == wanted_steps.len() {
            break;
        }
        let step = oracle::vector::execute(&mut state, bundle);
        steps.push(step_of(&step));
        if !step.goes_on() {
            break;
        }
    }
    assert_eq!(steps, wanted_steps, "{id}: steps");

    let mut after = init;
    after.extend(chunks(list(expected, "memory")));
    let mut wanted = machine_at(profile, base, bytes, after);
    wanted.cpenable = state.cpenable;
    set_registers(&mut wanted, object(expected, "state"));
    assert_eq!(state, wanted, "{id}: final state");
}

#[test]
fn hand_worked_cases_have_the_values_they_expect() {
    let (mut whole, mut up_to_illegal) = (0, 0);
    for line in golden("vector_cases.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (case, expected) = (&row["case"], &row["expected"]);
        let ends_illegal =
            list(expected, "steps").last().is_some_and(|step| step["verdict"] == "reject");
        *(if ends_illegal { &mut up_to_illegal } else { &mut whole }) += 1;
        check(text(case, "id"), case, expected);
    }
    println!("{whole} whole cases, {up_to_illegal} up to an illegal bundle");
    assert!(whole >= 41 && up_to_illegal >= 9);
}
