//! Registers of all classes as small numbers, for tables with one entry per register.

use contract::isa::RegClass;

/// Number of classes.
pub(super) const CLASSES: usize = RegClass::ALL.len();

/// Registers per class, in canonical order.
const ENTRIES: [u8; CLASSES] = {
    let mut entries = [0; CLASSES];
    let mut place = 0;
    while place < CLASSES {
        let class = RegClass::ALL[place];
        assert!(class as usize == place, "classes are numbered in canonical order");
        // One bit per register of a class fits a `u32`.
        assert!(class.entries() <= u32::BITS);
        entries[place] = class.entries() as u8;
        place += 1;
    }
    entries
};

/// Number of the first register of every class; the last entry is the number of all registers.
const FIRST: [u8; CLASSES + 1] = {
    let mut first = [0; CLASSES + 1];
    let mut place = 0;
    while place < CLASSES {
        first[place + 1] = first[place] + ENTRIES[place];
        place += 1;
    }
    first
};

/// Number of registers of all classes.
pub(super) const REGISTERS: usize = FIRST[CLASSES] as usize;

/// The index as one of the class's file, if it lies inside.
pub(super) fn inside(class: RegClass, index: u32) -> Option<u8> {
    (index < u32::from(ENTRIES[class as usize])).then_some(index as u8)
}

/// A number of its own for every register, below [`REGISTERS`]. The index must lie inside the file.
pub(super) fn number(class: RegClass, index: u8) -> usize {
    usize::from(FIRST[class as usize]) + usize::from(index)
}
