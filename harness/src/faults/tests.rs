//! Catalogue and machines: names are unique, a machine without a fault changes nothing, each faulty model
//! differs where its story says, the guide lists the catalogue, and a campaign finds what is planted.

use super::hunt::{Hunt, Spread};
use super::schedule::{Rescheduled, Rules as Schedules};
use super::tensor::judge::{ClauseJudge, Clauses, VerdictJudge, Verdicts};
use super::tensor::misreader::Misreader;
use super::tensor::rules::Rules;
use super::vector::judge::{BundleJudge, Bundles};
use super::vector::{Misread, Values};
use super::{FAULTS, Fault, by_name, matching, vector};
use crate::compare::Comparator;
use crate::differ::Differ;
use crate::generate::{CaseSeed, Family as Kind, Generator, Options};
use crate::models::{BoxedModel, candidate, factory};
use contract::case::Case;
use contract::json::read_case;
use contract::model::{Model, StepModel};
use contract::outcome::{Outcome, VectorOutcome};
use contract::schedule::Schedule;
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_stories_are_told() {
    let names: BTreeSet<_> = FAULTS.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), FAULTS.len());
    assert!(names.len() >= 110);
    for fault in FAULTS {
        let source = fault.source.starts_with("spec ") || fault.source.starts_with("seed ");
        assert!(!fault.story.is_empty() && source, "{}", fault.name);
        let word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        assert!(fault.name.split('-').all(|part| !part.is_empty() && part.chars().all(word)));
        assert_eq!(by_name(fault.name).ok().map(|found| found.name), Some(fault.name));
    }
    assert_eq!(by_name("overlap-in-plac").err().unwrap().nearest, Some("overlap-in-place"));
    assert!(matching("fp8-*").unwrap().len() > 5);
    assert!(matching("nothing*").is_err());
}

/// Runs generated cases on the right candidate and on one behind a machine.
fn agrees(kind: Kind, cases: u64, make: fn() -> BoxedModel) {
    let options = Options { vary_switches: true, ..Options::default() };
    let mut generator = Generator::new(options);
    let mut differ = Differ::new(Comparator::default(), candidate(), factory("again", make));
    for index in 0..cases {
        let generated = generator.case(kind, CaseSeed::of(7, index));
        let comparison = differ.run(&generated.case).unwrap();
        assert!(comparison.agrees(), "{}: {:?}", generated.case.id(), comparison.divergences[0]);
    }
}

#[test]
fn a_misreader_with_the_right_rules_changes_nothing() {
    agrees(Kind::Tensor, 8_000, || {
        let right = candidate::model();
        let tensor = Misreader::new(Rules::RIGHT, right.tensor);
        Box::new(StepModel::new("again", tensor, right.vector))
    });
}

#[test]
fn a_judge_that_reads_the_record_itself_changes_nothing() {
    agrees(Kind::Tensor, 3_000, || {
        let right = candidate::model();
        let clauses = Clauses { clauses: contract::isa::ClauseId::ALL, reads: |_| {} };
        let tensor = ClauseJudge { clauses, model: right.tensor };
        Box::new(StepModel::new("again", tensor, right.vector))
    });
    agrees(Kind::Tensor, 3_000, || {
        let right = candidate::model();
        let verdicts = Verdicts { concerns: |_| true, verdict: |_, right| right };
        let tensor = VerdictJudge { verdicts, model: right.tensor };
        Box::new(StepModel::new("again", tensor, right.vector))
    });
}

#[test]
fn rewriting_nothing_and_judging_rightly_change_nothing() {
    agrees(Kind::Vector, 2_000, || {
        let right = candidate::model();
        let values = Values { concerns: |_| true, misread: Misread::Rewrite(|_, _| {}) };
        let vector = vector::Misreader::new(values, right.vector, candidate::model().vector);
        Box::new(StepModel::new("again", right.tensor, vector))
    });
    agrees(Kind::Vector, 2_000, || {
        let right = candidate::model();
        let (second, scratch) = (candidate::model().vector, Schedule::default());
        let vector = BundleJudge { bundles: Bundles::RIGHT, model: right.vector, second, scratch };
        Box::new(StepModel::new("again", right.tensor, vector))
    });
}

#[test]
fn a_rescheduler_with_the_right_rules_changes_nothing() {
    agrees(Kind::Vector, 4_000, || {
        let right = candidate::model();
        let vector = Rescheduled::new(Schedules::RIGHT, right.vector);
        Box::new(StepModel::new("again", right.tensor, vector))
    });
}

/// Every tenth fault, and those that took the campaign longest when the catalogue was made.
fn sample() -> Vec<&'static Fault> {
    let rare =
        ["num-zeros-equal", "zero-sum-positive", "gate-after-memory", "operands-before-slots"];
    let picked = FAULTS.iter().enumerate();
    picked
        .filter(|(at, fault)| at % 10 == 0 || rare.contains(&fault.name))
        .map(|(_, fault)| fault)
        .collect()
}

#[test]
fn a_campaign_finds_a_sample_of_the_faults() {
    let faults = sample();
    let options = Options::default();
    let hunt = Hunt { cases: 30_000, seed: 1, seeds: 1, options, jobs: 2 };
    for (fault, sightings) in faults.iter().zip(hunt.run(&faults, || {})) {
        assert_eq!(Spread::of(&sightings).detected, 1, "{} was missed", fault.name);
    }
}

#[test]
fn a_hunt_depends_on_its_seed_alone() {
    let faults = matching("fp8-t*").unwrap();
    let hunt = |jobs| {
        let hunt = Hunt { cases: 3_000, seed: 5, seeds: 2, options: Options::default(), jobs };
        hunt.run(&faults, || {})
    };
    assert_eq!(hunt(1), hunt(3));
}

#[test]
fn the_guide_lists_every_fault_in_catalogue_order() {
    let guide = include_str!("../../docs/faults.md");
    let row = |fault: &Fault| {
        let escaped = |text: &str| text.replace('|', "\\|");
        format!("| `{}` | {} | {} |", fault.name, escaped(fault.story), escaped(fault.source))
    };
    let mut rest = guide;
    for fault in FAULTS {
        let row = row(fault);
        let at = rest.find(&row);
        rest = &rest[at.unwrap_or_else(|| panic!("no row in its place: {row}"))..];
    }
    for fault in super::harness::HARNESS_FAULTS {
        let row = format!("| `{}` | {} |", fault.name, fault.story);
        assert!(guide.contains(&row), "no row: {row}");
    }
}

fn run(model: &mut dyn Model, case: &Case) -> Box<VectorOutcome> {
    match model.run(case).unwrap() {
        Outcome::Vector(outcome) => outcome,
        Outcome::Tensor(_) => panic!("a tensor outcome"),
    }
}

/// The outcomes of the right and of a faulty candidate.
fn pair(fault: &str, state: &str, program: &str) -> (Box<VectorOutcome>, Box<VectorOutcome>) {
    let text = format!(
        r#"{{"version":1,"kind":"vector","id":"f","profile":{{}},"state":{{{state}}},"program":[{program}]}}"#
    );
    let case = read_case(&text).unwrap();
    let mut faulty = by_name(fault).unwrap().make();
    (run(&mut candidate::model(), &case), run(&mut *faulty, &case))
}

fn halves(elements: &[u16]) -> String {
    let mut text: String = elements
        .iter()
        .flat_map(|element| element.to_le_bytes())
        .map(|byte| format!("{byte:02x}"))
        .collect();
    text.extend(std::iter::repeat_n('0', 128 - text.len()));
    text
}

#[test]
fn select_loses_the_upper_half_and_shuffle_sees_high_bits() {
    let state = format!(
        r#""v1":"{}","v2":"{}","v3":"{}""#,
        halves(&[0xAAAA]),
        halves(&[0xBBBB]),
        halves(&[0x20, 0x40])
    );
    let program = r#""F0 { S3 SELNX16 v4, v1, v2, v3 }""#;
    let (right, wrong) = pair("sel-index-5-bits", &state, program);
    assert_eq!((right.state.vec[4].0[0], wrong.state.vec[4].0[0]), (0xAA, 0xBB));
    let program = r#""F0 { S3 SHFLNX16 v4, v1, v3 }""#;
    let (right, wrong) = pair("shfl-high-bits", &state, program);
    assert_eq!((right.state.vec[4].0[2], wrong.state.vec[4].0[2]), (0xAA, 0));
    assert_eq!(right.schedule, wrong.schedule);
}

#[test]
fn a_saturating_sum_wraps_and_a_tie_goes_to_the_higher_lane() {
    let state = format!(r#""v1":"{}""#, halves(&[0x7FFF, 0x7FFF, 0x8000, 0x8000, 1, 0x7FFF]));
    let (right, wrong) = pair("radds-unclamped", &state, r#""F0 { S3 RADDSNX16 v4, v1 }""#);
    assert_eq!(right.state.vec[4].0[..4], [0xFE, 0x7F, 0, 0]);
    assert_eq!(right.state.vec, wrong.state.vec);
    let state = format!(r#""v1":"{}""#, halves(&[0x7FFF, 0x7FFF, 0, 0x8000, 0x8000]));
    let (right, wrong) = pair("rbmin-higher-lane", &state, r#""F0 { S3 RBMINNX16 v4, vb1, v1 }""#);
    assert_eq!((right.state.vbool[1], wrong.state.vbool[1]), (0b11 << 6, 0b11 << 8));
    let state = format!(r#""v1":"{}""#, halves(&[0x7FFF, 0x7FFF]));
    let (right, wrong) = pair("radds-unclamped", &state, r#""F0 { S3 RADDSNX16 v4, v1 }""#);
    assert_eq!(right.state.vec[4].0[..2], [0xFF, 0x7F]);
    assert_eq!(wrong.state.vec[4].0[..2], [0xFE, 0xFF]);
}

#[test]
fn align_registers_keep_what_they_held() {
    let ones = "11".repeat(64);
    let state = format!(r#""a2":"0x80003","u0":"{ones}""#);
    let (right, wrong) = pair("valign-not-reprimed", &state, r#""F0 { S1 LA2NX8_IP v1, u0, a2 }""#);
    assert_eq!((right.state.valign[0].0[0], wrong.state.valign[0].0[0]), (0, 0x11));
    let pending = format!("aabbcc{}03", "00".repeat(60));
    let state = format!(r#""a2":"0x80003","u0":"{pending}""#);
    let (right, wrong) = pair("sapos-not-clearing", &state, r#""F0 { S0 SAPOS_FP u0, a2 }""#);
    assert_eq!((right.state.valign[0].0[0], wrong.state.valign[0].0[0]), (0, 0xAA));
    assert_eq!(right.state.memory, wrong.state.memory);
}

/// Issue cycles of the right and of a faulty candidate.
fn issues(fault: &str, program: &str) -> (Vec<u32>, Vec<u32>) {
    let (right, wrong) = pair(fault, r#""a2":"0x80100","a3":"0x80200""#, program);
    let cycles = |outcome: &VectorOutcome| {
        let schedule = outcome.schedule.as_ref().unwrap();
        schedule.bundles.iter().map(|bundle| bundle.issue.unwrap().0).collect()
    };
    (cycles(&right), cycles(&wrong))
}

#[test]
fn schedules_differ_by_the_misread_rule_alone() {
    let prime = r#""F0 { S1 LA_PP u0, a2 }","F0 { S1 LA2NX8_IP v1, u0, a2 }""#;
    assert_eq!(issues("valign-def-10", prime), (vec![0, 1], vec![0, 2]));
    let control = r#""F0 { S3 ADDNX16 v4, v1, v2 }","F0 { S3 SELNX16 v5, v1, v2, v4 }""#;
    assert_eq!(issues("sel-control-10", control), (vec![0, 1], vec![0, 2]));
    let increment = r#""F0 { S1 LV2NX8_IP v1, a2, 64 }","F0 { S1 LV2NX8_IP v2, a2, 64 }""#;
    assert_eq!(issues("ar-increment-def-4", increment), (vec![0, 1], vec![0, 4]));
    let twice = r#""F0 { S3 ADDNX16 v4, v1, v2 }","F0 { S1 LV2NX8_I v4, a2, 0 }""#;
    assert_eq!(issues("waw-ignored", twice), (vec![0, 2], vec![0, 1]));
    let chain = r#""F0 { S3 ADDNX16 v4, v1, v2 }","F0 { S3 ADDNX16 v5, v4, v2 }""#;
    assert_eq!(issues("distance-one-short", chain), (vec![0, 2], vec![0, 1]));
}
