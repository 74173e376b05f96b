//! Comparison of schedules by spec 05 section 10: postings as exact ordered lists, issue cycle and stall
//! with the first differing bundle as root, cause lists where issue and stall agree, cycles where every
//! bundle agrees. Labels take precedence in the order of [`ScheduleLabel`].
//!
//! A bundle that one schedule alone judges illegal has no postings and no cycle there, so `VERDICT` says
//! all; bundles that one schedule lacks after its end follow from the first of them.

use super::{
    Aspect, Comparison, Divergence, IgnoredReason, Observed, Place, ScheduleLabel, ScheduleRoot,
    Shortfall,
};
use crate::schedule_text::{cause_text, issue_text, postings_text, verdict_text};
use contract::schedule::{BundleTiming, Cause, OpTiming, Posting, Schedule};

pub(super) fn compare(
    expected: Option<&Schedule>,
    actual: Option<&Schedule>,
    result: &mut Comparison,
) {
    let (expected, actual) = match (expected, actual) {
        (Some(expected), Some(actual)) => (expected, actual),
        (None, None) => {
            result.ignored.count(IgnoredReason::NoReferenceSchedule, 1);
            return;
        }
        (None, Some(actual)) => {
            let bundles = actual.bundles.len() as u64;
            result.ignored.count(IgnoredReason::NoReferenceSchedule, bundles.max(1));
            return;
        }
        (Some(expected), None) => {
            let bundles = expected.bundles.len() as u64;
            result.ignored.count(IgnoredReason::NoCandidateSchedule, bundles.max(1));
            return;
        }
    };
    result.compared.postings += expected.postings.len() as u64;
    if expected != actual {
        differences(expected, actual, result);
    }
}

/// One difference before it is sorted by precedence.
struct Found {
    label: ScheduleLabel,
    root: ScheduleRoot,
    bundle: usize,
    slot: Option<u8>,
    following: u32,
    expected: Observed,
    actual: Observed,
}

fn differences(expected: &Schedule, actual: &Schedule, result: &mut Comparison) {
    let mut found = Vec::new();
    if expected.table != actual.table {
        let shown = |schedule: &Schedule| text(format!("table {}", schedule.table.name()));
        found.push(Found {
            label: ScheduleLabel::LatPost,
            root: ScheduleRoot::Other,
            bundle: 0,
            slot: None,
            following: 0,
            expected: shown(expected),
            actual: shown(actual),
        });
    }
    let mut bundles_agree = true;
    let mut issue_root: Option<usize> = None;
    for bundle in 0..expected.bundles.len().max(actual.bundles.len()) {
        let before = found.len();
        let mut issue_differs = false;
        match (expected.bundles.get(bundle), actual.bundles.get(bundle)) {
            (Some(mine), Some(theirs)) => {
                issue_differs =
                    bundle_differences(bundle, (expected, mine), (actual, theirs), &mut found);
            }
            (mine, theirs) if bundle == expected.bundles.len().min(actual.bundles.len()) => {
                let shown = |side: Option<&BundleTiming>| {
                    side.map_or(Observed::Absent, |side| text(verdict_text(side)))
                };
                let last = expected.bundles.len().max(actual.bundles.len());
                found.push(Found {
                    label: ScheduleLabel::Verdict,
                    root: ScheduleRoot::Other,
                    bundle,
                    slot: None,
                    following: (last - bundle - 1) as u32,
                    expected: shown(mine),
                    actual: shown(theirs),
                });
            }
            // Follows from the end of the shorter one.
            _ => {}
        }
        if issue_differs {
            match issue_root {
                None => issue_root = Some(found.len() - 1),
                // Only the first bundle with another issue cycle is a root; this one follows from it.
                Some(root) => {
                    found.truncate(found.len() - 1);
                    found[root].following += 1;
                }
            }
        }
        bundles_agree &= found.len() == before && !issue_differs;
    }
    bundles_agree &= expected.bundles.len() == actual.bundles.len();
    if bundles_agree && expected.cycles != actual.cycles {
        found.push(Found {
            label: ScheduleLabel::Cycles,
            root: ScheduleRoot::Other,
            bundle: expected.bundles.len().saturating_sub(1),
            slot: None,
            following: 0,
            expected: text(format!("= {}", expected.cycles)),
            actual: text(format!("= {}", actual.cycles)),
        });
    }
    found.sort_by_key(|difference| (difference.label, difference.bundle));
    for difference in found {
        result.record(
            1 + u64::from(difference.following),
            Divergence {
                aspect: Aspect::Schedule,
                step: Some(difference.bundle),
                place: Place::Schedule {
                    label: difference.label,
                    root: difference.root,
                    slot: difference.slot,
                    following: difference.following,
                },
                expected: difference.expected,
                actual: difference.actual,
            },
        );
    }
}

/// Adds the differences of one bundle; true if the last one added is `ISSUE`.
fn bundle_differences(
    bundle: usize,
    (expected, mine): (&Schedule, &BundleTiming),
    (actual, theirs): (&Schedule, &BundleTiming),
    found: &mut Vec<Found>,
) -> bool {
    let mut add = |label, root, slot, expected: String, actual: String| {
        found.push(Found {
            label,
            root,
            bundle,
            slot,
            following: 0,
            expected: text(expected),
            actual: text(actual),
        });
    };
    if mine.verdict != theirs.verdict || mine.format != theirs.format {
        add(
            ScheduleLabel::Verdict,
            ScheduleRoot::Other,
            None,
            verdict_text(mine),
            verdict_text(theirs),
        );
        if mine.issue.is_none() != theirs.issue.is_none() {
            return false;
        }
    }
    let (my_ops, their_ops) = (expected.ops_of(mine), actual.ops_of(theirs));
    let same_ops = my_ops.len() == their_ops.len()
        && my_ops
            .iter()
            .zip(their_ops)
            .all(|(mine, theirs)| (mine.slot, mine.op) == (theirs.slot, theirs.op));
    if same_ops {
        for (my_op, their_op) in my_ops.iter().zip(their_ops) {
            let (mine, theirs) = (expected.postings_of(my_op), actual.postings_of(their_op));
            if let Some(label) = posting_label(mine, theirs) {
                let slot = Some(my_op.slot);
                let root = posting_root(mine, theirs);
                add(label, root, slot, postings_text(my_op, mine), postings_text(their_op, theirs));
            }
        }
    } else {
        let names = |ops: &[OpTiming]| {
            ops.iter().map(|op| format!("S{} {}", op.slot, op.op)).collect::<Vec<_>>().join(" ; ")
        };
        add(ScheduleLabel::LatRegset, ScheduleRoot::Other, None, names(my_ops), names(their_ops));
    }
    let (my_causes, their_causes) = (expected.causes_of(mine), actual.causes_of(theirs));
    let root = stall_root((mine, my_causes), (theirs, their_causes));
    if mine.issue != theirs.issue {
        add(ScheduleLabel::Issue, root, None, issue_text(mine), issue_text(theirs));
        return true;
    }
    if my_causes != their_causes {
        add(ScheduleLabel::Cause, root, None, causes_text(my_causes), causes_text(their_causes));
    }
    false
}

/// The posting that differs, if the lists differ in the stages of postings alone: the first one.
fn posting_root(expected: &[Posting], actual: &[Posting]) -> ScheduleRoot {
    let same_place = |(mine, theirs): (&Posting, &Posting)| {
        (mine.class, mine.index, mine.role) == (theirs.class, theirs.index, theirs.role)
    };
    if expected.len() != actual.len() || !expected.iter().zip(actual).all(same_place) {
        return ScheduleRoot::Other;
    }
    let differs = expected.iter().zip(actual).find(|(mine, theirs)| mine.lat != theirs.lat);
    differs.map_or(ScheduleRoot::Other, |(mine, theirs)| ScheduleRoot::Posting {
        class: mine.class,
        role: mine.role,
        expected: mine.lat,
        actual: theirs.lat,
    })
}

/// The hazard that binds on one side alone, or at another distance; of both kinds the read.
fn stall_root(
    (mine, my_causes): (&BundleTiming, &[Cause]),
    (theirs, their_causes): (&BundleTiming, &[Cause]),
) -> ScheduleRoot {
    let only = |here: &'_ [Cause], there: &[Cause]| {
        here.iter().filter(|cause| !there.contains(cause)).map(|cause| cause.hazard).min()
    };
    let hazard = only(my_causes, their_causes).or_else(|| only(their_causes, my_causes));
    let (Some(hazard), Some(mine), Some(theirs)) = (hazard, mine.issue, theirs.issue) else {
        return ScheduleRoot::Other;
    };
    let by = if mine.0.abs_diff(theirs.0) <= 1 { Shortfall::One } else { Shortfall::More };
    ScheduleRoot::Stall(hazard, by)
}

/// Label of two posting lists, `None` if they are equal.
fn posting_label(expected: &[Posting], actual: &[Posting]) -> Option<ScheduleLabel> {
    if expected == actual {
        return None;
    }
    let registers = |postings: &[Posting]| {
        let mut set: Vec<_> =
            postings.iter().map(|posting| (posting.class, posting.index)).collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    if registers(expected) != registers(actual) {
        return Some(ScheduleLabel::LatRegset);
    }
    let sorted = |postings: &[Posting]| {
        let mut list: Vec<_> = postings
            .iter()
            .map(|posting| (posting.class, posting.index, posting.role, posting.lat))
            .collect();
        list.sort_unstable();
        list
    };
    if sorted(expected) == sorted(actual) {
        Some(ScheduleLabel::LatOrder)
    } else {
        Some(ScheduleLabel::LatPost)
    }
}

fn text(text: String) -> Observed {
    Observed::Text(text.into())
}

fn causes_text(causes: &[Cause]) -> String {
    causes.iter().map(cause_text).collect::<Vec<_>>().join(" ")
}
