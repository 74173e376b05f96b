//! The chart of one schedule for a terminal.

use super::axis::{Columns, Panel, Room, panels_of};
use super::grid::{BundleRow, Grid, MarkKind, OpRow};
use super::line::{FOLD_CELLS, Glyphs, Line, Style, cells, fit, overhang, push_cells, ruler, wrap};
use super::words::cause_text;
use contract::bundle::Bundle;
use contract::schedule::{Posting, Schedule};

/// How a chart in text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns of the terminal; fewer than [`MIN_WIDTH`] are taken as that many.
    pub width: usize,
    /// Characters to draw with.
    pub glyphs: Glyphs,
    /// True to add terminal colours. Nothing is said by colour alone.
    pub colour: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { width: 100, glyphs: Glyphs::Unicode, colour: false }
    }
}

/// The smallest width that a chart is laid out for, in columns.
pub const MIN_WIDTH: usize = 60;

/// Cells that the time axis gets at least, however long the names are.
const MIN_CELLS: usize = 20;

/// Blanks between two parts of a row.
const GAP: usize = 2;

/// The chart in text with block characters and no colours, at most `width` columns wide (but see
/// [`MIN_WIDTH`]).
pub fn text(program: &[Bundle], schedule: &Schedule, width: usize) -> String {
    text_with(program, schedule, &TextOptions { width, ..TextOptions::default() })
}

/// The chart in text, drawn as the options say.
pub fn text_with(program: &[Bundle], schedule: &Schedule, options: &TextOptions) -> String {
    let grid = Grid::new(program, schedule);
    let mut out = String::new();
    Layout::new(&grid, *options).draw(&mut out);
    out
}

/// Where the parts of a chart stand.
struct Layout<'a> {
    grid: &'a Grid,
    options: TextOptions,
    tags: TagWidths,
    /// Column where ops begin.
    op_at: usize,
    /// Column where the time axis begins.
    axis_at: usize,
    /// Column where postings stand beside the axis; `None` if there is no room for them.
    postings_at: Option<usize>,
    panels: Vec<Panel<1>>,
}

impl<'a> Layout<'a> {
    fn new(grid: &'a Grid, options: TextOptions) -> Self {
        let width = options.width.max(MIN_WIDTH);
        let tags = TagWidths::of(&grid.bundles);
        let op_at = grid.bundles.iter().map(|row| tags.text(row).len()).max().unwrap_or(0) + GAP;
        let longest = ops(grid).map(|op| op_text(op).len()).max().unwrap_or(0);
        let op_width = longest.min(width.saturating_sub(op_at + GAP + MIN_CELLS));
        let axis_at = op_at + op_width + GAP;
        // Never under MIN_CELLS, so that absurd cycle numbers cost width and no more.
        let axis_cells = width.saturating_sub(axis_at + overhang(grid.bundles.iter()));
        let room = Room { cells: axis_cells.max(MIN_CELLS), fold_cells: FOLD_CELLS };
        let panels = panels_of(&grid.bundles, room);
        let postings_at = match &panels[..] {
            [only] => Some(axis_at + cells(&only.axes[0].list) + GAP),
            _ => None,
        };
        let longest = ops(grid).map(|op| postings_text(op).len()).max().unwrap_or(0);
        let postings_at = postings_at.filter(|at| at + longest <= width);
        let options = TextOptions { width, ..options };
        Self { grid, options, tags, op_at, axis_at, postings_at, panels }
    }

    fn draw(&self, out: &mut String) {
        for (index, panel) in self.panels.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            self.panel(out, panel);
        }
        self.summary(out);
        self.legend(out);
    }

    fn panel(&self, out: &mut String, panel: &Panel<1>) {
        let [axis] = &panel.axes;
        push_ruler(out, &self.options, self.axis_at, &[(self.axis_at, axis)]);
        for bundle in &self.grid.bundles[panel.bundles.clone()] {
            for (index, op) in bundle.ops.iter().enumerate() {
                self.row(out, panel, bundle, op, index == 0);
                for note in notes(op) {
                    self.note(out, Style::Dim, &note);
                }
                for cause in &op.causes {
                    self.note(out, Style::Stall, &cause_text(cause));
                }
            }
            for cause in &bundle.stray {
                let text = format!("{} in S{}", cause_text(cause), cause.consumer_slot);
                self.note(out, Style::Stall, &text);
            }
            if let Some(ending) = &bundle.ending {
                let never = if bundle.issue.is_some() { "" } else { " never issues," };
                let text = format!("{ending};{never} the program ends here");
                self.note(out, Style::Trouble, &text);
            }
        }
        if axis.cut {
            self.note(out, Style::Trouble, "marks further to the right do not fit");
        }
    }

    fn row(&self, out: &mut String, panel: &Panel<1>, bundle: &BundleRow, op: &OpRow, first: bool) {
        let glyphs = self.options.glyphs;
        let mut line = Line::new(self.options.colour);
        if first {
            line.push(Style::Strong, &self.tags.text(bundle));
        }
        line.pad(self.op_at);
        line.push(Style::Plain, &fit(glyphs, &op_text(op), self.axis_at - GAP - self.op_at));
        line.pad(self.axis_at);
        push_cells(&mut line, glyphs, bundle, op, &panel.axes[0].list);
        if let Some(at) = self.postings_at {
            line.pad(at);
            line.push(Style::Dim, &postings_text(op));
        }
        line.finish(out);
    }

    /// A remark under a row.
    fn note(&self, out: &mut String, style: Style, text: &str) {
        push_note(out, &self.options, self.op_at, style, text);
    }

    fn summary(&self, out: &mut String) {
        if let Some(unreached) = unreached_text(self.grid, self.options.glyphs.dash()) {
            out.push_str(&unreached);
            out.push('\n');
        }
        for piece in wrap(&summary_text(self.grid), self.options.width) {
            out.push_str(&piece);
            out.push('\n');
        }
    }

    fn legend(&self, out: &mut String) {
        let binds = self.grid.bundles.iter().any(BundleRow::binds);
        let folds = self.panels.iter().any(|panel| panel.axes[0].has_folds());
        push_legend(out, &self.options, binds, folds);
    }
}

/// The two lines of a ruler over each axis, at its column; nothing if all are empty.
pub(super) fn push_ruler(
    out: &mut String,
    options: &TextOptions,
    label_end: usize,
    axes: &[(usize, &Columns)],
) {
    if axes.iter().all(|(_, axis)| axis.list.is_empty()) {
        return;
    }
    let label = "cycle";
    let mut upper = Line::new(options.colour);
    upper.pad(label_end.saturating_sub(GAP + label.len()));
    upper.push(Style::Dim, label);
    let mut lower = Line::new(options.colour);
    for (at, axis) in axes {
        let (numbers, digits) = ruler(options.glyphs, &axis.list);
        upper.pad(*at);
        upper.push(Style::Plain, &numbers);
        lower.pad(*at);
        lower.push(Style::Dim, &digits);
    }
    upper.finish(out);
    lower.finish(out);
}

/// A remark under a row, wrapped.
pub(super) fn push_note(
    out: &mut String,
    options: &TextOptions,
    at: usize,
    style: Style,
    text: &str,
) {
    for (index, piece) in wrap(text, options.width.saturating_sub(at + 2)).iter().enumerate() {
        let mut line = Line::new(options.colour);
        line.pad(at);
        if index == 0 {
            line.push(Style::Dim, options.glyphs.branch().encode_utf8(&mut [0; 4]));
        }
        line.pad(at + 2);
        line.push(style, piece);
        line.finish(out);
    }
}

/// What the characters mean.
pub(super) fn push_legend(out: &mut String, options: &TextOptions, binds: bool, folds: bool) {
    let glyphs = options.glyphs;
    let mut entries = vec![
        format!("{} stall", glyphs.stall()),
        format!("{} issue", glyphs.issue()),
        "u use".to_owned(),
        "d def".to_owned(),
        "x both".to_owned(),
        "p port".to_owned(),
    ];
    if binds {
        entries.push("U D X binds a stall".to_owned());
    }
    if folds {
        entries.push(format!("{} cycles left out", glyphs.fold()));
    }
    let mut line = Line::new(options.colour);
    for entry in entries {
        if line.columns() > 0 && line.columns() + GAP + entry.chars().count() > options.width {
            std::mem::replace(&mut line, Line::new(options.colour)).finish(out);
        } else if line.columns() > 0 {
            line.pad(line.columns() + GAP);
        }
        line.push(Style::Dim, &entry);
    }
    line.finish(out);
}

/// `B2-B5 not reached`.
pub(super) fn unreached_text(grid: &Grid, dash: char) -> Option<String> {
    let (first, last) = (grid.bundles.len(), grid.bundles.len() + grid.unreached);
    match grid.unreached {
        0 => None,
        1 => Some(format!("B{first} not reached")),
        _ => Some(format!("B{first}{dash}B{} not reached", last - 1)),
    }
}

/// The totals of a schedule in one line.
pub(super) fn summary_text(grid: &Grid) -> String {
    format!(
        "= {}; {} of {} issued; {}; {}",
        counted(u64::from(grid.cycles), "cycle"),
        grid.issued(),
        counted((grid.bundles.len() + grid.unreached) as u64, "bundle"),
        counted(grid.stalls(), "stall cycle"),
        grid.table.name()
    )
}

/// `4 cycles`, `1 cycle`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn ops(grid: &Grid) -> impl Iterator<Item = &OpRow> {
    grid.bundles.iter().flat_map(|bundle| &bundle.ops)
}

/// Widths that make the parts of all bundle tags stand in columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct TagWidths {
    number: usize,
    format: usize,
}

impl TagWidths {
    /// The widths that these bundles need.
    pub(super) fn of(bundles: &[BundleRow]) -> Self {
        let numbers = bundles.iter().map(|row| row.number.to_string().len());
        let formats = bundles.iter().map(|row| row.format.len());
        Self { number: numbers.max().unwrap_or(0), format: formats.max().unwrap_or(0) }
    }

    /// `B1 F0`.
    pub(super) fn name(self, bundle: &BundleRow) -> String {
        format!("B{:<1$} {2:3$}", bundle.number, self.number, bundle.format, self.format)
    }

    /// `B1 F0 @3 +2`.
    fn text(self, bundle: &BundleRow) -> String {
        format!("{} {}", self.name(bundle), issue_text(bundle)).trim_end().to_owned()
    }
}

/// `@3 +2`, without the stall if there is none; empty if the bundle never issues.
pub(super) fn issue_text(bundle: &BundleRow) -> String {
    match bundle.issue {
        Some(issue) if issue.stall > 0 => format!("@{} +{}", issue.cycle, issue.stall),
        Some(issue) => format!("@{}", issue.cycle),
        None => String::new(),
    }
}

/// `S3 ADDNX16 v1, v2, v3`.
pub(super) fn op_text(op: &OpRow) -> String {
    match op.slot {
        Some(slot) => format!("S{slot} {}", op.text),
        None => op.text.clone(),
    }
}

/// Postings by stage, each register with the letter of what it does there: `@9 u0.x  @10 v1.d`.
pub(super) fn postings_text(op: &OpRow) -> String {
    let mut text = String::new();
    for mark in &op.marks {
        text.push_str(if text.is_empty() { "@" } else { "  @" });
        text.push_str(&mark.lat.to_string());
        for (index, posting) in mark.postings.iter().enumerate() {
            let same =
                |other: &&Posting| (other.class, other.index) == (posting.class, posting.index);
            if mark.postings[..index].iter().any(|other| same(&other)) {
                continue;
            }
            let of_register: Vec<Posting> = mark.postings.iter().filter(same).copied().collect();
            let letter = MarkKind::of(&of_register).letter();
            text.push_str(&format!(" {}.{letter}", register_text(posting)));
        }
    }
    text
}

/// `v1`; `pr-` for a port.
pub(super) fn register_text(posting: &Posting) -> String {
    let class = posting.class.prefix();
    posting.index.map_or_else(|| format!("{class}-"), |index| format!("{class}{index}"))
}

/// What a row cannot show.
fn notes(op: &OpRow) -> Vec<String> {
    let mut notes = Vec::new();
    let hidden: Vec<String> =
        op.marks.iter().flat_map(|mark| mark.hidden_ports()).map(ToString::to_string).collect();
    if !hidden.is_empty() {
        notes.push(format!("also {}", hidden.join(" ")));
    }
    notes.extend(op.mismatch.as_ref().map(|mismatch| mismatch.text()));
    notes
}
