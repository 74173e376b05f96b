//! Shapes of programs: how ops follow and feed each other.
//!
//! - [`mixed`]: one op alone, or any ops in any slots.
//! - [`aim`]: meetings that are given.
//! - [`hazard`]: producers and consumers at every distance, write after write, stalls of two causes.
//! - [`stream`]: align streams as real code uses them, one or two interleaved.
//! - [`chain`]: scalar ops that compute the address or offset of an access.

mod aim;
mod chain;
mod hazard;
mod mixed;
mod stream;

use super::super::{Draw, Span};
use super::draft::{Args, Draft, Op, any_slot};
use super::memory::Window;
use super::menu::{Choice, Menu};
use super::options::VectorOptions;
use super::pools::Pools;
use super::state::Presets;
use super::table::Row;
use contract::isa::Format;

/// Draws of an op and its operands before a program does without.
const TRIES: u32 = 16;

/// A program under construction.
#[derive(Debug)]
pub(super) struct Plan<'m> {
    pub(super) menu: &'m Menu,
    pub(super) window: Window,
    pub(super) pools: Pools,
    pub(super) drafts: Vec<Draft>,
    pub(super) presets: Presets,
    /// Ops of the other chapters may appear.
    others: bool,
    /// Most bundles.
    most: usize,
}

/// The shapes.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Single,
    Mixed,
    Hazard,
    Stream,
    Chain,
}

impl<'m> Plan<'m> {
    /// Draws a program into `drafts`, which is empty.
    pub(super) fn draw(
        draw: &mut Draw<'_>,
        menu: &'m Menu,
        options: &VectorOptions,
        drafts: Vec<Draft>,
    ) -> Self {
        let mut shape = draw.weighted(&[
            (options.single, Shape::Single),
            (options.mixed, Shape::Mixed),
            (options.hazard, Shape::Hazard),
            (options.stream, Shape::Stream),
            (options.chain, Shape::Chain),
        ]);
        if let (Some(focus), Shape::Stream | Shape::Chain) = (&menu.focus, shape) {
            // Where the chosen ops have no place, there is nothing to concentrate on.
            let placed = match shape {
                Shape::Stream => !focus.streams.is_empty(),
                _ => !focus.based.is_empty() || !focus.indexed.is_empty(),
            };
            shape = if placed { shape } else { Shape::Mixed };
        }
        let Span { low, high } = options.bundles;
        let mut plan = Self {
            menu,
            window: Window::draw(draw),
            pools: Pools::draw(draw, matches!(shape, Shape::Single)),
            drafts,
            presets: Presets::new(),
            others: draw.percent(options.other_chapters),
            most: high.max(low).clamp(1, MOST_BUNDLES) as usize,
        };
        match shape {
            Shape::Single => plan.single(draw),
            Shape::Mixed => plan.mixed(draw, options.bundles),
            Shape::Hazard => plan.hazard(draw),
            Shape::Stream => plan.stream(draw),
            Shape::Chain => plan.chain(draw),
        }
        while plan.drafts.len() < (low.max(1) as usize).min(plan.most) {
            plan.pause(draw, 1);
        }
        plan.meet_focus(draw);
        plan
    }

    /// A program without any of the ops that were asked for gets one: behind the others, or in place of
    /// the last bundle where the program is as long as it may be.
    fn meet_focus(&mut self, draw: &mut Draw<'_>) {
        let menu = self.menu;
        let met = |op: &Op| menu.singles.iter().any(|row| row.mnemonic == op.row.mnemonic);
        if menu.focus.is_none() || self.drafts.iter().flat_map(|draft| &draft.ops).any(met) {
            return;
        }
        if !self.has_room() {
            self.drafts.pop();
        }
        // Operands may clash, which makes an op unplaceable; another draw has others.
        for _ in 0..TRIES {
            let row = draw.pick(&menu.singles);
            let args = self.pools.args(draw, row, 0, &[]);
            if args.is_some_and(|args| self.append(draw, row, &args)) {
                return;
            }
        }
        self.pause(draw, 1);
    }

    /// An op for the slot at this position, if any may stand there.
    fn op(&self, draw: &mut Draw<'_>, position: usize) -> Option<&'static Row> {
        if let Some(focus) = &self.menu.focus {
            let found = if draw.percent(80) { focus.slot(position).draw(draw) } else { None };
            if found.is_some() {
                return found;
            }
        }
        let choice =
            if self.others && draw.percent(35) { Choice::others() } else { Choice::default() };
        choice.slot(position).draw(draw)
    }

    /// Appends all-NOP bundles.
    fn pause(&mut self, draw: &mut Draw<'_>, bundles: u32) {
        for _ in 0..bundles {
            if self.has_room() {
                self.drafts.push(Draft::new(draw.pick(Format::ALL)));
            }
        }
    }

    /// Appends a bundle that holds the op in a random slot of a random format. False, and nothing
    /// changes, if the program is as long as it may be or the op writes a register twice.
    fn append(&mut self, draw: &mut Draw<'_>, row: &'static Row, args: &Args) -> bool {
        let (format, slot) = any_slot(draw, row);
        let mut draft = Draft::new(format);
        if !self.has_room() || !draft.place(row, slot, args) {
            return false;
        }
        self.drafts.push(draft);
        true
    }

    /// Whether the program may have another bundle.
    pub(super) fn has_room(&self) -> bool {
        self.drafts.len() < self.most
    }

    /// A bundle of any ops.
    pub(super) fn any_bundle(&self, draw: &mut Draw<'_>) -> Draft {
        let mut draft = Draft::new(draw.pick(Format::ALL));
        let density = draw.pick(&[60, 30, 90]);
        self.fill(draw, &mut draft, density);
        draft
    }

    /// Fills each free slot of the last bundle with probability `percent`.
    fn fill_last(&mut self, draw: &mut Draw<'_>, percent: u32) {
        let Some(mut draft) = self.drafts.pop() else { return };
        self.fill(draw, &mut draft, percent);
        self.drafts.push(draft);
    }

    /// Fills each free slot of a bundle with probability `percent`.
    fn fill(&self, draw: &mut Draw<'_>, draft: &mut Draft, percent: u32) {
        for slot in 0..draft.format.slots().len() as u8 {
            if draft.free() >> slot & 1 == 0 || !draw.percent(percent) {
                continue;
            }
            let position = super::places::Slots::position(draft.format, slot.into());
            let Some(row) = self.op(draw, position) else { continue };
            if let Some(args) = self.pools.args(draw, row, draft.written(), &[]) {
                // Refused only for want of memory ports; the slot then stays empty.
                draft.place(row, slot, &args);
            }
        }
    }
}

/// More bundles than anyone needs; programs of ten thousand are made elsewhere.
const MOST_BUNDLES: u32 = 4096;
