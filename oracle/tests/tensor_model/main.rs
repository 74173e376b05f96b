//! Tests of the oracle's tensor half against the golden vectors, the worked values of the chapters
//! and properties that the spec states. `support` builds records and cases; every other file is one
//! subject.

mod cache;
mod cumulative;
mod dtype_vectors;
mod formats;
mod golden_cases;
mod operators;
mod ordered_list;
mod support;
mod verdicts_cr;
mod verdicts_tc;
