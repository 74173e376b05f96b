//! Parts of the text form of schedules (spec 05 section 9.2), for reports that show one part alone; the
//! whole text is the schedule's own.

use contract::schedule::{BundleTiming, BundleVerdict, Cause, OpTiming, Posting, Schedule};
use std::fmt::Write as _;

/// The lines of a whole schedule.
pub fn lines(schedule: &Schedule) -> Vec<String> {
    schedule.to_string().lines().map(str::to_owned).collect()
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
        // Writing to a string cannot fail.
        let _ = write!(line, " {posting}");
    }
    line
}

/// `! <k> <reg> B<pb>.S<ps>@<pl> > S<cs>@<cl> d=<d>`.
pub fn cause_text(cause: &Cause) -> String {
    format!("! {cause}")
}
