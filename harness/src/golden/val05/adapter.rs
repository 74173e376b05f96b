//! Vectors whose inputs and results are operands of one op. A field of the file stands for an operand by
//! name; the two tables below say which. What a report leaves out is zero, and is not expected back.

use super::rows::{Row, Rows};
use super::{Vector, number};
use crate::compare::VectorRegister;
use crate::golden::places::{At, ExpectedPlace};
use crate::lane::Lane;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, Operands, SlotOp};
use contract::case::{MemoryWindow, RegisterValue, VectorCase};
use contract::isa::{Mnemonic, OperandKind, RegClass};
use contract::json::JsonError;
use contract::profile::Profile;
use contract::state::{LINE, Line};
use serde_json::Value;

/// A vector's program and what must come out.
pub(super) struct Draft {
    pub(super) family: String,
    pub(super) case: VectorCase,
    pub(super) places: Vec<ExpectedPlace>,
}

/// Input fields, and the operands that each may stand for (the first that the op has).
const INPUTS: &[(&str, &[&str])] = &[
    ("src", &["vr"]),
    ("value", &["vr"]),
    ("lane0", &["vr"]),
    ("low32", &["vr"]),
    ("a", &["vr", "vbr"]),
    ("b", &["vs", "vbs"]),
    ("a_bytes", &["vr"]),
    ("b_bytes", &["vs"]),
    ("amount", &["vs", "imm"]),
    ("ctrl", &["sr"]),
    // V-17: `vr` is the low half of the pool.
    ("pool_low", &["vr"]),
    ("pool_high", &["vs"]),
    ("vb", &["vbr"]),
    ("mask", &["vbr"]),
    ("old", &["vt"]),
    ("imm", &["imm"]),
    ("count", &["ars"]),
    ("ar_index", &["ars"]),
    ("ar", &["ars"]),
];

/// How much of an operand a result field says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// As many low bits as the number has digits; every lane of a list, the named lanes of an object.
    Digits,
    /// Lane 0.
    Lane,
    /// The predicate field of lane 0.
    Field,
    /// Bit 0.
    Bit,
}

/// Result fields, operands, and how much of them is reported.
const RESULTS: &[(&str, &[&str], Part)] = &[
    ("result", &["vt"], Part::Digits),
    ("value", &["vt"], Part::Lane),
    ("lanes", &["vt"], Part::Digits),
    ("bytes", &["vt"], Part::Digits),
    ("vt", &["vt"], Part::Digits),
    ("vu", &["vu"], Part::Digits),
    ("vbool", &["vbt"], Part::Digits),
    ("field", &["vbt"], Part::Field),
    ("bit", &["vbt"], Part::Bit),
    ("ar", &["art"], Part::Digits),
    ("pr", &["prt"], Part::Digits),
];

/// Fields that repeat another one in words.
const REMARKS: &[&str] = &["kept_lanes", "winning_lanes"];

/// Bit V of `FSR` (spec 08 section 2.1).
const FSR_V: u32 = 11;

/// Reads a vector of an op that the LAT table names.
pub(super) fn draft(vector: &Vector<'_>, op: &str, rows: &Rows) -> Result<Draft, JsonError> {
    let (mnemonic, row) = rows.named(vector.path, op)?;
    let form = Form::of(mnemonic, row);
    let mut draft = form.empty();
    let mut immediate = None;
    for (key, value) in vector.entries("inputs")? {
        if REMARKS.contains(&key) {
            continue;
        }
        let names = INPUTS.iter().find(|(known, _)| *known == key).map(|(_, names)| *names);
        let operand = names.and_then(|names| form.operand(names));
        let place = format!("inputs.{key}");
        let operand =
            operand.ok_or_else(|| vector.wrong(&place, "a value", "an operand of the op"))?;
        match operand {
            Place::Immediate => {
                immediate = Some(
                    number(value)
                        .ok_or_else(|| vector.wrong(&place, &value.to_string(), "an immediate"))?,
                );
            }
            Place::Register(class, index) => {
                let register = register_value(form.lane, class, index, key, value);
                draft.case.state.push(register.ok_or_else(|| {
                    vector.wrong(&place, &value.to_string(), "what fits the operand")
                })?);
            }
        }
    }
    draft.case.program.push(form.bundle(immediate));
    for (key, value) in vector.entries("expected")? {
        if REMARKS.contains(&key) {
            continue;
        }
        let place = format!("expected.{key}");
        let places = form.expected(key, value);
        draft.places.extend(
            places.ok_or_else(|| vector.wrong(&place, &value.to_string(), "a result of the op"))?,
        );
    }
    Ok(draft)
}

/// Where an operand's value goes.
#[derive(Clone, Copy)]
enum Place {
    Register(RegClass, u8),
    Immediate,
}

/// An op with a register for each of its operands.
pub(super) struct Form<'a> {
    mnemonic: Mnemonic,
    row: &'a Row,
    pub(super) lane: Lane,
}

impl<'a> Form<'a> {
    pub(super) fn of(mnemonic: Mnemonic, row: &'a Row) -> Self {
        Self { mnemonic, row, lane: Lane::of(mnemonic) }
    }

    /// A case without program and state.
    pub(super) fn empty(&self) -> Draft {
        let case = VectorCase {
            id: String::new(),
            profile: Profile::default(),
            cpenable: 2,
            state: Vec::new(),
            memory: MemoryWindow::default(),
            program: Vec::new(),
        };
        Draft { family: self.row.family.clone(), case, places: Vec::new() }
    }

    /// The first operand of the op that has one of these names; operand `n` has register `n`.
    fn operand(&self, names: &[&str]) -> Option<Place> {
        names.iter().find_map(|name| {
            let operands = self.mnemonic.info().operands;
            let position = operands.iter().position(|(known, _)| known == name)?;
            Some(match operands[position].1 {
                OperandKind::Reg(class) => Place::Register(class, position as u8),
                OperandKind::Imm => Place::Immediate,
            })
        })
    }

    /// The register of an operand.
    pub(super) fn register(&self, name: &str) -> Option<VectorRegister> {
        match self.operand(&[name])? {
            Place::Register(class, index) => Some(VectorRegister::File(class, index)),
            Place::Immediate => None,
        }
    }

    /// The bundle with the op in its first legal slot.
    pub(super) fn bundle(&self, immediate: Option<i64>) -> Bundle {
        let mut operands = Operands::new();
        for (position, (_, kind)) in (0..).zip(self.mnemonic.info().operands) {
            operands.push(match kind {
                OperandKind::Reg(class) => Operand::Reg(*class, position),
                OperandKind::Imm => Operand::Imm(immediate.unwrap_or(0)),
            });
        }
        let op = OpWord::Known(self.mnemonic);
        let ops = vec![SlotOp { slot: self.row.slot, op, operands }];
        Bundle { format: FormatWord::Known(self.row.format), ops }
    }

    /// The places that a result field speaks of.
    fn expected(&self, key: &str, value: &Value) -> Option<Vec<ExpectedPlace>> {
        if key == "invalid" {
            let at = At::Register(VectorRegister::Fsr);
            let value = number(value)? as u64;
            return Some(vec![ExpectedPlace { at, bit: FSR_V, bits: 1, value }]);
        }
        let (_, names, part) = RESULTS.iter().find(|(known, ..)| *known == key)?;
        let Place::Register(class, index) = self.operand(names)? else { return None };
        let register = VectorRegister::File(class, index);
        let single = |bits: u32, value: u64| {
            let value = value & u64::MAX >> (64 - bits);
            vec![ExpectedPlace { at: At::Register(register), bit: 0, bits, value }]
        };
        let lane = if key == "bytes" { Lane::BYTES } else { self.lane };
        Some(match (value, part) {
            (Value::Array(list), Part::Digits) => (0..)
                .zip(list)
                .map(|(index, value)| {
                    Some(ExpectedPlace::lane(register, lane, index, number(value)? as u64))
                })
                .collect::<Option<_>>()?,
            (Value::Object(lanes), Part::Digits) => lanes
                .iter()
                .map(|(index, value)| {
                    let index = index.parse().ok()?;
                    Some(ExpectedPlace::lane(register, lane, index, number(value)? as u64))
                })
                .collect::<Option<_>>()?,
            (value, Part::Digits) => {
                // A decimal number is a count in one lane.
                let bits = value.as_str().map_or(lane.bits, |text| 4 * (text.len() as u32 - 2));
                single(bits, number(value)? as u64)
            }
            (value, Part::Lane) => single(lane.bits, number(value)? as u64),
            (value, Part::Field) => single(lane.field(), number(value)? as u64),
            (value, Part::Bit) => single(1, number(value)? as u64),
        })
    }
}

/// The initial value of an operand's register.
fn register_value(
    lane: Lane,
    class: RegClass,
    index: u8,
    key: &str,
    value: &Value,
) -> Option<RegisterValue> {
    let list: Vec<i64> = match value {
        Value::Array(list) => list.iter().map(number).collect::<Option<_>>()?,
        single => vec![number(single)?],
    };
    let first = *list.first()?;
    Some(match class {
        RegClass::Vec => {
            let width = match key {
                "a_bytes" | "b_bytes" => 1,
                // The report gives the low 32 bits of the register.
                "low32" => 4,
                _ => lane.bytes(),
            };
            RegisterValue::Vec(index, Box::new(line(width, &list)?))
        }
        RegClass::Vbool if key == "mask" => {
            let field = |(lane_index, &live): (u32, &i64)| {
                let ones = (1_u64 << lane.field()) - 1;
                if live != 0 { ones << (lane_index * lane.field()) } else { 0 }
            };
            RegisterValue::Vbool(index, (0..).zip(&list).map(field).fold(0, |all, one| all | one))
        }
        RegClass::Vbool => RegisterValue::Vbool(index, first as u64),
        RegClass::Ar => RegisterValue::Ar(index, first as u32),
        RegClass::Pr => RegisterValue::Pr(index, first as u64),
        _ => return None,
    })
}

/// A register image of elements of `width` bytes; `None` if they are too many.
pub(super) fn line(width: usize, elements: &[i64]) -> Option<Line> {
    let mut line = Line::default();
    if elements.len() * width > LINE {
        return None;
    }
    for (bytes, element) in line.0.chunks_exact_mut(width).zip(elements) {
        bytes.copy_from_slice(&element.to_le_bytes()[..width]);
    }
    Some(line)
}
