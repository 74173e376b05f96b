//! Faults of the harness itself. The instruments that the gates work with are taken from a [`Rig`]:
//! [`Rig::PRODUCT`] holds the harness's own, and a [`HarnessFault`] replaces one of them by a broken one.
//! Every gate must pass with the product's rig, and each fault must fail a gate.
//!
//! Nothing outside this room knows of a rig, so no switch, feature or state can leave the product with a
//! broken instrument: the broken ones are wrappers that stand here and call the real ones.
//!
//! - [`perturb`]: differences, one at a time, that a comparator must see.
//! - [`gates`]: what the harness demands of its own instruments.
//! - [`catalogue`]: the broken instruments.

pub mod catalogue;
pub mod gates;
pub mod perturb;

pub use catalogue::HARNESS_FAULTS;

use crate::campaign::{Shard, Tally, Worker};
use crate::compare::{Comparator, Comparison};
use crate::corpus::{Corpus, CorpusError};
use crate::family::{Family, Op};
use crate::generate::{CaseSeed, Family as Kind, Generated, Generator};
use crate::golden::{Directed, DirectedCase, load_golden};
use crate::minimise::silent;
use crate::shrink::{Minimal, Models, ShrinkError, shrink};
use crate::triage::Signature;
use contract::case::Case;
use contract::outcome::Outcome;

/// Instruments of the harness.
#[derive(Clone, Copy)]
pub struct Rig {
    /// Compares the outcome of the model under test with the reference's.
    pub compare: fn(&Case, &Outcome, &Outcome, &mut Comparison),
    /// Makes the case of a seed.
    pub generate: fn(&mut Generator, Kind, CaseSeed, &mut Generated),
    /// Loads the golden vectors.
    pub golden: fn(&Corpus) -> Result<Directed, CorpusError>,
    /// What an outcome misses of a golden case.
    pub missed: fn(&DirectedCase, &Outcome) -> Vec<String>,
    /// Minimises a case that shows a divergence.
    pub shrink: fn(&Case, &Signature, &Models) -> Result<Minimal, ShrinkError>,
    /// Case indices of a shard.
    pub shard: fn(Shard, u64) -> Vec<u64>,
    /// Examines and counts a case.
    pub count: fn(&mut Worker, &Generated, &mut Tally),
}

/// Evaluations of a minimisation in a gate.
const BUDGET: usize = 600;

fn every_op() -> Vec<Op> {
    Family::ALL.iter().flat_map(|&family| Op::enabled(family)).collect()
}

/// Where a generated case comes from; the counts do not depend on it.
fn origin() -> crate::campaign::Origin {
    crate::campaign::Origin::Generated { index: 0, seed: CaseSeed(0) }
}

impl Rig {
    /// The harness's own instruments.
    pub const PRODUCT: Self = Self {
        compare: |case, expected, actual, result| {
            Comparator::default().compare(case, expected, actual, result);
        },
        generate: |generator, kind, seed, out| generator.seeded(kind, seed, out),
        golden: |corpus| load_golden(corpus, &every_op()),
        missed: |directed, outcome| {
            let expectation = directed.expectation.as_ref();
            expectation.map_or_else(Vec::new, |wanted| wanted.missed_by(&directed.case, outcome))
        },
        shrink: |case, wanted, models| shrink(case, Some(wanted), models, BUDGET, &mut silent),
        shard: |shard, cases| (0..shard.cases_of(cases)).map(|n| shard.case_index(n)).collect(),
        count: |worker, generated, tally| {
            worker.examine(&generated.case, &origin(), &generated.intent, tally);
        },
    };
}

/// A broken instrument.
#[derive(Clone, Copy)]
pub struct HarnessFault {
    /// Name.
    pub name: &'static str,
    /// What is broken.
    pub story: &'static str,
    /// The rig with it.
    pub rig: Rig,
}

/// The gates that a rig fails, each with what it says; empty if it passes them all.
///
/// # Errors
/// A golden file that cannot be read.
pub fn failed_gates(
    rig: &Rig,
    corpus: &Corpus,
) -> Result<Vec<(&'static str, String)>, CorpusError> {
    let mut failed = Vec::new();
    for gate in gates::GATES {
        if let Err(reason) = (gate.check)(rig, corpus)? {
            failed.push((gate.name, reason));
        }
    }
    Ok(failed)
}

/// The first gate that a rig fails.
///
/// # Errors
/// A golden file that cannot be read.
pub fn first_failed_gate(
    rig: &Rig,
    corpus: &Corpus,
) -> Result<Option<(&'static str, String)>, CorpusError> {
    for gate in gates::GATES {
        if let Err(reason) = (gate.check)(rig, corpus)? {
            return Ok(Some((gate.name, reason)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_product_passes_every_gate() {
        let corpus = Corpus::find(None).unwrap();
        assert_eq!(failed_gates(&Rig::PRODUCT, &corpus).unwrap(), []);
    }

    #[test]
    fn every_fault_of_the_harness_fails_a_gate() {
        let names: BTreeSet<_> = HARNESS_FAULTS.iter().map(|fault| fault.name).collect();
        assert_eq!(names.len(), HARNESS_FAULTS.len());
        assert!(names.len() >= 12);
        let corpus = Corpus::find(None).unwrap();
        for fault in HARNESS_FAULTS {
            let failed = first_failed_gate(&fault.rig, &corpus).unwrap();
            assert!(failed.is_some(), "{} passes every gate", fault.name);
        }
    }
}
