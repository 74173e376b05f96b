//! Time per bundle; run by hand with `--ignored --nocapture`, best in release.

use crate::programs::legal_program;
use crate::{bundle, run_into};
use candidate::schedule::Scheduler;
use contract::bundle::Bundle;
use contract::profile::LatCrossbar;
use contract::schedule::Schedule;
use std::time::Instant;

/// Nanoseconds per bundle, the best of some rounds.
fn nanoseconds(program: &[Bundle]) -> f64 {
    let mut scheduler = Scheduler::default();
    let mut schedule = Schedule::default();
    let repeats = 1_000 / program.len() + 1;
    let round = |scheduler: &mut Scheduler, schedule: &mut Schedule| {
        let start = Instant::now();
        for _ in 0..repeats {
            run_into(scheduler, program, LatCrossbar::Seed, schedule);
        }
        start.elapsed().as_nanos() as f64 / (repeats * program.len()) as f64
    };
    (0..400).map(|_| round(&mut scheduler, &mut schedule)).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "a measurement"]
fn time_per_bundle() {
    for (name, text) in [
        ("empty", "F0 { }"),
        ("ADDNX16", "F0 { S3 ADDNX16 v1, v2, v3 }"),
        ("SELNX16T", "F0 { S3 SELNX16T v1, v2, v3, v4, vb1 }"),
        (
            "two memory ops, multiply, ALU",
            "F0 { S0 SA2NX8_IP v31, u1, a2 ; S1 LA2NX8_IP v0, u0, a3 ; S2 MULNX16 wv0, v1, v2 ; S3 ADDNX16 v4, v5, v6 }",
        ),
    ] {
        println!("{name}: {:.1} ns", nanoseconds(&vec![bundle(text); 100]));
    }
    println!(
        "one bundle a program: {:.1} ns",
        nanoseconds(&[bundle("F0 { S3 ADDNX16 v1, v2, v3 }")])
    );
    for bundles in [100, 1_000, 10_000] {
        // Every bundle stalls on the one before.
        let time = nanoseconds(&vec![bundle("F0 { S3 ADDNX16 v1, v1, v3 }"); bundles]);
        println!("{bundles} equal bundles: {time:.1} ns");
        let time = nanoseconds(&legal_program(1, bundles, 4));
        println!("{bundles} random bundles: {time:.1} ns");
    }
}
