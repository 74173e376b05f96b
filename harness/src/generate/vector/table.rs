//! The facts that make a bundle legal: which op may stand in which slot, what its operands are, which
//! it writes, how many memory copies it takes. They are read once from the golden LAT tables, so that
//! a new mnemonic is a new row there; what an operand is *for* comes from [`roles`](super::roles).

use super::places::Slots;
use super::roles::{Lane, Role};
use contract::isa::{Mnemonic, RegClass};
use serde::Deserialize;
use std::sync::LazyLock;

/// The four parts of table `lat-1`, each with the chapter that owns it.
const PARTS: [(u8, &str); 4] = [
    (4, include_str!("../../../../corpus/golden/lat_table.json")),
    (7, include_str!("../../../../corpus/golden/lat_table_07.json")),
    (8, include_str!("../../../../corpus/golden/lat_table_08.json")),
    (9, include_str!("../../../../corpus/golden/lat_table_09.json")),
];

/// Most operands of one op.
pub(super) const OPERANDS: usize = 7;

/// Legal values of an immediate (spec 04 section 1.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Immediates {
    /// `min ..= max` in multiples of `step`.
    Range {
        /// Smallest.
        min: i32,
        /// Largest.
        max: i32,
        /// Distance of two neighbours; every legal value is a multiple of it.
        step: i32,
    },
    /// These values.
    Set(Vec<i32>),
}

impl Immediates {
    /// Number of legal values.
    pub(super) fn count(&self) -> u32 {
        match self {
            Self::Range { min, max, step } => ((max - min) / step) as u32 + 1,
            Self::Set(values) => values.len() as u32,
        }
    }

    /// The `nth` legal value, wrapping around.
    pub(super) fn nth(&self, nth: u32) -> i32 {
        let nth = nth % self.count().max(1);
        match self {
            Self::Range { min, step, .. } => min + nth as i32 * step,
            Self::Set(values) => values[nth as usize],
        }
    }

    /// Whether a value is legal.
    pub(super) fn holds(&self, value: i64) -> bool {
        match self {
            Self::Range { min, max, step } => {
                (i64::from(*min)..=i64::from(*max)).contains(&value)
                    && (value - i64::from(*min)) % i64::from(*step) == 0
            }
            Self::Set(values) => values.iter().any(|&legal| i64::from(legal) == value),
        }
    }

    /// Every legal value, ascending.
    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        (0..self.count()).map(|nth| self.nth(nth))
    }
}

/// What stands at an operand position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A register.
    Register(RegClass),
    /// An immediate.
    Number(Immediates),
}

/// One operand of an op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OperandFacts {
    /// Name in the table.
    pub(super) name: String,
    /// Register class or legal immediates.
    pub(super) kind: Kind,
    /// A `use` is posted.
    pub(super) uses: bool,
    /// A `def` is posted.
    pub(super) defs: bool,
    /// What the value is for.
    pub(super) role: Role,
}

impl OperandFacts {
    /// The register class; `None` for an immediate.
    pub(super) const fn class(&self) -> Option<RegClass> {
        match self.kind {
            Kind::Register(class) => Some(class),
            Kind::Number(_) => None,
        }
    }
}

/// What an op does with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Memory {
    /// Nothing.
    None,
    /// Reads it, or primes.
    Load,
    /// Writes it.
    Store,
}

/// One op of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// The op.
    pub(super) mnemonic: Mnemonic,
    /// Its family, an index into [`Table::families`].
    pub(super) family: usize,
    /// Chapter that gives the values.
    pub(super) chapter: u8,
    /// Operands in assembly order.
    pub(super) operands: Vec<OperandFacts>,
    /// Slots that take the op.
    pub(super) slots: Slots,
    /// Use of memory.
    pub(super) memory: Memory,
    /// Load/store copies.
    pub(super) copies: u8,
    /// Element type of its data operands.
    pub(super) lane: Lane,
}

impl Row {
    /// Position of the operand with this name.
    pub(super) fn operand(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|operand| operand.name == name)
    }

    /// Position of the first operand in this role.
    pub(super) fn role(&self, role: Role) -> Option<usize> {
        self.operands.iter().position(|operand| operand.role == role)
    }

    /// Position of the only immediate, with its legal values.
    pub(super) fn immediate(&self) -> Option<(usize, &Immediates)> {
        self.operands.iter().enumerate().find_map(|(at, operand)| match &operand.kind {
            Kind::Number(legal) => Some((at, legal)),
            Kind::Register(_) => None,
        })
    }
}

/// A family of the table: ops with equal operands and postings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Family {
    /// Name in the table.
    pub(super) name: String,
    /// Its ops.
    pub(super) members: Vec<Mnemonic>,
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    rows: Vec<Row>,
    /// Families, `NOP` first.
    pub(super) families: Vec<Family>,
}

impl Table {
    /// The table, read on first use.
    pub(super) fn get() -> &'static Self {
        static TABLE: LazyLock<Table> = LazyLock::new(Table::read);
        &TABLE
    }

    /// Every row in the order of the mnemonics.
    pub(super) fn rows(&'static self) -> impl Iterator<Item = &'static Row> {
        self.rows.iter()
    }

    /// The row of an op.
    pub(super) fn row(&'static self, mnemonic: Mnemonic) -> &'static Row {
        &self.rows[mnemonic.index()]
    }

    /// The row of a name that a table of this generator spells out; each is tested.
    ///
    /// # Panics
    /// If there is no such op.
    pub(super) fn named(&'static self, name: &str) -> &'static Row {
        let mnemonic = Mnemonic::from_name(name);
        self.row(mnemonic.unwrap_or_else(|| panic!("{name} is no mnemonic")))
    }

    /// Family name of a row.
    pub(super) fn family(&self, row: &Row) -> &str {
        &self.families[row.family].name
    }

    fn read() -> Self {
        let mut rows: Vec<Option<Row>> = Vec::new();
        rows.resize(Mnemonic::count(), None);
        let mut families: Vec<Family> = Vec::new();
        for (owner, text) in PARTS {
            // The texts are embedded, and a unit test reads them.
            let part: RawPart = serde_json::from_str(text).expect("a golden table is well formed");
            for raw in part.ops {
                let mnemonic = Mnemonic::from_name(&raw.op).expect("every row has a mnemonic");
                let known = families.iter().position(|family| family.name == raw.family);
                let family = known.unwrap_or_else(|| {
                    families.push(Family { name: raw.family.clone(), members: Vec::new() });
                    families.len() - 1
                });
                families[family].members.push(mnemonic);
                rows[mnemonic.index()] = Some(raw.row(mnemonic, family, owner));
            }
        }
        let rows = rows.into_iter().map(|row| row.expect("every mnemonic has a row")).collect();
        Self { rows, families }
    }
}

#[derive(Deserialize)]
struct RawPart {
    ops: Vec<RawRow>,
}

#[derive(Deserialize)]
struct RawRow {
    op: String,
    family: String,
    operands: Vec<RawOperand>,
    slots: Vec<String>,
    postings: Vec<RawPosting>,
    mem: Memory,
    lsu: u8,
    chapter: Option<String>,
}

#[derive(Deserialize)]
struct RawOperand {
    name: String,
    kind: String,
    min: Option<i32>,
    max: Option<i32>,
    step: Option<i32>,
    set: Option<Vec<i32>>,
}

#[derive(Deserialize)]
struct RawPosting {
    opnd: Option<String>,
    role: String,
}

impl RawRow {
    fn row(self, mnemonic: Mnemonic, family: usize, owner: u8) -> Row {
        let posted = |name: &str, role: &str| {
            self.postings
                .iter()
                .any(|posting| posting.opnd.as_deref() == Some(name) && posting.role == role)
        };
        let lane = Lane::of(&self.op);
        let operands = self
            .operands
            .iter()
            .map(|operand| {
                let (uses, defs) = (posted(&operand.name, "use"), posted(&operand.name, "def"));
                let class = RegClass::from_name(&operand.kind);
                let role = Role::of(&self.op, &self.family, self.mem, class, &operand.name, uses);
                OperandFacts {
                    name: operand.name.clone(),
                    kind: operand.kind(class),
                    uses,
                    defs,
                    role,
                }
            })
            .collect();
        let slots = self.slots.iter().filter_map(|name| Slots::named(name)).collect();
        Row {
            mnemonic,
            family,
            chapter: self.chapter.and_then(|text| text.parse().ok()).unwrap_or(owner),
            operands,
            slots,
            memory: self.mem,
            copies: self.lsu,
            lane,
        }
    }
}

impl RawOperand {
    fn kind(&self, class: Option<RegClass>) -> Kind {
        match (class, &self.set) {
            (Some(class), _) => Kind::Register(class),
            (None, Some(set)) => Kind::Number(Immediates::Set(set.clone())),
            (None, None) => Kind::Number(Immediates::Range {
                min: self.min.unwrap_or(0),
                max: self.max.unwrap_or(0),
                step: self.step.unwrap_or(1),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::isa::Format;

    #[test]
    fn the_golden_tables_give_a_row_for_every_mnemonic() {
        let table = Table::get();
        assert_eq!(table.rows().count(), Mnemonic::count());
        assert_eq!(table.rows().filter(|row| row.chapter == 4).count(), 370);
        for row in table.rows() {
            assert!(row.slots.len() > 0 && row.operands.len() <= OPERANDS, "{}", row.mnemonic);
            for operand in &row.operands {
                let posted = operand.uses || operand.defs;
                assert_eq!(posted, operand.class().is_some(), "{} {}", row.mnemonic, operand.name);
            }
        }
    }

    #[test]
    fn slots_and_immediates_are_those_of_the_table() {
        let row = Table::get().named("SEL2NX8I_S0");
        let places: Vec<_> = row.slots.positions().map(Slots::place).collect();
        assert_eq!(places, [(Format::F1, 0), (Format::N2, 0)]);
        assert_eq!(row.slots.of(Format::F1), 1);
        assert_eq!(row.slots.of(Format::F0), 0);
        let Some((3, legal)) = row.immediate() else { panic!("{row:?}") };
        assert_eq!(legal.iter().collect::<Vec<_>>(), [0, 1, 2, 3, 8, 16, 32, 64]);
        let Some((2, legal)) = Table::get().named("LV2NX8_I").immediate() else { panic!() };
        assert_eq!((legal.count(), legal.nth(0), legal.nth(15)), (16, -512, 448));
        assert!(legal.holds(-64) && !legal.holds(-63) && !legal.holds(512));
    }
}
