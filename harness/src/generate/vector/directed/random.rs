//! Random operands for one op: mostly uniform bits in data, the generator's own styles where bits
//! alone would rarely mean anything.

use super::super::super::{CaseSeed, Draw};
use super::super::bulk::Bulk;
use super::super::fill;
use super::super::roles::Role;
use super::super::table::{Kind, Row};
use super::probe::{Probe, Value};
use contract::state::{LINE, Line};

/// Bytes of decisions per probe.
const DECISIONS: usize = 256;

/// Probes that meet at least so many pairs of elements.
pub(super) fn probes(row: &'static Row, seed: u64, pairs: u32) -> impl Iterator<Item = Probe> {
    let lanes = elements(row);
    let stream = seed ^ (row.mnemonic.index() as u64).rotate_left(40);
    (0..pairs.div_ceil(lanes)).map(move |number| {
        let mut bulk = Bulk::new(CaseSeed::of(stream, number.into()).0);
        let mut bytes = [0; DECISIONS];
        bulk.fill(&mut bytes);
        let mut draw = Draw::new(&bytes);
        // Immediates take part in the draw before the registers.
        let numbers: Vec<i32> = (row.operands.iter())
            .map(|facts| match &facts.kind {
                Kind::Number(legal) => legal.nth(draw.below(legal.count())),
                Kind::Register(_) => 0,
            })
            .collect();
        Probe::of(row, |at| value(&mut draw, &mut bulk, row, at), |at| numbers[at])
    })
}

/// Elements that one op handles: its lanes, or one for an op on scalars.
pub(super) fn elements(row: &Row) -> u32 {
    let vector = |role: Role| matches!(role, Role::Data | Role::Control | Role::Deal);
    let read = row.operands.iter().any(|facts| vector(facts.role));
    let loaded =
        row.operands.iter().any(|facts| facts.role == Role::LoadAlign || facts.role == Role::Base);
    if read || loaded { row.lane.count() } else { 1 }
}

fn value(draw: &mut Draw<'_>, bulk: &mut Bulk, row: &Row, at: usize) -> Value {
    let facts = &row.operands[at];
    match facts.role {
        Role::Base => Value::Near(bulk.below(LINE as u32) as i32),
        // A word off its boundary would end the program.
        Role::WordBase => Value::Near(4 * bulk.below(LINE as u32 / 4) as i32),
        // Near enough that the access stays inside the window.
        Role::Index => Value::Scalar(bulk.below(1025).wrapping_sub(512)),
        Role::Length => Value::Scalar(bulk.below(97).wrapping_sub(16)),
        Role::Count | Role::Offset => Value::Scalar(fill::scalar(draw, facts.role)),
        Role::Scalar => Value::Scalar(bulk.next() as u32),
        Role::Mask => Value::Mask(bulk.next()),
        Role::Pair => Value::Pair(bulk.next()),
        Role::Wide => {
            let mut bytes = Box::new([0; 192]);
            bulk.fill(&mut bytes[..]);
            Value::Wide(bytes)
        }
        Role::StoreAlign if bulk.below(2) == 0 => Value::Align(Box::default()),
        Role::LoadAlign | Role::StoreAlign => Value::Align(bits(bulk)),
        Role::Gathered => Value::Gathered(bits(bulk)),
        Role::Control | Role::Deal | Role::Amount | Role::Turn | Role::Offsets => {
            let mut line = Box::new(Line::default());
            fill::vector(draw, facts.role, row.lane, |_| 0, &mut line.0);
            Value::Vector(line)
        }
        Role::Data | Role::Source | Role::Result | Role::Number => Value::Vector(bits(bulk)),
    }
}

fn bits(bulk: &mut Bulk) -> Box<Line> {
    let mut line = Box::new(Line::default());
    bulk.fill(&mut line.0);
    line
}
