//! Reductions across lanes (spec 04 sections 8.1 to 8.4): butterflies. Every step combines the
//! register with itself, neighbouring blocks exchanged, so that after the last step every lane holds
//! the result. Floats are compared as integers: a sign-magnitude pattern becomes the two's complement
//! integer of the same order, with -0 just below +0.

use super::lanes::Lanes;
use super::predicate::{ALL_WIDTHS, Width, by_width, lane_mask};
use super::step::Step;
use super::table::Rows;
use contract::profile::RbTie;
use contract::state::{LINE, Line};

/// Which end of the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extremum {
    Max,
    Min,
}

/// How lanes are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Signed,
    Unsigned,
}

/// What an op of the family does. `predicated` adds `vbr` as the last operand.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReduceOp {
    /// `RADD`, `RADDU`: `vt, vr`
    Sum { order: Order, width: Width, predicated: bool },
    /// `RADDSNX16`
    SumSaturating { predicated: bool },
    /// `RMAX`, `RMIN`, …: `vt, vr`; flagged (`RB…`): `vt, vbt, vr`
    Integer { which: Extremum, order: Order, width: Width, predicated: bool, flagged: bool },
    /// `R…NUM…`, `RB…NUM…`
    Number { which: Extremum, width: Width, predicated: bool, flagged: bool },
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, ReduceOp>) {
    use Width::{W8, W16, W32};
    for predicated in [false, true] {
        let t = if predicated { "T" } else { "" };
        for &width in ALL_WIDTHS {
            let op = ReduceOp::Sum { order: Order::Signed, width, predicated };
            rows.add(&format!("RADD{}{t}", width.suffix()), op);
        }
        for width in [W8, W16] {
            let op = ReduceOp::Sum { order: Order::Unsigned, width, predicated };
            rows.add(&format!("RADDU{}{t}", width.suffix()), op);
        }
        rows.add(&format!("RADDSNX16{t}"), ReduceOp::SumSaturating { predicated });
        for (stem, which) in [("MAX", Extremum::Max), ("MIN", Extremum::Min)] {
            for (u, order) in [("", Order::Signed), ("U", Order::Unsigned)] {
                let op =
                    |width, flagged| ReduceOp::Integer { which, order, width, predicated, flagged };
                if predicated {
                    rows.add(&format!("R{stem}{u}NX16T"), op(W16, false));
                    continue;
                }
                for &width in ALL_WIDTHS {
                    let suffix = width.suffix();
                    rows.add(&format!("R{stem}{u}{suffix}"), op(width, false));
                    rows.add(&format!("RB{stem}{u}{suffix}"), op(width, true));
                }
            }
            for (suffix, width) in [("NXF16", W16), ("N_2XF32", W32)] {
                for (r, flagged) in [("R", false), ("RB", true)] {
                    let op = ReduceOp::Number { which, width, predicated, flagged };
                    rows.add(&format!("{r}{stem}NUM{suffix}{t}"), op);
                }
            }
        }
    }
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: ReduceOp, step: &mut Step<'_>) {
    match op {
        ReduceOp::Sum { order, width, predicated } => {
            let live = live_mask(width, predicated, 2, step);
            let x = L::blend(live, step.vec(1), L::zero());
            match width {
                // 64 bytes sum to 15 bits at most.
                Width::W8 => set_low(step, sum_bytes(order, x), 2),
                Width::W16 => set_low(step, sum_halves(order, x), 4),
                Width::W32 => set_low(step, butterfly::<L, 32>(Fold::Sum, x).low32(), 4),
            }
        }
        ReduceOp::SumSaturating { predicated } => {
            let live = live_mask(Width::W16, predicated, 2, step);
            let x = L::blend(live, step.vec(1), L::zero());
            let sum = sum_halves(Order::Signed, x).cast_signed();
            let clamped = sum.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
            set_low(step, clamped.cast_unsigned(), 2);
        }
        ReduceOp::Integer { which, order, width, predicated, flagged } => {
            by_width!(width, W => integer::<L, W>(which, order, width, predicated, flagged, step));
        }
        ReduceOp::Number { which, width: Width::W32, predicated, flagged } => {
            number::<L, 32>(which, Width::W32, predicated, flagged, step);
        }
        ReduceOp::Number { which, predicated, flagged, .. } => {
            number::<L, 16>(which, Width::W16, predicated, flagged, step);
        }
    }
}

/// Lanes that take part: all, or those whose predicate, at this operand position, is true.
#[inline(always)]
fn live_mask(width: Width, predicated: bool, position: usize, step: &Step<'_>) -> u64 {
    if predicated { by_width!(width, W => lane_mask::<W>(step.vbool(position))) } else { !0 }
}

/// Writes the low `bytes` of a result, and zero above (V-22).
#[inline(always)]
fn set_low(step: &mut Step<'_>, value: u32, bytes: usize) {
    let mut line = Line([0; LINE]);
    line.0[..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
    step.set_line(0, line);
}

/// How two lanes become one.
#[derive(Debug, Clone, Copy)]
enum Fold {
    Sum,
    Extremum(Extremum, Order),
}

/// Folds all `W`-bit lanes; every lane of the result holds the total.
#[inline(always)]
fn butterfly<L: Lanes, const W: u32>(fold: Fold, x: L) -> L {
    let mut x = combine::<L, W>(fold, x, x.exchange::<32>());
    x = combine::<L, W>(fold, x, x.exchange::<16>());
    x = combine::<L, W>(fold, x, x.exchange::<8>());
    x = combine::<L, W>(fold, x, x.exchange::<4>());
    if W <= 16 {
        x = combine::<L, W>(fold, x, x.exchange::<2>());
    }
    if W <= 8 {
        x = combine::<L, W>(fold, x, x.exchange::<1>());
    }
    x
}

#[inline(always)]
fn combine<L: Lanes, const W: u32>(fold: Fold, a: L, b: L) -> L {
    match fold {
        Fold::Sum => a.add::<W>(b),
        Fold::Extremum(Extremum::Max, Order::Signed) => a.max_signed::<W>(b),
        Fold::Extremum(Extremum::Max, Order::Unsigned) => a.max_unsigned::<W>(b),
        Fold::Extremum(Extremum::Min, Order::Signed) => a.min_signed::<W>(b),
        Fold::Extremum(Extremum::Min, Order::Unsigned) => a.min_unsigned::<W>(b),
    }
}

/// Sum of all bytes: neighbours joined to half-words first, then half-words.
#[inline(always)]
fn sum_bytes<L: Lanes>(order: Order, x: L) -> u32 {
    let pairs = match order {
        Order::Signed => {
            let low = x.shift_left::<16>(8).shift_right_signed::<16>(8);
            low.add::<16>(x.shift_right_signed::<16>(8))
        }
        Order::Unsigned => x.and(L::splat::<16>(0xff)).add::<16>(x.shift_right::<16>(8)),
    };
    butterfly::<L, 16>(Fold::Sum, pairs).low32()
}

/// Sum of all half-words, as [`sum_bytes`]; exact in 32 bits.
#[inline(always)]
fn sum_halves<L: Lanes>(order: Order, x: L) -> u32 {
    let pairs = match order {
        Order::Signed => x.multiply_add_pairs_16(L::splat::<16>(1)),
        Order::Unsigned => x.and(L::splat::<32>(0xffff)).add::<32>(x.shift_right::<32>(16)),
    };
    butterfly::<L, 32>(Fold::Sum, pairs).low32()
}

/// Value that never wins.
#[inline(always)]
const fn identity<const W: u32>(which: Extremum, order: Order) -> u32 {
    let least = match order {
        Order::Signed => 1 << (W - 1),
        Order::Unsigned => 0_u32,
    };
    // The low W bits count.
    match which {
        Extremum::Max => least,
        Extremum::Min => !least,
    }
}

#[inline(always)]
fn integer<L: Lanes, const W: u32>(
    which: Extremum,
    order: Order,
    width: Width,
    predicated: bool,
    flagged: bool,
    step: &mut Step<'_>,
) {
    let source = if flagged { 2 } else { 1 };
    let live = live_mask(width, predicated, source + 1, step);
    let x = L::blend(live, step.vec(source), L::splat::<W>(identity::<W>(which, order)));
    let best = butterfly::<L, W>(Fold::Extremum(which, order), x);
    if flagged {
        let ties = x.equal::<W>(best) & live;
        set_flagged::<L, W>(step, best, ties);
    } else {
        set_low(step, best.low32(), W as usize / 8);
    }
}

/// Writes the extremum to every lane and flags the tied ones, or the lowest of them (V-02).
#[inline(always)]
fn set_flagged<L: Lanes, const W: u32>(step: &mut Step<'_>, best: L, ties: u64) {
    let flags = match step.state.profile.rb_tie {
        RbTie::Union => ties,
        RbTie::Lowest => lane_mask::<W>(ties & ties.wrapping_neg()),
    };
    step.set_vec(0, best);
    step.set_vbool(1, flags);
}

/// The NUM rule (spec 04 section 8.4).
#[inline(always)]
fn number<L: Lanes, const W: u32>(
    which: Extremum,
    width: Width,
    predicated: bool,
    flagged: bool,
    step: &mut Step<'_>,
) {
    let sign = 1_u32 << (W - 1);
    let (infinity, quiet) = if W == 16 { (0x7c00, 0x0200) } else { (0x7f80_0000, 0x0040_0000) };
    let source = if flagged { 2 } else { 1 };
    let live = live_mask(width, predicated, source + 1, step);
    let x: L = step.vec(source);

    let magnitude = x.and(L::splat::<W>(!sign));
    let nan = magnitude.greater_signed::<W>(L::splat::<W>(infinity));
    let quiet_lanes = x.and(L::splat::<W>(quiet)).equal::<W>(L::splat::<W>(quiet));
    step.raise_invalid(nan & live & !quiet_lanes != 0);

    // Killed lanes are infinities that lose, and numbers (V-37); NaN lanes give way to the same.
    let loser = match which {
        Extremum::Max => infinity | sign,
        Extremum::Min => infinity,
    };
    let numbers = L::blend(live & !nan, x, L::splat::<W>(loser));
    let best = if live & nan == !0 {
        L::splat::<W>(infinity | quiet)
    } else {
        let fold = Fold::Extremum(which, Order::Signed);
        ordered::<L, W>(butterfly::<L, W>(fold, ordered::<L, W>(numbers)))
    };
    if flagged {
        let ties = x.equal::<W>(best) & live & !nan;
        set_flagged::<L, W>(step, best, ties);
    } else {
        set_low(step, best.low32(), W as usize / 8);
    }
}

/// Float patterns to integers of the same order, and back: magnitudes of negative values flip.
#[inline(always)]
fn ordered<L: Lanes, const W: u32>(x: L) -> L {
    let negative = x.shift_right_signed::<W>(W - 1);
    x.xor(negative.and(L::splat::<W>((1 << (W - 1)) - 1)))
}
