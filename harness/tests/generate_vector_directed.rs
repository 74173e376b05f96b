//! Directed cases of the vector family: legal programs that hold the whole edge product of every op
//! of chapter 04, as read back by the generator and, for a few families, by the tests themselves.

mod generate_vector_support;

use contract::bundle::{OpWord, Operand, SlotOp};
use contract::case::{Case, RegisterValue, VectorCase};
use contract::isa::{Mnemonic, RegClass};
use contract::json::{read_case, write_case};
use generate_vector_support::{ROWS, ar, chapter_04, illegal, index, predicate, vector};
use harness::generate::vector::directed::{DirectedCoverage, coverage, directed, random_pairs};
use harness::generate::vector::{chapter_04 as ops_of_chapter_04, matching};
use serde_json::Value;
use std::collections::BTreeSet;

fn op(name: &str) -> Mnemonic {
    Mnemonic::from_name(name).expect("a mnemonic")
}

fn case(case: Case) -> VectorCase {
    match case {
        Case::Vector(case) => case,
        Case::Tensor(_) => panic!("a tensor case"),
    }
}

/// Every op of this name in the directed programs, with its case.
fn instances(name: &str, mut visit: impl FnMut(&VectorCase, &SlotOp)) {
    for case in directed(op(name)).map(case) {
        for bundle in &case.program {
            for found in bundle.ops.iter().filter(|found| found.op == OpWord::Known(op(name))) {
                visit(&case, found);
            }
        }
    }
}

fn halves(bytes: &[u8; 64]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect()
}

fn words(bytes: &[u8; 64]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// An edge set of the golden file.
fn edges(name: &str) -> Vec<u64> {
    let text = include_str!("../../corpus/golden/edge_sets.json");
    let sets: Value = serde_json::from_str(text).expect("edge sets");
    let values = sets["lane_widths"][name]["values"].as_array().expect("values");
    let hex =
        |text: &Value| text.as_str().and_then(|text| text.strip_prefix("0x")).map(str::to_owned);
    values.iter().map(|v| u64::from_str_radix(&hex(v).expect("hex"), 16).expect("hex")).collect()
}

#[test]
fn the_directed_programs_of_every_op_cover_its_whole_product() {
    let ops: Vec<_> = ops_of_chapter_04().collect();
    assert_eq!(ops.len(), chapter_04().count());
    let mut programs = 0;
    for &op in &ops {
        let DirectedCoverage { edges_covered, edges_total, programs: own, .. } = coverage(op);
        assert!(edges_total > 0 && own > 0, "{op}");
        assert_eq!(edges_covered, edges_total, "{op}");
        programs += own;
    }
    assert!((5_000..40_000).contains(&programs), "{programs}");
    assert_eq!(directed(op("MULNX16")).count(), 0, "no chapter but 04 has directed programs");
}

#[test]
fn directed_programs_are_legal_and_read_back_as_printed() {
    for op in ops_of_chapter_04() {
        let mut slots = BTreeSet::new();
        for (number, found) in directed(op).enumerate() {
            assert_eq!(found.id(), format!("d-{op}-{number}"));
            if number % 7 == 0 {
                assert_eq!(read_case(&write_case(&found)).as_ref(), Ok(&found), "{}", found.id());
            }
            let found = case(found);
            for bundle in &found.program {
                assert_eq!(illegal(bundle), None, "{}: {bundle}", found.id);
                slots.extend(
                    bundle
                        .ops
                        .iter()
                        .filter(|o| o.op == OpWord::Known(op))
                        .map(|o| (bundle.format.text().to_owned(), o.slot)),
                );
            }
        }
        let takes = ROWS[op.name()].1["slots"].as_array().expect("slots").len();
        assert!(op == Mnemonic::NOP || slots.len() == takes, "{op}: {slots:?}");
    }
}

#[test]
fn two_source_ops_meet_every_pair_of_edges() {
    let edges = edges("int16");
    assert_eq!(edges.len(), 15);
    for name in ["ADDNX16", "SUBSNX16", "LEUNX16", "BMINNX16", "ABSSSUBNX16"] {
        let (x, y) = if name.starts_with('B') { (2, 3) } else { (1, 2) };
        let mut pairs = BTreeSet::new();
        let mut ops = 0;
        instances(name, |case, op| {
            let lanes = |at: usize| halves(vector(case, index(&op.operands[at])).expect("given"));
            pairs.extend(lanes(x).into_iter().zip(lanes(y)));
            ops += 1;
        });
        // Eight hold the pairs, the others the slots.
        let slots = ROWS[name].1["slots"].as_array().expect("slots").len();
        assert_eq!(ops, 8 + slots, "{name}");
        for &x in &edges {
            for &y in &edges {
                assert!(pairs.contains(&(x as u16, y as u16)), "{name} {x:#x} {y:#x}");
            }
        }
    }
}

#[test]
fn predicated_ops_meet_every_pair_live_and_killed() {
    let mut found = BTreeSet::new();
    instances("ADDN_2X32T", |case, op| {
        let lanes = |at: usize| words(vector(case, index(&op.operands[at])).expect("given"));
        let mask = predicate(case, index(&op.operands[3])).expect("given");
        assert_ne!(lanes(0), lanes(1), "the old result differs from the sources");
        for (at, (x, y)) in lanes(1).into_iter().zip(lanes(2)).enumerate() {
            found.insert((x, y, mask >> (4 * at) & 1));
        }
    });
    let mut words = edges("int32");
    words.extend(edges("int32_extra"));
    for &x in &words {
        for &y in &words {
            for live in 0..2 {
                assert!(found.contains(&(x as u32, y as u32, live)), "{x:#x} {y:#x} {live}");
            }
        }
    }
}

#[test]
fn shifts_meet_every_edge_with_every_amount() {
    let mut found = BTreeSet::new();
    instances("SRANX16", |case, op| {
        let lanes = |at: usize| halves(vector(case, index(&op.operands[at])).expect("given"));
        found.extend(lanes(1).into_iter().zip(lanes(2)).map(|(x, n)| (x, n as i16)));
    });
    for x in edges("int16") {
        for amount in (-33..=33).chain([i16::MAX, i16::MIN, 63]) {
            assert!(found.contains(&(x as u16, amount)), "{x:#x} by {amount}");
        }
    }
    let mut found = BTreeSet::new();
    instances("SRLI2NX8", |case, op| {
        let Operand::Imm(amount) = op.operands[2] else { panic!("an immediate") };
        let bytes = vector(case, index(&op.operands[1])).expect("given");
        found.extend(bytes.iter().map(|&x| (x, amount)));
    });
    for x in edges("int8") {
        assert!((0..8).all(|amount| found.contains(&(x as u8, amount))), "{x:#x}");
    }
}

#[test]
fn the_crossbar_meets_every_lane_number_with_junk_above() {
    let mut found = BTreeSet::new();
    let mut distinct = true;
    instances("SELNX16", |case, op| {
        let lanes = |at: usize| halves(vector(case, index(&op.operands[at])).expect("given"));
        found.extend(lanes(3));
        let pool: BTreeSet<_> = lanes(1).into_iter().chain(lanes(2)).collect();
        distinct &= pool.len() == 64;
    });
    assert!((0..256).all(|number| found.contains(&number)));
    assert!((0xff00..=0xffff).all(|number| found.contains(&number)));
    assert!(distinct, "every lane of the pool can be told from the others");
    let mut fields = [BTreeSet::new(), BTreeSet::new()];
    instances("DSELN_2X32T", |case, op| {
        for lane in words(vector(case, index(&op.operands[4])).expect("given")) {
            fields[0].insert(lane & 0xffff);
            fields[1].insert(lane >> 16);
        }
    });
    assert!(fields.iter().all(|field| (0..256).all(|number| field.contains(&number))));
}

#[test]
fn streams_meet_every_phase_with_every_length() {
    for name in ["LAV2NX8_XP", "LAVNX8S_XP", "SAVN_2X16U_XP"] {
        let mut found = BTreeSet::new();
        instances(name, |case, op| {
            let base = ar(case, index(&op.operands[2])).expect("given");
            let length = ar(case, index(&op.operands[3])).unwrap_or(0);
            found.insert((base % 64, length as i32));
        });
        for phase in 0..64 {
            for length in
                [i32::MIN, -65, -64, -1, 0, 1, 2, 31, 32, 33, 62, 63, 64, 65, 127, i32::MAX]
            {
                assert!(found.contains(&(phase, length)), "{name} {phase} {length}");
            }
        }
    }
    // Loads are primed and stores are flushed.
    let programs: Vec<_> = directed(op("LANX8U_IP")).map(case).collect();
    let primed = programs.iter().all(|case| {
        case.program.chunks(2).all(|two| two[0].ops[0].op == OpWord::Known(op("LA_PP")))
    });
    assert!(primed);
    let flushed = directed(op("SA2NX8_IP")).map(case).all(|case| {
        case.program.last().is_some_and(|last| last.ops[0].op == OpWord::Known(op("SAPOS_FP")))
    });
    assert!(flushed);
}

#[test]
fn every_immediate_and_every_count_occurs() {
    for (name, at, expected) in [
        ("MOVVINT16", 1, 65536),
        ("MOVI", 1, 4096),
        ("ADDI", 2, 256),
        ("REP2NX8", 2, 64),
        ("EXTRPRN_2X32", 2, 16),
        ("SEL2NX8I", 3, 128),
        ("DSEL2NX8I", 4, 16),
        ("SHFL2NX8I_S4", 2, 8),
        ("LV2NX8_IP", 2, 16),
        ("SVNX8ST_I", 2, 16),
        ("SB2N_I", 2, 16),
        ("LALIGN_IP", 2, 16),
        ("L32I", 2, 256),
        ("LTRNI", 1, 64),
    ] {
        let mut found = BTreeSet::new();
        instances(name, |_, op| {
            let Operand::Imm(value) = op.operands[at] else { panic!("{name}: an immediate") };
            found.insert(value);
        });
        assert_eq!(found.len(), expected, "{name}");
    }
    for (name, lanes) in [("LTRN", 32), ("LTRS2N", 64), ("LTRSN_2", 16)] {
        let mut found = BTreeSet::new();
        instances(name, |case, op| {
            found.insert(ar(case, index(&op.operands[1])).unwrap_or(0) as i32);
        });
        for count in (0..=lanes + 1).chain([-1, i32::MAX, i32::MIN]) {
            assert!(found.contains(&count), "{name} {count}");
        }
    }
}

#[test]
fn reductions_meet_every_edge_in_every_lane_and_every_kind_of_tie() {
    let (mut places, mut ties, mut lone) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    instances("RBMAXNX16", |case, op| {
        let lanes = halves(vector(case, index(&op.operands[2])).expect("given"));
        places.extend(lanes.iter().copied().enumerate());
        let most = lanes.iter().map(|&lane| lane as i16).max().expect("lanes");
        let at: Vec<_> = (0..32).filter(|&at| lanes[at] as i16 == most).collect();
        match at[..] {
            [one] => {
                lone.insert(one);
            }
            [one, two] => {
                ties.insert((one, two));
            }
            _ => {}
        }
    });
    for value in edges("int16") {
        assert!((0..32).all(|at| places.contains(&(at, value as u16))), "{value:#x}");
    }
    assert_eq!(lone.len(), 32);
    assert!(
        ties.contains(&(0, 31)) && ties.contains(&(2, 9)) && ties.len() > 150,
        "{}",
        ties.len()
    );
    let mut masks = BTreeSet::new();
    instances("RADDNX16T", |case, op| {
        masks.insert(predicate(case, index(&op.operands[2])).unwrap_or(0));
    });
    assert!((0..32).all(|at| masks.contains(&(1 << (2 * at)))) && masks.contains(&0));
    assert!(masks.contains(&0xaaaa_aaaa_aaaa_aaaa), "only the bits that do not count");
}

#[test]
fn random_pairs_are_as_many_as_asked_fixed_by_the_seed_and_legal() {
    for (name, lanes) in
        [("ADDNX16", 32), ("MAX2NX8", 64), ("SRLN_2X32", 16), ("ADD", 1), ("LV2NX8_X", 64)]
    {
        let programs: Vec<_> = random_pairs(op(name), 7, 4096).collect();
        let mut ops = 0;
        let mut operands = BTreeSet::new();
        for (number, found) in programs.iter().enumerate() {
            assert_eq!(found.id(), format!("r-{name}-{number}"));
            assert_eq!(read_case(&write_case(found)).as_ref(), Ok(found));
            let found = case(found.clone());
            for bundle in &found.program {
                assert_eq!(illegal(bundle), None, "{}", found.id);
                let own: Vec<_> = bundle.ops.iter().filter(|o| o.op.text() == name).collect();
                ops += own.len();
                for op in own {
                    operands.insert((op
                        .operands
                        .iter()
                        .filter_map(|operand| match operand {
                            Operand::Reg(RegClass::Vec, at) => vector(&found, *at).copied(),
                            Operand::Reg(RegClass::Ar, at) => ar(&found, *at).map(|value| {
                                std::array::from_fn(|byte| {
                                    if byte < 4 { value.to_le_bytes()[byte] } else { 0 }
                                })
                            }),
                            _ => None,
                        })
                        .collect::<Vec<_>>(),));
                }
            }
        }
        assert_eq!(ops * lanes, 4096, "{name}");
        assert!(operands.len() * 10 > ops * 9, "{name}: {} of {ops} differ", operands.len());
        assert_eq!(random_pairs(op(name), 7, 4096).collect::<Vec<_>>(), programs);
        assert_ne!(random_pairs(op(name), 8, 4096).next(), programs.first().cloned());
    }
    for op in Mnemonic::all() {
        for found in random_pairs(op, 3, 40).map(case) {
            for bundle in &found.program {
                assert_eq!(illegal(bundle), None, "{}: {bundle}", found.id);
            }
        }
    }
}

#[test]
fn ordinary_directed_accesses_stay_inside_the_window() {
    // The ops that are meant to leave it have one program each, and there are three of those per op.
    for name in
        matching("LV*").into_iter().chain(matching("SA*")).filter(|op| ROWS[op.name()].0 == 4)
    {
        let mut outside = 0;
        for found in directed(name).map(case) {
            let end = u64::from(found.memory.base) + u64::from(found.memory.bytes);
            let alone = found.state.iter().any(|value| match value {
                RegisterValue::Ar(_, value) => {
                    let value = u64::from(*value);
                    value >= end - 1 && value <= end || value + 64 == u64::from(found.memory.base)
                }
                _ => false,
            });
            outside += u32::from(alone);
            assert!(!alone || found.program.len() <= 3, "{}", found.id);
        }
        assert_eq!(outside, 3, "{name}");
    }
}
