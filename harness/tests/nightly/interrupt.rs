//! Nights that end early, go on, or cannot be written.

use super::*;
use predicates::prelude::*;
use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_night_with_a_tensor_fault_that_is_interrupted_ten_times_ends_like_one_that_was_not() {
    interrupt_ten_times("fp8-tie-up", "1500", 0x9E37_79B9_7F4A_7C15);
}

#[test]
fn a_night_with_a_vector_fault_that_is_interrupted_ten_times_ends_like_one_that_was_not() {
    interrupt_ten_times("radds-unclamped", "700", 0xD1B5_4A32_D192_ED03);
}

/// `random` seeds the moments.
fn interrupt_ten_times(fault: &str, cases: &str, mut random: u64) {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let fault = ["--fault", fault];
    let arguments = |name: &str, more: &[&str]| {
        let mut list: Vec<String> =
            ["nightly", "--quiet", "--jobs", "2", "--report"].map(str::to_owned).to_vec();
        list.push(folder.path().join(name).display().to_string());
        list.extend(["--corpus".to_owned(), corpus.path().display().to_string()]);
        list.extend(more.iter().map(|&text| text.to_owned()));
        list
    };
    let plan = ["--cases", cases, "--seed", "11", fault[0], fault[1]];
    let whole = folder.path().join("whole");
    let begin = Instant::now();
    q7diff().args(arguments("whole", &plan)).assert().code(1);
    let duration = begin.elapsed();
    let expected = read(whole.join("summary.json"));
    let all: BTreeSet<u64> = journalled(&whole).into_iter().collect();

    let halting = folder.path().join("halting");
    let program = assert_cmd::cargo::cargo_bin("q7diff");
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
    again(&["--resume"], "the corpus or the generators have changed");
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

#[test]
fn a_night_ends_with_its_budget_and_a_finished_one_stays_as_it_is() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let run = |more: &[&str]| {
        let mut command = q7diff();
        command.current_dir(folder.path()).args(["nightly", "--quiet", "--report", "night"]);
        command.arg("--corpus").arg(corpus.path()).args(more).assert().code(0);
        (read(folder.path().join("night/summary.json")), journalled(&folder.path().join("night")))
    };
    let begin = Instant::now();
    let finished = run(&["--budget", "500ms", "--seed", "2", "--jobs", "1"]);
    assert!(begin.elapsed() < Duration::from_secs(60));
    let summary: Value = serde_json::from_str(&finished.0).unwrap();
    assert!(summary["cases"].as_u64().unwrap() > 0);
    // The chunks of a finished night are a prefix of the plan.
    let chunks = &finished.1;
    assert_eq!(*chunks, (0..chunks.len() as u64).collect::<Vec<_>>());
    assert_eq!(run(&["--resume"]), finished);
    assert_eq!(document(folder.path().join("night/news.json"))["previous"], Value::Null);
}

#[test]
fn a_disk_that_fills_up_is_said_and_loses_no_finished_work() {
    let (corpus, folder) = (corpus(), tempfile::tempdir().unwrap());
    let fault = ["--seed", "3", "--fault", "radds-unclamped", "--jobs", "2"];
    night(folder.path(), "whole", corpus.path(), &fault).assert().code(1);
    let expected = read(folder.path().join("whole/summary.json"));
    let program = assert_cmd::cargo::cargo_bin("q7diff");
    // The longest file that may be written, in blocks of 512 bytes: the journal, the page, the summary
    // come to an end in the middle. A write beyond the limit fails as one on a full disk does.
    for blocks in ["64", "300", "900"] {
        let report = folder.path().join(blocks);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).arg(&program);
        command.args(["nightly", "--cases", "40", "--quiet", "--report"]).arg(&report);
        command.arg("--corpus").arg(corpus.path()).args(fault);
        command.assert().code(2).stderr(
            predicate::str::contains("cannot write")
                .and(predicate::str::contains("nightly --resume --report"))
                .and(predicate::str::contains("panicked").not()),
        );
        assert!(!report.join("summary.json").exists(), "{blocks}");
        let mut resume = q7diff();
        resume.args(["nightly", "--resume", "--quiet", "--report"]).arg(&report);
        resume.arg("--corpus").arg(corpus.path()).assert().code(1);
        assert_eq!(read(report.join("summary.json")), expected, "{blocks}");
    }
}
