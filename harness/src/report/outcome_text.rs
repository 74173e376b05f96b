//! An outcome as lines of text, for diffs: verdicts, memory in rows of sixteen bytes with addresses,
//! accumulators, registers that differ from zero, the schedule.

use super::text::address_of;
use crate::compare::Observed;
use crate::schedule_text;
use contract::case::Case;
use contract::outcome::{Outcome, TensorOutcome, VectorOutcome};
use contract::state::VectorState;

/// Lines of an outcome. Lines of equal index in two listings of one case speak of the same place, as
/// long as both have the same steps and regions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    lines: Vec<String>,
}

/// Differing lines that a diff shows.
const SHOWN: usize = 40;

impl Listing {
    /// Both listings as text, cut to the neighbourhood of the first differing lines.
    pub fn paired(expected: Self, actual: Self) -> (String, String) {
        let length = expected.lines.len().max(actual.lines.len());
        let differs = |index: usize| expected.lines.get(index) != actual.lines.get(index);
        let mut keep = vec![false; length];
        let mut shown = 0;
        for index in 0..length {
            if differs(index) && shown < SHOWN {
                shown += 1;
                keep[index.saturating_sub(1)..(index + 2).min(length)].fill(true);
            }
        }
        let cut = |listing: &Self| {
            let mut text = String::new();
            for (line, _) in listing.lines.iter().zip(&keep).filter(|&(_, &keep)| keep) {
                text.push_str(line);
                text.push('\n');
            }
            text
        };
        (cut(&expected), cut(&actual))
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The lines of an outcome.
pub fn listing(case: &Case, outcome: &Outcome) -> Listing {
    let mut lines = Vec::new();
    match outcome {
        Outcome::Tensor(outcome) => tensor_lines(case, outcome, &mut lines),
        Outcome::Vector(outcome) => vector_lines(outcome, &mut lines),
    }
    Listing { lines }
}

fn tensor_lines(case: &Case, outcome: &TensorOutcome, lines: &mut Vec<String>) {
    for (step, result) in outcome.steps.iter().enumerate() {
        let flag = if result.indeterminate_acc { " INDETERMINATE_ACC" } else { "" };
        lines.push(format!("step {step}: {}{flag}", Observed::Tensor(result.verdict.clone())));
    }
    let generation = match case {
        Case::Tensor(case) => case.generation,
        Case::Vector(_) => outcome.state.generation,
    };
    for region in &outcome.state.regions {
        let stride = (region.stride as usize).max(1);
        for (row, bytes) in region.data.chunks(stride).enumerate() {
            let partition = region.partition + row as u32;
            for (number, chunk) in bytes.chunks(16).enumerate() {
                let offset = region.offset + 16 * number as u32;
                let address = address_of(generation, region.space, partition, offset);
                let hex: String = chunk.iter().map(|byte| format!(" {byte:02x}")).collect();
                lines.push(format!(
                    "{address:#010x} {} p{partition}+{offset:#x}:{hex}",
                    region.space.name()
                ));
            }
        }
    }
    for (lane, bits) in outcome.state.accumulators.iter().enumerate() {
        let seeded = outcome.state.seeded >> lane & 1 == 1;
        lines.push(format!(
            "accumulator {lane}: {bits:#010x}{}",
            if seeded { " seeded" } else { "" }
        ));
    }
}

fn vector_lines(outcome: &VectorOutcome, lines: &mut Vec<String>) {
    for (step, result) in outcome.steps.iter().enumerate() {
        lines.push(format!("bundle {step}: {}", Observed::Vector(result.clone())));
    }
    register_lines(&outcome.state, lines);
    let memory = &outcome.state.memory;
    memory.for_touched_lines(memory, |line| {
        let start = line * contract::state::LINE;
        let end = (start + contract::state::LINE).min(memory.bytes().len());
        let hex: String =
            memory.bytes()[start..end].iter().map(|byte| format!(" {byte:02x}")).collect();
        lines.push(format!("{:#010x}:{hex}", memory.base() + start as u32));
    });
    if let Some(schedule) = &outcome.schedule {
        lines.extend(schedule_text::lines(schedule));
    }
}

fn register_lines(state: &VectorState, lines: &mut Vec<String>) {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!(" {byte:02x}")).collect::<String>();
    lines.extend(state.ar.iter().enumerate().map(|(i, value)| format!("a{i} {value:#010x}")));
    lines.extend(state.vec.iter().enumerate().map(|(i, line)| format!("v{i}{}", hex(&line.0))));
    lines.extend(state.vbool.iter().enumerate().map(|(i, value)| format!("vb{i} {value:#018x}")));
    lines.extend(state.valign.iter().enumerate().map(|(i, line)| format!("u{i}{}", hex(&line.0))));
    lines.extend(state.wvec.iter().enumerate().map(|(i, wide)| format!("wv{i}{}", hex(wide))));
    lines.extend(state.pr.iter().enumerate().map(|(i, value)| format!("pr{i} {value:#018x}")));
    lines.extend(state.gvr.iter().enumerate().map(|(i, line)| format!("gr{i}{}", hex(&line.0))));
    lines.extend(state.fs.iter().enumerate().map(|(i, value)| format!("fs{i} {value:#018x}")));
    lines.push(format!("fcr {:#06x}", state.fcr));
    lines.push(format!("fsr {:#06x}", state.fsr));
}
