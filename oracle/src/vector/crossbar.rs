//! The lane crossbar (spec 04 section 5): data movement only, whole elements move.

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{each_lane, lane, merge, predicate};
use super::operation::Operation;
use super::patterns::{self, Pattern};
use super::{Row, registers};
use contract::state::Line;

/// Element `position` of `POOL_w(vs,vr)`: `0..N-1` are `vr`, `N..2N-1` are `vs` (V-17).
fn pool(w: Width, vs: &Line, vr: &Line, position: usize) -> u32 {
    if position < w.lanes() { lane(vr, w, position) } else { lane(vs, w, position - w.lanes()) }
}

/// Control bits of lane `l`, from bit `shift` on, cut to an index below `entries` (a power of two).
fn control(w: Width, sr: &Line, l: usize, shift: u32, entries: usize) -> usize {
    (lane(sr, w, l) >> shift) as usize & (entries - 1)
}

/// `SHFL`: `vt[l] := vr[sr[l] & mask]`, mask `N - 1`.
fn shfl_lanes(w: Width, vr: &Line, sr: &Line) -> Line {
    each_lane(w, |l| lane(vr, w, control(w, sr, l, 0, w.lanes())))
}

/// `SEL`: `vt[l] := POOL[field of sr[l]]`, the field starting at bit `shift`, mask `2N - 1`.
fn sel_lanes(w: Width, vs: &Line, vr: &Line, sr: &Line, shift: u32) -> Line {
    each_lane(w, |l| pool(w, vs, vr, control(w, sr, l, shift, 2 * w.lanes())))
}

/// `SHFL…`, `vt`:o `vr`:i `sr`:i.
fn shfl(op: &mut Operation<'_>, w: Width) {
    op.set_vec(0, shfl_lanes(w, op.vec(1), op.vec(2)));
}

/// `SHFL…T`, `vt`:m `vr`:i `sr`:i `q`:i (V-20).
fn shfl_t(op: &mut Operation<'_>, w: Width) {
    let fresh = shfl_lanes(w, op.vec(1), op.vec(2));
    op.set_vec(0, merge(w, op.vbool(3), &fresh, op.vec(0)));
}

/// `SEL…`, `vt`:o `vs`:i `vr`:i `sr`:i.
fn sel(op: &mut Operation<'_>, w: Width) {
    op.set_vec(0, sel_lanes(w, op.vec(1), op.vec(2), op.vec(3), 0));
}

/// `SEL…T`, `vt`:m `vs`:i `vr`:i `sr`:i `q`:i.
fn sel_t(op: &mut Operation<'_>, w: Width) {
    let fresh = sel_lanes(w, op.vec(1), op.vec(2), op.vec(3), 0);
    op.set_vec(0, merge(w, op.vbool(4), &fresh, op.vec(0)));
}

/// Both results of `DSEL`: the low half of the control lane drives `vt`, the high half `vu` (V-18).
fn dsel_lanes(op: &Operation<'_>, w: Width) -> (Line, Line) {
    let (vs, vr, sr) = (op.vec(2), op.vec(3), op.vec(4));
    let vu = sel_lanes(w, vs, vr, sr, w.bits() / 2);
    let vt = sel_lanes(w, vs, vr, sr, 0);
    (vu, vt)
}

/// `DSEL…`, `vu`:o `vt`:o `vs`:i `vr`:i `sr`:i.
fn dsel(op: &mut Operation<'_>, w: Width) {
    let (vu, vt) = dsel_lanes(op, w);
    op.set_vec(0, vu);
    op.set_vec(1, vt);
}

/// `DSEL…T`, `vu`:m `vt`:m `vs`:i `vr`:i `sr`:i `q`:i: one predicate merges both results.
fn dsel_t(op: &mut Operation<'_>, w: Width) {
    let (vu, vt) = dsel_lanes(op, w);
    let q = op.vbool(5);
    op.set_vec(0, merge(w, q, &vu, op.vec(0)));
    op.set_vec(1, merge(w, q, &vt, op.vec(1)));
}

/// `DCMPRS2NX8`, `vt`:o `vr`:i `q`:i: a live lane takes the element numbered by the live lanes
/// strictly below it, a dead lane takes element 63 (V-21).
fn dcmprs(op: &mut Operation<'_>) {
    let (vr, q) = (op.vec(1), op.vbool(2));
    let vt = each_lane(W8, |l| {
        let below = (0..l).filter(|&lower| predicate(W8, q, lower)).count();
        if predicate(W8, q, l) { lane(vr, W8, below) } else { lane(vr, W8, 63) }
    });
    op.set_vec(0, vt);
}

/// The result of an immediate form: byte `l` is the pool byte its pattern names (section 5.1).
fn by_pattern(vs: &Line, vr: &Line, pattern: &Pattern) -> Line {
    each_lane(W8, |l| pool(W8, vs, vr, usize::from(pattern[l])))
}

/// `SEL2NX8I` and its slot-pinned forms, `vt`:o `vs`:i `vr`:i `imm`.
fn sel_i(op: &mut Operation<'_>) {
    let pattern = &patterns::SEL[(op.imm(3) & 0x7f) as usize];
    op.set_vec(0, by_pattern(op.vec(1), op.vec(2), pattern));
}

/// `SHFL2NX8I` and its slot-pinned forms, `vt`:o `vr`:i `imm`.
fn shfl_i(op: &mut Operation<'_>) {
    let pattern = &patterns::SHFL[(op.imm(2) & 0x7f) as usize];
    op.set_vec(0, by_pattern(op.vec(1), op.vec(1), pattern));
}

/// `DSEL2NX8I`, `vu`:o `vt`:o `vs`:i `vr`:i `imm`.
fn dsel_i(op: &mut Operation<'_>) {
    let [vt, vu] = &patterns::DSEL[(op.imm(4) & 0xf) as usize];
    let (vs, vr) = (op.vec(2), op.vec(3));
    op.set_vec(0, by_pattern(vs, vr, vu));
    op.set_vec(1, by_pattern(vs, vr, vt));
}

pub(super) const ROWS: &[Row] = &[
    registers("SHFL2NX8", |op| shfl(op, W8)),
    registers("SHFLNX16", |op| shfl(op, W16)),
    registers("SHFLN_2X32", |op| shfl(op, W32)),
    registers("SHFL2NX8T", |op| shfl_t(op, W8)),
    registers("SHFLNX16T", |op| shfl_t(op, W16)),
    registers("SHFLN_2X32T", |op| shfl_t(op, W32)),
    registers("SEL2NX8", |op| sel(op, W8)),
    registers("SELNX16", |op| sel(op, W16)),
    registers("SELN_2X32", |op| sel(op, W32)),
    registers("SEL2NX8T", |op| sel_t(op, W8)),
    registers("SELNX16T", |op| sel_t(op, W16)),
    registers("SELN_2X32T", |op| sel_t(op, W32)),
    registers("DSELNX16", |op| dsel(op, W16)),
    registers("DSELN_2X32", |op| dsel(op, W32)),
    registers("DSELNX16T", |op| dsel_t(op, W16)),
    registers("DSELN_2X32T", |op| dsel_t(op, W32)),
    registers("DCMPRS2NX8", dcmprs),
    registers("SEL2NX8I", sel_i),
    registers("SEL2NX8I_S0", sel_i),
    registers("SEL2NX8I_S2", sel_i),
    registers("SEL2NX8I_S4", sel_i),
    registers("SHFL2NX8I", shfl_i),
    registers("SHFL2NX8I_S0", shfl_i),
    registers("SHFL2NX8I_S2", shfl_i),
    registers("SHFL2NX8I_S4", shfl_i),
    registers("DSEL2NX8I", dsel_i),
];
