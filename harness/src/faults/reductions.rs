//! Misread reductions (spec 04 section 8): widening, saturation, ties, identities, NaNs.

use super::Fault;
use super::vector::rename;
use contract::profile::RbTie;

pub(super) fn sums(name: &str) -> bool {
    name.starts_with("RADD")
}

pub(super) fn folds(name: &str) -> bool {
    sums(name) || name.starts_with("RMAX") || name.starts_with("RMIN")
}

pub(super) fn flags(name: &str) -> bool {
    name.starts_with("RBMAX") || name.starts_with("RBMIN")
}

fn numbers(name: &str) -> bool {
    name.contains("NUM")
}

const fn is_nan(code: u64, bits: u32) -> bool {
    if bits == 16 { code & 0x7FFF > 0x7C00 } else { code & 0x7FFF_FFFF > 0x7F80_0000 }
}

const fn is_signalling(code: u64, bits: u32) -> bool {
    is_nan(code, bits) && code >> (if bits == 16 { 9 } else { 22 }) & 1 == 0
}

const FSR_V: u16 = 1 << 11;

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::rewrite(
        "radd-zero-extends",
        |name| matches!(name, "RADDNX16" | "RADDNX16T" | "RADD2NX8" | "RADD2NX8T"),
        |op, _| rename(op, "RADD", "RADDU"),
        "sums zero-extend their lanes, as the movzwl of the listing has it",
        "seed 004 section 4.3: acc += (int16_t)lane",
    ),
    Fault::spoil(
        "radd-not-widened",
        |name| name.starts_with("RADDNX16") || name.starts_with("RADDUNX16"),
        |_, read, after| {
            if let Some(target) = read.register("vt") {
                after.vec[target].0[2..4].fill(0);
            }
        },
        "a sum of 16-bit lanes stays 16 bits wide",
        "seed 004 section 4.1: radd widens to 32 bits",
    ),
    Fault::spoil(
        "radd-broadcast",
        |name| name.starts_with("RADDN_2X32"),
        |_, read, after| {
            let Some(target) = read.register("vt") else { return };
            let sum = read.element(&after.vec[target], 0);
            (0..read.lanes()).for_each(|lane| read.put(&mut after.vec[target], lane, sum));
        },
        "a sum stands in every lane of the result",
        "spec 04 V-22: low bits, rest zero",
    ),
    Fault::spoil(
        "fold-keeps-upper-bits",
        folds,
        |before, read, after| {
            let Some(target) = read.register("vt") else { return };
            after.vec[target].0[4..].copy_from_slice(&before.vec[target].0[4..]);
        },
        "a reduction leaves the upper lanes of its result alone",
        "spec 04 V-22: all higher bits become zero",
    ),
    Fault::spoil(
        "radds-unclamped",
        |name| name.starts_with("RADDSNX16"),
        |before, read, after| {
            let (Some(target), Some(source)) = (read.register("vt"), read.source(before)) else {
                return;
            };
            let lanes = (0..read.lanes()).filter(|&lane| read.lives(before, lane));
            let sum =
                lanes.map(|lane| read.element(source, lane) as u16).fold(0_u16, u16::wrapping_add);
            after.vec[target].0[..2].copy_from_slice(&sum.to_le_bytes());
        },
        "RADDS keeps the low 16 bits of the sum",
        "seed 004 section 4.1: clamped to int16 (spec 04 V-23)",
    ),
    Fault::spoil(
        "radds-clamps-each-step",
        |name| name.starts_with("RADDSNX16"),
        |before, read, after| {
            let (Some(target), Some(source)) = (read.register("vt"), read.source(before)) else {
                return;
            };
            let lanes = (0..read.lanes()).filter(|&lane| read.lives(before, lane));
            let sum =
                lanes.fold(0_i16, |sum, lane| sum.saturating_add(read.signed(source, lane) as i16));
            after.vec[target].0[..2].copy_from_slice(&sum.to_le_bytes());
        },
        "RADDS clamps after every lane",
        "spec 04 section 8.1: one clamp after the exact sum (V-23)",
    ),
    Fault::rewrite(
        "fold-extremum-unsigned",
        |name| {
            matches!(
                name.trim_end_matches('T'),
                "RMAX2NX8" | "RMAXNX16" | "RMAXN_2X32" | "RMIN2NX8" | "RMINNX16" | "RMINN_2X32"
            )
        },
        |op, _| {
            rename(op, "RMAX", "RMAXU");
            rename(op, "RMIN", "RMINU");
        },
        "RMAX and RMIN compare unsigned numbers",
        "spec 04 section 8.1: signed extremum",
    ),
    Fault::spoil(
        "fold-extremum-widens",
        |name| name.starts_with("RMAXNX16") || name.starts_with("RMINNX16"),
        |_, read, after| {
            let Some(target) = read.register("vt") else { return };
            let sign = if after.vec[target].0[1] & 0x80 == 0 { 0 } else { 0xFF };
            after.vec[target].0[2..4].fill(sign);
        },
        "an extremum of 16-bit lanes widens to 32 bits, like a sum",
        "seed 004 section 4.1: min and max do not widen",
    ),
    Fault::spoil(
        "fold-merges",
        |name| folds(name) && name.ends_with('T'),
        |before, read, after| {
            let Some(target) = read.register("vt") else { return };
            if !(0..read.lanes()).any(|lane| read.lives(before, lane)) {
                after.vec[target] = before.vec[target];
            }
        },
        "a predicated reduction without a live lane leaves its result alone",
        "spec 04 V-24: identity for killed lanes, full overwrite",
    ),
    Fault::spoil(
        "fold-killed-lanes-zero",
        |name| matches!(name, "RMAXNX16T" | "RMINNX16T" | "RMINUNX16T"),
        |before, read, after| {
            let Some(target) = read.register("vt") else { return };
            let killed = (0..read.lanes()).any(|lane| !read.lives(before, lane));
            let code = read.signed(&after.vec[target], 0);
            let beyond = if read.name().starts_with("RMAX") {
                code < 0
            } else {
                read.name().starts_with("RMINU") || code > 0
            };
            if killed && beyond {
                read.put(&mut after.vec[target], 0, 0);
            }
        },
        "killed lanes of an extremum count as 0",
        "spec 04 section 8.3: they count as the identity",
    ),
    Fault::rewrite(
        "rb-flags-every-tie",
        flags,
        |_, state| state.profile.rb_tie = RbTie::Union,
        "RBMAX and RBMIN flag every tied lane",
        "seed 004 section 4.4: on a tie the lower index (spec 04 V-02)",
    ),
    Fault::spoil(
        "rbmin-higher-lane",
        |name| flags(name) && !numbers(name),
        |before, read, after| {
            let registers = (read.register("vt"), read.register("vbt"), read.source(before));
            let (Some(target), Some(q), Some(source)) = registers else { return };
            if before.profile.rb_tie != RbTie::Lowest {
                return;
            }
            let extremum = read.element(&after.vec[target], 0);
            let tied = (0..read.lanes()).rev().find(|&lane| read.element(source, lane) == extremum);
            after.vbool[q] = tied.map_or(0, |lane| read.field(lane));
        },
        "RBMAX and RBMIN flag the highest of the tied lanes",
        "seed 004 section 4.4: on a tie the lower index (spec 04 V-02)",
    ),
    Fault::spoil(
        "rb-first-lane-only",
        flags,
        |_, read, after| {
            if let Some(target) = read.register("vt") {
                after.vec[target].0[read.lane.bytes()..].fill(0);
            }
        },
        "RBMAX and RBMIN put the extremum into lane 0 alone",
        "spec 04 V-22: in every lane",
    ),
    Fault::spoil(
        "num-propagates-nan",
        |name| numbers(name) && folds(name),
        |before, read, after| {
            let (Some(target), Some(source)) = (read.register("vt"), read.source(before)) else {
                return;
            };
            let bits = read.lane.bits;
            let nan = (0..read.lanes())
                .any(|lane| read.lives(before, lane) && is_nan(read.element(source, lane), bits));
            if nan {
                read.put(&mut after.vec[target], 0, if bits == 16 { 0x7E00 } else { 0x7FC0_0000 });
            }
        },
        "one NaN makes the result of a NUM reduction NaN",
        "seed 004 section 4.3: IEEE maxNum and minNum",
    ),
    Fault::spoil(
        "num-empty-is-infinite",
        |name| numbers(name) && folds(name),
        |before, read, after| {
            let (Some(target), Some(source)) = (read.register("vt"), read.source(before)) else {
                return;
            };
            let bits = read.lane.bits;
            let numbers = (0..read.lanes())
                .any(|lane| !read.lives(before, lane) || !is_nan(read.element(source, lane), bits));
            if !numbers {
                let infinity = if bits == 16 { 0x7C00 } else { 0x7F80_0000 };
                let sign = u64::from(read.name().contains("MAX")) << (bits - 1);
                read.put(&mut after.vec[target], 0, infinity | sign);
            }
        },
        "a NUM reduction of NaNs alone gives the infinity that it starts from",
        "spec 04 section 8.4: the canonical NaN",
    ),
    Fault::spoil(
        "num-killed-lanes-dropped",
        |name| numbers(name) && folds(name) && name.ends_with('T'),
        |before, read, after| {
            let (Some(target), Some(source)) = (read.register("vt"), read.source(before)) else {
                return;
            };
            let bits = read.lane.bits;
            let alive: Vec<usize> =
                (0..read.lanes()).filter(|&lane| read.lives(before, lane)).collect();
            if alive.iter().all(|&lane| is_nan(read.element(source, lane), bits)) {
                read.put(&mut after.vec[target], 0, if bits == 16 { 0x7E00 } else { 0x7FC0_0000 });
            }
        },
        "killed lanes of a NUM reduction are left out instead of replaced",
        "spec 04 V-37: replace first, then the plain rule",
    ),
    Fault::spoil(
        "num-zeros-equal",
        |name| numbers(name) && folds(name),
        |before, read, after| {
            let (Some(target), Some(source)) = (read.register("vt"), read.source(before)) else {
                return;
            };
            let sign = 1 << (read.lane.bits - 1);
            if read.element(&after.vec[target], 0) & !sign == 0 {
                let lanes = (0..read.lanes()).filter(|&lane| read.lives(before, lane));
                let first =
                    lanes.map(|lane| read.element(source, lane)).find(|code| code & !sign == 0);
                read.put(&mut after.vec[target], 0, first.unwrap_or(0));
            }
        },
        "zeros of both signs are equal to a NUM reduction: the first stays",
        "spec 04 V-33: -0 below +0",
    ),
    Fault::spoil(
        "num-quiet-nan-flagged",
        numbers,
        |before, read, after| {
            let Some(source) = read.source(before) else { return };
            let bits = read.lane.bits;
            let nan = (0..read.lanes())
                .any(|lane| read.lives(before, lane) && is_nan(read.element(source, lane), bits));
            after.fsr |= if nan { FSR_V } else { 0 };
        },
        "a quiet NaN raises the invalid flag",
        "spec 04 section 8.4: signalling NaNs alone",
    ),
    Fault::spoil(
        "num-signalling-unflagged",
        numbers,
        |before, read, after| {
            let Some(source) = read.source(before) else { return };
            let bits = read.lane.bits;
            if (0..read.lanes()).any(|lane| is_signalling(read.element(source, lane), bits)) {
                after.fsr = after.fsr & !FSR_V | before.fsr & FSR_V;
            }
        },
        "a signalling NaN raises no flag in a reduction",
        "spec 04 section 8.4: set V of FSR",
    ),
];
