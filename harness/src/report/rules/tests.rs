//! Every clause, reason, operator and label finds its rule.

use super::*;
use crate::compare::{Aspect, ScheduleRoot, VectorRegister};
use crate::family::TENSOR_OPS;
use contract::case::{MemoryWindow, TensorCase, VectorCase};
use contract::isa::layout::s3d3_ts;
use contract::isa::{AluOp, ClauseSet, Generation, RegClass};
use contract::outcome::{FaultReason, TensorReason};
use contract::profile::Profile;

fn tensor_case(record: [u8; RECORD]) -> Case {
    Case::Tensor(TensorCase {
        id: String::new(),
        generation: Generation::Mariana,
        profile: Profile::default(),
        memory: Vec::new(),
        registers: Default::default(),
        program: vec![record],
    })
}

fn vector_case(program: &str) -> Case {
    Case::Vector(VectorCase {
        id: String::new(),
        profile: Profile::default(),
        cpenable: 2,
        state: Vec::new(),
        memory: MemoryWindow::default(),
        program: contract::text::parse_program(program).unwrap(),
    })
}

fn divergence(aspect: Aspect, place: Place, expected: Observed, actual: Observed) -> Divergence {
    Divergence { aspect, step: Some(0), place, expected, actual }
}

fn places(rules: &[Rule]) -> Vec<String> {
    rules.iter().map(Rule::place).collect()
}

#[test]
fn every_clause_has_its_row() {
    for &clause in ClauseId::ALL {
        let rule = clause_rule(clause).unwrap_or_else(|| panic!("{clause} has no row"));
        assert!(rule.row.as_ref().is_some_and(|row| row.cell("condition").is_some()), "{clause}");
        assert!(rule.section.number.starts_with('3') || rule.section.number.starts_with("4."));
    }
}

#[test]
fn every_tensor_reason_has_its_row() {
    for reason in TensorReason::all() {
        let case = tensor_case([0; RECORD]);
        let fault = Observed::Tensor(TensorVerdict::Fault(reason.clone()));
        let accept = Observed::Tensor(TensorVerdict::Accept);
        let rules = rules_of(&case, &divergence(Aspect::Verdict, Place::Verdict, fault, accept));
        assert_eq!(places(&rules), ["spec 01 section 7.1"], "{reason}");
        assert!(rules[0].row.is_some(), "{reason}");
    }
}

#[test]
fn every_reason_of_a_vector_verdict_has_its_rule() {
    let case = vector_case("F0 { S3 ADDNX16 v1, v2, v3 }");
    let rules = |step| {
        let (step, accept) = (Observed::Vector(step), Observed::Vector(VectorStep::Accept));
        rules_of(&case, &divergence(Aspect::Verdict, Place::Verdict, accept, step))
    };
    for reason in LegalityReason::all() {
        let found = rules(VectorStep::Reject(reason.clone()));
        assert_eq!(places(&found), ["spec 05 section 6"], "{reason}");
        assert!(found[0].row.is_some(), "{reason}");
    }
    let fault = rules(VectorStep::Fault(FaultReason::BadAccess, Some(1)));
    assert_eq!(places(&fault), ["spec 04 section 3"]);
}

#[test]
fn a_missing_clause_quotes_condition_and_source() {
    let case = tensor_case([0x9A; RECORD]);
    let reject = Observed::Tensor(TensorVerdict::Reject(ClauseSet::of(ClauseId::CrTypes)));
    let accept = Observed::Tensor(TensorVerdict::Accept);
    let rules = rules_of(&case, &divergence(Aspect::Verdict, Place::Verdict, reject, accept));
    assert_eq!(rules.len(), 1);
    let text = rules[0].text();
    assert!(text.starts_with("rule: CR-TYPES | in_dtype ∈ fp_path"), "{text}");
    assert!(text.contains("spec 02 section 4.1, CR"), "{text}");
    assert!(text.contains("oracle/spec/02-validators.md"), "{text}");
    assert!(text.ends_with("sources: S0, PN: TensorScalarCacheReduce"), "{text}");
}

#[test]
fn tensor_values_name_instruction_operators_and_store() {
    let mut record = [0; RECORD];
    record[0] = 0x9A;
    record[s3d3_ts::OP0] = AluOp::Mult.wire();
    record[s3d3_ts::OP1] = AluOp::Subtract.wire();
    record[s3d3_ts::OUT_DTYPE] = Dtype::Fp8Exp4.wire();
    let place = Place::TensorMemory {
        region: 0,
        space: contract::state::Space::Sbuf,
        partition: 0,
        offset: 0,
        bytes: 1,
    };
    let byte = |byte| Observed::bytes(&[byte]);
    let memory = divergence(Aspect::Value, place, byte(0), byte(1));
    let rules = rules_of(&tensor_case(record), &memory);
    assert_eq!(
        places(&rules),
        [
            "spec 03 section 7.4",
            "spec 03 section 5.2",
            "spec 03 section 5.2",
            "spec 03 section 3.4"
        ]
    );
    assert_eq!(rules[1].row.as_ref().map(Row::key), Some("Mult"));
    // An accumulator is never stored.
    let accumulator = divergence(Aspect::Value, Place::Accumulator(0), byte(0), byte(1));
    assert_eq!(rules_of(&tensor_case(record), &accumulator).len(), 3);
    // Integers and raw bits have tables of their own.
    record[0] = 0x4E;
    let op = layout("S4D4_TR").and_then(|body| body.field("op")).unwrap().offset;
    record[op] = AluOp::Mod.wire();
    let rules = rules_of(&tensor_case(record), &memory);
    assert_eq!(
        places(&rules),
        ["spec 03 section 7.5", "spec 03 section 5.3", "spec 03 section 3.5"]
    );
    record[0] = 0x5E;
    record[op] = AluOp::BitwiseXor.wire();
    let rules = rules_of(&tensor_case(record), &memory);
    assert_eq!(places(&rules), ["spec 03 section 7.5", "spec 03 section 5.4"]);
}

#[test]
fn every_enabled_opcode_has_its_section() {
    for row in TENSOR_OPS {
        let mut record = [0; RECORD];
        record[0] = row.opcode;
        let word = Observed::Word(0, 8);
        let found = divergence(Aspect::Value, Place::Accumulator(0), word.clone(), word);
        let rules = rules_of(&tensor_case(record), &found);
        assert!(rules[0].section.number.starts_with("7."), "{:#04x}", row.opcode);
    }
}

#[test]
fn codes_are_found_in_lists_and_ranges() {
    for (cell, code, expected) in [
        ("0x04", 0x04, true),
        ("0x13–0x16", 0x15, true),
        ("0x13–0x16", 0x17, false),
        ("0xC8, 0x1B, 0xDD", 0x1B, true),
        ("0xD1–0xD4, 0xD7–0xDA", 0xD8, true),
        ("", 0, false),
    ] {
        assert_eq!(names_code(cell, code), expected, "{cell} {code:#04x}");
    }
}

#[test]
fn vector_values_name_the_family_and_the_form() {
    let case = vector_case("F0 { S1 LV2NX8_I v4, a2, 0 ; S3 ADDNX16T v1, v2, v3, vb1 }");
    let place = Place::Register(VectorRegister::File(RegClass::Vec, 1));
    let line = |byte| Observed::bytes(&[byte; 64]);
    let rules = rules_of(&case, &divergence(Aspect::Value, place, line(0), line(1)));
    assert_eq!(places(&rules), ["spec 04 section 4.6", "spec 04 section 9", "spec 04 section 3"]);
}

#[test]
fn every_schedule_label_has_rules() {
    let case = vector_case("F0 { S3 ADDNX16 v1, v2, v3 }");
    let text = || Observed::Text("x".into());
    let rules = |label, slot| {
        let place = Place::Schedule { label, root: ScheduleRoot::Other, slot, following: 0 };
        rules_of(&case, &divergence(Aspect::Schedule, place, text(), text()))
    };
    for (label, first) in [
        (ScheduleLabel::Verdict, "spec 05 section 6"),
        (ScheduleLabel::LatRegset, "spec 05 section 5.2"),
        (ScheduleLabel::LatPost, "spec 05 section 5.2"),
        (ScheduleLabel::LatOrder, "spec 05 section 5.1"),
        (ScheduleLabel::Issue, "spec 05 section 3.1"),
        (ScheduleLabel::Cause, "spec 05 section 3.4"),
        (ScheduleLabel::Cycles, "spec 05 section 9.1"),
    ] {
        let found = rules(label, Some(3));
        assert_eq!(found[0].place(), first, "{label}");
        let last = found.last().unwrap();
        assert_eq!(last.place(), "spec 05 section 10", "{label}");
        assert!(last.row.is_some(), "{label}");
    }
    let posting = &rules(ScheduleLabel::LatPost, Some(3))[0];
    assert!(posting.row.as_ref().unwrap().cell("members").unwrap().contains("ADDNX16"));
}
