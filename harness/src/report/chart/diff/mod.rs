//! Two schedules of one program side by side, for a report of a divergence: what is expected on the
//! left, what came on the right, over the same cycles. The first bundle in which they differ is the
//! root (spec 05 section 10); later ones that differ in time alone follow from it and are marked so.

mod differences;

use crate::report::chart::axis::{Columns, Panel, Room, panels};
use crate::report::chart::grid::{BundleRow, Grid, OpRow, causes_of, ops_of, postings_of};
use crate::report::chart::line::{FOLD_CELLS, Line, Style, cells, fit, overhang, push_cells};
use crate::report::chart::text::{
    TagWidths, TextOptions, counted, issue_text, op_text, push_legend, push_note, push_ruler,
};
use contract::bundle::Bundle;
use contract::schedule::{BundleTiming, BundleVerdict, OpTiming, Schedule};
use differences::differences;
use std::ops::Range;

/// The smallest width that a side-by-side chart is laid out for, in columns.
const MIN_WIDTH: usize = 80;
/// Columns of [`diff_text`]; two time axes need more than one.
const WIDTH: usize = 120;
/// Bundles shown before the root.
const BEFORE: usize = 4;
/// Bundles shown after the root.
const AFTER: usize = 6;
/// Cells that each side's time axis gets at least.
const MIN_CELLS: usize = 16;
/// Blanks between two parts of a row.
const GAP: usize = 2;
/// Differences of the root that are spelled out.
const SPELLED: usize = 12;

/// Both schedules side by side, 120 columns wide, with block characters and no colours.
pub fn diff_text(expected: &Schedule, actual: &Schedule, program: &[Bundle]) -> String {
    let options = TextOptions { width: WIDTH, ..TextOptions::default() };
    diff_text_with(expected, actual, program, &options)
}

/// Both schedules side by side, drawn as the options say; a width under 80 is taken as 80.
pub fn diff_text_with(
    expected: &Schedule,
    actual: &Schedule,
    program: &[Bundle],
    options: &TextOptions,
) -> String {
    let options = TextOptions { width: options.width.max(MIN_WIDTH), ..*options };
    let count = expected.bundles.len().max(actual.bundles.len());
    let states = states(expected, actual, count);
    let root = states.iter().position(|state| *state != State::Equal);
    let shown = match root {
        Some(root) => root.saturating_sub(BEFORE)..count.min(root + AFTER + 1),
        None => 0..count.min(BEFORE + AFTER + 1),
    };
    let mut out = String::new();
    if shown.start > 0 {
        out.push_str(&format!("{} equal\n", bundles_text(0, shown.start, &options)));
    }
    let grids = [Grid::new(program, expected), Grid::new(program, actual)];
    let layout = Layout::new(&grids, &states, root, shown.clone(), options);
    layout.draw(&mut out, expected, actual);
    let folds = layout.panels.iter().flat_map(|panel| &panel.axes).any(Columns::has_folds);
    if shown.end < count {
        let rest = &states[shown.end..];
        let differ = rest.iter().filter(|state| **state != State::Equal).count();
        let not_shown = bundles_text(shown.end, count, &options);
        out.push_str(&format!("{not_shown} not shown, {differ} of them differ\n"));
    }
    if expected.table != actual.table {
        let (expected, actual) = (expected.table.name(), actual.table.name());
        out.push_str(&format!("table: expected {expected}, actual {actual}\n"));
    }
    if root.is_none() {
        out.push_str("no bundle differs\n");
    }
    let total = if expected.cycles == actual.cycles {
        format!("= {} on both sides", counted(u64::from(expected.cycles), "cycle"))
    } else {
        format!("= cycles: expected {}, actual {}", expected.cycles, actual.cycles)
    };
    out.push_str(&total);
    out.push('\n');
    let binding = |grid| shown_rows(grid, &shown).iter().any(BundleRow::binds);
    push_legend(&mut out, &options, grids.iter().any(binding), folds);
    out
}

/// How a bundle compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing differs.
    Equal,
    /// The first that differs.
    Root,
    /// Differs in issue, stall or causes alone, after the root.
    Follows,
    /// Differs after the root in what no earlier stall explains: verdict, ops or postings.
    Also,
}

impl State {
    /// What stands in the margin.
    const fn margin(self) -> &'static str {
        match self {
            Self::Equal => "  ",
            Self::Root => "> ",
            Self::Follows => "~ ",
            Self::Also => "! ",
        }
    }

    /// What stands at the end of the row.
    const fn word(self) -> &'static str {
        match self {
            Self::Equal => "",
            Self::Root => "root",
            Self::Follows => "follows",
            Self::Also => "differs too",
        }
    }
}

fn states(expected: &Schedule, actual: &Schedule, count: usize) -> Vec<State> {
    let mut rooted = false;
    let state = |index: usize| {
        let (own, timing) = match (expected.bundles.get(index), actual.bundles.get(index)) {
            (Some(mine), Some(theirs)) => (
                mine.format != theirs.format
                    || mine.verdict != theirs.verdict
                    || !same_ops(expected, mine, actual, theirs),
                mine.issue != theirs.issue
                    || causes_of(expected, mine) != causes_of(actual, theirs),
            ),
            // Where one side ended the program, an earlier difference of verdicts says why.
            _ => (!ended(expected) && !ended(actual), true),
        };
        if !own && !timing {
            return State::Equal;
        }
        if !std::mem::replace(&mut rooted, true) {
            return State::Root;
        }
        if own { State::Also } else { State::Follows }
    };
    (0..count).map(state).collect()
}

/// True if the last bundle is illegal or faulted, which ends a program.
fn ended(schedule: &Schedule) -> bool {
    schedule.bundles.last().is_some_and(|bundle| bundle.verdict != BundleVerdict::Ok)
}

fn same_ops(
    expected: &Schedule,
    mine: &BundleTiming,
    actual: &Schedule,
    theirs: &BundleTiming,
) -> bool {
    let (mine, theirs) = (ops_of(expected, mine), ops_of(actual, theirs));
    let same = |(mine, theirs): (&OpTiming, &OpTiming)| {
        (mine.slot, mine.op) == (theirs.slot, theirs.op)
            && postings_of(expected, mine) == postings_of(actual, theirs)
    };
    mine.len() == theirs.len() && mine.iter().zip(theirs).all(same)
}

/// `B3` or `B3–B7`.
fn bundles_text(from: usize, to: usize, options: &TextOptions) -> String {
    match to - from {
        1 => format!("B{from}"),
        _ => format!("B{from}{}B{}", options.glyphs.dash(), to - 1),
    }
}

/// Where the parts of a side-by-side chart stand.
struct Layout<'a> {
    grids: &'a [Grid; 2],
    states: &'a [State],
    root: Option<usize>,
    options: TextOptions,
    tags: [TagWidths; 2],
    op_at: usize,
    op_width: usize,
    /// Width of `@3 +2`.
    issue_width: usize,
    /// Room after an axis for a number that hangs over.
    overhang: usize,
    panels: Vec<Panel<2>>,
}

impl<'a> Layout<'a> {
    fn new(
        grids: &'a [Grid; 2],
        states: &'a [State],
        root: Option<usize>,
        shown: Range<usize>,
        options: TextOptions,
    ) -> Self {
        let rows = || grids.iter().flat_map(|grid| shown_rows(grid, &shown));
        let tags = grids.each_ref().map(|grid| TagWidths::of(shown_rows(grid, &shown)));
        let tag_width = grids.iter().zip(tags).flat_map(|(grid, tags)| {
            shown_rows(grid, &shown).iter().map(move |row| tags.name(row).len())
        });
        let op_at = State::Equal.margin().len() + tag_width.max().unwrap_or(0) + GAP;
        let issue_width = rows().map(|row| issue_text(row).len()).max().unwrap_or(0);
        let sides = 2 * (GAP + issue_width + 1 + MIN_CELLS);
        let word = GAP + State::Also.word().len();
        let longest = rows().flat_map(|row| &row.ops).map(|op| op_text(op).len()).max();
        let op_width =
            longest.unwrap_or(0).min(options.width.saturating_sub(op_at + sides + word)).max(8);
        let used = op_at + op_width + word + 2 * (GAP + issue_width + 1);
        let overhang = overhang(rows());
        let axis = (options.width.saturating_sub(used) / 2).saturating_sub(overhang);
        let room = Room { cells: axis.max(MIN_CELLS), fold_cells: FOLD_CELLS };
        let events = |index: usize| {
            grids.each_ref().map(|grid| {
                grid.bundles.get(index).into_iter().flat_map(BundleRow::events).collect()
            })
        };
        let panels = panels(shown, events, room);
        Self { grids, states, root, options, tags, op_at, op_width, issue_width, overhang, panels }
    }

    /// Columns where the two sides begin, with their issue cycles.
    fn sides(&self, panel: &Panel<2>) -> [usize; 2] {
        let left = self.op_at + self.op_width + GAP;
        [left, left + self.issue_width + 1 + self.axis_width(&panel.axes[0]) + GAP]
    }

    /// Cells of a time axis, and room for `(never)` and the title.
    fn axis_width(&self, axis: &Columns) -> usize {
        cells(&axis.list).max(8) + self.overhang
    }

    fn draw(&self, out: &mut String, expected: &Schedule, actual: &Schedule) {
        for (index, panel) in self.panels.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            let sides = self.sides(panel);
            let mut line = Line::new(self.options.colour);
            for (at, title) in sides.iter().zip(["expected", "actual"]) {
                line.pad(*at);
                line.push(Style::Strong, title);
            }
            line.finish(out);
            let axes = sides.iter().map(|at| at + self.issue_width + 1).zip(&panel.axes);
            push_ruler(out, &self.options, sides[0], &axes.collect::<Vec<_>>());
            for index in panel.bundles.clone() {
                self.bundle(out, panel, index);
                if self.root == Some(index) {
                    self.differences(out, expected, actual, index);
                }
            }
            if panel.axes.iter().any(|axis| axis.cut) {
                self.note(out, "marks further to the right do not fit");
            }
        }
    }

    fn bundle(&self, out: &mut String, panel: &Panel<2>, index: usize) {
        let state = self.states[index];
        let pair = self.grids.each_ref().map(|grid| grid.bundles.get(index));
        for (number, ops) in paired_ops(pair).into_iter().enumerate() {
            let mut line = Line::dimmed(self.options.colour, state == State::Follows);
            line.push(Style::Trouble, state.margin());
            let named = pair.iter().zip(self.tags).find_map(|(row, tags)| Some((tags, (*row)?)));
            if let Some((tags, row)) = named
                && number == 0
            {
                line.push(Style::Strong, &tags.name(row));
            }
            line.pad(self.op_at);
            if let Some(op) = ops.into_iter().flatten().next() {
                line.push(Style::Plain, &fit(self.options.glyphs, &op_text(op), self.op_width));
            }
            let sides = self.sides(panel).into_iter().zip(&panel.axes).zip(pair).zip(ops);
            for (((at, axis), row), op) in sides {
                line.pad(at);
                self.side(&mut line, axis, row, op, number == 0);
            }
            if number == 0 && state != State::Equal {
                line.pad(line.columns() + GAP);
                line.push(Style::Trouble, state.word());
            }
            line.finish(out);
        }
        let endings = pair.map(|row| row.and_then(|row| row.ending.as_ref()));
        // Of the root, a difference of verdicts is spelled out anyway.
        if state != State::Root || endings[0] == endings[1] {
            for (ending, side) in endings.iter().zip(["expected", "actual"]) {
                if let Some(ending) = ending {
                    self.note(out, &format!("{side}: {ending}"));
                }
            }
        }
    }

    fn side(
        &self,
        line: &mut Line,
        axis: &Columns,
        row: Option<&BundleRow>,
        op: Option<&OpRow>,
        first: bool,
    ) {
        let axis_at = line.columns() + self.issue_width + 1;
        if let Some(row) = row
            && first
        {
            line.push(Style::Plain, &issue_text(row));
        }
        line.pad(axis_at);
        match (row, op) {
            (None, _) if first => line.push(Style::Dim, "(none)"),
            (Some(row), _) if first && row.issue.is_none() => line.push(Style::Dim, "(never)"),
            (Some(row), Some(op)) => {
                push_cells(line, self.options.glyphs, row, op, &axis.list);
            }
            _ => {}
        }
        line.pad(axis_at + self.axis_width(axis));
    }

    /// What differs in the root, in words.
    fn differences(&self, out: &mut String, expected: &Schedule, actual: &Schedule, index: usize) {
        let texts = match (expected.bundles.get(index), actual.bundles.get(index)) {
            (Some(mine), Some(theirs)) => differences(expected, mine, actual, theirs),
            (mine, _) => {
                vec![format!("only {} has it", if mine.is_some() { "expected" } else { "actual" })]
            }
        };
        for text in texts.iter().take(SPELLED) {
            self.note(out, text);
        }
        if texts.len() > SPELLED {
            self.note(out, &format!("and {} more", counted_more(texts.len() - SPELLED)));
        }
    }

    fn note(&self, out: &mut String, text: &str) {
        push_note(out, &self.options, self.op_at, Style::Plain, text);
    }
}

fn counted_more(count: usize) -> String {
    counted(count as u64, "difference")
}

fn shown_rows<'a>(grid: &'a Grid, shown: &Range<usize>) -> &'a [BundleRow] {
    let count = grid.bundles.len();
    &grid.bundles[shown.start.min(count)..shown.end.min(count)]
}

/// The rows of a bundle, those of one slot beside each other.
fn paired_ops(pair: [Option<&BundleRow>; 2]) -> Vec<[Option<&OpRow>; 2]> {
    let mut sides = pair.map(|row| row.map_or(&[][..], |row| &row.ops).iter().peekable());
    let mut rows = Vec::new();
    loop {
        let [left, right] = &mut sides;
        let row = match (left.peek(), right.peek()) {
            (None, None) => return rows,
            (Some(mine), Some(theirs)) if mine.slot < theirs.slot => [left.next(), None],
            (Some(mine), Some(theirs)) if mine.slot > theirs.slot => [None, right.next()],
            _ => [left.next(), right.next()],
        };
        rows.push(row);
    }
}
