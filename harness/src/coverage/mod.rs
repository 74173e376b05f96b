//! Functional coverage: what of the space of cases a campaign has been to. A *covergroup* is a list of
//! *bins*, each a situation that some case must reach; most are crosses of a few coordinates. [`Hits`]
//! holds one bit per bin and is a part of every tally; [`collect`] sets the bits of one examined case from the
//! case and the reference's outcome.
//!
//! - [`bits`]: sets of bins.
//! - [`counted`]: groups that are counted in tables of their own: ops, clauses, edge products.
//! - [`schedule`]: the targets of spec 05 section 12 and what else belongs to timing.
//! - [`values`]: what the operands of vector ops hold.
//! - [`tensor`]: the crosses of tensor records.
//! - [`group`]: the covergroups as a table, with a name, and for every bin its name, a recipe and its
//!   [`Standing`]: counted, ignored or illegal, each with the reason.
//! - [`tabulate`]: hits and covergroups under the options of a run, as rows of the report.
//!
//! Bins are numbered by the covergroup alone, whatever the options, so that the hits of shards and nights
//! add up; what a run cannot reach is a bin that its options ignore.

mod bits;
mod counted;
mod group;
mod schedule;
mod tensor;
mod values;

pub use bits::{Bits, Hits};
pub use group::{GROUPS, Group, GroupId, Standing};

use crate::campaign::Tally;
use crate::family::{Family, Op};
use crate::generate::vector::VectorOptions;
use crate::generate::vector::targets::Targets;
use contract::case::Case;
use contract::isa::Generation;
use contract::outcome::Outcome;
use contract::profile::Profile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Holes of a covergroup that a report names.
pub const MOST_HOLES: usize = 100;

/// What a run may reach: which bins count follows from it.
#[derive(Debug)]
pub struct Scope<'a> {
    /// Ops that the run compares.
    pub enabled: &'a [Op],
    /// Generations that it draws from.
    pub generations: &'a [Generation],
    /// Share of broken cases.
    pub near_valid: f64,
    /// Switches of its cases.
    pub profile: Profile,
    targets: Targets,
    every_vector_op: bool,
}

impl<'a> Scope<'a> {
    /// The scope of a run with these options; whatever else is as in the default options.
    pub fn new(
        enabled: &'a [Op],
        generations: &'a [Generation],
        near_valid: f64,
        profile: Profile,
    ) -> Self {
        let every = Op::enabled(Family::Vector);
        let every_vector_op = every.iter().all(|op| enabled.contains(op));
        let asked = enabled.iter().filter_map(|op| match op {
            Op::Vector(mnemonic) if !every_vector_op => Some(*mnemonic),
            _ => None,
        });
        let options = VectorOptions { ops: asked.collect(), ..VectorOptions::DEFAULT };
        let targets = Targets::new(&options);
        Self { enabled, generations, near_valid, profile, targets, every_vector_op }
    }

    /// Whether the run has cases of a family.
    fn has(&self, family: Family) -> bool {
        self.enabled.iter().any(|op| op.family() == family)
    }
}

/// A bin that was not hit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hole {
    /// The bin.
    pub bin: String,
    /// The shortest way there.
    pub recipe: String,
}

/// A covergroup in the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRow {
    /// Name.
    pub group: String,
    /// What its bins are.
    pub title: String,
    /// Bins that count.
    pub bins: u64,
    /// Of those, bins that were hit.
    pub hit: u64,
    /// Ignored bins by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ignored: BTreeMap<String, u64>,
    /// Illegal bins by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub illegal: BTreeMap<String, u64>,
    /// Illegal bins that were hit all the same: a defect of the generator, or of the covergroup.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub illegal_hit: Vec<String>,
    /// The first [`MOST_HOLES`] bins that count and were not hit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Hole>,
}

impl GroupRow {
    /// Bins that count and were not hit.
    pub const fn missing(&self) -> u64 {
        self.bins - self.hit
    }

    /// Its holes as a list of all groups names them.
    pub fn hole_names(&self) -> impl Iterator<Item = String> + '_ {
        let plain = counted::NAMES.contains(&self.group.as_str());
        self.holes.iter().map(move |hole| match plain {
            true => hole.bin.clone(),
            false => format!("{}: {}", self.group, hole.bin),
        })
    }
}

/// Sets the bins that an examined case hit. `seen` are the bins that the caller has counted before, in this
/// tally or in one that it will be added to: what costs much is not looked at again where it could only
/// hit those, so the sum is the same.
pub fn collect(case: &Case, expected: &Outcome, seen: &mut Hits, hits: &mut Hits) {
    match (case, expected) {
        (Case::Vector(case), Outcome::Vector(outcome)) => {
            if let Some(schedule) = &outcome.schedule {
                schedule::collect(schedule, hits);
                values::collect(case, &outcome.steps, schedule, seen, hits);
            }
        }
        (Case::Tensor(case), Outcome::Tensor(outcome)) => {
            tensor::collect(case, &outcome.steps, hits);
        }
        _ => {}
    }
}

/// The covergroups of a run's families as rows.
pub fn tabulate(tally: &Tally, scope: &Scope<'_>) -> Vec<GroupRow> {
    let mut rows = vec![counted::executed_ops(tally, scope)];
    if scope.has(Family::Tensor) {
        rows.push(counted::failed_clauses(tally, scope));
    }
    rows.extend(counted::whole_products(tally, scope));
    let families = GROUPS.iter().filter(|group| scope.has(group.family));
    rows.extend(families.map(|group| group.row(tally.hits.of(group.id), scope)));
    rows
}

/// Numbers of the bins of a covergroup that count and were not hit.
pub fn missing(hits: &Hits, scope: &Scope<'_>, group: &Group) -> Vec<usize> {
    let found = hits.of(group.id);
    (0..(group.count)())
        .filter(|&bin| !found.has(bin) && (group.standing)(bin, scope) == Standing::Counted)
        .collect()
}
