//! Speed of schedules: programs of 100, 1,000 and 10,000 bundles, many of which stall. Legality and issue
//! computation alone in the candidate, whose time per bundle must be flat (the printed throughput is bundles
//! per second), and whole programs in both models; the oracle looks at every earlier definition and may
//! grow.
//!
//! `cargo bench -p harness --bench schedule`

use candidate::schedule::{Scheduler, judge};
use contract::case::{Case, MemoryWindow, RegisterValue, VectorCase};
use contract::outcome::Outcome;
use contract::profile::{LatCrossbar, Profile};
use contract::schedule::{LatTable, Schedule};
use contract::text::parse_program;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_main};
use harness::models;
use std::fmt::Write as _;
use std::time::Duration;

/// A program of so many bundles: loads, dependent ALU chains, flagged reduces that feed predicated
/// selects, post-increments.
fn program(bundles: usize) -> Case {
    let mut text = String::new();
    for number in 0..bundles {
        let (a, b, c) = (number % 29, (number + 7) % 29, (number + 13) % 29);
        // Writing to a string cannot fail.
        let _ = match number % 8 {
            0 => writeln!(text, "F0 {{ S1 LV2NX8_I v{a}, a2, 64 ; S3 ADDNX16 v{b}, v{c}, v30 }}"),
            1 => writeln!(text, "F0 {{ S3 SUBNX16 v{a}, v{}, v31 }}", (number + 6) % 29),
            2 => writeln!(text, "F0 {{ S3 RBMAXNX16 v{a}, vb{}, v{b} }}", number % 16),
            3 => writeln!(
                text,
                "F0 {{ S3 SELNX16T v{a}, v{}, v30, v31, vb{} }}",
                (number + 28) % 29,
                (number + 15) % 16
            ),
            4 => writeln!(text, "F0 {{ S0 ADDI a3, a3, 0 ; S3 RADDNX16 v{a}, v{b} }}"),
            5 => writeln!(text, "F0 {{ S1 LV2NX8_X v{a}, a2, a3 }}"),
            6 => writeln!(text, "F0 {{ S2 MULANX16 wv{}, v{a}, v{b} }}", number % 4),
            _ => writeln!(text, "N2 {{ S1 LV2NX8_IP v{a}, a2, 0 }}"),
        };
    }
    let program = parse_program(&text).expect("the texts above are bundles");
    let memory = MemoryWindow::default();
    let state = vec![RegisterValue::Ar(2, memory.base + memory.bytes / 2)];
    let (id, profile) = ("bench".to_owned(), Profile::default());
    Case::Vector(VectorCase { id, profile, cpenable: 2, state, memory, program })
}

fn issue(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("issue");
    group.sample_size(30).warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(2));
    for bundles in [100, 1_000, 10_000] {
        let Case::Vector(case) = program(bundles) else { unreachable!("made so") };
        let (mut scheduler, mut schedule) = (Scheduler::default(), Schedule::default());
        group.throughput(Throughput::Elements(bundles as u64));
        group.bench_function(BenchmarkId::new("candidate", bundles), |bencher| {
            bencher.iter(|| {
                schedule.clear(LatTable::Lat1);
                scheduler.begin(LatCrossbar::Seed);
                for bundle in &case.program {
                    assert!(judge(bundle).is_ok());
                    scheduler.issue(bundle, &mut schedule);
                }
                schedule.cycles
            });
        });
        let stalls =
            schedule.bundles.iter().filter(|b| b.issue.is_some_and(|(_, s)| s > 0)).count();
        assert!(stalls > bundles / 4, "{stalls} of {bundles} bundles stall");
    }
    group.finish();
}

fn programs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("program");
    group.sample_size(20).warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(2));
    for bundles in [100, 1_000, 10_000] {
        let case = program(bundles);
        group.throughput(Throughput::Elements(bundles as u64));
        for factory in [models::candidate(), models::oracle()] {
            if factory.name() == "oracle" && bundles > 1_000 {
                continue;
            }
            let mut model = factory.make();
            let mut outcome = Outcome::Vector(Box::default());
            model.run_into(&case, &mut outcome).expect("the program runs");
            let Outcome::Vector(found) = &outcome else { unreachable!("a vector case") };
            assert_eq!(found.steps.len(), bundles, "the program runs to its end");
            group.bench_function(BenchmarkId::new(factory.name(), bundles), |bencher| {
                bencher.iter(|| model.run_into(&case, &mut outcome).is_ok());
            });
        }
    }
    group.finish();
}

/// The function that criterion's macro writes has no documentation, so it stays private.
mod group {
    use super::{issue, programs};

    criterion::criterion_group!(benches, issue, programs);
}
use group::benches;

criterion_main!(benches);
