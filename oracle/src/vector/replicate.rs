//! Replicate and extract (spec 04 section 6).

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{each_lane, lane, merge, signed, truncate};
use super::operation::Operation;
use super::{Row, registers};
use contract::state::Line;

/// The lane that the immediate at `position` names: `imm & (N-1)`.
fn named_lane(op: &Operation<'_>, w: Width, position: usize) -> usize {
    (op.imm(position) & (w.lanes() as i64 - 1)) as usize
}

/// `vx[imm & (N-1)]` in every lane.
fn rep_lanes(op: &Operation<'_>, w: Width) -> Line {
    let value = lane(op.vec(1), w, named_lane(op, w, 2));
    each_lane(w, |_| value)
}

/// `REP…`, `vd`:o `vx`:i `imm`.
fn rep(op: &mut Operation<'_>, w: Width) {
    op.set_vec(0, rep_lanes(op, w));
}

/// `REP…T`, `vd`:m `vx`:i `imm` `q`:i.
fn rep_t(op: &mut Operation<'_>, w: Width) {
    let fresh = rep_lanes(op, w);
    op.set_vec(0, merge(w, op.vbool(3), &fresh, op.vec(0)));
}

/// `EXTRNX16`, `ar`:o `vx`:i `imm`: sign-extended.
fn extr_signed(op: &mut Operation<'_>, w: Width) {
    let value = lane(op.vec(1), w, named_lane(op, w, 2));
    op.set_ar(0, truncate(W32, signed(w, value)));
}

/// `EXTR2NX8`, `EXTRN_2X32`, `ar`:o `vx`:i `imm`: zero-extended.
fn extr_unsigned(op: &mut Operation<'_>, w: Width) {
    let value = lane(op.vec(1), w, named_lane(op, w, 2));
    op.set_ar(0, value);
}

/// `EXTRVRN_2X32`, `ar`:o `vx`:i `ax`:i: the four bytes from byte `t = A.ax`, unsigned; bytes past
/// 63 read as 0, and `t > 64` gives 0.
fn extrvr(op: &mut Operation<'_>) {
    let (vx, t) = (op.vec(1), op.ar(2));
    let mut value = 0;
    if t <= 64 {
        for i in 0..4 {
            let byte = vx.0.get(t as usize + i).copied().unwrap_or(0);
            value |= u32::from(byte) << (8 * i);
        }
    }
    op.set_ar(0, value);
}

/// `EXTRPR…`, `pr`:o `vx`:i `imm`: the lane, zero-extended to 64 bits.
fn extrpr(op: &mut Operation<'_>, w: Width) {
    let value = lane(op.vec(1), w, named_lane(op, w, 2));
    op.set_pr(0, u64::from(value));
}

pub(super) const ROWS: &[Row] = &[
    registers("REP2NX8", |op| rep(op, W8)),
    registers("REPNX16", |op| rep(op, W16)),
    registers("REPN_2X32", |op| rep(op, W32)),
    registers("REP2NX8T", |op| rep_t(op, W8)),
    registers("REPNX16T", |op| rep_t(op, W16)),
    registers("REPN_2X32T", |op| rep_t(op, W32)),
    registers("EXTR2NX8", |op| extr_unsigned(op, W8)),
    registers("EXTRNX16", |op| extr_signed(op, W16)),
    registers("EXTRN_2X32", |op| extr_unsigned(op, W32)),
    registers("EXTRVRN_2X32", extrvr),
    registers("EXTRPR2NX8", |op| extrpr(op, W8)),
    registers("EXTRPRNX16", |op| extrpr(op, W16)),
    registers("EXTRPRN_2X32", |op| extrpr(op, W32)),
];
