//! The minimiser at work on divergences: [`DivergenceInterest`] tells the generic
//! [`minimise`](crate::minimise) which divergence a case shows, by running both models and triage;
//! [`shrink`] minimises a case, generalises around it and checks that what is left replays with the
//! signature that it began with; [`shrink_buckets`] does so for the buckets of a campaign,
//! and [`Groups`] joins those that turn out to have one cause.
//!
//! Everything counts evaluations, never time, so that a result depends on the case alone.

mod buckets;
mod carry;
mod groups;
mod interest;
mod minimal;
#[cfg(test)]
mod tests;

pub use buckets::{MOST_SHRUNK, shrink_buckets};
pub use groups::{Groups, joined};
pub use interest::{DivergenceInterest, Models};
pub use minimal::{Minimal, ShrinkError, ShrinkProgress, shrink};
