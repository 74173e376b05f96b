//! The verdict of a run in words: how it ended, and one sentence for each thing that made it.

use super::Page;
use crate::compare::IgnoredReason;
use crate::family::Family;
use crate::report::{origin_text, table::grouped};
use maud::{Markup, html};

/// How a run ended, as the page colours it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Everything agrees.
    Good,
    /// Something has to be looked at.
    Bad,
    /// Nothing is wrong, but the run is not whole.
    Warn,
}

/// The verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Its colour.
    pub tone: Tone,
    /// The headline.
    pub title: String,
    /// What made it, one sentence each.
    pub findings: Vec<String>,
}

/// `3 cases`, `1 case`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

impl Verdict {
    /// The verdict of a run.
    pub fn of(page: &Page<'_>) -> Self {
        let (tally, summary) = (page.tally, page.summary);
        let buckets = tally.buckets.len() as u64;
        let known = summary.known.len() as u64;
        let differs = tally.diverging_cases > 0;
        let unknown =
            differs && (summary.unknown().next().is_some() || buckets == 0 || tally.unbucketed > 0);
        let outside = tally.ignored.of(IgnoredReason::OutsideCase);
        let silent = silent(page);

        let mut titles = Vec::new();
        let mut findings = Vec::new();
        if summary.interrupted {
            titles.push("interrupted".to_owned());
            findings.push(format!(
                "The run was stopped early; the report covers {}.",
                counted(summary.cases, "generated case")
            ));
        }
        if tally.failure_count > 0 {
            titles.push("a model failed".to_owned());
            findings.push(format!(
                "A model gave no outcome on {}.",
                counted(tally.failure_count, "case")
            ));
        }
        if differs {
            let places = counted(buckets, "bucket");
            let title = format!("{} differ in {places}", counted(tally.diverging_cases, "case"));
            titles.push(title.replace("1 case differ ", "1 case differs "));
            findings.push(match known {
                0 => "Each bucket below stands for one fault; its smallest case is explained."
                    .to_owned(),
                _ => format!("{known} of the buckets are known and accepted."),
            });
            if tally.unbucketed > 0 {
                let more = counted(tally.unbucketed, "divergence");
                findings.push(format!("{more} found no room among the buckets."));
            }
        }
        if summary.golden.failed > 0 {
            let missed = counted(summary.golden.failed, "golden vector");
            titles.push(format!("{missed} missed"));
            findings.push(format!("{missed} of {} missed.", grouped(summary.golden.checked)));
        }
        if !silent.is_empty() {
            titles.push("something was not compared".to_owned());
            findings.extend(silent.iter().map(|text| format!("Not covered: {text}.")));
        }
        if outside > 0 {
            titles.push("bad cases".to_owned());
            let first = tally.outside.first().map(origin_text).unwrap_or_default();
            findings.push(format!(
                "{} outside their memory in both models; the first is {first}.",
                counted(outside, "case") + if outside == 1 { " writes" } else { " write" }
            ));
        }

        let bad = tally.failure_count > 0
            || unknown
            || summary.golden.failed > 0
            || !silent.is_empty()
            || outside > 0;
        let tone = match (bad, summary.interrupted || differs) {
            (true, _) => Tone::Bad,
            (false, true) => Tone::Warn,
            (false, false) => Tone::Good,
        };
        if titles.is_empty() {
            titles.push("the models agree".to_owned());
            findings.push(format!(
                "{} and {} gave the same values, verdicts and schedules, bit for bit.",
                counted(summary.cases, "generated case"),
                counted(summary.golden.checked, "golden vector")
            ));
        }
        Self { tone, title: capitalised(&titles.join("; ")), findings }
    }

    /// The banner.
    pub(super) fn markup(&self) -> Markup {
        let (class, symbol) = match self.tone {
            Tone::Good => ("verdict good", "✓"),
            Tone::Bad => ("verdict bad", "✗"),
            Tone::Warn => ("verdict warn", "!"),
        };
        html! {
            section #verdict class=(class) aria-labelledby="verdict-title" {
                h2 #verdict-title { span aria-hidden="true" { (symbol) " " } (self.title) }
                @match self.findings.as_slice() {
                    [only] => p { (only) },
                    many => ul { @for finding in many { li { (finding) } } },
                }
            }
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// What compared nothing; says nothing of a run that was stopped.
fn silent(page: &Page<'_>) -> Vec<String> {
    let summary = page.summary;
    if summary.interrupted {
        return Vec::new();
    }
    if summary.compared.verdicts == 0 {
        return vec!["the run compared nothing".to_owned()];
    }
    let met = |family: Family| page.tally.family_cases.contains_key(&family);
    let families = Family::ALL
        .into_iter()
        .filter(|family| summary.options.families.contains(&family.name()) && !met(*family))
        .map(|family| format!("no case of family {family}"));
    let ops = summary
        .families
        .iter()
        .filter(|row| row.nothing_compared)
        .map(|row| format!("no step of {} was executed", row.op));
    let mut all: Vec<String> = families.chain(ops).collect();
    let more = all.len().saturating_sub(SILENT_SHOWN);
    all.truncate(SILENT_SHOWN);
    if more > 0 {
        all.push(format!("{more} more ops, marked in the table"));
    }
    all
}

/// Silent ops that the banner names.
const SILENT_SHOWN: usize = 6;
