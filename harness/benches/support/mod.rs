//! What several benches measure alike.

use criterion::{Criterion, Throughput};
use harness::campaign::{self, Budget, Plan, Shard};
use harness::compare::Comparator;
use harness::generate::{Family, Options};
use harness::models;
use std::sync::atomic::AtomicBool;

/// Cases per second of a campaign of one family on every core: generation, both models, comparison.
pub fn campaign(criterion: &mut Criterion, family: Family) {
    const CASES: u64 = 20_000;
    let plan = Plan {
        seed: 1,
        budget: Budget { cases: Some(CASES), time: None },
        shard: Shard::WHOLE,
        jobs: std::thread::available_parallelism().map_or(1, |jobs| jobs.get()),
        comparator: Comparator::default(),
        reference: models::oracle(),
        candidate: models::candidate(),
        families: vec![family],
        options: Options::default(),
        directed: Vec::new(),
        products: Vec::new(),
        until: None,
    };
    let mut group = criterion.benchmark_group("campaign");
    group.throughput(Throughput::Elements(CASES));
    group.sample_size(10);
    group.bench_function(family.name(), |bencher| {
        bencher.iter(|| {
            let result = campaign::run(&plan, &AtomicBool::new(false), |_, _| {});
            assert_eq!(result.tally.diverging_cases, 0);
            result.tally.cases
        });
    });
    group.finish();
}
