//! Number formats for the making of *operands*: sizes, and a plain nearest conversion from `f64`.
//! The models' conversion rules are not shared here. An encoding that this file gets wrong would be
//! another operand, never a wrong expectation.

use contract::isa::Dtype;

/// Bytes of one element (spec 01 section 6.2); `None` for a code without a size.
pub const fn size_of(code: u8) -> Option<u32> {
    match Dtype::from_wire(code) {
        Some(Dtype::Int8 | Dtype::Uint8 | Dtype::Fp8Exp3 | Dtype::Fp8Exp4 | Dtype::Fp8Exp5) => {
            Some(1)
        }
        Some(Dtype::Int16 | Dtype::Uint16 | Dtype::Bfloat16 | Dtype::Fp16) => Some(2),
        Some(Dtype::Int32 | Dtype::Uint32 | Dtype::Fp32 | Dtype::Fp32r) => Some(4),
        Some(Dtype::Uint64 | Dtype::Int64) => Some(8),
        _ => None,
    }
}

/// Exponent bits, fraction bits and bias of a floating-point format below 32 bits.
struct Narrow {
    exponent: u32,
    fraction: u32,
    bias: i32,
}

const fn narrow(dtype: Dtype) -> Option<Narrow> {
    Some(match dtype {
        Dtype::Bfloat16 => Narrow { exponent: 8, fraction: 7, bias: 127 },
        Dtype::Fp16 => Narrow { exponent: 5, fraction: 10, bias: 15 },
        Dtype::Fp8Exp3 => Narrow { exponent: 3, fraction: 4, bias: 3 },
        Dtype::Fp8Exp4 => Narrow { exponent: 4, fraction: 3, bias: 7 },
        Dtype::Fp8Exp5 => Narrow { exponent: 5, fraction: 2, bias: 15 },
        _ => return None,
    })
}

/// The code of the value nearest to `value`, in the low bits. Integers clamp, NaN becomes 0 there;
/// floating-point formats overflow to infinity.
pub fn nearest(dtype: Dtype, value: f64) -> u64 {
    match dtype {
        Dtype::Int8 => u64::from(value as i8 as u8),
        Dtype::Uint8 => u64::from(value as u8),
        Dtype::Int16 => u64::from(value as i16 as u16),
        Dtype::Uint16 => u64::from(value as u16),
        Dtype::Int32 => u64::from(value as i32 as u32),
        Dtype::Uint32 => u64::from(value as u32),
        Dtype::Int64 => value as i64 as u64,
        Dtype::Uint64 => value as u64,
        Dtype::Fp32 => u64::from((value as f32).to_bits()),
        Dtype::Fp32r => u64::from((value as f32).to_bits() & !0x3FF),
        _ => match narrow(dtype) {
            Some(format) => encode(&format, value),
            None => value as u8 as u64,
        },
    }
}

/// Nearest code of a narrow format, ties to even.
fn encode(format: &Narrow, value: f64) -> u64 {
    let bits = value.to_bits();
    let width = format.exponent + format.fraction;
    let sign = (bits >> 63) << width;
    let infinity = ((1u64 << format.exponent) - 1) << format.fraction;
    if value.is_nan() {
        return sign | infinity | 1 << (format.fraction - 1);
    }
    let exponent = ((bits >> 52) & 0x7FF) as i32 - 1023;
    let smallest = 1 - format.bias;
    if exponent < smallest - format.fraction as i32 - 2 {
        return sign;
    }
    // One unit in the last place of the target; a power of two inside the range of f64.
    let unit = exponent.max(smallest) - format.fraction as i32;
    let scaled = value.abs() * f64::from_bits(((1023 - unit) as u64) << 52);
    if !scaled.is_finite() {
        return sign | infinity;
    }
    let significand = scaled.round_ties_even() as u64;
    // A subnormal keeps exponent field 0; a carry out of the significand moves the field up.
    let field = (exponent.max(smallest) + format.bias - 1) as u64;
    sign | ((field << format.fraction) + significand).min(infinity)
}

/// The value of an 8-bit code in the layout of `F8_E5M2` or the IEEE-like FP8 formats.
pub fn decode_fp8(exponent_bits: u32, fraction_bits: u32, bias: i32, code: u8) -> f64 {
    let field = (code >> fraction_bits) & ((1 << exponent_bits) - 1);
    let fraction = f64::from(code & ((1 << fraction_bits) - 1));
    let unit = 2f64.powi(i32::from(field.max(1)) - bias - fraction_bits as i32);
    let hidden = if field == 0 { 0.0 } else { f64::from(1u32 << fraction_bits) };
    let magnitude = if u32::from(field) == (1 << exponent_bits) - 1 {
        if fraction == 0.0 { f64::INFINITY } else { f64::NAN }
    } else {
        (hidden + fraction) * unit
    };
    if code >> 7 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_encode_to_their_codes() {
        for (dtype, value, code) in [
            (Dtype::Fp16, 1.0, 0x3C00),
            (Dtype::Fp16, 65504.0, 0x7BFF),
            (Dtype::Fp16, 65520.0, 0x7C00),
            (Dtype::Fp16, 2f64.powi(-24), 0x0001),
            (Dtype::Fp16, 2f64.powi(-25), 0x0000),
            (Dtype::Fp16, 1.0 + 2f64.powi(-11), 0x3C00),
            (Dtype::Fp16, 1.0 + 3.0 * 2f64.powi(-11), 0x3C02),
            (Dtype::Fp16, -0.0, 0x8000),
            (Dtype::Bfloat16, 1.0, 0x3F80),
            (Dtype::Bfloat16, 2f64.powi(-133), 0x0001),
            (Dtype::Bfloat16, f64::INFINITY, 0x7F80),
            (Dtype::Fp8Exp3, 15.5, 0x6F),
            (Dtype::Fp8Exp4, 240.0, 0x77),
            (Dtype::Fp8Exp4, 1.0, 0x38),
            (Dtype::Fp8Exp5, 57344.0, 0x7B),
            (Dtype::Fp8Exp5, 1e300, 0x7C),
            (Dtype::Fp8Exp5, f64::NAN, 0x7E),
            (Dtype::Int8, -300.0, 0x80),
            (Dtype::Uint16, 12.9, 12),
        ] {
            assert_eq!(nearest(dtype, value), code, "{} of {value}", dtype.name());
        }
    }

    #[test]
    fn every_fp8_code_survives_a_round_trip() {
        for (dtype, e, m, bias) in
            [(Dtype::Fp8Exp3, 3, 4, 3), (Dtype::Fp8Exp4, 4, 3, 7), (Dtype::Fp8Exp5, 5, 2, 15)]
        {
            for code in 0..=255u8 {
                let value = decode_fp8(e, m, bias, code);
                if !value.is_nan() {
                    assert_eq!(nearest(dtype, value), u64::from(code), "{} {code}", dtype.name());
                }
            }
        }
    }
}
