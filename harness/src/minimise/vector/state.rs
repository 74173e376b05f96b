//! Passes over the initial registers: out with those that nothing needs, and simple values in the
//! lanes of the rest. A lane is as wide as the first operation that names the register says; the
//! bytes of memory are shrunk by the same passes.

use super::super::cell;
use super::super::edit::{Edits, chunks, edit};
use super::super::element::{self, Encoding};
use contract::bundle::{OpWord, Operand};
use contract::case::{RegisterValue, VectorCase};
use contract::isa::{Dtype, RegClass};
use std::rc::Rc;

/// File and index of a register, in the order in which a case lists them.
pub(super) fn key_of(value: &RegisterValue) -> (u8, u8) {
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

/// Class and index of a register that operands can name.
pub(in super::super) fn class_of(value: &RegisterValue) -> Option<(RegClass, u32)> {
    let (class, index) = match value {
        RegisterValue::Ar(index, _) => (RegClass::Ar, index),
        RegisterValue::Vec(index, _) => (RegClass::Vec, index),
        RegisterValue::Vbool(index, _) => (RegClass::Vbool, index),
        RegisterValue::Valign(index, _) => (RegClass::Valign, index),
        RegisterValue::Wvec(index, _) => (RegClass::Wvec, index),
        RegisterValue::Pr(index, _) => (RegClass::Pr, index),
        RegisterValue::Gvr(index, _) => (RegClass::Gvr, index),
        RegisterValue::Fs(..) | RegisterValue::Fcr(_) | RegisterValue::Fsr(_) => return None,
    };
    Some((class, (*index).into()))
}

/// The value in another register of its file; an index beyond a byte becomes 255, which no file has.
pub(super) fn with_index(value: &RegisterValue, index: u32) -> RegisterValue {
    let mut value = value.clone();
    match &mut value {
        RegisterValue::Ar(at, _)
        | RegisterValue::Vec(at, _)
        | RegisterValue::Vbool(at, _)
        | RegisterValue::Valign(at, _)
        | RegisterValue::Wvec(at, _)
        | RegisterValue::Pr(at, _)
        | RegisterValue::Gvr(at, _)
        | RegisterValue::Fs(at, _) => *at = u8::try_from(index).unwrap_or(u8::MAX),
        RegisterValue::Fcr(_) | RegisterValue::Fsr(_) => {}
    }
    value
}

/// The bytes of a register, byte 0 first.
pub(super) fn bytes_of(value: &RegisterValue) -> Vec<u8> {
    match value {
        RegisterValue::Ar(_, value) => value.to_le_bytes().to_vec(),
        RegisterValue::Vec(_, line)
        | RegisterValue::Valign(_, line)
        | RegisterValue::Gvr(_, line) => line.0.to_vec(),
        RegisterValue::Vbool(_, value)
        | RegisterValue::Pr(_, value)
        | RegisterValue::Fs(_, value) => value.to_le_bytes().to_vec(),
        RegisterValue::Wvec(_, bytes) => bytes.to_vec(),
        RegisterValue::Fcr(word) | RegisterValue::Fsr(word) => word.to_le_bytes().to_vec(),
    }
}

/// Puts an element into the bytes of a register.
fn set_bytes(value: &mut RegisterValue, byte: usize, width: usize, bits: u64) {
    let part = |whole: u64| {
        let mut bytes = whole.to_le_bytes();
        element::store(&mut bytes[byte..byte + width], bits);
        u64::from_le_bytes(bytes)
    };
    match value {
        RegisterValue::Ar(_, value) => *value = part((*value).into()) as u32,
        RegisterValue::Vec(_, line)
        | RegisterValue::Valign(_, line)
        | RegisterValue::Gvr(_, line) => element::store(&mut line.0[byte..byte + width], bits),
        RegisterValue::Vbool(_, value)
        | RegisterValue::Pr(_, value)
        | RegisterValue::Fs(_, value) => *value = part(*value),
        RegisterValue::Wvec(_, bytes) => element::store(&mut bytes[byte..byte + width], bits),
        RegisterValue::Fcr(word) | RegisterValue::Fsr(word) => *word = part((*word).into()) as u16,
    }
}

/// A lane of a register, or an element of a memory chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Cell {
    at: At,
    encoding: Encoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Place in the state, first byte.
    Register { value: usize, byte: usize },
    /// Chunk, first byte.
    Memory { chunk: usize, byte: usize },
}

impl cell::Cell<VectorCase> for Cell {
    fn encoding(&self) -> Encoding {
        self.encoding
    }

    // The value. An address register that points into the memory window counts from its base: a
    // pointer is as simple as its distance.
    fn value(&self, case: &VectorCase) -> u64 {
        match self.at {
            At::Register { value, .. } if let RegisterValue::Ar(_, value) = case.state[value] => {
                u64::from(value.wrapping_sub(base_of(case, value)))
            }
            At::Register { value, byte } => {
                element::load(&bytes_of(&case.state[value])[byte..byte + self.encoding.bytes])
            }
            At::Memory { chunk, byte } => {
                element::load(&case.memory.init[chunk].data[byte..byte + self.encoding.bytes])
            }
        }
    }

    // Puts another value in; an address that counts from the base goes on doing so.
    fn set(&self, case: &mut VectorCase, bits: u64) {
        match self.at {
            At::Register { value, byte } => {
                let bits = match case.state[value] {
                    RegisterValue::Ar(_, value) => {
                        u64::from((bits as u32).wrapping_add(base_of(case, value)))
                    }
                    _ => bits,
                };
                set_bytes(&mut case.state[value], byte, self.encoding.bytes, bits);
            }
            At::Memory { chunk, byte } => {
                let bytes = byte..byte + self.encoding.bytes;
                element::store(&mut case.memory.init[chunk].data[bytes], bits);
            }
        }
    }
}

impl Cell {
    /// Place of the register in the state and the lane's number, for lanes of registers.
    pub(in super::super) fn lane(&self) -> Option<(usize, usize)> {
        match self.at {
            At::Register { value, byte } => Some((value, byte / self.encoding.bytes)),
            At::Memory { .. } => None,
        }
    }

    /// Address of the element, for memory.
    pub(in super::super) fn address(&self, case: &VectorCase) -> Option<u32> {
        match self.at {
            At::Memory { chunk, byte } => {
                Some(case.memory.init[chunk].address.wrapping_add(byte as u32))
            }
            At::Register { .. } => None,
        }
    }
}

/// What an address counts from: the base of the window if it lies in the window.
fn base_of(case: &VectorCase, address: u32) -> u32 {
    let window = &case.memory;
    if address.wrapping_sub(window.base) < window.bytes { window.base } else { 0 }
}

/// Every lane of every register that is given, and every element of the memory chunks.
pub(in super::super) fn cells(case: &VectorCase) -> impl Iterator<Item = Cell> {
    let registers = case.state.iter().enumerate().flat_map(|(value, register)| {
        let encoding = encoding_of(case, register);
        let lanes = bytes_of(register).len() / encoding.bytes;
        (0..lanes).map(move |lane| Cell {
            at: At::Register { value, byte: lane * encoding.bytes },
            encoding,
        })
    });
    let width = case.program.iter().flat_map(|bundle| &bundle.ops).find_map(|op| lanes_of(&op.op));
    let width = width.unwrap_or(Encoding::integer(1));
    let memory = case.memory.init.iter().enumerate().flat_map(move |(chunk, part)| {
        let whole = part.data.len() / width.bytes * width.bytes;
        let elements = (0..whole / width.bytes).map(move |element| (element * width.bytes, width));
        let rest = (whole..part.data.len()).map(|byte| (byte, Encoding::integer(1)));
        elements
            .chain(rest)
            .map(move |(byte, encoding)| Cell { at: At::Memory { chunk, byte }, encoding })
    });
    registers.chain(memory)
}

fn encoding_of(case: &VectorCase, register: &RegisterValue) -> Encoding {
    match register {
        RegisterValue::Ar(..) => Encoding::integer(4),
        RegisterValue::Vbool(..) | RegisterValue::Fs(..) => Encoding::integer(8),
        RegisterValue::Pr(..) => Encoding::integer(4),
        RegisterValue::Fcr(_) | RegisterValue::Fsr(_) => Encoding::integer(2),
        RegisterValue::Vec(..)
        | RegisterValue::Valign(..)
        | RegisterValue::Wvec(..)
        | RegisterValue::Gvr(..) => {
            let ops = case.program.iter().flat_map(|bundle| &bundle.ops);
            let naming = ops.filter(|op| {
                class_of(register)
                    .is_some_and(|(class, index)| op.operands.contains(&Operand::Reg(class, index)))
            });
            naming.map(|op| lanes_of(&op.op)).next().flatten().unwrap_or(Encoding::integer(2))
        }
    }
}

/// Lanes as a mnemonic names them (`NX16`, `2NX8`, `N_2XF32`).
fn lanes_of(op: &OpWord) -> Option<Encoding> {
    let name = op.text();
    if name.contains("XF32") {
        return Some(Encoding::of(Dtype::Fp32));
    }
    if name.contains("XF16") {
        return Some(Encoding::of(Dtype::Fp16));
    }
    let widths = [("X32", 4), ("X16", 2), ("X8", 1)];
    let (_, bytes) = widths.into_iter().find(|(word, _)| name.contains(word))?;
    Some(Encoding::integer(bytes))
}

/// Leaves out chunks of registers.
pub(super) fn drop_registers(case: &VectorCase) -> Edits<'_, VectorCase> {
    Box::new(chunks(case.state.len()).map(|chunk| {
        edit(move |case: &mut VectorCase| {
            case.state.drain(chunk);
        })
    }))
}

/// Lanes and elements toward simple values.
pub(super) fn simpler_values(case: &VectorCase) -> Edits<'_, VectorCase> {
    cell::simpler_values(case, cells(case))
}

/// What stands in the lanes moved toward lane 0: of all vector registers together, then of each, all
/// the way or one lane.
pub(super) fn lower_lanes(case: &VectorCase) -> Edits<'_, VectorCase> {
    let all: Rc<[usize]> = (0..case.state.len()).filter(|&value| has_lanes(case, value)).collect();
    let single = all.iter().map(|&value| Rc::from([value])).collect::<Vec<Rc<[usize]>>>();
    Box::new(std::iter::once(all).chain(single).flat_map(move |values| {
        let empty = |&value: &usize| {
            bytes_of(&case.state[value]).iter().position(|&byte| byte != 0).unwrap_or(0)
        };
        let whole = values.iter().map(empty).min().unwrap_or(0);
        let width = values.first().map_or(1, |&value| encoding_of(case, &case.state[value]).bytes);
        [whole / width * width, width].into_iter().map(move |distance| {
            let values = Rc::clone(&values);
            edit(move |case: &mut VectorCase| {
                values.iter().for_each(|&value| shift(&mut case.state[value], distance));
            })
        })
    }))
}

fn has_lanes(case: &VectorCase, value: usize) -> bool {
    matches!(
        case.state[value],
        RegisterValue::Vec(..)
            | RegisterValue::Valign(..)
            | RegisterValue::Wvec(..)
            | RegisterValue::Gvr(..)
    )
}

/// Moves the bytes of a register down; those that leave at the bottom come back at the top.
fn shift(value: &mut RegisterValue, distance: usize) {
    match value {
        RegisterValue::Vec(_, line)
        | RegisterValue::Valign(_, line)
        | RegisterValue::Gvr(_, line) => line.0.rotate_left(distance),
        RegisterValue::Wvec(_, bytes) => bytes.rotate_left(distance),
        _ => {}
    }
}
