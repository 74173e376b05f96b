//! The traits that every party plugs into: two small step traits for models written in Rust, one
//! whole-case trait for everything that can run a case, and the adapter that makes the second out of
//! the first two. Planted faults wrap steps; external candidates implement whole cases.

use crate::bundle::Bundle;
use crate::case::{Case, RECORD, TensorCase, VectorCase};
use crate::outcome::{Outcome, TensorOutcome, TensorStep, VectorOutcome, VectorStep};
use crate::profile::LatCrossbar;
use crate::schedule::{LatTable, Schedule};
use crate::state::{OutsideCase, TensorState, VectorState};
use thiserror::Error;

/// A run that gave no outcome.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// A performed write outside every region: the case is bad input.
    #[error(
        "step {step}: write outside the case's memory ({space} partition {partition} offset {offset:#x})",
        space = .place.space.name(), partition = .place.partition, offset = .place.offset
    )]
    WriteOutsideCase {
        /// Step that wrote.
        step: usize,
        /// The byte.
        place: OutsideCase,
    },
    /// The model does not run cases of this kind.
    #[error("the model does not run {0} cases")]
    Kind(&'static str),
    /// The model itself failed: crash, time-out, protocol error.
    #[error("the model failed: {0}")]
    Failed(String),
}

/// Executes tensor instructions one at a time.
pub trait TensorModel {
    /// Judges and executes one record. A record that is not accepted leaves the state alone.
    ///
    /// # Errors
    /// [`OutsideCase`] if the step writes a byte that no region holds.
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; RECORD],
    ) -> Result<TensorStep, OutsideCase>;
}

/// Executes vector-unit bundles one at a time and schedules them.
pub trait VectorModel {
    /// Forgets the program before (its scoreboard). Called once per case, before the first bundle.
    fn begin(&mut self, state: &VectorState);

    /// Judges, schedules and executes one bundle, and appends its entry to the schedule (an illegal
    /// bundle's too). A bundle that is not accepted leaves the state alone. `schedule.cycles` is kept
    /// up to date.
    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep;
}

/// Runs whole cases.
pub trait Model {
    /// Name in reports.
    fn name(&self) -> &str;

    /// Runs a case into an outcome whose buffers are reused.
    ///
    /// # Errors
    /// See [`ModelError`]; the outcome is then meaningless.
    fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError>;

    /// Runs a case.
    ///
    /// # Errors
    /// See [`ModelError`].
    fn run(&mut self, case: &Case) -> Result<Outcome, ModelError> {
        let mut outcome = Outcome::Tensor(Box::default());
        self.run_into(case, &mut outcome)?;
        Ok(outcome)
    }
}

/// A whole-case model made of two step models.
#[derive(Debug, Clone, Default)]
pub struct StepModel<T, V> {
    name: &'static str,
    /// Tensor half.
    pub tensor: T,
    /// Vector half.
    pub vector: V,
}

impl<T, V> StepModel<T, V> {
    /// Joins two step models under a name.
    pub const fn new(name: &'static str, tensor: T, vector: V) -> Self {
        Self { name, tensor, vector }
    }
}

impl<T: TensorModel, V: VectorModel> StepModel<T, V> {
    /// Runs a tensor case into a reused outcome.
    ///
    /// # Errors
    /// [`ModelError::WriteOutsideCase`].
    pub fn run_tensor(
        &mut self,
        case: &TensorCase,
        outcome: &mut TensorOutcome,
    ) -> Result<(), ModelError> {
        outcome.steps.clear();
        outcome.state.load(case);
        for (step, record) in case.program.iter().enumerate() {
            let result = self
                .tensor
                .step(&mut outcome.state, record)
                .map_err(|place| ModelError::WriteOutsideCase { step, place })?;
            outcome.steps.push(result);
        }
        Ok(())
    }

    /// Runs a vector case into a reused outcome.
    pub fn run_vector(&mut self, case: &VectorCase, outcome: &mut VectorOutcome) {
        outcome.steps.clear();
        outcome.state.load(case);
        let schedule = outcome.schedule.get_or_insert_default();
        schedule.clear(match case.profile.lat_crossbar {
            LatCrossbar::Seed => LatTable::Lat1,
            LatCrossbar::Formal => LatTable::Lat1Formal,
        });
        self.vector.begin(&outcome.state);
        for bundle in &case.program {
            let step = self.vector.step(&mut outcome.state, bundle, schedule);
            let goes_on = step.goes_on();
            outcome.steps.push(step);
            if !goes_on {
                break;
            }
        }
    }
}

impl<T: TensorModel, V: VectorModel> Model for StepModel<T, V> {
    fn name(&self) -> &str {
        self.name
    }

    fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
        match case {
            Case::Tensor(case) => {
                if !matches!(outcome, Outcome::Tensor(_)) {
                    *outcome = Outcome::Tensor(Box::default());
                }
                let Outcome::Tensor(outcome) = outcome else { unreachable!("just set") };
                self.run_tensor(case, outcome)
            }
            Case::Vector(case) => {
                if !matches!(outcome, Outcome::Vector(_)) {
                    *outcome = Outcome::Vector(Box::default());
                }
                let Outcome::Vector(outcome) = outcome else { unreachable!("just set") };
                self.run_vector(case, outcome);
                Ok(())
            }
        }
    }
}
