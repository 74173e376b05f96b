//! Plain access patterns and their walk (spec 01 section 4.1, spec 03 section 6). A pattern of any
//! rank is one type: axes that the record lacks have step 0 and count 1, which changes no address.

use crate::tensor::address::AddressWord;

/// Axes of the largest pattern.
pub const AXES: usize = 4;

/// A plain pattern TENSOR1D to TENSOR4D. Axis 0 is X, the innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// Start word.
    pub start: AddressWord,
    /// Steps in elements, signed.
    pub steps: [i16; AXES],
    /// Counts in elements.
    pub counts: [u16; AXES],
}

impl Pattern {
    /// Reads a pattern of `RANK` axes: start word, then all steps, then all counts.
    pub fn decode<const RANK: usize>(bytes: &[u8]) -> Self {
        const { assert!(RANK >= 1 && RANK <= AXES) };
        let half = |at: usize| [bytes[at], bytes[at + 1]];
        let mut pattern = Self {
            start: AddressWord(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            steps: [0; AXES],
            counts: [1; AXES],
        };
        for axis in 0..RANK {
            pattern.steps[axis] = i16::from_le_bytes(half(4 + 2 * axis));
            pattern.counts[axis] = u16::from_le_bytes(half(4 + 2 * RANK + 2 * axis));
        }
        pattern
    }

    /// `count(p)`: the product of all counts. Four counts below 2^16 cannot wrap.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).product()
    }

    /// The element offsets of the stream, relative to the start, in stream order.
    pub fn walk(&self) -> Walk<'_> {
        Walk { pattern: self, index: [0; AXES], left: self.count() }
    }

    /// Smallest and largest element offset of the walk, without walking it. Every axis reaches both
    /// its ends independently of the others, so both extremes occur.
    pub fn extremes(&self) -> (i64, i64) {
        let mut extremes = (0, 0);
        for (&step, &count) in self.steps.iter().zip(&self.counts) {
            let end = i64::from(step) * (i64::from(count) - 1);
            extremes.0 += end.min(0);
            extremes.1 += end.max(0);
        }
        extremes
    }
}

/// Iterator over element offsets; see [`Pattern::walk`].
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    pattern: &'a Pattern,
    index: [u16; AXES],
    left: u64,
}

impl Iterator for Walk<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let mut offset = 0;
        for axis in 0..AXES {
            offset += i64::from(self.index[axis]) * i64::from(self.pattern.steps[axis]);
        }
        for axis in 0..AXES {
            self.index[axis] += 1;
            if self.index[axis] < self.pattern.counts[axis] {
                break;
            }
            self.index[axis] = 0;
        }
        Some(offset)
    }
}
