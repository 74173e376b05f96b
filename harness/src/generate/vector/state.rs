//! Initial registers: those that the program reads before it writes them get a value for the role in
//! which they are read first; the others stay zero, with a few exceptions, so that cases stay small.

use super::super::{DataSource, Draw};
use super::bulk::Bulk;
use super::draft::{Draft, for_each_read, written};
use super::fill;
use super::memory::{self, Window};
use super::places::{REGISTERS, Registers, register, single};
use super::roles::{Lane, Role};
use super::table::Memory;
use contract::case::{RegisterValue, VectorCase};
use contract::isa::RegClass;
use contract::state::{LINE, Line};

/// Bits of `fcr` and `fsr` (spec 08 section 2.1), and the enable EV.
const FCR_BITS: u16 = 0x007f;
const FSR_BITS: u16 = 0x0f80;
const FCR_EV: u16 = 0x0040;

/// Most chunks of initial memory.
const CHUNKS: usize = 3;

/// With a data source, this many vector operands in a hundred take their values from it.
const DATA_PERCENT: u32 = 60;

/// Values that a shape wants in address registers, whatever their role.
pub(super) type Presets = smallvec::SmallVec<[(u32, u32); 8]>;

/// What a program reads of the initial state.
#[derive(Debug)]
pub(super) struct Reads {
    set: Registers,
    role: [Role; REGISTERS],
    lane: [Lane; REGISTERS],
    /// Some op touches memory.
    memory: bool,
    /// Some op can raise or read a floating flag.
    float: bool,
    /// Some op reads flag state.
    flags: bool,
}

impl Reads {
    /// Goes through a program.
    pub(super) fn of(program: &[Draft]) -> Self {
        let mut reads = Self {
            set: 0,
            role: [Role::Result; REGISTERS],
            lane: [Lane::I16; REGISTERS],
            memory: false,
            float: false,
            flags: false,
        };
        let mut gone: Registers = 0;
        for draft in program {
            let mut defined = 0;
            for op in &draft.ops {
                for_each_read(op, |at, bit| {
                    if gone & bit == 0 {
                        reads.note(bit, op.row.operands[at].role, op.row.lane);
                    }
                });
                defined |= written(op.row, &op.args).unwrap_or(0);
                reads.memory |= op.row.memory != Memory::None;
                reads.float |= op.row.lane.is_float() || op.row.chapter == 8;
                reads.flags |= op.row.chapter == 9;
            }
            gone |= defined;
        }
        reads
    }

    /// Notes a read. Of two roles the more demanding counts: the word base before any base, a base
    /// before an offset or length, anything before a plain scalar.
    fn note(&mut self, bit: Registers, role: Role, lane: Lane) {
        let at = bit.trailing_zeros() as usize;
        if self.set & bit == 0 || demand(role) > demand(self.role[at]) {
            self.role[at] = role;
            self.lane[at] = lane;
        }
        self.set |= bit;
    }

    fn reads(&self, class: RegClass, index: u32) -> bool {
        self.set & single(class, index) != 0
    }
}

/// How much a role asks of a value.
const fn demand(role: Role) -> u8 {
    match role {
        Role::WordBase => 4,
        Role::Base => 3,
        Role::Index | Role::Length | Role::Count => 2,
        Role::Offset => 1,
        _ => 0,
    }
}

/// Reused buffers of register images and memory.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "cases hold boxes, and these are their boxes")]
pub(super) struct Spare {
    lines: Vec<Box<Line>>,
    wides: Vec<Box<[u8; 192]>>,
    chunks: Vec<Vec<u8>>,
}

/// Buffers of a kind that a generator keeps; more than the registers that cases set.
const MOST_SPARE: usize = 64;

impl Spare {
    /// Takes the buffers of a case that is no longer needed.
    pub(super) fn take(&mut self, case: &mut VectorCase) {
        for value in case.state.drain(..) {
            match value {
                RegisterValue::Vec(_, line)
                | RegisterValue::Valign(_, line)
                | RegisterValue::Gvr(_, line) => self.lines.push(line),
                RegisterValue::Wvec(_, bytes) => self.wides.push(bytes),
                _ => {}
            }
        }
        self.chunks.extend(case.memory.init.drain(..).map(|chunk| chunk.data));
        // A place may be filled by several generators in turn; buffers must not gather in one of them.
        self.lines.truncate(MOST_SPARE);
        self.wides.truncate(MOST_SPARE);
        self.chunks.truncate(MOST_SPARE);
    }

    fn line(&mut self) -> Box<Line> {
        self.lines.pop().unwrap_or_default()
    }
}

/// Draws the initial state and memory of a program into a case whose state is empty.
pub(super) fn draw_state(
    draw: &mut Draw<'_>,
    reads: &mut Reads,
    presets: &Presets,
    window: &Window,
    data: Option<&DataSource>,
    spare: &mut Spare,
    case: &mut VectorCase,
) {
    if draw.one_in(24) {
        // Registers that nothing reads must come out unchanged.
        for _ in 0..=draw.below(2) {
            reads.set |= 1 << draw.below(REGISTERS as u32);
        }
    }
    window.apply(&mut case.memory);
    let state = &mut case.state;
    let mut last = None;
    for index in 0..RegClass::Ar.entries() {
        let preset = presets.iter().find(|(register, _)| *register == index);
        if !reads.reads(RegClass::Ar, index) {
            continue;
        }
        let role = reads.role[register(RegClass::Ar, index)];
        let value = match preset {
            Some(&(_, value)) => value,
            None if role.is_address() => base_address(draw, window, role, last),
            None => fill::scalar(draw, role),
        };
        if role.is_address() {
            last = Some(value);
            if reads.memory && case.memory.init.len() < CHUNKS && !draw.one_in(8) {
                memory::chunk(draw, window, value, &mut spare.chunks, &mut case.memory.init);
            }
        }
        state.push(RegisterValue::Ar(index as u8, value));
    }
    for index in members(reads, RegClass::Vec) {
        let at = register(RegClass::Vec, index);
        let mut line = spare.line();
        let address = |bulk: &mut Bulk| window.anywhere(bulk);
        let (role, lane) = (reads.role[at], reads.lane[at]);
        match data.filter(|_| role == Role::Data && draw.percent(DATA_PERCENT)) {
            Some(data) => fill::from_source(draw, lane, data, &mut line.0),
            None => fill::vector(draw, role, lane, address, &mut line.0),
        }
        state.push(RegisterValue::Vec(index as u8, line));
    }
    for index in members(reads, RegClass::Vbool) {
        let lane = reads.lane[register(RegClass::Vbool, index)];
        state.push(RegisterValue::Vbool(index as u8, fill::predicate(draw, lane)));
    }
    for index in members(reads, RegClass::Valign) {
        let store = reads.role[register(RegClass::Valign, index)] == Role::StoreAlign;
        let mut line = spare.line();
        fill::align(draw, store, &mut line.0);
        state.push(RegisterValue::Valign(index as u8, line));
    }
    for index in members(reads, RegClass::Wvec) {
        let mut bytes = spare.wides.pop().unwrap_or_else(|| Box::new([0; 192]));
        fill::wide(draw, &mut bytes);
        state.push(RegisterValue::Wvec(index as u8, bytes));
    }
    for index in members(reads, RegClass::Pr) {
        state.push(RegisterValue::Pr(index as u8, fill::pair(draw)));
    }
    control_words(draw, reads.float, state);
    for index in members(reads, RegClass::Gvr) {
        let mut line = spare.line();
        fill::data(draw, Lane::I16, &mut line.0);
        state.push(RegisterValue::Gvr(index as u8, line));
    }
    if reads.flags && draw.percent(20) {
        for index in 0..8 {
            if draw.percent(30) {
                state.push(RegisterValue::Fs(index, fill::predicate(draw, Lane::I8)));
            }
        }
    }
}

/// Registers of a class that need a value, ascending.
fn members(reads: &Reads, class: RegClass) -> impl Iterator<Item = u32> + use<> {
    let set = reads.set;
    (0..class.entries()).filter(move |&index| set & single(class, index) != 0)
}

/// Floating control and status: mostly zero; the enable of V matters to the `NUM` reductions.
fn control_words(draw: &mut Draw<'_>, float: bool, state: &mut Vec<RegisterValue>) {
    let often = if float { 60 } else { 2 };
    if draw.percent(often) {
        let word = match draw.below(4) {
            0 => FCR_EV,
            1 => 0,
            2 => FCR_BITS & !FCR_EV,
            _ => draw.u16() & FCR_BITS,
        };
        state.push(RegisterValue::Fcr(word));
    }
    if draw.percent(often / 4) {
        state.push(RegisterValue::Fsr(draw.u16() & FSR_BITS));
    }
}

/// The address in a base register; now and then near the previous one, so that accesses overlap.
fn base_address(draw: &mut Draw<'_>, window: &Window, role: Role, last: Option<u32>) -> u32 {
    let address = match last {
        Some(last) if draw.percent(35) => {
            last.wrapping_add(draw.below(3 * LINE as u32)).wrapping_sub(LINE as u32)
        }
        _ => window.address(draw),
    };
    // A scalar access off a word boundary faults; a few shall.
    if role == Role::WordBase && !draw.one_in(16) { address & !3 } else { address }
}
