//! LAT table `lat-1` as the model uses it: for every mnemonic its slots, operand rules, memory ports
//! and postings, indexed by [`Mnemonic::index`] and worked out at compile time.
//!
//! The rows stand in one file per part of the table (`part04_*`, `part07`, `part08`, `part09`), each
//! written in the notation of `row`; slot sets are in `slots`. A new mnemonic is one more row, at
//! the place that it has in the vocabulary; a mnemonic without a row is `UNKNOWN_OP`.

mod part04_alu;
mod part04_lanes;
mod part04_memory;
mod part07;
mod part08;
mod part09;
mod row;
mod slots;

use contract::isa::vector::MNEMONICS;
use contract::isa::{Mnemonic, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::Role;

pub use slots::{MAX_SLOTS, SlotSet};

/// Operands of the op that takes most.
pub const MAX_OPERANDS: usize = 7;
/// Postings of the op that has most.
pub const MAX_POSTINGS: usize = 9;

/// Memory traffic of an op (spec 05 section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// No access.
    None,
    /// Reads.
    Load,
    /// Writes.
    Store,
}

/// Legal values of an immediate (spec 04 section 1.2, 09 section 1.2, the op tables of 08).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// `min`, `min + step`, … up to `max`.
    Range {
        /// Least value.
        min: i32,
        /// Greatest value.
        max: i32,
        /// Distance of neighbours.
        step: u32,
    },
    /// These values.
    Set(&'static &'static [i32]),
}

impl Limit {
    /// True if the value is legal.
    pub fn allows(self, value: i64) -> bool {
        match self {
            Self::Range { min, max, step } => {
                (i64::from(min)..=i64::from(max)).contains(&value)
                    // Inside the range the difference fits.
                    && ((value - i64::from(min)) as u32).is_multiple_of(step)
            }
            Self::Set(values) => values.iter().any(|&legal| i64::from(legal) == value),
        }
    }
}

/// What may stand at an operand position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandRule {
    /// A register of this class, inside its file.
    Reg(RegClass),
    /// An immediate inside its limit.
    Imm(Limit),
}

/// One posting of a row, before the operands of an op give it an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PostingRule {
    operand: u8,
    /// Register class.
    pub class: RegClass,
    /// Role.
    pub role: Role,
    /// LAT per value of `lat_crossbar`.
    lats: [u8; 2],
}

impl PostingRule {
    /// Stands for the missing operand of a port.
    const NO_OPERAND: u8 = MAX_OPERANDS as u8;

    /// Position of the operand in assembly order; `None` for a port.
    pub fn operand(&self) -> Option<usize> {
        (self.operand != Self::NO_OPERAND).then_some(usize::from(self.operand))
    }

    /// LAT under a setting of the switch `lat_crossbar` (spec 05 T-03).
    pub fn lat(&self, crossbar: LatCrossbar) -> u8 {
        self.lats[crossbar as usize]
    }

    /// Position of the operand in assembly order; [`MAX_OPERANDS`] for a port.
    pub(super) fn operand_or_port(&self) -> usize {
        usize::from(self.operand)
    }
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Timing {
    /// Slots that the op may stand in.
    pub slots: SlotSet,
    /// Memory traffic.
    pub memory: Memory,
    /// Load/store copies that the op takes.
    pub copies: u8,
    /// True if the row lists T-03.
    pub crossbar: bool,
    operand_count: u8,
    posting_count: u8,
    defined: u8,
    operands: [OperandRule; MAX_OPERANDS],
    postings: [PostingRule; MAX_POSTINGS],
}

impl Timing {
    /// A row without operands and postings.
    const EMPTY: Self = Self {
        slots: slots::ANY,
        memory: Memory::None,
        copies: 0,
        crossbar: false,
        operand_count: 0,
        posting_count: 0,
        defined: 0,
        operands: [OperandRule::Reg(RegClass::Ar); MAX_OPERANDS],
        postings: [PostingRule {
            operand: PostingRule::NO_OPERAND,
            class: RegClass::Ar,
            role: Role::Port,
            lats: [0; 2],
        }; MAX_POSTINGS],
    };

    /// Rules of the operands in assembly order.
    pub fn operands(&self) -> &[OperandRule] {
        &self.operands[..usize::from(self.operand_count)]
    }

    /// Postings in table order.
    pub fn postings(&self) -> &[PostingRule] {
        &self.postings[..usize::from(self.posting_count)]
    }

    /// Bit `n`: a def posting names the operand at place `n` of assembly order.
    pub fn defined_places(&self) -> u8 {
        self.defined
    }

    /// True if the op takes the store port.
    pub fn is_store(&self) -> bool {
        self.memory == Memory::Store
    }
}

/// The parts in the order of the vocabulary.
const PARTS: [&[row::Row]; 6] = [
    part04_memory::ROWS,
    part04_lanes::ROWS,
    part04_alu::ROWS,
    part07::ROWS,
    part08::ROWS,
    part09::ROWS,
];

/// Number of rows.
const ROWS: usize = {
    let (mut rows, mut part) = (0, 0);
    while part < PARTS.len() {
        rows += PARTS[part].len();
        part += 1;
    }
    rows
};

static TABLE: [Timing; ROWS] = {
    let mut table = [Timing::EMPTY; ROWS];
    let (mut index, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut place = 0;
        while place < PARTS[part].len() {
            table[index] = PARTS[part][place].compile(&MNEMONICS[index]);
            index += 1;
            place += 1;
        }
        part += 1;
    }
    table
};

/// The row of a mnemonic, if the table has one.
pub fn timing(mnemonic: Mnemonic) -> Option<&'static Timing> {
    TABLE.get(mnemonic.index())
}
