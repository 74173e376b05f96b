//! Broken instruments: each is a wrapper around the real one.

use super::{HarnessFault, Rig};
use crate::compare::{Comparator, Comparison, FpOrder, NanPolicy, Policy};
use crate::generate::Intent;
use crate::golden::Expectation;
use contract::case::Case;
use contract::isa::{ClauseSet, Generation, opcode};
use contract::outcome::{Outcome, TensorOutcome, TensorVerdict, VectorOutcome};

/// A comparator that looks at outcomes from which something was taken.
const fn blind(
    name: &'static str,
    compare: fn(&Case, &Outcome, &Outcome, &mut Comparison),
    story: &'static str,
) -> HarnessFault {
    HarnessFault { name, story, rig: Rig { compare, ..Rig::PRODUCT } }
}

/// Compares copies of both outcomes after a change of each.
fn compare_without(
    case: &Case,
    expected: &Outcome,
    actual: &Outcome,
    result: &mut Comparison,
    tensor: fn(&mut TensorOutcome),
    vector: fn(&mut VectorOutcome),
) {
    let strip = |outcome: &Outcome| {
        let mut copy = outcome.clone();
        match &mut copy {
            Outcome::Tensor(outcome) => tensor(outcome),
            Outcome::Vector(outcome) => vector(outcome),
        }
        copy
    };
    (Rig::PRODUCT.compare)(case, &strip(expected), &strip(actual), result);
}

/// The broken instruments.
pub const HARNESS_FAULTS: &[HarnessFault] = &[
    blind(
        "last-region-skipped",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |o| drop(o.state.regions.pop()),
                |_| {},
            );
        },
        "the comparator stops before the last region",
    ),
    blind(
        "returns-after-first-step",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |o| o.steps.truncate(1),
                |o| o.steps.truncate(1),
            );
        },
        "the comparator returns after the first step",
    ),
    blind(
        "shorter-list-decides",
        |case, expected, actual, result| {
            let (mut expected, mut actual) = (expected.clone(), actual.clone());
            match (&mut expected, &mut actual) {
                (Outcome::Tensor(one), Outcome::Tensor(other)) => {
                    let steps = one.steps.len().min(other.steps.len());
                    one.steps.truncate(steps);
                    other.steps.truncate(steps);
                }
                (Outcome::Vector(one), Outcome::Vector(other)) => {
                    let steps = one.steps.len().min(other.steps.len());
                    one.steps.truncate(steps);
                    other.steps.truncate(steps);
                }
                _ => {}
            }
            (Rig::PRODUCT.compare)(case, &expected, &actual, result);
        },
        "steps are compared in pairs, so that missing and extra ones go unseen",
    ),
    blind(
        "nan-equals-nan",
        |case, expected, actual, result| {
            let policy = Policy { nan: NanPolicy::Any, fp_order: FpOrder::Exact };
            Comparator { policy }.compare(case, expected, actual, result);
        },
        "two NaNs are equal whatever their payloads",
    ),
    blind(
        "causes-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |_| {},
                |o| {
                    if let Some(schedule) = &mut o.schedule {
                        schedule.bundles.iter_mut().for_each(|bundle| bundle.causes = 0..0);
                    }
                },
            );
        },
        "the schedule comparison leaves causes out",
    ),
    blind(
        "posting-order-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |_| {},
                |o| {
                    let Some(schedule) = &mut o.schedule else { return };
                    for op in &schedule.ops {
                        let range = op.postings.start as usize..op.postings.end as usize;
                        schedule.postings[range].sort_by_key(|posting| {
                            (posting.class, posting.index, posting.role, posting.lat)
                        });
                    }
                },
            );
        },
        "postings are compared as sets",
    ),
    blind(
        "cycles-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |_| {},
                |o| {
                    if let Some(schedule) = &mut o.schedule {
                        schedule.cycles = 0;
                    }
                },
            );
        },
        "the schedule comparison leaves the cycles out",
    ),
    blind(
        "accumulators-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |o| o.state.accumulators = [0; 128],
                |_| {},
            );
        },
        "accumulators are not compared",
    ),
    blind(
        "seeded-lanes-ignored",
        |case, expected, actual, result| {
            compare_without(case, expected, actual, result, |o| o.state.seeded = 0, |_| {});
        },
        "the seeded lanes are not compared",
    ),
    blind(
        "flags-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |o| o.steps.iter_mut().for_each(|step| step.indeterminate_acc = false),
                |_| {},
            );
        },
        "flags of steps are not compared",
    ),
    blind(
        "clause-sets-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |o| {
                    for step in &mut o.steps {
                        if let TensorVerdict::Reject(clauses) = &mut step.verdict {
                            let first: ClauseSet = clauses.iter().take(1).collect();
                            *clauses = first;
                        }
                    }
                },
                |_| {},
            );
        },
        "verdicts are compared by their first clause",
    ),
    blind(
        "starts-as-agreement",
        |case, expected, actual, result| {
            (Rig::PRODUCT.compare)(case, expected, actual, result);
            if result.differing.values == 0 {
                *result = Comparison { compared: result.compared, ..Comparison::default() };
            }
        },
        "the answer starts as agreement and is changed by values alone",
    ),
    blind(
        "status-registers-ignored",
        |case, expected, actual, result| {
            compare_without(
                case,
                expected,
                actual,
                result,
                |_| {},
                |o| (o.state.fcr, o.state.fsr) = (0, 0),
            );
        },
        "floating control and status are not compared",
    ),
    blind(
        "memory-of-reference-alone",
        |case, expected, actual, result| {
            let mut actual = actual.clone();
            if let (Outcome::Vector(expected), Outcome::Vector(actual)) = (expected, &mut actual) {
                actual.state.memory = expected.state.memory.clone();
            }
            (Rig::PRODUCT.compare)(case, expected, &actual, result);
        },
        "vector memory is taken from the reference on both sides",
    ),
    blind(
        "compares-with-itself",
        |case, expected, _, result| {
            (Rig::PRODUCT.compare)(case, expected, expected, result);
        },
        "the reference is compared with itself",
    ),
    HarnessFault {
        name: "op-never-emitted",
        story: "the generator never emits RORBN",
        rig: Rig {
            generate: |generator, kind, seed, out| {
                generator.seeded(kind, seed, out);
                if let Case::Vector(case) = &mut out.case {
                    for bundle in &mut case.program {
                        bundle.ops.retain(|op| op.op.text() != "RORBN");
                    }
                }
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "opcode-never-emitted",
        story: "the generator turns every 0x5E into 0x4E",
        rig: Rig {
            generate: |generator, kind, seed, out| {
                generator.seeded(kind, seed, out);
                if let Case::Tensor(case) = &mut out.case {
                    for record in &mut case.program {
                        if record[0] == opcode::TENSOR_CUMULATIVE_BITVEC {
                            record[0] = opcode::TENSOR_CUMULATIVE_ARITH;
                        }
                    }
                }
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "generation-never-drawn",
        story: "the generator never draws maverick",
        rig: Rig {
            generate: |generator, kind, seed, out| {
                generator.seeded(kind, seed, out);
                if let Case::Tensor(case) = &mut out.case
                    && case.generation == Generation::Maverick
                {
                    case.generation = Generation::MarianaPlus;
                }
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "nothing-broken-on-purpose",
        story: "the generator makes valid cases alone",
        rig: Rig {
            generate: |generator, kind, seed, out| {
                let mut seed = seed;
                for _ in 0..64 {
                    generator.seeded(kind, seed, out);
                    if matches!(out.intent, Intent::Valid) {
                        return;
                    }
                    seed.0 = seed.0.wrapping_add(1);
                }
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "seed-stuck",
        story: "every case has the same few seeds",
        rig: Rig {
            generate: |generator, kind, seed, out| {
                generator.seeded(kind, crate::generate::CaseSeed(seed.0 % 8), out);
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "golden-unknown-skipped",
        story: "the loader leaves out golden entries that it does not know",
        rig: Rig {
            golden: |corpus| {
                let mut directed = (Rig::PRODUCT.golden)(corpus)?;
                directed
                    .cases
                    .retain(|case| !matches!(case.expectation, Some(Expectation::Places { .. })));
                Ok(directed)
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "golden-last-entry-lost",
        story: "the loader loses the last line of a file",
        rig: Rig {
            golden: |corpus| {
                let mut directed = (Rig::PRODUCT.golden)(corpus)?;
                if let Some(at) =
                    directed.cases.iter().rposition(|case| case.group == "vector_cases.jsonl")
                {
                    directed.cases.remove(at);
                }
                Ok(directed)
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "golden-without-expectation",
        story: "golden cases are compared model against model alone",
        rig: Rig {
            golden: |corpus| {
                let mut directed = (Rig::PRODUCT.golden)(corpus)?;
                directed.cases.iter_mut().for_each(|case| case.expectation = None);
                Ok(directed)
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "expectation-always-met",
        story: "no outcome ever misses a golden vector",
        rig: Rig { missed: |_, _| Vec::new(), ..Rig::PRODUCT },
    },
    HarnessFault {
        name: "minimiser-drifts",
        story: "the minimiser keeps any divergence instead of the one that it began with",
        rig: Rig {
            shrink: |case, wanted, models| {
                let mut minimal = (Rig::PRODUCT.shrink)(case, wanted, models)?;
                let mut interest = AnyDivergence(crate::shrink::DivergenceInterest::new(models));
                let mut quiet = |_: &crate::minimise::Progress| std::ops::ControlFlow::Continue(());
                let drifted = crate::minimise::minimise(case, &mut interest, 600, &mut quiet)?;
                minimal.case = drifted.case;
                Ok(minimal)
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "minimiser-gives-up",
        story: "the minimiser returns what it was given",
        rig: Rig {
            shrink: |case, wanted, models| {
                let mut minimal = (Rig::PRODUCT.shrink)(case, wanted, models)?;
                minimal.case = case.clone();
                Ok(minimal)
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "shard-loses-a-seed",
        story: "a shard stops before its last case",
        rig: Rig {
            shard: |shard, cases| {
                let mut indices = (Rig::PRODUCT.shard)(shard, cases);
                indices.pop();
                indices
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "shards-overlap",
        story: "every shard begins with case 0",
        rig: Rig {
            shard: |shard, cases| {
                (0..shard.cases_of(cases)).map(|number| number * shard.count).collect()
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "coverage-counts-unexecuted",
        story: "a step counts as executed whatever its verdict",
        rig: Rig {
            count: |worker, generated, tally| {
                (Rig::PRODUCT.count)(worker, generated, tally);
                for op in tally.ops.occurred() {
                    let row = tally.ops.get_mut(op);
                    row.executed = [0; 5];
                    row.executed[0] = row.directed + row.random;
                }
            },
            ..Rig::PRODUCT
        },
    },
    HarnessFault {
        name: "rejections-uncounted",
        story: "failing clauses are not counted",
        rig: Rig {
            count: |worker, generated, tally| {
                (Rig::PRODUCT.count)(worker, generated, tally);
                tally.clauses = Default::default();
            },
            ..Rig::PRODUCT
        },
    },
];

/// An interest that takes every divergence for the same one.
struct AnyDivergence(crate::shrink::DivergenceInterest);

impl crate::minimise::Interest for AnyDivergence {
    type Signature = String;

    fn signature(&mut self, case: &Case) -> Option<String> {
        let roots = self.0.roots(case).ok()?;
        (!roots.is_empty()).then(|| "a divergence".to_owned())
    }
}
