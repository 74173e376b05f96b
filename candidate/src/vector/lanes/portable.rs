//! The portable path: SIMD within a register on eight 64-bit words.
//!
//! Lanes are kept apart by their sign bits: sums and differences are formed without the sign bits and
//! these are put back by exclusive or, comparisons are read off the borrow at the sign bit, variable
//! shifts are barrel shifters that select by one amount bit at a time.

use super::{Lanes, bytes_of_bits, expand_index};

/// Eight words, lowest first.
#[derive(Clone, Copy)]
pub(crate) struct Words([u64; 8]);

/// A `W`-bit pattern in every lane of a word.
#[inline(always)]
const fn repeat<const W: u32>(pattern: u64) -> u64 {
    let pattern = pattern & ones::<W>();
    match W {
        8 => pattern * 0x0101_0101_0101_0101,
        16 => pattern * 0x0001_0001_0001_0001,
        _ => pattern * 0x0000_0001_0000_0001,
    }
}

/// The low `W` bits.
#[inline(always)]
const fn ones<const W: u32>() -> u64 {
    (1 << W) - 1
}

/// The sign bits of a word.
#[inline(always)]
const fn signs<const W: u32>() -> u64 {
    repeat::<W>(1 << (W - 1))
}

/// Fills every lane with its sign bit; the other bits of `word` are 0.
#[inline(always)]
const fn spread<const W: u32>(word: u64) -> u64 {
    (word - (word >> (W - 1))) | word
}

#[inline(always)]
const fn add_word<const W: u32>(a: u64, b: u64) -> u64 {
    let high = signs::<W>();
    ((a & !high) + (b & !high)) ^ ((a ^ b) & high)
}

#[inline(always)]
const fn sub_word<const W: u32>(a: u64, b: u64) -> u64 {
    let high = signs::<W>();
    ((a | high) - (b & !high)) ^ ((a ^ !b) & high)
}

/// All ones in the lanes where `a < b`, unsigned: the borrow out of the sign bit.
#[inline(always)]
const fn less_word<const W: u32>(a: u64, b: u64) -> u64 {
    let difference = sub_word::<W>(a, b);
    spread::<W>(((!a & b) | (!(a ^ b) & difference)) & signs::<W>())
}

/// All ones in the lanes that are not zero.
#[inline(always)]
const fn non_zero_word<const W: u32>(word: u64) -> u64 {
    let high = signs::<W>();
    spread::<W>((((word & !high) + !high) | word) & high)
}

/// One bit per byte: the byte's highest.
#[inline(always)]
const fn gather_bits(word: u64) -> u64 {
    (word & 0x8080_8080_8080_8080).wrapping_mul(0x0002_0408_1020_4081) >> 56
}

impl Words {
    #[inline(always)]
    fn map(mut self, f: impl Fn(u64) -> u64) -> Self {
        for word in &mut self.0 {
            *word = f(*word);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = f(*word, other);
        }
        self
    }

    /// `self` where the bits of `mask` are 1, else `other`.
    #[inline(always)]
    fn select(self, mask: Self, other: Self) -> Self {
        self.zip(other, |set, clear| set ^ clear).and(mask).xor(other)
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.iter().enumerate().fold(0, |mask, (i, &word)| mask | gather_bits(word) << (8 * i))
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        self.store(&mut bytes);
        bytes
    }

    /// Saturates `result` where the sign bit of `overflow` is set, by the sign of `x`.
    #[inline(always)]
    fn saturate_16(result: u64, overflow: u64, x: u64) -> u64 {
        let overflow = spread::<16>(overflow & signs::<16>());
        let limit = spread::<16>(x & signs::<16>()) ^ repeat::<16>(0x7fff);
        result ^ ((result ^ limit) & overflow)
    }

    /// Barrel shifter: `step(word, n)` shifts every lane of a word by `n < W`; amounts from `W` on
    /// give `out_of_range`.
    #[inline(always)]
    fn barrel<const W: u32>(
        self,
        amounts: Self,
        out_of_range: Self,
        step: impl Fn(u64, u32) -> u64,
    ) -> Self {
        let mut value = self;
        for bit in 0..W.trailing_zeros() {
            let chosen = amounts.map(|word| spread::<W>(word << (W - 1 - bit) & signs::<W>()));
            value = value.map(|word| step(word, 1 << bit)).select(chosen, value);
        }
        let over = amounts.map(|word| non_zero_word::<W>(word & repeat::<W>(!u64::from(W - 1))));
        out_of_range.select(over, value)
    }

    /// Every lane its sign.
    #[inline(always)]
    fn sign_fill<const W: u32>(self) -> Self {
        self.map(|word| spread::<W>(word & signs::<W>()))
    }
}

#[inline(always)]
fn left_word<const W: u32>(word: u64, amount: u32) -> u64 {
    word << amount & repeat::<W>(ones::<W>() << amount)
}

#[inline(always)]
fn right_word<const W: u32>(word: u64, amount: u32) -> u64 {
    word >> amount & repeat::<W>(ones::<W>() >> amount)
}

#[inline(always)]
fn right_signed_word<const W: u32>(word: u64, amount: u32) -> u64 {
    let sign = spread::<W>(word & signs::<W>());
    right_word::<W>(word, amount) | (sign & !repeat::<W>(ones::<W>() >> amount))
}

impl Lanes for Words {
    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Self {
        let mut words = [0; 8];
        for (word, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*chunk);
        }
        Self(words)
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; 64]) {
        let (words, _) = bytes.as_chunks_mut::<8>();
        for (word, value) in words.iter_mut().zip(self.0) {
            *word = value.to_le_bytes();
        }
    }

    #[inline(always)]
    fn splat<const W: u32>(value: u32) -> Self {
        Self([repeat::<W>(u64::from(value)); 8])
    }

    #[inline(always)]
    fn low32(self) -> u32 {
        self.0[0] as u32
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn add<const W: u32>(self, other: Self) -> Self {
        self.zip(other, add_word::<W>)
    }

    #[inline(always)]
    fn sub<const W: u32>(self, other: Self) -> Self {
        self.zip(other, sub_word::<W>)
    }

    #[inline(always)]
    fn add_saturating_16(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let sum = add_word::<16>(a, b);
            Self::saturate_16(sum, !(a ^ b) & (a ^ sum), a)
        })
    }

    #[inline(always)]
    fn sub_saturating_16(self, other: Self) -> Self {
        self.zip(other, |a, b| {
            let difference = sub_word::<16>(a, b);
            Self::saturate_16(difference, (a ^ b) & (a ^ difference), a)
        })
    }

    #[inline(always)]
    fn min_signed<const W: u32>(self, other: Self) -> Self {
        let high = signs::<W>();
        self.zip(other, |a, b| b ^ ((a ^ b) & less_word::<W>(a ^ high, b ^ high)))
    }

    #[inline(always)]
    fn max_signed<const W: u32>(self, other: Self) -> Self {
        let high = signs::<W>();
        self.zip(other, |a, b| a ^ ((a ^ b) & less_word::<W>(a ^ high, b ^ high)))
    }

    #[inline(always)]
    fn min_unsigned<const W: u32>(self, other: Self) -> Self {
        self.zip(other, |a, b| b ^ ((a ^ b) & less_word::<W>(a, b)))
    }

    #[inline(always)]
    fn max_unsigned<const W: u32>(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ ((a ^ b) & less_word::<W>(a, b)))
    }

    #[inline(always)]
    fn multiply_add_pairs_16(self, other: Self) -> Self {
        let pair = |a: u32, b: u32| {
            let low = i32::from(a as i16) * i32::from(b as i16);
            let high = ((a as i32) >> 16) * ((b as i32) >> 16);
            u64::from(low.wrapping_add(high) as u32)
        };
        self.zip(other, |a, b| {
            pair(a as u32, b as u32) | pair((a >> 32) as u32, (b >> 32) as u32) << 32
        })
    }

    #[inline(always)]
    fn equal<const W: u32>(self, other: Self) -> u64 {
        !self.zip(other, |a, b| non_zero_word::<W>(a ^ b)).bits()
    }

    #[inline(always)]
    fn greater_signed<const W: u32>(self, other: Self) -> u64 {
        let high = signs::<W>();
        self.zip(other, |a, b| less_word::<W>(b ^ high, a ^ high)).bits()
    }

    #[inline(always)]
    fn blend(mask: u64, set: Self, clear: Self) -> Self {
        let mut chosen = [0; 8];
        for (i, word) in chosen.iter_mut().enumerate() {
            *word = bytes_of_bits(mask >> (8 * i) & 0xff) * u64::from(u8::MAX);
        }
        set.select(Self(chosen), clear)
    }

    #[inline(always)]
    fn shift_left<const W: u32>(self, amount: u32) -> Self {
        if amount >= W { Self([0; 8]) } else { self.map(|word| left_word::<W>(word, amount)) }
    }

    #[inline(always)]
    fn shift_right<const W: u32>(self, amount: u32) -> Self {
        if amount >= W { Self([0; 8]) } else { self.map(|word| right_word::<W>(word, amount)) }
    }

    #[inline(always)]
    fn shift_right_signed<const W: u32>(self, amount: u32) -> Self {
        let amount = amount.min(W - 1);
        self.map(|word| right_signed_word::<W>(word, amount))
    }

    #[inline(always)]
    fn shift_left_each<const W: u32>(self, amounts: Self) -> Self {
        self.barrel::<W>(amounts, Self([0; 8]), left_word::<W>)
    }

    #[inline(always)]
    fn shift_right_each<const W: u32>(self, amounts: Self) -> Self {
        self.barrel::<W>(amounts, Self([0; 8]), right_word::<W>)
    }

    #[inline(always)]
    fn shift_right_signed_each<const W: u32>(self, amounts: Self) -> Self {
        self.barrel::<W>(amounts, self.sign_fill::<W>(), right_signed_word::<W>)
    }

    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        let source = self.bytes();
        let mut bytes = index.bytes();
        for byte in &mut bytes {
            *byte = source[usize::from(*byte & 63)];
        }
        Self::load(&bytes)
    }

    #[inline(always)]
    fn permute_pool(low: Self, high: Self, index: Self) -> Self {
        let pool = [low.bytes(), high.bytes()];
        let mut bytes = index.bytes();
        for byte in &mut bytes {
            *byte = pool.as_flattened()[usize::from(*byte & 127)];
        }
        Self::load(&bytes)
    }

    #[inline(always)]
    fn look_up(self, table: &[u8; 16]) -> Self {
        let mut bytes = self.bytes();
        for byte in &mut bytes {
            *byte = table[usize::from(*byte & 15)];
        }
        Self::load(&bytes)
    }

    #[inline(always)]
    fn exchange<const B: usize>(self) -> Self {
        match B {
            1 => self.map(|word| {
                (word & 0x00ff_00ff_00ff_00ff) << 8 | (word >> 8 & 0x00ff_00ff_00ff_00ff)
            }),
            2 => self.map(|word| {
                (word & 0x0000_ffff_0000_ffff) << 16 | (word >> 16 & 0x0000_ffff_0000_ffff)
            }),
            4 => self.map(|word| word.rotate_left(32)),
            _ => {
                let mut words = self.0;
                for pair in words.chunks_exact_mut(B / 4) {
                    pair.rotate_left(B / 8);
                }
                Self(words)
            }
        }
    }

    #[inline(always)]
    fn expand(self, mask: u64, fill: Self) -> Self {
        Self::blend(mask, self.permute(Self::load(&expand_index(mask))), fill)
    }
}
