//! Immediate predicates (spec 02 section 2.8).

use crate::tensor::address::{AddressWord, place_of};
use crate::verdict::address::{ADDRESS_REGISTERS, chan};
use crate::verdict::dtype::alignment;
use contract::isa::{Dtype, Generation, ImmSrc};

/// `ptr_ok(v, n, …)`: top three bits zero, a legal start for the channels, in SBUF or PSUM, aligned
/// to the dtype of the scalar (FP32, that is 4 bytes, in the arithmetic class).
pub fn ptr_ok(generation: Generation, value: u32, channels: u8, dtype: u8) -> bool {
    let word = AddressWord(value);
    word.marker() == 0
        && chan(generation, word, channels)
        && place_of(generation, word.address()).is_some()
        && alignment(generation, dtype).is_some_and(|alignment| value.is_multiple_of(alignment))
}

/// `reg_ok(v)`: bytes 1 to 3 zero, register number below 64 (VD-IMMREG).
pub fn reg_ok(value: u32) -> bool {
    value < u32::from(ADDRESS_REGISTERS)
}

/// `inl_ok(v)` of the arithmetic class: any FP32 pattern.
pub fn inl_ok_arith(_: u32) -> bool {
    true
}

/// `imm_ok(src, v)` of the arithmetic class.
pub fn imm_ok_arith(generation: Generation, source: u8, value: u32, channels: u8) -> bool {
    match ImmSrc::from_wire(source) {
        Some(ImmSrc::InstructionImmediate) => inl_ok_arith(value),
        Some(ImmSrc::PointerImmediate) => ptr_ok(generation, value, channels, Dtype::Fp32.wire()),
        Some(ImmSrc::RegPtrImmediate) => reg_ok(value),
        None => false,
    }
}
