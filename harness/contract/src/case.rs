//! A case: everything a model needs to run, and nothing that depends on a model (external contract,
//! part 2). The JSON form lives in [`crate::json`].

use crate::bundle::Bundle;
use crate::isa::Generation;
use crate::profile::Profile;
use crate::state::{Line, Region, VectorState};
use std::collections::BTreeMap;

/// Bytes of a tensor instruction record.
pub const RECORD: usize = 64;

/// A tensor program with its initial memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorCase {
    /// Name of the case; no meaning.
    pub id: String,
    /// Generation.
    pub generation: Generation,
    /// Switches.
    pub profile: Profile,
    /// Initial memory; regions do not overlap.
    pub memory: Vec<Region>,
    /// Address registers (0..=63) that differ from zero or were given.
    pub registers: BTreeMap<u8, u32>,
    /// Instruction records.
    pub program: Vec<[u8; RECORD]>,
}

/// Initial value of one vector-unit register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisterValue {
    /// `a<i>`
    Ar(u8, u32),
    /// `v<i>`
    Vec(u8, Box<Line>),
    /// `vb<i>`
    Vbool(u8, u64),
    /// `u<i>`
    Valign(u8, Box<Line>),
    /// `wv<i>`
    Wvec(u8, Box<[u8; 192]>),
    /// `pr<i>`
    Pr(u8, u64),
    /// `gr<i>`
    Gvr(u8, Box<Line>),
    /// `fs<i>`
    Fs(u8, u64),
    /// `fcr`
    Fcr(u16),
    /// `fsr`
    Fsr(u16),
}

impl RegisterValue {
    /// Puts the value into a state.
    ///
    /// # Panics
    /// If the index lies outside the file; the reader of cases refuses such a key.
    pub fn store(&self, state: &mut VectorState) {
        match self {
            Self::Ar(i, value) => state.ar[*i as usize] = *value,
            Self::Vec(i, value) => state.vec[*i as usize] = **value,
            Self::Vbool(i, value) => state.vbool[*i as usize] = *value,
            Self::Valign(i, value) => state.valign[*i as usize] = **value,
            Self::Wvec(i, value) => state.wvec[*i as usize] = **value,
            Self::Pr(i, value) => state.pr[*i as usize] = *value,
            Self::Gvr(i, value) => state.gvr[*i as usize] = **value,
            Self::Fs(i, value) => state.fs[*i as usize] = *value,
            Self::Fcr(value) => state.fcr = *value,
            Self::Fsr(value) => state.fsr = *value,
        }
    }
}

/// Initial bytes of data memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryChunk {
    /// First address.
    pub address: u32,
    /// The bytes.
    pub data: Vec<u8>,
}

/// The data-memory window of a vector case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryWindow {
    /// First address, a multiple of 64.
    pub base: u32,
    /// Bytes, a multiple of 64.
    pub bytes: u32,
    /// Bytes that are not zero; later chunks win.
    pub init: Vec<MemoryChunk>,
}

impl Default for MemoryWindow {
    fn default() -> Self {
        Self { base: 0x0008_0000, bytes: 65536, init: Vec::new() }
    }
}

/// A vector-unit program with its initial state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorCase {
    /// Name of the case; no meaning.
    pub id: String,
    /// Switches.
    pub profile: Profile,
    /// Coprocessor enables; 2 unless given.
    pub cpenable: u8,
    /// Registers that are not zero.
    pub state: Vec<RegisterValue>,
    /// Data memory.
    pub memory: MemoryWindow,
    /// Bundles.
    pub program: Vec<Bundle>,
}

/// A self-contained test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Case {
    /// A tensor program.
    Tensor(TensorCase),
    /// A vector-unit program.
    Vector(VectorCase),
}

impl Case {
    /// Name of the case.
    pub fn id(&self) -> &str {
        match self {
            Self::Tensor(case) => &case.id,
            Self::Vector(case) => &case.id,
        }
    }

    /// Switches.
    pub fn profile(&self) -> &Profile {
        match self {
            Self::Tensor(case) => &case.profile,
            Self::Vector(case) => &case.profile,
        }
    }

    /// Switches, to be changed.
    pub fn profile_mut(&mut self) -> &mut Profile {
        match self {
            Self::Tensor(case) => &mut case.profile,
            Self::Vector(case) => &mut case.profile,
        }
    }
}
