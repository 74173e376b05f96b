//! Reading bundles and golden files, building states, and the code paths to test.

use candidate::simd::Simd;
use candidate::vector::VectorExecutor;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::case::{MemoryChunk, MemoryWindow, VectorCase};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::outcome::VectorStep;
use contract::profile::Profile;
use contract::state::{LINE, Line, VectorState};
use serde_json::Value;
use std::sync::Once;

/// First address of the memory of [`blank_state`].
pub const BASE: u32 = 0x0008_0000;

/// Every path that this machine has; says once which it lacks.
pub fn paths() -> Vec<Simd> {
    static SAID: Once = Once::new();
    let (have, lack): (Vec<_>, Vec<_>) = [Simd::Portable, Simd::Avx2, Simd::Avx512]
        .into_iter()
        .partition(|&path| path <= Simd::detect());
    SAID.call_once(|| {
        for path in lack {
            println!("skipped: this machine has no {}", path.name());
        }
    });
    have
}

/// One executor per path.
pub fn executors() -> Vec<VectorExecutor> {
    paths().into_iter().map(VectorExecutor::with_simd).collect()
}

/// A golden file.
pub fn golden_text(name: &str) -> String {
    let path = format!("{}/../corpus/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A golden file in JSON.
pub fn golden_json(name: &str) -> Value {
    serde_json::from_str(&golden_text(name)).expect("golden files are JSON")
}

/// A number written as JSON number or as hex string.
pub fn number(value: &Value) -> i64 {
    match value {
        Value::Number(number) => number.as_i64().expect("golden numbers are integers"),
        Value::String(text) => parse_number(text).unwrap_or_else(|| panic!("no number: {text}")),
        other => panic!("no number: {other}"),
    }
}

fn parse_number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(u64::cast_signed),
        None => text.parse().ok(),
    }
}

/// Bytes of a hex string.
pub fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex digits"))
        .collect()
}

/// A state with zero registers and this memory.
pub fn state_with(base: u32, bytes: u32, chunks: &[(u32, Vec<u8>)]) -> VectorState {
    let init = chunks
        .iter()
        .map(|(address, data)| MemoryChunk { address: *address, data: data.clone() })
        .collect();
    VectorState::of(&VectorCase {
        id: String::new(),
        profile: Profile::default(),
        cpenable: 2,
        state: Vec::new(),
        memory: MemoryWindow { base, bytes, init },
        program: Vec::new(),
    })
}

/// A zero state with 4096 bytes of memory at [`BASE`].
pub fn blank_state() -> VectorState {
    state_with(BASE, 4096, &[])
}

/// Builds a line from lanes of `width` bits, the rest zero.
pub fn line(width: usize, lanes: impl IntoIterator<Item = i64>) -> Line {
    let mut line = Line([0; LINE]);
    for (chunk, lane) in line.0.chunks_exact_mut(width / 8).zip(lanes) {
        chunk.copy_from_slice(&lane.to_le_bytes()[..width / 8]);
    }
    line
}

/// Lane `index` of `width` bits, unsigned.
pub fn lane(line: &Line, width: usize, index: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..width / 8].copy_from_slice(&line.0[index * width / 8..][..width / 8]);
    u64::from_le_bytes(bytes)
}

/// Reads a bundle in canonical text.
pub fn bundle(text: &str) -> Bundle {
    let (format, rest) = text.split_once('{').expect("a brace");
    let format = format.trim();
    let ops = rest
        .trim()
        .strip_suffix('}')
        .expect("a closing brace")
        .split(';')
        .map(str::trim)
        .filter(|op| !op.is_empty())
        .map(|op| {
            let (slot, rest) = op.split_once(' ').expect("a slot");
            let (name, operands) = rest.split_once(' ').unwrap_or((rest, ""));
            SlotOp {
                slot: slot[1..].parse().expect("a slot number"),
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
        })
        .collect();
    let format = match Format::from_name(format) {
        Some(format) => FormatWord::Known(format),
        None => FormatWord::Unknown(format.into()),
    };
    Bundle { format, ops }
}

fn operand(word: &str) -> Operand {
    if let Some(value) = parse_number(word) {
        return Operand::Imm(value);
    }
    let digits = word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len());
    match (RegClass::from_prefix(&word[..digits]), word[digits..].parse()) {
        (Some(class), Ok(index)) => Operand::Reg(class, index),
        _ => Operand::Word(word.into()),
    }
}

/// Runs bundles one after the other on every path and returns the last step and the state, after
/// checking that the paths agree.
pub fn run(state: &VectorState, program: &[&str]) -> (VectorStep, VectorState) {
    let mut outcome: Option<(VectorStep, VectorState)> = None;
    for mut executor in executors() {
        let mut state = state.clone();
        let mut last = VectorStep::Accept;
        for text in program {
            last = executor.execute(&mut state, &bundle(text));
        }
        match &outcome {
            None => outcome = Some((last, state)),
            Some(first) => assert_eq!(*first, (last, state), "{program:?}"),
        }
    }
    outcome.expect("the portable path is always there")
}

/// [`run`], all bundles accepted.
pub fn accept(state: &VectorState, program: &[&str]) -> VectorState {
    let (step, state) = run(state, program);
    assert_eq!(step, VectorStep::Accept, "{program:?}");
    state
}
