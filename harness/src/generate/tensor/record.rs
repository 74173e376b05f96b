//! A record under construction: every field of the two layouts in scope by name, so that a draw or a
//! probe sets fields and never bytes. [`Draft::encode`] writes the 64 bytes; [`operands`] reads back
//! where the patterns of finished bytes point.

use super::geometry::Walk;
use crate::generate::values::formats::size_of;
use contract::case::RECORD;
use contract::isa::layout::{events, header, s3d3_ts, s4d4_tr};
use contract::isa::opcode;

/// The record layouts that the generator writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// S3D3_TS: three-dimensional patterns, two immediates.
    S3d3Ts,
    /// S4D4_TR: four-dimensional patterns, an operator and an axis.
    S4d4Tr,
}

impl Layout {
    /// The layout of an opcode, if the generator writes it.
    pub const fn of(opcode: u8) -> Option<Self> {
        match opcode {
            opcode::TENSOR_SCALAR_CACHE_REDUCE | opcode::TENSOR_SCALAR_CACHE_CUMULATIVE => {
                Some(Self::S3d3Ts)
            }
            opcode::TENSOR_CUMULATIVE_ARITH | opcode::TENSOR_CUMULATIVE_BITVEC => {
                Some(Self::S4d4Tr)
            }
            _ => None,
        }
    }

    /// Dimensions of the patterns.
    pub const fn rank(self) -> usize {
        match self {
            Self::S3d3Ts => 3,
            Self::S4d4Tr => 4,
        }
    }

    /// Number of reserved bytes.
    pub const fn reserved(self) -> usize {
        match self {
            Self::S3d3Ts => 3,
            Self::S4d4Tr => 5,
        }
    }
}

/// A record under construction. Fields that the layout lacks are not written.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Layout that [`encode`](Self::encode) writes, whatever the opcode says.
    pub layout: Layout,
    /// HEADER `opcode`.
    pub opcode: u8,
    /// HEADER `inst_word_len`.
    pub length: u8,
    /// HEADER `debug_cmd` and `debug_hint`.
    pub debug: [u8; 2],
    /// EVENTS, 8 bytes.
    pub events: [u8; 8],
    /// Source pattern.
    pub src: Walk,
    /// Destination pattern.
    pub dst: Walk,
    /// `in_dtype`.
    pub in_dtype: u8,
    /// `out_dtype`.
    pub out_dtype: u8,
    /// `num_active_channels`.
    pub channels: u8,
    /// Reserved bytes; S3D3_TS has the first three.
    pub reserved: [u8; 5],
    /// `op0` of S3D3_TS, `op` of S4D4_TR.
    pub op0: u8,
    /// S3D3_TS `accumulator_cmd`.
    pub command: u8,
    /// S3D3_TS `op1`.
    pub op1: u8,
    /// S3D3_TS `reverse_operands`.
    pub reverse: u8,
    /// S3D3_TS `imm0_src`.
    pub imm0_src: u8,
    /// S3D3_TS `imm1_src`.
    pub imm1_src: u8,
    /// S3D3_TS `imm0`.
    pub imm0: u32,
    /// S3D3_TS `imm1`.
    pub imm1: u32,
    /// S4D4_TR `negated`.
    pub negated: u8,
    /// S4D4_TR `op_dim`.
    pub op_dim: u8,
    /// S4D4_TR `mask_enable`.
    pub mask: u8,
}

impl Draft {
    /// A draft with header and nothing else.
    pub fn new(layout: Layout, opcode: u8) -> Self {
        Self {
            layout,
            opcode,
            length: 16,
            debug: [0; 2],
            events: [0; 8],
            src: Walk::default(),
            dst: Walk::default(),
            in_dtype: 0,
            out_dtype: 0,
            channels: 0,
            reserved: [0; 5],
            op0: 0,
            command: 0,
            op1: 0,
            reverse: 0,
            imm0_src: 0,
            imm1_src: 0,
            imm0: 0,
            imm1: 0,
            negated: 0,
            op_dim: 0,
            mask: 0,
        }
    }

    /// The 64 bytes.
    pub fn encode(&self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[header::OPCODE] = self.opcode;
        bytes[header::INST_WORD_LEN] = self.length;
        bytes[header::DEBUG_CMD] = self.debug[0];
        bytes[header::DEBUG_HINT] = self.debug[1];
        bytes[events::WAIT_MODE..events::WAIT_MODE + 8].copy_from_slice(&self.events);
        match self.layout {
            Layout::S3d3Ts => {
                bytes[s3d3_ts::ACCUMULATOR_CMD] = self.command;
                bytes[s3d3_ts::RESERVED0..][..3].copy_from_slice(&self.reserved[..3]);
                self.src.encode(3, &mut bytes[s3d3_ts::SRC_MEM_PATTERN..][..16]);
                bytes[s3d3_ts::IN_DTYPE] = self.in_dtype;
                bytes[s3d3_ts::OUT_DTYPE] = self.out_dtype;
                bytes[s3d3_ts::NUM_ACTIVE_CHANNELS] = self.channels;
                bytes[s3d3_ts::IMM0_SRC] = self.imm0_src;
                bytes[s3d3_ts::OP0] = self.op0;
                bytes[s3d3_ts::OP1] = self.op1;
                bytes[s3d3_ts::REVERSE_OPERANDS] = self.reverse;
                bytes[s3d3_ts::IMM1_SRC] = self.imm1_src;
                bytes[s3d3_ts::IMM0..][..4].copy_from_slice(&self.imm0.to_le_bytes());
                bytes[s3d3_ts::IMM1..][..4].copy_from_slice(&self.imm1.to_le_bytes());
                self.dst.encode(3, &mut bytes[s3d3_ts::DST_MEM_PATTERN..][..16]);
            }
            Layout::S4d4Tr => {
                self.src.encode(4, &mut bytes[s4d4_tr::SRC_MEM_PATTERN..][..20]);
                bytes[s4d4_tr::IN_DTYPE] = self.in_dtype;
                bytes[s4d4_tr::OUT_DTYPE] = self.out_dtype;
                bytes[s4d4_tr::NUM_ACTIVE_CHANNELS] = self.channels;
                bytes[s4d4_tr::NEGATED] = self.negated;
                bytes[s4d4_tr::OP] = self.op0;
                bytes[s4d4_tr::OP_DIM] = self.op_dim;
                bytes[s4d4_tr::MASK_ENABLE] = self.mask;
                bytes[s4d4_tr::RESERVED1..][..5].copy_from_slice(&self.reserved);
                self.dst.encode(4, &mut bytes[s4d4_tr::DST_MEM_PATTERN..][..20]);
            }
        }
        bytes
    }
}

/// Where the patterns and immediates of a record point.
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    /// Source pattern.
    pub src: Walk,
    /// Bytes of a source element, if its dtype has a size.
    pub src_size: Option<u32>,
    /// Destination pattern.
    pub dst: Walk,
    /// Bytes of a destination element, if its dtype has a size.
    pub dst_size: Option<u32>,
    /// Active channels.
    pub channels: u32,
    /// Source selector and word of `imm0` and `imm1`; selector 0 where the layout has none.
    pub immediates: [(u8, u32); 2],
}

/// The operands of a finished record, if the generator writes its layout.
pub fn operands(record: &[u8; RECORD]) -> Option<Operands> {
    let word = |at: usize| {
        u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
    };
    Some(match Layout::of(record[header::OPCODE])? {
        Layout::S3d3Ts => Operands {
            src: Walk::decode(3, &record[s3d3_ts::SRC_MEM_PATTERN..]),
            src_size: size_of(record[s3d3_ts::IN_DTYPE]),
            dst: Walk::decode(3, &record[s3d3_ts::DST_MEM_PATTERN..]),
            dst_size: size_of(record[s3d3_ts::OUT_DTYPE]),
            channels: record[s3d3_ts::NUM_ACTIVE_CHANNELS].into(),
            immediates: [
                (record[s3d3_ts::IMM0_SRC], word(s3d3_ts::IMM0)),
                (record[s3d3_ts::IMM1_SRC], word(s3d3_ts::IMM1)),
            ],
        },
        Layout::S4d4Tr => Operands {
            src: Walk::decode(4, &record[s4d4_tr::SRC_MEM_PATTERN..]),
            src_size: size_of(record[s4d4_tr::IN_DTYPE]),
            dst: Walk::decode(4, &record[s4d4_tr::DST_MEM_PATTERN..]),
            dst_size: size_of(record[s4d4_tr::OUT_DTYPE]),
            channels: record[s4d4_tr::NUM_ACTIVE_CHANNELS].into(),
            immediates: [(0, 0); 2],
        },
    })
}
