//! What the passes share: the type of a reduction, the chunk sizes of delta debugging, and
//! the ways toward a default.

use contract::profile::Profile;
use std::ops::Range;

/// One reduction: changes a copy of the case. Whether the copy is lighter and well-formed is checked
/// by the search, so an edit may be careless.
pub(super) type Edit<'a, C> = Box<dyn FnOnce(&mut C) + 'a>;

/// Reductions of a pass, made when they are asked for.
pub(super) type Edits<'a, C> = Box<dyn Iterator<Item = Edit<'a, C>> + 'a>;

/// Boxes an edit.
pub(super) fn edit<'a, C>(change: impl FnOnce(&mut C) + 'a) -> Edit<'a, C> {
    Box::new(change)
}

/// Aligned chunks of `0..count`, the whole first, then halves, down to single items: the sets that
/// delta debugging tries to leave out.
pub(super) fn chunks(count: usize) -> impl Iterator<Item = Range<usize>> {
    let widest = count.next_power_of_two();
    let sizes = std::iter::successors((count > 0).then_some(widest), |&size| {
        (size > 1).then_some(size / 2)
    });
    sizes.flat_map(move |size| {
        (0..count.div_ceil(size)).map(move |chunk| chunk * size..((chunk + 1) * size).min(count))
    })
}

/// Smaller numbers in the order in which they are tried: `floor`, half-way, one less. The last makes
/// a result minimal, the others make it fast.
pub(super) fn smaller(value: u64, floor: u64) -> impl Iterator<Item = u64> {
    let candidates = if value > floor {
        [floor, floor + (value - floor) / 2, value - 1].map(Some)
    } else {
        [None; 3]
    };
    candidates.into_iter().flatten()
}

/// Sets one switch to its default.
pub(super) fn set_default(profile: &mut Profile, key: &str) {
    if let Some(default) = Profile::default().get(key) {
        // Cannot fail: key and value come from the table of switches.
        let _ = profile.set(key, default);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_go_from_the_whole_to_single_items() {
        let all: Vec<_> = chunks(5).collect();
        assert_eq!(all, [0..5, 0..4, 4..5, 0..2, 2..4, 4..5, 0..1, 1..2, 2..3, 3..4, 4..5]);
        assert_eq!(chunks(0).count(), 0);
        assert!(chunks(1).eq(std::iter::once(0..1)));
    }

    #[test]
    fn smaller_numbers_end_with_one_less() {
        assert_eq!(smaller(9, 1).collect::<Vec<_>>(), [1, 5, 8]);
        assert_eq!(smaller(1, 1).count(), 0);
        assert_eq!(smaller(0, 1).count(), 0);
    }
}
