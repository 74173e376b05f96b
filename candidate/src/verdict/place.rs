//! Addresses: alignment, regions, partitions, channels and pointers (spec 02 sections 2.4, 2.5, 2.8).

use super::group::Group;
use super::record::{ADDRESS, MARKER_REGISTER, Pattern, Record};
use super::sets::{Set, Sets, UNALIGNED};
use contract::isa::{Generation, Geometry};
use contract::outcome::TensorReason;
use contract::state::Space;

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Memory.
    pub space: Space,
    /// Partition.
    pub partition: u32,
    /// Byte offset in the partition.
    pub offset: u32,
    /// True if the offset lies in the active part of the partition.
    pub backed: bool,
}

/// Where a 29-bit address lies; `None` in neither region (spec 01 section 7, rules 1 and 2).
#[inline]
pub fn locate(geometry: &Geometry, address: u32) -> Option<Place> {
    let place = |space, from_base: u32, stride: u32, active| {
        let offset = from_base & (stride - 1);
        let partition = from_base >> stride.trailing_zeros();
        Place { space, partition, offset, backed: offset < active }
    };
    let in_sbuf = address.wrapping_sub(geometry.sbuf_base);
    let in_psum = address.wrapping_sub(geometry.psum_base);
    if in_sbuf < geometry.sbuf_region {
        Some(place(Space::Sbuf, in_sbuf, geometry.sbuf_stride, geometry.sbuf_active))
    } else if in_psum < geometry.psum_region {
        Some(place(Space::Psum, in_psum, geometry.psum_stride, geometry.psum_active))
    } else {
        None
    }
}

/// Most channels of an instruction that starts at a quadrant's first partition.
const QUADRANT_CHANNELS: [u8; 4] = [128, 32, 64, 32];

/// `chan(a, n)` for a word of any marker (VD-CHAN, VD-CHAN-BACKED).
pub fn channels_ok(geometry: &Geometry, word: u32, channels: u8) -> bool {
    if word >> 29 == MARKER_REGISTER {
        return true;
    }
    locate(geometry, word & ADDRESS).is_some_and(|place| {
        place.backed
            & (place.partition % 32 == 0)
            & (channels <= QUADRANT_CHANNELS[(place.partition / 32 % 4) as usize])
    })
}

/// `pat_ok` with both regions allowed: start word, marker rule, counts.
pub fn pattern_ok(
    sets: &Sets,
    geometry: &Geometry,
    pattern: &Pattern,
    dtype: u8,
    written: bool,
) -> bool {
    let word = pattern.address;
    let start = if word >> 31 == 1 {
        is_register(word)
    } else {
        let address = word & ADDRESS;
        let aligned = (address | UNALIGNED) & sets.alignment_mask(dtype) == 0;
        let place = locate(geometry, address);
        let psum = place.is_some_and(|place| place.space == Space::Psum);
        aligned & place.is_some() & !(psum & written & !sets.has(Set::FourBytes, dtype))
    };
    // MP-MARK: plain or register form.
    let marker = pattern.marker() == 0 || pattern.marker() == MARKER_REGISTER;
    start & marker & (pattern.count() != 0)
}

/// The register form of an address word: number below 64, everything between zero.
const fn is_register(word: u32) -> bool {
    word & !0x3F == 0x8000_0000
}

/// `reg_ok`: a register reference in an immediate.
pub const fn immediate_register_ok(word: u32) -> bool {
    word & !0x3F == 0
}

/// `ptr_ok`: a pointer in an immediate of the given alignment less 1.
pub fn pointer_ok(geometry: &Geometry, word: u32, channels: u8, alignment_mask: u32) -> bool {
    (word & !ADDRESS == 0) & (word & alignment_mask == 0) && channels_ok(geometry, word, channels)
}

/// The reason of the first pattern word, in record order, that names a shape register or, from
/// mariana on, an indirect pattern (spec 01 section 7.1, row 3).
pub fn marker_reason(
    group: &Group,
    record: &Record<'_>,
    generation: Generation,
) -> Option<TensorReason> {
    group.patterns.iter().find_map(|field| match record.word32(field.at) >> 29 {
        2 | 6 => Some(TensorReason::AddrShapereg),
        1 if generation >= Generation::Mariana => Some(TensorReason::Ind),
        _ => None,
    })
}
