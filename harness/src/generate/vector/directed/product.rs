//! Products: the sets of points that an op's directed cases must hold, probes that hold them, and the
//! points that a finished case holds.

use super::super::places::Slots;
use super::super::table::Row;
use super::axes::{Axis, Held, LaneAxis, Point, held, mask};
use super::lines::{element, line, live};
use super::probe::{Probe, Value, filler};
use contract::bundle::{FormatWord, OpWord, SlotOp};
use contract::case::VectorCase;
use contract::isa::Format;
use std::collections::BTreeSet;

/// A set of points to cover.
#[derive(Debug, Clone)]
pub(super) enum Product {
    /// Every combination, side by side in the lanes; under a predicate also with each lane live and
    /// killed.
    Lanes {
        /// Coordinates.
        axes: Vec<LaneAxis>,
        /// Predicate operand.
        mask: Option<usize>,
    },
    /// Every value in every lane; under a predicate also live and killed.
    Positions {
        /// The coordinate.
        axis: LaneAxis,
        /// Predicate operand.
        mask: Option<usize>,
    },
    /// Every combination, one op each.
    Cross(Vec<Axis>),
    /// Every value of each axis, in step.
    Each(Vec<Axis>),
    /// Every combination, one program each, as the op may end it.
    Alone(Vec<Axis>),
    /// Every slot that takes the op.
    Slots,
    /// `NOP` in every format.
    Formats,
}

impl Product {
    /// The points.
    pub(super) fn required(&self, row: &Row) -> BTreeSet<Point> {
        match self {
            Self::Lanes { axes, mask } => {
                let mut points: Vec<Point> = vec![Point::new()];
                for axis in axes {
                    points = crossed(&points, axis.domain.iter().map(|&value| value.into()));
                }
                if mask.is_some() {
                    points = crossed(&points, 0..2);
                }
                points.into_iter().collect()
            }
            Self::Positions { axis, mask } => {
                let mut points = crossed(&[Point::new()], 0..row.lane.count().into());
                points = crossed(&points, axis.domain.iter().map(|&value| value.into()));
                if mask.is_some() {
                    points = crossed(&points, 0..2);
                }
                points.into_iter().collect()
            }
            Self::Cross(axes) | Self::Alone(axes) => {
                let mut points: Vec<Point> = vec![Point::new()];
                for axis in axes {
                    let values = (0..axis.len(row)).map(|nth| axis.coordinate(row, nth));
                    points = crossed(&points, values);
                }
                points.into_iter().collect()
            }
            Self::Each(axes) => (0..)
                .zip(axes)
                .flat_map(|(tag, axis)| {
                    (0..axis.len(row)).map(move |nth| point([tag, axis.coordinate(row, nth)]))
                })
                .collect(),
            Self::Slots => row.slots.positions().map(|slot| point([slot as u64])).collect(),
            Self::Formats => (0..Format::ALL.len() as u64).map(|format| point([format])).collect(),
        }
    }

    /// Probes that hold the points.
    pub(super) fn probes(self, row: &'static Row) -> Vec<Probe> {
        match &self {
            Self::Lanes { axes, mask } => lane_probes(row, axes, *mask),
            Self::Positions { axis, mask } => position_probes(row, axis, *mask),
            Self::Cross(axes) => crossed_probes(row, axes),
            Self::Alone(axes) => crossed_probes(row, axes).into_iter().map(Probe::alone).collect(),
            Self::Each(axes) => {
                let most = axes.iter().map(|axis| axis.len(row)).max().unwrap_or(0);
                (0..most)
                    .map(|number| {
                        let chosen: Vec<usize> =
                            axes.iter().map(|axis| number % axis.len(row).max(1)).collect();
                        axis_probe(row, axes, &chosen, number as u32)
                    })
                    .collect()
            }
            // Probes take the slots in turn.
            Self::Slots => {
                (0..row.slots.len()).map(|number| axis_probe(row, &[], &[], number)).collect()
            }
            Self::Formats => {
                vec![Probe::of(row, |_| Value::Fresh, |_| 0); Format::ALL.len()]
            }
        }
    }

    /// Adds the points that the ops of a case hold.
    pub(super) fn observe(&self, row: &Row, case: &VectorCase, found: &mut BTreeSet<Point>) {
        if let Self::Formats = self {
            for bundle in &case.program {
                let format = Format::ALL.iter().position(|f| f.name() == bundle.format.text());
                found.extend(format.map(|format| point([format as u64])));
            }
            return;
        }
        if let Self::Slots = self {
            for bundle in &case.program {
                let FormatWord::Known(format) = bundle.format else { continue };
                let own = bundle.ops.iter().filter(|op| op.op == OpWord::Known(row.mnemonic));
                found.extend(
                    own.map(|op| point([Slots::position(format, op.slot as usize) as u64])),
                );
            }
            return;
        }
        let ops = case.program.iter().flat_map(|bundle| &bundle.ops);
        for op in ops.filter(|op| op.op == OpWord::Known(row.mnemonic)) {
            match self {
                Self::Lanes { axes, mask } => {
                    for at in 0..row.lane.count() {
                        let mut point: Point = axes
                            .iter()
                            .map(|axis| {
                                lane_of(row, case, op, axis.at, at)
                                    .map_or(u64::MAX, |value| axis.read(value).into())
                            })
                            .collect();
                        point.extend(mask.map(|mask| lane_live(row, case, op, mask, at)));
                        found.insert(point);
                    }
                }
                Self::Positions { axis, mask } => {
                    for at in 0..row.lane.count() {
                        let Some(value) = lane_of(row, case, op, axis.at, at) else { continue };
                        let mut point = point([at.into(), axis.read(value).into()]);
                        point.extend(mask.map(|mask| lane_live(row, case, op, mask, at)));
                        found.insert(point);
                    }
                }
                Self::Cross(axes) | Self::Alone(axes) => {
                    let point: Option<Point> =
                        axes.iter().map(|axis| axis.read(row, op, case)).collect();
                    found.extend(point);
                }
                Self::Each(axes) => {
                    for (tag, axis) in (0..).zip(axes) {
                        found.extend(axis.read(row, op, case).map(|value| point([tag, value])));
                    }
                }
                Self::Slots | Self::Formats => {}
            }
        }
    }
}

fn point<const N: usize>(coordinates: [u64; N]) -> Point {
    coordinates.into_iter().collect()
}

/// Every point with every value appended.
fn crossed(points: &[Point], values: impl Iterator<Item = u64> + Clone) -> Vec<Point> {
    let with = |point: &Point, value| {
        let mut longer = point.clone();
        longer.push(value);
        longer
    };
    points.iter().flat_map(|point| values.clone().map(move |value| with(point, value))).collect()
}

fn lane_of(row: &Row, case: &VectorCase, op: &SlotOp, operand: usize, at: u32) -> Option<u32> {
    match held(case, &op.operands[operand]) {
        Held::Line(line) => Some(element(row.lane, line, at)),
        _ => None,
    }
}

fn lane_live(row: &Row, case: &VectorCase, op: &SlotOp, operand: usize, at: u32) -> u64 {
    match held(case, &op.operands[operand]) {
        Held::Bits(bits) => live(row.lane, bits, at).into(),
        _ => u64::MAX,
    }
}

/// Probes with the combinations side by side; each lane of a masked op once live and once killed.
fn lane_probes(row: &'static Row, axes: &[LaneAxis], masked: Option<usize>) -> Vec<Probe> {
    let total: usize = axes.iter().map(|axis| axis.domain.len()).product();
    let count = row.lane.count() as usize;
    let programs = total.div_ceil(count);
    let halves = if masked.is_some() { 2 } else { 1 };
    let mut probes = Vec::with_capacity(programs * halves);
    for number in 0..programs * halves {
        let (block, half) = (number / halves, number % halves);
        let value = |at: usize| {
            if Some(at) == masked {
                return Value::Mask(half_mask(half));
            }
            if !axes.iter().any(|axis| axis.at == at) {
                return filler(row, at, number as u32);
            }
            Value::Vector(Box::new(line(row.lane, |lane| {
                // The last block goes round, so that its lanes are filled.
                let mut rest = (block * count + lane as usize) % total;
                let mut element = junk(number as u32, lane);
                let mut set = 0;
                for axis in axes.iter().rev() {
                    let chosen = axis.domain[rest % axis.domain.len()];
                    rest /= axis.domain.len();
                    if axis.at == at {
                        element = element & !(mask(axis.bits) << axis.shift) | chosen << axis.shift;
                        set += 1;
                    }
                }
                debug_assert!(set > 0);
                element
            })))
        };
        probes.push(Probe::of(row, value, |_| plain_number(row, number as u32)));
    }
    probes
}

/// Bits for the parts of an element that no axis sets.
const fn junk(number: u32, lane: u32) -> u32 {
    number.wrapping_mul(0x9e37_79b9) ^ lane.wrapping_mul(0x85eb_ca6b)
}

/// Alternating lanes of any width, then the others; the upper bits of a field differ from its low one
/// here and there.
const fn half_mask(half: usize) -> u64 {
    // Lanes 0, 2, … of 8, 16 and 32 bits all are bits whose number is a multiple of 8, or 2, or 4;
    // a byte of each pattern keeps the three widths apart.
    if half == 0 { 0x5a3c_965a_3c96_a5c3 } else { !0x5a3c_965a_3c96_a5c3 }
}

/// Probes with the edge set turned lane by lane.
fn position_probes(row: &'static Row, axis: &LaneAxis, masked: Option<usize>) -> Vec<Probe> {
    let halves = if masked.is_some() { 2 } else { 1 };
    let values = axis.domain.len();
    (0..values * halves)
        .map(|number| {
            let (turn, half) = (number / halves, number % halves);
            let value = |at: usize| {
                if Some(at) == masked {
                    Value::Mask(half_mask(half))
                } else if at == axis.at {
                    let element = |lane: u32| axis.domain[(turn + lane as usize) % values];
                    Value::Vector(Box::new(line(row.lane, element)))
                } else {
                    filler(row, at, number as u32)
                }
            };
            Probe::of(row, value, |_| plain_number(row, number as u32))
        })
        .collect()
}

/// Probes of every combination.
fn crossed_probes(row: &'static Row, axes: &[Axis]) -> Vec<Probe> {
    let total: usize = axes.iter().map(|axis| axis.len(row)).product();
    (0..total)
        .map(|number| {
            let mut rest = number;
            let mut chosen = vec![0; axes.len()];
            for (axis, chosen) in axes.iter().zip(&mut chosen).rev() {
                *chosen = rest % axis.len(row);
                rest /= axis.len(row);
            }
            axis_probe(row, axes, &chosen, number as u32)
        })
        .collect()
}

/// The probe with these values of the axes.
fn axis_probe(row: &'static Row, axes: &[Axis], chosen: &[usize], number: u32) -> Probe {
    let immediate = axes.iter().zip(chosen).find_map(|(axis, &nth)| match axis {
        Axis::Number(_) => row.immediate().map(|(_, legal)| legal.nth(nth as u32)),
        _ => None,
    });
    let immediate = immediate.unwrap_or_else(|| plain_number(row, number));
    let value = |at: usize| {
        let axis = axes.iter().zip(chosen).find(|(axis, _)| axis.at() == at);
        axis.map_or_else(|| filler(row, at, number), |(axis, &nth)| axis.value(row, nth, immediate))
    };
    Probe::of(row, value, |_| immediate)
}

/// A legal immediate where a product says nothing about it.
fn plain_number(row: &Row, number: u32) -> i32 {
    row.immediate().map_or(0, |(_, legal)| if legal.holds(0) { 0 } else { legal.nth(number) })
}
