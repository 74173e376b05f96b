//! Which rule of the specification a divergence is about, quoted from the chapter with its place and
//! the sources that it names: a clause's row for a verdict, the instruction's section, its operators
//! and the conversion of its store for a tensor value, the family's section for a vector value, the
//! line of spec 05 for a schedule.
//!
//! A rule is named for the reader; nothing here decides who is right.

pub mod chapter;
mod vector;

use crate::compare::{Divergence, Observed, Place, ScheduleLabel};
use crate::family::{Op, ops_of_step};
use chapter::{Chapter, Row, Section, sources};
use contract::case::{Case, RECORD};
use contract::isa::layout::layout;
use contract::isa::{ClauseId, Dtype, Mnemonic, opcode_info};
use contract::outcome::{LegalityReason, TensorVerdict, VectorStep};

/// A rule: a section, or one row of a table in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Where it stands.
    pub section: Section,
    /// The row, if one row says it.
    pub row: Option<Row>,
}

impl Rule {
    fn section(chapter: u8, number: &str) -> Option<Self> {
        let section = Chapter::numbered(chapter)?.section(number)?;
        Some(Self { section, row: None })
    }

    /// The first row of a section that `fits`; the section if none does.
    fn row(chapter: u8, number: &str, fits: impl Fn(&Row) -> bool) -> Option<Self> {
        let rule = Self::section(chapter, number)?;
        let row = rule.section.rows().into_iter().find(fits);
        Some(Self { row, ..rule })
    }

    /// `spec 02 section 4.1`
    pub fn place(&self) -> String {
        format!("spec {:02} section {}", self.section.chapter, self.section.number)
    }

    /// Sources named by the row, else by the section: its opening where a row is quoted, all of it
    /// otherwise.
    pub fn sources(&self) -> Vec<String> {
        let Some(row) = &self.row else { return sources(self.section.body) };
        let of_row: Vec<String> = row.cells.iter().flat_map(|(_, cell)| sources(cell)).collect();
        if of_row.is_empty() { sources(self.section.opening()) } else { of_row }
    }

    /// The rule in plain text, one or two lines: what it says where a row says it, else its title; then
    /// its place and sources.
    pub fn text(&self) -> String {
        let title = plain(self.section.title);
        let place = match &self.row {
            Some(row) => {
                let said: Vec<String> =
                    row.cells.iter().take(3).map(|(_, cell)| plain(cell)).collect();
                format!("{}\n      {}, {title}", said.join(" | "), self.place())
            }
            None => format!("{}, {title}", self.place()),
        };
        let sources = self.sources();
        let sources = match sources.is_empty() {
            true => String::new(),
            false => format!("; sources: {}", sources.join(", ")),
        };
        format!("rule: {place} ({}){sources}", self.section.file)
    }
}

/// Text without the marks of bold and code.
fn plain(text: &str) -> String {
    text.replace("**", "").replace('`', "").replace("\\|", "|")
}

/// Section in which a group of ops gets its values, as the heading of a group of rows.
pub fn section_of_mnemonic(mnemonic: Mnemonic) -> Option<Section> {
    let (chapter, number) = vector::values(mnemonic)?;
    Chapter::numbered(chapter)?.section(number)
}

/// The row of a clause.
pub fn clause_rule(clause: ClauseId) -> Option<Rule> {
    let chapter = Chapter::numbered(2)?;
    chapter.sections().into_iter().find_map(|section| {
        let row = section.rows().into_iter().find(|row| row.key() == clause.id())?;
        Some(Rule { section, row: Some(row) })
    })
}

/// The rules that a divergence is about, the nearest first, each once.
pub fn rules_of(case: &Case, divergence: &Divergence) -> Vec<Rule> {
    let found = match divergence.place {
        Place::Verdict | Place::Kind => verdict_rules(case, divergence),
        Place::Flag => flag_rules(case, divergence),
        Place::Schedule { label, .. } => schedule_rules(case, divergence, label),
        Place::OutsideCase { .. } | Place::Region(_) => vec![Rule::section(3, "6")],
        Place::TensorMemory { .. } | Place::Accumulator(_) | Place::Seeded(_) => {
            tensor_value_rules(case, divergence)
        }
        Place::Register(_) | Place::Window | Place::VectorMemory { .. } => {
            vector_value_rules(case, divergence)
        }
    };
    let mut rules: Vec<Rule> = Vec::new();
    for rule in found.into_iter().flatten() {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

fn verdict_rules(case: &Case, divergence: &Divergence) -> Vec<Option<Rule>> {
    let mut rules = Vec::new();
    if let Some((missing, extra)) = divergence.clause_difference() {
        rules.extend(missing.union(extra).iter().map(clause_rule));
    }
    for side in [&divergence.expected, &divergence.actual] {
        match side {
            Observed::Tensor(TensorVerdict::Unsupported(reason) | TensorVerdict::Fault(reason)) => {
                rules.push(Rule::row(1, "7.1", |row| {
                    let listed = row.cell("reason").unwrap_or_default();
                    listed.split(", ").any(|listed| listed == reason.text())
                }));
            }
            Observed::Vector(VectorStep::Reject(reason)) => rules.push(legality_rule(reason)),
            Observed::Vector(VectorStep::Fault(..)) => rules.push(Rule::section(4, "3")),
            Observed::Vector(VectorStep::Unsupported(_)) => rules.push(Rule::section(4, "10.2")),
            _ => {}
        }
    }
    if rules.is_empty() {
        rules.push(match case {
            Case::Tensor(_) => Rule::section(2, "1"),
            Case::Vector(_) => Rule::section(5, "6"),
        });
    }
    rules
}

fn legality_rule(reason: &LegalityReason) -> Option<Rule> {
    Rule::row(5, "6", |row| plain(row.cell("reason").unwrap_or_default()) == reason.text())
}

fn flag_rules(case: &Case, divergence: &Divergence) -> Vec<Option<Rule>> {
    let mut rules = vec![instruction_rule(case, divergence)];
    rules.push(Rule::row(3, "9", |row| plain(row.key()) == "D-25"));
    rules
}

/// The record of the guilty step.
fn record<'a>(case: &'a Case, divergence: &Divergence) -> Option<&'a [u8; RECORD]> {
    match case {
        Case::Tensor(case) => case.program.get(divergence.step?),
        Case::Vector(_) => None,
    }
}

/// The section of spec 03 whose heading names the opcode.
fn instruction_rule(case: &Case, divergence: &Divergence) -> Option<Rule> {
    let opcode = record(case, divergence)?[0];
    let code = format!("0x{opcode:02X}");
    let chapter = Chapter::numbered(3)?;
    let section = chapter
        .sections()
        .into_iter()
        .find(|section| section.number.starts_with("7.") && section.title.contains(&code))?;
    Some(Rule { section, row: None })
}

fn tensor_value_rules(case: &Case, divergence: &Divergence) -> Vec<Option<Rule>> {
    let mut rules = vec![instruction_rule(case, divergence)];
    let Some(record) = record(case, divergence) else { return rules };
    let body = opcode_info(record[0]).and_then(|row| row.layout).and_then(layout);
    let Some(body) = body else { return rules };
    let field = |name: &str| body.field(name).map(|field| record[field.offset]);
    let raw = opcode_info(record[0]).is_some_and(|row| row.name.contains("Bitvec"));
    let operators: Vec<u8> = ["op", "op0", "op1"].into_iter().filter_map(field).collect();
    let integers = !raw && operators.iter().any(|&code| is_integer(code));
    let section = match (raw, integers) {
        (true, _) => "5.4",
        (false, true) => "5.3",
        (false, false) => "5.2",
    };
    for &code in &operators {
        // Bypass beside an integer operator has its row among the FP32 ones.
        let section = if integers && !is_integer(code) { "5.2" } else { section };
        rules.push(
            Rule::row(3, section, |row| names_code(row.cell("code").unwrap_or_default(), code))
                .filter(|rule| rule.row.is_some()),
        );
    }
    let stored = matches!(divergence.place, Place::TensorMemory { .. }) && !raw;
    let dtype = field("out_dtype").or_else(|| field("dtype")).and_then(Dtype::from_wire);
    if stored && dtype.is_some() {
        rules.push(Rule::section(3, if integers { "3.5" } else { "3.4" }));
    }
    rules
}

/// True for operators of the compute type C_I (spec 03 section 3.2).
const fn is_integer(code: u8) -> bool {
    matches!(code, 0xC4..=0xE1 | 0x1B)
}

/// True if a cell such as `0x13–0x16, 0x18` names the code.
fn names_code(cell: &str, code: u8) -> bool {
    let number = |text: &str| u8::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok();
    cell.split([',', '/']).any(|part| match part.split_once('–') {
        Some((first, last)) => match (number(first), number(last)) {
            (Some(first), Some(last)) => (first..=last).contains(&code),
            _ => false,
        },
        None => number(part) == Some(code),
    })
}

/// The known mnemonics of the guilty bundle.
fn mnemonics(case: &Case, divergence: &Divergence) -> Vec<Mnemonic> {
    let mut found = Vec::new();
    if let Some(step) = divergence.step {
        ops_of_step(case, step, |op| {
            if let Op::Vector(mnemonic) = op {
                found.push(mnemonic);
            }
        });
    }
    found
}

fn at((chapter, number): (u8, &'static str)) -> Option<Rule> {
    Rule::section(chapter, number)
}

fn vector_value_rules(case: &Case, divergence: &Divergence) -> Vec<Option<Rule>> {
    let ops = mnemonics(case, divergence);
    let values = ops.iter().map(|&op| vector::values(op).and_then(at));
    let forms = ops.iter().map(|&op| vector::form(op).and_then(at));
    values.chain(forms).collect()
}

fn schedule_rules(case: &Case, divergence: &Divergence, label: ScheduleLabel) -> Vec<Option<Rule>> {
    let line = Rule::row(5, "10", |row| row.cells.iter().any(|(_, cell)| names(cell, label)));
    let mut rules = vec![match label {
        ScheduleLabel::Verdict => Rule::section(5, "6"),
        ScheduleLabel::LatRegset | ScheduleLabel::LatPost => None,
        ScheduleLabel::LatOrder => Rule::section(5, "5.1"),
        ScheduleLabel::Issue => Rule::section(5, "3.1"),
        ScheduleLabel::Cause => Rule::section(5, "3.4"),
        ScheduleLabel::Cycles => Rule::section(5, "9.1"),
    }];
    if matches!(label, ScheduleLabel::LatRegset | ScheduleLabel::LatPost | ScheduleLabel::LatOrder)
    {
        let slot = match divergence.place {
            Place::Schedule { slot, .. } => slot,
            _ => None,
        };
        let ops = match slot {
            Some(slot) => mnemonic_in(case, divergence, slot).into_iter().collect(),
            None => mnemonics(case, divergence),
        };
        rules.extend(ops.into_iter().map(posting_rule));
    }
    rules.push(line);
    rules
}

/// True if the cell names the label in code.
fn names(cell: &str, label: ScheduleLabel) -> bool {
    cell.contains(&format!("`{}`", label.name()))
}

fn mnemonic_in(case: &Case, divergence: &Divergence, slot: u8) -> Option<Mnemonic> {
    let Case::Vector(case) = case else { return None };
    let bundle = case.program.get(divergence.step?)?;
    bundle.ops.iter().find(|op| op.slot == u32::from(slot)).and_then(|op| match op.op {
        contract::bundle::OpWord::Known(mnemonic) => Some(mnemonic),
        contract::bundle::OpWord::Unknown(_) => None,
    })
}

/// The row of the LAT table that lists the mnemonic; the section with the chapter's schedule facts where
/// no row names it.
fn posting_rule(mnemonic: Mnemonic) -> Option<Rule> {
    let (chapter, number) = vector::postings(mnemonic)?;
    Rule::row(chapter, number, |row| {
        row.cell("members").unwrap_or_default().split(", ").any(|name| name == mnemonic.name())
    })
}

#[cfg(test)]
mod tests;
