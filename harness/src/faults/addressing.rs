//! Misread access patterns and immediates (spec 01 section 4, spec 03 sections 3.6 and 6).

use super::tensor::reading::Reading;
use super::tensor::rules::{Rules, Twist};
use super::{Fault, Wrong};

const fn fault(
    name: &'static str,
    twist: Twist,
    concerns: fn(&Reading) -> bool,
    story: &'static str,
    source: &'static str,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Value(Rules { twist, concerns, ..Rules::RIGHT }) }
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "outer-axis-fastest",
        Twist::OuterAxisFastest,
        |_| true,
        "the last axis of a pattern is the fastest",
        "spec 03 section 6: index 0 is X, the fastest axis (D-36)",
    ),
    fault(
        "steps-in-bytes",
        Twist::StepsAreBytes,
        |read| read.source.element_size().max(read.destination.element_size()) > 1,
        "pattern steps count bytes",
        "spec 01 section 4.1: steps are in elements of the operand's dtype",
    ),
    fault(
        "steps-unsigned",
        Twist::StepsUnsigned,
        |_| true,
        "pattern steps are unsigned",
        "spec 01 section 4.1: steps may be negative",
    ),
    fault(
        "zero-step-advances",
        Twist::ZeroStepIsOne,
        |_| true,
        "a step of 0 is an unused field and means 1",
        "spec 01 section 4.1: zero re-reads the same element (broadcast)",
    ),
    fault(
        "destination-in-source-shape",
        Twist::SourceShape,
        |read| read.source.pattern.counts != read.destination.pattern.counts,
        "the destination is walked with the counts of the source",
        "spec 03 section 6: source and destination are walked independently",
    ),
    fault(
        "destination-in-source-steps",
        Twist::SourceSteps,
        |read| read.source.pattern.steps != read.destination.pattern.steps,
        "the destination is walked with the steps of the source",
        "spec 03 section 6: source and destination are walked independently",
    ),
    fault(
        "first-write-wins",
        Twist::FirstWriteWins,
        |read| read.destination.pattern.steps.contains(&0),
        "where two positions write one byte the first stays",
        "spec 03 D-38: the write with the higher position wins",
    ),
    fault(
        "overlap-in-place",
        Twist::Streaming,
        |_| true,
        "every element is written before the next one is read",
        "spec 03 D-37: every source byte is read before the first byte is written",
    ),
    fault(
        "scalar-selector-swapped",
        Twist::SwappedSelectors,
        Reading::is_cached,
        "selector 0 is a pointer and 1 is inline, as in IMM_SRC_N",
        "seed 000 section 11.3: use IMM_SRC with Inst = 0, not the swapped IMM_SRC_N",
    ),
    fault(
        "scalar-of-first-channel",
        Twist::ScalarOfFirstChannel,
        Reading::is_cached,
        "a pointer scalar is read once and serves every channel",
        "spec 03 section 3.6: one scalar per channel, in partition start + c",
    ),
    fault(
        "inline-scalar-in-input-dtype",
        Twist::InlineInInputDtype,
        Reading::is_cached,
        "an inline scalar is a number of the input dtype",
        "spec 03 section 3.6: the 32 bits are an FP32 pattern, whatever in_dtype says",
    ),
    fault(
        "pointer-scalar-in-input-dtype",
        Twist::PointerInInputDtype,
        Reading::is_cached,
        "a pointer scalar is read in the input dtype",
        "spec 03 section 3.6: read as FP32 for S3D3_TS (D-29)",
    ),
    fault(
        "register-holds-scalar",
        Twist::RegisterIsScalar,
        Reading::is_cached,
        "a register-pointer immediate names a register that holds the scalar",
        "spec 03 section 3.6: the register holds a pointer",
    ),
];
