//! Families, ops and their selection. A family is a kind of case; an op is what a row of the report
//! is about: a tensor opcode or a vector mnemonic. The table [`TENSOR_OPS`] says which opcodes a
//! campaign enables by default and which clause group judges each: a new opcode is one more row.
//!
//! Nothing here judges anything: whether a record is valid is the models' business.

use crate::generate;
use contract::bundle::OpWord;
use contract::case::Case;
use contract::isa::{Mnemonic, opcode, opcode_info};
use contract::nearest::nearest;
use globset::GlobBuilder;
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// A kind of case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Tensor programs.
    Tensor,
    /// Vector-unit programs.
    Vector,
}

impl Family {
    /// Every family of cases.
    pub const ALL: [Self; 2] = [Self::Tensor, Self::Vector];

    /// Families that campaigns generate.
    pub fn generated() -> Vec<Self> {
        generate::Family::ALL.iter().map(|&family| family.into()).collect()
    }

    /// Name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::Vector => "vector",
        }
    }

    /// The family with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The family of a case.
    pub const fn of(case: &Case) -> Self {
        match case {
            Case::Tensor(_) => Self::Tensor,
            Case::Vector(_) => Self::Vector,
        }
    }
}

impl From<generate::Family> for Family {
    fn from(family: generate::Family) -> Self {
        match family {
            generate::Family::Tensor => Self::Tensor,
            generate::Family::Vector => Self::Vector,
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One tensor opcode that campaigns enable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorOp {
    /// Byte 0 of the record.
    pub opcode: u8,
    /// Prefix of the clause ids of its group (spec 02 section 4).
    pub clauses: &'static str,
}

/// Tensor opcodes that both models execute, ascending.
pub const TENSOR_OPS: &[TensorOp] = &[
    TensorOp { opcode: opcode::TENSOR_CUMULATIVE_ARITH, clauses: "TC-" },
    TensorOp { opcode: opcode::TENSOR_CUMULATIVE_BITVEC, clauses: "TC-" },
    TensorOp { opcode: opcode::TENSOR_SCALAR_CACHE_REDUCE, clauses: "CR-" },
    TensorOp { opcode: opcode::TENSOR_SCALAR_CACHE_CUMULATIVE, clauses: "CR-" },
];

/// Prefixes of the clauses that every group begins with (spec 02 section 3).
pub const PREAMBLE_CLAUSES: &[&str] = &["HDR-", "EVT-"];

/// Chapter of the spec whose mnemonics both models execute; those of other chapters are scheduled and
/// unsupported. Another chapter is one more entry here.
const VECTOR_CHAPTERS: &[u8] = &[4];

/// Vector mnemonics that both models execute, in table order. `NOP` is what an unnamed slot holds, so it
/// has no row of its own.
pub fn vector_ops() -> impl Iterator<Item = Mnemonic> {
    Mnemonic::all().filter(|&op| op != Mnemonic::NOP && executes(op))
}

/// True if both models execute the op.
fn executes(op: Mnemonic) -> bool {
    VECTOR_CHAPTERS.contains(&op.info().chapter)
}

/// The row of an enabled opcode.
pub fn tensor_op(opcode: u8) -> Option<&'static TensorOp> {
    TENSOR_OPS.iter().find(|row| row.opcode == opcode)
}

/// What a row of the report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// A tensor opcode, by byte 0 of the record.
    Tensor(u8),
    /// A vector mnemonic.
    Vector(Mnemonic),
}

impl Op {
    /// The family that the op belongs to.
    pub const fn family(self) -> Family {
        match self {
            Self::Tensor(_) => Family::Tensor,
            Self::Vector(_) => Family::Vector,
        }
    }

    /// Name in reports: the opcode's or mnemonic's name; the byte where an opcode has no name.
    pub fn name(self) -> String {
        match self {
            Self::Tensor(byte) => {
                opcode_info(byte).map_or_else(|| format!("{byte:#04x}"), |row| row.name.to_owned())
            }
            Self::Vector(mnemonic) => mnemonic.name().to_owned(),
        }
    }

    /// True if both models execute the op, so that campaigns enable it.
    pub fn is_enabled(self) -> bool {
        match self {
            Self::Tensor(opcode) => tensor_op(opcode).is_some(),
            Self::Vector(mnemonic) => mnemonic != Mnemonic::NOP && executes(mnemonic),
        }
    }

    /// Every op of a family that campaigns enable, in the order of the report.
    pub fn enabled(family: Family) -> Vec<Self> {
        match family {
            Family::Tensor => TENSOR_OPS.iter().map(|row| Self::Tensor(row.opcode)).collect(),
            Family::Vector => vector_ops().map(Self::Vector).collect(),
        }
    }
}

/// Calls `visit` with the ops of one step of a case: the opcode of a record, the known mnemonics of
/// a bundle.
pub fn ops_of_step(case: &Case, step: usize, mut visit: impl FnMut(Op)) {
    match case {
        Case::Tensor(case) => {
            if let Some(record) = case.program.get(step) {
                visit(Op::Tensor(record[0]));
            }
        }
        Case::Vector(case) => {
            for slot in case.program.get(step).into_iter().flat_map(|bundle| &bundle.ops) {
                if let OpWord::Known(mnemonic) = slot.op {
                    visit(Op::Vector(mnemonic));
                }
            }
        }
    }
}

/// Number of steps of a case's program.
pub fn program_length(case: &Case) -> usize {
    match case {
        Case::Tensor(case) => case.program.len(),
        Case::Vector(case) => case.program.len(),
    }
}

/// Why a selection of ops was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// The pattern is no glob.
    #[error("--op: `{pattern}` is no glob: {reason}")]
    Glob {
        /// As given.
        pattern: String,
        /// What the glob parser says.
        reason: String,
    },
    /// Nothing has this name.
    #[error("--op: no op is called `{pattern}`")]
    Unknown {
        /// As given.
        pattern: String,
        /// The known name that it resembles.
        nearest: Option<String>,
    },
    /// The name exists, but no model executes it.
    #[error("--op: `{pattern}` names no op that the models execute (they execute: {known})")]
    NotExecuted {
        /// As given.
        pattern: String,
        /// Every op that is executed.
        known: String,
    },
}

/// Names under which an op can be selected.
fn spellings(op: Op) -> Vec<String> {
    match op {
        Op::Tensor(byte) => {
            let mut names = vec![format!("{byte:#04x}"), format!("{byte:#04X}")];
            if let Some(row) = opcode_info(byte) {
                names.push(row.name.to_owned());
                names.extend(row.name.strip_suffix("Op").map(str::to_owned));
            }
            names
        }
        Op::Vector(mnemonic) => vec![mnemonic.name().to_owned()],
    }
}

/// Selects ops of the families by `--op` patterns: names, hex opcodes, mnemonics, globs, all without
/// regard to case. No pattern selects every op.
///
/// # Errors
/// See [`SelectionError`]; a pattern that selects nothing is an error.
pub fn select_ops(families: &[Family], patterns: &[String]) -> Result<Vec<Op>, SelectionError> {
    let enabled: Vec<Op> = families.iter().flat_map(|&family| Op::enabled(family)).collect();
    if patterns.is_empty() {
        return Ok(enabled);
    }
    let mut chosen = BTreeSet::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern)
            .case_insensitive(true)
            .build()
            .map_err(|error| SelectionError::Glob {
                pattern: pattern.clone(),
                reason: error.kind().to_string(),
            })?
            .compile_matcher();
        let before = chosen.len();
        let mut matched = false;
        for &op in &enabled {
            if spellings(op).iter().any(|name| glob.is_match(name)) {
                matched = true;
                chosen.insert(op);
            }
        }
        if !matched && chosen.len() == before {
            return Err(unselected(pattern, &enabled, |name| glob.is_match(name)));
        }
    }
    Ok(enabled.into_iter().filter(|op| chosen.contains(op)).collect())
}

/// Says why a pattern selected nothing.
fn unselected(pattern: &str, enabled: &[Op], is_match: impl Fn(&str) -> bool) -> SelectionError {
    let every = (0..=u8::MAX)
        .filter(|&byte| opcode_info(byte).is_some())
        .map(Op::Tensor)
        .chain(Mnemonic::all().map(Op::Vector));
    let names: Vec<String> = every.flat_map(spellings).collect();
    if names.iter().any(|name| is_match(name)) {
        let known = enabled.iter().map(|op| op.name()).collect::<Vec<_>>().join(", ");
        return SelectionError::NotExecuted { pattern: pattern.to_owned(), known };
    }
    let nearest = nearest(pattern, names.iter().map(String::as_str)).map(str::to_owned);
    SelectionError::Unknown { pattern: pattern.to_owned(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(patterns: &[&str]) -> Result<Vec<Op>, SelectionError> {
        let patterns: Vec<String> = patterns.iter().map(|&text| text.to_owned()).collect();
        select_ops(&[Family::Tensor], &patterns)
    }

    #[test]
    fn selects_by_name_hex_and_glob_without_regard_to_case() {
        assert_eq!(select(&["0x9a"]), Ok(vec![Op::Tensor(0x9A)]));
        assert_eq!(select(&["0X9A"]), Ok(vec![Op::Tensor(0x9A)]));
        assert_eq!(select(&["tensorscalarcachereduce"]), Ok(vec![Op::Tensor(0x9A)]));
        assert_eq!(select(&["TensorCumulative*"]), Ok(vec![Op::Tensor(0x4E), Op::Tensor(0x5E)]));
        assert_eq!(select(&["TensorCumulativeArith"]), Ok(vec![Op::Tensor(0x4E)]));
    }

    #[test]
    fn the_table_lists_what_the_generator_knows() {
        let generated: BTreeSet<u8> = generate::tensor::OPCODES.iter().copied().collect();
        let listed: BTreeSet<u8> = TENSOR_OPS.iter().map(|row| row.opcode).collect();
        assert_eq!(listed, generated);
    }

    #[test]
    fn keeps_the_report_order_whatever_the_order_of_patterns() {
        assert_eq!(select(&["0xe6", "0x4e"]), Ok(vec![Op::Tensor(0x4E), Op::Tensor(0xE6)]));
    }

    #[test]
    fn names_the_nearest_op_when_nothing_matches() {
        let error = select(&["TensorScalarCacheReduze"]).unwrap_err();
        assert_eq!(
            error,
            SelectionError::Unknown {
                pattern: "TensorScalarCacheReduze".to_owned(),
                nearest: Some("TensorScalarCacheReduce".to_owned())
            }
        );
    }

    #[test]
    fn says_that_a_known_opcode_is_not_executed() {
        assert!(matches!(select(&["0x30"]), Err(SelectionError::NotExecuted { .. })));
    }
}
