//! Differing registers and memory of a vector program as lines for a person: lane by lane, in the element
//! width of the op that wrote them. Which op that was comes from the schedule: the last definition of
//! the register that was issued.

use super::text::{CaseReport, place_text};
use crate::compare::{Divergence, Observed, Place, VectorRegister};
use crate::lane::Lane;
use crate::triage::{Writer, store_of, writer_of};
use contract::case::Case;
use contract::isa::{Mnemonic, RegClass};
use contract::outcome::Outcome;

/// Elements of one register that are listed.
const ELEMENTS: usize = 16;

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
            (writer, lane_of(register, lane))
        }
        Place::VectorMemory { .. } => {
            // A final state does not say who wrote; the guilty bundle does.
            let step = divergence.step.or(report.triage.steps[0]);
            let writer = step.and_then(|step| store_of(case, step));
            (writer, writer.map_or(Lane::BYTES, |writer| memory_lane(writer.op)))
        }
        _ => (None, Lane::BYTES),
    };
    let place = place_text(&Divergence { step: None, ..divergence.clone() });
    let head = match writer {
        Some(Writer { bundle, slot, op }) => {
            format!("{place}, written by bundle {bundle} S{slot} {op}")
        }
        None => place,
    };
    match (&divergence.expected, &divergence.actual) {
        (Observed::Bytes(mine), Observed::Bytes(theirs)) => {
            let address = match divergence.place {
                Place::VectorMemory { address, .. } => Some(address),
                _ => None,
            };
            element_lines(&head, lane, address, (mine, theirs))
        }
        (Observed::Word(mine, 16), Observed::Word(theirs, 16)) if is_mask(divergence) => {
            vec![mask_line(&head, lane, divergence, mine ^ theirs)]
        }
        _ => {
            let (expected, actual) = (&divergence.expected, &divergence.actual);
            vec![format!("{head}: expected {expected}, actual {actual}")]
        }
    }
}

/// The lane in which a register is shown. Predicates have the fields of their writer's lanes.
fn lane_of(register: VectorRegister, lane: Lane) -> Lane {
    match register {
        VectorRegister::File(RegClass::Vbool, _) => lane,
        VectorRegister::File(class, _) => lane.of_class(class),
        _ => Lane::BYTES,
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
    let (expected, actual) = (&divergence.expected, &divergence.actual);
    let lanes = lanes.join(" ");
    format!("{head}: expected {expected}, actual {actual}; {}-bit lanes {lanes}", lane.bits)
}

/// The head, then one line per differing element. Memory has addresses in place of lanes; a run that
/// does not begin or end with an element is shown in bytes.
fn element_lines(
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
    let pairs = mine.chunks(size).zip(theirs.chunks(size)).enumerate();
    let differing: Vec<_> = pairs.filter(|(_, (mine, theirs))| mine != theirs).collect();
    let mut lines = vec![format!("{head}: {} elements of {} bits", differing.len(), lane.bits)];
    let shown = |bytes: &[u8]| {
        let mut code = [0; 8];
        code[..bytes.len()].copy_from_slice(bytes);
        lane.element(u64::from_le_bytes(code))
    };
    for (index, (mine, theirs)) in differing.iter().take(ELEMENTS) {
        let place = match address {
            Some(address) => format!("{:#010x}", address as usize + index * size),
            None => format!("lane {index}"),
        };
        let (mine, theirs) = (shown(mine), shown(theirs));
        lines.push(format!("  {place}: expected {mine}, actual {theirs}"));
    }
    if differing.len() > ELEMENTS {
        lines.push(format!("  … {} more", differing.len() - ELEMENTS));
    }
    lines
}
