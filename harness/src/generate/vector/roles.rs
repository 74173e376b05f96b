//! What an operand is *for*: an address, a count, a control vector, a mask, plain data. The role
//! decides which registers it is drawn from and which values are put in them. It follows from the
//! op's family and the operand's name in the LAT table.

use super::table::Memory;
use contract::isa::RegClass;

/// Element type of an op's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Lane {
    /// 64 integers of 8 bits.
    I8,
    /// 32 integers of 16 bits.
    I16,
    /// 16 integers of 32 bits.
    I32,
    /// 32 floats of 16 bits.
    F16,
    /// 16 floats of 32 bits.
    F32,
}

impl Lane {
    /// Bits of an element.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::I8 => 8,
            Self::I16 | Self::F16 => 16,
            Self::I32 | Self::F32 => 32,
        }
    }

    /// Elements of a vector register.
    pub(super) const fn count(self) -> u32 {
        512 / self.bits()
    }

    /// Whether the elements are floats.
    pub(super) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32)
    }

    /// The element type that a mnemonic names. Memory ops that widen or narrow name the memory
    /// element; their registers hold lanes of twice the width.
    pub(super) fn of(op: &str) -> Self {
        let has = |part: &str| op.contains(part);
        let counted = ["LTRS", "LTR", "RANDB", "RORB"];
        if let Some(lanes) = counted.iter().find_map(|prefix| op.strip_prefix(prefix)) {
            return match lanes {
                _ if lanes.starts_with("2N") => Self::I8,
                _ if lanes.starts_with("N_2") => Self::I32,
                _ => Self::I16,
            };
        }
        if has("N_2XF32") {
            Self::F32
        } else if has("NXF16") {
            Self::F16
        } else if has("N_2X32") || has("N_2X16") || op.ends_with("32") {
            Self::I32
        } else if has("2NX8")
            || has("2N8X")
            || op.ends_with("V8")
            || op.ends_with("VU8")
            || op.ends_with("A8")
            || op.ends_with("T8")
        {
            Self::I8
        } else {
            // `NX16`, `N16X`, the widening `NX8` forms, and whatever names no width.
            Self::I16
        }
    }
}

/// What an operand's value is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// A register that is only written.
    Result,
    /// An immediate.
    Number,
    /// Vector data.
    Data,
    /// Vector data that becomes an address register.
    Source,
    /// Lane numbers of a select or shuffle.
    Control,
    /// Two lane numbers in each lane of a deal.
    Deal,
    /// Signed shift amounts.
    Amount,
    /// Rotate amounts.
    Turn,
    /// Offsets of a gather or scatter.
    Offsets,
    /// Lane mask, or predicate bits.
    Mask,
    /// Base address of a vector access.
    Base,
    /// Base address of a scalar access, which must be a multiple of four.
    WordBase,
    /// Register offset or increment of an address.
    Index,
    /// Signed length in bytes.
    Length,
    /// Number of lanes.
    Count,
    /// Byte offset into a vector register.
    Offset,
    /// Any other scalar.
    Scalar,
    /// Align register of a load stream.
    LoadAlign,
    /// Align register of a store stream.
    StoreAlign,
    /// Wide accumulator.
    Wide,
    /// Packed scalar pair.
    Pair,
    /// Gathered data.
    Gathered,
}

impl Role {
    /// The role of the operand `name` of an op; `class` is `None` for an immediate.
    pub(super) fn of(
        op: &str,
        family: &str,
        memory: Memory,
        class: Option<RegClass>,
        name: &str,
        uses: bool,
    ) -> Self {
        let Some(class) = class else { return Self::Number };
        if !uses {
            return Self::Result;
        }
        let is = |prefix: &str| family.starts_with(prefix);
        match class {
            RegClass::Ar => match name {
                "ars" if is("L32I") || is("S32I") => Self::WordBase,
                "ars" if memory != Memory::None => Self::Base,
                "ars" if is("LTR") => Self::Count,
                "ars" if is("EXTRVR") => Self::Offset,
                "art" if is("LAV_") || is("SAV_") => Self::Length,
                "art" if memory != Memory::None && !is("S32I") => Self::Index,
                _ => Self::Scalar,
            },
            RegClass::Vec => match name {
                "sr" if is("DSEL") => Self::Deal,
                "sr" => Self::Control,
                "vs" if is("SHIFT_V") && op.starts_with("ROTR") => Self::Turn,
                "vs" if is("SHIFT_V") => Self::Amount,
                "vs" if is("GATHERA") || is("SCATTER") => Self::Offsets,
                "vr" if is("EXTR") && !is("EXTRPR") || is("MOVAV") => Self::Source,
                _ => Self::Data,
            },
            RegClass::Vbool | RegClass::Br => Self::Mask,
            RegClass::Valign if memory == Memory::Store => Self::StoreAlign,
            RegClass::Valign => Self::LoadAlign,
            RegClass::Wvec => Self::Wide,
            RegClass::Pr => Self::Pair,
            RegClass::Gvr => Self::Gathered,
        }
    }

    /// Whether the value is a memory address.
    pub(super) const fn is_address(self) -> bool {
        matches!(self, Self::Base | Self::WordBase)
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Table;
    use super::*;

    #[test]
    fn mnemonics_name_their_element_type() {
        for (op, lane) in [
            ("ADD2NX8T", Lane::I8),
            ("ADDNX16", Lane::I16),
            ("ADDN_2X32", Lane::I32),
            ("RMAXNUMNXF16", Lane::F16),
            ("RBMINNUMN_2XF32T", Lane::F32),
            ("LTRN", Lane::I16),
            ("LTR2NI", Lane::I8),
            ("LTRS2N", Lane::I8),
            ("LTRSN_2", Lane::I32),
            ("LTRN_2I", Lane::I32),
            ("RANDB2N", Lane::I8),
            ("RORBN", Lane::I16),
            ("RORBN_2", Lane::I32),
            ("SVNX8UT_I", Lane::I16),
            ("LVN_2X16S_XP", Lane::I32),
            ("SV2NX8T_I", Lane::I8),
            ("MOVAV8", Lane::I8),
            ("MOVAVU8", Lane::I8),
            ("MOVAV16", Lane::I16),
            ("MOVAV32", Lane::I32),
            ("MOVVA8", Lane::I8),
            ("MOVVINT8", Lane::I8),
            ("EXTRVRN_2X32", Lane::I32),
            ("DCMPRS2NX8", Lane::I8),
            ("MULPN16XR16", Lane::I16),
            ("SLLIN_2X32", Lane::I32),
        ] {
            assert_eq!(Lane::of(op), lane, "{op}");
        }
    }

    #[test]
    fn operands_have_the_role_of_their_place() {
        use Role::*;
        for (op, roles) in [
            ("LA2NX8_XP", &[Result, LoadAlign, Base, Index][..]),
            ("LAV2NX8_XP", &[Result, LoadAlign, Base, Length]),
            ("SAVNX8U_XP", &[Data, StoreAlign, Base, Length]),
            ("SAPOS_FP", &[StoreAlign, Base]),
            ("LA_PPXU", &[LoadAlign, Base, Index]),
            ("SV2NX8T_X", &[Data, Base, Index, Mask]),
            ("L32I", &[Result, WordBase, Number]),
            ("S32I", &[Scalar, WordBase, Number]),
            ("SELNX16T", &[Data, Data, Data, Control, Mask]),
            ("DSELNX16", &[Result, Result, Data, Data, Deal]),
            ("SLLNX16", &[Result, Data, Amount]),
            ("ROTRN_2X32", &[Result, Data, Turn]),
            ("LTRN", &[Result, Count]),
            ("EXTRVRN_2X32", &[Result, Source, Offset]),
            ("EXTRPRNX16", &[Result, Data, Number]),
            ("MOVAB1", &[Result, Mask]),
            ("MULPN16XR16", &[Result, Data, Data, Pair]),
            ("GATHERANX16", &[Result, Base, Offsets]),
        ] {
            let row = Table::get().named(op);
            let found: Vec<_> = row.operands.iter().map(|operand| operand.role).collect();
            assert_eq!(found, roles, "{op}");
        }
    }
}
