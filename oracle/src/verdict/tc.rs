//! Group TC: TensorCumulative 0x4E (arithmetic) and 0x5E (bitvec) (spec 02 section 4.2).

use crate::tensor::record::S4d4Tr;
use crate::verdict::address::{READ, WRITE, chan, pat_ok, range, same};
use crate::verdict::dtype::{dt, is};
use crate::verdict::marker_rules;
use crate::verdict::operators::{aluop, arith, bitvec};
use contract::case::RECORD;
use contract::isa::layout::s4d4_tr;
use contract::isa::{AluOp, ClauseId, ClauseSet, Dtype, Generation, Subdim, opcode};
use contract::outcome::TensorReason;

/// Opcodes of the group.
pub const OPCODES: [u8; 2] = [opcode::TENSOR_CUMULATIVE_ARITH, opcode::TENSOR_CUMULATIVE_BITVEC];

/// A clause: true if it holds.
type Clause = fn(Generation, &S4d4Tr) -> bool;

/// The clauses in the spec's order.
const CLAUSES: &[(ClauseId, Clause)] = &[
    (ClauseId::TcOpc, tc_opc),
    (ClauseId::TcRsvd, tc_rsvd),
    (ClauseId::TcMask0, tc_mask0),
    (ClauseId::TcInDt, tc_in_dt),
    (ClauseId::TcOutDt, tc_out_dt),
    (ClauseId::TcOpEnum, tc_op_enum),
    (ClauseId::TcDim, tc_dim),
    (ClauseId::TcChan, tc_chan),
    (ClauseId::TcSrcCh, tc_src_ch),
    (ClauseId::TcDstCh, tc_dst_ch),
    (ClauseId::TcSrcMem, tc_src_mem),
    (ClauseId::TcDstMem, tc_dst_mem),
    (ClauseId::TcQSrc, tc_q_src),
    (ClauseId::TcQSd, tc_q_sd),
    (ClauseId::TcCount, tc_count),
    (ClauseId::TcExcl, tc_excl),
    (ClauseId::TcBv, tc_bv),
    (ClauseId::TcAr, tc_ar),
    (ClauseId::TcDtBv, tc_dt_bv),
    (ClauseId::TcNeg0, tc_neg0),
];

/// The group's rows 3 and 4 of spec 01 section 7.1.
pub fn unsupported(generation: Generation, record: &[u8; RECORD]) -> Option<TensorReason> {
    marker_rules(generation, record, &[s4d4_tr::SRC_MEM_PATTERN, s4d4_tr::DST_MEM_PATTERN])
}

/// The group's clauses that fail.
pub fn failing(generation: Generation, record: &[u8; RECORD]) -> ClauseSet {
    let record = S4d4Tr::decode(record);
    let mut failing = ClauseSet::EMPTY;
    for &(id, holds) in CLAUSES {
        failing.insert_if(id, !holds(generation, &record));
    }
    failing
}

/// The record is of the arithmetic class.
fn is_arith_opcode(r: &S4d4Tr) -> bool {
    r.opcode == opcode::TENSOR_CUMULATIVE_ARITH
}

/// The record is of the bitvec class.
fn is_bitvec_opcode(r: &S4d4Tr) -> bool {
    r.opcode == opcode::TENSOR_CUMULATIVE_BITVEC
}

/// TC-OPC: the opcode is one of the pair.
fn tc_opc(_: Generation, r: &S4d4Tr) -> bool {
    OPCODES.contains(&r.opcode)
}

/// TC-RSVD: bytes 39 to 43 are zero.
fn tc_rsvd(_: Generation, r: &S4d4Tr) -> bool {
    r.reserved1 == [0; 5]
}

/// TC-MASK0: mask_enable is 0.
fn tc_mask0(_: Generation, r: &S4d4Tr) -> bool {
    r.mask_enable == 0
}

/// TC-IN-DT: dt(in_dtype), no FP32R.
fn tc_in_dt(generation: Generation, r: &S4d4Tr) -> bool {
    dt(generation, r.in_dtype, false)
}

/// TC-OUT-DT: dt(out_dtype), FP32R allowed.
fn tc_out_dt(generation: Generation, r: &S4d4Tr) -> bool {
    dt(generation, r.out_dtype, true)
}

/// TC-OP-ENUM: op is an ALU_OP.
fn tc_op_enum(generation: Generation, r: &S4d4Tr) -> bool {
    aluop(generation, r.op)
}

/// TC-DIM: op_dim names axes.
fn tc_dim(_: Generation, r: &S4d4Tr) -> bool {
    matches!(Subdim::from_wire(r.op_dim), Some(Subdim::X | Subdim::XY | Subdim::XYZ | Subdim::XYZW))
}

/// TC-CHAN: 1 to 128 channels. Tile records of maverick never get here (VD-TC-TILE).
fn tc_chan(_: Generation, r: &S4d4Tr) -> bool {
    range(r.num_active_channels)
}

/// TC-SRC-CH: the source starts where its channels may start.
fn tc_src_ch(generation: Generation, r: &S4d4Tr) -> bool {
    chan(generation, r.source.start, r.num_active_channels)
}

/// TC-DST-CH: the destination starts where its channels may start.
fn tc_dst_ch(generation: Generation, r: &S4d4Tr) -> bool {
    chan(generation, r.destination.start, r.num_active_channels)
}

/// TC-SRC-MEM: the source pattern is legal.
fn tc_src_mem(generation: Generation, r: &S4d4Tr) -> bool {
    pat_ok(generation, &r.source, r.in_dtype, READ)
}

/// TC-DST-MEM: the destination pattern is legal.
fn tc_dst_mem(generation: Generation, r: &S4d4Tr) -> bool {
    pat_ok(generation, &r.destination, r.out_dtype, WRITE)
}

/// TC-Q-SRC: quadrants of an indirect source; vacuous, as no indirect pattern gets here.
fn tc_q_src(_: Generation, _: &S4d4Tr) -> bool {
    true
}

/// TC-Q-SD: quadrants of indirect source and destination; vacuous, as no indirect pattern gets here.
fn tc_q_sd(_: Generation, _: &S4d4Tr) -> bool {
    true
}

/// TC-COUNT: source and destination have the same count.
fn tc_count(_: Generation, r: &S4d4Tr) -> bool {
    same(&r.source, &r.destination)
}

/// TC-EXCL: op ∉ {Divide, Pow, Mod}, for both classes.
fn tc_excl(_: Generation, r: &S4d4Tr) -> bool {
    !matches!(AluOp::from_wire(r.op), Some(AluOp::Divide | AluOp::Pow | AluOp::Mod))
}

/// TC-BV: 0x5E wants a bitvec operator.
fn tc_bv(generation: Generation, r: &S4d4Tr) -> bool {
    !is_bitvec_opcode(r) || bitvec(generation, r.op)
}

/// TC-AR: 0x4E wants an arith operator.
fn tc_ar(generation: Generation, r: &S4d4Tr) -> bool {
    !is_arith_opcode(r) || arith(generation, r.op)
}

/// TC-DT-BV: 0x5E wants equal dtypes among UINT8, UINT16, UINT32, INT32, and INT32 for
/// LogicalShiftRight.
fn tc_dt_bv(_: Generation, r: &S4d4Tr) -> bool {
    let raw = [Dtype::Uint8, Dtype::Uint16, Dtype::Uint32, Dtype::Int32];
    let right_shift = r.op == AluOp::LogicalShiftRight.wire();
    !is_bitvec_opcode(r)
        || r.in_dtype == r.out_dtype
            && raw.iter().any(|&dtype| is(r.in_dtype, dtype))
            && (!right_shift || is(r.in_dtype, Dtype::Int32))
}

/// TC-NEG0: negated is 0.
fn tc_neg0(_: Generation, r: &S4d4Tr) -> bool {
    r.negated == 0
}
