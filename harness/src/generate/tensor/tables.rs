//! What valid records of the four opcodes may hold, as lists to choose from (spec 02 sections 2.2, 2.3,
//! 4.1 and 4.2). Lists, not predicates: nothing here can say whether a given record is valid.

use contract::isa::AluOp::{self, *};
use contract::isa::{Dtype, Generation};

/// Operators of a class: those of every generation, then those that came with cayman and with
/// mariana.
#[derive(Debug, Clone, Copy)]
pub struct Operators {
    always: &'static [AluOp],
    cayman: &'static [AluOp],
    mariana: &'static [AluOp],
}

impl Operators {
    /// Number of operators on a generation.
    pub const fn count(&self, generation: Generation) -> usize {
        self.always.len()
            + if generation as u8 >= Generation::Cayman as u8 { self.cayman.len() } else { 0 }
            + if generation as u8 >= Generation::Mariana as u8 { self.mariana.len() } else { 0 }
    }

    /// The operator at an index below [`count`](Self::count).
    pub fn at(&self, index: usize) -> AluOp {
        // Mariana includes cayman, so the three lists follow each other without a gap.
        let (always, cayman) = (self.always.len(), self.cayman.len());
        if index < always {
            self.always[index]
        } else if index < always + cayman {
            self.cayman[index - always]
        } else {
            self.mariana[index - always - cayman]
        }
    }
}

const MARIANA_OPS: &[AluOp] = &[AbsMax, AbsMin, ReLU, Square];

/// `op0` of 0x9A and 0xE6: 17 operators, 21 from mariana.
pub const GENERAL_ARITH: Operators = Operators {
    always: &[
        Mult,
        Add,
        Subtract,
        Max,
        Min,
        Bypass,
        AbsoluteDiff,
        AbsoluteValue,
        LogicalAnd,
        LogicalOr,
        LogicalXor,
        IsEQ,
        IsGT,
        IsGE,
        IsLE,
        IsLT,
        IsNE,
    ],
    cayman: &[],
    mariana: MARIANA_OPS,
};

/// `op1` of 0x9A and 0xE6.
pub const CACHE_COMBINE: &[AluOp] = &[Add, Mult, Max, Min, Subtract];

/// `op` of 0x4E: 21 operators, 23 on cayman, 27 from mariana.
pub const SCAN_ARITH: Operators = Operators {
    always: &[
        Add,
        Mult,
        Subtract,
        Max,
        Min,
        Bypass,
        AbsoluteDiff,
        AbsoluteValue,
        LogicalAnd,
        LogicalOr,
        LogicalXor,
        IsEQ,
        IsGT,
        IsGE,
        IsLE,
        IsLT,
        IsNE,
        Rsqrt,
        AddInt,
        MultInt,
        SubtractInt,
    ],
    cayman: &[DivideInt, ModInt],
    mariana: MARIANA_OPS,
};

/// `op` of 0x5E but Crc32, which is drawn with low weight (spec 03 section 5.6).
pub const BITVEC: &[AluOp] = &[
    BitwiseXor,
    BitwiseAnd,
    BitwiseOr,
    BitwiseNot,
    Bypass,
    ArithShiftLeft,
    ArithShiftRight,
    LogicalShiftLeft,
    LogicalShiftRight,
];

/// Shifts, whose right operands are drawn small.
pub const SHIFTS: &[AluOp] =
    &[ArithShiftLeft, ArithShiftRight, LogicalShiftLeft, LogicalShiftRight];

/// `in_dtype` of 0x9A and 0xE6.
pub const CACHE_INPUTS: &[Dtype] = &[
    Dtype::Fp32,
    Dtype::Bfloat16,
    Dtype::Fp16,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
    Dtype::Int8,
    Dtype::Uint8,
    Dtype::Int16,
    Dtype::Uint16,
];

/// `in_dtype` of 0x4E.
pub const SCAN_INPUTS: &[Dtype] = &[
    Dtype::Fp32,
    Dtype::Bfloat16,
    Dtype::Fp16,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
    Dtype::Int8,
    Dtype::Uint8,
    Dtype::Int16,
    Dtype::Uint16,
    Dtype::Int32,
    Dtype::Uint32,
];

/// `out_dtype` of 0x9A, 0xE6 and 0x4E.
pub const OUTPUTS: &[Dtype] = &[
    Dtype::Fp32,
    Dtype::Bfloat16,
    Dtype::Fp16,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
    Dtype::Int8,
    Dtype::Uint8,
    Dtype::Int16,
    Dtype::Uint16,
    Dtype::Int32,
    Dtype::Uint32,
    Dtype::Fp32r,
];

/// Both dtypes of 0x5E.
pub const BITVEC_DTYPES: &[Dtype] = &[Dtype::Uint32, Dtype::Int32, Dtype::Uint16, Dtype::Uint8];

/// The dtype of 0x5E with LogicalShiftRight.
pub const SHIFT_RIGHT_DTYPES: &[Dtype] = &[Dtype::Int32];

/// Destination dtypes of PSUM: those of four bytes.
pub const PSUM_OUTPUTS: &[Dtype] = &[Dtype::Fp32, Dtype::Int32, Dtype::Uint32, Dtype::Fp32r];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_have_the_sizes_that_the_spec_counts() {
        let sizes = |operators: Operators| Generation::ALL.iter().map(move |&g| operators.count(g));
        assert!(sizes(GENERAL_ARITH).eq([17, 17, 21, 21, 21]));
        assert!(sizes(SCAN_ARITH).eq([21, 23, 27, 27, 27]));
        assert_eq!((CACHE_COMBINE.len(), BITVEC.len() + 1), (5, 10));
        assert_eq!((CACHE_INPUTS.len(), SCAN_INPUTS.len(), OUTPUTS.len()), (10, 12, 13));
        for &generation in Generation::ALL {
            for operators in [GENERAL_ARITH, SCAN_ARITH] {
                let known = |index| operators.at(index).since() <= generation;
                assert!((0..operators.count(generation)).all(known));
            }
        }
    }
}
