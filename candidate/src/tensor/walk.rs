//! Walks: the addresses that a pattern visits in one partition, in canonical form.
//!
//! A pattern has up to four axes (spec 01 section 4.1). Axes of one element are dropped, and an axis
//! whose step continues the one inside it is merged into it. What is left is unique: two patterns visit
//! the same addresses in the same order exactly if their canonical walks are equal, so that coincidence
//! (spec 01 DD-OVERLAP) is one comparison, and "contiguous" is a look at one step.

/// Most axes that a pattern has.
pub const AXES: usize = 4;

/// One axis of a canonical walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Axis {
    /// Distance of two neighbours in bytes.
    pub step: i64,
    /// Elements, at least 2.
    pub count: u64,
}

/// The byte offsets of a stream's elements inside their partition, in stream order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Walk {
    /// Offset of the first element.
    pub start: i64,
    /// Bytes of one element.
    pub size: u32,
    axes: [Axis; AXES],
    rank: usize,
}

impl Walk {
    /// The walk of a pattern whose counts are not 0; steps are in elements, innermost axis first.
    pub fn new(start: i64, size: u32, pattern: impl Iterator<Item = (i16, u16)>) -> Self {
        let mut walk = Self { start, size, ..Self::default() };
        for (step, count) in pattern {
            if count == 1 {
                continue;
            }
            let axis = Axis { step: i64::from(step) * i64::from(size), count: u64::from(count) };
            if let Some(inner) = walk.axes[..walk.rank].last_mut()
                // A step of 0 may meet a merged count of nearly 2^64; the product is 0 all the same.
                && axis.step == inner.step.wrapping_mul(inner.count as i64)
            {
                inner.count *= axis.count;
            } else {
                walk.axes[walk.rank] = axis;
                walk.rank += 1;
            }
        }
        walk
    }

    /// The axes, innermost first.
    pub fn axes(&self) -> &[Axis] {
        &self.axes[..self.rank]
    }

    /// Number of elements.
    pub fn length(&self) -> u64 {
        self.axes().iter().map(|axis| axis.count).product()
    }

    /// First byte of the lowest element and the byte after the highest: the corner extremes.
    pub fn hull(&self) -> (i64, i64) {
        let (mut low, mut high) = (self.start, self.start);
        for axis in self.axes() {
            let reach = axis.step.wrapping_mul((axis.count - 1) as i64);
            low += reach.min(0);
            high += reach.max(0);
        }
        (low, high + i64::from(self.size))
    }

    /// True if the elements lie one after the other.
    pub fn is_contiguous(&self) -> bool {
        match self.axes() {
            [] => true,
            [axis] => axis.step == i64::from(self.size),
            _ => false,
        }
    }

    /// True only if no address is visited twice. A walk that interleaves its axes so that they meet
    /// by chance, or only look as if, counts as one that may.
    pub fn is_injective(&self) -> bool {
        let mut axes = self.axes;
        let axes = &mut axes[..self.rank];
        axes.sort_unstable_by_key(|axis| axis.step.unsigned_abs());
        let mut span = u64::from(self.size);
        for axis in axes {
            if axis.step.unsigned_abs() < span {
                return false;
            }
            span += axis.step.unsigned_abs() * (axis.count - 1);
        }
        true
    }

    /// Offset of the element at a stream position.
    pub fn at(&self, position: u64) -> i64 {
        let mut rest = position;
        let mut offset = self.start;
        for axis in self.axes() {
            offset += (rest % axis.count) as i64 * axis.step;
            rest /= axis.count;
        }
        offset
    }

    /// Splits `count` positions from `position` into runs along the innermost axis and calls `visit`
    /// with each run's first offset and length.
    pub fn for_runs(&self, position: u64, count: usize, mut visit: impl FnMut(i64, usize)) {
        let Some((inner, outer)) = self.axes().split_first() else {
            if count > 0 {
                visit(self.start, 1);
            }
            return;
        };
        let mut index = [0u64; AXES];
        let mut rest = position;
        let mut offset = self.start;
        for (index, axis) in index.iter_mut().zip(self.axes()) {
            *index = rest % axis.count;
            offset += *index as i64 * axis.step;
            rest /= axis.count;
        }
        let mut left = count;
        let mut first = index[0];
        loop {
            let run = left.min((inner.count - first) as usize);
            if run == 0 {
                return;
            }
            visit(offset, run);
            left -= run;
            offset -= first as i64 * inner.step;
            first = 0;
            for (index, axis) in index[1..].iter_mut().zip(outer) {
                *index += 1;
                offset += axis.step;
                if *index < axis.count {
                    break;
                }
                *index = 0;
                offset -= axis.count as i64 * axis.step;
            }
        }
    }

    /// Distance of the innermost axis in bytes; the element size if there is no axis.
    pub fn inner_step(&self) -> i64 {
        self.axes().first().map_or(i64::from(self.size), |axis| axis.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every address of a pattern by the formula of spec 01 section 4.1.
    fn addresses(start: i64, size: u32, pattern: &[(i16, u16)]) -> Vec<i64> {
        let mut list = vec![start];
        for &(step, count) in pattern {
            list = (0..i64::from(count))
                .flat_map(|i| {
                    let shift = i * i64::from(step) * i64::from(size);
                    list.iter().map(move |&a| a + shift).collect::<Vec<_>>()
                })
                .collect();
        }
        list
    }

    fn pattern() -> impl Strategy<Value = Vec<(i16, u16)>> {
        prop::collection::vec((-6i16..7, 1u16..5), 1..=4)
    }

    proptest! {
        #[test]
        fn a_walk_visits_the_addresses_of_its_pattern(
            pattern in pattern(), size in prop::sample::select(vec![1u32, 2, 4, 8]),
        ) {
            let expected = addresses(1000, size, &pattern);
            let walk = Walk::new(1000, size, pattern.iter().copied());
            prop_assert_eq!(walk.length(), expected.len() as u64);
            let by_position: Vec<i64> = (0..walk.length()).map(|k| walk.at(k)).collect();
            prop_assert_eq!(&by_position, &expected);
            let low = *expected.iter().min().unwrap();
            let high = *expected.iter().max().unwrap() + i64::from(size);
            prop_assert_eq!(walk.hull(), (low, high));
            for from in 0..expected.len() {
                for count in [0, 1, 2, expected.len() - from] {
                    let count = count.min(expected.len() - from);
                    let mut visited = Vec::new();
                    walk.for_runs(from as u64, count, |offset, run| {
                        visited.extend((0..run as i64).map(|i| offset + i * walk.inner_step()));
                    });
                    prop_assert_eq!(&visited[..], &expected[from..from + count]);
                }
            }
            let mut sorted = expected.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if walk.is_injective() {
                prop_assert_eq!(sorted.len(), expected.len());
            }
            let forward = (0..expected.len() as i64).map(|i| 1000 + i * i64::from(size));
            prop_assert_eq!(walk.is_contiguous(), forward.eq(expected));
        }

        #[test]
        fn walks_are_equal_exactly_if_they_visit_the_same_addresses_in_the_same_order(
            a in pattern(), b in pattern(),
        ) {
            let same = addresses(0, 4, &a) == addresses(0, 4, &b);
            let walks = [a, b].map(|p| Walk::new(0, 4, p.into_iter()));
            prop_assert_eq!(walks[0] == walks[1], same);
        }
    }

    #[test]
    fn equal_walks_may_be_written_differently() {
        let four = Walk::new(0, 4, [(1, 4)].into_iter());
        for pattern in [
            vec![(1, 2), (2, 2)],
            vec![(7, 1), (1, 4), (9, 1)],
            vec![(1, 4), (4, 1), (-3, 1), (0, 1)],
        ] {
            assert_eq!(Walk::new(0, 4, pattern.into_iter()), four);
        }
        assert_ne!(Walk::new(0, 4, [(1, 2), (3, 2)].into_iter()), four);
        let still = Walk::new(8, 2, [(0, 2), (0, 3)].into_iter());
        assert_eq!(still, Walk::new(8, 2, [(0, 6)].into_iter()));
        assert!(!still.is_injective());
    }

    #[test]
    fn the_largest_pattern_does_not_overflow() {
        let walk = Walk::new(0, 4, [(0, 65535); 4].into_iter());
        assert_eq!(walk.length(), 65535u64.pow(4));
        assert_eq!(walk.hull(), (0, 4));
        let wide = Walk::new(0, 4, [(i16::MIN, 65535); 4].into_iter());
        assert_eq!(wide.hull(), (-4 * 4 * 32768 * 65534, 4));
    }
}
