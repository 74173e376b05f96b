//! The ops of a bundle by slot number. Bundles name their ops in any order; both legality and the
//! schedule visit slots in ascending order (spec 05 sections 6 and 9.1).

use super::table::MAX_SLOTS;
use contract::bundle::{Bundle, SlotOp};

/// The op that each slot names, if any.
pub(super) type BySlot<'a> = [Option<&'a SlotOp>; MAX_SLOTS];

/// Sorts the ops into the slots of a format. `None` if a slot does not exist or is named twice.
pub(super) fn by_slot(bundle: &Bundle, slots: usize) -> Option<BySlot<'_>> {
    let mut order = [None; MAX_SLOTS];
    let existing = &mut order[..slots.min(MAX_SLOTS)];
    for op in &bundle.ops {
        let place = existing.get_mut(op.slot as usize)?;
        if place.replace(op).is_some() {
            return None;
        }
    }
    Some(order)
}
