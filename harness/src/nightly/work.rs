//! Runs one chunk of a night on the models of one thread.

use super::fuzz;
use super::plan::{NightlyPlan, Phase, Work};
use crate::campaign::{Origin, Tally, Worker, products};
use crate::coverage::Hits;
use crate::fuzz::Decoder;
use crate::generate::{CaseSeed, Generated, Generator};
use crate::golden::{DirectedCase, GoldenTally};
use contract::profile::Profile;
use std::collections::BTreeMap;

/// What a chunk found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Counts and buckets.
    pub tally: Tally,
    /// Golden vectors and regressions.
    pub golden: GoldenTally,
}

impl Found {
    /// Adds what a later chunk found.
    pub fn add(&mut self, other: Self) {
        self.tally.add(other.tally);
        self.golden.add(other.golden);
    }
}

/// The models and generators of one thread.
pub struct Executor<'a> {
    plan: &'a NightlyPlan,
    worker: Worker,
    /// Bins that this thread has counted in each phase: every phase has a sum of its own, which must not
    /// depend on what else its thread has run.
    seen: BTreeMap<Phase, Hits>,
    /// Generators of the campaigns, made when they are first needed.
    generators: Vec<Option<Generator>>,
    /// Makes cases out of saved fuzz inputs.
    fuzz: Decoder,
    sample: Generated,
}

impl<'a> Executor<'a> {
    /// An executor of chunks of the plan.
    pub fn new(plan: &'a NightlyPlan) -> Self {
        let worker = Worker::new(plan.comparator, plan.reference.clone(), plan.candidate.clone());
        let generators = plan.campaigns.iter().map(|_| None).collect();
        Self {
            plan,
            worker,
            seen: BTreeMap::new(),
            generators,
            fuzz: Decoder::default(),
            sample: Generated::default(),
        }
    }

    /// Runs a chunk. `None` if `stop` was set in the middle of it: a chunk counts whole or not at all.
    pub fn execute(&mut self, work: &Work, stop: impl Fn() -> bool) -> Option<Found> {
        self.worker.swap_seen(self.seen.entry(work.phase).or_default());
        let found = self.items(work, stop);
        self.worker.swap_seen(self.seen.entry(work.phase).or_default());
        found
    }

    fn items(&mut self, work: &Work, stop: impl Fn() -> bool) -> Option<Found> {
        let mut found = Found::default();
        for item in work.from..work.to {
            if stop() {
                return None;
            }
            match work.phase {
                Phase::Golden => self.directed(0, &self.plan.golden, item, &mut found),
                Phase::Regressions => {
                    let before = self.plan.golden.len() as u64;
                    self.directed(before, &self.plan.regressions, item, &mut found);
                }
                Phase::Fuzz => self.input(item, &mut found),
                Phase::Products => self.products(item, &stop, &mut found)?,
                Phase::Campaign(number) => self.generated(number, item, &mut found),
            }
        }
        Some(found)
    }

    /// Examines a directed case; `before` cases have lower numbers.
    fn directed(&mut self, before: u64, cases: &[DirectedCase], item: u64, found: &mut Found) {
        if let Some(directed) = cases.get(item as usize) {
            let Found { tally, golden } = found;
            self.worker.examine_directed(before + item, directed, tally, golden);
        }
    }

    fn input(&mut self, item: u64, found: &mut Found) {
        let Some(input) = self.plan.fuzz.inputs.get(item as usize) else { return };
        if !fuzz::decode(&mut self.fuzz, input, &mut self.sample) {
            return;
        }
        let before = (self.plan.golden.len() + self.plan.regressions.len()) as u64;
        let name = format!("fuzz input {}", input.name);
        let origin = Origin::Directed { number: before + item, name };
        let Generated { case, intent } = &self.sample;
        self.worker.examine(case, &origin, intent, &mut found.tally);
    }

    /// Examines every product of an op. `None` if `stop` was set in the middle of them.
    fn products(&mut self, item: u64, stop: impl Fn() -> bool, found: &mut Found) -> Option<()> {
        let op = self.plan.products.get(item as usize)?;
        let programs = products::cases(*op, self.plan.seed, Profile::default());
        products::examine(&mut self.worker, *op, programs, stop, &mut found.tally)
    }

    fn generated(&mut self, number: usize, index: u64, found: &mut Found) {
        let campaign = &self.plan.campaigns[number];
        let generator =
            self.generators[number].get_or_insert_with(|| Generator::new(campaign.options.clone()));
        let seed = CaseSeed::of(campaign.seed, index);
        generator.seeded(campaign.family, seed, &mut self.sample);
        let origin = Origin::Generated { index, seed };
        let Generated { case, intent } = &self.sample;
        self.worker.examine(case, &origin, intent, &mut found.tally);
    }
}
