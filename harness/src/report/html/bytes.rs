//! Bytes of two outcomes side by side: rows of memory in hex, lanes of a register, words. A differing byte
//! is bold, underlined and coloured, a differing lane framed and marked with `≠`: nothing is said by
//! colour alone.

use crate::compare::{Comparison, Place};
use crate::lane::Lane;
use crate::number::code_of;
use crate::report::text::address_of;
use contract::case::Case;
use contract::outcome::Outcome;
use maud::{Markup, html};

/// Rows of memory that are shown.
const ROWS: usize = 32;
/// Bytes of a row.
const ROW: usize = 16;

/// Sixteen bytes of memory in both outcomes.
struct Row {
    address: u32,
    place: String,
    expected: Vec<u8>,
    actual: Vec<u8>,
    differs: Vec<bool>,
}

/// What the marks mean.
pub(super) fn legend() -> Markup {
    html! {
        p.legend {
            "Marked bytes differ: " mark.reference { "reference" } " " mark.candidate { "candidate" } "."
        }
    }
}

/// Rows of memory with a differing byte, `None` if none is known.
pub(super) fn memory(
    case: &Case,
    expected: &Outcome,
    actual: &Outcome,
    comparison: &Comparison,
) -> Option<Markup> {
    let (mut rows, cut) = match (case, expected, actual) {
        (Case::Tensor(_), Outcome::Tensor(..), Outcome::Tensor(..)) => {
            tensor_rows(expected, actual, comparison)
        }
        (Case::Vector(_), Outcome::Vector(..), Outcome::Vector(..)) => {
            vector_rows(expected, actual, comparison)
        }
        _ => return None,
    };
    rows.sort_by_key(|row| row.address);
    (!rows.is_empty()).then(|| {
        html! {
            (legend())
            ul.hex {
                @for row in &rows {
                    li {
                        span.address { (format!("{:#010x}", row.address)) " " (row.place) }
                        span.side.side-reference { "reference " }
                        span.bytes { (line(&row.expected, &row.differs, "reference")) }
                        span.side.side-candidate { "candidate " }
                        span.bytes { (line(&row.actual, &row.differs, "candidate")) }
                    }
                }
            }
            @if cut { p.muted.small { "More rows differ; report.txt has the counts." } }
        }
    })
}

fn line(bytes: &[u8], differs: &[bool], side: &str) -> Markup {
    html! {
        @for (index, (byte, &marked)) in bytes.iter().zip(differs).enumerate() {
            @if index == ROW / 2 { span.half {} }
            @if index > 0 { " " }
            @if marked { mark class=(side) { (format!("{byte:02x}")) } }
            @else { (format!("{byte:02x}")) }
        }
    }
}

/// Adds the rows that a run of differing bytes touches; `place` names a row's place from its offset.
/// True if there was no room.
fn add_rows(
    rows: &mut Vec<Row>,
    [mine, theirs]: [&[u8]; 2],
    base: u32,
    run: std::ops::Range<usize>,
    place: impl Fn(usize) -> String,
) -> bool {
    for start in (run.start / ROW * ROW..run.end).step_by(ROW) {
        let end = (start + ROW).min(mine.len()).min(theirs.len());
        if end <= start {
            return false;
        }
        let address = base.wrapping_add(start as u32);
        let index = match rows.iter().position(|row| row.address == address) {
            Some(index) => index,
            None if rows.len() == ROWS => return true,
            None => {
                rows.push(Row {
                    address,
                    place: place(start),
                    expected: mine[start..end].to_vec(),
                    actual: theirs[start..end].to_vec(),
                    differs: vec![false; end - start],
                });
                rows.len() - 1
            }
        };
        let marked = run.start.max(start)..run.end.min(end);
        rows[index].differs[marked.start - start..marked.end - start].fill(true);
    }
    false
}

fn tensor_rows(expected: &Outcome, actual: &Outcome, comparison: &Comparison) -> (Vec<Row>, bool) {
    let mut rows = Vec::new();
    let mut cut = false;
    let (Outcome::Tensor(expected), Outcome::Tensor(actual)) = (expected, actual) else {
        return (rows, cut);
    };
    for divergence in &comparison.divergences {
        let Place::TensorMemory { region, space, partition, offset, bytes } = divergence.place
        else {
            continue;
        };
        let (Some(mine), Some(theirs)) =
            (expected.state.regions.get(region), actual.state.regions.get(region))
        else {
            continue;
        };
        let stride = mine.stride as usize;
        let Some(first) = mine.index_of(space, partition, mine.offset) else { continue };
        let Some(row) = mine.data.get(first..first + stride) else { continue };
        let Some(other) = theirs.data.get(first..first + stride) else { continue };
        let start = (offset - mine.offset) as usize;
        let base = address_of(expected.state.generation, space, partition, mine.offset);
        let place = |at: usize| {
            format!("{} partition {partition} + {:#x}", space.name(), mine.offset as usize + at)
        };
        cut |= add_rows(&mut rows, [row, other], base, start..start + bytes as usize, place);
    }
    (rows, cut)
}

fn vector_rows(expected: &Outcome, actual: &Outcome, comparison: &Comparison) -> (Vec<Row>, bool) {
    let mut rows = Vec::new();
    let mut cut = false;
    let (Outcome::Vector(expected), Outcome::Vector(actual)) = (expected, actual) else {
        return (rows, cut);
    };
    let (mine, theirs) = (&expected.state.memory, &actual.state.memory);
    for divergence in &comparison.divergences {
        let Place::VectorMemory { address, bytes } = divergence.place else { continue };
        let Some(start) = mine.window(address, bytes as usize) else { continue };
        let run = start..start + bytes as usize;
        let both = [mine.bytes(), theirs.bytes()];
        cut |= add_rows(&mut rows, both, mine.base(), run, |_| "data memory".to_owned());
    }
    (rows, cut)
}

/// A register lane by lane.
pub(super) fn register(expected: &[u8], actual: &[u8], lane: Lane) -> Markup {
    let pairs = expected.chunks(lane.bytes()).zip(actual.chunks(lane.bytes()));
    let class = match (lane.bits, lane.float) {
        (8, _) => "lanes bytes",
        (..=32, false) => "lanes",
        _ => "lanes wide",
    };
    let text = |bytes: &[u8]| lane.element(code_of(bytes));
    html! {
        ul class=(class) {
            @for (number, (mine, theirs)) in pairs.enumerate() {
                @if mine == theirs {
                    li {
                        span.lane { (number) span.hidden { " equal" } }
                        span.value { (text(mine)) }
                    }
                } @else {
                    li.differs {
                        span.lane { (number) " ≠" span.hidden { " differs, reference" } }
                        span.value { mark.reference { (text(mine)) } }
                        span.hidden { "candidate" }
                        span.value { mark.candidate { (text(theirs)) } }
                    }
                }
            }
        }
    }
}

/// The two sides of a place as text. Hex digits that differ are marked, if both sides begin with as many.
pub(super) fn sides(expected: &str, actual: &str) -> [Markup; 2] {
    let (mine, theirs) = (hex_digits(expected), hex_digits(actual));
    let marked = |text: &str, mine: usize, other: &str, side: &str| {
        let (digits, rest) = text.split_at(mine);
        let letters = digits.chars().zip(other.chars());
        html! {
            code {
                @for (letter, other) in letters {
                    @if letter == other { (letter) } @else { mark class=(side) { (letter) } }
                }
                (rest)
            }
        }
    };
    if mine != theirs {
        return [marked(expected, 0, actual, ""), marked(actual, 0, expected, "")];
    }
    [marked(expected, mine, actual, "reference"), marked(actual, theirs, expected, "candidate")]
}

/// Length of the hex number that the text begins with, `0x` included; 0 if it begins with none.
fn hex_digits(text: &str) -> usize {
    text.strip_prefix("0x")
        .map_or(0, |digits| 2 + digits.bytes().take_while(u8::is_ascii_hexdigit).count())
}
