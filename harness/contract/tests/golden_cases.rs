//! Every golden case file reads, prints to the same text and reads back to the same case; every
//! expected outcome whose clauses this build knows survives both ways.

use contract::case::Case;
use contract::json::{
    JsonError, case_from_value, outcome_from_value, read_case, read_outcome, write_case,
    write_outcome,
};
use serde_json::Value;

fn lines(file: &str) -> Vec<Value> {
    let path = format!("{}/../../corpus/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn check_case(line: &Value) -> Case {
    let case = case_from_value(&line["case"]).unwrap_or_else(|error| panic!("{error}\n{line}"));
    let text = write_case(&case);
    assert_eq!(read_case(&text).as_ref(), Ok(&case), "{text}");
    // The golden files name every key, so the printed document is theirs, value for value, but for
    // presets and defaults in the profile.
    let mut printed: Value = serde_json::from_str(&text).unwrap();
    printed["profile"] = line["case"]["profile"].clone();
    assert_eq!(printed, line["case"]);
    case
}

#[test]
fn every_golden_tensor_case_reads_and_prints() {
    for (file, count) in [("tensor_cases.jsonl", 95), ("tensor_structure_cases.jsonl", 104)] {
        let lines = lines(file);
        assert_eq!(lines.len(), count, "{file}");
        lines.iter().map(check_case).for_each(|case| assert!(matches!(case, Case::Tensor(_))));
    }
}

#[test]
fn every_golden_vector_case_reads_and_prints() {
    let lines = lines("vector_cases.jsonl");
    assert_eq!(lines.len(), 50);
    lines.iter().map(check_case).for_each(|case| assert!(matches!(case, Case::Vector(_))));
}

/// True if the ids of a step's clauses all belong to the groups that are in scope.
fn in_scope(outcome: &Value) -> bool {
    let steps = outcome["steps"].as_array().unwrap();
    let mut ids = steps.iter().flat_map(|step| step["clauses"].as_array().into_iter().flatten());
    ids.all(|id| {
        let id = id.as_str().unwrap();
        ["HDR-", "EVT-", "CR-", "TC-"].iter().any(|group| id.starts_with(group))
    })
}

#[test]
fn every_expected_tensor_outcome_with_known_clauses_survives() {
    let (mut known, mut unknown) = (0, 0);
    for line in lines("tensor_cases.jsonl") {
        let case = case_from_value(&line["case"]).unwrap();
        match outcome_from_value(&line["expected"], &case) {
            Ok(outcome) => {
                assert!(in_scope(&line["expected"]));
                let text = write_outcome(&case, &outcome);
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), line["expected"]);
                assert_eq!(read_outcome(&text, &case), Ok(outcome));
                known += 1;
            }
            Err(JsonError::Field { path, found, expected }) => {
                assert!(!in_scope(&line["expected"]), "{path}: {found}, expected {expected}");
                assert!(path.starts_with("steps[") && path.contains(".clauses["), "{path}");
                assert_eq!(expected, "a clause id of spec 02 that this build knows");
                unknown += 1;
            }
            Err(error) => panic!("{error}\n{line}"),
        }
    }
    assert_eq!((known, unknown), (88, 7));
}

#[test]
fn every_expected_vector_outcome_survives() {
    for line in lines("vector_cases.jsonl") {
        let case = case_from_value(&line["case"]).unwrap();
        // The file leaves out the head of the document and gives issue cycles in a key of its own.
        let mut expected = line["expected"].clone();
        let object = expected.as_object_mut().unwrap();
        object.remove("issue");
        object.remove("schedule_text");
        object.insert("version".into(), 1.into());
        object.insert("kind".into(), "vector".into());
        object.insert("id".into(), case.id().into());
        object.insert("schedule".into(), Value::Null);
        let outcome = outcome_from_value(&expected, &case)
            .unwrap_or_else(|error| panic!("{}: {error}", case.id()));
        let text = write_outcome(&case, &outcome);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected, "{}", case.id());
        assert_eq!(read_outcome(&text, &case), Ok(outcome));
    }
}
