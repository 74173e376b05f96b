//! Family and first legal slot of every op of chapter 04, from `lat_table.json`.

use super::wrong;
use crate::corpus::{Corpus, CorpusError, read_documents};
use contract::isa::{Format, Mnemonic};
use contract::json::JsonError;
use serde_json::Value;
use std::collections::HashMap;

const FILE: &str = "lat_table.json";

/// Where an op may stand, and its family's name.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) family: String,
    pub(super) format: Format,
    pub(super) slot: u32,
}

/// Rows by op.
pub(super) struct Rows(HashMap<Mnemonic, Row>);

impl Rows {
    pub(super) fn load(corpus: &Corpus) -> Result<Self, CorpusError> {
        let mut rows = HashMap::new();
        for document in read_documents(&corpus.golden(FILE))? {
            let refuse = |path: String| CorpusError::Form {
                place: document.place.clone(),
                error: wrong(path, "another form", "an op with family and slots"),
            };
            let ops = document.value.get("ops").and_then(Value::as_array);
            for (number, op) in ops.ok_or_else(|| refuse("ops".to_owned()))?.iter().enumerate() {
                let (mnemonic, row) = read(op).ok_or_else(|| refuse(format!("ops[{number}]")))?;
                rows.insert(mnemonic, row);
            }
        }
        Ok(Self(rows))
    }

    /// The op with this name and its row.
    pub(super) fn named(&self, path: &str, op: &str) -> Result<(Mnemonic, &Row), JsonError> {
        Mnemonic::from_name(op)
            .and_then(|mnemonic| Some((mnemonic, self.0.get(&mnemonic)?)))
            .ok_or_else(|| wrong(format!("{path}.op"), op, "an op of the LAT table"))
    }
}

fn read(op: &Value) -> Option<(Mnemonic, Row)> {
    let name = op.get("op")?.as_str()?;
    let slot = op.get("slots")?.as_array()?.first()?.as_str()?;
    let (format, rest) = slot.split_once('_')?;
    let format = Format::from_name(format)?;
    let slot = format.slots().iter().position(|known| *known == rest)?;
    let family = op.get("family")?.as_str()?.to_owned();
    Some((Mnemonic::from_name(name)?, Row { family, format, slot: slot as u32 }))
}
