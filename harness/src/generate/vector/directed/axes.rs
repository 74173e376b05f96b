//! Coordinates: the edge values of one operand, how a register is filled with them, and how they are
//! read back from a finished case.

use super::super::edges::Edges;
use super::super::roles::Lane;
use super::super::table::Row;
use super::lines::{element, line, rotated};
use super::probe::Value;
use contract::bundle::{Operand, SlotOp};
use contract::case::{RegisterValue, VectorCase};
use contract::isa::RegClass;
use contract::state::{LINE, Line};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Coordinates of something to cover.
pub(super) type Point = SmallVec<[u64; 3]>;

/// A coordinate that differs from lane to lane: a field of the elements of a vector operand.
#[derive(Debug, Clone)]
pub(super) struct LaneAxis {
    /// Operand.
    pub(super) at: usize,
    /// First bit of the field.
    pub(super) shift: u32,
    /// Bits of the field.
    pub(super) bits: u32,
    /// Values to cover.
    pub(super) domain: Vec<u32>,
}

impl LaneAxis {
    /// Whole elements from the edge set.
    pub(super) fn edges(row: &Row, at: usize) -> Self {
        Self::of(row, at, Edges::get().lane(row.lane).to_vec())
    }

    /// Whole elements; the domain is cut to the element's width and freed of repetitions.
    pub(super) fn of(row: &Row, at: usize, domain: Vec<u32>) -> Self {
        Self { at, shift: 0, bits: row.lane.bits(), domain: distinct(row.lane.bits(), domain) }
    }

    /// A field of the elements.
    pub(super) fn field(at: usize, shift: u32, bits: u32, domain: Vec<u32>) -> Self {
        Self { at, shift, bits, domain: distinct(bits, domain) }
    }

    /// The field of an element.
    pub(super) const fn read(&self, element: u32) -> u32 {
        element >> self.shift & mask(self.bits)
    }
}

/// The low bits of a word.
pub(super) const fn mask(bits: u32) -> u32 {
    if bits == 32 { u32::MAX } else { (1 << bits) - 1 }
}

/// The values cut to this many bits, each once, in their order.
fn distinct(bits: u32, values: Vec<u32>) -> Vec<u32> {
    let mut seen = BTreeSet::new();
    values.into_iter().map(|value| value & mask(bits)).filter(|&value| seen.insert(value)).collect()
}

/// A coordinate of a whole op.
#[derive(Debug, Clone)]
pub(super) enum Axis {
    /// Every legal immediate.
    Number(usize),
    /// The value of an address register.
    Scalar(usize, Vec<u32>),
    /// The low six bits of a base.
    Phase(usize, Vec<u32>),
    /// A predicate.
    Mask(usize, Vec<u64>),
    /// A vector register.
    Vector(usize, Vec<Line>),
    /// The element that the immediate at the second position selects, or the first one, from the
    /// edge set.
    Selected(usize, Option<usize>),
    /// An align register.
    Align(usize, Vec<Line>),
    /// The last byte of an align register: the count of pending bytes.
    Pending(usize, Vec<u8>),
    /// A wide accumulator.
    Wide(usize, Vec<[u8; 192]>),
    /// A packed pair.
    Pair(usize, Vec<u64>),
}

impl Axis {
    /// Number of values.
    pub(super) fn len(&self, row: &Row) -> usize {
        match self {
            Self::Number(_) => row.immediate().map_or(0, |(_, legal)| legal.count() as usize),
            Self::Scalar(_, domain) | Self::Phase(_, domain) => domain.len(),
            Self::Mask(_, domain) | Self::Pair(_, domain) => domain.len(),
            Self::Vector(_, domain) | Self::Align(_, domain) => domain.len(),
            Self::Selected(..) => Edges::get().lane(row.lane).len(),
            Self::Pending(_, domain) => domain.len(),
            Self::Wide(_, domain) => domain.len(),
        }
    }

    /// Operand.
    pub(super) const fn at(&self) -> usize {
        match self {
            Self::Number(at)
            | Self::Scalar(at, _)
            | Self::Phase(at, _)
            | Self::Mask(at, _)
            | Self::Vector(at, _)
            | Self::Selected(at, _)
            | Self::Align(at, _)
            | Self::Pending(at, _)
            | Self::Wide(at, _)
            | Self::Pair(at, _) => *at,
        }
    }

    /// What the operand holds for the `nth` value; `number` is the immediate of the probe.
    pub(super) fn value(&self, row: &Row, nth: usize, number: i32) -> Value {
        match self {
            Self::Number(_) => Value::Fresh,
            Self::Scalar(_, domain) => Value::Scalar(domain[nth]),
            Self::Phase(_, domain) => Value::Near(domain[nth] as i32),
            Self::Mask(_, domain) => Value::Mask(domain[nth]),
            Self::Vector(_, domain) => Value::Vector(Box::new(domain[nth])),
            Self::Selected(_, selector) => {
                // Few images serve every lane and every value.
                let place = selector.map_or(0, |_| number as usize);
                let edges = Edges::get().lane(row.lane).len();
                let first = (nth + edges * LINE - place) % edges;
                Value::Vector(Box::new(rotated(row.lane, first as u32)))
            }
            Self::Align(_, domain) => Value::Align(Box::new(domain[nth])),
            Self::Pending(_, domain) => {
                let count = u32::from(domain[nth]);
                let byte = |at: u32| if at == 63 { count } else { at * 5 + count };
                Value::Align(Box::new(line(Lane::I8, byte)))
            }
            Self::Wide(_, domain) => Value::Wide(Box::new(domain[nth])),
            Self::Pair(_, domain) => Value::Pair(domain[nth]),
        }
    }

    /// The coordinate of the `nth` value.
    pub(super) fn coordinate(&self, row: &Row, nth: usize) -> u64 {
        match self {
            Self::Number(_) => row.immediate().map_or(0, |(_, legal)| legal.nth(nth as u32) as u64),
            Self::Scalar(_, domain) | Self::Phase(_, domain) => domain[nth].into(),
            Self::Mask(_, domain) | Self::Pair(_, domain) => domain[nth],
            Self::Selected(..) => Edges::get().lane(row.lane)[nth].into(),
            Self::Pending(_, domain) => domain[nth].into(),
            Self::Vector(..) | Self::Align(..) | Self::Wide(..) => nth as u64,
        }
    }

    /// The coordinate of an op of a case; `None` if it is no value of the axis.
    pub(super) fn read(&self, row: &Row, op: &SlotOp, case: &VectorCase) -> Option<u64> {
        let position = |found: Option<usize>| found.map(|at| at as u64);
        let held = held(case, &op.operands[self.at()]);
        match (self, &op.operands[self.at()]) {
            (Self::Number(_), Operand::Imm(value)) => return Some(*value as u64),
            (Self::Number(_), _) => return None,
            _ => {}
        }
        match (self, held) {
            (Self::Scalar(..), Held::Ar(value)) => Some(value.into()),
            (Self::Phase(..), Held::Ar(value)) => Some((value % LINE as u32).into()),
            (Self::Mask(..), Held::Bits(value)) | (Self::Pair(..), Held::Bits(value)) => {
                Some(value)
            }
            (Self::Selected(_, selector), Held::Line(line)) => {
                let place = match selector.map(|at| &op.operands[at]) {
                    Some(&Operand::Imm(value)) => value as u32,
                    _ => 0,
                };
                Some(element(row.lane, line, place).into())
            }
            (Self::Pending(..), Held::Line(line)) => Some(line.0[LINE - 1].into()),
            (Self::Vector(_, domain) | Self::Align(_, domain), Held::Line(line)) => {
                position(domain.iter().position(|known| known == line))
            }
            (Self::Wide(_, domain), Held::Wide(bytes)) => {
                position(domain.iter().position(|known| known == bytes))
            }
            _ => None,
        }
    }
}

/// What a register of a case holds at the start.
pub(super) enum Held<'a> {
    Ar(u32),
    Bits(u64),
    Line(&'a Line),
    Wide(&'a [u8; 192]),
    Nothing,
}

static ZERO: Line = Line([0; LINE]);
static ZEROS: [u8; 192] = [0; 192];

/// What an operand's register holds at the start.
pub(super) fn held<'a>(case: &'a VectorCase, operand: &Operand) -> Held<'a> {
    let &Operand::Reg(class, index) = operand else { return Held::Nothing };
    let given = case.state.iter().find_map(|value| match (class, value) {
        (RegClass::Ar, RegisterValue::Ar(at, value)) if u32::from(*at) == index => {
            Some(Held::Ar(*value))
        }
        (RegClass::Vbool, RegisterValue::Vbool(at, value))
        | (RegClass::Pr, RegisterValue::Pr(at, value))
            if u32::from(*at) == index =>
        {
            Some(Held::Bits(*value))
        }
        (RegClass::Vec, RegisterValue::Vec(at, line))
        | (RegClass::Valign, RegisterValue::Valign(at, line))
            if u32::from(*at) == index =>
        {
            Some(Held::Line(line))
        }
        (RegClass::Wvec, RegisterValue::Wvec(at, bytes)) if u32::from(*at) == index => {
            Some(Held::Wide(bytes))
        }
        _ => None,
    });
    given.unwrap_or(match class {
        RegClass::Ar => Held::Ar(0),
        RegClass::Vbool | RegClass::Pr => Held::Bits(0),
        RegClass::Vec | RegClass::Valign => Held::Line(&ZERO),
        RegClass::Wvec => Held::Wide(&ZEROS),
        RegClass::Br | RegClass::Gvr => Held::Nothing,
    })
}
