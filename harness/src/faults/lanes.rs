//! Misread crossbar, moves and rotates (spec 04 sections 5 to 7): index width, half order, control fields,
//! placement.

use super::Fault;
use super::vector::{Reading, rename, swap};
use contract::bundle::Operand;
use contract::profile::RotrMode;
use contract::state::{Line, VectorState};

/// SEL and DSEL with a control vector.
fn selects(name: &str) -> bool {
    name.starts_with("SEL") && !name.contains("8I")
}

fn deals(name: &str) -> bool {
    name.starts_with("DSELN")
}

fn shuffles(name: &str) -> bool {
    name.starts_with("SHFL") && !name.contains("8I")
}

fn operand_line<'s>(read: &Reading<'_>, state: &'s VectorState, name: &str) -> Option<&'s Line> {
    read.register(name).map(|index| &state.vec[index])
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    Fault::spoil(
        "sel-index-5-bits",
        selects,
        |before, read, after| {
            let lines = (
                operand_line(read, before, "vr"),
                operand_line(read, before, "vs"),
                operand_line(read, before, "sr"),
            );
            let (Some(low), Some(high), Some(control)) = lines else { return };
            read.replace(before, after, |lane| {
                let index = read.element(control, lane) as usize & 0x1F;
                Some(if index < read.lanes() {
                    read.element(low, index)
                } else {
                    read.element(high, index - read.lanes())
                })
            });
        },
        "SEL has a 5-bit index at every width, so the upper half of the pool is lost",
        "seed 004 section 6: pin the SEL 6-bit against the SHFL 5-bit index width",
    ),
    Fault::rewrite(
        "sel-halves-swapped",
        selects,
        |op, _| swap(op, 1, 2),
        "the low half of the pool is vs",
        "seed 004 section 3.3: idx < 32 takes vr (spec 04 V-17)",
    ),
    Fault::spoil(
        "shfl-high-bits",
        shuffles,
        |before, read, after| {
            let Some(control) = operand_line(read, before, "sr") else { return };
            read.replace(before, after, |lane| {
                (read.element(control, lane) >= read.lanes() as u64).then_some(0)
            });
        },
        "SHFL gives zero for an index beyond the lanes",
        "spec 04 section 5: control bits above the mask are ignored",
    ),
    Fault::spoil(
        "shfl-index-5-bits",
        |name| name.starts_with("SHFL2NX8") && shuffles(name),
        |before, read, after| {
            let (Some(source), Some(control)) =
                (operand_line(read, before, "vr"), operand_line(read, before, "sr"))
            else {
                return;
            };
            read.replace(before, after, |lane| {
                Some(read.element(source, read.element(control, lane) as usize & 0x1F))
            });
        },
        "SHFL2NX8 has the 5-bit index of the 16-bit form",
        "spec 04 section 5: masks 0x3f, 0x1f and 0x0f",
    ),
    Fault::spoil(
        "shfl-bytes",
        |name| name.starts_with("SHFLN"),
        |before, read, after| {
            let (Some(source), Some(control)) =
                (operand_line(read, before, "vr"), operand_line(read, before, "sr"))
            else {
                return;
            };
            read.replace(before, after, |lane| {
                let index = read.element(control, lane) as usize & 0x3F;
                let bytes = read.lane.bytes();
                Some(
                    (0..bytes)
                        .rev()
                        .fold(0, |code, byte| code << 8 | u64::from(source.0[(index + byte) % 64])),
                )
            });
        },
        "a shuffle index counts bytes at every width",
        "seed 004 section 3.3: an output lane copies a whole input element",
    ),
    Fault::rewrite(
        "dsel-results-swapped",
        deals,
        |op, _| swap(op, 0, 1),
        "the low control field drives vu, the high one vt",
        "spec 04 V-18: low byte to vt, high byte to vu",
    ),
    Fault::spoil(
        "dsel-32-byte-fields",
        |name| name.starts_with("DSELN_2X32"),
        |before, read, after| {
            let lines = (
                operand_line(read, before, "vr"),
                operand_line(read, before, "vs"),
                operand_line(read, before, "sr"),
                read.register("vu"),
            );
            let (Some(low), Some(high), Some(control), Some(target)) = lines else { return };
            for lane in (0..16).filter(|&lane| read.lives(before, lane)) {
                let index = (read.element(control, lane) >> 8) as usize & 0x1F;
                let code = if index < 16 {
                    read.element(low, index)
                } else {
                    read.element(high, index - 16)
                };
                read.put(&mut after.vec[target], lane, code);
            }
        },
        "the control fields of DSELN_2X32 are bytes, as of the 16-bit form",
        "spec 04 section 5: two half-word fields (V-18)",
    ),
    Fault::spoil(
        "dcmprs-packs-front",
        |name| name == "DCMPRS2NX8",
        |before, read, after| {
            let (Some(source), Some(q), Some(target)) =
                (read.source(before), read.register("vbr"), read.register("vt"))
            else {
                return;
            };
            let mut packed = Line([source.0[63]; 64]);
            let chosen = (0..64).filter(|&lane| before.vbool[q] >> lane & 1 == 1);
            chosen.enumerate().for_each(|(at, lane)| packed.0[at] = source.0[lane as usize]);
            after.vec[target] = packed;
        },
        "DCMPRS packs the chosen bytes to the front",
        "spec 06, remarks not followed: expand by a count of set bits (spec 04 V-21)",
    ),
    Fault::spoil(
        "dcmprs-count-inclusive",
        |name| name == "DCMPRS2NX8",
        |before, read, after| {
            let (Some(source), Some(q), Some(target)) =
                (read.source(before), read.register("vbr"), read.register("vt"))
            else {
                return;
            };
            for lane in (0..64_usize).filter(|&lane| before.vbool[q] >> lane & 1 == 1) {
                let count = (before.vbool[q] & (u64::MAX >> (63 - lane))).count_ones();
                after.vec[target].0[lane] = source.0[count as usize & 63];
            }
        },
        "the count of DCMPRS includes the lane itself",
        "spec 04 V-21: strictly below the lane",
    ),
    Fault::spoil(
        "dcmprs-fills-zero",
        |name| name == "DCMPRS2NX8",
        |before, read, after| {
            let (Some(q), Some(target)) = (read.register("vbr"), read.register("vt")) else {
                return;
            };
            (0..64)
                .filter(|&lane| before.vbool[q] >> lane & 1 == 0)
                .for_each(|lane| after.vec[target].0[lane as usize] = 0);
        },
        "DCMPRS puts zero where the predicate is false",
        "seed 004 section 3.4: src[63]",
    ),
    Fault::spoil(
        "extract-8-signed",
        |name| name == "EXTR2NX8",
        |before, read, after| {
            let (Some(source), Some(target), Some(lane)) =
                (read.source(before), read.register("art"), read.immediate())
            else {
                return;
            };
            after.ar[target] = i32::from(source.0[lane as usize & 63] as i8) as u32;
        },
        "EXTR2NX8 extends the sign",
        "spec 04 section 6: zero-extend8",
    ),
    Fault::spoil(
        "extract-16-unsigned",
        |name| name == "EXTRNX16" || name == "MOVAV16",
        |_, read, after| {
            if let Some(target) = read.register("art") {
                after.ar[target] &= 0xFFFF;
            }
        },
        "16-bit lanes reach an address register without their sign",
        "spec 04 section 6: sign-extend16",
    ),
    Fault::spoil(
        "extract-by-words",
        |name| name == "EXTRVRN_2X32",
        |before, read, after| {
            let (Some(source), Some(target), Some(index)) =
                (read.source(before), read.register("art"), read.register("ars"))
            else {
                return;
            };
            let lane = before.ar[index];
            after.ar[target] =
                if lane < 16 { read.element(source, lane as usize) as u32 } else { 0 };
        },
        "EXTRVRN_2X32 counts words",
        "spec 04 section 6: the four bytes from byte t",
    ),
    Fault::spoil(
        "move-first-lane-only",
        |name| name.starts_with("MOVVA"),
        |before, read, after| {
            let Some(target) = read.register("vt") else { return };
            let first = read.element(&after.vec[target], 0);
            after.vec[target] = before.vec[target];
            read.put(&mut after.vec[target], 0, first);
        },
        "MOVVA fills lane 0 alone",
        "spec 04 V-27: all lanes",
    ),
    Fault::rewrite(
        "rotr-inside-lanes",
        |name| name.starts_with("ROTR"),
        |_, state| state.profile.rotr_mode = RotrMode::Bit,
        "ROTR rotates bits inside each lane",
        "seed 004 section 4.4, NOTE: the rotate is element-granular (spec 04 V-03)",
    ),
    Fault::spoil(
        "rotr-leftwards",
        |name| name.starts_with("ROTR"),
        |before, read, after| {
            let Some(source) = read.source(before) else { return };
            let amount = |lane| match (operand_line(read, before, "vs"), read.immediate()) {
                (Some(amounts), _) => read.element(amounts, lane) as usize,
                (None, imm) => imm.unwrap_or(0) as usize,
            };
            let lanes = read.lanes();
            read.replace(before, after, |lane| {
                Some(read.element(source, (lane + lanes - amount(lane) % lanes) % lanes))
            });
        },
        "ROTR moves elements to higher lanes",
        "spec 04 section 7: vd[l] = vx[(l + t) mod N]",
    ),
    Fault::spoil(
        "rotr-one-amount",
        |name| name.starts_with("ROTRN"),
        |before, read, after| {
            let (Some(source), Some(amounts)) =
                (read.source(before), operand_line(read, before, "vs"))
            else {
                return;
            };
            let amount = read.element(amounts, 0) as usize;
            read.replace(before, after, |lane| {
                Some(read.element(source, (lane + amount) % read.lanes()))
            });
        },
        "a variable rotate takes its amount from lane 0",
        "spec 04 section 7: each output lane uses its own amount",
    ),
    Fault::spoil(
        "pack-high-bits",
        |name| name == "PACKLNX48",
        |before, read, after| {
            let Some(wide) = read.register("wvr") else { return };
            read.replace(before, after, |lane| {
                let at = 6 * lane + 2;
                Some(u64::from(u16::from_le_bytes([
                    before.wvec[wide][at],
                    before.wvec[wide][at + 1],
                ])))
            });
        },
        "PACKL takes the second half-word of an accumulator",
        "spec 04 section 10: the low 16 bits",
    ),
    Fault::rewrite(
        "select-immediate-backwards",
        |name| name.starts_with("SEL2NX8I"),
        |op, _| {
            if let Some(Operand::Imm(value)) = op.operands.last_mut() {
                *value = (128 - *value) % 128;
            }
            rename(op, "_S0", "");
            rename(op, "_S2", "");
            rename(op, "_S4", "");
            op.slot = 3;
        },
        "SEL2NX8I counts its pattern backwards",
        "spec 04 section 5.1: POOL[(l + imm) & 0x7f]",
    ),
];
