//! Pages to look at, and a page as a tree.

use crate::campaign::Budget;
use crate::campaign::{CampaignResult, Plan, Shard, Tally, run};
use crate::compare::{Comparator, Comparison, Ignored};
use crate::family::Op;
use crate::faults;
use crate::generate;
use crate::golden::GoldenTally;
use crate::models;
use crate::report::Report;
use crate::report::html::divergence::{Evidence, Heading};
use crate::report::html::{Page, page_of};
use crate::report::options::{ProfileRecord, RunOptions};
use crate::report::summary::{
    ComparedRecord, Coverage, GoldenRecord, IgnoredRecord, OpRow, Summary, Timing,
};
use crate::triage::{Root, Signature, Triage};
use contract::case::Case;
use contract::isa::Generation;
use contract::outcome::Outcome;
use roxmltree::Document;
use std::sync::atomic::AtomicBool;

/// A page as XML: void elements closed, the document type taken away. The page writes every attribute
/// with a value, so nothing else stands between HTML and XML.
pub fn as_xml(page: &str) -> String {
    let mut xml = page.replacen("<!DOCTYPE html>", "", 1);
    for name in ["meta", "input", "br"] {
        let mut out = String::new();
        let tag = format!("<{name}");
        let mut parts = xml.split(tag.as_str());
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (attributes, after) = part.split_once('>').expect("a tag ends");
            out.push_str(&format!("<{name}{attributes}/>{after}"));
        }
        xml = out;
    }
    xml
}

/// The page as a tree; panics with the page if it is not well formed.
pub fn tree(xml: &str) -> Document<'_> {
    Document::parse(xml).unwrap_or_else(|error| panic!("{error}\n{xml}"))
}

/// All text of a tree below an element, blanks made single.
pub fn text_of(node: roxmltree::Node<'_, '_>) -> String {
    let style = |node: &roxmltree::Node<'_, '_>| {
        node.ancestors().any(|it| it.has_tag_name("style") || it.has_tag_name("svg"))
    };
    let pieces: Vec<&str> = node
        .descendants()
        .filter(|node| node.is_text() && !style(node))
        .filter_map(|node| node.text())
        .collect();
    pieces.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Options of a run with nothing special.
pub fn options() -> RunOptions {
    RunOptions {
        families: vec!["tensor"],
        ops: Vec::new(),
        cases: Some(1_000),
        time: None,
        generations: Generation::ALL.iter().map(|generation| generation.name()).collect(),
        near_valid: generate::Options::default().near_valid,
        naive: false,
        profile: ProfileRecord(Default::default()),
        presets: Vec::new(),
        candidate: "builtin".to_owned(),
        fault: None,
        fp_order: "exact",
        nan: "exact",
        shard: "0/1".to_owned(),
        until_coverage: None,
        data: None,
        minimise: true,
    }
}

/// A row of the agreement table.
pub fn row(family: &'static str, op: &str, value_mismatches: u64, nothing_compared: bool) -> OpRow {
    OpRow {
        family,
        op: op.to_owned(),
        directed: 10,
        random: if nothing_compared { 0 } else { 1_234 },
        value_mismatches,
        verdict_mismatches: 0,
        schedule_mismatches: 0,
        nothing_compared,
        known: false,
    }
}

/// A summary of these rows, in which nothing differs.
pub fn summary(families: Vec<OpRow>) -> Summary {
    Summary {
        version: 1,
        seed: 5,
        options: options(),
        cases: 1_000,
        compared: ComparedRecord { values: 98_765, verdicts: 2_000, postings: 0 },
        ignored: IgnoredRecord(Ignored::default()),
        families,
        products: Vec::new(),
        divergences: Vec::new(),
        coverage: Coverage {
            bins: 220,
            hit: 219,
            holes: vec!["CR-ACC alone on sunda".to_owned()],
            groups: Vec::new(),
        },
        clauses: Vec::new(),
        golden: GoldenRecord { checked: 1_581, failed: 0 },
        interrupted: false,
        failures: Vec::new(),
        known: Vec::new(),
    }
}

/// A page around a summary, with counts in which nothing differs.
pub fn page_around<'a>(
    summary: &'a Summary,
    tally: &'a Tally,
    golden: &'a GoldenTally,
) -> Page<'a> {
    Page {
        summary,
        tally,
        golden,
        skipped: &[],
        enabled: &[],
        generations: Generation::ALL,
        shown: Vec::new(),
        silent: Vec::new(),
        command: "q7diff run --seed 5 --cases 1000".to_owned(),
        news: None,
    }
}

/// A tally that saw cases of the tensor family.
pub fn quiet_tally() -> Tally {
    let mut tally = Tally { cases: 1_000, ..Tally::default() };
    tally.family_cases.insert(crate::family::Family::Tensor, 1_000);
    tally
}

/// The part of the page about a case on which the candidate's outcome is the reference's, changed.
pub fn article(case: &Case, change: impl FnOnce(&mut Outcome)) -> String {
    let mut expected = Outcome::Tensor(Box::default());
    models::oracle().make().run_into(case, &mut expected).expect("the oracle answers");
    let mut actual = expected.clone();
    change(&mut actual);
    let mut comparison = Comparison::default();
    Comparator::default().compare(case, &expected, &actual, &mut comparison);
    // The changed outcomes come from no model, so every difference is laid at the last step's door.
    let roots: Vec<Root> = comparison
        .divergences
        .iter()
        .map(|divergence| {
            let mut divergence = divergence.clone();
            divergence.step = divergence.step.or(Some(crate::family::program_length(case) - 1));
            Root { signature: Signature::of(case, &divergence), step: divergence.step, divergence }
        })
        .collect();
    let triage = Triage { steps: [None; 3], roots };
    let signature = triage.roots.first().expect("something differs").signature.clone();
    let heading = Heading {
        count: 3,
        bucket: signature.bucket(),
        origin: "case seed 0x0000000000000007 (case 3)".to_owned(),
        command: "q7diff replay 'counterexamples/x/case.json'".to_owned(),
        files: vec![("case.json".to_owned(), "counterexamples/x/case.json".to_owned())],
        known: false,
        minimised: None,
        generalisation: None,
    };
    let evidence = Evidence {
        number: 1,
        signature: &signature,
        case,
        expected: &expected,
        actual: &actual,
        comparison: &comparison,
        triage: &triage,
    };
    evidence.markup(&heading).into_string()
}

/// A campaign over a planted fault.
pub fn plan(fault: &str, cases: u64, jobs: usize) -> Plan {
    Plan {
        seed: 11,
        budget: Budget { cases: Some(cases), time: None },
        shard: Shard::WHOLE,
        jobs,
        comparator: Comparator::default(),
        reference: models::oracle(),
        candidate: faults::candidate_with(faults::by_name(fault).expect("a planted fault")),
        families: vec![generate::Family::Tensor],
        options: generate::Options::default(),
        directed: Vec::new(),
        products: Vec::new(),
        until: None,
    }
}

/// Result of a plan.
pub fn run_plan(plan: &Plan) -> CampaignResult {
    run(plan, &AtomicBool::new(false), |_, _| {})
}

/// The page of a result as `run` writes it.
pub fn whole_page(plan: &Plan, result: &CampaignResult) -> String {
    let enabled = Op::enabled(crate::family::Family::Tensor);
    let summary = Summary::of(result, plan.seed, options(), &enabled, Generation::ALL);
    let report = Report {
        plan,
        result,
        counted: result,
        summary: &summary,
        timing: Timing::of(result, plan.jobs),
        enabled: &enabled,
        generations: Generation::ALL,
        skipped: &[],
    };
    page_of(&report)
}
