//! How a load widens and a store narrows (spec 04 section 4.7), shared by the plain and the aligning
//! forms. A narrow element moves 32 bytes of memory, a whole one 64.

use super::lanes::{Constant, Lanes};
use super::predicate::{Width, lane_mask, narrow_mask};

/// What a memory op moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// 64 bytes as they are.
    Whole,
    /// Bytes of 16-bit lanes (`NX8`).
    Byte { signed: bool },
    /// Half-words of 32-bit lanes (`N_2X16`).
    Half { signed: bool },
}

/// Narrow elements by name.
pub(super) const NARROW: [(&str, Element); 4] = [
    ("NX8U", Element::Byte { signed: false }),
    ("NX8S", Element::Byte { signed: true }),
    ("N_2X16U", Element::Half { signed: false }),
    ("N_2X16S", Element::Half { signed: true }),
];

/// Row of byte indices computed from the byte's position.
macro_rules! index_row {
    ($at:ident => $index:expr) => {{
        let mut row = Constant([0; 64]);
        let mut $at = 0;
        while $at < 64 {
            row.0[$at] = ($index) as u8;
            $at += 1;
        }
        row
    }};
}

/// Puts every memory byte into both halves of its lane.
static WIDEN_BYTE: Constant = index_row!(at => at / 2);
/// Puts every memory half-word into both halves of its lane.
static WIDEN_HALF: Constant = index_row!(at => at / 4 * 2 + at % 2);
/// Joins the low bytes of all 16-bit lanes.
static NARROW_BYTE: Constant = index_row!(at => at * 2 % 64);
/// Joins the low half-words of all 32-bit lanes.
static NARROW_HALF: Constant = index_row!(at => (at / 2 * 4 + at % 2) % 64);

impl Element {
    /// Bytes of memory.
    pub(super) const fn bytes(self) -> u32 {
        match self {
            Self::Whole => 64,
            _ => 32,
        }
    }

    /// Lanes from memory bytes; a narrow element looks at the low 32 alone. Each one is put into the
    /// upper half of its lane and shifted down with its sign or with zeros.
    #[inline(always)]
    pub(super) fn widen<L: Lanes>(self, bytes: L) -> L {
        match self {
            Self::Whole => bytes,
            Self::Byte { signed } => {
                let lanes = bytes.permute(L::load(&WIDEN_BYTE.0));
                if signed { lanes.shift_right_signed::<16>(8) } else { lanes.shift_right::<16>(8) }
            }
            Self::Half { signed } => {
                let lanes = bytes.permute(L::load(&WIDEN_HALF.0));
                if signed {
                    lanes.shift_right_signed::<32>(16)
                } else {
                    lanes.shift_right::<32>(16)
                }
            }
        }
    }

    /// Memory bytes from lanes: the low half of each lane. Of a narrow element the low 32 bytes count.
    #[inline(always)]
    pub(super) fn narrow<L: Lanes>(self, lanes: L) -> L {
        match self {
            Self::Whole => lanes,
            Self::Byte { .. } => lanes.permute(L::load(&NARROW_BYTE.0)),
            Self::Half { .. } => lanes.permute(L::load(&NARROW_HALF.0)),
        }
    }

    /// Memory bytes that a predicated store writes: those of lanes whose predicate is true, at the
    /// lane width of the register.
    #[inline(always)]
    pub(super) const fn store_mask(self, q: u64) -> u64 {
        match self {
            Self::Whole => q,
            Self::Byte { .. } => narrow_mask(Width::W16, lane_mask::<16>(q)),
            Self::Half { .. } => narrow_mask(Width::W32, lane_mask::<32>(q)),
        }
    }
}
