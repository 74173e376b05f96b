//! Slot sets of the table (spec 05 section 4; the sets of parts 07 to 09 in spec 07 section 13,
//! spec 08 section 12 and spec 09 section 9). A set lists, per format, the slot numbers at which
//! its ops may stand; where a source gives only a count, the list is a choice (T-19, M-37, F-41,
//! G-45).

use contract::isa::Format::{self, F0, F1, F2, F3, F4, F6, F7, F11, N0, N1, N2, X1};

/// The slots at which an op may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotSet {
    /// Name of the set in the spec.
    pub name: &'static str,
    /// Slot numbers per format.
    pub slots: &'static [(Format, &'static [u8])],
}

impl SlotSet {
    /// True if the set has this slot of this format.
    pub fn contains(&self, format: Format, slot: u32) -> bool {
        self.slots.iter().any(|(member, slots)| {
            *member == format && slots.iter().any(|&number| u32::from(number) == slot)
        })
    }
}

const fn set(name: &'static str, slots: &'static [(Format, &'static [u8])]) -> SlotSet {
    SlotSet { name, slots }
}

/// Vector loads and primes (a superset for the narrow forms, T-19).
pub const LOAD18: SlotSet = set("LOAD18", &[
    (F0, &[0, 1]), (F1, &[0, 1]), (F2, &[0, 1]), (F3, &[0, 1]), (F4, &[0, 1]), (F6, &[0, 1]),
    (F7, &[0, 1]), (N0, &[0]), (N1, &[0]), (N2, &[0, 1]),
]);

/// `ZALIGN`, `MALIGN`.
pub const VALIGN20: SlotSet = set("VALIGN20", &[
    (F0, &[0, 1]), (F1, &[0, 1]), (F2, &[0, 1]), (F3, &[0, 1]), (F4, &[0, 1]), (F6, &[0, 1]),
    (F7, &[0, 1]), (F11, &[0, 1]), (N0, &[0]), (N1, &[0]), (N2, &[0, 1]),
]);

/// Stores, gather posts.
pub const STORE9: SlotSet = set("STORE9", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F6, &[0]), (F7, &[0]), (N0, &[0]), (N1, &[0]),
    (N2, &[0]),
]);

/// Single-element stores, `MOVGATHERD`.
pub const STORE8_NO_N1: SlotSet = set("STORE8_noN1", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F6, &[0]), (F7, &[0]), (N0, &[0]), (N2, &[0]),
]);

/// Predicate stores.
pub const STORE8_NO_N0: SlotSet = set("STORE8_noN0", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F6, &[0]), (F7, &[0]), (N1, &[0]), (N2, &[0]),
]);

/// Store-side align ops.
pub const STALIGN10: SlotSet = set("STALIGN10", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F4, &[0]), (F6, &[0]), (F7, &[0]), (N0, &[0]),
    (N1, &[0]), (N2, &[0]),
]);

/// Load-pipe ops without a place in F11.
pub const LD8: SlotSet = set("LD8", &[
    (F0, &[1]), (F1, &[1]), (F2, &[1]), (F3, &[1]), (F4, &[1]), (F6, &[1]), (F7, &[1]), (N2, &[1]),
]);

/// Load-pipe predicate ops.
pub const LD9_F11: SlotSet = set("LD9_F11", &[
    (F0, &[1]), (F1, &[1]), (F2, &[1]), (F3, &[1]), (F4, &[1]), (F6, &[1]), (F7, &[1]), (F11, &[1]),
    (N2, &[1]),
]);

/// S3 of every format that has one.
pub const ALU9: SlotSet = set("ALU9", &[
    (F0, &[3]), (F1, &[3]), (F2, &[3]), (F3, &[3]), (F4, &[3]), (F6, &[3]), (F7, &[3]), (F11, &[3]),
    (N0, &[3]),
]);

/// S3 of the wide formats.
pub const ALU8_NO_N0: SlotSet = set("ALU8_noN0", &[
    (F0, &[3]), (F1, &[3]), (F2, &[3]), (F3, &[3]), (F4, &[3]), (F6, &[3]), (F7, &[3]), (F11, &[3]),
]);

/// Select and shuffle with a control vector.
pub const PERM7: SlotSet = set("PERM7", &[
    (F0, &[3]), (F1, &[3]), (F2, &[3]), (F4, &[3]), (F6, &[3]), (F7, &[3]), (N0, &[3]),
]);

/// Dual select (T-19).
pub const DEAL4: SlotSet = set("DEAL4", &[(F0, &[3]), (F1, &[3]), (F7, &[3]), (N0, &[3])]);

/// Compress.
pub const DCMPRS2: SlotSet = set("DCMPRS2", &[(F0, &[3]), (F1, &[3])]);

/// Floating reductions, conversions and seeds.
pub const FPRED6: SlotSet = set("FPRED6", &[
    (F0, &[3]), (F1, &[3]), (F2, &[3]), (F3, &[3]), (F7, &[3]), (N0, &[3]),
]);

/// Two-source ALU.
pub const ALU15: SlotSet = set("ALU15", &[
    (F0, &[3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[3, 4]), (F4, &[3]), (F6, &[3]),
    (F7, &[2, 3]), (F11, &[3, 4]), (N0, &[3]),
]);

/// One-source ALU.
pub const ALU19: SlotSet = set("ALU19", &[
    (F0, &[0, 3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[0, 3, 4]), (F4, &[3]), (F6, &[0, 3]),
    (F7, &[0, 2, 3]), (F11, &[3, 4]), (N0, &[3]),
]);

/// Predicated two-source ALU.
pub const ALU13_T: SlotSet = set("ALU13_T", &[
    (F0, &[3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[3]), (F4, &[3]), (F6, &[3]), (F7, &[2, 3]),
    (F11, &[3]), (N0, &[3]),
]);

/// Predicated one-source ALU.
pub const ALU17_T: SlotSet = set("ALU17_T", &[
    (F0, &[0, 3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[0, 3]), (F4, &[3]), (F6, &[0, 3]),
    (F7, &[0, 2, 3]), (F11, &[3]), (N0, &[3]),
]);

/// Compares.
pub const CMP21: SlotSet = set("CMP21", &[
    (F0, &[2, 3]), (F1, &[2, 3]), (F2, &[2, 3]), (F3, &[2, 3, 4]), (F4, &[2, 3]), (F6, &[2, 3]),
    (F7, &[2, 3]), (F11, &[2, 3, 4]), (N0, &[3]), (N1, &[2]), (N2, &[0]),
]);

/// Immediate shifts, floating extrema.
pub const SHI12: SlotSet = set("SHI12", &[
    (F0, &[3]), (F1, &[2, 3]), (F2, &[2, 3]), (F3, &[3]), (F4, &[3]), (F6, &[3]), (F7, &[2, 3]),
    (F11, &[3]), (N0, &[3]),
]);

/// Replicate.
pub const REP17: SlotSet = set("REP17", &[
    (F0, &[0, 3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[0, 3]), (F4, &[3]), (F6, &[0, 3]),
    (F7, &[0, 2, 3]), (F11, &[3]), (N0, &[3]),
]);

/// Inject a predicate bit.
pub const INJ18: SlotSet = set("INJ18", &[
    (F0, &[0, 3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[0, 3]), (F4, &[3]), (F6, &[0, 3]),
    (F7, &[0, 2, 3]), (F11, &[3]), (N0, &[3]), (N1, &[2]),
]);

/// Extract to and move to `b32_pr`.
pub const XPR15: SlotSet = set("XPR15", &[
    (F0, &[0, 3]), (F1, &[0, 3]), (F2, &[0, 3]), (F3, &[0, 3]), (F4, &[3]), (F6, &[0, 3]),
    (F7, &[0, 3]), (F11, &[3]), (N0, &[3]),
]);

/// Vector move.
pub const MOV23: SlotSet = set("MOV23", &[
    (F0, &[0, 3]), (F1, &[0, 2, 3]), (F2, &[2, 3]), (F3, &[0, 3, 4]), (F4, &[3]), (F6, &[0, 3]),
    (F7, &[0, 2, 3]), (F11, &[3, 4]), (N0, &[0, 3]), (N1, &[0, 2]), (N2, &[0]),
]);

/// Immediate select pinned to S0.
pub const SELI_S0: SlotSet = set("SELI_S0", &[(F1, &[0]), (N2, &[0])]);

/// Immediate shuffle pinned to S0.
pub const SHFLI_S0: SlotSet = set("SHFLI_S0", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F6, &[0]), (F7, &[0]), (N0, &[0]), (N2, &[0]),
]);

/// Immediate select and shuffle pinned to S2.
pub const SELI_S2: SlotSet = set("SELI_S2", &[(F1, &[2]), (F2, &[2]), (F7, &[2])]);

/// Immediate select and shuffle pinned to S4.
pub const SELI_S4: SlotSet = set("SELI_S4", &[(F3, &[4]), (F11, &[4])]);

/// Scalar arithmetic.
pub const SCALAR: SlotSet = set("SCALAR", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F4, &[0]), (F6, &[0]), (F7, &[0]),
    (F11, &[0, 1]), (N0, &[0]), (N1, &[0]), (N2, &[0]), (X1, &[0]),
]);

/// `S32I`.
pub const SCALAR_MEM: SlotSet = set("SCALAR_MEM", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F4, &[0]), (F6, &[0]), (F7, &[0]), (N0, &[0]),
    (N1, &[0]), (N2, &[0]), (X1, &[0]),
]);

/// `L32I`.
pub const SCALAR_LD: SlotSet = set("SCALAR_LD", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F4, &[0]), (F6, &[0]), (F7, &[0]), (F11, &[0]),
    (N0, &[0]), (N1, &[0]), (N2, &[0]), (X1, &[0]),
]);

/// Every slot of every format, `None` slots included: `NOP`.
pub const ANY: SlotSet = set("ANY", &[
    (F0, &[0, 1, 2, 3]), (F1, &[0, 1, 2, 3]), (F2, &[0, 1, 2, 3]), (F3, &[0, 1, 2, 3, 4]),
    (F4, &[0, 1, 2, 3]), (F6, &[0, 1, 2, 3]), (F7, &[0, 1, 2, 3]), (F11, &[0, 1, 2, 3, 4]),
    (N0, &[0, 1, 2, 3]), (N1, &[0, 1, 2]), (N2, &[0, 1]), (X1, &[0]),
]);

/// Paired multiply by a packed scalar (M-37).
pub const MUL7: SlotSet = set("MUL7", &[
    (F0, &[2]), (F1, &[2]), (F2, &[2]), (F3, &[2]), (F6, &[2]), (F7, &[2]), (F11, &[2]),
]);

/// Two-source multiplies and widening (M-37).
pub const MUL8N1: SlotSet = set("MUL8N1", &[
    (F0, &[2]), (F1, &[2]), (F2, &[2]), (F3, &[2]), (F6, &[2]), (F7, &[2]), (F11, &[2]), (N1, &[2]),
]);

/// Multiplies that pack (M-37).
pub const MULPK4: SlotSet = set("MULPK4", &[(F1, &[2]), (F2, &[2]), (F7, &[2]), (N1, &[2])]);

/// Four-vector multiplies (M-37).
pub const MULF4: SlotSet = set("MULF4", &[(F4, &[2])]);

/// Packs with a vector shift.
pub const PACKF6: SlotSet = set("PACKF6", &[(F6, &[1])]);

/// Floating add and multiply.
pub const FMA9: SlotSet = set("FMA9", &[
    (F0, &[3]), (F1, &[2, 3]), (F2, &[2, 3]), (F3, &[3]), (F7, &[2, 3]), (N1, &[2]),
]);

/// Floating multiply-add.
pub const FMA7: SlotSet = set("FMA7", &[
    (F0, &[3]), (F1, &[3]), (F2, &[2, 3]), (F7, &[2, 3]), (N1, &[2]),
]);

/// Predicated `RECIPQLI`.
pub const QLIT5: SlotSet = set("QLIT5", &[
    (F0, &[3]), (F1, &[3]), (F2, &[3]), (F7, &[3]), (N0, &[3]),
]);

/// The single-instruction form.
pub const X1_ONLY: SlotSet = set("X1_ONLY", &[(X1, &[0])]);

/// Scatter with increment.
pub const SGINC7: SlotSet = set("SGINC7", &[
    (F0, &[0]), (F1, &[0]), (F2, &[0]), (F3, &[0]), (F6, &[0]), (F7, &[0]), (N2, &[0]),
]);

/// Scatter.
pub const SCAT2: SlotSet = set("SCAT2", &[(F1, &[0]), (N2, &[0])]);

/// Divide.
pub const DIV1: SlotSet = set("DIV1", &[(F2, &[2])]);

/// Masked count.
pub const COUNTM4: SlotSet = set("COUNTM4", &[(F0, &[3]), (F1, &[3]), (F4, &[3]), (F7, &[3])]);

/// `POPC2NX8`.
pub const POPC3: SlotSet = set("POPC3", &[(F1, &[2]), (F2, &[2]), (F7, &[2])]);

/// `ADDMOD16U`.
pub const ADDMOD7: SlotSet = set("ADDMOD7", &[
    (F0, &[1]), (F1, &[1]), (F2, &[1]), (F3, &[1]), (F4, &[1]), (F6, &[1]), (F7, &[1]),
]);

/// Flag-state compares.
pub const FSCMP5: SlotSet = set("FSCMP5", &[
    (F0, &[3]), (F1, &[3]), (F2, &[3]), (F7, &[3]), (N0, &[3]),
]);

/// Flag-state folds.
pub const FSFOLD2: SlotSet = set("FSFOLD2", &[(F0, &[1]), (F1, &[1])]);

/// Dual-row and special aligning loads (G-45).
pub const DUAL2: SlotSet = set("DUAL2", &[(F0, &[1]), (F1, &[1])]);
