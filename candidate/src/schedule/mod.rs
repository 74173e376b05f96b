//! Timing of the vector unit (spec 05): bundle legality, LAT postings and issue cycles.
//!
//! - [`table`]: the model's transcription of LAT table `lat-1`, one row per mnemonic, worked out
//!   at compile time into slot masks, operand rules and postings.
//! - [`judge`]: the seven legality checks of section 6, first failure wins.
//! - [`Scheduler`]: issue cycles, stalls and stall causes of section 3 in closed form. A bundle costs
//!   its own postings, however long the program before it was.
//!
//! A model judges first and hands legal bundles to [`Scheduler::issue`], illegal ones to
//! [`Scheduler::push_illegal`]. Values, memory and faults live elsewhere; a fault found after the
//! issue is noted by [`Scheduler::mark_fault`].

mod cause;
mod legality;
mod registers;
mod scheduler;
mod scoreboard;
mod slot_order;
pub mod table;

pub use legality::judge;
pub use scheduler::Scheduler;
