//! Pieces of JSON text, appended to one buffer. A [`List`] puts the commas; what it opens it closes.

use super::hex;
use std::fmt::{self, Write};

/// An open object or array.
pub(super) struct List<'a> {
    out: &'a mut String,
    close: char,
    first: bool,
}

impl<'a> List<'a> {
    /// Opens an object.
    pub(super) fn object(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, close: '}', first: true }
    }

    /// Opens an array.
    pub(super) fn array(out: &'a mut String) -> Self {
        out.push('[');
        Self { out, close: ']', first: true }
    }

    /// Begins the next element of an array; the value is to be appended.
    pub(super) fn item(&mut self) -> &mut String {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        self.out
    }

    /// Begins the next entry of an object; the key needs no escapes, the value is to be appended.
    pub(super) fn key(&mut self, key: &str) -> &mut String {
        let out = self.item();
        out.push('"');
        out.push_str(key);
        out.push_str("\":");
        out
    }

    /// Like [`key`](Self::key) with a number appended to the key.
    pub(super) fn indexed_key(&mut self, prefix: &str, index: u8) -> &mut String {
        let out = self.item();
        out.push('"');
        out.push_str(prefix);
        number(out, index);
        out.push_str("\":");
        out
    }
}

impl Drop for List<'_> {
    fn drop(&mut self) {
        self.out.push(self.close);
    }
}

/// Appends a decimal number.
pub(super) fn number(out: &mut String, value: impl Into<u64>) {
    // Twenty digits hold every 64-bit number.
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = value.into();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    // Every byte from `at` is an ASCII digit.
    out.push_str(std::str::from_utf8(&digits[at..]).expect("ASCII digits"));
}

/// Appends `"0x…"` with all digits of a big-endian number.
pub(super) fn hex_number(out: &mut String, big_endian: &[u8]) {
    out.push_str("\"0x");
    hex::write(out, big_endian);
    out.push('"');
}

/// Appends `"0x…"` with three digits at least, as control and status words are written.
pub(super) fn hex_word(out: &mut String, value: u16) {
    // Writing to a `String` cannot fail.
    let _ = write!(out, "\"{value:#05x}\"");
}

/// Appends the hex digits of bytes as a text.
pub(super) fn hex_bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    hex::write(out, bytes);
    out.push('"');
}

/// Appends a text with the escapes that JSON asks for.
pub(super) fn text(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

/// Appends what prints itself as a text.
pub(super) fn display(out: &mut String, value: &impl fmt::Display) {
    struct Escape<'a>(&'a mut String);
    impl fmt::Write for Escape<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            escape(self.0, text);
            Ok(())
        }
    }
    out.push('"');
    // Writing to a `String` cannot fail.
    let _ = write!(Escape(out), "{value}");
    out.push('"');
}

fn escape(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            // Writing to a `String` cannot fail.
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_in_decimal() {
        for value in [0, 7, 10, 4096, u64::MAX] {
            let mut out = String::new();
            number(&mut out, value);
            assert_eq!(out, value.to_string());
        }
    }

    #[test]
    fn texts_are_escaped_as_json_asks() {
        for sample in ["", "t-1", "a\"b\\c\n\u{1}\u{7f}é", "\"", "\\\\"] {
            let mut out = String::new();
            text(&mut out, sample);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), sample);
        }
    }
}
