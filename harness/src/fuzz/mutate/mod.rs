//! A mutator that knows what inputs are made of, beside the engine's own.
//!
//! - A drawn input is a list of decisions by place, so most mutations overwrite decisions where they
//!   stand, cut the tail off, or lengthen it; inserting a byte would give every later decision to another
//!   question. `bytes`.
//! - A case in JSON is read, changed as a case, and written again. `case`, `bundles`, `record`.
//! - A record is changed field by field. `record`.
//!
//! The engine's own mutations stay in the mix: they know the coverage, comparisons and dictionary.

mod bundles;
mod bytes;
mod case;
mod record;

use super::input::{DESCRIPTOR, is_json};
use super::{Target, WORKER, Worker};
use contract::case::RECORD;
use contract::json::{read_case, write_case};
use contract::text::{parse_program, write_bundle};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// The engine's own mutation: buffer, size, largest size; gives the new size.
pub type Default<'a> = &'a mut dyn FnMut(&mut [u8], usize, usize) -> usize;

/// Changes the first `size` bytes of `data` in place and gives the new size, at most `most`.
pub fn mutate(
    target: Target,
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    default: Default<'_>,
) -> usize {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed.into()));
    let most = most.min(data.len());
    let size = size.min(most);
    let own = match target {
        Target::Empty => None,
        Target::DescriptorVerdict if random.of(4) != 0 => {
            Some(descriptor(data, size, most, &mut random))
        }
        Target::TensorDiff | Target::VectorDiff | Target::ScheduleDiff => {
            diff(target, data, size, most, &mut random)
        }
        Target::CaseJson if random.of(3) == 0 => in_json(data, size, most, &mut random),
        Target::BundleText if random.of(3) == 0 => program(data, size, most, &mut random),
        _ => None,
    };
    own.unwrap_or_else(|| default(data, size, most))
}

fn diff(
    target: Target,
    data: &mut [u8],
    size: usize,
    most: usize,
    random: &mut Random,
) -> Option<usize> {
    if is_json(&data[..size]) {
        return if random.of(8) == 0 { None } else { in_json(data, size, most, random) };
    }
    match random.of(64) {
        // Now and then the case itself is changed, which no decision of the generator could do.
        0 => WORKER.with_borrow_mut(|worker| {
            let worker = worker.get_or_insert_with(|| Worker::new(None));
            let mut case = worker.decode(target, &data[..size]).ok()?.clone();
            case::change(&mut case, random);
            put(data, most, &write_case(&case))
        }),
        1..=16 => None,
        _ => Some(bytes::change(data, size, most, random)),
    }
}

fn descriptor(data: &mut [u8], size: usize, most: usize, random: &mut Random) -> usize {
    let length = most.min(DESCRIPTOR);
    if size < length {
        data[size..length].fill(0);
    }
    if let Some(record) = data[..length].first_chunk_mut::<RECORD>() {
        record::change(record, random);
    }
    if length == DESCRIPTOR && random.of(8) == 0 {
        data[RECORD] = random.of(5) as u8;
    }
    length
}

/// Changes a case in JSON; nothing if the bytes are none.
fn in_json(data: &mut [u8], size: usize, most: usize, random: &mut Random) -> Option<usize> {
    let mut case = read_case(std::str::from_utf8(&data[..size]).ok()?).ok()?;
    for _ in 0..=random.of(3) {
        case::change(&mut case, random);
    }
    put(data, most, &write_case(&case))
}

/// Changes the text of a program; nothing if the bytes are none.
fn program(data: &mut [u8], size: usize, most: usize, random: &mut Random) -> Option<usize> {
    let mut program = parse_program(std::str::from_utf8(&data[..size]).ok()?).ok()?;
    bundles::change(&mut program, random);
    let mut text = String::new();
    for bundle in &program {
        // Writing to a string cannot fail.
        let _ = write_bundle(&mut text, bundle);
        text.push('\n');
    }
    put(data, most, &text)
}

fn put(data: &mut [u8], most: usize, text: &str) -> Option<usize> {
    if text.len() > most {
        return None;
    }
    data[..text.len()].copy_from_slice(text.as_bytes());
    Some(text.len())
}

/// Where mutations take their choices from.
struct Random(Xoshiro256PlusPlus);

impl Random {
    /// A number below `bound`, which is not 0.
    fn of(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// One of the choices.
    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.of(choices.len())]
    }

    /// A place of a list; `None` if it is empty.
    fn at<T>(&mut self, list: &[T]) -> Option<usize> {
        (!list.is_empty()).then(|| self.of(list.len()))
    }
}

/// Changes a case as a whole; for tests.
#[cfg(test)]
fn changed(case: &contract::case::Case, seed: u64) -> contract::case::Case {
    let mut case = case.clone();
    case::change(&mut case, &mut Random(Xoshiro256PlusPlus::seed_from_u64(seed)));
    case
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{CaseSeed, Family, Generator, Options};

    #[test]
    fn whatever_a_case_is_changed_into_reads_back() {
        let mut generator = Generator::new(Options::default());
        for &family in Family::ALL {
            let (mut differ, mut read) = (0, 0);
            for number in 0..400 {
                let mut case = generator.case(family, CaseSeed::of(9, number)).case;
                for step in 0..8 {
                    let next = changed(&case, number * 8 + step);
                    differ += u32::from(next != case);
                    case = next;
                }
                // Regions may have come to overlap, and nothing else may be wrong.
                match read_case(&write_case(&case)) {
                    Ok(again) => {
                        assert_eq!(write_case(&again), write_case(&case));
                        read += 1;
                    }
                    Err(error) => panic!("{error}: {}", write_case(&case)),
                }
            }
            assert!(differ > 2000 && read == 400, "{differ} {read}");
        }
    }

    #[test]
    fn sizes_are_kept_and_the_same_seed_does_the_same() {
        for target in Target::ALL {
            for seed in 0..300 {
                let run = || {
                    let mut data: Vec<u8> = (0..200).map(|at| (at * 7) as u8).collect();
                    let mut default = |data: &mut [u8], size: usize, _: usize| {
                        data[0] ^= 1;
                        size
                    };
                    let size = mutate(target, &mut data, 100, 150, seed, &mut default);
                    assert!(size <= 150);
                    data.truncate(size);
                    data
                };
                assert_eq!(run(), run());
            }
        }
    }
}
