//! `q7diff fuzz-import`: a file of a fuzz target becomes a readable, minimised case.

use super::failure::{AGREE, DIVERGENCE, Failure, INTERRUPTED, MODEL_FAILED};
use super::options::ModelArgs;
use super::output::print;
use super::run::catch_interrupts;
use crate::fuzz::{Checked, Decoder, Target, Worker, divergence_report, reading, signature};
use crate::generate::Generated;
use crate::minimise::{DEFAULT_BUDGET, Size};
use crate::models;
use crate::report::{files, json, table};
use crate::shrink::{Minimal, Models, ShrinkError, shrink};
use clap::Args;
use contract::case::Case;
use contract::json::write_case;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Arguments of `fuzz-import`.
#[derive(Debug, Clone, Args)]
pub struct FuzzImportArgs {
    /// An input of a fuzz target, such as fuzz/artifacts/tensor_diff/crash-…
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The target [default: the folder of FILE that has a target's name]
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Where the case is written [default: FILE.json]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Cases that may be judged while minimising
    #[arg(long, value_name = "N", default_value_t = DEFAULT_BUDGET)]
    pub budget: usize,
    /// Models and comparison
    #[command(flatten)]
    pub models: ModelArgs,
}

#[derive(Serialize)]
struct Document {
    version: u32,
    target: &'static str,
    divergence: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    report: String,
}

impl Document {
    fn new(target: Target, divergence: bool, report: String) -> Self {
        let (signature, before, after, file) = (None, None, None, None);
        let target = target.name();
        Self { version: 1, target, divergence, signature, before, after, file, report }
    }
}

pub(super) fn run(args: &FuzzImportArgs, json_output: bool) -> Result<u8, Failure> {
    let target = target_of(args)?;
    let bytes = std::fs::read(&args.file)
        .map_err(|error| Failure::input(format!("{}: {error}", args.file.display())))?;
    let (code, document) = if target.has_models() {
        import_case(args, target, &bytes)?
    } else {
        import_text(target, &bytes)
    };
    print(&if json_output { json(&document) } else { document.report })?;
    Ok(code)
}

fn target_of(args: &FuzzImportArgs) -> Result<Target, Failure> {
    let names = || Target::ALL.map(Target::name).join(", ");
    match &args.target {
        Some(name) => Target::from_name(name).ok_or_else(|| {
            Failure::input(format!("--target: no fuzz target is called `{name}`"))
                .hint(format!("targets: {}", names()))
        }),
        None => Target::of_path(&args.file).ok_or_else(|| {
            Failure::input(format!(
                "{}: no folder of this path has the name of a fuzz target",
                args.file.display()
            ))
            .hint(format!("name it with --target: {}", names()))
        }),
    }
}

/// An input of a text target: what the reader makes of it.
fn import_text(target: Target, bytes: &[u8]) -> (u8, Document) {
    // A panic of the reader is a finding here, not the end of the program.
    let checked = std::panic::catch_unwind(|| Worker::new(None).check(target, bytes));
    let shown = String::from_utf8_lossy(bytes).into_owned();
    match checked {
        Ok(Checked::Found(finding)) => {
            (DIVERGENCE, Document::new(target, true, finding.text.clone()))
        }
        Ok(_) => {
            let what = reading(target, bytes);
            let report = format!("input\n  {shown}\n{what}\n");
            (AGREE, Document::new(target, false, report))
        }
        Err(_) => {
            let report = format!("the reader panics on this input\n\ninput\n  {shown}\n");
            (DIVERGENCE, Document::new(target, true, report))
        }
    }
}

/// An input of a target with models: its case, run, minimised and written.
fn import_case(
    args: &FuzzImportArgs,
    target: Target,
    bytes: &[u8],
) -> Result<(u8, Document), Failure> {
    let place = args.file.display().to_string();
    let mut sample = Generated::default();
    Decoder::default().decode(target, bytes, &mut sample).map_err(|skip| {
        Failure::input(format!("{place}: no input of target {}: {skip}", target.name()))
    })?;
    let models = Models {
        comparator: args.models.comparator()?,
        reference: models::oracle(),
        candidate: args.models.candidate()?,
    };
    let case = sample.case;
    let output = args.output.clone().unwrap_or_else(|| {
        let mut name = args.file.clone().into_os_string();
        name.push(".json");
        name.into()
    });
    let mut differ = models.differ();
    let comparison = match differ.run(&case) {
        Ok(comparison) => comparison.clone(),
        Err(failure) => {
            // A crash is no divergence, so there is nothing that a minimiser could keep.
            write(&output, &case)?;
            let report = format!("{failure}\n\nfrom:    {place}\nwritten: {}\n", output.display());
            let mut document = Document::new(target, true, report);
            document.file = Some(output.display().to_string());
            return Ok((MODEL_FAILED, document));
        }
    };
    let Some(wanted) = signature(target, &case, &comparison, &models) else {
        write(&output, &case)?;
        let report = format!(
            "{place}: the models agree about this case ({} values, {} verdicts, {} postings compared)\nwritten: {}\n",
            table::grouped(comparison.compared.values),
            table::grouped(comparison.compared.verdicts),
            table::grouped(comparison.compared.postings),
            output.display()
        );
        let mut document = Document::new(target, false, report);
        document.file = Some(output.display().to_string());
        return Ok((AGREE, document));
    };
    let interrupt = catch_interrupts()?;
    let minimal = shrink(&case, Some(&wanted), &models, args.budget, &mut |_| match interrupt
        .load(Ordering::Relaxed)
    {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })
    .map_err(|error| match error {
        ShrinkError::Minimise(_) => Failure::input(format!("{place}: {error}")),
        ShrinkError::Model(_) | ShrinkError::NotReplayed { .. } => {
            Failure::model(format!("{place}: {error}"))
        }
    })?;
    write(&output, &minimal.case)?;
    let report = report(args, target, &minimal, &models, &output)?;
    let mut document = Document::new(target, true, report);
    document.signature = Some(minimal.signature.to_string());
    document.before = Some(minimal.before);
    document.after = Some(minimal.after());
    document.file = Some(output.display().to_string());
    Ok((if minimal.interrupted { INTERRUPTED } else { DIVERGENCE }, document))
}

/// The report of the minimised case, and what can be done with it.
fn report(
    args: &FuzzImportArgs,
    target: Target,
    minimal: &Minimal,
    models: &Models,
    output: &Path,
) -> Result<String, Failure> {
    let mut differ = models.differ();
    differ.run(&minimal.case).map_err(|failure| Failure::model(failure.to_string()))?;
    let fault = args.models.fault.as_ref().map(|fault| format!(" --fault {fault}"));
    let origin = [
        format!("from:      {} (fuzz target {})", args.file.display(), target.name()),
        format!("minimised: {}", minimal.line()),
        format!("around it: {}", minimal.generalisation),
        format!("written:   {}", output.display()),
        format!("replay:    q7diff replay '{}'{}", output.display(), fault.unwrap_or_default()),
    ];
    Ok(divergence_report(target, &minimal.case, &differ, models, &origin))
}

fn write(output: &Path, case: &Case) -> Result<(), Failure> {
    Ok(files::write_file(output, (write_case(case) + "\n").as_bytes())?)
}
