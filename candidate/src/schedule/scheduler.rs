//! Issue cycles, stalls and causes of a straight-line program (spec 05 section 3), bundle by bundle.

use super::cause;
use super::registers;
use super::scoreboard::{Definition, Scoreboard, earliest_issue};
use super::slot_order::SlotOrder;
use super::table::{MAX_OPERANDS, MAX_SLOTS, OperandRule, Timing, timing};
use contract::bundle::{Bundle, OpWord, Operand};
use contract::isa::Mnemonic;
use contract::outcome::{FaultReason, LegalityReason};
use contract::profile::LatCrossbar;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, OpTiming, Posting, Role, Schedule,
};

/// Schedules one program at a time. The schedule object is the caller's; its
/// [`table`](Schedule::table) and its clearing are the caller's business too.
#[derive(Debug, Clone, Default)]
pub struct Scheduler {
    /// Which LATs crossbar and reduce rows post.
    crossbar: LatCrossbar,
    /// First cycle after the latest issue: the in-order bound of the next bundle.
    next_cycle: u32,
    scoreboard: Scoreboard,
}

impl Scheduler {
    /// Forgets the program before and picks the LATs of crossbar and reduce rows (spec 05 T-03).
    pub fn begin(&mut self, crossbar: LatCrossbar) {
        self.crossbar = crossbar;
        self.next_cycle = 0;
        self.scoreboard.clear();
    }

    /// Issues a legal bundle: appends its entry with verdict `ok` and updates `schedule.cycles`. Of a
    /// bundle that [`judge`](super::judge) refuses, it schedules what can be resolved; the entry then
    /// means nothing.
    pub fn issue(&mut self, bundle: &Bundle, schedule: &mut Schedule) {
        let number = schedule.bundles.len() as u32;
        let ops = schedule.ops.len();
        let issue = self.post(bundle, schedule).max(self.next_cycle);
        let stall = issue - self.next_cycle;
        let causes = schedule.causes.len();
        if stall > 0 {
            self.collect_causes(schedule, ops, issue);
        }
        self.define(schedule, ops, number, issue);
        self.next_cycle = issue + 1;
        schedule.cycles = self.next_cycle;
        schedule.bundles.push(BundleTiming {
            format: bundle.format.clone(),
            verdict: BundleVerdict::Ok,
            issue: Some((issue, stall)),
            causes: causes as u32..schedule.causes.len() as u32,
            ops: ops as u32..schedule.ops.len() as u32,
        });
    }

    /// Appends the entry of an illegal bundle: no issue cycle, no causes, no postings.
    pub fn push_illegal(&self, bundle: &Bundle, reason: LegalityReason, schedule: &mut Schedule) {
        let (causes, ops) = (schedule.causes.len() as u32, schedule.ops.len() as u32);
        schedule.bundles.push(BundleTiming {
            format: bundle.format.clone(),
            verdict: BundleVerdict::Illegal(reason),
            issue: None,
            causes: causes..causes,
            ops: ops..ops,
        });
    }

    /// Turns the latest entry into a fault; everything else of it stays (spec 05 T-28). Without an
    /// issued latest entry there is nothing to mark.
    pub fn mark_fault(&self, reason: FaultReason, schedule: &mut Schedule) {
        if let Some(entry) = schedule.bundles.last_mut().filter(|entry| entry.issue.is_some()) {
            entry.verdict = BundleVerdict::Fault(reason);
        }
    }

    /// Appends ops and postings; gives the first cycle that every earlier definition allows.
    fn post(&self, bundle: &Bundle, schedule: &mut Schedule) -> u32 {
        let mut earliest = 0;
        let order = SlotOrder::of(bundle, MAX_SLOTS).unwrap_or_default();
        for op in order {
            let OpWord::Known(mnemonic) = op.op else { continue };
            let Some(row) = timing(mnemonic).filter(|_| mnemonic != Mnemonic::NOP) else {
                continue;
            };
            // Places without a register stay empty, the one that stands for ports among them.
            let mut registers: [Resolved; MAX_OPERANDS + 1] = [(None, 0); _];
            self.resolve(&op.operands, row, &mut registers);
            let first = schedule.postings.len() as u32;
            let mut needed = earliest;
            schedule.postings.extend(row.postings().iter().map(|rule| {
                let (lat, (index, landing)) =
                    (rule.lat(self.crossbar), registers[rule.operand_or_port()]);
                needed = needed.max(earliest_issue(landing, lat));
                Posting { class: rule.class, index, role: rule.role, lat }
            }));
            earliest = needed;
            let postings = first..schedule.postings.len() as u32;
            schedule.ops.push(OpTiming { slot: op.slot as u8, op: mnemonic, postings });
        }
        earliest
    }

    /// Fills in index and landing cycle of the register at each operand place that holds one of the
    /// row's class.
    fn resolve(&self, operands: &[Operand], row: &Timing, registers: &mut [Resolved]) {
        let pairs = operands.iter().zip(row.operands());
        for (register, pair) in registers.iter_mut().zip(pairs) {
            if let (&Operand::Reg(class, index), &OperandRule::Reg(wanted)) = pair
                && class == wanted
                && let Some(index) = registers::inside(class, index)
            {
                let landing = self.scoreboard.landing(registers::number(class, index));
                *register = (Some(index), landing);
            }
        }
    }

    /// Appends every pair that binds at the issue cycle of a stalled bundle (section 3.4), given its
    /// ops. Before this bundle defines anything.
    fn collect_causes(&self, schedule: &mut Schedule, ops: usize, issue: u32) {
        let first = schedule.causes.len();
        for op in &schedule.ops[ops..] {
            for posting in &schedule.postings[range(op)] {
                let Some(index) = posting.index else { continue };
                let register = registers::number(posting.class, index);
                if earliest_issue(self.scoreboard.landing(register), posting.lat) != issue {
                    continue;
                }
                let producer = self.scoreboard.latest(register);
                let cause = Cause {
                    hazard: if posting.role == Role::Def { Hazard::Waw } else { Hazard::Raw },
                    class: posting.class,
                    index,
                    producer_bundle: producer.bundle,
                    producer_slot: producer.slot,
                    producer_lat: producer.lat,
                    consumer_slot: op.slot,
                    consumer_lat: posting.lat,
                    // A pair that binds beyond the in-order bound has a distance above 1.
                    distance: producer.lat + 1 - posting.lat,
                };
                cause::insert(&mut schedule.causes, first, cause);
            }
        }
    }

    /// Notes the definitions of the bundle's ops. All its reads came before.
    fn define(&mut self, schedule: &Schedule, ops: usize, bundle: u32, issue: u32) {
        for op in &schedule.ops[ops..] {
            for posting in &schedule.postings[range(op)] {
                if let (Role::Def, Some(index)) = (posting.role, posting.index) {
                    let register = registers::number(posting.class, index);
                    let definition = Definition { bundle, slot: op.slot, lat: posting.lat };
                    self.scoreboard.define(register, issue, definition);
                }
            }
        }
    }
}

/// Register index, if there is a register, and landing cycle of its latest definition.
type Resolved = (Option<u8>, u32);

/// Place of an op's postings.
fn range(op: &OpTiming) -> std::ops::Range<usize> {
    op.postings.start as usize..op.postings.end as usize
}
