//! How much a campaign runs, and which part of it is this process's.

use crate::generate::CaseSeed;
use std::time::Duration;
use thiserror::Error;

/// When a campaign ends. With both limits, the first one reached ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Number of generated cases over all shards.
    pub cases: Option<u64>,
    /// Time for generated cases.
    pub time: Option<Duration>,
}

/// Share `index` of `count`: the case indices that leave `index` when divided by `count`. Shares
/// partition the indices exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Number of the share, from 0.
    pub index: u64,
    /// Number of shares.
    pub count: u64,
}

impl Shard {
    /// The whole campaign.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Number of this share's cases among the first `cases` indices.
    pub const fn cases_of(self, cases: u64) -> u64 {
        if cases <= self.index { 0 } else { (cases - self.index - 1) / self.count + 1 }
    }

    /// Case index of this share's `number`-th case.
    pub const fn case_index(self, number: u64) -> u64 {
        number * self.count + self.index
    }
}

/// Why a shard was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no shard (expected I/N with 0 <= I < N)")]
pub struct ShardError(String);

impl std::str::FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        text.split_once('/')
            .and_then(|(index, count)| {
                Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
            })
            .filter(|shard| shard.index < shard.count)
            .ok_or_else(|| ShardError(text.to_owned()))
    }
}

/// Which of `families` makes the case with this index. Independent of the case's own draws. Of as many
/// consecutive indices as there are families each gets one, in an order that changes.
pub const fn family_of(seed: u64, index: u64, families: usize) -> usize {
    let families = families as u64;
    let turn = CaseSeed::of(!seed, index / families).0 % families;
    ((index % families + turn) % families) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn shards_partition_the_indices_exactly() {
        for cases in [0, 1, 2, 7, 100] {
            for count in [1, 2, 3, 7] {
                let mut seen = BTreeSet::new();
                for index in 0..count {
                    let shard = Shard { index, count };
                    for number in 0..shard.cases_of(cases) {
                        assert!(seen.insert(shard.case_index(number)));
                    }
                }
                assert_eq!(seen, (0..cases).collect(), "{cases} cases, {count} shards");
            }
        }
    }

    #[test]
    fn reads_shards_and_refuses_nonsense() {
        assert_eq!("1/3".parse(), Ok(Shard { index: 1, count: 3 }));
        for text in ["3/3", "1", "a/2", "1/0", "-1/2", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn families_share_a_campaign_evenly_and_take_turns_in_no_fixed_order() {
        for pair in 0..5_000 {
            assert_ne!(family_of(7, 2 * pair, 2), family_of(7, 2 * pair + 1, 2));
        }
        let first = (0..5_000).filter(|&pair| family_of(7, 2 * pair, 2) == 0).count();
        assert!((2_300..2_700).contains(&first), "{first}");
    }
}
