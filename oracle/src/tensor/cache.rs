//! TensorScalarCacheReduce 0x9A and TensorScalarCacheCumulative 0xE6 (spec 03 section 7.4): every
//! element is combined with a scalar, then folded into the channel's accumulator, which outlives the
//! instruction.

use crate::numeric::convert::{load, store};
use crate::numeric::format::{Fp32, ZERO};
use crate::numeric::fp32::{Operator, identity, operator};
use crate::tensor::memory::read_element;
use crate::tensor::operands::{Immediate, Operand, Operands};
use crate::tensor::record::S3d3Ts;
use crate::tensor::scalar::scalar;
use crate::tensor::{Execution, channel_places};
use contract::case::RECORD;
use contract::isa::{AccumCmd, AluOp, opcode};
use contract::outcome::{TensorStep, TensorVerdict};
use contract::profile::{Op1Order, ReduceEmit};
use contract::state::{OutsideCase, TensorState};

/// What a valid record operates on. imm1 is read only under LoadAccumulate.
pub fn operands(record: &[u8; RECORD]) -> Operands {
    let r = S3d3Ts::decode(record);
    let seed = r.accumulator_cmd == AccumCmd::LoadAccumulate.wire();
    Operands {
        sources: [Some(Operand::of_valid(r.source, r.in_dtype, r.num_active_channels)), None],
        destination: Operand::of_valid(r.destination, r.out_dtype, r.num_active_channels),
        immediates: [
            Some(Immediate::fp32_of_valid(r.imm0_src, r.imm0)),
            seed.then(|| Immediate::fp32_of_valid(r.imm1_src, r.imm1)),
        ],
        channels: r.num_active_channels,
        computes_in_fp32: true,
    }
}

/// Which values go to the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Emit {
    /// The running accumulator, in every slot.
    Running,
    /// The final accumulator, in the last slot; the other slots are not written (D-24).
    Last,
    /// `in op0 scalar0`, in every slot (`reduce_emit = elementwise`).
    Folded,
}

/// Executes a valid record whose preconditions hold.
///
/// # Errors
/// [`OutsideCase`] if a performed write leaves the case's memory; the state is then unchanged.
pub fn execute(
    execution: &mut Execution,
    state: &mut TensorState,
    record: &[u8; RECORD],
    operands: &Operands,
) -> Result<TensorStep, OutsideCase> {
    let r = S3d3Ts::decode(record);
    let [op0, op1] = [r.op0, r.op1].map(operator_of_valid);
    let emit = match (r.opcode, state.profile.reduce_emit) {
        (opcode::TENSOR_SCALAR_CACHE_CUMULATIVE, _) => Emit::Running,
        (_, ReduceEmit::LastSlot) => Emit::Last,
        (_, ReduceEmit::Elementwise) => Emit::Folded,
    };
    let Operands { sources: [Some(source), _], destination, immediates, .. } = operands else {
        unreachable!("`operands` gives this family a source")
    };

    let mut accumulators = state.accumulators;
    let mut seeded = state.seeded;
    let mut indeterminate_acc = false;
    for channel in 0..source.channels {
        let lane = channel as usize;
        let [scalar0, scalar1] =
            immediates.map(|immediate| immediate.map(|imm| scalar(state, &imm, channel)));
        let scalar0 = scalar0.expect("imm0 is always read");
        let mut accumulator = match AccumCmd::from_wire(r.accumulator_cmd) {
            Some(AccumCmd::ZeroAccumulate) => identity_of_valid(r.op1),
            Some(AccumCmd::LoadAccumulate) => scalar1.expect("imm1 is read under LoadAccumulate"),
            // Accumulate; CR-ACC admits nothing else.
            _ if state.seeded >> lane & 1 == 1 => state.accumulators[lane],
            _ => {
                // An unseeded lane goes on from its reset value (D-25).
                indeterminate_acc = true;
                ZERO
            }
        };

        let mut places = channel_places(state, source, channel)
            .zip(channel_places(state, destination, channel))
            .peekable();
        while let Some((from, to)) = places.next() {
            let element = load(read_element(state, from, source.element_size()), source.dtype);
            let folded = op0(element, scalar0);
            accumulator = match state.profile.op1_order {
                Op1Order::AccLeft => op1(accumulator, folded),
                Op1Order::AccRight => op1(folded, accumulator),
            };
            let emitted = match emit {
                Emit::Running => accumulator,
                Emit::Folded => folded,
                Emit::Last if places.peek().is_none() => accumulator,
                Emit::Last => continue,
            };
            let code = store(emitted, destination.dtype, &state.profile);
            execution.writes.push(to, destination.element_size(), code);
        }
        accumulators[lane] = accumulator;
        seeded |= 1 << lane;
    }

    execution.writes.perform(state)?;
    state.accumulators = accumulators;
    state.seeded = seeded;
    Ok(TensorStep { verdict: TensorVerdict::Accept, indeterminate_acc })
}

/// The C_F operator of a valid record's byte.
fn operator_of_valid(op: u8) -> Operator {
    AluOp::from_wire(op)
        .and_then(operator)
        .expect("CR-OP0-GEN and CR-OP1 admit only operators of C_F")
}

/// The start value of ZeroAccumulate.
fn identity_of_valid(op: u8) -> Fp32 {
    AluOp::from_wire(op).and_then(identity).expect("CR-OP1 admits only operators with an identity")
}
