//! Which divergence a case shows: both models, compared and triaged.

use crate::compare::Comparator;
use crate::differ::Differ;
use crate::minimise::Interest;
use crate::models::{ModelFailure, SharedFactory};
use crate::triage::{Root, Signature, triage};
use contract::case::Case;
use contract::outcome::Outcome;

/// Two models under one comparator, as factories.
#[derive(Clone)]
pub struct Models {
    /// How outcomes are compared.
    pub comparator: Comparator,
    /// The reference.
    pub reference: SharedFactory,
    /// The model under test.
    pub candidate: SharedFactory,
}

impl Models {
    /// Pairs new models.
    pub fn differ(&self) -> Differ {
        Differ::new(self.comparator, self.reference.clone(), self.candidate.clone())
    }
}

/// Judges cases by the signatures of their roots. A case on which a model fails shows nothing: a crash
/// is another finding than a difference.
pub struct DivergenceInterest {
    differ: Differ,
    /// Replays prefixes for triage.
    prefixes: Differ,
    /// True if signatures are told apart by what they say of the minimal case alone.
    relaxed: bool,
    /// True if the guilty op may be another one.
    any_op: bool,
}

impl DivergenceInterest {
    /// An interest in the divergences of two models.
    pub fn new(models: &Models) -> Self {
        Self { differ: models.differ(), prefixes: models.differ(), relaxed: false, any_op: false }
    }

    /// From now on signatures count as equal if they are when [relaxed](Signature::relaxed).
    pub fn relax(&mut self) {
        self.relaxed = true;
    }

    /// From now on the same difference at another op counts as well, so that ops can be varied.
    pub(super) fn free_op(&mut self) {
        self.any_op = true;
    }

    fn same(&self, one: &Signature, other: &Signature) -> bool {
        if !self.relaxed {
            return one == other;
        }
        let (one, other) = (one.relaxed(), other.relaxed());
        (self.any_op || one.op == other.op)
            && (one.aspect, one.class) == (other.aspect, other.class)
    }

    /// The first signature that a case shows of those that count as this one.
    pub fn shown_as(&mut self, case: &Case, wanted: &Signature) -> Option<Signature> {
        let roots = self.roots(case).ok()?;
        roots.into_iter().map(|root| root.signature).find(|shown| self.same(shown, wanted))
    }

    /// What the reference holds in the lowest seeded accumulator after a tensor case.
    pub(super) fn first_accumulator(&mut self, case: &Case) -> Option<u32> {
        self.differ.run(case).ok()?;
        let Outcome::Tensor(outcome) = self.differ.expected() else { return None };
        let lane = (0..u128::BITS).find(|lane| outcome.state.seeded >> lane & 1 == 1)?;
        outcome.state.accumulators.get(lane as usize).copied()
    }

    /// The roots that a case shows, in the order of triage.
    ///
    /// # Errors
    /// The model that gave no outcome.
    pub fn roots(&mut self, case: &Case) -> Result<Vec<Root>, ModelFailure> {
        let comparison = self.differ.run(case)?;
        if comparison.agrees() {
            return Ok(Vec::new());
        }
        Ok(triage(case, comparison, &mut self.prefixes).roots)
    }
}

impl Interest for DivergenceInterest {
    type Signature = Signature;

    fn signature(&mut self, case: &Case) -> Option<Signature> {
        self.roots(case).ok()?.into_iter().next().map(|root| root.signature)
    }

    fn shows(&mut self, case: &Case, wanted: &Signature) -> bool {
        let Ok(comparison) = self.differ.run(case) else { return false };
        // Triage replays the program, so it is asked only where it can say yes.
        if !comparison.differs_in(wanted.aspect) {
            return false;
        }
        let roots = triage(case, comparison, &mut self.prefixes).roots;
        roots.iter().any(|root| self.same(&root.signature, wanted))
    }
}
