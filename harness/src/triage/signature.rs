//! Signatures of divergences and sizes of cases.

use crate::compare::{Aspect, Divergence, Observed, Place, VectorRegister};
use crate::family::ops_of_step;
use contract::case::Case;
use contract::outcome::{TensorVerdict, VectorStep};
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
            _ => "bundle".to_owned(),
        };
        Self { aspect: divergence.aspect, op, class: class_of(divergence) }
    }

    /// The signature with a guilty op, if one is known.
    pub fn about(self, op: Option<String>) -> Self {
        Self { op: op.unwrap_or(self.op), ..self }
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

fn class_of(divergence: &Divergence) -> String {
    match divergence.place {
        Place::Kind => "kind".to_owned(),
        Place::Flag => "INDETERMINATE_ACC".to_owned(),
        Place::OutsideCase { .. } => "outside".to_owned(),
        Place::Region(_) => "region".to_owned(),
        Place::TensorMemory { .. } | Place::VectorMemory { .. } => "memory".to_owned(),
        Place::Accumulator(_) => "accumulator".to_owned(),
        Place::Seeded(_) => "seeded".to_owned(),
        Place::Register(VectorRegister::File(class, _)) => class.name().to_owned(),
        Place::Register(VectorRegister::Fs(_)) => "fs".to_owned(),
        Place::Register(VectorRegister::Fcr) => "fcr".to_owned(),
        Place::Register(VectorRegister::Fsr) => "fsr".to_owned(),
        Place::Window => "window".to_owned(),
        Place::Schedule { label, .. } => label.name().to_owned(),
        Place::Verdict => verdict_class(divergence),
    }
}

/// The first clause that one side alone reports; else direction and reason of the refusing side. One
/// unchecked clause is one class, whether the record is accepted or refused for other clauses.
fn verdict_class(divergence: &Divergence) -> String {
    let Some(direction) = divergence.direction() else {
        let missing = divergence.actual == Observed::Absent;
        return if missing { "missing-step" } else { "extra-step" }.to_owned();
    };
    if let Some((missing, extra)) = divergence.clause_difference() {
        if let Some(clause) = missing.iter().next() {
            return format!("unreported-{clause}");
        }
        if let Some(clause) = extra.iter().next() {
            return format!("unfounded-{clause}");
        }
    }
    let about = refusal(&divergence.expected).or_else(|| refusal(&divergence.actual));
    format!("{direction}-{}", about.unwrap_or_default())
}

fn refusal(observed: &Observed) -> Option<String> {
    match observed {
        Observed::Tensor(TensorVerdict::Reject(clauses)) => {
            clauses.iter().next().map(|clause| clause.id().to_owned())
        }
        Observed::Tensor(TensorVerdict::Unsupported(reason) | TensorVerdict::Fault(reason)) => {
            Some(reason.text().to_owned())
        }
        Observed::Vector(VectorStep::Reject(reason)) => Some(reason.text().to_owned()),
        Observed::Vector(VectorStep::Fault(reason, _)) => Some(reason.text().to_owned()),
        Observed::Vector(VectorStep::Unsupported(op)) => Some(op.name().to_owned()),
        _ => None,
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
