//! Writes outcomes.

use super::registers;
use super::schedule::write_schedule;
use super::write::{self, List};
use super::write_case::{document, memory};
use crate::case::Case;
use crate::outcome::{
    Outcome, TensorOutcome, TensorStep, TensorVerdict, VectorOutcome, VectorStep,
};
use crate::state::{LINE, VectorMemory};

/// The flag of a tensor step (spec 03 D-25).
pub(super) const INDETERMINATE_ACC: &str = "INDETERMINATE_ACC";

/// Writes an outcome on one line, without the line's end. The case gives the id and the memory that
/// a vector outcome is compared with.
pub fn write_outcome(case: &Case, outcome: &Outcome) -> String {
    let mut out = String::new();
    OutcomeWriter::default().write(&mut out, case, outcome);
    out
}

/// Writes outcomes one after the other and keeps its buffers.
#[derive(Debug, Default)]
pub struct OutcomeWriter {
    /// Memory before the run.
    initial: VectorMemory,
}

impl OutcomeWriter {
    /// Appends an outcome to a buffer, on one line, without the line's end.
    pub fn write(&mut self, out: &mut String, case: &Case, outcome: &Outcome) {
        match outcome {
            Outcome::Tensor(outcome) => tensor_outcome(out, case.id(), outcome),
            Outcome::Vector(outcome) => {
                match case {
                    Case::Vector(case) => self.initial.load(case),
                    Case::Tensor(_) => self.initial = VectorMemory::default(),
                }
                self.vector_outcome(out, case.id(), outcome);
            }
        }
    }

    fn vector_outcome(&self, out: &mut String, id: &str, outcome: &VectorOutcome) {
        let mut object = document(out, "vector", id);
        let mut steps = List::array(object.key("steps"));
        for step in &outcome.steps {
            vector_step(steps.item(), step);
        }
        drop(steps);
        registers::write_state(&mut List::object(object.key("state")), &outcome.state);
        self.changed_memory(object.key("memory"), &outcome.state.memory);
        match &outcome.schedule {
            Some(schedule) => write_schedule(object.key("schedule"), schedule),
            None => object.key("schedule").push_str("null"),
        }
    }

    /// Writes the maximal runs of bytes that differ from the initial memory.
    fn changed_memory(&self, out: &mut String, memory: &VectorMemory) {
        let mut array = List::array(out);
        let (before, after) = (self.initial.bytes(), memory.bytes());
        let mut emit = |run: std::ops::Range<usize>| {
            if !run.is_empty() {
                // The window ends at 2^32 at the latest.
                let address = memory.base().wrapping_add(run.start as u32);
                super::write_case::chunk(array.item(), address, &after[run]);
            }
        };
        let mut run = 0..0;
        self.initial.for_touched_lines(memory, |line| {
            let start = line * LINE;
            let end = (start + LINE).min(after.len());
            if before.get(start..end) == after.get(start..end) {
                return;
            }
            for (at, byte) in (start..end).zip(after.get(start..end).unwrap_or_default()) {
                if before.get(at) == Some(byte) {
                    continue;
                }
                if run.end == at && !run.is_empty() {
                    run.end += 1;
                } else {
                    emit(std::mem::replace(&mut run, at..at + 1));
                }
            }
        });
        emit(run);
    }
}

fn tensor_outcome(out: &mut String, id: &str, outcome: &TensorOutcome) {
    let mut object = document(out, "tensor", id);
    let mut steps = List::array(object.key("steps"));
    for step in &outcome.steps {
        tensor_step(steps.item(), step);
    }
    drop(steps);
    let state = &outcome.state;
    memory(object.key("memory"), &state.regions);
    let seeded = || (0..state.accumulators.len()).filter(|lane| state.seeded >> lane & 1 == 1);
    let mut accumulators = List::object(object.key("accumulators"));
    for lane in seeded() {
        let value = state.accumulators[lane].to_be_bytes();
        write::hex_number(accumulators.indexed_key("", lane as u8), &value);
    }
    drop(accumulators);
    let mut lanes = List::array(object.key("seeded"));
    for lane in seeded() {
        write::number(lanes.item(), lane as u64);
    }
}

fn tensor_step(out: &mut String, step: &TensorStep) {
    let mut object = List::object(out);
    match &step.verdict {
        TensorVerdict::Accept => write::text(object.key("verdict"), "accept"),
        TensorVerdict::Reject(clauses) => {
            write::text(object.key("verdict"), "reject");
            let mut list = List::array(object.key("clauses"));
            for clause in clauses.iter() {
                write::text(list.item(), clause.id());
            }
        }
        TensorVerdict::Unsupported(reason) => {
            write::text(object.key("verdict"), "unsupported");
            write::text(object.key("reason"), reason.text());
        }
        TensorVerdict::Fault(reason) => {
            write::text(object.key("verdict"), "fault");
            write::text(object.key("reason"), reason.text());
        }
    }
    if step.indeterminate_acc {
        write::text(List::array(object.key("flags")).item(), INDETERMINATE_ACC);
    }
}

fn vector_step(out: &mut String, step: &VectorStep) {
    let mut object = List::object(out);
    match step {
        VectorStep::Accept => write::text(object.key("verdict"), "accept"),
        VectorStep::Reject(reason) => {
            write::text(object.key("verdict"), "reject");
            write::text(List::array(object.key("clauses")).item(), reason.text());
        }
        VectorStep::Fault(reason, address) => {
            write::text(object.key("verdict"), "fault");
            write::text(object.key("reason"), reason.text());
            if let Some(address) = address {
                write::hex_number(object.key("address"), &address.to_be_bytes());
            }
        }
        VectorStep::Unsupported(mnemonic) => {
            write::text(object.key("verdict"), "unsupported");
            write::text(object.key("reason"), mnemonic.name());
        }
    }
}
