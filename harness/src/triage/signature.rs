//! Signatures of divergences and sizes of cases.

use super::class::class_of;
use super::group::ANY_OP;
use crate::compare::{Aspect, Divergence, Place, ScheduleRoot, VectorRegister};
use crate::family::ops_of_step;
use contract::bundle::{Operand, SlotOp};
use contract::case::Case;
use std::fmt;

/// What a divergence is about: `value-TensorScalarCacheReduce-memory`,
/// `verdict-TensorScalarCacheReduce-unreported-CR-TYPES`. Also the name of the bucket's folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    /// Aspect.
    pub aspect: Aspect,
    /// Name of the op of the guilty step. Of a bundle: the op that wrote the place, for schedules the op
    /// or the hazard, `bundle` where no single op is guilty.
    pub op: String,
    /// Place class, or direction and clause.
    pub class: String,
}

impl Signature {
    /// The signature of a divergence whose step is known.
    pub fn of(case: &Case, divergence: &Divergence) -> Self {
        let class = class_of(case, divergence);
        Self { aspect: divergence.aspect, op: op_of(case, divergence), class }
    }

    /// The signature without what only tells causes apart before minimising: traits are left out, and
    /// what one op gives to memory and to an accumulator is one.
    pub fn relaxed(&self) -> Self {
        let place = self.class.split('+').next().unwrap_or_default();
        let class = match place {
            "accumulator" => "memory",
            "CAUSE" | "CYCLES" => "ISSUE",
            place => place,
        };
        Self { aspect: self.aspect, op: self.op.clone(), class: class.to_owned() }
    }

    /// Folder name: letters, digits, `-`, `_`, `+` and `.` alone.
    pub fn bucket(&self) -> String {
        self.to_string()
            .chars()
            .map(|letter| match letter {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '+' | '.' => letter,
                _ => '_',
            })
            .collect()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.aspect, self.op, self.class)
    }
}

/// Names of the guilty ops: of a bundle those that name the register that differs, or the one in the slot
/// that differs, where that tells them apart. A stall is between ops, not of one.
fn op_of(case: &Case, divergence: &Divergence) -> String {
    let Some(step) = divergence.step else { return "none".to_owned() };
    if let Place::Schedule { root: ScheduleRoot::Stall(..), .. } = divergence.place {
        return ANY_OP.to_owned();
    }
    let mut names = Vec::new();
    if let Case::Vector(case) = case
        && let Some(bundle) = case.program.get(step)
    {
        let guilty = bundle.ops.iter().filter(|op| is_guilty(op, &divergence.place));
        names.extend(guilty.map(|op| op.op.text().to_owned()));
    }
    if names.is_empty() {
        ops_of_step(case, step, |op| names.push(op.name()));
    }
    if names.is_empty() { "none".to_owned() } else { names.join("+") }
}

fn is_guilty(op: &SlotOp, place: &Place) -> bool {
    match place {
        Place::Register(VectorRegister::File(class, index)) => {
            op.operands.contains(&Operand::Reg(*class, u32::from(*index)))
        }
        // Stores, but for the lane ops that begin with the same letter.
        Place::VectorMemory { .. } => ["SA", "SB", "SCATTER", "SS", "SV"]
            .iter()
            .any(|prefix| op.op.text().starts_with(prefix)),
        Place::Schedule { slot: Some(slot), .. } => op.slot == u32::from(*slot),
        _ => false,
    }
}

/// How much a person has to read to understand a case; smaller is better. Ordered by steps, then
/// operations, then bytes of memory and state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CaseSize {
    /// Steps of the program.
    pub steps: usize,
    /// Named operations.
    pub ops: usize,
    /// Bytes of initial memory and registers.
    pub bytes: usize,
}

impl CaseSize {
    /// Measures a case.
    pub fn of(case: &Case) -> Self {
        match case {
            Case::Tensor(case) => Self {
                steps: case.program.len(),
                ops: case.program.len(),
                bytes: case.memory.iter().map(|region| region.data.len()).sum::<usize>()
                    + 4 * case.registers.len(),
            },
            Case::Vector(case) => Self {
                steps: case.program.len(),
                ops: case.program.iter().map(|bundle| bundle.ops.len()).sum(),
                bytes: case.memory.init.iter().map(|chunk| chunk.data.len()).sum::<usize>()
                    + 64 * case.state.len(),
            },
        }
    }
}
