//! Speed of the tensor side: whole campaigns in cases per second, both models on 128 channels of 4,096
//! elements, and both validators on records that are rejected or faulted.
//!
//! `cargo bench -p harness`; throughput is printed in elements per second.

mod support;

use contract::case::{Case, TensorCase};
use contract::isa::{AluOp, Dtype, Generation, opcode};
use contract::model::Model;
use contract::outcome::Outcome;
use contract::profile::Profile;
use contract::state::{Region, Space};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_main};
use harness::generate::{CaseSeed, Family, Generated, Generator, Options};
use harness::models::{self, SharedFactory};
use std::collections::BTreeMap;
use std::time::Duration;

const CHANNELS: u8 = 128;
const ELEMENTS: u16 = 4096;

const OPCODES: [u8; 4] = [
    opcode::TENSOR_SCALAR_CACHE_REDUCE,
    opcode::TENSOR_SCALAR_CACHE_CUMULATIVE,
    opcode::TENSOR_CUMULATIVE_ARITH,
    opcode::TENSOR_CUMULATIVE_BITVEC,
];

const DTYPES: [Dtype; 4] = [Dtype::Int16, Dtype::Bfloat16, Dtype::Fp8Exp4, Dtype::Fp32];

/// A case of one instruction on 128 channels of 4,096 elements. The bitvec scan takes the unsigned
/// dtype of the same width.
fn large_case(opcode: u8, dtype: Dtype) -> Case {
    let cache = opcode >= opcode::TENSOR_SCALAR_CACHE_REDUCE;
    let dtype = match (opcode, dtype.storage_bytes()) {
        (opcode::TENSOR_CUMULATIVE_BITVEC, 1) => Dtype::Uint8,
        (opcode::TENSOR_CUMULATIVE_BITVEC, 2) => Dtype::Uint16,
        (opcode::TENSOR_CUMULATIVE_BITVEC, _) => Dtype::Uint32,
        _ => dtype,
    };
    let bytes = u32::from(dtype.storage_bytes()) * u32::from(ELEMENTS);
    let mut record = [0; 64];
    record[0] = opcode;
    record[1] = 16;
    record[32] = dtype.wire();
    record[33] = dtype.wire();
    record[34] = CHANNELS;
    let (source, target, rank) = if cache { (16, 48, 3) } else { (12, 44, 4) };
    for (at, address) in [(source, 0), (target, bytes)] {
        record[at..at + 4].copy_from_slice(&address.to_le_bytes());
        for axis in 0..rank {
            record[at + 4 + 2 * axis] = 1;
            record[at + 4 + 2 * rank + 2 * axis] = 1;
        }
        record[at + 4 + 2 * rank..][..2].copy_from_slice(&ELEMENTS.to_le_bytes());
    }
    if cache {
        record[12] = 3;
        record[36] = AluOp::Mult.wire();
        record[37] = AluOp::Add.wire();
        record[40..44].copy_from_slice(&1.5f32.to_le_bytes());
    } else {
        let bitvec = opcode == opcode::TENSOR_CUMULATIVE_BITVEC;
        record[36] = if bitvec { AluOp::BitwiseXor } else { AluOp::Add }.wire();
        record[37] = 2;
    }
    // Small odd numbers in every dtype: no NaN, no early saturation.
    let data = (0..bytes * u32::from(CHANNELS)).map(|index| (index * 37 % 0x3B) as u8).collect();
    let region = |offset, data| Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: u32::from(CHANNELS),
        offset,
        stride: bytes,
        data,
    };
    let target = vec![0; bytes as usize * usize::from(CHANNELS)];
    Case::Tensor(TensorCase {
        id: "bench".to_owned(),
        generation: Generation::Mariana,
        profile: Profile::default(),
        memory: vec![region(0, data), region(bytes, target)],
        registers: BTreeMap::new(),
        program: vec![record],
    })
}

fn both() -> [SharedFactory; 2] {
    [models::oracle(), models::candidate()]
}

fn run(model: &mut dyn Model, case: &Case, outcome: &mut Outcome) {
    model.run_into(case, outcome).expect("a generated case has memory for its writes");
}

fn large(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("128x4096");
    group.throughput(Throughput::Elements(u64::from(CHANNELS) * u64::from(ELEMENTS)));
    group.sample_size(10).warm_up_time(Duration::from_millis(300));
    for opcode in OPCODES {
        for dtype in DTYPES {
            let case = large_case(opcode, dtype);
            for factory in both() {
                let mut model = factory.make();
                let mut outcome = Outcome::Tensor(Box::default());
                let name = format!("{opcode:#04x} {}", dtype.name());
                group.bench_function(BenchmarkId::new(factory.name(), name), |bencher| {
                    bencher.iter(|| run(&mut *model, &case, &mut outcome));
                });
            }
        }
    }
    group.finish();
}

/// Records that never execute, so that the verdict is all there is to do.
fn validators(criterion: &mut Criterion) {
    let options = Options { near_valid: 1.0, ..Options::default() };
    let mut generator = Generator::new(options);
    let mut oracle = models::oracle().make();
    let mut cases = Vec::new();
    for index in 0.. {
        let Generated { case, .. } = generator.case(Family::Tensor, CaseSeed::of(1, index));
        let Case::Tensor(mut case) = case else { continue };
        case.memory.clear();
        case.registers.clear();
        let outcome = oracle.run(&Case::Tensor(case.clone()));
        let Ok(Outcome::Tensor(outcome)) = outcome else { continue };
        let rejected = |step: &contract::outcome::TensorStep| {
            matches!(step.verdict, contract::outcome::TensorVerdict::Reject(_))
        };
        let steps = outcome.steps.iter();
        case.program = case
            .program
            .iter()
            .zip(steps)
            .filter(|(_, step)| rejected(step))
            .map(|(record, _)| *record)
            .collect();
        if !case.program.is_empty() {
            cases.push(Case::Tensor(case));
        }
        if cases.len() == 1_000 {
            break;
        }
    }
    let mut group = criterion.benchmark_group("validators");
    group.throughput(Throughput::Elements(cases.len() as u64));
    group.sample_size(20);
    for factory in both() {
        let mut model = factory.make();
        let mut outcome = Outcome::Tensor(Box::default());
        group.bench_function(factory.name(), |bencher| {
            bencher.iter(|| cases.iter().for_each(|case| run(&mut *model, case, &mut outcome)));
        });
    }
    group.finish();
}

fn campaigns(criterion: &mut Criterion) {
    support::campaign(criterion, Family::Tensor);
}

/// The function that criterion's macro writes has no documentation, so it stays private.
mod group {
    use super::{campaigns, large, validators};

    criterion::criterion_group!(benches, campaigns, large, validators);
}
use group::benches;

criterion_main!(benches);
