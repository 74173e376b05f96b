//! The heaviness of a tensor case. The fields are compared in their order, so that a reduction may
//! make a later one worse: a wider dtype takes more bytes, and is simpler all the same.

use super::super::cell::Burden;
use super::super::operand::{Holder, Operand, Place, columns, operands, overlap, rows};
use super::super::preference::ranking;
use super::super::record::{Record, Role, layout_of, members};
use super::values::{cells, words};
use contract::case::TensorCase;
use contract::isa::Generation;
use contract::state::{Region, Space};
use std::ops::Range;

/// Generations, the one that reports assume first, then the oldest.
pub(super) const GENERATIONS: [Generation; 5] = [
    Generation::Mariana,
    Generation::Sunda,
    Generation::Cayman,
    Generation::MarianaPlus,
    Generation::Maverick,
];

/// The heaviness; see the module.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Weight {
    steps: usize,
    channels: u64,
    elements: u128,
    axes: usize,
    aliases: usize,
    generation: usize,
    psum: usize,
    dtypes: u64,
    pointers: u64,
    ragged: usize,
    bytes: usize,
    enums: u64,
    switches: usize,
    strides: u64,
    partitions: u64,
    offsets: u64,
    registers: (usize, u64),
    values: Burden,
    counts: u64,
    plain: (u32, u32),
    regions: usize,
}

impl Weight {
    pub(super) fn of(case: &TensorCase) -> Self {
        let mut weight = Self {
            steps: case.program.len(),
            generation: GENERATIONS
                .iter()
                .position(|&generation| generation == case.generation)
                .unwrap_or(GENERATIONS.len()),
            psum: case.memory.iter().filter(|region| region.space == Space::Psum).count(),
            bytes: case.memory.iter().map(|region| region.data.len()).sum(),
            switches: case.profile.non_default().len(),
            registers: (case.registers.len(), 0),
            regions: case.memory.len(),
            ..Self::default()
        };
        let operands = operands(case);
        for record in &case.program {
            weight.add_record(case.generation, record);
        }
        weight.add_operands(&operands);
        let pairs = operands
            .iter()
            .flat_map(|operand| case.memory.iter().map(move |region| (operand, region)));
        weight.ragged = pairs.filter(|(operand, region)| is_ragged(operand, region)).count();
        for (index, region) in case.memory.iter().enumerate() {
            for cell in cells(region, index, &operands) {
                weight.values.add(cell, case);
            }
        }
        for word in words(case) {
            weight.values.add(word, case);
        }
        weight
    }

    fn add_record(&mut self, generation: Generation, record: &Record) {
        let Some(layout) = layout_of(record) else {
            let rest = &record[1..];
            self.plain.0 += rest.iter().filter(|&&byte| byte != 0).count() as u32;
            self.plain.1 += rest.iter().map(|byte| byte.count_ones()).sum::<u32>();
            return;
        };
        for field in &layout.fields {
            let value = field.get(record);
            match field.role {
                Role::Channels => self.channels += value,
                Role::Dtype => self.dtypes += rank(ranking(record, field), value),
                Role::ImmediateSource => self.pointers += rank(ranking(record, field), value),
                Role::WordLength => self.counts += value.abs_diff(16),
                Role::ElementCount => self.counts += value.abs_diff(1),
                Role::Plain => {
                    let bytes = field.bytes(record);
                    self.plain.0 += bytes.iter().filter(|&&byte| byte != 0).count() as u32;
                    self.plain.1 += value.count_ones();
                }
                role if !members(role).is_empty() => {
                    self.enums += rank(ranking(record, field), value);
                }
                _ => {}
            }
        }
        for pattern in &layout.patterns {
            let walk = pattern.read(record);
            self.elements += u128::from(walk.elements());
            for (axis, (&step, &count)) in walk.steps.iter().zip(&walk.counts).enumerate() {
                self.axes += if count == 1 { 0 } else { 1 + axis };
                self.strides += stride(step);
            }
            if Place::of_word(generation, walk.start).is_none() {
                // A register form or no address at all.
                self.offsets += u64::from(walk.start);
            }
        }
    }

    fn add_operands(&mut self, operands: &[Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            self.psum += usize::from(operand.start.space == Space::Psum);
            self.partitions += u64::from(operand.start.partition);
            self.offsets += u64::from(operand.start.offset);
            if let Holder::Register { number } = operand.holder {
                self.registers.1 += u64::from(number);
            }
            self.aliases += operands[..index].iter().filter(|other| alias(operand, other)).count();
        }
    }
}

/// True if the region holds a part of what the operand walks: half an element is hard to read.
fn is_ragged(operand: &Operand, region: &Region) -> bool {
    let within =
        |part: &Range<u32>, whole: Range<u32>| overlap(part, &whole).as_ref() == Some(part);
    operand.touches(region)
        && !(within(&operand.partitions, rows(region)) && within(&operand.bytes, columns(region)))
}

/// True if two operands of one step share bytes: harder to read than two that do not.
fn alias(a: &Operand, b: &Operand) -> bool {
    let step = |operand: &Operand| match operand.holder {
        Holder::Pattern { step, .. } | Holder::Immediate { step, .. } => Some(step),
        Holder::Register { .. } => None,
    };
    step(a).is_some()
        && step(a) == step(b)
        && a.start.space == b.start.space
        && overlap(&a.partitions, &b.partitions).is_some()
        && overlap(&a.bytes, &b.bytes).is_some()
}

/// Place of a member in its ranking; a value that is no member is heavier than all.
fn rank(ranking: Vec<u64>, value: u64) -> u64 {
    match ranking.iter().position(|&member| member == value) {
        Some(place) => place as u64,
        None => ranking.len() as u64 + value,
    }
}

/// A step of 1 is the simplest, then shorter before longer.
fn stride(step: i16) -> u64 {
    if step == 1 { 0 } else { 1 + 2 * u64::from(step.unsigned_abs()) + u64::from(step < 0) }
}
