//! Programs and schedules to draw.

use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::json::schedule_from_value;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, OpTiming, Posting, Role, Schedule,
};
use serde_json::Value;

/// A golden example: its program as bundles, and the schedule that it must have.
pub fn example(id: &str) -> (Vec<Bundle>, Schedule) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/golden/lat_examples.json");
    let text = std::fs::read_to_string(path).expect("the golden examples are part of the project");
    let document: Value = serde_json::from_str(&text).expect("the golden examples are JSON");
    let examples = document["examples"].as_array().expect("examples are a list");
    let example = examples.iter().find(|example| example["id"] == id).expect("the example exists");
    let program = example["program"].as_array().expect("a program is a list");
    let schedule = schedule_from_value(&example["expect"]["schedule"]);
    (program.iter().map(bundle).collect(), schedule.expect("a golden schedule is canonical"))
}

/// `{"fmt": "F0", "ops": [["NOP"], ["LV2NX8_I", 1, 2, 0], …]}`: one op per slot, bare numbers.
fn bundle(value: &Value) -> Bundle {
    let word = |value: &Value| value.as_str().expect("a word").to_owned();
    let ops = value["ops"].as_array().expect("ops are a list");
    let ops = ops.iter().zip(0..).map(|(op, slot)| {
        let op = op.as_array().expect("an op is a list");
        let name = OpWord::from_word(&word(&op[0]));
        let OpWord::Known(mnemonic) = &name else { panic!("golden examples use known ops") };
        let kinds = mnemonic.info().operands.iter().map(|(_, kind)| kind);
        let operands = op[1..].iter().zip(kinds).map(|(number, kind)| {
            let number = number.as_i64().expect("an operand is a number");
            match kind {
                OperandKind::Reg(class) => Operand::Reg(*class, number as u32),
                OperandKind::Imm => Operand::Imm(number),
            }
        });
        SlotOp { slot, operands: operands.collect(), op: name }
    });
    let mut bundle =
        Bundle { format: FormatWord::from_word(&word(&value["fmt"])), ops: ops.collect() };
    bundle.canonicalise();
    bundle
}

/// Names of all golden examples.
pub fn example_ids() -> Vec<String> {
    let letters = [("E", 18), ("X", 9)];
    letters
        .iter()
        .flat_map(|(letter, count)| (1..=*count).map(move |n| format!("{letter}{n:02}")))
        .collect()
}

/// A program as text, one bundle a line.
pub fn program(text: &str) -> Vec<Bundle> {
    contract::text::parse_program(text).expect("the program's text lies within the grammar")
}

/// A dependent chain of this many bundles, each waiting one cycle for the one before it.
pub fn chain(count: u8) -> (Vec<Bundle>, Schedule) {
    let mut schedule = Schedule::default();
    let mut lines = String::new();
    for number in 0..u32::from(count) {
        let (from, to) = (number as u8 % 32, (number as u8 + 1) % 32);
        lines.push_str(&format!("F0 {{ S3 ADDNX16 v{to}, v{from}, v{from} }}\n"));
        let posting =
            |role, index, lat| Posting { class: RegClass::Vec, index: Some(index), role, lat };
        schedule.postings.extend([posting(Role::Def, to, 11), posting(Role::Use, from, 10)]);
        schedule.ops.push(OpTiming {
            slot: 3,
            op: Mnemonic::from_name("ADDNX16").expect("a mnemonic of the table"),
            postings: 2 * number..2 * number + 2,
        });
        let causes = schedule.causes.len() as u32;
        if let Some(before) = number.checked_sub(1) {
            schedule.causes.push(Cause {
                hazard: Hazard::Raw,
                class: RegClass::Vec,
                index: from,
                producer_bundle: before,
                producer_slot: 3,
                producer_lat: 11,
                consumer_slot: 3,
                consumer_lat: 10,
                distance: 2,
            });
        }
        schedule.bundles.push(BundleTiming {
            format: FormatWord::Known(Format::F0),
            verdict: BundleVerdict::Ok,
            issue: Some((2 * number, number.min(1))),
            causes: causes..schedule.causes.len() as u32,
            ops: number..number + 1,
        });
        schedule.cycles = 2 * number + 1;
    }
    (program(&lines), schedule)
}

/// Two loads of which the second faults, and a bundle that is never reached.
pub fn faulting() -> (Vec<Bundle>, Schedule) {
    let program = program(
        "F0 { S1 LV2NX8_I v1, a2, 0 }\n\
         F0 { S1 LV2NX8_I v2, a3, 0 ; S3 ADDNX16 v4, v1, v1 }\n\
         F0 { S3 ADDNX16 v5, v2, v2 }",
    );
    let schedule = contract::json::read_schedule(
        r#"{"v":1,"table":"lat-1","cycles":2,"bundles":[
            {"b":0,"fmt":"F0","verdict":"ok","issue":0,"stall":0,"cause":[],"ops":[
              {"s":1,"op":"LV2NX8_I","post":[["AR",2,"use",1],["vec",1,"def",10]]}]},
            {"b":1,"fmt":"F0","verdict":"fault","reason":"BadAccess","issue":1,"stall":0,"cause":[],"ops":[
              {"s":1,"op":"LV2NX8_I","post":[["AR",3,"use",1],["vec",2,"def",10]]},
              {"s":3,"op":"ADDNX16","post":[["vec",4,"def",11],["vec",1,"use",10],["vec",1,"use",10]]}]}]}"#,
    );
    (program, schedule.expect("a canonical schedule"))
}
