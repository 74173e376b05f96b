//! Reports about a part of an op, turned into instructions that show that part alone.

use super::Vector;
use super::adapter::{Draft, Form, line};
use super::rows::Rows;
use crate::compare::VectorRegister;
use crate::golden::places::{At, ExpectedPlace};
use crate::lane::Lane;
use contract::case::{MemoryChunk, MemoryWindow, RegisterValue};
use contract::isa::RegClass;
use contract::json::JsonError;
use contract::state::{LINE, Line};

/// The line that aligned accesses of these programs use.
const BASE: u32 = 0x0008_0040;

/// Reads a vector whose op has a part after a dot.
pub(super) fn draft(vector: &Vector<'_>, op: &str, rows: &Rows) -> Result<Draft, JsonError> {
    let named =
        |name: &str| rows.named(vector.path, name).map(|(mnemonic, row)| Form::of(mnemonic, row));
    match op {
        "RBMAXNX16.fold_step" => fold_step(vector, &named("RBMAXNX16")?),
        "T-merge.mask" => merge_mask(vector, &named("ADDNX16T")?),
        "LA2NX8.funnel" => load_funnel(vector, &named("LA2NX8_IP")?),
        "wideldshift.window128" => window(vector, &named("LA2NX8_IP")?),
        "SA2NX8.funnel" => store_funnel(vector, &named("SA2NX8_IP")?),
        "address.post_update" => post_update(vector, &named("LV2NX8_XP")?),
        _ => Err(vector.wrong("op", op, "a known part of an op")),
    }
}

fn register(vector: &Vector<'_>, form: &Form<'_>, name: &str) -> Result<(RegClass, u8), JsonError> {
    match form.register(name) {
        Some(VectorRegister::File(class, index)) => Ok((class, index)),
        _ => Err(vector.wrong("op", name, "an operand of this name")),
    }
}

fn filled(vector: &Vector<'_>, width: usize, elements: &[i64]) -> Result<Box<Line>, JsonError> {
    let line = line(width, elements).map(Box::new);
    line.ok_or_else(|| vector.wrong("inputs", "too many elements", "one register"))
}

fn byte_line(bytes: [u8; LINE]) -> Box<Line> {
    Box::new(Line(bytes))
}

/// The running extremum of a sequence: its elements in the first lanes; the zero lanes do not exceed
/// them.
fn fold_step(vector: &Vector<'_>, form: &Form<'_>) -> Result<Draft, JsonError> {
    let mut draft = form.empty();
    let (_, source) = register(vector, form, "vr")?;
    let (class, target) = register(vector, form, "vt")?;
    let sequence = vector.numbers("/inputs/sequence")?;
    let line = filled(vector, form.lane.bytes(), &sequence)?;
    draft.case.state.push(RegisterValue::Vec(source, line));
    draft.case.program.push(form.bundle(None));
    let value = vector.number("/expected/value")? as u64;
    let target = VectorRegister::File(class, target);
    draft.places.push(ExpectedPlace::lane(target, form.lane, 0, value));
    Ok(draft)
}

/// The mask of a merge, made visible by merging all ones with all zeros: the `f` form marks the live
/// lane, the `t` form the killed one.
fn merge_mask(vector: &Vector<'_>, form: &Form<'_>) -> Result<Draft, JsonError> {
    let mut draft = form.empty();
    let marks_live = match vector.value.pointer("/inputs/form").and_then(|form| form.as_str()) {
        Some("bitkillf_16") => true,
        Some("bitkillt_16") => false,
        _ => return Err(vector.wrong("inputs.form", "another form", "a form of 16-bit lanes")),
    };
    let ones = filled(vector, 2, &[0xFFFF])?;
    let (_, live) = register(vector, form, if marks_live { "vr" } else { "vt" })?;
    let (_, predicate) = register(vector, form, "vbr")?;
    let field = if vector.number("/inputs/pred")? != 0 { 0b11 } else { 0 };
    draft.case.state.push(RegisterValue::Vec(live, ones));
    draft.case.state.push(RegisterValue::Vbool(predicate, field));
    draft.case.program.push(form.bundle(None));
    let (class, target) = register(vector, form, "vt")?;
    let mask = vector.number("/expected/mask")? as u64;
    let target = VectorRegister::File(class, target);
    draft.places.push(ExpectedPlace::lane(target, form.lane, 0, mask));
    Ok(draft)
}

/// Primes the align register of an aligning load and puts its base at a phase. The line that the load
/// fetches stands in both lines that `la_fresh` may choose.
fn aligning_load(
    vector: &Vector<'_>,
    form: &Form<'_>,
    carry: Box<Line>,
    fresh: [u8; LINE],
    phase: i64,
) -> Result<(Draft, VectorRegister), JsonError> {
    let mut draft = form.empty();
    let (_, align) = register(vector, form, "u")?;
    let (_, base) = register(vector, form, "ars")?;
    let (class, target) = register(vector, form, "vt")?;
    draft.case.state.push(RegisterValue::Ar(base, BASE + phase as u32));
    draft.case.state.push(RegisterValue::Valign(align, carry));
    for address in [BASE, BASE + LINE as u32] {
        draft.case.memory.init.push(MemoryChunk { address, data: fresh.to_vec() });
    }
    draft.case.program.push(form.bundle(None));
    Ok((draft, VectorRegister::File(class, target)))
}

fn load_funnel(vector: &Vector<'_>, form: &Form<'_>) -> Result<Draft, JsonError> {
    let carry = filled(vector, 1, &vector.numbers("/inputs/carry")?)?;
    let fresh = filled(vector, 1, &vector.numbers("/inputs/fresh")?)?;
    let phase = vector.number("/inputs/phase")?;
    let (mut draft, target) = aligning_load(vector, form, carry, fresh.0, phase)?;
    let bytes = vector.value.pointer("/expected/bytes").and_then(|bytes| bytes.as_object());
    for (key, value) in
        bytes.ok_or_else(|| vector.wrong("expected.bytes", "nothing", "an object"))?
    {
        let pair = key.parse().ok().zip(super::number(value));
        let (index, value) =
            pair.ok_or_else(|| vector.wrong("expected.bytes", key, "a byte number"))?;
        draft.places.push(ExpectedPlace::lane(target, Lane::BYTES, index, value as u64));
    }
    Ok(draft)
}

/// The byte window of an aligning load over a register of words.
fn window(vector: &Vector<'_>, form: &Form<'_>) -> Result<Draft, JsonError> {
    let carry = filled(vector, 4, &vector.numbers("/inputs/words")?)?;
    let amount = vector.number("/inputs/byte_amount")?;
    let (mut draft, target) = aligning_load(vector, form, carry, [0; LINE], amount)?;
    let word = Lane { bits: 32, float: false };
    for (index, value) in (0..).zip(vector.numbers("/expected/words")?) {
        draft.places.push(ExpectedPlace::lane(target, word, index, value as u64));
    }
    Ok(draft)
}

/// A full aligning store at a phase, over a register that holds that many pending bytes.
fn store_funnel(vector: &Vector<'_>, form: &Form<'_>) -> Result<Draft, JsonError> {
    let mut draft = form.empty();
    let (_, source) = register(vector, form, "vr")?;
    let (_, align) = register(vector, form, "u")?;
    let (_, base) = register(vector, form, "ars")?;
    let phase = vector.number("/inputs/phase")? as usize;
    let fill = vector.number("/inputs/data_fill")? as u8;
    let carry_fill = vector.number("/inputs/carry_fill")? as u8;
    let mut pending = [0; LINE];
    // Byte 63 counts what is pending (spec 04 section 4.1).
    pending[LINE - 1] = phase as u8;
    pending[..phase.min(LINE - 1)].fill(carry_fill);
    draft.case.state.push(RegisterValue::Ar(base, BASE + phase as u32));
    draft.case.state.push(RegisterValue::Vec(source, byte_line([fill; LINE])));
    draft.case.state.push(RegisterValue::Valign(align, byte_line(pending)));
    draft.case.program.push(form.bundle(None));
    let from_carry = vector.number("/expected/payload_words_from_carry")?;
    let from_data = vector.number("/expected/payload_words_from_data")?;
    let word = |index: i64, value: i64| ExpectedPlace {
        at: At::Memory(BASE),
        bit: 32 * index as u32,
        bits: 32,
        value: value as u64,
    };
    let words = |fill: u8| i64::from(u32::from_le_bytes([fill; 4]));
    draft.places.extend((0..from_carry).map(|index| word(index, words(carry_fill))));
    draft.places.extend((0..from_data).map(|index| word(from_carry + index, words(fill))));
    draft.places.push(word(0, vector.number("/expected/first_word")?));
    draft.places.push(word(15, vector.number("/expected/last_word")?));
    Ok(draft)
}

/// A base that an access advances by a register.
fn post_update(vector: &Vector<'_>, form: &Form<'_>) -> Result<Draft, JsonError> {
    let mut draft = form.empty();
    let (class, base) = register(vector, form, "ars")?;
    let (_, index) = register(vector, form, "art")?;
    let address = vector.number("/inputs/base")? as u32;
    draft.case.memory =
        MemoryWindow { base: address & !(LINE as u32 - 1), bytes: LINE as u32, init: Vec::new() };
    draft.case.state.push(RegisterValue::Ar(base, address));
    draft.case.state.push(RegisterValue::Ar(index, vector.number("/inputs/delta")? as u32));
    draft.case.program.push(form.bundle(None));
    draft.places.push(ExpectedPlace {
        at: At::Register(VectorRegister::File(class, base)),
        bit: 0,
        bits: 32,
        value: vector.number("/expected/base_after")? as u64,
    });
    Ok(draft)
}
