//! Simpler values: elements of memory in the width and encoding of the dtype that the program reads
//! them with, inline immediates, and register numbers. First as many as possible to zero, then to one,
//! then each on its own toward zero, one, minus one and few set bits.

use super::super::cell;
use super::super::edit::Edits;
use super::super::element::{self, Encoding};
use super::super::operand::{Operand, operands};
use super::super::record::{POINTER_IMMEDIATES, Role, layout_of};
use contract::case::TensorCase;
use contract::isa::ImmSrc;
use contract::state::Region;

/// A value of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Cell {
    at: At,
    encoding: Encoding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// First byte of an element in the data of a region.
    Memory { region: usize, byte: usize },
    /// A field of a record.
    Record { step: usize, field: usize },
}

impl cell::Cell<TensorCase> for Cell {
    fn encoding(&self) -> Encoding {
        self.encoding
    }

    fn value(&self, case: &TensorCase) -> u64 {
        match self.at {
            At::Memory { region, byte } => {
                element::load(&case.memory[region].data[byte..byte + self.encoding.bytes])
            }
            At::Record { step, field } => {
                let record = &case.program[step];
                layout_of(record).map_or(0, |layout| layout.fields[field].get(record))
            }
        }
    }

    fn set(&self, case: &mut TensorCase, value: u64) {
        match self.at {
            At::Memory { region, byte } => {
                let bytes = byte..byte + self.encoding.bytes;
                element::store(&mut case.memory[region].data[bytes], value);
            }
            At::Record { step, field } => {
                let record = &mut case.program[step];
                if let Some(layout) = layout_of(record) {
                    layout.fields[field].set(record, value);
                }
            }
        }
    }
}

impl Cell {
    /// Step and field, for values in records.
    pub(in super::super) fn record(&self) -> Option<(usize, usize)> {
        match self.at {
            At::Memory { .. } => None,
            At::Record { step, field } => Some((step, field)),
        }
    }

    /// Region and place in its data, for values in memory.
    pub(in super::super) fn memory(&self) -> Option<(usize, usize)> {
        match self.at {
            At::Memory { region, byte } => Some((region, byte)),
            At::Record { .. } => None,
        }
    }
}

/// The elements of a region, on the grid of the first operand that touches it; the bytes before and
/// behind the grid stand alone.
pub(in super::super) fn cells(
    region: &Region,
    index: usize,
    operands: &[Operand],
) -> impl Iterator<Item = Cell> + use<> {
    let first = operands.iter().find(|operand| operand.touches(region));
    let encoding = first.map_or(Encoding::integer(1), |operand| Encoding::of(operand.dtype));
    let width = encoding.bytes;
    let stride = region.stride as usize;
    let lead = first.map_or(0, |operand| {
        let distance = i64::from(operand.start.offset) - i64::from(region.offset);
        distance.rem_euclid(width as i64) as usize
    });
    let lead = lead.min(stride);
    let elements = (stride - lead) / width;
    let behind = lead + elements * width;
    let single = Encoding::integer(1);
    (0..region.partitions as usize).flat_map(move |row| {
        let cell = move |column: usize, encoding| Cell {
            at: At::Memory { region: index, byte: row * stride + column },
            encoding,
        };
        let before = (0..lead).map(move |column| cell(column, single));
        let grid = (0..elements).map(move |element| cell(lead + element * width, encoding));
        before.chain(grid).chain((behind..stride).map(move |column| cell(column, single)))
    })
}

/// Inline immediates, numbers of registers, and scales.
pub(in super::super) fn words(case: &TensorCase) -> Vec<Cell> {
    let mut words = Vec::new();
    for (step, record) in case.program.iter().enumerate() {
        let Some(layout) = layout_of(record) else { continue };
        for (field, at) in layout.fields.iter().enumerate() {
            if at.role != Role::Immediate {
                continue;
            }
            let immediate = layout.immediates.iter().find(|immediate| immediate.word == field);
            let source = immediate.map_or(Some(ImmSrc::InstructionImmediate), |immediate| {
                ImmSrc::from_wire(layout.fields[immediate.source].get(record) as u8)
            });
            let encoding = match source {
                Some(ImmSrc::PointerImmediate) => continue,
                Some(ImmSrc::InstructionImmediate) if POINTER_IMMEDIATES.contains(&record[0]) => {
                    continue;
                }
                Some(ImmSrc::InstructionImmediate) => {
                    let dtype = immediate.map_or(contract::isa::Dtype::Fp32, |immediate| {
                        layout.immediate_dtype(record, immediate)
                    });
                    Encoding::of(dtype).widened(at.size)
                }
                _ => Encoding::integer(at.size),
            };
            words.push(Cell { at: At::Record { step, field }, encoding });
        }
    }
    words
}

/// The pass; see the module.
pub(super) fn simpler_values(case: &TensorCase) -> Edits<'_, TensorCase> {
    let operands = operands(case);
    let memory =
        case.memory.iter().enumerate().flat_map(|(index, region)| cells(region, index, &operands));
    cell::simpler_values(case, memory.chain(words(case)))
}
