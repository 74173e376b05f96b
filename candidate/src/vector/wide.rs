//! The ops of chapter 04 that touch wide registers (spec 04 sections 2.2, 6 and 10). Four 48-bit lanes
//! are three 64-bit words; lanes are joined and split a group of four at a time.

use super::lanes::{Constant, Lanes};
use super::step::Step;
use super::table::Rows;
use contract::state::{LINE, Line};

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum WideOp {
    /// `MOVWW`: `wvt, wvr`
    Copy,
    /// `MULPN16XR16`: `wvt, vr, vs, prr`
    MultiplyPair,
    /// `PACKLNX48`: `vt, wvr`
    PackLow,
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, WideOp>) {
    rows.add("MOVWW", WideOp::Copy);
    rows.add("MULPN16XR16", WideOp::MultiplyPair);
    rows.add("PACKLNX48", WideOp::PackLow);
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: WideOp, step: &mut Step<'_>) {
    match op {
        WideOp::Copy => step.set_wvec(0, *step.wvec(1)),
        WideOp::MultiplyPair => {
            let product = multiply_pair::<L>(step.vec(1), step.vec(2), step.pr(3) as u32);
            step.set_wvec(0, product);
        }
        WideOp::PackLow => step.set_line(0, pack_low(step.wvec(1))),
    }
}

/// Interleaves half-words of two registers: row 0 lanes 0..15, row 1 lanes 16..31.
static INTERLEAVE: [Constant; 2] = {
    let mut table = [Constant([0; LINE]); 2];
    let mut lane = 0;
    while lane < 32 {
        let at = lane % 16 * 4;
        let row = &mut table[lane / 16].0;
        row[at] = 2 * lane as u8;
        row[at + 1] = 2 * lane as u8 + 1;
        row[at + 2] = 2 * lane as u8 + 64;
        row[at + 3] = 2 * lane as u8 + 65;
        lane += 1;
    }
    table
};

/// `x * high half + y * low half` of the pair register in every lane, 48 bits (V-34).
#[inline(always)]
fn multiply_pair<L: Lanes>(x: L, y: L, pair: u32) -> [u8; 192] {
    // In each 32-bit lane x stands low and y high, so the factors change places.
    let factors = L::splat::<32>(pair.rotate_left(16));
    let mut sums = [[0; LINE]; 2];
    for (sums, index) in sums.iter_mut().zip(&INTERLEAVE) {
        let lanes = L::permute_pool(x, y, L::load(&index.0));
        lanes.multiply_add_pairs_16(factors).store(sums);
    }
    let mut out = [0; 192];
    let (groups, _) = sums.as_flattened().as_chunks::<16>();
    let (words, _) = out.as_chunks_mut::<24>();
    for (group, words) in groups.iter().zip(words) {
        let (lanes, _) = group.as_chunks();
        let [a, b, c, d]: [u64; 4] = std::array::from_fn(|i| extend(lanes[i]));
        words[..8].copy_from_slice(&(a | b << 48).to_le_bytes());
        words[8..16].copy_from_slice(&(b >> 16 | c << 32).to_le_bytes());
        words[16..].copy_from_slice(&(c >> 32 | d << 16).to_le_bytes());
    }
    out
}

/// A sum of two products as a 48-bit lane. The sum lies in `-(2^31 - 2^16)..=2^31`, so the pattern
/// that would be the most negative number is 2^31.
#[inline(always)]
const fn extend(sum: [u8; 4]) -> u64 {
    let less_one = i32::from_le_bytes(sum).wrapping_sub(1) as i64;
    (less_one + 1).cast_unsigned() & 0xffff_ffff_ffff
}

/// The low 16 bits of every 48-bit lane.
#[inline(always)]
fn pack_low(wide: &[u8; 192]) -> Line {
    let mut out = Line([0; LINE]);
    let (groups, _) = wide.as_chunks::<24>();
    let (words, _) = out.0.as_chunks_mut::<8>();
    for (group, out) in groups.iter().zip(words) {
        let (words, _) = group.as_chunks();
        let [a, b, c]: [u64; 3] = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
        let lanes = a & 0xffff | (a >> 48) << 16 | (b & 0xffff_0000_0000) | (c & 0xffff_0000) << 32;
        *out = lanes.to_le_bytes();
    }
    out
}
