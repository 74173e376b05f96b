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

/// The file that a key names.
#[derive(Clone, Copy)]
enum File {
    Class(RegClass),
    Fs,
}

/// Reads one entry of a state object.
pub(super) fn read(key: &str, value: &Value, path: &Path<'_>) -> Result<RegisterValue, JsonError> {
    match key {
        "fcr" => return Ok(RegisterValue::Fcr(word(value, path, FCR_BITS)?)),
        "fsr" => return Ok(RegisterValue::Fsr(word(value, path, FSR_BITS)?)),
        _ => {}
    }
    let (file, index) = register(key).ok_or_else(|| unknown(key, path))?;
    let number = |max| read::number(value, path, max);
    let line = || {
        let mut line = Box::new(Line::default());
        read::exact_bytes(value, path, &mut line.0, " hex digits (64 bytes, byte 0 first)")
            .map(|()| line)
    };
    Ok(match file {
        File::Class(RegClass::Ar) => RegisterValue::Ar(index, number(u32::MAX.into())? as u32),
        File::Class(RegClass::Vec) => RegisterValue::Vec(index, line()?),
        File::Class(RegClass::Vbool) => RegisterValue::Vbool(index, number(u64::MAX)?),
        File::Class(RegClass::Valign) => RegisterValue::Valign(index, line()?),
        File::Class(RegClass::Wvec) => {
            let mut bytes = Box::new([0; 192]);
            read::exact_bytes(
                value,
                path,
                &mut bytes[..],
                " hex digits (192 bytes, byte 0 first)",
            )?;
            RegisterValue::Wvec(index, bytes)
        }
        File::Class(RegClass::Pr) => RegisterValue::Pr(index, number(u64::MAX)?),
        File::Class(RegClass::Gvr) => RegisterValue::Gvr(index, line()?),
        // A scalar boolean is an operand word only.
        File::Class(RegClass::Br) => return Err(unknown(key, path)),
        File::Fs => RegisterValue::Fs(index, number(u64::MAX)?),
    })
}

/// A control or status word without bits that the register lacks.
fn word(value: &Value, path: &Path<'_>, bits: u16) -> Result<u16, JsonError> {
    let word = read::number(value, path, u16::MAX.into())? as u16;
    if word & !bits == 0 {
        Ok(word)
    } else {
        Err(path.error(format!("{word:#x}"), format!("bits of {bits:#x} only")))
    }
}

/// The file and index that a key names, if both exist.
fn register(key: &str) -> Option<(File, u8)> {
    let digits = key.len() - key.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (prefix, index) = key.split_at(digits);
    let (file, entries) = match prefix {
        "fs" => (File::Fs, FS_ENTRIES),
        _ => {
            let class = RegClass::from_prefix(prefix)?;
            (File::Class(class), class.entries())
        }
    };
    let plain = index == "0" || !index.starts_with('0');
    let index = index.parse().ok().filter(|&index: &u32| plain && index < entries)?;
    Some((file, index as u8))
}

fn unknown(key: &str, path: &Path<'_>) -> JsonError {
    let digits = key.len() - key.bytes().rev().take_while(u8::is_ascii_digit).count();
    let known = [
        ("a", 16),
        ("v", 32),
        ("vb", 16),
        ("u", 4),
        ("wv", 4),
        ("pr", 16),
        ("gr", 8),
        ("fs", FS_ENTRIES),
    ];
    let range = known.iter().find(|(prefix, _)| *prefix == &key[..digits]);
    match range {
        Some((prefix, entries)) if digits < key.len() => {
            path.error("no such register", format!("{prefix}0 to {prefix}{}", entries - 1))
        }
        _ => JsonError::UnknownKey {
            path: path.to_string(),
            nearest: nearest(key, ["fcr", "fsr"]),
            known: "a0…a15, v0…v31, vb0…vb15, u0…u3, wv0…wv3, pr0…pr15, gr0…gr7, fs0…fs7, fcr, fsr"
                .to_owned(),
        },
    }
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
