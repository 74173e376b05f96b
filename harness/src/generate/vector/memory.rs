//! The memory window of a program, addresses in it, and its initial bytes.

use super::super::Draw;
use super::bulk::Bulk;
use contract::case::{MemoryChunk, MemoryWindow};
use contract::state::LINE;

/// Bytes around the start of the region that a base register points at: before and in all.
const CHUNK_BEFORE: u32 = 64;
const CHUNK_BYTES: u32 = 256;

/// Distance from the window's ends that an ordinary address keeps.
const MARGIN: u32 = 640;

/// A memory window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) base: u32,
    pub(super) bytes: u32,
}

impl Window {
    /// The window of most cases.
    pub(super) const DEFAULT: Self = Self { base: 0x0008_0000, bytes: 4096 };

    /// Draws a window: mostly the small one, now and then the large default, one at address 0 (so
    /// that small scalars are addresses), one that ends at 2^32, a tiny one, or one anywhere.
    pub(super) fn draw(draw: &mut Draw<'_>) -> Self {
        let line = LINE as u32;
        match draw.below(256) {
            0..=181 => Self::DEFAULT,
            182..=197 => Self { bytes: 65536, ..Self::DEFAULT },
            198..=221 => Self { base: 0, bytes: 4096 },
            222..=235 => Self { base: 0xffff_f000, bytes: 4096 },
            236..=243 => Self { bytes: line << draw.below(4), ..Self::DEFAULT },
            244..=247 => Self { base: 0x1000, bytes: 4096 },
            _ => {
                let bytes = (1 + draw.below(128)) * line;
                // Below the last possible base, so that the window ends within the address space.
                let base = draw.u32() & !(line - 1);
                Self { base: base.min(u32::MAX - bytes + 1), bytes }
            }
        }
    }

    /// An address of an ordinary stream or access: mostly well inside, sometimes near either end.
    pub(super) fn address(&self, draw: &mut Draw<'_>) -> u32 {
        let place = draw.below(16);
        let margin = MARGIN.min(self.bytes / 4);
        let lines = self.bytes / LINE as u32;
        let line = match place {
            0 => 0,
            1 => lines - 1,
            2 => draw.below(3).min(lines - 1),
            3 => lines - 1 - draw.below(12).min(lines - 1),
            _ => (margin + draw.below(self.bytes - 2 * margin)) / LINE as u32,
        };
        let phase = match draw.below(8) {
            0 => 0,
            1 => draw.pick(&[63, 1, 32, 31, 33, 4, 60, 62]),
            _ => draw.below(LINE as u32),
        };
        self.base.wrapping_add(line * LINE as u32 + phase)
    }

    /// An address anywhere inside, from bulk data.
    pub(super) fn anywhere(&self, bulk: &mut Bulk) -> u32 {
        let margin = MARGIN.min(self.bytes / 4);
        self.base.wrapping_add(margin + bulk.below(self.bytes - 2 * margin))
    }

    /// Sets the window of a case; init chunks stay.
    pub(super) fn apply(&self, window: &mut MemoryWindow) {
        (window.base, window.bytes) = (self.base, self.bytes);
    }

    /// The part of `CHUNK_BYTES` bytes around an address that lies in the window, as start and length.
    fn around(&self, address: u32) -> Option<(u32, usize)> {
        let at = address.wrapping_sub(self.base) & !(LINE as u32 - 1);
        if at >= self.bytes {
            return None;
        }
        let start = at.saturating_sub(CHUNK_BEFORE);
        let end = at.saturating_add(CHUNK_BYTES - CHUNK_BEFORE).min(self.bytes);
        Some((self.base.wrapping_add(start), (end - start) as usize))
    }
}

/// Adds initial bytes around an address; buffers come from `spare`.
pub(super) fn chunk(
    draw: &mut Draw<'_>,
    window: &Window,
    address: u32,
    spare: &mut Vec<Vec<u8>>,
    init: &mut Vec<MemoryChunk>,
) {
    let Some((start, length)) = window.around(address) else { return };
    let style = draw.below(8);
    let mut bulk = Bulk::new(draw.u64());
    let mut data = spare.pop().unwrap_or_default();
    data.clear();
    data.resize(length, 0);
    match style {
        // A ramp tells the bytes of neighbouring lines apart.
        0..=2 => {
            let first = bulk.next() as u8;
            (0u32..).zip(&mut data).for_each(|(at, byte)| {
                *byte = first.wrapping_add(at as u8).wrapping_add((at >> 6) as u8);
            });
        }
        // Words that a scalar load can use: small numbers and addresses.
        3..=4 => data.chunks_exact_mut(4).for_each(|bytes| {
            let word = match bulk.below(4) {
                0 => window.anywhere(&mut bulk),
                1 => bulk.next() as u32,
                _ => bulk.below(129).wrapping_sub(64),
            };
            bytes.copy_from_slice(&word.to_le_bytes());
        }),
        // The bytes at which extension and narrowing change their mind.
        5 => data.iter_mut().for_each(|byte| {
            *byte = bulk.pick(&[0, 0x7f, 0x80, 0xff, 1, 0xfe]) as u8;
        }),
        _ => bulk.fill(&mut data),
    }
    init.push(MemoryChunk { address: start, data });
}
