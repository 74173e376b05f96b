//! Misread loads and stores (spec 04 sections 4.6 and 4.7).

use super::Fault;
use super::streams::{address, line, write};
use super::vector::rename;
use contract::state::LINE;

fn loads_line(name: &str) -> bool {
    name.starts_with("LV2NX8")
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::rewrite(
        "widening-load-unsigned",
        |name| name.starts_with('L') && ["NX8S", "N_2X16S"].iter().any(|form| name.contains(form)),
        |op, _| {
            rename(op, "NX8S", "NX8U");
            rename(op, "N_2X16S", "N_2X16U");
        },
        "signed widening loads extend with zeros",
        "spec 04 section 4.7: S sign-extends",
    ),
    Fault::rewrite(
        "widening-load-signed",
        |name| name.starts_with('L') && ["NX8U", "N_2X16U"].iter().any(|form| name.contains(form)),
        |op, _| {
            rename(op, "NX8U", "NX8S");
            rename(op, "N_2X16U", "N_2X16S");
        },
        "unsigned widening loads extend the sign",
        "spec 04 section 4.7: U zero-extends",
    ),
    Fault::spoil(
        "narrowing-store-high-half",
        |name| name.starts_with("SVNX8") && !name.contains("T_"),
        |before, read, after| {
            let (Some(source), Some(at)) = (read.source(before), address(before, read)) else {
                return;
            };
            let bytes: Vec<u8> = (0..32).map(|lane| source.0[2 * lane + 1]).collect();
            write(after, at & !31, &bytes);
        },
        "a narrowing store keeps the high byte of a lane",
        "spec 04 section 4.7: the low half of each lane",
    ),
    Fault::spoil(
        "load-sees-store",
        loads_line,
        |before, read, after| {
            if let (Some(target), Some(at)) = (read.register("vt"), address(before, read)) {
                after.vec[target] = line(after, at & !63);
            }
        },
        "a load sees the store of its own bundle",
        "spec 04 V-31: it returns the old bytes",
    ),
    Fault::spoil(
        "load-unaligned",
        loads_line,
        |before, read, after| {
            if let (Some(target), Some(at)) = (read.register("vt"), address(before, read))
                && before.memory.window(at, LINE).is_some()
            {
                after.vec[target] = line(before, at);
            }
        },
        "LV2NX8 honours the low six bits of its address",
        "spec 04 section 4.6: M[line(EA)]",
    ),
    Fault::spoil(
        "load-pre-increment",
        |name| name == "LV2NX8_IP" || name == "LV2NX8_XP",
        |before, read, after| {
            if let (Some(target), Some(base)) = (read.register("vt"), read.register("ars"))
                && before.memory.window(after.ar[base] & !63, LINE).is_some()
            {
                after.vec[target] = line(before, after.ar[base] & !63);
            }
        },
        "post-incrementing loads use the new base",
        "spec 04 section 4.5: the access uses the old base",
    ),
    Fault::spoil(
        "half-line-aligned-to-64",
        |name| name.starts_with("LVNX8") || name.starts_with("LVN_2X16"),
        |before, read, after| {
            let (Some(target), Some(at)) = (read.register("vt"), address(before, read)) else {
                return;
            };
            if at & 32 == 0 {
                return;
            }
            let bytes = line(before, at & !63);
            let signed = read.name().contains("S_");
            for lane in 0..read.lanes() {
                let code = if read.lane.bits == 16 {
                    let byte = bytes.0[lane];
                    if signed { i64::from(byte as i8) as u64 } else { u64::from(byte) }
                } else {
                    let half = u16::from_le_bytes([bytes.0[2 * lane], bytes.0[2 * lane + 1]]);
                    if signed { i64::from(half as i16) as u64 } else { u64::from(half) }
                };
                read.put(&mut after.vec[target], lane, code);
            }
        },
        "32-byte loads are aligned to 64",
        "spec 04 section 4.6: EA & ~31",
    ),
    Fault::spoil(
        "predicate-load-unaligned",
        |name| name.starts_with("LB2N"),
        |before, read, after| {
            let (Some(q), Some(at)) = (read.register("vbt"), address(before, read)) else { return };
            if let Some(at) = before.memory.window(at, 8) {
                let bytes = before.memory.bytes();
                after.vbool[q] =
                    (0..8).rev().fold(0, |value, byte| value << 8 | u64::from(bytes[at + byte]));
            }
        },
        "LB2N loads from an address that is no multiple of 8",
        "spec 04 section 4.6: EA & ~7",
    ),
];
