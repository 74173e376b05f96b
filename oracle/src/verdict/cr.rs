//! Group CR: TensorScalarCacheReduce 0x9A and TensorScalarCacheCumulative 0xE6 (spec 02 section 4.1).
//! One list for both opcodes; only CR-OPC reads the opcode.

use crate::tensor::record::S3d3Ts;
use crate::verdict::address::{READ, WRITE, chan, pat_ok, range, same};
use crate::verdict::dtype::{dt, fp_path, int_path, is};
use crate::verdict::immediate::imm_ok_arith;
use crate::verdict::marker_rules;
use crate::verdict::operators::{aluop, cache_combine, general_arith};
use contract::case::RECORD;
use contract::isa::layout::s3d3_ts;
use contract::isa::{AccumCmd, ClauseId, ClauseSet, Dtype, Generation, ImmSrc, RevOps, opcode};
use contract::outcome::TensorReason;

/// Opcodes of the group.
pub const OPCODES: [u8; 2] =
    [opcode::TENSOR_SCALAR_CACHE_REDUCE, opcode::TENSOR_SCALAR_CACHE_CUMULATIVE];

/// A clause: true if it holds.
type Clause = fn(Generation, &S3d3Ts) -> bool;

/// The clauses in the spec's order.
const CLAUSES: &[(ClauseId, Clause)] = &[
    (ClauseId::CrOpc, cr_opc),
    (ClauseId::CrOp0Enum, cr_op0_enum),
    (ClauseId::CrOp1Enum, cr_op1_enum),
    (ClauseId::CrOp0Gen, cr_op0_gen),
    (ClauseId::CrOp1, cr_op1),
    (ClauseId::CrTypes, cr_types),
    (ClauseId::CrImm0, cr_imm0),
    (ClauseId::CrImm1Gate, cr_imm1_gate),
    (ClauseId::CrSrcMem, cr_src_mem),
    (ClauseId::CrDstMem, cr_dst_mem),
    (ClauseId::CrDstInd, cr_dst_ind),
    (ClauseId::CrCount, cr_count),
    (ClauseId::CrRevEnum, cr_rev_enum),
    (ClauseId::CrRev, cr_rev),
    (ClauseId::CrRsvd, cr_rsvd),
    (ClauseId::CrAcc, cr_acc),
    (ClauseId::CrInDt, cr_in_dt),
    (ClauseId::CrOutDt, cr_out_dt),
    (ClauseId::CrChan, cr_chan),
    (ClauseId::CrSrcCh, cr_src_ch),
    (ClauseId::CrDstCh, cr_dst_ch),
];

/// The group's rows 3 and 4 of spec 01 section 7.1.
pub fn unsupported(generation: Generation, record: &[u8; RECORD]) -> Option<TensorReason> {
    marker_rules(generation, record, &[s3d3_ts::SRC_MEM_PATTERN, s3d3_ts::DST_MEM_PATTERN])
}

/// The group's clauses that fail.
pub fn failing(generation: Generation, record: &[u8; RECORD]) -> ClauseSet {
    let record = S3d3Ts::decode(record);
    let mut failing = ClauseSet::EMPTY;
    for &(id, holds) in CLAUSES {
        failing.insert_if(id, !holds(generation, &record));
    }
    failing
}

/// CR-OPC: the opcode is one of the pair.
fn cr_opc(_: Generation, r: &S3d3Ts) -> bool {
    OPCODES.contains(&r.opcode)
}

/// CR-OP0-ENUM: op0 is an ALU_OP.
fn cr_op0_enum(generation: Generation, r: &S3d3Ts) -> bool {
    aluop(generation, r.op0)
}

/// CR-OP1-ENUM: op1 is an ALU_OP.
fn cr_op1_enum(generation: Generation, r: &S3d3Ts) -> bool {
    aluop(generation, r.op1)
}

/// CR-OP0-GEN: op0 ∈ general_arith.
fn cr_op0_gen(generation: Generation, r: &S3d3Ts) -> bool {
    general_arith(generation, r.op0)
}

/// CR-OP1: op1 ∈ cache_combine.
fn cr_op1(generation: Generation, r: &S3d3Ts) -> bool {
    cache_combine(generation, r.op1)
}

/// CR-TYPES: in_dtype ∈ fp_path, or in int_path without the 32-bit integers.
fn cr_types(_: Generation, r: &S3d3Ts) -> bool {
    let wide = is(r.in_dtype, Dtype::Int32) || is(r.in_dtype, Dtype::Uint32);
    fp_path(r.in_dtype) || int_path(r.in_dtype) && !wide
}

/// CR-IMM0: imm0 is legal for its source.
fn cr_imm0(generation: Generation, r: &S3d3Ts) -> bool {
    imm_ok_arith(generation, r.imm0_src, r.imm0, r.num_active_channels)
}

/// CR-IMM1-GATE: imm1 is the legal seed of a LoadAccumulate, or its slot is empty. The gate is on
/// bits: -0.0 is not empty.
fn cr_imm1_gate(generation: Generation, r: &S3d3Ts) -> bool {
    let seed = r.accumulator_cmd == AccumCmd::LoadAccumulate.wire()
        && imm_ok_arith(generation, r.imm1_src, r.imm1, r.num_active_channels);
    let empty = r.imm1_src == ImmSrc::InstructionImmediate.wire() && r.imm1 == 0;
    seed || empty
}

/// CR-SRC-MEM: the source pattern is legal.
fn cr_src_mem(generation: Generation, r: &S3d3Ts) -> bool {
    pat_ok(generation, &r.source, r.in_dtype, READ)
}

/// CR-DST-MEM: the destination pattern is legal.
fn cr_dst_mem(generation: Generation, r: &S3d3Ts) -> bool {
    pat_ok(generation, &r.destination, r.out_dtype, WRITE)
}

/// CR-DST-IND: the size limit of an indirect destination; vacuous, as no indirect pattern gets here.
fn cr_dst_ind(_: Generation, _: &S3d3Ts) -> bool {
    true
}

/// CR-COUNT: source and destination have the same count, for the reduce as well.
fn cr_count(_: Generation, r: &S3d3Ts) -> bool {
    same(&r.source, &r.destination)
}

/// CR-REV-ENUM: reverse_operands is a TENS_SCALAR_REV_OPS.
fn cr_rev_enum(generation: Generation, r: &S3d3Ts) -> bool {
    RevOps::from_wire(r.reverse_operands).is_some_and(|rev| rev.since() <= generation)
}

/// CR-REV: reverse_operands is None.
fn cr_rev(_: Generation, r: &S3d3Ts) -> bool {
    r.reverse_operands == RevOps::None.wire()
}

/// CR-RSVD: bytes 13 to 15 are zero.
fn cr_rsvd(_: Generation, r: &S3d3Ts) -> bool {
    r.reserved0 == [0; 3]
}

/// CR-ACC: accumulator_cmd ∈ {Accumulate, ZeroAccumulate, LoadAccumulate}.
fn cr_acc(_: Generation, r: &S3d3Ts) -> bool {
    matches!(
        AccumCmd::from_wire(r.accumulator_cmd),
        Some(AccumCmd::Accumulate | AccumCmd::ZeroAccumulate | AccumCmd::LoadAccumulate)
    )
}

/// CR-IN-DT: dt(in_dtype), no FP32R.
fn cr_in_dt(generation: Generation, r: &S3d3Ts) -> bool {
    dt(generation, r.in_dtype, false)
}

/// CR-OUT-DT: dt(out_dtype), FP32R allowed.
fn cr_out_dt(generation: Generation, r: &S3d3Ts) -> bool {
    dt(generation, r.out_dtype, true)
}

/// CR-CHAN: 1 to 128 channels. Tile records of maverick never get here.
fn cr_chan(_: Generation, r: &S3d3Ts) -> bool {
    range(r.num_active_channels)
}

/// CR-SRC-CH: the source starts where its channels may start.
fn cr_src_ch(generation: Generation, r: &S3d3Ts) -> bool {
    chan(generation, r.source.start, r.num_active_channels)
}

/// CR-DST-CH: the destination starts where its channels may start.
fn cr_dst_ch(generation: Generation, r: &S3d3Ts) -> bool {
    chan(generation, r.destination.start, r.num_active_channels)
}
