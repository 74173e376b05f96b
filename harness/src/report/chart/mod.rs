//! Pipeline charts of schedules (spec 05): bundles down, cycles across, one row per op, marks at the
//! cycle (issue plus LAT) of each use, def and port, stalls shaded and their causes spelled out.
//!
//! - [`text()`] draws for a terminal, [`svg()`] for a page, [`diff_text`] sets two schedules of one
//!   program side by side.
//! - `grid` says what is shown, `axis` which cycles stand where, `words` how things are named; all
//!   drawings share them.
//!
//! Charts take any schedule, also one of an external model that contradicts itself: nothing here
//! judges or mends it, and nothing panics.

mod axis;
mod diff;
mod grid;
mod line;
mod svg;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use diff::{diff_text, diff_text_with};
pub use line::Glyphs;
pub use svg::svg;
pub use text::{MIN_WIDTH, TextOptions, text, text_with};
