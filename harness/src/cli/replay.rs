//! `q7diff replay`: case files (or folders of them), or generated cases by their seed, on both models.

use super::failure::{AGREE, DIVERGENCE, Failure, MODEL_FAILED};
use super::options::{GeneratorArgs, ModelArgs};
use super::output::print;
use crate::compare::{Comparator, IgnoredReason, Observed};
use crate::corpus::{CorpusError, case_files, read_documents};
use crate::differ::Differ;
use crate::family::Family;
use crate::generate::{CaseSeed, Generator};
use crate::models::{self, SharedFactory};
use crate::report::text::{CaseReport, case_report, place_text};
use crate::report::{json, table};
use crate::triage::triage;
use clap::Args;
use contract::case::Case;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `replay`.
#[derive(Debug, Clone, Args)]
pub struct ReplayArgs {
    /// Case files, or folders of them
    #[arg(value_name = "FILE", required_unless_present = "case_seeds")]
    pub files: Vec<PathBuf>,
    /// Generate the case of this seed instead of reading a file
    #[arg(long = "case-seed", value_name = "0x…", value_delimiter = ',', conflicts_with = "files")]
    pub case_seeds: Vec<CaseSeed>,
    /// What to generate; for files, switches that override those of the case
    #[command(flatten)]
    pub generator: GeneratorArgs,
    /// Models and comparison
    #[command(flatten)]
    pub models: ModelArgs,
}

/// A case to replay.
struct Item {
    place: String,
    case: Case,
    origin: Vec<String>,
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
    agrees: bool,
    compared: crate::report::summary::ComparedRecord,
    ignored: crate::report::summary::IgnoredRecord,
    divergences: Vec<DivergenceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

#[derive(Serialize)]
struct DivergenceRecord {
    aspect: &'static str,
    step: Option<usize>,
    place: String,
    expected: String,
    actual: String,
}

pub(super) fn run(args: &ReplayArgs, json_output: bool) -> Result<u8, Failure> {
    let items = if args.case_seeds.is_empty() { from_files(args)? } else { from_seeds(args)? };
    let comparator = args.models.comparator()?;
    let candidate = args.models.candidate()?;
    let mut replayer = Replayer::new(comparator, candidate);
    let mut document = Document { version: 1, cases: Vec::new() };
    for item in items {
        let (record, text) = replayer.replay(&item)?;
        if json_output {
            document.cases.push(record);
        } else {
            print(&text)?;
        }
    }
    if json_output {
        print(&json(&document))?;
    }
    Ok(replayer.code)
}

fn from_files(args: &ReplayArgs) -> Result<Vec<Item>, Failure> {
    let mut items = Vec::new();
    for path in &args.files {
        let files = case_files(path)?;
        if files.is_empty() {
            return Err(CorpusError::Empty { path: path.clone() }.into());
        }
        for file in files {
            for document in read_documents(&file)? {
                let mut case = document.case()?;
                let profile = args.generator.profile.apply(*case.profile())?;
                *case.profile_mut() = profile;
                let place = document.place;
                items.push(Item { origin: vec![place.clone()], place, case });
            }
        }
    }
    Ok(items)
}

fn from_seeds(args: &ReplayArgs) -> Result<Vec<Item>, Failure> {
    let selection = args.generator.selection()?;
    let [family] = selection.families[..] else {
        return Err(Failure::input("--case-seed: a seed names a case of one family")
            .hint("add --family tensor"));
    };
    let mut generator = Generator::new(selection.options);
    let items = args.case_seeds.iter().map(|&seed| {
        let sample = generator.case(family, seed);
        let place = format!("case seed {seed} of family {}", family.name());
        let origin = vec![place.clone(), format!("meant: {:?}", sample.intent)];
        Item { place, case: sample.case, origin }
    });
    Ok(items.collect())
}

struct Replayer {
    differ: Differ,
    prefixes: Differ,
    code: u8,
}

impl Replayer {
    fn new(comparator: Comparator, candidate: SharedFactory) -> Self {
        Self {
            differ: Differ::new(comparator, models::oracle(), candidate.clone()),
            prefixes: Differ::new(comparator, models::oracle(), candidate),
            code: AGREE,
        }
    }

    fn replay(&mut self, item: &Item) -> Result<(CaseRecord, String), Failure> {
        let case = &item.case;
        let mut record = CaseRecord {
            place: item.place.clone(),
            id: case.id().to_owned(),
            agrees: false,
            compared: crate::report::summary::ComparedRecord::of(Default::default()),
            ignored: crate::report::summary::IgnoredRecord(Default::default()),
            divergences: Vec::new(),
            failure: None,
        };
        if let Err(failure) = self.differ.run(case) {
            self.code = MODEL_FAILED;
            let text = format!("{}: {failure}\n", item.place);
            record.failure = Some(failure.to_string());
            return Ok((record, text));
        }
        let comparison = self.differ.comparison();
        if comparison.ignored.of(IgnoredReason::OutsideCase) > 0 {
            return Err(Failure::input(format!(
                "{}: case `{}`: write outside the case's memory",
                item.place,
                case.id()
            ))
            .hint("give every destination a memory region that contains it"));
        }
        record.agrees = comparison.agrees();
        record.compared = crate::report::summary::ComparedRecord::of(comparison.compared);
        record.ignored = crate::report::summary::IgnoredRecord(comparison.ignored);
        if record.agrees {
            let compared = comparison.compared;
            let text = format!(
                "{}: {} case `{}` agrees ({} values, {} verdicts, {} postings compared)\n",
                item.place,
                Family::of(case),
                case.id(),
                table::grouped(compared.values),
                table::grouped(compared.verdicts),
                table::grouped(compared.postings)
            );
            return Ok((record, text));
        }
        self.code = self.code.max(DIVERGENCE);
        let shown = Observed::to_string;
        record.divergences = comparison
            .divergences
            .iter()
            .map(|divergence| DivergenceRecord {
                aspect: divergence.aspect.name(),
                step: divergence.step,
                place: place_text(divergence),
                expected: shown(&divergence.expected),
                actual: shown(&divergence.actual),
            })
            .collect();
        let found = triage(case, comparison, &mut self.prefixes);
        let text = case_report(&CaseReport {
            case,
            expected: self.differ.expected(),
            actual: self.differ.actual(),
            comparison: self.differ.comparison(),
            triage: &found,
            origin: &item.origin,
        });
        Ok((record, text + "\n"))
    }
}
