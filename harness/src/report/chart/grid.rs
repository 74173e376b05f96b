//! What a chart shows, apart from how: one row per op with its marks at absolute cycles, the stall
//! and the causes of each bundle, and why a program ended early.
//!
//! A schedule may come from an external model and may contradict itself or the program, so nothing
//! here trusts a range, an index or a cycle: what does not resolve is left out or shown as written.

use super::words::{plain, written_text};
use contract::bundle::{Bundle, SlotOp};
use contract::isa::Mnemonic;
use contract::schedule::{
    BundleTiming, BundleVerdict, Cause, Hazard, LatTable, OpTiming, Posting, Role, Schedule,
};
use std::collections::BTreeMap;

/// What an op does at one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// Reads registers.
    Use,
    /// Defines registers.
    Def,
    /// Does both.
    Both,
    /// Keeps an internal path busy, and no more.
    Port,
}

impl MarkKind {
    /// The kind of postings at one stage.
    pub(super) fn of(postings: &[Posting]) -> Self {
        let has = |role| postings.iter().any(|posting| posting.role == role);
        match (has(Role::Use), has(Role::Def)) {
            (true, true) => Self::Both,
            (true, false) => Self::Use,
            (false, true) => Self::Def,
            (false, false) => Self::Port,
        }
    }

    /// The letter that stands for it in text.
    pub(super) const fn letter(self) -> char {
        match self {
            Self::Use => 'u',
            Self::Def => 'd',
            Self::Both => 'x',
            Self::Port => 'p',
        }
    }
}

/// The postings of one op at one stage.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// Cycle: issue plus LAT.
    pub(super) cycle: u64,
    /// Stage.
    pub(super) lat: u8,
    /// What to draw.
    pub(super) kind: MarkKind,
    /// True if one of the postings is an end of a hazard that stalls a bundle.
    pub(super) binds: bool,
    /// The postings, in the schedule's order.
    pub(super) postings: Vec<Posting>,
}

impl Mark {
    /// The ports that a use or def of the same stage hides.
    pub(super) fn hidden_ports(&self) -> impl Iterator<Item = &Posting> {
        let hidden = self.kind != MarkKind::Port;
        self.postings.iter().filter(move |posting| hidden && posting.role == Role::Port)
    }
}

/// Where the program and the schedule disagree about an op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// The program names the op, an issued bundle of the schedule does not.
    Unscheduled,
    /// The schedule has the op, the program has none in that slot, or this one.
    NotInProgram(Option<String>),
}

impl Mismatch {
    /// The disagreement in words.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Unscheduled => "not in the schedule".to_owned(),
            Self::NotInProgram(None) => "not in the program".to_owned(),
            Self::NotInProgram(Some(written)) => format!("the program has {written} here"),
        }
    }
}

/// One op.
#[derive(Debug, Clone)]
pub(super) struct OpRow {
    /// Slot; `None` stands for a bundle without ops.
    pub(super) slot: Option<u32>,
    /// Mnemonic and operands.
    pub(super) text: String,
    /// Marks, ascending by cycle, one per cycle.
    pub(super) marks: Vec<Mark>,
    /// Stall causes with this op as consumer.
    pub(super) causes: Vec<Cause>,
    /// Disagreement between program and schedule.
    pub(super) mismatch: Option<Mismatch>,
}

/// When a bundle issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Issue {
    /// Issue cycle.
    pub(super) cycle: u64,
    /// Stall cycles directly before it.
    pub(super) stall: u64,
}

impl Issue {
    /// First stall cycle; the issue cycle if there is none.
    pub(super) const fn stall_from(self) -> u64 {
        self.cycle.saturating_sub(self.stall)
    }
}

/// One bundle.
#[derive(Debug, Clone)]
pub(super) struct BundleRow {
    /// Number in the program.
    pub(super) number: usize,
    /// Format word.
    pub(super) format: String,
    /// Issue; `None` if it never does.
    pub(super) issue: Option<Issue>,
    /// `illegal: <reason>` or `fault: <reason>`.
    pub(super) ending: Option<String>,
    /// Rows; never empty.
    pub(super) ops: Vec<OpRow>,
    /// Causes whose consumer slot holds no op.
    pub(super) stray: Vec<Cause>,
}

impl BundleRow {
    /// Every cycle at which a row of this bundle changes its look.
    pub(super) fn events(&self) -> impl Iterator<Item = u64> + '_ {
        let issue = self.issue.into_iter().flat_map(|issue| [issue.stall_from(), issue.cycle]);
        issue.chain(self.ops.iter().flat_map(|op| op.marks.iter().map(|mark| mark.cycle)))
    }

    /// True if one of its marks is an end of a hazard that stalls a bundle.
    pub(super) fn binds(&self) -> bool {
        self.ops.iter().any(|op| op.marks.iter().any(|mark| mark.binds))
    }

    /// What stands in an op's row at a cycle.
    pub(super) fn cell<'a>(&self, op: &'a OpRow, cycle: u64) -> Cell<'a> {
        let Some(issue) = self.issue else { return Cell::Blank };
        if let Ok(at) = op.marks.binary_search_by_key(&cycle, |mark| mark.cycle) {
            return Cell::Mark(&op.marks[at]);
        }
        match cycle {
            _ if cycle == issue.cycle => Cell::Issue,
            _ if (issue.stall_from()..issue.cycle).contains(&cycle) => Cell::Stall,
            _ if cycle > issue.cycle && op.marks.last().is_some_and(|last| cycle < last.cycle) => {
                Cell::InFlight
            }
            _ => Cell::Blank,
        }
    }
}

/// One cell of the chart.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    /// Nothing.
    Blank,
    /// The bundle waits.
    Stall,
    /// The bundle issues.
    Issue,
    /// The op is on its way to a later mark.
    InFlight,
    /// Postings.
    Mark(&'a Mark),
}

/// A whole schedule, ready to draw.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// Bundles in program order.
    pub(super) bundles: Vec<BundleRow>,
    /// Bundles of the program after the last one of the schedule.
    pub(super) unreached: usize,
    /// The schedule's cycle count.
    pub(super) cycles: u32,
    /// The schedule's table.
    pub(super) table: LatTable,
}

impl Grid {
    /// Lays out a schedule; operands come from the program.
    pub(super) fn new(program: &[Bundle], schedule: &Schedule) -> Self {
        let bundles: Vec<BundleRow> = schedule
            .bundles
            .iter()
            .enumerate()
            .map(|(number, timing)| bundle_row(number, program.get(number), schedule, timing))
            .collect();
        let mut grid = Self {
            unreached: program.len().saturating_sub(bundles.len()),
            bundles,
            cycles: schedule.cycles,
            table: schedule.table,
        };
        grid.mark_binding();
        grid
    }

    /// Total of all stall cycles.
    pub(super) fn stalls(&self) -> u64 {
        self.bundles.iter().filter_map(|bundle| bundle.issue).map(|issue| issue.stall).sum()
    }

    /// Number of bundles that issued.
    pub(super) fn issued(&self) -> usize {
        self.bundles.iter().filter(|bundle| bundle.issue.is_some()).count()
    }

    /// Sets [`Mark::binds`] at both ends of every cause.
    fn mark_binding(&mut self) {
        for consumer in 0..self.bundles.len() {
            let bundle = &self.bundles[consumer];
            let causes: Vec<Cause> =
                bundle.ops.iter().flat_map(|op| &op.causes).chain(&bundle.stray).copied().collect();
            for cause in causes {
                if let Some(mark) = self.producer_mark(&cause) {
                    mark.binds = true;
                }
                let role = consumer_role(cause.hazard);
                if let Some(mark) = find_mark(
                    &mut self.bundles[consumer],
                    cause.consumer_slot,
                    cause.consumer_lat,
                    &cause,
                    role,
                ) {
                    mark.binds = true;
                }
            }
        }
    }

    fn producer_mark(&mut self, cause: &Cause) -> Option<&mut Mark> {
        let bundle = self.bundles.get_mut(usize::try_from(cause.producer_bundle).ok()?)?;
        find_mark(bundle, cause.producer_slot, cause.producer_lat, cause, Role::Def)
    }
}

/// What the consumer of a hazard does: it reads after a write, or writes after one.
pub(super) const fn consumer_role(hazard: Hazard) -> Role {
    match hazard {
        Hazard::Raw => Role::Use,
        Hazard::Waw => Role::Def,
    }
}

/// The mark that holds one end of a cause.
fn find_mark<'a>(
    bundle: &'a mut BundleRow,
    slot: u8,
    lat: u8,
    cause: &Cause,
    role: Role,
) -> Option<&'a mut Mark> {
    let ops = bundle.ops.iter_mut().filter(|op| op.slot == Some(u32::from(slot)));
    ops.flat_map(|op| &mut op.marks).find(|mark| {
        mark.lat == lat && mark.postings.iter().any(|posting| is_end(posting, cause, role))
    })
}

/// True if a posting of this role names the register of a cause.
pub(super) fn is_end(posting: &Posting, cause: &Cause, role: Role) -> bool {
    posting.role == role && posting.class == cause.class && posting.index == Some(cause.index)
}

fn bundle_row(
    number: usize,
    program: Option<&Bundle>,
    schedule: &Schedule,
    timing: &BundleTiming,
) -> BundleRow {
    let issue = timing
        .issue
        .map(|(cycle, stall)| Issue { cycle: u64::from(cycle), stall: u64::from(stall) });
    let ending = match &timing.verdict {
        BundleVerdict::Ok => None,
        BundleVerdict::Illegal(reason) => Some(format!("illegal: {}", plain(reason.text(), 60))),
        BundleVerdict::Fault(reason) => Some(format!("fault: {}", plain(reason.text(), 60))),
    };
    let written: &[SlotOp] = program.map_or(&[], |bundle| &bundle.ops);
    let mut ops: Vec<OpRow> = ops_of(schedule, timing)
        .iter()
        .map(|op| scheduled_row(schedule, op, issue, program.map(|_| written)))
        .collect();
    // An illegal bundle has no ops in the schedule: what was written is then all there is to show.
    let listed: Vec<Option<u32>> = ops.iter().map(|row| row.slot).collect();
    for op in written {
        if !listed.contains(&Some(op.slot))
            && (issue.is_none() || op.op.text() != Mnemonic::NOP.name())
        {
            let mismatch = issue.map(|_| Mismatch::Unscheduled);
            let text = written_text(op);
            let (marks, causes) = (Vec::new(), Vec::new());
            ops.push(OpRow { slot: Some(op.slot), text, marks, causes, mismatch });
        }
    }
    ops.sort_by_key(|row| row.slot);
    if ops.is_empty() {
        let text = "(all slots NOP)".to_owned();
        let (marks, causes) = (Vec::new(), Vec::new());
        ops.push(OpRow { slot: None, text, marks, causes, mismatch: None });
    }
    let mut stray = Vec::new();
    for cause in causes_of(schedule, timing) {
        let slot = Some(u32::from(cause.consumer_slot));
        match ops.iter_mut().find(|op| op.slot == slot) {
            Some(op) => op.causes.push(*cause),
            None => stray.push(*cause),
        }
    }
    BundleRow { number, format: plain(timing.format.text(), 8), issue, ending, ops, stray }
}

/// The row of an op of the schedule; `written` is `None` if the program has no such bundle.
fn scheduled_row(
    schedule: &Schedule,
    op: &OpTiming,
    issue: Option<Issue>,
    written: Option<&[SlotOp]>,
) -> OpRow {
    let slot = u32::from(op.slot);
    let name = op.op.name();
    let in_slot = || written.unwrap_or(&[]).iter().filter(|written| written.slot == slot);
    let (text, mismatch) = match in_slot().find(|written| written.op.text() == name) {
        Some(written) => (written_text(written), None),
        None if written.is_none() => (name.to_owned(), None),
        None => {
            let other = in_slot().next().map(written_text);
            (name.to_owned(), Some(Mismatch::NotInProgram(other)))
        }
    };
    let mut stages: BTreeMap<u8, Vec<Posting>> = BTreeMap::new();
    for posting in postings_of(schedule, op) {
        stages.entry(posting.lat).or_default().push(*posting);
    }
    let marks = issue.map_or_else(Vec::new, |issue| {
        stages
            .into_iter()
            .map(|(lat, postings)| Mark {
                cycle: issue.cycle + u64::from(lat),
                lat,
                kind: MarkKind::of(&postings),
                binds: false,
                postings,
            })
            .collect()
    });
    OpRow { slot: Some(slot), text, marks, causes: Vec::new(), mismatch }
}

/// Ops of a bundle; none if its range leaves the schedule.
pub(super) fn ops_of<'a>(schedule: &'a Schedule, bundle: &BundleTiming) -> &'a [OpTiming] {
    schedule.ops.get(bundle.ops.start as usize..bundle.ops.end as usize).unwrap_or(&[])
}

/// Postings of an op; none if its range leaves the schedule.
pub(super) fn postings_of<'a>(schedule: &'a Schedule, op: &OpTiming) -> &'a [Posting] {
    schedule.postings.get(op.postings.start as usize..op.postings.end as usize).unwrap_or(&[])
}

/// Causes of a bundle; none if its range leaves the schedule.
pub(super) fn causes_of<'a>(schedule: &'a Schedule, bundle: &BundleTiming) -> &'a [Cause] {
    schedule.causes.get(bundle.causes.start as usize..bundle.causes.end as usize).unwrap_or(&[])
}
