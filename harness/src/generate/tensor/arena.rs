//! Where operands lie. The arena hands out byte ranges that no two operands of a case share in any
//! partition: one pointer per memory and quadrant moves away from the origin, up from some offset or
//! down from the end of the backed bytes.

use super::geometry::active;
use crate::generate::Draw;
use contract::isa::Generation;
use contract::state::Space;

/// Origins of an upward arena, by weight; beyond the constants a random one is drawn.
const ORIGINS: &[(u32, Origin)] = &[
    (40, Origin::Up(0)),
    (15, Origin::Up(0x1000)),
    (8, Origin::Up(60)),
    (12, Origin::Anywhere),
    (25, Origin::Down),
];

#[derive(Debug, Clone, Copy)]
enum Origin {
    /// Up from this offset.
    Up(u32),
    /// Up from an offset in the lower eighth of the partition.
    Anywhere,
    /// Down from the end of the backed bytes.
    Down,
}

/// A bump allocator over both memories.
#[derive(Debug, Clone)]
pub struct Arena {
    upward: bool,
    /// Largest gap between two operands.
    gap: u32,
    /// Per memory and quadrant the first free byte, or one past the last.
    edge: [[u32; 4]; 2],
    /// Backed bytes per partition of each memory.
    active: [u32; 2],
}

impl Arena {
    /// An arena without a byte, to be replaced.
    pub const EMPTY: Self = Self { upward: true, gap: 0, edge: [[0; 4]; 2], active: [0; 2] };

    /// An empty arena with an origin and a gap of its own.
    pub fn draw(draw: &mut Draw<'_>, generation: Generation) -> Self {
        let active = [active(generation, Space::Sbuf), active(generation, Space::Psum)];
        let origin = draw.weighted(ORIGINS);
        let edge = active.map(|active| {
            [match origin {
                Origin::Up(offset) => offset,
                Origin::Anywhere => draw.below(active / 8),
                Origin::Down => active,
            }; 4]
        });
        let gap = draw.pick(&[0, 0, 16, 64]);
        Self { upward: !matches!(origin, Origin::Down), gap, edge, active }
    }

    /// A range of `bytes` in these partitions whose low end is a multiple of `align`; `None` if the
    /// memory is full there.
    pub fn place(
        &mut self,
        draw: &mut Draw<'_>,
        space: Space,
        partition: u32,
        channels: u32,
        bytes: u32,
        align: u32,
    ) -> Option<u32> {
        let memory = usize::from(space == Space::Psum);
        let gap = if self.gap > 0 { draw.below(self.gap) } else { 0 };
        let first = (partition / 32).min(3) as usize;
        let last = ((partition + channels.max(1) - 1) / 32).min(3) as usize;
        let active = self.active[memory];
        let edges = &mut self.edge[memory][first..=last];
        if self.upward {
            let from = edges.iter().copied().max().unwrap_or(0).saturating_add(gap);
            let low = from.next_multiple_of(align);
            let high = low.checked_add(bytes).filter(|&high| high <= active)?;
            edges.fill(high);
            Some(low)
        } else {
            let to = edges.iter().copied().min().unwrap_or(0).checked_sub(gap)?;
            let low = to.checked_sub(bytes)? / align * align;
            edges.fill(low);
            Some(low)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_share_a_partition_never_share_a_byte() {
        for seed in 0..64u8 {
            let bytes: Vec<u8> = (0..200).map(|i: u8| i.wrapping_mul(31) ^ (seed * 4)).collect();
            let mut draw = Draw::new(&bytes);
            let mut arena = Arena::draw(&mut draw, Generation::Cayman);
            let mut taken: Vec<(u32, u32, u32, u32)> = Vec::new();
            for (partition, channels, size) in
                [(0, 1, 12), (0, 128, 40), (64, 10, 7), (96, 32, 64), (32, 2, 1), (64, 64, 9)]
            {
                let low = arena
                    .place(&mut draw, Space::Sbuf, partition, channels, size, 4)
                    .expect("room for six small ranges");
                assert_eq!(low % 4, 0);
                assert!(low + size <= 0x3_8000);
                for &(p, c, l, s) in &taken {
                    let apart = partition + channels <= p
                        || p + c <= partition
                        || low + size <= l
                        || l + s <= low;
                    assert!(apart, "seed {seed}");
                }
                taken.push((partition, channels, low, size));
            }
        }
    }

    #[test]
    fn a_full_memory_gives_nothing() {
        let mut arena = Arena::draw(&mut Draw::new(&[]), Generation::Sunda);
        let mut draw = Draw::new(&[]);
        assert_eq!(arena.place(&mut draw, Space::Psum, 0, 1, 0x4000, 4), Some(0));
        assert_eq!(arena.place(&mut draw, Space::Psum, 0, 1, 1, 1), None);
        assert_eq!(arena.place(&mut draw, Space::Psum, 32, 1, 4, 4), Some(0));
    }
}
