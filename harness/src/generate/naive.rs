//! A plain uniform generator, kept for the comparison with the others: valid opcodes and mnemonics,
//! every other field of a descriptor and every operand uniform over its enumeration or a small range,
//! data uniformly random. Nothing is made valid by construction, nothing is biased to edges, no step
//! builds on another.

use super::seed::CaseSeed;
use super::vector::any_slot_of;
use super::{CaseGenerator, Draw, Family, Generated, Intent, Options};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, Operands, SlotOp};
use contract::case::{
    Case, MemoryChunk, MemoryWindow, RECORD, RegisterValue, TensorCase, VectorCase,
};
use contract::isa::layout::{header, s3d3_ts, s4d4_tr};
use contract::isa::{
    AccumCmd, AluOp, Generation, ImmSrc, Mnemonic, OperandKind, RegClass, RevOps, Subdim, opcode,
};
use contract::state::{Line, Region, Space};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;

/// Instructions or bundles of a program.
const STEPS: u32 = 6;

/// Bytes of the vector memory window.
const WINDOW: u32 = 4096;

/// Generates one family.
#[derive(Debug)]
pub struct NaiveGenerator {
    family: Family,
    opcodes: Vec<u8>,
    mnemonics: Vec<Mnemonic>,
}

impl NaiveGenerator {
    /// A generator of a family for these options; it obeys the selection of ops and generations alone.
    pub fn new(family: Family, options: &Options) -> Self {
        let mut opcodes = options.tensor.opcodes.clone();
        if opcodes.is_empty() {
            opcodes.extend_from_slice(super::tensor::OPCODES);
        }
        let mut mnemonics = options.vector.ops.clone();
        if mnemonics.is_empty() {
            let executed = |op: &Mnemonic| op.info().chapter == 4 && *op != Mnemonic::NOP;
            mnemonics.extend(Mnemonic::all().filter(executed));
        }
        Self { family, opcodes, mnemonics }
    }
}

impl CaseGenerator for NaiveGenerator {
    fn generate(&mut self, options: &Options, draw: &mut Draw<'_>, out: &mut Generated) {
        let seed = CaseSeed(draw.u64());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.0);
        out.intent = Intent::Valid;
        out.case = match self.family {
            Family::Tensor => Case::Tensor(self.tensor(options, &mut random)),
            Family::Vector => Case::Vector(self.vector(options, draw, &mut random)),
        };
    }
}

/// A member of a list.
fn member<T: Copy>(random: &mut impl Rng, list: &[T]) -> T {
    list[random.random_range(0..list.len())]
}

impl NaiveGenerator {
    fn tensor(&self, options: &Options, random: &mut impl Rng) -> TensorCase {
        let generations = &options.generations;
        let generations = if generations.is_empty() { Generation::ALL } else { generations };
        let generation = member(random, generations);
        let steps = random.random_range(1..=STEPS);
        let program = (0..steps).map(|_| self.record(generation, random)).collect();
        let memory = (0..4).map(|number| region(generation, number, random)).collect();
        let registers: BTreeMap<u8, u32> =
            (0..64).map(|number| (number, address(generation, random))).collect();
        let (id, profile) = (String::new(), options.profile);
        TensorCase { id, generation, profile, memory, registers, program }
    }

    /// A record with every field uniform.
    fn record(&self, generation: Generation, random: &mut impl Rng) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        record[header::OPCODE] = member(random, &self.opcodes);
        record[header::INST_WORD_LEN] = 16;
        let operators: Vec<AluOp> =
            AluOp::ALL.iter().copied().filter(|op| op.since() <= generation).collect();
        let mut operator = || member(random, &operators).wire();
        let [first, second] = [operator(), operator()];
        // Dtypes and channels have the same offsets in both structs.
        record[s3d3_ts::IN_DTYPE] = random.random_range(1..16);
        record[s3d3_ts::OUT_DTYPE] = random.random_range(1..16);
        record[s3d3_ts::NUM_ACTIVE_CHANNELS] = random.random_range(1..=128);
        match record[0] {
            opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE => {
                record[s3d3_ts::ACCUMULATOR_CMD] = member(random, AccumCmd::ALL).wire();
                record[s3d3_ts::IMM0_SRC] = member(random, ImmSrc::ALL).wire();
                record[s3d3_ts::IMM1_SRC] = member(random, ImmSrc::ALL).wire();
                record[s3d3_ts::REVERSE_OPERANDS] = member(random, RevOps::ALL).wire();
                record[s3d3_ts::OP0] = first;
                record[s3d3_ts::OP1] = second;
                put_word(&mut record, s3d3_ts::IMM0, random.random());
                put_word(&mut record, s3d3_ts::IMM1, random.random());
                pattern(&mut record, s3d3_ts::SRC_MEM_PATTERN, 3, generation, random);
                pattern(&mut record, s3d3_ts::DST_MEM_PATTERN, 3, generation, random);
            }
            _ => {
                record[s4d4_tr::OP] = first;
                record[s4d4_tr::OP_DIM] = member(random, Subdim::ALL).wire();
                record[s4d4_tr::NEGATED] = random.random_range(0..2);
                record[s4d4_tr::MASK_ENABLE] = random.random_range(0..2);
                pattern(&mut record, s4d4_tr::SRC_MEM_PATTERN, 4, generation, random);
                pattern(&mut record, s4d4_tr::DST_MEM_PATTERN, 4, generation, random);
            }
        }
        record
    }

    fn vector(&self, options: &Options, draw: &mut Draw<'_>, random: &mut impl Rng) -> VectorCase {
        let base = MemoryWindow::default().base;
        let mut state = Vec::new();
        let line = |random: &mut dyn rand::RngCore| {
            let mut line = Line::default();
            random.fill_bytes(&mut line.0);
            Box::new(line)
        };
        state
            .extend((0..16).map(|at| RegisterValue::Ar(at, base + random.random_range(0..WINDOW))));
        state.extend((0..32).map(|at| RegisterValue::Vec(at, line(random))));
        state.extend((0..16).map(|at| RegisterValue::Vbool(at, random.random())));
        state.extend((0..4).map(|at| RegisterValue::Valign(at, line(random))));
        state.extend((0..16).map(|at| RegisterValue::Pr(at, random.random())));
        let mut data = vec![0; WINDOW as usize];
        random.fill(&mut data[..]);
        let init = vec![MemoryChunk { address: base, data }];
        let program = (0..random.random_range(1..=STEPS)).map(|_| self.bundle(draw, random));
        VectorCase {
            id: String::new(),
            profile: options.profile,
            cpenable: 2,
            state,
            memory: MemoryWindow { base, bytes: WINDOW, init },
            program: program.collect(),
        }
    }

    /// A bundle of one op with uniform operands.
    fn bundle(&self, draw: &mut Draw<'_>, random: &mut impl Rng) -> Bundle {
        let mnemonic = member(random, &self.mnemonics);
        let (format, slot) = any_slot_of(draw, mnemonic);
        let operands: Operands = (mnemonic.info().operands.iter())
            .map(|(_, kind)| match kind {
                OperandKind::Reg(class) => register(*class, random),
                OperandKind::Imm => Operand::Imm(random.random_range(-512..512)),
            })
            .collect();
        let op = SlotOp { slot: slot.into(), op: OpWord::Known(mnemonic), operands };
        Bundle { format: FormatWord::Known(format), ops: vec![op] }
    }
}

fn register(class: RegClass, random: &mut impl Rng) -> Operand {
    Operand::Reg(class, random.random_range(0..class.entries()))
}

fn put_word(record: &mut [u8; RECORD], at: usize, word: u32) {
    record[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

/// Any backed address of SBUF.
fn address(generation: Generation, random: &mut impl Rng) -> u32 {
    let geometry = generation.geometry();
    let partition = random.random_range(0..128);
    geometry.sbuf_base
        + partition * geometry.sbuf_stride
        + random.random_range(0..geometry.sbuf_active)
}

/// A pattern of `rank` axes with small counts and steps.
fn pattern(
    record: &mut [u8; RECORD],
    at: usize,
    rank: usize,
    generation: Generation,
    random: &mut impl Rng,
) {
    put_word(record, at, address(generation, random));
    for axis in 0..rank {
        let step: i16 = random.random_range(-8..=8);
        let count: u16 = random.random_range(1..=8);
        let (steps, counts) = (at + 4 + 2 * axis, at + 4 + 2 * (rank + axis));
        record[steps..steps + 2].copy_from_slice(&step.to_le_bytes());
        record[counts..counts + 2].copy_from_slice(&count.to_le_bytes());
    }
}

/// Random bytes in some partition range; regions of different numbers lie apart.
fn region(generation: Generation, number: u32, random: &mut impl Rng) -> Region {
    let quarter = generation.geometry().sbuf_active / 4;
    let partition = random.random_range(0..96);
    let partitions = random.random_range(1..=32);
    let stride = random.random_range(64..=512);
    let mut data = vec![0; (partitions * stride) as usize];
    random.fill(&mut data[..]);
    let offset = number * quarter + random.random_range(0..quarter - stride);
    Region { space: Space::Sbuf, partition, partitions, offset, stride, data }
}

#[cfg(test)]
mod tests {
    use super::super::Generator;
    use super::*;
    use contract::json::{read_case, write_case};
    use std::collections::BTreeSet;

    #[test]
    fn naive_cases_are_good_input_and_equal_seeds_give_equal_cases() {
        let options = Options { naive: true, ..Options::default() };
        let mut generator = Generator::new(options);
        let mut seen = BTreeSet::new();
        for family in Family::ALL {
            for seed in 0..50 {
                let seed = CaseSeed(seed);
                let generated = generator.case(*family, seed);
                assert_eq!(read_case(&write_case(&generated.case)).unwrap(), generated.case);
                assert_eq!(generator.case(*family, seed), generated);
                if let Case::Tensor(case) = &generated.case {
                    seen.extend(case.program.iter().map(|record| record[0]));
                }
            }
        }
        assert_eq!(seen.len(), 4);
    }
}
