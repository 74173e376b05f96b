//! Compute types (spec 03 section 3.2): which one an instruction has, and all three behind one trait,
//! so that a recurrence is written once.

use crate::numeric::format::{Fp32, IntegerFormat, element_size, integer_format};
use crate::numeric::{bits, convert, fp32, integer};
use contract::isa::{AluOp, Dtype};
use contract::profile::Profile;

/// A compute type with one operator, the dtypes of its source and destination.
pub trait Compute {
    /// A value of the compute type.
    type Value: Copy;

    /// Memory code to compute value (`ld`).
    fn load(&self, code: u64) -> Self::Value;
    /// `op(L, R)`.
    fn combine(&self, left: Self::Value, right: Self::Value) -> Self::Value;
    /// Compute value to memory code (`st`).
    fn store(&self, value: Self::Value) -> u64;
}

/// C_F.
#[derive(Debug, Clone, Copy)]
pub struct FloatCompute<'a> {
    /// The operator.
    pub operator: fp32::Operator,
    /// Dtype that is loaded.
    pub source: Dtype,
    /// Dtype that is stored.
    pub destination: Dtype,
    /// Switches.
    pub profile: &'a Profile,
}

impl Compute for FloatCompute<'_> {
    type Value = Fp32;

    fn load(&self, code: u64) -> Fp32 {
        convert::load(code, self.source)
    }

    fn combine(&self, left: Fp32, right: Fp32) -> Fp32 {
        (self.operator)(left, right)
    }

    fn store(&self, value: Fp32) -> u64 {
        convert::store(value, self.destination, self.profile)
    }
}

/// C_I(N).
#[derive(Debug, Clone, Copy)]
pub struct IntegerCompute<'a> {
    /// The operator.
    pub operator: integer::Operator,
    /// N and the signedness.
    pub format: IntegerFormat,
    /// Dtype that is loaded.
    pub source: Dtype,
    /// Dtype that is stored.
    pub destination: Dtype,
    /// Switches.
    pub profile: &'a Profile,
}

impl Compute for IntegerCompute<'_> {
    type Value = u64;

    fn load(&self, code: u64) -> u64 {
        convert::load_integer(code, self.source, self.format, self.profile)
    }

    fn combine(&self, left: u64, right: u64) -> u64 {
        (self.operator)(self.format, left, right)
    }

    fn store(&self, value: u64) -> u64 {
        convert::store_integer(value, self.destination, self.format, self.profile)
    }
}

/// C_B(W): raw patterns, no conversion in or out.
#[derive(Debug, Clone, Copy)]
pub struct BitsCompute {
    /// The operator.
    pub operator: bits::Operator,
    /// W.
    pub width: u32,
}

impl Compute for BitsCompute {
    type Value = u64;

    fn load(&self, code: u64) -> u64 {
        code
    }

    fn combine(&self, left: u64, right: u64) -> u64 {
        (self.operator)(self.width, left, right)
    }

    fn store(&self, value: u64) -> u64 {
        value
    }
}

/// True for the integer band (0xC4 to 0xE1) and Mod: an arithmetic instruction with such an operator
/// computes in C_I(N), any other in C_F.
pub const fn is_integer_operator(op: AluOp) -> bool {
    matches!(op.wire(), 0xC4..=0xE1) || matches!(op, AluOp::Mod)
}

/// N and the signedness of C_I(N) for an instruction with one source: 64 bits for a 64-bit source,
/// unsigned for an unsigned integer source.
pub const fn integer_compute_format(source: Dtype) -> IntegerFormat {
    match integer_format(source) {
        Some(IntegerFormat { bits, signed }) => {
            IntegerFormat { bits: if bits == 64 { 64 } else { 32 }, signed }
        }
        None => IntegerFormat { bits: 32, signed: true },
    }
}

/// W of C_B(W) for a source dtype; `None` for a dtype without a size.
pub const fn bits_compute_width(source: Dtype) -> Option<u32> {
    match element_size(source) {
        Some(bytes) => Some(8 * bytes),
        None => None,
    }
}
