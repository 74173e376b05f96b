//! `q7diff nightly`: everything there is to compare, within a budget, and what is new since last time.

use super::failure::{AGREE, BAD_INPUT, DIVERGENCE, Failure, INTERRUPTED, MODEL_FAILED};
use super::night_campaigns;
use super::options::{CorpusArgs, ModelArgs, parse_seed, vector_ops};
use super::output::print;
use super::run::{catch_interrupts, jobs_of, parse_time, prepare, told};
use crate::compare::IgnoredReason;
use crate::corpus::Corpus;
use crate::family::{Family, Op};
use crate::generate;
use crate::golden::{self, REGRESSIONS};
use crate::models;
use crate::nightly::fuzz::FuzzCorpora;
use crate::nightly::journal::{self, Header, JOURNAL_FILE, Journal, JournalError, Line};
use crate::nightly::plan::NightlyPlan;
use crate::nightly::previous::{News, Previous, PreviousError, is_unfinished, latest_unfinished};
use crate::nightly::report::NightlyReport;
use crate::nightly::state::State;
use crate::nightly::work::Found;
use crate::nightly::{self, Session};
use crate::report::options::{ProfileRecord, RunOptions, nan_name};
use crate::report::{json, origin_text, table};
use crate::triage::{KnownList, today};
use chrono::NaiveDate;
use clap::Args;
use contract::isa::Generation;
use contract::profile::Profile;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Budget of a night that names none.
const DEFAULT_BUDGET: Duration = Duration::from_secs(30 * 60);

/// Arguments of `nightly`.
#[derive(Debug, Clone, Args)]
pub struct NightlyArgs {
    /// Time for everything, as 30m or 2h [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with = "cases")]
    pub budget: Option<Duration>,
    /// Generated cases of each campaign, in place of a budget of time
    #[arg(long, value_name = "N")]
    pub cases: Option<u64>,
    /// Seed of the night [default: a fresh one]
    #[arg(long, value_name = "S", value_parser = parse_seed)]
    pub seed: Option<u64>,
    /// Worker threads [default: one per processor]
    #[arg(long, value_name = "J")]
    pub jobs: Option<usize>,
    /// Folder of the report [default: reports/nightly-<date>, or nightly-<seed> with --seed]
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Go on with an interrupted night: that of --report, else the latest in reports/
    #[arg(long)]
    pub resume: bool,
    /// Compare with the night in this folder [default: the latest beside the report]
    #[arg(long, value_name = "DIR")]
    pub previous: Option<PathBuf>,
    /// Models and comparison
    #[command(flatten)]
    pub models: ModelArgs,
    /// Corpus
    #[command(flatten)]
    pub corpus: CorpusArgs,
    /// No progress and no tables
    #[arg(long)]
    pub quiet: bool,
}

pub(super) fn run(args: &NightlyArgs, json_output: bool) -> Result<u8, Failure> {
    let jobs = jobs_of(args.jobs)?;
    let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
    let known = KnownList::load(&corpus.known())?;
    let (folder, header) = if args.resume { resumed(args)? } else { begun(args)? };
    let plan = plan(&corpus, &header)?;
    let header = Header { corpus: format!("{:016x}", plan.fingerprint()), ..header };
    let previous = previous(args, &folder, &header.started)?;
    let interrupt = catch_interrupts()?;

    prepare(&folder)?;
    let mut state = State::default();
    let mut spent = Duration::ZERO;
    let mut journal = if args.resume {
        spent = restore(&folder, &header, &plan, &mut state)?;
        Journal::resume(&folder)?
    } else {
        Journal::create(&folder, &header)?
    };
    anstream::eprintln!("q7diff: seed {} of the night; report: {}", header.seed, folder.display());
    let resumable = |failure: Failure| {
        let folder = folder.display();
        failure.hint(format!("finished work is kept: q7diff nightly --resume --report '{folder}'"))
    };
    let stuck = |error| resumable(Failure::from(error));
    journal.append(&Line::Session { at: now(), jobs }).map_err(stuck)?;
    let progress = progress_bar(args, &plan);
    let begin = Instant::now();
    let session = Session { jobs, spent };
    let complete = nightly::run(&plan, &session, &mut journal, &mut state, interrupt, |state| {
        progress.set_position(state.cases());
        if state.diverging_cases() > 0 {
            let differ = table::grouped(state.diverging_cases());
            progress.set_message(format!("{differ} cases differ"));
        }
    })
    .map_err(stuck)?;
    progress.finish_and_clear();

    let spent = spent + begin.elapsed();
    let mut report = NightlyReport::of(&plan, &state, &known, !complete, spent, jobs);
    let unminimised = report.shrink(jobs, interrupt);
    let news = report.news(day_of(&header), previous.as_ref());
    report.write(&folder, &news, &header.started).map_err(stuck)?;

    let mut text = String::new();
    if !args.quiet {
        text.push_str(&report.terminal(&news));
        text.push_str(&table::timing_line(&report.timing));
        text.push_str(&format!("seed: {}\nreport: {}\n", header.seed, folder.display()));
    }
    if json_output {
        anstream::eprint!("{text}");
        print(&json(&report.with_news(&news)))?;
    } else {
        print(&text)?;
    }
    let (mut code, mut findings) = judge(&report, &news);
    code = code.max(told(&unminimised, &mut findings));
    for finding in findings {
        anstream::eprintln!("q7diff: {finding}");
    }
    if report.result.interrupted {
        anstream::eprintln!(
            "q7diff: interrupted; go on with: q7diff nightly --resume --report '{}'",
            folder.display()
        );
    }
    Ok(code)
}

/// Exit code of a night, and what made it.
fn judge(report: &NightlyReport<'_>, news: &News) -> (u8, Vec<String>) {
    let tally = &report.result.tally;
    let mut findings = news.findings.clone();
    let mut code = if news.news { DIVERGENCE } else { AGREE };
    let outside = tally.ignored.of(IgnoredReason::OutsideCase);
    if outside > 0 {
        let first = tally.outside.first().map(origin_text).unwrap_or_default();
        findings.push(format!(
            "{outside} cases write outside their memory, in both models; the first is {first}"
        ));
        code = BAD_INPUT;
    }
    if tally.unbucketed > 0 {
        findings.push(format!("{} divergences beyond the kept buckets", tally.unbucketed));
        code = code.max(DIVERGENCE);
    }
    if tally.failure_count > 0 {
        findings.push(format!("a model failed on {} cases", tally.failure_count));
        code = MODEL_FAILED;
    }
    if report.result.interrupted {
        code = INTERRUPTED;
    }
    (code, findings)
}

/// Now in UTC, to the second.
fn now() -> String {
    chrono::Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The day on which a night began: entries are judged by it, also when the night is resumed later.
fn day_of(header: &Header) -> NaiveDate {
    let day = header.started.get(..10).and_then(|day| day.parse().ok());
    day.unwrap_or_else(today)
}

/// Folder and header of a new night.
fn begun(args: &NightlyArgs) -> Result<(PathBuf, Header), Failure> {
    let started = now();
    // Below 2^48: easy to type, and whole in every JSON reader.
    let seed = args.seed.unwrap_or_else(|| rand::random::<u64>() >> 16);
    let folder = match (&args.report, args.seed) {
        (Some(folder), _) => folder.clone(),
        (None, Some(seed)) => Path::new("reports").join(format!("nightly-{seed}")),
        (None, None) => free_folder(&started[..10]),
    };
    if folder.join(JOURNAL_FILE).exists() && is_unfinished(&folder) {
        return Err(Failure::input(format!("{} holds an unfinished night", folder.display()))
            .hint("go on with it with --resume, or choose another folder with --report DIR"));
    }
    let budget = args.cases.is_none().then_some(args.budget.unwrap_or(DEFAULT_BUDGET));
    let header = Header {
        version: 1,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        started,
        cases: args.cases,
        budget: budget.map(|budget| budget.as_secs_f64()),
        candidate: args.models.candidate.clone(),
        fault: args.models.fault.clone(),
        nan: nan_name(args.models.comparator()?.policy).to_owned(),
        corpus: String::new(),
    };
    Ok((folder, header))
}

/// The folder of a date that no night has taken.
fn free_folder(date: &str) -> PathBuf {
    let first = Path::new("reports").join(format!("nightly-{date}"));
    let others = (2..).map(|number| Path::new("reports").join(format!("nightly-{date}-{number}")));
    // The numbers do not end, so there is a free one.
    std::iter::once(first).chain(others).find(|folder| !folder.exists()).unwrap_or_default()
}

/// Folder and header of a night that is to go on. Arguments may repeat its plan, not change it.
fn resumed(args: &NightlyArgs) -> Result<(PathBuf, Header), Failure> {
    let reports = Path::new("reports");
    let folder = match (&args.report, args.seed) {
        (Some(folder), _) => folder.clone(),
        (None, Some(seed)) => reports.join(format!("nightly-{seed}")),
        (None, None) => latest_unfinished(reports).ok_or_else(|| {
            Failure::input("--resume: reports/ holds no unfinished night")
                .hint("name its folder with --report DIR")
        })?,
    };
    let header = journal::read_header(&folder)?;
    let budget = args.budget.map(|budget| budget.as_secs_f64());
    let nan = nan_name(args.models.comparator()?.policy);
    let changed = [
        ("--seed", args.seed.is_some_and(|seed| seed != header.seed)),
        ("--cases", args.cases.is_some() && args.cases != header.cases),
        ("--budget", budget.is_some() && budget != header.budget),
        ("--fault", args.models.fault.is_some() && args.models.fault != header.fault),
        (
            "--candidate",
            args.models.candidate != "builtin" && args.models.candidate != header.candidate,
        ),
        ("--nan", nan != "exact" && nan != header.nan),
    ];
    if let Some((option, _)) = changed.into_iter().find(|(_, changed)| *changed) {
        return Err(Failure::input(format!(
            "--resume: {option} differs from that of the night in {}",
            folder.display()
        ))
        .hint("leave it out, or begin a new night"));
    }
    let program = env!("CARGO_PKG_VERSION");
    if header.program != program {
        return Err(Failure::input(format!(
            "--resume: the night was begun by version {}, this is {program}",
            header.program
        )));
    }
    Ok((folder, header))
}

/// Reads the finished chunks of a night; gives the time that its sessions spent.
fn restore(
    folder: &Path,
    header: &Header,
    plan: &NightlyPlan,
    state: &mut State,
) -> Result<Duration, Failure> {
    let (mut earlier, mut session) = (0.0, 0.0_f64);
    let mut same_corpus = true;
    journal::read(folder, |line| {
        match line {
            Line::Header(begun) => same_corpus = begun.corpus == header.corpus,
            Line::Session { .. } => {
                earlier += session;
                session = 0.0;
            }
            Line::Chunk(line) => {
                session = session.max(line.elapsed);
                let work = plan.work(line.chunk).ok_or("the plan has no such chunk")?;
                let tally = line.tally.restore().map_err(|error| error.to_string())?;
                let golden = line.golden.unwrap_or_default();
                state.add(line.chunk, &work, Found { tally, golden }, line.seconds);
            }
        }
        // Chunks of another corpus are other work.
        Ok(same_corpus)
    })?;
    if !same_corpus {
        return Err(Failure::input(
            "--resume: the corpus or the generators have changed since the night began",
        )
        .hint("begin a new night"));
    }
    Ok(Duration::try_from_secs_f64(earlier + session).unwrap_or_default())
}

fn previous(args: &NightlyArgs, folder: &Path, started: &str) -> Result<Option<Previous>, Failure> {
    if let Some(previous) = &args.previous {
        return Ok(Some(Previous::read(previous)?));
    }
    let beside = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let reports = beside.unwrap_or(Path::new("."));
    let (previous, warnings) = Previous::latest(reports, folder, started);
    for warning in warnings {
        anstream::eprintln!("q7diff: {warning}");
    }
    Ok(previous)
}

/// The plan of a header.
fn plan(corpus: &Corpus, header: &Header) -> Result<NightlyPlan, Failure> {
    let models = ModelArgs {
        candidate: header.candidate.clone(),
        fault: header.fault.clone(),
        fp_order: super::options::FpOrderChoice::Exact,
        nan: match header.nan.as_str() {
            "any" => super::options::NanChoice::Any,
            _ => super::options::NanChoice::Exact,
        },
    };
    let comparator = models.comparator()?;
    let record = RunOptions {
        families: Vec::new(),
        ops: Vec::new(),
        cases: header.cases,
        time: header.budget,
        generations: Generation::ALL.iter().map(|generation| generation.name()).collect(),
        near_valid: generate::Options::default().near_valid,
        naive: false,
        profile: ProfileRecord(Profile::default()),
        presets: Vec::new(),
        candidate: header.candidate.clone(),
        fault: header.fault.clone(),
        fp_order: "exact",
        nan: nan_name(comparator.policy),
        shard: "0/1".to_owned(),
        until_coverage: None,
        data: None,
        minimise: true,
    };
    let campaigns = night_campaigns::campaigns(header.seed, &record)?;
    let families = Family::generated();
    let ops: Vec<Op> = families.iter().flat_map(|&family| Op::enabled(family)).collect();
    let products = vector_ops(&ops);
    let directed = golden::load(corpus, &ops)?;
    let (regressions, golden) =
        directed.cases.into_iter().partition(|case| case.group == REGRESSIONS);
    let record = RunOptions {
        families: families.iter().map(|family| family.name()).collect(),
        presets: Profile::PRESETS.iter().map(|&preset| preset.to_owned()).collect(),
        ..record
    };
    Ok(NightlyPlan {
        seed: header.seed,
        cases: header.cases,
        budget: header.budget.and_then(|budget| Duration::try_from_secs_f64(budget).ok()),
        comparator,
        reference: models::oracle(),
        candidate: models.candidate()?,
        record,
        ops,
        families,
        golden,
        skipped: directed.skipped,
        regressions,
        fuzz: FuzzCorpora::load(&corpus.fuzz())?,
        products,
        campaigns,
    })
}

fn progress_bar(args: &NightlyArgs, plan: &NightlyPlan) -> ProgressBar {
    if args.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let cases = plan.cases.map(|cases| cases.saturating_mul(plan.campaigns.len() as u64));
    let (bar, template) = match cases {
        Some(cases) => (
            ProgressBar::new(cases),
            "{bar:40} {human_pos} of {human_len} cases, {elapsed} {msg:.red}",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {human_pos} cases, {elapsed} {msg:.red}"),
    };
    // The templates are constants that indicatif accepts; its default is no worse.
    bar.with_style(ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()))
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let failure = Self::input(error.to_string());
        match error {
            JournalError::None { .. } => failure.hint("begin one without --resume"),
            JournalError::Form { .. } => failure
                .hint("the journal was changed by hand or by another program; begin a new night"),
            JournalError::Read { .. } => failure,
        }
    }
}

impl From<PreviousError> for Failure {
    fn from(error: PreviousError) -> Self {
        Self::input(format!("--previous: {error}"))
    }
}
