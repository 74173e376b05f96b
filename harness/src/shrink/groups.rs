//! Buckets of one cause, joined after minimising: what people see. The fine buckets stay what is counted,
//! so that shards can be added up.

use super::minimal::Minimal;
use crate::campaign::{Bucket, CampaignResult, Tally};
use crate::minimise::Size;
use crate::triage::{CaseSize, Signature, group_of};
use std::collections::{BTreeMap, BTreeSet};

/// Which group the fine buckets of a run belong to, and whose case stands for the group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    of: BTreeMap<Signature, Signature>,
    chosen: BTreeMap<Signature, Signature>,
}

/// Minimised cases before others, small ones before big ones.
type Rank = (bool, Option<Size>, CaseSize, Signature);

impl Groups {
    /// The groups of a tally whose buckets were minimised. A bucket that was not belongs where its
    /// signature says.
    pub fn of(tally: &Tally) -> Self {
        let shown = |(signature, bucket): (&Signature, &Bucket)| {
            bucket.minimal.as_ref().map_or_else(|| signature.clone(), |it| it.signature.clone())
        };
        let all: BTreeSet<Signature> = tally.buckets.iter().map(shown).collect();
        let mut groups = Self::default();
        let mut best: BTreeMap<Signature, Rank> = BTreeMap::new();
        for (signature, bucket) in &tally.buckets {
            let group = group_of(&shown((signature, bucket)), &all);
            let minimal = bucket.minimal.as_deref();
            let after = minimal.map(Minimal::after);
            let rank = (after.is_none(), after, bucket.best.size, signature.clone());
            let smallest = best.entry(group.clone()).or_insert_with(|| rank.clone());
            if rank < *smallest {
                *smallest = rank;
            }
            groups.of.insert(signature.clone(), group);
        }
        groups.chosen = best.into_iter().map(|(group, rank)| (group, rank.3)).collect();
        groups
    }

    /// The tally with one bucket per group.
    pub fn apply(&self, tally: &Tally) -> Tally {
        let mut joined = Tally { buckets: BTreeMap::new(), ..tally.clone() };
        for (signature, bucket) in &tally.buckets {
            let group = self.of.get(signature).unwrap_or(signature);
            let chosen = self.chosen.get(group) == Some(signature);
            let mut bucket = bucket.clone();
            bucket.best.signature = group.clone();
            match joined.buckets.get_mut(group) {
                None => {
                    joined.buckets.insert(group.clone(), bucket);
                }
                Some(mine) => {
                    let count = mine.count + bucket.count;
                    if chosen {
                        *mine = bucket;
                    }
                    mine.count = count;
                }
            }
        }
        joined
    }
}

/// A result as people see it: buckets of one cause joined, if the buckets were minimised.
pub fn joined(result: &CampaignResult, minimised: bool) -> CampaignResult {
    let mut shown = result.clone();
    if minimised {
        shown.tally = Groups::of(&result.tally).apply(&result.tally);
    }
    shown
}
