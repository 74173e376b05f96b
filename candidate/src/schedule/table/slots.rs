//! Slots and slot sets (spec 05 section 4, chapters 07 to 09 for the sets of their rows). The slots of
//! all formats are numbered through, in the order of the formats, so that a set is one mask.

use contract::isa::Format;

/// Slots of the widest format.
pub const MAX_SLOTS: usize = 5;

/// Number of a format's first slot; the last entry is the number of all slots.
const FIRST: [u8; Format::ALL.len() + 1] = {
    let mut first = [0; Format::ALL.len() + 1];
    let mut place = 0;
    while place < Format::ALL.len() {
        let format = Format::ALL[place];
        assert!(format as usize == place, "formats are numbered in the order of the list");
        let slots = format.slots().len();
        assert!(slots <= MAX_SLOTS);
        first[place + 1] = first[place] + slots as u8;
        place += 1;
    }
    first
};

/// A set of slots of any formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SlotSet(u64);

impl SlotSet {
    /// True if the slot with this number in this format belongs to the set. The format must have it.
    pub const fn contains(self, format: Format, slot: usize) -> bool {
        self.0 >> (FIRST[format as usize] as usize + slot) & 1 == 1
    }

    /// The set of a text such as `F0:01 N1:2`: formats, each with the digits of its slots.
    const fn of(text: &str) -> Self {
        let text = text.as_bytes();
        let mut mask = 0;
        let mut at = 0;
        while at < text.len() {
            let start = at;
            while text[at] != b':' {
                at += 1;
            }
            let format = format_named(text, start, at);
            at += 1;
            while at < text.len() && text[at] != b' ' {
                let slot = (text[at] - b'0') as usize;
                assert!(slot < format.slots().len(), "no such slot");
                mask |= 1 << (FIRST[format as usize] as usize + slot);
                at += 1;
            }
            at += 1;
        }
        Self(mask)
    }
}

/// The format whose name stands at `start..end` of a text.
const fn format_named(text: &[u8], start: usize, end: usize) -> Format {
    let mut place = 0;
    while place < Format::ALL.len() {
        if super::row::is_name(text, start, end, Format::ALL[place].name()) {
            return Format::ALL[place];
        }
        place += 1;
    }
    panic!("no such format")
}

/// Declares named sets.
macro_rules! slot_sets {
    ($($name:ident = $text:literal)*) => {
        $(pub(super) const $name: SlotSet = SlotSet::of($text);)*
    };
}

/// Every slot of every format, the `None` slots included: the set of `NOP` alone.
pub(super) const ANY: SlotSet = SlotSet((1 << FIRST[Format::ALL.len()]) - 1);

#[rustfmt::skip]
slot_sets! {
    LOAD18 = "F0:01 F1:01 F2:01 F3:01 F4:01 F6:01 F7:01 N0:0 N1:0 N2:01"
    VALIGN20 = "F0:01 F1:01 F2:01 F3:01 F4:01 F6:01 F7:01 F11:01 N0:0 N1:0 N2:01"
    STORE9 = "F0:0 F1:0 F2:0 F3:0 F6:0 F7:0 N0:0 N1:0 N2:0"
    STORE8_NO_N1 = "F0:0 F1:0 F2:0 F3:0 F6:0 F7:0 N0:0 N2:0"
    STORE8_NO_N0 = "F0:0 F1:0 F2:0 F3:0 F6:0 F7:0 N1:0 N2:0"
    STALIGN10 = "F0:0 F1:0 F2:0 F3:0 F4:0 F6:0 F7:0 N0:0 N1:0 N2:0"
    LD8 = "F0:1 F1:1 F2:1 F3:1 F4:1 F6:1 F7:1 N2:1"
    LD9_F11 = "F0:1 F1:1 F2:1 F3:1 F4:1 F6:1 F7:1 F11:1 N2:1"
    ALU9 = "F0:3 F1:3 F2:3 F3:3 F4:3 F6:3 F7:3 F11:3 N0:3"
    ALU8_NO_N0 = "F0:3 F1:3 F2:3 F3:3 F4:3 F6:3 F7:3 F11:3"
    PERM7 = "F0:3 F1:3 F2:3 F4:3 F6:3 F7:3 N0:3"
    DEAL4 = "F0:3 F1:3 F7:3 N0:3"
    DCMPRS2 = "F0:3 F1:3"
    FPRED6 = "F0:3 F1:3 F2:3 F3:3 F7:3 N0:3"
    ALU15 = "F0:3 F1:023 F2:23 F3:34 F4:3 F6:3 F7:23 F11:34 N0:3"
    ALU19 = "F0:03 F1:023 F2:23 F3:034 F4:3 F6:03 F7:023 F11:34 N0:3"
    ALU13_T = "F0:3 F1:023 F2:23 F3:3 F4:3 F6:3 F7:23 F11:3 N0:3"
    ALU17_T = "F0:03 F1:023 F2:23 F3:03 F4:3 F6:03 F7:023 F11:3 N0:3"
    CMP21 = "F0:23 F1:23 F2:23 F3:234 F4:23 F6:23 F7:23 F11:234 N0:3 N1:2 N2:0"
    SHI12 = "F0:3 F1:23 F2:23 F3:3 F4:3 F6:3 F7:23 F11:3 N0:3"
    REP17 = "F0:03 F1:023 F2:23 F3:03 F4:3 F6:03 F7:023 F11:3 N0:3"
    INJ18 = "F0:03 F1:023 F2:23 F3:03 F4:3 F6:03 F7:023 F11:3 N0:3 N1:2"
    XPR15 = "F0:03 F1:03 F2:03 F3:03 F4:3 F6:03 F7:03 F11:3 N0:3"
    MOV23 = "F0:03 F1:023 F2:23 F3:034 F4:3 F6:03 F7:023 F11:34 N0:03 N1:02 N2:0"
    SELI_S0 = "F1:0 N2:0"
    SHFLI_S0 = "F0:0 F1:0 F2:0 F3:0 F6:0 F7:0 N0:0 N2:0"
    SELI_S2 = "F1:2 F2:2 F7:2"
    SELI_S4 = "F3:4 F11:4"
    SCALAR = "F0:0 F1:0 F2:0 F3:0 F4:0 F6:0 F7:0 F11:01 N0:0 N1:0 N2:0 X1:0"
    SCALAR_MEM = "F0:0 F1:0 F2:0 F3:0 F4:0 F6:0 F7:0 N0:0 N1:0 N2:0 X1:0"
    SCALAR_LD = "F0:0 F1:0 F2:0 F3:0 F4:0 F6:0 F7:0 F11:0 N0:0 N1:0 N2:0 X1:0"
    MUL7 = "F0:2 F1:2 F2:2 F3:2 F6:2 F7:2 F11:2"
    MUL8N1 = "F0:2 F1:2 F2:2 F3:2 F6:2 F7:2 F11:2 N1:2"
    MULPK4 = "F1:2 F2:2 F7:2 N1:2"
    MULF4 = "F4:2"
    PACKF6 = "F6:1"
    FMA9 = "F0:3 F1:23 F2:23 F3:3 F7:23 N1:2"
    FMA7 = "F0:3 F1:3 F2:23 F7:23 N1:2"
    QLIT5 = "F0:3 F1:3 F2:3 F7:3 N0:3"
    X1_ONLY = "X1:0"
    SGINC7 = "F0:0 F1:0 F2:0 F3:0 F6:0 F7:0 N2:0"
    SCAT2 = "F1:0 N2:0"
    DIV1 = "F2:2"
    COUNTM4 = "F0:3 F1:3 F4:3 F7:3"
    POPC3 = "F1:2 F2:2 F7:2"
    ADDMOD7 = "F0:1 F1:1 F2:1 F3:1 F4:1 F6:1 F7:1"
    FSCMP5 = "F0:3 F1:3 F2:3 F7:3 N0:3"
    FSFOLD2 = "F0:1 F1:1"
    DUAL2 = "F0:1 F1:1"
}
