//! Generators: cases that are valid by construction, or broken on purpose.
//!
//! A case grows out of bytes, through [`Draw`], a total reader of `arbitrary::Unstructured`. Where the
//! bytes come from is not the generators' business: a campaign expands a 64-bit [`CaseSeed`] with a
//! fast generator, a fuzzer hands over its input, a property test its own bytes. Equal bytes and equal
//! [`Options`] give an equal case.
//!
//! - [`Options`]: what is asked for, as plain data.
//! - [`Generator`]: the front door; it holds the buffers that are reused from case to case.
//! - [`Generated`]: the case and its [`Intent`], that is, what the generator was after. The intent is
//!   not an expectation for the comparison (the reference model gives that); a report measures with
//!   it how *pure* the broken cases are.
//! - [`tensor`], [`vector`]: the generators of tensor and vector programs. Another family lives beside
//!   them, in a module of its own that implements [`CaseGenerator`] and has a variant of [`Family`].
//! - [`values`], [`DataSource`]: operand values.
//! - [`naive`]: plain uniform cases, for comparison.
//!
//! A generator never asks a model and shares no predicate with one: a model that refuses a valid
//! record, or accepts a broken one, cannot hide behind its own rule.

mod data;
mod draw;
pub mod naive;
mod options;
mod seed;
pub mod tensor;
pub mod values;
pub mod vector;

pub use data::{DataError, DataSource, VALUES_LIMIT};
pub use draw::Draw;
pub use options::{Options, Span, Steer, TensorOptions};
pub use seed::{CaseSeed, EXPANDED, expand};
pub use vector::VectorOptions;

use contract::case::{Case, TensorCase};
use contract::isa::{ClauseId, ClauseSet, Generation};
use contract::outcome::{LegalityReason, TensorReason, TensorStep, TensorVerdict};
use contract::profile::Profile;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The families of cases that can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Tensor programs.
    Tensor,
    /// Vector-unit programs.
    Vector,
}

impl Family {
    /// Every family.
    pub const ALL: &'static [Self] = &[Self::Tensor, Self::Vector];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tensor => "tensor",
            Self::Vector => "vector",
        }
    }

    /// The family with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|family| family.name() == name)
    }

    /// First letters of the id of a case.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Tensor => "t",
            Self::Vector => "v",
        }
    }
}

/// What a case was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// Every step is accepted; for a vector program, every bundle is legal.
    Valid,
    /// One step fails exactly one clause.
    Isolated {
        /// The step.
        step: usize,
        /// The clause.
        clause: ClauseId,
        /// How it was broken.
        probe: &'static str,
    },
    /// One step fails a clause that cannot fail alone, with those that fail beside it.
    Together {
        /// The step.
        step: usize,
        /// Every clause that fails.
        clauses: ClauseSet,
        /// How they were broken.
        probe: &'static str,
    },
    /// One step fails exactly two clauses that have nothing to do with each other.
    Pair {
        /// The step.
        step: usize,
        /// The two clauses.
        clauses: ClauseSet,
        /// How they were broken.
        probes: [&'static str; 2],
    },
    /// One step had bits flipped; nothing is said about its verdict.
    Bits {
        /// The step.
        step: usize,
        /// Flipped bits.
        flipped: u32,
    },
    /// One tensor step is unsupported or faults, for this reason.
    Outside {
        /// The step.
        step: usize,
        /// The reason.
        reason: TensorReason,
        /// How it came about.
        probe: &'static str,
    },
    /// Every step is accepted, and one has bytes set that nothing reads.
    Inert {
        /// The step.
        step: usize,
        /// Which bytes.
        probe: &'static str,
    },
    /// One bundle of a vector program is illegal, for this reason.
    Illegal {
        /// The bundle.
        step: usize,
        /// The reason.
        reason: LegalityReason,
        /// How it came about.
        probe: &'static str,
    },
}

impl Intent {
    /// The step that is not ordinary, if there is one.
    pub const fn step(&self) -> Option<usize> {
        match self {
            Self::Valid => None,
            Self::Isolated { step, .. }
            | Self::Together { step, .. }
            | Self::Pair { step, .. }
            | Self::Bits { step, .. }
            | Self::Outside { step, .. }
            | Self::Inert { step, .. }
            | Self::Illegal { step, .. } => Some(*step),
        }
    }

    /// The clauses that were broken on purpose; empty if none.
    pub const fn broken(&self) -> ClauseSet {
        match self {
            Self::Isolated { clause, .. } => ClauseSet::of(*clause),
            Self::Together { clauses, .. } | Self::Pair { clauses, .. } => *clauses,
            _ => ClauseSet::EMPTY,
        }
    }

    /// Whether a tensor outcome is what the case was made for: the special step has exactly the
    /// intended verdict and every other step is accepted. `None` where the intent says nothing.
    pub fn met_by(&self, steps: &[TensorStep]) -> Option<bool> {
        let special = match self {
            Self::Valid | Self::Inert { .. } => TensorVerdict::Accept,
            Self::Isolated { .. } | Self::Together { .. } | Self::Pair { .. } => {
                TensorVerdict::Reject(self.broken())
            }
            Self::Outside { reason, .. } => match reason {
                TensorReason::HdrTile
                | TensorReason::OutOfScope
                | TensorReason::AddrShapereg
                | TensorReason::Ind
                | TensorReason::TrIntop
                | TensorReason::ExecOpcode => TensorVerdict::Unsupported(reason.clone()),
                _ => TensorVerdict::Fault(reason.clone()),
            },
            Self::Bits { .. } | Self::Illegal { .. } => return None,
        };
        Some(steps.iter().enumerate().all(|(number, step)| {
            let special_here = self.step() == Some(number);
            step.verdict == if special_here { special.clone() } else { TensorVerdict::Accept }
        }))
    }
}

/// A generated case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// The case.
    pub case: Case,
    /// What it was made for.
    pub intent: Intent,
}

impl Default for Generated {
    /// An empty tensor program, to be generated into.
    fn default() -> Self {
        Self {
            case: Case::Tensor(TensorCase {
                id: String::new(),
                generation: Generation::Mariana,
                profile: Profile::default(),
                memory: Vec::new(),
                registers: BTreeMap::new(),
                program: Vec::new(),
            }),
            intent: Intent::Valid,
        }
    }
}

/// A generator of one family.
pub trait CaseGenerator {
    /// Makes the next case out of `out`, whose buffers are reused, and leaves its id alone. Never
    /// fails and never panics, whatever the bytes.
    fn generate(&mut self, options: &Options, draw: &mut Draw<'_>, out: &mut Generated);
}

/// Generates cases of every family. One per worker; the buffers inside are reused.
#[derive(Debug)]
pub struct Generator {
    options: Options,
    bytes: Vec<u8>,
    tensor: tensor::TensorGenerator,
    vector: vector::VectorGenerator,
    /// Of both families; empty unless the options ask for plain cases.
    naive: Vec<naive::NaiveGenerator>,
}

impl Generator {
    /// A generator with these options.
    pub fn new(options: Options) -> Self {
        let tensor = tensor::TensorGenerator::new(&options);
        let vector = vector::VectorGenerator::new(&options);
        let plain = Family::ALL.iter().filter(|_| options.naive);
        let naive = plain.map(|&family| naive::NaiveGenerator::new(family, &options)).collect();
        Self { options, bytes: Vec::with_capacity(EXPANDED), tensor, vector, naive }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes what the tensor generator prefers from now on. A steered case is named by its seed, the
    /// options and the preference together.
    pub fn steer(&mut self, steer: Steer) {
        self.options.tensor.steer = steer;
    }

    /// The case of a seed, into a reused place. Its id is the family's letter and the seed.
    pub fn seeded(&mut self, family: Family, seed: CaseSeed, out: &mut Generated) {
        let mut bytes = std::mem::take(&mut self.bytes);
        expand(seed, &mut bytes);
        self.drawn(family, &mut Draw::aiming(&bytes, seed.target()), out);
        self.bytes = bytes;
        set_id(&mut out.case, format_args!("{}-{:016x}", family.prefix(), seed.0));
    }

    /// The case of a seed.
    pub fn case(&mut self, family: Family, seed: CaseSeed) -> Generated {
        let mut out = Generated::default();
        self.seeded(family, seed, &mut out);
        out
    }

    /// The case of any bytes, a fuzzer's or a property test's.
    pub fn from_bytes(&mut self, family: Family, bytes: &[u8], out: &mut Generated) {
        self.drawn(family, &mut Draw::new(bytes), out);
        set_id(&mut out.case, format_args!("{}-bytes", family.prefix()));
    }

    /// The case of a source of decisions that may have been read from before.
    pub fn drawn(&mut self, family: Family, draw: &mut Draw<'_>, out: &mut Generated) {
        if let Some(naive) = self.naive.get_mut(family as usize) {
            return naive.generate(&self.options, draw, out);
        }
        match family {
            Family::Tensor => self.tensor.generate(&self.options, draw, out),
            Family::Vector => self.vector.generate(&self.options, draw, out),
        }
    }
}

/// Sets the name of a case; the string is reused.
fn set_id(case: &mut Case, name: std::fmt::Arguments<'_>) {
    let id = match case {
        Case::Tensor(case) => &mut case.id,
        Case::Vector(case) => &mut case.id,
    };
    id.clear();
    // Writing to a string cannot fail.
    let _ = id.write_fmt(name);
}
