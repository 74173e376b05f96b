//! The time axis: which cycles a chart shows, where it folds an idle span, and where it breaks into
//! panels. A program runs along a diagonal, so a long one is cut into panels of successive bundles,
//! each with its own cycles, rather than into pages of columns that would be mostly empty.

use super::grid::BundleRow;
use std::collections::BTreeSet;
use std::ops::Range;

/// One column, or several that a fold stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// One cycle.
    Cycle(u64),
    /// Cycles, both ends included, in which no row changes.
    Fold(u64, u64),
}

/// How much room there is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Cells that a panel may take; at least 1 is used.
    pub(super) cells: usize,
    /// Cells that a fold takes.
    pub(super) fold_cells: usize,
}

/// The columns of one time axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    /// Columns, ascending.
    pub(super) list: Vec<Column>,
    /// True if columns at the end had to be left out: the room does not even hold one bundle.
    pub(super) cut: bool,
}

impl Columns {
    /// True if cycles are left out between two columns.
    pub(super) fn has_folds(&self) -> bool {
        self.list.iter().any(|column| matches!(column, Column::Fold(..)))
    }
}

/// Successive bundles over one set of columns for each of `N` schedules.
#[derive(Debug, Clone)]
pub(super) struct Panel<const N: usize> {
    /// Indices of the bundles.
    pub(super) bundles: Range<usize>,
    /// Columns of each schedule.
    pub(super) axes: [Columns; N],
}

/// A fold must save at least this many cells to be worth its interruption.
const FOLD_SAVES: u64 = 5;

impl Room {
    /// Cells that an idle span of this many cycles takes when folding is on.
    fn span_cells(self, cycles: u64) -> u64 {
        if self.folds(cycles) { self.fold_cells as u64 } else { cycles }
    }

    fn folds(self, cycles: u64) -> bool {
        cycles >= self.fold_cells as u64 + FOLD_SAVES
    }

    /// Cells that these events take with every idle span folded.
    fn folded_cells(self, events: &BTreeSet<u64>) -> u64 {
        let spans = events.iter().zip(events.iter().skip(1));
        // Saturating: cycles reach 2^32, sums of a few of them stay far below 2^64.
        spans.fold(events.len() as u64, |sum, (from, to)| {
            sum.saturating_add(self.span_cells(to - from - 1))
        })
    }
}

/// Cuts the bundles of a range into panels; `events(i)` are the cycles at which bundle `i` changes its
/// look, for each of `N` schedules.
pub(super) fn panels<const N: usize>(
    bundles: Range<usize>,
    events: impl Fn(usize) -> [BTreeSet<u64>; N],
    room: Room,
) -> Vec<Panel<N>> {
    let mut panels = Vec::new();
    let mut start = bundles.start;
    let mut seen = [const { BTreeSet::new() }; N];
    for index in bundles.clone() {
        let own = events(index);
        let mut with = seen.clone();
        for (with, own) in with.iter_mut().zip(&own) {
            with.extend(own);
        }
        let fits = |events| room.folded_cells(events) <= room.cells as u64;
        if index > start && !with.iter().all(fits) {
            panels.push(Panel { bundles: start..index, axes: axes(&seen, room) });
            (start, with) = (index, own);
        }
        seen = with;
    }
    if bundles.end > start {
        panels.push(Panel { bundles: start..bundles.end, axes: axes(&seen, room) });
    }
    panels
}

/// Panels of one schedule's bundles.
pub(super) fn panels_of(bundles: &[BundleRow], room: Room) -> Vec<Panel<1>> {
    panels(0..bundles.len(), |index| [bundles[index].events().collect()], room)
}

/// Columns for each schedule: the same for all where that needs no fold, so that a shift in time shows
/// as one, else each schedule its own.
fn axes<const N: usize>(events: &[BTreeSet<u64>; N], room: Room) -> [Columns; N] {
    let all: BTreeSet<u64> = events.iter().flatten().copied().collect();
    match unfolded(&all, room) {
        Some(list) => std::array::from_fn(|_| Columns { list: list.clone(), cut: false }),
        None => events.each_ref().map(|events| columns(events, room)),
    }
}

/// Every cycle from the first event to the last, if there is room for them.
fn unfolded(events: &BTreeSet<u64>, room: Room) -> Option<Vec<Column>> {
    let (&first, &last) = events.first().zip(events.last())?;
    (last - first < room.cells as u64).then(|| (first..=last).map(Column::Cycle).collect())
}

fn columns(events: &BTreeSet<u64>, room: Room) -> Columns {
    if let Some(list) = unfolded(events, room) {
        return Columns { list, cut: false };
    }
    let mut list = Vec::new();
    let mut before: Option<u64> = None;
    for &event in events {
        if let Some(before) = before
            && event - before > 1
        {
            let (from, to) = (before + 1, event - 1);
            if room.folds(to - from + 1) {
                list.push(Column::Fold(from, to));
            } else {
                list.extend((from..=to).map(Column::Cycle));
            }
        }
        list.push(Column::Cycle(event));
        before = Some(event);
    }
    let mut cells = 0;
    let fits = list.iter().take_while(|column| {
        cells += match column {
            Column::Cycle(_) => 1,
            Column::Fold(..) => room.fold_cells,
        };
        cells <= room.cells.max(1)
    });
    let fitting = fits.count();
    let cut = fitting < list.len();
    list.truncate(fitting);
    Columns { list, cut }
}
