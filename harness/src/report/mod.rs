//! What a run leaves for people and programs: `summary.json`, `timing.json`, `report.txt`, `index.html`,
//! `junit.xml`, `tally.json` and one folder per bucket under `counterexamples/`, each with the smallest
//! case, the minimised one and a text report. Everything but `timing.json` depends on seed and options alone. [`merge`]
//! joins the reports of shards.

pub mod chart;
pub mod elements;
pub mod files;
pub mod html;
pub mod junit;
pub mod known;
pub mod merge;
pub mod options;
pub mod outcome_text;
pub mod record_text;
pub mod rules;
pub mod summary;
pub mod table;
pub mod tally_file;
#[cfg(test)]
mod tests;
pub mod text;
mod vector_text;
pub mod words;

use crate::campaign::{Bucket, CampaignResult, Origin, Plan};
use crate::differ::Differ;
use crate::family::{Family, Op};
use crate::golden::Skipped;
use crate::triage::triage;
use contract::isa::Generation;
use contract::json::write_case;
use files::{WriteError, remove_folder, write_file};
use junit::Junit;
use std::path::Path;
use summary::{CASE_FILE, MINIMISED_FILE, Summary, Timing, bucket_folder};
use table::Isolation;
use tally_file::TallyFile;
use text::{CaseReport, case_report};

/// Missed golden vectors that the terminal shows.
const MISSED_SHOWN: usize = 6;

/// Everything that a report is made of.
pub struct Report<'a> {
    /// What was run.
    pub plan: &'a Plan,
    /// What was found, as people see it.
    pub result: &'a CampaignResult,
    /// What was counted, bucket by fine bucket: what `merge` adds up.
    pub counted: &'a CampaignResult,
    /// The summary of it.
    pub summary: &'a Summary,
    /// The times of it.
    pub timing: Timing,
    /// Ops that were to be compared.
    pub enabled: &'a [Op],
    /// Generations that were drawn from.
    pub generations: &'a [Generation],
    /// Golden vectors that could not be checked.
    pub skipped: &'a [Skipped],
}

impl Report<'_> {
    /// The tables: agreement, totals, golden vectors that were missed, buckets.
    pub fn terminal(&self) -> String {
        let isolation = Isolation::of(&self.result.tally, self.enabled, self.generations);
        let mut text = table::agreement(self.summary);
        text.push('\n');
        text.push_str(&table::totals(self.summary, &isolation));
        for missed in self.result.golden.missed.iter().take(MISSED_SHOWN) {
            text.push_str(&format!(
                "golden vector missed by {}: {}: {}\n",
                missed.model, missed.name, missed.what
            ));
        }
        if self.result.golden.missed.len() > MISSED_SHOWN {
            text.push_str("… more missed golden vectors in report.txt\n");
        }
        for failed in &self.result.tally.failures {
            text.push_str(&format!("{} on {}\n", failed.failure, origin_text(&failed.origin)));
        }
        if !self.summary.divergences.is_empty() {
            text.push('\n');
            text.push_str(&table::buckets(self.summary));
        }
        text
    }

    /// Writes every file of the report.
    ///
    /// # Errors
    /// [`WriteError`] at the first file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        // Counterexamples of an earlier run in the same folder would pass for this run's.
        remove_folder(&folder.join("counterexamples"))?;
        for bucket in self.result.tally.buckets.values() {
            self.write_counterexample(folder, bucket)?;
        }
        self.write_tables(folder)
    }

    /// Writes the folder of one bucket.
    ///
    /// # Errors
    /// [`WriteError`] at the first file that cannot be written.
    pub fn write_counterexample(&self, folder: &Path, bucket: &Bucket) -> Result<(), WriteError> {
        let folder = folder.join(bucket_folder(&bucket.best.signature.bucket()));
        let case = write_case(&bucket.best.case) + "\n";
        write_file(&folder.join(CASE_FILE), case.as_bytes())?;
        if let Some(minimal) = &bucket.minimal {
            let case = write_case(&minimal.case) + "\n";
            write_file(&folder.join(MINIMISED_FILE), case.as_bytes())?;
        }
        let text = self.counterexample(bucket, "");
        write_file(&folder.join("report.txt"), text.as_bytes())
    }

    /// Writes every file but the counterexamples, the summary last.
    ///
    /// # Errors
    /// [`WriteError`] at the first file that cannot be written.
    pub fn write_tables(&self, folder: &Path) -> Result<(), WriteError> {
        let mut text = self.terminal();
        text.push_str("\ngolden vectors\n");
        text.push_str(&table::golden(&self.result.golden, self.skipped));
        text.push_str("\nclauses: steps in which the clause failed alone / failed\n");
        text.push_str(&table::clauses(&self.result.tally, self.enabled, self.generations));
        if !self.summary.products.is_empty() {
            text.push_str("\nedge products and random pairs of the vector ops\n");
            text.push_str(&table::products(self.summary));
        }
        text.push_str("\ncoverage\n");
        text.push_str(&table::coverage(self.summary));
        write_file(&folder.join("report.txt"), text.as_bytes())?;
        write_file(&folder.join("junit.xml"), self.junit().as_bytes())?;
        TallyFile::of(&self.counted.tally, &self.counted.golden, self.skipped).write(folder)?;
        write_file(&folder.join("timing.json"), json(&self.timing).as_bytes())?;
        write_file(&folder.join("index.html"), html::page_of(self).as_bytes())?;
        // Last, so that a summary is a sign of a whole report.
        write_file(&folder.join("summary.json"), json(self.summary).as_bytes())
    }

    fn junit(&self) -> String {
        let CampaignResult { tally, golden, .. } = self.result;
        let Self { summary, skipped, .. } = *self;
        Junit { name: "run", summary, tally, golden, skipped, stale: &[] }.text()
    }

    /// Text report of a bucket: its minimised case, else the smallest one that was found. `folder` is what
    /// stands before the file's name in the command that replays it.
    pub fn counterexample(&self, bucket: &Bucket, folder: &str) -> String {
        let (exemplar, minimal) = (&bucket.best, bucket.minimal.as_deref());
        let plan = self.plan;
        let mut differ =
            Differ::new(plan.comparator, plan.reference.clone(), plan.candidate.clone());
        let mut prefixes =
            Differ::new(plan.comparator, plan.reference.clone(), plan.candidate.clone());
        let case = minimal.map_or(&exemplar.case, |minimal| &minimal.case);
        let file = if minimal.is_some() { MINIMISED_FILE } else { CASE_FILE };
        let mut origin = vec![origin_text(&exemplar.origin)];
        if let Origin::Generated { seed, .. } = exemplar.origin {
            let line = self.summary.options.reproduction(Family::of(case), seed);
            origin.push(format!("reproduce: {line}"));
        }
        if let Some(minimal) = minimal {
            origin.push(format!("minimised: {}", minimal.line()));
            origin.push(format!("around it: {}", minimal.generalisation));
        }
        let file = self.summary.options.reproduction_of_file(&format!("{folder}{file}"));
        origin.push(format!("or, from its file: {file}"));
        let bucket = exemplar.signature.bucket();
        if let Some(row) = self.summary.known.iter().find(|row| row.bucket == bucket) {
            origin.push(format!("known: {} ({}, until {})", row.reason, row.owner, row.expires));
        }
        if differ.run(case).is_err() {
            // The models answered when the bucket was made; say so instead of inventing a diff.
            return format!("{}\na model failed when the case was run again\n", origin.join("\n"));
        }
        let triage = triage(case, differ.comparison(), &mut prefixes);
        case_report(&CaseReport {
            case,
            expected: differ.expected(),
            actual: differ.actual(),
            comparison: differ.comparison(),
            triage: &triage,
            origin: &origin,
        })
    }
}

/// Where a case came from, in words.
pub fn origin_text(origin: &Origin) -> String {
    match origin {
        Origin::Directed { name, .. } => name.clone(),
        Origin::Product { op, random: false, number } => format!("edge product d-{op}-{number}"),
        Origin::Product { op, random: true, number } => format!("random pairs r-{op}-{number}"),
        Origin::Generated { index, seed } => format!("case seed {seed} (case {index})"),
    }
}

/// A JSON document with a line's end.
pub fn json(document: &impl serde::Serialize) -> String {
    // The documents are plain data with string keys, which serde_json always writes.
    serde_json::to_string(document).unwrap_or_else(|error| format!("\"{error}\"")) + "\n"
}
