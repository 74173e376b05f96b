//! `q7diff merge`: the reports of every shard of one run, joined into one.

use super::failure::Failure;
use super::judge::judge;
use super::options::{FpOrderChoice, ModelArgs, NanChoice};
use super::output::print;
use super::run::{SummaryWithTiming, jobs_of, prepare, told};
use crate::campaign::{Budget, Plan, Shard};
use crate::generate;
use crate::models;
use crate::report::merge::{self, Joined, MergeError, ShardReport};
use crate::report::options::RunOptions;
use crate::report::{Report, json, table};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `merge`.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// Folders of the reports, one per shard
    #[arg(value_name = "DIR", required = true)]
    pub reports: Vec<PathBuf>,
    /// Folder of the joined report [default: reports/run-<seed>]
    #[arg(long, value_name = "OUT")]
    pub report: Option<PathBuf>,
    /// No tables
    #[arg(long)]
    pub quiet: bool,
}

pub(super) fn run(args: &MergeArgs, json_output: bool) -> Result<u8, Failure> {
    let reports: Vec<ShardReport> =
        args.reports.iter().map(|folder| ShardReport::read(folder)).collect::<Result<_, _>>()?;
    let mut joined = merge::join(reports)?;
    let plan = plan_of(joined.summary.seed, &joined.summary.options)?;
    let unminimised = joined.shrink(&plan.models(), jobs_of(None)?);
    let Joined { result, summary, timing, .. } = &joined;
    let folder = args
        .report
        .clone()
        .unwrap_or_else(|| Path::new("reports").join(format!("run-{}", summary.seed)));
    if joined.reads_from(&folder, &args.reports) {
        return Err(Failure::input(format!("{} is one of the reports to join", folder.display()))
            .hint("choose another folder with --report OUT"));
    }
    prepare(&folder)?;
    let report = Report {
        plan: &plan,
        result,
        counted: &joined.counted,
        summary,
        timing: *timing,
        enabled: &joined.enabled,
        generations: &joined.generations,
        skipped: &joined.skipped,
    };
    report.write(&folder)?;

    let (mut code, mut findings) = judge(summary, result, &joined.families);
    code = code.max(told(&unminimised, &mut findings));
    let mut text = String::new();
    if !args.quiet {
        text.push_str(&report.terminal());
        text.push_str(&table::timing_line(timing));
        text.push_str(&format!("report: {}\n", folder.display()));
    }
    if json_output {
        anstream::eprint!("{text}");
        print(&json(&SummaryWithTiming { summary, timing: *timing }))?;
    } else {
        print(&text)?;
    }
    for finding in findings {
        anstream::eprintln!("q7diff: {finding}");
    }
    Ok(code)
}

/// The models and the comparator that the shards were run with; nothing is generated again.
fn plan_of(seed: u64, options: &RunOptions) -> Result<Plan, Failure> {
    let arguments = ModelArgs {
        candidate: options.candidate.clone(),
        fault: options.fault.clone(),
        fp_order: match options.fp_order {
            "exact" => FpOrderChoice::Exact,
            _ => FpOrderChoice::Reassociated,
        },
        nan: match options.nan {
            "exact" => NanChoice::Exact,
            _ => NanChoice::Any,
        },
    };
    Ok(Plan {
        seed,
        budget: Budget { cases: options.cases, time: None },
        shard: Shard::WHOLE,
        jobs: 1,
        comparator: arguments.comparator()?,
        reference: models::oracle(),
        candidate: arguments.candidate()?,
        families: Vec::new(),
        options: generate::Options::default(),
        directed: Vec::new(),
        products: Vec::new(),
        until: None,
    })
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        let hint = match &error {
            MergeError::Read { path, .. } if path.ends_with("tally.json") => {
                Some("the report is of an older version; run the shard again")
            }
            MergeError::Read { path, .. } if path.ends_with("summary.json") => {
                Some("name the folders that `run --shard I/N --report DIR` wrote")
            }
            MergeError::Missing { .. } => Some("run them, and name every folder"),
            MergeError::OtherRun { .. } => {
                Some("shards share the seed and every option but --shard")
            }
            MergeError::Write(_) => Some("choose another folder with --report OUT"),
            _ => None,
        };
        let failure = Self::input(error.to_string());
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
