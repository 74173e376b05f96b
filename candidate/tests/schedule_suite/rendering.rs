//! The text form of a schedule (spec 05 section 9.2).

use contract::schedule::{BundleVerdict, Schedule};
use std::fmt::Write;

/// Prints a schedule, without a line end after the last line.
pub fn render(schedule: &Schedule) -> String {
    let mut out = String::new();
    for (number, bundle) in schedule.bundles.iter().enumerate() {
        let verdict = match &bundle.verdict {
            BundleVerdict::Ok => "ok".to_owned(),
            BundleVerdict::Illegal(reason) => format!("illegal:{reason}"),
            BundleVerdict::Fault(reason) => format!("fault:{reason}"),
        };
        write!(out, "B{number} {} {verdict}", bundle.format.text()).unwrap();
        if let Some((issue, stall)) = bundle.issue {
            write!(out, " @{issue} +{stall}").unwrap();
        }
        out.push('\n');
        for op in schedule.ops_of(bundle) {
            write!(out, "  S{} {}", op.slot, op.op).unwrap();
            for posting in schedule.postings_of(op) {
                let index = posting.index.map_or("-".to_owned(), |index| index.to_string());
                let (prefix, role) = (posting.class.prefix(), posting.role.name());
                write!(out, " {prefix}{index}.{role}@{}", posting.lat).unwrap();
            }
            out.push('\n');
        }
        for c in schedule.causes_of(bundle) {
            let (hazard, prefix) = (c.hazard.name(), c.class.prefix());
            write!(out, "  ! {hazard} {prefix}{} ", c.index).unwrap();
            write!(out, "B{}.S{}@{} > ", c.producer_bundle, c.producer_slot, c.producer_lat)
                .unwrap();
            writeln!(out, "S{}@{} d={}", c.consumer_slot, c.consumer_lat, c.distance).unwrap();
        }
    }
    write!(out, "= {}", schedule.cycles).unwrap();
    out
}
