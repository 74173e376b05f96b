//! Packs probes into programs: each probe gets registers of its own, but that equal values which
//! nothing overwrites are shared, and memory of its own inside the window.

use super::super::bulk::Bulk;
use super::super::memory::Window;
use super::super::places::Slots;
use super::super::table::{Memory, Row};
use super::probe::{Arg, Probe, Value};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, Operands, SlotOp};
use contract::case::{Case, MemoryChunk, MemoryWindow, RegisterValue, VectorCase};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::profile::Profile;
use contract::state::LINE;

/// Bytes of the window of a directed program.
pub(super) const WINDOW_BYTES: u32 = 8192;

/// Most probes of one program.
const PROBES: usize = 12;

/// Most probes that touch memory.
const REGIONS: u32 = 8;

/// First region and distance of two, from the window's base. Probes reach 576 bytes to either side.
const FIRST_REGION: u32 = 1536;
const REGION: u32 = 512;

/// Most initial bytes per touched place: before it and in all.
const BEFORE: i32 = 64;
const TOUCHED: u32 = 256;

/// The programs of a sequence of probes; ids are the letter, the op and a number.
pub(super) fn programs(
    row: &'static Row,
    letter: char,
    probes: impl Iterator<Item = Probe>,
) -> impl Iterator<Item = Case> {
    let mut probes = probes.peekable();
    let (mut number, mut turn) = (0, 0);
    std::iter::from_fn(move || {
        let first = probes.next()?;
        let mut packer = Packer::new(turn);
        let alone = first.alone;
        packer.add(&first);
        while !alone && let Some(next) = probes.next_if(|probe| !probe.alone && packer.takes(probe))
        {
            packer.add(&next);
        }
        turn = packer.turn;
        let id = format!("{letter}-{}-{number}", row.mnemonic.name());
        number += 1;
        Some(Case::Vector(packer.finish(id)))
    })
}

/// A program under construction.
struct Packer {
    /// Registers taken per class.
    taken: [u32; 8],
    /// Given values; a register that nothing writes may serve again.
    given: Vec<(RegClass, u32, Value, bool)>,
    chunks: Vec<MemoryChunk>,
    program: Vec<Bundle>,
    probes: usize,
    regions: u32,
    /// Counts probes, so that their ops go through all their slots.
    turn: u32,
    /// Some op touches memory.
    memory: bool,
}

impl Packer {
    const fn new(turn: u32) -> Self {
        Self {
            taken: [0; 8],
            given: Vec::new(),
            chunks: Vec::new(),
            program: Vec::new(),
            probes: 0,
            regions: 0,
            turn,
            memory: false,
        }
    }

    /// Whether another probe has room, at worst without a register to share.
    fn takes(&self, probe: &Probe) -> bool {
        let mut taken = self.taken;
        for (class, _) in &probe.registers {
            taken[*class as usize] += 1;
        }
        let room = RegClass::ALL.iter().all(|&class| taken[class as usize] <= class.entries());
        room && self.probes < PROBES && (probe.touches.is_empty() || self.regions < REGIONS)
    }

    /// Adds a probe that has room.
    fn add(&mut self, probe: &Probe) {
        let start = FIRST_REGION + self.regions * REGION;
        let region = Window::DEFAULT.base + start;
        let written = |local: usize| {
            probe.steps.iter().any(|step| {
                step.row.operands.iter().zip(&step.args).any(|(facts, arg)| {
                    facts.defs && matches!(arg, Arg::Register(known) if *known == local)
                })
            })
        };
        let registers: Vec<(RegClass, u32)> = (probe.registers.iter().enumerate())
            .map(|(local, (class, value))| {
                let value = match value {
                    Value::Near(offset) => Value::Scalar(region.wrapping_add(*offset as u32)),
                    other => other.clone(),
                };
                (*class, self.register(*class, value, written(local)))
            })
            .collect();
        for &offset in &probe.touches {
            self.touch(start, offset);
        }
        for step in &probe.steps {
            let mut operands = Operands::new();
            for arg in &step.args {
                operands.push(match *arg {
                    Arg::Register(local) => Operand::Reg(registers[local].0, registers[local].1),
                    Arg::Number(value) => Operand::Imm(value.into()),
                });
            }
            let (format, slot) = Slots::place(step.row.slots.nth(self.turn));
            self.program.push(if step.row.mnemonic == Mnemonic::NOP {
                // In every format rather than in every slot: an explicit `NOP` says nothing.
                Bundle::empty(Format::ALL[self.turn as usize % Format::ALL.len()])
            } else {
                let op = OpWord::Known(step.row.mnemonic);
                let ops = vec![SlotOp { slot: slot.into(), op, operands }];
                Bundle { format: FormatWord::Known(format), ops }
            });
            self.memory |= step.row.memory != Memory::None;
        }
        self.turn += 1;
        self.probes += 1;
        self.regions += u32::from(!probe.touches.is_empty());
    }

    /// A register that holds a value; a new one unless an equal one is only read.
    fn register(&mut self, class: RegClass, value: Value, written: bool) -> u32 {
        if !written {
            let shared = self.given.iter().find(|(known, _, held, overwritten)| {
                *known == class && !overwritten && *held == value
            });
            if let Some(&(_, index, ..)) = shared {
                return index;
            }
        }
        let index = self.taken[class as usize] % class.entries();
        self.taken[class as usize] += 1;
        self.given.push((class, index, value, written));
        index
    }

    /// Gives the memory around a place its bytes, whatever lies inside the window.
    fn touch(&mut self, start: u32, offset: i32) {
        let place = (start as i32 + offset) & !(LINE as i32 - 1);
        let low = (place - BEFORE).clamp(0, WINDOW_BYTES as i32) as u32;
        let high = (low + TOUCHED).min(WINDOW_BYTES);
        if low >= high {
            return;
        }
        let mut data = vec![0; (high - low) as usize];
        // The bytes depend on the place alone, so that overlapping parts agree.
        for (line, bytes) in (low / LINE as u32..).zip(data.chunks_mut(LINE)) {
            Bulk::new(line.into()).fill(bytes);
        }
        self.chunks.push(MemoryChunk { address: Window::DEFAULT.base + low, data });
    }

    fn finish(self, id: String) -> VectorCase {
        let mut state: Vec<(RegClass, RegisterValue)> = self
            .given
            .into_iter()
            .filter_map(|(class, index, value, _)| {
                let index = index as u8;
                let value = match value {
                    Value::Fresh | Value::Near(_) => return None,
                    Value::Scalar(value) => RegisterValue::Ar(index, value),
                    Value::Vector(line) => RegisterValue::Vec(index, line),
                    Value::Mask(value) => RegisterValue::Vbool(index, value),
                    Value::Align(line) => RegisterValue::Valign(index, line),
                    Value::Wide(bytes) => RegisterValue::Wvec(index, bytes),
                    Value::Pair(value) => RegisterValue::Pr(index, value),
                    Value::Gathered(line) => RegisterValue::Gvr(index, line),
                };
                Some((class, value))
            })
            .collect();
        // Registers were given in ascending order within a class, so a stable sort by class suffices.
        state.sort_by_key(|(class, _)| *class);
        VectorCase {
            id,
            profile: Profile::default(),
            cpenable: 2,
            state: state.into_iter().map(|(_, value)| value).collect(),
            memory: MemoryWindow {
                base: Window::DEFAULT.base,
                bytes: if self.memory { WINDOW_BYTES } else { Window::DEFAULT.bytes },
                init: self.chunks,
            },
            program: self.program,
        }
    }
}
