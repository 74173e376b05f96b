//! Tables that people read on the terminal and in the report's `report.txt`: agreement per op with a
//! totals line, golden files, clause isolation, buckets.

use super::summary::{OpRow, Summary, Timing, clauses_of};
use crate::campaign::Tally;
use crate::family::Op;
use crate::golden::{GoldenTally, Skipped};
use comfy_table::{Cell, CellAlignment, Table, presets};
use contract::isa::Generation;
use std::fmt::Write as _;

/// Coverage holes that the terminal names.
const HOLES_SHOWN: usize = 4;

/// A table in the house style: numbers right, no lines but under the head.
pub fn house_style(head: &[&str], text_columns: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(head.iter().copied());
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if !text_columns.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The table's text without blanks at line ends.
pub fn rendered(table: &Table) -> String {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number with thousands separated by commas.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn result_of(row: &OpRow) -> &'static str {
    if row.known {
        "known"
    } else if row.differs() {
        "DIFFERS"
    } else if row.nothing_compared {
        "NOTHING COMPARED"
    } else {
        "agrees"
    }
}

/// Agreement per op: steps in directed and random cases, cases with a mismatch in values, verdicts and
/// schedules, result; then the totals.
pub fn agreement(summary: &Summary) -> String {
    let head = ["family", "op", "directed", "random", "values", "verdicts", "schedules", "result"];
    let mut table = house_style(&head, &[0, 1, 7]);
    let mut totals = [0; 5];
    for row in &summary.families {
        let numbers = [
            row.directed,
            row.random,
            row.value_mismatches,
            row.verdict_mismatches,
            row.schedule_mismatches,
        ];
        for (total, number) in totals.iter_mut().zip(numbers) {
            *total += number;
        }
        let mut cells = vec![Cell::new(row.family), Cell::new(&row.op)];
        cells.extend(numbers.map(|number| Cell::new(grouped(number))));
        cells.push(Cell::new(result_of(row)));
        table.add_row(cells);
    }
    let mut cells = vec![Cell::new("total"), Cell::new("")];
    cells.extend(totals.map(|number| Cell::new(grouped(number))));
    let differs = totals[2..].iter().any(|&total| total > 0);
    let known = summary.families.iter().all(|row| row.known || !row.differs());
    cells.push(Cell::new(match (differs, known) {
        (false, _) => "agrees",
        (true, true) => "known",
        (true, false) => "DIFFERS",
    }));
    table.add_row(cells);
    rendered(&table)
}

/// What was compared and ignored, golden vectors, clauses: the lines under the table.
pub fn totals(summary: &Summary, isolation: &Isolation) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let compared = summary.compared;
    let _ = writeln!(
        text,
        "{} cases; compared {} values, {} verdicts, {} postings",
        grouped(summary.cases),
        grouped(compared.values),
        grouped(compared.verdicts),
        grouped(compared.postings)
    );
    for (reason, count) in summary.ignored.0.iter() {
        let _ = writeln!(text, "ignored: {} ({})", grouped(count), reason.name());
    }
    let golden = summary.golden;
    let _ = writeln!(
        text,
        "golden vectors: {} checked, {} failed",
        grouped(golden.checked),
        grouped(golden.failed)
    );
    if isolation.rows > 0 {
        let _ = writeln!(
            text,
            "clauses: {} of {} failed, {} as the only failing clause; near-valid purity {}",
            isolation.failed,
            isolation.rows,
            isolation.isolated,
            percent(isolation.pure, isolation.meant)
        );
    }
    let coverage = &summary.coverage;
    let holes = match coverage.holes.len() {
        0 => String::new(),
        count if count > HOLES_SHOWN => {
            format!("; holes: {} …", coverage.holes[..HOLES_SHOWN].join(", "))
        }
        _ => format!("; holes: {}", coverage.holes.join(", ")),
    };
    let _ = writeln!(text, "coverage: {} of {} bins{holes}", coverage.hit, coverage.bins);
    text
}

/// Coverage per covergroup: bins that count, hit, missing, left out; then the holes of each group with
/// their recipes.
pub fn coverage(summary: &Summary) -> String {
    let head = ["covergroup", "bins", "hit", "missing", "ignored", "illegal", "what"];
    let mut table = house_style(&head, &[0, 6]);
    let sum = |counts: &std::collections::BTreeMap<String, u64>| counts.values().sum::<u64>();
    let groups = &summary.coverage.groups;
    for row in groups {
        let numbers = [row.bins, row.hit, row.missing(), sum(&row.ignored), sum(&row.illegal)];
        let mut cells = vec![Cell::new(&row.group)];
        cells.extend(numbers.map(|number| Cell::new(grouped(number))));
        cells.push(Cell::new(&row.title));
        table.add_row(cells);
    }
    let mut text = rendered(&table);
    for row in groups {
        for (what, reasons) in [("ignored", &row.ignored), ("illegal", &row.illegal)] {
            for (reason, count) in reasons {
                let _ = writeln!(text, "{}: {} {what}: {reason}", row.group, grouped(*count));
            }
        }
        for bin in &row.illegal_hit {
            let _ = writeln!(text, "{}: illegal, but hit: {bin}", row.group);
        }
    }
    for row in groups.iter().filter(|row| row.missing() > 0) {
        let _ = writeln!(text, "\nholes of `{}`, each with its shortest recipe", row.group);
        for hole in &row.holes {
            let _ = writeln!(text, "  {}: {}", hole.bin, hole.recipe);
        }
        let left = row.missing() - row.holes.len() as u64;
        if left > 0 {
            let _ = writeln!(text, "  and {} more", grouped(left));
        }
    }
    text
}

/// The edge products per op and width: points and random pairs that ran, and that there are.
pub fn products(summary: &Summary) -> String {
    let head = ["op", "width", "edge points", "of", "random pairs", "of", "result"];
    let mut table = house_style(&head, &[0, 6]);
    for row in &summary.products {
        let numbers = [row.edges, row.edges_expected, row.pairs, row.pairs_expected];
        let mut cells = vec![Cell::new(&row.op), Cell::new(row.width)];
        cells.extend(numbers.map(|number| Cell::new(grouped(number))));
        cells.push(Cell::new(if row.is_whole() { "whole" } else { "INCOMPLETE" }));
        table.add_row(cells);
    }
    rendered(&table)
}

/// The line with the times; not part of a report that must not change from run to run.
pub fn timing_line(timing: &Timing) -> String {
    format!(
        "{:.1} s, {} cases per second on {} thread{}\n",
        timing.seconds,
        grouped(timing.cases_per_second.round() as u64),
        timing.jobs,
        if timing.jobs == 1 { "" } else { "s" }
    )
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

/// Sums of the isolation table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Isolation {
    /// Clauses.
    pub rows: u64,
    /// Clauses that failed on some generation.
    pub failed: u64,
    /// Clauses that failed alone on some generation.
    pub isolated: u64,
    /// Cases that were meant to isolate a clause.
    pub meant: u64,
    /// Of those, cases that did.
    pub pure: u64,
}

impl Isolation {
    /// Sums over the clauses of the enabled ops.
    pub fn of(tally: &Tally, enabled: &[Op], generations: &[Generation]) -> Self {
        let mut sums = Self::default();
        for clause in clauses_of(enabled) {
            let counts = || generations.iter().map(|&on| tally.clauses.get(clause, on));
            sums.rows += 1;
            sums.failed += u64::from(counts().any(|count| count.failed > 0));
            sums.isolated += u64::from(counts().any(|count| count.isolated > 0));
            sums.meant += counts().map(|count| count.meant).sum::<u64>();
            sums.pure += counts().map(|count| count.pure).sum::<u64>();
        }
        sums
    }
}

/// Clause isolation: per clause and generation, steps in which it failed alone of those in which it
/// failed; purity over all generations.
pub fn clauses(tally: &Tally, enabled: &[Op], generations: &[Generation]) -> String {
    let mut head = vec!["clause"];
    head.extend(generations.iter().map(|generation| generation.name()));
    head.push("purity");
    let mut table = house_style(&head, &[0]);
    for clause in clauses_of(enabled) {
        let mut cells = vec![Cell::new(clause.id())];
        let (mut meant, mut pure) = (0, 0);
        for &generation in generations {
            let counts = tally.clauses.get(clause, generation);
            cells.push(Cell::new(format!("{}/{}", counts.isolated, counts.failed)));
            meant += counts.meant;
            pure += counts.pure;
        }
        cells.push(Cell::new(percent(pure, meant)));
        table.add_row(cells);
    }
    rendered(&table)
}

/// Buckets with counts and the place of their smallest case.
pub fn buckets(summary: &Summary) -> String {
    let mut table = house_style(&["bucket", "cases", "smallest case"], &[0, 2]);
    for row in &summary.divergences {
        table.add_row([row.bucket.clone(), grouped(row.count), row.case.clone()]);
    }
    let mut text = rendered(&table);
    for row in &summary.known {
        let _ = writeln!(
            text,
            "known: {}: {} ({}, until {}; known.toml:{})",
            row.bucket, row.reason, row.owner, row.expires, row.line
        );
    }
    text
}

/// Golden files: vectors checked, failed, cases compared model against model, and what was skipped.
pub fn golden(golden: &GoldenTally, skipped: &[Skipped]) -> String {
    let head = ["golden file", "vectors", "failed", "compared", "result"];
    let mut table = house_style(&head, &[0, 4]);
    for (name, group) in &golden.groups {
        table.add_row([
            name.clone(),
            grouped(group.checked),
            grouped(group.failed),
            grouped(group.compared),
            if group.failed > 0 { "FAILED" } else { "holds" }.to_owned(),
        ]);
    }
    let mut text = rendered(&table);
    if !golden.probes.is_empty() {
        text.push('\n');
        text.push_str(&probes(golden));
        text.push('\n');
    }
    let mut groups: Vec<&str> = skipped.iter().map(|row| row.group.as_str()).collect();
    groups.dedup();
    for group in groups {
        let rows = || skipped.iter().filter(|row| row.group == group);
        let reasons: Vec<String> =
            rows().map(|row| format!("{} × {}", row.count, row.reason)).collect();
        let count: u64 = rows().map(|row| row.count).sum();
        let _ = writeln!(text, "skipped {count} of {group}: {}", reasons.join(", "));
    }
    for missed in &golden.missed {
        let _ = writeln!(text, "missed by {}: {}: {}", missed.model, missed.name, missed.what);
    }
    text
}

/// Vectors of single ops: per family and op the vectors, the cases (one per vector and preset under
/// which it holds) and the verdict; then the sum of them.
pub fn probes(golden: &GoldenTally) -> String {
    let mut table = house_style(&["family", "op", "probes", "cases", "verdict"], &[0, 1, 4]);
    let verdict = |failed: usize| match failed {
        0 => "holds".to_owned(),
        failed => format!("{failed} FAILED"),
    };
    let mut sums = (0, 0, 0);
    for (family, op, tally) in golden.probes() {
        let (probes, failed) = (tally.ids.len(), tally.failed.len());
        sums = (sums.0 + probes as u64, sums.1 + tally.cases, sums.2 + failed);
        table.add_row([
            family.to_owned(),
            op.to_owned(),
            grouped(probes as u64),
            grouped(tally.cases),
            verdict(failed),
        ]);
    }
    let (probes, cases, failed) = sums;
    let total = ["total".to_owned(), String::new(), grouped(probes), grouped(cases)];
    table.add_row(total.into_iter().chain([verdict(failed)]));
    rendered(&table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}
