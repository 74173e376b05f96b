//! TensorCumulative 0x4E (arithmetic) and 0x5E (bitvec) (spec 03 section 7.5): an inclusive scan that
//! starts afresh in every run of the axes that op_dim names.

use crate::numeric::compute::{
    BitsCompute, Compute, FloatCompute, IntegerCompute, bits_compute_width, integer_compute_format,
    is_integer_operator,
};
use crate::numeric::{bits, fp32, integer};
use crate::tensor::memory::read_element;
use crate::tensor::operands::{Operand, Operands};
use crate::tensor::pattern::Pattern;
use crate::tensor::record::S4d4Tr;
use crate::tensor::{Execution, channel_places};
use contract::case::RECORD;
use contract::isa::{AluOp, Subdim, opcode};
use contract::outcome::{TensorStep, TensorVerdict};
use contract::state::{OutsideCase, TensorState};

/// What a valid record operates on.
pub fn operands(record: &[u8; RECORD]) -> Operands {
    let r = S4d4Tr::decode(record);
    Operands {
        sources: [Some(Operand::of_valid(r.source, r.in_dtype, r.num_active_channels)), None],
        destination: Operand::of_valid(r.destination, r.out_dtype, r.num_active_channels),
        immediates: [None; 2],
        channels: r.num_active_channels,
        computes_in_fp32: r.opcode == opcode::TENSOR_CUMULATIVE_ARITH
            && !is_integer_operator(operator_of_valid(r.op)),
    }
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
    let r = S4d4Tr::decode(record);
    let op = operator_of_valid(r.op);
    let Operands { sources: [Some(source), _], destination, .. } = operands else {
        unreachable!("`operands` gives this family a source")
    };
    let profile = &state.profile;
    let length = run_length(&source.pattern, r.op_dim);
    if r.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
        let compute = BitsCompute {
            operator: bits::operator(op).expect("TC-BV admits only operators of C_B"),
            width: bits_compute_width(source.dtype).expect("TC-DT-BV admits only sized dtypes"),
        };
        scan(execution, state, &compute, source, destination, length);
    } else if is_integer_operator(op) {
        let compute = IntegerCompute {
            operator: integer::operator(op).expect("TC-AR and TC-EXCL leave five of the band"),
            format: integer_compute_format(source.dtype),
            source: source.dtype,
            destination: destination.dtype,
            profile,
        };
        scan(execution, state, &compute, source, destination, length);
    } else {
        let compute = FloatCompute {
            operator: fp32::operator(op).expect("TC-AR and TC-EXCL admit only operators of C_F"),
            source: source.dtype,
            destination: destination.dtype,
            profile,
        };
        scan(execution, state, &compute, source, destination, length);
    }
    execution.writes.perform(state)?;
    Ok(TensorStep::new(TensorVerdict::Accept))
}

/// The recurrence: `r_0 = ld(x_0)`, `r_i = op(r_{i-1}, ld(x_i))`, `dst_i = st(r_i)` in every run.
/// The first element of a run does not pass through the operator, and the running value is never
/// rounded to a dtype.
fn scan<C: Compute>(
    execution: &mut Execution,
    state: &TensorState,
    compute: &C,
    source: &Operand,
    destination: &Operand,
    length: u64,
) {
    for channel in 0..source.channels {
        let mut running: Option<C::Value> = None;
        let places =
            channel_places(state, source, channel).zip(channel_places(state, destination, channel));
        for (position, (from, to)) in (0_u64..).zip(places) {
            let element = compute.load(read_element(state, from, source.element_size()));
            let value = match running {
                Some(running) if position % length != 0 => compute.combine(running, element),
                _ => element,
            };
            running = Some(value);
            execution.writes.push(to, destination.element_size(), compute.store(value));
        }
    }
}

/// Elements of a run: the product of the source counts of the axes that op_dim names.
fn run_length(source: &Pattern, op_dim: u8) -> u64 {
    let axes = match Subdim::from_wire(op_dim) {
        Some(Subdim::X) => 1,
        Some(Subdim::XY) => 2,
        Some(Subdim::XYZ) => 3,
        // XYZW; TC-DIM admits nothing else.
        _ => 4,
    };
    source.counts[..axes].iter().map(|&count| u64::from(count)).product()
}

/// The operator of a valid record's byte.
fn operator_of_valid(op: u8) -> AluOp {
    AluOp::from_wire(op).expect("TC-OP-ENUM admits only members")
}
