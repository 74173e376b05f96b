//! Valid steps: one function per group of opcodes draws a record that every clause of its group
//! accepts (spec 02 sections 4.1 and 4.2) and that executes (spec 01 section 7.1).

use super::plan::{Dtypes, Plan};
use super::record::{Draft, Layout};
use super::tables::{
    BITVEC, BITVEC_DTYPES, CACHE_COMBINE, CACHE_INPUTS, GENERAL_ARITH, OUTPUTS, SCAN_ARITH,
    SCAN_INPUTS, SHIFT_RIGHT_DTYPES, SHIFTS,
};
use crate::generate::{Draw, TensorOptions};
use contract::isa::{AccumCmd, AluOp, Subdim, opcode};

/// Sizes that the steps of a case share unless one draws its own.
#[derive(Debug, Clone, Copy)]
pub struct Base {
    /// Channels.
    pub channels: u32,
    /// Elements of a stream.
    pub elements: u32,
}

/// Draws a valid record for an opcode. `first`: no step before has seeded an accumulator.
///
/// `None` if the memory is full; never for the first step of a case.
pub fn valid(
    plan: &mut Plan,
    draw: &mut Draw<'_>,
    options: &TensorOptions,
    opcode: u8,
    base: Base,
    first: bool,
) -> Option<Draft> {
    let (mut channels, elements) = if draw.percent(30) {
        plan.tier.size(draw, options)
    } else {
        (base.channels, base.elements)
    };
    let layout = Layout::of(opcode)?;
    let mut draft = Draft::new(layout, opcode);
    let (dtypes, shifts) = match layout {
        Layout::S3d3Ts => {
            cache_operators(&mut draft, draw, plan, first);
            (Dtypes { inputs: CACHE_INPUTS, outputs: OUTPUTS, equal: false }, false)
        }
        Layout::S4d4Tr => scan_operators(&mut draft, draw, plan),
    };
    let rank = layout.rank();
    let mut source = plan.source(draw, &dtypes, rank, &mut channels, elements, shifts)?;
    let destination = plan.destination(draw, &dtypes, rank, channels, &mut source)?;
    draft.channels = channels as u8;
    draft.src = source.walk;
    draft.in_dtype = source.dtype.wire();
    draft.dst = destination.walk;
    draft.out_dtype = destination.dtype.wire();
    if layout == Layout::S3d3Ts {
        (draft.imm0_src, draft.imm0) = plan.immediate(draw, channels);
        if draft.command == AccumCmd::LoadAccumulate.wire() {
            (draft.imm1_src, draft.imm1) = plan.immediate(draw, channels);
        }
    }
    Some(draft)
}

/// Operators and accumulator command of 0x9A and 0xE6.
fn cache_operators(draft: &mut Draft, draw: &mut Draw<'_>, plan: &Plan, first: bool) {
    let count = GENERAL_ARITH.count(plan.generation) as u32;
    draft.op0 = GENERAL_ARITH.at(draw.below(count) as usize).wire();
    draft.op1 = draw.pick(CACHE_COMBINE).wire();
    draft.command = if first {
        draw.weighted(&[
            (45, AccumCmd::ZeroAccumulate),
            (40, AccumCmd::LoadAccumulate),
            (15, AccumCmd::Accumulate),
        ])
    } else {
        draw.weighted(&[
            (64, AccumCmd::Accumulate),
            (18, AccumCmd::ZeroAccumulate),
            (18, AccumCmd::LoadAccumulate),
        ])
    }
    .wire();
}

/// Operator, axes and dtypes of 0x4E and 0x5E; whether the operator shifts.
fn scan_operators(draft: &mut Draft, draw: &mut Draw<'_>, plan: &Plan) -> (Dtypes, bool) {
    draft.op_dim = draw.pick(&[Subdim::X, Subdim::XYZW, Subdim::XY, Subdim::XYZ]).wire();
    if draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
        // Four tickets for every operator, one for Crc32.
        let ticket = draw.below(4 * BITVEC.len() as u32 + 1) as usize;
        let op = BITVEC.get(ticket / 4).copied().unwrap_or(AluOp::Crc32);
        draft.op0 = op.wire();
        let inputs =
            if op == AluOp::LogicalShiftRight { SHIFT_RIGHT_DTYPES } else { BITVEC_DTYPES };
        (Dtypes { inputs, outputs: inputs, equal: true }, SHIFTS.contains(&op))
    } else {
        let count = SCAN_ARITH.count(plan.generation) as u32;
        draft.op0 = SCAN_ARITH.at(draw.below(count) as usize).wire();
        (Dtypes { inputs: SCAN_INPUTS, outputs: OUTPUTS, equal: false }, false)
    }
}
