//! Typed access to the fields of a document. Every failure names the field.

use super::VERSION;
use super::error::{JsonError, Path};
use super::hex;
use crate::nearest::nearest;
use serde_json::{Map, Value};

/// An object and its place.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    map: &'a Map<String, Value>,
    /// Place of the object.
    pub(super) path: Path<'a>,
}

impl<'a> Object<'a> {
    /// The object at a place.
    pub(super) fn of(value: &'a Value, path: Path<'a>) -> Result<Self, JsonError> {
        match value {
            Value::Object(map) => Ok(Self { map, path }),
            _ => Err(path.error(shorten(value), "an object")),
        }
    }

    /// Refuses keys that are not listed.
    pub(super) fn only(self, known: &[&'static str]) -> Result<Self, JsonError> {
        match self.map.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(self),
            Some(key) => Err(JsonError::UnknownKey {
                path: self.path.key(key).to_string(),
                nearest: nearest(key, known.iter().copied()),
                known: known.join(", "),
            }),
        }
    }

    /// Every key with its value.
    pub(super) fn entries(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.map.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The value of a key that may be missing.
    pub(super) fn get(self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    /// The value of a key that must be there.
    pub(super) fn require(self, key: &str, expected: &str) -> Result<&'a Value, JsonError> {
        self.map.get(key).ok_or_else(|| self.path.key(key).error("missing", expected))
    }

    /// A number up to `max` that must be there.
    pub(super) fn number(self, key: &str, max: u64) -> Result<u64, JsonError> {
        let value = self.require(key, &number_text(max))?;
        number(value, &self.path.key(key), max)
    }

    /// A number of 32 bits that must be there.
    pub(super) fn u32(self, key: &str) -> Result<u32, JsonError> {
        self.number(key, u32::MAX.into()).map(|number| number as u32)
    }

    /// A number of 8 bits that must be there.
    pub(super) fn u8(self, key: &str) -> Result<u8, JsonError> {
        self.number(key, u8::MAX.into()).map(|number| number as u8)
    }

    /// A text that must be there.
    pub(super) fn text(self, key: &str, expected: &str) -> Result<&'a str, JsonError> {
        text(self.require(key, expected)?, &self.path.key(key), expected)
    }

    /// An array that must be there.
    pub(super) fn array(self, key: &str) -> Result<&'a [Value], JsonError> {
        array(self.require(key, "an array")?, &self.path.key(key))
    }

    /// Checks `version`, and `kind` against the kinds that may stand here.
    pub(super) fn kind(self, kinds: &[&'static str]) -> Result<&'static str, JsonError> {
        let version = self.require("version", &VERSION.to_string())?;
        if version != VERSION {
            return Err(self.path.key("version").error(shorten(version), VERSION.to_string()));
        }
        let expected = kinds.iter().map(|kind| format!("\"{kind}\"")).collect::<Vec<_>>();
        self.name("kind", &expected.join(" or "), |name| {
            kinds.iter().copied().find(|&kind| kind == name)
        })
    }

    /// A name that must be there and that `lookup` knows.
    pub(super) fn name<T>(
        self,
        key: &str,
        expected: &str,
        lookup: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, JsonError> {
        let name = self.text(key, expected)?;
        lookup(name).ok_or_else(|| self.path.key(key).error(quote(name), expected))
    }
}

/// A text.
pub(super) fn text<'a>(
    value: &'a Value,
    path: &Path<'_>,
    expected: &str,
) -> Result<&'a str, JsonError> {
    value.as_str().ok_or_else(|| path.error(shorten(value), expected))
}

/// An array.
pub(super) fn array<'a>(value: &'a Value, path: &Path<'_>) -> Result<&'a [Value], JsonError> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(path.error(shorten(value), "an array")),
    }
}

fn number_text(max: u64) -> String {
    match max {
        u64::MAX => "an integer of 64 bits, or its hex digits after `0x`".to_owned(),
        0xffff_ffff => "an integer of 32 bits, or its hex digits after `0x`".to_owned(),
        _ => format!("an integer up to {max}, or its hex digits after `0x`"),
    }
}

/// A number up to `max`: a JSON integer or hex digits after `0x`.
pub(super) fn number(value: &Value, path: &Path<'_>, max: u64) -> Result<u64, JsonError> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text
            .strip_prefix("0x")
            .or_else(|| text.strip_prefix("0X"))
            // `from_str_radix` would take a sign.
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u64::from_str_radix(digits, 16).ok()),
        _ => None,
    };
    number
        .filter(|&number| number <= max)
        .ok_or_else(|| path.error(shorten(value), number_text(max)))
}

/// A number of 32 bits.
pub(super) fn u32(value: &Value, path: &Path<'_>) -> Result<u32, JsonError> {
    number(value, path, u32::MAX.into()).map(|number| number as u32)
}

/// Hex digits of any even number.
pub(super) fn bytes(value: &Value, path: &Path<'_>) -> Result<Vec<u8>, JsonError> {
    let expected = "an even number of hex digits";
    let digits = text(value, path, expected)?;
    hex::read(digits).ok_or_else(|| path.error(digits_text(digits), expected))
}

/// Hex digits of exactly `bytes.len()` bytes; `why` explains the number.
pub(super) fn exact_bytes(
    value: &Value,
    path: &Path<'_>,
    bytes: &mut [u8],
    why: &str,
) -> Result<(), JsonError> {
    match value {
        Value::String(digits) if hex::read_exact(digits, bytes) => Ok(()),
        _ => Err(wrong_bytes(value, path, bytes.len() as u64, why)),
    }
}

/// Hex digits of exactly `length` bytes; nothing is allocated unless the text has that length.
pub(super) fn sized_bytes(
    value: &Value,
    path: &Path<'_>,
    length: u64,
    why: &str,
) -> Result<Vec<u8>, JsonError> {
    match value {
        Value::String(digits) if digits.len() as u64 == length.saturating_mul(2) => {
            hex::read(digits)
        }
        _ => None,
    }
    .ok_or_else(|| wrong_bytes(value, path, length, why))
}

fn wrong_bytes(value: &Value, path: &Path<'_>, length: u64, why: &str) -> JsonError {
    let found = value.as_str().map_or_else(|| shorten(value), digits_text);
    path.error(found, format!("{}{why}", u128::from(length) * 2))
}

/// What a text of hex digits holds: how many, or the character that is none.
fn digits_text(digits: &str) -> String {
    match digits.chars().enumerate().find(|(_, digit)| !digit.is_ascii_hexdigit()) {
        Some((at, other)) => format!("{other:?} as character {}", at + 1),
        None => format!("{} hex digits", digits.len()),
    }
}

/// A text in quotation marks, shortened.
pub(super) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A value as it is shown in an error.
pub(super) fn shorten(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quote(text),
        Value::Array(values) => format!("an array of {}", values.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
