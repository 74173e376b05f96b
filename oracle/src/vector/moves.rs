//! Moves between and inside register files (spec 04 section 6).

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{Exact, each_lane, lane, merge, signed, truncate};
use super::operation::Operation;
use super::{Row, registers};

/// `MOVVV`, `vd`:o `vx`:i.
fn movvv(op: &mut Operation<'_>) {
    op.set_vec(0, *op.vec(1));
}

/// `MOV2NX8T`, `vd`:m `vx`:i `q`:i: per-byte T-merge.
fn mov_t(op: &mut Operation<'_>) {
    op.set_vec(0, merge(W8, op.vbool(2), op.vec(1), op.vec(0)));
}

/// `MOVVA8/16/32`, `vd`:o `a`:i: the low `w` bits of `A.a` in every lane (V-27).
fn movva(op: &mut Operation<'_>, w: Width) {
    let a = op.ar(1);
    op.set_vec(0, each_lane(w, |_| a));
}

/// `MOVVINT8/16`, `vd`:o `imm`: `tr_w(imm)` in every lane.
fn movvint(op: &mut Operation<'_>, w: Width) {
    let value = truncate(w, Exact::from(op.imm(1)));
    op.set_vec(0, each_lane(w, |_| value));
}

/// `MOVAV16`, `ar`:o `vx`:i: lane 0, sign-extended.
fn movav_signed(op: &mut Operation<'_>, w: Width) {
    let value = lane(op.vec(1), w, 0);
    op.set_ar(0, truncate(W32, signed(w, value)));
}

/// `MOVAVU8/16`, `MOVAV8`, `MOVAV32`, `ar`:o `vx`:i: lane 0, zero-extended.
fn movav_unsigned(op: &mut Operation<'_>, w: Width) {
    let value = lane(op.vec(1), w, 0);
    op.set_ar(0, value);
}

/// `MOVPRA32`, `pr`:o `a`:i: sign-extended to 64 bits.
fn movpra(op: &mut Operation<'_>) {
    let value = i64::from(op.ar(1) as i32);
    op.set_pr(0, value as u64);
}

/// `MOVPRPR`, `pr`:o `px`:i.
fn movprpr(op: &mut Operation<'_>) {
    op.set_pr(0, op.pr(1));
}

/// `MOVAB1`, `ar`:o `q`:i: bit 0 of `q`.
fn movab1(op: &mut Operation<'_>) {
    op.set_ar(0, (op.vbool(1) & 1) as u32);
}

/// `MOVBA1`, `q`:o `a`:i: `A.a & 1`; bits 63..1 zero.
fn movba1(op: &mut Operation<'_>) {
    op.set_vbool(0, u64::from(op.ar(1) & 1));
}

/// `MOVWW`, `wd`:o `wx`:i: 1536 bits.
fn movww(op: &mut Operation<'_>) {
    op.set_wvec(0, *op.wvec(1));
}

pub(super) const ROWS: &[Row] = &[
    registers("MOVVV", movvv),
    registers("MOV2NX8T", mov_t),
    registers("MOVVA8", |op| movva(op, W8)),
    registers("MOVVA16", |op| movva(op, W16)),
    registers("MOVVA32", |op| movva(op, W32)),
    registers("MOVVINT8", |op| movvint(op, W8)),
    registers("MOVVINT16", |op| movvint(op, W16)),
    registers("MOVAV8", |op| movav_unsigned(op, W8)),
    registers("MOVAV16", |op| movav_signed(op, W16)),
    registers("MOVAV32", |op| movav_unsigned(op, W32)),
    registers("MOVAVU8", |op| movav_unsigned(op, W8)),
    registers("MOVAVU16", |op| movav_unsigned(op, W16)),
    registers("MOVPRA32", movpra),
    registers("MOVPRPR", movprpr),
    registers("MOVAB1", movab1),
    registers("MOVBA1", movba1),
    registers("MOVWW", movww),
];
