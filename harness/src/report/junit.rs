//! `junit.xml`: the result for continuous integration. One suite per family with a test case per op, one
//! of golden files, one of regressions, one of known differences. Accepted differences are *skipped* test
//! cases with their reason; whatever makes the exit code say "news" or "divergence" is a failed one.
//! There are no times in it, so that it depends on seed and options like the summary.

use super::known::row_of;
use super::summary::{OpRow, Summary, bucket_folder};
use crate::campaign::Tally;
use crate::family::Family;
use crate::golden::{GoldenTally, REGRESSIONS, Regression, Skipped};
use crate::triage::Signature;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::path::Path;

/// What the file is made of.
pub struct Junit<'a> {
    /// Name of the run: `run` or `nightly`.
    pub name: &'a str,
    /// The summary.
    pub summary: &'a Summary,
    /// Counts and buckets behind it.
    pub tally: &'a Tally,
    /// Golden vectors and regressions.
    pub golden: &'a GoldenTally,
    /// Golden vectors that could not be checked.
    pub skipped: &'a [Skipped],
    /// Entries of the list of known differences that fail the run, with what is wrong with each.
    pub stale: &'a [String],
}

impl Junit<'_> {
    /// The document.
    pub fn text(&self) -> String {
        let mut report = Report::new(format!("q7diff {}", self.name));
        for family in Family::ALL {
            let mut suite = TestSuite::new(family.name());
            let rows = self.summary.families.iter().enumerate();
            for (number, row) in rows.filter(|(_, row)| row.family == family.name()) {
                suite.add_test_case(self.op_case(number, row));
            }
            if !suite.test_cases.is_empty() {
                report.add_test_suite(suite);
            }
        }
        report.add_test_suites([self.golden_suite(), self.regression_suite()]);
        let known = self.known_suite();
        if !known.test_cases.is_empty() {
            report.add_test_suite(known);
        }
        if let Some(suite) = self.other_suite() {
            report.add_test_suite(suite);
        }
        // Names and messages are cleaned by the library; writing to memory cannot fail.
        report.to_string().unwrap_or_default()
    }

    fn op_case(&self, number: usize, row: &OpRow) -> TestCase {
        let own: Vec<&Signature> = self
            .tally
            .buckets
            .keys()
            .filter(|signature| {
                let mut ops = signature.op.split('+');
                ops.any(|op| row_of(&self.summary.families, op) == Some(number))
            })
            .collect();
        let status = if row.known {
            let lines = own.iter().filter_map(|signature| {
                let bucket = signature.bucket();
                let row = self.summary.known.iter().find(|row| row.bucket == bucket)?;
                Some(format!("{bucket}: {} ({}, until {})", row.reason, row.owner, row.expires))
            });
            skipped(&format!("known: {}", lines.collect::<Vec<_>>().join("; ")))
        } else if row.differs() {
            let message = format!(
                "{} value, {} verdict and {} schedule mismatches",
                row.value_mismatches, row.verdict_mismatches, row.schedule_mismatches
            );
            let mut lines: Vec<String> = own.iter().map(|found| self.bucket_line(found)).collect();
            if lines.is_empty() {
                lines.push("follows from the divergence of another op".to_owned());
            }
            failed("divergence", &message, &lines.join("\n"))
        } else if row.nothing_compared {
            failed("nothing-compared", "no step was executed", "")
        } else {
            TestCaseStatus::success()
        };
        let mut case = TestCase::new(row.op.as_str(), status);
        case.set_classname(format!("q7diff.{}", row.family));
        case.set_assertions(usize::try_from(row.directed + row.random).unwrap_or(usize::MAX));
        case
    }

    fn bucket_line(&self, signature: &Signature) -> String {
        let bucket = signature.bucket();
        let count = self.tally.buckets.get(signature).map_or(0, |found| found.count);
        let known = if self.summary.is_known(&bucket) { ", known" } else { "" };
        format!("{bucket}: {count} cases{known}; {}/report.txt", bucket_folder(&bucket))
    }

    fn golden_suite(&self) -> TestSuite {
        let mut suite = TestSuite::new("golden vectors");
        for (name, group) in self.golden.groups.iter().filter(|(name, _)| *name != REGRESSIONS) {
            let excused = self.golden.excused_of(name, |bucket| self.summary.is_known(bucket));
            let message = format!("{} of {} vectors missed", group.failed, group.checked);
            let status = if group.failed > excused {
                let missed = self.golden.missed.iter().filter(|missed| missed.group == *name);
                let lines: Vec<String> = missed
                    .map(|missed| format!("{}: {}: {}", missed.model, missed.name, missed.what))
                    .collect();
                failed("golden-missed", &message, &lines.join("\n"))
            } else if group.failed > 0 {
                skipped(&format!("{message}, all by known differences"))
            } else {
                TestCaseStatus::success()
            };
            suite.add_test_case(case("q7diff.golden", name, status));
        }
        let mut groups: Vec<&str> = self.skipped.iter().map(|row| row.group.as_str()).collect();
        groups.dedup();
        for group in groups {
            let rows = self.skipped.iter().filter(|row| row.group == group);
            let reasons: Vec<String> =
                rows.map(|row| format!("{} × {}", row.count, row.reason)).collect();
            let name = format!("{group}: not checked yet");
            suite.add_test_case(case("q7diff.golden", &name, skipped(&reasons.join(", "))));
        }
        suite
    }

    fn regression_suite(&self) -> TestSuite {
        let mut suite = TestSuite::new("regressions");
        for regression in &self.golden.regressions {
            let status = if !regression.answered {
                failed("model-failed", "a model gave no outcome", "")
            } else if regression.buckets.is_empty() {
                TestCaseStatus::success()
            } else if regression.misses(self.summary) {
                failed("divergence", "the models differ again", &regression.buckets.join("\n"))
            } else {
                skipped(&format!("known: {}", regression.buckets.join(", ")))
            };
            suite.add_test_case(case("q7diff.regressions", &short(&regression.name), status));
        }
        suite
    }

    fn known_suite(&self) -> TestSuite {
        let mut suite = TestSuite::new("known differences");
        for row in &self.summary.known {
            let message = format!(
                "{} cases: {} ({}, until {})",
                row.count, row.reason, row.owner, row.expires
            );
            let name = format!("line {}: {}", row.line, row.bucket);
            suite.add_test_case(case("q7diff.known", &name, skipped(&message)));
        }
        for what in self.stale {
            suite.add_test_case(case("q7diff.known", what, failed("stale", what, "")));
        }
        suite
    }

    /// Failed models and divergences beyond the kept buckets belong to no op.
    fn other_suite(&self) -> Option<TestSuite> {
        let mut suite = TestSuite::new("run");
        if self.tally.failure_count > 0 {
            let lines: Vec<String> = self
                .summary
                .failures
                .iter()
                .map(|row| {
                    let case = row.case.as_ref().or(row.case_seed.as_ref());
                    format!(
                        "{} on {}: {}",
                        row.model,
                        case.map_or("?", String::as_str),
                        row.message
                    )
                })
                .collect();
            let message = format!("a model failed on {} cases", self.tally.failure_count);
            let status = TestCaseStatus::non_success(NonSuccessKind::Error);
            let status = described(status, "model-failed", &message, &lines.join("\n"));
            suite.add_test_case(case("q7diff.run", "every model answers", status));
        }
        if self.tally.unbucketed > 0 {
            let message = format!("{} divergences beyond the kept buckets", self.tally.unbucketed);
            let status = failed("divergence", &message, "");
            suite.add_test_case(case("q7diff.run", "every divergence has a bucket", status));
        }
        (!suite.test_cases.is_empty()).then_some(suite)
    }
}

impl Regression {
    /// True if the models differ in something that is not accepted, or one gave no outcome.
    pub fn misses(&self, summary: &Summary) -> bool {
        !self.answered || self.buckets.iter().any(|bucket| !summary.is_known(bucket))
    }
}

/// The file's name and the case's id, without the folders above.
fn short(name: &str) -> String {
    let (file, id) = name.split_once(".json").unwrap_or((name, ""));
    let file = Path::new(file).file_name().map(|file| file.to_string_lossy().into_owned());
    format!("{}{id}", file.unwrap_or_default())
}

fn case(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

fn failed(kind: &str, message: &str, description: &str) -> TestCaseStatus {
    described(TestCaseStatus::non_success(NonSuccessKind::Failure), kind, message, description)
}

fn described(
    mut status: TestCaseStatus,
    kind: &str,
    message: &str,
    description: &str,
) -> TestCaseStatus {
    status.set_type(kind).set_message(message);
    if !description.is_empty() {
        status.set_description(description);
    }
    status
}
