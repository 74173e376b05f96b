//! The adapter from step models to whole-case models: where programs go on, where they end, and that
//! a reused outcome holds nothing of the case before.

use contract::bundle::Bundle;
use contract::case::{Case, MemoryWindow, RECORD, TensorCase, VectorCase};
use contract::isa::{Format, Generation, Mnemonic};
use contract::model::{Model, ModelError, StepModel, TensorModel, VectorModel};
use contract::outcome::{
    FaultReason, LegalityReason, Outcome, TensorReason, TensorStep, TensorVerdict, VectorStep,
};
use contract::profile::{LatCrossbar, Profile};
use contract::schedule::{LatTable, Schedule};
use contract::state::{OutsideCase, Space, TensorState, VectorState};
use std::collections::BTreeMap;

/// Adds byte 1 of a record to register 0; byte 0 chooses the verdict.
struct Tensor;

impl TensorModel for Tensor {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase> {
        Ok(TensorStep::new(match record[0] {
            0 => {
                state.registers[0] += u32::from(record[1]);
                TensorVerdict::Accept
            }
            1 => TensorVerdict::Unsupported(TensorReason::OutOfScope),
            2 => TensorVerdict::Fault(TensorReason::ExecBounds),
            _ => return state.write_byte(Space::Sbuf, 1, 2, 3).map(|()| unreachable!()),
        }))
    }
}

/// Counts the bundles since the program's start in `a0`; the format chooses the verdict.
#[derive(Default)]
struct Vector {
    seen: u32,
}

impl VectorModel for Vector {
    fn begin(&mut self, _: &VectorState) {
        self.seen = 0;
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        self.seen += 1;
        state.ar[0] = self.seen;
        schedule.cycles = self.seen;
        match bundle.format.text() {
            "F1" => VectorStep::Unsupported(Mnemonic::NOP),
            "F2" => VectorStep::Reject(LegalityReason::OpSlot),
            "F3" => VectorStep::Fault(FaultReason::Alignment, Some(2)),
            _ => VectorStep::Accept,
        }
    }
}

fn model() -> StepModel<Tensor, Vector> {
    StepModel::new("fake", Tensor, Vector::default())
}

fn tensor_case(heads: &[[u8; 2]]) -> Case {
    let record = |head: &[u8; 2]| {
        let mut record = [0; RECORD];
        record[..2].copy_from_slice(head);
        record
    };
    Case::Tensor(TensorCase {
        id: String::new(),
        generation: Generation::Cayman,
        profile: Profile::default(),
        memory: Vec::new(),
        registers: BTreeMap::new(),
        program: heads.iter().map(record).collect(),
    })
}

fn vector_case(formats: &[Format], lat_crossbar: LatCrossbar) -> Case {
    Case::Vector(VectorCase {
        id: String::new(),
        profile: Profile { lat_crossbar, ..Profile::default() },
        cpenable: 2,
        state: Vec::new(),
        memory: MemoryWindow::default(),
        program: formats.iter().map(|&format| Bundle::empty(format)).collect(),
    })
}

#[test]
fn a_tensor_program_goes_on_after_any_verdict() {
    let case = tensor_case(&[[0, 5], [1, 0], [2, 0], [0, 6]]);
    let Ok(Outcome::Tensor(outcome)) = model().run(&case) else { panic!() };
    assert_eq!(outcome.steps.len(), 4);
    assert_eq!(outcome.steps[2].verdict, TensorVerdict::Fault(TensorReason::ExecBounds));
    assert_eq!(outcome.state.registers[0], 11);
    assert_eq!(outcome.state.generation, Generation::Cayman);
}

#[test]
fn a_write_outside_the_case_names_step_and_place() {
    let error = model().run(&tensor_case(&[[0, 1], [9, 0]])).unwrap_err();
    let place = OutsideCase { space: Space::Sbuf, partition: 1, offset: 2 };
    assert_eq!(error, ModelError::WriteOutsideCase { step: 1, place });
    assert_eq!(
        error.to_string(),
        "step 1: write outside the case's memory (sbuf partition 1 offset 0x2)"
    );
}

#[test]
fn a_vector_program_ends_with_an_illegal_or_faulting_bundle() {
    use Format::{F0, F1, F2, F3};
    for (formats, steps) in
        [(&[F0, F1, F0][..], 3), (&[F0, F2, F0], 2), (&[F3, F0, F0], 1), (&[], 0)]
    {
        let case = vector_case(formats, LatCrossbar::Seed);
        let Ok(Outcome::Vector(outcome)) = model().run(&case) else { panic!() };
        assert_eq!((outcome.steps.len(), outcome.state.ar[0]), (steps, steps as u32));
    }
}

#[test]
fn the_switch_chooses_the_table_of_the_schedule() {
    for (switch, table) in
        [(LatCrossbar::Seed, LatTable::Lat1), (LatCrossbar::Formal, LatTable::Lat1Formal)]
    {
        let case = vector_case(&[Format::F0], switch);
        let Ok(Outcome::Vector(outcome)) = model().run(&case) else { panic!() };
        let schedule = outcome.schedule.unwrap();
        assert_eq!((schedule.table, schedule.cycles), (table, 1));
    }
}

#[test]
fn a_reused_outcome_holds_nothing_of_the_case_before() {
    let cases = [
        tensor_case(&[[0, 5], [1, 0]]),
        tensor_case(&[]),
        vector_case(&[Format::F0, Format::F1], LatCrossbar::Formal),
        vector_case(&[], LatCrossbar::Seed),
    ];
    let mut reused = Outcome::Tensor(Box::default());
    let mut model = model();
    for (before, after) in cases.iter().flat_map(|a| cases.iter().map(move |b| (a, b))) {
        model.run_into(before, &mut reused).unwrap();
        model.run_into(after, &mut reused).unwrap();
        assert_eq!(model.run(after).as_ref(), Ok(&reused));
    }
    assert_eq!(model.name(), "fake");
}
