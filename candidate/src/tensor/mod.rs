//! Tensor instructions on whole channels at a time.
//!
//! [`CandidateTensor`] judges a record ([`verdict`](crate::verdict)), turns it into a job and runs it:
//!
//! - `walk`: canonical form of an access pattern.
//! - `memory`: elements of a channel out of and into the regions of a case.
//! - `stream`: the engine of recurrences: blocks of many streams are loaded, turned so that the streams
//!   lie side by side in vector lanes, scanned or folded, turned back and stored.
//! - `cache` (TensorScalarCacheReduce, TensorScalarCacheCumulative) and `cumulative`
//!   (TensorCumulative): the instructions.

mod cache;
mod cumulative;
mod memory;
mod stream;
mod walk;

pub(crate) use walk::Walk;

use crate::simd::{Simd, Supported};
use crate::verdict::{OverlapScratch, judge};
use contract::case::RECORD;
use contract::isa::opcode;
use contract::model::TensorModel;
use contract::outcome::{TensorReason, TensorStep, TensorVerdict};
use contract::state::{OutsideCase, TensorState};

/// The tensor half of the optimised model. It keeps its buffers from step to step and no other state.
#[derive(Debug, Clone, Default)]
pub struct CandidateTensor {
    path: Supported,
    overlap: OverlapScratch,
    scratch: stream::Scratch,
}

impl CandidateTensor {
    /// A model that takes the given code path; `None` if this machine lacks it. `Default` takes the
    /// path of [`Simd::active`].
    pub fn with_path(path: Simd) -> Option<Self> {
        Some(Self { path: Supported::of(path)?, ..Self::default() })
    }

    /// The code path.
    pub const fn path(&self) -> Simd {
        self.path.path()
    }

    /// The verdict on a record (spec 01 section 7.1, every row), without executing it.
    pub fn verdict(&mut self, state: &TensorState, record: &[u8; RECORD]) -> TensorVerdict {
        match judge(state, record, &mut self.overlap) {
            Ok(plan) if Execution::of(plan.opcode).is_some() => TensorVerdict::Accept,
            Ok(_) => TensorVerdict::Unsupported(TensorReason::ExecOpcode),
            Err(verdict) => verdict,
        }
    }
}

/// What executes a plan.
#[derive(Clone, Copy)]
enum Execution {
    Cache,
    Cumulative,
}

impl Execution {
    /// The execution of an opcode; `None` for a clause group without one.
    const fn of(opcode: u8) -> Option<Self> {
        match opcode {
            opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE => {
                Some(Self::Cache)
            }
            opcode::TENSOR_CUMULATIVE_ARITH | opcode::TENSOR_CUMULATIVE_BITVEC => {
                Some(Self::Cumulative)
            }
            _ => None,
        }
    }
}

impl TensorModel for CandidateTensor {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let plan = match judge(state, record, &mut self.overlap) {
            Ok(plan) => plan,
            Err(verdict) => return Ok(TensorStep::new(verdict)),
        };
        let mut step = TensorStep::new(TensorVerdict::Accept);
        match Execution::of(plan.opcode) {
            Some(Execution::Cache) => {
                step.indeterminate_acc =
                    cache::execute(&plan, record, state, self.path, &mut self.scratch)?;
            }
            Some(Execution::Cumulative) => {
                cumulative::execute(&plan, record, state, self.path, &mut self.scratch)?;
            }
            // Nothing is described, nothing happens.
            None => step.verdict = TensorVerdict::Unsupported(TensorReason::ExecOpcode),
        }
        Ok(step)
    }
}
