//! Misread stores to floating-point dtypes (spec 03 sections 3.1 and 3.4): ties, overflow, subnormals, NaNs,
//! signed zeros. A row names the dtypes that it concerns and what becomes of the right code.

use super::tensor::reading::Reading;
use super::tensor::rules::Rules;
use super::{Fault, Wrong};
use crate::number::{float_layout, is_nan, value_of};
use contract::isa::Dtype;
use contract::isa::Dtype::{Bfloat16, Fp8Exp3, Fp8Exp4, Fp8Exp5, Fp16, Fp32, Fp32r};
use contract::profile::Profile;
use oracle::numeric::convert;

pub(super) type Store = fn(Dtype, u32, &Profile) -> Option<u64>;

pub(super) const fn store(
    name: &'static str,
    concerns: fn(&Reading) -> bool,
    store: Store,
    story: &'static str,
    source: &'static str,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Value(Rules { concerns, store, ..Rules::RIGHT }) }
}

fn to_fp8(read: &Reading) -> bool {
    is_fp8(read.destination.dtype)
}

fn to_fp16(read: &Reading) -> bool {
    read.destination.dtype == Fp16
}

fn to_bfloat16(read: &Reading) -> bool {
    read.destination.dtype == Bfloat16
}

fn to_fp32r(read: &Reading) -> bool {
    read.destination.dtype == Fp32r
}

fn to_narrow(read: &Reading) -> bool {
    is_narrow(read.destination.dtype)
}

pub(super) const fn is_fp8(dtype: Dtype) -> bool {
    matches!(dtype, Fp8Exp3 | Fp8Exp4 | Fp8Exp5)
}

pub(super) const fn is_narrow(dtype: Dtype) -> bool {
    is_fp8(dtype) || matches!(dtype, Fp16 | Bfloat16)
}

/// Bits of the sign of a format.
pub(super) fn sign_bit(dtype: Dtype) -> u64 {
    float_layout(dtype).map_or(0, |layout| 1 << (layout.exponent + layout.fraction))
}

/// The right code with its sign taken off, the sign, and the magnitudes of value and code; `None` for
/// NaNs and infinities.
pub(super) fn finite(dtype: Dtype, bits: u32, profile: &Profile) -> Option<(u64, u64, f64, f64)> {
    let value = f64::from(f32::from_bits(bits)).abs();
    let code = convert::store(bits, dtype, profile);
    let sign = code & sign_bit(dtype);
    let magnitude = code ^ sign;
    let stored = value_of(dtype, magnitude)?;
    value.is_finite().then_some((magnitude, sign, value, stored))
}

/// Ties go away from zero.
fn tie_away(dtype: Dtype, bits: u32, profile: &Profile) -> Option<u64> {
    let (code, sign, value, stored) = finite(dtype, bits, profile)?;
    let next = value_of(dtype, code + 1)?;
    let tie = value > stored && next.is_finite() && value == (stored + next) / 2.0;
    tie.then_some(sign | (code + 1))
}

/// What does not fit is cut off.
fn truncated(dtype: Dtype, bits: u32, profile: &Profile) -> Option<u64> {
    let (code, sign, value, stored) = finite(dtype, bits, profile)?;
    (stored > value).then(|| sign | (code - 1))
}

/// Subnormal codes become zeros.
fn flushed(dtype: Dtype, bits: u32, profile: &Profile) -> Option<u64> {
    let (code, sign, ..) = finite(dtype, bits, profile)?;
    let fraction = float_layout(dtype)?.fraction;
    (code != 0 && code >> fraction == 0).then_some(sign)
}

/// Finite values that overflow become the largest finite code.
fn saturated(dtype: Dtype, bits: u32, profile: &Profile) -> Option<u64> {
    let (code, sign, value, stored) = finite(dtype, bits, profile)?;
    (value.is_finite() && stored.is_infinite()).then(|| sign | (code - 1))
}

/// A NaN keeps the payload bits that fit.
fn nan_payload(dtype: Dtype, bits: u32, profile: &Profile) -> Option<u64> {
    let layout = float_layout(dtype)?;
    let code = convert::store(bits, dtype, profile);
    let payload = u64::from(bits & 0x7F_FFFF) >> (23 - layout.fraction);
    is_nan(dtype, code).then_some(code | payload)
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    store(
        "fp8-tie-up",
        to_fp8,
        tie_away,
        "a tie of an FP8 store goes away from zero",
        "spec 03 section 3.4: round to nearest, ties to even (D-09)",
    ),
    store(
        "fp16-tie-up",
        to_fp16,
        tie_away,
        "a tie of an FP16 store goes away from zero",
        "spec 03 section 3.4: round to nearest, ties to even (D-09)",
    ),
    store(
        "bfloat16-tie-up",
        to_bfloat16,
        tie_away,
        "a tie of a BFLOAT16 store goes away from zero",
        "spec 03 section 3.4: round to nearest, ties to even (D-09)",
    ),
    store(
        "fp8-truncated",
        to_fp8,
        truncated,
        "an FP8 store cuts off what does not fit",
        "spec 03 D-09: round to nearest even",
    ),
    store(
        "fp16-truncated",
        to_fp16,
        truncated,
        "an FP16 store cuts off what does not fit",
        "spec 03 D-09: round to nearest even",
    ),
    store(
        "bfloat16-upper-half",
        to_bfloat16,
        truncated,
        "BFLOAT16 is the upper half of the FP32 pattern",
        "spec 03 D-09: round to nearest even",
    ),
    store(
        "fp8-subnormals-flushed",
        to_fp8,
        flushed,
        "FP8 results below the normal range become zero",
        "spec 03 D-10: gradual underflow",
    ),
    store(
        "fp16-subnormals-flushed",
        to_fp16,
        flushed,
        "FP16 results below the normal range become zero",
        "spec 03 D-10: gradual underflow",
    ),
    store(
        "bfloat16-subnormals-flushed",
        to_bfloat16,
        flushed,
        "BFLOAT16 results below the normal range become zero",
        "spec 03 D-10: gradual underflow",
    ),
    store(
        "fp8-saturates",
        to_fp8,
        saturated,
        "an FP8 store that overflows gives the largest finite code",
        "spec 03 D-08: infinity, unless fp8_overflow says saturate",
    ),
    store(
        "fp16-saturates",
        to_fp16,
        saturated,
        "an FP16 store that overflows gives 65504",
        "spec 03 D-08: infinity",
    ),
    store(
        "bfloat16-saturates",
        to_bfloat16,
        saturated,
        "a BFLOAT16 store that overflows gives the largest finite code",
        "spec 03 D-08: infinity",
    ),
    Fault {
        name: "fp8-exp4-without-infinity",
        story: "FP8_EXP4 is the OCP format: no infinities, numbers up to 448",
        source: "spec 03 D-03: IEEE-like, with infinities, largest finite 240",
        wrong: Wrong::Value(Rules {
            concerns: |read| read.source.dtype == Fp8Exp4 || read.destination.dtype == Fp8Exp4,
            load: |dtype, code| {
                let magnitude = code & 0x7F;
                (dtype == Fp8Exp4 && (0x78..0x7F).contains(&magnitude)).then(|| {
                    let value = 256.0 + 32.0 * (magnitude - 0x78) as f32;
                    value.to_bits() | ((code as u32 & 0x80) << 24)
                })
            },
            store: |dtype, bits, profile| {
                let value = f32::from_bits(bits).abs();
                if dtype != Fp8Exp4 || value < 248.0 {
                    return None;
                }
                let sign = convert::store(bits, dtype, profile) & 0x80;
                let steps = (value / 32.0).round_ties_even() as u64;
                Some(sign | if value.is_nan() || steps > 14 { 0x7F } else { 0x70 + steps })
            },
            ..Rules::RIGHT
        }),
    },
    store(
        "nan-payload-narrowed",
        to_narrow,
        nan_payload,
        "a NaN keeps its payload when it is narrowed",
        "spec 03 D-04: sign kept, payload dropped",
    ),
    store(
        "nan-sign-dropped",
        |read| to_narrow(read) || to_fp32r(read),
        |dtype, bits, profile| {
            let code = convert::store(bits, dtype, profile);
            (is_nan(dtype, code)).then(|| code & !sign_bit(dtype))
        },
        "a NaN is stored as the positive canonical one",
        "spec 03 section 3.4: with the sign of x (D-04)",
    ),
    store(
        "fp32-nan-quieted",
        |read| read.destination.dtype == Fp32,
        |dtype, bits, _| {
            (dtype == Fp32 && is_nan(Fp32, bits.into())).then_some(u64::from(bits | 0x40_0000))
        },
        "a store to FP32 quiets NaNs",
        "spec 03 section 3.4: bits unchanged, no quieting",
    ),
    store(
        "minus-zero-stored-plus",
        to_narrow,
        |dtype, bits, _| (is_narrow(dtype) && bits == 0x8000_0000).then_some(0),
        "a store of -0.0 to a narrow format gives +0.0",
        "spec 03 section 3.4: zeros keep their sign",
    ),
    store(
        "underflow-loses-sign",
        to_narrow,
        |dtype, bits, profile| {
            let (code, sign, value, _) = finite(dtype, bits, profile)?;
            (code == 0 && sign != 0 && value != 0.0).then_some(0)
        },
        "a negative value that underflows is stored as +0.0",
        "spec 03 section 3.4: keeps its sign",
    ),
    store(
        "fp8-rounded-twice",
        to_fp8,
        |dtype, bits, profile| {
            let half = convert::load(convert::store(bits, Fp16, profile), Fp16);
            is_fp8(dtype).then(|| convert::store(half, dtype, profile))
        },
        "an FP8 store rounds to FP16 first",
        "spec 03 section 3.4: one rounding straight from the FP32 value",
    ),
    store(
        "fp32r-is-fp32",
        to_fp32r,
        |dtype, bits, _| (dtype == Fp32r && !is_nan(Fp32, bits.into())).then_some(bits.into()),
        "FP32R stores all 23 fraction bits",
        "spec 03 D-06: 13 live fraction bits",
    ),
    store(
        "fp32r-10-bits",
        to_fp32r,
        |dtype, bits, _| {
            let ten = Profile {
                fp32r_fraction: contract::profile::Fp32rFraction::Bits10,
                ..Profile::default()
            };
            (dtype == Fp32r).then(|| convert::store(bits, dtype, &ten))
        },
        "FP32R has 10 fraction bits",
        "spec 03 D-06: 13 live fraction bits",
    ),
    store(
        "fp32r-truncated",
        to_fp32r,
        |dtype, bits, _| {
            (dtype == Fp32r && !is_nan(Fp32, bits.into())).then_some(u64::from(bits & !0x3FF))
        },
        "FP32R clears the low 10 bits",
        "spec 03 section 3.4: round to nearest, ties to even",
    ),
    store(
        "fp32r-tie-up",
        to_fp32r,
        |dtype, bits, profile| {
            let tie = dtype == Fp32r && bits & 0x3FF == 0x200 && !is_nan(Fp32, bits.into());
            tie.then(|| convert::store(bits + 1, dtype, profile))
        },
        "a tie of an FP32R store goes away from zero",
        "spec 03 section 3.4: q += 1 if r = 0x200 and q is odd",
    ),
];
