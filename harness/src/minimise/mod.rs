//! The minimiser: from a case that shows a divergence to the smallest case that shows the same one,
//! and from there to the family of cases that show it.
//!
//! Everything here is structural and deterministic. A *pass* lists the reductions of one kind that a
//! case allows; [`minimise`] tries them one at a time, keeps those after which the divergence still
//! has the signature that it began with, and repeats all passes until none of their reductions
//! applies: the result is then *1-minimal*. Each reduction lowers a weight ([`Size`] shows the part of
//! it that people care about), so the search ends; a set of the cases already judged keeps it from
//! asking twice. What is interesting is decided outside, by an [`Interest`]: the minimiser knows no
//! model, no rule of validity and no signature type.
//!
//! - `search` runs passes, `seen` remembers; `edit`, `cell` and `element` have what the passes share.
//! - `record` and `operand` read descriptors; `tensor` shrinks them and their memory; `vector` shrinks
//!   programs and their state.
//! - [`mod@generalise`] varies one property at a time around a minimal case and says in one line what matters.

mod cell;
mod edit;
mod element;
pub mod generalise;
mod operand;
mod preference;
mod record;
mod search;
mod seen;
mod size;
mod tensor;
mod vector;

pub use generalise::{Fact, Finding, Generalisation, generalise};
pub use size::Size;

use contract::case::Case;
use contract::isa::{AccumCmd, Dtype, ImmSrc};
use search::Search;
use std::fmt;
use std::ops::ControlFlow;
use thiserror::Error;

/// Evaluations that a minimisation may take unless told otherwise.
pub const DEFAULT_BUDGET: usize = 20_000;

/// Answers which divergence a case shows. It has to answer the same case the same way every time.
pub trait Interest {
    /// What tells one divergence from another (aspect, op, clause or posting).
    type Signature: Clone + Eq + fmt::Display;

    /// The signature of the divergence that the case shows first, `None` if it shows none.
    fn signature(&mut self, case: &Case) -> Option<Self::Signature>;

    /// True if the case shows a divergence with the wanted signature. To be overridden where a case
    /// may show several.
    fn shows(&mut self, case: &Case, wanted: &Self::Signature) -> bool {
        self.signature(case).as_ref() == Some(wanted)
    }
}

/// Where a run of the minimiser stands; handed to the progress callback after every evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Evaluations so far.
    pub evaluations: usize,
    /// Evaluations allowed.
    pub budget: usize,
    /// Pass, or subject of the generalisation.
    pub pass: &'static str,
    /// Size of the smallest case so far.
    pub size: Size,
}

/// Callback that sees the progress; `Break` ends the run with what was reached.
pub type OnProgress<'a> = &'a mut dyn FnMut(&Progress) -> ControlFlow<()>;

/// A callback that looks at nothing and never breaks.
pub fn silent(_: &Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Why a case cannot be minimised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MinimiseError {
    /// The models agree about the case.
    #[error("the case shows no divergence")]
    NoDivergence,
    /// The case does not show the divergence that was asked for.
    #[error("the case does not show the divergence `{wanted}`")]
    NotShown {
        /// The signature that was asked for.
        wanted: String,
    },
    /// Judging the case itself panicked.
    #[error("judging the case panicked: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The reader of cases would refuse the case.
    #[error("the case is bad input: {reason}")]
    Malformed {
        /// What the reader says.
        reason: String,
    },
}

/// What one pass did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassCount {
    /// Name of the pass.
    pub pass: &'static str,
    /// Reductions that were evaluated.
    pub evaluated: usize,
    /// Reductions that were kept.
    pub kept: usize,
}

/// A minimised case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minimised<S> {
    /// The smallest case found. It equals the input, in canonical form, if nothing could go.
    pub case: Case,
    /// The signature that the input and every accepted case showed.
    pub signature: S,
    /// Cases judged, the input included.
    pub evaluations: usize,
    /// Reductions that were kept.
    pub reductions: usize,
    /// Judgements that panicked; their cases were not kept.
    pub panics: usize,
    /// Size of the input.
    pub before: Size,
    /// Size of the result.
    pub after: Size,
    /// True if the budget ended the run.
    pub exhausted_budget: bool,
    /// True if the progress callback ended the run.
    pub interrupted: bool,
    /// True if no single reduction of any pass applies any more.
    pub one_minimal: bool,
    /// What each pass did, in the order of the passes.
    pub passes: Vec<PassCount>,
}

impl<S: fmt::Display> fmt::Display for Minimised<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} -> {} in {} evaluations",
            self.signature, self.before, self.after, self.evaluations
        )?;
        if self.one_minimal {
            f.write_str(", 1-minimal")
        } else if self.exhausted_budget {
            f.write_str(", budget exhausted")
        } else {
            f.write_str(", interrupted")
        }
    }
}

/// Shrinks a case while it shows the divergence that it shows first.
///
/// # Errors
/// See [`MinimiseError`].
pub fn minimise<I: Interest>(
    case: &Case,
    interest: &mut I,
    budget: usize,
    progress: OnProgress<'_>,
) -> Result<Minimised<I::Signature>, MinimiseError> {
    let wanted = search::guarded(|| interest.signature(case))
        .map_err(|message| MinimiseError::Panicked { message })?
        .ok_or(MinimiseError::NoDivergence)?;
    minimise_to(case, &wanted, interest, budget, progress)
}

/// Shrinks a case while it shows the divergence with this signature.
///
/// # Errors
/// See [`MinimiseError`].
pub fn minimise_to<I: Interest>(
    case: &Case,
    wanted: &I::Signature,
    interest: &mut I,
    budget: usize,
    progress: OnProgress<'_>,
) -> Result<Minimised<I::Signature>, MinimiseError> {
    let mut search = Search::new(interest, wanted.clone(), budget, progress);
    match case {
        Case::Tensor(case) => search.run(case),
        Case::Vector(case) => search.run(case),
    }
}

/// Every case that one reduction of any pass makes out of this one, simplest weight or not known: the
/// neighbourhood in which a 1-minimal case stands alone. Big for big cases.
pub fn single_reductions(case: &Case) -> Vec<Case> {
    match case {
        Case::Tensor(case) => search::neighbours(case),
        Case::Vector(case) => search::neighbours(case),
    }
}

/// The dtype that a record stores its results in.
pub(crate) fn stored_dtype(record: &[u8; 64]) -> Option<Dtype> {
    let layout = record::layout_of(record)?;
    let pattern = layout.patterns.iter().find(|pattern| pattern.writes)?;
    layout.dtype(record, pattern.dtype)
}

/// True if a record goes on with the accumulators that it finds.
pub(crate) fn accumulates(record: &[u8; 64]) -> bool {
    let fields = record::layout_of(record).map(|layout| layout.fields.iter()).into_iter().flatten();
    fields
        .filter(|field| field.role == record::Role::Accumulator)
        .any(|field| field.get(record) == u64::from(AccumCmd::Accumulate.wire()))
}

/// The record with its accumulators started from an immediate FP32 instead of what they hold. `None` if
/// the record cannot say so.
pub(crate) fn seeded_by_immediate(record: &[u8; 64], start: u32) -> Option<[u8; 64]> {
    let layout = record::layout_of(record)?;
    let command = layout.fields.iter().find(|field| field.role == record::Role::Accumulator)?;
    let mut seeded = *record;
    command.set(&mut seeded, AccumCmd::LoadAccumulate.wire().into());
    layout.field("imm1_src")?.set(&mut seeded, ImmSrc::InstructionImmediate.wire().into());
    layout.field("imm1")?.set(&mut seeded, start.into());
    Some(seeded)
}
