//! Operators of C_I(N) (spec 03 section 5.3), one function each. Values are patterns below 2^N; the
//! arithmetic is done on their exact values and reduced modulo 2^N. Here are the operators that a
//! scan may name; the rest of the band joins the table with the first instruction that admits it.

use crate::numeric::format::IntegerFormat;
use contract::isa::AluOp;

/// An operator `op(L, R)` of C_I(N); the format carries N and the signedness of spec 03 section 3.2.
pub type Operator = fn(IntegerFormat, u64, u64) -> u64;

/// The rule of an ALU_OP in C_I(N); `None` if it has none.
pub const fn operator(op: AluOp) -> Option<Operator> {
    Some(match op {
        AluOp::AddInt => add_int,
        AluOp::MultInt => mult_int,
        AluOp::SubtractInt => subtract_int,
        AluOp::DivideInt => divide_int,
        AluOp::ModInt => mod_int,
        _ => return None,
    })
}

/// AddInt: `L + R mod 2^N`.
pub fn add_int(format: IntegerFormat, left: u64, right: u64) -> u64 {
    format.pattern(format.value(left) + format.value(right))
}

/// SubtractInt: `L - R mod 2^N`.
pub fn subtract_int(format: IntegerFormat, left: u64, right: u64) -> u64 {
    format.pattern(format.value(left) - format.value(right))
}

/// MultInt: low N bits of `L · R`. The product of two unsigned 64-bit values may leave i128, which
/// changes no low bit.
pub fn mult_int(format: IntegerFormat, left: u64, right: u64) -> u64 {
    format.pattern(format.value(left).wrapping_mul(format.value(right)))
}

/// DivideInt: quotient truncated toward zero; R = 0 gives 0 (D-18); INT_MIN / -1 wraps to INT_MIN.
pub fn divide_int(format: IntegerFormat, left: u64, right: u64) -> u64 {
    match format.value(right) {
        0 => 0,
        right => format.pattern(format.value(left) / right),
    }
}

/// ModInt: `L - R·trunc(L/R)`, so the sign of L; R = 0 gives 0 (D-18).
pub fn mod_int(format: IntegerFormat, left: u64, right: u64) -> u64 {
    match format.value(right) {
        0 => 0,
        right => format.pattern(format.value(left) % right),
    }
}
