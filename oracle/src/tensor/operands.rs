//! What a valid record operates on, in one shape for every instruction family: the execution
//! preconditions need nothing else, and the families read and write through it.

use crate::numeric::format::element_size;
use crate::tensor::address::{Place, place_of};
use crate::tensor::pattern::Pattern;
use contract::isa::{Dtype, Generation, ImmSrc};

/// A pattern with its dtype and the channels that walk it.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// The walk.
    pub pattern: Pattern,
    /// Element type.
    pub dtype: Dtype,
    /// Channels, from the start partition on.
    pub channels: u32,
}

impl Operand {
    /// An operand of a valid record.
    ///
    /// # Panics
    /// If the byte is no dtype; the dtype clause of every group refuses such a record.
    pub fn of_valid(pattern: Pattern, dtype: u8, channels: u8) -> Self {
        Self { pattern, dtype: dtype_of_valid(dtype), channels: u32::from(channels) }
    }

    /// Bytes of an element.
    ///
    /// # Panics
    /// If the dtype has no size; the dtype clause of every group refuses such a record.
    pub fn element_size(&self) -> u32 {
        element_size(self.dtype).expect("the dtype clause admits only dtypes with a size")
    }

    /// The place of the start address; `None` for an address register.
    pub fn start(&self, generation: Generation) -> Option<Place> {
        let word = self.pattern.start;
        if word.is_register() { None } else { place_of(generation, word.address()) }
    }

    /// Byte offsets in the partition of the stream's elements, in stream order. They may lie outside
    /// the partition.
    pub fn byte_offsets(&self, start: Place) -> impl Iterator<Item = i64> + '_ {
        let size = i64::from(self.element_size());
        self.pattern.walk().map(move |element| i64::from(start.offset) + size * element)
    }

    /// Smallest byte offset of the walk, and one past the largest.
    pub fn byte_span(&self, start: Place) -> (i64, i64) {
        let size = i64::from(self.element_size());
        let (low, high) = self.pattern.extremes();
        (i64::from(start.offset) + size * low, i64::from(start.offset) + size * (high + 1))
    }
}

/// One immediate that the instruction reads.
#[derive(Debug, Clone, Copy)]
pub struct Immediate {
    /// Where the scalar comes from.
    pub source: ImmSrc,
    /// The immediate slot.
    pub word: u32,
    /// Dtype of the scalar in memory.
    pub dtype: Dtype,
}

impl Immediate {
    /// An immediate of the arithmetic class in a valid record: an FP32 scalar (spec 03 section 3.6).
    ///
    /// # Panics
    /// If the byte is no IMM_SRC; the immediate clause of every group refuses such a record.
    pub fn fp32_of_valid(source: u8, word: u32) -> Self {
        let source = ImmSrc::from_wire(source).expect("the immediate clause admits only IMM_SRC");
        Self { source, word, dtype: Dtype::Fp32 }
    }

    /// The register that holds the pointer, for a register-pointer immediate; `reg_ok` keeps its
    /// number below 64.
    pub fn register(&self) -> Option<usize> {
        (self.source == ImmSrc::RegPtrImmediate).then_some(self.word as usize & 0x3F)
    }
}

/// Everything a valid record reads and writes.
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    /// Sources in record order.
    pub sources: [Option<Operand>; 2],
    /// The destination.
    pub destination: Operand,
    /// Immediates that are read, in record order.
    pub immediates: [Option<Immediate>; 2],
    /// Active channels of the instruction.
    pub channels: u8,
    /// The compute type is C_F.
    pub computes_in_fp32: bool,
}

impl Operands {
    /// Every pattern: the sources, then the destination.
    pub fn patterns(&self) -> impl Iterator<Item = &Operand> {
        self.sources.iter().flatten().chain([&self.destination])
    }
}

/// The dtype of a valid record's byte.
///
/// # Panics
/// If the byte is no dtype; the dtype clause of every group refuses such a record.
pub fn dtype_of_valid(dtype: u8) -> Dtype {
    Dtype::from_wire(dtype).expect("the dtype clause admits only members")
}
