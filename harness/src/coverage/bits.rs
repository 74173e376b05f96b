//! Sets of bins: one bit each, in words that are there only once a bin was hit.

use super::group::GroupId;

/// A set of bins of one covergroup.
#[derive(Debug, Clone, Default)]
pub struct Bits(Vec<u64>);

impl PartialEq for Bits {
    /// Equal members; words that were never needed do not count.
    fn eq(&self, other: &Self) -> bool {
        let most = self.0.len().max(other.0.len());
        (0..most).all(|at| self.word(at) == other.word(at))
    }
}
impl Eq for Bits {}

impl Bits {
    fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Adds a bin.
    pub fn set(&mut self, bin: usize) {
        let at = bin / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (bin % 64);
    }

    /// Whether the bin is a member.
    pub fn has(&self, bin: usize) -> bool {
        self.word(bin / 64) >> (bin % 64) & 1 == 1
    }

    /// Whether all of `count` bins from this one on are members.
    pub fn has_all(&self, first: usize, count: usize) -> bool {
        (first..first + count).all(|bin| self.has(bin))
    }

    /// Number of members.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Adds the members of another set.
    pub fn add(&mut self, other: &Self) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    /// The words in hexadecimal, bin 0 in the last digit of the first word.
    pub fn to_hex(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::new();
        for word in &self.0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "{word:016x}");
        }
        text
    }

    /// Reads [`to_hex`](Self::to_hex); `None` for other text.
    pub fn from_hex(text: &str) -> Option<Self> {
        if !text.len().is_multiple_of(16) || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let words = (0..text.len()).step_by(16);
        words
            .map(|at| u64::from_str_radix(&text[at..at + 16], 16).ok())
            .collect::<Option<_>>()
            .map(Self)
    }
}

/// The bins of every covergroup that were hit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits([Bits; GroupId::ALL.len()]);

impl Hits {
    /// Bins of a covergroup.
    pub const fn of(&self, group: GroupId) -> &Bits {
        &self.0[group as usize]
    }

    /// Adds a bin.
    pub fn set(&mut self, group: GroupId, bin: usize) {
        self.0[group as usize].set(bin);
    }

    /// Adds the bins of another chunk or shard.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.add(theirs);
        }
    }

    /// Puts back a covergroup's bins.
    pub(crate) fn restore(&mut self, group: GroupId, bits: Bits) {
        self.0[group as usize] = bits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_add_up_and_survive_their_text() {
        let (mut one, mut other) = (Bits::default(), Bits::default());
        one.set(3);
        one.set(200);
        other.set(64);
        one.add(&other);
        assert_eq!(one.count(), 3);
        assert!(one.has(64) && one.has(200) && !one.has(65) && !one.has(100_000));
        assert_eq!(Bits::from_hex(&one.to_hex()), Some(one.clone()));
        for text in ["0", "zz00000000000000", "é000000000000000"] {
            assert_eq!(Bits::from_hex(text), None, "{text}");
        }
        let mut longer = Bits::from_hex(&format!("{}{}", one.to_hex(), "0".repeat(16))).unwrap();
        assert_eq!(longer, one);
        longer.set(0);
        assert_ne!(longer, one);
    }
}
