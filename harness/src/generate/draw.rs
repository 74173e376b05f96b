//! Draws: every decision of a generator goes through [`Draw`], a total reader of
//! [`arbitrary::Unstructured`]. When the bytes run out it reads zeros, and a zero always means the
//! first, smallest, plainest choice; so a short input still gives a sensible small case, and a fuzzer
//! that cuts bytes off simplifies it.

use arbitrary::Unstructured;

/// A total source of decisions.
#[derive(Debug)]
pub struct Draw<'a> {
    bytes: Unstructured<'a>,
    target: Option<u64>,
}

impl<'a> Draw<'a> {
    /// Reads from these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::from_unstructured(Unstructured::new(bytes))
    }

    /// Reads from these bytes, for a case that aims at a target
    /// ([`CaseSeed::target`](super::CaseSeed::target)) if there is one.
    pub fn aiming(bytes: &'a [u8], target: Option<u64>) -> Self {
        Self { target, ..Self::new(bytes) }
    }

    /// Reads on from where an `Unstructured` stands.
    pub fn from_unstructured(bytes: Unstructured<'a>) -> Self {
        Self { bytes, target: None }
    }

    /// The target that the case aims at; a generator takes it modulo the number of its targets.
    pub const fn target(&self) -> Option<u64> {
        self.target
    }

    /// Bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// One byte.
    pub fn u8(&mut self) -> u8 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// Two bytes.
    pub fn u16(&mut self) -> u16 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// Four bytes.
    pub fn u32(&mut self) -> u32 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> u64 {
        self.bytes.arbitrary().unwrap_or(0)
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        match bound {
            0 | 1 => 0,
            2..=16 => (u32::from(self.u8()) * bound) >> 8,
            17..=4096 => (u32::from(self.u16()) * bound) >> 16,
            _ => ((u64::from(self.u32()) * u64::from(bound)) >> 32) as u32,
        }
    }

    /// A number of `low ..= high`; `low` if the range is empty.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// True in `percent` of a hundred draws, to a 256th; false on exhausted bytes.
    pub fn percent(&mut self, percent: u32) -> bool {
        u32::from(self.u8()) * 100 >= 256 * 100u32.saturating_sub(percent)
    }

    /// True once in `n` draws on average; false on exhausted bytes. Never true for `n` = 0.
    pub fn one_in(&mut self, n: u32) -> bool {
        n != 0 && self.u32() > u32::MAX - u32::MAX / n
    }

    /// True with this probability; on exhausted bytes false unless the probability is 1.
    pub fn chance(&mut self, probability: f64) -> bool {
        let refused = (1.0 - probability.clamp(0.0, 1.0)) * f64::from(u32::MAX);
        // The product lies in 0 ..= 2^32 - 1, so the cast is exact up to the fraction it drops.
        probability > 0.0 && self.u32() >= refused as u32
    }

    /// One of the choices; the first on exhausted bytes.
    ///
    /// # Panics
    /// If there is no choice; every caller's table is a non-empty constant or was tested.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    /// One of the choices by weight; the first on exhausted bytes.
    ///
    /// # Panics
    /// If there is no choice; every caller's table is a non-empty constant.
    pub fn weighted<T: Copy>(&mut self, table: &[(u32, T)]) -> T {
        let total: u32 = table.iter().map(|&(weight, _)| weight).sum();
        let mut ticket = (u32::from(self.u16()) * total) >> 16;
        for &(weight, choice) in table {
            if ticket < weight {
                return choice;
            }
            ticket -= weight;
        }
        table[table.len() - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhausted_bytes_give_the_first_choice() {
        let mut draw = Draw::new(&[]);
        assert_eq!(draw.below(1000), 0);
        assert_eq!(draw.between(3, 9), 3);
        assert_eq!(draw.pick(&[7, 8]), 7);
        assert_eq!(draw.weighted(&[(1, 'a'), (99, 'b')]), 'a');
        assert!(!draw.percent(99) && !draw.one_in(2) && !draw.chance(0.999));
        assert!(draw.percent(100) && draw.chance(1.0));
    }

    #[test]
    fn draws_stay_in_range_and_reach_both_ends() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut seen = [false; 7];
        let mut draw = Draw::new(&bytes);
        while draw.left() > 0 {
            seen[draw.between(0, 6) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        let mut draw = Draw::new(&[0xFF; 64]);
        assert_eq!(draw.below(10), 9);
        assert_eq!(draw.below(4096), 4095);
        assert_eq!(draw.below(u32::MAX), u32::MAX - 1);
        assert!(draw.percent(1) && draw.one_in(1_000_000) && draw.chance(1e-6));
        assert!(!draw.percent(0) && !draw.one_in(0) && !draw.chance(0.0));
    }
}
