//! Shifts, rotates and normalisation (spec 04 section 7).

use super::crossbar::lane_index;
use super::lanes::Lanes;
use super::predicate::{ALL_WIDTHS, Width, by_width};
use super::step::Step;
use super::table::Rows;
use contract::profile::RotrMode;

/// A shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    /// `SLL`
    Left,
    /// `SRL`
    Right,
    /// `SRA`
    RightSigned,
    /// `SLS`
    LeftSaturating,
    /// `SRS`: right, and saturating to the left for negative amounts.
    RightSaturating,
}

/// What an op of the family does; operands `vt, vr`, then the amount.
#[derive(Debug, Clone, Copy)]
pub(super) enum ShiftOp {
    /// Every lane by its lane of `vs`.
    Variable(Shift, Width),
    /// Every lane by an immediate.
    Immediate(Shift, Width),
    /// `ROTR` by lanes of `vs`.
    RotateVariable(Width),
    /// `ROTRI`
    RotateImmediate(Width),
    /// `NSA`
    Normalise(Width),
    /// `NSAU`
    LeadingZeros(Width),
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, ShiftOp>) {
    for &width in &[Width::W16, Width::W32] {
        let suffix = width.suffix();
        for (stem, shift) in [
            ("SLL", Shift::Left),
            ("SRL", Shift::Right),
            ("SRA", Shift::RightSigned),
            ("SLS", Shift::LeftSaturating),
            ("SRS", Shift::RightSaturating),
        ] {
            rows.add(&format!("{stem}{suffix}"), ShiftOp::Variable(shift, width));
        }
        rows.add(&format!("ROTR{suffix}"), ShiftOp::RotateVariable(width));
        rows.add(&format!("NSA{suffix}"), ShiftOp::Normalise(width));
        rows.add(&format!("NSAU{suffix}"), ShiftOp::LeadingZeros(width));
    }
    for &width in ALL_WIDTHS {
        let suffix = width.suffix();
        for (stem, shift) in
            [("SLLI", Shift::Left), ("SRLI", Shift::Right), ("SRAI", Shift::RightSigned)]
        {
            rows.add(&format!("{stem}{suffix}"), ShiftOp::Immediate(shift, width));
        }
        rows.add(&format!("ROTRI{suffix}"), ShiftOp::RotateImmediate(width));
    }
}

/// Runs an expression with `W` as the width in bits of an op that has no 8-bit form.
macro_rules! by_lane_width {
    ($width:expr, $W:ident => $body:expr) => {
        if $width == Width::W32 {
            const $W: u32 = 32;
            $body
        } else {
            const $W: u32 = 16;
            $body
        }
    };
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: ShiftOp, step: &mut Step<'_>) {
    let x: L = step.vec(1);
    let mode = step.state.profile.rotr_mode;
    let result = match op {
        ShiftOp::Variable(shift, width) => {
            by_lane_width!(width, W => variable::<L, W>(shift, x, step.vec(2)))
        }
        ShiftOp::Immediate(shift, width) => {
            let amount = step.imm(2);
            by_width!(width, W => match shift {
                Shift::Right => right::<L, W>(x, amount),
                Shift::RightSigned => right_signed::<L, W>(x, amount),
                _ => left::<L, W>(x, amount),
            })
        }
        ShiftOp::RotateVariable(width) => by_lane_width!(width, W => match mode {
            RotrMode::Lane => rotate_lanes::<L, W>(x, step.vec(2)),
            RotrMode::Bit => {
                let amounts = step.vec::<L>(2).and(L::splat::<W>(W - 1));
                let back = L::splat::<W>(W).sub::<W>(amounts);
                x.shift_right_each::<W>(amounts).or(x.shift_left_each::<W>(back))
            }
        }),
        ShiftOp::RotateImmediate(width) => {
            let amount = step.imm(2);
            by_width!(width, W => match mode {
                RotrMode::Lane => rotate_lanes::<L, W>(x, L::splat::<W>(amount)),
                RotrMode::Bit => {
                    let amount = amount % W;
                    right::<L, W>(x, amount).or(left::<L, W>(x, W - amount))
                }
            })
        }
        ShiftOp::Normalise(width) => by_lane_width!(width, W => {
            let folded = x.xor(x.shift_right_signed::<W>(W - 1));
            leading_zeros::<L, W>(folded).sub::<W>(L::splat::<W>(1))
        }),
        ShiftOp::LeadingZeros(width) => by_lane_width!(width, W => leading_zeros::<L, W>(x)),
    };
    step.set_vec(0, result);
}

/// `L(x, n)` for one amount; bytes are shifted as half-words and the foreign bits cut.
#[inline(always)]
fn left<L: Lanes, const W: u32>(x: L, amount: u32) -> L {
    if W == 8 {
        x.shift_left::<16>(amount).and(L::splat::<8>(0xff_u32.checked_shl(amount).unwrap_or(0)))
    } else {
        x.shift_left::<W>(amount)
    }
}

/// `R(x, n)` for one amount.
#[inline(always)]
fn right<L: Lanes, const W: u32>(x: L, amount: u32) -> L {
    if W == 8 {
        x.shift_right::<16>(amount).and(L::splat::<8>(0xff_u32.checked_shr(amount).unwrap_or(0)))
    } else {
        x.shift_right::<W>(amount)
    }
}

/// `Q(x, n)` for one amount below `W`; a byte's shifted sign bit is extended by `(r ^ s) - s`.
#[inline(always)]
fn right_signed<L: Lanes, const W: u32>(x: L, amount: u32) -> L {
    if W == 8 {
        let sign = L::splat::<8>(0x80_u32.checked_shr(amount).unwrap_or(0));
        right::<L, 8>(x, amount).xor(sign).sub::<8>(sign)
    } else {
        x.shift_right_signed::<W>(amount)
    }
}

/// A shift by signed lanes, limited to `[-2W, 2W - 1]` (V-28). The amount splits into a forward and a
/// backward part of which one is 0, so the two directions follow one another without a choice.
#[inline(always)]
fn variable<L: Lanes, const W: u32>(shift: Shift, x: L, amounts: L) -> L {
    let n = amounts
        .max_signed::<W>(L::splat::<W>((2 * W).wrapping_neg()))
        .min_signed::<W>(L::splat::<W>(2 * W - 1));
    let forward = n.max_signed::<W>(L::zero());
    let backward = L::zero().sub::<W>(n.min_signed::<W>(L::zero()));
    match shift {
        Shift::Left => x.shift_left_each::<W>(forward).shift_right_each::<W>(backward),
        Shift::Right => x.shift_right_each::<W>(forward).shift_left_each::<W>(backward),
        Shift::RightSigned => {
            x.shift_right_signed_each::<W>(forward).shift_left_each::<W>(backward)
        }
        Shift::LeftSaturating => {
            left_saturating::<L, W>(x, forward).shift_right_signed_each::<W>(backward)
        }
        Shift::RightSaturating => {
            left_saturating::<L, W>(x.shift_right_signed_each::<W>(forward), backward)
        }
    }
}

/// `K(x, n)`: a left shift that does not come back overflowed and takes the limit of its sign.
#[inline(always)]
fn left_saturating<L: Lanes, const W: u32>(x: L, amounts: L) -> L {
    let shifted = x.shift_left_each::<W>(amounts);
    let exact = shifted.shift_right_signed_each::<W>(amounts).equal::<W>(x);
    let limit = x.shift_right_signed::<W>(W - 1).xor(L::splat::<W>((1 << (W - 1)) - 1));
    L::blend(exact, shifted, limit)
}

/// Closed rotate of whole lanes: lane `l` is lane `l + amounts[l]` modulo the lane count (V-03).
#[inline(always)]
fn rotate_lanes<L: Lanes, const W: u32>(x: L, amounts: L) -> L {
    x.permute(lane_index::<L, W>(L::iota::<W>().add::<W>(amounts)))
}

/// Leading zeros of a nibble; the high nibble of a byte beats any count of its low nibble unless it
/// is zero.
const HIGH_NIBBLE: [u8; 16] = [255, 3, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
const LOW_NIBBLE: [u8; 16] = [8, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4];

/// `lz(x)`: bytes by nibble tables, then the halves joined twice. A high half that is all zeros (its
/// count is its width) is lifted above any count of the low half before the minimum decides.
#[inline(always)]
fn leading_zeros<L: Lanes, const W: u32>(x: L) -> L {
    let nibble = L::splat::<8>(0x0f);
    let high = x.shift_right::<16>(4).and(nibble).look_up(&HIGH_NIBBLE);
    let low = x.and(nibble).look_up(&LOW_NIBBLE);
    let bytes = high.min_unsigned::<8>(low);
    let halves = join::<L, 16>(bytes, 8);
    if W == 16 { halves } else { join::<L, 32>(halves, 16) }
}

/// Joins the counts of the halves of every `W`-bit lane; a half has `half` bits.
#[inline(always)]
fn join<L: Lanes, const W: u32>(counts: L, half: u32) -> L {
    let width = L::splat::<W>(half);
    let high = counts.shift_right::<W>(half);
    let lifted = high.add::<W>(high.and(width).add::<W>(high.and(width)));
    let low = counts.and(L::splat::<W>((1 << half) - 1));
    lifted.min_unsigned::<W>(low.add::<W>(width))
}
