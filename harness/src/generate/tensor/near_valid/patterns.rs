//! Probes of the clauses on patterns, counts and channels, which both groups share (spec 02 sections
//! 2.4 to 2.6, 4.1 and 4.2). One macro writes the rows for either group's clause ids.

use super::edit::{Edit, Side};
use super::touch::{CHANNELS, COMMAND, COUNTS, DST, IMM0, IMM1, OPERANDS, SRC};
use super::{CR, On, Probe, TC};
use crate::generate::tensor::geometry::Walk;
use contract::isa::ClauseId::{self, *};

/// Element counts, and the dimensions of another pattern whose product is that count modulo 2^16.
const WRAPS_16: &[(u16, [u16; 3])] = &[
    (2, [33, 6, 331]),
    (6, [2, 1, 32771]),
    (10, [26, 1, 2521]),
    (17, [3, 1, 21851]),
    (30, [2, 1, 32783]),
];

/// The same modulo 2^32.
const WRAPS_32: &[(u16, [u16; 3])] = &[
    (64, [1613, 1570, 1696]),
    (4, [1586, 1321, 2050]),
    (7, [11, 6323, 61751]),
    (24, [280, 1901, 8069]),
];

const fn probe(
    fails: &'static [ClauseId],
    name: &'static str,
    opcodes: &'static [u8],
    touches: u32,
    apply: fn(&mut Edit<'_, '_>),
) -> Probe {
    Probe { fails, name, opcodes, on: On::ALL, touches, apply }
}

/// Source counts from the first column, destination counts from the second.
fn wrap(edit: &mut Edit<'_, '_>, rows: &[(u16, [u16; 3])]) {
    let (elements, [x, y, z]) = edit.draw.pick(rows);
    for (side, counts) in [(Side::Src, [elements, 1, 1, 1]), (Side::Dst, [x, y, z, 1])] {
        let walk = edit.walk(side);
        walk.counts = counts;
        walk.steps = Walk::contiguous(counts);
    }
}

/// One dimension of a pattern becomes zero.
fn empty(edit: &mut Edit<'_, '_>, side: Side) {
    let dimension = edit.dimension();
    edit.walk(side).counts[dimension] = 0;
}

/// A start word whose register form is broken: a number beyond 63.
fn register_64(edit: &mut Edit<'_, '_>, side: Side) {
    let number = edit.byte_from(64);
    edit.register_form(side, number.into());
}

/// A reserved byte of the register form set.
fn register_reserved(edit: &mut Edit<'_, '_>, side: Side) {
    let byte = u32::from(edit.nonzero()) << (8 * edit.draw.between(1, 2));
    let number = edit.draw.below(64);
    edit.register_form(side, number | byte);
}

/// Bit 28 of the register form set.
fn register_bit28(edit: &mut Edit<'_, '_>, side: Side) {
    let number = edit.draw.below(64);
    let bits = edit.draw.between(1, 31) << 24;
    edit.register_form(side, number | bits);
}

/// Both starts in register form, which no channel count can contradict.
fn register_starts(edit: &mut Edit<'_, '_>) {
    for side in [Side::Src, Side::Dst] {
        let number = edit.draw.below(64);
        edit.register_form(side, number);
    }
    edit.inline_immediates();
}

const LIMITS: u32 = CHANNELS | SRC | DST | IMM0 | IMM1 | COMMAND;

/// The rows of one side of one group.
macro_rules! side_probes {
    ($opcodes:ident, $side:ident, $bit:ident, $mem:ident, $ch:ident, $count:ident) => {
        [
            probe(&[$mem], "start misaligned", $opcodes, OPERANDS, |edit| {
                edit.misalign(Side::$side);
            }),
            probe(&[$mem], "dead marker 0x60", $opcodes, $bit, |edit| {
                edit.mark(Side::$side, 0x6000_0000);
            }),
            probe(&[$mem], "dead marker 0xA0", $opcodes, $bit, |edit| {
                edit.mark(Side::$side, 0xA000_0000);
            }),
            Probe {
                on: On::TO_CAYMAN,
                ..probe(&[$mem], "indirect marker before mariana", $opcodes, $bit, |edit| {
                    edit.mark(Side::$side, 0x2000_0000);
                })
            },
            probe(&[$mem], "register 64", $opcodes, $bit, |edit| {
                register_64(edit, Side::$side);
            }),
            probe(&[$mem], "register form with reserved bytes", $opcodes, $bit, |edit| {
                register_reserved(edit, Side::$side);
            }),
            probe(&[$mem], "register form with bit 28", $opcodes, $bit, |edit| {
                register_bit28(edit, Side::$side);
            }),
            probe(&[$ch], "start off the quadrants", $opcodes, $bit | CHANNELS, |edit| {
                edit.off_quadrant(Side::$side);
            }),
            probe(&[$ch], "more channels than the quadrant allows", $opcodes, LIMITS, |edit| {
                edit.beyond_limit(Side::$side);
            }),
            probe(&[$ch], "start not backed", $opcodes, OPERANDS | CHANNELS, |edit| {
                edit.unback(Side::$side);
            }),
            probe(&[$mem, $ch], "start in no region", $opcodes, $bit | CHANNELS, |edit| {
                let address = edit.nowhere();
                edit.walk(Side::$side).word = address;
            }),
            probe(&[$mem, $count], "a count of zero", $opcodes, COUNTS | $bit, |edit| {
                empty(edit, Side::$side);
            }),
        ]
    };
}

/// The other rows of a group.
macro_rules! shared_probes {
    (
        $opcodes:ident, $src_mem:ident, $dst_mem:ident, $count:ident, $chan:ident, $src_ch:ident,
        $dst_ch:ident
    ) => {
        [
            Probe {
                on: On::TO_MARIANA,
                ..probe(&[$dst_mem], "narrow dtype in PSUM", $opcodes, OPERANDS, |edit| {
                    edit.narrow_to_psum();
                })
            },
            probe(&[$count], "one destination row more", $opcodes, COUNTS, |edit| {
                let dimension = edit.dimension();
                edit.draft.dst.counts[dimension] += 1;
            }),
            probe(&[$count], "one destination element", $opcodes, COUNTS, |edit| {
                let one = edit.draft.src.elements() == 1;
                edit.draft.dst.counts = [if one { 2 } else { 1 }, 1, 1, 1];
            }),
            probe(&[$count], "one source row more", $opcodes, COUNTS, |edit| {
                let dimension = edit.dimension();
                edit.draft.src.counts[dimension] += 1;
            }),
            probe(&[$count], "counts equal modulo 2^16", $opcodes, COUNTS, |edit| {
                wrap(edit, WRAPS_16);
            }),
            probe(&[$count], "counts equal modulo 2^32", $opcodes, COUNTS, |edit| {
                wrap(edit, WRAPS_32);
            }),
            probe(&[$chan], "no channels", $opcodes, CHANNELS, |edit| edit.draft.channels = 0),
            probe(&[$chan], "129 channels from registers", $opcodes, LIMITS, |edit| {
                register_starts(edit);
                edit.draft.channels = edit.byte_from(129);
            }),
            probe(&[$chan, $src_ch, $dst_ch], "more than 128 channels", $opcodes, LIMITS, |edit| {
                edit.inline_immediates();
                edit.draft.channels = edit.byte_from(129);
            }),
            probe(
                &[$src_mem, $dst_mem],
                "counts of zero on both sides",
                $opcodes,
                COUNTS | SRC | DST,
                |edit| {
                    empty(edit, Side::Src);
                    empty(edit, Side::Dst);
                },
            ),
        ]
    };
}

/// The rows of the CR group.
pub const CACHE: [&[Probe]; 3] = [
    &side_probes!(CR, Src, SRC, CrSrcMem, CrSrcCh, CrCount),
    &side_probes!(CR, Dst, DST, CrDstMem, CrDstCh, CrCount),
    &shared_probes!(CR, CrSrcMem, CrDstMem, CrCount, CrChan, CrSrcCh, CrDstCh),
];

/// The rows of the TC group.
pub const SCAN: [&[Probe]; 3] = [
    &side_probes!(TC, Src, SRC, TcSrcMem, TcSrcCh, TcCount),
    &side_probes!(TC, Dst, DST, TcDstMem, TcDstCh, TcCount),
    &shared_probes!(TC, TcSrcMem, TcDstMem, TcCount, TcChan, TcSrcCh, TcDstCh),
];
