//! Primitive operations on one 512-bit register, written once per code path.
//!
//! [`Lanes`] is everything that an op of the vector unit may ask of the machine: some thirty
//! primitives, each with an obvious meaning lane by lane. The ops are generic over it, so that a code
//! path is right as soon as its primitives are. [`Words`] is plain Rust on 64-bit words (SIMD within
//! a register), [`Ymm`] is AVX2, [`Zmm`] is AVX-512.
//!
//! Two conventions hold everywhere:
//! - `W` is an element width in bits: 8, 16 or 32; nothing else is ever instantiated.
//! - A *mask* is a `u64` with one bit per byte, the layout of a vbool register (spec 04 section 2.1).
//!   Comparisons set every bit of a lane's field; blends look at every bit.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Ymm;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Zmm;
pub(super) use portable::Words;

/// A 512-bit register with the primitives of one code path.
///
/// The values of a SIMD path may exist only on a machine that has its instructions; the executor
/// enters a path after detection alone, and every method is inlined into the function that carries
/// the path's target features.
pub(super) trait Lanes: Copy {
    /// Reads 64 bytes, lowest first, from any address.
    fn load(bytes: &[u8; 64]) -> Self;
    /// Writes 64 bytes, lowest first, to any address.
    fn store(self, bytes: &mut [u8; 64]);
    /// The low `W` bits of a value in every lane.
    fn splat<const W: u32>(value: u32) -> Self;
    /// The lowest 32 bits.
    fn low32(self) -> u32;

    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;

    /// Sum modulo 2^W.
    fn add<const W: u32>(self, other: Self) -> Self;
    /// Difference modulo 2^W.
    fn sub<const W: u32>(self, other: Self) -> Self;
    /// Signed saturating 16-bit sum.
    fn add_saturating_16(self, other: Self) -> Self;
    /// Signed saturating 16-bit difference.
    fn sub_saturating_16(self, other: Self) -> Self;
    /// Signed minimum.
    fn min_signed<const W: u32>(self, other: Self) -> Self;
    /// Signed maximum.
    fn max_signed<const W: u32>(self, other: Self) -> Self;
    /// Unsigned minimum.
    fn min_unsigned<const W: u32>(self, other: Self) -> Self;
    /// Unsigned maximum.
    fn max_unsigned<const W: u32>(self, other: Self) -> Self;
    /// 32-bit lane `k`: the sum of the signed products of 16-bit lanes `2k` and `2k + 1`, modulo 2^32.
    fn multiply_add_pairs_16(self, other: Self) -> Self;

    /// Mask of the lanes that are equal.
    fn equal<const W: u32>(self, other: Self) -> u64;
    /// Mask of the lanes where `self` is greater, signed.
    fn greater_signed<const W: u32>(self, other: Self) -> u64;
    /// Byte `i` of `set` where bit `i` of the mask is 1, else of `clear`.
    fn blend(mask: u64, set: Self, clear: Self) -> Self;

    /// Left shift of every lane by one amount, `W` 16 or 32; 0 from `W` on.
    fn shift_left<const W: u32>(self, amount: u32) -> Self;
    /// Logical right shift, as [`shift_left`](Self::shift_left).
    fn shift_right<const W: u32>(self, amount: u32) -> Self;
    /// Arithmetic right shift, as [`shift_left`](Self::shift_left); sign fill from `W` on.
    fn shift_right_signed<const W: u32>(self, amount: u32) -> Self;
    /// Left shift of each lane by the unsigned lane of `amounts`, `W` 16 or 32; 0 from `W` on.
    fn shift_left_each<const W: u32>(self, amounts: Self) -> Self;
    /// Logical right shift, as [`shift_left_each`](Self::shift_left_each).
    fn shift_right_each<const W: u32>(self, amounts: Self) -> Self;
    /// Arithmetic right shift, as [`shift_left_each`](Self::shift_left_each); sign fill from `W` on.
    fn shift_right_signed_each<const W: u32>(self, amounts: Self) -> Self;

    /// Byte `i` is byte `index[i] mod 64` of `self`.
    fn permute(self, index: Self) -> Self;
    /// Byte `i` is byte `index[i] mod 128` of the pool `low`, then `high`.
    fn permute_pool(low: Self, high: Self, index: Self) -> Self;
    /// Byte `i` is entry `self[i]` of the table; every byte of `self` is below 16.
    fn look_up(self, table: &[u8; 16]) -> Self;
    /// Exchanges neighbouring blocks of `B` bytes (1, 2, 4, 8, 16 or 32): byte `i` is byte `i ^ B`.
    fn exchange<const B: usize>(self) -> Self;
    /// Bytes of `self` from byte 0 on, in order, at the 1 bits of the mask; bytes of `fill` elsewhere.
    fn expand(self, mask: u64, fill: Self) -> Self;

    /// All bits 0.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat::<32>(0)
    }
    /// Bitwise complement.
    #[inline(always)]
    fn not(self) -> Self {
        self.xor(Self::splat::<32>(u32::MAX))
    }
    /// Lane `l` is `l`.
    #[inline(always)]
    fn iota<const W: u32>() -> Self {
        Self::load(match W {
            8 => &IOTA[0].0,
            16 => &IOTA[1].0,
            _ => &IOTA[2].0,
        })
    }
}

/// Aligned constant of one register.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Constant(pub(super) [u8; 64]);

/// `iota` of the three widths.
static IOTA: [Constant; 3] = {
    let mut out = [Constant([0; 64]); 3];
    let mut width = 0;
    while width < 3 {
        let mut lane = 0;
        while lane < 64 >> width {
            out[width].0[lane << width] = lane as u8;
            lane += 1;
        }
        width += 1;
    }
    out
};

/// Byte indices of an expand: byte `l` is the number of 1 bits of the mask strictly below bit `l`.
///
/// Eight lanes at a time: the bits of a mask byte become the bytes 0 or 1 of a word, one multiply
/// gives their running sums.
#[inline(always)]
fn expand_index(mask: u64) -> [u8; 64] {
    let mut index = [0; 64];
    let mut below = 0;
    for (step, out) in index.chunks_exact_mut(8).enumerate() {
        let bits = mask >> (8 * step) & 0xff;
        let sums = bytes_of_bits(bits).wrapping_mul(0x0101_0101_0101_0100);
        let word = sums.wrapping_add(0x0101_0101_0101_0101_u64.wrapping_mul(below));
        out.copy_from_slice(&word.to_le_bytes());
        below += u64::from(bits.count_ones());
    }
    index
}

/// Spreads the low eight bits over the bytes of a word: byte `i` is bit `i`.
#[inline(always)]
const fn bytes_of_bits(bits: u64) -> u64 {
    let selected = bits.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    (selected + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101
}
