//! Misread predicates (spec 04 sections 2.1, 8.5, 9 and 10): how they stand in their registers, who reads and
//! writes which bits.

use super::Fault;
use super::reductions::{flags, folds};
use super::vector::{Reading, rename, swap};
use contract::bundle::{Operand, SlotOp};
use contract::state::VectorState;

/// Ops that merge into their result by a predicate (spec 04 section 3, rule 5).
fn merges(name: &str) -> bool {
    let reduces = folds(name) || flags(name);
    name.ends_with('T')
        && !reduces
        && !name.starts_with("LAT")
        && !name.starts_with("SV")
        && !name.starts_with("DSEL")
}

/// Integer compares.
fn compares(name: &str) -> bool {
    ["EQ", "NEQ", "LT", "LTU", "LE", "LEU"].iter().any(|stem| {
        name.strip_prefix(stem).is_some_and(|rest| matches!(rest, "2NX8" | "NX16" | "N_2X32"))
    })
}

/// Changes the predicate that an op reads, lane by lane.
fn predicate(op: &mut SlotOp, state: &mut VectorState, bit: fn(u64, u32) -> bool) {
    let Some(read) = Reading::of(op) else { return };
    let Some(q) = read.register("vbr") else { return };
    let field = read.lane.field();
    let old = state.vbool[q];
    state.vbool[q] = (0..64 / field)
        .filter(|&lane| bit(old >> (lane * field), field))
        .fold(0, |new, lane| new | 1 << (lane * field));
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::spoil(
        "tail-mask-full-count",
        |name| name.starts_with("LTRN") || name.starts_with("LTR2N"),
        |before, read, after| {
            let count = match (read.register("ars"), read.immediate()) {
                (Some(index), _) => i64::from(before.ar[index]),
                (None, imm) => imm.unwrap_or(0),
            };
            if let (Some(q), true) = (read.register("vbt"), count >= read.lanes() as i64) {
                after.vbool[q] = u64::MAX;
            }
        },
        "a tail mask of as many lanes as there are, or more, selects them all",
        "spec 04 V-25: the count is taken modulo the lanes",
    ),
    Fault::rewrite(
        "saturating-tail-mask-wraps",
        |name| name.starts_with("LTRS"),
        |op, _| rename(op, "LTRS", "LTR"),
        "LTRS takes its count modulo the lanes",
        "spec 04 section 8.5: clamp(A.a, 0, N)",
    ),
    Fault::spoil(
        "predicate-fold-all-bits",
        |name| name.starts_with("RANDB") || name.starts_with("RORB"),
        |before, read, after| {
            let (Some(q), Some(source)) = (read.register("vbt"), read.register("vbr")) else {
                return;
            };
            let value = before.vbool[source];
            after.vbool[q] = u64::from(if read.name().starts_with("RANDB") {
                value == u64::MAX
            } else {
                value != 0
            });
        },
        "RANDB and RORB fold all 64 bits",
        "spec 04 V-26: the low bit of each field",
    ),
    Fault::spoil(
        "predicate-fold-broadcast",
        |name| name.starts_with("RANDB") || name.starts_with("RORB"),
        |_, read, after| {
            if let Some(q) = read.register("vbt") {
                after.vbool[q] = after.vbool[q].wrapping_neg();
            }
        },
        "RANDB and RORB set every bit of their result",
        "spec 04 section 8.5: bit 0, rest 0",
    ),
    Fault::spoil(
        "killed-lanes-zeroed",
        merges,
        |before, read, after| {
            let Some(target) = read.register("vt") else { return };
            let killed = (0..read.lanes()).filter(|&lane| !read.lives(before, lane));
            killed.for_each(|lane| read.put(&mut after.vec[target], lane, 0));
        },
        "killed lanes become zero",
        "seed 004 section 3.5: killed lanes keep the prior value",
    ),
    Fault::rewrite(
        "predicate-top-bit",
        merges,
        |op, state| predicate(op, state, |field, bits| field >> (bits - 1) & 1 == 1),
        "a lane lives by the top bit of its field",
        "spec 04 section 2.1: readers test the low bit",
    ),
    Fault::rewrite(
        "predicate-any-bit",
        merges,
        |op, state| predicate(op, state, |field, bits| field & ((1 << bits) - 1) != 0),
        "a lane lives if any bit of its field is set",
        "spec 04 section 2.1: a field such as 0b10 is false",
    ),
    Fault::rewrite(
        "predicate-bit-per-lane",
        merges,
        |op, state| {
            let Some(read) = Reading::of(op) else { return };
            let Some(q) = read.register("vbr") else { return };
            let (old, field) = (state.vbool[q], read.lane.field());
            state.vbool[q] = (0..64 / field)
                .filter(|lane| old >> lane & 1 == 1)
                .fold(0, |new, lane| new | 1 << (lane * field));
        },
        "lane l lives by bit l at every width",
        "spec 04 section 2.1: bit l*k",
    ),
    Fault::spoil(
        "flag-low-bit-only",
        compares,
        |_, read, after| {
            let Some(q) = read.register("vbt") else { return };
            let low = (0..read.lanes())
                .fold(0, |mask, lane| mask | 1 << (lane as u32 * read.lane.field()));
            after.vbool[q] &= low;
        },
        "compares set the low bit of a field alone",
        "spec 04 section 2.1: writers write the whole field",
    ),
    Fault::rewrite(
        "compare-unsigned-signed",
        |name| name.starts_with("LTU") || name.starts_with("LEU"),
        |op, _| {
            rename(op, "LTU", "LT");
            rename(op, "LEU", "LE");
        },
        "LTU and LEU compare signed numbers",
        "spec 04 section 9: signedness as named",
    ),
    Fault::rewrite(
        "compare-swapped",
        |name| compares(name) && name.starts_with('L'),
        |op, _| swap(op, 1, 2),
        "LT and LE compare the second source with the first",
        "spec 04 section 9: x rel y",
    ),
    Fault::rewrite(
        "at-most-is-less",
        |name| name.starts_with("LE") && compares(name),
        |op, _| rename(op, "LE", "LT"),
        "LE does not hold on equal lanes",
        "spec 04 section 9: x <= y",
    ),
    Fault::spoil(
        "flag-not-strict",
        |name| name.starts_with("BMAX") || name.starts_with("BMIN"),
        |before, read, after| {
            let registers = (read.register("vbt"), read.source(before), read.register("vs"));
            let (Some(q), Some(left), Some(right)) = registers else { return };
            let equal =
                |lane: &usize| read.element(left, *lane) == read.element(&before.vec[right], *lane);
            (0..read.lanes()).filter(equal).for_each(|lane| after.vbool[q] |= read.field(lane));
        },
        "BMAX and BMIN flag equal lanes too",
        "spec 04 section 9: strict",
    ),
    Fault::rewrite(
        "predicate-complement-first",
        |name| name == "ANDNOTB" || name == "ORNOTB",
        |op, _| swap(op, 1, 2),
        "ANDNOTB and ORNOTB complement their first source",
        "spec 04 section 10: qx & ~qy, qx | ~qy",
    ),
    Fault::spoil(
        "move-to-predicate-whole",
        |name| name == "MOVBA1",
        |before, read, after| {
            if let (Some(q), Some(index)) = (read.register("vbt"), read.register("ars")) {
                after.vbool[q] = u64::from(before.ar[index]);
            }
        },
        "MOVBA1 moves the whole address register",
        "spec 04 section 6: A.a & 1",
    ),
    Fault::rewrite(
        "masked-store-unmasked",
        |name| name.starts_with("SV") && name.contains("T_"),
        |op, _| rename(op, "T_", "_"),
        "a predicated store writes every lane",
        "spec 04 section 4.6: lane stored only if its predicate is true",
    ),
    Fault::rewrite(
        "masked-store-any-bit",
        |name| name.starts_with("SVN") && name.contains("T_"),
        |op, state| predicate(op, state, |field, bits| field & ((1 << bits) - 1) != 0),
        "a predicated store looks at every bit of a field",
        "spec 04 section 2.1: the low bit",
    ),
    Fault::rewrite(
        "immediate-tail-mask-capped",
        |name| name == "LTRNI" || name == "LTRN_2I",
        |op, _| {
            let lanes = if matches!(&op.op, contract::bundle::OpWord::Known(known) if known.name() == "LTRNI")
            {
                32
            } else {
                16
            };
            if let Some(Operand::Imm(value)) = op.operands.last_mut() {
                *value = (*value).min(lanes - 1);
            }
        },
        "the immediate of a tail mask stops at the last lane",
        "spec 04 section 8.5: t = imm mod N",
    ),
];
