//! Probes of the CR clauses that do not concern patterns (spec 02 section 4.1).

use super::edit::{BadPointer, Edit};
use super::touch::{CHANNELS, COMMAND, DST, IMM0, IMM1, IN, OP0, OP1, OUT, RESERVED, REVERSE, SRC};
use super::{CR, On, Probe};
use contract::isa::AluOp::{self, *};
use contract::isa::ClauseId::{self, *};
use contract::isa::{AccumCmd, Dtype, ImmSrc};

/// Bitvec operators without Bypass.
pub const BITWISE: &[AluOp] = &[
    BitwiseAnd,
    BitwiseNot,
    BitwiseOr,
    BitwiseXor,
    ArithShiftLeft,
    ArithShiftRight,
    LogicalShiftLeft,
    LogicalShiftRight,
    Crc32,
];

/// The integer band; a generation has a prefix or all of it.
const INTEGER: &[AluOp] = &[
    AddInt,
    MultInt,
    SubtractInt,
    DivideInt,
    ModInt,
    IsEqualInt,
    IsNeInt,
    AbsMaxInt,
    AbsMinInt,
    AbsDiffInt,
    AbsValueInt,
    MaxInt,
    MinInt,
    IsGtInt,
    IsGeInt,
    IsLeInt,
    IsLtInt,
    MaxUint,
    MinUint,
    IsGtUint,
    IsGeUint,
    IsLeUint,
    IsLtUint,
    MultUint,
    DivideUint,
    ModUint,
    AMaxInt,
    AMinInt,
    AMaxUint,
    AMinUint,
];

/// General operators that do not combine.
const NOT_COMBINING: &[AluOp] = &[
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    IsEQ,
    IsGT,
    IsGE,
    IsLE,
    IsLT,
    IsNE,
    AbsoluteDiff,
    AbsoluteValue,
    Divide,
    Pow,
    Mod,
    Rsqrt,
    AbsMax,
    AbsMin,
    ReLU,
    Square,
];

const fn probe(
    fails: &'static [ClauseId],
    name: &'static str,
    touches: u32,
    apply: fn(&mut Edit<'_, '_>),
) -> Probe {
    Probe { fails, name, opcodes: CR, on: On::ALL, touches, apply }
}

/// `imm0` becomes a pointer that is illegal in one way.
fn pointer0(edit: &mut Edit<'_, '_>, fault: BadPointer) {
    edit.draft.imm0_src = ImmSrc::PointerImmediate.wire();
    edit.draft.imm0 = edit.bad_pointer(fault);
}

/// The seed of a LoadAccumulate becomes a pointer that is illegal in one way.
fn pointer1(edit: &mut Edit<'_, '_>, fault: BadPointer) {
    edit.draft.command = AccumCmd::LoadAccumulate.wire();
    edit.draft.imm1_src = ImmSrc::PointerImmediate.wire();
    edit.draft.imm1 = edit.bad_pointer(fault);
}

/// The rows.
pub const PROBES: &[Probe] = &[
    probe(&[CrOp0Gen], "op0 Divide", OP0, |edit| edit.draft.op0 = Divide.wire()),
    probe(&[CrOp0Gen], "op0 Pow, Mod or Rsqrt", OP0, |edit| {
        edit.draft.op0 = edit.member(&[Pow, Mod, Rsqrt]);
    }),
    probe(&[CrOp0Gen], "op0 bitwise", OP0, |edit| edit.draft.op0 = edit.member(BITWISE)),
    probe(&[CrOp0Gen], "op0 of the integer band", OP0, |edit| {
        edit.draft.op0 = edit.member(INTEGER);
    }),
    Probe {
        on: On::MAVERICK,
        ..probe(&[CrOp0Gen], "op0 SymmetricClamp", OP0, |edit| {
            edit.draft.op0 = SymmetricClamp.wire();
        })
    },
    probe(&[CrOp0Enum, CrOp0Gen], "op0 in a hole", OP0, |edit| edit.draft.op0 = edit.hole()),
    Probe {
        on: On::TO_CAYMAN,
        ..probe(&[CrOp0Enum, CrOp0Gen], "op0 before its generation", OP0, |edit| {
            edit.draft.op0 = edit.draw.pick(&[AbsMax, AbsMin, ReLU, Square]).wire();
        })
    },
    probe(&[CrOp1], "op1 Bypass", OP1, |edit| edit.draft.op1 = Bypass.wire()),
    probe(&[CrOp1], "op1 that does not combine", OP1, |edit| {
        edit.draft.op1 = edit.member(NOT_COMBINING);
    }),
    probe(&[CrOp1], "op1 bitwise", OP1, |edit| edit.draft.op1 = edit.member(BITWISE)),
    probe(&[CrOp1], "op1 of the integer band", OP1, |edit| {
        edit.draft.op1 = edit.member(INTEGER);
    }),
    probe(&[CrOp1Enum, CrOp1], "op1 in a hole", OP1, |edit| edit.draft.op1 = edit.hole()),
    probe(&[CrTypes], "in_dtype INT32", IN | SRC, |edit| edit.input(Dtype::Int32.wire())),
    probe(&[CrTypes], "in_dtype UINT32", IN | SRC, |edit| edit.input(Dtype::Uint32.wire())),
    probe(&[CrTypes, CrInDt], "in_dtype FP32R", IN | SRC, |edit| {
        edit.input(Dtype::Fp32r.wire());
    }),
    probe(&[CrTypes, CrInDt], "in_dtype of 64 bits", IN | SRC, |edit| {
        let dtype = edit.draw.pick(&[Dtype::Int64, Dtype::Uint64]);
        edit.input(dtype.wire());
    }),
    Probe {
        on: On::FROM_MARIANA,
        ..probe(&[CrTypes, CrInDt], "in_dtype FP4_EXP2", IN | SRC, |edit| {
            edit.input(Dtype::Fp4Exp2.wire());
        })
    },
    probe(&[CrTypes, CrSrcMem, CrInDt], "in_dtype without alignment", IN | SRC, |edit| {
        let code = edit.unaligned_dtype();
        edit.input(code);
    }),
    probe(&[CrImm0], "imm0_src 3", IMM0, |edit| edit.draft.imm0_src = edit.byte_from(3)),
    probe(&[CrImm0], "imm0 pointer misaligned", IMM0 | CHANNELS, |edit| {
        pointer0(edit, BadPointer::Misaligned);
    }),
    probe(&[CrImm0], "imm0 pointer off the quadrants", IMM0 | CHANNELS, |edit| {
        pointer0(edit, BadPointer::Quadrant);
    }),
    probe(&[CrImm0], "imm0 pointer with top bits", IMM0 | CHANNELS, |edit| {
        pointer0(edit, BadPointer::TopBits);
    }),
    probe(&[CrImm0], "imm0 pointer in no region", IMM0 | CHANNELS, |edit| {
        pointer0(edit, BadPointer::Nowhere);
    }),
    probe(&[CrImm0], "imm0 pointer not backed", IMM0 | CHANNELS, |edit| {
        pointer0(edit, BadPointer::Unbacked);
    }),
    probe(
        &[CrImm0],
        "imm0 pointer with too many channels",
        IMM0 | IMM1 | COMMAND | CHANNELS | SRC | DST,
        |edit| {
            edit.beyond_limit(super::edit::Side::Src);
            edit.draft.imm0_src = ImmSrc::PointerImmediate.wire();
            edit.draft.imm0 = edit.draft.src.word & !3;
            edit.to_partition_zero(super::edit::Side::Src);
        },
    ),
    probe(&[CrImm0], "imm0 register word with reserved bytes", IMM0, |edit| {
        edit.draft.imm0_src = ImmSrc::RegPtrImmediate.wire();
        edit.draft.imm0 = edit.bad_register_word();
    }),
    probe(&[CrImm0], "imm0 register 64", IMM0, |edit| {
        edit.draft.imm0_src = ImmSrc::RegPtrImmediate.wire();
        edit.draft.imm0 = edit.byte_from(64).into();
    }),
    probe(&[CrImm1Gate], "imm1 without a load", IMM1 | COMMAND, |edit| {
        edit.without_load();
        edit.draft.imm1 = 1 << edit.draw.below(32);
    }),
    probe(&[CrImm1Gate], "imm1 minus zero without a load", IMM1 | COMMAND, |edit| {
        edit.without_load();
        edit.draft.imm1 = 0x8000_0000;
    }),
    probe(&[CrImm1Gate], "imm1_src without a load", IMM1 | COMMAND, |edit| {
        edit.without_load();
        edit.draft.imm1_src = edit.nonzero();
    }),
    probe(&[CrImm1Gate], "imm1_src 3 with a load", IMM1 | COMMAND, |edit| {
        edit.draft.command = AccumCmd::LoadAccumulate.wire();
        edit.draft.imm1_src = edit.byte_from(3);
    }),
    probe(&[CrImm1Gate], "imm1 pointer misaligned", IMM1 | COMMAND | CHANNELS, |edit| {
        pointer1(edit, BadPointer::Misaligned);
    }),
    probe(&[CrImm1Gate], "imm1 pointer off the quadrants", IMM1 | COMMAND | CHANNELS, |edit| {
        pointer1(edit, BadPointer::Quadrant);
    }),
    probe(&[CrImm1Gate], "imm1 pointer with top bits", IMM1 | COMMAND | CHANNELS, |edit| {
        pointer1(edit, BadPointer::TopBits);
    }),
    probe(&[CrImm1Gate], "imm1 register word with reserved bytes", IMM1 | COMMAND, |edit| {
        edit.draft.command = AccumCmd::LoadAccumulate.wire();
        edit.draft.imm1_src = ImmSrc::RegPtrImmediate.wire();
        edit.draft.imm1 = edit.bad_register_word();
    }),
    probe(&[CrImm1Gate], "imm1 register 64", IMM1 | COMMAND, |edit| {
        edit.draft.command = AccumCmd::LoadAccumulate.wire();
        edit.draft.imm1_src = ImmSrc::RegPtrImmediate.wire();
        edit.draft.imm1 = edit.byte_from(64).into();
    }),
    probe(&[CrRev], "reverse_operands 1, 2 or 3", REVERSE, |edit| {
        edit.draft.reverse = edit.draw.between(1, 3) as u8;
    }),
    probe(&[CrRevEnum, CrRev], "reverse_operands beyond the enum", REVERSE, |edit| {
        edit.draft.reverse = edit.byte_from(4);
    }),
    probe(&[CrRsvd], "byte 13", RESERVED, |edit| edit.draft.reserved[0] = edit.nonzero()),
    probe(&[CrRsvd], "byte 14", RESERVED, |edit| edit.draft.reserved[1] = edit.nonzero()),
    probe(&[CrRsvd], "byte 15", RESERVED, |edit| edit.draft.reserved[2] = edit.nonzero()),
    probe(&[CrAcc], "accumulator_cmd Idle", COMMAND | IMM1, |edit| {
        edit.without_load();
        edit.draft.command = AccumCmd::Idle.wire();
    }),
    probe(&[CrAcc], "accumulator_cmd Zero", COMMAND | IMM1, |edit| {
        edit.without_load();
        edit.draft.command = AccumCmd::Zero.wire();
    }),
    probe(&[CrAcc], "accumulator_cmd 5", COMMAND | IMM1, |edit| {
        edit.without_load();
        edit.draft.command = edit.byte_from(5);
    }),
    probe(&[CrOutDt], "out_dtype INT64", OUT | DST, |edit| edit.output(Dtype::Int64.wire())),
    probe(&[CrOutDt], "out_dtype UINT64", OUT | DST, |edit| edit.output(Dtype::Uint64.wire())),
    Probe {
        on: On::FROM_MARIANA,
        ..probe(&[CrOutDt], "out_dtype FP4_EXP2", OUT | DST, |edit| {
            edit.output(Dtype::Fp4Exp2.wire());
        })
    },
    probe(&[CrDstMem, CrOutDt], "out_dtype without alignment", OUT | DST, |edit| {
        let code = edit.unaligned_dtype();
        edit.output(code);
    }),
];
