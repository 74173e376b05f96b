//! `summary.json` and `timing.json` (external contract, part 2). The summary depends on seed and options
//! alone; its keys stand in the contract's order. `interrupted`, `failures` and `known` are there only when
//! they say something.

use super::known::KnownRow;
use super::options::RunOptions;
use super::words::{self, Word};
use crate::campaign::products::PAIRS;
use crate::campaign::{CampaignResult, Origin, ProductTally, Tally};
use crate::compare::{Compared, Ignored, IgnoredReason};
use crate::coverage::{self, GroupRow, Scope};
use crate::family::{Family, Op, PREAMBLE_CLAUSES, tensor_op};
use crate::generate::vector::directed;
use contract::isa::{ClauseId, Generation};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// The whole of `summary.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// 1.
    pub version: u32,
    /// Campaign seed.
    pub seed: u64,
    /// Options that the run depends on.
    pub options: RunOptions,
    /// Generated cases.
    pub cases: u64,
    /// What was compared.
    pub compared: ComparedRecord,
    /// What was ignored, by named reason.
    pub ignored: IgnoredRecord,
    /// One row per op.
    pub families: Vec<OpRow>,
    /// One row per vector op whose edge product was to run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<ProductRow>,
    /// One row per bucket.
    pub divergences: Vec<DivergenceRow>,
    /// Functional coverage.
    pub coverage: Coverage,
    /// One row per clause and generation.
    pub clauses: Vec<ClauseRow>,
    /// Golden vectors.
    pub golden: GoldenRecord,
    /// True if the run was stopped early.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Cases on which a model gave no outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureRow>,
    /// Buckets that `corpus/known.toml` accepts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownRow>,
}

/// Counts of compared things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedRecord {
    /// Memory bytes, accumulator lanes, registers.
    pub values: u64,
    /// Steps.
    pub verdicts: u64,
    /// Postings.
    pub postings: u64,
}

impl ComparedRecord {
    /// The counts as they are written.
    pub const fn of(compared: Compared) -> Self {
        Self { values: compared.values, verdicts: compared.verdicts, postings: compared.postings }
    }
}

/// Ignored counts as an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IgnoredRecord(pub Ignored);

impl Serialize for IgnoredRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (reason, count) in self.0.iter() {
            map.serialize_entry(reason.name(), &count)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for IgnoredRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut ignored = Ignored::default();
        for (name, count) in BTreeMap::<String, u64>::deserialize(deserializer)? {
            let reason = IgnoredReason::from_name(&name).ok_or_else(|| {
                serde::de::Error::custom(format!("no reason to ignore is called `{name}`"))
            })?;
            ignored.count(reason, count);
        }
        Ok(Self(ignored))
    }
}

/// Counts of one op.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpRow {
    /// Family.
    #[serde(deserialize_with = "words::family")]
    pub family: Word,
    /// Opcode name or mnemonic.
    pub op: String,
    /// Steps in directed cases.
    pub directed: u64,
    /// Steps in random cases.
    pub random: u64,
    /// Cases whose values part at a step of this op.
    pub value_mismatches: u64,
    /// Cases whose first verdict difference is at a step of this op.
    pub verdict_mismatches: u64,
    /// Cases whose schedule parts at a step of this op.
    pub schedule_mismatches: u64,
    /// True if no step of an enabled op was executed, so that nothing it computes was compared.
    #[serde(skip)]
    pub nothing_compared: bool,
    /// True if it differs and `corpus/known.toml` accepts whatever makes it differ.
    #[serde(skip)]
    pub known: bool,
}

/// The edge product of one op and its random pairs: what both models executed, and what there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductRow {
    /// Mnemonic.
    pub op: String,
    /// Bits of an element.
    pub width: u32,
    /// Points of the product that ran.
    pub edges: u64,
    /// Points of the product.
    pub edges_expected: u64,
    /// Random pairs that ran.
    pub pairs: u64,
    /// Random pairs that were asked for.
    pub pairs_expected: u64,
}

impl ProductRow {
    /// True if all of it ran.
    pub const fn is_whole(&self) -> bool {
        self.edges >= self.edges_expected && self.pairs >= self.pairs_expected
    }
}

/// One bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DivergenceRow {
    /// Bucket, also the name of its folder.
    pub bucket: String,
    /// Cases.
    pub count: u64,
    /// Aspect.
    #[serde(deserialize_with = "words::aspect")]
    pub aspect: Word,
    /// Path of the case that stands for the bucket, in the report's folder: the minimised one, else the
    /// smallest one that was found.
    pub case: String,
    /// Its seed; null for a directed case.
    pub case_seed: Option<String>,
}

/// Functional coverage.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Bins.
    pub bins: u64,
    /// Bins that were hit.
    pub hit: u64,
    /// Names of the others, but for covergroups with more than [`MOST_HOLES`](coverage::MOST_HOLES).
    pub holes: Vec<String>,
    /// The covergroups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupRow>,
}

/// Counts of a clause on a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseRow {
    /// Clause id.
    #[serde(deserialize_with = "words::clause")]
    pub id: Word,
    /// Generation.
    #[serde(deserialize_with = "words::generation")]
    pub generation: Word,
    /// Steps in which it was the only failing clause.
    pub isolated: u64,
    /// Steps in which it failed.
    pub failed: u64,
}

/// Golden vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldenRecord {
    /// Vectors held against both models.
    pub checked: u64,
    /// Vectors that a model missed.
    pub failed: u64,
}

/// A case on which a model gave no outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureRow {
    /// Model.
    pub model: String,
    /// What happened.
    pub message: String,
    /// File and id of a directed case, else null.
    pub case: Option<String>,
    /// Case seed of a generated case, else null.
    pub case_seed: Option<String>,
}

/// Times of a run, `timing.json`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Seconds of the whole run.
    pub seconds: f64,
    /// Generated cases per second of the time spent on them.
    pub cases_per_second: f64,
    /// Seconds of golden vectors and regressions.
    pub directed_seconds: f64,
    /// Seconds of generated cases.
    pub generated_seconds: f64,
    /// Worker threads.
    pub jobs: usize,
}

impl Timing {
    /// Times of a result.
    pub fn of(result: &CampaignResult, jobs: usize) -> Self {
        let generated = result.generated_time.as_secs_f64();
        let directed = result.directed_time.as_secs_f64();
        let rate = if generated > 0.0 { result.tally.cases as f64 / generated } else { 0.0 };
        Self {
            seconds: generated + directed,
            cases_per_second: rate,
            directed_seconds: directed,
            generated_seconds: generated,
            jobs,
        }
    }
}

/// Name of the row of all opcodes that no model executes.
pub const OTHER_OPCODES: &str = "other opcodes";

/// Row of the mnemonics that are not selected, or that no model executes.
pub const OTHER_MNEMONICS: &str = "other mnemonics";

/// The smallest case that was found, in the bucket's folder.
pub const CASE_FILE: &str = "case.json";

/// What the minimiser made of it, in the bucket's folder.
pub const MINIMISED_FILE: &str = "minimised.json";

/// The bucket's folder in a report.
pub fn bucket_folder(bucket: &str) -> String {
    format!("counterexamples/{bucket}")
}

impl Summary {
    /// The summary of a result. `enabled` are the ops that the run was to compare; `generations` those
    /// that it drew from.
    pub fn of(
        result: &CampaignResult,
        seed: u64,
        options: RunOptions,
        enabled: &[Op],
        generations: &[Generation],
    ) -> Self {
        let tally = &result.tally;
        let clauses = clause_rows(result, enabled, generations);
        let scope = Scope::new(enabled, generations, options.near_valid, options.profile.0);
        let coverage = coverage(result, &scope);
        Self {
            version: 1,
            seed,
            options,
            cases: tally.cases,
            compared: ComparedRecord::of(tally.compared),
            ignored: IgnoredRecord(tally.ignored),
            families: op_rows(result, enabled),
            products: product_rows(&result.tally, enabled),
            divergences: divergence_rows(result),
            coverage,
            clauses,
            golden: GoldenRecord {
                checked: result.golden.checked(),
                failed: result.golden.failed(),
            },
            interrupted: result.interrupted,
            failures: failure_rows(result),
            known: Vec::new(),
        }
    }

    /// What of the run compared nothing: families and ops by name, or the run itself.
    pub fn compared_nothing(&self, result: &CampaignResult, families: &[Family]) -> Vec<String> {
        if self.compared.verdicts == 0 {
            return vec!["the run compared nothing".to_owned()];
        }
        let silent_families = families
            .iter()
            .filter(|family| !result.tally.family_cases.contains_key(family))
            .map(|family| format!("family {family} compared nothing"));
        let silent_ops = self
            .families
            .iter()
            .filter(|row| result.covers_ops && row.nothing_compared)
            .map(|row| format!("op {} compared no value: no step was executed", row.op));
        let partial_products =
            self.products.iter().filter(|row| result.covers_ops && !row.is_whole()).map(|row| {
                format!(
                    "op {}: {} of {} edge points and {} of {} random pairs ran",
                    row.op, row.edges, row.edges_expected, row.pairs, row.pairs_expected
                )
            });
        silent_families.chain(silent_ops).chain(partial_products).collect()
    }
}

/// Rows of the enabled ops, of every other op of the known ones that occurred, and one of the rest.
fn op_rows(result: &CampaignResult, enabled: &[Op]) -> Vec<OpRow> {
    let table = &result.tally.ops;
    let row = |family: Family, op: String, counts: crate::campaign::OpTally, nothing| OpRow {
        family: family.name(),
        op,
        directed: counts.directed,
        random: counts.random,
        value_mismatches: counts.mismatches[0],
        verdict_mismatches: counts.mismatches[1],
        schedule_mismatches: counts.mismatches[2],
        nothing_compared: nothing,
        known: false,
    };
    let mut rows: Vec<OpRow> = enabled
        .iter()
        .map(|&op| {
            let counts = table.get(op);
            row(op.family(), op.name(), counts, counts.executed_total() == 0)
        })
        .collect();
    // Opcodes and mnemonics that no model executes come from near-valid cases and schedules; one row is
    // enough for all of a family.
    let mut rest = [crate::campaign::OpTally::default(); 2];
    for op in table.occurred() {
        if enabled.contains(&op) {
            continue;
        }
        // The many mnemonics around the selected ones would bury them.
        if op.is_enabled() && op.family() == Family::Tensor {
            rows.push(row(op.family(), op.name(), table.get(op), false));
        } else {
            rest[op.family() as usize].add(&table.get(op));
        }
    }
    for (family, name) in [(Family::Tensor, OTHER_OPCODES), (Family::Vector, OTHER_MNEMONICS)] {
        let counts = rest[family as usize];
        if counts.occurred() {
            rows.push(row(family, name.to_owned(), counts, false));
        }
    }
    rows
}

/// Rows of the enabled vector ops, if products ran at all.
pub fn product_rows(tally: &Tally, enabled: &[Op]) -> Vec<ProductRow> {
    let products = &tally.products;
    if products.is_empty() {
        return Vec::new();
    }
    let mnemonics = enabled.iter().filter_map(|op| match op {
        Op::Vector(mnemonic) => Some(*mnemonic),
        Op::Tensor(_) => None,
    });
    mnemonics
        .map(|op| {
            let ProductTally { edges, pairs } = products.get(&op).copied().unwrap_or_default();
            ProductRow {
                op: op.name().to_owned(),
                width: directed::width(op),
                edges,
                edges_expected: directed::edge_points(op),
                pairs,
                pairs_expected: if directed::has_pairs(op) { PAIRS.into() } else { 0 },
            }
        })
        .collect()
}

fn divergence_rows(result: &CampaignResult) -> Vec<DivergenceRow> {
    result
        .tally
        .buckets
        .iter()
        .map(|(signature, bucket)| {
            let name = signature.bucket();
            let file = if bucket.minimal.is_some() { MINIMISED_FILE } else { CASE_FILE };
            DivergenceRow {
                case: format!("{}/{file}", bucket_folder(&name)),
                bucket: name,
                count: bucket.count,
                aspect: signature.aspect.name(),
                case_seed: bucket.best.origin.seed().map(|seed| seed.to_string()),
            }
        })
        .collect()
}

/// Clauses that can fail for one of the ops, in the spec's order.
pub fn clauses_of(enabled: &[Op]) -> Vec<ClauseId> {
    let prefixes: Vec<&str> = enabled
        .iter()
        .filter_map(|op| match op {
            Op::Tensor(opcode) => tensor_op(*opcode).map(|row| row.clauses),
            Op::Vector(_) => None,
        })
        .collect();
    if prefixes.is_empty() {
        return Vec::new();
    }
    let listed = |clause: &ClauseId| {
        let id = clause.id();
        prefixes.iter().chain(PREAMBLE_CLAUSES).any(|prefix| id.starts_with(prefix))
    };
    ClauseId::ALL.iter().copied().filter(listed).collect()
}

/// Clauses of the preamble, which every record is judged by.
pub fn preamble_clauses() -> Vec<ClauseId> {
    let listed = |id: &str| PREAMBLE_CLAUSES.iter().any(|prefix| id.starts_with(prefix));
    ClauseId::ALL.iter().copied().filter(|clause| listed(clause.id())).collect()
}

fn clause_rows(
    result: &CampaignResult,
    enabled: &[Op],
    generations: &[Generation],
) -> Vec<ClauseRow> {
    let mut rows = Vec::new();
    for clause in clauses_of(enabled) {
        for &generation in generations {
            let counts = result.tally.clauses.get(clause, generation);
            rows.push(ClauseRow {
                id: clause.id(),
                generation: generation.name(),
                isolated: counts.isolated,
                failed: counts.failed,
            });
        }
    }
    rows
}

/// The covergroups with their totals.
fn coverage(result: &CampaignResult, scope: &Scope<'_>) -> Coverage {
    let groups = coverage::tabulate(&result.tally, scope);
    let complete = groups.iter().filter(|row| row.missing() == row.holes.len() as u64);
    Coverage {
        bins: groups.iter().map(|row| row.bins).sum(),
        hit: groups.iter().map(|row| row.hit).sum(),
        holes: complete.flat_map(GroupRow::hole_names).collect(),
        groups,
    }
}

fn failure_rows(result: &CampaignResult) -> Vec<FailureRow> {
    result
        .tally
        .failures
        .iter()
        .map(|failed| FailureRow {
            model: failed.failure.model.clone(),
            message: failed.failure.message.clone(),
            case: match &failed.origin {
                Origin::Generated { .. } => None,
                origin => Some(super::origin_text(origin)),
            },
            case_seed: failed.origin.seed().map(|seed| seed.to_string()),
        })
        .collect()
}
