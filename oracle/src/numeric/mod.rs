//! Numbers: formats and conversions (spec 03 section 3) and the operators of the three compute types
//! (sections 4 and 5). Everything works on bit patterns and takes its arithmetic from
//! `rustc_apfloat`; host floating point is not used anywhere, because its NaN results are not
//! portable. Nothing here knows of memory, records or clauses.
//!
//! - [`mod@format`]: the formats as data: fp semantics, integer widths, element sizes.
//! - [`convert`]: memory code to compute value and back.
//! - [`fp32`]: operators of C_F, one function each; [`rsqrt`] apart, since it works in integers.
//! - [`integer`]: operators of C_I(N). [`bits`]: operators of C_B(W).
//! - [`compute`]: the choice of the compute type, and the three of them behind one trait.

pub mod bits;
pub mod compute;
pub mod convert;
pub mod format;
pub mod fp32;
pub mod integer;
pub mod rsqrt;
