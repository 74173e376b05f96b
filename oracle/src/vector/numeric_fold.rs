//! `NUM` reductions over fp16 and fp32 lanes (spec 04 sections 8.3 and 8.4): NaN lanes are dropped,
//! a signalling one raises V, and −0 lies below +0 (V-33). Only bits are compared; nothing is
//! computed.

use super::lanes::Width::{self, W16, W32};
use super::lanes::{Exact, each_lane, lane, predicate};
use super::operation::Operation;
use super::reduce::{Lanes, flags, low_bits};
use super::{Row, registers};
use contract::state::Line;

/// Bit fields of a floating format.
struct Format {
    width: Width,
    sign: u32,
    exponent: u32,
    fraction: u32,
    /// Top fraction bit: clear in a signalling NaN.
    quiet: u32,
    /// The NaN of a fold without numbers.
    canonical_nan: u32,
}

const F16: &Format = &Format {
    width: W16,
    sign: 0x8000,
    exponent: 0x7c00,
    fraction: 0x03ff,
    quiet: 0x0200,
    canonical_nan: 0x7e00,
};

const F32: &Format = &Format {
    width: W32,
    sign: 0x8000_0000,
    exponent: 0x7f80_0000,
    fraction: 0x007f_ffff,
    quiet: 0x0040_0000,
    canonical_nan: 0x7fc0_0000,
};

impl Format {
    /// Rule 1: exponent all ones, fraction not zero.
    fn is_nan(&self, x: u32) -> bool {
        x & self.exponent == self.exponent && x & self.fraction != 0
    }

    /// Rule 1: a NaN whose top fraction bit is 0.
    fn is_signalling(&self, x: u32) -> bool {
        self.is_nan(x) && x & self.quiet == 0
    }

    /// A key in the order of rule 3: by value, −0 below +0. Different bits have different keys.
    fn order(&self, x: u32) -> Exact {
        let magnitude = Exact::from(x & !self.sign);
        if x & self.sign == 0 { magnitude } else { -1 - magnitude }
    }

    /// Infinity of a sign.
    fn infinity(&self, negative: bool) -> u32 {
        if negative { self.exponent | self.sign } else { self.exponent }
    }
}

/// Which extremum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extremum {
    Max,
    Min,
}
use Extremum::{Max, Min};

/// What a fold found.
struct Found {
    /// The number, or `None` if every lane that took part is a NaN (rule 4).
    number: Option<u32>,
    /// A signalling NaN took part (rule 2).
    invalid: bool,
}

/// Rules 2 to 4. Killed lanes take part as the identity: max −∞, min +∞ (section 8.3, V-37).
fn fold(format: &Format, extremum: Extremum, vx: &Line, live: impl Fn(usize) -> bool) -> Found {
    let identity = format.infinity(extremum == Max);
    let lanes = Lanes::of(format.width, vx, live, identity);
    let numbers = lanes.iter().filter(|&x| !format.is_nan(x));
    let number = match extremum {
        Max => numbers.max_by_key(|&x| format.order(x)),
        Min => numbers.min_by_key(|&x| format.order(x)),
    };
    Found { number, invalid: lanes.iter().any(|x| format.is_signalling(x)) }
}

/// `R…NUM…`, `vd`:o `vx`:i, and `R…NUM…T` with `q`:i.
fn write_low(op: &mut Operation<'_>, format: &Format, found: &Found) {
    op.set_vec(0, low_bits(found.number.unwrap_or(format.canonical_nan)));
    if found.invalid {
        op.raise_invalid();
    }
}

/// `RB…NUM…`, `vd`:o `q`:o `vx`:i, and `RB…NUM…T` with `q`:i: the result in every lane; flags on
/// the live lanes whose bits equal it, none if it is the canonical NaN (rule 5).
fn write_flagged(
    op: &mut Operation<'_>,
    format: &Format,
    found: &Found,
    live: impl Fn(usize) -> bool,
) {
    let (w, vx) = (format.width, op.vec(2));
    let result = found.number.unwrap_or(format.canonical_nan);
    op.set_vec(0, each_lane(w, |_| result));
    let tied = |l| live(l) && Some(lane(vx, w, l)) == found.number;
    op.set_vbool(1, flags(op.state.profile.rb_tie, w, tied));
    if found.invalid {
        op.raise_invalid();
    }
}

/// `RMAXNUM…`, `RMINNUM…`.
fn reduce_num(op: &mut Operation<'_>, format: &Format, extremum: Extremum) {
    let found = fold(format, extremum, op.vec(1), |_| true);
    write_low(op, format, &found);
}

/// `RMAXNUM…T`, `RMINNUM…T`.
fn reduce_num_t(op: &mut Operation<'_>, format: &Format, extremum: Extremum) {
    let q = op.vbool(2);
    let found = fold(format, extremum, op.vec(1), |l| predicate(format.width, q, l));
    write_low(op, format, &found);
}

/// `RBMAXNUM…`, `RBMINNUM…`.
fn reduce_num_flag(op: &mut Operation<'_>, format: &Format, extremum: Extremum) {
    let found = fold(format, extremum, op.vec(2), |_| true);
    write_flagged(op, format, &found, |_| true);
}

/// `RBMAXNUM…T`, `RBMINNUM…T`.
fn reduce_num_flag_t(op: &mut Operation<'_>, format: &Format, extremum: Extremum) {
    let q = op.vbool(3);
    let live = |l| predicate(format.width, q, l);
    let found = fold(format, extremum, op.vec(2), live);
    write_flagged(op, format, &found, live);
}

pub(super) const ROWS: &[Row] = &[
    registers("RMAXNUMNXF16", |op| reduce_num(op, F16, Max)),
    registers("RMAXNUMN_2XF32", |op| reduce_num(op, F32, Max)),
    registers("RMINNUMNXF16", |op| reduce_num(op, F16, Min)),
    registers("RMINNUMN_2XF32", |op| reduce_num(op, F32, Min)),
    registers("RMAXNUMNXF16T", |op| reduce_num_t(op, F16, Max)),
    registers("RMAXNUMN_2XF32T", |op| reduce_num_t(op, F32, Max)),
    registers("RMINNUMNXF16T", |op| reduce_num_t(op, F16, Min)),
    registers("RMINNUMN_2XF32T", |op| reduce_num_t(op, F32, Min)),
    registers("RBMAXNUMNXF16", |op| reduce_num_flag(op, F16, Max)),
    registers("RBMAXNUMN_2XF32", |op| reduce_num_flag(op, F32, Max)),
    registers("RBMINNUMNXF16", |op| reduce_num_flag(op, F16, Min)),
    registers("RBMINNUMN_2XF32", |op| reduce_num_flag(op, F32, Min)),
    registers("RBMAXNUMNXF16T", |op| reduce_num_flag_t(op, F16, Max)),
    registers("RBMAXNUMN_2XF32T", |op| reduce_num_flag_t(op, F32, Max)),
    registers("RBMINNUMNXF16T", |op| reduce_num_flag_t(op, F16, Min)),
    registers("RBMINNUMN_2XF32T", |op| reduce_num_flag_t(op, F32, Min)),
];
