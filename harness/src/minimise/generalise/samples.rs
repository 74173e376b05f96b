//! Sample values: what is tried for a property that has too many values to try them all.

use super::finding::Value;
use crate::minimise::element::{Encoding, decode, encode};
use contract::isa::Dtype;

/// Channel counts: small, odd and even, and around the quadrants.
pub(super) const CHANNELS: &[u64] = &[1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 64, 127, 128];
/// Element counts.
pub(super) const ELEMENTS: &[u64] = &[1, 2, 3, 4, 5, 7, 8, 16, 17, 32, 33, 64];
/// Immediates of vector operations.
pub(super) const IMMEDIATES: &[i64] =
    &[0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 192, -1, -2, -64, -128];
/// Distances of bundles.
pub(super) const DISTANCES: &[u64] = &[1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16];

/// Values of an element, with their bits.
pub(super) fn of_dtype(dtype: Dtype) -> Vec<(Value, u64)> {
    let numbers: &[f64] = match Encoding::of(dtype).is_float() {
        false => &[0.0, 1.0, 2.0, 3.0, 100.0, -1.0, -2.0, f64::MAX, f64::MIN],
        true => &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            3.0,
            -2.0,
            0.5,
            -0.5,
            1.5,
            12.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ],
    };
    let mut values: Vec<(Value, u64)> = Vec::new();
    for &number in numbers {
        let Some(bits) = encode(dtype, number) else { continue };
        if values.iter().all(|(_, other)| *other != bits) {
            values.push((of_bits(dtype, bits), bits));
        }
    }
    values
}

/// The value that an element's bits stand for.
pub(super) fn of_bits(dtype: Dtype, bits: u64) -> Value {
    let number = decode(dtype, bits).unwrap_or(f64::NAN);
    let plain = number == 0.0 || !number.is_finite() || (1e-4..1e7).contains(&number.abs());
    Value { label: if plain { number.to_string() } else { format!("{number:e}") }, number }
}

/// Values of an integer lane, as signed numbers.
pub(super) fn of_lane(encoding: Encoding) -> Vec<(Value, u64)> {
    let dtype = lane_dtype(encoding);
    of_dtype(dtype)
}

/// The dtype that prints a lane's bits as the number they stand for.
pub(super) fn lane_dtype(encoding: Encoding) -> Dtype {
    match (encoding.bytes, encoding.is_float()) {
        (4, true) => Dtype::Fp32,
        (2, true) => Dtype::Fp16,
        (1, _) => Dtype::Int8,
        (2, _) => Dtype::Int16,
        (4, _) => Dtype::Int32,
        _ => Dtype::Int64,
    }
}

/// A number as a value.
pub(super) fn number(number: impl Into<i128>) -> Value {
    let number = number.into();
    Value { label: number.to_string(), number: number as f64 }
}

/// A name as a value.
pub(super) fn name(label: impl Into<String>) -> Value {
    Value { label: label.into(), number: f64::NAN }
}
