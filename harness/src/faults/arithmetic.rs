//! Misread arithmetic of lanes (spec 04 sections 7, 9 and 10): saturation, signedness, shift amounts, order of
//! operands.

use super::Fault;
use super::vector::{Reading, rename, swap};
use contract::bundle::Operand;
use contract::state::VectorState;

/// Vector ops of one of these stems, at any width, predicated or not.
fn stem(name: &str, stems: &[&str]) -> bool {
    let shape = ["2NX8", "NX16", "N_2X32"];
    stems.iter().any(|stem| {
        let rest = name.strip_prefix(stem);
        rest.is_some_and(|rest| {
            shape.iter().any(|shape| {
                rest.strip_prefix(shape).is_some_and(|rest| rest.is_empty() || rest == "T")
            })
        })
    })
}

/// Replaces lanes of the result by a function of both sources.
fn both(
    before: &VectorState,
    read: &Reading<'_>,
    after: &mut VectorState,
    element: impl Fn(i64, i64) -> Option<u64>,
) {
    let (Some(left), Some(right)) = (read.register("vr"), read.register("vs")) else { return };
    let lanes =
        |lane| element(read.signed(&before.vec[left], lane), read.signed(&before.vec[right], lane));
    read.replace(before, after, lanes);
}

/// `x` shifted left by up to the width.
fn left(x: i64, count: i64, bits: u32) -> u64 {
    if count >= i64::from(bits) { 0 } else { (x as u64) << count }
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::spoil(
        "sll-negative-amount-zero",
        |name| stem(name, &["SLL", "SRL"]),
        |before, read, after| {
            both(before, read, after, |_, amount| (amount < 0).then_some(0));
        },
        "variable shifts read their amount unsigned",
        "spec 04 section 7: signed, a negative amount shifts the other way",
    ),
    Fault::spoil(
        "shift-amount-low-bits",
        |name| stem(name, &["SLL"]),
        |before, read, after| {
            let bits = read.lane.bits;
            both(before, read, after, |x, amount| {
                Some(left(x, amount.rem_euclid(i64::from(bits)), bits))
            });
        },
        "variable shifts use the low bits of their amount",
        "spec 04 V-28: clamp to -2w .. 2w-1",
    ),
    Fault::spoil(
        "sra-flushes",
        |name| stem(name, &["SRA"]),
        |before, read, after| {
            let bits = i64::from(read.lane.bits);
            both(before, read, after, |_, amount| (amount >= bits).then_some(0));
        },
        "SRA by the width or more gives 0",
        "spec 04 section 7: Q fills with the sign",
    ),
    Fault::rewrite(
        "sls-wraps",
        |name| stem(name, &["SLS"]),
        |op, _| rename(op, "SLS", "SLL"),
        "SLS shifts without saturation",
        "spec 04 section 7: K(x, n) = sat_w",
    ),
    Fault::spoil(
        "srs-rounds",
        |name| stem(name, &["SRS"]),
        |before, read, after| {
            let bits = i64::from(read.lane.bits);
            both(before, read, after, |x, amount| {
                (1..bits).contains(&amount).then(|| ((x + (1 << (amount - 1))) >> amount) as u64)
            });
        },
        "SRS rounds what it shifts out",
        "spec 04 V-29: no rounding",
    ),
    Fault::rewrite(
        "nsa-unsigned",
        |name| name.starts_with("NSAN"),
        |op, _| rename(op, "NSA", "NSAU"),
        "NSA counts leading zeros, as NSAU does",
        "spec 04 section 7: leading sign bits less one",
    ),
    Fault::spoil(
        "nsa-of-zero",
        |name| name.starts_with("NSAN"),
        |before, read, after| {
            let Some(source) = read.source(before) else { return };
            read.replace(before, after, |lane| {
                (read.element(source, lane) == 0).then_some(u64::from(read.lane.bits))
            });
        },
        "NSA of 0 is the width",
        "spec 04 section 7: w - 1",
    ),
    Fault::rewrite(
        "abs-saturates",
        |name| name == "ABSNX16",
        |op, _| rename(op, "ABS", "ABSS"),
        "ABS of the most negative number saturates",
        "spec 04 section 9: it maps to itself",
    ),
    Fault::rewrite(
        "saturating-abs-wraps",
        |name| name == "ABSSNX16" || name == "NEGSNX16",
        |op, _| {
            rename(op, "ABSS", "ABS");
            rename(op, "NEGS", "NEG");
        },
        "ABSS and NEGS wrap",
        "spec 04 section 9: 0x8000 gives 0x7fff",
    ),
    Fault::rewrite(
        "saturating-add-wraps",
        |name| stem(name, &["ADDS", "SUBS"]),
        |op, _| {
            rename(op, "ADDS", "ADD");
            rename(op, "SUBS", "SUB");
        },
        "ADDS and SUBS wrap",
        "spec 04 section 9: sat_16",
    ),
    Fault::rewrite(
        "add-saturates",
        |name| name.starts_with("ADDNX16"),
        |op, _| rename(op, "ADD", "ADDS"),
        "ADDNX16 saturates",
        "spec 04 section 9: wraps",
    ),
    Fault::rewrite(
        "unsigned-extremum-signed",
        |name| stem(name, &["MAXU", "MINU"]),
        |op, _| {
            rename(op, "MAXU", "MAX");
            rename(op, "MINU", "MIN");
        },
        "MAXU and MINU compare signed numbers",
        "spec 04 section 9: unsigned",
    ),
    Fault::rewrite(
        "difference-saturates",
        |name| name == "ABSSUBNX16",
        |op, _| rename(op, "ABSSUB", "ABSSSUB"),
        "ABSSUB saturates",
        "spec 04 section 9: exact difference, then wrap",
    ),
    Fault::rewrite(
        "unsigned-difference-signed",
        |name| stem(name, &["ABSSUBU"]),
        |op, _| rename(op, "ABSSUBU", "ABSSUB"),
        "ABSSUBU subtracts signed numbers",
        "spec 04 section 9: unsigned form",
    ),
    Fault::rewrite(
        "subtract-reversed",
        |name| stem(name, &["SUB", "SUBS"]),
        |op, _| swap(op, 1, 2),
        "SUB computes the second source less the first",
        "spec 04 V-32: the first source is the left operand",
    ),
    Fault::rewrite(
        "multiply-halves-swapped",
        |name| name == "MULPN16XR16",
        |op, _| swap(op, 1, 2),
        "MULPN16XR16 gives the low half of the pair to the first source",
        "spec 04 V-34: the high half",
    ),
    Fault::rewrite(
        "multiply-16-unsigned",
        |name| name == "MUL16S",
        |op, state| {
            // The product of the unsigned halves, which fits, by the full multiply.
            for operand in &op.operands[1..] {
                if let Operand::Reg(_, index) = operand {
                    state.ar[*index as usize] &= 0xFFFF;
                }
            }
            rename(op, "MUL16S", "MULL");
        },
        "MUL16S multiplies unsigned halves",
        "spec 04 section 10.1: signed product of the low 16 bits",
    ),
];
