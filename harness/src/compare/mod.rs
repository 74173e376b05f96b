//! Comparison of two outcomes of one case: outcome × outcome × policy → [`Comparison`].
//!
//! Promises:
//! - Bits count. NaN payloads, flags, seeded lanes, the last region, steps after the first difference:
//!   everything that the external contract puts into an outcome is compared. There are two tolerances,
//!   both named, both off by default: [`NanPolicy::Any`] and [`FpOrder::Reassociated`].
//! - Every comparison says how much it compared ([`Compared`]) and what it left out, each with its named
//!   reason ([`Ignored`]). Both are the same whether or not something differs, and how a difference is
//!   found never depends on an earlier one.
//! - Equal outcomes cost a few `memcmp` and no allocation; details are worked out only when something
//!   differs.
//!
//! Units of [`Compared`]: `values` is one per byte of the regions of a tensor case and one per
//! accumulator lane with its seeded flag (128); for a vector case one per register and one per byte of
//! the memory lines that either model wrote. `verdicts` is one per step, flags included. `postings` is
//! one per posting of the reference's schedule.
//!
//! The comparator never fixes anything up and never asks a model.

mod divergence;
mod element;
mod schedule;
mod tensor;
#[cfg(test)]
mod tests;
mod vector;

pub use divergence::{
    Aspect, Direction, Divergence, Observed, Place, ScheduleLabel, ScheduleRoot, Shortfall,
    VectorRegister,
};
pub use element::{Destinations, Element};

use contract::case::Case;
use contract::outcome::Outcome;

/// How NaNs compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NanPolicy {
    /// Bit for bit.
    #[default]
    Exact,
    /// Two NaNs in one element of a floating-point destination are equal, whatever their payloads.
    Any,
}

/// How sums and products compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FpOrder {
    /// Bit for bit.
    #[default]
    Exact,
}

/// What counts as equal. The default is exact bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Policy {
    /// NaN payloads.
    pub nan: NanPolicy,
    /// Order of floating-point sums and products.
    pub fp_order: FpOrder,
}

/// How much was compared; see the units in the [module text](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Compared {
    /// Memory bytes, accumulator lanes, registers.
    pub values: u64,
    /// Steps.
    pub verdicts: u64,
    /// Postings.
    pub postings: u64,
}

impl Compared {
    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        self.values += other.values;
        self.verdicts += other.verdicts;
        self.postings += other.postings;
    }
}

/// Why something was not compared, or a difference not reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(usize)]
pub enum IgnoredReason {
    /// `--nan any`: two NaNs with other payloads; counted per element.
    NanPayload,
    /// The reference gave no schedule; counted per bundle.
    NoReferenceSchedule,
    /// The candidate gave no schedule; counted per bundle.
    NoCandidateSchedule,
    /// Both models report the same write outside the case's memory; counted per case.
    OutsideCase,
}

impl IgnoredReason {
    /// Every reason, in the order of reports.
    pub const ALL: [Self; 4] =
        [Self::NanPayload, Self::NoReferenceSchedule, Self::NoCandidateSchedule, Self::OutsideCase];

    /// Name in `summary.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NanPayload => "nan payload",
            Self::NoReferenceSchedule => "no schedule from the reference",
            Self::NoCandidateSchedule => "no schedule from the candidate",
            Self::OutsideCase => "write outside the case's memory",
        }
    }

    /// The reason with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// Counts of what was ignored, per reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ignored([u64; IgnoredReason::ALL.len()]);

impl Ignored {
    /// Counts `amount` under a reason.
    pub fn count(&mut self, reason: IgnoredReason, amount: u64) {
        self.0[reason as usize] += amount;
    }

    /// The count of a reason.
    pub fn of(&self, reason: IgnoredReason) -> u64 {
        self.0[reason as usize]
    }

    /// Adds another count.
    pub fn add(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    /// Reasons that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (IgnoredReason, u64)> + '_ {
        IgnoredReason::ALL
            .into_iter()
            .map(|reason| (reason, self.of(reason)))
            .filter(|&(_, count)| count > 0)
    }
}

/// How much differs, in the units of [`Compared`]. Unlike the list of divergences it is never cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Differing {
    /// Memory bytes, accumulator lanes, registers.
    pub values: u64,
    /// Steps, missing and extra ones included.
    pub verdicts: u64,
    /// Bundles whose schedule differs.
    pub schedules: u64,
}

/// The result of a comparison. Reused from case to case; [`Comparator::compare`] clears it first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// What differs: verdicts by step, then values, then the schedule, each in the order of the
    /// outcome; at most [`Comparison::LONGEST`] of each aspect.
    pub divergences: Vec<Divergence>,
    /// How much differs.
    pub differing: Differing,
    /// How much was compared.
    pub compared: Compared,
    /// What was ignored, and why.
    pub ignored: Ignored,
}

impl Comparison {
    /// Divergences of one aspect that are kept with their details; the rest is counted.
    pub const LONGEST: usize = 64;

    /// True if nothing differs.
    pub fn agrees(&self) -> bool {
        self.differing == Differing::default()
    }

    /// The first divergence of an aspect.
    pub fn first(&self, aspect: Aspect) -> Option<&Divergence> {
        self.divergences.iter().find(|divergence| divergence.aspect == aspect)
    }

    /// True if the aspect differs.
    pub fn differs_in(&self, aspect: Aspect) -> bool {
        match aspect {
            Aspect::Value => self.differing.values > 0,
            Aspect::Verdict => self.differing.verdicts > 0,
            Aspect::Schedule => self.differing.schedules > 0,
        }
    }

    fn clear(&mut self) {
        self.divergences.clear();
        self.differing = Differing::default();
        self.compared = Compared::default();
        self.ignored = Ignored::default();
    }

    /// Records a divergence that stands for `amount` units, with its details if there is room.
    pub(crate) fn record(&mut self, amount: u64, divergence: Divergence) {
        match divergence.aspect {
            Aspect::Value => self.differing.values += amount,
            Aspect::Verdict => self.differing.verdicts += amount,
            Aspect::Schedule => self.differing.schedules += amount,
        }
        let aspect = divergence.aspect;
        let kept = self.divergences.iter().filter(|kept| kept.aspect == aspect).count();
        if kept < Self::LONGEST {
            self.divergences.push(divergence);
        }
    }
}

/// Compares outcomes under one policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Comparator {
    /// What counts as equal.
    pub policy: Policy,
}

impl Comparator {
    /// Compares the candidate's outcome (`actual`) with the reference's (`expected`) into a reused
    /// result.
    pub fn compare(
        &self,
        case: &Case,
        expected: &Outcome,
        actual: &Outcome,
        result: &mut Comparison,
    ) {
        result.clear();
        match (case, expected, actual) {
            (Case::Tensor(case), Outcome::Tensor(expected), Outcome::Tensor(actual)) => {
                tensor::compare(self.policy, case, expected, actual, result);
            }
            (Case::Vector(_), Outcome::Vector(expected), Outcome::Vector(actual)) => {
                vector::compare(expected, actual, result);
            }
            _ => result.record(
                1,
                Divergence {
                    aspect: Aspect::Verdict,
                    step: None,
                    place: Place::Kind,
                    expected: Observed::Text(kind_of(expected).into()),
                    actual: Observed::Text(kind_of(actual).into()),
                },
            ),
        }
    }
}

const fn kind_of(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Tensor(_) => "a tensor outcome",
        Outcome::Vector(_) => "a vector outcome",
    }
}

/// Compares two lists of step verdicts: every common step, then the missing or extra ones.
fn compare_steps<S: PartialEq>(
    expected: &[S],
    actual: &[S],
    result: &mut Comparison,
    mut difference: impl FnMut(usize, Option<&S>, Option<&S>, &mut Comparison),
) {
    result.compared.verdicts += expected.len().min(actual.len()) as u64;
    if expected == actual {
        return;
    }
    for step in 0..expected.len().max(actual.len()) {
        let (expected, actual) = (expected.get(step), actual.get(step));
        if expected != actual {
            difference(step, expected, actual, result);
        }
    }
}
