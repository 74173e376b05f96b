//! The gate passes what agrees, and nothing else.

use contract::json::{OutcomeWriter, read_case};
use contract::model::Model as _;
use gate::{GateError, check};
use std::cell::Cell;
use std::fs;
use std::path::Path;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/regressions");

/// Records the regressions, answered by the reference model.
fn record(folder: &Path) -> usize {
    let (mut cases, mut outcomes) = (String::new(), String::new());
    let mut files: Vec<_> =
        fs::read_dir(CASES).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let mut model = oracle::model();
    for file in &files {
        let case = read_case(&fs::read_to_string(file).unwrap()).unwrap();
        cases += &contract::json::write_case(&case);
        cases.push('\n');
        OutcomeWriter::default().write(&mut outcomes, &case, &model.run(&case).unwrap());
        outcomes.push('\n');
    }
    fs::write(folder.join("regressions.cases.jsonl"), cases).unwrap();
    fs::write(folder.join("regressions.outcomes.jsonl"), outcomes).unwrap();
    files.len()
}

fn edit(folder: &Path, edit: impl FnOnce(String) -> String) {
    let file = folder.join("regressions.outcomes.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, edit(text)).unwrap();
}

#[test]
fn a_model_that_agrees_passes() {
    let folder = tempfile::tempdir().unwrap();
    let count = record(folder.path());
    assert!(count > 0);
    assert_eq!(check(candidate::model, folder.path()).unwrap(), count);
    assert_eq!(check(oracle::model, folder.path()).unwrap(), count);
}

#[test]
fn worked_cases_meet_a_new_model_each() {
    let folder = tempfile::tempdir().unwrap();
    let count = record(folder.path());
    let made = Cell::new(0);
    let make = || {
        made.set(made.get() + 1);
        candidate::model()
    };
    check(make, folder.path()).unwrap();
    assert_eq!(made.take(), 1);
    for ending in ["cases.jsonl", "outcomes.jsonl"] {
        let file = folder.path().join(format!("regressions.{ending}"));
        fs::rename(file, folder.path().join(format!("1-regressions.{ending}"))).unwrap();
    }
    check(make, folder.path()).unwrap();
    assert!(made.get() >= count, "{} models for {count} cases", made.get());
}

#[test]
fn a_model_that_differs_does_not() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path());
    edit(folder.path(), |text| text.replacen("accept", "reject", 1));
    let error = check(candidate::model, folder.path()).unwrap_err();
    assert!(matches!(error, GateError::Differs { line: 1.., .. }), "{error}");
}

#[test]
fn a_recording_of_another_length_is_damaged() {
    for extra in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        record(folder.path());
        edit(folder.path(), |text| match text.trim_end().rsplit_once('\n') {
            Some((rest, _)) if !extra => rest.to_owned(),
            _ => text + "{}\n",
        });
        let error = check(candidate::model, folder.path()).unwrap_err();
        assert!(matches!(error, GateError::Recording { .. }), "{error}");
    }
}

#[test]
fn a_folder_without_recordings_passes_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let error = check(candidate::model, folder.path()).unwrap_err();
    assert!(matches!(error, GateError::Empty(_)), "{error}");
}
