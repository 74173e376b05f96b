//! Misread recurrences: accumulator, scan, emission, and the log-step forms that look equal (spec 03
//! sections 7.4, 7.5 and 8).

use super::tensor::reading::Reading;
use super::tensor::rules::{Rules, Twist};
use super::{Fault, Wrong};
use contract::isa::{AccumCmd, AluOp, Dtype};

const fn fault(
    name: &'static str,
    twist: Twist,
    concerns: fn(&Reading) -> bool,
    story: &'static str,
    source: &'static str,
) -> Fault {
    Fault { name, story, source, wrong: Wrong::Value(Rules { twist, concerns, ..Rules::RIGHT }) }
}

const fn identity(
    name: &'static str,
    identity: fn(AluOp) -> Option<u32>,
    story: &'static str,
    source: &'static str,
) -> Fault {
    let rules = Rules { identity, concerns: Reading::is_cached, ..Rules::RIGHT };
    Fault { name, story, source, wrong: Wrong::Value(rules) }
}

fn narrow(read: &Reading) -> bool {
    read.destination.dtype != Dtype::Fp32
}

fn narrow_cached(read: &Reading) -> bool {
    read.is_cached() && narrow(read)
}

fn cumulative(read: &Reading) -> bool {
    read.is_cached() && !read.reduces()
}

fn combines(op: AluOp) -> bool {
    matches!(op, AluOp::Add | AluOp::Subtract | AluOp::Mult)
}

/// The rows.
pub(super) const FAULTS: &[Fault] = &[
    fault(
        "op1-before-op0",
        Twist::CombineFirst,
        Reading::is_cached,
        "op0 combines, op1 is applied to the element",
        "seed 000 section 4a: tmp = op0(in, scalar0), acc = op1(acc, tmp)",
    ),
    fault(
        "op1-takes-scalar1",
        Twist::TwoScalars,
        Reading::is_cached,
        "op1 takes the second scalar, as in plain TensorScalar",
        "seed 000 section 4d, GOTCHA: op1 does not take a scalar",
    ),
    fault(
        "accumulator-right",
        Twist::ElementLeft,
        Reading::is_cached,
        "the accumulator is the right operand of the combine",
        "seed 000 section 4a: acc is the left-hand side (spec 03 D-23)",
    ),
    fault(
        "scalar-left",
        Twist::ScalarLeft,
        Reading::is_cached,
        "the scalar is the left operand of op0",
        "seed 000 section 4a: op0 is always tensor on the left, scalar0 on the right",
    ),
    fault(
        "accumulator-not-carried",
        Twist::AccumulateFromZero,
        Reading::is_cached,
        "Accumulate starts from zero instead of from the accumulator of the lane",
        "seed 000 section 4c: Accumulate continues the carried accumulator",
    ),
    fault(
        "accumulate-starts-afresh",
        Twist::AccumulateFromIdentity,
        Reading::is_cached,
        "Accumulate starts from the identity, as ZeroAccumulate does",
        "seed 000 section 4a: acc = persistent_acc",
    ),
    fault(
        "load-starts-from-identity",
        Twist::LoadFromIdentity,
        Reading::is_cached,
        "LoadAccumulate starts from the identity, the seed is overlooked",
        "seed 000 section 4a: LoadAccumulate seeds from imm1",
    ),
    fault(
        "load-combines",
        Twist::LoadCombines,
        |read| read.command == Some(AccumCmd::LoadAccumulate),
        "LoadAccumulate combines its seed with the carried accumulator",
        "seed 000 section 4a: acc = seed",
    ),
    identity(
        "every-start-zero",
        |_| Some(0),
        "ZeroAccumulate starts every operator from zero",
        "seed 000 section 4a: op1_identity is 0, 1, -inf or +inf",
    ),
    identity(
        "subtract-starts-negative",
        |op| (op == AluOp::Subtract).then_some(0x8000_0000),
        "the identity of Subtract is -0.0",
        "spec 03 section 7.4: Subtract 0x00000000",
    ),
    identity(
        "max-starts-at-lowest",
        |op| match op {
            AluOp::Max => Some(0xFF7F_FFFF),
            AluOp::Min => Some(0x7F7F_FFFF),
            _ => None,
        },
        "Max and Min start from the largest finite numbers instead of the infinities",
        "seed 000 section 4a: the identities are -inf and +inf",
    ),
    fault(
        "result-in-first-slot",
        Twist::FirstSlot,
        Reading::reduces,
        "0x9A writes its result to the first slot",
        "spec 03 D-24: the last slot",
    ),
    fault(
        "result-in-every-slot",
        Twist::EverySlot,
        Reading::reduces,
        "0x9A writes its result to every slot",
        "spec 03 D-24: the last slot and nothing else",
    ),
    fault(
        "reduce-streams",
        Twist::ReduceStreams,
        Reading::reduces,
        "0x9A streams the running partial, as its twin does",
        "seed 000 section 9: a reduce collapses the stream to one value per channel",
    ),
    fault(
        "unwritten-slots-zeroed",
        Twist::ZeroUnwritten,
        Reading::reduces,
        "the slots before the result are zeroed",
        "spec 03 D-38: bytes that no rule writes keep their contents",
    ),
    fault(
        "cumulative-collapses",
        Twist::CumulativeCollapses,
        cumulative,
        "0xE6 writes its last partial alone",
        "seed 000 section 4a: CacheCumulative emits acc at each step",
    ),
    fault(
        "exclusive-cumulative",
        Twist::Exclusive,
        cumulative,
        "0xE6 writes the accumulator before the element joins it",
        "spec 03 section 7.4: emission is inclusive",
    ),
    fault(
        "running-value-rounded",
        Twist::RoundRunning,
        narrow_cached,
        "the running accumulator is rounded to the output dtype at every step",
        "spec 03 section 7.4: never re-rounded to out_dtype (D-31)",
    ),
    fault(
        "accumulator-rounded",
        Twist::RoundAccumulator,
        narrow_cached,
        "the accumulator that is carried on is the rounded output",
        "spec 03 section 7.4: FP32 between instructions (D-31)",
    ),
    fault(
        "fold-rounded-to-input",
        Twist::RoundFold,
        Reading::is_cached,
        "the result of op0 is rounded to the input dtype",
        "spec 03 D-31: FP32 between op0 and op1",
    ),
    fault(
        "fold-fused",
        Twist::Fused,
        |read| read.fold == AluOp::Mult && read.combine == AluOp::Add,
        "Mult and Add are one fused operation",
        "spec 03 section 4: no fused multiply-add (D-31)",
    ),
    fault(
        "widened-integer-accumulator",
        Twist::IntegerAccumulator,
        |read| {
            use Dtype::{Int8, Int16, Uint8, Uint16};
            read.is_cached() && matches!(read.source.dtype, Int8 | Uint8 | Int16 | Uint16)
        },
        "the accumulator of integer inputs is a widened integer, so folds are truncated",
        "spec 06, remarks not followed: FP32 for every input (spec 03 D-27)",
    ),
    fault(
        "fold-restarts-per-row",
        Twist::RestartPerRow,
        Reading::is_cached,
        "the fold starts again in every row of the pattern",
        "spec 03 D-28: the whole 3-D pattern, no restart per row",
    ),
    fault(
        "lane-by-partition",
        Twist::LaneIsPartition,
        |read| read.is_cached() && read.source.pattern.start.address() >= 32 * 0x8000,
        "accumulator lanes are numbered by partition",
        "spec 03 D-26: the lane is the channel ordinal",
    ),
    fault(
        "accumulator-shared",
        Twist::SharedAccumulator,
        Reading::is_cached,
        "one accumulator serves all channels, one after the other",
        "seed 000 section 11.4: one accumulator per channel",
    ),
    fault(
        "idle-lanes-reset",
        Twist::IdleLanesReset,
        Reading::is_cached,
        "lanes beyond the active channels are reset",
        "spec 03 section 7.4: they keep acc and seeded",
    ),
    fault(
        "reduce-forgets",
        Twist::ReduceForgets,
        Reading::reduces,
        "0x9A leaves the accumulator file alone, for it has written its result",
        "seed 000 section 4a: persistent_acc = acc",
    ),
    fault(
        "cumulative-forgets",
        Twist::CumulativeForgets,
        cumulative,
        "0xE6 leaves the accumulator file alone, like the other scans",
        "seed 003 section 9: CacheCumulative carries the accumulator across calls",
    ),
    fault(
        "accumulate-does-not-seed",
        Twist::AccumulateDoesNotSeed,
        Reading::is_cached,
        "a lane stays unseeded after a bare Accumulate",
        "spec 03 section 7.4: seeded[c] = true",
    ),
    fault(
        "flag-of-first-lane",
        Twist::FlagOfFirstLane,
        Reading::is_cached,
        "INDETERMINATE_ACC looks at the first lane alone",
        "spec 03 D-25: if any of its channels is unseeded",
    ),
    fault(
        "indeterminate-unflagged",
        Twist::NoFlag,
        Reading::is_cached,
        "an Accumulate on an unseeded lane raises no flag",
        "spec 03 D-25: INDETERMINATE_ACC",
    ),
    fault(
        "reduce-by-tree",
        Twist::Tree,
        |read| read.reduces() && combines(read.combine),
        "0x9A folds with a balanced tree, as if the operator were associative",
        "spec 03 D-39: the sequential recurrence is the definition",
    ),
    fault(
        "log-step-cumulative",
        Twist::LogStep,
        |read| cumulative(read) && combines(read.combine),
        "0xE6 scans in log-step passes, whatever the operator",
        "spec 03 D-39: the sequential recurrence is the definition",
    ),
    fault(
        "log-step-any-operator",
        Twist::LogStep,
        Reading::is_scan,
        "TensorCumulative scans in log-step passes, whatever the operator",
        "seed 003 section 6: the pass sketch; spec 03 section 8.1 (D-39)",
    ),
    fault(
        "log-step-wraps",
        Twist::LogStepUnmasked,
        Reading::is_scan,
        "the rotate of a pass wraps: late elements run into early ones",
        "spec 03 section 8.1: lanes whose partner would wrap are left alone (D-39)",
    ),
    fault(
        "log-step-swapped",
        Twist::LogStepSwapped,
        Reading::is_scan,
        "a pass combines the later partial with the rotated one on its right",
        "seed 003 section 6: combine(partial, rotated); spec 03 section 8.1 (D-39)",
    ),
    fault(
        "exclusive-scan",
        Twist::Exclusive,
        Reading::is_scan,
        "TensorCumulative writes the running value before its element joins it",
        "seed 003 section 6: inclusive prefix scan (spec 03 D-30)",
    ),
    fault(
        "scan-restart-missing",
        Twist::NoRestart,
        Reading::is_scan,
        "the scan runs over the whole pattern, whatever the axis field says",
        "spec 03 D-30: each run starts afresh",
    ),
    fault(
        "scan-by-rows",
        Twist::RowRuns,
        Reading::is_scan,
        "the scan starts again in every row, whatever the axis field says",
        "seed 003 section 6: the scan runs along the selected subdims",
    ),
    fault(
        "axis-one-lower",
        Twist::OneAxisLess,
        Reading::is_scan,
        "the axis field is numbered one lower: XY scans X",
        "spec 01 section 6.4: X 2, XY 3, XYZ 4, XYZW 5",
    ),
    fault(
        "first-element-through-operator",
        Twist::FirstThroughOperator,
        Reading::is_scan,
        "the first element of a run is combined with zero",
        "spec 03 section 7.5: r_0 = ld(x_0)",
    ),
    fault(
        "first-element-moved",
        Twist::FirstMoved,
        |read| read.is_scan() && narrow(read),
        "the first element of a run is moved where the dtypes are equal",
        "spec 03 section 7.5: still ld and st, so a NaN payload is canonicalised",
    ),
    fault(
        "element-left",
        Twist::ElementLeft,
        Reading::is_scan,
        "the element is the left operand of a scan",
        "seed 003 section 1: out[i] = out[i-1] op in[i]",
    ),
    fault(
        "scan-rounded",
        Twist::RoundRunning,
        |read| read.is_scan() && narrow(read),
        "the running value of a scan is rounded to the output dtype at every step",
        "spec 03 section 7.5: the running value stays in the compute type",
    ),
    fault(
        "scan-leaks-between-channels",
        Twist::LeakIntoNextChannel,
        Reading::is_scan,
        "the running value goes on into the next channel",
        "spec 03 section 7.5: each run starts afresh",
    ),
    fault(
        "scan-writes-accumulator",
        Twist::ScanSeeds,
        Reading::is_scan,
        "TensorCumulative leaves its last value in the accumulator",
        "seed 003 section 6: no cross-tile carry",
    ),
];
