//! Words of closed vocabularies in report files. A document is written with `&'static str`; read back,
//! each word is looked up in its vocabulary, so that a report of another program, or of a version that
//! knows other words, is refused by name instead of being half understood.

use crate::compare::Aspect;
use crate::family::Family;
use contract::isa::{ClauseId, Generation};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A word of a vocabulary.
pub type Word = &'static str;

fn look_up<E: serde::de::Error>(kind: &str, text: &str, found: Option<Word>) -> Result<Word, E> {
    found.ok_or_else(|| E::custom(format!("no {kind} is called `{text}`")))
}

fn family_word(text: &str) -> Option<Word> {
    Family::from_name(text).map(Family::name)
}

fn generation_word(text: &str) -> Option<Word> {
    Generation::from_name(text).map(Generation::name)
}

/// A list of words of one vocabulary.
fn list<'de, D: Deserializer<'de>>(
    deserializer: D,
    kind: &str,
    find: fn(&str) -> Option<Word>,
) -> Result<Vec<Word>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| look_up(kind, text, find(text))).collect()
}

/// The name of a family.
pub fn family<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    let text = String::deserialize(deserializer)?;
    look_up("family", &text, family_word(&text))
}

/// Names of families.
pub fn families<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Word>, D::Error> {
    list(deserializer, "family", family_word)
}

/// The name of a generation.
pub fn generation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    let text = String::deserialize(deserializer)?;
    look_up("generation", &text, generation_word(&text))
}

/// Names of generations.
pub fn generations<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Word>, D::Error> {
    list(deserializer, "generation", generation_word)
}

/// The id of a clause.
pub fn clause<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    let text = String::deserialize(deserializer)?;
    look_up("clause", &text, ClauseId::from_id(&text).map(ClauseId::id))
}

/// The name of an aspect.
pub fn aspect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    let text = String::deserialize(deserializer)?;
    let found = Aspect::ALL.into_iter().map(Aspect::name).find(|word| *word == text);
    look_up("aspect", &text, found)
}

/// The name of a policy: `--fp-order` or `--nan`.
pub fn policy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    const POLICIES: [Word; 3] = ["exact", "any", "reassociated"];
    let text = String::deserialize(deserializer)?;
    let found = POLICIES.into_iter().find(|word| *word == text);
    found.ok_or_else(|| D::Error::custom(format!("no policy is called `{text}`")))
}
