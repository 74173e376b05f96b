//! Writing and reading are inverse to each other for any case and outcome, and no document makes a
//! reader panic.

use contract::bundle::FormatWord;
use contract::case::{Case, MemoryChunk, MemoryWindow, RegisterValue, TensorCase, VectorCase};
use contract::isa::{ClauseId, Format, Generation, Mnemonic, RegClass};
use contract::json::{
    case_from_value, outcome_from_value, read_case, read_outcome, read_schedule, write_case,
    write_outcome, write_schedule,
};
use contract::outcome::{
    FaultReason, LegalityReason, Outcome, TensorOutcome, TensorReason, TensorStep, TensorVerdict,
    VectorOutcome, VectorStep,
};
use contract::profile::Profile;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, LatTable, OpTiming, Posting, Role, Schedule,
};
use contract::state::{Line, Region, Space, TensorState, VectorState};
use contract::text::parse_bundle;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

fn id() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9-]{0,8}", any::<String>()]
}

fn profile() -> impl Strategy<Value = Profile> {
    vec((select(Profile::SWITCHES), any::<prop::sample::Index>()), 0..4).prop_map(|settings| {
        let mut profile = Profile::default();
        for (key, index) in settings {
            let values = Profile::values_of(key).unwrap();
            profile.set(key, values[index.index(values.len())]).unwrap();
        }
        profile
    })
}

/// Regions side by side, so that none overlap.
fn regions(generation: Generation) -> impl Strategy<Value = Vec<Region>> {
    let psum = generation.geometry().psum_region > 0;
    let shape = (any::<bool>(), 0_u32..=127, 0_u32..=4, 0_u32..=9, any::<u8>());
    vec(shape, 0..4).prop_map(move |shapes| {
        let place = |(index, (on_psum, partition, partitions, stride, fill)): (usize, _)| {
            let partitions = u32::min(partitions, 128 - partition);
            Region {
                space: if psum && on_psum { Space::Psum } else { Space::Sbuf },
                partition,
                partitions,
                offset: 16 * index as u32,
                stride,
                data: vec![fill; (partitions * stride) as usize],
            }
        };
        shapes.into_iter().enumerate().map(place).collect()
    })
}

fn tensor_case() -> impl Strategy<Value = TensorCase> {
    (id(), select(Generation::ALL), profile(), btree_map(0_u8..64, any::<u32>(), 0..4))
        .prop_flat_map(|(id, generation, profile, registers)| {
            (regions(generation), vec(any::<[u8; 32]>(), 0..4)).prop_map(move |(memory, halves)| {
                let record = |half: [u8; 32]| [half, half].concat().try_into().unwrap();
                let program = halves.into_iter().map(record).collect();
                TensorCase {
                    id: id.clone(),
                    generation,
                    profile,
                    memory,
                    registers: registers.clone(),
                    program,
                }
            })
        })
}

fn tensor_outcome() -> impl Strategy<Value = (TensorCase, TensorOutcome)> {
    let reason = || select(TensorReason::all());
    let verdict = prop_oneof![
        Just(TensorVerdict::Accept),
        vec(select(ClauseId::ALL), 1..6)
            .prop_map(|clauses| TensorVerdict::Reject(clauses.into_iter().collect())),
        reason().prop_map(TensorVerdict::Unsupported),
        reason().prop_map(TensorVerdict::Fault),
        "[A-Z-]{1,9}".prop_map(|text| TensorVerdict::Fault(TensorReason::from_text(&text))),
    ];
    let step = (verdict, any::<bool>())
        .prop_map(|(verdict, indeterminate_acc)| TensorStep { verdict, indeterminate_acc });
    (tensor_case(), vec(step, 4), btree_map(0_usize..128, any::<u32>(), 0..5), any::<u8>())
        .prop_map(|(case, mut steps, lanes, mask)| {
            steps.truncate(case.program.len());
            let mut state = TensorState::of(&case);
            for (lane, value) in lanes {
                state.accumulators[lane] = value;
                state.seeded |= 1 << lane;
            }
            for region in &mut state.regions {
                region.data.iter_mut().for_each(|byte| *byte ^= mask);
            }
            (case, TensorOutcome { steps, state })
        })
}

fn register() -> impl Strategy<Value = RegisterValue> {
    let line = || {
        any::<[u8; 32]>().prop_map(|half| Box::new(Line([half, half].concat().try_into().unwrap())))
    };
    prop_oneof![
        (0_u8..16, any::<u32>()).prop_map(|(i, x)| RegisterValue::Ar(i, x)),
        (0_u8..32, line()).prop_map(|(i, x)| RegisterValue::Vec(i, x)),
        (0_u8..16, any::<u64>()).prop_map(|(i, x)| RegisterValue::Vbool(i, x)),
        (0_u8..4, line()).prop_map(|(i, x)| RegisterValue::Valign(i, x)),
        (0_u8..4, any::<u8>()).prop_map(|(i, x)| RegisterValue::Wvec(i, Box::new([x; 192]))),
        (0_u8..16, any::<u64>()).prop_map(|(i, x)| RegisterValue::Pr(i, x)),
        (0_u8..8, line()).prop_map(|(i, x)| RegisterValue::Gvr(i, x)),
        (0_u8..8, any::<u64>()).prop_map(|(i, x)| RegisterValue::Fs(i, x)),
        (0_u16..0x80).prop_map(RegisterValue::Fcr),
        (0_u16..0x20).prop_map(|x| RegisterValue::Fsr(x << 7)),
    ]
}

fn window() -> impl Strategy<Value = MemoryWindow> {
    (0_u32..8, any::<bool>(), vec((any::<prop::sample::Index>(), vec(any::<u8>(), 0..80)), 0..4))
        .prop_map(|(lines, high, chunks)| {
            let bytes = 64 * lines;
            let base = if high { 0_u32.wrapping_sub(bytes) } else { 0x8_0000 };
            let place = |(index, mut data): (prop::sample::Index, Vec<u8>)| {
                data.truncate(bytes as usize);
                let at = index.index(bytes as usize - data.len() + 1) as u32;
                // The end of a window that ends at 2^32 is no address.
                let at = if data.is_empty() { 0 } else { at };
                MemoryChunk { address: base + at, data }
            };
            MemoryWindow { base, bytes, init: chunks.into_iter().map(place).collect() }
        })
}

fn vector_case() -> impl Strategy<Value = VectorCase> {
    let bundle = select(&["F0 { }", "N2 { S1 LA_PP u0, a2 }", "F5 { S9 FOO x, 1 ; S9 NOP }"][..]);
    (id(), profile(), any::<u8>(), vec(register(), 0..8), window(), vec(bundle, 0..4)).prop_map(
        |(id, profile, cpenable, state, memory, texts)| {
            let program = texts.into_iter().map(|text| parse_bundle(text).unwrap()).collect();
            VectorCase { id, profile, cpenable, state, memory, program }
        },
    )
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let posting = (select(RegClass::ALL), any::<Option<u8>>(), 0_usize..3, any::<u8>()).prop_map(
        |(class, index, role, lat)| Posting {
            class,
            index,
            role: [Role::Use, Role::Def, Role::Port][role],
            lat,
        },
    );
    let op = (any::<u8>(), 0..Mnemonic::count(), vec(posting, 0..4));
    let cause = (any::<bool>(), select(RegClass::ALL), any::<u32>(), any::<[u8; 6]>()).prop_map(
        |(raw, class, producer_bundle, [index, ps, pl, cs, cl, distance])| Cause {
            hazard: if raw { Hazard::Raw } else { Hazard::Waw },
            class,
            index,
            producer_bundle,
            producer_slot: ps,
            producer_lat: pl,
            consumer_slot: cs,
            consumer_lat: cl,
            distance,
        },
    );
    let verdict = prop_oneof![
        Just(BundleVerdict::Ok),
        select(LegalityReason::all()).prop_map(BundleVerdict::Illegal),
        select(FaultReason::all()).prop_map(BundleVerdict::Fault),
    ];
    let format = prop_oneof![
        select(Format::ALL).prop_map(FormatWord::Known),
        "[A-Z0-9]{1,4}".prop_map(|word| FormatWord::from_word(&word)),
    ];
    let bundle = (format, verdict, any::<(u32, u32)>(), vec(cause, 0..3), vec(op, 0..3));
    (any::<bool>(), any::<u32>(), vec(bundle, 0..4)).prop_map(|(formal, cycles, bundles)| {
        let table = if formal { LatTable::Lat1Formal } else { LatTable::Lat1 };
        let mut schedule = Schedule { table, cycles, ..Schedule::default() };
        for (format, verdict, issue, causes, ops) in bundles {
            let issue = (!matches!(verdict, BundleVerdict::Illegal(_))).then_some(issue);
            let (first_cause, first_op) = (schedule.causes.len() as u32, schedule.ops.len() as u32);
            schedule.causes.extend(causes);
            for (slot, op, postings) in ops {
                let first = schedule.postings.len() as u32;
                schedule.postings.extend(postings);
                let postings = first..schedule.postings.len() as u32;
                let op = Mnemonic::from_index(op).unwrap();
                schedule.ops.push(OpTiming { slot, op, postings });
            }
            let causes = first_cause..schedule.causes.len() as u32;
            let ops = first_op..schedule.ops.len() as u32;
            schedule.bundles.push(BundleTiming { format, verdict, issue, causes, ops });
        }
        schedule
    })
}

fn vector_outcome() -> impl Strategy<Value = (VectorCase, VectorOutcome)> {
    let end = prop_oneof![
        select(LegalityReason::all()).prop_map(VectorStep::Reject),
        any::<u32>().prop_map(|at| VectorStep::Fault(FaultReason::BadAccess, Some(at))),
        any::<u32>().prop_map(|at| VectorStep::Fault(FaultReason::Alignment, Some(at))),
        Just(VectorStep::Fault(FaultReason::Coprocessor1Exception, None)),
    ];
    let go = prop_oneof![
        Just(VectorStep::Accept),
        (0..Mnemonic::count())
            .prop_map(|op| VectorStep::Unsupported(Mnemonic::from_index(op).unwrap())),
    ];
    let writes = vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    (
        vector_case(),
        vec(go, 4),
        prop::option::of(end),
        vec(register(), 0..8),
        writes,
        prop::option::of(schedule()),
    )
        .prop_map(|(case, mut steps, end, registers, writes, schedule)| {
            steps.truncate(case.program.len());
            if let (Some(end), Some(last)) = (end, steps.last_mut()) {
                *last = end;
            }
            let mut state = VectorState { cpenable: case.cpenable, ..VectorState::default() };
            state.profile = case.profile;
            state.memory.load(&case);
            registers.iter().for_each(|register| register.store(&mut state));
            for (index, byte) in writes {
                if case.memory.bytes > 0 {
                    state.memory.write(index.index(case.memory.bytes as usize), &[byte]);
                }
            }
            (case, VectorOutcome { steps, state, schedule })
        })
}

/// A document with one place replaced by something else.
fn damaged(text: &str, place: usize, value: &Value) -> Value {
    fn replace(document: &mut Value, place: &mut usize, value: &Value) {
        if *place == 0 {
            *document = value.clone();
        }
        *place = place.wrapping_sub(1);
        match document {
            Value::Array(values) => {
                values.iter_mut().for_each(|inner| replace(inner, place, value));
            }
            Value::Object(map) => {
                map.iter_mut().for_each(|(_, inner)| replace(inner, place, value));
            }
            _ => {}
        }
    }
    let mut document = serde_json::from_str(text).unwrap();
    replace(&mut document, &mut { place }, value);
    document
}

fn odd_value() -> impl Strategy<Value = Value> {
    select(vec![
        Value::Null,
        Value::Bool(true),
        0.into(),
        u64::MAX.into(),
        (-1).into(),
        1.5.into(),
        "".into(),
        "0xffffffffffffffff".into(),
        "é".repeat(64).into(),
        "00".repeat(64).into(),
        "sbuf".into(),
        Value::Array(vec![]),
        Value::Object(Default::default()),
    ])
}

proptest! {
    #[test]
    fn tensor_cases_survive(case in tensor_case()) {
        let case = Case::Tensor(case);
        let text = write_case(&case);
        prop_assert!(!text.contains('\n'));
        prop_assert_eq!(read_case(&text), Ok(case));
    }

    #[test]
    fn vector_cases_survive(case in vector_case()) {
        let text = write_case(&Case::Vector(case.clone()));
        prop_assert!(!text.contains('\n'));
        let read = read_case(&text).unwrap();
        prop_assert_eq!(write_case(&read), text);
        let Case::Vector(read) = read else { panic!() };
        // The order of registers is the canonical one, and of two values of one the later counts.
        prop_assert_eq!(VectorState::of(&read), VectorState::of(&case));
        prop_assert_eq!(VectorCase { state: vec![], ..read }, VectorCase { state: vec![], ..case });
    }

    #[test]
    fn tensor_outcomes_survive((case, outcome) in tensor_outcome()) {
        let (case, outcome) = (Case::Tensor(case), Outcome::Tensor(Box::new(outcome)));
        let text = write_outcome(&case, &outcome);
        prop_assert_eq!(read_outcome(&text, &case), Ok(outcome));
    }

    #[test]
    fn vector_outcomes_survive((case, outcome) in vector_outcome()) {
        let (case, outcome) = (Case::Vector(case), Outcome::Vector(Box::new(outcome)));
        let text = write_outcome(&case, &outcome);
        prop_assert_eq!(read_outcome(&text, &case), Ok(outcome));
    }

    #[test]
    fn schedules_survive(schedule in schedule()) {
        let mut text = String::new();
        write_schedule(&mut text, &schedule);
        prop_assert_eq!(read_schedule(&text), Ok(schedule));
    }

    #[test]
    fn runs_of_changed_memory_are_maximal((case, outcome) in vector_outcome()) {
        let before = VectorState::of(&case).memory;
        let after = outcome.state.memory.clone();
        let text = write_outcome(&Case::Vector(case), &Outcome::Vector(Box::new(outcome)));
        let document: Value = serde_json::from_str(&text).unwrap();
        let mut changed = vec![false; after.bytes().len()];
        let mut last_end = None;
        for run in document["memory"].as_array().unwrap() {
            let address = u32::from_str_radix(&run["address"].as_str().unwrap()[2..], 16).unwrap();
            let start = (address - after.base()) as usize;
            let end = start + run["data"].as_str().unwrap().len() / 2;
            prop_assert!(start < end && last_end < Some(start), "runs touch or are out of order");
            changed[start..end].fill(true);
            last_end = Some(end);
        }
        for (at, changed) in changed.into_iter().enumerate() {
            prop_assert_eq!(changed, before.bytes()[at] != after.bytes()[at], "byte {}", at);
        }
    }

    #[test]
    fn no_damaged_document_makes_a_reader_panic(
        (tensor, tensor_outcome) in tensor_outcome(),
        (vector, vector_outcome) in vector_outcome(),
        place in 0_usize..60,
        value in odd_value(),
    ) {
        for (case, outcome) in [
            (Case::Tensor(tensor), Outcome::Tensor(Box::new(tensor_outcome))),
            (Case::Vector(vector), Outcome::Vector(Box::new(vector_outcome))),
        ] {
            let document = damaged(&write_case(&case), place, &value);
            if let Ok(read) = case_from_value(&document) {
                prop_assert!(read_case(&write_case(&read)).is_ok());
            }
            let document = damaged(&write_outcome(&case, &outcome), place, &value);
            let _ = outcome_from_value(&document, &case);
        }
    }
}
