//! Registers of vector cases and outcomes: text name, value, canonical order.

use super::error::{JsonError, Path};
use super::read;
use super::write;
use crate::case::RegisterValue;
use crate::isa::RegClass;
use crate::nearest::nearest;
use crate::state::{Line, VectorState};
use serde_json::Value;

/// Flag-state registers (spec 09).
const FS_ENTRIES: u32 = 8;
/// Bits of the word of `RUR_FCR` (spec 08 section 2.1).
const FCR_BITS: u16 = 0x007f;
/// Bits of the word of `RUR_FSR` (spec 08 section 2.1).
const FSR_BITS: u16 = 0x0f80;

/// A register file that cases can set.
#[derive(Clone, Copy)]
enum File {
    Ar,
    Vec,
    Vbool,
    Valign,
    Wvec,
    Pr,
    Gvr,
    Fs,
}

/// Files with indexed keys: prefix and number of registers. Scalar booleans are missing: `b` is an
/// operand word only.
const FILES: [(File, &str, u32); 8] = [
    (File::Ar, RegClass::Ar.prefix(), RegClass::Ar.entries()),
    (File::Vec, RegClass::Vec.prefix(), RegClass::Vec.entries()),
    (File::Vbool, RegClass::Vbool.prefix(), RegClass::Vbool.entries()),
    (File::Valign, RegClass::Valign.prefix(), RegClass::Valign.entries()),
    (File::Wvec, RegClass::Wvec.prefix(), RegClass::Wvec.entries()),
    (File::Pr, RegClass::Pr.prefix(), RegClass::Pr.entries()),
    (File::Gvr, RegClass::Gvr.prefix(), RegClass::Gvr.entries()),
    (File::Fs, "fs", FS_ENTRIES),
];

/// Reads one entry of a state object.
pub(super) fn read(key: &str, value: &Value, path: &Path<'_>) -> Result<RegisterValue, JsonError> {
    match key {
        "fcr" => return Ok(RegisterValue::Fcr(word(value, path)?)),
        "fsr" => return Ok(RegisterValue::Fsr(word(value, path)?)),
        _ => {}
    }
    let (file, index) = register(key, path)?;
    let number = |max| read::number(value, path, max);
    let line = || {
        let mut line = Box::new(Line::default());
        let why = " hex digits (64 bytes, byte 0 first)";
        read::exact_bytes(value, path, &mut line.0, why).map(|()| line)
    };
    Ok(match file {
        File::Ar => RegisterValue::Ar(index, number(u32::MAX.into())? as u32),
        File::Vec => RegisterValue::Vec(index, line()?),
        File::Vbool => RegisterValue::Vbool(index, number(u64::MAX)?),
        File::Valign => RegisterValue::Valign(index, line()?),
        File::Wvec => {
            let mut bytes = Box::new([0; 192]);
            let why = " hex digits (192 bytes, byte 0 first)";
            read::exact_bytes(value, path, &mut bytes[..], why)?;
            RegisterValue::Wvec(index, bytes)
        }
        File::Pr => RegisterValue::Pr(index, number(u64::MAX)?),
        File::Gvr => RegisterValue::Gvr(index, line()?),
        File::Fs => RegisterValue::Fs(index, number(u64::MAX)?),
    })
}

/// A control or status word.
fn word(value: &Value, path: &Path<'_>) -> Result<u16, JsonError> {
    read::number(value, path, u16::MAX.into()).map(|word| word as u16)
}

/// Drops the bits that control and status registers lack; they are ignored in a case (spec 08 section
/// 2.1). An outcome keeps them, so that a model which sets one is found out.
pub(super) fn mask_words(state: &mut [RegisterValue]) {
    for value in state {
        match value {
            RegisterValue::Fcr(word) => *word &= FCR_BITS,
            RegisterValue::Fsr(word) => *word &= FSR_BITS,
            _ => {}
        }
    }
}

/// The file and index that a key names. The index is written without leading zeros, so that a
/// register has one key.
fn register(key: &str, path: &Path<'_>) -> Result<(File, u8), JsonError> {
    let digits = key.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (prefix, index) = key.split_at(key.len() - digits);
    let file = FILES.iter().find(|(_, known, _)| *known == prefix && digits > 0);
    let Some(&(file, _, entries)) = file else {
        return Err(JsonError::UnknownKey {
            path: path.to_string(),
            nearest: nearest(key, ["fcr", "fsr"]),
            known: known_keys(),
        });
    };
    let plain = index == "0" || !index.starts_with('0');
    match index.parse() {
        Ok(index) if plain && u32::from(index) < entries => Ok((file, index)),
        _ => {
            let expected = format!("{prefix}0 to {prefix}{}", entries - 1);
            Err(path.error("no such register", expected))
        }
    }
}

fn known_keys() -> String {
    let indexed = FILES.iter().map(|(_, prefix, entries)| format!("{prefix}0…{}", entries - 1));
    indexed.chain(["fcr".to_owned(), "fsr".to_owned()]).collect::<Vec<_>>().join(", ")
}

/// Sorting key of the canonical order: file, then index.
pub(super) fn rank(value: &RegisterValue) -> (u8, u8) {
    match value {
        RegisterValue::Ar(index, _) => (0, *index),
        RegisterValue::Vec(index, _) => (1, *index),
        RegisterValue::Vbool(index, _) => (2, *index),
        RegisterValue::Valign(index, _) => (3, *index),
        RegisterValue::Wvec(index, _) => (4, *index),
        RegisterValue::Pr(index, _) => (5, *index),
        RegisterValue::Fcr(_) => (6, 0),
        RegisterValue::Fsr(_) => (7, 0),
        RegisterValue::Gvr(index, _) => (8, *index),
        RegisterValue::Fs(index, _) => (9, *index),
    }
}

/// Writes one register as an entry of an object.
pub(super) fn write(object: &mut write::List<'_>, value: &RegisterValue) {
    match value {
        RegisterValue::Ar(index, value) => entry_u32(object, "a", *index, *value),
        RegisterValue::Vec(index, line) => entry_bytes(object, "v", *index, &line.0),
        RegisterValue::Vbool(index, value) => entry_u64(object, "vb", *index, *value),
        RegisterValue::Valign(index, line) => entry_bytes(object, "u", *index, &line.0),
        RegisterValue::Wvec(index, bytes) => entry_bytes(object, "wv", *index, &bytes[..]),
        RegisterValue::Pr(index, value) => entry_u64(object, "pr", *index, *value),
        RegisterValue::Gvr(index, line) => entry_bytes(object, "gr", *index, &line.0),
        RegisterValue::Fs(index, value) => entry_u64(object, "fs", *index, *value),
        RegisterValue::Fcr(value) => entry_word(object, "fcr", *value),
        RegisterValue::Fsr(value) => entry_word(object, "fsr", *value),
    }
}

/// Writes every register of a state that differs from zero, in canonical order.
pub(super) fn write_state(object: &mut write::List<'_>, state: &VectorState) {
    for (index, value) in nonzero(&state.ar) {
        entry_u32(object, "a", index, *value);
    }
    for (index, line) in nonzero(&state.vec) {
        entry_bytes(object, "v", index, &line.0);
    }
    for (index, value) in nonzero(&state.vbool) {
        entry_u64(object, "vb", index, *value);
    }
    for (index, line) in nonzero(&state.valign) {
        entry_bytes(object, "u", index, &line.0);
    }
    for (index, bytes) in state.wvec.iter().enumerate() {
        if bytes.iter().any(|&byte| byte != 0) {
            entry_bytes(object, "wv", index as u8, bytes);
        }
    }
    for (index, value) in nonzero(&state.pr) {
        entry_u64(object, "pr", index, *value);
    }
    if state.fcr != 0 {
        entry_word(object, "fcr", state.fcr);
    }
    if state.fsr != 0 {
        entry_word(object, "fsr", state.fsr);
    }
    for (index, line) in nonzero(&state.gvr) {
        entry_bytes(object, "gr", index, &line.0);
    }
    for (index, value) in nonzero(&state.fs) {
        entry_u64(object, "fs", index, *value);
    }
}

fn nonzero<T: Default + PartialEq>(file: &[T]) -> impl Iterator<Item = (u8, &T)> {
    let zero = T::default();
    file.iter().enumerate().filter(move |(_, value)| **value != zero).map(|(i, v)| (i as u8, v))
}

fn entry_u32(object: &mut write::List<'_>, prefix: &str, index: u8, value: u32) {
    write::hex_number(object.indexed_key(prefix, index), &value.to_be_bytes());
}

fn entry_u64(object: &mut write::List<'_>, prefix: &str, index: u8, value: u64) {
    write::hex_number(object.indexed_key(prefix, index), &value.to_be_bytes());
}

fn entry_bytes(object: &mut write::List<'_>, prefix: &str, index: u8, bytes: &[u8]) {
    write::hex_bytes(object.indexed_key(prefix, index), bytes);
}

fn entry_word(object: &mut write::List<'_>, name: &str, value: u16) {
    write::hex_word(object.key(name), value);
}
