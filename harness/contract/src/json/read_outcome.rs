//! Reads outcomes, as external models give them and as golden files expect them.

use super::error::{JsonError, Path};
use super::read::{self, Object, array, quote, shorten, text};
use super::read_case::{chunk, region, state};
use super::schedule;
use super::write_outcome::INDETERMINATE_ACC;
use crate::case::{Case, TensorCase, VectorCase};
use crate::isa::{ClauseId, ClauseSet, Mnemonic};
use crate::outcome::{
    FaultReason, LegalityReason, Outcome, TensorOutcome, TensorReason, TensorStep, TensorVerdict,
    VectorOutcome, VectorStep,
};
use crate::state::{ACCUMULATOR_LANES, TensorState, VectorState};
use serde_json::Value;

/// Reads the outcome of a case; the final state is rebuilt in full.
///
/// # Errors
/// [`JsonError`] with the place of whatever is not of version 1's form or does not fit the case.
pub fn read_outcome(json: &str, case: &Case) -> Result<Outcome, JsonError> {
    outcome_from_value(&serde_json::from_str(json)?, case)
}

/// Reads the outcome of a case from a parsed document.
///
/// # Errors
/// As [`read_outcome`].
pub fn outcome_from_value(value: &Value, case: &Case) -> Result<Outcome, JsonError> {
    let object = Object::of(value, Path::Root("outcome"))?;
    let kind = match case {
        Case::Tensor(_) => "tensor",
        Case::Vector(_) => "vector",
    };
    object.kind(&[kind])?;
    let expected = quote(case.id());
    object.name("id", &expected, |id| (id == case.id()).then_some(()))?;
    match case {
        Case::Tensor(case) => tensor_outcome(object, case).map(Box::new).map(Outcome::Tensor),
        Case::Vector(case) => vector_outcome(object, case).map(Box::new).map(Outcome::Vector),
    }
}

/// What an external model says in place of an outcome if it does not model the case: the text of the
/// document's key `unsupported`. Such a document is no outcome; ask here first.
pub fn declined(value: &Value) -> Option<&str> {
    value.get("unsupported")?.as_str()
}

const VERDICTS: &str = "\"accept\", \"reject\", \"unsupported\" or \"fault\"";

fn tensor_outcome(object: Object<'_>, case: &TensorCase) -> Result<TensorOutcome, JsonError> {
    let object =
        object.only(&["version", "kind", "id", "steps", "memory", "accumulators", "seeded"])?;
    let path = object.path.key("steps");
    let mut steps = Vec::new();
    for (index, value) in object.array("steps")?.iter().enumerate() {
        steps.push(tensor_step(value, path.index(index))?);
    }
    if steps.len() != case.program.len() {
        return Err(path.error(
            format!("{} steps", steps.len()),
            format!("{}, one per instruction", case.program.len()),
        ));
    }
    let mut state = TensorState::of(case);
    regions(object, &mut state)?;
    accumulators(object, &mut state)?;
    Ok(TensorOutcome { steps, state })
}

fn tensor_step(value: &Value, path: Path<'_>) -> Result<TensorStep, JsonError> {
    let object = Object::of(value, path)?.only(&["verdict", "clauses", "reason", "flags"])?;
    let reason = || object.text("reason", "a reason").map(TensorReason::from_text);
    let (verdict, field) = match object.text("verdict", VERDICTS)? {
        "accept" => (TensorVerdict::Accept, None),
        "reject" => (TensorVerdict::Reject(clauses(object)?), Some("clauses")),
        "unsupported" => (TensorVerdict::Unsupported(reason()?), Some("reason")),
        "fault" => (TensorVerdict::Fault(reason()?), Some("reason")),
        other => return Err(object.path.key("verdict").error(quote(other), VERDICTS)),
    };
    no_other_field(object, &["clauses", "reason"], field)?;
    let mut step = TensorStep::new(verdict);
    if let Some(value) = object.get("flags") {
        let path = object.path.key("flags");
        for (index, value) in array(value, &path)?.iter().enumerate() {
            let expected = format!("\"{INDETERMINATE_ACC}\"");
            if value != INDETERMINATE_ACC {
                return Err(path.index(index).error(shorten(value), expected));
            }
            step.indeterminate_acc = true;
        }
    }
    Ok(step)
}

fn clauses(object: Object<'_>) -> Result<ClauseSet, JsonError> {
    let path = object.path.key("clauses");
    let mut set = ClauseSet::EMPTY;
    for (index, value) in object.array("clauses")?.iter().enumerate() {
        let expected = "a clause id of spec 02 that this build knows";
        let path = path.index(index);
        let id = text(value, &path, expected)?;
        set.insert(ClauseId::from_id(id).ok_or_else(|| path.error(quote(id), expected))?);
    }
    if set.is_empty() {
        return Err(path.error("an array of 0", "at least one clause"));
    }
    Ok(set)
}

/// Refuses fields that belong to another verdict.
fn no_other_field(object: Object<'_>, fields: &[&str], own: Option<&str>) -> Result<(), JsonError> {
    for &field in fields {
        if let Some(value) = object.get(field)
            && Some(field) != own
        {
            return Err(object.path.key(field).error(shorten(value), "none beside this verdict"));
        }
    }
    Ok(())
}

/// Reads the regions after the run, which are the case's in order.
fn regions(object: Object<'_>, state: &mut TensorState) -> Result<(), JsonError> {
    let path = object.path.key("memory");
    let values = object.array("memory")?;
    if values.len() != state.regions.len() {
        return Err(path.error(
            format!("{} regions", values.len()),
            format!("{}, the regions of the case", state.regions.len()),
        ));
    }
    for (index, (value, mine)) in values.iter().zip(&mut state.regions).enumerate() {
        let given = region(value, path.index(index))?;
        let place = (given.space, given.partition, given.partitions, given.offset, given.stride);
        if place != (mine.space, mine.partition, mine.partitions, mine.offset, mine.stride) {
            return Err(path.index(index).error("another region", "the region of the case"));
        }
        mine.data = given.data;
    }
    Ok(())
}

fn accumulators(object: Object<'_>, state: &mut TensorState) -> Result<(), JsonError> {
    let path = object.path.key("accumulators");
    let lanes = "an object of seeded lanes";
    for (key, value) in Object::of(object.require("accumulators", lanes)?, path)?.entries() {
        let path = path.key(key);
        let lane = key
            .parse()
            .ok()
            .filter(|&lane: &usize| lane < ACCUMULATOR_LANES && lane.to_string() == key)
            .ok_or_else(|| path.error("no such lane", "a number from 0 to 127"))?;
        state.accumulators[lane] = read::u32(value, &path)?;
        state.seeded |= 1 << lane;
    }
    let path = object.path.key("seeded");
    let mut seeded = 0_u128;
    for (index, value) in object.array("seeded")?.iter().enumerate() {
        let lane = read::number(value, &path.index(index), ACCUMULATOR_LANES as u64 - 1)?;
        seeded |= 1 << lane;
    }
    if seeded != state.seeded {
        return Err(path.error("other lanes", "the lanes of \"accumulators\""));
    }
    Ok(())
}

fn vector_outcome(object: Object<'_>, case: &VectorCase) -> Result<VectorOutcome, JsonError> {
    let object = object.only(&["version", "kind", "id", "steps", "state", "memory", "schedule"])?;
    let steps = vector_steps(object, case)?;
    let mut outcome = VectorOutcome { steps, ..VectorOutcome::default() };
    let after = &mut outcome.state;
    after.profile = case.profile;
    after.cpenable = case.cpenable;
    after.memory.load(case);
    for value in state(object.require("state", "an object")?, object.path.key("state"))? {
        value.store(after);
    }
    changed_memory(object, case, after)?;
    outcome.schedule = match object.get("schedule") {
        None | Some(Value::Null) => None,
        Some(value) => Some(schedule::from_value(value, object.path.key("schedule"))?),
    };
    Ok(outcome)
}

/// Reads the steps: one per bundle, up to and including the one that ends the program.
fn vector_steps(object: Object<'_>, case: &VectorCase) -> Result<Vec<VectorStep>, JsonError> {
    let path = object.path.key("steps");
    let mut steps: Vec<VectorStep> = Vec::new();
    for (index, value) in object.array("steps")?.iter().enumerate() {
        let path = path.index(index);
        if index == case.program.len() || steps.last().is_some_and(|last| !last.goes_on()) {
            return Err(path.error(shorten(value), "no step after the end of the program"));
        }
        steps.push(vector_step(value, path)?);
    }
    if steps.len() < case.program.len() && steps.last().is_none_or(VectorStep::goes_on) {
        return Err(path.error(
            format!("{} steps", steps.len()),
            format!("{}, one per bundle", case.program.len()),
        ));
    }
    Ok(steps)
}

fn vector_step(value: &Value, path: Path<'_>) -> Result<VectorStep, JsonError> {
    let object = Object::of(value, path)?.only(&["verdict", "clauses", "reason", "address"])?;
    let fields = ["clauses", "reason", "address"];
    let (step, own): (_, &[&str]) = match object.text("verdict", VERDICTS)? {
        "accept" => (VectorStep::Accept, &[]),
        "reject" => (VectorStep::Reject(legality(object)?), &["clauses"]),
        "unsupported" => {
            let expected = "a mnemonic of table lat-1";
            let mnemonic = object.name("reason", expected, Mnemonic::from_name)?;
            (VectorStep::Unsupported(mnemonic), &["reason"])
        }
        "fault" => {
            let reason = FaultReason::from_text(object.text("reason", "a reason")?);
            let address = match reason {
                FaultReason::BadAccess | FaultReason::Alignment => Some(object.u32("address")?),
                FaultReason::Coprocessor1Exception => None,
                FaultReason::Other(_) => {
                    object.get("address").map(|_| object.u32("address")).transpose()?
                }
            };
            let own: &[&str] = if address.is_some() { &["reason", "address"] } else { &["reason"] };
            (VectorStep::Fault(reason, address), own)
        }
        other => return Err(object.path.key("verdict").error(quote(other), VERDICTS)),
    };
    for field in fields {
        if !own.contains(&field) {
            no_other_field(object, &[field], None)?;
        }
    }
    Ok(step)
}

/// The one reason of an illegal bundle.
fn legality(object: Object<'_>) -> Result<LegalityReason, JsonError> {
    let path = object.path.key("clauses");
    match object.array("clauses")? {
        [reason] => text(reason, &path.index(0), "a reason").map(LegalityReason::from_text),
        other => Err(path.error(format!("an array of {}", other.len()), "one reason")),
    }
}

fn changed_memory(
    object: Object<'_>,
    case: &VectorCase,
    state: &mut VectorState,
) -> Result<(), JsonError> {
    let path = object.path.key("memory");
    for (index, value) in object.array("memory")?.iter().enumerate() {
        let run = chunk(value, path.index(index), case.memory.base, case.memory.bytes)?;
        // `chunk` refuses addresses outside the window.
        state.memory.write((run.address - case.memory.base) as usize, &run.data);
    }
    Ok(())
}
