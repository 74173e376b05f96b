//! The golden LAT table as the tests read it, independent of the model's transcription.

use contract::isa::{Format, Mnemonic, RegClass};
use contract::schedule::Role;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// An operand of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Reg(RegClass),
    /// Least, greatest, step.
    Range(i64, i64, i64),
    Set(Vec<i64>),
}

/// A posting of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenPosting {
    /// Operand position; `None` for a port.
    pub operand: Option<usize>,
    pub class: RegClass,
    pub role: Role,
    pub lat: u8,
}

/// A row of the golden table.
#[derive(Debug, Clone)]
pub struct GoldenRow {
    pub mnemonic: Mnemonic,
    pub operands: Vec<Kind>,
    /// Slot names such as `F0_S3_ALU`.
    pub slots: BTreeSet<String>,
    pub postings: Vec<GoldenPosting>,
    pub store: bool,
    pub load: bool,
    pub copies: u64,
    /// Lists T-03.
    pub crossbar: bool,
}

/// The golden table.
pub struct Golden {
    /// Every row in file order.
    pub rows: Vec<GoldenRow>,
    by_mnemonic: BTreeMap<Mnemonic, usize>,
    /// Rows that may stand in a slot, `NOP` left out.
    pub by_slot: BTreeMap<String, Vec<usize>>,
}

impl Golden {
    /// The row of a mnemonic.
    pub fn row(&self, mnemonic: Mnemonic) -> &GoldenRow {
        &self.rows[self.by_mnemonic[&mnemonic]]
    }
}

/// The four parts of the table.
pub static GOLDEN: LazyLock<Golden> = LazyLock::new(|| {
    let mut rows = Vec::new();
    for file in ["lat_table.json", "lat_table_07.json", "lat_table_08.json", "lat_table_09.json"] {
        let table = document(file);
        for class in table["classes"].as_array().unwrap() {
            let entries = class_named(&class["class"]).entries();
            assert_eq!(class["depth"].as_u64(), Some(entries.into()), "{class}");
        }
        rows.extend(table["ops"].as_array().unwrap().iter().map(read_row));
    }
    let mut by_slot = BTreeMap::<String, Vec<usize>>::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.mnemonic != Mnemonic::NOP) {
        for slot in &row.slots {
            by_slot.entry(slot.clone()).or_default().push(index);
        }
    }
    let by_mnemonic = rows.iter().enumerate().map(|(index, row)| (row.mnemonic, index)).collect();
    Golden { rows, by_mnemonic, by_slot }
});

/// Every format with every slot number.
pub fn all_slots() -> impl Iterator<Item = (Format, usize, String)> {
    Format::ALL.iter().flat_map(|&format| {
        (0..format.slots().len()).map(move |slot| (format, slot, format.slot_name(slot).unwrap()))
    })
}

/// The text of a golden file.
pub fn text(file: &str) -> String {
    let path = format!("{}/../corpus/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A golden file of one document.
pub fn document(file: &str) -> Value {
    serde_json::from_str(&text(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn class_named(value: &Value) -> RegClass {
    RegClass::from_name(value.as_str().unwrap()).unwrap_or_else(|| panic!("no class {value}"))
}

fn read_row(op: &Value) -> GoldenRow {
    let list = |key: &str| op[key].as_array().unwrap_or_else(|| panic!("{key} of {op}"));
    let strings = |key| list(key).iter().map(|value| value.as_str().unwrap().to_owned());
    let position = |name: &Value| {
        let found = list("operands").iter().position(|operand| operand["name"] == *name);
        found.unwrap_or_else(|| panic!("no operand {name} in {op}"))
    };
    GoldenRow {
        mnemonic: Mnemonic::from_name(op["op"].as_str().unwrap())
            .unwrap_or_else(|| panic!("{} is no mnemonic", op["op"])),
        operands: list("operands").iter().map(read_operand).collect(),
        slots: strings("slots").collect(),
        postings: list("postings")
            .iter()
            .map(|posting| GoldenPosting {
                operand: (!posting["opnd"].is_null()).then(|| position(&posting["opnd"])),
                class: class_named(&posting["class"]),
                role: match posting["role"].as_str().unwrap() {
                    "use" => Role::Use,
                    "def" => Role::Def,
                    "port" => Role::Port,
                    other => panic!("role {other}"),
                },
                lat: posting["lat"].as_u64().unwrap() as u8,
            })
            .collect(),
        store: op["mem"] == "store",
        load: op["mem"] == "load",
        copies: op["lsu"].as_u64().unwrap(),
        crossbar: strings("decisions").any(|decision| decision == "T-03"),
    }
}

fn read_operand(operand: &Value) -> Kind {
    let number = |key: &str| operand[key].as_i64().unwrap_or_else(|| panic!("{key} of {operand}"));
    match operand["kind"].as_str().unwrap() {
        "imm" => match operand["set"].as_array() {
            Some(set) => Kind::Set(set.iter().map(|value| value.as_i64().unwrap()).collect()),
            None => Kind::Range(number("min"), number("max"), number("step")),
        },
        _ => Kind::Reg(class_named(&operand["kind"])),
    }
}
