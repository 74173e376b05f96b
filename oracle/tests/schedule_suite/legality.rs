//! Bundle legality (spec 05 section 6): every reason, the order of the checks, and every op of the
//! table at every slot and at the borders of its operands.

use crate::support::random::legal_op;
use crate::support::{as_text, bundle, mnemonic, program, run};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::outcome::LegalityReason::{self, DupDef, MemPorts, OpSlot, SlotCount, UnknownOp};
use contract::profile::LatCrossbar;
use oracle::schedule::judge;
use oracle::schedule::table::family::Immediate;
use oracle::schedule::table::row;

const FORMAT: LegalityReason = LegalityReason::Format;
const OPERAND: LegalityReason = LegalityReason::Operand;

fn assert_reason(cases: &[(&str, LegalityReason)]) {
    for (text, reason) in cases {
        assert_eq!(judge(&bundle(text)).as_ref(), Err(reason), "{text}");
    }
}

fn assert_legal(cases: &[&str]) {
    for text in cases {
        assert_eq!(judge(&bundle(text)), Ok(()), "{text}");
    }
}

#[test]
fn an_unknown_format_comes_before_everything() {
    assert_reason(&[
        ("F5 { }", FORMAT),
        ("N3 { S9 FOO bar }", FORMAT),
        ("F0X { S1 NOP ; S1 NOP }", FORMAT),
    ]);
}

#[test]
fn slots_must_exist_and_be_named_once_before_any_look_at_the_ops() {
    assert_reason(&[
        ("N2 { S2 NOP }", SlotCount),
        ("F0 { S4 NOP }", SlotCount),
        ("F11 { S5 ADDNX16 v1, v2, v3 }", SlotCount),
        ("X1 { S1 NOP }", SlotCount),
        ("F0 { S1 NOP ; S1 NOP }", SlotCount),
        ("F0 { S0 FOO ; S7 NOP }", SlotCount),
        ("F0 { S3 ADDNX16 v99 ; S4294967295 BAR }", SlotCount),
        ("F0 { S3 SELNX16 v1, v2, v3, v4 ; S0 FOO ; S3 NOP }", SlotCount),
    ]);
    assert_legal(&["F0 { }", "X1 { }", "X1 { S0 NOP }", "N1 { S1 NOP ; S2 NOP ; S0 NOP }"]);
}

#[test]
fn unknown_op_and_wrong_slot_are_judged_slot_by_slot() {
    assert_reason(&[
        ("F0 { S1 FOO }", UnknownOp),
        ("F0 { S0 SELNX16 v99 ; S1 FOO }", OpSlot),
        ("F0 { S0 FOO ; S1 SELNX16 v1, v2, v3, v4 }", UnknownOp),
        // Written in another order, still ascending.
        ("F0 { S1 FOO ; S0 SELNX16 v99 }", OpSlot),
        ("N0 { S1 FOO }", UnknownOp),
        ("N0 { S1 LTRN vb1, a2 }", OpSlot),
        ("N1 { S1 ADDNX16 v1, v2, v3 }", OpSlot),
        ("X1 { S0 ADDNX16 v1, v2, v3 }", OpSlot),
        ("F0 { S1 SV2NX8_I v1, a2, 0 }", OpSlot),
        ("F3 { S3 SELNX16 v3, v1, v2, v4 }", OpSlot),
        ("F0 { S3 ADDNX16 v99, v2 ; S1 MULNX16 wv0, v1, v2 }", OpSlot),
        ("F4 { S2 MULNX16 wv0, v1, v2 }", OpSlot),
        ("F0 { S0 WUR_FCR a1 }", OpSlot),
    ]);
    assert_legal(&["X1 { S0 WUR_FCR a1 }", "N0 { S1 NOP ; S2 NOP }"]);
}

#[test]
fn operands_are_judged_after_all_ops_and_slots() {
    assert_reason(&[
        // Count.
        ("F0 { S0 NOP v1 }", OPERAND),
        ("N0 { S1 NOP 0 }", OPERAND),
        ("F0 { S3 ADDNX16 v1, v2 }", OPERAND),
        ("F0 { S3 ADDNX16 v1, v2, v3, v4 }", OPERAND),
        ("F0 { S3 ADDNX16 }", OPERAND),
        // Class.
        ("F0 { S3 ADDNX16 v1, v2, a3 }", OPERAND),
        ("F0 { S3 ADDNX16 vb1, v2, v3 }", OPERAND),
        ("F0 { S0 MOVI b1, 3 }", OPERAND),
        ("F0 { S3 ADDNX16 v1, v2, 3 }", OPERAND),
        ("F0 { S0 MOVI a1, a2 }", OPERAND),
        ("F0 { S0 MOVI a1, foo }", OPERAND),
        ("F0 { S3 ADDNX16 v1, bar, v3 }", OPERAND),
        // Index.
        ("F0 { S3 ADDNX16 v1, v2, v32 }", OPERAND),
        ("F0 { S3 ADDNX16 v4294967295, v2, v3 }", OPERAND),
        ("F0 { S1 LA_PP u4, a2 }", OPERAND),
        ("F0 { S0 MOVI a16, 3 }", OPERAND),
        ("F0 { S2 MULNX16 wv4, v1, v2 }", OPERAND),
        ("F0 { S0 GATHERANX16 gr8, a2, v1 }", OPERAND),
        ("F0 { S3 LTNX16 vb16, v1, v2 }", OPERAND),
        ("F0 { S3 MOVPRPR pr0, pr16 }", OPERAND),
        // Immediates.
        ("F0 { S1 LV2NX8_I v1, a2, 512 }", OPERAND),
        ("F0 { S1 LV2NX8_I v1, a2, 32 }", OPERAND),
        ("F0 { S1 LV2NX8_I v1, a2, -576 }", OPERAND),
        ("F1 { S0 SEL2NX8I_S0 v1, v3, v4, 4 }", OPERAND),
        ("F0 { S1 LSNX16_I v1, a2, 63 }", OPERAND),
        ("F0 { S1 MOVVINT16 v1, 65535 }", OPERAND),
        ("F0 { S1 EXT0IB vb1, vb2, 112 }", OPERAND),
        ("F0 { S3 DEXTRPRN_2X32 pr1, v1, v2, 15, 16 }", OPERAND),
        ("F0 { S3 DEXTRPRN_2X32 pr1, v1, v2, 16, 15 }", OPERAND),
        // Before step 6.
        ("F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v1, v2, v99 }", OPERAND),
    ]);
    assert_legal(&[
        "F0 { S1 LV2NX8_I v31, a15, 448 ; S3 ADDNX16 v1, v2, v3 }",
        "F0 { S1 LV2NX8_I v31, a15, -512 }",
        "F1 { S0 SEL2NX8I_S0 v1, v3, v4, 64 }",
        "F0 { S1 LSNX16_I v1, a2, 62 }",
        "F0 { S3 DEXTRPRN_2X32 pr15, v1, v2, 15, 0 }",
        "F0 { S1 MOVVINT16 v1, -32768 }",
    ]);
}

#[test]
fn two_posted_definitions_of_one_register_are_refused() {
    assert_reason(&[
        ("F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v1, v0, v0 }", DupDef),
        ("F0 { S0 LA2NX8_IP v1, u0, a2 ; S1 LA2NX8_IP v2, u0, a3 }", DupDef),
        ("F0 { S0 ADDI a2, a2, 64 ; S1 LALIGN_IP u0, a2, 64 }", DupDef),
        ("F0 { S0 LV2NX8_IP v1, a2, 64 ; S1 LV2NX8_IP v2, a2, 64 }", DupDef),
        // One op with two results.
        ("F0 { S3 DSELNX16 v1, v1, v3, v4, v5 }", DupDef),
        ("F0 { S3 DSELNX16T v1, v1, v3, v4, v5, vb1 }", DupDef),
        // `SALIGN` posts a def of its align register.
        ("F0 { S0 SALIGN_I u1, a2, 0 ; S1 ZALIGN u1 }", DupDef),
        // The squeeze defines an `AR`.
        ("F0 { S0 MOVI a3, 1 ; S3 SQZN v1, a3, vb1 }", DupDef),
        ("F1 { S0 ADDNX16 v7, v1, v2 ; S3 ADDNX16 v7, v3, v4 }", DupDef),
    ]);
    assert_legal(&[
        // A use beside a def, also of an align register.
        "F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v2, v1, v1 }",
        "F0 { S0 LALIGN_IP u0, a2, 64 ; S1 MALIGN u1, u0 }",
        "F0 { S3 DSELNX16 v1, v2, v1, v2, v1 }",
        // Index 1 of four classes.
        "F0 { S1 LA2NX8_IP v1, u1, a1 ; S2 MULNX16 wv1, v1, v1 ; S3 LTNX16 vb1, v1, v1 }",
    ]);
}

#[test]
fn memory_ports_carry_two_copies_and_one_store() {
    assert_reason(&[
        ("F0 { S0 SV2NX8_I v1, a2, 0 ; S1 L2U2NX8_XP v2, a3, a4 }", MemPorts),
        ("F0 { S0 LV2NX8_I v1, a2, 0 ; S1 L2U2NX8_XP v2, a3, a4 }", MemPorts),
        ("F1 { S0 L32I a1, a2, 0 ; S1 L2A4NX8_IP v2, v3, u1, a3 }", MemPorts),
        ("F0 { S0 SAPOS_FP u1, a2 ; S1 L2AU2NX8_IP v2, u0, a3 }", MemPorts),
        ("F0 { S0 GATHERANX16 gr1, a2, v1 ; S1 L2U2NX8_XP v2, a3, a4 }", MemPorts),
        // Step 6 comes first.
        ("F0 { S0 LV2NX8_I v2, a2, 0 ; S1 L2U2NX8_XP v2, a3, a4 }", DupDef),
    ]);
    assert_legal(&[
        "F0 { S0 ZALIGN u2 ; S1 L2U2NX8_XP v2, a3, a4 }",
        "F0 { S0 MALIGN u2, u1 ; S1 L2U2NX8_XP v2, a3, a4 }",
        "F0 { S0 MOVI a1, 0 ; S1 L2U2NX8_XP v2, a3, a4 }",
        "F0 { S0 SV2NX8_I v1, a2, 0 ; S1 LV2NX8_I v2, a3, 0 }",
        "F0 { S0 SV2NX8_I v1, a2, 0 ; S1 LABVDCMPRS2NX8_XP vb1, v2, u1, a3, a4, 0 }",
    ]);
}

#[test]
fn an_illegal_bundle_ends_the_program_and_keeps_the_entries_before_it() {
    let program = program(
        "F0 { S3 ADDNX16 v1, v0, v0 }
         F0 { S3 ADDNX16 v2, v1, v0 }
         f9 { S3 FOO }
         F0 { }",
    );
    let expected = "B0 F0 ok @0 +0
  S3 ADDNX16 v1.def@11 v0.use@10 v0.use@10
B1 F0 ok @2 +1
  S3 ADDNX16 v2.def@11 v1.use@10 v0.use@10
  ! RAW v1 B0.S3@11 > S3@10 d=2
B2 f9 illegal:FORMAT
= 3";
    assert_eq!(as_text(&run(&program, LatCrossbar::Seed)), expected);
}

/// Operand choices that give every register operand of a row another index.
const DISTINCT: [u16; 7] = [0, 1, 2, 3, 4, 5, 6];

fn alone(format: Format, op: SlotOp) -> Bundle {
    Bundle { format: FormatWord::Known(format), ops: vec![op] }
}

/// A format and slot at which an op may stand.
fn a_place(op: Mnemonic) -> (Format, u32) {
    let (format, slots) = row(op).unwrap().family.slots.slots[0];
    (format, u32::from(slots[0]))
}

#[test]
fn every_op_is_legal_in_its_slots_and_in_no_other() {
    let mut judged = 0;
    for op in Mnemonic::all() {
        let set = row(op).unwrap().family.slots;
        for &format in Format::ALL {
            for slot in 0..format.slots().len() as u32 {
                let verdict = judge(&alone(format, legal_op(op, slot, &DISTINCT, 32)));
                let name = format.slot_name(slot as usize).unwrap();
                let listed = set
                    .slots
                    .iter()
                    .any(|(f, slots)| *f == format && slots.contains(&(slot as u8)));
                assert_eq!(verdict, if listed { Ok(()) } else { Err(OpSlot) }, "{op} at {name}");
                judged += 1;
            }
        }
    }
    assert_eq!(judged, 1018 * 44);
}

#[test]
fn every_operand_is_judged_at_its_borders() {
    for op in Mnemonic::all() {
        let (format, slot) = a_place(op);
        let good = legal_op(op, slot, &DISTINCT, 32);
        let with = |position: usize, operand: Operand| {
            let mut op = good.clone();
            op.operands[position] = operand;
            judge(&alone(format, op))
        };
        let mut short = good.clone();
        if short.operands.pop().is_some() {
            assert_eq!(judge(&alone(format, short)), Err(OPERAND), "{op} with too few");
        }
        let mut long = good.clone();
        long.operands.push(Operand::Imm(0));
        assert_eq!(judge(&alone(format, long)), Err(OPERAND), "{op} with too many");

        let row = row(op).unwrap();
        let mut ranges = row.immediates.iter();
        for (position, operand) in row.family.operands.iter().enumerate() {
            let place = format!("{op} {}", operand.name);
            assert_eq!(with(position, Operand::Word("x".into())), Err(OPERAND), "{place}");
            match operand.kind {
                OperandKind::Reg(class) => {
                    let last = class.entries() - 1;
                    assert_eq!(with(position, Operand::Reg(class, last)), Ok(()), "{place}");
                    for beyond in [last + 1, 32, 256 + last, u32::MAX] {
                        let verdict = with(position, Operand::Reg(class, beyond));
                        assert_eq!(verdict, Err(OPERAND), "{place} {beyond}");
                    }
                    for &other in RegClass::ALL {
                        if other != class {
                            let verdict = with(position, Operand::Reg(other, 0));
                            assert_eq!(verdict, Err(OPERAND), "{place} {other:?}");
                        }
                    }
                    assert_eq!(with(position, Operand::Imm(0)), Err(OPERAND), "{place}");
                }
                OperandKind::Imm => {
                    assert_eq!(with(position, Operand::Reg(RegClass::Ar, 0)), Err(OPERAND));
                    let legal = |value| with(position, Operand::Imm(value)) == Ok(());
                    let range = *ranges.next().unwrap();
                    let (low, high) = match range {
                        Immediate::Multiples { min, max, .. } => (min, max),
                        Immediate::OneOf(values) => (values[0], values[values.len() - 1]),
                    };
                    for value in low.max(-2100) - 70..=high.min(2100) + 70 {
                        let expected = match range {
                            Immediate::Multiples { step, min, max } => {
                                (min..=max).contains(&value) && value.rem_euclid(step) == 0
                            }
                            Immediate::OneOf(values) => values.contains(&value),
                        };
                        assert_eq!(legal(value), expected, "{place} {value}");
                    }
                    assert!(legal(low) && legal(high), "{place}");
                    for value in [low - 1, high + 1, i64::MIN, i64::MAX] {
                        assert!(!legal(value), "{place} {value}");
                    }
                }
            }
        }
    }
}

#[test]
fn only_ops_with_two_results_can_define_a_register_twice() {
    let mut twice = Vec::new();
    for op in Mnemonic::all() {
        let (format, slot) = a_place(op);
        let good = legal_op(op, slot, &[1; 7], 32);
        if judge(&alone(format, good)) == Err(DupDef) {
            twice.push(op.name());
        }
    }
    for name in ["DSELNX16", "DSEL2NX8I_H", "L2A4NX8_IP", "DMULQ2N8XR8"] {
        assert!(twice.contains(&name), "{name} {twice:?}");
    }
    for name in ["RBMAXNX16", "SQZN", "LA2NX8_IP", "LA2NX8_XP", "MALIGN"] {
        assert!(!twice.contains(&name), "{name}");
    }
}

#[test]
fn words_that_are_no_mnemonic_stay_unknown() {
    let op = SlotOp { slot: 0, op: OpWord::Unknown("NOP".into()), operands: Default::default() };
    assert_eq!(judge(&alone(Format::F0, op)), Err(UnknownOp));
    assert_eq!(mnemonic("nop"), Mnemonic::NOP);
}
