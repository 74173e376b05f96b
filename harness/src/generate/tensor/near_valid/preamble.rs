//! Probes of the preamble clauses (spec 02 section 3).

use super::{ANY, On, Probe, touch};
use contract::isa::ClauseId::{EvtUpd, EvtWait, HdrLen, HdrOpc};
use contract::isa::DEFINED_OPCODES;
use contract::isa::layout::events;

/// The rows.
pub const PROBES: &[Probe] = &[
    Probe {
        fails: &[HdrOpc],
        name: "opcode 0x00",
        opcodes: ANY,
        on: On::ALL,
        touches: !(touch::LENGTH | touch::WAIT | touch::UPDATE),
        apply: |edit| edit.draft.opcode = 0,
    },
    Probe {
        fails: &[HdrOpc],
        name: "undefined opcode",
        opcodes: ANY,
        on: On::ALL,
        touches: !(touch::LENGTH | touch::WAIT | touch::UPDATE),
        apply: |edit| {
            let code = edit.draw.u8();
            edit.draft.opcode = if DEFINED_OPCODES.contains(&code) { 0xFF } else { code };
        },
    },
    Probe {
        fails: &[HdrLen],
        name: "inst_word_len 15",
        opcodes: ANY,
        on: On::ALL,
        touches: touch::LENGTH,
        apply: |edit| edit.draft.length = 15,
    },
    Probe {
        fails: &[HdrLen],
        name: "inst_word_len other than 16",
        opcodes: ANY,
        on: On::ALL,
        touches: touch::LENGTH,
        apply: |edit| {
            let length = edit.draw.u8();
            edit.draft.length = if length == 16 { 17 } else { length };
        },
    },
    Probe {
        fails: &[EvtWait],
        name: "wait_mode 8",
        opcodes: ANY,
        on: On::ALL,
        touches: touch::WAIT,
        apply: |edit| edit.draft.events[0] = 8,
    },
    Probe {
        fails: &[EvtUpd],
        name: "update_mode 8",
        opcodes: ANY,
        on: On::ALL,
        touches: touch::UPDATE,
        apply: |edit| edit.draft.events[events::UPDATE_MODE - events::WAIT_MODE] = 8,
    },
];
