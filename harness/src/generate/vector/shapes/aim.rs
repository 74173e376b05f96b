//! Programs that aim at given meetings: for each target its producer in one bundle and its reader so many
//! bundles later, side by side with those of the other targets, each with a register of its own.

use super::super::super::Draw;
use super::super::draft::{Draft, any_slot, for_each_read};
use super::super::memory::Window;
use super::super::menu::{End, Menu};
use super::super::options::VectorOptions;
use super::super::places::{Registers, single};
use super::super::pools::Pools;
use super::super::state::Presets;
use super::super::table::Memory;
use super::super::targets::{FARTHEST, MEETINGS, Pair, Pairs, Target, Targets};
use super::Plan;
use contract::isa::{Format, RegClass};

/// Most bundles that the meetings take; a broken one may come behind them.
const BUNDLES: usize = 11;

/// Address registers at the start of the pool that serve as bases, offsets and lengths, at most.
const ADDRESSES: u32 = 7;

impl<'m> Plan<'m> {
    /// Draws a program that holds the targets into `drafts`, which is empty.
    pub(in super::super) fn aim(
        draw: &mut Draw<'_>,
        menu: &'m Menu,
        options: &VectorOptions,
        drafts: Vec<Draft>,
        list: &Targets,
        targets: [Target; MEETINGS],
    ) -> Self {
        let mut plan = Self {
            menu,
            window: Window::DEFAULT,
            pools: Pools::draw(draw, true),
            drafts,
            presets: Presets::new(),
            others: draw.percent(options.other_chapters),
            most: options.bundles.high as usize,
        };
        let mut taken: Registers = 0;
        for target in targets {
            let pair = &Pairs::get().all()[target.pair as usize];
            let apart = target.apart.unwrap_or_else(|| draw.below(u32::from(FARTHEST) + 1) as u8);
            plan.meet(draw, list, pair, apart.into(), &mut taken);
        }
        while plan.drafts.len() < options.bundles.low as usize {
            plan.pause(draw, 1);
        }
        if plan.drafts.is_empty() {
            plan.single(draw);
        }
        plan.meet_focus(draw);
        plan.tame(draw);
        plan
    }

    /// Gives every address register a value under which accesses stay inside the window, as a base or as
    /// an offset: a fault would end the program before the later meetings.
    fn tame(&mut self, draw: &mut Draw<'_>) {
        let mut bases: Registers = 0;
        for op in self.drafts.iter().flat_map(|draft| &draft.ops) {
            for_each_read(op, |at, register| {
                if op.row.operands[at].role.is_address() {
                    bases |= register;
                }
            });
        }
        let middle = self.window.base + self.window.bytes / 2;
        for register in 0..RegClass::Ar.entries() {
            let words = draw.below(64) * 4;
            let base = bases & single(RegClass::Ar, register) != 0;
            self.presets.push((register, if base { middle + words } else { words }));
        }
    }

    /// Puts a producer and a reader into bundles of their own. `taken` are the registers of the
    /// meetings so far, which no op but their own may write.
    fn meet(
        &mut self,
        draw: &mut Draw<'_>,
        list: &Targets,
        pair: &Pair,
        apart: usize,
        taken: &mut Registers,
    ) -> Option<()> {
        let [producers, readers] = list.ends(pair);
        let (producer, reader) = (draw.pick(producers), draw.pick(readers));
        let entries = pair.class.entries();
        let written = self.drafts.iter().fold(*taken, |set, draft| set | draft.written());
        let start = draw.below(entries);
        // Of the address registers those of no particular use, so that no other op takes one for an
        // offset; else the pool, so that the values fit. Then the whole file.
        let spare = entries.saturating_sub(ADDRESSES).max(1);
        let likely = (0..entries).map(|nth| match pair.class {
            RegClass::Ar => self.pools.nth(pair.class, ADDRESSES + (start + nth) % spare),
            class => self.pools.nth(class, (start + nth) % self.pools.count(class).max(1)),
        });
        let index = likely
            .chain((0..entries).map(|nth| (start + nth) % entries))
            .find(|&index| written & single(pair.class, index) == 0)?;
        let free = |at: usize| self.drafts.get(at).is_none_or(|draft| draft.ops.is_empty());
        let fits = |&at: &usize| free(at) && free(at + apart + 1);
        let places = 0..BUNDLES - apart - 1;
        // What reads a computed address may fault, so it comes behind the readers so far if it can.
        let least = if pair.class == RegClass::Ar { self.drafts.len() } else { 0 };
        let behind = places.clone().filter(|at| at + apart + 1 >= least).find(fits);
        let first = behind.or_else(|| places.clone().find(fits))?;
        let bundle = |end: End, plan: &Self, draw: &mut Draw<'_>| {
            let mut args = plan.pools.args(draw, end.row, *taken, &[(end.at, index as i32)])?;
            if let (Some((at, legal)), true) = (end.row.immediate(), end.row.memory != Memory::None)
                && legal.holds(0)
            {
                args[at] = 0;
            }
            let (format, slot) = any_slot(draw, end.row);
            let mut draft = Draft::new(format);
            draft.place(end.row, slot, &args).then_some(draft)
        };
        let (producer, reader) = (bundle(producer, self, draw)?, bundle(reader, self, draw)?);
        *taken |= single(pair.class, index);
        let last = first + apart + 1;
        while self.drafts.len() <= last {
            self.drafts.push(Draft::new(draw.pick(Format::ALL)));
        }
        self.drafts[first] = producer;
        self.drafts[last] = reader;
        Some(())
    }
}
