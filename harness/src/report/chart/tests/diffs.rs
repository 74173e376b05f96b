//! Schedules side by side.

use super::support::{chain, example};
use crate::report::chart::{Glyphs, TextOptions, diff_text, diff_text_with};
use contract::outcome::LegalityReason;
use contract::schedule::{BundleVerdict, Schedule};

/// The schedule as a model gives it that forgets the `+ 1` of the distance: no chain of this kind
/// ever waits.
fn without_stalls(schedule: &Schedule, from: usize) -> Schedule {
    let mut wrong = schedule.clone();
    for (number, bundle) in wrong.bundles.iter_mut().enumerate().skip(from) {
        let late = (number - from + 1) as u32;
        let (issue, _) = bundle.issue.expect("the chain issues");
        bundle.issue = Some((issue - late, 0));
        bundle.causes = 0..0;
    }
    wrong.cycles -= (wrong.bundles.len() - from) as u32;
    wrong
}

#[test]
fn the_first_differing_bundle_is_the_root_and_later_times_follow() {
    let (program, schedule) = example("E04");
    insta::assert_snapshot!(diff_text(&schedule, &without_stalls(&schedule, 1), &program));
}

#[test]
fn a_differing_stage_is_spelled_out() {
    let (program, schedule) = example("E06");
    let mut wrong = schedule.clone();
    for posting in wrong.postings.iter_mut().filter(|posting| posting.lat == 12).take(1) {
        posting.lat = 11;
    }
    insta::assert_snapshot!(diff_text(&schedule, &wrong, &program));
}

#[test]
fn an_early_end_leaves_nothing_on_its_side() {
    let (program, schedule) = example("E12");
    let mut wrong = schedule.clone();
    wrong.bundles.truncate(2);
    wrong.bundles[1].verdict = BundleVerdict::Illegal(LegalityReason::OpSlot);
    wrong.bundles[1].issue = None;
    wrong.bundles[1].causes = 0..0;
    wrong.bundles[1].ops = 0..0;
    wrong.cycles = 1;
    insta::assert_snapshot!(diff_text(&schedule, &wrong, &program));
}

#[test]
fn a_long_program_shows_the_surroundings_of_the_root_alone() {
    let (program, schedule) = chain(200);
    let diff = diff_text(&schedule, &without_stalls(&schedule, 120), &program);
    assert!(diff.starts_with("B0–B115 equal\n"), "{diff}");
    assert!(diff.contains("B127–B199 not shown, 73 of them differ"), "{diff}");
    let margin = |mark: char| diff.lines().filter(|line| line.starts_with(mark)).count();
    assert_eq!((margin('>'), margin('~'), margin('!')), (1, 6, 0), "{diff}");
    assert!(diff.lines().count() < 40, "{diff}");
}

#[test]
fn equal_schedules_have_no_root() {
    let (program, schedule) = example("E15");
    let diff = diff_text(&schedule, &schedule, &program);
    assert!(diff.contains("no bundle differs"), "{diff}");
    assert!(!diff.lines().any(|line| line.starts_with(['>', '~', '!'])), "{diff}");
}

#[test]
fn side_by_side_fits_its_width_and_knows_ascii() {
    let (program, schedule) = chain(60);
    let wrong = without_stalls(&schedule, 10);
    for width in [80, 100, 160] {
        let options = TextOptions { width, glyphs: Glyphs::Ascii, colour: false };
        let diff = diff_text_with(&schedule, &wrong, &program, &options);
        assert!(diff.is_ascii(), "{diff}");
        assert!(diff.lines().all(|line| line.len() <= width), "{width}\n{diff}");
    }
}
