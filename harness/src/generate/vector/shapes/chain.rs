//! Scalar ops that compute the address or offset of a later access, at every distance, so that the
//! long waits of the address registers end in an access that succeeds.

use super::super::super::Draw;
use super::super::bulk::Bulk;
use super::super::menu::Choice;
use super::super::roles::Role;
use super::super::table::{Row, Table};
use super::Plan;
use contract::isa::RegClass;
use smallvec::{SmallVec, smallvec};
use std::sync::LazyLock;

/// A producer of scalars and what its result is good for.
struct Link {
    row: &'static Row,
    /// The result is an address if the first source is one; else it is an offset.
    address: bool,
}

/// Scalar producers: `ADDI` and `ADD` carry addresses; the others make small numbers, or read what
/// the initial state was given for them.
static LINKS: LazyLock<Vec<Link>> = LazyLock::new(|| {
    [
        ("ADDI", true),
        ("ADD", true),
        ("SUB", true),
        ("MOVI", false),
        ("MULL", false),
        ("MUL16S", false),
        ("AND", false),
        ("L32I", false),
        ("EXTR2NX8", false),
        ("EXTRNX16", false),
        ("EXTRN_2X32", true),
        ("EXTRVRN_2X32", true),
        ("MOVAV8", false),
        ("MOVAVU8", false),
        ("MOVAV16", false),
        ("MOVAV32", true),
        ("MOVAB1", false),
    ]
    .map(|(name, address)| Link { row: Table::get().named(name), address })
    .into()
});

impl Plan<'_> {
    /// One to three links, each followed by an access.
    pub(super) fn chain(&mut self, draw: &mut Draw<'_>) {
        let busy = draw.pick(&[0, 25]);
        for number in 0..draw.weighted(&[(50, 1), (35, 2), (15, 3)]) {
            self.link(draw, number);
            self.fill_last(draw, busy);
            if self.drafts.len() >= self.most {
                break;
            }
        }
        if self.drafts.is_empty() {
            self.single(draw);
        }
    }

    fn link(&mut self, draw: &mut Draw<'_>, number: u32) {
        let link = &LINKS[draw.below(LINKS.len() as u32) as usize];
        let result = self.pools.scalar(number);
        let mut fixed: SmallVec<[(usize, i32); 4]> = smallvec![(0, result as i32)];
        for (at, facts) in link.row.operands.iter().enumerate().skip(1) {
            if facts.class() == Some(RegClass::Ar) && facts.role == Role::Scalar {
                let first = fixed.len() == 1 && link.address;
                let source =
                    if first { self.pools.base(number) } else { self.pools.offset(number) };
                fixed.push((at, source as i32));
                let value = match first {
                    true => self.window.anywhere(&mut Bulk::new(draw.u64())),
                    false => draw.below(257).wrapping_sub(128),
                };
                if self.presets.iter().all(|&(known, _)| known != source) {
                    self.presets.push((source, value));
                }
            }
        }
        let Some(args) = self.pools.args(draw, link.row, 0, &fixed) else { return };
        if !self.append(draw, link.row, &args) {
            return;
        }
        let distance = draw.below(5);
        self.pause(draw, distance);
        let choice = match &self.menu.focus {
            Some(focus) if draw.percent(80) => focus,
            _ => Choice::default(),
        };
        let (access, role) = if link.address {
            (choice.based.draw(draw), Role::Base)
        } else {
            (choice.indexed.draw(draw), Role::Index)
        };
        let Some(row) = access.or_else(|| Choice::default().based.draw(draw)) else { return };
        let Some(at) = row.role(role) else { return };
        if let Some(args) = self.pools.args(draw, row, 0, &[(at, result as i32)]) {
            self.append(draw, row, &args);
        }
    }
}
