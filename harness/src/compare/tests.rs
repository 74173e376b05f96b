//! One test per kind of difference, on hand-made outcomes: the comparator has no hole.

use super::*;
use contract::case::{TensorCase, VectorCase};
use contract::isa::{ClauseId, ClauseSet, Format, Generation, Mnemonic, RegClass};
use contract::outcome::{
    FaultReason, TensorOutcome, TensorReason, TensorStep, TensorVerdict, VectorOutcome, VectorStep,
};
use contract::profile::Profile;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, LatTable, OpTiming, Posting, Role, Schedule,
};
use contract::state::{Region, Space, TensorState, VectorState};
use std::collections::BTreeMap;

/// One accepted 0x9A on FP32: two channels, four elements, destination at offset 0x10.
fn tensor_case() -> TensorCase {
    let mut record = [0u8; 64];
    record[0] = 0xE6;
    record[1] = 16;
    record[33] = 0x0A;
    record[34] = 2;
    record[48] = 0x10;
    record[52] = 1;
    for count in [58, 60, 62] {
        record[count] = 1;
    }
    record[58] = 4;
    let region = |partition, offset| Region {
        space: Space::Sbuf,
        partition,
        partitions: 2,
        offset,
        stride: 32,
        data: vec![0; 64],
    };
    TensorCase {
        id: "t".to_owned(),
        generation: Generation::Mariana,
        profile: Profile::default(),
        memory: vec![region(0, 0), region(4, 0)],
        registers: BTreeMap::new(),
        program: vec![record, record],
    }
}

fn tensor_outcome() -> TensorOutcome {
    TensorOutcome {
        steps: vec![TensorStep::new(TensorVerdict::Accept); 2],
        state: TensorState::of(&tensor_case()),
    }
}

fn compare_tensor(change: impl FnOnce(&mut TensorOutcome)) -> Comparison {
    compare_tensor_with(Policy::default(), |_| {}, change)
}

fn compare_tensor_with(
    policy: Policy,
    both: impl Fn(&mut TensorOutcome),
    change: impl FnOnce(&mut TensorOutcome),
) -> Comparison {
    let mut expected = tensor_outcome();
    both(&mut expected);
    let mut actual = expected.clone();
    change(&mut actual);
    let mut result = Comparison::default();
    Comparator { policy }.compare(
        &Case::Tensor(tensor_case()),
        &Outcome::Tensor(Box::new(expected)),
        &Outcome::Tensor(Box::new(actual)),
        &mut result,
    );
    result
}

#[test]
fn equal_tensor_outcomes_agree_and_say_what_was_compared() {
    let result = compare_tensor(|_| {});
    assert!(result.agrees() && result.divergences.is_empty());
    assert_eq!(result.compared, Compared { values: 128 + 128, verdicts: 2, postings: 0 });
    assert_eq!(result.ignored, Ignored::default());
}

#[test]
fn counts_are_the_same_when_something_differs() {
    let equal = compare_tensor(|_| {});
    let other = compare_tensor(|actual| {
        actual.state.regions[1].data[63] = 1;
        actual.state.accumulators[0] = 1;
        actual.steps[0] = TensorStep::new(TensorVerdict::Fault(TensorReason::ExecBounds));
    });
    assert_eq!(equal.compared, other.compared);
    assert_eq!(other.differing, Differing { values: 2, verdicts: 1, schedules: 0 });
}

#[test]
fn sees_the_last_byte_of_the_last_region() {
    let result = compare_tensor(|actual| actual.state.regions[1].data[63] = 1);
    assert_eq!(
        result.divergences,
        [Divergence {
            aspect: Aspect::Value,
            step: None,
            place: Place::TensorMemory {
                region: 1,
                space: Space::Sbuf,
                partition: 5,
                offset: 31,
                bytes: 1
            },
            expected: Observed::bytes(&[0]),
            actual: Observed::bytes(&[1]),
        }]
    );
}

#[test]
fn splits_differing_bytes_into_runs_of_one_row() {
    let result = compare_tensor(|actual| {
        for index in [3, 4, 6, 31, 32] {
            actual.state.regions[0].data[index] = 0xFF;
        }
    });
    let runs: Vec<_> = result
        .divergences
        .iter()
        .map(|divergence| match divergence.place {
            Place::TensorMemory { partition, offset, bytes, .. } => (partition, offset, bytes),
            _ => panic!("{divergence:?}"),
        })
        .collect();
    assert_eq!(runs, [(0, 3, 2), (0, 6, 1), (0, 31, 1), (1, 0, 1)]);
    assert_eq!(result.differing.values, 5);
}

#[test]
fn sees_accumulators_also_of_unseeded_lanes_and_by_bits() {
    let result = compare_tensor(|actual| actual.state.accumulators[127] = 0x8000_0000);
    assert_eq!(result.divergences.len(), 1);
    assert_eq!(result.divergences[0].place, Place::Accumulator(127));
    assert_eq!(result.divergences[0].actual, Observed::Word(0x8000_0000, 8));
}

#[test]
fn sees_a_seeded_flag_alone() {
    let result = compare_tensor(|actual| actual.state.seeded = 1 << 100);
    assert_eq!(result.divergences.len(), 1);
    assert_eq!(result.divergences[0].place, Place::Seeded(100));
    assert_eq!(result.differing.values, 1);
}

#[test]
fn sees_the_indeterminate_flag_of_a_later_step() {
    let result = compare_tensor(|actual| actual.steps[1].indeterminate_acc = true);
    assert_eq!(result.divergences.len(), 1);
    assert_eq!(result.divergences[0].place, Place::Flag);
    assert_eq!(result.divergences[0].step, Some(1));
    assert!(result.differs_in(Aspect::Verdict));
}

#[test]
fn compares_steps_after_the_first_difference() {
    let reject = |clause| TensorVerdict::Reject(ClauseSet::of(clause));
    let result = compare_tensor(|actual| {
        actual.steps[0].verdict = reject(ClauseId::CrOp1);
        actual.steps[1].verdict = reject(ClauseId::CrAcc);
    });
    let steps: Vec<_> = result.divergences.iter().map(|divergence| divergence.step).collect();
    assert_eq!(steps, [Some(0), Some(1)]);
}

#[test]
fn sees_missing_and_extra_steps() {
    let missing = compare_tensor(|actual| actual.steps.truncate(1));
    assert_eq!(missing.compared.verdicts, 1);
    assert_eq!(missing.divergences[0].step, Some(1));
    assert_eq!(missing.divergences[0].actual, Observed::Absent);
    let extra = compare_tensor(|actual| actual.steps.push(TensorStep::new(TensorVerdict::Accept)));
    assert_eq!(extra.divergences[0].step, Some(2));
    assert_eq!(extra.divergences[0].expected, Observed::Absent);
}

#[test]
fn a_verdict_difference_has_a_direction_and_a_clause_difference() {
    let set = |clauses: &[ClauseId]| clauses.iter().copied().collect::<ClauseSet>();
    let rejected = set(&[ClauseId::CrOp1, ClauseId::CrAcc]);
    let both = |outcome: &mut TensorOutcome| {
        outcome.steps[0].verdict = TensorVerdict::Reject(rejected);
    };
    let over = compare_tensor_with(Policy::default(), both, |actual| {
        actual.steps[0].verdict = TensorVerdict::Accept;
    });
    assert_eq!(over.divergences[0].direction(), Some(Direction::OverAccept));
    assert_eq!(over.divergences[0].clause_difference(), Some((rejected, ClauseSet::EMPTY)));

    let other = compare_tensor_with(Policy::default(), both, |actual| {
        actual.steps[0].verdict = TensorVerdict::Reject(set(&[ClauseId::CrOp1, ClauseId::CrChan]));
    });
    assert_eq!(other.divergences[0].direction(), Some(Direction::OtherReason));
    assert_eq!(
        other.divergences[0].clause_difference(),
        Some((set(&[ClauseId::CrAcc]), set(&[ClauseId::CrChan])))
    );

    let under = compare_tensor(|actual| {
        actual.steps[0].verdict = TensorVerdict::Unsupported(TensorReason::Ind);
    });
    assert_eq!(under.divergences[0].direction(), Some(Direction::UnderAccept));
    assert_eq!(under.divergences[0].clause_difference(), None);

    // A fault is valid: the clauses that it should have failed are the difference.
    let fault = compare_tensor_with(Policy::default(), both, |actual| {
        actual.steps[0].verdict = TensorVerdict::Fault(TensorReason::ExecBounds);
    });
    assert_eq!(fault.divergences[0].clause_difference(), Some((rejected, ClauseSet::EMPTY)));
}

#[test]
fn sees_other_reasons_of_the_same_verdict() {
    let result = compare_tensor_with(
        Policy::default(),
        |outcome| outcome.steps[1].verdict = TensorVerdict::Fault(TensorReason::ExecBounds),
        |actual| actual.steps[1].verdict = TensorVerdict::Fault(TensorReason::ExecSize),
    );
    assert_eq!(result.divergences[0].direction(), Some(Direction::OtherReason));
}

#[test]
fn sees_missing_and_reshaped_regions() {
    let missing = compare_tensor(|actual| drop(actual.state.regions.pop()));
    assert_eq!(missing.divergences[0].place, Place::Region(1));
    assert_eq!(missing.divergences[0].actual, Observed::Absent);
    let moved = compare_tensor(|actual| actual.state.regions[0].offset = 64);
    assert_eq!(moved.divergences[0].place, Place::Region(0));
}

#[test]
fn sees_outcomes_of_another_kind() {
    let mut result = Comparison::default();
    Comparator::default().compare(
        &Case::Tensor(tensor_case()),
        &Outcome::Tensor(Box::new(tensor_outcome())),
        &Outcome::Vector(Box::default()),
        &mut result,
    );
    assert_eq!(result.divergences[0].place, Place::Kind);
    assert!(!result.agrees());
}

#[test]
fn keeps_a_bounded_number_of_divergences_and_counts_them_all() {
    let result = compare_tensor(|actual| actual.state.accumulators = [7; 128]);
    assert_eq!(result.divergences.len(), Comparison::LONGEST);
    assert_eq!(result.differing.values, 128);
}

/// Puts FP32 bits at a byte of region 0.
fn put(outcome: &mut TensorOutcome, at: usize, bits: u32) {
    outcome.state.regions[0].data[at..at + 4].copy_from_slice(&bits.to_le_bytes());
}

#[test]
fn nan_payloads_count_unless_nan_any_is_asked_for() {
    let any = Policy { nan: NanPolicy::Any, ..Policy::default() };
    let nans = |policy| {
        compare_tensor_with(
            policy,
            |outcome| put(outcome, 0x14, 0x7FC0_0000),
            |actual| put(actual, 0x14, 0xFFC0_0001),
        )
    };
    assert_eq!(nans(Policy::default()).differing.values, 2);
    let ignored = nans(any);
    assert!(ignored.agrees(), "{:?}", ignored.divergences);
    assert_eq!(ignored.ignored.of(IgnoredReason::NanPayload), 1);
    assert_eq!(ignored.compared, nans(Policy::default()).compared);
}

#[test]
fn nan_any_forgives_nothing_but_nans_of_a_floating_destination() {
    let any = Policy { nan: NanPolicy::Any, ..Policy::default() };
    // A NaN against a number.
    let number = compare_tensor_with(
        any,
        |outcome| put(outcome, 0x14, 0x7FC0_0000),
        |actual| put(actual, 0x14, 0x3F80_0000),
    );
    assert!(!number.agrees());
    // The same patterns in bytes that no step wrote.
    let elsewhere = compare_tensor_with(
        any,
        |outcome| put(outcome, 0, 0x7FC0_0000),
        |actual| put(actual, 0, 0x7FC0_0001),
    );
    assert!(!elsewhere.agrees());
    // A difference right beside a forgiven NaN.
    let beside = compare_tensor_with(
        any,
        |outcome| put(outcome, 0x14, 0x7FC0_0000),
        |actual| {
            put(actual, 0x14, 0x7FFF_FFFF);
            put(actual, 0x18, 1);
        },
    );
    assert_eq!(beside.differing.values, 1);
    // Accumulators are FP32.
    let accumulator = compare_tensor_with(
        any,
        |outcome| outcome.state.accumulators[3] = 0x7FC0_0000,
        |actual| actual.state.accumulators[3] = 0xFFC0_0000,
    );
    assert!(accumulator.agrees());
}

#[test]
fn attributes_a_byte_to_the_last_element_that_covers_it() {
    let outcome = tensor_outcome();
    let destinations = Destinations::of(&tensor_case(), &outcome.steps);
    let element = destinations.element_at(Space::Sbuf, 1, 0x10 + 4 * 3 + 1).unwrap();
    assert_eq!((element.step, element.channel, element.position), (1, 1, 3));
    assert_eq!(element.offset, 0x10 + 12);
    assert_eq!(destinations.element_at(Space::Sbuf, 1, 0x20), None);
    assert_eq!(destinations.element_at(Space::Sbuf, 2, 0x10), None);
    assert_eq!(destinations.element_at(Space::Psum, 1, 0x10), None);
}

fn vector_case() -> VectorCase {
    VectorCase {
        id: "v".to_owned(),
        profile: Profile::default(),
        cpenable: 2,
        state: Vec::new(),
        memory: contract::case::MemoryWindow::default(),
        program: vec![contract::bundle::Bundle::empty(Format::F0)],
    }
}

fn vector_outcome() -> VectorOutcome {
    let op = Mnemonic::from_name("ADDNX16").unwrap();
    let posting =
        |index, role, lat| Posting { class: RegClass::Vec, index: Some(index), role, lat };
    let bundle = |number: u32, causes| BundleTiming {
        format: contract::bundle::FormatWord::Known(Format::F0),
        verdict: BundleVerdict::Ok,
        issue: Some((number * 3, 2)),
        causes,
        ops: number..number + 1,
    };
    VectorOutcome {
        steps: vec![VectorStep::Accept; 2],
        state: VectorState::of(&vector_case()),
        schedule: Some(Schedule {
            table: LatTable::Lat1,
            cycles: 4,
            bundles: vec![bundle(0, 0..0), bundle(1, 0..1)],
            ops: vec![
                OpTiming { slot: 3, op, postings: 0..2 },
                OpTiming { slot: 3, op, postings: 2..4 },
            ],
            postings: vec![
                posting(1, Role::Def, 11),
                posting(2, Role::Use, 10),
                posting(3, Role::Def, 11),
                posting(1, Role::Use, 10),
            ],
            causes: vec![Cause {
                hazard: Hazard::Raw,
                class: RegClass::Vec,
                index: 1,
                producer_bundle: 0,
                producer_slot: 3,
                producer_lat: 11,
                consumer_slot: 3,
                consumer_lat: 10,
                distance: 2,
            }],
        }),
    }
}

fn compare_vector(change: impl FnOnce(&mut VectorOutcome)) -> Comparison {
    let expected = vector_outcome();
    let mut actual = expected.clone();
    change(&mut actual);
    let mut result = Comparison::default();
    Comparator::default().compare(
        &Case::Vector(vector_case()),
        &Outcome::Vector(Box::new(expected)),
        &Outcome::Vector(Box::new(actual)),
        &mut result,
    );
    result
}

fn schedule(outcome: &mut VectorOutcome) -> &mut Schedule {
    outcome.schedule.as_mut().unwrap()
}

#[test]
fn equal_vector_outcomes_agree_and_say_what_was_compared() {
    let result = compare_vector(|_| {});
    assert!(result.agrees());
    let registers = 16 + 32 + 16 + 4 + 4 + 16 + 8 + 8 + 2;
    assert_eq!(result.compared, Compared { values: registers, verdicts: 2, postings: 4 });
}

type Change = fn(&mut VectorOutcome);

#[test]
fn sees_every_register_file() {
    let file = |class, index| Place::Register(VectorRegister::File(class, index));
    let rows: [(Change, Place); 10] = [
        (|outcome| outcome.state.ar[15] = 1, file(RegClass::Ar, 15)),
        (|outcome| outcome.state.vec[31].0[63] = 1, file(RegClass::Vec, 31)),
        (|outcome| outcome.state.vbool[15] = 1 << 63, file(RegClass::Vbool, 15)),
        (|outcome| outcome.state.valign[3].0[0] = 1, file(RegClass::Valign, 3)),
        (|outcome| outcome.state.wvec[3][191] = 1, file(RegClass::Wvec, 3)),
        (|outcome| outcome.state.pr[15] = 1, file(RegClass::Pr, 15)),
        (|outcome| outcome.state.gvr[7].0[63] = 1, file(RegClass::Gvr, 7)),
        (|outcome| outcome.state.fs[7] = 1, Place::Register(VectorRegister::Fs(7))),
        (|outcome| outcome.state.fcr = 1, Place::Register(VectorRegister::Fcr)),
        (|outcome| outcome.state.fsr = 0x800, Place::Register(VectorRegister::Fsr)),
    ];
    let equal = compare_vector(|_| {}).compared;
    for (change, place) in rows {
        let result = compare_vector(change);
        assert_eq!(result.divergences.len(), 1, "{place:?}");
        assert_eq!(result.divergences[0].place, place);
        assert_eq!(result.compared, equal);
    }
}

#[test]
fn names_the_lanes_of_a_register_that_differ() {
    let result = compare_vector(|outcome| {
        outcome.state.vec[1].0[5] = 1;
        outcome.state.vec[1].0[62] = 1;
    });
    assert_eq!(result.divergences[0].differing_bytes(), [5, 62]);
    assert_eq!(result.divergences[0].differing_lanes(2), [2, 31]);
}

#[test]
fn sees_memory_that_either_model_wrote() {
    let result = compare_vector(|outcome| outcome.state.memory.write(0xFFFF, &[9]));
    assert_eq!(result.divergences[0].place, Place::VectorMemory { address: 0x0008_FFFF, bytes: 1 });
    // The written line is compared, so it counts.
    assert_eq!(result.compared.values, compare_vector(|_| {}).compared.values + 64);
}

#[test]
fn sees_another_memory_window() {
    let result = compare_vector(|outcome| {
        let mut case = vector_case();
        case.memory.bytes = 64;
        outcome.state.memory.load(&case);
    });
    assert_eq!(result.divergences[0].place, Place::Window);
}

#[test]
fn sees_fault_addresses() {
    let result = compare_vector(|outcome| {
        outcome.steps[1] = VectorStep::Fault(FaultReason::BadAccess, Some(4));
    });
    assert_eq!(result.divergences[0].step, Some(1));
    assert_eq!(result.divergences[0].direction(), Some(Direction::UnderAccept));
}

fn labels(result: &Comparison) -> Vec<(ScheduleLabel, Option<usize>)> {
    result
        .divergences
        .iter()
        .map(|divergence| match divergence.place {
            Place::Schedule { label, .. } => (label, divergence.step),
            _ => panic!("{divergence:?}"),
        })
        .collect()
}

#[test]
fn labels_every_kind_of_schedule_difference() {
    let rows: [(Change, ScheduleLabel, usize); 10] = [
        (|o| schedule(o).table = LatTable::Lat1Formal, ScheduleLabel::LatPost, 0),
        (|o| schedule(o).bundles.truncate(1), ScheduleLabel::Verdict, 1),
        (
            |o| schedule(o).bundles[1].verdict = BundleVerdict::Fault(FaultReason::BadAccess),
            ScheduleLabel::Verdict,
            1,
        ),
        (|o| schedule(o).ops[1].slot = 4, ScheduleLabel::LatRegset, 1),
        (|o| schedule(o).postings[3].index = Some(9), ScheduleLabel::LatRegset, 1),
        (|o| schedule(o).postings[2].lat = 12, ScheduleLabel::LatPost, 1),
        (|o| schedule(o).postings.swap(0, 1), ScheduleLabel::LatOrder, 0),
        (|o| schedule(o).bundles[1].issue = Some((3, 3)), ScheduleLabel::Issue, 1),
        (|o| schedule(o).causes[0].distance = 3, ScheduleLabel::Cause, 1),
        (|o| schedule(o).cycles = 5, ScheduleLabel::Cycles, 1),
    ];
    for (change, label, bundle) in rows {
        let result = compare_vector(change);
        assert_eq!(labels(&result), [(label, Some(bundle))], "{label}");
        assert!(result.differs_in(Aspect::Schedule));
        assert!(!result.differs_in(Aspect::Value) && !result.differs_in(Aspect::Verdict));
    }
}

#[test]
fn reports_the_first_late_bundle_as_root_and_counts_the_rest() {
    let result = compare_vector(|outcome| {
        let schedule = schedule(outcome);
        schedule.bundles[0].issue = Some((1, 1));
        schedule.bundles[1].issue = Some((4, 2));
        schedule.cycles = 5;
    });
    assert_eq!(labels(&result), [(ScheduleLabel::Issue, Some(0))]);
    assert!(matches!(result.divergences[0].place, Place::Schedule { following: 1, .. }));
    assert_eq!(result.differing.schedules, 2);
}

#[test]
fn orders_labels_by_precedence() {
    let result = compare_vector(|outcome| {
        let schedule = schedule(outcome);
        schedule.bundles[0].issue = Some((1, 1));
        schedule.postings[2].lat = 12;
    });
    let found = labels(&result);
    assert_eq!(found, [(ScheduleLabel::LatPost, Some(1)), (ScheduleLabel::Issue, Some(0))]);
}

#[test]
fn a_missing_schedule_is_ignored_by_name_and_never_agreement_in_postings() {
    let result = compare_vector(|outcome| outcome.schedule = None);
    assert!(result.agrees());
    assert_eq!(result.compared.postings, 0);
    assert_eq!(result.ignored.of(IgnoredReason::NoCandidateSchedule), 2);
}

#[test]
fn values_and_schedules_do_not_hide_each_other() {
    let result = compare_vector(|outcome| {
        outcome.state.ar[0] = 1;
        schedule(outcome).cycles = 9;
    });
    assert!(result.differs_in(Aspect::Value) && result.differs_in(Aspect::Schedule));
}

#[test]
fn an_illegal_bundle_says_all_by_its_verdict_and_the_missing_ones_follow() {
    let result = compare_vector(|outcome| {
        let schedule = schedule(outcome);
        schedule.bundles.truncate(1);
        let bundle = &mut schedule.bundles[0];
        bundle.verdict =
            BundleVerdict::Illegal(contract::outcome::LegalityReason::from_text("DUP_DEF"));
        bundle.issue = None;
        bundle.ops = 0..0;
        schedule.cycles = 0;
    });
    let verdict = ScheduleLabel::Verdict;
    assert_eq!(labels(&result), [(verdict, Some(0)), (verdict, Some(1))]);
    assert_eq!(result.differing.schedules, 2);
}

#[test]
fn the_lines_that_either_model_touched_hold_every_byte_that_differs() {
    // Two memories of one case, each written at random: the comparison by touched lines must find as
    // many differing bytes as a comparison of the whole windows.
    let mut seed = 7_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let mut case = vector_case();
    for round in 0..200 {
        case.memory.bytes = 64 * (1 + next() as u32 % 300);
        let length = case.memory.bytes as usize;
        let mut pair = [vector_outcome(), vector_outcome()];
        for outcome in &mut pair {
            outcome.state.memory.load(&case);
            for _ in 0..next() % 6 {
                let at = next() % length;
                let data = vec![next() as u8; 1 + next() % (length - at).min(200)];
                outcome.state.memory.write(at, &data);
            }
        }
        let [expected, actual] = pair;
        let differing = (expected.state.memory.bytes().iter())
            .zip(actual.state.memory.bytes())
            .filter(|(mine, theirs)| mine != theirs)
            .count() as u64;
        let mut result = Comparison::default();
        Comparator::default().compare(
            &Case::Vector(case.clone()),
            &Outcome::Vector(Box::new(expected)),
            &Outcome::Vector(Box::new(actual)),
            &mut result,
        );
        assert_eq!(result.differing.values, differing, "round {round}");
    }
}
