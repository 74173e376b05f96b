//! Misreadings of chapter 05. The right model judges and executes; a scheduler of this room's own then
//! rewrites the postings of the new bundle and works its issue cycle out again, by the definitions of
//! every earlier bundle (spec 05 section 3) with one thing wrong.

use super::Fault;
use crate::family::Family;
use crate::models::BoxedModel;
use contract::bundle::Bundle;
use contract::isa::{Mnemonic, RegClass};
use contract::model::{StepModel, VectorModel};
use contract::outcome::VectorStep;
use contract::schedule::{Cause, Hazard, Posting, Role, Schedule};
use contract::state::VectorState;

/// Faults of schedules.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "valign-def-10",
        family: Family::Vector,
        story: "a load-side op has its align register ready at 10 instead of 9",
        source: "spec 05 section 1.1: the load-side align register is at stage 9",
        make: || wrap(Rules { rewrite: late_align, ..Rules::RIGHT }),
    },
    Fault {
        name: "sel-control-10",
        family: Family::Vector,
        story: "SEL reads its control at 10, like its data",
        source: "spec 05 section 5: the control of SEL is read at 12 (T-03)",
        make: || wrap(Rules { rewrite: early_control, ..Rules::RIGHT }),
    },
    Fault {
        name: "ar-increment-def-4",
        family: Family::Vector,
        story: "a post-incremented base is ready at 4, like a scalar result",
        source: "spec 05 T-04: base use, index use and base def are all at 1",
        make: || wrap(Rules { rewrite: late_increment, ..Rules::RIGHT }),
    },
    Fault {
        name: "waw-ignored",
        family: Family::Vector,
        story: "a definition never waits for an earlier definition of the same register",
        source: "spec 05 T-02: write after write interlocks with the same formula",
        make: || wrap(Rules { waw: false, ..Rules::RIGHT }),
    },
    Fault {
        name: "distance-one-short",
        family: Family::Vector,
        story: "the distance is L(d) - L(p), without the 1 for the end of the stage",
        source: "spec 05 T-01: D = max(1, L(d) - L(p) + 1)",
        make: || wrap(Rules { end_of_stage: 0, ..Rules::RIGHT }),
    },
];

/// What a scheduler goes by.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Changes a posting of an op.
    rewrite: fn(Mnemonic, &mut Posting),
    /// Whether definitions wait for definitions.
    waw: bool,
    /// Added to the difference of two LATs.
    end_of_stage: i32,
}

impl Rules {
    /// The rules as they are.
    pub(super) const RIGHT: Self = Self { rewrite: |_, _| {}, waw: true, end_of_stage: 1 };
}

fn late_align(_: Mnemonic, posting: &mut Posting) {
    if (posting.class, posting.role, posting.lat) == (RegClass::Valign, Role::Def, 9) {
        posting.lat = 10;
    }
}

fn early_control(op: Mnemonic, posting: &mut Posting) {
    if op.name().starts_with("SEL") && (posting.role, posting.lat) == (Role::Use, 12) {
        posting.lat = 10;
    }
}

fn late_increment(op: Mnemonic, posting: &mut Posting) {
    let increment = (posting.class, posting.role, posting.lat) == (RegClass::Ar, Role::Def, 1);
    if increment && op.name() != "MOVI" {
        posting.lat = 4;
    }
}

/// An earlier definition.
struct Definition {
    class: RegClass,
    index: u8,
    lat: u8,
    bundle: u32,
    slot: u8,
    issue: u32,
}

pub(super) struct Rescheduled<M> {
    rules: Rules,
    model: M,
    definitions: Vec<Definition>,
    last: Option<u32>,
}

impl<M> Rescheduled<M> {
    pub(super) const fn new(rules: Rules, model: M) -> Self {
        Self { rules, model, definitions: Vec::new(), last: None }
    }

    /// The required distance of a posting from a definition; `None` if it does not wait for it.
    fn distance(&self, definition: &Definition, posting: &Posting) -> Option<u32> {
        let same = definition.class == posting.class && Some(definition.index) == posting.index;
        let waits = match posting.role {
            Role::Use => true,
            Role::Def => self.rules.waw,
            Role::Port => false,
        };
        let difference = i32::from(definition.lat) - i32::from(posting.lat);
        (same && waits).then(|| (difference + self.rules.end_of_stage).max(1) as u32)
    }

    /// Works the last bundle of a schedule out again.
    fn reschedule(&mut self, schedule: &mut Schedule) {
        let Some(bundle) = schedule.bundles.last().cloned() else { return };
        let ops = schedule.ops_of(&bundle).to_vec();
        for op in &ops {
            let postings = op.postings.start as usize..op.postings.end as usize;
            for posting in &mut schedule.postings[postings] {
                (self.rules.rewrite)(op.op, posting);
            }
        }
        if bundle.issue.is_none() {
            return;
        }
        let number = schedule.bundles.len() as u32 - 1;
        let in_order = self.last.map_or(0, |last| last + 1);
        let mut waits = Vec::new();
        let mut issue = in_order;
        for op in &ops {
            for posting in schedule.postings_of(op) {
                for definition in &self.definitions {
                    let Some(distance) = self.distance(definition, posting) else { continue };
                    issue = issue.max(definition.issue + distance);
                    waits.push((
                        definition.issue + distance,
                        Cause {
                            hazard: if posting.role == Role::Use {
                                Hazard::Raw
                            } else {
                                Hazard::Waw
                            },
                            class: posting.class,
                            index: definition.index,
                            producer_bundle: definition.bundle,
                            producer_slot: definition.slot,
                            producer_lat: definition.lat,
                            consumer_slot: op.slot,
                            consumer_lat: posting.lat,
                            distance: distance as u8,
                        },
                    ));
                }
            }
        }
        let mut causes: Vec<Cause> = waits
            .into_iter()
            .filter(|&(cycle, _)| cycle == issue)
            .map(|(_, cause)| cause)
            .collect();
        if issue == in_order {
            causes.clear();
        }
        causes.sort_by_key(|cause| {
            let producer = (cause.producer_bundle, cause.producer_slot);
            let stages = (cause.producer_lat, cause.consumer_lat);
            (cause.hazard, cause.class, cause.index, producer, cause.consumer_slot, stages)
        });
        causes.dedup();
        schedule.causes.truncate(bundle.causes.start as usize);
        schedule.causes.extend(causes);
        for op in &ops {
            for posting in schedule.postings_of(op).iter().filter(|p| p.role == Role::Def) {
                let Some(index) = posting.index else { continue };
                self.definitions.push(Definition {
                    class: posting.class,
                    index,
                    lat: posting.lat,
                    bundle: number,
                    slot: op.slot,
                    issue,
                });
            }
        }
        self.last = Some(issue);
        schedule.cycles = issue + 1;
        let end = schedule.causes.len() as u32;
        if let Some(last) = schedule.bundles.last_mut() {
            last.issue = Some((issue, issue - in_order));
            last.causes.end = end;
        }
    }
}

impl<M: VectorModel> VectorModel for Rescheduled<M> {
    fn begin(&mut self, state: &VectorState) {
        self.definitions.clear();
        self.last = None;
        self.model.begin(state);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        let step = self.model.step(state, bundle, schedule);
        self.reschedule(schedule);
        step
    }
}

fn wrap(rules: Rules) -> BoxedModel {
    let right = candidate::model();
    let vector = Rescheduled::new(rules, right.vector);
    Box::new(StepModel::new("candidate with a planted fault", right.tensor, vector))
}
