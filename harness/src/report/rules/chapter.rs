//! The chapters of the specification as text that reports can quote: sections by number, table rows by
//! what their cells hold, and the sources that a passage names. The program carries the chapters, so a
//! quotation is always the text that the models were written from.

/// A chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chapter {
    /// Its number, as in `spec 02`.
    pub number: u8,
    /// Its file, from the root of the project.
    pub file: &'static str,
    text: &'static str,
}

macro_rules! chapters {
    ($($number:literal $file:literal)*) => {
        /// Every chapter with numbered sections.
        pub const CHAPTERS: &[Chapter] = &[$(Chapter {
            number: $number,
            file: concat!("oracle/spec/", $file),
            text: include_str!(concat!("../../../../oracle/spec/", $file)),
        }),*];
    };
}

chapters! {
    1 "01-descriptors.md"
    2 "02-validators.md"
    3 "03-tensor-semantics.md"
    4 "04-vector-unit.md"
    5 "05-timing.md"
    7 "07-multiply-pack.md"
    8 "08-floating-point.md"
    9 "09-gather-divide-rest.md"
}

/// A numbered section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// Its chapter.
    pub chapter: u8,
    /// The chapter's file.
    pub file: &'static str,
    /// Its number, as in `4.1`.
    pub number: &'static str,
    /// Its heading without the number.
    pub title: &'static str,
    /// Its text up to the next heading of any level.
    pub body: &'static str,
}

/// A row of a table: every cell with the head of its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Head and cell, in order.
    pub cells: Vec<(&'static str, &'static str)>,
}

impl Row {
    /// The first cell.
    pub fn key(&self) -> &'static str {
        self.cells.first().map_or("", |&(_, cell)| cell)
    }

    /// The cell under a head.
    pub fn cell(&self, head: &str) -> Option<&'static str> {
        self.cells.iter().find(|(name, _)| *name == head).map(|&(_, cell)| cell)
    }
}

impl Chapter {
    /// The chapter with this number.
    pub fn numbered(number: u8) -> Option<&'static Self> {
        CHAPTERS.iter().find(|chapter| chapter.number == number)
    }

    /// Its sections, in order.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        let mut start = 0;
        let mut fenced = false;
        let mut open: Option<(&'static str, &'static str)> = None;
        let mut at = 0;
        let mut close = |heading: Option<(&'static str, &'static str)>, body: &'static str| {
            if let Some((number, title)) = heading {
                let (chapter, file) = (self.number, self.file);
                sections.push(Section { chapter, file, number, title, body: body.trim() });
            }
        };
        for line in self.text.split_inclusive('\n') {
            fenced ^= line.starts_with("```");
            if !fenced && line.starts_with('#') {
                close(open.take(), &self.text[start..at]);
                open = if line.starts_with("##") { heading(line) } else { None };
                start = at + line.len();
            }
            at += line.len();
        }
        close(open, &self.text[start..]);
        sections
    }

    /// A section by its number.
    pub fn section(&self, number: &str) -> Option<Section> {
        self.sections().into_iter().find(|section| section.number == number)
    }
}

/// Number and title of `### 4.1 Title`; `None` for a heading without number.
fn heading(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (number, title) = line.trim_start_matches('#').trim().split_once(' ')?;
    let number = number.trim_end_matches('.');
    number.starts_with(|first: char| first.is_ascii_digit()).then_some((number, title.trim()))
}

impl Section {
    /// The rows of every table in the section.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut head: Option<Vec<&'static str>> = None;
        for line in self.body.lines() {
            if !line.starts_with('|') {
                head = None;
                continue;
            }
            let cells = cells(line);
            match &head {
                None => head = Some(cells),
                Some(_) if is_rule(line) => {}
                Some(names) => {
                    rows.push(Row { cells: names.iter().copied().zip(cells).collect() });
                }
            }
        }
        rows
    }

    /// The text before the first table.
    pub fn opening(&self) -> &'static str {
        let end = self.body.find("\n|").unwrap_or(self.body.len());
        if self.body.starts_with('|') { "" } else { self.body[..end].trim() }
    }
}

/// True for the line between a table's head and its rows.
pub fn is_rule(line: &str) -> bool {
    line.starts_with('|') && line.chars().all(|letter| "|-: ".contains(letter))
}

/// Cells of a line of a table; `\|` is no border.
pub fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim();
    let inner = inner.strip_prefix('|').unwrap_or(inner);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut cells = Vec::new();
    let mut start = 0;
    let mut escaped = false;
    for (at, letter) in inner.char_indices() {
        if letter == '|' && !escaped {
            cells.push(inner[start..at].trim());
            start = at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    cells.push(inner[start..].trim());
    cells
}

/// The source tags that a passage names, in order, each once: `[S0]`, `[PN: title]`, `[VD]`, `[KLR]`,
/// `[public notes: title]`, and the bare keys `S4` and `PN-B06`.
pub fn sources(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |tag: &str| {
        if !found.iter().any(|known| known == tag) {
            found.push(tag.to_owned());
        }
    };
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter == '[' || letter.is_ascii_alphanumeric()) {
        rest = &rest[at..];
        if let Some(inner) = rest.strip_prefix('[') {
            let end = inner.find(']').unwrap_or(inner.len());
            if is_tag(&inner[..end]) {
                add(&inner[..end]);
                rest = &inner[end..];
            } else {
                rest = inner;
            }
            continue;
        }
        let end = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .unwrap_or(rest.len());
        if is_key(&rest[..end]) {
            add(&rest[..end]);
        }
        rest = &rest[end..];
    }
    found
}

fn is_tag(inner: &str) -> bool {
    is_seed(inner)
        || matches!(inner, "VD" | "KLR")
        || inner.starts_with("PN: ")
        || inner.starts_with("public notes: ")
}

fn is_seed(word: &str) -> bool {
    matches!(word.as_bytes(), [b'S', digit] if digit.is_ascii_digit())
}

/// Keys of the chapters that write their sources without brackets. `S0` to `S3` would be slots there.
fn is_key(word: &str) -> bool {
    word == "S4" || word.strip_prefix("PN-").is_some_and(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(chapter: u8, number: &str) -> Section {
        Chapter::numbered(chapter).and_then(|chapter| chapter.section(number)).unwrap()
    }

    #[test]
    fn sections_have_their_titles_and_end_at_the_next_heading() {
        let formula = section(5, "3.1");
        assert_eq!(formula.title, "One formula");
        assert!(formula.body.starts_with("Bundles issue strictly in order."));
        assert!(formula.body.contains("max(1, L(d)"));
        assert!(!formula.body.contains("Distances in practice"));
        assert_eq!(section(2, "4").title, "Group clause lists");
        assert_eq!(Chapter::numbered(2).unwrap().section("99"), None);
    }

    #[test]
    fn rows_know_the_heads_of_their_columns() {
        let rows = section(2, "4.1").rows();
        let row = rows.iter().find(|row| row.key() == "CR-OP1").unwrap();
        assert_eq!(row.cell("condition"), Some("op1 ∈ cache_combine"));
        assert_eq!(row.cell("gens"), Some("all"));
        assert!(section(2, "4.1").opening().contains("Source [S0]"));
    }

    #[test]
    fn an_escaped_border_stays_in_its_cell() {
        assert_eq!(cells(r"| a \| b | c |"), [r"a \| b", "c"]);
        assert!(is_rule("|---|---:|"));
        assert!(!is_rule("| a | b |"));
    }

    #[test]
    fn sources_are_named_once_and_slots_are_none() {
        let text =
            "High ([S0], [VD]; [PN: Cast and Copy]); slots S0, S3; S4, PN-B06 [S0], D-05 [x].";
        assert_eq!(sources(text), ["S0", "VD", "PN: Cast and Copy", "S4", "PN-B06"]);
    }
}
