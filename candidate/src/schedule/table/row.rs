//! The notation of a table row, and how it is worked out at compile time. A row that does not make
//! sense stops the build.
//!
//! Postings are a text in table order: `vt:10` is a use of operand `vt` at stage 10, `vt=11` a def at
//! stage 11, `pr!12` a port of class `pr` (its text prefix) at stage 12. Operand names and classes are
//! the vocabulary's.

use super::slots::SlotSet;
use super::{Limit, MAX_OPERANDS, MAX_POSTINGS, Memory, OperandRule, PostingRule, Timing};
use contract::isa::{MnemonicInfo, OperandKind, RegClass};
use contract::schedule::Role;

/// Immediates of one op.
const MAX_IMMEDIATES: usize = 2;

/// A row of the table as written.
#[derive(Clone, Copy)]
pub(super) struct Row {
    name: &'static str,
    slots: SlotSet,
    postings: &'static str,
    memory: Memory,
    copies: u8,
    /// Limits of the immediates in assembly order.
    limits: [Option<Limit>; MAX_IMMEDIATES],
    crossbar: bool,
}

/// A row of an op that touches no memory and takes no immediate.
pub(super) const fn row(name: &'static str, slots: SlotSet, postings: &'static str) -> Row {
    let (memory, limits) = (Memory::None, [None; MAX_IMMEDIATES]);
    Row { name, slots, postings, memory, copies: 0, limits, crossbar: false }
}

impl Row {
    /// Reads memory with one load/store copy.
    pub(super) const fn load(self) -> Self {
        Self { memory: Memory::Load, copies: 1, ..self }
    }

    /// Reads memory with both load/store copies.
    pub(super) const fn paired_load(self) -> Self {
        Self { memory: Memory::Load, copies: 2, ..self }
    }

    /// Writes memory (spec 05 T-23 counts align-register flushes among stores).
    pub(super) const fn store(self) -> Self {
        Self { memory: Memory::Store, copies: 1, ..self }
    }

    /// The next immediate is a multiple of `step` from `min` to `max`.
    pub(super) const fn imm(self, min: i32, max: i32, step: u32) -> Self {
        assert!(min < max && step > 0 && ((max - min) as u32).is_multiple_of(step));
        self.limit(Limit::Range { min, max, step })
    }

    /// The next immediate is one of these.
    pub(super) const fn imm_of(self, set: &'static &'static [i32]) -> Self {
        self.limit(Limit::Set(set))
    }

    const fn limit(mut self, limit: Limit) -> Self {
        let mut place = 0;
        while self.limits[place].is_some() {
            place += 1;
        }
        self.limits[place] = Some(limit);
        self
    }

    /// A crossbar or reduce row, whose `vec` postings follow the switch `lat_crossbar` (T-03).
    pub(super) const fn crossbar(self) -> Self {
        Self { crossbar: true, ..self }
    }

    /// Works the row out against the vocabulary's entry of the same op.
    pub(super) const fn compile(&self, info: &MnemonicInfo) -> Timing {
        let name = self.name.as_bytes();
        assert!(is_name(name, 0, name.len(), info.name), "rows stand in the order of mnemonics");
        let mut timing = Timing {
            slots: self.slots,
            memory: self.memory,
            copies: self.copies,
            crossbar: self.crossbar,
            ..Timing::EMPTY
        };
        let mut immediates = 0;
        while (timing.operand_count as usize) < info.operands.len() {
            let place = timing.operand_count as usize;
            timing.operands[place] = match info.operands[place].1 {
                OperandKind::Reg(class) => OperandRule::Reg(class),
                OperandKind::Imm => {
                    immediates += 1;
                    OperandRule::Imm(self.limits[immediates - 1].expect("a limit per immediate"))
                }
            };
            timing.operand_count += 1;
        }
        let all_used = immediates == MAX_IMMEDIATES || self.limits[immediates].is_none();
        assert!(all_used, "an immediate per limit");
        self.compile_postings(info, &mut timing);
        timing
    }

    const fn compile_postings(&self, info: &MnemonicInfo, timing: &mut Timing) {
        let text = self.postings.as_bytes();
        let mut at = 0;
        while at < text.len() {
            let start = at;
            while !matches!(text[at], b':' | b'=' | b'!') {
                at += 1;
            }
            let end = at;
            at += 1;
            let mut lat = 0;
            while at < text.len() && text[at] != b' ' {
                assert!(text[at].is_ascii_digit());
                lat = lat * 10 + (text[at] - b'0');
                at += 1;
            }
            at += 1;
            let role = match text[end] {
                b':' => Role::Use,
                b'=' => Role::Def,
                _ => Role::Port,
            };
            let (operand, class) = match role {
                Role::Port => (PostingRule::NO_OPERAND, class_prefixed(text, start, end)),
                Role::Use | Role::Def => operand_named(info, text, start, end),
            };
            if matches!(role, Role::Def) {
                let bit = 1 << operand;
                assert!(timing.defined & bit == 0, "an operand has one def posting at most");
                timing.defined |= bit;
            }
            let formal = match (role, self.crossbar && matches!(class, RegClass::Vec)) {
                (Role::Def, true) => 12,
                (Role::Use, true) => 10,
                _ => lat,
            };
            let place = timing.posting_count as usize;
            timing.postings[place] = PostingRule { operand, class, role, lats: [lat, formal] };
            timing.posting_count += 1;
        }
    }
}

/// The register operand whose name stands at `start..end` of a text.
const fn operand_named(
    info: &MnemonicInfo,
    text: &[u8],
    start: usize,
    end: usize,
) -> (u8, RegClass) {
    let mut place = 0;
    while place < info.operands.len() {
        let (name, kind) = info.operands[place];
        if is_name(text, start, end, name) {
            match kind {
                OperandKind::Reg(class) => return (place as u8, class),
                OperandKind::Imm => panic!("an immediate posts nothing"),
            }
        }
        place += 1;
    }
    panic!("no such operand")
}

/// The class whose text prefix stands at `start..end` of a text.
const fn class_prefixed(text: &[u8], start: usize, end: usize) -> RegClass {
    let mut place = 0;
    while place < RegClass::ALL.len() {
        if is_name(text, start, end, RegClass::ALL[place].prefix()) {
            return RegClass::ALL[place];
        }
        place += 1;
    }
    panic!("no such class")
}

/// True if `start..end` of a text spells this name.
pub(super) const fn is_name(text: &[u8], start: usize, end: usize, name: &str) -> bool {
    let name = name.as_bytes();
    if end - start != name.len() {
        return false;
    }
    let mut place = 0;
    while place < name.len() {
        if text[start + place] != name[place] {
            return false;
        }
        place += 1;
    }
    true
}

const _: () = assert!(MAX_OPERANDS <= u8::BITS as usize && MAX_POSTINGS < 256);
