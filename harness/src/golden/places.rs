//! Partial expectations of a vector program: single elements of its final registers and memory, for
//! vectors that report no whole state.

use crate::compare::VectorRegister;
use crate::lane::Lane;
use contract::isa::RegClass;
use contract::outcome::{VectorOutcome, VectorStep};
use contract::state::VectorState;

/// Which vector a case belongs to, and how reports group it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probe {
    /// Family of the op in the LAT table.
    pub family: String,
    /// The op as the file names it.
    pub op: String,
    /// Id of the vector.
    pub id: String,
}

/// Where an expected element stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// A register's image, byte 0 first.
    Register(VectorRegister),
    /// Memory from this address.
    Memory(u32),
}

/// One element that must come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedPlace {
    /// Register or memory.
    pub at: At,
    /// Position of the element's lowest bit.
    pub bit: u32,
    /// Its width in bits, at most 64.
    pub bits: u32,
    /// Its value.
    pub value: u64,
}

impl ExpectedPlace {
    /// Lane `index` of a register whose lanes are `lane`.
    pub const fn lane(register: VectorRegister, lane: Lane, index: u32, value: u64) -> Self {
        Self { at: At::Register(register), bit: index * lane.bits, bits: lane.bits, value }
    }

    /// What an outcome misses here, in one line.
    fn missed_by(&self, outcome: &VectorOutcome) -> Option<String> {
        let place = match self.at {
            At::Register(register) => register.to_string(),
            At::Memory(address) => format!("memory {address:#010x}"),
        };
        let (bit, bits) = (self.bit, self.bits);
        let digits = bits.div_ceil(4) as usize;
        let wanted = format!("{place} bits {bit}+{bits}: expected 0x{:0digits$x}", self.value);
        match self.read(&outcome.state) {
            Some(found) if found == self.value => None,
            Some(found) => Some(format!("{wanted}, got 0x{found:0digits$x}")),
            None => Some(format!("{wanted}, got no such place")),
        }
    }

    /// The element that stands here; `None` if the state has no such place.
    fn read(&self, state: &VectorState) -> Option<u64> {
        let (first, last) = (self.bit / 8, (self.bit + self.bits - 1) / 8);
        let length = last as usize + 1;
        let image = match self.at {
            At::Register(register) => image(state, register)?,
            At::Memory(address) => {
                let at = state.memory.window(address, length)?;
                state.memory.bytes()[at..at + length].to_vec()
            }
        };
        let bytes = image.get(first as usize..length)?;
        let mut value = 0_u128;
        for &byte in bytes.iter().rev() {
            value = value << 8 | u128::from(byte);
        }
        let mask = u128::MAX >> (128 - self.bits);
        // At most 64 bits are left.
        Some((value >> (self.bit % 8) & mask) as u64)
    }
}

/// A register's bytes, byte 0 first; `None` outside the file.
pub fn image(state: &VectorState, register: VectorRegister) -> Option<Vec<u8>> {
    let VectorRegister::File(class, index) = register else {
        return match register {
            VectorRegister::Fs(index) => {
                Some(state.fs.get(usize::from(index))?.to_le_bytes().into())
            }
            VectorRegister::Fcr => Some(state.fcr.to_le_bytes().into()),
            _ => Some(state.fsr.to_le_bytes().into()),
        };
    };
    let index = usize::from(index);
    Some(match class {
        RegClass::Ar => state.ar.get(index)?.to_le_bytes().into(),
        RegClass::Br => return None,
        RegClass::Vec => state.vec.get(index)?.0.into(),
        RegClass::Vbool => state.vbool.get(index)?.to_le_bytes().into(),
        RegClass::Valign => state.valign.get(index)?.0.into(),
        RegClass::Wvec => state.wvec.get(index)?.to_vec(),
        RegClass::Pr => state.pr.get(index)?.to_le_bytes().into(),
        RegClass::Gvr => state.gvr.get(index)?.0.into(),
    })
}

/// What an outcome misses of a vector whose bundles must all be accepted.
pub(super) fn missed(
    probe: &Probe,
    places: &[ExpectedPlace],
    bundles: usize,
    outcome: &VectorOutcome,
) -> Vec<String> {
    let accepted = outcome.steps.iter().filter(|&step| *step == VectorStep::Accept).count();
    if accepted != bundles {
        let steps: Vec<String> = outcome
            .steps
            .iter()
            .map(|step| crate::compare::Observed::Vector(step.clone()).to_string())
            .collect();
        return vec![format!("{}: expected accept, got {}", probe.id, steps.join(", "))];
    }
    // One vector is one miss, whatever it holds.
    places
        .iter()
        .find_map(|place| place.missed_by(outcome))
        .map(|line| format!("{}: {line}", probe.id))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_elements_of_any_width_and_none_beyond_the_register() {
        let mut state = VectorState::default();
        state.vec[3].0[62] = 0x34;
        state.vec[3].0[63] = 0x12;
        state.vbool[1] = 0b1100;
        state.fsr = 0x800;
        let at =
            |register, bit, bits| ExpectedPlace { at: At::Register(register), bit, bits, value: 0 };
        let file = |class, index| VectorRegister::File(class, index);
        assert_eq!(at(file(RegClass::Vec, 3), 62 * 8, 16).read(&state), Some(0x1234));
        assert_eq!(at(file(RegClass::Vbool, 1), 2, 2).read(&state), Some(3));
        assert_eq!(at(VectorRegister::Fsr, 11, 1).read(&state), Some(1));
        assert_eq!(at(file(RegClass::Vec, 3), 63 * 8, 16).read(&state), None);
        assert_eq!(at(file(RegClass::Vec, 32), 0, 8).read(&state), None);
    }
}
