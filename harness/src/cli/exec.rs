//! `q7diff exec`: one model on cases given as JSON lines, outcomes as JSON lines in order. A line that is
//! no case ends the run with its number; what came before it is written.

use super::failure::{AGREE, Failure};
use super::output::Documents;
use crate::models::{self, Guarded};
use clap::Args;
use contract::json::{OutcomeWriter, read_case};
use contract::model::ModelError;
use contract::outcome::Outcome;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};

/// Arguments of `exec`.
#[derive(Debug, Clone, Args)]
pub struct ExecArgs {
    /// Model: oracle or candidate
    #[arg(long, value_name = "SPEC")]
    pub model: String,
    /// File of JSON lines; `-` is standard input
    #[arg(default_value = "-")]
    pub file: String,
}

pub(super) fn run(args: &ExecArgs, json: bool) -> Result<u8, Failure> {
    let factory =
        models::select(&args.model).map_err(|error| Failure::input(format!("--model: {error}")))?;
    let source: Box<dyn Read> = if args.file == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(&args.file)
            .map_err(|error| Failure::input(format!("{}: {error}", args.file)))?;
        Box::new(file)
    };
    let mut input = BufReader::with_capacity(1 << 16, source);
    let name = if args.file == "-" { "standard input" } else { &args.file };
    let mut documents = Documents::new(json);
    let result = execute(&mut Guarded::new(factory), &mut input, name, &mut documents);
    // Earlier results are kept whatever the last line was.
    documents.finish()?;
    result.map(|()| AGREE)
}

fn execute(
    model: &mut Guarded,
    input: &mut BufReader<Box<dyn Read>>,
    name: &str,
    documents: &mut Documents,
) -> Result<(), Failure> {
    let mut line = Vec::new();
    let mut document = String::new();
    let mut writer = OutcomeWriter::default();
    let mut outcome = Outcome::Tensor(Box::default());
    for number in 1u64.. {
        line.clear();
        let read = input
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::input(format!("{name}:{number}: {error}")))?;
        if read == 0 {
            break;
        }
        let text = std::str::from_utf8(&line)
            .map_err(|error| Failure::input(format!("{name}:{number}: not UTF-8: {error}")))?;
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let case = read_case(text)
            .map_err(|error| Failure::document(&format!("{name}:{number}"), &error))?;
        model.run_into(&case, &mut outcome).map_err(|error| match error {
            ModelError::WriteOutsideCase { .. } => {
                Failure::input(format!("{name}:{number}: case `{}`: {error}", case.id()))
                    .hint("give every destination a memory region that contains it")
            }
            error => Failure::model(format!("{name}:{number}: case `{}`: {error}", case.id())),
        })?;
        document.clear();
        writer.write(&mut document, &case, &outcome);
        documents.write(&document)?;
        if documents.is_closed() {
            break;
        }
        // A partner that waits for each answer must get it; a file or a full pipe stays buffered.
        if input.buffer().is_empty() {
            documents.flush()?;
        }
    }
    Ok(())
}
