//! Misjudged records. A clause is misread as if the record (or its generation) were another one: the wrong
//! judge evaluates the clause on what [`Clauses::reads`] makes of the record. What it refuses has no effect;
//! what it lets through is executed as far as the fields mean anything.

use super::misreader::execute_unjudged;
use contract::case::RECORD;
use contract::isa::layout::{s3d3_ts, s4d4_tr};
use contract::isa::{ClauseId, ClauseSet, Generation, opcode};
use contract::model::TensorModel;
use contract::outcome::{TensorStep, TensorVerdict};
use contract::state::{OutsideCase, TensorState};
use oracle::verdict;

/// What a judge sees.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// Generation that the record is judged for.
    pub generation: Generation,
    /// The record.
    pub record: [u8; RECORD],
}

impl Judged {
    /// Replaces a byte if it has one of some values.
    pub fn replace(&mut self, at: usize, from: &[u8], to: u8) {
        if from.contains(&self.record[at]) {
            self.record[at] = to;
        }
    }

    /// True for 0x9A and 0xE6.
    pub fn is_cached(&self) -> bool {
        matches!(
            self.record[0],
            opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE
        )
    }

    /// Offsets of both pattern fields, and their rank; `None` for an opcode without a group.
    pub fn patterns(&self) -> Option<[(usize, usize); 2]> {
        match self.record[0] {
            opcode::TENSOR_CUMULATIVE_ARITH | opcode::TENSOR_CUMULATIVE_BITVEC => {
                Some([(s4d4_tr::SRC_MEM_PATTERN, 4), (s4d4_tr::DST_MEM_PATTERN, 4)])
            }
            _ if self.is_cached() => {
                Some([(s3d3_ts::SRC_MEM_PATTERN, 3), (s3d3_ts::DST_MEM_PATTERN, 3)])
            }
            _ => None,
        }
    }

    /// A 16-bit field.
    pub fn half(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.record[at], self.record[at + 1]])
    }

    /// Sets a 16-bit field.
    pub fn set_half(&mut self, at: usize, value: u16) {
        self.record[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }

    /// A 32-bit field.
    pub fn word(&self, at: usize) -> u32 {
        u32::from(self.half(at)) | u32::from(self.half(at + 2)) << 16
    }

    /// Sets a 32-bit field.
    pub fn set_word(&mut self, at: usize, value: u32) {
        self.record[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}

/// Clauses that are judged on something else.
#[derive(Clone, Copy)]
pub struct Clauses {
    /// The clauses.
    pub clauses: &'static [ClauseId],
    /// Makes of the record what the wrong judge believes to see.
    pub reads: fn(&mut Judged),
}

/// A verdict that is misread.
#[derive(Clone, Copy)]
pub struct Verdicts {
    /// False where the right verdict stands for sure.
    pub concerns: fn(&Judged) -> bool,
    /// The wrong verdict.
    pub verdict: fn(&Judged, TensorVerdict) -> TensorVerdict,
}

/// A model that misjudges clauses.
pub struct ClauseJudge<M> {
    /// What is misjudged.
    pub clauses: Clauses,
    /// The right model.
    pub model: M,
}

impl Clauses {
    /// The failing set as the wrong judge sees it.
    fn failing(
        &self,
        generation: Generation,
        record: &[u8; RECORD],
        right: ClauseSet,
    ) -> ClauseSet {
        let mut seen = Judged { generation, record: *record };
        (self.reads)(&mut seen);
        let misread = verdict::failing_clauses(seen.generation, &seen.record);
        let mut failing = right;
        for &clause in self.clauses {
            failing.remove(clause);
            failing.insert_if(clause, misread.contains(clause));
        }
        failing
    }
}

impl<M: TensorModel> TensorModel for ClauseJudge<M> {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let right = match verdict::judge(state.generation, record) {
            Ok(()) => ClauseSet::EMPTY,
            Err(TensorVerdict::Reject(clauses)) => clauses,
            Err(_) => return self.model.step(state, record),
        };
        let failing = self.clauses.failing(state.generation, record, right);
        if failing == right {
            return self.model.step(state, record);
        }
        if !failing.is_empty() {
            return Ok(TensorStep::new(TensorVerdict::Reject(failing)));
        }
        Ok(let_through(state, record))
    }
}

fn let_through(state: &mut TensorState, record: &[u8; RECORD]) -> TensorStep {
    let indeterminate_acc = execute_unjudged(state, record);
    TensorStep { verdict: TensorVerdict::Accept, indeterminate_acc }
}

/// A model that misreads verdicts.
pub struct VerdictJudge<M> {
    /// What is misread.
    pub verdicts: Verdicts,
    /// The right model.
    pub model: M,
}

impl<M: TensorModel> TensorModel for VerdictJudge<M> {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        let seen = Judged { generation: state.generation, record: *record };
        if !(self.verdicts.concerns)(&seen) {
            return self.model.step(state, record);
        }
        let before = state.clone();
        let right = self.model.step(state, record)?;
        let verdict = (self.verdicts.verdict)(&seen, right.verdict.clone());
        if verdict == right.verdict {
            return Ok(right);
        }
        *state = before;
        if verdict == TensorVerdict::Accept {
            return Ok(let_through(state, record));
        }
        Ok(TensorStep::new(verdict))
    }
}
