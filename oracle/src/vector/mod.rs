//! The vector unit's values (spec 04): what a legal bundle does to registers and memory.
//!
//! [`execute`] takes a bundle that the rules of spec 05 section 6 have accepted and carries out the
//! rest of the order of judgement (spec 04 section 3, rule 7): coprocessor gate, ops without values,
//! memory faults, effects. The ops live in one file per family of the chapter, each a list of rows
//! *mnemonic → function with its widths*; a new mnemonic is one more row. `lanes` holds the
//! chapter's notation, `operation` what an op reads and writes. Legality and schedules are none of
//! this room's business.

mod align;
mod alu;
mod compare;
mod crossbar;
mod lanes;
mod memory;
mod moves;
mod multiply;
mod numeric_fold;
mod operation;
mod patterns;
mod reduce;
mod replicate;
mod scalar;
mod shift;
mod vbool;

use contract::bundle::{Bundle, OpWord, SlotOp};
use contract::isa::Mnemonic;
use contract::outcome::{FaultReason, VectorStep};
use contract::state::VectorState;
use operation::{Effects, MemoryFault, Operation};
use std::sync::LazyLock;

/// How an op is carried out.
#[derive(Clone, Copy)]
enum Run {
    /// Registers only: cannot fault.
    Registers(fn(&mut Operation<'_>)),
    /// Accesses memory.
    Memory(fn(&mut Operation<'_>) -> Result<(), MemoryFault>),
}

/// One row of a family: a mnemonic and how it is carried out.
struct Row {
    name: &'static str,
    run: Run,
}

/// The row of an op that touches registers only.
const fn registers(name: &'static str, run: fn(&mut Operation<'_>)) -> Row {
    Row { name, run: Run::Registers(run) }
}

/// The row of an op that accesses memory.
const fn accesses(
    name: &'static str,
    run: fn(&mut Operation<'_>) -> Result<(), MemoryFault>,
) -> Row {
    Row { name, run: Run::Memory(run) }
}

/// Every family.
const FAMILIES: &[&[Row]] = &[
    align::ROWS,
    memory::ROWS,
    crossbar::ROWS,
    replicate::ROWS,
    moves::ROWS,
    shift::ROWS,
    reduce::ROWS,
    numeric_fold::ROWS,
    alu::ROWS,
    compare::ROWS,
    vbool::ROWS,
    multiply::ROWS,
    scalar::ROWS,
];

/// Ops that pass with the coprocessor disabled (section 3 rule 1, chapter 09 G-54).
const UNGATED: &[&str] = &[
    "NOP",
    "MOVI",
    "ADDI",
    "ADD",
    "SUB",
    "AND",
    "OR",
    "XOR",
    "MUL16S",
    "MULL",
    "L32I",
    "S32I",
    "SCATTERW",
    "ADDMOD16U",
];

/// What the judgement of a bundle needs to know of a mnemonic.
#[derive(Clone, Copy)]
struct Entry {
    gated: bool,
    /// `None`: an op without values, or of a chapter that this model does not implement.
    run: Option<Run>,
}

/// The families' rows, resolved once: indexed by [`Mnemonic::index`].
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = vec![Entry { gated: true, run: None }; Mnemonic::count()];
    for name in UNGATED {
        if let Some(mnemonic) = Mnemonic::from_name(name) {
            entries[mnemonic.index()].gated = false;
        }
    }
    for row in FAMILIES.iter().copied().flatten() {
        if let Some(mnemonic) = Mnemonic::from_name(row.name) {
            entries[mnemonic.index()].run = Some(row.run);
        }
    }
    entries
});

/// Bit of `CPENABLE` that enables the vector unit (section 2).
const VECTOR_UNIT: u8 = 1 << 1;

/// Executes a legal bundle: gate, ops without values, memory faults, effects, in that order
/// (spec 04 section 3 rule 7). A bundle that is not accepted leaves the state alone.
///
/// Of an illegal bundle the answer means nothing; words that are no mnemonic are passed over.
pub fn execute(state: &mut VectorState, bundle: &Bundle) -> VectorStep {
    if state.cpenable & VECTOR_UNIT == 0 && ops(bundle).any(|(_, _, entry)| entry.gated) {
        return VectorStep::Fault(FaultReason::Coprocessor1Exception, None);
    }
    let without_values =
        ops(bundle).filter(|(_, _, entry)| entry.run.is_none()).min_by_key(|(op, _, _)| op.slot);
    if let Some((_, mnemonic, _)) = without_values {
        return VectorStep::Unsupported(mnemonic);
    }
    match effects(state, bundle) {
        Ok(effects) => {
            effects.apply(state);
            VectorStep::Accept
        }
        Err(fault) => {
            let (reason, address) = fault.report();
            VectorStep::Fault(reason, Some(address))
        }
    }
}

/// The named ops of a bundle with their entries.
fn ops(bundle: &Bundle) -> impl Iterator<Item = (&SlotOp, Mnemonic, Entry)> {
    bundle.ops.iter().filter_map(|op| match op.op {
        OpWord::Known(mnemonic) => Some((op, mnemonic, ENTRIES[mnemonic.index()])),
        OpWord::Unknown(_) => None,
    })
}

/// Every write of the bundle, all operands and memory read from `state`; or the fault of the lowest
/// faulting slot (section 2.3, V-38).
fn effects(state: &VectorState, bundle: &Bundle) -> Result<Effects, MemoryFault> {
    let mut effects = Effects::new();
    let mut lowest: Option<(u32, MemoryFault)> = None;
    for (op, _, entry) in ops(bundle) {
        let mut operation = Operation::new(state, &op.operands, &mut effects);
        match entry.run {
            Some(Run::Registers(run)) => run(&mut operation),
            Some(Run::Memory(run)) => {
                if let Err(fault) = run(&mut operation)
                    && lowest.is_none_or(|(slot, _)| op.slot < slot)
                {
                    lowest = Some((op.slot, fault));
                }
            }
            None => {}
        }
    }
    match lowest {
        Some((_, fault)) => Err(fault),
        None => Ok(effects),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Chapters whose ops have values here.
    const CHAPTERS: &[u8] = &[4];

    #[test]
    fn every_mnemonic_of_an_implemented_chapter_has_exactly_one_row() {
        let mut seen = HashSet::new();
        for row in FAMILIES.iter().copied().flatten() {
            let mnemonic = Mnemonic::from_name(row.name);
            assert!(mnemonic.is_some_and(|m| m.name() == row.name), "{} is no mnemonic", row.name);
            assert!(seen.insert(row.name), "{} has two rows", row.name);
        }
        for mnemonic in Mnemonic::all() {
            let expected = CHAPTERS.contains(&mnemonic.info().chapter);
            assert_eq!(seen.contains(mnemonic.name()), expected, "{mnemonic}");
        }
    }

    #[test]
    fn every_ungated_name_is_a_mnemonic() {
        for name in UNGATED {
            assert!(Mnemonic::from_name(name).is_some(), "{name}");
        }
    }
}
