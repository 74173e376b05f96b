//! What differs between two entries of one bundle, in words.

use crate::report::chart::grid::{causes_of, ops_of, postings_of};
use crate::report::chart::words::plain;
use contract::schedule::{BundleTiming, BundleVerdict, Cause, OpTiming, Schedule};
use std::fmt::Display;

/// The differences of two entries of one bundle, in the order of spec 05 section 10.
pub(super) fn differences(
    expected: &Schedule,
    mine: &BundleTiming,
    actual: &Schedule,
    theirs: &BundleTiming,
) -> Vec<String> {
    let mut texts = Vec::new();
    let mut differ = |what: &str, mine: &dyn Display, theirs: &dyn Display| {
        texts.push(format!("{what}: expected {mine}, actual {theirs}"));
    };
    if mine.format != theirs.format {
        let [mine, theirs] = [mine, theirs].map(|bundle| plain_word(bundle.format.text()));
        differ("format", &mine, &theirs);
    }
    if mine.verdict != theirs.verdict {
        differ("verdict", &verdict_text(&mine.verdict), &verdict_text(&theirs.verdict));
    }
    if mine.issue != theirs.issue {
        differ("issue", &issue_words(mine), &issue_words(theirs));
    }
    let (my_ops, their_ops) = (ops_of(expected, mine), ops_of(actual, theirs));
    for op in my_ops {
        let same = |other: &&OpTiming| (other.slot, other.op) == (op.slot, op.op);
        let Some(other) = their_ops.iter().find(same) else {
            texts.push(format!("S{} {}: only expected", op.slot, op.op));
            continue;
        };
        let lists = (postings_of(expected, op), postings_of(actual, other));
        texts.extend(list_difference(&format!("S{} postings", op.slot), lists));
    }
    for op in their_ops {
        if !my_ops.iter().any(|other| (other.slot, other.op) == (op.slot, op.op)) {
            texts.push(format!("S{} {}: only actual", op.slot, op.op));
        }
    }
    let causes: (&[Cause], &[Cause]) = (causes_of(expected, mine), causes_of(actual, theirs));
    texts.extend(list_difference("causes", causes));
    texts
}

/// What one list has and the other lacks.
fn list_difference<T: PartialEq + Display>(what: &str, lists: (&[T], &[T])) -> Vec<String> {
    let (mine, theirs) = lists;
    if mine == theirs {
        return Vec::new();
    }
    let mut only_theirs: Vec<&T> = theirs.iter().collect();
    let mut only_mine = Vec::new();
    for item in mine {
        match only_theirs.iter().position(|other| *other == item) {
            Some(at) => drop(only_theirs.remove(at)),
            None => only_mine.push(item),
        }
    }
    let side = |items: &[&T], side: &str| {
        let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
        (!texts.is_empty()).then(|| format!("{what}, only {side}: {}", texts.join("; ")))
    };
    let sides = [side(&only_mine, "expected"), side(&only_theirs, "actual")];
    let texts: Vec<String> = sides.into_iter().flatten().collect();
    if texts.is_empty() { vec![format!("{what}: the same in another order")] } else { texts }
}

fn verdict_text(verdict: &BundleVerdict) -> String {
    match verdict {
        BundleVerdict::Ok => "ok".to_owned(),
        BundleVerdict::Illegal(reason) => format!("illegal:{}", plain_word(reason.text())),
        BundleVerdict::Fault(reason) => format!("fault:{}", plain_word(reason.text())),
    }
}

fn plain_word(word: &str) -> String {
    plain(word, 60)
}

fn issue_words(bundle: &BundleTiming) -> String {
    match bundle.issue {
        Some((issue, stall)) => format!("@{issue} +{stall}"),
        None => "never".to_owned(),
    }
}
