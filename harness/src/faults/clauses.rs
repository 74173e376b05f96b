//! Misread clauses (spec 02): dropped, inverted, off by one, judged for the wrong generation. Each row
//! says which clauses are judged on what else than the record.

use super::tensor::judge::{Clauses, Judged, Verdicts};
use super::{Fault, Wrong};
use contract::isa::layout::{events, header, s3d3_ts, s4d4_tr};
use contract::isa::{AluOp, ClauseId, Dtype, Generation, opcode};
use contract::outcome::{TensorReason, TensorVerdict};
use oracle::numeric::format::element_size;
use oracle::tensor::address::AddressWord;

use ClauseId::*;

const fn clause(
    name: &'static str,
    clauses: &'static [ClauseId],
    story: &'static str,
    source: &'static str,
    reads: fn(&mut Judged),
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Clause(Clauses { clauses, reads }) }
}

const fn verdict(
    name: &'static str,
    story: &'static str,
    source: &'static str,
    concerns: fn(&Judged) -> bool,
    verdict: fn(&Judged, TensorVerdict) -> TensorVerdict,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Verdict(Verdicts { concerns, verdict }) }
}

/// Replaces a byte if it has one of some values.
fn replace(seen: &mut Judged, at: usize, from: &[u8], to: u8) {
    if from.contains(&seen.record[at]) {
        seen.record[at] = to;
    }
}

fn is_cached(seen: &Judged) -> bool {
    matches!(
        seen.record[0],
        opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE
    )
}

fn is_scan(seen: &Judged) -> bool {
    matches!(seen.record[0], opcode::TENSOR_CUMULATIVE_ARITH | opcode::TENSOR_CUMULATIVE_BITVEC)
}

/// Offsets of both pattern fields and their rank; of any other opcode nothing.
fn patterns(seen: &Judged) -> Option<[(usize, usize); 2]> {
    if is_cached(seen) {
        Some([(s3d3_ts::SRC_MEM_PATTERN, 3), (s3d3_ts::DST_MEM_PATTERN, 3)])
    } else if is_scan(seen) {
        Some([(s4d4_tr::SRC_MEM_PATTERN, 4), (s4d4_tr::DST_MEM_PATTERN, 4)])
    } else {
        None
    }
}

/// Copies the counts of the source over those of the destination where `forgives` says so.
fn same_counts(seen: &mut Judged, forgives: fn(u64, u64) -> bool) {
    let Some([(source, rank), (destination, _)]) = patterns(seen) else { return };
    let count = |seen: &Judged, at: usize| -> u64 {
        (0..rank).map(|axis| u64::from(seen.half(at + 4 + 2 * (rank + axis)))).product()
    };
    if forgives(count(seen, source), count(seen, destination)) {
        for axis in 0..rank {
            let own = seen.half(source + 4 + 2 * (rank + axis));
            seen.set_half(destination + 4 + 2 * (rank + axis), own);
        }
    }
}

/// Aligns the start words by the element sizes.
fn aligned(seen: &mut Judged) {
    let Some(patterns) = patterns(seen) else { return };
    let dtypes = [seen.record[s3d3_ts::IN_DTYPE], seen.record[s3d3_ts::OUT_DTYPE]];
    for ((at, _), dtype) in patterns.into_iter().zip(dtypes) {
        let size = Dtype::from_wire(dtype).and_then(element_size).unwrap_or(1);
        seen.set_word(at, seen.word(at) & !(size - 1));
    }
}

/// Changes both start words.
fn start_words(seen: &mut Judged, change: fn(u32) -> u32) {
    for (at, _) in patterns(seen).into_iter().flatten() {
        seen.set_word(at, change(seen.word(at)));
    }
}

const REGISTER: u32 = 0x8000_0000;

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    clause(
        "header-length-unchecked",
        &[HdrLen],
        "the length in the header is taken on trust, since records are 64 bytes anyway",
        "spec 02 section 3: HDR-LEN",
        |seen| seen.record[header::INST_WORD_LEN] = 16,
    ),
    clause(
        "wait-mode-hole",
        &[EvtWait],
        "wait modes are a range, so that code 8 between 7 and 14 passes",
        "spec 01 section 2.2: WAIT_MODE has holes",
        |seen| replace(seen, events::WAIT_MODE, &[8, 9, 10, 11, 12, 13], 0),
    ),
    clause(
        "update-mode-hole",
        &[EvtUpd],
        "update modes are a range, so that the codes 6 and 8 pass",
        "spec 01 section 2.2: UPDATE_MODE has holes",
        |seen| replace(seen, events::UPDATE_MODE, &[6, 8], 0),
    ),
    clause(
        "op1-bypass",
        &[CrOp1],
        "op1 may be Bypass, as in plain TensorScalar",
        "seed 000 section 11.2: op1 is one of five operators, not Bypass (CR-OP1)",
        |seen| replace(seen, s3d3_ts::OP1, &[0], 4),
    ),
    clause(
        "op1-any-general",
        &[CrOp1],
        "op1 may be any general arithmetic operator, like op0",
        "seed 000 section 4f: op1 is Add, Subtract, Mult, Max or Min (CR-OP1)",
        |seen| {
            let general = [13, 14, 15, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19];
            replace(seen, s3d3_ts::OP1, &general, 4);
        },
    ),
    clause(
        "op0-any-arith",
        &[CrOp0Gen],
        "op0 may be Divide, Pow, Mod or Rsqrt: general_arith is taken for arith",
        "seed 003 section 4.1: general_arith leaves out Divide, Pow, Mod and Rsqrt \
         (CR-OP0-GEN)",
        |seen| replace(seen, s3d3_ts::OP0, &[0x07, 0x1A, 0x1B, 0x1D], 4),
    ),
    clause(
        "op0-maverick-integers",
        &[CrOp0Gen],
        "the integer relaxation of maverick reaches the cached opcodes",
        "seed 000 section 10, CORRECTION: the relaxation does not reach the cache-reduce \
         op set",
        |seen| {
            if seen.generation == Generation::Maverick {
                let integers: Vec<u8> = (0xC4..=0xD4).collect();
                replace(seen, s3d3_ts::OP0, &integers, 4);
            }
        },
    ),
    clause(
        "op0-21-everywhere",
        &[CrOp0Gen, CrOp0Enum],
        "the general set has 21 members on every generation",
        "spec 06, remarks not followed: 17 on sunda and cayman, 21 from mariana",
        |seen| replace(seen, s3d3_ts::OP0, &[0x20, 0x21, 0x22, 0x23], 4),
    ),
    clause(
        "op0-17-everywhere",
        &[CrOp0Gen],
        "AbsMax, AbsMin, ReLU and Square never join the general set",
        "spec 02 section 2.2: general_arith has 21 members from mariana on",
        |seen| replace(seen, s3d3_ts::OP0, &[0x20, 0x21, 0x22, 0x23], 0x07),
    ),
    clause(
        "clamp-is-general",
        &[CrOp0Gen],
        "SymmetricClamp is a general operator on maverick",
        "spec 02 VD-CLAMP: enum member, in no operator set",
        |seen| replace(seen, s3d3_ts::OP0, &[0x24], 4),
    ),
    clause(
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
    clause(
        "int32-cache-reduce",
        &[CrTypes],
        "0x9A takes INT32 elements",
        "seed 000 section 5: the int datapath minus int32 and uint32 (CR-TYPES)",
        |seen| {
            if seen.record[0] == opcode::TENSOR_SCALAR_CACHE_REDUCE {
                replace(seen, s3d3_ts::IN_DTYPE, &[8], 0x0A);
            }
        },
    ),
    clause(
        "cached-32-bit-integers",
        &[CrTypes],
        "the cached opcodes take INT32 and UINT32 elements, like the scans",
        "seed 003 section 7.1: CacheCumulative excludes int32 and uint32 (CR-TYPES)",
        |seen| replace(seen, s3d3_ts::IN_DTYPE, &[8, 9], 0x0A),
    ),
    clause(
        "cache-reduce-floats-only",
        &[CrTypes],
        "the cached opcodes take floating-point elements alone",
        "seed 000 section 5: fp datapath or int datapath minus int32 and uint32 (CR-TYPES)",
        |seen| replace(seen, s3d3_ts::IN_DTYPE, &[2, 3, 4, 5], 8),
    ),
    clause(
        "fp32r-input",
        &[CrTypes, CrInDt, TcInDt],
        "FP32R may be read, since it may be written",
        "seed 003 section 7.1: the input bars FP32R, the output admits it (CR-IN-DT, \
         TC-IN-DT)",
        |seen| replace(seen, s3d3_ts::IN_DTYPE, &[0x0B], 0x0A),
    ),
    clause(
        "fp32r-output-barred",
        &[CrOutDt, TcOutDt],
        "FP32R is barred on both sides",
        "seed 003 section 7.1: the output admits FP32R (CR-OUT-DT, TC-OUT-DT)",
        |seen| replace(seen, s3d3_ts::OUT_DTYPE, &[0x0B], 1),
    ),
    clause(
        "scan-64-bit",
        &[TcInDt, TcOutDt],
        "TensorCumulative takes 64-bit integers, as TensorReduce does",
        "seed 003 section 7.1: plain is_valid_dtype, 64-bit excluded (TC-IN-DT, TC-OUT-DT)",
        |seen| {
            replace(seen, s4d4_tr::IN_DTYPE, &[1, 0x0C], 8);
            replace(seen, s4d4_tr::OUT_DTYPE, &[1, 0x0C], 8);
        },
    ),
    clause(
        "scan-int32-barred",
        &[TcInDt],
        "TensorCumulative bars INT32 and UINT32, like the cached opcodes",
        "seed 003 section 7.1: TensorCumulative accepts int32 and uint32",
        |seen| replace(seen, s4d4_tr::IN_DTYPE, &[8, 9], 1),
    ),
    clause(
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
    clause(
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
    clause(
        "scalar-register-64",
        &[CrImm0, CrImm1Gate],
        "register 64 exists: the bound is read as at most 64",
        "spec 02 VD-IMMREG: below 64",
        |seen| {
            for (source, word) in
                [(s3d3_ts::IMM0_SRC, s3d3_ts::IMM0), (s3d3_ts::IMM1_SRC, s3d3_ts::IMM1)]
            {
                if seen.record[source] == 2 {
                    replace(seen, word, &[64], 63);
                }
            }
        },
    ),
    clause(
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
    clause(
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
    clause(
        "reduce-one-output",
        &[CrCount],
        "0x9A may have one destination element, for it has one result",
        "seed 000 section 4e: dst is sized like src for both opcodes (CR-COUNT)",
        |seen| {
            if seen.record[0] == opcode::TENSOR_SCALAR_CACHE_REDUCE {
                same_counts(seen, |_, destination| destination == 1);
            }
        },
    ),
    clause(
        "fewer-outputs",
        &[CrCount, TcCount],
        "a destination may have fewer elements than the source",
        "seed 003 section 4: same_element_count (CR-COUNT, TC-COUNT)",
        |seen| same_counts(seen, |source, destination| destination < source && destination > 0),
    ),
    clause(
        "count-by-shape",
        &[CrCount, TcCount],
        "source and destination must have the same shape, not the same count",
        "spec 02 section 2.6: shape is not compared",
        |seen| {
            let Some([(source, rank), (destination, _)]) = patterns(seen) else { return };
            let counts = |at: usize| at + 4 + 2 * rank..at + 4 + 4 * rank;
            if seen.record[counts(source)] != seen.record[counts(destination)] {
                seen.set_half(destination + 4 + 2 * rank, 0);
            }
        },
    ),
    clause(
        "reversal-allowed",
        &[CrRev],
        "the cached opcodes allow reversed operands, as plain TensorScalar does",
        "seed 000 section 4d: reverse_operands forced None (CR-REV)",
        |seen| replace(seen, s3d3_ts::REVERSE_OPERANDS, &[1, 2, 3], 0),
    ),
    clause(
        "reserved-first-byte",
        &[CrRsvd, TcRsvd],
        "of the reserved bytes the first alone must be zero",
        "seed 003 section 4: reserved1[0..4] == 0 (CR-RSVD, TC-RSVD)",
        |seen| {
            let rest = if is_cached(seen) { 14..16 } else { 40..44 };
            seen.record[rest].fill(0);
        },
    ),
    clause(
        "accumulator-idle",
        &[CrAcc],
        "Idle is a legal command of the cached opcodes",
        "seed 000 section 4c: Idle and Zero are rejected (CR-ACC)",
        |seen| replace(seen, s3d3_ts::ACCUMULATOR_CMD, &[0], 3),
    ),
    clause(
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
    clause(
        "channels-zero",
        &[CrChan, TcChan],
        "no channels at all is a legal channel count",
        "spec 02 section 2.5: 1 to 128 (CR-CHAN, TC-CHAN)",
        |seen| replace(seen, s3d3_ts::NUM_ACTIVE_CHANNELS, &[0], 1),
    ),
    clause(
        "channels-127",
        &[CrChan, TcChan],
        "the channel count stays below 128",
        "spec 02 section 2.5: 1 to 128 (CR-CHAN, TC-CHAN)",
        |seen| replace(seen, s3d3_ts::NUM_ACTIVE_CHANNELS, &[128], 0),
    ),
    clause(
        "quadrant-32-takes-96",
        &[CrSrcCh, CrDstCh, TcSrcCh, TcDstCh],
        "channels may go on to the last partition wherever they start",
        "spec 02 VD-CHAN: partition 32 takes 32 channels, 64 takes 64, 96 takes 32",
        |seen| {
            let channels = seen.record[s3d3_ts::NUM_ACTIVE_CHANNELS];
            if (33..=96).contains(&channels) {
                seen.record[s3d3_ts::NUM_ACTIVE_CHANNELS] = 32;
            }
        },
    ),
    clause(
        "start-unaligned",
        &[CrSrcMem, CrDstMem, TcSrcMem, TcDstMem],
        "start addresses need not be aligned to the element",
        "spec 01 section 7, rule 5: a multiple of the element size",
        aligned,
    ),
    clause(
        "psum-narrow-writes",
        &[CrDstMem, TcDstMem],
        "PSUM takes writes of any width",
        "spec 01 section 7, rule 6: writes to PSUM require a 4-byte dtype",
        |seen| {
            let Some([_, (at, _)]) = patterns(seen) else { return };
            let psum = 0x200_0000..0x240_0000;
            if psum.contains(&(seen.word(at) & 0x1FFF_FFFF)) {
                replace(seen, s3d3_ts::OUT_DTYPE, &[2, 3, 4, 5, 6, 7, 13, 14, 15], 0x0A);
                seen.set_word(at, seen.word(at) & !3);
            }
        },
    ),
    clause(
        "maverick-keeps-psum",
        &[CrSrcMem, CrDstMem, TcSrcMem, TcDstMem, CrSrcCh, CrDstCh, TcSrcCh, TcDstCh],
        "maverick is judged by the memory map of mariana",
        "spec 01 DD-MAV-PSUM: PSUM is empty, SBUF covers its addresses",
        |seen| {
            if seen.generation == Generation::Maverick {
                seen.generation = Generation::Mariana;
            }
        },
    ),
    clause(
        "dead-marker-passes",
        &[CrSrcMem, CrDstMem, TcSrcMem, TcDstMem],
        "address bits 29 and 30 are masked away before the check",
        "spec 02 MP-MARK: markers 0x60 and 0xA0 are invalid",
        |seen| start_words(seen, |word| if word >> 29 == 3 { word & 0x1FFF_FFFF } else { word }),
    ),
    clause(
        "pattern-register-64",
        &[CrSrcMem, CrDstMem, TcSrcMem, TcDstMem],
        "a start word may name any register number that fits a byte",
        "spec 02 section 2.4: number below 64, bytes 1 and 2 zero",
        |seen| {
            start_words(seen, |word| {
                if word >> 29 == REGISTER >> 29 { REGISTER | word & 0x3F } else { word }
            });
        },
    ),
    clause(
        "scan-mask-unchecked",
        &[TcMask0],
        "the scans take any mask_enable, as StreamTranspose does",
        "seed 003 section 3: mask_enable forced 0 (TC-MASK0)",
        |seen| seen.record[s4d4_tr::MASK_ENABLE] = 0,
    ),
    clause(
        "negated-unchecked",
        &[TcNeg0],
        "the scans take any value of the byte `negated`",
        "seed 003 section 4: has_zero_negated_field (TC-NEG0)",
        |seen| seen.record[s4d4_tr::NEGATED] = 0,
    ),
    clause(
        "negated-free",
        &[TcNeg0],
        "negated may be 0 or 1 for the scans, as for TensorReduce",
        "seed 003 section 4, QUIRK: negated is forced 0 for the scan (TC-NEG0)",
        |seen| replace(seen, s4d4_tr::NEGATED, &[1], 0),
    ),
    clause(
        "axis-unused",
        &[TcDim],
        "an unused axis field is legal and means X, as for the movement group",
        "seed 003 section 4: op_dim is X, XY, XYZ or XYZW (TC-DIM)",
        |seen| replace(seen, s4d4_tr::OP_DIM, &[0], 2),
    ),
    clause(
        "axis-hole",
        &[TcDim],
        "the axis field has no hole at 1",
        "spec 01 section 6.4: TENSOR_SUBDIM has no 1 (TC-DIM)",
        |seen| replace(seen, s4d4_tr::OP_DIM, &[1], 2),
    ),
    clause(
        "scan-divides",
        &[TcExcl],
        "Divide, Pow and Mod may scan: the exclusion is overlooked",
        "seed 003 section 4.1: op is none of Divide, Pow, Mod (TC-EXCL)",
        |seen| replace(seen, s4d4_tr::OP, &[0x07, 0x1A, 0x1B], 4),
    ),
    clause(
        "scan-general-arith",
        &[TcAr],
        "0x4E is gated by general_arith, so integer operators and Rsqrt are refused",
        "seed 003 section 4.1: the arith branch uses is_arith_op, not \
         is_general_arith_op (TC-AR)",
        |seen| {
            if seen.record[0] == opcode::TENSOR_CUMULATIVE_ARITH {
                replace(seen, s4d4_tr::OP, &[0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0x1D], 0x0A);
            }
        },
    ),
    clause(
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
    clause(
        "bitvec-without-crc",
        &[TcBv],
        "0x5E takes the nine general bitvec operators, without Crc32",
        "seed 003 section 4.1: the full bitvec set including Crc32 (TC-BV)",
        |seen| replace(seen, s4d4_tr::OP, &[AluOp::Crc32.wire()], 4),
    ),
    clause(
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
    clause(
        "bitvec-any-integer",
        &[TcDtBv],
        "0x5E takes INT8 and INT16 as well",
        "seed 003 section 7.2: UINT8, UINT16, UINT32 and INT32 (TC-DT-BV)",
        |seen| {
            for at in [s4d4_tr::IN_DTYPE, s4d4_tr::OUT_DTYPE] {
                replace(seen, at, &[2], 3);
                replace(seen, at, &[4], 5);
            }
        },
    ),
    clause(
        "shift-right-any-dtype",
        &[TcDtBv],
        "LogicalShiftRight scans any of the four dtypes",
        "seed 003 section 7.2: LSR restricted to INT32 (TC-DT-BV)",
        |seen| replace(seen, s4d4_tr::OP, &[AluOp::LogicalShiftRight.wire()], 0x10),
    ),
    clause(
        "bitvec-dtypes-differ",
        &[TcDtBv],
        "0x5E may write another dtype than it reads",
        "seed 003 section 7.2: in_dtype == out_dtype (TC-DT-BV)",
        |seen| seen.record[s4d4_tr::OUT_DTYPE] = seen.record[s4d4_tr::IN_DTYPE],
    ),
    verdict(
        "first-clause-only",
        "judging stops at the first failing clause",
        "spec 02 section 1.1: both models evaluate all clauses",
        |_| true,
        |_, right| match right {
            TensorVerdict::Reject(clauses) => {
                TensorVerdict::Reject(clauses.iter().take(1).collect())
            }
            other => other,
        },
    ),
    verdict(
        "shape-register-rejected",
        "a shape from a register makes the pattern clause fail",
        "spec 01 DD-SHAPE-REG: unsupported, ADDR-SHAPEREG",
        |_| true,
        |seen, right| match right {
            TensorVerdict::Unsupported(TensorReason::AddrShapereg) => TensorVerdict::Reject(
                [if is_cached(seen) { CrSrcMem } else { TcSrcMem }].into_iter().collect(),
            ),
            other => other,
        },
    ),
    verdict(
        "overlap-by-ranges",
        "source and destination must lie apart as ranges, strided or not",
        "spec 01 DD-OVERLAP: strided patterns are compared by exact bytes, or they coincide",
        |seen| {
            patterns(seen).is_some_and(|[(source, _), (destination, _)]| {
                let word = |at| AddressWord(seen.word(at)).address();
                word(source) == word(destination)
            })
        },
        |_, right| match right {
            TensorVerdict::Accept => TensorVerdict::Fault(TensorReason::ExecOverlap),
            other => other,
        },
    ),
    verdict(
        "overlap-unchecked",
        "operands may overlap in any way",
        "spec 01 section 7.1: EXEC-OVERLAP",
        |seen| patterns(seen).is_some(),
        |_, right| match right {
            TensorVerdict::Fault(TensorReason::ExecOverlap) => TensorVerdict::Accept,
            other => other,
        },
    ),
    verdict(
        "bounds-unchecked",
        "an accepted record always executes, wherever its walk goes",
        "spec 01 DD-BOUNDS: EXEC-BOUNDS",
        |seen| patterns(seen).is_some(),
        |_, right| match right {
            TensorVerdict::Fault(TensorReason::ExecBounds) => TensorVerdict::Accept,
            other => other,
        },
    ),
    verdict(
        "tile-bytes-ignored",
        "header bytes 2 and 3 are free on maverick too",
        "spec 01 DD-HDR-FLAGS: HDR-TILE",
        |seen| seen.generation == Generation::Maverick,
        |_, right| match right {
            TensorVerdict::Unsupported(TensorReason::HdrTile) => TensorVerdict::Accept,
            other => other,
        },
    ),
    verdict(
        "clauses-before-scope",
        "an indirect pattern is judged by the clauses before it is out of scope",
        "spec 01 section 7.1: ADDR-SHAPEREG and IND come before the clauses",
        |_| true,
        |seen, right| match right {
            TensorVerdict::Unsupported(TensorReason::Ind) => TensorVerdict::Reject(
                [if is_cached(seen) { CrSrcMem } else { TcSrcMem }].into_iter().collect(),
            ),
            other => other,
        },
    ),
];
