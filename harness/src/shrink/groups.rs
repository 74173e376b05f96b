//! Buckets of one cause, joined after minimising: what people see. The fine buckets stay what is counted,
//! so that shards can be added up.
//!
//! First signatures are joined by what they say ([`group_of`]); then groups of values by evidence: if the
//! op of one minimised case may be replaced by one that may also stand in another, or if two need the same
//! operator or element type, one rule is behind both.

use super::minimal::Minimal;
use crate::campaign::{Bucket, CampaignResult, Tally};
use crate::compare::Aspect;
use crate::golden::GoldenTally;
use crate::minimise::Size;
use crate::triage::{CaseSize, Signature, group_of};
use contract::isa::Mnemonic;
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
        let fine = tally.buckets.iter().map(|(signature, bucket)| {
            let ties = bucket.minimal.as_ref().map(|minimal| &minimal.ties);
            (group_of(&shown((signature, bucket)), &all), ties)
        });
        let joined = by_evidence(fine);
        let mut best: BTreeMap<Signature, Rank> = BTreeMap::new();
        for (signature, bucket) in &tally.buckets {
            let group = group_of(&shown((signature, bucket)), &all);
            let group = joined.get(&group).cloned().unwrap_or(group);
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

    /// Names the buckets of golden vectors and regressions after their groups.
    pub fn rename(&self, golden: &mut GoldenTally) {
        let names: BTreeMap<String, String> =
            self.of.iter().map(|(fine, group)| (fine.bucket(), group.bucket())).collect();
        golden.rename_buckets(|name| names.get(name).map_or(name, String::as_str).to_owned());
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

/// Groups of values that share a tie, and the group that they become. Its op names the first family; its
/// class says what they share where that is no op.
fn by_evidence<'a>(
    fine: impl Iterator<Item = (Signature, Option<&'a BTreeSet<String>>)>,
) -> BTreeMap<Signature, Signature> {
    let mut ties: BTreeMap<Signature, BTreeSet<&str>> = BTreeMap::new();
    for (group, found) in fine.filter(|(group, _)| group.aspect == Aspect::Value) {
        ties.entry(group).or_default().extend(found.into_iter().flatten().map(String::as_str));
    }
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for (group, ties) in ties {
        let mut cluster = Cluster { common: ties.clone(), ties, members: vec![group] };
        clusters.retain_mut(|other| {
            let tied = other.members[0].class == cluster.members[0].class
                && !other.ties.is_disjoint(&cluster.ties);
            if tied {
                cluster.members.append(&mut other.members);
                cluster.common.retain(|tie| other.common.contains(tie));
                cluster.ties.append(&mut other.ties);
            }
            !tied
        });
        clusters.push(cluster);
    }
    let mut joined = BTreeMap::new();
    for mut cluster in clusters.into_iter().filter(|cluster| cluster.members.len() > 1) {
        cluster.members.sort();
        let whole = cluster.name();
        joined.extend(cluster.members.into_iter().map(|member| (member, whole.clone())));
    }
    joined
}

/// Groups that one rule is behind.
struct Cluster<'a> {
    members: Vec<Signature>,
    /// Ties of any member.
    ties: BTreeSet<&'a str>,
    /// Ties of every member.
    common: BTreeSet<&'a str>,
}

impl Cluster<'_> {
    fn name(&self) -> Signature {
        let mut name = self.members[0].clone();
        name.op.push_str(OTHERS);
        let shared = self.common.iter().find(|tie| Mnemonic::from_name(tie).is_none());
        if let Some(shared) = shared {
            name.class = format!("{}+{shared}", name.class);
        }
        name
    }
}

/// Follows the first family of a group that several share.
const OTHERS: &str = "+others";

/// A result as people see it: buckets of one cause joined, if the buckets were minimised.
pub fn joined(result: &CampaignResult, minimised: bool) -> CampaignResult {
    let mut shown = result.clone();
    if minimised {
        let groups = Groups::of(&result.tally);
        shown.tally = groups.apply(&result.tally);
        groups.rename(&mut shown.golden);
    }
    shown
}
