//! Conversions of one value by bit manipulation (spec 03 sections 3.3 to 3.5). Every function is
//! branch-free in effect: both arms of each `if` are cheap and the compiler selects.

/// The NaN that operations generate.
pub const QNAN: u32 = 0x7FC0_0000;
/// Sign bit of FP32.
pub const SIGN: u32 = 0x8000_0000;
/// Everything but the sign bit.
pub const MAGNITUDE: u32 = 0x7FFF_FFFF;
/// Positive infinity.
pub const INFINITY: u32 = 0x7F80_0000;
/// The fraction bit that makes a NaN quiet.
pub const QUIET: u32 = 0x0040_0000;
/// 1.0.
pub const ONE: u32 = 0x3F80_0000;

/// True for every NaN pattern.
#[inline(always)]
pub const fn is_nan(bits: u32) -> bool {
    bits & MAGNITUDE > INFINITY
}

/// Loads a code of a format with `E` exponent and `M` fraction bits, `E` < 8 (spec 03 section 3.3).
/// A NaN keeps its sign and loses its payload (D-04).
#[inline(always)]
pub const fn widen<const E: u32, const M: u32>(code: u32) -> u32 {
    let bias = (1 << (E - 1)) - 1;
    let magnitude = code & ((1 << (E + M)) - 1);
    let sign = (code >> (E + M) & 1) << 31;
    let infinity = ((1 << E) - 1) << M;
    let shifted = magnitude << (23 - M);
    let normal = shifted + ((127 - bias) << 23);
    // A subnormal code is the fraction of the first binade, less the binade's implicit one.
    let first = (128 - bias) << 23;
    let subnormal = (f32::from_bits(first | shifted) - f32::from_bits(first)).to_bits();
    let finite = if magnitude < 1 << M { subnormal } else { normal };
    let special = if magnitude == infinity { INFINITY } else { QNAN };
    sign | if magnitude < infinity { finite } else { special }
}

/// Loads a BFLOAT16 code (spec 03 section 3.3).
#[inline(always)]
pub const fn widen_bfloat16(code: u32) -> u32 {
    let bits = code << 16;
    if is_nan(bits) { bits & SIGN | QNAN } else { bits }
}

/// Stores to a format with `E` exponent and `M` fraction bits, `E` < 8: nearest even, gradual
/// underflow, overflow to infinity, or to the largest finite code with `saturate`
/// (spec 03 section 3.4, D-08, D-10).
#[inline(always)]
pub const fn narrow<const E: u32, const M: u32>(value: u32, saturate: bool) -> u32 {
    let bias = (1 << (E - 1)) - 1;
    let drop = 23 - M;
    let magnitude = value & MAGNITUDE;
    let infinity = ((1 << E) - 1) << M;
    let rebased = magnitude.wrapping_sub((127 - bias) << 23);
    let normal = rebased.wrapping_add((1 << (drop - 1)) - 1 + (rebased >> drop & 1)) >> drop;
    // Adding the power of two whose ulp is the smallest subnormal rounds to a multiple of it.
    let anchor = (127 + 1 + 23 - bias - M) << 23;
    let anchored = f32::from_bits(magnitude) + f32::from_bits(anchor);
    let subnormal = anchored.to_bits().wrapping_sub(anchor);
    let rounded = if magnitude < (128 - bias) << 23 { subnormal } else { normal };
    // Codes go on beyond infinity for larger values, so one minimum is the whole overflow rule.
    let limit = if saturate && magnitude < INFINITY { infinity - 1 } else { infinity };
    let limited = if rounded < limit { rounded } else { limit };
    let code = if magnitude > INFINITY { infinity | 1 << (M - 1) } else { limited };
    code | value >> 31 << (E + M)
}

/// Stores to BFLOAT16 (spec 03 section 3.4).
#[inline(always)]
pub const fn narrow_bfloat16(value: u32) -> u32 {
    let rounded = value.wrapping_add(0x7FFF + (value >> 16 & 1)) >> 16;
    if is_nan(value) { value >> 16 & 0x8000 | 0x7FC0 } else { rounded }
}

/// Stores to FP32R, which drops the low `drop` fraction bits with rounding to nearest even
/// (spec 03 section 3.4, D-06). `drop` = 0 keeps every bit but canonicalises NaN.
#[inline(always)]
pub const fn narrow_fp32r(value: u32, drop: u32) -> u32 {
    let half: u32 = (1 << drop) >> 1;
    let tie = half.wrapping_sub(1).wrapping_add(value >> drop & 1);
    let increment = if drop == 0 { 0 } else { tie };
    let rounded = value.wrapping_add(increment) >> drop << drop;
    if is_nan(value) { value & SIGN | QNAN } else { rounded }
}

/// Rounds to an integral value, ties to even.
#[inline(always)]
fn round_even(value: f32) -> f32 {
    // 2^23 has ulp 1; the sum is rounded by the host to nearest even, the difference is exact.
    let anchor = f32::from_bits(0x4B00_0000 | value.to_bits() & SIGN);
    if f32::from_bits(value.to_bits() & MAGNITUDE) < 8_388_608.0 {
        (value + anchor) - anchor
    } else {
        value
    }
}

/// The integral value that `f2i_round` names, before truncation (spec 03 section 3.4, D-05).
#[inline(always)]
fn integral(value: u32, nearest_even: bool) -> f32 {
    let value = f32::from_bits(value);
    if nearest_even { round_even(value) } else { value }
}

/// Converts to an integer of the range `low ..= high`, both exact in FP32: clamps, NaN gives `high`
/// (spec 03 section 3.4, D-05).
#[inline(always)]
pub fn to_narrow_integer(value: u32, low: i32, high: i32, nearest_even: bool) -> i32 {
    let value = integral(value, nearest_even);
    // Written so that a NaN, for which every comparison is false, takes `high`.
    let capped = if value < high as f32 { value } else { high as f32 };
    let clamped = if capped > low as f32 { capped } else { low as f32 };
    // SAFETY: the value is a number between `low` and `high`. (The checked conversion would clamp
    // again, in scalar code.)
    unsafe { clamped.to_int_unchecked() }
}

/// 2^31 and -2^31.
const TWO_31: f32 = 2_147_483_648.0;

/// Converts to INT32 (spec 03 sections 3.4 and 3.5).
#[inline(always)]
pub fn to_int32(value: u32, nearest_even: bool) -> i32 {
    let value = integral(value, nearest_even);
    // False for a NaN, which takes the upper end too.
    let fits = value < TWO_31;
    let capped = if fits { value } else { 0.0 };
    let clamped = if capped > -TWO_31 { capped } else { -TWO_31 };
    // SAFETY: the value is a number from -2^31 to below 2^31.
    let integer: i32 = unsafe { clamped.to_int_unchecked() };
    if fits { integer } else { i32::MAX }
}

/// Converts to UINT32 (spec 03 section 3.4).
#[inline(always)]
pub fn to_uint32(value: u32, nearest_even: bool) -> u32 {
    let value = integral(value, nearest_even);
    let fits = value < 2.0 * TWO_31;
    let positive = if value > 0.0 { value } else { 0.0 };
    let upper = positive >= TWO_31;
    let lowered = if upper { positive - TWO_31 } else { positive };
    let capped = if fits { lowered } else { 0.0 };
    // SAFETY: the value is a number from 0 to below 2^31: above 2^31 it was lowered, above 2^32 or as a
    // NaN replaced.
    let low: i32 = unsafe { capped.to_int_unchecked() };
    let joined = low as u32 | if upper { SIGN } else { 0 };
    if fits { joined } else { u32::MAX }
}
