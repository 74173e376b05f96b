//! The AVX-512 path (F, BW, VL, VBMI, VBMI2): a register is one register, and nearly every primitive
//! is one instruction.

use super::Lanes;
use std::arch::x86_64::*;

/// One 512-bit register.
#[derive(Clone, Copy)]
pub(crate) struct Zmm(__m512i);

/// Applies an AVX-512 instruction.
///
/// SAFETY (of every use): a `Zmm` exists only after the five extensions were detected, see [`Lanes`].
macro_rules! zmm {
    ($f:ident($a:expr, =$b:expr)) => {{
        let (a, b) = ($a.0, $b);
        unsafe { Zmm($f(a, b)) }
    }};
    ($f:ident($a:expr, $b:expr)) => {{
        let (a, b) = ($a.0, $b.0);
        unsafe { Zmm($f(a, b)) }
    }};
}

/// The instruction of the width.
macro_rules! by_width {
    ($w:ident, $f8:ident, $f16:ident, $f32:ident, $a:expr, $b:expr) => {
        match $w {
            8 => zmm!($f8($a, $b)),
            16 => zmm!($f16($a, $b)),
            _ => zmm!($f32($a, $b)),
        }
    };
}

/// One bit per byte from one bit per 16-bit lane.
#[inline(always)]
fn mask_of_halves(lanes: __mmask32) -> u64 {
    // SAFETY: see `zmm`.
    unsafe { _mm512_movepi8_mask(_mm512_maskz_set1_epi16(lanes, -1)) }
}

/// One bit per byte from one bit per 32-bit lane.
#[inline(always)]
fn mask_of_words(lanes: __mmask16) -> u64 {
    // SAFETY: see `zmm`.
    unsafe { _mm512_movepi8_mask(_mm512_maskz_set1_epi32(lanes, -1)) }
}

/// An amount as the shift instructions take it; anything from `W` on is out of range for them too.
#[inline(always)]
fn count(amount: u32) -> __m128i {
    // SAFETY: SSE2, part of x86-64.
    unsafe { _mm_cvtsi32_si128(amount as i32) }
}

/// `VPEXPANDB` from a register. The intrinsic lets a load merge into the instruction, and that form is
/// wrong in the emulator that executes this path for us (`candidate/emulate`).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn expand_register(mut fill: __m512i, mask: u64, bytes: __m512i) -> __m512i {
    // SAFETY: reads and writes registers alone, with extensions that this function requires.
    unsafe {
        std::arch::asm!(
            "vpexpandb {fill}{{{mask}}}, {bytes}",
            fill = inout(zmm_reg) fill,
            mask = in(kreg) mask,
            bytes = in(zmm_reg) bytes,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    fill
}

impl Lanes for Zmm {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        // SAFETY: 64 readable bytes; the load takes any alignment. See `zmm`.
        unsafe { Self(_mm512_loadu_si512(bytes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        // SAFETY: 64 writable bytes; the store takes any alignment. See `zmm`.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat<const W: u32>(value: u32) -> Self {
        // SAFETY: see `zmm`.
        unsafe {
            Self(match W {
                8 => _mm512_set1_epi8(value as i8),
                16 => _mm512_set1_epi16(value as i16),
                _ => _mm512_set1_epi32(value as i32),
            })
        }
    }

    #[inline(always)]
    fn low32(self) -> u32 {
        // SAFETY: see `zmm`.
        unsafe { _mm512_cvtsi512_si32(self.0) as u32 }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        zmm!(_mm512_and_si512(self, other))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        zmm!(_mm512_or_si512(self, other))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        zmm!(_mm512_xor_si512(self, other))
    }

    #[inline(always)]
    fn add<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm512_add_epi8, _mm512_add_epi16, _mm512_add_epi32, self, other)
    }

    #[inline(always)]
    fn sub<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm512_sub_epi8, _mm512_sub_epi16, _mm512_sub_epi32, self, other)
    }

    #[inline(always)]
    fn add_saturating_16(self, other: Self) -> Self {
        zmm!(_mm512_adds_epi16(self, other))
    }

    #[inline(always)]
    fn sub_saturating_16(self, other: Self) -> Self {
        zmm!(_mm512_subs_epi16(self, other))
    }

    #[inline(always)]
    fn min_signed<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm512_min_epi8, _mm512_min_epi16, _mm512_min_epi32, self, other)
    }

    #[inline(always)]
    fn max_signed<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm512_max_epi8, _mm512_max_epi16, _mm512_max_epi32, self, other)
    }

    #[inline(always)]
    fn min_unsigned<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm512_min_epu8, _mm512_min_epu16, _mm512_min_epu32, self, other)
    }

    #[inline(always)]
    fn max_unsigned<const W: u32>(self, other: Self) -> Self {
        by_width!(W, _mm512_max_epu8, _mm512_max_epu16, _mm512_max_epu32, self, other)
    }

    #[inline(always)]
    fn multiply_add_pairs_16(self, other: Self) -> Self {
        zmm!(_mm512_madd_epi16(self, other))
    }

    #[inline(always)]
    fn equal<const W: u32>(self, other: Self) -> u64 {
        let (a, b) = (self.0, other.0);
        // SAFETY: see `zmm`.
        unsafe {
            match W {
                8 => _mm512_cmpeq_epi8_mask(a, b),
                16 => mask_of_halves(_mm512_cmpeq_epi16_mask(a, b)),
                _ => mask_of_words(_mm512_cmpeq_epi32_mask(a, b)),
            }
        }
    }

    #[inline(always)]
    fn greater_signed<const W: u32>(self, other: Self) -> u64 {
        let (a, b) = (self.0, other.0);
        // SAFETY: see `zmm`.
        unsafe {
            match W {
                8 => _mm512_cmpgt_epi8_mask(a, b),
                16 => mask_of_halves(_mm512_cmpgt_epi16_mask(a, b)),
                _ => mask_of_words(_mm512_cmpgt_epi32_mask(a, b)),
            }
        }
    }

    #[inline(always)]
    fn blend(mask: u64, set: Self, clear: Self) -> Self {
        // SAFETY: see `zmm`.
        unsafe { Self(_mm512_mask_blend_epi8(mask, clear.0, set.0)) }
    }

    #[inline(always)]
    fn shift_left<const W: u32>(self, amount: u32) -> Self {
        match W {
            16 => zmm!(_mm512_sll_epi16(self, =count(amount))),
            _ => zmm!(_mm512_sll_epi32(self, =count(amount))),
        }
    }

    #[inline(always)]
    fn shift_right<const W: u32>(self, amount: u32) -> Self {
        match W {
            16 => zmm!(_mm512_srl_epi16(self, =count(amount))),
            _ => zmm!(_mm512_srl_epi32(self, =count(amount))),
        }
    }

    #[inline(always)]
    fn shift_right_signed<const W: u32>(self, amount: u32) -> Self {
        match W {
            16 => zmm!(_mm512_sra_epi16(self, =count(amount))),
            _ => zmm!(_mm512_sra_epi32(self, =count(amount))),
        }
    }

    #[inline(always)]
    fn shift_left_each<const W: u32>(self, amounts: Self) -> Self {
        match W {
            16 => zmm!(_mm512_sllv_epi16(self, amounts)),
            _ => zmm!(_mm512_sllv_epi32(self, amounts)),
        }
    }

    #[inline(always)]
    fn shift_right_each<const W: u32>(self, amounts: Self) -> Self {
        match W {
            16 => zmm!(_mm512_srlv_epi16(self, amounts)),
            _ => zmm!(_mm512_srlv_epi32(self, amounts)),
        }
    }

    #[inline(always)]
    fn shift_right_signed_each<const W: u32>(self, amounts: Self) -> Self {
        match W {
            16 => zmm!(_mm512_srav_epi16(self, amounts)),
            _ => zmm!(_mm512_srav_epi32(self, amounts)),
        }
    }

    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        zmm!(_mm512_permutexvar_epi8(index, self))
    }

    #[inline(always)]
    fn permute_pool(low: Self, high: Self, index: Self) -> Self {
        // SAFETY: see `zmm`.
        unsafe { Self(_mm512_permutex2var_epi8(low.0, index.0, high.0)) }
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        // SAFETY: 16 readable bytes; the load takes any alignment. See `zmm`.
        let table = unsafe { Self(_mm512_broadcast_i32x4(_mm_loadu_si128(table.as_ptr().cast()))) };
        zmm!(_mm512_shuffle_epi8(table, self))
    }

    #[inline(always)]
    fn exchange<const B: usize>(self) -> Self {
        let all = self.0;
        // SAFETY: see `zmm`.
        unsafe {
            match B {
                1 => self.shift_left::<16>(8).or(self.shift_right::<16>(8)),
                2 => self.shift_left::<32>(16).or(self.shift_right::<32>(16)),
                4 => Self(_mm512_shuffle_epi32::<0xb1>(all)),
                8 => Self(_mm512_shuffle_epi32::<0x4e>(all)),
                16 => Self(_mm512_shuffle_i64x2::<0xb1>(all, all)),
                _ => Self(_mm512_shuffle_i64x2::<0x4e>(all, all)),
            }
        }
    }

    #[inline(always)]
    fn expand(self, mask: u64, fill: Self) -> Self {
        // SAFETY: see `zmm`.
        unsafe { Self(expand_register(fill.0, mask, self.0)) }
    }
}
