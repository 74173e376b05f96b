//! Which element of which instruction a byte of tensor memory belongs to. Outcomes carry bytes; a
//! person (and `--nan any`) wants channel, stream position and dtype. This is attribution alone: it
//! decodes the destination pattern of every accepted step (spec 01 section 4.1, spec 03 section 6) and
//! finds the last one that covers the byte. It never decides whether two outcomes differ.

use contract::case::{RECORD, TensorCase};
use contract::isa::{Dtype, Geometry, layout, opcode, opcode_info};
use contract::outcome::{TensorStep, TensorVerdict};
use contract::profile::ReduceEmit;
use contract::state::Space;

/// One element of a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Element {
    /// Step that wrote it.
    pub step: usize,
    /// Channel, from 0.
    pub channel: u32,
    /// Position in the channel's stream, from 0.
    pub position: u32,
    /// Memory.
    pub space: Space,
    /// Partition.
    pub partition: u32,
    /// Offset of the element's first byte in the partition.
    pub offset: u32,
    /// Destination dtype.
    pub dtype: Dtype,
}

/// Where one accepted step writes: the same offsets in each of its partitions.
#[derive(Debug, Clone)]
struct Destination {
    step: usize,
    space: Space,
    partition: u32,
    channels: u32,
    dtype: Dtype,
    /// Offset and stream position of every element, ascending by offset; of equal offsets the last
    /// position alone (spec 03 D-38).
    elements: Vec<(u32, u32)>,
}

/// The destinations of every accepted step of a program.
#[derive(Debug, Clone, Default)]
pub struct Destinations(Vec<Destination>);

impl Destinations {
    /// Decodes the destinations of the steps that were accepted.
    pub fn of(case: &TensorCase, steps: &[TensorStep]) -> Self {
        Self(
            case.program
                .iter()
                .zip(steps)
                .enumerate()
                .filter(|(_, (_, step))| step.verdict == TensorVerdict::Accept)
                .filter_map(|(number, (record, _))| decode(case, number, record))
                .collect(),
        )
    }

    /// Every element of every destination: by step, channel, offset.
    pub fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        self.0.iter().flat_map(|destination| {
            (0..destination.channels).flat_map(move |channel| {
                destination.elements.iter().map(move |&(offset, position)| Element {
                    step: destination.step,
                    channel,
                    position,
                    space: destination.space,
                    partition: destination.partition + channel,
                    offset,
                    dtype: destination.dtype,
                })
            })
        })
    }

    /// The element that last wrote a byte.
    pub fn element_at(&self, space: Space, partition: u32, offset: u32) -> Option<Element> {
        self.0.iter().rev().find_map(|destination| {
            let channel = partition.checked_sub(destination.partition)?;
            if destination.space != space || channel >= destination.channels {
                return None;
            }
            // Elements of one destination are aligned to each other, so at most one covers a byte.
            let after = destination.elements.partition_point(|&(start, _)| start <= offset);
            let &(start, position) = destination.elements.get(after.checked_sub(1)?)?;
            let bytes = u32::from(destination.dtype.storage_bytes());
            (offset - start < bytes).then_some(Element {
                step: destination.step,
                channel,
                position,
                space,
                partition,
                offset: start,
                dtype: destination.dtype,
            })
        })
    }
}

fn decode(case: &TensorCase, step: usize, record: &[u8; RECORD]) -> Option<Destination> {
    let body = layout::layout(opcode_info(record[0])?.layout?)?;
    let pattern = body.field("dst_mem_pattern")?;
    let dtype_field = body.field("out_dtype").or_else(|| body.field("dtype"))?;
    let channels = u32::from(record[body.field("num_active_channels")?.offset]);
    let dtype = Dtype::from_wire(record[dtype_field.offset])?;
    let half = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
    let word = u32::from(half(pattern.offset)) | u32::from(half(pattern.offset + 2)) << 16;
    let (space, partition, start) = split_address(case.generation.geometry(), word & 0x1FFF_FFFF)?;

    let rank = (pattern.size - 4) / 4;
    let mut counts = [1u32; 4];
    let mut steps = [0i64; 4];
    for axis in 0..rank {
        steps[axis] = i64::from(half(pattern.offset + 4 + 2 * axis) as i16);
        counts[axis] = u32::from(half(pattern.offset + 4 + 2 * rank + 2 * axis));
    }
    let total = counts.iter().map(|&count| u64::from(count)).product::<u64>();
    // An accepted step stays below 2^20 elements (EXEC-SIZE); anything else has nothing to attribute.
    let total = u32::try_from(total).ok().filter(|&total| total <= 1 << 20)?;
    // CacheReduce writes its last slot alone (spec 03 D-24).
    let last_only = record[0] == opcode::TENSOR_SCALAR_CACHE_REDUCE
        && case.profile.reduce_emit == ReduceEmit::LastSlot;
    let first = if last_only { total.checked_sub(1)? } else { 0 };
    let bytes = i64::from(dtype.storage_bytes());
    let mut elements: Vec<(u32, u32)> = (first..total)
        .filter_map(|position| {
            let mut rest = position;
            let mut offset = i64::from(start);
            for axis in 0..rank {
                offset += i64::from(rest % counts[axis]) * steps[axis] * bytes;
                rest /= counts[axis];
            }
            Some((u32::try_from(offset).ok()?, position))
        })
        .collect();
    elements.sort_unstable_by_key(|&(offset, position)| (offset, std::cmp::Reverse(position)));
    elements.dedup_by_key(|&mut (offset, _)| offset);
    Some(Destination { step, space, partition, channels, dtype, elements })
}

/// Memory, partition and offset of an address (spec 01 section 7, rules 1 and 2).
fn split_address(geometry: &Geometry, address: u32) -> Option<(Space, u32, u32)> {
    let inside = |base: u32, region: u32, stride: u32, space: Space| {
        let at = address.checked_sub(base).filter(|&at| at < region)?;
        Some((space, at / stride, at % stride))
    };
    let Geometry { sbuf_base, sbuf_region, sbuf_stride, .. } = *geometry;
    let Geometry { psum_base, psum_region, psum_stride, .. } = *geometry;
    inside(sbuf_base, sbuf_region, sbuf_stride, Space::Sbuf)
        .or_else(|| inside(psum_base, psum_region, psum_stride, Space::Psum))
}
