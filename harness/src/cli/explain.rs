//! `q7diff explain`: a descriptor field by field with every clause, or the program of a case file; a
//! vector program, from a case or as bare text, with its schedule and pipeline chart. For a case, also
//! which contested switches would change its outcome.

mod vector;

use super::failure::{AGREE, Failure};
use super::options::{ProfileArgs, parse_generation};
use super::output::print;
use crate::compare::{Comparator, Comparison, Observed};
use crate::corpus::{read_documents, read_text};
use crate::family::Op;
use crate::models::{self, Guarded};
use crate::report::chart;
use crate::report::json;
use crate::report::outcome_text::{Listing, listing};
use crate::report::record_text::{FieldText, fields, opcode_text};
use crate::report::summary::{clauses_of, preamble_clauses};
use crate::schedule_text;
use clap::Args;
use contract::case::{Case, RECORD, TensorCase};
use contract::isa::{ClauseId, Generation};
use contract::model::ModelError;
use contract::outcome::{Outcome, TensorStep, TensorVerdict};
use contract::profile::Profile;
use serde::Serialize;
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `explain`.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// A case file, the text of a vector program (one bundle a line), or a record of 128 hex digits
    #[arg(value_name = "FILE|HEX")]
    pub what: String,
    /// Also draw the schedule of a vector program into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Generation that a bare record is judged for
    #[arg(long, value_name = "G", default_value = "mariana")]
    pub generation: String,
    /// Switches
    #[command(flatten)]
    pub profile: ProfileArgs,
}

#[derive(Serialize)]
struct Document {
    version: u32,
    cases: Vec<CaseRecord>,
}

#[derive(Serialize)]
struct CaseRecord {
    place: String,
    id: String,
    steps: Vec<StepRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    schedule: Vec<String>,
    #[serde(skip)]
    chart: String,
    switches: Vec<SwitchRecord>,
}

#[derive(Serialize)]
struct StepRecord {
    step: usize,
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clauses: Vec<ClauseRecord>,
    verdict: String,
}

#[derive(Serialize)]
struct FieldRecord {
    offset: usize,
    size: usize,
    name: String,
    bytes: String,
    meaning: String,
}

#[derive(Serialize)]
struct ClauseRecord {
    id: &'static str,
    passes: bool,
}

/// A switch value under which the case comes out differently.
#[derive(Serialize)]
struct SwitchRecord {
    switch: &'static str,
    value: &'static str,
    #[serde(skip)]
    diff: String,
}

pub(super) fn run(args: &ExplainArgs, json_output: bool) -> Result<u8, Failure> {
    let mut model = Guarded::new(models::oracle());
    let mut document = Document { version: 1, cases: Vec::new() };
    let bare = !Path::new(&args.what).exists();
    let cases = cases(args)?;
    if let Some(file) = &args.svg {
        vector::draw(&mut model, &cases, file)?;
    }
    for (place, case) in cases {
        document.cases.push(explain(&mut model, place, &case, bare)?);
    }
    if json_output {
        print(&json(&document))?;
    } else {
        let texts: Vec<String> = document.cases.iter().map(text).collect();
        print(&texts.join("\n"))?;
    }
    Ok(AGREE)
}

fn cases(args: &ExplainArgs) -> Result<Vec<(String, Case)>, Failure> {
    let path = Path::new(&args.what);
    if !path.exists() {
        let record = read_record(&args.what)?;
        let generation = parse_generation(&args.generation)?;
        let profile = args.profile.apply(Profile::default())?;
        return Ok(vec![(
            "record".to_owned(),
            Case::Tensor(record_case(record, generation, profile)),
        )]);
    }
    let text = read_text(path)?;
    // A case is a JSON object, a bundle begins with its format.
    let is_json = path.extension().is_some_and(|end| end == "json" || end == "jsonl");
    if !is_json && !text.trim_start().starts_with('{') {
        let profile = args.profile.apply(Profile::default())?;
        return Ok(vec![(
            args.what.clone(),
            Case::Vector(vector::program_case(path, &text, profile)?),
        )]);
    }
    let mut cases = Vec::new();
    for document in read_documents(path)? {
        let mut case = document.case()?;
        let profile = args.profile.apply(*case.profile())?;
        *case.profile_mut() = profile;
        cases.push((document.place, case));
    }
    Ok(cases)
}

/// Reads 128 hex digits; blanks and underscores between them are allowed.
fn read_record(text: &str) -> Result<[u8; RECORD], Failure> {
    let digits: String =
        text.chars().filter(|letter| !letter.is_whitespace() && *letter != '_').collect();
    let digits = digits.strip_prefix("0x").unwrap_or(&digits);
    if let Some(letter) = digits.chars().find(|letter| !letter.is_ascii_hexdigit()) {
        return Err(Failure::input(format!(
            "`{text}` is neither a file nor hex: it holds `{letter}`"
        )));
    }
    if digits.len() != 2 * RECORD {
        return Err(Failure::input(format!(
            "a record has {} hex digits, this one has {}",
            2 * RECORD,
            digits.len()
        )));
    }
    let mut record = [0; RECORD];
    for (index, byte) in record.iter_mut().enumerate() {
        // Both digits were checked above.
        *byte = u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).unwrap_or(0);
    }
    Ok(record)
}

/// A case of one record, with memory wherever it may write.
fn record_case(record: [u8; RECORD], generation: Generation, profile: Profile) -> TensorCase {
    TensorCase {
        id: "record".to_owned(),
        generation,
        profile,
        memory: Vec::new(),
        registers: BTreeMap::new(),
        program: vec![record],
    }
}

/// `bare`: the case is a record without memory, about which nothing but its verdict is asked.
fn explain(
    model: &mut Guarded,
    place: String,
    case: &Case,
    bare: bool,
) -> Result<CaseRecord, Failure> {
    let mut outcome = Outcome::Tensor(Box::default());
    let judged = model.run_into(case, &mut outcome);
    if let Err(error @ ModelError::WriteOutsideCase { .. }) = &judged
        && !bare
    {
        return Err(Failure::input(format!("{place}: case `{}`: {error}", case.id()))
            .hint("give every destination a memory region that contains it"));
    }
    let mut record = CaseRecord {
        place: place.clone(),
        id: case.id().to_owned(),
        steps: Vec::new(),
        notes: Vec::new(),
        schedule: Vec::new(),
        chart: String::new(),
        switches: Vec::new(),
    };
    record.steps = match (case, &outcome) {
        (Case::Tensor(case), Outcome::Tensor(outcome)) => {
            // A bare record has no memory to write to. It writes only because it is accepted.
            let accepted = TensorStep { verdict: TensorVerdict::Accept, indeterminate_acc: false };
            let known = match &judged {
                Err(_) if bare => std::slice::from_ref(&accepted),
                _ => &outcome.steps[..],
            };
            tensor_steps(case, known)
        }
        (Case::Vector(case), Outcome::Vector(outcome)) => {
            record.notes = vector::notes(&case.program);
            if let Some(known) = &outcome.schedule {
                record.schedule = schedule_text::lines(known);
                record.chart = chart::text(&case.program, known, vector::width());
            }
            vector::vector_steps(case, &outcome.steps)
        }
        _ => return Err(Failure::model(format!("{place}: the model gave no outcome"))),
    };
    if judged.is_ok() {
        record.switches = switches_that_matter(model, case, &outcome);
    }
    Ok(record)
}

fn tensor_steps(case: &TensorCase, known: &[TensorStep]) -> Vec<StepRecord> {
    case.program
        .iter()
        .zip(known)
        .enumerate()
        .map(|(step, (record, judged))| {
            let fields = fields(record, case.generation)
                .into_iter()
                .map(|FieldText { offset, size, name, bytes, meaning }| FieldRecord {
                    offset,
                    size,
                    name,
                    bytes,
                    meaning,
                })
                .collect();
            let clauses = clauses(record, case.generation, &judged.verdict);
            let verdict = verdict_text(judged);
            let text = opcode_text(record[0]);
            StepRecord { step, text, fields, clauses, verdict }
        })
        .collect()
}

/// Clauses that older generations lack (spec 02 section 4.2).
const SINCE_MARIANA: [ClauseId; 2] = [ClauseId::TcQSrc, ClauseId::TcQSd];

fn verdict_text(step: &TensorStep) -> String {
    let flag = if step.indeterminate_acc { " INDETERMINATE_ACC" } else { "" };
    format!("{}{flag}", Observed::Tensor(step.verdict.clone()))
}

/// Every clause of the record's group in the spec's order; those of the preamble alone for an opcode without
/// a group. Where the verdict is reached before any clause (spec 01 section 7.1), there is nothing to list.
fn clauses(
    record: &[u8; RECORD],
    generation: Generation,
    verdict: &TensorVerdict,
) -> Vec<ClauseRecord> {
    let failing = match verdict {
        TensorVerdict::Accept | TensorVerdict::Fault(_) => Default::default(),
        TensorVerdict::Reject(failing) => *failing,
        TensorVerdict::Unsupported(_) => return Vec::new(),
    };
    let mut listed = clauses_of(&[Op::Tensor(record[0])]);
    if listed.is_empty() {
        listed = preamble_clauses();
    }
    listed
        .into_iter()
        .filter(|clause| generation >= Generation::Mariana || !SINCE_MARIANA.contains(clause))
        .map(|clause| ClauseRecord { id: clause.id(), passes: !failing.contains(clause) })
        .collect()
}

/// Every other value of every switch under which the outcome differs.
fn switches_that_matter(model: &mut Guarded, case: &Case, outcome: &Outcome) -> Vec<SwitchRecord> {
    let mut records = Vec::new();
    for &switch in Profile::SWITCHES {
        for value in Profile::values_of(switch).unwrap_or_default() {
            let mut other = case.clone();
            // Switch and value come from the profile's own table.
            if other.profile_mut().set(switch, value).is_err() || other == *case {
                continue;
            }
            let mut changed = Outcome::Tensor(Box::default());
            if model.run_into(&other, &mut changed).is_err() {
                continue;
            }
            name_the_same_table(outcome, &mut changed);
            let mut comparison = Comparison::default();
            Comparator::default().compare(case, outcome, &changed, &mut comparison);
            if !comparison.agrees() {
                let (mine, theirs) =
                    Listing::paired(listing(case, outcome), listing(case, &changed));
                let diff = TextDiff::from_lines(&mine, &theirs)
                    .unified_diff()
                    .context_radius(1)
                    .header("as given", &format!("{switch}={value}"))
                    .to_string();
                records.push(SwitchRecord { switch, value, diff });
            }
        }
    }
    records
}

/// A schedule names the table that `lat_crossbar` chose; that alone changes nothing for a program that uses
/// none of its rows.
fn name_the_same_table(mine: &Outcome, theirs: &mut Outcome) {
    if let (Outcome::Vector(mine), Outcome::Vector(theirs)) = (mine, theirs)
        && let (Some(mine), Some(theirs)) = (&mine.schedule, &mut theirs.schedule)
    {
        theirs.table = mine.table;
    }
}

fn text(case: &CaseRecord) -> String {
    let mut text = format!("{} `{}`\n", case.place, case.id);
    // Writing to a string cannot fail.
    if !case.schedule.is_empty() {
        text.push_str(&vector::program_text(case));
    } else {
        case.steps.iter().for_each(|step| text.push_str(&step_text(step)));
    }
    for switch in &case.switches {
        let _ = writeln!(text, "\nunder {}={} the outcome differs", switch.switch, switch.value);
        text.push_str(&switch.diff);
    }
    text
}

fn step_text(step: &StepRecord) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nstep {}: {}", step.step, step.text);
    let width = step.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
    for field in &step.fields {
        let _ = writeln!(
            text,
            "  {:>2}  {:width$}  {:<10}  {}",
            field.offset,
            field.name,
            shortened(&field.bytes),
            field.meaning
        );
    }
    if !step.clauses.is_empty() {
        let _ = writeln!(text, "clauses");
    }
    for clause in &step.clauses {
        let mark = if clause.passes { "pass" } else { "FAIL" };
        let _ = writeln!(text, "  {mark}  {}", clause.id);
    }
    let _ = writeln!(text, "verdict: {}", step.verdict);
    text
}

fn shortened(hex: &str) -> String {
    match hex.get(..16) {
        Some(head) if hex.len() > 16 => format!("{head}…"),
        _ => hex.to_owned(),
    }
}
