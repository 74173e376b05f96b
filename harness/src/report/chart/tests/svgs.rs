//! Charts as pictures.

use super::support::{chain, example, example_ids, faulting};
use crate::report::chart::svg;
use crate::report::chart::svg::MAX_BUNDLES;
use crate::report::chart::svg::style::PALETTE;
use contract::bundle::{FormatWord, OpWord, Operand};
use contract::schedule::Schedule;
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};

fn parse(picture: &str) -> Document<'_> {
    Document::parse(picture).unwrap_or_else(|error| panic!("{error}\n{picture}"))
}

fn of_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|it| it == class))
    };
    document.descendants().filter(has).collect()
}

#[test]
fn every_golden_example_is_well_formed_and_self_contained() {
    for id in example_ids() {
        let (program, schedule) = example(&id);
        let picture = svg(&program, &schedule, &id);
        let document = parse(&picture);
        let ids: BTreeSet<&str> =
            document.descendants().filter_map(|node| node.attribute("id")).collect();
        assert!(ids.iter().all(|it| *it == id || it.starts_with(&format!("{id}-"))), "{ids:?}");
        for reference in picture.split("url(#").skip(1) {
            let target = reference.split(')').next().expect("split gives one piece");
            assert!(ids.contains(target), "{target} is not in {ids:?}");
        }
        let outside = picture.replace("http://www.w3.org/2000/svg", "");
        for foreign in ["http", "href", "<script", "@import", "onload", "url(h"] {
            assert!(!outside.contains(foreign), "{foreign}");
        }
    }
}

#[test]
fn two_charts_of_one_page_share_no_id_and_no_rule() {
    let (program, schedule) = example("E06");
    let (left, right) = (svg(&program, &schedule, "left"), svg(&program, &schedule, "right"));
    let ids = |picture: &str| -> BTreeSet<String> {
        let document = parse(picture);
        document.descendants().filter_map(|it| it.attribute("id")).map(str::to_owned).collect()
    };
    assert!(ids(&left).is_disjoint(&ids(&right)));
    let document = parse(&left);
    let style = document.descendants().find(|node| node.has_tag_name("style"));
    let sheet = style.and_then(|style| style.text()).expect("the chart has a style sheet");
    for rule in sheet.lines().filter(|line| !line.is_empty() && !line.starts_with("@media")) {
        assert!(rule.starts_with("#left{") || rule.starts_with("#left "), "{rule}");
    }
}

#[test]
fn ids_are_made_fit_for_selectors() {
    let (program, schedule) = example("E01");
    for (given, made) in
        [("case 7/\"<&", "case_7____"), ("7", "chart7"), ("", "chart"), ("ä", "chart_")]
    {
        let picture = svg(&program, &schedule, given);
        assert_eq!(parse(&picture).root_element().attribute("id"), Some(made));
    }
}

#[test]
fn marks_and_arrows_are_those_of_the_schedule() {
    // Beside what is counted here, the legend shows each mark once, `use` a second time with a ring,
    // and one arrow of each kind.
    for (id, [uses, defs, both, ports], rings, arrows) in [
        ("E06", [2, 1, 1, 0], 2, [1, 0]),
        // A port beside a def is told in the postings.
        ("E08", [3, 3, 0, 0], 2, [1, 1]),
        ("E11", [1, 0, 5, 0], 2, [1, 0]),
        ("E15", [0, 2, 10, 0], 0, [0, 0]),
    ] {
        let (program, schedule) = example(id);
        let picture = svg(&program, &schedule, id);
        let document = parse(&picture);
        let count = |class| of_class(&document, class).len();
        let marks = ["use", "def", "both", "port"].map(count);
        assert_eq!(marks, [uses + 2, defs + 1, both + 1, ports + 1], "{id}");
        assert_eq!(count("ring"), rings + 1, "{id}");
        assert_eq!(["arrow", "waw"].map(count), [arrows[0] + 2, arrows[1] + 1], "{id}");
    }
}

#[test]
fn an_arrow_leads_from_the_defs_column_to_the_uses() {
    let (program, schedule) = example("E12");
    let picture = svg(&program, &schedule, "c");
    let document = parse(&picture);
    let titled = |start: &str| {
        let has = |node: &Node<'_, '_>| {
            let title = node.children().find(|child| child.has_tag_name("title"));
            title.and_then(|title| title.text()).is_some_and(|text| text.starts_with(start))
        };
        document.descendants().find(has).unwrap_or_else(|| panic!("no {start}\n{picture}"))
    };
    let centre = |group: Node<'_, '_>| -> (u64, u64) {
        let letter = group.children().find(|child| child.has_tag_name("text"));
        let at = |key| letter.and_then(|it| it.attribute(key)).and_then(|it| it.parse().ok());
        let (x, y): (Option<u64>, Option<u64>) = (at("x"), at("y"));
        (x.expect("a letter has a place"), y.expect("a letter has a place") - 4)
    };
    let (def_x, def_y) = centre(titled("B0 S3 EXTRNX16 a5, v1, 0 in cycle 12, stage 12"));
    let (use_x, use_y) = centre(titled("B1 S1 LV2NX8_I v2, a5, 0 in cycle 13, stage 1"));
    let arrow = titled("RAW a5 from B0.S3 (def@12), use@1, d=12");
    let path = arrow.children().find_map(|child| child.attribute("d")).expect("a path");
    let border = (def_x + use_x) / 2;
    assert_eq!(path, format!("M{} {def_y}H{border}V{use_y}H{}", def_x + 8, use_x - 9));
    assert_eq!(of_class(&document, "register")[0].text(), Some("a5"));
}

#[test]
fn tooltips_tell_why_a_bundle_waits() {
    let (program, schedule) = example("E06");
    let picture = svg(&program, &schedule, "c");
    let document = parse(&picture);
    let titles: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .filter_map(|node| node.text())
        .collect();
    let stall = "B1 waits from cycle 1 to 2, issues in 3\n\
                 RAW v5 from B0.S3 (def@12), use@10, d=3\n\
                 RAW vb2 from B0.S3 (def@12), use@10, d=3";
    assert!(titles.contains(&stall), "{titles:#?}");
}

#[test]
fn illegal_and_faulting_bundles_say_so() {
    for ((program, schedule), words) in [
        (example("X05"), "illegal: OPERAND; never issues"),
        (faulting(), "fault: BadAccess; the program ends here"),
        (faulting(), "B2 not reached"),
    ] {
        let picture = svg(&program, &schedule, "c");
        let document = parse(&picture);
        let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
        assert!(texts.contains(&words), "{words}: {texts:#?}");
    }
}

#[test]
fn unknown_words_are_escaped() {
    let (mut program, mut schedule) = example("X07");
    let nasty = "<b>&\"'</text>\u{0}\u{1b}\u{fffe}";
    program[0].ops = vec![contract::bundle::SlotOp {
        slot: 0,
        op: OpWord::Unknown(nasty.into()),
        operands: [Operand::Word("]]><script>".into())].into_iter().collect(),
    }];
    schedule.bundles[0].format = FormatWord::Unknown("<b>".into());
    let picture = svg(&program, &schedule, "c");
    let document = parse(&picture);
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"B0 <b>"), "{texts:#?}");
    let op = "S0 <b>&\"'</text>\\u{0}\\u{1b}\\u{fffe} ]]><script>";
    assert!(texts.contains(&op), "{texts:#?}");
    assert!(!picture.contains("<b>") && !picture.contains("<script"), "{picture}");
}

#[test]
fn long_programs_are_drawn_in_panels_up_to_a_limit() {
    let (program, schedule) = chain(200);
    let size = |picture: &str| -> [u64; 2] {
        let document = parse(picture);
        let root = document.root_element();
        ["width", "height"]
            .map(|key| root.attribute(key).and_then(|it| it.parse().ok()).expect("a size"))
    };
    let [width, height] = size(&svg(&program, &schedule, "c"));
    assert!(width < 2_000, "{width}");
    assert!((200 * 34..200 * 60).contains(&height), "{height}");

    let mut long = Schedule { cycles: 3, ..Schedule::default() };
    let bundle =
        contract::schedule::BundleTiming { ops: 0..0, causes: 0..0, ..schedule.bundles[0].clone() };
    long.bundles = vec![bundle; MAX_BUNDLES + 88];
    let picture = svg(&[], &long, "c");
    assert!(picture.contains(">88 more bundles not drawn<"));
    let [_, height] = size(&picture);
    assert!(height < MAX_BUNDLES as u64 * 50, "{height}");
}

/// Relative luminance of an sRGB colour `#rrggbb` (WCAG 2).
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("a hex colour");
        let value = f64::from(byte) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

#[test]
fn text_and_marks_stand_out_on_light_and_on_dark() {
    let light: BTreeMap<&str, &str> = PALETTE.iter().map(|it| (it.name, it.light)).collect();
    let dark: BTreeMap<&str, &str> = PALETTE.iter().map(|it| (it.name, it.dark)).collect();
    for palette in [light, dark] {
        let contrast = |one: &str, other: &str| {
            let (one, other) = (luminance(palette[one]), luminance(palette[other]));
            (one.max(other) + 0.05) / (one.min(other) + 0.05)
        };
        for ground in ["surface", "band"] {
            for ink in ["ink", "muted", "use", "def", "both", "port", "stall", "hazard"] {
                let ratio = contrast(ink, ground);
                assert!(ratio >= 4.5, "{ink} on {ground}: {ratio:.2}");
            }
        }
        for fill in ["use", "def", "both", "port"] {
            let ratio = contrast("on", fill);
            assert!(ratio >= 4.5, "letter on {fill}: {ratio:.2}");
        }
        let ratio = contrast("stall", "stall-fill");
        assert!(ratio >= 3.0, "hatch: {ratio:.2}");
    }
}
