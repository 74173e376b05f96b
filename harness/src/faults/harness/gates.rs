//! What the harness demands of its own instruments. A gate answers with the first thing that is wrong.

use super::perturb::PERTURBATIONS;
use super::{Rig, every_op};
use crate::campaign::{Shard, Tally, Worker};
use crate::compare::{Comparator, Comparison};
use crate::corpus::{Corpus, CorpusError, read_documents};
use crate::family::{Family, Op, ops_of_step, program_length};
use crate::faults::{by_name, candidate_with};
use crate::generate::{CaseSeed, Family as Kind, Generated, Generator, Intent, Options};
use crate::golden::Expectation;
use crate::models::{Guarded, candidate, oracle};
use crate::shrink::{DivergenceInterest, Models};
use contract::case::Case;
use contract::isa::Generation;
use contract::outcome::{Outcome, TensorVerdict, VectorStep};
use std::collections::{BTreeMap, BTreeSet};

/// What a gate says: nothing, or what is wrong.
type Answer = Result<Result<(), String>, CorpusError>;

/// A demand on the instruments.
#[derive(Clone, Copy)]
pub struct Gate {
    /// Name in reports.
    pub name: &'static str,
    /// Checks it.
    pub check: fn(&Rig, &Corpus) -> Answer,
}

/// The gates, the cheap ones first.
pub const GATES: &[Gate] = &[
    Gate { name: "shards partition the cases", check: |rig, _| Ok(shards(rig)) },
    Gate { name: "every difference is seen", check: |rig, _| Ok(differences(rig)) },
    Gate { name: "executed means accepted", check: |rig, _| Ok(counts(rig)) },
    Gate { name: "golden files are read whole", check: golden },
    Gate { name: "golden vectors bind", check: binding },
    Gate { name: "planted faults are found", check: |rig, _| Ok(planted(rig)) },
    Gate { name: "every op is emitted", check: |rig, _| Ok(emission(rig)) },
    Gate { name: "a minimised case shows its divergence", check: |rig, _| Ok(minimised(rig)) },
];

/// Cases of the gates come from this campaign seed.
const SEED: u64 = 2026;

/// Generates the first cases of a family through the rig.
fn cases(rig: &Rig, kind: Kind, count: u64, mut visit: impl FnMut(&Generated)) {
    let mut generator = Generator::new(Options::default());
    let mut sample = Generated::default();
    for index in 0..count {
        (rig.generate)(&mut generator, kind, CaseSeed::of(SEED, index), &mut sample);
        visit(&sample);
    }
}

fn shards(rig: &Rig) -> Result<(), String> {
    for (cases, count) in [(0, 1), (1, 3), (7, 2), (100, 3), (1000, 7)] {
        let mut seen = BTreeMap::new();
        for index in 0..count {
            for case in (rig.shard)(Shard { index, count }, cases) {
                *seen.entry(case).or_insert(0) += 1;
            }
        }
        if seen.len() as u64 != cases || seen.values().any(|&times| times != 1) {
            return Err(format!("{count} shards of {cases} cases run {} of them", seen.len()));
        }
        if seen.keys().any(|&case| case >= cases) {
            return Err(format!("a shard of {cases} cases runs one beyond them"));
        }
    }
    Ok(())
}

/// Every perturbation of an outcome is a difference, and none is none.
fn differences(rig: &Rig) -> Result<(), String> {
    let mut model = Guarded::new(candidate());
    let mut outcome = Outcome::Tensor(Box::default());
    let mut comparison = Comparison::default();
    let mut applied = BTreeSet::new();
    let mut wrong = None;
    for kind in Kind::ALL {
        cases(rig, *kind, 150, |sample| {
            if wrong.is_some() || model.run_into(&sample.case, &mut outcome).is_err() {
                return;
            }
            (rig.compare)(&sample.case, &outcome, &outcome, &mut comparison);
            if !comparison.agrees() {
                wrong = Some(format!("{} differs from itself", sample.case.id()));
            }
            let steps = match &outcome {
                Outcome::Tensor(outcome) => outcome.steps.len(),
                Outcome::Vector(outcome) => outcome.steps.len(),
            };
            if comparison.compared.verdicts != steps as u64 || comparison.compared.values == 0 {
                wrong = Some(format!("{} was not compared whole", sample.case.id()));
            }
            for perturbation in PERTURBATIONS {
                let mut other = outcome.clone();
                if (perturbation.apply)(&mut other) {
                    applied.insert(perturbation.name);
                    (rig.compare)(&sample.case, &outcome, &other, &mut comparison);
                    if comparison.agrees() || comparison.divergences.is_empty() {
                        wrong = Some(format!("not seen: {}", perturbation.name));
                    }
                }
            }
        });
    }
    match wrong {
        Some(wrong) => Err(wrong),
        None if applied.len() < PERTURBATIONS.len() => {
            Err("a perturbation never applied".to_owned())
        }
        None => nan_payload(rig),
    }
}

/// Two NaNs with other payloads differ.
fn nan_payload(rig: &Rig) -> Result<(), String> {
    let mut outcome = Outcome::Tensor(Box::default());
    let case = crate::generate::Generated::default().case;
    if let Outcome::Tensor(outcome) = &mut outcome {
        outcome.state.accumulators[3] = 0x7FC0_0000;
    }
    let mut other = outcome.clone();
    if let Outcome::Tensor(outcome) = &mut other {
        outcome.state.accumulators[3] = 0x7FC0_0001;
    }
    let mut comparison = Comparison::default();
    (rig.compare)(&case, &outcome, &other, &mut comparison);
    if comparison.agrees() { Err("not seen: a NaN payload".to_owned()) } else { Ok(()) }
}

/// What a tally calls executed is what the reference accepted, and every rejection is counted.
fn counts(rig: &Rig) -> Result<(), String> {
    let mut reference = Guarded::new(oracle());
    let mut worker = Worker::new(Comparator::default(), oracle(), oracle());
    let mut tally = Tally::default();
    let mut outcome = Outcome::Tensor(Box::default());
    let (mut accepted, mut rejected, mut steps) = (0_u64, 0_u64, 0_u64);
    for kind in Kind::ALL {
        cases(rig, *kind, 100, |sample| {
            if reference.run_into(&sample.case, &mut outcome).is_err() {
                return;
            }
            let mut count = |step: usize, accepts: bool| {
                ops_of_step(&sample.case, step, |_| {
                    steps += 1;
                    accepted += u64::from(accepts);
                });
            };
            match &outcome {
                Outcome::Tensor(outcome) => {
                    for (number, step) in outcome.steps.iter().enumerate() {
                        count(number, step.verdict == TensorVerdict::Accept);
                        if let TensorVerdict::Reject(clauses) = &step.verdict {
                            rejected += clauses.len() as u64;
                        }
                    }
                }
                Outcome::Vector(outcome) => {
                    for (number, step) in outcome.steps.iter().enumerate() {
                        count(number, *step == VectorStep::Accept);
                    }
                }
            }
            (rig.count)(&mut worker, sample, &mut tally);
        });
    }
    let rows: Vec<_> = tally.ops.occurred().into_iter().map(|op| tally.ops.get(op)).collect();
    let executed: u64 = rows.iter().map(|row| row.executed_total()).sum();
    let counted: u64 = rows.iter().map(|row| row.directed + row.random).sum();
    let failing = |clause| Generation::ALL.iter().map(move |&generation| (clause, generation));
    let failed: u64 = (contract::isa::ClauseId::ALL.iter())
        .flat_map(|&clause| failing(clause))
        .map(|(clause, generation)| tally.clauses.get(clause, generation).failed)
        .sum();
    if (executed, counted, failed) == (accepted, steps, rejected) {
        return Ok(());
    }
    Err(format!(
        "{executed} of {counted} steps executed, {failed} clauses failed; it was \
         {accepted} of {steps} and {rejected}"
    ))
}

/// Entries of a golden file, counted without its loader.
fn entries(corpus: &Corpus, file: &str, key: &str) -> Result<u64, CorpusError> {
    let mut count = 0;
    for document in read_documents(&corpus.golden(file))? {
        count += match key {
            "" => 1,
            _ => {
                document.value.get(key).and_then(|list| list.as_array()).map_or(0, Vec::len) as u64
            }
        };
    }
    Ok(count)
}

/// Every entry of every golden file is loaded with its expectation, or skipped by name.
fn golden(rig: &Rig, corpus: &Corpus) -> Answer {
    let loaded = (rig.golden)(corpus)?;
    let manifest = [
        ("tensor_cases.jsonl", ""),
        ("tensor_clause_cases.jsonl", ""),
        ("vector_cases.jsonl", ""),
        ("dtype_vectors.json", "vectors"),
        ("lat_examples.json", "examples"),
        ("val05_vectors.json", "vectors"),
        ("val_mac_pack_vectors.json", "vectors"),
        ("val_fp_vectors.json", "vectors"),
        ("val_gather_rest_vectors.json", "vectors"),
    ];
    for (file, key) in manifest {
        let wanted = entries(corpus, file, key)?;
        let own = loaded.cases.iter().filter(|case| case.group == file);
        let mut probes = BTreeSet::new();
        let mut vectors = 0;
        for case in own {
            match &case.expectation {
                // One vector may have several cases, one per preset.
                Some(Expectation::Places { probe, .. }) => {
                    probes.insert(probe.id.clone());
                }
                Some(expectation) => vectors += expectation.vectors(),
                None => return Ok(Err(format!("{} has no expectation", case.name))),
            }
        }
        let skipped: u64 =
            loaded.skipped.iter().filter(|row| row.group == file).map(|row| row.count).sum();
        let found = vectors + probes.len() as u64 + skipped;
        if found != wanted {
            return Ok(Err(format!("{file}: {found} of {wanted} entries")));
        }
    }
    Ok(Ok(()))
}

/// A spoilt outcome misses golden vectors of every file, and the right one misses none.
fn binding(rig: &Rig, corpus: &Corpus) -> Answer {
    let loaded = (rig.golden)(corpus)?;
    let mut model = Guarded::new(candidate());
    let mut outcome = Outcome::Tensor(Box::default());
    let mut held: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for directed in loaded.cases.iter().step_by(7) {
        if model.run_into(&directed.case, &mut outcome).is_err() {
            continue;
        }
        let missed = (rig.missed)(directed, &outcome);
        if let Some(missed) = missed.first() {
            return Ok(Err(format!("{}: {missed}", directed.name)));
        }
        spoil(&mut outcome);
        let row = held.entry(directed.group.clone()).or_default();
        row[0] += 1;
        row[1] += u64::from(!(rig.missed)(directed, &outcome).is_empty());
    }
    let loose = held.iter().find(|(_, [cases, missed])| missed < cases);
    Ok(loose.map_or(Ok(()), |(file, [cases, missed])| {
        Err(format!("{file}: {missed} of {cases} spoilt outcomes are missed"))
    }))
}

/// Spoils everything that a golden vector may speak of.
fn spoil(outcome: &mut Outcome) {
    match outcome {
        Outcome::Tensor(outcome) => {
            for region in &mut outcome.state.regions {
                region.data.iter_mut().for_each(|byte| *byte ^= 0x55);
            }
            outcome.state.accumulators.iter_mut().for_each(|lane| *lane ^= 1);
        }
        Outcome::Vector(outcome) => {
            outcome.steps.clear();
            if let Some(schedule) = &mut outcome.schedule {
                schedule.cycles += 1;
            }
        }
    }
}

/// Model faults that a campaign finds within a few hundred cases, one a subject.
const PANEL: &[(&str, u64)] = &[
    ("accumulator-not-carried", 2_000),
    ("fp8-truncated", 2_000),
    ("channels-zero", 4_000),
    ("first-clause-only", 2_000),
    ("killed-lanes-zeroed", 2_000),
    ("causes-without-stall", 2_000),
    ("alu-result-10", 2_000),
];

/// Known faults of the models are found by the rig's cases and comparison.
fn planted(rig: &Rig) -> Result<(), String> {
    let mut reference = Guarded::new(oracle());
    let outcome = || Outcome::Tensor(Box::default());
    let (mut expected, mut actual) = (outcome(), outcome());
    let mut comparison = Comparison::default();
    for &(name, bound) in PANEL {
        let fault = by_name(name).map_err(|error| error.to_string())?;
        let mut model = Guarded::new(candidate_with(fault));
        let kind = match fault.family() {
            Family::Tensor => Kind::Tensor,
            Family::Vector => Kind::Vector,
        };
        let mut seen = false;
        let mut generator = Generator::new(Options::default());
        let mut sample = Generated::default();
        for index in 0..bound {
            (rig.generate)(&mut generator, kind, CaseSeed::of(SEED, index), &mut sample);
            let ran = reference.run_into(&sample.case, &mut expected).is_ok()
                && model.run_into(&sample.case, &mut actual).is_ok();
            if ran {
                (rig.compare)(&sample.case, &expected, &actual, &mut comparison);
                seen = !comparison.agrees();
            }
            if seen {
                break;
            }
        }
        if !seen {
            return Err(format!("{name} was not found in {bound} cases"));
        }
    }
    Ok(())
}

/// Every enabled op that is on by default, every generation and every kind of intent occurs, and no case
/// twice.
fn emission(rig: &Rig) -> Result<(), String> {
    let mut seen: BTreeSet<Op> = BTreeSet::new();
    let mut generations = BTreeSet::new();
    let (mut isolated, mut illegal, mut total) = (0, 0, 0);
    let mut distinct = BTreeSet::new();
    for (kind, count) in [(Kind::Tensor, 400), (Kind::Vector, 6_000)] {
        cases(rig, kind, count, |sample| {
            total += 1;
            distinct.insert(sample.case.id().to_owned());
            for step in 0..program_length(&sample.case) {
                ops_of_step(&sample.case, step, |op| {
                    seen.insert(op);
                });
            }
            if let Case::Tensor(case) = &sample.case {
                generations.insert(case.generation);
            }
            isolated += u64::from(matches!(sample.intent, Intent::Isolated { .. }));
            illegal += u64::from(matches!(sample.intent, Intent::Illegal { .. }));
        });
    }
    let off = |op: &Op| match op {
        Op::Vector(mnemonic) => crate::generate::vector::off_by_default(*mnemonic),
        Op::Tensor(_) => false,
    };
    if let Some(op) = every_op().into_iter().find(|op| !off(op) && !seen.contains(op)) {
        return Err(format!("{} was never emitted", op.name()));
    }
    if generations.len() < Generation::ALL.len() {
        return Err(format!("{} generations of {}", generations.len(), Generation::ALL.len()));
    }
    if distinct.len() < total {
        return Err(format!("{} distinct cases of {total}", distinct.len()));
    }
    if isolated == 0 || illegal == 0 {
        return Err("no case was broken on purpose".to_owned());
    }
    Ok(())
}

/// A minimised case shows the signature that it was minimised for and is smaller than what it was made
/// from.
fn minimised(rig: &Rig) -> Result<(), String> {
    let fault = by_name("op1-before-op0").map_err(|error| error.to_string())?;
    let comparator = Comparator::default();
    let models = Models { comparator, reference: oracle(), candidate: candidate_with(fault) };
    let mut interest = DivergenceInterest::new(&models);
    let (mut checked, mut shrunk) = (0, 0);
    let mut wrong = None;
    cases(rig, Kind::Tensor, 400, |sample| {
        if checked >= 6 || wrong.is_some() {
            return;
        }
        let Some(root) = interest.roots(&sample.case).unwrap_or_default().into_iter().last() else {
            return;
        };
        checked += 1;
        match (rig.shrink)(&sample.case, &root.signature, &models) {
            Err(error) => wrong = Some(error.to_string()),
            Ok(minimal) => {
                let roots = interest.roots(&minimal.case).unwrap_or_default();
                let kept = roots.iter().any(|found| found.signature == minimal.signature);
                // What a signature says of the minimal case alone may go, as shrinking reports it.
                let same = (minimal.signature.aspect, &minimal.signature.op)
                    == (root.signature.aspect, &root.signature.op);
                if !(kept && same) {
                    let (id, signature) = (sample.case.id(), &root.signature);
                    wrong = Some(format!("{id} no longer shows `{signature}`"));
                }
                shrunk += u64::from(minimal.after() < minimal.before);
            }
        }
    });
    match wrong {
        Some(wrong) => Err(wrong),
        None if checked < 6 => Err(format!("only {checked} cases to minimise")),
        None if shrunk < checked => Err(format!("{shrunk} of {checked} cases became smaller")),
        None => Ok(()),
    }
}
