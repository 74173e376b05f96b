//! The 27 worked programs: against the golden schedules, and against the text that spec 05 prints.

use crate::support::{
    as_json, as_text, format_word, mnemonic, op_word, reference::assert_interlock, run,
};
use contract::bundle::{Bundle, FormatWord, Operand, SlotOp};
use contract::isa::OperandKind;
use contract::profile::LatCrossbar;
use serde_json::Value;

const EXAMPLES: &str = include_str!("../../../corpus/golden/lat_examples.json");
const CHAPTER: &str = include_str!("../../spec/05-timing.md");

fn golden_examples() -> Vec<Value> {
    let file: Value = serde_json::from_str(EXAMPLES).unwrap();
    file["examples"].as_array().unwrap().clone()
}

/// A bundle of the golden file: one op per slot of the format, each a name and its operands as
/// numbers. A file that lists too few ops has no counterpart in a `Bundle` (a slot that is not
/// named holds `NOP`); its last op then names the slot of the op before it, which fails the same
/// check.
fn golden_bundle(bundle: &Value) -> Bundle {
    let format = format_word(bundle["fmt"].as_str().unwrap());
    let listed = bundle["ops"].as_array().unwrap();
    let slots = match &format {
        FormatWord::Known(format) => format.slots().len(),
        FormatWord::Unknown(_) => listed.len(),
    };
    let ops = listed.iter().enumerate().map(|(position, op)| {
        let op = op.as_array().unwrap();
        let name = op[0].as_str().unwrap();
        let operands = mnemonic(name).info().operands.iter().zip(&op[1..]);
        let too_few = listed.len() < slots && position + 1 == listed.len();
        SlotOp {
            slot: (position - usize::from(too_few)) as u32,
            op: op_word(name),
            operands: operands
                .map(|((_, kind), number)| match kind {
                    OperandKind::Reg(class) => {
                        Operand::Reg(*class, number.as_u64().unwrap() as u32)
                    }
                    OperandKind::Imm => Operand::Imm(number.as_i64().unwrap()),
                })
                .collect(),
        }
    });
    Bundle { format, ops: ops.collect() }
}

fn golden_program(example: &Value) -> Vec<Bundle> {
    example["program"].as_array().unwrap().iter().map(golden_bundle).collect()
}

#[test]
fn every_golden_example_gives_the_golden_schedule() {
    let examples = golden_examples();
    assert_eq!(examples.len(), 27);
    for example in &examples {
        let schedule = run(&golden_program(example), LatCrossbar::Seed);
        assert_eq!(as_json(&schedule), example["expect"]["schedule"], "{}", example["id"]);
        if example["expect"]["reason"].is_null() {
            assert_interlock(&schedule);
        }
    }
}

#[test]
fn explicit_nops_and_their_absence_give_one_schedule() {
    for example in golden_examples() {
        let mut program = golden_program(&example);
        let with_nops = run(&program, LatCrossbar::Seed);
        program.iter_mut().for_each(Bundle::canonicalise);
        assert_eq!(run(&program, LatCrossbar::Seed), with_nops, "{}", example["id"]);
    }
}

#[test]
fn every_example_prints_as_the_chapter_prints_it() {
    let mut printed = 0;
    for example in golden_examples() {
        let id = example["id"].as_str().unwrap();
        let (_, section) = CHAPTER.split_once(&format!("**{id}** — ")).expect(id);
        let text = section.split("```").nth(1).unwrap().trim();
        assert_eq!(as_text(&run(&golden_program(&example), LatCrossbar::Seed)), text, "{id}");
        printed += 1;
    }
    assert_eq!(printed, 27);
}
