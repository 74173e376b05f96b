//! Elements of one channel out of and into the regions of a case. The common case is a channel whose
//! whole walk lies in one row of one region; then a contiguous stretch is a slice of the region and a
//! strided one a gather with known bounds. Everything else goes byte by byte.

use crate::verdict::Operand;
use contract::state::{OutsideCase, Region, TensorState};

/// Where the hull of an operand lies in one channel.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Row {
    /// In one row of a region: the region's number, and the index of the partition's byte 0 in its
    /// data, which may be negative.
    Region(usize, i64),
    /// In several places, or partly in none.
    Scattered,
}

/// The row of every channel.
pub(crate) fn rows(state: &TensorState, operand: &Operand, channels: usize, rows: &mut Vec<Row>) {
    rows.clear();
    rows.extend((0..channels).map(|channel| row(state, operand, channel)));
}

fn row(state: &TensorState, operand: &Operand, channel: usize) -> Row {
    let partition = operand.partition + channel as u32;
    let holds = |region: &Region| {
        region.space == operand.space
            && partition.wrapping_sub(region.partition) < region.partitions
            && operand.low >= region.offset
            && operand.high - region.offset <= region.stride
    };
    match state.regions.iter().position(holds) {
        Some(number) => {
            let region = &state.regions[number];
            let first = i64::from(partition - region.partition) * i64::from(region.stride);
            Row::Region(number, first - i64::from(region.offset))
        }
        None => Row::Scattered,
    }
}

/// Memory codes of `count` positions from `position` of a channel, one after the other.
pub(crate) fn read<'a>(
    state: &'a TensorState,
    (operand, channel, row): (&Operand, usize, Row),
    (position, count): (u64, usize),
    gathered: &'a mut Vec<u8>,
) -> &'a [u8] {
    let walk = &operand.walk;
    let size = walk.size as usize;
    let length = count * size;
    match row {
        Row::Region(region, base) if walk.is_contiguous() => {
            let first = (base + walk.at(position)) as usize;
            &state.regions[region].data[first..first + length]
        }
        Row::Region(region, base) => {
            gathered.resize(gathered.len().max(length), 0);
            gather(walk, &state.regions[region].data, base, (position, count), gathered);
            &gathered[..length]
        }
        Row::Scattered => {
            gathered.clear();
            let partition = operand.partition + channel as u32;
            let step = walk.inner_step();
            walk.for_runs(position, count, |offset, run| {
                for index in 0..run as i64 {
                    let first = (offset + index * step) as u32;
                    for byte in first..first + walk.size {
                        gathered.push(state.read_byte(operand.space, partition, byte));
                    }
                }
            });
            gathered
        }
    }
}

/// Copies elements out of a region, run by run along the innermost axis.
fn gather(
    walk: &crate::tensor::Walk,
    data: &[u8],
    base: i64,
    (position, count): (u64, usize),
    codes: &mut [u8],
) {
    let size = walk.size as usize;
    let step = walk.inner_step();
    let mut at = 0;
    walk.for_runs(position, count, |offset, run| {
        let codes = &mut codes[at..at + run * size];
        at += codes.len();
        let first = base + offset;
        match size {
            _ if step == size as i64 => {
                codes.copy_from_slice(&data[first as usize..][..run * size]);
            }
            1 => gather_run::<1>(data, first, step, codes),
            2 => gather_run::<2>(data, first, step, codes),
            4 => gather_run::<4>(data, first, step, codes),
            _ => gather_run::<8>(data, first, step, codes),
        }
    });
}

#[inline]
fn gather_run<const SIZE: usize>(data: &[u8], mut at: i64, step: i64, codes: &mut [u8]) {
    for code in codes.as_chunks_mut::<SIZE>().0 {
        code.copy_from_slice(&data[at as usize..at as usize + SIZE]);
        at += step;
    }
}

/// Calls `fill` with a buffer for the memory codes of `count` positions from `position`, and writes
/// them. Every byte must lie in a region ([`first_outside`]).
pub(crate) fn write(
    state: &mut TensorState,
    (operand, channel, row): (&Operand, usize, Row),
    (position, count): (u64, usize),
    scattered: &mut Vec<u8>,
    fill: impl FnOnce(&mut [u8]),
) {
    let walk = &operand.walk;
    let size = walk.size as usize;
    let length = count * size;
    if let Row::Region(region, base) = row
        && walk.is_contiguous()
    {
        let first = (base + walk.at(position)) as usize;
        fill(&mut state.regions[region].data[first..first + length]);
        return;
    }
    scattered.resize(scattered.len().max(length), 0);
    let codes = &mut scattered[..length];
    fill(codes);
    match row {
        Row::Region(region, base) => {
            scatter(walk, &mut state.regions[region].data, base, (position, count), codes);
        }
        Row::Scattered => {
            let partition = operand.partition + channel as u32;
            let step = walk.inner_step();
            let mut codes = codes.iter();
            walk.for_runs(position, count, |offset, run| {
                for index in 0..run as i64 {
                    let first = (offset + index * step) as u32;
                    for (byte, &code) in (first..first + walk.size).zip(codes.by_ref()) {
                        // No byte is outside: the caller has looked.
                        let _ = state.write_byte(operand.space, partition, byte, code);
                    }
                }
            });
        }
    }
}

/// Copies elements into a region in stream order, so that the later of two writes to a byte wins.
fn scatter(
    walk: &crate::tensor::Walk,
    data: &mut [u8],
    base: i64,
    (position, count): (u64, usize),
    codes: &[u8],
) {
    let size = walk.size as usize;
    let step = walk.inner_step();
    let mut at = 0;
    walk.for_runs(position, count, |offset, run| {
        let codes = &codes[at..at + run * size];
        at += codes.len();
        let first = base + offset;
        match size {
            _ if step == size as i64 => {
                data[first as usize..][..run * size].copy_from_slice(codes);
            }
            1 => scatter_run::<1>(data, first, step, codes),
            2 => scatter_run::<2>(data, first, step, codes),
            4 => scatter_run::<4>(data, first, step, codes),
            _ => scatter_run::<8>(data, first, step, codes),
        }
    });
}

#[inline]
fn scatter_run<const SIZE: usize>(data: &mut [u8], mut at: i64, step: i64, codes: &[u8]) {
    for code in codes.as_chunks::<SIZE>().0 {
        data[at as usize..at as usize + SIZE].copy_from_slice(code);
        at += step;
    }
}

/// The first byte, in (channel, position) order, that a write of the positions from `position` to the
/// end of every channel's stream would put outside every region.
pub(crate) fn first_outside(
    state: &TensorState,
    operand: &Operand,
    rows: &[Row],
    position: u64,
) -> Option<OutsideCase> {
    let walk = &operand.walk;
    let count = (walk.length() - position) as usize;
    let scattered = rows.iter().enumerate().filter(|(_, row)| matches!(row, Row::Scattered));
    for (channel, _) in scattered {
        let partition = operand.partition + channel as u32;
        let step = walk.inner_step();
        let mut outside = None;
        walk.for_runs(position, count, |offset, run| {
            for index in 0..run as i64 {
                let first = (offset + index * step) as u32;
                for offset in first..first + walk.size {
                    if outside.is_none() && state.find(operand.space, partition, offset).is_none() {
                        outside = Some(OutsideCase { space: operand.space, partition, offset });
                    }
                }
            }
        });
        if outside.is_some() {
            return outside;
        }
    }
    None
}
