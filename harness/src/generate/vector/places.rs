//! Places: the slots of all formats in one row, the registers of all files in another, and sets of
//! either as bit masks.

use contract::isa::{Format, RegClass};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Slots of all formats together.
pub(super) const SLOTS: usize = first_slot(Format::ALL.len());

/// Number of slots of the formats before this one, in the order of [`Format::ALL`].
const fn first_slot(format: usize) -> usize {
    let mut total = 0;
    let mut before = 0;
    while before < format {
        total += Format::ALL[before].slots().len();
        before += 1;
    }
    total
}

/// First slot of every format.
const FIRST: [usize; Format::ALL.len()] = {
    let mut first = [0; Format::ALL.len()];
    let mut format = 0;
    while format < first.len() {
        first[format] = first_slot(format);
        format += 1;
    }
    first
};

/// Format and slot number of every slot.
const PLACES: [(Format, u8); SLOTS] = {
    let mut places = [(Format::F0, 0); SLOTS];
    let mut at = 0;
    let mut format = 0;
    while format < Format::ALL.len() {
        let mut slot = 0;
        while slot < Format::ALL[format].slots().len() {
            places[at] = (Format::ALL[format], slot as u8);
            at += 1;
            slot += 1;
        }
        format += 1;
    }
    places
};

/// A set of slots over all formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slots(u64);

impl FromIterator<usize> for Slots {
    fn from_iter<I: IntoIterator<Item = usize>>(positions: I) -> Self {
        Self(positions.into_iter().fold(0, |set, position| set | 1 << position))
    }
}

impl Slots {
    /// Position of the slot with this name (`F0_S1_Ld`).
    pub(super) fn named(name: &str) -> Option<usize> {
        static NAMES: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
            let name = |&(format, slot): &(Format, u8)| format.slot_name(slot.into());
            PLACES.iter().filter_map(name).zip(0..).collect()
        });
        NAMES.get(name).copied()
    }

    /// Position of a slot among all.
    pub(super) const fn position(format: Format, slot: usize) -> usize {
        FIRST[format as usize] + slot
    }

    /// The slot at a position.
    pub(super) const fn place(position: usize) -> (Format, u8) {
        PLACES[position]
    }

    /// Number of slots.
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Position of the `nth` slot, wrapping around; the set is not empty.
    pub(super) fn nth(self, nth: u32) -> usize {
        let mut bits = self.0;
        for _ in 0..nth % self.len().max(1) {
            bits &= bits - 1;
        }
        (bits.trailing_zeros() as usize).min(SLOTS - 1)
    }

    /// Whether the slot is a member.
    pub(super) const fn has(self, position: usize) -> bool {
        self.0 >> position & 1 == 1
    }

    /// The members in one format, as a mask of slot numbers.
    pub(super) const fn of(self, format: Format) -> u8 {
        let count = format.slots().len();
        (self.0 >> FIRST[format as usize]) as u8 & ((1 << count) - 1)
    }

    /// Positions of the members, ascending.
    pub(super) fn positions(self) -> impl Iterator<Item = usize> {
        (0..SLOTS).filter(move |&position| self.has(position))
    }
}

/// A set of registers over all files.
pub(super) type Registers = u128;

/// Registers of all files together.
pub(super) const REGISTERS: usize = 112;

/// First register of every class in the order of [`RegClass::ALL`].
const FILES: [u8; 8] = [0, 16, 32, 64, 80, 84, 88, 104];

/// Position of a register among all.
pub(super) const fn register(class: RegClass, index: u32) -> usize {
    FILES[class as usize] as usize + index as usize
}

/// The set of one register.
pub(super) const fn single(class: RegClass, index: u32) -> Registers {
    1 << register(class, index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_name_each_slot_once() {
        assert_eq!(SLOTS, 44);
        for position in 0..SLOTS {
            let (format, slot) = Slots::place(position);
            assert_eq!(Slots::position(format, slot.into()), position);
        }
        let mut seen = [false; REGISTERS];
        for &class in RegClass::ALL {
            for index in 0..class.entries() {
                assert!(!std::mem::replace(&mut seen[register(class, index)], true));
            }
        }
        assert_eq!(seen, [true; REGISTERS]);
    }
}
