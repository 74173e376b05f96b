//! The commands as a person or a script meets them: exit codes, bad input, reports.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

fn q7diff() -> Command {
    let mut command = Command::cargo_bin("q7diff").unwrap();
    command.env_remove("Q7DIFF_CORPUS").env_remove("Q7DIFF_SIMD");
    command
}

/// Standard output of a command that must end with `code`.
fn stdout(command: &mut Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&read(folder.join("summary.json"))).unwrap()
}

/// A case of one ZeroAccumulate 0x9A on four FP32 elements.
const CASE: &str = concat!(
    r#"{"version":1,"kind":"tensor","id":"small","generation":"mariana","profile":{},"#,
    r#""memory":[{"space":"sbuf","partition":0,"partitions":1,"offset":0,"stride":32,"#,
    r#""data":"0000803f0000004000004040000080400000000000000000000000000000000"#,
    r#"0"}],"registers":{},"program":[""#,
    "9a100000000000000000000003000000",
    "00000000010001000100040001000100",
    "0a0a0100060400000000004000000000",
    "10000000010001000100040001000100",
    r#""]}"#
);

#[test]
fn both_models_answer_generated_cases_alike() {
    let cases = stdout(q7diff().args(["generate", "--cases", "60", "--seed", "3"]), 0);
    assert_eq!(cases.lines().count(), 60);
    let outcomes = |model: &str| {
        stdout(q7diff().args(["exec", "--model", model, "-"]).write_stdin(cases.clone()), 0)
    };
    let oracle = outcomes("oracle");
    assert_eq!(oracle.lines().count(), 60);
    assert_eq!(oracle, outcomes("candidate"));
}

#[test]
fn summaries_are_byte_identical_at_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let run = |jobs: &str, fault: &[&str], code: i32| {
        let report = folder.path().join(format!("{jobs}{}", fault.len()));
        q7diff()
            .args(["run", "--cases", "1500", "--quiet", "--jobs", jobs, "--report"])
            .arg(&report)
            .args(fault)
            .assert()
            .code(code);
        (read(report.join("summary.json")), read(report.join("report.txt")))
    };
    let one = run("1", &[], 0);
    assert_eq!(one, run("2", &[], 0));
    assert_eq!(one, run("4", &[], 0));
    // Also where buckets and smallest cases have to be chosen.
    let fault = ["--fault", "op1-before-op0"];
    let one = run("1", &fault, 1);
    assert_eq!(one, run("2", &fault, 1));
    assert_eq!(one, run("4", &fault, 1));
}

#[test]
fn the_summary_has_the_keys_of_the_contract_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout(
        q7diff().args(["run", "--cases", "300", "--json", "--report"]).arg(folder.path()),
        0,
    );
    let order = [
        "version",
        "seed",
        "options",
        "cases",
        "compared",
        "ignored",
        "families",
        "products",
        "divergences",
        "coverage",
        "clauses",
        "golden",
        "timing",
    ];
    let mut at = 0;
    for key in order {
        let found = text[at..].find(&format!("\"{key}\":"));
        at += found.unwrap_or_else(|| panic!("{key} is missing or out of order"));
    }
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value.as_object().unwrap().len(), order.len());
    assert_eq!(value["cases"], 300);
    assert!(value["compared"]["values"].as_u64().unwrap() > 0);
    assert!(value["golden"]["checked"].as_u64().unwrap() > 1_500);
    // The file is the same document without the times.
    let mut without = value.clone();
    without.as_object_mut().unwrap().remove("timing");
    assert_eq!(summary(folder.path()), without);
}

#[test]
fn a_planted_fault_is_found_and_every_reproduction_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let fault = ["--fault", "accumulator-not-carried"];
    let shown = stdout(
        q7diff().args(["run", "--cases", "2000", "--report"]).arg(folder.path()).args(fault),
        1,
    );
    assert!(shown.contains("DIFFERS"), "{shown}");
    let summary = summary(folder.path());
    let row = &summary["divergences"][0];
    assert_eq!(row["aspect"], "value");
    let case = folder.path().join(row["case"].as_str().unwrap());
    q7diff().arg("replay").arg(&case).args(fault).assert().code(1);
    q7diff().arg("replay").arg(&case).assert().code(0);
    let report = read(case.with_file_name("report.txt"));
    // A generated case by its seed, any by its file, which is named from the report's folder on.
    let commands: Vec<&str> =
        report.lines().filter_map(|line| Some(line.split_once(": q7diff ")?.1)).collect();
    assert!(!commands.is_empty(), "{report}");
    for command in commands {
        let arguments = command.split(' ').map(|word| word.trim_matches('\''));
        let again = stdout(q7diff().current_dir(case.parent().unwrap()).args(arguments), 1);
        assert!(again.contains("expected") && again.contains("--- reference"), "{again}");
    }
}

#[test]
fn shards_have_the_totals_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = |shard: &str| {
        let report = folder.path().join(shard.replace('/', "-"));
        q7diff()
            .args(["run", "--cases", "1000", "--quiet", "--shard", shard, "--report"])
            .arg(&report)
            .assert()
            .code(0);
        summary(&report)
    };
    let number =
        |summary: &Value, pointer: &str| summary.pointer(pointer).unwrap().as_u64().unwrap();
    let whole = run("0/1");
    let parts = [run("0/3"), run("1/3"), run("2/3")];
    for pointer in ["/cases", "/compared/values", "/compared/verdicts", "/golden/checked"] {
        let sum: u64 = parts.iter().map(|part| number(part, pointer)).sum();
        assert_eq!(sum, number(&whole, pointer), "{pointer}");
    }
}

#[test]
fn a_run_that_compares_nothing_fails() {
    let folder = tempfile::tempdir().unwrap();
    q7diff()
        .args(["run", "--cases", "0", "--shard", "1/2", "--report"])
        .arg(folder.path())
        .assert()
        .code(1)
        .stderr(predicate::str::contains("compared nothing"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_complete_report() {
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("q7diff");
    let mut child = std::process::Command::new(program)
        .args(["run", "--family", "tensor", "--cases", "1000000000", "--jobs", "1", "--report"])
        .arg(folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let summary = summary(folder.path());
    assert_eq!(summary["interrupted"], true);
    assert!(summary["cases"].as_u64().unwrap() > 0);
    assert!(folder.path().join("report.txt").exists());
}

#[test]
fn exec_keeps_the_results_before_a_bad_line() {
    let input = format!("{CASE}\n\n{CASE}\n{{\"version\":1,\n{CASE}\n");
    let output = q7diff()
        .args(["exec", "--model", "oracle"])
        .write_stdin(input)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("standard input:4: not JSON"))
        .get_output()
        .clone();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
}

#[test]
fn exec_json_prints_one_document() {
    let input = format!("{CASE}\n{CASE}\n");
    let text = stdout(q7diff().args(["--json", "exec", "--model", "oracle"]).write_stdin(input), 0);
    let outcomes: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(outcomes.as_array().unwrap().len(), 2);
    assert_eq!(outcomes[0]["steps"][0]["verdict"], "accept");
}

#[test]
fn bad_cases_name_line_field_and_value() {
    let rows = [
        (CASE.replace("\"mariana\"", "\"marianna\""), "generation"),
        (CASE.replace("9a100000", "9a10000"), "program[0]"),
        (CASE.replace("9a100000", "zz100000"), "program[0]"),
        (CASE.replace("\"profile\":{}", "\"profile\":{\"op1_orders\":\"x\"}"), "op1_orders"),
        (CASE.replace("\"profile\":{}", "\"profile\":{\"op1_order\":\"x\"}"), "op1_order"),
        (CASE.replace("\"stride\":32", "\"stride\":31"), "memory[0].data"),
        (CASE.replace("\"kind\":\"tensor\"", "\"kind\":\"tonsor\""), "kind"),
        ("[1,2]".to_owned(), "expected"),
    ];
    for (case, named) in rows {
        let line = case.replace('\n', "");
        q7diff()
            .args(["exec", "--model", "oracle", "-"])
            .write_stdin(format!("{CASE}\n{line}\n"))
            .assert()
            .code(2)
            .stderr(
                predicate::str::contains("standard input:2: ")
                    .and(predicate::str::contains(named))
                    .and(predicate::str::contains("panicked").not()),
            );
    }
}

#[test]
fn a_write_outside_the_case_is_bad_input() {
    // The destination moves behind the region.
    let case = CASE.replace("10000000010001000100040001000100", "00010000010001000100040001000100");
    assert_ne!(case, CASE);
    q7diff()
        .args(["exec", "--model", "oracle", "-"])
        .write_stdin(case.clone())
        .assert()
        .code(2)
        .stderr(predicate::str::contains("write outside the case's memory"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.json");
    std::fs::write(&file, case).unwrap();
    q7diff()
        .arg("replay")
        .arg(&file)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("write outside the case's memory"));
}

#[test]
fn bad_usage_is_one_sentence_and_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.npy");
    std::fs::write(&text, "no numbers").unwrap();
    let text = text.to_str().unwrap();
    let rows: &[(&[&str], &str)] = &[
        (&["frobnicate"], "unrecognized subcommand"),
        (&["run", "--op", "TensorScalarCacheReduze"], "did you mean `TensorScalarCacheReduce`"),
        (&["run", "--op", "Copy"], "no op that the models execute"),
        (&["run", "--op", "[", "--cases", "1"], "--op"),
        (&["run", "--generation", "mariena"], "did you mean `mariana`"),
        (&["run", "--set", "op1_orde=acc_left"], "did you mean `op1_order`"),
        (&["run", "--set", "op1_order=left"], "no value `left`"),
        (&["run", "--set", "op1_order"], "not KEY=VALUE"),
        (&["run", "--profile", "vendro"], "did you mean `vendor`"),
        (&["run", "--data", "/no/such/file.npy"], "/no/such/file.npy"),
        (&["run", "--data", text], "text.npy"),
        (&["run", "--near-valid", "1.5"], "--near-valid"),
        (&["run", "--jobs", "0"], "--jobs"),
        (&["run", "--time", "3 weeks"], "--time"),
        (&["run", "--shard", "3/3"], "no shard"),
        (&["run", "--seed", "0xgg"], "--seed"),
        (&["run", "--fault", "op0-before-op1"], "no planted fault"),
        (&["run", "--candidate", "cmd:./mine"], "not supported by this version yet"),
        (&["run", "--candidate", "orakle"], "no model is called"),
        (&["run", "--fp-order", "reassociated"], "not supported by this version yet"),
        (&["run", "--corpus", "/no/such/corpus"], "no corpus folder"),
        (&["replay"], "FILE"),
        (&["replay", "/no/such/case.json"], "/no/such/case.json"),
        (&["exec", "--model", "orakle"], "no model is called"),
        (&["exec", "--model", "oracle", "/no/such/cases.jsonl"], "/no/such/cases.jsonl"),
        (&["explain", "9a10"], "128 hex digits"),
        (&["explain", "no-such-file"], "neither a file nor hex"),
    ];
    for (arguments, sentence) in rows {
        q7diff().current_dir(folder.path()).args(*arguments).assert().code(2).stderr(
            predicate::str::contains(*sentence).and(predicate::str::contains("panicked").not()),
        );
    }
}

#[test]
fn an_unwritable_report_folder_is_found_before_the_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    q7diff()
        .args(["run", "--cases", "100", "--report"])
        .arg(file.join("below"))
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot write"));
}

#[test]
fn an_unknown_simd_path_is_bad_usage() {
    q7diff()
        .env("Q7DIFF_SIMD", "mmx")
        .args(["faults", "--list"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("mmx"));
}

#[test]
fn golden_vectors_hold_in_both_models() {
    let text = stdout(q7diff().args(["golden", "--json"]), 0);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["failed"], 0);
    assert!(value["checked"].as_u64().unwrap() >= 1_527 + 54, "{}", value["checked"]);
    let reasons = value["skipped"].as_array().unwrap();
    assert!(reasons.iter().all(|row| row["count"].as_u64() > Some(0)));
}

#[test]
fn a_wrong_golden_vector_fails_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let golden = folder.path().join("golden");
    std::fs::create_dir(&golden).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/golden");
    for entry in std::fs::read_dir(source).unwrap().flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), golden.join(entry.file_name())).unwrap();
        }
    }
    let vectors = read(golden.join("dtype_vectors.json"));
    let wrong = vectors.replacen("\"out\": \"0x3c800000\"", "\"out\": \"0x3c800001\"", 1);
    assert_ne!(wrong, vectors);
    std::fs::write(golden.join("dtype_vectors.json"), wrong).unwrap();
    let text = stdout(q7diff().arg("golden").arg("--corpus").arg(folder.path()), 1);
    assert!(text.contains("missed by oracle") && text.contains("missed by candidate"), "{text}");
}

#[test]
fn faults_lists_the_catalogue_as_one_document() {
    let text = stdout(q7diff().args(["faults", "--list", "--json"]), 0);
    let value: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> = value["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"fp8-tie-up") && names.contains(&"negated-unchecked"), "{names:?}");
}

#[test]
fn explain_decodes_a_record_with_every_clause() {
    // 0x9A with op1 = Divide and a reversed operand: two clauses fail.
    let record = concat!(
        "9a100000000000000000000003000000",
        "00000000010001000100040001000100",
        "0a0a0100060701000000004000000000",
        "10000000010001000100040001000100",
    );
    insta::assert_snapshot!(stdout(q7diff().args(["explain", record]), 0));
}

/// The record of [`CASE`], with its opcode byte replaced.
fn record(opcode: &str) -> String {
    let case: Value = serde_json::from_str(CASE).unwrap();
    opcode.to_owned() + &case["program"][0].as_str().unwrap()[2..]
}

fn explained_clauses(record: &str, generation: &str) -> Vec<(String, bool)> {
    let mut command = q7diff();
    command.args(["explain", record, "--json", "--generation", generation]);
    let shown: Value = serde_json::from_str(&stdout(&mut command, 0)).unwrap();
    let clauses = shown["cases"][0]["steps"][0]["clauses"].as_array().unwrap();
    let pair =
        |row: &Value| (row["id"].as_str().unwrap().to_owned(), row["passes"].as_bool().unwrap());
    clauses.iter().map(pair).collect()
}

#[test]
fn explain_lists_the_clauses_that_a_good_record_passes() {
    let clauses = explained_clauses(&record("9a"), "mariana");
    assert_eq!(clauses.len(), 26);
    assert!(clauses.iter().all(|(_, passes)| *passes), "{clauses:?}");
}

#[test]
fn explain_lists_the_preamble_for_an_undefined_opcode() {
    let clauses = explained_clauses(&record("00"), "mariana");
    let failed: Vec<&str> =
        clauses.iter().filter(|(_, passes)| !passes).map(|(id, _)| id.as_str()).collect();
    assert_eq!((clauses.len(), failed), (5, vec!["HDR-OPC"]));
}

#[test]
fn explain_lists_no_clause_that_a_generation_lacks() {
    let quadrant = |generation| {
        let clauses = explained_clauses(&record("4e"), generation);
        clauses.iter().filter(|(id, _)| id.starts_with("TC-Q-")).count()
    };
    assert_eq!((quadrant("cayman"), quadrant("mariana")), (0, 2));
}

#[test]
fn a_case_that_writes_outside_its_memory_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stray.json");
    let stray = CASE.replacen(r#""stride":32"#, r#""stride":16"#, 1).replacen(
        "000000000000000000000000000000000",
        "0",
        1,
    );
    std::fs::write(&file, stray).unwrap();
    for command in ["explain", "replay", "minimise"] {
        q7diff()
            .arg(command)
            .arg(&file)
            .assert()
            .code(2)
            .stderr(predicate::str::contains("write outside the case's memory"));
    }
}

#[test]
fn explain_shows_which_switches_change_a_case() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.json");
    std::fs::write(&file, CASE).unwrap();
    let text = stdout(q7diff().arg("explain").arg(&file), 0);
    assert!(text.contains("under reduce_emit=elementwise the outcome differs"), "{text}");
    assert!(!text.contains("under fp8_overflow"), "{text}");
}

/// The buckets of a run with a planted fault, and its folder.
fn buckets_of(fault: &str, folder: &Path) -> Vec<String> {
    q7diff()
        .args(["run", "--family", "tensor", "--cases", "2500", "--quiet", "--fault", fault])
        .arg("--report")
        .arg(folder)
        .assert()
        .code(1);
    let rows = summary(folder)["divergences"].as_array().unwrap().clone();
    rows.iter().map(|row| row["bucket"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn each_tensor_fault_has_one_bucket_of_its_own_with_a_small_case_that_replays() {
    let folder = tempfile::tempdir().unwrap();
    let mut met = std::collections::BTreeMap::new();
    for fault in [
        "op1-before-op0",
        "accumulator-not-carried",
        "fp8-tie-up",
        "negated-unchecked",
        "int32-cache-reduce",
    ] {
        let report = folder.path().join(fault);
        let buckets = buckets_of(fault, &report);
        assert_eq!(buckets.len(), 1, "{fault}: {buckets:?}");
        if let Some(other) = met.insert(buckets[0].clone(), fault) {
            panic!("{fault} and {other} share {}", buckets[0]);
        }
        let row = summary(&report)["divergences"][0].clone();
        let path = format!("counterexamples/{}/minimised.json", buckets[0]);
        assert_eq!(row["case"], path.as_str());
        let case: Value = serde_json::from_str(&read(report.join(&path))).unwrap();
        // Only a carried accumulator needs a step before the one that shows it.
        let steps = if fault == "accumulator-not-carried" { 2 } else { 1 };
        assert_eq!(case["program"].as_array().unwrap().len(), steps, "{fault}");
        q7diff().arg("replay").arg(report.join(&path)).args(["--fault", fault]).assert().code(1);
        let text = read(report.join(&path).with_file_name("report.txt"));
        assert!(text.contains("1-minimal") && text.contains("around it: "), "{text}");
    }
}

#[test]
fn minimising_is_left_out_on_demand_and_is_the_same_from_shards() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, arguments: &[&str]| {
        let report = folder.path().join(name);
        q7diff()
            .args(["run", "--family", "tensor", "--cases", "1500", "--quiet"])
            .args(["--fault", "op1-before-op0", "--report"])
            .arg(&report)
            .args(arguments)
            .assert()
            .code(1);
        report
    };
    let plain = run("plain", &["--no-minimise"]);
    let row = summary(&plain)["divergences"][0].clone();
    assert!(row["case"].as_str().unwrap().ends_with("/case.json"), "{row}");
    assert_eq!(summary(&plain)["options"]["minimise"], false);
    let whole = run("whole", &[]);
    assert!(summary(&whole)["options"].get("minimise").is_none());
    let shards = ["0/2", "1/2"].map(|shard| run(&shard.replace('/', "-"), &["--shard", shard]));
    let merged = folder.path().join("merged");
    q7diff().args(["merge", "--quiet", "--report"]).arg(&merged).args(&shards).assert().code(1);
    assert_eq!(read(merged.join("summary.json")), read(whole.join("summary.json")));
    let case = summary(&whole)["divergences"][0]["case"].as_str().unwrap().to_owned();
    assert_eq!(read(merged.join(&case)), read(whole.join(&case)));
}

#[test]
fn minimise_shrinks_a_failing_case_and_says_when_there_is_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    std::fs::create_dir_all(corpus.join("golden")).unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/golden/tensor_cases.jsonl");
    std::fs::copy(golden, corpus.join("golden/tensor_cases.jsonl")).unwrap();
    let file = folder.path().join("case.json");
    std::fs::write(&file, CASE).unwrap();
    q7diff()
        .arg("minimise")
        .arg(&file)
        .assert()
        .code(0)
        .stdout(predicate::str::contains("the case agrees; nothing to minimise"));
    assert!(!file.with_file_name("minimised.json").exists());

    let fault = ["--fault", "op1-before-op0"];
    let minimise = || {
        let mut command = q7diff();
        command.arg("minimise").arg(&file).args(fault).arg("--corpus").arg(&corpus);
        command
    };
    let text = stdout(minimise().args(["--json", "--add-regression", "small"]), 1);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert!(value["after"]["elements"].as_u64().unwrap() <= 2, "{text}");
    assert_eq!(value["one_minimal"], true);
    assert!(value["signature"].as_str().unwrap().starts_with("value-TensorScalarCacheReduce-"));
    let written = read(file.with_file_name("minimised.json"));
    assert_eq!(written, read(corpus.join("regressions/small.json")));
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value["case"]);
    // It is what runs begin with from now on: right without the fault, missed with it.
    let regressions = corpus.join("regressions");
    q7diff().arg("replay").arg(&regressions).assert().code(0);
    q7diff().arg("replay").arg(&regressions).args(fault).assert().code(1);
    let run = |more: &[&str]| {
        let mut command = q7diff();
        command.args(["run", "--op", "TensorScalarCacheReduce", "--cases", "300", "--quiet"]);
        command.arg("--corpus").arg(&corpus).arg("--report").arg(folder.path().join("run"));
        command.args(more);
        command
    };
    run(&[]).assert().code(0);
    run(&fault).assert().code(1);
    assert!(read(folder.path().join("run/junit.xml")).contains("small"));
    // A regression is not overwritten.
    minimise().args(["--add-regression", "small"]).assert().code(2);

    // A budget that is too small leaves a bigger case that still shows the divergence.
    let small = folder.path().join("some.json");
    let shown = stdout(minimise().args(["--budget", "3", "-o"]).arg(&small), 1);
    assert!(shown.contains("budget exhausted"), "{shown}");
    q7diff().arg("replay").arg(&small).args(fault).assert().code(1);
}
