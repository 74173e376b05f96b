//! Whole pages: the verdict in words, groups of ops, links, structure.

use super::support::{
    as_xml, options, page_around, plan, quiet_tally, row, run_plan, summary, text_of, tree,
    whole_page,
};
use crate::campaign::{FailedCase, Origin, Tally};
use crate::compare::IgnoredReason;
use crate::family::{Family, Op};
use crate::generate::CaseSeed;
use crate::golden::{GoldenTally, GroupTally, Missed, Skipped};
use crate::minimise::Size;
use crate::models::ModelFailure;
use crate::report::html::page;
use crate::report::html::verdict::{Tone, Verdict};
use crate::report::known::KnownRow;
use crate::report::summary::{DivergenceRow, FailureRow};
use crate::shrink::Minimal;
use contract::isa::Mnemonic;
use roxmltree::Node;
use std::collections::BTreeSet;

fn verdict(change: impl FnOnce(&mut crate::report::summary::Summary, &mut Tally)) -> Verdict {
    let mut summary = summary(vec![row("tensor", "TensorScalarCacheReduce", 0, false)]);
    let mut tally = quiet_tally();
    change(&mut summary, &mut tally);
    Verdict::of(&page_around(&summary, &tally, &GoldenTally::default()))
}

#[test]
fn the_verdict_says_how_the_run_ended() {
    let agrees = verdict(|_, _| {});
    assert_eq!(agrees.tone, Tone::Good);
    assert_eq!(agrees.title, "The models agree");

    let differs = verdict(|_, tally| tally.diverging_cases = 1_234);
    assert_eq!(differs.tone, Tone::Bad);
    assert_eq!(differs.title, "1,234 cases differ in 0 buckets");

    let interrupted = verdict(|summary, _| summary.interrupted = true);
    assert_eq!((interrupted.tone, interrupted.title.as_str()), (Tone::Warn, "Interrupted"));

    let failed = verdict(|summary, tally| {
        summary.interrupted = true;
        tally.failure_count = 1;
    });
    assert_eq!(failed.tone, Tone::Bad);
    assert_eq!(failed.title, "Interrupted; a model failed");
    assert_eq!(failed.findings[1], "A model gave no outcome on 1 case.");

    let mut summary = self::summary(Vec::new());
    summary.golden.failed = 2;
    let mut golden = GoldenTally::default();
    golden.groups.insert("a.json".to_owned(), GroupTally { checked: 9, failed: 2, compared: 0 });
    let missed = Verdict::of(&page_around(&summary, &quiet_tally(), &golden));
    assert_eq!((missed.tone, missed.title.as_str()), (Tone::Bad, "2 golden vectors missed"));

    let summary = self::summary(Vec::new());
    let (tally, golden) = (quiet_tally(), GoldenTally::default());
    let mut around = page_around(&summary, &tally, &golden);
    around.silent = (0..9).map(|number| format!("op number {number} compared no value")).collect();
    let silent = Verdict::of(&around);
    assert_eq!(silent.tone, Tone::Bad);
    assert_eq!(silent.title, "Something was not compared");
    assert_eq!(silent.findings[0], "Op number 0 compared no value.");
    assert_eq!(silent.findings[6], "3 more compared nothing; the table marks them.");

    let outside = verdict(|_, tally| tally.ignored.count(IgnoredReason::OutsideCase, 1));
    assert_eq!((outside.tone, outside.title.as_str()), (Tone::Bad, "Bad cases"));
}

#[test]
fn a_run_whose_buckets_are_all_known_is_no_failure() {
    let result = run_plan(&plan("negated-unchecked", 6_000, 1));
    let mut summary = summary(Vec::new());
    let golden = GoldenTally::default();
    let buckets: Vec<String> =
        result.tally.buckets.keys().map(|signature| signature.bucket()).collect();
    assert!(!buckets.is_empty());
    summary.divergences = buckets
        .iter()
        .map(|bucket| DivergenceRow {
            bucket: bucket.clone(),
            count: 1,
            aspect: "verdict",
            case: String::new(),
            case_seed: None,
        })
        .collect();
    let of = |summary: &crate::report::summary::Summary| {
        Verdict::of(&page_around(summary, &result.tally, &golden))
    };
    assert_eq!(of(&summary).tone, Tone::Bad);
    summary.known = buckets
        .into_iter()
        .map(|bucket| KnownRow {
            bucket,
            count: 1,
            line: 12,
            pattern: "*".to_owned(),
            reason: "agreed <with> the owner".to_owned(),
            owner: "somebody".to_owned(),
            expires: "2031-01-31".to_owned(),
        })
        .collect();
    let verdict = of(&summary);
    assert_eq!(verdict.tone, Tone::Warn);
    assert!(verdict.findings[0].contains("known and accepted"), "{verdict:?}");
    let text = page(&page_around(&summary, &result.tally, &golden));
    assert!(text.contains("agreed &lt;with&gt; the owner"));
}

#[test]
fn hundreds_of_agreeing_ops_fold_into_groups_and_the_others_stand_first() {
    let mut rows: Vec<_> = Mnemonic::all().map(|op| row("vector", op.name(), 0, false)).collect();
    rows[300].value_mismatches = 7;
    rows[500].nothing_compared = true;
    let (differing, silent) = (rows[300].op.clone(), rows[500].op.clone());
    let count = rows.len();
    let summary = summary(rows);
    let (tally, golden) = (quiet_tally(), GoldenTally::default());
    let xml = as_xml(&page(&page_around(&summary, &tally, &golden)));
    let document = tree(&xml);
    let folded = |node: &Node<'_, '_>| {
        node.ancestors().any(|it| it.has_tag_name("details") && it.attribute("open").is_none())
    };
    let rows: Vec<(String, bool)> = document
        .descendants()
        .filter(|node| node.has_tag_name("tr"))
        .filter(|node| {
            node.ancestors().any(|it| {
                it.attribute("class").is_some_and(|it| it.split(' ').any(|it| it == "family"))
            })
        })
        .filter_map(|node| {
            let name = node.children().find(|it| it.attribute("scope") == Some("row"))?;
            Some((text_of(name), folded(&node)))
        })
        .collect();
    assert_eq!(rows.len(), count);
    assert_eq!(rows[0], (differing, false));
    assert_eq!(rows[1], (silent, false));
    assert!(rows[2..].iter().all(|(_, folded)| *folded));
    let headline = format!("{} of {} vector ops agree", count - 2, "1,018");
    assert_eq!(count, 1_018);
    assert!(text_of(document.root()).contains(&headline.replace("1016", "1,016")));
    // Groups are sections of the specification; none is left over.
    assert!(text_of(document.root()).contains("Sum, extremum (spec 04, 8.1)"));
    assert!(!text_of(document.root()).contains("Other ops"));
}

#[test]
fn words_of_a_model_are_text_and_never_markup() {
    let hostile = "</style><script>alert(1)</script>\u{1b}[2J\u{202e}&amp;\"'";
    let mut summary = summary(vec![row("tensor", "<b>op</b>", 0, false)]);
    let mut tally = quiet_tally();
    let seed = CaseSeed::of(5, 3);
    tally.failure_count = 1;
    tally.failures.push(FailedCase {
        origin: Origin::Generated { index: 3, seed },
        family: Family::Tensor,
        failure: ModelFailure { model: hostile.to_owned(), message: hostile.to_owned() },
    });
    summary.failures.push(FailureRow {
        model: hostile.to_owned(),
        message: hostile.to_owned(),
        case: None,
        case_seed: Some(seed.to_string()),
    });
    summary.options.candidate = hostile.to_owned();
    let mut golden = GoldenTally::default();
    golden.groups.insert(hostile.to_owned(), GroupTally { checked: 1, failed: 1, compared: 0 });
    golden.missed.push(Missed {
        group: hostile.to_owned(),
        name: hostile.to_owned(),
        model: hostile.to_owned(),
        what: hostile.to_owned(),
    });
    let skipped = [Skipped { group: hostile.to_owned(), reason: hostile.to_owned(), count: 1 }];
    let mut around = page_around(&summary, &tally, &golden);
    around.skipped = &skipped;
    let text = page(&around);
    assert!(!text.contains("<script"));
    assert!(!text.contains("<b>"));
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    let xml = as_xml(&text);
    let shown = text_of(tree(&xml).root());
    assert!(shown.contains("</style><script>alert(1)</script>"), "{shown}");
}

/// Checks that hold for every page.
fn check(text: &str) {
    for foreign in
        ["http", "<script", "@import", "url(h", " src=\"", "onload", "onclick", "javascript"]
    {
        assert!(!text.contains(foreign), "{foreign}");
    }
    let xml = as_xml(text);
    let document = tree(&xml);
    let mut ids = BTreeSet::new();
    for id in document.descendants().filter_map(|node| node.attribute("id")) {
        assert!(ids.insert(id), "{id} is there twice");
    }
    let mut level = 0;
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        if let Some(href) = node.attribute("href") {
            let file =
                ["counterexamples/", "summary.json", "report.txt", "junit.xml", "timing.json"];
            match href.strip_prefix('#') {
                Some(target) => assert!(ids.contains(target), "{href}"),
                None => assert!(file.iter().any(|start| href.starts_with(start)), "{href}"),
            }
        }
        for (attribute, named) in [("aria-labelledby", node.attribute("aria-labelledby"))] {
            if let Some(named) = named {
                assert!(ids.contains(named), "{attribute} {named}");
            }
        }
        if let [b'h', digit @ b'1'..=b'6'] = name.as_bytes() {
            let next = digit - b'0';
            assert!(next <= level + 1, "h{next} after h{level}: {}", text_of(node));
            level = next;
        }
        if name == "table" && !node.ancestors().any(|it| it.has_tag_name("blockquote")) {
            assert!(node.children().any(|it| it.has_tag_name("caption")), "a table has a caption");
        }
        if name == "th" {
            assert!(node.attribute("scope").is_some(), "a head says what it heads");
        }
    }
    for reference in text.split("url(#").skip(1) {
        let target = reference.split(')').next().expect("split gives one piece");
        assert!(ids.contains(target), "{target}");
    }
}

#[test]
fn every_page_stands_alone_and_is_well_formed() {
    for fault in ["op1-before-op0", "negated-unchecked", "fp8-tie-up"] {
        let plan = plan(fault, 700, 2);
        let result = run_plan(&plan);
        let text = whole_page(&plan, &result);
        check(&text);
        let xml = as_xml(&text);
        let document = tree(&xml);
        let articles = document.descendants().filter(|node| node.has_tag_name("article"));
        assert_eq!(articles.count(), result.tally.buckets.len(), "{fault}");
    }
    let quiet = summary(vec![row("tensor", "TensorScalarCacheReduce", 0, false)]);
    let (tally, golden) = (quiet_tally(), GoldenTally::default());
    check(&page(&page_around(&quiet, &tally, &golden)));
}

#[test]
fn a_page_is_the_same_at_any_number_of_threads() {
    let page = |jobs| {
        let plan = plan("op1-before-op0", 600, jobs);
        whole_page(&plan, &run_plan(&plan))
    };
    let one = page(1);
    assert!(one.contains("bucket-2"));
    assert!(one == page(3));
}

#[test]
fn the_news_of_a_night_stand_under_its_verdict() {
    let summary = summary(Vec::new());
    let (tally, golden) = (quiet_tally(), GoldenTally::default());
    let mut around = page_around(&summary, &tally, &golden);
    assert!(page(&around).contains("holds no times"));
    around.news = Some("new: value-<x>-memory\n");
    let text = page(&around);
    check(&text);
    assert!(text.contains("Since the night before"));
    assert!(text.contains("new: value-&lt;x&gt;-memory"));
    assert!(!text.contains("holds no times"));
}

#[test]
fn buckets_beyond_the_longest_page_are_listed_with_their_files() {
    let mut summary = summary(Vec::new());
    summary.divergences = (0..3)
        .map(|number| DivergenceRow {
            bucket: format!("value-op{number}-memory"),
            count: 1,
            aspect: "value",
            case: format!("counterexamples/value-op{number}-memory/case.json"),
            case_seed: None,
        })
        .collect();
    let (tally, golden) = (quiet_tally(), GoldenTally::default());
    let text = page(&page_around(&summary, &tally, &golden));
    assert!(text.contains("href=\"counterexamples/value-op2-memory/report.txt\""));
}

#[test]
fn a_minimised_case_is_shown_in_place_of_the_one_that_was_found() {
    let plan = plan("negated-unchecked", 6_000, 1);
    let mut result = run_plan(&plan);
    let without = whole_page(&plan, &result);
    assert!(!without.contains("minimised.json"));
    let (signature, bucket) = result.tally.buckets.iter_mut().next().expect("a bucket");
    let mut case = bucket.best.case.clone();
    if let contract::case::Case::Tensor(case) = &mut case {
        case.id = "the-small-one".to_owned();
    }
    bucket.minimal = Some(Box::new(Minimal {
        before: Size::of(&case),
        case,
        signature: signature.clone(),
        evaluations: 321,
        one_minimal: true,
        interrupted: false,
        generalisation: "any op1 <but> Max".to_owned(),
        ties: Default::default(),
        needs: Default::default(),
    }));
    let folder = crate::report::summary::bucket_folder(&signature.bucket());
    let with = whole_page(&plan, &result);
    check(&with);
    assert!(with.contains(&format!("href=\"{folder}/minimised.json\"")));
    assert!(with.contains(&format!("q7diff replay '{folder}/minimised.json'")));
    assert!(with.contains("in 321 evaluations, 1-minimal"));
    assert!(with.contains("any op1 &lt;but&gt; Max"));
    assert!(with.contains("the-small-one"));
}

#[test]
fn clauses_quote_their_condition_and_mark_holes() {
    let summary = summary(Vec::new());
    let mut tally = quiet_tally();
    let clause = contract::isa::ClauseId::CrAcc;
    tally.clauses.get_mut(clause, contract::isa::Generation::Cayman).isolated = 17;
    let golden = GoldenTally::default();
    let mut around = page_around(&summary, &tally, &golden);
    let enabled = Op::enabled(Family::Tensor);
    around.enabled = &enabled;
    let xml = as_xml(&page(&around));
    let document = tree(&xml);
    let row = document
        .descendants()
        .filter(|node| node.has_tag_name("tr"))
        .find(|node| text_of(*node).starts_with("CR-ACC "))
        .expect("a row of the clause");
    assert!(text_of(row).starts_with("CR-ACC ● hole: 0 / 0 17 / 0 0 / 0"), "{}", text_of(row));
    assert!(text_of(row).ends_with("accumulator_cmd ∈ {2, 3, 4}"), "{}", text_of(row));
}

#[test]
fn the_command_of_a_run_names_whatever_it_depends_on() {
    let mut options = options();
    options.families.push("vector");
    assert_eq!(options.command(5, 1_000, false), "q7diff run --seed 5 --cases 1000");
    options.shard = "1/3".to_owned();
    options.fault = Some("fp8-tie-up".to_owned());
    options.generations = vec!["sunda"];
    options.ops = vec!["0x9a".to_owned()];
    assert_eq!(
        options.command(5, 334, false),
        "q7diff run --seed 5 --cases 1000 --op '0x9a' --generation sunda --shard 1/3 --fault \
         fp8-tie-up"
    );
    // A run that was stopped, or that had a time, is named by the cases that it got to.
    assert!(options.command(5, 100, true).contains("--cases 300 "));
    options.cases = None;
    options.time = Some(60.0);
    assert!(options.command(5, 100, false).contains("--cases 300 "));
}

/// The committed sample, made with a planted fault.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../reports/sample");

#[test]
fn the_committed_sample_is_whole_small_and_stands_alone() {
    let read = |name: &str| std::fs::read_to_string(format!("{SAMPLE}/{name}")).unwrap();
    let summary: crate::report::summary::Summary =
        serde_json::from_str(&read("summary.json")).unwrap();
    assert!(summary.options.fault.is_some());
    assert!(!summary.divergences.is_empty());
    let page = read("index.html");
    check(&page);
    let xml = as_xml(&page);
    let document = tree(&xml);
    // Every file that the page names is there.
    for href in document.descendants().filter_map(|node| node.attribute("href")) {
        if !href.starts_with('#') {
            assert!(std::path::Path::new(SAMPLE).join(href).is_file(), "{href}");
        }
    }
    let articles = document.descendants().filter(|node| node.has_tag_name("article"));
    assert_eq!(articles.count(), summary.divergences.len());
    for row in &summary.divergences {
        let case = contract::json::read_case(&read(&row.case)).unwrap();
        assert_eq!(crate::family::program_length(&case), 1, "{}", row.bucket);
    }
    let mut folders = vec![std::path::PathBuf::from(SAMPLE)];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => bytes += entry.metadata().unwrap().len(),
            }
        }
    }
    assert!(bytes < 300_000, "{bytes}");
}
