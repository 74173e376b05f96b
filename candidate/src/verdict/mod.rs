//! Verdicts of tensor records: masks and tables instead of predicates.
//!
//! `judge` answers the first row of the ordered list of spec 01 section 7.1 that applies, with the full
//! failing set for a rejection, or a `Plan` that execution can follow without looking at the record
//! again. An opcode is one row of `GROUPS`; everything that all groups share (markers, dtype and
//! operator sets, bounds, overlap) reads that row:
//!
//! - `sets`: byte sets as 256-bit masks, one table per generation.
//! - `record`: the record as bytes and words, its patterns and immediates.
//! - `place`: addresses, channels and pointers.
//! - `group`: what a row holds; `cache` and `cumulative`: the rows.
//! - `execution`: the preconditions EXEC-…; `overlap`: EXEC-OVERLAP.

mod cache;
mod cumulative;
mod execution;
mod group;
mod overlap;
mod place;
mod record;
mod sets;

pub(crate) use execution::{Operand, Plan, Scalar};
pub(crate) use overlap::OverlapScratch;

use contract::case::RECORD;
use contract::isa::{ClauseSet, DEFINED_OPCODES, Generation};
use contract::outcome::{TensorReason, TensorVerdict};
use contract::state::TensorState;
use group::Group;
use record::Record;

/// What byte 0 of a record says about it.
#[derive(Clone, Copy)]
enum Opcode {
    /// No defined opcode: the preamble clauses alone apply.
    Undefined,
    /// Defined, but without a clause group in this model.
    OutOfScope,
    /// A row of [`GROUPS`].
    Group(&'static Group),
}

/// The clause groups that this model has, one row per opcode. A new group is a new row; until it
/// stands here, its opcodes are OUT_OF_SCOPE.
const GROUPS: [&Group; 4] =
    [&cache::REDUCE, &cache::CUMULATIVE, &cumulative::ARITH, &cumulative::BITVEC];

/// Dispatch by byte 0 alone (spec 02 section 1, item 6).
static OPCODES: [Opcode; 256] = {
    let mut table = [Opcode::Undefined; 256];
    let mut index = 0;
    while index < DEFINED_OPCODES.len() {
        table[DEFINED_OPCODES[index] as usize] = Opcode::OutOfScope;
        index += 1;
    }
    index = 0;
    while index < GROUPS.len() {
        table[GROUPS[index].opcode as usize] = Opcode::Group(GROUPS[index]);
        index += 1;
    }
    table
};

/// Judges a record: the plan of its execution, or the verdict that keeps it from being executed.
pub(crate) fn judge(
    state: &TensorState,
    bytes: &[u8; RECORD],
    scratch: &mut OverlapScratch,
) -> Result<Plan, TensorVerdict> {
    let record = Record::new(bytes);
    if state.generation == Generation::Maverick && record.words[0] & 0xFFFF_0000 != 0 {
        return Err(TensorVerdict::Unsupported(TensorReason::HdrTile));
    }
    let sets = sets::of(state.generation);
    let mut failing = ClauseSet::EMPTY;
    match OPCODES[record.bytes[0] as usize] {
        Opcode::OutOfScope => Err(TensorVerdict::Unsupported(TensorReason::OutOfScope)),
        Opcode::Undefined => {
            group::check_bytes(group::PREAMBLE, &record, sets, &mut failing);
            Err(TensorVerdict::Reject(failing))
        }
        Opcode::Group(group) => {
            if let Some(reason) = place::marker_reason(group, &record, state.generation) {
                return Err(TensorVerdict::Unsupported(reason));
            }
            group::check_bytes(group::PREAMBLE, &record, sets, &mut failing);
            group::check(group, &record, state.generation, &mut failing);
            if !failing.is_empty() {
                return Err(TensorVerdict::Reject(failing));
            }
            execution::plan(group, &record, state, scratch).map_err(TensorVerdict::Fault)
        }
    }
}
