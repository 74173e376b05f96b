//! Triage: what a divergence is *about*. A [`Signature`] names aspect, op and class of a divergence; all
//! divergences with one signature share a bucket, and a bucket keeps its smallest case.
//!
//! A final state does not say which step spoilt it, so [`locate`] replays growing prefixes of the
//! program until the values part. A value difference at or after the first step with another verdict
//! follows from that verdict and makes no bucket of its own; a fault after a step whose values differ
//! follows from those. Schedules stand apart (spec 05 section 10).
//!
//! Signatures are fine, so that one fault does not hide another; [`group_of`] says which of them mean one
//! cause once their cases are minimised.
//!
//! [`KnownList`] holds the buckets that people have accepted.

mod class;
mod group;
mod known;
mod locate;
mod signature;
mod writer;

pub use group::{ANY_OP, group_of, op_family};
pub use known::{KnownEntry, KnownError, KnownList, Stale, today};
pub use locate::locate_value;
pub use signature::{CaseSize, Signature};
pub use writer::{Writer, store_of, writer_of};

use crate::compare::{Aspect, Comparison, Divergence, Observed, Place, ScheduleLabel};
use crate::differ::Differ;
use contract::case::Case;
use contract::outcome::{Outcome, VectorStep};

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
    let mut wrote = None;
    let value = comparison.first(Aspect::Value).map(|first| {
        let (step, located) = locate_value(case, differ)
            .map_or((first.step, None), |(step, located)| (Some(step), Some(located)));
        let mut divergence = located.unwrap_or_else(|| first.clone());
        divergence.step = step;
        wrote = step.and_then(|step| op_of_value(case, &divergence, step, differ));
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
    let verdict_follows = match (case, verdict, &value) {
        (Case::Vector(_), Some(verdict), Some(value)) => {
            is_fault(verdict) && value.step.is_some() && value.step < verdict.step
        }
        _ => false,
    };
    // A schedule ends where the program does; the verdict says so already.
    let ends = verdict.map(|verdict| verdict.step);
    let schedule = schedule.filter(|schedule| {
        let ended = matches!(schedule.place, Place::Schedule { label: ScheduleLabel::Verdict, .. });
        !(ended && ends == Some(schedule.step))
    });
    let value = value.filter(|_| !follows);
    let verdict = verdict.filter(|_| !verdict_follows);
    let waited = schedule.and_then(|divergence| op_of_schedule(case, divergence, differ));
    let found = [(verdict.cloned(), None), (value, wrote), (schedule.cloned(), waited)];
    for (divergence, op) in found {
        let Some(divergence) = divergence else { continue };
        triage.roots.push(Root {
            signature: Signature::of(case, &divergence).about(op),
            step: divergence.step,
            divergence,
        });
    }
    triage
}

/// True if one side faults: a bundle faults by what its registers hold.
fn is_fault(divergence: &Divergence) -> bool {
    [&divergence.expected, &divergence.actual]
        .iter()
        .any(|side| matches!(side, Observed::Vector(VectorStep::Fault(..))))
}

/// The op of the guilty bundle that wrote the place. `differ` holds the outcomes right after the bundle.
fn op_of_value(
    case: &Case,
    divergence: &Divergence,
    step: usize,
    differ: &Differ,
) -> Option<String> {
    let Case::Vector(case) = case else { return None };
    let writer = match (divergence.place, differ.expected()) {
        (Place::Register(register), Outcome::Vector(outcome)) => {
            writer_of(outcome, register, step).filter(|writer| writer.bundle == step)
        }
        (Place::VectorMemory { .. }, _) => store_of(case, step),
        _ => None,
    };
    writer.map(|writer| writer.op.name().to_owned())
}

/// The op whose postings differ, or the hazard that one schedule alone waits for.
fn op_of_schedule(case: &Case, divergence: &Divergence, differ: &mut Differ) -> Option<String> {
    let (Case::Vector(program), Some(step)) = (case, divergence.step) else { return None };
    let Place::Schedule { slot, .. } = divergence.place else { return None };
    if let Some(slot) = slot {
        return writer::op_in_slot(program, step, slot).map(|found| found.op.name().to_owned());
    }
    differ.run(&locate::prefix(case, step + 1)).ok()?;
    match (differ.expected(), differ.actual()) {
        (Outcome::Vector(mine), Outcome::Vector(theirs)) => {
            writer::hazard_between(mine.schedule.as_ref()?, theirs.schedule.as_ref()?, step)
        }
        _ => None,
    }
}
