//! The tensor generator against the spec, written out in `generate_support`: valid cases are valid,
//! broken ones break exactly what they say, memory holds every destination, and a case depends on
//! nothing but its bytes and the options.

mod generate_support;

use contract::case::{Case, TensorCase};
use contract::isa::{AccumCmd, AluOp, ClauseId, Dtype, Generation};
use contract::json::{read_case, write_case};
use generate_support::{Fate, Record, destination_is_held, fate, region_fault, size};
use harness::generate::tensor::{OPCODES, isolable_clauses, probes};
use harness::generate::{
    CaseSeed, Family, Generated, Generator, Intent, Options, Span, Steer, TensorOptions,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const CAMPAIGN: u64 = 0x5EED;

fn tensor_of(generated: &Generated) -> &TensorCase {
    match &generated.case {
        Case::Tensor(case) => case,
        Case::Vector(_) => panic!("the tensor family gave a vector case"),
    }
}

fn for_cases(options: Options, cases: u64, mut check: impl FnMut(&Generated, CaseSeed)) {
    let mut generator = Generator::new(options);
    let mut out = Generated::default();
    for index in 0..cases {
        let seed = CaseSeed::of(CAMPAIGN, index);
        generator.seeded(Family::Tensor, seed, &mut out);
        check(&out, seed);
    }
}

/// Everything that holds for every case, whatever its intent.
fn check(generated: &Generated, name: &dyn std::fmt::Display) {
    let case = tensor_of(generated);
    if let Some(fault) = region_fault(case) {
        panic!("{name}: {fault}");
    }
    assert!((1..=6).contains(&case.program.len()), "{name}");
    assert!(case.registers.keys().all(|&register| register < 64), "{name}");
    for (step, bytes) in case.program.iter().enumerate() {
        let found = fate(case, bytes);
        if found == Fate::Accept {
            let record = Record::of(bytes).expect("accepted records are of the four opcodes");
            assert!(destination_is_held(case, &record), "{name}: step {step} writes outside");
        }
        let ordinary = generated.intent.step() != Some(step);
        let expected = match &generated.intent {
            _ if ordinary => Fate::Accept,
            Intent::Valid | Intent::Inert { .. } => Fate::Accept,
            Intent::Isolated { .. } | Intent::Together { .. } | Intent::Pair { .. } => {
                Fate::Reject(generated.intent.broken())
            }
            Intent::Outside { reason, .. } if reason.text().starts_with("EXEC") => {
                assert!(
                    matches!(found, Fate::Fault(text) if text == reason.text()),
                    "{name}: step {step} of {:?} comes to {found:?}",
                    generated.intent
                );
                continue;
            }
            Intent::Outside { reason, .. } => {
                assert!(
                    matches!(found, Fate::Unsupported(text) if text == reason.text()),
                    "{name}: step {step} of {:?} comes to {found:?}",
                    generated.intent
                );
                continue;
            }
            Intent::Bits { .. } => continue,
            Intent::Illegal { .. } => panic!("{name}: a vector intent on a tensor case"),
        };
        assert_eq!(found, expected, "{name}: step {step} of {:?}", generated.intent);
    }
}

#[test]
fn every_case_is_what_its_intent_says_and_holds_its_destinations() {
    for_cases(Options::default(), 40_000, |out, seed| check(out, &seed));
}

#[test]
fn broken_cases_break_exactly_the_clauses_they_name() {
    let options = Options { near_valid: 1.0, ..Options::default() };
    let mut intents = [0; 4];
    for_cases(options, 40_000, |out, seed| {
        check(out, &seed);
        intents[match out.intent {
            Intent::Isolated { .. } => 0,
            Intent::Together { .. } => 1,
            Intent::Pair { .. } => 2,
            Intent::Bits { .. } => 3,
            ref other => panic!("{seed}: {other:?} among near-valid cases"),
        }] += 1;
    });
    assert!(intents.iter().all(|&count| count > 2_000), "{intents:?}");
}

#[test]
fn every_isolable_clause_and_every_probe_is_emitted_on_every_generation() {
    for &generation in Generation::ALL {
        let options =
            Options { generations: vec![generation], near_valid: 1.0, ..Options::default() };
        let mut clauses = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for_cases(options, 12_000, |out, _| match &out.intent {
            Intent::Isolated { clause, probe, .. } => {
                clauses.insert(*clause);
                seen.insert((vec![*clause], *probe));
            }
            Intent::Together { clauses, probe, .. } => {
                seen.insert((clauses.iter().collect(), *probe));
            }
            _ => {}
        });
        let isolable: BTreeSet<_> = isolable_clauses(generation).into_iter().collect();
        assert_eq!(clauses, isolable, "{generation}");
        let missing: Vec<_> = probes(generation)
            .filter(|probe| {
                let clauses = probe.clauses().iter().collect();
                !seen.contains(&(clauses, probe.name))
            })
            .map(|probe| (probe.fails, probe.name))
            .collect();
        assert!(missing.is_empty(), "{generation}: {missing:?}");
    }
}

#[test]
fn the_isolable_clauses_are_those_of_the_spec() {
    // Spec 02 section 5 lists what cannot be isolated; the rest of tables 3, 4.1 and 4.2 can.
    let never = [
        "EVT-SEM",
        "CR-OPC",
        "CR-OP0-ENUM",
        "CR-OP1-ENUM",
        "CR-DST-IND",
        "CR-REV-ENUM",
        "CR-IN-DT",
        "TC-OPC",
        "TC-OP-ENUM",
        "TC-Q-SRC",
        "TC-Q-SD",
    ];
    for &generation in Generation::ALL {
        let expected: Vec<_> = contract::isa::ClauseId::ALL
            .iter()
            .copied()
            .filter(|clause| !never.contains(&clause.id()))
            .filter(|clause| {
                ["HDR", "EVT", "CR-", "TC-"].iter().any(|group| clause.id().starts_with(group))
            })
            .collect();
        assert_eq!(isolable_clauses(generation), expected, "{generation}");
    }
}

#[test]
fn every_reason_in_reach_of_the_four_opcodes_is_emitted() {
    let options = Options {
        near_valid: 0.0,
        outside: 1.0,
        tensor: TensorOptions { size_one_in: 50, ..TensorOptions::DEFAULT },
        ..Options::default()
    };
    let mut reasons: BTreeMap<(String, &str), u32> = BTreeMap::new();
    for_cases(options, 6_000, |out, seed| {
        check(out, &seed);
        let Intent::Outside { reason, probe, .. } = &out.intent else {
            panic!("{seed}: {:?} among cases outside", out.intent)
        };
        *reasons.entry((reason.text().to_owned(), probe)).or_default() += 1;
    });
    let named: BTreeSet<&str> = reasons.keys().map(|(reason, _)| reason.as_str()).collect();
    let expected = [
        "ADDR-SHAPEREG",
        "EXEC-ADDRREG",
        "EXEC-BOUNDS",
        "EXEC-IMMREG",
        "EXEC-OVERLAP",
        "EXEC-SIZE",
        "HDR-TILE",
        "IND",
        "OUT_OF_SCOPE",
    ];
    assert!(named.iter().copied().eq(expected), "{named:?}");
}

#[test]
fn inert_bytes_leave_a_case_valid() {
    let options = Options { near_valid: 0.0, outside: 0.0, inert: 1.0, ..Options::default() };
    let mut probes = BTreeSet::new();
    for_cases(options, 1_000, |out, seed| {
        check(out, &seed);
        if let Intent::Inert { probe, .. } = out.intent {
            probes.insert(probe);
        }
    });
    assert_eq!(probes.len(), 4, "{probes:?}");
}

#[test]
fn a_case_depends_on_its_seed_and_the_options_alone() {
    let mut kept = Vec::new();
    for_cases(Options::default(), 500, |out, _| kept.push(out.clone()));
    // A generator that comes from elsewhere, in another order, with other buffers behind it.
    let mut generator = Generator::new(Options::default());
    let mut out = generator.case(Family::Tensor, CaseSeed(99));
    for index in (0..500).rev() {
        generator.seeded(Family::Tensor, CaseSeed::of(CAMPAIGN, index as u64), &mut out);
        assert_eq!(out, kept[index], "case {index}");
    }
    let distinct: BTreeSet<_> =
        kept.iter().map(|out| format!("{:?}", tensor_of(out).program)).collect();
    assert!(distinct.len() > 490, "{} of 500 programs differ", distinct.len());
}

#[test]
fn seeds_of_a_campaign_differ_and_read_back_as_printed() {
    let seeds: BTreeSet<_> = (0..10_000).map(|index| CaseSeed::of(7, index)).collect();
    assert_eq!(seeds.len(), 10_000);
    for seed in seeds.iter().take(100).chain([&CaseSeed(0), &CaseSeed(u64::MAX)]) {
        let text = seed.to_string();
        assert_eq!(text.len(), 18);
        assert_eq!(text.parse::<CaseSeed>(), Ok(*seed));
    }
    assert_eq!("17".parse::<CaseSeed>(), Ok(CaseSeed(17)));
    assert!("0xzz".parse::<CaseSeed>().is_err());
    assert_ne!(CaseSeed::of(1, 0), CaseSeed::of(0, 1));
}

#[test]
fn exhausted_bytes_give_one_small_valid_step() {
    let mut generator = Generator::new(Options::default());
    let mut out = Generated::default();
    generator.from_bytes(Family::Tensor, &[], &mut out);
    check(&out, &"no bytes");
    assert_eq!(out.intent, Intent::Valid);
    let case = tensor_of(&out);
    assert_eq!((case.program.len(), case.program[0][0]), (1, 0x9A));
    let record = Record::of(&case.program[0]).expect("0x9A is in scope");
    assert_eq!((record.src.count(), record.channels), (1, 1));
    assert!(case.memory.iter().map(|region| region.data.len()).sum::<usize>() <= 16);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_a_sound_case(bytes in proptest::collection::vec(any::<u8>(), 0..700)) {
        let mut generator = Generator::new(Options::default());
        let mut out = Generated::default();
        generator.from_bytes(Family::Tensor, &bytes, &mut out);
        check(&out, &"bytes");
        let first = out.clone();
        generator.from_bytes(Family::Tensor, &bytes, &mut out);
        prop_assert_eq!(first, out);
    }

    #[test]
    fn constant_bytes_give_a_sound_case(byte in any::<u8>(), length in 0usize..3000) {
        let mut generator = Generator::new(Options::default());
        let mut out = Generated::default();
        generator.from_bytes(Family::Tensor, &vec![byte; length], &mut out);
        check(&out, &byte);
    }
}

#[test]
fn opcode_generation_and_size_options_are_obeyed() {
    for &opcode in OPCODES {
        let options = Options {
            generations: vec![Generation::Cayman],
            near_valid: 0.0,
            outside: 0.0,
            tensor: TensorOptions {
                opcodes: vec![opcode, 0x41],
                chain: Span::of(2, 3),
                channels: Span::of(3, 5),
                elements: Span::of(4, 8),
                ..TensorOptions::DEFAULT
            },
            ..Options::default()
        };
        for_cases(options, 600, |out, seed| {
            check(out, &seed);
            let case = tensor_of(out);
            assert_eq!(case.generation, Generation::Cayman);
            assert!((2..=3).contains(&case.program.len()), "{seed}");
            for bytes in &case.program {
                assert_eq!(bytes[0], opcode);
                assert!(bytes[34] <= 5, "{seed}: {} channels", bytes[34]);
            }
        });
        let options = Options {
            near_valid: 1.0,
            tensor: TensorOptions { opcodes: vec![opcode], ..TensorOptions::DEFAULT },
            ..Options::default()
        };
        for_cases(options, 2_000, |out, seed| check(out, &seed));
    }
}

#[test]
fn extreme_options_still_give_a_program() {
    for (channels, elements) in [
        (Span::of(128, 128), Span::of(u32::MAX, u32::MAX)),
        (Span::of(0, 0), Span::of(0, 0)),
        (Span::of(9, 3), Span::of(5000, 20)),
        (Span::of(1, 1), Span::of(6000, 8000)),
    ] {
        let tensor = TensorOptions { channels, elements, ..TensorOptions::DEFAULT };
        let options = Options { tensor, near_valid: 0.5, outside: 0.5, ..Options::default() };
        for_cases(options, 60, |out, seed| {
            let program = &tensor_of(out).program;
            assert!((1..=6).contains(&program.len()), "{seed}");
            assert_eq!(region_fault(tensor_of(out)), None, "{seed}");
        });
    }
    let options =
        Options { generations: Vec::new(), near_valid: 7.0, outside: -1.0, ..Options::default() };
    for_cases(options, 200, |out, seed| check(out, &seed));
}

#[test]
fn a_preference_is_followed_wherever_it_is_legal() {
    let mut generator = Generator::new(Options {
        near_valid: 0.0,
        outside: 0.0,
        // A case that aims has its own preference.
        aim: false,
        tensor: TensorOptions { chain: Span::of(3, 6), ..TensorOptions::DEFAULT },
        ..Options::default()
    });
    generator.steer(Steer {
        input: Some(Dtype::Fp16),
        output: Some(Dtype::Int32),
        operator: Some(AluOp::IsGE),
        combine: Some(AluOp::Min),
        command: Some(AccumCmd::LoadAccumulate),
        ..Steer::NONE
    });
    let mut out = Generated::default();
    let mut steps = BTreeMap::new();
    for index in 0..2_000 {
        let seed = CaseSeed::of(4, index);
        generator.seeded(Family::Tensor, seed, &mut out);
        check(&out, &seed);
        for bytes in &tensor_of(&out).program {
            *steps.entry(bytes[0]).or_insert(0) += 1;
            if bytes[0] == 0x5E {
                continue;
            }
            assert_eq!(bytes[33], Dtype::Int32.wire(), "{seed}");
            assert_eq!(bytes[32], Dtype::Fp16.wire(), "{seed}");
            assert_eq!(bytes[36], AluOp::IsGE.wire(), "{seed}");
            if bytes[0] != 0x4E {
                assert_eq!((bytes[12], bytes[37]), (4, AluOp::Min.wire()), "{seed}");
            }
        }
    }
    assert!(steps.len() == 4 && steps.values().all(|&count| count > 500), "{steps:?}");
    let mut generator = Generator::new(Options { near_valid: 1.0, ..Options::default() });
    generator.steer(Steer { clause: Some(ClauseId::TcDtBv), ..Steer::NONE });
    let mut hits = 0;
    for index in 0..1_000 {
        generator.seeded(Family::Tensor, CaseSeed::of(5, index), &mut out);
        hits += u32::from(out.intent.broken().contains(ClauseId::TcDtBv));
    }
    // All but the flipped bits.
    assert!(hits > 850, "{hits} of 1000");
}

#[test]
fn cases_survive_the_journey_through_json() {
    for_cases(Options { vary_switches: true, ..Options::default() }, 1_500, |out, seed| {
        let text = write_case(&out.case);
        let back = read_case(&text).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(back, out.case, "{seed}");
    });
}

#[test]
fn switches_vary_only_on_request() {
    let mut profiles = BTreeSet::new();
    for vary_switches in [false, true] {
        profiles.clear();
        let options = Options { vary_switches, ..Options::default() };
        for_cases(options, 500, |out, _| {
            profiles.insert(format!("{:?}", tensor_of(out).profile));
        });
        assert_eq!(profiles.len() > 1, vary_switches);
    }
    // 2 x 2 x 2 x 2 x 4 settings of the five switches that the tensor side reads.
    assert!(profiles.len() > 50, "{}", profiles.len());
}

#[test]
fn valid_cases_reach_every_choice_that_the_spec_allows() {
    let options = Options { near_valid: 0.0, outside: 0.0, inert: 0.0, ..Options::default() };
    let mut dtypes = BTreeSet::new();
    let mut operators = BTreeSet::new();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let mut note = |what: &'static str, yes: bool| *seen.entry(what).or_default() += u32::from(yes);
    for_cases(options, 60_000, |out, _| {
        let case = tensor_of(out);
        let mut written = BTreeSet::new();
        let mut seeded = 0u32;
        for bytes in &case.program {
            let record = Record::of(bytes).expect("valid cases hold the four opcodes");
            dtypes.insert((bytes[0], record.input, record.output));
            operators.insert((case.generation, bytes[0], bytes[36]));
            let same_start = record.src.word == record.dst.word;
            note("in place", same_start);
            note("source written before", written.contains(&record.src.word));
            note(
                "PSUM source",
                (0x200_0000..0x240_0000).contains(&record.src.word)
                    && case.generation != Generation::Maverick,
            );
            note(
                "PSUM destination",
                (0x200_0000..0x240_0000).contains(&record.dst.word)
                    && case.generation != Generation::Maverick,
            );
            note("source step 0", record.src.steps[0] == 0 && record.src.counts[0] > 1);
            note("destination step 0", record.dst.steps[0] == 0 && record.dst.counts[0] > 1);
            note("negative step", record.src.steps[0] < 0 && record.src.counts[0] > 1);
            note("large step", record.src.steps[0] > 5_000 && record.src.counts[0] > 1);
            note("fourth dimension", record.src.counts.get(3).is_some_and(|&count| count > 1));
            note("different shapes", record.src.counts != record.dst.counts);
            note("128 channels", record.channels == 128);
            let stride = if case.generation == Generation::Maverick { 0x10_0000 } else { 0x4_0000 };
            for (quadrant, name) in [(1, "partition 32"), (2, "partition 64"), (3, "partition 96")]
            {
                note(name, record.src.word / stride == 32 * quadrant);
            }
            let limit = generate_support::active(case.generation, contract::state::Space::Sbuf);
            let end = record.dst.word % stride
                + size(record.output).expect("valid") * record.dst.count() as u32;
            note("end of the partition", end == limit);
            if matches!(bytes[0], 0x9A | 0xE6) {
                let (command, source) = (bytes[12], bytes[35]);
                note("pointer immediate", source == 1);
                note("register immediate", source == 2);
                note("register not given", source == 2 && !case.registers.contains_key(&bytes[40]));
                note("seed pointer", command == AccumCmd::LoadAccumulate.wire() && bytes[39] == 1);
                note("seed register", command == AccumCmd::LoadAccumulate.wire() && bytes[39] == 2);
                note("accumulate seeded", command == 2 && record.channels <= seeded);
                note("accumulate unseeded", command == 2 && record.channels > seeded);
                seeded = seeded.max(record.channels);
            } else {
                for (dim, name) in [(2, "X"), (3, "XY"), (4, "XYZ"), (5, "XYZW")] {
                    note(name, bytes[37] == dim);
                }
            }
            written.insert(record.dst.word);
        }
    });
    let rare: Vec<_> = seen.iter().filter(|&(_, &count)| count < 20).collect();
    assert!(rare.is_empty(), "{rare:?} of {seen:?}");
    // 10 x 13 dtypes for each CR opcode, 12 x 13 for 0x4E, 4 equal pairs for 0x5E.
    assert_eq!(dtypes.len(), 130 + 130 + 156 + 4);
    assert!(dtypes.contains(&(0x9A, Dtype::Fp8Exp3.wire(), Dtype::Fp32r.wire())));
    // General 17, 17, 21, 21, 21 twice; scans 21, 23, 27, 27, 27; raw scans 10 each.
    assert_eq!(operators.len(), 2 * 97 + 125 + 50);
}

#[test]
fn the_average_case_is_cheap_and_the_sizes_reach_their_ends_rarely() {
    let mut work = 0;
    let mut memory = 0;
    let cases = 60_000;
    for_cases(Options::default(), cases, |out, _| {
        let case = tensor_of(out);
        memory += case.memory.iter().map(|region| region.data.len()).sum::<usize>();
        for bytes in &case.program {
            if fate(case, bytes) == Fate::Accept {
                let record = Record::of(bytes).expect("accepted");
                work += record.src.count() * u64::from(record.channels);
            }
        }
    });
    let (work, memory) = (work / cases, memory / cases as usize);
    assert!((20..=60).contains(&work), "{work} elements x channels x steps a case");
    assert!(memory < 4_000, "{memory} bytes a case");
    let huge = Options {
        near_valid: 0.0,
        outside: 0.0,
        tensor: TensorOptions { huge_one_in: 1, ..TensorOptions::DEFAULT },
        ..Options::default()
    };
    for_cases(huge, 3, |out, seed| {
        check(out, &seed);
        let record = Record::of(&tensor_of(out).program[0]).expect("valid");
        assert!(record.channels == 128 && record.src.count() > 2_000, "{seed}");
    });
}
