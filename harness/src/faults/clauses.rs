//! Misread clauses of the preamble and of the cached opcodes (spec 02 sections 3 and 4.1): dropped, inverted,
//! off by one, judged for the wrong generation. Each row says which clauses are judged on what else than the
//! record.

use super::Fault;
use contract::isa::layout::{events, header, s3d3_ts};
use contract::isa::{ClauseId::*, Generation, opcode};

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::clause(
        "header-length-unchecked",
        &[HdrLen],
        "the length in the header is taken on trust, since records are 64 bytes anyway",
        "spec 02 section 3: HDR-LEN",
        |seen| seen.record[header::INST_WORD_LEN] = 16,
    ),
    Fault::clause(
        "wait-mode-hole",
        &[EvtWait],
        "wait modes are a range, so that code 8 between 7 and 14 passes",
        "spec 01 section 2.2: WAIT_MODE has holes",
        |seen| seen.replace(events::WAIT_MODE, &[8, 9, 10, 11, 12, 13], 0),
    ),
    Fault::clause(
        "update-mode-hole",
        &[EvtUpd],
        "update modes are a range, so that the codes 6 and 8 pass",
        "spec 01 section 2.2: UPDATE_MODE has holes",
        |seen| seen.replace(events::UPDATE_MODE, &[6, 8], 0),
    ),
    Fault::clause(
        "op1-bypass",
        &[CrOp1],
        "op1 may be Bypass, as in plain TensorScalar",
        "seed 000 section 11.2: op1 is one of five operators, not Bypass (CR-OP1)",
        |seen| seen.replace(s3d3_ts::OP1, &[0], 4),
    ),
    Fault::clause(
        "op1-any-general",
        &[CrOp1],
        "op1 may be any general arithmetic operator, like op0",
        "seed 000 section 4f: op1 is Add, Subtract, Mult, Max or Min (CR-OP1)",
        |seen| {
            let general = [13, 14, 15, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19];
            seen.replace(s3d3_ts::OP1, &general, 4);
        },
    ),
    Fault::clause(
        "op0-any-arith",
        &[CrOp0Gen],
        "op0 may be Divide, Pow, Mod or Rsqrt: general_arith is taken for arith",
        "seed 003 section 4.1: general_arith leaves out Divide, Pow, Mod and Rsqrt \
         (CR-OP0-GEN)",
        |seen| seen.replace(s3d3_ts::OP0, &[0x07, 0x1A, 0x1B, 0x1D], 4),
    ),
    Fault::clause(
        "op0-maverick-integers",
        &[CrOp0Gen],
        "the integer relaxation of maverick reaches the cached opcodes",
        "seed 000 section 10, CORRECTION: the relaxation does not reach the cache-reduce \
         op set",
        |seen| {
            if seen.generation == Generation::Maverick {
                let integers: Vec<u8> = (0xC4..=0xD4).collect();
                seen.replace(s3d3_ts::OP0, &integers, 4);
            }
        },
    ),
    Fault::clause(
        "op0-21-everywhere",
        &[CrOp0Gen, CrOp0Enum],
        "the general set has 21 members on every generation",
        "spec 06, remarks not followed: 17 on sunda and cayman, 21 from mariana",
        |seen| seen.replace(s3d3_ts::OP0, &[0x20, 0x21, 0x22, 0x23], 4),
    ),
    Fault::clause(
        "op0-17-everywhere",
        &[CrOp0Gen],
        "AbsMax, AbsMin, ReLU and Square never join the general set",
        "spec 02 section 2.2: general_arith has 21 members from mariana on",
        |seen| seen.replace(s3d3_ts::OP0, &[0x20, 0x21, 0x22, 0x23], 0x07),
    ),
    Fault::clause(
        "clamp-is-general",
        &[CrOp0Gen],
        "SymmetricClamp is a general operator on maverick",
        "spec 02 VD-CLAMP: enum member, in no operator set",
        |seen| seen.replace(s3d3_ts::OP0, &[0x24], 4),
    ),
    Fault::clause(
        "int32-cache-reduce",
        &[CrTypes],
        "0x9A takes INT32 elements",
        "seed 000 section 5: the int datapath minus int32 and uint32 (CR-TYPES)",
        |seen| {
            if seen.record[0] == opcode::TENSOR_SCALAR_CACHE_REDUCE {
                seen.replace(s3d3_ts::IN_DTYPE, &[8], 0x0A);
            }
        },
    ),
    Fault::clause(
        "cached-32-bit-integers",
        &[CrTypes],
        "the cached opcodes take INT32 and UINT32 elements, like the scans",
        "seed 003 section 7.1: CacheCumulative excludes int32 and uint32 (CR-TYPES)",
        |seen| seen.replace(s3d3_ts::IN_DTYPE, &[8, 9], 0x0A),
    ),
    Fault::clause(
        "cache-reduce-floats-only",
        &[CrTypes],
        "the cached opcodes take floating-point elements alone",
        "seed 000 section 5: fp datapath or int datapath minus int32 and uint32 (CR-TYPES)",
        |seen| seen.replace(s3d3_ts::IN_DTYPE, &[2, 3, 4, 5], 8),
    ),
    Fault::clause(
        "scalar-source-3",
        &[CrImm0],
        "an unknown scalar source counts as inline",
        "spec 02 section 2.8: a source outside 0, 1 and 2 fails (CR-IMM0)",
        |seen| {
            if seen.record[s3d3_ts::IMM0_SRC] > 2 {
                seen.record[s3d3_ts::IMM0_SRC] = 0;
            }
        },
    ),
    Fault::clause(
        "scalar-pointer-unaligned",
        &[CrImm0],
        "a pointer scalar need not be aligned",
        "spec 02 section 2.8: a pointer of the arithmetic class is a multiple of 4",
        |seen| {
            if seen.record[s3d3_ts::IMM0_SRC] == 1 {
                seen.record[s3d3_ts::IMM0] &= !3;
            }
        },
    ),
    Fault::clause(
        "scalar-register-64",
        &[CrImm0, CrImm1Gate],
        "register 64 exists: the bound is read as at most 64",
        "spec 02 VD-IMMREG: below 64",
        |seen| {
            for (source, word) in
                [(s3d3_ts::IMM0_SRC, s3d3_ts::IMM0), (s3d3_ts::IMM1_SRC, s3d3_ts::IMM1)]
            {
                if seen.record[source] == 2 {
                    seen.replace(word, &[64], 63);
                }
            }
        },
    ),
    Fault::clause(
        "seed-without-load",
        &[CrImm1Gate],
        "imm1 is ignored, not refused, without LoadAccumulate",
        "seed 000 section 4g: without LoadAccumulate imm1_src and imm1 are zero \
         (CR-IMM1-GATE)",
        |seen| {
            if seen.record[s3d3_ts::ACCUMULATOR_CMD] != 4 {
                seen.record[s3d3_ts::IMM1_SRC] = 0;
                seen.set_word(s3d3_ts::IMM1, 0);
            }
        },
    ),
    Fault::clause(
        "seed-minus-zero",
        &[CrImm1Gate],
        "imm1 is compared with zero as a number, so that -0.0 passes",
        "spec 02 section 4.1, note d: the gate is on bits",
        |seen| {
            if seen.word(s3d3_ts::IMM1) == 0x8000_0000 {
                seen.set_word(s3d3_ts::IMM1, 0);
            }
        },
    ),
    Fault::clause(
        "reversal-allowed",
        &[CrRev],
        "the cached opcodes allow reversed operands, as plain TensorScalar does",
        "seed 000 section 4d: reverse_operands forced None (CR-REV)",
        |seen| seen.replace(s3d3_ts::REVERSE_OPERANDS, &[1, 2, 3], 0),
    ),
    Fault::clause(
        "accumulator-idle",
        &[CrAcc],
        "Idle is a legal command of the cached opcodes",
        "seed 000 section 4c: Idle and Zero are rejected (CR-ACC)",
        |seen| seen.replace(s3d3_ts::ACCUMULATOR_CMD, &[0], 3),
    ),
    Fault::clause(
        "accumulator-one-higher",
        &[CrAcc],
        "the commands are numbered one higher, so that Zero passes and LoadAccumulate \
         does not",
        "spec 01 section 6.4: a textual form of ACCUM_CMD is numbered otherwise than the wire",
        |seen| {
            let command = seen.record[s3d3_ts::ACCUMULATOR_CMD];
            seen.record[s3d3_ts::ACCUMULATOR_CMD] = command.wrapping_add(1);
        },
    ),
];
