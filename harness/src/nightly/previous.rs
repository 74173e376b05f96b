//! The night before, and what is news compared with it. A night fails only for news: a bucket that no one
//! has seen or accepted yet, a golden vector or a regression that is missed, an entry of the list of known
//! differences that is past its day or meets nothing any more, something enabled that compared nothing.

use super::journal::{JOURNAL_FILE, read_header};
use crate::golden::GoldenTally;
use crate::report::summary::{Coverage, Summary, Timing};
use crate::triage::{KnownList, Stale};
use chrono::NaiveDate;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// An earlier night that cannot be compared with.
#[derive(Debug, Error)]
#[error("{}: {what}", folder.display())]
pub struct PreviousError {
    /// Its folder.
    pub folder: PathBuf,
    /// Why.
    pub what: String,
}

/// An earlier night.
#[derive(Debug, Clone)]
pub struct Previous {
    /// Its folder.
    pub folder: PathBuf,
    /// Its summary.
    pub summary: Summary,
    /// Its times, if they can be read.
    pub timing: Option<Timing>,
}

impl Previous {
    /// Reads the night in a folder.
    ///
    /// # Errors
    /// [`PreviousError`].
    pub fn read(folder: &Path) -> Result<Self, PreviousError> {
        let fail = |what: String| PreviousError { folder: folder.to_path_buf(), what };
        let text = std::fs::read_to_string(folder.join("summary.json"))
            .map_err(|error| fail(format!("summary.json: {error}")))?;
        let summary: Summary =
            serde_json::from_str(&text).map_err(|error| fail(format!("summary.json: {error}")))?;
        let timing = std::fs::read_to_string(folder.join("timing.json"))
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok());
        Ok(Self { folder: folder.to_path_buf(), summary, timing })
    }

    /// The latest finished night among the folders of `reports` that was begun before the one in `own`,
    /// which began at `started`. Nights that cannot be read are passed over and named in the second value.
    pub fn latest(reports: &Path, own: &Path, started: &str) -> (Option<Self>, Vec<String>) {
        let mut warnings = Vec::new();
        let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let own = real(own);
        let mut nights: Vec<(String, PathBuf)> = nights(reports)
            .into_iter()
            .filter(|(begun, folder)| {
                begun.as_str() <= started && real(folder) != own && !is_unfinished(folder)
            })
            .collect();
        nights.sort();
        while let Some((_, folder)) = nights.pop() {
            match Self::read(&folder) {
                Ok(previous) => return (Some(previous), warnings),
                Err(error) => warnings.push(format!("not compared with {error}")),
            }
        }
        (None, warnings)
    }
}

/// Folders of `reports` in which a night was begun, with the time when.
fn nights(reports: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(reports).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|folder| folder.join(JOURNAL_FILE).is_file())
        .filter_map(|folder| Some((read_header(&folder).ok()?.started, folder)))
        .collect()
}

/// True if the night in this folder has no whole report yet.
pub fn is_unfinished(folder: &Path) -> bool {
    match std::fs::read_to_string(folder.join("summary.json")) {
        Err(_) => true,
        Ok(text) => serde_json::from_str::<Summary>(&text).is_ok_and(|summary| summary.interrupted),
    }
}

/// The latest unfinished night among the folders of `reports`.
pub fn latest_unfinished(reports: &Path) -> Option<PathBuf> {
    let unfinished = nights(reports).into_iter().filter(|(_, folder)| is_unfinished(folder));
    unfinished.max().map(|(_, folder)| folder)
}

/// `news.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct News {
    /// 1.
    pub version: u32,
    /// True if there is any.
    pub news: bool,
    /// One sentence for each piece of news.
    pub findings: Vec<String>,
    /// Folder of the night before.
    pub previous: Option<String>,
    /// Buckets that are neither accepted nor in the night before.
    pub new: Vec<String>,
    /// Buckets that are not accepted, and in the night before as well.
    pub standing: Vec<String>,
    /// Buckets of the night before that were not met again.
    pub fixed: Vec<String>,
    /// Entries of the list of known differences that have to go.
    pub stale: Vec<StaleRow>,
    /// Golden vectors that were missed, but for known differences seen again.
    pub golden: u64,
    /// Regressions that were missed.
    pub regressions: Vec<String>,
    /// Generated cases per second.
    pub throughput: Throughput,
    /// Coverage bins.
    pub coverage: CoverageChange,
}

/// An entry that has to go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaleRow {
    /// Line in the file.
    pub line: usize,
    /// Pattern.
    pub pattern: String,
    /// One sentence with the file and the line.
    pub what: String,
}

/// Generated cases per second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Throughput {
    /// The night before.
    pub before: Option<f64>,
    /// This night.
    pub now: f64,
    /// Change in percent.
    pub change: Option<f64>,
}

/// Coverage compared with the night before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CoverageChange {
    /// Bins that were hit the night before.
    pub before: Option<u64>,
    /// Bins that were hit.
    pub now: u64,
    /// Bins.
    pub bins: u64,
    /// Bins that were hit the night before and are holes now.
    pub lost: Vec<String>,
    /// Holes of the night before that are hit now.
    pub gained: Vec<String>,
}

impl CoverageChange {
    fn of(now: &Coverage, before: Option<&Coverage>) -> Self {
        let without = |holes: &[String], others: &[String]| {
            let others: BTreeSet<&String> = others.iter().collect();
            holes.iter().filter(|hole| !others.contains(hole)).cloned().collect()
        };
        Self {
            before: before.map(|before| before.hit),
            now: now.hit,
            bins: now.bins,
            lost: before.map_or_else(Vec::new, |before| without(&now.holes, &before.holes)),
            gained: before.map_or_else(Vec::new, |before| without(&before.holes, &now.holes)),
        }
    }
}

/// A finished night, as far as news depends on it.
pub struct Night<'a> {
    /// Its summary.
    pub summary: &'a Summary,
    /// Generated cases per second.
    pub rate: f64,
    /// Golden vectors and regressions that were run.
    pub golden: &'a GoldenTally,
    /// The list of known differences.
    pub known: &'a KnownList,
    /// The day on which entries are judged.
    pub today: NaiveDate,
    /// Enabled families and ops that compared nothing, in words.
    pub silent: &'a [String],
}

impl News {
    /// What is news of a night. An interrupted night says nothing of entries that met no bucket: they may
    /// have met one later.
    pub fn of(night: &Night<'_>, previous: Option<&Previous>) -> Self {
        let Night { summary, known, .. } = *night;
        let before = previous.map(|previous| &previous.summary);
        // What was accepted then and is not accepted now is new.
        let old: BTreeSet<&str> =
            before.map(|before| before.unknown().collect()).unwrap_or_default();
        let (standing, new): (Vec<String>, Vec<String>) =
            summary.unknown().map(str::to_owned).partition(|bucket| old.contains(bucket.as_str()));
        let met: Vec<String> = summary.divergences.iter().map(|row| row.bucket.clone()).collect();
        let fixed = before.map_or_else(Vec::new, |before| {
            let rows = before.divergences.iter().map(|row| row.bucket.clone());
            rows.filter(|bucket| !met.contains(bucket)).collect()
        });
        let stale: Vec<StaleRow> = known
            .stale(&met, night.today)
            .filter(|(_, stale)| !(summary.interrupted && *stale == Stale::NeverMet))
            .map(|(entry, stale)| StaleRow {
                line: entry.line,
                pattern: entry.pattern.clone(),
                what: match stale {
                    Stale::Expired => format!(
                        "{}:{}: `{}` expired on {} ({})",
                        known.file, entry.line, entry.pattern, entry.expires, entry.owner
                    ),
                    Stale::NeverMet => format!(
                        "{}:{}: `{}` met no bucket ({})",
                        known.file, entry.line, entry.pattern, entry.owner
                    ),
                },
            })
            .collect();
        let golden_missed = night.golden.unexcused(|bucket| summary.is_known(bucket));
        let missed =
            night.golden.regressions.iter().filter(|regression| regression.misses(summary));
        let regressions: Vec<String> = missed.map(|regression| regression.name.clone()).collect();

        let mut findings = Vec::new();
        findings.extend(new.iter().map(|bucket| format!("new bucket {bucket}")));
        if golden_missed > 0 {
            findings.push(format!("{golden_missed} golden vectors were missed"));
        }
        findings.extend(regressions.iter().map(|name| format!("regression {name} was missed")));
        findings.extend(stale.iter().map(|row| row.what.clone()));
        if !summary.interrupted {
            findings.extend(night.silent.iter().cloned());
        }
        let rate_before = previous
            .and_then(|previous| previous.timing)
            .map(|timing| timing.cases_per_second)
            .filter(|&rate| rate > 0.0);
        Self {
            version: 1,
            news: !findings.is_empty(),
            findings,
            previous: previous.map(|previous| previous.folder.display().to_string()),
            new,
            standing,
            fixed,
            stale,
            golden: golden_missed,
            regressions,
            throughput: Throughput {
                before: rate_before,
                now: night.rate,
                change: rate_before.map(|before| 100.0 * (night.rate - before) / before),
            },
            coverage: CoverageChange::of(&summary.coverage, before.map(|before| &before.coverage)),
        }
    }

    /// The news as people read it.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        match &self.previous {
            Some(folder) => lines.push(format!("compared with {folder}")),
            None => lines.push("no earlier night to compare with".to_owned()),
        }
        for (word, buckets) in
            [("new", &self.new), ("standing", &self.standing), ("fixed", &self.fixed)]
        {
            lines.extend(buckets.iter().map(|bucket| format!("{word}: {bucket}")));
        }
        if let Throughput { before: Some(before), now, change: Some(change) } = self.throughput {
            lines.push(format!(
                "throughput: {now:.0} cases per second, was {before:.0} ({change:+.1}%)"
            ));
        }
        let CoverageChange { before, now, bins, lost, gained } = &self.coverage;
        let was = before.map_or_else(String::new, |before| format!(", was {before}"));
        lines.push(format!("coverage: {now} of {bins} bins{was}"));
        lines.extend(lost.iter().map(|bin| format!("no longer covered: {bin}")));
        lines.extend(gained.iter().map(|bin| format!("newly covered: {bin}")));
        match self.findings.len() {
            0 => lines.push("no news".to_owned()),
            count => {
                lines.push(format!("news: {count}"));
                lines.extend(self.findings.iter().map(|finding| format!("  {finding}")));
            }
        }
        lines.join("\n") + "\n"
    }
}
