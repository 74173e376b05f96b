//! The vector generator against the legality rules of spec 05, written out in
//! `generate_vector_support`: bundles are legal but for the one that is named, every op, slot and reason
//! is emitted, values are what each operand is for, and a case depends on nothing but its bytes and the
//! options.

mod generate_vector_support;

use contract::bundle::{Bundle, OpWord};
use contract::case::RegisterValue;
use contract::isa::{Format, Mnemonic};
use contract::json::{read_case, write_case};
use contract::outcome::{FaultReason, LegalityReason, VectorStep};
use contract::profile::Profile;
use generate_vector_support::{
    NONE, ROWS, ar, chapter_04, family, for_cases, formats, illegal, index, known_ops, postings,
    predicate, shape, vector, vector_case,
};
use harness::generate::vector::{matching, off_by_default, probes};
use harness::generate::{
    CaseSeed, DataSource, Family, Generated, Generator, Intent, Options, Span, VectorOptions,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that holds for every case, whatever its intent.
fn check(generated: &Generated, name: &dyn std::fmt::Display) {
    let case = vector_case(generated);
    assert!((1..=12).contains(&case.program.len()), "{name}: {} bundles", case.program.len());
    for (step, bundle) in case.program.iter().enumerate() {
        let expected = match &generated.intent {
            Intent::Illegal { step: broken, reason, .. } if *broken == step => Some(reason.text()),
            Intent::Valid | Intent::Illegal { .. } => None,
            other => panic!("{name}: {other:?} is no intent of the vector family"),
        };
        assert_eq!(illegal(bundle), expected, "{name}: {bundle}, of {:?}", generated.intent);
        assert!(bundle.is_canonical(), "{name}: {bundle}");
    }
    let text = write_case(&generated.case);
    let back = read_case(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    assert_eq!(back, generated.case, "{name}: {text}");
}

#[test]
fn every_bundle_is_legal_but_the_one_that_is_named() {
    for_cases(Options::default(), 30_000, |out, seed| check(out, &seed));
    let broken = Options { near_valid: 1.0, vary_switches: true, ..Options::default() };
    for_cases(broken, 15_000, |out, seed| {
        assert!(matches!(out.intent, Intent::Illegal { .. }), "{seed}");
        check(out, &seed);
    });
    let others = VectorOptions { other_chapters: 100, ..VectorOptions::DEFAULT };
    for_cases(Options { vector: others, ..Options::default() }, 10_000, |out, seed| {
        check(out, &seed);
    });
}

#[test]
fn every_reason_and_every_probe_is_emitted() {
    let mut seen: BTreeMap<(String, &str), u32> = BTreeMap::new();
    let mut places = BTreeSet::new();
    for_cases(Options { near_valid: 1.0, ..Options::default() }, 12_000, |out, _| {
        let Intent::Illegal { reason, probe, step } = &out.intent else {
            panic!("{:?}", out.intent)
        };
        *seen.entry((reason.text().to_owned(), probe)).or_default() += 1;
        places.insert((*step, vector_case(out).program.len()));
    });
    for (reason, probe) in probes() {
        let count = seen.get(&(reason.text().to_owned(), probe)).copied().unwrap_or(0);
        assert!(count >= 20, "{reason}, {probe}: {count}");
    }
    for reason in LegalityReason::all() {
        assert!(probes().any(|(known, _)| known == reason), "no probe for {reason}");
    }
    assert!(
        (0..8)
            .all(|step| places.iter().any(|&(broken, length)| broken == step && length > step + 1))
    );
    assert!((0..8).all(|step| places.contains(&(step, step + 1))));
}

#[test]
fn every_op_of_chapter_04_is_emitted_alone_in_every_slot_that_takes_it() {
    let mut seen: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut empty = BTreeSet::new();
    for_cases(shape(VectorOptions { single: 1, ..NONE }), 130_000, |out, seed| {
        let case = vector_case(out);
        assert_eq!(case.program.len(), 1, "{seed}");
        let bundle = &case.program[0];
        let Some(op) = bundle.ops.first() else {
            empty.insert(bundle.format.text().to_owned());
            return;
        };
        assert_eq!(bundle.ops.len(), 1, "{seed}");
        let slot = formats()[bundle.format.text()][op.slot as usize].clone();
        *seen.entry((op.op.text().to_owned(), slot)).or_default() += 1;
    });
    assert_eq!(empty.len(), Format::ALL.len(), "NOP alone in every format");
    for (op, row) in chapter_04().filter(|(op, _)| *op != "NOP") {
        let off = off_by_default(Mnemonic::from_name(op).expect("a mnemonic"));
        for slot in row["slots"].as_array().expect("slots") {
            let slot = slot.as_str().expect("a text").to_owned();
            let count = seen.get(&(op.to_owned(), slot.clone())).copied().unwrap_or(0);
            assert_eq!(count > 0, !off, "{op} in {slot}: {count}");
        }
    }
    assert!(seen.keys().all(|(op, _)| ROWS[op].0 == 4));
}

#[test]
fn every_op_of_every_chapter_is_emitted_and_every_format_is_filled() {
    let mut ops: BTreeMap<String, u32> = BTreeMap::new();
    let mut full = BTreeSet::new();
    let options = VectorOptions { mixed: 1, other_chapters: 85, ..NONE };
    for_cases(shape(options), 30_000, |out, _| {
        for bundle in &vector_case(out).program {
            let slots = &formats()[bundle.format.text()];
            let usable = slots.iter().filter(|slot| !slot.ends_with("None")).count();
            if bundle.ops.len() == usable {
                full.insert(bundle.format.text().to_owned());
            }
        }
        for op in known_ops(vector_case(out)) {
            *ops.entry(op.op.text().to_owned()).or_default() += 1;
        }
    });
    assert_eq!(full.len(), Format::ALL.len(), "{full:?}");
    for op in Mnemonic::all().filter(|&op| op != Mnemonic::NOP) {
        let count = ops.get(op.name()).copied().unwrap_or(0);
        assert_eq!(count > 0, !off_by_default(op), "{op}: {count}");
    }
}

#[test]
fn values_are_what_each_operand_is_for() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let mut note =
        |name: &'static str, found: bool| *seen.entry(name).or_default() += u32::from(found);
    let mut windows = BTreeSet::new();
    for_cases(shape(VectorOptions { single: 1, ..NONE }), 60_000, |out, _| {
        let case = vector_case(out);
        windows.insert((case.memory.base, case.memory.bytes));
        note("gate closed", case.cpenable & 2 == 0);
        note("other enables", case.cpenable & 2 != 0 && case.cpenable != 2);
        let Some(op) = case.program[0].ops.first() else { return };
        let name = op.op.text();
        let halves = |register: u32| {
            vector(case, register).map(|bytes| -> Vec<u16> {
                bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect()
            })
        };
        if name.starts_with("SELNX16") {
            let control = halves(index(&op.operands[3])).expect("the control is read");
            note("control with junk", control.iter().any(|&lane| lane & 0xffc0 != 0));
            note("control at the pool's end", control.contains(&63) && control.contains(&64));
        }
        if name.ends_with("NX16") && family(name) == "SHIFT_V" {
            let amounts = halves(index(&op.operands[2])).expect("the amount is read");
            for amount in [0, 1, -1, 15, 16, 17, -16, -17, 31, 32, -32, -33, i16::MAX, i16::MIN] {
                note(
                    Box::leak(format!("amount {amount}").into()),
                    amounts.contains(&(amount as u16)),
                );
            }
        }
        if family(name) == "RB" && name.ends_with("NX16") {
            let data = halves(index(&op.operands[2])).expect("the source is read");
            let most = data.iter().map(|&lane| lane as i16).max().unwrap_or(0);
            let ties = data.iter().filter(|&&lane| lane as i16 == most).count();
            note("a tie", (2..32).contains(&ties));
            note("no tie", ties == 1);
        }
        if family(name).starts_with("RNUM") && name.contains("NXF16") {
            let data = halves(index(&op.operands[1])).expect("the source is read");
            let nan = |lane: &&u16| **lane & 0x7fff > 0x7c00;
            let nans: Vec<_> = data.iter().filter(nan).collect();
            note("a signalling NaN among numbers", {
                nans.len() < 32 && nans.iter().any(|&&lane| lane & 0x0200 == 0)
            });
            note(
                "quiet NaN alone",
                nans.len() == 32 && nans.iter().all(|&&lane| lane & 0x200 != 0),
            );
            note("both zeros", data.contains(&0) && data.contains(&0x8000));
            let enabled =
                |value: &RegisterValue| matches!(value, RegisterValue::Fcr(w) if w & 0x40 != 0);
            note("invalid enabled", case.state.iter().any(enabled));
            note("flag already set", case.state.iter().any(|v| matches!(v, RegisterValue::Fsr(_))));
        }
        if name == "ADDNX16T" {
            let mask = predicate(case, index(&op.operands[3])).expect("the mask is read");
            let low = mask & 0x5555_5555_5555_5555;
            note("mask of all lanes", low == 0x5555_5555_5555_5555);
            note("mask of no lane", low == 0);
            note("mask of one lane", low.count_ones() == 1);
            note("dirty fields", mask != low * 3);
            note("only dirty fields", low == 0 && mask != 0);
        }
        if family(name) == "LTR" {
            let count = ar(case, index(&op.operands[1])).expect("the count is read") as i32;
            note("count below zero", count < 0);
            note("count of all lanes", count == 32);
            note("huge count", count > 1_000_000);
        }
    });
    for (name, count) in &seen {
        assert!(*count >= 3, "{name}: {count}");
    }
    assert!(windows.contains(&(0x8_0000, 4096)) && windows.contains(&(0x8_0000, 65536)));
    assert!(windows.iter().any(|&(base, bytes)| u64::from(base) + u64::from(bytes) == 1 << 32));
    assert!(windows.iter().any(|&(base, _)| base == 0) && windows.iter().any(|&(_, b)| b < 1024));
}

#[test]
fn cases_are_small_and_give_registers_only_what_is_read() {
    let (mut bundles, mut registers, mut bytes) = (0, 0, 0);
    let mut unread = 0;
    const CASES: u64 = 10_000;
    // Programs that aim are as long as the distances that they aim at.
    for_cases(Options { near_valid: 0.0, aim: false, ..Options::default() }, CASES, |out, _| {
        let case = vector_case(out);
        bundles += case.program.len();
        registers += case.state.len();
        bytes += case.memory.init.iter().map(|chunk| chunk.data.len()).sum::<usize>();
        let read: BTreeSet<_> = known_ops(case)
            .flat_map(postings)
            .filter(|posting| !posting.write)
            .map(|posting| (posting.class, posting.index))
            .collect();
        unread += u32::from(case.state.iter().any(|value| match value {
            RegisterValue::Vec(at, _) => !read.contains(&("vec", u32::from(*at))),
            RegisterValue::Ar(at, _) => !read.contains(&("AR", u32::from(*at))),
            RegisterValue::Vbool(at, _) => !read.contains(&("vbool", u32::from(*at))),
            _ => false,
        }));
    });
    let mean = |total: usize| total as f64 / CASES as f64;
    assert!(mean(bundles) < 5.0 && mean(registers) < 8.0, "{} {}", mean(bundles), mean(registers));
    assert!(mean(bytes) < 300.0, "{}", mean(bytes));
    assert!((50..1000).contains(&unread), "{unread}");
}

#[test]
fn a_case_depends_on_its_seed_and_the_options_alone() {
    let options = Options { vary_switches: true, ..Options::default() };
    let mut used = Generator::new(options.clone());
    let mut out = Generated::default();
    for number in (0..400).rev() {
        used.seeded(Family::Vector, CaseSeed::of(1, number), &mut out);
    }
    for number in 0..400 {
        let seed = CaseSeed::of(1, number);
        used.seeded(Family::Vector, seed, &mut out);
        assert_eq!(out, Generator::new(options.clone()).case(Family::Vector, seed), "{seed}");
        // The other family's cases in between change nothing.
        used.seeded(Family::Tensor, seed, &mut out);
    }
    assert_eq!(used.case(Family::Vector, CaseSeed(7)).case.id(), "v-0000000000000007");
}

#[test]
fn exhausted_bytes_give_one_empty_bundle() {
    let mut generator = Generator::new(Options { near_valid: 0.0, ..Options::default() });
    let mut out = Generated::default();
    generator.from_bytes(Family::Vector, &[], &mut out);
    let case = vector_case(&out);
    assert_eq!(case.program, [Bundle::empty(Format::F0)]);
    assert_eq!((case.cpenable, case.state.len(), case.id.as_str()), (2, 0, "v-bytes"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_bytes_give_a_case_that_is_what_it_says(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        near_valid in any::<bool>(),
    ) {
        let near_valid = if near_valid { 1.0 } else { 0.0 };
        let mut generator = Generator::new(Options { near_valid, ..Options::default() });
        let mut out = Generated::default();
        for cut in [bytes.len(), bytes.len() / 2, bytes.len() / 8] {
            generator.from_bytes(Family::Vector, &bytes[..cut], &mut out);
            check(&out, &format!("{cut} of {bytes:02x?}"));
        }
    }
}

#[test]
fn every_program_has_an_op_that_was_asked_for() {
    for pattern in ["RADD*", "LAV2NX8_XP", "SHFL*T", "L32I", "SALIGN_I", "ADD*F32"] {
        let ops = matching(pattern);
        assert!(!ops.is_empty(), "{pattern}");
        let vector = VectorOptions { ops: ops.clone(), ..VectorOptions::DEFAULT };
        let (mut with, mut cases) = (0, 0);
        let mut seen = BTreeSet::new();
        for_cases(Options { near_valid: 0.0, vector, ..Options::default() }, 3000, |out, seed| {
            check(out, &seed);
            cases += 1;
            let found: BTreeSet<_> = known_ops(vector_case(out))
                .filter_map(|op| Mnemonic::from_name(op.op.text()).filter(|op| ops.contains(op)))
                .collect();
            with += u32::from(!found.is_empty());
            seen.extend(found);
        });
        assert_eq!(seen.len(), ops.len(), "{pattern}: {seen:?}");
        assert_eq!(with, cases, "{pattern}: programs with such an op");
    }
}

#[test]
fn weights_and_lengths_are_obeyed() {
    let add = matching("ADDNX16")[0];
    let weights = vec![(add, 365)];
    let mut adds = 0;
    let vector = VectorOptions { single: 1, weights, ..NONE };
    for_cases(shape(vector), 4000, |out, _| {
        adds += u32::from(known_ops(vector_case(out)).any(|op| op.op == OpWord::Known(add)));
    });
    assert!((1700..2300).contains(&adds), "{adds}");
    let bundles = Span::of(3, 5);
    for_cases(shape(VectorOptions { bundles, ..VectorOptions::DEFAULT }), 3000, |out, seed| {
        assert!((3..=5).contains(&vector_case(out).program.len()), "{seed}");
    });
    for bundles in [Span::of(0, 0), Span::of(9, 3), Span::of(1, 1)] {
        let vector = VectorOptions { bundles, ..VectorOptions::DEFAULT };
        for_cases(Options { vector, ..Options::default() }, 1500, |out, seed| check(out, &seed));
    }
    let bundles = Span::of(200, 300);
    for_cases(shape(VectorOptions { mixed: 1, bundles, ..NONE }), 20, |out, seed| {
        let program = &vector_case(out).program;
        assert!((200..=300).contains(&program.len()), "{seed}");
        assert!(program.iter().all(|bundle| illegal(bundle).is_none()), "{seed}");
    });
}

#[test]
fn switches_vary_only_on_request() {
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    for_cases(Options { vary_switches: true, ..Options::default() }, 300, |out, _| {
        seen.extend(out.case.profile().non_default());
    });
    let switches: BTreeSet<_> = seen.iter().map(|(switch, _)| *switch).collect();
    let expected = ["fsr_gate", "la_fresh", "lat_crossbar", "rb_tie", "rotr_mode"];
    assert_eq!(switches, expected.into_iter().collect());
    let profile = Profile::preset("vendor").expect("a preset");
    for_cases(Options { profile, ..Options::default() }, 300, |out, seed| {
        assert_eq!(*out.case.profile(), profile, "{seed}");
    });
}

#[test]
fn values_of_a_data_source_are_fed() {
    let values = vec![1.5, -3.0, 70000.0];
    let data = DataSource::from_values("test", values).map(std::sync::Arc::new);
    let mut fed = 0;
    let ops = matching("RMAXNUMN_2XF32");
    let vector = VectorOptions { single: 1, ops, ..NONE };
    for_cases(Options { data, near_valid: 0.0, vector, ..Options::default() }, 400, |out, seed| {
        check(out, &seed);
        let case = vector_case(out);
        let Some(source) = case.program[0].ops.first().map(|op| index(&op.operands[1])) else {
            return;
        };
        let bytes = generate_vector_support::vector(case, source).expect("the source is read");
        let words = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        fed += u32::from(words.into_iter().all(|word| [1.5, -3.0, 70000.0].contains(&word)));
    });
    assert!((150..330).contains(&fed), "{fed}");
}

#[test]
fn an_intent_is_met_by_the_steps_it_names_and_by_no_others() {
    let valid = Intent::Valid;
    let reason = LegalityReason::DupDef;
    let broken = Intent::Illegal { step: 1, reason: reason.clone(), probe: "" };
    let fault = VectorStep::Fault(FaultReason::BadAccess, Some(0));
    let reject = VectorStep::Reject(reason);
    assert_eq!(valid.met_by_bundles(&[VectorStep::Accept, fault.clone()]), Some(true));
    assert_eq!(valid.met_by_bundles(std::slice::from_ref(&reject)), Some(false));
    assert_eq!(broken.met_by_bundles(&[VectorStep::Accept, reject.clone()]), Some(true));
    assert_eq!(broken.met_by_bundles(&[VectorStep::Accept, VectorStep::Accept]), Some(false));
    assert_eq!(broken.met_by_bundles(&[reject]), Some(false));
    assert_eq!(broken.met_by_bundles(&[fault]), None);
    let other = VectorStep::Reject(LegalityReason::Operand);
    assert_eq!(broken.met_by_bundles(&[VectorStep::Accept, other]), Some(false));
    assert_eq!(broken.met_by_bundles(&[VectorStep::Accept]), Some(false));
}
