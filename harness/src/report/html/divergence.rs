//! The part of the page about one bucket: what differs, the rule, the program, lanes, memory, schedules, a
//! diff of both outcomes, how to see it again.

use super::bytes;
use super::markdown;
use super::sentence::sentence;
use super::tables::scroll;
use super::verdict::counted;
use crate::compare::{Comparison, Divergence, Observed, Place, VectorRegister};
use crate::lane::Lane;
use crate::number::text_of;
use crate::report::chart;
use crate::report::elements::Elements;
use crate::report::outcome_text::{Listing, listing};
use crate::report::record_text;
use crate::report::rules::{Rule, rules_of};
use crate::report::text::{bundle_text, place_text};
use crate::triage::{Root, Signature, Triage, Writer, writer_of};
use contract::case::{Case, TensorCase, VectorCase};
use contract::isa::{Dtype, RegClass};
use contract::json::write_case;
use contract::outcome::Outcome;
use maud::{Markup, PreEscaped, html};
use similar::{ChangeTag, TextDiff};

/// Rows of a table of differences.
const ROWS: usize = 24;
/// Registers shown lane by lane.
const REGISTERS: usize = 8;
/// Guilty or first steps whose record is decoded.
const RECORDS: usize = 8;
/// Bytes of a case file that the page repeats.
const CASE_BYTES: usize = 6_000;
/// Bundles of a program whose schedules are drawn.
const CHARTED: usize = 128;

/// What is known about the case that stands for a bucket.
pub struct Evidence<'a> {
    /// Number of the bucket on the page, from 1.
    pub number: usize,
    /// The bucket's signature.
    pub signature: &'a Signature,
    /// The case.
    pub case: &'a Case,
    /// The reference's outcome.
    pub expected: &'a Outcome,
    /// The candidate's outcome.
    pub actual: &'a Outcome,
    /// What differs.
    pub comparison: &'a Comparison,
    /// Roots and steps.
    pub triage: &'a Triage,
}

/// How a bucket is introduced: where its case came from and how to see it again.
pub struct Heading {
    /// Cases in the bucket.
    pub count: u64,
    /// Bucket, also the name of its folder.
    pub bucket: String,
    /// Where the case came from.
    pub origin: String,
    /// The command that shows it.
    pub command: String,
    /// Files of the bucket: name and path from the page.
    pub files: Vec<(String, String)>,
    /// True if the bucket is accepted.
    pub known: bool,
    /// What minimising did, if it was done.
    pub minimised: Option<String>,
    /// What may vary around the minimised case, in one line.
    pub generalisation: Option<String>,
}

impl Evidence<'_> {
    /// The root that has the bucket's signature, else the first.
    fn root(&self) -> Option<&Root> {
        let roots = &self.triage.roots;
        roots.iter().find(|root| root.divergence.aspect == self.signature.aspect).or(roots.first())
    }

    /// What differs, in one sentence.
    pub fn sentence(&self) -> String {
        self.root().map_or_else(
            || "The models answer differently from run to run.".to_owned(),
            |root| sentence(self.case, [self.expected, self.actual], &root.divergence),
        )
    }

    /// The part of the page.
    pub fn markup(&self, heading: &Heading) -> Markup {
        frame(
            self.number,
            &self.sentence(),
            heading,
            &html! {
                (self.differences())
                (self.rules())
                (self.program())
                (self.schedules())
                (self.diff())
                (self.case_file())
            },
        )
    }

    fn differences(&self) -> Markup {
        let all = &self.comparison.divergences;
        let of = |wanted: fn(&Place) -> bool| -> Vec<&Divergence> {
            all.iter().filter(|divergence| wanted(&divergence.place)).collect()
        };
        let memory = of(|place| matches!(place, Place::TensorMemory { .. }));
        let accumulators = of(|place| matches!(place, Place::Accumulator(_)));
        let registers: Vec<&Divergence> = of(|place| matches!(place, Place::Register(_)));
        let (in_lanes, words): (Vec<&Divergence>, Vec<&Divergence>) = registers
            .into_iter()
            .partition(|divergence| matches!(divergence.expected, Observed::Bytes(_)));
        let plain: Vec<&Divergence> = all
            .iter()
            .filter(|divergence| {
                !matches!(
                    divergence.place,
                    Place::TensorMemory { .. }
                        | Place::Accumulator(_)
                        | Place::Register(_)
                        | Place::VectorMemory { .. }
                )
            })
            .collect();
        let differing = self.comparison.differing;
        html! {
            h4 { "What differs" }
            (self.places(&plain, "Verdicts, flags, schedules"))
            (self.elements(&memory))
            (accumulator_table(&accumulators))
            (self.places(&words, "Registers"))
            @for divergence in in_lanes.iter().take(REGISTERS) { (self.lanes(divergence)) }
            @if in_lanes.len() > REGISTERS {
                p.muted { (in_lanes.len() - REGISTERS) " more registers differ." }
            }
            @if let Some(rows) = bytes::memory(self.case, self.expected, self.actual, self.comparison) {
                h4 { "Memory" }
                (rows)
            }
            p.muted.small {
                "In all: " (counted(differing.values, "value")) ", "
                (counted(differing.verdicts, "verdict")) ", "
                (counted(differing.schedules, "bundle schedule")) "."
            }
        }
    }

    fn places(&self, divergences: &[&Divergence], caption: &str) -> Markup {
        if divergences.is_empty() {
            return html! {};
        }
        let table = html! {
            table {
                caption { (caption) }
                thead { tr {
                    th scope="col" { "place" } th scope="col" { "reference" } th scope="col" { "candidate" }
                } }
                tbody { @for divergence in divergences.iter().take(ROWS) {
                    @let [mine, theirs] = bytes::sides(
                        &divergence.expected.to_string(),
                        &divergence.actual.to_string(),
                    );
                    tr {
                        th scope="row" { (place_text(divergence)) }
                        td.side-reference { (mine) }
                        td.side-candidate {
                            (theirs) (clause_note(divergence))
                            @if let Some(note) = self.mask_note(divergence) { br; (note) }
                        }
                    }
                } }
            }
        };
        html! {
            (scroll(caption, &table))
            @if divergences.len() > ROWS {
                p.muted.small { (divergences.len() - ROWS) " more rows." }
            }
        }
    }

    fn elements(&self, memory: &[&Divergence]) -> Markup {
        let Some(elements) = Elements::of(self.case, self.expected, self.actual) else {
            return html! {};
        };
        let rows: Vec<_> = memory
            .iter()
            .filter_map(|divergence| elements.rows(divergence, ROWS + 1))
            .flatten()
            .take(ROWS + 1)
            .collect();
        if rows.is_empty() {
            return html! {};
        }
        let table = html! {
            table {
                caption { "Elements of tensor memory" }
                thead { tr {
                    th scope="col" { "address" } th scope="col" { "element" }
                    th scope="col" { "dtype" }
                    th scope="col" { "reference" } th scope="col" { "candidate" }
                } }
                tbody { @for row in rows.iter().take(ROWS) {
                    @let [mine, theirs] =
                        bytes::sides(&row.shown(row.expected), &row.shown(row.actual));
                    tr {
                        th scope="row" { code { (format!("{:#010x}", row.address)) } }
                        td { @match row.element {
                            Some(element) => {
                                "step " (element.step) ", channel " (element.channel)
                                ", element " (element.position)
                            }
                            None => "in no destination",
                        } }
                        td { (row.element.map_or("–", |element| element.dtype.name())) }
                        td.side-reference { (mine) }
                        td.side-candidate { (theirs) }
                    }
                } }
            }
        };
        html! {
            (scroll("Elements that differ", &table))
            @if rows.len() > ROWS { p.muted.small { "More elements differ." } }
        }
    }

    fn lanes(&self, divergence: &Divergence) -> Markup {
        let (Observed::Bytes(mine), Observed::Bytes(theirs)) =
            (&divergence.expected, &divergence.actual)
        else {
            return html! {};
        };
        let (writer, lane) = self.lane(divergence);
        let differing = divergence.differing_lanes(lane.bytes());
        let list: Vec<String> = differing.iter().map(usize::to_string).collect();
        html! {
            h4 {
                "Register " code { (place_text(divergence)) }
                @if let Some(writer) = writer {
                    span.muted { ", written by S" (writer.slot) " " (writer.op) " of bundle " (writer.bundle) }
                }
            }
            p.legend {
                (lane.bits) " bits a lane, lane 0 first. "
                (counted(differing.len() as u64, "lane")) " of " (mine.len().div_ceil(lane.bytes()))
                @if differing.len() == 1 { " differs (" } @else { " differ (" }
                (list.join(", ")) "): above "
                mark.reference { "reference" } ", below " mark.candidate { "candidate" } "."
            }
            (bytes::register(mine, theirs, lane))
        }
    }

    /// The op that wrote the register of a divergence, and how its name divides the register.
    fn lane(&self, divergence: &Divergence) -> (Option<Writer>, Lane) {
        let (Outcome::Vector(expected), Place::Register(register)) =
            (self.expected, divergence.place)
        else {
            return (None, Lane::BYTES);
        };
        let writer = writer_of(expected, register, usize::MAX);
        let lane = writer.map_or(Lane::BYTES, |writer| Lane::of(writer.op));
        let lane = match register {
            VectorRegister::File(RegClass::Vbool, _) => lane,
            VectorRegister::File(class, _) => lane.of_class(class),
            VectorRegister::Fs(_) | VectorRegister::Fcr | VectorRegister::Fsr => Lane::BYTES,
        };
        (writer, lane)
    }

    /// The lanes of a predicate register whose fields differ.
    fn mask_note(&self, divergence: &Divergence) -> Option<String> {
        let Place::Register(VectorRegister::File(RegClass::Vbool, _)) = divergence.place else {
            return None;
        };
        let (Observed::Word(mine, _), Observed::Word(theirs, _)) =
            (&divergence.expected, &divergence.actual)
        else {
            return None;
        };
        let (_, lane) = self.lane(divergence);
        let field = lane.field();
        let lanes: Vec<String> = (0..64 / field)
            .filter(|index| (mine ^ theirs) >> (index * field) & ((1 << field) - 1) != 0)
            .map(|index| index.to_string())
            .collect();
        Some(format!("{}-bit lanes {} differ", lane.bits, lanes.join(", ")))
    }

    fn rules(&self) -> Markup {
        let mut rules: Vec<Rule> = Vec::new();
        if let Some(root) = self.root() {
            rules = rules_of(self.case, &root.divergence);
        }
        html! {
            @if !rules.is_empty() { h4 { "The rule" } }
            @for rule in &rules { (rule_markup(rule)) }
        }
    }

    fn guilty(&self, step: usize) -> bool {
        self.triage.roots.iter().any(|root| root.step == Some(step))
    }

    fn program(&self) -> Markup {
        match self.case {
            Case::Tensor(case) => self.records(case),
            Case::Vector(case) => self.bundles(case),
        }
    }

    fn records(&self, case: &TensorCase) -> Markup {
        html! {
            h4 { "Program, generation " (case.generation.name()) }
            ol.program {
                @for (step, record) in case.program.iter().enumerate() {
                    @let guilty = self.guilty(step);
                    li class=[guilty.then_some("guilty")] {
                        @if guilty { span.flag { "▶ makes the difference " } }
                        span.muted { "step " (step) ": " } code { (record_text::one_line(record)) }
                        @if step < RECORDS || guilty {
                            details open=[guilty.then_some("open")] {
                                summary { "Record field by field" }
                                (fields(record, case, step))
                            }
                        }
                    }
                }
            }
        }
    }

    fn bundles(&self, case: &VectorCase) -> Markup {
        html! {
            h4 { "Program" }
            ol.program {
                @for (step, bundle) in case.program.iter().enumerate() {
                    @let guilty = self.guilty(step);
                    li class=[guilty.then_some("guilty")] {
                        @if guilty { span.flag { "▶ makes the difference " } }
                        span.muted { "bundle " (step) ": " } code { (bundle_text(bundle)) }
                    }
                }
            }
        }
    }

    fn schedules(&self) -> Markup {
        let (Case::Vector(case), Outcome::Vector(expected), Outcome::Vector(actual)) =
            (self.case, self.expected, self.actual)
        else {
            return html! {};
        };
        let drawn = |side: &str, schedule: Option<&contract::schedule::Schedule>| {
            let Some(schedule) = schedule else {
                return html! { p.muted { "The " (side) " gives no schedule." } };
            };
            let id = format!("chart-{}-{side}", self.number);
            let picture = chart::svg(&case.program, schedule, &id);
            // Inline in a page the namespace goes without saying.
            let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
            html! {
                figure {
                    figcaption { "Schedule of the " strong class={ "side-" (side) } { (side) } }
                    (scroll(&format!("Schedule of the {side}"), &PreEscaped(picture)))
                }
            }
        };
        let both = (expected.schedule.as_ref(), actual.schedule.as_ref());
        if case.program.len() > CHARTED || both == (None, None) {
            return html! {};
        }
        if both.0 == both.1 {
            return html! {
                details { summary { h4 { "Schedule, the same in both" } } (drawn("reference", both.0)) }
            };
        }
        html! {
            h4 { "Schedules" }
            (drawn("reference", both.0))
            (drawn("candidate", both.1))
        }
    }

    fn diff(&self) -> Markup {
        let (expected, actual) =
            Listing::paired(listing(self.case, self.expected), listing(self.case, self.actual));
        let diff = TextDiff::from_lines(&expected, &actual);
        let changes = diff.iter_all_changes().map(|change| {
            let (class, sign) = match change.tag() {
                ChangeTag::Equal => ("same", " "),
                ChangeTag::Delete => ("reference", "-"),
                ChangeTag::Insert => ("candidate", "+"),
            };
            (class, sign, change.value().trim_end_matches('\n').to_owned())
        });
        let lines = html! {
            pre.diff {
                span.place { "--- reference" } span.place { "+++ candidate" }
                @for (class, sign, text) in changes { span class=(class) { (sign) (text) } }
            }
        };
        html! {
            h4 { "Both outcomes, near the first differences" }
            (scroll("Diff of both outcomes", &lines))
        }
    }

    fn case_file(&self) -> Markup {
        let text = write_case(self.case);
        html! {
            @if text.len() <= CASE_BYTES {
                details { summary { h4 { "The case as a file" } } pre.json { (text) } }
            }
        }
    }
}

/// A bucket's part of the page around its content.
pub(super) fn frame(number: usize, sentence: &str, heading: &Heading, content: &Markup) -> Markup {
    html! {
        article id={ "bucket-" (number) } aria-labelledby={ "bucket-" (number) "-title" } {
            header {
                h3 id={ "bucket-" (number) "-title" } { (number) ". " (sentence) }
                ul.chips {
                    li { span.chip { (counted(heading.count, "case")) } }
                    @if heading.known { li { span.chip { "known" } } }
                    li { code { (heading.bucket) } }
                    li { "smallest case: " (heading.origin) }
                    @if let Some(minimised) = &heading.minimised { li { (minimised) } }
                }
                @if let Some(line) = &heading.generalisation {
                    p.small { strong { "Around the minimised case: " } (line) }
                }
                code.command { (heading.command) }
                p.files { @for (name, path) in &heading.files { a href=(path) { (name) } } }
            }
            (content)
        }
    }
}

/// The rule, quoted.
fn rule_markup(rule: &Rule) -> Markup {
    let sources = rule.sources();
    let title = markdown::inline(rule.section.title);
    let from = html! {
        p.muted.small {
            "From " code { (rule.section.file) }
            @if !sources.is_empty() { ", sources: " (sources.join("; ")) }
        }
    };
    match &rule.row {
        Some(row) => html! {
            div.rule {
                p { strong { (rule.place()) } ", " (title) }
                blockquote {
                    dl { @for (head, cell) in &row.cells {
                        dt { (markdown::inline(head)) } dd { (markdown::inline(cell)) }
                    } }
                }
                (from)
            }
        },
        None => html! {
            details.rule {
                summary { strong { (rule.place()) } ", " (title) }
                blockquote { (markdown::blocks(rule.section.body)) }
                (from)
            }
        },
    }
}

/// Clauses that one side alone reports.
fn clause_note(divergence: &Divergence) -> Markup {
    let Some((missing, extra)) = divergence.clause_difference() else { return html! {} };
    let names = |set: contract::isa::ClauseSet| {
        set.iter().map(|clause| clause.id()).collect::<Vec<_>>().join(", ")
    };
    html! {
        @if !missing.is_empty() { br; "not reported: " strong { (names(missing)) } }
        @if !extra.is_empty() { br; "reported beyond: " strong { (names(extra)) } }
    }
}

fn accumulator_table(divergences: &[&Divergence]) -> Markup {
    if divergences.is_empty() {
        return html! {};
    }
    let shown = |side: &Observed| match side {
        Observed::Word(bits, _) => format!("{side} ({})", text_of(Dtype::Fp32, *bits)),
        other => other.to_string(),
    };
    let table = html! {
        table {
            caption { "Accumulators at the end of the program" }
            thead { tr {
                th scope="col" { "lane" } th scope="col" { "reference" } th scope="col" { "candidate" }
            } }
            tbody { @for divergence in divergences.iter().take(ROWS) {
                @if let Place::Accumulator(lane) = divergence.place {
                    @let [mine, theirs] =
                        bytes::sides(&shown(&divergence.expected), &shown(&divergence.actual));
                    tr {
                        th scope="row" { (lane) }
                        td.side-reference { (mine) } td.side-candidate { (theirs) }
                    }
                }
            } }
        }
    };
    html! {
        (scroll("Accumulators that differ", &table))
        @if divergences.len() > ROWS {
            p.muted.small { (divergences.len() - ROWS) " more lanes differ." }
        }
    }
}

fn fields(record: &[u8; contract::case::RECORD], case: &TensorCase, step: usize) -> Markup {
    let table = html! {
        table.fields {
            caption.hidden { "Fields of the record of step " (step) }
            thead { tr {
                th scope="col" { "field" } th.number scope="col" { "byte" }
                th scope="col" { "hex" } th scope="col" { "meaning" }
            } }
            tbody { @for field in record_text::fields(record, case.generation) { tr {
                th scope="row" { code { (field.name) } }
                td.number { (field.offset) }
                td { code { (field.bytes) } }
                td { (field.meaning) }
            } } }
        }
    };
    scroll(&format!("Fields of step {step}"), &table)
}
