//! Loads: contiguous memory codes to compute values (spec 03 sections 3.3 and 3.5).

use super::format::{to_int32, widen, widen_bfloat16};
use crate::simd::simd_fn;
use contract::isa::Dtype;

/// How memory codes become compute values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// FP8_EXP3 to FP32.
    Fp8Exp3,
    /// FP8_EXP4 to FP32.
    Fp8Exp4,
    /// FP8_EXP5 to FP32.
    Fp8Exp5,
    /// BFLOAT16 to FP32.
    Bfloat16,
    /// FP16 to FP32.
    Fp16,
    /// INT8 to FP32.
    Int8,
    /// UINT8 to FP32.
    Uint8,
    /// INT16 to FP32.
    Int16,
    /// UINT16 to FP32.
    Uint16,
    /// INT32 to FP32.
    Int32,
    /// UINT32 to FP32.
    Uint32,
    /// 8 bits, sign-extended.
    Signed8,
    /// 16 bits, sign-extended.
    Signed16,
    /// 8 bits, zero-extended.
    Bits8,
    /// 16 bits, zero-extended.
    Bits16,
    /// 32 bits as they are: FP32 and 32-bit integers or patterns.
    Bits32,
}

impl Load {
    /// Load into C_F; `None` for dtypes that no source of C_F has.
    pub const fn float(dtype: Dtype) -> Option<Self> {
        Some(match dtype {
            Dtype::Fp8Exp3 => Self::Fp8Exp3,
            Dtype::Fp8Exp4 => Self::Fp8Exp4,
            Dtype::Fp8Exp5 => Self::Fp8Exp5,
            Dtype::Bfloat16 => Self::Bfloat16,
            Dtype::Fp16 => Self::Fp16,
            Dtype::Fp32 => Self::Bits32,
            Dtype::Int8 => Self::Int8,
            Dtype::Uint8 => Self::Uint8,
            Dtype::Int16 => Self::Int16,
            Dtype::Uint16 => Self::Uint16,
            Dtype::Int32 => Self::Int32,
            Dtype::Uint32 => Self::Uint32,
            _ => return None,
        })
    }

    /// Load of an integer dtype into C_I(32), extended by its own signedness; `None` for others.
    pub const fn integer(dtype: Dtype) -> Option<Self> {
        Some(match dtype {
            Dtype::Int8 => Self::Signed8,
            Dtype::Uint8 => Self::Bits8,
            Dtype::Int16 => Self::Signed16,
            Dtype::Uint16 => Self::Bits16,
            Dtype::Int32 | Dtype::Uint32 => Self::Bits32,
            _ => return None,
        })
    }

    /// Load into C_B of the width in bytes; `None` for widths without patterns here.
    pub const fn bits(bytes: u32) -> Option<Self> {
        Some(match bytes {
            1 => Self::Bits8,
            2 => Self::Bits16,
            4 => Self::Bits32,
            _ => return None,
        })
    }

    /// Bytes of one memory code.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Fp8Exp3
            | Self::Fp8Exp4
            | Self::Fp8Exp5
            | Self::Int8
            | Self::Uint8
            | Self::Signed8
            | Self::Bits8 => 1,
            Self::Bfloat16
            | Self::Fp16
            | Self::Int16
            | Self::Uint16
            | Self::Signed16
            | Self::Bits16 => 2,
            Self::Int32 | Self::Uint32 | Self::Bits32 => 4,
        }
    }
}

simd_fn! {
    /// Loads one value for each code of `memory`.
    pub fn load(how: Load, memory: &[u8], values: &mut [u32]) = load_body;
}

simd_fn! {
    /// Turns FP32 values into INT32 (spec 03 section 3.5).
    pub(crate) fn floats_to_integers(nearest_even: bool, values: &mut [u32]) =
        floats_to_integers_body;
}

/// Fills a table with the value of every 8-bit code.
macro_rules! table {
    ($exponent:literal, $fraction:literal) => {{
        const TABLE: [u32; 256] = {
            let mut table = [0; 256];
            let mut code = 0;
            while code < 256 {
                table[code] = widen::<$exponent, $fraction>(code as u32);
                code += 1;
            }
            table
        };
        |code: u8| TABLE[code as usize]
    }};
}

#[inline(always)]
fn each8(memory: &[u8], values: &mut [u32], convert: impl Fn(u8) -> u32) {
    for (value, &code) in values.iter_mut().zip(memory) {
        *value = convert(code);
    }
}

#[inline(always)]
fn each16(memory: &[u8], values: &mut [u32], convert: impl Fn(u16) -> u32) {
    for (value, code) in values.iter_mut().zip(memory.as_chunks::<2>().0) {
        *value = convert(u16::from_le_bytes(*code));
    }
}

#[inline(always)]
fn each32(memory: &[u8], values: &mut [u32], convert: impl Fn(u32) -> u32) {
    for (value, code) in values.iter_mut().zip(memory.as_chunks::<4>().0) {
        *value = convert(u32::from_le_bytes(*code));
    }
}

#[inline(always)]
fn load_body(how: Load, memory: &[u8], values: &mut [u32]) {
    match how {
        Load::Fp8Exp3 => each8(memory, values, table!(3, 4)),
        Load::Fp8Exp4 => each8(memory, values, table!(4, 3)),
        Load::Fp8Exp5 => each8(memory, values, table!(5, 2)),
        Load::Bfloat16 => each16(memory, values, |code| widen_bfloat16(u32::from(code))),
        Load::Fp16 => each16(memory, values, |code| widen::<5, 10>(u32::from(code))),
        Load::Int8 => each8(memory, values, |code| f32::from(code as i8).to_bits()),
        Load::Uint8 => each8(memory, values, |code| f32::from(code).to_bits()),
        Load::Int16 => each16(memory, values, |code| f32::from(code as i16).to_bits()),
        Load::Uint16 => each16(memory, values, |code| f32::from(code).to_bits()),
        Load::Int32 => each32(memory, values, |code| (code as i32 as f32).to_bits()),
        Load::Uint32 => each32(memory, values, |code| (code as f32).to_bits()),
        Load::Signed8 => each8(memory, values, |code| code as i8 as u32),
        Load::Signed16 => each16(memory, values, |code| code as i16 as u32),
        Load::Bits8 => each8(memory, values, u32::from),
        Load::Bits16 => each16(memory, values, u32::from),
        Load::Bits32 => each32(memory, values, |code| code),
    }
}

#[inline(always)]
fn floats_to_integers_body(nearest_even: bool, values: &mut [u32]) {
    if nearest_even {
        for value in values {
            *value = to_int32(*value, true) as u32;
        }
    } else {
        for value in values {
            *value = to_int32(*value, false) as u32;
        }
    }
}
