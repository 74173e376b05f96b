//! Charts of the spec's worked examples, of long programs, and of schedules that no model should give.

mod diffs;
mod properties;
mod support;
mod svgs;
mod texts;
