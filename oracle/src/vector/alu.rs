//! Integer ALU, lane by lane (spec 04 section 9). Non-commutative ops compute *first source op
//! second source* (V-32). Compares and flagged forms are in `compare`.

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{each_lane, lane, merge, saturate, signed, truncate, unsigned};
use super::operation::Operation;
use super::{Row, registers};

/// A rule for one lane of two sources.
pub(super) type Two = fn(Width, u32, u32) -> u32;
/// A rule for one lane of one source.
pub(super) type One = fn(Width, u32) -> u32;

/// `ADD`: wraps.
fn add(w: Width, x: u32, y: u32) -> u32 {
    truncate(w, unsigned(x) + unsigned(y))
}

/// `SUB`: wraps.
fn sub(w: Width, x: u32, y: u32) -> u32 {
    truncate(w, unsigned(x) - unsigned(y))
}

/// `ADDS`: `sat_w(s(x) + s(y))`.
fn adds(w: Width, x: u32, y: u32) -> u32 {
    saturate(w, signed(w, x) + signed(w, y))
}

/// `SUBS`: `sat_w(s(x) - s(y))`.
fn subs(w: Width, x: u32, y: u32) -> u32 {
    saturate(w, signed(w, x) - signed(w, y))
}

/// `MAX`: signed.
pub(super) fn max(w: Width, x: u32, y: u32) -> u32 {
    if signed(w, x) > signed(w, y) { x } else { y }
}

/// `MIN`: signed.
pub(super) fn min(w: Width, x: u32, y: u32) -> u32 {
    if signed(w, x) < signed(w, y) { x } else { y }
}

/// `MAXU`: unsigned.
pub(super) fn maxu(_: Width, x: u32, y: u32) -> u32 {
    if x > y { x } else { y }
}

/// `MINU`: unsigned.
pub(super) fn minu(_: Width, x: u32, y: u32) -> u32 {
    if x < y { x } else { y }
}

/// `ABS`: `tr_w(abs(s(x)))`; the most negative value maps to itself.
pub(super) fn abs(w: Width, x: u32) -> u32 {
    truncate(w, signed(w, x).abs())
}

/// `NEG`: `tr_w(-s(x))`; the most negative value maps to itself.
fn neg(w: Width, x: u32) -> u32 {
    truncate(w, -signed(w, x))
}

/// `ABSS`: saturating.
fn abss(w: Width, x: u32) -> u32 {
    saturate(w, signed(w, x).abs())
}

/// `NEGS`: saturating.
fn negs(w: Width, x: u32) -> u32 {
    saturate(w, -signed(w, x))
}

/// `ABSSUB`: `tr_w(abs(s(x)-s(y)))`, exact difference, then wrap.
pub(super) fn abssub(w: Width, x: u32, y: u32) -> u32 {
    truncate(w, (signed(w, x) - signed(w, y)).abs())
}

/// `ABSSUBU`: `abs(x-y)` of the unsigned lanes.
pub(super) fn abssubu(w: Width, x: u32, y: u32) -> u32 {
    truncate(w, (unsigned(x) - unsigned(y)).abs())
}

/// `ABSSSUB`: `sat_w(abs(s(x)-s(y)))`.
fn absssub(w: Width, x: u32, y: u32) -> u32 {
    saturate(w, (signed(w, x) - signed(w, y)).abs())
}

/// `AND2NX8`.
fn and(_: Width, x: u32, y: u32) -> u32 {
    x & y
}

/// `OR2NX8`.
fn or(_: Width, x: u32, y: u32) -> u32 {
    x | y
}

/// `XOR2NX8`.
fn xor(_: Width, x: u32, y: u32) -> u32 {
    x ^ y
}

/// `NOT2NX8`.
fn not(_: Width, x: u32) -> u32 {
    !x
}

/// Two-source form, `vd`:o `vx`:i `vy`:i.
fn two(op: &mut Operation<'_>, w: Width, rule: Two) {
    let (vx, vy) = (op.vec(1), op.vec(2));
    op.set_vec(0, each_lane(w, |l| rule(w, lane(vx, w, l), lane(vy, w, l))));
}

/// Two-source T form, `vd`:m `vx`:i `vy`:i `q`:i.
fn two_t(op: &mut Operation<'_>, w: Width, rule: Two) {
    let (vx, vy) = (op.vec(1), op.vec(2));
    let fresh = each_lane(w, |l| rule(w, lane(vx, w, l), lane(vy, w, l)));
    op.set_vec(0, merge(w, op.vbool(3), &fresh, op.vec(0)));
}

/// One-source form, `vd`:o `vx`:i.
fn one(op: &mut Operation<'_>, w: Width, rule: One) {
    let vx = op.vec(1);
    op.set_vec(0, each_lane(w, |l| rule(w, lane(vx, w, l))));
}

/// One-source T form, `vd`:m `vx`:i `q`:i.
fn one_t(op: &mut Operation<'_>, w: Width, rule: One) {
    let vx = op.vec(1);
    let fresh = each_lane(w, |l| rule(w, lane(vx, w, l)));
    op.set_vec(0, merge(w, op.vbool(2), &fresh, op.vec(0)));
}

pub(super) const ROWS: &[Row] = &[
    registers("ADD2NX8", |op| two(op, W8, add)),
    registers("ADDNX16", |op| two(op, W16, add)),
    registers("ADDN_2X32", |op| two(op, W32, add)),
    registers("SUB2NX8", |op| two(op, W8, sub)),
    registers("SUBNX16", |op| two(op, W16, sub)),
    registers("SUBN_2X32", |op| two(op, W32, sub)),
    registers("ADDSNX16", |op| two(op, W16, adds)),
    registers("SUBSNX16", |op| two(op, W16, subs)),
    registers("MIN2NX8", |op| two(op, W8, min)),
    registers("MINNX16", |op| two(op, W16, min)),
    registers("MINN_2X32", |op| two(op, W32, min)),
    registers("MINU2NX8", |op| two(op, W8, minu)),
    registers("MINUNX16", |op| two(op, W16, minu)),
    registers("MINUN_2X32", |op| two(op, W32, minu)),
    registers("MAX2NX8", |op| two(op, W8, max)),
    registers("MAXNX16", |op| two(op, W16, max)),
    registers("MAXN_2X32", |op| two(op, W32, max)),
    registers("MAXU2NX8", |op| two(op, W8, maxu)),
    registers("MAXUNX16", |op| two(op, W16, maxu)),
    registers("MAXUN_2X32", |op| two(op, W32, maxu)),
    registers("ABSSUB2NX8", |op| two(op, W8, abssub)),
    registers("ABSSUBNX16", |op| two(op, W16, abssub)),
    registers("ABSSUBU2NX8", |op| two(op, W8, abssubu)),
    registers("ABSSUBUNX16", |op| two(op, W16, abssubu)),
    registers("ABSSSUBNX16", |op| two(op, W16, absssub)),
    registers("AND2NX8", |op| two(op, W8, and)),
    registers("OR2NX8", |op| two(op, W8, or)),
    registers("XOR2NX8", |op| two(op, W8, xor)),
    registers("ABS2NX8", |op| one(op, W8, abs)),
    registers("ABSNX16", |op| one(op, W16, abs)),
    registers("ABSN_2X32", |op| one(op, W32, abs)),
    registers("ABSSNX16", |op| one(op, W16, abss)),
    registers("NEG2NX8", |op| one(op, W8, neg)),
    registers("NEGNX16", |op| one(op, W16, neg)),
    registers("NEGN_2X32", |op| one(op, W32, neg)),
    registers("NEGSNX16", |op| one(op, W16, negs)),
    registers("NOT2NX8", |op| one(op, W8, not)),
    registers("ADD2NX8T", |op| two_t(op, W8, add)),
    registers("ADDNX16T", |op| two_t(op, W16, add)),
    registers("ADDN_2X32T", |op| two_t(op, W32, add)),
    registers("ADDSNX16T", |op| two_t(op, W16, adds)),
    registers("SUB2NX8T", |op| two_t(op, W8, sub)),
    registers("SUBNX16T", |op| two_t(op, W16, sub)),
    registers("SUBN_2X32T", |op| two_t(op, W32, sub)),
    registers("SUBSNX16T", |op| two_t(op, W16, subs)),
    registers("MAXNX16T", |op| two_t(op, W16, max)),
    registers("MAXUNX16T", |op| two_t(op, W16, maxu)),
    registers("MINNX16T", |op| two_t(op, W16, min)),
    registers("MINUNX16T", |op| two_t(op, W16, minu)),
    registers("NEG2NX8T", |op| one_t(op, W8, neg)),
    registers("NEGNX16T", |op| one_t(op, W16, neg)),
    registers("NEGN_2X32T", |op| one_t(op, W32, neg)),
    registers("NEGSNX16T", |op| one_t(op, W16, negs)),
];
