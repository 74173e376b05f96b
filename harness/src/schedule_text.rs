//! Text form of schedules (spec 05 section 9.2): bundle lines, op lines with postings, stall causes,
//! total cycles.

use contract::schedule::{BundleTiming, BundleVerdict, Cause, OpTiming, Posting, Schedule};
use std::fmt::Write as _;

/// The lines of a whole schedule.
pub fn lines(schedule: &Schedule) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, bundle) in schedule.bundles.iter().enumerate() {
        let issue = match bundle.issue {
            Some(_) => format!(" {}", issue_text(bundle)),
            None => String::new(),
        };
        lines.push(format!("B{number} {}{issue}", verdict_text(bundle)));
        for op in schedule.ops_of(bundle) {
            lines.push(format!("  {}", postings_text(op, schedule.postings_of(op))));
        }
        lines.extend(
            schedule.causes_of(bundle).iter().map(|cause| format!("  {}", cause_text(cause))),
        );
    }
    lines.push(format!("= {}", schedule.cycles));
    lines
}

/// `F0 ok`, `F0 illegal:DUP_DEF`, `F0 fault:BadAccess`.
pub fn verdict_text(bundle: &BundleTiming) -> String {
    let format = bundle.format.text();
    match &bundle.verdict {
        BundleVerdict::Ok => format!("{format} ok"),
        BundleVerdict::Illegal(reason) => format!("{format} illegal:{reason}"),
        BundleVerdict::Fault(reason) => format!("{format} fault:{reason}"),
    }
}

/// `@<issue> +<stall>`.
pub fn issue_text(bundle: &BundleTiming) -> String {
    match bundle.issue {
        Some((issue, stall)) => format!("@{issue} +{stall}"),
        None => "never issues".to_owned(),
    }
}

/// `S<s> <op>` and each posting as `<text name><index>.<role>@<LAT>`.
pub fn postings_text(op: &OpTiming, postings: &[Posting]) -> String {
    let mut line = format!("S{} {}", op.slot, op.op);
    for posting in postings {
        let index = posting.index.map_or_else(|| "-".to_owned(), |index| index.to_string());
        let (class, role) = (posting.class.prefix(), posting.role.name());
        // Writing to a string cannot fail.
        let _ = write!(line, " {class}{index}.{role}@{}", posting.lat);
    }
    line
}

/// `! <k> <reg> B<pb>.S<ps>@<pl> > S<cs>@<cl> d=<d>`.
pub fn cause_text(cause: &Cause) -> String {
    format!(
        "! {} {}{} B{}.S{}@{} > S{}@{} d={}",
        cause.hazard.name(),
        cause.class.prefix(),
        cause.index,
        cause.producer_bundle,
        cause.producer_slot,
        cause.producer_lat,
        cause.consumer_slot,
        cause.consumer_lat,
        cause.distance
    )
}
