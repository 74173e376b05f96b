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
use super::options::RunOptions;
use super::origin_text;
use super::summary::{CASE_FILE, MINIMISED_FILE, Summary, bucket_folder};
use super::table::grouped;
use crate::campaign::{Bucket, Exemplar, Tally};
use crate::differ::Differ;
use crate::family::{Family, Op};
use crate::golden::{GoldenTally, Skipped};
use crate::shrink::Minimal;
use crate::triage::{Signature, triage};
use contract::isa::Generation;
use divergence::{Evidence, Heading, frame};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use verdict::Verdict;

/// Buckets that the page explains; the others are listed with links to their files.
pub const MOST_SHOWN: usize = 64;

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
    /// What compared nothing: the run, families or ops.
    pub silent: Vec<String>,
    /// The command that does the run again.
    pub command: String,
    /// What is new since the night before; the only part that may hold times.
    pub news: Option<&'a str>,
}

/// How the page of a report is to be made.
pub struct Setting<'a> {
    /// The command that does the run again.
    pub command: String,
    /// The options that make the smallest case of a bucket again.
    pub options_of: &'a dyn Fn(&Exemplar) -> &'a RunOptions,
    /// What is new since the night before, as text.
    pub news: Option<&'a str>,
}

/// The page of a run.
pub fn page_of(report: &Report<'_>) -> String {
    let summary = report.summary;
    let setting = Setting {
        command: summary.options.command(summary.seed, summary.cases, summary.interrupted),
        options_of: &|_| &summary.options,
        news: None,
    };
    page_with(report, &setting)
}

/// The page of a report that is no plain run.
pub fn page_with(report: &Report<'_>, setting: &Setting<'_>) -> String {
    let tally = &report.result.tally;
    let mut guide = Guide::of(report);
    let buckets = tally.buckets.iter().take(MOST_SHOWN).enumerate();
    let shown = buckets
        .map(|(index, (signature, bucket))| {
            guide.show(index + 1, signature, bucket, (setting.options_of)(&bucket.best))
        })
        .collect();
    let families = &report.summary.options.families;
    let families: Vec<Family> =
        families.iter().filter_map(|name| Family::from_name(name)).collect();
    page(&Page {
        summary: report.summary,
        tally,
        golden: &report.result.golden,
        skipped: report.skipped,
        enabled: report.enabled,
        generations: report.generations,
        shown,
        // A run that was stopped has not come to everything yet.
        silent: match report.summary.interrupted {
            true => Vec::new(),
            false => report.summary.compared_nothing(report.result, &families),
        },
        command: setting.command.clone(),
        news: setting.news,
    })
}

/// Runs the smallest case of each bucket again and tells what it shows.
struct Guide<'a> {
    report: &'a Report<'a>,
    differ: Differ,
    prefixes: Differ,
}

impl<'a> Guide<'a> {
    fn of(report: &'a Report<'a>) -> Self {
        let plan = report.plan;
        let differ =
            || Differ::new(plan.comparator, plan.reference.clone(), plan.candidate.clone());
        Self { report, differ: differ(), prefixes: differ() }
    }

    fn show(
        &mut self,
        number: usize,
        signature: &Signature,
        bucket: &Bucket,
        options: &RunOptions,
    ) -> Shown {
        let name = signature.bucket();
        let file = |file: &str| format!("{}/{file}", bucket_folder(&name));
        let best = &bucket.best;
        let minimal = bucket.minimal.as_deref();
        let case = minimal.map_or(&best.case, |minimal| &minimal.case);
        let command = match (minimal, best.origin.seed()) {
            (None, Some(seed)) => options.reproduction(Family::of(case), seed),
            (Some(_), _) => options.reproduction_of_file(&file(MINIMISED_FILE)),
            (None, None) => options.reproduction_of_file(&file(CASE_FILE)),
        };
        let mut names = vec![CASE_FILE, "report.txt"];
        if minimal.is_some() {
            names.insert(1, MINIMISED_FILE);
        }
        let heading = Heading {
            count: bucket.count,
            known: self.report.summary.is_known(&name),
            origin: origin_text(&best.origin),
            command,
            files: names.into_iter().map(|name| (name.to_owned(), file(name))).collect(),
            minimised: minimal.map(Minimal::line),
            generalisation: minimal.map(|minimal| minimal.generalisation.clone()),
            bucket: name,
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
                    (news(page))
                    (reproduction(page))
                    (totals(page))
                    (tables::failures(page))
                    (tables::buckets(page))
                    (divergences(page))
                    (agreement::markup(page))
                    (tables::clauses(page))
                    (tables::products(page))
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
                        "."
                        @if page.news.is_none() {
                            " This page holds no times: it is the same, byte for byte, at any number of \
                             threads."
                        }
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
    let products = !page.summary.products.is_empty();
    let clauses = !super::summary::clauses_of(page.enabled).is_empty();
    let entries = [
        ("failures", "Failed models", failed),
        ("buckets", "Buckets", differs),
        ("divergences", "Divergences", differs),
        ("agreement", "Agreement", true),
        ("clauses", "Clauses", clauses),
        ("products", "Edge products", products),
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

fn news(page: &Page<'_>) -> Markup {
    html! {
        @if let Some(news) = page.news {
            section.card aria-labelledby="news" {
                h3 #news { "Since the night before" }
                pre.json { (news.trim_end()) }
            }
        }
    }
}

fn reproduction(page: &Page<'_>) -> Markup {
    html! {
        div.card {
            h3 { "Run it again" }
            code.command { (page.command) }
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
