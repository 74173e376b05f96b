//! The covergroups: a table with one row per group. A new group is a variant of [`GroupId`], a row of
//! [`GROUPS`], and the place that sets its bins.

use super::bits::Bits;
use super::schedule::{DISTANCE_ROWS, IN_OUT, OVERTAKING, STALLS};
use super::values::{DENSITIES, PATTERNS};
use super::{GroupRow, Hole, MOST_HOLES, Scope};
use crate::family::{Family, Op};
use crate::generate::tensor::targets::Cross;
use crate::generate::vector::off_by_default;
use crate::generate::vector::targets::{self, DISTANCES, Pairs};
use crate::report::text::bundle_text;
use contract::isa::{Format, Mnemonic, RegClass};
use contract::outcome::LegalityReason;
use contract::profile::LatCrossbar;
use contract::schedule::Hazard;
use std::collections::BTreeMap;
use std::sync::LazyLock;

macro_rules! group_ids {
    ($($(#[$meta:meta])* $variant:ident)*) => {
        /// The covergroups whose bins are bits of [`Hits`](super::Hits).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum GroupId { $($(#[$meta])* $variant,)* }
        impl GroupId {
            /// Every covergroup.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
        }
    };
}

group_ids! {
    /// Rows of spec 05 section 3.2.
    Distance
    /// Families that meet through a register.
    Pair
    /// Families of chapter 04 that meet, by distance.
    Meeting
    /// Formats with every slot filled.
    FullFormat
    /// Write after write in which the older definition lands later.
    Overtaken
    /// Stalls of several causes.
    Stall
    /// In-out operands that wait as reader and as writer.
    InOut
    /// Reason codes of illegal bundles.
    Reason
    /// Ops by the pattern of a vector operand.
    LanePattern
    /// Ops by the density of a predicate operand.
    Density
    /// Cached opcodes: operator, dtypes, command.
    Cached
    /// Cached opcodes: both operators, command.
    Operators
    /// Arithmetic scans.
    Scan
    /// Bitwise scans.
    Bitvec
}

impl GroupId {
    /// The group's row.
    pub fn group(self) -> &'static Group {
        &GROUPS[self as usize]
    }

    /// The group with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.group().name == name)
    }
}

/// Whether a bin counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It must be hit.
    Counted,
    /// The options of the run do not lead there, for this reason.
    Ignored(&'static str),
    /// No case may hit it, for this reason.
    Illegal(&'static str),
}

/// A covergroup.
pub struct Group {
    /// Which.
    pub id: GroupId,
    /// Name.
    pub name: &'static str,
    /// What its bins are.
    pub title: &'static str,
    /// Family of the cases that hit it.
    pub family: Family,
    /// Number of bins, whatever the options.
    pub count: fn() -> usize,
    /// Name of a bin.
    pub bin: fn(usize) -> String,
    /// The shortest way to hit a bin.
    pub recipe: fn(usize, &Scope<'_>) -> String,
    /// Whether a bin counts in a run.
    pub standing: fn(usize, &Scope<'_>) -> Standing,
}

impl Group {
    /// The group's row in the report.
    pub(super) fn row(&self, hits: &Bits, scope: &Scope<'_>) -> GroupRow {
        let mut row = GroupRow {
            group: self.name.to_owned(),
            title: self.title.to_owned(),
            bins: 0,
            hit: 0,
            ignored: BTreeMap::new(),
            illegal: BTreeMap::new(),
            illegal_hit: Vec::new(),
            holes: Vec::new(),
        };
        for bin in 0..(self.count)() {
            let hit = hits.has(bin);
            match (self.standing)(bin, scope) {
                Standing::Ignored(reason) => {
                    *row.ignored.entry(reason.to_owned()).or_default() += 1
                }
                Standing::Illegal(reason) => {
                    *row.illegal.entry(reason.to_owned()).or_default() += 1;
                    if hit && row.illegal_hit.len() < MOST_HOLES {
                        row.illegal_hit.push((self.bin)(bin));
                    }
                }
                Standing::Counted => {
                    row.bins += 1;
                    row.hit += u64::from(hit);
                    if !hit && row.holes.len() < MOST_HOLES {
                        let recipe = (self.recipe)(bin, scope);
                        row.holes.push(Hole { bin: (self.bin)(bin), recipe });
                    }
                }
            }
        }
        row
    }
}

/// A run over some of the ops need not reach what belongs to programs of all of them.
const SOME_OPS: &str = "not all ops are selected";

/// Why a pair of families is left out.
const NO_PAIR: &str = "no op of one of the families is generated, or none of the two was asked for";

/// Bins of programs of all ops.
fn whole(_: usize, scope: &Scope<'_>) -> Standing {
    if scope.every_vector_op { Standing::Counted } else { Standing::Ignored(SOME_OPS) }
}

fn class_name(class: RegClass) -> String {
    class.name().to_owned()
}

/// Every covergroup, in the order of [`GroupId`].
pub static GROUPS: [Group; GroupId::ALL.len()] = [
    Group {
        id: GroupId::Distance,
        name: "distance",
        title: "rows of spec 05 section 3.2",
        family: Family::Vector,
        count: || DISTANCE_ROWS.len(),
        bin: |bin| {
            let row = DISTANCE_ROWS[bin];
            format!("{} {} to {}", row.hazard.name(), row.def, row.later)
        },
        recipe: |bin, _| {
            let row = DISTANCE_ROWS[bin];
            let later = match row.hazard {
                Hazard::Raw => "used",
                Hazard::Waw => "defined again",
            };
            let (def, distance) = (row.def, row.distance);
            format!(
                "a register defined at {def}, {later} at {} in the next bundle: distance {distance}",
                row.later
            )
        },
        standing: |bin, scope| match scope.profile.lat_crossbar {
            LatCrossbar::Formal if DISTANCE_ROWS[bin].seed_only => {
                Standing::Ignored("lat_crossbar is formal: nothing of class vec is used at 12")
            }
            _ => whole(bin, scope),
        },
    },
    Group {
        id: GroupId::Pair,
        name: "family pair",
        title: "each pair (defining family, using family) that shares a class",
        family: Family::Vector,
        count: || Pairs::get().all().len(),
        bin: |bin| Pairs::get().all()[bin].name(),
        recipe: |bin, scope| pair_recipe(bin, 0, scope),
        standing: pair_standing,
    },
    Group {
        id: GroupId::Meeting,
        name: "family pair at a distance",
        title: "each pair of families of chapter 04, with 0 to 4 bundles between",
        family: Family::Vector,
        count: || Pairs::get().core().len() * DISTANCES,
        bin: |bin| {
            let (pair, apart) = meeting(bin);
            format!("{}, {apart} bundles between", Pairs::get().all()[pair].name())
        },
        recipe: |bin, scope| {
            let (pair, apart) = meeting(bin);
            pair_recipe(pair, apart, scope)
        },
        standing: |bin, scope| pair_standing(meeting(bin).0, scope),
    },
    Group {
        id: GroupId::FullFormat,
        name: "full format",
        title: "each format with every slot filled",
        family: Family::Vector,
        count: || Format::ALL.len(),
        bin: |bin| format!("{} full", Format::ALL[bin].name()),
        recipe: |bin, _| {
            let format = Format::ALL[bin];
            format!("a bundle of {} with an op in {}", format.name(), format.slots().join(", "))
        },
        standing: whole,
    },
    Group {
        id: GroupId::Overtaken,
        name: "write after write, older later",
        title: "a definition that waits for an older one of a later stage",
        family: Family::Vector,
        count: || OVERTAKING.len(),
        bin: |bin| class_name(OVERTAKING[bin]),
        recipe: |bin, _| {
            let text = match OVERTAKING[bin] {
                RegClass::Ar => "EXTRNX16 a5, v1, 0, then MOVI a5, 0",
                RegClass::Vbool => "RBMAXNX16 v1, vb0, v2, then NOTB vb0, vb1",
                RegClass::Valign => "SAPOS_FP u1, a2, then ZALIGN u1",
                _ => "DCMPRS2NX8 v1, v2, vb3, then LV2NX8_I v1, a4, 0",
            };
            text.to_owned()
        },
        standing: whole,
    },
    Group {
        id: GroupId::Stall,
        name: "stall of several causes",
        title: "a stall with two or more causes",
        family: Family::Vector,
        count: || STALLS.len(),
        bin: |bin| STALLS[bin].0.to_owned(),
        recipe: |bin, _| STALLS[bin].1.to_owned(),
        standing: whole,
    },
    Group {
        id: GroupId::InOut,
        name: "in-out operand",
        title: "an operand that waits as reader and as writer at once",
        family: Family::Vector,
        count: || IN_OUT.len(),
        bin: |bin| class_name(IN_OUT[bin]),
        recipe: |bin, _| {
            let text = match IN_OUT[bin] {
                RegClass::Ar => "EXTRNX16 a5, v1, 0, then LV2NX8_IP v2, a5, 0",
                RegClass::Valign => "SAPOS_FP u1, a2, then LALIGN_IP u1, a3, 0 (example E11)",
                _ => "ADDNX16 v3, v0, v1, then SELNX16T v3, v4, v5, v6, vb0",
            };
            text.to_owned()
        },
        standing: whole,
    },
    Group {
        id: GroupId::Reason,
        name: "reason code",
        title: "each reason of an illegal bundle (spec 05 section 6)",
        family: Family::Vector,
        count: || LegalityReason::all().len(),
        bin: |bin| LegalityReason::all()[bin].text().to_owned(),
        recipe: |bin, _| {
            let text = match LegalityReason::all()[bin] {
                LegalityReason::Format => "F5 { }",
                LegalityReason::SlotCount => "F11 { S5 NOP }",
                LegalityReason::UnknownOp => "F0 { S3 FOO }",
                LegalityReason::OpSlot => "F0 { S1 SV2NX8_I v1, a2, 0 }",
                LegalityReason::Operand => "F0 { S1 LALIGN_IP u4, a2, 0 }",
                LegalityReason::DupDef => "F0 { S3 DSELNX16 v1, v1, v2, v3, v4 }",
                LegalityReason::MemPorts => {
                    "F0 { S0 LV2NX8_I v1, a2, 0 ; S1 L2U2NX8_XP v2, a3, a4 }"
                }
                LegalityReason::Other(_) => "",
            };
            text.to_owned()
        },
        standing: |bin, scope| match scope.near_valid {
            share if share > 0.0 => whole(bin, scope),
            _ => Standing::Ignored("no case is broken on purpose"),
        },
    },
    Group {
        id: GroupId::LanePattern,
        name: "lane pattern",
        title: "each op with a vector operand of each pattern",
        family: Family::Vector,
        count: || Mnemonic::count() * PATTERNS.len(),
        bin: |bin| format!("{}, {}", mnemonic(bin, PATTERNS.len()), PATTERNS[bin % PATTERNS.len()]),
        recipe: |bin, _| {
            let (op, pattern) = (mnemonic(bin, PATTERNS.len()), PATTERNS[bin % PATTERNS.len()]);
            format!("one bundle of {op} whose operand has {pattern}")
        },
        standing: |bin, scope| {
            operand_standing(mnemonic(bin, PATTERNS.len()), RegClass::Vec, scope)
        },
    },
    Group {
        id: GroupId::Density,
        name: "predicate density",
        title: "each op with a predicate operand of each density",
        family: Family::Vector,
        count: || Mnemonic::count() * DENSITIES.len(),
        bin: |bin| {
            format!("{}, {}", mnemonic(bin, DENSITIES.len()), DENSITIES[bin % DENSITIES.len()])
        },
        recipe: |bin, _| {
            let (op, density) = (mnemonic(bin, DENSITIES.len()), DENSITIES[bin % DENSITIES.len()]);
            format!("one bundle of {op} whose predicate has {density}")
        },
        standing: |bin, scope| {
            let op = mnemonic(bin, DENSITIES.len());
            match targets::lanes(op) {
                // Every bit counts where lanes have one byte.
                (1, _) if bin % DENSITIES.len() == 5 => {
                    Standing::Illegal("every bit of a predicate for lanes of one byte counts")
                }
                _ => operand_standing(op, RegClass::Vbool, scope),
            }
        },
    },
    cross(
        GroupId::Cached,
        "cached combination",
        "0x9A, 0xE6: opcode × generation × op0 × in_dtype × out_dtype × command",
    ),
    cross(
        GroupId::Operators,
        "operator pair",
        "0x9A, 0xE6: opcode × generation × op0 × op1 × command",
    ),
    cross(GroupId::Scan, "scan combination", "0x4E: generation × op × in_dtype × out_dtype"),
    cross(GroupId::Bitvec, "bitvec combination", "0x5E: generation × op × dtype"),
];

/// Mnemonic of a bin of a group with so many bins per mnemonic.
fn mnemonic(bin: usize, per_op: usize) -> Mnemonic {
    static ALL: LazyLock<Vec<Mnemonic>> = LazyLock::new(|| Mnemonic::all().collect());
    ALL[bin / per_op]
}

fn operand_standing(op: Mnemonic, class: RegClass, scope: &Scope<'_>) -> Standing {
    if !targets::uses(op, class) {
        Standing::Illegal("the op has no such operand")
    } else if off_by_default(op) && scope.every_vector_op {
        Standing::Ignored("the op is off by default")
    } else if scope.enabled.contains(&Op::Vector(op)) {
        Standing::Counted
    } else {
        Standing::Ignored("the op is not selected, or no model executes it")
    }
}

/// The row of a tensor cross.
const fn cross(id: GroupId, name: &'static str, title: &'static str) -> Group {
    let (count, bin, recipe, standing): (fn() -> usize, BinName, Recipe, StandingOf) = match id {
        GroupId::Cached => (
            || Cross::Cached.count(),
            |bin| combination(Cross::Cached, bin),
            |bin, _| record(Cross::Cached, bin),
            |bin, scope| cross_standing(Cross::Cached, bin, scope),
        ),
        GroupId::Operators => (
            || Cross::Operators.count(),
            |bin| combination(Cross::Operators, bin),
            |bin, _| record(Cross::Operators, bin),
            |bin, scope| cross_standing(Cross::Operators, bin, scope),
        ),
        GroupId::Scan => (
            || Cross::Scan.count(),
            |bin| combination(Cross::Scan, bin),
            |bin, _| record(Cross::Scan, bin),
            |bin, scope| cross_standing(Cross::Scan, bin, scope),
        ),
        _ => (
            || Cross::Bitvec.count(),
            |bin| combination(Cross::Bitvec, bin),
            |bin, _| record(Cross::Bitvec, bin),
            |bin, scope| cross_standing(Cross::Bitvec, bin, scope),
        ),
    };
    Group { id, name, title, family: Family::Tensor, count, bin, recipe, standing }
}

type BinName = fn(usize) -> String;
type Recipe = fn(usize, &Scope<'_>) -> String;
type StandingOf = fn(usize, &Scope<'_>) -> Standing;

fn combination(cross: Cross, bin: usize) -> String {
    let Some(found) = cross.at(bin) else { return format!("combination {bin}") };
    let steer = found.steer;
    let mut text =
        format!("{} {}", crate::family::Op::Tensor(found.opcode).name(), found.generation);
    let words = [
        steer.operator.map(|op| op.name()),
        steer.combine.map(|op| op.name()),
        steer.input.map(|dtype| dtype.name()),
        steer.output.map(|dtype| dtype.name()),
        steer.command.map(|command| command.name()),
    ];
    for word in words.into_iter().flatten() {
        text.push(' ');
        text.push_str(word);
    }
    text
}

fn record(cross: Cross, bin: usize) -> String {
    format!("one valid record of {}", combination(cross, bin))
}

fn cross_standing(cross: Cross, bin: usize, scope: &Scope<'_>) -> Standing {
    match cross.at(bin) {
        None => Standing::Illegal(
            "no valid record: an operator of a later generation, or of another dtype",
        ),
        Some(found)
            if scope.enabled.contains(&Op::Tensor(found.opcode))
                && scope.generations.contains(&found.generation) =>
        {
            Standing::Counted
        }
        Some(_) => Standing::Ignored("opcode or generation is not selected"),
    }
}

/// Pair and distance of a bin.
fn meeting(bin: usize) -> (usize, u8) {
    (Pairs::get().core()[bin / DISTANCES] as usize, (bin % DISTANCES) as u8)
}

fn pair_standing(pair: usize, scope: &Scope<'_>) -> Standing {
    match scope.targets.allows(&Pairs::get().all()[pair]) {
        true => Standing::Counted,
        false => Standing::Ignored(NO_PAIR),
    }
}

fn pair_recipe(pair: usize, apart: u8, scope: &Scope<'_>) -> String {
    let program = scope.targets.recipe(&Pairs::get().all()[pair], apart);
    program.iter().map(bundle_text).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_in_the_order_of_the_ids_and_names_are_unique() {
        for (group, &id) in GROUPS.iter().zip(GroupId::ALL) {
            assert_eq!(group.id, id);
            assert_eq!(GroupId::from_name(group.name), Some(id));
        }
    }

    #[test]
    fn every_distance_row_is_what_the_formula_says() {
        for row in DISTANCE_ROWS {
            let formula = (i32::from(row.def) - i32::from(row.later) + 1).max(1);
            assert_eq!(i32::from(row.distance), formula, "{row:?}");
        }
    }
}
