//! Shift, rotate, normalise (spec 04 section 7).

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{Exact, each_lane, lane, saturate, signed, truncate, unsigned};
use super::operation::Operation;
use super::{Row, registers};
use contract::profile::RotrMode;
use contract::state::Line;

/// `L(x,n) = n >= w ? 0 : tr_w(x·2^n)`.
fn left(w: Width, x: u32, n: u32) -> u32 {
    if n >= w.bits() { 0 } else { truncate(w, unsigned(x) << n) }
}

/// `R(x,n) = n >= w ? 0 : floor(x/2^n)`, unsigned.
fn right(w: Width, x: u32, n: u32) -> u32 {
    if n >= w.bits() { 0 } else { x >> n }
}

/// `Q(x,n) = tr_w(floor(s(x)/2^min(n,w-1)))`: sign fill.
fn signed_right(w: Width, x: u32, n: u32) -> u32 {
    truncate(w, signed(w, x) >> n.min(w.bits() - 1))
}

/// `K(x,n) = sat_w(s(x)·2^n)`.
fn saturating_left(w: Width, x: u32, n: u32) -> u32 {
    saturate(w, signed(w, x) << n)
}

/// One of the four base functions.
type Base = fn(Width, u32, u32) -> u32;

/// `SLLI…`, `SRLI…`, `SRAI…`, `vd`:o `vx`:i `imm`; `imm` in `0..w-1`.
fn shift_immediate(op: &mut Operation<'_>, w: Width, base: Base) {
    let (vx, n) = (op.vec(1), op.imm(2) as u32);
    op.set_vec(0, each_lane(w, |l| base(w, lane(vx, w, l), n & (w.bits() - 1))));
}

/// The variable forms, `vd`:o `vx`:i `vy`:i: the amount is the signed lane of `vy`, first limited to
/// `[-2w, 2w-1]` (V-28); its sign chooses the base function.
fn shift_variable(op: &mut Operation<'_>, w: Width, positive: Base, negative: Base) {
    let (vx, vy) = (op.vec(1), op.vec(2));
    let limit = Exact::from(2 * w.bits());
    let vd = each_lane(w, |l| {
        let x = lane(vx, w, l);
        let n = signed(w, lane(vy, w, l)).clamp(-limit, limit - 1);
        if n >= 0 { positive(w, x, n as u32) } else { negative(w, x, -n as u32) }
    });
    op.set_vec(0, vd);
}

/// `SLL`: `L`, negative amounts `R`.
fn sll(op: &mut Operation<'_>, w: Width) {
    shift_variable(op, w, left, right);
}

/// `SRL`: `R`, negative amounts `L`.
fn srl(op: &mut Operation<'_>, w: Width) {
    shift_variable(op, w, right, left);
}

/// `SRA`: `Q`, negative amounts `L`.
fn sra(op: &mut Operation<'_>, w: Width) {
    shift_variable(op, w, signed_right, left);
}

/// `SLS`: `K`, negative amounts `Q`.
fn sls(op: &mut Operation<'_>, w: Width) {
    shift_variable(op, w, saturating_left, signed_right);
}

/// `SRS`: `Q`, negative amounts `K`; no rounding (V-29).
fn srs(op: &mut Operation<'_>, w: Width) {
    shift_variable(op, w, signed_right, saturating_left);
}

/// Rotate by `t(l)` per lane. `rotr_mode = lane`: elements move across the register, every output
/// lane with its own amount; `bit`: bits rotate right inside each lane (V-03).
fn rotate(mode: RotrMode, w: Width, vx: &Line, t: impl Fn(usize) -> u64) -> Line {
    each_lane(w, |l| match mode {
        RotrMode::Lane => {
            let source = (l as u64 + t(l)) % w.lanes() as u64;
            lane(vx, w, source as usize)
        }
        RotrMode::Bit => {
            let amount = (t(l) % u64::from(w.bits())) as u32;
            let x = unsigned(lane(vx, w, l));
            truncate(w, (x >> amount) | (x << (w.bits() - amount)))
        }
    })
}

/// `ROTRI…`, `vd`:o `vx`:i `imm`: one amount for every lane.
fn rotri(op: &mut Operation<'_>, w: Width) {
    let t = op.imm(2) as u64 & u64::from(w.bits() - 1);
    op.set_vec(0, rotate(op.state.profile.rotr_mode, w, op.vec(1), |_| t));
}

/// `ROTR…`, `vd`:o `vx`:i `vy`:i: amounts are the unsigned lanes of `vy`.
fn rotr(op: &mut Operation<'_>, w: Width) {
    let vy = op.vec(2);
    let mode = op.state.profile.rotr_mode;
    op.set_vec(0, rotate(mode, w, op.vec(1), |l| u64::from(lane(vy, w, l))));
}

/// `lz(x)`: leading zero bits in `w` bits; `lz(0) = w`.
fn lz(w: Width, x: u32) -> u32 {
    let mut count = 0;
    while count < w.bits() && (x >> (w.bits() - 1 - count)) & 1 == 0 {
        count += 1;
    }
    count
}

/// `NSAU…`, `vd`:o `vx`:i: `lz(x)`.
fn nsau(op: &mut Operation<'_>, w: Width) {
    let vx = op.vec(1);
    op.set_vec(0, each_lane(w, |l| lz(w, lane(vx, w, l))));
}

/// `NSA…`, `vd`:o `vx`:i: `lz(x') - 1`, `x'` being `x`, or its complement if the sign bit is set.
fn nsa(op: &mut Operation<'_>, w: Width) {
    let vx = op.vec(1);
    let vd = each_lane(w, |l| {
        let x = lane(vx, w, l);
        let positive = if signed(w, x) < 0 { truncate(w, !signed(w, x)) } else { x };
        lz(w, positive) - 1
    });
    op.set_vec(0, vd);
}

pub(super) const ROWS: &[Row] = &[
    registers("SLLI2NX8", |op| shift_immediate(op, W8, left)),
    registers("SLLINX16", |op| shift_immediate(op, W16, left)),
    registers("SLLIN_2X32", |op| shift_immediate(op, W32, left)),
    registers("SRLI2NX8", |op| shift_immediate(op, W8, right)),
    registers("SRLINX16", |op| shift_immediate(op, W16, right)),
    registers("SRLIN_2X32", |op| shift_immediate(op, W32, right)),
    registers("SRAI2NX8", |op| shift_immediate(op, W8, signed_right)),
    registers("SRAINX16", |op| shift_immediate(op, W16, signed_right)),
    registers("SRAIN_2X32", |op| shift_immediate(op, W32, signed_right)),
    registers("SLLNX16", |op| sll(op, W16)),
    registers("SLLN_2X32", |op| sll(op, W32)),
    registers("SRLNX16", |op| srl(op, W16)),
    registers("SRLN_2X32", |op| srl(op, W32)),
    registers("SRANX16", |op| sra(op, W16)),
    registers("SRAN_2X32", |op| sra(op, W32)),
    registers("SLSNX16", |op| sls(op, W16)),
    registers("SLSN_2X32", |op| sls(op, W32)),
    registers("SRSNX16", |op| srs(op, W16)),
    registers("SRSN_2X32", |op| srs(op, W32)),
    registers("ROTRI2NX8", |op| rotri(op, W8)),
    registers("ROTRINX16", |op| rotri(op, W16)),
    registers("ROTRIN_2X32", |op| rotri(op, W32)),
    registers("ROTRNX16", |op| rotr(op, W16)),
    registers("ROTRN_2X32", |op| rotr(op, W32)),
    registers("NSANX16", |op| nsa(op, W16)),
    registers("NSAN_2X32", |op| nsa(op, W32)),
    registers("NSAUNX16", |op| nsau(op, W16)),
    registers("NSAUN_2X32", |op| nsau(op, W32)),
];
