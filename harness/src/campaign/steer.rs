//! Campaigns that run until their coverage is reached. The cases come in batches; between two batches the
//! bins that are still missing are looked up, and every second case of the next batch aims at one of them.
//! Steering chooses nothing but the *seeds* of cases ([`CaseSeed::aiming`]), so a steered case replays by its
//! seed like any other; and it happens between batches alone, so the cases depend on the plan and not on the
//! number of threads.

use super::{Plan, Tally};
use crate::coverage::{self, GroupId, Scope};
use crate::family::Op;
use crate::generate::tensor::targets::{self as tensor, Cross};
use crate::generate::vector::targets::{self as vector, DISTANCES, Pairs};
use crate::generate::{CaseSeed, Family};

/// Cases of a batch.
pub(super) const BATCH: u64 = 32_768;

/// What a campaign is to reach.
#[derive(Debug, Clone)]
pub struct Goal {
    /// Share of the bins that count, in percent.
    pub percent: f64,
    /// Ops that the run compares.
    pub enabled: Vec<Op>,
}

/// The case numbers of one family that still have something to hit.
#[derive(Debug, Default)]
struct Aims {
    numbers: Vec<u64>,
    /// Different case numbers of the family.
    count: u64,
}

/// Where the cases of the next batch aim.
#[derive(Debug)]
pub(super) struct Steering {
    vector: Aims,
    tensor: Aims,
}

impl Steering {
    /// The seed of the case with this index.
    pub(super) fn seed(&self, plan: &Plan, family: Family, index: u64) -> CaseSeed {
        let aims = match family {
            Family::Vector => &self.vector,
            Family::Tensor => &self.tensor,
        };
        let own = CaseSeed::of(plan.seed, index);
        let turn = index / plan.families.len().max(1) as u64;
        if aims.numbers.is_empty() || turn.is_multiple_of(2) {
            return own;
        }
        let number = aims.numbers[(turn / 2 % aims.numbers.len() as u64) as usize];
        CaseSeed::aiming(number, aims.count, own.0)
    }
}

/// Looks between two batches.
pub(super) struct Look<'a> {
    plan: &'a Plan,
    goal: &'a Goal,
    vector: vector::Targets,
    tensor: tensor::Targets,
}

impl<'a> Look<'a> {
    /// A look at the campaigns of a plan.
    pub(super) fn new(plan: &'a Plan, goal: &'a Goal) -> Self {
        let has = |family| plan.families.contains(&family);
        let mut tensor = plan.options.clone();
        if !has(Family::Tensor) {
            tensor.tensor.chain.high = 1;
        }
        let mut options = plan.options.vector.clone();
        if !has(Family::Vector) {
            options.hazard = 0;
        }
        Self {
            plan,
            goal,
            vector: vector::Targets::new(&options),
            tensor: tensor::Targets::new(&tensor),
        }
    }

    /// Whether the goal is reached.
    pub(super) fn reached(&self, tally: &Tally) -> bool {
        let options = &self.plan.options;
        let scope = Scope::new(
            &self.goal.enabled,
            &options.generations,
            options.near_valid,
            options.profile,
        );
        let rows = coverage::tabulate(tally, &scope);
        let (bins, hit) =
            rows.iter().fold((0, 0), |(bins, hit), row| (bins + row.bins, hit + row.hit));
        100.0 * hit as f64 >= self.goal.percent * bins as f64
    }

    /// Where the next batch aims.
    pub(super) fn steering(&self, tally: &Tally) -> Steering {
        let hits = &tally.hits;
        let pairs = Pairs::get();
        let vector: Vec<u64> = (self.vector.all().iter().enumerate())
            .filter(|(_, target)| {
                let pair = target.pair as usize;
                match (target.apart, pairs.core_number(pair)) {
                    (Some(apart), Some(core)) => {
                        !hits.of(GroupId::Meeting).has(core * DISTANCES + usize::from(apart))
                    }
                    _ => !hits.of(GroupId::Pair).has(pair),
                }
            })
            .map(|(target, _)| target as u64)
            .collect();
        let group = |cross| match cross {
            Cross::Cached => GroupId::Cached,
            Cross::Operators => GroupId::Operators,
            Cross::Scan => GroupId::Scan,
            Cross::Bitvec => GroupId::Bitvec,
        };
        let tensor = (0..).zip(self.tensor.all());
        let tensor = tensor
            .filter(|(_, (cross, bin))| !hits.of(group(*cross)).has(*bin as usize))
            .map(|(number, _)| number);
        Steering {
            vector: Aims { numbers: vector, count: self.vector.all().len() as u64 },
            tensor: Aims { numbers: tensor.collect(), count: self.tensor.count() as u64 },
        }
    }
}
