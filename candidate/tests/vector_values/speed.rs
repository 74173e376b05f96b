//! How long a bundle takes; run by hand in a release build:
//! `cargo test --release -p candidate --test vector_values -- --ignored --nocapture speed`.

use crate::random::{Edges, Random};
use crate::support::{BASE, bundle, executors};
use contract::outcome::VectorStep;
use std::hint::black_box;
use std::time::Instant;

#[test]
#[ignore = "a measurement, not a check"]
fn speed_of_single_op_bundles() {
    // The best batch counts: other work on the machine only ever adds time.
    const BATCHES: u32 = 40;
    const ROUNDS: u32 = 5_000;
    let edges = Edges::read();
    let mut random = Random(1);
    for text in [
        "F0 { }",
        "F0 { S0 ADDI a5, a6, 1 }",
        "F0 { S3 ADDNX16 v1, v2, v3 }",
        "F0 { S3 ADDNX16T v1, v2, v3, vb1 }",
        "F0 { S3 LTUNX16 vb1, v2, v3 }",
        "F0 { S3 BMAXN_2X32 v1, vb1, v2, v3 }",
        "F0 { S3 SLSNX16 v1, v2, v3 }",
        "F0 { S3 ROTRNX16 v1, v2, v3 }",
        "F0 { S3 NSAN_2X32 v1, v2 }",
        "F0 { S3 SHFL2NX8 v1, v2, v3 }",
        "F0 { S3 SELNX16 v1, v2, v3, v4 }",
        "F0 { S3 DSELN_2X32T v0, v1, v2, v3, v4, vb1 }",
        "F0 { S3 DCMPRS2NX8 v1, v2, vb1 }",
        "F0 { S3 RADDNX16 v1, v2 }",
        "F0 { S3 RADD2NX8T v1, v2, vb1 }",
        "F0 { S3 RBMAXNX16 v1, vb1, v2 }",
        "F0 { S3 RMAXNUMNXF16T v1, v2, vb1 }",
        "F0 { S1 LTRN vb1, a5 }",
        "F0 { S3 REPNX16 v1, v2, 5 }",
        "F0 { S2 MULPN16XR16 wv0, v1, v2, pr0 }",
        "F0 { S1 PACKLNX48 v1, wv0 }",
        "F0 { S1 LV2NX8_I v1, a2, 0 }",
        "F0 { S0 SV2NX8_I v1, a2, 0 }",
        "F0 { S0 SVNX8UT_I v1, a2, 0, vb1 }",
        "F0 { S1 LA2NX8_XP v1, u0, a2, a3 }",
        "F0 { S0 SAVN_2X16S_XP v1, u0, a2, a3 }",
        "F3 { S0 SV2NX8_I v1, a2, 0 ; S1 LV2NX8_I v5, a2, 0 ; S3 ADDNX16 v6, v2, v3 ; S4 SUBNX16 v7, v2, v3 }",
    ] {
        let mut row = String::new();
        for mut executor in executors() {
            let mut state = crate::random::random_state(&mut random, &edges);
            state.memory = crate::support::blank_state().memory;
            state.ar[2] = BASE + 256 + 5;
            state.ar[3] = 0;
            let bundle = bundle(text);
            let mut best = f64::INFINITY;
            for _ in 0..BATCHES {
                let start = Instant::now();
                for _ in 0..ROUNDS {
                    let step = executor.execute(black_box(&mut state), black_box(&bundle));
                    assert_eq!(step, VectorStep::Accept);
                }
                best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS));
            }
            row.push_str(&format!(" {} {best:6.1} ns", executor.simd().name()));
        }
        println!("{text:60}{row}");
    }
}
