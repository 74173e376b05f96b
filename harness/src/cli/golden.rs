//! `q7diff golden`: both models against the golden vectors.

use super::failure::{AGREE, DIVERGENCE, Failure, MODEL_FAILED};
use super::options::CorpusArgs;
use super::output::print;
use crate::campaign::{Origin, Tally, Worker};
use crate::compare::Comparator;
use crate::corpus::Corpus;
use crate::family::{Family, Op};
use crate::generate::Intent;
use crate::golden::{self, DirectedCase, GoldenTally, Skipped, exhaustive};
use crate::models;
use crate::report::{json, origin_text, table};
use clap::Args;
use serde::Serialize;

/// Arguments of `golden`.
#[derive(Debug, Clone, Args)]
pub struct GoldenArgs {
    /// Corpus
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Also run every code of the 8-bit dtypes, and every pair through each ALU operation, in both
    /// models against each other
    #[arg(long)]
    pub exhaustive: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    checked: u64,
    failed: u64,
    compared: crate::report::summary::ComparedRecord,
    diverging_cases: u64,
    files: Vec<FileRecord<'a>>,
    probes: Vec<ProbeRecord<'a>>,
    skipped: Vec<SkippedRecord<'a>>,
    missed: Vec<MissedRecord<'a>>,
    failures: Vec<String>,
}

#[derive(Serialize)]
struct FileRecord<'a> {
    file: &'a str,
    checked: u64,
    failed: u64,
    compared: u64,
}

/// Vectors of one op.
#[derive(Serialize)]
struct ProbeRecord<'a> {
    family: &'a str,
    op: &'a str,
    probes: usize,
    cases: u64,
    failed: usize,
}

#[derive(Serialize)]
struct SkippedRecord<'a> {
    file: &'a str,
    reason: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct MissedRecord<'a> {
    vector: &'a str,
    model: &'a str,
    what: &'a str,
}

pub(super) fn run(args: &GoldenArgs, json_output: bool) -> Result<u8, Failure> {
    let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
    let ops: Vec<Op> = Family::ALL.into_iter().flat_map(Op::enabled).collect();
    let directed = golden::load_golden(&corpus, &ops)?;
    let mut check = Check::new();
    directed.cases.iter().for_each(|case| check.case(case));
    if args.exhaustive {
        exhaustive::cases().for_each(|case| check.case(&case));
    }
    let Check { tally, golden, .. } = &check;
    let compared = crate::report::summary::ComparedRecord::of(tally.compared);
    if json_output {
        print(&json(&document(&check, &directed.skipped)))?;
    } else {
        let mut text = table::golden(golden, &directed.skipped);
        text.push_str(&format!(
            "\n{} vectors checked in both models, {} failed; model against model: {} values, {} \
             verdicts and {} postings compared, {} cases differ\n",
            table::grouped(golden.checked()),
            table::grouped(golden.failed()),
            table::grouped(compared.values),
            table::grouped(compared.verdicts),
            table::grouped(compared.postings),
            table::grouped(tally.diverging_cases)
        ));
        for (signature, bucket) in &tally.buckets {
            let name = origin_text(&bucket.best.origin);
            text.push_str(&format!("differs: {signature} in {} cases, as {name}\n", bucket.count));
        }
        for failed in &tally.failures {
            text.push_str(&format!("{} on {}\n", failed.failure, origin_text(&failed.origin)));
        }
        print(&text)?;
    }
    Ok(if tally.failure_count > 0 {
        MODEL_FAILED
    } else if golden.failed() > 0 || tally.diverging_cases > 0 || golden.checked() == 0 {
        DIVERGENCE
    } else {
        AGREE
    })
}

struct Check {
    worker: Worker,
    tally: Tally,
    golden: GoldenTally,
    number: u64,
}

impl Check {
    fn new() -> Self {
        let worker = Worker::new(Comparator::default(), models::oracle(), models::candidate());
        Self { worker, tally: Tally::default(), golden: GoldenTally::default(), number: 0 }
    }

    fn case(&mut self, directed: &DirectedCase) {
        let origin = Origin::Directed { number: self.number, name: directed.name.clone() };
        self.number += 1;
        let answered =
            self.worker.examine(&directed.case, &origin, &Intent::Valid, &mut self.tally);
        let differ = self.worker.differ();
        let outcomes =
            answered.then(|| [("oracle", differ.expected()), ("candidate", differ.actual())]);
        self.golden.count(directed, outcomes, &[]);
    }
}

fn document<'a>(check: &'a Check, skipped: &'a [Skipped]) -> Document<'a> {
    let Check { tally, golden, .. } = check;
    Document {
        version: 1,
        checked: golden.checked(),
        failed: golden.failed(),
        compared: crate::report::summary::ComparedRecord::of(tally.compared),
        diverging_cases: tally.diverging_cases,
        files: golden
            .groups
            .iter()
            .map(|(file, group)| FileRecord {
                file,
                checked: group.checked,
                failed: group.failed,
                compared: group.compared,
            })
            .collect(),
        probes: golden
            .probes
            .iter()
            .map(|((family, op), tally)| ProbeRecord {
                family,
                op,
                probes: tally.ids.len(),
                cases: tally.cases,
                failed: tally.failed.len(),
            })
            .collect(),
        skipped: skipped
            .iter()
            .map(|row| SkippedRecord { file: &row.group, reason: &row.reason, count: row.count })
            .collect(),
        missed: golden
            .missed
            .iter()
            .map(|missed| MissedRecord {
                vector: &missed.name,
                model: &missed.model,
                what: &missed.what,
            })
            .collect(),
        failures: tally
            .failures
            .iter()
            .map(|failed| format!("{} on {}", failed.failure, origin_text(&failed.origin)))
            .collect(),
    }
}
