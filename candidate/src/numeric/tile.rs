//! Operators on tiles, which hold one position of many lanes after the other.
//!
//! A tile of `n` positions has `n + 2` rows of `lanes` values. Row 0 is the carry, the running value of
//! each lane; the inputs stand in the rows from 2 on, and a scan leaves its outputs in the rows from 1
//! on, each one row above its input. So no loop writes where it reads (see [`row`](super::row)), and
//! the row above an output's row is the operand of the next position.

use super::operator::{Binary, Lane, Swapped, with_binary};
use super::{bits, float, integer};
use crate::simd::simd_fn;

/// Rows of a tile that are no inputs.
pub(crate) const CARRY_ROWS: usize = 2;

simd_fn! {
    /// Scans every lane of a tile. `fresh`: the first input starts the running value instead of being
    /// combined with the carry. The carry takes the last output.
    pub(crate) fn scan_tile(op: Binary, tile: &mut [u32], lanes: usize, fresh: bool) =
        scan_tile_body;
}

simd_fn! {
    /// Folds every lane of a tile into the carry.
    pub(crate) fn fold_tile(op: Binary, tile: &mut [u32], lanes: usize) = fold_tile_body;
}

/// `output[lane] = op(left[lane], right[lane])`.
#[inline(always)]
fn across<O: Lane>(left: &[u32], right: &[u32], output: &mut [u32]) {
    for ((output, &left), &right) in output.iter_mut().zip(left).zip(right) {
        *output = O::apply(left, right);
    }
}

#[inline(always)]
fn scan_tile_body(op: Binary, tile: &mut [u32], lanes: usize, fresh: bool) {
    with_binary!(op, Op => {
        let (mut running, mut rest) = tile.split_at_mut(lanes);
        let mut starts = fresh;
        while rest.len() > lanes {
            let (output, inputs) = rest.split_at_mut(lanes);
            let input = &inputs[..lanes];
            if starts {
                output.copy_from_slice(input);
                starts = false;
            } else {
                across::<Op>(running, input, output);
            }
            (running, rest) = (output, inputs);
        }
    });
    let last = tile.len() - 2 * lanes;
    tile.copy_within(last..last + lanes, 0);
}

#[inline(always)]
fn fold_tile_body(op: Binary, tile: &mut [u32], lanes: usize) {
    let (running, inputs) = tile.split_at_mut(2 * lanes);
    let (carry, other) = running.split_at_mut(lanes);
    with_binary!(op, Op => {
        let mut pairs = inputs.chunks_exact(2 * lanes);
        for pair in pairs.by_ref() {
            let (first, second) = pair.split_at(lanes);
            across::<Op>(carry, first, other);
            across::<Op>(other, second, carry);
        }
        if !pairs.remainder().is_empty() {
            across::<Op>(carry, pairs.remainder(), other);
            carry.copy_from_slice(other);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::testing::{left_fold, stream};
    use crate::simd::Supported;

    #[test]
    fn tiles_scan_and_fold_each_lane_as_a_row() {
        const LANES: usize = 24;
        for path in Supported::all() {
            for &op in Binary::ALL {
                for positions in [1, 2, 19] {
                    let columns: Vec<Vec<u32>> =
                        (0..LANES).map(|lane| stream(positions, true, lane as u32)).collect();
                    let start: Vec<u32> = stream(LANES, true, 99);
                    let mut tile = start.clone();
                    tile.extend([7; LANES]);
                    for at in 0..positions {
                        tile.extend(columns.iter().map(|column| column[at]));
                    }
                    for fresh in [true, false] {
                        let mut scanned = tile.clone();
                        scan_tile(path, op, &mut scanned, LANES, fresh);
                        let mut folded = tile.clone();
                        fold_tile(path, op, &mut folded, LANES);
                        for lane in 0..LANES {
                            let expected =
                                left_fold(op, &columns[lane], (!fresh).then_some(start[lane]));
                            for at in 0..positions {
                                let output = scanned[(at + 1) * LANES + lane];
                                assert_eq!(output, expected[at], "{op:?} {path:?}");
                            }
                            assert_eq!(scanned[lane], expected[positions - 1]);
                            if !fresh {
                                assert_eq!(folded[lane], scanned[lane], "{op:?} {path:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
