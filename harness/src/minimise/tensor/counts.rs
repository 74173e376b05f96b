//! Fewer elements. Axes of patterns are cut together where their counts agree, as the counts of source
//! and destination must, and alone where they do not; patterns of different shapes are divided by
//! their common factors.

use super::super::edit::{Edit, Edits, chunks, edit};
use super::super::operand::Place;
use super::super::record::{Walk, layout_of};
use super::stream::{Source, move_elements};
use contract::case::TensorCase;
use std::collections::BTreeSet;
use std::ops::Range;

/// An axis of a pattern of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Axis {
    step: usize,
    pattern: usize,
    axis: usize,
}

/// Leaves out chunks of the indices of axes: of all axes of the program with the same count, of those
/// of one step, of each alone; then divides the streams of each step.
pub(super) fn fewer_elements(case: &TensorCase) -> Edits<'_, TensorCase> {
    let cut = groups(case).into_iter().flat_map(|(count, group)| {
        index_chunks(count.into()).map(move |chunk| {
            let group = group.clone();
            edit(move |case: &mut TensorCase| {
                drop_indices(case, &group, chunk.start as u16..chunk.end as u16);
            })
        })
    });
    Box::new(cut.chain(divided(case)))
}

/// Streams of all patterns of a step, and of all steps, shortened to one element or by a prime factor,
/// whatever their shapes; the first elements stay.
fn divided(case: &TensorCase) -> impl Iterator<Item = Edit<'_, TensorCase>> {
    let steps = case.program.len();
    let scopes = std::iter::once(0..steps).chain((0..steps).map(|step| step..step + 1));
    scopes.flat_map(move |scope| {
        let single = edit({
            let scope = scope.clone();
            move |case: &mut TensorCase| single_elements(case, scope)
        });
        let factors = PRIMES.iter().map(move |&prime| {
            let scope = scope.clone();
            edit(move |case: &mut TensorCase| divide(case, scope, prime))
        });
        std::iter::once(single).chain(factors)
    })
}

/// Factors by which streams are divided.
const PRIMES: &[u16] = &[2, 3, 5, 7];

/// Gives every pattern of some steps one element.
pub(super) fn single_elements(case: &mut TensorCase, steps: Range<usize>) {
    for record in &mut case.program[steps] {
        let Some(layout) = layout_of(record) else { continue };
        for pattern in &layout.patterns {
            let mut walk = pattern.read(record);
            walk.counts = [1; 4];
            pattern.write(record, &walk);
        }
    }
}

/// Divides the outermost count that a factor divides, of every pattern of some steps.
fn divide(case: &mut TensorCase, steps: Range<usize>, factor: u16) {
    for record in &mut case.program[steps] {
        let Some(layout) = layout_of(record) else { continue };
        for pattern in &layout.patterns {
            let mut walk = pattern.read(record);
            let divisible = |count: &&mut u16| **count > 0 && count.is_multiple_of(factor);
            if let Some(count) = walk.counts.iter_mut().rev().find(divisible) {
                *count /= factor;
            }
            pattern.write(record, &walk);
        }
    }
}

/// Finest share of a long axis that is tried in its middle.
const FINEST: usize = 512;

/// Chunks of indices to leave out. The middle of a long axis is cut coarsely; its ends go one by one
/// all the same.
fn index_chunks(count: usize) -> impl Iterator<Item = Range<usize>> {
    let ends = (count > FINEST).then(|| [0..1, count - 1..count]);
    let coarse = chunks(count).skip(1).take_while(move |chunk| {
        count <= FINEST || chunk.len() > count / FINEST || chunk.end == count
    });
    coarse.chain(ends.into_iter().flatten())
}

/// Sets of axes that share a count above 1, larger sets first.
pub(super) fn groups(case: &TensorCase) -> Vec<(u16, Vec<Axis>)> {
    let mut axes = Vec::new();
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        for (pattern, at) in layout.patterns.iter().enumerate() {
            let counts = at.read(record).counts;
            axes.extend((0..at.axes).map(|axis| (counts[axis], Axis { step, pattern, axis })));
        }
    }
    axes.retain(|&(count, _)| count > 1);
    let counts: BTreeSet<_> = axes.iter().map(|&(count, _)| count).rev().collect();
    let mut groups: Vec<(u16, Vec<Axis>)> = Vec::new();
    let mut add = |count: u16, keep: &dyn Fn(Axis) -> bool| {
        let of_count = axes.iter().filter(|&&(other, at)| other == count && keep(at));
        let group: Vec<_> = of_count.map(|&(_, at)| at).collect();
        if !group.is_empty() && !groups.iter().any(|(_, other)| *other == group) {
            groups.push((count, group));
        }
    };
    for &count in counts.iter().rev() {
        add(count, &|_| true);
        for step in 0..case.program.len() {
            add(count, &|at| at.step == step);
            for axis in 0..4 {
                add(count, &|at| at.step == step && at.axis == axis);
            }
        }
    }
    for &(count, at) in &axes {
        add(count, &|other| other == at);
    }
    groups
}

/// Takes a range of indices out of some axes. At the end the count is lowered; at the beginning the
/// start moves up; in the middle the elements behind a source's hole move down.
pub(super) fn drop_indices(case: &mut TensorCase, group: &[Axis], range: Range<u16>) {
    let mut moved: Vec<(Source, usize)> = Vec::new();
    for &Axis { step, pattern, axis } in group {
        let record = case.program[step];
        let Some(layout) = layout_of(&record) else { continue };
        let at = &layout.patterns[pattern];
        let old = at.read(&record);
        let gone = range.len() as u16;
        let mut new = old;
        new.counts[axis] -= gone;
        let width = layout.dtype(&record, at.dtype).map_or(1, |dtype| dtype.storage_bytes().max(1));
        if range.start == 0 && range.end < old.counts[axis] {
            let Some(start) = advance(case, &old, axis, gone, width) else { continue };
            new.start = start;
        } else if range.end < old.counts[axis] && !at.writes {
            let channels = layout.channels(&record).unwrap_or(1);
            let source = Source { walk: old, channels, width: width.into() };
            // Two steps that read one source share its elements.
            if !moved.contains(&(source, axis)) {
                let origin = |mut index: [u16; 4]| {
                    index[axis] += if index[axis] < range.start { 0 } else { gone };
                    index
                };
                if !move_elements(case, source, &new, origin) {
                    continue;
                }
                moved.push((source, axis));
            }
        }
        at.write(&mut case.program[step], &new);
    }
}

/// The start word `count` indices further along an axis, if it stays in its partition.
fn advance(case: &TensorCase, walk: &Walk, axis: usize, count: u16, width: u8) -> Option<u32> {
    let start = Place::of_word(case.generation, walk.start)?;
    let distance = i64::from(walk.steps[axis]) * i64::from(count) * i64::from(width);
    let offset = u32::try_from(i64::from(start.offset) + distance).ok()?;
    Place { offset, ..start }.word(case.generation)
}
