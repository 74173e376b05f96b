//! Examines one case after the other: runs both models, compares, counts, and triages what differs.

use super::tally::{FailedCase, Origin, Tally};
use crate::compare::{Aspect, Comparator, IgnoredReason};
use crate::coverage::{self, Hits};
use crate::differ::Differ;
use crate::family::{Family, Op, ops_of_step};
use crate::generate::Intent;
use crate::golden::{DirectedCase, GoldenTally, REGRESSIONS, Regression};
use crate::models::SharedFactory;
use crate::triage::triage;
use contract::case::Case;
use contract::isa::Mnemonic;
use contract::outcome::{Outcome, TensorVerdict, VectorStep};

/// The models of one worker thread.
pub struct Worker {
    differ: Differ,
    /// Replays prefixes for triage, so that the outcomes of the case itself stay.
    prefixes: Differ,
    covers: bool,
    /// Bins that this worker has counted in the sum that it works for.
    seen: Hits,
}

impl Worker {
    /// A worker for two models under one comparator.
    pub fn new(comparator: Comparator, reference: SharedFactory, candidate: SharedFactory) -> Self {
        Self {
            differ: Differ::new(comparator, reference.clone(), candidate.clone()),
            prefixes: Differ::new(comparator, reference, candidate),
            covers: true,
            seen: Hits::default(),
        }
    }

    /// A worker that leaves the covergroups alone, to measure what they cost.
    pub fn without_coverage(self) -> Self {
        Self { covers: false, ..self }
    }

    /// Works for another sum from now on: exchanges the bins counted so far with those counted there, so
    /// that no bin is left out of one sum because it is in another.
    pub fn swap_seen(&mut self, seen: &mut Hits) {
        std::mem::swap(&mut self.seen, seen);
    }

    /// Runs, compares and counts a case. True if both models answered; their outcomes then stand in
    /// [`differ`](Self::differ).
    pub fn examine(
        &mut self,
        case: &Case,
        origin: &Origin,
        intent: &Intent,
        tally: &mut Tally,
    ) -> bool {
        let family = Family::of(case);
        *tally.family_cases.entry(family).or_default() += 1;
        if matches!(origin, Origin::Generated { .. }) {
            tally.cases += 1;
        }
        if let Err(failure) = self.differ.run(case) {
            tally.count_failure(FailedCase { origin: origin.clone(), family, failure });
            return false;
        }
        let comparison = self.differ.comparison();
        tally.compared.add(comparison.compared);
        tally.ignored.add(comparison.ignored);
        let outside = comparison.ignored.of(IgnoredReason::OutsideCase) > 0;
        if outside && tally.outside.len() < Tally::MOST_FAILURES {
            tally.outside.push(origin.clone());
        }
        let agrees = comparison.agrees();
        // A run that left the case's memory has no outcome to count.
        if comparison.compared.verdicts > 0 {
            count_steps(case, self.differ.expected(), origin, intent, tally);
            if self.covers {
                let expected = self.differ.expected();
                coverage::collect(case, expected, &mut self.seen, &mut tally.hits);
            }
        }
        if !agrees {
            self.blame(case, origin, tally);
        }
        true
    }

    /// Runs, compares and counts a directed case, and holds both models to what must come out.
    pub fn examine_directed(
        &mut self,
        number: u64,
        directed: &DirectedCase,
        tally: &mut Tally,
        golden: &mut GoldenTally,
    ) {
        let origin = Origin::Directed { number, name: directed.name.clone() };
        let mut own = Tally::default();
        let answered = self.examine(&directed.case, &origin, &Intent::Valid, &mut own);
        let [reference, candidate] = self.differ.names();
        let outcomes = answered
            .then(|| [(reference, self.differ.expected()), (candidate, self.differ.actual())]);
        let buckets: Vec<String> = own.buckets.keys().map(|signature| signature.bucket()).collect();
        golden.count(directed, outcomes, &buckets);
        if directed.group == REGRESSIONS {
            golden.regressions.push(Regression { name: directed.name.clone(), answered, buckets });
        }
        tally.add(own);
    }

    /// The models with their last outcomes.
    pub fn differ(&self) -> &Differ {
        &self.differ
    }

    fn blame(&mut self, case: &Case, origin: &Origin, tally: &mut Tally) {
        tally.diverging_cases += 1;
        let found = triage(case, self.differ.comparison(), &mut self.prefixes);
        for (aspect, step) in Aspect::ALL.into_iter().zip(found.steps) {
            if self.differ.comparison().differs_in(aspect)
                && let Some(step) = step
            {
                // Of a bundle the guilty op alone, where there is one.
                let root = found.roots.iter().find(|root| root.signature.aspect == aspect);
                let guilty = root.and_then(|root| Mnemonic::from_name(&root.signature.op));
                ops_of_step(case, step, |op| {
                    if guilty.is_none_or(|guilty| op == Op::Vector(guilty)) {
                        tally.ops.get_mut(op).mismatches[aspect as usize] += 1;
                    }
                });
            }
        }
        for root in found.roots {
            tally.count_root(root, case, origin);
        }
    }
}

/// Counts the steps of a case per op, and the failing clauses per generation.
fn count_steps(
    case: &Case,
    expected: &Outcome,
    origin: &Origin,
    intent: &Intent,
    tally: &mut Tally,
) {
    let directed =
        matches!(origin, Origin::Directed { .. } | Origin::Product { random: false, .. });
    let generation = match case {
        Case::Tensor(case) => case.generation as usize,
        Case::Vector(_) => 0,
    };
    let mut count = |step: usize, accepted: bool| {
        ops_of_step(case, step, |op| {
            let row = tally.ops.get_mut(op);
            if directed {
                row.directed += 1;
            } else {
                row.random += 1;
            }
            row.executed[generation] += u64::from(accepted);
        });
    };
    match (case, expected) {
        (Case::Tensor(case), Outcome::Tensor(outcome)) => {
            for (number, step) in outcome.steps.iter().enumerate() {
                count(number, step.verdict == TensorVerdict::Accept);
            }
            for step in &outcome.steps {
                let TensorVerdict::Reject(clauses) = step.verdict else { continue };
                let alone = clauses.len() == 1;
                for clause in clauses.iter() {
                    let row = tally.clauses.get_mut(clause, case.generation);
                    row.failed += 1;
                    row.isolated += u64::from(alone);
                }
            }
            if let Intent::Isolated { clause, .. } = intent {
                let row = tally.clauses.get_mut(*clause, case.generation);
                row.meant += 1;
                row.pure += u64::from(intent.met_by(&outcome.steps) == Some(true));
            }
        }
        (_, Outcome::Vector(outcome)) => {
            for (number, step) in outcome.steps.iter().enumerate() {
                count(number, *step == VectorStep::Accept);
            }
        }
        _ => {}
    }
}
