//! EXEC-OVERLAP (spec 01 DD-OVERLAP): a destination and a source must share no byte, or coincide.
//!
//! Every channel walks the same offsets, so one channel decides. Cheap tests come first: the memories
//! and partitions, equal canonical walks, hulls, and residues modulo the steps of outer axes (rows of
//! a matrix, interleaved columns). What they leave open is settled exactly with a bitmap over the
//! common part of the two hulls.

use super::execution::Operand;
use crate::tensor::Walk;

/// Bitmap of the exact test, kept between instructions.
#[derive(Debug, Clone, Default)]
pub(crate) struct OverlapScratch(Vec<u64>);

/// True if the two operands, each of `channels` channels, overlap without coinciding.
pub(crate) fn may_not_run(
    destination: &Operand,
    source: &Operand,
    channels: u32,
    scratch: &mut OverlapScratch,
) -> bool {
    if destination.space != source.space
        || destination.partition.abs_diff(source.partition) >= channels
        || destination.high <= source.low
        || source.high <= destination.low
    {
        return false;
    }
    let coincide = destination.partition == source.partition && destination.walk == source.walk;
    !coincide && share_bytes(&destination.walk, &source.walk, scratch)
}

/// True if two walks share a byte.
fn share_bytes(a: &Walk, b: &Walk, scratch: &mut OverlapScratch) -> bool {
    if apart_in_residues(a, b) {
        return false;
    }
    // Two solid blocks whose hulls meet share what the hulls share.
    (is_solid(a) && is_solid(b)) || share_bytes_exactly(a, b, scratch)
}

/// True if the walk covers every byte of its hull in one axis.
fn is_solid(walk: &Walk) -> bool {
    match walk.axes() {
        [] => true,
        [axis] => axis.step.unsigned_abs() <= u64::from(walk.size),
        _ => false,
    }
}

/// True if some modulus keeps the walks apart. Take the greatest common divisor `g` of the steps of
/// the outer axes of both, for every choice of where the outer axes begin: modulo `g` each walk stays
/// in the interval that its inner axes span, and intervals that do not meet modulo `g` share nothing.
fn apart_in_residues(a: &Walk, b: &Walk) -> bool {
    let (spans_a, spans_b) = (inner_spans(a), inner_spans(b));
    spans_a.iter().take(a.axes().len() + 1).any(|&(low_a, high_a, outer_a)| {
        spans_b.iter().take(b.axes().len() + 1).any(|&(low_b, high_b, outer_b)| {
            let modulus = gcd(outer_a, outer_b) as i64;
            // They meet if a multiple of the modulus lies strictly between these two.
            let (from, to) = (low_b - high_a, high_b - low_a);
            if modulus == 0 {
                from >= 0 || to <= 0
            } else {
                (to - 1).div_euclid(modulus) * modulus <= from
            }
        })
    })
}

/// For every split of the axes into inner and outer: the interval of the inner axes, and the greatest
/// common divisor of the outer steps (0 without outer axes).
fn inner_spans(walk: &Walk) -> [(i64, i64, u64); 5] {
    let mut spans = [(0, 0, 0); 5];
    let (mut low, mut high) = (walk.start, walk.start + i64::from(walk.size));
    spans[0] = (low, high, 0);
    for (split, axis) in walk.axes().iter().enumerate() {
        let reach = axis.step * (axis.count - 1) as i64;
        low += reach.min(0);
        high += reach.max(0);
        spans[split + 1] = (low, high, 0);
    }
    let mut divisor = 0;
    for (split, axis) in walk.axes().iter().enumerate().rev() {
        divisor = gcd(divisor, axis.step.unsigned_abs());
        spans[split].2 = divisor;
    }
    spans
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Marks the bytes of one walk inside the common part of the hulls and looks for one of the other's.
fn share_bytes_exactly(a: &Walk, b: &Walk, scratch: &mut OverlapScratch) -> bool {
    let ((low_a, high_a), (low_b, high_b)) = (a.hull(), b.hull());
    let (low, high) = (low_a.max(low_b), high_a.min(high_b));
    // Starts and steps are multiples of the element sizes, so the smaller size is the unit.
    let unit = i64::from(a.size.min(b.size));
    let bitmap = &mut scratch.0;
    bitmap.clear();
    bitmap.resize(((high - low) / unit) as usize / 64 + 1, 0);
    for_units(a, unit, (low, high), |unit| bitmap[unit / 64] |= 1 << (unit % 64));
    let mut found = false;
    for_units(b, unit, (low, high), |unit| found |= bitmap[unit / 64] >> (unit % 64) & 1 == 1);
    found
}

/// Calls `visit` with every unit of a walk inside a window, counted from the window's start.
fn for_units(walk: &Walk, unit: i64, (low, high): (i64, i64), mut visit: impl FnMut(usize)) {
    let step = walk.inner_step();
    walk.for_runs(0, walk.length() as usize, |offset, run| {
        for index in 0..run as i64 {
            let element = offset + index * step;
            for part in 0..i64::from(walk.size) / unit {
                let byte = element + part * unit;
                if (low..high).contains(&byte) {
                    visit(((byte - low) / unit) as usize);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn bytes(walk: &Walk) -> HashSet<i64> {
        let elements = (0..walk.length()).map(|position| walk.at(position));
        elements.flat_map(|first| first..first + i64::from(walk.size)).collect()
    }

    fn walk() -> impl Strategy<Value = Walk> {
        (
            0i64..12,
            prop::sample::select(vec![1u32, 2, 4]),
            prop::collection::vec((-9i16..10, 1u16..5), 1..=3),
        )
            .prop_map(|(start, size, pattern)| {
                Walk::new(600 + start * i64::from(size), size, pattern.into_iter())
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn shared_bytes_are_found_exactly(a in walk(), b in walk()) {
            let expected = !bytes(&a).is_disjoint(&bytes(&b));
            let hulls_meet = a.hull().0 < b.hull().1 && b.hull().0 < a.hull().1;
            let found = hulls_meet && share_bytes(&a, &b, &mut OverlapScratch::default());
            prop_assert_eq!(found, expected);
            // The cheap test may be inconclusive but never wrong.
            prop_assert!(!(apart_in_residues(&a, &b) && expected));
        }
    }

    #[test]
    fn matrix_halves_and_interleaved_columns_are_apart_without_the_bitmap() {
        let left = Walk::new(0, 4, [(1, 16), (32, 64)].into_iter());
        let right = Walk::new(64, 4, [(1, 16), (32, 64)].into_iter());
        assert!(apart_in_residues(&left, &right));
        let even = Walk::new(0, 2, [(2, 100)].into_iter());
        let odd = Walk::new(2, 2, [(2, 100)].into_iter());
        assert!(apart_in_residues(&even, &odd));
        assert!(!apart_in_residues(&even, &even));
    }
}
