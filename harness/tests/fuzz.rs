//! Fuzz targets without the engine: committed inputs agree, a crash file becomes a readable minimised
//! case, and bad arguments are refused.

use assert_cmd::Command;
use contract::case::Case;
use contract::isa::Generation;
use contract::model::TensorModel as _;
use contract::state::TensorState;
use harness::corpus::Corpus;
use harness::fuzz::input::{Extent, Form};
use harness::fuzz::{Checked, Target, Worker, seeds};
use harness::generate::{CaseSeed, Family, Generator, Options};
use harness::{faults, generate};
use predicates::prelude::*;
use std::path::{Path, PathBuf};

fn q7diff() -> Command {
    let mut command = Command::cargo_bin("q7diff").unwrap();
    command.env_remove("Q7DIFF_CORPUS").env_remove("Q7DIFF_SIMD");
    command
}

/// The committed inputs of a target.
fn committed(target: Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/fuzz").join(target.name());
    let entries = std::fs::read_dir(&folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn no_committed_input_shows_anything() {
    for target in Target::ALL.into_iter().filter(|&target| target != Target::Empty) {
        let mut worker = Worker::new(None);
        let files = committed(target);
        assert!(files.len() > 20 && files.len() <= 600, "{}: {}", target.name(), files.len());
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            // Files are named by their content, as the engine names them, so none was edited by hand.
            assert_eq!(file.file_name().unwrap().to_str().unwrap(), seeds::name_of(&bytes));
            match worker.check(target, &bytes) {
                Checked::Agrees => {}
                Checked::Skipped(skip) => panic!("{}: {skip}", file.display()),
                Checked::Found(finding) => panic!("{}: {}", file.display(), finding.text),
            }
        }
    }
}

#[test]
fn every_kind_of_golden_case_is_among_the_first_inputs() {
    let corpus = Corpus::find(None).unwrap();
    for (target, least) in [
        (Target::TensorDiff, 100),
        (Target::VectorDiff, 500),
        (Target::ScheduleDiff, 500),
        (Target::DescriptorVerdict, 100),
        (Target::CaseJson, 600),
        (Target::BundleText, 100),
    ] {
        let golden = seeds::seeds(target, &corpus, 1, 0).unwrap();
        assert!(golden.len() >= least, "{}: {}", target.name(), golden.len());
        if target.has_models() {
            let more = seeds::seeds(target, &corpus, 1, 40).unwrap();
            assert!(more.len() >= golden.len() + 30, "{}", target.name());
        }
    }
}

#[test]
fn verdicts_without_execution_are_those_of_the_steps() {
    let mut generator = Generator::new(Options { near_valid: 0.6, ..Options::default() });
    let (mut oracle, mut candidate) =
        (oracle::tensor::OracleTensor::default(), candidate::tensor::CandidateTensor::default());
    let mut accepted = 0;
    for number in 0..1500 {
        let sample = generator.case(Family::Tensor, CaseSeed::of(5, number));
        let Case::Tensor(case) = sample.case else { panic!("a tensor case was asked for") };
        let mut state = TensorState::of(&case);
        for record in &case.program {
            let (mine, theirs) =
                (oracle.verdict(&state, record), candidate.verdict(&state, record));
            let step = oracle.step(&mut state, record).unwrap();
            assert_eq!((&mine, &theirs), (&step.verdict, &step.verdict));
            accepted += u32::from(step.verdict == contract::outcome::TensorVerdict::Accept);
        }
    }
    assert!(accepted > 1000);
}

/// An input that shows a fault, as a fuzzing engine would find it by trying.
fn crash(target: Target, fault: &str) -> Vec<u8> {
    let mut worker = Worker::new(Some(faults::by_name(fault).unwrap()));
    let found = (0..20_000).find_map(|number| {
        let form = Form { extent: Extent::Ordinary, switches: false, op: None };
        let mut random = Vec::new();
        generate::expand(CaseSeed::of(3, number), &mut random);
        let bytes = [&form.write()[..], &random].concat();
        matches!(worker.check(target, &bytes), Checked::Found(_)).then_some(bytes)
    });
    found.unwrap_or_else(|| panic!("no input shows {fault}"))
}

#[test]
fn a_crash_file_becomes_a_readable_minimised_case_that_replays() {
    for (target, fault, aspect) in [
        (Target::TensorDiff, "op1-before-op0", "value divergence in TensorScalarCache"),
        (Target::ScheduleDiff, "waw-ignored", "schedule divergence in"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let artifacts = folder.path().join("artifacts").join(target.name());
        std::fs::create_dir_all(&artifacts).unwrap();
        let file = artifacts.join("crash-1");
        std::fs::write(&file, crash(target, fault)).unwrap();
        let plant = ["--fault", fault];
        q7diff()
            .arg("fuzz-import")
            .arg(&file)
            .args(plant)
            .assert()
            .code(1)
            .stdout(predicate::str::contains(aspect))
            .stdout(predicate::str::contains("1-minimal"))
            .stdout(predicate::str::contains("crash-1.json"));
        let written = artifacts.join("crash-1.json");
        q7diff().arg("replay").arg(&written).args(plant).assert().code(1);
        // Without the fault the same file shows nothing.
        q7diff()
            .arg("fuzz-import")
            .arg(&file)
            .assert()
            .code(0)
            .stdout(predicate::str::contains("the models agree"));
    }
}

#[test]
fn a_finding_says_what_differs_and_how_to_reproduce_it() {
    let fault = faults::by_name("negated-unchecked").unwrap();
    let mut worker = Worker::new(Some(fault));
    // TensorCumulative with `negated` set, on one element.
    let mut record = [0; 65];
    let mut generator = Generator::new(Options { near_valid: 0.0, ..Options::default() });
    let found = (0..2000).find_map(|number| {
        let case = generator.case(Family::Tensor, CaseSeed::of(1, number)).case;
        let Case::Tensor(case) = case else { return None };
        record[..64].copy_from_slice(&case.program[0]);
        record[64] = Generation::ALL.iter().position(|&known| known == case.generation)? as u8;
        record[contract::isa::layout::s4d4_tr::NEGATED] = 1;
        match worker.check(Target::DescriptorVerdict, &record) {
            Checked::Found(finding) => Some(finding),
            _ => None,
        }
    });
    let finding = found.expect("some scan with `negated` set differs");
    assert!(finding.text.contains("the candidate accepts what the reference refuses"));
    assert!(finding.text.contains("planted fault: negated-unchecked"), "{}", finding.text);
    let command = harness::fuzz::reproduction(Target::DescriptorVerdict, &record, Some(fault));
    let start = "q7diff fuzz-import fuzz/artifacts/descriptor_verdict/crash-";
    assert!(command.starts_with(start) && command.ends_with(" --fault negated-unchecked"));
}

#[test]
fn text_inputs_are_shown_as_they_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    let import = |target: &str, text: &str| {
        std::fs::write(&file, text).unwrap();
        let mut command = q7diff();
        command.arg("fuzz-import").arg(&file).args(["--target", target]);
        command.assert().code(0)
    };
    import("bundle_text", "f0 { s3 addnx16 V1,v2 , v3 }")
        .stdout(predicate::str::contains("F0 { S3 ADDNX16 v1, v2, v3 }"));
    import("bundle_text", "F0 { ").stdout(predicate::str::contains("refused: line 1"));
    import("case_json", "{").stdout(predicate::str::contains("refused: "));
    import("case_json", r#"{"version":1,"kind":"vector","program":[]}"#)
        .stdout(predicate::str::contains(r#""cpenable":2"#));
}

#[test]
fn bad_arguments_and_bad_files_end_with_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crash-1");
    std::fs::write(&file, "{").unwrap();
    let file = file.to_str().unwrap();
    let rows: &[(&[&str], &str)] = &[
        (&["fuzz-import", file], "no folder of this path has the name of a fuzz target"),
        (&["fuzz-import", file, "--target", "tensor"], "no fuzz target is called `tensor`"),
        (&["fuzz-import", file, "--target", "tensor_diff"], "no input of target tensor_diff"),
        (&["fuzz-import", "/no/such/file", "--target", "empty"], "/no/such/file"),
        (&["generate", "--format", "fuzz"], "--target NAME and --out DIR"),
        (&["generate", "--out", "x"], "--out belongs to --format fuzz"),
        (&["generate", "--format", "fuzz", "--target", "no", "--out", "x"], "no fuzz target"),
    ];
    for (args, message) in rows {
        q7diff().args(*args).assert().code(2).stderr(predicate::str::contains(*message));
    }
}

#[test]
fn no_code_of_ours_behaves_otherwise_under_fuzzing() {
    fn walk(folder: &Path, count: &mut usize) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, count);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let hidden =
                    ["(fuzzing", "fuzzing)", "debug_assertions"].map(|word| text.contains(word));
                assert_eq!(hidden, [false; 3], "{}", path.display());
                *count += 1;
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut count = 0;
    for folder in
        ["harness/src", "harness/contract/src", "oracle/src", "candidate/src", "fuzz/fuzz_targets"]
    {
        walk(&root.join(folder), &mut count);
    }
    assert!(count > 150, "{count}");
}

#[test]
fn generated_inputs_are_named_by_their_content_and_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let generate = |name: &str| {
        let out = folder.path().join(name);
        q7diff()
            .args(["generate", "--format", "fuzz", "--target", "bundle_text", "--out"])
            .arg(&out)
            .assert()
            .code(0);
        let files = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = files.map(|path| std::fs::read(path).unwrap()).collect();
        files.sort();
        files
    };
    assert_eq!(generate("a"), generate("b"));
    let dictionary = std::fs::read_to_string(folder.path().join("a.dict")).unwrap();
    for mnemonic in contract::isa::Mnemonic::all() {
        assert!(dictionary.contains(&format!("\"{}\"\n", mnemonic.name())));
    }
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/dictionaries");
    let committed = std::fs::read_to_string(committed.join("bundle_text.dict")).unwrap();
    assert!(committed == dictionary, "write it again: q7diff generate --format fuzz");
}
