//! The reference model as the harness sees it: the tensor half and the vector half, joined.

use crate::schedule::{Scheduler, judge};
use crate::tensor::OracleTensor;
use crate::vector::execute;
use contract::bundle::Bundle;
use contract::model::{StepModel, VectorModel};
use contract::outcome::VectorStep;
use contract::schedule::Schedule;
use contract::state::VectorState;

/// The vector half: legality, schedule and values in the order of judgement (spec 04 section 3.7).
#[derive(Debug, Clone, Default)]
pub struct OracleVector {
    scheduler: Scheduler,
}

impl VectorModel for OracleVector {
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
        let step = execute(state, bundle);
        if let VectorStep::Fault(reason, _) = &step {
            // A faulting bundle keeps its schedule entry (spec 05 T-28).
            self.scheduler.mark_fault(reason.clone(), schedule);
        }
        step
    }
}

/// The reference model.
pub type OracleModel = StepModel<OracleTensor, OracleVector>;

/// A new reference model.
pub fn model() -> OracleModel {
    StepModel::new("oracle", OracleTensor::default(), OracleVector::default())
}
