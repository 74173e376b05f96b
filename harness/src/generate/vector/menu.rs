//! What may be drawn under given options: ops by slot and family, producers and consumers by register
//! class. Built once per generator.

use super::super::Draw;
use super::options::{VectorOptions, matching, off_by_default};
use super::places::SLOTS;
use super::table::{Memory, Row, Table};
use contract::isa::{Mnemonic, RegClass};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Ops, grouped by family, so that a family of many ops does not crowd out the others.
#[derive(Debug)]
pub(super) struct Groups<T>(Vec<Vec<T>>);

impl<T: Copy> Groups<T> {
    /// Groups of items that come with a key.
    fn of<K: Ord>(items: impl Iterator<Item = (K, T)>) -> Self {
        let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
        for (key, item) in items {
            groups.entry(key).or_default().push(item);
        }
        Self(groups.into_values().collect())
    }

    /// Whether there is nothing to draw.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A random item of a random group.
    pub(super) fn draw(&self, draw: &mut Draw<'_>) -> Option<T> {
        // No group is empty.
        (!self.is_empty()).then(|| {
            let group = &self.0[draw.below(self.0.len() as u32) as usize];
            group[draw.below(group.len() as u32) as usize]
        })
    }
}

/// An operand of an op.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The op.
    pub(super) row: &'static Row,
    /// Position of the operand.
    pub(super) at: usize,
}

/// Producers and consumers of the registers of one class.
#[derive(Debug)]
pub(super) struct Ends {
    /// Operands with a `def`.
    pub(super) producers: Groups<End>,
    /// Operands with a `use`.
    pub(super) readers: Groups<End>,
}

/// Ops to draw from.
#[derive(Debug)]
pub(super) struct Choice {
    slots: [Groups<&'static Row>; SLOTS],
    ends: [Ends; 8],
    /// Memory ops with an immediate or no offset, those with a register offset.
    pub(super) based: Groups<&'static Row>,
    pub(super) indexed: Groups<&'static Row>,
    /// Ops that work on align registers.
    pub(super) streams: Vec<&'static Row>,
}

impl Choice {
    fn of(rows: &[&'static Row]) -> Self {
        let in_slot = |position: usize| {
            let fitting = rows.iter().filter(|row| row.slots.has(position));
            Groups::of(fitting.map(|&row| (row.family, row)))
        };
        let ends = |class: RegClass| {
            let operands = || {
                rows.iter().flat_map(|&row| {
                    (row.operands.iter().enumerate())
                        .filter(move |(_, facts)| facts.class() == Some(class))
                        .map(move |(at, facts)| (facts, (row.family, at), End { row, at }))
                })
            };
            Ends {
                producers: Groups::of(
                    operands().filter(|(facts, ..)| facts.defs).map(|(_, key, end)| (key, end)),
                ),
                readers: Groups::of(
                    operands().filter(|(facts, ..)| facts.uses).map(|(_, key, end)| (key, end)),
                ),
            }
        };
        let memory = |indexed: bool| {
            let fitting = rows.iter().filter(move |row| {
                row.memory != Memory::None
                    && row.role(super::roles::Role::Base).is_some()
                    && row.role(super::roles::Role::Index).is_some() == indexed
            });
            Groups::of(fitting.map(|&row| (row.family, row)))
        };
        let align = |row: &Row| row.operands.iter().any(|o| o.class() == Some(RegClass::Valign));
        Self {
            slots: std::array::from_fn(in_slot),
            ends: std::array::from_fn(|class| ends(RegClass::ALL[class])),
            based: memory(false),
            indexed: memory(true),
            streams: rows.iter().copied().filter(|row| align(row)).collect(),
        }
    }

    /// Ops that may stand in the slot at this position.
    pub(super) fn slot(&self, position: usize) -> &Groups<&'static Row> {
        &self.slots[position]
    }

    /// Producers and consumers of a class.
    pub(super) fn ends(&self, class: RegClass) -> &Ends {
        &self.ends[class as usize]
    }

    /// The ops of chapter 04.
    pub(super) fn default() -> &'static Self {
        static CHOICE: LazyLock<Choice> = LazyLock::new(|| Choice::of(&rows(&[4])));
        &CHOICE
    }

    /// The ops of every chapter, for programs that are about schedules: with the `COUNT` ops, which
    /// are off by default but alone define an address register at stage 3 (spec 05 section 12 wants
    /// every distance of its table reached).
    pub(super) fn every() -> &'static Self {
        static CHOICE: LazyLock<Choice> = LazyLock::new(|| Choice::of(&every_row()));
        &CHOICE
    }

    /// The ops of the chapters 07 to 09.
    pub(super) fn others() -> &'static Self {
        static CHOICE: LazyLock<Choice> = LazyLock::new(|| Choice::of(&rows(&[7, 8, 9])));
        &CHOICE
    }
}

/// The ops of [`Choice::every`].
pub(super) fn every_row() -> Vec<&'static Row> {
    let mut every = rows(&[4, 7, 8, 9]);
    every.extend(matching("COUNT*").into_iter().map(|op| Table::get().row(op)));
    every
}

/// Ops of these chapters but `NOP` and those that are off by default.
fn rows(chapters: &[u8]) -> Vec<&'static Row> {
    Table::get()
        .rows()
        .filter(|row| chapters.contains(&row.chapter) && row.mnemonic != Mnemonic::NOP)
        .filter(|row| !off_by_default(row.mnemonic))
        .collect()
}

/// What the options allow.
#[derive(Debug)]
pub(super) struct Menu {
    /// Ops of single-op programs, each as often as it weighs.
    pub(super) singles: Vec<&'static Row>,
    /// The ops that were asked for, if any.
    pub(super) focus: Option<Choice>,
}

impl Menu {
    /// What these options allow.
    pub(super) fn new(options: &VectorOptions) -> Self {
        let table = Table::get();
        let asked: Vec<_> = options.ops.iter().map(|&mnemonic| table.row(mnemonic)).collect();
        let every = || {
            let mut every = rows(&[4]);
            every.insert(0, table.row(Mnemonic::NOP));
            every
        };
        let candidates = if asked.is_empty() { every() } else { asked.clone() };
        let mut singles = Vec::new();
        for &row in &candidates {
            let listed = options.weights.iter().rev().find(|(op, _)| *op == row.mnemonic);
            let weight = listed.map_or(1, |&(_, weight)| weight);
            singles.extend(std::iter::repeat_n(row, weight.min(MOST_WEIGHT) as usize));
        }
        if singles.is_empty() {
            singles = candidates;
        }
        let asked: Vec<_> = asked.into_iter().filter(|row| row.mnemonic != Mnemonic::NOP).collect();
        Self { singles, focus: (!asked.is_empty()).then(|| Choice::of(&asked)) }
    }
}

/// Largest weight of an op; more would only cost memory.
const MOST_WEIGHT: u32 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_menu_is_chapter_04_without_the_ops_that_are_off() {
        let menu = Menu::new(&VectorOptions::DEFAULT);
        assert!(menu.focus.is_none());
        assert_eq!(menu.singles.len(), 370 - 5);
        assert!(menu.singles.iter().all(|row| row.chapter == 4));
    }

    #[test]
    fn weights_and_filters_change_the_single_ops() {
        let ops = matching("SHFL*T");
        let menu = Menu::new(&VectorOptions { ops: ops.clone(), ..VectorOptions::DEFAULT });
        assert_eq!(menu.singles.iter().map(|row| row.mnemonic).collect::<Vec<_>>(), ops);
        let add = matching("ADDNX16")[0];
        let options = VectorOptions { weights: vec![(add, 5)], ..VectorOptions::DEFAULT };
        let count = |menu: &Menu| menu.singles.iter().filter(|row| row.mnemonic == add).count();
        assert_eq!(count(&Menu::new(&options)), 5);
        let options = VectorOptions { weights: vec![(add, 0)], ..VectorOptions::DEFAULT };
        assert_eq!(count(&Menu::new(&options)), 0);
    }
}
