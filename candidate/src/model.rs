//! The optimised model as the harness sees it: the tensor half and the vector half, joined.

use crate::schedule::{Scheduler, judge};
use crate::simd::Simd;
use crate::tensor::CandidateTensor;
use crate::vector::VectorExecutor;
use contract::bundle::Bundle;
use contract::model::{StepModel, VectorModel};
use contract::outcome::VectorStep;
use contract::schedule::Schedule;
use contract::state::VectorState;

/// The vector half: legality, schedule and values in the order of judgement (spec 04 section 3.7).
#[derive(Debug, Clone, Default)]
pub struct CandidateVector {
    scheduler: Scheduler,
    executor: VectorExecutor,
}

impl CandidateVector {
    /// The vector half on a given code path.
    pub fn with_simd(simd: Simd) -> Self {
        Self { scheduler: Scheduler::default(), executor: VectorExecutor::with_simd(simd) }
    }
}

impl VectorModel for CandidateVector {
    fn begin(&mut self, state: &VectorState) {
        self.scheduler.begin(state.profile.lat_crossbar);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        if let Err(reason) = judge(bundle) {
            self.scheduler.push_illegal(bundle, reason.clone(), schedule);
            return VectorStep::Reject(reason);
        }
        self.scheduler.issue(bundle, schedule);
        let step = self.executor.execute(state, bundle);
        if let VectorStep::Fault(reason, _) = &step {
            self.scheduler.mark_fault(reason.clone(), schedule);
        }
        step
    }
}

/// The optimised model.
pub type CandidateModel = StepModel<CandidateTensor, CandidateVector>;

/// A new optimised model on the code path that `Q7DIFF_SIMD` or the machine chooses.
pub fn model() -> CandidateModel {
    StepModel::new("candidate", CandidateTensor::default(), CandidateVector::default())
}
