//! Tests of the minimiser: synthetic interests with known minimal cases, and real divergences between
//! the reference model and a copy of it that misreads the spec.

mod differential;
mod golden;
mod rules;
mod support;
mod tensor;
mod vector;
