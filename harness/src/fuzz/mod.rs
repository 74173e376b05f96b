//! What the fuzz targets of `fuzz/` do, without the fuzzing engine: an input of a target is a pair of a
//! [`Target`] and bytes, and [`Worker::check`] says whether it shows anything. The targets themselves are
//! shells over [`fuzz_one`], so that a stable build, a test or a nightly run replays saved inputs exactly.
//!
//! - [`input`]: how bytes become cases; `text`: the targets that read texts.
//! - [`Worker`]: models, generators and buffers of one thread; [`Finding`]: what it says.
//! - [`mutate`]: a mutator that knows the structure of inputs.
//! - [`seeds`]: first inputs, from golden vectors, regressions and the generators of campaigns.

mod finding;
pub mod input;
pub mod mutate;
pub mod seeds;
mod target;
mod text;
mod worker;

pub use finding::{Finding, divergence_report, signature};
pub use input::{Decoder, Skip};
pub use target::Target;
pub use text::reading;
pub use worker::{Checked, Worker};

use crate::faults::{Fault, by_name};
use std::cell::RefCell;
use std::sync::OnceLock;

/// Environment variable that plants a fault in the candidate of the fuzz targets, to measure how fast
/// fuzzing finds it.
pub const FAULT_VARIABLE: &str = "Q7DIFF_FAULT";

/// The planted fault of this process, read once.
static FAULT: OnceLock<Option<&'static Fault>> = OnceLock::new();

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// Begins a fuzzing process: reads [`FAULT_VARIABLE`] and says on standard error what runs, so that a
/// planted fault cannot be overlooked. A fault of an unknown name, or a wrong `Q7DIFF_SIMD`, ends the
/// process with exit code 2.
pub fn start(target: Target) {
    let end = |message: String| -> ! {
        eprintln!("error: {message}");
        std::process::exit(2);
    };
    if let Err(message) = candidate::simd::Simd::choose() {
        end(message);
    }
    let fault = match std::env::var(FAULT_VARIABLE) {
        Ok(name) if !name.is_empty() => match by_name(&name) {
            Ok(fault) if target.has_models() => Some(fault),
            Ok(_) => end(format!("{FAULT_VARIABLE}: no model runs in target {}", target.name())),
            Err(error) => end(format!("{FAULT_VARIABLE}: {error}")),
        },
        _ => None,
    };
    match fault {
        Some(fault) => eprintln!(
            "q7diff: target {}, WITH PLANTED FAULT {} ({}): findings are expected",
            target.name(),
            fault.name,
            fault.story
        ),
        None => eprintln!("q7diff: target {}, no planted fault", target.name()),
    }
    FAULT.get_or_init(|| fault);
}

/// Runs one input on this thread's worker.
pub fn check(target: Target, bytes: &[u8]) -> Checked {
    WORKER.with_borrow_mut(|worker| {
        let worker =
            worker.get_or_insert_with(|| Worker::new(FAULT.get().copied().unwrap_or_default()));
        worker.check(target, bytes)
    })
}

/// Runs one input for a fuzzing engine: true if the input is worth keeping.
///
/// # Panics
/// If the input shows anything. The message is the report and the command that reproduces it.
pub fn fuzz_one(target: Target, bytes: &[u8]) -> bool {
    match check(target, bytes) {
        Checked::Agrees => true,
        Checked::Skipped(_) => false,
        Checked::Found(finding) => {
            let command = reproduction(target, bytes, FAULT.get().copied().flatten());
            panic!("{}\nreproduce: {command}\n", finding.text);
        }
    }
}

/// The command that imports the file in which the engine leaves a crashing input.
pub fn reproduction(target: Target, bytes: &[u8], fault: Option<&Fault>) -> String {
    let fault = fault.map(|fault| format!(" --fault {}", fault.name)).unwrap_or_default();
    format!(
        "q7diff fuzz-import fuzz/artifacts/{}/crash-{}{fault}",
        target.name(),
        seeds::name_of(bytes)
    )
}
