//! Finds the step that made a value difference: the shortest prefix of the program after which the
//! values differ ends with it.

use crate::compare::{Aspect, Divergence};
use crate::differ::Differ;
use crate::family::program_length;
use contract::case::Case;

/// The guilty step and the first value divergence right after it; the outcomes of the program up to it
/// then stand in `differ`. `None` if no prefix shows one (a model then answers differently from run to
/// run).
pub fn locate_value(case: &Case, differ: &mut Differ) -> Option<(usize, Divergence)> {
    (1..=program_length(case)).find_map(|length| {
        let prefix = prefix(case, length);
        let comparison = differ.run(&prefix).ok()?;
        let divergence = comparison.first(Aspect::Value)?.clone();
        // Its own step, where the divergence has one (a write outside the case).
        Some((divergence.step.unwrap_or(length - 1), divergence))
    })
}

/// The case with the first `length` steps of its program.
pub(super) fn prefix(case: &Case, length: usize) -> Case {
    let mut prefix = case.clone();
    match &mut prefix {
        Case::Tensor(case) => case.program.truncate(length),
        Case::Vector(case) => case.program.truncate(length),
    }
    prefix
}
