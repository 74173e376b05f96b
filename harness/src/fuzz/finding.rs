//! What a target has found, as a person reads it.

use super::Target;
use super::worker::concerns;
use crate::compare::Comparison;
use crate::differ::Differ;
use crate::models::ModelFailure;
use crate::report::text::{CaseReport, case_report};
use crate::shrink::Models;
use crate::triage::{Signature, Triage, triage};
use contract::case::Case;
use contract::json::write_case;

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The target.
    pub target: Target,
    /// The case, if the target has cases.
    pub case: Option<Case>,
    /// The report; for a divergence the text of `report.txt`.
    pub text: String,
}

impl Finding {
    /// A divergence. `differ` has just run the case.
    pub(super) fn of_case(
        target: Target,
        case: &Case,
        differ: &Differ,
        models: &Models,
        fault: Option<&str>,
    ) -> Self {
        let text = divergence_report(target, case, differ, models, &origin(target, fault));
        Self { target, case: Some(case.clone()), text }
    }
}

/// The lines that say where a finding comes from.
fn origin(target: Target, fault: Option<&str>) -> Vec<String> {
    let mut origin = vec![format!("found by fuzz target {}", target.name())];
    origin.extend(fault.map(|fault| format!("planted fault: {fault}")));
    origin
}

/// What differs in a case that `differ` has just run, and why; the text of `report.txt`.
pub fn divergence_report(
    target: Target,
    case: &Case,
    differ: &Differ,
    models: &Models,
    origin: &[String],
) -> String {
    let triage = roots(target, case, differ.comparison(), models);
    case_report(&CaseReport {
        case,
        expected: differ.expected(),
        actual: differ.actual(),
        comparison: differ.comparison(),
        triage: &triage,
        origin,
    })
}

/// The signature of the first root of a comparison that concerns the target; `None` if nothing does.
pub fn signature(
    target: Target,
    case: &Case,
    found: &Comparison,
    models: &Models,
) -> Option<Signature> {
    if !concerns(target, |aspect| found.differs_in(aspect)) {
        return None;
    }
    roots(target, case, found, models).roots.into_iter().next().map(|root| root.signature)
}

/// The roots that concern the target.
fn roots(target: Target, case: &Case, found: &Comparison, models: &Models) -> Triage {
    let mut triage = triage(case, found, &mut models.differ());
    let concern = |aspect| concerns(target, |other| other == aspect);
    if triage.roots.iter().any(|root| concern(root.divergence.aspect)) {
        triage.roots.retain(|root| concern(root.divergence.aspect));
    }
    triage
}

/// A case on which a model gave no outcome.
pub(super) fn failure_report(
    target: Target,
    case: &Case,
    failure: &ModelFailure,
    fault: Option<&str>,
) -> Finding {
    let mut text = format!("{failure}\n\n");
    for line in origin(target, fault) {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&format!("\ncase\n  {}\n", write_case(case)));
    Finding { target, case: Some(case.clone()), text }
}
