//! Misread verdicts of tensor records: features outside the profile, execution preconditions, the full set of
//! failing clauses (spec 01 section 7, spec 02 section 1).

use super::tensor::judge::{Judged, Verdicts};
use super::{Fault, Wrong};
use contract::isa::{ClauseId::*, Generation};
use contract::outcome::{TensorReason, TensorVerdict};
use oracle::tensor::address::AddressWord;

const fn verdict(
    name: &'static str,
    story: &'static str,
    source: &'static str,
    concerns: fn(&Judged) -> bool,
    verdict: fn(&Judged, TensorVerdict) -> TensorVerdict,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Verdict(Verdicts { concerns, verdict }) }
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    verdict(
        "first-clause-only",
        "judging stops at the first failing clause",
        "spec 02 section 1.1: both models evaluate all clauses",
        |_| true,
        |_, right| match right {
            TensorVerdict::Reject(clauses) => {
                TensorVerdict::Reject(clauses.iter().take(1).collect())
            }
            other => other,
        },
    ),
    verdict(
        "shape-register-rejected",
        "a shape from a register makes the pattern clause fail",
        "spec 01 DD-SHAPE-REG: unsupported, ADDR-SHAPEREG",
        |_| true,
        |seen, right| match right {
            TensorVerdict::Unsupported(TensorReason::AddrShapereg) => TensorVerdict::Reject(
                [if seen.is_cached() { CrSrcMem } else { TcSrcMem }].into_iter().collect(),
            ),
            other => other,
        },
    ),
    verdict(
        "overlap-by-ranges",
        "source and destination must lie apart as ranges, strided or not",
        "spec 01 DD-OVERLAP: strided patterns are compared by exact bytes, or they coincide",
        |seen| {
            seen.patterns().is_some_and(|[(source, _), (destination, _)]| {
                let word = |at| AddressWord(seen.word(at)).address();
                word(source) == word(destination)
            })
        },
        |_, right| match right {
            TensorVerdict::Accept => TensorVerdict::Fault(TensorReason::ExecOverlap),
            other => other,
        },
    ),
    verdict(
        "overlap-unchecked",
        "operands may overlap in any way",
        "spec 01 section 7.1: EXEC-OVERLAP",
        |seen| seen.patterns().is_some(),
        |_, right| match right {
            TensorVerdict::Fault(TensorReason::ExecOverlap) => TensorVerdict::Accept,
            other => other,
        },
    ),
    verdict(
        "bounds-unchecked",
        "an accepted record always executes, wherever its walk goes",
        "spec 01 DD-BOUNDS: EXEC-BOUNDS",
        |seen| seen.patterns().is_some(),
        |_, right| match right {
            TensorVerdict::Fault(TensorReason::ExecBounds) => TensorVerdict::Accept,
            other => other,
        },
    ),
    verdict(
        "tile-bytes-ignored",
        "header bytes 2 and 3 are free on maverick too",
        "spec 01 DD-HDR-FLAGS: HDR-TILE",
        |seen| seen.generation == Generation::Maverick,
        |_, right| match right {
            TensorVerdict::Unsupported(TensorReason::HdrTile) => TensorVerdict::Accept,
            other => other,
        },
    ),
    verdict(
        "clauses-before-scope",
        "an indirect pattern is judged by the clauses before it is out of scope",
        "spec 01 section 7.1: ADDR-SHAPEREG and IND come before the clauses",
        |_| true,
        |seen, right| match right {
            TensorVerdict::Unsupported(TensorReason::Ind) => TensorVerdict::Reject(
                [if seen.is_cached() { CrSrcMem } else { TcSrcMem }].into_iter().collect(),
            ),
            other => other,
        },
    ),
];
