//! Runs one case on two models and compares the outcomes. Everything that examines a case (campaign,
//! golden vectors, replay, triage) goes through here, so a write outside the case's memory and a model
//! that fails mean the same everywhere. Buffers are reused from case to case.

use crate::compare::{Aspect, Comparator, Comparison, Divergence, IgnoredReason, Observed, Place};
use crate::models::{Guarded, ModelFailure, SharedFactory};
use contract::case::Case;
use contract::model::ModelError;
use contract::outcome::{Outcome, TensorVerdict};
use contract::state::OutsideCase;

/// Two models under one comparator.
pub struct Differ {
    comparator: Comparator,
    reference: Guarded,
    candidate: Guarded,
    expected: Outcome,
    actual: Outcome,
    comparison: Comparison,
}

impl Differ {
    /// Pairs models of two factories.
    pub fn new(comparator: Comparator, reference: SharedFactory, candidate: SharedFactory) -> Self {
        Self {
            comparator,
            reference: Guarded::new(reference),
            candidate: Guarded::new(candidate),
            expected: Outcome::Tensor(Box::default()),
            actual: Outcome::Tensor(Box::default()),
            comparison: Comparison::default(),
        }
    }

    /// Runs a case on both models and compares.
    ///
    /// # Errors
    /// The model that gave no outcome.
    pub fn run(&mut self, case: &Case) -> Result<&Comparison, ModelFailure> {
        let expected = run_one(&mut self.reference, case, &mut self.expected)?;
        let actual = run_one(&mut self.candidate, case, &mut self.actual)?;
        if expected.is_none() && actual.is_none() {
            self.comparator.compare(case, &self.expected, &self.actual, &mut self.comparison);
        } else {
            let other = match (&expected, &actual) {
                (None, Some(_)) => Some(&self.expected),
                (Some(_), None) => Some(&self.actual),
                _ => None,
            };
            self.comparison = compare_outside(expected, actual, other);
        }
        Ok(&self.comparison)
    }

    /// Names of the reference and of the candidate.
    pub fn names(&self) -> [&str; 2] {
        [self.reference.name(), self.candidate.name()]
    }

    /// The last comparison.
    pub fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// The reference's last outcome.
    pub fn expected(&self) -> &Outcome {
        &self.expected
    }

    /// The candidate's last outcome.
    pub fn actual(&self) -> &Outcome {
        &self.actual
    }
}

/// Step and byte of a write outside the case's memory.
type Outside = (usize, OutsideCase);

fn run_one(
    model: &mut Guarded,
    case: &Case,
    outcome: &mut Outcome,
) -> Result<Option<Outside>, ModelFailure> {
    match model.run_into(case, outcome) {
        Ok(()) => Ok(None),
        Err(ModelError::WriteOutsideCase { step, place }) => Ok(Some((step, place))),
        Err(ModelError::Failed(message)) => {
            Err(ModelFailure { model: model.name().to_owned(), message })
        }
        Err(error @ ModelError::Kind(_)) => {
            Err(ModelFailure { model: model.name().to_owned(), message: error.to_string() })
        }
    }
}

/// Two runs of which at least one left the case's memory. Which byte is met first is the model's own
/// order, so the step alone is compared. `other` is the outcome of the side that stayed inside: if it
/// refused the step that the other one executed, the verdicts differ and the write follows from that.
fn compare_outside(
    expected: Option<Outside>,
    actual: Option<Outside>,
    other: Option<&Outcome>,
) -> Comparison {
    let mut comparison = Comparison::default();
    let steps = (expected.map(|(step, _)| step), actual.map(|(step, _)| step));
    let Some((step, place)) = expected.or(actual).filter(|_| steps.0 != steps.1) else {
        comparison.ignored.count(IgnoredReason::OutsideCase, 1);
        return comparison;
    };
    if let Some(Outcome::Tensor(outcome)) = other
        && let Some(verdict) = outcome.steps.get(step).map(|step| step.verdict.clone())
        && verdict != TensorVerdict::Accept
    {
        let (refused, executed) =
            (Observed::Tensor(verdict), Observed::Tensor(TensorVerdict::Accept));
        let (expected, actual) =
            if expected.is_none() { (refused, executed) } else { (executed, refused) };
        let (aspect, step, place) = (Aspect::Verdict, Some(step), Place::Verdict);
        comparison.record(1, Divergence { aspect, step, place, expected, actual });
        return comparison;
    }
    let shown = |side: Option<Outside>| match side {
        None => Observed::Text("no write outside the case's memory".into()),
        Some((step, place)) => Observed::Text(
            format!(
                "step {step} writes {} partition {} offset {:#x}",
                place.space.name(),
                place.partition,
                place.offset
            )
            .into(),
        ),
    };
    comparison.record(
        1,
        Divergence {
            aspect: Aspect::Value,
            step: Some(step),
            place: Place::OutsideCase {
                space: place.space,
                partition: place.partition,
                offset: place.offset,
            },
            expected: shown(expected),
            actual: shown(actual),
        },
    );
    comparison
}
