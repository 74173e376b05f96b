//! Programs of the vector generator: every pair of families meets at every distance, the schedule
//! targets of spec 05 section 12 are reached, streams have every phase and length, and scalar ops feed
//! addresses.

mod generate_vector_support;

use contract::bundle::{Bundle, Operand, SlotOp};
use contract::isa::Mnemonic;
use generate_vector_support::{
    NONE, ROWS, ar, chapter_04, family, for_cases, index, postings, schedule, shape, vector_case,
};
use harness::generate::VectorOptions;
use harness::generate::vector::off_by_default;
use std::collections::{BTreeMap, BTreeSet};

/// Family of the producer, family and role of the consumer, class, NOP bundles between.
type Meeting = (&'static str, &'static str, bool, &'static str, usize);

/// Every producer and later posting of its register with only NOP bundles between.
fn meetings(program: &[Bundle], found: &mut BTreeMap<Meeting, u32>) {
    for (at, bundle) in program.iter().enumerate() {
        let later = program[at + 1..].iter().position(|later| !later.ops.is_empty());
        let Some(apart) = later else { continue };
        for producer in &bundle.ops {
            for written in postings(producer).into_iter().filter(|posting| posting.write) {
                for consumer in &program[at + 1 + apart].ops {
                    for met in postings(consumer) {
                        if (met.class, met.index) == (written.class, written.index) {
                            let families = (family(producer.op.text()), family(consumer.op.text()));
                            let key = (families.0, families.1, met.write, met.class, apart);
                            *found.entry(key).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_pair_of_families_that_shares_a_class_meets_and_every_distance_occurs() {
    let mut found = BTreeMap::new();
    for_cases(shape(VectorOptions { hazard: 1, other_chapters: 0, ..NONE }), 120_000, |out, _| {
        meetings(&vector_case(out).program, &mut found);
    });
    let mut writers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut readers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (op, row) in chapter_04() {
        if off_by_default(Mnemonic::from_name(op).expect("a mnemonic")) {
            continue;
        }
        for posting in row["postings"].as_array().expect("postings") {
            let class = posting["class"].as_str().expect("class");
            let family = row["family"].as_str().expect("family");
            match posting["role"].as_str() {
                Some("def") => writers.entry(class).or_default().insert(family),
                Some("use") => readers.entry(class).or_default().insert(family),
                _ => continue,
            };
        }
    }
    let seen = |one: &str, two: &str, write: bool, class: &str, apart: usize| {
        found.keys().any(|&(a, b, w, c, d)| (a, b, w, c, d) == (one, two, write, class, apart))
    };
    let (mut pairs, mut missing) = (0, Vec::new());
    let mut index: BTreeSet<(&str, &str, bool, &str)> = BTreeSet::new();
    index.extend(found.keys().map(|&(one, two, write, class, _)| (one, two, write, class)));
    for (class, producers) in &writers {
        for producer in producers {
            for (write, consumers) in [(false, readers.get(class)), (true, writers.get(class))] {
                for consumer in consumers.into_iter().flatten() {
                    pairs += 1;
                    if !index.contains(&(*producer, *consumer, write, *class)) {
                        missing.push((producer, consumer, write, class));
                    }
                }
            }
        }
        for apart in 0..=4 {
            let producers: Vec<_> = producers.iter().collect();
            // Every producer's family at every distance, and every consumer's.
            for producer in &producers {
                assert!(
                    found.keys().any(|&(a, _, _, c, d)| (a, c, d) == (**producer, class, apart)),
                    "{producer} on {class}, {apart} apart"
                );
            }
            for consumer in readers[class].iter() {
                assert!(
                    found
                        .keys()
                        .any(|&(_, b, w, c, d)| (b, w, c, d) == (*consumer, false, class, apart)),
                    "{consumer} reads {class}, {apart} apart"
                );
            }
        }
    }
    assert!(pairs > 4000, "{pairs}");
    assert!(
        missing.is_empty(),
        "{} of {pairs}: {:?}",
        missing.len(),
        &missing[..missing.len().min(20)]
    );
    assert!(seen("ALU2", "ALU2", true, "vec", 0));
}

#[test]
fn the_schedule_targets_are_reached() {
    let mut waits = BTreeSet::new();
    let mut older_later = BTreeSet::new();
    let (mut two_causes, mut in_out) = (0, 0);
    let options = VectorOptions { hazard: 4, mixed: 1, chain: 1, other_chapters: 30, ..NONE };
    for_cases(shape(options), 20_000, |out, _| {
        for (_, causes) in schedule(&vector_case(out).program) {
            let registers: BTreeSet<_> =
                causes.iter().map(|cause| (cause.producer.class, cause.producer.index)).collect();
            two_causes += u32::from(registers.len() > 1);
            in_out += u32::from(causes.iter().any(|raw| {
                !raw.consumer.write
                    && causes.iter().any(|waw| {
                        waw.consumer.write
                            && (waw.consumer.class, waw.consumer.index)
                                == (raw.consumer.class, raw.consumer.index)
                    })
            }));
            for cause in causes {
                waits.insert((cause.producer.lat, cause.consumer.lat));
                if cause.consumer.write {
                    older_later.insert(cause.producer.class);
                }
            }
        }
    });
    assert!(two_causes > 200, "{two_causes}");
    assert!(in_out > 200, "{in_out}");
    for class in ["vec", "vbool", "AR", "valign"] {
        assert!(older_later.contains(class), "no write waits for an older one of {class}");
    }
    // Rows of spec 05 section 3.2 with a distance above 1.
    for pair in [
        (4, 1),
        (4, 3),
        (5, 4),
        (5, 1),
        (6, 4),
        (10, 9),
        (11, 10),
        (12, 10),
        (12, 11),
        (12, 4),
        (12, 3),
        (12, 1),
        (3, 1),
        (5, 3),
        (6, 3),
        (6, 1),
        (6, 5),
        (12, 5),
        (13, 10),
        (13, 12),
        (12, 6),
        (13, 11),
    ] {
        assert!(waits.contains(&pair), "no stall of {pair:?}");
    }
}

#[test]
fn streams_have_every_phase_and_the_lengths_at_the_borders() {
    let mut phases: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut lengths: BTreeMap<&str, BTreeSet<i32>> = BTreeMap::new();
    let mut primes: BTreeMap<String, u32> = BTreeMap::new();
    let (mut co_issued, mut store_in_mid_line) = (0, 0);
    for_cases(shape(VectorOptions { stream: 1, ..NONE }), 40_000, |out, _| {
        let case = vector_case(out);
        let mut cleared = BTreeSet::new();
        let mut before: Option<String> = None;
        for bundle in &case.program {
            let streaming = |op: &&SlotOp| {
                ["LA_IP", "LA_XP", "LAV_XP", "SA_IP", "SAV_XP"].contains(&family(op.op.text()))
            };
            co_issued += u32::from(bundle.ops.iter().filter(streaming).count() == 2);
            for op in &bundle.ops {
                let name = family(op.op.text());
                if streaming(&op) {
                    if let Some(base) = ar(case, index(&op.operands[2])) {
                        phases.entry(name).or_default().insert(base % 64);
                        let opened = cleared.contains(&index(&op.operands[1]));
                        store_in_mid_line +=
                            u32::from(name.starts_with("SA") && opened && base % 64 != 0);
                    }
                    if let (true, Some(before)) = (name.starts_with("LA"), before.take()) {
                        *primes.entry(before).or_default() += 1;
                    }
                }
                if name == "LAV_XP" || name == "SAV_XP" {
                    lengths
                        .entry(name)
                        .or_default()
                        .extend(ar(case, index(&op.operands[3])).map(|length| length as i32));
                }
                if name == "ZALIGN" {
                    cleared.insert(index(&op.operands[0]));
                }
                before = Some(op.op.text().to_owned());
            }
        }
    });
    for name in ["LA_IP", "LA_XP", "LAV_XP", "SA_IP", "SAV_XP"] {
        assert_eq!(phases[name], (0..64).collect(), "phases of {name}");
    }
    for name in ["LAV_XP", "SAV_XP"] {
        for length in [-1, 0, 1, 32, 33, 63, 64, 65, i32::MAX, i32::MIN] {
            assert!(lengths[name].contains(&length), "{name} with length {length}");
        }
    }
    for prime in ["LA_PP", "LALIGN_I", "LALIGN_IP", "LA_PPXU", "ZALIGN", "MALIGN"] {
        assert!(primes[prime] > 50, "{prime}: {}", primes[prime]);
    }
    assert!(co_issued > 2000 && store_in_mid_line > 2000, "{co_issued} {store_in_mid_line}");
}

/// An operand that is a number.
fn number(operand: &Operand) -> i64 {
    match operand {
        Operand::Imm(value) => *value,
        other => panic!("{other:?} is no number"),
    }
}

#[test]
fn the_chains_feed_addresses_from_every_scalar_producer() {
    let mut fed: BTreeMap<&str, u32> = BTreeMap::new();
    for_cases(shape(VectorOptions { chain: 1, ..NONE }), 6000, |out, _| {
        let mut last: BTreeMap<u32, &'static str> = BTreeMap::new();
        for bundle in &vector_case(out).program {
            let mut defined = Vec::new();
            for op in &bundle.ops {
                let row = &ROWS[op.op.text()].1;
                for posting in postings(op).into_iter().filter(|posting| posting.class == "AR") {
                    if posting.write {
                        defined.push((posting.index, family(op.op.text())));
                    } else if let Some(producer) = last.get(&posting.index)
                        && row["mem"] != "none"
                        && posting.lat == 1
                    {
                        *fed.entry(producer).or_default() += 1;
                    }
                }
                if op.op.text() == "ADDI" {
                    assert!((-128..=127).contains(&number(&op.operands[2])));
                }
            }
            last.extend(defined);
        }
    });
    for producer in ["SADDI", "SALU", "MOVI", "SMUL", "L32I", "EXTR", "EXTRVR", "MOVAV", "MOVAB1"] {
        assert!(fed.get(producer).copied().unwrap_or(0) > 100, "{producer}: {fed:?}");
    }
}
