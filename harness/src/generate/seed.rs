//! Seeds: how a campaign's seed and a case's number become one 64-bit case seed, and how a case seed
//! becomes the bytes that a generator reads.

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

impl CaseSeed {
    /// The seed of case `index` of a campaign. For one campaign no two indices share a seed.
    pub const fn of(campaign: u64, index: u64) -> Self {
        Self(mix(mix(campaign.wrapping_add(GOLDEN)).wrapping_add(index.wrapping_mul(GOLDEN))))
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
