//! Moving the elements of a source: reads the elements of a walk in stream order and writes them
//! where another walk expects them, in every channel. This is how a pattern gets fewer elements or
//! other strides while the computation sees the same values.

use super::super::operand::Place;
use super::super::record::Walk;
use contract::case::TensorCase;
use contract::state::Region;

/// Elements times channels that are moved at most; a longer stream is shortened at its ends first.
const MOST: u64 = 1 << 15;

/// A source as the mover sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Source {
    /// The walk over the old elements.
    pub walk: Walk,
    /// Channels.
    pub channels: u32,
    /// Bytes of an element.
    pub width: u32,
}

/// Moves the elements of `source` to where `to` walks: element `k` of the new stream is the old
/// element at `origin(index)`, `index` being its place in the new walk. False if there are too many,
/// or an address names no memory.
pub(super) fn move_elements(
    case: &mut TensorCase,
    source: Source,
    to: &Walk,
    origin: impl Fn([u16; 4]) -> [u16; 4],
) -> bool {
    let from_place = Place::of_word(case.generation, source.walk.start);
    let to_place = Place::of_word(case.generation, to.start);
    let (Some(from_place), Some(to_place)) = (from_place, to_place) else { return false };
    if to.elements().saturating_mul(u64::from(source.channels)) > MOST {
        return false;
    }
    let mut moved = Vec::new();
    for channel in 0..source.channels {
        for index in indices(to.counts) {
            let old = element(from_place, &source.walk, origin(index), source.width);
            let new = element(to_place, to, index, source.width);
            let (Some(old), Some(new)) = (old, new) else { return false };
            for byte in 0..source.width {
                let old = Place {
                    partition: old.partition + channel,
                    offset: old.offset.saturating_add(byte),
                    ..old
                };
                let new = Place {
                    partition: new.partition + channel,
                    offset: new.offset.saturating_add(byte),
                    ..new
                };
                moved.push((new, read(&case.memory, old)));
            }
        }
    }
    for (place, value) in moved {
        write(&mut case.memory, place, value);
    }
    true
}

/// Index tuples in stream order, innermost axis fastest.
pub(super) fn indices(counts: [u16; 4]) -> impl Iterator<Item = [u16; 4]> {
    let count: u64 = counts.iter().map(|&count| u64::from(count)).product();
    (0..count).map(move |mut flat| {
        counts.map(|count| {
            let at = flat % u64::from(count);
            flat /= u64::from(count);
            at as u16
        })
    })
}

/// The index tuple of a place in stream order.
pub(super) fn index_at(counts: [u16; 4], mut flat: u64) -> [u16; 4] {
    counts.map(|count| {
        let count = u64::from(count).max(1);
        let at = flat % count;
        flat /= count;
        at as u16
    })
}

/// Place in stream order of an index tuple.
pub(super) fn flat(counts: [u16; 4], index: [u16; 4]) -> u64 {
    counts
        .iter()
        .zip(index)
        .rev()
        .fold(0, |flat, (&count, at)| flat * u64::from(count) + u64::from(at))
}

fn element(start: Place, walk: &Walk, index: [u16; 4], width: u32) -> Option<Place> {
    let offset = i64::from(start.offset) + walk.distance(index) * i64::from(width);
    Some(Place { offset: u32::try_from(offset).ok()?, ..start })
}

fn read(memory: &[Region], place: Place) -> u8 {
    memory
        .iter()
        .find_map(|region| {
            let index = region.index_of(place.space, place.partition, place.offset)?;
            Some(region.data[index])
        })
        .unwrap_or(0)
}

/// Writes a byte; one outside every region is lost.
fn write(memory: &mut [Region], place: Place, value: u8) {
    for region in memory {
        if let Some(index) = region.index_of(place.space, place.partition, place.offset) {
            region.data[index] = value;
            return;
        }
    }
}
