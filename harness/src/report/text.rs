//! A divergence as text for a person: where it came from, how to see it again, what differs with numbers
//! beside the bits, and a diff of both outcomes.

use crate::compare::{Aspect, Comparison, Direction, Divergence, Element, Observed, Place};
use crate::family::{Family, ops_of_step};
use crate::number::text_of;
use crate::report::elements::{ElementRow, Elements};
use crate::report::outcome_text::{Listing, listing};
use crate::report::rules::rules_of;
use crate::report::{chart, record_text, vector_text};
use crate::triage::Triage;
use contract::bundle::Bundle;
use contract::case::Case;
use contract::isa::{Dtype, Generation};
use contract::outcome::Outcome;
use contract::state::Space;
use similar::TextDiff;
use std::fmt::Write as _;

/// Everything that is said about one case.
pub struct CaseReport<'a> {
    /// The case.
    pub case: &'a Case,
    /// The reference's outcome.
    pub expected: &'a Outcome,
    /// The candidate's outcome.
    pub actual: &'a Outcome,
    /// What differs.
    pub comparison: &'a Comparison,
    /// Roots and steps.
    pub triage: &'a Triage,
    /// Where the case came from and how to run it again, one line each.
    pub origin: &'a [String],
}

/// Rows of differing values that are printed.
const SHOWN: usize = 24;

/// Absolute address of a byte.
pub fn address_of(generation: Generation, space: Space, partition: u32, offset: u32) -> u32 {
    let geometry = generation.geometry();
    let (base, stride) = match space {
        Space::Sbuf => (geometry.sbuf_base, geometry.sbuf_stride),
        Space::Psum => (geometry.psum_base, geometry.psum_stride),
    };
    base + partition * stride + offset
}

/// Where a divergence lies, in a few words.
pub fn place_text(divergence: &Divergence) -> String {
    let step = divergence.step.map(|step| format!("step {step}: ")).unwrap_or_default();
    let place = match divergence.place {
        Place::Kind => "kind of outcome".to_owned(),
        Place::Verdict => "verdict".to_owned(),
        Place::Flag => "flag INDETERMINATE_ACC".to_owned(),
        Place::OutsideCase { space, partition, offset } => {
            format!(
                "write outside the case, {} partition {partition} offset {offset:#x}",
                space.name()
            )
        }
        Place::Region(number) => format!("memory region {number}"),
        Place::TensorMemory { space, partition, offset, bytes, .. } => {
            format!("{} partition {partition} offset {offset:#x}, {bytes} bytes", space.name())
        }
        Place::Accumulator(lane) => format!("accumulator of lane {lane}"),
        Place::Seeded(lane) => format!("seeded flag of lane {lane}"),
        Place::Register(register) => register.to_string(),
        Place::Window => "memory window".to_owned(),
        Place::VectorMemory { address, bytes } => format!("memory {address:#010x}, {bytes} bytes"),
        Place::Schedule { label, slot, following, .. } => {
            let slot = slot.map(|slot| format!(" S{slot}")).unwrap_or_default();
            let following = match following {
                0 => String::new(),
                count => format!(" ({count} later bundles follow from it)"),
            };
            format!("{label}{slot}{following}")
        }
    };
    step + &place
}

/// The whole report of a case that differs.
pub fn case_report(report: &CaseReport<'_>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for root in &report.triage.roots {
        let _ = writeln!(text, "{}", headline(report.case, &root.divergence));
    }
    text.push('\n');
    for line in report.origin {
        let _ = writeln!(text, "{line}");
    }
    text.push('\n');
    text.push_str(&rules_text(report));
    let _ = writeln!(text, "\n{}", program_text(report));
    text.push_str(&first_value_difference(report));
    text.push_str(&differences(report));
    text.push_str(&schedule_charts(report));
    text.push_str(&outcome_diff(report));
    text.push_str(&records_text(report));
    text
}

/// The rules of the specification that the roots are about, each once.
fn rules_text(report: &CaseReport<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for root in &report.triage.roots {
        for rule in rules_of(report.case, &root.divergence) {
            let line = rule.text() + "\n";
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.concat()
}

/// The records of the guilty steps, field by field.
fn records_text(report: &CaseReport<'_>) -> String {
    let Case::Tensor(case) = report.case else { return String::new() };
    let mut text = String::new();
    for (step, record) in case.program.iter().enumerate() {
        if !report.triage.roots.iter().any(|root| root.step == Some(step)) {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nrecord of step {step}, field by field");
        for field in record_text::fields(record, case.generation) {
            let _ = writeln!(
                text,
                "  {:2} {:2} {:36} {:16} {}",
                field.offset, field.size, field.name, field.bytes, field.meaning
            );
        }
    }
    text
}

/// What differs right after the guilty bundle of a vector program; later bundles may have covered it.
fn first_value_difference(report: &CaseReport<'_>) -> String {
    let root = report.triage.roots.iter().find(|root| root.divergence.aspect == Aspect::Value);
    let (Case::Vector(_), Some(root)) = (report.case, root) else { return String::new() };
    let Some(step) = root.step else { return String::new() };
    let lines = vector_text::lines(report, &root.divergence, step);
    let last = report
        .comparison
        .first(Aspect::Value)
        .map(|last| vector_text::lines(report, last, usize::MAX));
    if last.as_ref() == Some(&lines) {
        return String::new();
    }
    let mut text =
        format!("right after bundle {step} (expected = reference, actual = candidate)\n");
    for line in lines {
        let _ = writeln!(text, "  {line}");
    }
    text + "\n"
}

/// Both schedules side by side, where they differ.
fn schedule_charts(report: &CaseReport<'_>) -> String {
    let (Case::Vector(case), Outcome::Vector(expected), Outcome::Vector(actual)) =
        (report.case, report.expected, report.actual)
    else {
        return String::new();
    };
    match (&expected.schedule, &actual.schedule) {
        (Some(mine), Some(theirs)) if mine != theirs => {
            format!("schedules\n{}\n", chart::diff_text(mine, theirs, &case.program))
        }
        _ => String::new(),
    }
}

/// One line that says what differs.
fn headline(case: &Case, divergence: &Divergence) -> String {
    let mut ops = Vec::new();
    if let Some(step) = divergence.step {
        ops_of_step(case, step, |op| ops.push(op.name()));
    }
    let family = Family::of(case);
    let about = match divergence.direction() {
        Some(Direction::OverAccept) => ": the candidate accepts what the reference refuses",
        Some(Direction::UnderAccept) => ": the candidate refuses what the reference accepts",
        Some(Direction::OtherReason) => ": both refuse, for other reasons",
        None => "",
    };
    let op = if ops.is_empty() { family.name().to_owned() } else { ops.join(" + ") };
    format!("{} divergence in {op}{about}", divergence.aspect)
}

/// The program, one line a step, the guilty ones marked.
fn program_text(report: &CaseReport<'_>) -> String {
    let guilty = |step: usize| report.triage.roots.iter().any(|root| root.step == Some(step));
    let mut text = match report.case {
        Case::Tensor(case) => format!("program ({})\n", case.generation),
        Case::Vector(_) => "program\n".to_owned(),
    };
    let mut line = |step: usize, content: String| {
        let mark = if guilty(step) { ">" } else { " " };
        let _ = writeln!(text, "{mark} {step}  {content}");
    };
    match report.case {
        Case::Tensor(case) => {
            for (step, record) in case.program.iter().enumerate() {
                line(step, super::record_text::one_line(record));
            }
        }
        Case::Vector(case) => {
            for (step, bundle) in case.program.iter().enumerate() {
                line(step, bundle_text(bundle));
            }
        }
    }
    text
}

/// A bundle in canonical text.
pub fn bundle_text(bundle: &Bundle) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = contract::text::write_bundle(&mut text, bundle);
    text
}

/// The differing places with both sides.
fn differences(report: &CaseReport<'_>) -> String {
    let mut text = String::from("what differs (expected = reference, actual = candidate)\n");
    let elements = Elements::of(report.case, report.expected, report.actual);
    let mut rows = 0;
    for divergence in &report.comparison.divergences {
        let lines = match divergence.place {
            Place::TensorMemory { .. } => element_lines(divergence, elements.as_ref()),
            Place::Accumulator(_) => vec![accumulator_line(divergence)],
            Place::Register(_) | Place::VectorMemory { .. } => {
                vector_text::lines(report, divergence, usize::MAX)
            }
            _ => vec![plain_line(divergence)],
        };
        for line in lines {
            if rows < SHOWN {
                let _ = writeln!(text, "  {line}");
            }
            rows += 1;
        }
    }
    let differing = report.comparison.differing;
    if rows > SHOWN || report.comparison.divergences.len() >= Comparison::LONGEST {
        let _ = writeln!(
            text,
            "  … {} values, {} verdicts and {} schedules differ in all",
            differing.values, differing.verdicts, differing.schedules
        );
    }
    text.push('\n');
    text
}

fn plain_line(divergence: &Divergence) -> String {
    let mut line = format!(
        "{}: expected {}, actual {}",
        place_text(divergence),
        divergence.expected,
        divergence.actual
    );
    if let Some((missing, extra)) = divergence.clause_difference() {
        let names = |set: contract::isa::ClauseSet| {
            set.iter().map(|clause| clause.id()).collect::<Vec<_>>().join(" ")
        };
        if !missing.is_empty() {
            let _ = write!(line, "; not reported: {}", names(missing));
        }
        if !extra.is_empty() {
            let _ = write!(line, "; reported beyond: {}", names(extra));
        }
    }
    let bytes = divergence.differing_bytes();
    if !bytes.is_empty() {
        let _ = write!(line, "; bytes {bytes:?}");
    }
    line
}

fn accumulator_line(divergence: &Divergence) -> String {
    let shown = |observed: &Observed| match observed {
        Observed::Word(bits, _) => format!("{observed} ({})", text_of(Dtype::Fp32, *bits)),
        other => other.to_string(),
    };
    format!(
        "{}: expected {}, actual {}",
        place_text(divergence),
        shown(&divergence.expected),
        shown(&divergence.actual)
    )
}

/// One line per element that a run of differing bytes touches; the bare bytes where no accepted step
/// wrote.
fn element_lines(divergence: &Divergence, elements: Option<&Elements<'_>>) -> Vec<String> {
    let Some(rows) = elements.and_then(|elements| elements.rows(divergence, SHOWN + 1)) else {
        return vec![plain_line(divergence)];
    };
    let line = |row: ElementRow| {
        let sides =
            format!("expected {}, actual {}", row.shown(row.expected), row.shown(row.actual));
        let place =
            format!("{} partition {} offset {:#x}", row.space.name(), row.partition, row.offset);
        match row.element {
            Some(Element { step, channel, position, dtype, .. }) => format!(
                "step {step} channel {channel} element {position} {} at address {:#010x} ({place}): \
                 {sides}",
                dtype.name(),
                row.address
            ),
            None => format!("address {:#010x} ({place}), no destination: {sides}", row.address),
        }
    };
    rows.into_iter().map(line).collect()
}

/// Unified diff of both outcomes. The listings are cut to the lines near a difference first: a case may
/// hold megabytes of memory.
fn outcome_diff(report: &CaseReport<'_>) -> String {
    let (expected, actual) =
        Listing::paired(listing(report.case, report.expected), listing(report.case, report.actual));
    let diff = TextDiff::from_lines(&expected, &actual);
    let mut unified = diff.unified_diff();
    unified.context_radius(1).header("reference", "candidate");
    format!("outcomes\n{unified}")
}
