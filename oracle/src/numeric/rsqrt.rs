//! Rsqrt, correctly rounded in exact integer arithmetic (spec 03 sections 5.2 and 5.5, D-17).

use crate::numeric::format::{
    Fp32, INFINITY, QNAN, SIGN, ZERO, is_infinite, is_nan, pattern, quiet, sign_of,
};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Single;

/// `rn32(1/√x)`: ±0 gives ±inf, +inf gives +0, a negative number QNAN, a NaN `quiet(x)`.
pub fn rsqrt(value: Fp32) -> Fp32 {
    if is_nan(value) {
        return quiet(value);
    }
    if value & !SIGN == 0 {
        return sign_of(value) | INFINITY;
    }
    if sign_of(value) != 0 {
        return QNAN;
    }
    if is_infinite(value) {
        return ZERO;
    }
    let (significand, exponent) = even_exponent(value);
    // 1/√x = 2^(-exponent/2) · 1/√significand. `root` is the integer part of 2^62/√significand:
    // taking the integer part of the quotient first does not change that of its root.
    let root = ((1 << 124) / significand).isqrt();
    let exact = root * root * significand == 1 << 124;
    // At least 49 bits and a sticky bit below them: one rounding to 24 bits sees all it needs. The
    // result is a normal number, so the scaling is exact.
    let with_sticky = 2 * root + u128::from(!exact);
    let scaled = Single::from_u128(with_sticky).value.scalbn(-63 - exponent / 2);
    pattern(scaled)
}

/// A positive finite number as `significand · 2^exponent` with an even exponent and a significand
/// below 2^25.
fn even_exponent(value: Fp32) -> (u128, i32) {
    let fraction = u128::from(value & 0x007F_FFFF);
    let field = (value >> 23) as i32;
    let (significand, exponent) =
        if field == 0 { (fraction, -149) } else { (fraction | 1 << 23, field - 150) };
    if exponent % 2 == 0 { (significand, exponent) } else { (significand * 2, exponent - 1) }
}
