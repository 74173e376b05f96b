//! The executed values of `val05_vectors.json`, each mapped to an instruction. A vector tagged
//! `any` runs under every preset and under both values of `la_fresh`, one tagged `val05` under the
//! presets that contain it. What is skipped is counted by reason.

mod vector_support;

use contract::isa::Mnemonic;
use contract::profile::{LaFresh, Profile};
use contract::state::{Line, VectorState};
use serde_json::Value;
use std::collections::BTreeMap;
use vector_support::{
    BASE, fill, golden, lanes, line, machine, machine_at, memory, number, run_op,
};

/// One golden vector.
struct Vector<'a> {
    op: &'a str,
    inputs: &'a Value,
    expected: &'a Value,
    profile: Profile,
}

/// Lane width in bits by the mnemonic's name.
fn width(op: &str) -> usize {
    if op.contains("2NX8") {
        8
    } else if op.contains("N_2X") {
        32
    } else {
        16
    }
}

/// A register of equal lanes.
fn all(width: usize, value: i64) -> Line {
    packed(width, &vec![value; 512 / width])
}

/// A register from lane values.
fn packed(width: usize, values: &[i64]) -> Line {
    match width {
        8 => line(&values.iter().map(|&v| v as u8).collect::<Vec<_>>()),
        16 => line(&values.iter().map(|&v| v as u16).collect::<Vec<_>>()),
        _ => line(&values.iter().map(|&v| v as u32).collect::<Vec<_>>()),
    }
}

/// Unsigned lane values of a register.
fn unpacked(width: usize, register: &Line) -> Vec<i64> {
    match width {
        8 => lanes::<u8>(register).into_iter().map(i64::from).collect(),
        16 => lanes::<u16>(register).into_iter().map(i64::from).collect(),
        _ => lanes::<u32>(register).into_iter().map(i64::from).collect(),
    }
}

impl Vector<'_> {
    fn machine(&self) -> VectorState {
        machine(self.profile)
    }

    fn has(&self, inputs: &[&str], expected: &[&str]) -> bool {
        let keys = |value: &Value, names: &[&str]| {
            let object = value.as_object().unwrap();
            object.len() == names.len() && names.iter().all(|name| object.contains_key(*name))
        };
        keys(self.inputs, inputs) && keys(self.expected, expected)
    }

    fn input(&self, key: &str) -> i64 {
        number(&self.inputs[key])
    }

    fn input_line(&self, key: &str) -> Line {
        let values: Vec<i64> = self.inputs[key].as_array().unwrap().iter().map(number).collect();
        packed(width(self.op), &values)
    }

    /// Runs the op on a prepared machine.
    fn execute(&self, mut state: VectorState, operands: &str) -> VectorState {
        run_op(&mut state, &format!("{} {operands}", self.op));
        state
    }

    /// The result of a fold: low bits of the register, the rest zero.
    fn check_fold(&self, state: &VectorState) {
        let digits = self.expected["result"].as_str().unwrap().len() - 2;
        let mut wanted = Line::default();
        let result = number(&self.expected["result"]) as u32;
        wanted.0[..digits / 2].copy_from_slice(&result.to_le_bytes()[..digits / 2]);
        assert_eq!(state.vec[1], wanted);
    }

    /// The reported lanes or bytes of a register.
    fn check_reported(&self, width: usize, register: &Line, reported: &Value) {
        let actual = unpacked(width, register);
        let mut seen = 0;
        match reported {
            Value::Object(positions) => {
                for (position, value) in positions {
                    assert_eq!(actual[position.parse::<usize>().unwrap()], number(value));
                    seen += 1;
                }
            }
            other => {
                for (position, value) in other.as_array().unwrap().iter().enumerate() {
                    assert_eq!(actual[position], number(value), "position {position}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 0);
    }

    /// Runs the vector through the adapter of its shape.
    fn check(&self) {
        match self.op {
            "RBMAXNX16.fold_step" => self.fold_step(),
            "T-merge.mask" => self.merge_mask(),
            "LA2NX8.funnel" => self.load_funnel(),
            "SA2NX8.funnel" => self.store_funnel(),
            "address.post_update" => self.post_update(),
            "wideldshift.window128" => self.window(),
            _ => self.instruction(),
        }
    }

    /// Vectors that name an instruction.
    fn instruction(&self) {
        assert!(Mnemonic::from_name(self.op).is_some(), "{} is no mnemonic", self.op);
        if self.has(&["src"], &["result"]) || self.has(&["src"], &["invalid", "result"]) {
            let mut state = self.machine();
            state.vec[0] = self.input_line("src");
            let state = self.execute(state, "v1, v0");
            self.check_fold(&state);
            let invalid = self.expected.get("invalid").map_or(0, number);
            assert_eq!(i64::from(state.fsr), invalid << 11);
        } else if self.has(&["src"], &["value", "vbool", "winning_lanes"]) {
            let mut state = self.machine();
            state.vec[0] = self.input_line("src");
            let state = self.execute(state, "v1, vb1, v0");
            assert_eq!(state.vec[1], all(width(self.op), number(&self.expected["value"])));
            assert_eq!(state.vbool[1] as i64, number(&self.expected["vbool"]));
        } else if self.inputs.get("kept_lanes").is_some() {
            let mut state = self.machine();
            state.vec[0] = self.input_line("src");
            state.vbool[2] = self.input("vb") as u64;
            let state = self.execute(state, "v1, v0, vb2");
            match self.expected.get("lanes") {
                Some(reported) => self.check_reported(width(self.op), &state.vec[1], reported),
                None => self.check_fold(&state),
            }
        } else if self.has(&["count"], &["vbool"]) {
            let mut state = self.machine();
            state.ar[5] = self.input("count") as u32;
            let state = self.execute(state, "vb1, a5");
            assert_eq!(state.vbool[1] as i64, number(&self.expected["vbool"]));
        } else if self.has(&["vb"], &["bit"]) {
            let mut state = self.machine();
            state.vbool[2] = self.input("vb") as u64;
            let state = self.execute(state, "vb1, vb2");
            assert_eq!(state.vbool[1] as i64, number(&self.expected["bit"]));
        } else if self.has(&["amount", "value"], &["result"]) {
            self.shift();
        } else if self.has(&["value"], &["result"]) || self.has(&["a"], &["result"]) {
            let key = if self.inputs.get("a").is_some() { "a" } else { "value" };
            let mut state = self.machine();
            state.vec[0] = all(width(self.op), self.input(key));
            let state = self.execute(state, "v1, v0");
            assert_eq!(state.vec[1], all(width(self.op), number(&self.expected["result"])));
        } else if self.has(&["ctrl", "src"], &["lanes"]) {
            let mut state = self.machine();
            state.vec[0] = self.input_line("src");
            state.vec[2] = self.input_line("ctrl");
            let state = self.execute(state, "v1, v0, v2");
            self.check_reported(width(self.op), &state.vec[1], &self.expected["lanes"]);
        } else if self.inputs.get("pool_low").is_some() {
            self.select();
        } else if self.inputs.get("mask").is_some() {
            self.merged();
        } else if self.inputs.get("a").is_some() {
            self.two_sources();
        } else if self.inputs.get("a_bytes").is_some() {
            let mut state = self.machine();
            let bytes = |key: &str| {
                let values = self.inputs.get(key).and_then(Value::as_array);
                packed(8, &values.into_iter().flatten().map(number).collect::<Vec<_>>())
            };
            state.vec[2] = bytes("a_bytes");
            state.vec[3] = bytes("b_bytes");
            let two = self.inputs.get("b_bytes").is_some();
            let state = self.execute(state, if two { "v1, v2, v3" } else { "v1, v2" });
            self.check_reported(8, &state.vec[1], &self.expected["bytes"]);
        } else {
            self.extract_or_move();
        }
    }

    /// Shift and rotate: the same value and amount in every lane.
    fn shift(&self) {
        let w = width(self.op);
        let mut state = self.machine();
        state.vec[0] = all(w, self.input("value"));
        state.vec[2] = all(w, self.input("amount"));
        let immediate = self.op.contains("IN") || self.op.contains("I2N");
        let operands = if immediate {
            format!("v1, v0, {}", self.input("amount"))
        } else {
            "v1, v0, v2".to_owned()
        };
        let state = self.execute(state, &operands);
        assert_eq!(state.vec[1], all(w, number(&self.expected["result"])));
    }

    /// `SEL`, `DSEL`: the vector names the pool halves.
    fn select(&self) {
        let mut state = self.machine();
        state.vec[3] = self.input_line("pool_high");
        state.vec[4] = self.input_line("pool_low");
        state.vec[5] = self.input_line("ctrl");
        let w = width(self.op);
        if self.expected.get("vt").is_some() {
            let state = self.execute(state, "v2, v1, v3, v4, v5");
            self.check_reported(w, &state.vec[1], &self.expected["vt"]);
            self.check_reported(w, &state.vec[2], &self.expected["vu"]);
        } else {
            let state = self.execute(state, "v1, v3, v4, v5");
            self.check_reported(w, &state.vec[1], &self.expected["lanes"]);
        }
    }

    /// `ADD…T` on a few lanes, `MOV2NX8T` on every lane.
    fn merged(&self) {
        let w = width(self.op);
        let mut state = self.machine();
        if let Some(masks) = self.inputs["mask"].as_array() {
            state.vec[1] = self.input_line("old");
            state.vec[2] = self.input_line("a");
            state.vec[3] = self.input_line("b");
            for (l, mask) in masks.iter().enumerate() {
                state.vbool[4] |= (number(mask) as u64) << (l * w / 8);
            }
            let state = self.execute(state, "v1, v2, v3, vb4");
            self.check_reported(w, &state.vec[1], &self.expected["result"]);
        } else {
            state.vec[1] = all(w, self.input("old"));
            state.vec[2] = all(w, self.input("src"));
            state.vbool[4] = if self.input("mask") == 1 { u64::MAX } else { 0 };
            let state = self.execute(state, "v1, v2, vb4");
            assert_eq!(state.vec[1], all(w, number(&self.expected["result"])));
        }
    }

    /// ALU, compare, flagged and predicate forms of one or two sources, in every lane.
    fn two_sources(&self) {
        let w = width(self.op);
        let mut state = self.machine();
        if let Some(vbool) = self.expected.get("vbool") {
            state.vbool[2] = self.input("a") as u64;
            state.vbool[3] = self.inputs.get("b").map_or(0, number) as u64;
            let two = self.inputs.get("b").is_some();
            let state = self.execute(state, if two { "vb1, vb2, vb3" } else { "vb1, vb2" });
            assert_eq!(state.vbool[1] as i64, number(vbool));
            return;
        }
        state.vec[2] = all(w, self.input("a"));
        state.vec[3] = all(w, self.input("b"));
        let field = self.expected.get("field");
        let result = self.expected.get("result");
        let operands = match (result, field) {
            (Some(_), None) => "v1, v2, v3",
            (None, Some(_)) => "vb1, v2, v3",
            _ => "v1, vb1, v2, v3",
        };
        let state = self.execute(state, operands);
        if let Some(result) = result {
            assert_eq!(state.vec[1], all(w, number(result)));
        }
        if let Some(field) = field {
            let mut wanted = 0;
            for l in 0..512 / w {
                wanted |= (number(field) as u64) << (l * w / 8);
            }
            assert_eq!(state.vbool[1], wanted);
        }
    }

    /// `REP`, `EXTR…`, `MOV…` between files.
    fn extract_or_move(&self) {
        let mut state = self.machine();
        if self.inputs.get("src").is_some() {
            state.vec[0] = self.input_line("src");
        }
        if self.has(&["imm", "src"], &["result"]) {
            let state = self.execute(state, &format!("v1, v0, {}", self.input("imm")));
            self.check_reported(width(self.op), &state.vec[1], &self.expected["result"]);
        } else if self.has(&["imm", "src"], &["ar"]) {
            let state = self.execute(state, &format!("a1, v0, {}", self.input("imm")));
            assert_eq!(i64::from(state.ar[1]), number(&self.expected["ar"]));
        } else if self.has(&["ar_index", "src"], &["ar"]) {
            state.ar[2] = self.input("ar_index") as u32;
            let state = self.execute(state, "a1, v0, a2");
            assert_eq!(i64::from(state.ar[1]), number(&self.expected["ar"]));
        } else if self.has(&["imm", "src"], &["pr"]) {
            let state = self.execute(state, &format!("pr1, v0, {}", self.input("imm")));
            assert_eq!(state.pr[1] as i64, number(&self.expected["pr"]));
        } else if self.has(&["lane0"], &["ar"]) || self.has(&["low32"], &["ar"]) {
            let key = if self.inputs.get("lane0").is_some() { "lane0" } else { "low32" };
            state.vec[0] = packed(32, &[self.input(key)]);
            let state = self.execute(state, "a1, v0");
            assert_eq!(i64::from(state.ar[1]), number(&self.expected["ar"]));
        } else if self.has(&["ar"], &["pr"]) {
            state.ar[2] = self.input("ar") as u32;
            let state = self.execute(state, "pr1, a2");
            assert_eq!(state.pr[1] as i64, number(&self.expected["pr"]));
        } else if self.has(&["ar"], &["bit"]) {
            state.ar[2] = self.input("ar") as u32;
            let state = self.execute(state, "vb1, a2");
            assert_eq!(state.vbool[1] as i64, number(&self.expected["bit"]));
        } else {
            panic!("no adapter for {} {} {}", self.op, self.inputs, self.expected);
        }
    }

    /// The fold over a short sequence: the other lanes hold the identity of the fold.
    fn fold_step(&self) {
        let mut values = vec![-0x8000; 32];
        for (value, given) in values.iter_mut().zip(self.inputs["sequence"].as_array().unwrap()) {
            *value = number(given);
        }
        let mut state = self.machine();
        state.vec[0] = packed(16, &values);
        run_op(&mut state, "RBMAXNX16 v1, vb1, v0");
        assert_eq!(state.vec[1], all(16, number(&self.expected["value"])));
    }

    /// The lane mask behind a T-merge: the `t` form marks the killed lane (what is kept of the old
    /// value), the `f` form the live lane (what is taken of the fresh one).
    fn merge_mask(&self) {
        let killed = match self.inputs["form"].as_str().unwrap() {
            "bitkillt_16" => true,
            "bitkillf_16" => false,
            other => panic!("form {other}"),
        };
        let mut state = self.machine();
        state.vec[1] = all(16, if killed { -1 } else { 0 });
        state.vec[2] = all(16, if killed { 0 } else { -1 });
        state.vbool[4] = if self.input("pred") == 1 { u64::MAX } else { 0 };
        run_op(&mut state, "ADDNX16T v1, v2, v3, vb4");
        assert_eq!(state.vec[1], all(16, number(&self.expected["mask"])));
    }

    /// Carried and fresh line as align register and memory; the fresh line stands where either
    /// value of `la_fresh` looks for it.
    fn load_funnel(&self) {
        let bytes = |key: &str| -> Vec<u8> {
            self.inputs[key].as_array().unwrap().iter().map(|v| number(v) as u8).collect()
        };
        let mut state = self.machine();
        state.valign[0] = line(&bytes("carry"));
        fill(&mut state, BASE, &bytes("fresh"));
        fill(&mut state, BASE + 64, &bytes("fresh"));
        state.ar[2] = BASE + self.input("phase") as u32;
        run_op(&mut state, "LA2NX8_IP v1, u0, a2");
        self.check_reported(8, &state.vec[1], &self.expected["bytes"]);
        assert_eq!(state.valign[0], line(&bytes("fresh")));
    }

    /// The line that a full store with a valid carry commits.
    fn store_funnel(&self) {
        let phase = self.input("phase") as usize;
        let mut state = self.machine();
        let carry = self.input("carry_fill") as u8;
        state.valign[1].0[..phase].fill(carry);
        state.valign[1].0[63] = phase as u8;
        state.vec[1] = all(8, self.input("data_fill"));
        state.ar[3] = BASE + phase as u32;
        run_op(&mut state, "SA2NX8_IP v1, u1, a3");
        let words: Vec<i64> = memory(&state, BASE, 64)
            .chunks_exact(4)
            .map(|word| i64::from(u32::from_le_bytes(word.try_into().unwrap())))
            .collect();
        let count = |fill: &str| {
            let word = i64::from(u32::from_le_bytes([self.input(fill) as u8; 4]));
            words.iter().filter(|&&w| w == word).count() as i64
        };
        assert_eq!(count("data_fill"), number(&self.expected["payload_words_from_data"]));
        assert_eq!(count("carry_fill"), number(&self.expected["payload_words_from_carry"]));
        assert_eq!(words[0], number(&self.expected["first_word"]));
        assert_eq!(words[15], number(&self.expected["last_word"]));
    }

    /// The post-update of every addressing that has one, with the delta in an index register.
    fn post_update(&self) {
        for op in [
            "LV2NX8_XP v1, a2, a3",
            "SV2NX8_XP v1, a2, a3",
            "LA2NX8_XP v1, u0, a2, a3",
            "SA2NX8_XP v1, u0, a2, a3",
        ] {
            let mut state = machine_at(self.profile, 0, 0x4000, Vec::new());
            state.ar[2] = self.input("base") as u32;
            state.ar[3] = self.input("delta") as u32;
            run_op(&mut state, op);
            assert_eq!(i64::from(state.ar[2]), number(&self.expected["base_after"]), "{op}");
        }
    }

    /// The first 128 bits of the window that an aligning load takes at a phase.
    fn window(&self) {
        let words = |value: &Value| -> Vec<i64> {
            value["words"].as_array().unwrap().iter().map(number).collect()
        };
        let mut state = self.machine();
        state.valign[0] = packed(32, &words(self.inputs));
        state.ar[2] = BASE + self.input("byte_amount") as u32;
        run_op(&mut state, "LA2NX8_IP v1, u0, a2");
        self.check_reported(32, &state.vec[1], &self.expected["words"]);
    }
}

#[test]
fn executed_values_hold_at_instruction_level() {
    let file: Value = serde_json::from_str(&golden("val05_vectors.json")).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut runs = 0;
    for row in file["vectors"].as_array().unwrap() {
        let field = |key: &str| row[key].as_str().unwrap();
        let mut count = |reason| *counts.entry(reason).or_default() += 1;
        // Ops of chapter 09; their values are checked with that chapter.
        if field("scope") == "deferred" {
            count("skipped: op of a later chapter");
            continue;
        }
        // True of the value leaf alone: a predicate field of one bit holds no 7 and no 99.
        if field("profile") == "leaf" {
            count("skipped: not expressible as an instruction");
            continue;
        }
        let presets: &[&str] = match field("profile") {
            "any" => &["seed", "val05", "vendor"],
            "val05" => &["val05", "vendor"],
            other => panic!("profile {other}"),
        };
        for preset in presets {
            for la_fresh in LaFresh::ALL {
                let profile = Profile { la_fresh: *la_fresh, ..Profile::preset(preset).unwrap() };
                println!("{} under {preset}", field("id"));
                let (inputs, expected) = (&row["inputs"], &row["expected"]);
                Vector { op: field("op"), inputs, expected, profile }.check();
                runs += 1;
            }
        }
        count("checked");
    }
    let expected = [
        ("checked", 268),
        ("skipped: not expressible as an instruction", 2),
        ("skipped: op of a later chapter", 16),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    assert!(runs > 1500);
}
