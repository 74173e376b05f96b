//! The ops of a bundle in slot order. Bundles may name their ops in any order; both legality and the
//! schedule visit slots in ascending order (spec 05 sections 6 and 9.1).

use super::table::MAX_SLOTS;
use contract::bundle::{Bundle, SlotOp};

/// Bits per slot in [`SlotOrder::places`].
const PLACE_BITS: usize = 8;

// A place plus one must fit, and so must all slots.
const _: () = assert!(MAX_SLOTS < 1 << PLACE_BITS && MAX_SLOTS * PLACE_BITS <= 64);

/// Ops ascending by slot, each in a slot of its own.
#[derive(Clone, Copy, Default)]
pub(super) struct SlotOrder<'a> {
    ops: &'a [SlotOp],
    /// Byte `s`: place of the op of slot `s` among `ops` plus 1; 0 if the slot names none.
    places: u64,
}

impl<'a> SlotOrder<'a> {
    /// Orders the ops of a bundle whose format has this many slots, at most [`MAX_SLOTS`]. `None` if
    /// an op's slot does not exist or is named twice.
    pub(super) fn of(bundle: &'a Bundle, slots: usize) -> Option<Self> {
        let mut places = 0;
        // Distinct existing slots are at most five, so a place never outgrows its byte.
        for (place, op) in (1_u64..).zip(&bundle.ops) {
            let slot = op.slot as usize;
            if slot >= slots || places >> (slot * PLACE_BITS) & 0xff != 0 {
                return None;
            }
            places |= place << (slot * PLACE_BITS);
        }
        Some(Self { ops: &bundle.ops, places })
    }
}

impl<'a> Iterator for SlotOrder<'a> {
    type Item = &'a SlotOp;

    fn next(&mut self) -> Option<&'a SlotOp> {
        let shift = self.places.trailing_zeros() & !(PLACE_BITS as u32 - 1);
        let place = self.places.checked_shr(shift)? & 0xff;
        self.places ^= place << shift;
        self.ops.get(place as usize - 1)
    }
}
