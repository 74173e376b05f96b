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
//! - [`nearest`]: the known word closest to a misspelt one, for hints.
//!
//! There are no semantics here: no predicate, no conversion, no arithmetic rule. Those are written
//! twice, once in each model.

#![deny(missing_docs)]

pub mod bundle;
pub mod case;
pub mod isa;
pub mod json;
pub mod model;
pub mod nearest;
pub mod outcome;
pub mod profile;
pub mod schedule;
pub mod state;
pub mod text;
