//! Does a divergence need a carried accumulator? A step that goes on with an accumulator can be given the
//! same start value by its own immediate (LoadAccumulate). If the divergence stays, the steps before it
//! were only there to make the value.

use super::DivergenceInterest;
use crate::minimise::{Interest, seeded_by_immediate};
use crate::triage::Signature;
use contract::case::Case;

/// The case with the steps before its last one replaced by an immediate start value, if it still shows
/// what is wanted.
pub(super) fn without_carry(
    case: &Case,
    wanted: &Signature,
    interest: &mut DivergenceInterest,
) -> Option<Case> {
    let Case::Tensor(whole) = case else { return None };
    let (last, before) = whole.program.split_last()?;
    if before.is_empty() {
        return None;
    }
    let mut prefix = whole.clone();
    prefix.program.pop();
    let start = interest.first_accumulator(&Case::Tensor(prefix))?;
    let mut alone = whole.clone();
    alone.program = vec![seeded_by_immediate(last, start)?];
    let alone = Case::Tensor(alone);
    interest.shows(&alone, wanted).then_some(alone)
}
