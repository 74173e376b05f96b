//! Valid steps: one function per group of opcodes draws a record that every clause of its group
//! accepts (spec 02 sections 4.1 and 4.2) and that executes (spec 01 section 7.1).

use super::plan::{Dtypes, Plan};
use super::record::{Draft, Layout};
use super::tables::{
    BITVEC, BITVEC_DTYPES, CACHE_COMBINE, CACHE_INPUTS, GENERAL_ARITH, OUTPUTS, Operators,
    SCAN_ARITH, SCAN_INPUTS, SHIFT_RIGHT_DTYPES, SHIFTS,
};
use crate::generate::{Draw, Steer, TensorOptions};
use contract::isa::{AccumCmd, AluOp, Generation, Subdim, opcode};

/// Commands of a case's first cached step.
const FIRST_COMMANDS: &[(u32, AccumCmd)] =
    &[(45, AccumCmd::ZeroAccumulate), (40, AccumCmd::LoadAccumulate), (15, AccumCmd::Accumulate)];

/// Commands of the later ones.
const NEXT_COMMANDS: &[(u32, AccumCmd)] =
    &[(64, AccumCmd::Accumulate), (18, AccumCmd::ZeroAccumulate), (18, AccumCmd::LoadAccumulate)];

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
    let steer = &{ plan.steer };
    let (dtypes, shifts) = match layout {
        Layout::S3d3Ts => {
            cache_operators(&mut draft, draw, plan.generation, steer, first);
            (Dtypes { inputs: CACHE_INPUTS, outputs: OUTPUTS, equal: false }, false)
        }
        Layout::S4d4Tr => scan_operators(&mut draft, draw, plan.generation, steer),
    };
    let dtypes = Dtypes {
        inputs: preferred(dtypes.inputs, steer.input),
        outputs: preferred(dtypes.outputs, steer.output),
        ..dtypes
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

/// The part of a list that holds the wanted member alone; the list if it has no such member.
fn preferred<T: PartialEq>(list: &'static [T], wanted: Option<T>) -> &'static [T] {
    let at = wanted.and_then(|wanted| list.iter().position(|member| *member == wanted));
    at.map_or(list, |at| &list[at..=at])
}

/// An operator of a class.
fn operator(
    draw: &mut Draw<'_>,
    generation: Generation,
    class: Operators,
    wanted: Option<AluOp>,
) -> u8 {
    let count = class.count(generation);
    let at = draw.below(count as u32) as usize;
    let wanted = wanted.filter(|&wanted| (0..count).any(|index| class.at(index) == wanted));
    wanted.unwrap_or_else(|| class.at(at)).wire()
}

/// Operators and accumulator command of 0x9A and 0xE6.
fn cache_operators(
    draft: &mut Draft,
    draw: &mut Draw<'_>,
    generation: Generation,
    steer: &Steer,
    first: bool,
) {
    draft.op0 = operator(draw, generation, GENERAL_ARITH, steer.operator);
    draft.op1 = draw.pick(preferred(CACHE_COMBINE, steer.combine)).wire();
    let commands = if first { FIRST_COMMANDS } else { NEXT_COMMANDS };
    let drawn = draw.weighted(commands);
    let wanted = steer.command.filter(|wanted| commands.iter().any(|row| row.1 == *wanted));
    draft.command = wanted.unwrap_or(drawn).wire();
}

/// Operator, axes and dtypes of 0x4E and 0x5E; whether the operator shifts.
fn scan_operators(
    draft: &mut Draft,
    draw: &mut Draw<'_>,
    generation: Generation,
    steer: &Steer,
) -> (Dtypes, bool) {
    draft.op_dim = draw.pick(&[Subdim::X, Subdim::XYZW, Subdim::XY, Subdim::XYZ]).wire();
    if draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
        // Four tickets for every operator, one for Crc32.
        let ticket = draw.below(4 * BITVEC.len() as u32 + 1) as usize;
        let drawn = BITVEC.get(ticket / 4).copied().unwrap_or(AluOp::Crc32);
        let raw = |op: &AluOp| BITVEC.contains(op) || *op == AluOp::Crc32;
        let op = steer.operator.filter(raw).unwrap_or(drawn);
        draft.op0 = op.wire();
        let inputs =
            if op == AluOp::LogicalShiftRight { SHIFT_RIGHT_DTYPES } else { BITVEC_DTYPES };
        (Dtypes { inputs, outputs: inputs, equal: true }, SHIFTS.contains(&op))
    } else {
        draft.op0 = operator(draw, generation, SCAN_ARITH, steer.operator);
        (Dtypes { inputs: SCAN_INPUTS, outputs: OUTPUTS, equal: false }, false)
    }
}
