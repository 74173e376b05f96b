//! What people read, as snapshots, on a case made by hand.

use super::text::{CaseReport, case_report};
use super::{files, table};
use crate::compare::{Comparator, Comparison};
use crate::differ::Differ;
use crate::models::{self, factory};
use crate::report::options::{ProfileRecord, RunOptions};
use crate::report::summary::{
    ComparedRecord, Coverage, GoldenRecord, IgnoredRecord, OpRow, Summary,
};
use crate::triage::triage;
use contract::case::Case;
use contract::json::read_case;
use contract::model::{Model, ModelError};
use contract::outcome::Outcome;

/// Two steps: 0xE6 on FP32 stored as BFLOAT16, then a copy of it with an unchecked byte.
fn case() -> Case {
    read_case(concat!(
        r#"{"version":1,"kind":"tensor","id":"t","generation":"mariana","profile":{},"memory":[{"#,
        r#""space":"sbuf","partition":0,"partitions":1,"offset":0,"stride":24,"data":""#,
        "0000803f000000400000404000008040",
        "0000000000000000",
        r#""}],"registers":{},"program":[""#,
        "e6100000000000000000000003000000",
        "00000000010001000100040001000100",
        "0a060100060400000000004000000000",
        "10000000010001000100040001000100",
        r#"",""#,
        "e6100000000000000000000002000000",
        "00000000010001000100040001000100",
        "0a060100060401000000004000000000",
        "10000000010001000100040001000100",
        r#""]}"#
    ))
    .unwrap()
}

/// The oracle, with the third element of the first step and the verdict of the second wrong.
struct Wrong;

impl Model for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
        models::oracle().make().run_into(case, outcome)?;
        if let Outcome::Tensor(outcome) = outcome {
            outcome.state.regions[0].data[20] ^= 0x40;
            if let Some(step) = outcome.steps.get_mut(1) {
                step.verdict = contract::outcome::TensorVerdict::Accept;
            }
        }
        Ok(())
    }
}

#[test]
fn a_case_report_says_what_differs_and_where() {
    let wrong = || factory("wrong", || Box::new(Wrong));
    let mut differ = Differ::new(Comparator::default(), models::oracle(), wrong());
    let mut prefixes = Differ::new(Comparator::default(), models::oracle(), wrong());
    let case = case();
    let comparison: Comparison = differ.run(&case).unwrap().clone();
    let triage = triage(&case, &comparison, &mut prefixes);
    insta::assert_snapshot!(case_report(&CaseReport {
        case: &case,
        expected: differ.expected(),
        actual: differ.actual(),
        comparison: &comparison,
        triage: &triage,
        origin: &["case seed 0x0000000000000007 (case 3)".to_owned()],
    }));
}

fn summary() -> Summary {
    let row = |op: &str, random, value_mismatches, nothing_compared| OpRow {
        family: "tensor",
        op: op.to_owned(),
        directed: 60,
        random,
        value_mismatches,
        verdict_mismatches: 0,
        schedule_mismatches: 0,
        nothing_compared,
        known: false,
    };
    let mut ignored = crate::compare::Ignored::default();
    ignored.count(crate::compare::IgnoredReason::NanPayload, 1_234);
    Summary {
        version: 1,
        seed: 1,
        options: RunOptions {
            families: vec!["tensor"],
            ops: Vec::new(),
            cases: Some(200_000),
            time: None,
            generations: vec!["sunda"],
            near_valid: 0.35,
            naive: false,
            profile: ProfileRecord(Default::default()),
            presets: Vec::new(),
            candidate: "builtin".to_owned(),
            fault: None,
            fp_order: "exact",
            nan: "any",
            shard: "0/1".to_owned(),
            until_coverage: None,
            data: None,
            minimise: true,
        },
        cases: 200_000,
        compared: ComparedRecord { values: 12_345_678, verdicts: 444_000, postings: 0 },
        ignored: IgnoredRecord(ignored),
        families: vec![
            row("TensorCumulativeArithOp", 109_324, 0, false),
            row("TensorScalarCacheReduce", 111_939, 3, false),
            row("TensorScalarCacheCumulative", 0, 0, true),
        ],
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

#[test]
fn the_terminal_shows_agreement_per_op_and_totals() {
    let summary = summary();
    let text = table::agreement(&summary) + "\n" + &table::totals(&summary, &Default::default());
    insta::assert_snapshot!(text);
}

#[test]
fn a_summary_that_cannot_be_written_names_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("blocked");
    files::write_file(&blocked, b"").unwrap();
    let error = files::write_file(&blocked.join("summary.json"), b"{}").unwrap_err();
    assert!(error.to_string().contains("summary.json"));
}
