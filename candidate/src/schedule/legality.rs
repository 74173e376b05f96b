//! Bundle legality (spec 05 section 6). The checks run over the whole bundle one after the other, and
//! the first that fails gives the reason; within a check, slots are visited in ascending order. Steps
//! 3 and 4 decide at the first slot that fails; the later ones have one reason each, so a single walk
//! over the ops collects what all of them need.

use super::registers::{self, CLASSES};
use super::slot_order::SlotOrder;
use super::table::{OperandRule, Timing, timing};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::outcome::LegalityReason;

/// Load/store copies of the machine (step 7).
const LOAD_STORE_COPIES: u8 = 2;
/// Store ports of the machine (step 7).
const STORE_PORTS: u8 = 1;

/// Judges a bundle: `Ok` if it may issue, else the reason of the first check that fails. Takes any
/// bundle, canonical or not.
///
/// # Errors
/// The reason, by spec 05 section 6 and T-30.
pub fn judge(bundle: &Bundle) -> Result<(), LegalityReason> {
    let FormatWord::Known(format) = bundle.format else { return Err(LegalityReason::Format) };
    let Some(order) = SlotOrder::of(bundle, format.slots().len()) else {
        return Err(LegalityReason::SlotCount);
    };
    let mut operands = OperandCheck::default();
    let (mut copies, mut stores) = (0, 0);
    for op in order {
        let Some(row) = row(op) else { return Err(LegalityReason::UnknownOp) };
        if !row.slots.contains(format, op.slot as usize) {
            return Err(LegalityReason::OpSlot);
        }
        operands.visit(op, row);
        copies += row.copies;
        stores += u8::from(row.is_store());
    }
    if operands.misfit {
        Err(LegalityReason::Operand)
    } else if operands.defined_twice {
        Err(LegalityReason::DupDef)
    } else if copies > LOAD_STORE_COPIES || stores > STORE_PORTS {
        Err(LegalityReason::MemPorts)
    } else {
        Ok(())
    }
}

/// Step 3: the row of an op, if it has one.
fn row(op: &SlotOp) -> Option<&'static Timing> {
    match op.op {
        OpWord::Known(mnemonic) => timing(mnemonic),
        OpWord::Unknown(_) => None,
    }
}

/// What steps 5 and 6 ask of the operands of all ops.
#[derive(Default)]
struct OperandCheck {
    /// A count, class, index or immediate is wrong (step 5).
    misfit: bool,
    /// Two def postings name one register (step 6); of use only if nothing misfits.
    defined_twice: bool,
    /// Registers defined so far, one mask per class.
    defined: [u32; CLASSES],
}

impl OperandCheck {
    fn visit(&mut self, op: &SlotOp, row: &Timing) {
        let rules = row.operands();
        self.misfit |= op.operands.len() != rules.len();
        let mut defined_places = row.defined_places();
        for (operand, rule) in op.operands.iter().zip(rules) {
            match (rule, operand) {
                (OperandRule::Reg(wanted), &Operand::Reg(class, index)) if *wanted == class => {
                    if let Some(index) = registers::inside(class, index) {
                        let defined = &mut self.defined[class as usize];
                        let register = u32::from(defined_places & 1) << index;
                        self.defined_twice |= *defined & register != 0;
                        *defined |= register;
                    } else {
                        self.misfit = true;
                    }
                }
                (OperandRule::Imm(limit), Operand::Imm(value)) if limit.allows(*value) => {}
                _ => self.misfit = true,
            }
            defined_places >>= 1;
        }
    }
}
