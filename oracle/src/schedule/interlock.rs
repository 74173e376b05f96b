//! The interlock (spec 05 section 3). With L(x) the stage of posting x, a definition d of an
//! earlier bundle j and a use or def p of bundle k that name one register are at least D(d, p) =
//! max(1, L(d) - L(p) + 1) cycles apart (T-01, T-02):
//!
//! - p a use: read after write; p a def: write after write, by the same formula.
//! - An earlier use and a later def never wait; neither does any pair inside one bundle.
//!
//! t(0) = 0; t(k) is the first cycle from t(k-1) + 1 on at which every pair is satisfied. The
//! scheduler tries cycle after cycle and looks at every earlier definition, not at the latest one.

use super::operands::{in_slot_order, postings_of, row_of};
use contract::bundle::{Bundle, FormatWord, OpWord};
use contract::isa::Mnemonic;
use contract::outcome::{FaultReason, LegalityReason};
use contract::profile::LatCrossbar;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, OpTiming, Posting, Role, Schedule,
};
use std::ops::Range;

/// Schedules one program, bundle by bundle.
#[derive(Debug, Clone, Default)]
pub struct Scheduler {
    crossbar: LatCrossbar,
    /// Issue cycle of each bundle that issued.
    issued: Vec<u32>,
    /// Every definition so far, per class (in canonical order) and index.
    definitions: [[Vec<Definition>; 32]; 8],
    /// Pairs of the bundle at hand; kept for its buffer.
    pairs: Vec<Pair>,
}

/// A definition that an earlier bundle posted.
#[derive(Debug, Clone, Copy)]
struct Definition {
    bundle: u32,
    slot: u8,
    lat: u8,
}

/// An earlier definition and a posting of the bundle at hand that name one register.
#[derive(Debug, Clone, Copy)]
struct Pair {
    /// t(j) + D(d, p): the first cycle that satisfies the pair.
    satisfied_at: u32,
    /// What the pair says if it binds.
    cause: Cause,
}

impl Scheduler {
    /// Forgets the program before and takes the stages of crossbar and reduce (T-03).
    pub fn begin(&mut self, crossbar: LatCrossbar) {
        self.crossbar = crossbar;
        self.issued.clear();
        self.definitions.iter_mut().flatten().for_each(Vec::clear);
    }

    /// Issues a legal bundle: appends its `ok` entry and brings `cycles` up to date. (Of a bundle
    /// that [`judge`](super::judge) refuses, ops and operands without meaning would be left out.)
    pub fn issue(&mut self, bundle: &Bundle, schedule: &mut Schedule) {
        let ops = self.post(bundle, schedule);
        self.find_pairs(&schedule.ops[as_indices(&ops)], &schedule.postings);

        let in_order = self.issued.last().map_or(0, |before| before + 1);
        let mut cycle = in_order;
        while !self.pairs.iter().all(|pair| pair.satisfied_at <= cycle) {
            cycle += 1;
        }
        let stall = cycle - in_order;

        let causes = self.list_causes(cycle, stall, &mut schedule.causes);
        self.define(&schedule.ops[as_indices(&ops)], &schedule.postings);
        self.issued.push(cycle);
        schedule.cycles = cycle + 1;
        schedule.bundles.push(BundleTiming {
            format: bundle.format.clone(),
            verdict: BundleVerdict::Ok,
            issue: Some((cycle, stall)),
            causes,
            ops,
        });
    }

    /// Appends the entry of an illegal bundle: no issue cycle, no causes, no ops (section 6).
    pub fn push_illegal(&self, bundle: &Bundle, reason: LegalityReason, schedule: &mut Schedule) {
        let no_causes = schedule.causes.len() as u32;
        let no_ops = schedule.ops.len() as u32;
        schedule.bundles.push(BundleTiming {
            format: bundle.format.clone(),
            verdict: BundleVerdict::Illegal(reason),
            issue: None,
            causes: no_causes..no_causes,
            ops: no_ops..no_ops,
        });
    }

    /// Turns the last entry into a fault; it keeps issue cycle, stall, causes and postings (T-28).
    pub fn mark_fault(&self, reason: FaultReason, schedule: &mut Schedule) {
        if let Some(last) = schedule.bundles.last_mut() {
            last.verdict = BundleVerdict::Fault(reason);
        }
    }

    /// Writes the ops of a bundle with their postings: ascending by slot, `NOP`s left out.
    fn post(&self, bundle: &Bundle, schedule: &mut Schedule) -> Range<u32> {
        let slots = match bundle.format {
            FormatWord::Known(format) => format.slots().len() as u32,
            FormatWord::Unknown(_) => 0,
        };
        let first_op = schedule.ops.len() as u32;
        for op in in_slot_order(bundle, slots) {
            let (OpWord::Known(mnemonic), Some(row)) = (&op.op, row_of(op)) else { continue };
            if *mnemonic == Mnemonic::NOP {
                continue;
            }
            let first_posting = schedule.postings.len() as u32;
            schedule.postings.extend(postings_of(row, op, self.crossbar));
            let postings = first_posting..schedule.postings.len() as u32;
            // No format has more than five slots.
            schedule.ops.push(OpTiming { slot: op.slot as u8, op: *mnemonic, postings });
        }
        first_op..schedule.ops.len() as u32
    }

    /// Lists every pair of an earlier definition and a posting of these ops.
    fn find_pairs(&mut self, ops: &[OpTiming], postings: &[Posting]) {
        self.pairs.clear();
        for op in ops {
            for posting in &postings[as_indices(&op.postings)] {
                let Some(index) = posting.index else { continue };
                let hazard = match posting.role {
                    Role::Use => Hazard::Raw,
                    Role::Def => Hazard::Waw,
                    Role::Port => continue,
                };
                for definition in &self.definitions[posting.class as usize][usize::from(index)] {
                    let distance = distance(definition.lat, posting.lat);
                    self.pairs.push(Pair {
                        satisfied_at: self.issued[definition.bundle as usize] + u32::from(distance),
                        cause: Cause {
                            hazard,
                            class: posting.class,
                            index,
                            producer_bundle: definition.bundle,
                            producer_slot: definition.slot,
                            producer_lat: definition.lat,
                            consumer_slot: op.slot,
                            consumer_lat: posting.lat,
                            distance,
                        },
                    });
                }
            }
        }
    }

    /// Appends the causes of a stall: the pairs that are satisfied at the issue cycle and no
    /// sooner, each once, in the order of section 3.4. A bundle without a stall has none.
    fn list_causes(&mut self, cycle: u32, stall: u32, causes: &mut Vec<Cause>) -> Range<u32> {
        let first = causes.len() as u32;
        if stall > 0 {
            self.pairs.retain(|pair| pair.satisfied_at == cycle);
            self.pairs.sort_unstable_by_key(|pair| {
                let cause = &pair.cause;
                (
                    cause.hazard,
                    cause.class,
                    cause.index,
                    cause.producer_bundle,
                    cause.producer_slot,
                    cause.consumer_slot,
                    cause.producer_lat,
                    cause.consumer_lat,
                )
            });
            self.pairs.dedup_by_key(|pair| pair.cause);
            causes.extend(self.pairs.iter().map(|pair| pair.cause));
        }
        first..causes.len() as u32
    }

    /// Remembers what the ops of the bundle at hand define.
    fn define(&mut self, ops: &[OpTiming], postings: &[Posting]) {
        let bundle = self.issued.len() as u32;
        for op in ops {
            for posting in &postings[as_indices(&op.postings)] {
                if let (Role::Def, Some(index)) = (posting.role, posting.index) {
                    self.definitions[posting.class as usize][usize::from(index)].push(Definition {
                        bundle,
                        slot: op.slot,
                        lat: posting.lat,
                    });
                }
            }
        }
    }
}

/// D(d, p), the least number of cycles from the definition's bundle to the posting's (T-01).
fn distance(definition: u8, posting: u8) -> u8 {
    (definition + 1).saturating_sub(posting).max(1)
}

fn as_indices(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
