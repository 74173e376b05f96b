//! Misread operators on integers and on raw bits (spec 03 sections 5.3 to 5.6).

use super::tensor::reading::{Domain, Reading};
use super::tensor::rules::Rules;
use super::{Fault, Wrong};
use contract::isa::AluOp::{self, *};
use oracle::numeric::format::IntegerFormat;
use oracle::numeric::{bits, integer};

const fn whole(
    name: &'static str,
    integer: fn(AluOp, IntegerFormat, u64, u64) -> Option<u64>,
    story: &'static str,
    source: &'static str,
) -> Fault {
    let rules = Rules { integer, concerns: in_integers, ..Rules::RIGHT };
    Fault { name, story, source, wrong: Wrong::Value(rules) }
}

const fn raw(
    name: &'static str,
    bits: fn(AluOp, u32, u64, u64) -> Option<u64>,
    story: &'static str,
    source: &'static str,
) -> Fault {
    let rules = Rules { bits, concerns: in_bits, ..Rules::RIGHT };
    Fault { name, story, source, wrong: Wrong::Value(rules) }
}

fn in_integers(read: &Reading) -> bool {
    matches!(read.domain, Domain::Integer(_))
}

fn in_bits(read: &Reading) -> bool {
    matches!(read.domain, Domain::Bits(_))
}

fn signed(format: IntegerFormat) -> IntegerFormat {
    IntegerFormat { signed: true, ..format }
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    whole(
        "add-int-saturates",
        |op, format, l, r| {
            (op == AddInt).then(|| {
                let (low, high) = format.range();
                format.pattern((format.value(l) + format.value(r)).clamp(low, high))
            })
        },
        "AddInt saturates",
        "spec 03 section 5.3: modulo 2^N",
    ),
    whole(
        "mult-int-16-bits",
        |op, format, l, r| {
            (op == MultInt).then(|| {
                let half = IntegerFormat { bits: 16, signed: true };
                format.pattern(half.value(l) * half.value(r))
            })
        },
        "MultInt multiplies the low halves, as MUL16S does",
        "spec 03 section 5.3: the low N bits of L·R",
    ),
    whole(
        "divide-int-floors",
        |op, format, l, r| {
            let (left, divisor) = (format.value(l), format.value(r));
            let floors = op == DivideInt && divisor != 0;
            floors.then(|| {
                let quotient = left / divisor;
                let below = left % divisor != 0 && (left < 0) != (divisor < 0);
                format.pattern(quotient - i128::from(below))
            })
        },
        "DivideInt rounds down",
        "spec 03 section 5.3: truncated toward zero",
    ),
    whole(
        "divide-by-zero-ones",
        |op, format, _, r| (op == DivideInt && r == 0).then(|| format.pattern(-1)),
        "division by zero gives all ones",
        "spec 03 D-18: 0",
    ),
    whole(
        "mod-by-zero-left",
        |op, _, l, r| (op == ModInt && r == 0).then_some(l),
        "L mod 0 is L",
        "spec 03 D-18: 0",
    ),
    whole(
        "mod-sign-of-divisor",
        |op, format, l, r| {
            let (left, divisor) = (format.value(l), format.value(r));
            (op == ModInt && divisor != 0).then(|| {
                let rest = left % divisor;
                let other = rest != 0 && (rest < 0) != (divisor < 0);
                format.pattern(if other { rest + divisor } else { rest })
            })
        },
        "ModInt has the sign of the divisor",
        "spec 03 section 5.3: the sign of L",
    ),
    whole(
        "integers-always-signed",
        |op, format, l, r| {
            let differs = !format.signed && matches!(op, DivideInt | ModInt);
            differs.then(|| integer::operator(op).map_or(l, |rule| rule(signed(format), l, r)))
        },
        "DivideInt and ModInt are signed for every source",
        "spec 03 section 3.2: unsigned iff the first source is an unsigned integer",
    ),
    raw(
        "shift-count-modulo",
        |op, width, l, r| {
            bits::operator(op)
                .filter(|_| is_shift(op))
                .map(|rule| rule(width, l, r % u64::from(width)))
        },
        "shift counts are taken modulo the width",
        "spec 03 D-19: counts of W or more flush",
    ),
    raw(
        "shift-count-capped",
        |op, width, l, r| {
            bits::operator(op)
                .filter(|_| is_shift(op))
                .map(|rule| rule(width, l, r.min(u64::from(width) - 1)))
        },
        "shift counts stop at the width less one",
        "spec 03 D-19: counts of W or more flush",
    ),
    raw(
        "shift-count-signed",
        |op, width, l, r| {
            let negative = is_shift(op) && r >> (width - 1) & 1 == 1;
            let back = (1_u64 << width).wrapping_sub(r) & (u64::MAX >> (64 - width));
            let opposite = match op {
                ArithShiftLeft => ArithShiftRight,
                ArithShiftRight => ArithShiftLeft,
                LogicalShiftLeft => LogicalShiftRight,
                _ => LogicalShiftLeft,
            };
            bits::operator(opposite).filter(|_| negative).map(|rule| rule(width, l, back))
        },
        "a negative shift count shifts the other way",
        "spec 03 D-19: read unsigned",
    ),
    raw(
        "arith-shift-fills-zero",
        |op, width, l, r| (op == ArithShiftRight).then(|| bits::logical_shift_right(width, l, r)),
        "ArithShiftRight fills with zeros, as the dtypes are unsigned",
        "spec 03 section 5.4: the sign bit is taken from the pattern also for unsigned dtypes",
    ),
    raw(
        "arith-shift-flushes",
        |op, width, _, r| (op == ArithShiftRight && r >= u64::from(width)).then_some(0),
        "ArithShiftRight by the width or more gives 0",
        "spec 03 section 5.4: all copies of bit W-1",
    ),
    raw(
        "not-of-right",
        |op, width, _, r| (op == BitwiseNot).then(|| bits::bitwise_not(width, r, r)),
        "BitwiseNot takes the new element",
        "spec 03 D-21: L only",
    ),
    raw(
        "crc-inverted",
        |op, width, l, r| {
            let mask = u64::MAX >> (64 - width);
            (op == Crc32).then(|| !bits::crc32(width, !l & mask, r) & mask)
        },
        "Crc32 inverts state and result, as the common CRC does",
        "spec 03 D-20: no inversion",
    ),
    raw(
        "crc-high-byte-first",
        |op, width, l, r| {
            (op == Crc32 && width > 8)
                .then(|| bits::crc32(width, l, r.swap_bytes() >> (64 - width)))
        },
        "Crc32 takes the bytes of an element high byte first",
        "spec 03 section 5.6: low byte first",
    ),
    raw(
        "crc-low-byte-only",
        |op, width, l, r| {
            (op == Crc32 && width > 8)
                .then(|| bits::crc32(8, l & 0xFF, r & 0xFF) | (l >> 8 << 8 & 0xFFFF_FF00))
        },
        "Crc32 takes the low byte of an element alone",
        "spec 03 section 5.6: each of the W/8 bytes",
    ),
];

fn is_shift(op: AluOp) -> bool {
    matches!(op, ArithShiftLeft | ArithShiftRight | LogicalShiftLeft | LogicalShiftRight)
}
