//! Values of operands. A generator draws a [`Style`] and a 64-bit sub-seed; [`Values`] then fills any
//! number of bytes from a fast generator of its own, so that bulk data costs no bytes of the input.
//! Styles: edge sets, structured series (ramps, cancellation, powers of two, runs, ties), mixes with
//! NaN, infinities and subnormals, random bits, and the values of a [`DataSource`].

pub mod edges;
pub mod formats;

use super::data::DataSource;
use super::draw::Draw;
use super::seed::fill_random;
use contract::isa::Dtype;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// How the elements of one operand relate to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Small integers and quarters.
    Plain,
    /// Members of the edge set.
    Edges,
    /// Members of the edge set, a few codes up or down.
    NearEdges,
    /// An arithmetic progression.
    Ramp,
    /// Large terms that cancel, with small ones between.
    Cancellation,
    /// Powers of two of either sign.
    Powers,
    /// Runs of equal elements.
    Runs,
    /// Values halfway between two neighbours of a narrower format, or beside halfway.
    Ties,
    /// Ordinary values mixed with NaN, infinity, zero and subnormals.
    Specials,
    /// Uniform between -2 and 2.
    Unit,
    /// Random bits.
    Bits,
    /// Consecutive values of the data source.
    Data,
}

/// Weights of the styles; the first is what exhausted bytes give.
const STYLES: &[(u32, Style)] = &[
    (12, Style::Plain),
    (20, Style::Edges),
    (6, Style::NearEdges),
    (8, Style::Ramp),
    (8, Style::Cancellation),
    (6, Style::Powers),
    (6, Style::Runs),
    (8, Style::Ties),
    (8, Style::Specials),
    (8, Style::Unit),
    (10, Style::Bits),
];

/// With a data source, this many operands in a hundred take their values from it.
const DATA_PERCENT: u32 = 60;

impl Style {
    /// Draws a style; [`Style::Data`] only if there is a data source.
    pub fn draw(draw: &mut Draw<'_>, has_data: bool) -> Self {
        if has_data && draw.percent(DATA_PERCENT) { Self::Data } else { draw.weighted(STYLES) }
    }
}

/// A source of elements of one dtype in one style.
pub struct Values<'d> {
    style: Style,
    dtype: Dtype,
    random: Xoshiro256PlusPlus,
    data: Option<&'d DataSource>,
}

impl<'d> Values<'d> {
    /// Elements of `dtype` in this style; the seed fixes all of them.
    pub fn new(style: Style, dtype: Dtype, seed: u64, data: Option<&'d DataSource>) -> Self {
        Self { style, dtype, random: Xoshiro256PlusPlus::seed_from_u64(seed), data }
    }

    /// Fills bytes with consecutive elements, little-endian; a partial last element is cut.
    pub fn fill(&mut self, out: &mut [u8]) {
        let (dtype, random) = (self.dtype, &mut self.random);
        match (self.style, self.data) {
            (Style::Bits, _) => fill_random(random, out),
            (Style::Data, Some(data)) => {
                let values = data.values();
                let mut at = random.next_u64() as usize % values.len();
                write(dtype, out, || {
                    let value = values[at];
                    at = (at + 1) % values.len();
                    formats::nearest(dtype, value)
                });
            }
            (Style::Plain | Style::Data, _) => write(dtype, out, || plain(dtype, random)),
            (Style::Edges, _) => write(dtype, out, || edge(dtype, random)),
            (Style::NearEdges, _) => write(dtype, out, || {
                let offset = random.next_u32() % 9;
                edge(dtype, random).wrapping_add(u64::from(offset)).wrapping_sub(4)
            }),
            (Style::Ramp, _) => ramp(dtype, random, out),
            (Style::Cancellation, _) => cancellation(dtype, random, out),
            (Style::Powers, _) => write(dtype, out, || power(dtype, random)),
            (Style::Runs, _) => {
                let (mut left, mut code) = (0, 0);
                write(dtype, out, || {
                    if left == 0 {
                        left = 1 + random.next_u32() % 7;
                        code = if random.next_u32() & 1 == 0 {
                            plain(dtype, random)
                        } else {
                            edge(dtype, random)
                        };
                    }
                    left -= 1;
                    code
                });
            }
            (Style::Ties, _) => write(dtype, out, || tie(dtype, random)),
            (Style::Specials, _) => {
                // Some operands are zeros of both signs but for a few elements: sums and extrema of
                // zeros alone show how their signs go.
                let zeros = random.next_u32() % 6 == 0;
                let sign = u64::from(edges::of(dtype).sign);
                write(dtype, out, || match random.next_u32() % 8 {
                    0 => special(dtype, random),
                    1..5 if zeros => sign,
                    _ if zeros => 0,
                    _ => special(dtype, random),
                });
            }
            (Style::Unit, _) => write(dtype, out, || unit(dtype, random)),
        }
    }

    /// One element in the low bits.
    pub fn one(&mut self) -> u32 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }
}

/// Writes elements one after the other.
fn write(dtype: Dtype, out: &mut [u8], mut next: impl FnMut() -> u64) {
    match formats::size_of(dtype.wire()) {
        Some(2) => {
            for bytes in out.chunks_mut(2) {
                let code = next().to_le_bytes();
                bytes.copy_from_slice(&code[..bytes.len()]);
            }
        }
        Some(4) => {
            let mut whole = out.chunks_exact_mut(4);
            for bytes in &mut whole {
                bytes.copy_from_slice(&(next() as u32).to_le_bytes());
            }
            let rest = whole.into_remainder();
            rest.fill(0);
        }
        Some(8) => {
            for bytes in out.chunks_mut(8) {
                let code = next().to_le_bytes();
                bytes.copy_from_slice(&code[..bytes.len()]);
            }
        }
        _ => out.iter_mut().for_each(|byte| *byte = next() as u8),
    }
}

/// A small integer, or a multiple of a quarter.
fn plain(dtype: Dtype, random: &mut impl RngCore) -> u64 {
    let draw = random.next_u32();
    let whole = (draw % 19) as i32 - 6;
    match dtype {
        Dtype::Uint8 | Dtype::Uint16 | Dtype::Uint32 | Dtype::Uint64 => u64::from(draw % 19),
        Dtype::Int8 | Dtype::Int16 | Dtype::Int32 | Dtype::Int64 => whole as i64 as u64,
        _ => {
            let quarters = if draw & 0x8000_0000 == 0 { 4 } else { 1 };
            formats::nearest(dtype, f64::from(whole * quarters) / 4.0)
        }
    }
}

/// A member of the edge set, with either sign.
fn edge(dtype: Dtype, random: &mut impl RngCore) -> u64 {
    let set = edges::of(dtype);
    let draw = random.next_u64();
    let index = ((draw & 0xFFFF_FFFF) * set.codes.len() as u64) >> 32;
    let sign = if draw >> 63 == 1 { set.sign } else { 0 };
    u64::from(set.codes[index as usize] | sign)
}

/// An arithmetic progression: of values in a floating-point format, of codes modulo the width in an
/// integer format.
fn ramp(dtype: Dtype, random: &mut impl RngCore, out: &mut [u8]) {
    const STEPS: [f64; 8] = [1.0, -1.0, 0.25, 2.0, 0.1, -3.5, 17.0, 1e-3];
    let draw = random.next_u64();
    if edges::of(dtype).sign == 0 {
        let mut code = if draw & 1 == 0 { plain(dtype, random) } else { edge(dtype, random) };
        let step = if draw & 2 == 0 { 1 } else { draw >> 8 };
        write(dtype, out, || {
            let now = code;
            code = code.wrapping_add(step);
            now
        });
    } else {
        let step = STEPS[(draw & 7) as usize];
        let mut value = f64::from((draw >> 8) as u8) / 8.0 - 16.0;
        write(dtype, out, || {
            let now = value;
            value += step;
            formats::nearest(dtype, now)
        });
    }
}

/// +large, small, -large, small, …; the small terms survive only in some orders of summation.
fn cancellation(dtype: Dtype, random: &mut impl RngCore, out: &mut [u8]) {
    let draw = random.next_u64();
    let small_first = draw & 1 == 1;
    let mut position = 0u32;
    if edges::of(dtype).sign == 0 {
        let large = edge(dtype, random);
        write(dtype, out, || {
            position += 1;
            match position % 4 {
                1 => large,
                3 => large.wrapping_neg(),
                _ => u64::from(random.next_u32() & 3),
            }
        });
    } else {
        let range = if dtype == Dtype::Fp32 || dtype == Dtype::Bfloat16 { 36 } else { 4 };
        let large = 2f64.powi(((draw >> 8) % range) as i32);
        write(dtype, out, || {
            position += 1;
            let value = match (position + u32::from(small_first)) % 4 {
                1 => large,
                3 => -large,
                _ => f64::from(random.next_u32() % 64 + 1) / 32.0,
            };
            formats::nearest(dtype, value)
        });
    }
}

/// A power of two of either sign: in half of the draws over the whole range of the format.
fn power(dtype: Dtype, random: &mut impl RngCore) -> u64 {
    let draw = random.next_u32();
    let set = edges::of(dtype);
    if set.sign == 0 {
        let bits = 8 * formats::size_of(dtype.wire()).unwrap_or(1);
        let one = 1u64 << ((draw >> 1) % bits);
        return if draw & 1 == 0 { one } else { one.wrapping_neg() };
    }
    if draw & 2 == 0 {
        let exponent = ((draw >> 8) % 9) as i32 - 4;
        let value = 2f64.powi(exponent);
        return formats::nearest(dtype, if draw & 1 == 0 { value } else { -value });
    }
    // The exponent field is the part of the infinity's code that is set.
    let (infinity, _) = edges::specials(dtype).unwrap_or((0x70, 0x7F));
    let unit = infinity & infinity.wrapping_neg();
    let code = ((draw >> 8) % (infinity / unit)) * unit;
    u64::from(code | if draw & 1 == 0 { 0 } else { set.sign })
}

/// A value halfway between two neighbours of a narrower format, or one code beside it.
fn tie(dtype: Dtype, random: &mut impl RngCore) -> u64 {
    let draw = random.next_u64();
    let noise = (draw >> 32) as u32;
    // Bits that a narrowing drops: to FP32R (10, 12, 13), FP16, BFLOAT16, FP8 and back to integers.
    let (dropped, width): (&[u32], u32) = match dtype {
        Dtype::Fp32 | Dtype::Fp32r => (&[10, 12, 13, 13, 16, 19, 20, 21], 32),
        Dtype::Fp16 => (&[6, 7, 8], 16),
        Dtype::Bfloat16 => (&[3, 4, 5], 16),
        Dtype::Int32 | Dtype::Uint32 => (&[1, 2, 3, 5, 7, 8], 32),
        Dtype::Int16 | Dtype::Uint16 => (&[4, 5, 6, 8, 9], 16),
        Dtype::Int8 | Dtype::Uint8 => (&[3, 4, 5], 8),
        _ => return u64::from(noise),
    };
    let mode = draw & 0x1F;
    if mode < 6 && edges::of(dtype).sign != 0 {
        let whole = f64::from((noise % 601) as i32 - 300);
        return formats::nearest(dtype, whole + 0.5);
    }
    let drop = dropped[(draw >> 8) as usize % dropped.len()];
    let kept = match dtype {
        // Exponents that the narrower formats can hold.
        Dtype::Fp32 | Dtype::Fp32r => (127 - 16 + (noise >> 4) % 33) << 23 | (noise >> 9),
        Dtype::Bfloat16 => (127 - 12 + (noise >> 4) % 25) << 7 | (noise >> 25),
        // The top bits of an integer set, so that the dropped ones lie below the significand.
        Dtype::Int32 | Dtype::Uint32 | Dtype::Int16 | Dtype::Uint16 => {
            (noise & 0x3FFF_FFFF | 0x4000_0000) >> (32 - width)
        }
        _ => noise >> (33 - width),
    };
    let half = 1u32 << (drop - 1);
    let base = kept & !((1 << drop) - 1) | half;
    let beside = match mode {
        6..20 => base,
        20..26 => base + 1,
        _ => base - 1,
    };
    let sign = if draw & 0x20 == 0 { 0 } else { 1 << (width - 1) };
    u64::from(beside ^ sign)
}

/// An ordinary value, or one of NaN, infinity, zero, subnormal (an integer extreme).
fn special(dtype: Dtype, random: &mut impl RngCore) -> u64 {
    let draw = random.next_u64();
    let sign = edges::of(dtype).sign;
    if draw & 7 < 4 {
        return unit(dtype, random);
    }
    let Some((infinity, last)) = edges::specials(dtype) else { return edge(dtype, random) };
    let noise = (draw >> 32) as u32;
    let code = match draw & 7 {
        4 => infinity + 1 + noise % (last - infinity),
        5 => infinity,
        6 => noise % (infinity & infinity.wrapping_neg()),
        _ => 0,
    };
    u64::from(code | if draw & 8 == 0 { 0 } else { sign })
}

/// Uniform between -2 and 2; an integer between -128 and 127, clipped to the dtype by its width.
fn unit(dtype: Dtype, random: &mut impl RngCore) -> u64 {
    let draw = random.next_u32() as i32;
    match dtype {
        Dtype::Fp32 => u64::from((draw as f32 * 2f32.powi(-30)).to_bits()),
        _ if edges::of(dtype).sign == 0 => (i64::from(draw) >> 24) as u64,
        _ => formats::nearest(dtype, f64::from(draw) * 2f64.powi(-30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DTYPES: [Dtype; 13] = [
        Dtype::Int8,
        Dtype::Uint8,
        Dtype::Int16,
        Dtype::Uint16,
        Dtype::Int32,
        Dtype::Uint32,
        Dtype::Fp32,
        Dtype::Fp32r,
        Dtype::Fp16,
        Dtype::Bfloat16,
        Dtype::Fp8Exp3,
        Dtype::Fp8Exp4,
        Dtype::Fp8Exp5,
    ];

    #[test]
    fn a_seed_fixes_every_element_of_every_style() {
        let data = DataSource::from_values("test", vec![1.0, 2.5, -3.0]).expect("not empty");
        for dtype in DTYPES {
            for style in STYLES.iter().map(|&(_, style)| style).chain([Style::Data]) {
                let fill = |seed| {
                    let mut out = vec![0xEE; 67];
                    Values::new(style, dtype, seed, Some(&data)).fill(&mut out);
                    out
                };
                assert_eq!(fill(5), fill(5));
                let seeds: std::collections::BTreeSet<_> = (0..8).map(fill).collect();
                assert!(seeds.len() > 1, "{style:?} {} ignores its seed", dtype.name());
            }
        }
    }

    #[test]
    fn ties_of_fp32_lie_halfway_between_two_fp16_values_often() {
        let mut values = Values::new(Style::Ties, Dtype::Fp32, 9, None);
        let halfway = (0..400).filter(|_| values.one() & 0x1FFF == 0x1000).count();
        assert!(halfway > 20, "{halfway} of 400");
    }

    #[test]
    fn specials_hold_quiet_and_signalling_nans_infinities_and_subnormals() {
        for dtype in [Dtype::Fp32, Dtype::Fp16, Dtype::Bfloat16] {
            let (infinity, _) = edges::specials(dtype).expect("a floating-point format");
            let sign = edges::of(dtype).sign;
            let quiet = (infinity & infinity.wrapping_neg()) >> 1;
            let mut values = Values::new(Style::Specials, dtype, 3, None);
            let mut seen = [0; 4];
            for _ in 0..600 {
                let code = values.one() & (sign | (sign - 1)) & !sign;
                let class = if code == infinity {
                    2
                } else if code > infinity {
                    usize::from(code & quiet != 0)
                } else if code != 0 && code < quiet << 1 {
                    3
                } else {
                    continue;
                };
                seen[class] += 1;
            }
            assert!(seen.iter().all(|&count| count > 5), "{}: {seen:?}", dtype.name());
        }
    }
}
