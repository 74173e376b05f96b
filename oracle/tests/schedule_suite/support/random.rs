//! Random legal programs over the whole table, and the choices that make one: pick a format, put
//! into each slot an op that may stand there, name registers from a small pool, drop the op if it
//! would define a register twice or take more of the memory ports than there are.

use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::Role;
use oracle::schedule::table::family::Immediate;
use oracle::schedule::table::{Row, row};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The choices behind one slot: whether it holds an op, which, and its operands.
#[derive(Debug, Clone)]
pub struct SlotChoice {
    pub filled: bool,
    pub op: prop::sample::Index,
    pub operands: [u16; 7],
}

/// The choices behind one bundle.
#[derive(Debug, Clone)]
pub struct BundleChoice {
    pub format: prop::sample::Index,
    pub slots: Vec<SlotChoice>,
}

/// Choices for programs of up to `bundles` bundles.
pub fn choices(bundles: usize) -> impl Strategy<Value = Vec<BundleChoice>> {
    let slot = (prop::bool::weighted(0.8), any::<prop::sample::Index>(), any::<[u16; 7]>())
        .prop_map(|(filled, op, operands)| SlotChoice { filled, op, operands });
    let bundle = (any::<prop::sample::Index>(), prop::collection::vec(slot, 5))
        .prop_map(|(format, slots)| BundleChoice { format, slots });
    prop::collection::vec(bundle, 1..=bundles)
}

/// Random legal programs of up to `bundles` bundles with `pool` registers per class.
pub fn programs(bundles: usize, pool: u32) -> impl Strategy<Value = Vec<Bundle>> {
    choices(bundles).prop_map(move |choices| {
        choices.iter().map(|choice| legal_bundle(choice, pool, None)).collect()
    })
}

/// Random legal programs in which no two bundles name one register.
pub fn programs_without_sharing(bundles: usize) -> impl Strategy<Value = Vec<Bundle>> {
    choices(bundles).prop_map(|choices| {
        let mut taken = HashSet::new();
        choices.iter().map(|choice| legal_bundle(choice, 32, Some(&mut taken))).collect()
    })
}

/// The ops that may stand in a slot, `NOP` left out.
pub fn ops_of_slot(format: Format, slot: usize) -> &'static [Mnemonic] {
    static OPS: LazyLock<Vec<Vec<Vec<Mnemonic>>>> = LazyLock::new(|| {
        let ops = |format, slot| {
            Mnemonic::all()
                .filter(|&op| op != Mnemonic::NOP)
                .filter(|&op| row(op).unwrap().family.slots.contains(format, slot))
                .collect()
        };
        let slots = |&format: &Format| {
            (0..format.slots().len() as u32).map(|slot| ops(format, slot)).collect()
        };
        Format::ALL.iter().map(slots).collect()
    });
    &OPS[format as usize][slot]
}

/// A legal immediate.
pub fn legal_immediate(range: Immediate, choice: u16) -> i64 {
    match range {
        Immediate::Multiples { step, min, max } => {
            min + i64::from(choice) % ((max - min) / step + 1) * step
        }
        Immediate::OneOf(values) => values[usize::from(choice) % values.len()],
    }
}

/// An op with legal operands from pools of `pool` registers.
pub fn legal_op(op: Mnemonic, slot: u32, choices: &[u16; 7], pool: u32) -> SlotOp {
    let row = row(op).unwrap();
    let mut ranges = row.immediates.iter();
    let operands = row
        .family
        .operands
        .iter()
        .zip(choices)
        .map(|(operand, &choice)| match operand.kind {
            OperandKind::Reg(class) => {
                Operand::Reg(class, u32::from(choice) % pool.min(class.entries()))
            }
            OperandKind::Imm => Operand::Imm(legal_immediate(*ranges.next().unwrap(), choice)),
        })
        .collect();
    SlotOp { slot, op: OpWord::Known(op), operands }
}

/// Registers that an op defines, twice if it defines one twice.
pub fn definitions(op: &SlotOp, row: &Row) -> Vec<(RegClass, u32)> {
    row.postings(LatCrossbar::Seed)
        .iter()
        .filter(|posting| posting.role == Role::Def)
        .map(|posting| match op.operands[posting.position.unwrap()] {
            Operand::Reg(class, index) => (class, index),
            _ => panic!("a definition names a register"),
        })
        .collect()
}

fn registers(op: &SlotOp) -> Vec<(RegClass, u32)> {
    let register = |operand: &Operand| match operand {
        Operand::Reg(class, index) => Some((*class, *index)),
        _ => None,
    };
    op.operands.iter().filter_map(register).collect()
}

/// A legal bundle; if `taken` is given, none of its ops names a register of it, and its own are
/// added.
fn legal_bundle(
    choice: &BundleChoice,
    pool: u32,
    taken: Option<&mut HashSet<(RegClass, u32)>>,
) -> Bundle {
    let avoid = taken.as_deref().cloned().unwrap_or_default();
    let format = *choice.format.get(Format::ALL);
    let mut bundle = Bundle { format: FormatWord::Known(format), ops: Vec::new() };
    let (mut defined, mut copies, mut stores) = (HashSet::new(), 0, 0);
    for (slot, choice) in choice.slots.iter().enumerate().take(format.slots().len()) {
        let ops = ops_of_slot(format, slot);
        if !choice.filled || ops.is_empty() {
            continue;
        }
        let mnemonic = *choice.op.get(ops);
        let row = row(mnemonic).unwrap();
        let op = legal_op(mnemonic, slot as u32, &choice.operands, pool);
        let memory = row.family.memory;
        let own = definitions(&op, row);
        let twice = own.iter().collect::<HashSet<_>>().len() < own.len()
            || own.iter().any(|register| defined.contains(register));
        let ports = copies + memory.copies() > 2 || stores + u8::from(memory.is_store()) > 1;
        let shared = registers(&op).iter().any(|register| avoid.contains(register));
        if twice || ports || shared {
            continue;
        }
        defined.extend(own);
        copies += memory.copies();
        stores += u8::from(memory.is_store());
        bundle.ops.push(op);
    }
    if let Some(taken) = taken {
        taken.extend(bundle.ops.iter().flat_map(registers));
    }
    bundle
}
