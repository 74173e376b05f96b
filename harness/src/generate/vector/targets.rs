//! What the vector cases of a campaign aim at in turn: *meetings*. A meeting is a family that defines a
//! register, a family that uses it, and the number of bundles between the two (spec 05 section 12: each
//! pair of families that shares a class).
//!
//! [`Pairs`] numbers every pair of families of the LAT table, which is also how coverage counts them;
//! [`Targets`] is the list that given options allow, in the order in which cases take them: the pairs of
//! chapter 04 at every distance from 0 to [`FARTHEST`], the others at any. A case holds [`MEETINGS`] of
//! them.

use super::draft::Op;
use super::menu::{End, every_row};
use super::options::VectorOptions;
use super::places::{Slots, single};
use super::table::{Kind, OPERANDS, Row, Table};
use contract::bundle::Bundle;
use contract::isa::{Format, Mnemonic, RegClass};
use std::sync::LazyLock;

/// Most bundles between producer and consumer.
pub const FARTHEST: u8 = 4;

/// Distances of a meeting.
pub const DISTANCES: usize = FARTHEST as usize + 1;

/// Meetings of one case.
pub const MEETINGS: usize = 4;

/// Family of an op, as a number below [`Pairs::families`].
pub fn family(op: Mnemonic) -> usize {
    Table::get().row(op).family
}

/// How an op's lanes lie in a register: bytes of a lane, and whether it holds a float.
pub fn lanes(op: Mnemonic) -> (usize, bool) {
    let lane = Table::get().row(op).lane;
    (lane.bits() as usize / 8, lane.is_float())
}

/// Whether the op uses a register of the class.
pub fn uses(op: Mnemonic, class: RegClass) -> bool {
    Table::get().row(op).operands.iter().any(|facts| facts.uses && facts.class() == Some(class))
}

/// A family that defines a register of a class, and one that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pair {
    /// The class.
    pub class: RegClass,
    /// Family of the op that defines the register.
    pub producer: usize,
    /// Family of the op that uses it.
    pub reader: usize,
    /// Both families have ops of chapter 04.
    pub core: bool,
}

impl Pair {
    /// The pair in words.
    pub fn name(self) -> String {
        let name = |family: usize| Table::get().families[family].name.as_str();
        format!("{} {} to {}", self.class.name(), name(self.producer), name(self.reader))
    }
}

/// Number of a family among the producers or readers of a class; [`NONE`] for a family that is not.
type Places = [Vec<u16>; 8];

/// No place.
const NONE: u16 = u16::MAX;

/// Every pair of families of the LAT table that shares a class, numbered class by class.
#[derive(Debug)]
pub struct Pairs {
    pairs: Vec<Pair>,
    first: [usize; 8],
    producers: Places,
    readers: Places,
    reader_count: [usize; 8],
    /// Number of each pair among those of chapter 04.
    core: Vec<Option<u32>>,
    core_pairs: Vec<u32>,
}

impl Pairs {
    /// The pairs, made on first use.
    pub fn get() -> &'static Self {
        static PAIRS: LazyLock<Pairs> = LazyLock::new(Pairs::new);
        &PAIRS
    }

    /// Number of families.
    pub fn families() -> usize {
        Table::get().families.len()
    }

    /// Every pair in order.
    pub fn all(&self) -> &[Pair] {
        &self.pairs
    }

    /// Pairs whose families both have ops of chapter 04, by number.
    pub fn core(&self) -> &[u32] {
        &self.core_pairs
    }

    /// Number of the pair; `None` if one of the families does not post that role in the class.
    pub fn number(&self, class: RegClass, producer: usize, reader: usize) -> Option<usize> {
        let at = class as usize;
        let (first, second) = (self.producers[at][producer], self.readers[at][reader]);
        (first != NONE && second != NONE).then(|| {
            self.first[at] + usize::from(first) * self.reader_count[at] + usize::from(second)
        })
    }

    /// Number of a pair among those of chapter 04.
    pub fn core_number(&self, pair: usize) -> Option<usize> {
        self.core[pair].map(|number| number as usize)
    }

    fn new() -> Self {
        let table = Table::get();
        let families = table.families.len();
        let mut made = Self {
            pairs: Vec::new(),
            first: [0; 8],
            producers: std::array::from_fn(|_| vec![NONE; families]),
            readers: std::array::from_fn(|_| vec![NONE; families]),
            reader_count: [0; 8],
            core: Vec::new(),
            core_pairs: Vec::new(),
        };
        let core = |family: usize| {
            table.families[family].members.iter().any(|&op| table.row(op).chapter == 4)
        };
        for &class in RegClass::ALL {
            let at = class as usize;
            let posts = |family: usize, defines: bool| {
                let row = table.row(table.families[family].members[0]);
                row.operands.iter().any(|facts| {
                    facts.class() == Some(class) && if defines { facts.defs } else { facts.uses }
                })
            };
            let producers: Vec<usize> =
                (0..families).filter(|&family| posts(family, true)).collect();
            let readers: Vec<usize> =
                (0..families).filter(|&family| posts(family, false)).collect();
            made.first[at] = made.pairs.len();
            made.reader_count[at] = readers.len();
            for (place, &producer) in (0..).zip(&producers) {
                made.producers[at][producer] = place;
                for &reader in &readers {
                    let core = core(producer) && core(reader);
                    made.core.push(core.then_some(made.core_pairs.len() as u32));
                    if core {
                        made.core_pairs.push(made.pairs.len() as u32);
                    }
                    made.pairs.push(Pair { class, producer, reader, core });
                }
            }
            for (place, &reader) in (0..).zip(&readers) {
                made.readers[at][reader] = place;
            }
        }
        made
    }
}

/// A pair at a distance, or at any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Number of the pair.
    pub pair: u32,
    /// Bundles between the two.
    pub apart: Option<u8>,
}

/// The operands of a family that define, and that use, a register of each class.
#[derive(Debug, Default)]
struct FamilyEnds([[Vec<End>; 2]; 8]);

/// What given options allow.
#[derive(Debug, Default)]
pub struct Targets {
    targets: Vec<Target>,
    ends: Vec<FamilyEnds>,
    /// Families with an op that was asked for; empty if none was.
    focus: Vec<bool>,
}

impl Targets {
    /// What these options allow: nothing if hazards, or programs long enough, are not asked for.
    pub fn new(options: &VectorOptions) -> Self {
        let mut made = Self { targets: Vec::new(), ends: Vec::new(), focus: Vec::new() };
        if options.hazard == 0 || options.bundles.high < LONGEST {
            return made;
        }
        let others = options.other_chapters > 0;
        let asked = |row: &Row| options.ops.contains(&row.mnemonic);
        made.ends.resize_with(Pairs::families(), FamilyEnds::default);
        if !options.ops.is_empty() {
            made.focus = vec![false; Pairs::families()];
        }
        let mut rows = every_row();
        rows.retain(|row| others || row.chapter == 4);
        let every: Vec<&'static Row> =
            Table::get().rows().filter(|row| asked(row) && !rows.contains(row)).collect();
        rows.extend(every);
        for row in rows {
            let FamilyEnds(ends) = &mut made.ends[row.family];
            for (at, facts) in row.operands.iter().enumerate() {
                let Some(class) = facts.class() else { continue };
                for (kind, posted) in [facts.defs, facts.uses].into_iter().enumerate() {
                    if posted {
                        ends[class as usize][kind].push(End { row, at });
                    }
                }
            }
            if let Some(focus) = made.focus.get_mut(row.family) {
                *focus |= asked(row);
            }
        }
        for FamilyEnds(classes) in &mut made.ends {
            for ends in classes.iter_mut().flatten() {
                // The ops that were asked for, else those of chapter 04, if there are any.
                if ends.iter().any(|end| asked(end.row)) {
                    ends.retain(|end| asked(end.row));
                } else if ends.iter().any(|end| end.row.chapter == 4) {
                    ends.retain(|end| end.row.chapter == 4);
                }
            }
        }
        for (number, pair) in (0..).zip(Pairs::get().all()) {
            if !made.allows(pair) {
                continue;
            }
            let distances = if pair.core { (0..=FARTHEST).map(Some).collect() } else { vec![None] };
            made.targets.extend(distances.into_iter().map(|apart| Target { pair: number, apart }));
        }
        made
    }

    /// Whether the options allow the pair: both families have ops to draw, and if ops were asked for,
    /// one of the two has one of them.
    pub fn allows(&self, pair: &Pair) -> bool {
        let has = |family: usize, kind: usize| {
            self.ends.get(family).is_some_and(|ends| !ends.0[pair.class as usize][kind].is_empty())
        };
        has(pair.producer, 0)
            && has(pair.reader, 1)
            && (self.focus.is_empty() || self.focus[pair.producer] || self.focus[pair.reader])
    }

    /// The targets in the order in which cases take them.
    pub fn all(&self) -> &[Target] {
        &self.targets
    }

    /// The targets of an aiming case: the one at its number, and those at about a quarter, half and three quarters
    /// of the list from there, others each time around, so that no two always meet. Those that define address
    /// registers stand last, as the program may fault there.
    pub(super) fn of_case(&self, number: u64) -> [Target; MEETINGS] {
        let count = self.targets.len();
        let (round, first) = (number / count as u64, (number % count as u64) as usize);
        let shift = (round % count as u64) as usize * ROUND_SHIFT;
        let mut found = std::array::from_fn(|part| {
            self.targets[(first + part * (count / MEETINGS + shift)) % count]
        });
        let class = |target: &Target| Pairs::get().all()[target.pair as usize].class;
        found.sort_by_key(|target| class(target) == RegClass::Ar);
        found
    }

    /// The operands of the pair's producer, and of its reader.
    pub(super) fn ends(&self, pair: &Pair) -> [&[End]; 2] {
        let class = pair.class as usize;
        [&self.ends[pair.producer].0[class][0], &self.ends[pair.reader].0[class][1]]
    }

    /// The shortest program that holds the pair at this distance: the first op of each family in its
    /// first slot, with the register in the middle and others around it.
    pub fn recipe(&self, pair: &Pair, apart: u8) -> Vec<Bundle> {
        let [producers, readers] = self.ends(pair);
        let (Some(&producer), Some(&reader)) = (producers.first(), readers.first()) else {
            return Vec::new();
        };
        let mut program = vec![alone(producer)];
        program.extend((0..apart).map(|_| Bundle::empty(Format::F0)));
        program.push(alone(reader));
        program
    }
}

/// By how much the company of a target moves each time around the list.
const ROUND_SHIFT: usize = 17;

/// Bundles that a case needs to aim, with one more at its end that may be broken.
const LONGEST: u32 = 12;

/// A bundle of one op whose operand is register 1, and the others the registers from 2 on.
fn alone(end: End) -> Bundle {
    let mut args = [0; OPERANDS];
    let mut taken = 0;
    for (at, facts) in end.row.operands.iter().enumerate() {
        args[at] = match &facts.kind {
            Kind::Number(legal) => legal.nth(0),
            Kind::Register(_) if at == end.at => 1,
            &Kind::Register(class) => {
                // A file has more registers than an op has operands, but for the align registers.
                let free = |&index: &u32| taken & single(class, index) == 0 && index != 1;
                (0..class.entries()).find(free).unwrap_or(0) as i32
            }
        };
        if let Kind::Register(class) = facts.kind {
            taken |= single(class, args[at] as u32);
        }
    }
    let (format, slot) = Slots::place(end.row.slots.nth(0));
    let mut bundle = Bundle::empty(format);
    bundle.ops.push(Op { row: end.row, slot, args }.emit());
    bundle
}
