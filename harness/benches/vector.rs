//! Speed of the vector side: whole campaigns in programs per second, what coverage costs, both models side by
//! side on long programs of one op family each, and the text form.
//!
//! `cargo bench -p harness --bench vector`; throughput is printed in programs, bundles or bytes per second.

mod support;

use contract::case::{Case, MemoryWindow, RegisterValue, VectorCase};
use contract::outcome::Outcome;
use contract::profile::Profile;
use contract::state::Line;
use contract::text::{parse_program, write_bundle};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_main};
use harness::campaign::{Origin, Tally, Worker};
use harness::compare::Comparator;
use harness::generate::{CaseSeed, Family, Generated, Generator, Options};
use harness::models;
use std::fmt::Write as _;
use std::time::Duration;

/// Bundles of a program of one family.
const BUNDLES: usize = 256;

/// A family with the bundles that it repeats: `{a}`, `{b}`, `{c}` are vector registers, `{p}`, `{q}`
/// predicates.
const FAMILIES: &[(&str, &[&str])] = &[
    (
        "SEL",
        &[
            "F0 { S3 SELNX16 v{a}, v{b}, v{c}, v31 }",
            "F0 { S3 SEL2NX8 v{a}, v{b}, v{c}, v30 }",
            "F0 { S3 SELN_2X32T v{a}, v{b}, v{c}, v29, vb{p} }",
        ],
    ),
    (
        "SHFL",
        &[
            "F0 { S3 SHFLNX16 v{a}, v{b}, v31 }",
            "F0 { S3 SHFL2NX8 v{a}, v{b}, v30 }",
            "F0 { S3 SHFLN_2X32 v{a}, v{b}, v29 }",
        ],
    ),
    (
        "DSEL",
        &[
            "F0 { S3 DSELNX16 v{a}, v28, v{b}, v{c}, v31 }",
            "F0 { S3 DSELN_2X32 v{a}, v28, v{b}, v{c}, v29 }",
        ],
    ),
    (
        "RADD",
        &[
            "F0 { S3 RADDNX16 v{a}, v{b} }",
            "F0 { S3 RADD2NX8 v{a}, v{b} }",
            "F0 { S3 RADDSNX16T v{a}, v{b}, vb{p} }",
        ],
    ),
    (
        "RMAX",
        &[
            "F0 { S3 RMAXNX16 v{a}, v{b} }",
            "F0 { S3 RBMAX2NX8 v{a}, vb{p}, v{b} }",
            "F0 { S3 RMINUNX16T v{a}, v{b}, vb{p} }",
        ],
    ),
    ("DCMPRS", &["F0 { S3 DCMPRS2NX8 v{a}, v{b}, vb{p} }"]),
    (
        "aligning loads",
        &[
            "N2 { S1 LA2NX8_IP v{a}, u0, a2 }",
            "N2 { S1 LANX8S_IP v{a}, u0, a2 }",
            "N2 { S1 LAV2NX8_XP v{a}, u0, a2, a5 }",
        ],
    ),
    (
        "aligning stores",
        &[
            "N2 { S0 SA2NX8_IP v{a}, u1, a3 }",
            "N2 { S0 SANX8U_IP v{a}, u1, a3 }",
            "N2 { S0 SAV2NX8_XP v{a}, u1, a3, a5 }",
        ],
    ),
    (
        "ALU",
        &[
            "F0 { S3 ADDNX16 v{a}, v{b}, v{c} }",
            "F0 { S3 SUBSNX16 v{a}, v{b}, v{c} }",
            "F0 { S3 MAX2NX8 v{a}, v{b}, v{c} }",
            "F0 { S3 SLLN_2X32 v{a}, v{b}, v{c} }",
        ],
    ),
    (
        "predicates",
        &[
            "F0 { S3 LTNX16 vb{p}, v{b}, v{c} }",
            "F0 { S1 ANDB vb{p}, vb{q}, vb{p} }",
            "F0 { S1 RORBN vb{p}, vb{q} }",
            "F0 { S1 LTRN vb{p}, a5 }",
        ],
    ),
];

fn text_of(bundles: &[&str]) -> String {
    let mut text = String::new();
    for number in 0..BUNDLES {
        let bundle = bundles[number % bundles.len()];
        let filled = bundle
            .replace("{a}", &(number % 28).to_string())
            .replace("{b}", &((number * 5 + 3) % 28).to_string())
            .replace("{c}", &((number * 11 + 9) % 28).to_string())
            .replace("{p}", &(number % 16).to_string())
            .replace("{q}", &((number * 3 + 5) % 16).to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{filled}");
    }
    text
}

/// A program over registers full of bits.
fn case_of(text: &str) -> Case {
    let program = parse_program(text).expect("the texts above are bundles");
    let memory = MemoryWindow::default();
    let mut state: Vec<RegisterValue> = (0..32)
        .map(|register| {
            let mut line = Box::new(Line::default());
            for (at, byte) in line.0.iter_mut().enumerate() {
                *byte = (CaseSeed::of(u64::from(register), at as u64).0 >> 32) as u8;
            }
            RegisterValue::Vec(register, line)
        })
        .collect();
    state.extend(
        (0..16).map(|register| RegisterValue::Vbool(register, CaseSeed::of(99, register.into()).0)),
    );
    state.push(RegisterValue::Ar(2, memory.base + 4099));
    state.push(RegisterValue::Ar(3, memory.base + 32773));
    state.push(RegisterValue::Ar(5, 40));
    Case::Vector(VectorCase {
        id: "bench".to_owned(),
        profile: Profile::default(),
        cpenable: 2,
        state,
        memory,
        program,
    })
}

fn families(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("family");
    group.throughput(Throughput::Elements(BUNDLES as u64));
    group.sample_size(15).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(1));
    for (name, bundles) in FAMILIES {
        let case = case_of(&text_of(bundles));
        for factory in [models::oracle(), models::candidate()] {
            let mut model = factory.make();
            let mut outcome = Outcome::Vector(Box::default());
            model.run_into(&case, &mut outcome).expect("the program runs");
            let Outcome::Vector(found) = &outcome else { unreachable!("a vector case") };
            let ran = found.steps.iter().filter(|step| step.goes_on()).count();
            assert_eq!(ran, BUNDLES, "{name} runs to its end: {:?}", found.steps.last());
            group.bench_function(BenchmarkId::new(*name, factory.name()), |bencher| {
                bencher.iter(|| model.run_into(&case, &mut outcome).is_ok());
            });
        }
    }
    group.finish();
}

fn campaigns(criterion: &mut Criterion) {
    support::campaign(criterion, Family::Vector);
}

/// The campaign loop on one thread with and without covergroups, per family of cases.
fn coverage(criterion: &mut Criterion) {
    const CASES: u64 = 5_000;
    let mut group = criterion.benchmark_group("coverage");
    group.throughput(Throughput::Elements(CASES));
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    for (family, name) in [(Family::Vector, "vector"), (Family::Tensor, "tensor")] {
        for covers in [false, true] {
            let worker = Worker::new(Comparator::default(), models::oracle(), models::candidate());
            let mut worker = if covers { worker } else { worker.without_coverage() };
            let mut generator = Generator::new(Options::default());
            let mut sample = Generated::default();
            group.bench_function(
                BenchmarkId::new(name, if covers { "on" } else { "off" }),
                |bencher| {
                    bencher.iter(|| {
                        let mut tally = Tally::default();
                        for index in 0..CASES {
                            let seed = CaseSeed::of(1, index);
                            generator.seeded(family, seed, &mut sample);
                            let origin = Origin::Generated { index, seed };
                            worker.examine(&sample.case, &origin, &sample.intent, &mut tally);
                        }
                        tally.cases
                    });
                },
            );
        }
    }
    group.finish();
}

fn text(criterion: &mut Criterion) {
    let text: String = FAMILIES.iter().map(|(_, bundles)| text_of(bundles)).collect();
    let program = parse_program(&text).expect("the texts above are bundles");
    let mut group = criterion.benchmark_group("text");
    group.throughput(Throughput::Elements(program.len() as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| parse_program(&text).map(|program| program.len()));
    });
    let mut printed = String::with_capacity(2 * text.len());
    group.bench_function("print", |bencher| {
        bencher.iter(|| {
            printed.clear();
            for bundle in &program {
                // Writing to a string cannot fail.
                let _ = write_bundle(&mut printed, bundle);
            }
            printed.len()
        });
    });
    group.finish();
}

/// The function that criterion's macro writes has no documentation, so it stays private.
mod group {
    use super::{campaigns, coverage, families, text};

    criterion::criterion_group!(benches, campaigns, coverage, families, text);
}
use group::benches;

criterion_main!(benches);
