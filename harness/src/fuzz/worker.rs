//! Runs inputs of one process or thread: models, generators and buffers live as long as it does, so that
//! an input costs what its case costs.

use super::finding::{Finding, failure_report};
use super::input::{self, Decoder, Skip};
use super::{Target, text};
use crate::compare::Aspect;
use crate::differ::Differ;
use crate::generate::Generated;
use crate::models::{self, SharedFactory};
use crate::shrink::Models;
use contract::case::{Case, TensorCase};
use contract::isa::Generation;
use contract::state::TensorState;

/// What an input showed.
#[derive(Debug)]
pub enum Checked {
    /// Nothing: the models agree, or the text reads and prints as it should.
    Agrees,
    /// The target does not run it.
    Skipped(Skip),
    /// A finding.
    Found(Box<Finding>),
}

/// Runs inputs.
pub struct Worker {
    models: Models,
    /// Name of the planted fault, for reproductions.
    fault: Option<&'static str>,
    differ: Differ,
    decoder: Decoder,
    sample: Generated,
    verdicts: Verdicts,
    text: text::Buffers,
}

/// Both models' judgement of single records.
struct Verdicts {
    state: TensorState,
    oracle: oracle::tensor::OracleTensor,
    candidate: candidate::tensor::CandidateTensor,
}

impl Worker {
    /// A worker on the built-in models, the candidate with this fault in it.
    pub fn new(fault: Option<&'static crate::faults::Fault>) -> Self {
        let candidate: SharedFactory = match fault {
            Some(fault) => crate::faults::candidate_with(fault),
            None => models::candidate(),
        };
        let models =
            Models { comparator: Default::default(), reference: models::oracle(), candidate };
        Self {
            differ: models.differ(),
            models,
            fault: fault.map(|fault| fault.name),
            decoder: Decoder::default(),
            sample: Generated::default(),
            verdicts: Verdicts {
                state: TensorState::default(),
                oracle: Default::default(),
                candidate: Default::default(),
            },
            text: text::Buffers::default(),
        }
    }

    /// Runs one input.
    pub fn check(&mut self, target: Target, bytes: &[u8]) -> Checked {
        match target {
            Target::Empty => Checked::Agrees,
            Target::CaseJson => text::case_json(bytes, &mut self.text),
            Target::BundleText => text::bundle_text(bytes, &mut self.text),
            // The faults are wrappers of steps, so they need the whole case.
            Target::DescriptorVerdict if self.fault.is_none() => self.descriptor(bytes),
            _ => self.case(target, bytes),
        }
    }

    /// The models that inputs run on.
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// The case of an input.
    ///
    /// # Errors
    /// See [`Skip`].
    pub fn decode(&mut self, target: Target, bytes: &[u8]) -> Result<&Case, Skip> {
        self.decoder.decode(target, bytes, &mut self.sample)?;
        Ok(&self.sample.case)
    }

    fn case(&mut self, target: Target, bytes: &[u8]) -> Checked {
        if let Err(skip) = self.decoder.decode(target, bytes, &mut self.sample) {
            return Checked::Skipped(skip);
        }
        let case = &self.sample.case;
        let differs = match self.differ.run(case) {
            Ok(comparison) => concerns(target, |aspect| comparison.differs_in(aspect)),
            Err(failure) => {
                let report = failure_report(target, case, &failure, self.fault);
                return Checked::Found(Box::new(report));
            }
        };
        if !differs {
            return Checked::Agrees;
        }
        let finding = Finding::of_case(target, case, &self.differ, &self.models, self.fault);
        Checked::Found(Box::new(finding))
    }

    /// Both verdicts on a record, without executing it; the case is made only if they differ.
    fn descriptor(&mut self, bytes: &[u8]) -> Checked {
        let (generation, record) = input::descriptor(bytes);
        let Verdicts { state, oracle, candidate } = &mut self.verdicts;
        state.generation = generation;
        if oracle.verdict(state, &record) == candidate.verdict(state, &record) {
            return Checked::Agrees;
        }
        match self.case(Target::DescriptorVerdict, bytes) {
            // The step functions of the models agree about the case: the verdict functions alone differ.
            Checked::Agrees => Checked::Found(Box::new(self.split_verdict(generation, record))),
            checked => checked,
        }
    }

    fn split_verdict(&mut self, generation: Generation, record: [u8; 64]) -> Finding {
        let Verdicts { state, oracle, candidate } = &mut self.verdicts;
        state.generation = generation;
        let text = format!(
            "the verdict of a record differs from that of its step\noracle:    {:?}\ncandidate: {:?}\n",
            oracle.verdict(state, &record),
            candidate.verdict(state, &record)
        );
        let case: TensorCase = crate::generate::tensor::case_of_record(generation, &record);
        Finding { target: Target::DescriptorVerdict, case: Some(Case::Tensor(case)), text }
    }
}

/// Whether a difference in some aspect is a finding of the target.
pub(super) fn concerns(target: Target, differs: impl Fn(Aspect) -> bool) -> bool {
    match target {
        Target::ScheduleDiff => differs(Aspect::Schedule),
        _ => Aspect::ALL.into_iter().any(differs),
    }
}
