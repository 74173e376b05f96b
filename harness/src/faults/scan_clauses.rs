//! Misread clauses of TensorCumulative (spec 02 section 4.2).

use super::Fault;
use contract::isa::layout::s4d4_tr;
use contract::isa::{AluOp, ClauseId::*, Generation, opcode};

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::clause(
        "integer-band-from-mariana",
        &[TcAr, TcOpEnum],
        "DivideInt and ModInt begin with mariana, as the seed has it",
        "spec 06, remarks not followed: the wide integer band starts at cayman",
        |seen| {
            if seen.generation == Generation::Cayman {
                seen.generation = Generation::Sunda;
            }
        },
    ),
    Fault::clause(
        "scan-64-bit",
        &[TcInDt, TcOutDt],
        "TensorCumulative takes 64-bit integers, as TensorReduce does",
        "seed 003 section 7.1: plain is_valid_dtype, 64-bit excluded (TC-IN-DT, TC-OUT-DT)",
        |seen| {
            seen.replace(s4d4_tr::IN_DTYPE, &[1, 0x0C], 8);
            seen.replace(s4d4_tr::OUT_DTYPE, &[1, 0x0C], 8);
        },
    ),
    Fault::clause(
        "scan-int32-barred",
        &[TcInDt],
        "TensorCumulative bars INT32 and UINT32, like the cached opcodes",
        "seed 003 section 7.1: TensorCumulative accepts int32 and uint32",
        |seen| seen.replace(s4d4_tr::IN_DTYPE, &[8, 9], 1),
    ),
    Fault::clause(
        "scan-mask-unchecked",
        &[TcMask0],
        "the scans take any mask_enable, as StreamTranspose does",
        "seed 003 section 3: mask_enable forced 0 (TC-MASK0)",
        |seen| seen.record[s4d4_tr::MASK_ENABLE] = 0,
    ),
    Fault::clause(
        "negated-unchecked",
        &[TcNeg0],
        "the scans take any value of the byte `negated`",
        "seed 003 section 4: has_zero_negated_field (TC-NEG0)",
        |seen| seen.record[s4d4_tr::NEGATED] = 0,
    ),
    Fault::clause(
        "negated-free",
        &[TcNeg0],
        "negated may be 0 or 1 for the scans, as for TensorReduce",
        "seed 003 section 4, QUIRK: negated is forced 0 for the scan (TC-NEG0)",
        |seen| seen.replace(s4d4_tr::NEGATED, &[1], 0),
    ),
    Fault::clause(
        "axis-unused",
        &[TcDim],
        "an unused axis field is legal and means X, as for the movement group",
        "seed 003 section 4: op_dim is X, XY, XYZ or XYZW (TC-DIM)",
        |seen| seen.replace(s4d4_tr::OP_DIM, &[0], 2),
    ),
    Fault::clause(
        "axis-hole",
        &[TcDim],
        "the axis field has no hole at 1",
        "spec 01 section 6.4: TENSOR_SUBDIM has no 1 (TC-DIM)",
        |seen| seen.replace(s4d4_tr::OP_DIM, &[1], 2),
    ),
    Fault::clause(
        "scan-divides",
        &[TcExcl],
        "Divide, Pow and Mod may scan: the exclusion is overlooked",
        "seed 003 section 4.1: op is none of Divide, Pow, Mod (TC-EXCL)",
        |seen| seen.replace(s4d4_tr::OP, &[0x07, 0x1A, 0x1B], 4),
    ),
    Fault::clause(
        "scan-general-arith",
        &[TcAr],
        "0x4E is gated by general_arith, so integer operators and Rsqrt are refused",
        "seed 003 section 4.1: the arith branch uses is_arith_op, not \
         is_general_arith_op (TC-AR)",
        |seen| {
            if seen.record[0] == opcode::TENSOR_CUMULATIVE_ARITH {
                seen.replace(s4d4_tr::OP, &[0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0x1D], 0x0A);
            }
        },
    ),
    Fault::clause(
        "scan-whole-integer-band",
        &[TcAr],
        "0x4E takes the whole integer band, MaxInt and compares included",
        "spec 02 TC-AR: of the band AddInt, MultInt, SubtractInt, DivideInt and ModInt \
         are arith",
        |seen| {
            if seen.record[s4d4_tr::OP] > 0xC8 {
                seen.record[s4d4_tr::OP] = 0xC4;
            }
        },
    ),
    Fault::clause(
        "bitvec-without-crc",
        &[TcBv],
        "0x5E takes the nine general bitvec operators, without Crc32",
        "seed 003 section 4.1: the full bitvec set including Crc32 (TC-BV)",
        |seen| seen.replace(s4d4_tr::OP, &[AluOp::Crc32.wire()], 4),
    ),
    Fault::clause(
        "class-of-the-other-opcode",
        &[TcAr, TcBv],
        "one operator class serves both opcodes: 0x5E may scan with arithmetic operators",
        "seed 003 section 4.1, NOTE: the opcode picks the class predicate (TC-AR, TC-BV)",
        |seen| {
            let arith = AluOp::from_wire(seen.record[s4d4_tr::OP])
                .is_some_and(|op| oracle::numeric::fp32::operator(op).is_some());
            if arith && seen.record[0] == opcode::TENSOR_CUMULATIVE_BITVEC {
                seen.record[s4d4_tr::OP] = AluOp::BitwiseAnd.wire();
            }
        },
    ),
    Fault::clause(
        "bitvec-any-integer",
        &[TcDtBv],
        "0x5E takes INT8 and INT16 as well",
        "seed 003 section 7.2: UINT8, UINT16, UINT32 and INT32 (TC-DT-BV)",
        |seen| {
            for at in [s4d4_tr::IN_DTYPE, s4d4_tr::OUT_DTYPE] {
                seen.replace(at, &[2], 3);
                seen.replace(at, &[4], 5);
            }
        },
    ),
    Fault::clause(
        "shift-right-any-dtype",
        &[TcDtBv],
        "LogicalShiftRight scans any of the four dtypes",
        "seed 003 section 7.2: LSR restricted to INT32 (TC-DT-BV)",
        |seen| seen.replace(s4d4_tr::OP, &[AluOp::LogicalShiftRight.wire()], 0x10),
    ),
    Fault::clause(
        "bitvec-dtypes-differ",
        &[TcDtBv],
        "0x5E may write another dtype than it reads",
        "seed 003 section 7.2: in_dtype == out_dtype (TC-DT-BV)",
        |seen| seen.record[s4d4_tr::OUT_DTYPE] = seen.record[s4d4_tr::IN_DTYPE],
    ),
];
