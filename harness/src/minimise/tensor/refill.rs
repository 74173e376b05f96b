//! One or two elements with other values. A fault that only a sum of many elements shows may be shown
//! by one element of the right value; single reductions do not find it, since the many have to go and
//! the one has to change at once.

use super::super::cell::Cell as _;
use super::super::edit::{Edits, edit};
use super::super::element::{decode, encode, load, store};
use super::super::operand::{Holder, Operand, operands};
use super::super::record::layout_of;
use super::counts::{drop_indices, groups, single_elements};
use super::values::words;
use contract::case::TensorCase;
use contract::isa::Dtype;
use contract::state::Region;

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
    let combined = combined(case);
    Box::new(groups.into_iter().flat_map(move |(count, group)| {
        let singles: Vec<_> = combined.iter().copied().chain(ELEMENTS).collect();
        let singles = singles.into_iter().map(|value| (1, [value; 2]));
        let pairs = ELEMENTS
            .into_iter()
            .flat_map(|even| ELEMENTS.into_iter().map(move |odd| (2, [even, odd])));
        let fills = singles.chain(pairs).filter(move |&(few, _)| few < count);
        fills.flat_map(move |(few, values)| {
            let group = group.clone();
            IMMEDIATES.into_iter().map(move |immediate| {
                let group = group.clone();
                edit(move |case: &mut TensorCase| {
                    match few {
                        1 => single_elements(case, 0..case.program.len()),
                        _ => drop_indices(case, &group, few..count),
                    }
                    fill(case, values);
                    immediate.into_iter().for_each(|value| fill_immediates(case, value));
                })
            })
        })
    }))
}

/// Elements whose sums are tried.
const MOST_SUMMED: usize = 16;

/// What the first elements of the first source may have come to: sums of the first few, differences,
/// products, also with the first immediate. A combination that was on the way may do alone.
fn combined(case: &TensorCase) -> Vec<f64> {
    let operands = operands(case);
    let first = case.memory.iter().find_map(|region| {
        let (source, lead) = source_in(case, &operands, region)?;
        let row = region.data.chunks_exact(region.stride as usize).next()?;
        let elements = row.get(lead..)?.chunks_exact(source.width() as usize);
        let numbers = elements.filter_map(|bytes| decode(source.dtype, load(bytes)));
        Some(numbers.take(MOST_SUMMED).collect::<Vec<_>>())
    });
    let first = first.unwrap_or_default();
    let mut combined = Vec::new();
    let mut sum = 0.0;
    for number in &first {
        sum += number;
        combined.push(sum);
    }
    let immediate = words(case).first().and_then(|cell| decode(Dtype::Fp32, cell.value(case)));
    if let [a, b, ..] = first[..] {
        combined.extend([a - b, b - a, a * b, b]);
    }
    if let (Some(&a), Some(immediate)) = (first.first(), immediate) {
        combined.extend([a + immediate, a - immediate, immediate - a, a * immediate, immediate]);
    }
    combined.retain(|number| number.is_finite());
    combined
}

/// The first source that starts in a region, and the bytes before its grid.
fn source_in<'a>(
    case: &TensorCase,
    operands: &'a [Operand],
    region: &Region,
) -> Option<(&'a Operand, usize)> {
    let source = operands.iter().find(|operand| {
        operand.starts_in(region)
            && match operand.holder {
                Holder::Pattern { step, pattern } => {
                    let layout = layout_of(&case.program[step]);
                    layout.is_some_and(|layout| !layout.patterns[pattern].writes)
                }
                _ => false,
            }
    })?;
    Some((source, (source.start.offset - region.offset) as usize % source.width() as usize))
}

/// Sets the elements of every region that a source reads, in turn.
fn fill(case: &mut TensorCase, values: [f64; 2]) {
    let operands = operands(case);
    for index in 0..case.memory.len() {
        let Some((source, lead)) = source_in(case, &operands, &case.memory[index]) else {
            continue;
        };
        let width = source.width() as usize;
        let region = &mut case.memory[index];
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
