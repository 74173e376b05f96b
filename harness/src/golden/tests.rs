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

#[test]
fn every_contested_switch_of_the_tensor_side_has_a_separating_case() {
    let directed = directed();
    let contested: BTreeSet<&str> = directed
        .cases
        .iter()
        .filter(|case| case.group == "contested")
        .map(|case| case.case.id().trim_start_matches("contested-"))
        .collect();
    let switches = ["f2i_round", "fp32r_fraction", "fp8_overflow", "op1_order", "reduce_emit"];
    assert_eq!(contested, BTreeSet::from(switches));
    // Separating: no two values of a switch expect the same outcome.
    for switch in switches {
        let outcomes: Vec<&Expectation> = directed
            .cases
            .iter()
            .filter(|case| case.case.id() == format!("contested-{switch}"))
            .filter_map(|case| case.expectation.as_ref())
            .collect();
        assert!(outcomes.len() >= 2, "{switch}");
        for (index, one) in outcomes.iter().enumerate() {
            assert!(outcomes[index + 1..].iter().all(|other| other != one), "{switch}");
        }
    }
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
