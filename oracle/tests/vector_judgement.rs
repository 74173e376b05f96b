//! The order of judgement of a legal bundle (spec 04 section 3): gate, ops without values, memory
//! faults, effects; and what holds of every row of the table.

mod vector_support;

use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::outcome::{FaultReason, VectorStep};
use contract::profile::Profile;
use contract::state::VectorState;
use serde_json::Value;
use vector_support::{BASE, Noise, bundle, faults, fill, golden, line, machine, run};

/// The ungated ops, as the chapters list them.
const UNGATED: [&str; 14] = [
    "NOP",
    "MOVI",
    "ADDI",
    "ADD",
    "SUB",
    "AND",
    "OR",
    "XOR",
    "MUL16S",
    "MULL",
    "L32I",
    "S32I",
    "SCATTERW",
    "ADDMOD16U",
];

fn execute(state: &mut VectorState, text: &str) -> VectorStep {
    oracle::vector::execute(state, &bundle(text))
}

#[test]
fn a_disabled_vector_unit_stops_every_gated_op() {
    for mnemonic in Mnemonic::all() {
        let single = Bundle {
            format: FormatWord::Known(Format::F0),
            ops: vec![SlotOp {
                slot: 0,
                op: OpWord::Known(mnemonic),
                operands: mnemonic.info().operands.iter().map(|_| Operand::Imm(0)).collect(),
            }],
        };
        for cpenable in [0, 0xfd] {
            let mut state = machine(Profile::default());
            state.cpenable = cpenable;
            let gated = oracle::vector::execute(&mut state, &single)
                == VectorStep::Fault(FaultReason::Coprocessor1Exception, None);
            assert_eq!(gated, !UNGATED.contains(&mnemonic.name()), "{mnemonic}");
        }
    }
}

#[test]
fn the_gate_comes_before_ops_without_values_and_before_faults() {
    let mut state = machine(Profile::default());
    state.cpenable = 0xfd;
    let gate = (FaultReason::Coprocessor1Exception, None);
    for text in [
        "F0 { S0 ADDI a2, a2, 1 ; S1 LV2NX8_I v1, a9, 0 }",
        "F0 { S1 ADDMOD16U a5, a6, a7 ; S3 ADDNX16 v1, v2, v3 }",
        "F0 { S0 L32I a3, a9, 0 ; S3 ADDNXF16 v1, v2, v3 }",
    ] {
        assert_eq!(faults(&state, text), gate, "{text}");
    }
    // Scalar ops run on, and fault on their own account.
    assert_eq!(execute(&mut state, "X1 { S0 MOVI a3, 7 }"), VectorStep::Accept);
    assert_eq!(state.ar[3], 7);
    let bad = (FaultReason::BadAccess, Some(0));
    assert_eq!(faults(&state, "X1 { S0 L32I a3, a9, 0 }"), bad);
}

#[test]
fn an_op_without_values_comes_before_memory_faults_and_changes_nothing() {
    let mut state = machine(Profile::default());
    let before = state.clone();
    let step = execute(&mut state, "F0 { S0 LV2NX8_IP v1, a9, 64 ; S3 ADDNXF16 v1, v2, v3 }");
    assert_eq!(step, VectorStep::Unsupported(Mnemonic::from_name("ADDNXF16").unwrap()));
    assert_eq!(state, before);
}

#[test]
fn the_lowest_slot_without_values_is_the_reason() {
    let lowest = VectorStep::Unsupported(Mnemonic::from_name("LSNX16_I").unwrap());
    for text in [
        "F0 { S1 LSNX16_I v1, a2, 2 ; S3 ADDNXF16 v4, v2, v3 }",
        "F0 { S3 ADDNXF16 v4, v2, v3 ; S1 LSNX16_I v1, a2, 2 }",
    ] {
        assert_eq!(execute(&mut machine(Profile::default()), text), lowest, "{text}");
    }
}

#[test]
fn every_operand_is_read_before_any_write() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE, &[9; 64]);
    state.vec[1] = line(&[1u16; 32]);
    state.ar[2] = BASE;
    state.vbool[3] = u64::MAX;
    run(
        &mut state,
        &["F3 { S0 LV2NX8_IP v1, a2, 64 ; S1 LTR2N vb3, a2 ; S2 MOVVV v4, v2 ; \
           S3 ADDNX16T v2, v1, v1, vb3 ; S4 MOVVV v5, v1 }"],
    );
    assert_eq!(state.vec[1], line(&[9u8; 64]));
    assert_eq!(state.vec[2], line(&[2u16; 32]));
    assert_eq!(state.vec[4], line::<u8>(&[]));
    assert_eq!(state.vec[5], line(&[1u16; 32]));
    assert_eq!((state.ar[2], state.vbool[3]), (BASE + 64, 0));
}

#[test]
fn an_all_false_predicate_leaves_the_register_alone() {
    let mut noise = Noise(0xfa15e);
    for name in ["ADDNX16T", "SELNX16T", "SHFL2NX8T", "REPN_2X32T", "MOV2NX8T", "NEG2NX8T"] {
        let mnemonic = Mnemonic::from_name(name).unwrap();
        let operands = mnemonic.info().operands.len();
        let middle = match name {
            "REPN_2X32T" => "v2, 3",
            _ => ["", "", "", "v2", "v2, v3", "v2, v3, v4"][operands],
        };
        let mut state = machine(Profile::default());
        state.vec[1] = noise.line();
        state.vec[2] = noise.line();
        // Set bits that are not the low bit of a 16- or 32-bit field mean nothing.
        state.vbool[5] = if name.contains("2NX8") { 0 } else { 0xaaaa_aaaa_aaaa_aaaa };
        let before = state.clone();
        run(&mut state, &[&format!("F0 {{ S3 {name} v1, {middle}, vb5 }}")]);
        assert_eq!(state, before, "{name}");
    }
}

/// A legal immediate of a row's operand.
fn immediate(range: &Value, noise: &mut Noise) -> i64 {
    if let Some(set) = range["set"].as_array() {
        return set[noise.below(set.len() as u64) as usize].as_i64().unwrap();
    }
    let field = |key: &str, default| range[key].as_i64().unwrap_or(default);
    let (min, max, step) = (field("min", 0), field("max", 0), field("step", 1));
    min + step * noise.below(((max - min) / step + 1) as u64) as i64
}

/// A state in which every register differs and addresses lie inside the window.
fn noisy(noise: &mut Noise) -> VectorState {
    let mut state = machine(Profile::default());
    state.ar.iter_mut().for_each(|a| *a = BASE + 1024 + noise.below(1024) as u32);
    state.vec.iter_mut().for_each(|v| *v = noise.line());
    state.vbool.iter_mut().for_each(|q| *q = noise.next());
    state.valign.iter_mut().for_each(|u| *u = noise.line());
    state.wvec.iter_mut().flatten().for_each(|byte| *byte = noise.next() as u8);
    state.pr.iter_mut().for_each(|pr| *pr = noise.next());
    state.gvr.iter_mut().for_each(|g| *g = noise.line());
    state.fs.iter_mut().for_each(|fs| *fs = noise.next());
    for at in (0..4096).step_by(64) {
        fill(&mut state, BASE + at, &noise.line().0);
    }
    state
}

/// The registers in which two states differ.
fn changed(before: &VectorState, after: &VectorState) -> Vec<(RegClass, u32)> {
    fn differ<T: PartialEq>(class: RegClass, a: &[T], b: &[T]) -> Vec<(RegClass, u32)> {
        let pairs = a.iter().zip(b).enumerate();
        pairs.filter(|(_, (x, y))| x != y).map(|(i, _)| (class, i as u32)).collect()
    }
    [
        differ(RegClass::Ar, &before.ar, &after.ar),
        differ(RegClass::Vec, &before.vec, &after.vec),
        differ(RegClass::Vbool, &before.vbool, &after.vbool),
        differ(RegClass::Valign, &before.valign, &after.valign),
        differ(RegClass::Wvec, &before.wvec, &after.wvec),
        differ(RegClass::Pr, &before.pr, &after.pr),
        differ(RegClass::Gvr, &before.gvr, &after.gvr),
    ]
    .concat()
}

#[test]
fn an_op_changes_only_what_its_row_defines() {
    let table: Value = serde_json::from_str(&golden("lat_table.json")).unwrap();
    let mut noise = Noise(0x0dd);
    let mut rows = 0;
    for row in table["ops"].as_array().unwrap() {
        let name = row["op"].as_str().unwrap();
        let mnemonic = Mnemonic::from_name(name).unwrap();
        if mnemonic.info().chapter != 4 {
            continue;
        }
        rows += 1;
        // SALIGN_I posts a def of a register that keeps its value (spec 05 T-12).
        let mut wrote = name == "SALIGN_I"
            || row["postings"].as_array().unwrap().iter().all(|posting| posting["role"] != "def");
        for _ in 0..40 {
            // Distinct registers, so that a wrong operand position shows.
            let base = noise.below(4) as u32;
            let mut operands = Vec::new();
            for (i, column) in row["operands"].as_array().unwrap().iter().enumerate() {
                operands.push(match mnemonic.info().operands[i].1 {
                    OperandKind::Reg(class) => {
                        Operand::Reg(class, (base + i as u32) % class.entries())
                    }
                    OperandKind::Imm => Operand::Imm(immediate(column, &mut noise)),
                });
            }
            let mut state = noisy(&mut noise);
            // An index or a length that keeps the access inside; scalar addresses are aligned.
            let length = noise.below(130) as u32;
            for (i, operand) in operands.iter().enumerate() {
                if let &Operand::Reg(RegClass::Ar, index) = operand {
                    let register = &mut state.ar[index as usize];
                    if name.ends_with("32I") {
                        *register &= !3;
                    } else if row["mem"] != "none" && mnemonic.info().operands[i].0 == "art" {
                        *register = length;
                    }
                }
            }
            let before = state.clone();
            let single = Bundle {
                format: FormatWord::Known(Format::F0),
                ops: vec![SlotOp {
                    slot: 0,
                    op: OpWord::Known(mnemonic),
                    operands: operands.iter().cloned().collect(),
                }],
            };
            let step = oracle::vector::execute(&mut state, &single);
            assert_eq!(step, VectorStep::Accept, "{name} {operands:?}");

            let defined: Vec<(RegClass, u32)> = row["postings"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|posting| posting["role"] == "def")
                .map(|posting| {
                    let named = |column: &Value| column["name"] == posting["opnd"];
                    let position =
                        row["operands"].as_array().unwrap().iter().position(named).unwrap();
                    match operands[position] {
                        Operand::Reg(class, index) => (class, index),
                        ref other => panic!("{name}: {other:?} is defined"),
                    }
                })
                .collect();
            let changed = changed(&before, &state);
            for register in &changed {
                assert!(defined.contains(register), "{name} changed {register:?}");
            }
            wrote |= !changed.is_empty();
            assert_eq!((before.fcr, before.fs), (state.fcr, state.fs), "{name}");
            assert!(before.fsr == state.fsr || name.contains("NUM"), "{name} raised a flag");
            assert!(before.memory == state.memory || row["mem"] == "store", "{name} wrote memory");
        }
        assert!(wrote, "{name} never wrote what its row defines");
    }
    assert!(rows >= 370);
}

#[test]
fn operands_out_of_place_do_not_stop_the_model() {
    let mut noise = Noise(0xbad);
    for mnemonic in Mnemonic::all() {
        for _ in 0..8 {
            let count = noise.below(7);
            let operands = (0..count).map(|_| match noise.below(4) {
                0 => Operand::Reg(RegClass::ALL[noise.below(8) as usize], noise.next() as u32),
                1 => Operand::Imm(noise.next() as i64),
                2 => Operand::Imm(i64::MIN),
                _ => Operand::Word("x".into()),
            });
            let operands = operands.collect();
            let op = SlotOp { slot: noise.next() as u32, op: OpWord::Known(mnemonic), operands };
            let many = Bundle { format: FormatWord::Known(Format::X1), ops: vec![op; 12] };
            let mut state = noisy(&mut noise);
            let _verdict = oracle::vector::execute(&mut state, &many);
        }
    }
}
