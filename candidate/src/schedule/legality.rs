//! Bundle legality (spec 05 section 6). The checks run over the whole bundle one after the other, and
//! the first that fails gives the reason; within a check, slots are visited in ascending order.

use super::scoreboard::register_number;
use super::slot_order::by_slot;
use super::table::{MAX_SLOTS, Timing, timing};
use contract::bundle::{Bundle, FormatWord, OpWord, SlotOp};
use contract::outcome::LegalityReason;
use contract::schedule::Role;

/// Load/store copies of the machine (step 7).
const LOAD_STORE_COPIES: u8 = 2;
/// Store ports of the machine (step 7).
const STORE_PORTS: u8 = 1;

/// A named op and its row of the table.
type Known<'a> = (&'a SlotOp, &'static Timing);

/// Judges a bundle: `Ok` if it may issue, else the reason of the first check that fails. Takes any
/// bundle, canonical or not.
///
/// # Errors
/// The reason, by spec 05 section 6 and T-30.
pub fn judge(bundle: &Bundle) -> Result<(), LegalityReason> {
    let FormatWord::Known(format) = bundle.format else { return Err(LegalityReason::Format) };
    let order = by_slot(bundle, format.slots().len()).ok_or(LegalityReason::SlotCount)?;

    let mut ops: [Option<Known<'_>>; MAX_SLOTS] = [None; MAX_SLOTS];
    for (slot, op) in order.iter().enumerate() {
        let Some(op) = *op else { continue };
        let row = row(op).ok_or(LegalityReason::UnknownOp)?;
        if !row.slots.contains(format, slot) {
            return Err(LegalityReason::OpSlot);
        }
        ops[slot] = Some((op, row));
    }
    let ops = || ops.iter().flatten().copied();

    if !ops().all(operands_fit) {
        return Err(LegalityReason::Operand);
    }
    if defines_twice(ops()) {
        return Err(LegalityReason::DupDef);
    }
    let copies = ops().map(|(_, row)| row.copies).sum::<u8>();
    let stores = ops().filter(|(_, row)| row.is_store()).count();
    if copies > LOAD_STORE_COPIES || stores > usize::from(STORE_PORTS) {
        return Err(LegalityReason::MemPorts);
    }
    Ok(())
}

/// Step 3: the row of an op, if it has one.
fn row(op: &SlotOp) -> Option<&'static Timing> {
    match op.op {
        OpWord::Known(mnemonic) => timing(mnemonic),
        OpWord::Unknown(_) => None,
    }
}

/// Step 5: as many operands as the row has, each of its class and inside its range.
fn operands_fit((op, row): Known<'_>) -> bool {
    let rules = row.operands();
    op.operands.len() == rules.len()
        && op.operands.iter().zip(rules).all(|(operand, rule)| rule.takes(operand))
}

/// Step 6: two def postings name one register. The operands are known to fit.
fn defines_twice<'a>(ops: impl Iterator<Item = Known<'a>>) -> bool {
    let mut defined = 0_u128;
    for (op, row) in ops {
        for rule in row.postings().iter().filter(|rule| rule.role == Role::Def) {
            let Some(index) = rule.index_in(op) else { continue };
            let register = 1 << register_number(rule.class, index);
            if defined & register != 0 {
                return true;
            }
            defined |= register;
        }
    }
    false
}
