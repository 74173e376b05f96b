//! Differing registers and memory of a vector program as lines for a person: lane by lane, in the element
//! width of the op that wrote them. Which op that was comes from the schedule: the last definition of
//! the register that was issued.

use super::text::{CaseReport, place_text};
use crate::compare::{Divergence, Observed, Place, VectorRegister};
use crate::lane::Lane;
use contract::bundle::OpWord;
use contract::case::{Case, VectorCase};
use contract::isa::{Mnemonic, RegClass};
use contract::outcome::{Outcome, VectorOutcome};
use contract::schedule::{BundleVerdict, Role};
use std::fmt::Write as _;

/// Lanes of one register that are listed.
const LANES: usize = 16;

/// Who wrote a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Writer {
    /// Bundle.
    pub(super) bundle: usize,
    /// Slot.
    pub(super) slot: u8,
    /// Op.
    pub(super) op: Mnemonic,
}

/// The last op up to a bundle that defines a register; `None` if none does or there is no schedule.
pub(super) fn writer_of(
    outcome: &VectorOutcome,
    register: VectorRegister,
    until: usize,
) -> Option<Writer> {
    let VectorRegister::File(class, index) = register else { return None };
    let schedule = outcome.schedule.as_ref()?;
    let issued = schedule.bundles.iter().enumerate().take(until.saturating_add(1));
    issued.rev().find_map(|(bundle, timing)| {
        if timing.verdict != BundleVerdict::Ok {
            return None;
        }
        let op = schedule.ops_of(timing).iter().find(|op| {
            schedule.postings_of(op).iter().any(|posting| {
                (posting.class, posting.index, posting.role) == (class, Some(index), Role::Def)
            })
        })?;
        Some(Writer { bundle, slot: op.slot, op: op.op })
    })
}

/// The store of a bundle, whose elements its memory is shown in.
fn store_of(case: &VectorCase, bundle: usize) -> Option<Writer> {
    let ops = &case.program.get(bundle)?.ops;
    ops.iter().find_map(|slot| match slot.op {
        OpWord::Known(op) if STORES.iter().any(|stem| op.name().starts_with(stem)) => {
            Some(Writer { bundle, slot: slot.slot as u8, op })
        }
        _ => None,
    })
}

/// Beginnings of the names of ops that write memory.
const STORES: &[&str] = &["SV", "SA", "SB", "SS", "S32I", "SCATTER"];

/// The width of what a store leaves in memory: narrowing forms keep half a lane.
fn memory_lane(op: Mnemonic) -> Lane {
    let bits = match op.name() {
        "S32I" => 32,
        name if name.contains("N_2X16") => 16,
        name if name.contains("2NX8") || name.contains("NX8") => 8,
        _ => Lane::of(op).bits,
    };
    Lane { bits, float: false }
}

/// The lines of a differing register or run of memory bytes. `until` is the last bundle that may have
/// written it.
pub(super) fn lines(report: &CaseReport<'_>, divergence: &Divergence, until: usize) -> Vec<String> {
    let (Case::Vector(case), Outcome::Vector(expected)) = (report.case, report.expected) else {
        return Vec::new();
    };
    let (writer, lane) = match divergence.place {
        Place::Register(register) => {
            let writer = writer_of(expected, register, until);
            let lane = writer.map_or(Lane::BYTES, |writer| Lane::of(writer.op));
            let class = match register {
                VectorRegister::File(class, _) => class,
                _ => RegClass::Ar,
            };
            let lane = if class == RegClass::Vbool { lane } else { lane.of_class(class) };
            (writer, lane)
        }
        Place::VectorMemory { .. } => {
            let writer = divergence.step.and_then(|step| store_of(case, step));
            (writer, writer.map_or(Lane::BYTES, |writer| memory_lane(writer.op)))
        }
        _ => (None, Lane::BYTES),
    };
    let head = match writer {
        Some(Writer { bundle, slot, op }) => {
            format!("{} (bundle {bundle}, S{slot} {op})", place_text(divergence))
        }
        None => place_text(divergence),
    };
    match (&divergence.expected, &divergence.actual) {
        (Observed::Bytes(mine), Observed::Bytes(theirs)) => lane_lines(
            &head,
            lane,
            match divergence.place {
                Place::VectorMemory { address, .. } => Some(address),
                _ => None,
            },
            (mine, theirs),
        ),
        (Observed::Word(mine, 16), Observed::Word(theirs, 16)) if is_mask(divergence) => {
            vec![mask_line(&head, lane, divergence, mine ^ theirs)]
        }
        _ => {
            vec![format!("{head}: expected {}, actual {}", divergence.expected, divergence.actual)]
        }
    }
}

fn is_mask(divergence: &Divergence) -> bool {
    matches!(divergence.place, Place::Register(VectorRegister::File(RegClass::Vbool, _)))
}

/// A predicate register, with the lanes whose fields differ.
fn mask_line(head: &str, lane: Lane, divergence: &Divergence, differing: u64) -> String {
    let field = lane.field();
    let lanes: Vec<String> = (0..64 / field)
        .filter(|index| differing >> (index * field) & ((1 << field) - 1) != 0)
        .map(|index| index.to_string())
        .collect();
    format!(
        "{head}: expected {}, actual {}; {}-bit lanes {}",
        divergence.expected,
        divergence.actual,
        lane.bits,
        lanes.join(" ")
    )
}

/// One line per differing element. Memory has its address in place of the lane; a run that does not
/// begin or end with an element is shown in bytes.
fn lane_lines(
    head: &str,
    lane: Lane,
    address: Option<u32>,
    (mine, theirs): (&[u8], &[u8]),
) -> Vec<String> {
    let size = lane.bytes();
    let ragged = !mine.len().is_multiple_of(size)
        || address.is_some_and(|address| !(address as usize).is_multiple_of(size));
    let lane = if ragged { Lane::BYTES } else { lane };
    let size = lane.bytes();
    let mut lines = Vec::new();
    let mut more = 0;
    for (index, (mine, theirs)) in mine.chunks(size).zip(theirs.chunks(size)).enumerate() {
        if mine == theirs {
            continue;
        }
        if lines.len() == LANES {
            more += 1;
            continue;
        }
        let place = match address {
            Some(address) => format!("at {:#010x}", address as usize + index * size),
            None => format!("lane {index}"),
        };
        let shown = |bytes: &[u8]| {
            let mut code = [0; 8];
            code[..bytes.len()].copy_from_slice(bytes);
            lane.element(u64::from_le_bytes(code))
        };
        lines.push(format!(
            "{head} {}-bit {place}: expected {}, actual {}",
            lane.bits,
            shown(mine),
            shown(theirs)
        ));
    }
    if more > 0
        && let Some(last) = lines.last_mut()
    {
        // Writing to a string cannot fail.
        let _ = write!(last, "; {more} more lanes differ");
    }
    lines
}
