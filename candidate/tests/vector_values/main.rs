//! Values of the vector unit: golden vectors, whole cases, worked rules, and agreement with a
//! lane-by-lane reading of spec 04 on every code path that the machine has.

mod cases;
mod golden;
mod judgement;
mod random;
mod reference;
mod streams;
mod support;
