//! Where the records of a tensor program touch memory: every pattern and every pointer immediate as an
//! [`Operand`], a box of partitions and bytes. Boxes are bounds, not walks, so that a pattern of any
//! size costs nothing; strides leave holes in them.

use super::record::{POINTER_IMMEDIATES, Record, layout_of};
use contract::case::TensorCase;
use contract::isa::{Dtype, Generation, ImmSrc};
use contract::state::{Region, Space};
use std::ops::Range;

/// Bits 0 to 28 of an address word (spec 01 section 3); the others mark its form.
const ADDRESS: u32 = 0x1fff_ffff;

/// A byte of tensor memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub space: Space,
    pub partition: u32,
    pub offset: u32,
}

impl Place {
    /// The place that an address word names; `None` for register forms and addresses of no memory.
    pub(super) fn of_word(generation: Generation, word: u32) -> Option<Self> {
        if word & !ADDRESS != 0 {
            return None;
        }
        let geometry = generation.geometry();
        let at = |space, base: u32, region: u32, stride: u32| {
            let address = word.checked_sub(base).filter(|&address| address < region)?;
            Some(Self { space, partition: address / stride, offset: address % stride })
        };
        at(Space::Sbuf, geometry.sbuf_base, geometry.sbuf_region, geometry.sbuf_stride).or_else(
            || at(Space::Psum, geometry.psum_base, geometry.psum_region, geometry.psum_stride),
        )
    }

    /// The address word of the place; `None` if the generation has no such byte.
    pub(super) fn word(self, generation: Generation) -> Option<u32> {
        let geometry = generation.geometry();
        let (base, region, stride) = match self.space {
            Space::Sbuf => (geometry.sbuf_base, geometry.sbuf_region, geometry.sbuf_stride),
            Space::Psum => (geometry.psum_base, geometry.psum_region, geometry.psum_stride),
        };
        let distance = self.partition.checked_mul(stride)?.checked_add(self.offset)?;
        (self.offset < stride && distance < region).then(|| base + distance)
    }
}

/// Where an address word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// Start word of a pattern of a step.
    Pattern { step: usize, pattern: usize },
    /// Immediate word of a step.
    Immediate { step: usize, immediate: usize },
    /// A register, read by a register-pointer immediate.
    Register { number: u8 },
}

/// One use of memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Operand {
    /// Who holds the address.
    pub holder: Holder,
    /// First element.
    pub start: Place,
    /// Element type; bytes if the record's code is none.
    pub dtype: Dtype,
    /// Partitions, at least one.
    pub partitions: Range<u32>,
    /// Bytes within a partition, cut off at 0 and `u32::MAX`.
    pub bytes: Range<u32>,
}

impl Operand {
    /// Bytes of one element, at least one.
    pub(super) fn width(&self) -> u32 {
        u32::from(self.dtype.storage_bytes()).max(1)
    }

    /// True if the operand's box and the region have a byte in common.
    pub(super) fn touches(&self, region: &Region) -> bool {
        overlap(&self.partitions, &rows(region)).is_some()
            && overlap(&self.bytes, &columns(region)).is_some()
            && self.start.space == region.space
    }

    /// True if the first element lies in the region.
    pub(super) fn starts_in(&self, region: &Region) -> bool {
        region.index_of(self.start.space, self.start.partition, self.start.offset).is_some()
    }
}

/// Partitions of a region.
pub(super) fn rows(region: &Region) -> Range<u32> {
    region.partition..region.partition.saturating_add(region.partitions)
}

/// Bytes of a region within a partition.
pub(super) fn columns(region: &Region) -> Range<u32> {
    region.offset..region.offset.saturating_add(region.stride)
}

/// The common part of two ranges.
pub(super) fn overlap(a: &Range<u32>, b: &Range<u32>) -> Option<Range<u32>> {
    let both = a.start.max(b.start)..a.end.min(b.end);
    (!both.is_empty()).then_some(both)
}

/// Every operand of a case's program whose address names memory, in program order.
pub(super) fn operands(case: &TensorCase) -> Vec<Operand> {
    let mut operands = Vec::new();
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        let channels = layout.channels(record).unwrap_or(1).max(1);
        for (pattern, at) in layout.patterns.iter().enumerate() {
            let walk = at.read(record);
            let Some(start) = Place::of_word(case.generation, walk.start) else { continue };
            let dtype = layout.dtype(record, at.dtype).unwrap_or(Dtype::Uint8);
            let width = i64::from(dtype.storage_bytes()).max(1);
            let (mut low, mut high) = (i64::from(start.offset), i64::from(start.offset) + width);
            for (&step, &count) in walk.steps.iter().zip(&walk.counts) {
                let reach = i64::from(step) * i64::from(count.saturating_sub(1)) * width;
                low += reach.min(0);
                high += reach.max(0);
            }
            let clamp = |byte: i64| byte.clamp(0, u32::MAX.into()) as u32;
            operands.push(Operand {
                holder: Holder::Pattern { step, pattern },
                start,
                dtype,
                partitions: start.partition..start.partition + channels,
                bytes: clamp(low)..clamp(high),
            });
        }
        operands.extend(pointers(case, step, record, channels));
    }
    operands
}

/// The pointer immediates of a record.
fn pointers(case: &TensorCase, step: usize, record: &Record, channels: u32) -> Vec<Operand> {
    let Some(layout) = layout_of(record) else { return Vec::new() };
    let mut pointers = Vec::new();
    for (immediate, at) in layout.immediates.iter().enumerate() {
        let word = layout.fields[at.word].get(record) as u32;
        let source = ImmSrc::from_wire(layout.fields[at.source].get(record) as u8);
        let inline = Holder::Immediate { step, immediate };
        let (holder, word) = match source {
            Some(ImmSrc::RegPtrImmediate) if word < 64 => {
                let number = word as u8;
                let value = case.registers.get(&number).copied().unwrap_or(0);
                (Holder::Register { number }, value)
            }
            Some(ImmSrc::PointerImmediate) => (inline, word),
            Some(ImmSrc::InstructionImmediate) if POINTER_IMMEDIATES.contains(&record[0]) => {
                (inline, word)
            }
            _ => continue,
        };
        let Some(start) = Place::of_word(case.generation, word) else { continue };
        let dtype = layout.immediate_dtype(record, at);
        let width = u32::from(dtype.storage_bytes()).max(1);
        pointers.push(Operand {
            holder,
            start,
            dtype,
            partitions: start.partition..start.partition + channels,
            bytes: start.offset..start.offset + width,
        });
    }
    pointers
}

/// Puts another address word into a holder.
pub(super) fn readdress(case: &mut TensorCase, holder: Holder, word: u32) {
    match holder {
        Holder::Pattern { step, pattern } => {
            let record = &mut case.program[step];
            if let Some(layout) = layout_of(record) {
                let at = &layout.patterns[pattern];
                let mut walk = at.read(record);
                walk.start = word;
                at.write(record, &walk);
            }
        }
        Holder::Immediate { step, immediate } => {
            let record = &mut case.program[step];
            if let Some(layout) = layout_of(record) {
                layout.fields[layout.immediates[immediate].word].set(record, word.into());
            }
        }
        Holder::Register { number } => {
            case.registers.insert(number, word);
        }
    }
}
