//! Distances between two bundles: the rows of spec 05 section 3.2 by hand, the consequences that
//! chapters 07 to 09 print, and every pair of families that share a class.

use crate::support::random::legal_immediate;
use crate::support::reference::assert_interlock;
use crate::support::{as_text, issue_cycles, mnemonic, program, run};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Mnemonic, OperandKind};
use contract::profile::LatCrossbar;
use contract::schedule::Role;
use oracle::schedule::table::{RowPosting, every_row, row};
use std::collections::{BTreeMap, HashSet};

fn distance_of(two: &str, crossbar: LatCrossbar) -> u32 {
    let schedule = run(&program(two), crossbar);
    let cycles = issue_cycles(&schedule);
    assert_eq!(cycles.len(), 2, "{two}");
    cycles[1].unwrap_or_else(|| panic!("illegal:\n{}", as_text(&schedule)))
}

#[test]
fn every_row_of_section_3_2_has_its_distance() {
    let cases = [
        ("1 to 1", "F0 { S1 LV2NX8_IP v1, a2, 0 }\nF0 { S1 LV2NX8_I v2, a2, 0 }", 1),
        ("1 to 4", "F0 { S0 MOVI a2, 1 }\nF0 { S0 ADDI a3, a2, 1 }", 1),
        ("4 to 4", "F0 { S0 ADDI a2, a1, 1 }\nF0 { S0 ADDI a3, a2, 1 }", 1),
        ("4 to 1", "F0 { S0 ADDI a2, a1, 1 }\nF0 { S1 LV2NX8_I v1, a2, 0 }", 4),
        ("4 to 3", "F0 { S0 ADDI a2, a1, 1 }\nF0 { S1 LTRN vb1, a2 }", 2),
        ("5 to 4", "F0 { S0 L32I a2, a1, 0 }\nF0 { S0 ADDI a3, a2, 1 }", 2),
        ("5 to 1", "F0 { S0 L32I a2, a1, 0 }\nF0 { S0 L32I a3, a2, 0 }", 5),
        ("6 to 4", "F0 { S0 MULL a2, a1, a1 }\nF0 { S0 ADDI a3, a2, 1 }", 3),
        ("9 to 9", "F0 { S1 LA_PP u1, a2 }\nF0 { S1 LA2NX8_IP v1, u1, a3 }", 1),
        ("9 to 10", "F0 { S1 LA_PP u1, a2 }\nF0 { S0 SAPOS_FP u1, a3 }", 1),
        ("10 to 9", "F0 { S0 SAPOS_FP u1, a3 }\nF0 { S1 LA_PP u1, a2 }", 2),
        ("10 to 10", "F0 { S3 RADDNX16 v1, v2 }\nF0 { S3 ADDNX16 v3, v1, v1 }", 1),
        ("10 to 11", "F0 { S1 LTRN vb1, a2 }\nF0 { S3 OEQNXF16T vb2, v1, v2, vb1 }", 1),
        ("10 to 12", "F0 { S3 RADDNX16 v1, v2 }\nF0 { S3 RADDNX16 v3, v1 }", 1),
        ("11 to 10", "F0 { S3 ADDNX16 v1, v2, v3 }\nF0 { S0 SV2NX8_I v1, a2, 0 }", 2),
        ("11 to 12", "F0 { S3 ADDNX16 v1, v2, v3 }\nF0 { S3 RADDNX16 v4, v1 }", 1),
        ("12 to 10", "F0 { S3 RBMAXNX16 v1, vb1, v2 }\nF0 { S3 ADDNX16 v3, v1, v1 }", 3),
        ("11 to 11", "F0 { S3 EQNX16 vb1, v1, v2 }\nF0 { S3 OEQNXF16T vb2, v1, v2, vb1 }", 1),
        ("12 to 11", "F0 { S3 RBMAXNX16 v1, vb1, v2 }\nF0 { S3 OEQNXF16T vb2, v3, v4, vb1 }", 2),
        ("12 to 12", "F0 { S2 MULANX16 wv0, v1, v2 }\nF0 { S2 MULANX16 wv0, v3, v4 }", 1),
        ("12 to 12", "F0 { S3 DCMPRS2NX8 v1, v2, vb1 }\nF0 { S3 RADDNX16 v3, v1 }", 1),
        ("12 to 4", "F0 { S3 EXTRNX16 a2, v1, 0 }\nF0 { S0 ADDI a3, a2, 1 }", 9),
        ("12 to 3", "F0 { S3 EXTRNX16 a2, v1, 0 }\nF0 { S1 LTRN vb1, a2 }", 10),
        ("12 to 1", "F0 { S3 EXTRNX16 a2, v1, 0 }\nF0 { S1 LV2NX8_I v2, a2, 0 }", 12),
        ("1 to 3", "F0 { S1 LV2NX8_IP v1, a2, 0 }\nF0 { S1 LTRN vb1, a2 }", 1),
        ("1 to 5", "F0 { S1 LV2NX8_IP v1, a2, 0 }\nF0 { S0 S32I a2, a3, 0 }", 1),
        ("3 to 1", "F0 { S3 COUNTEQ4NX8 v1, a2, v3, v4 }\nF0 { S1 LV2NX8_I v5, a2, 0 }", 3),
        ("3 to 3", "F0 { S3 COUNTEQ4NX8 v1, a2, v3, v4 }\nF0 { S1 LTRN vb1, a2 }", 1),
        ("3 to 4", "F0 { S3 COUNTEQ4NX8 v1, a2, v3, v4 }\nF0 { S0 ADDI a3, a2, 1 }", 1),
        ("3 to 5", "F0 { S3 COUNTEQ4NX8 v1, a2, v3, v4 }\nF0 { S0 S32I a2, a3, 0 }", 1),
        ("4 to 5", "F0 { S0 ADDI a2, a1, 1 }\nF0 { S0 S32I a2, a3, 0 }", 1),
        ("5 to 5", "F0 { S0 L32I a2, a1, 0 }\nF0 { S0 S32I a2, a3, 0 }", 1),
        ("5 to 3", "F0 { S0 L32I a2, a1, 0 }\nF0 { S1 LTRN vb1, a2 }", 3),
        ("6 to 3", "F0 { S0 MULL a2, a1, a1 }\nF0 { S1 LTRN vb1, a2 }", 4),
        ("6 to 1", "F0 { S0 MULL a2, a1, a1 }\nF0 { S1 LV2NX8_I v1, a2, 0 }", 6),
        ("6 to 5", "F0 { S0 MULL a2, a1, a1 }\nF0 { S0 S32I a2, a3, 0 }", 2),
        ("12 to 5", "F0 { S3 EXTRNX16 a2, v1, 0 }\nF0 { S0 S32I a2, a3, 0 }", 8),
        ("13 to 10", "F0 { S3 ADDNXF16 v1, v2, v3 }\nF0 { S3 ADDNX16 v4, v1, v1 }", 4),
        ("13 to 12", "F0 { S3 ADDNXF16 v1, v2, v3 }\nF0 { S3 RADDNX16 v4, v1 }", 2),
        ("6 over 6", "F0 { S0 MULL a2, a1, a1 }\nF0 { S0 MULL a2, a1, a1 }", 1),
        ("6 over 12", "F0 { S3 EXTRNX16 a2, v1, 0 }\nF0 { S0 MULL a2, a1, a1 }", 7),
        ("11 over 13", "F0 { S3 ADDNXF16 v1, v2, v3 }\nF0 { S3 ADDNX16 v1, v4, v4 }", 3),
        ("13 over 13", "F0 { S3 ADDNXF16 v1, v2, v3 }\nF0 { S3 ADDNXF16 v1, v4, v4 }", 1),
        ("10 over 12", "F0 { S3 DCMPRS2NX8 v1, v2, vb1 }\nF0 { S1 LV2NX8_I v1, a2, 0 }", 3),
        ("11 over 12", "F0 { S3 DCMPRS2NX8 v1, v2, vb1 }\nF0 { S3 ADDNX16 v1, v3, v3 }", 2),
        ("1 over 12", "F0 { S3 EXTRNX16 a5, v1, 0 }\nF0 { S0 MOVI a5, 1 }", 12),
        // Chapters 07 and 09: multiply to pack, pack amount, gather post to drain, two posts,
        // divide.
        ("07", "F0 { S2 MULPN16XR16 wv1, v0, v1, pr2 }\nF0 { S1 PACKLNX48 v2, wv1 }", 3),
        ("07", "F0 { S0 ADDI a2, a1, 1 }\nF0 { S1 PACKVRNX48 v1, wv1, a2 }", 2),
        ("09", "F0 { S0 GATHERANX16 gr0, a2, v1 }\nF0 { S1 GATHERDNX16 v2, gr0 }", 2),
        ("09", "F0 { S0 GATHERANX16 gr0, a2, v1 }\nF0 { S0 GATHERANX16 gr0, a3, v2 }", 1),
        ("09", "F0 { S3 SQZN v1, a3, vb1 }\nF0 { S1 LV2NX8_I v5, a3, 0 }", 12),
        // A port names no register: no hazard with a real `b32_pr`.
        ("T-08", "F0 { S3 EXTRPRNX16 pr0, v1, 0 }\nF0 { S3 DCMPRS2NX8 v3, v2, vb1 }", 1),
        ("T-08", "F0 { S3 DCMPRS2NX8 v3, v2, vb1 }\nF0 { S3 MOVPRPR pr0, pr1 }", 1),
    ];
    for (stages, two, distance) in cases {
        assert_eq!(distance_of(two, LatCrossbar::Seed), distance, "{stages}:\n{two}");
    }
}

#[test]
fn the_formal_table_turns_the_crossbar_around() {
    let cases = [
        // Result at 12, sources at 10: a dependent data read waits 3 instead of 1, and so on.
        ("F0 { S3 SELNX16 v1, v2, v3, v4 }\nF0 { S3 SELNX16 v5, v2, v3, v1 }", 1, 3),
        ("F0 { S3 RADDNX16 v1, v2 }\nF0 { S3 ADDNX16 v3, v1, v1 }", 1, 3),
        ("F0 { S3 ADDNX16 v1, v2, v3 }\nF0 { S3 SHFLNX16 v4, v5, v1 }", 1, 2),
        // Masks stay at 10.
        ("F0 { S3 LTNX16 vb1, v2, v3 }\nF0 { S3 SELNX16T v4, v5, v6, v7, vb1 }", 2, 2),
        // The write of a load after a formal crossbar result.
        ("F0 { S3 SHFLNX16 v1, v2, v3 }\nF0 { S1 LV2NX8_I v1, a2, 0 }", 1, 3),
        // No crossbar rows.
        ("F0 { S3 DCMPRS2NX8 v1, v2, vb1 }\nF0 { S3 ADDNX16 v3, v1, v1 }", 3, 3),
    ];
    for (two, seed, formal) in cases {
        assert_eq!(distance_of(two, LatCrossbar::Seed), seed, "{two}");
        assert_eq!(distance_of(two, LatCrossbar::Formal), formal, "{two}");
    }
    let merging = program("F0 { S3 DSELNX16T v1, v2, v3, v4, v5, vb1 }");
    let formal = "B0 F0 ok @0 +0
  S3 DSELNX16T v1.use@10 v1.def@12 v2.use@10 v2.def@12 v3.use@10 v4.use@10 v5.use@10 vb1.use@10
= 1";
    assert_eq!(as_text(&run(&merging, LatCrossbar::Formal)), formal);
}

#[test]
fn causes_are_listed_once_and_in_order() {
    // Two producers bind at once through four registers of three classes, one read twice, one
    // in-out operand as RAW and WAW. B0 issues at 0, B1 at 1; the consumer at 3: RB results 12 to
    // 10 from B0 (0 + 3), ALU results 11 to 10 from B1 (1 + 2).
    let schedule = run(
        &program(
            "F1 { S3 RBMAXNX16 v5, vb2, v1 }
             F1 { S0 ADDNX16 v6, v1, v1 ; S3 ADDNX16 v4, v1, v1 }
             F1 { S0 ADDNX16 v9, v6, v6 ; S3 SELNX16T v5, v4, v5, v6, vb2 }",
        ),
        LatCrossbar::Seed,
    );
    let expected = "B0 F1 ok @0 +0
  S3 RBMAXNX16 vb2.def@12 v1.use@10 v5.def@12
B1 F1 ok @1 +0
  S0 ADDNX16 v6.def@11 v1.use@10 v1.use@10
  S3 ADDNX16 v4.def@11 v1.use@10 v1.use@10
B2 F1 ok @3 +1
  S0 ADDNX16 v9.def@11 v6.use@10 v6.use@10
  S3 SELNX16T v5.use@10 v5.def@10 v4.use@10 v5.use@10 v6.use@12 vb2.use@10
  ! RAW v4 B1.S3@11 > S3@10 d=2
  ! RAW v5 B0.S3@12 > S3@10 d=3
  ! RAW v6 B1.S0@11 > S0@10 d=2
  ! RAW vb2 B0.S3@12 > S3@10 d=3
  ! WAW v5 B0.S3@12 > S3@10 d=3
= 4";
    assert_eq!(as_text(&schedule), expected);
}

#[test]
fn a_reader_waits_for_the_younger_of_two_definitions() {
    // v1 is defined at 13 by B0 (cycle 0) and at 11 by B1, which WAW holds until 3. The reader at
    // 10 needs 0 + 4 for B0 and 3 + 2 for B1.
    let schedule = run(
        &program(
            "F0 { S3 ADDNXF16 v1, v2, v3 }
             F0 { S3 ADDNX16 v1, v4, v4 }
             F0 { S3 ADDNX16 v5, v1, v4 }",
        ),
        LatCrossbar::Seed,
    );
    let expected = "B0 F0 ok @0 +0
  S3 ADDNXF16 v1.def@13 v2.use@10 v3.use@10
B1 F0 ok @3 +2
  S3 ADDNX16 v1.def@11 v4.use@10 v4.use@10
  ! WAW v1 B0.S3@13 > S3@11 d=3
B2 F0 ok @5 +1
  S3 ADDNX16 v5.def@11 v1.use@10 v4.use@10
  ! RAW v1 B1.S3@11 > S3@10 d=2
= 6";
    assert_eq!(as_text(&schedule), expected);
}

#[test]
fn a_bound_met_by_the_order_of_issue_is_no_cause() {
    let schedule = run(
        &program(
            "F0 { S3 ADDNX16 v1, v2, v2 }
             F0 { }
             F0 { S3 ADDNX16 v3, v1, v1 }",
        ),
        LatCrossbar::Seed,
    );
    let expected = "B0 F0 ok @0 +0
  S3 ADDNX16 v1.def@11 v2.use@10 v2.use@10
B1 F0 ok @1 +0
B2 F0 ok @2 +0
  S3 ADDNX16 v3.def@11 v1.use@10 v1.use@10
= 3";
    assert_eq!(as_text(&schedule), expected);
}

#[test]
fn an_op_without_postings_keeps_its_line() {
    let schedule = run(&program("X1 { S0 SCATTERW }\nX1 { S0 NOP }"), LatCrossbar::Seed);
    assert_eq!(as_text(&schedule), "B0 X1 ok @0 +0\n  S0 SCATTERW\nB1 X1 ok @1 +0\n= 2");
}

/// The two halves of every register file: producers and consumers name registers of different ones,
/// so that they share the one register that a test names and no other.
#[derive(Clone, Copy)]
enum Half {
    Lower,
    Upper,
}

/// A bundle with one op that names register 3 at a position and own registers everywhere else.
fn alone(op: Mnemonic, position: usize, half: Half) -> Bundle {
    const SHARED: u32 = 3;
    let row = row(op).unwrap();
    let mut named = [0; 8];
    let mut ranges = row.immediates.iter();
    let operands = row.family.operands.iter().enumerate().map(|(place, operand)| {
        let OperandKind::Reg(class) = operand.kind else {
            return Operand::Imm(legal_immediate(*ranges.next().unwrap(), 0));
        };
        if place == position {
            return Operand::Reg(class, SHARED);
        }
        let first = match half {
            Half::Lower => 0,
            Half::Upper => class.entries() / 2,
        };
        let named: &mut u32 = &mut named[class as usize];
        let of_shared_class = operand.kind == row.family.operands[position].kind;
        if of_shared_class && first + *named == SHARED {
            *named += 1;
        }
        *named += 1;
        Operand::Reg(class, first + *named - 1)
    });
    let (format, slots) = row.family.slots.slots[0];
    let op =
        SlotOp { slot: u32::from(slots[0]), op: OpWord::Known(op), operands: operands.collect() };
    Bundle { format: FormatWord::Known(format), ops: vec![op] }
}

/// The first member of every family.
fn representatives() -> Vec<Mnemonic> {
    let mut seen = HashSet::new();
    every_row()
        .filter(|(_, row)| seen.insert(std::ptr::from_ref(row.family)))
        .map(|(name, _)| mnemonic(name))
        .collect()
}

/// Use and def postings of an op.
fn hazards_of(op: Mnemonic, crossbar: LatCrossbar) -> Vec<RowPosting> {
    row(op)
        .unwrap()
        .postings(crossbar)
        .iter()
        .copied()
        .filter(|posting| posting.role != Role::Port)
        .collect()
}

#[test]
fn every_pair_of_families_that_share_a_class_keeps_the_formula() {
    let families = representatives();
    assert!(families.len() >= 218, "{}", families.len());
    let mut pairs = 0;
    for crossbar in [LatCrossbar::Seed, LatCrossbar::Formal] {
        for &producer in &families {
            for def in hazards_of(producer, crossbar).iter().filter(|p| p.role == Role::Def) {
                let first = alone(producer, def.position.unwrap(), Half::Lower);
                for &consumer in &families {
                    let postings = hazards_of(consumer, crossbar);
                    // The earliest stage at which each operand of the class posts.
                    let mut earliest = BTreeMap::new();
                    for posting in postings.iter().filter(|p| p.class == def.class) {
                        let lat = earliest.entry(posting.position.unwrap()).or_insert(posting.lat);
                        *lat = posting.lat.min(*lat);
                    }
                    for (position, lat) in earliest {
                        let second = alone(consumer, position, Half::Upper);
                        let schedule = run(&[first.clone(), second], crossbar);
                        let distance = (i32::from(def.lat) - i32::from(lat) + 1).max(1);
                        let expected = [Some(0), Some(distance as u32)];
                        assert_eq!(issue_cycles(&schedule), expected, "{producer} {consumer}");
                        assert_interlock(&schedule);
                        pairs += 1;
                    }
                }
            }
        }
    }
    assert!(pairs > 40_000, "{pairs}");
}
