//! Rows of TensorScalarCacheReduce and TensorScalarCacheCumulative (spec 02 section 4.1). One clause
//! list for both; CR-OPC holds by dispatch and CR-DST-IND is vacuous without indirect patterns.

use super::group::{
    ByteClause, Fields, Group, ImmediateField, PatternField, Reserved, byte, bytes_mask,
};
use super::place::{immediate_register_ok, pointer_ok};
use super::sets::Set;
use contract::isa::layout::s3d3_ts as ts;
use contract::isa::{AccumCmd, ClauseId, ClauseSet, opcode};

const BYTES: &[ByteClause] = &[
    byte(ClauseId::CrOp0Enum, ts::OP0, Set::AluOp),
    byte(ClauseId::CrOp1Enum, ts::OP1, Set::AluOp),
    byte(ClauseId::CrOp0Gen, ts::OP0, Set::GeneralArith),
    byte(ClauseId::CrOp1, ts::OP1, Set::CacheCombine),
    byte(ClauseId::CrTypes, ts::IN_DTYPE, Set::CacheInput),
    byte(ClauseId::CrRevEnum, ts::REVERSE_OPERANDS, Set::RevOps),
    byte(ClauseId::CrRev, ts::REVERSE_OPERANDS, Set::Zero),
    byte(ClauseId::CrAcc, ts::ACCUMULATOR_CMD, Set::CacheCommand),
    byte(ClauseId::CrInDt, ts::IN_DTYPE, Set::Dtype),
    byte(ClauseId::CrOutDt, ts::OUT_DTYPE, Set::DtypeFp32r),
    byte(ClauseId::CrChan, ts::NUM_ACTIVE_CHANNELS, Set::Channels),
];

const PATTERNS: &[PatternField] = &[
    PatternField {
        at: ts::SRC_MEM_PATTERN,
        rank: 3,
        dtype: ts::IN_DTYPE,
        written: false,
        memory: ClauseId::CrSrcMem,
        channels: ClauseId::CrSrcCh,
    },
    PatternField {
        at: ts::DST_MEM_PATTERN,
        rank: 3,
        dtype: ts::OUT_DTYPE,
        written: true,
        memory: ClauseId::CrDstMem,
        channels: ClauseId::CrDstCh,
    },
];

/// Row of opcode 0x9A.
pub const REDUCE: Group = Group {
    opcode: opcode::TENSOR_SCALAR_CACHE_REDUCE,
    channels: ts::NUM_ACTIVE_CHANNELS,
    bytes: BYTES,
    own_bytes: &[],
    reserved: Reserved {
        clause: ClauseId::CrRsvd,
        mask: bytes_mask(ts::RESERVED0, ts::RESERVED0 + 2),
    },
    patterns: PATTERNS,
    same_count: ClauseId::CrCount,
    immediates: &[
        ImmediateField { source: ts::IMM0_SRC, word: ts::IMM0 },
        ImmediateField { source: ts::IMM1_SRC, word: ts::IMM1 },
    ],
    relations,
};

/// Row of opcode 0xE6.
pub const CUMULATIVE: Group = Group { opcode: opcode::TENSOR_SCALAR_CACHE_CUMULATIVE, ..REDUCE };

/// CR-IMM0 and CR-IMM1-GATE.
fn relations(fields: &Fields<'_>, failing: &mut ClauseSet) {
    let bytes = fields.record.bytes;
    let word0 = fields.record.word32(ts::IMM0);
    let word1 = fields.record.word32(ts::IMM1);
    let loads = bytes[ts::ACCUMULATOR_CMD] == AccumCmd::LoadAccumulate.wire();
    let unused = (bytes[ts::IMM1_SRC] == 0) & (word1 == 0);
    failing.insert_if(ClauseId::CrImm0, !immediate_ok(fields, bytes[ts::IMM0_SRC], word0));
    failing.insert_if(
        ClauseId::CrImm1Gate,
        !(unused || loads && immediate_ok(fields, bytes[ts::IMM1_SRC], word1)),
    );
}

/// `imm_ok` of the arithmetic class (spec 02 section 2.8).
fn immediate_ok(fields: &Fields<'_>, source: u8, word: u32) -> bool {
    match source {
        0 => true,
        1 => pointer_ok(fields.geometry, word, fields.channels, 3),
        2 => immediate_register_ok(word),
        _ => false,
    }
}
