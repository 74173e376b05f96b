//! What runs night after night: shards and their merging, known differences, regressions, nightly runs
//! that are interrupted and go on.
#![cfg(unix)]

mod interrupt;
mod known;
mod merge;
mod news;

use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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

/// A night of few cases into `<folder>/<name>`.
fn night(folder: &Path, name: &str, corpus: &Path, more: &[&str]) -> Command {
    let mut command = q7diff();
    command.args(["nightly", "--cases", "40", "--report"]).arg(folder.join(name));
    command.arg("--corpus").arg(corpus).args(more);
    command
}

/// Numbers of the chunks in a journal, in the order of its lines; a line without end is no line yet.
fn journalled(folder: &Path) -> Vec<u64> {
    let text = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line["chunk"]["chunk"].as_u64()).collect()
}
