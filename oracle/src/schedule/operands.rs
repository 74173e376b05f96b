//! Ties the rows of the table to the ops of a bundle: which op stands in which slot, and which
//! register each of its postings names.

use super::table::{self, Row, RowPosting};
use contract::bundle::{Bundle, OpWord, Operand, SlotOp};
use contract::isa::RegClass;
use contract::profile::LatCrossbar;
use contract::schedule::{Posting, Role};

/// The ops of a bundle in ascending slot order, explicit `NOP`s included; equal slots keep their
/// order.
pub(super) fn in_slot_order(bundle: &Bundle, slots: u32) -> impl Iterator<Item = &SlotOp> {
    (0..slots).flat_map(|slot| bundle.ops.iter().filter(move |op| op.slot == slot))
}

/// The row of an op; `None` if its word has none.
pub(super) fn row_of(op: &SlotOp) -> Option<&'static Row> {
    match op.op {
        OpWord::Known(mnemonic) => table::row(mnemonic),
        OpWord::Unknown(_) => None,
    }
}

/// The postings of an op in canonical order. A posting whose operand is no register of its class is
/// left out; a legal op has none.
pub(super) fn postings_of<'a>(
    row: &'a Row,
    op: &'a SlotOp,
    crossbar: LatCrossbar,
) -> impl Iterator<Item = Posting> + 'a {
    row.postings(crossbar).iter().filter_map(|posting| {
        let RowPosting { position, class, role, lat } = *posting;
        let index = match role {
            Role::Port => None,
            Role::Use | Role::Def => Some(register_at(op, position?, class)?),
        };
        Some(Posting { class, index, role, lat })
    })
}

/// Index of the register of this class at an operand position.
fn register_at(op: &SlotOp, position: usize, expected: RegClass) -> Option<u8> {
    match op.operands.get(position)? {
        Operand::Reg(class, index) if *class == expected && *index < class.entries() => {
            u8::try_from(*index).ok()
        }
        Operand::Reg(..) | Operand::Imm(_) | Operand::Word(_) => None,
    }
}
