//! Passages of the specification as markup: paragraphs, lists, tables, code and the inline marks that the
//! chapters use. A mark that is not understood stays as it is written.

use crate::report::rules::chapter::{cells, is_rule};
use maud::{Markup, PreEscaped, html};

/// Lines of a section that are quoted at most.
pub(super) const LONGEST: usize = 70;

/// Inline text: code in backticks, bold, emphasis, escaped characters.
pub(super) fn inline(text: &str) -> Markup {
    let mut out = String::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '\\'
            && let Some(escaped) = rest[1..].chars().next().filter(char::is_ascii_punctuation)
        {
            plain.push(escaped);
            rest = &rest[1 + escaped.len_utf8()..];
            continue;
        }
        if let Some((mark, inside, after)) = marked(rest) {
            push(&mut out, &html! { (plain) });
            plain.clear();
            let markup = match mark {
                // A border inside code is escaped for the table's sake.
                "`" => html! { code { (inside.replace("\\|", "|")) } },
                "**" => html! { strong { (inline(inside)) } },
                _ => html! { em { (inline(inside)) } },
            };
            push(&mut out, &markup);
            rest = after;
            continue;
        }
        plain.push(first);
        rest = &rest[first.len_utf8()..];
    }
    push(&mut out, &html! { (plain) });
    PreEscaped(out)
}

fn push(out: &mut String, markup: &Markup) {
    out.push_str(&markup.0);
}

/// Mark, text inside and text after, if the text begins with a marked passage.
fn marked(text: &str) -> Option<(&'static str, &str, &str)> {
    for mark in ["`", "**", "*"] {
        let Some(inner) = text.strip_prefix(mark) else { continue };
        let end = inner.find(mark)?;
        let inside = &inner[..end];
        // `a * b` is a product, no emphasis.
        let tight = |text: &str| !text.starts_with(' ') && !text.ends_with(' ');
        return (!inside.is_empty() && (mark == "`" || tight(inside)))
            .then(|| (mark, inside, &inner[end + mark.len()..]));
    }
    None
}

/// A passage as blocks, cut after [`LONGEST`] lines.
pub(super) fn blocks(text: &str) -> Markup {
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines.len() > LONGEST;
    let mut lines = &lines[..lines.len().min(LONGEST)];
    let mut out = String::new();
    while let Some(&first) = lines.first() {
        let kind = Kind::of(first);
        let length = match kind {
            Kind::Fence => {
                let inside = lines[1..].iter().take_while(|line| !line.starts_with("```")).count();
                (inside + 2).min(lines.len())
            }
            Kind::Blank => 1,
            _ => lines.iter().take_while(|line| kind.holds(line)).count().max(1),
        };
        let (block, after) = lines.split_at(length);
        push(&mut out, &kind.markup(block));
        lines = after;
    }
    if cut {
        push(&mut out, &html! { p.muted { "… the section goes on in its chapter." } });
    }
    PreEscaped(out)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Fence,
    Code,
    Table,
    Item,
    Numbered,
    Text,
}

/// True for `1. text`.
fn is_numbered(line: &str) -> bool {
    line.split_once(". ").is_some_and(|(number, _)| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}

impl Kind {
    fn of(line: &str) -> Self {
        match line {
            _ if line.trim().is_empty() || line == "---" => Self::Blank,
            _ if line.starts_with("```") => Self::Fence,
            _ if line.starts_with("    ") => Self::Code,
            _ if line.starts_with('|') => Self::Table,
            _ if line.starts_with("* ") || line.starts_with("- ") => Self::Item,
            _ if is_numbered(line) => Self::Numbered,
            _ => Self::Text,
        }
    }

    fn holds(self, line: &str) -> bool {
        Self::of(line) == self
    }

    fn markup(self, lines: &[&str]) -> Markup {
        match self {
            Self::Blank => html! {},
            Self::Fence => {
                let inside: Vec<&str> =
                    lines[1..].iter().copied().filter(|line| !line.starts_with("```")).collect();
                html! { pre { (inside.join("\n")) } }
            }
            Self::Code => {
                let inside: Vec<&str> = lines.iter().map(|line| &line[4..]).collect();
                html! { pre { (inside.join("\n")) } }
            }
            Self::Table => table(lines),
            Self::Item => html! { ul { @for line in lines { li { (inline(&line[2..])) } } } },
            Self::Numbered => html! {
                ol { @for line in lines {
                    li { (inline(line.split_once(". ").map_or(*line, |(_, text)| text))) }
                } }
            },
            Self::Text => html! { p { (inline(&lines.join(" "))) } },
        }
    }
}

fn table(lines: &[&str]) -> Markup {
    let mut rows = lines.iter().filter(|line| !is_rule(line));
    let head = rows.next().map(|line| cells(line)).unwrap_or_default();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Table of the specification" {
            table {
                thead { tr { @for cell in &head { th scope="col" { (inline(cell)) } } } }
                tbody { @for row in rows { tr { @for cell in cells(row) { td { (inline(cell)) } } } } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_elements_and_everything_else_is_escaped() {
        for (text, expected) in [
            ("a < b & `x<y`", "a &lt; b &amp; <code>x&lt;y</code>"),
            ("**High** *x*", "<strong>High</strong> <em>x</em>"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("a \\| b `c \\| d`", "a | b <code>c | d</code>"),
            ("**[S0] `a`**", "<strong>[S0] <code>a</code></strong>"),
            ("open ` only", "open ` only"),
        ] {
            assert_eq!(inline(text).0, expected, "{text}");
        }
    }

    #[test]
    fn blocks_are_told_apart() {
        let text =
            "One\ntwo.\n\n* a\n* b\n\n    code\n\n| h |\n|---|\n| c |\n```\nraw <\n```\n1. x\n2. y";
        let markup = blocks(text).0;
        for part in [
            "<p>One two.</p>",
            "<ul><li>a</li><li>b</li></ul>",
            "<pre>code</pre>",
            "<th scope=\"col\">h</th>",
            "<td>c</td>",
            "<pre>raw &lt;</pre>",
            "<ol><li>x</li><li>y</li></ol>",
        ] {
            assert!(markup.contains(part), "{part}\n{markup}");
        }
    }

    #[test]
    fn a_long_passage_is_cut_and_says_so() {
        let text = "line\n\n".repeat(LONGEST);
        assert!(blocks(&text).0.contains("goes on in its chapter"));
        assert!(!blocks("line").0.contains("goes on in its chapter"));
    }
}
