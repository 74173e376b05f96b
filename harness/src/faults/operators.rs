//! Misread operators in FP32 (spec 03 sections 4 and 5.2). A row answers the operands on which it differs from
//! the rule.

use super::tensor::reading::{Domain, Reading};
use super::tensor::rules::Rules;
use super::{Fault, Wrong};
use contract::isa::AluOp::{self, *};
use oracle::numeric::fp32;

const fn float(
    name: &'static str,
    float: fn(AluOp, u32, u32) -> Option<u32>,
    story: &'static str,
    source: &'static str,
) -> Fault {
    let rules = Rules { float, concerns: in_floats, ..Rules::RIGHT };
    Fault { name, story, source, wrong: Wrong::Value(rules) }
}

fn in_floats(read: &Reading) -> bool {
    read.domain == Domain::Float
}

const ONE: u32 = 0x3F80_0000;
const SIGN: u32 = 0x8000_0000;
const QUIET: u32 = 0x0040_0000;
const QNAN: u32 = 0x7FC0_0000;

const fn nan(bits: u32) -> bool {
    bits & !SIGN > 0x7F80_0000
}

const fn subnormal(bits: u32) -> bool {
    bits & !SIGN != 0 && bits & !SIGN < 0x0080_0000
}

/// Operators with the NaN rules of section 4.
fn is_arithmetic(op: AluOp) -> bool {
    matches!(op, Add | Subtract | Mult | Square)
}

fn is_extremum(op: AluOp) -> bool {
    matches!(op, Max | Min)
}

fn right(op: AluOp, left: u32, right: u32) -> u32 {
    fp32::operator(op).map_or(left, |rule| rule(left, right))
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    float(
        "max-number-wins",
        |op, l, r| (is_extremum(op) && nan(r) && !nan(l)).then_some(l),
        "Max and Min return the number beside a NaN",
        "spec 03 D-12: R wins whenever either side is NaN",
    ),
    float(
        "max-nan-sticks",
        |op, l, r| (is_extremum(op) && nan(l) && !nan(r)).then_some(l),
        "a NaN on the left of Max or Min stays",
        "spec 03 D-12: Max(NaN, 2) = 2",
    ),
    float(
        "max-left-on-tie",
        |op, l, r| (is_extremum(op) && (l | r) & !SIGN == 0).then_some(l),
        "Max and Min return the first operand on a tie",
        "spec 03 section 5.2: Max(+0, -0) = -0; R wins on a tie",
    ),
    float(
        "max-orders-zeros",
        |op, l, r| {
            (is_extremum(op) && (l | r) & !SIGN == 0).then(|| if op == Max { l & r } else { l | r })
        },
        "-0.0 is smaller than +0.0 to Max and Min",
        "spec 03 section 5.2: Min(-0, +0) = +0",
    ),
    float(
        "max-quiets",
        |op, l, r| (is_extremum(op) && nan(right(op, l, r))).then(|| right(op, l, r) | QUIET),
        "Max and Min quiet the NaN that they return",
        "spec 03 section 5.2: Max(1, sNaN) = the sNaN unquieted",
    ),
    float(
        "nan-canonical",
        |op, l, r| {
            (is_arithmetic(op) && (nan(l) || nan(r)) && nan(right(op, l, r))).then_some(QNAN)
        },
        "arithmetic on a NaN gives the canonical NaN",
        "spec 03 D-11: sign and payload survive",
    ),
    float(
        "nan-right-first",
        |op, l, r| (matches!(op, Add | Subtract | Mult) && nan(l) && nan(r)).then_some(r | QUIET),
        "of two NaNs the right one survives",
        "spec 03 D-11: quiet(L) if L is NaN",
    ),
    float(
        "nan-generated-negative",
        |op, l, r| {
            (is_arithmetic(op) && !nan(l) && !nan(r) && nan(right(op, l, r))).then_some(QNAN | SIGN)
        },
        "a generated NaN is negative, as on the host",
        "spec 03 section 4, rule 3: exactly QNAN, positive",
    ),
    float(
        "nan-not-quieted",
        |op, l, r| {
            (is_arithmetic(op) && (nan(l) || nan(r))).then(|| {
                if nan(l) {
                    l
                } else if op == Square {
                    right(op, l, r)
                } else {
                    r
                }
            })
        },
        "a signalling NaN comes through arithmetic unquieted",
        "spec 03 section 4, rule 2: quiet(L)",
    ),
    float(
        "subnormal-results-flushed",
        |op, l, r| {
            (is_arithmetic(op) && subnormal(right(op, l, r))).then(|| right(op, l, r) & SIGN)
        },
        "subnormal results of arithmetic become zero",
        "spec 03 section 4, rule 1: no flush",
    ),
    float(
        "subnormal-operands-zero",
        |op, l, r| {
            (is_arithmetic(op) && (subnormal(l) || subnormal(r))).then(|| {
                let zero = |bits: u32| if subnormal(bits) { bits & SIGN } else { bits };
                right(op, zero(l), zero(r))
            })
        },
        "subnormal operands of arithmetic count as zero",
        "spec 03 section 4, rule 1: no flush",
    ),
    float(
        "zero-sum-positive",
        |op, l, r| (op == Add && l == SIGN && r == SIGN).then_some(0),
        "-0.0 + -0.0 is +0.0",
        "spec 03 section 4, rule 4: -0",
    ),
    float(
        "logical-nan-false",
        |op, l, r| {
            (matches!(op, LogicalAnd | LogicalOr | LogicalXor) && (nan(l) || nan(r))).then(|| {
                let truth = |bits: u32| if nan(bits) { 0 } else { bits };
                right(op, truth(l), truth(r))
            })
        },
        "NaN is false to the logical operators",
        "spec 03 D-14: NaN is true",
    ),
    float(
        "logical-minus-zero-true",
        |op, l, r| {
            (matches!(op, LogicalAnd | LogicalOr | LogicalXor) && (l == SIGN || r == SIGN)).then(
                || {
                    let truth = |bits: u32| if bits == SIGN { ONE } else { bits };
                    right(op, truth(l), truth(r))
                },
            )
        },
        "-0.0 is true, for its bits are not zero",
        "spec 03 D-14: t(x) = not (x == 0)",
    ),
    float(
        "compare-gives-ones",
        |op, l, r| {
            (matches!(op, IsEQ | IsGT | IsGE | IsLE | IsLT | IsNE) && right(op, l, r) == ONE)
                .then_some(u32::MAX)
        },
        "a compare that holds gives all ones",
        "spec 03 section 5.2: 1.0 or +0.0",
    ),
    float(
        "equal-by-bits",
        |op, l, r| match op {
            IsEQ => Some(if l == r { ONE } else { 0 }),
            IsNE => Some(if l == r { 0 } else { ONE }),
            _ => None,
        },
        "IsEQ and IsNE compare bits: -0.0 differs from +0.0 and a NaN equals itself",
        "spec 03 D-14: NaN gives 0.0, -0 equals +0",
    ),
    float(
        "not-equal-ordered",
        |op, l, r| (op == IsNE && (nan(l) || nan(r))).then_some(0),
        "IsNE is false on a NaN, like the other compares",
        "spec 03 D-14: NaN gives 1.0",
    ),
    float(
        "at-least-is-not-less",
        |op, l, r| (matches!(op, IsGE | IsLE) && (nan(l) || nan(r))).then_some(ONE),
        "IsGE is the negation of IsLT, IsLE that of IsGT",
        "spec 03 section 5.2: NaN gives 0.0",
    ),
    float(
        "greater-takes-equal",
        |op, l, r| match op {
            IsGT => Some(right(IsGE, l, r)),
            IsLT => Some(right(IsLE, l, r)),
            _ => None,
        },
        "IsGT and IsLT hold on equal operands",
        "spec 03 section 5.2: L > R and L < R, strict",
    ),
    float(
        "difference-of-magnitudes",
        |op, l, r| (op == AbsoluteDiff).then(|| right(AbsoluteDiff, l & !SIGN, r & !SIGN)),
        "AbsoluteDiff subtracts magnitudes",
        "spec 03 section 5.2: the absolute value of L - R",
    ),
    float(
        "difference-keeps-nan-sign",
        |op, l, r| (op == AbsoluteDiff && nan(right(op, l, r))).then(|| right(Subtract, l, r)),
        "AbsoluteDiff leaves the sign of a NaN",
        "spec 03 section 5.2: sign bit cleared also on NaN",
    ),
    float(
        "absolute-value-quiets",
        |op, l, _| (op == AbsoluteValue && nan(l)).then_some(l & !SIGN | QUIET),
        "AbsoluteValue quiets NaNs",
        "spec 03 section 5.2: payload kept, no quieting",
    ),
    float(
        "abs-max-keeps-sign",
        |op, l, r| {
            let (left, other) = (l & !SIGN, r & !SIGN);
            matches!(op, AbsMax | AbsMin)
                .then(|| if right(op, l, r) == left && left != other { l } else { r })
        },
        "AbsMax and AbsMin return the operand with its sign",
        "spec 03 section 5.2: abs first, then the Max rule",
    ),
    float(
        "relu-passes-nan",
        |op, l, _| (op == ReLU && nan(l)).then_some(l),
        "ReLU passes NaN",
        "spec 03 D-13: +0.0",
    ),
    float(
        "relu-passes-minus-zero",
        |op, l, _| (op == ReLU && l == SIGN).then_some(l),
        "ReLU passes -0.0",
        "spec 03 D-13: +0.0",
    ),
    float(
        "square-of-right",
        |op, _, r| (op == Square).then(|| right(Square, r, r)),
        "Square takes the new element instead of the left operand",
        "spec 03 D-21: unary operators use L only",
    ),
    float(
        "unary-takes-right",
        |op, _, r| match op {
            Bypass => Some(r),
            AbsoluteValue => Some(r & !SIGN),
            ReLU => Some(right(ReLU, r, r)),
            _ => None,
        },
        "a unary operator in a recurrence works on the new element",
        "spec 03 D-21: L only; a scan with Bypass repeats its first element",
    ),
    float(
        "rsqrt-rounded-twice",
        |op, l, _| {
            (op == Rsqrt && l != 0 && l < 0x7F80_0000)
                .then(|| (1.0 / f32::from_bits(l).sqrt()).to_bits())
        },
        "Rsqrt rounds the square root before it divides",
        "spec 03 D-17: correctly rounded",
    ),
    float(
        "rsqrt-minus-zero",
        |op, l, _| (op == Rsqrt && l == SIGN).then_some(QNAN),
        "Rsqrt of -0.0 is a NaN, as of every negative number",
        "spec 03 section 5.2: -inf",
    ),
];
