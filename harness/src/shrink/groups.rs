//! Buckets of one cause, joined after minimising: what people see. The fine buckets stay what is counted,
//! so that shards can be added up.
//!
//! First signatures are joined by what they say ([`group_of`]); then groups of values by evidence: if the
//! op of one minimised case may be replaced by one that may also stand in another, or if two allow the same
//! few operators or element types, one rule is behind both.

use super::minimal::Minimal;
use crate::campaign::{Bucket, CampaignResult, Tally};
use crate::compare::Aspect;
use crate::golden::GoldenTally;
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
        let fine = tally.buckets.iter().map(|(signature, bucket)| {
            (group_of(&shown((signature, bucket)), &all), bucket.minimal.as_deref())
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

/// The groups of values that get another name: those that share a tie become one, and a group whose
/// minimised cases all need the same operator or element type is named after it too.
fn by_evidence<'a>(
    fine: impl Iterator<Item = (Signature, Option<&'a Minimal>)>,
) -> BTreeMap<Signature, Signature> {
    let mut groups: BTreeMap<Signature, Cluster<'a>> = BTreeMap::new();
    for (group, minimal) in fine.filter(|(group, _)| group.aspect == Aspect::Value) {
        let mut cluster = Cluster { members: vec![group.clone()], ..Cluster::default() };
        if let Some(minimal) = minimal {
            cluster.ties = minimal.ties.iter().map(String::as_str).collect();
            cluster.needs = Some(minimal.needs.iter().map(String::as_str).collect());
        }
        match groups.get_mut(&group) {
            Some(mine) => mine.absorb(cluster),
            None => {
                groups.insert(group, cluster);
            }
        }
    }
    let mut clusters: Vec<Cluster<'_>> = Vec::new();
    for mut cluster in groups.into_values() {
        clusters.retain_mut(|other| {
            let tied = other.members[0].class == cluster.members[0].class
                && !other.ties.is_disjoint(&cluster.ties);
            if tied {
                cluster.absorb(std::mem::take(other));
            }
            !tied
        });
        clusters.push(cluster);
    }
    let mut renamed = BTreeMap::new();
    for cluster in clusters {
        let whole = cluster.name();
        renamed.extend(cluster.members.into_iter().map(|member| (member, whole.clone())));
    }
    renamed
}

/// Groups that one rule is behind.
#[derive(Default)]
struct Cluster<'a> {
    /// In order, each once.
    members: Vec<Signature>,
    /// Ties of any minimised case.
    ties: BTreeSet<&'a str>,
    /// Needs of every minimised case; `None` if there is none.
    needs: Option<BTreeSet<&'a str>>,
}

impl Cluster<'_> {
    fn absorb(&mut self, mut other: Self) {
        self.members.append(&mut other.members);
        self.members.sort();
        self.members.dedup();
        self.ties.append(&mut other.ties);
        self.needs = match (self.needs.take(), other.needs) {
            (Some(mine), Some(theirs)) => Some(mine.intersection(&theirs).copied().collect()),
            (mine, theirs) => mine.or(theirs),
        };
    }

    fn name(&self) -> Signature {
        let mut name = self.members[0].clone();
        if self.members.len() > 1 {
            name.op.push_str(OTHERS);
        }
        let needs = self.needs.iter().flatten().copied().collect::<Vec<_>>();
        // A trait says what the cause is already.
        if !needs.is_empty() && !name.class.contains('+') {
            name.class = format!("{}+{}", name.class, needs.join("."));
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

#[cfg(test)]
mod tests {
    use super::*;
    use contract::json::read_case;

    fn minimal(ties: &[&str], needs: &[&str]) -> Minimal {
        let case = r#"{"version":1,"kind":"vector","id":"m","profile":{},"program":["F0 { }"]}"#;
        let case = read_case(case).unwrap();
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Minimal {
            signature: group("", ""),
            before: Size::of(&case),
            case,
            evaluations: 1,
            one_minimal: true,
            interrupted: false,
            generalisation: String::new(),
            ties: words(ties),
            needs: words(needs),
        }
    }

    fn group(op: &str, class: &str) -> Signature {
        Signature { aspect: Aspect::Value, op: op.to_owned(), class: class.to_owned() }
    }

    /// The names that groups of values get.
    fn names(fine: &[(&str, &str, &[&str], &[&str])]) -> Vec<String> {
        let fine: Vec<_> = fine
            .iter()
            .map(|(op, class, ties, needs)| (group(op, class), minimal(ties, needs)))
            .collect();
        let renamed = by_evidence(fine.iter().map(|(group, it)| (group.clone(), Some(it))));
        let named: BTreeSet<String> = renamed.values().map(Signature::to_string).collect();
        named.into_iter().collect()
    }

    #[test]
    fn ops_that_stand_for_each_other_are_one_group_and_others_are_not() {
        let add: (_, _, &[_], &[_]) = ("ADD", "data", &["ADDNX16", "SUBNX16"], &[]);
        let sub: (_, _, &[_], &[_]) = ("SUB", "data", &["SUBNX16"], &[]);
        assert_eq!(names(&[add, sub]), ["value-ADD+others-data"]);
        let sel: (_, _, &[_], &[_]) = ("SEL", "data", &["SELNX16"], &[]);
        let elsewhere: (_, _, &[_], &[_]) = ("SUB", "address", &["SUBNX16"], &[]);
        assert_eq!(
            names(&[add, sel, elsewhere]),
            ["value-ADD-data", "value-SEL-data", "value-SUB-address"]
        );
    }

    #[test]
    fn an_operator_that_every_case_needs_is_part_of_the_name() {
        let with = |needs: &'static [&'static str]| -> (_, _, &'static [&'static str], _) {
            ("Cache", "data", needs, needs)
        };
        assert_eq!(names(&[with(&["Max"]), with(&["Max", "to.FP16"])]), ["value-Cache-data+Max"]);
        assert_eq!(names(&[with(&["Max"]), with(&["Min"])]), ["value-Cache-data"]);
        let other: (_, _, &[_], &[_]) = ("Scan", "data", &["Max"], &["Max"]);
        assert_eq!(names(&[with(&["Max"]), other]), ["value-Cache+others-data+Max"]);
        let traits: (_, _, &[_], &[_]) = ("any", "data+fp8", &[], &["to.FP8_EXP4"]);
        assert_eq!(names(&[traits]), ["value-any-data+fp8"]);
    }
}
