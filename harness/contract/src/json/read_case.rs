//! Reads cases, and refuses whatever the external contract calls bad input.

use super::error::{JsonError, Path};
use super::read::{self, Object, array, shorten, text};
use super::registers;
use crate::bundle::Bundle;
use crate::case::{Case, MemoryChunk, MemoryWindow, RECORD, RegisterValue, TensorCase, VectorCase};
use crate::isa::Generation;
use crate::profile::Profile;
use crate::state::{LINE, Region, Space};
use crate::text::parse_bundle;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Reads a case.
///
/// # Errors
/// [`JsonError`] with the place of whatever is not of version 1's form.
pub fn read_case(json: &str) -> Result<Case, JsonError> {
    case_from_value(&serde_json::from_str(json)?)
}

/// Reads a case from a parsed document.
///
/// # Errors
/// As [`read_case`].
pub fn case_from_value(value: &Value) -> Result<Case, JsonError> {
    let object = Object::of(value, Path::Root("case"))?;
    match object.kind(&["tensor", "vector"])? {
        "tensor" => tensor_case(object).map(Case::Tensor),
        _ => vector_case(object).map(Case::Vector),
    }
}

/// Address registers of the tensor side (spec 01 section 3).
const REGISTERS: u8 = 64;

fn tensor_case(object: Object<'_>) -> Result<TensorCase, JsonError> {
    let object = object.only(&[
        "version",
        "kind",
        "id",
        "generation",
        "profile",
        "memory",
        "registers",
        "program",
    ])?;
    let id = id(object)?;
    let generation = generation(object)?;
    let profile = profile(object)?;
    let mut memory = Vec::new();
    if let Some(value) = object.get("memory") {
        let path = object.path.key("memory");
        for (index, value) in array(value, &path)?.iter().enumerate() {
            let region = region(value, path.index(index))?;
            check_geometry(&region, generation, &path.index(index))?;
            memory.push(region);
        }
        check_overlap(&memory, &path)?;
    }
    let mut given = BTreeMap::new();
    if let Some(value) = object.get("registers") {
        let path = object.path.key("registers");
        for (key, value) in Object::of(value, path)?.entries() {
            let path = path.key(key);
            let plain = key == "0" || key.starts_with(|first: char| matches!(first, '1'..='9'));
            let number = key
                .parse()
                .ok()
                .filter(|&number: &u8| plain && number < REGISTERS)
                .ok_or_else(|| path.error("no such register", "a number from 0 to 63"))?;
            given.insert(number, read::u32(value, &path)?);
        }
    }
    let mut program = Vec::new();
    let path = object.path.key("program");
    for (index, value) in object.array("program")?.iter().enumerate() {
        let mut record = [0; RECORD];
        let why = " hex digits (one 64-byte record)";
        read::exact_bytes(value, &path.index(index), &mut record, why)?;
        program.push(record);
    }
    Ok(TensorCase { id, generation, profile, memory, registers: given, program })
}

fn id(object: Object<'_>) -> Result<String, JsonError> {
    match object.get("id") {
        Some(value) => text(value, &object.path.key("id"), "a text").map(str::to_owned),
        None => Ok(String::new()),
    }
}

fn generation(object: Object<'_>) -> Result<Generation, JsonError> {
    let names: Vec<_> = Generation::ALL.iter().map(|generation| generation.name()).collect();
    object.name("generation", &format!("one of {}", names.join(", ")), Generation::from_name)
}

/// Switches: the preset first, single switches override it whatever the order of the keys.
fn profile(object: Object<'_>) -> Result<Profile, JsonError> {
    let mut profile = Profile::default();
    let Some(value) = object.get("profile") else {
        return Ok(profile);
    };
    let path = object.path.key("profile");
    let switches = Object::of(value, path)?;
    let refuse = |key: &str, error| JsonError::Profile { path: path.key(key).to_string(), error };
    if let Some(value) = switches.get("preset") {
        let name = switch_text(value, &path.key("preset"))?;
        profile = Profile::preset(&name).map_err(|error| refuse("preset", error))?;
    }
    for (key, value) in switches.entries().filter(|&(key, _)| key != "preset") {
        let value = switch_text(value, &path.key(key))?;
        profile.set(key, &value).map_err(|error| refuse(key, error))?;
    }
    Ok(profile)
}

/// The text of a switch's value; a value that is a number (`fp32r_fraction`) may stand as one.
fn switch_text<'a>(value: &'a Value, path: &Path<'_>) -> Result<Cow<'a, str>, JsonError> {
    match value {
        Value::Number(number) => Ok(number.to_string().into()),
        _ => text(value, path, "a text").map(Cow::Borrowed),
    }
}

/// Reads a region of tensor memory; the same form serves cases and outcomes.
pub(super) fn region(value: &Value, path: Path<'_>) -> Result<Region, JsonError> {
    let object = Object::of(value, path)?.only(&[
        "space",
        "partition",
        "partitions",
        "offset",
        "stride",
        "data",
    ])?;
    let mut region = Region {
        space: object.name("space", "\"sbuf\" or \"psum\"", Space::from_name)?,
        partition: object.u32("partition")?,
        partitions: object.u32("partitions")?,
        offset: object.u32("offset")?,
        stride: object.u32("stride")?,
        data: Vec::new(),
    };
    let why = format!(" (partitions {} × stride {} bytes)", region.partitions, region.stride);
    let bytes = u64::from(region.partitions) * u64::from(region.stride);
    let value = object.require("data", "hex digits")?;
    region.data = read::sized_bytes(value, &object.path.key("data"), bytes, &why)?;
    Ok(region)
}

/// Refuses bytes that the generation's memory does not back.
fn check_geometry(
    region: &Region,
    generation: Generation,
    path: &Path<'_>,
) -> Result<(), JsonError> {
    let geometry = generation.geometry();
    let active = match region.space {
        Space::Sbuf => geometry.sbuf_active,
        Space::Psum if geometry.psum_region == 0 => {
            return Err(path
                .key("space")
                .error("\"psum\"", format!("\"sbuf\", as {generation} has no psum")));
        }
        Space::Psum => geometry.psum_active,
    };
    let space = region.space.name();
    let last = u64::from(region.partition) + u64::from(region.partitions);
    if last > geometry.partitions.into() {
        return Err(path.error(
            format!("partitions {} to {}", region.partition, last - 1),
            format!("none past partition {}", geometry.partitions - 1),
        ));
    }
    let end = u64::from(region.offset) + u64::from(region.stride);
    if end > active.into() {
        return Err(path.error(
            format!("bytes {} to {}", region.offset, end - 1),
            format!("none past the {active} active bytes of a {generation} {space} partition"),
        ));
    }
    Ok(())
}

/// Refuses two regions that hold the same byte.
fn check_overlap(memory: &[Region], path: &Path<'_>) -> Result<(), JsonError> {
    for (second, late) in memory.iter().enumerate() {
        for (first, early) in memory[..second].iter().enumerate() {
            let partition = late.partition.max(early.partition);
            let offset = late.offset.max(early.offset);
            if early.index_of(late.space, partition, offset).is_some()
                && late.index_of(late.space, partition, offset).is_some()
            {
                return Err(JsonError::Overlap {
                    path: path.index(second).to_string(),
                    other: path.index(first).to_string(),
                    space: late.space.name(),
                    partition,
                    offset,
                });
            }
        }
    }
    Ok(())
}

fn vector_case(object: Object<'_>) -> Result<VectorCase, JsonError> {
    let object = object
        .only(&["version", "kind", "id", "profile", "cpenable", "state", "memory", "program"])?;
    let id = id(object)?;
    let profile = profile(object)?;
    let cpenable = if object.get("cpenable").is_some() { object.u8("cpenable")? } else { 2 };
    let mut state = match object.get("state") {
        Some(value) => state(value, object.path.key("state"))?,
        None => Vec::new(),
    };
    registers::mask_words(&mut state);
    let memory = match object.get("memory") {
        Some(value) => window(value, object.path.key("memory"))?,
        None => MemoryWindow::default(),
    };
    let mut program = Vec::new();
    let path = object.path.key("program");
    for (index, value) in object.array("program")?.iter().enumerate() {
        program.push(bundle(value, &path.index(index))?);
    }
    Ok(VectorCase { id, profile, cpenable, state, memory, program })
}

/// Reads a state object into canonical order; the same form serves cases and outcomes.
pub(super) fn state(value: &Value, path: Path<'_>) -> Result<Vec<RegisterValue>, JsonError> {
    let mut state = Object::of(value, path)?
        .entries()
        .map(|(key, value)| registers::read(key, value, &path.key(key)))
        .collect::<Result<Vec<_>, _>>()?;
    state.sort_by_key(registers::rank);
    Ok(state)
}

fn window(value: &Value, path: Path<'_>) -> Result<MemoryWindow, JsonError> {
    let object = Object::of(value, path)?.only(&["base", "bytes", "init"])?;
    let mut window = MemoryWindow::default();
    for (key, field) in [("base", &mut window.base), ("bytes", &mut window.bytes)] {
        if let Some(value) = object.get(key) {
            *field = object.u32(key)?;
            if *field % LINE as u32 != 0 {
                return Err(path.key(key).error(shorten(value), "a multiple of 64"));
            }
        }
    }
    if u64::from(window.base) + u64::from(window.bytes) > 1 << 32 {
        return Err(path.error(
            format!("base {:#010x} + {} bytes", window.base, window.bytes),
            "none past address 0xffffffff",
        ));
    }
    if let Some(value) = object.get("init") {
        let path = path.key("init");
        for (index, value) in array(value, &path)?.iter().enumerate() {
            window.init.push(chunk(value, path.index(index), window.base, window.bytes)?);
        }
    }
    Ok(window)
}

/// Reads bytes at an address inside a window; the same form serves cases and outcomes.
pub(super) fn chunk(
    value: &Value,
    path: Path<'_>,
    base: u32,
    bytes: u32,
) -> Result<MemoryChunk, JsonError> {
    let object = Object::of(value, path)?.only(&["address", "data"])?;
    let address = object.u32("address")?;
    let data = read::bytes(object.require("data", "hex digits")?, &path.key("data"))?;
    let end = u64::from(base) + u64::from(bytes);
    if address < base || u64::from(address) + data.len() as u64 > end {
        return Err(path.error(
            format!("{} bytes at {address:#010x}", data.len()),
            format!("bytes of the window {base:#010x} to {:#010x}", end.saturating_sub(1)),
        ));
    }
    Ok(MemoryChunk { address, data })
}

fn bundle(value: &Value, path: &Path<'_>) -> Result<Bundle, JsonError> {
    parse_bundle(text(value, path, "the text of a bundle")?)
        .map_err(|error| JsonError::Bundle { path: path.to_string(), error })
}
