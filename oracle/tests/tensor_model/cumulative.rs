//! TensorCumulative (spec 03 section 7.5).

use crate::support::{Record, at, b_tc, b_tcb, fp32_bytes, sbuf, words};
use contract::isa::{AluOp, Dtype, Generation, Subdim};
use contract::model::TensorModel;
use contract::outcome::TensorVerdict;
use contract::profile::{F2iRound, Profile};
use contract::state::TensorState;
use oracle::numeric::format::element_size;
use oracle::tensor::OracleTensor;

/// One channel; the source begins at offset 0, the destination at offset 64.
fn scan(baseline: Record, op: AluOp, dim: Subdim, counts: [u16; 4]) -> Record {
    let steps = [1, counts[0] as i16, (counts[0] * counts[1]) as i16, 1];
    let total = counts.iter().product();
    baseline
        .byte(at::tr::NUM_ACTIVE_CHANNELS, 1)
        .byte(at::tr::OP, op.wire())
        .byte(at::tr::OP_DIM, dim.wire())
        .pattern(at::tr::SRC_MEM_PATTERN, 0, steps, counts)
        .pattern(at::tr::DST_MEM_PATTERN, 64, [1; 4], [total, 1, 1, 1])
}

fn dtypes(record: Record, input: Dtype, output: Dtype) -> Record {
    record.byte(at::tr::IN_DTYPE, input.wire()).byte(at::tr::OUT_DTYPE, output.wire())
}

fn run_with(record: Record, source: &[u8], profile: Profile) -> TensorState {
    let mut data = source.to_vec();
    data.resize(128, 0);
    let mut state = sbuf(Generation::Mariana, 1, 0, data);
    state.profile = profile;
    let step = OracleTensor::default().step(&mut state, &record.0).expect("no stray write");
    assert_eq!(step.verdict, TensorVerdict::Accept);
    assert!(!step.indeterminate_acc);
    assert_eq!((state.seeded, state.accumulators), (0, [0; 128]), "no accumulator is touched");
    state
}

/// Destination codes of a scan in one dtype each way.
#[track_caller]
fn codes(record: Record, input: Dtype, output: Dtype, source: &[u64]) -> Vec<u64> {
    let size = |dtype| element_size(dtype).expect("a sized dtype") as usize;
    let bytes: Vec<u8> =
        source.iter().flat_map(|code| code.to_le_bytes()[..size(input)].to_vec()).collect();
    let state = run_with(dtypes(record, input, output), &bytes, Profile::default());
    state.regions[0].data[64..]
        .chunks(size(output))
        .take(source.len())
        .map(|chunk| chunk.iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte)))
        .collect()
}

#[track_caller]
fn fp32(op: AluOp, source: &[f32], expected: &[f32]) {
    let count = source.len() as u16;
    let record = scan(b_tc(), op, Subdim::X, [count, 1, 1, 1]);
    let state = run_with(record, &fp32_bytes(source), Profile::default());
    let written = words(&state.regions[0].data[64..64 + 4 * source.len()]);
    assert_eq!(written, words(&fp32_bytes(expected)), "{op:?}");
}

#[test]
fn worked_values() {
    let square = |dim| {
        let record = scan(b_tc(), AluOp::Add, dim, [2, 2, 1, 1]);
        let state = run_with(record, &fp32_bytes(&[1.0, 2.0, 3.0, 4.0]), Profile::default());
        words(&state.regions[0].data[64..80])
    };
    assert_eq!(square(Subdim::X), words(&fp32_bytes(&[1.0, 3.0, 3.0, 7.0])));
    assert_eq!(square(Subdim::XY), words(&fp32_bytes(&[1.0, 3.0, 6.0, 10.0])));
    fp32(AluOp::IsGT, &[5.0, 3.0, 0.5], &[5.0, 1.0, 1.0]);
    fp32(AluOp::LogicalXor, &[2.0, 2.0, 2.0], &[2.0, 0.0, 1.0]);
}

#[test]
fn runs_cover_the_named_axes() {
    // 2 × 2 × 2 × 2 ones: the scan restarts after 2, 4, 8, 16 elements.
    for (dim, length) in [(Subdim::X, 2), (Subdim::XY, 4), (Subdim::XYZ, 8), (Subdim::XYZW, 16)] {
        let record =
            dtypes(scan(b_tc(), AluOp::Add, dim, [2, 2, 2, 2]), Dtype::Uint8, Dtype::Uint8);
        let state = run_with(record, &[1; 16], Profile::default());
        let expected: Vec<u8> = (0..16).map(|i| i % length + 1).collect();
        assert_eq!(state.regions[0].data[64..80], expected, "{dim:?}");
    }
}

#[test]
fn the_source_pattern_sets_the_runs_whatever_the_destination_looks_like() {
    let record = scan(b_tc(), AluOp::Add, Subdim::X, [3, 2, 1, 1]).pattern(
        at::tr::DST_MEM_PATTERN,
        64,
        [1, 2, 1, 1],
        [2, 3, 1, 1],
    );
    let source = fp32_bytes(&[1.0, 1.0, 1.0, 5.0, 5.0, 5.0]);
    let state = run_with(record, &source, Profile::default());
    let expected = words(&fp32_bytes(&[1.0, 2.0, 3.0, 5.0, 10.0, 15.0]));
    assert_eq!(words(&state.regions[0].data[64..88]), expected);
}

#[test]
fn the_first_element_of_a_run_does_not_pass_through_the_operator() {
    fp32(AluOp::Square, &[3.0, 7.0, 7.0], &[3.0, 9.0, 81.0]);
    fp32(AluOp::AbsoluteValue, &[-3.0, 7.0], &[-3.0, 3.0]);
    fp32(AluOp::ReLU, &[-3.0, 7.0], &[-3.0, 0.0]);
    fp32(AluOp::Bypass, &[4.0, 7.0, 9.0], &[4.0, 4.0, 4.0]);
    fp32(AluOp::Rsqrt, &[4.0, 7.0, 9.0], &[4.0, 0.5, std::f32::consts::SQRT_2]);
    fp32(AluOp::Subtract, &[10.0, 3.0, 2.0], &[10.0, 7.0, 5.0]);
    fp32(AluOp::AbsoluteDiff, &[1.0, 4.0, 1.0], &[1.0, 3.0, 2.0]);
    fp32(AluOp::IsLE, &[5.0, 3.0, 0.5], &[5.0, 0.0, 1.0]);
    fp32(AluOp::AbsMax, &[-5.0, -6.0], &[-5.0, 6.0]);
    fp32(AluOp::AbsMin, &[-5.0, -6.0], &[-5.0, 5.0]);
    fp32(AluOp::Mult, &[-0.0, 6.0], &[-0.0, -0.0]);
}

#[test]
fn a_signalling_nan_survives_until_an_arithmetic_operator_meets_it() {
    let record = |op| scan(b_tc(), op, Subdim::X, [3, 1, 1, 1]);
    let source = [0xFFA0_0001, 0x3F80_0000, 0x3F80_0000];
    let nan = codes(record(AluOp::Add), Dtype::Fp32, Dtype::Fp32, &source);
    assert_eq!(nan, [0xFFA0_0001, 0xFFE0_0001, 0xFFE0_0001]);
    let max = codes(record(AluOp::Max), Dtype::Fp32, Dtype::Fp32, &source);
    assert_eq!(max, [0xFFA0_0001, 0x3F80_0000, 0x3F80_0000]);
    // Equal dtypes are still converted: an FP8 payload becomes the canonical NaN.
    let fp8 = codes(
        scan(b_tc(), AluOp::Max, Subdim::X, [1, 2, 1, 1]),
        Dtype::Fp8Exp4,
        Dtype::Fp8Exp4,
        &[0x79, 0xF9],
    );
    assert_eq!(fp8, [0x7C, 0xFC]);
}

#[test]
fn the_running_value_is_not_rounded_to_the_destination() {
    // 2048 + 1 + 1: an FP16 running value would stay at 2048.
    let record = scan(b_tc(), AluOp::Add, Subdim::X, [3, 1, 1, 1]);
    let source = [2048.0_f32, 1.0, 1.0].map(|value| u64::from(value.to_bits()));
    assert_eq!(codes(record, Dtype::Fp32, Dtype::Fp16, &source), [0x6800, 0x6800, 0x6801]);
    // Integers compute in FP32: 2^24 + 1 + 1 stays at 2^24.
    let source = [0x100_0000, 1, 1];
    assert_eq!(codes(record, Dtype::Int32, Dtype::Int32, &source), [0x100_0000; 3]);
    // And clamp at the store only.
    assert_eq!(codes(record, Dtype::Uint8, Dtype::Uint8, &[200, 100, 0]), [200, 255, 255]);
    let fp32r = codes(record, Dtype::Fp32, Dtype::Fp32r, &[0x3F80_0201, 0, 0]);
    assert_eq!(fp32r, [0x3F80_0400; 3]);
}

#[test]
fn integer_scans_compute_modulo_two_to_the_32() {
    let record = |op| scan(b_tc(), op, Subdim::X, [3, 1, 1, 1]);
    let int = |op, input, output, source: &[u64]| codes(record(op), input, output, source);
    use AluOp::*;
    use Dtype::*;
    assert_eq!(
        int(AddInt, Int32, Int32, &[0x7FFF_FFFF, 1, 0xFFFF_FFFF]),
        [0x7FFF_FFFF, 0x8000_0000, 0x7FFF_FFFF]
    );
    // Exact beyond 2^24, where FP32 is not.
    assert_eq!(
        int(AddInt, Int32, Int32, &[0x100_0000, 1, 1]),
        [0x100_0000, 0x100_0001, 0x100_0002]
    );
    // Modular store into a narrow dtype; the running value keeps its 32 bits.
    assert_eq!(int(AddInt, Uint8, Uint8, &[200, 100, 0]), [200, 44, 44]);
    assert_eq!(int(AddInt, Uint8, Uint16, &[200, 100, 0]), [200, 300, 300]);
    assert_eq!(int(DivideInt, Uint8, Uint8, &[200, 3, 3]), [200, 66, 22]);
    // Signedness of the source: 1 - 2 is 2^32 - 1 for UINT8 and -1 for INT8.
    assert_eq!(int(SubtractInt, Uint8, Fp32, &[1, 2, 0])[1], 0x4F80_0000);
    assert_eq!(int(SubtractInt, Int8, Fp32, &[1, 2, 0])[1], 0xBF80_0000);
    assert_eq!(int(SubtractInt, Uint16, Int32, &[1, 2, 0])[1], 0xFFFF_FFFF);
    assert_eq!(int(DivideInt, Int8, Int8, &[0xF9, 2, 0]), [0xF9, 0xFD, 0]);
    assert_eq!(int(DivideInt, Uint32, Uint32, &[0xFFFF_FFF9, 2, 1])[1], 0x7FFF_FFFC);
    assert_eq!(int(ModInt, Int16, Int16, &[0xFFF9, 4, 2]), [0xFFF9, 0xFFFD, 0xFFFF]);
    assert_eq!(int(MultInt, Int32, Int32, &[0x1_0001, 0x1_0001, 2])[1..], [0x2_0001, 0x4_0002]);
    // An fp source becomes INT32 by truncation, with NaN at the top.
    let fp = [2.9_f32, -1.5, f32::NAN].map(|value| u64::from(value.to_bits()));
    assert_eq!(int(AddInt, Fp32, Int32, &fp), [2, 1, 0x8000_0000]);
    assert_eq!(
        int(AddInt, Fp32, Fp32r, &[0x4B80_0001, 0x4B80_0000, 0]),
        [0x4B80_0000, 0x4C00_0000, 0x4C00_0000]
    );
}

#[test]
fn f2i_round_reaches_stores_and_integer_loads() {
    let profile = Profile { f2i_round: F2iRound::NearestEven, ..Profile::default() };
    let source = fp32_bytes(&[2.5, 3.5, -0.5]);
    let ints = |op, profile| {
        let record = dtypes(scan(b_tc(), op, Subdim::X, [1, 3, 1, 1]), Dtype::Fp32, Dtype::Int32);
        words(&run_with(record, &source, profile).regions[0].data[64..76])
    };
    for op in [AluOp::Add, AluOp::AddInt] {
        assert_eq!(ints(op, profile), [2, 4, 0], "{op:?}");
        assert_eq!(ints(op, Profile::default()), [2, 3, 0], "{op:?}");
    }
}

#[test]
fn bitvec_scans_move_raw_patterns() {
    let raw = |op, dtype, source: &[u64]| {
        let count = source.len() as u16;
        codes(scan(b_tcb(), op, Subdim::X, [count, 1, 1, 1]), dtype, dtype, source)
    };
    use AluOp::*;
    use Dtype::*;
    assert_eq!(
        raw(BitwiseXor, Uint32, &[0xF0F0_F0F0, u32::MAX.into(), 1]),
        [0xF0F0_F0F0, 0x0F0F_0F0F, 0x0F0F_0F0E]
    );
    assert_eq!(raw(BitwiseNot, Uint8, &[0x0F, 1, 2]), [0x0F, 0xF0, 0x0F]);
    assert_eq!(raw(Bypass, Uint16, &[0xABCD, 1, 2]), [0xABCD; 3]);
    assert_eq!(raw(LogicalShiftLeft, Uint8, &[0x81, 1, 8]), [0x81, 0x02, 0]);
    assert_eq!(raw(ArithShiftRight, Uint8, &[0x80, 1, 9]), [0x80, 0xC0, 0xFF]);
    assert_eq!(
        raw(ArithShiftRight, Int32, &[0x8000_0000, 4, 40]),
        [0x8000_0000, 0xF800_0000, 0xFFFF_FFFF]
    );
    assert_eq!(raw(LogicalShiftRight, Int32, &[0x8000_0000, 4, 32]), [0x8000_0000, 0x0800_0000, 0]);
    assert_eq!(raw(Crc32, Uint8, &[0, 1]), [0, 0x96]);
    let text = [0xFFFF_FFFF, u32::from_le_bytes(*b"1234"), u32::from_le_bytes(*b"5678")];
    assert_eq!(raw(Crc32, Uint32, &text.map(u64::from))[2], !0x9AE0_DAAF_u32 as u64);
}

#[test]
fn strides_reverse_broadcast_and_repeat() {
    let walk = |src: (u32, i16), dst: (u32, i16)| {
        let record = scan(b_tc(), AluOp::Add, Subdim::X, [3, 1, 1, 1])
            .pattern(at::tr::SRC_MEM_PATTERN, src.0, [src.1, 0, 0, 0], [3, 1, 1, 1])
            .pattern(at::tr::DST_MEM_PATTERN, dst.0, [dst.1, 0, 0, 0], [3, 1, 1, 1]);
        let state = run_with(record, &fp32_bytes(&[1.0, 2.0, 4.0]), Profile::default());
        words(&state.regions[0].data[64..76])
    };
    assert_eq!(walk((8, -1), (64, 1)), words(&fp32_bytes(&[4.0, 6.0, 7.0])));
    assert_eq!(walk((0, 1), (72, -1)), words(&fp32_bytes(&[7.0, 3.0, 1.0])));
    assert_eq!(walk((4, 0), (64, 1)), words(&fp32_bytes(&[2.0, 4.0, 6.0])));
    assert_eq!(walk((0, 1), (68, 0)), words(&fp32_bytes(&[0.0, 7.0, 0.0])));
}

#[test]
fn in_place_scans_read_the_snapshot() {
    // The same cell three times, read and written: the source stays 1 while the value runs to 3.
    let record = scan(b_tc(), AluOp::Add, Subdim::X, [3, 1, 1, 1])
        .pattern(at::tr::SRC_MEM_PATTERN, 0, [0; 4], [3, 1, 1, 1])
        .pattern(at::tr::DST_MEM_PATTERN, 0, [0; 4], [3, 1, 1, 1]);
    let state = run_with(record, &fp32_bytes(&[1.0]), Profile::default());
    assert_eq!(words(&state.regions[0].data[..4]), [3.0_f32.to_bits()]);
}
