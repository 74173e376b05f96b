//! The AVX2 path: a register is two 256-bit halves.
//!
//! AVX2 moves bytes within 16-byte blocks only, so a byte permute asks each block of the pool for the
//! bytes that it holds and joins the answers. Sixteen-bit variable shifts run on the even and the odd
//! lanes of 32-bit shifts.

use super::{Lanes, expand_index};
use std::arch::x86_64::*;

/// Low and high half.
#[derive(Clone, Copy)]
pub(crate) struct Ymm([__m256i; 2]);

/// Applies an AVX2 instruction to both halves.
///
/// SAFETY (of every use): a `Ymm` exists only after AVX2 was detected, see [`Lanes`].
macro_rules! halves {
    ($f:ident($a:expr)) => {{
        let a = $a.0;
        unsafe { Ymm([$f(a[0]), $f(a[1])]) }
    }};
    ($f:ident($a:expr, =$b:expr)) => {{
        let (a, b) = ($a.0, $b);
        unsafe { Ymm([$f(a[0], b), $f(a[1], b)]) }
    }};
    ($f:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a.0, $b.0);
        unsafe { Ymm([$f(a[0], b[0]), $f(a[1], b[1])]) }
    }};
}

/// The instruction of the width.
macro_rules! by_width {
    ($w:ident, $f8:ident, $f16:ident, $f32:ident, $($args:tt)*) => {
        match $w {
            8 => halves!($f8($($args)*)),
            16 => halves!($f16($($args)*)),
            _ => halves!($f32($($args)*)),
        }
    };
}

// Instructions stand in these functions themselves and never in closures: a closure that is not inlined
// lacks the target features, and every instruction in it would become a call.
impl Ymm {
    /// One bit per byte: the byte's highest.
    #[inline(always)]
    fn bits(self) -> u64 {
        let [low, high] = self.0;
        // SAFETY: see `halves`.
        let [low, high] = unsafe { [sign_bits(low), sign_bits(high)] };
        u64::from(low) | u64::from(high) << 32
    }

    /// All ones in the bytes whose bit of the mask is 1.
    #[inline(always)]
    fn of_bits(mask: u64) -> Self {
        // SAFETY: see `halves`.
        unsafe {
            let byte_of_lane = _mm256_setr_epi64x(
                0,
                0x0101_0101_0101_0101,
                0x0202_0202_0202_0202,
                0x0303_0303_0303_0303,
            );
            let bit_of_lane = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let low = _mm256_shuffle_epi8(_mm256_set1_epi32(mask as i32), byte_of_lane);
            let high = _mm256_shuffle_epi8(_mm256_set1_epi32((mask >> 32) as i32), byte_of_lane);
            Self([
                _mm256_cmpeq_epi8(_mm256_and_si256(low, bit_of_lane), bit_of_lane),
                _mm256_cmpeq_epi8(_mm256_and_si256(high, bit_of_lane), bit_of_lane),
            ])
        }
    }

    /// The four 16-byte blocks, each in both lanes of a half.
    #[inline(always)]
    fn blocks(self) -> [__m256i; 4] {
        let [low, high] = self.0;
        // SAFETY: see `halves`.
        unsafe {
            [
                _mm256_permute2x128_si256::<0x00>(low, low),
                _mm256_permute2x128_si256::<0x11>(low, low),
                _mm256_permute2x128_si256::<0x00>(high, high),
                _mm256_permute2x128_si256::<0x11>(high, high),
            ]
        }
    }

    /// Bytes of four blocks by indices `16 * first` to `16 * first + 63`; 0 for other indices.
    #[inline(always)]
    fn from_blocks(blocks: [__m256i; 4], first: i8, index: Self) -> Self {
        let [a, b, c, d] = blocks;
        // An index into this block becomes 0x70..=0x7f, any other one at least 0x80, for which the
        // shuffle gives 0.
        macro_rules! block {
            ($block:ident, $number:expr) => {{
                let number = Self::splat::<8>(($number as u32) << 4);
                let far = Self::splat::<8>(0x70);
                let here = index.xor(number);
                let here = halves!(_mm256_adds_epu8(here, far));
                let block = Self([$block; 2]);
                halves!(_mm256_shuffle_epi8(block, here))
            }};
        }
        let low = block!(a, first).or(block!(b, first + 1));
        let high = block!(c, first + 2).or(block!(d, first + 3));
        low.or(high)
    }
}

/// The highest bit of every byte. The instruction is spelled out because the compiler, if it knows what
/// the intrinsic does, joins the masks of different branches as vectors of single bits and then builds
/// them byte by byte.
#[inline]
#[target_feature(enable = "avx2")]
fn sign_bits(bytes: __m256i) -> u32 {
    let bits;
    // SAFETY: AVX2 is enabled here; the instruction touches its two registers alone.
    unsafe {
        std::arch::asm!(
            "vpmovmskb {bits:e}, {bytes}",
            bytes = in(ymm_reg) bytes,
            bits = out(reg) bits,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    bits
}

/// An amount as the shift instructions take it; anything from `W` on is out of range for them too.
#[inline(always)]
fn count(amount: u32) -> __m128i {
    // SAFETY: SSE2, part of x86-64.
    unsafe { _mm_cvtsi32_si128(amount as i32) }
}

impl Lanes for Ymm {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let at = bytes.as_ptr().cast::<__m256i>();
        // SAFETY: 64 readable bytes; the load takes any alignment.
        unsafe { Self([_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))]) }
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        let at = bytes.as_mut_ptr().cast::<__m256i>();
        // SAFETY: 64 writable bytes; the store takes any alignment.
        unsafe {
            _mm256_storeu_si256(at, self.0[0]);
            _mm256_storeu_si256(at.add(1), self.0[1]);
        }
    }

    #[inline(always)]
    fn splat<const W: u32>(value: u32) -> Self {
        // SAFETY: see `halves`.
        let half = unsafe {
            match W {
                8 => _mm256_set1_epi8(value as i8),
                16 => _mm256_set1_epi16(value as i16),
                _ => _mm256_set1_epi32(value as i32),
            }
        };
        Self([half; 2])
    }

    #[inline(always)]
    fn low32(self) -> u32 {
        // SAFETY: see `halves`.
        unsafe { _mm256_cvtsi256_si32(self.0[0]) as u32 }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        halves!(_mm256_and_si256(self, other))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        halves!(_mm256_or_si256(self, other))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        halves!(_mm256_xor_si256(self, other))
    }

    #[inline(always)]
    fn add<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32, self, other)
    }

    #[inline(always)]
    fn sub<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm256_sub_epi8, _mm256_sub_epi16, _mm256_sub_epi32, self, other)
    }

    #[inline(always)]
    fn add_saturating_16(self, other: Self) -> Self {
        halves!(_mm256_adds_epi16(self, other))
    }

    #[inline(always)]
    fn sub_saturating_16(self, other: Self) -> Self {
        halves!(_mm256_subs_epi16(self, other))
    }

    #[inline(always)]
    fn min_signed<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm256_min_epi8, _mm256_min_epi16, _mm256_min_epi32, self, other)
    }

    #[inline(always)]
    fn max_signed<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm256_max_epi8, _mm256_max_epi16, _mm256_max_epi32, self, other)
    }

    #[inline(always)]
    fn min_unsigned<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm256_min_epu8, _mm256_min_epu16, _mm256_min_epu32, self, other)
    }

    #[inline(always)]
    fn max_unsigned<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm256_max_epu8, _mm256_max_epu16, _mm256_max_epu32, self, other)
    }

    #[inline(always)]
    fn multiply_add_pairs_16(self, other: Self) -> Self {
        halves!(_mm256_madd_epi16(self, other))
    }

    #[inline(always)]
    fn equal<const W: u32>(self, other: Self) -> u64 {
        by_width!(W, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_cmpeq_epi32, self, other).bits()
    }

    #[inline(always)]
    fn greater_signed<const W: u32>(self, other: Self) -> u64 {
        by_width!(W, _mm256_cmpgt_epi8, _mm256_cmpgt_epi16, _mm256_cmpgt_epi32, self, other).bits()
    }

    #[inline(always)]
    fn blend(mask: u64, set: Self, clear: Self) -> Self {
        let chosen = Self::of_bits(mask).0;
        // SAFETY: see `halves`.
        unsafe {
            Self([
                _mm256_blendv_epi8(clear.0[0], set.0[0], chosen[0]),
                _mm256_blendv_epi8(clear.0[1], set.0[1], chosen[1]),
            ])
        }
    }

    #[inline(always)]
    fn shift_left<const W: u32>(self, amount: u32) -> Self {
        match W {
            16 => halves!(_mm256_sll_epi16(self, =count(amount))),
            _ => halves!(_mm256_sll_epi32(self, =count(amount))),
        }
    }

    #[inline(always)]
    fn shift_right<const W: u32>(self, amount: u32) -> Self {
        match W {
            16 => halves!(_mm256_srl_epi16(self, =count(amount))),
            _ => halves!(_mm256_srl_epi32(self, =count(amount))),
        }
    }

    #[inline(always)]
    fn shift_right_signed<const W: u32>(self, amount: u32) -> Self {
        match W {
            16 => halves!(_mm256_sra_epi16(self, =count(amount))),
            _ => halves!(_mm256_sra_epi32(self, =count(amount))),
        }
    }

    #[inline(always)]
    fn shift_left_each<const W: u32>(self, amounts: Self) -> Self {
        if W == 32 {
            return halves!(_mm256_sllv_epi32(self, amounts));
        }
        let low = Self::splat::<32>(0xffff);
        let even = self.shift_left_each::<32>(amounts.and(low)).and(low);
        let odd = self.and(low.not()).shift_left_each::<32>(amounts.shift_right::<32>(16));
        even.or(odd)
    }

    #[inline(always)]
    fn shift_right_each<const W: u32>(self, amounts: Self) -> Self {
        if W == 32 {
            return halves!(_mm256_srlv_epi32(self, amounts));
        }
        let low = Self::splat::<32>(0xffff);
        let even = self.and(low).shift_right_each::<32>(amounts.and(low));
        let odd = self.shift_right_each::<32>(amounts.shift_right::<32>(16)).and(low.not());
        even.or(odd)
    }

    #[inline(always)]
    fn shift_right_signed_each<const W: u32>(self, amounts: Self) -> Self {
        if W == 32 {
            return halves!(_mm256_srav_epi32(self, amounts));
        }
        let low = Self::splat::<32>(0xffff);
        let even = self.shift_left::<32>(16).shift_right_signed_each::<32>(amounts.and(low));
        let odd = self.shift_right_signed_each::<32>(amounts.shift_right::<32>(16));
        even.shift_right::<32>(16).or(odd.and(low.not()))
    }

    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Self::from_blocks(self.blocks(), 0, index.and(Self::splat::<8>(63)))
    }

    #[inline(always)]
    fn permute_pool(low: Self, high: Self, index: Self) -> Self {
        let index = index.and(Self::splat::<8>(127));
        let low = Self::from_blocks(low.blocks(), 0, index);
        low.or(Self::from_blocks(high.blocks(), 4, index))
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        // SAFETY: 16 readable bytes; the load takes any alignment. See `halves`.
        let table = unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) };
        let table = Self([table; 2]);
        halves!(_mm256_shuffle_epi8(table, self))
    }

    #[inline(always)]
    fn exchange<const B: usize>(self) -> Self {
        let [low, high] = self.0;
        // SAFETY: see `halves`.
        unsafe {
            match B {
                1 => self.shift_left::<16>(8).or(self.shift_right::<16>(8)),
                2 => self.shift_left::<32>(16).or(self.shift_right::<32>(16)),
                4 => Self([_mm256_shuffle_epi32::<0xb1>(low), _mm256_shuffle_epi32::<0xb1>(high)]),
                8 => Self([_mm256_shuffle_epi32::<0x4e>(low), _mm256_shuffle_epi32::<0x4e>(high)]),
                16 => Self([
                    _mm256_permute4x64_epi64::<0x4e>(low),
                    _mm256_permute4x64_epi64::<0x4e>(high),
                ]),
                _ => Self([high, low]),
            }
        }
    }

    #[inline(always)]
    fn expand(self, mask: u64, fill: Self) -> Self {
        Self::blend(mask, self.permute(Self::load(&expand_index(mask))), fill)
    }
}
