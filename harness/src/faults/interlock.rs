//! Misread interlocks: distances, hazards, causes, cycles (spec 05 section 3).

use super::schedule::{Rules, Twist};
use super::{Fault, Wrong};
use contract::isa::RegClass;

const fn fault(
    name: &'static str,
    twist: Twist,
    story: &'static str,
    source: &'static str,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Schedule(Rules { twist, ..Rules::RIGHT }) }
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "waw-ignored",
        Twist::NoWaw,
        "a definition never waits for an earlier definition of its register",
        "spec 05 T-02: write after write interlocks with the same formula",
    ),
    fault(
        "waw-may-coincide",
        Twist::WawMayCoincide,
        "two definitions of a register may land in the same cycle",
        "spec 05 T-02: the younger value lands strictly after the older one",
    ),
    fault(
        "war-waits",
        Twist::War,
        "a definition waits until an earlier use has read",
        "spec 05 section 3.1: earlier use, later def: no constraint, ever (E09)",
    ),
    fault(
        "distance-one-short",
        Twist::NoEndOfStage,
        "the distance is L(d) - L(p), without the 1 for the end of the stage",
        "spec 05 T-01: max(1, L(d) - L(p) + 1)",
    ),
    fault(
        "distance-at-least-two",
        Twist::LeastDistance(2),
        "a dependent bundle always waits a cycle",
        "spec 05 section 3.2: distance 1 means no stall",
    ),
    fault(
        "distance-at-most-four",
        Twist::MostDistance(4),
        "no distance is longer than that of vector results",
        "spec 05 section 2: up to 12 for AR (E12)",
    ),
    fault(
        "scoreboard-of-two-bundles",
        Twist::Window(2),
        "the scoreboard remembers the last two bundles",
        "spec 05 section 3.1: all earlier definitions are considered",
    ),
    fault(
        "one-align-register",
        Twist::NoIndex(RegClass::Valign),
        "the align file is one entry to the scoreboard",
        "seed 004 section 2.2: the index is masked & 3, a 4-entry file",
    ),
    fault(
        "predicates-not-watched",
        Twist::Unwatched(RegClass::Vbool),
        "predicates are not on the scoreboard",
        "spec 05 section 2: vbool is",
    ),
    fault(
        "align-not-watched",
        Twist::Unwatched(RegClass::Valign),
        "align registers are not on the scoreboard",
        "seed 004 section 2.2: the align register is used and defined at 9",
    ),
    fault(
        "accumulators-not-watched",
        Twist::Unwatched(RegClass::Wvec),
        "wide accumulators are not on the scoreboard",
        "spec 05 section 2: wvec is (E13)",
    ),
    fault(
        "own-bundle-binds",
        Twist::SameBundle,
        "a use waits for a definition of its own bundle",
        "spec 05 section 3.1: all reads happen before all writes (E10)",
    ),
    fault(
        "first-cause-only",
        Twist::FirstCause,
        "a stall has one cause",
        "spec 05 section 3.4: every pair that binds (E06)",
    ),
    fault(
        "causes-without-stall",
        Twist::CausesAlways,
        "pairs that bind at the in-order cycle are causes",
        "spec 05 section 3.4: without a stall the list is empty",
    ),
    fault(
        "satisfied-pairs-listed",
        Twist::AllCauses,
        "every pair that would have made the bundle wait is a cause",
        "spec 05 section 3.4: pairs that were satisfied earlier are not listed",
    ),
    fault(
        "raw-hides-waw",
        Twist::RawAlone,
        "an operand that is read and written gives one record",
        "spec 05 section 3.4: a RAW and a WAW record when both bind (E11)",
    ),
    fault(
        "causes-unsorted",
        Twist::UnsortedCauses,
        "causes stand in the order of the slots",
        "spec 05 section 3.4: sorted by hazard, class, index, producer, consumer",
    ),
    fault(
        "causes-repeated",
        Twist::RepeatedCauses,
        "an op that reads a register twice gives two records",
        "spec 05 section 3.4: identical records are listed once",
    ),
    fault(
        "stall-counts-issue",
        Twist::StallOneMore,
        "the stall is the distance from the bundle before",
        "spec 05 section 3.1: t(k) - t(k-1) - 1",
    ),
    fault(
        "cycles-of-last-issue",
        Twist::CyclesOneLess,
        "the cycles of a program are the issue cycle of its last bundle",
        "spec 05 section 9.1: plus 1",
    ),
    fault(
        "distance-from-in-order",
        Twist::StallAdds,
        "a distance counts from the in-order cycle, not from its producer",
        "spec 05 section 3.1: t(j) + D",
    ),
    fault(
        "fault-unscheduled",
        Twist::FaultUnscheduled,
        "a faulting bundle has no schedule entry, like an illegal one",
        "spec 05 T-28: it keeps issue, stall, causes and postings",
    ),
    fault(
        "empty-bundle-free",
        Twist::EmptyIsFree,
        "a bundle of NOPs takes no cycle",
        "spec 05 section 3.1: t(k) is at least t(k-1) + 1",
    ),
];
