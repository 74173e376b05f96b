//! The interlock in closed form, as an independent check of the model's cycle-by-cycle search: from
//! the postings of a schedule, t(k) = max(t(k-1) + 1, t(j) + D over the *latest* definition of each
//! register) — section 3.1 says that the latest one dominates — and the causes over all of them.

use contract::schedule::{Cause, Hazard, Role, Schedule};
use std::collections::{BTreeMap, BTreeSet};

/// Issue cycle, stall and causes of one bundle.
#[derive(Debug, PartialEq, Eq)]
pub struct Expected {
    pub issue: u32,
    pub stall: u32,
    pub causes: Vec<Cause>,
}

fn distance(def: u8, posting: u8) -> i64 {
    (i64::from(def) - i64::from(posting) + 1).max(1)
}

/// What section 3 gives for the postings of a schedule whose bundles all issued.
pub fn expected(schedule: &Schedule) -> Vec<Expected> {
    // Every definition of a register, in program order: bundle, slot, stage.
    let mut definitions: BTreeMap<_, Vec<(u32, u8, u8)>> = BTreeMap::new();
    let mut issued: Vec<i64> = Vec::new();
    let mut out = Vec::new();
    for (number, bundle) in schedule.bundles.iter().enumerate() {
        let postings: Vec<_> = schedule
            .ops_of(bundle)
            .iter()
            .flat_map(|op| schedule.postings_of(op).iter().map(move |posting| (op.slot, *posting)))
            .filter(|(_, posting)| posting.role != Role::Port)
            .collect();
        let in_order = issued.last().map_or(0, |before| before + 1);
        let bound = postings.iter().filter_map(|(_, p)| {
            let (bundle, _, lat) = definitions.get(&(p.class, p.index))?.last()?;
            Some(issued[*bundle as usize] + distance(*lat, p.lat))
        });
        let issue = bound.max().unwrap_or(0).max(in_order);
        let mut causes = BTreeSet::new();
        for (slot, p) in &postings {
            for &(bundle, producer, lat) in
                definitions.get(&(p.class, p.index)).into_iter().flatten()
            {
                let d = distance(lat, p.lat);
                if issue > in_order && issued[bundle as usize] + d == issue {
                    let hazard = if p.role == Role::Use { Hazard::Raw } else { Hazard::Waw };
                    let index = p.index.unwrap();
                    causes.insert((hazard, p.class, index, bundle, producer, *slot, lat, p.lat, d));
                }
            }
        }
        let causes =
            causes.into_iter().map(|(hazard, class, index, pb, ps, cs, pl, cl, d)| Cause {
                hazard,
                class,
                index,
                producer_bundle: pb,
                producer_slot: ps,
                producer_lat: pl,
                consumer_slot: cs,
                consumer_lat: cl,
                distance: d as u8,
            });
        out.push(Expected {
            issue: issue as u32,
            stall: (issue - in_order) as u32,
            causes: causes.collect(),
        });
        issued.push(issue);
        for (slot, p) in postings {
            if p.role == Role::Def {
                let definition = (number as u32, slot, p.lat);
                definitions.entry((p.class, p.index)).or_default().push(definition);
            }
        }
    }
    out
}

/// Asserts that a schedule is what section 3 gives for its own postings.
pub fn assert_interlock(schedule: &Schedule) {
    let expected = expected(schedule);
    assert_eq!(schedule.bundles.len(), expected.len());
    for (number, (bundle, expected)) in schedule.bundles.iter().zip(&expected).enumerate() {
        assert_eq!(bundle.issue, Some((expected.issue, expected.stall)), "bundle {number}");
        assert_eq!(schedule.causes_of(bundle), expected.causes, "causes of bundle {number}");
    }
    assert_eq!(schedule.cycles, expected.last().map_or(0, |last| last.issue + 1));
}
