//! Clause ids of the validators (spec 02) in the spec's order, and sets of them. The order of the
//! table is the order in which a failing set is listed. A new group adds its rows here, in the
//! models one room each, and in the generator one.

use std::fmt;

/// Declares the clause table: one variant, id and group per row, in the order of spec 02.
macro_rules! clauses {
    ($($variant:ident $id:literal)*) => {
        /// A validity clause (spec 02 sections 3 and 4).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum ClauseId { $(#[doc = concat!("`", $id, "`")] $variant,)* }

        impl ClauseId {
            /// Every clause in the spec's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The id as the spec writes it.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id),* }
            }

            /// The clause with this id.
            pub fn from_id(id: &str) -> Option<Self> {
                match id { $($id => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

clauses! {
    HdrOpc "HDR-OPC"
    HdrLen "HDR-LEN"
    EvtWait "EVT-WAIT"
    EvtUpd "EVT-UPD"
    EvtSem "EVT-SEM"

    CrOpc "CR-OPC"
    CrOp0Enum "CR-OP0-ENUM"
    CrOp1Enum "CR-OP1-ENUM"
    CrOp0Gen "CR-OP0-GEN"
    CrOp1 "CR-OP1"
    CrTypes "CR-TYPES"
    CrImm0 "CR-IMM0"
    CrImm1Gate "CR-IMM1-GATE"
    CrSrcMem "CR-SRC-MEM"
    CrDstMem "CR-DST-MEM"
    CrDstInd "CR-DST-IND"
    CrCount "CR-COUNT"
    CrRevEnum "CR-REV-ENUM"
    CrRev "CR-REV"
    CrRsvd "CR-RSVD"
    CrAcc "CR-ACC"
    CrInDt "CR-IN-DT"
    CrOutDt "CR-OUT-DT"
    CrChan "CR-CHAN"
    CrSrcCh "CR-SRC-CH"
    CrDstCh "CR-DST-CH"

    TcOpc "TC-OPC"
    TcRsvd "TC-RSVD"
    TcMask0 "TC-MASK0"
    TcInDt "TC-IN-DT"
    TcOutDt "TC-OUT-DT"
    TcOpEnum "TC-OP-ENUM"
    TcDim "TC-DIM"
    TcChan "TC-CHAN"
    TcSrcCh "TC-SRC-CH"
    TcDstCh "TC-DST-CH"
    TcSrcMem "TC-SRC-MEM"
    TcDstMem "TC-DST-MEM"
    TcQSrc "TC-Q-SRC"
    TcQSd "TC-Q-SD"
    TcCount "TC-COUNT"
    TcExcl "TC-EXCL"
    TcBv "TC-BV"
    TcAr "TC-AR"
    TcDtBv "TC-DT-BV"
    TcNeg0 "TC-NEG0"
}

impl fmt::Display for ClauseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

const WORDS: usize = 4;
const _: () = assert!(ClauseId::ALL.len() <= 64 * WORDS, "ClauseSet has no room for every clause");

/// A set of clauses, iterated in the spec's order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClauseSet([u64; WORDS]);

impl ClauseSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The set of one clause.
    pub const fn of(clause: ClauseId) -> Self {
        let mut set = Self::EMPTY;
        set.insert(clause);
        set
    }

    /// Adds a clause.
    pub const fn insert(&mut self, clause: ClauseId) {
        self.0[clause as usize / 64] |= 1 << (clause as usize % 64);
    }

    /// Adds a clause if `failed`.
    pub const fn insert_if(&mut self, clause: ClauseId, failed: bool) {
        self.0[clause as usize / 64] |= (failed as u64) << (clause as usize % 64);
    }

    /// Takes a clause out.
    pub const fn remove(&mut self, clause: ClauseId) {
        self.0[clause as usize / 64] &= !(1 << (clause as usize % 64));
    }

    /// True if the clause is in the set.
    pub const fn contains(&self, clause: ClauseId) -> bool {
        self.0[clause as usize / 64] >> (clause as usize % 64) & 1 == 1
    }

    /// True if no clause is in the set.
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Number of clauses.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Clauses in the spec's order.
    pub fn iter(&self) -> impl Iterator<Item = ClauseId> + '_ {
        ClauseId::ALL.iter().copied().filter(|&clause| self.contains(clause))
    }

    /// Every clause of either set.
    pub fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The clauses of this set that `other` lacks.
    pub fn difference(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }
}

impl FromIterator<ClauseId> for ClauseSet {
    fn from_iter<I: IntoIterator<Item = ClauseId>>(clauses: I) -> Self {
        let mut set = Self::EMPTY;
        for clause in clauses {
            set.insert(clause);
        }
        set
    }
}

impl fmt::Debug for ClauseSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(ClauseId::id)).finish()
    }
}
