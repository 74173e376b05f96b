//! Records outside plain accept and reject (spec 01 section 7.1): unsupported features and execution
//! faults, each made for exactly one reason; and records that are accepted although bytes are set that
//! nothing reads.

use super::geometry::{Place, Walk, active};
use super::near_valid::edit::{BadPointer, Edit, Side};
use super::near_valid::{ANY, CR, On};
use crate::generate::values::formats::size_of;
use contract::isa::{AccumCmd, DEFINED_OPCODES, Dtype, ImmSrc, opcode, opcode_info};
use contract::outcome::TensorReason;
use contract::state::Space;

/// A way of leaving accept and reject.
#[derive(Debug)]
pub struct Exit {
    /// The reason that applies first.
    pub reason: TensorReason,
    /// What is changed, in few words.
    pub name: &'static str,
    /// Opcodes of the records that it applies to.
    pub opcodes: &'static [u8],
    /// Generations.
    pub on: On,
    /// The change.
    pub apply: fn(&mut Edit<'_, '_>),
}

/// Bytes that nothing reads.
#[derive(Debug)]
pub struct Inert {
    /// Which bytes.
    pub name: &'static str,
    /// Generations.
    pub on: On,
    /// The change.
    pub apply: fn(&mut Edit<'_, '_>),
}

const fn exit(
    reason: TensorReason,
    name: &'static str,
    opcodes: &'static [u8],
    on: On,
    apply: fn(&mut Edit<'_, '_>),
) -> Exit {
    Exit { reason, name, opcodes, on, apply }
}

/// Opcodes whose dtypes may differ.
const NOT_BITVEC: &[u8] = &[
    opcode::TENSOR_SCALAR_CACHE_REDUCE,
    opcode::TENSOR_SCALAR_CACHE_CUMULATIVE,
    opcode::TENSOR_CUMULATIVE_ARITH,
];

/// Either side.
fn side(edit: &mut Edit<'_, '_>) -> Side {
    edit.draw.pick(&[Side::Src, Side::Dst])
}

/// Both patterns at least `least` elements, gapless, with the source at a roomy SBUF offset.
fn roomy(edit: &mut Edit<'_, '_>, least: u16) {
    edit.at_least(least);
    for side in [Side::Src, Side::Dst] {
        let mut walk = *edit.walk(side);
        walk.steps = Walk::contiguous(walk.counts);
        *edit.walk(side) = walk;
    }
    let partition = edit.place(Side::Src).partition;
    let offset = 0x1000 + 64 * edit.draw.below(64);
    edit.put(Side::Src, Place { space: Space::Sbuf, partition, offset });
}

/// Starts the destination some bytes behind the source.
fn beside(edit: &mut Edit<'_, '_>, bytes: u32) {
    edit.draft.dst.word = edit.draft.src.word + bytes;
}

/// Equal four-byte dtypes that every opcode takes on either side.
fn four_bytes(edit: &mut Edit<'_, '_>) {
    let dtype = if edit.draft.opcode == opcode::TENSOR_CUMULATIVE_BITVEC {
        Dtype::Int32
    } else {
        Dtype::Fp32
    };
    edit.draft.in_dtype = dtype.wire();
    edit.draft.out_dtype = dtype.wire();
}

/// A gapless walk of one side that leaves the backed bytes at this end.
fn leave(edit: &mut Edit<'_, '_>, past_end: bool) {
    edit.at_least(2);
    let side = side(edit);
    let code = match side {
        Side::Src => edit.draft.in_dtype,
        Side::Dst => edit.draft.out_dtype,
    };
    let size = size_of(code).unwrap_or(1);
    let mut walk = *edit.walk(side);
    walk.steps = Walk::contiguous(walk.counts);
    // The last element, or the first backwards, is at least one too far.
    let reach = (walk.elements() as u32 - 1).min(4096);
    let inside = edit.draw.between(0, reach - 1) * size;
    let mut place = edit.place(side);
    if past_end {
        place.offset = active(edit.generation, place.space) - size - inside;
    } else {
        place.offset = inside;
        walk.steps = walk.steps.map(|step| step.saturating_neg());
    }
    walk.word = place.address(edit.generation);
    *edit.walk(side) = walk;
}

/// `imm0`, or the seed of a LoadAccumulate, reads its pointer from a register that holds this.
fn immediate_register(edit: &mut Edit<'_, '_>, fault: BadPointer) {
    let value = edit.bad_pointer(fault);
    let register = edit.register_with(value).into();
    if edit.draw.percent(30) {
        edit.draft.command = AccumCmd::LoadAccumulate.wire();
        edit.draft.imm1_src = ImmSrc::RegPtrImmediate.wire();
        edit.draft.imm1 = register;
    } else {
        edit.draft.imm0_src = ImmSrc::RegPtrImmediate.wire();
        edit.draft.imm0 = register;
    }
}

/// A start word in register form.
fn register_start(edit: &mut Edit<'_, '_>, side: Side) {
    let number = edit.draw.below(64);
    edit.register_form(side, number);
}

/// The exits.
pub static EXITS: &[Exit] = &[
    exit(TensorReason::HdrTile, "debug_cmd", ANY, On::MAVERICK, |edit| {
        edit.draft.debug[0] = edit.nonzero();
    }),
    exit(TensorReason::HdrTile, "debug_hint", ANY, On::MAVERICK, |edit| {
        edit.draft.debug[1] = edit.nonzero();
    }),
    exit(TensorReason::HdrTile, "debug_hint of an undefined opcode", ANY, On::MAVERICK, |edit| {
        edit.draft.opcode = 0;
        edit.draft.debug[1] = edit.nonzero();
    }),
    exit(TensorReason::OutOfScope, "another opcode", ANY, On::ALL, |edit| {
        let code = edit.draw.pick(DEFINED_OPCODES);
        // An opcode with a layout has clauses in the spec, whether or not a model has them.
        let grouped = opcode_info(code).is_some_and(|row| row.layout.is_some());
        edit.draft.opcode = if grouped { 0x4F } else { code };
    }),
    exit(TensorReason::OutOfScope, "a neighbouring opcode", ANY, On::ALL, |edit| {
        edit.draft.opcode = edit.draw.pick(&[0x4F, 0x5F, 0x66, 0x98, 0x9D, 0x9E, 0xE9, 0xEA]);
    }),
    exit(TensorReason::AddrShapereg, "shape register", ANY, On::ALL, |edit| {
        let side = side(edit);
        edit.mark(side, 0x4000_0000);
    }),
    exit(TensorReason::AddrShapereg, "shape and address register", ANY, On::ALL, |edit| {
        let side = side(edit);
        edit.mark(side, 0xC000_0000);
    }),
    exit(TensorReason::Ind, "indirect pattern", ANY, On::FROM_MARIANA, |edit| {
        let side = side(edit);
        edit.mark(side, 0x2000_0000);
    }),
    exit(TensorReason::AddrShapereg, "shape register before indirect", ANY, On::ALL, |edit| {
        edit.mark(Side::Src, 0x4000_0000);
        edit.mark(Side::Dst, 0x2000_0000);
    }),
    exit(TensorReason::Ind, "indirect before shape register", ANY, On::FROM_MARIANA, |edit| {
        edit.mark(Side::Src, 0x2000_0000);
        edit.mark(Side::Dst, 0xC000_0000);
    }),
    exit(TensorReason::ExecAddrreg, "source in register form", ANY, On::ALL, |edit| {
        register_start(edit, Side::Src);
    }),
    exit(TensorReason::ExecAddrreg, "destination in register form", ANY, On::ALL, |edit| {
        register_start(edit, Side::Dst);
    }),
    exit(TensorReason::ExecAddrreg, "both in register form", ANY, On::ALL, |edit| {
        register_start(edit, Side::Src);
        register_start(edit, Side::Dst);
    }),
    exit(TensorReason::ExecImmreg, "register misaligned", CR, On::ALL, |edit| {
        immediate_register(edit, BadPointer::Misaligned);
    }),
    exit(TensorReason::ExecImmreg, "register off the quadrants", CR, On::ALL, |edit| {
        immediate_register(edit, BadPointer::Quadrant);
    }),
    exit(TensorReason::ExecImmreg, "register with top bits", CR, On::ALL, |edit| {
        immediate_register(edit, BadPointer::TopBits);
    }),
    exit(TensorReason::ExecImmreg, "register in no region", CR, On::ALL, |edit| {
        immediate_register(edit, BadPointer::Nowhere);
    }),
    exit(TensorReason::ExecImmreg, "register not backed", CR, On::ALL, |edit| {
        immediate_register(edit, BadPointer::Unbacked);
    }),
    exit(TensorReason::ExecBounds, "walk past the end", ANY, On::ALL, |edit| leave(edit, true)),
    exit(TensorReason::ExecBounds, "walk below zero", ANY, On::ALL, |edit| leave(edit, false)),
    exit(TensorReason::ExecOverlap, "destination one element behind", ANY, On::ALL, |edit| {
        roomy(edit, 2);
        four_bytes(edit);
        beside(edit, 4);
    }),
    exit(TensorReason::ExecOverlap, "destination over the last element", ANY, On::ALL, |edit| {
        roomy(edit, 2);
        four_bytes(edit);
        let last = edit.draft.src.elements() as u32 - 1;
        beside(edit, 4 * last);
    }),
    exit(TensorReason::ExecOverlap, "destination in reverse order", ANY, On::ALL, |edit| {
        roomy(edit, 2);
        four_bytes(edit);
        let last = edit.draft.src.elements() as u32 - 1;
        edit.draft.dst.counts = edit.draft.src.counts;
        edit.draft.dst.steps = Walk::contiguous(edit.draft.src.counts).map(|step| -step);
        beside(edit, 4 * last);
    }),
    exit(TensorReason::ExecOverlap, "destination stands still", ANY, On::ALL, |edit| {
        roomy(edit, 2);
        four_bytes(edit);
        edit.draft.dst.steps = [0; 4];
        beside(edit, 0);
    }),
    exit(TensorReason::ExecOverlap, "other element size in place", NOT_BITVEC, On::ALL, |edit| {
        roomy(edit, 1);
        four_bytes(edit);
        let dtype = edit.draw.pick(&[Dtype::Fp16, Dtype::Bfloat16, Dtype::Int8]);
        edit.draft.out_dtype = dtype.wire();
        beside(edit, 0);
    }),
    exit(TensorReason::ExecOverlap, "one byte shared", NOT_BITVEC, On::ALL, |edit| {
        roomy(edit, 1);
        four_bytes(edit);
        edit.draft.out_dtype = Dtype::Uint8.wire();
        let bytes = 4 * edit.draft.src.elements() as u32;
        beside(edit, bytes - 1);
    }),
];

/// The exit that costs the most to judge, drawn by a rate of its own: 2^20 and some elements, all at
/// one address per channel.
pub static SIZE_EXIT: Exit =
    exit(TensorReason::ExecSize, "more than 2^20 elements", ANY, On::ALL, |edit| {
        let (channels, counts) = edit.draw.pick(&[
            (1, [4096, 257, 1, 1]),
            (1, [1, 1025, 1024, 1]),
            (32, [32769, 1, 1, 1]),
            (128, [8193, 1, 1, 1]),
        ]);
        edit.draft.channels = channels;
        edit.inline_immediates();
        for side in [Side::Src, Side::Dst] {
            edit.to_partition_zero(side);
            let walk = edit.walk(side);
            walk.counts = counts;
            walk.steps = [0; 4];
        }
    });

/// The inert changes.
pub static INERTS: &[Inert] = &[
    Inert { name: "wait_idx", on: On::ALL, apply: |edit| edit.draft.events[1] = edit.nonzero() },
    Inert { name: "update_idx", on: On::ALL, apply: |edit| edit.draft.events[3] = edit.nonzero() },
    Inert {
        name: "semaphore_value",
        on: On::ALL,
        apply: |edit| {
            let value = edit.draw.u32().to_le_bytes();
            edit.draft.events[4..].copy_from_slice(&value);
        },
    },
    Inert {
        name: "debug_cmd and debug_hint",
        on: On::TO_MARIANA,
        apply: |edit| edit.draft.debug = [edit.draw.u8(), edit.nonzero()],
    },
];
