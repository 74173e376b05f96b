//! Places and walks: the arithmetic that puts operands into memory (spec 01 sections 3, 4.1 and 7).

use contract::isa::Generation;
use contract::state::Space;

/// Partitions at which a tensor may start.
pub const QUADRANTS: [u32; 4] = [0, 32, 64, 96];

/// Most channels from each start partition of [`QUADRANTS`] (spec 02 section 2.5).
pub const QUADRANT_LIMIT: [u32; 4] = [128, 32, 64, 32];

/// The 29 address bits of an address word.
pub const ADDRESS: u32 = 0x1FFF_FFFF;

/// A byte of on-chip memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Memory.
    pub space: Space,
    /// Partition.
    pub partition: u32,
    /// Byte offset in the partition.
    pub offset: u32,
}

impl Place {
    /// The address of the place.
    pub const fn address(self, generation: Generation) -> u32 {
        let geometry = generation.geometry();
        match self.space {
            Space::Sbuf => geometry.sbuf_base + self.partition * geometry.sbuf_stride + self.offset,
            Space::Psum => geometry.psum_base + self.partition * geometry.psum_stride + self.offset,
        }
    }

    /// The place of an address, backed or not; `None` outside either region.
    pub const fn of(generation: Generation, address: u32) -> Option<Self> {
        let geometry = generation.geometry();
        let (space, base, stride) = if address < geometry.sbuf_region {
            (Space::Sbuf, geometry.sbuf_base, geometry.sbuf_stride)
        } else if address >= geometry.psum_base
            && address - geometry.psum_base < geometry.psum_region
        {
            (Space::Psum, geometry.psum_base, geometry.psum_stride)
        } else {
            return None;
        };
        let inside = address - base;
        Some(Self { space, partition: inside / stride, offset: inside % stride })
    }
}

/// Backed bytes of a partition.
pub const fn active(generation: Generation, space: Space) -> u32 {
    match space {
        Space::Sbuf => generation.geometry().sbuf_active,
        Space::Psum => generation.geometry().psum_active,
    }
}

/// Whether the generation has PSUM.
pub const fn has_psum(generation: Generation) -> bool {
    generation.geometry().psum_region > 0
}

/// A pattern: start word, and per dimension a step in elements and a count. Dimensions beyond the
/// rank of the layout hold step 1 and count 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// Start word with its marker.
    pub word: u32,
    /// Steps, X first.
    pub steps: [i16; 4],
    /// Counts, X first.
    pub counts: [u16; 4],
}

impl Default for Walk {
    fn default() -> Self {
        Self { word: 0, steps: [1; 4], counts: [1; 4] }
    }
}

impl Walk {
    /// Number of elements.
    pub fn elements(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).product()
    }

    /// Smallest and largest element offset from the start.
    pub fn reach(&self) -> (i64, i64) {
        let (mut low, mut high) = (0, 0);
        for (&step, &count) in self.steps.iter().zip(&self.counts) {
            let far = i64::from(step) * (i64::from(count) - 1);
            if far < 0 {
                low += far;
            } else if count > 0 {
                high += far;
            }
        }
        (low, high)
    }

    /// Element offset of every stream position, X fastest. For walks of moderate length.
    pub fn offsets(&self) -> impl Iterator<Item = i64> + '_ {
        let [nx, ny, nz, nw] = self.counts.map(i64::from);
        let [sx, sy, sz, sw] = self.steps.map(i64::from);
        (0..nw).flat_map(move |w| {
            (0..nz).flat_map(move |z| {
                (0..ny).flat_map(move |y| {
                    let row = sw * w + sz * z + sy * y;
                    (0..nx).map(move |x| row + sx * x)
                })
            })
        })
    }

    /// Steps that walk the counts without gaps.
    pub fn contiguous(counts: [u16; 4]) -> [i16; 4] {
        let mut step = 1i64;
        counts.map(|count| {
            let mine = step;
            step *= i64::from(count);
            i16::try_from(mine).unwrap_or(1)
        })
    }

    /// Writes the pattern: start word, steps, counts.
    pub fn encode(&self, rank: usize, bytes: &mut [u8]) {
        bytes[..4].copy_from_slice(&self.word.to_le_bytes());
        for dimension in 0..rank {
            bytes[4 + 2 * dimension..][..2].copy_from_slice(&self.steps[dimension].to_le_bytes());
            bytes[4 + 2 * (rank + dimension)..][..2]
                .copy_from_slice(&self.counts[dimension].to_le_bytes());
        }
    }

    /// Reads a pattern of this rank.
    pub fn decode(rank: usize, bytes: &[u8]) -> Self {
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut walk =
            Self { word: u32::from(half(0)) | u32::from(half(2)) << 16, ..Self::default() };
        for dimension in 0..rank {
            walk.steps[dimension] = half(4 + 2 * dimension) as i16;
            walk.counts[dimension] = half(4 + 2 * (rank + dimension));
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_places_are_inverse() {
        for &generation in Generation::ALL {
            for space in [Space::Sbuf, Space::Psum] {
                if space == Space::Psum && !has_psum(generation) {
                    continue;
                }
                for partition in [0, 1, 31, 32, 64, 127] {
                    for offset in [0, 4, active(generation, space) - 1] {
                        let place = Place { space, partition, offset };
                        assert_eq!(
                            Place::of(generation, place.address(generation)),
                            Some(place),
                            "{generation}"
                        );
                    }
                }
            }
        }
        assert_eq!(Place::of(Generation::Mariana, 0x0240_0000), None);
        assert_eq!(
            Place::of(Generation::Maverick, 0x0200_0000),
            Some(Place { space: Space::Sbuf, partition: 32, offset: 0 })
        );
    }

    #[test]
    fn the_reach_bounds_every_offset() {
        let walk = Walk { word: 0, steps: [-3, 7, 0, 100], counts: [4, 2, 3, 2] };
        let offsets: Vec<i64> = walk.offsets().collect();
        assert_eq!(offsets.len() as u64, walk.elements());
        assert_eq!(
            (*offsets.iter().min().expect("48"), *offsets.iter().max().expect("48")),
            walk.reach()
        );
    }
}
