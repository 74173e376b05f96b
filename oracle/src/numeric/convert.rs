//! Conversions between memory codes and compute values (spec 03 sections 3.3 to 3.5). A code is the
//! element's bit pattern in the low bits of a `u64`. Dtypes without a value (INVALID and the codes
//! from 0x10 on) never get past the clauses; they load as zero and store nothing but zero, so that
//! every function here is total.

use crate::numeric::format::{
    E3M4, E4M3, Fp32, IntegerFormat, QNAN, SIGN, integer_format, is_infinite, is_nan, pattern,
    rn32, sign_of, single,
};
use contract::isa::Dtype;
use contract::profile::{F2iRound, Fp8Overflow, Profile};
use rustc_apfloat::ieee::{BFloatS, Float8E5M2S, HalfS, IeeeFloat, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// Memory code to C_F (3.3).
pub fn load(code: u64, dtype: Dtype) -> Fp32 {
    match dtype {
        Dtype::Fp32 | Dtype::Fp32r => code as u32,
        Dtype::Fp16 => widen::<HalfS>(code),
        Dtype::Bfloat16 => widen::<BFloatS>(code),
        Dtype::Fp8Exp3 => widen::<E3M4>(code),
        Dtype::Fp8Exp4 => widen::<E4M3>(code),
        Dtype::Fp8Exp5 => widen::<Float8E5M2S>(code),
        other => integer_format(other).map_or(0, |format| rn32(format.value(code))),
    }
}

/// C_F to memory code (3.4).
pub fn store(value: Fp32, dtype: Dtype, profile: &Profile) -> u64 {
    match dtype {
        Dtype::Fp32 => u64::from(value),
        Dtype::Fp32r => u64::from(round_fp32r(value, profile.fp32r_fraction.bits())),
        Dtype::Fp16 => narrow::<HalfS>(value, Fp8Overflow::Infinity),
        Dtype::Bfloat16 => narrow::<BFloatS>(value, Fp8Overflow::Infinity),
        Dtype::Fp8Exp3 => narrow::<E3M4>(value, profile.fp8_overflow),
        Dtype::Fp8Exp4 => narrow::<E4M3>(value, profile.fp8_overflow),
        Dtype::Fp8Exp5 => narrow::<Float8E5M2S>(value, profile.fp8_overflow),
        other => integer_format(other)
            .map_or(0, |format| format.pattern(to_integer(value, format, profile.f2i_round))),
    }
}

/// Memory code to C_I(`compute.bits`) (3.5).
pub fn load_integer(code: u64, dtype: Dtype, compute: IntegerFormat, profile: &Profile) -> u64 {
    match integer_format(dtype) {
        // Extension by the signedness of the dtype.
        Some(format) => compute.pattern(format.value(code)),
        // INT32 or INT64, whatever the compute signedness.
        None => {
            let target = IntegerFormat { bits: compute.bits, signed: true };
            compute.pattern(to_integer(load(code, dtype), target, profile.f2i_round))
        }
    }
}

/// C_I(`compute.bits`) to memory code (3.5). The low bits of the value read by the compute
/// signedness are the modular store and, for a wider destination, the extension.
pub fn store_integer(value: u64, dtype: Dtype, compute: IntegerFormat, profile: &Profile) -> u64 {
    let value = compute.value(value);
    match integer_format(dtype) {
        Some(format) => format.pattern(value),
        None => store(rn32(value), dtype, profile),
    }
}

/// A narrow fp code to FP32: exact, but a NaN keeps its sign only (D-04).
fn widen<S: Semantics>(code: u64) -> Fp32
where
    IeeeFloat<S>: FloatConvert<Single>,
{
    let narrow = IeeeFloat::<S>::from_bits(u128::from(code));
    if narrow.is_nan() {
        let sign = (code >> (S::BITS - 1)) as u32 & 1;
        return QNAN | sign << 31;
    }
    pattern(narrow.convert(&mut false).value)
}

/// FP32 to a narrow fp code: one rounding to nearest even with gradual underflow, overflow to
/// infinity (D-08) or, as `fp8_overflow` says, to the largest finite code.
fn narrow<S: Semantics>(value: Fp32, overflow: Fp8Overflow) -> u64
where
    Single: FloatConvert<IeeeFloat<S>>,
{
    let sign = u64::from(sign_of(value) >> 31) << (S::BITS - 1);
    let fraction_bits = S::PRECISION - 1;
    let infinity = ((1 << S::EXP_BITS) - 1) << fraction_bits;
    if is_nan(value) {
        return sign | infinity | 1 << (fraction_bits - 1);
    }
    let rounded: IeeeFloat<S> = single(value).convert(&mut false).value;
    if rounded.is_infinite() && !is_infinite(value) && overflow == Fp8Overflow::Saturate {
        // One below the code of infinity is the largest finite value.
        return sign | (infinity - 1);
    }
    rounded.to_bits() as u64
}

/// The FP32R rule: `fraction` live bits, nearest even on the magnitude (D-06).
fn round_fp32r(value: Fp32, fraction: u32) -> Fp32 {
    if is_nan(value) {
        return QNAN | sign_of(value);
    }
    let magnitude = value & !SIGN;
    let dropped = 23 - fraction;
    if dropped == 0 || is_infinite(value) {
        return value;
    }
    let half = 1 << (dropped - 1);
    let rest = magnitude & ((1 << dropped) - 1);
    let mut quotient = magnitude >> dropped;
    if rest > half || (rest == half && quotient & 1 == 1) {
        quotient += 1;
    }
    sign_of(value) | quotient << dropped
}

/// FP32 to an integer of a format: NaN gives the upper end, everything else is rounded as
/// `f2i_round` says and clamped (D-05).
pub fn to_integer(value: Fp32, format: IntegerFormat, round: F2iRound) -> i128 {
    let (low, high) = format.range();
    if is_nan(value) {
        return high;
    }
    if is_infinite(value) {
        return if sign_of(value) == 0 { high } else { low };
    }
    let round = match round {
        F2iRound::TowardZero => Round::TowardZero,
        F2iRound::NearestEven => Round::NearestTiesToEven,
    };
    // Magnitudes of 2^127 and more saturate to the ends of i128, far outside every range here.
    single(value).to_i128_r(128, round, &mut false).value.clamp(low, high)
}
