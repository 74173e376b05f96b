//! The class of a divergence: where it lies, with *traits* after a `+` that tell causes apart before
//! anything is minimised.

use crate::compare::{
    Divergence, Observed, Place, ScheduleLabel, ScheduleRoot, Shortfall, VectorRegister,
};
use crate::minimise;
use contract::case::{Case, TensorCase};
use contract::outcome::{TensorVerdict, VectorStep};

/// Trait of a value that differs in the last place of an FP8 element: a rounding of the store.
pub(super) const ROUNDED: &str = "fp8";
/// Trait of a value that differs at a step that continues a lane which an earlier step seeded.
pub(super) const CARRIED: &str = "carry";

/// The class, traits included.
pub(super) fn class_of(case: &Case, divergence: &Divergence) -> String {
    let class = match divergence.place {
        Place::Kind => "kind".to_owned(),
        Place::Flag => "INDETERMINATE_ACC".to_owned(),
        Place::OutsideCase { .. } => "outside".to_owned(),
        Place::Region(_) => "region".to_owned(),
        Place::TensorMemory { .. } | Place::VectorMemory { .. } => "memory".to_owned(),
        Place::Accumulator(_) => "accumulator".to_owned(),
        Place::Seeded(_) => "seeded".to_owned(),
        Place::Register(VectorRegister::File(class, _)) => class.name().to_owned(),
        Place::Register(VectorRegister::Fs(_)) => "fs".to_owned(),
        Place::Register(VectorRegister::Fcr) => "fcr".to_owned(),
        Place::Register(VectorRegister::Fsr) => "fsr".to_owned(),
        Place::Window => "window".to_owned(),
        Place::Schedule { label, root, .. } => schedule_class(label, root),
        Place::Verdict => verdict_class(divergence),
    };
    match case {
        Case::Tensor(case) => class + &traits(case, divergence),
        Case::Vector(_) => class,
    }
}

fn traits(case: &TensorCase, divergence: &Divergence) -> String {
    let mut text = String::new();
    let of_data = matches!(divergence.place, Place::TensorMemory { .. } | Place::Accumulator(_));
    let Some(step) = divergence.step.filter(|_| of_data) else { return text };
    let Some(record) = case.program.get(step) else { return text };
    let eight_bits = minimise::stored_dtype(record).is_some_and(|to| to.name().starts_with("FP8"));
    if eight_bits && is_last_place(divergence) {
        text = format!("+{ROUNDED}");
    } else if step > 0 && minimise::accumulates(record) {
        text = format!("+{CARRIED}");
    }
    text
}

/// True if every byte is one code away from the right one.
fn is_last_place(divergence: &Divergence) -> bool {
    match (&divergence.expected, &divergence.actual) {
        (Observed::Bytes(expected), Observed::Bytes(actual)) => {
            expected.iter().zip(actual).all(|(expected, actual)| expected.abs_diff(*actual) <= 1)
        }
        _ => false,
    }
}

fn schedule_class(label: ScheduleLabel, root: ScheduleRoot) -> String {
    let label = label.name();
    match root {
        ScheduleRoot::Other => label.to_owned(),
        ScheduleRoot::Posting { class, role, expected, actual } => {
            format!("{label}+{}.{}.{expected}.{actual}", class.name(), role.name())
        }
        ScheduleRoot::Stall(hazard, by) => {
            let by = match by {
                Shortfall::One => "one",
                Shortfall::More => "more",
            };
            format!("{label}+{}.{by}", hazard.name())
        }
    }
}

/// The first clause that one side alone reports; else direction and reason of the refusing side. One
/// unchecked clause is one class, whether the record is accepted or refused for other clauses.
fn verdict_class(divergence: &Divergence) -> String {
    let Some(direction) = divergence.direction() else {
        let missing = divergence.actual == Observed::Absent;
        return if missing { "missing-step" } else { "extra-step" }.to_owned();
    };
    if let Some((missing, extra)) = divergence.clause_difference() {
        if let Some(clause) = missing.iter().next() {
            return format!("unreported-{clause}");
        }
        if let Some(clause) = extra.iter().next() {
            return format!("unfounded-{clause}");
        }
    }
    let about = refusal(&divergence.expected).or_else(|| refusal(&divergence.actual));
    format!("{direction}-{}", about.unwrap_or_default())
}

fn refusal(observed: &Observed) -> Option<String> {
    match observed {
        Observed::Tensor(TensorVerdict::Reject(clauses)) => {
            clauses.iter().next().map(|clause| clause.id().to_owned())
        }
        Observed::Tensor(TensorVerdict::Unsupported(reason) | TensorVerdict::Fault(reason)) => {
            Some(reason.text().to_owned())
        }
        Observed::Vector(VectorStep::Reject(reason)) => Some(reason.text().to_owned()),
        Observed::Vector(VectorStep::Fault(reason, _)) => Some(reason.text().to_owned()),
        Observed::Vector(VectorStep::Unsupported(op)) => Some(op.name().to_owned()),
        _ => None,
    }
}
