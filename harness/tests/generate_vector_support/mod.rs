//! What the vector generator's tests check against: the legality rules of spec 05 section 6 and the
//! interlock of section 3, written out plainly over the golden tables for the tests alone. It knows
//! nothing of the generator's tables.

#![allow(dead_code, reason = "each test binary uses a part")]

use contract::bundle::{Bundle, OpWord, Operand, SlotOp};
use contract::case::{Case, RegisterValue, VectorCase};
use harness::generate::{CaseSeed, Family, Generated, Generator, Options, Span, VectorOptions};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const PARTS: [(u32, &str); 4] = [
    (4, include_str!("../../../corpus/golden/lat_table.json")),
    (7, include_str!("../../../corpus/golden/lat_table_07.json")),
    (8, include_str!("../../../corpus/golden/lat_table_08.json")),
    (9, include_str!("../../../corpus/golden/lat_table_09.json")),
];

/// Slots of every format.
static FORMATS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let part: Value = serde_json::from_str(PARTS[0].1).expect("golden table");
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().expect("a list").iter().map(string).collect()
    };
    part["formats"]
        .as_array()
        .expect("formats")
        .iter()
        .map(|format| (string(&format["format"]), texts(&format["slots"])))
        .collect()
});

/// Entries of every register class.
static CLASSES: LazyLock<BTreeMap<String, u64>> = LazyLock::new(|| {
    let part: Value = serde_json::from_str(PARTS[0].1).expect("golden table");
    (part["classes"].as_array().expect("classes").iter())
        .map(|class| (string(&class["class"]), class["depth"].as_u64().expect("depth")))
        .collect()
});

/// Every row with the chapter of its values.
pub static ROWS: LazyLock<BTreeMap<String, (u32, Value)>> = LazyLock::new(|| {
    let mut rows = BTreeMap::new();
    for (owner, text) in PARTS {
        let part: Value = serde_json::from_str(text).expect("golden table");
        for row in part["ops"].as_array().expect("ops") {
            let chapter =
                row["chapter"].as_str().map_or(owner, |text| text.parse().expect("number"));
            rows.insert(string(&row["op"]), (chapter, row.clone()));
        }
    }
    rows
});

fn string(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Rows of chapter 04.
pub fn chapter_04() -> impl Iterator<Item = (&'static str, &'static Value)> {
    ROWS.iter().filter(|(_, (chapter, _))| *chapter == 4).map(|(op, (_, row))| (op.as_str(), row))
}

/// Formats of the table, with their slots.
pub fn formats() -> &'static BTreeMap<String, Vec<String>> {
    &FORMATS
}

/// The first reason for which a bundle is illegal.
pub fn illegal(bundle: &Bundle) -> Option<&'static str> {
    let format = bundle.format.text();
    let Some(slots) = FORMATS.get(format) else { return Some("FORMAT") };
    let mut seen = BTreeSet::new();
    for op in &bundle.ops {
        if op.slot as usize >= slots.len() || !seen.insert(op.slot) {
            return Some("SLOT_COUNT");
        }
    }
    let mut ops: Vec<&SlotOp> = bundle.ops.iter().collect();
    ops.sort_by_key(|op| op.slot);
    for op in &ops {
        let Some((_, row)) = ROWS.get(op.op.text()) else { return Some("UNKNOWN_OP") };
        let takes = row["slots"].as_array().expect("slots");
        if !takes.iter().any(|slot| slot == slots[op.slot as usize].as_str()) {
            return Some("OP_SLOT");
        }
    }
    if ops.iter().any(|op| !operands_fit(op)) {
        return Some("OPERAND");
    }
    let mut written = BTreeSet::new();
    for op in &ops {
        for posting in postings(op).into_iter().filter(|posting| posting.write) {
            if !written.insert((posting.class, posting.index)) {
                return Some("DUP_DEF");
            }
        }
    }
    let (mut copies, mut stores) = (0, 0);
    for op in &ops {
        let row = &ROWS[op.op.text()].1;
        copies += row["lsu"].as_u64().expect("lsu");
        stores += u32::from(row["mem"] == "store");
    }
    (copies > 2 || stores > 1).then_some("MEM_PORTS")
}

fn operands_fit(op: &SlotOp) -> bool {
    let wanted = ROWS[op.op.text()].1["operands"].as_array().expect("operands");
    wanted.len() == op.operands.len()
        && wanted.iter().zip(&op.operands).all(|(wanted, given)| match given {
            Operand::Reg(class, index) => {
                wanted["kind"] == class.name() && u64::from(*index) < CLASSES[class.name()]
            }
            Operand::Imm(value) if wanted["kind"] == "imm" => match wanted["set"].as_array() {
                Some(set) => set.iter().any(|legal| legal.as_i64() == Some(*value)),
                None => {
                    let bound = |key: &str| wanted[key].as_i64().expect("a bound");
                    let step = wanted["step"].as_i64().unwrap_or(1);
                    (bound("min")..=bound("max")).contains(value) && value % step == 0
                }
            },
            _ => false,
        })
}

/// One posting of an op in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    pub class: &'static str,
    pub index: u32,
    pub write: bool,
    pub lat: i64,
}

/// The postings of a legal op.
pub fn postings(op: &SlotOp) -> Vec<Posting> {
    let row = &ROWS[op.op.text()].1;
    let names = row["operands"].as_array().expect("operands");
    (row["postings"].as_array().expect("postings").iter())
        .filter(|posting| posting["role"] != "port")
        .map(|posting| {
            let at = names.iter().position(|name| name["name"] == posting["opnd"]);
            let Operand::Reg(class, index) = op.operands[at.expect("a posted operand")] else {
                panic!("a register is posted")
            };
            Posting {
                class: class.name(),
                index,
                write: posting["role"] == "def",
                lat: posting["lat"].as_i64().expect("lat"),
            }
        })
        .collect()
}

/// A pair that makes a bundle wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    pub producer: Posting,
    pub consumer: Posting,
    /// Number of bundles from one to the other.
    pub apart: usize,
    pub distance: i64,
}

/// Issue cycle and binding pairs of every bundle of a legal program (spec 05 section 3).
pub fn schedule(program: &[Bundle]) -> Vec<(i64, Vec<Cause>)> {
    let mut issued: Vec<(i64, Vec<Posting>)> = Vec::new();
    let mut found: Vec<(i64, Vec<Cause>)> = Vec::new();
    for bundle in program {
        let own: Vec<Posting> = bundle.ops.iter().flat_map(postings).collect();
        let earliest = issued.last().map_or(0, |(cycle, _)| cycle + 1);
        let mut bounds = Vec::new();
        for (back, (cycle, earlier)) in issued.iter().rev().enumerate() {
            for producer in earlier.iter().filter(|posting| posting.write) {
                for consumer in &own {
                    if (producer.class, producer.index) == (consumer.class, consumer.index) {
                        let distance = (producer.lat - consumer.lat + 1).max(1);
                        let (producer, consumer) = (producer.clone(), consumer.clone());
                        let cause = Cause { producer, consumer, apart: back + 1, distance };
                        bounds.push((cycle + distance, cause));
                    }
                }
            }
        }
        let cycle = bounds.iter().map(|(bound, _)| *bound).max().unwrap_or(0).max(earliest);
        let causes = (bounds.into_iter())
            .filter(|(bound, _)| *bound == cycle && cycle > earliest)
            .map(|(_, cause)| cause)
            .collect();
        issued.push((cycle, own));
        found.push((cycle, causes));
    }
    found
}

/// Family of an op.
pub fn family(op: &str) -> &'static str {
    ROWS[op].1["family"].as_str().expect("family")
}

/// Initial value of an address register.
pub fn ar(case: &VectorCase, index: u32) -> Option<u32> {
    case.state.iter().find_map(|value| match value {
        RegisterValue::Ar(at, value) if u32::from(*at) == index => Some(*value),
        _ => None,
    })
}

/// Initial bytes of a vector register.
pub fn vector(case: &VectorCase, index: u32) -> Option<&[u8; 64]> {
    case.state.iter().find_map(|value| match value {
        RegisterValue::Vec(at, line) if u32::from(*at) == index => Some(&line.0),
        _ => None,
    })
}

/// Initial bits of a predicate register.
pub fn predicate(case: &VectorCase, index: u32) -> Option<u64> {
    case.state.iter().find_map(|value| match value {
        RegisterValue::Vbool(at, value) if u32::from(*at) == index => Some(*value),
        _ => None,
    })
}

/// Register index of an operand.
pub fn index(operand: &Operand) -> u32 {
    match operand {
        Operand::Reg(_, index) => *index,
        other => panic!("{other:?} is no register"),
    }
}

/// Seed of the tests' campaign.
pub const CAMPAIGN: u64 = 0x5EED;

/// The case of the vector family.
pub fn vector_case(generated: &Generated) -> &VectorCase {
    match &generated.case {
        Case::Vector(case) => case,
        Case::Tensor(_) => panic!("the vector family gave a tensor case"),
    }
}

/// Goes through the first cases of a campaign.
pub fn for_cases(options: Options, cases: u64, mut check: impl FnMut(&Generated, CaseSeed)) {
    let mut generator = Generator::new(options);
    let mut out = Generated::default();
    for number in 0..cases {
        let seed = CaseSeed::of(CAMPAIGN, number);
        generator.seeded(Family::Vector, seed, &mut out);
        check(&out, seed);
    }
}

/// Options of one shape without broken bundles.
pub fn shape(vector: VectorOptions) -> Options {
    Options { near_valid: 0.0, vector, ..Options::default() }
}

/// Weights of one shape alone.
pub const NONE: VectorOptions = VectorOptions {
    ops: Vec::new(),
    weights: Vec::new(),
    bundles: Span::of(1, 12),
    single: 0,
    mixed: 0,
    hazard: 0,
    stream: 0,
    chain: 0,
    other_chapters: 10,
};

/// Ops of a program that have a row.
pub fn known_ops(case: &VectorCase) -> impl Iterator<Item = &SlotOp> {
    case.program
        .iter()
        .flat_map(|bundle| &bundle.ops)
        .filter(|op| matches!(op.op, OpWord::Known(_)) && ROWS.contains_key(op.op.text()))
}
