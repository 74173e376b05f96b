//! Shared by the schedule tests: a reader of bundle text and of the golden examples, a run of the
//! model under test, and printers of the canonical schedule in both forms of spec 05 section 9.

pub mod random;
pub mod reference;

use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::{BundleVerdict, LatTable, Schedule};
use oracle::schedule::{Scheduler, judge};
use serde_json::{Value, json};
use std::fmt::Write;

/// The golden tables with the names of their parts.
pub const GOLDEN_TABLES: [(&str, &str); 4] = [
    ("04", include_str!("../../../../corpus/golden/lat_table.json")),
    ("07", include_str!("../../../../corpus/golden/lat_table_07.json")),
    ("08", include_str!("../../../../corpus/golden/lat_table_08.json")),
    ("09", include_str!("../../../../corpus/golden/lat_table_09.json")),
];

/// Every op of the golden tables, with the part it stands in.
pub fn golden_ops() -> Vec<(&'static str, Value)> {
    let mut ops = Vec::new();
    for (part, text) in GOLDEN_TABLES {
        let table: Value = serde_json::from_str(text).unwrap();
        assert_eq!(table["part"], *part);
        ops.extend(table["ops"].as_array().unwrap().iter().map(|op| (part, op.clone())));
    }
    ops
}

/// Reads `F0 { S1 LA_PP u0, a2 ; S3 ADDNX16 v1, v2, v3 }`.
pub fn bundle(text: &str) -> Bundle {
    let (format, rest) = text.split_once('{').expect("a brace opens the bundle");
    let body = rest.trim().strip_suffix('}').expect("a brace closes the bundle").trim();
    let format = format.trim();
    let ops = body
        .split(';')
        .map(str::trim)
        .filter(|op| !op.is_empty())
        .map(|op| {
            let mut words = op.splitn(3, ' ');
            let slot = words.next().unwrap().strip_prefix('S').unwrap().parse().unwrap();
            let name = words.next().unwrap();
            let operands = words.next().unwrap_or("").split(',').map(str::trim);
            SlotOp {
                slot,
                op: op_word(name),
                operands: operands.filter(|word| !word.is_empty()).map(operand).collect(),
            }
        })
        .collect();
    Bundle { format: format_word(format), ops }
}

/// A program, one bundle a line.
pub fn program(text: &str) -> Vec<Bundle> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(bundle).collect()
}

pub fn format_word(word: &str) -> FormatWord {
    Format::from_name(word).map_or_else(|| FormatWord::Unknown(word.into()), FormatWord::Known)
}

pub fn op_word(word: &str) -> OpWord {
    Mnemonic::from_name(word).map_or_else(|| OpWord::Unknown(word.into()), OpWord::Known)
}

pub fn mnemonic(name: &str) -> Mnemonic {
    Mnemonic::from_name(name).unwrap_or_else(|| panic!("no mnemonic {name}"))
}

fn operand(word: &str) -> Operand {
    if let Ok(number) = word.parse() {
        return Operand::Imm(number);
    }
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let prefix = &word[..word.len() - digits.len()];
    match (RegClass::from_prefix(prefix), digits.parse()) {
        (Some(class), Ok(index)) => Operand::Reg(class, index),
        _ => Operand::Word(word.into()),
    }
}

/// Schedules a program with the model under test; an illegal bundle ends it.
pub fn run(program: &[Bundle], crossbar: LatCrossbar) -> Schedule {
    let mut schedule = Schedule::default();
    run_into(&mut Scheduler::default(), program, crossbar, &mut schedule);
    schedule
}

/// As [`run`], with a scheduler and a schedule that may have served another program.
pub fn run_into(
    scheduler: &mut Scheduler,
    program: &[Bundle],
    crossbar: LatCrossbar,
    schedule: &mut Schedule,
) {
    schedule.clear(match crossbar {
        LatCrossbar::Seed => LatTable::Lat1,
        LatCrossbar::Formal => LatTable::Lat1Formal,
    });
    scheduler.begin(crossbar);
    for bundle in program {
        match judge(bundle) {
            Ok(()) => scheduler.issue(bundle, schedule),
            Err(reason) => {
                scheduler.push_illegal(bundle, reason, schedule);
                break;
            }
        }
    }
}

/// Issue cycles, `None` for an illegal bundle.
pub fn issue_cycles(schedule: &Schedule) -> Vec<Option<u32>> {
    schedule.bundles.iter().map(|bundle| bundle.issue.map(|(cycle, _)| cycle)).collect()
}

/// The canonical object of section 9.1.
pub fn as_json(schedule: &Schedule) -> Value {
    let bundles: Vec<Value> = schedule
        .bundles
        .iter()
        .enumerate()
        .map(|(number, bundle)| {
            let causes: Vec<Value> = schedule
                .causes_of(bundle)
                .iter()
                .map(|cause| {
                    json!({
                        "k": cause.hazard.name(), "c": cause.class.name(), "i": cause.index,
                        "pb": cause.producer_bundle, "ps": cause.producer_slot,
                        "pl": cause.producer_lat, "cs": cause.consumer_slot,
                        "cl": cause.consumer_lat, "d": cause.distance,
                    })
                })
                .collect();
            let ops: Vec<Value> = schedule
                .ops_of(bundle)
                .iter()
                .map(|op| {
                    let postings: Vec<Value> = schedule
                        .postings_of(op)
                        .iter()
                        .map(|p| json!([p.class.name(), p.index, p.role.name(), p.lat]))
                        .collect();
                    json!({ "s": op.slot, "op": op.op.name(), "post": postings })
                })
                .collect();
            let (verdict, reason) = verdict(&bundle.verdict);
            let mut object = json!({
                "b": number, "fmt": bundle.format.text(), "verdict": verdict,
                "issue": bundle.issue.map(|(issue, _)| issue),
                "stall": bundle.issue.map(|(_, stall)| stall), "cause": causes, "ops": ops,
            });
            if let Some(reason) = reason {
                object["reason"] = json!(reason);
            }
            object
        })
        .collect();
    json!({
        "v": 1, "table": schedule.table.name(), "cycles": schedule.cycles, "bundles": bundles,
    })
}

/// The text of section 9.2.
pub fn as_text(schedule: &Schedule) -> String {
    let mut text = String::new();
    for (number, bundle) in schedule.bundles.iter().enumerate() {
        let (verdict, reason) = verdict(&bundle.verdict);
        let _ = write!(text, "B{number} {} {verdict}", bundle.format.text());
        if let Some(reason) = reason {
            let _ = write!(text, ":{reason}");
        }
        if let Some((issue, stall)) = bundle.issue {
            let _ = write!(text, " @{issue} +{stall}");
        }
        text.push('\n');
        for op in schedule.ops_of(bundle) {
            let _ = write!(text, "  S{} {}", op.slot, op.op);
            for p in schedule.postings_of(op) {
                let index = p.index.map_or_else(|| "-".to_owned(), |index| index.to_string());
                let _ = write!(text, " {}{index}.{}@{}", p.class.prefix(), p.role.name(), p.lat);
            }
            text.push('\n');
        }
        for cause in schedule.causes_of(bundle) {
            let _ = writeln!(
                text,
                "  ! {} {}{} B{}.S{}@{} > S{}@{} d={}",
                cause.hazard.name(),
                cause.class.prefix(),
                cause.index,
                cause.producer_bundle,
                cause.producer_slot,
                cause.producer_lat,
                cause.consumer_slot,
                cause.consumer_lat,
                cause.distance,
            );
        }
    }
    let _ = write!(text, "= {}", schedule.cycles);
    text
}

fn verdict(verdict: &BundleVerdict) -> (&'static str, Option<&str>) {
    match verdict {
        BundleVerdict::Ok => ("ok", None),
        BundleVerdict::Illegal(reason) => ("illegal", Some(reason.text())),
        BundleVerdict::Fault(reason) => ("fault", Some(reason.text())),
    }
}
