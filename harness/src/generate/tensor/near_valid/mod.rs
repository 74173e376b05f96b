//! Near-valid records: a valid draft in which one clause is broken on purpose, with everything else
//! kept in order (spec 02 section 1, the "near-valid" columns of sections 3, 4.1 and 4.2).
//!
//! [`PROBES`] is the table. A row names the clauses that fail, says where it applies, which fields it
//! writes or relies on, and holds the change. Rows with one clause isolate it; rows with more belong to
//! clauses that cannot fail alone, together with the clauses that subsume them. Two rows whose fields
//! do not meet can be combined, and then exactly the clauses of both fail.

mod cache;
pub mod edit;
mod patterns;
mod preamble;
mod scan;

use super::record::Draft;
use crate::generate::Draw;
use contract::case::RECORD;
use contract::isa::{ClauseId, ClauseSet, Generation, opcode};
use edit::Edit;

/// Generations on which a probe applies, as bits in the order of [`Generation::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct On(u8);

impl On {
    /// Everywhere.
    pub const ALL: Self = Self(0b11111);
    /// Sunda and cayman.
    pub const TO_CAYMAN: Self = Self(0b00011);
    /// Cayman and later.
    pub const FROM_CAYMAN: Self = Self(0b11110);
    /// Sunda alone.
    pub const SUNDA: Self = Self(0b00001);
    /// Mariana and later.
    pub const FROM_MARIANA: Self = Self(0b11100);
    /// All but maverick.
    pub const TO_MARIANA: Self = Self(0b01111);
    /// Maverick alone.
    pub const MAVERICK: Self = Self(0b10000);

    /// Whether the generation is among them.
    pub const fn contains(self, generation: Generation) -> bool {
        self.0 >> generation as u8 & 1 == 1
    }
}

/// Fields that a probe writes or relies on, as bits.
pub mod touch {
    /// The opcode, and with it whether any group's clauses are evaluated.
    pub const OPCODE: u32 = 1 << 0;
    /// `inst_word_len`.
    pub const LENGTH: u32 = 1 << 1;
    /// `wait_mode`.
    pub const WAIT: u32 = 1 << 2;
    /// `update_mode`.
    pub const UPDATE: u32 = 1 << 3;
    /// Source start.
    pub const SRC: u32 = 1 << 4;
    /// Destination start.
    pub const DST: u32 = 1 << 5;
    /// Counts of either pattern.
    pub const COUNTS: u32 = 1 << 6;
    /// `in_dtype`.
    pub const IN: u32 = 1 << 7;
    /// `out_dtype`.
    pub const OUT: u32 = 1 << 8;
    /// `num_active_channels`.
    pub const CHANNELS: u32 = 1 << 9;
    /// `op0` or `op`.
    pub const OP0: u32 = 1 << 10;
    /// `op1`.
    pub const OP1: u32 = 1 << 11;
    /// `accumulator_cmd`.
    pub const COMMAND: u32 = 1 << 12;
    /// `imm0` and its source.
    pub const IMM0: u32 = 1 << 13;
    /// `imm1` and its source.
    pub const IMM1: u32 = 1 << 14;
    /// `reverse_operands`.
    pub const REVERSE: u32 = 1 << 15;
    /// Reserved bytes.
    pub const RESERVED: u32 = 1 << 16;
    /// `negated`.
    pub const NEGATED: u32 = 1 << 17;
    /// `op_dim`.
    pub const DIM: u32 = 1 << 18;
    /// `mask_enable`.
    pub const MASK: u32 = 1 << 19;
    /// Both starts and dtypes, for probes that mend one by the other.
    pub const OPERANDS: u32 = SRC | DST | IN | OUT | OP0;
}

/// Both opcodes of the CR group.
pub const CR: &[u8] = &[opcode::TENSOR_SCALAR_CACHE_REDUCE, opcode::TENSOR_SCALAR_CACHE_CUMULATIVE];
/// Both opcodes of the TC group.
pub const TC: &[u8] = &[opcode::TENSOR_CUMULATIVE_ARITH, opcode::TENSOR_CUMULATIVE_BITVEC];
/// The arithmetic opcode of the TC group.
pub const TC_ARITH: &[u8] = &[opcode::TENSOR_CUMULATIVE_ARITH];
/// The bitvec opcode of the TC group.
pub const TC_BITVEC: &[u8] = &[opcode::TENSOR_CUMULATIVE_BITVEC];
/// Every opcode of the generator.
pub const ANY: &[u8] = super::OPCODES;

/// One way of breaking a record.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    /// The clauses that fail.
    pub fails: &'static [ClauseId],
    /// What is changed, in few words.
    pub name: &'static str,
    /// Opcodes of the records that it applies to.
    pub opcodes: &'static [u8],
    /// Generations on which exactly these clauses fail.
    pub on: On,
    /// Fields written or relied on.
    pub touches: u32,
    /// The change.
    pub apply: fn(&mut Edit<'_, '_>),
}

impl Probe {
    /// The failing clauses as a set.
    pub fn clauses(&self) -> ClauseSet {
        self.fails.iter().copied().collect()
    }

    /// Whether two probes can be applied to one record without meeting.
    pub fn apart_from(&self, other: &Self) -> bool {
        self.touches & other.touches == 0
            && self.opcodes.iter().any(|opcode| other.opcodes.contains(opcode))
    }
}

/// Every probe, group by group.
pub const PROBES: &[&[Probe]] = &[
    preamble::PROBES,
    cache::PROBES,
    patterns::CACHE[0],
    patterns::CACHE[1],
    patterns::CACHE[2],
    scan::PROBES,
    patterns::SCAN[0],
    patterns::SCAN[1],
    patterns::SCAN[2],
];

/// Every probe that applies on a generation.
pub fn probes(generation: Generation) -> impl Iterator<Item = &'static Probe> {
    PROBES.iter().copied().flatten().filter(move |probe| probe.on.contains(generation))
}

/// The clauses that can fail alone on a generation, in the spec's order; each of them has a probe.
pub fn isolable_clauses(generation: Generation) -> Vec<ClauseId> {
    let mut clauses = ClauseSet::EMPTY;
    for probe in probes(generation) {
        if let &[clause] = probe.fails {
            clauses.insert(clause);
        }
    }
    clauses.iter().collect()
}

/// Bits of a record that are never flipped: bit 7 of `wait_mode` and `update_mode`, which selects
/// codes outside the graded verdicts (spec 01 DD-EVT-REG).
const KEPT: [(usize, u8); 2] = [(4, 0x80), (6, 0x80)];

/// Flips one to three bits; the number of bits that differ afterwards.
pub fn flip_bits(record: &mut [u8; RECORD], draw: &mut Draw<'_>) -> u32 {
    let before = *record;
    for _ in 0..draw.weighted(&[(60, 1), (25, 2), (15, 3)]) {
        let bit = draw.below(8 * RECORD as u32) as usize;
        let mask = 1u8 << (bit % 8);
        if !KEPT.contains(&(bit / 8, mask)) {
            record[bit / 8] ^= mask;
        }
    }
    before.iter().zip(record.iter()).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// Flips a bit that no walk depends on: one of a reserved byte.
pub fn flip_reserved(record: &mut [u8; RECORD], draft: &Draft, draw: &mut Draw<'_>) -> u32 {
    let first = match draft.layout {
        super::record::Layout::S3d3Ts => contract::isa::layout::s3d3_ts::RESERVED0,
        super::record::Layout::S4d4Tr => contract::isa::layout::s4d4_tr::RESERVED1,
    };
    record[first + draw.below(draft.layout.reserved() as u32) as usize] ^= 1 << draw.below(8);
    1
}
