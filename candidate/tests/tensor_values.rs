//! Worked values of spec 03 and the checks of its section 11, on every code path.

mod tensor_reference;
mod tensor_support;

use contract::isa::{AluOp, Dtype, Generation};
use contract::model::TensorModel;
use contract::outcome::TensorVerdict;
use contract::profile::{Op1Order, Profile, ReduceEmit};
use contract::state::{OutsideCase, Region, Space, TensorState};
use tensor_reference::float_op;
use tensor_support::{Cache, Cumulative, Pattern, bytes32, models, region, sbuf, state, words32};

const QNAN: u32 = 0x7FC0_0000;

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// One channel of source words at 0 and a destination of `room` bytes of 0xEE at 0x1000.
fn one_channel(source: &[u32], room: usize) -> TensorState {
    state(
        Generation::Mariana,
        vec![
            region(Space::Sbuf, 0, 1, 0, bytes32(source)),
            region(Space::Sbuf, 0, 1, 0x1000, vec![0xEE; room]),
        ],
    )
}

/// Runs one record on every path and returns the destination bytes and the state, equal on all.
fn run(initial: &TensorState, record: &[u8; 64]) -> (Vec<u8>, TensorState) {
    let mut results = models().into_iter().map(|mut model| {
        let mut state = initial.clone();
        let step = model.step(&mut state, record).expect("inside the regions");
        assert_eq!(step.verdict, TensorVerdict::Accept);
        state
    });
    let first = results.next().expect("the portable path");
    for other in results {
        assert_eq!(other, first);
    }
    (first.regions.last().expect("a destination").data.clone(), first)
}

fn cache(opcode: u8, count: u16) -> Cache {
    Cache {
        opcode,
        channels: 1,
        op0: AluOp::Bypass.wire(),
        imm0: 0,
        source: Pattern::line(0, count),
        destination: Pattern::line(0x1000, count),
        ..Cache::default()
    }
}

fn scan(op: AluOp, count: u16) -> Cumulative {
    Cumulative {
        channels: 1,
        op: op.wire(),
        source: Pattern::line(0, count),
        destination: Pattern::line(0x1000, count),
        ..Cumulative::default()
    }
}

/// `op(left, right)` as the second output of a scan over two elements.
fn operate(op: AluOp, left: u32, right: u32) -> u32 {
    let (bytes, _) = run(&one_channel(&[left, right], 8), &scan(op, 2).encode());
    words32(&bytes)[1]
}

#[test]
fn cache_instructions_give_the_worked_values() {
    let subtract = |opcode| Cache {
        op0: AluOp::Mult.wire(),
        imm0: 2.0f32.to_bits(),
        op1: AluOp::Subtract.wire(),
        ..cache(opcode, 3)
    };
    let initial = one_channel(&bits(&[1.0, 2.0, 3.0]), 12);
    let (bytes, after) = run(&initial, &subtract(0xE6).encode());
    assert_eq!(words32(&bytes), bits(&[-2.0, -6.0, -12.0]));
    assert_eq!(after.accumulators[0], (-12.0f32).to_bits());
    let (bytes, after) = run(&initial, &subtract(0x9A).encode());
    assert_eq!(words32(&bytes), [0xEEEE_EEEE, 0xEEEE_EEEE, (-12.0f32).to_bits()]);
    assert_eq!((after.accumulators[0], after.seeded), ((-12.0f32).to_bits(), 1));
    let mut right = initial.clone();
    right.profile.op1_order = Op1Order::AccRight;
    let (bytes, _) = run(&right, &subtract(0xE6).encode());
    assert_eq!(words32(&bytes), bits(&[2.0, 2.0, 4.0]));
    let mut elementwise = initial;
    elementwise.profile.reduce_emit = ReduceEmit::Elementwise;
    let (bytes, after) = run(&elementwise, &subtract(0x9A).encode());
    assert_eq!(words32(&bytes), bits(&[2.0, 4.0, 6.0]));
    assert_eq!(after.accumulators[0], (-12.0f32).to_bits());
    // The switch is for 0x9A only.
    let (bytes, _) = run(&elementwise, &subtract(0xE6).encode());
    assert_eq!(words32(&bytes), bits(&[-2.0, -6.0, -12.0]));

    let record = Cache { out_dtype: Dtype::Bfloat16.wire(), ..cache(0xE6, 3) };
    let (bytes, _) = run(&one_channel(&bits(&[256.0, 1.0, 1.0]), 6), &record.encode());
    assert_eq!(bytes, [0x80, 0x43, 0x80, 0x43, 0x81, 0x43]);

    let record = Cache { op1: AluOp::Max.wire(), ..cache(0xE6, 3) };
    let values = [5.0f32.to_bits(), QNAN, 3.0f32.to_bits()];
    let (bytes, after) = run(&one_channel(&values, 12), &record.encode());
    assert_eq!(words32(&bytes), values);
    assert_eq!(after.accumulators[0], 3.0f32.to_bits());
    // The seed is an ordinary left operand: a stream of -0 sums to +0.
    let (bytes, _) = run(&one_channel(&[0x8000_0000; 2], 8), &cache(0xE6, 2).encode());
    assert_eq!(words32(&bytes), [0, 0]);
}

#[test]
fn cumulative_gives_the_worked_values() {
    let initial = one_channel(&bits(&[1.0, 2.0, 3.0, 4.0]), 16);
    for (op_dim, expected) in [(2, [1.0, 3.0, 3.0, 7.0]), (3, [1.0, 3.0, 6.0, 10.0])] {
        let record =
            Cumulative { source: Pattern::new(0, &[1, 2], &[2, 2]), op_dim, ..scan(AluOp::Add, 4) };
        let (bytes, _) = run(&initial, &record.encode());
        assert_eq!(words32(&bytes), bits(&expected));
    }
    let (bytes, _) = run(&one_channel(&bits(&[5.0, 3.0, 0.5]), 12), &scan(AluOp::IsGT, 3).encode());
    assert_eq!(words32(&bytes), bits(&[5.0, 1.0, 1.0]));
    let (bytes, _) =
        run(&one_channel(&bits(&[2.0, 2.0, 2.0]), 12), &scan(AluOp::LogicalXor, 3).encode());
    assert_eq!(words32(&bytes), bits(&[2.0, 0.0, 1.0]));
}

#[test]
fn max_and_min_follow_the_truth_table() {
    let (one, two, plus, minus) = (1.0f32.to_bits(), 2.0f32.to_bits(), 0, 0x8000_0000);
    let signalling = 0x7FA0_0001;
    for (op, left, right, expected) in [
        (AluOp::Max, one, QNAN, QNAN),
        (AluOp::Max, QNAN, two, two),
        (AluOp::Max, plus, minus, minus),
        (AluOp::Max, minus, plus, plus),
        (AluOp::Min, plus, minus, minus),
        (AluOp::Min, minus, plus, plus),
        (AluOp::Max, one, signalling, signalling),
        (AluOp::Min, signalling, one, one),
        (AluOp::AbsMax, 0xC000_0000, one, two),
        (AluOp::AbsMin, 0xC000_0000, 0xBF80_0000, one),
        (AluOp::AbsMax, one, 0xFFA0_0001, signalling),
    ] {
        assert_eq!(operate(op, left, right), expected, "{op:?} {left:08x} {right:08x}");
    }
}

#[test]
fn arithmetic_follows_the_nan_and_zero_rules() {
    let infinity = 0x7F80_0000u32;
    let (plus, minus, one) = (0u32, 0x8000_0000, 0x3F80_0000);
    for (op, left, right, expected) in [
        (AluOp::Add, 0xFF80_0001, 0x7FA0_0002, 0xFFC0_0001),
        (AluOp::Add, one, 0xFFA0_0002, 0xFFE0_0002),
        (AluOp::Subtract, one, 0x7FA0_0002, 0x7FE0_0002),
        (AluOp::Mult, 0x7FA0_0003, QNAN, 0x7FE0_0003),
        (AluOp::Add, infinity, infinity | minus, QNAN),
        (AluOp::Subtract, infinity, infinity, QNAN),
        (AluOp::Mult, plus, infinity | minus, QNAN),
        (AluOp::AbsoluteDiff, infinity, infinity, QNAN),
        (AluOp::AbsoluteDiff, 0xFFA0_0001, one, 0x7FE0_0001),
        (AluOp::Add, plus, minus, plus),
        (AluOp::Add, minus, minus, minus),
        (AluOp::Subtract, one, one, plus),
        (AluOp::Mult, minus, one, minus),
        // Subnormals are neither flushed on the way in nor on the way out.
        (AluOp::Add, 1, 1, 2),
        (AluOp::Mult, 0x0080_0000, 0x3F00_0000, 0x0040_0000),
        // Overflow.
        (AluOp::Add, 0x7F7F_FFFF, 0x7F7F_FFFF, infinity),
        // Unary operators look at the running value alone.
        (AluOp::Bypass, 0x7FA0_0001, one, 0x7FA0_0001),
        (AluOp::AbsoluteValue, 0xFFA0_0001, one, 0x7FA0_0001),
        (AluOp::ReLU, minus, one, plus),
        (AluOp::ReLU, QNAN, one, plus),
        (AluOp::Square, 0xC000_0000, one, 0x4080_0000),
        (AluOp::Square, 0xFFA0_0001, one, 0xFFE0_0001),
        (AluOp::Rsqrt, 0x4080_0000, one, 0x3F00_0000),
        (AluOp::Rsqrt, minus, one, 0xFF80_0000),
        (AluOp::LogicalAnd, QNAN, one, one),
        (AluOp::LogicalOr, minus, plus, plus),
        (AluOp::IsNE, QNAN, QNAN, one),
        (AluOp::IsEQ, plus, minus, one),
        (AluOp::IsGE, QNAN, one, plus),
    ] {
        assert_eq!(operate(op, left, right), expected, "{op:?} {left:08x} {right:08x}");
    }
}

#[test]
fn zero_accumulate_starts_from_the_identity_of_its_combine() {
    for (op1, identity) in [
        (AluOp::Add, 0x0000_0000),
        (AluOp::Subtract, 0x0000_0000),
        (AluOp::Mult, 0x3F80_0000),
        (AluOp::Max, 0xFF80_0000),
        (AluOp::Min, 0x7F80_0000),
    ] {
        for value in [0x3FC0_0000, 0x8000_0000, 0x7FA0_0001, 0x7F80_0000, 0xFF80_0000, 1] {
            let record = Cache { op1: op1.wire(), ..cache(0xE6, 1) };
            let (bytes, after) = run(&one_channel(&[value], 4), &record.encode());
            let expected = float_op(op1, identity, value);
            assert_eq!(words32(&bytes), [expected], "{op1:?} {value:08x}");
            assert_eq!(after.accumulators[0], expected);
        }
    }
}

/// Data with every kind of value.
fn mixed(length: usize) -> Vec<u32> {
    let mut seed = 0x1234_5678u32;
    (0..length)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match seed >> 28 {
                0 => [0x7FA0_0001, 0xFFC0_0002, 0x7F80_0000, 0x8000_0000][seed as usize >> 8 & 3],
                1 => seed >> 12,
                _ => 0x3F00_0000 | seed >> 8 & 0x81FF_FFFF,
            }
        })
        .collect()
}

#[test]
fn a_chain_equals_one_instruction_for_every_combine_and_switch() {
    let values = mixed(60);
    for op1 in [AluOp::Add, AluOp::Subtract, AluOp::Mult, AluOp::Max, AluOp::Min] {
        for order in [Op1Order::AccLeft, Op1Order::AccRight] {
            for at in [1u16, 17, 59] {
                let profile = Profile { op1_order: order, ..Profile::default() };
                let initial = TensorState { profile, ..one_channel(&values, 240) };
                let whole = Cache { op1: op1.wire(), ..cache(0xE6, 60) };
                let (expected, end) = run(&initial, &whole.encode());
                let first = Cache { op1: op1.wire(), ..cache(0xE6, at) };
                let (_, middle) = run(&initial, &first.encode());
                let rest = Cache {
                    op1: op1.wire(),
                    accumulator_cmd: 2,
                    source: Pattern::line(4 * u32::from(at), 60 - at),
                    destination: Pattern::line(0x1000 + 4 * u32::from(at), 60 - at),
                    ..cache(0xE6, 60)
                };
                let (bytes, chained) = run(&middle, &rest.encode());
                assert_eq!(bytes, expected, "{op1:?} {order:?} {at}");
                assert_eq!(chained.accumulators, end.accumulators);
                // Cumulative versus Reduce: the last output, and the accumulator.
                let reduce = Cache { op1: op1.wire(), ..cache(0x9A, 60) };
                let (reduced, folded) = run(&initial, &reduce.encode());
                assert_eq!(reduced[236..], expected[236..], "{op1:?} {order:?}");
                assert!(reduced[..236].iter().all(|&byte| byte == 0xEE));
                assert_eq!(folded.accumulators, end.accumulators);
            }
        }
    }
}

#[test]
fn accumulate_on_an_unseeded_lane_starts_from_zero_and_raises_the_flag() {
    let record = Cache { accumulator_cmd: 2, channels: 2, ..cache(0xE6, 1) };
    for mut model in models() {
        let mut state = state(
            Generation::Mariana,
            vec![
                region(Space::Sbuf, 0, 2, 0, bytes32(&bits(&[3.0, 4.0]))),
                region(Space::Sbuf, 0, 2, 0x1000, vec![0; 8]),
            ],
        );
        state.accumulators[0] = 10.0f32.to_bits();
        state.accumulators[2] = 7.0f32.to_bits();
        state.seeded = 0b101;
        let step = model.step(&mut state, &record.encode()).unwrap();
        assert!(step.indeterminate_acc, "lane 1 is not seeded");
        assert_eq!(words32(&state.regions[1].data), bits(&[13.0, 4.0]));
        assert_eq!(state.seeded, 0b111);
        assert_eq!(state.accumulators[2], 7.0f32.to_bits(), "inactive channels keep theirs");
        let step = model.step(&mut state, &record.encode()).unwrap();
        assert!(!step.indeterminate_acc);
        assert_eq!(words32(&state.regions[1].data), bits(&[16.0, 8.0]));
    }
}

#[test]
fn scalars_come_from_pointers_and_registers_channel_by_channel() {
    let mut initial = state(
        Generation::Mariana,
        vec![
            // Per partition: element, scalar, seed.
            region(Space::Sbuf, 0, 2, 0, bytes32(&bits(&[5.0, 2.0, 100.0, 7.0, 3.0, 200.0]))),
            region(Space::Sbuf, 0, 2, 0x1000, vec![0; 8]),
        ],
    );
    initial.registers[63] = 8;
    let record = Cache {
        channels: 2,
        op0: AluOp::Mult.wire(),
        imm0_src: 1,
        imm0: 4,
        accumulator_cmd: 4,
        imm1_src: 2,
        imm1: 63,
        ..cache(0xE6, 1)
    };
    let (bytes, _) = run(&initial, &record.encode());
    assert_eq!(words32(&bytes), bits(&[110.0, 221.0]));
    // Immediates are read before anything is written: here the destination covers the seeds.
    let covering = Cache { destination: Pattern::line(8, 1), ..record };
    for mut model in models() {
        let mut state = initial.clone();
        model.step(&mut state, &covering.encode()).unwrap();
        let data = words32(&state.regions[0].data);
        assert_eq!((data[2], data[5]), (110.0f32.to_bits(), 221.0f32.to_bits()));
    }
}

#[test]
fn in_place_scans_read_every_source_byte_before_they_write() {
    for count in [4usize, 700] {
        // Every position is the same element: the value is read `count` times, written `count` times.
        let record = Cumulative {
            source: Pattern::new(0, &[0], &[count as u16]),
            destination: Pattern::new(0, &[0], &[count as u16]),
            ..scan(AluOp::Add, 4)
        };
        let initial =
            state(Generation::Mariana, vec![region(Space::Sbuf, 0, 1, 0, bytes32(&bits(&[3.0])))]);
        let (bytes, _) = run(&initial, &record.encode());
        assert_eq!(words32(&bytes), bits(&[3.0 * count as f32]));
    }
}

#[test]
fn the_later_of_two_writes_to_a_byte_wins() {
    // Two runs of 600 land on the same bytes, so the second run's outputs stay, in many blocks too.
    for channels in [1u8, 12] {
        let source: Vec<u32> = (0..1200 * u32::from(channels))
            .map(|k| (k % 1200 / 600 * 1000 + k % 600) as f32)
            .map(f32::to_bits)
            .collect();
        let initial = state(
            Generation::Mariana,
            vec![
                region(Space::Sbuf, 0, u32::from(channels), 0, bytes32(&source)),
                region(
                    Space::Sbuf,
                    0,
                    u32::from(channels),
                    0x2000,
                    vec![0; 2400 * usize::from(channels)],
                ),
            ],
        );
        let record = Cumulative {
            channels,
            op: AluOp::Max.wire(),
            source: Pattern::new(0, &[1, 600], &[600, 2]),
            destination: Pattern::new(0x2000, &[1, 0], &[600, 2]),
            ..Cumulative::default()
        };
        let (bytes, _) = run(&initial, &record.encode());
        let expected: Vec<u32> = (0..600).map(|k| (1000.0 + k as f32).to_bits()).collect();
        for channel in bytes.chunks_exact(2400) {
            assert_eq!(words32(channel), expected);
        }
    }
}

#[test]
fn writes_outside_every_region_stop_the_step_before_anything_is_written() {
    let build = |regions: Vec<Region>| state(Generation::Mariana, regions);
    // The destination of channel 1 reaches one element past its region.
    let initial = build(vec![
        region(Space::Sbuf, 0, 2, 0, bytes32(&[0x3F80_0000; 8])),
        region(Space::Sbuf, 0, 1, 0x1000, vec![0; 16]),
        region(Space::Sbuf, 1, 1, 0x1000, vec![0; 14]),
    ]);
    for (opcode, reduce_emit) in [
        (0xE6, ReduceEmit::LastSlot),
        (0x9A, ReduceEmit::LastSlot),
        (0x9A, ReduceEmit::Elementwise),
    ] {
        let record = Cache { channels: 2, ..cache(opcode, 4) };
        for mut model in models() {
            let mut state = initial.clone();
            state.profile.reduce_emit = reduce_emit;
            let before = state.clone();
            let outside = model.step(&mut state, &record.encode()).unwrap_err();
            let place = OutsideCase { space: Space::Sbuf, partition: 1, offset: 0x100E };
            assert_eq!(outside, place);
            assert_eq!(state, before);
        }
    }
    // CacheReduce writes its last position alone: the others may lie anywhere.
    let initial = build(vec![
        region(Space::Sbuf, 0, 1, 0, bytes32(&[0x3F80_0000; 4])),
        region(Space::Sbuf, 0, 1, 0x100C, vec![0; 4]),
    ]);
    let (bytes, _) = run(&initial, &cache(0x9A, 4).encode());
    assert_eq!(words32(&bytes), bits(&[4.0]));
}

#[test]
fn bytes_outside_every_region_read_as_zero() {
    // Half of the third element lies outside.
    let initial = state(
        Generation::Mariana,
        vec![
            region(Space::Sbuf, 0, 1, 0, bytes32(&bits(&[1.0, 2.0]))),
            region(Space::Sbuf, 0, 1, 10, vec![0x80, 0x40]),
            region(Space::Sbuf, 0, 1, 0x1000, vec![0xEE; 16]),
        ],
    );
    let (bytes, _) = run(&initial, &scan(AluOp::Add, 4).encode());
    assert_eq!(words32(&bytes), bits(&[1.0, 3.0, 7.0, 7.0]));
}

#[test]
fn lanes_are_channel_ordinals_whatever_the_partition() {
    let generation = Generation::Maverick;
    let initial = state(
        generation,
        vec![
            region(Space::Sbuf, 32, 1, 0, bytes32(&bits(&[9.0]))),
            region(Space::Sbuf, 64, 1, 0x1000, vec![0; 4]),
        ],
    );
    let record = Cache {
        source: Pattern::line(sbuf(generation, 32), 1),
        destination: Pattern::line(sbuf(generation, 64) + 0x1000, 1),
        ..cache(0x9A, 1)
    };
    let (bytes, after) = run(&initial, &record.encode());
    assert_eq!(words32(&bytes), bits(&[9.0]));
    assert_eq!((after.seeded, after.accumulators[0]), (1, 9.0f32.to_bits()));
}
