//! Passes over the program as a whole: steps, channels, generation, switches.

use super::super::edit::{Edits, chunks, edit, set_default, smaller};
use super::super::operand::{Place, operands, readdress};
use super::super::record::layout_of;
use super::weight::GENERATIONS;
use contract::case::TensorCase;
use contract::isa::Generation;
use contract::profile::Profile;
use std::ops::Range;

/// Leaves out chunks of steps.
pub(super) fn drop_steps(case: &TensorCase) -> Edits<'_, TensorCase> {
    Box::new(chunks(case.program.len()).map(|chunk| {
        edit(move |case: &mut TensorCase| {
            case.program.drain(chunk);
        })
    }))
}

/// Leaves out chunks of channels, all steps together, then lowers the count of each step alone.
pub(super) fn fewer_channels(case: &TensorCase) -> Edits<'_, TensorCase> {
    let most = (0..case.program.len()).filter_map(|step| channels(case, step)).max().unwrap_or(0);
    let dropped = chunks(most as usize).skip(1).map(|chunk| {
        edit(move |case: &mut TensorCase| {
            drop_channels(case, chunk.start as u32..chunk.end as u32);
        })
    });
    let lowered = (0..case.program.len()).flat_map(move |step| {
        let count = channels(case, step).unwrap_or(0);
        smaller(count.into(), 1).map(move |fewer| {
            edit(move |case: &mut TensorCase| set_channels(case, step, fewer as u32))
        })
    });
    Box::new(dropped.chain(lowered))
}

fn channels(case: &TensorCase, step: usize) -> Option<u32> {
    let record = &case.program[step];
    layout_of(record)?.channels(record)
}

fn set_channels(case: &mut TensorCase, step: usize, channels: u32) {
    let record = &mut case.program[step];
    if let Some(layout) = layout_of(record) {
        layout.set_channels(record, channels);
    }
}

/// Takes channels out of every step and their rows out of every region; the rows below move up, so
/// that starts stay where they are.
fn drop_channels(case: &mut TensorCase, range: Range<u32>) {
    for step in 0..case.program.len() {
        let Some(count) = channels(case, step) else { continue };
        let gone = range.end.min(count).saturating_sub(range.start);
        if gone < count {
            set_channels(case, step, count - gone);
        }
    }
    for region in &mut case.memory {
        let end = range.end.min(region.partitions);
        if range.start < end && end - range.start < region.partitions {
            let stride = region.stride as usize;
            region.data.drain(range.start as usize * stride..end as usize * stride);
            region.partitions -= end - range.start;
        }
    }
}

/// Other generations, with every address moved to the same place in the other's memory, or kept.
pub(super) fn simpler_generation(case: &TensorCase) -> Edits<'_, TensorCase> {
    let others = GENERATIONS.into_iter().filter(move |&other| other != case.generation);
    Box::new(others.flat_map(|other| {
        [
            edit(move |case: &mut TensorCase| move_to_generation(case, other)),
            edit(move |case: &mut TensorCase| case.generation = other),
        ]
    }))
}

/// Changes the generation; addresses go on naming the same partitions and offsets where the other
/// generation has them.
pub(in super::super) fn move_to_generation(case: &mut TensorCase, generation: Generation) {
    let words: Vec<_> = operands(case)
        .iter()
        .filter_map(|operand| Some((operand.holder, operand.start.word(generation)?)))
        .collect();
    // A register that no record names keeps its address too.
    for value in case.registers.values_mut() {
        let place = Place::of_word(case.generation, *value);
        *value = place.and_then(|place| place.word(generation)).unwrap_or(*value);
    }
    for (holder, word) in words {
        readdress(case, holder, word);
    }
    case.generation = generation;
}

/// Switches back to their defaults: all, then each.
pub(super) fn default_switches(case: &TensorCase) -> Edits<'_, TensorCase> {
    let each = case
        .profile
        .non_default()
        .into_iter()
        .map(|(key, _)| edit(move |case: &mut TensorCase| set_default(&mut case.profile, key)));
    let all = edit(|case: &mut TensorCase| case.profile = Profile::default());
    Box::new(std::iter::once(all).chain(each))
}
