//! Element access of a misreader: where a stream walks, what a scalar is, what a step had written.

use super::reading::{Immediate, Reading};
use super::rules::{Rules, Twist};
use contract::isa::ImmSrc;
use contract::state::TensorState;
use oracle::numeric::convert;
use oracle::tensor::address::{Place, place_of};
use oracle::tensor::memory::read_element;
use oracle::tensor::operands::Operand;
use oracle::tensor::pattern::Pattern;

/// Byte offsets of a walk in stream order; `None` for an element before the partition.
pub fn offsets(pattern: &Pattern, size: u32, start: u32, twist: Twist, out: &mut Vec<Option<u32>>) {
    out.clear();
    let scale = if twist == Twist::StepsAreBytes { 1 } else { i64::from(size) };
    let step = |axis: usize| match pattern.steps[axis] {
        0 if twist == Twist::ZeroStepIsOne => scale,
        step if twist == Twist::StepsUnsigned => scale * i64::from(step as u16),
        step => scale * i64::from(step),
    };
    let steps = [step(0), step(1), step(2), step(3)];
    let mut order = [0, 1, 2, 3];
    if twist == Twist::OuterAxisFastest {
        order.reverse();
    }
    let mut index = [0; 4];
    for _ in 0..pattern.count() {
        let distance: i64 = (0..4).map(|axis| i64::from(index[axis]) * steps[axis]).sum();
        out.push(u32::try_from(i64::from(start) + distance).ok());
        for axis in order {
            index[axis] += 1;
            if index[axis] < pattern.counts[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

/// The element at an offset of a channel's partition, as a code; zero outside.
pub fn element(state: &TensorState, start: Place, channel: u32, at: Option<u32>, size: u32) -> u64 {
    at.map_or(0, |offset| read_element(state, Place { offset, ..start.channel(channel) }, size))
}

/// Writes an element; what lies outside the case's memory is dropped.
pub fn put(state: &mut TensorState, place: Place, size: u32, code: u64) {
    for (offset, byte) in (place.offset..).zip(&code.to_le_bytes()[..size as usize]) {
        // A misreading may leave the case's memory, which is no finding.
        let _ = state.write_byte(place.space, place.partition, offset, *byte);
    }
}

/// The scalar of a channel (spec 03 section 3.6).
pub fn scalar(
    state: &TensorState,
    reading: &Reading,
    rules: &Rules,
    immediate: Immediate,
    channel: u32,
) -> u32 {
    let channel = if rules.twist == Twist::ScalarOfFirstChannel { 0 } else { channel };
    let dtype = reading.source.dtype;
    let source = match (ImmSrc::from_wire(immediate.source), rules.twist) {
        (Some(ImmSrc::InstructionImmediate), Twist::SwappedSelectors) => ImmSrc::PointerImmediate,
        (Some(ImmSrc::PointerImmediate), Twist::SwappedSelectors) => ImmSrc::InstructionImmediate,
        (source, _) => source.unwrap_or(ImmSrc::InstructionImmediate),
    };
    let pointer = match source {
        ImmSrc::InstructionImmediate if rules.twist == Twist::InlineInInputDtype => {
            let mask = (1_u64 << (8 * reading.source.element_size())) - 1;
            return convert::load(u64::from(immediate.word) & mask, dtype);
        }
        ImmSrc::InstructionImmediate => return immediate.word,
        ImmSrc::PointerImmediate => immediate.word,
        ImmSrc::RegPtrImmediate => {
            let register = state.registers[immediate.word as usize & 0x3F];
            if rules.twist == Twist::RegisterIsScalar {
                return register;
            }
            register
        }
    };
    let Some(place) = place_of(reading.generation, pointer) else { return 0 };
    let place = place.channel(channel);
    if rules.twist == Twist::PointerInInputDtype {
        return convert::load(read_element(state, place, reading.source.element_size()), dtype);
    }
    read_element(state, place, 4) as u32
}

/// Bytes that a step is about to write, to be put back.
#[derive(Debug, Default)]
pub struct Saved {
    bytes: Vec<(usize, usize, u8)>,
    offsets: Vec<Option<u32>>,
}

impl Saved {
    /// Saves the bytes of every destination element.
    pub fn take(&mut self, state: &TensorState, start: Place, destination: &Operand) {
        self.bytes.clear();
        let size = destination.element_size();
        offsets(&destination.pattern, size, start.offset, Twist::None, &mut self.offsets);
        for channel in 0..destination.channels {
            let partition = start.partition + channel;
            for offset in self.offsets.iter().flatten() {
                for at in *offset..*offset + size {
                    if let Some(hit) = state.find(start.space, partition, at) {
                        let byte = state.regions[hit.region].data[hit.index];
                        self.bytes.push((hit.region, hit.index, byte));
                    }
                }
            }
        }
    }

    /// Puts them back.
    pub fn restore(&self, state: &mut TensorState) {
        for &(region, index, byte) in &self.bytes {
            state.regions[region].data[index] = byte;
        }
    }
}
