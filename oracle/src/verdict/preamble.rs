//! Preamble clauses: header and events of every record (spec 02 section 3).

use contract::case::RECORD;
use contract::isa::layout::{events, header};
use contract::isa::{ClauseId, ClauseSet, DEFINED_OPCODES, Generation, UpdateMode, WaitMode};

/// `inst_word_len` of every record: sixteen 32-bit words.
const INST_WORD_LEN: u8 = 16;

/// The preamble clauses that fail.
pub fn failing(generation: Generation, record: &[u8; RECORD]) -> ClauseSet {
    let mut failing = ClauseSet::EMPTY;
    failing.insert_if(ClauseId::HdrOpc, !hdr_opc(record));
    failing.insert_if(ClauseId::HdrLen, !hdr_len(record));
    failing.insert_if(ClauseId::EvtWait, !evt_wait(generation, record));
    failing.insert_if(ClauseId::EvtUpd, !evt_upd(generation, record));
    failing.insert_if(ClauseId::EvtSem, !evt_sem(record));
    failing
}

/// HDR-OPC: byte 0 is a defined opcode, by one list for every generation (VD-OPC-LIST).
pub fn hdr_opc(record: &[u8; RECORD]) -> bool {
    DEFINED_OPCODES.contains(&record[header::OPCODE])
}

/// HDR-LEN: byte 1 is 16.
pub fn hdr_len(record: &[u8; RECORD]) -> bool {
    record[header::INST_WORD_LEN] == INST_WORD_LEN
}

/// EVT-WAIT: byte 4 is a WAIT_MODE, inferred register codes included (DD-EVT-REG).
pub fn evt_wait(generation: Generation, record: &[u8; RECORD]) -> bool {
    WaitMode::from_wire(record[events::WAIT_MODE]).is_some_and(|mode| mode.since() <= generation)
}

/// EVT-UPD: byte 6 is an UPDATE_MODE, inferred register codes included (DD-EVT-REG).
pub fn evt_upd(generation: Generation, record: &[u8; RECORD]) -> bool {
    UpdateMode::from_wire(record[events::UPDATE_MODE])
        .is_some_and(|mode| mode.since() <= generation)
}

/// EVT-SEM: the consistency of wait and update has no known body and always holds (VD-EVT-SEM).
pub fn evt_sem(_: &[u8; RECORD]) -> bool {
    true
}
