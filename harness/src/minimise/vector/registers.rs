//! Passes over operands: registers renamed to the lowest ones, in the program and in the state at
//! once, and immediates toward zero.

use super::super::edit::{Edit, Edits, edit};
use super::state::{class_of, with_index};
use contract::bundle::Operand;
use contract::case::VectorCase;
use contract::isa::RegClass;
use std::collections::BTreeMap;

/// All registers of all classes in the order of their first use, then one class, then one register
/// in the place of a lower one that nobody uses.
pub(super) fn lowest_registers(case: &VectorCase) -> Edits<'_, VectorCase> {
    let all = edit(|case: &mut VectorCase| {
        RegClass::ALL.iter().for_each(|&class| renumber(case, class));
    });
    let classes =
        RegClass::ALL.iter().map(|&class| edit(move |case: &mut VectorCase| renumber(case, class)));
    let single = RegClass::ALL.iter().flat_map(move |&class| {
        let used = used(case, class);
        let mut pairs = Vec::new();
        for &index in &used {
            let free = (0..index).filter(|lower| !used.contains(lower));
            pairs.extend(free.map(|lower| (index, lower)));
        }
        pairs.into_iter().map(move |(index, lower)| {
            edit(move |case: &mut VectorCase| exchange(case, class, index, lower))
        })
    });
    Box::new(std::iter::once(all).chain(classes).chain(single))
}

/// Gives one of two operands of an operation that are the same register a register of its own with the
/// same value: one that is read and written, or read twice, is hard to follow. A result is also renamed
/// where later bundles name it.
pub(super) fn separate_registers(case: &VectorCase) -> Edits<'_, VectorCase> {
    let mut edits: Vec<Edit<'_, VectorCase>> = Vec::new();
    for (at, op, place, class, index) in aliases(case) {
        let used = used(case, class);
        let Some(fresh) = (0..class.entries()).find(|index| !used.contains(index)) else {
            continue;
        };
        let copied = move |case: &mut VectorCase| {
            let value = case.state.iter().find(|value| class_of(value) == Some((class, index)));
            if let Some(copy) = value.map(|value| with_index(value, fresh)) {
                case.state.push(copy);
            }
        };
        for later in [false, true] {
            edits.push(edit(move |case: &mut VectorCase| {
                copied(case);
                case.program[at].ops[op].operands[place] = Operand::Reg(class, fresh);
                let behind = case.program.iter_mut().skip(if later { at + 1 } else { usize::MAX });
                for operand in
                    behind.flat_map(|bundle| &mut bundle.ops).flat_map(|op| &mut op.operands)
                {
                    if *operand == Operand::Reg(class, index) {
                        *operand = Operand::Reg(class, fresh);
                    }
                }
            }));
        }
    }
    Box::new(edits.into_iter())
}

/// Operands that are the register of another operand of their operation: bundle, operation, place, class
/// and index. Of two that are the same both are listed.
fn aliases(case: &VectorCase) -> Vec<(usize, usize, usize, RegClass, u32)> {
    let mut found = Vec::new();
    for (at, bundle) in case.program.iter().enumerate() {
        for (op, slot) in bundle.ops.iter().enumerate() {
            for (place, operand) in slot.operands.iter().enumerate() {
                let Operand::Reg(class, index) = *operand else { continue };
                if slot.operands.iter().filter(|other| *other == operand).count() > 1 {
                    found.push((at, op, place, class, index));
                }
            }
        }
    }
    found
}

/// Number of operands that are the register of another operand of their operation.
pub(super) fn alias_count(case: &VectorCase) -> usize {
    aliases(case).len()
}

/// Indices of a class in the order in which the program, then the state, names them.
pub(in super::super) fn used(case: &VectorCase, class: RegClass) -> Vec<u32> {
    let operands = case.program.iter().flat_map(|bundle| &bundle.ops).flat_map(|op| &op.operands);
    let named = operands.filter_map(|operand| match operand {
        Operand::Reg(of, index) if *of == class => Some(*index),
        _ => None,
    });
    let given = case.state.iter().filter_map(class_of).filter(|&(of, _)| of == class);
    let mut used = Vec::new();
    for index in named.chain(given.map(|(_, index)| index)) {
        if !used.contains(&index) {
            used.push(index);
        }
    }
    used
}

/// Numbers the registers of a class in the order of their first use.
fn renumber(case: &mut VectorCase, class: RegClass) {
    let order = used(case, class);
    let names = order.into_iter().enumerate().map(|(new, old)| (old, new as u32)).collect();
    rename(case, class, &names);
}

/// Exchanges two registers of a class.
pub(in super::super) fn exchange(case: &mut VectorCase, class: RegClass, a: u32, b: u32) {
    rename(case, class, &BTreeMap::from([(a, b), (b, a)]));
}

/// Renames registers in the program and in the state.
fn rename(case: &mut VectorCase, class: RegClass, names: &BTreeMap<u32, u32>) {
    let new = |index: u32| names.get(&index).copied().unwrap_or(index);
    let ops = case.program.iter_mut().flat_map(|bundle| &mut bundle.ops);
    for operand in ops.flat_map(|op| &mut op.operands) {
        if let Operand::Reg(of, index) = operand
            && *of == class
        {
            *index = new(*index);
        }
    }
    for value in &mut case.state {
        if let Some((of, index)) = class_of(value)
            && of == class
        {
            *value = with_index(value, new(index));
        }
    }
}

/// Each immediate toward zero: zero, one, a multiple of 64, half, one nearer.
pub(super) fn simpler_immediates(case: &VectorCase) -> Edits<'_, VectorCase> {
    let mut immediates = Vec::new();
    for (at, bundle) in case.program.iter().enumerate() {
        for (op, slot) in bundle.ops.iter().enumerate() {
            for (place, operand) in slot.operands.iter().enumerate() {
                if let Operand::Imm(value) = operand {
                    immediates.push((at, op, place, *value));
                }
            }
        }
    }
    Box::new(immediates.into_iter().flat_map(|(at, op, place, value)| {
        let magnitude = value.saturating_abs();
        let candidates = [0, 1, -1, magnitude, value / 64 * 64, value / 2, value - value.signum()];
        candidates.into_iter().map(move |simpler| {
            edit(move |case: &mut VectorCase| {
                case.program[at].ops[op].operands[place] = Operand::Imm(simpler);
            })
        })
    }))
}
