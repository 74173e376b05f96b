//! What a comparison can find, as types: aspect, step, place, expected, actual. Reports and triage read
//! these; nothing is ever searched in message text.

use contract::isa::{ClauseSet, RegClass};
use contract::outcome::{TensorVerdict, VectorStep};
use contract::schedule::{Hazard, Role};
use contract::state::Space;
use std::fmt;

/// The three things that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// Memory, accumulators, registers.
    Value,
    /// Verdicts, reasons, failing clauses, flags.
    Verdict,
    /// LAT postings and issue cycles.
    Schedule,
}

impl Aspect {
    /// Every aspect.
    pub const ALL: [Self; 3] = [Self::Value, Self::Verdict, Self::Schedule];

    /// Word in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Verdict => "verdict",
            Self::Schedule => "schedule",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which way two verdicts differ, seen from the actual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Accepted what the reference refuses.
    OverAccept,
    /// Refused what the reference accepts.
    UnderAccept,
    /// Both refuse, for other reasons.
    OtherReason,
}

impl Direction {
    /// Words in reports and bucket names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OverAccept => "over-accept",
            Self::UnderAccept => "under-accept",
            Self::OtherReason => "other-reason",
        }
    }

    const fn of(expected_accepts: bool, actual_accepts: bool) -> Self {
        match (expected_accepts, actual_accepts) {
            (false, true) => Self::OverAccept,
            (true, false) => Self::UnderAccept,
            _ => Self::OtherReason,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Label of a schedule difference (spec 05 section 10), in the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScheduleLabel {
    /// Verdict, reason, format or the number of bundles.
    Verdict,
    /// Another op, or other registers.
    LatRegset,
    /// The same registers with other roles or stages; another table.
    LatPost,
    /// The same postings in another order.
    LatOrder,
    /// Issue cycle or stall.
    Issue,
    /// Stall causes.
    Cause,
    /// Total cycles.
    Cycles,
}

impl ScheduleLabel {
    /// The label as the spec writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verdict => "VERDICT",
            Self::LatRegset => "LAT_REGSET",
            Self::LatPost => "LAT_POST",
            Self::LatOrder => "LAT_ORDER",
            Self::Issue => "ISSUE",
            Self::Cause => "CAUSE",
            Self::Cycles => "CYCLES",
        }
    }
}

impl fmt::Display for ScheduleLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What made a schedule difference, where that is one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScheduleRoot {
    /// One posting has another stage.
    Posting {
        /// Class of its register.
        class: RegClass,
        /// Its role.
        role: Role,
        /// Stage in the reference.
        expected: u8,
        /// Stage in the candidate.
        actual: u8,
    },
    /// A stall of another length, or for other reasons: the hazard that binds on one side alone.
    Stall(Hazard, Shortfall),
    /// Anything else.
    Other,
}

/// How far two issue cycles are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shortfall {
    /// At most one cycle.
    One,
    /// More cycles.
    More,
}

/// A register of the vector unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VectorRegister {
    /// A register of a class with operand text.
    File(RegClass, u8),
    /// `fs<i>`
    Fs(u8),
    /// `fcr`
    Fcr,
    /// `fsr`
    Fsr,
}

impl fmt::Display for VectorRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(class, index) => write!(f, "{}{index}", class.prefix()),
            Self::Fs(index) => write!(f, "fs{index}"),
            Self::Fcr => f.write_str("fcr"),
            Self::Fsr => f.write_str("fsr"),
        }
    }
}

/// Where two outcomes differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// One outcome is of a tensor case, the other of a vector case.
    Kind,
    /// Verdict of the step.
    Verdict,
    /// Flag `INDETERMINATE_ACC` of the step.
    Flag,
    /// A write outside the case's memory that one model performs and the other does not.
    OutsideCase {
        /// Memory.
        space: Space,
        /// Partition.
        partition: u32,
        /// Byte offset in the partition.
        offset: u32,
    },
    /// A region that one outcome lacks or gives another shape.
    Region(usize),
    /// Bytes of tensor memory, all in one row of one region.
    TensorMemory {
        /// Region number.
        region: usize,
        /// Memory.
        space: Space,
        /// Partition.
        partition: u32,
        /// Offset of the first differing byte in the partition.
        offset: u32,
        /// Number of bytes in the run.
        bytes: u32,
    },
    /// Accumulator of a lane.
    Accumulator(u8),
    /// Seeded flag of a lane.
    Seeded(u8),
    /// A register of the vector unit.
    Register(VectorRegister),
    /// Bounds of the memory window.
    Window,
    /// Bytes of vector memory.
    VectorMemory {
        /// Address of the first differing byte.
        address: u32,
        /// Number of bytes in the run.
        bytes: u32,
    },
    /// The schedule.
    Schedule {
        /// Label.
        label: ScheduleLabel,
        /// What made the difference.
        root: ScheduleRoot,
        /// Slot of the op, where the label is about one.
        slot: Option<u8>,
        /// Later bundles that differ and follow from this one.
        following: u32,
    },
}

/// What stands at a place in one of the outcomes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Observed {
    /// Nothing: the step, region or bundle is missing.
    Absent,
    /// Verdict of a tensor step.
    Tensor(TensorVerdict),
    /// Verdict of a bundle.
    Vector(VectorStep),
    /// A flag.
    Flag(bool),
    /// Bytes, first address first; at most [`Observed::LONGEST`].
    Bytes(Box<[u8]>),
    /// A register that is a number, with its hex digits.
    Word(u64, u8),
    /// A part of a schedule or a shape, in the text form of the spec.
    Text(Box<str>),
}

impl Observed {
    /// Bytes that are kept of a run of differing bytes.
    pub const LONGEST: usize = 192;

    /// Bytes, cut to the longest that is kept.
    pub fn bytes(data: &[u8]) -> Self {
        Self::Bytes(data[..data.len().min(Self::LONGEST)].into())
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("nothing"),
            Self::Tensor(verdict) => write_tensor_verdict(f, verdict),
            Self::Vector(step) => write_vector_step(f, step),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::Word(value, digits) => write!(f, "0x{value:0width$x}", width = *digits as usize),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn write_tensor_verdict(f: &mut fmt::Formatter<'_>, verdict: &TensorVerdict) -> fmt::Result {
    match verdict {
        TensorVerdict::Accept => f.write_str("accept"),
        TensorVerdict::Reject(clauses) => {
            f.write_str("reject")?;
            clauses.iter().try_for_each(|clause| write!(f, " {clause}"))
        }
        TensorVerdict::Unsupported(reason) => write!(f, "unsupported {reason}"),
        TensorVerdict::Fault(reason) => write!(f, "fault {reason}"),
    }
}

fn write_vector_step(f: &mut fmt::Formatter<'_>, step: &VectorStep) -> fmt::Result {
    match step {
        VectorStep::Accept => f.write_str("accept"),
        VectorStep::Reject(reason) => write!(f, "reject {reason}"),
        VectorStep::Fault(reason, None) => write!(f, "fault {reason}"),
        VectorStep::Fault(reason, Some(address)) => write!(f, "fault {reason} at {address:#010x}"),
        VectorStep::Unsupported(op) => write!(f, "unsupported {op}"),
    }
}

/// One difference of two outcomes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Divergence {
    /// What differs.
    pub aspect: Aspect,
    /// The step that differs; for values the step that made the difference, once it was located.
    pub step: Option<usize>,
    /// Where.
    pub place: Place,
    /// What the reference says.
    pub expected: Observed,
    /// What the candidate says.
    pub actual: Observed,
}

impl Divergence {
    /// Direction of a verdict divergence.
    pub fn direction(&self) -> Option<Direction> {
        let accepts = |observed: &Observed| match observed {
            Observed::Tensor(verdict) => Some(*verdict == TensorVerdict::Accept),
            Observed::Vector(step) => Some(*step == VectorStep::Accept),
            _ => None,
        };
        match self.place {
            Place::Verdict => Some(Direction::of(accepts(&self.expected)?, accepts(&self.actual)?)),
            _ => None,
        }
    }

    /// Clauses that only the reference and that only the candidate reports as failing. An accepted or
    /// faulting record is valid: none fails.
    pub fn clause_difference(&self) -> Option<(ClauseSet, ClauseSet)> {
        let failing = |observed: &Observed| match observed {
            Observed::Tensor(TensorVerdict::Reject(clauses)) => Some(*clauses),
            Observed::Tensor(TensorVerdict::Accept | TensorVerdict::Fault(_)) => {
                Some(ClauseSet::EMPTY)
            }
            _ => None,
        };
        let (expected, actual) = (failing(&self.expected)?, failing(&self.actual)?);
        Some((expected.difference(actual), actual.difference(expected)))
    }

    /// Indices of the bytes that differ, where both sides are bytes.
    pub fn differing_bytes(&self) -> Vec<usize> {
        match (&self.expected, &self.actual) {
            (Observed::Bytes(expected), Observed::Bytes(actual)) => {
                (0..expected.len().min(actual.len()))
                    .filter(|&index| expected[index] != actual[index])
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Lanes of `width` bytes that differ, where both sides are bytes.
    pub fn differing_lanes(&self, width: usize) -> Vec<usize> {
        let mut lanes: Vec<usize> =
            self.differing_bytes().into_iter().map(|byte| byte / width.max(1)).collect();
        lanes.dedup();
        lanes
    }
}
