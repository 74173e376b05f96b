//! Simple values of elements. An [`Encoding`] says how one and minus one look in an element of some
//! width, so that the same value pass serves every dtype, lane and immediate; [`decode`] and
//! [`encode`] carry a value from one dtype to another when a dtype is simplified. They round toward
//! zero and need not be exact: whether the divergence survived is judged afterwards.

use contract::isa::Dtype;
use std::sync::LazyLock;

/// How simple numbers look in one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Encoding {
    /// Bytes of the element, 1 to 8.
    pub bytes: usize,
    /// The bits of simple numbers, simplest first: 0, 1, -1, then others.
    simple: &'static [u64],
}

/// Heaviness of a value: place among the simple numbers, set bits, magnitude of the bits.
pub(super) type Heaviness = (u64, u64, u64);

/// Numbers that are simple as floats, simplest first.
const FLOATS: [f64; 14] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    1.5,
    -2.0,
    -0.5,
    -1.5,
    3.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Numbers that are simple as integers; small ones have few bits anyway.
const INTEGERS: [f64; 3] = [0.0, 1.0, -1.0];

/// The bits of the simple numbers of every dtype, by wire code.
static SIMPLE: LazyLock<Vec<Vec<u64>>> = LazyLock::new(|| {
    let of = |dtype: Dtype| {
        let bytes = u32::from(dtype.storage_bytes()).max(1);
        match Float::of(dtype) {
            Some(float) => FLOATS.iter().map(|&number| float.encode(number)).collect(),
            None => {
                // -1 is all ones whatever the signedness.
                let bits = |&number: &f64| number as i64 as u64 & (u64::MAX >> (64 - 8 * bytes));
                INTEGERS.iter().map(bits).collect()
            }
        }
    };
    (0..=u8::MAX).map(|wire| Dtype::from_wire(wire).map_or_else(Vec::new, of)).collect()
});

impl Encoding {
    /// Two's complement of 1, 2, 4 or 8 bytes.
    pub(super) fn integer(bytes: usize) -> Self {
        Self::of(match bytes {
            1 => Dtype::Int8,
            2 => Dtype::Int16,
            4 => Dtype::Int32,
            _ => Dtype::Int64,
        })
    }

    /// The encoding of a dtype; single bytes where its elements are no whole bytes.
    pub(super) fn of(dtype: Dtype) -> Self {
        let bytes = usize::from(dtype.storage_bytes()).max(1);
        Self { bytes, simple: &SIMPLE[usize::from(dtype.wire())] }
    }

    /// The same numbers in more bytes.
    pub(super) fn widened(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }

    /// The bits of 1.
    pub(super) fn one(self) -> u64 {
        self.simple[1]
    }

    /// True if the elements are floats.
    pub(super) fn is_float(self) -> bool {
        self.simple.len() == FLOATS.len()
    }

    /// How much of a burden the value is.
    pub(super) fn heaviness(self, value: u64) -> Heaviness {
        match self.simple.iter().position(|&simple| simple == value) {
            Some(place) => (place as u64, 0, 0),
            None => (self.simple.len() as u64, value.count_ones().into(), value),
        }
    }

    /// Lighter values, most promising first: the simple ones, then fewer set bits (the lower half of
    /// them, the upper half, each alone).
    pub(super) fn lighter(self, value: u64) -> impl Iterator<Item = u64> {
        let heaviness = self.heaviness(value);
        let bits: Vec<_> = (0..64).filter(|bit| value >> bit & 1 == 1).collect();
        let without = move |range: std::ops::Range<usize>| {
            bits[range].iter().fold(value, |rest, bit| rest & !(1 << bit))
        };
        let count = value.count_ones() as usize;
        let simple = self.simple.iter().copied();
        simple
            .chain(super::edit::chunks(count).skip(1).map(without))
            .filter(move |&lighter| self.heaviness(lighter) < heaviness)
    }
}

/// Reads an element, lowest byte first. `bytes` holds at most eight.
pub(super) fn load(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Writes an element, lowest byte first.
pub(super) fn store(bytes: &mut [u8], value: u64) {
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = (value >> (8 * index)) as u8;
    }
}

/// The number that the bits stand for.
pub(super) fn decode(dtype: Dtype, bits: u64) -> Option<f64> {
    if let Some(float) = Float::of(dtype) {
        return Some(float.decode(bits));
    }
    Some(match dtype {
        Dtype::Int8 => f64::from(bits as i8),
        Dtype::Uint8 => f64::from(bits as u8),
        Dtype::Int16 => f64::from(bits as i16),
        Dtype::Uint16 => f64::from(bits as u16),
        Dtype::Int32 => f64::from(bits as i32),
        Dtype::Uint32 => f64::from(bits as u32),
        Dtype::Int64 => bits as i64 as f64,
        Dtype::Uint64 => bits as f64,
        _ => return None,
    })
}

/// The bits of the nearest value toward zero; saturating integers, infinite floats.
pub(super) fn encode(dtype: Dtype, value: f64) -> Option<u64> {
    if let Some(float) = Float::of(dtype) {
        return Some(float.encode(value));
    }
    Some(match dtype {
        Dtype::Int8 => u64::from(value as i8 as u8),
        Dtype::Uint8 => u64::from(value as u8),
        Dtype::Int16 => u64::from(value as i16 as u16),
        Dtype::Uint16 => u64::from(value as u16),
        Dtype::Int32 => u64::from(value as i32 as u32),
        Dtype::Uint32 => u64::from(value as u32),
        Dtype::Int64 => value as i64 as u64,
        Dtype::Uint64 => value as u64,
        _ => return None,
    })
}

/// Exponent and fraction bits of a floating format (spec 03 section 3.1).
#[derive(Clone, Copy)]
struct Float {
    exponent: u32,
    fraction: u32,
}

impl Float {
    fn of(dtype: Dtype) -> Option<Self> {
        let (exponent, fraction) = match dtype {
            Dtype::Fp32 | Dtype::Fp32r => (8, 23),
            Dtype::Bfloat16 => (8, 7),
            Dtype::Fp16 => (5, 10),
            Dtype::Fp8Exp3 => (3, 4),
            Dtype::Fp8Exp4 => (4, 3),
            Dtype::Fp8Exp5 => (5, 2),
            _ => return None,
        };
        Some(Self { exponent, fraction })
    }

    /// Position of the sign bit.
    fn sign(self) -> u32 {
        self.exponent + self.fraction
    }

    /// The exponent field of infinities and NaNs.
    fn top(self) -> i64 {
        (1 << self.exponent) - 1
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    fn decode(self, bits: u64) -> f64 {
        let fraction = bits & ((1 << self.fraction) - 1);
        let exponent = (bits >> self.fraction) as i64 & self.top();
        let unit = |exponent: i64| 2f64.powi((exponent - self.bias()) as i32);
        let magnitude = if exponent == self.top() {
            if fraction == 0 { f64::INFINITY } else { f64::NAN }
        } else if exponent == 0 {
            fraction as f64 * unit(1 - i64::from(self.fraction))
        } else {
            (fraction | 1 << self.fraction) as f64 * unit(exponent - i64::from(self.fraction))
        };
        if bits >> self.sign() & 1 == 1 { -magnitude } else { magnitude }
    }

    fn encode(self, value: f64) -> u64 {
        let sign = u64::from(value.is_sign_negative()) << self.sign();
        let top = (self.top() as u64) << self.fraction;
        if value.is_nan() {
            return sign | top | 1 << (self.fraction - 1);
        }
        let bits = value.abs().to_bits();
        let exponent = (bits >> 52) as i64 - 1023 + self.bias();
        if value.is_infinite() || exponent >= self.top() {
            return sign | top;
        }
        // The fraction with its leading one; an f64 subnormal is zero in every format here.
        let fraction = (bits & ((1 << 52) - 1) | 1 << 52) >> (52 - self.fraction);
        if exponent > 0 {
            sign | (exponent as u64) << self.fraction | fraction & !(1 << self.fraction)
        } else {
            sign | fraction.checked_shr((1 - exponent) as u32).unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_every_dtype_survive_a_round_trip() {
        for (dtype, bits) in [
            (Dtype::Fp16, 16),
            (Dtype::Bfloat16, 16),
            (Dtype::Fp8Exp3, 8),
            (Dtype::Fp8Exp4, 8),
            (Dtype::Fp8Exp5, 8),
        ] {
            for pattern in 0..1 << bits {
                let value = decode(dtype, pattern).expect("a number");
                if !value.is_nan() {
                    assert_eq!(
                        encode(dtype, value),
                        Some(pattern),
                        "{} {pattern:#x}",
                        dtype.name()
                    );
                }
            }
        }
        for pattern in [0, 1, 0x3f80_0000, 0x7f80_0000, 0x8000_0001, 0x7f7f_ffff] {
            let value = decode(Dtype::Fp32, pattern).expect("a number");
            assert_eq!(value, f64::from(f32::from_bits(pattern as u32)));
            assert_eq!(encode(Dtype::Fp32, value), Some(pattern));
        }
    }

    #[test]
    fn one_is_one_in_every_dtype() {
        for (dtype, one, minus_one) in [
            (Dtype::Fp32, 0x3f80_0000, 0xbf80_0000),
            (Dtype::Fp16, 0x3c00, 0xbc00),
            (Dtype::Fp8Exp3, 0x30, 0xb0),
            (Dtype::Int16, 1, 0xffff),
            (Dtype::Uint8, 1, 0xff),
        ] {
            let encoding = Encoding::of(dtype);
            assert_eq!(encoding.simple[..3], [0, one, minus_one], "{}", dtype.name());
            assert_eq!(encode(dtype, 1.0), Some(one));
        }
    }

    #[test]
    fn a_float_is_led_to_a_simple_number_whatever_its_bits() {
        let fp32 = Encoding::of(Dtype::Fp32);
        let lighter: Vec<_> = fp32.lighter(512.75f32.to_bits().into()).collect();
        assert!(lighter.contains(&1.5f32.to_bits().into()));
        assert!(fp32.is_float() && !Encoding::integer(4).is_float());
    }

    #[test]
    fn lighter_values_are_lighter_and_reach_every_single_bit() {
        let encoding = Encoding::integer(2);
        let lighter: Vec<_> = encoding.lighter(0x1234).collect();
        assert!(lighter.starts_with(&[0, 1, 0xffff]));
        for bit in [0x1000, 0x200, 0x20, 0x10, 0x4] {
            assert!(lighter.contains(&(0x1234 & !bit)));
        }
        assert_eq!(encoding.lighter(0).count(), 0);
        assert_eq!(encoding.lighter(1).collect::<Vec<_>>(), [0]);
        assert_eq!(encoding.lighter(0xffff).collect::<Vec<_>>(), [0, 1]);
    }
}
