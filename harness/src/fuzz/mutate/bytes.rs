//! Mutations of drawn inputs: decisions stay where they stand.

use super::super::input::HEADER;
use super::Random;

/// Changes a drawn input in place; gives the new size.
pub(super) fn change(data: &mut [u8], mut size: usize, most: usize, random: &mut Random) -> usize {
    for _ in 0..=random.of(3) {
        size = once(data, size, most, random);
    }
    size
}

fn once(data: &mut [u8], size: usize, most: usize, random: &mut Random) -> usize {
    if size < HEADER {
        return lengthen(data, size, most, random);
    }
    match random.of(16) {
        0 => {
            // The size of the case, its switches or its op.
            match random.of(3) {
                0 => data[0] ^= 1 << random.of(4),
                1 => data[0] = data[0] & !3 | random.of(4) as u8,
                _ => {
                    data[0] |= 8;
                    data[1] = random.word() as u8;
                    data[2] = random.of(2) as u8;
                }
            }
            size
        }
        1 => HEADER.max(size - random.of(size - HEADER + 1)),
        2 | 3 => lengthen(data, size, most, random),
        4 => {
            // The same decisions again, further on.
            let length = 1 + random.of(16.min(size));
            let (from, to) = (random.of(size - length + 1), random.of(size - length + 1));
            data.copy_within(from..from + length, to);
            size
        }
        5..=7 => {
            // A word: a probability or a sub-seed.
            let length = random.pick(&[2, 4, 8]).min(size);
            let at = random.of(size - length + 1);
            let word = match random.of(3) {
                0 => 0,
                1 => u64::MAX,
                _ => random.word(),
            };
            data[at..at + length].copy_from_slice(&word.to_le_bytes()[..length]);
            size
        }
        8..=10 => {
            let at = random.of(size);
            data[at] = data[at].wrapping_add(random.pick(&[1, 255, 16, 240, 128]));
            size
        }
        _ => {
            let at = random.of(size);
            data[at] = random.word() as u8;
            size
        }
    }
}

/// Decisions that were zeros so far become random.
fn lengthen(data: &mut [u8], size: usize, most: usize, random: &mut Random) -> usize {
    let more = (1 + random.of(64)).min(most - size);
    for byte in &mut data[size..size + more] {
        *byte = random.word() as u8;
    }
    size + more
}
