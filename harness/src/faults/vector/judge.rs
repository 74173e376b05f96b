//! Misjudged bundles: a bundle is judged as if it were another one, or what a fault leaves behind is
//! changed.

use contract::bundle::Bundle;
use contract::model::VectorModel;
use contract::outcome::VectorStep;
use contract::schedule::{LatTable, Schedule};
use contract::state::VectorState;

/// How bundles are misjudged.
#[derive(Clone, Copy)]
pub struct Bundles {
    /// False where the right judgement stands for sure.
    pub concerns: fn(&Bundle, &VectorState) -> bool,
    /// The bundle that the wrong judge believes to see; `None` if it sees the right one.
    pub reads: fn(&Bundle, &VectorState, &VectorStep) -> Option<Bundle>,
    /// Changes the state on which the right verdict is told beforehand.
    pub trial: fn(&mut VectorState),
    /// Changes verdict and state after a bundle: state before, bundle, right verdict and that of the
    /// trial, state after.
    pub after: fn(&VectorState, &Bundle, [VectorStep; 2], &mut VectorState) -> VectorStep,
}

impl Bundles {
    /// The right judgement.
    pub const RIGHT: Self = Self {
        concerns: |_, _| true,
        reads: |_, _, _| None,
        trial: |_| {},
        after: |_, _, [step, _], _| step,
    };
}

/// A model that misjudges bundles.
pub struct BundleJudge<M> {
    /// What is misjudged.
    pub bundles: Bundles,
    /// The right model.
    pub model: M,
    /// Tells the right verdict beforehand.
    pub second: M,
    /// Schedule of the second model.
    pub scratch: Schedule,
}

impl<M: VectorModel> VectorModel for BundleJudge<M> {
    fn begin(&mut self, state: &VectorState) {
        self.model.begin(state);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        if !(self.bundles.concerns)(bundle, state) {
            return self.model.step(state, bundle, schedule);
        }
        let before = state.clone();
        let mut trial = before.clone();
        (self.bundles.trial)(&mut trial);
        self.second.begin(&trial);
        self.scratch.clear(LatTable::Lat1);
        let right = self.second.step(&mut trial, bundle, &mut self.scratch);
        let other = (self.bundles.reads)(bundle, &before, &right);
        let step = self.model.step(state, other.as_ref().unwrap_or(bundle), schedule);
        (self.bundles.after)(&before, bundle, [step, right], state)
    }
}
