//! The golden cases of every op under the reference model: one step has to be accepted and to change
//! something. Whatever the op, the result is small, 1-minimal and readable.

use crate::support::{golden, minimised, tensor_of, vector_of};
use contract::case::Case;
use contract::model::Model;
use contract::outcome::{Outcome, TensorVerdict, VectorStep};
use harness::minimise::Interest;

/// The case as the model leaves it: does a step with this opcode or mnemonic get accepted, and does
/// the state differ from the initial one?
struct Changes {
    model: oracle::OracleModel,
}

impl Interest for Changes {
    type Signature = String;

    fn signature(&mut self, case: &Case) -> Option<String> {
        let outcome = self.model.run(case).ok()?;
        match (case, outcome) {
            (Case::Tensor(case), Outcome::Tensor(outcome)) => {
                let changed = outcome.state.regions != case.memory;
                let accepted =
                    outcome.steps.iter().rposition(|step| step.verdict == TensorVerdict::Accept)?;
                changed.then(|| format!("{:#x}", case.program[accepted][0]))
            }
            (Case::Vector(case), Outcome::Vector(outcome)) => {
                let mut initial = contract::state::VectorState::of(case);
                initial.memory.load(case);
                let accepted =
                    outcome.steps.iter().rposition(|step| *step == VectorStep::Accept)?;
                let ops = &case.program[accepted].ops;
                let op = ops.last()?.op.text().to_owned();
                (outcome.state != initial).then_some(op)
            }
            _ => None,
        }
    }
}

#[test]
fn tensor_cases_shrink_to_one_step_that_changes_one_element() {
    let mut interest = Changes { model: oracle::model() };
    let mut shrunk = 0;
    for case in golden("tensor_cases.jsonl") {
        if interest.signature(&case).is_none() {
            continue;
        }
        let result = minimised(&case, &mut interest);
        shrunk += 1;
        let small = tensor_of(&result.case);
        assert_eq!((result.after.steps, result.after.channels), (1, 1), "{}: {result}", case.id());
        // BitwiseNot leaves its first element alone, so one of two has to be the second.
        assert!(result.after.elements <= 2, "{}: {result}", case.id());
        assert!(small.memory.iter().map(|region| region.data.len()).sum::<usize>() <= 16);
    }
    assert!(shrunk > 20, "{shrunk} cases");
}

#[test]
fn vector_cases_shrink_to_one_op_that_changes_one_register() {
    let mut interest = Changes { model: oracle::model() };
    let mut shrunk = 0;
    for case in golden("vector_cases.jsonl") {
        if interest.signature(&case).is_none() {
            continue;
        }
        let result = minimised(&case, &mut interest);
        shrunk += 1;
        let small = vector_of(&result.case);
        // Two where the second lives on what the first left, as a store from an align register.
        assert!(small.program.len() <= 2, "{}: {result}", case.id());
        assert!(small.program.iter().all(|bundle| bundle.ops.len() == 1), "{}", case.id());
        assert!(result.after.nonzero_bytes <= 8, "{}: {result}", case.id());
    }
    assert!(shrunk > 20, "{shrunk} cases");
}
