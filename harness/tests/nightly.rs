//! What runs night after night: shards and their merging, known differences, regressions, nightly runs
//! that are interrupted and go on.
#![cfg(unix)]

use assert_cmd::Command;
use harness::corpus::Corpus;
use predicates::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn q7diff() -> Command {
    let mut command = Command::cargo_bin("q7diff").unwrap();
    command.env_remove("Q7DIFF_CORPUS").env_remove("Q7DIFF_SIMD");
    command
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn document(path: impl AsRef<Path>) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn repository_corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// A corpus of its own: the golden vectors of the repository, but of whole tensor cases only one, so that
/// not every fault is met by a vector; and nothing else.
fn corpus() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let golden = folder.path().join("golden");
    std::fs::create_dir(&golden).unwrap();
    for entry in std::fs::read_dir(repository_corpus().join("golden")).unwrap() {
        let path = entry.unwrap().path().canonicalize().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "contested" {
            continue;
        }
        if name.starts_with("tensor_") && name.ends_with("_cases.jsonl") {
            std::fs::write(golden.join(name), read(&path).lines().next().unwrap()).unwrap();
        } else {
            std::os::unix::fs::symlink(&path, golden.join(name)).unwrap();
        }
    }
    folder
}

/// Every file of a folder but those with times in them, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else if !path.ends_with("timing.json") {
                files.insert(path.strip_prefix(root).unwrap().to_owned(), read(&path));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// Runs a shard into `<folder>/<name>`; it ends with one of the codes.
fn run_shard(folder: &Path, name: &str, shard: &str, more: &[&str], codes: &[i32]) -> PathBuf {
    let report = folder.join(name);
    q7diff()
        .args(["run", "--quiet", "--shard", shard, "--report"])
        .arg(&report)
        .args(more)
        .assert()
        .code(codes.to_vec());
    report
}

#[test]
fn merged_shards_are_the_report_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    for (fault, code) in [(None, 0), (Some("op1-before-op0"), 1), (Some("int32-cache-reduce"), 1)] {
        let root = folder.path().join(fault.unwrap_or("none"));
        let mut more = vec!["--cases", "1000", "--seed", "5"];
        more.extend(fault.iter().flat_map(|name| ["--fault", name]));
        let whole = run_shard(&root, "whole", "0/1", &more, &[code]);
        let shards: Vec<PathBuf> = (0..3)
            .map(|index| {
                run_shard(&root, &format!("part {index}"), &format!("{index}/3"), &more, &[0, code])
            })
            .collect();
        let merged = root.join("merged");
        // Their order does not matter.
        q7diff()
            .arg("merge")
            .args(shards.iter().rev())
            .args(["--quiet", "--report"])
            .arg(&merged)
            .assert()
            .code(code);
        assert_eq!(read(merged.join("summary.json")), read(whole.join("summary.json")));
        let (whole, merged) = (files(&whole), files(&merged));
        assert_eq!(whole.keys().collect::<Vec<_>>(), merged.keys().collect::<Vec<_>>());
        for (path, text) in &whole {
            assert_eq!(*text, merged[path], "{}", path.display());
        }
        let cases = whole.keys().filter(|path| path.ends_with("case.json")).count();
        assert_eq!(cases > 0, fault.is_some());
    }
}

#[test]
fn reports_that_do_not_belong_together_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let run = |name: &str, shard: &str, more: &[&str]| {
        let more = [&["--cases", "300", "--op", "0x9a"], more].concat();
        run_shard(root, name, shard, &more, &[0])
    };
    let parts = [run("a", "0/3", &[]), run("b", "1/3", &[]), run("c", "2/3", &[])];
    let seed = run("seed", "2/3", &["--seed", "9"]);
    let option = run("option", "2/3", &["--near-valid", "0.5"]);
    let count = run("count", "2/4", &[]);
    let copy = root.join("copy");
    let two_runs = root.join("two runs");
    for (to, tally) in [(&copy, &parts[1]), (&two_runs, &parts[1])] {
        std::fs::create_dir(to).unwrap();
        std::fs::copy(parts[2].join("summary.json"), to.join("summary.json")).unwrap();
        std::fs::copy(tally.join("tally.json"), to.join("tally.json")).unwrap();
    }
    std::fs::copy(parts[2].join("tally.json"), copy.join("tally.json")).unwrap();
    let broken = root.join("broken");
    std::fs::create_dir(&broken).unwrap();
    std::fs::write(broken.join("summary.json"), "{\"version\":1}").unwrap();
    let none = root.join("none");
    let [a, b, c] = &parts;
    let rows: [(&[&PathBuf], &str); 9] = [
        (&[a, b, &seed], "seeds 1 and 9"),
        (&[a, b, &option], "option `near_valid` is 0.35 and 0.5"),
        (&[a, b, &count], "3 and 4 shards"),
        (&[a, b, c, &copy], "are both of shard 2/3"),
        (&[a, a, b], "are both of shard 0/3"),
        (&[b], "of 3 shards these are missing: 0/3, 2/3"),
        (&[a, b, &two_runs], "tally.json does not belong to summary.json"),
        (&[a, b, &broken], "summary.json: missing field"),
        (&[a, b, &none], "summary.json: No such file"),
    ];
    for (reports, sentence) in rows {
        let out = root.join("out");
        q7diff().arg("merge").args(reports).arg("--report").arg(&out).assert().code(2).stderr(
            predicate::str::contains(sentence).and(predicate::str::contains("panicked").not()),
        );
        assert!(!out.exists(), "{sentence}");
    }
    // Nor is a report overwritten by what it is a part of.
    q7diff().arg("merge").args(&parts).arg("--report").arg(a).assert().code(2);
    q7diff().arg("merge").args(&parts).arg("--report").arg(root.join("out")).assert().code(0);
}

#[test]
fn a_known_difference_is_listed_and_fails_no_run() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let run = |known: &str, code: i32| {
        std::fs::write(corpus.path().join("known.toml"), known).unwrap();
        let more = [
            "run",
            "--family",
            "tensor",
            "--cases",
            "6000",
            "--fault",
            "int32-cache-reduce",
            "--report",
        ];
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
    let output = run(&entry("*-TensorScalarCacheReduce-*", "2020-01-31"), 0);
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
    let output = run(&entry("*-TensorScalarCacheReduce-*", "2099-01-31"), 0);
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

/// A night of few cases into `<folder>/<name>`.
fn night(folder: &Path, name: &str, corpus: &Path, more: &[&str]) -> Command {
    let mut command = q7diff();
    command.args(["nightly", "--cases", "40", "--report"]).arg(folder.join(name));
    command.arg("--corpus").arg(corpus).args(more);
    command
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
    for name in ["golden vectors", "regressions", "fuzz corpora", "tensor vendor maverick"] {
        assert!(phases.contains(name), "{phases:?}");
    }
    let campaigns = phases.len() as u64 - 3;
    assert_eq!(summary["cases"], 40 * campaigns);
    assert_eq!(summary["options"]["presets"], serde_json::json!(["seed", "val05", "vendor"]));
    assert!(summary["golden"]["checked"].as_u64().unwrap() > 1_500);

    // A fault is news, once.
    let (text, news) = night("2", &fault, 1);
    let new = strings(&news["new"]);
    assert!(!new.is_empty() && text.contains(&format!("new bucket {}", new[0])), "{text}");
    assert!(news["previous"].as_str().unwrap().ends_with("/1"));
    assert!(read(root.join("2/junit.xml")).contains("<failure"));
    let report = read(root.join("2/counterexamples").join(new[0]).join("report.txt"));
    let line = report.lines().find(|line| line.starts_with("reproduce: q7diff ")).unwrap();
    let arguments: Vec<&str> = line.trim_start_matches("reproduce: q7diff ").split(' ').collect();
    q7diff().args(arguments).assert().code(1);

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

    // A regression that is missed is news even when its bucket is not. Nights are told apart by second.
    std::thread::sleep(Duration::from_millis(1_050));
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

/// Numbers of the chunks in a journal, in the order of its lines; a line without end is no line yet.
fn journalled(folder: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line["chunk"]["chunk"].as_u64()).collect()
}

#[test]
fn a_night_that_is_interrupted_ten_times_ends_like_one_that_was_not() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let fault = ["--fault", "fp8-tie-up"];
    let arguments = |name: &str, more: &[&str]| {
        let mut list: Vec<String> =
            ["nightly", "--quiet", "--jobs", "2", "--report"].map(str::to_owned).to_vec();
        list.push(folder.path().join(name).display().to_string());
        list.extend(["--corpus".to_owned(), corpus.path().display().to_string()]);
        list.extend(more.iter().map(|&text| text.to_owned()));
        list
    };
    let plan = ["--cases", "1500", "--seed", "11", "--fault", "fp8-tie-up"];
    let whole = folder.path().join("whole");
    let begin = Instant::now();
    q7diff().args(arguments("whole", &plan)).assert().code(1);
    let duration = begin.elapsed();
    let expected = read(whole.join("summary.json"));
    let all: BTreeSet<u64> = journalled(&whole).into_iter().collect();

    let halting = folder.path().join("halting");
    let program = assert_cmd::cargo::cargo_bin("q7diff");
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut before = Vec::new();
    for number in 0..10 {
        let begun = halting.join("journal.jsonl").exists();
        let arguments = if begun {
            arguments("halting", &[&["--resume"], &fault[..]].concat())
        } else {
            arguments("halting", &plan)
        };
        let mut child = std::process::Command::new(&program)
            .env_remove("Q7DIFF_CORPUS")
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Now and then a chunk is waited for, so that there is something to lose.
        let patience = Instant::now() + Duration::from_secs(5);
        while number % 3 == 0 && journalled(&halting).len() <= before.len() {
            if Instant::now() > patience {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        std::thread::sleep(duration * (random % 40) as u32 / 100);
        let signal = if number % 2 == 0 { "-INT" } else { "-KILL" };
        let pid = child.id().to_string();
        std::process::Command::new("kill").args([signal, &pid]).status().unwrap();
        child.wait().unwrap();
        // Whatever was finished stays as it was.
        let now = journalled(&halting);
        assert!(now.starts_with(&before), "interruption {number}: {before:?}, {now:?}");
        before = now;
    }
    assert!(!before.is_empty());
    q7diff()
        .args(arguments("halting", if before.is_empty() { &plan[..] } else { &["--resume"] }))
        .assert()
        .code(1);
    assert_eq!(read(halting.join("summary.json")), expected);
    let chunks = journalled(&halting);
    assert!(chunks.starts_with(&before));
    // No chunk was run twice, and none is missing.
    assert_eq!(chunks.len(), all.len());
    assert_eq!(chunks.into_iter().collect::<BTreeSet<u64>>(), all);
    let others = |folder: &Path| {
        let mut files = files(folder);
        files.retain(|path, _| path.starts_with("counterexamples") || path.ends_with("junit.xml"));
        files
    };
    assert_eq!(others(&halting), others(&whole));
}

#[test]
fn an_interrupted_night_says_how_to_go_on_and_keeps_its_plan() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let report = folder.path().join("night");
    let program = assert_cmd::cargo::cargo_bin("q7diff");
    let child = std::process::Command::new(program)
        .args(["nightly", "--budget", "2h", "--quiet", "--report"])
        .arg(&report)
        .arg("--corpus")
        .arg(corpus.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id().to_string();
    for _ in 0..600 {
        if !journalled(&report).is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("q7diff nightly --resume --report"), "{text}");
    let summary = document(report.join("summary.json"));
    assert_eq!(summary["interrupted"], true);
    // The fresh seed is in the log.
    assert!(text.contains(&format!("seed {} of the night", summary["seed"])), "{text}");

    let again = |more: &[&str], sentence: &str| {
        let mut command = q7diff();
        command.args(["nightly", "--quiet", "--report"]).arg(&report).arg("--corpus");
        command.arg(corpus.path()).args(more).assert().code(2).stderr(
            predicate::str::contains(sentence).and(predicate::str::contains("panicked").not()),
        );
    };
    again(&[], "holds an unfinished night");
    again(&["--resume", "--seed", "1"], "--seed differs");
    again(&["--resume", "--cases", "5"], "--cases differs");
    again(&["--resume", "--fault", "fp8-tie-up"], "--fault differs");
    std::fs::create_dir(corpus.path().join("regressions")).unwrap();
    let regression = "regressions/accumulator-is-carried.json";
    std::fs::copy(repository_corpus().join(regression), corpus.path().join(regression)).unwrap();
    again(&["--resume"], "the corpus has changed");
    std::fs::remove_file(corpus.path().join(regression)).unwrap();
    let journal = report.join("journal.jsonl");
    std::fs::write(&journal, read(&journal).replacen("\"chunk\"", "\"chunks\"", 1)).unwrap();
    again(&["--resume"], "journal.jsonl:");
}

#[test]
fn a_night_that_cannot_be_written_or_resumed_is_bad_input() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let read_only = folder.path().join("read-only");
    std::fs::create_dir(&read_only).unwrap();
    let mut permissions = std::fs::metadata(&read_only).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&read_only, permissions).unwrap();
    let mut places = vec![file.join("below"), PathBuf::from("/dev/full/night")];
    // Whoever may do anything may also write here.
    if std::fs::write(read_only.join("probe"), "").is_err() {
        places.push(read_only.join("below"));
    }
    for place in &places {
        let mut command = q7diff();
        command.args(["nightly", "--cases", "5", "--report"]).arg(place).arg("--corpus");
        command.arg(corpus.path()).assert().code(2).stderr(
            predicate::str::contains("cannot write")
                .and(predicate::str::contains("panicked").not()),
        );
    }
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let rows: [(&[&str], &str); 5] = [
        (&["--resume"], "reports/ holds no unfinished night"),
        (&["--resume", "--report", "empty"], "no nightly run was begun here"),
        (&["--previous", "empty"], "--previous: empty: summary.json"),
        (&["--cases", "5", "--budget", "1m"], "cannot be used with"),
        (&["--fault", "none"], "no planted fault"),
    ];
    for (arguments, sentence) in rows {
        let mut command = q7diff();
        command.current_dir(folder.path()).arg("nightly").args(arguments).arg("--corpus");
        command.arg(corpus.path()).assert().code(2).stderr(
            predicate::str::contains(sentence).and(predicate::str::contains("panicked").not()),
        );
    }
}
