//! Broken bundles: recipes for every reason of spec 05 section 6. A recipe breaks one rule of a
//! bundle that is legal otherwise; now and then a second one breaks an earlier rule as well, and the
//! reason is then the earlier one.
//!
//! [`words`] breaks what a bundle is written with (format, slots, ops, operands), [`ports`] what its
//! ops do together.

mod ports;
mod words;

use super::super::Draw;
use super::draft::{Draft, any_slot};
use super::menu::Choice;
use super::places::SLOTS;
use super::pools::Pools;
use super::table::{OperandFacts, Row};
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::Mnemonic;
use contract::outcome::LegalityReason as Reason;

/// Attempts to find ops that fit a recipe before it falls back on fixed ones.
const ATTEMPTS: u32 = 12;

/// A bundle that is being broken.
struct Breaker<'a, 'd, 'b> {
    draw: &'a mut Draw<'d>,
    pools: &'a Pools,
    /// The legal bundle.
    draft: Draft,
    /// Its contract form, to be broken.
    bundle: &'b mut Bundle,
}

/// One way to break a bundle.
struct Recipe {
    reason: Reason,
    probe: &'static str,
    weight: u32,
    apply: fn(&mut Breaker<'_, '_, '_>),
}

const RECIPES: &[Recipe] = &[
    Recipe::of(Reason::Format, "unknown format", 10, words::unknown_format),
    Recipe::of(Reason::SlotCount, "slot beyond the format", 6, words::slot_beyond),
    Recipe::of(Reason::SlotCount, "slot named twice", 7, words::slot_twice),
    Recipe::of(Reason::UnknownOp, "unknown op", 8, words::unknown_op),
    Recipe::of(
        Reason::UnknownOp,
        "unknown op in a slot that takes none",
        3,
        words::unknown_in_none,
    ),
    Recipe::of(Reason::OpSlot, "op in another slot", 9, words::other_slot),
    Recipe::of(Reason::OpSlot, "op in a slot that takes none", 3, words::op_in_none),
    Recipe::of(Reason::OpSlot, "vector op alone", 2, words::vector_op_alone),
    Recipe::of(Reason::Operand, "register out of range", 5, words::register_out_of_range),
    Recipe::of(Reason::Operand, "register of another class", 5, words::other_class),
    Recipe::of(Reason::Operand, "immediate out of range", 5, words::immediate_out_of_range),
    Recipe::of(Reason::Operand, "immediate between two legal ones", 4, words::immediate_between),
    Recipe::of(Reason::Operand, "operand missing", 3, words::operand_missing),
    Recipe::of(Reason::Operand, "operand too many", 3, words::operand_too_many),
    Recipe::of(Reason::Operand, "word for an operand", 2, words::word),
    Recipe::of(Reason::Operand, "number for a register", 2, words::number_for_register),
    Recipe::of(Reason::Operand, "register for a number", 2, words::register_for_number),
    Recipe::of(Reason::DupDef, "two ops write one register", 10, ports::two_ops),
    Recipe::of(Reason::DupDef, "one op writes a register twice", 4, ports::one_op),
    Recipe::of(Reason::DupDef, "increment and scalar write", 3, ports::increment),
    Recipe::of(Reason::DupDef, "spill beside a prime", 3, ports::spill),
    Recipe::of(Reason::MemPorts, "paired load beside an access", 10, ports::paired_load),
];

impl Recipe {
    const fn of(
        reason: Reason,
        probe: &'static str,
        weight: u32,
        apply: fn(&mut Breaker<'_, '_, '_>),
    ) -> Self {
        Self { reason, probe, weight, apply }
    }
}

/// Every way to break a bundle: its reason and its name.
pub fn probes() -> impl Iterator<Item = (Reason, &'static str)> {
    let earlier = EARLIER.iter().map(|earlier| (earlier.reason.clone(), earlier.probe));
    RECIPES.iter().map(|recipe| (recipe.reason.clone(), recipe.probe)).chain(earlier)
}

/// A rule that is broken besides, before the recipe's.
struct Earlier {
    reason: Reason,
    probe: &'static str,
    apply: fn(&mut Breaker<'_, '_, '_>),
}

/// Ascending by the order of the checks.
const EARLIER: &[Earlier] = &[
    Earlier {
        reason: Reason::Format,
        probe: "unknown format before another fault",
        apply: words::unknown_format,
    },
    Earlier {
        reason: Reason::SlotCount,
        probe: "slot beyond the format before another fault",
        apply: |breaker| breaker.nop_beyond(),
    },
    Earlier {
        reason: Reason::UnknownOp,
        probe: "unknown op before another fault",
        apply: words::rename_lowest,
    },
    Earlier {
        reason: Reason::Operand,
        probe: "operand too many before another fault",
        apply: words::one_more_operand,
    },
];

/// Position of a reason in the order of the checks; `UNKNOWN_OP` and `OP_SLOT` are judged together,
/// slot by slot.
const fn order(reason: &Reason) -> u8 {
    match reason {
        Reason::Format => 1,
        Reason::SlotCount => 2,
        Reason::UnknownOp | Reason::OpSlot => 3,
        Reason::Operand => 4,
        Reason::DupDef => 5,
        _ => 6,
    }
}

/// Breaks a legal bundle, or another in its place; its reason and how it came about.
pub(super) fn broken(
    draw: &mut Draw<'_>,
    pools: &Pools,
    draft: Draft,
    bundle: &mut Bundle,
) -> (Reason, &'static str) {
    draft.emit(bundle);
    let total: u32 = RECIPES.iter().map(|recipe| recipe.weight).sum();
    let mut ticket = draw.below(total);
    let recipe = RECIPES.iter().find(|recipe| {
        let found = ticket < recipe.weight;
        ticket = ticket.wrapping_sub(recipe.weight);
        found
    });
    // The ticket is below the total, so some recipe holds it.
    let recipe = recipe.unwrap_or(&RECIPES[0]);
    let mut breaker = Breaker { draw, pools, draft, bundle };
    (recipe.apply)(&mut breaker);
    let mut broken = (recipe.reason.clone(), recipe.probe);
    if breaker.draw.one_in(8) {
        let first = breaker.draw.pick(&[0, 1, 2, 3]);
        let earlier = EARLIER[first..].iter().find(|earlier| {
            let (this, found) = (order(&earlier.reason), order(&broken.0));
            // The lowest slot is judged first, so an unknown op there precedes a wrong slot.
            this < found || earlier.reason == Reason::UnknownOp && found == 3
        });
        if let Some(earlier) = earlier
            && !(breaker.bundle.ops.is_empty() && order(&earlier.reason) > 2)
        {
            (earlier.apply)(&mut breaker);
            broken = (earlier.reason.clone(), earlier.probe);
        }
    } else if order(&broken.0) < 4 && !breaker.bundle.ops.is_empty() && breaker.draw.one_in(6) {
        // A later rule besides: the earlier one must stay the reason.
        words::one_more_operand(&mut breaker);
    }
    bundle.canonicalise();
    broken
}

impl Breaker<'_, '_, '_> {
    /// Slots of the bundle's format.
    fn slots(&self) -> u32 {
        self.draft.format.slots().len() as u32
    }

    /// Starts again from another legal bundle.
    fn restart(&mut self, draft: Draft) {
        draft.emit(self.bundle);
        self.draft = draft;
    }

    /// Adds a `NOP` in a slot that the format lacks.
    fn nop_beyond(&mut self) {
        let slot = self.slots() + self.draw.pick(&[0, 0, 1, 2, 95]);
        self.bundle.ops.push(nop(slot));
    }

    /// A random op of chapter 04 that has an operand of this kind, in a legal bundle, and the
    /// operand's position. The bundle is kept if it has one.
    fn operand_where(
        &mut self,
        fallback: &'static str,
        fits: impl Fn(&OperandFacts) -> bool,
    ) -> (usize, usize) {
        let find = |breaker: &mut Self| {
            let count = breaker.draft.ops.len() as u32;
            let first = breaker.draw.below(count);
            (0..count).find_map(|step| {
                let op = ((first + step) % count) as usize;
                let operands = &breaker.draft.ops[op].row.operands;
                let turn = breaker.draw.below(operands.len() as u32) as usize;
                let at = (0..operands.len()).map(|at| (at + turn) % operands.len());
                at.into_iter().find(|&at| fits(&operands[at])).map(|at| (op, at))
            })
        };
        if let Some(found) = find(self) {
            return found;
        }
        for _ in 0..ATTEMPTS {
            if let Some(row) = self.random_row()
                && row.operands.iter().any(&fits)
                && self.alone(row)
                && let Some(found) = find(self)
            {
                return found;
            }
        }
        self.alone(super::table::Table::get().named(fallback));
        // The fallback of every caller has such an operand.
        find(self).unwrap_or((0, 0))
    }

    /// A random op of chapter 04.
    fn random_row(&mut self) -> Option<&'static Row> {
        let position = self.draw.below(SLOTS as u32) as usize;
        Choice::default().slot(position).draw(self.draw)
    }

    /// Starts again from a bundle of this op alone; false if its operands cannot be drawn.
    fn alone(&mut self, row: &'static Row) -> bool {
        let Some(args) = self.pools.args(self.draw, row, 0, &[]) else { return false };
        let (format, slot) = any_slot(self.draw, row);
        let mut draft = Draft::new(format);
        let placed = draft.place(row, slot, &args);
        self.restart(draft);
        placed
    }

    /// An operand of the bundle in the contract's form.
    fn operand(&mut self, op: usize, at: usize) -> &mut Operand {
        &mut self.bundle.ops[op].operands[at]
    }
}

/// An explicit `NOP`.
fn nop(slot: u32) -> SlotOp {
    SlotOp { slot, op: OpWord::Known(Mnemonic::NOP), operands: <_>::default() }
}

/// A format word that names nothing.
fn unknown(word: &str) -> FormatWord {
    FormatWord::Unknown(word.into())
}
