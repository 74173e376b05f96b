//! What a panel says in words: remarks at the right of a row, and tooltips.

use super::REMARK_CHARACTERS;
use crate::report::chart::grid::{BundleRow, Issue, Mark, OpRow};
use crate::report::chart::text::{op_text, postings_text, register_text};
use crate::report::chart::words::{cause_text, plain};
use contract::schedule::Posting;

/// A line of the column at the right: its class and its text.
pub(super) type Remark = (&'static str, String);

/// What stands at the right of a row: its postings, its causes, its troubles.
pub(super) fn remarks(bundle: &BundleRow, op: &OpRow, last: bool) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = Vec::new();
    let postings = postings_text(op);
    if !postings.is_empty() {
        remarks.push(("small muted", postings));
    }
    remarks.extend(op.causes.iter().map(|cause| ("small cause", cause_text(cause))));
    remarks.extend(op.mismatch.iter().map(|mismatch| ("small trouble", mismatch.text())));
    if last {
        remarks.extend(bundle.stray.iter().map(|cause| {
            ("small cause", format!("{} in S{}", cause_text(cause), cause.consumer_slot))
        }));
        if let Some(ending) = bundle.ending.as_ref().filter(|_| bundle.issue.is_some()) {
            remarks.push(("small trouble", format!("{ending}; the program ends here")));
        }
    }
    for (_, text) in &mut remarks {
        *text = plain(text, REMARK_CHARACTERS);
    }
    remarks
}

/// Tooltip of an issue.
pub(super) fn issue_title(bundle: &BundleRow, issue: Issue) -> String {
    format!("B{} issues in cycle {}, stall {}", bundle.number, issue.cycle, issue.stall)
}

/// Tooltip of a stall, with its causes.
pub(super) fn stall_title(bundle: &BundleRow, issue: Issue) -> String {
    let mut lines = vec![format!(
        "B{} waits from cycle {} to {}, issues in {}",
        bundle.number,
        issue.stall_from(),
        issue.cycle - 1,
        issue.cycle
    )];
    lines.extend(bundle.ops.iter().flat_map(|op| &op.causes).chain(&bundle.stray).map(cause_text));
    lines.join("\n")
}

/// Tooltip of a mark, with its postings and the causes that bind there.
pub(super) fn mark_title(bundle: &BundleRow, op: &OpRow, mark: &Mark) -> String {
    let mut lines = vec![format!(
        "B{} {} in cycle {}, stage {}",
        bundle.number,
        op_text(op),
        mark.cycle,
        mark.lat
    )];
    let posting = |posting: &Posting| format!("{} {}", register_text(posting), posting.role.name());
    lines.extend(mark.postings.iter().map(posting));
    let binding = op.causes.iter().filter(|cause| cause.consumer_lat == mark.lat);
    lines.extend(binding.map(cause_text));
    lines.join("\n")
}
