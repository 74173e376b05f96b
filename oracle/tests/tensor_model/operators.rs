//! Operators of the three compute types: tables of the chapter, special values, a second witness.

use crate::support::Bits;
use contract::isa::AluOp;
use oracle::numeric::format::IntegerFormat;
use oracle::numeric::rsqrt::rsqrt;
use oracle::numeric::{bits, fp32, integer};

const NAN: u32 = 0x7FC0_0000;
const SNAN: u32 = 0x7F80_0001;
const INF: u32 = 0x7F80_0000;
const NEG_INF: u32 = 0xFF80_0000;
const NEG_ZERO: u32 = 0x8000_0000;

fn float(op: AluOp, left: u32, right: u32) -> u32 {
    fp32::operator(op).unwrap_or_else(|| panic!("{op:?} is no operator of C_F"))(left, right)
}

fn f(value: f32) -> u32 {
    value.to_bits()
}

#[test]
fn max_and_min_reproduce_their_table() {
    for (op, left, right, expected) in [
        (AluOp::Max, f(1.0), NAN, NAN),
        (AluOp::Max, NAN, f(2.0), f(2.0)),
        (AluOp::Max, 0, NEG_ZERO, NEG_ZERO),
        (AluOp::Max, NEG_ZERO, 0, 0),
        (AluOp::Min, 0, NEG_ZERO, NEG_ZERO),
        (AluOp::Min, NEG_ZERO, 0, 0),
        (AluOp::Max, f(1.0), SNAN, SNAN),
        (AluOp::Min, f(1.0), NAN, NAN),
        (AluOp::Min, NAN, f(2.0), f(2.0)),
        (AluOp::Max, 0xFFC0_1234, NAN, NAN),
        (AluOp::Max, f(3.0), f(-4.0), f(3.0)),
        (AluOp::Min, f(3.0), f(-4.0), f(-4.0)),
        (AluOp::Max, NEG_INF, f(-4.0), f(-4.0)),
        (AluOp::Min, 1, 2, 1),
    ] {
        assert_eq!(float(op, left, right), expected, "{op:?} {left:#x} {right:#x}");
    }
}

#[test]
fn arithmetic_propagates_the_first_nan_quieted_and_generates_one_nan() {
    for op in [AluOp::Add, AluOp::Subtract, AluOp::Mult, AluOp::Divide] {
        assert_eq!(float(op, 0xFFA0_0001, SNAN), 0xFFE0_0001, "{op:?}: left first");
        assert_eq!(float(op, f(1.0), 0xFFA0_0001), 0xFFE0_0001, "{op:?}");
        assert_eq!(float(op, SNAN, INF), 0x7FC0_0001, "{op:?}");
    }
    for (op, left, right) in [
        (AluOp::Subtract, INF, INF),
        (AluOp::Add, NEG_INF, INF),
        (AluOp::Mult, NEG_ZERO, INF),
        (AluOp::Mult, NEG_INF, 0),
        (AluOp::Divide, 0, NEG_ZERO),
        (AluOp::Divide, NEG_INF, INF),
    ] {
        assert_eq!(float(op, left, right), NAN, "{op:?} {left:#x} {right:#x}");
    }
    assert_eq!(float(AluOp::Square, 0xFF80_0001, 0), 0xFFC0_0001);
    assert_eq!(float(AluOp::Square, NEG_INF, NAN), INF);
    assert_eq!(float(AluOp::Divide, f(-1.0), 0), NEG_INF);
    assert_eq!(float(AluOp::Divide, f(1.0), NEG_INF), NEG_ZERO);
}

#[test]
fn zero_signs_follow_ieee() {
    assert_eq!(float(AluOp::Subtract, f(5.0), f(5.0)), 0);
    assert_eq!(float(AluOp::Subtract, NEG_ZERO, NEG_ZERO), 0);
    assert_eq!(float(AluOp::Subtract, NEG_ZERO, 0), NEG_ZERO);
    assert_eq!(float(AluOp::Add, 0, NEG_ZERO), 0);
    assert_eq!(float(AluOp::Add, NEG_ZERO, NEG_ZERO), NEG_ZERO);
    assert_eq!(float(AluOp::Mult, f(-1.0), 0), NEG_ZERO);
    assert_eq!(float(AluOp::Mult, 1, 0x8000_0001), NEG_ZERO);
}

#[test]
fn arithmetic_equals_the_host_where_no_nan_is_involved() {
    let mut source = Bits(0x1234_5678_9ABC_DEF1);
    for _ in 0..200_000 {
        let (left, right) = (source.fp32(), source.fp32());
        let (x, y) = (f32::from_bits(left), f32::from_bits(right));
        for (op, host) in [
            (AluOp::Add, x + y),
            (AluOp::Subtract, x - y),
            (AluOp::Mult, x * y),
            (AluOp::Divide, x / y),
        ] {
            if !host.is_nan() {
                assert_eq!(float(op, left, right), f(host), "{op:?} {left:#x} {right:#x}");
            }
        }
    }
}

#[test]
fn compares_and_logicals_treat_nan_and_zero_as_stated() {
    const ONE: u32 = 0x3F80_0000;
    for (op, nan, equal, less) in [
        (AluOp::IsEQ, 0, ONE, 0),
        (AluOp::IsNE, ONE, 0, ONE),
        (AluOp::IsGT, 0, 0, 0),
        (AluOp::IsGE, 0, ONE, 0),
        (AluOp::IsLE, 0, ONE, ONE),
        (AluOp::IsLT, 0, 0, ONE),
    ] {
        assert_eq!(float(op, NAN, f(1.0)), nan, "{op:?}");
        assert_eq!(float(op, f(1.0), SNAN), nan, "{op:?}");
        assert_eq!(float(op, NAN, NAN), nan, "{op:?}");
        assert_eq!(float(op, NEG_ZERO, 0), equal, "{op:?}");
        assert_eq!(float(op, f(-2.0), f(-1.0)), less, "{op:?}");
    }
    assert_eq!(float(AluOp::IsGT, f(1.0), f(-1.0)), ONE);
    assert_eq!(float(AluOp::LogicalAnd, NAN, f(-3.0)), ONE);
    assert_eq!(float(AluOp::LogicalAnd, NAN, NEG_ZERO), 0);
    assert_eq!(float(AluOp::LogicalOr, NEG_ZERO, 0), 0);
    assert_eq!(float(AluOp::LogicalOr, NEG_ZERO, SNAN), ONE);
    assert_eq!(float(AluOp::LogicalXor, NAN, f(1.0)), 0);
    assert_eq!(float(AluOp::LogicalXor, 1, NEG_ZERO), ONE);
}

#[test]
fn sign_and_unary_operators_keep_bits() {
    assert_eq!(float(AluOp::Bypass, SNAN, f(1.0)), SNAN);
    assert_eq!(float(AluOp::AbsoluteValue, 0xFF80_0001, 0), SNAN);
    assert_eq!(float(AluOp::AbsoluteDiff, f(1.0), f(4.0)), f(3.0));
    assert_eq!(float(AluOp::AbsoluteDiff, 0xFF80_0001, 0), 0x7FC0_0001);
    assert_eq!(float(AluOp::AbsMax, f(-4.0), f(3.0)), f(4.0));
    assert_eq!(float(AluOp::AbsMax, f(1.0), 0xFF80_0001), SNAN);
    assert_eq!(float(AluOp::AbsMax, 0xFF80_0001, f(-1.0)), f(1.0));
    assert_eq!(float(AluOp::AbsMin, f(-4.0), f(3.0)), f(3.0));
    assert_eq!(float(AluOp::AbsMin, f(-4.0), f(4.0)), f(4.0));
    assert_eq!(float(AluOp::ReLU, NAN, 0), 0);
    assert_eq!(float(AluOp::ReLU, NEG_ZERO, 0), 0);
    assert_eq!(float(AluOp::ReLU, f(-1.0), f(9.0)), 0);
    assert_eq!(float(AluOp::ReLU, 1, 0), 1);
    assert_eq!(float(AluOp::ReLU, INF, 0), INF);
    assert!(fp32::operator(AluOp::SymmetricClamp).is_none());
    assert!(fp32::operator(AluOp::AddInt).is_none());
}

#[test]
fn rsqrt_has_its_special_values() {
    for (x, expected) in [
        (0, INF),
        (NEG_ZERO, NEG_INF),
        (INF, 0),
        (NEG_INF, NAN),
        (f(-1.0), NAN),
        (0x8000_0001, NAN),
        (0xFFA0_0001, 0xFFE0_0001),
        (f(1.0), f(1.0)),
        (f(4.0), f(0.5)),
        (f(0.25), f(2.0)),
        (f(2.0), 0x3F35_04F3),
        (f(3.0), 0x3F13_CD3A),
        (1, 0x64B5_04F3),
        (2, 0x6480_0000),
    ] {
        assert_eq!(rsqrt(x), expected, "{x:#x}");
    }
}

/// A positive finite pattern as an integer times a power of two.
fn exact(pattern: u32) -> (u128, i32) {
    let fraction = u128::from(pattern & 0x7F_FFFF);
    match pattern >> 23 {
        0 => (fraction, -149),
        field => (fraction + 0x80_0000, field as i32 - 150),
    }
}

#[test]
fn rsqrt_is_the_fp32_value_nearest_to_the_exact_root() {
    // lo² · x < 1 < hi² · x with the midpoints to the neighbours (section 5.5).
    let below_one = |left: u32, right: u32, x: u32| {
        // (left + right) / 2 on the finer grid of the smaller one.
        let ((a, a_exp), (b, b_exp)) = (exact(left), exact(right));
        let exponent = a_exp.min(b_exp);
        let sum = (a << (a_exp - exponent)) + (b << (b_exp - exponent));
        let (m, x_exp) = exact(x);
        let one = -(2 * (exponent - 1) + x_exp);
        sum * sum * m < 1_u128 << one
    };
    let mut source = Bits(77);
    let mut inputs: Vec<u32> = (0..100_000).map(|_| source.next() as u32 & 0x7FFF_FFFF).collect();
    inputs.extend(
        (0..255).flat_map(|field| [field << 23, (field << 23) + 1, (field << 23) | 0x7F_FFFF]),
    );
    inputs.extend(1..3000);
    let mut checked = 0;
    for x in inputs {
        if x == 0 || x >= INF {
            continue;
        }
        let y = rsqrt(x);
        assert!(below_one(y - 1, y, x), "{x:#x}: {y:#x} is too large");
        assert!(!below_one(y, y + 1, x), "{x:#x}: {y:#x} is too small");
        checked += 1;
    }
    assert!(checked > 90_000);
}

#[test]
fn integer_operators_wrap_and_truncate() {
    let signed = IntegerFormat { bits: 32, signed: true };
    let unsigned = IntegerFormat { bits: 32, signed: false };
    let wide = IntegerFormat { bits: 64, signed: true };
    let wide_unsigned = IntegerFormat { bits: 64, signed: false };
    let minus = |value: u64, format: IntegerFormat| format.pattern(-i128::from(value));
    let apply = |op, format: IntegerFormat, left, right| {
        integer::operator(op).unwrap_or_else(|| panic!("{op:?}"))(format, left, right)
    };
    for (op, format, left, right, expected) in [
        (AluOp::AddInt, signed, 0x7FFF_FFFF, 1, 0x8000_0000),
        (AluOp::AddInt, wide, u64::MAX, 1, 0),
        (AluOp::SubtractInt, unsigned, 1, 2, 0xFFFF_FFFF),
        (AluOp::MultInt, signed, 0x8000_0000, minus(1, signed), 0x8000_0000),
        (AluOp::MultInt, unsigned, 0x1_0001, 0x1_0001, 0x2_0001),
        (AluOp::MultInt, wide_unsigned, u64::MAX, u64::MAX, 1),
        (AluOp::DivideInt, signed, 7, minus(2, signed), minus(3, signed)),
        (AluOp::DivideInt, signed, minus(7, signed), 2, minus(3, signed)),
        (AluOp::DivideInt, signed, 0x8000_0000, minus(1, signed), 0x8000_0000),
        (AluOp::DivideInt, wide, 1 << 63, u64::MAX, 1 << 63),
        (AluOp::DivideInt, unsigned, 0xFFFF_FFFF, 2, 0x7FFF_FFFF),
        (AluOp::DivideInt, signed, 5, 0, 0),
        (AluOp::ModInt, signed, 7, minus(2, signed), 1),
        (AluOp::ModInt, signed, minus(7, signed), 2, minus(1, signed)),
        (AluOp::ModInt, signed, 0x8000_0000, minus(1, signed), 0),
        (AluOp::ModInt, unsigned, 0xFFFF_FFFF, 10, 5),
        (AluOp::ModInt, signed, 5, 0, 0),
    ] {
        assert_eq!(apply(op, format, left, right), expected, "{op:?} {left:#x} {right:#x}");
    }
}

#[test]
fn bit_operators_stay_in_their_width() {
    let apply = |op, width, left, right| {
        bits::operator(op).unwrap_or_else(|| panic!("{op:?}"))(width, left, right)
    };
    for (op, width, left, right, expected) in [
        (AluOp::Bypass, 8, 0x5A, 0xFF, 0x5A),
        (AluOp::BitwiseNot, 8, 0x0F, 0xAA, 0xF0),
        (AluOp::BitwiseNot, 64, 0, 0, u64::MAX),
        (AluOp::BitwiseAnd, 16, 0x0FF0, 0x00FF, 0x00F0),
        (AluOp::BitwiseOr, 16, 0x0FF0, 0x00FF, 0x0FFF),
        (AluOp::BitwiseXor, 16, 0x0FF0, 0x00FF, 0x0F0F),
        (AluOp::LogicalShiftLeft, 8, 0x81, 1, 0x02),
        (AluOp::ArithShiftLeft, 16, 1, 15, 0x8000),
        (AluOp::ArithShiftLeft, 16, 1, 16, 0),
        (AluOp::LogicalShiftLeft, 32, 1, 0xFFFF_FFFF, 0),
        (AluOp::LogicalShiftLeft, 64, 3, 63, 1 << 63),
        (AluOp::LogicalShiftRight, 32, 0x8000_0000, 31, 1),
        (AluOp::LogicalShiftRight, 32, 0x8000_0000, 32, 0),
        (AluOp::ArithShiftRight, 8, 0x80, 1, 0xC0),
        (AluOp::ArithShiftRight, 8, 0x80, 0, 0x80),
        (AluOp::ArithShiftRight, 8, 0x80, 8, 0xFF),
        (AluOp::ArithShiftRight, 8, 0x7F, 200, 0),
        (AluOp::ArithShiftRight, 64, 1 << 63, 63, u64::MAX),
        (AluOp::Crc32, 8, 0x00, 0x01, 0x96),
        (AluOp::Crc32, 16, 0xABCD, 0x1234, 0x51DC),
        (AluOp::Crc32, 32, 0x0000_0000, 0x0000_0080, 0xED59_B63B),
    ] {
        assert_eq!(apply(op, width, left, right), expected, "{op:?} {width} {left:#x} {right:#x}");
    }
    // The published check value of the text "12345678", which inverts at both ends.
    let words = [u32::from_le_bytes(*b"1234"), u32::from_le_bytes(*b"5678")];
    let state = words
        .iter()
        .fold(0xFFFF_FFFF, |state, &word| apply(AluOp::Crc32, 32, state, u64::from(word)));
    assert_eq!(state ^ 0xFFFF_FFFF, 0x9AE0_DAAF);
}

/// Tries many triples and says whether `op(op(a,b),c)` ever differs from `op(a,op(b,c))`.
fn regroups(mut value: impl FnMut() -> u64, op: impl Fn(u64, u64) -> u64) -> bool {
    (0..20_000).all(|_| {
        let (a, b, c) = (value(), value(), value());
        op(op(a, b), c) == op(a, op(b, c))
    })
}

#[test]
fn associativity_is_as_the_table_of_section_8_says() {
    use AluOp::*;
    let fp = |op: AluOp, nan: bool| {
        let mut source = Bits(0xABCD_EF01_2345_6789);
        let operator = fp32::operator(op).unwrap_or_else(|| panic!("{op:?}"));
        regroups(
            || loop {
                let bits = source.fp32();
                if nan || !f32::from_bits(bits).is_nan() {
                    break u64::from(bits);
                }
            },
            |left, right| u64::from(operator(left as u32, right as u32)),
        )
    };
    for op in [Bypass, AbsoluteValue, ReLU, LogicalAnd, LogicalOr, LogicalXor] {
        assert!(fp(op, true), "{op:?}");
    }
    for op in [Max, Min, AbsMax, AbsMin] {
        assert!(fp(op, false), "{op:?} without NaN");
        assert!(!fp(op, true), "{op:?} with NaN");
    }
    for op in [
        Add,
        Subtract,
        Mult,
        Divide,
        Square,
        AbsoluteDiff,
        IsEQ,
        IsGT,
        IsGE,
        IsLE,
        IsLT,
        IsNE,
        Rsqrt,
    ] {
        assert!(!fp(op, true), "{op:?}");
    }
    let int = |op: AluOp| {
        let mut source = Bits(3);
        let operator = integer::operator(op).unwrap_or_else(|| panic!("{op:?}"));
        let format = IntegerFormat { bits: 32, signed: true };
        regroups(|| source.next() >> 32 >> (source.next() % 31), |l, r| operator(format, l, r))
    };
    assert!(int(AddInt) && int(MultInt));
    assert!(!int(SubtractInt) && !int(DivideInt) && !int(ModInt));
    let raw = |op: AluOp| {
        let mut source = Bits(5);
        let operator = bits::operator(op).unwrap_or_else(|| panic!("{op:?}"));
        regroups(|| source.next() >> 56 >> (source.next() % 8), |l, r| operator(8, l, r))
    };
    for op in [Bypass, BitwiseAnd, BitwiseOr, BitwiseXor] {
        assert!(raw(op), "{op:?}");
    }
    for op in
        [BitwiseNot, ArithShiftLeft, ArithShiftRight, LogicalShiftLeft, LogicalShiftRight, Crc32]
    {
        assert!(!raw(op), "{op:?}");
    }
}
