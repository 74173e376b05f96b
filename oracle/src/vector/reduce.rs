//! Integer reductions: sums, extrema, extrema with flags, and their predicated forms (spec 04
//! sections 8.1 to 8.3). The `NUM` folds are next door.

use super::lanes::Width::{self, W8, W16, W32};
use super::lanes::{
    Exact, each_lane, fields, lane, predicate, saturate, signed, truncate, unsigned,
};
use super::operation::Operation;
use super::{Row, registers};
use contract::profile::RbTie;
use contract::state::{LINE, Line};

/// The lanes that take part in a fold; `N(w)` of them.
pub(super) struct Lanes {
    values: [u32; 64],
    count: usize,
}

impl Lanes {
    /// All lanes of a register; those with a false predicate are replaced by the identity
    /// (section 8.3).
    pub(super) fn of(w: Width, vx: &Line, live: impl Fn(usize) -> bool, identity: u32) -> Self {
        let mut values = [0; 64];
        for (l, value) in values.iter_mut().enumerate().take(w.lanes()) {
            *value = if live(l) { lane(vx, w, l) } else { identity };
        }
        Self { values, count: w.lanes() }
    }

    /// In lane order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.values[..self.count].iter().copied()
    }
}

/// A fold: the value of killed lanes, and the result, of `r` bits, from the lanes.
struct Fold {
    identity: fn(Width) -> u32,
    result: fn(Width, &Lanes) -> u32,
}

/// Sum of the signed lanes, not yet cut.
fn signed_sum(w: Width, lanes: &Lanes) -> Exact {
    lanes.iter().map(|x| signed(w, x)).sum()
}

/// `RADD2NX8`: 16 bits, cannot overflow.
const RADD_8: Fold =
    Fold { identity: |_| 0, result: |w, lanes| truncate(W16, signed_sum(w, lanes)) };

/// `RADDNX16`: 32 bits, cannot overflow. `RADDN_2X32`: 32 bits, wraps.
const RADD: Fold = Fold { identity: |_| 0, result: |w, lanes| truncate(W32, signed_sum(w, lanes)) };

/// `RADDU…`: the exact unsigned sum.
const RADDU: Fold =
    Fold { identity: |_| 0, result: |_, lanes| truncate(W32, lanes.iter().map(unsigned).sum()) };

/// `RADDSNX16`: one clamp after the exact sum (V-23).
const RADDS: Fold = Fold { identity: |_| 0, result: |w, lanes| saturate(w, signed_sum(w, lanes)) };

/// `RMAX…`: signed maximum; identity `-2^(w-1)`.
const RMAX: Fold = Fold {
    identity: |w| truncate(w, -(1 << (w.bits() - 1))),
    result: |w, lanes| extremum(lanes, |x, best| signed(w, x) > signed(w, best)),
};

/// `RMIN…`: signed minimum; identity `2^(w-1)-1`.
const RMIN: Fold = Fold {
    identity: |w| truncate(w, (1 << (w.bits() - 1)) - 1),
    result: |w, lanes| extremum(lanes, |x, best| signed(w, x) < signed(w, best)),
};

/// `RMAXU…`: unsigned maximum; identity 0.
const RMAXU: Fold =
    Fold { identity: |_| 0, result: |_, lanes| extremum(lanes, |x, best| x > best) };

/// `RMINU…`: unsigned minimum; identity `2^w-1`.
const RMINU: Fold =
    Fold { identity: |w| truncate(w, -1), result: |_, lanes| extremum(lanes, |x, best| x < best) };

/// The lane that is better than every other.
fn extremum(lanes: &Lanes, better: impl Fn(u32, u32) -> bool) -> u32 {
    lanes.iter().reduce(|best, x| if better(x, best) { x } else { best }).unwrap_or(0)
}

/// Write-back of the `R…` forms (V-22): the result fills the low `r` bits, all higher bits become
/// zero. Results narrower than 32 bits come zero-extended.
pub(super) fn low_bits(result: u32) -> Line {
    let mut vd = Line([0; LINE]);
    vd.0[..4].copy_from_slice(&result.to_le_bytes());
    vd
}

/// Flags of the `RB…` forms: the tied lanes, or the lowest of them (V-02).
pub(super) fn flags(tie: RbTie, w: Width, tied: impl Fn(usize) -> bool) -> u64 {
    match tie {
        RbTie::Union => fields(w, tied),
        RbTie::Lowest => {
            let lowest = (0..w.lanes()).find(|&l| tied(l));
            fields(w, |l| Some(l) == lowest)
        }
    }
}

/// `R…`, `vd`:o `vx`:i.
fn reduce(op: &mut Operation<'_>, w: Width, fold: &Fold) {
    let lanes = Lanes::of(w, op.vec(1), |_| true, 0);
    op.set_vec(0, low_bits((fold.result)(w, &lanes)));
}

/// `R…T`, `vd`:o `vx`:i `q`:i: killed lanes become the identity, the result overwrites (V-24).
fn reduce_t(op: &mut Operation<'_>, w: Width, fold: &Fold) {
    let q = op.vbool(2);
    let lanes = Lanes::of(w, op.vec(1), |l| predicate(w, q, l), (fold.identity)(w));
    op.set_vec(0, low_bits((fold.result)(w, &lanes)));
}

/// `RB…`, `vd`:o `q`:o `vx`:i: the extremum in every lane, flags where it was found (section 8.2).
fn reduce_flag(op: &mut Operation<'_>, w: Width, fold: &Fold) {
    let vx = op.vec(2);
    let result = (fold.result)(w, &Lanes::of(w, vx, |_| true, 0));
    op.set_vec(0, each_lane(w, |_| result));
    op.set_vbool(1, flags(op.state.profile.rb_tie, w, |l| lane(vx, w, l) == result));
}

pub(super) const ROWS: &[Row] = &[
    registers("RADD2NX8", |op| reduce(op, W8, &RADD_8)),
    registers("RADDNX16", |op| reduce(op, W16, &RADD)),
    registers("RADDN_2X32", |op| reduce(op, W32, &RADD)),
    registers("RADDU2NX8", |op| reduce(op, W8, &RADDU)),
    registers("RADDUNX16", |op| reduce(op, W16, &RADDU)),
    registers("RADDSNX16", |op| reduce(op, W16, &RADDS)),
    registers("RADD2NX8T", |op| reduce_t(op, W8, &RADD_8)),
    registers("RADDNX16T", |op| reduce_t(op, W16, &RADD)),
    registers("RADDN_2X32T", |op| reduce_t(op, W32, &RADD)),
    registers("RADDU2NX8T", |op| reduce_t(op, W8, &RADDU)),
    registers("RADDUNX16T", |op| reduce_t(op, W16, &RADDU)),
    registers("RADDSNX16T", |op| reduce_t(op, W16, &RADDS)),
    registers("RMAX2NX8", |op| reduce(op, W8, &RMAX)),
    registers("RMAXNX16", |op| reduce(op, W16, &RMAX)),
    registers("RMAXN_2X32", |op| reduce(op, W32, &RMAX)),
    registers("RMAXU2NX8", |op| reduce(op, W8, &RMAXU)),
    registers("RMAXUNX16", |op| reduce(op, W16, &RMAXU)),
    registers("RMAXUN_2X32", |op| reduce(op, W32, &RMAXU)),
    registers("RMIN2NX8", |op| reduce(op, W8, &RMIN)),
    registers("RMINNX16", |op| reduce(op, W16, &RMIN)),
    registers("RMINN_2X32", |op| reduce(op, W32, &RMIN)),
    registers("RMINU2NX8", |op| reduce(op, W8, &RMINU)),
    registers("RMINUNX16", |op| reduce(op, W16, &RMINU)),
    registers("RMINUN_2X32", |op| reduce(op, W32, &RMINU)),
    registers("RMAXNX16T", |op| reduce_t(op, W16, &RMAX)),
    registers("RMAXUNX16T", |op| reduce_t(op, W16, &RMAXU)),
    registers("RMINNX16T", |op| reduce_t(op, W16, &RMIN)),
    registers("RMINUNX16T", |op| reduce_t(op, W16, &RMINU)),
    registers("RBMAX2NX8", |op| reduce_flag(op, W8, &RMAX)),
    registers("RBMAXNX16", |op| reduce_flag(op, W16, &RMAX)),
    registers("RBMAXN_2X32", |op| reduce_flag(op, W32, &RMAX)),
    registers("RBMAXU2NX8", |op| reduce_flag(op, W8, &RMAXU)),
    registers("RBMAXUNX16", |op| reduce_flag(op, W16, &RMAXU)),
    registers("RBMAXUN_2X32", |op| reduce_flag(op, W32, &RMAXU)),
    registers("RBMIN2NX8", |op| reduce_flag(op, W8, &RMIN)),
    registers("RBMINNX16", |op| reduce_flag(op, W16, &RMIN)),
    registers("RBMINN_2X32", |op| reduce_flag(op, W32, &RMIN)),
    registers("RBMINU2NX8", |op| reduce_flag(op, W8, &RMINU)),
    registers("RBMINUNX16", |op| reduce_flag(op, W16, &RMINU)),
    registers("RBMINUN_2X32", |op| reduce_flag(op, W32, &RMINU)),
];
