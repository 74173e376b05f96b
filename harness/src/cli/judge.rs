//! Exit code of a run, and what there is to say about it.

use super::failure::{AGREE, BAD_INPUT, DIVERGENCE, INTERRUPTED, MODEL_FAILED};
use crate::campaign::CampaignResult;
use crate::compare::IgnoredReason;
use crate::family::Family;
use crate::report::summary::Summary;
use crate::report::{origin_text, table};

/// The exit code of a result, and one sentence for each thing that made it. Divergences whose buckets
/// are all known are said, and change no code.
pub(super) fn judge(
    summary: &Summary,
    result: &CampaignResult,
    families: &[Family],
) -> (u8, Vec<String>) {
    let tally = &result.tally;
    let mut code = AGREE;
    let mut findings = Vec::new();
    let outside = tally.ignored.of(IgnoredReason::OutsideCase);
    if outside > 0 {
        let first = tally.outside.first().map(origin_text).unwrap_or_default();
        findings.push(format!(
            "{outside} cases write outside their memory, in both models; the first is {first}"
        ));
        code = BAD_INPUT;
    }
    if tally.diverging_cases > 0 {
        let known = match summary.known.len() {
            0 => String::new(),
            known => format!(", {known} of them known"),
        };
        findings.push(format!(
            "{} cases differ, in {} buckets{known}",
            table::grouped(tally.diverging_cases),
            tally.buckets.len()
        ));
        let unknown = summary.unknown().next().is_some();
        if unknown || tally.buckets.is_empty() || tally.unbucketed > 0 {
            code = DIVERGENCE;
        }
    }
    if summary.golden.failed > 0 {
        let unexcused = result.golden.unexcused(|bucket| summary.is_known(bucket));
        findings.push(match summary.golden.failed - unexcused {
            0 => format!("{unexcused} golden vectors were missed"),
            known => format!(
                "{} golden vectors were missed, {known} of them by known differences",
                summary.golden.failed
            ),
        });
        if unexcused > 0 {
            code = DIVERGENCE;
        }
    }
    if !result.interrupted {
        let silent = summary.compared_nothing(result, families);
        if !silent.is_empty() {
            code = DIVERGENCE;
        }
        findings.extend(silent);
    }
    if result.reached == Some(false) && !result.interrupted {
        let coverage = &summary.coverage;
        findings.push(format!(
            "the coverage was not reached: {} of {} bins are hit; report.txt lists the holes",
            table::grouped(coverage.hit),
            table::grouped(coverage.bins)
        ));
        code = code.max(DIVERGENCE);
    }
    if tally.failure_count > 0 {
        findings.push(format!("a model failed on {} cases", tally.failure_count));
        code = MODEL_FAILED;
    }
    if result.interrupted {
        findings.push("interrupted; the report covers what ran".to_owned());
        code = INTERRUPTED;
    }
    (code, findings)
}
