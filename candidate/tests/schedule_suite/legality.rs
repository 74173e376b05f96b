//! Bundle legality (spec 05 section 6): every reason, the order of the checks, every slot and every
//! operand at its borders.

use crate::golden::{GOLDEN, GoldenRow, Kind, all_slots};
use crate::programs::{legal_bundle, spoilt_bundle};
use crate::{bundle, reference};
use candidate::schedule::{Scheduler, judge};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::outcome::LegalityReason::{
    self, DupDef, Format as BadFormat, MemPorts, OpSlot, Operand as BadOperand, SlotCount,
    UnknownOp,
};
use contract::profile::LatCrossbar;
use contract::schedule::{BundleVerdict, Schedule};

fn verdict(text: &str) -> Option<LegalityReason> {
    judge(&bundle(text)).err()
}

#[test]
fn each_check_gives_its_reason() {
    for (text, expected) in [
        ("F0 { }", None),
        ("X1 { S0 MOVI a1, 5 }", None),
        ("F5 { }", Some(BadFormat)),
        ("F10 { S9 FOO }", Some(BadFormat)),
        ("F0 { S4 NOP }", Some(SlotCount)),
        ("X1 { S1 NOP }", Some(SlotCount)),
        ("F0 { S0 NOP ; S0 NOP }", Some(SlotCount)),
        ("F11 { S4294967296 NOP }", Some(SlotCount)),
        ("F0 { S3 FOO }", Some(UnknownOp)),
        ("F0 { S3 IVP_ADDNX16 v1, v2, v3 }", Some(UnknownOp)),
        ("F0 { S1 SV2NX8_I v1, a2, 0 }", Some(OpSlot)),
        ("F3 { S3 SELNX16 v3, v1, v2, v4 }", Some(OpSlot)),
        ("N0 { S1 LTRN vb1, a2 }", Some(OpSlot)),
        ("N0 { S1 NOP ; S2 NOP }", None),
        ("X1 { S0 ADDNX16 v1, v2, v3 }", Some(OpSlot)),
        ("F0 { S3 NOP v1 }", Some(BadOperand)),
        ("F0 { S1 NOP 0 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 v1, v2 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 v1, v2, v3, v4 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 v1, v2, v32 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 v1, v2, vb3 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 v1, v2, x3 }", Some(BadOperand)),
        ("F0 { S3 ADDNX16 v1, v2, 3 }", Some(BadOperand)),
        ("F0 { S0 MOVI b1, 3 }", Some(BadOperand)),
        ("F0 { S0 MOVI a1, 0x800 }", Some(BadOperand)),
        ("F0 { S0 MOVI a1, 0xfffff800 }", Some(BadOperand)),
        ("F0 { S0 MOVI a1, -0x800 }", None),
        ("F0 { S1 LV2NX8_I v1, a2, 32 }", Some(BadOperand)),
        ("F0 { S1 LV2NX8_I v1, a2, -512 }", None),
        ("F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v1, v0, v0 }", Some(DupDef)),
        ("F0 { S0 LA2NX8_IP v1, u0, a2 ; S1 LA2NX8_IP v2, u0, a3 }", Some(DupDef)),
        ("F0 { S0 ADDI a2, a2, 64 ; S1 LALIGN_IP u0, a2, 64 }", Some(DupDef)),
        ("F0 { S3 DSELNX16 v1, v1, v2, v3, v4 }", Some(DupDef)),
        ("F0 { S0 SALIGN_I u1, a2, 0 ; S1 ZALIGN u1 }", Some(DupDef)),
        ("F0 { S0 LALIGN_I u1, a2, 0 ; S1 MALIGN u2, u1 }", None),
        ("F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v2, v1, v1 }", None),
        ("F1 { S0 LV2NX8_I v1, a2, 0 ; S1 LV2NX8_I v2, a2, 0 }", None),
        ("F0 { S0 LV2NX8_I v1, a2, 0 ; S1 L2AU2NX8_IP v3, u1, a3 }", Some(MemPorts)),
        ("F0 { S1 L2AU2NX8_IP v3, u1, a3 }", None),
        ("F0 { S0 SV2NX8_I v1, a2, 0 ; S1 L2AU2NX8_IP v3, u1, a3 }", Some(MemPorts)),
        ("F0 { S0 MOVI a1, 3 ; S1 L2AU2NX8_IP v3, u1, a3 }", None),
    ] {
        assert_eq!(verdict(text), expected, "{text}");
        assert_eq!(reference::judge(&bundle(text)).err(), expected, "{text}");
    }
}

#[test]
fn the_first_failing_check_gives_the_reason() {
    for (text, expected) in [
        // Format before slots, slots before ops.
        ("F5 { S9 FOO x }", BadFormat),
        ("F0 { S4 FOO }", SlotCount),
        ("F0 { S0 FOO ; S0 FOO }", SlotCount),
        // Unknown op and slot list are one walk over the slots.
        ("N0 { S1 FOO }", UnknownOp),
        ("F0 { S0 FOO ; S1 SV2NX8_I v1, a2, 0 }", UnknownOp),
        ("F0 { S1 SV2NX8_I v1, a2, 0 ; S3 FOO }", OpSlot),
        // A later slot's op before an earlier slot's operands.
        ("F0 { S0 MOVI a99, 0 ; S3 FOO }", UnknownOp),
        ("F0 { S0 NOP 1 ; S1 SV2NX8_I v1, a2, 0 }", OpSlot),
        // Operands before double definitions before memory ports.
        ("F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v1, v0, v32 }", BadOperand),
        ("F0 { S0 LALIGN_IP u1, a3, 0 ; S1 L2AU2NX8_IP v3, u1, a3 }", DupDef),
    ] {
        assert_eq!(verdict(text), Some(expected), "{text}");
    }
}

#[test]
fn ops_may_be_listed_in_any_order() {
    let mut wanted = bundle("F0 { S1 LV2NX8_I v1, a2, 0 ; S3 ADDNX16 v2, v1, v1 }");
    let canonical = wanted.clone();
    wanted.ops.reverse();
    assert_eq!(judge(&wanted), Ok(()));
    let schedule = crate::run(&[wanted], LatCrossbar::Seed);
    assert_eq!(schedule, crate::run(&[canonical], LatCrossbar::Seed));

    // The lowest slot decides, wherever it is listed.
    let mut illegal = bundle("F0 { S1 SV2NX8_I v1, a2, 0 ; S3 FOO }");
    illegal.ops.reverse();
    assert_eq!(judge(&illegal), Err(OpSlot));
}

#[test]
fn an_explicit_nop_changes_nothing() {
    let mut filled = bundle("N0 { S3 ADDNX16 v2, v1, v1 }");
    let canonical = filled.clone();
    for slot in [0, 1, 2] {
        let op = OpWord::Known(Mnemonic::NOP);
        filled.ops.push(SlotOp { slot, op, operands: Default::default() });
    }
    let run = |bundle| crate::run(&[bundle], LatCrossbar::Seed);
    assert_eq!(run(filled), run(canonical));
}

/// An op of a row with operands of its own, at most index 7 and different within a class.
fn plain(row: &GoldenRow, slot: usize) -> SlotOp {
    let operands = row.operands.iter().enumerate().map(|(place, kind)| match kind {
        Kind::Reg(class) => Operand::Reg(*class, (place as u32 + 1) % class.entries()),
        Kind::Range(min, ..) => Operand::Imm(*min),
        Kind::Set(values) => Operand::Imm(values[0]),
    });
    let operands = operands.collect();
    SlotOp { slot: slot as u32, op: OpWord::Known(row.mnemonic), operands }
}

#[test]
fn every_op_may_stand_in_its_slots_and_in_no_other() {
    for row in &GOLDEN.rows {
        for (format, slot, name) in all_slots() {
            let mut bundle = Bundle::empty(format);
            bundle.ops.push(plain(row, slot));
            let expected = if row.slots.contains(&name) { Ok(()) } else { Err(OpSlot) };
            assert_eq!(judge(&bundle), expected, "{bundle}");
        }
    }
}

#[test]
fn every_operand_is_judged_at_its_borders() {
    let mut judged = 0;
    for row in &GOLDEN.rows {
        let (format, slot, _) =
            all_slots().find(|(.., name)| row.slots.contains(name)).expect("a slot");
        for (place, kind) in row.operands.iter().enumerate() {
            for (operand, fits) in borders(kind) {
                let mut bundle = Bundle::empty(format);
                bundle.ops.push(plain(row, slot));
                bundle.ops[0].operands[place] = operand;
                let expected = if fits { Ok(()) } else { Err(BadOperand) };
                assert_eq!(judge(&bundle), expected, "{bundle}");
                judged += 1;
            }
        }
        let mut short = Bundle::empty(format);
        short.ops.push(plain(row, slot));
        let mut long = short.clone();
        long.ops[0].operands.push(Operand::Imm(0));
        assert_eq!(judge(&long), Err(BadOperand), "{long}");
        if short.ops[0].operands.pop().is_some() {
            assert_eq!(judge(&short), Err(BadOperand), "{short}");
        }
    }
    assert!(judged > 30_000, "{judged}");
}

/// Operands at the borders of a kind, and whether they fit.
fn borders(kind: &Kind) -> Vec<(Operand, bool)> {
    let word = (Operand::Word("v_1".into()), false);
    let immediates = |values: Vec<(i64, bool)>| {
        let wrapped = values.iter().filter(|value| value.1);
        let wrapped = wrapped.flat_map(|&(value, _)| [value + (1 << 32), value - (1 << 32)]);
        let wrapped: Vec<(i64, bool)> = wrapped.map(|value| (value, false)).collect();
        let far = [(i64::MIN, false), (i64::MAX, false)];
        let all = values.into_iter().chain(wrapped).chain(far);
        let mut all: Vec<_> = all.map(|(value, fits)| (Operand::Imm(value), fits)).collect();
        all.extend(RegClass::ALL.iter().map(|&class| (Operand::Reg(class, 0), false)));
        all
    };
    let mut borders = match kind {
        Kind::Reg(wanted) => {
            let last = wanted.entries() - 1;
            let indices = [(0, true), (last, true), (last + 1, false)];
            let far = [(256, false), (u32::MAX, false)];
            let indices = indices.into_iter().chain(far);
            let mut all: Vec<_> =
                indices.map(|(index, fits)| (Operand::Reg(*wanted, index), fits)).collect();
            let others = RegClass::ALL.iter().filter(|class| *class != wanted);
            all.extend(others.map(|&class| (Operand::Reg(class, 0), false)));
            all.extend([0, 1, 7].map(|value| (Operand::Imm(value), false)));
            all
        }
        Kind::Range(min, max, step) => {
            let mut values = vec![(*min, true), (*max, true), (min + step, true)];
            values.extend([(min - step, false), (max + step, false)]);
            values.extend([(min - 1, false), (max + 1, false)]);
            if *step > 1 {
                values.extend([(min + 1, false), (max - 1, false), (min + step / 2, false)]);
            }
            immediates(values)
        }
        Kind::Set(set) => {
            immediates((-1..=130).map(|value| (value, set.contains(&value))).collect())
        }
    };
    borders.push(word);
    borders
}

#[test]
fn spoilt_bundles_get_the_reference_verdict_and_never_panic() {
    let mut scheduler = Scheduler::default();
    let mut schedule = Schedule::default();
    let mut reasons = std::collections::BTreeMap::<String, u32>::new();
    for seed in 0..60_000 {
        let bundle = spoilt_bundle(seed);
        let judged = judge(&bundle);
        assert_eq!(judged, reference::judge(&bundle), "{bundle:?}");
        let text = judged.err().map_or("OK".to_owned(), |reason| reason.to_string());
        *reasons.entry(text).or_default() += 1;
        // Whatever the verdict, issuing must not panic and must append one entry.
        let before = schedule.bundles.len();
        scheduler.issue(&bundle, &mut schedule);
        assert_eq!(schedule.bundles.len(), before + 1);
        if before == 100 {
            schedule.clear(Default::default());
        }
    }
    for reason in LegalityReason::all() {
        let times = reasons.get(reason.text()).copied().unwrap_or_default();
        assert!(times > 100, "{reason} came up {times} times: {reasons:?}");
    }
    assert!(reasons["OK"] > 5_000, "{reasons:?}");
}

#[test]
fn legal_bundles_of_the_generator_are_legal() {
    for seed in 0..5_000 {
        assert_eq!(judge(&legal_bundle(seed, 32)), Ok(()));
    }
}

#[test]
fn an_illegal_bundle_has_an_entry_without_cycles_and_leaves_the_schedule_alone() {
    let mut schedule =
        crate::run(&crate::program(&["F0 { S1 LV2NX8_I v1, a2, 0 }"]), LatCrossbar::Seed);
    let illegal = bundle("F5 { S3 ADDNX16 v1, v2, v3 }");
    let scheduler = Scheduler::default();
    let reason = judge(&illegal).unwrap_err();
    scheduler.push_illegal(&illegal, reason.clone(), &mut schedule);
    assert_eq!((schedule.cycles, schedule.bundles.len()), (1, 2));
    let entry = &schedule.bundles[1];
    assert_eq!(entry.format, FormatWord::Unknown("F5".into()));
    assert_eq!(entry.verdict, BundleVerdict::Illegal(reason));
    assert_eq!(entry.issue, None);
    assert!(schedule.ops_of(entry).is_empty() && schedule.causes_of(entry).is_empty());
}

#[test]
fn every_format_of_the_vocabulary_takes_an_empty_bundle() {
    for &format in Format::ALL {
        assert_eq!(judge(&Bundle::empty(format)), Ok(()));
    }
}
