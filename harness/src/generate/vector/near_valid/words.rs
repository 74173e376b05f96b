//! Faults in what a bundle is written with: format, slots, ops, operands.

use super::super::draft::{Draft, Op, nth_bit};
use super::super::places::Slots;
use super::super::table::{Immediates, Kind, Table};
use super::{ATTEMPTS, Breaker, nop, unknown};
use contract::bundle::{OpWord, Operand};
use contract::isa::{Format, RegClass};

/// Words that name no format.
const FORMATS: &[&str] = &["F5", "F8", "F12", "N3", "X0", "X2", "F", "FLIX", "F00", "S0"];

/// Words that name no op.
const OPS: &[&str] = &[
    "FOO",
    "IVP_ADDNX16",
    "ADDNX17",
    "ADDNX16TT",
    "ADD4NX8",
    "SEL",
    "RSUBNX16",
    "LVNX16_I",
    "SALIGN",
    "GTNX16",
    "RXORNX16",
    "BEQZ",
    "L8UI",
    "ADDX2",
];

/// Words that are neither register nor number.
const WORDS: &[&str] = &["x1", "foo", "v", "a1b", "sp", "0x", "1.5", "vecc3"];

pub(super) fn unknown_format(breaker: &mut Breaker<'_, '_, '_>) {
    breaker.bundle.format = unknown(breaker.draw.pick(FORMATS));
}

pub(super) fn slot_beyond(breaker: &mut Breaker<'_, '_, '_>) {
    let slot = breaker.slots() + breaker.draw.pick(&[0, 0, 0, 1, 2, 28, u32::MAX - 5]);
    match breaker.bundle.ops.last_mut() {
        Some(op) if breaker.draw.one_in(2) => op.slot = slot,
        _ => breaker.bundle.ops.push(nop(slot)),
    }
}

pub(super) fn slot_twice(breaker: &mut Breaker<'_, '_, '_>) {
    let count = breaker.bundle.ops.len() as u32;
    if count == 0 {
        let slot = breaker.draw.below(breaker.slots());
        breaker.bundle.ops.extend([nop(slot), nop(slot)]);
        return;
    }
    let at = breaker.draw.below(count) as usize;
    let other = breaker.draw.below(count) as usize;
    let mut twin = match breaker.draw.below(3) {
        0 => nop(0),
        1 => breaker.bundle.ops[at].clone(),
        _ => breaker.bundle.ops[other].clone(),
    };
    twin.slot = breaker.bundle.ops[at].slot;
    breaker.bundle.ops.push(twin);
}

/// Another word for an op that stands there, or a word in a free slot.
pub(super) fn unknown_op(breaker: &mut Breaker<'_, '_, '_>) {
    let word = OpWord::Unknown(breaker.draw.pick(OPS).into());
    let count = breaker.bundle.ops.len() as u32;
    let free = breaker.draft.free();
    if count > 0 && (free == 0 || breaker.draw.one_in(2)) {
        let at = breaker.draw.below(count) as usize;
        breaker.bundle.ops[at].op = word;
    } else {
        let slot = nth_bit(free, breaker.draw.below(free.count_ones()));
        let mut op = nop(slot.into());
        op.op = word;
        breaker.bundle.ops.push(op);
    }
}

/// Slots that take nothing but `NOP`.
const NONE_SLOTS: &[(Format, u8)] = &[(Format::N0, 1), (Format::N0, 2), (Format::N1, 1)];

pub(super) fn unknown_in_none(breaker: &mut Breaker<'_, '_, '_>) {
    let (format, slot) = breaker.draw.pick(NONE_SLOTS);
    breaker.restart(Draft::new(format));
    let mut op = nop(slot.into());
    op.op = OpWord::Unknown(breaker.draw.pick(OPS).into());
    breaker.bundle.ops.push(op);
}

/// The bundle's lowest op gets a word that names nothing.
pub(super) fn rename_lowest(breaker: &mut Breaker<'_, '_, '_>) {
    let word = breaker.draw.pick(OPS);
    if let Some(op) = breaker.bundle.ops.iter_mut().min_by_key(|op| op.slot) {
        op.op = OpWord::Unknown(word.into());
    }
}

/// An op in a slot of the bundle that does not take it, free or not.
pub(super) fn other_slot(breaker: &mut Breaker<'_, '_, '_>) {
    for _ in 0..ATTEMPTS {
        let slot = breaker.draw.below(breaker.slots()) as u8;
        let Some(row) = breaker.random_row() else { continue };
        if row.slots.has(Slots::position(breaker.draft.format, slot.into())) {
            continue;
        }
        if let Some(args) = breaker.pools.args(breaker.draw, row, 0, &[]) {
            breaker.bundle.ops.retain(|op| op.slot != u32::from(slot));
            breaker.bundle.ops.push(Op { row, slot, args }.emit());
            return;
        }
    }
    op_in_none(breaker);
}

pub(super) fn op_in_none(breaker: &mut Breaker<'_, '_, '_>) {
    let (format, slot) = breaker.draw.pick(NONE_SLOTS);
    misplaced(breaker, format, slot);
}

pub(super) fn vector_op_alone(breaker: &mut Breaker<'_, '_, '_>) {
    misplaced(breaker, Format::X1, 0);
}

/// A bundle of one op in a slot that does not take it.
fn misplaced(breaker: &mut Breaker<'_, '_, '_>, format: Format, slot: u8) {
    breaker.restart(Draft::new(format));
    let position = Slots::position(format, slot.into());
    let drawn = (0..ATTEMPTS).find_map(|_| breaker.random_row().filter(|r| !r.slots.has(position)));
    let row = drawn.unwrap_or_else(|| Table::get().named("ADDNX16"));
    if let Some(args) = breaker.pools.args(breaker.draw, row, 0, &[]) {
        breaker.bundle.ops.push(Op { row, slot, args }.emit());
    }
}

pub(super) fn register_out_of_range(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("ADDNX16", |facts| facts.class().is_some());
    let past = breaker.draw.pick(&[0, 0, 1, 17, 96, u32::MAX - 64]);
    if let Operand::Reg(class, index) = breaker.operand(op, at) {
        *index = class.entries() + past;
    }
}

pub(super) fn other_class(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("ADDNX16", |facts| facts.class().is_some());
    let shift = 1 + breaker.draw.below(RegClass::ALL.len() as u32 - 1) as usize;
    let index = breaker.draw.below(4);
    if let Operand::Reg(class, known) = breaker.operand(op, at) {
        *class = RegClass::ALL[(*class as usize + shift) % RegClass::ALL.len()];
        // In range in every class, so that the class alone is wrong.
        *known = index;
    }
}

pub(super) fn immediate_out_of_range(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("SLLINX16", |facts| facts.class().is_none());
    let Kind::Number(legal) = &breaker.draft.ops[op].row.operands[at].kind else { return };
    let (min, max, step) = match legal {
        Immediates::Range { min, max, step } => (*min, *max, *step),
        Immediates::Set(values) => (values[0], values[values.len() - 1], 1),
    };
    let value = match breaker.draw.below(4) {
        0 => i64::from(max) + i64::from(step),
        1 => i64::from(min) - i64::from(step),
        2 => breaker.draw.pick(&[0x1_0000_0000, -0x1_0000_0000, i64::MAX, i64::MIN, 0x8000_0000]),
        _ => i64::from(max) + i64::from(step) * i64::from(2 + breaker.draw.below(100)),
    };
    *breaker.operand(op, at) = Operand::Imm(value);
}

pub(super) fn immediate_between(breaker: &mut Breaker<'_, '_, '_>) {
    let gapped = |kind: &Kind| match kind {
        Kind::Number(Immediates::Range { step, .. }) => *step > 1,
        Kind::Number(Immediates::Set(_)) => true,
        Kind::Register(_) => false,
    };
    let (op, at) = breaker.operand_where("LV2NX8_I", |facts| gapped(&facts.kind));
    let Kind::Number(legal) = &breaker.draft.ops[op].row.operands[at].kind else { return };
    let value = match legal {
        Immediates::Range { step, .. } => {
            let start = legal.nth(breaker.draw.below(legal.count() - 1));
            start + 1 + breaker.draw.below(*step as u32 - 1) as i32
        }
        // Every set of the table has gaps after 3, 8, 16 and 32.
        Immediates::Set(values) => {
            let from = breaker.draw.below(values[values.len() - 1] as u32) as i32;
            let free = |&value: &i32| !values.contains(&value);
            (from..).find(free).unwrap_or(from)
        }
    };
    *breaker.operand(op, at) = Operand::Imm(value.into());
}

pub(super) fn operand_missing(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("ADDNX16", |_| true);
    breaker.bundle.ops[op].operands.remove(at);
}

/// One operand more, of an op or of an explicit `NOP`.
pub(super) fn operand_too_many(breaker: &mut Breaker<'_, '_, '_>) {
    let free = breaker.draft.free();
    if free != 0 && breaker.draw.one_in(4) {
        let slot = nth_bit(free, breaker.draw.below(free.count_ones()));
        breaker.bundle.ops.push(nop(slot.into()));
        let last = breaker.bundle.ops.len() - 1;
        breaker.bundle.ops[last].operands.push(Operand::Imm(0));
        return;
    }
    let (op, at) = breaker.operand_where("ADDNX16", |_| true);
    let copy = breaker.operand(op, at).clone();
    breaker.bundle.ops[op].operands.push(copy);
}

/// One operand more for some op of a bundle that may be broken already.
pub(super) fn one_more_operand(breaker: &mut Breaker<'_, '_, '_>) {
    let count = breaker.bundle.ops.len() as u32;
    let at = breaker.draw.below(count) as usize;
    if let Some(op) = breaker.bundle.ops.get_mut(at) {
        op.operands.push(Operand::Imm(1));
    }
}

pub(super) fn word(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("ADDNX16", |_| true);
    *breaker.operand(op, at) = Operand::Word(breaker.draw.pick(WORDS).into());
}

pub(super) fn number_for_register(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("ADDNX16", |facts| facts.class().is_some());
    *breaker.operand(op, at) = Operand::Imm(breaker.draw.below(16).into());
}

pub(super) fn register_for_number(breaker: &mut Breaker<'_, '_, '_>) {
    let (op, at) = breaker.operand_where("SLLINX16", |facts| facts.class().is_none());
    let class = breaker.draw.pick(&[RegClass::Ar, RegClass::Vec, RegClass::Br, RegClass::Vbool]);
    *breaker.operand(op, at) = Operand::Reg(class, breaker.draw.below(class.entries()));
}

#[cfg(test)]
mod tests {
    use super::super::super::places::SLOTS;
    use super::*;
    use contract::bundle::FormatWord;
    use contract::isa::Mnemonic;

    #[test]
    fn words_that_shall_name_nothing_name_nothing_and_print_as_they_read() {
        for word in FORMATS {
            assert_eq!(FormatWord::from_word(word), unknown(word));
        }
        for &word in OPS {
            assert!(Mnemonic::from_name(word).is_none(), "{word}");
            assert_eq!(OpWord::from_word(word), OpWord::Unknown(word.into()));
        }
        for &word in WORDS {
            assert_eq!(Operand::from_word(word), Operand::Word(word.into()), "{word}");
        }
    }

    #[test]
    fn the_slots_that_take_none_take_none() {
        for position in 0..SLOTS {
            let empty = !Table::get()
                .rows()
                .any(|row| row.mnemonic != Mnemonic::NOP && row.slots.has(position));
            assert_eq!(NONE_SLOTS.contains(&Slots::place(position)), empty, "{position}");
        }
    }
}
