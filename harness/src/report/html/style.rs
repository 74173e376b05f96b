//! Colours and the style sheet of the page. Every colour is a custom property with a light and a dark
//! value; a test holds the pairs that carry text to a contrast of 4.5.

/// One colour on a light and on a dark page.
pub(super) struct Colour {
    pub(super) name: &'static str,
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

/// The palette. `reference` and `candidate` stand for the two sides everywhere: blue and orange, which
/// people who confuse red and green tell apart.
pub(super) const PALETTE: &[Colour] = &[
    colour("page", "#f3f5f8", "#0f1216"),
    colour("surface", "#ffffff", "#171b21"),
    colour("sunken", "#f0f3f7", "#1f252d"),
    colour("rule", "#d9dfe7", "#2e3641"),
    colour("rule-strong", "#aab4c1", "#4a5666"),
    colour("ink", "#1b2128", "#e8ecf1"),
    colour("muted", "#556070", "#9fabb9"),
    colour("link", "#0b5cad", "#7bbaff"),
    colour("good", "#12633a", "#79d8a1"),
    colour("good-fill", "#e2f4e9", "#13301f"),
    colour("bad", "#a61026", "#ff979b"),
    colour("bad-fill", "#fdecee", "#3b171c"),
    colour("warn", "#744f00", "#e6bb55"),
    colour("warn-fill", "#fdf2d3", "#362c12"),
    colour("reference", "#0a4a8c", "#93c7ff"),
    colour("reference-fill", "#dcebfb", "#12304f"),
    colour("candidate", "#853600", "#ffb884"),
    colour("candidate-fill", "#fde6d4", "#47250f"),
];

/// Pairs of text and ground that occur.
#[cfg(test)]
pub(super) const PAIRS: &[(&str, &[&str])] = &[
    ("ink", &["page", "surface", "sunken", "good-fill", "bad-fill", "warn-fill"]),
    ("muted", &["page", "surface", "sunken", "good-fill", "bad-fill", "warn-fill"]),
    ("link", &["page", "surface", "sunken"]),
    ("good", &["page", "surface", "sunken", "good-fill"]),
    ("bad", &["page", "surface", "sunken", "bad-fill"]),
    ("warn", &["page", "surface", "sunken", "warn-fill"]),
    ("reference", &["surface", "sunken", "reference-fill"]),
    ("candidate", &["surface", "sunken", "candidate-fill"]),
];

/// The rules of the page.
const RULES: &str = include_str!("style.css");

/// The contents of the page's `<style>`.
pub(super) fn sheet() -> String {
    let properties = |pick: fn(&Colour) -> &'static str| -> String {
        PALETTE.iter().map(|colour| format!("--{}:{};", colour.name, pick(colour))).collect()
    };
    let light = properties(|colour| colour.light);
    let dark = properties(|colour| colour.dark);
    // On paper the light colours stand, whatever the reader's screen prefers.
    format!(
        "\n:root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{RULES}"
    )
}
