//! `harness`: the library behind `q7diff`.
//!
//! - [`minimise`]: the smallest case that still shows a divergence.

#![deny(missing_docs)]

pub mod minimise;
