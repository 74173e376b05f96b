//! Coverage of schedules: the targets of spec 05 section 12, read off the reference's schedule. A
//! definition *meets* a later posting of the same register if no definition stands between.

use super::bits::Hits;
use super::group::GroupId;
use crate::generate::vector::targets::{DISTANCES, Pairs, family};
use contract::bundle::FormatWord;
use contract::isa::{Format, Mnemonic, RegClass};
use contract::outcome::LegalityReason;
use contract::schedule::{BundleVerdict, Cause, Hazard, Role, Schedule};
use std::sync::LazyLock;

/// One row of spec 05 section 3.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DistanceRow {
    /// Stage of the definition.
    pub(super) def: u8,
    /// Stage of the use, or of the younger definition.
    pub(super) later: u8,
    /// What the row is about.
    pub(super) hazard: Hazard,
    /// The distance.
    pub(super) distance: u8,
    /// No row of the table posts it when `lat_crossbar` is `formal`.
    pub(super) seed_only: bool,
}

const fn raw(def: u8, later: u8, distance: u8) -> DistanceRow {
    DistanceRow { def, later, hazard: Hazard::Raw, distance, seed_only: false }
}

const fn crossbar(def: u8, later: u8, distance: u8) -> DistanceRow {
    DistanceRow { seed_only: true, ..raw(def, later, distance) }
}

const fn waw(def: u8, later: u8, distance: u8) -> DistanceRow {
    DistanceRow { hazard: Hazard::Waw, ..raw(def, later, distance) }
}

/// The rows of spec 05 section 3.2, in its order.
pub(super) const DISTANCE_ROWS: &[DistanceRow] = &[
    raw(1, 1, 1),
    raw(1, 4, 1),
    raw(4, 4, 1),
    raw(4, 1, 4),
    raw(4, 3, 2),
    raw(5, 4, 2),
    raw(5, 1, 5),
    raw(6, 4, 3),
    raw(9, 9, 1),
    raw(9, 10, 1),
    raw(10, 9, 2),
    raw(10, 10, 1),
    raw(10, 11, 1),
    crossbar(10, 12, 1),
    raw(11, 10, 2),
    crossbar(11, 12, 1),
    raw(12, 10, 3),
    raw(11, 11, 1),
    raw(12, 11, 2),
    raw(12, 12, 1),
    raw(12, 4, 9),
    raw(12, 3, 10),
    raw(12, 1, 12),
    raw(1, 3, 1),
    raw(1, 5, 1),
    raw(3, 1, 3),
    raw(3, 3, 1),
    raw(3, 4, 1),
    raw(3, 5, 1),
    raw(4, 5, 1),
    raw(5, 5, 1),
    raw(5, 3, 3),
    raw(6, 3, 4),
    raw(6, 1, 6),
    raw(6, 5, 2),
    raw(12, 5, 8),
    raw(13, 10, 4),
    crossbar(13, 12, 2),
    waw(6, 6, 1),
    waw(12, 6, 7),
    waw(13, 11, 3),
    waw(13, 13, 1),
];

/// Stages of a table of rows.
const STAGES: usize = 16;

/// Number of each row, by hazard and stages.
static ROW_OF: LazyLock<[[[u8; STAGES]; STAGES]; 2]> = LazyLock::new(|| {
    let mut rows = [[[u8::MAX; STAGES]; STAGES]; 2];
    for (number, row) in (0..).zip(DISTANCE_ROWS) {
        rows[row.hazard as usize][row.def as usize][row.later as usize] = number;
    }
    rows
});

/// Family of every mnemonic.
static FAMILIES: LazyLock<Vec<u16>> =
    LazyLock::new(|| Mnemonic::all().map(|op| family(op) as u16).collect());

/// Classes in which an older definition can land later than a younger one. Section 12 names the first
/// four.
pub(super) const OVERTAKING: &[RegClass] =
    &[RegClass::Vec, RegClass::Vbool, RegClass::Ar, RegClass::Valign];

/// Classes with operands that are read and written so early that both can bind at once. (The only vbool
/// one, of `BXORABSSUBU2NX8`, is read at 10 and written at 11; accumulators are written at 12, the last
/// stage that defines one.)
pub(super) const IN_OUT: &[RegClass] = &[RegClass::Vec, RegClass::Ar, RegClass::Valign];

/// Kinds of stalls with several causes.
pub(super) const STALLS: &[(&str, &str)] = &[
    ("two causes", "RBMAXNX16 v5, vb2, v1, then SELNX16T v3, v5, v6, v7, vb2 (example E06)"),
    ("two causes of two classes", "RBMAXNX16 v5, vb2, v1, then SELNX16T v3, v5, v6, v7, vb2"),
    ("three causes or more", "RBMAXNX16 v5, vb2, v1, then SELNX16T v5, v5, v6, v7, vb2"),
    (
        "causes in two producing bundles",
        "DCMPRS2NX8 v1, v0, vb0, then ADDNX16 v2, v0, v0, then ADDNX16 v3, v1, v2",
    ),
];

/// Most registers of one class.
const ENTRIES: usize = 32;

/// The last definition of a register.
#[derive(Debug, Clone, Copy)]
struct Definition {
    bundle: u32,
    lat: u8,
    family: u16,
}

/// Sets the bins that a schedule hits.
pub(super) fn collect(schedule: &Schedule, hits: &mut Hits) {
    let mut last: [Option<Definition>; 8 * ENTRIES] = [None; 8 * ENTRIES];
    let (rows, families, pairs) = (&*ROW_OF, &*FAMILIES, Pairs::get());
    for (number, bundle) in (0u32..).zip(&schedule.bundles) {
        if let BundleVerdict::Illegal(reason) = &bundle.verdict {
            if let Some(code) = reason_code(reason) {
                hits.set(GroupId::Reason, code);
            }
            continue;
        }
        let ops = schedule.ops_of(bundle);
        if let FormatWord::Known(format) = bundle.format
            && ops.len() == slots_to_fill(format)
        {
            hits.set(GroupId::FullFormat, format as usize);
        }
        for op in ops {
            let reader = families[op.op.index()] as usize;
            for posting in schedule.postings_of(op) {
                let Some(index) = posting.index else { continue };
                let register = posting.class as usize * ENTRIES + usize::from(index) % ENTRIES;
                let Some(found) = last[register] else { continue };
                let (def, later) = (usize::from(found.lat), usize::from(posting.lat));
                let hazard = match posting.role {
                    Role::Use => Hazard::Raw,
                    Role::Def => Hazard::Waw,
                    Role::Port => continue,
                };
                let row = rows[hazard as usize][def % STAGES][later % STAGES];
                if row != u8::MAX {
                    hits.set(GroupId::Distance, row.into());
                }
                if hazard == Hazard::Waw {
                    if def > later
                        && let Some(class) = OVERTAKING.iter().position(|&c| c == posting.class)
                    {
                        hits.set(GroupId::Overtaken, class);
                    }
                    continue;
                }
                if let Some(pair) = pairs.number(posting.class, found.family.into(), reader) {
                    hits.set(GroupId::Pair, pair);
                    let apart = (number - found.bundle - 1) as usize;
                    if let (Some(core), true) = (pairs.core_number(pair), apart < DISTANCES) {
                        hits.set(GroupId::Meeting, core * DISTANCES + apart);
                    }
                }
            }
        }
        for op in ops {
            for posting in schedule.postings_of(op) {
                if let (Role::Def, Some(index)) = (posting.role, posting.index) {
                    let register = posting.class as usize * ENTRIES + usize::from(index) % ENTRIES;
                    let family = families[op.op.index()];
                    last[register] = Some(Definition { bundle: number, lat: posting.lat, family });
                }
            }
        }
        causes(schedule.causes_of(bundle), hits);
    }
}

fn causes(causes: &[Cause], hits: &mut Hits) {
    if causes.len() < 2 {
        return;
    }
    hits.set(GroupId::Stall, 0);
    if causes.iter().any(|cause| cause.class != causes[0].class) {
        hits.set(GroupId::Stall, 1);
    }
    if causes.len() > 2 {
        hits.set(GroupId::Stall, 2);
    }
    if causes.iter().any(|cause| cause.producer_bundle != causes[0].producer_bundle) {
        hits.set(GroupId::Stall, 3);
    }
    for (at, one) in causes.iter().enumerate() {
        for other in &causes[at + 1..] {
            let both = one.hazard == Hazard::Raw && other.hazard == Hazard::Waw;
            let place = |cause: &Cause| (cause.class, cause.index, cause.consumer_slot);
            if both
                && place(one) == place(other)
                && let Some(class) = IN_OUT.iter().position(|&class| class == one.class)
            {
                hits.set(GroupId::InOut, class);
            }
        }
    }
}

/// Slots of a format that take ops.
fn slots_to_fill(format: Format) -> usize {
    static SLOTS: LazyLock<[u8; Format::ALL.len()]> = LazyLock::new(|| {
        let takes = |slot: &&&str| !slot.ends_with("None");
        std::array::from_fn(|at| Format::ALL[at].slots().iter().filter(takes).count() as u8)
    });
    SLOTS[format as usize].into()
}

/// Number of a reason code in the order of the checks.
fn reason_code(reason: &LegalityReason) -> Option<usize> {
    LegalityReason::all().iter().position(|known| known == reason)
}
