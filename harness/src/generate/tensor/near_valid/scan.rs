//! Probes of the TC clauses that do not concern patterns (spec 02 section 4.2).

use super::cache::BITWISE;
use super::edit::Edit;
use super::touch::{DIM, DST, IN, MASK, NEGATED, OP0, OPERANDS, OUT, RESERVED, SRC};
use super::{On, Probe, TC, TC_ARITH, TC_BITVEC};
use contract::isa::AluOp::{self, *};
use contract::isa::ClauseId::{self, *};
use contract::isa::Dtype;

/// Arithmetic operators that scans of the bitvec class refuse; without the three of TC-EXCL.
const ARITHMETIC: &[AluOp] = &[
    Add,
    Subtract,
    Mult,
    Max,
    Min,
    LogicalAnd,
    IsEQ,
    IsLT,
    AbsoluteDiff,
    AbsoluteValue,
    Rsqrt,
    AddInt,
    SubtractInt,
    MaxInt,
    MaxUint,
    ModUint,
    AbsMax,
    ReLU,
    SymmetricClamp,
];

/// Members of the integer band that are in no operator set of the arithmetic scan.
const UNLISTED: &[AluOp] = &[
    MaxInt,
    IsEqualInt,
    IsNeInt,
    AbsMaxInt,
    AbsMinInt,
    AbsDiffInt,
    AbsValueInt,
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

const EXCLUDED: &[AluOp] = &[Divide, Pow, Mod];

/// Dtypes that are legal in general and not for a bitvec scan.
const NOT_RAW: &[Dtype] = &[
    Dtype::Int16,
    Dtype::Int8,
    Dtype::Fp32,
    Dtype::Fp16,
    Dtype::Bfloat16,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
];

const fn probe(
    fails: &'static [ClauseId],
    name: &'static str,
    opcodes: &'static [u8],
    touches: u32,
    apply: fn(&mut Edit<'_, '_>),
) -> Probe {
    Probe { fails, name, opcodes, on: On::ALL, touches, apply }
}

/// Both dtypes, with both patterns where any dtype may stand.
fn dtypes(edit: &mut Edit<'_, '_>, input: Dtype, output: Dtype) {
    edit.input(input.wire());
    edit.output(output.wire());
}

/// Another operator where the draft has a shift that only INT32 takes.
fn any_width(edit: &mut Edit<'_, '_>) {
    if edit.draft.op0 == LogicalShiftRight.wire() {
        edit.draft.op0 = BitwiseXor.wire();
    }
}

/// The rows.
pub const PROBES: &[Probe] = &[
    probe(&[TcRsvd], "byte 39", TC, RESERVED, |edit| edit.draft.reserved[0] = edit.nonzero()),
    probe(&[TcRsvd], "byte 40", TC, RESERVED, |edit| edit.draft.reserved[1] = edit.nonzero()),
    probe(&[TcRsvd], "byte 41", TC, RESERVED, |edit| edit.draft.reserved[2] = edit.nonzero()),
    probe(&[TcRsvd], "byte 42", TC, RESERVED, |edit| edit.draft.reserved[3] = edit.nonzero()),
    probe(&[TcRsvd], "byte 43", TC, RESERVED, |edit| edit.draft.reserved[4] = edit.nonzero()),
    probe(&[TcMask0], "mask_enable 1", TC, MASK, |edit| edit.draft.mask = edit.nonzero()),
    probe(&[TcInDt], "in_dtype FP32R", TC_ARITH, IN | SRC, |edit| {
        edit.input(Dtype::Fp32r.wire());
    }),
    probe(&[TcInDt], "in_dtype of 64 bits", TC_ARITH, IN | SRC, |edit| {
        let dtype = edit.draw.pick(&[Dtype::Int64, Dtype::Uint64]);
        edit.input(dtype.wire());
    }),
    Probe {
        on: On::FROM_MARIANA,
        ..probe(&[TcInDt], "in_dtype FP4_EXP2", TC_ARITH, IN | SRC, |edit| {
            edit.input(Dtype::Fp4Exp2.wire());
        })
    },
    probe(&[TcInDt, TcSrcMem], "in_dtype without alignment", TC_ARITH, IN | SRC, |edit| {
        let code = edit.unaligned_dtype();
        edit.input(code);
    }),
    probe(&[TcInDt, TcDtBv], "in_dtype FP32R of a raw scan", TC_BITVEC, IN | SRC, |edit| {
        edit.input(Dtype::Fp32r.wire());
    }),
    probe(&[TcOutDt], "out_dtype INT64", TC_ARITH, OUT | DST, |edit| {
        edit.output(Dtype::Int64.wire());
    }),
    probe(&[TcOutDt], "out_dtype UINT64", TC_ARITH, OUT | DST, |edit| {
        edit.output(Dtype::Uint64.wire());
    }),
    Probe {
        on: On::FROM_MARIANA,
        ..probe(&[TcOutDt], "out_dtype FP4_EXP2", TC_ARITH, OUT | DST, |edit| {
            edit.output(Dtype::Fp4Exp2.wire());
        })
    },
    probe(&[TcOutDt, TcDstMem], "out_dtype without alignment", TC_ARITH, OUT | DST, |edit| {
        let code = edit.unaligned_dtype();
        edit.output(code);
    }),
    probe(&[TcOutDt, TcDtBv], "out_dtype INT64 of a raw scan", TC_BITVEC, OUT | DST, |edit| {
        edit.output(Dtype::Int64.wire());
    }),
    probe(&[TcOpEnum, TcAr], "op in a hole", TC_ARITH, OP0, |edit| edit.draft.op0 = edit.hole()),
    probe(&[TcOpEnum, TcBv], "op of a raw scan in a hole", TC_BITVEC, OP0, |edit| {
        edit.draft.op0 = edit.hole();
    }),
    Probe {
        on: On::SUNDA,
        ..probe(&[TcOpEnum, TcAr], "op before its generation", TC_ARITH, OP0, |edit| {
            edit.draft.op0 = edit.draw.pick(&[DivideInt, ModInt, AbsMax, Square]).wire();
        })
    },
    probe(&[TcDim], "op_dim 0", TC, DIM, |edit| edit.draft.op_dim = 0),
    probe(&[TcDim], "op_dim 1", TC, DIM, |edit| edit.draft.op_dim = 1),
    probe(&[TcDim], "op_dim 6", TC, DIM, |edit| edit.draft.op_dim = edit.byte_from(6)),
    probe(&[TcExcl], "op Divide, Pow or Mod", TC_ARITH, OP0, |edit| {
        edit.draft.op0 = edit.member(EXCLUDED);
    }),
    probe(&[TcExcl, TcBv], "op Divide, Pow or Mod of a raw scan", TC_BITVEC, OP0, |edit| {
        edit.draft.op0 = edit.member(EXCLUDED);
    }),
    probe(&[TcBv], "op Add", TC_BITVEC, OP0, |edit| edit.draft.op0 = Add.wire()),
    probe(&[TcBv], "op of another class", TC_BITVEC, OP0, |edit| {
        edit.draft.op0 = edit.member(ARITHMETIC);
    }),
    probe(&[TcAr], "op bitwise", TC_ARITH, OP0, |edit| edit.draft.op0 = edit.member(BITWISE)),
    Probe {
        on: On::FROM_CAYMAN,
        ..probe(&[TcAr], "op of the integer band", TC_ARITH, OP0, |edit| {
            edit.draft.op0 = edit.member(UNLISTED);
        })
    },
    Probe {
        on: On::MAVERICK,
        ..probe(&[TcAr], "op SymmetricClamp", TC_ARITH, OP0, |edit| {
            edit.draft.op0 = SymmetricClamp.wire();
        })
    },
    probe(&[TcDtBv], "out_dtype INT32 for UINT32", TC_BITVEC, OPERANDS, |edit| {
        any_width(edit);
        dtypes(edit, Dtype::Uint32, Dtype::Int32);
    }),
    probe(&[TcDtBv], "unequal dtypes", TC_BITVEC, OPERANDS, |edit| {
        const RAW: &[Dtype] = &[Dtype::Uint32, Dtype::Int32, Dtype::Uint16, Dtype::Uint8];
        const OTHER: &[Dtype] = &[Dtype::Fp32, Dtype::Fp32r, Dtype::Int16, Dtype::Int8];
        any_width(edit);
        let input = edit.draw.pick(RAW);
        let output = edit.draw.pick(&[RAW, OTHER].concat());
        let output = if output == input { Dtype::Fp32 } else { output };
        dtypes(edit, input, output);
    }),
    probe(&[TcDtBv], "dtype without raw form", TC_BITVEC, OPERANDS, |edit| {
        any_width(edit);
        let dtype = edit.draw.pick(NOT_RAW);
        dtypes(edit, dtype, dtype);
    }),
    probe(&[TcDtBv], "LogicalShiftRight of UINT32", TC_BITVEC, OPERANDS, |edit| {
        edit.draft.op0 = LogicalShiftRight.wire();
        dtypes(edit, Dtype::Uint32, Dtype::Uint32);
    }),
    probe(&[TcDtBv], "LogicalShiftRight of UINT8 or UINT16", TC_BITVEC, OPERANDS, |edit| {
        edit.draft.op0 = LogicalShiftRight.wire();
        let dtype = edit.draw.pick(&[Dtype::Uint8, Dtype::Uint16]);
        dtypes(edit, dtype, dtype);
    }),
    probe(&[TcInDt, TcOutDt], "both dtypes of 64 bits", TC_ARITH, OPERANDS, |edit| {
        dtypes(edit, Dtype::Int64, Dtype::Int64);
    }),
    probe(&[TcNeg0], "negated 1", TC, NEGATED, |edit| edit.draft.negated = edit.nonzero()),
];
