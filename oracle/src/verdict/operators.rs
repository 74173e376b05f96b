//! Operator sets (spec 02 sections 2.1 and 2.2), as lists and one predicate each. Predicates take the
//! raw byte: a byte that is no ALU_OP of the generation is in no set.

use contract::isa::{AluOp, Generation};

/// Members of `arith` on every generation.
const ARITH: &[AluOp] = &[
    AluOp::Bypass,
    AluOp::Add,
    AluOp::Subtract,
    AluOp::Mult,
    AluOp::Divide,
    AluOp::Max,
    AluOp::Min,
    AluOp::LogicalAnd,
    AluOp::LogicalOr,
    AluOp::LogicalXor,
    AluOp::IsEQ,
    AluOp::IsGT,
    AluOp::IsGE,
    AluOp::IsLE,
    AluOp::IsLT,
    AluOp::IsNE,
    AluOp::AbsoluteDiff,
    AluOp::AbsoluteValue,
    AluOp::Pow,
    AluOp::Mod,
    AluOp::Rsqrt,
    AluOp::AddInt,
    AluOp::MultInt,
    AluOp::SubtractInt,
];

/// Members that `arith` gains on cayman.
const ARITH_CAYMAN: &[AluOp] = &[AluOp::DivideInt, AluOp::ModInt];

/// Members that `arith` gains on mariana.
const ARITH_MARIANA: &[AluOp] = &[AluOp::AbsMax, AluOp::AbsMin, AluOp::ReLU, AluOp::Square];

/// `int_aluop`, before the intersection with the generation's enum.
const INT_ALUOP: &[AluOp] = &[
    AluOp::AddInt,
    AluOp::MultInt,
    AluOp::SubtractInt,
    AluOp::DivideInt,
    AluOp::ModInt,
    AluOp::IsEqualInt,
    AluOp::IsNeInt,
    AluOp::AbsMaxInt,
    AluOp::AbsMinInt,
    AluOp::AbsDiffInt,
    AluOp::MaxInt,
    AluOp::MinInt,
    AluOp::IsGtInt,
    AluOp::IsGeInt,
    AluOp::IsLeInt,
    AluOp::IsLtInt,
    AluOp::MaxUint,
    AluOp::MinUint,
    AluOp::IsGtUint,
    AluOp::IsGeUint,
    AluOp::IsLeUint,
    AluOp::IsLtUint,
    AluOp::MultUint,
    AluOp::DivideUint,
    AluOp::ModUint,
    AluOp::Mod,
];

/// `bitvec`.
const BITVEC: &[AluOp] = &[
    AluOp::Bypass,
    AluOp::BitwiseNot,
    AluOp::BitwiseAnd,
    AluOp::BitwiseOr,
    AluOp::BitwiseXor,
    AluOp::ArithShiftLeft,
    AluOp::ArithShiftRight,
    AluOp::LogicalShiftLeft,
    AluOp::LogicalShiftRight,
    AluOp::Crc32,
];

/// `cache_combine`.
const CACHE_COMBINE: &[AluOp] = &[AluOp::Add, AluOp::Subtract, AluOp::Mult, AluOp::Max, AluOp::Min];

/// The member of the generation's ALU_OP with this ordinal.
fn member(generation: Generation, op: u8) -> Option<AluOp> {
    AluOp::from_wire(op).filter(|op| op.since() <= generation)
}

/// `aluop(v)`, which is `enum(ALU_OP, v)` (VD-ALUOP).
pub fn aluop(generation: Generation, op: u8) -> bool {
    member(generation, op).is_some()
}

/// `arith`: 24 members, 26 from cayman, 30 from mariana.
pub fn arith(generation: Generation, op: u8) -> bool {
    member(generation, op).is_some_and(|op| {
        ARITH.contains(&op)
            || generation >= Generation::Cayman && ARITH_CAYMAN.contains(&op)
            || generation >= Generation::Mariana && ARITH_MARIANA.contains(&op)
    })
}

/// `int_aluop`: integer operators, Mod included.
pub fn int_aluop(generation: Generation, op: u8) -> bool {
    member(generation, op).is_some_and(|op| INT_ALUOP.contains(&op))
}

/// `general_arith`: arith − {Divide, Pow, Mod, Rsqrt} − int_aluop; 17 members, 21 from mariana.
pub fn general_arith(generation: Generation, op: u8) -> bool {
    const EXCLUDED: &[AluOp] = &[AluOp::Divide, AluOp::Pow, AluOp::Mod, AluOp::Rsqrt];
    arith(generation, op)
        && !int_aluop(generation, op)
        && member(generation, op).is_some_and(|op| !EXCLUDED.contains(&op))
}

/// `bitvec`: 10 members.
pub fn bitvec(generation: Generation, op: u8) -> bool {
    member(generation, op).is_some_and(|op| BITVEC.contains(&op))
}

/// `cache_combine`: the five running combines.
pub fn cache_combine(generation: Generation, op: u8) -> bool {
    member(generation, op).is_some_and(|op| CACHE_COMBINE.contains(&op))
}
