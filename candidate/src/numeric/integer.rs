//! Operators of C_I(32): integers modulo 2^32 (spec 03 section 5.3).

use super::operator::{Grouping, Lane};

/// `L + R`.
pub struct AddInt;
impl Lane for AddInt {
    const GROUPING: Grouping = Grouping::Free;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left.wrapping_add(right)
    }
}

/// `L - R`.
pub struct SubtractInt;
impl Lane for SubtractInt {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left.wrapping_sub(right)
    }
}

/// The low 32 bits of `L * R`.
pub struct MultInt;
impl Lane for MultInt {
    const GROUPING: Grouping = Grouping::Free;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left.wrapping_mul(right)
    }
}

/// Signed quotient toward zero; 0 if `R` is 0 (D-18), INT_MIN / -1 wraps.
pub struct DivideSigned;
impl Lane for DivideSigned {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        if right == 0 { 0 } else { (left as i32).wrapping_div(right as i32) as u32 }
    }
}

/// Unsigned quotient; 0 if `R` is 0 (D-18).
pub struct DivideUnsigned;
impl Lane for DivideUnsigned {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left.checked_div(right).unwrap_or(0)
    }
}

/// Signed remainder with the sign of `L`; 0 if `R` is 0 (D-18).
pub struct ModSigned;
impl Lane for ModSigned {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        if right == 0 { 0 } else { (left as i32).wrapping_rem(right as i32) as u32 }
    }
}

/// Unsigned remainder; 0 if `R` is 0 (D-18).
pub struct ModUnsigned;
impl Lane for ModUnsigned {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        left.checked_rem(right).unwrap_or(0)
    }
}
