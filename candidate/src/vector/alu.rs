//! Lane-wise integer ALU, compares and the flagged forms (spec 04 section 9).

use super::lanes::Lanes;
use super::predicate::{ALL_WIDTHS, Width, by_width, lane_mask};
use super::step::Step;
use super::table::Rows;

/// A lane-wise function of one or two sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Add,
    Sub,
    AddSaturating,
    SubSaturating,
    Min,
    MinUnsigned,
    Max,
    MaxUnsigned,
    AbsSub,
    AbsSubUnsigned,
    AbsSubSaturating,
    And,
    Or,
    Xor,
    Abs,
    AbsSaturating,
    Neg,
    NegSaturating,
    Not,
}

/// A relation between two lanes: an equality or an order, possibly of exchanged sources, possibly
/// negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Relation {
    kind: Comparison,
    exchanged: bool,
    negated: bool,
}

/// What a [`Relation`] asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    Greater,
    GreaterUnsigned,
}

impl Relation {
    const fn of(kind: Comparison) -> Self {
        Self { kind, exchanged: false, negated: false }
    }

    const EQUAL: Self = Self::of(Comparison::Equal);
    const NOT_EQUAL: Self = Self { negated: true, ..Self::EQUAL };
    const GREATER: Self = Self::of(Comparison::Greater);
    const GREATER_UNSIGNED: Self = Self::of(Comparison::GreaterUnsigned);
    const LESS: Self = Self { exchanged: true, ..Self::GREATER };
    const LESS_UNSIGNED: Self = Self { exchanged: true, ..Self::GREATER_UNSIGNED };
    const LESS_EQUAL: Self = Self { negated: true, ..Self::GREATER };
    const LESS_EQUAL_UNSIGNED: Self = Self { negated: true, ..Self::GREATER_UNSIGNED };
}

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum AluOp {
    /// `vt, vr[, vs]`
    Plain(Function, Width),
    /// `vt, vr[, vs], vbr`: T-merge.
    Merging(Function, Width),
    /// `vbt, vr, vs`
    Compare(Relation, Width),
    /// `vt, vbt, vr[, vs]`
    Flagged(Function, Relation, Width),
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, AluOp>) {
    use Function::*;
    use Width::{W8, W16};
    const NARROW: &[Width] = &[W8, W16];
    // Stem, function, widths, widths of the T form.
    let functions: &[(&str, Function, &[Width], &[Width])] = &[
        ("ADD", Add, ALL_WIDTHS, ALL_WIDTHS),
        ("SUB", Sub, ALL_WIDTHS, ALL_WIDTHS),
        ("ADDS", AddSaturating, &[W16], &[W16]),
        ("SUBS", SubSaturating, &[W16], &[W16]),
        ("MIN", Min, ALL_WIDTHS, &[W16]),
        ("MINU", MinUnsigned, ALL_WIDTHS, &[W16]),
        ("MAX", Max, ALL_WIDTHS, &[W16]),
        ("MAXU", MaxUnsigned, ALL_WIDTHS, &[W16]),
        ("ABSSUB", AbsSub, NARROW, &[]),
        ("ABSSUBU", AbsSubUnsigned, NARROW, &[]),
        ("ABSSSUB", AbsSubSaturating, &[W16], &[]),
        ("AND", And, &[W8], &[]),
        ("OR", Or, &[W8], &[]),
        ("XOR", Xor, &[W8], &[]),
        ("ABS", Abs, ALL_WIDTHS, &[]),
        ("ABSS", AbsSaturating, &[W16], &[]),
        ("NEG", Neg, ALL_WIDTHS, ALL_WIDTHS),
        ("NEGS", NegSaturating, &[W16], &[W16]),
        ("NOT", Not, &[W8], &[]),
    ];
    for &(stem, function, plain, merging) in functions {
        for &width in plain {
            rows.add(&format!("{stem}{}", width.suffix()), AluOp::Plain(function, width));
        }
        for &width in merging {
            rows.add(&format!("{stem}{}T", width.suffix()), AluOp::Merging(function, width));
        }
    }
    for (stem, relation) in [
        ("EQ", Relation::EQUAL),
        ("NEQ", Relation::NOT_EQUAL),
        ("LT", Relation::LESS),
        ("LE", Relation::LESS_EQUAL),
        ("LTU", Relation::LESS_UNSIGNED),
        ("LEU", Relation::LESS_EQUAL_UNSIGNED),
    ] {
        for &width in ALL_WIDTHS {
            rows.add(&format!("{stem}{}", width.suffix()), AluOp::Compare(relation, width));
        }
    }
    let flagged: &[(&str, Function, Relation, &[Width])] = &[
        ("BMAX", Max, Relation::GREATER, ALL_WIDTHS),
        ("BMAXU", MaxUnsigned, Relation::GREATER_UNSIGNED, ALL_WIDTHS),
        ("BMIN", Min, Relation::LESS, ALL_WIDTHS),
        ("BMINU", MinUnsigned, Relation::LESS_UNSIGNED, ALL_WIDTHS),
        // The missing second source is zero.
        ("BABS", Abs, Relation::LESS, ALL_WIDTHS),
        ("BABSSUB", AbsSub, Relation::LESS, NARROW),
        ("BABSSUBU", AbsSubUnsigned, Relation::LESS_UNSIGNED, NARROW),
    ];
    for &(stem, function, relation, widths) in flagged {
        for &width in widths {
            let op = AluOp::Flagged(function, relation, width);
            rows.add(&format!("{stem}{}", width.suffix()), op);
        }
    }
}

impl Function {
    const fn sources(self) -> usize {
        match self {
            Self::Abs | Self::AbsSaturating | Self::Neg | Self::NegSaturating | Self::Not => 1,
            _ => 2,
        }
    }
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: AluOp, step: &mut Step<'_>) {
    match op {
        AluOp::Plain(function, width) => {
            let (x, y) = sources::<L>(function, step, 1);
            step.set_vec(0, by_width!(width, W => apply::<L, W>(function, x, y)));
        }
        AluOp::Merging(function, width) => {
            let (x, y) = sources::<L>(function, step, 1);
            let q = step.vbool(1 + function.sources());
            by_width!(width, W => {
                step.merge_vec(0, lane_mask::<W>(q), apply::<L, W>(function, x, y));
            });
        }
        AluOp::Compare(relation, width) => {
            let (x, y): (L, L) = (step.vec(1), step.vec(2));
            step.set_vbool(0, by_width!(width, W => compare::<L, W>(relation, x, y)));
        }
        AluOp::Flagged(function, relation, width) => {
            let (x, y) = sources::<L>(function, step, 2);
            by_width!(width, W => {
                step.set_vec(0, apply::<L, W>(function, x, y));
                step.set_vbool(1, compare::<L, W>(relation, x, y));
            });
        }
    }
}

/// The sources from operand position `first` on; of a one-source function the second is zero.
#[inline(always)]
fn sources<L: Lanes>(function: Function, step: &Step<'_>, first: usize) -> (L, L) {
    let second = if function.sources() == 2 { step.vec(first + 1) } else { L::zero() };
    (step.vec(first), second)
}

/// The function in every lane. Differences and negations are taken between the larger and the
/// smaller value, so that the wrapped or saturated difference is the exact one modulo 2^W or clamped.
#[inline(always)]
fn apply<L: Lanes, const W: u32>(function: Function, x: L, y: L) -> L {
    match function {
        Function::Add => x.add::<W>(y),
        Function::Sub => x.sub::<W>(y),
        Function::AddSaturating => x.add_saturating_16(y),
        Function::SubSaturating => x.sub_saturating_16(y),
        Function::Min => x.min_signed::<W>(y),
        Function::MinUnsigned => x.min_unsigned::<W>(y),
        Function::Max => x.max_signed::<W>(y),
        Function::MaxUnsigned => x.max_unsigned::<W>(y),
        Function::AbsSub => x.max_signed::<W>(y).sub::<W>(x.min_signed::<W>(y)),
        Function::AbsSubUnsigned => x.max_unsigned::<W>(y).sub::<W>(x.min_unsigned::<W>(y)),
        Function::AbsSubSaturating => {
            x.max_signed::<16>(y).sub_saturating_16(x.min_signed::<16>(y))
        }
        Function::And => x.and(y),
        Function::Or => x.or(y),
        Function::Xor => x.xor(y),
        Function::Abs => x.max_signed::<W>(L::zero().sub::<W>(x)),
        Function::AbsSaturating => x.max_signed::<16>(L::zero().sub_saturating_16(x)),
        Function::Neg => L::zero().sub::<W>(x),
        Function::NegSaturating => L::zero().sub_saturating_16(x),
        Function::Not => x.not(),
    }
}

/// Mask of the lanes where the relation holds; an unsigned order is the signed one of values whose sign
/// bits are flipped.
#[inline(always)]
fn compare<L: Lanes, const W: u32>(relation: Relation, x: L, y: L) -> u64 {
    let (a, b) = if relation.exchanged { (y, x) } else { (x, y) };
    let holds = match relation.kind {
        Comparison::Equal => a.equal::<W>(b),
        Comparison::Greater => a.greater_signed::<W>(b),
        Comparison::GreaterUnsigned => {
            let sign = L::splat::<W>(1 << (W - 1));
            a.xor(sign).greater_signed::<W>(b.xor(sign))
        }
    };
    if relation.negated { !holds } else { holds }
}
