//! The eight properties of spec 05 section 11, on both models, each over 20,000 generated programs of all
//! chapters and both values of `lat_crossbar`. A program that faults is cut where it does, as the rest
//! has no schedule.

use contract::bundle::{Bundle, FormatWord, Operand};
use contract::case::{Case, RegisterValue, VectorCase};
use contract::isa::{Format, RegClass};
use contract::outcome::{Outcome, VectorOutcome, VectorStep};
use contract::profile::LatCrossbar;
use contract::schedule::{Cause, Posting, Role, Schedule};
use harness::generate::{CaseSeed, Family, Generated, Generator, Options, VectorOptions};
use harness::models::{self, BoxedModel};

const PROGRAMS: u64 = 20_000;

/// A small generator of decisions (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// One model with its last outcome.
struct Runner {
    model: BoxedModel,
    outcome: Outcome,
}

impl Runner {
    fn both() -> [Self; 2] {
        [models::oracle(), models::candidate()]
            .map(|factory| Self { model: factory.make(), outcome: Outcome::Vector(Box::default()) })
    }

    fn run(&mut self, case: &Case) -> &VectorOutcome {
        self.model.run_into(case, &mut self.outcome).expect("a generated case runs");
        match &self.outcome {
            Outcome::Vector(outcome) => outcome,
            Outcome::Tensor(_) => panic!("a tensor outcome"),
        }
    }

    fn schedule(&mut self, case: &Case) -> Schedule {
        self.run(case).schedule.clone().expect("both models make schedules")
    }
}

fn program(case: &mut Case) -> &mut VectorCase {
    match case {
        Case::Vector(case) => case,
        Case::Tensor(_) => panic!("a tensor case"),
    }
}

/// Calls `check` with programs that run to their end, on each model.
fn programs(salt: u64, mut check: impl FnMut(&mut Runner, &Case, &Schedule, &mut Random)) {
    let options = Options {
        near_valid: 0.0,
        vector: VectorOptions { other_chapters: 40, ..VectorOptions::DEFAULT },
        ..Options::default()
    };
    let mut generator = Generator::new(options);
    let mut runners = Runner::both();
    let mut sample = Generated::default();
    let mut checked = 0;
    for index in 0.. {
        generator.seeded(Family::Vector, CaseSeed::of(salt, index), &mut sample);
        let case = &mut sample.case;
        case.profile_mut().lat_crossbar = LatCrossbar::ALL[index as usize % 2];
        program(case).cpenable = 2;
        let whole = runners[0].run(case).steps.iter().take_while(|step| step.goes_on()).count();
        program(case).program.truncate(whole);
        if whole == 0 {
            continue;
        }
        for runner in &mut runners {
            let schedule = runner.schedule(case);
            check(runner, case, &schedule, &mut Random(index));
        }
        checked += 1;
        if checked == PROGRAMS {
            return;
        }
    }
}

fn issues(schedule: &Schedule) -> Vec<u32> {
    schedule.bundles.iter().filter_map(|bundle| bundle.issue).map(|(issue, _)| issue).collect()
}

#[test]
fn issue_cycles_rise_and_no_stall_is_longer_than_eleven() {
    let mut longest = 0;
    programs(1, |_, case, schedule, _| {
        let issues = issues(schedule);
        assert_eq!(issues.len(), schedule.bundles.len());
        assert_eq!(issues[0], 0);
        assert!(issues.is_sorted_by(|one, other| one < other), "{}", case.id());
        for bundle in &schedule.bundles {
            let stall = bundle.issue.expect("legal").1;
            assert!(stall <= 11, "{}", case.id());
            assert_eq!(stall == 0, schedule.causes_of(bundle).is_empty(), "{}", case.id());
            longest = longest.max(stall);
        }
    });
    assert_eq!(longest, 11);
}

#[test]
fn an_empty_bundle_never_hurries_and_costs_at_most_one_cycle() {
    programs(2, |runner, case, schedule, random| {
        let place = random.below(schedule.bundles.len() + 1);
        let mut padded = case.clone();
        let format = Format::ALL[random.below(Format::ALL.len())];
        program(&mut padded).program.insert(place, Bundle::empty(format));
        let after = runner.schedule(&padded);
        if place < schedule.bundles.len() {
            assert!(issues(&after)[place + 1] >= issues(schedule)[place], "{}", case.id());
        }
        let cycles = schedule.cycles..=schedule.cycles + 1;
        assert!(cycles.contains(&after.cycles), "{} at {place}", case.id());
    });
}

/// A bijection of every register file, with the initial values in their new places.
fn rename(case: &mut VectorCase, random: &mut Random) {
    let names: Vec<Vec<u8>> = RegClass::ALL
        .iter()
        .map(|class| {
            let mut names: Vec<u8> = (0..class.entries() as u8).collect();
            for place in (1..names.len()).rev() {
                names.swap(place, random.below(place + 1));
            }
            names
        })
        .collect();
    let new = |class: RegClass, index: u8| names[class as usize][usize::from(index)];
    for value in &mut case.state {
        match value {
            RegisterValue::Ar(index, _) => *index = new(RegClass::Ar, *index),
            RegisterValue::Vec(index, _) => *index = new(RegClass::Vec, *index),
            RegisterValue::Vbool(index, _) => *index = new(RegClass::Vbool, *index),
            RegisterValue::Valign(index, _) => *index = new(RegClass::Valign, *index),
            RegisterValue::Wvec(index, _) => *index = new(RegClass::Wvec, *index),
            RegisterValue::Pr(index, _) => *index = new(RegClass::Pr, *index),
            RegisterValue::Gvr(index, _) => *index = new(RegClass::Gvr, *index),
            RegisterValue::Fs(..) | RegisterValue::Fcr(_) | RegisterValue::Fsr(_) => {}
        }
    }
    for operand in case.program.iter_mut().flat_map(|b| &mut b.ops).flat_map(|op| &mut op.operands)
    {
        if let Operand::Reg(class, index) = operand {
            *index = new(*class, *index as u8).into();
        }
    }
}

#[test]
fn renaming_registers_leaves_every_issue_cycle_alone() {
    programs(3, |runner, case, schedule, random| {
        let mut renamed = case.clone();
        rename(program(&mut renamed), random);
        assert_eq!(issues(&runner.schedule(&renamed)), issues(schedule), "{}", case.id());
    });
}

/// Postings and causes of every bundle without slot numbers, in an order of their own.
fn without_slots(schedule: &Schedule) -> Vec<(Vec<Posting>, Vec<Cause>)> {
    let bundles = schedule.bundles.iter().map(|bundle| {
        let ops = schedule.ops_of(bundle).iter();
        let mut postings: Vec<Posting> =
            ops.flat_map(|op| schedule.postings_of(op).iter().copied()).collect();
        postings.sort_by_key(|p| (p.class, p.index, p.role, p.lat));
        let mut causes: Vec<Cause> = (schedule.causes_of(bundle).iter())
            .map(|&cause| Cause { producer_slot: 0, consumer_slot: 0, ..cause })
            .collect();
        causes.sort_by_key(|c| {
            (c.hazard, c.class, c.index, c.producer_bundle, c.producer_lat, c.consumer_lat)
        });
        causes.dedup();
        (postings, causes)
    });
    bundles.collect()
}

#[test]
fn moving_an_op_to_another_legal_slot_changes_slot_numbers_alone() {
    let mut moves = 0;
    programs(4, |runner, case, schedule, random| {
        let mut moved = case.clone();
        let bundles = &mut program(&mut moved).program;
        // Any bundle that has an op, and a slot of it that is free.
        let filled: Vec<usize> =
            (0..bundles.len()).filter(|&at| !bundles[at].ops.is_empty()).collect();
        if filled.is_empty() {
            return;
        }
        let bundle = &mut bundles[filled[random.below(filled.len())]];
        let FormatWord::Known(format) = bundle.format else { panic!("a legal bundle") };
        let taken = |slot: &u32| bundle.ops.iter().any(|op| op.slot == *slot);
        let free: Vec<u32> = (0..format.slots().len() as u32).filter(|slot| !taken(slot)).collect();
        if free.is_empty() {
            return;
        }
        let op = random.below(bundle.ops.len());
        bundle.ops[op].slot = free[random.below(free.len())];
        bundle.canonicalise();
        let outcome = runner.run(&moved);
        if outcome.steps.iter().any(|step| matches!(step, VectorStep::Reject(_))) {
            return;
        }
        let after = outcome.schedule.as_ref().expect("a schedule");
        assert_eq!(issues(after), issues(schedule), "{}", case.id());
        assert_eq!(without_slots(after), without_slots(schedule), "{}", case.id());
        moves += 1;
    });
    assert!(moves > 4_000, "{moves}");
}

#[test]
fn other_predicates_and_data_leave_the_schedule_alone_unless_they_fault() {
    let mut compared = 0;
    programs(5, |runner, case, schedule, random| {
        let mut changed = case.clone();
        for value in &mut program(&mut changed).state {
            match value {
                RegisterValue::Vec(_, line) | RegisterValue::Gvr(_, line) => {
                    line.0.fill_with(|| random.next() as u8);
                }
                RegisterValue::Vbool(_, bits) | RegisterValue::Pr(_, bits) => *bits = random.next(),
                RegisterValue::Wvec(_, bytes) => bytes.fill_with(|| random.next() as u8),
                _ => {}
            }
        }
        let outcome = runner.run(&changed);
        if outcome.steps.iter().all(VectorStep::goes_on) {
            assert_eq!(outcome.schedule.as_ref(), Some(schedule), "{}", case.id());
            compared += 1;
        }
    });
    assert!(compared > 35_000, "{compared}");
}

#[test]
fn bundles_without_shared_registers_issue_every_cycle() {
    let mut bundles = 0;
    programs(6, |runner, case, schedule, _| {
        let mut apart = case.clone();
        let mut seen: Vec<(RegClass, u8)> = Vec::new();
        let mut number = 0;
        program(&mut apart).program.retain(|_| {
            let bundle = &schedule.bundles[number];
            number += 1;
            let registers: Vec<_> = (schedule.ops_of(bundle).iter())
                .flat_map(|op| schedule.postings_of(op))
                .filter(|posting| posting.role != Role::Port)
                .filter_map(|posting| Some((posting.class, posting.index?)))
                .collect();
            let free = registers.iter().all(|register| !seen.contains(register));
            if free {
                seen.extend(registers);
            }
            free
        });
        let found = issues(&runner.schedule(&apart));
        assert_eq!(found, (0..found.len() as u32).collect::<Vec<_>>(), "{}", case.id());
        bundles += found.len();
    });
    assert!(bundles > 60_000, "{bundles}");
}

#[test]
fn the_last_bundle_leaves_all_earlier_entries_alone() {
    programs(7, |runner, case, whole, _| {
        let mut shorter = case.clone();
        program(&mut shorter).program.pop();
        let part = runner.schedule(&shorter);
        let count = part.bundles.len();
        assert_eq!(count + 1, whole.bundles.len(), "{}", case.id());
        assert_eq!(part.bundles[..], whole.bundles[..count], "{}", case.id());
        assert_eq!(part.ops[..], whole.ops[..part.ops.len()]);
        assert_eq!(part.postings[..], whole.postings[..part.postings.len()]);
        assert_eq!(part.causes[..], whole.causes[..part.causes.len()]);
    });
}
