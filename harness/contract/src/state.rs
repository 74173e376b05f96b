//! Architectural state as plain data. Each model mutates its own copy; nothing here computes.
//!
//! [`TensorState`] holds the regions of a case instead of whole memories; [`VectorState`] holds the
//! register files and one memory window whose written lines are tracked, so that a reset between two
//! cases costs what the case touched, not what the window holds.

use crate::case::{TensorCase, VectorCase};
use crate::isa::Generation;
use crate::profile::Profile;

/// The two on-chip memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// State buffer.
    Sbuf,
    /// Partial-sum memory.
    Psum,
}

impl Space {
    /// Name in cases.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sbuf => "sbuf",
            Self::Psum => "psum",
        }
    }

    /// The space with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "sbuf" => Some(Self::Sbuf),
            "psum" => Some(Self::Psum),
            _ => None,
        }
    }
}

/// A rectangle of tensor memory: `partitions` consecutive partitions from `partition`, in each the
/// bytes `offset .. offset + stride`. `data` holds the rows one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Region {
    /// Memory.
    pub space: Space,
    /// First partition.
    pub partition: u32,
    /// Number of partitions.
    pub partitions: u32,
    /// First byte inside each partition.
    pub offset: u32,
    /// Bytes per partition.
    pub stride: u32,
    /// `partitions * stride` bytes.
    pub data: Vec<u8>,
}

impl Region {
    /// Index into `data` of a byte of the memory, if the region holds it.
    pub fn index_of(&self, space: Space, partition: u32, offset: u32) -> Option<usize> {
        if self.space != space {
            return None;
        }
        let row = partition.wrapping_sub(self.partition);
        let column = offset.wrapping_sub(self.offset);
        (row < self.partitions && column < self.stride)
            .then(|| row as usize * self.stride as usize + column as usize)
    }
}

/// Where a byte lies among the regions of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionHit {
    /// Region number.
    pub region: usize,
    /// Index into the region's data.
    pub index: usize,
    /// Bytes from here to the end of the region's row, this one included.
    pub run: usize,
}

/// A write to a byte that no region of the case holds (external contract, part 2: bad input).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideCase {
    /// Memory.
    pub space: Space,
    /// Partition.
    pub partition: u32,
    /// Byte offset in the partition.
    pub offset: u32,
}

/// Number of accumulator lanes (spec 03 section 2.1).
pub const ACCUMULATOR_LANES: usize = 128;

/// State of the tensor side, and the environment that the steps read: generation, switches and the
/// register file of register-pointer immediates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorState {
    /// Generation that records are judged for.
    pub generation: Generation,
    /// Switches.
    pub profile: Profile,
    /// Address registers; read by register-pointer immediates.
    pub registers: [u32; 64],
    /// Memory that the case declares. Bytes outside read as zero and cannot be written.
    pub regions: Vec<Region>,
    /// Accumulator file, FP32 bit patterns.
    pub accumulators: [u32; ACCUMULATOR_LANES],
    /// Bit `k`: lane `k` is seeded.
    pub seeded: u128,
    /// Lane mask of StreamShuffle (spec 03 section 7.12).
    pub lane_mask: Option<[u8; 32]>,
}

impl Default for TensorState {
    fn default() -> Self {
        Self {
            generation: Generation::Mariana,
            profile: Profile::default(),
            registers: [0; 64],
            regions: Vec::new(),
            accumulators: [0; ACCUMULATOR_LANES],
            seeded: 0,
            lane_mask: None,
        }
    }
}

impl TensorState {
    /// The initial state of a case.
    pub fn of(case: &TensorCase) -> Self {
        let mut state = Self::default();
        state.load(case);
        state
    }

    /// Becomes the initial state of a case; keeps the buffers of the regions.
    pub fn load(&mut self, case: &TensorCase) {
        self.generation = case.generation;
        self.profile = case.profile;
        self.registers = [0; 64];
        for (&number, &value) in &case.registers {
            // Registers above 63 cannot be named by a record; the reader of cases refuses them.
            if let Some(register) = self.registers.get_mut(number as usize) {
                *register = value;
            }
        }
        self.regions.truncate(case.memory.len());
        let kept = self.regions.len();
        for (mine, given) in self.regions.iter_mut().zip(&case.memory) {
            mine.space = given.space;
            mine.partition = given.partition;
            mine.partitions = given.partitions;
            mine.offset = given.offset;
            mine.stride = given.stride;
            mine.data.clear();
            mine.data.extend_from_slice(&given.data);
        }
        self.regions.extend_from_slice(&case.memory[kept..]);
        self.accumulators = [0; ACCUMULATOR_LANES];
        self.seeded = 0;
        self.lane_mask = None;
    }

    /// The region that holds a byte.
    pub fn find(&self, space: Space, partition: u32, offset: u32) -> Option<RegionHit> {
        self.regions.iter().enumerate().find_map(|(region, candidate)| {
            let index = candidate.index_of(space, partition, offset)?;
            let run = (candidate.offset + candidate.stride - offset) as usize;
            Some(RegionHit { region, index, run })
        })
    }

    /// A byte of memory; zero outside every region.
    pub fn read_byte(&self, space: Space, partition: u32, offset: u32) -> u8 {
        match self.find(space, partition, offset) {
            Some(hit) => self.regions[hit.region].data[hit.index],
            None => 0,
        }
    }

    /// Writes a byte of memory.
    pub fn write_byte(
        &mut self,
        space: Space,
        partition: u32,
        offset: u32,
        value: u8,
    ) -> Result<(), OutsideCase> {
        let hit =
            self.find(space, partition, offset).ok_or(OutsideCase { space, partition, offset })?;
        self.regions[hit.region].data[hit.index] = value;
        Ok(())
    }
}

/// Bytes of a memory line.
pub const LINE: usize = 64;

/// The data-memory window of a vector program, with the lines that were written since the load.
#[derive(Debug, Clone, Default)]
pub struct VectorMemory {
    base: u32,
    bytes: Vec<u8>,
    /// One bit per 64-byte line: it may differ from zero-filled memory.
    touched: Vec<u64>,
}

impl VectorMemory {
    /// Becomes the initial memory of a case. Costs the lines touched by the case before and by this.
    /// Where chunks overlap, the later one wins.
    pub fn load(&mut self, case: &VectorCase) {
        self.clear();
        let length = case.memory.bytes as usize;
        if length > self.bytes.capacity() {
            // Fresh zero pages cost nothing until they are written, however large the window.
            self.bytes = vec![0; length];
        } else {
            self.bytes.resize(length, 0);
        }
        self.touched.resize(length.div_ceil(LINE).div_ceil(64), 0);
        self.base = case.memory.base;
        for chunk in &case.memory.init {
            // The reader of cases refuses chunks outside the window.
            if let Some(at) = self.window(chunk.address, chunk.data.len()) {
                self.write(at, &chunk.data);
            }
        }
    }

    /// Zeroes every byte; costs the touched lines.
    fn clear(&mut self) {
        for (index, word) in self.touched.iter_mut().enumerate() {
            let mut lines = std::mem::take(word);
            while lines != 0 {
                let start = (index * 64 + lines.trailing_zeros() as usize) * LINE;
                let end = (start + LINE).min(self.bytes.len());
                self.bytes[start..end].fill(0);
                lines &= lines - 1;
            }
        }
    }

    /// First address of the window.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Bytes of the window.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Index of an access of `length` bytes at `address`, if every byte lies in the window. An access
    /// that runs past address `0xffff_ffff` goes on at 0, which no window that ends there holds.
    pub fn window(&self, address: u32, length: usize) -> Option<usize> {
        let at = address.wrapping_sub(self.base) as usize;
        (at <= self.bytes.len() && length <= self.bytes.len() - at).then_some(at)
    }

    /// Writes bytes at a window index and marks their lines.
    ///
    /// # Panics
    /// If the bytes do not fit; callers test with [`window`](Self::window).
    pub fn write(&mut self, at: usize, data: &[u8]) {
        if data.is_empty() {
            return;
        }
        self.bytes[at..at + data.len()].copy_from_slice(data);
        for line in at / LINE..=(at + data.len() - 1) / LINE {
            self.touched[line / 64] |= 1 << (line % 64);
        }
    }

    /// Calls `visit` with the line numbers that either memory may have written, ascending.
    pub fn for_touched_lines(&self, other: &Self, mut visit: impl FnMut(usize)) {
        let words = self.touched.len().max(other.touched.len());
        for word in 0..words {
            let mut bits = self.touched.get(word).copied().unwrap_or(0)
                | other.touched.get(word).copied().unwrap_or(0);
            while bits != 0 {
                visit(word * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

impl PartialEq for VectorMemory {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base && self.bytes == other.bytes
    }
}
impl Eq for VectorMemory {}

/// One 512-bit register image, byte 0 first; aligned for vector loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(64))]
pub struct Line(pub [u8; LINE]);

impl Default for Line {
    fn default() -> Self {
        Self([0; LINE])
    }
}

/// Register files of the vector unit (spec 04 section 2), and the switches that the steps read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorState {
    /// Switches.
    pub profile: Profile,
    /// Address registers.
    pub ar: [u32; 16],
    /// Vector registers.
    pub vec: [Line; 32],
    /// Predicate registers.
    pub vbool: [u64; 16],
    /// Align registers.
    pub valign: [Line; 4],
    /// Wide accumulators, 192 bytes each.
    pub wvec: [[u8; 192]; 4],
    /// Packed scalar pairs.
    pub pr: [u64; 16],
    /// Gathered data.
    pub gvr: [Line; 8],
    /// Flag state.
    pub fs: [u64; 8],
    /// Floating control, the word of `RUR_FCR`.
    pub fcr: u16,
    /// Floating status, the word of `RUR_FSR`.
    pub fsr: u16,
    /// Coprocessor enables.
    pub cpenable: u8,
    /// Data memory.
    pub memory: VectorMemory,
}

impl Default for VectorState {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            ar: [0; 16],
            vec: [Line::default(); 32],
            vbool: [0; 16],
            valign: [Line::default(); 4],
            wvec: [[0; 192]; 4],
            pr: [0; 16],
            gvr: [Line::default(); 8],
            fs: [0; 8],
            fcr: 0,
            fsr: 0,
            cpenable: 2,
            memory: VectorMemory::default(),
        }
    }
}

impl VectorState {
    /// The initial state of a case.
    pub fn of(case: &VectorCase) -> Self {
        let mut state = Self::default();
        state.load(case);
        state
    }

    /// Becomes the initial state of a case; keeps the memory buffer.
    pub fn load(&mut self, case: &VectorCase) {
        self.profile = case.profile;
        self.ar = [0; 16];
        self.vec = [Line::default(); 32];
        self.vbool = [0; 16];
        self.valign = [Line::default(); 4];
        self.wvec = [[0; 192]; 4];
        self.pr = [0; 16];
        self.gvr = [Line::default(); 8];
        self.fs = [0; 8];
        self.fcr = 0;
        self.fsr = 0;
        self.cpenable = case.cpenable;
        for value in &case.state {
            value.store(self);
        }
        self.memory.load(case);
    }
}
