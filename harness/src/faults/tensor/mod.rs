//! Misreaders of the tensor side: [`misreader`] executes by [`rules`] with one thing wrong, [`judge`]
//! misjudges records. [`reading`], [`walk`] and [`recurrence`] are what the first is made of.

pub mod judge;
pub mod misreader;
pub mod reading;
pub mod recurrence;
pub mod rules;
pub mod walk;
