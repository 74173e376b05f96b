//! `index.html`: the whole report as one page that works from a file. It loads nothing and runs nothing:
//! styles and pictures are inside, and what folds does so by `<details>`. It holds no times, so it depends
//! on seed and options alone, like the summary.
//!
//! - [`page_of`] gathers what a run left and shows the smallest case of each bucket again; [`page`] lays
//!   the page out.
//! - [`verdict`] says how the run ended; `agreement` and `tables` hold what was counted; `divergence` is
//!   the part about one bucket, with `sentence`, `bytes` and `markdown` for its pieces.
//! - `style` has the colours and the style sheet.

mod agreement;
mod bytes;
pub mod divergence;
mod markdown;
mod sentence;
mod style;
mod tables;
#[cfg(test)]
mod tests;
pub mod verdict;

use super::Report;
use super::files;
use super::origin_text;
use super::summary::{Summary, bucket_folder};
use super::table::grouped;
use crate::campaign::{Bucket, Tally};
use crate::differ::Differ;
use crate::family::{Family, Op};
use crate::golden::{GoldenTally, Skipped};
use crate::triage::{CaseSize, Signature, triage};
use contract::case::Case;
use contract::isa::Generation;
use contract::json::read_case;
use divergence::{Evidence, Heading, frame};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::path::Path;
use verdict::Verdict;

/// Buckets that the page explains; the others are listed with links to their files.
pub const MOST_SHOWN: usize = 64;

/// The case that the minimiser leaves in a bucket's folder.
const MINIMISED: &str = "minimised.json";

/// A bucket that the page explains.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What differs, in one sentence.
    pub sentence: String,
    /// Its part of the page.
    pub markup: Markup,
}

/// Everything that the page shows.
pub struct Page<'a> {
    /// The summary.
    pub summary: &'a Summary,
    /// The counts behind it.
    pub tally: &'a Tally,
    /// Golden vectors.
    pub golden: &'a GoldenTally,
    /// Golden vectors that could not be checked.
    pub skipped: &'a [Skipped],
    /// Ops that were to be compared.
    pub enabled: &'a [Op],
    /// Generations that were drawn from.
    pub generations: &'a [Generation],
    /// The first buckets, in the order of the summary.
    pub shown: Vec<Shown>,
}

/// The page of a report. `folder` is where its files are; a minimised case that lies there is shown in
/// place of the one that the campaign found.
pub fn page_of(report: &Report<'_>, folder: &Path) -> String {
    let tally = &report.result.tally;
    let mut page = Page {
        summary: report.summary,
        tally,
        golden: &report.result.golden,
        skipped: report.skipped,
        enabled: report.enabled,
        generations: report.generations,
        shown: Vec::new(),
    };
    let mut guide = Guide::of(report, folder);
    for (index, (signature, bucket)) in tally.buckets.iter().take(MOST_SHOWN).enumerate() {
        let known = report.summary.is_known(&signature.bucket());
        page.shown.push(guide.show(index + 1, signature, bucket, known));
    }
    self::page(&page)
}

/// Runs the smallest case of each bucket again and tells what it shows.
struct Guide<'a> {
    report: &'a Report<'a>,
    folder: &'a Path,
    differ: Differ,
    prefixes: Differ,
}

impl<'a> Guide<'a> {
    fn of(report: &'a Report<'a>, folder: &'a Path) -> Self {
        let plan = report.plan;
        let differ =
            || Differ::new(plan.comparator, plan.reference.clone(), plan.candidate.clone());
        Self { report, folder, differ: differ(), prefixes: differ() }
    }

    fn show(
        &mut self,
        number: usize,
        signature: &Signature,
        bucket: &Bucket,
        known: bool,
    ) -> Shown {
        let name = signature.bucket();
        let folder = bucket_folder(&name);
        let minimised = self.minimised(&folder, signature);
        let best = &bucket.best;
        let case = minimised.as_ref().unwrap_or(&best.case);
        let options = &self.report.summary.options;
        let file = |name: &str| format!("{folder}/{name}");
        let generalisation = bucket.minimal.as_ref().map(|minimal| minimal.generalisation.clone());
        let command = match (&minimised, best.origin.seed()) {
            (None, Some(seed)) => options.reproduction(Family::of(case), seed),
            (Some(_), _) => options.reproduction_of_file(&file(MINIMISED)),
            (None, None) => options.reproduction_of_file(&file("case.json")),
        };
        let names = ["case.json", MINIMISED, "report.txt"].into_iter();
        let there = |name: &&str| *name != MINIMISED || self.folder.join(file(name)).is_file();
        let heading = Heading {
            count: bucket.count,
            bucket: name,
            origin: origin_text(&best.origin),
            command,
            files: names.filter(there).map(|name| (name.to_owned(), file(name))).collect(),
            known,
            minimised: minimised
                .as_ref()
                .map(|case| format!("minimised: {}", sizes(best.size, CaseSize::of(case)))),
            generalisation,
        };
        if let Err(failure) = self.differ.run(case) {
            // The models answered when the bucket was made; say so instead of inventing a difference.
            let sentence = format!("A model failed when the case was run again: {failure}.");
            let markup = frame(number, &sentence, &heading, &html! {});
            return Shown { sentence, markup };
        }
        let triage = triage(case, self.differ.comparison(), &mut self.prefixes);
        let evidence = Evidence {
            number,
            signature,
            case,
            expected: self.differ.expected(),
            actual: self.differ.actual(),
            comparison: self.differ.comparison(),
            triage: &triage,
        };
        Shown { sentence: evidence.sentence(), markup: evidence.markup(&heading) }
    }

    /// The minimised case of a bucket, if there is one and it still shows the bucket's divergence.
    fn minimised(&mut self, folder: &str, signature: &Signature) -> Option<Case> {
        let text = std::fs::read_to_string(self.folder.join(folder).join(MINIMISED)).ok()?;
        let case = read_case(&text).ok()?;
        let comparison = self.differ.run(&case).ok()?;
        let triage = triage(&case, comparison, &mut self.prefixes);
        triage.roots.iter().any(|root| root.signature.aspect == signature.aspect).then_some(case)
    }
}

/// Sizes before and after.
fn sizes(before: CaseSize, after: CaseSize) -> String {
    let words = |size: CaseSize| {
        format!(
            "{}, {}",
            verdict::counted(size.ops as u64, "op"),
            verdict::counted(size.bytes as u64, "byte")
        )
    };
    format!("{} instead of {}", words(after), words(before))
}

/// Lays the page out.
pub fn page(page: &Page<'_>) -> String {
    let summary = page.summary;
    let verdict = Verdict::of(page);
    let title = format!("q7diff, seed {}: {}", summary.seed, verdict.title);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style::sheet())) }
            }
            body {
                a.skip href="#main" { "Skip to the report" }
                header.bar {
                    h1 { "q7diff report" }
                    span.muted {
                        "seed " (summary.seed) " · " (summary.options.families.join(", ")) " · "
                        (summary.options.generations.join(", "))
                        @if let Some(fault) = &summary.options.fault {
                            " · planted fault " code { (fault) }
                        }
                        @if summary.options.shard != "0/1" { " · shard " (summary.options.shard) }
                    }
                }
                main #main {
                    (navigation(page))
                    (verdict.markup())
                    (reproduction(page))
                    (totals(page))
                    (tables::failures(page))
                    (tables::buckets(page))
                    (agreement::markup(page))
                    (divergences(page))
                    (tables::clauses(page))
                    (tables::coverage(page))
                    (tables::ignored(page))
                    (tables::golden(page))
                    (tables::options(page))
                }
                footer {
                    p {
                        "Files of this report: "
                        a href="summary.json" { "summary.json" } ", "
                        a href="report.txt" { "report.txt" } ", "
                        a href="junit.xml" { "junit.xml" } ", "
                        a href="timing.json" { "timing.json" }
                        ". This page holds no times: it is the same, byte for byte, at any number of \
                         threads."
                    }
                }
            }
        }
    };
    files::printable(&markup.into_string())
}

fn navigation(page: &Page<'_>) -> Markup {
    let failed = !page.summary.failures.is_empty();
    let differs = !page.summary.divergences.is_empty();
    let clauses = !super::summary::clauses_of(page.enabled).is_empty();
    let entries = [
        ("failures", "Failed models", failed),
        ("buckets", "Buckets", differs),
        ("agreement", "Agreement", true),
        ("divergences", "Divergences", differs),
        ("clauses", "Clauses", clauses),
        ("coverage", "Coverage", true),
        ("ignored", "Ignored", true),
        ("golden", "Golden vectors", true),
        ("options", "Options", true),
    ];
    html! {
        nav aria-label="Parts of the report" {
            ul {
                @for (id, name, there) in entries {
                    @if there { li { a href={ "#" (id) } { (name) } } }
                }
            }
        }
    }
}

fn reproduction(page: &Page<'_>) -> Markup {
    let summary = page.summary;
    let command = summary.options.command(summary.seed, summary.cases, summary.interrupted);
    html! {
        div.card {
            h3 { "Run it again" }
            code.command { (command) }
        }
    }
}

fn totals(page: &Page<'_>) -> Markup {
    let summary = page.summary;
    let compared = summary.compared;
    let sums = super::table::Isolation::of(page.tally, page.enabled, page.generations);
    let ignored: u64 = summary.ignored.0.iter().map(|(_, count)| count).sum();
    let (hit, bins) = (summary.coverage.hit, summary.coverage.bins);
    html! {
        dl.tiles {
            div { dt { "generated cases" } dd { (grouped(summary.cases)) } }
            div { dt { "values compared" } dd { (grouped(compared.values)) } }
            div { dt { "verdicts compared" } dd { (grouped(compared.verdicts)) } }
            div { dt { "postings compared" } dd { (grouped(compared.postings)) } }
            div { dt { "differing cases" } dd {
                (grouped(page.tally.diverging_cases))
                small { "in " (verdict::counted(page.tally.buckets.len() as u64, "bucket")) }
            } }
            div { dt { "golden vectors" } dd {
                (grouped(summary.golden.checked)) small { (grouped(summary.golden.failed)) " failed" }
            } }
            @if sums.rows > 0 {
                div { dt { "clauses alone" } dd {
                    (sums.isolated) " of " (sums.rows)
                    small { "purity " (tables::percent(sums.pure, sums.meant)) }
                } }
            }
            div { dt { "coverage" } dd {
                (tables::percent(hit, bins)) small { (grouped(hit)) " of " (grouped(bins)) " bins" }
            } }
            div { dt { "ignored" } dd { (grouped(ignored)) } }
        }
    }
}

fn divergences(page: &Page<'_>) -> Markup {
    let more = page.summary.divergences.len().saturating_sub(page.shown.len());
    html! {
        @if !page.shown.is_empty() {
            section aria-labelledby="divergences" {
                h2 #divergences { "Divergences" }
                p.muted.small {
                    "The reference is the oracle, the candidate the model under test. Commands with a \
                     file path are meant to be run in this report's folder."
                }
                @for shown in &page.shown { (shown.markup) }
                @if more > 0 {
                    p { (verdict::counted(more as u64, "more bucket")) " in the list above." }
                }
            }
        }
    }
}
