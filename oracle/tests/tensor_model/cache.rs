//! TensorScalarCacheReduce and TensorScalarCacheCumulative (spec 03 section 7.4).

use crate::support::{Bits, Record, at, b_cr, fp32_bytes, sbuf, words};
use contract::isa::{AluOp, Generation};
use contract::model::TensorModel;
use contract::outcome::{TensorStep, TensorVerdict};
use contract::profile::{Op1Order, Profile, ReduceEmit};
use contract::state::TensorState;
use oracle::tensor::OracleTensor;

const REDUCE: u8 = 0x9A;
const CUMULATIVE: u8 = 0xE6;
const OP1: [AluOp; 5] = [AluOp::Add, AluOp::Subtract, AluOp::Mult, AluOp::Max, AluOp::Min];
const FILL: u32 = 0xEEEE_EEEE;

/// One FP32 stream of one channel from offset 0 to offset 4·n.
fn stream(opcode: u8, op0: AluOp, op1: AluOp, n: usize) -> Record {
    let count = u16::try_from(n).expect("a short stream");
    b_cr(opcode)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 1)
        .byte(at::ts::OP0, op0.wire())
        .byte(at::ts::OP1, op1.wire())
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [1, 1, 1], [count, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 4 * n as u32, [1, 1, 1], [count, 1, 1])
}

/// The stream in memory, followed by a destination that is not zero.
fn memory(values: &[u32]) -> TensorState {
    let data = values.iter().chain(std::iter::repeat_n(&FILL, values.len()));
    sbuf(Generation::Mariana, 1, 0, data.flat_map(|word| word.to_le_bytes()).collect())
}

fn run(state: &mut TensorState, record: Record) -> TensorStep {
    let step = OracleTensor::default().step(state, &record.0).expect("no stray write");
    assert_eq!(step.verdict, TensorVerdict::Accept);
    step
}

/// Destination words after a run over `values`, and the accumulator.
fn outcome(record: Record, values: &[u32], profile: Profile) -> (Vec<u32>, u32) {
    let mut state = memory(values);
    state.profile = profile;
    assert!(!run(&mut state, record).indeterminate_acc);
    assert_eq!(state.seeded, 1);
    let all = words(&state.regions[0].data);
    assert_eq!(all[..values.len()], *values, "the source is not written");
    (all[values.len()..].to_vec(), state.accumulators[0])
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn worked_values_of_subtract() {
    let input = bits(&[1.0, 2.0, 3.0]);
    let left = Profile::default();
    let right = Profile { op1_order: Op1Order::AccRight, ..left };
    let record = |opcode| stream(opcode, AluOp::Mult, AluOp::Subtract, 3);
    let (written, acc) = outcome(record(CUMULATIVE), &input, left);
    assert_eq!(written, bits(&[-2.0, -6.0, -12.0]));
    assert_eq!(acc, (-12.0_f32).to_bits());
    let (written, acc) = outcome(record(REDUCE), &input, left);
    assert_eq!(written, [FILL, FILL, (-12.0_f32).to_bits()]);
    assert_eq!(acc, (-12.0_f32).to_bits());
    let (written, acc) = outcome(record(CUMULATIVE), &input, right);
    assert_eq!(written, bits(&[2.0, 2.0, 4.0]));
    assert_eq!(acc, 4.0_f32.to_bits());
    let (written, _) = outcome(record(REDUCE), &input, right);
    assert_eq!(written, [FILL, FILL, 4.0_f32.to_bits()]);
}

#[test]
fn op1_order_decides_which_nan_and_zero_survive() {
    let profile = Profile { op1_order: Op1Order::AccRight, ..Profile::default() };
    let nan = 0x7FC0_0000;
    let input = [5.0_f32.to_bits(), nan, 3.0_f32.to_bits()];
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Max, 3);
    assert_eq!(outcome(record, &input, Profile::default()).0, input);
    // Max(NaN, 5) = 5, the accumulator stands on the right.
    assert_eq!(outcome(record, &input, profile).0, [input[0]; 3]);
}

#[test]
fn worked_value_of_the_unrounded_running_value() {
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Add, 3).byte(at::ts::OUT_DTYPE, 0x06);
    let mut state = memory(&bits(&[256.0, 1.0, 1.0]));
    run(&mut state, record);
    let written = &state.regions[0].data[12..18];
    assert_eq!(written, [0x80, 0x43, 0x80, 0x43, 0x81, 0x43]);
}

#[test]
fn worked_value_of_max_with_nan() {
    let input = [5.0_f32.to_bits(), 0x7FC0_0000, 3.0_f32.to_bits()];
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Max, 3);
    assert_eq!(outcome(record, &input, Profile::default()), (input.to_vec(), input[2]));
    // A signalling NaN passes unquieted, into memory and into the accumulator.
    let signalling = [5.0_f32.to_bits(), 0x7FA0_0001];
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Max, 2);
    assert_eq!(
        outcome(record, &signalling, Profile::default()),
        (signalling.to_vec(), 0x7FA0_0001)
    );
}

#[test]
fn zero_accumulate_starts_at_the_identity() {
    for (op1, input, expected) in [
        (AluOp::Add, -0.0_f32, 0.0_f32),
        (AluOp::Add, 7.5, 7.5),
        (AluOp::Subtract, 7.5, -7.5),
        (AluOp::Subtract, 0.0, 0.0),
        (AluOp::Mult, -0.0, -0.0),
        (AluOp::Mult, 7.5, 7.5),
        (AluOp::Max, f32::NEG_INFINITY, f32::NEG_INFINITY),
        (AluOp::Max, -3e38, -3e38),
        (AluOp::Min, 3e38, 3e38),
        (AluOp::Min, f32::INFINITY, f32::INFINITY),
    ] {
        let record = stream(CUMULATIVE, AluOp::Bypass, op1, 1);
        let (written, acc) = outcome(record, &[input.to_bits()], Profile::default());
        assert_eq!(written, [expected.to_bits()], "{op1:?} {input}");
        assert_eq!(acc, expected.to_bits());
    }
    let minus_zero = [0x8000_0000; 4];
    let record = stream(REDUCE, AluOp::Bypass, AluOp::Add, 4);
    assert_eq!(outcome(record, &minus_zero, Profile::default()).1, 0);
}

#[test]
fn reduce_emit_elementwise_leaves_the_reduction_in_the_accumulator() {
    let profile = Profile { reduce_emit: ReduceEmit::Elementwise, ..Profile::default() };
    let input = bits(&[1.0, 2.0, 3.0]);
    let (written, acc) = outcome(stream(REDUCE, AluOp::Mult, AluOp::Add, 3), &input, profile);
    assert_eq!(written, bits(&[2.0, 4.0, 6.0]));
    assert_eq!(acc, 12.0_f32.to_bits());
    // 0xE6 does not obey the switch.
    let (written, _) = outcome(stream(CUMULATIVE, AluOp::Mult, AluOp::Add, 3), &input, profile);
    assert_eq!(written, bits(&[2.0, 6.0, 12.0]));
}

#[test]
fn op0_has_the_element_on_the_left_and_unary_operators_ignore_the_scalar() {
    let input = bits(&[3.0, -4.0]);
    for (op0, scalar, expected) in [
        (AluOp::Subtract, 10.0_f32, [-7.0, -21.0]),
        (AluOp::AbsoluteDiff, 10.0, [7.0, 21.0]),
        (AluOp::IsGT, 0.0, [1.0, 1.0]),
        (AluOp::AbsoluteValue, f32::NAN, [3.0, 7.0]),
        (AluOp::Square, f32::NAN, [9.0, 25.0]),
        (AluOp::ReLU, f32::NAN, [3.0, 3.0]),
        (AluOp::Bypass, f32::NAN, [3.0, -1.0]),
        (AluOp::LogicalAnd, 1.0, [1.0, 2.0]),
        (AluOp::AbsMax, -3.5, [3.5, 7.5]),
    ] {
        let record = stream(CUMULATIVE, op0, AluOp::Add, 2).word(at::ts::IMM0, scalar.to_bits());
        let (written, _) = outcome(record, &input, Profile::default());
        assert_eq!(written, bits(&expected), "{op0:?}");
    }
}

#[test]
fn load_accumulate_seeds_from_imm1() {
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Add, 2)
        .byte(at::ts::ACCUMULATOR_CMD, 4)
        .word(at::ts::IMM1, 10.0_f32.to_bits());
    let input = bits(&[1.0, 2.0]);
    assert_eq!(outcome(record, &input, Profile::default()).0, bits(&[11.0, 13.0]));
}

#[test]
fn pointer_and_register_immediates_give_one_scalar_per_channel() {
    // Row: x, scalar0, scalar1, dst.
    let rows = fp32_bytes(&[1.0, 10.0, 100.0, 0.0, 2.0, 20.0, 200.0, 0.0]);
    let record = b_cr(CUMULATIVE)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 2)
        .byte(at::ts::ACCUMULATOR_CMD, 4)
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [1; 3], [1, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 12, [1; 3], [1, 1, 1])
        .byte(at::ts::IMM0_SRC, 1)
        .word(at::ts::IMM0, 4)
        .byte(at::ts::IMM1_SRC, 1)
        .word(at::ts::IMM1, 8);
    let expected = fp32_bytes(&[1.0, 10.0, 100.0, 110.0, 2.0, 20.0, 200.0, 240.0]);
    let mut state = sbuf(Generation::Mariana, 2, 0, rows.clone());
    run(&mut state, record);
    assert_eq!(state.regions[0].data, expected);

    let by_register = record
        .byte(at::ts::IMM0_SRC, 2)
        .word(at::ts::IMM0, 63)
        .byte(at::ts::IMM1_SRC, 2)
        .word(at::ts::IMM1, 0);
    let mut state = sbuf(Generation::Mariana, 2, 0, rows);
    state.registers[63] = 4;
    state.registers[0] = 8;
    run(&mut state, by_register);
    assert_eq!(state.regions[0].data, expected);
}

#[test]
fn accumulate_goes_on_from_the_lane_and_flags_unseeded_ones() {
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Add, 1).byte(at::ts::ACCUMULATOR_CMD, 2);
    let mut state = memory(&bits(&[5.0]));
    assert!(run(&mut state, record).indeterminate_acc, "lane 0 was never seeded");
    assert_eq!((state.seeded, state.accumulators[0]), (1, 5.0_f32.to_bits()));
    assert!(!run(&mut state, record).indeterminate_acc, "the first Accumulate seeded it");
    assert_eq!(state.accumulators[0], 10.0_f32.to_bits());

    // One unseeded channel among two raises the flag; both are computed.
    let two = record.byte(at::ts::NUM_ACTIVE_CHANNELS, 2);
    let mut state = sbuf(Generation::Mariana, 3, 0, fp32_bytes(&[5.0, 0.0, 6.0, 0.0, 7.0, 0.0]));
    state.seeded = 0b101;
    state.accumulators[0] = 1.0_f32.to_bits();
    state.accumulators[2] = 9.0_f32.to_bits();
    assert!(run(&mut state, two).indeterminate_acc);
    assert_eq!(state.seeded, 0b111);
    assert_eq!(words(&fp32_bytes(&[6.0, 6.0, 9.0])), state.accumulators[..3]);
}

#[test]
fn lanes_follow_the_channel_ordinal() {
    let mut state = TensorState { generation: Generation::Cayman, ..TensorState::default() };
    state.regions = sbuf(Generation::Cayman, 1, 0, fp32_bytes(&[3.0, 0.0])).regions;
    state.regions[0].partition = 96;
    let record = stream(REDUCE, AluOp::Bypass, AluOp::Add, 1)
        .word(at::ts::SRC_MEM_PATTERN, 96 * 0x4_0000)
        .word(at::ts::DST_MEM_PATTERN, 96 * 0x4_0000 + 4);
    run(&mut state, record);
    assert_eq!((state.seeded, state.accumulators[0]), (1, 3.0_f32.to_bits()));
}

#[test]
fn the_fold_covers_the_whole_pattern_in_stream_order() {
    // 2 × 2 × 2 walked as given by steps: offsets 7 6 | 5 4 | 3 2 | 1 0.
    let record = b_cr(CUMULATIVE)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 1)
        .byte(at::ts::OP0, AluOp::Bypass.wire())
        .byte(at::ts::OP1, AluOp::Subtract.wire())
        .pattern(at::ts::SRC_MEM_PATTERN, 28, [-1, -2, -4], [2, 2, 2])
        .pattern(at::ts::DST_MEM_PATTERN, 32, [1, 1, 1], [8, 1, 1]);
    let input = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let (written, _) = outcome(record, &bits(&input), Profile::default());
    assert_eq!(written, bits(&[-8.0, -15.0, -21.0, -26.0, -30.0, -33.0, -35.0, -36.0]));
}

#[test]
fn a_later_write_to_the_same_byte_wins_and_sources_are_read_before() {
    // In place with step 0: the snapshot reads 1 three times.
    let record = stream(CUMULATIVE, AluOp::Bypass, AluOp::Add, 3)
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [0, 0, 0], [3, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 0, [0, 0, 0], [3, 1, 1]);
    let mut state = memory(&bits(&[1.0]));
    run(&mut state, record);
    assert_eq!(words(&state.regions[0].data), [3.0_f32.to_bits(), FILL]);
    // Elements of two bytes that step by zero: only the last is left.
    let narrow = stream(CUMULATIVE, AluOp::Bypass, AluOp::Add, 2)
        .byte(at::ts::OUT_DTYPE, 0x05)
        .pattern(at::ts::DST_MEM_PATTERN, 8, [0, 0, 0], [2, 1, 1]);
    let mut state = memory(&bits(&[1.0, 2.0]));
    run(&mut state, narrow);
    assert_eq!(state.regions[0].data[8..12], [3, 0, 0xEE, 0xEE]);
}

#[test]
fn narrow_sources_fold_in_fp32() {
    // INT8 100 · 0.5 = 50 four times, to INT8: 50, 100, then the clamp; the accumulator holds 200.
    let record = stream(CUMULATIVE, AluOp::Mult, AluOp::Add, 4)
        .byte(at::ts::IN_DTYPE, 0x02)
        .byte(at::ts::OUT_DTYPE, 0x02)
        .word(at::ts::IMM0, 0.5_f32.to_bits())
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [0, 0, 0], [4, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 8, [1, 1, 1], [4, 1, 1]);
    let mut state = memory(&[100, 0]);
    state.regions[0].data.extend([0; 4]);
    state.regions[0].stride += 4;
    run(&mut state, record);
    assert_eq!(state.regions[0].data[8..12], [50, 100, 127, 127]);
    assert_eq!(state.accumulators[0], 200.0_f32.to_bits());
}

#[test]
fn a_record_that_is_not_accepted_leaves_the_state_alone() {
    let good = stream(CUMULATIVE, AluOp::Bypass, AluOp::Add, 2);
    let mut state = memory(&bits(&[1.0, 2.0]));
    run(&mut state, good);
    let before = state.clone();
    let mut model = OracleTensor::default();
    for bad in [
        good.byte(at::ts::OP1, 0),
        good.word(at::ts::SRC_MEM_PATTERN, 0x4000_0000),
        good.word(at::ts::DST_MEM_PATTERN, 4),
        good.byte(at::OPCODE, 0x9D),
    ] {
        let step = model.step(&mut state, &bad.0).expect("no write at all");
        assert_ne!(step.verdict, TensorVerdict::Accept);
        assert!(!step.indeterminate_acc);
        assert_eq!(state, before);
    }
}

#[test]
fn a_stream_may_be_cut_anywhere() {
    let mut source = Bits(0xFEED_F00D_1234_5678);
    for round in 0..400 {
        let n = 2 + (source.next() % 12) as usize;
        let cut = 1 + (source.next() % (n as u64 - 1)) as usize;
        let values: Vec<u32> = (0..n).map(|_| source.fp32()).collect();
        let op0 = [AluOp::Bypass, AluOp::Mult, AluOp::Max, AluOp::Subtract][round % 4];
        let order = Op1Order::ALL[round % 2];
        for op1 in OP1 {
            let profile = Profile { op1_order: order, ..Profile::default() };
            let mut whole = memory(&values);
            whole.profile = profile;
            run(&mut whole, stream(CUMULATIVE, op0, op1, n));

            let mut parts = memory(&values);
            parts.profile = profile;
            let piece = |from: usize, to: usize, cmd: u8| {
                let count = (to - from) as u16;
                stream(CUMULATIVE, op0, op1, n)
                    .byte(at::ts::ACCUMULATOR_CMD, cmd)
                    .pattern(at::ts::SRC_MEM_PATTERN, 4 * from as u32, [1; 3], [count, 1, 1])
                    .pattern(at::ts::DST_MEM_PATTERN, 4 * (n + from) as u32, [1; 3], [count, 1, 1])
            };
            run(&mut parts, piece(0, cut, 3));
            run(&mut parts, piece(cut, n, 2));
            assert_eq!(parts, whole, "{op0:?} {op1:?} {values:x?} cut at {cut}");

            let mut reduced = memory(&values);
            reduced.profile = profile;
            run(&mut reduced, stream(REDUCE, op0, op1, n));
            assert_eq!(reduced.accumulators, whole.accumulators);
            let last = |state: &TensorState| words(&state.regions[0].data)[2 * n - 1];
            assert_eq!(last(&reduced), last(&whole), "the reduce is the last cumulative output");
            assert_eq!(words(&reduced.regions[0].data)[n..2 * n - 1], vec![FILL; n - 1]);
        }
    }
}
