//! Contrast, and a sheet that loads nothing.

use crate::report::html::style::{PAIRS, PALETTE, sheet};

/// Relative luminance of `#rrggbb` (WCAG 2).
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let value = u8::from_str_radix(&colour[at..at + 2], 16).expect("hex digits");
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_reaches_a_contrast_of_four_and_a_half() {
    let find = |name: &str| PALETTE.iter().find(|colour| colour.name == name).expect("a colour");
    for (text, grounds) in PAIRS {
        for ground in *grounds {
            let (text, ground) = (find(text), find(ground));
            for (one, other, mode) in
                [(text.light, ground.light, "light"), (text.dark, ground.dark, "dark")]
            {
                let ratio = contrast(one, other);
                assert!(ratio >= 4.5, "{} on {}, {mode}: {ratio:.2}", text.name, ground.name);
            }
        }
    }
}

#[test]
fn every_colour_of_the_rules_is_in_the_palette() {
    let sheet = sheet();
    for used in sheet.split("var(--").skip(1) {
        let name = used.split(')').next().expect("split gives one piece");
        assert!(PALETTE.iter().any(|colour| colour.name == name), "{name}");
    }
    let rules = include_str!("../style.css");
    for foreign in ["url(", "@import", "@font-face", "#"] {
        assert!(!rules.contains(foreign), "{foreign}");
    }
}
