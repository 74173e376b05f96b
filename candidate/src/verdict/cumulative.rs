//! Rows of TensorCumulative, arithmetic and bitvec (spec 02 section 4.2). TC-OPC holds by dispatch;
//! the quadrant clauses are vacuous without indirect patterns.

use super::group::{ByteClause, Fields, Group, PatternField, Reserved, byte, bytes_mask};
use super::sets::Set;
use contract::isa::layout::s4d4_tr as tr;
use contract::isa::{AluOp, ClauseId, ClauseSet, Dtype, opcode};

const BYTES: &[ByteClause] = &[
    byte(ClauseId::TcMask0, tr::MASK_ENABLE, Set::Zero),
    byte(ClauseId::TcInDt, tr::IN_DTYPE, Set::Dtype),
    byte(ClauseId::TcOutDt, tr::OUT_DTYPE, Set::DtypeFp32r),
    byte(ClauseId::TcOpEnum, tr::OP, Set::AluOp),
    byte(ClauseId::TcDim, tr::OP_DIM, Set::Axes),
    byte(ClauseId::TcChan, tr::NUM_ACTIVE_CHANNELS, Set::Channels),
    byte(ClauseId::TcExcl, tr::OP, Set::Cumulative),
    byte(ClauseId::TcNeg0, tr::NEGATED, Set::Zero),
];

const PATTERNS: &[PatternField] = &[
    PatternField {
        at: tr::SRC_MEM_PATTERN,
        rank: 4,
        dtype: tr::IN_DTYPE,
        written: false,
        memory: ClauseId::TcSrcMem,
        channels: ClauseId::TcSrcCh,
    },
    PatternField {
        at: tr::DST_MEM_PATTERN,
        rank: 4,
        dtype: tr::OUT_DTYPE,
        written: true,
        memory: ClauseId::TcDstMem,
        channels: ClauseId::TcDstCh,
    },
];

/// Row of opcode 0x4E.
pub const ARITH: Group = Group {
    opcode: opcode::TENSOR_CUMULATIVE_ARITH,
    channels: tr::NUM_ACTIVE_CHANNELS,
    bytes: BYTES,
    own_bytes: &[byte(ClauseId::TcAr, tr::OP, Set::Arith)],
    reserved: Reserved {
        clause: ClauseId::TcRsvd,
        mask: bytes_mask(tr::RESERVED1, tr::RESERVED1 + 4),
    },
    patterns: PATTERNS,
    same_count: ClauseId::TcCount,
    immediates: &[],
    relations: |_, _| {},
};

/// Row of opcode 0x5E.
pub const BITVEC: Group = Group {
    opcode: opcode::TENSOR_CUMULATIVE_BITVEC,
    own_bytes: &[byte(ClauseId::TcBv, tr::OP, Set::Bitvec)],
    relations: bitvec_dtypes,
    ..ARITH
};

/// TC-DT-BV.
fn bitvec_dtypes(fields: &Fields<'_>, failing: &mut ClauseSet) {
    let bytes = fields.record.bytes;
    let input = bytes[tr::IN_DTYPE];
    let fits = (input == bytes[tr::OUT_DTYPE])
        & fields.sets.has(Set::BitvecScan, input)
        & ((bytes[tr::OP] != AluOp::LogicalShiftRight.wire()) | (input == Dtype::Int32.wire()));
    failing.insert_if(ClauseId::TcDtBv, !fits);
}
