//! Plain loads and stores (spec 04 section 4.6) and the widening and narrowing of section 4.7,
//! which the aligning forms share.

use super::lanes::{Width, each_lane, lane, predicate, set_lane, signed, truncate};
use super::operation::{MemoryFault, Operation};
use super::{Row, accesses};
use contract::state::{LINE, Line};

/// How memory elements map to lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// `2NX8`, `NX16`: 64 bytes as they are.
    Whole,
    /// `NX8U`: 32 bytes, zero-extended 8 → 16.
    U8,
    /// `NX8S`: 32 bytes, sign-extended 8 → 16.
    S8,
    /// `N_2X16U`: 32 bytes, zero-extended 16 → 32.
    U16,
    /// `N_2X16S`: 32 bytes, sign-extended 16 → 32.
    S16,
}
use Element::{S8, S16, U8, U16, Whole};

impl Element {
    /// Bytes of memory of a full access, `m`.
    pub(super) const fn access(self) -> usize {
        match self {
            Whole => 64,
            U8 | S8 | U16 | S16 => 32,
        }
    }

    /// Width of a lane in the register.
    const fn lane_width(self) -> Width {
        match self {
            Whole => Width::W8,
            U8 | S8 => Width::W16,
            U16 | S16 => Width::W32,
        }
    }

    /// Width of an element in memory.
    const fn memory_width(self) -> Width {
        match self {
            Whole | U8 | S8 => Width::W8,
            U16 | S16 => Width::W16,
        }
    }

    /// Section 4.7, load side: lane `l` is memory element `l`, extended. `bytes` are the bytes of a
    /// full access.
    pub(super) fn widen(self, bytes: &[u8]) -> Line {
        let mut memory = Line([0; LINE]);
        memory.0[..self.access()].copy_from_slice(&bytes[..self.access()]);
        each_lane(self.lane_width(), |l| {
            let element = lane(&memory, self.memory_width(), l);
            match self {
                Whole | U8 | U16 => element,
                S8 | S16 => truncate(self.lane_width(), signed(self.memory_width(), element)),
            }
        })
    }

    /// Section 4.7, store side: memory element `l` is the low half of lane `l`; `U` and `S` store
    /// the same bits. Bytes past the access are zero.
    pub(super) fn narrow(self, v: &Line) -> [u8; LINE] {
        let mut memory = Line([0; LINE]);
        for l in 0..self.lane_width().lanes() {
            set_lane(&mut memory, self.memory_width(), l, lane(v, self.lane_width(), l));
        }
        memory.0
    }
}

/// Addressing mode; operand 1 is the base `a`, operand 2 the immediate or the index `x`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// `_I`: `EA = A.a + imm`
    I,
    /// `_IP`: `EA = A.a`, then `a += imm`
    Ip,
    /// `_X`: `EA = A.a + A.x`
    X,
    /// `_XP`: `EA = A.a`, then `a += A.x`
    Xp,
}
use Mode::{I, Ip, X, Xp};

/// Effective address and, for the post-update modes, the new base; modulo 2^32.
fn address(op: &Operation<'_>, mode: Mode) -> (u32, Option<u32>) {
    let base = op.ar(1);
    let moved = match mode {
        I | Ip => base.wrapping_add(op.imm(2) as u32),
        X | Xp => base.wrapping_add(op.ar(2)),
    };
    match mode {
        I | X => (moved, None),
        Ip | Xp => (base, Some(moved)),
    }
}

/// Post-increment rule (section 4.5): the base receives the updated value, once.
fn update_base(op: &mut Operation<'_>, base: Option<u32>) {
    if let Some(base) = base {
        op.set_ar(1, base);
    }
}

/// `EA` rounded down to a multiple of `grain`, a power of two.
fn aligned(address: u32, grain: usize) -> u32 {
    address & !(grain as u32 - 1)
}

/// `LV…` (section 4.6), `v`:o `a`:i/m `imm|x`: a line, or 32 bytes at `EA & ~31` widened.
fn lv(op: &mut Operation<'_>, element: Element, mode: Mode) -> Result<(), MemoryFault> {
    let (ea, base) = address(op, mode);
    let bytes = op.load(aligned(ea, element.access()), element.access())?;
    op.set_vec(0, element.widen(bytes));
    update_base(op, base);
    Ok(())
}

/// `SV…` (section 4.6), `v`:i `a`:i/m `imm|x`: a line, or 32 narrowed bytes at `EA & ~31`.
fn sv(op: &mut Operation<'_>, element: Element, mode: Mode) -> Result<(), MemoryFault> {
    let (ea, base) = address(op, mode);
    let bytes = element.narrow(op.vec(0));
    op.store(aligned(ea, element.access()), element.access(), bytes, u64::MAX)?;
    update_base(op, base);
    Ok(())
}

/// `SV…T` (section 4.6), `v`:i `a`:i/m `imm|x` `q`:i: lane `l` is stored only if its predicate, of
/// the lane's width in the register, is true.
fn svt(op: &mut Operation<'_>, element: Element, mode: Mode) -> Result<(), MemoryFault> {
    let (ea, base) = address(op, mode);
    let bytes = element.narrow(op.vec(0));
    let q = op.vbool(3);
    let mut mask = 0;
    for i in 0..element.access() {
        let l = i / element.memory_width().bytes();
        if predicate(element.lane_width(), q, l) {
            mask |= 1 << i;
        }
    }
    op.store(aligned(ea, element.access()), element.access(), bytes, mask)?;
    update_base(op, base);
    Ok(())
}

/// `LB2N` (section 4.6), `q`:o `a` `imm`: 8 bytes at `EA & ~7`.
fn lb2n(op: &mut Operation<'_>, mode: Mode) -> Result<(), MemoryFault> {
    let (ea, base) = address(op, mode);
    let bytes = op.load(aligned(ea, 8), 8)?;
    let mut q = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        q |= u64::from(byte) << (8 * i);
    }
    op.set_vbool(0, q);
    update_base(op, base);
    Ok(())
}

/// `SB2N` (section 4.6), `q`:i `a` `imm`: 8 bytes at `EA & ~7`.
fn sb2n(op: &mut Operation<'_>, mode: Mode) -> Result<(), MemoryFault> {
    let (ea, base) = address(op, mode);
    let mut bytes = [0; LINE];
    bytes[..8].copy_from_slice(&op.vbool(0).to_le_bytes());
    op.store(aligned(ea, 8), 8, bytes, u64::MAX)?;
    update_base(op, base);
    Ok(())
}

pub(super) const ROWS: &[Row] = &[
    accesses("LV2NX8_I", |op| lv(op, Whole, I)),
    accesses("LV2NX8_IP", |op| lv(op, Whole, Ip)),
    accesses("LV2NX8_X", |op| lv(op, Whole, X)),
    accesses("LV2NX8_XP", |op| lv(op, Whole, Xp)),
    accesses("LVNX8U_I", |op| lv(op, U8, I)),
    accesses("LVNX8U_IP", |op| lv(op, U8, Ip)),
    accesses("LVNX8U_X", |op| lv(op, U8, X)),
    accesses("LVNX8U_XP", |op| lv(op, U8, Xp)),
    accesses("LVNX8S_I", |op| lv(op, S8, I)),
    accesses("LVNX8S_IP", |op| lv(op, S8, Ip)),
    accesses("LVNX8S_X", |op| lv(op, S8, X)),
    accesses("LVNX8S_XP", |op| lv(op, S8, Xp)),
    accesses("LVN_2X16U_I", |op| lv(op, U16, I)),
    accesses("LVN_2X16U_IP", |op| lv(op, U16, Ip)),
    accesses("LVN_2X16U_X", |op| lv(op, U16, X)),
    accesses("LVN_2X16U_XP", |op| lv(op, U16, Xp)),
    accesses("LVN_2X16S_I", |op| lv(op, S16, I)),
    accesses("LVN_2X16S_IP", |op| lv(op, S16, Ip)),
    accesses("LVN_2X16S_X", |op| lv(op, S16, X)),
    accesses("LVN_2X16S_XP", |op| lv(op, S16, Xp)),
    accesses("SV2NX8_I", |op| sv(op, Whole, I)),
    accesses("SV2NX8_IP", |op| sv(op, Whole, Ip)),
    accesses("SV2NX8_X", |op| sv(op, Whole, X)),
    accesses("SV2NX8_XP", |op| sv(op, Whole, Xp)),
    accesses("SVNX8U_I", |op| sv(op, U8, I)),
    accesses("SVNX8U_IP", |op| sv(op, U8, Ip)),
    accesses("SVNX8U_X", |op| sv(op, U8, X)),
    accesses("SVNX8U_XP", |op| sv(op, U8, Xp)),
    accesses("SVNX8S_I", |op| sv(op, S8, I)),
    accesses("SVNX8S_IP", |op| sv(op, S8, Ip)),
    accesses("SVNX8S_X", |op| sv(op, S8, X)),
    accesses("SVNX8S_XP", |op| sv(op, S8, Xp)),
    accesses("SVN_2X16U_I", |op| sv(op, U16, I)),
    accesses("SVN_2X16U_IP", |op| sv(op, U16, Ip)),
    accesses("SVN_2X16U_X", |op| sv(op, U16, X)),
    accesses("SVN_2X16U_XP", |op| sv(op, U16, Xp)),
    accesses("SVN_2X16S_I", |op| sv(op, S16, I)),
    accesses("SVN_2X16S_IP", |op| sv(op, S16, Ip)),
    accesses("SVN_2X16S_X", |op| sv(op, S16, X)),
    accesses("SVN_2X16S_XP", |op| sv(op, S16, Xp)),
    accesses("SV2NX8T_I", |op| svt(op, Whole, I)),
    accesses("SV2NX8T_IP", |op| svt(op, Whole, Ip)),
    accesses("SV2NX8T_X", |op| svt(op, Whole, X)),
    accesses("SV2NX8T_XP", |op| svt(op, Whole, Xp)),
    accesses("SVNX8UT_I", |op| svt(op, U8, I)),
    accesses("SVNX8UT_IP", |op| svt(op, U8, Ip)),
    accesses("SVNX8UT_X", |op| svt(op, U8, X)),
    accesses("SVNX8UT_XP", |op| svt(op, U8, Xp)),
    accesses("SVNX8ST_I", |op| svt(op, S8, I)),
    accesses("SVNX8ST_IP", |op| svt(op, S8, Ip)),
    accesses("SVNX8ST_X", |op| svt(op, S8, X)),
    accesses("SVNX8ST_XP", |op| svt(op, S8, Xp)),
    accesses("SVN_2X16UT_I", |op| svt(op, U16, I)),
    accesses("SVN_2X16UT_IP", |op| svt(op, U16, Ip)),
    accesses("SVN_2X16UT_X", |op| svt(op, U16, X)),
    accesses("SVN_2X16UT_XP", |op| svt(op, U16, Xp)),
    accesses("SVN_2X16ST_I", |op| svt(op, S16, I)),
    accesses("SVN_2X16ST_IP", |op| svt(op, S16, Ip)),
    accesses("SVN_2X16ST_X", |op| svt(op, S16, X)),
    accesses("SVN_2X16ST_XP", |op| svt(op, S16, Xp)),
    accesses("LB2N_I", |op| lb2n(op, I)),
    accesses("LB2N_IP", |op| lb2n(op, Ip)),
    accesses("SB2N_I", |op| sb2n(op, I)),
    accesses("SB2N_IP", |op| sb2n(op, Ip)),
];
