//! The gate of mutation testing. A campaign is recorded once: cases as JSON lines, and what the other
//! model answers. A mutated model then answers the same cases, and the first line that differs kills the
//! mutant. Nothing but the mutated model has to be compiled again, which is what makes thousands of
//! mutants possible; the comparison is that of the whole outcome (values, verdicts and schedule), since
//! two outcomes are equal exactly when their JSON is.
//!
//! `harness/tools/mutants.sh` records and runs; `harness/docs/mutation.md` says what came of it.

use contract::json::{OutcomeWriter, read_case};
use contract::model::Model;
use contract::outcome::Outcome;
use std::fs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Ending of a file of cases.
const CASES: &str = ".cases.jsonl";
/// Ending of the file of their outcomes.
const OUTCOMES: &str = ".outcomes.jsonl";
/// Beginning of the names of recordings of worked cases. Each of these meets a new model, since buffers that
/// an earlier case has grown hide one that is too small.
const WORKED: &str = "1-";

/// Why a model did not pass.
#[derive(Debug, Error)]
pub enum GateError {
    /// A file cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder holds no recorded case.
    #[error("{}: no recorded cases (files named *{CASES})", .0.display())]
    Empty(PathBuf),
    /// A recording is damaged.
    #[error("{}:{line}: {reason}", .path.display())]
    Recording {
        /// The file.
        path: PathBuf,
        /// Its line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The model gave no outcome.
    #[error("{}:{line}: the model gave no outcome: {reason}", .path.display())]
    Failed {
        /// The file of cases.
        path: PathBuf,
        /// Its line.
        line: usize,
        /// What the model said.
        reason: String,
    },
    /// The model answered otherwise than recorded.
    #[error("{}:{line}: recorded {recorded}\nanswered {answered}", .path.display())]
    Differs {
        /// The file of cases.
        path: PathBuf,
        /// Its line.
        line: usize,
        /// The outcome of the other model.
        recorded: String,
        /// The outcome of this one.
        answered: String,
    },
}

/// Lets a model answer every recorded case of a folder, and gives the number of cases that it answered as
/// recorded, which is all of them. `make` makes the model: one for each worked case (in files named `1-…`)
/// and one for the cases of each other file.
///
/// # Errors
/// The first [`GateError`], in the order of file names and lines.
pub fn check<M: Model>(make: impl Fn() -> M, folder: &Path) -> Result<usize, GateError> {
    let unreadable = |source| GateError::Read { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(CASES).map(str::to_owned));
    }
    names.sort();
    let mut checked = 0;
    for name in names {
        let (cases, outcomes) = (name.clone() + CASES, name + OUTCOMES);
        checked += check_file(&make, &folder.join(cases), &folder.join(outcomes))?;
    }
    if checked == 0 { Err(GateError::Empty(folder.to_owned())) } else { Ok(checked) }
}

fn check_file<M: Model>(
    make: &impl Fn() -> M,
    cases: &Path,
    outcomes: &Path,
) -> Result<usize, GateError> {
    let worked = cases.file_name().is_some_and(|name| name.to_string_lossy().starts_with(WORKED));
    let mut model = make();
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|source| GateError::Read { path: path.to_owned(), source })
    };
    let (recorded, expected) = (read(cases)?, read(outcomes)?);
    let broken = |path: &Path, line, reason: String| GateError::Recording {
        path: path.to_owned(),
        line,
        reason,
    };
    let mut writer = OutcomeWriter::default();
    let mut outcome = Outcome::Tensor(Box::default());
    let mut answer = String::new();
    let mut answers = expected.lines();
    let mut checked = 0;
    for (line, text) in (1..).zip(recorded.lines()) {
        let case = read_case(text).map_err(|error| broken(cases, line, error.to_string()))?;
        let expected = answers
            .next()
            .ok_or_else(|| broken(outcomes, line, "fewer outcomes than cases".to_owned()))?;
        if worked {
            model = make();
        }
        model.run_into(&case, &mut outcome).map_err(|error| GateError::Failed {
            path: cases.to_owned(),
            line,
            reason: error.to_string(),
        })?;
        answer.clear();
        writer.write(&mut answer, &case, &outcome);
        if answer != expected {
            return Err(GateError::Differs {
                path: cases.to_owned(),
                line,
                recorded: expected.to_owned(),
                answered: answer,
            });
        }
        checked += 1;
    }
    if answers.next().is_some() {
        return Err(broken(outcomes, checked + 1, "more outcomes than cases".to_owned()));
    }
    Ok(checked)
}
