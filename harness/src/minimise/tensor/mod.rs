//! Shrinking tensor cases: the passes in the order in which they are tried, coarse before fine.
//!
//! A record and the memory that it walks are shrunk together, so that a candidate stays a record with
//! its data: dropping elements moves the rest of a source up, a simpler dtype converts the values, a
//! moved region takes its addresses along. What a validator thinks of the result is not asked here;
//! a candidate that is refused for it shows another signature.

mod fields;
mod memory;
mod program;
mod refill;
mod retype;
mod shape;
mod stream;
mod values;
mod weight;

pub(super) use memory::{end_of_regions, move_region};
pub(super) use program::move_to_generation;
pub(super) use retype::{Carry, retype};
pub(super) use values::{cells, words};

use super::operand::{columns, overlap, rows};
use super::search::{Pass, Subject};
use contract::case::{Case, TensorCase};
use contract::state::{Region, Space};
use weight::Weight;

impl Subject for TensorCase {
    type Weight = Weight;

    const PASSES: &'static [Pass<Self>] = &[
        Pass { name: "trim memory", edits: memory::trim },
        Pass { name: "drop steps", edits: program::drop_steps },
        Pass { name: "drop regions", edits: memory::drop_regions },
        Pass { name: "trim memory", edits: memory::trim },
        Pass { name: "fewer channels", edits: program::fewer_channels },
        Pass { name: "fewer elements", edits: shape::fewer_elements },
        Pass { name: "fewer dimensions", edits: shape::fewer_dimensions },
        Pass { name: "simpler strides", edits: shape::simpler_strides },
        Pass { name: "fewer elements", edits: shape::fewer_elements },
        Pass { name: "fewer, other elements", edits: refill::fewer_other_elements },
        Pass { name: "trim memory", edits: memory::trim },
        Pass { name: "simpler generation", edits: program::simpler_generation },
        Pass { name: "no psum", edits: memory::no_psum },
        Pass { name: "simpler dtypes", edits: retype::simpler_dtypes },
        Pass { name: "inline immediates", edits: fields::inline_immediates },
        Pass { name: "simpler operators and modes", edits: fields::simpler_enums },
        Pass { name: "default switches", edits: program::default_switches },
        Pass { name: "lower addresses", edits: memory::lower_addresses },
        Pass { name: "fewer registers", edits: fields::fewer_registers },
        Pass { name: "simpler values", edits: values::simpler_values },
        Pass { name: "plain bytes", edits: fields::plain_bytes },
    ];

    fn weight(&self) -> Weight {
        Weight::of(self)
    }

    fn normalise(&mut self) {
        // A register that is not given is 0, and a region without bytes holds nothing.
        self.registers.retain(|_, value| *value != 0);
        self.memory.retain(|region| !region.data.is_empty());
    }

    fn is_well_formed(&self) -> bool {
        self.registers.keys().all(|&number| number < 64)
            && self.memory.iter().all(|region| is_backed(self, region))
            && self.memory.iter().enumerate().all(|(index, region)| {
                self.memory[..index].iter().all(|other| !overlaps(region, other))
            })
    }

    fn wrap(self) -> Case {
        Case::Tensor(self)
    }

    fn unwrap(case: Case) -> Option<Self> {
        match case {
            Case::Tensor(case) => Some(case),
            Case::Vector(_) => None,
        }
    }
}

/// True if the generation's memory backs every byte of the region and the data fill it.
fn is_backed(case: &TensorCase, region: &Region) -> bool {
    let geometry = case.generation.geometry();
    let active = match region.space {
        Space::Sbuf => geometry.sbuf_active,
        Space::Psum if geometry.psum_region == 0 => return false,
        Space::Psum => geometry.psum_active,
    };
    let sum = |a: u32, b: u32| u64::from(a) + u64::from(b);
    sum(region.partition, region.partitions) <= geometry.partitions.into()
        && sum(region.offset, region.stride) <= active.into()
        && region.data.len() as u64 == u64::from(region.partitions) * u64::from(region.stride)
}

/// True if the regions have a byte in common.
fn overlaps(a: &Region, b: &Region) -> bool {
    a.space == b.space
        && overlap(&rows(a), &rows(b)).is_some()
        && overlap(&columns(a), &columns(b)).is_some()
}
