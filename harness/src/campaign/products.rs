//! The edge products of vector ops and their random pairs (spec 04 section 14): for each op every pair of
//! edge values of its width, with every control, amount, immediate, phase and length that its family
//! has, and then pairs of random elements. The generator packs them into programs; here they run, op by
//! op.

use super::{Origin, Plan, ProductTally, Tally, Worker, in_chunks};
use crate::generate::Intent;
use crate::generate::vector::directed::{Reader, directed, random_pairs};
use contract::case::Case;
use contract::isa::Mnemonic;
use contract::profile::Profile;
use std::sync::atomic::{AtomicBool, Ordering};

/// Random pairs per op.
pub const PAIRS: u32 = 4096;

/// The programs of an op with where each comes from: edges first.
pub fn cases(op: Mnemonic, seed: u64, profile: Profile) -> impl Iterator<Item = (Origin, Case)> {
    let origin = move |random| {
        move |(number, mut case): (u64, Case)| {
            *case.profile_mut() = profile;
            (Origin::Product { op, random, number }, case)
        }
    };
    let edges = (0..).zip(directed(op)).map(origin(false));
    edges.chain((0..).zip(random_pairs(op, seed, PAIRS)).map(origin(true)))
}

/// Examines the programs of an op and counts what they cover. `None` if `stop` said so in the middle.
pub fn examine(
    worker: &mut Worker,
    op: Mnemonic,
    programs: impl Iterator<Item = (Origin, Case)>,
    stop: impl Fn() -> bool,
    tally: &mut Tally,
) -> Option<()> {
    let mut reader = Reader::new(op);
    for (origin, case) in programs {
        if stop() {
            return None;
        }
        let examined = worker.examine(&case, &origin, &Intent::Valid, tally);
        match (&case, &origin) {
            (Case::Vector(case), Origin::Product { random: false, .. }) if examined => {
                reader.edges(case);
            }
            (Case::Vector(case), _) if examined => reader.pairs(case),
            _ => {}
        }
    }
    let (edges, pairs) = (reader.coverage().edges_covered, reader.pair_count());
    tally.products.insert(op, ProductTally { edges, pairs });
    Some(())
}

/// Runs this shard's ops.
pub(super) fn run(plan: &Plan, interrupt: &AtomicBool, total: &mut Tally) {
    let ops: Vec<Mnemonic> = (0..plan.shard.cases_of(plan.products.len() as u64))
        .filter_map(|number| plan.products.get(plan.shard.case_index(number) as usize).copied())
        .collect();
    let stop = || interrupt.load(Ordering::Relaxed);
    let work = |worker: &mut Worker, chunk: u64, tally: &mut Tally| {
        let of_op = cases(ops[chunk as usize], plan.seed, plan.options.profile);
        // A chunk that is begun is finished.
        let _ = examine(worker, ops[chunk as usize], of_op, || false, tally);
    };
    in_chunks(
        plan.jobs,
        0..ops.len() as u64,
        &stop,
        || plan.worker(),
        work,
        |tally| total.add(tally),
    );
}
