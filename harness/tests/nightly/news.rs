//! Regressions, fuzz inputs, and what is news of a night.

use super::*;
use harness::corpus::Corpus;
use predicates::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn every_regression_agrees_in_both_models() {
    let folder = repository_corpus().join("regressions");
    let count = std::fs::read_dir(&folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|it| it == "json"))
        .count();
    assert!(count > 0);
    let output =
        q7diff().args(["replay", "--json"]).arg(&folder).assert().code(0).get_output().clone();
    let replayed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = replayed["cases"].as_array().unwrap();
    assert_eq!(cases.len(), count);
    assert!(cases.iter().all(|case| case["agrees"] == true));
}

#[test]
fn a_night_fails_for_news_alone() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let root = folder.path();
    let night = |name: &str, more: &[&str], code: i32| {
        let output =
            night(root, name, corpus.path(), more).assert().code(code).get_output().clone();
        // Two nights of one second would not be in order.
        std::thread::sleep(Duration::from_millis(1_050));
        (String::from_utf8(output.stdout).unwrap(), document(root.join(name).join("news.json")))
    };
    let fault = ["--seed", "4", "--fault", "accumulator-not-carried"];

    // The first night has nothing to compare with.
    let (text, news) = night("1", &["--seed", "4"], 0);
    assert!(text.contains("no earlier night") && text.contains("no news"), "{text}");
    assert_eq!(news["previous"], Value::Null);
    let summary = document(root.join("1/summary.json"));
    let phases: BTreeSet<&str> = summary["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|phase| phase["phase"].as_str().unwrap())
        .collect();
    let fixed = ["golden vectors", "regressions", "fuzz corpora", "edge products"];
    for name in fixed.into_iter().chain(["tensor vendor maverick"]) {
        assert!(phases.contains(name), "{phases:?}");
    }
    let campaigns = (phases.len() - fixed.len()) as u64;
    assert_eq!(summary["cases"], 40 * campaigns);
    assert_eq!(summary["options"]["presets"], serde_json::json!(["seed", "val05", "vendor"]));
    assert!(summary["golden"]["checked"].as_u64().unwrap() > 1_500);
    // Every edge product of every vector op ran.
    let products = summary["products"].as_array().unwrap();
    assert!(products.len() > 300, "{}", products.len());

    // A fault is news, once.
    let (text, news) = night("2", &fault, 1);
    let new = strings(&news["new"]);
    assert!(!new.is_empty() && text.contains(&format!("new bucket {}", new[0])), "{text}");
    assert!(news["previous"].as_str().unwrap().ends_with("/1"));
    assert!(read(root.join("2/junit.xml")).contains("<failure"));
    let counterexample = root.join("2/counterexamples").join(new[0]);
    let report = read(counterexample.join("report.txt"));
    let commands: Vec<&str> =
        report.lines().filter_map(|line| Some(line.split_once(": q7diff ")?.1)).collect();
    assert!(!commands.is_empty(), "{report}");
    for command in commands {
        let arguments = command.split(' ').map(|word| word.trim_matches('\''));
        q7diff().current_dir(&counterexample).args(arguments).assert().code(1);
    }

    let (text, news) = night("3", &fault, 0);
    assert_eq!(strings(&news["standing"]), new, "{text}");
    assert_eq!(strings(&news["new"]), Vec::<&str>::new());

    // What is gone is said, and fails nothing; throughput and coverage are compared.
    let (text, news) = night("4", &["--seed", "4"], 0);
    assert_eq!(strings(&news["fixed"]), new, "{text}");
    assert!(news["throughput"]["change"].as_f64().is_some());
    assert!(text.contains("throughput: ") && text.contains("coverage: "), "{text}");
    // The night to compare with can be named.
    let named = root.join("3");
    let (_, news) = night("5", &["--seed", "5", "--previous", named.to_str().unwrap()], 0);
    assert!(news["previous"].as_str().unwrap().ends_with("/3"));
    assert!(news["coverage"]["before"].as_u64().is_some());
}

#[test]
fn regressions_and_fuzz_inputs_are_part_of_the_night() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let report = run_shard(
        folder.path(),
        "found",
        "0/1",
        &["--cases", "800", "--fault", "int32-cache-reduce"],
        &[1],
    );
    let bucket = document(report.join("summary.json"))["divergences"][0]["case"].clone();
    let case = contract::json::read_case(&read(report.join(bucket.as_str().unwrap()))).unwrap();
    let rooms = Corpus::find(Some(corpus.path())).unwrap();
    let path = rooms.add_regression("int32-elements", &case).unwrap();
    assert_eq!(path, corpus.path().join("regressions/int32-elements.json"));
    assert_eq!(contract::json::read_case(&read(&path)).unwrap(), case);
    let other = contract::json::read_case(&read(path)).unwrap();
    let error = rooms.add_regression("int32-elements", &other).unwrap_err();
    assert!(error.to_string().contains("exists already"), "{error}");
    for name in ["", "a/b", "..", ".hidden", "a b"] {
        assert!(rooms.add_regression(name, &case).is_err(), "{name}");
    }

    let saved = corpus.path().join("fuzz/tensor_diff");
    std::fs::create_dir_all(&saved).unwrap();
    std::fs::write(saved.join("01"), [7; 300]).unwrap();
    std::fs::write(saved.join("02"), [0x9A, 1, 2, 3]).unwrap();
    std::fs::write(saved.join(".gitkeep"), "").unwrap();
    let unknown = corpus.path().join("fuzz/json_case");
    std::fs::create_dir_all(&unknown).unwrap();
    std::fs::write(unknown.join("01"), "{").unwrap();

    night(folder.path(), "good", corpus.path(), &[]).assert().code(0);
    let summary = document(folder.path().join("good/summary.json"));
    let phase = |name: &str| {
        let phases = summary["phases"].as_array().unwrap();
        let found = phases.iter().find(|phase| phase["phase"] == name).unwrap();
        found["summary"]["compared"]["verdicts"].as_u64().unwrap()
    };
    assert!(phase("regressions") > 0 && phase("fuzz corpora") >= 2);
    let skipped = &summary["skipped"][0];
    assert_eq!((&skipped["target"], &skipped["files"]), (&"json_case".into(), &1.into()));
    assert!(read(folder.path().join("good/junit.xml")).contains("int32-elements"));

    // A regression that is missed is news even when its bucket is not.
    let fault = ["--seed", "4", "--fault", "int32-cache-reduce"];
    night(folder.path(), "bad", corpus.path(), &fault).assert().code(1);
    std::thread::sleep(Duration::from_millis(1_050));
    night(folder.path(), "again", corpus.path(), &fault)
        .assert()
        .code(1)
        .stderr(predicate::str::contains("int32-elements.json"));
    let news = document(folder.path().join("again/news.json"));
    assert_eq!(news["new"], serde_json::json!([]));
    assert_eq!(news["regressions"].as_array().unwrap().len(), 1);
}
