//! The text form of bundles: `FORMAT { S<n> OP operand, … ; … }` (external contract, part 2; spec 05
//! section 6, T-30). [`parse_bundle`] reads it without regard to case or spacing and returns the
//! canonical bundle; [`write_bundle`] and `Display` print the canonical text. [`parse_program`] reads
//! files, one bundle a line, `#` to the end of a line being a comment.
//!
//! What lies outside the grammar is an error with its column. A word that fits the grammar but names
//! nothing (format `F5`, op `FOO`, operand `x1`) is no error: it is kept, and the models judge it.
//! A word is a run of ASCII letters, digits, `_`, `.`, `+` and `-`.

use crate::bundle::{Bundle, FormatWord, OpWord, Operand, Operands, SlotOp};
use crate::isa::{Format, Mnemonic, RegClass};
use std::borrow::Cow;
use std::fmt;
use thiserror::Error;

/// What the grammar wants at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expected {
    /// The format word that opens a bundle.
    Format,
    /// `{` after the format.
    OpenBrace,
    /// A slot that begins an operation, or `}`.
    SlotOrClose,
    /// The op word after a slot.
    Op,
    /// An operand, `;` or `}` after the op word.
    OperandOrEnd,
    /// An operand after a comma.
    Operand,
    /// `,`, `;` or `}` after an operand.
    CommaOrEnd,
    /// Nothing after `}`.
    EndOfText,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => "a format such as `F0`",
            Self::OpenBrace => "`{`",
            Self::SlotOrClose => "a slot such as `S3`, or `}`",
            Self::Op => "an operation",
            Self::OperandOrEnd => "an operand, `;` or `}`",
            Self::Operand => "an operand",
            Self::CommaOrEnd => "`,`, `;` or `}`",
            Self::EndOfText => "the end of the bundle",
        })
    }
}

/// Text outside the grammar.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("column {column}: {}, expected {expected}", found_text(.found))]
pub struct TextError {
    /// Column of the first character that does not fit, from 1.
    pub column: usize,
    /// What stands there: a word or a character; empty at the end of the text.
    pub found: Box<str>,
    /// What the grammar wants there.
    pub expected: Expected,
}

fn found_text(found: &str) -> Cow<'static, str> {
    if found.is_empty() { "end of text".into() } else { format!("`{found}`").into() }
}

impl TextError {
    /// Advice for a person, in one sentence.
    pub fn hint(&self) -> &'static str {
        let op_without_slot = Mnemonic::from_name(&self.found).is_some();
        match (self.expected, &*self.found) {
            (Expected::Format, _) => {
                "a bundle begins with its format, as in `F0 { S3 ADDNX16 v1, v2, v3 }`"
            }
            (Expected::OpenBrace, _) => {
                "the operations stand in braces, as in `F0 { S3 ADDNX16 v1, v2, v3 }`"
            }
            (Expected::SlotOrClose, ";") => "there is no empty operation; take the `;` out",
            (Expected::SlotOrClose, "") => "close the bundle with `}`",
            (Expected::SlotOrClose, _) if op_without_slot => {
                "name the slot before the operation, as in `S3 ADDNX16 v1, v2, v3`"
            }
            (Expected::SlotOrClose, _) => {
                "an operation begins with its slot: `S` and a number, from `S0`"
            }
            (Expected::Op, _) => "an unused slot is left out, or holds `NOP`",
            (Expected::OperandOrEnd | Expected::CommaOrEnd, "") => "close the bundle with `}`",
            (Expected::OperandOrEnd, _) => "no comma stands between an operation and its operands",
            (Expected::Operand, _) => "take the last comma out, or give one more operand",
            (Expected::CommaOrEnd, _) => {
                "operands are separated by commas, operations by semicolons"
            }
            (Expected::EndOfText, _) => {
                "one text holds one bundle; put the next one on its own line"
            }
        }
    }
}

/// A line of a program text outside the grammar.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, {error}")]
pub struct ProgramTextError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub error: TextError,
}

/// Reads one bundle and brings it into canonical form.
///
/// # Errors
/// [`TextError`] if the text lies outside the grammar.
pub fn parse_bundle(text: &str) -> Result<Bundle, TextError> {
    let mut scanner = Scanner { text, at: 0 };
    let format = FormatWord::from_word(scanner.word(Expected::Format)?);
    scanner.expect(Token::Open, Expected::OpenBrace)?;
    let mut bundle = Bundle { format, ops: Vec::new() };
    loop {
        let (at, token) = scanner.next();
        match token {
            Token::Close => break,
            Token::Word(word) => {
                let slot = slot_number(word)
                    .ok_or_else(|| scanner.error(at, token, Expected::SlotOrClose))?;
                let op = OpWord::from_word(scanner.word(Expected::Op)?);
                let (operands, ended) = parse_operands(&mut scanner)?;
                bundle.ops.push(SlotOp { slot, op, operands });
                if ended {
                    break;
                }
            }
            _ => return Err(scanner.error(at, token, Expected::SlotOrClose)),
        }
    }
    scanner.expect(Token::End, Expected::EndOfText)?;
    bundle.canonicalise();
    Ok(bundle)
}

/// Reads operands up to and including `;` or `}`; true if it was `}`.
fn parse_operands(scanner: &mut Scanner<'_>) -> Result<(Operands, bool), TextError> {
    let mut operands = Operands::new();
    let (at, token) = scanner.next();
    match token {
        Token::Semicolon => return Ok((operands, false)),
        Token::Close => return Ok((operands, true)),
        Token::Word(word) => operands.push(Operand::from_word(word)),
        _ => return Err(scanner.error(at, token, Expected::OperandOrEnd)),
    }
    loop {
        let (at, token) = scanner.next();
        match token {
            Token::Semicolon => return Ok((operands, false)),
            Token::Close => return Ok((operands, true)),
            Token::Comma => operands.push(Operand::from_word(scanner.word(Expected::Operand)?)),
            _ => return Err(scanner.error(at, token, Expected::CommaOrEnd)),
        }
    }
}

/// Reads a program file: one bundle a line, blank lines skipped, `#` begins a comment.
///
/// # Errors
/// [`ProgramTextError`] with the line.
pub fn parse_program(text: &str) -> Result<Vec<Bundle>, ProgramTextError> {
    let mut program = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split_once('#').map_or(line, |(code, _)| code);
        if !code.trim().is_empty() {
            program.push(
                parse_bundle(code).map_err(|error| ProgramTextError { line: index + 1, error })?,
            );
        }
    }
    Ok(program)
}

/// Prints the canonical text of a bundle. A bundle that is not canonical is printed as if it were.
///
/// # Errors
/// Only those of `out`; a `String` has none.
pub fn write_bundle(out: &mut impl fmt::Write, bundle: &Bundle) -> fmt::Result {
    let bundle = if bundle.is_canonical() {
        Cow::Borrowed(bundle)
    } else {
        let mut copy = bundle.clone();
        copy.canonicalise();
        Cow::Owned(copy)
    };
    out.write_str(bundle.format.text())?;
    out.write_str(" {")?;
    for (index, op) in bundle.ops.iter().enumerate() {
        out.write_str(if index == 0 { " " } else { " ; " })?;
        write!(out, "S{} ", op.slot)?;
        out.write_str(op.op.text())?;
        for (index, operand) in op.operands.iter().enumerate() {
            out.write_str(if index == 0 { " " } else { ", " })?;
            match operand {
                Operand::Reg(class, index) => write!(out, "{}{index}", class.prefix())?,
                Operand::Imm(value) => write!(out, "{value}")?,
                Operand::Word(word) => out.write_str(word)?,
            }
        }
    }
    out.write_str(" }")
}

impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_bundle(f, self)
    }
}

impl FormatWord {
    /// Resolves a word.
    pub fn from_word(word: &str) -> Self {
        Format::from_name(word)
            .map_or_else(|| Self::Unknown(word.to_ascii_uppercase().into()), Self::Known)
    }
}

impl OpWord {
    /// Resolves a word.
    pub fn from_word(word: &str) -> Self {
        Mnemonic::from_name(word)
            .map_or_else(|| Self::Unknown(word.to_ascii_uppercase().into()), Self::Known)
    }
}

impl Operand {
    /// Resolves a word: a register by its prefix, a number, or the word itself.
    pub fn from_word(word: &str) -> Self {
        if let Some(register) = register(word) {
            return register;
        }
        number(word).map_or_else(|| Self::Word(word.to_ascii_lowercase().into()), Self::Imm)
    }
}

/// A register: prefix and decimal index. An index beyond 32 bits makes it a mere word.
fn register(word: &str) -> Option<Operand> {
    let digits = word.len() - word.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (prefix, index) = word.split_at(digits);
    let class =
        RegClass::ALL.iter().copied().find(|class| class.prefix().eq_ignore_ascii_case(prefix))?;
    Some(Operand::Reg(class, index.parse().ok()?))
}

/// A number: optional sign, then decimal digits, or `0x` and hex digits read as written. A number
/// beyond 64 bits is a mere word.
fn number(word: &str) -> Option<i64> {
    let (negative, digits) = match word.as_bytes().first()? {
        b'-' => (true, &word[1..]),
        b'+' => (false, &word[1..]),
        _ => (false, word),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None => (10, digits),
    };
    // `from_str_radix` would take a second sign.
    if !digits.bytes().all(|digit| digit.is_ascii_alphanumeric()) {
        return None;
    }
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// A slot word, `S` and a number. No format has a slot beyond 32 bits, so such a number may as well
/// be the largest.
fn slot_number(word: &str) -> Option<u32> {
    let digits = word.strip_prefix(['S', 's'])?;
    let decimal = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    decimal.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// A token of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Open,
    Close,
    Semicolon,
    Comma,
    Other(char),
    End,
}

/// Cuts text into tokens.
struct Scanner<'a> {
    text: &'a str,
    /// Byte index of the next character.
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The next token and the byte index where it begins. At the end, [`Token::End`] for ever.
    fn next(&mut self) -> (usize, Token<'a>) {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        let at = self.at + rest.len() - trimmed.len();
        let Some(first) = trimmed.chars().next() else {
            self.at = self.text.len();
            return (self.text.trim_end().len(), Token::End);
        };
        let token = match first {
            '{' => Token::Open,
            '}' => Token::Close,
            ';' => Token::Semicolon,
            ',' => Token::Comma,
            _ => {
                let length = trimmed.bytes().take_while(|&byte| is_word_byte(byte)).count();
                if length > 0 { Token::Word(&trimmed[..length]) } else { Token::Other(first) }
            }
        };
        self.at = at
            + match token {
                Token::Word(word) => word.len(),
                _ => first.len_utf8(),
            };
        (at, token)
    }

    /// The next token, which must be a word.
    fn word(&mut self, expected: Expected) -> Result<&'a str, TextError> {
        match self.next() {
            (_, Token::Word(word)) => Ok(word),
            (at, token) => Err(self.error(at, token, expected)),
        }
    }

    /// The next token, which must be this one.
    fn expect(&mut self, wanted: Token<'_>, expected: Expected) -> Result<(), TextError> {
        let (at, token) = self.next();
        if token == wanted { Ok(()) } else { Err(self.error(at, token, expected)) }
    }

    fn error(&self, at: usize, token: Token<'_>, expected: Expected) -> TextError {
        let found: Box<str> = match token {
            Token::Word(word) => word.into(),
            Token::Open => "{".into(),
            Token::Close => "}".into(),
            Token::Semicolon => ";".into(),
            Token::Comma => ",".into(),
            Token::Other(other) => other.to_string().into(),
            Token::End => "".into(),
        };
        TextError { column: self.text[..at].chars().count() + 1, found, expected }
    }
}

const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-')
}
