//! Operators of C_F on FP32 bit patterns (spec 03 sections 4 and 5.2).
//!
//! The host computes sums, differences and products of numbers, which IEEE 754 fixes to the bit. It is
//! never trusted with a NaN: operands and results are tested by pattern, and the NaN rules of section
//! 4 supply the result.

use super::format::{MAGNITUDE, ONE, QNAN, QUIET};
use super::operator::{Grouping, Lane};

/// The NaN that stands for a host NaN: the left operand's, else the right one's, else a new one
/// (spec 03 section 4, rules 2 and 3).
#[inline(always)]
fn nan_of(left: u32, right: u32) -> u32 {
    let generated = if f32::from_bits(right).is_nan() { right | QUIET } else { QNAN };
    if f32::from_bits(left).is_nan() { left | QUIET } else { generated }
}

#[cold]
#[inline(never)]
fn cold_nan_of(left: f32, right: f32) -> f32 {
    f32::from_bits(nan_of(left.to_bits(), right.to_bits()))
}

/// Declares an arithmetic operator by its host expression.
macro_rules! arithmetic {
    ($(#[$meta:meta])* $name:ident, $left:ident, $right:ident => $host:expr) => {
        $(#[$meta])*
        pub struct $name;
        impl Lane for $name {
            #[inline(always)]
            fn apply(left: u32, right: u32) -> u32 {
                let ($left, $right) = (f32::from_bits(left), f32::from_bits(right));
                let host: f32 = $host;
                if host.is_nan() { nan_of(left, right) } else { host.to_bits() }
            }
            const LINKS: bool = true;
            #[inline(always)]
            fn link($left: f32, $right: f32) -> f32 {
                let host: f32 = $host;
                // A branch, not a selection: the chain then waits for the host operation alone.
                if host.is_nan() { cold_nan_of($left, $right) } else { host }
            }
        }
    };
}

arithmetic!(
    /// `rn32(L + R)`.
    Add, left, right => left + right
);
arithmetic!(
    /// `rn32(L - R)`.
    Subtract, left, right => left - right
);
arithmetic!(
    /// `rn32(L * R)`.
    Mult, left, right => left * right
);

/// `|L - R|`; the sign bit is cleared on NaN too.
pub struct AbsoluteDiff;
impl Lane for AbsoluteDiff {
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        Subtract::apply(left, right) & MAGNITUDE
    }
    const LINKS: bool = true;
    #[inline(always)]
    fn link(left: f32, right: f32) -> f32 {
        f32::from_bits(Subtract::link(left, right).to_bits() & MAGNITUDE)
    }
}

/// `L > R ? L : R`: the right operand wins on a tie and whenever either is a NaN (D-12).
pub struct Max;
impl Lane for Max {
    const GROUPING: Grouping = Grouping::FreeWithoutNan;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        if f32::from_bits(left) > f32::from_bits(right) { left } else { right }
    }
    const LINKS: bool = true;
    #[inline(always)]
    fn link(left: f32, right: f32) -> f32 {
        if left > right { left } else { right }
    }
}

/// `L < R ? L : R`, as [`Max`].
pub struct Min;
impl Lane for Min {
    const GROUPING: Grouping = Grouping::FreeWithoutNan;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        if f32::from_bits(left) < f32::from_bits(right) { left } else { right }
    }
    const LINKS: bool = true;
    #[inline(always)]
    fn link(left: f32, right: f32) -> f32 {
        if left < right { left } else { right }
    }
}

/// [`Max`] of the absolute values.
pub struct AbsMax;
impl Lane for AbsMax {
    const GROUPING: Grouping = Grouping::FreeWithoutNan;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        Max::apply(left & MAGNITUDE, right & MAGNITUDE)
    }
}

/// [`Min`] of the absolute values.
pub struct AbsMin;
impl Lane for AbsMin {
    const GROUPING: Grouping = Grouping::FreeWithoutNan;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        Min::apply(left & MAGNITUDE, right & MAGNITUDE)
    }
}

/// True but for zeros of either sign (D-14).
#[inline(always)]
fn truth(bits: u32) -> bool {
    bits & MAGNITUDE != 0
}

/// 1.0 or +0.0.
#[inline(always)]
fn flag(condition: bool) -> u32 {
    if condition { ONE } else { 0 }
}

/// Declares an operator that answers 1.0 or +0.0.
macro_rules! predicate {
    ($(#[$meta:meta])* $name:ident [$grouping:ident], $left:ident, $right:ident => $condition:expr) => {
        $(#[$meta])*
        pub struct $name;
        impl Lane for $name {
            const GROUPING: Grouping = Grouping::$grouping;
            #[inline(always)]
            fn apply($left: u32, $right: u32) -> u32 {
                flag($condition)
            }
        }
    };
}

predicate!(
    /// Both are true.
    LogicalAnd [Free], left, right => truth(left) & truth(right)
);
predicate!(
    /// Either is true.
    LogicalOr [Free], left, right => truth(left) | truth(right)
);
predicate!(
    /// Exactly one is true.
    LogicalXor [Free], left, right => truth(left) ^ truth(right)
);
predicate!(
    /// `L == R`.
    IsEq [Fixed], left, right => f32::from_bits(left) == f32::from_bits(right)
);
predicate!(
    /// Not `L == R`: true with a NaN.
    IsNe [Fixed], left, right => f32::from_bits(left) != f32::from_bits(right)
);
predicate!(
    /// `L > R`.
    IsGt [Fixed], left, right => f32::from_bits(left) > f32::from_bits(right)
);
predicate!(
    /// `L >= R`.
    IsGe [Fixed], left, right => f32::from_bits(left) >= f32::from_bits(right)
);
predicate!(
    /// `L <= R`.
    IsLe [Fixed], left, right => f32::from_bits(left) <= f32::from_bits(right)
);
predicate!(
    /// `L < R`.
    IsLt [Fixed], left, right => f32::from_bits(left) < f32::from_bits(right)
);

/// `L > 0 ? L : +0.0` (D-13).
#[inline(always)]
pub fn relu(left: u32) -> u32 {
    if f32::from_bits(left) > 0.0 { left } else { 0 }
}

/// The sign bit cleared, nothing quieted.
#[inline(always)]
pub fn absolute_value(left: u32) -> u32 {
    left & MAGNITUDE
}

/// `Mult(L, L)`.
#[inline(always)]
pub fn square(left: u32) -> u32 {
    Mult::apply(left, left)
}
