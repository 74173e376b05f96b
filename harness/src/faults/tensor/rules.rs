//! What a misreader of the tensor chapters goes by: the right rules with one thing wrong.

use super::reading::Reading;
use contract::isa::{AluOp, Dtype};
use contract::profile::Profile;
use oracle::numeric::format::IntegerFormat;

/// One rule of the recurrences, the walk or the state that is read wrongly. [`Twist::None`] is the right
/// reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twist {
    /// Everything as it is.
    None,
    /// op1 is applied to the element, op0 combines.
    CombineFirst,
    /// The folded element is the left operand of the combine; of a scan, the element.
    ElementLeft,
    /// The scalar is the left operand of op0.
    ScalarLeft,
    /// op1 takes the second immediate, as in plain TensorScalar.
    TwoScalars,
    /// Accumulate starts from zero.
    AccumulateFromZero,
    /// Accumulate starts from the identity.
    AccumulateFromIdentity,
    /// LoadAccumulate starts from the identity.
    LoadFromIdentity,
    /// The accumulator is combined with the seed of LoadAccumulate instead of replaced.
    LoadCombines,
    /// CacheReduce writes its result to the first slot.
    FirstSlot,
    /// CacheReduce writes its result to every slot.
    EverySlot,
    /// CacheReduce streams the running value, as CacheCumulative does.
    ReduceStreams,
    /// CacheReduce zeroes the slots before the last.
    ZeroUnwritten,
    /// CacheCumulative writes its last value alone.
    CumulativeCollapses,
    /// An output holds the running value before its own element.
    Exclusive,
    /// The running value is rounded to the output dtype at every step.
    RoundRunning,
    /// The accumulator that stays is rounded to the output dtype.
    RoundAccumulator,
    /// The result of op0 is rounded to the input dtype.
    RoundFold,
    /// The recurrence of the cached opcodes starts again in every row.
    RestartPerRow,
    /// Accumulator lanes are absolute partitions.
    LaneIsPartition,
    /// One accumulator serves all channels, one after the other.
    SharedAccumulator,
    /// Lanes beyond the active channels are reset.
    IdleLanesReset,
    /// CacheReduce leaves the accumulator file alone.
    ReduceForgets,
    /// CacheCumulative leaves the accumulator file alone.
    CumulativeForgets,
    /// Accumulate does not seed a lane.
    AccumulateDoesNotSeed,
    /// The flag is raised for the first lane alone.
    FlagOfFirstLane,
    /// The flag is never raised.
    NoFlag,
    /// Mult and Add are fused.
    Fused,
    /// Folded elements of integer inputs are integers.
    IntegerAccumulator,
    /// A pointer scalar is read once, for the first channel.
    ScalarOfFirstChannel,
    /// Selector 0 is a pointer and 1 inline.
    SwappedSelectors,
    /// An inline scalar is read in the input dtype.
    InlineInInputDtype,
    /// A pointer scalar is read in the input dtype.
    PointerInInputDtype,
    /// A register holds the scalar itself.
    RegisterIsScalar,
    /// Every element is written before the next one is read, scalars included.
    Streaming,
    /// Runs never start afresh.
    NoRestart,
    /// Runs are rows, whatever the axis field says.
    RowRuns,
    /// The axis field is numbered one lower.
    OneAxisLess,
    /// The first element of a run passes through the operator, with zero on its left.
    FirstThroughOperator,
    /// The first element of a run is moved as it is where the dtypes are equal.
    FirstMoved,
    /// The running value goes on into the next channel.
    LeakIntoNextChannel,
    /// Log-step passes, whatever the operator.
    LogStep,
    /// Log-step passes by closed rotates, without a mask for the lanes that wrap.
    LogStepUnmasked,
    /// Log-step passes with the later partial on the left.
    LogStepSwapped,
    /// A balanced tree instead of the left fold of CacheReduce.
    Tree,
    /// The outermost axis is the fastest.
    OuterAxisFastest,
    /// Steps count bytes.
    StepsAreBytes,
    /// Steps are unsigned.
    StepsUnsigned,
    /// A step of 0 is taken for 1.
    ZeroStepIsOne,
    /// The destination is walked with the counts of the source.
    SourceShape,
    /// The destination is walked with the steps of the source.
    SourceSteps,
    /// Of two writes to one byte the first stays.
    FirstWriteWins,
    /// Elements are written position by position, channels inside.
    PositionMajor,
    /// TensorCumulative leaves its last value in the accumulator of the lane.
    ScanSeeds,
}

/// The rules of a misreader. Each function answers `None` where the right rule holds.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Which records are misread; every other one is left to the right model.
    pub concerns: fn(&Reading) -> bool,
    /// Memory code to FP32 (spec 03 section 3.3).
    pub load: fn(Dtype, u64) -> Option<u32>,
    /// FP32 to memory code (spec 03 section 3.4).
    pub store: fn(Dtype, u32, &Profile) -> Option<u64>,
    /// Operators of C_F.
    pub float: fn(AluOp, u32, u32) -> Option<u32>,
    /// Operators of C_I(N).
    pub integer: fn(AluOp, IntegerFormat, u64, u64) -> Option<u64>,
    /// Operators of C_B(W).
    pub bits: fn(AluOp, u32, u64, u64) -> Option<u64>,
    /// Store out of C_I(N) (spec 03 section 3.5).
    pub store_integer: fn(Dtype, IntegerFormat, u64) -> Option<u64>,
    /// Start values of ZeroAccumulate.
    pub identity: fn(AluOp) -> Option<u32>,
    /// What else is wrong.
    pub twist: Twist,
}

impl Rules {
    /// The rules as they are.
    pub const RIGHT: Self = Self {
        concerns: |_| true,
        load: |_, _| None,
        store: |_, _, _| None,
        float: |_, _, _| None,
        integer: |_, _, _, _| None,
        bits: |_, _, _, _| None,
        store_integer: |_, _, _| None,
        identity: |_| None,
        twist: Twist::None,
    };
}
