//! The formats of spec 03 section 3.1 as data: `rustc_apfloat` semantics of the fp formats, width and
//! signedness of the integer formats, bytes of an element.

use contract::isa::Dtype;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{IeeeFloat, Semantics, Single};

/// An FP32 compute value as its bit pattern.
pub type Fp32 = u32;

/// `QNAN`: the one NaN that an operation generates.
pub const QNAN: Fp32 = 0x7FC0_0000;
/// 1.0.
pub const ONE: Fp32 = 0x3F80_0000;
/// +0.0.
pub const ZERO: Fp32 = 0;
/// +inf; its negative is `INFINITY | SIGN`.
pub const INFINITY: Fp32 = 0x7F80_0000;
/// The sign bit.
pub const SIGN: Fp32 = 0x8000_0000;
/// The top fraction bit, which `quiet` sets.
pub const QUIET: Fp32 = 0x0040_0000;

/// FP8_EXP3: 1-3-4, bias 3, with infinities and NaNs as in IEEE 754 (D-03).
pub struct E3M4;
impl Semantics for E3M4 {
    const BITS: usize = 8;
    const EXP_BITS: usize = 3;
}

/// FP8_EXP4: 1-4-3, bias 7, with infinities and NaNs as in IEEE 754 (D-03).
pub struct E4M3;
impl Semantics for E4M3 {
    const BITS: usize = 8;
    const EXP_BITS: usize = 4;
}

/// FP8_EXP3 as a number type.
pub type Fp8Exp3 = IeeeFloat<E3M4>;
/// FP8_EXP4 as a number type.
pub type Fp8Exp4 = IeeeFloat<E4M3>;

/// The number behind an FP32 pattern.
pub fn single(bits: Fp32) -> Single {
    Single::from_bits(u128::from(bits))
}

/// The FP32 pattern of a number. Never called on a NaN: NaN patterns are made by the rules.
pub fn pattern(value: Single) -> Fp32 {
    value.to_bits() as u32
}

/// `isnan(x)`.
pub const fn is_nan(bits: Fp32) -> bool {
    bits & !SIGN > INFINITY
}

/// `isinf(x)`.
pub const fn is_infinite(bits: Fp32) -> bool {
    bits & !SIGN == INFINITY
}

/// `sgn(x)` in place: the sign bit, also of zeros and NaNs.
pub const fn sign_of(bits: Fp32) -> Fp32 {
    bits & SIGN
}

/// `quiet(x)`: the NaN with its top fraction bit set, sign and payload kept.
pub const fn quiet(bits: Fp32) -> Fp32 {
    bits | QUIET
}

/// `rn32` of an integer; zero gives +0.
pub fn rn32(value: i128) -> Fp32 {
    pattern(Single::from_i128(value).value)
}

/// Width and signedness of an integer dtype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerFormat {
    /// Bits.
    pub bits: u32,
    /// Two's complement if true.
    pub signed: bool,
}

impl IntegerFormat {
    /// The value of the low bits of a pattern.
    pub const fn value(self, pattern: u64) -> i128 {
        let low = pattern as i128 & ((1 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) & 1 == 1 { low - (1 << self.bits) } else { low }
    }

    /// The pattern of a value modulo 2^bits.
    pub const fn pattern(self, value: i128) -> u64 {
        (value & ((1 << self.bits) - 1)) as u64
    }

    /// The range `[lo, hi]`.
    pub const fn range(self) -> (i128, i128) {
        if self.signed {
            (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1)
        } else {
            (0, (1 << self.bits) - 1)
        }
    }
}

/// The integer format of a dtype; `None` for every other dtype.
pub const fn integer_format(dtype: Dtype) -> Option<IntegerFormat> {
    let (bits, signed) = match dtype {
        Dtype::Int8 => (8, true),
        Dtype::Uint8 => (8, false),
        Dtype::Int16 => (16, true),
        Dtype::Uint16 => (16, false),
        Dtype::Int32 => (32, true),
        Dtype::Uint32 => (32, false),
        Dtype::Int64 => (64, true),
        Dtype::Uint64 => (64, false),
        _ => return None,
    };
    Some(IntegerFormat { bits, signed })
}

/// `size(d)`: bytes of an element, defined for codes 0x1 to 0xF only (spec 01 section 7 rule 5).
pub const fn element_size(dtype: Dtype) -> Option<u32> {
    match dtype {
        Dtype::Int8 | Dtype::Uint8 | Dtype::Fp8Exp3 | Dtype::Fp8Exp4 | Dtype::Fp8Exp5 => Some(1),
        Dtype::Int16 | Dtype::Uint16 | Dtype::Bfloat16 | Dtype::Fp16 => Some(2),
        Dtype::Int32 | Dtype::Uint32 | Dtype::Fp32 | Dtype::Fp32r => Some(4),
        Dtype::Int64 | Dtype::Uint64 => Some(8),
        Dtype::Invalid
        | Dtype::Fp4Exp2
        | Dtype::Fp8Exp2
        | Dtype::Int4
        | Dtype::Sfp8E8
        | Dtype::Sfp8E7
        | Dtype::Sfp8E6
        | Dtype::Sfp8E5
        | Dtype::Cptc1
        | Dtype::Cptc2
        | Dtype::Cptc3
        | Dtype::Cptc4
        | Dtype::Cptc5
        | Dtype::Cptc6
        | Dtype::Cptc7 => None,
    }
}
