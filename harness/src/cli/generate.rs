//! `q7diff generate`: cases as JSON lines.

use super::failure::{AGREE, Failure};
use super::options::{CaseStream, GeneratorArgs, parse_seed};
use super::output::Documents;
use crate::generate::Generated;
use clap::Args;
use contract::json::write_case_into;

/// Arguments of `generate`.
#[derive(Debug, Clone, Args)]
pub struct GenerateArgs {
    /// What to generate
    #[command(flatten)]
    pub generator: GeneratorArgs,
    /// Number of cases
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub cases: u64,
    /// Campaign seed; the cases are those of `run` with the same seed
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
}

pub(super) fn run(args: &GenerateArgs, json: bool) -> Result<u8, Failure> {
    let selection = args.generator.selection()?;
    let mut stream = CaseStream::new(&selection, args.seed);
    let mut sample = Generated::default();
    let mut documents = Documents::new(json);
    let mut line = String::new();
    for index in 0..args.cases {
        stream.case(index, &mut sample);
        line.clear();
        write_case_into(&mut line, &sample.case);
        documents.write(&line)?;
        if documents.is_closed() {
            return Ok(AGREE);
        }
    }
    documents.finish()?;
    Ok(AGREE)
}
