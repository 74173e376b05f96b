//! Comparison of vector outcomes: verdict of every bundle, every register of every file, the memory
//! lines that either model wrote, and the schedule. CPENABLE and the switches belong to the case and
//! are not part of an outcome.

use super::{
    Aspect, Comparison, Divergence, Observed, Place, VectorRegister, compare_steps, schedule,
};
use contract::isa::RegClass;
use contract::outcome::{VectorOutcome, VectorStep};
use contract::state::{LINE, VectorMemory, VectorState};

pub(super) fn compare(expected: &VectorOutcome, actual: &VectorOutcome, result: &mut Comparison) {
    compare_steps(&expected.steps, &actual.steps, result, |step, expected, actual, result| {
        let shown =
            |side: Option<&VectorStep>| side.cloned().map_or(Observed::Absent, Observed::Vector);
        result.record(
            1,
            Divergence {
                aspect: Aspect::Verdict,
                step: Some(step),
                place: Place::Verdict,
                expected: shown(expected),
                actual: shown(actual),
            },
        );
    });
    compare_registers(&expected.state, &actual.state, result);
    compare_memory(&expected.state.memory, &actual.state.memory, result);
    schedule::compare(expected.schedule.as_ref(), actual.schedule.as_ref(), result);
}

fn compare_registers(expected: &VectorState, actual: &VectorState, result: &mut Comparison) {
    let mut file = Files { result };
    let word = |value: u64, digits: u8| Observed::Word(value, digits);
    file.compare(RegClass::Ar, &expected.ar, &actual.ar, |&value| word(u64::from(value), 8));
    file.compare(RegClass::Vec, &expected.vec, &actual.vec, |line| Observed::bytes(&line.0));
    file.compare(RegClass::Vbool, &expected.vbool, &actual.vbool, |&value| word(value, 16));
    file.compare(RegClass::Valign, &expected.valign, &actual.valign, |line| {
        Observed::bytes(&line.0)
    });
    file.compare(RegClass::Wvec, &expected.wvec, &actual.wvec, |wide| Observed::bytes(wide));
    file.compare(RegClass::Pr, &expected.pr, &actual.pr, |&value| word(value, 16));
    file.compare(RegClass::Gvr, &expected.gvr, &actual.gvr, |line| Observed::bytes(&line.0));
    file.compare_named(VectorRegister::Fs, &expected.fs, &actual.fs, |&value| word(value, 16));
    let named = |value: &u16| word(u64::from(*value), 4);
    file.compare_named(|_| VectorRegister::Fcr, &[expected.fcr], &[actual.fcr], named);
    file.compare_named(|_| VectorRegister::Fsr, &[expected.fsr], &[actual.fsr], named);
}

/// Compares register files one after the other.
struct Files<'a> {
    result: &'a mut Comparison,
}

impl Files<'_> {
    fn compare<T: PartialEq, const N: usize>(
        &mut self,
        class: RegClass,
        expected: &[T; N],
        actual: &[T; N],
        shown: impl Fn(&T) -> Observed,
    ) {
        self.compare_named(|index| VectorRegister::File(class, index), expected, actual, shown);
    }

    fn compare_named<T: PartialEq, const N: usize>(
        &mut self,
        name: impl Fn(u8) -> VectorRegister,
        expected: &[T; N],
        actual: &[T; N],
        shown: impl Fn(&T) -> Observed,
    ) {
        self.result.compared.values += N as u64;
        if expected == actual {
            return;
        }
        for (index, (mine, theirs)) in expected.iter().zip(actual).enumerate() {
            if mine != theirs {
                self.result.record(
                    1,
                    Divergence {
                        aspect: Aspect::Value,
                        step: None,
                        place: Place::Register(name(index as u8)),
                        expected: shown(mine),
                        actual: shown(theirs),
                    },
                );
            }
        }
    }
}

fn compare_memory(expected: &VectorMemory, actual: &VectorMemory, result: &mut Comparison) {
    if expected.base() != actual.base() || expected.bytes().len() != actual.bytes().len() {
        let shown = |memory: &VectorMemory| {
            Observed::Text(
                format!("{} bytes from {:#010x}", memory.bytes().len(), memory.base()).into(),
            )
        };
        result.record(
            1,
            Divergence {
                aspect: Aspect::Value,
                step: None,
                place: Place::Window,
                expected: shown(expected),
                actual: shown(actual),
            },
        );
        return;
    }
    expected.for_touched_lines(actual, |line| {
        let start = line * LINE;
        let end = (start + LINE).min(expected.bytes().len());
        let (mine, theirs) = (&expected.bytes()[start..end], &actual.bytes()[start..end]);
        result.compared.values += mine.len() as u64;
        if mine == theirs {
            return;
        }
        let mut at = 0;
        while at < mine.len() {
            if mine[at] == theirs[at] {
                at += 1;
                continue;
            }
            let mut after = at + 1;
            while after < mine.len() && mine[after] != theirs[after] {
                after += 1;
            }
            result.record(
                (after - at) as u64,
                Divergence {
                    aspect: Aspect::Value,
                    step: None,
                    place: Place::VectorMemory {
                        address: expected.base() + (start + at) as u32,
                        bytes: (after - at) as u32,
                    },
                    expected: Observed::bytes(&mine[at..after]),
                    actual: Observed::bytes(&theirs[at..after]),
                },
            );
            at = after;
        }
    });
}
