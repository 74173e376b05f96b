//! The transcription of the LAT table against the four golden files, and what section 2 says of it.

use crate::support::{golden_ops, mnemonic};
use contract::isa::{Format, Mnemonic, OperandKind, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::Role;
use oracle::schedule::table::family::{Immediate, Memory, Stamp};
use oracle::schedule::table::slots::SlotSet;
use oracle::schedule::table::{PARTS, Row, every_row, row};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// A row in the shape of the golden files, without what does not bear on schedules.
fn as_json(part: &str, name: &str, row: &Row) -> Value {
    let family = row.family;
    let mut ranges = row.immediates.iter();
    let operands: Vec<Value> = family
        .operands
        .iter()
        .map(|operand| match operand.kind {
            OperandKind::Reg(class) => json!({ "name": operand.name, "kind": class.name() }),
            OperandKind::Imm => match *ranges.next().expect("a range per immediate") {
                Immediate::Multiples { step, min, max } => json!({
                    "name": operand.name, "kind": "imm", "min": min, "max": max, "step": step,
                }),
                Immediate::OneOf(values) => {
                    json!({ "name": operand.name, "kind": "imm", "set": values })
                }
            },
        })
        .collect();
    assert!(ranges.next().is_none(), "{name}: a range without an immediate");
    let postings: Vec<Value> = family
        .postings
        .iter()
        .map(|stamp| match *stamp {
            Stamp::Port { class, lat } => {
                json!({ "opnd": null, "class": class.name(), "role": "port", "lat": lat })
            }
            Stamp::Register { operand, role, lat } => {
                let OperandKind::Reg(class) = operand.kind else {
                    panic!("{name}: a posting of an immediate")
                };
                json!({
                    "opnd": operand.name, "class": class.name(), "role": role.name(), "lat": lat,
                })
            }
        })
        .collect();
    let memory = match family.memory {
        Memory::None => "none",
        Memory::Load { .. } => "load",
        Memory::Store { .. } => "store",
    };
    json!({
        "part": part, "op": name, "family": family.name, "operands": operands,
        "slot_set": family.slots.name, "slots": slot_names(family.slots), "postings": postings,
        "mem": memory, "lsu": family.memory.copies(), "crossbar": family.crossbar,
    })
}

fn slot_names(set: SlotSet) -> Vec<String> {
    let names = set.slots.iter().flat_map(|&(format, slots)| {
        slots.iter().map(move |&slot| format.slot_name(usize::from(slot)).expect("a real slot"))
    });
    names.collect()
}

#[test]
fn every_row_equals_the_golden_row() {
    let golden = golden_ops();
    assert_eq!(golden.len(), 1018);
    let rows: BTreeMap<&str, Row> = every_row().collect();
    assert_eq!(rows.len(), golden.len());
    assert_eq!(every_row().count(), golden.len(), "no op has two rows");
    for (part, op) in &golden {
        let name = op["op"].as_str().unwrap();
        let row = rows.get(name).unwrap_or_else(|| panic!("no row for {name}"));
        let decisions = op["decisions"].as_array().unwrap();
        let expected = json!({
            "part": part, "op": op["op"], "family": op["family"], "operands": op["operands"],
            "slot_set": op["slot_set"], "slots": op["slots"], "postings": op["postings"],
            "mem": op["mem"], "lsu": op["lsu"], "crossbar": decisions.contains(&json!("T-03")),
        });
        assert_eq!(as_json(row.part, name, row), expected, "{name}");
    }
}

#[test]
fn every_mnemonic_has_a_row_and_every_row_a_mnemonic() {
    for op in Mnemonic::all() {
        let row = row(op).unwrap_or_else(|| panic!("no row for {op}"));
        let operands: Vec<_> = row.family.operands.iter().map(|o| (o.name, o.kind)).collect();
        assert_eq!(operands, op.info().operands, "{op}");
    }
    for (name, row) in every_row() {
        let found = oracle::schedule::table::row(mnemonic(name)).unwrap();
        assert_eq!((found.part, found.family.name), (row.part, row.family.name));
    }
    assert_eq!(PARTS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["04", "07", "08", "09"]);
}

#[test]
fn every_posting_names_an_operand_of_its_row() {
    for (name, row) in every_row() {
        let postings = row.postings(LatCrossbar::Seed);
        assert_eq!(postings.len(), row.family.postings.len(), "{name}");
        for posting in postings {
            assert_eq!(posting.position.is_none(), posting.role == Role::Port, "{name}");
        }
    }
}

#[test]
fn formal_moves_the_vector_postings_of_crossbar_rows_alone() {
    let mut moved = HashSet::new();
    for (name, row) in every_row() {
        let seed = row.postings(LatCrossbar::Seed);
        let formal = row.postings(LatCrossbar::Formal);
        assert_eq!(seed.len(), formal.len());
        for (seed, formal) in seed.iter().zip(formal) {
            assert_eq!(
                (seed.position, seed.class, seed.role),
                (formal.position, formal.class, formal.role),
                "{name}"
            );
            let expected = match (row.family.crossbar, seed.class, seed.role) {
                (true, RegClass::Vec, Role::Def) => 12,
                (true, RegClass::Vec, Role::Use) => 10,
                _ => seed.lat,
            };
            assert_eq!(formal.lat, expected, "{name}");
            if seed.lat != formal.lat {
                moved.insert(name);
                assert_eq!(row.part, "04");
            }
        }
    }
    for name in ["SELNX16", "SELNX16T", "SHFL2NX8I", "DSEL2NX8I_H", "RADDNX16", "RMAXNX16T"] {
        assert!(moved.contains(name), "{name} moves");
    }
    for name in ["DCMPRS2NX8", "RBMAXNX16", "ADDNX16", "LTRN", "RANDBN", "SELSNX16"] {
        assert!(!moved.contains(name), "{name} stays");
    }
}

#[test]
fn the_largest_distance_of_each_class_is_the_one_of_section_2() {
    // Class, largest distance, least scan window reported; `BR` has no row.
    let expected = [
        (RegClass::Ar, 12, 13),
        (RegClass::Br, 0, 0),
        (RegClass::Vec, 4, 13),
        (RegClass::Vbool, 3, 12),
        (RegClass::Valign, 2, 10),
        (RegClass::Wvec, 3, 13),
        (RegClass::Pr, 3, 13),
        (RegClass::Gvr, 2, 11),
    ];
    for crossbar in [LatCrossbar::Seed, LatCrossbar::Formal] {
        for (class, largest, window) in expected {
            let stages = |role: Option<Role>| -> Vec<i32> {
                every_row()
                    .flat_map(|(_, row)| row.postings(crossbar).to_vec())
                    .filter(|p| p.class == class && p.role != Role::Port)
                    .filter(|p| role.is_none_or(|role| p.role == role))
                    .map(|p| i32::from(p.lat))
                    .collect()
            };
            let distance = match (stages(Some(Role::Def)).iter().max(), stages(None).iter().min()) {
                (Some(def), Some(posting)) => (def - posting + 1).max(1),
                _ => 0,
            };
            assert_eq!(distance, largest, "{class:?}");
            assert!(distance <= window, "{class:?}");
        }
    }
}

#[test]
fn the_slot_sets_hold_real_slots_once() {
    for (name, row) in every_row() {
        let names = slot_names(row.family.slots);
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{name}");
        let any_none = names.iter().any(|slot| slot.ends_with("None"));
        assert!(!any_none || name == "NOP", "{name} stands in a None slot");
    }
    assert!(!row(mnemonic("NOP")).unwrap().family.slots.contains(Format::N2, 2));
}
