//! The worked examples of spec 05 section 8 and the schedule parts of the golden vector cases.

use crate::golden::{GOLDEN, Kind, document, text};
use crate::rendering::render;
use crate::{issues, reference, run, table_of};
use candidate::schedule::{Scheduler, judge};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::case::Case;
use contract::isa::Mnemonic;
use contract::json::{case_from_value, schedule_from_value};
use contract::outcome::FaultReason;
use contract::profile::LatCrossbar;
use contract::schedule::{BundleVerdict, Schedule};
use serde_json::Value;

/// A bundle of the examples: one op per slot, operands as bare numbers. A list of another length than
/// the format's cannot be said in text; naming a slot twice is the same failing check.
fn example_bundle(value: &Value) -> Bundle {
    let format = FormatWord::from_word(value["fmt"].as_str().unwrap());
    let ops = value["ops"].as_array().unwrap();
    let mut bundle = Bundle {
        ops: ops.iter().enumerate().map(|(slot, op)| example_op(slot as u32, op)).collect(),
        format,
    };
    if let FormatWord::Known(format) = bundle.format
        && ops.len() != format.slots().len()
    {
        bundle.ops.push(bundle.ops[0].clone());
    }
    bundle.canonicalise();
    bundle
}

fn example_op(slot: u32, op: &Value) -> SlotOp {
    let words = op.as_array().unwrap();
    let mnemonic = Mnemonic::from_name(words[0].as_str().unwrap()).unwrap();
    let operands = words[1..].iter().zip(&GOLDEN.row(mnemonic).operands);
    let operands = operands.map(|(number, kind)| match kind {
        Kind::Reg(class) => Operand::Reg(*class, number.as_u64().unwrap() as u32),
        _ => Operand::Imm(number.as_i64().unwrap()),
    });
    SlotOp { slot, op: OpWord::Known(mnemonic), operands: operands.collect() }
}

#[test]
fn every_worked_example_has_its_schedule() {
    let file = document("lat_examples.json");
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 27);
    for example in examples {
        let id = example["id"].as_str().unwrap();
        let program: Vec<Bundle> =
            example["program"].as_array().unwrap().iter().map(example_bundle).collect();
        let expected = schedule_from_value(&example["expect"]["schedule"]).unwrap();
        let got = run(&program, LatCrossbar::Seed);
        assert_eq!(got, expected, "{id}\n{}", render(&got));
        let expect = &example["expect"];
        match (&expect["issue"], &expect["reason"]) {
            (Value::Array(cycles), Value::Null) => {
                let cycles: Vec<u64> = cycles.iter().filter_map(Value::as_u64).collect();
                let got: Vec<u64> = issues(&got).into_iter().map(u64::from).collect();
                assert_eq!(got, cycles, "{id}");
            }
            (Value::Null, reason) => {
                let last = &got.bundles.last().unwrap().verdict;
                let BundleVerdict::Illegal(last) = last else { panic!("{id}: {last:?}") };
                assert_eq!(reason, last.text(), "{id}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
}

#[test]
fn the_in_test_reference_agrees_with_the_worked_examples() {
    let file = document("lat_examples.json");
    for example in file["examples"].as_array().unwrap() {
        let program: Vec<Bundle> =
            example["program"].as_array().unwrap().iter().map(example_bundle).collect();
        let expected = schedule_from_value(&example["expect"]["schedule"]).unwrap();
        let legal = program.iter().take_while(|bundle| reference::judge(bundle).is_ok()).count();
        let got = reference::schedule(&program[..legal], LatCrossbar::Seed);
        assert_eq!(got.bundles, expected.bundles[..legal], "{}", example["id"]);
        assert_eq!((got.ops, got.postings), (expected.ops, expected.postings));
        assert_eq!((got.causes, got.cycles), (expected.causes, expected.cycles));
        let reason = program.get(legal).map(|bundle| reference::judge(bundle).unwrap_err());
        let expected = expected.bundles.get(legal).map(|entry| entry.verdict.clone());
        assert_eq!(reason.map(BundleVerdict::Illegal), expected, "{}", example["id"]);
    }
}

#[test]
fn every_golden_vector_case_has_its_verdicts_and_schedule() {
    let (mut cycles, mut texts) = (0, 0);
    for line in text("vector_cases.jsonl").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Ok(Case::Vector(case)) = case_from_value(&line["case"]) else { panic!("{line}") };
        let expected = &line["expected"];
        let steps = expected["steps"].as_array().unwrap();
        let crossbar = case.profile.lat_crossbar;

        let mut schedule = Schedule { table: table_of(crossbar), ..Schedule::default() };
        let mut scheduler = Scheduler::default();
        scheduler.begin(crossbar);
        for (bundle, step) in case.program.iter().zip(steps) {
            let judged = judge(bundle);
            match step["verdict"].as_str().unwrap() {
                "reject" => {
                    let reason = judged.expect_err(&case.id);
                    assert_eq!(step["clauses"], serde_json::json!([reason.text()]), "{}", case.id);
                    scheduler.push_illegal(bundle, reason, &mut schedule);
                }
                "fault" => {
                    assert_eq!(judged, Ok(()), "{}", case.id);
                    scheduler.issue(bundle, &mut schedule);
                    let reason = FaultReason::from_text(step["reason"].as_str().unwrap());
                    scheduler.mark_fault(reason, &mut schedule);
                }
                _ => {
                    assert_eq!(judged, Ok(()), "{}", case.id);
                    scheduler.issue(bundle, &mut schedule);
                }
            }
        }
        assert_eq!(schedule.bundles.len(), steps.len(), "{}", case.id);
        if let Some(issue) = expected.get("issue") {
            let issue: Vec<u64> =
                issue.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
            let got: Vec<u64> = issues(&schedule).into_iter().map(u64::from).collect();
            assert_eq!(got, issue, "{}", case.id);
            cycles += 1;
        }
        if let Some(text) = expected.get("schedule_text") {
            assert_eq!(render(&schedule), text.as_str().unwrap(), "{}", case.id);
            texts += 1;
        }
    }
    assert_eq!((cycles, texts), (11, 3));
}
