//! The table of lane operators. An operator that a recurrence runs through both of its operands is a
//! [`Binary`]; one that looks at its left operand alone (spec 03 section 5.1, D-21) is a [`Unary`],
//! for which scans have a closed form. A new operator is one row here and one type in the file of its
//! compute type.

use super::{bits, float, format, integer, rsqrt};
use contract::isa::AluOp;

/// How far an operator's folds may be regrouped without a change of bits (spec 03 section 8.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Only the left fold is right.
    Fixed,
    /// Every order-preserving tree equals the left fold.
    Free,
    /// As `Free`, if no operand is a NaN.
    FreeWithoutNan,
}

/// A two-operand operator on compute values.
pub trait Lane {
    /// What regrouping the operator allows.
    const GROUPING: Grouping = Grouping::Fixed;

    /// `op(L, R)` without branches, for operands side by side.
    fn apply(left: u32, right: u32) -> u32;

    /// True if [`link`](Self::link) is the better form for a chain.
    const LINKS: bool = false;

    /// `op(L, R)` as a link of a chain of FP32 values, where the latency from `left` to the result
    /// counts: nothing moves to an integer register, and rare cases are branches.
    #[inline(always)]
    fn link(left: f32, right: f32) -> f32 {
        f32::from_bits(Self::apply(left.to_bits(), right.to_bits()))
    }
}

/// An operator with its operands swapped: the running value on the right (`op1_order`, D-23).
pub struct Swapped<O>(std::marker::PhantomData<O>);
impl<O: Lane> Lane for Swapped<O> {
    // Order-preserving trees of the swapped operator are those of the operator on the reversed
    // stream, so the grouping is the same.
    const GROUPING: Grouping = O::GROUPING;
    #[inline(always)]
    fn apply(left: u32, right: u32) -> u32 {
        O::apply(right, left)
    }
    const LINKS: bool = O::LINKS;
    #[inline(always)]
    fn link(left: f32, right: f32) -> f32 {
        O::link(right, left)
    }
}

/// Declares [`Binary`] and the macro that turns a value of it into a type.
macro_rules! binaries {
    (($d:tt) $($name:ident: $type:ty;)*) => {
        /// A two-operand operator of some compute type.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Binary { $($name),* }

        impl Binary {
            /// Every operator.
            #[cfg(test)]
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// What regrouping the operator allows.
            pub const fn grouping(self) -> Grouping {
                match self { $(Self::$name => <$type as Lane>::GROUPING),* }
            }
        }

        /// Evaluates an expression with a type name bound to the operator's [`Lane`].
        macro_rules! with_binary {
            ($d operator:expr, $d lane:ident => $d body:expr) => {
                match $d operator {
                    $($crate::numeric::operator::Binary::$name => {
                        type $d lane = $type;
                        $d body
                    })*
                }
            };
        }
    };
}

binaries! {
    ($)
    Add: float::Add;
    Subtract: float::Subtract;
    Mult: float::Mult;
    Max: float::Max;
    Min: float::Min;
    AddSwapped: Swapped<float::Add>;
    SubtractSwapped: Swapped<float::Subtract>;
    MultSwapped: Swapped<float::Mult>;
    MaxSwapped: Swapped<float::Max>;
    MinSwapped: Swapped<float::Min>;
    LogicalAnd: float::LogicalAnd;
    LogicalOr: float::LogicalOr;
    LogicalXor: float::LogicalXor;
    IsEq: float::IsEq;
    IsGt: float::IsGt;
    IsGe: float::IsGe;
    IsLe: float::IsLe;
    IsLt: float::IsLt;
    IsNe: float::IsNe;
    AbsoluteDiff: float::AbsoluteDiff;
    AbsMax: float::AbsMax;
    AbsMin: float::AbsMin;
    AddInt: integer::AddInt;
    SubtractInt: integer::SubtractInt;
    MultInt: integer::MultInt;
    DivideSigned: integer::DivideSigned;
    DivideUnsigned: integer::DivideUnsigned;
    ModSigned: integer::ModSigned;
    ModUnsigned: integer::ModUnsigned;
    And: bits::And;
    Or: bits::Or;
    Xor: bits::Xor;
    ShiftLeft8: bits::ShiftLeft<8>;
    ShiftLeft16: bits::ShiftLeft<16>;
    ShiftLeft32: bits::ShiftLeft<32>;
    ShiftRight8: bits::ShiftRight<8>;
    ShiftRight16: bits::ShiftRight<16>;
    ShiftRight32: bits::ShiftRight<32>;
    ArithShiftRight8: bits::ArithShiftRight<8>;
    ArithShiftRight16: bits::ArithShiftRight<16>;
    ArithShiftRight32: bits::ArithShiftRight<32>;
    Crc8: bits::Crc32<8>;
    Crc16: bits::Crc32<16>;
    Crc32: bits::Crc32<32>;
}
pub(crate) use with_binary;

/// An operator that looks at its left operand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// The operand.
    Bypass,
    /// Sign bit cleared.
    AbsoluteValue,
    /// Positive or +0.
    ReLU,
    /// Product with itself.
    Square,
    /// Reciprocal square root.
    Rsqrt,
    /// Bits inverted; bits above the width are left to the store.
    Not,
}

impl Unary {
    /// The value for an operand.
    #[inline(always)]
    pub fn apply(self, left: u32) -> u32 {
        match self {
            Self::Bypass => left,
            Self::AbsoluteValue => float::absolute_value(left),
            Self::ReLU => float::relu(left),
            Self::Square => float::square(left),
            Self::Rsqrt => rsqrt::rsqrt(left),
            Self::Not => !left,
        }
    }
}

/// Any lane operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// One operand.
    Unary(Unary),
    /// Two operands.
    Binary(Binary),
}

impl Operator {
    /// The identity map.
    pub const BYPASS: Self = Self::Unary(Unary::Bypass);
    /// The plainest combine.
    pub const ADD: Binary = Binary::Add;

    /// The C_F operator of an ALU_OP (spec 03 section 5.2); `None` for the other compute types and
    /// for operators that no instruction here runs.
    pub const fn float(op: AluOp) -> Option<Self> {
        Some(match op {
            AluOp::Bypass => Self::Unary(Unary::Bypass),
            AluOp::AbsoluteValue => Self::Unary(Unary::AbsoluteValue),
            AluOp::ReLU => Self::Unary(Unary::ReLU),
            AluOp::Square => Self::Unary(Unary::Square),
            AluOp::Rsqrt => Self::Unary(Unary::Rsqrt),
            AluOp::Add => Self::Binary(Binary::Add),
            AluOp::Subtract => Self::Binary(Binary::Subtract),
            AluOp::Mult => Self::Binary(Binary::Mult),
            AluOp::Max => Self::Binary(Binary::Max),
            AluOp::Min => Self::Binary(Binary::Min),
            AluOp::LogicalAnd => Self::Binary(Binary::LogicalAnd),
            AluOp::LogicalOr => Self::Binary(Binary::LogicalOr),
            AluOp::LogicalXor => Self::Binary(Binary::LogicalXor),
            AluOp::IsEQ => Self::Binary(Binary::IsEq),
            AluOp::IsGT => Self::Binary(Binary::IsGt),
            AluOp::IsGE => Self::Binary(Binary::IsGe),
            AluOp::IsLE => Self::Binary(Binary::IsLe),
            AluOp::IsLT => Self::Binary(Binary::IsLt),
            AluOp::IsNE => Self::Binary(Binary::IsNe),
            AluOp::AbsoluteDiff => Self::Binary(Binary::AbsoluteDiff),
            AluOp::AbsMax => Self::Binary(Binary::AbsMax),
            AluOp::AbsMin => Self::Binary(Binary::AbsMin),
            _ => return None,
        })
    }

    /// The C_I(32) operator of an ALU_OP (spec 03 section 5.3).
    pub const fn integer(op: AluOp, signed: bool) -> Option<Self> {
        Some(Self::Binary(match (op, signed) {
            (AluOp::AddInt, _) => Binary::AddInt,
            (AluOp::SubtractInt, _) => Binary::SubtractInt,
            (AluOp::MultInt, _) => Binary::MultInt,
            (AluOp::DivideInt, true) => Binary::DivideSigned,
            (AluOp::DivideInt, false) => Binary::DivideUnsigned,
            (AluOp::ModInt | AluOp::Mod, true) => Binary::ModSigned,
            (AluOp::ModInt | AluOp::Mod, false) => Binary::ModUnsigned,
            _ => return None,
        }))
    }

    /// The C_B operator of an ALU_OP for patterns of 1, 2 or 4 bytes (spec 03 section 5.4).
    pub const fn bits(op: AluOp, bytes: u32) -> Option<Self> {
        Some(Self::Binary(match (op, bytes) {
            (AluOp::Bypass, _) => return Some(Self::Unary(Unary::Bypass)),
            (AluOp::BitwiseNot, _) => return Some(Self::Unary(Unary::Not)),
            (AluOp::BitwiseAnd, _) => Binary::And,
            (AluOp::BitwiseOr, _) => Binary::Or,
            (AluOp::BitwiseXor, _) => Binary::Xor,
            (AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft, 1) => Binary::ShiftLeft8,
            (AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft, 2) => Binary::ShiftLeft16,
            (AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft, 4) => Binary::ShiftLeft32,
            (AluOp::LogicalShiftRight, 1) => Binary::ShiftRight8,
            (AluOp::LogicalShiftRight, 2) => Binary::ShiftRight16,
            (AluOp::LogicalShiftRight, 4) => Binary::ShiftRight32,
            (AluOp::ArithShiftRight, 1) => Binary::ArithShiftRight8,
            (AluOp::ArithShiftRight, 2) => Binary::ArithShiftRight16,
            (AluOp::ArithShiftRight, 4) => Binary::ArithShiftRight32,
            (AluOp::Crc32, 1) => Binary::Crc8,
            (AluOp::Crc32, 2) => Binary::Crc16,
            (AluOp::Crc32, 4) => Binary::Crc32,
            _ => return None,
        }))
    }

    /// The running combine of the cache instructions: `acc op tmp`, or `tmp op acc` with the
    /// accumulator on the right (spec 03 section 7.4, D-23).
    pub const fn combine(op: AluOp, accumulator_right: bool) -> Option<Binary> {
        Some(match (op, accumulator_right) {
            (AluOp::Add, false) => Binary::Add,
            (AluOp::Subtract, false) => Binary::Subtract,
            (AluOp::Mult, false) => Binary::Mult,
            (AluOp::Max, false) => Binary::Max,
            (AluOp::Min, false) => Binary::Min,
            (AluOp::Add, true) => Binary::AddSwapped,
            (AluOp::Subtract, true) => Binary::SubtractSwapped,
            (AluOp::Mult, true) => Binary::MultSwapped,
            (AluOp::Max, true) => Binary::MaxSwapped,
            (AluOp::Min, true) => Binary::MinSwapped,
            _ => return None,
        })
    }

    /// What every fold of the combine starts from under ZeroAccumulate (spec 03 section 7.4).
    pub const fn identity(op: AluOp) -> Option<u32> {
        Some(match op {
            AluOp::Add | AluOp::Subtract => 0,
            AluOp::Mult => format::ONE,
            AluOp::Max => format::INFINITY | format::SIGN,
            AluOp::Min => format::INFINITY,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::format::QNAN;

    /// Three values for which the two groupings of an operator differ (spec 03 section 8.2).
    #[test]
    fn operators_that_may_not_be_regrouped_have_a_counterexample() {
        const F: fn(f32) -> u32 = f32::to_bits;
        let (big, one, two) = (F(16_777_216.0), F(1.0), F(2.0));
        for (op, [a, b, c]) in [
            (Binary::Add, [big, one, one]),
            (Binary::Subtract, [one, one, one]),
            (Binary::Mult, [F(1e30), F(1e30), F(1e-30)]),
            (Binary::AbsoluteDiff, [one, two, F(3.0)]),
            (Binary::IsEq, [F(0.0), two, one]),
            (Binary::IsGt, [one, one, F(-1.0)]),
            (Binary::IsGe, [F(0.0), one, two]),
            (Binary::IsLe, [two, one, F(0.0)]),
            (Binary::IsLt, [one, two, two]),
            (Binary::IsNe, [two, one, one]),
            (Binary::Max, [F(5.0), QNAN, F(3.0)]),
            (Binary::Min, [F(1.0), QNAN, F(3.0)]),
            (Binary::AbsMax, [F(5.0), QNAN, F(3.0)]),
            (Binary::AbsMin, [F(1.0), QNAN, F(3.0)]),
            (Binary::SubtractInt, [1, 1, 1]),
            (Binary::DivideSigned, [8, 4, 2]),
            (Binary::DivideUnsigned, [8, 4, 2]),
            (Binary::ModSigned, [7, 5, 3]),
            (Binary::ModUnsigned, [7, 5, 3]),
            (Binary::ShiftLeft32, [1, 2, 3]),
            (Binary::ShiftRight32, [4, 1, 1]),
            (Binary::ArithShiftRight32, [4, 1, 1]),
            (Binary::Crc32, [1, 2, 3]),
        ] {
            let apply = |l, r| with_binary!(op, Op => Op::apply(l, r));
            let differs = apply(apply(a, b), c) != apply(a, apply(b, c));
            assert!(differs, "{op:?}");
            assert_ne!(op.grouping(), Grouping::Free, "{op:?}");
        }
    }
}
