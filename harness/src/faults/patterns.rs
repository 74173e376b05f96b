//! Misread clauses that every group has: patterns, counts, channels, dtypes, reserved bytes (spec 02
//! section 2).

use super::Fault;
use super::tensor::judge::Judged;
use contract::isa::layout::s3d3_ts;
use contract::isa::{ClauseId::*, Dtype, Generation, opcode};
use oracle::numeric::format::element_size;

/// Copies the counts of the source over those of the destination where `forgives` says so.
fn same_counts(seen: &mut Judged, forgives: fn(u64, u64) -> bool) {
    let Some([(source, rank), (destination, _)]) = seen.patterns() else { return };
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
    let Some(patterns) = seen.patterns() else { return };
    let dtypes = [seen.record[s3d3_ts::IN_DTYPE], seen.record[s3d3_ts::OUT_DTYPE]];
    for ((at, _), dtype) in patterns.into_iter().zip(dtypes) {
        let size = Dtype::from_wire(dtype).and_then(element_size).unwrap_or(1);
        seen.set_word(at, seen.word(at) & !(size - 1));
    }
}

/// Changes both start words.
fn start_words(seen: &mut Judged, change: fn(u32) -> u32) {
    for (at, _) in seen.patterns().into_iter().flatten() {
        seen.set_word(at, change(seen.word(at)));
    }
}

const REGISTER: u32 = 0x8000_0000;

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::clause(
        "fp32r-input",
        &[CrTypes, CrInDt, TcInDt],
        "FP32R may be read, since it may be written",
        "seed 003 section 7.1: the input bars FP32R, the output admits it (CR-IN-DT, \
         TC-IN-DT)",
        |seen| seen.replace(s3d3_ts::IN_DTYPE, &[0x0B], 0x0A),
    ),
    Fault::clause(
        "fp32r-output-barred",
        &[CrOutDt, TcOutDt],
        "FP32R is barred on both sides",
        "seed 003 section 7.1: the output admits FP32R (CR-OUT-DT, TC-OUT-DT)",
        |seen| seen.replace(s3d3_ts::OUT_DTYPE, &[0x0B], 1),
    ),
    Fault::clause(
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
    Fault::clause(
        "fewer-outputs",
        &[CrCount, TcCount],
        "a destination may have fewer elements than the source",
        "seed 003 section 4: same_element_count (CR-COUNT, TC-COUNT)",
        |seen| same_counts(seen, |source, destination| destination < source && destination > 0),
    ),
    Fault::clause(
        "count-by-shape",
        &[CrCount, TcCount],
        "source and destination must have the same shape, not the same count",
        "spec 02 section 2.6: shape is not compared",
        |seen| {
            let Some([(source, rank), (destination, _)]) = seen.patterns() else { return };
            let counts = |at: usize| at + 4 + 2 * rank..at + 4 + 4 * rank;
            if seen.record[counts(source)] != seen.record[counts(destination)] {
                seen.set_half(destination + 4 + 2 * rank, 0);
            }
        },
    ),
    Fault::clause(
        "reserved-first-byte",
        &[CrRsvd, TcRsvd],
        "of the reserved bytes the first alone must be zero",
        "seed 003 section 4: reserved1[0..4] == 0 (CR-RSVD, TC-RSVD)",
        |seen| {
            let rest = if seen.is_cached() { 14..16 } else { 40..44 };
            seen.record[rest].fill(0);
        },
    ),
    Fault::clause(
        "channels-zero",
        &[CrChan, TcChan],
        "no channels at all is a legal channel count",
        "spec 02 section 2.5: 1 to 128 (CR-CHAN, TC-CHAN)",
        |seen| seen.replace(s3d3_ts::NUM_ACTIVE_CHANNELS, &[0], 1),
    ),
    Fault::clause(
        "channels-127",
        &[CrChan, TcChan],
        "the channel count stays below 128",
        "spec 02 section 2.5: 1 to 128 (CR-CHAN, TC-CHAN)",
        |seen| seen.replace(s3d3_ts::NUM_ACTIVE_CHANNELS, &[128], 0),
    ),
    Fault::clause(
        "quadrants-take-96",
        &[CrSrcCh, CrDstCh, TcSrcCh, TcDstCh],
        "up to 96 channels may start in any quadrant",
        "spec 02 VD-CHAN: partition 32 takes 32 channels, 64 takes 64, 96 takes 32",
        |seen| {
            let channels = seen.record[s3d3_ts::NUM_ACTIVE_CHANNELS];
            if (33..=96).contains(&channels) {
                seen.record[s3d3_ts::NUM_ACTIVE_CHANNELS] = 32;
            }
        },
    ),
    Fault::clause(
        "start-unaligned",
        &[CrSrcMem, CrDstMem, TcSrcMem, TcDstMem],
        "start addresses need not be aligned to the element",
        "spec 01 section 7, rule 5: a multiple of the element size",
        aligned,
    ),
    Fault::clause(
        "psum-narrow-writes",
        &[CrDstMem, TcDstMem],
        "PSUM takes writes of any width",
        "spec 01 section 7, rule 6: writes to PSUM require a 4-byte dtype",
        |seen| {
            let Some([_, (at, _)]) = seen.patterns() else { return };
            let psum = 0x200_0000..0x240_0000;
            if psum.contains(&(seen.word(at) & 0x1FFF_FFFF)) {
                seen.replace(s3d3_ts::OUT_DTYPE, &[2, 3, 4, 5, 6, 7, 13, 14, 15], 0x0A);
                seen.set_word(at, seen.word(at) & !3);
            }
        },
    ),
    Fault::clause(
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
    Fault::clause(
        "dead-marker-passes",
        &[CrSrcMem, CrDstMem, TcSrcMem, TcDstMem],
        "address bits 29 and 30 are masked away before the check",
        "spec 02 MP-MARK: markers 0x60 and 0xA0 are invalid",
        |seen| start_words(seen, |word| if word >> 29 == 3 { word & 0x1FFF_FFFF } else { word }),
    ),
    Fault::clause(
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
];
