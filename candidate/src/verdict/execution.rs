//! Execution preconditions of a valid record (spec 01 section 7.1, rows 6 to 10), and the plan that a
//! record becomes when they hold: everything that execution needs to know about where its operands lie.
//! Row 11 cannot arise: no group here admits a 64-bit dtype.

use super::group::{Group, MAX_IMMEDIATES, MAX_PATTERNS};
use super::overlap::{OverlapScratch, may_not_run};
use super::place::{Place, locate, pointer_ok};
use super::record::{ADDRESS, MARKER_REGISTER, Pattern, Record};
use crate::tensor::Walk;
use contract::isa::{Dtype, Geometry};
use contract::outcome::TensorReason;
use contract::state::{Space, TensorState};

/// Most elements of an instruction (EXEC-SIZE).
const MAX_ELEMENTS: u64 = 1 << 20;

/// A pattern with its place in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operand {
    /// Memory.
    pub space: Space,
    /// Partition of channel 0.
    pub partition: u32,
    /// Addresses inside a partition.
    pub walk: Walk,
    /// First byte of the lowest element.
    pub low: u32,
    /// The byte after the highest element.
    pub high: u32,
    /// The pattern as written.
    pub pattern: Pattern,
}

/// An immediate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// The word itself.
    Inline(u32),
    /// One value per channel, in consecutive partitions from here.
    Pointer(Place),
}

/// An executable record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Byte 0.
    pub opcode: u8,
    /// Active channels.
    pub channels: usize,
    /// First source.
    pub source: Operand,
    /// Destination.
    pub destination: Operand,
    /// Immediates of the group, in order; those it lacks are inline zeros.
    pub immediates: [Scalar; MAX_IMMEDIATES],
}

/// Checks the preconditions in their order and places the operands.
pub(crate) fn plan(
    group: &Group,
    record: &Record<'_>,
    state: &TensorState,
    scratch: &mut OverlapScratch,
) -> Result<Plan, TensorReason> {
    let geometry = state.generation.geometry();
    let channels = record.bytes[group.channels];
    if group.patterns.iter().any(|field| record.word32(field.at) >> 29 == MARKER_REGISTER) {
        return Err(TensorReason::ExecAddrreg);
    }
    let mut immediates = [Scalar::Inline(0); MAX_IMMEDIATES];
    for (scalar, field) in immediates.iter_mut().zip(group.immediates) {
        let word = record.word32(field.word);
        *scalar = match record.bytes[field.source] {
            0 => Scalar::Inline(word),
            1 => pointer(geometry, word, channels)?,
            _ => pointer(geometry, state.registers[(word & 0x3F) as usize], channels)?,
        };
    }
    let mut operands = [None; MAX_PATTERNS];
    for (operand, field) in operands.iter_mut().zip(group.patterns) {
        let pattern = record.pattern(field.at, field.rank);
        *operand = Some(place(geometry, pattern, record.bytes[field.dtype], channels)?);
    }
    // Every group has a source and a destination, and each was just placed.
    let [Some(source), Some(destination)] = operands else {
        return Err(TensorReason::ExecBounds);
    };
    if source.walk.length() > MAX_ELEMENTS / u64::from(channels) {
        return Err(TensorReason::ExecSize);
    }
    if may_not_run(&destination, &source, u32::from(channels), scratch) {
        return Err(TensorReason::ExecOverlap);
    }
    let channels = usize::from(channels);
    Ok(Plan { opcode: group.opcode, channels, source, destination, immediates })
}

/// The pointer of an immediate, or EXEC-IMMREG. A pointer in the record itself has passed its clause.
fn pointer(geometry: &Geometry, word: u32, channels: u8) -> Result<Scalar, TensorReason> {
    if !pointer_ok(geometry, word, channels, 3) {
        return Err(TensorReason::ExecImmreg);
    }
    locate(geometry, word).map(Scalar::Pointer).ok_or(TensorReason::ExecImmreg)
}

/// Places a pattern, or EXEC-BOUNDS (spec 01 DD-BOUNDS): the corner extremes of the walk must stay in
/// the active part of a partition and the channels in the memory.
fn place(
    geometry: &Geometry,
    pattern: Pattern,
    dtype: u8,
    channels: u8,
) -> Result<Operand, TensorReason> {
    // The clauses have made sure of the region and of a dtype with a size.
    let start = locate(geometry, pattern.address & ADDRESS).ok_or(TensorReason::ExecBounds)?;
    let size = Dtype::from_wire(dtype).map_or(1, |dtype| u32::from(dtype.storage_bytes()));
    let walk = Walk::new(i64::from(start.offset), size, pattern.axes());
    let active = match start.space {
        Space::Sbuf => geometry.sbuf_active,
        Space::Psum => geometry.psum_active,
    };
    let (low, high) = walk.hull();
    if low < 0
        || high > i64::from(active)
        || start.partition + u32::from(channels) > geometry.partitions
    {
        return Err(TensorReason::ExecBounds);
    }
    Ok(Operand {
        space: start.space,
        partition: start.partition,
        walk,
        low: low as u32,
        high: high as u32,
        pattern,
    })
}
