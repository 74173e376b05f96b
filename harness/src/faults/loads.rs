//! Misread loads, and stores to integers (spec 03 sections 3.3 to 3.5).

use super::conversions::{is_fp8, is_narrow, sign_bit, store};
use super::tensor::reading::{Domain, Reading};
use super::tensor::rules::Rules;
use super::{Fault, Wrong};
use crate::number::{float_layout, is_nan, value_of};
use contract::isa::Dtype;
use contract::isa::Dtype::{Fp8Exp3, Fp8Exp5, Fp32};
use contract::profile::Profile;
use oracle::numeric::convert;
use oracle::numeric::format::{IntegerFormat, integer_format};

type Load = fn(Dtype, u64) -> Option<u32>;

const fn load(
    name: &'static str,
    concerns: fn(&Reading) -> bool,
    load: Load,
    story: &'static str,
    source: &'static str,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Value(Rules { concerns, load, ..Rules::RIGHT }) }
}

fn to_integer(read: &Reading) -> bool {
    read.domain == Domain::Float && integer_format(read.destination.dtype).is_some()
}

fn from_integers(read: &Reading) -> bool {
    read.domain == Domain::Float && integer_format(read.source.dtype).is_some()
}

fn from_narrow(read: &Reading) -> bool {
    is_narrow(read.source.dtype)
}

fn from_fp32(read: &Reading) -> bool {
    read.source.dtype == Fp32
}

/// The integer code of a value that was rounded, out of range or not.
fn integer_code(
    dtype: Dtype,
    bits: u32,
    code: fn(f64, IntegerFormat) -> Option<i128>,
) -> Option<u64> {
    let format = integer_format(dtype)?;
    Some(format.pattern(code(f64::from(f32::from_bits(bits)), format)?))
}

fn clamped(value: f64, format: IntegerFormat) -> Option<i128> {
    let (low, high) = format.range();
    value.is_finite().then(|| (value as i128).clamp(low, high))
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    store(
        "integer-nearest",
        to_integer,
        |dtype, bits, _| {
            integer_code(dtype, bits, |value, format| clamped(value.round_ties_even(), format))
        },
        "FP32 to integer rounds to nearest",
        "spec 03 D-05: toward zero",
    ),
    store(
        "integer-floor",
        to_integer,
        |dtype, bits, _| integer_code(dtype, bits, |value, format| clamped(value.floor(), format)),
        "FP32 to integer rounds down",
        "spec 03 D-05: toward zero",
    ),
    store(
        "integer-wraps",
        to_integer,
        |dtype, bits, _| {
            integer_code(dtype, bits, |value, _| value.is_finite().then_some(value as i128))
        },
        "FP32 to integer wraps out of range",
        "spec 03 D-05: clamp to the range",
    ),
    store(
        "unsigned-negative-wraps",
        to_integer,
        |dtype, bits, _| {
            let format = integer_format(dtype)?;
            let value = f32::from_bits(bits);
            (!format.signed && value <= -1.0 && value >= -2_147_483_648.0)
                .then(|| format.pattern(value as i128))
        },
        "a negative value stored to an unsigned dtype wraps",
        "spec 03 D-05: clamps to 0",
    ),
    store(
        "integer-nan-zero",
        to_integer,
        |dtype, bits, _| {
            (integer_format(dtype).is_some() && is_nan(Fp32, bits.into())).then_some(0)
        },
        "NaN becomes the integer 0",
        "spec 03 D-05: NaN gives the largest",
    ),
    store(
        "integer-nan-lowest",
        to_integer,
        |dtype, bits, _| {
            let format = integer_format(dtype)?;
            is_nan(Fp32, bits.into()).then(|| format.pattern(format.range().0))
        },
        "NaN becomes the lowest integer, as on the host",
        "spec 03 D-05: NaN gives the largest",
    ),
    load(
        "int32-truncated",
        from_integers,
        |dtype, code| {
            let value = integer_format(dtype)?.value(code);
            let bits = convert::load(code, dtype);
            (f64::from(f32::from_bits(bits)).abs() > (value as f64).abs()).then(|| bits - 1)
        },
        "a large integer loses its low bits on the way to FP32",
        "spec 03 section 3.3: rn32 (D-09)",
    ),
    load(
        "unsigned-read-signed",
        from_integers,
        |dtype, code| {
            let signed = match dtype {
                Dtype::Uint8 => Dtype::Int8,
                Dtype::Uint16 => Dtype::Int16,
                Dtype::Uint32 => Dtype::Int32,
                _ => return None,
            };
            Some(convert::load(code, signed))
        },
        "unsigned elements are read as signed",
        "spec 03 section 3.3: exact values",
    ),
    load(
        "int8-zero-extended",
        from_integers,
        |dtype, code| (dtype == Dtype::Int8).then(|| convert::load(code, Dtype::Uint8)),
        "INT8 elements are zero-extended",
        "spec 03 section 3.3: exact values",
    ),
    load(
        "narrow-subnormals-read-zero",
        from_narrow,
        |dtype, code| {
            let fraction = float_layout(dtype).filter(|_| is_narrow(dtype))?.fraction;
            let magnitude = code & !sign_bit(dtype);
            (magnitude != 0 && magnitude >> fraction == 0)
                .then(|| if magnitude == code { 0 } else { 0x8000_0000 })
        },
        "subnormal codes of narrow formats are read as zero",
        "spec 03 section 3.3: exact value",
    ),
    load(
        "fp8-exp3-bias-4",
        |read| read.source.dtype == Fp8Exp3,
        |dtype, code| {
            let value = value_of(dtype, code).filter(|_| dtype == Fp8Exp3)?;
            Some((value as f32 / 2.0).to_bits())
        },
        "FP8_EXP3 has bias 4",
        "spec 03 section 3.1: bias 3",
    ),
    load(
        "fp8-exp5-bias-16",
        |read| read.source.dtype == Fp8Exp5,
        |dtype, code| {
            let value = value_of(dtype, code).filter(|_| dtype == Fp8Exp5)?;
            Some((value as f32 / 2.0).to_bits())
        },
        "FP8_EXP5 has bias 16",
        "spec 03 section 3.1: bias 15",
    ),
    load(
        "nan-payload-widened",
        from_narrow,
        |dtype, code| {
            let layout = float_layout(dtype).filter(|_| is_narrow(dtype))?;
            let payload = (code & ((1 << layout.fraction) - 1)) << (23 - layout.fraction);
            is_nan(dtype, code).then(|| convert::load(code, dtype) | payload as u32)
        },
        "a NaN keeps its payload when it is widened",
        "spec 03 D-04: payload dropped",
    ),
    load(
        "fp32-nan-quieted-on-load",
        from_fp32,
        |dtype, code| (dtype == Fp32 && is_nan(Fp32, code)).then_some(code as u32 | 0x40_0000),
        "an FP32 load quiets NaNs",
        "spec 03 section 3.3: bits unchanged, signalling NaNs included",
    ),
    load(
        "fp8-infinity-is-nan",
        |read| is_fp8(read.source.dtype),
        |dtype, code| {
            let infinite = is_fp8(dtype) && value_of(dtype, code).is_some_and(f64::is_infinite);
            infinite.then(|| convert::load(code, dtype) | 0x40_0000)
        },
        "every FP8 code with all exponent bits set is a NaN",
        "spec 03 section 3.1: the infinity codes",
    ),
    Fault {
        name: "integer-result-saturates",
        story: "an integer result that does not fit the destination saturates",
        source: "spec 03 D-07: the low bits, never saturating",
        wrong: Wrong::Value(Rules {
            concerns: |read| matches!(read.domain, Domain::Integer(_)),
            store_integer: |dtype, format, value| {
                let target = integer_format(dtype)?;
                let (low, high) = target.range();
                Some(target.pattern(format.value(value).clamp(low, high)))
            },
            ..Rules::RIGHT
        }),
    },
    Fault {
        name: "integer-result-always-signed",
        story: "an integer result goes to a floating-point destination as a signed number",
        source: "spec 03 section 3.5: the signed or unsigned integer value, by the first source",
        wrong: Wrong::Value(Rules {
            concerns: |read| matches!(read.domain, Domain::Integer(format) if !format.signed),
            store_integer: |dtype, format, value| {
                let signed = IntegerFormat { signed: true, ..format };
                Some(convert::store_integer(value, dtype, signed, &Profile::default()))
            },
            ..Rules::RIGHT
        }),
    },
];
