//! The lower half of the page: buckets and known differences, failed models, clause isolation, coverage
//! with its holes, what was ignored, golden vectors, options.

use super::Page;
use super::markdown::inline;
use super::verdict::counted;
use crate::report::rules::clause_rule;
use crate::report::summary::{bucket_folder, clauses_of};
use crate::report::table::{Isolation, grouped};
use contract::isa::{ClauseId, Generation};
use maud::{Markup, html};
use serde_json::Value;

/// Entries of a list that is open from the start.
const OPEN: usize = 12;

/// A scrolling frame for a wide table.
pub(super) fn scroll(label: &str, content: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { (content) } }
}

/// Share in percent with one decimal; `–` of nothing. Never 100.0 for less than all.
pub(super) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        _ if part < whole => {
            format!("{:.1}%", (1000.0 * part as f64 / whole as f64).floor() / 10.0)
        }
        _ => "100%".to_owned(),
    }
}

/// The list of buckets, each with its sentence and a link to its part of the page.
pub(super) fn buckets(page: &Page<'_>) -> Markup {
    if page.summary.divergences.is_empty() {
        return html! {};
    }
    html! {
        section aria-labelledby="buckets" {
            h2 #buckets { "Buckets" }
            table.buckets.cards role="table" {
                caption { "One row per fault, each with its smallest case" }
                thead role="rowgroup" {
                    tr role="row" {
                        th scope="col" role="columnheader" { "what differs" }
                        th.number scope="col" role="columnheader" { "cases" }
                        th scope="col" role="columnheader" { "bucket" }
                    }
                }
                tbody role="rowgroup" {
                    @for (index, row) in page.summary.divergences.iter().enumerate() {
                        @let shown = page.shown.get(index);
                        tr role="row" {
                            th scope="row" role="rowheader" {
                                @match shown {
                                    Some(shown) => a href={ "#bucket-" (index + 1) } { (shown.sentence) },
                                    None => {
                                        "A " (row.aspect) " divergence: "
                                        a href={ (bucket_folder(&row.bucket)) "/report.txt" } { "report.txt" }
                                    }
                                }
                                @if page.summary.is_known(&row.bucket) { " " span.chip { "known" } }
                            }
                            td.number role="cell" data-label="cases" { (grouped(row.count)) }
                            td role="cell" { code { (row.bucket) } }
                        }
                    }
                }
            }
            (known(page))
        }
    }
}

fn known(page: &Page<'_>) -> Markup {
    if page.summary.known.is_empty() {
        return html! {};
    }
    let table = html! {
        table {
            caption { "Known differences of this run, accepted by corpus/known.toml" }
            thead { tr {
                th scope="col" { "bucket" } th scope="col" { "reason" }
                th scope="col" { "owner" } th scope="col" { "until" } th scope="col" { "entry" }
            } }
            tbody { @for known in &page.summary.known { tr {
                th scope="row" { code { (known.bucket) } }
                td { (known.reason) } td { (known.owner) } td.nowrap { (known.expires) }
                td.nowrap { "line " (known.line) }
            } } }
        }
    };
    html! { h3 #known { "Known buckets" } (scroll("Known buckets", &table)) }
}

/// Cases on which a model gave no outcome.
pub(super) fn failures(page: &Page<'_>) -> Markup {
    if page.summary.failures.is_empty() {
        return html! {};
    }
    html! {
        section aria-labelledby="failures" {
            h2 #failures { "Failed models" }
            @for (failed, row) in page.tally.failures.iter().zip(&page.summary.failures) {
                div.card {
                    p { strong { (row.model) } " gave no outcome on "
                        (crate::report::origin_text(&failed.origin)) "." }
                    code.command { (row.message) }
                    @if let Some(seed) = failed.origin.seed().filter(|_| !page.summary.options.is_night()) {
                        p.small { "Run it again:" }
                        code.command { (page.summary.options.reproduction(failed.family, seed)) }
                    }
                }
            }
        }
    }
}

/// Clause isolation: per clause and generation, steps in which it failed alone, and in which it failed.
pub(super) fn clauses(page: &Page<'_>) -> Markup {
    let listed = clauses_of(page.enabled);
    if listed.is_empty() {
        return html! {};
    }
    let sums = Isolation::of(page.tally, page.enabled, page.generations);
    let table = html! {
        table.clauses {
            caption { "Per generation: failed alone / failed" }
            thead { tr {
                th scope="col" { "clause" }
                @for generation in page.generations { th.number scope="col" { (generation.name()) } }
                th.number scope="col" { "purity" }
                th scope="col" { "condition" }
            } }
            tbody { @for clause in listed { (clause_row(page, clause)) } }
        }
    };
    html! {
        section aria-labelledby="clauses" {
            h2 #clauses { "Clause isolation" }
            p {
                (sums.failed) " of " (counted(sums.rows, "clause")) " failed in some step, "
                (sums.isolated) " of them as the only failing clause. Near-valid cases did what they \
                 were meant to do in " (percent(sums.pure, sums.meant)) " of "
                (counted(sums.meant, "case")) "."
            }
            details.card {
                summary { "Every clause on every generation" }
                p.muted.small {
                    "Steps in which the clause failed alone / failed at all. Purity is the share of the \
                     cases meant to isolate it in which nothing else failed. "
                    span.hole { "●" } " marks a hole in the coverage."
                }
                (scroll("Clause isolation", &table))
            }
        }
    }
}

fn clause_row(page: &Page<'_>, clause: ClauseId) -> Markup {
    let counts = |generation: Generation| page.tally.clauses.get(clause, generation);
    let hole = |generation: Generation| {
        let names = ["alone", "failing"].map(|how| format!("{clause} {how} on {generation}"));
        page.summary.coverage.holes.iter().any(|hole| names.contains(hole))
    };
    let meant = page.generations.iter().map(|&on| counts(on).meant).sum();
    let pure = page.generations.iter().map(|&on| counts(on).pure).sum();
    let condition = clause_rule(clause)
        .and_then(|rule| rule.row.and_then(|row| row.cell("condition")))
        .unwrap_or_default();
    html! {
        tr {
            th.nowrap scope="row" { code { (clause.id()) } }
            @for &generation in page.generations {
                @let count = counts(generation);
                td.number.nowrap {
                    @if hole(generation) {
                        span.hole { span aria-hidden="true" { "● " } span.hidden { "hole: " } }
                    }
                    (grouped(count.isolated)) " / " (grouped(count.failed))
                }
            }
            td.number { (percent(pure, meant)) }
            td { (inline(condition)) }
        }
    }
}

/// Coverage per covergroup, with its holes.
pub(super) fn coverage(page: &Page<'_>) -> Markup {
    let coverage = &page.summary.coverage;
    let (hit, bins) = (coverage.hit, coverage.bins);
    let sum = |counts: &std::collections::BTreeMap<String, u64>| counts.values().sum::<u64>();
    let table = html! {
        table {
            caption { "Covergroups" }
            thead { tr {
                th scope="col" { "covergroup" }
                @for name in ["bins", "hit", "missing", "ignored", "illegal"] {
                    th.number scope="col" { (name) }
                }
                th scope="col" { "what" }
            } }
            tbody { @for row in &coverage.groups { tr {
                th scope="row" { (row.group) }
                @for number in [row.bins, row.hit, row.missing(), sum(&row.ignored), sum(&row.illegal)] {
                    td.number { (grouped(number)) }
                }
                td { (row.title) }
            } } }
        }
    };
    html! {
        section aria-labelledby="coverage" {
            h2 #coverage { "Coverage" }
            p { (grouped(hit)) " of " (counted(bins, "bin")) " hit (" (percent(hit, bins)) ")." }
            @if bins > 0 {
                progress max=(bins) value=(hit) aria-label="Share of bins that were hit" {}
            }
            @if !coverage.groups.is_empty() { (scroll("Covergroups", &table)) }
            @if coverage.holes.is_empty() && hit == bins {
                p { "No hole." }
            } @else if coverage.groups.is_empty() {
                details.card open=[(coverage.holes.len() <= OPEN).then_some("open")] {
                    summary { (counted(coverage.holes.len() as u64, "hole")) }
                    ul.columns { @for hole in &coverage.holes { li { (hole) } } }
                }
            }
            @for row in coverage.groups.iter().filter(|row| row.missing() > 0) {
                details.card open=[(row.holes.len() <= OPEN).then_some("open")] {
                    summary { (counted(row.missing(), "hole")) " of " (row.group) }
                    ul { @for hole in &row.holes { li { (hole.bin) ": " code { (hole.recipe) } } } }
                    @if row.missing() > row.holes.len() as u64 {
                        p.muted { "The first " (row.holes.len()) " are shown." }
                    }
                }
            }
        }
    }
}

/// The edge products of the vector ops, if any ran.
pub(super) fn products(page: &Page<'_>) -> Markup {
    let rows = &page.summary.products;
    if rows.is_empty() {
        return html! {};
    }
    let whole = rows.iter().filter(|row| row.is_whole()).count();
    let table = html! {
        table {
            caption { "Per op: what ran, and what there is" }
            thead { tr {
                th scope="col" { "op" }
                @for name in ["width", "edge points", "of", "random pairs", "of"] {
                    th.number scope="col" { (name) }
                }
                th scope="col" { "result" }
            } }
            tbody { @for row in rows { tr {
                th scope="row" { (row.op) }
                td.number { (row.width) }
                @for number in [row.edges, row.edges_expected, row.pairs, row.pairs_expected] {
                    td.number { (grouped(number)) }
                }
                td { @if row.is_whole() { "whole" } @else { "incomplete" } }
            } } }
        }
    };
    html! {
        section aria-labelledby="products" {
            h2 #products { "Edge products" }
            p { (whole) " of " (counted(rows.len() as u64, "vector op")) " ran whole." }
            details.card open=[(whole < rows.len()).then_some("open")] {
                summary { "Every op" }
                (scroll("Edge products", &table))
            }
        }
    }
}

/// What was left out of the comparison, by named reason.
pub(super) fn ignored(page: &Page<'_>) -> Markup {
    let rows: Vec<_> = page.summary.ignored.0.iter().collect();
    html! {
        section aria-labelledby="ignored" {
            h2 #ignored { "Ignored" }
            @if rows.is_empty() {
                p { "Nothing: whatever the outcomes hold was compared." }
            } @else {
                table {
                    caption { "Differences that were not reported and things that were not compared" }
                    thead { tr { th scope="col" { "reason" } th.number scope="col" { "count" } } }
                    tbody { @for (reason, count) in rows { tr {
                        th scope="row" { (reason.name()) } td.number { (grouped(count)) }
                    } } }
                }
            }
        }
    }
}

/// Golden vectors by file, with what was skipped and missed.
pub(super) fn golden(page: &Page<'_>) -> Markup {
    let golden = page.summary.golden;
    let table = html! {
        table {
            caption { "By file" }
            thead { tr {
                th scope="col" { "file" } th.number scope="col" { "vectors" }
                th.number scope="col" { "failed" } th.number scope="col" { "compared" }
                th scope="col" { "result" }
            } }
            tbody { @for (name, group) in &page.golden.groups {
                @let excused = page.golden.excused_of(name, |bucket| page.summary.is_known(bucket));
                @let (class, word) = match group.failed {
                    0 => ("agrees", "holds"),
                    failed if failed > excused => ("differs", "FAILED"),
                    _ => ("known", "known"),
                };
                tr class=(class) {
                    th scope="row" { code { (name) } }
                    td.number { (grouped(group.checked)) } td.number { (grouped(group.failed)) }
                    td.number { (grouped(group.compared)) }
                    td class={ "word " (class) } { (word) }
                }
            } }
        }
    };
    html! {
        section aria-labelledby="golden" {
            h2 #golden { "Golden vectors" }
            p {
                (counted(golden.checked, "vector")) " held against both models, "
                (grouped(golden.failed)) " failed. Cases without an expectation compare the models with \
                 each other."
            }
            @if !page.golden.groups.is_empty() { (scroll("Golden vectors", &table)) }
            @if !page.golden.missed.is_empty() {
                details.card open=[(page.golden.missed.len() <= OPEN).then_some("open")] {
                    summary { "Missed: " (counted(page.golden.missed.len() as u64, "line")) }
                    ul.small { @for missed in &page.golden.missed {
                        li { (missed.model) ": " strong { (missed.name) } ": " (missed.what) }
                    } }
                }
            }
            @if !page.skipped.is_empty() {
                details.card {
                    summary {
                        (counted(page.skipped.iter().map(|row| row.count).sum(), "vector"))
                        " skipped, by reason"
                    }
                    ul { @for row in page.skipped {
                        li { code { (row.group) } ": " (grouped(row.count)) " × " (row.reason) }
                    } }
                }
            }
        }
    }
}

/// Options of the run, and every switch.
pub(super) fn options(page: &Page<'_>) -> Markup {
    // The options are plain data with string keys, which serde_json always takes.
    let value = serde_json::to_value(&page.summary.options).unwrap_or_default();
    let Value::Object(options) = value else { return html! {} };
    let changed = page.summary.options.profile.0.non_default();
    html! {
        section aria-labelledby="options" {
            h2 #options { "Options" }
            details.card {
                summary {
                    "Seed " (page.summary.seed) ", "
                    @if changed.is_empty() { "every switch at its default" }
                    @else { (counted(changed.len() as u64, "switch")) " changed" }
                }
                dl.tiles {
                    @for (name, value) in options.iter().filter(|(name, _)| *name != "profile") {
                        div { dt { (name) } dd { small { (value_text(value)) } } }
                    }
                    @if let Some(Value::Object(switches)) = options.get("profile") {
                        @for (name, value) in switches {
                            div { dt { (name) } dd { small {
                                (value_text(value))
                                @if changed.iter().any(|(switch, _)| switch == name) { " (changed)" }
                            } } }
                        }
                    }
                }
            }
        }
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(list) if list.is_empty() => "all".to_owned(),
        Value::Array(list) => list.iter().map(value_text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
