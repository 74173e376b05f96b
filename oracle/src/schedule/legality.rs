//! Bundle legality (spec 05 section 6): one function per check, called in the order of the section;
//! the first failure gives the reason. Within a check slots are visited in ascending order.

use super::operands::{in_slot_order, postings_of, row_of};
use super::table::family::{Immediate, Memory};
use super::table::{Row, slots::SlotSet};
use contract::bundle::{Bundle, FormatWord, Operand, SlotOp};
use contract::isa::{Format, OperandKind, RegClass};
use contract::outcome::LegalityReason;
use contract::profile::LatCrossbar;
use contract::schedule::Role;

/// Judges a bundle.
///
/// # Errors
/// The reason of the first check that fails (spec 05 section 6).
pub fn judge(bundle: &Bundle) -> Result<(), LegalityReason> {
    let format = known_format(bundle)?;
    one_op_per_slot(bundle, format)?;
    let slots = slot_count(format);
    for op in in_slot_order(bundle, slots) {
        let row = has_a_row(op)?;
        stands_in_its_slot(row.family.slots, format, op.slot)?;
    }
    for (op, row) in rows(bundle, slots) {
        operands_match(op, row)?;
    }
    no_register_is_defined_twice(bundle, slots)?;
    memory_ports_suffice(bundle, slots)
}

fn slot_count(format: Format) -> u32 {
    format.slots().len() as u32
}

/// The ops that have a row, with it, in ascending slot order.
fn rows(bundle: &Bundle, slots: u32) -> impl Iterator<Item = (&SlotOp, &'static Row)> {
    in_slot_order(bundle, slots).filter_map(|op| Some((op, row_of(op)?)))
}

/// Step 1, `FORMAT`.
fn known_format(bundle: &Bundle) -> Result<Format, LegalityReason> {
    match bundle.format {
        FormatWord::Known(format) => Ok(format),
        FormatWord::Unknown(_) => Err(LegalityReason::Format),
    }
}

/// Step 2, `SLOT_COUNT`. A slot that is not named holds `NOP`, so the number of ops differs from
/// the number of slots only if a slot is not in the format or is named twice (T-30). That comes
/// before any look at the ops: an unknown op in such a slot is `SLOT_COUNT` too.
fn one_op_per_slot(bundle: &Bundle, format: Format) -> Result<(), LegalityReason> {
    for (position, op) in bundle.ops.iter().enumerate() {
        let named_before = bundle.ops[..position].iter().any(|other| other.slot == op.slot);
        if op.slot >= slot_count(format) || named_before {
            return Err(LegalityReason::SlotCount);
        }
    }
    Ok(())
}

/// Step 3, `UNKNOWN_OP`.
fn has_a_row(op: &SlotOp) -> Result<&'static Row, LegalityReason> {
    row_of(op).ok_or(LegalityReason::UnknownOp)
}

/// Step 4, `OP_SLOT`. A `None` slot holds `NOP` alone: no other op has one in its set.
fn stands_in_its_slot(set: SlotSet, format: Format, slot: u32) -> Result<(), LegalityReason> {
    if set.contains(format, slot) { Ok(()) } else { Err(LegalityReason::OpSlot) }
}

/// Step 5, `OPERAND`: count, class, index, immediates.
fn operands_match(op: &SlotOp, row: &Row) -> Result<(), LegalityReason> {
    if op.operands.len() != row.family.operands.len() {
        return Err(LegalityReason::Operand);
    }
    let mut ranges = row.immediates.iter();
    for (written, expected) in op.operands.iter().zip(row.family.operands) {
        let legal = match expected.kind {
            OperandKind::Reg(class) => is_register_of(written, class),
            OperandKind::Imm => ranges.next().is_some_and(|&range| is_immediate_of(written, range)),
        };
        if !legal {
            return Err(LegalityReason::Operand);
        }
    }
    Ok(())
}

fn is_register_of(operand: &Operand, expected: RegClass) -> bool {
    matches!(operand, Operand::Reg(class, index) if *class == expected && *index < class.entries())
}

fn is_immediate_of(operand: &Operand, range: Immediate) -> bool {
    matches!(operand, Operand::Imm(value) if range.admits(*value))
}

/// Step 6, `DUP_DEF`: posted defs are counted, whether they come from two ops or from one (T-22).
/// The stages do not matter, so either table will do.
fn no_register_is_defined_twice(bundle: &Bundle, slots: u32) -> Result<(), LegalityReason> {
    let mut defined = [[false; 32]; RegClass::ALL.len()];
    for (op, row) in rows(bundle, slots) {
        for posting in postings_of(row, op, LatCrossbar::Seed) {
            let (Role::Def, Some(index)) = (posting.role, posting.index) else { continue };
            let seen = &mut defined[posting.class as usize][usize::from(index)];
            if *seen {
                return Err(LegalityReason::DupDef);
            }
            *seen = true;
        }
    }
    Ok(())
}

/// Step 7, `MEM_PORTS`: at most two load/store copies, at most one store (T-23).
fn memory_ports_suffice(bundle: &Bundle, slots: u32) -> Result<(), LegalityReason> {
    let accesses = || rows(bundle, slots).map(|(_, row)| row.family.memory);
    let copies: u32 = accesses().map(|memory| u32::from(memory.copies())).sum();
    let stores = accesses().filter(|&memory: &Memory| memory.is_store()).count();
    if copies > 2 || stores > 1 { Err(LegalityReason::MemPorts) } else { Ok(()) }
}
