//! Reciprocal square root, correctly rounded (spec 03 sections 5.2 and 5.5, D-17).

use super::format::{INFINITY, MAGNITUDE, QNAN, QUIET, SIGN, is_nan};

/// `rn32(1 / sqrt(value))` on bit patterns: zeros give infinities of their sign, negative numbers
/// QNAN, a NaN itself, quieted.
pub fn rsqrt(value: u32) -> u32 {
    if is_nan(value) {
        return value | QUIET;
    }
    if value & MAGNITUDE == 0 {
        return value & SIGN | INFINITY;
    }
    if value & SIGN != 0 {
        return QNAN;
    }
    if value == INFINITY {
        return 0;
    }
    // Two correctly rounded double operations: the error is below 2 ulp of a double, which is too little
    // to carry the seed across the midpoint of two FP32 neighbours. The test
    // `no_operand_is_too_close_to_a_midpoint` tries all operands.
    ((1.0 / f64::from(f32::from_bits(value)).sqrt()) as f32).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The condition of spec 03 section 5.5, checked in exact integers: `lo^2 x < 1 < hi^2 x`.
    fn is_correct(value: u32, result: u32) -> bool {
        // Twice the significand and the exponent of a normal or subnormal FP32 number.
        let split = |bits: u32| match bits >> 23 {
            0 => (u128::from(bits) << 1, -150),
            biased => (u128::from(bits & 0x7F_FFFF | 1 << 23) << 1, biased as i32 - 151),
        };
        let (x, x_scale) = split(value);
        let (y, y_scale) = split(result);
        let power_of_two = result & 0x7F_FFFF == 0;
        // In quarter steps of the result's ulp, so that the halved spacing below 2^k is exact.
        let high = y * 2 + 2;
        let low = y * 2 - if power_of_two { 1 } else { 2 };
        let below_one = |midpoint: u128| {
            let shift = -(2 * (y_scale - 1) + x_scale);
            midpoint * midpoint * x < 1u128 << shift
        };
        below_one(low) && !below_one(high)
    }

    #[test]
    fn every_exponent_and_many_fractions_round_correctly() {
        let mut state = 1u32;
        for biased in 0..255u32 {
            for fraction in (0..64).map(|k| k * 0x2_0001).chain((0..64).map(|k| 0x7F_FFFF - k)) {
                let value = biased << 23 | fraction & 0x7F_FFFF;
                if value != 0 {
                    assert!(is_correct(value, rsqrt(value)), "{value:08x}");
                }
            }
            for _ in 0..2000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let value = biased << 23 | state >> 9;
                if value != 0 {
                    assert!(is_correct(value, rsqrt(value)), "{value:08x}");
                }
            }
        }
    }

    /// Operands that differ by a power of 4 have the same fraction of the result, so two binades stand for
    /// all of them, subnormal ones too.
    #[test]
    fn no_operand_is_too_close_to_a_midpoint() {
        let close: Vec<u32> = (0x3F80_0000..0x4080_0000)
            .filter(|&value: &u32| {
                let seed = 1.0 / f64::from(f32::from_bits(value)).sqrt();
                (seed.to_bits() & 0x1FFF_FFFF).abs_diff(0x1000_0000) <= 4
            })
            .collect();
        // This one is, and happens to round correctly.
        assert_eq!(close, [0x403A_18E3]);
        assert!(is_correct(0x403A_18E3, rsqrt(0x403A_18E3)));
    }

    #[test]
    fn special_operands_follow_the_table() {
        for (value, expected) in [
            (0x0000_0000, 0x7F80_0000),
            (0x8000_0000, 0xFF80_0000),
            (0x7F80_0000, 0x0000_0000),
            (0xFF80_0000, QNAN),
            (0xBF80_0000, QNAN),
            (0x8000_0001, QNAN),
            (0x7FA0_0001, 0x7FE0_0001),
            (0xFF80_0001, 0xFFC0_0001),
            (0x3F80_0000, 0x3F80_0000),
            (0x4080_0000, 0x3F00_0000),
            (0x3E80_0000, 0x4000_0000),
            // 1/sqrt(2^-149) = 2^74.5
            (0x0000_0001, 0x64B5_04F3),
        ] {
            assert_eq!(rsqrt(value), expected, "{value:08x}");
        }
    }
}
