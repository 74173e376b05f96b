//! Real divergences: the reference model against a copy of it that misreads one rule. What is left
//! has to be what a person would write to show the fault.

use crate::support::{
    Cache, Noise, big_tensor, big_vector, minimised, pattern, tensor_of, vector_of,
};
use contract::bundle::Bundle;
use contract::case::{Case, RegisterValue, TensorCase};
use contract::isa::{ClauseId, ClauseSet};
use contract::model::{Model, TensorModel, VectorModel};
use contract::outcome::{Outcome, TensorStep, TensorVerdict, VectorStep};
use contract::profile::Profile;
use contract::schedule::Schedule;
use contract::state::{OutsideCase, TensorState, VectorState};
use harness::minimise::{
    DEFAULT_BUDGET, Finding, Generalisation, Interest, generalise, minimise, silent,
};
use oracle::OracleModel;
use oracle::tensor::OracleTensor;

/// A misreading of the tensor side.
#[derive(Clone, Copy)]
enum TensorFault {
    /// The last partition of an odd number is not written.
    OddChannels,
    /// A clause is never checked.
    Unchecked(ClauseId),
    /// The steps run under other switches.
    Switched(fn(&mut Profile)),
}

struct FaultyTensor {
    reference: OracleTensor,
    fault: TensorFault,
}

impl TensorModel for FaultyTensor {
    fn step(
        &mut self,
        state: &mut TensorState,
        record: &[u8; 64],
    ) -> Result<TensorStep, OutsideCase> {
        match self.fault {
            TensorFault::OddChannels => {
                let before = state.regions.clone();
                let step = self.reference.step(state, record)?;
                let max = record[37] == 8;
                if step.verdict == TensorVerdict::Accept && max && record[34] % 2 == 1 {
                    let last = u32::from(record[34]) - 1;
                    for (region, before) in state.regions.iter_mut().zip(before) {
                        let row = last as usize * region.stride as usize;
                        if let Some(rest) = region.data.get_mut(row..) {
                            rest.copy_from_slice(&before.data[row..]);
                        }
                    }
                }
                Ok(step)
            }
            TensorFault::Unchecked(clause) => {
                let mut step = self.reference.step(state, record)?;
                if let TensorVerdict::Reject(clauses) = step.verdict {
                    let rest = clauses.difference(ClauseSet::of(clause));
                    step.verdict = match rest.is_empty() {
                        true => TensorVerdict::Accept,
                        false => TensorVerdict::Reject(rest),
                    };
                }
                Ok(step)
            }
            TensorFault::Switched(switch) => {
                let profile = state.profile;
                switch(&mut state.profile);
                let step = self.reference.step(state, record);
                state.profile = profile;
                step
            }
        }
    }
}

/// A misreading of the vector side.
#[derive(Clone, Copy)]
enum VectorFault {
    /// The steps run under other switches.
    Switched(fn(&mut Profile)),
    /// ADDNX16 saturates.
    SaturatingAdd,
    /// The interlock of SUBNX16 is one cycle short.
    ShortInterlock,
}

struct FaultyVector {
    reference: oracle::OracleVector,
    fault: VectorFault,
}

impl VectorModel for FaultyVector {
    fn begin(&mut self, state: &VectorState) {
        self.reference.begin(state);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        let profile = state.profile;
        let before = state.clone();
        if let VectorFault::Switched(switch) = self.fault {
            switch(&mut state.profile);
        }
        let step = self.reference.step(state, bundle, schedule);
        state.profile = profile;
        match self.fault {
            VectorFault::SaturatingAdd if step == VectorStep::Accept => {
                for op in bundle.ops.iter().filter(|op| op.op.text() == "ADDNX16") {
                    let index = |place: usize| match op.operands[place] {
                        contract::bundle::Operand::Reg(_, index) => index as usize,
                        _ => unreachable!("an accepted ADDNX16 has three registers"),
                    };
                    for lane in (0..64).step_by(2) {
                        let of = |register: usize| {
                            let bytes = &before.vec[register].0;
                            i16::from_le_bytes([bytes[lane], bytes[lane + 1]])
                        };
                        let sum = of(index(1)).saturating_add(of(index(2)));
                        state.vec[index(0)].0[lane..lane + 2].copy_from_slice(&sum.to_le_bytes());
                    }
                }
            }
            VectorFault::ShortInterlock if bundle.to_string().contains("SUBNX16") => {
                if let Some((_, stall)) =
                    schedule.bundles.last_mut().and_then(|last| last.issue.as_mut())
                {
                    *stall = stall.saturating_sub(1);
                }
            }
            _ => {}
        }
        step
    }
}

/// The reference against a misreading.
struct Differential {
    reference: OracleModel,
    candidate: Box<dyn Model>,
    judged: usize,
}

impl Differential {
    fn tensor(fault: TensorFault) -> Self {
        let faulty = FaultyTensor { reference: OracleTensor::default(), fault };
        let candidate =
            contract::model::StepModel::new("faulty", faulty, oracle::OracleVector::default());
        Self { reference: oracle::model(), candidate: Box::new(candidate), judged: 0 }
    }

    fn vector(fault: VectorFault) -> Self {
        let faulty = FaultyVector { reference: oracle::OracleVector::default(), fault };
        let candidate = contract::model::StepModel::new("faulty", OracleTensor::default(), faulty);
        Self { reference: oracle::model(), candidate: Box::new(candidate), judged: 0 }
    }

    fn difference(&mut self, case: &Case) -> Option<String> {
        let expected = self.reference.run(case).ok()?;
        let actual = self.candidate.run(case).ok()?;
        match (expected, actual) {
            (Outcome::Tensor(expected), Outcome::Tensor(actual)) => {
                let pairs = expected.steps.iter().zip(&actual.steps);
                if let Some((a, b)) = pairs.into_iter().find(|(a, b)| a != b) {
                    let clauses = |step: &TensorStep| match step.verdict {
                        TensorVerdict::Reject(clauses) => clauses,
                        _ => ClauseSet::EMPTY,
                    };
                    return Some(format!("verdict {:?}", clauses(a).difference(clauses(b))));
                }
                (expected.state.regions != actual.state.regions).then(|| "value memory".to_owned())
            }
            (Outcome::Vector(expected), Outcome::Vector(actual)) => {
                if expected.steps != actual.steps {
                    return Some("verdict".to_owned());
                }
                if expected.state != actual.state {
                    let same_memory = expected.state.memory == actual.state.memory;
                    return Some(format!(
                        "value {}",
                        if same_memory { "register" } else { "memory" }
                    ));
                }
                (expected.schedule != actual.schedule).then(|| "schedule".to_owned())
            }
            _ => None,
        }
    }
}

impl Interest for Differential {
    type Signature = String;

    fn signature(&mut self, case: &Case) -> Option<String> {
        self.judged += 1;
        self.difference(case)
    }
}

/// Runs of the table: what is left, and the line about it.
fn report(name: &str, case: Case, mut interest: Differential) -> (Case, Generalisation) {
    let result = minimised(&case, &mut interest);
    let line = generalise(&result.case, &result.signature, &mut interest, 5_000, &mut silent)
        .expect("it shows");
    println!("{name}: {result}\n  {line}\n  {}", contract::json::write_case(&result.case));
    assert!(result.evaluations <= DEFAULT_BUDGET);
    (result.case, line)
}

fn finding<'a>(line: &'a Generalisation, subject: &str) -> &'a Finding {
    match line.fact(subject) {
        Some(fact) => &fact.finding,
        None => panic!("nothing is said about {subject}: {line}"),
    }
}

#[test]
fn a_channel_left_out_shrinks_to_one_channel_and_one_element() {
    let mut case = big_tensor(11);
    case.program.truncate(1);
    let interest = Differential::tensor(TensorFault::OddChannels);
    let (small, line) = report("odd channels", Case::Tensor(case), interest);
    let small = tensor_of(&small);
    assert_eq!((small.program.len(), small.program[0][34]), (1, 1));
    assert_eq!(finding(&line, "channel count"), &Finding::Odd);
    assert_eq!(finding(&line, "generation"), &Finding::Any);
    assert_eq!(finding(&line, "op1"), &Finding::Only(vec!["Max".to_owned()]));
    assert!(line.to_string().contains("an odd channel count"), "{line}");
}

#[test]
fn a_clause_left_out_shrinks_to_a_record_without_memory() {
    let mut case = big_tensor(12);
    case.program[2][32] = 0x08;
    let fault = TensorFault::Unchecked(ClauseId::CrTypes);
    let (small, line) =
        report("CR-TYPES unchecked", Case::Tensor(case), Differential::tensor(fault));
    assert_eq!((tensor_of(&small).program.len(), tensor_of(&small).memory.len()), (1, 0));
    let refused = ["UINT64", "INT32", "UINT32", "FP32R", "INT64"].map(str::to_owned);
    assert_eq!(finding(&line, "in_dtype"), &Finding::Only(refused.to_vec()));
    assert_eq!(finding(&line, "op0"), &Finding::Any);
}

#[test]
fn a_combine_on_the_wrong_side_needs_two_elements() {
    let mut case = big_tensor(13);
    case.profile = Profile::default();
    case.program.iter_mut().for_each(|record| record[37] = 0x05);
    let fault = TensorFault::Switched(|profile| {
        profile.op1_order = contract::profile::Op1Order::AccRight;
    });
    let (small, line) = report("op1_order", Case::Tensor(case), Differential::tensor(fault));
    let small = tensor_of(&small);
    assert_eq!((small.program.len(), small.program[0][34]), (1, 1));
    let count = u16::from_le_bytes([small.program[0][26], small.program[0][27]]);
    assert_eq!(count, 1);
    let Finding::AllBut(values) = finding(&line, "element 0") else { panic!("{line}") };
    assert!(values.contains(&"0".to_owned()));
}

#[test]
fn a_wrong_rounding_needs_one_fraction() {
    let mut noise = Noise(5);
    let data: Vec<u8> = (0..8 * 24)
        .flat_map(|_| (1.0f32 + (noise.next() % 4096) as f32 / 7.0).to_le_bytes())
        .collect();
    let cast = |noise: u8| Cache {
        opcode: 0xe6,
        accumulator: 3,
        source: pattern(0x40, [1, 4, 1], [4, 6, 1]),
        in_dtype: 0x0a,
        out_dtype: 0x08,
        channels: 8,
        op0: 0x06,
        op1: 0x08,
        imm0: (0, 0x3fa0_0000 + u32::from(noise)),
        imm1: 0,
        destination: pattern(0x1000, [1, 1, 1], [24, 1, 1]),
    };
    let region = |offset: u32, data: &[u8]| contract::state::Region {
        space: contract::state::Space::Sbuf,
        partition: 0,
        partitions: 8,
        offset,
        stride: 96,
        data: data.to_vec(),
    };
    let case = TensorCase {
        id: "rounding".to_owned(),
        generation: contract::isa::Generation::MarianaPlus,
        profile: Profile::default(),
        memory: vec![region(0x40, &data), region(0x1000, &[0xa5; 8 * 96])],
        registers: Default::default(),
        program: vec![cast(0).record(), cast(3).record()],
    };
    let fault = TensorFault::Switched(|profile| {
        profile.f2i_round = contract::profile::F2iRound::NearestEven;
    });
    let (small, line) = report("f2i_round", Case::Tensor(case), Differential::tensor(fault));
    let small = tensor_of(&small);
    assert_eq!((small.program.len(), small.program[0][34], small.program[0][26]), (1, 1, 1));
    assert!(small.memory.len() <= 2);
    let integers = ["INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32"].map(str::to_owned);
    assert_eq!(finding(&line, "out_dtype"), &Finding::Only(integers.to_vec()));
    assert_eq!(finding(&line, "element 0"), &Finding::Only(vec!["1.5".to_owned()]));
}

const REDUCTIONS: &[&str] = &[
    "N2 { S1 LALIGN_I u0, a3, 0 }",
    "F0 { S1 LA2NX8_IP v20, u0, a3 ; S3 ADDNX16 v9, v8, v7 }",
    "F0 { S3 SUBNX16 v10, v9, v11 }",
    "F0 { S3 RADDNX16 v12, v10 }",
    "F0 { S3 SUBNX16 v14, v10, v10 }",
    "F0 { S3 RBMAXNX16 v13, vb1, v14 }",
    "F0 { S3 ADDNX16 v13, v12, v9 }",
];

#[test]
fn a_tie_shrinks_to_one_op() {
    let fault = VectorFault::Switched(|profile| profile.rb_tie = contract::profile::RbTie::Union);
    let mut case = big_vector(REDUCTIONS, 14);
    case.profile = Profile::default();
    let (small, line) = report("rb_tie", Case::Vector(case), Differential::vector(fault));
    let small = vector_of(&small);
    assert_eq!(small.program.len(), 1);
    assert_eq!(small.program[0].to_string(), "F0 { S3 RBMAXNX16 v0, vb0, v1 }");
    assert!(small.state.is_empty(), "all lanes are zero, and tie");
    assert_eq!(finding(&line, "rb_tie"), &Finding::Only(vec!["lowest".to_owned()]));
}

#[test]
fn a_saturating_add_needs_one_lane_of_two_registers() {
    let case = Case::Vector(big_vector(REDUCTIONS, 15));
    let interest = Differential::vector(VectorFault::SaturatingAdd);
    let (small, line) = report("saturating add", case, interest);
    let small = vector_of(&small);
    assert_eq!(small.program.len(), 1);
    assert!(small.program[0].to_string().starts_with("F0 { S3 ADDNX16 v0"));
    let lanes = small.state.iter().map(|value| match value {
        RegisterValue::Vec(_, line) => line.0.chunks(2).filter(|lane| *lane != [0, 0]).count(),
        _ => panic!("only vectors matter"),
    });
    assert!(lanes.sum::<usize>() <= 2);
    assert_eq!(finding(&line, "v2 lane 0"), &Finding::Negative);
    assert_eq!(finding(&line, "other lanes of v1"), &Finding::Any);
}

#[test]
fn a_short_interlock_keeps_its_producer() {
    let case = Case::Vector(big_vector(REDUCTIONS, 16));
    let interest = Differential::vector(VectorFault::ShortInterlock);
    let (small, line) = report("short interlock", case, interest);
    let small = vector_of(&small);
    assert_eq!(small.program.len(), 2);
    assert!(small.state.is_empty());
    let distance = finding(&line, "distance of bundle 1 from bundle 0");
    assert_eq!(distance, &Finding::Only(vec!["1".to_owned()]));
}

#[test]
fn what_agrees_is_not_minimised() {
    let mut interest = Differential::vector(VectorFault::SaturatingAdd);
    let case = Case::Vector(big_vector(&["F0 { }"], 17));
    let error = minimise(&case, &mut interest, 100, &mut silent).expect_err("both agree");
    assert_eq!(error, harness::minimise::MinimiseError::NoDivergence);
    assert_eq!(interest.judged, 1);
}
