//! Passes over patterns: fewer elements, fewer dimensions, simpler strides. Patterns of a record are
//! changed together where their counts agree, as the counts of source and destination must, and alone
//! where they do not.

use super::super::edit::{Edit, Edits, chunks, edit};
use super::super::operand::Place;
use super::super::record::{Walk, layout_of};
use super::stream::{Source, flat, index_at, move_elements};
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
/// of one step, of each alone.
pub(super) fn fewer_elements(case: &TensorCase) -> Edits<'_, TensorCase> {
    Box::new(groups(case).into_iter().flat_map(|(count, group)| {
        index_chunks(count.into()).map(move |chunk| {
            let group = group.clone();
            edit(move |case: &mut TensorCase| {
                drop_indices(case, &group, chunk.start as u16..chunk.end as u16);
            })
        })
    }))
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

/// Patterns of fewer, lower axes, as dense rows: all patterns of a step together, then each.
pub(super) fn fewer_dimensions(case: &TensorCase) -> Edits<'_, TensorCase> {
    Box::new(reshapes(case, &[Shape::Row, Shape::Squeezed]))
}

/// Patterns with the strides of dense rows: all patterns of a step together, then each, then each
/// stride alone.
pub(super) fn simpler_strides(case: &TensorCase) -> Edits<'_, TensorCase> {
    let mut shapes = vec![Shape::Dense, Shape::UnitSteps];
    shapes.extend((0..4).map(Shape::UnitStep));
    let each = (0..case.program.len()).flat_map(move |step| {
        let patterns = layout_of(&case.program[step]).map_or(0, |layout| layout.patterns.len());
        (0..patterns).flat_map(move |pattern| {
            (0..4).map(move |axis| {
                edit(move |case: &mut TensorCase| {
                    set_step(case, step, pattern, axis, 1);
                })
            })
        })
    });
    Box::new(reshapes(case, &shapes).chain(each))
}

/// Sets a step without moving anything.
fn set_step(case: &mut TensorCase, step: usize, pattern: usize, axis: usize, value: i16) {
    let record = &mut case.program[step];
    if let Some(layout) = layout_of(record) {
        let mut walk = layout.patterns[pattern].read(record);
        walk.steps[axis] = value;
        layout.patterns[pattern].write(record, &walk);
    }
}

/// A form that a pattern can be given.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// One axis, step 1.
    Row,
    /// Axes of count 1 behind the others, dense.
    Squeezed,
    /// The same counts, dense.
    Dense,
    /// The same counts, unused axes with step 1.
    UnitSteps,
    /// One axis with step 1.
    UnitStep(usize),
}

impl Shape {
    fn of(self, old: &Walk) -> Option<Walk> {
        let mut new = *old;
        match self {
            Self::Row => {
                new.counts = [u16::try_from(old.elements()).ok()?, 1, 1, 1];
                dense(&mut new);
            }
            Self::Squeezed => {
                let used = old.counts.into_iter().filter(|&count| count != 1);
                new.counts = [1; 4];
                new.counts.iter_mut().zip(used).for_each(|(new, used)| *new = used);
                dense(&mut new);
            }
            Self::Dense => dense(&mut new),
            Self::UnitSteps => {
                for (step, &count) in new.steps.iter_mut().zip(&old.counts) {
                    if count == 1 {
                        *step = 1;
                    }
                }
            }
            Self::UnitStep(axis) => new.steps[axis] = 1,
        }
        Some(new)
    }
}

/// Steps of a dense row-major walk; unused axes have step 1.
fn dense(walk: &mut Walk) {
    let mut step = 1u64;
    for axis in 0..4 {
        walk.steps[axis] =
            if walk.counts[axis] == 1 { 1 } else { i16::try_from(step).unwrap_or(1) };
        step *= u64::from(walk.counts[axis]);
    }
}

fn reshapes<'a>(
    case: &'a TensorCase,
    shapes: &[Shape],
) -> impl Iterator<Item = Edit<'a, TensorCase>> + use<'a> {
    let shapes = shapes.to_vec();
    (0..case.program.len()).flat_map(move |step| {
        let patterns = layout_of(&case.program[step]).map_or(0, |layout| layout.patterns.len());
        let together = shapes.clone().into_iter().map(move |shape| {
            edit(move |case: &mut TensorCase| {
                (0..patterns).for_each(|pattern| reshape(case, step, pattern, shape));
            })
        });
        let shapes = shapes.clone();
        let each = (0..patterns).flat_map(move |pattern| {
            shapes.clone().into_iter().map(move |shape| {
                edit(move |case: &mut TensorCase| reshape(case, step, pattern, shape))
            })
        });
        together.chain(each)
    })
}

/// Gives a pattern another form that starts at the lowest byte of the old walk; a source's elements
/// move along.
fn reshape(case: &mut TensorCase, step: usize, pattern: usize, shape: Shape) {
    let record = case.program[step];
    let Some(layout) = layout_of(&record) else { return };
    let at = &layout.patterns[pattern];
    let old = at.read(&record);
    let Some(mut new) = shape.of(&old) else { return };
    if new.steps[..at.axes] == old.steps[..at.axes] && new.counts == old.counts {
        return;
    }
    let width = layout.dtype(&record, at.dtype).map_or(1, |dtype| dtype.storage_bytes().max(1));
    if let Some(start) = Place::of_word(case.generation, old.start) {
        let reaches =
            old.steps.iter().zip(&old.counts).map(|(&step, &count)| {
                (i64::from(step) * i64::from(count.saturating_sub(1))).min(0)
            });
        let low = i64::from(start.offset) + reaches.sum::<i64>() * i64::from(width);
        let place = u32::try_from(low).ok().map(|offset| Place { offset, ..start });
        new.start = place.and_then(|place| place.word(case.generation)).unwrap_or(old.start);
    }
    if !at.writes {
        let channels = layout.channels(&record).unwrap_or(1);
        let source = Source { walk: old, channels, width: width.into() };
        move_elements(case, source, &new, |index| index_at(old.counts, flat(new.counts, index)));
    }
    at.write(&mut case.program[step], &new);
}
