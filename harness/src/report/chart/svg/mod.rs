//! The chart of one schedule as a self-contained SVG picture: no scripts, no outside resources, light
//! and dark by the reader's preference. Roles differ in shape and letter as well as in colour, arrows
//! lead from the producer's def to the consumer's use, and tooltips tell the postings and causes.
//!
//! [`svg()`] lays the panels out from top to bottom; `panel` draws one, `told` holds its remarks and
//! tooltips; `element` holds shapes and escaping, `style` the colours.

mod element;
mod panel;
pub(super) mod style;
mod told;

use super::axis::{Room, panels_of};
use super::grid::{Grid, MarkKind, OpRow};
use super::text::{op_text, summary_text, unreached_text};
use super::words::plain;
use contract::bundle::Bundle;
use contract::schedule::Schedule;
use element::Point;
use panel::Frame;

/// Bundles drawn at most; a picture of more is no picture.
pub(super) const MAX_BUNDLES: usize = 512;
/// Columns of a panel.
const CELLS: usize = 44;
/// Pixels of a column.
const CELL: u64 = 26;
/// Columns of a fold.
const FOLD_CELLS: usize = 2;
/// Pixels around the picture and between its parts.
const MARGIN: u64 = 14;
/// Pixels of a character at the font size of ops, rounded up.
const CHARACTER: u64 = 8;
/// Characters of an op or of a remark before it is cut; the tooltip has all of it.
const OP_CHARACTERS: usize = 46;
const REMARK_CHARACTERS: usize = 96;

/// The chart as an `<svg>` element, to stand in a file of its own or inline in an HTML page.
///
/// Ids in it begin with `id`; give two charts of one page different ones. Characters other than ASCII
/// letters, digits, `-` and `_` become `_`, and an `id` that does not begin with a letter gets the
/// prefix `chart`. Colours are custom properties (`--surface`, `--ink` …) of the element, which a page
/// may override. The picture has its natural size; let a wide one scroll.
pub fn svg(program: &[Bundle], schedule: &Schedule, id: &str) -> String {
    let id = clean_id(id);
    let mut grid = Grid::new(program, schedule);
    let summary = summary_text(&grid);
    let mut footer: Vec<String> = unreached_text(&grid, '-').into_iter().collect();
    if grid.bundles.len() > MAX_BUNDLES {
        footer.push(format!("{} more bundles not drawn", grid.bundles.len() - MAX_BUNDLES));
        grid.bundles.truncate(MAX_BUNDLES);
    }
    footer.push(summary.clone());

    let room = Room { cells: CELLS, fold_cells: FOLD_CELLS };
    let panels = panels_of(&grid.bundles, room);
    let frame = Frame::new(&id, &grid);
    let mut body = String::new();
    let mut y = MARGIN;
    let mut width = legend(&mut body, &id, Point { x: MARGIN, y });
    y += 36;
    for panel in &panels {
        let size = frame.panel(&mut body, panel, y);
        y += size.y + MARGIN;
        width = width.max(size.x);
    }
    for line in &footer {
        y += 16;
        element::text(&mut body, "small muted", Point { x: MARGIN, y }, line);
        width = width.max(MARGIN + CHARACTER * line.len() as u64);
    }
    let (width, height) = (width + MARGIN, y + MARGIN);

    let mut out = String::new();
    element::open(
        &mut out,
        format_args!(
            "svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{id}\" role=\"img\" \
             aria-label=\"Pipeline chart {}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\"",
            element::escape(&summary)
        ),
    );
    out.push_str("\n<style>");
    out.push_str(&style::sheet(&id));
    out.push_str("</style>\n<defs>");
    out.push_str(&format!(
        "<pattern id=\"{id}-hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V7\"/></pattern>\
         <marker id=\"{id}-head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker>"
    ));
    out.push_str("</defs>\n");
    let whole = format!("rect class=\"surface\" width=\"{width}\" height=\"{height}\" rx=\"6\"");
    element::empty(&mut out, whole);
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

fn clean_id(id: &str) -> String {
    let keep = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let clean: String = id.chars().map(|it| if keep(it) { it } else { '_' }).collect();
    if clean.starts_with(|first: char| first.is_ascii_alphabetic()) {
        clean
    } else {
        format!("chart{clean}")
    }
}

/// Draws what the shapes mean; answers the width used.
fn legend(out: &mut String, id: &str, at: Point) -> u64 {
    let (mut x, y) = (at.x, at.y + 10);
    let mut entry = |out: &mut String, symbol: &dyn Fn(&mut String, Point), word: &str| {
        symbol(out, Point { x: x + 10, y });
        element::text(out, "small", Point { x: x + 26, y: y + 4 }, word);
        x += 26 + CHARACTER * word.len() as u64 + 18;
    };
    let hatch = |out: &mut String, centre: Point| {
        element::stall(out, id, Point { x: centre.x - 10, y: centre.y - 8 }, 22, 16);
    };
    entry(out, &hatch, "stall");
    entry(out, &element::issue, "issue");
    for (kind, word) in [
        (MarkKind::Use, "use"),
        (MarkKind::Def, "def"),
        (MarkKind::Both, "use and def"),
        (MarkKind::Port, "port"),
    ] {
        entry(out, &|out, centre| element::mark(out, kind, false, centre), word);
    }
    entry(out, &|out, centre| element::mark(out, MarkKind::Use, true, centre), "binds a stall");
    let arrow = |class: &'static str| {
        move |out: &mut String, centre: Point| {
            let (x, y) = (centre.x - 10, centre.y);
            element::empty(
                out,
                format!("path class=\"{class}\" marker-end=\"url(#{id}-head)\" d=\"M{x} {y}h22\""),
            );
        }
    };
    entry(out, &arrow("arrow"), "RAW");
    entry(out, &arrow("arrow waw"), "WAW");
    x
}

/// An op's words: the mnemonic with its operands, cut to what the column holds.
fn op_label(op: &OpRow) -> String {
    plain(&op_text(op), OP_CHARACTERS)
}
