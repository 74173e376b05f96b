//! Vector-unit vocabulary: register classes, bundle formats, mnemonics and their operands in
//! assembly order (spec 05 sections 2, 4 and 7). Slot sets, immediate ranges, LATs and values are
//! rules of the models.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

pub use super::mnemonics::MNEMONICS;

/// Register classes in the canonical order of spec 05 section 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum RegClass {
    /// Address registers, text `a`.
    Ar,
    /// Scalar booleans, text `b`; no row of `lat-1` takes one.
    Br,
    /// Vector registers, text `v`.
    Vec,
    /// Vector predicates, text `vb`.
    Vbool,
    /// Align registers, text `u`.
    Valign,
    /// Wide accumulators, text `wv`.
    Wvec,
    /// Packed scalar pairs (`b32_pr`), text `pr`.
    Pr,
    /// Gathered data, text `gr`.
    Gvr,
}

impl RegClass {
    /// Every class in canonical order.
    pub const ALL: &'static [Self] = &[
        Self::Ar,
        Self::Br,
        Self::Vec,
        Self::Vbool,
        Self::Valign,
        Self::Wvec,
        Self::Pr,
        Self::Gvr,
    ];

    /// Class name in schedules (`vec`, `b32_pr` …).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ar => "AR",
            Self::Br => "BR",
            Self::Vec => "vec",
            Self::Vbool => "vbool",
            Self::Valign => "valign",
            Self::Wvec => "wvec",
            Self::Pr => "b32_pr",
            Self::Gvr => "gvr",
        }
    }

    /// The class with this schedule name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.name() == name)
    }

    /// Text prefix of a register operand (`v`, `pr` …).
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Ar => "a",
            Self::Br => "b",
            Self::Vec => "v",
            Self::Vbool => "vb",
            Self::Valign => "u",
            Self::Wvec => "wv",
            Self::Pr => "pr",
            Self::Gvr => "gr",
        }
    }

    /// The class with this text prefix.
    pub fn from_prefix(prefix: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.prefix() == prefix)
    }

    /// Registers visible to a program.
    pub const fn entries(self) -> u32 {
        match self {
            Self::Ar | Self::Br | Self::Vbool | Self::Pr => 16,
            Self::Vec => 32,
            Self::Valign | Self::Wvec => 4,
            Self::Gvr => 8,
        }
    }
}

/// Bundle formats (spec 05 section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the variants are the formats' own names")]
pub enum Format {
    F0,
    F1,
    F2,
    F3,
    F4,
    F6,
    F7,
    F11,
    N0,
    N1,
    N2,
    X1,
}

impl Format {
    /// Every format in the order of spec 05 section 4.
    pub const ALL: &'static [Self] = &[
        Self::F0,
        Self::F1,
        Self::F2,
        Self::F3,
        Self::F4,
        Self::F6,
        Self::F7,
        Self::F11,
        Self::N0,
        Self::N1,
        Self::N2,
        Self::X1,
    ];

    /// The format's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F0 => "F0",
            Self::F1 => "F1",
            Self::F2 => "F2",
            Self::F3 => "F3",
            Self::F4 => "F4",
            Self::F6 => "F6",
            Self::F7 => "F7",
            Self::F11 => "F11",
            Self::N0 => "N0",
            Self::N1 => "N1",
            Self::N2 => "N2",
            Self::X1 => "X1",
        }
    }

    /// The format with this name, case-insensitive.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Slot names in slot-number order, as spec 05 section 4 prints them.
    pub const fn slots(self) -> &'static [&'static str] {
        match self {
            Self::F0 | Self::F2 | Self::F6 | Self::F7 => &["S0_LdSt", "S1_Ld", "S2_Mul", "S3_ALU"],
            Self::F1 => &["S0_LdStALU", "S1_Ld", "S2_Mul", "S3_ALU"],
            Self::F3 => &["S0_LdSt", "S1_Ld", "S2_Mul", "S3_ALU", "S4_ALU"],
            Self::F4 => &["S0_Ld", "S1_Ld", "S2_Mul", "S3_ALU"],
            Self::F11 => &["S0_Ld", "S1_ALU", "S2_Mul", "S3_ALU", "S4_ALU"],
            Self::N0 => &["S0_LdSt", "S1_None", "S2_None", "S3_ALU"],
            Self::N1 => &["S0_LdSt", "S1_None", "S2_Mul"],
            Self::N2 => &["S0_LdSt", "S1_Ld"],
            Self::X1 => &["Inst"],
        }
    }

    /// `<format>_<slot>` as in `lat_table.json`.
    pub fn slot_name(self, slot: usize) -> Option<String> {
        self.slots().get(slot).map(|name| format!("{}_{name}", self.name()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What stands at an operand position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// A register of this class.
    Reg(RegClass),
    /// An immediate number.
    Imm,
}

/// One row of the mnemonic table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MnemonicInfo {
    /// Upper-case name without the `IVP_` prefix.
    pub name: &'static str,
    /// Chapter that gives the op its values: 4, 7, 8 or 9.
    pub chapter: u8,
    /// Operand names and kinds in assembly order.
    pub operands: &'static [(&'static str, OperandKind)],
}

/// A vector-unit mnemonic: an index into [`MNEMONICS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mnemonic(u16);

impl Mnemonic {
    /// `NOP`, the filler of an unnamed slot.
    pub const NOP: Self = Self(0);

    /// Number of mnemonics.
    pub fn count() -> usize {
        MNEMONICS.len()
    }

    /// Every mnemonic in table order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..MNEMONICS.len()).map(|id| Self(id as u16))
    }

    /// The mnemonic with this name, case-insensitive.
    pub fn from_name(name: &str) -> Option<Self> {
        static BY_NAME: LazyLock<HashMap<&'static str, u16>> = LazyLock::new(|| {
            MNEMONICS.iter().enumerate().map(|(id, row)| (row.name, id as u16)).collect()
        });
        if let Some(&id) = BY_NAME.get(name) {
            return Some(Self(id));
        }
        BY_NAME.get(name.to_ascii_uppercase().as_str()).map(|&id| Self(id))
    }

    /// Index into [`MNEMONICS`] and into any per-mnemonic table of a model.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The mnemonic at this index.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < MNEMONICS.len()).then_some(Self(index as u16))
    }

    /// The table row.
    pub fn info(self) -> &'static MnemonicInfo {
        &MNEMONICS[self.index()]
    }

    /// Upper-case name.
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

impl fmt::Debug for Mnemonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Mnemonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
