//! Tests of the reference model's schedules and legality (spec 05), in one binary: the table
//! against the golden files, worked examples, hand checks, every reason of an illegal bundle, and
//! the properties of spec 05 section 11 over random programs.

mod distances;
mod examples;
mod legality;
mod properties;
mod support;
mod table;
mod vector_cases;
