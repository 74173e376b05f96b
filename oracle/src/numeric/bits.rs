//! Operators of C_B(W) (spec 03 sections 5.4 and 5.6), one function each. Values are raw patterns
//! below 2^W; W is 8, 16, 32 or 64.

use contract::isa::AluOp;

/// An operator `op(L, R)` of C_B(W); the first argument is W.
pub type Operator = fn(u32, u64, u64) -> u64;

/// The rule of an ALU_OP in C_B(W); `None` if it has none.
pub const fn operator(op: AluOp) -> Option<Operator> {
    Some(match op {
        AluOp::Bypass => bypass,
        AluOp::BitwiseNot => bitwise_not,
        AluOp::BitwiseAnd => bitwise_and,
        AluOp::BitwiseOr => bitwise_or,
        AluOp::BitwiseXor => bitwise_xor,
        AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft => shift_left,
        AluOp::LogicalShiftRight => logical_shift_right,
        AluOp::ArithShiftRight => arith_shift_right,
        AluOp::Crc32 => crc32,
        _ => return None,
    })
}

/// The pattern of W ones.
const fn ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Bypass: L.
pub fn bypass(_: u32, left: u64, _: u64) -> u64 {
    left
}

/// BitwiseNot: ¬L.
pub fn bitwise_not(width: u32, left: u64, _: u64) -> u64 {
    !left & ones(width)
}

/// BitwiseAnd.
pub fn bitwise_and(_: u32, left: u64, right: u64) -> u64 {
    left & right
}

/// BitwiseOr.
pub fn bitwise_or(_: u32, left: u64, right: u64) -> u64 {
    left | right
}

/// BitwiseXor.
pub fn bitwise_xor(_: u32, left: u64, right: u64) -> u64 {
    left ^ right
}

/// ArithShiftLeft and LogicalShiftLeft: the count is R read unsigned; W or more gives 0 (D-19).
pub fn shift_left(width: u32, left: u64, right: u64) -> u64 {
    if right >= u64::from(width) { 0 } else { left << right & ones(width) }
}

/// LogicalShiftRight: zero fill; W or more gives 0.
pub fn logical_shift_right(width: u32, left: u64, right: u64) -> u64 {
    if right >= u64::from(width) { 0 } else { left >> right }
}

/// ArithShiftRight: copies of bit W-1 fill; W or more gives all copies. The sign bit is taken from
/// the pattern, also for unsigned dtypes.
pub fn arith_shift_right(width: u32, left: u64, right: u64) -> u64 {
    let fill = if left >> (width - 1) & 1 == 1 { ones(width) } else { 0 };
    if right >= u64::from(width) {
        return fill;
    }
    left >> right | fill & !(ones(width) >> right)
}

/// Crc32 (5.6, D-20): the state is L zero-extended to 32 bits; the bytes of R go in low byte first,
/// reflected IEEE polynomial, no inversion; the result is the low W bits.
pub fn crc32(width: u32, left: u64, right: u64) -> u64 {
    let mut state = left as u32;
    for byte in 0..width / 8 {
        state ^= (right >> (8 * byte)) as u32 & 0xFF;
        for _ in 0..8 {
            let shifted_out = state & 1;
            state >>= 1;
            if shifted_out == 1 {
                state ^= 0xEDB8_8320;
            }
        }
    }
    u64::from(state) & ones(width)
}
