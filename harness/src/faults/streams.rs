//! Misread align registers and the streams through them (spec 04 sections 4.1 to 4.5).

use super::Fault;
use super::vector::Reading;
use contract::profile::LaFresh;
use contract::state::{LINE, Line, VectorState};

/// The ops of the produce step (spec 04 section 4.2).
fn produces(name: &str) -> bool {
    name.starts_with("LA") && !name.starts_with("LALIGN") && !name.starts_with("LA_PP")
}

/// Aligning loads of a full vector.
fn produces_line(name: &str) -> bool {
    name.starts_with("LA2NX8") || name.starts_with("LANX16")
}

/// The ops of the append step (spec 04 section 4.3).
fn appends(name: &str) -> bool {
    name.starts_with("SA") && !name.starts_with("SALIGN") && !name.starts_with("SAPOS")
}

/// Full appends.
fn appends_line(name: &str) -> bool {
    name.starts_with("SA2NX8") || name.starts_with("SANX16")
}

/// A line of memory; zero outside the window.
pub(super) fn line(state: &VectorState, address: u32) -> Line {
    let mut line = Line::default();
    if let Some(at) = state.memory.window(address, LINE) {
        line.0.copy_from_slice(&state.memory.bytes()[at..at + LINE]);
    }
    line
}

/// Writes bytes of memory; what lies outside the window is dropped.
pub(super) fn write(state: &mut VectorState, address: u32, bytes: &[u8]) {
    if let Some(at) = state.memory.window(address, bytes.len()) {
        state.memory.write(at, bytes);
    }
}

/// The 128 bytes that an aligning load chooses from.
fn pool(before: &VectorState, read: &Reading<'_>) -> Option<([u8; 128], usize)> {
    let (align, base) = (read.register("u")?, read.register("ars")?);
    let address = before.ar[base];
    let mut pool = [0; 128];
    pool[..64].copy_from_slice(&before.valign[align].0);
    let fresh = line(before, (address & !63).wrapping_add(64));
    pool[64..].copy_from_slice(&fresh.0);
    Some((pool, (address & 63) as usize))
}

/// Effective address of a plain load by its addressing form.
pub(super) fn address(before: &VectorState, read: &Reading<'_>) -> Option<u32> {
    let base = before.ar[read.register("ars")?];
    let name = read.name();
    if name.ends_with("_I") {
        Some(base.wrapping_add(read.immediate()? as u32))
    } else if name.ends_with("_X") {
        Some(base.wrapping_add(before.ar[read.register("art")?]))
    } else {
        Some(base)
    }
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::spoil(
        "valign-not-reprimed",
        produces,
        |before, read, after| {
            if let Some(align) = read.register("u") {
                after.valign[align] = before.valign[align];
            }
        },
        "an aligning load leaves its align register alone: the role is read-only",
        "seed 004 section 2.3: one funnel-load reads the align register and rewrites it \
         (spec 04 V-07)",
    ),
    Fault::spoil(
        "valign-always-reprimed",
        produces,
        |before, read, after| {
            let registers = (read.register("u"), read.register("ars"));
            let (Some(align), Some(base)) = registers else { return };
            let moved = after.ar[base] != before.ar[base];
            if after.valign[align] == before.valign[align] && moved {
                after.valign[align] = line(before, (before.ar[base] & !63).wrapping_add(64));
            }
        },
        "a partial aligning load fetches the next line too",
        "spec 04 V-07: replaced only when the step reaches or crosses the line end",
    ),
    Fault::spoil(
        "funnel-by-words",
        produces_line,
        |before, read, after| {
            let (Some((pool, phase)), Some(target)) = (pool(before, read), read.register("vt"))
            else {
                return;
            };
            let words = phase & !3;
            after.vec[target].0.copy_from_slice(&pool[words..words + 64]);
        },
        "the align funnel moves in 32-bit words",
        "spec 06, remarks not followed: all 64 byte phases were executed (spec 04 V-04)",
    ),
    Fault::spoil(
        "funnel-swapped",
        produces_line,
        |before, read, after| {
            let (Some((pool, phase)), Some(target)) = (pool(before, read), read.register("vt"))
            else {
                return;
            };
            (0..64).for_each(|byte| after.vec[target].0[byte] = pool[(64 + phase + byte) % 128]);
        },
        "the fresh line is the low half of the funnel",
        "seed 004 section 2.5: concat(carried, fresh)",
    ),
    Fault::rewrite(
        "fresh-line-of-base",
        produces,
        |_, state| state.profile.la_fresh = LaFresh::Base,
        "an aligning load fetches the line of its base",
        "spec 04 V-05: the next line",
    ),
    Fault::spoil(
        "aligning-load-moves-32",
        produces_line,
        |before, read, after| {
            if let (Some(base), true) = (read.register("ars"), read.name().ends_with("_IP")) {
                after.ar[base] = before.ar[base].wrapping_add(32);
            }
        },
        "an aligning load moves its base by 32",
        "spec 04 V-15: by 64",
    ),
    Fault::spoil(
        "variable-length-raw-base",
        |name| name.starts_with("LAV") || name.starts_with("SAV"),
        |before, read, after| {
            let registers = (read.register("ars"), read.register("art"));
            let (Some(base), Some(length)) = registers else { return };
            after.ar[base] = before.ar[base].wrapping_add(before.ar[length]);
        },
        "a variable-length access moves its base by the raw length",
        "spec 04 V-08: the clamped count",
    ),
    Fault::rewrite(
        "variable-length-unsigned",
        |name| name.starts_with("LAV") || name.starts_with("SAV"),
        |op, state| {
            let Some(length) = Reading::of(op).and_then(|read| read.register("art")) else {
                return;
            };
            if (state.ar[length] as i32) < 0 {
                state.ar[length] = 64;
            }
        },
        "a negative length is a large one",
        "spec 04 section 4.4: signed, a no-op",
    ),
    Fault::rewrite(
        "variable-length-elements",
        |name| name.starts_with("LAVNX16") || name.starts_with("SAVNX16"),
        |op, state| {
            let Some(length) = Reading::of(op).and_then(|read| read.register("art")) else {
                return;
            };
            state.ar[length] = (state.ar[length] as i32).saturating_mul(2) as u32;
        },
        "a variable length counts elements",
        "spec 04 V-08: bytes of memory",
    ),
    Fault::spoil(
        "variable-length-tail-kept",
        |name| name.starts_with("LAV2NX8") || name.starts_with("LAVNX16"),
        |before, read, after| {
            let (Some((pool, phase)), Some(target)) = (pool(before, read), read.register("vt"))
            else {
                return;
            };
            let Some(length) = read.register("art") else { return };
            if (1..64).contains(&(before.ar[length] as i32)) {
                after.vec[target].0.copy_from_slice(&pool[phase..phase + 64]);
            }
        },
        "bytes beyond a variable length keep what the funnel shows",
        "spec 04 section 4.2: zero",
    ),
    Fault::spoil(
        "prime-unaligned",
        |name| name.starts_with("LALIGN") || name == "LA_PP",
        |before, read, after| {
            let Some(align) = read.register("u") else { return };
            let Some(base) = read.register("ars") else { return };
            let at = if read.name() == "LALIGN_I" {
                address(before, read).unwrap_or(0)
            } else {
                before.ar[base]
            };
            if before.memory.window(at, LINE).is_some() {
                after.valign[align] = line(before, at);
            }
        },
        "a prime loads 64 bytes from where its base points",
        "seed 004 section 2.1: one fresh aligned 64-byte word",
    ),
    Fault::spoil(
        "prime-after-increment",
        |name| name == "LALIGN_IP",
        |before, read, after| {
            let (Some(align), Some(base)) = (read.register("u"), read.register("ars")) else {
                return;
            };
            after.valign[align] = line(before, after.ar[base] & !63);
        },
        "LALIGN_IP loads from the base after its increment",
        "spec 04 section 4.5: the access uses the old base",
    ),
    Fault::spoil(
        "indexed-prime-keeps-base",
        |name| name == "LA_PPXU",
        |before, read, after| {
            if let Some(base) = read.register("ars") {
                after.ar[base] = before.ar[base];
            }
        },
        "LA_PPXU leaves its base alone",
        "spec 04 V-13: indexed with pre-update",
    ),
    Fault::spoil(
        "align-move-clears",
        |name| name == "MALIGN",
        |_, read, after| {
            if let (Some(target), Some(source)) = (read.register("u"), read.register("us"))
                && target != source
            {
                after.valign[source] = Line::default();
            }
        },
        "MALIGN empties the register that it moves from",
        "spec 04 V-10: register copy",
    ),
    Fault::spoil(
        "spill-clears",
        |name| name.starts_with("SALIGN"),
        |_, read, after| {
            if let Some(align) = read.register("u") {
                after.valign[align] = Line::default();
            }
        },
        "SALIGN flushes its register and leaves it empty",
        "spec 04 V-09: the register keeps its value",
    ),
    Fault::spoil(
        "sapos-not-clearing",
        |name| name == "SAPOS_FP",
        |before, read, after| {
            if let Some(align) = read.register("u") {
                after.valign[align] = before.valign[align];
            }
        },
        "SAPOS_FP flushes the pending bytes and leaves them in the register",
        "spec 04 V-12: flush, then clear",
    ),
    Fault::spoil(
        "sapos-whole-line",
        |name| name == "SAPOS_FP",
        |before, read, after| {
            let (Some(align), Some(base)) = (read.register("u"), read.register("ars")) else {
                return;
            };
            let address = before.ar[base];
            let count = (before.valign[align].0[63] & 63).min((address & 63) as u8);
            if count > 0 {
                let bytes = before.valign[align].0;
                write(after, address & !63, &bytes[..(address & 63) as usize]);
            }
        },
        "SAPOS_FP writes everything below the phase, pending or not",
        "spec 04 section 4.5: the bytes from phi - c to phi",
    ),
    Fault::spoil(
        "append-count-lost",
        appends,
        |before, read, after| {
            if let Some(align) = read.register("u")
                && after.valign[align] != before.valign[align]
            {
                after.valign[align].0[63] = 0;
            }
        },
        "an aligning store keeps no count of its pending bytes",
        "spec 04 V-11: byte 63 carries the count",
    ),
    Fault::spoil(
        "append-disturbs-line",
        appends_line,
        |before, read, after| {
            let (Some(align), Some(base)) = (read.register("u"), read.register("ars")) else {
                return;
            };
            let (address, phase) = (before.ar[base], (before.ar[base] & 63) as usize);
            let count = usize::from(before.valign[align].0[63] & 63).min(phase);
            write(after, address & !63, &[0; 64][..phase - count]);
        },
        "the first line of a stream that starts inside it is written whole",
        "spec 04 section 4.3: bytes below phi - c keep their memory value",
    ),
    Fault::spoil(
        "append-narrows-by-halves",
        |name| name.starts_with("SANX8"),
        |before, read, after| {
            let (Some(align), Some(base), Some(source)) =
                (read.register("u"), read.register("ars"), read.source(before))
            else {
                return;
            };
            let phase = (before.ar[base] & 63) as usize;
            if phase < 32 {
                (0..31).for_each(|byte| after.valign[align].0[phase + byte] = source.0[byte]);
            }
        },
        "a narrowing aligning store takes the low 32 bytes of its vector",
        "spec 04 section 4.5: the low 8 bits of each 16-bit lane",
    ),
];
