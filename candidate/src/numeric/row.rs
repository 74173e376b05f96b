//! Operators along one row: a stream, or a run of one, in order.
//!
//! Maps go from one slice to another, never in place: a loop that writes where it reads turns the
//! selections of Max and Min into masked stores, slow on many machines. Scans and folds are chains, one
//! link per value; a long row of an operator that may be regrouped is cut into segments instead, which
//! are then lanes of a [`tile`](super::tile).

use super::format::is_nan;
use super::operator::{Binary, Grouping, Lane, Operator, Swapped, Unary, with_binary};
use super::tile::{fold_tile, scan_tile};
use super::transpose::{BLOCK, from_lanes, to_lanes};
use super::{bits, float, integer};
use crate::simd::{Supported, simd_fn};

simd_fn! {
    /// `output[i] = op(input[i], scalar)`.
    pub(crate) fn map_row(op: Operator, input: &[u32], output: &mut [u32], scalar: u32) =
        map_row_body;
}

simd_fn! {
    /// `output[i] = op(left, input[i])`.
    fn map_row_left(op: Binary, left: u32, input: &[u32], output: &mut [u32]) = map_row_left_body;
}

simd_fn! {
    /// Folds one row into the carry.
    fn fold_row(op: Binary, row: &[u32], carry: &mut u32) = fold_row_body;
}

simd_fn! {
    /// Scans one row in place, link by link.
    fn scan_row(op: Binary, row: &mut [u32], carry: &mut u32, fresh: bool) = scan_row_body;
}

simd_fn! {
    /// Sets `found` if a value is a NaN pattern.
    fn find_nan(row: &[u32], found: &mut bool) = find_nan_body;
}

/// Segments that a long row of a regroupable operator is cut into; they become lanes.
const SEGMENTS: usize = 32;
/// Shortest row for which segments pay.
const LONG_ROW: usize = 16 * SEGMENTS;

/// Scans one row in place: `row[i] = op(row[i - 1], row[i])`. `fresh`: the first value starts the
/// running value instead of being combined with the carry. The carry takes the last value.
pub(crate) fn scan(
    path: Supported,
    op: Operator,
    row: &mut [u32],
    (carry, fresh): (&mut u32, bool),
    tile: &mut Vec<u32>,
) {
    match op {
        Operator::Unary(op) => scan_unary(op, row, carry, fresh),
        Operator::Binary(op) if regroups(path, op, row, (!fresh).then_some(*carry)) => {
            scan_segments(path, op, row, (carry, fresh), tile);
        }
        Operator::Binary(op) => scan_row(path, op, row, carry, fresh),
    }
}

/// Folds one row into the carry: `carry = op(carry, row[i])` in order.
pub(crate) fn fold(path: Supported, op: Binary, row: &[u32], carry: &mut u32, tile: &mut Vec<u32>) {
    if regroups(path, op, row, Some(*carry)) {
        fold_segments(path, op, row, carry, tile);
    } else {
        fold_row(path, op, row, carry);
    }
}

/// True if the row is long enough for segments and any order-preserving tree over it, and over the
/// running value before it, gives the bits of the left fold (spec 03 section 8.2).
fn regroups(path: Supported, op: Binary, row: &[u32], before: Option<u32>) -> bool {
    if row.len() < LONG_ROW {
        return false;
    }
    match op.grouping() {
        Grouping::Fixed => false,
        Grouping::Free => true,
        Grouping::FreeWithoutNan => {
            let mut found = before.is_some_and(is_nan);
            find_nan(path, row, &mut found);
            !found
        }
    }
}

/// Lengths of one segment and of all of them; what is left of the row is shorter than a segment block.
fn segment_lengths(row: &[u32]) -> (usize, usize) {
    let segment = row.len() / SEGMENTS / BLOCK * BLOCK;
    (segment, segment * SEGMENTS)
}

/// Scans all segments side by side, each from its own first value, then combines what stands before
/// each segment with its every value: two steps instead of one link per value.
fn scan_segments(
    path: Supported,
    op: Binary,
    row: &mut [u32],
    (carry, fresh): (&mut u32, bool),
    tile: &mut Vec<u32>,
) {
    let (segment, whole) = segment_lengths(row);
    let (segments, rest) = row.split_at_mut(whole);
    let tile = segment_tile(path, segments, segment, tile);
    scan_tile(path, op, tile, SEGMENTS, true);
    from_lanes(path, (&tile[SEGMENTS..], SEGMENTS), (segments, segment, SEGMENTS), segment);
    let mut before = (!fresh).then_some(*carry);
    for values in segments.chunks_exact_mut(segment) {
        if let Some(before) = before {
            // The tile is free again and takes the values, so that nothing is mapped in place.
            let copy = &mut tile[..segment];
            copy.copy_from_slice(values);
            map_row_left(path, op, before, copy, values);
        }
        before = values.last().copied();
    }
    // There is at least one segment, so `before` holds a value.
    *carry = before.unwrap_or(*carry);
    scan_row(path, op, rest, carry, false);
}

/// Folds all segments side by side, then their results in order.
fn fold_segments(path: Supported, op: Binary, row: &[u32], carry: &mut u32, tile: &mut Vec<u32>) {
    let (segment, whole) = segment_lengths(row);
    let (segments, rest) = row.split_at(whole);
    let tile = segment_tile(path, segments, segment, tile);
    // The first position becomes the carry, so that every segment starts from its own value.
    let tile = &mut tile[SEGMENTS..];
    tile.copy_within(SEGMENTS..2 * SEGMENTS, 0);
    fold_tile(path, op, tile, SEGMENTS);
    fold_row(path, op, &tile[..SEGMENTS], carry);
    fold_row(path, op, rest, carry);
}

/// A tile with the segments as lanes.
fn segment_tile<'a>(
    path: Supported,
    segments: &[u32],
    segment: usize,
    tile: &'a mut Vec<u32>,
) -> &'a mut [u32] {
    let length = segments.len() + 2 * SEGMENTS;
    tile.resize(length.max(tile.len()), 0);
    let tile = &mut tile[..length];
    let inputs = &mut tile[2 * SEGMENTS..];
    to_lanes(path, (segments, segment, SEGMENTS), (inputs, SEGMENTS), segment);
    tile
}

/// A scan with a unary operator repeats it on the running value and never looks at the other values.
/// The iteration soon stands still or swings between two values, and the rest is a fill.
fn scan_unary(op: Unary, row: &mut [u32], carry: &mut u32, fresh: bool) {
    let Some(&first) = row.first() else { return };
    let mut running = if fresh { first } else { op.apply(*carry) };
    let mut previous = None;
    for index in 0..row.len() {
        let next = op.apply(running);
        if next == running || previous == Some(next) {
            // From here on: running, next, running, …
            for (step, value) in row[index..].iter_mut().enumerate() {
                *value = if step.is_multiple_of(2) { running } else { next };
            }
            *carry = row[row.len() - 1];
            return;
        }
        row[index] = running;
        previous = Some(running);
        *carry = running;
        running = next;
    }
}

#[inline(always)]
fn map_row_body(op: Operator, input: &[u32], output: &mut [u32], scalar: u32) {
    match op {
        Operator::Unary(Unary::Bypass) => output.copy_from_slice(input),
        Operator::Unary(Unary::AbsoluteValue) => each(input, output, float::absolute_value),
        Operator::Unary(Unary::ReLU) => each(input, output, float::relu),
        Operator::Unary(Unary::Square) => each(input, output, float::square),
        Operator::Unary(unary) => each(input, output, |value| unary.apply(value)),
        Operator::Binary(op) => {
            with_binary!(op, Op => each(input, output, |value| Op::apply(value, scalar)));
        }
    }
}

#[inline(always)]
fn map_row_left_body(op: Binary, left: u32, input: &[u32], output: &mut [u32]) {
    with_binary!(op, Op => each(input, output, |value| Op::apply(left, value)));
}

#[inline(always)]
fn each(input: &[u32], output: &mut [u32], convert: impl Fn(u32) -> u32) {
    for (output, &input) in output.iter_mut().zip(input) {
        *output = convert(input);
    }
}

#[inline(always)]
fn fold_row_body(op: Binary, row: &[u32], carry: &mut u32) {
    with_binary!(op, Op => {
        if Op::LINKS {
            let link = |running, &value| Op::link(running, f32::from_bits(value));
            *carry = row.iter().fold(f32::from_bits(*carry), link).to_bits();
        } else {
            *carry = row.iter().fold(*carry, |running, &value| Op::apply(running, value));
        }
    });
}

#[inline(always)]
fn scan_row_body(op: Binary, row: &mut [u32], carry: &mut u32, fresh: bool) {
    let Some((first, rest)) = row.split_first_mut() else { return };
    with_binary!(op, Op => {
        if !fresh {
            *first = Op::apply(*carry, *first);
        }
        if Op::LINKS {
            let mut running = f32::from_bits(*first);
            for value in rest {
                running = Op::link(running, f32::from_bits(*value));
                *value = running.to_bits();
            }
            *carry = running.to_bits();
        } else {
            let mut running = *first;
            for value in rest {
                running = Op::apply(running, *value);
                *value = running;
            }
            *carry = running;
        }
    });
}

#[inline(always)]
fn find_nan_body(row: &[u32], found: &mut bool) {
    *found |= row.iter().fold(false, |found, &value| found | is_nan(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::format::{QNAN, SIGN};
    use crate::numeric::testing::{left_fold, stream};

    #[test]
    fn long_scans_and_folds_equal_the_left_fold_for_every_operator_on_every_path() {
        let mut tile = Vec::new();
        for path in Supported::all() {
            for &op in Binary::ALL {
                for nan in [false, true] {
                    for (length, start) in
                        [(LONG_ROW, None), (1000, Some(0)), (4096, Some(SIGN)), (777, Some(QNAN))]
                    {
                        let row = stream(length, nan, length as u32 + op as u32);
                        let expected = left_fold(op, &row, start);
                        let mut scanned = row.clone();
                        let mut carry = start.unwrap_or(0);
                        let operator = Operator::Binary(op);
                        let running = (&mut carry, start.is_none());
                        scan(path, operator, &mut scanned, running, &mut tile);
                        assert_eq!(scanned, expected, "{op:?} {path:?} {length}");
                        assert_eq!(Some(&carry), expected.last());
                        if let Some(start) = start {
                            let mut carry = start;
                            fold(path, op, &row, &mut carry, &mut tile);
                            assert_eq!(Some(&carry), expected.last(), "{op:?} {path:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unary_scans_iterate_on_the_running_value() {
        use Unary::{AbsoluteValue, Bypass, Not, ReLU, Rsqrt, Square};
        for op in [Bypass, AbsoluteValue, ReLU, Square, Rsqrt, Not] {
            for first in stream(300, true, 5) {
                for fresh in [true, false] {
                    for length in [1, 2, 3, 200] {
                        let mut expected = Vec::new();
                        let mut running = first;
                        for index in 0..length {
                            if index > 0 || !fresh {
                                running = op.apply(running);
                            }
                            expected.push(running);
                        }
                        let mut row = vec![0x1234_5678; length];
                        let mut carry = first;
                        if fresh {
                            row[0] = first;
                            carry = 0;
                        }
                        scan_unary(op, &mut row, &mut carry, fresh);
                        assert_eq!(row, expected, "{op:?} {first:08x}");
                        assert_eq!(carry, running);
                    }
                }
            }
        }
    }
}
