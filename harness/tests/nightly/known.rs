//! Known differences in runs and nights.

use super::*;
use predicates::prelude::*;

#[test]
fn a_known_difference_is_listed_and_fails_no_run() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let run = |known: &str, code: i32| {
        std::fs::write(corpus.path().join("known.toml"), known).unwrap();
        let more = ["run", "--cases", "3000", "--fault", "int32-cache-reduce", "--report"];
        q7diff()
            .args(more)
            .arg(folder.path())
            .arg("--corpus")
            .arg(corpus.path())
            .assert()
            .code(code)
            .get_output()
            .clone()
    };
    let entry = |pattern: &str, expires: &str| {
        format!(
            "[[known]]\nbucket = \"{pattern}\"\nreason = \"ticket 12\"\nowner = \"jo\"\n\
             expires = {expires}\n"
        )
    };
    run("", 1);
    let before = document(folder.path().join("summary.json"));
    assert!(before.get("known").is_none());
    let buckets: Vec<&str> = before["divergences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["bucket"].as_str().unwrap())
        .collect();
    assert!(!buckets.is_empty());
    assert!(read(folder.path().join("junit.xml")).contains("<failure"));

    // An entry past its day still stands for `run`, which must not depend on the day.
    let output = run(&entry("*-TensorScalarCache-*", "2020-01-31"), 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("known") && text.contains("ticket 12 (jo"), "{text}");
    assert!(!text.contains("DIFFERS"), "{text}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("known.toml:2: expired on 2020-01-31"), "{error}");
    let after = document(folder.path().join("summary.json"));
    assert_eq!(after["divergences"], before["divergences"]);
    let known = after["known"].as_array().unwrap();
    assert_eq!(known.len(), buckets.len());
    assert_eq!(known[0]["bucket"], buckets[0]);
    assert_eq!((&known[0]["owner"], &known[0]["line"]), (&"jo".into(), &2.into()));
    let junit = read(folder.path().join("junit.xml"));
    assert!(junit.contains("<skipped") && !junit.contains("<failure"), "{junit}");
    let report = folder.path().join("counterexamples").join(buckets[0]).join("report.txt");
    assert!(read(report).contains("known: ticket 12 (jo, until 2020-01-31)"));

    // Golden vectors that the known difference misses are the same difference.
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/golden");
    let clauses = corpus.path().join("golden/tensor_clause_cases.jsonl");
    std::fs::copy(whole.join("tensor_clause_cases.jsonl"), &clauses).unwrap();
    let output = run(&entry("*-TensorScalarCache-*", "2099-01-31"), 0);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("1 golden vectors were missed, 1 of them by known"), "{error}");
    assert!(!read(folder.path().join("junit.xml")).contains("<failure"));

    // An entry for something else accepts nothing.
    run(&entry("value-*", "2099-01-31"), 1);
    let output = run(&entry("value-*", "2099-13-31"), 2);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("known.toml:5: "), "{error}");
}

#[test]
fn the_committed_list_of_known_differences_can_be_read() {
    let list = harness::triage::KnownList::load(&repository_corpus().join("known.toml")).unwrap();
    for entry in &list.entries {
        assert!(!entry.reason.is_empty(), "line {}", entry.line);
    }
}

#[test]
fn entries_that_are_past_their_day_or_met_by_nothing_fail_the_night() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let known = "\
[[known]]
bucket = \"value-TensorScalarCache*\"
reason = \"ticket 12\"
owner = \"jo\"
expires = 2099-01-31
";
    let list = corpus.path().join("known.toml");
    let fault = ["--fault", "accumulator-not-carried"];
    std::fs::write(&list, known).unwrap();
    night(folder.path(), "met", corpus.path(), &fault).assert().code(0);
    let summary = document(folder.path().join("met/summary.json"));
    assert!(!summary["known"].as_array().unwrap().is_empty());
    night(folder.path(), "not met", corpus.path(), &[])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("known.toml:2: `value-TensorScalarCache*` met no bucket"));
    std::fs::write(&list, format!("\n{}", known.replace("2099", "2020"))).unwrap();
    night(folder.path(), "expired", corpus.path(), &fault)
        .assert()
        .code(1)
        .stderr(predicate::str::contains("known.toml:3: `value-TensorScalarCache*` expired on"));
    assert!(read(folder.path().join("expired/junit.xml")).contains("expired on 2020-01-31"));
}
