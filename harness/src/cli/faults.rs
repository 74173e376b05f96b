//! `q7diff faults`: the planted misreadings, and whether the harness finds them.

use super::failure::{AGREE, DIVERGENCE, Failure};
use super::options::{CaseStream, CorpusArgs, GeneratorArgs, parse_seed};
use super::output::print;
use crate::campaign::{Origin, Tally, Worker};
use crate::compare::Comparator;
use crate::corpus::Corpus;
use crate::family::Family;
use crate::faults::{FAULTS, Fault, candidate_with};
use crate::generate::{Generated, Intent};
use crate::golden::{self, DirectedCase};
use crate::models;
use crate::report::{json, table};
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;

/// Arguments of `faults`.
#[derive(Debug, Clone, Args)]
pub struct FaultsArgs {
    /// Show the catalogue and run nothing
    #[arg(long)]
    pub list: bool,
    /// Generated cases of its family after which a fault counts as undetected
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub cases: u64,
    /// Campaign seed
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// What to generate
    #[command(flatten)]
    pub generator: GeneratorArgs,
    /// Corpus
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

#[derive(Serialize)]
struct Document {
    version: u32,
    faults: Vec<FaultRecord>,
}

#[derive(Serialize)]
struct FaultRecord {
    name: &'static str,
    family: &'static str,
    story: &'static str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detection: Option<Detection>,
}

#[derive(Serialize)]
struct Detection {
    detected: bool,
    /// Generated cases until the first divergence.
    cases: Option<u64>,
    case_seed: Option<String>,
    bucket: Option<String>,
    /// Directed cases that show the fault.
    vectors: Vec<String>,
}

pub(super) fn run(args: &FaultsArgs, json_output: bool) -> Result<u8, Failure> {
    let mut records = Vec::new();
    let mut undetected = 0;
    let directed = if args.list {
        Vec::new()
    } else {
        let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
        golden::load(&corpus, &args.generator.selection()?.ops)?.cases
    };
    let families: Vec<Family> =
        args.generator.selection()?.families.into_iter().map(Family::from).collect();
    for fault in FAULTS.iter().filter(|fault| families.contains(&fault.family)) {
        let detection = if args.list {
            None
        } else {
            let detection = detect(fault, args, &directed)?;
            undetected += u64::from(!detection.detected);
            Some(detection)
        };
        let &Fault { name, family, story, source, .. } = fault;
        records.push(FaultRecord { name, family: family.name(), story, source, detection });
    }
    if json_output {
        print(&json(&Document { version: 1, faults: records }))?;
    } else {
        print(&text(&records))?;
    }
    Ok(if undetected > 0 { DIVERGENCE } else { AGREE })
}

/// Runs generated cases until the fault shows, and every directed case.
fn detect(
    fault: &'static Fault,
    args: &FaultsArgs,
    directed: &[DirectedCase],
) -> Result<Detection, Failure> {
    // Cases of another family cannot show the fault, so they are neither made nor counted.
    let mut selection = args.generator.selection()?;
    selection.families.retain(|&family| Family::from(family) == fault.family);
    let mut worker = Worker::new(Comparator::default(), models::oracle(), candidate_with(fault));
    let mut vectors = Vec::new();
    for (number, case) in directed.iter().enumerate() {
        let origin = Origin::Directed { number: number as u64, name: case.name.clone() };
        let mut tally = Tally::default();
        worker.examine(&case.case, &origin, &Intent::Valid, &mut tally);
        if tally.diverging_cases > 0 {
            vectors.push(case.name.clone());
        }
    }
    let mut stream = CaseStream::new(&selection, args.seed);
    let mut sample = Generated::default();
    for index in 0..args.cases {
        let seed = stream.case(index, &mut sample);
        let origin = Origin::Generated { index, seed };
        let mut tally = Tally::default();
        worker.examine(&sample.case, &origin, &sample.intent, &mut tally);
        if tally.diverging_cases > 0 {
            return Ok(Detection {
                detected: true,
                cases: Some(index + 1),
                case_seed: Some(seed.to_string()),
                bucket: tally.buckets.keys().next().map(|signature| signature.bucket()),
                vectors,
            });
        }
    }
    Ok(Detection { detected: false, cases: None, case_seed: None, bucket: None, vectors })
}

fn text(records: &[FaultRecord]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for record in records {
        let _ = writeln!(text, "{} ({})", record.name, record.family);
        let _ = writeln!(text, "  {}", record.story);
        let _ = writeln!(text, "  {}", record.source);
        let Some(detection) = &record.detection else { continue };
        let _ = match (detection.cases, &detection.bucket) {
            (Some(cases), Some(bucket)) => {
                writeln!(text, "  detected after {} cases as {bucket}", table::grouped(cases))
            }
            (Some(cases), None) => {
                writeln!(text, "  detected after {} cases", table::grouped(cases))
            }
            (None, _) => writeln!(text, "  NOT DETECTED by generated cases"),
        };
        let _ = writeln!(text, "  shown by {} golden cases", detection.vectors.len());
    }
    text
}
