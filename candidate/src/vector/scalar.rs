//! Scalar support ops (spec 04 section 10.1): address and count chains, outside the coprocessor gate.

use super::step::{Fault, Step};
use super::table::Rows;

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScalarOp {
    /// `MOVI`: `art, imm`
    MoveImmediate,
    /// `ADDI`: `art, ars, imm`
    AddImmediate,
    /// `ADD` and the others down to `MULL`: `arr, ars, art`
    Add,
    Sub,
    And,
    Or,
    Xor,
    Multiply16,
    Multiply,
    /// `L32I`: `art, ars, imm`
    Load,
    /// `S32I`: `art, ars, imm`
    Store,
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, ScalarOp>) {
    use ScalarOp::*;
    for (name, op) in [
        ("MOVI", MoveImmediate),
        ("ADDI", AddImmediate),
        ("ADD", Add),
        ("SUB", Sub),
        ("AND", And),
        ("OR", Or),
        ("XOR", Xor),
        ("MUL16S", Multiply16),
        ("MULL", Multiply),
        ("L32I", Load),
        ("S32I", Store),
    ] {
        rows.add(name, op);
    }
}

/// Executes the op.
#[inline]
pub(super) fn run(op: ScalarOp, step: &mut Step<'_>) -> Result<(), Fault> {
    use ScalarOp::*;
    let value = match op {
        MoveImmediate => step.imm(1),
        AddImmediate => step.ar(1).wrapping_add(step.imm(2)),
        Add => step.ar(1).wrapping_add(step.ar(2)),
        Sub => step.ar(1).wrapping_sub(step.ar(2)),
        And => step.ar(1) & step.ar(2),
        Or => step.ar(1) | step.ar(2),
        Xor => step.ar(1) ^ step.ar(2),
        Multiply16 => {
            let low = |value: u32| i32::from(value as i16);
            (low(step.ar(1)) * low(step.ar(2))).cast_unsigned()
        }
        Multiply => step.ar(1).wrapping_mul(step.ar(2)),
        Load => u32::from_le_bytes(*step.memory(word_address(step)?)?),
        Store => {
            let address = word_address(step)?;
            let bytes = step.ar(0).to_le_bytes();
            step.store(address, 4)?.0[..4].copy_from_slice(&bytes);
            return Ok(());
        }
    };
    step.set_ar(0, value);
    Ok(())
}

/// Base plus immediate, tested for alignment before the window is.
#[inline]
fn word_address(step: &Step<'_>) -> Result<u32, Fault> {
    let address = step.ar(1).wrapping_add(step.imm(2));
    if address.is_multiple_of(4) { Ok(address) } else { Err(Fault::Alignment(address)) }
}
