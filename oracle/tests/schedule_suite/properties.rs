//! The properties of spec 05 section 11 over random legal programs, in both settings of the
//! crossbar.

use crate::support::random::{
    choices, legal_immediate, ops_of_slot, programs, programs_without_sharing,
};
use crate::support::reference::assert_interlock;
use crate::support::{bundle, issue_cycles, run, run_into};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::{BundleTiming, BundleVerdict, Cause, OpTiming, Posting, Schedule};
use oracle::schedule::table::row;
use oracle::schedule::{Scheduler, judge};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::HashSet;

fn crossbars() -> impl Strategy<Value = LatCrossbar> {
    prop::sample::select(vec![LatCrossbar::Seed, LatCrossbar::Formal])
}

/// Issue cycles of a program that must be legal.
fn cycles(program: &[Bundle], crossbar: LatCrossbar) -> Vec<u32> {
    let schedule = run(program, crossbar);
    assert_eq!(schedule.bundles.len(), program.len());
    issue_cycles(&schedule).into_iter().map(|cycle| cycle.expect("legal")).collect()
}

/// One entry of a schedule, free of its ranges.
type Entry = (BundleTiming, Vec<(OpTiming, Vec<Posting>)>, Vec<Cause>);

fn entries(schedule: &Schedule) -> Vec<Entry> {
    let entry = |bundle: &BundleTiming| {
        let ops = schedule.ops_of(bundle).iter();
        let ops = ops.map(|op| (op.clone(), schedule.postings_of(op).to_vec())).collect();
        (bundle.clone(), ops, schedule.causes_of(bundle).to_vec())
    };
    schedule.bundles.iter().map(entry).collect()
}

/// Sort order of section 3.4, written out again.
fn order(c: &Cause) -> impl Ord + use<> {
    (
        (c.hazard, c.class, c.index, c.producer_bundle),
        (c.producer_slot, c.consumer_slot, c.producer_lat, c.consumer_lat),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn programs_built_from_the_table_are_legal_and_keep_the_closed_form(
        program in programs(12, 3), crossbar in crossbars(),
    ) {
        for bundle in &program {
            prop_assert_eq!(judge(bundle), Ok(()));
        }
        assert_interlock(&run(&program, crossbar));
    }

    /// Property 1, and property 7: no stall is longer than 11.
    #[test]
    fn issue_cycles_rise_and_stalls_are_bounded(
        program in programs(12, 3), crossbar in crossbars(),
    ) {
        let schedule = run(&program, crossbar);
        let cycles = cycles(&program, crossbar);
        prop_assert_eq!(cycles[0], 0);
        prop_assert!(cycles.is_sorted_by(|before, after| before < after));
        for bundle in &schedule.bundles {
            prop_assert!(bundle.issue.unwrap().1 <= 11);
            prop_assert_eq!(schedule.causes_of(bundle).is_empty(), bundle.issue.unwrap().1 == 0);
        }
    }

    /// Property 2.
    #[test]
    fn an_empty_bundle_delays_by_at_most_one_and_hastens_nothing(
        program in programs(12, 3), crossbar in crossbars(),
        place in any::<Index>(), format in prop::sample::select(Format::ALL.to_vec()),
    ) {
        let before = cycles(&program, crossbar);
        let place = place.index(program.len() + 1);
        let mut longer = program;
        longer.insert(place, Bundle::empty(format));
        let mut after = cycles(&longer, crossbar);
        let total = after.last().unwrap() + 1;
        let old_total = before.last().unwrap() + 1;
        prop_assert!(total == old_total || total == old_total + 1);
        after.remove(place);
        prop_assert_eq!(&after[..place], &before[..place]);
        for (after, before) in after.iter().zip(&before) {
            prop_assert!(after >= before);
        }
    }

    /// Property 3.
    #[test]
    fn renaming_registers_leaves_the_issue_cycles(
        program in programs(12, 3), crossbar in crossbars(),
        names in RegClass::ALL
            .iter()
            .map(|class| Just((0..class.entries()).collect::<Vec<_>>()).prop_shuffle())
            .collect::<Vec<_>>(),
    ) {
        let before = cycles(&program, crossbar);
        let mut renamed = program;
        for op in renamed.iter_mut().flat_map(|bundle| &mut bundle.ops) {
            for operand in &mut op.operands {
                if let Operand::Reg(class, index) = operand {
                    *index = names[*class as usize][*index as usize];
                }
            }
        }
        prop_assert_eq!(cycles(&renamed, crossbar), before);
    }

    /// Property 4.
    #[test]
    fn moving_an_op_to_another_slot_changes_slot_numbers_and_order_alone(
        program in programs(8, 3), crossbar in crossbars(),
        choice in any::<Index>(),
    ) {
        let movable: Vec<_> = (0..program.len())
            .flat_map(|bundle| moves(&program[bundle]).into_iter().map(move |to| (bundle, to)))
            .collect();
        prop_assume!(!movable.is_empty());
        let (moved_bundle, (position, to)) = *choice.get(&movable);
        let from = program[moved_bundle].ops[position].slot;
        let mut moved = program.clone();
        moved[moved_bundle].ops[position].slot = to;

        let rename = |bundle: usize, slot: &mut u8| {
            if bundle == moved_bundle && u32::from(*slot) == from {
                *slot = to as u8;
            }
        };
        let mut expected = entries(&run(&program, crossbar));
        for (number, (_, ops, causes)) in expected.iter_mut().enumerate() {
            ops.iter_mut().for_each(|(op, _)| rename(number, &mut op.slot));
            ops.sort_by_key(|(op, _)| op.slot);
            for cause in causes.iter_mut() {
                rename(cause.producer_bundle as usize, &mut cause.producer_slot);
                rename(number, &mut cause.consumer_slot);
            }
            causes.sort_by_key(order);
        }
        let actual = entries(&run(&moved, crossbar));
        for (actual, expected) in actual.iter().zip(&expected) {
            prop_assert_eq!(actual.0.issue, expected.0.issue);
            let ops = |entry: &Entry| -> Vec<(u8, Mnemonic, Vec<Posting>)> {
                entry.1.iter().map(|(op, posts)| (op.slot, op.op, posts.clone())).collect()
            };
            prop_assert_eq!(ops(actual), ops(expected));
            prop_assert_eq!(&actual.2, &expected.2);
        }
    }

    /// Property 5: a schedule is a function of bundles alone, so that register and memory values
    /// cannot reach it; immediates, the values that bundles hold, change nothing.
    #[test]
    fn immediates_change_nothing(
        program in programs(12, 3), crossbar in crossbars(), choice in any::<u16>(),
    ) {
        let before = run(&program, crossbar);
        let mut changed = program;
        for op in changed.iter_mut().flat_map(|bundle| &mut bundle.ops) {
            let OpWord::Known(mnemonic) = op.op else { unreachable!("legal") };
            let mut ranges = row(mnemonic).unwrap().immediates.iter();
            for operand in &mut op.operands {
                if let Operand::Imm(value) = operand {
                    *value = legal_immediate(*ranges.next().unwrap(), choice);
                }
            }
        }
        prop_assert_eq!(run(&changed, crossbar), before);
    }

    /// Property 6.
    #[test]
    fn bundles_that_share_no_register_issue_every_cycle(
        program in programs_without_sharing(8), crossbar in crossbars(),
    ) {
        let in_order: Vec<u32> = (0..program.len() as u32).collect();
        prop_assert_eq!(cycles(&program, crossbar), in_order);
    }

    /// Property 8.
    #[test]
    fn deleting_the_last_bundle_leaves_the_entries_before_it(
        program in programs(12, 3), crossbar in crossbars(),
    ) {
        let whole = entries(&run(&program, crossbar));
        let shorter = entries(&run(&program[..program.len() - 1], crossbar));
        prop_assert_eq!(&whole[..program.len() - 1], &shorter[..]);
    }

    /// A write after read never waits (T-02): a bundle that only reads, put in without a stall,
    /// delays what follows no more than an empty one.
    #[test]
    fn uses_leave_no_trace(
        program in programs(12, 3), crossbar in crossbars(), place in any::<Index>(),
        v in 0..3u32, a in 0..3u32, vb in 0..3u32,
    ) {
        let place = place.index(program.len() + 1);
        let with = |inserted: Bundle| {
            let mut longer = program.clone();
            longer.insert(place, inserted);
            run(&longer, crossbar)
        };
        let reading = with(bundle(&format!("F0 {{ S0 SV2NX8T_I v{v}, a{a}, 0, vb{vb} }}")));
        if reading.bundles[place].issue.unwrap().1 == 0 {
            let empty = with(Bundle::empty(Format::F0));
            prop_assert_eq!(issue_cycles(&reading), issue_cycles(&empty));
        }
    }

    #[test]
    fn a_used_scheduler_begins_anew(
        first in programs(6, 3), second in programs(6, 3), crossbar in crossbars(),
    ) {
        let mut scheduler = Scheduler::default();
        let mut schedule = Schedule::default();
        run_into(&mut scheduler, &first, LatCrossbar::Seed, &mut schedule);
        run_into(&mut scheduler, &second, crossbar, &mut schedule);
        prop_assert_eq!(schedule, run(&second, crossbar));
    }

    /// Any words in any order: a verdict, and no panic.
    #[test]
    fn any_bundle_is_judged(
        choices in choices(1), slot in prop_oneof![0..6u32, any::<u32>()],
        extra in prop::collection::vec(any_operand(), 0..9), any_format in any::<Index>(),
    ) {
        let format = *any_format.get(Format::ALL);
        let all: Vec<Mnemonic> = Mnemonic::all().collect();
        let ops = choices[0].slots.iter().map(|choice| contract::bundle::SlotOp {
            slot: if choice.filled { u32::from(choice.operands[0] % 6) } else { slot },
            op: if choice.operands[1] % 16 == 0 {
                OpWord::Unknown("FOO".into())
            } else {
                OpWord::Known(*choice.op.get(&all))
            },
            operands: extra.iter().cloned().collect(),
        });
        let bundle = Bundle { format: FormatWord::Known(format), ops: ops.collect() };
        let schedule = run(std::slice::from_ref(&bundle), LatCrossbar::Seed);
        match judge(&bundle) {
            Ok(()) => prop_assert_eq!(&schedule.bundles[0].verdict, &BundleVerdict::Ok),
            Err(reason) => {
                prop_assert_eq!(&schedule.bundles[0].verdict, &BundleVerdict::Illegal(reason));
                prop_assert_eq!(schedule.bundles[0].issue, None);
                prop_assert!(schedule.ops.is_empty() && schedule.causes.is_empty());
            }
        }
    }
}

/// The moves of one op to a free slot at which it may stand: position among the ops, slot.
fn moves(bundle: &Bundle) -> Vec<(usize, u32)> {
    let FormatWord::Known(format) = bundle.format else { unreachable!("legal") };
    let free = |slot: u32| bundle.ops.iter().all(|other| other.slot != slot);
    let mut moves = Vec::new();
    for (position, op) in bundle.ops.iter().enumerate() {
        let OpWord::Known(mnemonic) = op.op else { unreachable!("legal") };
        let slots = row(mnemonic).unwrap().family.slots;
        let targets = 0..format.slots().len() as u32;
        let targets = targets.filter(|&slot| free(slot) && slots.contains(format, slot));
        moves.extend(targets.map(|slot| (position, slot)));
    }
    moves
}

fn any_operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        (prop::sample::select(RegClass::ALL.to_vec()), prop_oneof![0..40u32, any::<u32>()])
            .prop_map(|(class, index)| Operand::Reg(class, index)),
        prop_oneof![-1100..1100i64, any::<i64>()].prop_map(Operand::Imm),
        Just(Operand::Word("x".into())),
    ]
}

/// The random programs are not blind: each op of the table can be chosen in each slot that it has.
#[test]
fn the_random_programs_can_hold_every_op() {
    let mut ops: HashSet<Mnemonic> = HashSet::new();
    for &format in Format::ALL {
        for slot in 0..format.slots().len() {
            ops.extend(ops_of_slot(format, slot));
        }
    }
    assert_eq!(ops.len(), Mnemonic::count() - 1);
}
