//! Issue cycles, stalls and causes (spec 05 section 3) against the literal evaluation.

use crate::golden::{GOLDEN, GoldenRow, all_slots};
use crate::programs::{self, Random, legal_program};
use crate::rendering::render;
use crate::{issues, program, reference, run, run_into};
use candidate::schedule::{Scheduler, judge};
use contract::bundle::{Bundle, Operand};
use contract::isa::{Format, RegClass};
use contract::outcome::FaultReason;
use contract::profile::LatCrossbar;
use contract::schedule::{BundleVerdict, Hazard, Role, Schedule};
use std::collections::BTreeSet;

fn check(program: &[Bundle], crossbar: LatCrossbar) -> Schedule {
    let (got, expected) = (run(program, crossbar), reference::schedule(program, crossbar));
    assert_eq!(got, expected, "got\n{}\nexpected\n{}", render(&got), render(&expected));
    got
}

#[test]
fn random_programs_have_the_schedule_of_the_literal_evaluation() {
    let mut seen = BTreeSet::new();
    let (mut stalled, mut several, mut in_out) = (0, 0, 0);
    let mut scheduler = Scheduler::default();
    let mut got = Schedule::default();
    for seed in 0..24_000 {
        let mut random = Random(seed);
        let program = legal_program(seed, 1 + random.below(14), 2 + random.below(5) as u32);
        let crossbar = *random.pick(LatCrossbar::ALL);
        run_into(&mut scheduler, &program, crossbar, &mut got);
        let expected = reference::schedule(&program, crossbar);
        assert_eq!(got, expected, "got\n{}\nexpected\n{}", render(&got), render(&expected));
        for bundle in &got.bundles {
            let causes = got.causes_of(bundle);
            stalled += usize::from(!causes.is_empty());
            several += usize::from(causes.len() > 1);
            in_out += usize::from(causes.iter().any(|raw| {
                raw.hazard == Hazard::Raw
                    && causes.iter().any(|waw| {
                        waw.hazard == Hazard::Waw
                            && (waw.class, waw.index) == (raw.class, raw.index)
                            && waw.consumer_slot == raw.consumer_slot
                    })
            }));
            seen.extend(causes.iter().map(|c| (c.hazard, c.class, c.producer_lat, c.consumer_lat)));
        }
    }
    assert!(stalled > 20_000 && several > 3_000 && in_out > 500, "{stalled} {several} {in_out}");
    for wanted in [
        (Hazard::Raw, RegClass::Ar, 4, 1),
        (Hazard::Raw, RegClass::Ar, 4, 3),
        (Hazard::Raw, RegClass::Ar, 5, 1),
        (Hazard::Raw, RegClass::Ar, 12, 1),
        (Hazard::Raw, RegClass::Ar, 12, 4),
        (Hazard::Raw, RegClass::Vec, 11, 10),
        (Hazard::Raw, RegClass::Vec, 12, 10),
        (Hazard::Raw, RegClass::Vec, 13, 10),
        (Hazard::Raw, RegClass::Vec, 13, 12),
        (Hazard::Raw, RegClass::Vbool, 11, 10),
        (Hazard::Raw, RegClass::Vbool, 12, 11),
        (Hazard::Raw, RegClass::Valign, 10, 9),
        (Hazard::Raw, RegClass::Wvec, 12, 10),
        (Hazard::Raw, RegClass::Pr, 12, 10),
        (Hazard::Raw, RegClass::Gvr, 10, 9),
        (Hazard::Waw, RegClass::Ar, 12, 1),
        (Hazard::Waw, RegClass::Vec, 13, 11),
        (Hazard::Waw, RegClass::Vec, 12, 10),
        (Hazard::Waw, RegClass::Vbool, 12, 10),
        (Hazard::Waw, RegClass::Valign, 10, 9),
        (Hazard::Waw, RegClass::Pr, 12, 11),
    ] {
        assert!(seen.contains(&wanted), "{wanted:?} never bound");
    }
}

/// An op that posts to a class in a role at a stage under a setting, as a bundle of its own whose
/// other registers do not meet those of other probes.
struct Probe {
    row: &'static GoldenRow,
    /// Operand that posts.
    operand: usize,
}

impl Probe {
    /// One probe per role and stage that the table has for a class.
    fn of_class(class: RegClass) -> Vec<Self> {
        let mut seen = BTreeSet::new();
        let mut probes = Vec::new();
        for row in &GOLDEN.rows {
            for posting in &row.postings {
                let Some(operand) = posting.operand else { continue };
                let shape = (posting.role, posting.lat, row.crossbar);
                if posting.class == class && seen.insert(shape) {
                    probes.push(Self { row, operand });
                }
            }
        }
        probes
    }

    fn defines(&self) -> bool {
        let postings = &self.row.postings;
        postings.iter().any(|p| p.operand == Some(self.operand) && p.role == Role::Def)
    }

    /// The probe on register 0; its other operands take registers from `first` on.
    fn bundle(&self, first: u32) -> Bundle {
        let fits = |(.., name): &(Format, usize, String)| self.row.slots.contains(name);
        let (format, slot, _) = all_slots().find(fits).expect("a slot");
        let mut op = programs::op(slot as u32, self.row, &mut Random(0), 32);
        for (place, operand) in op.operands.iter_mut().enumerate() {
            if let Operand::Reg(class, index) = operand {
                *index = if place == self.operand {
                    0
                } else {
                    (first + place as u32) % (class.entries() - 1) + 1
                };
            }
        }
        let mut bundle = Bundle::empty(format);
        bundle.ops.push(op);
        bundle
    }
}

#[test]
fn two_definitions_and_a_posting_at_every_distance_have_the_literal_schedule() {
    let mut checked = 0;
    for &class in RegClass::ALL {
        let probes = Probe::of_class(class);
        let definitions = || probes.iter().filter(|probe| probe.defines());
        for older in definitions() {
            for younger in definitions() {
                for last in &probes {
                    for (first_gap, second_gap) in [(0, 0), (0, 1), (1, 0), (2, 3), (10, 0)] {
                        let mut program = vec![older.bundle(0)];
                        program.resize(1 + first_gap, Bundle::empty(Format::F0));
                        program.push(younger.bundle(3));
                        program.resize(2 + first_gap + second_gap, Bundle::empty(Format::F0));
                        program.push(last.bundle(5));
                        if program.iter().all(|bundle| judge(bundle).is_ok()) {
                            check(&program, LatCrossbar::Seed);
                            check(&program, LatCrossbar::Formal);
                            checked += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 3_000, "{checked}");
}

#[test]
fn an_older_definition_never_binds_with_the_latest_one() {
    // The argument of the scoreboard, tried for every LAT: `older` at cycle 0, `younger` at any cycle
    // that WAW allows.
    let need = |issue: i32, def: i32, posting: i32| issue + (def - posting + 1).max(1);
    for older in 0..=15 {
        for younger in 0..=15 {
            for delay in 0..20 {
                let issue = need(0, older, younger) + delay;
                for posting in 0..=15 {
                    assert!(need(0, older, posting) < need(issue, younger, posting));
                }
            }
        }
    }
}

#[test]
fn rows_of_the_distance_table_hold() {
    for (first, second, distance) in [
        ("F0 { S1 LALIGN_IP u0, a2, 0 }", "F0 { S1 LALIGN_IP u1, a2, 0 }", 1),
        ("F0 { S0 MOVI a2, 1 }", "F0 { S0 ADD a3, a2, a2 }", 1),
        ("F0 { S0 ADDI a2, a2, 1 }", "F0 { S1 LV2NX8_I v0, a2, 0 }", 4),
        ("F0 { S0 ADDI a2, a2, 1 }", "F0 { S1 LTRN vb0, a2 }", 2),
        ("F0 { S0 L32I a2, a3, 0 }", "F0 { S0 ADDI a4, a2, 0 }", 2),
        ("F0 { S0 L32I a2, a3, 0 }", "F0 { S0 L32I a4, a2, 0 }", 5),
        ("F0 { S0 MULL a2, a3, a3 }", "F0 { S0 ADDI a4, a2, 0 }", 3),
        ("F0 { S0 MULL a2, a3, a3 }", "F0 { S1 LTRN vb0, a2 }", 4),
        ("F0 { S0 MULL a2, a3, a3 }", "F0 { S0 L32I a4, a2, 0 }", 6),
        ("F0 { S0 MULL a2, a3, a3 }", "F0 { S0 S32I a2, a4, 0 }", 2),
        ("F0 { S3 EXTRNX16 a2, v1, 0 }", "F0 { S0 ADDI a4, a2, 0 }", 9),
        ("F0 { S3 EXTRNX16 a2, v1, 0 }", "F0 { S1 LTRN vb0, a2 }", 10),
        ("F0 { S3 EXTRNX16 a2, v1, 0 }", "F0 { S0 L32I a4, a2, 0 }", 12),
        ("F0 { S3 EXTRNX16 a2, v1, 0 }", "F0 { S0 S32I a2, a4, 0 }", 8),
        ("F0 { S3 EXTRNX16 a2, v1, 0 }", "F0 { S0 MULL a2, a4, a4 }", 7),
        ("F0 { S0 SAPOS_FP u1, a2 }", "F0 { S1 LALIGN_I u1, a2, 0 }", 2),
        ("F0 { S1 LV2NX8_I v1, a2, 0 }", "F0 { S3 SELNX16 v3, v2, v2, v1 }", 1),
        ("F0 { S3 ADDNX16 v1, v0, v0 }", "F0 { S3 ADDNX16 v2, v1, v0 }", 2),
        ("F0 { S3 ADDNX16 v1, v0, v0 }", "F0 { S3 SELNX16 v3, v2, v2, v1 }", 1),
        ("F0 { S3 ADDNX16 v1, v0, v0 }", "F0 { S1 LV2NX8_I v1, a2, 0 }", 2),
        ("F0 { S3 RBMAXNX16 v1, vb1, v0 }", "F0 { S3 ADDNX16 v2, v1, v0 }", 3),
        ("F0 { S3 RBMAXNX16 v1, vb1, v0 }", "F0 { S3 OEQNXF16T vb2, v3, v4, vb1 }", 2),
        ("F0 { S3 LTNX16 vb1, v0, v0 }", "F0 { S3 OEQNXF16T vb2, v3, v4, vb1 }", 1),
        ("F0 { S2 MULNX16 wv0, v1, v2 }", "F0 { S2 MULANX16 wv0, v1, v2 }", 1),
        ("F0 { S2 MULNX16 wv0, v1, v2 }", "F0 { S1 PACKL2NX24 v5, wv0 }", 3),
        ("F0 { S3 ADDNXF16 v1, v0, v0 }", "F0 { S3 ADDNX16 v2, v1, v0 }", 4),
        ("F0 { S3 ADDNXF16 v1, v0, v0 }", "F0 { S3 SELNX16 v3, v2, v2, v1 }", 2),
        ("F0 { S3 ADDNXF16 v1, v0, v0 }", "F0 { S3 ADDNX16 v1, v0, v0 }", 3),
    ] {
        let schedule = check(&program(&[first, second]), LatCrossbar::Seed);
        assert_eq!(issues(&schedule), [0, distance], "{first} {second}");
    }
}

#[test]
fn the_formal_setting_reads_crossbar_sources_at_10_and_lands_results_at_12() {
    for (first, second, seed, formal) in [
        ("F0 { S3 SELNX16 v1, v2, v3, v4 }", "F0 { S3 ADDNX16 v5, v1, v1 }", 1, 3),
        ("F0 { S3 RADDNX16 v1, v2 }", "F0 { S3 ADDNX16 v5, v1, v1 }", 1, 3),
        ("F0 { S3 ADDNX16 v4, v2, v3 }", "F0 { S3 SELNX16 v1, v2, v3, v4 }", 1, 2),
        ("F0 { S3 RBMAXNX16 v1, vb1, v0 }", "F0 { S3 RADDNX16 v2, v1 }", 1, 3),
        // Rows that do not list T-03 stay.
        ("F0 { S3 RBMAXNX16 v1, vb1, v0 }", "F0 { S3 ADDNX16 v2, v1, v0 }", 3, 3),
        ("F0 { S3 DCMPRS2NX8 v1, v2, vb3 }", "F0 { S3 ADDNX16 v2, v1, v0 }", 3, 3),
        // Masks stay at 10.
        ("F0 { S3 LTNX16 vb1, v2, v3 }", "F0 { S3 RADDNX16T v5, v4, vb1 }", 2, 2),
    ] {
        let program = program(&[first, second]);
        assert_eq!(issues(&check(&program, LatCrossbar::Seed)), [0, seed], "{first} {second}");
        assert_eq!(issues(&check(&program, LatCrossbar::Formal)), [0, formal], "{first} {second}");
    }
}

#[test]
fn an_operand_read_twice_gives_one_cause_and_two_slots_give_two() {
    let schedule = check(
        &program(&[
            "F0 { S3 ADDNX16 v1, v0, v0 }",
            "F1 { S0 ADDNX16 v2, v1, v1 ; S3 ADDNX16 v3, v1, v1 }",
        ]),
        LatCrossbar::Seed,
    );
    let slots: Vec<u8> = schedule.causes.iter().map(|cause| cause.consumer_slot).collect();
    assert_eq!(slots, [0, 3]);
}

#[test]
fn causes_are_sorted_by_hazard_class_index_producer_and_consumer() {
    let schedule = check(
        &program(&["F0 { S3 RBMAXNX16 v9, vb9, v0 }", "F0 { S3 SELNX16T v9, v9, v2, v3, vb9 }"]),
        LatCrossbar::Seed,
    );
    let rendered = render(&schedule);
    let causes: Vec<&str> = rendered.lines().filter(|line| line.starts_with("  !")).collect();
    assert_eq!(
        causes,
        [
            "  ! RAW v9 B0.S3@12 > S3@10 d=3",
            "  ! RAW vb9 B0.S3@12 > S3@10 d=3",
            "  ! WAW v9 B0.S3@12 > S3@10 d=3",
        ]
    );
}

#[test]
fn a_satisfied_pair_and_a_pair_without_stall_are_no_causes() {
    // Both sources are late, only the later one binds.
    let schedule = check(
        &program(&[
            "F0 { S3 ADDNXF16 v1, v0, v0 }",
            "F0 { S3 ADDNXF16 v2, v0, v0 }",
            "F0 { S3 ADDNX16 v3, v1, v2 }",
        ]),
        LatCrossbar::Seed,
    );
    assert_eq!(schedule.causes.len(), 1);
    assert_eq!((schedule.causes[0].index, schedule.causes[0].producer_bundle), (2, 1));
    // A load feeds the next bundle at distance 1: it binds, but nothing stalls.
    let schedule = check(
        &program(&["F0 { S1 LV2NX8_I v1, a2, 0 }", "F0 { S3 ADDNX16 v2, v1, v1 }"]),
        LatCrossbar::Seed,
    );
    assert_eq!(issues(&schedule), [0, 1]);
    assert!(schedule.causes.is_empty());
}

#[test]
fn an_op_without_postings_is_listed_and_a_port_has_no_index() {
    let schedule = check(
        &program(&["X1 { S0 SCATTERW }", "F0 { S3 DCMPRS2NX8 v1, v2, vb3 }"]),
        LatCrossbar::Seed,
    );
    assert_eq!(
        render(&schedule),
        "B0 X1 ok @0 +0\n  S0 SCATTERW\nB1 F0 ok @1 +0\n  \
         S3 DCMPRS2NX8 vb3.use@10 v2.use@10 v1.def@12 pr-.port@12\n= 2"
    );
}

#[test]
fn begin_forgets_the_program_before() {
    let mut scheduler = Scheduler::default();
    let mut schedule = Schedule::default();
    let writer = program(&["F0 { S3 EXTRNX16 a2, v1, 0 }"]);
    let reader = program(&["F0 { S1 LV2NX8_I v1, a2, 0 }", "F0 { S1 LV2NX8_I v1, a2, 0 }"]);
    run_into(&mut scheduler, &writer, LatCrossbar::Formal, &mut schedule);
    run_into(&mut scheduler, &reader, LatCrossbar::Seed, &mut schedule);
    assert_eq!(schedule, run(&reader, LatCrossbar::Seed));
    assert_eq!(issues(&schedule), [0, 1]);
}

#[test]
fn a_fault_keeps_the_rest_of_its_entry() {
    let program = program(&["F0 { S3 ADDNX16 v1, v0, v0 }", "F0 { S3 ADDNX16 v2, v1, v0 }"]);
    let plain = run(&program, LatCrossbar::Seed);
    let mut marked = plain.clone();
    Scheduler::default().mark_fault(FaultReason::BadAccess, &mut marked);
    assert_eq!(marked.bundles[1].verdict, BundleVerdict::Fault(FaultReason::BadAccess));
    marked.bundles[1].verdict = BundleVerdict::Ok;
    assert_eq!(marked, plain);
}

#[test]
fn there_is_nothing_to_mark_without_an_issued_bundle() {
    let scheduler = Scheduler::default();
    let mut empty = Schedule::default();
    scheduler.mark_fault(FaultReason::BadAccess, &mut empty);
    assert_eq!(empty, Schedule::default());
    let mut illegal = run(&program(&["F5 { }"]), LatCrossbar::Seed);
    let before = illegal.clone();
    scheduler.mark_fault(FaultReason::BadAccess, &mut illegal);
    assert_eq!(illegal, before);
}

#[test]
fn cycles_of_a_program_that_never_issues_are_zero() {
    assert_eq!(run(&[], LatCrossbar::Seed).cycles, 0);
    assert_eq!(run(&program(&["F5 { }"]), LatCrossbar::Seed).cycles, 0);
}
