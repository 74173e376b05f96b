//! What differs, in one sentence.

use crate::compare::{Direction, Divergence, Observed, Place, ScheduleLabel};
use crate::family::ops_of_step;
use crate::number::text_of;
use crate::report::elements::Elements;
use crate::report::text::place_text;
use contract::case::Case;
use contract::isa::{ClauseSet, Dtype};
use contract::outcome::Outcome;

/// One sentence about the root of a bucket.
pub(super) fn sentence(case: &Case, outcomes: [&Outcome; 2], divergence: &Divergence) -> String {
    let step = step_text(case, divergence);
    let (expected, actual) = (&divergence.expected, &divergence.actual);
    let gives = |what: String| format!("{step}: {what} is {actual}, the reference has {expected}.");
    match divergence.place {
        Place::Verdict => verdict_sentence(case, divergence, &step),
        Place::Flag => match actual {
            Observed::Flag(true) => {
                format!("{step}: the candidate raises INDETERMINATE_ACC, the reference does not.")
            }
            _ => format!("{step}: the reference raises INDETERMINATE_ACC, the candidate does not."),
        },
        Place::TensorMemory { .. } => memory_sentence(case, outcomes, divergence, &step),
        Place::Accumulator(lane) => {
            let shown = |side: &Observed| match side {
                Observed::Word(bits, _) => format!("{side} ({})", text_of(Dtype::Fp32, *bits)),
                other => other.to_string(),
            };
            format!(
                "{step}: the accumulator of lane {lane} ends as {}, the reference has {}.",
                shown(actual),
                shown(expected)
            )
        }
        Place::Seeded(lane) => {
            let (who, other) = match actual {
                Observed::Flag(true) => ("candidate", "reference"),
                _ => ("reference", "candidate"),
            };
            format!("{step}: only the {who} seeds lane {lane}, the {other} leaves it unseeded.")
        }
        Place::Register(register) => match divergence.differing_bytes().len() {
            0 => gives(format!("{register}")),
            count => format!(
                "{step}: {register} differs from the reference in {count} byte{}.",
                if count == 1 { "" } else { "s" }
            ),
        },
        Place::VectorMemory { address, bytes } => format!(
            "{step}: {bytes} byte{} of memory from {address:#010x} differ from the reference.",
            if bytes == 1 { "" } else { "s" }
        ),
        Place::Schedule { label, .. } => {
            format!("{step}: {}.", schedule_words(label, expected, actual))
        }
        Place::Kind | Place::OutsideCase { .. } | Place::Region(_) | Place::Window => format!(
            "{}: the candidate has {actual}, the reference {expected}.",
            place_text(divergence)
        ),
    }
}

/// `Step 0 (0x4e TensorCumulativeArithOp)`, `Bundle 2 (LV2NX8_I + ADDNX16)`.
fn step_text(case: &Case, divergence: &Divergence) -> String {
    let Some(step) = divergence.step else { return "At the end".to_owned() };
    let mut ops = Vec::new();
    ops_of_step(case, step, |op| ops.push(op.name()));
    let (word, ops) = match case {
        Case::Tensor(_) => ("Step", ops.join(" + ")),
        Case::Vector(_) if ops.is_empty() => ("Bundle", "no known op".to_owned()),
        Case::Vector(_) => ("Bundle", ops.join(" + ")),
    };
    format!("{word} {step} ({ops})")
}

fn names(set: ClauseSet) -> String {
    set.iter().map(|clause| clause.id()).collect::<Vec<_>>().join(", ")
}

fn verdict_sentence(case: &Case, divergence: &Divergence, step: &str) -> String {
    let (expected, actual) = (&divergence.expected, &divergence.actual);
    let what = match case {
        Case::Tensor(_) => "record",
        Case::Vector(_) => "bundle",
    };
    let clauses = divergence.clause_difference();
    match divergence.direction() {
        Some(Direction::OverAccept) => {
            format!("{step}: the candidate accepts the {what}, the reference answers {expected}.")
        }
        Some(Direction::UnderAccept) => {
            format!("{step}: the reference accepts the {what}, the candidate answers {actual}.")
        }
        Some(Direction::OtherReason) => match clauses {
            Some((missing, extra)) if !missing.is_empty() || !extra.is_empty() => {
                let mut parts = Vec::new();
                if !missing.is_empty() {
                    parts.push(format!("does not report {}", names(missing)));
                }
                if !extra.is_empty() {
                    parts.push(format!(
                        "reports {}, which the reference finds fulfilled",
                        names(extra)
                    ));
                }
                format!(
                    "{step}: both refuse the {what}, but the candidate {}.",
                    parts.join(" and ")
                )
            }
            _ => format!("{step}: the candidate answers {actual}, the reference {expected}."),
        },
        None => format!("{step}: the candidate gives {actual}, the reference {expected}."),
    }
}

fn memory_sentence(
    case: &Case,
    [expected, actual]: [&Outcome; 2],
    divergence: &Divergence,
    step: &str,
) -> String {
    // The located divergence is of a prefix; its place holds in the whole program unless a later step
    // wrote over it, and then its own bytes speak.
    let rows = Elements::of(case, expected, actual).and_then(|it| it.rows(divergence, 1));
    let row =
        rows.and_then(|rows| rows.into_iter().next()).filter(|row| row.expected != row.actual);
    match row.and_then(|row| row.element.map(|element| (row, element))) {
        Some((row, element)) => format!(
            "{step}: element {} of channel {} ({}) is {}, the reference has {}.",
            element.position,
            element.channel,
            element.dtype.name(),
            row.shown(row.actual),
            row.shown(row.expected)
        ),
        None => format!(
            "{}: bytes {}, the reference has {}.",
            place_text(divergence),
            divergence.actual,
            divergence.expected
        ),
    }
}

/// `in cycle 9 (8 stalled)` for `@9 +8`, the form of spec 05 section 9.2.
fn issue_words(issue: &Observed) -> String {
    let text = issue.to_string();
    let parts = text.strip_prefix('@').and_then(|rest| rest.split_once(" +"));
    parts.map_or(text.clone(), |(cycle, stall)| format!("in cycle {cycle} ({stall} stalled)"))
}

fn schedule_words(label: ScheduleLabel, expected: &Observed, actual: &Observed) -> String {
    let sides = format!("{actual}, in the reference {expected}");
    match label {
        ScheduleLabel::Verdict => format!("the schedule judges it {sides}"),
        ScheduleLabel::LatRegset => format!("other registers are posted: {sides}"),
        ScheduleLabel::LatPost => format!("registers are posted in other stages or roles: {sides}"),
        ScheduleLabel::LatOrder => format!("the postings stand in another order: {sides}"),
        ScheduleLabel::Issue => {
            format!("it issues {}, in the reference {}", issue_words(actual), issue_words(expected))
        }
        ScheduleLabel::Cause => format!("the stall has other causes: {sides}"),
        ScheduleLabel::Cycles => format!("the program takes {sides} cycles"),
    }
}
