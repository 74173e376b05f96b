//! What a hand-worked vector case expects: steps, state and memory in full, and what the file says of
//! the schedule, be it the issue cycles alone (`issue`), the text of spec 05 section 9.2
//! (`schedule_text`), or the object itself (`schedule`).

use crate::compare::{Comparator, Comparison};
use contract::case::Case;
use contract::json::{JsonError, outcome_from_value};
use contract::outcome::Outcome;
use contract::schedule::Schedule;
use serde_json::Value;

/// An expected vector outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorExpectation {
    /// Steps, final state, and the schedule where the file has the object.
    pub outcome: Outcome,
    /// Issue cycle of every bundle; `None` for one that never issues.
    pub issue: Option<Vec<Option<u32>>>,
    /// The schedule in text.
    pub schedule_text: Option<String>,
}

/// Reads the expectation of a case. The head of the document may be left out.
pub(super) fn read(value: &Value, case: &Case) -> Result<VectorExpectation, JsonError> {
    let mut value = value.clone();
    let (mut issue, mut schedule_text) = (None, None);
    if let Some(object) = value.as_object_mut() {
        issue = object.remove("issue").map(|value| issue_cycles(&value)).transpose()?;
        schedule_text = object.remove("schedule_text").map(|value| text(&value)).transpose()?;
        object.entry("version").or_insert(1.into());
        object.entry("kind").or_insert("vector".into());
        object.entry("id").or_insert(case.id().into());
    }
    Ok(VectorExpectation { outcome: outcome_from_value(&value, case)?, issue, schedule_text })
}

fn wrong(path: &str, found: &Value, expected: &str) -> JsonError {
    JsonError::Field {
        path: path.to_owned(),
        found: found.to_string(),
        expected: expected.to_owned(),
    }
}

fn issue_cycles(value: &Value) -> Result<Vec<Option<u32>>, JsonError> {
    let refuse = || wrong("expected.issue", value, "an array of cycles and nulls");
    let cycle = |cycle: &Value| match cycle {
        Value::Null => Ok(None),
        cycle => {
            let number = cycle.as_u64().and_then(|cycle| u32::try_from(cycle).ok());
            number.map(Some).ok_or_else(refuse)
        }
    };
    value.as_array().ok_or_else(refuse)?.iter().map(cycle).collect()
}

/// The text, given as one string or as its lines.
fn text(value: &Value) -> Result<String, JsonError> {
    let lines = value
        .as_array()
        .and_then(|lines| lines.iter().map(|line| line.as_str()).collect::<Option<Vec<&str>>>());
    value
        .as_str()
        .map(|text| text.trim_end().to_owned())
        .or_else(|| lines.map(|lines| lines.join("\n")))
        .ok_or_else(|| wrong("expected.schedule_text", value, "the text or its lines"))
}

impl VectorExpectation {
    /// What an outcome misses, in one line.
    pub(super) fn missed_by(&self, case: &Case, outcome: &Outcome) -> Option<String> {
        let mut comparison = Comparison::default();
        Comparator::default().compare(case, &self.outcome, outcome, &mut comparison);
        if let Some(first) = comparison.divergences.first() {
            let place = crate::report::text::place_text(first);
            return Some(format!("{place}: expected {}, got {}", first.expected, first.actual));
        }
        if self.issue.is_none() && self.schedule_text.is_none() {
            return None;
        }
        let Outcome::Vector(outcome) = outcome else { return Some("no vector outcome".to_owned()) };
        let Some(schedule) = &outcome.schedule else { return Some("no schedule".to_owned()) };
        let issue = self.issue.as_ref().filter(|&expected| *expected != issues(schedule));
        if let Some(expected) = issue {
            let found = issues(schedule);
            return Some(format!("issue cycles: expected {expected:?}, got {found:?}"));
        }
        let expected = self.schedule_text.as_ref()?;
        let found = schedule.to_string();
        let pair = expected.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        match pair {
            Some((wanted, found)) => Some(format!("schedule: expected `{wanted}`, got `{found}`")),
            None if *expected == found => None,
            None => Some("schedule: another number of lines".to_owned()),
        }
    }
}

fn issues(schedule: &Schedule) -> Vec<Option<u32>> {
    schedule.bundles.iter().map(|bundle| Some(bundle.issue?.0)).collect()
}
