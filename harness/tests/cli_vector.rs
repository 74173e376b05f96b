//! The commands on vector programs: runs, replays, explanations, golden vectors, bad input.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

fn q7diff() -> Command {
    let mut command = Command::cargo_bin("q7diff").unwrap();
    command.env_remove("Q7DIFF_CORPUS").env_remove("Q7DIFF_SIMD").env_remove("COLUMNS");
    command
}

/// Standard output of a command that must end with `code`.
fn stdout(command: &mut Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// A case of one program and no state.
fn case(program: &[&str]) -> String {
    let program: Vec<String> = program.iter().map(|bundle| format!("{bundle:?}")).collect();
    format!(
        r#"{{"version":1,"kind":"vector","id":"small","profile":{{}},"program":[{}]}}"#,
        program.join(",")
    )
}

/// The outcome of a case from one model.
fn outcome(model: &str, case: &str) -> Value {
    let text = stdout(q7diff().args(["exec", "--model", model]).write_stdin(case), 0);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn both_models_answer_generated_programs_alike() {
    let generate = ["generate", "--family", "vector", "--cases", "80", "--seed", "5"];
    let cases = stdout(q7diff().args(generate), 0);
    assert_eq!(cases.lines().count(), 80);
    let outcomes = |model: &str| {
        stdout(q7diff().args(["exec", "--model", model, "-"]).write_stdin(cases.clone()), 0)
    };
    let oracle = outcomes("oracle");
    assert_eq!(oracle.lines().count(), 80);
    assert!(oracle.lines().all(|line| line.contains("\"schedule\":{\"v\":1")));
    assert_eq!(oracle, outcomes("candidate"));
}

#[test]
fn edge_products_are_written_as_a_run_executes_them() {
    let generate = ["generate", "--products", "--op", "selnx16", "--seed", "3"];
    let cases = stdout(q7diff().args(generate), 0);
    let (edges, pairs): (Vec<_>, Vec<_>) =
        cases.lines().partition(|line| line.contains("\"id\":\"d-SELNX16-"));
    assert!(!edges.is_empty() && !pairs.is_empty(), "{} and {}", edges.len(), pairs.len());
    let run = ["run", "--op", "selnx16", "--cases", "0", "--seed", "3", "--json"];
    let folder = tempfile::tempdir().unwrap();
    let text = stdout(q7diff().args(run).arg("--report").arg(folder.path()), 0);
    let summary: Value = serde_json::from_str(&text).unwrap();
    let row = &summary["families"].as_array().unwrap()[0];
    assert_eq!(row["op"], "SELNX16", "{row}");
    assert!(row["random"].as_u64().unwrap() >= pairs.len() as u64, "{row}");

    let other = stdout(q7diff().args(generate).args(["--set", "rb_tie=union"]), 0);
    assert!(other.lines().all(|line| line.contains("\"rb_tie\":\"union\"")));
    q7diff()
        .args(["generate", "--products", "--op", "0x9a"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("only vector ops have edge products"));
    q7diff().args(["generate", "--products", "--cases", "3"]).assert().code(2);
}

#[test]
fn a_run_counts_edge_products_and_random_pairs_of_every_op() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "--family", "vector", "--op", "RADD*,selnx16", "--cases", "300", "--json"];
    let text = stdout(q7diff().args(run).arg("--report").arg(folder.path()), 0);
    let summary: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["cases"], 300);
    assert_eq!(summary["divergences"], Value::Array(Vec::new()));
    assert!(summary["compared"]["postings"].as_u64().unwrap() > 1_000);
    let rows = summary["families"].as_array().unwrap();
    let named = |row: &&Value| row["op"] != "other mnemonics";
    assert_eq!(rows.iter().filter(named).count(), 13);
    for row in rows.iter().filter(named) {
        assert_eq!(row["family"], "vector");
        // 4,096 pairs fit into so many full registers.
        assert!(row["directed"].as_u64().unwrap() > 8, "{row}");
        assert!(row["random"].as_u64().unwrap() >= 64, "{row}");
    }
    let products = summary["products"].as_array().unwrap();
    assert_eq!(products.len(), 13);
    for row in products {
        assert_eq!(row["edges"], row["edges_expected"], "{row}");
        assert!(row["edges"].as_u64().unwrap() > 50, "{row}");
        assert_eq!(row["pairs_expected"], 4096, "{row}");
        assert!(row["pairs"].as_u64().unwrap() >= 4096, "{row}");
    }
    let report = std::fs::read_to_string(folder.path().join("report.txt")).unwrap();
    assert!(report.contains("edge products and random pairs of the vector ops"), "{report}");
    assert!(!report.contains("INCOMPLETE"), "{report}");
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(page.contains("Edge products") && page.contains("Covergroups"));
}

#[test]
fn tallies_do_not_depend_on_threads_and_shards_share_the_products() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let report = folder.path().join(name);
        q7diff()
            .args(["run", "--family", "vector", "--op", "SHFL*", "--cases", "600", "--quiet"])
            .args(more)
            .arg("--report")
            .arg(&report)
            .assert()
            .code(0);
        std::fs::read_to_string(report.join("summary.json")).unwrap()
    };
    assert_eq!(run("one", &["--jobs", "1"]), run("three", &["--jobs", "3"]));
    let directed = |summary: &str| -> u64 {
        let summary: Value = serde_json::from_str(summary).unwrap();
        let rows = summary["families"].as_array().unwrap();
        rows.iter().map(|row| row["directed"].as_u64().unwrap()).sum()
    };
    let whole = directed(&run("whole", &[]));
    let parts: u64 = ["0/3", "1/3", "2/3"]
        .iter()
        .map(|shard| directed(&run(&shard.replace('/', "-"), &["--shard", shard])))
        .sum();
    assert_eq!(whole, parts);
}

#[test]
fn a_run_until_coverage_says_whether_it_got_there() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, more: &[&str]| {
        let mut command = q7diff();
        command.args(["run", "--family", "tensor", "--op", "0x5e", "--quiet"]).args(more);
        command.arg("--report").arg(folder.path().join(name));
        command
    };
    let all = ["--until-coverage", "100%", "--cases", "400000", "--seed", "3"];
    run("one", &all).args(["--jobs", "1"]).assert().code(0);
    run("two", &all).args(["--jobs", "2"]).assert().code(0);
    let summary = |name: &str| {
        std::fs::read_to_string(folder.path().join(name).join("summary.json")).unwrap()
    };
    assert_eq!(summary("one"), summary("two"));
    let reached: Value = serde_json::from_str(&summary("one")).unwrap();
    assert_eq!(reached["coverage"]["bins"], reached["coverage"]["hit"]);
    assert_eq!(reached["options"]["until_coverage"], 100.0);
    assert!(reached["cases"].as_u64().unwrap() < 400_000);
    let short = ["--until-coverage", "100%", "--cases", "200"];
    let said = predicate::str::contains("the coverage was not reached: ");
    run("short", &short).assert().code(1).stderr(said);
    let report = std::fs::read_to_string(folder.path().join("short/report.txt")).unwrap();
    assert!(report.contains("each with its shortest recipe"), "{report}");
    let shard = ["--until-coverage", "100%", "--shard", "0/2"];
    run("shard", &shard).assert().code(2).stderr(predicate::str::contains("whole campaign"));
}

#[test]
fn a_planted_value_fault_is_shown_lane_by_lane_with_its_writer() {
    let folder = tempfile::tempdir().unwrap();
    let fault = ["--fault", "shfl-high-bits"];
    let run = ["run", "--family", "vector", "--op", "SHFLNX16", "--cases", "2000"];
    let shown = stdout(q7diff().args(run).args(fault).arg("--report").arg(folder.path()), 1);
    assert!(shown.contains("value-SHFL-data"), "{shown}");
    assert!(shown.contains("value divergence in "), "{shown}");
    let written = predicate::str::is_match(
        r"v\d+, written by bundle \d+ S3 SHFL\w+: \d+ elements of (8|16|32) bits",
    )
    .unwrap();
    assert!(written.eval(&shown), "{shown}");
    let lane = predicate::str::is_match(r"lane \d+: expected 0x[0-9a-f]+, actual 0x0+").unwrap();
    assert!(lane.eval(&shown), "{shown}");
    assert!(predicate::str::is_match(r"(?m)^> \d+  .*SHFL").unwrap().eval(&shown), "{shown}");
    let line =
        shown.lines().find_map(|line| line.strip_prefix("or, from its file: q7diff ")).unwrap();
    let arguments: Vec<&str> = line.split(' ').map(|word| word.trim_matches('\'')).collect();
    q7diff().args(arguments).assert().code(1);
}

#[test]
fn a_generated_case_is_replayed_by_its_seed() {
    let arguments = ["replay", "--family", "vector", "--case-seed", "0x598bda6c391c2cdc"];
    let shown = stdout(q7diff().args(arguments), 0);
    assert!(shown.contains("vector case `v-598bda6c391c2cdc` agrees"), "{shown}");
    assert!(!shown.contains(" 0 postings"), "{shown}");
}

#[test]
fn a_planted_schedule_fault_is_shown_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "--family", "vector", "--cases", "300", "--fault", "waw-ignored"];
    let shown = stdout(q7diff().args(run).arg("--report").arg(folder.path()), 1);
    assert!(shown.contains("schedule-any-ISSUE+WAW"), "{shown}");
    assert!(shown.contains("\nschedules\n") && shown.contains("root"), "{shown}");
    assert!(!shown.contains("value-"), "{shown}");
}

#[test]
fn faults_are_found_under_every_seed_with_a_case_that_tells_them_apart() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["faults", "--fault", "waw-ig*,rbmin-higher-lane", "--seeds", "3", "--json"];
    let shown = stdout(q7diff().args(arguments).arg("--report").arg(folder.path()), 0);
    let document: Value = serde_json::from_str(&shown).unwrap();
    let faults = document["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2);
    for fault in faults {
        let found = &fault["detection"];
        assert_eq!((&found["detected_seeds"], &found["seeds"]), (&3.into(), &3.into()), "{fault}");
        assert!(found["median"].as_u64() > Some(0), "{fault}");
        assert!(!found["vectors"].as_array().unwrap().is_empty(), "{fault}");
        let name = fault["name"].as_str().unwrap();
        let file = folder.path().join(format!("{name}.json"));
        q7diff().args(["replay", "--fault", name]).arg(&file).assert().code(1);
        q7diff().arg("replay").arg(&file).assert().code(0);
    }
    assert_eq!(faults[0]["detection"]["aspect"], "value");
    assert_eq!(faults[1]["detection"]["aspect"], "schedule");
}

#[test]
fn a_fault_that_no_seed_shows_fails_the_command() {
    let arguments = ["faults", "--fault", "gate-after-memory", "--seeds", "2", "--cases", "1"];
    let shown = stdout(q7diff().args(arguments), 1);
    assert!(shown.contains("NOT DETECTED: median >1 cases"), "{shown}");
    let arguments = ["faults", "--fault", "waw-ignore"];
    q7diff().args(arguments).assert().code(2);
}

#[test]
fn plain_cases_run_as_a_campaign_and_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        ["run", "--family", "vector", "--op", "RADDNX16", "--naive", "--cases", "200", "--json"];
    let shown = stdout(q7diff().args(run).arg("--report").arg(folder.path()), 0);
    let document: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(document["options"]["naive"], true);
}

#[test]
fn golden_lists_the_executed_vectors_by_family_and_op() {
    let document: Value =
        serde_json::from_str(&stdout(q7diff().args(["golden", "--json"]), 0)).unwrap();
    assert_eq!(document["failed"], 0);
    assert_eq!(document["diverging_cases"], 0);
    let probes = document["probes"].as_array().unwrap();
    let sum = |key: &str| probes.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("probes"), sum("cases"), sum("failed")), (268, 782, 0));
    let file = |name: &str| {
        let files = document["files"].as_array().unwrap();
        files.iter().find(|row| row["file"] == name).unwrap()["checked"].as_u64()
    };
    assert_eq!(file("val05_vectors.json"), Some(268));
    assert_eq!(file("vector_cases.jsonl"), Some(50));
    assert_eq!(file("lat_examples.json"), Some(27));
    let text = stdout(q7diff().arg("golden"), 0);
    assert!(text.contains("16 × left for a later chapter, 2 × true of the value leaf only"));
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

const PROGRAM: &str = "# prime, load, add\n\
    N2 { S1 LA_PP u0, a2 }\n\
    N2 { S1 LA2NX8_IP v1, u0, a2 }\n\n\
    f0 {s3 addnx16 v2,v1,v1}  # twice\n\
    F0 { S3 ADDNX16 v3, v2, v1 }\n";

#[test]
fn explain_shows_a_bare_program_with_its_schedule_and_chart() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "loop.txt", PROGRAM);
    let svg = folder.path().join("loop.svg");
    let shown = stdout(q7diff().args(["explain", &file, "--svg"]).arg(&svg), 0);
    for line in [
        "  2  F0 { S3 ADDNX16 v2, v1, v1 }",
        "B0 N2 ok @0 +0",
        "  S1 LA2NX8_IP a2.use@1 a2.def@1 u0.use@9 u0.def@9 v1.def@10",
        "B3 F0 ok @4 +1",
        "  ! RAW v2 B2.S3@11 > S3@10 d=2",
        "= 5",
    ] {
        assert!(shown.lines().any(|found| found == line), "{line}\n{shown}");
    }
    assert!(shown.contains("░ stall"), "{shown}");
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    // Under the other table nothing of this program changes.
    let formal = stdout(q7diff().args(["explain", &file, "--profile", "vendor"]), 0);
    assert!(formal.contains("= 5"));
}

#[test]
fn explain_shows_a_vector_case_and_the_switches_that_matter() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/golden/contested/lat_crossbar.json");
    let shown = stdout(q7diff().args(["explain", file]), 0);
    assert!(shown.contains("B1 F0 ok @1 +0"), "{shown}");
    assert!(shown.contains("under lat_crossbar=formal the outcome differs"), "{shown}");
    assert!(shown.contains("+B1 F0 ok @3 +2"), "{shown}");
}

#[test]
fn explain_lists_no_switch_that_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "nop.txt", "F0 { }\n");
    let shown: Value =
        serde_json::from_str(&stdout(q7diff().args(["explain", "--json", &file]), 0)).unwrap();
    assert!(!shown.to_string().contains("lat_crossbar"), "{shown}");
}

#[test]
fn text_outside_the_grammar_is_bad_input_with_its_place_and_advice() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        ("F0 { S3 ADDNX16 v1, v2 v3 }", "column 24: `v3`, expected `,`, `;` or `}`", "commas"),
        ("F0 { ADDNX16 v1, v2, v3 }", "column 6: `ADDNX16`", "name the slot"),
        ("F0 S3 ADDNX16 v1, v2, v3", "column 4: `S3`, expected `{`", "braces"),
        ("F0 { S3 ADDNX16 v1, v2, v3", "end of text", "close the bundle"),
        ("{ S3 NOP }", "column 1: `{`, expected a format", "begins with its format"),
        ("F0 { S3 }", "column 9: `}`, expected an operation", "left out"),
    ];
    for (bundle, message, hint) in rows {
        let case = case(&[bundle]);
        let refused = predicate::str::contains("standard input:1: program[0], ")
            .and(predicate::str::contains(message))
            .and(predicate::str::contains("hint"))
            .and(predicate::str::contains(hint));
        q7diff()
            .args(["exec", "--model", "oracle"])
            .write_stdin(case.clone())
            .assert()
            .code(2)
            .stderr(refused);
        let file = write(folder.path(), "bad.json", &case);
        q7diff().args(["replay", &file]).assert().code(2).stderr(predicate::str::contains(message));
        let text = write(folder.path(), "bad.txt", &format!("N2 {{ }}\n P0 {{ }}\n {bundle}\n"));
        q7diff()
            .args(["explain", &text])
            .assert()
            .code(2)
            .stderr(predicate::str::contains("bad.txt:3: ").and(predicate::str::contains(hint)));
    }
}

#[test]
fn text_that_names_nothing_or_the_wrong_thing_is_refused_by_the_models() {
    let rows = [
        ("F5 { }", "FORMAT"),
        ("F0 { S4 NOP }", "SLOT_COUNT"),
        ("N2 { S0 NOP ; S0 NOP }", "SLOT_COUNT"),
        ("F0 { S3 ADDNX17 v1, v2, v3 }", "UNKNOWN_OP"),
        ("F0 { S0 SELNX16 v1, v2, v3, v4 }", "OP_SLOT"),
        ("N0 { S1 ADDNX16 v1, v2, v3 }", "OP_SLOT"),
        ("F0 { S3 ADDNX16 v1, v2, v32 }", "OPERAND"),
        ("F0 { S3 ADDNX16 v1, v2, vb3 }", "OPERAND"),
        ("F0 { S3 ADDNX16 v1, v2, x9 }", "OPERAND"),
        ("F0 { S3 ADDNX16 v1, v2 }", "OPERAND"),
        ("F0 { S1 LALIGN_IP u4, a2, 64 }", "OPERAND"),
        ("F0 { S3 SLLINX16 v1, v2, 16 }", "OPERAND"),
        ("F0 { S1 LV2NX8_I v1, a2, 65 }", "OPERAND"),
        ("F0 { S1 LV2NX8_I v1, a2, 0x1c0 ; S3 ADDNX16 v1, v2, v3 }", "DUP_DEF"),
        ("F11 { S5 NOP }", "SLOT_COUNT"),
        ("X1 { S0 NOP ; S1 NOP }", "SLOT_COUNT"),
        ("F0 { S0 LV2NX8_I v1, a2, 0 ; S1 L2U2NX8_XP v2, a3, a4 }", "MEM_PORTS"),
    ];
    for (bundle, reason) in rows {
        let case = case(&["N2 { }", bundle, "N2 { }"]);
        for model in ["oracle", "candidate"] {
            let outcome = outcome(model, &case);
            let expected = serde_json::json!([
                {"verdict": "accept"},
                {"verdict": "reject", "clauses": [reason]},
            ]);
            assert_eq!(outcome["steps"], expected, "{model} {bundle}");
            assert_eq!(outcome["schedule"]["bundles"][1]["reason"], reason, "{model} {bundle}");
        }
    }
}

#[test]
fn explain_suggests_the_word_that_was_meant() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "typo.txt", "F0 { S3 RADNX16 v1, v2 }\nF12 { }\n");
    let shown = stdout(q7diff().args(["explain", &file]), 0);
    assert!(shown.contains("reject UNKNOWN_OP"), "{shown}");
    let note = "bundle 0: `RADNX16` is no mnemonic; did you mean `RADDNX16`?";
    assert!(shown.contains(note), "{shown}");
    assert!(shown.contains("bundle 1: `F12` is no format; did you mean `F1"), "{shown}");
    q7diff()
        .args(["run", "--family", "vector", "--op", "RADNX16"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("did you mean `RADDNX16`?"));
}

#[test]
fn explain_refuses_what_it_cannot_draw() {
    let folder = tempfile::tempdir().unwrap();
    let empty = write(folder.path(), "empty.txt", "# nothing\n");
    q7diff()
        .args(["explain", &empty])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no bundle"));
    let record = "00".repeat(64);
    q7diff()
        .args(["explain", &record, "--svg", "unwritten.svg"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("one vector program"));
}
