//! `q7diff run`: a differential campaign.

use super::failure::{AGREE, Failure, INTERRUPTED, MODEL_FAILED};
use super::judge::judge;
use super::options::{CorpusArgs, GeneratorArgs, ModelArgs, Selection, parse_seed, vector_ops};
use super::output::print;
use crate::campaign::{self, Budget, Goal, Plan, Shard};
use crate::corpus::Corpus;
use crate::family::Family;
use crate::golden;
use crate::models;
use crate::report::options::{ProfileRecord, RunOptions, nan_name, shard_name};
use crate::report::summary::{Summary, Timing, bucket_folder};
use crate::report::{Report, files, json, table};
use crate::shrink::{ShrinkError, joined, shrink_buckets};
use crate::triage::{KnownList, Signature, today};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Cases of a run that names no budget.
const DEFAULT_CASES: u64 = 200_000;

/// Most cases of a run until a coverage is reached.
const MOST_CASES: u64 = 5_000_000;

/// Arguments of `run`.
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    /// What to generate
    #[command(flatten)]
    pub generator: GeneratorArgs,
    /// Models and comparison
    #[command(flatten)]
    pub models: ModelArgs,
    /// Corpus
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// Generated cases [default: 200000; 5000000 with --until-coverage; no limit with --time]
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// Time for generated cases, as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Run until so many percent of the bins that count are hit, steering towards the others
    #[arg(long, value_name = "P%", value_parser = parse_percent)]
    pub until_coverage: Option<f64>,
    /// Campaign seed
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// Worker threads [default: one per processor]
    #[arg(long, value_name = "J")]
    pub jobs: Option<usize>,
    /// Run share I of N of the cases
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    pub shard: Shard,
    /// Folder of the report [default: reports/run-<seed>]
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Leave the smallest cases as they were found
    #[arg(long)]
    pub no_minimise: bool,
    /// No progress and no tables
    #[arg(long)]
    pub quiet: bool,
}

/// Reads a share in percent: a number from 0 to 100, with or without the sign.
fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let percent: f64 = number.parse().map_err(|error| format!("{error}"))?;
    match percent {
        0.0..=100.0 => Ok(percent),
        _ => Err("a share lies between 0% and 100%".to_owned()),
    }
}

/// Reads a duration: a number with `ms`, `s`, `m` or `h`; seconds without.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("unknown unit `{unit}` (units: ms, s, m, h)")),
    };
    let number: f64 = digits.parse().map_err(|error| format!("{error}"))?;
    Duration::try_from_secs_f64(number * unit).map_err(|error| error.to_string())
}

/// `run --json`: the summary with the times in it.
#[derive(Serialize)]
pub(super) struct SummaryWithTiming<'a> {
    #[serde(flatten)]
    pub(super) summary: &'a Summary,
    pub(super) timing: Timing,
}

pub(super) fn run(args: &RunArgs, json_output: bool) -> Result<u8, Failure> {
    let selection = args.generator.selection()?;
    let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
    let directed = golden::load(&corpus, &selection.ops)?;
    let known = KnownList::load(&corpus.known())?;
    let jobs = jobs_of(args.jobs)?;
    let most = if args.until_coverage.is_some() { MOST_CASES } else { DEFAULT_CASES };
    let cases = args.cases.or(args.time.is_none().then_some(most));
    if args.until_coverage.is_some() && args.shard != Shard::WHOLE {
        return Err(Failure::input("--until-coverage needs the whole campaign, not a shard of it"));
    }
    let plan = Plan {
        seed: args.seed,
        budget: Budget { cases, time: args.time },
        shard: args.shard,
        jobs,
        comparator: args.models.comparator()?,
        reference: models::oracle(),
        candidate: args.models.candidate()?,
        families: selection.families.clone(),
        options: selection.options.clone(),
        directed: directed.cases,
        products: vector_ops(&selection.ops),
        until: (args.until_coverage)
            .map(|percent| Goal { percent, enabled: selection.ops.clone() }),
    };
    let folder = args.report.clone().unwrap_or_else(|| default_folder(args.seed, args.shard));
    prepare(&folder)?;

    let interrupt = catch_interrupts()?;
    let progress = progress_bar(args, cases.map(|cases| args.shard.cases_of(cases)));
    let mut result = campaign::run(&plan, interrupt, |cases, diverging| {
        progress.set_position(cases);
        if diverging > 0 {
            progress.set_message(format!("{} cases differ", table::grouped(diverging)));
        }
    });
    progress.finish_and_clear();
    let mut unminimised = Vec::new();
    if !args.no_minimise && !result.interrupted {
        unminimised = shrink_buckets(&mut result.tally, &plan.models(), jobs, interrupt);
        // What an interrupt left undone is missing in the report.
        result.interrupted = interrupt.load(Ordering::Relaxed);
    }

    let counted = result;
    let result = joined(&counted, !args.no_minimise && !counted.interrupted);

    let options = record_options(args, &selection, cases, &plan);
    let generations = &selection.options.generations;
    let mut summary = Summary::of(&result, args.seed, options, &selection.ops, generations);
    summary.accept(&result.tally, &known);
    let timing = Timing::of(&result, jobs);
    let report = Report {
        plan: &plan,
        result: &result,
        counted: &counted,
        summary: &summary,
        timing,
        enabled: &selection.ops,
        generations,
        skipped: &directed.skipped,
    };
    report.write(&folder)?;

    let families: Vec<Family> = selection.families.iter().map(|&family| family.into()).collect();
    let (mut code, mut findings) = judge(&summary, &result, &families);
    code = code.max(told(&unminimised, &mut findings));
    let mut text = String::new();
    if !args.quiet {
        text.push_str(&report.terminal());
        text.push_str(&table::timing_line(&timing));
        text.push_str(&first_counterexample(&report, &folder));
        text.push_str(&format!("report: {}\n", folder.display()));
    }
    if json_output {
        anstream::eprint!("{text}");
        print(&json(&SummaryWithTiming { summary: &summary, timing }))?;
    } else {
        print(&text)?;
    }
    for finding in findings {
        anstream::eprintln!("q7diff: {finding}");
    }
    // The day must not change what a run says or how it ends; `nightly` fails for it.
    for entry in known.entries.iter().filter(|entry| today() > entry.expires) {
        anstream::eprintln!("q7diff: {}:{}: expired on {}", known.file, entry.line, entry.expires);
    }
    Ok(code)
}

/// Says which buckets were not minimised. A minimised case that does not replay shows a model that answers
/// differently from run to run, which is a failed model.
pub(super) fn told(unminimised: &[(Signature, ShrinkError)], findings: &mut Vec<String>) -> u8 {
    let lines = unminimised.iter().map(|(signature, error)| {
        format!("bucket {} was not minimised: {error}", signature.bucket())
    });
    findings.extend(lines);
    let unsteady =
        |(_, error): &(Signature, ShrinkError)| matches!(error, ShrinkError::NotReplayed { .. });
    if unminimised.iter().any(unsteady) { MODEL_FAILED } else { AGREE }
}

/// Worker threads: as asked for, else one per processor.
pub(super) fn jobs_of(asked: Option<usize>) -> Result<usize, Failure> {
    match asked {
        Some(0) => Err(Failure::input("--jobs: at least one thread is needed")),
        Some(jobs) => Ok(jobs),
        None => Ok(std::thread::available_parallelism().map_or(1, |jobs| jobs.get())),
    }
}

fn default_folder(seed: u64, shard: Shard) -> PathBuf {
    let part = if shard == Shard::WHOLE {
        String::new()
    } else {
        format!("-shard-{}-of-{}", shard.index, shard.count)
    };
    Path::new("reports").join(format!("run-{seed}{part}"))
}

/// Finds out before the campaign whether the report can be written, and takes an older summary away, so
/// that a killed run does not leave it as its own.
pub(super) fn prepare(folder: &Path) -> Result<(), Failure> {
    files::write_file(&folder.join("timing.json"), b"{}\n")?;
    match std::fs::remove_file(folder.join("summary.json")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::input(format!("cannot replace {}: {error}", folder.display())))
        }
        _ => Ok(()),
    }
}

/// The flag that Ctrl-C or a request to terminate sets. A second one ends the process at once.
pub(super) fn catch_interrupts() -> Result<&'static AtomicBool, Failure> {
    static INTERRUPT: AtomicBool = AtomicBool::new(false);
    ctrlc::set_handler(|| {
        if INTERRUPT.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .map_err(|error| Failure::input(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(&INTERRUPT)
}

fn progress_bar(args: &RunArgs, cases: Option<u64>) -> ProgressBar {
    if args.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, style) = match cases {
        Some(cases) => (
            ProgressBar::new(cases),
            "{bar:40} {human_pos} of {human_len} cases, {per_sec}, {eta} left {msg:.red}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {human_pos} cases, {per_sec}, {elapsed} {msg:.red}",
        ),
    };
    // The templates are constants that indicatif accepts; its default is no worse.
    bar.with_style(ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar()))
}

fn record_options(
    args: &RunArgs,
    selection: &Selection,
    cases: Option<u64>,
    plan: &Plan,
) -> RunOptions {
    RunOptions {
        families: selection.families.iter().map(|&family| Family::from(family).name()).collect(),
        ops: args.generator.ops.clone(),
        cases,
        time: args.time.map(|time| time.as_secs_f64()),
        generations: selection.options.generations.iter().map(|g| g.name()).collect(),
        near_valid: selection.options.near_valid,
        naive: selection.options.naive,
        profile: ProfileRecord(selection.options.profile),
        presets: Vec::new(),
        candidate: args.models.candidate.clone(),
        fault: args.models.fault.clone(),
        fp_order: "exact",
        nan: nan_name(plan.comparator.policy),
        shard: shard_name(args.shard),
        until_coverage: args.until_coverage,
        data: args.generator.data.as_ref().map(|file| file.display().to_string()),
        minimise: !args.no_minimise,
    }
}

/// The text report of the first bucket, for the terminal.
fn first_counterexample(report: &Report<'_>, folder: &Path) -> String {
    let first = report.result.tally.buckets.iter().next();
    first.map_or_else(String::new, |(signature, bucket)| {
        let name = signature.bucket();
        let place = format!("{}/", folder.join(bucket_folder(&name)).display());
        let text = report.counterexample(bucket, &place);
        format!("\n{name}\n{text}\n")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_percentages() {
        for (text, percent) in [("100%", 100.0), ("99.5", 99.5), ("0%", 0.0)] {
            assert_eq!(parse_percent(text), Ok(percent), "{text}");
        }
        for text in ["", "%", "101%", "-1", "NaN", "1%%"] {
            assert!(parse_percent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn reads_durations() {
        for (text, milliseconds) in
            [("60s", 60_000), ("1.5m", 90_000), ("2h", 7_200_000), ("250ms", 250), ("3", 3_000)]
        {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "-1s", "3d", "1e400"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }
}
