//! A tally as JSON: what a shard's report keeps for `merge` and a nightly journal for `--resume`.
//!
//! Nothing is rounded or left out: the restored tally equals the recorded one. Counts that are zero
//! are not written. The size of a smallest case is measured again rather than believed.

use super::tally::{
    Bucket, ClauseTally, Exemplar, FailedCase, OpTally, Origin, ProductTally, Tally,
};
use crate::compare::{Aspect, Compared, IgnoredReason};
use crate::coverage::{Bits, GroupId};
use crate::family::{Family, Op};
use crate::generate::CaseSeed;
use crate::minimise::Size;
use crate::models::ModelFailure;
use crate::shrink::Minimal;
use crate::triage::{CaseSize, Signature};
use contract::case::Case;
use contract::isa::{ClauseId, Generation, Mnemonic};
use contract::json::{JsonError, case_from_value, write_case};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// A record that cannot be restored.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RecordError {
    /// A word that no vocabulary has.
    #[error("no {kind} is called `{word}`")]
    Unknown {
        /// What it should be.
        kind: &'static str,
        /// As it stands in the record.
        word: String,
    },
    /// The smallest case of a bucket.
    #[error("case of bucket `{bucket}`: {error}")]
    Case {
        /// The bucket.
        bucket: String,
        /// What is wrong.
        #[source]
        error: JsonError,
    },
}

/// The JSON form of a [`Tally`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyRecord {
    cases: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    families: BTreeMap<String, u64>,
    /// Values, verdicts, postings.
    compared: [u64; 3],
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ignored: BTreeMap<String, u64>,
    /// By opcode byte (`0x9a`) or mnemonic.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    ops: BTreeMap<String, OpRecord>,
    /// By generation and clause: isolated, failed, meant, pure.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    clauses: BTreeMap<String, BTreeMap<String, [u64; 4]>>,
    #[serde(default, skip_serializing_if = "is_zero")]
    diverging_cases: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    buckets: Vec<BucketRecord>,
    #[serde(default, skip_serializing_if = "is_zero")]
    unbucketed: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    failures: Vec<FailureRecord>,
    #[serde(default, skip_serializing_if = "is_zero")]
    failure_count: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    outside: Vec<OriginRecord>,
    /// By covergroup, its bins as a hexadecimal bit set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    coverage: BTreeMap<String, String>,
    /// By mnemonic: points of the edge product, random pairs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    products: BTreeMap<String, [u64; 2]>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Directed and random steps, executed steps per generation, mismatches per aspect.
type OpRecord = (u64, u64, [u64; Generation::ALL.len()], [u64; Aspect::ALL.len()]);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BucketRecord {
    aspect: String,
    op: String,
    class: String,
    count: u64,
    step: Option<usize>,
    origin: OriginRecord,
    case: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minimised: Option<MinimalRecord>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MinimalRecord {
    op: String,
    class: String,
    case: Value,
    before: Size,
    evaluations: usize,
    one_minimal: bool,
    generalisation: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    ties: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    needs: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum OriginRecord {
    Directed { number: u64, name: String },
    Product { product: String, random: bool, number: u64 },
    Generated { index: u64, seed: u64 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FailureRecord {
    origin: OriginRecord,
    family: String,
    model: String,
    message: String,
}

impl OriginRecord {
    fn of(origin: &Origin) -> Self {
        match origin {
            Origin::Directed { number, name } => {
                Self::Directed { number: *number, name: name.clone() }
            }
            Origin::Product { op, random, number } => {
                Self::Product { product: op.name().to_owned(), random: *random, number: *number }
            }
            Origin::Generated { index, seed } => Self::Generated { index: *index, seed: seed.0 },
        }
    }

    fn restore(self) -> Result<Origin, RecordError> {
        Ok(match self {
            Self::Directed { number, name } => Origin::Directed { number, name },
            Self::Product { product, random, number } => {
                let op = known(Mnemonic::from_name(&product), "mnemonic", &product)?;
                Origin::Product { op, random, number }
            }
            Self::Generated { index, seed } => Origin::Generated { index, seed: CaseSeed(seed) },
        })
    }
}

fn op_key(op: Op) -> String {
    match op {
        Op::Tensor(opcode) => format!("{opcode:#04x}"),
        Op::Vector(mnemonic) => mnemonic.name().to_owned(),
    }
}

fn op_of(key: &str) -> Option<Op> {
    match key.strip_prefix("0x") {
        Some(digits) => u8::from_str_radix(digits, 16).ok().map(Op::Tensor),
        None => Mnemonic::from_name(key).map(Op::Vector),
    }
}

fn known<T>(found: Option<T>, kind: &'static str, word: &str) -> Result<T, RecordError> {
    found.ok_or_else(|| RecordError::Unknown { kind, word: word.to_owned() })
}

fn family_of(word: &str) -> Result<Family, RecordError> {
    known(Family::from_name(word), "family", word)
}

impl TallyRecord {
    /// Records a tally.
    pub fn of(tally: &Tally) -> Self {
        let Compared { values, verdicts, postings } = tally.compared;
        Self {
            cases: tally.cases,
            families: tally
                .family_cases
                .iter()
                .map(|(family, &cases)| (family.name().to_owned(), cases))
                .collect(),
            compared: [values, verdicts, postings],
            ignored: tally
                .ignored
                .iter()
                .map(|(reason, count)| (reason.name().to_owned(), count))
                .collect(),
            ops: tally
                .ops
                .occurred()
                .into_iter()
                .map(|op| {
                    let OpTally { directed, random, executed, mismatches } = tally.ops.get(op);
                    (op_key(op), (directed, random, executed, mismatches))
                })
                .collect(),
            clauses: clauses_of(tally),
            diverging_cases: tally.diverging_cases,
            buckets: tally
                .buckets
                .iter()
                .map(|(signature, bucket)| BucketRecord::of(signature, bucket))
                .collect(),
            unbucketed: tally.unbucketed,
            failures: tally
                .failures
                .iter()
                .map(|failed| FailureRecord {
                    origin: OriginRecord::of(&failed.origin),
                    family: failed.family.name().to_owned(),
                    model: failed.failure.model.clone(),
                    message: failed.failure.message.clone(),
                })
                .collect(),
            failure_count: tally.failure_count,
            outside: tally.outside.iter().map(OriginRecord::of).collect(),
            coverage: (GroupId::ALL.iter())
                .map(|&id| (id.group().name.to_owned(), tally.hits.of(id).to_hex()))
                .filter(|(_, bins)| !bins.is_empty())
                .collect(),
            products: (tally.products.iter())
                .map(|(op, product)| (op.name().to_owned(), [product.edges, product.pairs]))
                .collect(),
        }
    }

    /// The recorded tally.
    ///
    /// # Errors
    /// See [`RecordError`].
    pub fn restore(self) -> Result<Tally, RecordError> {
        let [values, verdicts, postings] = self.compared;
        let mut tally = Tally {
            cases: self.cases,
            compared: Compared { values, verdicts, postings },
            diverging_cases: self.diverging_cases,
            unbucketed: self.unbucketed,
            failure_count: self.failure_count,
            outside: (self.outside.into_iter().map(OriginRecord::restore))
                .collect::<Result<_, _>>()?,
            ..Tally::default()
        };
        for (family, cases) in self.families {
            tally.family_cases.insert(family_of(&family)?, cases);
        }
        for (word, count) in self.ignored {
            let reason = known(IgnoredReason::from_name(&word), "reason to ignore", &word)?;
            tally.ignored.count(reason, count);
        }
        for (word, (directed, random, executed, mismatches)) in self.ops {
            let op = known(op_of(&word), "op", &word)?;
            *tally.ops.get_mut(op) = OpTally { directed, random, executed, mismatches };
        }
        for (word, rows) in self.clauses {
            let generation = known(Generation::from_name(&word), "generation", &word)?;
            for (word, [isolated, failed, meant, pure]) in rows {
                let clause = known(ClauseId::from_id(&word), "clause", &word)?;
                *tally.clauses.get_mut(clause, generation) =
                    ClauseTally { isolated, failed, meant, pure };
            }
        }
        for bucket in self.buckets {
            let (signature, bucket) = bucket.restore()?;
            tally.buckets.insert(signature, bucket);
        }
        for (word, [edges, pairs]) in self.products {
            let op = known(Mnemonic::from_name(&word), "mnemonic", &word)?;
            tally.products.insert(op, ProductTally { edges, pairs });
        }
        for (word, bins) in self.coverage {
            let group = known(GroupId::from_name(&word), "covergroup", &word)?;
            tally.hits.restore(group, known(Bits::from_hex(&bins), "set of bins", &bins)?);
        }
        for failed in self.failures {
            tally.failures.push(FailedCase {
                origin: failed.origin.restore()?,
                family: family_of(&failed.family)?,
                failure: ModelFailure { model: failed.model, message: failed.message },
            });
        }
        Ok(tally)
    }
}

fn clauses_of(tally: &Tally) -> BTreeMap<String, BTreeMap<String, [u64; 4]>> {
    let mut table: BTreeMap<String, BTreeMap<String, [u64; 4]>> = BTreeMap::new();
    for &generation in Generation::ALL {
        for &clause in ClauseId::ALL {
            let counts = tally.clauses.get(clause, generation);
            if counts != ClauseTally::default() {
                let ClauseTally { isolated, failed, meant, pure } = counts;
                table
                    .entry(generation.name().to_owned())
                    .or_default()
                    .insert(clause.id().to_owned(), [isolated, failed, meant, pure]);
            }
        }
    }
    table
}

impl BucketRecord {
    fn of(signature: &Signature, bucket: &Bucket) -> Self {
        let Exemplar { origin, case, step, .. } = &bucket.best;
        Self {
            aspect: signature.aspect.name().to_owned(),
            op: signature.op.clone(),
            class: signature.class.clone(),
            count: bucket.count,
            step: *step,
            origin: OriginRecord::of(origin),
            // What the writer of cases writes is JSON.
            case: serde_json::from_str(&write_case(case)).unwrap_or_default(),
            minimised: bucket.minimal.as_deref().map(|minimal| MinimalRecord {
                op: minimal.signature.op.clone(),
                class: minimal.signature.class.clone(),
                case: serde_json::from_str(&write_case(&minimal.case)).unwrap_or_default(),
                before: minimal.before,
                evaluations: minimal.evaluations,
                one_minimal: minimal.one_minimal,
                generalisation: minimal.generalisation.clone(),
                ties: minimal.ties.clone(),
                needs: minimal.needs.clone(),
            }),
        }
    }

    fn restore(self) -> Result<(Signature, Bucket), RecordError> {
        let aspect = Aspect::ALL.into_iter().find(|aspect| aspect.name() == self.aspect);
        let aspect = known(aspect, "aspect", &self.aspect)?;
        let signature = Signature { aspect, op: self.op, class: self.class };
        let read = |value: &Value| {
            case_from_value(value)
                .map_err(|error| RecordError::Case { bucket: signature.bucket(), error })
        };
        let case: Case = read(&self.case)?;
        let minimal = match self.minimised {
            None => None,
            Some(record) => Some(Box::new(Minimal {
                case: read(&record.case)?,
                signature: Signature { aspect, op: record.op, class: record.class },
                before: record.before,
                evaluations: record.evaluations,
                one_minimal: record.one_minimal,
                interrupted: false,
                generalisation: record.generalisation,
                ties: record.ties,
                needs: record.needs,
            })),
        };
        let best = Exemplar {
            size: CaseSize::of(&case),
            origin: self.origin.restore()?,
            case,
            signature: signature.clone(),
            step: self.step,
        };
        Ok((signature, Bucket { count: self.count, best, minimal }))
    }
}
