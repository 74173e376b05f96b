//! The scheduler of misread schedules. The right model judges and executes; the scheduler rewrites the
//! postings of the new bundle and works its issue cycle out again, by the definitions of every earlier
//! bundle (spec 05 section 3), with one thing wrong. With [`Rules::RIGHT`] nothing changes.

use contract::bundle::Bundle;
use contract::isa::{Mnemonic, RegClass};
use contract::model::VectorModel;
use contract::outcome::VectorStep;
use contract::schedule::{BundleVerdict, Cause, Hazard, OpTiming, Posting, Role, Schedule};
use contract::state::VectorState;

/// What a scheduler goes by.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Changes the postings of an op.
    pub rewrite: fn(Mnemonic, &mut Vec<Posting>),
    /// What else is wrong.
    pub twist: Twist,
}

/// One rule of issue or causes that is read wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Twist {
    /// Everything as it is.
    None,
    /// Definitions do not wait for definitions.
    NoWaw,
    /// A definition waits only for a later-landing one, by one cycle less.
    WawMayCoincide,
    /// Definitions wait for earlier uses.
    War,
    /// The distance has no 1 for the end of the stage.
    NoEndOfStage,
    /// Dependent bundles are at least this many cycles apart.
    LeastDistance(i32),
    /// Distances grow no longer than this.
    MostDistance(u32),
    /// Definitions of the last bundles alone are remembered.
    Window(u32),
    /// Registers of one class share one entry.
    NoIndex(RegClass),
    /// Registers of a class never wait.
    Unwatched(RegClass),
    /// Definitions of a bundle bind its own uses.
    SameBundle,
    /// The first binding pair is the cause.
    FirstCause,
    /// Causes are listed without a stall too.
    CausesAlways,
    /// Every pair that made the bundle wait is a cause, also those satisfied earlier.
    AllCauses,
    /// An operand that is read and written gives one record.
    RawAlone,
    /// Causes keep the order in which they are found.
    UnsortedCauses,
    /// Identical causes are listed again.
    RepeatedCauses,
    /// The stall includes the cycle of the issue.
    StallOneMore,
    /// The program ends with the issue of its last bundle.
    CyclesOneLess,
    /// A stalled bundle costs its distance on top of in-order issue.
    StallAdds,
    /// A faulting bundle has no entry.
    FaultUnscheduled,
    /// Bundles without ops take no cycle.
    EmptyIsFree,
}

impl Rules {
    /// The rules as they are.
    pub const RIGHT: Self = Self { rewrite: |_, _| {}, twist: Twist::None };
}

/// An earlier posting.
#[derive(Debug, Clone, Copy)]
struct Earlier {
    class: RegClass,
    index: u8,
    role: Role,
    lat: u8,
    bundle: u32,
    slot: u8,
    issue: u32,
}

/// A model behind a scheduler of its own.
pub struct Rescheduled<M> {
    rules: Rules,
    model: M,
    earlier: Vec<Earlier>,
    last: Option<u32>,
    scratch: Vec<Posting>,
    waits: Vec<(u32, Cause)>,
}

impl<M> Rescheduled<M> {
    /// Wraps a right model.
    pub const fn new(rules: Rules, model: M) -> Self {
        Self {
            rules,
            model,
            earlier: Vec::new(),
            last: None,
            scratch: Vec::new(),
            waits: Vec::new(),
        }
    }

    /// The required distance of a posting from an earlier one; `None` if it does not wait for it.
    fn distance(&self, earlier: &Earlier, posting: &Posting, bundle: u32) -> Option<u32> {
        let twist = self.rules.twist;
        let index = posting.index?;
        let same = earlier.class == posting.class
            && (earlier.index == index || twist == Twist::NoIndex(posting.class));
        if !same || twist == Twist::Unwatched(posting.class) {
            return None;
        }
        let waits = match (earlier.role, posting.role) {
            (Role::Def, Role::Use) => true,
            (Role::Def, Role::Def) => twist != Twist::NoWaw,
            (Role::Use, Role::Def) => twist == Twist::War,
            _ => false,
        };
        if let Twist::Window(bundles) = twist
            && bundle - earlier.bundle > bundles
        {
            return None;
        }
        let difference = i32::from(earlier.lat) - i32::from(posting.lat);
        let end_of_stage = match twist {
            Twist::NoEndOfStage => 0,
            Twist::WawMayCoincide if posting.role == Role::Def => 0,
            _ => 1,
        };
        let least = if let Twist::LeastDistance(least) = twist { least } else { 1 };
        let distance = (difference + end_of_stage).max(least) as u32;
        let most = if let Twist::MostDistance(most) = twist { most } else { u32::MAX };
        waits.then_some(distance.min(most))
    }

    /// Rewrites the postings of the last bundle.
    fn rewrite(&mut self, schedule: &mut Schedule, ops: std::ops::Range<u32>) {
        for at in ops.start as usize..ops.end as usize {
            let OpTiming { op, ref postings, .. } = schedule.ops[at];
            let range = postings.start as usize..postings.end as usize;
            self.scratch.clear();
            self.scratch.extend_from_slice(&schedule.postings[range.clone()]);
            (self.rules.rewrite)(op, &mut self.scratch);
            if self.scratch.len() == range.len() {
                schedule.postings[range].copy_from_slice(&self.scratch);
            } else {
                // Another number of postings: a new range at the end.
                let start = schedule.postings.len() as u32;
                schedule.postings.extend_from_slice(&self.scratch);
                schedule.ops[at].postings = start..schedule.postings.len() as u32;
            }
        }
    }

    /// Works the last bundle of a schedule out again.
    fn reschedule(&mut self, schedule: &mut Schedule) {
        let twist = self.rules.twist;
        let Some(last) = schedule.bundles.last() else { return };
        let (range, first_cause, issued) =
            (last.ops.clone(), last.causes.start, last.issue.is_some());
        let faulted = matches!(last.verdict, BundleVerdict::Fault(_));
        if !issued {
            return;
        }
        self.rewrite(schedule, range.clone());
        let number = schedule.bundles.len() as u32 - 1;
        let free = range.is_empty() && twist == Twist::EmptyIsFree;
        let in_order = self.last.map_or(0, |last| if free { last } else { last + 1 });
        let ops = range.start as usize..range.end as usize;
        self.waits.clear();
        let mut issue = in_order;
        if twist == Twist::SameBundle {
            self.remember(schedule, ops.clone(), number, in_order.saturating_sub(1));
        }
        for op in &schedule.ops[ops.clone()] {
            for posting in schedule.postings_of(op) {
                for earlier in &self.earlier {
                    let own = earlier.bundle == number && earlier.slot == op.slot;
                    let Some(distance) = self.distance(earlier, posting, number).filter(|_| !own)
                    else {
                        continue;
                    };
                    let wanted = if twist == Twist::StallAdds && earlier.issue + distance > in_order
                    {
                        in_order + distance
                    } else {
                        earlier.issue + distance
                    };
                    issue = issue.max(wanted);
                    let cause = Cause {
                        hazard: if posting.role == Role::Use { Hazard::Raw } else { Hazard::Waw },
                        class: posting.class,
                        index: earlier.index,
                        producer_bundle: earlier.bundle,
                        producer_slot: earlier.slot,
                        producer_lat: earlier.lat,
                        consumer_slot: op.slot,
                        consumer_lat: posting.lat,
                        distance: distance as u8,
                    };
                    self.waits.push((wanted, cause));
                }
            }
        }
        if twist == Twist::SameBundle {
            self.earlier.retain(|earlier| earlier.bundle != number);
        }
        self.causes(schedule, first_cause, issue, in_order);
        self.remember(schedule, ops, number, issue);
        self.last = Some(issue);
        schedule.cycles = issue + u32::from(twist != Twist::CyclesOneLess);
        let end = schedule.causes.len() as u32;
        if let Some(last) = schedule.bundles.last_mut() {
            let stall = issue - in_order;
            last.issue =
                Some((issue, stall + u32::from(twist == Twist::StallOneMore && stall > 0)));
            last.causes.end = end;
            if faulted && twist == Twist::FaultUnscheduled {
                last.issue = None;
                last.ops = 0..0;
                last.causes = 0..0;
            }
        }
    }

    /// Adds the postings of a bundle to the earlier ones.
    fn remember(
        &mut self,
        schedule: &Schedule,
        ops: std::ops::Range<usize>,
        bundle: u32,
        issue: u32,
    ) {
        for op in &schedule.ops[ops] {
            for posting in schedule.postings_of(op) {
                let Some(index) = posting.index else { continue };
                let &Posting { class, role, lat, .. } = posting;
                let kept = role == Role::Def || self.rules.twist == Twist::War;
                if kept {
                    let slot = op.slot;
                    self.earlier.push(Earlier { class, index, role, lat, bundle, slot, issue });
                }
            }
        }
    }

    /// Lists the causes of the last bundle.
    fn causes(&mut self, schedule: &mut Schedule, first: u32, issue: u32, in_order: u32) {
        let twist = self.rules.twist;
        schedule.causes.truncate(first as usize);
        if issue == in_order && twist != Twist::CausesAlways {
            return;
        }
        let bound = if twist == Twist::AllCauses { in_order + 1 } else { issue };
        let binding =
            self.waits.iter().filter(|(cycle, _)| *cycle >= bound).map(|(_, cause)| *cause);
        let mut causes: Vec<Cause> = binding.collect();
        if twist == Twist::RawAlone {
            let raw: Vec<_> = causes
                .iter()
                .filter(|cause| cause.hazard == Hazard::Raw)
                .map(|cause| (cause.class, cause.index))
                .collect();
            causes.retain(|cause| {
                cause.hazard == Hazard::Raw || !raw.contains(&(cause.class, cause.index))
            });
        }
        if twist != Twist::UnsortedCauses {
            causes.sort_by_key(|cause| {
                let producer = (cause.producer_bundle, cause.producer_slot);
                let stages = (cause.producer_lat, cause.consumer_lat);
                (cause.hazard, cause.class, cause.index, producer, cause.consumer_slot, stages)
            });
        }
        if twist != Twist::RepeatedCauses {
            causes.dedup();
        }
        if twist == Twist::FirstCause {
            causes.truncate(1);
        }
        schedule.causes.extend(causes);
    }
}

impl<M: VectorModel> VectorModel for Rescheduled<M> {
    fn begin(&mut self, state: &VectorState) {
        self.earlier.clear();
        self.last = None;
        self.model.begin(state);
    }

    fn step(
        &mut self,
        state: &mut VectorState,
        bundle: &Bundle,
        schedule: &mut Schedule,
    ) -> VectorStep {
        let step = self.model.step(state, bundle, schedule);
        self.reschedule(schedule);
        step
    }
}
