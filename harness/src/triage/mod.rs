//! Triage: what a divergence is *about*. A [`Signature`] names aspect, op and class of a divergence; all
//! divergences with one signature share a bucket, and a bucket keeps its smallest case.
//!
//! A final state does not say which step spoilt it, so [`locate`] replays growing prefixes of the
//! program until the values part. A value difference at or after the first step with another verdict
//! follows from that verdict and makes no bucket of its own. Schedules stand apart (spec 05 section 10).
//!
//! [`KnownList`] holds the buckets that people have accepted.

mod known;
mod locate;
mod signature;

pub use known::{KnownEntry, KnownError, KnownList, Stale, today};
pub use locate::locate_value;
pub use signature::{CaseSize, Signature};

use crate::compare::{Aspect, Comparison, Divergence};
use crate::differ::Differ;
use contract::case::Case;

/// A divergence that is no consequence of another one in the same case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its signature.
    pub signature: Signature,
    /// Step that made the difference, if it was found.
    pub step: Option<usize>,
    /// The divergence, with its step.
    pub divergence: Divergence,
}

/// What triage says of one case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Triage {
    /// Step of the first divergence of each aspect, in the order of [`Aspect::ALL`].
    pub steps: [Option<usize>; 3],
    /// Roots, at most one per aspect.
    pub roots: Vec<Root>,
}

/// Finds the roots of a comparison. `differ` replays prefixes of the case; it must run the models that
/// made the comparison.
pub fn triage(case: &Case, comparison: &Comparison, differ: &mut Differ) -> Triage {
    let mut triage = Triage::default();
    let verdict = comparison.first(Aspect::Verdict);
    let schedule = comparison.first(Aspect::Schedule);
    let value = comparison.first(Aspect::Value).map(|first| {
        let (step, located) = locate_value(case, differ)
            .map_or((first.step, None), |(step, located)| (Some(step), Some(located)));
        let mut divergence = located.unwrap_or_else(|| first.clone());
        divergence.step = step;
        divergence
    });
    triage.steps = [
        value.as_ref().and_then(|divergence| divergence.step),
        verdict.and_then(|divergence| divergence.step),
        schedule.and_then(|divergence| divergence.step),
    ];
    let follows = match (verdict, &value) {
        (Some(verdict), Some(value)) => verdict.step <= value.step,
        _ => false,
    };
    let value = value.filter(|_| !follows);
    for divergence in [verdict.cloned(), value, schedule.cloned()].into_iter().flatten() {
        triage.roots.push(Root {
            signature: Signature::of(case, &divergence),
            step: divergence.step,
            divergence,
        });
    }
    triage
}
