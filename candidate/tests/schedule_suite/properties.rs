//! The properties of spec 05 section 11 over random legal programs.

use crate::golden::{GOLDEN, Kind};
use crate::programs::{Random, legal_bundle};
use crate::{issues, run};
use candidate::schedule::judge;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand};
use contract::isa::{Format, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::{Cause, Posting, Schedule};
use proptest::prelude::*;

fn programs() -> impl Strategy<Value = Vec<Bundle>> {
    let pools = 2..8_u32;
    (prop::collection::vec(any::<u64>(), 1..24), pools)
        .prop_map(|(seeds, pool)| seeds.iter().map(|&seed| legal_bundle(seed, pool)).collect())
}

fn settings() -> impl Strategy<Value = LatCrossbar> {
    prop::sample::select(LatCrossbar::ALL)
}

/// Postings and causes of every bundle without slot numbers, in an order of their own.
fn without_slots(schedule: &Schedule) -> Vec<(Vec<Posting>, Vec<Cause>)> {
    let bundles = schedule.bundles.iter().map(|bundle| {
        let ops = schedule.ops_of(bundle).iter();
        let mut postings: Vec<Posting> =
            ops.flat_map(|op| schedule.postings_of(op).iter().copied()).collect();
        postings.sort_by_key(|p| (p.class, p.index, p.role, p.lat));
        let mut causes: Vec<Cause> = schedule
            .causes_of(bundle)
            .iter()
            .map(|&cause| Cause { producer_slot: 0, consumer_slot: 0, ..cause })
            .collect();
        causes.sort_by_key(|c| {
            (c.hazard, c.class, c.index, c.producer_bundle, c.producer_lat, c.consumer_lat)
        });
        causes.dedup();
        (postings, causes)
    });
    bundles.collect()
}

/// A bijection of a register file.
fn renaming(class: RegClass, seed: u64) -> Vec<u32> {
    let mut random = Random(seed ^ class as u64);
    let mut names: Vec<u32> = (0..class.entries()).collect();
    for place in (1..names.len()).rev() {
        names.swap(place, random.below(place + 1));
    }
    names
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn issue_cycles_rise(program in programs(), crossbar in settings()) {
        let issues = issues(&run(&program, crossbar));
        prop_assert_eq!(issues.len(), program.len());
        prop_assert_eq!(issues[0], 0);
        prop_assert!(issues.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn an_empty_bundle_delays_by_at_most_one_cycle_and_never_hurries(
        program in programs(),
        crossbar in settings(),
        place in any::<prop::sample::Index>(),
    ) {
        let place = place.index(program.len() + 1);
        let mut padded = program.clone();
        padded.insert(place, Bundle::empty(Format::N2));
        let (before, after) = (run(&program, crossbar), run(&padded, crossbar));
        if place < program.len() {
            prop_assert!(issues(&after)[place + 1] >= issues(&before)[place]);
        }
        prop_assert!(after.cycles >= before.cycles && after.cycles <= before.cycles + 1);
    }

    #[test]
    fn renaming_registers_keeps_the_issue_cycles(
        program in programs(),
        crossbar in settings(),
        seed in any::<u64>(),
    ) {
        let mut renamed = program.clone();
        let operands = renamed.iter_mut().flat_map(|bundle| &mut bundle.ops);
        for operand in operands.flat_map(|op| &mut op.operands) {
            if let Operand::Reg(class, index) = operand {
                *index = renaming(*class, seed)[*index as usize];
            }
        }
        prop_assert_eq!(issues(&run(&program, crossbar)), issues(&run(&renamed, crossbar)));
    }

    #[test]
    fn moving_ops_to_other_legal_slots_changes_slot_numbers_alone(
        program in programs(),
        crossbar in settings(),
        seed in any::<u64>(),
    ) {
        let mut random = Random(seed);
        let mut moved = program.clone();
        for bundle in &mut moved {
            let FormatWord::Known(format) = bundle.format else { unreachable!("legal") };
            if bundle.ops.is_empty() {
                continue;
            }
            let original = bundle.clone();
            let place = random.below(bundle.ops.len());
            bundle.ops[place].slot = random.below(format.slots().len()) as u32;
            bundle.canonicalise();
            if judge(bundle).is_err() {
                *bundle = original;
            }
        }
        let (before, after) = (run(&program, crossbar), run(&moved, crossbar));
        prop_assert_eq!(issues(&before), issues(&after));
        prop_assert_eq!(without_slots(&before), without_slots(&after));
    }

    #[test]
    fn immediates_change_nothing(program in programs(), crossbar in settings()) {
        let mut changed = program.clone();
        for op in changed.iter_mut().flat_map(|bundle| &mut bundle.ops) {
            let OpWord::Known(mnemonic) = op.op else { unreachable!("legal") };
            for (operand, kind) in op.operands.iter_mut().zip(&GOLDEN.row(mnemonic).operands) {
                match kind {
                    Kind::Range(_, max, _) => *operand = Operand::Imm(*max),
                    Kind::Set(values) => *operand = Operand::Imm(values[0]),
                    Kind::Reg(_) => {}
                }
            }
        }
        prop_assert_eq!(run(&program, crossbar), run(&changed, crossbar));
    }

    #[test]
    fn no_stall_is_longer_than_eleven_cycles(program in programs(), crossbar in settings()) {
        let schedule = run(&program, crossbar);
        for bundle in &schedule.bundles {
            let (_, stall) = bundle.issue.expect("legal");
            prop_assert!(stall <= 11);
            prop_assert_eq!(stall == 0, schedule.causes_of(bundle).is_empty());
            let causes = schedule.causes_of(bundle).iter();
            prop_assert!(causes.map(|cause| u32::from(cause.distance)).all(|d| d > stall));
        }
    }

    #[test]
    fn the_last_bundle_leaves_all_earlier_entries_alone(
        program in programs(),
        crossbar in settings(),
    ) {
        let whole = run(&program, crossbar);
        let shorter = run(&program[..program.len() - 1], crossbar);
        prop_assert_eq!(&whole.bundles[..program.len() - 1], &shorter.bundles[..]);
        prop_assert_eq!(&whole.ops[..shorter.ops.len()], &shorter.ops[..]);
        prop_assert_eq!(&whole.postings[..shorter.postings.len()], &shorter.postings[..]);
        prop_assert_eq!(&whole.causes[..shorter.causes.len()], &shorter.causes[..]);
    }
}

#[test]
fn bundles_without_shared_registers_issue_every_cycle() {
    let texts: Vec<String> = (0..10)
        .map(|n| {
            format!(
                "F0 {{ S0 MOVI a{n}, 1 ; S3 ADDNX16 v{}, v{}, v{} }}",
                3 * n,
                3 * n + 1,
                3 * n + 2
            )
        })
        .collect();
    let program: Vec<Bundle> = texts.iter().map(|text| crate::bundle(text)).collect();
    for &crossbar in LatCrossbar::ALL {
        assert_eq!(issues(&run(&program, crossbar)), (0..10).collect::<Vec<u32>>());
    }
}

#[test]
fn a_stall_of_eleven_cycles_exists() {
    let schedule = run(
        &crate::program(&["F0 { S3 EXTRNX16 a2, v1, 0 }", "F0 { S1 LV2NX8_I v1, a2, 0 }"]),
        LatCrossbar::Seed,
    );
    assert_eq!(schedule.bundles[1].issue, Some((12, 11)));
}
