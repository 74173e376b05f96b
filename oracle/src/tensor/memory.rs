//! Element access to tensor memory and the write list of an instruction (spec 03 section 6). Reads
//! outside every region give zero. Writes are collected while the sources are read and performed
//! afterwards, all or none: that is the snapshot rule (D-37), and an instruction that leaves the
//! case's memory changes nothing.

use crate::tensor::address::Place;
use contract::state::{OutsideCase, Space, TensorState};

/// The code of the element of `size` bytes at a place, little-endian.
pub fn read_element(state: &TensorState, place: Place, size: u32) -> u64 {
    let size = size as usize;
    let mut bytes = [0; 8];
    match state.find(place.space, place.partition, place.offset) {
        Some(hit) if hit.run >= size => {
            let data = &state.regions[hit.region].data[hit.index..hit.index + size];
            bytes[..size].copy_from_slice(data);
        }
        // The element reaches over the edge of a region, or begins outside every region.
        _ => {
            for (offset, byte) in (place.offset..).zip(&mut bytes[..size]) {
                *byte = state.read_byte(place.space, place.partition, offset);
            }
        }
    }
    u64::from_le_bytes(bytes)
}

/// One element to be written.
#[derive(Debug, Clone, Copy)]
struct Write {
    space: Space,
    size: u8,
    partition: u32,
    offset: u32,
    code: u64,
}

/// The writes of one instruction, in their order: channel-major, then stream position. A later write
/// to the same byte wins (D-38).
#[derive(Debug, Clone, Default)]
pub struct WriteList {
    writes: Vec<Write>,
}

impl WriteList {
    /// Forgets every write and keeps the buffer.
    pub fn clear(&mut self) {
        self.writes.clear();
    }

    /// Appends the write of an element.
    pub fn push(&mut self, place: Place, size: u32, code: u64) {
        let Place { space, partition, offset } = place;
        // An element has at most eight bytes.
        self.writes.push(Write { space, size: size as u8, partition, offset, code });
    }

    /// Performs every write.
    ///
    /// # Errors
    /// The first byte that no region holds; nothing is written then.
    pub fn perform(&self, state: &mut TensorState) -> Result<(), OutsideCase> {
        for write in &self.writes {
            check(state, write)?;
        }
        for write in &self.writes {
            let bytes = write.code.to_le_bytes();
            for (offset, &byte) in (write.offset..).zip(&bytes[..usize::from(write.size)]) {
                state.write_byte(write.space, write.partition, offset, byte)?;
            }
        }
        Ok(())
    }
}

/// Every byte of the write lies in a region.
fn check(state: &TensorState, write: &Write) -> Result<(), OutsideCase> {
    let Write { space, partition, .. } = *write;
    let mut offset = write.offset;
    let end = write.offset + u32::from(write.size);
    while offset < end {
        let hit =
            state.find(space, partition, offset).ok_or(OutsideCase { space, partition, offset })?;
        // A run ends inside the partition, far below 2^32.
        offset += hit.run as u32;
    }
    Ok(())
}
