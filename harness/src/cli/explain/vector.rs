//! The vector side of `explain`: a bare program as a case, the listing with schedule and chart, and notes
//! on words that name nothing.

use super::{CaseRecord, StepRecord};
use crate::cli::failure::Failure;
use crate::compare::Observed;
use crate::models::Guarded;
use crate::report::chart::{self, TextOptions};
use crate::report::text::bundle_text;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand};
use contract::case::{Case, MemoryWindow, RegisterValue, VectorCase};
use contract::isa::{Format, Mnemonic};
use contract::nearest::nearest;
use contract::outcome::{Outcome, VectorStep};
use contract::profile::Profile;
use contract::text::{ProgramTextError, parse_program};
use std::fmt::Write as _;
use std::path::Path;

/// A case of a bare program. Its address registers point into the middle of the default window, so that
/// loads and stores do not end it.
pub(super) fn program_case(
    path: &Path,
    text: &str,
    profile: Profile,
) -> Result<VectorCase, Failure> {
    let program = parse_program(text).map_err(|error| {
        let ProgramTextError { line, error } = error;
        Failure::input(format!("{}:{line}: {error}", path.display())).hint(error.hint())
    })?;
    if program.is_empty() {
        return Err(Failure::input(format!("{}: no bundle in this file", path.display())));
    }
    let memory = MemoryWindow::default();
    let address = memory.base + memory.bytes / 2;
    Ok(VectorCase {
        id: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        profile,
        cpenable: 2,
        state: (0..16).map(|register| RegisterValue::Ar(register, address)).collect(),
        memory,
        program,
    })
}

/// Draws the schedule of the only case into a file.
pub(super) fn draw(
    model: &mut Guarded,
    cases: &[(String, Case)],
    file: &Path,
) -> Result<(), Failure> {
    let [(place, case @ Case::Vector(program))] = cases else {
        return Err(Failure::input("--svg draws the schedule of one vector program")
            .hint("give a file with a single vector case, or the text of a program"));
    };
    let mut outcome = Outcome::Tensor(Box::default());
    let ran = model.run_into(case, &mut outcome);
    let schedule = match (&ran, &outcome) {
        (Ok(()), Outcome::Vector(outcome)) => outcome.schedule.as_ref(),
        _ => None,
    };
    let schedule =
        schedule.ok_or_else(|| Failure::model(format!("{place}: the model gave no schedule")))?;
    let svg = chart::svg(&program.program, schedule, &program.id);
    std::fs::write(file, svg)
        .map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

/// Words of a program that name nothing, with the known words that they resemble.
pub(super) fn notes(program: &[Bundle]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |number: usize, word: &str, kind: &str, near: Option<&str>| {
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        notes.push(format!("bundle {number}: `{word}` is no {kind}{hint}"));
    };
    for (number, bundle) in program.iter().enumerate() {
        if let FormatWord::Unknown(word) = &bundle.format {
            let formats = Format::ALL.iter().map(|format| format.name());
            note(number, word, "format", nearest(word, formats));
        }
        for op in &bundle.ops {
            if let OpWord::Unknown(word) = &op.op {
                let known = Mnemonic::all().map(Mnemonic::name);
                note(number, word, "mnemonic", nearest(word, known));
            }
            for operand in &op.operands {
                if let Operand::Word(word) = operand {
                    note(number, word, "register or number", None);
                }
            }
        }
    }
    notes
}

/// Columns of the terminal, where the environment tells them.
pub(super) fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    told.unwrap_or(TextOptions::default().width)
}

pub(super) fn vector_steps(case: &VectorCase, known: &[VectorStep]) -> Vec<StepRecord> {
    case.program
        .iter()
        .enumerate()
        .map(|(step, bundle)| StepRecord {
            step,
            text: bundle_text(bundle),
            fields: Vec::new(),
            clauses: Vec::new(),
            verdict: known.get(step).map_or("not reached".to_owned(), |step| {
                Observed::Vector(step.clone()).to_string()
            }),
        })
        .collect()
}

/// A vector program with the verdict of each bundle, its schedule in canonical text, and the chart.
pub(super) fn program_text(case: &CaseRecord) -> String {
    let mut text = String::from("\nprogram\n");
    // Writing to a string cannot fail.
    for step in &case.steps {
        let _ = writeln!(text, "  {}  {}", step.step, step.text);
        if step.verdict != "accept" {
            let _ = writeln!(text, "     {}", step.verdict);
        }
    }
    for note in &case.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = writeln!(text, "\nschedule\n{}", case.schedule.join("\n"));
    let _ = writeln!(text, "\npipeline\n{}", case.chart.trim_end());
    text
}
