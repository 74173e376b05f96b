//! Predicates as 64-bit words: layout helpers that the other families share, and the ops that work on
//! vbool registers alone (spec 04 sections 2.1, 8.5 and 10).

use super::step::Step;
use super::table::Rows;

/// Element widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    W8,
    W16,
    W32,
}

impl Width {
    /// Suffix of integer ops.
    pub(super) const fn suffix(self) -> &'static str {
        match self {
            Self::W8 => "2NX8",
            Self::W16 => "NX16",
            Self::W32 => "N_2X32",
        }
    }

    /// Predicate bits per lane.
    const fn field(self) -> u32 {
        match self {
            Self::W8 => 1,
            Self::W16 => 2,
            Self::W32 => 4,
        }
    }

    /// Lanes of a register.
    const fn lanes(self) -> u32 {
        64 / self.field()
    }

    /// Lowest bit of every field: what readers test.
    const fn tested(self) -> u64 {
        match self {
            Self::W8 => !0,
            Self::W16 => 0x5555_5555_5555_5555,
            Self::W32 => 0x1111_1111_1111_1111,
        }
    }
}

/// Every width.
pub(super) const ALL_WIDTHS: &[Width] = &[Width::W8, Width::W16, Width::W32];

/// Runs an expression with `W` as the width in bits.
macro_rules! by_width {
    ($width:expr, $W:ident => $body:expr) => {
        match $width {
            $crate::vector::predicate::Width::W8 => {
                const $W: u32 = 8;
                $body
            }
            $crate::vector::predicate::Width::W16 => {
                const $W: u32 = 16;
                $body
            }
            $crate::vector::predicate::Width::W32 => {
                const $W: u32 = 32;
                $body
            }
        }
    };
}
pub(super) use by_width;

/// Lane mask of a predicate: every bit of a lane's field takes the value of the lowest.
#[inline(always)]
pub(super) const fn lane_mask<const W: u32>(q: u64) -> u64 {
    match W {
        8 => q,
        16 => (q & Width::W16.tested()) * 0b11,
        _ => (q & Width::W32.tested()) * 0b1111,
    }
}

/// The low `count` bits, `count` up to 64.
#[inline(always)]
pub(super) const fn low_bits(count: u32) -> u64 {
    match 1_u64.checked_shl(count) {
        Some(bit) => bit - 1,
        None => !0,
    }
}

/// Packs a lane mask to the mask of the lanes' low halves set side by side: every lane keeps half of
/// its bits.
#[inline(always)]
pub(super) const fn narrow_mask(width: Width, mask: u64) -> u64 {
    // The kept bits of every four, in the low two.
    let mut bits = match width {
        Width::W32 => mask & 0x3333_3333_3333_3333,
        _ => (mask & 0x1111_1111_1111_1111) | (mask >> 1 & 0x2222_2222_2222_2222),
    };
    bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
    bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
    (bits | bits >> 16) & 0x0000_0000_ffff_ffff
}

/// What a predicate op does.
#[derive(Debug, Clone, Copy)]
pub(super) enum PredicateOp {
    And,
    Or,
    Xor,
    AndNot,
    OrNot,
    Not,
    /// `LTR`: the count modulo the lane count, from a register.
    Tail(Width),
    /// `LTR…I`: the same from an immediate.
    TailImmediate(Width),
    /// `LTRS`: the signed count limited to the lane count.
    TailSaturating(Width),
    /// `RANDB`.
    All(Width),
    /// `RORB`.
    Any(Width),
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, PredicateOp>) {
    use PredicateOp::*;
    for (name, op) in
        [("ANDB", And), ("ORB", Or), ("XORB", Xor), ("ANDNOTB", AndNot), ("ORNOTB", OrNot)]
    {
        rows.add(name, op);
    }
    rows.add("NOTB", Not);
    for (suffix, width) in [("2N", Width::W8), ("N", Width::W16), ("N_2", Width::W32)] {
        rows.add(&format!("LTR{suffix}"), Tail(width));
        rows.add(&format!("LTR{suffix}I"), TailImmediate(width));
        rows.add(&format!("LTRS{suffix}"), TailSaturating(width));
        rows.add(&format!("RANDB{suffix}"), All(width));
        rows.add(&format!("RORB{suffix}"), Any(width));
    }
}

/// Executes the op; operands `vbt`, then sources.
#[inline]
pub(super) fn run(op: PredicateOp, step: &mut Step<'_>) {
    use PredicateOp::*;
    // Every lane below a count: the low `count * field` bits.
    let below = |width: Width, count: u32| low_bits(count * width.field());
    let q = match op {
        And => step.vbool(1) & step.vbool(2),
        Or => step.vbool(1) | step.vbool(2),
        Xor => step.vbool(1) ^ step.vbool(2),
        AndNot => step.vbool(1) & !step.vbool(2),
        OrNot => step.vbool(1) | !step.vbool(2),
        Not => !step.vbool(1),
        Tail(width) => below(width, step.ar(1) % width.lanes()),
        TailImmediate(width) => below(width, step.imm(1) % width.lanes()),
        TailSaturating(width) => {
            let count = step.ar(1).cast_signed().clamp(0, width.lanes().cast_signed());
            below(width, count.cast_unsigned())
        }
        All(width) => u64::from(step.vbool(1) & width.tested() == width.tested()),
        Any(width) => u64::from(step.vbool(1) & width.tested() != 0),
    };
    step.set_vbool(0, q);
}
