//! Passes over the program: bundles, operations, formats, and registers that a value only passes
//! through.

use super::super::edit::{Edit, Edits, chunks, edit};
use contract::bundle::{Bundle, FormatWord, Operand};
use contract::case::VectorCase;
use contract::isa::{Format, RegClass};
use std::rc::Rc;

/// Formats from the one that a reader knows best.
pub(in super::super) const FORMATS: [Format; 12] = [
    Format::F0,
    Format::N2,
    Format::N0,
    Format::N1,
    Format::X1,
    Format::F1,
    Format::F2,
    Format::F3,
    Format::F4,
    Format::F6,
    Format::F7,
    Format::F11,
];

/// Empties chunks of bundles; the formats stay.
pub(super) fn empty_bundles(case: &VectorCase) -> Edits<'_, VectorCase> {
    picked(case, |bundle| !bundle.ops.is_empty(), |case, at| case.program[at].ops.clear())
}

/// Deletes chunks of empty bundles.
pub(super) fn drop_empty_bundles(case: &VectorCase) -> Edits<'_, VectorCase> {
    picked(
        case,
        |bundle| bundle.ops.is_empty(),
        |case, at| {
            case.program.remove(at);
        },
    )
}

/// Does something to chunks of the bundles that are picked, last first.
fn picked(
    case: &VectorCase,
    pick: fn(&Bundle) -> bool,
    change: fn(&mut VectorCase, usize),
) -> Edits<'_, VectorCase> {
    let all = case.program.iter().enumerate().filter(move |(_, bundle)| pick(bundle));
    let all: Rc<[usize]> = all.map(|(at, _)| at).collect();
    Box::new(chunks(all.len()).map(move |chunk| {
        let all = Rc::clone(&all);
        edit(move |case: &mut VectorCase| {
            all[chunk].iter().rev().for_each(|&at| change(case, at));
        })
    }))
}

/// Leaves out single operations.
pub(super) fn drop_operations(case: &VectorCase) -> Edits<'_, VectorCase> {
    Box::new(operations(case).map(|(at, op)| {
        edit(move |case: &mut VectorCase| {
            case.program[at].ops.remove(op);
        })
    }))
}

/// Every operation: bundle, place in the bundle.
fn operations(case: &VectorCase) -> impl Iterator<Item = (usize, usize)> {
    let bundles = case.program.iter().enumerate();
    bundles.flat_map(|(at, bundle)| (0..bundle.ops.len()).map(move |op| (at, op)))
}

/// Leaves out an operation and lets everything behind it use another operand of the same class where
/// it used the first.
pub(super) fn bypass_registers(case: &VectorCase) -> Edits<'_, VectorCase> {
    Box::new(operations(case).flat_map(move |(at, op)| {
        let operands = &case.program[at].ops[op].operands;
        let registers: Vec<(RegClass, u32)> = operands
            .iter()
            .filter_map(|operand| match operand {
                Operand::Reg(class, index) => Some((*class, *index)),
                _ => None,
            })
            .collect();
        let pairs = registers.iter().flat_map(|&result| {
            let sources = registers.iter().filter(move |source| source.0 == result.0);
            sources.filter(move |&&source| source != result).map(move |&source| (result, source))
        });
        let pairs: Vec<_> = pairs.collect();
        pairs.into_iter().map(move |((class, result), (_, source))| {
            edit(move |case: &mut VectorCase| {
                case.program[at].ops.remove(op);
                for bundle in &mut case.program[at + 1..] {
                    for operand in bundle.ops.iter_mut().flat_map(|op| &mut op.operands) {
                        if *operand == Operand::Reg(class, result) {
                            *operand = Operand::Reg(class, source);
                        }
                    }
                }
            })
        })
    }))
}

/// Gives every operation of a bundle a bundle of its own, in slot order or against it; or takes one
/// operation out in front or behind.
pub(super) fn split_bundles(case: &VectorCase) -> Edits<'_, VectorCase> {
    let shared = case.program.iter().enumerate().filter(|(_, bundle)| bundle.ops.len() > 1);
    Box::new(shared.flat_map(|(at, bundle)| {
        let whole = [false, true].into_iter().map(move |reversed| {
            edit(move |case: &mut VectorCase| {
                let bundle = case.program.remove(at);
                let mut parts: Vec<_> = bundle
                    .ops
                    .into_iter()
                    .map(|op| Bundle { format: bundle.format.clone(), ops: vec![op] })
                    .collect();
                if reversed {
                    parts.reverse();
                }
                case.program.splice(at..at, parts);
            })
        });
        let single = (0..bundle.ops.len()).flat_map(move |op| {
            [at, at + 1].map(|to| {
                edit(move |case: &mut VectorCase| {
                    let format = case.program[at].format.clone();
                    let op = case.program[at].ops.remove(op);
                    case.program.insert(to, Bundle { format, ops: vec![op] });
                })
            })
        });
        whole.chain(single)
    }))
}

/// Simpler formats, operations in their slots; a lone operation in any slot. An operation that may
/// not stand there makes the bundle illegal, which is another divergence.
pub(super) fn simpler_formats(case: &VectorCase) -> Edits<'_, VectorCase> {
    Box::new(case.program.iter().enumerate().flat_map(|(at, bundle)| {
        let format = bundle.format.clone();
        let simpler =
            FORMATS.into_iter().take_while(move |&other| format != FormatWord::Known(other));
        simpler.flat_map(move |format| {
            with_format(bundle, format).into_iter().map(move |bundle| {
                let change: Edit<'_, VectorCase> = edit(move |case: &mut VectorCase| {
                    case.program[at] = bundle;
                });
                change
            })
        })
    }))
}

/// The bundle in another format: operations in their slots, then, for a lone one, in every slot.
pub(in super::super) fn with_format(bundle: &Bundle, format: Format) -> Vec<Bundle> {
    let same = Bundle { format: FormatWord::Known(format), ops: bundle.ops.clone() };
    let mut bundles = vec![same];
    if let [op] = &bundle.ops[..] {
        for slot in (0..format.slots().len() as u32).filter(|&slot| slot != op.slot) {
            let mut op = op.clone();
            op.slot = slot;
            bundles.push(Bundle { format: FormatWord::Known(format), ops: vec![op] });
        }
    }
    bundles
}
