//! Catalogue and machines: names are unique, a machine without a fault changes nothing, and each faulty
//! model differs where its story says.

use super::tensor::misreader::Misreader;
use super::tensor::rules::Rules;
use super::{FAULTS, by_name, matching};
use crate::compare::Comparator;
use crate::differ::Differ;
use crate::generate::{CaseSeed, Family as Generated, Generator, Options};
use crate::models::{BoxedModel, candidate, factory};
use contract::model::StepModel;
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_stories_are_told() {
    let names: BTreeSet<_> = FAULTS.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), FAULTS.len());
    for fault in FAULTS {
        let source = fault.source.starts_with("spec ") || fault.source.starts_with("seed ");
        assert!(!fault.story.is_empty() && source, "{}", fault.name);
        assert_eq!(by_name(fault.name).ok().map(|found| found.name), Some(fault.name));
    }
    assert_eq!(by_name("overlap-in-plac").err().unwrap().nearest, Some("overlap-in-place"));
    assert!(matching("fp8-*").unwrap().len() > 5);
    assert!(matching("nothing*").is_err());
}

/// Runs generated cases on the right candidate and on one behind a machine.
fn agrees(family: Generated, cases: u64, make: fn() -> BoxedModel) {
    let options = Options { vary_switches: true, ..Options::default() };
    let mut generator = Generator::new(options);
    let mut differ = Differ::new(Comparator::default(), candidate(), factory("again", make));
    for index in 0..cases {
        let generated = generator.case(family, CaseSeed::of(7, index));
        let comparison = differ.run(&generated.case).unwrap();
        assert!(comparison.agrees(), "{}: {:?}", generated.case.id(), comparison.divergences[0]);
    }
}

#[test]
fn a_misreader_with_the_right_rules_changes_nothing() {
    agrees(Generated::Tensor, 20_000, || {
        let right = candidate::model();
        let tensor = Misreader::new(Rules::RIGHT, right.tensor);
        Box::new(StepModel::new("again", tensor, right.vector))
    });
}
