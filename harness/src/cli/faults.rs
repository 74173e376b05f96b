//! `q7diff faults`: the planted misreadings, and whether the harness finds them.

use super::failure::{AGREE, DIVERGENCE, Failure};
use super::options::{CorpusArgs, GeneratorArgs, parse_seed};
use super::output::print;
use super::run::jobs_of;
use crate::corpus::Corpus;
use crate::family::Family;
use crate::faults::harness::{HARNESS_FAULTS, HarnessFault, Rig, failed_gates, first_failed_gate};
use crate::faults::hunt::{Hunt, Runner, Sightings, Spread, separating};
use crate::faults::{FAULTS, Fault, candidate_with, matching};
use crate::generate::Options;
use crate::golden::{self, DirectedCase};
use crate::models::Guarded;
use crate::report::{files, json, table};
use clap::Args;
use contract::json::write_case;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Instant;

/// Arguments of `faults`.
#[derive(Debug, Clone, Args)]
pub struct FaultsArgs {
    /// Show the catalogue and run nothing
    #[arg(long)]
    pub list: bool,
    /// Faults: names or globs [default: all]
    #[arg(long = "fault", value_name = "NAME,…", value_delimiter = ',')]
    pub faults: Vec<String>,
    /// Generated cases of its family, per seed, after which a fault counts as undetected
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub cases: u64,
    /// First campaign seed
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// Campaign seeds
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub seeds: u64,
    /// Worker threads [default: one per processor]
    #[arg(long, value_name = "J")]
    pub jobs: Option<usize>,
    /// Show the median of plain uniform cases beside it, and the ratio
    #[arg(long, conflicts_with = "naive")]
    pub ratio: bool,
    /// Leave the separating cases as they were found
    #[arg(long)]
    pub no_minimise: bool,
    /// Plant faults in the harness itself instead: each must fail a gate
    #[arg(long, conflicts_with_all = ["ratio", "report", "list"])]
    pub harness: bool,
    /// Write the separating cases into a folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<Totals>,
}

#[derive(Serialize)]
struct Totals {
    faults: usize,
    detected: usize,
    /// Of the medians.
    median: Option<u64>,
    largest_median: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    naive_median: Option<u64>,
    seconds: f64,
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
    /// Seeds under which it was.
    detected_seeds: usize,
    seeds: usize,
    /// Generated cases until the first divergence, under the first seed.
    cases: Option<u64>,
    /// Median over the seeds, and a 95 % interval of it; null: more than were run.
    median: Option<u64>,
    interval: [Option<u64>; 2],
    aspect: Option<&'static str>,
    case_seed: Option<String>,
    bucket: Option<String>,
    /// Golden cases and regressions that show the fault.
    vectors: Vec<String>,
    /// What the minimiser says of the separating case, and the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<MinimalRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    naive_median: Option<Option<u64>>,
}

#[derive(Serialize)]
struct MinimalRecord {
    line: String,
    varies: String,
    case: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

pub(super) fn run(args: &FaultsArgs, json_output: bool) -> Result<u8, Failure> {
    if args.harness {
        return harness(args, json_output);
    }
    let selection = args.generator.selection()?;
    let families: Vec<Family> = selection.families.iter().map(|&family| family.into()).collect();
    let faults = chosen(args, &families)?;
    if args.list {
        let faults = faults.iter().map(|fault| record(fault, None)).collect();
        print_document(&Document { version: 1, faults, totals: None }, args, json_output)?;
        return Ok(AGREE);
    }
    let begin = Instant::now();
    let jobs = jobs_of(args.jobs)?;
    let hunt = Hunt {
        cases: args.cases,
        seed: args.seed,
        seeds: args.seeds.max(1),
        options: selection.options.clone(),
        jobs,
    };
    let bar = progress(args.seeds * families.len() as u64 * (1 + u64::from(args.ratio)));
    let sightings = hunt.run(&faults, || bar.inc(1));
    let plain = args.ratio.then(|| {
        let options = Options { naive: true, ..selection.options.clone() };
        Hunt { options, ..hunt.clone() }.run(&faults, || bar.inc(1))
    });
    bar.finish_and_clear();
    let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
    let directed = golden::load(&corpus, &selection.ops)?.cases;
    let mut vectors = in_vectors(&faults, &directed);
    let bar = progress(faults.len() as u64);
    let mut records = Vec::new();
    for (at, fault) in faults.iter().enumerate() {
        let mut detection = detection(args, &hunt, fault, &sightings[at])?;
        detection.vectors = std::mem::take(&mut vectors[at]);
        detection.naive_median = plain.as_ref().map(|plain| Spread::of(&plain[at]).median);
        records.push(record(fault, Some(detection)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let totals = totals(&records, args.ratio, begin);
    let undetected = totals.detected < totals.faults;
    let document = Document { version: 1, faults: records, totals: Some(totals) };
    print_document(&document, args, json_output)?;
    Ok(if undetected { DIVERGENCE } else { AGREE })
}

#[derive(Serialize)]
struct HarnessDocument {
    version: u32,
    /// Gates that the harness itself fails; empty.
    gates_failed: Vec<String>,
    faults: Vec<HarnessRecord>,
}

#[derive(Serialize)]
struct HarnessRecord {
    name: &'static str,
    story: &'static str,
    detected: bool,
    /// The first gate that fails, and what it says.
    gate: Option<&'static str>,
    reason: Option<String>,
}

/// Runs the gates with each broken instrument, and with the right ones.
fn harness(args: &FaultsArgs, json_output: bool) -> Result<u8, Failure> {
    let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
    let own = failed_gates(&Rig::PRODUCT, &corpus)?;
    let mut document = HarnessDocument {
        version: 1,
        gates_failed: own.iter().map(|(gate, reason)| format!("{gate}: {reason}")).collect(),
        faults: Vec::new(),
    };
    let bar = progress(HARNESS_FAULTS.len() as u64);
    for fault in HARNESS_FAULTS {
        let failed = first_failed_gate(&fault.rig, &corpus)?;
        let (gate, reason) = failed.map_or((None, None), |(gate, why)| (Some(gate), Some(why)));
        let &HarnessFault { name, story, .. } = fault;
        document.faults.push(HarnessRecord { name, story, detected: gate.is_some(), gate, reason });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let found = document.faults.iter().filter(|row| row.detected).count();
    let right = document.gates_failed.is_empty() && found == document.faults.len();
    if json_output {
        print(&json(&document))?;
    } else {
        print(&harness_text(&document, found))?;
    }
    Ok(if right { AGREE } else { DIVERGENCE })
}

fn harness_text(document: &HarnessDocument, found: usize) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for failed in &document.gates_failed {
        let _ = writeln!(text, "the harness fails its gate: {failed}");
    }
    for row in &document.faults {
        let _ = writeln!(text, "{}\n  {}", row.name, row.story);
        let _ = match (row.gate, &row.reason) {
            (Some(gate), Some(reason)) => writeln!(text, "  fails: {gate} ({reason})"),
            _ => writeln!(text, "  NOT DETECTED"),
        };
    }
    let _ = writeln!(text, "{found} of {} faults of the harness detected", document.faults.len());
    text
}

/// The faults that the arguments select, in catalogue order.
fn chosen(args: &FaultsArgs, families: &[Family]) -> Result<Vec<&'static Fault>, Failure> {
    let mut names = BTreeSet::new();
    for pattern in &args.faults {
        names.extend(matching(pattern)?.into_iter().map(|fault| fault.name));
    }
    let selected = |fault: &&Fault| args.faults.is_empty() || names.contains(fault.name);
    let own = FAULTS.iter().filter(|fault| families.contains(&fault.family()));
    Ok(own.filter(selected).collect())
}

fn progress(length: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len}, {elapsed}, {eta} left");
    // The template is a constant that indicatif accepts; its default is no worse.
    ProgressBar::new(length).with_style(style.unwrap_or(ProgressStyle::default_bar()))
}

/// Per fault, the directed cases that show it.
fn in_vectors(faults: &[&'static Fault], directed: &[DirectedCase]) -> Vec<Vec<String>> {
    let mut runner = Runner::default();
    let mut models: Vec<Guarded> =
        faults.iter().map(|fault| Guarded::new(candidate_with(fault))).collect();
    let mut vectors = vec![Vec::new(); faults.len()];
    for directed in directed {
        let family = Family::of(&directed.case);
        runner.expect(&directed.case);
        for (at, _) in faults.iter().enumerate().filter(|(_, fault)| fault.family() == family) {
            if runner.shows(&directed.case, &mut models[at]).is_some() {
                vectors[at].push(directed.name.clone());
            }
        }
    }
    vectors
}

/// What the sightings of a fault say, with its separating case.
fn detection(
    args: &FaultsArgs,
    hunt: &Hunt,
    fault: &'static Fault,
    sightings: &Sightings,
) -> Result<Detection, Failure> {
    let spread = Spread::of(sightings);
    let first = sightings.iter().flatten().next();
    let mut detection = Detection {
        detected: spread.detected > 0,
        detected_seeds: spread.detected,
        seeds: spread.seeds,
        cases: sightings.first().and_then(|seen| seen.as_ref()).map(|seen| seen.cases),
        median: spread.median,
        interval: spread.interval,
        aspect: first.map(|seen| seen.aspect.name()),
        case_seed: first.map(|seen| seen.case_seed.to_string()),
        bucket: None,
        vectors: Vec::new(),
        minimal: None,
        naive_median: None,
    };
    let Some(first) = first.filter(|_| !args.no_minimise) else { return Ok(detection) };
    let minimal = separating(fault, &hunt.case_of(fault, first))
        .map_err(|error| Failure::input(format!("{}: {error}", fault.name)))?;
    detection.bucket = Some(minimal.signature.bucket());
    let text = write_case(&minimal.case);
    let mut file = None;
    if let Some(folder) = &args.report {
        let path = folder.join(format!("{}.json", fault.name));
        files::write_file(&path, format!("{text}\n").as_bytes())?;
        file = Some(path.display().to_string());
    }
    detection.minimal = Some(MinimalRecord {
        line: minimal.line(),
        varies: minimal.generalisation.clone(),
        // What `write_case` writes is JSON.
        case: serde_json::from_str(&text).unwrap_or_default(),
        file,
    });
    Ok(detection)
}

fn record(fault: &Fault, detection: Option<Detection>) -> FaultRecord {
    let &Fault { name, story, source, .. } = fault;
    FaultRecord { name, family: fault.family().name(), story, source, detection }
}

/// The middle of numbers of which the largest may be missing.
fn middle(mut medians: Vec<Option<u64>>) -> Option<u64> {
    medians.sort_by_key(|median| median.unwrap_or(u64::MAX));
    medians.get(medians.len() / 2).copied().flatten()
}

fn totals(records: &[FaultRecord], ratio: bool, begin: Instant) -> Totals {
    let found: Vec<&Detection> = records.iter().flat_map(|row| &row.detection).collect();
    let medians: Vec<Option<u64>> = found.iter().map(|row| row.median).collect();
    let plain = found.iter().map(|row| row.naive_median.flatten()).collect();
    let all = medians.iter().all(Option::is_some);
    Totals {
        faults: records.len(),
        detected: found.iter().filter(|row| row.detected).count(),
        largest_median: medians.iter().flatten().max().copied().filter(|_| all),
        median: middle(medians),
        naive_median: ratio.then(|| middle(plain)).flatten(),
        seconds: begin.elapsed().as_secs_f64(),
    }
}

fn print_document(
    document: &Document,
    args: &FaultsArgs,
    json_output: bool,
) -> Result<(), Failure> {
    if json_output { print(&json(document)) } else { print(&text(document, args)) }
}

/// A count of cases, or the bound that it exceeds.
fn cases_text(cases: Option<u64>, bound: u64) -> String {
    cases.map_or_else(|| format!(">{}", table::grouped(bound)), table::grouped)
}

fn text(document: &Document, args: &FaultsArgs) -> String {
    let mut text = String::new();
    let shown = |cases| cases_text(cases, args.cases);
    // Writing to a string cannot fail.
    for record in &document.faults {
        let _ = writeln!(text, "{} ({})", record.name, record.family);
        let _ = writeln!(text, "  {}", record.story);
        let _ = writeln!(text, "  {}", record.source);
        let Some(found) = &record.detection else { continue };
        let Detection { detected_seeds, seeds, interval, .. } = found;
        let how = found.aspect.unwrap_or("NOT DETECTED");
        let _ = write!(
            text,
            "  {how}: median {} cases [{}, {}], {detected_seeds} of {seeds} seeds",
            shown(found.median),
            shown(interval[0]),
            shown(interval[1]),
        );
        if let Some(plain) = found.naive_median {
            let ratio =
                plain.unwrap_or(args.cases) as f64 / found.median.unwrap_or(args.cases) as f64;
            let least = if plain.is_none() { ">" } else { "" };
            let _ = write!(text, "; plain {} ({least}{ratio:.1} times)", shown(plain));
        }
        let _ = writeln!(text, "; {} golden cases", found.vectors.len());
        if let Some(minimal) = &found.minimal {
            let bucket = found.bucket.as_deref().unwrap_or_default();
            let _ = writeln!(text, "  {bucket}: {}", minimal.line);
            let _ = writeln!(text, "  {}", minimal.file.as_ref().unwrap_or(&minimal.varies));
        }
    }
    if let Some(totals) = &document.totals {
        let _ = write!(
            text,
            "{} of {} faults detected; median of the medians {}, largest {}",
            totals.detected,
            totals.faults,
            shown(totals.median),
            shown(totals.largest_median),
        );
        if args.ratio {
            let _ = write!(text, "; plain {}", shown(totals.naive_median));
        }
        let _ = writeln!(text, "; {:.0} s", totals.seconds);
    } else {
        let _ = writeln!(text, "{} faults", document.faults.len());
    }
    text
}
