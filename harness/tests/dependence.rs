//! The one rule of dependence (external contract, part 1): the models know `contract` alone, never each
//! other and never the harness; `contract` knows nobody of ours.

use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

const OURS: [&str; 4] = ["contract", "oracle", "candidate", "harness"];

/// Packages of this workspace that a manifest names in any dependency table: normal, dev, build, and
/// those of a target.
fn ours_in(manifest: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(manifest);
    let text = std::fs::read_to_string(&path).unwrap();
    let manifest: Table = text.parse().unwrap();
    let mut found = BTreeSet::new();
    collect(&Value::Table(manifest), &mut found);
    found
}

/// Walks a manifest and collects what the dependency tables name, by key and by `package`.
fn collect(value: &Value, found: &mut BTreeSet<String>) {
    let Value::Table(table) = value else { return };
    for (key, value) in table {
        let dependencies = key == "dependencies"
            || key == "dev-dependencies"
            || key == "build-dependencies"
            || key == "workspace";
        if dependencies && let Value::Table(entries) = value {
            for (name, entry) in entries {
                let renamed = entry.get("package").and_then(Value::as_str);
                let path = entry.get("path").and_then(Value::as_str).unwrap_or_default();
                let by_path = OURS.iter().find(|ours| path.split('/').any(|part| part == **ours));
                let names = [Some(name.as_str()), renamed, by_path.copied()];
                found.extend(
                    names
                        .into_iter()
                        .flatten()
                        .filter(|name| OURS.contains(name))
                        .map(str::to_owned),
                );
            }
        }
        collect(value, found);
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn contract_depends_on_nothing_of_ours() {
    assert_eq!(ours_in("harness/contract/Cargo.toml"), set(&[]));
}

#[test]
fn each_model_depends_on_contract_alone() {
    assert_eq!(ours_in("oracle/Cargo.toml"), set(&["contract"]));
    assert_eq!(ours_in("candidate/Cargo.toml"), set(&["contract"]));
}

#[test]
fn the_harness_depends_on_all_three() {
    assert_eq!(ours_in("harness/Cargo.toml"), set(&["contract", "oracle", "candidate"]));
}

#[test]
fn a_forbidden_dependency_is_found_wherever_it_hides() {
    for text in [
        "[dependencies]\noracle = { workspace = true }",
        "[dev-dependencies]\noracle.workspace = true",
        "[target.'cfg(unix)'.dependencies]\nother = { package = \"oracle\", path = \"../x\" }",
        "[build-dependencies.reference]\npath = \"../oracle\"",
    ] {
        let mut found = BTreeSet::new();
        collect(&Value::Table(text.parse().unwrap()), &mut found);
        assert_eq!(found, set(&["oracle"]), "{text}");
    }
}
