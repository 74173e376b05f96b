//! Options of the vector family.

use super::super::Span;
use super::table::Table;
use contract::isa::Mnemonic;
use globset::GlobBuilder;

/// Options of the vector family. The five shape figures are relative weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorOptions {
    /// Ops on which the programs concentrate; empty means every op of chapter 04 but those that the
    /// spec keeps out of generators. See [`matching`].
    pub ops: Vec<Mnemonic>,
    /// Relative share of an op among the single-op programs; 1 for an op that is not listed, 0 takes
    /// it out.
    pub weights: Vec<(Mnemonic, u32)>,
    /// Bundles of a program.
    pub bundles: Span,
    /// Weight of programs of one op.
    pub single: u32,
    /// Weight of programs of any ops.
    pub mixed: u32,
    /// Weight of programs in which ops wait for each other's registers.
    pub hazard: u32,
    /// Weight of align streams.
    pub stream: u32,
    /// Weight of scalar chains that compute addresses.
    pub chain: u32,
    /// Of a hundred programs of many ops, so many use ops of the chapters 07 to 09 too.
    pub other_chapters: u32,
}

impl VectorOptions {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        ops: Vec::new(),
        weights: Vec::new(),
        bundles: Span::of(1, 12),
        single: 35,
        mixed: 24,
        hazard: 18,
        stream: 17,
        chain: 6,
        other_chapters: 10,
    };
}

impl Default for VectorOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The ops that a name or glob (`*`, `?`, `[…]`, `{…}`) selects, without regard to case, in table
/// order. `NOP` is selected by its name alone. Empty if nothing matches or the glob is malformed.
pub fn matching(pattern: &str) -> Vec<Mnemonic> {
    if let Some(mnemonic) = Mnemonic::from_name(pattern) {
        return vec![mnemonic];
    }
    let Ok(glob) = GlobBuilder::new(pattern).case_insensitive(true).empty_alternates(true).build()
    else {
        return Vec::new();
    };
    let glob = glob.compile_matcher();
    Mnemonic::all()
        .filter(|&mnemonic| mnemonic != Mnemonic::NOP && glob.is_match(mnemonic.name()))
        .collect()
}

/// Globs of the ops whose values the chapters call too uncertain for a default run: chapter 04
/// sections 4.5 and 12 (V-16, V-20), chapter 07 sections 3 and 4 (M-10, M-17), chapter 09 sections 6
/// and 12.
const OFF_BY_DEFAULT: &[&str] = &[
    "SA2NX8_XP",
    "LAT2NX8_XP",
    "SHFL{2NX8,NX16,N_2X32}T",
    "MUL{,US,UU}PD{,A}{2NX8,NX16}",
    "DMULSU*",
    "COUNT*",
    "L2AU*",
    "L2A4*",
    "LABVDCMPRS*",
    "EXT0IB",
    "MINORMAX*",
    "MOVPA16",
    "MOVPINT16",
    "MOVQ*",
    "MOVVINX16",
    "EXTRPRVR*",
    "DSEL2NX8I_H",
    "DIV*SQ_*",
];

/// Whether the op is generated only if it is asked for.
pub fn off_by_default(mnemonic: Mnemonic) -> bool {
    off_table()[mnemonic.index()]
}

/// Per op, whether it is off by default.
fn off_table() -> &'static [bool] {
    static OFF: std::sync::LazyLock<Vec<bool>> = std::sync::LazyLock::new(|| {
        let mut off = vec![false; Mnemonic::count()];
        for pattern in OFF_BY_DEFAULT {
            matching(pattern).into_iter().for_each(|mnemonic| off[mnemonic.index()] = true);
        }
        off
    });
    &OFF
}

/// Every op of chapter 04, those that are off by default included: the ops that have directed cases.
pub fn chapter_04() -> impl Iterator<Item = Mnemonic> {
    Table::get().rows().filter(|row| row.chapter == 4).map(|row| row.mnemonic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_globs_select_ops_without_regard_to_case() {
        let names = |pattern: &str| -> Vec<_> {
            matching(pattern).into_iter().map(Mnemonic::name).collect()
        };
        assert_eq!(names("raddnx16"), ["RADDNX16"]);
        assert_eq!(names("rAddU*t"), ["RADDU2NX8T", "RADDUNX16T"]);
        assert_eq!(names("nop"), ["NOP"]);
        assert!(names("FOO*").is_empty() && names("[").is_empty());
        assert!(!matching("*").contains(&Mnemonic::NOP));
        assert_eq!(matching("*").len(), Mnemonic::count() - 1);
    }

    #[test]
    fn every_pattern_of_the_ops_that_are_off_selects_something() {
        for pattern in OFF_BY_DEFAULT {
            assert!(!matching(pattern).is_empty(), "{pattern}");
        }
        let off: Vec<_> =
            chapter_04().filter(|&op| off_by_default(op)).map(Mnemonic::name).collect();
        assert_eq!(off, ["LAT2NX8_XP", "SA2NX8_XP", "SHFL2NX8T", "SHFLNX16T", "SHFLN_2X32T"]);
        assert_eq!(matching("MUL{,US,UU}PD{,A}{2NX8,NX16}").len(), 12);
    }
}
