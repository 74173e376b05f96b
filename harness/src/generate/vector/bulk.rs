//! Bulk data: a small fast generator, and registers filled element by element.

use super::roles::Lane;
use contract::state::LINE;

/// A fast source of bulk data (SplitMix64).
#[derive(Debug, Clone)]
pub(super) struct Bulk(u64);

impl Bulk {
    /// The data of a seed.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, at most 2^32; 0 if the bound is 0.
    pub(super) const fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * bound as u64) >> 32) as u32
    }

    /// One of the values; 0 if there is none.
    pub(super) fn pick(&mut self, values: &[u32]) -> u32 {
        let at = self.below(values.len() as u32) as usize;
        values.get(at).copied().unwrap_or(0)
    }

    /// Fills bytes with random bits.
    pub(super) fn fill(&mut self, out: &mut [u8]) {
        for bytes in out.chunks_mut(8) {
            let word = self.next().to_le_bytes();
            bytes.copy_from_slice(&word[..bytes.len()]);
        }
    }
}

/// Writes the elements of a register; `element` gives lane by lane.
pub(super) fn lanes(lane: Lane, out: &mut [u8; LINE], mut element: impl FnMut(u32) -> u32) {
    match lane.bits() {
        8 => (0..).zip(out.iter_mut()).for_each(|(at, byte)| *byte = element(at) as u8),
        16 => (0..).zip(out.chunks_exact_mut(2)).for_each(|(at, bytes)| {
            bytes.copy_from_slice(&(element(at) as u16).to_le_bytes());
        }),
        _ => (0..).zip(out.chunks_exact_mut(4)).for_each(|(at, bytes)| {
            bytes.copy_from_slice(&element(at).to_le_bytes());
        }),
    }
}
