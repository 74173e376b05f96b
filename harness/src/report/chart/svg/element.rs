//! Elements as text: escaping, shapes of the marks, tooltips.

use crate::report::chart::grid::MarkKind;
use std::fmt::{Display, Write as _};

/// Text as XML character data, also fit for a quoted attribute. Words are printable ASCII by the time
/// they come here, so no character needs more than this.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A point in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) x: u64,
    pub(super) y: u64,
}

/// A text at its baseline.
pub(super) fn text(out: &mut String, class: &str, at: Point, content: &str) {
    element(out, format_args!("text class=\"{class}\" x=\"{}\" y=\"{}\"", at.x, at.y), content);
}

/// A text with a tooltip.
pub(super) fn text_titled(out: &mut String, class: &str, at: Point, content: &str, title: &str) {
    open(out, format_args!("text class=\"{class}\" x=\"{}\" y=\"{}\"", at.x, at.y));
    element(out, "title", title);
    out.push_str(&escape(content));
    out.push_str("</text>\n");
}

/// `<head>content</name>`, where the name is the head's first word.
pub(super) fn element(out: &mut String, head: impl Display, content: &str) {
    let head = head.to_string();
    let name = head.split(' ').next().unwrap_or_default().to_owned();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "<{head}>{}</{name}>", escape(content));
}

/// An opening tag.
pub(super) fn open(out: &mut String, head: impl Display) {
    let _ = write!(out, "<{head}>");
}

/// An element without content.
pub(super) fn empty(out: &mut String, head: impl Display) {
    let _ = writeln!(out, "<{head}/>");
}

/// Half the size of a mark.
pub(super) const MARK: u64 = 8;

/// The filled shape of a kind: a disc, a square, a diamond, a triangle.
fn shape(kind: MarkKind, class: &str, centre: Point, half: u64) -> String {
    let Point { x, y } = centre;
    match kind {
        MarkKind::Use => format!("circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{half}\""),
        MarkKind::Def => {
            let (left, top, size) = (x - half, y - half, 2 * half);
            format!("path class=\"{class}\" d=\"M{left} {top}h{size}v{size}h-{size}z\"")
        }
        MarkKind::Both => {
            let half = half + 2;
            format!(
                "path class=\"{class}\" d=\"M{x} {}l{half} {half}l-{half} {half}l-{half}-{half}z\"",
                y - half
            )
        }
        MarkKind::Port => {
            let (top, bottom, half) = (y - half, y + half, half + 1);
            format!("path class=\"{class}\" d=\"M{x} {top}L{} {bottom}H{}z\"", x + half, x - half)
        }
    }
}

/// Class of a kind.
const fn class(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Use => "use",
        MarkKind::Def => "def",
        MarkKind::Both => "both",
        MarkKind::Port => "port",
    }
}

/// A mark: shape, letter, and a ring with the letter in upper case if it binds a stall.
pub(super) fn mark(out: &mut String, kind: MarkKind, binds: bool, centre: Point) {
    if binds {
        empty(out, shape(kind, "ring", centre, MARK + 2));
    }
    empty(out, shape(kind, class(kind), centre, MARK));
    let letter = if binds { kind.letter().to_ascii_uppercase() } else { kind.letter() };
    let lower = if kind == MarkKind::Port { 6 } else { 4 };
    text(out, "letter", Point { y: centre.y + lower, ..centre }, letter.encode_utf8(&mut [0; 4]));
}

/// The issue mark: a flag that points along the pipeline.
pub(super) fn issue(out: &mut String, centre: Point) {
    let (left, top) = (centre.x - 7, centre.y - 7);
    empty(out, format_args!("path class=\"issue\" d=\"M{left} {top}h8l6 7l-6 7h-8z\""));
}

/// The hatched block of a stall.
pub(super) fn stall(out: &mut String, id: &str, at: Point, width: u64, height: u64) {
    let place = format!("x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"", at.x, at.y);
    empty(out, format_args!("rect class=\"stall-fill\" {place}"));
    empty(out, format_args!("rect class=\"stall\" fill=\"url(#{id}-hatch)\" {place}"));
}
