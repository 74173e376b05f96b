//! Passes over the regions: out with what no operand walks, and the rest to low addresses. A region
//! that moves takes every address that starts in it along.

use super::super::edit::{Edit, Edits, chunks, edit, smaller};
use super::super::element::Encoding;
use super::super::operand::{
    Holder, Operand, Place, columns, home, operands, overlap, readdress, rows,
};
use super::super::record::layout_of;
use contract::case::TensorCase;
use contract::state::{Region, Space};
use std::ops::Range;

/// Leaves out chunks of regions; then rows and columns at the edges of each.
pub(super) fn drop_regions(case: &TensorCase) -> Edits<'_, TensorCase> {
    let whole = chunks(case.memory.len()).map(|chunk| {
        edit(move |case: &mut TensorCase| {
            case.memory.drain(chunk);
        })
    });
    let edges = case.memory.iter().enumerate().flat_map(|(index, region)| {
        let (rows, columns) = (rows(region), columns(region));
        let fewer_rows = edges(rows.clone()).map({
            let columns = columns.clone();
            move |rows| (rows, columns.clone())
        });
        let fewer_columns = edges(columns).map(move |columns| (rows.clone(), columns));
        fewer_rows.chain(fewer_columns).map(move |(rows, columns)| {
            edit(move |case: &mut TensorCase| {
                case.memory[index] = cut(&case.memory[index], rows, columns);
            })
        })
    });
    Box::new(whole.chain(edges))
}

/// Shorter ranges: one item, half, all but one, from the beginning and from the end.
fn edges(range: Range<u32>) -> impl Iterator<Item = Range<u32>> {
    let lengths = smaller(range.len() as u64, 1).map(|length| length as u32);
    lengths
        .flat_map(move |length| [range.start..range.start + length, range.end - length..range.end])
}

/// Cuts regions down to the boxes that operands walk: all at once, then each.
pub(super) fn trim(case: &TensorCase) -> Edits<'_, TensorCase> {
    let all = edit(|case: &mut TensorCase| {
        let operands = operands(case);
        case.memory = case.memory.iter().flat_map(|region| walked(region, &operands)).collect();
    });
    let each = (0..case.memory.len()).map(|index| {
        edit(move |case: &mut TensorCase| {
            let boxes = walked(&case.memory[index], &operands(case));
            case.memory.splice(index..=index, boxes);
        })
    });
    Box::new(std::iter::once(all).chain(each))
}

/// The parts of a region that operands walk; boxes that share bytes become one.
fn walked(region: &Region, operands: &[Operand]) -> Vec<Region> {
    let mut boxes: Vec<(Range<u32>, Range<u32>)> = Vec::new();
    for operand in operands.iter().filter(|operand| operand.touches(region)) {
        let part = (
            overlap(&operand.partitions, &rows(region)),
            overlap(&operand.bytes, &columns(region)),
        );
        let (Some(mut rows), Some(mut columns)) = part else { continue };
        while let Some(met) = boxes.iter().position(|(other_rows, other_columns)| {
            overlap(&rows, other_rows).is_some() && overlap(&columns, other_columns).is_some()
        }) {
            let (other_rows, other_columns) = boxes.swap_remove(met);
            rows = rows.start.min(other_rows.start)..rows.end.max(other_rows.end);
            columns = columns.start.min(other_columns.start)..columns.end.max(other_columns.end);
        }
        boxes.push((rows, columns));
    }
    boxes.sort_by_key(|(rows, columns)| (rows.start, columns.start));
    boxes.into_iter().map(|(rows, columns)| cut(region, rows, columns)).collect()
}

/// A part of a region.
fn cut(region: &Region, rows: Range<u32>, columns: Range<u32>) -> Region {
    let mut data = Vec::with_capacity(rows.len() * columns.len());
    for row in rows.clone() {
        let start =
            ((row - region.partition) * region.stride + columns.start - region.offset) as usize;
        data.extend_from_slice(&region.data[start..start + columns.len()]);
    }
    Region {
        space: region.space,
        partition: rows.start,
        partitions: rows.end - rows.start,
        offset: columns.start,
        stride: columns.end - columns.start,
        data,
    }
}

/// First byte behind every region of the state buffer, aligned for every dtype.
pub(in super::super) fn end_of_regions(case: &TensorCase) -> u32 {
    let in_sbuf = case.memory.iter().filter(|region| region.space == Space::Sbuf);
    in_sbuf.map(|region| columns(region).end).max().unwrap_or(0).next_multiple_of(8)
}

/// Moves regions, and addresses without one, out of PSUM: all at once, then each.
pub(super) fn no_psum(case: &TensorCase) -> Edits<'_, TensorCase> {
    let all = edit(move |case: &mut TensorCase| {
        // Each once: a region stays where it is if an address had to leave the memory.
        for index in 0..case.memory.len() {
            if case.memory[index].space == Space::Psum {
                let partition = case.memory[index].partition;
                let offset = end_of_regions(case);
                move_region(case, index, Place { space: Space::Sbuf, partition, offset });
            }
        }
        operands(case).iter().for_each(|operand| leave_psum(case, operand));
    });
    let regions = (0..case.memory.len()).map(|index| {
        edit(move |case: &mut TensorCase| {
            let partition = case.memory[index].partition;
            let offset = end_of_regions(case);
            move_region(case, index, Place { space: Space::Sbuf, partition, offset });
        })
    });
    let addresses = operands(case)
        .into_iter()
        .map(|operand| edit(move |case: &mut TensorCase| leave_psum(case, &operand)));
    Box::new(std::iter::once(all).chain(regions).chain(addresses))
}

/// Sends an address in PSUM to the same place in SBUF.
fn leave_psum(case: &mut TensorCase, operand: &Operand) {
    let place = Place { space: Space::Sbuf, ..operand.start };
    if let Some(word) = place.word(case.generation) {
        readdress(case, operand.holder, word);
    }
}

/// Moves a region, and with it the address of every operand that is at home in it.
pub(in super::super) fn move_region(case: &mut TensorCase, index: usize, to: Place) {
    move_regions(case, &[(index, to)]);
}

/// Moves regions at once, so that no address is moved twice. Nothing moves if an address had to leave
/// the memory.
fn move_regions(case: &mut TensorCase, targets: &[(usize, Place)]) {
    let mut words = Vec::new();
    for operand in operands(case) {
        let home = home(&operand, &case.memory);
        let Some((index, to)) = targets.iter().find(|(index, _)| Some(*index) == home) else {
            continue;
        };
        let region = &case.memory[*index];
        let moved = |at: u32, from: u32, to: u32| {
            u32::try_from(i64::from(at) - i64::from(from) + i64::from(to)).ok()
        };
        let start = moved(operand.start.partition, region.partition, to.partition)
            .zip(moved(operand.start.offset, region.offset, to.offset))
            .map(|(partition, offset)| Place { space: to.space, partition, offset });
        let Some(word) = start.and_then(|start| start.word(case.generation)) else { return };
        words.push((operand.holder, word));
    }
    for (holder, word) in words {
        readdress(case, holder, word);
    }
    for (index, to) in targets {
        let region = &mut case.memory[*index];
        (region.space, region.partition, region.offset) = (to.space, to.partition, to.offset);
    }
}

/// Packs the regions at partition 0 one after the other, then moves each down on its own, then works
/// on address words without regard to regions.
pub(super) fn lower_addresses(case: &TensorCase) -> Edits<'_, TensorCase> {
    let packed = edit(pack);
    let regions = (0..case.memory.len()).flat_map(move |index| {
        let region = &case.memory[index];
        let alignment = alignment(case, index);
        let lower = lower_offset(case, index, 0, alignment);
        let here = lower_offset(case, index, region.partition, alignment);
        let place = |partition, offset| Place { space: region.space, partition, offset };
        [
            lower.map(|offset| place(0, offset)),
            Some(place(0, region.offset)),
            here.map(|offset| place(region.partition, offset)),
        ]
        .into_iter()
        .flatten()
        .map(move |to| edit(move |case: &mut TensorCase| move_region(case, index, to)))
    });
    Box::new(std::iter::once(packed).chain(regions).chain(lower_words(case)))
}

/// All regions at partition 0 of their memory, in the order in which the program meets them.
fn pack(case: &mut TensorCase) {
    let operands = operands(case);
    let first_use = |region: &Region| {
        operands.iter().position(|operand| operand.touches(region)).unwrap_or(usize::MAX)
    };
    case.memory.sort_by_key(|region| (first_use(region), region.partition, region.offset));
    let alignments: Vec<_> = (0..case.memory.len()).map(|index| alignment(case, index)).collect();
    let mut targets = Vec::new();
    for space in [Space::Sbuf, Space::Psum] {
        let mut offset = 0u32;
        for (index, &alignment) in alignments.iter().enumerate() {
            let region = &case.memory[index];
            if region.space == space {
                offset = offset.next_multiple_of(alignment) + phase(region, alignment);
                targets.push((index, Place { space, partition: 0, offset }));
                offset = offset.saturating_add(region.stride);
            }
        }
    }
    move_regions(case, &targets);
}

/// The widest element that operands have in a region: moves by its multiples keep every alignment.
fn alignment(case: &TensorCase, index: usize) -> u32 {
    let region = &case.memory[index];
    let touching = operands(case).into_iter().filter(|operand| operand.touches(region));
    touching.map(|operand| operand.width()).max().unwrap_or(1)
}

fn phase(region: &Region, alignment: u32) -> u32 {
    region.offset % alignment
}

/// The lowest offset where the region is clear of the others that share a partition with it.
fn lower_offset(case: &TensorCase, index: usize, partition: u32, alignment: u32) -> Option<u32> {
    let region = &case.memory[index];
    let wanted = partition..partition.saturating_add(region.partitions);
    let others: Vec<_> = case
        .memory
        .iter()
        .enumerate()
        .filter(|&(other, at)| {
            other != index && at.space == region.space && overlap(&rows(at), &wanted).is_some()
        })
        .map(|(_, at)| columns(at))
        .collect();
    let fit = |from: u32| {
        let offset = from.next_multiple_of(alignment) + phase(region, alignment);
        let wanted = offset..offset.saturating_add(region.stride);
        others.iter().all(|other| overlap(other, &wanted).is_none()).then_some(offset)
    };
    let behind = others.iter().map(|other| other.end);
    std::iter::once(0).chain(behind).filter_map(fit).min()
}

/// Address words toward zero: the whole word, its partition, its offset, the first place behind the
/// other operands of the case, then each set bit.
fn lower_words(case: &TensorCase) -> impl Iterator<Item = Edit<'_, TensorCase>> {
    let all = operands(case);
    let mut words = Vec::new();
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        for (pattern, at) in layout.patterns.iter().enumerate() {
            words.push((Holder::Pattern { step, pattern }, at.read(record).start));
        }
    }
    for operand in &all {
        if !matches!(operand.holder, Holder::Pattern { .. }) {
            words.extend(operand.start.word(case.generation).map(|word| (operand.holder, word)));
        }
    }
    words.into_iter().flat_map(move |(holder, word)| {
        let others = all.iter().filter(|other| other.holder != holder);
        let behind = others.map(|other| other.bytes.end).max().unwrap_or(0);
        // Aligned for every dtype; saturated, it is no place.
        let behind = behind.checked_next_multiple_of(8).unwrap_or(u32::MAX);
        let places = Place::of_word(case.generation, word).into_iter().flat_map(move |place| {
            [
                Place { partition: 0, ..place },
                Place { offset: 0, ..place },
                Place { partition: 0, offset: behind, ..place },
            ]
        });
        let places = places.filter_map(|place| place.word(case.generation));
        let bits = Encoding::integer(4).lighter(word.into()).map(|lighter| lighter as u32);
        places
            .chain(bits)
            .map(move |lighter| edit(move |case: &mut TensorCase| readdress(case, holder, lighter)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::case::Case;
    use contract::json::read_case;

    #[test]
    fn a_region_that_cannot_leave_psum_stays_there() {
        // Both operands begin four bytes before the region, which would put them before the state buffer.
        let case = concat!(
            r#"{"version":1,"kind":"tensor","id":"stuck","generation":"mariana","profile":{},"#,
            r#""memory":[{"space":"psum","partition":0,"partitions":1,"offset":4,"stride":16,"#,
            r#""data":"00000000000000000000000000000000"}],"registers":{},"program":[""#,
            "9a100000000000000000000003000000",
            "00000000010001000100040001000100",
            "0a0a0100060400000000004000000000",
            "10000000010001000100010001000100",
            r#""]}"#
        );
        let Case::Tensor(mut case) = read_case(case).unwrap() else { panic!("a tensor case") };
        let place = Place { space: Space::Psum, partition: 0, offset: 0 };
        let word = place.word(case.generation).unwrap();
        for operand in operands(&case) {
            readdress(&mut case, operand.holder, word);
        }
        for change in no_psum(&case) {
            let mut changed = case.clone();
            change(&mut changed);
            assert_eq!(changed.memory, case.memory);
        }
    }
}
