//! Execution preconditions of a valid record: rows 6 and later of spec 01 section 7.1. The first that
//! fails gives the fault's reason. Row 5 (EXEC-OPCODE) is decided where instructions are dispatched.

use crate::tensor::address::{Place, active_bytes};
use crate::tensor::operands::{Operand, Operands};
use crate::verdict::immediate::ptr_ok;
use contract::isa::Dtype;
use contract::outcome::TensorReason;
use contract::state::TensorState;

/// Largest number of elements that one instruction may stream.
const MAX_ELEMENTS: u128 = 1 << 20;

/// Partitions of either memory.
const PARTITIONS: u32 = 128;

/// A precondition: true if it holds. The byte set is scratch memory.
type Precondition = fn(&TensorState, &Operands, &mut ByteSet) -> bool;

/// The preconditions in the order of the list. A row belongs here when a family that can fail it is
/// executed.
const PRECONDITIONS: &[(TensorReason, Precondition)] = &[
    (TensorReason::ExecAddrreg, exec_addrreg),
    (TensorReason::ExecImmreg, exec_immreg),
    (TensorReason::ExecBounds, exec_bounds),
    (TensorReason::ExecSize, exec_size),
    (TensorReason::ExecOverlap, exec_overlap),
    (TensorReason::Exec64, exec_64),
];

/// The first precondition that fails.
pub fn first_failing(
    state: &TensorState,
    operands: &Operands,
    scratch: &mut ByteSet,
) -> Option<TensorReason> {
    PRECONDITIONS
        .iter()
        .find(|(_, holds)| !holds(state, operands, scratch))
        .map(|(reason, _)| reason.clone())
}

/// EXEC-ADDRREG: no pattern starts at an address register; only immediates read the register file.
fn exec_addrreg(_: &TensorState, operands: &Operands, _: &mut ByteSet) -> bool {
    operands.patterns().all(|operand| !operand.pattern.start.is_register())
}

/// EXEC-IMMREG: the address in the register of every register-pointer immediate is a legal pointer.
fn exec_immreg(state: &TensorState, operands: &Operands, _: &mut ByteSet) -> bool {
    operands.immediates.iter().flatten().all(|immediate| match immediate.register() {
        None => true,
        Some(register) => ptr_ok(
            state.generation,
            state.registers[register],
            operands.channels,
            immediate.dtype.wire(),
        ),
    })
}

/// EXEC-BOUNDS: every element of every channel stays inside the active bytes of its own partition,
/// and the channels stay inside the memory (DD-BOUNDS).
fn exec_bounds(state: &TensorState, operands: &Operands, _: &mut ByteSet) -> bool {
    operands.patterns().all(|operand| {
        let start = start_of(state, operand);
        let (low, high) = operand.byte_span(start);
        low >= 0
            && high <= i64::from(active_bytes(state.generation, start.space))
            && start.partition + operand.channels <= PARTITIONS
    })
}

/// EXEC-SIZE: stream length of the first source times channels is at most 2^20.
fn exec_size(_: &TensorState, operands: &Operands, _: &mut ByteSet) -> bool {
    operands.sources[0].is_none_or(|source| {
        u128::from(source.pattern.count()) * u128::from(operands.channels) <= MAX_ELEMENTS
    })
}

/// EXEC-OVERLAP: every source is disjoint from the destination, byte by byte, or coincides with it,
/// element by element (DD-OVERLAP).
fn exec_overlap(state: &TensorState, operands: &Operands, scratch: &mut ByteSet) -> bool {
    operands.sources.iter().flatten().all(|source| {
        coincide(state, source, &operands.destination)
            || disjoint(state, source, &operands.destination, scratch)
    })
}

/// Element size, channel count and the address of every stream position are equal.
fn coincide(state: &TensorState, source: &Operand, destination: &Operand) -> bool {
    let (from, to) = (start_of(state, source), start_of(state, destination));
    from == to
        && source.element_size() == destination.element_size()
        && source.channels == destination.channels
        && source.byte_offsets(from).eq(destination.byte_offsets(to))
}

/// No byte of a destination element is a byte of a source element. Every channel walks the same
/// offsets in its own partition, so common partitions and common offsets decide.
fn disjoint(
    state: &TensorState,
    source: &Operand,
    destination: &Operand,
    scratch: &mut ByteSet,
) -> bool {
    let (from, to) = (start_of(state, source), start_of(state, destination));
    let common_partition = from.space == to.space
        && from.partition < to.partition + destination.channels
        && to.partition < from.partition + source.channels;
    let (low, high) = destination.byte_span(to);
    let (source_low, source_high) = source.byte_span(from);
    if !common_partition || source_high <= low || high <= source_low {
        return true;
    }
    scratch.clear(low, high);
    for offset in destination.byte_offsets(to) {
        scratch.insert(offset, destination.element_size());
    }
    source.byte_offsets(from).all(|offset| !scratch.meets(offset, source.element_size()))
}

/// EXEC-64: FP32 computation has no 64-bit source or destination (spec 03 section 3.2).
fn exec_64(_: &TensorState, operands: &Operands, _: &mut ByteSet) -> bool {
    !operands.computes_in_fp32
        || operands.patterns().all(|operand| !matches!(operand.dtype, Dtype::Int64 | Dtype::Uint64))
}

/// The start of a pattern that passed EXEC-ADDRREG and the pattern clause.
fn start_of(state: &TensorState, operand: &Operand) -> Place {
    operand
        .start(state.generation)
        .expect("the pattern clause admits only addresses in a region, EXEC-ADDRREG no register")
}

/// A set of byte offsets inside a span.
#[derive(Debug, Clone, Default)]
pub struct ByteSet {
    low: i64,
    high: i64,
    words: Vec<u64>,
}

impl ByteSet {
    /// Becomes the empty set over the offsets `low .. high`.
    fn clear(&mut self, low: i64, high: i64) {
        self.low = low;
        self.high = high;
        self.words.clear();
        self.words.resize(((high - low) as usize).div_ceil(64), 0);
    }

    /// Adds the bytes of one element of the span.
    fn insert(&mut self, offset: i64, size: u32) {
        for byte in 0..i64::from(size) {
            let at = (offset + byte - self.low) as usize;
            self.words[at / 64] |= 1 << (at % 64);
        }
    }

    /// True if a byte of the element is in the set.
    fn meets(&self, offset: i64, size: u32) -> bool {
        (offset..offset + i64::from(size)).any(|byte| {
            let at = (byte - self.low) as usize;
            (self.low..self.high).contains(&byte) && self.words[at / 64] >> (at % 64) & 1 == 1
        })
    }
}
