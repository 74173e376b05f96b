//! `q7diff minimise`: a failing case, shrunk to the smallest one that shows the same divergence.

use super::failure::{AGREE, DIVERGENCE, Failure, INTERRUPTED};
use super::options::{CorpusArgs, ModelArgs};
use super::output::print;
use super::run::catch_interrupts;
use crate::compare::IgnoredReason;
use crate::corpus::{Corpus, read_documents};
use crate::minimise::{DEFAULT_BUDGET, MinimiseError, Progress, Size};
use crate::models;
use crate::report::{files, json, table};
use crate::shrink::{Minimal, Models, ShrinkError, shrink};
use clap::Args;
use contract::case::Case;
use contract::json::write_case;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Arguments of `minimise`.
#[derive(Debug, Clone, Args)]
pub struct MinimiseArgs {
    /// A case file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where the minimised case is written [default: minimised.json beside FILE]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Cases that may be judged
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET)]
    pub budget: usize,
    /// Add the minimised case to corpus/regressions/ under this name
    #[arg(long, value_name = "NAME")]
    pub add_regression: Option<String>,
    /// Models and comparison
    #[command(flatten)]
    pub models: ModelArgs,
    /// Corpus
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    divergence: bool,
    #[serde(flatten)]
    minimal: Option<Record<'a>>,
}

#[derive(Serialize)]
struct Record<'a> {
    signature: String,
    before: Size,
    after: Size,
    evaluations: usize,
    one_minimal: bool,
    generalisation: &'a str,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    regression: Option<String>,
    case: serde_json::Value,
}

pub(super) fn run(args: &MinimiseArgs, json_output: bool) -> Result<u8, Failure> {
    let case = only_case(&args.file)?;
    let corpus = match &args.add_regression {
        // Found before the search, so that a wrong --corpus costs no time.
        Some(_) => Some(Corpus::find(args.corpus.corpus.as_deref())?),
        None => None,
    };
    let models = Models {
        comparator: args.models.comparator()?,
        reference: models::oracle(),
        candidate: args.models.candidate()?,
    };
    let output = args.output.clone().unwrap_or_else(|| args.file.with_file_name("minimised.json"));
    let interrupt = catch_interrupts()?;
    let bar = progress_bar(args.budget);
    let result = shrink(&case, None, &models, args.budget, &mut |progress: &Progress| {
        bar.set_position(progress.evaluations as u64);
        bar.set_message(format!("{}: {}", progress.pass, progress.size));
        if interrupt.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    let minimal = match result {
        Ok(minimal) => minimal,
        Err(ShrinkError::Minimise(MinimiseError::NoDivergence)) => {
            let compared = models.differ().run(&case).map(|compared| compared.ignored);
            if compared.is_ok_and(|ignored| ignored.of(IgnoredReason::OutsideCase) > 0) {
                let (file, id) = (args.file.display(), case.id());
                return Err(Failure::input(format!(
                    "{file}: case `{id}`: write outside the case's memory"
                ))
                .hint("give every destination a memory region that contains it"));
            }
            return agrees(&args.file, json_output);
        }
        Err(error @ (ShrinkError::Model(_) | ShrinkError::NotReplayed { .. })) => {
            return Err(Failure::model(format!("{}: {error}", args.file.display())));
        }
        Err(error) => return Err(Failure::input(format!("{}: {error}", args.file.display()))),
    };
    files::write_file(&output, (write_case(&minimal.case) + "\n").as_bytes())?;
    let regression = match (&corpus, &args.add_regression) {
        (Some(corpus), Some(name)) => Some(corpus.add_regression(name, &minimal.case)?),
        _ => None,
    };
    let regression = regression.map(|path| path.display().to_string());
    let file = output.display().to_string();
    if json_output {
        let record = Record {
            signature: minimal.signature.to_string(),
            before: minimal.before,
            after: minimal.after(),
            evaluations: minimal.evaluations,
            one_minimal: minimal.one_minimal,
            generalisation: &minimal.generalisation,
            file,
            regression,
            // What the writer of cases writes is JSON.
            case: serde_json::from_str(&write_case(&minimal.case)).unwrap_or_default(),
        };
        print(&json(&Document { version: 1, divergence: true, minimal: Some(record) }))?;
    } else {
        print(&text(&minimal, &file, regression.as_deref()))?;
    }
    Ok(if minimal.interrupted { INTERRUPTED } else { DIVERGENCE })
}

/// The case of a file that holds one.
fn only_case(file: &Path) -> Result<Case, Failure> {
    let documents = read_documents(file)?;
    match &documents[..] {
        [document] => Ok(document.case()?),
        _ => Err(Failure::input(format!(
            "{}: {} cases in this file, and one is minimised at a time",
            file.display(),
            documents.len()
        ))),
    }
}

fn agrees(file: &Path, json_output: bool) -> Result<u8, Failure> {
    if json_output {
        print(&json(&Document { version: 1, divergence: false, minimal: None }))?;
    } else {
        print(&format!("{}: the case agrees; nothing to minimise\n", file.display()))?;
    }
    Ok(AGREE)
}

fn text(minimal: &Minimal, file: &str, regression: Option<&str>) -> String {
    let mut text = format!(
        "divergence:  {}\nbefore:      {}\nafter:       {}\nevaluations: {}, {}\naround it:   {}\n",
        minimal.signature,
        minimal.before,
        minimal.after(),
        table::grouped(minimal.evaluations as u64),
        minimal.ending(),
        minimal.generalisation
    );
    text.push_str(&format!("written:     {file}\n"));
    if let Some(path) = regression {
        text.push_str(&format!("regression:  {path}\n"));
    }
    text
}

fn progress_bar(budget: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = "{bar:30} {human_pos} of at most {human_len} evaluations  {wide_msg}";
    // The template is a constant that indicatif accepts; its default is no worse.
    ProgressBar::new(budget as u64)
        .with_style(ProgressStyle::with_template(style).unwrap_or(ProgressStyle::default_bar()))
}
