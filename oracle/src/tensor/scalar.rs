//! Immediates of the arithmetic class: one FP32 scalar per channel (spec 03 section 3.6).

use crate::numeric::convert::load;
use crate::numeric::format::{Fp32, element_size};
use crate::tensor::address::place_of;
use crate::tensor::memory::read_element;
use crate::tensor::operands::Immediate;
use contract::isa::ImmSrc;
use contract::state::TensorState;

/// The scalar of one channel: the inline word, or the element behind the pointer at the same offset
/// of the channel's partition.
///
/// # Panics
/// If a pointer lies in no region; the immediate clause and EXEC-IMMREG refuse such a record.
pub fn scalar(state: &TensorState, immediate: &Immediate, channel: u32) -> Fp32 {
    if immediate.source == ImmSrc::InstructionImmediate {
        return immediate.word;
    }
    let pointer = immediate.register().map_or(immediate.word, |register| state.registers[register]);
    let place = place_of(state.generation, pointer).expect("ptr_ok admits only backed addresses");
    let size = element_size(immediate.dtype).expect("ptr_ok admits only dtypes with an alignment");
    load(read_element(state, place.channel(channel), size), immediate.dtype)
}
