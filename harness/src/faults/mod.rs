//! Planted faults: named misreadings of the spec, as wrappers over the steps of the built-in candidate.
//! They show that the harness finds what a careful reader could get wrong. The models themselves carry
//! no fault switch.
//!
//! A fault is one row of a table: name, story, source, and what is [`Wrong`]. The tables stand one a
//! subject, in the order of [`FAULTS`]: verdicts ([`clauses`], [`scan_clauses`], [`patterns`],
//! [`verdicts`]), numbers ([`conversions`], [`loads`], [`operators`], [`integers`]), instructions
//! ([`recurrences`], [`addressing`]), vector values ([`lanes`], [`arithmetic`], [`reductions`],
//! [`predicates`], [`streams`], [`accesses`]), bundles ([`bundles`], [`traps`]), schedules ([`lats`],
//! [`interlock`]). The machines that
//! they feed stand in [`tensor`], [`vector`] and [`schedule`]. [`hunt`] looks for faults with the cases of
//! a campaign; [`harness`] plants faults in the harness itself.

pub mod accesses;
pub mod addressing;
pub mod arithmetic;
pub mod bundles;
pub mod clauses;
pub mod conversions;
pub mod harness;
pub mod hunt;
pub mod integers;
pub mod interlock;
pub mod lanes;
pub mod lats;
pub mod loads;
pub mod operators;
pub mod patterns;
pub mod predicates;
pub mod recurrences;
pub mod reductions;
pub mod scan_clauses;
pub mod schedule;
pub mod streams;
pub mod tensor;
#[cfg(test)]
mod tests;
pub mod traps;
pub mod vector;
pub mod verdicts;

use crate::family::Family;
use crate::models::{BoxedModel, SharedFactory, factory};
use contract::bundle::SlotOp;
use contract::isa::ClauseId;
use contract::model::StepModel;
use contract::nearest::nearest;
use contract::schedule::Schedule;
use contract::state::VectorState;
use globset::Glob;
use thiserror::Error;

/// A misreading.
#[derive(Clone, Copy)]
pub struct Fault {
    /// Name on the command line.
    pub name: &'static str,
    /// What the reader gets wrong.
    pub story: &'static str,
    /// Where the spec or a seed says otherwise.
    pub source: &'static str,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a model.
#[derive(Clone, Copy)]
pub enum Wrong {
    /// Values of tensor instructions.
    Value(tensor::rules::Rules),
    /// Clauses of tensor records.
    Clause(tensor::judge::Clauses),
    /// Other verdicts on tensor records.
    Verdict(tensor::judge::Verdicts),
    /// Values of vector ops.
    Lanes(vector::Values),
    /// Judgement of bundles.
    Bundle(vector::judge::Bundles),
    /// Schedules.
    Schedule(schedule::Rules),
}

/// The tables, one a subject.
const ROOMS: &[&[Fault]] = &[
    clauses::FAULTS,
    scan_clauses::FAULTS,
    patterns::FAULTS,
    verdicts::FAULTS,
    conversions::FAULTS,
    loads::FAULTS,
    operators::FAULTS,
    integers::FAULTS,
    recurrences::FAULTS,
    addressing::FAULTS,
    lanes::FAULTS,
    arithmetic::FAULTS,
    reductions::FAULTS,
    predicates::FAULTS,
    streams::FAULTS,
    accesses::FAULTS,
    bundles::FAULTS,
    traps::FAULTS,
    lats::FAULTS,
    interlock::FAULTS,
];

/// The catalogue: the tables of every subject, one after the other.
pub const FAULTS: &[Fault] = &joined();

const COUNT: usize = {
    let (mut count, mut room) = (0, 0);
    while room < ROOMS.len() {
        count += ROOMS[room].len();
        room += 1;
    }
    count
};

const fn joined() -> [Fault; COUNT] {
    let mut all = [ROOMS[0][0]; COUNT];
    let (mut room, mut at) = (0, 0);
    while room < ROOMS.len() {
        let mut row = 0;
        while row < ROOMS[room].len() {
            all[at] = ROOMS[room][row];
            row += 1;
            at += 1;
        }
        room += 1;
    }
    all
}

impl Fault {
    /// A misread clause.
    const fn clause(
        name: &'static str,
        clauses: &'static [ClauseId],
        story: &'static str,
        source: &'static str,
        reads: fn(&mut tensor::judge::Judged),
    ) -> Self {
        let wrong = Wrong::Clause(tensor::judge::Clauses { clauses, reads });
        Self { name, story, source, wrong }
    }

    /// Results of ops that are changed.
    const fn spoil(
        name: &'static str,
        concerns: fn(&str) -> bool,
        spoil: fn(&VectorState, &vector::Reading<'_>, &mut VectorState),
        story: &'static str,
        source: &'static str,
    ) -> Self {
        let misread = vector::Misread::Spoil(spoil);
        Self { name, story, source, wrong: Wrong::Lanes(vector::Values { concerns, misread }) }
    }

    /// Ops that are executed as others.
    const fn rewrite(
        name: &'static str,
        concerns: fn(&str) -> bool,
        rewrite: fn(&mut SlotOp, &mut VectorState),
        story: &'static str,
        source: &'static str,
    ) -> Self {
        let misread = vector::Misread::Rewrite(rewrite);
        Self { name, story, source, wrong: Wrong::Lanes(vector::Values { concerns, misread }) }
    }

    /// Family whose cases show it.
    pub const fn family(&self) -> Family {
        match self.wrong {
            Wrong::Value(_) | Wrong::Clause(_) | Wrong::Verdict(_) => Family::Tensor,
            Wrong::Lanes(_) | Wrong::Bundle(_) | Wrong::Schedule(_) => Family::Vector,
        }
    }

    /// The built-in candidate with this fault in it.
    pub fn make(&self) -> BoxedModel {
        const NAME: &str = "candidate with a planted fault";
        let right = candidate::model();
        let (tensor, vector) = (right.tensor, right.vector);
        match self.wrong {
            Wrong::Value(rules) => {
                let tensor = tensor::misreader::Misreader::new(rules, tensor);
                Box::new(StepModel::new(NAME, tensor, vector))
            }
            Wrong::Clause(clauses) => {
                let tensor = tensor::judge::ClauseJudge { clauses, model: tensor };
                Box::new(StepModel::new(NAME, tensor, vector))
            }
            Wrong::Verdict(verdicts) => {
                let tensor = tensor::judge::VerdictJudge { verdicts, model: tensor };
                Box::new(StepModel::new(NAME, tensor, vector))
            }
            Wrong::Lanes(values) => {
                let second = candidate::model().vector;
                let vector = vector::Misreader::new(values, vector, second);
                Box::new(StepModel::new(NAME, tensor, vector))
            }
            Wrong::Bundle(bundles) => {
                let (second, scratch) = (candidate::model().vector, Schedule::default());
                let vector = vector::judge::BundleJudge { bundles, model: vector, second, scratch };
                Box::new(StepModel::new(NAME, tensor, vector))
            }
            Wrong::Schedule(rules) => {
                let vector = schedule::Rescheduled::new(rules, vector);
                Box::new(StepModel::new(NAME, tensor, vector))
            }
        }
    }
}

/// There is no fault of that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no planted fault is called `{name}`")]
pub struct UnknownFault {
    /// As given.
    pub name: String,
    /// The fault that it resembles.
    pub nearest: Option<&'static str>,
}

impl UnknownFault {
    fn of(name: &str) -> Self {
        let nearest = nearest(name, FAULTS.iter().map(|fault| fault.name));
        Self { name: name.to_owned(), nearest }
    }
}

/// The fault with this name.
///
/// # Errors
/// [`UnknownFault`].
pub fn by_name(name: &str) -> Result<&'static Fault, UnknownFault> {
    FAULTS.iter().find(|fault| fault.name == name).ok_or_else(|| UnknownFault::of(name))
}

/// The faults that a name or glob selects, in catalogue order.
///
/// # Errors
/// [`UnknownFault`] if there are none.
pub fn matching(pattern: &str) -> Result<Vec<&'static Fault>, UnknownFault> {
    let glob = Glob::new(pattern).map_err(|_| UnknownFault::of(pattern))?.compile_matcher();
    let found: Vec<_> = FAULTS.iter().filter(|fault| glob.is_match(fault.name)).collect();
    if found.is_empty() { Err(UnknownFault::of(pattern)) } else { Ok(found) }
}

/// A factory of the candidate with a fault.
pub fn candidate_with(fault: &'static Fault) -> SharedFactory {
    factory(format!("candidate with fault {}", fault.name), move || fault.make())
}
