//! Whole cases of `vector_cases.jsonl`, as far as values decide them.

use crate::support::{bundle, executors, hex, number, state_with};
use contract::bundle::Bundle;
use contract::outcome::VectorStep;
use contract::profile::Profile;
use contract::state::{Line, VectorState};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

fn initial(case: &Value) -> VectorState {
    let memory = &case["memory"];
    let chunks: Vec<_> = memory["init"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|chunk| {
            let data = hex(chunk["data"].as_str().expect("hex data"));
            (number(&chunk["address"]) as u32, data)
        })
        .collect();
    let base = memory.get("base").map_or(0x0008_0000, number) as u32;
    let bytes = memory.get("bytes").map_or(65536, number) as u32;
    let mut state = state_with(base, bytes, &chunks);
    state.cpenable = case.get("cpenable").map_or(2, number) as u8;
    state.profile = profile(&case["profile"]);
    for (key, value) in case["state"].as_object().into_iter().flatten() {
        set_register(&mut state, key, value);
    }
    state
}

fn profile(switches: &Value) -> Profile {
    let switches = switches.as_object().cloned().unwrap_or_default();
    let mut profile = match switches.get("preset") {
        Some(name) => Profile::preset(name.as_str().expect("a name")).expect("a preset"),
        None => Profile::default(),
    };
    for (key, value) in switches.iter().filter(|(key, _)| *key != "preset") {
        profile.set(key, value.as_str().expect("a text")).expect("a switch");
    }
    profile
}

fn set_register(state: &mut VectorState, key: &str, value: &Value) {
    let digits = key.find(|c: char| c.is_ascii_digit()).unwrap_or(key.len());
    let index: usize = key[digits..].parse().unwrap_or(0);
    let bytes = || hex(value.as_str().expect("hex bytes"));
    let line = || Line(bytes().try_into().expect("64 bytes"));
    match &key[..digits] {
        "a" => state.ar[index] = number(value) as u32,
        "v" => state.vec[index] = line(),
        "vb" => state.vbool[index] = number(value) as u64,
        "u" => state.valign[index] = line(),
        "wv" => state.wvec[index] = bytes().try_into().expect("192 bytes"),
        "pr" => state.pr[index] = number(value) as u64,
        "gr" => state.gvr[index] = line(),
        "fs" => state.fs[index] = number(value) as u64,
        "fcr" => state.fcr = number(value) as u16,
        "fsr" => state.fsr = number(value) as u16,
        other => panic!("no register file {other}"),
    }
}

/// The registers that a case names, after the run, beside what is expected of every register.
fn compare(state: &VectorState, expected: &Value, id: &str) {
    let mut wanted = VectorState { memory: state.memory.clone(), ..VectorState::default() };
    wanted.profile = state.profile;
    wanted.cpenable = state.cpenable;
    for (key, value) in expected["state"].as_object().into_iter().flatten() {
        set_register(&mut wanted, key, value);
    }
    assert_eq!(*state, wanted, "{id}");
}

/// Maximal runs of bytes that differ from the initial memory.
fn changed(before: &VectorState, after: &VectorState) -> Value {
    let mut runs: Vec<(u32, String)> = Vec::new();
    let pairs = before.memory.bytes().iter().zip(after.memory.bytes());
    let mut last = None;
    for (at, (_, new)) in pairs.enumerate().filter(|(_, (old, new))| old != new) {
        if last != Some(at.wrapping_sub(1)) || at == 0 {
            runs.push((after.memory.base().wrapping_add(at as u32), String::new()));
        }
        runs.last_mut().expect("just pushed").1.push_str(&format!("{new:02x}"));
        last = Some(at);
    }
    runs.into_iter()
        .map(|(address, data)| json!({"address": format!("{address:#010x}"), "data": data}))
        .collect()
}

fn step_json(step: &VectorStep) -> Value {
    match step {
        VectorStep::Accept => json!({"verdict": "accept"}),
        VectorStep::Reject(reason) => json!({"verdict": "reject", "clauses": [reason.text()]}),
        VectorStep::Unsupported(op) => json!({"verdict": "unsupported", "reason": op.name()}),
        VectorStep::Fault(reason, address) => {
            let mut step = Map::from_iter([
                ("verdict".to_owned(), json!("fault")),
                ("reason".to_owned(), json!(reason.text())),
            ]);
            if let Some(address) = address {
                step.insert("address".to_owned(), json!(format!("{address:#010x}")));
            }
            Value::Object(step)
        }
    }
}

#[test]
fn cases_that_values_decide_hold_on_every_path() {
    let mut checked = 0;
    let mut by_legality: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in crate::support::golden_text("vector_cases.jsonl").lines() {
        let row: Value = serde_json::from_str(row).expect("JSON lines");
        let (case, expected) = (&row["case"], &row["expected"]);
        let id = case["id"].as_str().expect("an id");
        let steps = expected["steps"].as_array().expect("steps");
        let bundles: Vec<Bundle> = case["program"]
            .as_array()
            .expect("a program")
            .iter()
            .map(|text| bundle(text.as_str().expect("a text")))
            .collect();
        // A rejected bundle changes nothing and ends the program: the ones before it are run.
        let judged = |step: &Value| step["verdict"] != "reject";
        let steps: Vec<&Value> = steps.iter().filter(|step| judged(step)).collect();
        if steps.len() < expected["steps"].as_array().map_or(0, Vec::len) {
            let kind = if steps.is_empty() { "rejected" } else { "rejected after its first steps" };
            by_legality.entry(kind).or_default().push(id.to_owned());
        }
        if steps.is_empty() {
            continue;
        }
        for mut executor in executors() {
            let before = initial(case);
            let mut state = before.clone();
            let mut got = Vec::new();
            for bundle in bundles.iter().take(steps.len()) {
                let step = executor.execute(&mut state, bundle);
                let goes_on = step.goes_on();
                got.push(step_json(&step));
                if !goes_on {
                    break;
                }
            }
            assert_eq!(json!(got), json!(steps), "{id}");
            compare(&state, expected, id);
            assert_eq!(changed(&before, &state), expected["memory"], "{id}");
        }
        checked += 1;
    }
    println!("checked {checked}, left to the legality rules {by_legality:?}");
    assert!(checked >= 41, "only {checked} cases had a bundle to run");
}
