//! The 64-byte records, field by field (spec 01 section 5). Decoding never fails: enum bytes stay
//! raw, because the clauses judge them. A struct is decoded once per step.

use crate::tensor::pattern::Pattern;
use contract::case::RECORD;
use contract::isa::layout::{header, s3d3_ts, s4d4_tr};

/// The little-endian word at a byte offset.
pub fn word_at(record: &[u8; RECORD], offset: usize) -> u32 {
    u32::from_le_bytes([record[offset], record[offset + 1], record[offset + 2], record[offset + 3]])
}

/// S3D3_TS: the TensorScalar family.
#[derive(Debug, Clone)]
pub struct S3d3Ts {
    /// Byte 0.
    pub opcode: u8,
    /// ACCUM_CMD.
    pub accumulator_cmd: u8,
    /// Reserved bytes.
    pub reserved0: [u8; 3],
    /// Source pattern.
    pub source: Pattern,
    /// DTYPE of the source.
    pub in_dtype: u8,
    /// DTYPE of the destination.
    pub out_dtype: u8,
    /// Number of channels.
    pub num_active_channels: u8,
    /// IMM_SRC of `imm0`.
    pub imm0_src: u8,
    /// ALU_OP of the per-element fold.
    pub op0: u8,
    /// ALU_OP of the second operator.
    pub op1: u8,
    /// TENS_SCALAR_REV_OPS.
    pub reverse_operands: u8,
    /// IMM_SRC of `imm1`.
    pub imm1_src: u8,
    /// First immediate slot.
    pub imm0: u32,
    /// Second immediate slot.
    pub imm1: u32,
    /// Destination pattern.
    pub destination: Pattern,
}

impl S3d3Ts {
    /// Reads every field.
    pub fn decode(record: &[u8; RECORD]) -> Self {
        use s3d3_ts::*;
        Self {
            opcode: record[header::OPCODE],
            accumulator_cmd: record[ACCUMULATOR_CMD],
            reserved0: std::array::from_fn(|i| record[RESERVED0 + i]),
            source: Pattern::decode::<3>(&record[SRC_MEM_PATTERN..]),
            in_dtype: record[IN_DTYPE],
            out_dtype: record[OUT_DTYPE],
            num_active_channels: record[NUM_ACTIVE_CHANNELS],
            imm0_src: record[IMM0_SRC],
            op0: record[OP0],
            op1: record[OP1],
            reverse_operands: record[REVERSE_OPERANDS],
            imm1_src: record[IMM1_SRC],
            imm0: word_at(record, IMM0),
            imm1: word_at(record, IMM1),
            destination: Pattern::decode::<3>(&record[DST_MEM_PATTERN..]),
        }
    }
}

/// S4D4_TR: the TensorReduce, TensorCumulative and movement family.
#[derive(Debug, Clone)]
pub struct S4d4Tr {
    /// Byte 0.
    pub opcode: u8,
    /// Source pattern.
    pub source: Pattern,
    /// DTYPE of the source.
    pub in_dtype: u8,
    /// DTYPE of the destination.
    pub out_dtype: u8,
    /// Number of channels.
    pub num_active_channels: u8,
    /// Negation of the result.
    pub negated: u8,
    /// ALU_OP of the combine.
    pub op: u8,
    /// TENSOR_SUBDIM: the axes of one run.
    pub op_dim: u8,
    /// Mask flag.
    pub mask_enable: u8,
    /// Reserved bytes.
    pub reserved1: [u8; 5],
    /// Destination pattern.
    pub destination: Pattern,
}

impl S4d4Tr {
    /// Reads every field.
    pub fn decode(record: &[u8; RECORD]) -> Self {
        use s4d4_tr::*;
        Self {
            opcode: record[header::OPCODE],
            source: Pattern::decode::<4>(&record[SRC_MEM_PATTERN..]),
            in_dtype: record[IN_DTYPE],
            out_dtype: record[OUT_DTYPE],
            num_active_channels: record[NUM_ACTIVE_CHANNELS],
            negated: record[NEGATED],
            op: record[OP],
            op_dim: record[OP_DIM],
            mask_enable: record[MASK_ENABLE],
            reserved1: std::array::from_fn(|i| record[RESERVED1 + i]),
            destination: Pattern::decode::<4>(&record[DST_MEM_PATTERN..]),
        }
    }
}
