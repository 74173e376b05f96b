//! Integer compares and the flagged ALU forms (spec 04 section 9): every lane writes its whole
//! predicate field.

use super::alu::{One, Two, abs, abssub, abssubu, max, maxu, min, minu};
use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{each_lane, fields, lane, signed};
use super::operation::Operation;
use super::{Row, registers};

/// A relation between two lanes.
type Relation = fn(Width, u32, u32) -> bool;

/// `EQ`.
fn eq(_: Width, x: u32, y: u32) -> bool {
    x == y
}

/// `NEQ`.
fn neq(_: Width, x: u32, y: u32) -> bool {
    x != y
}

/// `LT`: signed.
fn lt(w: Width, x: u32, y: u32) -> bool {
    signed(w, x) < signed(w, y)
}

/// `LE`: signed.
fn le(w: Width, x: u32, y: u32) -> bool {
    signed(w, x) <= signed(w, y)
}

/// `LTU`: unsigned.
fn ltu(_: Width, x: u32, y: u32) -> bool {
    x < y
}

/// `LEU`: unsigned.
fn leu(_: Width, x: u32, y: u32) -> bool {
    x <= y
}

/// Strictly greater, signed: the flag of `BMAX`.
fn gt(w: Width, x: u32, y: u32) -> bool {
    signed(w, x) > signed(w, y)
}

/// Strictly greater, unsigned: the flag of `BMAXU`.
fn gtu(_: Width, x: u32, y: u32) -> bool {
    x > y
}

/// `EQ` … `LEU`, `q`:o `vx`:i `vy`:i: `q` field := `F_w(x rel y)`.
fn compare(op: &mut Operation<'_>, w: Width, relation: Relation) {
    let (vx, vy) = (op.vec(1), op.vec(2));
    op.set_vbool(0, fields(w, |l| relation(w, lane(vx, w, l), lane(vy, w, l))));
}

/// `BMAX`, `BMIN`, `BABSSUB` and the unsigned forms, `vd`:o `q`:o `vx`:i `vy`:i.
fn flagged_two(op: &mut Operation<'_>, w: Width, rule: Two, relation: Relation) {
    let (vx, vy) = (op.vec(2), op.vec(3));
    op.set_vec(0, each_lane(w, |l| rule(w, lane(vx, w, l), lane(vy, w, l))));
    op.set_vbool(1, fields(w, |l| relation(w, lane(vx, w, l), lane(vy, w, l))));
}

/// `BABS`, `vd`:o `q`:o `vx`:i: flag `s(x) < 0`.
fn babs(op: &mut Operation<'_>, w: Width, rule: One) {
    let vx = op.vec(2);
    op.set_vec(0, each_lane(w, |l| rule(w, lane(vx, w, l))));
    op.set_vbool(1, fields(w, |l| signed(w, lane(vx, w, l)) < 0));
}

pub(super) const ROWS: &[Row] = &[
    registers("EQ2NX8", |op| compare(op, W8, eq)),
    registers("EQNX16", |op| compare(op, W16, eq)),
    registers("EQN_2X32", |op| compare(op, W32, eq)),
    registers("NEQ2NX8", |op| compare(op, W8, neq)),
    registers("NEQNX16", |op| compare(op, W16, neq)),
    registers("NEQN_2X32", |op| compare(op, W32, neq)),
    registers("LT2NX8", |op| compare(op, W8, lt)),
    registers("LTNX16", |op| compare(op, W16, lt)),
    registers("LTN_2X32", |op| compare(op, W32, lt)),
    registers("LTU2NX8", |op| compare(op, W8, ltu)),
    registers("LTUNX16", |op| compare(op, W16, ltu)),
    registers("LTUN_2X32", |op| compare(op, W32, ltu)),
    registers("LE2NX8", |op| compare(op, W8, le)),
    registers("LENX16", |op| compare(op, W16, le)),
    registers("LEN_2X32", |op| compare(op, W32, le)),
    registers("LEU2NX8", |op| compare(op, W8, leu)),
    registers("LEUNX16", |op| compare(op, W16, leu)),
    registers("LEUN_2X32", |op| compare(op, W32, leu)),
    registers("BMAX2NX8", |op| flagged_two(op, W8, max, gt)),
    registers("BMAXNX16", |op| flagged_two(op, W16, max, gt)),
    registers("BMAXN_2X32", |op| flagged_two(op, W32, max, gt)),
    registers("BMAXU2NX8", |op| flagged_two(op, W8, maxu, gtu)),
    registers("BMAXUNX16", |op| flagged_two(op, W16, maxu, gtu)),
    registers("BMAXUN_2X32", |op| flagged_two(op, W32, maxu, gtu)),
    registers("BMIN2NX8", |op| flagged_two(op, W8, min, lt)),
    registers("BMINNX16", |op| flagged_two(op, W16, min, lt)),
    registers("BMINN_2X32", |op| flagged_two(op, W32, min, lt)),
    registers("BMINU2NX8", |op| flagged_two(op, W8, minu, ltu)),
    registers("BMINUNX16", |op| flagged_two(op, W16, minu, ltu)),
    registers("BMINUN_2X32", |op| flagged_two(op, W32, minu, ltu)),
    registers("BABSSUB2NX8", |op| flagged_two(op, W8, abssub, lt)),
    registers("BABSSUBNX16", |op| flagged_two(op, W16, abssub, lt)),
    registers("BABSSUBU2NX8", |op| flagged_two(op, W8, abssubu, ltu)),
    registers("BABSSUBUNX16", |op| flagged_two(op, W16, abssubu, ltu)),
    registers("BABS2NX8", |op| babs(op, W8, abs)),
    registers("BABSNX16", |op| babs(op, W16, abs)),
    registers("BABSN_2X32", |op| babs(op, W32, abs)),
];
