//! Bundle legality and LAT schedules (spec 05), the timing half of the reference model. It relies
//! on nothing but the bundle and the switch `lat_crossbar`: values, masks and memory never change a
//! schedule.
//!
//! - [`table`]: the LAT table, by family.
//! - [`judge`]: whether a bundle may issue, and if not, the first check that it fails (section 6).
//! - [`Scheduler`]: the interlock (section 3), stepped cycle by cycle against every earlier
//!   definition, and the entries of the canonical schedule (section 9.1).

mod interlock;
mod legality;
mod operands;
pub mod table;

pub use interlock::Scheduler;
pub use legality::judge;
