//! Shape of a row: a family of ops that share operands, postings, slots and memory kind. What a
//! posting says is spec 05 section 1.2; which posting stands where is section 5.1.

use super::slots::{ANY, SlotSet};
use contract::isa::{OperandKind, RegClass};
use contract::schedule::Role;

/// Ops that share everything but the ranges of their immediates.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Name of the family in the spec; two rows of a part may carry one name.
    pub name: &'static str,
    /// Member ops, grouped by the ranges of their immediates.
    pub members: &'static [Group],
    /// Operands in assembly order.
    pub operands: &'static [Operand],
    /// Slots at which a member may stand.
    pub slots: SlotSet,
    /// Postings in canonical order.
    pub postings: &'static [Stamp],
    /// Memory access.
    pub memory: Memory,
    /// True for a row that lists T-03: under `formal` its vector registers post at other stages.
    pub crossbar: bool,
}

/// A family without anything: what a row does not name stays as here.
pub const FAMILY: Family = Family {
    name: "",
    members: &[],
    operands: &[],
    slots: ANY,
    postings: &[],
    memory: Memory::None,
    crossbar: false,
};

/// Members of a family with the same ranges of immediates.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// Op names.
    pub names: &'static [&'static str],
    /// One range per immediate operand, in assembly order.
    pub immediates: &'static [Immediate],
}

/// Members that take no immediate.
pub const fn ops(names: &'static [&'static str]) -> Group {
    Group { names, immediates: &[] }
}

/// Members whose immediates have these ranges.
pub const fn with(names: &'static [&'static str], immediates: &'static [Immediate]) -> Group {
    Group { names, immediates }
}

/// Legal values of an immediate (spec 04 section 1.2, spec 09 section 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Immediate {
    /// Multiples of `step` from `min` to `max`, both included.
    Multiples {
        /// What the value must divide by.
        step: i64,
        /// Least legal value.
        min: i64,
        /// Greatest legal value.
        max: i64,
    },
    /// These values alone.
    OneOf(&'static [i64]),
}

impl Immediate {
    /// True if the value is legal.
    pub fn admits(self, value: i64) -> bool {
        match self {
            Self::Multiples { step, min, max } => min <= value && value <= max && value % step == 0,
            Self::OneOf(values) => values.contains(&value),
        }
    }
}

/// Multiples of `step` from `min` to `max`.
pub const fn multiples(step: i64, min: i64, max: i64) -> Immediate {
    Immediate::Multiples { step, min, max }
}

/// Every value from `min` to `max`.
pub const fn between(min: i64, max: i64) -> Immediate {
    Immediate::Multiples { step: 1, min, max }
}

/// These values alone.
pub const fn one_of(values: &'static [i64]) -> Immediate {
    Immediate::OneOf(values)
}

/// An operand of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Name in the spec.
    pub name: &'static str,
    /// What stands at its position.
    pub kind: OperandKind,
}

impl Operand {
    /// The operand's value is needed at the start of this stage.
    pub const fn use_at(self, lat: u8) -> Stamp {
        Stamp::Register { operand: self, role: Role::Use, lat }
    }

    /// The operand's new value is available at the end of this stage.
    pub const fn def_at(self, lat: u8) -> Stamp {
        Stamp::Register { operand: self, role: Role::Def, lat }
    }
}

/// One posting of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stamp {
    /// A register operand is used or defined.
    Register {
        /// The operand.
        operand: Operand,
        /// `Use` or `Def`.
        role: Role,
        /// Stage.
        lat: u8,
    },
    /// An internal path is busy: names a class and no register, creates no hazard (T-08).
    Port {
        /// Class of the path.
        class: RegClass,
        /// Stage.
        lat: u8,
    },
}

/// A port of this class is busy at this stage.
pub const fn port(class: RegClass, lat: u8) -> Stamp {
    Stamp::Port { class, lat }
}

/// Memory access of an op: kind and load/store copies taken (spec 05 section 6 step 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// No access.
    None,
    /// Reads memory.
    Load {
        /// Copies of the load/store unit taken.
        copies: u8,
    },
    /// Writes memory.
    Store {
        /// Copies of the load/store unit taken.
        copies: u8,
    },
}

/// A load with one copy.
pub const LOAD: Memory = Memory::Load { copies: 1 };
/// A load that takes both copies.
pub const PAIRED_LOAD: Memory = Memory::Load { copies: 2 };
/// A store.
pub const STORE: Memory = Memory::Store { copies: 1 };

impl Memory {
    /// Copies of the load/store unit taken.
    pub const fn copies(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Load { copies } | Self::Store { copies } => copies,
        }
    }

    /// True for a store.
    pub const fn is_store(self) -> bool {
        matches!(self, Self::Store { .. })
    }
}
