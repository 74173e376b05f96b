//! A vector-unit bundle as data: a format word and the operations that were named, each with its
//! slot. Any word may stand as format, op or operand (spec 05 T-30): what cannot be resolved is kept
//! as written, so that the models can judge it (`FORMAT`, `UNKNOWN_OP`, `OPERAND`).

use crate::isa::{Format, Mnemonic, RegClass};
use smallvec::SmallVec;

/// The format word of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FormatWord {
    /// A format of spec 05 section 4.
    Known(Format),
    /// Any other word, upper case.
    Unknown(Box<str>),
}

impl FormatWord {
    /// The word as printed.
    pub fn text(&self) -> &str {
        match self {
            Self::Known(format) => format.name(),
            Self::Unknown(word) => word,
        }
    }
}

/// The op word of a slot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OpWord {
    /// A mnemonic of the table.
    Known(Mnemonic),
    /// Any other word, upper case.
    Unknown(Box<str>),
}

impl OpWord {
    /// The word as printed.
    pub fn text(&self) -> &str {
        match self {
            Self::Known(mnemonic) => mnemonic.name(),
            Self::Unknown(word) => word,
        }
    }
}

/// One operand as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register; the index may lie outside the file.
    Reg(RegClass, u32),
    /// A number.
    Imm(i64),
    /// A word that is neither, lower case.
    Word(Box<str>),
}

/// Operands of one op; no row of the table takes more than six.
pub type Operands = SmallVec<[Operand; 6]>;

/// One operation in its slot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SlotOp {
    /// Slot number as written; it may not exist in the format.
    pub slot: u32,
    /// The op.
    pub op: OpWord,
    /// Operands in assembly order.
    pub operands: Operands,
}

/// One bundle. In canonical form the ops are ascending by slot (equal slots keep their order) and
/// an explicit `NOP` is left out unless it changes the verdict (an unknown slot, a slot named twice,
/// a `NOP` with operands).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bundle {
    /// Format word.
    pub format: FormatWord,
    /// Named operations.
    pub ops: Vec<SlotOp>,
}

impl Bundle {
    /// An all-NOP bundle.
    pub fn empty(format: Format) -> Self {
        Self { format: FormatWord::Known(format), ops: Vec::new() }
    }

    /// Brings the bundle into canonical form.
    pub fn canonicalise(&mut self) {
        self.ops.sort_by_key(|op| op.slot);
        let mut index = 0;
        while index < self.ops.len() {
            if self.drops(index) {
                self.ops.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// True if [`canonicalise`](Self::canonicalise) would change nothing.
    pub fn is_canonical(&self) -> bool {
        self.ops.is_sorted_by_key(|op| op.slot) && !(0..self.ops.len()).any(|at| self.drops(at))
    }

    /// True if the op at this place is a `NOP` that says nothing. The ops are sorted, so a slot named
    /// twice stands in neighbours.
    fn drops(&self, index: usize) -> bool {
        let op = &self.ops[index];
        if op.op != OpWord::Known(Mnemonic::NOP) || !op.operands.is_empty() {
            return false;
        }
        let exists = match &self.format {
            FormatWord::Known(format) => (op.slot as usize) < format.slots().len(),
            FormatWord::Unknown(_) => true,
        };
        let twice = |other: Option<&SlotOp>| other.is_some_and(|other| other.slot == op.slot);
        exists
            && !twice(index.checked_sub(1).and_then(|before| self.ops.get(before)))
            && !twice(self.ops.get(index + 1))
    }
}
