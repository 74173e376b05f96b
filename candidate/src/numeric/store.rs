//! Stores: compute values to contiguous memory codes (spec 03 sections 3.4 and 3.5).

use super::format::{
    narrow, narrow_bfloat16, narrow_fp32r, to_int32, to_narrow_integer, to_uint32,
};
use crate::simd::simd_fn;
use contract::isa::Dtype;
use contract::profile::{F2iRound, Fp8Overflow, Profile};

/// How compute values become memory codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// FP32 to FP8_EXP3; overflow saturates if set.
    Fp8Exp3(bool),
    /// FP32 to FP8_EXP4; overflow saturates if set.
    Fp8Exp4(bool),
    /// FP32 to FP8_EXP5; overflow saturates if set.
    Fp8Exp5(bool),
    /// FP32 to BFLOAT16.
    Bfloat16,
    /// FP32 to FP16.
    Fp16,
    /// FP32 to FP32R; the number of fraction bits dropped.
    Fp32r(u32),
    /// FP32 to INT8; nearest even if set.
    Int8(bool),
    /// FP32 to UINT8; nearest even if set.
    Uint8(bool),
    /// FP32 to INT16; nearest even if set.
    Int16(bool),
    /// FP32 to UINT16; nearest even if set.
    Uint16(bool),
    /// FP32 to INT32; nearest even if set.
    Int32(bool),
    /// FP32 to UINT32; nearest even if set.
    Uint32(bool),
    /// The low 8 bits.
    Bits8,
    /// The low 16 bits.
    Bits16,
    /// All 32 bits: FP32 and 32-bit integers or patterns.
    Bits32,
}

impl Store {
    /// Store out of C_F under the switches `fp8_overflow`, `fp32r_fraction` and `f2i_round`; `None`
    /// for dtypes that no destination of C_F has.
    pub fn float(dtype: Dtype, profile: &Profile) -> Option<Self> {
        let saturate = profile.fp8_overflow == Fp8Overflow::Saturate;
        let nearest_even = profile.f2i_round == F2iRound::NearestEven;
        Some(match dtype {
            Dtype::Fp8Exp3 => Self::Fp8Exp3(saturate),
            Dtype::Fp8Exp4 => Self::Fp8Exp4(saturate),
            Dtype::Fp8Exp5 => Self::Fp8Exp5(saturate),
            Dtype::Bfloat16 => Self::Bfloat16,
            Dtype::Fp16 => Self::Fp16,
            Dtype::Fp32 => Self::Bits32,
            Dtype::Fp32r => Self::Fp32r(23 - profile.fp32r_fraction.bits()),
            Dtype::Int8 => Self::Int8(nearest_even),
            Dtype::Uint8 => Self::Uint8(nearest_even),
            Dtype::Int16 => Self::Int16(nearest_even),
            Dtype::Uint16 => Self::Uint16(nearest_even),
            Dtype::Int32 => Self::Int32(nearest_even),
            Dtype::Uint32 => Self::Uint32(nearest_even),
            _ => return None,
        })
    }

    /// Store of the low bits: integer dtypes out of C_I(32) (spec 03 D-07), patterns out of C_B;
    /// `None` for dtypes that are no integers of at most 32 bits.
    pub const fn low_bits(dtype: Dtype) -> Option<Self> {
        Some(match dtype {
            Dtype::Int8 | Dtype::Uint8 => Self::Bits8,
            Dtype::Int16 | Dtype::Uint16 => Self::Bits16,
            Dtype::Int32 | Dtype::Uint32 => Self::Bits32,
            _ => return None,
        })
    }

    /// Bytes of one memory code.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Fp8Exp3(_)
            | Self::Fp8Exp4(_)
            | Self::Fp8Exp5(_)
            | Self::Int8(_)
            | Self::Uint8(_)
            | Self::Bits8 => 1,
            Self::Bfloat16 | Self::Fp16 | Self::Int16(_) | Self::Uint16(_) | Self::Bits16 => 2,
            Self::Fp32r(_) | Self::Int32(_) | Self::Uint32(_) | Self::Bits32 => 4,
        }
    }
}

simd_fn! {
    /// Stores one code for each value.
    pub fn store(how: Store, values: &[u32], memory: &mut [u8]) = store_body;
}

simd_fn! {
    /// Turns C_I(32) values into FP32, rounded to nearest even (spec 03 section 3.5).
    pub(crate) fn integers_to_floats(signed: bool, values: &mut [u32]) = integers_to_floats_body;
}

#[inline(always)]
fn each8(values: &[u32], memory: &mut [u8], convert: impl Fn(u32) -> u8) {
    for (code, &value) in memory.iter_mut().zip(values) {
        *code = convert(value);
    }
}

#[inline(always)]
fn each16(values: &[u32], memory: &mut [u8], convert: impl Fn(u32) -> u16) {
    for (code, &value) in memory.as_chunks_mut::<2>().0.iter_mut().zip(values) {
        *code = convert(value).to_le_bytes();
    }
}

#[inline(always)]
fn each32(values: &[u32], memory: &mut [u8], convert: impl Fn(u32) -> u32) {
    for (code, &value) in memory.as_chunks_mut::<4>().0.iter_mut().zip(values) {
        *code = convert(value).to_le_bytes();
    }
}

/// Runs the loop with `flag` as a constant.
macro_rules! split {
    ($flag:expr, $known:ident => $loop:expr) => {
        if $flag {
            const $known: bool = true;
            $loop
        } else {
            const $known: bool = false;
            $loop
        }
    };
}

#[inline(always)]
fn store_body(how: Store, values: &[u32], memory: &mut [u8]) {
    match how {
        Store::Fp8Exp3(saturate) => split!(saturate, SATURATE => each8(values, memory, |value| {
            narrow::<3, 4>(value, SATURATE) as u8
        })),
        Store::Fp8Exp4(saturate) => split!(saturate, SATURATE => each8(values, memory, |value| {
            narrow::<4, 3>(value, SATURATE) as u8
        })),
        Store::Fp8Exp5(saturate) => split!(saturate, SATURATE => each8(values, memory, |value| {
            narrow::<5, 2>(value, SATURATE) as u8
        })),
        Store::Bfloat16 => each16(values, memory, |value| narrow_bfloat16(value) as u16),
        Store::Fp16 => each16(values, memory, |value| narrow::<5, 10>(value, false) as u16),
        Store::Fp32r(drop) => each32(values, memory, |value| narrow_fp32r(value, drop)),
        Store::Int8(even) => split!(even, EVEN => each8(values, memory, |value| {
            to_narrow_integer(value, -128, 127, EVEN) as u8
        })),
        Store::Uint8(even) => split!(even, EVEN => each8(values, memory, |value| {
            to_narrow_integer(value, 0, 255, EVEN) as u8
        })),
        Store::Int16(even) => split!(even, EVEN => each16(values, memory, |value| {
            to_narrow_integer(value, -32768, 32767, EVEN) as u16
        })),
        Store::Uint16(even) => split!(even, EVEN => each16(values, memory, |value| {
            to_narrow_integer(value, 0, 65535, EVEN) as u16
        })),
        Store::Int32(even) => split!(even, EVEN => each32(values, memory, |value| {
            to_int32(value, EVEN) as u32
        })),
        Store::Uint32(even) => split!(even, EVEN => each32(values, memory, |value| {
            to_uint32(value, EVEN)
        })),
        Store::Bits8 => each8(values, memory, |value| value as u8),
        Store::Bits16 => each16(values, memory, |value| value as u16),
        Store::Bits32 => each32(values, memory, |value| value),
    }
}

#[inline(always)]
fn integers_to_floats_body(signed: bool, values: &mut [u32]) {
    if signed {
        for value in values {
            *value = (*value as i32 as f32).to_bits();
        }
    } else {
        for value in values {
            *value = (*value as f32).to_bits();
        }
    }
}
