//! Version 1 of the external JSON forms (external contract, part 2): cases, outcomes and the
//! canonical schedule object of spec 05 section 9.1.
//!
//! Readers refuse whatever the contract calls bad input and name the place ([`JsonError`]); they read
//! numbers as JSON integers or `0x` strings, and hex data without regard to case. Writers give one
//! line with the keys in a fixed order; two equal values give equal bytes.

mod error;
mod hex;
mod read;
mod read_case;
mod read_outcome;
mod registers;
mod schedule;
mod write;
mod write_case;
mod write_outcome;

pub use error::JsonError;
pub use read_case::{case_from_value, read_case};
pub use read_outcome::{declined, outcome_from_value, read_outcome};
pub use schedule::{read_schedule, schedule_from_value, write_schedule};
pub use write_case::{write_case, write_case_into};
pub use write_outcome::{OutcomeWriter, write_outcome};

/// Version of the forms.
pub const VERSION: u32 = 1;

/// The error of [`read_case`].
pub type CaseError = JsonError;
/// The error of [`read_outcome`].
pub type OutcomeError = JsonError;
