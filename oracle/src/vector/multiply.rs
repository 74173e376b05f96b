//! The paired multiply and its read-out (spec 04 section 10): the only multiply and pack of the
//! chapter. Accumulator lanes are 48 bits, lane `l` at bits `48l … 48l+47` (section 2.2).

use super::lanes::Width::W16;
use super::lanes::{Exact, each_lane, lane, signed};
use super::operation::Operation;
use super::{Row, registers};

/// Bytes of a 48-bit lane.
const W48: usize = 6;

/// `MULPN16XR16`, `wd`:o `vx`:i `vy`:i `pr`:i: the high half of the pair with the first source, the
/// low half with the second (V-34); bits 63..32 of the pair are ignored.
fn mulp(op: &mut Operation<'_>) {
    let (vx, vy, pr) = (op.vec(1), op.vec(2), op.pr(3));
    let g = signed(W16, (pr & 0xffff) as u32);
    let h = signed(W16, ((pr >> 16) & 0xffff) as u32);
    let mut wd = [0; 192];
    for l in 0..W16.lanes() {
        let sum = signed(W16, lane(vx, W16, l)) * h + signed(W16, lane(vy, W16, l)) * g;
        let bits: Exact = sum.rem_euclid(1 << 48);
        for byte in 0..W48 {
            wd[W48 * l + byte] = (bits >> (8 * byte)) as u8;
        }
    }
    op.set_wvec(0, wd);
}

/// `PACKLNX48`, `vd`:o `wx`:i: the low 16 bits of every lane.
fn packl(op: &mut Operation<'_>) {
    let wx = op.wvec(1);
    let vd = each_lane(W16, |l| u32::from(wx[W48 * l]) | u32::from(wx[W48 * l + 1]) << 8);
    op.set_vec(0, vd);
}

pub(super) const ROWS: &[Row] = &[registers("MULPN16XR16", mulp), registers("PACKLNX48", packl)];
