//! From finished records to the memory of a case. [`Footprints`] collects the rectangles that the
//! walks cover, [`regions`](Footprints::regions) turns them into regions that do not overlap, cutting
//! no element in two, and [`Fill`] puts values into them. Because this works on the final bytes, a
//! record whose bits were flipped gets memory for the destination it names now.

use super::geometry::{ADDRESS, Place, Walk, active};
use crate::generate::data::DataSource;
use crate::generate::values::{Style, Values};
use contract::isa::{Dtype, Generation};
use contract::state::{Region, Space};

/// A rectangle of one memory: partitions × bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    /// Memory.
    pub space: Space,
    /// First partition.
    pub partition: u32,
    /// Partitions.
    pub partitions: u32,
    /// First byte inside a partition.
    pub low: u32,
    /// One past the last byte.
    pub high: u32,
}

/// What a walk covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// It covers memory, and the rectangles were noted.
    Noted,
    /// It covers none that a step could touch: register form, no region, or out of bounds.
    Nothing,
    /// It covers more bytes than the caller allows.
    TooLarge,
}

/// Walks of up to this many elements are taken element by element, longer ones as one range.
const EXACT: u64 = 64;

/// Bytes between two runs of elements that are bridged rather than left out.
const BRIDGE: u32 = 32;

/// Rectangles of one walk at most; beyond that wider gaps are bridged.
const RUNS: usize = 12;

/// The rectangles of a case.
#[derive(Debug, Clone, Default)]
pub struct Footprints {
    rects: Vec<Rect>,
    runs: Vec<(u32, u32)>,
    cuts: Vec<u32>,
}

impl Footprints {
    /// Forgets every rectangle.
    pub fn clear(&mut self) {
        self.rects.clear();
    }

    /// Adds what a walk covers, at most `limit` bytes.
    pub fn add(
        &mut self,
        generation: Generation,
        walk: &Walk,
        size: Option<u32>,
        channels: u32,
        limit: u64,
    ) -> Cover {
        let (Some(size), true, 1..=128) =
            (size, walk.word <= ADDRESS && walk.counts.iter().all(|&count| count > 0), channels)
        else {
            return Cover::Nothing;
        };
        let Some(place) = Place::of(generation, walk.word) else { return Cover::Nothing };
        let (low, high) = walk.reach();
        let start = i64::from(place.offset);
        let first = start + low * i64::from(size);
        let end = start + (high + 1) * i64::from(size);
        if first < 0
            || end > i64::from(active(generation, place.space))
            || place.partition + channels > generation.geometry().partitions
        {
            return Cover::Nothing;
        }
        // Both ends lie inside a partition, so they fit.
        let (first, end) = (first as u32, end as u32);
        let elements = walk.elements();
        self.runs.clear();
        if elements > EXACT || u64::from(end - first) <= (u64::from(size) * elements + 16) * 2 {
            self.runs.push((first, end));
        } else {
            let offsets = walk.offsets().map(|element| {
                let byte = (start + element * i64::from(size)) as u32;
                (byte, byte + size)
            });
            self.runs.extend(offsets);
            self.runs.sort_unstable();
            let mut bridge = BRIDGE;
            join(&mut self.runs, bridge);
            while self.runs.len() > RUNS {
                bridge *= 4;
                join(&mut self.runs, bridge);
            }
        }
        let bytes: u64 = self.runs.iter().map(|&(low, high)| u64::from(high - low)).sum();
        if bytes * u64::from(channels) > limit {
            return Cover::TooLarge;
        }
        self.rects.extend(self.runs.iter().map(|&(low, high)| Rect {
            space: place.space,
            partition: place.partition,
            partitions: channels,
            low,
            high,
        }));
        Cover::Noted
    }

    /// Widens every rectangle by bytes on both sides and by partitions behind, as far as the memory
    /// goes, so that a stray write lands where it is compared.
    pub fn pad(&mut self, generation: Generation, bytes: u32, partitions: u32) {
        for rect in &mut self.rects {
            rect.low = rect.low.saturating_sub(bytes);
            rect.high = (rect.high + bytes).min(active(generation, rect.space));
            rect.partitions = (rect.partitions + partitions)
                .min(generation.geometry().partitions - rect.partition);
        }
    }

    /// Turns the rectangles into regions without overlap, taking data buffers from `spare` and
    /// leaving the data to be filled.
    pub fn regions(&mut self, spare: &mut Vec<Vec<u8>>, out: &mut Vec<Region>) {
        for space in [Space::Sbuf, Space::Psum] {
            self.cuts.clear();
            for rect in self.rects.iter().filter(|rect| rect.space == space) {
                self.cuts.extend([rect.partition, rect.partition + rect.partitions]);
            }
            self.cuts.sort_unstable();
            self.cuts.dedup();
            // Between two cuts every partition is covered by the same rectangles.
            let mut above: std::ops::Range<usize> = out.len()..out.len();
            for band in self.cuts.windows(2) {
                let &[top, bottom] = band else { continue };
                self.runs.clear();
                self.runs.extend(
                    self.rects
                        .iter()
                        .filter(|rect| {
                            rect.space == space
                                && rect.partition <= top
                                && bottom <= rect.partition + rect.partitions
                        })
                        .map(|rect| (rect.low, rect.high)),
                );
                self.runs.sort_unstable();
                join(&mut self.runs, BRIDGE);
                let same = above.len() == self.runs.len()
                    && out[above.clone()].iter().zip(&self.runs).all(|(region, &(low, high))| {
                        region.partition + region.partitions == top
                            && region.offset == low
                            && region.offset + region.stride == high
                    });
                if same {
                    for region in &mut out[above.clone()] {
                        region.partitions += bottom - top;
                    }
                    continue;
                }
                let first = out.len();
                out.extend(self.runs.iter().map(|&(low, high)| Region {
                    space,
                    partition: top,
                    partitions: bottom - top,
                    offset: low,
                    stride: high - low,
                    data: spare.pop().unwrap_or_default(),
                }));
                above = first..out.len();
            }
        }
    }
}

/// Joins sorted runs that touch, overlap or lie at most `bridge` bytes apart.
fn join(runs: &mut Vec<(u32, u32)>, bridge: u32) {
    runs.dedup_by(|next, kept| {
        let joined = next.0 <= kept.1 + bridge;
        if joined {
            kept.1 = kept.1.max(next.1);
        }
        joined
    });
}

/// Values for a rectangle, in elements that begin at its low end.
#[derive(Debug, Clone, Copy)]
pub struct Fill {
    /// Where.
    pub rect: Rect,
    /// Element type.
    pub dtype: Dtype,
    /// Style of the values.
    pub style: Style,
    /// Sub-seed of the values.
    pub seed: u64,
}

impl Fill {
    /// Fills the parts of the rectangle that some region holds.
    pub fn apply(&self, size: u32, regions: &mut [Region], data: Option<&DataSource>) {
        let mut values = Values::new(self.style, self.dtype, self.seed, data);
        let rect = &self.rect;
        for region in regions.iter_mut().filter(|region| region.space == rect.space) {
            let top = rect.partition.max(region.partition);
            let bottom =
                (rect.partition + rect.partitions).min(region.partition + region.partitions);
            let low = rect.low.max(region.offset);
            let high = rect.high.min(region.offset + region.stride);
            // The first element that begins inside the region.
            let low = rect.low + (low - rect.low).next_multiple_of(size);
            if top >= bottom || low >= high {
                continue;
            }
            for partition in top..bottom {
                let row = ((partition - region.partition) * region.stride) as usize;
                let row = row + (low - region.offset) as usize;
                values.fill(&mut region.data[row..row + (high - low) as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(partition: u32, partitions: u32, low: u32, high: u32) -> Rect {
        Rect { space: Space::Sbuf, partition, partitions, low, high }
    }

    fn shape(region: &Region) -> Rect {
        rect(region.partition, region.partitions, region.offset, region.offset + region.stride)
    }

    fn regions_of(rects: &[Rect]) -> Vec<Rect> {
        let mut footprints = Footprints { rects: rects.to_vec(), ..Footprints::default() };
        let mut out = Vec::new();
        footprints.regions(&mut Vec::new(), &mut out);
        out.iter().map(shape).collect()
    }

    #[test]
    fn equal_columns_of_neighbouring_bands_become_one_region() {
        assert_eq!(regions_of(&[rect(0, 2, 0, 64), rect(2, 3, 0, 64)]), [rect(0, 5, 0, 64)]);
    }

    #[test]
    fn crossing_rectangles_are_cut_by_partition_and_never_overlap() {
        assert_eq!(
            regions_of(&[rect(0, 4, 0, 64), rect(2, 1, 60, 200), rect(2, 1, 500, 504)]),
            [rect(0, 2, 0, 64), rect(2, 1, 0, 200), rect(2, 1, 500, 504), rect(3, 1, 0, 64)]
        );
    }

    #[test]
    fn far_apart_elements_get_a_rectangle_each() {
        let mut footprints = Footprints::default();
        let walk = Walk { word: 0x1000, steps: [1000, 1, 1, 1], counts: [3, 1, 1, 1] };
        let cover = footprints.add(Generation::Mariana, &walk, Some(4), 2, 1 << 20);
        assert_eq!(cover, Cover::Noted);
        assert_eq!(
            footprints.rects,
            [
                rect(0, 2, 0x1000, 0x1004),
                rect(0, 2, 0x1000 + 4000, 0x1004 + 4000),
                rect(0, 2, 0x1000 + 8000, 0x1004 + 8000)
            ]
        );
        let walk = Walk { word: 0, steps: [-1, 1, 1, 1], counts: [3, 1, 1, 1] };
        assert_eq!(footprints.add(Generation::Mariana, &walk, Some(4), 2, 1 << 20), Cover::Nothing);
    }
}
