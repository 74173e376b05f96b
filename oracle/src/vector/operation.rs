//! What an op sees and what it may do. An op reads its operands and memory from the state *before*
//! the bundle and notes its writes in a list; the list lands when every op of the bundle has been
//! judged (spec 04 section 3, rules 2 and 7). Nothing here knows an op.

use contract::bundle::Operand;
use contract::isa::RegClass;
use contract::outcome::FaultReason;
use contract::profile::FsrGate;
use contract::state::{LINE, Line, VectorState};

/// Bit V of the word of `RUR_FSR` (spec 08 section 2.1).
const FSR_V: u16 = 1 << 11;
/// Bit EV of the word of `RUR_FCR` (spec 08 section 2.1).
const FCR_EV: u16 = 1 << 6;

/// A memory fault: the bundle is squashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryFault {
    /// An access with a byte outside the window; the first byte of the access.
    BadAccess(u32),
    /// A misaligned scalar access; its address.
    Alignment(u32),
}

impl MemoryFault {
    /// Reason and address as an outcome reports them.
    pub(super) const fn report(self) -> (FaultReason, u32) {
        match self {
            Self::BadAccess(address) => (FaultReason::BadAccess, address),
            Self::Alignment(address) => (FaultReason::Alignment, address),
        }
    }
}

/// One write of an op.
#[derive(Debug, Clone, Copy)]
enum Effect {
    Nothing,
    Ar(usize, u32),
    Vec(usize, Line),
    Vbool(usize, u64),
    Valign(usize, Line),
    Wvec(usize, [u8; 192]),
    Pr(usize, u64),
    /// Bits to be set in `FSR`.
    Fsr(u16),
    /// Bytes of a line from a window index on; bit `i` of the mask tells whether byte `i` is written.
    Memory {
        at: usize,
        bytes: [u8; LINE],
        mask: u64,
    },
}

/// No format has more than five slots and no op more than three effects.
const CAPACITY: usize = 16;

/// The writes of a bundle. A legal bundle never has more than fit; what an illegal one has beyond
/// is dropped.
#[derive(Debug)]
pub(super) struct Effects {
    list: [Effect; CAPACITY],
    length: usize,
}

impl Effects {
    /// No writes.
    pub(super) const fn new() -> Self {
        Self { list: [Effect::Nothing; CAPACITY], length: 0 }
    }

    fn push(&mut self, effect: Effect) {
        if let Some(free) = self.list.get_mut(self.length) {
            *free = effect;
            self.length += 1;
        }
    }

    /// Lets every write land.
    pub(super) fn apply(&self, state: &mut VectorState) {
        for effect in &self.list[..self.length] {
            match *effect {
                Effect::Nothing => {}
                Effect::Ar(index, value) => state.ar[index] = value,
                Effect::Vec(index, value) => state.vec[index] = value,
                Effect::Vbool(index, value) => state.vbool[index] = value,
                Effect::Valign(index, value) => state.valign[index] = value,
                Effect::Wvec(index, value) => state.wvec[index] = value,
                Effect::Pr(index, value) => state.pr[index] = value,
                Effect::Fsr(bits) => state.fsr |= bits,
                Effect::Memory { at, bytes, mask } => {
                    for (i, byte) in bytes.iter().enumerate() {
                        if (mask >> i) & 1 == 1 {
                            state.memory.write(at + i, std::slice::from_ref(byte));
                        }
                    }
                }
            }
        }
    }
}

/// One op of a bundle being executed. Operands are named by their position in the LAT table's
/// `operands` list.
pub(super) struct Operation<'a> {
    /// The state before the bundle.
    pub(super) state: &'a VectorState,
    operands: &'a [Operand],
    effects: &'a mut Effects,
}

impl<'a> Operation<'a> {
    /// An op with its operands.
    pub(super) fn new(
        state: &'a VectorState,
        operands: &'a [Operand],
        effects: &'a mut Effects,
    ) -> Self {
        Self { state, operands, effects }
    }

    /// The register index at an operand position, masked as spec 04 section 2 says. Legality has
    /// seen that it is a register of this class.
    fn index(&self, position: usize, class: RegClass) -> usize {
        match self.operands.get(position) {
            Some(&Operand::Reg(_, index)) => (index & (class.entries() - 1)) as usize,
            _ => 0,
        }
    }

    /// Immediate operand.
    pub(super) fn imm(&self, position: usize) -> i64 {
        match self.operands.get(position) {
            Some(&Operand::Imm(value)) => value,
            _ => 0,
        }
    }

    /// `A.x`: address register at the start of the bundle.
    pub(super) fn ar(&self, position: usize) -> u32 {
        self.state.ar[self.index(position, RegClass::Ar)]
    }

    /// Vector register at the start of the bundle.
    pub(super) fn vec(&self, position: usize) -> &'a Line {
        &self.state.vec[self.index(position, RegClass::Vec)]
    }

    /// Predicate register at the start of the bundle.
    pub(super) fn vbool(&self, position: usize) -> u64 {
        self.state.vbool[self.index(position, RegClass::Vbool)]
    }

    /// Align register at the start of the bundle.
    pub(super) fn valign(&self, position: usize) -> &'a Line {
        &self.state.valign[self.index(position, RegClass::Valign)]
    }

    /// Wide accumulator at the start of the bundle.
    pub(super) fn wvec(&self, position: usize) -> &'a [u8; 192] {
        &self.state.wvec[self.index(position, RegClass::Wvec)]
    }

    /// Scalar pair at the start of the bundle.
    pub(super) fn pr(&self, position: usize) -> u64 {
        self.state.pr[self.index(position, RegClass::Pr)]
    }

    /// Writes an address register.
    pub(super) fn set_ar(&mut self, position: usize, value: u32) {
        self.effects.push(Effect::Ar(self.index(position, RegClass::Ar), value));
    }

    /// Writes a vector register.
    pub(super) fn set_vec(&mut self, position: usize, value: Line) {
        self.effects.push(Effect::Vec(self.index(position, RegClass::Vec), value));
    }

    /// Writes a predicate register.
    pub(super) fn set_vbool(&mut self, position: usize, value: u64) {
        self.effects.push(Effect::Vbool(self.index(position, RegClass::Vbool), value));
    }

    /// Writes an align register.
    pub(super) fn set_valign(&mut self, position: usize, value: Line) {
        self.effects.push(Effect::Valign(self.index(position, RegClass::Valign), value));
    }

    /// Writes a wide accumulator.
    pub(super) fn set_wvec(&mut self, position: usize, value: [u8; 192]) {
        self.effects.push(Effect::Wvec(self.index(position, RegClass::Wvec), value));
    }

    /// Writes a scalar pair.
    pub(super) fn set_pr(&mut self, position: usize, value: u64) {
        self.effects.push(Effect::Pr(self.index(position, RegClass::Pr), value));
    }

    /// Raises the sticky flag V; under `fsr_gate = enabled` only while `FCR.EV` is set
    /// (spec 08 section 2, F-02).
    pub(super) fn raise_invalid(&mut self) {
        let gate_open = match self.state.profile.fsr_gate {
            FsrGate::Always => true,
            FsrGate::Enabled => self.state.fcr & FCR_EV != 0,
        };
        if gate_open {
            self.effects.push(Effect::Fsr(FSR_V));
        }
    }

    /// Performs a read of `length` bytes, all of which must lie in the window (section 2.3).
    pub(super) fn load(&self, address: u32, length: usize) -> Result<&'a [u8], MemoryFault> {
        let at =
            self.state.memory.window(address, length).ok_or(MemoryFault::BadAccess(address))?;
        Ok(&self.state.memory.bytes()[at..at + length])
    }

    /// Performs a write of `length` bytes, all of which must lie in the window whatever the mask
    /// (section 2.3, V-38). Byte `i` is written where bit `i` of the mask is set.
    pub(super) fn store(
        &mut self,
        address: u32,
        length: usize,
        bytes: [u8; LINE],
        mask: u64,
    ) -> Result<(), MemoryFault> {
        let at =
            self.state.memory.window(address, length).ok_or(MemoryFault::BadAccess(address))?;
        self.effects.push(Effect::Memory { at, bytes, mask: mask & low_mask(length) });
        Ok(())
    }
}

/// A mask of the lowest `count` bits, `count` at most 64.
pub(super) fn low_mask(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}
