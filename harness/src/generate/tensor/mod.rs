//! The generator of tensor programs: chains of up to six instructions of the opcodes in [`OPCODES`] on
//! one generation, with the memory, registers and values that they need.
//!
//! - `step`: a valid record per group of opcodes; `tables` lists what it may hold, `shape` sizes
//!   and strides.
//! - `plan`: operands that flow from step to step, placed by an `arena`.
//! - [`near_valid`]: broken records by clause, as a table; `outside`: unsupported and faulting ones.
//! - `regions`: memory for every walk of the finished records, and its values.
//!
//! Another opcode needs its lists in `tables`, its fields in `record`, a function in `step`, and rows
//! in `near_valid`.

mod arena;
mod geometry;
pub mod near_valid;
mod outside;
mod plan;
mod record;
mod regions;
mod shape;
mod step;
mod tables;
pub mod targets;

pub use near_valid::{PROBES, Probe, isolable_clauses, probes};

use super::values::{Style, Values};
use super::{CaseGenerator, Draw, Generated, Intent, Options, TensorOptions};
use contract::case::{Case, RECORD, TensorCase};
use contract::isa::{ClauseId, Dtype, Generation, opcode};
use contract::profile::{F2iRound, Fp8Overflow, Fp32rFraction, Op1Order, Profile, ReduceEmit};
use contract::state::Region;
use geometry::Walk;
use near_valid::edit::Edit;
use plan::Plan;
use record::{Draft, operands};
use regions::{Cover, Footprints};
use std::collections::BTreeMap;
use targets::Targets;

/// Every opcode of the generator.
pub const OPCODES: &[u8] = &[
    opcode::TENSOR_SCALAR_CACHE_REDUCE,
    opcode::TENSOR_SCALAR_CACHE_CUMULATIVE,
    opcode::TENSOR_CUMULATIVE_ARITH,
    opcode::TENSOR_CUMULATIVE_BITVEC,
];

/// Longest program, whatever the options say: two immediates a step must find registers of their own.
const CHAIN_LIMIT: u32 = 16;

/// Buffers that a generator keeps; more than the regions of nearly every case.
const MOST_SPARE: usize = 64;

/// Most bytes of memory that a record with flipped bits may ask for.
const FLIPPED_BYTES: u64 = 1 << 16;

/// Most bytes of memory for an operand of a record that is refused, so that a model that executes it
/// all the same is caught by a value.
const REFUSED_BYTES: u64 = 1 << 11;

/// What the special step of a case is.
#[derive(Debug, Clone, Copy)]
enum Special {
    Nothing,
    Probe(&'static Probe),
    Pair(&'static Probe, &'static Probe),
    Bits,
    Exit(&'static outside::Exit),
    Inert(&'static outside::Inert),
}

impl Special {
    /// Whether the special step may have this opcode.
    fn allows(self, opcode: u8) -> bool {
        match self {
            Self::Nothing | Self::Bits | Self::Inert(_) => true,
            Self::Probe(probe) => probe.opcodes.contains(&opcode),
            Self::Pair(a, b) => a.opcodes.contains(&opcode) && b.opcodes.contains(&opcode),
            Self::Exit(exit) => exit.opcodes.contains(&opcode),
        }
    }
}

/// Generates tensor cases; holds the buffers that are reused.
#[derive(Debug)]
pub struct TensorGenerator {
    opcodes: Vec<u8>,
    generations: Vec<Generation>,
    /// Per generation the probes for the chosen opcodes: those with one clause, those with more.
    single: [Vec<&'static Probe>; 5],
    multiple: [Vec<&'static Probe>; 5],
    exits: [Vec<&'static outside::Exit>; 5],
    targets: Targets,
    plan: Plan,
    drafts: Vec<Draft>,
    absent: Vec<bool>,
    footprints: Footprints,
    spare: Vec<Vec<u8>>,
}

impl TensorGenerator {
    /// A generator for these options.
    pub fn new(options: &Options) -> Self {
        let chosen =
            |code: &u8| options.tensor.opcodes.is_empty() || options.tensor.opcodes.contains(code);
        let mut opcodes: Vec<u8> = OPCODES.iter().copied().filter(chosen).collect();
        if opcodes.is_empty() {
            opcodes.extend_from_slice(OPCODES);
        }
        let mut generations = options.generations.clone();
        if generations.is_empty() {
            generations.extend_from_slice(Generation::ALL);
        }
        let per_generation = |multiple: bool| {
            std::array::from_fn(|index| {
                probes(Generation::ALL[index])
                    .filter(|probe| (probe.fails.len() > 1) == multiple)
                    .filter(|probe| probe.opcodes.iter().any(|code| opcodes.contains(code)))
                    .collect()
            })
        };
        let exits = std::array::from_fn(|index| {
            let generation = Generation::ALL[index];
            (outside::EXITS.iter())
                .filter(|exit| exit.on.contains(generation))
                .filter(|exit| exit.opcodes.iter().any(|code| opcodes.contains(code)))
                .collect()
        });
        Self {
            single: per_generation(false),
            multiple: per_generation(true),
            exits,
            targets: if options.aim { Targets::new(options) } else { Targets::default() },
            opcodes,
            generations,
            plan: Plan::new(),
            drafts: Vec::new(),
            absent: Vec::new(),
            footprints: Footprints::default(),
            spare: Vec::new(),
        }
    }

    /// Draws what the special step of a case shall be.
    fn special(&self, draw: &mut Draw<'_>, options: &Options, generation: Generation) -> Special {
        if draw.chance(options.near_valid) {
            let clause = options.tensor.steer.clause;
            let single = &self.single[generation as usize];
            let multiple = &self.multiple[generation as usize];
            return match draw.weighted(&[(70, 0), (8, 1), (12, 2), (10, 3)]) {
                0 => Special::Probe(probe_for(draw, single, clause)),
                1 => Special::Probe(probe_for(draw, multiple, clause)),
                2 => {
                    let first = probe_for(draw, single, clause);
                    (0..8)
                        .map(|_| draw.pick(single))
                        .find(|second| self.combine(first, second))
                        .map_or(Special::Probe(first), |second| Special::Pair(first, second))
                }
                _ => Special::Bits,
            };
        }
        // The rates are shares of all cases, so they are scaled by what near-valid cases left.
        let rest = (1.0 - options.near_valid).max(f64::MIN_POSITIVE);
        if draw.chance(options.outside / rest) {
            if draw.one_in(options.tensor.size_one_in) {
                return Special::Exit(&outside::SIZE_EXIT);
            }
            return Special::Exit(draw.pick(&self.exits[generation as usize]));
        }
        if draw.chance(options.inert / rest) {
            let inert = draw.pick(&[0, 1, 2, 3]);
            let inert = &outside::INERTS[inert];
            if inert.on.contains(generation) {
                return Special::Inert(inert);
            }
        }
        Special::Nothing
    }

    /// Whether two probes can meet in one record of the chosen opcodes and break two clauses.
    fn combine(&self, first: &Probe, second: &Probe) -> bool {
        first.fails != second.fails
            && first.apart_from(second)
            && self
                .opcodes
                .iter()
                .any(|code| first.opcodes.contains(code) && second.opcodes.contains(code))
    }

    /// Changes the special step's draft; the intent of the case if that is all there is to it.
    fn apply(
        plan: &mut Plan,
        draw: &mut Draw<'_>,
        special: Special,
        step: usize,
        draft: &mut Draft,
    ) -> Intent {
        let generation = plan.generation;
        let mut edit = Edit { draft, draw, generation, registers: &mut plan.registers };
        match special {
            Special::Nothing | Special::Bits => Intent::Valid,
            Special::Probe(probe) => {
                (probe.apply)(&mut edit);
                match probe.fails {
                    &[clause] => Intent::Isolated { step, clause, probe: probe.name },
                    _ => Intent::Together { step, clauses: probe.clauses(), probe: probe.name },
                }
            }
            Special::Pair(first, second) => {
                (first.apply)(&mut edit);
                (second.apply)(&mut edit);
                Intent::Pair {
                    step,
                    clauses: first.clauses().union(second.clauses()),
                    probes: [first.name, second.name],
                }
            }
            Special::Exit(exit) => {
                (exit.apply)(&mut edit);
                Intent::Outside { step, reason: exit.reason.clone(), probe: exit.name }
            }
            Special::Inert(inert) => {
                (inert.apply)(&mut edit);
                Intent::Inert { step, probe: inert.name }
            }
        }
    }

    /// Draws the drafts of the program and changes the special one.
    fn program(
        &mut self,
        options: &Options,
        draw: &mut Draw<'_>,
        special: Special,
        aim: Option<u8>,
    ) -> Intent {
        let tensor: &TensorOptions = &options.tensor;
        let chain = draw.weighted(&[(40, 1), (26, 2), (17, 3), (9, 4), (5, 5), (3, 6)]);
        // A step that hits the target stands before the one that may be broken.
        let least = if aim.is_some() && !matches!(special, Special::Nothing) { 2 } else { 1 };
        let chain = tensor.chain.clip(chain.max(least)).min(self.plan.tier.chain());
        let chain = chain.clamp(1, CHAIN_LIMIT) as usize;
        let (channels, elements) = self.plan.tier.size(draw, tensor);
        let base = step::Base { channels, elements };
        let at = draw.below(chain as u32) as usize;
        let at = if aim.is_some() { chain - 1 } else { at };
        // One opcode throughout, one group, or a new choice at every step.
        let theme = draw.weighted(&[(20, Theme::One), (40, Theme::Group), (40, Theme::Mixed)]);
        let lead = draw.pick(&self.opcodes);
        let (theme, lead) = aim.map_or((theme, lead), |opcode| (Theme::One, opcode));
        let mut intent = Intent::Valid;
        let mut seeded = false;
        self.drafts.clear();
        self.absent.clear();
        for number in 0..chain {
            let mut code = match theme {
                Theme::One => lead,
                Theme::Group => self.opcode_where(draw, |code| {
                    record::Layout::of(code) == record::Layout::of(lead)
                }),
                Theme::Mixed => draw.pick(&self.opcodes),
            };
            if number == at && !special.allows(code) {
                code = self.opcode_where(draw, |code| special.allows(code));
            }
            let Some(mut draft) = step::valid(&mut self.plan, draw, tensor, code, base, !seeded)
            else {
                break;
            };
            seeded |= draft.layout == record::Layout::S3d3Ts;
            if number == at {
                intent = Self::apply(&mut self.plan, draw, special, number, &mut draft);
            }
            self.drafts.push(draft);
            self.absent.push(self.plan.absent_source);
        }
        if self.drafts.is_empty() {
            // No room for what the options ask: the plainest step, which always has room.
            let draw = &mut Draw::new(&[]);
            self.plan.begin(draw, self.plan.generation, tensor, tensor.steer, false);
            let base = step::Base { channels: 1, elements: 1 };
            let code = self.opcodes[0];
            self.drafts.extend(step::valid(&mut self.plan, draw, tensor, code, base, true));
            self.absent.push(false);
        }
        intent
    }

    /// One of the chosen opcodes that fits; the first if none does.
    fn opcode_where(&self, draw: &mut Draw<'_>, fits: impl Fn(u8) -> bool) -> u8 {
        let fitting: smallvec::SmallVec<[u8; 8]> =
            self.opcodes.iter().copied().filter(|&code| fits(code)).collect();
        if fitting.is_empty() { self.opcodes[0] } else { draw.pick(&fitting) }
    }

    /// Flips bits of a record, but not so that the case would have to grow out of proportion.
    fn flip(
        &mut self,
        draw: &mut Draw<'_>,
        step: usize,
        record: &mut [u8; RECORD],
        work: u64,
    ) -> Intent {
        let original = *record;
        for _ in 0..4 {
            let flipped = near_valid::flip_bits(record, draw);
            if flipped > 0 && self.in_proportion(record, work) {
                return Intent::Bits { step, flipped };
            }
            *record = original;
        }
        let flipped = near_valid::flip_reserved(record, &self.drafts[step], draw);
        Intent::Bits { step, flipped }
    }

    /// Whether a record with any bytes asks for little memory and little work.
    fn in_proportion(&mut self, record: &[u8; RECORD], work: u64) -> bool {
        let Some(found) = operands(record) else { return true };
        if found.src.elements() != found.dst.elements() {
            // Whatever else is wrong, nothing executes.
            return true;
        }
        self.footprints.clear();
        let generation = self.plan.generation;
        let mut small = |walk: &Walk, size| {
            self.footprints.add(generation, walk, size, found.channels, FLIPPED_BYTES)
                != Cover::TooLarge
        };
        small(&found.src, found.src_size)
            && small(&found.dst, found.dst_size)
            && found.src.elements().saturating_mul(found.channels.into()) <= work
    }

    /// Memory for every walk of the program, and values in it.
    fn memory(
        &mut self,
        options: &Options,
        draw: &mut Draw<'_>,
        intent: &Intent,
        case: &mut TensorCase,
    ) {
        let generation = self.plan.generation;
        let footprints = &mut self.footprints;
        footprints.clear();
        for (step, (record, &absent)) in case.program.iter().zip(&self.absent).enumerate() {
            let Some(found) = operands(record) else { continue };
            let limit = match intent {
                Intent::Bits { step: at, .. } if *at == step => FLIPPED_BYTES,
                Intent::Valid | Intent::Inert { .. } => u64::MAX,
                _ if intent.step() == Some(step) => REFUSED_BYTES,
                _ => u64::MAX,
            };
            let mut add = |walk: &Walk, size| {
                footprints.add(generation, walk, size, found.channels, limit);
            };
            add(&found.dst, found.dst_size);
            if !absent {
                add(&found.src, found.src_size);
            }
            for (source, word) in found.immediates {
                let word = match source {
                    1 => word,
                    2 => match case.registers.get(&(word as u8)) {
                        Some(&pointer) => pointer,
                        None => continue,
                    },
                    _ => continue,
                };
                add(&Walk { word, ..Walk::default() }, Some(4));
            }
        }
        if draw.percent(40) {
            let bytes = draw.pick(&[4, 8, 1, 16]);
            footprints.pad(generation, bytes, draw.below(2));
        }
        footprints.regions(&mut self.spare, &mut case.memory);
        let background = draw.weighted(&[(25, None), (75, Some(Style::Bits))]);
        let mut values = Values::new(Style::Bits, Dtype::Uint8, draw.u64(), None);
        for region in &mut case.memory {
            let bytes = region.partitions as usize * region.stride as usize;
            region.data.clear();
            region.data.resize(bytes, 0);
            if background.is_some() {
                values.fill(&mut region.data);
            }
        }
        for fill in &self.plan.fills {
            let size = super::values::formats::size_of(fill.dtype.wire()).unwrap_or(1);
            fill.apply(size, &mut case.memory, options.data.as_deref());
        }
    }
}

/// A probe of a list; one that breaks the wanted clause if the list has such.
fn probe_for(
    draw: &mut Draw<'_>,
    list: &[&'static Probe],
    wanted: Option<ClauseId>,
) -> &'static Probe {
    let Some(clause) = wanted else { return draw.pick(list) };
    let breaking = || list.iter().copied().filter(|probe| probe.fails.contains(&clause));
    let count = breaking().count() as u32;
    breaking().nth(draw.below(count) as usize).unwrap_or_else(|| draw.pick(list))
}

/// How the opcodes of a program relate.
#[derive(Debug, Clone, Copy)]
enum Theme {
    One,
    Group,
    Mixed,
}

impl CaseGenerator for TensorGenerator {
    fn generate(&mut self, options: &Options, draw: &mut Draw<'_>, out: &mut Generated) {
        if !matches!(out.case, Case::Tensor(_)) {
            *out = Generated::default();
        }
        let Case::Tensor(case) = &mut out.case else { unreachable!("just set") };
        self.spare.extend(case.memory.drain(..).map(|region: Region| region.data));
        // A place may be filled by several generators in turn; buffers must not gather in one of them.
        self.spare.truncate(MOST_SPARE);
        let generation = draw.pick(&self.generations);
        let aim = draw.target().and_then(|number| self.targets.of_case(number));
        let generation = aim.map_or(generation, |aim| aim.generation);
        let steer = aim.map_or(options.tensor.steer, |aim| aim.steer);
        case.generation = generation;
        case.profile = profile(draw, options);
        let special = self.special(draw, options, generation);
        self.plan.registers = std::mem::take(&mut case.registers);
        self.plan.begin(draw, generation, &options.tensor, steer, options.data.is_some());
        out.intent = self.program(options, draw, special, aim.map(|aim| aim.opcode));
        case.registers = std::mem::take(&mut self.plan.registers);
        case.program.clear();
        case.program.extend(self.drafts.iter().map(Draft::encode));
        if matches!(special, Special::Bits) && !case.program.is_empty() {
            let step = draw.below(case.program.len() as u32) as usize;
            let work = u64::from(options.tensor.work).max(work_of(&case.program)) * 8;
            out.intent = self.flip(draw, step, &mut case.program[step], work);
        }
        self.memory(options, draw, &out.intent, case);
    }
}

/// The case of one record, whatever its bytes: memory of zeros under every operand that lies in a memory
/// of the generation, up to [`ALONE_BYTES`] for each.
pub fn case_of_record(generation: Generation, record: &[u8; RECORD]) -> TensorCase {
    let mut footprints = Footprints::default();
    if let Some(found) = operands(record) {
        for (walk, size) in [(&found.dst, found.dst_size), (&found.src, found.src_size)] {
            footprints.add(generation, walk, size, found.channels, ALONE_BYTES);
        }
    }
    let mut memory = Vec::new();
    footprints.regions(&mut Vec::new(), &mut memory);
    for region in &mut memory {
        region.data.resize(region.partitions as usize * region.stride as usize, 0);
    }
    TensorCase {
        id: "record".to_owned(),
        generation,
        profile: Profile::default(),
        memory,
        registers: BTreeMap::new(),
        program: vec![*record],
    }
}

/// Most bytes of memory for an operand of a record alone.
const ALONE_BYTES: u64 = 1 << 18;

/// Largest elements × channels of a program's steps.
pub fn work_of(program: &[[u8; RECORD]]) -> u64 {
    let work = |record| {
        operands(record)
            .map_or(0, |found| found.src.elements().saturating_mul(found.channels.into()))
    };
    program.iter().map(work).max().unwrap_or(0)
}

/// The switches of a case: the campaign's, or with those drawn that the tensor models read.
fn profile(draw: &mut Draw<'_>, options: &Options) -> Profile {
    if !options.vary_switches {
        return options.profile;
    }
    Profile {
        reduce_emit: draw.pick(ReduceEmit::ALL),
        op1_order: draw.pick(Op1Order::ALL),
        f2i_round: draw.pick(F2iRound::ALL),
        fp8_overflow: draw.pick(Fp8Overflow::ALL),
        fp32r_fraction: draw.pick(Fp32rFraction::ALL),
        ..options.profile
    }
}
