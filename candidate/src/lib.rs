//! `candidate`: the optimised model. It answers exactly what the spec says with other algorithms than
//! the oracle's: precomputed masks for verdicts, bit-level and SIMD conversions, whole channels side
//! by side, log-step scans where an operator is associative, closed-form issue times. It depends on
//! `contract` alone and shares no predicate, conversion or arithmetic rule with the oracle.
//!
//! Rooms:
//! - [`verdict`]: clause masks per group.
//! - [`numeric`]: conversions and operators on lanes.
//! - [`tensor`]: one file per instruction family.
//! - [`vector`]: vector-unit ops on whole 512-bit registers, one file per op family.
//! - [`schedule`]: LAT table, bundle legality, issue times.
//! - [`simd`]: choice of the code path at run time (`Q7DIFF_SIMD`).

pub mod numeric;
pub mod schedule;
pub mod simd;
pub mod tensor;
pub mod vector;
pub mod verdict;

mod model;

pub use model::{CandidateModel, CandidateVector, model};
