//! Data and plain folds for the tests of the kernels.

use super::format::{INFINITY, QNAN, SIGN, is_nan};
use super::operator::{Binary, Lane, Swapped, with_binary};
use super::{bits, float, integer};

/// A stream that mixes ordinary numbers, ties of zeros and extremes; NaNs on request.
pub(crate) fn stream(length: usize, nan: bool, mut state: u32) -> Vec<u32> {
    let special = [0, SIGN, 1, SIGN | 1, INFINITY, SIGN | INFINITY, 0x3F80_0000, 0xBF80_0000];
    let nans = [QNAN, 0xFFC0_0001, 0x7FA0_0001, 0xFF80_0001];
    (0..length)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let pick = (state >> 20) as usize;
            match state >> 13 & 7 {
                0..3 => special[pick % special.len()],
                3 if nan && pick.is_multiple_of(16) => nans[pick / 16 % nans.len()],
                4 => state >> 27,
                _ => {
                    let bits = state.rotate_left(9) ^ 0x2545_F491;
                    if is_nan(bits) { bits & 0xBFFF_FFFF } else { bits }
                }
            }
        })
        .collect()
}

/// The left fold, element by element with the branch-free form.
pub(crate) fn left_fold(op: Binary, row: &[u32], start: Option<u32>) -> Vec<u32> {
    let mut running = start;
    row.iter()
        .map(|&value| {
            let next = match running {
                None => value,
                Some(left) => with_binary!(op, Op => Op::apply(left, value)),
            };
            running = Some(next);
            next
        })
        .collect()
}
