//! The op table: one entry per mnemonic, reached by [`Mnemonic::index`]. It is built once from the
//! names that the family modules list; no name is looked at afterwards.
//!
//! A new mnemonic is one more row in its family's `rows`. A new family is one more variant of [`Op`],
//! one line in [`build`] and one arm in [`dispatch`](super::dispatch).

use super::align::{self, AlignOp};
use super::alu::{self, AluOp};
use super::crossbar::{self, CrossbarOp};
use super::memory::{self, MemoryOp};
use super::moves::{self, MoveOp};
use super::predicate::{self, PredicateOp};
use super::reduce::{self, ReduceOp};
use super::scalar::{self, ScalarOp};
use super::shift::{self, ShiftOp};
use super::wide::{self, WideOp};
use contract::isa::Mnemonic;
use std::collections::HashMap;
use std::sync::LazyLock;

/// An op by family.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    /// Does nothing.
    Nop,
    /// Has no values in this model (spec 05 T-29).
    Unsupported,
    Scalar(ScalarOp),
    Memory(MemoryOp),
    Align(AlignOp),
    Crossbar(CrossbarOp),
    Reduce(ReduceOp),
    Predicate(PredicateOp),
    Alu(AluOp),
    Shift(ShiftOp),
    Move(MoveOp),
    Wide(WideOp),
}

/// What the executor needs to know of a mnemonic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) op: Op,
    /// Needs the coprocessor enabled (spec 04 section 3 rule 1).
    pub(super) gated: bool,
    /// Operands.
    pub(super) operands: u8,
}

/// Collects the names of one family.
pub(super) struct Rows<'a, T> {
    ops: &'a mut HashMap<String, Op>,
    wrap: fn(T) -> Op,
}

impl<T> Rows<'_, T> {
    /// Gives a mnemonic its op.
    pub(super) fn add(&mut self, name: &str, op: T) {
        let before = self.ops.insert(name.to_owned(), (self.wrap)(op));
        debug_assert!(before.is_none(), "two rows for {name}");
    }
}

/// Every name of every family.
fn named_ops() -> HashMap<String, Op> {
    let mut ops = HashMap::from([("NOP".to_owned(), Op::Nop)]);
    scalar::rows(&mut Rows { ops: &mut ops, wrap: Op::Scalar });
    memory::rows(&mut Rows { ops: &mut ops, wrap: Op::Memory });
    align::rows(&mut Rows { ops: &mut ops, wrap: Op::Align });
    crossbar::rows(&mut Rows { ops: &mut ops, wrap: Op::Crossbar });
    reduce::rows(&mut Rows { ops: &mut ops, wrap: Op::Reduce });
    predicate::rows(&mut Rows { ops: &mut ops, wrap: Op::Predicate });
    alu::rows(&mut Rows { ops: &mut ops, wrap: Op::Alu });
    shift::rows(&mut Rows { ops: &mut ops, wrap: Op::Shift });
    moves::rows(&mut Rows { ops: &mut ops, wrap: Op::Move });
    wide::rows(&mut Rows { ops: &mut ops, wrap: Op::Wide });
    ops
}

/// Ops of other chapters that pass without the gate (spec 09 G-54).
const UNGATED: [&str; 2] = ["SCATTERW", "ADDMOD16U"];

fn build() -> Vec<Entry> {
    let named = named_ops();
    Mnemonic::all()
        .map(|mnemonic| {
            let info = mnemonic.info();
            // Of the ops of other chapters none has a name here yet.
            let op = named.get(info.name).copied().unwrap_or(Op::Unsupported);
            let ungated = matches!(op, Op::Nop | Op::Scalar(_)) || UNGATED.contains(&info.name);
            Entry { op, gated: !ungated, operands: info.operands.len() as u8 }
        })
        .collect()
}

/// The table, indexed by [`Mnemonic::index`].
pub(super) fn table() -> &'static [Entry] {
    static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(build);
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_mnemonic_of_chapter_4_has_an_op_and_every_name_a_mnemonic() {
        let chapter: HashSet<String> = Mnemonic::all()
            .filter(|mnemonic| mnemonic.info().chapter == 4)
            .map(|mnemonic| mnemonic.name().to_owned())
            .collect();
        let named: HashSet<String> = named_ops().into_keys().collect();
        assert_eq!(chapter.len(), 370);
        assert_eq!(named, chapter);
    }

    #[test]
    fn the_gate_spares_fourteen_mnemonics() {
        let mut ungated: Vec<&str> = Mnemonic::all()
            .filter(|mnemonic| !table()[mnemonic.index()].gated)
            .map(Mnemonic::name)
            .collect();
        ungated.sort_unstable();
        let expected = [
            "ADD",
            "ADDI",
            "ADDMOD16U",
            "AND",
            "L32I",
            "MOVI",
            "MUL16S",
            "MULL",
            "NOP",
            "OR",
            "S32I",
            "SCATTERW",
            "SUB",
            "XOR",
        ];
        assert_eq!(ungated, expected);
    }
}
