//! Register images that the products are made of.

use super::super::bulk::lanes;
use super::super::edges::Edges;
use super::super::fill::{WIDE_EDGE_COUNT, wide_edge};
use super::super::roles::Lane;
use contract::state::{LINE, Line};

/// A register of lanes that a function gives.
pub(super) fn line(lane: Lane, element: impl FnMut(u32) -> u32) -> Line {
    let mut line = Line([0; LINE]);
    lanes(lane, &mut line.0, element);
    line
}

/// The edge set in turn over the lanes, beginning at its `first` member.
pub(super) fn rotated(lane: Lane, first: u32) -> Line {
    let edges = Edges::get().lane(lane);
    line(lane, |at| edges[(at as usize + first as usize) % edges.len()])
}

/// Bytes that count up.
pub(super) fn ramp(first: u32) -> Line {
    line(Lane::I8, |at| at.wrapping_add(first.wrapping_mul(17)))
}

/// Bytes that no other image holds in this order: what a merging destination keeps.
pub(super) fn marked() -> Line {
    line(Lane::I8, |at| 0xa5 ^ at.wrapping_mul(3))
}

/// An edge predicate; the number wraps around.
pub(super) fn mask(number: u32) -> u64 {
    let edges = &Edges::get().predicates;
    edges[number as usize % edges.len()]
}

/// A packed pair of 16-bit edges, with junk above in every other one.
pub(super) fn pair(number: u32) -> u64 {
    let edges = Edges::get().lane(Lane::I16);
    let half = |at: u32| u64::from(edges[at as usize % edges.len()]);
    let junk = if number.is_multiple_of(2) { 0 } else { 0xdead_beef << 32 };
    half(number) | half(number.wrapping_mul(4).wrapping_add(7)) << 16 | junk
}

/// The 48-bit edges in turn over the lanes of an accumulator.
pub(super) fn wide(first: u32) -> [u8; 192] {
    let mut bytes = [0; 192];
    for (at, lane) in (0..).zip(bytes.chunks_exact_mut(6)) {
        let value = wide_edge(first % WIDE_EDGE_COUNT + at);
        lane.copy_from_slice(&value.to_le_bytes()[..6]);
    }
    bytes
}

/// One element of a register.
pub(super) fn element(lane: Lane, line: &Line, at: u32) -> u32 {
    let width = (lane.bits() / 8) as usize;
    let start = at as usize * width;
    line.0
        .get(start..start + width)
        .map_or(0, |bytes| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
}

/// Whether a lane is live under a predicate.
pub(super) const fn live(lane: Lane, mask: u64, at: u32) -> bool {
    mask >> (at * (lane.bits() / 8)) & 1 == 1
}

/// Vectors for the reductions, beside the rotated edge set: one extreme in each lane, and two tied
/// ones; for floats the mixes of NaN, zeros and infinities that the `NUM` rule tells apart.
pub(super) fn reductions(lane: Lane, ties: bool) -> Vec<Line> {
    let [low, high, background] = match lane {
        Lane::I8 => [0x80, 0x7f, 0],
        Lane::I16 => [0x8000, 0x7fff, 0],
        Lane::I32 => [0x8000_0000, 0x7fff_ffff, 0],
        Lane::F16 => [0xfbff, 0x7bff, 0x3c00],
        Lane::F32 => [0xff7f_ffff, 0x7f7f_ffff, 0x3f80_0000],
    };
    let count = lane.count();
    let all = u32::MAX;
    let mut found = Vec::new();
    for place in 0..count {
        for (background, extreme) in [(background, low), (background, high), (low, high), (all, 0)]
        {
            found.push(line(lane, |at| if at == place { extreme } else { background }));
        }
        if ties {
            for distance in [1, 2, 3, 7, 8, 15, 16, 31, 32, 63] {
                let other = place + distance;
                for extreme in [low, high] {
                    if other < count {
                        let tied = |at| at == place || at == other;
                        found.push(line(lane, |at| if tied(at) { extreme } else { background }));
                    }
                }
            }
        }
    }
    for value in [0, 1, all, low, high, background] {
        found.push(line(lane, |_| value));
    }
    found.push(line(lane, |at| if at % 2 == 0 { low } else { high }));
    found.push(line(lane, |at| low.wrapping_add(at % 3).wrapping_sub(1)));
    if lane.is_float() {
        found.extend(nan_mixes(lane));
    }
    let mut unique: Vec<Line> = Vec::with_capacity(found.len());
    for line in found {
        if !unique.contains(&line) {
            unique.push(line);
        }
    }
    unique
}

/// Mixes of NaN, infinities and zeros.
fn nan_mixes(lane: Lane) -> Vec<Line> {
    let (sign, infinity, quiet) = match lane.bits() {
        16 => (0x8000, 0x7c00, 0x0200),
        _ => (0x8000_0000, 0x7f80_0000, 0x0040_0000),
    };
    let (quiet_nan, signalling) = (infinity | quiet, infinity | 1);
    let mut found = Vec::new();
    for nan in [quiet_nan, signalling, quiet_nan | sign | 5, signalling | sign] {
        found.push(line(lane, |_| nan));
        for number in [0, sign, infinity, infinity | sign, 1] {
            found.push(line(lane, |at| if at == lane.count() / 2 { number } else { nan }));
            found.push(line(lane, |at| if at == 0 { nan } else { number }));
        }
    }
    for (first, rest) in [(0, sign), (sign, 0), (infinity, infinity | sign), (sign | 1, sign)] {
        found.push(line(lane, |at| if at == 1 { first } else { rest }));
    }
    found
}
