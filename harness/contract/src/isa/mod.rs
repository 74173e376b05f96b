//! Vocabulary of the machine: generations, opcodes, enums, byte layouts, clause ids, register
//! classes, formats and mnemonics. Everything here is a name or a number that both models and the
//! harness must agree on to talk about the same thing. No predicate and no arithmetic rule lives
//! here: whether an opcode is *legal*, a dtype *allowed* or a slot *permitted* is decided by each
//! model on its own.

mod clause;
mod generation;
pub mod layout;
mod mnemonics;
mod tensor;
pub mod vector;

pub use clause::{ClauseId, ClauseSet};
pub use generation::{Generation, Geometry};
pub use tensor::{
    AccumCmd, AddrMarker, AluOp, DEFINED_OPCODES, DebugCmd, Dtype, ImmSrc, OPCODES, OpcodeInfo,
    ReduceAxis, ReduceOp, RevOps, Subdim, UpdateMode, WaitMode, opcode, opcode_by_name,
    opcode_info,
};
pub use vector::{Format, Mnemonic, MnemonicInfo, OperandKind, RegClass};
