//! One or two elements with other values. A fault that only a sum of many elements shows may be shown
//! by one element of the right value; single reductions do not find it, since the many have to go and
//! the one has to change at once.

use super::super::cell::Cell as _;
use super::super::edit::{Edits, edit};
use super::super::element::{encode, load, store};
use super::super::operand::{Holder, operands};
use super::super::record::layout_of;
use super::shape::{drop_indices, groups};
use super::values::words;
use contract::case::TensorCase;
use contract::isa::Dtype;

/// Values of elements, simple before odd.
const ELEMENTS: [f64; 9] = [1.0, -1.0, 0.0, 2.0, 1.5, 0.5, -2.0, 3.0, f64::MAX];
/// Values of inline immediates; `None` keeps them.
const IMMEDIATES: [Option<f64>; 5] = [None, Some(1.0), Some(0.0), Some(0.5), Some(-1.0)];

/// The pass; see the module.
pub(super) fn fewer_other_elements(case: &TensorCase) -> Edits<'_, TensorCase> {
    let mut seen = Vec::new();
    // The first set of a count is the largest.
    let mut groups = groups(case);
    groups.retain(|(count, _)| {
        let first = !seen.contains(count);
        seen.push(*count);
        first
    });
    Box::new(groups.into_iter().flat_map(|(count, group)| {
        let singles = ELEMENTS.into_iter().map(|value| (1, [value; 2]));
        let pairs = ELEMENTS
            .into_iter()
            .flat_map(|even| ELEMENTS.into_iter().map(move |odd| (2, [even, odd])));
        let fills = singles.chain(pairs).filter(move |&(few, _)| few < count);
        fills.flat_map(move |(few, values)| {
            let group = group.clone();
            IMMEDIATES.into_iter().map(move |immediate| {
                let group = group.clone();
                edit(move |case: &mut TensorCase| {
                    drop_indices(case, &group, few..count);
                    fill(case, values);
                    immediate.into_iter().for_each(|value| fill_immediates(case, value));
                })
            })
        })
    }))
}

/// Sets the elements of every region that a source reads, in turn.
fn fill(case: &mut TensorCase, values: [f64; 2]) {
    let operands = operands(case);
    for region in &mut case.memory {
        let source = operands.iter().find(|operand| {
            operand.starts_in(region)
                && match operand.holder {
                    Holder::Pattern { step, pattern } => {
                        let layout = layout_of(&case.program[step]);
                        layout.is_some_and(|layout| !layout.patterns[pattern].writes)
                    }
                    _ => false,
                }
        });
        let Some(source) = source else { continue };
        let width = source.width() as usize;
        let lead = (source.start.offset - region.offset) as usize % width;
        for row in region.data.chunks_exact_mut(region.stride as usize) {
            for (index, element) in row[lead..].chunks_exact_mut(width).enumerate() {
                let bits = encode(source.dtype, values[index % 2]).unwrap_or(load(element));
                store(element, bits);
            }
        }
    }
}

fn fill_immediates(case: &mut TensorCase, value: f64) {
    for cell in words(case) {
        let dtype = if cell.encoding().is_float() { Dtype::Fp32 } else { Dtype::Int32 };
        if let Some(bits) = encode(dtype, value) {
            cell.set(case, bits);
        }
    }
}
