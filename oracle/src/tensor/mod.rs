//! The tensor half of the reference model: what an accepted record does to memory and accumulators
//! (spec 03), after [`crate::verdict`] has judged it. One file per instruction family; a new family
//! adds a file here and a row to `FAMILIES`.
//!
//! - [`record`], [`pattern`], [`address`]: decoding of the 64 bytes. [`operands`]: what a valid record
//!   reads and writes.
//! - [`memory`], [`scalar`]: element access, write list, immediates.
//! - [`cache`]: 0x9A and 0xE6. [`cumulative`]: 0x4E and 0x5E.

pub mod address;
pub mod cache;
pub mod cumulative;
pub mod memory;
pub mod operands;
pub mod pattern;
pub mod record;
pub mod scalar;

use crate::verdict;
use crate::verdict::precondition::{self, ByteSet};
use address::Place;
use contract::case::RECORD;
use contract::isa::layout::header;
use contract::model::TensorModel;
use contract::outcome::{TensorReason, TensorStep, TensorVerdict};
use contract::state::{OutsideCase, TensorState};
use memory::WriteList;
use operands::{Operand, Operands};

/// An instruction family: the opcodes it executes, what their records operate on, what they do.
struct Family {
    opcodes: &'static [u8],
    operands: fn(&[u8; RECORD]) -> Operands,
    execute: Execute,
}

type Execute = fn(
    &mut Execution,
    &mut TensorState,
    &[u8; RECORD],
    &Operands,
) -> Result<TensorStep, OutsideCase>;

/// The families that are executed. A valid record without a row is EXEC-OPCODE.
const FAMILIES: &[Family] = &[
    Family { opcodes: &verdict::cr::OPCODES, operands: cache::operands, execute: cache::execute },
    Family {
        opcodes: &verdict::tc::OPCODES,
        operands: cumulative::operands,
        execute: cumulative::execute,
    },
];

/// Buffers of one execution.
#[derive(Debug, Clone, Default)]
pub struct Execution {
    writes: WriteList,
}

/// The reference model of the tensor side. It keeps nothing from step to step but its buffers.
#[derive(Debug, Clone, Default)]
pub struct OracleTensor {
    execution: Execution,
    overlap: ByteSet,
}

impl OracleTensor {
    /// The verdict on a record (spec 01 section 7.1, every row), without executing it.
    pub fn verdict(&mut self, state: &TensorState, record: &[u8; RECORD]) -> TensorVerdict {
        self.judge(state, record).err().unwrap_or(TensorVerdict::Accept)
    }

    /// The family and the operands of a record that may be executed, or the verdict that keeps it from it.
    fn judge(
        &mut self,
        state: &TensorState,
        record: &[u8; RECORD],
    ) -> Result<(&'static Family, Operands), TensorVerdict> {
        verdict::judge(state.generation, record)?;
        let opcode = record[header::OPCODE];
        let family = FAMILIES
            .iter()
            .find(|family| family.opcodes.contains(&opcode))
            .ok_or(TensorVerdict::Unsupported(TensorReason::ExecOpcode))?;
        let operands = (family.operands)(record);
        match precondition::first_failing(state, &operands, &mut self.overlap) {
            Some(reason) => Err(TensorVerdict::Fault(reason)),
            None => Ok((family, operands)),
        }
    }
}

impl TensorModel for OracleTensor {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let (family, operands) = match self.judge(state, record) {
            Ok(found) => found,
            Err(verdict) => return Ok(TensorStep::new(verdict)),
        };
        self.execution.writes.clear();
        (family.execute)(&mut self.execution, state, record, &operands)
    }
}

/// The places of an operand's elements in one channel, in stream order.
///
/// # Panics
/// If the operand starts at no address; the pattern clause and EXEC-ADDRREG refuse such a record, and
/// EXEC-BOUNDS one whose offsets leave the partition.
fn channel_places<'a>(
    state: &TensorState,
    operand: &'a Operand,
    channel: u32,
) -> impl Iterator<Item = Place> + use<'a> {
    let start = operand
        .start(state.generation)
        .expect("the pattern clause admits only addresses in a region, EXEC-ADDRREG no register");
    let row = start.channel(channel);
    // EXEC-BOUNDS keeps every offset inside the partition, so it fits.
    operand.byte_offsets(start).map(move |offset| Place { offset: offset as u32, ..row })
}
