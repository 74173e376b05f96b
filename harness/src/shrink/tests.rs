//! What the minimiser leaves of single cases, with planted faults.

use super::{DivergenceInterest, MOST_SHRUNK, Models, ShrinkError, shrink, shrink_buckets};
use crate::campaign::{self, Budget, Plan, Shard};
use crate::compare::{Aspect, Comparator};
use crate::faults;
use crate::generate::{self, Options};
use crate::minimise::{MinimiseError, silent};
use crate::models::{self, BoxedModel, factory};
use contract::bundle::{OpWord, Operand};
use contract::case::Case;
use contract::isa::RegClass;
use contract::json::read_case;
use contract::model::{Model, ModelError};
use contract::outcome::{Outcome, VectorStep};
use std::sync::atomic::AtomicBool;

fn models(fault: &str) -> Models {
    Models {
        comparator: Comparator::default(),
        reference: models::oracle(),
        candidate: faults::candidate_with(faults::by_name(fault).unwrap()),
    }
}

/// A seed of 1.0 on lane 0, then 0x9A with op0 = Mult and op1 = Add that goes on with it.
fn carried() -> Case {
    read_case(concat!(
        r#"{"version":1,"kind":"tensor","id":"carried","generation":"mariana","profile":{},"#,
        r#""memory":[{"space":"sbuf","partition":0,"partitions":1,"offset":0,"stride":8,"#,
        r#""data":"0000803f00000000"}],"registers":{},"program":[""#,
        "e6100000000000000000000003000000000000000100010001000100010001000a0a0100000400000000000000000000",
        "04000000010001000100010001000100",
        r#"",""#,
        "9a100000000000000000000002000000080000000100010001000100010001000a0a0100060400000000000000000000",
        "00000000010001000100010001000100",
        r#""]}"#
    ))
    .unwrap()
}

#[test]
fn a_carried_value_that_an_immediate_can_give_needs_no_step_before() {
    let minimal = shrink(&carried(), None, &models("op1-before-op0"), 2_000, &mut silent).unwrap();
    assert_eq!((minimal.after().steps, minimal.before.steps), (1, 2));
    assert_eq!(minimal.signature.class, "memory");
    assert!(minimal.one_minimal);
}

#[test]
fn a_lost_accumulator_keeps_the_step_that_seeds_it() {
    let models = models("accumulator-not-carried");
    let minimal = shrink(&carried(), None, &models, 2_000, &mut silent).unwrap();
    assert_eq!(minimal.after().steps, 2);
    assert!(minimal.signature.class.ends_with("+carry"), "{}", minimal.signature);
}

#[test]
fn a_case_that_agrees_cannot_be_minimised() {
    let error = shrink(&carried(), None, &models("fp8-tie-up"), 2_000, &mut silent).unwrap_err();
    assert_eq!(error, ShrinkError::Minimise(MinimiseError::NoDivergence));
}

#[test]
fn a_fault_that_follows_from_a_wrong_register_is_no_root() {
    let case = read_case(concat!(
        r#"{"version":1,"kind":"vector","id":"follows","profile":{},"cpenable":2,"#,
        r#""state":{"a0":"0x00080001","a1":"0x80000000","a2":"0x000804a0"},"#,
        r#""memory":{"base":"0x00080000","bytes":1280,"#,
        r#""init":[{"address":"0x000804ff","data":"01"}]},"#,
        r#""program":["F0 { S0 SV2NX8_XP v0, a0, a1 }","F0 { S1 LAN_2X16U_XP v1, u0, a2, a1 }","#,
        r#""F0 { S0 SAPOS_FP u0, a0 }"]}"#
    ))
    .unwrap();
    let mut interest = DivergenceInterest::new(&models("valign-not-reprimed"));
    let roots = interest.roots(&case).unwrap();
    let aspects: Vec<Aspect> = roots.iter().map(|root| root.signature.aspect).collect();
    assert_eq!(aspects, [Aspect::Value]);
    assert_eq!(roots[0].signature.op, "LAN_2X16U_XP");
}

#[test]
fn the_number_of_minimised_buckets_bounds_a_run() {
    let most = MOST_SHRUNK * (super::buckets::BUCKET_BUDGET + super::buckets::BUCKET_BUDGET / 2);
    assert!(most < 400_000, "{most} evaluations");
}

/// Three misread rules in one candidate: one for tensor cases, one for the values and one for the schedules
/// of vector cases.
struct Together {
    tensor: BoxedModel,
    values: BoxedModel,
    schedules: BoxedModel,
}

impl Model for Together {
    fn name(&self) -> &str {
        "three faults"
    }

    fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
        if matches!(case, Case::Tensor(_)) {
            return self.tensor.run_into(case, outcome);
        }
        self.values.run_into(case, outcome)?;
        if let (Outcome::Vector(values), Outcome::Vector(timed)) =
            (outcome, self.schedules.run(case)?)
        {
            values.schedule = timed.schedule;
        }
        Ok(())
    }
}

#[test]
fn ten_thousand_divergences_are_one_bucket_and_hide_no_other() {
    let make = |name: &str| faults::by_name(name).unwrap().make();
    let candidate = factory("three faults", move || {
        Box::new(Together {
            tensor: make("negated-unchecked"),
            values: make("radds-unclamped"),
            schedules: make("ar-increment-def-4"),
        })
    });
    let plan = Plan {
        seed: 3,
        budget: Budget { cases: Some(48_000), time: None },
        shard: Shard::WHOLE,
        jobs: 2,
        comparator: Comparator::default(),
        reference: models::oracle(),
        candidate,
        families: generate::Family::ALL.to_vec(),
        options: Options::default(),
        directed: Vec::new(),
        products: Vec::new(),
        until: None,
    };
    let never = AtomicBool::new(false);
    let mut result = campaign::run(&plan, &never, |_, _| {});
    let failed = shrink_buckets(&mut result.tally, &plan.models(), 2, &never);
    assert!(failed.is_empty(), "{failed:?}");
    let shown = super::joined(&result, true).tally.buckets;
    let names: Vec<String> = shown.keys().map(|signature| signature.bucket()).collect();
    let expected = [
        "value-RADDS-data",
        "verdict-TensorCumulative-unreported-TC-NEG0",
        "schedule-any-LAT_POST+AR.def.1.4",
    ];
    assert_eq!(names, expected);
    let counts: Vec<u64> = shown.values().map(|bucket| bucket.count).collect();
    assert!(counts.iter().any(|&count| count >= 10_000), "{counts:?}");
    for bucket in shown.values() {
        let minimal = bucket.minimal.as_ref().unwrap();
        assert_eq!((minimal.after().ops, minimal.one_minimal), (1, true), "{}", minimal.line());
    }
}

#[test]
fn ops_that_one_wrong_rule_spoils_are_one_bucket_whatever_their_names() {
    // The first lane of seven operations is off by one.
    let candidate = factory("off by one", || Box::new(OffByOne(models::oracle().make())));
    let plan = Plan {
        seed: 3,
        budget: Budget { cases: Some(12_000), time: None },
        shard: Shard::WHOLE,
        jobs: 2,
        comparator: Comparator::default(),
        reference: models::oracle(),
        candidate,
        families: vec![generate::Family::Vector],
        options: Options::default(),
        directed: Vec::new(),
        products: Vec::new(),
        until: None,
    };
    let never = AtomicBool::new(false);
    let mut result = campaign::run(&plan, &never, |_, _| {});
    assert!(result.tally.buckets.len() > 3, "{:?}", result.tally.buckets.keys());
    shrink_buckets(&mut result.tally, &plan.models(), 2, &never);
    let shown = super::joined(&result, true).tally.buckets;
    let names: Vec<String> = shown.keys().map(|signature| signature.bucket()).collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(names[0].ends_with("+others-data"), "{names:?}");
}

/// Spoils the destination of a last bundle that holds one of four alike operations alone.
struct OffByOne(BoxedModel);

impl Model for OffByOne {
    fn name(&self) -> &str {
        "off by one"
    }

    fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
        self.0.run_into(case, outcome)?;
        let (Case::Vector(case), Outcome::Vector(outcome)) = (case, outcome) else { return Ok(()) };
        let Some(last) = case.program.last() else { return Ok(()) };
        let [slot] = &last.ops[..] else { return Ok(()) };
        let OpWord::Known(op) = slot.op else { return Ok(()) };
        let alike = ["ADDNX16", "SUBNX16", "ANDNX16", "XORNX16", "MINNX16", "MAXNX16", "ORNX16"];
        if let (true, Some(VectorStep::Accept), Some(Operand::Reg(RegClass::Vec, index))) =
            (alike.contains(&op.name()), outcome.steps.last(), slot.operands.first())
        {
            outcome.state.vec[*index as usize].0[0] ^= 1;
        }
        Ok(())
    }
}
