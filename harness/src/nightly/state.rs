//! What the finished chunks of a night found, added up phase by phase. Within a phase chunks are added in
//! the order of their numbers, whatever the order in which they were finished.

use super::plan::{Phase, Work};
use super::work::Found;
use std::collections::{BTreeMap, BTreeSet};

/// One phase so far.
#[derive(Debug, Clone, PartialEq, Default)]
struct PhaseState {
    /// The sum of parts `0 .. next`.
    sum: Found,
    next: u64,
    /// Parts that were finished before an earlier one.
    early: BTreeMap<u64, Found>,
    /// Time that threads spent on the phase.
    seconds: f64,
}

/// Everything that was finished.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    phases: BTreeMap<Phase, PhaseState>,
    chunks: BTreeSet<u64>,
    cases: u64,
    diverging_cases: u64,
}

impl State {
    /// Takes a finished chunk in. A chunk that is in already changes nothing.
    pub fn add(&mut self, chunk: u64, work: &Work, found: Found, seconds: f64) {
        if !self.chunks.insert(chunk) {
            return;
        }
        self.cases += found.tally.cases;
        self.diverging_cases += found.tally.diverging_cases;
        let phase = self.phases.entry(work.phase).or_default();
        phase.seconds += seconds;
        phase.early.insert(work.part, found);
        while let Some(found) = phase.early.remove(&phase.next) {
            phase.sum.add(found);
            phase.next += 1;
        }
    }

    /// Numbers of the finished chunks, ascending.
    pub fn chunks(&self) -> impl Iterator<Item = u64> {
        self.chunks.iter().copied()
    }

    /// Generated cases so far.
    pub fn cases(&self) -> u64 {
        self.cases
    }

    /// Cases that differ so far.
    pub fn diverging_cases(&self) -> u64 {
        self.diverging_cases
    }

    /// What a phase found, with the seconds that threads spent on it.
    pub fn phase(&self, phase: Phase) -> (Found, f64) {
        let Some(state) = self.phases.get(&phase) else { return Default::default() };
        let mut sum = state.sum.clone();
        for found in state.early.values() {
            sum.add(found.clone());
        }
        (sum, state.seconds)
    }
}
