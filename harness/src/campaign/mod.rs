//! Campaigns: golden vectors and regressions first, then the edge products of the vector ops
//! ([`products`]), then generated cases, until the budget is spent or the run is interrupted. All but
//! the first run on several threads.
//!
//! Promises:
//! - The tally depends on plan and case count alone. Workers take chunks of consecutive indices; what a
//!   chunk found is merged in index order, whichever thread was first.
//! - An interrupted or timed run covers a prefix of the indices: every chunk that was begun is finished.
//! - A model that panics costs its case, not the campaign.

mod budget;
pub mod products;
mod record;
mod steer;
mod tally;
#[cfg(test)]
mod tests;
mod worker;

pub use budget::{Budget, Shard, ShardError, family_of};
pub use record::{RecordError, TallyRecord};
pub use steer::Goal;
pub use tally::{
    Bucket, ClauseTable, ClauseTally, Exemplar, FailedCase, OpTable, OpTally, Origin, ProductTally,
    Tally,
};
pub use worker::Worker;

use crate::compare::Comparator;
use crate::generate::{self, CaseSeed, Generated, Generator};
use crate::golden::{DirectedCase, GoldenTally};
use crate::models::SharedFactory;
use crate::shrink::Models;
use contract::isa::Mnemonic;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Consecutive cases that a worker takes at a time.
const CHUNK: u64 = 256;

/// What to run.
pub struct Plan {
    /// Campaign seed.
    pub seed: u64,
    /// When to end.
    pub budget: Budget,
    /// Which share of the indices is ours.
    pub shard: Shard,
    /// Worker threads.
    pub jobs: usize,
    /// How outcomes are compared.
    pub comparator: Comparator,
    /// The reference.
    pub reference: SharedFactory,
    /// The model under test.
    pub candidate: SharedFactory,
    /// Families to generate; none means that only the directed cases run.
    pub families: Vec<generate::Family>,
    /// What the generators are asked for.
    pub options: generate::Options,
    /// Golden vectors and regressions, run before everything else by shard 0.
    pub directed: Vec<DirectedCase>,
    /// Vector ops whose edge products and random pairs run next, shared out among the shards.
    pub products: Vec<Mnemonic>,
    /// Ends the campaign when this coverage is reached, and steers towards it. For whole campaigns.
    pub until: Option<Goal>,
}

/// What a campaign found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CampaignResult {
    /// Counts and buckets.
    pub tally: Tally,
    /// Golden vectors.
    pub golden: GoldenTally,
    /// True if the run was stopped before its budget was spent.
    pub interrupted: bool,
    /// True if every op of the plan had its directed cases, so that an op that was never executed is a
    /// hole of the campaign and not of its size: the run is whole, and vector ops had their edge products.
    pub covers_ops: bool,
    /// Whether the coverage that was asked for is reached.
    pub reached: Option<bool>,
    /// Time of the directed cases.
    pub directed_time: Duration,
    /// Time of the generated cases.
    pub generated_time: Duration,
}

/// Runs a plan. `interrupt` ends it early when set; `progress` hears of cases and divergences so far.
pub fn run(
    plan: &Plan,
    interrupt: &AtomicBool,
    mut progress: impl FnMut(u64, u64),
) -> CampaignResult {
    let mut result = CampaignResult::default();
    let begin = Instant::now();
    if plan.shard.index == 0 {
        run_directed(plan, interrupt, &mut result);
    }
    products::run(plan, interrupt, &mut result.tally);
    let vector = plan.families.contains(&generate::Family::Vector);
    result.covers_ops = plan.shard == Shard::WHOLE && !(vector && plan.products.is_empty());
    result.directed_time = begin.elapsed();
    let begin = Instant::now();
    if !plan.families.is_empty() {
        result.reached = run_generated(plan, interrupt, begin, &mut result.tally, &mut progress);
    }
    result.generated_time = begin.elapsed();
    let planned = plan.budget.cases.map(|cases| plan.shard.cases_of(cases));
    let spent = planned == Some(result.tally.cases)
        || result.reached == Some(true)
        || plan.budget.time.is_some_and(|time| result.generated_time >= time);
    result.interrupted = interrupt.load(Ordering::Relaxed) && !spent;
    result
}

fn run_directed(plan: &Plan, interrupt: &AtomicBool, result: &mut CampaignResult) {
    let mut worker = plan.worker();
    for (number, directed) in plan.directed.iter().enumerate() {
        if interrupt.load(Ordering::Relaxed) {
            return;
        }
        worker.examine_directed(number as u64, directed, &mut result.tally, &mut result.golden);
    }
}

fn run_generated(
    plan: &Plan,
    interrupt: &AtomicBool,
    begin: Instant,
    total: &mut Tally,
    progress: &mut impl FnMut(u64, u64),
) -> Option<bool> {
    let cases = plan.budget.cases.map_or(u64::MAX, |cases| plan.shard.cases_of(cases));
    let chunks = cases.div_ceil(CHUNK);
    let stop = || {
        interrupt.load(Ordering::Relaxed)
            || plan.budget.time.is_some_and(|time| begin.elapsed() >= time)
    };
    let make = || (plan.worker(), Generator::new(plan.options.clone()), Generated::default());
    let work = |(worker, generator, sample): &mut (Worker, Generator, Generated),
                chunk: u64,
                steering: Option<&steer::Steering>,
                tally: &mut Tally| {
        for number in chunk * CHUNK..cases.min((chunk + 1) * CHUNK) {
            let index = plan.shard.case_index(number);
            let family = plan.families[family_of(plan.seed, index, plan.families.len())];
            let seed = match steering {
                None => CaseSeed::of(plan.seed, index),
                Some(steering) => steering.seed(plan, family, index),
            };
            generator.seeded(family, seed, sample);
            let origin = Origin::Generated { index, seed };
            worker.examine(&sample.case, &origin, &sample.intent, tally);
        }
    };
    let mut merge = |total: &mut Tally, tally: Tally| {
        total.add(tally);
        progress(total.cases, total.diverging_cases);
    };
    let Some(goal) = &plan.until else {
        let work = |state: &mut _, chunk, tally: &mut _| work(state, chunk, None, tally);
        in_chunks(plan.jobs, 0..chunks, &stop, make, work, |tally| merge(total, tally));
        return None;
    };
    let look = steer::Look::new(plan, goal);
    let mut chunk = 0;
    loop {
        if look.reached(total) {
            return Some(true);
        }
        if chunk >= chunks || stop() {
            return Some(false);
        }
        let steering = look.steering(total);
        let batch = chunk..chunks.min(chunk + steer::BATCH / CHUNK);
        chunk = batch.end;
        let work = |state: &mut _, chunk, tally: &mut _| work(state, chunk, Some(&steering), tally);
        in_chunks(plan.jobs, batch, &stop, make, work, |tally| merge(total, tally));
    }
}

/// Does chunks of work on several threads and hands their tallies over in order. A chunk that is begun
/// is finished, so what `stop` leaves out is a tail.
fn in_chunks<S>(
    jobs: usize,
    chunks: Range<u64>,
    stop: &(impl Fn() -> bool + Sync),
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, u64, &mut Tally) + Sync,
    mut merge: impl FnMut(Tally),
) {
    let Range { start, end } = chunks;
    let next = AtomicU64::new(start);
    let jobs = jobs.max(1);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(2 * jobs);
        for _ in 0..jobs {
            let sender = sender.clone();
            let (next, make, work) = (&next, &make, &work);
            scope.spawn(move || {
                let mut state = make();
                while !stop() {
                    let chunk = next.fetch_add(1, Ordering::Relaxed);
                    if chunk >= end {
                        break;
                    }
                    let mut tally = Tally::default();
                    work(&mut state, chunk, &mut tally);
                    if sender.send((chunk, tally)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut merged = start;
        for (chunk, tally) in receiver {
            early.insert(chunk, tally);
            while let Some(tally) = early.remove(&merged) {
                merge(tally);
                merged += 1;
            }
        }
    });
}

impl Plan {
    /// The models, as a room that runs cases on its own takes them.
    pub fn models(&self) -> Models {
        Models {
            comparator: self.comparator,
            reference: self.reference.clone(),
            candidate: self.candidate.clone(),
        }
    }

    fn worker(&self) -> Worker {
        Worker::new(self.comparator, self.reference.clone(), self.candidate.clone())
    }
}
