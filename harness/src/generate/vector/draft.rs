//! Bundles under construction: compact ops that are placed only where the rules of spec 05 section 6
//! allow it, and their translation into the contract's form.

use super::super::Draw;
use super::places::{REGISTERS, Registers, Slots, single};
use super::table::{Kind, Memory, OPERANDS, Row};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, Operands, SlotOp};
use contract::isa::Format;
use smallvec::SmallVec;

/// Operands as numbers: a register's index or an immediate.
pub(super) type Args = [i32; OPERANDS];

/// Copies of load/store ports that one bundle has.
const COPIES: u8 = 2;

/// One op of a bundle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    pub(super) row: &'static Row,
    pub(super) slot: u8,
    pub(super) args: Args,
}

impl Op {
    /// The op in the contract's form.
    pub(super) fn emit(&self) -> SlotOp {
        let mut operands = Operands::new();
        for (facts, &value) in self.row.operands.iter().zip(&self.args) {
            operands.push(match facts.kind {
                Kind::Register(class) => Operand::Reg(class, value as u32),
                Kind::Number(_) => Operand::Imm(value.into()),
            });
        }
        SlotOp { slot: self.slot.into(), op: OpWord::Known(self.row.mnemonic), operands }
    }
}

/// The registers that an op writes; `None` if it writes one twice.
pub(super) fn written(row: &Row, args: &Args) -> Option<Registers> {
    let mut set: Registers = 0;
    for (facts, &value) in row.operands.iter().zip(args) {
        if let (true, Some(class)) = (facts.defs, facts.class()) {
            let bit = single(class, value as u32);
            if set & bit != 0 {
                return None;
            }
            set |= bit;
        }
    }
    Some(set)
}

/// A legal bundle.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) format: Format,
    /// Ascending by slot.
    pub(super) ops: SmallVec<[Op; 5]>,
    filled: u8,
    written: Registers,
    copies: u8,
    stores: u8,
}

impl Draft {
    /// An all-NOP bundle.
    pub(super) fn new(format: Format) -> Self {
        Self { format, ops: SmallVec::new(), filled: 0, written: 0, copies: 0, stores: 0 }
    }

    /// The registers that the bundle writes.
    pub(super) const fn written(&self) -> Registers {
        self.written
    }

    /// Slots that are free.
    pub(super) fn free(&self) -> u8 {
        !self.filled & ((1 << self.format.slots().len()) - 1)
    }

    /// Free slots that could take the op; 0 if the memory ports could not.
    pub(super) fn room(&self, row: &Row) -> u8 {
        let store = u8::from(row.memory == Memory::Store);
        if self.copies + row.copies > COPIES || self.stores + store > 1 {
            return 0;
        }
        row.slots.of(self.format) & self.free()
    }

    /// Puts an op into a slot. False, and nothing changes, if the bundle would become illegal.
    pub(super) fn place(&mut self, row: &'static Row, slot: u8, args: &Args) -> bool {
        let Some(written) = written(row, args) else { return false };
        if self.room(row) >> slot & 1 == 0 || self.written & written != 0 {
            return false;
        }
        self.filled |= 1 << slot;
        self.written |= written;
        self.copies += row.copies;
        self.stores += u8::from(row.memory == Memory::Store);
        let at = self.ops.iter().position(|op| op.slot > slot).unwrap_or(self.ops.len());
        self.ops.insert(at, Op { row, slot, args: *args });
        true
    }

    /// Puts an op into one of the slots that can take it.
    pub(super) fn place_anywhere(
        &mut self,
        draw: &mut Draw<'_>,
        row: &'static Row,
        args: &Args,
    ) -> bool {
        let room = self.room(row);
        room != 0 && self.place(row, nth_bit(room, draw.below(room.count_ones())), args)
    }

    /// Translates into the contract's form; the buffer is reused.
    pub(super) fn emit(&self, bundle: &mut Bundle) {
        bundle.format = FormatWord::Known(self.format);
        bundle.ops.clear();
        bundle.ops.extend(self.ops.iter().map(Op::emit));
    }
}

/// Number of the `nth` set bit; the bit exists.
pub(super) fn nth_bit(mut bits: u8, nth: u32) -> u8 {
    for _ in 0..nth {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as u8
}

/// A slot that can take the op, of any format.
pub(super) fn any_slot(draw: &mut Draw<'_>, row: &Row) -> (Format, u8) {
    Slots::place(row.slots.nth(draw.below(row.slots.len())))
}

/// Calls `visit` with every register that an op reads, its operand's position and its set.
pub(super) fn for_each_read(op: &Op, mut visit: impl FnMut(usize, Registers)) {
    for (at, (facts, &value)) in op.row.operands.iter().zip(&op.args).enumerate() {
        if let (true, Some(class)) = (facts.uses, facts.class()) {
            visit(at, single(class, value as u32));
        }
    }
}

const _: () = assert!(REGISTERS <= Registers::BITS as usize);
