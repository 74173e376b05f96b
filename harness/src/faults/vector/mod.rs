//! Misreaders of the vector side. The right model judges, schedules and executes; then the values of the
//! misread ops are replaced: [`Misread::Spoil`] changes results, [`Misread::Rewrite`] executes the bundle
//! again as if something else stood there. [`judge`] misjudges bundles.

pub mod judge;

use crate::lane::Lane;
use contract::bundle::{Bundle, OpWord, Operand, SlotOp};
use contract::isa::Mnemonic;
use contract::model::VectorModel;
use contract::outcome::VectorStep;
use contract::schedule::{LatTable, Schedule};
use contract::state::{Line, VectorState};

/// How the values of ops are misread.
#[derive(Clone, Copy)]
pub struct Values {
    /// True for the names of the ops that are misread.
    pub concerns: fn(&str) -> bool,
    /// What becomes of them.
    pub misread: Misread,
}

/// What becomes of the values of an op.
#[derive(Clone, Copy)]
pub enum Misread {
    /// Its results are changed: state before the bundle, op, state after.
    Spoil(fn(&VectorState, &Reading<'_>, &mut VectorState)),
    /// Another op is executed in its place, on a state that may be changed for it; registers so changed
    /// are put back.
    Rewrite(fn(&mut SlotOp, &mut VectorState)),
}

/// An op of an accepted bundle, its operands by name.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The op.
    pub op: &'a SlotOp,
    /// Its mnemonic.
    pub mnemonic: Mnemonic,
    /// Its element width.
    pub lane: Lane,
}

impl<'a> Reading<'a> {
    /// Reads an op; `None` for an unknown word.
    pub fn of(op: &'a SlotOp) -> Option<Self> {
        let OpWord::Known(mnemonic) = op.op else { return None };
        Some(Self { op, mnemonic, lane: Lane::of(mnemonic) })
    }

    /// Name of the op.
    pub fn name(&self) -> &'static str {
        self.mnemonic.name()
    }

    /// What stands for an operand; `None` if the op has no such operand.
    pub fn operand(&self, name: &str) -> Option<&Operand> {
        let operands = self.mnemonic.info().operands;
        let position = operands.iter().position(|(known, _)| *known == name)?;
        self.op.operands.get(position)
    }

    /// Index of the register that stands for an operand.
    pub fn register(&self, name: &str) -> Option<usize> {
        match self.operand(name)? {
            Operand::Reg(_, index) => Some(*index as usize),
            _ => None,
        }
    }

    /// The immediate.
    pub fn immediate(&self) -> Option<i64> {
        self.op.operands.iter().find_map(|operand| match operand {
            Operand::Imm(value) => Some(*value),
            _ => None,
        })
    }

    /// Lanes of a register.
    pub fn lanes(&self) -> usize {
        512 / self.lane.bits as usize
    }

    /// An element of a register, zero-extended.
    pub fn element(&self, line: &Line, lane: usize) -> u64 {
        let bytes = self.lane.bytes();
        let mut code = [0; 8];
        code[..bytes].copy_from_slice(&line.0[lane * bytes..(lane + 1) * bytes]);
        u64::from_le_bytes(code)
    }

    /// An element of a register, sign-extended.
    pub fn signed(&self, line: &Line, lane: usize) -> i64 {
        let spare = 64 - self.lane.bits;
        (self.element(line, lane) << spare) as i64 >> spare
    }

    /// Writes an element of a register.
    pub fn put(&self, line: &mut Line, lane: usize, code: u64) {
        let bytes = self.lane.bytes();
        line.0[lane * bytes..(lane + 1) * bytes].copy_from_slice(&code.to_le_bytes()[..bytes]);
    }

    /// The predicate field of a lane with every bit set.
    pub fn field(&self, lane: usize) -> u64 {
        ((1 << self.lane.field()) - 1) << (lane as u32 * self.lane.field())
    }

    /// Whether the op's predicate, if it has one, lets a lane through.
    pub fn lives(&self, before: &VectorState, lane: usize) -> bool {
        self.register("vbr").is_none_or(|predicate| {
            before.vbool[predicate] >> (lane as u32 * self.lane.field()) & 1 == 1
        })
    }

    /// Replaces live lanes of the result `vt` where the function has an answer.
    pub fn replace(
        &self,
        before: &VectorState,
        after: &mut VectorState,
        element: impl Fn(usize) -> Option<u64>,
    ) {
        let Some(target) = self.register("vt") else { return };
        for lane in (0..self.lanes()).filter(|&lane| self.lives(before, lane)) {
            if let Some(code) = element(lane) {
                self.put(&mut after.vec[target], lane, code);
            }
        }
    }

    /// The first source as a function of its lane; `None` without one.
    pub fn source<'s>(&self, before: &'s VectorState) -> Option<&'s Line> {
        self.register("vr").map(|index| &before.vec[index])
    }
}

/// Replaces the mnemonic of an op, if there is one of that name.
pub fn rename(op: &mut SlotOp, from: &str, to: &str) {
    if let OpWord::Known(mnemonic) = op.op
        && let Some(other) = Mnemonic::from_name(&mnemonic.name().replacen(from, to, 1))
    {
        op.op = OpWord::Known(other);
        op.operands.truncate(other.info().operands.len());
    }
}

/// Swaps two operands.
pub fn swap(op: &mut SlotOp, one: usize, other: usize) {
    if op.operands.len() > one.max(other) {
        op.operands.swap(one, other);
    }
}

/// A model that misreads the values of ops.
pub struct Misreader<M> {
    values: Values,
    model: M,
    /// Executes rewritten bundles.
    second: M,
    scratch: Schedule,
    /// Per mnemonic, whether it is misread.
    table: Vec<bool>,
}

impl<M> Misreader<M> {
    /// Wraps a right model; `second` is another of its kind.
    pub fn new(values: Values, model: M, second: M) -> Self {
        let table = Mnemonic::all().map(|op| (values.concerns)(op.name())).collect();
        Self { values, model, second, scratch: Schedule::default(), table }
    }

    fn misreads(&self, op: &SlotOp) -> bool {
        matches!(op.op, OpWord::Known(mnemonic) if self.table[mnemonic.index()])
    }
}

impl<M: VectorModel> VectorModel for Misreader<M> {
    fn begin(&mut self, state: &VectorState) {
        self.model.begin(state);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        if !bundle.ops.iter().any(|op| self.misreads(op)) {
            return self.model.step(state, bundle, schedule);
        }
        let before = state.clone();
        let step = self.model.step(state, bundle, schedule);
        if step != VectorStep::Accept {
            return step;
        }
        match self.values.misread {
            Misread::Spoil(spoil) => {
                for op in bundle.ops.iter().filter(|op| self.misreads(op)) {
                    if let Some(reading) = Reading::of(op) {
                        spoil(&before, &reading, state);
                    }
                }
            }
            Misread::Rewrite(rewrite) => {
                let mut changed = before.clone();
                let mut other = bundle.clone();
                for op in &mut other.ops {
                    if self.misreads(op) {
                        rewrite(op, &mut changed);
                    }
                }
                let mut result = changed.clone();
                self.second.begin(&result);
                self.scratch.clear(LatTable::Lat1);
                if self.second.step(&mut result, &other, &mut self.scratch) == VectorStep::Accept {
                    put_back(&before, &changed, &mut result);
                    *state = result;
                }
            }
        }
        step
    }
}

/// Puts registers back that were changed for a rewritten op and not written by it.
fn put_back(before: &VectorState, changed: &VectorState, result: &mut VectorState) {
    fn file<T: Copy + PartialEq>(before: &[T], changed: &[T], result: &mut [T]) {
        for (index, value) in result.iter_mut().enumerate() {
            if changed[index] != before[index] && *value == changed[index] {
                *value = before[index];
            }
        }
    }
    result.profile = before.profile;
    file(&before.ar, &changed.ar, &mut result.ar);
    file(&before.vec, &changed.vec, &mut result.vec);
    file(&before.vbool, &changed.vbool, &mut result.vbool);
    file(&before.valign, &changed.valign, &mut result.valign);
}
