//! Worked schedules (`lat_examples.json`): programs with the whole canonical schedule that each must
//! get. Values are beside the point, so the address registers point into the middle of a window.

use super::{Directed, DirectedCase, Expectation, concerns};
use crate::corpus::{Corpus, CorpusError, read_documents};
use crate::family::Op;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, Operands, SlotOp};
use contract::case::{Case, MemoryWindow, RegisterValue, VectorCase};
use contract::isa::{Mnemonic, OperandKind};
use contract::json::{JsonError, schedule_from_value};
use contract::outcome::Outcome;
use contract::profile::Profile;
use contract::schedule::Schedule;
use serde_json::Value;

const FILE: &str = "lat_examples.json";

/// A window from address 0, so that a zero that a vector op puts into an address register is inside.
const WINDOW: MemoryWindow = MemoryWindow { base: 0, bytes: 65536, init: Vec::new() };

/// Start of every address register: aligned, far from both ends of the window.
const ADDRESS: u32 = 0x1000;

pub(super) fn load(
    corpus: &Corpus,
    ops: &[Op],
    directed: &mut Directed,
) -> Result<(), CorpusError> {
    for document in read_documents(&corpus.golden(FILE))? {
        let refuse = |error| CorpusError::Form { place: document.place.clone(), error };
        let examples = document.value.get("examples").and_then(Value::as_array);
        let examples = examples.ok_or_else(|| {
            refuse(wrong("examples".to_owned(), "nothing", "an array of programs"))
        })?;
        for (number, example) in examples.iter().enumerate() {
            let path = format!("examples[{number}]");
            let (case, schedule) = read(&path, example).map_err(refuse)?;
            if concerns(&case, ops) {
                directed.cases.push(DirectedCase {
                    group: FILE.to_owned(),
                    name: format!("{FILE} {}", case.id()),
                    case,
                    expectation: Some(schedule),
                });
            }
        }
    }
    Ok(())
}

fn wrong(path: String, found: &str, expected: &str) -> JsonError {
    JsonError::Field { path, found: found.to_owned(), expected: expected.to_owned() }
}

fn read(path: &str, example: &Value) -> Result<(Case, Expectation), JsonError> {
    let missing = |key: &str, expected| wrong(format!("{path}.{key}"), "nothing", expected);
    let id = example.get("id").and_then(Value::as_str).ok_or_else(|| missing("id", "a name"))?;
    let bundles = example.get("program").and_then(Value::as_array);
    let bundles = bundles.ok_or_else(|| missing("program", "an array of bundles"))?;
    let mut program = Vec::new();
    for (number, value) in bundles.iter().enumerate() {
        let read = bundle(value);
        program.push(read.ok_or_else(|| missing(&format!("program[{number}]"), "a bundle"))?);
    }
    let schedule = example.pointer("/expect/schedule");
    let schedule = schedule.ok_or_else(|| missing("expect.schedule", "a schedule"))?;
    let case = VectorCase {
        id: id.to_owned(),
        profile: Profile::default(),
        cpenable: 2,
        state: (0..16).map(|register| RegisterValue::Ar(register, ADDRESS)).collect(),
        memory: WINDOW,
        program,
    };
    let schedule = Box::new(schedule_from_value(schedule)?);
    Ok((Case::Vector(case), Expectation::Schedule(schedule)))
}

/// A bundle given as its format and one op per slot, operands as bare numbers.
fn bundle(value: &Value) -> Option<Bundle> {
    let format = FormatWord::from_word(value.get("fmt")?.as_str()?);
    let listed = value.get("ops")?.as_array()?;
    let mut ops = Vec::new();
    for (slot, op) in (0..).zip(listed) {
        let op = op.as_array()?;
        let word = OpWord::from_word(op.first()?.as_str()?);
        let kinds = match word {
            OpWord::Known(mnemonic) => mnemonic.info().operands,
            OpWord::Unknown(_) => &[],
        };
        let mut operands = Operands::new();
        for (position, number) in op[1..].iter().enumerate() {
            let number = number.as_i64()?;
            operands.push(match kinds.get(position) {
                Some((_, OperandKind::Reg(class))) => {
                    Operand::Reg(*class, u32::try_from(number).ok()?)
                }
                _ => Operand::Imm(number),
            });
        }
        ops.push(SlotOp { slot, op: word, operands });
    }
    if let FormatWord::Known(format) = format {
        // In the text form an unnamed slot holds `NOP`, so too few ops cannot be written; an op in a
        // slot that the format lacks fails the same check (spec 05 T-30).
        let slots = format.slots().len();
        if listed.len() < slots {
            let nop = OpWord::Known(Mnemonic::NOP);
            ops.push(SlotOp { slot: slots as u32, op: nop, operands: Operands::new() });
        }
    }
    let mut bundle = Bundle { format, ops };
    bundle.canonicalise();
    Some(bundle)
}

/// The first line in which an outcome's schedule differs from the worked one.
pub(super) fn missed(expected: &Schedule, outcome: &Outcome) -> Option<String> {
    let Outcome::Vector(outcome) = outcome else { return Some("no vector outcome".to_owned()) };
    let Some(found) = &outcome.schedule else { return Some("no schedule".to_owned()) };
    if expected == found {
        return None;
    }
    let (expected, found) = (expected.to_string(), found.to_string());
    let pair = expected.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
    Some(match pair {
        Some((wanted, found)) => format!("schedule: expected `{wanted}`, got `{found}`"),
        None => "schedule: another table or number of lines".to_owned(),
    })
}
