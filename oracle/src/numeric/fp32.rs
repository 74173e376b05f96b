//! Operators of C_F (spec 03 sections 4 and 5.2), one function each, and the table that binds them to
//! ALU_OP. All take the left and the right operand as FP32 patterns; unary operators ignore the
//! right one (D-21).

use crate::numeric::format::{
    Fp32, INFINITY, ONE, QNAN, SIGN, ZERO, is_nan, pattern, quiet, single,
};
use crate::numeric::rsqrt::rsqrt;
use contract::isa::AluOp;
use rustc_apfloat::StatusAnd;
use rustc_apfloat::ieee::Single;
use std::cmp::Ordering;

/// An operator `op(L, R)` of C_F.
pub type Operator = fn(Fp32, Fp32) -> Fp32;

/// The rule of an ALU_OP in C_F; `None` if it has none.
pub const fn operator(op: AluOp) -> Option<Operator> {
    Some(match op {
        AluOp::Bypass => bypass,
        AluOp::Add => add,
        AluOp::Subtract => subtract,
        AluOp::Mult => mult,
        AluOp::Divide => divide,
        AluOp::Max => max,
        AluOp::Min => min,
        AluOp::LogicalAnd => logical_and,
        AluOp::LogicalOr => logical_or,
        AluOp::LogicalXor => logical_xor,
        AluOp::IsEQ => is_eq,
        AluOp::IsGT => is_gt,
        AluOp::IsGE => is_ge,
        AluOp::IsLE => is_le,
        AluOp::IsLT => is_lt,
        AluOp::IsNE => is_ne,
        AluOp::AbsoluteDiff => absolute_diff,
        AluOp::AbsoluteValue => absolute_value,
        AluOp::AbsMax => abs_max,
        AluOp::AbsMin => abs_min,
        AluOp::ReLU => relu,
        AluOp::Square => square,
        AluOp::Rsqrt => rsqrt_of_left,
        _ => return None,
    })
}

/// The start value of ZeroAccumulate (section 7.4); `None` if the operator has no identity.
pub const fn identity(op: AluOp) -> Option<Fp32> {
    match op {
        AluOp::Add | AluOp::Subtract => Some(ZERO),
        AluOp::Mult => Some(ONE),
        AluOp::Max => Some(INFINITY | SIGN),
        AluOp::Min => Some(INFINITY),
        _ => None,
    }
}

/// Bypass: L, bits unchanged.
pub fn bypass(left: Fp32, _: Fp32) -> Fp32 {
    left
}

/// Add: `rn32(L + R)`.
pub fn add(left: Fp32, right: Fp32) -> Fp32 {
    arithmetic(left, right, |left, right| left + right)
}

/// Subtract: `rn32(L - R)`.
pub fn subtract(left: Fp32, right: Fp32) -> Fp32 {
    arithmetic(left, right, |left, right| left - right)
}

/// Mult: `rn32(L · R)`.
pub fn mult(left: Fp32, right: Fp32) -> Fp32 {
    arithmetic(left, right, |left, right| left * right)
}

/// Divide: `rn32(L / R)`.
pub fn divide(left: Fp32, right: Fp32) -> Fp32 {
    arithmetic(left, right, |left, right| left / right)
}

/// Max: `L > R ? L : R`; R wins on a tie and whenever either side is NaN (D-12).
pub fn max(left: Fp32, right: Fp32) -> Fp32 {
    if greater(left, right) { left } else { right }
}

/// Min: `L < R ? L : R`, as [`max`].
pub fn min(left: Fp32, right: Fp32) -> Fp32 {
    if less(left, right) { left } else { right }
}

/// LogicalAnd: `t(L) ∧ t(R)`.
pub fn logical_and(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(is_true(left) & is_true(right))
}

/// LogicalOr: `t(L) ∨ t(R)`.
pub fn logical_or(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(is_true(left) | is_true(right))
}

/// LogicalXor: `t(L) ⊕ t(R)`.
pub fn logical_xor(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(is_true(left) ^ is_true(right))
}

/// IsEQ: false with a NaN.
pub fn is_eq(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(equal(left, right))
}

/// IsGT: false with a NaN.
pub fn is_gt(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(greater(left, right))
}

/// IsGE: false with a NaN.
pub fn is_ge(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(greater(left, right) || equal(left, right))
}

/// IsLE: false with a NaN.
pub fn is_le(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(less(left, right) || equal(left, right))
}

/// IsLT: false with a NaN.
pub fn is_lt(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(less(left, right))
}

/// IsNE: `not (L == R)`, so true with a NaN.
pub fn is_ne(left: Fp32, right: Fp32) -> Fp32 {
    truth_value(!equal(left, right))
}

/// AbsoluteDiff: `|Subtract(L, R)|`, the sign bit cleared also on NaN.
pub fn absolute_diff(left: Fp32, right: Fp32) -> Fp32 {
    absolute_value(subtract(left, right), right)
}

/// AbsoluteValue: sign bit of L cleared, a NaN payload kept.
pub fn absolute_value(left: Fp32, _: Fp32) -> Fp32 {
    left & !SIGN
}

/// AbsMax: `Max(|L|, |R|)`.
pub fn abs_max(left: Fp32, right: Fp32) -> Fp32 {
    max(left & !SIGN, right & !SIGN)
}

/// AbsMin: `Min(|L|, |R|)`.
pub fn abs_min(left: Fp32, right: Fp32) -> Fp32 {
    min(left & !SIGN, right & !SIGN)
}

/// ReLU: `L > 0 ? L : +0.0`; NaN and -0 give +0.0 (D-13).
pub fn relu(left: Fp32, _: Fp32) -> Fp32 {
    if greater(left, ZERO) { left } else { ZERO }
}

/// Square: `Mult(L, L)`.
pub fn square(left: Fp32, _: Fp32) -> Fp32 {
    mult(left, left)
}

/// Rsqrt of L.
pub fn rsqrt_of_left(left: Fp32, _: Fp32) -> Fp32 {
    rsqrt(left)
}

/// One IEEE operation, rounded by `rn32`, with NaN propagation (rule 2 of section 4: the left NaN
/// first, quieted) and NaN generation (rule 3: exactly QNAN).
fn arithmetic(left: Fp32, right: Fp32, operation: fn(Single, Single) -> StatusAnd<Single>) -> Fp32 {
    if is_nan(left) {
        return quiet(left);
    }
    if is_nan(right) {
        return quiet(right);
    }
    let result = operation(single(left), single(right)).value;
    if rustc_apfloat::Float::is_nan(result) { QNAN } else { pattern(result) }
}

/// `L > R`: ordered, false with a NaN.
fn greater(left: Fp32, right: Fp32) -> bool {
    compare(left, right) == Some(Ordering::Greater)
}

/// `L < R`: ordered, false with a NaN.
fn less(left: Fp32, right: Fp32) -> bool {
    compare(left, right) == Some(Ordering::Less)
}

/// `L == R`: ordered, false with a NaN; -0 equals +0.
fn equal(left: Fp32, right: Fp32) -> bool {
    compare(left, right) == Some(Ordering::Equal)
}

fn compare(left: Fp32, right: Fp32) -> Option<Ordering> {
    single(left).partial_cmp(&single(right))
}

/// `t(x)` = not (x == 0): a NaN is true, -0 is false (D-14).
fn is_true(value: Fp32) -> bool {
    !equal(value, ZERO)
}

/// Compare and logical results are 1.0 or +0.0.
const fn truth_value(truth: bool) -> Fp32 {
    if truth { ONE } else { ZERO }
}
