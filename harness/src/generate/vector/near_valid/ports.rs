//! Faults of ops that are legal one by one: registers written twice, too many memory copies.

use super::super::draft::{Args, Draft, Op};
use super::super::menu::Choice;
use super::super::places::{SLOTS, Slots};
use super::super::table::{OperandFacts, Row, Table};
use super::{ATTEMPTS, Breaker};
use contract::isa::RegClass;
use std::sync::LazyLock;

/// Two ops in two slots of one format that write one register of any class.
pub(super) fn two_ops(breaker: &mut Breaker<'_, '_, '_>) {
    for _ in 0..ATTEMPTS {
        let (format, first) = Slots::place(breaker.draw.below(SLOTS as u32) as usize);
        let second = breaker.draw.below(format.slots().len() as u32) as u8;
        if first == second {
            continue;
        }
        let mut op = |slot: u8| {
            Choice::default().slot(Slots::position(format, slot.into())).draw(breaker.draw)
        };
        let (Some(one), Some(two)) = (op(first), op(second)) else { continue };
        let classes = |row: &'static Row| {
            (row.operands.iter().enumerate())
                .filter(|(_, facts)| facts.defs)
                .filter_map(|(at, facts)| Some((at, facts.class()?)))
        };
        let shared = classes(one).find_map(|(at, class)| {
            let (other, _) = classes(two).find(|&(_, found)| found == class)?;
            Some((at, other, class))
        });
        if let Some((at, other, class)) = shared
            && pair(breaker, format, (one, first, at), (two, second, other), class)
        {
            return;
        }
    }
    spill(breaker);
}

/// A bundle of two ops whose operands at these positions name one register; false if they do not go
/// together otherwise.
fn pair(
    breaker: &mut Breaker<'_, '_, '_>,
    format: contract::isa::Format,
    one: (&'static Row, u8, usize),
    two: (&'static Row, u8, usize),
    class: RegClass,
) -> bool {
    let index = breaker.pools.nth(class, breaker.draw.below(3)) as i32;
    let mut args = |row: &'static Row, at: usize| -> Option<Args> {
        breaker.pools.args(breaker.draw, row, 0, &[(at, index)])
    };
    let (Some(left), Some(right)) = (args(one.0, one.2), args(two.0, two.2)) else { return false };
    let mut draft = Draft::new(format);
    if !draft.place(one.0, one.1, &left) || draft.room(two.0) >> two.1 & 1 == 0 {
        return false;
    }
    breaker.restart(draft);
    breaker.bundle.ops.push(Op { row: two.0, slot: two.1, args: right }.emit());
    true
}

/// Positions of two results of one class.
fn twin(row: &Row) -> Option<(usize, usize)> {
    let results = || row.operands.iter().enumerate().filter(|(_, facts)| facts.defs);
    results().find_map(|(before, facts)| {
        let same =
            |&(at, other): &(usize, _)| at > before && OperandFacts::class(other) == facts.class();
        results().find(same).map(|(last, _)| (before, last))
    })
}

/// Ops with two results of one class.
static TWINS: LazyLock<Vec<&'static Row>> =
    LazyLock::new(|| Table::get().rows().filter(|row| twin(row).is_some()).collect());

/// A deal, say, with both results in one register.
pub(super) fn one_op(breaker: &mut Breaker<'_, '_, '_>) {
    let row = breaker.draw.pick(&TWINS);
    if !breaker.alone(row) {
        return;
    }
    let Some((before, last)) = twin(row) else { return };
    let value = breaker.operand(0, last).clone();
    *breaker.operand(0, before) = value;
}

/// A post-increment and a scalar op that write one address register.
pub(super) fn increment(breaker: &mut Breaker<'_, '_, '_>) {
    let named = |name| Table::get().named(name);
    let load = named(breaker.draw.pick(&["LV2NX8_IP", "LA2NX8_IP", "LVNX8U_XP", "LALIGN_IP"]));
    let scalar = named(breaker.draw.pick(&["ADDI", "MOVI", "ADD", "MULL"]));
    together(breaker, load, 1, scalar, 0, RegClass::Ar);
}

/// A spill, which posts a definition, and a prime of one align register.
pub(super) fn spill(breaker: &mut Breaker<'_, '_, '_>) {
    let named = |name| Table::get().named(name);
    let prime = named(breaker.draw.pick(&["LALIGN_I", "LA_PP", "ZALIGN", "MALIGN"]));
    let store = named(breaker.draw.pick(&["SALIGN_I", "SALIGN_IP", "SAPOS_FP"]));
    together(breaker, prime, 1, store, 0, RegClass::Valign);
}

/// The two ops in these slots of a wide format, writing one register.
fn together(
    breaker: &mut Breaker<'_, '_, '_>,
    one: &'static Row,
    first: u8,
    two: &'static Row,
    second: u8,
    class: RegClass,
) {
    use contract::isa::Format::{F0, F1, F2, F3, F6, F7, N2};
    let format = breaker.draw.pick(&[F0, F1, F2, F3, F6, F7, N2]);
    let result = |row: &Row| row.operands.iter().position(|o| o.defs && o.class() == Some(class));
    // Both ops of every caller have such a result and stand in these slots of every format above.
    if let (Some(at), Some(other)) = (result(one), result(two)) {
        pair(breaker, format, (one, first, at), (two, second, other), class);
    }
}

/// Ops that take both copies, and ops that take one beside them.
static PAIRED: LazyLock<Vec<&'static Row>> =
    LazyLock::new(|| Table::get().rows().filter(|row| row.copies > 1).collect());

/// A paired load and any other access.
pub(super) fn paired_load(breaker: &mut Breaker<'_, '_, '_>) {
    let row = breaker.draw.pick(&PAIRED);
    if !breaker.alone(row) {
        return;
    }
    let (format, own) = (breaker.draft.format, breaker.draft.ops[0].slot);
    let written = breaker.draft.written();
    let every = if breaker.draw.one_in(4) { Choice::every() } else { Choice::default() };
    for attempt in 0..2 * ATTEMPTS {
        let slot = breaker.draw.below(format.slots().len() as u32) as u8;
        let drawn = every.slot(Slots::position(format, slot.into())).draw(breaker.draw);
        let other = match drawn {
            _ if attempt + 1 == 2 * ATTEMPTS => Table::get().named("S32I"),
            Some(other) => other,
            None => continue,
        };
        let slot = if attempt + 1 == 2 * ATTEMPTS { 0 } else { slot };
        if other.copies == 0 || slot == own {
            continue;
        }
        if let Some(args) = breaker.pools.args(breaker.draw, other, written, &[]) {
            breaker.bundle.ops.push(Op { row: other, slot, args }.emit());
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_and_paired_loads_are_those_of_the_table() {
        assert!(TWINS.iter().any(|row| row.mnemonic.name() == "DSELNX16"));
        let deal = Table::get().named("L2A4NX8_IP");
        assert_eq!(twin(deal), Some((0, 1)));
        assert_eq!(twin(Table::get().named("BMAXNX16")), None);
        assert_eq!(PAIRED.len(), 5);
        assert!(PAIRED.iter().all(|row| row.slots.positions().all(|at| Slots::place(at).1 == 1)));
    }
}
