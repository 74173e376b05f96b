//! The library behind `q7diff`: rooms that make cases, run them through models and judge the
//! outcomes.
//!
//! - [`generate`]: cases, valid by construction or broken on purpose.

pub mod generate;
