//! One panel: ruler, bands of bundles, rows of ops, stalls, marks, remarks at the right, arrows.

use super::element::{self, MARK, Point};
use super::told::{Remark, issue_title, mark_title, remarks, stall_title};
use super::{CELL, CHARACTER, FOLD_CELLS, MARGIN, op_label};
use crate::report::chart::axis::{Column, Panel};
use crate::report::chart::grid::{BundleRow, Grid, OpRow, consumer_role, is_end};
use crate::report::chart::text::{issue_text, op_text};
use crate::report::chart::words::{cause_text, plain};
use contract::schedule::{Cause, Hazard, Role};
use std::collections::BTreeMap;

/// Pixels of a row with one remark, and of every further remark.
const ROW: u64 = 34;
const REMARK: u64 = 16;
/// Pixels of the ruler, with room for the register at an arrow into the first row.
const RULER: u64 = 34;

/// Where the parts of every panel stand.
pub(super) struct Frame<'a> {
    id: &'a str,
    grid: &'a Grid,
    issue_x: u64,
    op_x: u64,
    axis_x: u64,
}

/// The rows of a panel with their places.
struct Rows<'a> {
    rows: Vec<Row<'a>>,
    bottom: u64,
}

struct Row<'a> {
    bundle: &'a BundleRow,
    op: &'a OpRow,
    first: bool,
    top: u64,
    height: u64,
    remarks: Vec<Remark>,
}

impl Row<'_> {
    /// Middle of the line in which the marks stand.
    const fn middle(&self) -> u64 {
        self.top + ROW / 2
    }
}

/// Left edges of the columns.
struct Axis {
    columns: Vec<(Column, u64)>,
    right: u64,
}

impl Axis {
    fn new(columns: &[Column], left: u64) -> Self {
        let mut right = left;
        let place = |column: &Column| {
            let at = right;
            right += match column {
                Column::Cycle(_) => CELL,
                Column::Fold(..) => CELL * FOLD_CELLS as u64,
            };
            (*column, at)
        };
        let columns = columns.iter().map(place).collect();
        Self { columns, right }
    }

    /// Left edge of a cycle's column; `None` if it has none here.
    fn left_of(&self, cycle: u64) -> Option<u64> {
        let key = |(column, _): &(Column, u64)| match *column {
            Column::Cycle(cycle) => cycle,
            Column::Fold(from, _) => from,
        };
        let at = self.columns.binary_search_by_key(&cycle, key).ok()?;
        let (column, left) = self.columns[at];
        matches!(column, Column::Cycle(_)).then_some(left)
    }

    fn centre_of(&self, cycle: u64) -> Option<u64> {
        self.left_of(cycle).map(|left| left + CELL / 2)
    }
}

impl<'a> Frame<'a> {
    pub(super) fn new(id: &'a str, grid: &'a Grid) -> Self {
        let widest = |text: fn(&BundleRow) -> String| {
            let widths = grid.bundles.iter().map(|row| text(row).len() as u64);
            widths.max().unwrap_or(0) * CHARACTER
        };
        let ops = grid.bundles.iter().flat_map(|row| &row.ops);
        let op_width = ops.map(|op| op_label(op).len() as u64).max().unwrap_or(0) * CHARACTER;
        let issue_x = MARGIN + widest(name) + CHARACTER;
        let op_x = issue_x + widest(issue_text) + CHARACTER;
        Self { id, grid, issue_x, op_x, axis_x: op_x + op_width + 2 * CHARACTER }
    }

    /// Draws a panel with its top at `y`; answers its right edge and its height.
    pub(super) fn panel(&self, out: &mut String, panel: &Panel<1>, y: u64) -> Point {
        let axis = Axis::new(&panel.axes[0].list, self.axis_x);
        let rows = self.rows(&self.grid.bundles[panel.bundles.clone()], y + RULER);
        let remarks = rows.rows.iter().flat_map(|row| &row.remarks);
        let longest = remarks.map(|(_, text)| text.len() as u64).max().unwrap_or(0);
        let right = axis.right.max(self.axis_x + 2 * CELL) + CHARACTER + longest * CHARACTER;

        self.background(out, &rows, right);
        ruler(out, &axis, y, rows.bottom);
        for row in &rows.rows {
            if row.first {
                self.stall(out, &axis, &rows, row);
            }
        }
        for row in &rows.rows {
            self.row(out, &axis, row);
        }
        self.arrows(out, &axis, &rows, y + RULER);
        for row in &rows.rows {
            marks(out, &axis, row);
        }
        let mut bottom = rows.bottom;
        if panel.axes[0].cut {
            bottom += REMARK;
            let at = Point { x: self.axis_x, y: bottom - 4 };
            element::text(out, "small trouble", at, "marks further to the right do not fit");
        }
        Point { x: right, y: bottom - y }
    }

    fn rows(&self, bundles: &'a [BundleRow], top: u64) -> Rows<'a> {
        let mut rows = Vec::new();
        let mut y = top;
        for bundle in bundles {
            for (index, op) in bundle.ops.iter().enumerate() {
                let remarks = remarks(bundle, op, index + 1 == bundle.ops.len());
                let height = ROW + REMARK * (remarks.len() as u64).saturating_sub(1);
                rows.push(Row { bundle, op, first: index == 0, top: y, height, remarks });
                y += height;
            }
        }
        Rows { rows, bottom: y }
    }

    /// Bands that hold the rows of a bundle together, every other one shaded.
    fn background(&self, out: &mut String, rows: &Rows<'_>, right: u64) {
        for row in rows.rows.iter().filter(|row| row.bundle.number % 2 == 1) {
            element::empty(
                out,
                format_args!(
                    "rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                    MARGIN / 2,
                    row.top,
                    right.saturating_sub(MARGIN / 2),
                    row.height
                ),
            );
        }
    }

    /// The hatched block over all rows of a bundle.
    fn stall(&self, out: &mut String, axis: &Axis, rows: &Rows<'_>, row: &Row<'_>) {
        let Some(issue) = row.bundle.issue.filter(|issue| issue.stall_from() < issue.cycle) else {
            return;
        };
        let (Some(from), Some(to)) = (axis.left_of(issue.stall_from()), axis.left_of(issue.cycle))
        else {
            return;
        };
        let of_bundle = rows.rows.iter().filter(|other| std::ptr::eq(other.bundle, row.bundle));
        let height: u64 = of_bundle.map(|other| other.height).sum();
        element::open(out, "g");
        element::element(out, "title", &stall_title(row.bundle, issue));
        let at = Point { x: from, y: row.top + 4 };
        element::stall(out, self.id, at, to - from, height - 8);
        out.push_str("</g>\n");
    }

    /// Names, line of flight, remarks.
    fn row(&self, out: &mut String, axis: &Axis, row: &Row<'_>) {
        let base = row.middle() + 4;
        if row.first {
            let at = Point { x: MARGIN, y: base };
            element::text(out, "strong", at, &name(row.bundle));
            element::text(out, "muted", Point { x: self.issue_x, ..at }, &issue_text(row.bundle));
        }
        let label = op_label(row.op);
        element::text_titled(out, "", Point { x: self.op_x, y: base }, &label, &op_text(row.op));
        let ends = row.bundle.issue.zip(row.op.marks.last());
        if let Some((issue, last)) = ends
            && let (Some(from), Some(to)) =
                (axis.centre_of(issue.cycle), axis.centre_of(last.cycle))
        {
            let y = row.middle();
            element::empty(out, format_args!("path class=\"flight\" d=\"M{from} {y}H{to}\""));
        }
        if let Some(ending) = row.bundle.ending.as_ref().filter(|_| row.bundle.issue.is_none())
            && row.first
        {
            let at = Point { x: self.axis_x + 6, y: base };
            element::text(out, "trouble", at, &format!("{ending}; never issues"));
        }
        for (class, text) in &row.remarks {
            let line = row.remarks.iter().position(|(_, other)| other == text).unwrap_or(0) as u64;
            let at = Point { x: axis.right + CHARACTER, y: base + REMARK * line };
            element::text(out, class, at, text);
        }
    }

    /// Arrows of all causes whose consumer stands in this panel.
    fn arrows(&self, out: &mut String, axis: &Axis, rows: &Rows<'_>, top: u64) {
        // One arrow from one mark to another, however many registers it carries.
        let mut arrows: BTreeMap<(Option<Point>, Point), Vec<&Cause>> = BTreeMap::new();
        for row in &rows.rows {
            for cause in &row.op.causes {
                let role = consumer_role(cause.hazard);
                let Some(to) = end_mark(row, cause, cause.consumer_lat, role, axis) else {
                    continue;
                };
                let producers = rows.rows.iter().filter(|other| {
                    other.bundle.number as u64 == u64::from(cause.producer_bundle)
                        && other.op.slot == Some(u32::from(cause.producer_slot))
                });
                let from = producers.into_iter().find_map(|producer| {
                    end_mark(producer, cause, cause.producer_lat, Role::Def, axis)
                });
                arrows.entry((from, to)).or_default().push(cause);
            }
        }
        let mut labels: BTreeMap<Point, Vec<String>> = BTreeMap::new();
        for ((from, to), causes) in &arrows {
            arrow(out, self.id, *from, *to, top, causes);
            let label = labels.entry(*to).or_default();
            for cause in causes {
                let elsewhere = match from {
                    Some(_) => String::new(),
                    None => format!(" of B{}", cause.producer_bundle),
                };
                let text = format!("{}{}{elsewhere}", cause.class.prefix(), cause.index);
                if !label.contains(&text) {
                    label.push(text);
                }
            }
        }
        for (to, registers) in labels {
            let at = Point { x: to.x - CELL / 2 + 4, y: to.y - ROW / 2 + 2 };
            element::text(out, "register", at, &plain(&registers.join(", "), 40));
        }
    }
}

/// `B1 F0`.
fn name(bundle: &BundleRow) -> String {
    format!("B{} {}", bundle.number, bundle.format)
}

/// Cycle numbers and the lines between cycles.
fn ruler(out: &mut String, axis: &Axis, y: u64, bottom: u64) {
    let mut free_from = 0;
    let mut jump = true;
    for (column, left) in &axis.columns {
        let top = y + RULER;
        match *column {
            Column::Cycle(cycle) => {
                let class = if cycle % 5 == 0 { "rule-strong" } else { "rule" };
                element::empty(
                    out,
                    format_args!("path class=\"{class}\" d=\"M{left} {top}V{bottom}\""),
                );
                let text = cycle.to_string();
                let (centre, half) = (left + CELL / 2, CHARACTER * text.len() as u64 / 2);
                let wanted = jump || cycle % 5 == 0 || text.len() < 3;
                if wanted && centre.saturating_sub(half) >= free_from {
                    let class = if cycle % 5 == 0 { "small mid" } else { "small mid muted" };
                    element::text(out, class, Point { x: centre, y: y + 15 }, &text);
                    free_from = centre + half;
                }
                jump = false;
            }
            Column::Fold(from, to) => {
                element::empty(
                    out,
                    format_args!("path class=\"rule-strong\" d=\"M{left} {top}V{bottom}\""),
                );
                let at = Point { x: left + CELL * FOLD_CELLS as u64 / 2, y: y + 15 };
                let title = format!("cycles {from} to {to} left out: nothing changes in them");
                element::text_titled(out, "small mid muted", at, "...", &title);
                jump = true;
            }
        }
    }
    if let Some((_, first)) = axis.columns.first() {
        let at = Point { x: first - CHARACTER, y: y + 15 };
        element::text(out, "small end muted", at, "cycle");
        let (right, y) = (axis.right, y + RULER);
        element::empty(out, format_args!("path class=\"rule-strong\" d=\"M{right} {y}V{bottom}\""));
        element::empty(out, format_args!("path class=\"rule-strong\" d=\"M{first} {y}H{right}\""));
    }
}

/// Issue and postings of a row, each with its tooltip.
fn marks(out: &mut String, axis: &Axis, row: &Row<'_>) {
    let Some(issue) = row.bundle.issue else { return };
    let y = row.middle();
    let at_issue = row.op.marks.iter().any(|mark| mark.cycle == issue.cycle);
    if let Some(x) = axis.centre_of(issue.cycle).filter(|_| !at_issue) {
        element::open(out, "g");
        element::element(out, "title", &issue_title(row.bundle, issue));
        element::issue(out, Point { x, y });
        out.push_str("</g>\n");
    }
    for mark in &row.op.marks {
        if let Some(x) = axis.centre_of(mark.cycle) {
            element::open(out, "g");
            element::element(out, "title", &mark_title(row.bundle, row.op, mark));
            // The whole cell answers the pointer, not the shape alone.
            let (left, size) = (x - CELL / 2, CELL);
            element::empty(
                out,
                format_args!(
                    "rect class=\"hover\" x=\"{left}\" y=\"{}\" width=\"{size}\" height=\"{ROW}\"",
                    row.top
                ),
            );
            element::mark(out, mark.kind, mark.binds, Point { x, y });
            out.push_str("</g>\n");
        }
    }
}

/// Centre of the mark that holds one end of a cause.
fn end_mark(row: &Row<'_>, cause: &Cause, lat: u8, role: Role, axis: &Axis) -> Option<Point> {
    let mark = row.op.marks.iter().find(|mark| {
        mark.lat == lat && mark.postings.iter().any(|posting| is_end(posting, cause, role))
    })?;
    Some(Point { x: axis.centre_of(mark.cycle)?, y: row.middle() })
}

/// An arrow that runs down the border in front of the consumer's column. A def exists when its stage
/// ends and a use is needed when its stage begins, so for a binding hazard that border is both.
/// Without a producer in this panel the arrow comes from the ruler.
fn arrow(out: &mut String, id: &str, from: Option<Point>, to: Point, top: u64, causes: &[&Cause]) {
    let border = to.x - CELL / 2;
    let start = match from {
        Some(from) => format!("M{} {}H{border}", from.x + MARK, from.y),
        None => format!("M{border} {top}"),
    };
    let class =
        if causes.iter().all(|cause| cause.hazard == Hazard::Waw) { "arrow waw" } else { "arrow" };
    let texts: Vec<String> = causes.iter().map(|cause| cause_text(cause)).collect();
    element::open(out, "g");
    element::element(out, "title", &texts.join("\n"));
    element::empty(
        out,
        format_args!(
            "path class=\"{class}\" marker-end=\"url(#{id}-head)\" d=\"{start}V{}H{}\"",
            to.y,
            to.x - MARK - 1
        ),
    );
    out.push_str("</g>\n");
}
