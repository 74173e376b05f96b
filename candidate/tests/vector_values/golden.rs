//! `val05_vectors.json`: values executed on the vendor's model, run as instructions.
//!
//! Every shape of vector has its adapter: a lane vector fills one lane and its neighbours with other
//! values, so that a result that leaks across lanes shows.

use crate::support::{BASE, accept, blank_state, golden_json, lane, line, number, state_with};
use contract::isa::Mnemonic;
use contract::profile::Profile;
use contract::state::{Line, VectorState};
use serde_json::Value;
use std::collections::BTreeMap;

/// Why a vector is not run; `Ok` if it was and held.
type Ran = Result<(), &'static str>;

fn width_of(op: &str) -> usize {
    if op.contains("2NX8") || op == "MOVAVU8" {
        8
    } else if op.contains("N_2X") {
        32
    } else {
        16
    }
}

fn lanes(value: &Value) -> Vec<i64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

fn expect_lanes(actual: &Line, width: usize, expected: &Value, id: &str) {
    let check = |index: usize, value: &Value| {
        assert_eq!(lane(actual, width, index), number(value) as u64, "{id} lane {index}");
    };
    match expected {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, value)| check(i, value)),
        Value::Object(map) => {
            map.iter().for_each(|(i, value)| check(i.parse().expect("an index"), value));
        }
        other => panic!("{id}: {other}"),
    }
}

/// Value in lane 5 (7 for a lane rotate would be as good), another one in the rest.
fn in_lane_five(width: usize, value: i64, rest: i64) -> Line {
    line(width, (0..512 / width).map(|l| if l == 5 { value } else { rest }))
}

/// A golden vector, taken apart.
struct Vector<'a> {
    id: &'a str,
    op: &'a str,
    inputs: &'a Value,
    expected: &'a Value,
    /// Element width of the op.
    width: usize,
    /// Predicate field of lane 0, all ones.
    field: u64,
}

fn run_vector(json: &Value, start: &VectorState) -> Ran {
    let op = json["op"].as_str().expect("an op");
    let width = width_of(op);
    let vector = Vector {
        id: json["id"].as_str().expect("an id"),
        op,
        inputs: &json["inputs"],
        expected: &json["expected"],
        width,
        field: (1 << (width / 8)) - 1,
    };
    let Vector { id, inputs, expected, .. } = vector;
    let mut state = start.clone();

    match op {
        "LA2NX8.funnel" => return load_funnel(json, start),
        "SA2NX8.funnel" => return store_funnel(json, start),
        "wideldshift.window128" => return window(json, start),
        "RBMAXNX16.fold_step" => return fold(json, start),
        "address.post_update" => {
            let base = number(&inputs["base"]) as u32;
            let after = number(&expected["base_after"]) as u32;
            let delta = number(&inputs["delta"]);
            let mut state = state_with(base & !0xfff, 0x2000, &[]);
            state.ar[3] = base;
            state.ar[4] = delta as u32;
            let text = format!("F0 {{ S1 LV2NX8_IP v1, a3, {delta} }}");
            assert_eq!(accept(&state, &[&text]).ar[3], after, "{id}");
            let text = "F0 { S1 LV2NX8_XP v1, a3, a4 }";
            assert_eq!(accept(&state, &[text]).ar[3], after, "{id}");
            return Ok(());
        }
        "T-merge.mask" => {
            // Which lanes a predicate kills, seen through a merge of all ones into zero; the two
            // forms are complements.
            let form = inputs["form"].as_str().expect("a form");
            state.vbool[1] = if number(&inputs["pred"]) == 1 { !0 } else { 0 };
            state.vec[1] = line(16, [0xffff; 32]);
            let end = accept(&state, &["F0 { S3 ADDNX16T v3, v1, v2, vb1 }"]);
            let live = lane(&end.vec[3], 16, 0);
            let mask = if form.starts_with("bitkillf") { live } else { live ^ 0xffff };
            assert_eq!(mask, number(&expected["mask"]) as u64, "{id}");
            return Ok(());
        }
        _ => {}
    }
    assert!(Mnemonic::from_name(op).is_some(), "{id}: {op}");

    if inputs.get("ctrl").is_some() {
        crossbar_vector(&vector, start);
        Ok(())
    } else if inputs["src"].is_array() {
        register_vector(&vector, start);
        Ok(())
    } else {
        lane_vector(&vector, start)
    }
}

/// Selects and shuffles: control and sources given in full.
fn crossbar_vector(vector: &Vector<'_>, start: &VectorState) {
    let Vector { id, op, inputs, expected, width, .. } = *vector;
    let has = |key: &str| inputs.get(key).is_some();
    let mut state = start.clone();
    state.vec[3] = line(width, lanes(&inputs["ctrl"]));
    if has("pool_low") {
        state.vec[1] = line(width, lanes(&inputs["pool_high"]));
        state.vec[2] = line(width, lanes(&inputs["pool_low"]));
    } else {
        state.vec[2] = line(width, lanes(&inputs["src"]));
    }
    if op.starts_with("DSEL") {
        let end = accept(&state, &[&format!("F0 {{ S3 {op} v5, v4, v1, v2, v3 }}")]);
        expect_lanes(&end.vec[4], width, &expected["vt"], id);
        expect_lanes(&end.vec[5], width, &expected["vu"], id);
    } else {
        let sources = if has("pool_low") { "v1, v2, v3" } else { "v2, v3" };
        let end = accept(&state, &[&format!("F0 {{ S3 {op} v4, {sources} }}")]);
        expect_lanes(&end.vec[4], width, &expected["lanes"], id);
    }
}

/// One register given in full: reductions, DCMPRS, replicate, extract.
fn register_vector(vector: &Vector<'_>, start: &VectorState) {
    let Vector { id, op, inputs, expected, width, field, .. } = *vector;
    let has = |key: &str| inputs.get(key).is_some();
    let mut state = start.clone();
    state.vec[1] = line(width, lanes(&inputs["src"]));
    state.vec[2] = Line([0x5a; 64]);
    state.ar[5] = inputs.get("ar_index").map_or(0, number) as u32;
    state.vbool[1] = inputs.get("vb").map_or(0, number) as u64;
    let extra = match (has("imm"), has("vb"), has("ar_index")) {
        (true, ..) => format!(", {}", number(&inputs["imm"])),
        (_, true, _) => ", vb1".to_owned(),
        (.., true) => ", a5".to_owned(),
        _ => String::new(),
    };
    let target = if expected.get("ar").is_some() {
        "a6"
    } else if expected.get("pr").is_some() {
        "pr2"
    } else if op.starts_with("RB") {
        "v2, vb2"
    } else {
        "v2"
    };
    let end = accept(&state, &[&format!("F0 {{ S3 {op} {target}, v1{extra} }}")]);
    for (key, value) in expected.as_object().expect("an object") {
        match key.as_str() {
            "ar" => assert_eq!(i64::from(end.ar[6]), number(value), "{id}"),
            "pr" => assert_eq!(end.pr[2], number(value) as u64, "{id}"),
            "lanes" => expect_lanes(&end.vec[2], width, value, id),
            "invalid" => assert_eq!(i64::from(end.fsr >> 11 & 1), number(value), "{id}"),
            "vbool" => assert_eq!(end.vbool[2], number(value) as u64, "{id}"),
            "winning_lanes" => {
                let flags = lanes(value).iter().fold(0, |q, l| q | field << (l * width as i64 / 8));
                assert_eq!(end.vbool[2], flags, "{id}");
            }
            "value" => {
                expect_lanes(&end.vec[2], width, &vec![value.clone(); 512 / width].into(), id)
            }
            "result" if value.is_array() => expect_lanes(&end.vec[2], width, value, id),
            "result" => {
                // A reduction: the value in the low bits, zero above.
                let mut want = Line([0; 64]);
                want.0[..8].copy_from_slice(&number(value).to_le_bytes());
                assert_eq!(end.vec[2], want, "{id}");
            }
            other => panic!("{id}: {other}"),
        }
    }
}

/// One lane, one predicate or one scalar.
fn lane_vector(vector: &Vector<'_>, start: &VectorState) -> Ran {
    let Vector { id, op, inputs, expected, width, field, .. } = *vector;
    let has = |key: &str| inputs.get(key).is_some();
    let mut state = start.clone();
    match width_and_shape(inputs) {
        "count" => {
            state.ar[5] = number(&inputs["count"]) as u32;
            let end = accept(&state, &[&format!("F0 {{ S1 {op} vb1, a5 }}")]);
            assert_eq!(end.vbool[1], number(&expected["vbool"]) as u64, "{id}");
        }
        "vb" => {
            state.vbool[1] = number(&inputs["vb"]) as u64;
            let end = accept(&state, &[&format!("F0 {{ S1 {op} vb2, vb1 }}")]);
            assert_eq!(end.vbool[2], number(&expected["bit"]) as u64, "{id}");
        }
        "value amount" => {
            let (value, amount) = (number(&inputs["value"]), number(&inputs["amount"]));
            state.vec[1] = in_lane_five(width, value, -1);
            state.vec[2] = in_lane_five(width, amount, 1);
            let shift = if op.contains("I2NX8") || op.contains("INX16") || op.contains("IN_2X32") {
                amount.to_string()
            } else {
                "v2".to_owned()
            };
            let end = accept(&state, &[&format!("F0 {{ S3 {op} v3, v1, {shift} }}")]);
            let got = lane(&end.vec[3], width, 5);
            assert_eq!(got, number(&expected["result"]) as u64, "{id}");
        }
        "value" => {
            state.vec[1] = in_lane_five(width, number(&inputs["value"]), 0x5a);
            let end = accept(&state, &[&format!("F0 {{ S3 {op} v3, v1 }}")]);
            let got = lane(&end.vec[3], width, 5);
            assert_eq!(got, number(&expected["result"]) as u64, "{id}");
        }
        "vbool a b" => {
            state.vbool[1] = number(&inputs["a"]) as u64;
            state.vbool[2] = inputs.get("b").map_or(0, number) as u64;
            let second = if has("b") { ", vb2" } else { "" };
            let end = accept(&state, &[&format!("F0 {{ S1 {op} vb3, vb1{second} }}")]);
            assert_eq!(end.vbool[3], number(&expected["vbool"]) as u64, "{id}");
        }
        "a b" => {
            let second = inputs.get("b").map_or(0, number);
            state.vec[1] = in_lane_five(width, number(&inputs["a"]), second);
            state.vec[2] = in_lane_five(width, second, number(&inputs["a"]));
            let sources = if has("b") { "v1, v2" } else { "v1" };
            let target = match (expected.get("result"), expected.get("field")) {
                (Some(_), Some(_)) => "v3, vb3",
                (None, Some(_)) => "vb3",
                _ => "v3",
            };
            let end = accept(&state, &[&format!("F0 {{ S3 {op} {target}, {sources} }}")]);
            if let Some(value) = expected.get("result") {
                assert_eq!(lane(&end.vec[3], width, 5), number(value) as u64, "{id}");
            }
            if let Some(value) = expected.get("field") {
                let got = end.vbool[3] >> (5 * width / 8) & field;
                assert_eq!(got, number(value) as u64, "{id}");
            }
        }
        "bytes" => {
            state.vec[1] = line(8, lanes(&inputs["a_bytes"]));
            let sources = if has("b_bytes") {
                state.vec[2] = line(8, lanes(&inputs["b_bytes"]));
                "v1, v2"
            } else {
                "v1"
            };
            let end = accept(&state, &[&format!("F0 {{ S3 {op} v3, {sources} }}")]);
            expect_lanes(&end.vec[3], 8, &expected["bytes"], id);
        }
        "merge lanes" => {
            state.vec[1] = line(width, lanes(&inputs["a"]));
            state.vec[2] = line(width, lanes(&inputs["b"]));
            state.vec[3] = line(width, lanes(&inputs["old"]));
            for (l, live) in lanes(&inputs["mask"]).into_iter().enumerate() {
                state.vbool[1] |= (live as u64 * field) << (l * width / 8);
            }
            let end = accept(&state, &[&format!("F0 {{ S3 {op} v3, v1, v2, vb1 }}")]);
            expect_lanes(&end.vec[3], width, &expected["result"], id);
        }
        "merge byte" => {
            state.vec[1] = in_lane_five(8, number(&inputs["src"]), 0x77);
            state.vec[3] = in_lane_five(8, number(&inputs["old"]), 0x33);
            state.vbool[1] = (number(&inputs["mask"]) as u64) << 5;
            let end = accept(&state, &[&format!("F0 {{ S3 {op} v3, v1, vb1 }}")]);
            assert_eq!(lane(&end.vec[3], 8, 5), number(&expected["result"]) as u64, "{id}");
            assert_eq!(lane(&end.vec[3], 8, 6), 0x33, "{id}");
        }
        "lane zero" => {
            let source = inputs.get("lane0").or(inputs.get("low32")).expect("a source");
            state.vec[1] = line(32, [number(source)]);
            let end = accept(&state, &[&format!("F0 {{ S3 {op} a6, v1 }}")]);
            assert_eq!(i64::from(end.ar[6]), number(&expected["ar"]), "{id}");
        }
        "scalar" => {
            state.ar[5] = number(&inputs["ar"]) as u32;
            let target = if op == "MOVBA1" { "vb1" } else { "pr1" };
            let end = accept(&state, &[&format!("F0 {{ S1 {op} {target}, a5 }}")]);
            if let Some(value) = expected.get("pr") {
                assert_eq!(end.pr[1], number(value) as u64, "{id}");
            } else {
                assert_eq!(end.vbool[1], number(&expected["bit"]) as u64, "{id}");
            }
        }
        _ => return Err("no adapter for its shape"),
    }
    Ok(())
}

/// Names the shape of the remaining vectors by their input keys.
fn width_and_shape(inputs: &Value) -> &'static str {
    let keys: Vec<&str> =
        inputs.as_object().expect("an object").keys().map(String::as_str).collect();
    let text = |key: &str| inputs.get(key).and_then(Value::as_str);
    match keys.as_slice() {
        ["count"] => "count",
        ["vb"] => "vb",
        ["amount", "value"] | ["value", "amount"] => "value amount",
        ["value"] => "value",
        ["lane0"] | ["low32"] => "lane zero",
        ["ar"] => "scalar",
        _ if inputs.get("a_bytes").is_some() => "bytes",
        _ if inputs.get("old").is_some() && inputs.get("a").is_some() => "merge lanes",
        _ if inputs.get("old").is_some() => "merge byte",
        _ if text("a").is_some_and(|a| a.len() == 18) => "vbool a b",
        _ if text("a").is_some() => "a b",
        _ => "unknown",
    }
}

/// The load funnel: a produce step at the phase, carried line and next line as given.
fn load_funnel(vector: &Value, start: &VectorState) -> Ran {
    let inputs = &vector["inputs"];
    let fresh = lanes(&inputs["fresh"]).iter().map(|&byte| byte as u8).collect();
    let mut state = state_with(BASE, 4096, &[(BASE + 64, fresh)]);
    state.profile = start.profile;
    state.valign[1] = line(8, lanes(&inputs["carry"]));
    state.ar[3] = BASE + number(&inputs["phase"]) as u32;
    let end = accept(&state, &["F0 { S1 LA2NX8_IP v2, u1, a3 }"]);
    let id = vector["id"].as_str().expect("an id");
    expect_lanes(&end.vec[2], 8, &vector["expected"]["bytes"], id);
    Ok(())
}

/// The store funnel: an append step with a full carry at the phase, seen in the line that it writes.
fn store_funnel(vector: &Value, start: &VectorState) -> Ran {
    let (inputs, expected) = (&vector["inputs"], &vector["expected"]);
    let phase = number(&inputs["phase"]);
    let mut state = blank_state();
    state.profile = start.profile;
    state.vec[1] = line(8, [number(&inputs["data_fill"]); 64]);
    let fill = number(&inputs["carry_fill"]);
    state.valign[1] = line(8, (0..64).map(|i| if i == 63 { phase } else { fill }));
    state.ar[3] = BASE + phase as u32;
    let end = accept(&state, &["F0 { S0 SA2NX8_IP v1, u1, a3 }"]);
    let payload = Line(end.memory.bytes()[..64].try_into().expect("64 bytes"));
    let words: Vec<u64> = (0..16).map(|i| lane(&payload, 32, i)).collect();
    let id = vector["id"].as_str().expect("an id");
    assert_eq!(words[0], number(&expected["first_word"]) as u64, "{id}");
    assert_eq!(words[15], number(&expected["last_word"]) as u64, "{id}");
    let count = |word: u64| words.iter().filter(|&&w| w == word).count() as i64;
    assert_eq!(count(0xaaaa_aaaa), number(&expected["payload_words_from_data"]), "{id}");
    assert_eq!(count(0xbbbb_bbbb), number(&expected["payload_words_from_carry"]), "{id}");
    Ok(())
}

/// The 128-bit window by a byte amount: the first four words of a produce step at that phase.
fn window(vector: &Value, start: &VectorState) -> Ran {
    let mut state = blank_state();
    state.profile = start.profile;
    state.valign[1] = line(32, lanes(&vector["inputs"]["words"]));
    state.ar[3] = BASE + number(&vector["inputs"]["byte_amount"]) as u32;
    state.ar[4] = 16;
    let end = accept(&state, &["F0 { S1 LAV2NX8_XP v2, u1, a3, a4 }"]);
    let id = vector["id"].as_str().expect("an id");
    expect_lanes(&end.vec[2], 32, &vector["expected"]["words"], id);
    Ok(())
}

/// The fold over a sequence: its values in the first lanes, the smallest value elsewhere.
fn fold(vector: &Value, start: &VectorState) -> Ran {
    let mut state = start.clone();
    let sequence = lanes(&vector["inputs"]["sequence"]);
    let rest = std::iter::repeat(-32768);
    state.vec[1] = line(16, sequence.into_iter().chain(rest).take(32));
    let end = accept(&state, &["F0 { S3 RBMAXNX16 v2, vb2, v1 }"]);
    let value = number(&vector["expected"]["value"]) as u64;
    assert_eq!(lane(&end.vec[2], 16, 0), value);
    Ok(())
}

#[test]
fn executed_vectors_hold_under_their_presets() {
    let file = golden_json("val05_vectors.json");
    let vectors = file["vectors"].as_array().expect("vectors");
    let mut ran = 0;
    let mut skipped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for vector in vectors {
        let text = |key: &str| vector[key].as_str().expect("a text");
        let mut skip = |why: &str| {
            skipped.entry(why.to_owned()).or_default().push(text("id").to_owned());
        };
        if text("scope") == "deferred" {
            skip("deferred to another chapter");
            continue;
        }
        let presets: &[&str] = match text("profile") {
            "any" => Profile::PRESETS,
            "val05" => &["val05", "vendor"],
            _ => {
                skip("true of the vendor's leaf only");
                continue;
            }
        };
        for preset in presets {
            let mut state = blank_state();
            state.profile = Profile::preset(preset).expect("a preset");
            match run_vector(vector, &state) {
                Ok(()) => ran += 1,
                Err(why) => skip(why),
            }
        }
    }
    println!("ran {ran} of {} vectors under their presets, skipped {skipped:?}", vectors.len());
    // 257 vectors under three presets, 11 under two.
    assert_eq!(ran, 257 * 3 + 11 * 2);
    assert_eq!(skipped.values().map(Vec::len).sum::<usize>(), 16 + 2);
}
