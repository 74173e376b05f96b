//! Every code path against the plain evaluation of `tensor_reference`, on random programs whose data
//! are full of NaNs, signalling NaNs, infinities, subnormals and zeros of both signs.

mod tensor_reference;
mod tensor_support;

use contract::isa::{AluOp, Dtype, Generation};
use contract::model::TensorModel;
use contract::outcome::{TensorReason, TensorStep, TensorVerdict};
use contract::profile::Profile;
use contract::state::{OutsideCase, Region, Space, TensorState};
use tensor_reference::{elements, inside, overlaps, run_cache, run_cumulative};
use tensor_support::{Cache, Cumulative, Pattern, models, psum, sbuf};

/// A small deterministic generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 11) % bound
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }
}

const PLAIN: [Dtype; 12] = [
    Dtype::Int8,
    Dtype::Uint8,
    Dtype::Int16,
    Dtype::Uint16,
    Dtype::Bfloat16,
    Dtype::Fp16,
    Dtype::Int32,
    Dtype::Uint32,
    Dtype::Fp32,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
];
const CACHE_IN: [Dtype; 10] = [
    Dtype::Int8,
    Dtype::Uint8,
    Dtype::Int16,
    Dtype::Uint16,
    Dtype::Bfloat16,
    Dtype::Fp16,
    Dtype::Fp32,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
];
const GENERAL: [AluOp; 21] = [
    AluOp::Bypass,
    AluOp::Add,
    AluOp::Subtract,
    AluOp::Mult,
    AluOp::Max,
    AluOp::Min,
    AluOp::LogicalAnd,
    AluOp::LogicalOr,
    AluOp::LogicalXor,
    AluOp::IsEQ,
    AluOp::IsGT,
    AluOp::IsGE,
    AluOp::IsLE,
    AluOp::IsLT,
    AluOp::IsNE,
    AluOp::AbsoluteDiff,
    AluOp::AbsoluteValue,
    AluOp::AbsMax,
    AluOp::AbsMin,
    AluOp::ReLU,
    AluOp::Square,
];
const SCAN_ONLY: [AluOp; 6] = [
    AluOp::Rsqrt,
    AluOp::AddInt,
    AluOp::MultInt,
    AluOp::SubtractInt,
    AluOp::DivideInt,
    AluOp::ModInt,
];
const BITVEC: [AluOp; 10] = [
    AluOp::Bypass,
    AluOp::BitwiseNot,
    AluOp::BitwiseAnd,
    AluOp::BitwiseOr,
    AluOp::BitwiseXor,
    AluOp::ArithShiftLeft,
    AluOp::ArithShiftRight,
    AluOp::LogicalShiftLeft,
    AluOp::LogicalShiftRight,
    AluOp::Crc32,
];
const COMBINE: [AluOp; 5] = [AluOp::Add, AluOp::Subtract, AluOp::Mult, AluOp::Max, AluOp::Min];

/// FP32 patterns of every class.
const WORDS: [u32; 20] = [
    0x0000_0000,
    0x8000_0000,
    0x3F80_0000,
    0xBF80_0000,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC1_2345,
    0x7FA0_0001,
    0xFF80_0001,
    0x0000_0001,
    0x807F_FFFF,
    0x0080_0000,
    0x7F7F_FFFF,
    0xFF7F_FFFF,
    0x4B80_0000,
    0xCF00_0000,
    0x4F80_0000,
    0x4380_0000,
    0x0200_0003,
];

/// A word that reads as something interesting in most dtypes.
fn word(random: &mut Random, calm: bool) -> u32 {
    match random.below(8) {
        0 if !calm => random.pick(&WORDS),
        1 => random.below(16) as u32 * 0x0101_0101,
        2 | 3 => (random.below(2000) as f32 - 1000.0).to_bits(),
        4 => ((random.below(4001) as f32 - 2000.0) / 512.0).to_bits(),
        _ if calm => 0x3F00_0000 | random.next() as u32 & 0x80FF_FFFF,
        _ => random.next() as u32,
    }
}

fn profile(random: &mut Random) -> Profile {
    let mut profile = Profile::default();
    if random.one_in(2) {
        for key in ["reduce_emit", "op1_order", "f2i_round", "fp8_overflow", "fp32r_fraction"] {
            let values = Profile::values_of(key).unwrap();
            profile.set(key, random.pick(&values)).unwrap();
        }
    }
    profile
}

/// A pattern of up to `rank` axes with about `length` elements at an offset of a partition.
fn pattern(random: &mut Random, rank: usize, counts: &[u16], address: u32) -> Pattern {
    let mut steps = Vec::new();
    let mut next = 1i64;
    for &count in counts {
        // Mostly dense, sometimes spread, reversed or standing still.
        let step = match random.below(12) {
            0 => 0,
            1 => -next,
            2 => random.below(9) as i64 - 4,
            3 => next + random.below(3) as i64,
            _ => next,
        };
        steps.push(step.clamp(-3000, 3000) as i16);
        next = (next.max(step.abs()) * i64::from(count)).min(3000);
    }
    assert!(counts.len() <= rank);
    Pattern { address, steps, counts: counts.to_vec() }
}

/// Splits a length into up to `rank` counts.
fn split(random: &mut Random, mut length: u64, rank: usize) -> Vec<u16> {
    let mut counts = Vec::new();
    while counts.len() + 1 < rank && length > 1 && !random.one_in(2) {
        let divisors: Vec<u64> =
            (1..=length.min(64)).filter(|d| length.is_multiple_of(*d)).collect();
        let divisor = random.pick(&divisors);
        counts.push(divisor as u16);
        length /= divisor;
    }
    counts.push(length as u16);
    counts
}

/// Shape of random programs.
struct Shape {
    channels: &'static [u8],
    lengths: std::ops::RangeInclusive<u64>,
    /// Offsets in a partition at which operands begin, about.
    offsets: &'static [u32],
    /// Bytes of each partition that regions hold.
    bytes: u32,
}

enum Record {
    Cache(Cache),
    Cumulative(Cumulative),
}

impl Record {
    fn encode(&self) -> [u8; 64] {
        match self {
            Self::Cache(record) => record.encode(),
            Self::Cumulative(record) => record.encode(),
        }
    }

    fn operands(&self) -> [(&Pattern, Dtype); 2] {
        let (source, destination, input, output) = match self {
            Self::Cache(r) => (&r.source, &r.destination, r.in_dtype, r.out_dtype),
            Self::Cumulative(r) => (&r.source, &r.destination, r.in_dtype, r.out_dtype),
        };
        let dtype = |wire| Dtype::from_wire(wire).unwrap();
        [(source, dtype(input)), (destination, dtype(output))]
    }

    fn channels(&self) -> u8 {
        match self {
            Self::Cache(record) => record.channels,
            Self::Cumulative(record) => record.channels,
        }
    }

    /// The expected outcome of a valid record, executed on `state`.
    fn run(&self, state: &mut TensorState) -> Result<TensorStep, OutsideCase> {
        let [(source, input), (destination, output)] = self.operands();
        let from = elements(state, source, input, self.channels());
        let to = elements(state, destination, output, self.channels());
        let fault = |reason| Ok(TensorStep::new(TensorVerdict::Fault(reason)));
        if !inside(state, &from) || !inside(state, &to) {
            return fault(TensorReason::ExecBounds);
        }
        if overlaps((&from, input), (&to, output)) {
            return fault(TensorReason::ExecOverlap);
        }
        let mut step = TensorStep::new(TensorVerdict::Accept);
        match self {
            Self::Cache(record) => step.indeterminate_acc = run_cache(state, record)?,
            Self::Cumulative(record) => run_cumulative(state, record)?,
        }
        Ok(step)
    }
}

/// A valid record on a generation from mariana on (so that every operator exists).
fn record(random: &mut Random, generation: Generation, shape: &Shape) -> Record {
    let channels = random.pick(shape.channels);
    let span = shape.lengths.end() - shape.lengths.start() + 1;
    let length = shape.lengths.start() + random.below(span);
    let quadrant = |random: &mut Random| match channels {
        0..=32 => random.pick(&[0, 0, 32, 64, 96]),
        33..=64 => random.pick(&[0, 64]),
        _ => 0,
    };
    let address = |random: &mut Random, size: u32, psum_ok: bool| {
        let partition = quadrant(random);
        let offset = random.pick(shape.offsets) + size * random.below(8) as u32;
        let fits = psum_ok && offset < generation.geometry().psum_active;
        if fits && generation != Generation::Maverick && random.one_in(4) {
            psum(generation, partition) + offset
        } else {
            sbuf(generation, partition) + offset
        }
    };
    let cache = random.one_in(2);
    let rank = if cache { 3 } else { 4 };
    let bitvec = !cache && random.one_in(3);
    let input = match (cache, bitvec) {
        (true, _) => random.pick(&CACHE_IN),
        (_, true) => random.pick(&[Dtype::Uint8, Dtype::Uint16, Dtype::Uint32, Dtype::Int32]),
        _ => random.pick(&PLAIN),
    };
    let output = match random.below(14) {
        _ if bitvec => input,
        0 | 1 => Dtype::Fp32r,
        2..=4 => input,
        _ => random.pick(&PLAIN),
    };
    let counts = split(random, length, rank);
    let (in_size, out_size) = (u32::from(input.storage_bytes()), u32::from(output.storage_bytes()));
    let from = address(random, in_size, true);
    let source = pattern(random, rank, &counts, from);
    let mut destination = if in_size == out_size && random.one_in(3) {
        source.clone()
    } else {
        let counts = if random.one_in(2) { counts } else { split(random, length, rank) };
        let to = address(random, out_size, out_size == 4);
        pattern(random, rank, &counts, to)
    };
    if destination.address >= generation.geometry().psum_base
        && generation != Generation::Maverick
        && out_size != 4
    {
        destination.address = sbuf(generation, 0) + 0x4000;
    }
    if cache {
        let pointer = 4 * random.below(64) as u32;
        let (imm0_src, imm0) = match random.below(6) {
            0 => (1, pointer),
            1 => (2, 7),
            _ => (0, word(random, false)),
        };
        let accumulator_cmd = random.pick(&[2, 3, 4]);
        let (imm1_src, imm1) = match (accumulator_cmd, random.below(4)) {
            (4, 0) => (1, pointer),
            (4, 1) => (2, 9),
            (4, _) => (0, word(random, false)),
            _ => (0, 0),
        };
        return Record::Cache(Cache {
            opcode: random.pick(&[0x9A, 0xE6]),
            accumulator_cmd,
            source,
            in_dtype: input.wire(),
            out_dtype: output.wire(),
            channels,
            imm0_src,
            op0: random.pick(&GENERAL).wire(),
            op1: random.pick(&COMBINE).wire(),
            reverse: 0,
            imm1_src,
            imm0,
            imm1,
            destination,
        });
    }
    let op = match (bitvec, input) {
        (true, Dtype::Int32) => random.pick(&BITVEC),
        (true, _) => loop {
            let op = random.pick(&BITVEC);
            if op != AluOp::LogicalShiftRight {
                break op;
            }
        },
        _ if random.one_in(4) => random.pick(&SCAN_ONLY),
        _ => random.pick(&GENERAL),
    };
    Record::Cumulative(Cumulative {
        opcode: if bitvec { 0x5E } else { 0x4E },
        source,
        in_dtype: input.wire(),
        out_dtype: output.wire(),
        channels,
        op: op.wire(),
        op_dim: random.pick(&[2, 3, 4, 5]),
        destination,
    })
}

/// Regions over most of what the records touch: one that holds everything, or pieces with gaps.
fn memory(random: &mut Random, generation: Generation, bytes: u32) -> Vec<Region> {
    let calm = random.one_in(2);
    let random_pieces = random.one_in(3);
    let mut region = |space, partition, partitions: u32, offset, stride: u32| {
        let mut data = Vec::with_capacity((partitions * stride) as usize + 4);
        while data.len() < (partitions * stride) as usize {
            data.extend(word(random, calm).to_le_bytes());
        }
        data.truncate((partitions * stride) as usize);
        Region { space, partition, partitions, offset, stride, data }
    };
    let mut regions = Vec::new();
    let psum_bytes = generation.geometry().psum_active.min(bytes);
    if random_pieces {
        // Odd borders, so that elements straddle regions and stretches lie outside.
        let border = (bytes / 2) | 1;
        regions.push(region(Space::Sbuf, 0, 70, 0, border));
        regions.push(region(Space::Sbuf, 0, 64, border, bytes - border));
        regions.push(region(Space::Sbuf, 70, 58, 3, bytes - 3));
        regions.push(region(Space::Psum, 0, 128, border, psum_bytes.saturating_sub(border)));
    } else {
        regions.push(region(Space::Sbuf, 0, 128, 0, bytes));
        regions.push(region(Space::Psum, 0, 128, 0, psum_bytes));
    }
    if generation == Generation::Maverick {
        regions.retain(|region| region.space == Space::Sbuf);
    }
    regions
}

/// Runs random programs of three records on every path and on the reference. Returns how many steps
/// were accepted, and how many of those wrote (were not stopped outside the regions).
fn campaign(seed: u64, programs: u32, shape: &Shape) -> (u32, u32) {
    let mut random = Random(seed);
    let (mut accepted, mut wrote) = (0, 0);
    let mut models = models();
    for program in 0..programs {
        let generation =
            random.pick(&[Generation::Mariana, Generation::MarianaPlus, Generation::Maverick]);
        let mut expected = TensorState {
            generation,
            profile: profile(&mut random),
            regions: memory(&mut random, generation, shape.bytes),
            ..TensorState::default()
        };
        expected.registers[7] = 0x40;
        expected.registers[9] = 0x100;
        let mut states = vec![expected.clone(); models.len()];
        for _ in 0..3 {
            let record = record(&mut random, generation, shape);
            let bytes = record.encode();
            let wanted = record.run(&mut expected);
            accepted += u32::from(
                wanted.as_ref().is_ok_and(|step| step.verdict == TensorVerdict::Accept)
                    || wanted.is_err(),
            );
            wrote +=
                u32::from(wanted.as_ref().is_ok_and(|step| step.verdict == TensorVerdict::Accept));
            for (model, state) in models.iter_mut().zip(&mut states) {
                let step = model.step(state, &bytes);
                let what = || {
                    let text = match &record {
                        Record::Cache(record) => format!("{record:?}"),
                        Record::Cumulative(record) => format!("{record:?}"),
                    };
                    format!("program {program} {:?} {:?} {text}", model.path(), state.profile)
                };
                assert_eq!(step, wanted, "{}", what());
                assert_eq!(state.accumulators, expected.accumulators, "{}", what());
                assert_eq!(state.seeded, expected.seeded, "{}", what());
                for (mine, theirs) in state.regions.iter().zip(&expected.regions) {
                    if mine.data != theirs.data {
                        let at = (0..mine.data.len()).find(|&k| mine.data[k] != theirs.data[k]);
                        panic!("byte {at:?} of {:?}: {}", mine.space, what());
                    }
                }
            }
        }
    }
    (accepted, wrote)
}

#[test]
fn small_programs_equal_the_plain_evaluation() {
    let shape = Shape {
        channels: &[1, 1, 2, 3, 4, 5, 7, 9, 33, 65],
        lengths: 1..=40,
        offsets: &[0x100, 0x100, 0x140, 0x200, 0x300, 0x380],
        bytes: 0x480,
    };
    let (accepted, wrote) = campaign(0x9E37_79B9_7F4A_7C15, 2500, &shape);
    assert!(accepted > 4000, "{accepted}");
    assert!(wrote > 3000 && wrote < accepted, "{wrote} of {accepted}");
}

#[test]
fn wide_programs_equal_the_plain_evaluation() {
    let shape = Shape {
        channels: &[8, 16, 31, 32, 64, 100, 128],
        lengths: 1..=200,
        offsets: &[0x400, 0x400, 0x440, 0x800, 0x1000],
        bytes: 0x1400,
    };
    let (accepted, _) = campaign(0xD1B5_4A32_D192_ED03, 150, &shape);
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn long_streams_equal_the_plain_evaluation() {
    let shape = Shape {
        channels: &[1, 2, 5, 8, 24],
        lengths: 500..=3000,
        offsets: &[0x1000, 0x1000, 0x1040, 0x4000],
        bytes: 0x7000,
    };
    let (accepted, _) = campaign(0xA24B_AED4_963E_E407, 60, &shape);
    assert!(accepted > 60, "{accepted}");
}
