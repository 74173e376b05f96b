//! Predicate registers: tail masks and predicate folds (spec 04 section 8.5), and the bitwise
//! predicate ALU (section 10). The bitwise ops take no element width.

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{fields, predicate};
use super::operation::Operation;
use super::{Row, registers};

/// Lanes `l < t` get `F(1)`, the others 0.
fn tail_mask(w: Width, t: usize) -> u64 {
    fields(w, |l| l < t)
}

/// `LTRN`, `LTR2N`, `LTRN_2`, `q`:o `a`:i: `t = A.a mod N`, so a count equal to the lane count
/// selects no lane (V-25).
fn ltr(op: &mut Operation<'_>, w: Width) {
    let t = op.ar(1) as usize % w.lanes();
    op.set_vbool(0, tail_mask(w, t));
}

/// `LTRNI`, `LTR2NI`, `LTRN_2I`, `q`:o `imm`: `t = imm mod N`.
fn ltr_i(op: &mut Operation<'_>, w: Width) {
    let t = op.imm(1).rem_euclid(w.lanes() as i64) as usize;
    op.set_vbool(0, tail_mask(w, t));
}

/// `LTRSN`, `LTRS2N`, `LTRSN_2`, `q`:o `a`:i: `t = clamp(A.a, 0, N)`, the count signed (V-25).
fn ltrs(op: &mut Operation<'_>, w: Width) {
    let t = (op.ar(1) as i32).clamp(0, w.lanes() as i32) as usize;
    op.set_vbool(0, tail_mask(w, t));
}

/// `RANDBN`, `RANDB2N`, `RANDBN_2`, `qd`:o `q`:i: bit 0 := AND over the lanes, the rest 0 (V-26).
fn randb(op: &mut Operation<'_>, w: Width) {
    let q = op.vbool(1);
    let all = (0..w.lanes()).all(|l| predicate(w, q, l));
    op.set_vbool(0, u64::from(all));
}

/// `RORBN`, `RORB2N`, `RORBN_2`, `qd`:o `q`:i: bit 0 := OR over the lanes, the rest 0.
fn rorb(op: &mut Operation<'_>, w: Width) {
    let q = op.vbool(1);
    let any = (0..w.lanes()).any(|l| predicate(w, q, l));
    op.set_vbool(0, u64::from(any));
}

/// `ANDB`, `ORB`, `XORB`, `ANDNOTB`, `ORNOTB`, `qd`:o `qx`:i `qy`:i.
fn bitwise(op: &mut Operation<'_>, rule: fn(u64, u64) -> u64) {
    let value = rule(op.vbool(1), op.vbool(2));
    op.set_vbool(0, value);
}

/// `NOTB`, `qd`:o `qx`:i.
fn notb(op: &mut Operation<'_>) {
    op.set_vbool(0, !op.vbool(1));
}

pub(super) const ROWS: &[Row] = &[
    registers("LTRN", |op| ltr(op, W16)),
    registers("LTR2N", |op| ltr(op, W8)),
    registers("LTRN_2", |op| ltr(op, W32)),
    registers("LTRNI", |op| ltr_i(op, W16)),
    registers("LTR2NI", |op| ltr_i(op, W8)),
    registers("LTRN_2I", |op| ltr_i(op, W32)),
    registers("LTRSN", |op| ltrs(op, W16)),
    registers("LTRS2N", |op| ltrs(op, W8)),
    registers("LTRSN_2", |op| ltrs(op, W32)),
    registers("RANDBN", |op| randb(op, W16)),
    registers("RANDB2N", |op| randb(op, W8)),
    registers("RANDBN_2", |op| randb(op, W32)),
    registers("RORBN", |op| rorb(op, W16)),
    registers("RORB2N", |op| rorb(op, W8)),
    registers("RORBN_2", |op| rorb(op, W32)),
    registers("ANDB", |op| bitwise(op, |x, y| x & y)),
    registers("ORB", |op| bitwise(op, |x, y| x | y)),
    registers("XORB", |op| bitwise(op, |x, y| x ^ y)),
    registers("ANDNOTB", |op| bitwise(op, |x, y| x & !y)),
    registers("ORNOTB", |op| bitwise(op, |x, y| x | !y)),
    registers("NOTB", notb),
];
