//! Codes of the tensor dtypes as people read them, and whether a code is a NaN. Used by reports and by
//! `--nan any`; no model relies on it, and nothing here rounds or converts a value.

use contract::isa::Dtype;

/// Field widths of a floating-point dtype (spec 03 section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatLayout {
    /// Bits of the exponent field.
    pub exponent: u32,
    /// Bits of the fraction field.
    pub fraction: u32,
    /// Exponent bias.
    pub bias: i32,
}

/// The layout of a floating-point dtype, `None` for every other dtype.
pub const fn float_layout(dtype: Dtype) -> Option<FloatLayout> {
    let (exponent, fraction, bias) = match dtype {
        Dtype::Bfloat16 => (8, 7, 127),
        Dtype::Fp16 => (5, 10, 15),
        Dtype::Fp32 | Dtype::Fp32r => (8, 23, 127),
        Dtype::Fp8Exp3 => (3, 4, 3),
        Dtype::Fp8Exp4 => (4, 3, 7),
        Dtype::Fp8Exp5 => (5, 2, 15),
        _ => return None,
    };
    Some(FloatLayout { exponent, fraction, bias })
}

/// True if the code is a NaN of a floating-point dtype.
pub const fn is_nan(dtype: Dtype, code: u64) -> bool {
    match float_layout(dtype) {
        None => false,
        Some(FloatLayout { exponent, fraction, .. }) => {
            let ones = (1 << exponent) - 1;
            (code >> fraction) & ones == ones && code & ((1 << fraction) - 1) != 0
        }
    }
}

/// The little-endian code of the first `bytes.len()` bytes, at most eight.
pub fn code_of(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |code, &byte| code << 8 | u64::from(byte))
}

/// The number that a code stands for, as text: `-0.5`, `inf`, `nan`, `127`.
pub fn text_of(dtype: Dtype, code: u64) -> String {
    if let Some(layout) = float_layout(dtype) {
        return float_text(layout, code);
    }
    let bits = u32::from(dtype.storage_bytes()) * 8;
    match dtype {
        Dtype::Int8 | Dtype::Int16 | Dtype::Int32 | Dtype::Int64 => {
            ((code << (64 - bits)) as i64 >> (64 - bits)).to_string()
        }
        Dtype::Uint8 | Dtype::Uint16 | Dtype::Uint32 | Dtype::Uint64 => code.to_string(),
        _ => format!("{code:#x}"),
    }
}

/// The value of a floating-point code; `None` for other dtypes and for NaN.
pub fn value_of(dtype: Dtype, code: u64) -> Option<f64> {
    let layout = float_layout(dtype)?;
    let FloatLayout { exponent, fraction, .. } = layout;
    let sign = if code >> (exponent + fraction) & 1 == 1 { -1.0 } else { 1.0 };
    match magnitude(layout, code) {
        Some(value) => Some(sign * value),
        None if is_nan(dtype, code) => None,
        None => Some(sign * f64::INFINITY),
    }
}

/// The magnitude of a finite code. Every format here has at most 24 significant bits and fits f64
/// exactly.
fn magnitude(layout: FloatLayout, code: u64) -> Option<f64> {
    let FloatLayout { exponent, fraction, bias } = layout;
    let field = (code >> fraction) & ((1 << exponent) - 1);
    let rest = code & ((1 << fraction) - 1);
    if field == (1 << exponent) - 1 {
        return None;
    }
    let (significand, power) =
        if field == 0 { (rest, 1 - bias) } else { (rest | 1 << fraction, field as i32 - bias) };
    Some(significand as f64 * 2f64.powi(power - fraction as i32))
}

fn float_text(layout: FloatLayout, code: u64) -> String {
    let FloatLayout { exponent, fraction, .. } = layout;
    let sign = if code >> (exponent + fraction) & 1 == 1 { "-" } else { "" };
    match magnitude(layout, code) {
        None if code & ((1 << fraction) - 1) == 0 => format!("{sign}inf"),
        None => format!("{sign}nan"),
        // `{:?}` prints the shortest text that reads back as the same number.
        Some(value) if fraction == 23 => format!("{sign}{:?}", value as f32),
        Some(value) => format!("{sign}{value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_numbers_of_every_kind() {
        let rows = [
            (Dtype::Fp32, 0x3F80_0000, "1.0"),
            (Dtype::Fp32, 0x8000_0000, "-0.0"),
            (Dtype::Fp32, 0x0000_0001, "1e-45"),
            (Dtype::Fp32, 0xFF80_0000, "-inf"),
            (Dtype::Fp32, 0x7FA0_0001, "nan"),
            (Dtype::Fp16, 0x7BFF, "65504.0"),
            (Dtype::Bfloat16, 0xC380, "-256.0"),
            (Dtype::Fp8Exp3, 0x6F, "15.5"),
            (Dtype::Fp8Exp4, 0x77, "240.0"),
            (Dtype::Fp8Exp5, 0x7B, "57344.0"),
            (Dtype::Fp8Exp4, 0x01, "0.001953125"),
            (Dtype::Int8, 0x80, "-128"),
            (Dtype::Uint16, 0xFFFF, "65535"),
            (Dtype::Int32, 0xFFFF_FFFF, "-1"),
            (Dtype::Int64, u64::MAX, "-1"),
        ];
        for (dtype, code, text) in rows {
            assert_eq!(text_of(dtype, code), text, "{} {code:#x}", dtype.name());
        }
    }

    #[test]
    fn knows_nans_of_the_8_bit_formats() {
        assert!(!is_nan(Dtype::Fp8Exp3, 0x70) && is_nan(Dtype::Fp8Exp3, 0x71));
        assert!(!is_nan(Dtype::Fp8Exp4, 0xF8) && is_nan(Dtype::Fp8Exp4, 0xFF));
        assert!(!is_nan(Dtype::Int8, 0xFF));
    }
}
