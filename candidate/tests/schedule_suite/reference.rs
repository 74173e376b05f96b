//! Legality and schedules by literal evaluation of spec 05 sections 3 and 6: every check spelt out,
//! every pair of an earlier definition and a later posting tried.

use crate::golden::{GOLDEN, GoldenRow, Kind};
use crate::table_of;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Mnemonic, RegClass};
use contract::outcome::LegalityReason;
use contract::profile::LatCrossbar;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, OpTiming, Posting, Role, Schedule,
};
use std::collections::BTreeSet;

/// Spec 05 section 6.
pub fn judge(bundle: &Bundle) -> Result<(), LegalityReason> {
    let FormatWord::Known(format) = bundle.format else { return Err(LegalityReason::Format) };
    let slots = format.slots().len() as u32;
    let named: BTreeSet<u32> = bundle.ops.iter().map(|op| op.slot).collect();
    if named.len() != bundle.ops.len() || named.iter().any(|&slot| slot >= slots) {
        return Err(LegalityReason::SlotCount);
    }
    let ops = ascending(bundle);
    for op in &ops {
        let OpWord::Known(mnemonic) = op.op else { return Err(LegalityReason::UnknownOp) };
        let name = format.slot_name(op.slot as usize).unwrap();
        if !GOLDEN.row(mnemonic).slots.contains(&name) {
            return Err(LegalityReason::OpSlot);
        }
    }
    if !ops.iter().all(|op| operands_fit(op, row_of(op))) {
        return Err(LegalityReason::Operand);
    }
    let mut defined = BTreeSet::new();
    for op in &ops {
        for posting in postings(op, LatCrossbar::Seed) {
            if posting.role == Role::Def && !defined.insert((posting.class, posting.index)) {
                return Err(LegalityReason::DupDef);
            }
        }
    }
    let copies: u64 = ops.iter().map(|op| row_of(op).copies).sum();
    let stores = ops.iter().filter(|op| row_of(op).store).count();
    if copies > 2 || stores > 1 {
        return Err(LegalityReason::MemPorts);
    }
    Ok(())
}

fn ascending(bundle: &Bundle) -> Vec<&SlotOp> {
    let mut ops: Vec<&SlotOp> = bundle.ops.iter().collect();
    ops.sort_by_key(|op| op.slot);
    ops
}

fn row_of(op: &SlotOp) -> &'static GoldenRow {
    let OpWord::Known(mnemonic) = op.op else { panic!("unknown op {op:?}") };
    GOLDEN.row(mnemonic)
}

fn operands_fit(op: &SlotOp, row: &GoldenRow) -> bool {
    op.operands.len() == row.operands.len()
        && op.operands.iter().zip(&row.operands).all(|(operand, kind)| match (operand, kind) {
            (Operand::Reg(class, index), Kind::Reg(wanted)) => {
                class == wanted && *index < class.entries()
            }
            (Operand::Imm(value), Kind::Range(min, max, step)) => {
                value >= min && value <= max && (value - min) % step == 0
            }
            (Operand::Imm(value), Kind::Set(values)) => values.contains(value),
            _ => false,
        })
}

/// Postings of a legal op in table order.
fn postings(op: &SlotOp, crossbar: LatCrossbar) -> Vec<Posting> {
    let row = row_of(op);
    let moved = row.crossbar && crossbar == LatCrossbar::Formal;
    let post = |posting: &crate::golden::GoldenPosting| Posting {
        class: posting.class,
        index: posting.operand.map(|place| match op.operands[place] {
            Operand::Reg(_, index) => index as u8,
            _ => panic!("no register at {place} of {op:?}"),
        }),
        role: posting.role,
        lat: match posting.role {
            Role::Def if moved && posting.class == RegClass::Vec => 12,
            Role::Use if moved && posting.class == RegClass::Vec => 10,
            _ => posting.lat,
        },
    };
    row.postings.iter().map(post).collect()
}

/// A register reference of an issued bundle.
struct Reference {
    bundle: u32,
    slot: u8,
    posting: Posting,
}

/// Spec 05 section 3: the schedule of a legal program.
pub fn schedule(program: &[Bundle], crossbar: LatCrossbar) -> Schedule {
    let mut schedule = Schedule { table: table_of(crossbar), ..Schedule::default() };
    let mut cycles: Vec<i64> = Vec::new();
    let mut definitions: Vec<Reference> = Vec::new();
    for (number, bundle) in program.iter().enumerate() {
        let (first_op, first_cause) = (schedule.ops.len() as u32, schedule.causes.len() as u32);
        let mut references = Vec::new();
        for op in ascending(bundle) {
            let OpWord::Known(mnemonic) = op.op else { panic!("unknown op {op:?}") };
            if mnemonic == Mnemonic::NOP {
                continue;
            }
            let (first, slot) = (schedule.postings.len() as u32, op.slot as u8);
            for posting in postings(op, crossbar) {
                schedule.postings.push(posting);
                references.push(Reference { bundle: number as u32, slot, posting });
            }
            let postings = first..schedule.postings.len() as u32;
            schedule.ops.push(OpTiming { slot, op: mnemonic, postings });
        }

        let bound = cycles.last().map_or(0, |last| last + 1);
        let pairs = || {
            references.iter().flat_map(|consumer| {
                definitions
                    .iter()
                    .filter(|producer| same_register(producer, consumer))
                    .map(move |producer| (producer, consumer))
            })
        };
        let wanted = |producer: &Reference, consumer: &Reference| {
            cycles[producer.bundle as usize] + distance(producer, consumer)
        };
        let issue = pairs().map(|(p, c)| wanted(p, c)).max().map_or(bound, |need| need.max(bound));
        let stall = issue - bound;
        if stall > 0 {
            let binding = pairs().filter(|(p, c)| wanted(p, c) == issue);
            let mut causes: Vec<Cause> = binding.map(|(p, c)| cause(p, c)).collect();
            causes.sort_by_key(|c| {
                let register = (c.hazard, c.class, c.index);
                let slots = (c.producer_bundle, c.producer_slot, c.consumer_slot);
                (register, slots, c.producer_lat, c.consumer_lat)
            });
            causes.dedup();
            schedule.causes.extend(causes);
        }
        schedule.cycles = issue as u32 + 1;
        schedule.bundles.push(BundleTiming {
            format: bundle.format.clone(),
            verdict: BundleVerdict::Ok,
            issue: Some((issue as u32, stall as u32)),
            causes: first_cause..schedule.causes.len() as u32,
            ops: first_op..schedule.ops.len() as u32,
        });
        cycles.push(issue);
        definitions.extend(references.into_iter().filter(|r| r.posting.role == Role::Def));
    }
    schedule
}

/// `D(d, p)` of spec 05 section 3.1.
fn distance(producer: &Reference, consumer: &Reference) -> i64 {
    (i64::from(producer.posting.lat) - i64::from(consumer.posting.lat) + 1).max(1)
}

fn same_register(producer: &Reference, consumer: &Reference) -> bool {
    matches!(consumer.posting.role, Role::Use | Role::Def)
        && producer.posting.class == consumer.posting.class
        && producer.posting.index == consumer.posting.index
}

fn cause(producer: &Reference, consumer: &Reference) -> Cause {
    Cause {
        hazard: if consumer.posting.role == Role::Use { Hazard::Raw } else { Hazard::Waw },
        class: consumer.posting.class,
        index: consumer.posting.index.expect("a port pairs with nothing"),
        producer_bundle: producer.bundle,
        producer_slot: producer.slot,
        producer_lat: producer.posting.lat,
        consumer_slot: consumer.slot,
        consumer_lat: consumer.posting.lat,
        distance: distance(producer, consumer) as u8,
    }
}
