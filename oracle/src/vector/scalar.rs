//! `NOP` and the scalar support ops (spec 04 section 10.1, V-39): 32-bit arithmetic modulo 2^32 for
//! address and count chains.

use super::operation::{MemoryFault, Operation};
use super::{Row, accesses, registers};
use contract::state::LINE;

/// `MOVI art, imm`.
fn movi(op: &mut Operation<'_>) {
    op.set_ar(0, op.imm(1) as u32);
}

/// `ADDI art, ars, imm`.
fn addi(op: &mut Operation<'_>) {
    op.set_ar(0, op.ar(1).wrapping_add(op.imm(2) as u32));
}

/// `arr, ars, art`: `arr := A.ars op A.art`.
fn binary(op: &mut Operation<'_>, rule: fn(u32, u32) -> u32) {
    let value = rule(op.ar(1), op.ar(2));
    op.set_ar(0, value);
}

/// `MUL16S`: signed product of the low 16 bits.
fn mul16s(ars: u32, art: u32) -> u32 {
    (i32::from(ars as i16) * i32::from(art as i16)) as u32
}

/// Bytes of a scalar access.
const WORD: usize = 4;

/// `EA = A.ars + imm`; misalignment is tested before the window.
fn word_address(op: &Operation<'_>) -> Result<u32, MemoryFault> {
    let ea = op.ar(1).wrapping_add(op.imm(2) as u32);
    if ea.is_multiple_of(WORD as u32) { Ok(ea) } else { Err(MemoryFault::Alignment(ea)) }
}

/// `L32I art, ars, imm`: little-endian.
fn l32i(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = word_address(op)?;
    let mut bytes = [0; WORD];
    bytes.copy_from_slice(op.load(ea, WORD)?);
    op.set_ar(0, u32::from_le_bytes(bytes));
    Ok(())
}

/// `S32I art, ars, imm`: little-endian.
fn s32i(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = word_address(op)?;
    let mut bytes = [0; LINE];
    bytes[..WORD].copy_from_slice(&op.ar(0).to_le_bytes());
    op.store(ea, WORD, bytes, u64::MAX)
}

pub(super) const ROWS: &[Row] = &[
    registers("NOP", |_| {}),
    registers("MOVI", movi),
    registers("ADDI", addi),
    registers("ADD", |op| binary(op, u32::wrapping_add)),
    registers("SUB", |op| binary(op, u32::wrapping_sub)),
    registers("AND", |op| binary(op, |x, y| x & y)),
    registers("OR", |op| binary(op, |x, y| x | y)),
    registers("XOR", |op| binary(op, |x, y| x ^ y)),
    registers("MUL16S", |op| binary(op, mul16s)),
    registers("MULL", |op| binary(op, u32::wrapping_mul)),
    accesses("L32I", l32i),
    accesses("S32I", s32i),
];
