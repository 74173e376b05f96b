//! Comparison of tensor outcomes: verdict and flag of every step, every byte of every region, every
//! accumulator lane with its seeded flag. What the outcome does not carry (generation, switches,
//! registers, lane mask: the case and the program determine them) is not compared.

use super::{
    Aspect, Comparison, Destinations, Divergence, IgnoredReason, NanPolicy, Observed, Place,
    Policy, compare_steps,
};
use crate::number::{code_of, is_nan};
use contract::case::TensorCase;
use contract::isa::Dtype;
use contract::outcome::{TensorOutcome, TensorStep};
use contract::state::{ACCUMULATOR_LANES, Region};

pub(super) fn compare(
    policy: Policy,
    case: &TensorCase,
    expected: &TensorOutcome,
    actual: &TensorOutcome,
    result: &mut Comparison,
) {
    compare_steps(&expected.steps, &actual.steps, result, step_difference);

    let regions = expected.state.regions.len().max(actual.state.regions.len());
    let mut nans = NanMatcher { policy, case, expected, destinations: None };
    for number in 0..regions {
        let pair = (expected.state.regions.get(number), actual.state.regions.get(number));
        match pair {
            (Some(mine), Some(theirs)) if same_shape(mine, theirs) => {
                result.compared.values += mine.data.len() as u64;
                if mine.data != theirs.data {
                    region_difference(number, mine, theirs, &mut nans, result);
                }
            }
            (mine, theirs) => result.record(
                1,
                Divergence {
                    aspect: Aspect::Value,
                    step: None,
                    place: Place::Region(number),
                    expected: shape_text(mine),
                    actual: shape_text(theirs),
                },
            ),
        }
    }

    result.compared.values += ACCUMULATOR_LANES as u64;
    if expected.state.accumulators != actual.state.accumulators
        || expected.state.seeded != actual.state.seeded
    {
        accumulator_differences(policy, expected, actual, result);
    }
}

fn step_difference(
    step: usize,
    expected: Option<&TensorStep>,
    actual: Option<&TensorStep>,
    result: &mut Comparison,
) {
    let shown = |side: Option<&TensorStep>| {
        side.map_or(Observed::Absent, |step| Observed::Tensor(step.verdict.clone()))
    };
    let mut amount = 1;
    if expected.map(|step| &step.verdict) != actual.map(|step| &step.verdict) {
        result.record(
            amount,
            Divergence {
                aspect: Aspect::Verdict,
                step: Some(step),
                place: Place::Verdict,
                expected: shown(expected),
                actual: shown(actual),
            },
        );
        // The step is one unit, also when its flag differs too.
        amount = 0;
    }
    if let (Some(expected), Some(actual)) = (expected, actual)
        && expected.indeterminate_acc != actual.indeterminate_acc
    {
        result.record(
            amount,
            Divergence {
                aspect: Aspect::Verdict,
                step: Some(step),
                place: Place::Flag,
                expected: Observed::Flag(expected.indeterminate_acc),
                actual: Observed::Flag(actual.indeterminate_acc),
            },
        );
    }
}

fn same_shape(mine: &Region, theirs: &Region) -> bool {
    mine.space == theirs.space
        && mine.partition == theirs.partition
        && mine.partitions == theirs.partitions
        && mine.offset == theirs.offset
        && mine.stride == theirs.stride
        && mine.data.len() == theirs.data.len()
}

fn shape_text(region: Option<&Region>) -> Observed {
    region.map_or(Observed::Absent, |region| {
        Observed::Text(
            format!(
                "{} partitions {}+{} offset {:#x} stride {} bytes {}",
                region.space.name(),
                region.partition,
                region.partitions,
                region.offset,
                region.stride,
                region.data.len()
            )
            .into(),
        )
    })
}

/// Records the maximal runs of differing bytes of a region, row by row.
fn region_difference(
    number: usize,
    mine: &Region,
    theirs: &Region,
    nans: &mut NanMatcher<'_>,
    result: &mut Comparison,
) {
    // A region without columns has no bytes, so it cannot differ.
    let stride = (mine.stride as usize).max(1);
    let rows = mine.data.chunks(stride).zip(theirs.data.chunks(stride));
    for (row, (expected, actual)) in rows.enumerate() {
        if expected == actual {
            continue;
        }
        let partition = mine.partition + row as u32;
        let mut column = 0;
        while column < expected.len() {
            if expected[column] == actual[column] {
                column += 1;
                continue;
            }
            if let Some(after) = nans.skip(mine, theirs, partition, row * stride, column, result) {
                column = after;
                continue;
            }
            let mut end = column + 1;
            while end < expected.len()
                && expected[end] != actual[end]
                && nans.element(mine, theirs, partition, row * stride, end).is_none()
            {
                end += 1;
            }
            result.record(
                (end - column) as u64,
                Divergence {
                    aspect: Aspect::Value,
                    step: None,
                    place: Place::TensorMemory {
                        region: number,
                        space: mine.space,
                        partition,
                        offset: mine.offset + column as u32,
                        bytes: (end - column) as u32,
                    },
                    expected: Observed::bytes(&expected[column..end]),
                    actual: Observed::bytes(&actual[column..end]),
                },
            );
            column = end;
        }
    }
}

/// Finds elements that are a NaN in both outcomes, under [`NanPolicy::Any`].
struct NanMatcher<'a> {
    policy: Policy,
    case: &'a TensorCase,
    expected: &'a TensorOutcome,
    /// Where the program's destinations lie; worked out at the first differing byte.
    destinations: Option<Destinations>,
}

impl NanMatcher<'_> {
    /// Columns of the element that holds a differing byte, if both outcomes hold a NaN there.
    fn element(
        &mut self,
        mine: &Region,
        theirs: &Region,
        partition: u32,
        row_start: usize,
        column: usize,
    ) -> Option<(usize, usize)> {
        if self.policy.nan == NanPolicy::Exact {
            return None;
        }
        let destinations = self
            .destinations
            .get_or_insert_with(|| Destinations::of(self.case, &self.expected.steps));
        let offset = mine.offset + column as u32;
        let element = destinations.element_at(mine.space, partition, offset)?;
        let first = element.offset.checked_sub(mine.offset)? as usize;
        let end = first + usize::from(element.dtype.storage_bytes());
        if end > mine.stride as usize {
            return None;
        }
        let code = |region: &Region| code_of(&region.data[row_start + first..row_start + end]);
        (is_nan(element.dtype, code(mine)) && is_nan(element.dtype, code(theirs)))
            .then_some((first, end))
    }

    /// Counts an ignored element and returns the column after it.
    fn skip(
        &mut self,
        mine: &Region,
        theirs: &Region,
        partition: u32,
        row_start: usize,
        column: usize,
        result: &mut Comparison,
    ) -> Option<usize> {
        let (_, end) = self.element(mine, theirs, partition, row_start, column)?;
        result.ignored.count(IgnoredReason::NanPayload, 1);
        Some(end)
    }
}

fn accumulator_differences(
    policy: Policy,
    expected: &TensorOutcome,
    actual: &TensorOutcome,
    result: &mut Comparison,
) {
    for lane in 0..ACCUMULATOR_LANES {
        let (mine, theirs) = (expected.state.accumulators[lane], actual.state.accumulators[lane]);
        let seeded = |outcome: &TensorOutcome| outcome.state.seeded >> lane & 1 == 1;
        let mut amount = 1;
        if mine != theirs {
            let nan = |bits: u32| is_nan(Dtype::Fp32, u64::from(bits));
            if policy.nan == NanPolicy::Any && nan(mine) && nan(theirs) {
                result.ignored.count(IgnoredReason::NanPayload, 1);
            } else {
                result.record(
                    amount,
                    Divergence {
                        aspect: Aspect::Value,
                        step: None,
                        place: Place::Accumulator(lane as u8),
                        expected: Observed::Word(u64::from(mine), 8),
                        actual: Observed::Word(u64::from(theirs), 8),
                    },
                );
                // A lane is one unit, also when its seeded flag differs too.
                amount = 0;
            }
        }
        if seeded(expected) != seeded(actual) {
            result.record(
                amount,
                Divergence {
                    aspect: Aspect::Value,
                    step: None,
                    place: Place::Seeded(lane as u8),
                    expected: Observed::Flag(seeded(expected)),
                    actual: Observed::Flag(seeded(actual)),
                },
            );
        }
    }
}
