//! Which op of a vector program a divergence is about: the one that wrote the register or the memory, or
//! the hazard that one schedule alone waits for.

use crate::compare::VectorRegister;
use contract::bundle::OpWord;
use contract::case::VectorCase;
use contract::isa::Mnemonic;
use contract::outcome::VectorOutcome;
use contract::schedule::{BundleVerdict, Cause, Role, Schedule};

/// An op of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writer {
    /// Bundle.
    pub bundle: usize,
    /// Slot.
    pub slot: u32,
    /// Op.
    pub op: Mnemonic,
}

/// Beginnings of the names of ops that write memory.
const STORES: &[&str] = &["SV", "SA", "SB", "SS", "S32I", "SCATTER"];

/// The last op up to a bundle that defines a register, by the schedule; `None` if none does or there is
/// no schedule.
pub fn writer_of(
    outcome: &VectorOutcome,
    register: VectorRegister,
    until: usize,
) -> Option<Writer> {
    let VectorRegister::File(class, index) = register else { return None };
    let schedule = outcome.schedule.as_ref()?;
    let issued = schedule.bundles.iter().enumerate().take(until.saturating_add(1));
    issued.rev().find_map(|(bundle, timing)| {
        if timing.verdict != BundleVerdict::Ok {
            return None;
        }
        let op = schedule.ops_of(timing).iter().find(|op| {
            schedule.postings_of(op).iter().any(|posting| {
                (posting.class, posting.index, posting.role) == (class, Some(index), Role::Def)
            })
        })?;
        Some(Writer { bundle, slot: op.slot.into(), op: op.op })
    })
}

/// The op of a bundle that writes memory.
pub fn store_of(case: &VectorCase, bundle: usize) -> Option<Writer> {
    op_where(case, bundle, |_, op| STORES.iter().any(|stem| op.name().starts_with(stem)))
}

/// The op in a slot of a bundle.
pub fn op_in_slot(case: &VectorCase, bundle: usize, slot: u8) -> Option<Writer> {
    op_where(case, bundle, |found, _| found == u32::from(slot))
}

fn op_where(
    case: &VectorCase,
    bundle: usize,
    wanted: impl Fn(u32, Mnemonic) -> bool,
) -> Option<Writer> {
    case.program.get(bundle)?.ops.iter().find_map(|slot| match slot.op {
        OpWord::Known(op) if wanted(slot.slot, op) => Some(Writer { bundle, slot: slot.slot, op }),
        _ => None,
    })
}

/// The first stall cause of a bundle that one of two schedules lacks: `RAW.vec.11.10` is a use of a `vec`
/// at 10 that waits for a definition at 11.
pub fn hazard_between(mine: &Schedule, theirs: &Schedule, bundle: usize) -> Option<String> {
    let causes = |schedule: &Schedule| -> Option<Vec<Cause>> {
        Some(schedule.causes_of(schedule.bundles.get(bundle)?).to_vec())
    };
    let (mine, theirs) = (causes(mine)?, causes(theirs)?);
    let alone =
        |list: &[Cause], other: &[Cause]| list.iter().find(|cause| !other.contains(cause)).copied();
    let cause = alone(&mine, &theirs).or_else(|| alone(&theirs, &mine))?;
    let Cause { hazard, class, producer_lat, consumer_lat, .. } = cause;
    Some(format!("{}.{}.{producer_lat}.{consumer_lat}", hazard.name(), class.name()))
}
