//! The 64-byte record as bytes and as little-endian words, and the parts that clauses read: patterns
//! (spec 01 section 4.1) and address words (spec 01 section 3).

use contract::case::RECORD;

/// Address bits of an address word.
pub const ADDRESS: u32 = 0x1FFF_FFFF;
/// Marker of the register form.
pub const MARKER_REGISTER: u32 = 4;

/// A record, read both ways.
pub struct Record<'a> {
    /// The bytes.
    pub bytes: &'a [u8; RECORD],
    /// The same as eight words.
    pub words: [u64; 8],
}

impl<'a> Record<'a> {
    /// Reads the words.
    pub fn new(bytes: &'a [u8; RECORD]) -> Self {
        let mut words = [0; 8];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*chunk);
        }
        Self { bytes, words }
    }

    /// The 32-bit value at a byte offset that is a multiple of 4.
    #[inline(always)]
    pub const fn word32(&self, at: usize) -> u32 {
        (self.words[at / 8] >> (at % 8 * 8)) as u32
    }

    /// The 16-bit value at an even byte offset.
    #[inline(always)]
    const fn word16(&self, at: usize) -> u16 {
        (self.words[at / 8] >> (at % 8 * 8)) as u16
    }

    /// A plain pattern of `rank` axes at a byte offset.
    pub fn pattern(&self, at: usize, rank: usize) -> Pattern {
        let mut pattern = Pattern { address: self.word32(at), rank, ..Pattern::default() };
        for axis in 0..rank {
            pattern.steps[axis] = self.word16(at + 4 + 2 * axis) as i16;
            pattern.counts[axis] = self.word16(at + 4 + 2 * rank + 2 * axis);
        }
        pattern
    }
}

/// A plain pattern as it stands in the record.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pattern {
    /// The start word.
    pub address: u32,
    rank: usize,
    steps: [i16; 4],
    counts: [u16; 4],
}

impl Pattern {
    /// Bits 29 to 31 of the start word.
    pub const fn marker(&self) -> u32 {
        self.address >> 29
    }

    /// Step and count of each axis, innermost first.
    pub fn axes(&self) -> impl Iterator<Item = (i16, u16)> + '_ {
        self.steps.iter().copied().zip(self.counts.iter().copied()).take(self.rank)
    }

    /// Product of the counts; 0 exactly if a count is 0.
    pub fn count(&self) -> u64 {
        self.axes().map(|(_, count)| u64::from(count)).product()
    }

    /// Product of the counts of the `axes` innermost axes.
    pub fn inner_count(&self, axes: usize) -> u64 {
        self.axes().take(axes).map(|(_, count)| u64::from(count)).product()
    }
}
