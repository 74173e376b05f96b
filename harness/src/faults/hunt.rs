//! Looks for planted faults with the cases of a campaign: for each of several campaign seeds, how many
//! generated cases of its family a fault survives, and what shows it.
//!
//! Every case is generated and run on the reference once, then on every faulty model that nothing has
//! shown yet. The answer depends on seeds, cases and options alone.

use super::{Fault, candidate_with};
use crate::compare::{Aspect, Comparator, Comparison};
use crate::family::Family;
use crate::generate::{self, CaseSeed, Generated, Generator, Options};
use crate::minimise::silent;
use crate::models::{Guarded, oracle};
use crate::shrink::{Minimal, Models, ShrinkError, shrink};
use contract::case::Case;
use contract::model::ModelError;
use contract::outcome::Outcome;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Evaluations that the separating case of one fault may take.
const SHRINK_BUDGET: usize = 2_000;

/// What a hunt goes by.
#[derive(Debug, Clone)]
pub struct Hunt {
    /// Cases after which a fault counts as missed, per seed.
    pub cases: u64,
    /// First campaign seed; the others follow it.
    pub seed: u64,
    /// Number of campaign seeds.
    pub seeds: u64,
    /// Options of the generators.
    pub options: Options,
    /// Worker threads.
    pub jobs: usize,
}

/// What showed a fault first under one seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// Generated cases of the family until then, this one included.
    pub cases: u64,
    /// Seed of the case.
    pub case_seed: CaseSeed,
    /// The first aspect that differed, in the order verdict, value, schedule.
    pub aspect: Aspect,
}

/// The sightings of one fault, one a seed; `None` where it was missed.
pub type Sightings = Vec<Option<Sighting>>;

impl Hunt {
    /// Hunts faults of both families; sightings in the order of the faults. `progress` hears of finished
    /// seeds, one call per seed and family.
    pub fn run(&self, faults: &[&'static Fault], progress: impl Fn() + Sync) -> Vec<Sightings> {
        let units: Vec<(u64, Family)> = (0..self.seeds)
            .flat_map(|number| Family::ALL.map(|family| (number, family)))
            .filter(|(_, family)| faults.iter().any(|fault| fault.family() == *family))
            .collect();
        let found = Mutex::new(BTreeMap::new());
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, units.len().max(1)) {
                scope.spawn(|| {
                    while let Some(&(number, family)) =
                        units.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let own = self.one_seed(faults, number, family);
                        if let Ok(mut found) = found.lock() {
                            found.extend(own.into_iter().map(|(at, seen)| ((at, number), seen)));
                        }
                        progress();
                    }
                });
            }
        });
        let mut found = found.into_inner().unwrap_or_default();
        let of = |at: usize| (0..self.seeds).map(|number| found.remove(&(at, number))).collect();
        (0..faults.len()).map(of).collect()
    }

    /// What one campaign seed shows of the faults of one family.
    fn one_seed(
        &self,
        faults: &[&'static Fault],
        number: u64,
        family: Family,
    ) -> Vec<(usize, Sighting)> {
        let chosen = faults.iter().enumerate().filter(|(_, fault)| fault.family() == family);
        let mut hidden: Vec<(usize, Guarded)> =
            chosen.map(|(at, fault)| (at, Guarded::new(candidate_with(fault)))).collect();
        let kind = match family {
            Family::Tensor => generate::Family::Tensor,
            Family::Vector => generate::Family::Vector,
        };
        let mut generator = Generator::new(self.options.clone());
        let mut sample = Generated::default();
        let mut runner = Runner::default();
        let mut found = Vec::new();
        for index in 0..self.cases {
            if hidden.is_empty() {
                break;
            }
            let case_seed = CaseSeed::of(self.seed.wrapping_add(number), index);
            generator.seeded(kind, case_seed, &mut sample);
            runner.expect(&sample.case);
            hidden.retain_mut(|(at, model)| {
                let shown = runner.shows(&sample.case, model);
                if let Some(aspect) = shown {
                    found.push((*at, Sighting { cases: index + 1, case_seed, aspect }));
                }
                shown.is_none()
            });
        }
        found
    }

    /// The case that showed a fault, made again.
    pub fn case_of(&self, fault: &Fault, sighting: &Sighting) -> Case {
        let kind = match fault.family() {
            Family::Tensor => generate::Family::Tensor,
            Family::Vector => generate::Family::Vector,
        };
        Generator::new(self.options.clone()).case(kind, sighting.case_seed).case
    }
}

/// The smallest case that tells the fault from the right model, made from one that does.
///
/// # Errors
/// What the minimiser says.
pub fn separating(fault: &'static Fault, case: &Case) -> Result<Minimal, ShrinkError> {
    let comparator = Comparator::default();
    let models = Models { comparator, reference: oracle(), candidate: candidate_with(fault) };
    shrink(case, None, &models, SHRINK_BUDGET, &mut silent)
}

/// Runs the reference once and many models after it.
pub struct Runner {
    reference: Guarded,
    expected: Outcome,
    refused: Option<ModelError>,
    actual: Outcome,
    comparison: Comparison,
}

impl Default for Runner {
    fn default() -> Self {
        let outcome = || Outcome::Tensor(Box::default());
        Self {
            reference: Guarded::new(oracle()),
            expected: outcome(),
            refused: None,
            actual: outcome(),
            comparison: Comparison::default(),
        }
    }
}

impl Runner {
    /// Runs the reference.
    pub fn expect(&mut self, case: &Case) {
        self.refused = self.reference.run_into(case, &mut self.expected).err();
    }

    /// Runs a model; the first aspect in which it differs from the reference.
    pub fn shows(&mut self, case: &Case, model: &mut Guarded) -> Option<Aspect> {
        let refused = model.run_into(case, &mut self.actual).err();
        if refused.is_some() || self.refused.is_some() {
            // Which byte outside the case's memory is met first is a model's own order.
            return (refused.is_some() != self.refused.is_some()).then_some(Aspect::Value);
        }
        Comparator::default().compare(case, &self.expected, &self.actual, &mut self.comparison);
        [Aspect::Verdict, Aspect::Value, Aspect::Schedule]
            .into_iter()
            .find(|&aspect| self.comparison.differs_in(aspect))
    }
}

/// Cases to first detection over several seeds. `None` stands for more cases than were run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// Seeds under which the fault was seen.
    pub detected: usize,
    /// Seeds.
    pub seeds: usize,
    /// The median; of an even number of seeds the upper one of the two in the middle.
    pub median: Option<u64>,
    /// Ends of a 95 % confidence interval of the median, by order statistics.
    pub interval: [Option<u64>; 2],
}

impl Spread {
    /// The spread of sightings; a miss counts as larger than any sighting.
    pub fn of(sightings: &Sightings) -> Self {
        let mut cases: Vec<u64> = sightings.iter().flatten().map(|seen| seen.cases).collect();
        cases.sort_unstable();
        let seeds = sightings.len();
        let rank = lower_rank(seeds);
        let at = |index: usize| cases.get(index).copied();
        Self {
            detected: cases.len(),
            seeds,
            median: at(seeds / 2),
            interval: [at(rank), at(seeds.saturating_sub(rank + 1))],
        }
    }
}

/// The largest rank, from 0, below which the median lies with a probability of at most 2.5 %.
fn lower_rank(samples: usize) -> usize {
    let mut probability = 0.5_f64.powi(i32::try_from(samples).unwrap_or(i32::MAX));
    let (mut below, mut rank) = (0.0, 0);
    while rank < samples / 2 {
        below += probability;
        if below > 0.025 {
            break;
        }
        probability *= (samples - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    rank.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(cases: u64) -> Option<Sighting> {
        Some(Sighting { cases, case_seed: CaseSeed(0), aspect: Aspect::Value })
    }

    #[test]
    fn the_spread_of_thirty_seeds_takes_the_tenth_and_the_twenty_first() {
        let sightings: Sightings = (1..=30).rev().map(seen).collect();
        let spread = Spread::of(&sightings);
        assert_eq!(spread.median, Some(16));
        assert_eq!(spread.interval, [Some(10), Some(21)]);
    }

    #[test]
    fn misses_are_larger_than_any_sighting() {
        let spread = Spread::of(&vec![None, seen(7), None]);
        assert_eq!((spread.detected, spread.median, spread.interval), (1, None, [Some(7), None]));
        assert_eq!(Spread::of(&vec![seen(3)]).median, Some(3));
    }
}
