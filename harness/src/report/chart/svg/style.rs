//! Colours and the style sheet. Every colour is a custom property of the chart's own element, so that
//! a page may override it, and every rule is scoped by the chart's id, so that neither the page nor a
//! second chart is touched.

/// One colour: its property and its values on a light and on a dark surface.
pub(in crate::report::chart) struct Colour {
    pub(in crate::report::chart) name: &'static str,
    pub(in crate::report::chart) light: &'static str,
    pub(in crate::report::chart) dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> Colour {
    Colour { name, light, dark }
}

/// The palette. Text and marks reach a contrast of 4.5 on `surface` and on `band`, the letters in the
/// marks (`on`) 4.5 on their fills; a test holds it to that.
pub(in crate::report::chart) const PALETTE: &[Colour] = &[
    colour("surface", "#ffffff", "#14171c"),
    colour("band", "#f4f6f9", "#1b2027"),
    colour("rule", "#dde2e9", "#2c333d"),
    colour("rule-strong", "#b6bfca", "#465161"),
    colour("ink", "#1b2128", "#e8ecf1"),
    colour("muted", "#5a6472", "#9aa5b3"),
    colour("on", "#ffffff", "#10131a"),
    colour("use", "#0b5cad", "#6cb2ff"),
    colour("def", "#9a4500", "#f5a35c"),
    colour("both", "#6b3fa8", "#c4a1ff"),
    colour("port", "#4f5b69", "#a7b3c2"),
    colour("stall", "#8a6100", "#e0b040"),
    colour("stall-fill", "#fdf1cf", "#3a3016"),
    colour("hazard", "#b3142b", "#ff8a8f"),
];

/// Rules after the palette; `#ID` stands for the chart.
const RULES: &str = "\
#ID{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;color-scheme:light dark}
#ID text{fill:var(--ink);white-space:pre}
#ID .small{font-size:12px}
#ID .muted{fill:var(--muted)}
#ID .strong{font-weight:700}
#ID .mid{text-anchor:middle}
#ID .end{text-anchor:end}
#ID .surface{fill:var(--surface)}
#ID .band{fill:var(--band)}
#ID .rule{stroke:var(--rule);fill:none}
#ID .rule-strong{stroke:var(--rule-strong);fill:none}
#ID .flight{stroke:var(--rule-strong);stroke-width:2;fill:none}
#ID .issue{fill:var(--ink)}
#ID .hatch{stroke:var(--stall);stroke-width:2}
#ID .stall-fill{fill:var(--stall-fill)}
#ID .stall{stroke:var(--stall)}
#ID text.cause{fill:var(--stall)}
#ID text.trouble{fill:var(--hazard);font-weight:700}
#ID .use{fill:var(--use)}
#ID .def{fill:var(--def)}
#ID .both{fill:var(--both)}
#ID .port{fill:var(--port)}
#ID text.letter{fill:var(--on);font-size:12px;font-weight:700;text-anchor:middle}
#ID .ring{fill:none;stroke:var(--hazard);stroke-width:2}
#ID .arrow{fill:none;stroke:var(--hazard);stroke-width:1.8}
#ID .waw{stroke-dasharray:5 3}
#ID .head{fill:var(--hazard)}
#ID text.register{fill:var(--hazard);font-size:12px;font-weight:700;stroke:var(--surface);stroke-width:4;paint-order:stroke}
#ID .hover{fill:transparent}
";

/// The contents of the chart's `<style>`.
pub(super) fn sheet(id: &str) -> String {
    let properties = |pick: fn(&Colour) -> &'static str| -> String {
        PALETTE.iter().map(|colour| format!("--{}:{};", colour.name, pick(colour))).collect()
    };
    let light = properties(|colour| colour.light);
    let dark = properties(|colour| colour.dark);
    format!(
        "\n#{id}{{{light}}}\n@media (prefers-color-scheme:dark){{#{id}{{{dark}}}}}\n{}",
        RULES.replace("#ID", &format!("#{id}"))
    )
}
