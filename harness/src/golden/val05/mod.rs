//! Values that the vendor's binary gave (`val05_vectors.json`), as programs of one op: operands into
//! registers by the names of the op's operands, the reported elements out of the final state. A vector
//! that holds under every preset runs under every preset.
//!
//! - [`adapter`]: the ordinary forms, by operand name.
//! - [`special`]: reports about a part of an op (funnel, window, mask, fold, update).
//! - [`rows`]: family and slot of an op, from the golden LAT table.

mod adapter;
mod rows;
mod special;

use super::places::Probe;
use super::{Directed, DirectedCase, Expectation, concerns};
use crate::corpus::{Corpus, CorpusError, read_documents};
use crate::family::Op;
use adapter::Draft;
use contract::case::Case;
use contract::json::JsonError;
use contract::profile::Profile;
use rows::Rows;
use serde_json::Value;

const FILE: &str = "val05_vectors.json";

/// Vectors of chapters whose ops have no values in the models yet.
const LATER: &[(&str, &str)] = &[
    ("val_mac_pack_vectors.json", "chapter 07 is not executed yet"),
    ("val_fp_vectors.json", "chapter 08 is not executed yet"),
    ("val_gather_rest_vectors.json", "chapter 09 is not executed yet"),
];

pub(super) fn load(
    corpus: &Corpus,
    ops: &[Op],
    directed: &mut Directed,
) -> Result<(), CorpusError> {
    let rows = Rows::load(corpus)?;
    for document in read_documents(&corpus.golden(FILE))? {
        let refuse = |error| CorpusError::Form { place: document.place.clone(), error };
        for (number, value) in vectors(&document.value).map_err(refuse)?.iter().enumerate() {
            let path = format!("vectors[{number}]");
            add(&Vector { path: &path, value }, &rows, ops, directed).map_err(refuse)?;
        }
    }
    for &(file, reason) in LATER {
        for document in read_documents(&corpus.golden(file))? {
            let refuse = |error| CorpusError::Form { place: document.place.clone(), error };
            for _ in vectors(&document.value).map_err(refuse)? {
                directed.skip(file, reason.to_owned());
            }
        }
    }
    Ok(())
}

fn vectors(document: &Value) -> Result<&Vec<Value>, JsonError> {
    let vectors = document.get("vectors").and_then(Value::as_array);
    vectors.ok_or_else(|| wrong("vectors".to_owned(), "nothing", "an array of vectors"))
}

fn wrong(path: String, found: &str, expected: &str) -> JsonError {
    JsonError::Field { path, found: found.to_owned(), expected: expected.to_owned() }
}

/// One vector of the file.
#[derive(Clone, Copy)]
struct Vector<'a> {
    path: &'a str,
    value: &'a Value,
}

impl<'a> Vector<'a> {
    fn text(&self, key: &str) -> Result<&'a str, JsonError> {
        let text = self.value.get(key).and_then(Value::as_str);
        text.ok_or_else(|| self.wrong(key, "nothing", "a string"))
    }

    /// The entries of `inputs` or `expected`.
    fn entries(
        &self,
        key: &str,
    ) -> Result<impl Iterator<Item = (&'a str, &'a Value)> + use<'a>, JsonError> {
        let object = self.value.get(key).and_then(Value::as_object);
        let object = object.ok_or_else(|| self.wrong(key, "nothing", "an object"))?;
        Ok(object.iter().map(|(key, value)| (key.as_str(), value)))
    }

    /// A number at a pointer such as `/inputs/phase`.
    fn number(&self, pointer: &str) -> Result<i64, JsonError> {
        let found = self.value.pointer(pointer);
        found.and_then(number).ok_or_else(|| self.wrong(pointer, "nothing", "a number"))
    }

    /// Numbers at a pointer.
    fn numbers(&self, pointer: &str) -> Result<Vec<i64>, JsonError> {
        let found = self.value.pointer(pointer).and_then(Value::as_array);
        let found = found.and_then(|list| list.iter().map(number).collect::<Option<Vec<i64>>>());
        found.ok_or_else(|| self.wrong(pointer, "nothing", "an array of numbers"))
    }

    fn wrong(&self, key: &str, found: &str, expected: &str) -> JsonError {
        wrong(format!("{}.{}", self.path, key.trim_start_matches('/')), found, expected)
    }
}

/// A number, or the number of a string of `0x` and hex digits.
fn number(value: &Value) -> Option<i64> {
    match value.as_str() {
        // 64-bit patterns wrap into the sign.
        Some(text) => {
            u64::from_str_radix(text.strip_prefix("0x")?, 16).ok().map(|bits| bits as i64)
        }
        None => value.as_i64(),
    }
}

fn add(
    vector: &Vector<'_>,
    rows: &Rows,
    ops: &[Op],
    directed: &mut Directed,
) -> Result<(), JsonError> {
    let presets: &[&str] = match (vector.text("scope")?, vector.text("profile")?) {
        (_, "leaf") => {
            directed.skip(FILE, "true of the value leaf only".to_owned());
            return Ok(());
        }
        ("deferred", _) => {
            directed.skip(FILE, "left for a later chapter".to_owned());
            return Ok(());
        }
        ("core" | "support", "any") => Profile::PRESETS,
        ("core" | "support", "val05") => &["val05"],
        (scope, profile) => {
            let expected = "a known scope and profile";
            return Err(vector.wrong("profile", &format!("{scope} {profile}"), expected));
        }
    };
    let op = vector.text("op")?;
    let draft = if op.contains('.') {
        special::draft(vector, op, rows)?
    } else {
        adapter::draft(vector, op, rows)?
    };
    let Draft { family, mut case, places } = draft;
    let probe = Probe { family, op: op.to_owned(), id: vector.text("id")?.to_owned() };
    if !concerns(&Case::Vector(case.clone()), ops) {
        return Ok(());
    }
    for preset in presets {
        // The names are those of the profile's own table.
        case.profile = Profile::preset(preset).unwrap_or_default();
        case.id = format!("{}-{preset}", probe.id);
        directed.cases.push(DirectedCase {
            group: FILE.to_owned(),
            name: format!("{FILE} {} ({preset})", probe.id),
            case: Case::Vector(case.clone()),
            expectation: Some(Expectation::Places { probe: probe.clone(), places: places.clone() }),
        });
    }
    Ok(())
}
