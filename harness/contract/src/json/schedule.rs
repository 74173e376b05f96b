//! The canonical schedule object (spec 05 section 9.1), both ways.

use super::error::{JsonError, Path};
use super::read::{self, Object, array, quote, shorten, text};
use super::write::{self, List};
use crate::bundle::FormatWord;
use crate::isa::{Mnemonic, RegClass};
use crate::outcome::{FaultReason, LegalityReason};
use crate::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, LatTable, OpTiming, Posting, Role, Schedule,
};
use serde_json::Value;

/// Version of the schedule object (key `v`).
const SCHEDULE_VERSION: u32 = 1;

/// Appends the canonical object. The canonical bytes of spec 05 section 9.1 are these and one line
/// end.
pub fn write_schedule(out: &mut String, schedule: &Schedule) {
    let mut object = List::object(out);
    write::number(object.key("v"), SCHEDULE_VERSION);
    write::text(object.key("table"), schedule.table.name());
    write::number(object.key("cycles"), schedule.cycles);
    let mut bundles = List::array(object.key("bundles"));
    for (number, bundle) in schedule.bundles.iter().enumerate() {
        write_timing(bundles.item(), schedule, number, bundle);
    }
}

fn write_timing(out: &mut String, schedule: &Schedule, number: usize, bundle: &BundleTiming) {
    let mut object = List::object(out);
    write::number(object.key("b"), number as u64);
    write::text(object.key("fmt"), bundle.format.text());
    let (verdict, reason) = match &bundle.verdict {
        BundleVerdict::Ok => ("ok", None),
        BundleVerdict::Illegal(reason) => ("illegal", Some(reason.text())),
        BundleVerdict::Fault(reason) => ("fault", Some(reason.text())),
    };
    write::text(object.key("verdict"), verdict);
    if let Some(reason) = reason {
        write::text(object.key("reason"), reason);
    }
    match bundle.issue {
        Some((issue, stall)) => {
            write::number(object.key("issue"), issue);
            write::number(object.key("stall"), stall);
        }
        None => {
            object.key("issue").push_str("null");
            object.key("stall").push_str("null");
        }
    }
    let mut causes = List::array(object.key("cause"));
    for cause in schedule.causes_of(bundle) {
        write_cause(causes.item(), cause);
    }
    drop(causes);
    let mut ops = List::array(object.key("ops"));
    for op in schedule.ops_of(bundle) {
        let mut object = List::object(ops.item());
        write::number(object.key("s"), op.slot);
        write::text(object.key("op"), op.op.name());
        let mut postings = List::array(object.key("post"));
        for posting in schedule.postings_of(op) {
            let mut entry = List::array(postings.item());
            write::text(entry.item(), posting.class.name());
            match posting.index {
                Some(index) => write::number(entry.item(), index),
                None => entry.item().push_str("null"),
            }
            write::text(entry.item(), posting.role.name());
            write::number(entry.item(), posting.lat);
        }
    }
}

fn write_cause(out: &mut String, cause: &Cause) {
    let mut object = List::object(out);
    write::text(object.key("k"), cause.hazard.name());
    write::text(object.key("c"), cause.class.name());
    write::number(object.key("i"), cause.index);
    write::number(object.key("pb"), cause.producer_bundle);
    write::number(object.key("ps"), cause.producer_slot);
    write::number(object.key("pl"), cause.producer_lat);
    write::number(object.key("cs"), cause.consumer_slot);
    write::number(object.key("cl"), cause.consumer_lat);
    write::number(object.key("d"), cause.distance);
}

/// Reads a schedule object.
///
/// # Errors
/// [`JsonError`] with the place of whatever is not of the canonical object's form.
pub fn read_schedule(json: &str) -> Result<Schedule, JsonError> {
    schedule_from_value(&serde_json::from_str(json)?)
}

/// Reads a schedule object from a parsed document.
///
/// # Errors
/// As [`read_schedule`].
pub fn schedule_from_value(value: &Value) -> Result<Schedule, JsonError> {
    from_value(value, Path::Root("schedule"))
}

/// Reads the schedule object at a place of a document.
pub(super) fn from_value(value: &Value, path: Path<'_>) -> Result<Schedule, JsonError> {
    let object = Object::of(value, path)?.only(&["v", "table", "cycles", "bundles"])?;
    if object.u32("v")? != SCHEDULE_VERSION {
        let found = object.get("v").map_or_else(String::new, shorten);
        return Err(object.path.key("v").error(found, SCHEDULE_VERSION.to_string()));
    }
    let tables = [LatTable::Lat1, LatTable::Lat1Formal];
    let mut schedule = Schedule {
        table: object.name("table", "\"lat-1\" or \"lat-1/formal\"", |name| {
            tables.into_iter().find(|table| table.name() == name)
        })?,
        cycles: object.u32("cycles")?,
        ..Schedule::default()
    };
    let path = object.path.key("bundles");
    for (number, value) in object.array("bundles")?.iter().enumerate() {
        read_timing(&mut schedule, value, path.index(number), number)?;
    }
    Ok(schedule)
}

fn read_timing(
    schedule: &mut Schedule,
    value: &Value,
    path: Path<'_>,
    number: usize,
) -> Result<(), JsonError> {
    let object = Object::of(value, path)?
        .only(&["b", "fmt", "verdict", "reason", "issue", "stall", "cause", "ops"])?;
    if object.u32("b")? as usize != number {
        let found = object.get("b").map_or_else(String::new, shorten);
        return Err(object.path.key("b").error(found, number.to_string()));
    }
    let format = FormatWord::from_word(object.text("fmt", "a format word")?);
    let verdict = match object.text("verdict", "\"ok\", \"illegal\" or \"fault\"")? {
        "ok" => match object.get("reason") {
            None => BundleVerdict::Ok,
            Some(value) => {
                return Err(object.path.key("reason").error(shorten(value), "none beside \"ok\""));
            }
        },
        "illegal" => BundleVerdict::Illegal(LegalityReason::from_text(
            object.text("reason", "a reason of spec 05 section 6")?,
        )),
        "fault" => BundleVerdict::Fault(FaultReason::from_text(
            object.text("reason", "a reason of spec 04")?,
        )),
        other => {
            let expected = "\"ok\", \"illegal\" or \"fault\"";
            return Err(object.path.key("verdict").error(quote(other), expected));
        }
    };
    let issued = !matches!(verdict, BundleVerdict::Illegal(_));
    let issue = match (issued, object.get("issue"), object.get("stall")) {
        (false, Some(Value::Null), Some(Value::Null)) => None,
        (false, ..) => {
            return Err(object.path.error(
                "an illegal bundle with an issue cycle or stall",
                "\"issue\" and \"stall\" to be null",
            ));
        }
        (true, ..) => Some((object.u32("issue")?, object.u32("stall")?)),
    };
    let first_cause = schedule.causes.len() as u32;
    let path = object.path.key("cause");
    for (index, value) in object.array("cause")?.iter().enumerate() {
        schedule.causes.push(read_cause(value, path.index(index))?);
    }
    let first_op = schedule.ops.len() as u32;
    let path = object.path.key("ops");
    for (index, value) in object.array("ops")?.iter().enumerate() {
        read_op(schedule, value, path.index(index))?;
    }
    schedule.bundles.push(BundleTiming {
        format,
        verdict,
        issue,
        causes: first_cause..schedule.causes.len() as u32,
        ops: first_op..schedule.ops.len() as u32,
    });
    Ok(())
}

fn read_op(schedule: &mut Schedule, value: &Value, path: Path<'_>) -> Result<(), JsonError> {
    let object = Object::of(value, path)?.only(&["s", "op", "post"])?;
    let slot = object.u8("s")?;
    let op = object.name("op", "a mnemonic of table lat-1", Mnemonic::from_name)?;
    let first = schedule.postings.len() as u32;
    let path = object.path.key("post");
    for (index, value) in object.array("post")?.iter().enumerate() {
        schedule.postings.push(read_posting(value, path.index(index))?);
    }
    schedule.ops.push(OpTiming { slot, op, postings: first..schedule.postings.len() as u32 });
    Ok(())
}

fn read_posting(value: &Value, path: Path<'_>) -> Result<Posting, JsonError> {
    let [class, index, role, lat] = array(value, &path)? else {
        return Err(path.error(shorten(value), "[class, index, role, LAT]"));
    };
    let at = |place| path.index(place);
    let roles = [Role::Use, Role::Def, Role::Port];
    let expected = "\"use\", \"def\" or \"port\"";
    let name = text(role, &at(2), expected)?;
    Ok(Posting {
        class: class_of(class, &at(0))?,
        index: match index {
            Value::Null => None,
            index => Some(read::number(index, &at(1), u8::MAX.into())? as u8),
        },
        role: roles
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or_else(|| at(2).error(quote(name), expected))?,
        lat: read::number(lat, &at(3), u8::MAX.into())? as u8,
    })
}

fn read_cause(value: &Value, path: Path<'_>) -> Result<Cause, JsonError> {
    let object =
        Object::of(value, path)?.only(&["k", "c", "i", "pb", "ps", "pl", "cs", "cl", "d"])?;
    Ok(Cause {
        hazard: object.name("k", "\"RAW\" or \"WAW\"", |name| {
            [Hazard::Raw, Hazard::Waw].into_iter().find(|hazard| hazard.name() == name)
        })?,
        class: class_of(object.require("c", CLASS)?, &object.path.key("c"))?,
        index: object.u8("i")?,
        producer_bundle: object.u32("pb")?,
        producer_slot: object.u8("ps")?,
        producer_lat: object.u8("pl")?,
        consumer_slot: object.u8("cs")?,
        consumer_lat: object.u8("cl")?,
        distance: object.u8("d")?,
    })
}

const CLASS: &str = "a register class such as \"vec\"";

fn class_of(value: &Value, path: &Path<'_>) -> Result<RegClass, JsonError> {
    let name = text(value, path, CLASS)?;
    RegClass::from_name(name).ok_or_else(|| path.error(quote(name), CLASS))
}
