//! Records, memories and golden files for the tests.

use contract::case::RECORD;
use contract::isa::{ClauseId, ClauseSet, Generation};
use contract::model::TensorModel;
use contract::outcome::TensorStep;
use contract::state::{OutsideCase, Region, Space, TensorState};
use oracle::tensor::OracleTensor;
use std::path::PathBuf;

/// A record under construction; later edits win.
#[derive(Clone, Copy)]
pub struct Record(pub [u8; RECORD]);

/// Byte offsets of the fields that the tests change.
pub mod at {
    pub use contract::isa::layout::events::*;
    pub use contract::isa::layout::header::*;
    pub use contract::isa::layout::{s3d3_ts as ts, s4d4_tr as tr};
}

impl Record {
    pub fn byte(mut self, offset: usize, value: u8) -> Self {
        self.0[offset] = value;
        self
    }

    pub fn half(mut self, offset: usize, value: u16) -> Self {
        self.0[offset..offset + 2].copy_from_slice(&value.to_le_bytes());
        self
    }

    pub fn word(mut self, offset: usize, value: u32) -> Self {
        self.0[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        self
    }

    /// A pattern of any rank: start word, steps, counts.
    pub fn pattern<const RANK: usize>(
        self,
        offset: usize,
        start: u32,
        steps: [i16; RANK],
        counts: [u16; RANK],
    ) -> Self {
        let mut record = self.word(offset, start);
        for axis in 0..RANK {
            record = record
                .half(offset + 4 + 2 * axis, steps[axis] as u16)
                .half(offset + 4 + 2 * RANK + 2 * axis, counts[axis]);
        }
        record
    }
}

/// `P(k)`.
pub fn p(generation: Generation, partition: u32) -> u32 {
    partition * generation.geometry().sbuf_stride
}

/// `U(k)`.
pub fn u(partition: u32) -> u32 {
    0x0200_0000 + partition * 0x8000
}

/// B-CR with this opcode.
pub fn b_cr(opcode: u8) -> Record {
    Record([0; RECORD])
        .byte(at::OPCODE, opcode)
        .byte(at::INST_WORD_LEN, 16)
        .byte(at::ts::ACCUMULATOR_CMD, 3)
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [1, 1, 1], [16, 1, 1])
        .byte(at::ts::IN_DTYPE, 0x0A)
        .byte(at::ts::OUT_DTYPE, 0x0A)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 128)
        .byte(at::ts::OP0, 0x06)
        .byte(at::ts::OP1, 0x04)
        .word(at::ts::IMM0, 2.0_f32.to_bits())
        .pattern(at::ts::DST_MEM_PATTERN, 0x1000, [1, 1, 1], [16, 1, 1])
}

/// B-TC.
pub fn b_tc() -> Record {
    Record([0; RECORD])
        .byte(at::OPCODE, 0x4E)
        .byte(at::INST_WORD_LEN, 16)
        .pattern(at::tr::SRC_MEM_PATTERN, 0, [1, 1, 1, 1], [16, 1, 1, 1])
        .byte(at::tr::IN_DTYPE, 0x0A)
        .byte(at::tr::OUT_DTYPE, 0x0A)
        .byte(at::tr::NUM_ACTIVE_CHANNELS, 128)
        .byte(at::tr::OP, 0x04)
        .byte(at::tr::OP_DIM, 2)
        .pattern(at::tr::DST_MEM_PATTERN, 0x1000, [1, 1, 1, 1], [16, 1, 1, 1])
}

/// B-TCB.
pub fn b_tcb() -> Record {
    b_tc()
        .byte(at::OPCODE, 0x5E)
        .byte(at::tr::OP, 0x0C)
        .byte(at::tr::IN_DTYPE, 0x09)
        .byte(at::tr::OUT_DTYPE, 0x09)
}

/// A state with one SBUF region.
pub fn sbuf(generation: Generation, partitions: u32, offset: u32, data: Vec<u8>) -> TensorState {
    let stride = data.len() as u32 / partitions;
    let region = Region { space: Space::Sbuf, partition: 0, partitions, offset, stride, data };
    TensorState { generation, regions: vec![region], ..TensorState::default() }
}

/// A zeroed state that holds both patterns of every baseline.
pub fn roomy(generation: Generation) -> TensorState {
    sbuf(generation, 128, 0, vec![0; 128 * 0x1040])
}

/// One step of a fresh model.
pub fn step(state: &mut TensorState, record: Record) -> Result<TensorStep, OutsideCase> {
    OracleTensor::default().step(state, &record.0)
}

/// The bytes of FP32 values.
pub fn fp32_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_bits().to_le_bytes()).collect()
}

/// The 32-bit words of bytes.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// A clause set from ids.
pub fn set(ids: &[&str]) -> ClauseSet {
    ids.iter().map(|id| ClauseId::from_id(id).unwrap_or_else(|| panic!("no clause {id}"))).collect()
}

/// A golden file as JSON text.
pub fn golden(name: &str) -> String {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "corpus", "golden", name].iter().collect();
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A number written `0x…`.
pub fn hex(text: &str) -> u64 {
    let digits = text.strip_prefix("0x").unwrap_or_else(|| panic!("{text} is not hexadecimal"));
    u64::from_str_radix(digits, 16).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A small deterministic generator (xorshift), for tests that want many patterns and no shrinking.
pub struct Bits(pub u64);

impl Bits {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// An FP32 pattern: half of them special or close to special.
    pub fn fp32(&mut self) -> u32 {
        const SPECIAL: &[u32] = &[
            0,
            0x8000_0000,
            0x3F80_0000,
            0xBF80_0000,
            1,
            0x8000_0001,
            0x007F_FFFF,
            0x0080_0000,
            0x7F7F_FFFF,
            0xFF7F_FFFF,
            0x7F80_0000,
            0xFF80_0000,
            0x7FC0_0000,
            0xFFC0_0001,
            0x7F80_0001,
            0xFFA0_0000,
            0x4B80_0000,
            0x4B80_0001,
            0x3300_0000,
            0xC348_0000,
        ];
        let bits = self.next();
        match bits % 4 {
            0 => SPECIAL[(bits >> 8) as usize % SPECIAL.len()],
            // Small magnitudes with few bits, so that sums tie and cancel.
            1 => ((bits >> 8) as i8 as f32 * 0.25).to_bits(),
            _ => (bits >> 16) as u32,
        }
    }
}
