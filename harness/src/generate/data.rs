//! Values from files: `--data FILE.npy|FILE.safetensors`. Every number of the file becomes an `f64`
//! (integers beyond 2^53 are rounded); the generator converts it to the nearest code of the dtype that
//! an operand asks for. What is wrong with a file is said by [`DataError`], with the file's name.

use super::values::formats::decode_fp8;
use npyz::{DType, Endianness, NpyHeader, TypeChar};
use safetensors::{Dtype, SafeTensors};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Values that are kept; the rest of a larger file is not read.
pub const VALUES_LIMIT: usize = 1 << 22;

/// Why a data file was refused.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be opened or read.
    #[error("cannot read data file `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The name ends in neither extension.
    #[error(
        "data file `{}` has {}; expected `.npy` or `.safetensors`",
        path.display(),
        if found.is_empty() { "no extension".to_owned() } else { format!("extension `.{found}`") }
    )]
    UnknownExtension {
        /// The file.
        path: PathBuf,
        /// Its extension, empty if there is none.
        found: String,
    },
    /// The content is not what the extension says.
    #[error("data file `{}` is no valid {format} file: {found}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// What was found.
        found: String,
    },
    /// The elements are not real numbers.
    #[error("data file `{}` holds no numbers: found {found}", path.display())]
    NotNumeric {
        /// The file.
        path: PathBuf,
        /// The element types found.
        found: String,
    },
    /// There is not one element.
    #[error("data file `{}` is empty: found {found}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
}

/// Values of a file, in the file's order.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSource {
    name: String,
    values: Vec<f64>,
}

impl DataSource {
    /// Reads a file by its extension.
    ///
    /// # Errors
    /// See [`DataError`].
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let found = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let (values, found) = match found.to_ascii_lowercase().as_str() {
            "npy" => read_npy(path)?,
            "safetensors" => read_safetensors(path)?,
            _ => return Err(DataError::UnknownExtension { path: path.to_owned(), found }),
        };
        Self::from_values(&path.display().to_string(), values)
            .ok_or_else(|| DataError::Empty { path: path.to_owned(), found })
    }

    /// A source from values in memory; `None` if there are none.
    pub fn from_values(name: &str, values: Vec<f64>) -> Option<Self> {
        (!values.is_empty()).then(|| Self { name: name.to_owned(), values })
    }

    /// Where the values come from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values; never empty.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

/// How the bytes of an element become a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Signed,
    Unsigned,
    Float,
    Bfloat16,
    /// OCP E4M3: no infinity, NaN at all ones.
    Fp8E4m3,
    Fp8E5m2,
}

/// One element of one to eight bytes, little-endian.
fn number(kind: Number, bytes: &[u8]) -> f64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    let spare = 64 - 8 * bytes.len() as u32;
    match (kind, bytes.len()) {
        (Number::Signed, _) => (((bits << spare) as i64) >> spare) as f64,
        (Number::Unsigned, _) => bits as f64,
        (Number::Float, 8) => f64::from_bits(bits),
        (Number::Float, 4) => f64::from(f32::from_bits(bits as u32)),
        (Number::Float, _) => half(bits as u16),
        (Number::Bfloat16, _) => f64::from(f32::from_bits((bits as u32) << 16)),
        (Number::Fp8E4m3, _) => match bits as u8 {
            0x7F | 0xFF => f64::NAN,
            // The all-ones exponent holds ordinary numbers here, so it is decoded by hand.
            code if code & 0x78 == 0x78 => {
                let magnitude = f64::from(8 + (code & 7)) * 32.0;
                if code >> 7 == 1 { -magnitude } else { magnitude }
            }
            code => decode_fp8(4, 3, 7, code),
        },
        (Number::Fp8E5m2, _) => decode_fp8(5, 2, 15, bits as u8),
    }
}

/// The value of a 16-bit IEEE float.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3FF);
    let magnitude = match (bits >> 10) & 0x1F {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// Values and a description of what was found.
type Found = (Vec<f64>, String);

fn read_npy(path: &Path) -> Result<Found, DataError> {
    let unreadable = |source| DataError::Unreadable { path: path.to_owned(), source };
    let malformed = |found: String| DataError::Malformed {
        path: path.to_owned(),
        format: "NumPy (.npy)",
        found,
    };
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let limit = (VALUES_LIMIT * 8 + (1 << 16)) as u64;
    BufReader::new(file).take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    let count = npy_elements(&bytes).map_err(|found| malformed(found.to_owned()))?;
    let mut rest = bytes.as_slice();
    let header = NpyHeader::from_reader(&mut rest).map_err(|error| malformed(error.to_string()))?;
    let not_numeric = || DataError::NotNumeric {
        path: path.to_owned(),
        found: format!("element type {}", header.dtype().descr()),
    };
    let DType::Plain(element) = header.dtype() else { return Err(not_numeric()) };
    let size = element.size_field();
    let kind = match (element.type_char(), size) {
        (TypeChar::Int, 1 | 2 | 4 | 8) => Number::Signed,
        (TypeChar::Uint, 1 | 2 | 4 | 8) => Number::Unsigned,
        (TypeChar::Float, 2 | 4 | 8) => Number::Float,
        _ => return Err(not_numeric()),
    };
    let size = size as usize;
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(VALUES_LIMIT);
    if rest.len() / size < count {
        return Err(malformed(format!("{} bytes of data for {count} elements", rest.len())));
    }
    let mut element_bytes = [0; 8];
    let values = rest
        .chunks_exact(size)
        .take(count)
        .map(|chunk| {
            let bytes = &mut element_bytes[..size];
            bytes.copy_from_slice(chunk);
            if element.endianness() == Endianness::Big {
                bytes.reverse();
            }
            number(kind, bytes)
        })
        .collect();
    Ok((values, format!("an array of shape {:?}", header.shape())))
}

/// The element count that a `.npy` header declares. It is worked out here, before the header is
/// interpreted, because a shape whose product overflows must be an error and not an overflow.
fn npy_elements(bytes: &[u8]) -> Result<u64, &'static str> {
    const NONE: &str = "no NumPy header";
    let (length, start) = match bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => {
            (usize::from(u16::from_le_bytes([*a, *b])), 10usize)
        }
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _, a, b, c, d, ..] => {
            (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 12)
        }
        _ => return Err(NONE),
    };
    let text = bytes.get(start..start.saturating_add(length)).ok_or("a cut NumPy header")?;
    let text = String::from_utf8_lossy(text);
    let (_, shape) = text.split_once("shape").ok_or("a header without shape")?;
    let (_, shape) = shape.split_once('(').ok_or("a header without shape")?;
    let (shape, _) = shape.split_once(')').ok_or("a header without shape")?;
    let (mut count, mut extent) = (1u64, 1u64);
    for word in shape.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let dimension: u64 = word.parse().map_err(|_| "a shape that is no list of numbers")?;
        // Strides are products too, so an empty axis does not excuse the others.
        extent = extent.checked_mul(dimension.max(1)).ok_or("a shape beyond 64 bits")?;
        count = count.wrapping_mul(dimension);
    }
    Ok(count)
}

fn read_safetensors(path: &Path) -> Result<Found, DataError> {
    let bytes = std::fs::read(path)
        .map_err(|source| DataError::Unreadable { path: path.to_owned(), source })?;
    let file = SafeTensors::deserialize(&bytes).map_err(|error| DataError::Malformed {
        path: path.to_owned(),
        format: "safetensors",
        found: error.to_string(),
    })?;
    let mut tensors = file.tensors();
    // The order of the file's index is not fixed; by name the same file gives the same values.
    tensors.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut values, mut refused) = (Vec::new(), Vec::new());
    for (_, tensor) in &tensors {
        let (kind, size) = match tensor.dtype() {
            Dtype::U8 => (Number::Unsigned, 1),
            Dtype::I8 => (Number::Signed, 1),
            Dtype::U16 => (Number::Unsigned, 2),
            Dtype::I16 => (Number::Signed, 2),
            Dtype::U32 => (Number::Unsigned, 4),
            Dtype::I32 => (Number::Signed, 4),
            Dtype::U64 => (Number::Unsigned, 8),
            Dtype::I64 => (Number::Signed, 8),
            Dtype::F16 => (Number::Float, 2),
            Dtype::F32 => (Number::Float, 4),
            Dtype::F64 => (Number::Float, 8),
            Dtype::BF16 => (Number::Bfloat16, 2),
            Dtype::F8_E4M3 => (Number::Fp8E4m3, 1),
            Dtype::F8_E5M2 => (Number::Fp8E5m2, 1),
            other => {
                refused.push(format!("{other:?}"));
                continue;
            }
        };
        let room = VALUES_LIMIT - values.len();
        values.extend(tensor.data().chunks_exact(size).take(room).map(|b| number(kind, b)));
    }
    if values.is_empty() && !refused.is_empty() {
        refused.sort();
        refused.dedup();
        let found = format!("element types {}", refused.join(", "));
        return Err(DataError::NotNumeric { path: path.to_owned(), found });
    }
    Ok((values, format!("{} tensors without elements", tensors.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_kind_become_their_values() {
        for (kind, bytes, value) in [
            (Number::Signed, &[0xFE][..], -2.0),
            (Number::Signed, &[0xFE, 0xFF], -2.0),
            (Number::Unsigned, &[0xFE, 0xFF], 65534.0),
            (Number::Float, &[0x00, 0x3C], 1.0),
            (Number::Float, &[0x01, 0x80], -(2f64.powi(-24))),
            (Number::Float, &[0x00, 0x00, 0x20, 0x40], 2.5),
            (Number::Float, &[0, 0, 0, 0, 0, 0, 0xF0, 0xBF], -1.0),
            (Number::Bfloat16, &[0x20, 0x40], 2.5),
            (Number::Fp8E4m3, &[0x7E], 448.0),
            (Number::Fp8E4m3, &[0xF8], -256.0),
            (Number::Fp8E4m3, &[0x38], 1.0),
            (Number::Fp8E5m2, &[0x7B], 57344.0),
        ] {
            assert_eq!(number(kind, bytes), value, "{kind:?} {bytes:02x?}");
        }
        assert!(number(Number::Fp8E4m3, &[0x7F]).is_nan());
        assert!(number(Number::Float, &[0x01, 0x7C]).is_nan());
    }
}
