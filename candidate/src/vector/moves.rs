//! Replicate, extract and move (spec 04 section 6).

use super::lanes::Lanes;
use super::predicate::{ALL_WIDTHS, Width, by_width, lane_mask};
use super::step::Step;
use super::table::Rows;
use contract::state::Line;

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum MoveOp {
    /// `REP`: `vt, vr, imm`
    Replicate(Width),
    /// `REP…T`: `vt, vr, imm, vbr`
    ReplicateMerging(Width),
    /// `EXTR2NX8`, `EXTRN_2X32`: `art, vr, imm`
    Extract(Width),
    /// `EXTRNX16`: `art, vr, imm`
    ExtractSigned,
    /// `EXTRVRN_2X32`: `art, vr, ars`
    ExtractAtByte,
    /// `EXTRPR`: `prt, vr, imm`
    ExtractPair(Width),
    /// `MOVVV`: `vt, vr`
    Vector,
    /// `MOV2NX8T`: `vt, vr, vbr`
    VectorMerging,
    /// `MOVVA`: `vt, ars`
    Splat(Width),
    /// `MOVVINT`: `vt, imm`
    SplatImmediate(Width),
    /// `MOVAV8`, `MOVAVU8`, `MOVAVU16`, `MOVAV32`: `art, vr`
    LaneZero(Width),
    /// `MOVAV16`: `art, vr`
    LaneZeroSigned,
    /// `MOVPRA32`: `prt, ars`
    PairOfScalar,
    /// `MOVPRPR`: `prt, prr`
    Pair,
    /// `MOVAB1`: `art, vbr`
    ScalarOfBit,
    /// `MOVBA1`: `vbt, ars`
    BitOfScalar,
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, MoveOp>) {
    use MoveOp::*;
    use Width::{W8, W16, W32};
    for &width in ALL_WIDTHS {
        let suffix = width.suffix();
        rows.add(&format!("REP{suffix}"), Replicate(width));
        rows.add(&format!("REP{suffix}T"), ReplicateMerging(width));
        rows.add(&format!("EXTRPR{suffix}"), ExtractPair(width));
    }
    for (name, op) in [
        ("EXTR2NX8", Extract(W8)),
        ("EXTRNX16", ExtractSigned),
        ("EXTRN_2X32", Extract(W32)),
        ("EXTRVRN_2X32", ExtractAtByte),
        ("MOVVV", Vector),
        ("MOV2NX8T", VectorMerging),
        ("MOVVA8", Splat(W8)),
        ("MOVVA16", Splat(W16)),
        ("MOVVA32", Splat(W32)),
        ("MOVVINT8", SplatImmediate(W8)),
        ("MOVVINT16", SplatImmediate(W16)),
        ("MOVAV8", LaneZero(W8)),
        ("MOVAVU8", LaneZero(W8)),
        ("MOVAV16", LaneZeroSigned),
        ("MOVAVU16", LaneZero(W16)),
        ("MOVAV32", LaneZero(W32)),
        ("MOVPRA32", PairOfScalar),
        ("MOVPRPR", Pair),
        ("MOVAB1", ScalarOfBit),
        ("MOVBA1", BitOfScalar),
    ] {
        rows.add(name, op);
    }
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: MoveOp, step: &mut Step<'_>) {
    match op {
        MoveOp::Replicate(width) => {
            let value = lane(width, step.line(1), step.imm(2));
            step.set_vec(0, splat::<L>(width, value));
        }
        MoveOp::ReplicateMerging(width) => {
            let value = lane(width, step.line(1), step.imm(2));
            let mask = by_width!(width, W => lane_mask::<W>(step.vbool(3)));
            step.merge_vec(0, mask, splat::<L>(width, value));
        }
        MoveOp::Extract(width) => step.set_ar(0, lane(width, step.line(1), step.imm(2))),
        MoveOp::ExtractSigned => {
            step.set_ar(0, sign_extend_16(lane(Width::W16, step.line(1), step.imm(2))));
        }
        MoveOp::ExtractAtByte => step.set_ar(0, word_at(step.line(1), step.ar(2))),
        MoveOp::ExtractPair(width) => {
            step.set_pr(0, u64::from(lane(width, step.line(1), step.imm(2))));
        }
        MoveOp::Vector => step.set_vec(0, step.vec::<L>(1)),
        MoveOp::VectorMerging => {
            let mask = step.vbool(2);
            step.merge_vec(0, mask, step.vec::<L>(1));
        }
        MoveOp::Splat(width) => step.set_vec(0, splat::<L>(width, step.ar(1))),
        MoveOp::SplatImmediate(width) => step.set_vec(0, splat::<L>(width, step.imm(1))),
        MoveOp::LaneZero(width) => step.set_ar(0, lane(width, step.line(1), 0)),
        MoveOp::LaneZeroSigned => {
            step.set_ar(0, sign_extend_16(lane(Width::W16, step.line(1), 0)));
        }
        MoveOp::PairOfScalar => {
            step.set_pr(0, i64::from(step.ar(1).cast_signed()).cast_unsigned());
        }
        MoveOp::Pair => step.set_pr(0, step.pr(1)),
        MoveOp::ScalarOfBit => step.set_ar(0, (step.vbool(1) & 1) as u32),
        MoveOp::BitOfScalar => step.set_vbool(0, u64::from(step.ar(1) & 1)),
    }
}

#[inline(always)]
fn splat<L: Lanes>(width: Width, value: u32) -> L {
    by_width!(width, W => L::splat::<W>(value))
}

/// Lane `index` modulo the lane count, zero-extended.
#[inline(always)]
fn lane(width: Width, line: &Line, index: u32) -> u32 {
    let index = index as usize;
    match width {
        Width::W8 => u32::from(line.0[index % 64]),
        Width::W16 => {
            let (lanes, _) = line.0.as_chunks();
            u32::from(u16::from_le_bytes(lanes[index % 32]))
        }
        Width::W32 => {
            let (lanes, _) = line.0.as_chunks();
            u32::from_le_bytes(lanes[index % 16])
        }
    }
}

#[inline(always)]
const fn sign_extend_16(value: u32) -> u32 {
    (value as i16 as i32).cast_unsigned()
}

/// The four bytes from byte `at`; zero past byte 63.
#[inline(always)]
fn word_at(line: &Line, at: u32) -> u32 {
    if at >= 64 {
        return 0;
    }
    // The aligned word pair that holds the four bytes, moved down to them.
    let first = at as usize / 4;
    let (words, _) = line.0.as_chunks();
    let low = u32::from_le_bytes(words[first]);
    let high = words.get(first + 1).copied().map_or(0, u32::from_le_bytes);
    ((u64::from(high) << 32 | u64::from(low)) >> (at % 4 * 8)) as u32
}
