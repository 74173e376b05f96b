//! `q7diff generate`: cases as JSON lines, or first inputs of a fuzz target.

use super::failure::{AGREE, Failure};
use super::options::{CaseStream, CorpusArgs, GeneratorArgs, parse_seed, vector_ops};
use super::output::{Documents, print};
use crate::campaign::products;
use crate::corpus::Corpus;
use crate::fuzz::{Target, seeds};
use crate::generate::Generated;
use crate::report::files;
use clap::{Args, ValueEnum};
use contract::case::Case;
use contract::json::write_case_into;
use std::path::PathBuf;

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One case a line
    Jsonl,
    /// Inputs of a fuzz target, one file each, named by their hash
    Fuzz,
}

/// Arguments of `generate`.
#[derive(Debug, Clone, Args)]
pub struct GenerateArgs {
    /// What to generate
    #[command(flatten)]
    pub generator: GeneratorArgs,
    /// Number of cases
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub cases: u64,
    /// Every edge product of the chosen vector ops, and their random pairs, instead of drawn cases
    #[arg(long, conflicts_with_all = ["cases", "near_valid", "generations", "data", "naive"])]
    pub products: bool,
    /// Campaign seed; the cases are those of `run` with the same seed
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// What is written
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    pub format: Format,
    /// Fuzz target of --format fuzz
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Folder of --format fuzz
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Golden vectors and regressions among the inputs of --format fuzz
    #[command(flatten)]
    pub corpus: CorpusArgs,
}

pub(super) fn run(args: &GenerateArgs, json: bool) -> Result<u8, Failure> {
    if args.format == Format::Fuzz {
        return fuzz(args);
    }
    if let Some((option, _)) = [("--target", args.target.is_some()), ("--out", args.out.is_some())]
        .into_iter()
        .find(|(_, given)| *given)
    {
        return Err(Failure::input(format!("{option} belongs to --format fuzz")));
    }
    let selection = args.generator.selection()?;
    let mut documents = Documents::new(json);
    let mut line = String::new();
    let mut write = |case: &Case| {
        line.clear();
        write_case_into(&mut line, case);
        documents.write(&line)?;
        Ok::<bool, Failure>(documents.is_closed())
    };
    if args.products {
        let ops = vector_ops(&selection.ops);
        if ops.is_empty() {
            return Err(Failure::input("--products: only vector ops have edge products"));
        }
        for op in ops {
            for (_, case) in products::cases(op, args.seed, selection.options.profile) {
                if write(&case)? {
                    return Ok(AGREE);
                }
            }
        }
    } else {
        let mut stream = CaseStream::new(&selection, args.seed);
        let mut sample = Generated::default();
        for index in 0..args.cases {
            stream.case(index, &mut sample);
            if write(&sample.case)? {
                return Ok(AGREE);
            }
        }
    }
    documents.finish()?;
    Ok(AGREE)
}

/// Writes the seeds of a target, and its dictionary beside the folder if it has one.
fn fuzz(args: &GenerateArgs) -> Result<u8, Failure> {
    let (Some(name), Some(folder)) = (&args.target, &args.out) else {
        return Err(Failure::input("--format fuzz takes --target NAME and --out DIR"));
    };
    let Some(target) = Target::from_name(name) else {
        let names = Target::ALL.map(Target::name).join(", ");
        return Err(Failure::input(format!("--target: no fuzz target is called `{name}`"))
            .hint(format!("targets: {names}")));
    };
    if args.generator.is_given() || args.products {
        return Err(Failure::input(
            "--format fuzz: a target has options of its own; only --cases and --seed change its inputs",
        ));
    }
    let corpus = Corpus::find(args.corpus.corpus.as_deref())?;
    let seeds = seeds::seeds(target, &corpus, args.seed, args.cases)?;
    let failed = |error| Failure::input(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, bytes) in &seeds {
        files::write_file(&folder.join(name), bytes)?;
    }
    if let Some(words) = seeds::dictionary(target) {
        let path = folder.with_extension("dict");
        files::write_file(&path, words.as_bytes())?;
    }
    print(&format!("{} inputs of {} in {}\n", seeds.len(), target.name(), folder.display()))?;
    Ok(AGREE)
}
