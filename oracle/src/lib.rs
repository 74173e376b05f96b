//! `oracle`: the reference model. Scalar, literal and slow on purpose: one function per rule of the
//! spec (`oracle/spec/`), named after it, so that it can be checked by eye. It depends on `contract`
//! alone and shares no predicate, conversion or arithmetic rule with the candidate.
//!
//! Rooms:
//! - [`verdict`]: the validity clauses of spec 02, one function per clause, and the ordered list of
//!   spec 01 section 7.1.
//! - [`numeric`]: formats and conversions (spec 03 section 3), ALU operators (sections 4 and 5).
//! - [`tensor`]: one file per instruction family (spec 03 section 7).
//! - [`vector`]: values of vector-unit ops, one file per op family (spec 04).
//! - [`schedule`]: LAT table, bundle legality and interlock (spec 05).

pub mod numeric;
pub mod schedule;
pub mod tensor;
pub mod vector;
pub mod verdict;

mod model;

pub use model::{OracleModel, OracleVector, model};
