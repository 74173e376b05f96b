//! What a night leaves: the files of a run's report, with totals over all phases; in `summary.json` also the
//! summary of each phase; `news.json` with what is new since the night before; and the journal.

use super::fuzz::SkippedTarget;
use super::plan::{NightlyPlan, Phase};
use super::previous::{News, Night, Previous};
use super::state::State;
use super::work::Found;
use crate::campaign::{Budget, CampaignResult, Exemplar, Plan, Shard};
use crate::report::files::{WriteError, remove_folder, write_file};
use crate::report::html::{self, Setting};
use crate::report::junit::Junit;
use crate::report::summary::{Summary, Timing};
use crate::report::table;
use crate::report::{Report, json};
use crate::shrink::{Groups, ShrinkError, shrink_buckets};
use crate::triage::{KnownList, Signature};
use chrono::NaiveDate;
use contract::isa::Generation;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One phase with its own summary.
pub struct PhaseReport {
    phase: Phase,
    result: CampaignResult,
    summary: Summary,
}

/// A night, added up.
pub struct NightlyReport<'a> {
    plan: &'a NightlyPlan,
    known: &'a KnownList,
    phases: Vec<PhaseReport>,
    /// Totals over all phases.
    pub result: CampaignResult,
    /// Summary of the totals.
    pub summary: Summary,
    /// Seconds of all sessions; rates per second of all threads together.
    pub timing: Timing,
}

/// The whole of a night's `summary.json`: the summary of the totals, then every phase.
#[derive(Serialize)]
pub struct NightlySummary<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    phases: Vec<PhaseRow<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skipped: &'a [SkippedTarget],
}

#[derive(Serialize)]
struct PhaseRow<'a> {
    phase: &'a str,
    summary: &'a Summary,
}

/// `timing.json` of a night.
#[derive(Serialize)]
struct NightlyTiming<'a> {
    #[serde(flatten)]
    timing: Timing,
    started: &'a str,
}

/// `nightly --json`: the summary with news and times in it.
#[derive(Serialize)]
pub struct NightlyDocument<'a> {
    #[serde(flatten)]
    summary: NightlySummary<'a>,
    news: &'a News,
    timing: Timing,
}

impl<'a> NightlyReport<'a> {
    /// Adds up what was finished. `spent` is the time of all sessions.
    pub fn of(
        plan: &'a NightlyPlan,
        state: &State,
        known: &'a KnownList,
        interrupted: bool,
        spent: Duration,
        jobs: usize,
    ) -> Self {
        let mut phases = Vec::new();
        let mut total = Found::default();
        let (mut directed, mut generated) = (0.0, 0.0);
        for phase in plan.phases() {
            let (found, seconds) = state.phase(phase);
            match phase {
                Phase::Campaign(_) => generated += seconds,
                _ => directed += seconds,
            }
            total.add(found.clone());
            let result = result_of(found, interrupted);
            let (ops, generations, seed, record) = plan.scope(phase);
            let mut summary = Summary::of(&result, seed, record, ops, generations);
            summary.accept(&result.tally, known);
            phases.push(PhaseReport { phase, result, summary });
        }
        let result = result_of(total, interrupted);
        let summary = total_summary(plan, &result, known);
        let jobs_seconds = generated / jobs.max(1) as f64;
        let timing = Timing {
            seconds: spent.as_secs_f64(),
            cases_per_second: if jobs_seconds > 0.0 {
                summary.cases as f64 / jobs_seconds
            } else {
                0.0
            },
            directed_seconds: directed / jobs.max(1) as f64,
            generated_seconds: jobs_seconds,
            jobs,
        };
        Self { plan, known, phases, result, summary, timing }
    }

    /// Minimises the smallest case of each bucket, as a run does, and joins buckets of one cause, in the
    /// totals and in every phase; unless the night was interrupted. Gives what could not be minimised.
    /// Finding the minimised cases again costs little, so they are not journalled.
    pub fn shrink(&mut self, jobs: usize, interrupt: &AtomicBool) -> Vec<(Signature, ShrinkError)> {
        if self.result.interrupted {
            return Vec::new();
        }
        let models = self.campaign_plan().models();
        let total = &mut self.result.tally;
        let failed = shrink_buckets(total, &models, jobs, interrupt);
        let groups = Groups::of(total);
        for phase in &mut self.phases {
            let tally = &mut phase.result.tally;
            for (signature, bucket) in &mut tally.buckets {
                let whole = total.buckets.get(signature).filter(|whole| whole.best == bucket.best);
                bucket.minimal = whole.and_then(|whole| whole.minimal.clone());
            }
            *tally = groups.apply(tally);
            groups.rename(&mut phase.result.golden);
            let (ops, generations, seed, record) = self.plan.scope(phase.phase);
            phase.summary = Summary::of(&phase.result, seed, record, ops, generations);
            phase.summary.accept(&phase.result.tally, self.known);
        }
        *total = groups.apply(total);
        groups.rename(&mut self.result.golden);
        // What an interrupt left undone is missing in the report.
        self.result.interrupted = interrupt.load(Ordering::Relaxed);
        self.summary = total_summary(self.plan, &self.result, self.known);
        failed
    }

    /// What is news.
    pub fn news(&self, today: NaiveDate, previous: Option<&Previous>) -> News {
        let silent = self.summary.compared_nothing(&self.result, &self.plan.families);
        let night = Night {
            summary: &self.summary,
            rate: self.timing.cases_per_second,
            golden: &self.result.golden,
            known: self.known,
            today,
            silent: &silent,
        };
        News::of(&night, previous)
    }

    /// The whole of `summary.json`.
    pub fn document(&self) -> NightlySummary<'_> {
        let phases = self
            .phases
            .iter()
            .map(|phase| PhaseRow {
                phase: self.plan.phase_name(phase.phase),
                summary: &phase.summary,
            })
            .collect();
        NightlySummary { summary: &self.summary, phases, skipped: &self.plan.fuzz.skipped }
    }

    /// The document of `--json`.
    pub fn with_news<'b>(&'b self, news: &'b News) -> NightlyDocument<'b> {
        NightlyDocument { summary: self.document(), news, timing: self.timing }
    }

    /// The tables and the news, as people read them.
    pub fn terminal(&self, news: &News) -> String {
        let plan = self.campaign_plan();
        let mut text = self.report(&plan, &self.result, &self.summary).terminal();
        text.push_str("\nphases\n");
        text.push_str(&self.phase_table());
        for row in &self.plan.fuzz.skipped {
            text.push_str(&format!("skipped {} files: {}\n", row.files, row.reason));
        }
        text.push('\n');
        text.push_str(&news.text());
        text
    }

    fn phase_table(&self) -> String {
        let mut table = table::house_style(
            &["phase", "cases", "vectors", "values", "verdicts", "buckets"],
            &[0],
        );
        for PhaseReport { phase, summary, .. } in &self.phases {
            table.add_row([
                self.plan.phase_name(*phase).to_owned(),
                table::grouped(summary.cases),
                table::grouped(summary.golden.checked),
                table::grouped(summary.compared.values),
                table::grouped(summary.compared.verdicts),
                table::grouped(summary.divergences.len() as u64),
            ]);
        }
        table::rendered(&table)
    }

    /// Writes every file, the summary last.
    ///
    /// # Errors
    /// [`WriteError`] at the first file that cannot be written.
    pub fn write(&self, folder: &Path, news: &News, started: &str) -> Result<(), WriteError> {
        remove_folder(&folder.join("counterexamples"))?;
        let plan = self.campaign_plan();
        for bucket in self.result.tally.buckets.values() {
            if let Some(phase) = self.phase_of(&bucket.best) {
                // The options of the phase, not of the night, make the case again.
                self.report(&plan, &phase.result, &phase.summary)
                    .write_counterexample(folder, bucket)?;
            }
        }
        let isolation = table::clauses(&self.result.tally, &self.plan.ops, Generation::ALL);
        let text = self.terminal(news)
            + "\ngolden vectors\n"
            + &table::golden(&self.result.golden, &self.plan.skipped)
            + "\nclauses: steps in which the clause failed alone / failed\n"
            + &isolation;
        write_file(&folder.join("report.txt"), text.as_bytes())?;
        let stale: Vec<String> = news.stale.iter().map(|row| row.what.clone()).collect();
        let junit = Junit {
            name: "nightly",
            summary: &self.summary,
            tally: &self.result.tally,
            golden: &self.result.golden,
            skipped: &self.plan.skipped,
            stale: &stale,
        };
        write_file(&folder.join("junit.xml"), junit.text().as_bytes())?;
        write_file(&folder.join("news.json"), json(news).as_bytes())?;
        let timing = NightlyTiming { timing: self.timing, started };
        write_file(&folder.join("timing.json"), json(&timing).as_bytes())?;
        let page = self.page(&plan, &news.text());
        write_file(&folder.join("index.html"), page.as_bytes())?;
        write_file(&folder.join("summary.json"), json(&self.document()).as_bytes())
    }

    /// `index.html`: the totals of the night, each bucket with the options of its phase.
    fn page(&self, plan: &Plan, news: &str) -> String {
        let seed = self.plan.seed;
        let setting = Setting {
            command: self.summary.options.command(seed, self.summary.cases, false),
            options_of: &|best| {
                &self.phase_of(best).map_or(&self.summary, |phase| &phase.summary).options
            },
            news: Some(news),
        };
        html::page_with(&self.report(plan, &self.result, &self.summary), &setting)
    }

    /// The phase that holds this smallest case.
    fn phase_of(&self, best: &Exemplar) -> Option<&PhaseReport> {
        self.phases.iter().find(|phase| {
            let theirs = phase.result.tally.buckets.get(&best.signature);
            theirs.is_some_and(|theirs| theirs.best == *best)
        })
    }

    fn report<'b>(
        &'b self,
        plan: &'b Plan,
        result: &'b CampaignResult,
        summary: &'b Summary,
    ) -> Report<'b> {
        Report {
            plan,
            result,
            counted: result,
            summary,
            timing: self.timing,
            enabled: &self.plan.ops,
            generations: Generation::ALL,
            skipped: &self.plan.skipped,
        }
    }

    /// The models and the comparator of the night, as a report takes them.
    fn campaign_plan(&self) -> Plan {
        Plan {
            seed: self.plan.seed,
            budget: Budget { cases: Some(0), time: None },
            shard: Shard::WHOLE,
            jobs: 1,
            comparator: self.plan.comparator,
            reference: self.plan.reference.clone(),
            candidate: self.plan.candidate.clone(),
            families: Vec::new(),
            options: crate::generate::Options::default(),
            directed: Vec::new(),
            products: Vec::new(),
            until: None,
        }
    }
}

fn total_summary(plan: &NightlyPlan, result: &CampaignResult, known: &KnownList) -> Summary {
    let record = plan.record.clone();
    let mut summary = Summary::of(result, plan.seed, record, &plan.ops, Generation::ALL);
    summary.accept(&result.tally, known);
    summary
}

fn result_of(found: Found, interrupted: bool) -> CampaignResult {
    let Found { tally, golden } = found;
    let covers_ops = !interrupted;
    CampaignResult { tally, golden, interrupted, covers_ops, ..CampaignResult::default() }
}
