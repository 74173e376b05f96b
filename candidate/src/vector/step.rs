//! What an op sees and leaves behind: [`Step`] gives it the state before the bundle by operand
//! position and collects its writes, [`Effects`] holds the writes of a bundle until all its ops have
//! read (spec 04 V-31).

use super::lanes::Lanes;
use contract::bundle::{Operand, Operands};
use contract::outcome::{FaultReason, VectorStep};
use contract::profile::FsrGate;
use contract::state::{LINE, Line, VectorState};

/// Slots of the widest format.
const SLOTS: usize = 5;

/// Bit V of the word of `RUR_FSR`, and its enable EV in the word of `RUR_FCR` (spec 08 section 2.1).
const FSR_V: u16 = 1 << 11;
const FCR_EV: u16 = 1 << 6;

/// Operands of one op as numbers: register indices, and immediates in two's complement.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Args([u32; 6]);

impl Args {
    /// Takes the operands of a legal op; false if one is neither register nor number.
    #[inline(always)]
    pub(super) fn take(&mut self, operands: &Operands) -> bool {
        for (arg, operand) in self.0.iter_mut().zip(operands) {
            *arg = match operand {
                Operand::Reg(_, index) => *index,
                // Every legal immediate fits 32 bits.
                Operand::Imm(value) => *value as u32,
                Operand::Word(_) => return false,
            };
        }
        true
    }
}

/// A memory fault, with the first byte of the access (spec 04 section 2.3).
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    /// A byte outside the window.
    BadAccess(u32),
    /// A misaligned scalar access.
    Alignment(u32),
}

impl From<Fault> for VectorStep {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::BadAccess(address) => Self::Fault(FaultReason::BadAccess, Some(address)),
            Fault::Alignment(address) => Self::Fault(FaultReason::Alignment, Some(address)),
        }
    }
}

/// Writes to one register file. A legal bundle has room in it; of an illegal one, what does not fit
/// is dropped.
#[derive(Debug, Clone)]
struct Writes<T, const N: usize> {
    count: usize,
    index: [u32; N],
    value: [T; N],
}

impl<T: Copy, const N: usize> Writes<T, N> {
    const fn new(value: T) -> Self {
        Self { count: 0, index: [0; N], value: [value; N] }
    }

    /// The next entry, to be filled.
    #[inline(always)]
    fn entry(&mut self, index: u32) -> Option<&mut T> {
        let at = self.count;
        *self.index.get_mut(at)? = index;
        self.count += 1;
        self.value.get_mut(at)
    }

    #[inline(always)]
    fn push(&mut self, index: u32, value: T) {
        if let Some(entry) = self.entry(index) {
            *entry = value;
        }
    }

    /// Writes everything into a file whose size is a power of two.
    #[inline(always)]
    fn commit<const FILE: usize>(&self, file: &mut [T; FILE]) {
        for (index, value) in self.index.iter().zip(&self.value).take(self.count) {
            file[*index as usize % FILE] = *value;
        }
    }
}

/// The bytes of a store, at a window index that was tested.
#[derive(Debug, Clone)]
struct Store {
    at: usize,
    length: usize,
    bytes: Line,
}

/// Writes of one bundle, in the order of its ops.
#[derive(Debug, Clone)]
pub(super) struct Effects {
    ar: Writes<u32, { 2 * SLOTS }>,
    vec: Writes<Line, { 2 * SLOTS }>,
    vbool: Writes<u64, SLOTS>,
    valign: Writes<Line, SLOTS>,
    wvec: Writes<[u8; 192], SLOTS>,
    pr: Writes<u64, SLOTS>,
    store: Store,
    stores: bool,
    invalid: bool,
}

impl Default for Effects {
    fn default() -> Self {
        let line = Line([0; LINE]);
        Self {
            ar: Writes::new(0),
            vec: Writes::new(line),
            vbool: Writes::new(0),
            valign: Writes::new(line),
            wvec: Writes::new([0; 192]),
            pr: Writes::new(0),
            store: Store { at: 0, length: 0, bytes: line },
            stores: false,
            invalid: false,
        }
    }
}

impl Effects {
    /// Forgets the bundle before.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.ar.count = 0;
        self.vec.count = 0;
        self.vbool.count = 0;
        self.valign.count = 0;
        self.wvec.count = 0;
        self.pr.count = 0;
        self.stores = false;
        self.invalid = false;
    }

    /// Lets every write land.
    #[inline(always)]
    pub(super) fn commit(&self, state: &mut VectorState) {
        self.ar.commit(&mut state.ar);
        self.vec.commit(&mut state.vec);
        self.vbool.commit(&mut state.vbool);
        self.valign.commit(&mut state.valign);
        self.wvec.commit(&mut state.wvec);
        self.pr.commit(&mut state.pr);
        if self.stores {
            let Store { at, length, bytes } = &self.store;
            state.memory.write(*at, &bytes.0[..*length]);
        }
        if self.invalid {
            let enabled = match state.profile.fsr_gate {
                FsrGate::Always => true,
                FsrGate::Enabled => state.fcr & FCR_EV != 0,
            };
            if enabled {
                state.fsr |= FSR_V;
            }
        }
    }
}

/// One op at work: its operands, the state before the bundle, and where its writes go. Registers are
/// named by operand position.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) state: &'a VectorState,
    pub(super) args: &'a Args,
    pub(super) effects: &'a mut Effects,
}

impl<'a> Step<'a> {
    /// The operand's number.
    #[inline(always)]
    pub(super) fn imm(&self, position: usize) -> u32 {
        self.args.0[position]
    }

    #[inline(always)]
    pub(super) fn ar(&self, position: usize) -> u32 {
        self.state.ar[self.args.0[position] as usize % 16]
    }

    #[inline(always)]
    pub(super) fn line(&self, position: usize) -> &'a Line {
        &self.state.vec[self.args.0[position] as usize % 32]
    }

    #[inline(always)]
    pub(super) fn vec<L: Lanes>(&self, position: usize) -> L {
        L::load(&self.line(position).0)
    }

    #[inline(always)]
    pub(super) fn vbool(&self, position: usize) -> u64 {
        self.state.vbool[self.args.0[position] as usize % 16]
    }

    #[inline(always)]
    pub(super) fn valign(&self, position: usize) -> &'a Line {
        &self.state.valign[self.args.0[position] as usize % 4]
    }

    #[inline(always)]
    pub(super) fn wvec(&self, position: usize) -> &'a [u8; 192] {
        &self.state.wvec[self.args.0[position] as usize % 4]
    }

    #[inline(always)]
    pub(super) fn pr(&self, position: usize) -> u64 {
        self.state.pr[self.args.0[position] as usize % 16]
    }

    #[inline(always)]
    pub(super) fn set_ar(&mut self, position: usize, value: u32) {
        self.effects.ar.push(self.args.0[position], value);
    }

    #[inline(always)]
    pub(super) fn set_vec<L: Lanes>(&mut self, position: usize, value: L) {
        if let Some(line) = self.effects.vec.entry(self.args.0[position]) {
            value.store(&mut line.0);
        }
    }

    #[inline(always)]
    pub(super) fn set_line(&mut self, position: usize, value: Line) {
        self.effects.vec.push(self.args.0[position], value);
    }

    #[inline(always)]
    pub(super) fn set_vbool(&mut self, position: usize, value: u64) {
        self.effects.vbool.push(self.args.0[position], value);
    }

    #[inline(always)]
    pub(super) fn set_valign(&mut self, position: usize, value: Line) {
        self.effects.valign.push(self.args.0[position], value);
    }

    #[inline(always)]
    pub(super) fn set_wvec(&mut self, position: usize, value: [u8; 192]) {
        self.effects.wvec.push(self.args.0[position], value);
    }

    #[inline(always)]
    pub(super) fn set_pr(&mut self, position: usize, value: u64) {
        self.effects.pr.push(self.args.0[position], value);
    }

    /// Raises V (spec 08 section 2).
    #[inline(always)]
    pub(super) fn raise_invalid(&mut self, raised: bool) {
        self.effects.invalid |= raised;
    }

    /// Bytes of memory before the bundle.
    ///
    /// # Errors
    /// `BadAccess` if a byte lies outside the window.
    #[inline(always)]
    pub(super) fn memory<const N: usize>(&self, address: u32) -> Result<&'a [u8; N], Fault> {
        let state = self.state;
        state
            .memory
            .window(address, N)
            .and_then(|at| state.memory.bytes()[at..].first_chunk())
            .ok_or(Fault::BadAccess(address))
    }

    /// Room for the bytes of a store; the first `length` land.
    ///
    /// # Errors
    /// `BadAccess` if a byte lies outside the window.
    #[inline(always)]
    pub(super) fn store(&mut self, address: u32, length: usize) -> Result<&mut Line, Fault> {
        let at = self.state.memory.window(address, length).ok_or(Fault::BadAccess(address))?;
        let store = &mut self.effects.store;
        store.at = at;
        store.length = length;
        self.effects.stores = true;
        Ok(&mut store.bytes)
    }

    /// The result of a T form: `fresh` where the mask is 1, the old register elsewhere (spec 04
    /// section 3 rule 5).
    #[inline(always)]
    pub(super) fn merge_vec<L: Lanes>(&mut self, position: usize, mask: u64, fresh: L) {
        let old = self.vec(position);
        self.set_vec(position, L::blend(mask, fresh, old));
    }
}
