//! Shards and their merging.

use super::*;
use predicates::prelude::*;

#[test]
fn merged_shards_are_the_report_of_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let faults = ["op1-before-op0", "int32-cache-reduce", "sel-index-5-bits"];
    for fault in std::iter::once(None).chain(faults.into_iter().map(Some)) {
        let code = i32::from(fault.is_some());
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
