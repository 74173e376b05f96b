//! Shared by the tensor tests: records built field by field, states with one region, and a reader of
//! golden cases. Nothing here computes what an instruction does.
#![allow(dead_code, reason = "every test binary uses another part of this module")]

use candidate::simd::Simd;
use candidate::tensor::CandidateTensor;
use contract::isa::{AluOp, ClauseId, Dtype, Generation, Subdim};
use contract::model::TensorModel;
use contract::outcome::{TensorReason, TensorStep, TensorVerdict};
use contract::profile::Profile;
use contract::state::{OutsideCase, Region, Space, TensorState};
use serde_json::Value;

/// SBUF base of partition `k`.
pub fn sbuf(generation: Generation, k: u32) -> u32 {
    k * generation.geometry().sbuf_stride
}

/// PSUM base of partition `k`.
pub fn psum(generation: Generation, k: u32) -> u32 {
    generation.geometry().psum_base + k * generation.geometry().psum_stride
}

/// A pattern: address word, steps, counts.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub address: u32,
    pub steps: Vec<i16>,
    pub counts: Vec<u16>,
}

impl Pattern {
    /// A contiguous stretch.
    pub fn line(address: u32, count: u16) -> Self {
        Self { address, steps: vec![1], counts: vec![count] }
    }

    /// Steps and counts, innermost first; missing axes are step 1, count 1.
    pub fn new(address: u32, steps: &[i16], counts: &[u16]) -> Self {
        Self { address, steps: steps.to_vec(), counts: counts.to_vec() }
    }

    fn encode(&self, rank: usize, bytes: &mut [u8]) {
        bytes[..4].copy_from_slice(&self.address.to_le_bytes());
        for axis in 0..rank {
            let step = self.steps.get(axis).copied().unwrap_or(1);
            let count = self.counts.get(axis).copied().unwrap_or(1);
            let (at, count_at) = (4 + 2 * axis, 4 + 2 * rank + 2 * axis);
            bytes[at..at + 2].copy_from_slice(&step.to_le_bytes());
            bytes[count_at..count_at + 2].copy_from_slice(&count.to_le_bytes());
        }
    }

    /// Stream length.
    pub fn length(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).product()
    }

    /// Element offsets in stream order, in elements (spec 03 section 6, rule 1).
    pub fn offsets(&self) -> Vec<i64> {
        let mut list = vec![0];
        for (&step, &count) in self.steps.iter().zip(&self.counts) {
            list = (0..i64::from(count))
                .flat_map(|i| list.iter().map(move |&a: &i64| a + i * i64::from(step)))
                .collect::<Vec<_>>();
        }
        list
    }
}

/// Fields of an S3D3_TS record; `default` is baseline B-CR on a generation with 256 KiB stride.
#[derive(Debug, Clone)]
pub struct Cache {
    pub opcode: u8,
    pub accumulator_cmd: u8,
    pub source: Pattern,
    pub in_dtype: u8,
    pub out_dtype: u8,
    pub channels: u8,
    pub imm0_src: u8,
    pub op0: u8,
    pub op1: u8,
    pub reverse: u8,
    pub imm1_src: u8,
    pub imm0: u32,
    pub imm1: u32,
    pub destination: Pattern,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            opcode: 0x9A,
            accumulator_cmd: 3,
            source: Pattern::line(0, 16),
            in_dtype: Dtype::Fp32.wire(),
            out_dtype: Dtype::Fp32.wire(),
            channels: 128,
            imm0_src: 0,
            op0: AluOp::Mult.wire(),
            op1: AluOp::Add.wire(),
            reverse: 0,
            imm1_src: 0,
            imm0: 2.0f32.to_bits(),
            imm1: 0,
            destination: Pattern::line(0x1000, 16),
        }
    }
}

impl Cache {
    /// The 64 bytes.
    pub fn encode(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[0] = self.opcode;
        bytes[1] = 16;
        bytes[12] = self.accumulator_cmd;
        self.source.encode(3, &mut bytes[16..32]);
        bytes[32..40].copy_from_slice(&[
            self.in_dtype,
            self.out_dtype,
            self.channels,
            self.imm0_src,
            self.op0,
            self.op1,
            self.reverse,
            self.imm1_src,
        ]);
        bytes[40..44].copy_from_slice(&self.imm0.to_le_bytes());
        bytes[44..48].copy_from_slice(&self.imm1.to_le_bytes());
        self.destination.encode(3, &mut bytes[48..64]);
        bytes
    }
}

/// Fields of an S4D4_TR record; `default` is baseline B-TC.
#[derive(Debug, Clone)]
pub struct Cumulative {
    pub opcode: u8,
    pub source: Pattern,
    pub in_dtype: u8,
    pub out_dtype: u8,
    pub channels: u8,
    pub op: u8,
    pub op_dim: u8,
    pub destination: Pattern,
}

impl Default for Cumulative {
    fn default() -> Self {
        Self {
            opcode: 0x4E,
            source: Pattern::line(0, 16),
            in_dtype: Dtype::Fp32.wire(),
            out_dtype: Dtype::Fp32.wire(),
            channels: 128,
            op: AluOp::Add.wire(),
            op_dim: Subdim::X.wire(),
            destination: Pattern::line(0x1000, 16),
        }
    }
}

impl Cumulative {
    /// Baseline B-TCB.
    pub fn bitvec() -> Self {
        Self {
            opcode: 0x5E,
            op: AluOp::BitwiseXor.wire(),
            in_dtype: Dtype::Uint32.wire(),
            out_dtype: Dtype::Uint32.wire(),
            ..Self::default()
        }
    }

    /// The 64 bytes.
    pub fn encode(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[0] = self.opcode;
        bytes[1] = 16;
        self.source.encode(4, &mut bytes[12..32]);
        bytes[32] = self.in_dtype;
        bytes[33] = self.out_dtype;
        bytes[34] = self.channels;
        bytes[36] = self.op;
        bytes[37] = self.op_dim;
        self.destination.encode(4, &mut bytes[44..64]);
        bytes
    }
}

/// A region of one memory with its bytes.
pub fn region(space: Space, partition: u32, partitions: u32, offset: u32, data: Vec<u8>) -> Region {
    let stride = data.len() as u32 / partitions;
    Region { space, partition, partitions, offset, stride, data }
}

/// A state of SBUF regions.
pub fn state(generation: Generation, regions: Vec<Region>) -> TensorState {
    TensorState { generation, regions, ..TensorState::default() }
}

/// Little-endian bytes of FP32 bits or 32-bit integers.
pub fn bytes32(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The 32-bit values of bytes.
pub fn words32(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect()
}

/// Every code path of this machine.
pub fn models() -> Vec<CandidateTensor> {
    [Simd::Portable, Simd::Avx2, Simd::Avx512]
        .into_iter()
        .filter_map(CandidateTensor::with_path)
        .collect()
}

/// The verdict of a record. There is no memory at all: a record that gets as far as writing is
/// accepted.
pub fn verdict(generation: Generation, record: &[u8; 64]) -> TensorVerdict {
    let mut state = state(generation, Vec::new());
    step(&mut state, record).map_or(TensorVerdict::Accept, |step| step.verdict)
}

/// One step of the model on the default path.
pub fn step(state: &mut TensorState, record: &[u8; 64]) -> Result<TensorStep, OutsideCase> {
    CandidateTensor::default().step(state, record)
}

/// The failing clauses of a rejection, as the spec writes them; empty for any other verdict.
pub fn failing(verdict: &TensorVerdict) -> Vec<&'static str> {
    match verdict {
        TensorVerdict::Reject(set) => set.iter().map(ClauseId::id).collect(),
        _ => Vec::new(),
    }
}

/// Bytes of a hex text.
pub fn hex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hex digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

/// A number, or the text of one in hexadecimal.
pub fn number(value: &Value) -> u64 {
    match value {
        Value::String(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap(),
        other => other.as_u64().unwrap(),
    }
}

/// A golden file.
pub fn golden(name: &str) -> String {
    let path = format!("{}/../corpus/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The switches of a case: a preset, then single values.
pub fn profile(value: &Value) -> Profile {
    let object = value.as_object().expect("a profile object");
    let mut profile = Profile::preset(object.get("preset").map_or("seed", |p| p.as_str().unwrap()))
        .expect("a known preset");
    for (key, value) in object.iter().filter(|(key, _)| *key != "preset") {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        profile.set(key, &text).expect("a known switch");
    }
    profile
}

/// Regions of a case or an outcome.
pub fn regions(value: &Value) -> Vec<Region> {
    let list = value.as_array().expect("a list of regions").iter();
    list.map(|row| Region {
        space: Space::from_name(row["space"].as_str().unwrap()).unwrap(),
        partition: number(&row["partition"]) as u32,
        partitions: number(&row["partitions"]) as u32,
        offset: number(&row["offset"]) as u32,
        stride: number(&row["stride"]) as u32,
        data: hex(row["data"].as_str().unwrap()),
    })
    .collect()
}

/// A step of an expected outcome.
pub fn expected_step(value: &Value) -> TensorStep {
    let reason = || TensorReason::from_text(value["reason"].as_str().unwrap());
    let verdict = match value["verdict"].as_str().unwrap() {
        "accept" => TensorVerdict::Accept,
        "reject" => {
            let clauses = value["clauses"].as_array().unwrap().iter();
            let clause = |id: &Value| ClauseId::from_id(id.as_str().unwrap()).unwrap();
            TensorVerdict::Reject(clauses.map(clause).collect())
        }
        "unsupported" => TensorVerdict::Unsupported(reason()),
        "fault" => TensorVerdict::Fault(reason()),
        other => panic!("verdict {other}"),
    };
    let flags = value["flags"].as_array();
    let indeterminate_acc =
        flags.is_some_and(|flags| flags.iter().any(|flag| flag == "INDETERMINATE_ACC"));
    TensorStep { verdict, indeterminate_acc }
}
