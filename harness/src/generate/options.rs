//! What a campaign asks of the generators: plain data with defaults, overridden by struct update.
//!
//! ```
//! use harness::generate::{Options, Span, TensorOptions};
//!
//! let options = Options {
//!     near_valid: 1.0,
//!     tensor: TensorOptions { chain: Span::of(1, 1), ..TensorOptions::DEFAULT },
//!     ..Options::default()
//! };
//! assert_eq!(options.tensor.channels, Span::of(1, 128));
//! ```

use super::data::DataSource;
use super::vector::VectorOptions;
use contract::isa::{AccumCmd, AluOp, ClauseId, Dtype, Generation};
use contract::profile::Profile;
use std::sync::Arc;

/// A closed range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Smallest member.
    pub low: u32,
    /// Largest member.
    pub high: u32,
}

impl Span {
    /// The range `low ..= high`.
    pub const fn of(low: u32, high: u32) -> Self {
        Self { low, high }
    }

    /// The member nearest to `value`.
    pub const fn clip(self, value: u32) -> u32 {
        if value < self.low {
            self.low
        } else if value > self.high {
            self.high
        } else {
            value
        }
    }
}

/// Options of every family.
#[derive(Debug, Clone)]
pub struct Options {
    /// Generations to draw from; empty means all.
    pub generations: Vec<Generation>,
    /// Share of the cases in which one step breaks a clause (or two, or has bits flipped).
    pub near_valid: f64,
    /// Share of the cases in which one step is unsupported or faults by design.
    pub outside: f64,
    /// Share of the cases in which one step has bytes set that nothing reads.
    pub inert: f64,
    /// Switches of every case.
    pub profile: Profile,
    /// Draws, case by case, every switch that the family's models read; the rest stay as in
    /// `profile`.
    pub vary_switches: bool,
    /// Plain uniform cases instead, which obey nothing but the selection of ops, generations and
    /// switches.
    pub naive: bool,
    /// Whether cases of seeds aim at the combinations of the coverage in turn. Others never do, and a
    /// generator that makes no seeded case is spared the tables.
    pub aim: bool,
    /// Values to feed, beside the styles.
    pub data: Option<Arc<DataSource>>,
    /// Options of the tensor family.
    pub tensor: TensorOptions,
    /// Options of the vector family.
    pub vector: VectorOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            generations: Generation::ALL.to_vec(),
            near_valid: 0.35,
            outside: 0.03,
            inert: 0.01,
            profile: Profile::default(),
            vary_switches: false,
            naive: false,
            aim: true,
            data: None,
            tensor: TensorOptions::DEFAULT,
            vector: VectorOptions::DEFAULT,
        }
    }
}

/// Options of the tensor family. Sizes are biased to the low end of their range; `one_in` figures say
/// how rare the larger tiers are (0: never).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorOptions {
    /// Opcodes to draw from; empty means every opcode that the generator knows. Others are ignored.
    pub opcodes: Vec<u8>,
    /// Instructions of a program; at most 16 are used.
    pub chain: Span,
    /// Active channels.
    pub channels: Span,
    /// Elements of one channel's stream; at most 8192 are used.
    pub elements: Span,
    /// Most elements × channels of one step of an ordinary case.
    pub work: u32,
    /// Most elements × channels of one step of a medium case.
    pub medium_work: u32,
    /// One case in so many is medium.
    pub medium_one_in: u32,
    /// Most elements × channels of one step of a big case.
    pub big_work: u32,
    /// One case in so many is big.
    pub big_one_in: u32,
    /// One case in so many is as large as `channels` and `elements` allow.
    pub huge_one_in: u32,
    /// Of the steps that are outside by design, one in so many exceeds EXEC-SIZE.
    pub size_one_in: u32,
    /// Choices to prefer.
    pub steer: Steer,
}

/// Choices that the tensor generator makes whenever the rest of a record allows them, to fill a hole
/// of the coverage. What is `None` is drawn as usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Steer {
    /// `in_dtype`.
    pub input: Option<Dtype>,
    /// `out_dtype`.
    pub output: Option<Dtype>,
    /// `op0` of the cached opcodes, `op` of the others.
    pub operator: Option<AluOp>,
    /// `op1` of the cached opcodes.
    pub combine: Option<AluOp>,
    /// `accumulator_cmd` of the cached opcodes.
    pub command: Option<AccumCmd>,
    /// The clause that a near-valid step breaks, alone or among others.
    pub clause: Option<ClauseId>,
}

impl Steer {
    /// No preference.
    pub const NONE: Self = Self {
        input: None,
        output: None,
        operator: None,
        combine: None,
        command: None,
        clause: None,
    };
}

impl TensorOptions {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        opcodes: Vec::new(),
        chain: Span::of(1, 6),
        channels: Span::of(1, 128),
        elements: Span::of(1, 4096),
        work: 64,
        medium_work: 640,
        medium_one_in: 150,
        big_work: 65536,
        big_one_in: 4096,
        huge_one_in: 200_000,
        size_one_in: 200,
        steer: Steer::NONE,
    };
}
