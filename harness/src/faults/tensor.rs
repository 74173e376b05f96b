//! Misreadings of the tensor chapters, as wrappers over [`TensorModel::step`].

use super::Fault;
use crate::compare::{Destinations, Element};
use crate::family::Family;
use crate::models::BoxedModel;
use crate::number::value_of;
use contract::case::{RECORD, TensorCase};
use contract::isa::layout::{s3d3_ts, s4d4_tr};
use contract::isa::{AccumCmd, ClauseId, ClauseSet, Dtype, opcode};
use contract::model::{StepModel, TensorModel};
use contract::outcome::{TensorStep, TensorVerdict};
use contract::state::{OutsideCase, Region, Space, TensorState};
use std::collections::BTreeMap;

/// Faults of the tensor family.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "op1-before-op0",
        family: Family::Tensor,
        story: "0x9A and 0xE6 combine with op0 and apply op1 to the element",
        source: "spec 03 section 7.4: t = op0(x, s0), then A = op1(A, t)",
        make: || wrap(Op1BeforeOp0),
    },
    Fault {
        name: "accumulator-not-carried",
        family: Family::Tensor,
        story: "Accumulate starts from zero instead of from the lane's accumulator",
        source: "spec 03 section 7.4: the start value under Accumulate is acc[c]",
        make: || wrap(AccumulatorNotCarried),
    },
    Fault {
        name: "fp8-tie-up",
        family: Family::Tensor,
        story: "a store to FP8 rounds a tie away from zero instead of to even",
        source: "spec 03 section 3.4: round to nearest, ties to even",
        make: || wrap(Fp8TieUp),
    },
    Fault {
        name: "negated-unchecked",
        family: Family::Tensor,
        story: "the scans take any value of the byte `negated`",
        source: "spec 02 section 4.2: TC-NEG0",
        make: || wrap(NegatedUnchecked),
    },
    Fault {
        name: "int32-cache-reduce",
        family: Family::Tensor,
        story: "0x9A takes INT32 elements",
        source: "spec 02 section 4.1: CR-TYPES leaves out INT32 and UINT32",
        make: || wrap(Int32CacheReduce),
    },
];

/// A misreading: executes a step on a right model, wrongly.
trait Misreading: Send + 'static {
    /// Does the step.
    fn step(
        &mut self,
        model: &mut dyn TensorModel,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase>;
}

struct Faulty<F, M> {
    fault: F,
    model: M,
}

impl<F: Misreading, M: TensorModel> TensorModel for Faulty<F, M> {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        self.fault.step(&mut self.model, state, record)
    }
}

fn wrap(fault: impl Misreading) -> BoxedModel {
    let right = candidate::model();
    let tensor = Faulty { fault, model: right.tensor };
    Box::new(StepModel::new("candidate with a planted fault", tensor, right.vector))
}

const fn is_cache_op(record: &[u8; RECORD]) -> bool {
    matches!(record[0], opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE)
}

const fn is_scan(record: &[u8; RECORD]) -> bool {
    matches!(record[0], opcode::TENSOR_CUMULATIVE_ARITH | opcode::TENSOR_CUMULATIVE_BITVEC)
}

/// Swaps op0 and op1 where the swapped record is legal too.
struct Op1BeforeOp0;

impl Misreading for Op1BeforeOp0 {
    fn step(
        &mut self,
        model: &mut dyn TensorModel,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        if is_cache_op(record) {
            let mut right = state.clone();
            let step = model.step(&mut right, record)?;
            if step.verdict == TensorVerdict::Accept {
                let mut swapped = *record;
                swapped.swap(s3d3_ts::OP0, s3d3_ts::OP1);
                if model.step(state, &swapped)?.verdict != TensorVerdict::Accept {
                    *state = right;
                }
            }
            return Ok(step);
        }
        model.step(state, record)
    }
}

/// Clears the accumulators of the active lanes before an Accumulate; the seeded flags stay.
struct AccumulatorNotCarried;

impl Misreading for AccumulatorNotCarried {
    fn step(
        &mut self,
        model: &mut dyn TensorModel,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let accumulates =
            is_cache_op(record) && record[s3d3_ts::ACCUMULATOR_CMD] == AccumCmd::Accumulate.wire();
        if !accumulates {
            return model.step(state, record);
        }
        let before = state.accumulators;
        let lanes = usize::from(record[s3d3_ts::NUM_ACTIVE_CHANNELS]).min(before.len());
        state.accumulators[..lanes].fill(0);
        let step = model.step(state, record)?;
        if step.verdict != TensorVerdict::Accept {
            state.accumulators = before;
        }
        Ok(step)
    }
}

/// Lets the scans pass whatever `negated` holds.
struct NegatedUnchecked;

impl Misreading for NegatedUnchecked {
    fn step(
        &mut self,
        model: &mut dyn TensorModel,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let mut read = *record;
        if is_scan(record) {
            read[s4d4_tr::NEGATED] = 0;
        }
        model.step(state, &read)
    }
}

/// Rounds ties of FP8 stores away from zero: the same step with an FP32 destination in a scratch region
/// shows the value that was rounded.
struct Fp8TieUp;

impl Misreading for Fp8TieUp {
    fn step(
        &mut self,
        model: &mut dyn TensorModel,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let Some((dtype_at, pattern_at, rank)) = destination_fields(record) else {
            return model.step(state, record);
        };
        let dtype = Dtype::from_wire(record[dtype_at]);
        let Some(dtype @ (Dtype::Fp8Exp3 | Dtype::Fp8Exp4 | Dtype::Fp8Exp5)) = dtype else {
            return model.step(state, record);
        };
        let mut wide_state = state.clone();
        let step = model.step(state, record)?;
        if step.verdict != TensorVerdict::Accept {
            return Ok(step);
        }
        let elements = elements_of(state, record);
        let Some((wide, scratch)) = widen(&mut wide_state, record, dtype_at, pattern_at, rank)
        else {
            return Ok(step);
        };
        if model.step(&mut wide_state, &wide)?.verdict != TensorVerdict::Accept {
            return Ok(step);
        }
        for element in &elements {
            let unrounded = scratch + 4 * element.position;
            let bytes = [0, 1, 2, 3]
                .map(|index| wide_state.read_byte(Space::Sbuf, element.channel, unrounded + index));
            let value = f64::from(f32::from_le_bytes(bytes));
            let code = state.read_byte(element.space, element.partition, element.offset);
            if ties_below(dtype, code, value) {
                state.write_byte(element.space, element.partition, element.offset, code + 1)?;
            }
        }
        Ok(step)
    }
}

/// True if the value lies half-way between a code and the next one away from zero.
fn ties_below(dtype: Dtype, code: u8, value: f64) -> bool {
    let magnitude = |code: u8| value_of(dtype, u64::from(code & 0x7F)).unwrap_or(f64::NAN);
    let (low, high) = (magnitude(code), magnitude(code.wrapping_add(1)));
    value != 0.0 && high.is_finite() && value.abs() == (low + high) / 2.0
}

/// Offsets of dtype and pattern of the destination, and the pattern's rank.
const fn destination_fields(record: &[u8; RECORD]) -> Option<(usize, usize, usize)> {
    if is_cache_op(record) {
        Some((s3d3_ts::OUT_DTYPE, s3d3_ts::DST_MEM_PATTERN, 3))
    } else if is_scan(record) {
        Some((s4d4_tr::OUT_DTYPE, s4d4_tr::DST_MEM_PATTERN, 4))
    } else {
        None
    }
}

/// Elements that a record writes.
fn elements_of(state: &TensorState, record: &[u8; RECORD]) -> Vec<Element> {
    let case = TensorCase {
        id: String::new(),
        generation: state.generation,
        profile: state.profile,
        memory: Vec::new(),
        registers: BTreeMap::new(),
        program: vec![*record],
    };
    Destinations::of(&case, &[TensorStep::new(TensorVerdict::Accept)]).elements().collect()
}

/// The record with an FP32 destination behind every region, elements side by side from partition 0,
/// and its first offset; adds a region for it. `None` if the partitions have no room.
fn widen(
    state: &mut TensorState,
    record: &[u8; RECORD],
    dtype_at: usize,
    pattern_at: usize,
    rank: usize,
) -> Option<([u8; RECORD], u32)> {
    let half = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let counts: Vec<u32> =
        (0..rank).map(|axis| u32::from(half(pattern_at + 4 + 2 * rank + 2 * axis))).collect();
    let bytes = 4 * counts.iter().product::<u32>();
    let in_sbuf = state.regions.iter().filter(|region| region.space == Space::Sbuf);
    let end = in_sbuf.map(|region| region.offset + region.stride).max().unwrap_or(0);
    let scratch = end.next_multiple_of(64);
    if scratch + bytes > state.generation.geometry().sbuf_active {
        return None;
    }
    let channels = u32::from(record[s3d3_ts::NUM_ACTIVE_CHANNELS]);
    state.regions.push(Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: channels,
        offset: scratch,
        stride: bytes,
        data: vec![0; (channels * bytes) as usize],
    });
    let mut wide = *record;
    wide[dtype_at] = Dtype::Fp32.wire();
    wide[pattern_at..pattern_at + 4].copy_from_slice(&scratch.to_le_bytes());
    let mut step = 1;
    for (axis, count) in counts.into_iter().enumerate() {
        let at = pattern_at + 4 + 2 * axis;
        let field = if count == 1 { 1 } else { i16::try_from(step).ok()? };
        wide[at..at + 2].copy_from_slice(&field.to_le_bytes());
        step *= count;
    }
    Some((wide, scratch))
}

/// Executes 0x9A on INT32 as if the clause were not there: elements are converted to FP32 first.
struct Int32CacheReduce;

impl Misreading for Int32CacheReduce {
    fn step(
        &mut self,
        model: &mut dyn TensorModel,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let only = TensorVerdict::Reject(ClauseSet::of(ClauseId::CrTypes));
        let right = model.step(state, record)?;
        let concerned = record[0] == opcode::TENSOR_SCALAR_CACHE_REDUCE
            && record[s3d3_ts::IN_DTYPE] == Dtype::Int32.wire()
            && right.verdict == only;
        if !concerned {
            return Ok(right);
        }
        let mut read = *record;
        read[s3d3_ts::IN_DTYPE] = Dtype::Fp32.wire();
        let mut converted = state.clone();
        for element in sources_of(state, &read) {
            let mut bytes = [0; 4];
            for (index, byte) in bytes.iter_mut().enumerate() {
                let offset = element.offset + index as u32;
                *byte = state.read_byte(element.space, element.partition, offset);
            }
            let value = i32::from_le_bytes(bytes) as f32;
            for (index, byte) in value.to_le_bytes().into_iter().enumerate() {
                let offset = element.offset + index as u32;
                // A source outside the case's memory reads as zero, which is 0.0 too.
                let _ = converted.write_byte(element.space, element.partition, offset, byte);
            }
        }
        let step = model.step(&mut converted, &read)?;
        if step.verdict == TensorVerdict::Accept {
            for element in elements_of(state, record) {
                for index in 0..u32::from(element.dtype.storage_bytes()) {
                    let (space, partition) = (element.space, element.partition);
                    let offset = element.offset + index;
                    let byte = converted.read_byte(space, partition, offset);
                    state.write_byte(space, partition, offset, byte)?;
                }
            }
            state.accumulators = converted.accumulators;
            state.seeded = converted.seeded;
        }
        Ok(step)
    }
}

/// Elements that a 0x9A record reads: those of a record that would write them.
fn sources_of(state: &TensorState, record: &[u8; RECORD]) -> Vec<Element> {
    let mut reversed = *record;
    // 0xE6 writes every position; 0x9A the last alone.
    reversed[0] = opcode::TENSOR_SCALAR_CACHE_CUMULATIVE;
    reversed[s3d3_ts::OUT_DTYPE] = record[s3d3_ts::IN_DTYPE];
    reversed.copy_within(
        s3d3_ts::SRC_MEM_PATTERN..s3d3_ts::SRC_MEM_PATTERN + 16,
        s3d3_ts::DST_MEM_PATTERN,
    );
    elements_of(state, &reversed)
}
