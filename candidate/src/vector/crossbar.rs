//! The lane crossbar (spec 04 section 5): every op becomes a byte permute of one register or of the
//! 128-byte pool `vr`, then `vs` (V-17). Lane controls are turned into byte indices by arithmetic on
//! whole registers; immediate patterns are rows of [`patterns`](super::patterns).

use super::lanes::Lanes;
use super::patterns::{DEAL, SELECT, SHUFFLE};
use super::predicate::{ALL_WIDTHS, Width, by_width, lane_mask};
use super::step::Step;
use super::table::Rows;

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum CrossbarOp {
    /// `SHFL`: `vt, vr, sr`
    Shuffle(Width),
    /// `SHFL…T`: `vt, vr, sr, vbr`
    ShuffleMerging(Width),
    /// `SEL`: `vt, vs, vr, sr`
    Select(Width),
    /// `SEL…T`: `vt, vs, vr, sr, vbr`
    SelectMerging(Width),
    /// `DSEL`: `vu, vt, vs, vr, sr`
    Deal(Width),
    /// `DSEL…T`: `vu, vt, vs, vr, sr, vbr`
    DealMerging(Width),
    /// `SHFL2NX8I`: `vt, vr, imm`
    ShuffleImmediate,
    /// `SEL2NX8I`: `vt, vs, vr, imm`
    SelectImmediate,
    /// `DSEL2NX8I`: `vu, vt, vs, vr, imm`
    DealImmediate,
    /// `DCMPRS2NX8`: `vt, vr, vbr`
    Expand,
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, CrossbarOp>) {
    use CrossbarOp::*;
    for &width in ALL_WIDTHS {
        let suffix = width.suffix();
        rows.add(&format!("SHFL{suffix}"), Shuffle(width));
        rows.add(&format!("SHFL{suffix}T"), ShuffleMerging(width));
        rows.add(&format!("SEL{suffix}"), Select(width));
        rows.add(&format!("SEL{suffix}T"), SelectMerging(width));
    }
    for width in [Width::W16, Width::W32] {
        let suffix = width.suffix();
        rows.add(&format!("DSEL{suffix}"), Deal(width));
        rows.add(&format!("DSEL{suffix}T"), DealMerging(width));
    }
    for slot in ["", "_S0", "_S2", "_S4"] {
        rows.add(&format!("SHFL2NX8I{slot}"), ShuffleImmediate);
        rows.add(&format!("SEL2NX8I{slot}"), SelectImmediate);
    }
    rows.add("DSEL2NX8I", DealImmediate);
    rows.add("DCMPRS2NX8", Expand);
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: CrossbarOp, step: &mut Step<'_>) {
    match op {
        CrossbarOp::Shuffle(width) => {
            let index = by_width!(width, W => lane_index::<L, W>(step.vec(2)));
            step.set_vec(0, step.vec::<L>(1).permute(index));
        }
        CrossbarOp::ShuffleMerging(width) => {
            let index = by_width!(width, W => lane_index::<L, W>(step.vec(2)));
            let mask = by_width!(width, W => lane_mask::<W>(step.vbool(3)));
            step.merge_vec(0, mask, step.vec::<L>(1).permute(index));
        }
        CrossbarOp::Select(width) => {
            let index = by_width!(width, W => lane_index::<L, W>(step.vec(3)));
            step.set_vec(0, L::permute_pool(step.vec(2), step.vec(1), index));
        }
        CrossbarOp::SelectMerging(width) => {
            let index = by_width!(width, W => lane_index::<L, W>(step.vec(3)));
            let mask = by_width!(width, W => lane_mask::<W>(step.vbool(4)));
            step.merge_vec(0, mask, L::permute_pool(step.vec(2), step.vec(1), index));
        }
        CrossbarOp::Deal(width) => {
            let (first, second) = deal::<L>(width, step);
            step.set_vec(0, second);
            step.set_vec(1, first);
        }
        CrossbarOp::DealMerging(width) => {
            let (first, second) = deal::<L>(width, step);
            let mask = by_width!(width, W => lane_mask::<W>(step.vbool(5)));
            step.merge_vec(0, mask, second);
            step.merge_vec(1, mask, first);
        }
        CrossbarOp::ShuffleImmediate => {
            let pattern = &SHUFFLE[step.imm(2) as usize % SHUFFLE.len()];
            step.set_vec(0, step.vec::<L>(1).permute(L::load(&pattern.0)));
        }
        CrossbarOp::SelectImmediate => {
            let pattern = &SELECT[step.imm(3) as usize % SELECT.len()];
            step.set_vec(0, L::permute_pool(step.vec(2), step.vec(1), L::load(&pattern.0)));
        }
        CrossbarOp::DealImmediate => {
            let [first, second] = &DEAL[step.imm(4) as usize % DEAL.len()];
            let (low, high): (L, L) = (step.vec(3), step.vec(2));
            step.set_vec(0, L::permute_pool(low, high, L::load(&second.0)));
            step.set_vec(1, L::permute_pool(low, high, L::load(&first.0)));
        }
        CrossbarOp::Expand => {
            let last = L::splat::<8>(u32::from(step.line(1).0[63]));
            step.set_vec(0, step.vec::<L>(1).expand(step.vbool(2), last));
        }
    }
}

/// Byte indices of a register of lane indices: those of `W`-bit lane index `i` are `i * W / 8` and
/// the ones after it. Bits above a pool of 128 bytes are cut by the permute or fall out here.
#[inline(always)]
pub(super) fn lane_index<L: Lanes, const W: u32>(lanes: L) -> L {
    match W {
        8 => lanes,
        16 => {
            let first = lanes.add::<16>(lanes).and(L::splat::<16>(0x7f));
            first.or(first.shift_left::<16>(8)).add::<16>(L::splat::<16>(0x0100))
        }
        _ => {
            let first = lanes.shift_left::<32>(2).and(L::splat::<32>(0x7f));
            let pair = first.or(first.shift_left::<32>(8));
            pair.or(pair.shift_left::<32>(16)).add::<32>(L::splat::<32>(0x0302_0100))
        }
    }
}

/// Both results of `DSEL`, `vt` then `vu`: the low half of each control lane drives `vt`, the high
/// half `vu` (V-18).
#[inline(always)]
fn deal<L: Lanes>(width: Width, step: &Step<'_>) -> (L, L) {
    let (low, high, control): (L, L, L) = (step.vec(3), step.vec(2), step.vec(4));
    let (first, second) = if width == Width::W32 {
        (lane_index::<L, 32>(control), lane_index::<L, 32>(control.shift_right::<32>(16)))
    } else {
        (lane_index::<L, 16>(control), lane_index::<L, 16>(control.shift_right::<16>(8)))
    };
    (L::permute_pool(low, high, first), L::permute_pool(low, high, second))
}
