//! What the golden files must hold, whatever the models answer.

use super::*;
use crate::family::Family;
use crate::generate::tensor::{isolable_clauses, probes};
use contract::isa::{ClauseSet, Generation};
use contract::outcome::TensorVerdict;
use std::collections::BTreeSet;

fn directed() -> Directed {
    let corpus = Corpus::find(None).unwrap();
    load_golden(&corpus, &Op::enabled(Family::Tensor)).unwrap()
}

/// Failing sets that golden cases expect.
fn rejections(directed: &Directed) -> Vec<ClauseSet> {
    let mut sets = Vec::new();
    for case in &directed.cases {
        if let Some(Expectation::Outcome(outcome)) = &case.expectation
            && let Outcome::Tensor(outcome) = &**outcome
        {
            for step in &outcome.steps {
                if let TensorVerdict::Reject(clauses) = step.verdict {
                    sets.push(clauses);
                }
            }
        }
    }
    sets
}

#[test]
fn every_clause_that_can_fail_has_a_hand_worked_case() {
    let sets = rejections(&directed());
    let (mut alone, mut together) = (ClauseSet::EMPTY, ClauseSet::EMPTY);
    for set in sets {
        together = together.union(set);
        if set.len() == 1 {
            alone = alone.union(set);
        }
    }
    for &generation in Generation::ALL {
        let isolable: ClauseSet = isolable_clauses(generation).into_iter().collect();
        assert!(isolable.difference(alone).is_empty(), "{:?}", isolable.difference(alone));
        for probe in probes(generation) {
            let missing = probe.clauses().difference(together);
            assert!(missing.is_empty(), "{missing:?}");
        }
    }
}

/// Switches with a separating case among directed cases, each with more than one outcome.
fn separated(directed: &Directed) -> BTreeSet<String> {
    let mut expectations: BTreeMap<String, Vec<&Expectation>> = BTreeMap::new();
    for case in directed.cases.iter().filter(|case| case.group == "contested") {
        let switch = case.case.id().trim_start_matches("contested-").to_owned();
        expectations.entry(switch).or_default().extend(&case.expectation);
    }
    // Separating: no two values of a switch expect the same outcome.
    for (switch, outcomes) in &expectations {
        assert!(outcomes.len() >= 2, "{switch}");
        for (index, one) in outcomes.iter().enumerate() {
            assert!(outcomes[index + 1..].iter().all(|other| other != one), "{switch}");
        }
    }
    expectations.into_keys().collect()
}

#[test]
fn every_contested_switch_of_the_tensor_side_has_a_separating_case() {
    let switches = ["f2i_round", "fp32r_fraction", "fp8_overflow", "op1_order", "reduce_emit"];
    assert_eq!(separated(&directed()), BTreeSet::from(switches.map(str::to_owned)));
}

#[test]
fn every_contested_switch_that_chapter_04_reads_has_a_separating_case() {
    let switches = ["fsr_gate", "la_fresh", "lat_crossbar", "rb_tie", "rotr_mode"];
    assert_eq!(separated(&directed_vector()), BTreeSet::from(switches.map(str::to_owned)));
}

fn directed_vector() -> Directed {
    let corpus = Corpus::find(None).unwrap();
    load_golden(&corpus, &Op::enabled(Family::Vector)).unwrap()
}

#[test]
fn every_applicable_executed_vector_is_a_case_under_every_preset_of_its_profile() {
    let directed = directed_vector();
    let mut cases: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in &directed.cases {
        if let Some(Expectation::Places { probe, places }) = &case.expectation {
            assert!(!places.is_empty(), "{}", probe.id);
            let preset = case.case.id().rsplit('-').next().unwrap();
            cases.entry(&probe.id).or_default().push(preset);
        }
    }
    // 286 vectors without the 16 of later chapters and the 2 of the leaf; 11 hold under val05 alone.
    assert_eq!(cases.len(), 268);
    let alone = cases.values().filter(|presets| presets[..] == ["val05"]).count();
    let everywhere =
        cases.values().filter(|presets| presets[..] == ["seed", "val05", "vendor"]).count();
    assert_eq!((alone, everywhere), (11, 257));
    let skipped: u64 = directed
        .skipped
        .iter()
        .filter(|row| row.group == "val05_vectors.json")
        .map(|row| row.count)
        .sum();
    assert_eq!(skipped, 18);
    let of = |group: &str| directed.cases.iter().filter(|case| case.group == group).count();
    assert_eq!((of("lat_examples.json"), of("vector_cases.jsonl")), (27, 50));
}

#[test]
fn a_vector_that_a_model_misses_fails_once_whatever_the_number_of_its_cases() {
    let directed = directed_vector();
    let mut tally = GoldenTally::default();
    let spoilt = |case: &Case| {
        let mut outcome = crate::models::oracle().make().run(case).unwrap();
        if let Outcome::Vector(outcome) = &mut outcome {
            // RADDNX16 writes its result to the first register.
            outcome.state.vec[0].0[0] ^= 1;
        }
        outcome
    };
    for case in directed.cases.iter().filter(|case| case.name.contains("red-radd-001")) {
        let (right, wrong) =
            (crate::models::oracle().make().run(&case.case).unwrap(), spoilt(&case.case));
        tally.count(case, Some([("right", &right), ("wrong", &wrong)]), &[]);
    }
    assert_eq!((tally.checked(), tally.failed()), (1, 1));
    let probe = &tally.probes[&("RADD".to_owned(), "RADDNX16".to_owned())];
    assert_eq!((probe.cases, probe.failed.len()), (3, 1));
    assert_eq!(tally.missed.len(), 3);
    assert!(tally.missed[0].what.contains("v0 bits 0+32: expected 0x00000210, got 0x00000211"));
}

#[test]
fn an_element_beyond_the_region_is_a_miss() {
    let expectation = Expectation::Elements(vec![ExpectedElement {
        id: "V1".to_owned(),
        at: 4,
        bytes: 4,
        code: 0,
    }]);
    let mut outcome = contract::outcome::TensorOutcome::default();
    outcome.state.regions.push(contract::state::Region {
        space: contract::state::Space::Sbuf,
        partition: 0,
        partitions: 1,
        offset: 0,
        stride: 4,
        data: vec![0; 4],
    });
    let case = directed().cases.remove(0).case;
    let missed = expectation.missed_by(&case, &Outcome::Tensor(Box::new(outcome)));
    assert_eq!(missed.len(), 1);
}
