//! Notation of spec 04 section 1 as functions: widths, lanes of a register, predicate fields, and
//! the two ways back from an exact integer to a lane (`tr_w`, `sat_w`). Every op family is written
//! in these terms; nothing here knows an op.

use contract::state::{LINE, Line};

/// An integer that holds every exact intermediate value of spec 04. The widest is a 32-bit lane
/// shifted left by 64.
pub(super) type Exact = i128;

/// Element width `w`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// `2NX8`
    W8,
    /// `NX16`, `NXF16`
    W16,
    /// `N_2X32`, `N_2XF32`
    W32,
}

impl Width {
    /// `w` in bits.
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::W8 => 8,
            Self::W16 => 16,
            Self::W32 => 32,
        }
    }

    /// Bytes of an element.
    pub(super) const fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// Lane count `N(w)`.
    pub(super) const fn lanes(self) -> usize {
        512 / self.bits() as usize
    }

    /// Predicate bits per lane, `k(w)`.
    pub(super) const fn field_bits(self) -> usize {
        self.bits() as usize / 8
    }
}

/// `X[l]`: lane `l` as an unsigned `w`-bit number, little-endian, lane 0 at byte 0.
pub(super) fn lane(x: &Line, w: Width, l: usize) -> u32 {
    let mut value = 0;
    for byte in 0..w.bytes() {
        value |= u32::from(x.0[l * w.bytes() + byte]) << (8 * byte);
    }
    value
}

/// Writes the low `w` bits of `value` into lane `l`.
pub(super) fn set_lane(x: &mut Line, w: Width, l: usize, value: u32) {
    for byte in 0..w.bytes() {
        x.0[l * w.bytes() + byte] = (value >> (8 * byte)) as u8;
    }
}

/// The register whose lane `l` is `value(l)`.
pub(super) fn each_lane(w: Width, mut value: impl FnMut(usize) -> u32) -> Line {
    let mut result = Line([0; LINE]);
    for l in 0..w.lanes() {
        set_lane(&mut result, w, l, value(l));
    }
    result
}

/// A lane read without sign.
pub(super) fn unsigned(value: u32) -> Exact {
    Exact::from(value)
}

/// `s(x)`: a lane read as two's complement.
pub(super) fn signed(w: Width, value: u32) -> Exact {
    let value = unsigned(value);
    if value >= 1 << (w.bits() - 1) { value - (1 << w.bits()) } else { value }
}

/// `tr_w(x)`: `x mod 2^w`.
pub(super) fn truncate(w: Width, x: Exact) -> u32 {
    x.rem_euclid(1 << w.bits()) as u32
}

/// `sat_w(x)`: `x` limited to the signed range, then truncated.
pub(super) fn saturate(w: Width, x: Exact) -> u32 {
    let limit = 1 << (w.bits() - 1);
    truncate(w, x.clamp(-limit, limit - 1))
}

/// `P_w(q,l)`: the lowest bit of the lane's field; the other bits of the field are not looked at.
pub(super) fn predicate(w: Width, q: u64, l: usize) -> bool {
    (q >> (l * w.field_bits())) & 1 == 1
}

/// The vbool with `F_w(c(l))` in every lane.
pub(super) fn fields(w: Width, mut c: impl FnMut(usize) -> bool) -> u64 {
    let mut q = 0;
    for l in 0..w.lanes() {
        if c(l) {
            for bit in 0..w.field_bits() {
                q |= 1 << (l * w.field_bits() + bit);
            }
        }
    }
    q
}

/// T form (section 3 rule 5): `vd[l] := P_w(q,l) ? fresh[l] : old vd[l]`.
pub(super) fn merge(w: Width, q: u64, fresh: &Line, old: &Line) -> Line {
    each_lane(w, |l| if predicate(w, q, l) { lane(fresh, w, l) } else { lane(old, w, l) })
}
