//! Operators of C_B(W): zero-extended patterns of `W` bits (spec 03 section 5.4).

use super::crc;
use super::operator::{Grouping, Lane};

/// The low `W` bits.
const fn mask<const W: u32>() -> u32 {
    u32::MAX >> (32 - W)
}

/// `L & R`.
pub struct And;
impl Lane for And {
    const GROUPING: Grouping = Grouping::Free;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left & right
    }
}

/// `L | R`.
pub struct Or;
impl Lane for Or {
    const GROUPING: Grouping = Grouping::Free;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left | right
    }
}

/// `L ^ R`.
pub struct Xor;
impl Lane for Xor {
    const GROUPING: Grouping = Grouping::Free;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left ^ right
    }
}

/// `L << R`; 0 from a count of `W` on (D-19).
pub struct ShiftLeft<const W: u32>;
impl<const W: u32> Lane for ShiftLeft<W> {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        let shifted = (left << (right & 31)) & mask::<W>();
        if right < W { shifted } else { 0 }
    }
}

/// `L >> R` with zero fill; 0 from a count of `W` on (D-19).
pub struct ShiftRight<const W: u32>;
impl<const W: u32> Lane for ShiftRight<W> {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        if right < W { left >> (right & 31) } else { 0 }
    }
}

/// `L >> R` filled with bit `W - 1`, whatever the signedness; all fill from a count of `W` on (D-19).
pub struct ArithShiftRight<const W: u32>;
impl<const W: u32> Lane for ArithShiftRight<W> {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        let signed = (left << (32 - W)) as i32 >> (32 - W);
        let count = if right < 31 { right } else { 31 };
        (signed >> count) as u32 & mask::<W>()
    }
}

/// Crc32 of the `W / 8` bytes of `R` from the state `L` (spec 03 section 5.6).
pub struct Crc32<const W: u32>;
impl<const W: u32> Lane for Crc32<W> {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        match W {
            8 => crc::update8(left, right),
            16 => crc::update16(left, right),
            _ => crc::update32(left, right),
        }
    }
}
