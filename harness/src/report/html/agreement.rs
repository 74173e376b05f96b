//! Agreement per op: steps in directed and random cases, cases that differ in values, verdicts and
//! schedules, and the result in words. What differs or was not compared stands first; the ops that agree
//! stand in groups, one per section of the specification, that open on demand.

use super::Page;
use super::verdict::counted;
use crate::report::rules::section_of_mnemonic;
use crate::report::summary::OpRow;
use crate::report::table::grouped;
use contract::isa::Mnemonic;
use maud::{Markup, html};

/// Agreeing ops of a family that are shown without a group.
const UNGROUPED: usize = 24;

/// Result of an op.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Agrees,
    Known,
    Differs,
    Silent,
}

impl Word {
    fn of(row: &OpRow) -> Self {
        if row.known {
            Self::Known
        } else if row.differs() {
            Self::Differs
        } else if row.nothing_compared {
            Self::Silent
        } else {
            Self::Agrees
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Known => "known",
            Self::Differs => "differs",
            Self::Silent => "silent",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Known => "known",
            Self::Differs => "DIFFERS",
            Self::Silent => "NOTHING COMPARED",
        }
    }
}

/// Sums of rows, in the order of the columns.
fn sums<'a>(rows: impl IntoIterator<Item = &'a OpRow>) -> [u64; 5] {
    let mut sums = [0; 5];
    for row in rows {
        for (sum, number) in sums.iter_mut().zip(numbers(row)) {
            *sum += number;
        }
    }
    sums
}

const fn numbers(row: &OpRow) -> [u64; 5] {
    [
        row.directed,
        row.random,
        row.value_mismatches,
        row.verdict_mismatches,
        row.schedule_mismatches,
    ]
}

/// Heads of the columns with numbers.
const HEADS: [&str; 5] = ["directed", "random", "values", "verdicts", "schedules"];

/// The whole section.
pub(super) fn markup(page: &Page<'_>) -> Markup {
    let rows = &page.summary.families;
    let mut families: Vec<&str> = Vec::new();
    for row in rows {
        if !families.contains(&row.family) {
            families.push(row.family);
        }
    }
    html! {
        section aria-labelledby="agreement" {
            h2 #agreement { "Agreement per op" }
            p.muted.small {
                "Directed and random count steps. Values, verdicts and schedules count the cases that \
                 differ there first at a step of the op."
            }
            @for family in families {
                (family_markup(family, rows.iter().filter(|row| row.family == family).collect()))
            }
            (total(rows))
        }
    }
}

fn family_markup(family: &str, rows: Vec<&OpRow>) -> Markup {
    let agreeing: Vec<&OpRow> =
        rows.iter().copied().filter(|row| Word::of(row) == Word::Agrees).collect();
    let others: Vec<&OpRow> =
        rows.iter().copied().filter(|row| Word::of(row) != Word::Agrees).collect();
    let headline = format!(
        "{} of {} agree",
        crate::report::table::grouped(agreeing.len() as u64),
        counted(rows.len() as u64, &format!("{family} op"))
    );
    html! {
        div.card.family {
            h3 { (headline) }
            @if agreeing.len() <= UNGROUPED {
                (table(&format!("Family {family}, what differs first"),
                       others.iter().chain(&agreeing).copied()))
            } @else {
                @if !others.is_empty() {
                    (table(&format!("Family {family}: ops that do not agree"), others.iter().copied()))
                }
                label.open-all { input type="checkbox"; " open every group of agreeing ops" }
                @for (title, group) in groups(&agreeing) {
                    @let [directed, random, ..] = sums(group.iter().copied());
                    details {
                        summary {
                            h4 { (title) } " "
                            span.muted.small {
                                (counted(group.len() as u64, "op")) " agree; " (grouped(directed))
                                " directed, " (grouped(random)) " random steps"
                            }
                        }
                        (table(&title, group.iter().copied()))
                    }
                }
            }
        }
    }
}

/// Agreeing ops by the section that gives them their values, in the order of first mention.
fn groups<'a>(rows: &[&'a OpRow]) -> Vec<(String, Vec<&'a OpRow>)> {
    let mut groups: Vec<(String, Vec<&OpRow>)> = Vec::new();
    for &row in rows {
        let section = Mnemonic::from_name(&row.op).and_then(section_of_mnemonic);
        let title = section.map_or_else(
            || "Other ops".to_owned(),
            |it| {
                let title = it.title.replace('`', "");
                format!("{title} (spec {:02}, {})", it.chapter, it.number)
            },
        );
        match groups.iter_mut().find(|(name, _)| *name == title) {
            Some((_, group)) => group.push(row),
            None => groups.push((title, vec![row])),
        }
    }
    groups
}

/// A table of ops. The roles keep it a table where narrow screens show its rows as cards.
fn table<'a>(caption: &str, rows: impl Iterator<Item = &'a OpRow>) -> Markup {
    html! {
        table.ops.cards role="table" {
            caption { (caption) }
            (head())
            tbody role="rowgroup" {
                @for row in rows {
                    @let word = Word::of(row);
                    tr role="row" class=(word.class()) {
                        th scope="row" role="rowheader" { code { (row.op) } }
                        (cells(&numbers(row)))
                        td role="cell" class={ "word " (word.class()) } { (word.text()) }
                    }
                }
            }
        }
    }
}

fn head() -> Markup {
    html! {
        thead role="rowgroup" {
            tr role="row" {
                th scope="col" role="columnheader" { "op" }
                @for head in HEADS { th.number scope="col" role="columnheader" { (head) } }
                th scope="col" role="columnheader" { "result" }
            }
        }
    }
}

fn cells(numbers: &[u64; 5]) -> Markup {
    html! {
        @for (number, head) in numbers.iter().zip(HEADS) {
            td.number role="cell" data-label=(head) { (grouped(*number)) }
        }
    }
}

fn total(rows: &[OpRow]) -> Markup {
    let sums = sums(rows);
    let word = match sums[2..].iter().any(|&sum| sum > 0) {
        true if rows.iter().all(|row| row.known || !row.differs()) => Word::Known,
        true => Word::Differs,
        false => Word::Agrees,
    };
    html! {
        div.card {
            table.ops.cards role="table" {
                caption { "All ops together" }
                (head())
                tfoot role="rowgroup" {
                    tr role="row" {
                        th scope="row" role="rowheader" { "total" }
                        (cells(&sums))
                        td role="cell" class={ "word " (word.class()) } { (word.text()) }
                    }
                }
            }
        }
    }
}
