//! Dtype predicates (spec 02 section 2.3) over the raw byte.

use crate::numeric::format::element_size;
use contract::isa::{Dtype, Generation};

/// `dt(d, fp32r)`: no INVALID, FP32R only if allowed, no 64-bit integer, nothing from 0x10 on
/// (DD-DT-EXT).
pub fn dt(generation: Generation, dtype: u8, fp32r: bool) -> bool {
    Dtype::from_wire(dtype).is_some_and(|member| {
        member.since() <= generation
            && dtype < 0x10
            && match member {
                Dtype::Invalid | Dtype::Int64 | Dtype::Uint64 => false,
                Dtype::Fp32r => fp32r,
                _ => true,
            }
    })
}

/// `fp_path`: the fp datapath without FP32R.
pub fn fp_path(dtype: u8) -> bool {
    matches!(
        Dtype::from_wire(dtype),
        Some(
            Dtype::Fp8Exp3
                | Dtype::Fp8Exp4
                | Dtype::Fp8Exp5
                | Dtype::Fp16
                | Dtype::Bfloat16
                | Dtype::Fp32
        )
    )
}

/// `int_path`: the integer datapath of up to 32 bits.
pub fn int_path(dtype: u8) -> bool {
    matches!(
        Dtype::from_wire(dtype),
        Some(
            Dtype::Int8
                | Dtype::Int16
                | Dtype::Int32
                | Dtype::Uint8
                | Dtype::Uint16
                | Dtype::Uint32
        )
    )
}

/// True if the byte is this dtype.
pub fn is(dtype: u8, member: Dtype) -> bool {
    dtype == member.wire()
}

/// `size(d)`, undefined outside 0x1 to 0xF.
pub fn size(dtype: u8) -> Option<u32> {
    Dtype::from_wire(dtype).and_then(element_size)
}

/// The alignment of a dtype: its size, and 1 for FP4_EXP2 from mariana on; undefined for the rest
/// (spec 01 section 7 rule 5).
pub fn alignment(generation: Generation, dtype: u8) -> Option<u32> {
    if is(dtype, Dtype::Fp4Exp2) && generation >= Generation::Mariana {
        return Some(1);
    }
    size(dtype)
}

/// `four(d)`: an element has four bytes.
pub fn four(dtype: u8) -> bool {
    size(dtype) == Some(4)
}
