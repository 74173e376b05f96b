//! Seeds: how a campaign's seed and a case's index become one 64-bit case seed, and how a case seed
//! becomes the bytes that a generator reads.
//!
//! A case seed is a scrambled *number*; a campaign's cases have consecutive numbers. The bytes of a seed
//! look random, but the number can be read back ([`CaseSeed::number`]), and one case in four takes from it
//! which *target* to aim at ([`CaseSeed::target`]): consecutive cases aim at consecutive targets, so that
//! a campaign reaches each of a long list of combinations without waiting for luck, and a case that shall
//! aim at a target is a seed like any other ([`CaseSeed::aiming`]).

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

/// Bytes that a seed expands to. A case that reads more goes on with zeros, which every draw takes
/// as "small and simple".
pub const EXPANDED: usize = 2048;

/// The increment of the golden-ratio sequence; odd, so that index times increment is a bijection.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The seed of one generated case. Together with the options it names the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseSeed(pub u64);

/// Numbers of one campaign start at a multiple of this.
const BLOCK: u64 = 8;

impl CaseSeed {
    /// The seed of case `index` of a campaign. For one campaign no two indices share a seed.
    pub const fn of(campaign: u64, index: u64) -> Self {
        let start = mix(campaign.wrapping_add(GOLDEN)) / BLOCK * BLOCK;
        Self::numbered(start.wrapping_add(index))
    }

    /// The seed with this number.
    const fn numbered(number: u64) -> Self {
        Self(mix(number.wrapping_mul(GOLDEN)))
    }

    /// The number of the seed.
    const fn number(self) -> u64 {
        unmix(self.0).wrapping_mul(inverse(GOLDEN))
    }

    /// The target that the case aims at, if it is one of those that aim: each value twice in eight
    /// consecutive cases, then the next. A generator takes it modulo the number of its targets.
    pub const fn target(self) -> Option<u64> {
        let number = self.number();
        if number >> 1 & 3 == 0 { Some(number / BLOCK) } else { None }
    }

    /// A seed whose case aims at `target` of `count`; `salt` tells such seeds apart.
    pub const fn aiming(target: u64, count: u64, salt: u64) -> Self {
        // Halved, so that the round fits whatever the count is.
        let rounds = (u64::MAX / BLOCK / 2) / if count == 0 { 1 } else { count };
        let round = mix(salt) % if rounds == 0 { 1 } else { rounds };
        Self::numbered((target + round * count) * BLOCK + (mix(!salt) & 1))
    }
}

impl fmt::Display for CaseSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#018x}", self.0)
    }
}

impl FromStr for CaseSeed {
    type Err = ParseIntError;

    /// Reads a decimal number, or a hexadecimal one after `0x`.
    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        }
        .map(Self)
    }
}

/// The finaliser of SplitMix64, a bijection on 64 bits.
const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// Undoes [`mix`].
const fn unmix(value: u64) -> u64 {
    let value = value ^ (value >> 31) ^ (value >> 62);
    let value = value.wrapping_mul(inverse(0x94D0_49BB_1331_11EB));
    let value = value ^ (value >> 27) ^ (value >> 54);
    let value = value.wrapping_mul(inverse(0xBF58_476D_1CE4_E5B9));
    value ^ (value >> 30) ^ (value >> 60)
}

/// The multiplicative inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles
/// the number of right bits, three of which are right to begin with.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// Fills `bytes` with the [`EXPANDED`] bytes of a seed; the buffer is reused.
pub fn expand(seed: CaseSeed, bytes: &mut Vec<u8>) {
    bytes.resize(EXPANDED, 0);
    fill_random(&mut Xoshiro256PlusPlus::seed_from_u64(seed.0), bytes);
}

/// Fills bytes with the words of a generator, little-endian.
pub(super) fn fill_random(random: &mut impl RngCore, bytes: &mut [u8]) {
    let mut words = bytes.chunks_exact_mut(8);
    for word in &mut words {
        word.copy_from_slice(&random.next_u64().to_le_bytes());
    }
    let rest = words.into_remainder();
    if !rest.is_empty() {
        let word = random.next_u64().to_le_bytes();
        rest.copy_from_slice(&word[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_seed_is_read_back() {
        for number in [0, 1, 7, 8, 0x0123_4567_89AB_CDEF, u64::MAX] {
            assert_eq!(CaseSeed::numbered(number).number(), number);
            assert_eq!(unmix(mix(number)), number);
        }
        assert_eq!(inverse(GOLDEN).wrapping_mul(GOLDEN), 1);
    }

    #[test]
    fn two_of_eight_consecutive_cases_aim_at_one_target_and_the_next_two_at_the_next() {
        let targets: Vec<_> =
            (0..8_000).filter_map(|index| CaseSeed::of(7, index).target()).collect();
        assert_eq!(targets.len(), 2_000);
        for pairs in targets.chunks(2) {
            assert_eq!(pairs[0], pairs[1]);
        }
        assert!(targets.windows(3).all(|three| three[2] == three[0] + 1));
    }

    #[test]
    fn an_aiming_seed_aims_where_it_should() {
        for (target, count) in [(0, 1), (5, 7), (40_000, 40_001), (0, u64::MAX / 1024)] {
            let seeds: Vec<_> =
                (0..100).map(|salt| CaseSeed::aiming(target, count, salt)).collect();
            assert!(seeds.iter().all(|seed| seed.target().map(|t| t % count) == Some(target)));
            let distinct: std::collections::BTreeSet<_> = seeds.iter().collect();
            assert!(distinct.len() > 10, "{}", distinct.len());
        }
    }
}
