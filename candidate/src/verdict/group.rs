//! What a row of the opcode table holds, and the clauses that are lookups: one byte against one set,
//! reserved bytes against a mask over the record's words, patterns and channels against the geometry.
//! Clauses that relate several fields are a function of the group.

use super::place::{channels_ok, pattern_ok};
use super::record::{Pattern, Record};
use super::sets::{self, Set, Sets};
use contract::isa::layout::{events, header};
use contract::isa::{ClauseId, ClauseSet, Generation, Geometry};

/// A clause that asks for one byte in one set.
pub struct ByteClause {
    /// The clause.
    pub clause: ClauseId,
    /// Byte offset in the record.
    pub at: usize,
    /// The set.
    pub set: Set,
}

/// Shorthand for a table row.
pub const fn byte(clause: ClauseId, at: usize, set: Set) -> ByteClause {
    ByteClause { clause, at, set }
}

/// The preamble of every group (spec 02 section 3). EVT-SEM always holds (VD-EVT-SEM).
pub const PREAMBLE: &[ByteClause] = &[
    byte(ClauseId::HdrOpc, header::OPCODE, Set::Opcode),
    byte(ClauseId::HdrLen, header::INST_WORD_LEN, Set::WordLength),
    byte(ClauseId::EvtWait, events::WAIT_MODE, Set::WaitMode),
    byte(ClauseId::EvtUpd, events::UPDATE_MODE, Set::UpdateMode),
];

/// A pattern field with the clauses about it alone.
pub struct PatternField {
    /// Byte offset of the pattern.
    pub at: usize,
    /// Number of axes.
    pub rank: usize,
    /// Byte offset of its dtype.
    pub dtype: usize,
    /// True for a destination.
    pub written: bool,
    /// Clause of `pat_ok`.
    pub memory: ClauseId,
    /// Clause of `chan`.
    pub channels: ClauseId,
}

/// An immediate field.
pub struct ImmediateField {
    /// Byte offset of the source selector.
    pub source: usize,
    /// Byte offset of the word.
    pub word: usize,
}

/// Bytes that must be zero, as a mask over the record's words.
pub struct Reserved {
    /// The clause.
    pub clause: ClauseId,
    /// Ones where the record must have zeros.
    pub mask: [u64; 8],
}

/// The words' mask of a range of bytes.
pub const fn bytes_mask(first: usize, last: usize) -> [u64; 8] {
    let mut mask = [0; 8];
    let mut at = first;
    while at <= last {
        mask[at / 8] |= 0xFF << (at % 8 * 8);
        at += 1;
    }
    mask
}

/// Most patterns of a group; a plan keeps room for so many operands.
pub const MAX_PATTERNS: usize = 2;
/// Most immediates of a group.
pub const MAX_IMMEDIATES: usize = 2;

/// A row of the opcode table.
pub struct Group {
    /// Byte 0.
    pub opcode: u8,
    /// Byte offset of `num_active_channels`.
    pub channels: usize,
    /// Clauses about single bytes.
    pub bytes: &'static [ByteClause],
    /// Further clauses about single bytes, of this opcode alone.
    pub own_bytes: &'static [ByteClause],
    /// Reserved bytes.
    pub reserved: Reserved,
    /// Pattern fields in record order; the first one is the first source.
    pub patterns: &'static [PatternField],
    /// Clause of equal counts of the first source and the destination.
    pub same_count: ClauseId,
    /// Immediates of the arithmetic class, as the patterns of scalars.
    pub immediates: &'static [ImmediateField],
    /// Clauses that relate fields.
    pub relations: fn(&Fields<'_>, &mut ClauseSet),
}

/// What a relation reads.
pub struct Fields<'a> {
    /// The record.
    pub record: &'a Record<'a>,
    /// Sets of the generation.
    pub sets: &'a Sets,
    /// Geometry of the generation.
    pub geometry: &'a Geometry,
    /// `num_active_channels`.
    pub channels: u8,
}

/// Evaluates byte clauses, all of them, without branches.
#[inline]
pub fn check_bytes(
    clauses: &[ByteClause],
    record: &Record<'_>,
    sets: &Sets,
    failing: &mut ClauseSet,
) {
    for row in clauses {
        failing.insert_if(row.clause, !sets.has(row.set, record.bytes[row.at]));
    }
}

/// Evaluates every clause of a group.
pub fn check(group: &Group, record: &Record<'_>, generation: Generation, failing: &mut ClauseSet) {
    let sets = sets::of(generation);
    let geometry = generation.geometry();
    let channels = record.bytes[group.channels];
    check_bytes(group.bytes, record, sets, failing);
    check_bytes(group.own_bytes, record, sets, failing);
    let stray = record.words.iter().zip(&group.reserved.mask).fold(0, |or, (w, m)| or | w & m);
    failing.insert_if(group.reserved.clause, stray != 0);
    let mut counts = [0; MAX_PATTERNS];
    for (field, count) in group.patterns.iter().zip(&mut counts) {
        let pattern: Pattern = record.pattern(field.at, field.rank);
        let dtype = record.bytes[field.dtype];
        let memory = pattern_ok(sets, geometry, &pattern, dtype, field.written);
        failing.insert_if(field.memory, !memory);
        failing.insert_if(field.channels, !channels_ok(geometry, pattern.address, channels));
        *count = pattern.count();
    }
    failing.insert_if(group.same_count, counts[0] != counts[group.patterns.len() - 1]);
    (group.relations)(&Fields { record, sets, geometry, channels }, failing);
}
