//! What a night does. The work is divided into numbered chunks: first those of the golden vectors, the
//! regressions, the saved fuzz inputs and the edge products of the vector ops, then rounds over all
//! campaigns, one chunk of each campaign per round, so that campaigns share whatever time is left evenly by
//! cases.

use super::fuzz::FuzzCorpora;
use crate::campaign::products;
use crate::compare::Comparator;
use crate::family::{Family, Op};
use crate::generate::{self, CaseSeed};
use crate::golden::{DirectedCase, Skipped};
use crate::models::SharedFactory;
use crate::report::options::RunOptions;
use contract::isa::{Generation, Mnemonic};
use contract::json::write_case;
use contract::profile::Profile;
use std::time::Duration;

/// Directed cases or fuzz inputs of one chunk.
pub const DIRECTED_CHUNK: u64 = 64;

/// Vector ops of one chunk, each with all its edge products.
pub const PRODUCT_CHUNK: u64 = 8;

/// Generated cases of one chunk, unless the night is small.
pub const CAMPAIGN_CHUNK: u64 = 8192;

/// Generated cases per campaign by which another generator is known.
const GENERATOR_SAMPLE: u64 = 4;

/// A part of the night with a summary of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Golden vectors.
    Golden,
    /// Regressions.
    Regressions,
    /// Saved fuzz inputs.
    Fuzz,
    /// Edge products of the vector ops.
    Products,
    /// The campaign with this number.
    Campaign(usize),
}

/// One campaign: a family under a preset on a generation.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// Name in reports, as `tensor seed mariana`.
    pub name: String,
    /// Family to generate.
    pub family: generate::Family,
    /// Campaign seed.
    pub seed: u64,
    /// Ops to draw from.
    pub ops: Vec<Op>,
    /// What the generator is asked for.
    pub options: generate::Options,
    /// The same as a summary records it.
    pub record: RunOptions,
}

/// The seed of a night's campaign: below 2^53, so that every JSON reader keeps it whole.
pub const fn campaign_seed(night: u64, campaign: u64) -> u64 {
    CaseSeed::of(night, campaign).0 >> 11
}

/// The whole night.
pub struct NightlyPlan {
    /// Seed of the night.
    pub seed: u64,
    /// Generated cases of each campaign; `None` for as many as the budget allows.
    pub cases: Option<u64>,
    /// Time for everything; `None` if the cases are counted.
    pub budget: Option<Duration>,
    /// How outcomes are compared.
    pub comparator: Comparator,
    /// The reference.
    pub reference: SharedFactory,
    /// The model under test.
    pub candidate: SharedFactory,
    /// Options of the night as its summary records them.
    pub record: RunOptions,
    /// Every op that is to be compared.
    pub ops: Vec<Op>,
    /// Every family that is to be compared.
    pub families: Vec<Family>,
    /// Golden vectors.
    pub golden: Vec<DirectedCase>,
    /// Golden vectors that cannot be checked.
    pub skipped: Vec<Skipped>,
    /// Regressions.
    pub regressions: Vec<DirectedCase>,
    /// Saved fuzz inputs.
    pub fuzz: FuzzCorpora,
    /// Vector ops whose edge products run.
    pub products: Vec<Mnemonic>,
    /// Campaigns.
    pub campaigns: Vec<Campaign>,
}

/// The work of one chunk: items `from .. to` of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// The phase.
    pub phase: Phase,
    /// Number of the chunk within its phase.
    pub part: u64,
    /// First item.
    pub from: u64,
    /// One past the last item.
    pub to: u64,
}

/// Phases that are no campaign, in the order of their chunks.
const FIXED: [Phase; 4] = [Phase::Golden, Phase::Regressions, Phase::Fuzz, Phase::Products];

impl NightlyPlan {
    /// Every phase, in the order of reports.
    pub fn phases(&self) -> impl Iterator<Item = Phase> + use<> {
        FIXED.into_iter().chain((0..self.campaigns.len()).map(Phase::Campaign))
    }

    /// Name of a phase in reports.
    pub fn phase_name(&self, phase: Phase) -> &str {
        match phase {
            Phase::Golden => "golden vectors",
            Phase::Regressions => "regressions",
            Phase::Fuzz => "fuzz corpora",
            Phase::Products => "edge products",
            Phase::Campaign(number) => {
                self.campaigns.get(number).map_or("campaign", |campaign| campaign.name.as_str())
            }
        }
    }

    /// Items of a phase that is not a campaign.
    fn items(&self, phase: Phase) -> u64 {
        let items = match phase {
            Phase::Golden => self.golden.len(),
            Phase::Regressions => self.regressions.len(),
            Phase::Fuzz => self.fuzz.inputs.len(),
            Phase::Products => self.products.len(),
            Phase::Campaign(_) => 0,
        };
        items as u64
    }

    /// Generated cases of one chunk. A night of few cases is divided as well, so that little is lost
    /// when it is interrupted.
    pub fn campaign_chunk(&self) -> u64 {
        self.cases.map_or(CAMPAIGN_CHUNK, |cases| cases.div_ceil(4).clamp(1, CAMPAIGN_CHUNK))
    }

    /// The work of a chunk; `None` past the last one.
    pub fn work(&self, chunk: u64) -> Option<Work> {
        let mut first = 0;
        for phase in FIXED {
            let items = self.items(phase);
            let size = if phase == Phase::Products { PRODUCT_CHUNK } else { DIRECTED_CHUNK };
            let chunks = items.div_ceil(size);
            if chunk < first + chunks {
                let part = chunk - first;
                let from = part * size;
                return Some(Work { phase, part, from, to: items.min(from + size) });
            }
            first += chunks;
        }
        let campaigns = self.campaigns.len() as u64;
        if campaigns == 0 {
            return None;
        }
        let (part, number) = ((chunk - first) / campaigns, (chunk - first) % campaigns);
        let size = self.campaign_chunk();
        let from = part.checked_mul(size)?;
        let to = from.checked_add(size)?.min(self.cases.unwrap_or(u64::MAX));
        (from < to).then_some(Work { phase: Phase::Campaign(number as usize), part, from, to })
    }

    /// Ops and generations that a phase is to compare, and the seed and options of its summary.
    pub fn scope(&self, phase: Phase) -> (&[Op], &[Generation], u64, RunOptions) {
        match phase {
            Phase::Campaign(number) if number < self.campaigns.len() => {
                let Campaign { ops, options, seed, record, .. } = &self.campaigns[number];
                (ops, &options.generations, *seed, record.clone())
            }
            _ => {
                let record = RunOptions { cases: Some(0), time: None, ..self.record.clone() };
                (&self.ops, Generation::ALL, self.seed, record)
            }
        }
    }

    /// A number that changes when the files that the plan was made of change, or the generators.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::default();
        for directed in self.golden.iter().chain(&self.regressions) {
            // Not the name, which has the path in it by which the corpus was found.
            hash.add(directed.group.as_bytes());
            hash.add(write_case(&directed.case).as_bytes());
        }
        for input in &self.fuzz.inputs {
            hash.add(input.name.as_bytes());
            hash.add(&input.bytes);
        }
        for &op in &self.products {
            hash.add(op.name().as_bytes());
            let mut programs = products::cases(op, self.seed, Profile::default());
            if let Some((_, case)) = programs.next() {
                hash.add(write_case(&case).as_bytes());
            }
        }
        for campaign in &self.campaigns {
            hash.add(campaign.name.as_bytes());
            // Another generator makes other cases of the same seeds.
            let mut generator = generate::Generator::new(campaign.options.clone());
            for index in 0..GENERATOR_SAMPLE {
                let sample = generator.case(campaign.family, CaseSeed::of(campaign.seed, index));
                hash.add(write_case(&sample.case).as_bytes());
            }
        }
        hash.0
    }
}

/// The FNV-1a hash, which is the same in every version of every compiler.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        // The length keeps neighbours apart.
        for &byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
