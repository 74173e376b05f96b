//! Part 04 of the table (spec 05 section 5.2, golden `lat_table.json`), a file per kind of op in
//! the order of the spec.

mod align;
mod alu;
mod crossbar;
mod memory;
mod moves;
mod multiply;
mod reduce;
mod scalar;

use super::family::Family;

/// The rows of part 04, section by section.
pub(super) const PART_04: &[&[Family]] = &[
    align::ALIGN,
    memory::LOADS,
    memory::STORES,
    crossbar::CROSSBAR,
    reduce::REDUCE,
    reduce::PREDICATE,
    alu::ALU,
    alu::SHIFT,
    moves::REPLICATE,
    moves::MOVE,
    multiply::MULTIPLY,
    scalar::NOP_AND_SCALAR,
];
