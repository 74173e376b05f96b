//! Simpler dtypes. Everything of one dtype that lives in some regions becomes another dtype at once:
//! the fields that name it, the layout of the regions (elements grow or shrink, addresses follow) and
//! the values.

use super::super::edit::{Edit, Edits, edit};
use super::super::element::{self, decode, encode};
use super::super::operand::{Holder, Operand, Place, operands, readdress};
use super::super::preference::ranking;
use super::super::record::{Part, Role, layout_of, members};
use super::memory::end_of_regions;
use contract::case::TensorCase;
use contract::isa::Dtype;
use contract::state::{Region, Space};

/// What becomes of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Carry {
    /// The number is kept, as well as the dtype can.
    Number,
    /// The low bits are kept.
    Bits,
}

/// Dtypes toward the simple ones: all of the case, all of one kind, one region, one field.
pub(super) fn simpler_dtypes(case: &TensorCase) -> Edits<'_, TensorCase> {
    let mut from: Vec<Dtype> = operands(case).iter().map(|operand| operand.dtype).collect();
    from.sort();
    from.dedup();
    let mut scopes: Vec<(Option<Dtype>, Option<usize>)> = Vec::new();
    if from.len() > 1 {
        scopes.push((None, None));
    }
    scopes.extend(from.into_iter().map(|dtype| (Some(dtype), None)));
    scopes.extend((0..case.memory.len()).map(|region| (None, Some(region))));
    let regions = scopes.into_iter().flat_map(|(from, region)| {
        simple_dtypes().into_iter().flat_map(move |to| {
            [Carry::Number, Carry::Bits].map(|carry| {
                edit(move |case: &mut TensorCase| retype(case, from, region, to, carry))
            })
        })
    });
    Box::new(regions.chain(fields(case)))
}

/// Dtypes with elements of whole bytes, simplest first.
fn simple_dtypes() -> Vec<Dtype> {
    let field = super::super::record::Field {
        name: "in_dtype",
        offset: 0,
        size: 1,
        part: Part::Whole,
        role: Role::Dtype,
    };
    ranking(&[0; 64], &field)
        .into_iter()
        .filter_map(|wire| Dtype::from_wire(wire as u8))
        .filter(|dtype| dtype.storage_bytes() > 0)
        .collect()
}

/// Single dtype fields, nothing else changed; then all dtype fields of a record.
fn fields(case: &TensorCase) -> impl Iterator<Item = Edit<'_, TensorCase>> {
    let all = (0..case.program.len()).flat_map(|step| {
        simple_dtypes().into_iter().map(move |to| {
            edit(move |case: &mut TensorCase| {
                let record = &mut case.program[step];
                let Some(layout) = layout_of(record) else { return };
                for field in layout.fields.iter().filter(|field| field.role == Role::Dtype) {
                    field.set(record, to.wire().into());
                }
            })
        })
    });
    let each = case.program.iter().enumerate().flat_map(|(step, record)| {
        let fields = layout_of(record).map_or(&[][..], |layout| &layout.fields);
        fields.iter().filter(|field| field.role == Role::Dtype).flat_map(move |field| {
            let value = field.get(record);
            let ranked =
                ranking(record, field).into_iter().take_while(move |&other| other != value);
            ranked.map(move |simpler| {
                edit(move |case: &mut TensorCase| field.set(&mut case.program[step], simpler))
            })
        })
    });
    debug_assert!(!members(Role::Dtype).is_empty());
    all.chain(each)
}

/// Makes every pattern with dtype `from` (any if `None`) in `region` (everywhere if `None`) a pattern
/// of dtype `to`. Regions with elements of several widths, or that pointers read, stay.
pub(in super::super) fn retype(
    case: &mut TensorCase,
    from: Option<Dtype>,
    region: Option<usize>,
    to: Dtype,
    carry: Carry,
) {
    let operands = operands(case);
    let wanted = |operand: &Operand| from.is_none_or(|from| operand.dtype == from);
    let mut changed: Vec<&Operand> = Vec::new();
    for index in 0..case.memory.len() {
        if region.is_some_and(|region| region != index) {
            continue;
        }
        let here = &case.memory[index];
        let inside: Vec<_> = operands.iter().filter(|operand| operand.touches(here)).collect();
        let Some(first) = inside.first() else { continue };
        let width = first.width();
        let uniform = inside.iter().all(|operand| {
            wanted(operand)
                && operand.dtype == first.dtype
                && operand.starts_in(here)
                && (operand.start.offset - here.offset).is_multiple_of(width)
                && matches!(operand.holder, Holder::Pattern { .. })
        });
        if !uniform {
            continue;
        }
        changed.extend(inside.iter().copied());
        let offset = match u32::from(to.storage_bytes()) == width {
            true => here.offset,
            false => end_of_regions(case),
        };
        let here = case.memory[index].clone();
        let new = converted(&here, offset, first.dtype, to, carry);
        for operand in inside {
            let elements = (operand.start.offset - here.offset) / width;
            let offset = new.offset + elements * u32::from(to.storage_bytes());
            let start = Place { space: new.space, offset, ..operand.start };
            let Some(word) = start.word(case.generation) else { return };
            readdress(case, operand.holder, word);
        }
        case.memory[index] = new;
    }
    for operand in changed {
        set_dtype(case, operand, to);
    }
}

fn set_dtype(case: &mut TensorCase, operand: &Operand, to: Dtype) {
    if let Holder::Pattern { step, pattern } = operand.holder {
        let record = &mut case.program[step];
        if let Some(layout) = layout_of(record) {
            let field = &layout.fields[layout.patterns[pattern].dtype];
            field.set(record, to.wire().into());
        }
    }
}

/// The region with its elements in another dtype, in the state buffer or where it was.
fn converted(region: &Region, offset: u32, from: Dtype, to: Dtype, carry: Carry) -> Region {
    let (old, new) = (usize::from(from.storage_bytes()).max(1), usize::from(to.storage_bytes()));
    let moved = offset != region.offset;
    let mut data = Vec::new();
    let elements = region.stride as usize / old;
    for row in region.data.chunks_exact(region.stride as usize) {
        for bytes in row.chunks_exact(old) {
            let bits = element::load(bytes);
            let number = || decode(from, bits).and_then(|number| encode(to, number));
            let value = match carry {
                Carry::Number => number().unwrap_or(bits),
                Carry::Bits => bits,
            };
            let at = data.len();
            data.resize(at + new, 0);
            element::store(&mut data[at..], value);
        }
    }
    Region {
        space: if moved { Space::Sbuf } else { region.space },
        offset,
        stride: (elements * new) as u32,
        data,
        ..*region
    }
}
