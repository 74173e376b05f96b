//! The element width that a mnemonic's name says, and registers cut into such elements. Reports and
//! golden vectors speak of lanes; registers are bytes.
//!
//! A name carries its shape as a suffix: `2NX8` 64 bytes, `NX16` and `NXF16` 32 half-words, `N_2X32` and
//! `N_2XF32` 16 words; the memory forms `NX8U/S` and `N_2X16U/S` widen to 16 and 32 bits (spec 04
//! sections 1 and 4.7). Names without a shape move bytes.

use crate::number;
use contract::isa::{Dtype, Mnemonic, RegClass};

/// What an element holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lane {
    /// Bits of an element: 8, 16, 32 or 48.
    pub bits: u32,
    /// True if the elements are floating-point numbers.
    pub float: bool,
}

/// Shapes in names, the longest first where one contains another.
const SHAPES: &[(&str, Lane)] = &[
    ("N_2XF32", Lane { bits: 32, float: true }),
    ("N_2X32", Lane { bits: 32, float: false }),
    ("N_2X16", Lane { bits: 32, float: false }),
    ("NXF16", Lane { bits: 16, float: true }),
    ("2NX8", Lane { bits: 8, float: false }),
    ("NX16", Lane { bits: 16, float: false }),
    ("NX8", Lane { bits: 16, float: false }),
    ("NX48", Lane { bits: 16, float: false }),
];

/// Names that end in the width of their scalar.
const SCALARS: &[&str] = &["MOVVA", "MOVVINT", "MOVAV", "MOVAVU", "MOVPRA"];

/// Names of predicate ops whose `N` stands for the lanes of a width.
const COUNTED: &[(&str, u32)] = &[
    ("LTRN_2I", 32),
    ("LTR2NI", 8),
    ("LTRNI", 16),
    ("LTRN_2", 32),
    ("LTRSN_2", 32),
    ("LTR2N", 8),
    ("LTRS2N", 8),
    ("LTRN", 16),
    ("LTRSN", 16),
    ("RANDBN_2", 32),
    ("RANDB2N", 8),
    ("RANDBN", 16),
    ("RORBN_2", 32),
    ("RORB2N", 8),
    ("RORBN", 16),
];

impl Lane {
    /// Bytes: what stands in memory and align registers.
    pub const BYTES: Self = Self { bits: 8, float: false };

    /// The lane of an op's vector operands; bytes if its name says nothing.
    pub fn of(op: Mnemonic) -> Self {
        let name = op.name();
        if let Some((_, bits)) = COUNTED.iter().find(|(counted, _)| *counted == name) {
            return Self { bits: *bits, float: false };
        }
        if let Some((_, lane)) = SHAPES.iter().find(|(shape, _)| name.contains(shape)) {
            return *lane;
        }
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let width = name[stem.len()..].parse().ok().filter(|bits| [8, 16, 32].contains(bits));
        match width {
            Some(bits) if SCALARS.contains(&stem) => Self { bits, float: false },
            _ => Self::BYTES,
        }
    }

    /// The lane in which a register of a class is shown when `op` wrote it: a wide accumulator in its
    /// 48-bit view, an align register in bytes.
    pub fn of_class(self, class: RegClass) -> Self {
        match class {
            RegClass::Vec | RegClass::Gvr => self,
            RegClass::Wvec => Self { bits: 48, float: false },
            _ => Self::BYTES,
        }
    }

    /// Bytes of an element.
    pub const fn bytes(self) -> usize {
        (self.bits / 8) as usize
    }

    /// Predicate bits of a lane (spec 04 section 2.1).
    pub const fn field(self) -> u32 {
        self.bits / 8
    }

    /// An element as a person reads it: hex digits, and the number where bits alone say little.
    pub fn element(self, code: u64) -> String {
        let digits = self.bits as usize / 4;
        let hex = format!("0x{code:0digits$x}");
        let number = match (self.float, self.bits) {
            (true, 16) => Some(number::text_of(Dtype::Fp16, code)),
            (true, 32) => Some(number::text_of(Dtype::Fp32, code)),
            _ => None,
        };
        number.map_or(hex.clone(), |number| format!("{hex} ({number})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(name: &str) -> u32 {
        Lane::of(Mnemonic::from_name(name).unwrap()).bits
    }

    #[test]
    fn names_say_the_width_of_their_elements() {
        let rows = [
            ("ADD2NX8", 8),
            ("ADDNX16T", 16),
            ("SELN_2X32", 32),
            ("LVNX8U_IP", 16),
            ("LAN_2X16S_XP", 32),
            ("LV2NX8_I", 8),
            ("MOVVA32", 32),
            ("MOVVINT8", 8),
            ("MOVAVU16", 16),
            ("MOVVV", 8),
            ("LTRN_2", 32),
            ("LTR2N", 8),
            ("RANDBN", 16),
            ("PACKLNX48", 16),
            ("ANDB", 8),
            ("RMAXNUMN_2XF32T", 32),
        ];
        for (name, width) in rows {
            assert_eq!(bits(name), width, "{name}");
        }
        assert!(Lane::of(Mnemonic::from_name("RMAXNUMNXF16").unwrap()).float);
    }

    #[test]
    fn elements_are_printed_in_their_width() {
        assert_eq!(Lane::BYTES.element(7), "0x07");
        assert_eq!(Lane { bits: 16, float: true }.element(0x3c00), "0x3c00 (1.0)");
        assert_eq!(Lane { bits: 48, float: false }.element(1), "0x000000000001");
    }
}
