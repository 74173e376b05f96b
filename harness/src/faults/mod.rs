//! Planted faults: named misreadings of the spec, as wrappers over the steps of the built-in candidate.
//! They show that the harness finds what a careful reader could get wrong. The models themselves carry
//! no fault switch.
//!
//! A fault is one row of a catalogue and one wrapper in [`tensor`], [`vector`] or [`schedule`].

pub mod schedule;
pub mod tensor;
#[cfg(test)]
mod tests;
pub mod vector;

use crate::family::Family;
use crate::models::{BoxedModel, SharedFactory, factory};
use contract::nearest::nearest;
use thiserror::Error;

/// A misreading.
#[derive(Clone, Copy)]
pub struct Fault {
    /// Name on the command line.
    pub name: &'static str,
    /// Family whose cases show it.
    pub family: Family,
    /// What the reader gets wrong.
    pub story: &'static str,
    /// Where the spec or a seed says otherwise.
    pub source: &'static str,
    /// Makes the built-in candidate with this fault in it.
    pub make: fn() -> BoxedModel,
}

/// The catalogue.
pub const FAULTS: &[Fault] = &joined();

/// The catalogues of the rooms, one after the other.
const fn joined() -> [Fault; COUNT] {
    let rooms = [tensor::FAULTS, vector::FAULTS, schedule::FAULTS];
    let mut all = [tensor::FAULTS[0]; COUNT];
    let (mut room, mut at) = (0, 0);
    while room < rooms.len() {
        let mut row = 0;
        while row < rooms[room].len() {
            all[at] = rooms[room][row];
            row += 1;
            at += 1;
        }
        room += 1;
    }
    all
}

const COUNT: usize = tensor::FAULTS.len() + vector::FAULTS.len() + schedule::FAULTS.len();

/// There is no fault of that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no planted fault is called `{name}`")]
pub struct UnknownFault {
    /// As given.
    pub name: String,
    /// The fault that it resembles.
    pub nearest: Option<&'static str>,
}

/// The fault with this name.
///
/// # Errors
/// [`UnknownFault`].
pub fn by_name(name: &str) -> Result<&'static Fault, UnknownFault> {
    FAULTS.iter().find(|fault| fault.name == name).ok_or_else(|| UnknownFault {
        name: name.to_owned(),
        nearest: nearest(name, FAULTS.iter().map(|fault| fault.name)),
    })
}

/// A factory of the candidate with a fault.
pub fn candidate_with(fault: &'static Fault) -> SharedFactory {
    factory(format!("candidate with fault {}", fault.name), fault.make)
}
