//! Lines of terminal text: styled pieces with a known width, wrapping, and the glyphs in which cells
//! are drawn.

use super::axis::Column;
use super::grid::{BundleRow, Cell, OpRow};

/// Which characters a chart in text is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Glyphs {
    /// Block and line characters.
    #[default]
    Unicode,
    /// ASCII alone.
    Ascii,
}

impl Glyphs {
    pub(super) const fn stall(self) -> char {
        self.pick('░', '.')
    }

    pub(super) const fn issue(self) -> char {
        self.pick('█', '#')
    }

    pub(super) const fn in_flight(self) -> char {
        self.pick('─', '-')
    }

    pub(super) const fn fold(self) -> char {
        self.pick('…', '~')
    }

    pub(super) const fn branch(self) -> char {
        self.pick('└', '`')
    }

    pub(super) const fn dash(self) -> char {
        self.pick('–', '-')
    }

    const fn pick(self, unicode: char, ascii: char) -> char {
        match self {
            Self::Unicode => unicode,
            Self::Ascii => ascii,
        }
    }
}

/// What a piece of text is, for terminals with colours. The characters alone say it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Dim,
    Strong,
    Stall,
    Binding,
    Trouble,
}

impl Style {
    /// Parameters of the terminal's SGR sequence.
    const fn sgr(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Dim => Some("2"),
            Self::Strong => Some("1"),
            Self::Stall => Some("33"),
            Self::Binding => Some("1;31"),
            Self::Trouble => Some("31"),
        }
    }
}

/// A line under construction.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    columns: usize,
    colour: bool,
    /// Overrides every style.
    dimmed: bool,
}

impl Line {
    pub(super) fn new(colour: bool) -> Self {
        Self { colour, ..Self::default() }
    }

    /// A line whose every piece is dim.
    pub(super) fn dimmed(colour: bool, dimmed: bool) -> Self {
        Self { colour, dimmed, ..Self::default() }
    }

    pub(super) fn push(&mut self, style: Style, piece: &str) {
        let style = if self.dimmed { Style::Dim } else { style };
        let blank = piece.chars().all(|character| character == ' ');
        match style.sgr().filter(|_| self.colour && !blank) {
            Some(sgr) => {
                self.text.push_str("\x1b[");
                self.text.push_str(sgr);
                self.text.push('m');
                self.text.push_str(piece);
                self.text.push_str("\x1b[0m");
            }
            None => self.text.push_str(piece),
        }
        self.columns += piece.chars().count();
    }

    /// Columns used so far.
    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    /// Fills with blanks up to a column.
    pub(super) fn pad(&mut self, column: usize) {
        while self.columns < column {
            self.text.push(' ');
            self.columns += 1;
        }
    }

    /// Ends the line.
    pub(super) fn finish(self, out: &mut String) {
        out.push_str(self.text.trim_end());
        out.push('\n');
    }
}

/// Cells of a fold in text.
pub(super) const FOLD_CELLS: usize = 3;

/// Cells that columns take in text.
pub(super) fn cells(columns: &[Column]) -> usize {
    columns.iter().map(|column| if is_fold(*column) { FOLD_CELLS } else { 1 }).sum()
}

const fn is_fold(column: Column) -> bool {
    matches!(column, Column::Fold(..))
}

/// Draws an op's row over the columns.
pub(super) fn push_cells(
    line: &mut Line,
    glyphs: Glyphs,
    bundle: &BundleRow,
    op: &OpRow,
    columns: &[Column],
) {
    for column in columns {
        match *column {
            Column::Cycle(cycle) => {
                let (style, glyph) = glyph(glyphs, bundle.cell(op, cycle));
                line.push(style, glyph.encode_utf8(&mut [0; 4]));
            }
            Column::Fold(from, _) => {
                let (style, side) = glyph(glyphs, bundle.cell(op, from));
                line.push(style, &format!("{side}{}{side}", glyphs.fold()));
            }
        }
    }
}

/// Cells that a number may hang over the end of a ruler.
pub(super) fn overhang<'a>(bundles: impl Iterator<Item = &'a BundleRow>) -> usize {
    let last = bundles.flat_map(BundleRow::events).max().unwrap_or(0);
    last.to_string().len() - 1
}

fn glyph(glyphs: Glyphs, cell: Cell<'_>) -> (Style, char) {
    match cell {
        Cell::Blank => (Style::Plain, ' '),
        Cell::Stall => (Style::Stall, glyphs.stall()),
        Cell::Issue => (Style::Strong, glyphs.issue()),
        Cell::InFlight => (Style::Dim, glyphs.in_flight()),
        Cell::Mark(mark) if mark.binds => (Style::Binding, mark.kind.letter().to_ascii_uppercase()),
        Cell::Mark(mark) => (Style::Strong, mark.kind.letter()),
    }
}

/// The two lines of a ruler: cycle numbers, and the last digit of every cycle under them.
pub(super) fn ruler(glyphs: Glyphs, columns: &[Column]) -> (String, String) {
    let mut numbers = String::new();
    let mut digits = String::new();
    let width = cells(columns);
    let mut jump = true;
    for column in columns {
        match *column {
            Column::Cycle(cycle) => {
                let at = digits.chars().count();
                let number = cycle.to_string();
                let free = numbers.is_empty() || numbers.len() < at;
                // A number that opens a run of columns may hang over the end, there is no other way
                // to say where the run is.
                if free && (jump || cycle % 10 == 0 && at + number.len() <= width) {
                    numbers.push_str(&" ".repeat(at - numbers.len()));
                    numbers.push_str(&number);
                }
                digits.extend(char::from_digit((cycle % 10) as u32, 10));
                jump = false;
            }
            Column::Fold(..) => {
                digits.extend([' ', glyphs.fold(), ' ']);
                jump = true;
            }
        }
    }
    (numbers, digits)
}

/// Cuts a text after at most `width` characters, with `…` to say so.
pub(super) fn fit(glyphs: Glyphs, text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    cut.push(glyphs.fold());
    cut
}

/// Breaks a text between words; a word longer than the width is broken inside.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        if used > 0 {
            push_to_last(&mut lines, ' ');
            used += 1;
        }
        for character in word.chars() {
            if used == width {
                lines.push(String::new());
                used = 0;
            }
            push_to_last(&mut lines, character);
            used += 1;
        }
    }
    lines
}

fn push_to_last(lines: &mut [String], character: char) {
    if let Some(line) = lines.last_mut() {
        line.push(character);
    }
}
