//! Misreadings of chapter 04, as wrappers over [`VectorModel::step`]: the right model executes the bundle,
//! then the results of the misread op are replaced by what the misreading gives.

use super::Fault;
use crate::family::Family;
use crate::lane::Lane;
use crate::models::BoxedModel;
use contract::bundle::{Bundle, OpWord, Operand, SlotOp};
use contract::isa::Mnemonic;
use contract::model::{StepModel, VectorModel};
use contract::outcome::VectorStep;
use contract::profile::RbTie;
use contract::schedule::Schedule;
use contract::state::{Line, VectorState};

/// Faults of the vector family's values.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "sel-index-5-bits",
        family: Family::Vector,
        story: "SEL masks its index to 5 bits at every width, so the upper half of the pool is lost",
        source: "spec 04 section 5: index masks 0x7f, 0x3f and 0x1f",
        make: || wrap(Misreading { concerns: is_select, spoil: select_with_5_bits }),
    },
    Fault {
        name: "shfl-high-bits",
        family: Family::Vector,
        story: "SHFL takes an index beyond the lanes for a zero instead of ignoring its high bits",
        source: "spec 04 section 5: control bits above the mask are ignored",
        make: || wrap(Misreading { concerns: is_shuffle, spoil: shuffle_with_high_bits }),
    },
    Fault {
        name: "radds-unclamped",
        family: Family::Vector,
        story: "RADDS keeps the low 16 bits of the sum instead of clamping it",
        source: "spec 04 section 8.1: one clamp after the exact sum (V-23)",
        make: || {
            wrap(Misreading {
                concerns: |name| name.starts_with("RADDSNX16"),
                spoil: sum_without_clamp,
            })
        },
    },
    Fault {
        name: "rbmin-higher-lane",
        family: Family::Vector,
        story: "RBMIN flags the highest of the tied lanes instead of the lowest",
        source: "spec 04 section 8.2: `rb_tie = lowest` flags the lowest-numbered tied lane (V-02)",
        make: || {
            wrap(Misreading { concerns: |name| name.starts_with("RBMIN"), spoil: flag_highest })
        },
    },
    Fault {
        name: "valign-not-reprimed",
        family: Family::Vector,
        story: "an aligning load that crosses a line keeps the old line in its align register",
        source: "spec 04 section 4.2: u' is the fresh line where the step crosses (V-07)",
        make: || wrap(Misreading { concerns: is_aligning_load, spoil: keep_align }),
    },
    Fault {
        name: "sapos-not-clearing",
        family: Family::Vector,
        story: "SAPOS_FP flushes the pending bytes and leaves them in the align register",
        source: "spec 04 section 4.5: SAPOS_FP sets u to 0 (V-12)",
        make: || wrap(Misreading { concerns: |name| name == "SAPOS_FP", spoil: keep_align }),
    },
];

/// Registers before a bundle.
struct Before {
    vec: [Line; 32],
    vbool: [u64; 16],
    valign: [Line; 4],
}

/// A misread op.
struct Misreading {
    /// True for the names of the ops that are misread.
    concerns: fn(&str) -> bool,
    /// Replaces the op's results.
    spoil: fn(&Before, &Reading<'_>, &mut VectorState),
}

/// An op of an accepted bundle, its operands by name.
struct Reading<'a> {
    op: &'a SlotOp,
    mnemonic: Mnemonic,
    lane: Lane,
}

impl Reading<'_> {
    /// Index of the register that stands for an operand; `None` if the op has no such operand.
    fn register(&self, name: &str) -> Option<usize> {
        let operands = self.mnemonic.info().operands;
        let position = operands.iter().position(|(known, _)| *known == name)?;
        match self.op.operands.get(position)? {
            Operand::Reg(_, index) => Some(*index as usize),
            _ => None,
        }
    }

    fn lanes(&self) -> u32 {
        512 / self.lane.bits
    }

    /// An element of a register, zero-extended.
    fn element(&self, line: &Line, lane: u32) -> u64 {
        let bytes = self.lane.bytes();
        let at = lane as usize * bytes;
        let mut code = [0; 8];
        code[..bytes].copy_from_slice(&line.0[at..at + bytes]);
        u64::from_le_bytes(code)
    }

    /// Whether the op's predicate, if it has one, lets a lane through.
    fn lives(&self, before: &Before, lane: u32) -> bool {
        self.register("vbr")
            .is_none_or(|predicate| before.vbool[predicate] >> (lane * self.lane.field()) & 1 == 1)
    }

    /// Replaces the live lanes of the result `vt`.
    fn replace(
        &self,
        before: &Before,
        state: &mut VectorState,
        mut element: impl FnMut(u32) -> Option<u64>,
    ) {
        let Some(target) = self.register("vt") else { return };
        let bytes = self.lane.bytes();
        for lane in (0..self.lanes()).filter(|&lane| self.lives(before, lane)) {
            if let Some(code) = element(lane) {
                let at = lane as usize * bytes;
                state.vec[target].0[at..at + bytes].copy_from_slice(&code.to_le_bytes()[..bytes]);
            }
        }
    }
}

struct Faulty<M> {
    misreading: Misreading,
    model: M,
}

impl<M: VectorModel> VectorModel for Faulty<M> {
    fn begin(&mut self, state: &VectorState) {
        self.model.begin(state);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        let misread = |op: &SlotOp| match op.op {
            OpWord::Known(mnemonic) if (self.misreading.concerns)(mnemonic.name()) => {
                Some(mnemonic)
            }
            _ => None,
        };
        if bundle.ops.iter().all(|op| misread(op).is_none()) {
            return self.model.step(state, bundle, schedule);
        }
        let before = Before { vec: state.vec, vbool: state.vbool, valign: state.valign };
        let step = self.model.step(state, bundle, schedule);
        if step == VectorStep::Accept {
            for op in &bundle.ops {
                if let Some(mnemonic) = misread(op) {
                    let reading = Reading { op, mnemonic, lane: Lane::of(mnemonic) };
                    (self.misreading.spoil)(&before, &reading, state);
                }
            }
        }
        step
    }
}

fn wrap(misreading: Misreading) -> BoxedModel {
    let right = candidate::model();
    let vector = Faulty { misreading, model: right.vector };
    Box::new(StepModel::new("candidate with a planted fault", right.tensor, vector))
}

fn has_control(name: &str) -> bool {
    Mnemonic::from_name(name)
        .is_some_and(|op| op.info().operands.iter().any(|(operand, _)| *operand == "sr"))
}

fn is_select(name: &str) -> bool {
    name.starts_with("SEL") && has_control(name)
}

fn is_shuffle(name: &str) -> bool {
    name.starts_with("SHFL") && has_control(name)
}

/// The ops of the produce step (spec 04 section 4.2).
fn is_aligning_load(name: &str) -> bool {
    name.starts_with("LA") && !name.starts_with("LALIGN") && !name.starts_with("LA_PP")
}

fn select_with_5_bits(before: &Before, reading: &Reading<'_>, state: &mut VectorState) {
    let registers = (reading.register("vr"), reading.register("vs"), reading.register("sr"));
    let (Some(low), Some(high), Some(control)) = registers else { return };
    reading.replace(before, state, |lane| {
        let index = reading.element(&before.vec[control], lane) as u32 & 0x1F;
        let (half, index) =
            if index < reading.lanes() { (low, index) } else { (high, index - reading.lanes()) };
        Some(reading.element(&before.vec[half], index))
    });
}

fn shuffle_with_high_bits(before: &Before, reading: &Reading<'_>, state: &mut VectorState) {
    let Some(control) = reading.register("sr") else { return };
    reading.replace(before, state, |lane| {
        let index = reading.element(&before.vec[control], lane);
        (index >= u64::from(reading.lanes())).then_some(0)
    });
}

fn sum_without_clamp(before: &Before, reading: &Reading<'_>, state: &mut VectorState) {
    let (Some(target), Some(source)) = (reading.register("vt"), reading.register("vr")) else {
        return;
    };
    let sum = (0..reading.lanes())
        .filter(|&lane| reading.lives(before, lane))
        .map(|lane| reading.element(&before.vec[source], lane) as u16)
        .fold(0_u16, u16::wrapping_add);
    state.vec[target].0[..2].copy_from_slice(&sum.to_le_bytes());
}

fn flag_highest(before: &Before, reading: &Reading<'_>, state: &mut VectorState) {
    let registers = (reading.register("vt"), reading.register("vbt"), reading.register("vr"));
    let (Some(extremum), Some(flags), Some(source)) = registers else { return };
    if state.profile.rb_tie != RbTie::Lowest || state.vbool[flags] == 0 {
        return;
    }
    // The extremum stands in every lane of the result.
    let extremum = reading.element(&state.vec[extremum], 0);
    let highest = (0..reading.lanes()).rev().find(|&lane| {
        reading.lives(before, lane) && reading.element(&before.vec[source], lane) == extremum
    });
    if let Some(lane) = highest {
        let field = reading.lane.field();
        state.vbool[flags] = ((1 << field) - 1) << (lane * field);
    }
}

fn keep_align(before: &Before, reading: &Reading<'_>, state: &mut VectorState) {
    if let Some(align) = reading.register("u") {
        state.valign[align] = before.valign[align];
    }
}
