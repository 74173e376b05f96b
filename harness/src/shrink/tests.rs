//! What the minimiser leaves of single cases, with planted faults.

use super::{DivergenceInterest, MOST_SHRUNK, Models, ShrinkError, shrink};
use crate::compare::{Aspect, Comparator};
use crate::faults;
use crate::minimise::{MinimiseError, silent};
use crate::models;
use contract::case::Case;
use contract::json::read_case;

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
    let most = MOST_SHRUNK * (super::buckets::BUCKET_BUDGET + super::buckets::BUCKET_BUDGET / 4);
    assert!(most < 400_000, "{most} evaluations");
}
