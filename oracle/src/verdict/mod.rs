//! The verdict on one record: the ordered list of spec 01 section 7.1 and the clauses of spec 02.
//! Every clause is a function named after its rule; every clause of a group is evaluated, so the
//! failing set is always complete.
//!
//! - [`operators`], [`dtype`], [`address`], [`immediate`]: the shared predicates of spec 02 section 2.
//! - [`preamble`]: the clauses of every group. [`cr`], [`tc`]: one file per group.
//! - [`precondition`]: the EXEC-… conditions of a valid record.
//!
//! This file dispatches: `GROUPS` has one row per clause group, and that row is all that a new
//! group adds here.

pub mod address;
pub mod cr;
pub mod dtype;
pub mod immediate;
pub mod operators;
pub mod preamble;
pub mod precondition;
pub mod tc;

use crate::tensor::address::AddressWord;
use crate::tensor::record::word_at;
use contract::case::RECORD;
use contract::isa::layout::header;
use contract::isa::{ClauseSet, Generation};
use contract::outcome::{TensorReason, TensorVerdict};

/// A clause group of spec 02 section 4: the opcodes that dispatch to it and what it says.
struct Group {
    opcodes: &'static [u8],
    /// Rows 3 and 4 of the list: features outside the profile, decided before any clause.
    unsupported: fn(Generation, &[u8; RECORD]) -> Option<TensorReason>,
    /// The clauses that fail, without the preamble.
    failing: fn(Generation, &[u8; RECORD]) -> ClauseSet,
}

/// The clause groups. A defined opcode without a row is OUT_OF_SCOPE.
const GROUPS: &[Group] = &[
    Group { opcodes: &cr::OPCODES, unsupported: cr::unsupported, failing: cr::failing },
    Group { opcodes: &tc::OPCODES, unsupported: tc::unsupported, failing: tc::failing },
];

fn group_of(opcode: u8) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.opcodes.contains(&opcode))
}

/// Judges a record up to and including the clauses (spec 01 section 7.1, rows 1 to 4 and the
/// clauses).
///
/// # Errors
/// The verdict, if the record is not valid.
pub fn judge(generation: Generation, record: &[u8; RECORD]) -> Result<(), TensorVerdict> {
    if is_tile_record(generation, record) {
        return Err(TensorVerdict::Unsupported(TensorReason::HdrTile));
    }
    if is_out_of_scope(record) {
        return Err(TensorVerdict::Unsupported(TensorReason::OutOfScope));
    }
    let group = group_of(record[header::OPCODE]);
    if let Some(reason) = group.and_then(|group| (group.unsupported)(generation, record)) {
        return Err(TensorVerdict::Unsupported(reason));
    }
    let failing = failing_clauses(generation, record);
    if failing.is_empty() { Ok(()) } else { Err(TensorVerdict::Reject(failing)) }
}

/// Every failing clause: the preamble's, and those of the group that the opcode dispatches to.
/// An undefined opcode has the preamble's only.
pub fn failing_clauses(generation: Generation, record: &[u8; RECORD]) -> ClauseSet {
    let preamble = preamble::failing(generation, record);
    match group_of(record[header::OPCODE]) {
        Some(group) => preamble.union((group.failing)(generation, record)),
        None => preamble,
    }
}

/// HDR-TILE: on maverick, header byte 2 or 3 may be the tile flag (DD-HDR-FLAGS).
fn is_tile_record(generation: Generation, record: &[u8; RECORD]) -> bool {
    generation == Generation::Maverick
        && (record[header::DEBUG_CMD] != 0 || record[header::DEBUG_HINT] != 0)
}

/// OUT_OF_SCOPE: a defined opcode without a group, whatever the other bytes.
fn is_out_of_scope(record: &[u8; RECORD]) -> bool {
    preamble::hdr_opc(record) && group_of(record[header::OPCODE]).is_none()
}

/// The marker rules over the start words of a record's patterns, in record order: the first word
/// with a shape register gives ADDR-SHAPEREG, the first indirect one on mariana and later IND
/// (DD-SHAPE-REG, DD-IND).
fn marker_rules(
    generation: Generation,
    record: &[u8; RECORD],
    start_words: &[usize],
) -> Option<TensorReason> {
    start_words.iter().find_map(|&offset| {
        let word = AddressWord(word_at(record, offset));
        if word.takes_shape_from_register() {
            Some(TensorReason::AddrShapereg)
        } else if word.is_indirect() && generation >= Generation::Mariana {
            Some(TensorReason::Ind)
        } else {
            None
        }
    })
}
