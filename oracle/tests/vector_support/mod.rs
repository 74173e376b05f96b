//! What the vector tests share: a small assembler for bundles, a machine to run them on, readers of
//! golden values. The assembler accepts canonical text only.

#![expect(dead_code, reason = "every test file uses its own part of this module")]

use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::case::{MemoryChunk, MemoryWindow, VectorCase};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::outcome::{FaultReason, VectorStep};
use contract::profile::Profile;
use contract::state::{Line, VectorState};
use serde_json::Value;

/// First address of the default window.
pub const BASE: u32 = 0x0008_0000;
/// Bytes of the window that tests use.
pub const BYTES: u32 = 4096;

/// The three presets.
pub fn presets() -> Vec<(&'static str, Profile)> {
    Profile::PRESETS.iter().map(|name| (*name, Profile::preset(name).unwrap())).collect()
}

/// Reads `FORMAT { Sn OP operands ; … }`.
pub fn bundle(text: &str) -> Bundle {
    let (format, rest) = text.split_once('{').unwrap_or_else(|| panic!("no brace: {text}"));
    let body = rest.trim_end().strip_suffix('}').unwrap_or_else(|| panic!("no brace: {text}"));
    let format = format.trim();
    Bundle {
        format: match Format::from_name(format) {
            Some(format) => FormatWord::Known(format),
            None => FormatWord::Unknown(format.into()),
        },
        ops: body.split(';').map(str::trim).filter(|op| !op.is_empty()).map(slot_op).collect(),
    }
}

fn slot_op(text: &str) -> SlotOp {
    let (slot, op) = text.split_once(' ').unwrap_or_else(|| panic!("no op: {text}"));
    let slot = slot.strip_prefix('S').and_then(|n| n.parse().ok());
    let slot = slot.unwrap_or_else(|| panic!("no slot: {text}"));
    let (name, operands) = op.split_once(' ').unwrap_or((op, ""));
    SlotOp {
        slot,
        op: match Mnemonic::from_name(name) {
            Some(mnemonic) => OpWord::Known(mnemonic),
            None => OpWord::Unknown(name.into()),
        },
        operands: operands
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(operand)
            .collect(),
    }
}

fn operand(word: &str) -> Operand {
    let digits = word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len());
    if let Some(class) = RegClass::from_prefix(&word[..digits])
        && let Ok(index) = word[digits..].parse()
    {
        return Operand::Reg(class, index);
    }
    match word.strip_prefix("0x") {
        Some(hex) => Operand::Imm(i64::from_str_radix(hex, 16).unwrap()),
        None => word.parse().map_or_else(|_| Operand::Word(word.into()), Operand::Imm),
    }
}

/// A state with a zero-filled memory window.
pub fn machine(profile: Profile) -> VectorState {
    machine_at(profile, BASE, BYTES, Vec::new())
}

/// A state with a window of one's own and its first bytes.
pub fn machine_at(profile: Profile, base: u32, bytes: u32, init: Vec<MemoryChunk>) -> VectorState {
    VectorState::of(&VectorCase {
        id: String::new(),
        profile,
        cpenable: 2,
        state: Vec::new(),
        memory: MemoryWindow { base, bytes, init },
        program: Vec::new(),
    })
}

/// Executes bundles given as text, each of which must be accepted.
pub fn run(state: &mut VectorState, program: &[&str]) {
    for text in program {
        let step = oracle::vector::execute(state, &bundle(text));
        assert_eq!(step, VectorStep::Accept, "{text}");
    }
}

/// Executes a single op, given without its slot, which must be accepted.
pub fn run_op(state: &mut VectorState, op: &str) {
    run(state, &[&format!("F0 {{ S0 {op} }}")]);
}

/// Executes a bundle that must fault, and checks that it leaves the state alone.
pub fn faults(state: &VectorState, text: &str) -> (FaultReason, Option<u32>) {
    let mut after = state.clone();
    let step = oracle::vector::execute(&mut after, &bundle(text));
    assert_eq!(&after, state, "{text}: a squashed bundle changed the state");
    match step {
        VectorStep::Fault(reason, address) => (reason, address),
        other => panic!("{text}: {other:?}"),
    }
}

/// Elements of a lane width that a register holds.
pub fn lanes<T: Element>(line: &Line) -> Vec<T> {
    line.0.chunks_exact(size_of::<T>()).map(T::from_bytes).collect()
}

/// A register from its elements; missing ones are zero.
pub fn line<T: Element>(values: &[T]) -> Line {
    let mut line = Line::default();
    for (chunk, value) in line.0.chunks_exact_mut(size_of::<T>()).zip(values) {
        value.write(chunk);
    }
    line
}

/// A register with the same element in every lane.
pub fn splat<T: Element>(value: T) -> Line {
    line(&vec![value; 64 / size_of::<T>()])
}

/// A native integer as a vector element.
pub trait Element: Copy {
    /// Reads little-endian bytes.
    fn from_bytes(bytes: &[u8]) -> Self;
    /// Writes little-endian bytes.
    fn write(self, bytes: &mut [u8]);
}

macro_rules! elements {
    ($($type:ty)*) => {$(
        impl Element for $type {
            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().unwrap())
            }
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
elements!(u8 i8 u16 i16 u32 i32);

/// Bytes of memory from an address on.
pub fn memory(state: &VectorState, address: u32, length: usize) -> &[u8] {
    let at = state.memory.window(address, length).unwrap();
    &state.memory.bytes()[at..at + length]
}

/// Puts bytes into memory.
pub fn fill(state: &mut VectorState, address: u32, data: &[u8]) {
    let at = state.memory.window(address, data.len()).unwrap();
    state.memory.write(at, data);
}

/// The bytes `start, start + 1, …`.
pub fn ramp(start: u8, length: usize) -> Vec<u8> {
    (0..length).map(|i| start.wrapping_add(i as u8)).collect()
}

/// A file of the golden folder.
pub fn golden(name: &str) -> String {
    let path = format!("{}/../corpus/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A number, either JSON or a `0x` text.
pub fn number(value: &Value) -> i64 {
    match value {
        Value::String(text) => {
            let hex = text.strip_prefix("0x").unwrap_or_else(|| panic!("no hex: {text}"));
            u64::from_str_radix(hex, 16).unwrap() as i64
        }
        other => other.as_i64().unwrap_or_else(|| panic!("no number: {other}")),
    }
}

/// Bytes given as plain hex digits.
pub fn hex_bytes(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "odd hex: {text}");
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// A deterministic stream of test values (xorshift).
pub struct Noise(pub u64);

impl Noise {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A register full of noise.
    pub fn line(&mut self) -> Line {
        let mut line = Line::default();
        for byte in &mut line.0 {
            *byte = self.next() as u8;
        }
        line
    }
}
