//! Shrinking vector cases: the passes in the order in which they are tried.
//!
//! A bundle is first emptied and only then deleted, so that a schedule fault keeps its timing while
//! what surrounds it goes. Which operands an op reads and writes is not known here (that is a rule of
//! the models): a register is bypassed in whatever direction keeps the divergence.

mod memory;
mod program;
mod registers;
mod state;
mod weight;

pub(super) use program::{FORMATS, with_format};
pub(super) use registers::{exchange, used};
pub(super) use state::{cells, class_of, has_lanes, points};

use state::{bytes_of, key_of};

use super::search::{Pass, Subject};
use contract::case::{Case, RegisterValue, VectorCase};
use contract::isa::RegClass;
use weight::Weight;

impl Subject for VectorCase {
    type Weight = Weight;

    const PASSES: &'static [Pass<Self>] = &[
        Pass { name: "empty bundles", edits: program::empty_bundles },
        Pass { name: "drop empty bundles", edits: program::drop_empty_bundles },
        Pass { name: "drop operations", edits: program::drop_operations },
        Pass { name: "bypass registers", edits: program::bypass_registers },
        Pass { name: "split bundles", edits: program::split_bundles },
        Pass { name: "separate registers", edits: registers::separate_registers },
        Pass { name: "drop state", edits: state::drop_registers },
        Pass { name: "drop memory", edits: memory::drop_chunks },
        Pass { name: "default environment", edits: memory::default_environment },
        Pass { name: "simpler formats", edits: program::simpler_formats },
        Pass { name: "lowest registers", edits: registers::lowest_registers },
        Pass { name: "simpler immediates", edits: registers::simpler_immediates },
        Pass { name: "simpler values", edits: state::simpler_values },
        Pass { name: "lower lanes", edits: state::lower_lanes },
        Pass { name: "lower addresses", edits: memory::lower_addresses },
        Pass { name: "smaller window", edits: memory::smaller_window },
    ];

    fn weight(&self) -> Weight {
        Weight::of(self)
    }

    fn normalise(&mut self) {
        self.program.iter_mut().for_each(contract::bundle::Bundle::canonicalise);
        // Of two values of one register the later counts; what is not given is zero.
        self.state.sort_by_key(key_of);
        self.state.reverse();
        self.state.dedup_by_key(|value| key_of(value));
        self.state.reverse();
        self.state.retain(|value| bytes_of(value).iter().any(|&byte| byte != 0));
        self.memory.init.retain(|chunk| !chunk.data.is_empty());
    }

    fn is_well_formed(&self) -> bool {
        let end = u64::from(self.memory.base) + u64::from(self.memory.bytes);
        self.memory.base.is_multiple_of(64)
            && self.memory.bytes.is_multiple_of(64)
            && end <= 1 << 32
            && self.memory.init.iter().all(|chunk| {
                chunk.address >= self.memory.base
                    && u64::from(chunk.address) + chunk.data.len() as u64 <= end
            })
            && self.state.iter().all(is_a_register)
    }

    fn wrap(self) -> Case {
        Case::Vector(self)
    }

    fn unwrap(case: Case) -> Option<Self> {
        match case {
            Case::Vector(case) => Some(case),
            Case::Tensor(_) => None,
        }
    }
}

/// True if the register exists and has the bits that are set (spec 05 section 2, spec 08 section 2.1).
fn is_a_register(value: &RegisterValue) -> bool {
    let within = |class: RegClass, index: &u8| u32::from(*index) < class.entries();
    match value {
        RegisterValue::Ar(index, _) => within(RegClass::Ar, index),
        RegisterValue::Vec(index, _) => within(RegClass::Vec, index),
        RegisterValue::Vbool(index, _) => within(RegClass::Vbool, index),
        RegisterValue::Valign(index, _) => within(RegClass::Valign, index),
        RegisterValue::Wvec(index, _) => within(RegClass::Wvec, index),
        RegisterValue::Pr(index, _) => within(RegClass::Pr, index),
        RegisterValue::Gvr(index, _) => within(RegClass::Gvr, index),
        RegisterValue::Fs(index, _) => *index < 8,
        RegisterValue::Fcr(word) => word & !0x007f == 0,
        RegisterValue::Fsr(word) => word & !0x0f80 == 0,
    }
}
