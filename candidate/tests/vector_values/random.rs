//! Random states and operands for every mnemonic of the chapter: all code paths agree with each other
//! and with the lane-by-lane reading.

use crate::reference;
use crate::support::{BASE, executors, golden_json, number, state_with};
use candidate::vector::VectorExecutor;
use contract::bundle::{Bundle, OpWord, Operand, Operands, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::outcome::VectorStep;
use contract::profile::{FsrGate, LaFresh, Profile, RbTie, RotrMode};
use contract::state::{LINE, Line, VectorState};
use serde_json::Value;
use std::collections::HashMap;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// Edge values by width in bytes, from the golden edge sets.
pub struct Edges {
    lanes: [Vec<u64>; 3],
    vbool: Vec<u64>,
}

impl Edges {
    pub fn read() -> Self {
        let file = golden_json("edge_sets.json");
        let set = |name: &str| -> Vec<u64> {
            let values = file["lane_widths"][name]["values"].as_array().expect("values");
            values.iter().map(|value| number(value) as u64).collect()
        };
        Self {
            lanes: [
                set("int8"),
                [set("int16"), set("fp16")].concat(),
                [set("int32"), set("int32_extra"), set("fp32")].concat(),
            ],
            vbool: set("vbool64"),
        }
    }

    /// A register of edges, of small numbers, of few values, or of random bits.
    pub fn line(&self, random: &mut Random) -> Line {
        let mut line = Line([0; LINE]);
        let kind = random.below(6);
        let shift = random.below(3) as usize;
        let size = 1 << shift;
        let edges = &self.lanes[shift];
        let few = [random.pick(edges), random.pick(edges), random.next()];
        for chunk in line.0.chunks_exact_mut(size) {
            let value = match kind {
                0 | 1 => random.pick(edges),
                2 => random.pick(&few),
                3 => random.below(160).wrapping_sub(80),
                4 => few[0],
                _ => random.next(),
            };
            chunk.copy_from_slice(&value.to_le_bytes()[..size]);
        }
        line
    }

    pub fn vbool(&self, random: &mut Random) -> u64 {
        match random.below(3) {
            0 => random.pick(&self.vbool),
            1 => random.next() & random.next(),
            _ => random.next() | random.next(),
        }
    }
}

/// Bytes of memory of [`random_state`]: small, so that many accesses reach past its ends.
const MEMORY: u32 = 512;

/// A state whose address registers point at and around the window, or hold small counts.
pub fn random_state(random: &mut Random, edges: &Edges) -> VectorState {
    let base = random.pick(&[BASE, BASE, BASE, 0, MEMORY.wrapping_neg()]);
    let data = (0..MEMORY).map(|_| random.next() as u8).collect();
    let mut state = state_with(base, MEMORY, &[(base, data)]);
    state.profile = random.pick(
        &Profile::PRESETS
            .iter()
            .map(|name| Profile::preset(name).expect("a preset"))
            .collect::<Vec<_>>(),
    );
    state.profile.la_fresh = random.pick(LaFresh::ALL);
    state.profile.rb_tie = random.pick(RbTie::ALL);
    state.profile.rotr_mode = random.pick(RotrMode::ALL);
    state.profile.fsr_gate = random.pick(FsrGate::ALL);
    for register in &mut state.ar {
        *register = match random.below(8) {
            0..4 => base.wrapping_add(64 + random.below(u64::from(MEMORY) - 192) as u32),
            4 => {
                base.wrapping_add((random.below(u64::from(MEMORY) + 256) as u32).wrapping_sub(128))
            }
            5 => random.below(140).wrapping_sub(10) as u32,
            6 => random.below(64) as u32,
            _ => random.next() as u32,
        };
    }
    state.vec = std::array::from_fn(|_| edges.line(random));
    state.vbool = std::array::from_fn(|_| edges.vbool(random));
    state.valign = std::array::from_fn(|_| edges.line(random));
    for register in &mut state.valign {
        if random.below(2) == 0 {
            register.0[63] = random.below(64) as u8;
        }
    }
    for register in &mut state.wvec {
        *register = std::array::from_fn(|_| random.next() as u8);
    }
    state.pr = std::array::from_fn(|_| random.next());
    for register in &mut state.pr {
        if random.below(3) == 0 {
            *register = random.pick(&[0x8000_8000, 0x7fff_8000, 0x8000_0001, u64::MAX, 0]);
        }
    }
    state.gvr = std::array::from_fn(|_| edges.line(random));
    state.fs = std::array::from_fn(|_| random.next());
    state.fcr = random.next() as u16 & 0x7f;
    state.fsr = random.next() as u16 & 0xf80;
    state
}

/// What the LAT table says of a mnemonic.
pub struct Row {
    /// Legal immediates by operand position.
    immediates: Vec<Vec<i64>>,
    /// Operand positions that post a def.
    defs: Vec<usize>,
    store: bool,
}

/// Rows by name.
pub struct Table(HashMap<String, Row>);

impl Table {
    pub fn read() -> Self {
        let file = golden_json("lat_table.json");
        let rows = file["ops"].as_array().expect("rows");
        Self(
            rows.iter()
                .map(|row| (row["op"].as_str().expect("a name").to_owned(), Row::of(row)))
                .collect(),
        )
    }
}

impl Row {
    fn of(row: &Value) -> Self {
        let operands = row["operands"].as_array().expect("operands");
        let immediates = operands
            .iter()
            .map(|operand| match (operand.get("set"), operand.get("min")) {
                (Some(set), _) => set.as_array().expect("a set").iter().map(number).collect(),
                (_, Some(min)) => (number(min)..=number(&operand["max"]))
                    .step_by(number(&operand["step"]) as usize)
                    .collect(),
                _ => Vec::new(),
            })
            .collect();
        let defs = row["postings"]
            .as_array()
            .expect("postings")
            .iter()
            .filter(|posting| posting["role"] == "def")
            .map(|posting| {
                let is_it = |operand: &Value| operand["name"] == posting["opnd"];
                operands.iter().position(is_it).expect("a named operand")
            })
            .collect();
        Self { immediates, defs, store: row["mem"] == "store" }
    }
}

/// Operands that post one def per register, from few registers so that sources and results meet.
pub fn random_operands(random: &mut Random, mnemonic: Mnemonic, table: &Table) -> Vec<Operand> {
    let info = mnemonic.info();
    loop {
        let operands: Vec<Operand> = info
            .operands
            .iter()
            .enumerate()
            .map(|(position, (_, kind))| match kind {
                OperandKind::Reg(class) => {
                    let few = class.entries().min(if *class == RegClass::Ar { 16 } else { 5 });
                    let index = match random.below(4) {
                        0 => random.below(u64::from(class.entries())),
                        _ => random.below(u64::from(few)),
                    };
                    Operand::Reg(*class, index as u32)
                }
                OperandKind::Imm => {
                    let legal = &table.0[info.name].immediates[position];
                    Operand::Imm(random.pick(legal))
                }
            })
            .collect();
        let deal = info.name.starts_with("DSEL");
        if !deal || operands[0] != operands[1] {
            return operands;
        }
    }
}

fn argument(operand: &Operand) -> i64 {
    match operand {
        Operand::Reg(_, index) => i64::from(*index),
        Operand::Imm(value) => *value,
        Operand::Word(word) => panic!("a word: {word}"),
    }
}

fn single(mnemonic: Mnemonic, operands: &[Operand]) -> Bundle {
    Bundle {
        ops: vec![SlotOp {
            slot: 0,
            op: OpWord::Known(mnemonic),
            operands: operands.iter().cloned().collect::<Operands>(),
        }],
        ..Bundle::empty(Format::F0)
    }
}

fn check(
    executors: &mut [VectorExecutor],
    state: &VectorState,
    mnemonic: Mnemonic,
    operands: &[Operand],
) -> bool {
    let args: Vec<i64> = operands.iter().map(argument).collect();
    let expected = reference::execute(state, mnemonic.name(), &args);
    let bundle = single(mnemonic, operands);
    for executor in executors {
        let mut got = state.clone();
        let step = executor.execute(&mut got, &bundle);
        let at = || format!("{} {args:?} on {}", mnemonic.name(), executor.simd().name());
        match (&expected, step) {
            (Ok(state), VectorStep::Accept) => {
                assert!(*state == got, "{}: {}", at(), difference(state, &got))
            }
            (Err((reason, address)), VectorStep::Fault(found, Some(place))) => {
                assert_eq!((*reason, *address), (found.text(), place), "{}", at());
                assert!(*state == got, "{} changed the state", at());
            }
            (expected, step) => {
                panic!("{}: {:?} instead of {:?}", at(), step, expected.as_ref().err())
            }
        }
    }
    expected.is_ok()
}

/// The first register that differs.
fn difference(expected: &VectorState, got: &VectorState) -> String {
    macro_rules! files {
        ($($file:ident),*) => {
            $(for (i, (want, have)) in expected.$file.iter().zip(&got.$file).enumerate() {
                if want != have {
                    return format!("{} {i}\n{want:02x?}\n{have:02x?}", stringify!($file));
                }
            })*
        };
    }
    files!(ar, vec, vbool, valign, wvec, pr, gvr, fs);
    format!("fsr {:x} {:x} or memory", expected.fsr, got.fsr)
}

#[test]
fn every_mnemonic_agrees_with_the_lane_by_lane_reading_on_every_path() {
    let (edges, table) = (Edges::read(), Table::read());
    let mut executors = executors();
    let mut random = Random(0x7137);
    let (mut mnemonics, mut accepted, mut faulted) = (0, 0, 0);
    let rounds =
        std::env::var("Q7DIFF_TEST_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    for _ in 0..rounds {
        for mnemonic in Mnemonic::all().filter(|mnemonic| mnemonic.info().chapter == 4) {
            mnemonics += 1;
            let state = random_state(&mut random, &edges);
            for _ in 0..24 {
                let operands = random_operands(&mut random, mnemonic, &table);
                if check(&mut executors, &state, mnemonic, &operands) {
                    accepted += 1;
                } else {
                    faulted += 1;
                }
            }
        }
    }
    assert_eq!(mnemonics, 370 * rounds);
    println!("{accepted} accepted, {faulted} faulted");
    assert!(accepted > 6000 * rounds && faulted > 200 * rounds);
}

#[test]
fn two_source_ops_agree_on_every_pair_of_edges() {
    let (edges, table) = (Edges::read(), Table::read());
    let mut executors = executors();
    let mut random = Random(0x7138);
    let two_vectors = |mnemonic: &Mnemonic| {
        let info = mnemonic.info();
        let vectors =
            info.operands.iter().filter(|(_, kind)| *kind == OperandKind::Reg(RegClass::Vec));
        info.chapter == 4 && vectors.count() == 3
    };
    for mnemonic in Mnemonic::all().filter(two_vectors) {
        let width = if mnemonic.name().contains("2NX8") {
            0
        } else if mnemonic.name().contains("N_2X32") {
            2
        } else {
            1
        };
        let mut values = edges.lanes[width].clone();
        // Shift amounts around the clamps.
        values.extend(
            (0..=5).flat_map(|n: u64| {
                [(8 << n) - 1, 8 << n, (8_u64 << n).wrapping_neg(), !(8_u64 << n)]
            }),
        );
        let mut state = random_state(&mut random, &edges);
        let size = 1 << width;
        let pairs: Vec<(u64, u64)> =
            values.iter().flat_map(|&a| values.iter().map(move |&b| (a, b))).collect();
        for pairs in pairs.chunks(64 / size) {
            for (l, (a, b)) in pairs.iter().enumerate() {
                state.vec[1].0[l * size..][..size].copy_from_slice(&a.to_le_bytes()[..size]);
                state.vec[2].0[l * size..][..size].copy_from_slice(&b.to_le_bytes()[..size]);
            }
            let mut operands = random_operands(&mut random, mnemonic, &table);
            let mut next = 1;
            for (position, (_, kind)) in mnemonic.info().operands.iter().enumerate().skip(1) {
                if *kind == OperandKind::Reg(RegClass::Vec) {
                    operands[position] = Operand::Reg(RegClass::Vec, next);
                    next += 1;
                }
            }
            check(&mut executors, &state, mnemonic, &operands);
        }
    }
}

/// Copies a register of a class.
fn copy_register(class: RegClass, index: usize, from: &VectorState, to: &mut VectorState) {
    match class {
        RegClass::Ar => to.ar[index] = from.ar[index],
        RegClass::Vec => to.vec[index] = from.vec[index],
        RegClass::Vbool => to.vbool[index] = from.vbool[index],
        RegClass::Valign => to.valign[index] = from.valign[index],
        RegClass::Wvec => to.wvec[index] = from.wvec[index],
        RegClass::Pr => to.pr[index] = from.pr[index],
        RegClass::Br | RegClass::Gvr => panic!("no op of the chapter writes it"),
    }
}

/// A bundle of several ops without two defs of one register and with at most one store.
fn random_bundle(random: &mut Random, table: &Table) -> Bundle {
    let ops: Vec<Mnemonic> =
        Mnemonic::all().filter(|mnemonic| mnemonic.info().chapter == 4).collect();
    loop {
        let mut bundle = Bundle::empty(Format::F3);
        let (mut defs, mut stores) = (Vec::new(), 0);
        for slot in 0..2 + random.below(4) as u32 {
            let mnemonic = random.pick(&ops);
            let operands = random_operands(random, mnemonic, table);
            let row = &table.0[mnemonic.name()];
            defs.extend(row.defs.iter().map(|&position| operands[position].clone()));
            stores += u32::from(row.store);
            bundle.ops.push(SlotOp {
                slot,
                op: OpWord::Known(mnemonic),
                operands: operands.into_iter().collect(),
            });
        }
        let twice = (1..defs.len()).any(|i| defs[..i].contains(&defs[i]));
        if !twice && stores <= 1 {
            return bundle;
        }
    }
}

#[test]
fn a_bundle_is_its_ops_on_the_state_before_it() {
    let (edges, table) = (Edges::read(), Table::read());
    let mut executors = executors();
    let mut random = Random(0x7139);
    let (mut accepted, mut faulted) = (0, 0);
    for _ in 0..4000 {
        let state = random_state(&mut random, &edges);
        let mut bundle = random_bundle(&mut random, &table);
        let mut expected = Ok(state.clone());
        for op in &bundle.ops {
            let OpWord::Known(mnemonic) = op.op else { continue };
            let args: Vec<i64> = op.operands.iter().map(argument).collect();
            match (reference::execute(&state, mnemonic.name(), &args), &mut expected) {
                (Err(fault), Ok(_)) => expected = Err(fault),
                (Ok(new), Ok(merged)) => {
                    let row = &table.0[mnemonic.name()];
                    for &position in &row.defs {
                        let Operand::Reg(class, index) = op.operands[position] else { continue };
                        copy_register(class, index as usize, &new, merged);
                    }
                    if row.store {
                        merged.memory = new.memory;
                    }
                    merged.fsr |= new.fsr;
                }
                (_, Err(_)) => {}
            }
        }
        // The order in which the ops are listed means nothing.
        if random.below(2) == 0 {
            bundle.ops.reverse();
        }
        for executor in &mut executors {
            let mut got = state.clone();
            let step = executor.execute(&mut got, &bundle);
            match (&expected, step) {
                (Ok(merged), VectorStep::Accept) => {
                    assert!(*merged == got, "{bundle:?}\n{}", difference(merged, &got));
                }
                (Err((reason, address)), VectorStep::Fault(found, Some(place))) => {
                    assert_eq!((*reason, *address), (found.text(), place), "{bundle:?}");
                    assert!(state == got, "{bundle:?}");
                }
                (_, step) => panic!("{bundle:?}: {step:?}"),
            }
        }
        *(if expected.is_ok() { &mut accepted } else { &mut faulted }) += 1;
    }
    println!("{accepted} accepted, {faulted} faulted");
    assert!(accepted > 1500 && faulted > 500);
}

#[test]
fn bundles_that_are_not_legal_do_no_harm() {
    let edges = Edges::read();
    let mut executors = executors();
    let mut random = Random(0x713a);
    let ops: Vec<Mnemonic> = Mnemonic::all().collect();
    for _ in 0..20_000 {
        let mut bundle = Bundle::empty(Format::F0);
        for _ in 0..random.below(8) {
            let mnemonic = random.pick(&ops);
            let missing = random.below(12) == 0;
            let operands = mnemonic.info().operands.len()
                - usize::from(missing).min(mnemonic.info().operands.len());
            let operands: Operands = (0..operands)
                .map(|_| match random.below(8) {
                    0 => Operand::Imm(random.next().cast_signed()),
                    1 => Operand::Imm(random.below(200).cast_signed() - 100),
                    2 if random.below(8) == 0 => Operand::Word("x".into()),
                    3 => Operand::Reg(random.pick(RegClass::ALL), random.next() as u32),
                    _ => Operand::Reg(random.pick(RegClass::ALL), random.below(32) as u32),
                })
                .collect();
            let op = if random.below(40) == 0 {
                OpWord::Unknown("FOO".into())
            } else {
                OpWord::Known(mnemonic)
            };
            bundle.ops.push(SlotOp { slot: random.below(9) as u32, op, operands });
        }
        let state = random_state(&mut random, &edges);
        let mut outcomes = Vec::new();
        for executor in &mut executors {
            let mut after = state.clone();
            let step = executor.execute(&mut after, &bundle);
            assert!(step == VectorStep::Accept || after == state, "{bundle:?}: {step:?}");
            outcomes.push((step, after));
        }
        assert!(outcomes.windows(2).all(|pair| pair[0] == pair[1]), "{bundle:?}");
    }
}
