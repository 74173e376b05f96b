//! Tests of the optimised model's timing half (spec 05).
//!
//! - `golden`: the golden LAT table and examples as the tests read them.
//! - `reference`: legality and schedules by literal evaluation of spec 05, over the golden table.
//! - `programs`: legal programs and arbitrary bundles from seeds.
//! - `rendering`: the text form of spec 05 section 9.2.
//! - the others hold tests: `table`, `examples`, `legality`, `interlock`, `properties`.

mod examples;
mod golden;
mod interlock;
mod legality;
mod programs;
mod properties;
mod reference;
mod rendering;
mod table;

use candidate::schedule::{Scheduler, judge};
use contract::bundle::Bundle;
use contract::profile::LatCrossbar;
use contract::schedule::{LatTable, Schedule};

/// The name of the table under a switch setting.
fn table_of(crossbar: LatCrossbar) -> LatTable {
    match crossbar {
        LatCrossbar::Seed => LatTable::Lat1,
        LatCrossbar::Formal => LatTable::Lat1Formal,
    }
}

/// Judges and schedules a program up to its first illegal bundle.
fn run(program: &[Bundle], crossbar: LatCrossbar) -> Schedule {
    let mut schedule = Schedule::default();
    run_into(&mut Scheduler::default(), program, crossbar, &mut schedule);
    schedule
}

/// As [`run`], with a scheduler and buffers that may have been used before.
fn run_into(
    scheduler: &mut Scheduler,
    program: &[Bundle],
    crossbar: LatCrossbar,
    schedule: &mut Schedule,
) {
    schedule.clear(table_of(crossbar));
    scheduler.begin(crossbar);
    for bundle in program {
        if let Err(reason) = judge(bundle) {
            scheduler.push_illegal(bundle, reason, schedule);
            break;
        }
        scheduler.issue(bundle, schedule);
    }
}

/// Issue cycles of the bundles that issued.
fn issues(schedule: &Schedule) -> Vec<u32> {
    schedule.bundles.iter().filter_map(|bundle| bundle.issue).map(|(issue, _)| issue).collect()
}

/// A bundle from its text.
fn bundle(text: &str) -> Bundle {
    contract::text::parse_bundle(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A program from one text per bundle.
fn program(texts: &[&str]) -> Vec<Bundle> {
    texts.iter().map(|text| bundle(text)).collect()
}
