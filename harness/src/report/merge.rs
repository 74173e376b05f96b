//! Joins the reports of shards into the report of the whole run. What the shards counted is added up
//! ([`Tally::add`](crate::campaign::Tally::add)), and the summary is made from the sum as a run makes it,
//! so it equals the summary of the run without shards. Reports that do not belong together are refused.

use super::files::WriteError;
use super::known::KnownRow;
use super::options::RunOptions;
use super::summary::{Summary, Timing};
use super::tally_file::{TALLY_FILE, TallyFile};
use crate::campaign::{CampaignResult, RecordError, Shard, ShardError, Tally};
use crate::family::{Family, Op, SelectionError, select_ops};
use crate::golden::{GoldenTally, Skipped};
use crate::shrink::{self, Models, ShrinkError, shrink_buckets};
use crate::triage::Signature;
use contract::isa::Generation;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use thiserror::Error;

/// Why reports cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A file of a report cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// A file of a report does not hold what it should.
    #[error("{}: {error}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: serde_json::Error,
    },
    /// A tally that cannot be restored.
    #[error("{}: {error}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: Box<RecordError>,
    },
    /// A file of another version.
    #[error("{}: version {version} is not understood (only 1 is)", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The options name something that this program does not have.
    #[error("{}: {error}", folder.display())]
    Selection {
        /// The report.
        folder: PathBuf,
        /// What is wrong.
        #[source]
        error: SelectionError,
    },
    /// The shard in the options is none.
    #[error("{}: {error}", folder.display())]
    Shard {
        /// The report.
        folder: PathBuf,
        /// What is wrong.
        #[source]
        error: ShardError,
    },
    /// `tally.json` and `summary.json` are of two runs.
    #[error("{}: tally.json does not belong to summary.json", folder.display())]
    TwoRuns {
        /// The report.
        folder: PathBuf,
    },
    /// No report was given.
    #[error("no report to join")]
    Nothing,
    /// The reports are of other runs.
    #[error("{} and {} are not of one run: {what}", first.display(), other.display())]
    OtherRun {
        /// A report.
        first: PathBuf,
        /// A report that does not belong to it.
        other: PathBuf,
        /// How they differ.
        what: String,
    },
    /// Two reports of one shard.
    #[error("{} and {} are both of shard {shard}", first.display(), other.display())]
    Overlap {
        /// A report.
        first: PathBuf,
        /// Another report.
        other: PathBuf,
        /// Their shard.
        shard: String,
    },
    /// Not every shard is there.
    #[error("of {count} shards these are missing: {missing}")]
    Missing {
        /// Number of shards.
        count: u64,
        /// The missing ones.
        missing: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Missing shards that a message names.
const MISSING_SHOWN: usize = 16;

/// The report of one shard, as it lies in its folder.
pub struct ShardReport {
    folder: PathBuf,
    shard: Shard,
    summary: Summary,
    /// `timing.json`, if it can be read.
    timing: Option<Timing>,
    tally: Tally,
    golden: GoldenTally,
    skipped: Vec<Skipped>,
}

/// What the shards make together.
pub struct Joined {
    /// Counts and buckets of the whole run.
    pub result: CampaignResult,
    /// The summary of it.
    pub summary: Summary,
    /// Times: seconds are added up, the rate is per second of all shards together.
    pub timing: Timing,
    /// Ops that were to be compared.
    pub enabled: Vec<Op>,
    /// Families that were enabled.
    pub families: Vec<Family>,
    /// Generations that were drawn from.
    pub generations: Vec<Generation>,
    /// Golden vectors that could not be checked.
    pub skipped: Vec<Skipped>,
    /// The sum by fine buckets.
    pub counted: CampaignResult,
    /// Accepted buckets of the shards.
    known: BTreeMap<String, KnownRow>,
}

/// What the options of a run select.
struct Selected {
    families: Vec<Family>,
    ops: Vec<Op>,
    generations: Vec<Generation>,
}

fn selected(options: &RunOptions) -> Result<Selected, SelectionError> {
    // The words were looked up when the options were read.
    let families: Vec<Family> =
        options.families.iter().filter_map(|name| Family::from_name(name)).collect();
    let generations =
        options.generations.iter().filter_map(|name| Generation::from_name(name)).collect();
    let ops = select_ops(&families, &options.ops)?;
    Ok(Selected { families, ops, generations })
}

fn read(path: PathBuf) -> Result<(PathBuf, String), MergeError> {
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok((path, text)),
        Err(source) => Err(MergeError::Read { path, source }),
    }
}

impl ShardReport {
    /// Reads the report of a folder, and checks that its files are of one run.
    ///
    /// # Errors
    /// See [`MergeError`].
    pub fn read(folder: &Path) -> Result<Self, MergeError> {
        let (path, text) = read(folder.join("summary.json"))?;
        let summary: Summary = serde_json::from_str(&text)
            .map_err(|error| MergeError::Form { path: path.clone(), error })?;
        if summary.version != 1 {
            return Err(MergeError::Version { path, version: summary.version });
        }
        let (path, tally_text) = read(folder.join(TALLY_FILE))?;
        let file: TallyFile = serde_json::from_str(&tally_text)
            .map_err(|error| MergeError::Form { path: path.clone(), error })?;
        if file.version != TallyFile::VERSION {
            return Err(MergeError::Version { path, version: file.version });
        }
        let TallyFile { tally, golden, skipped, .. } = file;
        let tally =
            tally.restore().map_err(|error| MergeError::Record { path, error: Box::new(error) })?;
        let shard = summary
            .options
            .shard
            .parse()
            .map_err(|error| MergeError::Shard { folder: folder.to_owned(), error })?;
        let timing = std::fs::read_to_string(folder.join("timing.json"))
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        let report =
            Self { folder: folder.to_owned(), shard, summary, timing, tally, golden, skipped };
        report.check(&text)?;
        Ok(report)
    }

    /// The summary that the tally makes must be the one that stands beside it.
    fn check(&self, text: &str) -> Result<(), MergeError> {
        let selected = selected(&self.summary.options)
            .map_err(|error| MergeError::Selection { folder: self.folder.clone(), error })?;
        let result = CampaignResult {
            tally: self.tally.clone(),
            golden: self.golden.clone(),
            interrupted: self.summary.interrupted,
            ..CampaignResult::default()
        };
        let result = shrink::joined(&result, self.summary.options.minimise && !result.interrupted);
        let mut again = Summary::of(
            &result,
            self.summary.seed,
            self.summary.options.clone(),
            &selected.ops,
            &selected.generations,
        );
        again.accept_rows(&result.tally, self.summary.known.clone());
        if super::json(&again) == text {
            Ok(())
        } else {
            Err(MergeError::TwoRuns { folder: self.folder.clone() })
        }
    }
}

/// Joins the reports of every shard of one run.
///
/// # Errors
/// See [`MergeError`].
pub fn join(mut reports: Vec<ShardReport>) -> Result<Joined, MergeError> {
    let Some(first) = reports.first() else { return Err(MergeError::Nothing) };
    for other in &reports[1..] {
        if let Some(what) = difference(first, other) {
            let (first, other) = (first.folder.clone(), other.folder.clone());
            return Err(MergeError::OtherRun { first, other, what });
        }
    }
    let (seed, mut options) = (first.summary.seed, first.summary.options.clone());
    options.shard = "0/1".to_owned();
    let Selected { families, ops, generations } = selected(&options)
        .map_err(|error| MergeError::Selection { folder: first.folder.clone(), error })?;
    check_shards(&reports)?;
    let known = known_rows(&reports)?;

    reports.sort_by_key(|report| report.shard.index);
    let mut result = CampaignResult::default();
    for report in &reports {
        result.tally.add(report.tally.clone());
        result.golden.add(report.golden.clone());
        result.interrupted |= report.summary.interrupted;
    }
    result.covers_ops = !result.interrupted;
    let summary = Summary::of(&result, seed, options, &ops, &generations);
    let timing = timing(&reports, result.tally.cases);
    let skipped = reports.first().map(|report| report.skipped.clone()).unwrap_or_default();
    let counted = result.clone();
    let mut joined = Joined {
        result,
        counted,
        summary,
        timing,
        enabled: ops,
        families,
        generations,
        skipped,
        known,
    };
    joined.sum_up();
    Ok(joined)
}

/// How the runs of two reports differ, if they do.
fn difference(one: &ShardReport, other: &ShardReport) -> Option<String> {
    if one.summary.seed != other.summary.seed {
        return Some(format!("seeds {} and {}", one.summary.seed, other.summary.seed));
    }
    if one.shard.count != other.shard.count {
        return Some(format!("{} and {} shards", one.shard.count, other.shard.count));
    }
    let options = |report: &ShardReport| match serde_json::to_value(&report.summary.options) {
        Ok(Value::Object(options)) => options,
        _ => Default::default(),
    };
    let (mine, theirs) = (options(one), options(other));
    let key =
        mine.keys().filter(|key| *key != "shard").find(|key| mine.get(*key) != theirs.get(*key))?;
    let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    Some(format!("option `{key}` is {} and {}", shown(mine.get(key)), shown(theirs.get(key))))
}

/// Every shard must be there once.
fn check_shards(reports: &[ShardReport]) -> Result<(), MergeError> {
    let mut seen: BTreeMap<u64, &ShardReport> = BTreeMap::new();
    for report in reports {
        if let Some(first) = seen.insert(report.shard.index, report) {
            return Err(MergeError::Overlap {
                first: first.folder.clone(),
                other: report.folder.clone(),
                shard: report.summary.options.shard.clone(),
            });
        }
    }
    let count = reports.first().map_or(1, |report| report.shard.count);
    let missing = || (0..count).filter(|index| !seen.contains_key(index));
    if seen.len() as u64 == count {
        return Ok(());
    }
    let mut names: Vec<String> =
        missing().take(MISSING_SHOWN).map(|index| format!("{index}/{count}")).collect();
    if count - seen.len() as u64 > MISSING_SHOWN as u64 {
        names.push("…".to_owned());
    }
    Err(MergeError::Missing { count, missing: names.join(", ") })
}

/// The accepted buckets of every report. A bucket that one report accepts and another one does not is
/// of two lists of known differences.
fn known_rows(reports: &[ShardReport]) -> Result<BTreeMap<String, KnownRow>, MergeError> {
    let mut rows: BTreeMap<String, (&ShardReport, KnownRow)> = BTreeMap::new();
    for report in reports {
        for row in &report.summary.known {
            rows.entry(row.bucket.clone()).or_insert((report, row.clone()));
        }
    }
    for (bucket, (first, _)) in &rows {
        let unknown = |report: &&ShardReport| report.summary.unknown().any(|name| name == bucket);
        if let Some(other) = reports.iter().find(unknown) {
            return Err(MergeError::OtherRun {
                first: first.folder.clone(),
                other: other.folder.clone(),
                what: format!("only the first one accepts bucket `{bucket}`"),
            });
        }
    }
    Ok(rows.into_iter().map(|(bucket, (_, row))| (bucket, row)).collect())
}

fn timing(reports: &[ShardReport], cases: u64) -> Timing {
    let times = || reports.iter().filter_map(|report| report.timing);
    let generated: f64 = times().map(|timing| timing.generated_seconds).sum();
    Timing {
        seconds: times().map(|timing| timing.seconds).sum(),
        cases_per_second: if generated > 0.0 { cases as f64 / generated } else { 0.0 },
        directed_seconds: times().map(|timing| timing.directed_seconds).sum(),
        generated_seconds: generated,
        jobs: times().map(|timing| timing.jobs).max().unwrap_or(1),
    }
}

impl Joined {
    /// Minimises the buckets of the sum as a run does, where a shard has not done it. Afterwards the
    /// summary is that of the whole run. Gives what could not be minimised.
    pub fn shrink(&mut self, models: &Models, jobs: usize) -> Vec<(Signature, ShrinkError)> {
        if !self.summary.options.minimise || self.result.interrupted {
            return Vec::new();
        }
        let never = AtomicBool::new(false);
        let failed = shrink_buckets(&mut self.counted.tally, models, jobs, &never);
        self.sum_up();
        failed
    }

    /// Makes result and summary of what was counted.
    fn sum_up(&mut self) {
        let minimised = self.summary.options.minimise && !self.result.interrupted;
        self.result = shrink::joined(&self.counted, minimised);
        let Summary { seed, options, .. } = self.summary.clone();
        self.summary = Summary::of(&self.result, seed, options, &self.enabled, &self.generations);
        let rows = self.summary.divergences.iter().filter_map(|row| {
            let known = self.known.get(&row.bucket)?;
            Some(KnownRow { count: row.count, ..known.clone() })
        });
        let rows = rows.collect();
        self.summary.accept_rows(&self.result.tally, rows);
    }

    /// True if a report lies in this folder, so that writing there would destroy it.
    pub fn reads_from(&self, folder: &Path, reports: &[PathBuf]) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let target = real(folder);
        target.is_some() && reports.iter().any(|report| real(report) == target)
    }
}
