//! Edge sets per dtype, as tables: signed zeros, ones, the ends of the subnormal and the normal
//! range, infinities, quiet and signalling NaNs with payloads; then the values at which a store to a
//! narrower format turns: ties and their neighbours, the threshold of overflow, of underflow to zero
//! and of every integer range (spec 03 sections 3.1 to 3.4). Positive patterns of a floating-point
//! table are used with either sign.

use contract::isa::Dtype;

/// FP32 patterns without sign.
const FP32: &[u32] = &[
    0x3F80_0000, // 1
    0x0000_0000, // 0
    0x4000_0000, // 2
    0x3F00_0000, // 0.5
    0x0000_0001, // smallest subnormal
    0x0000_0002,
    0x007F_FFFF, // largest subnormal
    0x0080_0000, // smallest normal
    0x0080_0001,
    0x7F7F_FFFF, // largest finite
    0x7F00_0000, // half of it, about
    0x7E80_0000,
    0x7F80_0000, // infinity
    0x7FC0_0000, // quiet NaN
    0x7FC0_1234, // quiet NaN with payload
    0x7FFF_FFFF,
    0x7F80_0001, // signalling NaN
    0x7FA0_0000, // signalling NaN
    0x7FBF_FFFF,
    // Ties of FP16 (and FP32R with 10 bits), and a neighbour on either side.
    0x3F80_1000,
    0x3F80_3000,
    0x3F80_0FFF,
    0x3F80_1001,
    // FP32R with 11 and 13 bits.
    0x3F80_0800,
    0x3F80_1800,
    0x3F80_0200,
    0x3F80_0600,
    0x3F80_01FF,
    0x3F80_0201,
    0x0000_0200,
    0x0000_0600,
    0x7F7F_FE00,
    0x7F7F_FDFF,
    // BFLOAT16.
    0x3F80_8000,
    0x3F81_8000,
    0x3F80_7FFF,
    0x3F80_8001,
    0x0000_8000,
    0x0000_8001,
    0x0001_8000,
    0x0001_0000,
    0x007F_8000,
    0x7F7F_8000,
    0x7F7F_7FFF,
    // FP8 with 4, 3 and 2 fraction bits: ties to either side.
    0x3F84_0000,
    0x3F8C_0000,
    0x3F88_0000,
    0x3F98_0000,
    0x3F90_0000,
    0x3FB0_0000,
    0x3F8F_FFFF,
    0x3F90_0001,
    // Overflow of FP8_EXP3: largest 15.5, threshold 15.75.
    0x4178_0000,
    0x417B_FFFF,
    0x417C_0000,
    // Of FP8_EXP4: 240, 248.
    0x4370_0000,
    0x4377_FFFF,
    0x4378_0000,
    // Of FP8_EXP5: 57344, 61440.
    0x4760_0000,
    0x476F_FFFF,
    0x4770_0000,
    // Of FP16: 65504, 65520.
    0x477F_E000,
    0x477F_EFFF,
    0x477F_F000,
    // Underflow: smallest subnormal, its half (a tie with zero) and the next above, 1.5 of it.
    0x3C80_0000, // FP8_EXP3, 2^-6
    0x3C00_0000,
    0x3C00_0001,
    0x3CC0_0000,
    0x3B00_0000, // FP8_EXP4, 2^-9
    0x3A80_0000,
    0x3A80_0001,
    0x3B40_0000,
    0x3780_0000, // FP8_EXP5, 2^-16
    0x3700_0000,
    0x3700_0001,
    0x37C0_0000,
    0x3380_0000, // FP16, 2^-24
    0x3300_0000,
    0x3300_0001,
    0x33C0_0000,
    0x387F_C000, // largest FP16 subnormal
    0x387F_E000, // its tie with the smallest normal
    0x3880_0000,
    // Integers: fractions, then the ends of every range.
    0x3F66_6666, // 0.9
    0x3FC0_0000, // 1.5
    0x4020_0000, // 2.5
    0x3F7F_FFFF,
    0x42FE_0000, // 127
    0x42FF_0000, // 127.5
    0x42FF_FFFF,
    0x4300_0000, // 128
    0x4300_8000, // 128.5
    0x4301_0000, // 129
    0x437F_0000, // 255
    0x437F_8000, // 255.5
    0x437F_FFFF,
    0x4380_0000, // 256
    0x46FF_FE00, // 32767
    0x46FF_FF00, // 32767.5
    0x4700_0000, // 32768
    0x4700_0080, // 32768.5
    0x4700_0100, // 32769
    0x477F_FF00, // 65535
    0x477F_FF80, // 65535.5
    0x4780_0000, // 65536
    0x4B7F_FFFF, // 2^24 - 1
    0x4B80_0000, // 2^24
    0x4B80_0001, // 2^24 + 2
    0x4EFF_FFFF, // below 2^31
    0x4F00_0000, // 2^31
    0x4F00_0001,
    0x4F7F_FFFF, // below 2^32
    0x4F80_0000, // 2^32
    0x5F00_0000, // 2^63
    0x5F80_0000, // 2^64
];

/// FP16 patterns without sign.
const FP16: &[u32] = &[
    0x3C00, 0x0000, 0x4000, 0x3800, 0x0001, 0x0002, 0x03FF, 0x0400, 0x0401, 0x7BFF, 0x7BFE, 0x7C00,
    0x7E00, 0x7E55, 0x7FFF, 0x7C01, 0x7D55, 0x7DFF, 0x3C01, 0x3C20, 0x3C60, 0x3C40, 0x3CC0, 0x3C80,
    0x3D80, 0x3C1F, 0x3C21, 0x4BC0, 0x4BE0, 0x4BDF, 0x5B80, 0x5BC0, 0x5BBF, 0x7B00, 0x7B80, 0x7B7F,
    0x2400, 0x2000, 0x2001, 0x1800, 0x1400, 0x1401, 0x0080, 0x00C0, 0x3B33, 0x3E00, 0x4100, 0x57F0,
    0x5800, 0x5808, 0x5BF8, 0x5BFC, 0x5C00, 0x77FF, 0x7800,
];

/// BFLOAT16 patterns without sign.
const BFLOAT16: &[u32] = &[
    0x3F80, 0x0000, 0x4000, 0x3F00, 0x0001, 0x0002, 0x007F, 0x0080, 0x0081, 0x7F7F, 0x7F7E, 0x7F80,
    0x7FC0, 0x7FD5, 0x7FFF, 0x7F81, 0x7FA0, 0x7FBF, 0x3F81, 0x3F84, 0x3F8C, 0x3F88, 0x3F98, 0x3F90,
    0x3FB0, 0x4178, 0x417C, 0x417B, 0x4370, 0x4378, 0x4377, 0x4760, 0x4770, 0x476F, 0x477F, 0x4780,
    0x3C80, 0x3C00, 0x3C01, 0x3B00, 0x3A80, 0x3A81, 0x3780, 0x3700, 0x3701, 0x3380, 0x3300, 0x3301,
    0x3F66, 0x3FC0, 0x4020, 0x42FE, 0x42FF, 0x4300, 0x4301, 0x437F, 0x4380, 0x46FF, 0x4700, 0x4701,
    0x4EFF, 0x4F00, 0x4F80, 0x5F00,
];

/// FP8_EXP3 codes without sign.
const FP8_EXP3: &[u32] = &[
    0x30, 0x00, 0x40, 0x20, 0x01, 0x02, 0x0F, 0x10, 0x11, 0x6F, 0x6E, 0x70, 0x78, 0x79, 0x7F, 0x71,
    0x77, 0x31, 0x3F,
];
/// FP8_EXP4 codes without sign.
const FP8_EXP4: &[u32] = &[
    0x38, 0x00, 0x40, 0x30, 0x01, 0x02, 0x07, 0x08, 0x09, 0x77, 0x76, 0x78, 0x7C, 0x7D, 0x7F, 0x79,
    0x7B, 0x39, 0x3F,
];
/// FP8_EXP5 codes without sign.
const FP8_EXP5: &[u32] = &[
    0x3C, 0x00, 0x40, 0x38, 0x01, 0x02, 0x03, 0x04, 0x05, 0x7B, 0x7A, 0x7C, 0x7E, 0x7F, 0x7D, 0x3D,
    0x3F,
];

const BITS8: &[u32] =
    &[0x01, 0x00, 0xFF, 0x7F, 0x80, 0x81, 0x7E, 0xFE, 0x02, 0x40, 0xC0, 0x55, 0xAA, 0x07, 0x08];
const BITS16: &[u32] = &[
    0x0001, 0x0000, 0xFFFF, 0x7FFF, 0x8000, 0x8001, 0x7FFE, 0x0002, 0xFFFE, 0x4000, 0xC000, 0x00FF,
    0xFF00, 0x0100, 0x007F, 0x0080, 0xFF80, 0x5555, 0xAAAA, 0x000F, 0x0010, 0x0801, 0x0803,
];
const BITS32: &[u32] = &[
    0x0000_0001,
    0x0000_0000,
    0xFFFF_FFFF,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0x7FFF_FFFE,
    0x0000_0002,
    0xFFFF_FFFE,
    0x4000_0000,
    0xC000_0000,
    0x0000_FFFF,
    0xFFFF_0000,
    0x0000_8000,
    0x0000_7FFF,
    0x5555_5555,
    0xAAAA_AAAA,
    // Beyond 2^24: exact, tie to even downward, tie upward, and beside a tie.
    0x0100_0000,
    0x0100_0001,
    0x0100_0003,
    0x0200_0002,
    0x0200_0006,
    0x0200_0003,
    0x7FFF_FFBF,
    0x7FFF_FFC0,
    0xFEFF_FFFF,
    0xFFFF_FF7F,
    0xFFFF_FF80,
    // Shift counts at and beyond the width.
    0x0000_001F,
    0x0000_0020,
    0x0000_0021,
    0x0000_0007,
    0x0000_0008,
    0x0000_0010,
];

/// An edge set: patterns, and the sign bit that may be added to them.
#[derive(Debug, Clone, Copy)]
pub struct EdgeSet {
    /// Patterns; the first is the plainest.
    pub codes: &'static [u32],
    /// Sign bit of a floating-point format, 0 for integers.
    pub sign: u32,
}

/// The edge set of a dtype; that of raw bytes for a dtype without one.
pub const fn of(dtype: Dtype) -> EdgeSet {
    let (codes, sign) = match dtype {
        Dtype::Fp32 | Dtype::Fp32r => (FP32, 0x8000_0000),
        Dtype::Fp16 => (FP16, 0x8000),
        Dtype::Bfloat16 => (BFLOAT16, 0x8000),
        Dtype::Fp8Exp3 => (FP8_EXP3, 0x80),
        Dtype::Fp8Exp4 => (FP8_EXP4, 0x80),
        Dtype::Fp8Exp5 => (FP8_EXP5, 0x80),
        Dtype::Int16 | Dtype::Uint16 => (BITS16, 0),
        Dtype::Int32 | Dtype::Uint32 => (BITS32, 0),
        _ => (BITS8, 0),
    };
    EdgeSet { codes, sign }
}

/// Ranges `first ..= last` of the codes that are a NaN, without sign; the range from the infinity on.
pub const fn specials(dtype: Dtype) -> Option<(u32, u32)> {
    match dtype {
        Dtype::Fp32 | Dtype::Fp32r => Some((0x7F80_0000, 0x7FFF_FFFF)),
        Dtype::Fp16 => Some((0x7C00, 0x7FFF)),
        Dtype::Bfloat16 => Some((0x7F80, 0x7FFF)),
        Dtype::Fp8Exp3 => Some((0x70, 0x7F)),
        Dtype::Fp8Exp4 => Some((0x78, 0x7F)),
        Dtype::Fp8Exp5 => Some((0x7C, 0x7F)),
        _ => None,
    }
}
