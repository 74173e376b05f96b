//! Coverage of vector values: what the operands of an op hold when it runs. Only registers that no earlier
//! bundle has written are looked at, as their values stand in the case.

use super::bits::Hits;
use super::group::GroupId;
use crate::generate::vector::targets::lanes;
use contract::case::{RegisterValue, VectorCase};
use contract::isa::Mnemonic;
use contract::isa::RegClass;
use contract::outcome::VectorStep;
use contract::schedule::{Role, Schedule};
use contract::state::LINE;
use std::sync::LazyLock;

/// How the lanes of a vector operand relate; the last one is set beside one of the others.
pub(super) const PATTERNS: [&str; 6] = [
    "all lanes zero",
    "all lanes equal",
    "most neighbours equal",
    "two values in turn",
    "most neighbours different",
    "an extreme lane",
];

/// How many lanes of a predicate are set; the last one is set beside one of the others.
pub(super) const DENSITIES: [&str; 6] = [
    "no lane set",
    "one lane set",
    "fewer than half set",
    "half or more set",
    "every lane set",
    "bits set that do not count",
];

/// Bytes and kind of every op's lanes.
static LANES: LazyLock<Vec<(usize, bool)>> = LazyLock::new(|| Mnemonic::all().map(lanes).collect());

/// Sets the bins that the accepted bundles of a program hit.
pub(super) fn collect(
    case: &VectorCase,
    steps: &[VectorStep],
    schedule: &Schedule,
    seen: &mut Hits,
    hits: &mut Hits,
) {
    let mut vectors: [Option<&[u8; LINE]>; 32] = [None; 32];
    let mut predicates = [0; 16];
    for value in &case.state {
        match value {
            RegisterValue::Vec(index, line) => vectors[usize::from(*index) % 32] = Some(&line.0),
            RegisterValue::Vbool(index, bits) => predicates[usize::from(*index) % 16] = *bits,
            _ => {}
        }
    }
    let (mut vector_gone, mut predicate_gone) = (0u32, 0u32);
    for (bundle, step) in schedule.bundles.iter().zip(steps) {
        if *step == VectorStep::Accept {
            for op in schedule.ops_of(bundle) {
                let number = op.op.index();
                let (bytes, float) = LANES[number];
                for posting in schedule.postings_of(op) {
                    let (Role::Use, Some(index)) = (posting.role, posting.index) else { continue };
                    match posting.class {
                        RegClass::Vec if vector_gone >> index & 1 == 0 => {
                            let first = number * PATTERNS.len();
                            if seen.of(GroupId::LanePattern).has_all(first, PATTERNS.len()) {
                                continue;
                            }
                            let line = vectors[usize::from(index) % 32].unwrap_or(&[0; LINE]);
                            let (pattern, extreme) = pattern(line, bytes, float);
                            let found = [Some(pattern), extreme.then_some(5)];
                            for bin in found.into_iter().flatten() {
                                seen.set(GroupId::LanePattern, first + bin);
                                hits.set(GroupId::LanePattern, first + bin);
                            }
                        }
                        RegClass::Vbool if predicate_gone >> index & 1 == 0 => {
                            let first = number * DENSITIES.len();
                            let bits = predicates[usize::from(index) % 16];
                            let (density, dirty) = density(bits, bytes);
                            hits.set(GroupId::Density, first + density);
                            if dirty {
                                hits.set(GroupId::Density, first + 5);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        for op in schedule.ops_of(bundle) {
            for posting in schedule.postings_of(op) {
                if let (Role::Def, Some(index)) = (posting.role, posting.index) {
                    match posting.class {
                        RegClass::Vec => vector_gone |= 1 << (index % 32),
                        RegClass::Vbool => predicate_gone |= 1 << (index % 32),
                        _ => {}
                    }
                }
            }
        }
    }
}

/// Number of the pattern, and whether a lane is extreme: an integer at the end of its signed or unsigned
/// range, a float that is no number.
fn pattern(line: &[u8; LINE], bytes: usize, float: bool) -> (usize, bool) {
    match bytes {
        1 => relation(line.iter().copied(), |lane| matches!(lane, 0x7f | 0x80 | 0xff)),
        2 => {
            let lanes = line.as_chunks::<2>().0.iter().map(|&lane| u16::from_le_bytes(lane));
            relation(lanes, |lane| match float {
                true => lane & 0x7fff > 0x7c00,
                false => matches!(lane, 0x7fff | 0x8000 | 0xffff),
            })
        }
        _ => {
            let lanes = line.as_chunks::<4>().0.iter().map(|&lane| u32::from_le_bytes(lane));
            relation(lanes, |lane| match float {
                true => lane & 0x7fff_ffff > 0x7f80_0000,
                false => matches!(lane, 0x7fff_ffff | 0x8000_0000 | 0xffff_ffff),
            })
        }
    }
}

fn relation<T: Copy + PartialEq + Default>(
    lanes: impl ExactSizeIterator<Item = T> + Clone,
    extreme: impl Fn(T) -> bool,
) -> (usize, bool) {
    let pairs = lanes.len() - 1;
    let equal = lanes.clone().zip(lanes.clone().skip(1)).filter(|(one, next)| one == next).count();
    let found = lanes.clone().any(&extreme);
    let pattern = if equal == pairs {
        usize::from(lanes.clone().any(|lane| lane != T::default()))
    } else if 2 * equal >= pairs {
        2
    } else if equal == 0 && lanes.clone().zip(lanes.clone().skip(2)).all(|(one, next)| one == next)
    {
        3
    } else {
        4
    };
    (pattern, found)
}

/// Number of the density over lanes of so many bytes, and whether other bits are set.
fn density(bits: u64, bytes: usize) -> (usize, bool) {
    let first = match bytes {
        1 => u64::MAX,
        2 => 0x5555_5555_5555_5555,
        _ => 0x1111_1111_1111_1111,
    };
    let (set, lanes) = ((bits & first).count_ones(), first.count_ones());
    let density = match set {
        0 => 0,
        1 => 1,
        set if set == lanes => 4,
        set if 2 * set < lanes => 2,
        _ => 3,
    };
    // A clean predicate repeats the bit that counts over the bytes of its lane.
    let clean = (0..bytes).fold(0, |clean, shift| clean | (bits & first) << shift);
    (density, bits != clean && bits != bits & first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(element: impl Fn(usize) -> u16) -> [u8; LINE] {
        let mut line = [0; LINE];
        for (at, bytes) in line.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            *bytes = element(at).to_le_bytes();
        }
        line
    }

    #[test]
    fn lanes_are_told_apart_by_their_relation() {
        assert_eq!(pattern(&line(|_| 0), 2, false), (0, false));
        assert_eq!(pattern(&line(|_| 7), 2, false), (1, false));
        assert_eq!(pattern(&line(|_| 0x8000), 2, false), (1, true));
        assert_eq!(pattern(&line(|_| 0x8000), 2, true), (1, false));
        assert_eq!(pattern(&line(|_| 0x7c01), 2, true), (1, true));
        assert_eq!(pattern(&line(|at| u16::from(at == 5)), 2, false), (2, false));
        assert_eq!(pattern(&line(|at| at as u16 % 2), 2, false), (3, false));
        assert_eq!(pattern(&line(|at| at as u16), 2, false), (4, false));
        // The same bytes are other lanes at another width.
        assert_eq!(pattern(&line(|_| 1), 1, false), (3, false));
    }

    #[test]
    fn predicates_are_told_apart_by_their_lanes() {
        assert_eq!(density(0, 2), (0, false));
        assert_eq!(density(0b11, 2), (1, false));
        assert_eq!(density(0b10, 2), (0, true));
        assert_eq!(density(0xff, 1), (2, false));
        assert_eq!(density(u64::MAX, 4), (4, false));
        assert_eq!(density(u64::MAX >> 1, 1), (3, false));
        assert_eq!(density(u64::MAX >> 1, 4), (4, true));
    }
}
