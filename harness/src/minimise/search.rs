//! The search: applies passes to a case until none of their reductions applies.
//!
//! A pass lists its reductions from coarse to fine. After one was kept, the pass is listed anew for
//! the smaller case and goes on where it stood, so that a row of small reductions costs one sweep and
//! not a sweep each; sweeps are repeated until one keeps nothing, and rounds over all passes until one
//! keeps nothing. Only a case of lower weight is ever judged, which is why the search ends and why the
//! set of judged cases cannot hide a reduction: a case in it was refused.

use super::edit::Edits;
use super::seen::Seen;
use super::{Interest, MinimiseError, Minimised, OnProgress, PassCount, Progress, Size};
use contract::case::Case;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A kind of case that can be shrunk.
pub(super) trait Subject: Clone + 'static {
    /// Heaviness of a case; every reduction lowers it. A well-founded order.
    type Weight: Ord;

    /// The passes, in the order in which they are tried.
    const PASSES: &'static [Pass<Self>];

    /// The heaviness of this case.
    fn weight(&self) -> Self::Weight;

    /// Brings the case into the form in which it is written.
    fn normalise(&mut self);

    /// True if the reader of cases accepts it.
    fn is_well_formed(&self) -> bool;

    /// The case as the interest sees it.
    fn wrap(self) -> Case;

    /// The inverse of [`wrap`](Self::wrap).
    fn unwrap(case: Case) -> Option<Self>;
}

/// Reductions of one kind.
pub(super) struct Pass<C: 'static> {
    /// Name in progress and counts.
    pub name: &'static str,
    /// Lists the reductions that a case allows, coarse to fine.
    pub edits: for<'a> fn(&'a C) -> Edits<'a, C>,
}

/// Why a search stopped before it was done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Budget,
    Interrupted,
}

/// Judges cases within a budget.
pub(super) struct Search<'a, I: Interest> {
    interest: &'a mut I,
    wanted: I::Signature,
    budget: usize,
    progress: OnProgress<'a>,
    evaluations: usize,
    reductions: usize,
    panics: usize,
    last_panic: String,
    seen: Seen,
    pass: &'static str,
    size: Size,
    stop: Option<Stop>,
}

impl<'a, I: Interest> Search<'a, I> {
    /// A search for cases that show `wanted`.
    pub(super) fn new(
        interest: &'a mut I,
        wanted: I::Signature,
        budget: usize,
        progress: OnProgress<'a>,
    ) -> Self {
        Self {
            interest,
            wanted,
            budget,
            progress,
            evaluations: 0,
            reductions: 0,
            panics: 0,
            last_panic: String::new(),
            seen: Seen::default(),
            pass: "check",
            size: Size::default(),
            stop: None,
        }
    }

    /// Shrinks a case to a fixpoint of all passes, or until the search is stopped.
    pub(super) fn run<C: Subject>(
        &mut self,
        case: &C,
    ) -> Result<Minimised<I::Signature>, MinimiseError> {
        let mut current = self.check(case)?;
        let before = self.size;
        let mut passes: Vec<_> = C::PASSES
            .iter()
            .map(|pass| PassCount { pass: pass.name, evaluated: 0, kept: 0 })
            .collect();
        loop {
            let reductions = self.reductions;
            for (pass, count) in C::PASSES.iter().zip(&mut passes) {
                let (evaluations, kept) = (self.evaluations, self.reductions);
                self.run_pass(&mut current, pass);
                count.evaluated += self.evaluations - evaluations;
                count.kept += self.reductions - kept;
            }
            if self.stop.is_some() || self.reductions == reductions {
                break;
            }
        }
        Ok(Minimised {
            case: current.wrap(),
            signature: self.wanted.clone(),
            evaluations: self.evaluations,
            reductions: self.reductions,
            panics: self.panics,
            before,
            after: self.size,
            exhausted_budget: self.stop == Some(Stop::Budget),
            interrupted: self.stop == Some(Stop::Interrupted),
            one_minimal: self.stop.is_none(),
            passes,
        })
    }

    /// Refuses a case that cannot be read or does not show what is wanted.
    pub(super) fn check<C: Subject>(&mut self, case: &C) -> Result<C, MinimiseError> {
        let mut current = case.clone();
        current.normalise();
        if !current.is_well_formed() {
            let text = contract::json::write_case(&current.wrap());
            let reason = match contract::json::read_case(&text) {
                Err(error) => error.to_string(),
                Ok(_) => "the reader of cases would read another case".to_owned(),
            };
            return Err(MinimiseError::Malformed { reason });
        }
        let case = current.wrap();
        self.size = Size::of(&case);
        self.seen.insert(&case);
        if !self.evaluate(&case) {
            if self.panics > 0 {
                return Err(MinimiseError::Panicked { message: self.last_panic.clone() });
            }
            return Err(MinimiseError::NotShown { wanted: self.wanted.to_string() });
        }
        Ok(unwrapped(case))
    }

    /// Sweeps over one pass until a sweep keeps nothing.
    fn run_pass<C: Subject>(&mut self, current: &mut C, pass: &Pass<C>) {
        self.pass = pass.name;
        loop {
            let mut position = 0;
            let mut kept = false;
            while let Some((index, smaller)) = self.next_reduction(current, pass, position) {
                *current = smaller;
                position = index;
                kept = true;
            }
            if !kept || self.stop.is_some() {
                return;
            }
        }
    }

    /// The first reduction at or after `position` that still shows the divergence.
    fn next_reduction<C: Subject>(
        &mut self,
        current: &C,
        pass: &Pass<C>,
        position: usize,
    ) -> Option<(usize, C)> {
        let weight = current.weight();
        for (index, edit) in (pass.edits)(current).enumerate().skip(position) {
            if self.stop.is_some() {
                return None;
            }
            let Some(smaller) = reduce(current, &weight, edit) else { continue };
            let case = smaller.wrap();
            if self.seen.insert(&case) && self.evaluate(&case) {
                self.reductions += 1;
                self.size = Size::of(&case);
                return Some((index, unwrapped(case)));
            }
        }
        None
    }

    /// Judges a case. A case whose judgement panics shows another fault, so it is not wanted.
    pub(super) fn evaluate(&mut self, case: &Case) -> bool {
        if self.evaluations >= self.budget.max(1) {
            self.stop = Some(Stop::Budget);
            return false;
        }
        self.evaluations += 1;
        let (interest, wanted) = (&mut *self.interest, &self.wanted);
        let shown = guarded(|| interest.shows(case, wanted)).unwrap_or_else(|message| {
            self.panics += 1;
            self.last_panic = message;
            false
        });
        let progress = Progress {
            evaluations: self.evaluations,
            budget: self.budget,
            pass: self.pass,
            size: self.size,
        };
        if (self.progress)(&progress).is_break() {
            self.stop = Some(Stop::Interrupted);
        }
        shown
    }

    /// Names what is evaluated next, for the progress callback.
    pub(super) fn set_pass(&mut self, pass: &'static str) {
        self.pass = pass;
    }

    /// True if the budget or the callback ended the search.
    pub(super) fn stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// True if the budget ended the search.
    pub(super) fn exhausted_budget(&self) -> bool {
        self.stop == Some(Stop::Budget)
    }

    /// Cases judged so far.
    pub(super) fn evaluations(&self) -> usize {
        self.evaluations
    }
}

/// Applies an edit; `None` unless it makes a lighter case that can be written and read.
fn reduce<C: Subject>(
    current: &C,
    weight: &C::Weight,
    edit: super::edit::Edit<'_, C>,
) -> Option<C> {
    let mut smaller = current.clone();
    edit(&mut smaller);
    smaller.normalise();
    (smaller.weight() < *weight && smaller.is_well_formed()).then_some(smaller)
}

/// Every lighter case that one edit of any pass makes.
pub(super) fn neighbours<C: Subject>(case: &C) -> Vec<Case> {
    let mut case = case.clone();
    case.normalise();
    let weight = case.weight();
    let mut seen = Seen::default();
    C::PASSES
        .iter()
        .flat_map(|pass| (pass.edits)(&case))
        .filter_map(|edit| reduce(&case, &weight, edit).map(C::wrap))
        .filter(|case| seen.insert(case))
        .collect()
}

fn unwrapped<C: Subject>(case: Case) -> C {
    match C::unwrap(case) {
        Some(case) => case,
        // The case was wrapped by the same subject a few lines before.
        None => unreachable!("a case keeps its kind"),
    }
}

/// Runs a judgement; a panic becomes its message. What the judge holds may be half-done afterwards;
/// harness judges run every case from its own initial state.
pub(super) fn guarded<T>(judge: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(judge)).map_err(|payload| {
        payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned())
    })
}
