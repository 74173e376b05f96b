//! Values of the vector unit (spec 04): whole 512-bit registers at a time.
//!
//! [`VectorExecutor`] takes a legal bundle through the rest of the order of judgement (spec 04
//! section 3 rule 7): gate, ops without values, memory faults, effects. Its parts:
//! - `table` maps a mnemonic to its op once, `dispatch` an op to a family and a code path;
//! - `lanes` holds the primitives of a 512-bit register, one file per code path;
//! - `step` is what an op sees of the state and where it leaves its writes;
//! - one file per op family: `scalar`, `memory`, `align`, `crossbar`, `reduce`, `predicate`, `alu`,
//!   `shift`, `moves`, `wide`; `element` and `patterns` serve two of them.
//!
//! Legality and schedules are [`schedule`](crate::schedule)'s.

mod align;
mod alu;
mod crossbar;
mod dispatch;
mod element;
mod lanes;
mod memory;
mod moves;
mod patterns;
mod predicate;
mod reduce;
mod scalar;
mod shift;
mod step;
mod table;
mod wide;

use crate::simd::Simd;
use contract::bundle::{Bundle, OpWord};
use contract::outcome::{FaultReason, LegalityReason, VectorStep};
use contract::state::VectorState;
use step::{Args, Effects, Fault, Step};
use table::{Entry, Op};

/// Bit of `CPENABLE` that enables the vector unit.
const VECTOR_UNIT: u8 = 1 << 1;

/// Executes legal bundles, on one code path.
#[derive(Debug, Clone)]
pub struct VectorExecutor {
    simd: Simd,
    table: &'static [Entry],
    effects: Box<Effects>,
}

impl Default for VectorExecutor {
    fn default() -> Self {
        Self::with_simd(Simd::active())
    }
}

impl VectorExecutor {
    /// An executor on a code path, or on the best one below it that this machine has.
    pub fn with_simd(simd: Simd) -> Self {
        Self { simd: simd.min(Simd::detect()), table: table::table(), effects: Box::default() }
    }

    /// The code path taken.
    pub const fn simd(&self) -> Simd {
        self.simd
    }

    /// Judges and executes a bundle that spec 05 section 6 found legal. A bundle that is not accepted
    /// leaves the state alone.
    ///
    /// An illegal bundle does no harm, but its outcome means nothing.
    pub fn execute(&mut self, state: &mut VectorState, bundle: &Bundle) -> VectorStep {
        let mut gated = false;
        let mut without_values = None;
        for slot_op in &bundle.ops {
            let OpWord::Known(mnemonic) = slot_op.op else {
                return VectorStep::Reject(LegalityReason::UnknownOp);
            };
            let entry = &self.table[mnemonic.index()];
            if slot_op.operands.len() != usize::from(entry.operands) {
                return VectorStep::Reject(LegalityReason::Operand);
            }
            gated |= entry.gated;
            if matches!(entry.op, Op::Unsupported)
                && without_values.is_none_or(|(slot, _)| slot_op.slot < slot)
            {
                without_values = Some((slot_op.slot, mnemonic));
            }
        }
        if gated && state.cpenable & VECTOR_UNIT == 0 {
            return VectorStep::Fault(FaultReason::Coprocessor1Exception, None);
        }
        if let Some((_, mnemonic)) = without_values {
            return VectorStep::Unsupported(mnemonic);
        }

        self.effects.clear();
        let mut args = Args::default();
        let mut fault: Option<(u32, Fault)> = None;
        for slot_op in &bundle.ops {
            let OpWord::Known(mnemonic) = slot_op.op else { continue };
            if !args.take(&slot_op.operands) {
                return VectorStep::Reject(LegalityReason::Operand);
            }
            let op = self.table[mnemonic.index()].op;
            let mut step = Step { state, args: &args, effects: &mut self.effects };
            if let Err(found) = dispatch::run(self.simd, op, &mut step)
                && fault.as_ref().is_none_or(|(slot, _)| slot_op.slot < *slot)
            {
                fault = Some((slot_op.slot, found));
            }
        }
        if let Some((_, fault)) = fault {
            return fault.into();
        }
        self.effects.commit(state);
        VectorStep::Accept
    }
}
