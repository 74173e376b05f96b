//! One case, from what a campaign found to what a person reads.

use super::DivergenceInterest;
use super::carry::without_carry;
use crate::minimise::{MinimiseError, Progress, Size, generalise, minimise_to};
use crate::models::ModelFailure;
use crate::triage::Signature;
use contract::case::Case;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use thiserror::Error;

/// Callback that sees the progress; `Break` ends the search with what was reached.
pub type ShrinkProgress<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// A minimised case with what is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minimal {
    /// The case.
    pub case: Case,
    /// Signature that it shows; but for traits, the case it was made from shows it too.
    pub signature: Signature,
    /// Size of the case that it was made from.
    pub before: Size,
    /// Cases judged, for the search and for the generalisation.
    pub evaluations: usize,
    /// True if no single reduction applies any more; false if the budget ended first.
    pub one_minimal: bool,
    /// True if the search was interrupted.
    pub interrupted: bool,
    /// What may vary while the divergence stays, in one line.
    pub generalisation: String,
    /// What other cases of the same cause share with this one: mnemonics that may stand in the place of
    /// the guilty one, operators or element types that it needs.
    pub ties: BTreeSet<String>,
    /// Operators and element types without which the divergence is not there.
    pub needs: BTreeSet<String>,
}

impl Minimal {
    /// Size of the case.
    pub fn after(&self) -> Size {
        Size::of(&self.case)
    }

    /// How the search ended, in words.
    pub const fn ending(&self) -> &'static str {
        match (self.one_minimal, self.interrupted) {
            (true, _) => "1-minimal",
            (false, true) => "interrupted",
            (false, false) => "budget exhausted",
        }
    }

    /// Sizes and evaluations, in one line.
    pub fn line(&self) -> String {
        format!(
            "{} -> {} in {} evaluations, {}",
            self.before,
            self.after(),
            self.evaluations,
            self.ending()
        )
    }
}

/// Why a case was not minimised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShrinkError {
    /// The minimiser refused.
    #[error(transparent)]
    Minimise(#[from] MinimiseError),
    /// A model gave no outcome for the case itself.
    #[error(transparent)]
    Model(#[from] ModelFailure),
    /// The minimised case, run again, does not show what it was kept for: a model answers the same
    /// case differently from run to run.
    #[error("the minimised case does not replay: it shows {shown} instead of `{wanted}`")]
    NotReplayed {
        /// Signature that every kept case showed.
        wanted: String,
        /// What the replay shows.
        shown: String,
    },
}

/// Minimises a case while it shows `wanted` (by default its first root), generalises around the result,
/// and replays it on fresh models from its written form. `budget` bounds the evaluations of the search;
/// the generalisation may take half as many again.
///
/// # Errors
/// See [`ShrinkError`].
pub fn shrink(
    case: &Case,
    wanted: Option<&Signature>,
    models: &super::Models,
    budget: usize,
    progress: ShrinkProgress<'_>,
) -> Result<Minimal, ShrinkError> {
    let mut interest = DivergenceInterest::new(models);
    let wanted = match wanted {
        Some(wanted) => wanted.clone(),
        None => {
            let first = interest.roots(case)?.into_iter().next();
            first.ok_or(MinimiseError::NoDivergence)?.signature
        }
    };
    // First with every trait kept, which holds on to the cause while the case is big; then without, as a
    // small case has no room for another cause, and traits that it need not have go.
    let strict = minimise_to(case, &wanted, &mut interest, budget, progress)?;
    interest.relax();
    let rest = budget.saturating_sub(strict.evaluations);
    let mut minimised = minimise_to(&strict.case, &wanted, &mut interest, rest, progress)?;
    let mut evaluations = strict.evaluations + minimised.evaluations;
    if let Some(alone) = without_carry(&minimised.case, &wanted, &mut interest) {
        let rest = budget.saturating_sub(evaluations);
        minimised = minimise_to(&alone, &wanted, &mut interest, rest, progress)?;
        evaluations += minimised.evaluations;
    }
    interest.free_op();
    let general = generalise(&minimised.case, &wanted, &mut interest, budget / 2, progress)?;
    let signature = replay(&minimised.case, &wanted, models)?;
    Ok(Minimal {
        ties: general.ties(&signature.op),
        needs: general.needs(),
        signature,
        before: strict.before,
        evaluations: evaluations + general.evaluations,
        one_minimal: minimised.one_minimal,
        interrupted: strict.interrupted || minimised.interrupted || general.interrupted,
        generalisation: general.to_string(),
        case: minimised.case,
    })
}

/// Runs what is written of the case on models that have seen no other case, and gives its signature.
fn replay(
    case: &Case,
    wanted: &Signature,
    models: &super::Models,
) -> Result<Signature, ShrinkError> {
    let written = contract::json::write_case(case);
    let read = contract::json::read_case(&written)
        .map_err(|error| MinimiseError::Malformed { reason: error.to_string() })?;
    let mut interest = DivergenceInterest::new(models);
    interest.relax();
    if let Some(signature) = interest.shown_as(&read, wanted) {
        return Ok(signature);
    }
    let roots = interest.roots(&read)?;
    let shown = roots.iter().map(|root| format!("`{}`", root.signature)).collect::<Vec<_>>();
    Err(ShrinkError::NotReplayed {
        wanted: wanted.to_string(),
        shown: if shown.is_empty() { "no divergence".to_owned() } else { shown.join(", ") },
    })
}
