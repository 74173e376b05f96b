//! Covergroups whose bins are counts that other tables of a tally hold: ops, clauses, edge products.

use super::{GroupRow, Hole, Scope};
use crate::campaign::Tally;
use crate::family::{Family, Op};
use crate::generate::tensor::probes;
use crate::report::summary::{clauses_of, product_rows};
use contract::isa::ClauseSet;
use std::collections::BTreeMap;

/// Groups whose bins are named in full.
pub(super) const NAMES: [&str; 3] = ["op", "clause", "edge product"];

/// A covergroup that is counted in tables of its own.
fn counted_apart(group: &str, title: &str) -> GroupRow {
    GroupRow {
        group: group.to_owned(),
        title: title.to_owned(),
        bins: 0,
        hit: 0,
        ignored: BTreeMap::new(),
        illegal: BTreeMap::new(),
        illegal_hit: Vec::new(),
        holes: Vec::new(),
    }
}

fn count_bin(row: &mut GroupRow, hit: bool, hole: impl FnOnce() -> Hole) {
    row.bins += 1;
    if hit {
        row.hit += 1;
    } else {
        row.holes.push(hole());
    }
}

pub(super) fn executed_ops(tally: &Tally, scope: &Scope<'_>) -> GroupRow {
    let mut row = counted_apart("op", "each op executed, a tensor op on each generation");
    let ops = &tally.ops;
    for &op in scope.enabled {
        let (name, recipe) = (op.name(), format!("a valid case with --op {}", op.name()));
        if op.family() == Family::Vector {
            let hit = ops.get(op).executed_total() > 0;
            count_bin(&mut row, hit, || Hole { bin: format!("{name} executed"), recipe });
            continue;
        }
        for &generation in scope.generations {
            let hit = ops.get(op).executed[generation as usize] > 0;
            count_bin(&mut row, hit, || Hole {
                bin: format!("{name} executed on {generation}"),
                recipe: format!("{recipe} --generation {generation}"),
            });
        }
    }
    row
}

/// Edge products that ran whole, if any ran.
pub(super) fn whole_products(tally: &Tally, scope: &Scope<'_>) -> Option<GroupRow> {
    let rows = product_rows(tally, scope.enabled);
    let title = "edge product and random pairs of each vector op, whole";
    let mut group = counted_apart("edge product", title);
    for row in &rows {
        count_bin(&mut group, row.is_whole(), || Hole {
            bin: format!("edge product of {}", row.op),
            recipe: format!("q7diff run --op {} --cases 0", row.op),
        });
    }
    (!rows.is_empty()).then_some(group)
}

pub(super) fn failed_clauses(tally: &Tally, scope: &Scope<'_>) -> GroupRow {
    let title = "each clause failing, alone where it can, on each generation";
    let mut row = counted_apart("clause", title);
    let listed: ClauseSet = clauses_of(scope.enabled).into_iter().collect();
    for &generation in scope.generations {
        let chosen = |byte: &u8| scope.enabled.contains(&Op::Tensor(*byte));
        let (mut breakable, mut isolable) = (ClauseSet::EMPTY, ClauseSet::EMPTY);
        for probe in probes(generation).filter(|probe| probe.opcodes.iter().any(chosen)) {
            breakable = breakable.union(probe.clauses());
            if let &[clause] = probe.fails {
                isolable.insert(clause);
            }
        }
        for clause in breakable.iter().filter(|&clause| listed.contains(clause)) {
            let counts = tally.clauses.get(clause, generation);
            let (hit, how) = if isolable.contains(clause) {
                (counts.isolated > 0, "alone")
            } else {
                (counts.failed > 0, "failing")
            };
            count_bin(&mut row, hit, || Hole {
                bin: format!("{clause} {how} on {generation}"),
                recipe: format!("a case with --near-valid 1 --generation {generation}"),
            });
        }
    }
    row
}
