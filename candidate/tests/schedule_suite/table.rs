//! The model's transcription against the golden table.

use crate::golden::{GOLDEN, Kind, all_slots};
use candidate::schedule::table::{Limit, Memory, OperandRule, timing};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::Role;

#[test]
fn every_row_equals_the_golden_row() {
    assert_eq!(GOLDEN.rows.len(), 1018);
    for row in &GOLDEN.rows {
        let name = row.mnemonic;
        let ours = timing(name).unwrap_or_else(|| panic!("{name} has no row"));

        for (format, slot, slot_name) in all_slots() {
            let expected = row.slots.contains(&slot_name);
            assert_eq!(ours.slots.contains(format, slot), expected, "{name} in {slot_name}");
        }

        let operands: Vec<Kind> = ours.operands().iter().map(|rule| kind(*rule)).collect();
        assert_eq!(operands, row.operands, "{name}");

        assert_eq!(ours.postings().len(), row.postings.len(), "{name}");
        for (rule, posting) in ours.postings().iter().zip(&row.postings) {
            assert_eq!(rule.operand(), posting.operand, "{name}");
            assert_eq!((rule.class, rule.role), (posting.class, posting.role), "{name}");
            assert_eq!(rule.lat(LatCrossbar::Seed), posting.lat, "{name}");
        }

        assert_eq!(ours.memory == Memory::Store, row.store, "{name}");
        assert_eq!(ours.memory == Memory::Load, row.load, "{name}");
        assert_eq!(u64::from(ours.copies), row.copies, "{name}");
        assert_eq!(ours.crossbar, row.crossbar, "{name}");
    }
}

#[test]
fn every_mnemonic_of_the_vocabulary_has_a_row() {
    assert_eq!(Mnemonic::count(), GOLDEN.rows.len());
    assert!(Mnemonic::all().all(|mnemonic| timing(mnemonic).is_some()));
}

#[test]
fn the_formal_setting_moves_the_vec_postings_of_crossbar_and_reduce_rows_alone() {
    let mut moved = 0;
    for row in &GOLDEN.rows {
        for rule in timing(row.mnemonic).unwrap().postings() {
            let (seed, formal) = (rule.lat(LatCrossbar::Seed), rule.lat(LatCrossbar::Formal));
            let expected = match rule.role {
                Role::Def if row.crossbar && rule.class == RegClass::Vec => 12,
                Role::Use if row.crossbar && rule.class == RegClass::Vec => 10,
                _ => seed,
            };
            assert_eq!(formal, expected, "{}", row.mnemonic);
            moved += usize::from(formal != seed);
        }
    }
    assert!(moved > 0);
}

#[test]
fn only_nop_may_stand_in_a_none_slot() {
    for row in &GOLDEN.rows {
        let ours = timing(row.mnemonic).unwrap();
        for (format, slot, _) in all_slots().filter(|(.., name)| name.ends_with("_None")) {
            assert_eq!(ours.slots.contains(format, slot), row.mnemonic == Mnemonic::NOP);
        }
    }
}

#[test]
fn the_slot_lists_leave_one_slot_per_format_for_stores() {
    for &format in Format::ALL {
        let takes_stores = |slot: &usize| {
            let mut rows = GOLDEN.rows.iter().filter_map(|row| timing(row.mnemonic));
            rows.any(|row| row.is_store() && row.slots.contains(format, *slot))
        };
        assert!((0..format.slots().len()).filter(takes_stores).count() <= 1, "{format}");
    }
}

fn kind(rule: OperandRule) -> Kind {
    match rule {
        OperandRule::Reg(class) => Kind::Reg(class),
        OperandRule::Imm(Limit::Range { min, max, step }) => {
            Kind::Range(min.into(), max.into(), step.into())
        }
        OperandRule::Imm(Limit::Set(values)) => {
            Kind::Set(values.iter().map(|&value| value.into()).collect())
        }
    }
}
