//! Mutations of cases. What comes out has the form that the reader of cases takes.

use super::{Random, bundles, record};
use contract::case::{Case, RegisterValue, TensorCase, VectorCase};
use contract::isa::Generation;
use contract::profile::Profile;
use contract::state::Line;

/// Most steps that a program grows to.
const MOST_STEPS: usize = 24;

/// Changes one thing in a case.
pub(super) fn change(case: &mut Case, random: &mut Random) {
    match case {
        Case::Tensor(case) => tensor(case, random),
        Case::Vector(case) => vector(case, random),
    }
}

fn tensor(case: &mut TensorCase, random: &mut Random) {
    match random.of(16) {
        0 => {
            // Regions may be memory that another generation does not have.
            let psum = case.memory.iter().any(|region| region.space.name() == "psum");
            let reach = case.memory.iter().map(|region| region.offset + region.stride).max();
            let other = random.pick(Generation::ALL);
            let geometry = other.geometry();
            let room = reach.unwrap_or(0) <= geometry.psum_active.min(geometry.sbuf_active);
            if !(psum || other.geometry().psum_region == 0) && room || case.memory.is_empty() {
                case.generation = other;
            }
        }
        1 => steps(&mut case.program, random),
        2 => switch(&mut case.profile, random),
        3 => {
            let address = random.word() as u32 >> random.of(32);
            case.registers.insert(random.of(64) as u8, address);
        }
        4..=7 => {
            if let Some(region) = random.at(&case.memory) {
                bytes(&mut case.memory[region].data, random);
            }
        }
        _ => {
            if let Some(step) = random.at(&case.program) {
                record::change(&mut case.program[step], random);
            }
        }
    }
}

fn vector(case: &mut VectorCase, random: &mut Random) {
    match random.of(16) {
        0 => switch(&mut case.profile, random),
        1 => case.cpenable = random.pick(&[2, 0, 0xFD, 0xFF]),
        2 | 3 => {
            if let Some(chunk) = random.at(&case.memory.init) {
                bytes(&mut case.memory.init[chunk].data, random);
            }
        }
        4..=8 => {
            if let Some(register) = random.at(&case.state) {
                self::register(&mut case.state[register], random);
            }
        }
        9 => steps(&mut case.program, random),
        _ => bundles::change(&mut case.program, random),
    }
}

/// Takes a step out, doubles one, or swaps two.
fn steps<T: Clone>(program: &mut Vec<T>, random: &mut Random) {
    let Some(at) = random.at(program) else { return };
    match random.of(3) {
        0 if program.len() > 1 => drop(program.remove(at)),
        1 if program.len() < MOST_STEPS => program.insert(at, program[at].clone()),
        _ => {
            let other = random.of(program.len());
            program.swap(at, other);
        }
    }
}

fn switch(profile: &mut Profile, random: &mut Random) {
    let key = random.pick(Profile::SWITCHES);
    if let Some(values) = Profile::values_of(key)
        && let Some(at) = random.at(&values)
    {
        // A listed value of a listed switch cannot be refused.
        let _ = profile.set(key, values[at]);
    }
}

/// Changes a few elements.
fn bytes(data: &mut [u8], random: &mut Random) {
    for _ in 0..=random.of(4) {
        let Some(at) = random.at(data) else { return };
        let size = random.pick(&[1, 2, 4]).min(data.len() - at);
        let word: u32 = match random.of(4) {
            // Ends of the integers; infinities, NaNs and zeros of the formats.
            0 => random.pick(&[0, u32::MAX, 0x7F80_0000, 0xFFC0_0000, 0x8000_0000, 0x7FFF_FFFF]),
            1 => random.pick(&[0x7C00_7C00, 0x7E00_FC00, 0x8000_8000, 0x7FFF_8001, 0x0001_0001]),
            2 => random.word() as u32 >> random.of(32),
            _ => random.word() as u32,
        };
        data[at..at + size].copy_from_slice(&word.to_le_bytes()[..size]);
    }
}

fn register(value: &mut RegisterValue, random: &mut Random) {
    match value {
        RegisterValue::Ar(_, value) => {
            *value = match random.of(3) {
                0 => value.wrapping_add(random.pick(&[1, 64, u32::MAX, 63, 4])),
                1 => *value ^ 1 << random.of(32),
                _ => random.word() as u32 >> random.of(32),
            }
        }
        RegisterValue::Vec(_, line)
        | RegisterValue::Valign(_, line)
        | RegisterValue::Gvr(_, line) => {
            let Line(data) = line.as_mut();
            bytes(data, random);
        }
        RegisterValue::Wvec(_, data) => bytes(&mut data[..], random),
        RegisterValue::Vbool(_, value) => {
            *value = match random.of(4) {
                0 => 0,
                1 => u64::MAX,
                2 => *value ^ 1 << random.of(64),
                _ => random.word(),
            }
        }
        RegisterValue::Pr(_, value) => *value = random.word(),
        // The words of these have bits that the reader refuses; one bit less is always a word.
        RegisterValue::Fs(_, value) => *value &= random.word(),
        RegisterValue::Fcr(value) | RegisterValue::Fsr(value) => *value &= random.word() as u16,
    }
}
