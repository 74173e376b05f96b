//! TensorScalarCacheReduce (0x9A) and TensorScalarCacheCumulative (0xE6): spec 03 section 7.4.

use super::stream::{Emit, Input, Job, Output, Recurrence, Scratch, run};
use crate::numeric::load::Load;
use crate::numeric::operator::Operator;
use crate::numeric::store::Store;
use crate::simd::Supported;
use crate::verdict::{Plan, Scalar};
use contract::case::RECORD;
use contract::isa::layout::s3d3_ts as ts;
use contract::isa::{AccumCmd, AluOp, Dtype, opcode};
use contract::profile::{Op1Order, ReduceEmit};
use contract::state::{OutsideCase, TensorState};

/// Executes a valid record; the answer is the flag INDETERMINATE_ACC (D-25).
///
/// # Errors
/// The first byte written outside every region; the state is then unchanged.
pub(crate) fn execute(
    plan: &Plan,
    record: &[u8; RECORD],
    state: &mut TensorState,
    path: Supported,
    scratch: &mut Scratch,
) -> Result<bool, OutsideCase> {
    let job = job(plan, record, state);
    let active = u128::MAX >> (128 - plan.channels);
    let mut indeterminate = false;
    read_scalars(state, plan.immediates[0], &mut scratch.scalars[..plan.channels]);
    let starts = &mut scratch.accumulators[..plan.channels];
    match AccumCmd::from_wire(record[ts::ACCUMULATOR_CMD]) {
        Some(AccumCmd::LoadAccumulate) => read_scalars(state, plan.immediates[1], starts),
        Some(AccumCmd::Accumulate) => {
            indeterminate = state.seeded & active != active;
            for (channel, start) in starts.iter_mut().enumerate() {
                let seeded = state.seeded >> channel & 1 == 1;
                *start = if seeded { state.accumulators[channel] } else { 0 };
            }
        }
        // ZeroAccumulate: no other command passes CR-ACC.
        _ => starts.fill(
            AluOp::from_wire(record[ts::OP1]).and_then(Operator::identity).unwrap_or_default(),
        ),
    }
    run(&job, state, path, scratch)?;
    let channels = plan.channels;
    state.accumulators[..channels].copy_from_slice(&scratch.accumulators[..channels]);
    state.seeded |= active;
    Ok(indeterminate)
}

/// The job of a record. Every field has passed its clause, so no `None` arises; a missing operator
/// would be Bypass or Add.
fn job<'a>(plan: &'a Plan, record: &[u8; RECORD], state: &TensorState) -> Job<'a> {
    let profile = &state.profile;
    let dtype = |at: usize| Dtype::from_wire(record[at]);
    let alu_op = |at: usize| AluOp::from_wire(record[at]);
    let right = profile.op1_order == Op1Order::AccRight;
    let emit = match (plan.opcode, profile.reduce_emit) {
        (opcode::TENSOR_SCALAR_CACHE_CUMULATIVE, _) => Emit::Running,
        (_, ReduceEmit::LastSlot) => Emit::Last,
        (_, ReduceEmit::Elementwise) => Emit::Mapped,
    };
    Job {
        source: &plan.source,
        destination: &plan.destination,
        channels: plan.channels,
        run: plan.source.walk.length() as usize,
        input: Input {
            load: dtype(ts::IN_DTYPE).and_then(Load::float).unwrap_or(Load::Bits32),
            to_integer: None,
        },
        output: Output {
            from_integer: None,
            store: dtype(ts::OUT_DTYPE)
                .and_then(|dtype| Store::float(dtype, profile))
                .unwrap_or(Store::Bits32),
        },
        recurrence: Recurrence::Accumulate {
            map: alu_op(ts::OP0).and_then(Operator::float).unwrap_or(Operator::BYPASS),
            combine: alu_op(ts::OP1)
                .and_then(|op| Operator::combine(op, right))
                .unwrap_or(Operator::ADD),
            emit,
        },
    }
}

/// Reads an FP32 immediate of every channel (spec 03 section 3.6), before anything is written.
fn read_scalars(state: &TensorState, scalar: Scalar, values: &mut [u32]) {
    match scalar {
        Scalar::Inline(word) => values.fill(word),
        Scalar::Pointer(place) => {
            for (value, partition) in values.iter_mut().zip(place.partition..) {
                let byte = |k| state.read_byte(place.space, partition, place.offset + k);
                *value = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
            }
        }
    }
}
