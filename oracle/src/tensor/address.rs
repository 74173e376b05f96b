//! Start-address words and the places they name (spec 01 sections 3 and 7): decoding only. Whether a
//! word is *legal* is judged in [`crate::verdict`].

use contract::isa::{AddrMarker, Generation};
use contract::state::Space;

/// An ADDR4 word: 29 address bits and three marker bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressWord(pub u32);

impl AddressWord {
    /// `addr(a)`: the 29-bit byte address.
    pub const fn address(self) -> u32 {
        self.0 & 0x1FFF_FFFF
    }

    /// `marker(a)`: byte 3 with its low five bits cleared.
    pub const fn marker(self) -> u8 {
        (self.0 >> 24) as u8 & 0xE0
    }

    /// `is_reg(a)`: the word names an address register, whatever its number.
    pub const fn is_register(self) -> bool {
        self.marker() == AddrMarker::AddrReg.wire()
    }

    /// `is_indirect(a)`: the word is the index address of an indirect pattern.
    pub const fn is_indirect(self) -> bool {
        self.marker() == AddrMarker::IndirectImm.wire()
    }

    /// `shape_reg(a)`: the counts come from registers.
    pub const fn takes_shape_from_register(self) -> bool {
        self.marker() == AddrMarker::ShapeReg.wire()
            || self.marker() == AddrMarker::AddrShapeReg.wire()
    }
}

/// A byte of tensor memory. The offset may lie outside the active bytes of the partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Memory.
    pub space: Space,
    /// Partition.
    pub partition: u32,
    /// Byte offset in the partition.
    pub offset: u32,
}

impl Place {
    /// The place in one partition of the channel with this ordinal.
    pub const fn channel(self, channel: u32) -> Self {
        Self { partition: self.partition + channel, ..self }
    }
}

/// The place of a 29-bit address, if it lies in a region (spec 01 section 7, rules 1 and 2).
pub fn place_of(generation: Generation, address: u32) -> Option<Place> {
    let geometry = generation.geometry();
    let within = |base: u32, region: u32| address >= base && address - base < region;
    let (space, base, stride) = if within(geometry.sbuf_base, geometry.sbuf_region) {
        (Space::Sbuf, geometry.sbuf_base, geometry.sbuf_stride)
    } else if within(geometry.psum_base, geometry.psum_region) {
        (Space::Psum, geometry.psum_base, geometry.psum_stride)
    } else {
        return None;
    };
    let distance = address - base;
    Some(Place { space, partition: distance / stride, offset: distance % stride })
}

/// Backed bytes of a partition.
pub const fn active_bytes(generation: Generation, space: Space) -> u32 {
    match space {
        Space::Sbuf => generation.geometry().sbuf_active,
        Space::Psum => generation.geometry().psum_active,
    }
}
