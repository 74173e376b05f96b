//! placeholder
pub mod report;
