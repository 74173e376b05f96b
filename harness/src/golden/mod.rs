//! Golden vectors and regressions as *directed cases*: cases with a name and, for golden ones, with what
//! must come out. Both models are held to the expectation, and they are compared with each other as on
//! any other case.
//!
//! - [`cases`]: whole cases with their expected outcome, and the separating cases of contested switches;
//!   [`vector_cases`] reads what is expected of a vector program.
//! - [`dtype`]: conversion vectors, run through TensorCumulative with runs of length one.
//! - [`val05`]: values of the vendor's binary, as programs of one op; [`places`]: the parts of a final
//!   state that such a vector reports.
//! - [`schedules`]: worked schedules.
//! - [`exhaustive`]: every 8-bit code and every pair of them, model against model.
//!
//! What cannot be checked yet is skipped by name and counted ([`Skipped`]), never silently.

pub mod cases;
pub mod dtype;
pub mod exhaustive;
#[cfg(test)]
mod kernels;
pub mod places;
mod schedules;
#[cfg(test)]
mod tests;
mod val05;
pub mod vector_cases;

use crate::compare::{Comparator, Comparison};
use crate::corpus::{Corpus, CorpusError, case_files, read_documents};
use crate::family::{Family, Op, ops_of_step, program_length};
use crate::number::code_of;
use contract::case::Case;
use contract::outcome::Outcome;
use contract::schedule::Schedule;
use places::{ExpectedPlace, Probe};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use vector_cases::VectorExpectation;

/// Group of the cases of `corpus/regressions/`.
pub const REGRESSIONS: &str = "regressions";

/// What must come out of a golden case.
#[derive(Debug, Clone, PartialEq)]
pub enum Expectation {
    /// This outcome, bit for bit.
    Outcome(Box<Outcome>),
    /// These elements in region 0 of the memory.
    Elements(Vec<ExpectedElement>),
    /// A vector outcome with what is said of its schedule.
    Vector(Box<VectorExpectation>),
    /// Every bundle accepted, and these elements in the final state of a vector program.
    Places {
        /// The vector that the case belongs to.
        probe: Probe,
        /// The elements.
        places: Vec<ExpectedPlace>,
    },
    /// This schedule, whatever the values.
    Schedule(Box<Schedule>),
}

/// One element that must come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedElement {
    /// Id of the vector.
    pub id: String,
    /// First byte in the region's data.
    pub at: usize,
    /// Bytes.
    pub bytes: usize,
    /// The code.
    pub code: u64,
}

impl Expectation {
    /// Number of golden vectors that the expectation holds.
    pub fn vectors(&self) -> u64 {
        match self {
            Self::Elements(elements) => elements.len() as u64,
            _ => 1,
        }
    }

    /// What an outcome misses, one line per vector.
    pub fn missed_by(&self, case: &Case, outcome: &Outcome) -> Vec<String> {
        match self {
            Self::Outcome(expected) => {
                let mut comparison = Comparison::default();
                Comparator::default().compare(case, expected, outcome, &mut comparison);
                comparison
                    .divergences
                    .first()
                    .map(|first| {
                        let place = crate::report::text::place_text(first);
                        format!("{place}: expected {}, got {}", first.expected, first.actual)
                    })
                    .into_iter()
                    .collect()
            }
            Self::Elements(elements) => {
                let Outcome::Tensor(outcome) = outcome else {
                    return vec!["not a tensor outcome".to_owned()];
                };
                let Some(region) = outcome.state.regions.first() else {
                    return vec!["no memory in the outcome".to_owned()];
                };
                elements
                    .iter()
                    .filter_map(|element| {
                        let digits = 2 * element.bytes;
                        let wanted =
                            format!("{}: expected 0x{:0digits$x}", element.id, element.code);
                        let Some(bytes) = region.data.get(element.at..element.at + element.bytes)
                        else {
                            return Some(format!("{wanted}, got a shorter region"));
                        };
                        let code = code_of(bytes);
                        (code != element.code).then(|| format!("{wanted}, got 0x{code:0digits$x}"))
                    })
                    .collect()
            }
            Self::Vector(expected) => expected.missed_by(case, outcome).into_iter().collect(),
            Self::Places { probe, places } => match outcome {
                Outcome::Vector(outcome) => {
                    places::missed(probe, places, program_length(case), outcome)
                }
                Outcome::Tensor(_) => vec![format!("{}: not a vector outcome", probe.id)],
            },
            Self::Schedule(expected) => schedules::missed(expected, outcome).into_iter().collect(),
        }
    }
}

/// A case that every campaign begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectedCase {
    /// Group in the report: the file's name.
    pub group: String,
    /// Place and id in messages.
    pub name: String,
    /// The case.
    pub case: Case,
    /// What must come out; `None` if the models are compared with each other alone.
    pub expectation: Option<Expectation>,
}

/// A golden file's share that cannot be checked yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Group in the report.
    pub group: String,
    /// Why.
    pub reason: String,
    /// Vectors.
    pub count: u64,
}

/// Directed cases with what was left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Directed {
    /// The cases.
    pub cases: Vec<DirectedCase>,
    /// What was skipped, by group and reason.
    pub skipped: Vec<Skipped>,
}

impl Directed {
    fn skip(&mut self, group: &str, reason: String) {
        match self.skipped.iter_mut().find(|row| row.group == group && row.reason == reason) {
            Some(row) => row.count += 1,
            None => {
                self.skipped.push(Skipped { group: group.to_owned(), reason, count: 1 });
            }
        }
    }
}

/// Reads every golden vector and regression that concerns one of the ops.
///
/// # Errors
/// See [`CorpusError`]; a golden file that is missing or malformed is an error.
pub fn load(corpus: &Corpus, ops: &[Op]) -> Result<Directed, CorpusError> {
    let mut directed = load_golden(corpus, ops)?;
    let folder = corpus.regressions();
    if folder.is_dir() {
        for file in case_files(&folder)? {
            for document in read_documents(&file)? {
                let case = document.case()?;
                if concerns(&case, ops) {
                    let name = format!("{} {}", corpus.place(&document.place), case.id());
                    let group = REGRESSIONS.to_owned();
                    directed.cases.push(DirectedCase { group, name, case, expectation: None });
                }
            }
        }
    }
    Ok(directed)
}

/// Reads every golden vector that concerns one of the ops.
///
/// # Errors
/// See [`CorpusError`].
pub fn load_golden(corpus: &Corpus, ops: &[Op]) -> Result<Directed, CorpusError> {
    let mut directed = Directed::default();
    cases::load(corpus, ops, &mut directed)?;
    if ops.contains(&Op::Tensor(dtype::OPCODE)) {
        dtype::load(corpus, &mut directed)?;
    }
    if ops.iter().any(|op| op.family() == Family::Vector) {
        schedules::load(corpus, ops, &mut directed)?;
        val05::load(corpus, ops, &mut directed)?;
    }
    // A report must not depend on where the corpus lies.
    for case in &mut directed.cases {
        case.name = corpus.place(&case.name).to_owned();
    }
    Ok(directed)
}

/// True if some step of the case is one of the ops, or if no step belongs to any op (its opcodes are
/// undefined, say) and the case is of a family of theirs.
fn concerns(case: &Case, ops: &[Op]) -> bool {
    let family = Family::of(case);
    if !ops.iter().any(|op| op.family() == family) {
        return false;
    }
    let (mut found, mut owned) = (false, false);
    for step in 0..program_length(case) {
        ops_of_step(case, step, |op| {
            found |= ops.contains(&op);
            owned |= op.is_enabled();
        });
    }
    found || !owned
}

/// A golden vector that a model missed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// Golden file.
    pub group: String,
    /// Name of the directed case.
    pub name: String,
    /// Model.
    pub model: String,
    /// What it missed.
    pub what: String,
}

/// What became of one regression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regression {
    /// Name of the directed case.
    pub name: String,
    /// False if a model gave no outcome.
    pub answered: bool,
    /// Buckets of its divergences; none if the models agree.
    pub buckets: Vec<String>,
}

/// Counts of a golden file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GroupTally {
    /// Vectors held against both models.
    pub checked: u64,
    /// Vectors that a model missed.
    pub failed: u64,
    /// Cases without expectation: model against model.
    pub compared: u64,
}

/// Counts of the vectors of one op.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProbeTally {
    /// Ids of the vectors.
    pub ids: BTreeSet<String>,
    /// Cases: one per vector and preset under which it must hold.
    pub cases: u64,
    /// Ids of the vectors that a model missed in some case.
    pub failed: BTreeSet<String>,
}

/// The probes as a list of rows: a JSON object cannot be keyed by a pair.
mod probe_rows {
    use super::ProbeTally;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    type Probes = BTreeMap<(String, String), ProbeTally>;

    pub(super) fn serialize<S: Serializer>(probes: &Probes, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(probes.iter())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Probes, D::Error> {
        let rows = Vec::<((String, String), ProbeTally)>::deserialize(from)?;
        Ok(rows.into_iter().collect())
    }
}

/// Counts of golden vectors.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GoldenTally {
    /// Per golden file.
    pub groups: BTreeMap<String, GroupTally>,
    /// Vectors of single ops, by family and op.
    #[serde(with = "probe_rows")]
    pub probes: BTreeMap<(String, String), ProbeTally>,
    /// What was missed; the first [`GoldenTally::MOST_MISSED`].
    pub missed: Vec<Missed>,
    /// Every regression that was run.
    pub regressions: Vec<Regression>,
    /// Failed vectors that the candidate alone missed, on cases where the models differ: by golden file,
    /// then by the buckets of the case, joined by blanks. If every bucket is a known difference, the miss
    /// is the same difference seen again.
    pub explained: BTreeMap<String, BTreeMap<String, u64>>,
}

impl GoldenTally {
    /// Family, op and counts of the vectors of single ops.
    pub fn probes(&self) -> impl Iterator<Item = (&str, &str, &ProbeTally)> {
        self.probes.iter().map(|((family, op), tally)| (family.as_str(), op.as_str(), tally))
    }

    /// Misses that are kept.
    pub const MOST_MISSED: usize = 64;

    /// Vectors held against both models.
    pub fn checked(&self) -> u64 {
        self.groups.values().map(|group| group.checked).sum()
    }

    /// Vectors that a model missed.
    pub fn failed(&self) -> u64 {
        self.groups.values().map(|group| group.failed).sum()
    }

    /// Adds the counts of another chunk or shard, which come after these.
    pub fn add(&mut self, other: Self) {
        for (name, theirs) in other.groups {
            let mine = self.groups.entry(name).or_default();
            mine.checked += theirs.checked;
            mine.failed += theirs.failed;
            mine.compared += theirs.compared;
        }
        for (key, probe) in other.probes {
            let mine = self.probes.entry(key).or_default();
            mine.ids.extend(probe.ids);
            mine.cases += probe.cases;
            mine.failed.extend(probe.failed);
        }
        self.missed.extend(other.missed);
        self.missed.truncate(Self::MOST_MISSED);
        self.regressions.extend(other.regressions);
        for (group, theirs) in other.explained {
            let mine = self.explained.entry(group).or_default();
            for (buckets, count) in theirs {
                *mine.entry(buckets).or_default() += count;
            }
        }
    }

    /// Gives the buckets other names, as when several are joined.
    pub fn rename_buckets(&mut self, name: impl Fn(&str) -> String) {
        let renamed = |buckets: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            let names: BTreeSet<String> = buckets.map(&name).collect();
            names.into_iter().collect()
        };
        for regression in &mut self.regressions {
            regression.buckets = renamed(&mut regression.buckets.iter().map(String::as_str));
        }
        for rows in self.explained.values_mut() {
            let mut joined = BTreeMap::new();
            for (buckets, count) in std::mem::take(rows) {
                let names = renamed(&mut buckets.split(' ')).join(" ");
                *joined.entry(names).or_default() += count;
            }
            *rows = joined;
        }
    }

    /// Failed vectors of a golden file that are known differences seen again.
    pub fn excused_of(&self, group: &str, is_known: impl Fn(&str) -> bool) -> u64 {
        let rows = self.explained.get(group).into_iter().flatten();
        rows.filter(|(buckets, _)| buckets.split(' ').all(&is_known)).map(|(_, count)| count).sum()
    }

    /// Failed vectors that no known difference explains.
    pub fn unexcused(&self, is_known: impl Fn(&str) -> bool) -> u64 {
        let excused: u64 =
            self.explained.keys().map(|group| self.excused_of(group, &is_known)).sum();
        self.failed().saturating_sub(excused)
    }

    /// Counts a directed case. `outcomes` holds each model's name and outcome, the reference first; `None`
    /// if a model gave none, which misses every vector of the case. `buckets` are those of the case.
    pub fn count(
        &mut self,
        directed: &DirectedCase,
        outcomes: Option<[(&str, &Outcome); 2]>,
        buckets: &[String],
    ) {
        let Some(expectation) = &directed.expectation else {
            self.groups.entry(directed.group.clone()).or_default().compared += 1;
            return;
        };
        let misses = outcomes.map(|outcomes| {
            outcomes.map(|(model, outcome)| (model, expectation.missed_by(&directed.case, outcome)))
        });
        // A vector that both models miss is one failed vector.
        let most = |misses: &[(&str, Vec<String>); 2]| {
            misses.iter().map(|(_, lines)| lines.len() as u64).max().unwrap_or(0)
        };
        let failed = misses.as_ref().map_or(expectation.vectors(), most);
        let failed = self.count_vectors(directed, expectation, failed);
        if let Some([(_, by_reference), (_, by_candidate)]) = &misses
            && by_reference.is_empty()
            && !by_candidate.is_empty()
            && !buckets.is_empty()
        {
            let explained = self.explained.entry(directed.group.clone()).or_default();
            *explained.entry(buckets.join(" ")).or_default() += failed;
        }
        for (model, lines) in misses.into_iter().flatten() {
            for what in lines {
                if self.missed.len() < Self::MOST_MISSED {
                    self.missed.push(Missed {
                        group: directed.group.clone(),
                        name: directed.name.clone(),
                        model: model.to_owned(),
                        what,
                    });
                }
            }
        }
    }

    /// Counts the vectors of a case; how many failed that had not failed before. One vector may have
    /// several cases, and counts once.
    fn count_vectors(
        &mut self,
        directed: &DirectedCase,
        expectation: &Expectation,
        failed: u64,
    ) -> u64 {
        let group = self.groups.entry(directed.group.clone()).or_default();
        let Expectation::Places { probe, .. } = expectation else {
            group.checked += expectation.vectors();
            group.failed += failed;
            return failed;
        };
        let key = (probe.family.clone(), probe.op.clone());
        let tally = self.probes.entry(key).or_default();
        tally.cases += 1;
        group.checked += u64::from(tally.ids.insert(probe.id.clone()));
        let newly = u64::from(failed > 0 && tally.failed.insert(probe.id.clone()));
        group.failed += newly;
        newly
    }
}
