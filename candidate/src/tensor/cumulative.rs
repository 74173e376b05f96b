//! TensorCumulative (0x4E arithmetic, 0x5E bitvec): spec 03 section 7.5.

use super::stream::{Input, Job, Output, Recurrence, Scratch, run};
use crate::numeric::load::Load;
use crate::numeric::operator::Operator;
use crate::numeric::store::Store;
use crate::simd::Supported;
use crate::verdict::Plan;
use contract::case::RECORD;
use contract::isa::layout::s4d4_tr as tr;
use contract::isa::{AluOp, Dtype, opcode};
use contract::profile::{F2iRound, Profile};
use contract::state::{OutsideCase, TensorState};

/// Executes a valid record.
///
/// # Errors
/// The first byte written outside every region; the state is then unchanged.
pub(crate) fn execute(
    plan: &Plan,
    record: &[u8; RECORD],
    state: &mut TensorState,
    path: Supported,
    scratch: &mut Scratch,
) -> Result<(), OutsideCase> {
    // op_dim 2 names X, 3 XY, and so on; every run of the named axes starts afresh.
    let axes = usize::from(record[tr::OP_DIM]).saturating_sub(1);
    let (input, output, operator) = compute(plan.opcode, record, &state.profile);
    let job = Job {
        source: &plan.source,
        destination: &plan.destination,
        channels: plan.channels,
        run: plan.source.pattern.inner_count(axes) as usize,
        input,
        output,
        recurrence: Recurrence::Scan(operator),
    };
    run(&job, state, path, scratch)
}

/// Conversions and operator by compute type (spec 03 section 3.2): C_B for the bitvec opcode, C_I for
/// the integer band, C_F for everything else. Every field has passed its clause, so the defaults for
/// impossible values never show.
fn compute(opcode: u8, record: &[u8; RECORD], profile: &Profile) -> (Input, Output, Operator) {
    let source = Dtype::from_wire(record[tr::IN_DTYPE]).unwrap_or(Dtype::Fp32);
    let destination = Dtype::from_wire(record[tr::OUT_DTYPE]).unwrap_or(Dtype::Fp32);
    let op = AluOp::from_wire(record[tr::OP]).unwrap_or(AluOp::Bypass);
    let float_store = Store::float(destination, profile).unwrap_or(Store::Bits32);
    let low_bits = Store::low_bits(destination);
    if opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
        let bytes = u32::from(source.storage_bytes());
        let load = Load::bits(bytes).unwrap_or(Load::Bits32);
        return (
            Input { load, to_integer: None },
            Output { from_integer: None, store: low_bits.unwrap_or(Store::Bits32) },
            Operator::bits(op, bytes).unwrap_or(Operator::BYPASS),
        );
    }
    let signed = !matches!(source, Dtype::Uint8 | Dtype::Uint16 | Dtype::Uint32);
    let float_load = Load::float(source).unwrap_or(Load::Bits32);
    let Some(operator) = Operator::integer(op, signed) else {
        return (
            Input { load: float_load, to_integer: None },
            Output { from_integer: None, store: float_store },
            Operator::float(op).unwrap_or(Operator::BYPASS),
        );
    };
    let input = match Load::integer(source) {
        Some(load) => Input { load, to_integer: None },
        None => {
            let nearest_even = profile.f2i_round == F2iRound::NearestEven;
            Input { load: float_load, to_integer: Some(nearest_even) }
        }
    };
    let output = match low_bits {
        Some(store) => Output { from_integer: None, store },
        None => Output { from_integer: Some(signed), store: float_store },
    };
    (input, output, operator)
}
