//! Campaigns over made-up models: determinism, shards, failing models, interruption.

use super::*;
use crate::compare::{Aspect, Policy};
use crate::family::Op;
use crate::generate::Options;
use crate::models::{self, BoxedModel, SharedFactory, factory};
use crate::triage::Signature;
use contract::case::Case;
use contract::model::{Model, ModelError};
use contract::outcome::Outcome;

/// The oracle, changed by a function.
struct Changed<F> {
    inner: BoxedModel,
    change: F,
}

impl<F: FnMut(&Case, &mut Outcome) -> Result<(), ModelError> + Send> Model for Changed<F> {
    fn name(&self) -> &str {
        "changed"
    }

    fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
        self.inner.run_into(case, outcome)?;
        (self.change)(case, outcome)
    }
}

type Change = fn(&Case, &mut Outcome) -> Result<(), ModelError>;

fn changed(change: Change) -> SharedFactory {
    factory("changed", move || Box::new(Changed { inner: models::oracle().make(), change }))
}

/// Flips an accumulator bit wherever lane 0 is seeded.
fn spoil_accumulator(_: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
    if let Outcome::Tensor(outcome) = outcome
        && outcome.state.seeded & 1 == 1
    {
        outcome.state.accumulators[0] ^= 1;
    }
    Ok(())
}

fn plan(candidate: SharedFactory, cases: u64, jobs: usize) -> Plan {
    Plan {
        seed: 11,
        budget: Budget { cases: Some(cases), time: None },
        shard: Shard::WHOLE,
        jobs,
        comparator: Comparator { policy: Policy::default() },
        reference: models::oracle(),
        candidate,
        families: vec![generate::Family::Tensor],
        options: Options::default(),
        directed: Vec::new(),
        products: Vec::new(),
        until: None,
    }
}

fn run_plan(plan: &Plan) -> CampaignResult {
    run(plan, &AtomicBool::new(false), |_, _| {})
}

#[test]
fn a_model_agrees_with_itself_on_a_thousand_cases() {
    let result = run_plan(&plan(models::oracle(), 1_000, 1));
    assert_eq!(result.tally.cases, 1_000);
    assert_eq!(result.tally.diverging_cases, 0);
    assert!(result.tally.compared.values > 100_000);
    assert!(!result.interrupted);
}

#[test]
fn tallies_do_not_depend_on_the_number_of_threads() {
    let one = run_plan(&plan(changed(spoil_accumulator), 2_000, 1)).tally;
    assert!(one.diverging_cases > 100);
    for jobs in [2, 4] {
        assert_eq!(one, run_plan(&plan(changed(spoil_accumulator), 2_000, jobs)).tally);
    }
}

#[test]
fn shards_add_up_to_the_whole() {
    let whole = run_plan(&plan(changed(spoil_accumulator), 1_000, 2)).tally;
    let mut sum = Tally::default();
    for index in 0..3 {
        let mut part = plan(changed(spoil_accumulator), 1_000, 2);
        part.shard = Shard { index, count: 3 };
        sum.add(run_plan(&part).tally);
    }
    assert_eq!(whole, sum);
}

#[test]
fn the_directed_steps_of_an_op_are_its_whole_edge_product() {
    use crate::family::{Op, ops_of_step};
    use crate::generate::vector::directed::{directed, edge_points};
    for name in ["ADDNX16", "RADD2NX8T", "SELN_2X32", "LA2NX8_IP", "LTRN", "DCMPRS2NX8"] {
        let op = Mnemonic::from_name(name).unwrap();
        let mut plan = plan(models::candidate(), 0, 2);
        plan.families = vec![generate::Family::Vector];
        plan.products = vec![op];
        let tally = run_plan(&plan).tally;
        let mut steps = 0;
        let mut reference = models::oracle().make();
        for case in directed(op) {
            // A fault ends a program; what stands behind it is no step.
            let outcome = reference.run(&case).unwrap();
            let Outcome::Vector(outcome) = outcome else { panic!("a vector case") };
            for step in 0..outcome.steps.len() {
                ops_of_step(&case, step, |found| steps += u64::from(found == Op::Vector(op)));
            }
        }
        assert_eq!(tally.ops.get(Op::Vector(op)).directed, steps, "{name}");
        let product = tally.products[&op];
        assert_eq!(product.edges, edge_points(op), "{name}");
        assert!(product.pairs >= products::PAIRS.into(), "{name}");
    }
    // The edge set of 16 bits squared, every lane with every edge, both operands, and the fifteen slots.
    let squared = edge_points(Mnemonic::from_name("ADDNX16").unwrap());
    assert!(squared >= 15 * 15, "{squared}");
}

#[test]
fn a_campaign_until_coverage_stops_there_at_any_number_of_threads() {
    let bitvec = contract::isa::opcode::TENSOR_CUMULATIVE_BITVEC;
    let until = |cases, jobs| {
        let mut plan = plan(models::candidate(), cases, jobs);
        plan.options.tensor.opcodes = vec![bitvec];
        plan.until = Some(Goal { percent: 100.0, enabled: vec![Op::Tensor(bitvec)] });
        run_plan(&plan)
    };
    let (one, three) = (until(400_000, 1), until(400_000, 3));
    assert_eq!(one.reached, Some(true));
    assert!(!one.interrupted && one.tally.cases < 400_000, "{}", one.tally.cases);
    assert_eq!(one.tally, three.tally);
    let short = until(300, 2);
    assert_eq!((short.reached, short.interrupted), (Some(false), false));
}

#[test]
fn a_bucket_keeps_its_smallest_case_and_blames_the_guilty_step() {
    let tally = run_plan(&plan(changed(spoil_accumulator), 2_000, 2)).tally;
    for (signature, bucket) in &tally.buckets {
        assert_eq!(signature.aspect, Aspect::Value);
        assert!(signature.op.starts_with("TensorScalarCache"), "{signature}");
        // Only what goes on with an accumulator has a step before it.
        let steps = match signature.class.as_str() {
            "accumulator" => 1,
            "accumulator+carry" => 2,
            class => panic!("{class}"),
        };
        assert_eq!(bucket.best.size.steps, steps, "{signature}");
        assert_eq!(bucket.best.step, Some(steps - 1));
    }
    let blamed: u64 = tally
        .ops
        .occurred()
        .into_iter()
        .map(|op| tally.ops.get(op).mismatches[Aspect::Value as usize])
        .sum();
    assert_eq!(blamed, tally.diverging_cases);
}

#[test]
fn a_panicking_model_costs_its_cases_alone() {
    let panics: Change = |case, _| {
        assert!(case.id().as_bytes()[17] != b'7', "a seven at the end");
        Ok(())
    };
    let result = run_plan(&plan(changed(panics), 1_000, 2));
    let tally = &result.tally;
    assert_eq!(tally.cases, 1_000);
    assert!(tally.failure_count > 30, "{}", tally.failure_count);
    assert_eq!(tally.failures.len(), Tally::MOST_FAILURES);
    assert!(tally.failures[0].failure.message.contains("a seven at the end"));
    // The failed cases are the same at any number of threads, in index order.
    assert_eq!(*tally, run_plan(&plan(changed(panics), 1_000, 1)).tally);
    let seeds: Vec<_> = tally.failures.iter().map(|failed| failed.origin.clone()).collect();
    assert!(seeds.is_sorted());
}

#[test]
fn an_error_of_a_model_is_a_failure_and_no_divergence() {
    let fails: Change = |_, _| Err(ModelError::Failed("no answer".to_owned()));
    let tally = run_plan(&plan(changed(fails), 300, 1)).tally;
    assert_eq!(tally.failure_count, 300);
    assert_eq!(tally.diverging_cases, 0);
    assert_eq!(tally.compared.verdicts, 0);
}

#[test]
fn an_interrupted_campaign_covers_a_prefix_of_the_cases() {
    let stop = AtomicBool::new(false);
    let interrupted = run(&plan(models::oracle(), 1_000_000, 2), &stop, |_, _| {
        stop.store(true, Ordering::Relaxed);
    });
    assert!(interrupted.interrupted);
    let cases = interrupted.tally.cases;
    assert!(cases > 0 && cases < 1_000_000);
    let same = run_plan(&plan(models::oracle(), cases, 1));
    assert_eq!(interrupted.tally, same.tally);
}

#[test]
fn a_time_budget_ends_a_campaign_without_marking_it_interrupted() {
    let mut plan = plan(models::oracle(), 0, 1);
    plan.budget = Budget { cases: None, time: Some(Duration::from_millis(30)) };
    let result = run_plan(&plan);
    assert!(result.tally.cases > 0);
    assert!(!result.interrupted);
}

#[test]
fn a_recorded_tally_is_restored_whole() {
    let fails_or_spoils: Change = |case, outcome| {
        if case.id().ends_with('7') {
            return Err(ModelError::Failed("no answer".to_owned()));
        }
        spoil_accumulator(case, outcome)
    };
    let mut tally = run_plan(&plan(changed(fails_or_spoils), 2_000, 2)).tally;
    tally.outside.push(Origin::Generated { index: 3, seed: CaseSeed(u64::MAX) });
    tally.outside.push(Origin::Directed { number: 0, name: "a.json t".to_owned() });
    tally.ignored.count(crate::compare::IgnoredReason::NanPayload, 5);
    tally.unbucketed = 2;
    assert!(!tally.buckets.is_empty() && !tally.failures.is_empty());
    let text = serde_json::to_string(&TallyRecord::of(&tally)).unwrap();
    let record: TallyRecord = serde_json::from_str(&text).unwrap();
    assert_eq!(record.restore().unwrap(), tally);
}

#[test]
fn a_record_with_an_unknown_word_is_refused_by_name() {
    let tally = run_plan(&plan(models::oracle(), 1_000, 1)).tally;
    let text = serde_json::to_string(&TallyRecord::of(&tally)).unwrap();
    for (word, other) in [("tensor", "sensor"), ("mariana", "marina"), ("0x9a", "0x9g")] {
        let record: TallyRecord =
            serde_json::from_str(&text.replace(&format!("\"{word}\""), &format!("\"{other}\"")))
                .unwrap();
        let error = record.restore().unwrap_err().to_string();
        assert!(error.contains(other), "{error}");
    }
}

#[test]
fn which_buckets_are_kept_does_not_depend_on_the_order() {
    let sample = run_plan(&plan(changed(spoil_accumulator), 300, 1)).tally;
    let (signature, bucket) = sample.buckets.iter().next().unwrap();
    let tally_of = |numbers: &mut dyn Iterator<Item = usize>| {
        let mut tally = Tally::default();
        for number in numbers {
            let signature = Signature { class: format!("class {number:04}"), ..signature.clone() };
            let best = Exemplar { signature: signature.clone(), ..bucket.best.clone() };
            let one = BTreeMap::from([(signature, Bucket { count: 1, best, minimal: None })]);
            tally.add(Tally { buckets: one, ..Tally::default() });
        }
        tally
    };
    let most = Tally::MOST_BUCKETS;
    let up = tally_of(&mut (0..most + 50).chain(0..most + 50));
    let down = tally_of(&mut (0..most + 50).chain(0..most + 50).rev());
    assert_eq!(up, down);
    assert_eq!(up.buckets.len(), most);
    assert_eq!((up.unbucketed, up.divergence_count()), (100, 2 * (most as u64 + 50)));
    assert!(up.buckets.values().all(|bucket| bucket.count == 2));
}
