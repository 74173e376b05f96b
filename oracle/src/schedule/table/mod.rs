//! The LAT table `lat-1`: this model's own transcription of its four parts, by family. A family is
//! one [`Family`] literal; a new op is one more name in a family's members, a new kind of op one
//! more family. [`row`] finds the row of a mnemonic, [`Row::postings`] gives its postings under
//! either reading of the crossbar's stages.

pub mod family;
pub mod operand;
mod part04;
mod part07;
mod part08;
mod part09;
#[rustfmt::skip]
pub mod slots;

use contract::isa::{Mnemonic, OperandKind, RegClass};
use contract::profile::LatCrossbar;
use contract::schedule::Role;
use family::{Family, Immediate, Stamp};
use std::sync::LazyLock;

/// The parts of the table, named after the chapters that own them.
pub const PARTS: &[(&str, &[&[Family]])] = &[
    ("04", part04::PART_04),
    ("07", &[part07::PART_07]),
    ("08", &[part08::PART_08]),
    ("09", &[part09::PART_09]),
];

/// The row of one op.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name of the part.
    pub part: &'static str,
    /// What the op shares with its family.
    pub family: &'static Family,
    /// The ranges of its immediates, in assembly order.
    pub immediates: &'static [Immediate],
    /// Postings at the stages that the seed prints.
    seed: Vec<RowPosting>,
    /// Postings at the stages of the other reading (T-03).
    formal: Vec<RowPosting>,
}

/// One posting of a row before a bundle gives it a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPosting {
    /// Position of the operand in assembly order; `None` for a port.
    pub position: Option<usize>,
    /// Register class.
    pub class: RegClass,
    /// Role.
    pub role: Role,
    /// Stage.
    pub lat: u8,
}

/// The row of an op; `None` if the table has none.
pub fn row(op: Mnemonic) -> Option<&'static Row> {
    static ROWS: LazyLock<Vec<Option<Row>>> = LazyLock::new(|| {
        let mut rows = vec![None; Mnemonic::count()];
        for (name, row) in every_row() {
            if let Some(op) = Mnemonic::from_name(name) {
                rows[op.index()] = Some(row);
            }
        }
        rows
    });
    ROWS[op.index()].as_ref()
}

/// Every op of the table with its row, in the order of the parts.
pub fn every_row() -> impl Iterator<Item = (&'static str, Row)> {
    PARTS.iter().flat_map(|&(part, sections)| {
        sections.iter().copied().flatten().flat_map(move |family| {
            family.members.iter().flat_map(move |group| {
                let row = Row {
                    part,
                    family,
                    immediates: group.immediates,
                    seed: postings(family, LatCrossbar::Seed),
                    formal: postings(family, LatCrossbar::Formal),
                };
                group.names.iter().map(move |&name| (name, row.clone()))
            })
        })
    })
}

impl Row {
    /// Postings in canonical order, at the stages that the switch `lat_crossbar` selects.
    pub fn postings(&self, crossbar: LatCrossbar) -> &[RowPosting] {
        match crossbar {
            LatCrossbar::Seed => &self.seed,
            LatCrossbar::Formal => &self.formal,
        }
    }
}

/// The postings of a family with the positions of their operands.
fn postings(family: &Family, crossbar: LatCrossbar) -> Vec<RowPosting> {
    let posting = |stamp: &Stamp| match *stamp {
        Stamp::Port { class, lat } => {
            Some(RowPosting { position: None, class, role: Role::Port, lat })
        }
        Stamp::Register { operand, role, lat } => {
            let position = family.operands.iter().position(|other| *other == operand);
            let OperandKind::Reg(class) = operand.kind else { return None };
            let lat = crossbar_stage(family, crossbar, class, role, lat);
            Some(RowPosting { position, class, role, lat })
        }
    };
    family.postings.iter().filter_map(posting).collect()
}

/// T-03: under `formal`, a crossbar row posts its vector defs at 12 and all its vector uses at 10;
/// every other posting stays.
fn crossbar_stage(
    family: &Family,
    crossbar: LatCrossbar,
    class: RegClass,
    role: Role,
    lat: u8,
) -> u8 {
    if crossbar == LatCrossbar::Seed || !family.crossbar || class != RegClass::Vec {
        return lat;
    }
    match role {
        Role::Use => 10,
        Role::Def => 12,
        Role::Port => lat,
    }
}
