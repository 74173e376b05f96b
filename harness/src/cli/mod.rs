//! The commands. Each lives in a file of its own, reads its arguments, calls the rooms of the library
//! and prints; nothing is decided here. Documents go to standard output, progress and messages to
//! standard error.

mod exec;
mod explain;
mod failure;
mod faults;
mod fuzz_import;
mod generate;
mod golden;
mod judge;
mod merge;
mod minimise;
mod night_campaigns;
mod nightly;
mod options;
mod output;
mod replay;
mod run;

pub use failure::Failure;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Differential validation of Vision-Q7 vector-unit programs and TPB tensor instructions: a reference
/// model and an optimised model run the same cases, and every bit is compared.
#[derive(Debug, Parser)]
#[command(name = "q7diff", version, max_term_width = 100, subcommand_required = true)]
struct Cli {
    /// Print one JSON document on standard output
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a differential campaign: golden vectors, regressions, then generated cases
    Run(run::RunArgs),
    /// Run case files, or one generated case, and print the comparison
    Replay(replay::ReplayArgs),
    /// Shrink a failing case to the smallest one that shows the same divergence
    Minimise(minimise::MinimiseArgs),
    /// Write generated cases as JSON lines
    Generate(generate::GenerateArgs),
    /// Run one model on cases given as JSON lines, and write outcomes as JSON lines
    Exec(exec::ExecArgs),
    /// Decode a descriptor field by field with every clause, or show a program
    Explain(explain::ExplainArgs),
    /// Check both models against the golden vectors
    Golden(golden::GoldenArgs),
    /// Join the reports of every shard of a run into one
    Merge(merge::MergeArgs),
    /// Run golden vectors, regressions, fuzz corpora and campaigns over everything, and tell what is new
    Nightly(nightly::NightlyArgs),
    /// Turn an input of a fuzz target into a readable, minimised case
    FuzzImport(fuzz_import::FuzzImportArgs),
    /// Show whether the planted misreadings are detected
    Faults(faults::FaultsArgs),
}

/// Runs the command line and gives the exit code of the external contract.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    // A wrong Q7DIFF_SIMD is bad usage, not a slower run.
    let result =
        candidate::simd::Simd::choose().map_err(Failure::input).and_then(|_| match cli.command {
            Command::Run(args) => run::run(&args, cli.json),
            Command::Replay(args) => replay::run(&args, cli.json),
            Command::Minimise(args) => minimise::run(&args, cli.json),
            Command::Generate(args) => generate::run(&args, cli.json),
            Command::Exec(args) => exec::run(&args, cli.json),
            Command::Explain(args) => explain::run(&args, cli.json),
            Command::Golden(args) => golden::run(&args, cli.json),
            Command::Merge(args) => merge::run(&args, cli.json),
            Command::Nightly(args) => nightly::run(&args, cli.json),
            Command::FuzzImport(args) => fuzz_import::run(&args, cli.json),
            Command::Faults(args) => faults::run(&args, cli.json),
        });
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            failure.print();
            ExitCode::from(failure.code)
        }
    }
}
