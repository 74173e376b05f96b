//! Sizes, shapes and strides: how many channels and elements a step has, how the elements are spread
//! over dimensions, and how the dimensions are walked.

use super::geometry::Walk;
use crate::generate::{Draw, TensorOptions};

/// Channels of ordinary cases: weight, smallest, largest.
const CHANNELS: &[(u32, (u32, u32))] =
    &[(58, (1, 1)), (24, (2, 3)), (10, (4, 6)), (5, (7, 16)), (3, (17, 128))];

/// Elements of ordinary cases: weight, smallest, largest.
const ELEMENTS: &[(u32, (u32, u32))] =
    &[(30, (1, 4)), (42, (5, 12)), (18, (13, 24)), (8, (25, 40)), (2, (41, 64))];

/// Most elements of a stream: four bytes of each fit several times into a partition.
const ELEMENTS_LIMIT: u32 = 8192;

/// How large the steps of a case may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// Most cases.
    Ordinary,
    /// Up to this many elements × channels.
    Larger(u32),
    /// As large as the options allow.
    Huge,
}

impl Tier {
    /// Draws the tier of a case.
    pub fn draw(draw: &mut Draw<'_>, options: &TensorOptions) -> Self {
        if draw.one_in(options.huge_one_in) {
            Self::Huge
        } else if draw.one_in(options.big_one_in) {
            let bits = draw.between(10, options.big_work.max(1024).ilog2());
            Self::Larger((1 << bits).min(options.big_work))
        } else if draw.one_in(options.medium_one_in) {
            Self::Larger(draw.between(options.work, options.medium_work))
        } else {
            Self::Ordinary
        }
    }

    /// Longest program.
    pub const fn chain(self) -> u32 {
        match self {
            Self::Ordinary => u32::MAX,
            Self::Larger(_) => 3,
            Self::Huge => 1,
        }
    }

    /// Draws the channels and the elements of a step.
    pub fn size(self, draw: &mut Draw<'_>, options: &TensorOptions) -> (u32, u32) {
        let limit = options.channels.high.clamp(1, 128);
        let (channels, elements) = match self {
            Self::Ordinary => {
                let (low, high) = draw.weighted(CHANNELS);
                let channels = options.channels.clip(draw.between(low, high)).clamp(1, 128);
                let (low, high) = draw.weighted(ELEMENTS);
                (channels, draw.between(low, high).min(options.work / channels))
            }
            Self::Larger(work) => {
                let bits = draw.between(0, 7);
                let channels = draw.between(1 << bits, (2 << bits) - 1).min(limit);
                let channels = options.channels.clip(channels).clamp(1, 128);
                (channels, work / channels)
            }
            Self::Huge => (limit, options.elements.high),
        };
        (channels, options.elements.clip(elements).clamp(1, ELEMENTS_LIMIT))
    }
}

/// Spreads about `elements` over `rank` dimensions; the product is at most `elements`.
pub fn counts(draw: &mut Draw<'_>, elements: u32, rank: usize) -> [u16; 4] {
    let mut counts = [1u16; 4];
    let mut left = elements.clamp(1, ELEMENTS_LIMIT);
    // Dimensions that get a factor of their own before X takes the rest.
    let split = draw.weighted(&[(40, 0), (30, 1), (20, 2), (10, 3)]).min(rank - 1);
    for count in &mut counts[1..=split] {
        let most = left.min(5);
        let factor = draw.between(1, most);
        *count = factor as u16;
        left /= factor;
    }
    counts[0] = left.max(1) as u16;
    if split > 0 && draw.percent(35) {
        counts[..rank].rotate_left(draw.between(1, rank as u32 - 1) as usize);
    }
    counts
}

/// Another shape with as many elements.
pub fn reshaped(draw: &mut Draw<'_>, counts: [u16; 4], rank: usize) -> [u16; 4] {
    let elements: u32 = counts.iter().map(|&count| u32::from(count)).product();
    // Products of a walk's counts stay below 2^16 here; flattening needs one u16.
    let flat = |x: u32| x as u16;
    match draw.below(4) {
        0 => [flat(elements), 1, 1, 1],
        1 => {
            let mut other = counts;
            other[..rank].rotate_left(draw.between(1, rank as u32 - 1) as usize);
            // A fourth dimension that the rank lacks must stay 1.
            if rank < 4 && counts[3] != 1 { [flat(elements), 1, 1, 1] } else { other }
        }
        _ => {
            let mut divisors =
                [2u32, 3, 4, 5, 7, 8].into_iter().filter(|&d| elements.is_multiple_of(d));
            let start = draw.below(3) as usize;
            match divisors.nth(start).or_else(|| {
                [2u32, 3, 4, 5, 7, 8].into_iter().find(|&divisor| elements.is_multiple_of(divisor))
            }) {
                Some(divisor) => {
                    let dimension = draw.between(1, rank as u32 - 1) as usize;
                    let mut other = [1; 4];
                    other[0] = flat(elements / divisor);
                    other[dimension] = divisor as u16;
                    if draw.percent(30) {
                        other.swap(0, dimension);
                    }
                    other
                }
                None => [flat(elements), 1, 1, 1],
            }
        }
    }
}

/// How the dimensions of a pattern are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stride {
    /// No gaps, ascending.
    Contiguous,
    /// Rows with gaps behind.
    Padded,
    /// Every second to eighth element.
    Strided,
    /// Some dimensions run backwards.
    Negative,
    /// One dimension stands still.
    Broadcast,
    /// Every dimension stands still.
    Still,
    /// The axes swapped.
    Transposed,
    /// Small steps of either sign, elements visited twice.
    Tangled,
    /// One step as large as the room allows.
    Wide,
}

const STRIDES: &[(u32, Stride)] = &[
    (50, Stride::Contiguous),
    (10, Stride::Padded),
    (9, Stride::Strided),
    (9, Stride::Negative),
    (7, Stride::Broadcast),
    (1, Stride::Still),
    (6, Stride::Transposed),
    (5, Stride::Tangled),
    (3, Stride::Wide),
];

/// Steps at the ends of their range, for dimensions of one element.
const IDLE_STEPS: &[i16] = &[0, -1, 2, i16::MAX, i16::MIN, -7, 1000];

/// Draws steps for these counts such that the walk spans at most `room` bytes, and is gapless if
/// nothing else fits.
pub fn steps(draw: &mut Draw<'_>, counts: [u16; 4], rank: usize, size: u32, room: u32) -> [i16; 4] {
    let plain = Walk::contiguous(counts);
    let elements: u32 = counts.iter().map(|&count| u32::from(count)).product();
    let mut steps = plain;
    match draw.weighted(STRIDES) {
        Stride::Contiguous => {}
        Stride::Padded => {
            let mut step = 1i32;
            for (mine, &count) in steps.iter_mut().zip(&counts) {
                *mine = i16::try_from(step).unwrap_or(1);
                step = step.saturating_mul(count.into()) + draw.between(1, 5) as i32;
            }
        }
        Stride::Strided => {
            let factor = draw.between(2, 8) as i16;
            steps = plain.map(|step| step.saturating_mul(factor));
        }
        Stride::Negative => {
            let mask = draw.between(1, 15);
            for (dimension, step) in steps.iter_mut().enumerate() {
                if mask >> dimension & 1 == 1 {
                    *step = -*step;
                }
            }
        }
        Stride::Broadcast => {
            let inner = usize::from(counts[0] == 1);
            let dimension = (inner + draw.below(2) as usize).min(rank - 1);
            steps[dimension] = 0;
        }
        Stride::Still => steps = [0; 4],
        Stride::Transposed => {
            let mut reversed = counts;
            reversed[..rank].reverse();
            steps = Walk::contiguous(reversed);
            steps[..rank].reverse();
        }
        Stride::Tangled => steps = std::array::from_fn(|_| draw.between(0, 8) as i16 - 4),
        Stride::Wide if elements <= 64 => {
            let dimension = (0..rank).find(|&d| counts[d] > 1).unwrap_or(0);
            let far = u32::from(counts[dimension] - 1).max(1);
            let most = (room / size / far).saturating_sub(elements).min(32767);
            let step = draw.between(most / 2, most) as i16;
            steps[dimension] = if draw.percent(30) { -step } else { step };
        }
        Stride::Wide => {}
    }
    if draw.percent(12) {
        for dimension in (0..rank).filter(|&dimension| counts[dimension] == 1) {
            steps[dimension] = draw.pick(IDLE_STEPS);
        }
    }
    let (low, high) = Walk { word: 0, steps, counts }.reach();
    if (high - low + 1) * i64::from(size) > i64::from(room) { plain } else { steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{CaseSeed, expand};

    #[test]
    fn shapes_keep_their_element_count_and_steps_their_room() {
        let (mut bytes, mut shapes) = (Vec::new(), std::collections::BTreeSet::new());
        for seed in 0..400 {
            expand(CaseSeed(seed), &mut bytes);
            let mut draw = Draw::new(&bytes);
            for rank in [3, 4] {
                let counts = counts(&mut draw, 24, rank);
                let other = reshaped(&mut draw, counts, rank);
                for shape in [counts, other] {
                    assert!(shape.iter().all(|&count| count > 0));
                    assert!(rank == 4 || shape[3] == 1, "{shape:?}");
                    let steps = steps(&mut draw, shape, rank, 2, 4000);
                    let (low, high) = Walk { word: 0, steps, counts: shape }.reach();
                    assert!((high - low + 1) * 2 <= 4000);
                    shapes.insert(steps);
                }
                let product = |c: [u16; 4]| c.iter().map(|&c| u32::from(c)).product::<u32>();
                assert_eq!(product(counts), product(other));
                assert!(product(counts) <= 24);
            }
        }
        assert!(shapes.len() > 200);
    }

    #[test]
    fn the_default_sizes_are_small_on_average_and_reach_the_ends() {
        let (mut bytes, mut work, mut most) = (Vec::new(), 0, (0, 0));
        for seed in 0..4000 {
            expand(CaseSeed(seed), &mut bytes);
            let (channels, elements) =
                Tier::Ordinary.size(&mut Draw::new(&bytes), &TensorOptions::DEFAULT);
            work += channels * elements;
            most = (most.0.max(channels), most.1.max(elements));
        }
        assert!((12..=26).contains(&(work / 4000)), "{}", work / 4000);
        assert!(most.0 > 100 && most.1 > 60, "{most:?}");
        assert_eq!(Tier::Huge.size(&mut Draw::new(&[]), &TensorOptions::DEFAULT), (128, 4096));
    }
}
