//! Signatures of divergences and sizes of cases.

use super::class::class_of;
use crate::compare::{Aspect, Divergence};
use crate::family::ops_of_step;
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
        let mut ops = Vec::new();
        if let Some(step) = divergence.step {
            ops_of_step(case, step, |op| ops.push(op.name()));
        }
        let op = match &mut ops[..] {
            [] => "none".to_owned(),
            [op] => std::mem::take(op),
            _ => Self::BUNDLE.to_owned(),
        };
        Self { aspect: divergence.aspect, op, class: class_of(case, divergence) }
    }

    /// What stands for the op where several are guilty together.
    const BUNDLE: &str = "bundle";

    /// True if `op` stands for no single op: a whole bundle, or a hazard of a schedule.
    pub fn is_shared(op: &str) -> bool {
        op == Self::BUNDLE || op.contains('.')
    }

    /// The signature with a guilty op, if one is known.
    pub fn about(self, op: Option<String>) -> Self {
        Self { op: op.unwrap_or(self.op), ..self }
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
