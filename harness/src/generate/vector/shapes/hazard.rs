//! Ops that wait for each other: a producer and a consumer (or a second producer) of one register,
//! 0 to 4 NOP bundles apart, for every pair of families that share a register class; chains of them,
//! and stalls of two causes.

use super::super::super::Draw;
use super::super::draft::{Draft, any_slot};
use super::super::menu::{Choice, End, Ends, Menu};
use super::Plan;
use contract::isa::RegClass;
use smallvec::{SmallVec, smallvec};

/// Operands that are given.
type Fixed = SmallVec<[(usize, i32); 2]>;

/// Weights of the classes, about as the pairs of families are.
const CLASSES: &[(u32, RegClass)] = &[
    (40, RegClass::Vec),
    (20, RegClass::Vbool),
    (18, RegClass::Ar),
    (12, RegClass::Valign),
    (5, RegClass::Pr),
    (5, RegClass::Wvec),
    (3, RegClass::Gvr),
];

/// Most NOP bundles between producer and consumer.
const FARTHEST: u32 = 4;

/// How the second op meets the register.
#[derive(Debug, Clone, Copy)]
enum Meeting {
    /// It reads it.
    ReadAfterWrite,
    /// It writes it.
    WriteAfterWrite,
    /// It reads it in the producer's own bundle.
    SameBundle,
    /// It reads it, and another register that a second op of the producer's bundle writes.
    TwoCauses,
}

impl Plan<'_> {
    /// One to three meetings in a row, each beginning with what the last one left.
    pub(super) fn hazard(&mut self, draw: &mut Draw<'_>) {
        let busy = draw.pick(&[0, 0, 30]);
        if draw.one_in(4) {
            self.pause(draw, 1);
            self.fill_last(draw, 60);
        }
        let mut last: Option<(RegClass, u32)> = None;
        for _ in 0..draw.weighted(&[(60, 1), (25, 2), (15, 3)]) {
            let carried = last.filter(|_| draw.percent(60));
            last = self.meeting(draw, carried, busy);
            if last.is_none() {
                break;
            }
        }
        if self.drafts.is_empty() {
            self.single(draw);
        }
    }

    /// One meeting; the register that the second op writes, if it does. `carried` is a register that
    /// an earlier bundle wrote; then no producer is needed.
    fn meeting(
        &mut self,
        draw: &mut Draw<'_>,
        carried: Option<(RegClass, u32)>,
        busy: u32,
    ) -> Option<(RegClass, u32)> {
        let choice = if self.others { Choice::every() } else { Choice::default() };
        let class = match carried {
            Some((class, _)) => class,
            None => draw.weighted(CLASSES),
        };
        let ends = ends(self.menu, draw, choice, class)?;
        let meeting = draw.weighted(&[
            (52, Meeting::ReadAfterWrite),
            (28, Meeting::WriteAfterWrite),
            (6, Meeting::SameBundle),
            (14, Meeting::TwoCauses),
        ]);
        let index = match carried {
            Some((_, index)) => index,
            None => {
                let index = self.pools.nth(class, draw.below(8) % self.pools.count(class));
                self.produce(draw, ends.0, index)?;
                index
            }
        };
        let consumer = match meeting {
            Meeting::WriteAfterWrite => ends.0.producers.draw(draw)?,
            _ => ends.1.readers.draw(draw)?,
        };
        if let Meeting::SameBundle = meeting {
            self.join(draw, consumer, index);
            self.fill_last(draw, busy);
            return None;
        }
        let mut fixed: Fixed = smallvec![(consumer.at, index as i32)];
        if let Meeting::TwoCauses = meeting
            && let Some(second) = self.second_cause(draw, choice, consumer, class, index)
        {
            fixed.push(second);
        }
        self.fill_last(draw, busy);
        let distance = draw.below(FARTHEST + 1);
        self.pause(draw, distance);
        let args = self.pools.args(draw, consumer.row, 0, &fixed)?;
        self.append(draw, consumer.row, &args);
        let facts = consumer.row.operands.iter().zip(&args).find(|(facts, _)| facts.defs)?;
        Some((facts.0.class()?, *facts.1 as u32))
    }

    /// Appends a bundle in which an op writes the register.
    fn produce(&mut self, draw: &mut Draw<'_>, ends: &Ends, index: u32) -> Option<()> {
        let producer = ends.producers.draw(draw)?;
        let args = self.pools.args(draw, producer.row, 0, &[(producer.at, index as i32)])?;
        self.append(draw, producer.row, &args).then_some(())
    }

    /// Puts a reader of the register into the last bundle if it can stand there, else behind it.
    fn join(&mut self, draw: &mut Draw<'_>, reader: End, index: u32) {
        let fixed = [(reader.at, index as i32)];
        if let Some(last) = self.drafts.last_mut() {
            let args = self.pools.args(draw, reader.row, last.written(), &fixed);
            if args.is_some_and(|args| last.place_anywhere(draw, reader.row, &args)) {
                return;
            }
        }
        if let Some(args) = self.pools.args(draw, reader.row, 0, &fixed) {
            self.append(draw, reader.row, &args);
        }
    }

    /// Lets another op write another operand of the consumer, in the producer's bundle if there is
    /// room, else in the one before or after it. The operand and its register.
    fn second_cause(
        &mut self,
        draw: &mut Draw<'_>,
        choice: &Choice,
        consumer: End,
        class: RegClass,
        index: u32,
    ) -> Option<(usize, i32)> {
        let count = consumer.row.operands.len() as u32;
        let first = draw.below(count);
        let (at, other) = (0..count).find_map(|step| {
            let at = ((first + step) % count) as usize;
            let facts = &consumer.row.operands[at];
            (at != consumer.at && facts.uses).then_some((at, facts.class()?))
        })?;
        let different = |&found: &u32| other != class || found != index;
        let register = (0..self.pools.count(other))
            .map(|nth| self.pools.nth(other, nth + draw.below(2)))
            .find(different)?;
        let fixed = |end: End| [(end.at, register as i32)];
        for _ in 0..6 {
            let end = choice.ends(other).producers.draw(draw)?;
            let last = self.drafts.last_mut()?;
            if last.room(end.row) == 0 {
                continue;
            }
            let Some(args) = self.pools.args(draw, end.row, last.written(), &fixed(end)) else {
                continue;
            };
            if last.place_anywhere(draw, end.row, &args) {
                return Some((at, register as i32));
            }
        }
        let end = choice.ends(other).producers.draw(draw)?;
        let args = self.pools.args(draw, end.row, 0, &fixed(end))?;
        let (format, slot) = any_slot(draw, end.row);
        let mut draft = Draft::new(format);
        if self.drafts.len() < self.most && draft.place(end.row, slot, &args) {
            let before = self.drafts.len() - usize::from(draw.one_in(2));
            self.drafts.insert(before, draft);
        }
        Some((at, register as i32))
    }
}

/// Where producers and consumers of a class come from: one of the two from the chosen ops.
fn ends<'c>(
    menu: &'c Menu,
    draw: &mut Draw<'_>,
    choice: &'c Choice,
    class: RegClass,
) -> Option<(&'c Ends, &'c Ends)> {
    let plain = choice.ends(class);
    let usable = |ends: &Ends| !ends.producers.is_empty();
    if let Some(focus) = &menu.focus {
        let focus = focus.ends(class);
        match (focus.producers.is_empty(), focus.readers.is_empty()) {
            (false, _) if draw.percent(50) => return usable(plain).then_some((focus, plain)),
            (_, false) => return usable(plain).then_some((plain, focus)),
            (false, true) => return usable(plain).then_some((focus, plain)),
            (true, true) => {}
        }
    }
    usable(plain).then_some((plain, plain))
}
