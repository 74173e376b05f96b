//! Whole cases with their expected outcome: one JSON document a line with `case`, `expected` and `why`;
//! and the separating case of a contested switch (`contested/<switch>.json`), whose `expected` holds one
//! outcome per value of the switch.

use super::{Directed, DirectedCase, Expectation, concerns, vector_cases};
use crate::corpus::{Corpus, CorpusError, Document, case_files, read_documents};
use crate::family::{Op, tensor_op};
use contract::case::Case;
use contract::isa::opcode_info;
use contract::json::{JsonError, outcome_from_value};
use serde_json::Value;

/// End of the names of files of whole cases.
const SUFFIX: &str = "_cases.jsonl";

pub(super) fn load(
    corpus: &Corpus,
    ops: &[Op],
    directed: &mut Directed,
) -> Result<(), CorpusError> {
    for path in corpus.golden_files(SUFFIX)? {
        let group = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for document in read_documents(&path)? {
            let expected = field(&document, "expected")?.clone();
            add(directed, ops, &group, &document, document.case()?, &expected)?;
        }
    }
    let folder = corpus.golden("contested");
    if folder.is_dir() {
        for file in case_files(&folder)? {
            for document in read_documents(&file)? {
                add_contested(directed, ops, &document)?;
            }
        }
    }
    Ok(())
}

/// Adds the case once per value of its switch.
fn add_contested(
    directed: &mut Directed,
    ops: &[Op],
    document: &Document,
) -> Result<(), CorpusError> {
    let switch = field(document, "switch")?;
    let Some(switch) = switch.as_str() else {
        return Err(wrong(document, "switch", &switch.to_string(), "the name of a switch"));
    };
    let expected = field(document, "expected")?;
    let Some(values) = expected.as_object() else {
        return Err(wrong(document, "expected", "no object", "one outcome per value"));
    };
    for (value, expected) in values {
        let mut case = document.case()?;
        case.profile_mut().set(switch, value).map_err(|error| CorpusError::Form {
            place: document.place.clone(),
            error: JsonError::Profile { path: format!("expected.{value}"), error },
        })?;
        add(directed, ops, "contested", document, case, expected)?;
    }
    Ok(())
}

fn add(
    directed: &mut Directed,
    ops: &[Op],
    group: &str,
    document: &Document,
    case: Case,
    expected: &Value,
) -> Result<(), CorpusError> {
    if let Some(reason) = unsupported(&case) {
        directed.skip(group, reason);
        return Ok(());
    }
    if !concerns(&case, ops) {
        return Ok(());
    }
    let expectation = match &case {
        Case::Tensor(_) => outcome_from_value(expected, &case)
            .map(|outcome| Expectation::Outcome(Box::new(outcome))),
        Case::Vector(_) => vector_cases::read(expected, &case)
            .map(|expected| Expectation::Vector(Box::new(expected))),
    };
    let expectation =
        expectation.map_err(|error| CorpusError::Form { place: document.place.clone(), error })?;
    directed.cases.push(DirectedCase {
        group: group.to_owned(),
        name: format!("{} {}", document.place, case.id()),
        case,
        expectation: Some(expectation),
    });
    Ok(())
}

/// Why the models cannot run the case yet. Undefined opcodes and those without a group are judged
/// everywhere; what is missing is a group that the spec has and the models do not.
fn unsupported(case: &Case) -> Option<String> {
    match case {
        Case::Tensor(case) => {
            let missing = |opcode: u8| {
                tensor_op(opcode).is_none()
                    && opcode_info(opcode).is_some_and(|row| row.layout.is_some())
            };
            let record = case.program.iter().find(|record| missing(record[0]))?;
            Some(format!("opcode {:#04x} is not executed yet", record[0]))
        }
        Case::Vector(_) => None,
    }
}

fn field<'a>(document: &'a Document, key: &str) -> Result<&'a Value, CorpusError> {
    document.value.get(key).ok_or_else(|| wrong(document, key, "nothing", "a value"))
}

fn wrong(document: &Document, path: &str, found: &str, expected: &str) -> CorpusError {
    CorpusError::Form {
        place: document.place.clone(),
        error: JsonError::Field {
            path: path.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
        },
    }
}
