//! `contract`: the vocabulary and the plain data that the reference model, the optimised model, the
//! harness and every external candidate speak.
//!
//! - [`isa`]: opcodes, enums, layouts, generations, clause ids, formats, mnemonics.
//! - [`case`], [`outcome`], [`schedule`]: what goes into a model and what comes out.
//! - [`state`]: architectural state that models mutate, each its own copy.
//! - [`profile`]: one switch per contested point of the spec.
//! - [`model`]: the traits that models implement.
//! - [`bundle`]: vector-unit bundles as data; [`text`] reads and prints them.
//! - [`json`]: version 1 of the external JSON forms.
//!
//! There are no semantics here: no predicate, no conversion, no arithmetic rule. Those are written
//! twice, once in each model.

pub mod bundle;
pub mod case;
pub mod isa;
pub mod model;
pub mod outcome;
pub mod profile;
pub mod schedule;
pub mod state;
