//! Charts in text.

use super::support::{chain, example, example_ids, faulting, program};
use crate::report::chart::{Glyphs, MIN_WIDTH, TextOptions, text, text_with};
use contract::schedule::{Posting, Role, Schedule};

#[test]
fn two_causes_stand_under_their_consumer() {
    let (program, schedule) = example("E06");
    insta::assert_snapshot!(text(&program, &schedule, 80));
}

#[test]
fn postings_stand_beside_the_axis_where_there_is_room() {
    let (program, schedule) = example("E12");
    insta::assert_snapshot!(text(&program, &schedule, 100));
}

#[test]
fn a_long_stall_is_folded_where_there_is_none() {
    let (program, schedule) = example("E12");
    insta::assert_snapshot!(text(&program, &schedule, 60));
}

#[test]
fn an_illegal_bundle_shows_what_was_written_and_why_it_never_issues() {
    let (program, schedule) = example("X05");
    insta::assert_snapshot!(text(&program, &schedule, 80));
}

#[test]
fn a_fault_keeps_its_marks_and_names_what_is_not_reached() {
    let (program, schedule) = faulting();
    insta::assert_snapshot!(text(&program, &schedule, 80));
}

#[test]
fn ascii_draws_the_same_with_other_characters() {
    let (program, schedule) = example("E08");
    let options = TextOptions { width: 60, glyphs: Glyphs::Ascii, colour: false };
    let ascii = text_with(&program, &schedule, &options);
    let unicode = text(&program, &schedule, 60);
    assert!(ascii.is_ascii());
    let translated: String = unicode
        .chars()
        .map(|it| match it {
            '░' => '.',
            '█' => '#',
            '─' => '-',
            '…' => '~',
            '└' => '`',
            '–' => '-',
            other => other,
        })
        .collect();
    assert_eq!(translated, ascii);
}

#[test]
fn colours_add_nothing_but_escape_sequences() {
    for (program, schedule) in [example("E06"), example("X05"), faulting(), chain(40)] {
        let plain = TextOptions::default();
        let coloured = text_with(&program, &schedule, &TextOptions { colour: true, ..plain });
        assert_ne!(coloured, text_with(&program, &schedule, &plain));
        assert_eq!(without_sgr(&coloured), text_with(&program, &schedule, &plain));
    }
}

fn without_sgr(text: &str) -> String {
    let mut pieces = text.split('\x1b');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').expect("a sequence ends with m").1);
    }
    plain
}

/// The character that must stand at a cycle of an op's row, worked out from the schedule alone.
fn expected_glyph(schedule: &Schedule, bundle: usize, postings: &[Posting], cycle: u32) -> char {
    let (issue, stall) = schedule.bundles[bundle].issue.expect("the bundle issues");
    let has = |role| {
        let at = |posting: &&Posting| posting.role == role;
        postings.iter().filter(at).any(|posting| issue + u32::from(posting.lat) == cycle)
    };
    let last = postings.iter().map(|posting| issue + u32::from(posting.lat)).max();
    match (has(Role::Use), has(Role::Def), has(Role::Port)) {
        (true, true, _) => 'x',
        (true, false, _) => 'u',
        (false, true, _) => 'd',
        (false, false, true) => 'p',
        _ if cycle == issue => '█',
        _ if cycle < issue && cycle + stall >= issue => '░',
        _ if cycle > issue && last.is_some_and(|last| cycle < last) => '─',
        _ => ' ',
    }
}

#[test]
fn every_mark_of_every_golden_example_stands_at_issue_plus_lat() {
    let mut compared = 0;
    for id in example_ids() {
        let (program, schedule) = example(&id);
        if schedule.cycles == 0 {
            continue;
        }
        let chart = text(&program, &schedule, 160);
        let lines: Vec<Vec<char>> = chart.lines().map(|line| line.chars().collect()).collect();
        let ruler: String = lines[1].iter().collect();
        let axis = ruler.len() - ruler.trim_start().len();
        let cycles = ruler.trim().len() as u32;
        let rows: Vec<&Vec<char>> = lines
            .iter()
            .filter(|line| line.windows(2).any(|pair| pair[0] == 'S' && pair[1].is_ascii_digit()))
            .filter(|line| !line.contains(&'└'))
            .collect();
        let mut row = rows.iter();
        for (number, bundle) in schedule.bundles.iter().enumerate() {
            if bundle.issue.is_none() {
                continue;
            }
            for op in schedule.ops_of(bundle) {
                let line = row.next().expect("every op has a row");
                for cycle in 0..cycles {
                    let drawn = line.get(axis + cycle as usize).copied().unwrap_or(' ');
                    let wanted = expected_glyph(&schedule, number, schedule.postings_of(op), cycle);
                    assert_eq!(drawn.to_ascii_lowercase(), wanted, "{id} cycle {cycle}\n{chart}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "only {compared} cells compared");
}

#[test]
fn capitals_stand_at_both_ends_of_a_binding_hazard_and_nowhere_else() {
    let (program, schedule) = example("E13");
    let chart = text(&program, &schedule, 80);
    let capitals = |line: &str| -> String {
        let axis = line.split("█").nth(1).unwrap_or_default();
        axis.chars().filter(char::is_ascii_uppercase).collect()
    };
    let rows: Vec<String> = chart.lines().filter(|line| line.contains('█')).map(capitals).collect();
    // B0's accumulator def binds nothing; B1's binds B2's read.
    assert_eq!(rows[..3], ["", "X", "U"]);
}

#[test]
fn long_programs_stay_within_the_width_and_show_every_bundle_once() {
    let (program, schedule) = chain(200);
    for width in [MIN_WIDTH, 80, 100, 133, 200] {
        let chart = text(&program, &schedule, width);
        let widest = chart.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{widest:?} of {width}\n{chart}");
        let tagged = chart.lines().filter(|line| line.starts_with('B')).count();
        assert_eq!(tagged, 200);
        // A row and at most two lines of cause for each bundle, three lines more for each panel.
        assert!(chart.lines().count() < 3 * 200 + 3 * 50, "{chart}");
    }
}

#[test]
fn panels_number_their_own_cycles() {
    let (program, schedule) = chain(9);
    insta::assert_snapshot!(text(&program, &schedule, 60));
}

#[test]
fn program_and_schedule_may_disagree() {
    let (_, schedule) = example("E06");
    let other = program("F0 { S3 ADDNX16 v1, v2, v3 }\nF0 { S0 MOVI a1, 5 }");
    insta::assert_snapshot!(text(&other, &schedule, 80));
}

#[test]
fn unknown_words_reach_the_terminal_as_printable_ascii() {
    let bundles = vec![contract::bundle::Bundle {
        format: contract::bundle::FormatWord::Unknown("F\u{1b}[31m".into()),
        ops: vec![contract::bundle::SlotOp {
            slot: u32::MAX,
            op: contract::bundle::OpWord::Unknown("<b>\n\u{202e}".into()),
            operands: Default::default(),
        }],
    }];
    let mut schedule = Schedule::default();
    schedule.bundles.push(contract::schedule::BundleTiming {
        format: bundles[0].format.clone(),
        verdict: contract::schedule::BundleVerdict::Illegal(
            contract::outcome::LegalityReason::Other("\r\u{7}".into()),
        ),
        issue: None,
        causes: 0..0,
        ops: 0..0,
    });
    let chart = text(&bundles, &schedule, 80);
    assert!(chart.contains(r"S4294967295 <b>\n\u{202e}"), "{chart}");
    assert!(chart.contains(r"illegal: \r\u{7}"), "{chart}");
    assert!(!chart.contains(['\x1b', '\r', '\u{7}', '\u{202e}']), "{chart}");
}
