//! The vector cases of the golden corpus that say something about schedules or legality.

use crate::support::{as_text, bundle, issue_cycles, run};
use contract::outcome::FaultReason;
use contract::profile::Profile;
use oracle::schedule::{Scheduler, judge};
use serde_json::Value;

const CASES: &str = include_str!("../../../corpus/golden/vector_cases.jsonl");

#[test]
fn golden_vector_cases_have_the_expected_verdicts_and_schedules() {
    let (mut issues, mut texts, mut rejects, mut accepted) = (0, 0, 0, 0);
    for line in CASES.lines() {
        let golden: Value = serde_json::from_str(line).unwrap();
        let (case, expected) = (&golden["case"], &golden["expected"]);
        let id = case["id"].as_str().unwrap();
        let mut profile = Profile::default();
        for (key, value) in case["profile"].as_object().unwrap() {
            if key == "preset" {
                profile = Profile::preset(value.as_str().unwrap()).unwrap();
            } else {
                profile.set(key, value.as_str().unwrap()).unwrap();
            }
        }
        let program: Vec<_> = case["program"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| bundle(text.as_str().unwrap()))
            .collect();
        let steps = expected["steps"].as_array().unwrap();
        for (bundle, step) in program.iter().zip(steps) {
            match step["verdict"].as_str().unwrap() {
                "reject" => {
                    let reason = judge(bundle).expect_err(id);
                    assert_eq!(reason.text(), step["clauses"][0], "{id}");
                    rejects += 1;
                }
                _ => {
                    assert_eq!(judge(bundle), Ok(()), "{id}");
                    accepted += 1;
                }
            }
        }
        // The program ends with the last step that the case expects.
        let mut schedule = run(&program[..steps.len()], profile.lat_crossbar);
        let last = steps.last().unwrap();
        if last["verdict"] == "fault" {
            let reason = FaultReason::from_text(last["reason"].as_str().unwrap());
            Scheduler::default().mark_fault(reason, &mut schedule);
        }
        if let Some(expected) = expected["issue"].as_array() {
            let expected: Vec<_> =
                expected.iter().map(|cycle| cycle.as_u64().map(|cycle| cycle as u32)).collect();
            assert_eq!(issue_cycles(&schedule), expected, "{id}");
            issues += 1;
        }
        if let Some(expected) = expected["schedule_text"].as_str() {
            assert_eq!(as_text(&schedule), expected, "{id}");
            texts += 1;
        }
    }
    assert_eq!((issues, texts, rejects), (11, 3, 9));
    assert!(accepted >= 50, "{accepted}");
}
