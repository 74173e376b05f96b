//! Properties of tensor cases: generation, fields of the records, channel and element counts,
//! immediates, elements of sources, switches.

use super::samples::{self, CHANNELS, ELEMENTS, PLAIN};
use super::{Kind, Property, Scale, Trial, switches};
use crate::minimise::cell::Cell;
use crate::minimise::edit::edit;
use crate::minimise::operand::{Holder, Operand, Place, operands};
use crate::minimise::record::{Field, Role, layout_of, members};
use crate::minimise::tensor::{
    Carry, cells, end_of_regions, move_region, move_to_generation, retype, words,
};
use contract::case::TensorCase;
use contract::isa::{Dtype, Generation};
use contract::state::{Region, Space};

/// Elements of sources that get a property each.
const MOST_ELEMENTS: usize = 16;

/// Bytes of zeros that a source is given at most.
const MOST_FURNISHED: usize = 1 << 16;

/// Every property; see the module.
pub(super) fn properties(case: &TensorCase) -> Vec<Property<'_, TensorCase>> {
    let mut properties = Vec::new();
    dtypes(case, &mut properties);
    fields(case, &mut properties);
    plain_fields(case, &mut properties);
    channels(case, &mut properties);
    element_count(case, &mut properties);
    properties.push(generation(case));
    immediates(case, &mut properties);
    elements(case, &mut properties);
    properties.extend(switches(case.profile, |case: &mut TensorCase| &mut case.profile));
    properties
}

/// Gives every source that lies outside all regions a region of zeros, which is what it reads; so its
/// elements can be varied, and what grows stays clear of it.
pub(super) fn furnish(case: &mut TensorCase) {
    for operand in operands(case) {
        let Holder::Pattern { step, pattern } = operand.holder else { continue };
        let writes =
            layout_of(&case.program[step]).is_none_or(|layout| layout.patterns[pattern].writes);
        let (partitions, stride) = (operand.partitions.len(), operand.bytes.len());
        if writes
            || case.memory.iter().any(|region| operand.touches(region))
            || partitions * stride > MOST_FURNISHED
        {
            continue;
        }
        case.memory.push(Region {
            space: operand.start.space,
            partition: operand.partitions.start,
            partitions: partitions as u32,
            offset: operand.bytes.start,
            stride: stride as u32,
            data: vec![0; partitions * stride],
        });
    }
}

/// A name, with the step if there are several.
fn named(case: &TensorCase, step: usize, name: &str) -> String {
    if case.program.len() > 1 { format!("step {step} {name}") } else { name.to_owned() }
}

fn generation(case: &TensorCase) -> Property<'_, TensorCase> {
    let trials = Generation::ALL.iter().map(|&generation| Trial {
        value: samples::name(generation.name()),
        ways: vec![
            edit(move |case: &mut TensorCase| move_to_generation(case, generation)),
            edit(move |case: &mut TensorCase| case.generation = generation),
        ],
    });
    Property {
        subject: "generation".to_owned(),
        kind: Kind::Telling,
        scale: Scale::Ages,
        current: samples::name(case.generation.name()),
        trials: trials.collect(),
    }
}

/// Dtypes that patterns have: with their elements converted, or the field alone. Where source and
/// destination agree, both together too.
fn dtypes<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    let all = operands(case);
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        let of_patterns: Vec<_> =
            layout.patterns.iter().filter_map(|at| layout.dtype(record, at.dtype)).collect();
        for field in layout.fields.iter().filter(|field| field.role == Role::Dtype) {
            let region = region_of_dtype(case, &all, step, field);
            let trials = whole_dtypes().map(|to| Trial {
                value: samples::name(to.name()),
                ways: vec![
                    edit(move |case: &mut TensorCase| {
                        if region.is_some() {
                            retype(case, None, region, to, Carry::Number);
                        }
                        field.set(&mut case.program[step], to.wire().into());
                    }),
                    edit(move |case: &mut TensorCase| {
                        field.set(&mut case.program[step], to.wire().into());
                    }),
                ],
            });
            properties.push(Property {
                subject: named(case, step, field.name),
                kind: Kind::Dtype,
                scale: Scale::Names,
                current: member(field, field.get(record)),
                trials: trials.collect(),
            });
        }
        let fields = layout.fields.iter().filter(|field| field.role == Role::Dtype).count();
        if let [first, others @ ..] = &of_patterns[..]
            && others.iter().all(|other| other == first)
            && !others.is_empty()
        {
            let from = *first;
            let trials = whole_dtypes().map(|to| Trial {
                value: samples::name(to.name()),
                ways: vec![edit(move |case: &mut TensorCase| {
                    retype(case, Some(from), None, to, Carry::Number);
                    let record = &mut case.program[step];
                    layout
                        .patterns
                        .iter()
                        .for_each(|at| layout.fields[at.dtype].set(record, to.wire().into()));
                })],
            });
            properties.push(Property {
                subject: named(case, step, "dtype of all operands"),
                kind: Kind::Joint(fields),
                scale: Scale::Names,
                current: samples::name(from.name()),
                trials: trials.collect(),
            });
        }
    }
}

/// Dtypes with elements of whole bytes.
fn whole_dtypes() -> impl Iterator<Item = Dtype> {
    Dtype::ALL.iter().copied().filter(|dtype| dtype.storage_bytes() > 0 && dtype.wire() < 0x10)
}

/// The region that holds the elements whose dtype the field gives.
fn region_of_dtype(
    case: &TensorCase,
    operands: &[Operand],
    step: usize,
    field: &Field,
) -> Option<usize> {
    let layout = layout_of(&case.program[step])?;
    let operand = operands.iter().find(|operand| match operand.holder {
        Holder::Pattern { step: at, pattern } if at == step => {
            layout.fields[layout.patterns[pattern].dtype].name == field.name
        }
        _ => false,
    })?;
    case.memory.iter().position(|region| operand.starts_in(region))
}

fn member(field: &Field, value: u64) -> super::Value {
    let known = members(field.role).into_iter().find(|&(wire, _)| wire == value);
    samples::name(known.map_or_else(|| format!("{value:#x}"), |(_, name)| name.to_owned()))
}

/// Fields that are enums: operators, commands, axes, selectors.
fn fields<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        for field in &layout.fields {
            let members = members(field.role);
            if members.is_empty() || field.role == Role::Dtype {
                continue;
            }
            let telling = matches!(field.role, Role::AluOp | Role::ReduceOp);
            let trials = members.into_iter().map(|(wire, name)| Trial {
                value: samples::name(name),
                ways: vec![edit(move |case: &mut TensorCase| {
                    field.set(&mut case.program[step], wire);
                })],
            });
            properties.push(Property {
                subject: named(case, step, field.name),
                kind: if telling { Kind::Operator } else { Kind::Ordinary },
                scale: Scale::Names,
                current: member(field, field.get(record)),
                trials: trials.collect(),
            });
        }
    }
}

/// Fields that are zero in a plain record and are not here: flags, event and reserved bytes.
fn plain_fields<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        for field in &layout.fields {
            let ordinary = if field.role == Role::WordLength { 16 } else { 0 };
            let value = field.get(record);
            if !matches!(field.role, Role::Plain | Role::WordLength) || value == ordinary {
                continue;
            }
            let room = u64::MAX >> (64 - 8 * field.size);
            let trials = PLAIN.iter().filter(|&&value| value <= room).map(|&value| Trial {
                value: samples::number(value),
                ways: vec![edit(move |case: &mut TensorCase| {
                    field.set(&mut case.program[step], value);
                })],
            });
            properties.push(Property {
                subject: named(case, step, field.name),
                kind: Kind::Telling,
                scale: Scale::Numbers,
                current: samples::number(value),
                trials: trials.collect(),
            });
        }
    }
}

/// The channel count, of all steps with the most channels together.
fn channels<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    let counts = case.program.iter().filter_map(|record| layout_of(record)?.channels(record));
    let Some(most) = counts.max() else { return };
    let trials = CHANNELS.iter().map(|&count| Trial {
        value: samples::number(count),
        ways: vec![edit(move |case: &mut TensorCase| set_channels(case, most, count as u32))],
    });
    properties.push(Property {
        subject: "channel count".to_owned(),
        kind: Kind::Telling,
        scale: Scale::Numbers,
        current: samples::number(most),
        trials: trials.collect(),
    });
}

/// Gives the steps with `old` channels another count and their regions as many rows; new rows repeat
/// the old ones.
fn set_channels(case: &mut TensorCase, old: u32, new: u32) {
    for record in &mut case.program {
        if let Some(layout) = layout_of(record)
            && layout.channels(record) == Some(old)
        {
            layout.set_channels(record, new);
        }
    }
    for region in case.memory.iter_mut().filter(|region| region.partitions == old) {
        let bytes = new as usize * region.stride as usize;
        region.data = region.data.iter().copied().cycle().take(bytes).collect();
        region.partitions = new;
    }
}

/// The element count of a one-step case whose patterns have one axis.
fn element_count<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    let [record] = &case.program[..] else { return };
    let Some(layout) = layout_of(record) else { return };
    let walks: Vec<_> = layout.patterns.iter().map(|pattern| pattern.read(record)).collect();
    let Some(most) = walks.iter().map(|walk| walk.elements()).max() else { return };
    if walks.iter().any(|walk| u64::from(walk.counts[0]) != walk.elements() || walk.steps[0] != 1) {
        return;
    }
    let trials = ELEMENTS.iter().map(|&count| Trial {
        value: samples::number(count),
        ways: vec![edit(move |case: &mut TensorCase| set_elements(case, most, count as u16))],
    });
    properties.push(Property {
        subject: "element count".to_owned(),
        kind: Kind::Telling,
        scale: Scale::Numbers,
        current: samples::number(most),
        trials: trials.collect(),
    });
}

/// Gives the patterns with `old` elements another count and their regions as many elements, new ones
/// repeating the old ones. The regions move behind all others.
fn set_elements(case: &mut TensorCase, old: u64, new: u16) {
    let Some(layout) = layout_of(&case.program[0]) else { return };
    for pattern in &layout.patterns {
        let mut walk = pattern.read(&case.program[0]);
        if walk.elements() == old {
            walk.counts[0] = new;
            pattern.write(&mut case.program[0], &walk);
        }
    }
    for index in 0..case.memory.len() {
        let all = operands(case);
        let region = &case.memory[index];
        let Some(operand) = all.iter().find(|operand| operand.starts_in(region)) else { continue };
        let width = operand.width();
        if region.stride != width * old as u32 {
            continue;
        }
        let offset = end_of_regions(case);
        let place = Place { space: Space::Sbuf, partition: region.partition, offset };
        move_region(case, index, place);
        let region = &mut case.memory[index];
        let stride = width * u32::from(new);
        let row =
            |row: &[u8]| -> Vec<u8> { row.iter().copied().cycle().take(stride as usize).collect() };
        let data = region.data.chunks_exact(region.stride as usize).flat_map(row).collect();
        *region = Region { stride, data, ..*region };
    }
}

/// Inline immediates.
fn immediates<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    for cell in words(case) {
        let Some((step, field)) = cell.record() else { continue };
        let Some(layout) = layout_of(&case.program[step]) else { continue };
        let dtype = samples::lane_dtype(cell.encoding());
        let bits = cell.value(case);
        properties.push(Property {
            subject: named(case, step, layout.fields[field].name),
            kind: if bits == 0 { Kind::Ordinary } else { Kind::Telling },
            scale: Scale::Numbers,
            current: samples::of_bits(dtype, bits),
            trials: values(dtype, cell),
        });
    }
}

fn values<'a, C: 'a, V: Cell<C> + 'a>(dtype: Dtype, cell: V) -> Vec<Trial<'a, C>> {
    let values = samples::of_dtype(dtype).into_iter();
    let trials = values.map(|(value, bits)| Trial {
        value,
        ways: vec![edit(move |case: &mut C| cell.set(case, bits))],
    });
    trials.collect()
}

/// The first elements of the regions that sources read.
fn elements<'a>(case: &'a TensorCase, properties: &mut Vec<Property<'a, TensorCase>>) {
    let all = operands(case);
    let mut room = MOST_ELEMENTS;
    for (index, region) in case.memory.iter().enumerate() {
        let Some((name, dtype)) = source_in(case, &all, region) else { continue };
        let stride = region.stride as usize;
        for cell in cells(region, index, &all).take(room) {
            room -= 1;
            // A cell of a region lies in memory.
            let (row, column) = cell.memory().map_or((0, 0), |(_, at)| (at / stride, at % stride));
            let element = column / cell.encoding().bytes;
            let channel =
                if region.partitions > 1 { format!(" of channel {row}") } else { String::new() };
            properties.push(Property {
                subject: format!("{name}element {element}{channel}"),
                kind: Kind::Element,
                scale: Scale::Numbers,
                current: samples::of_bits(dtype, cell.value(case)),
                trials: values(dtype, cell),
            });
        }
    }
}

/// The name and dtype of the first source that starts in the region; the name of a lone source is
/// left out.
fn source_in(case: &TensorCase, operands: &[Operand], region: &Region) -> Option<(String, Dtype)> {
    let mut sources = operands.iter().filter(|operand| operand.starts_in(region));
    sources.find_map(|operand| match operand.holder {
        Holder::Pattern { step, pattern } => {
            let layout = layout_of(&case.program[step])?;
            let at = &layout.patterns[pattern];
            let alone = layout.patterns.iter().filter(|pattern| !pattern.writes).count() == 1;
            let name = if alone { String::new() } else { format!("{} ", at.name) };
            (!at.writes).then(|| (named(case, step, &name), operand.dtype))
        }
        Holder::Immediate { step, .. } => Some((named(case, step, "scalar "), operand.dtype)),
        Holder::Register { .. } => Some(("scalar ".to_owned(), operand.dtype)),
    })
}
