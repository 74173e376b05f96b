//! Formats and conversions beyond the vectors: exhaustive round trips, exact rounding at every
//! midpoint, switches.

use contract::isa::Dtype;
use contract::profile::{F2iRound, Fp8Overflow, Fp32rFraction, Profile};
use oracle::numeric::convert::{load, load_integer, store, store_integer};
use oracle::numeric::format::IntegerFormat;

/// Name, dtype, bits, fraction bits, bias, canonical NaN.
const NARROW: &[(Dtype, u32, u32, i32, u64)] = &[
    (Dtype::Fp8Exp3, 8, 4, 3, 0x78),
    (Dtype::Fp8Exp4, 8, 3, 7, 0x7C),
    (Dtype::Fp8Exp5, 8, 2, 15, 0x7E),
    (Dtype::Fp16, 16, 10, 15, 0x7E00),
    (Dtype::Bfloat16, 16, 7, 127, 0x7FC0),
];

/// The value of a finite code by the formula of section 3.1. Exact: f64 holds every narrow format.
fn value(code: u64, bits: u32, fraction_bits: u32, bias: i32) -> f64 {
    let fraction = (code & ((1 << fraction_bits) - 1)) as f64;
    let exponent = (code >> fraction_bits & ((1 << (bits - 1 - fraction_bits)) - 1)) as i32;
    let hidden = if exponent == 0 { 0.0 } else { (1_u64 << fraction_bits) as f64 };
    let scale = exponent.max(1) - bias - fraction_bits as i32;
    let magnitude = (hidden + fraction) * 2.0_f64.powi(scale);
    if code >> (bits - 1) == 1 { -magnitude } else { magnitude }
}

#[test]
fn load_then_store_is_the_identity_but_for_nans() {
    let profile = Profile::default();
    for &(dtype, bits, fraction_bits, bias, nan) in NARROW {
        let infinity = ((1 << (bits - 1 - fraction_bits)) - 1) << fraction_bits;
        for code in 0..1_u64 << bits {
            let sign = code & 1 << (bits - 1);
            let loaded = load(code, dtype);
            let stored = store(loaded, dtype, &profile);
            if code & !sign > infinity {
                assert_eq!(stored, sign | nan, "{dtype:?} {code:#x}: canonical NaN");
                let qnan = 0x7FC0_0000 | u32::from(sign != 0) << 31;
                assert_eq!(loaded, qnan, "{dtype:?} {code:#x}: QNAN with the sign");
            } else {
                assert_eq!(stored, code, "{dtype:?} {code:#x}");
                if code & !sign < infinity {
                    let exact = value(code, bits, fraction_bits, bias);
                    assert_eq!(f64::from(f32::from_bits(loaded)), exact, "{dtype:?} {code:#x}");
                }
            }
        }
    }
}

#[test]
fn stores_round_to_nearest_even_at_every_midpoint() {
    let profile = Profile::default();
    for &(dtype, bits, fraction_bits, bias, _) in NARROW {
        let infinity = ((1_u64 << (bits - 1 - fraction_bits)) - 1) << fraction_bits;
        for low in 0..infinity {
            // For the largest finite code the formula gives the next step that overflows.
            let high = low + 1;
            let middle = (value(low, bits, fraction_bits, bias)
                + value(high, bits, fraction_bits, bias))
                / 2.0;
            let single = middle as f32;
            assert_eq!(f64::from(single), middle, "FP32 holds every midpoint");
            let even = if low % 2 == 0 { low } else { high };
            for (input, expected) in [
                (single.to_bits() - 1, low),
                (single.to_bits(), even),
                (single.to_bits() + 1, high),
            ] {
                assert_eq!(store(input, dtype, &profile), expected, "{dtype:?} {input:#x}");
                let negative = expected | 1 << (bits - 1);
                assert_eq!(store(input | 0x8000_0000, dtype, &profile), negative, "{dtype:?}");
            }
        }
    }
}

#[test]
fn a_second_library_agrees_on_fp16_and_bfloat16() {
    let profile = Profile::default();
    let mut bits = crate::support::Bits(0x9E37_79B9_7F4A_7C15);
    for _ in 0..200_000 {
        let input = bits.fp32();
        let float = f32::from_bits(input);
        if float.is_nan() {
            continue;
        }
        let fp16 = half::f16::from_f32(float).to_bits();
        let bfloat16 = half::bf16::from_f32(float).to_bits();
        assert_eq!(store(input, Dtype::Fp16, &profile), u64::from(fp16), "{input:#x}");
        assert_eq!(store(input, Dtype::Bfloat16, &profile), u64::from(bfloat16), "{input:#x}");
    }
}

#[test]
fn fp8_overflow_saturates_finite_values_only_and_fp8_only() {
    let profile = Profile { fp8_overflow: Fp8Overflow::Saturate, ..Profile::default() };
    for (dtype, largest, infinity) in
        [(Dtype::Fp8Exp3, 0x6F, 0x70), (Dtype::Fp8Exp4, 0x77, 0x78), (Dtype::Fp8Exp5, 0x7B, 0x7C)]
    {
        for value in [0x7F7F_FFFF, 1e9_f32.to_bits()] {
            assert_eq!(store(value, dtype, &profile), largest);
            assert_eq!(store(value | 0x8000_0000, dtype, &profile), largest | 0x80);
        }
        assert_eq!(store(0x7F80_0000, dtype, &profile), infinity);
        assert_eq!(store(0xFF80_0000, dtype, &profile), infinity | 0x80);
        assert_eq!(store(0xFFFF_FFFF, dtype, &profile) & 0x80, 0x80);
    }
    // 248 is the tie above 240.
    assert_eq!(store(248.0_f32.to_bits(), Dtype::Fp8Exp4, &profile), 0x77);
    assert_eq!(store(248.0_f32.to_bits(), Dtype::Fp8Exp4, &Profile::default()), 0x78);
    assert_eq!(store(0x7F7F_FFFF, Dtype::Fp16, &profile), 0x7C00);
    assert_eq!(store(0x7F7F_FFFF, Dtype::Bfloat16, &profile), 0x7F80);
}

#[test]
fn fp32r_keeps_the_bits_that_its_switch_says() {
    for (fraction, input, expected) in [
        (Fp32rFraction::Bits13, 0x3F80_0200_u32, 0x3F80_0000_u32), // tie to even
        (Fp32rFraction::Bits13, 0x3F80_0600, 0x3F80_0800),         // tie to even, upwards
        (Fp32rFraction::Bits13, 0x3F80_0201, 0x3F80_0400),
        (Fp32rFraction::Bits13, 0x7F7F_FFFF, 0x7F80_0000), // carry into infinity
        (Fp32rFraction::Bits13, 0x0000_0201, 0x0000_0400), // subnormals round alike
        (Fp32rFraction::Bits13, 0x8000_0200, 0x8000_0000),
        (Fp32rFraction::Bits11, 0x3F80_0800, 0x3F80_0000),
        (Fp32rFraction::Bits11, 0x3F80_0801, 0x3F80_1000),
        (Fp32rFraction::Bits11, 0x3F80_1800, 0x3F80_2000),
        (Fp32rFraction::Bits10, 0xBF80_1000, 0xBF80_0000),
        (Fp32rFraction::Bits10, 0xBF80_1001, 0xBF80_2000),
        (Fp32rFraction::Bits10, 0x3F80_3000, 0x3F80_4000),
        (Fp32rFraction::Bits23, 0x3F80_0201, 0x3F80_0201),
        (Fp32rFraction::Bits23, 0x7F7F_FFFF, 0x7F7F_FFFF),
    ] {
        let profile = Profile { fp32r_fraction: fraction, ..Profile::default() };
        assert_eq!(store(input, Dtype::Fp32r, &profile), u64::from(expected), "{input:#x}");
    }
    for &fraction in Fp32rFraction::ALL {
        let profile = Profile { fp32r_fraction: fraction, ..Profile::default() };
        assert_eq!(store(0xFF80_0001, Dtype::Fp32r, &profile), 0xFFC0_0000);
        assert_eq!(store(0x7FFF_FFFF, Dtype::Fp32r, &profile), 0x7FC0_0000);
        assert_eq!(store(0xFF80_0000, Dtype::Fp32r, &profile), 0xFF80_0000);
        assert_eq!(store(0x8000_0000, Dtype::Fp32r, &profile), 0x8000_0000);
    }
}

#[test]
fn integers_round_as_f2i_round_says_and_clamp() {
    let toward_zero = Profile::default();
    let nearest = Profile { f2i_round: F2iRound::NearestEven, ..toward_zero };
    for (value, dtype, truncated, rounded) in [
        (2.5_f32, Dtype::Int8, 2, 2),
        (3.5, Dtype::Int8, 3, 4),
        (0.5, Dtype::Int8, 0, 0),
        (0.50000006, Dtype::Int8, 0, 1),
        (0.25, Dtype::Int8, 0, 0),
        (-1.5, Dtype::Int8, 0xFF, 0xFE),
        (-0.5, Dtype::Uint8, 0, 0),
        (-0.9, Dtype::Uint8, 0, 0),
        (127.5, Dtype::Int8, 0x7F, 0x7F),
        (-128.5, Dtype::Int8, 0x80, 0x80),
        (254.5, Dtype::Uint8, 0xFE, 0xFE),
        (255.5, Dtype::Uint8, 0xFF, 0xFF),
        (-1.0, Dtype::Uint32, 0, 0),
        (4294967296.0, Dtype::Uint32, 0xFFFF_FFFF, 0xFFFF_FFFF),
        (-3e38, Dtype::Int32, 0x8000_0000, 0x8000_0000),
        (3e38, Dtype::Int64, 0x7FFF_FFFF_FFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF),
        (-3e38, Dtype::Int64, 0x8000_0000_0000_0000, 0x8000_0000_0000_0000),
        (f32::INFINITY, Dtype::Uint64, u64::MAX, u64::MAX),
        (f32::NEG_INFINITY, Dtype::Int16, 0x8000, 0x8000),
        (f32::NAN, Dtype::Int16, 0x7FFF, 0x7FFF),
        (-f32::NAN, Dtype::Uint16, 0xFFFF, 0xFFFF),
    ] {
        assert_eq!(store(value.to_bits(), dtype, &toward_zero), truncated, "{value} {dtype:?}");
        assert_eq!(store(value.to_bits(), dtype, &nearest), rounded, "{value} {dtype:?}");
    }
}

#[test]
fn saturating_host_casts_agree_on_numbers() {
    let profile = Profile::default();
    let mut bits = crate::support::Bits(0x2545_F491_4F6C_DD1D);
    for _ in 0..100_000 {
        let input = bits.fp32();
        let x = f32::from_bits(input);
        if x.is_nan() {
            continue;
        }
        for (dtype, host) in [
            (Dtype::Int8, u64::from(x as i8 as u8)),
            (Dtype::Uint8, u64::from(x as u8)),
            (Dtype::Int16, u64::from(x as i16 as u16)),
            (Dtype::Uint16, u64::from(x as u16)),
            (Dtype::Int32, u64::from(x as i32 as u32)),
            (Dtype::Uint32, u64::from(x as u32)),
            (Dtype::Int64, x as i64 as u64),
            (Dtype::Uint64, x as u64),
        ] {
            assert_eq!(store(input, dtype, &profile), host, "{x} {dtype:?}");
        }
        let word = bits.next();
        assert_eq!(load(word, Dtype::Int64), (word as i64 as f32).to_bits());
        assert_eq!(load(word, Dtype::Uint64), (word as f32).to_bits());
        assert_eq!(load(word >> 32, Dtype::Uint32), ((word >> 32) as u32 as f32).to_bits());
    }
}

#[test]
fn wide_integers_load_by_one_rounding() {
    assert_eq!(load(16_777_217, Dtype::Int32), 16_777_216.0_f32.to_bits());
    assert_eq!(load(16_777_219, Dtype::Uint32), 16_777_220.0_f32.to_bits());
    assert_eq!(load(0xFFFF_FFFF, Dtype::Uint32), 4_294_967_296.0_f32.to_bits());
    assert_eq!(load(0xFFFF_FFFF, Dtype::Int32), (-1.0_f32).to_bits());
    assert_eq!(load(0, Dtype::Int32), 0);
    assert_eq!(load(u64::MAX, Dtype::Uint64), 18_446_744_073_709_551_616.0_f32.to_bits());
    assert_eq!(load(1 << 63, Dtype::Int64), (-9_223_372_036_854_775_808.0_f32).to_bits());
    // Two roundings, to 53 and then to 24 bits, would give 0x5B800000.
    assert_eq!(load(0x0100_0001_0000_0001, Dtype::Int64), 0x5B80_0001);
}

#[test]
fn the_integer_path_extends_wraps_and_rounds() {
    let profile = Profile::default();
    let signed = IntegerFormat { bits: 32, signed: true };
    let unsigned = IntegerFormat { bits: 32, signed: false };
    assert_eq!(load_integer(0x80, Dtype::Int8, signed, &profile), 0xFFFF_FF80);
    assert_eq!(load_integer(0x80, Dtype::Uint8, signed, &profile), 0x80);
    // An fp operand becomes INT32 whatever the compute signedness.
    let three_billion = u64::from(3e9_f32.to_bits());
    assert_eq!(load_integer(three_billion, Dtype::Fp32, unsigned, &profile), 0x7FFF_FFFF);
    assert_eq!(load_integer(0x7E, Dtype::Fp8Exp4, signed, &profile), 0x7FFF_FFFF);
    // Modular, never saturating.
    assert_eq!(store_integer(300, Dtype::Uint8, signed, &profile), 44);
    // A wider destination extends by the compute signedness.
    assert_eq!(store_integer(0xFFFF_FFFF, Dtype::Int64, signed, &profile), u64::MAX);
    assert_eq!(store_integer(0xFFFF_FFFF, Dtype::Int64, unsigned, &profile), 0xFFFF_FFFF);
    // The value goes through rn32 on its way to an fp dtype.
    assert_eq!(store_integer(0xFFFF_FFFF, Dtype::Fp32, unsigned, &profile), 0x4F80_0000);
    assert_eq!(store_integer(0xFFFF_FFFF, Dtype::Fp32, signed, &profile), 0xBF80_0000);
    assert_eq!(store_integer(100_000, Dtype::Fp16, signed, &profile), 0x7C00);
}
