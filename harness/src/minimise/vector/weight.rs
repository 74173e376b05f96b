//! The heaviness of a vector case, compared field by field in their order.

use super::super::cell::{Burden, Cell as _};
use super::program::FORMATS;
use super::registers::alias_count;
use super::state::{cells, key_of};
use contract::bundle::{FormatWord, Operand};
use contract::case::{MemoryWindow, VectorCase};

/// The heaviness; see the module. Operations come before bundles and the operations that share a
/// bundle between them, so that splitting a bundle is a reduction.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Weight {
    ops: usize,
    shared: usize,
    bundles: usize,
    aliases: usize,
    environment: (bool, usize),
    registers: usize,
    chunks: usize,
    bytes: usize,
    formats: usize,
    indices: u64,
    immediates: u128,
    values: Burden,
    lanes: usize,
    offsets: u64,
    window: u32,
    base: u32,
}

impl Weight {
    pub(super) fn of(case: &VectorCase) -> Self {
        let mut weight = Self {
            bundles: case.program.len(),
            aliases: alias_count(case),
            environment: (case.cpenable != 2, case.profile.non_default().len()),
            registers: case.state.len(),
            chunks: case.memory.init.len(),
            bytes: case.memory.init.iter().map(|chunk| chunk.data.len()).sum(),
            window: case.memory.bytes,
            base: case.memory.base.abs_diff(MemoryWindow::default().base),
            ..Self::default()
        };
        for bundle in &case.program {
            weight.ops += bundle.ops.len();
            weight.shared += bundle.ops.len().saturating_sub(1);
            weight.formats += match &bundle.format {
                FormatWord::Known(format) => FORMATS.iter().position(|one| one == format),
                FormatWord::Unknown(_) => None,
            }
            .unwrap_or(FORMATS.len());
            for operand in bundle.ops.iter().flat_map(|op| &op.operands) {
                match operand {
                    Operand::Reg(_, index) => weight.indices += u64::from(*index),
                    Operand::Imm(value) => weight.immediates += immediate(*value),
                    Operand::Word(_) => {}
                }
            }
        }
        weight.indices += case.state.iter().map(|value| u64::from(key_of(value).1)).sum::<u64>();
        for cell in cells(case) {
            weight.values.add(cell, case);
            if cell.value(case) != 0 {
                weight.lanes += cell.lane().map_or(0, |(_, lane)| lane);
            }
        }
        let addresses = case.memory.init.iter().map(|chunk| chunk.address);
        weight.offsets =
            addresses.map(|address| u64::from(address.wrapping_sub(case.memory.base))).sum();
        weight
    }
}

/// Zero, then by magnitude, positive before negative.
fn immediate(value: i64) -> u128 {
    2 * u128::from(value.unsigned_abs()) + u128::from(value < 0)
}
