//! Other forms of patterns: fewer dimensions, simpler strides. A pattern keeps its stream: the elements
//! of a source move to where the new form looks for them, in place or in a region of their own.

use super::super::edit::{Edit, Edits, edit};
use super::super::operand::Place;
use super::super::record::{Walk, layout_of};
use super::memory::end_of_regions;
use super::stream::{Source, flat, index_at, move_elements};
use contract::case::TensorCase;
use contract::state::{Region, Space};

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
        let forms: Vec<_> =
            shapes.iter().flat_map(|&shape| [(shape, false), (shape, true)]).collect();
        let together = forms.clone().into_iter().map(move |(shape, moves)| {
            edit(move |case: &mut TensorCase| {
                (0..patterns).for_each(|pattern| reshape(case, step, pattern, shape, moves));
            })
        });
        let each = (0..patterns).flat_map(move |pattern| {
            forms.clone().into_iter().map(move |(shape, moves)| {
                edit(move |case: &mut TensorCase| reshape(case, step, pattern, shape, moves))
            })
        });
        together.chain(each)
    })
}

/// Bytes of a region that a pattern is given for its own.
const MOST_MOVED: u64 = 1 << 16;

/// Gives a pattern another form that starts at the lowest byte of the old walk, or in a region of its
/// own; a source's elements move along.
fn reshape(case: &mut TensorCase, step: usize, pattern: usize, shape: Shape, moves: bool) {
    let record = case.program[step];
    let Some(layout) = layout_of(&record) else { return };
    let at = &layout.patterns[pattern];
    let old = at.read(&record);
    let Some(mut new) = shape.of(&old) else { return };
    if new.steps[..at.axes] == old.steps[..at.axes] && new.counts == old.counts {
        return;
    }
    let width = layout.dtype(&record, at.dtype).map_or(1, |dtype| dtype.storage_bytes().max(1));
    let channels = layout.channels(&record).unwrap_or(1);
    if let Some(start) = Place::of_word(case.generation, old.start) {
        let place = match moves {
            true => own_region(case, start.partition, channels, new.elements(), width),
            false => Some(lowest(start, &old, width)),
        };
        let Some(place) = place else { return };
        new.start = place.word(case.generation).unwrap_or(old.start);
    }
    if !at.writes || moves {
        let source = Source { walk: old, channels, width: width.into() };
        move_elements(case, source, &new, |index| index_at(old.counts, flat(new.counts, index)));
    }
    at.write(&mut case.program[step], &new);
}

/// The lowest byte of a walk.
fn lowest(start: Place, walk: &Walk, width: u8) -> Place {
    let reaches = walk
        .steps
        .iter()
        .zip(&walk.counts)
        .map(|(&step, &count)| (i64::from(step) * i64::from(count.saturating_sub(1))).min(0));
    let low = i64::from(start.offset) + reaches.sum::<i64>() * i64::from(width);
    Place { offset: u32::try_from(low).unwrap_or(start.offset), ..start }
}

/// Adds a region of zeros for a dense stream behind all others.
fn own_region(
    case: &mut TensorCase,
    partition: u32,
    channels: u32,
    elements: u64,
    width: u8,
) -> Option<Place> {
    let stride = elements.checked_mul(width.into())?;
    let bytes = stride.checked_mul(channels.into()).filter(|&bytes| bytes <= MOST_MOVED)?;
    let place = Place { space: Space::Sbuf, partition, offset: end_of_regions(case) };
    case.memory.push(Region {
        space: place.space,
        partition,
        partitions: channels,
        offset: place.offset,
        // Bounded by the filter above.
        stride: stride as u32,
        data: vec![0; bytes as usize],
    });
    Some(place)
}
