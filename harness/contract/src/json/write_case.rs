//! Writes cases.

use super::VERSION;
use super::registers;
use super::write::{self, List};
use crate::case::{Case, TensorCase, VectorCase};
use crate::profile::Profile;
use crate::state::Region;
use std::collections::BTreeMap;

/// Writes a case on one line, without the line's end.
pub fn write_case(case: &Case) -> String {
    let mut out = String::new();
    write_case_into(&mut out, case);
    out
}

/// Appends a case to a buffer, on one line, without the line's end.
pub fn write_case_into(out: &mut String, case: &Case) {
    match case {
        Case::Tensor(case) => tensor_case(out, case),
        Case::Vector(case) => vector_case(out, case),
    }
}

/// Opens a document with version, kind and id.
pub(super) fn document<'a>(out: &'a mut String, kind: &str, id: &str) -> List<'a> {
    let mut object = List::object(out);
    write::number(object.key("version"), VERSION);
    write::text(object.key("kind"), kind);
    write::text(object.key("id"), id);
    object
}

fn tensor_case(out: &mut String, case: &TensorCase) {
    let mut object = document(out, "tensor", &case.id);
    write::text(object.key("generation"), case.generation.name());
    profile(object.key("profile"), &case.profile);
    memory(object.key("memory"), &case.memory);
    let mut registers = List::object(object.key("registers"));
    for (&number, value) in &case.registers {
        write::hex_number(registers.indexed_key("", number), &value.to_be_bytes());
    }
    drop(registers);
    let mut program = List::array(object.key("program"));
    for record in &case.program {
        write::hex_bytes(program.item(), record);
    }
}

fn vector_case(out: &mut String, case: &VectorCase) {
    let mut object = document(out, "vector", &case.id);
    profile(object.key("profile"), &case.profile);
    write::number(object.key("cpenable"), case.cpenable);
    let mut state = List::object(object.key("state"));
    if case.state.is_sorted_by(|a, b| registers::rank(a) < registers::rank(b)) {
        case.state.iter().for_each(|value| registers::write(&mut state, value));
    } else {
        // Of two values of one register the later counts, and a key is written once.
        let last: BTreeMap<_, _> =
            case.state.iter().map(|value| (registers::rank(value), value)).collect();
        last.into_values().for_each(|value| registers::write(&mut state, value));
    }
    drop(state);
    let mut memory = List::object(object.key("memory"));
    write::hex_number(memory.key("base"), &case.memory.base.to_be_bytes());
    write::number(memory.key("bytes"), case.memory.bytes);
    let mut init = List::array(memory.key("init"));
    for part in &case.memory.init {
        chunk(init.item(), part.address, &part.data);
    }
    drop(init);
    drop(memory);
    let mut program = List::array(object.key("program"));
    for bundle in &case.program {
        write::display(program.item(), bundle);
    }
}

fn profile(out: &mut String, profile: &Profile) {
    let mut object = List::object(out);
    for (key, value) in profile.non_default() {
        write::text(object.key(key), value);
    }
}

/// Writes regions; the same form serves cases and outcomes.
pub(super) fn memory(out: &mut String, regions: &[Region]) {
    let mut array = List::array(out);
    for region in regions {
        let mut object = List::object(array.item());
        write::text(object.key("space"), region.space.name());
        write::number(object.key("partition"), region.partition);
        write::number(object.key("partitions"), region.partitions);
        write::number(object.key("offset"), region.offset);
        write::number(object.key("stride"), region.stride);
        write::hex_bytes(object.key("data"), &region.data);
    }
}

/// Writes bytes at an address; the same form serves cases and outcomes.
pub(super) fn chunk(out: &mut String, address: u32, data: &[u8]) {
    let mut object = List::object(out);
    write::hex_number(object.key("address"), &address.to_be_bytes());
    write::hex_bytes(object.key("data"), data);
}
