//! Differences, one at a time: each changes one thing in an outcome, and a comparator that holds the
//! changed outcome equal to the original is broken.

use contract::isa::{ClauseId, ClauseSet};
use contract::outcome::{
    FaultReason, LegalityReason, Outcome, TensorOutcome, TensorVerdict, VectorOutcome, VectorStep,
};
use contract::schedule::{BundleVerdict, Role};
use contract::state::ACCUMULATOR_LANES;

/// A change of an outcome; false if the outcome has nothing to change so.
#[derive(Clone, Copy)]
pub struct Perturbation {
    /// What is changed.
    pub name: &'static str,
    /// Changes it.
    pub apply: fn(&mut Outcome) -> bool,
}

const fn of(name: &'static str, apply: fn(&mut Outcome) -> bool) -> Perturbation {
    Perturbation { name, apply }
}

fn tensor(outcome: &mut Outcome) -> Option<&mut TensorOutcome> {
    match outcome {
        Outcome::Tensor(outcome) => Some(outcome),
        Outcome::Vector(_) => None,
    }
}

fn vector(outcome: &mut Outcome) -> Option<&mut VectorOutcome> {
    match outcome {
        Outcome::Vector(outcome) => Some(outcome),
        Outcome::Tensor(_) => None,
    }
}

/// Changes a thing if it is there.
fn change<T>(thing: Option<&mut T>, how: impl FnOnce(&mut T)) -> bool {
    thing.map(how).is_some()
}

/// The failing set of the last rejected step.
fn rejected(outcome: &mut Outcome) -> Option<&mut ClauseSet> {
    tensor(outcome)?.steps.iter_mut().rev().find_map(|step| match &mut step.verdict {
        TensorVerdict::Reject(clauses) => Some(clauses),
        _ => None,
    })
}

/// The perturbations.
pub const PERTURBATIONS: &[Perturbation] = &[
    of("first byte of the first region", |outcome| {
        change(
            tensor(outcome).and_then(|o| o.state.regions.first_mut()?.data.first_mut()),
            |byte| *byte ^= 1,
        )
    }),
    of("last byte of the last region", |outcome| {
        change(tensor(outcome).and_then(|o| o.state.regions.last_mut()?.data.last_mut()), |byte| {
            *byte ^= 0x80
        })
    }),
    of("a region", |outcome| tensor(outcome).is_some_and(|o| o.state.regions.pop().is_some())),
    of("last accumulator", |outcome| {
        change(tensor(outcome), |o| o.state.accumulators[ACCUMULATOR_LANES - 1] ^= 1)
    }),
    of("first accumulator", |outcome| {
        change(tensor(outcome), |o| o.state.accumulators[0] ^= 0x8000_0000)
    }),
    of("last seeded lane", |outcome| change(tensor(outcome), |o| o.state.seeded ^= 1 << 127)),
    of("first verdict", |outcome| {
        change(tensor(outcome).and_then(|o| o.steps.first_mut()), |step| {
            step.verdict = match step.verdict {
                TensorVerdict::Accept => TensorVerdict::Reject(ClauseSet::of(ClauseId::HdrLen)),
                _ => TensorVerdict::Accept,
            };
        })
    }),
    of("last verdict of several", |outcome| {
        change(
            tensor(outcome).filter(|o| o.steps.len() > 1).and_then(|o| o.steps.last_mut()),
            |step| {
                step.verdict = match step.verdict {
                    TensorVerdict::Accept => TensorVerdict::Reject(ClauseSet::of(ClauseId::HdrLen)),
                    _ => TensorVerdict::Accept,
                };
            },
        )
    }),
    of("flag of the last step", |outcome| {
        change(tensor(outcome).and_then(|o| o.steps.last_mut()), |step| {
            step.indeterminate_acc ^= true
        })
    }),
    of("another failing clause beside the first", |outcome| {
        change(rejected(outcome), |clauses| {
            let extra = ClauseId::ALL.iter().rev().find(|clause| !clauses.contains(**clause));
            clauses.insert(*extra.unwrap_or(&ClauseId::TcNeg0));
        })
    }),
    of("last tensor step", |outcome| tensor(outcome).is_some_and(|o| o.steps.pop().is_some())),
    of("a step more", |outcome| {
        change(tensor(outcome), |o| {
            if let Some(step) = o.steps.last().cloned() {
                o.steps.push(step);
            }
        })
    }),
    of("last address register", |outcome| change(vector(outcome), |o| o.state.ar[15] ^= 1)),
    of("last byte of the last vector register", |outcome| {
        change(vector(outcome), |o| o.state.vec[31].0[63] ^= 0x80)
    }),
    of("last predicate", |outcome| change(vector(outcome), |o| o.state.vbool[15] ^= 1 << 63)),
    of("last align register", |outcome| change(vector(outcome), |o| o.state.valign[3].0[63] ^= 1)),
    of("last wide accumulator", |outcome| change(vector(outcome), |o| o.state.wvec[3][191] ^= 1)),
    of("last pair", |outcome| change(vector(outcome), |o| o.state.pr[15] ^= 1)),
    of("last gather register", |outcome| change(vector(outcome), |o| o.state.gvr[7].0[63] ^= 1)),
    of("last flag state", |outcome| change(vector(outcome), |o| o.state.fs[7] ^= 1)),
    of("floating control", |outcome| change(vector(outcome), |o| o.state.fcr ^= 1)),
    of("floating status", |outcome| change(vector(outcome), |o| o.state.fsr ^= 1 << 11)),
    of("a byte of memory", |outcome| {
        change(vector(outcome), |o| {
            let last = o.state.memory.bytes().len() - 1;
            let byte = o.state.memory.bytes()[last] ^ 1;
            o.state.memory.write(last, &[byte]);
        })
    }),
    of("last bundle verdict", |outcome| {
        change(vector(outcome).and_then(|o| o.steps.last_mut()), |step| {
            *step = match step {
                VectorStep::Reject(LegalityReason::Operand) => {
                    VectorStep::Reject(LegalityReason::DupDef)
                }
                VectorStep::Reject(_) => VectorStep::Reject(LegalityReason::Operand),
                VectorStep::Fault(reason, address) => {
                    VectorStep::Fault(reason.clone(), Some(address.unwrap_or(0) ^ 64))
                }
                _ => VectorStep::Fault(FaultReason::Coprocessor1Exception, None),
            };
        })
    }),
    of("last bundle step", |outcome| vector(outcome).is_some_and(|o| o.steps.pop().is_some())),
    of("stage of the last posting", |outcome| {
        change(vector(outcome).and_then(|o| o.schedule.as_mut()?.postings.last_mut()), |posting| {
            posting.lat += 1
        })
    }),
    of("role of the first posting", |outcome| {
        change(vector(outcome).and_then(|o| o.schedule.as_mut()?.postings.first_mut()), |posting| {
            posting.role = if posting.role == Role::Use { Role::Def } else { Role::Use };
        })
    }),
    of("order of two postings", |outcome| {
        let Some(schedule) = vector(outcome).and_then(|o| o.schedule.as_mut()) else {
            return false;
        };
        let pair = schedule
            .ops
            .iter()
            .map(|op| op.postings.start as usize..op.postings.end as usize)
            .find_map(|range| {
                (range.start + 1..range.end)
                    .find(|&at| schedule.postings[at - 1] != schedule.postings[at])
            });
        pair.map(|at| schedule.postings.swap(at - 1, at)).is_some()
    }),
    of("issue cycle of the last bundle", |outcome| {
        let bundle = vector(outcome).and_then(|o| o.schedule.as_mut()?.bundles.last_mut());
        change(bundle.and_then(|bundle| bundle.issue.as_mut()), |issue| issue.0 += 1)
    }),
    of("distance of the last cause", |outcome| {
        change(vector(outcome).and_then(|o| o.schedule.as_mut()?.causes.last_mut()), |cause| {
            cause.distance += 1
        })
    }),
    of("a cause of the last stalled bundle", |outcome| {
        let Some(schedule) = vector(outcome).and_then(|o| o.schedule.as_mut()) else {
            return false;
        };
        let stalled = schedule.bundles.iter_mut().rev().find(|bundle| !bundle.causes.is_empty());
        change(stalled, |bundle| bundle.causes.end -= 1)
    }),
    of("schedule verdict of the last bundle", |outcome| {
        change(vector(outcome).and_then(|o| o.schedule.as_mut()?.bundles.last_mut()), |bundle| {
            bundle.verdict = match bundle.verdict {
                BundleVerdict::Ok => BundleVerdict::Fault(FaultReason::BadAccess),
                _ => BundleVerdict::Ok,
            };
        })
    }),
    of("cycles", |outcome| {
        change(vector(outcome).and_then(|o| o.schedule.as_mut()), |schedule| schedule.cycles += 1)
    }),
];
