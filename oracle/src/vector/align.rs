//! Align registers and streaming accesses (spec 04 sections 4.1 to 4.5).
//!
//! An align register holds 64 bytes `u[0..63]` and nothing else: the phase comes from the base
//! address at every op (V-06). Loads see in it the line of the next byte, stores the pending bytes
//! at their line positions below the phase with their count in byte 63 (V-11). Mixing both views is
//! defined by the formulas alone.

use super::lanes::{Width, merge};
use super::memory::Element::{self, S8, S16, U8, U16, Whole};
use super::operation::{MemoryFault, Operation, low_mask};
use super::{Row, accesses, registers};
use contract::profile::LaFresh;
use contract::state::{LINE, Line};

/// `line(a)`.
const fn line(a: u32) -> u32 {
    a & !63
}

/// `phi(a)`.
const fn phase(a: u32) -> usize {
    (a & 63) as usize
}

/// A line of memory as a register image; counts as an access to all 64 bytes.
fn load_line(op: &Operation<'_>, a: u32) -> Result<Line, MemoryFault> {
    let mut image = Line([0; LINE]);
    image.0.copy_from_slice(op.load(line(a), LINE)?);
    Ok(image)
}

/// `PRODUCE(u, a, n, m)` (section 4.2): `m` bytes of which the first `n` are live, and `u'`. The
/// bytes past `n` are zero here, so `m` shows only in how the caller widens them.
fn produce(
    op: &Operation<'_>,
    u: &Line,
    a: u32,
    n: usize,
) -> Result<([u8; LINE], Line), MemoryFault> {
    let phi = phase(a);
    let cross = phi + n >= 64;
    let fresh_line = match op.state.profile.la_fresh {
        LaFresh::Next => line(a).wrapping_add(64),
        LaFresh::Base => line(a),
    };
    let fresh = if cross { Some(load_line(op, fresh_line)?) } else { None };
    let mut b = [0; LINE];
    for (j, byte) in b.iter_mut().enumerate().take(n) {
        let position = phi + j;
        // Positions above 63 occur only if the step crosses, and then the fresh line was read.
        *byte = match fresh {
            Some(fresh) if position >= 64 => fresh.0[position - 64],
            _ => u.0[position],
        };
    }
    Ok((b, fresh.unwrap_or(*u)))
}

/// Pending bytes of a store stream: `c = min(u[63] & 63, phi)` (sections 4.3 and 4.5).
fn pending(u: &Line, phi: usize) -> usize {
    usize::from(u.0[63] & 63).min(phi)
}

/// A mask of the byte positions `from..to`.
fn positions(from: usize, to: usize) -> u64 {
    low_mask(to) & !low_mask(from)
}

/// `APPEND(u, a, d, n)` (section 4.3): accepts `d[0..n-1]`; `u` is operand 1.
fn append(op: &mut Operation<'_>, a: u32, d: &[u8; LINE], n: usize) -> Result<(), MemoryFault> {
    if n == 0 {
        return Ok(());
    }
    let u = op.valign(1);
    let phi = phase(a);
    let c = pending(u, phi);
    let e = phi + n;
    let mut next = Line([0; LINE]);
    if e < 64 {
        next.0[phi - c..phi].copy_from_slice(&u.0[phi - c..phi]);
        next.0[phi..e].copy_from_slice(&d[..n]);
        next.0[63] = (c + n) as u8;
    } else {
        let mut bytes = [0; LINE];
        bytes[phi - c..phi].copy_from_slice(&u.0[phi - c..phi]);
        bytes[phi..].copy_from_slice(&d[..64 - phi]);
        op.store(line(a), LINE, bytes, positions(phi - c, 64))?;
        let r = e - 64;
        next.0[..r].copy_from_slice(&d[64 - phi..n]);
        next.0[63] = r as u8;
    }
    op.set_valign(1, next);
    Ok(())
}

/// `n = clamp(len, 0, m)` (section 4.4, V-08): `len` is signed and counts bytes of memory.
fn clamp_length(len: u32, m: usize) -> usize {
    (len as i32).clamp(0, m as i32) as usize
}

/// `ZALIGN`, `u`:o.
fn zalign(op: &mut Operation<'_>) {
    op.set_valign(0, Line([0; LINE]));
}

/// `MALIGN`, `ud`:o `us`:i: all 512 bits, no access (V-10).
fn malign(op: &mut Operation<'_>) {
    let us = *op.valign(1);
    op.set_valign(0, us);
}

/// `LALIGN_I`, `u`:o `a`:i `imm`.
fn lalign_i(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = op.ar(1).wrapping_add(op.imm(2) as u32);
    let image = load_line(op, ea)?;
    op.set_valign(0, image);
    Ok(())
}

/// `LALIGN_IP`, `u`:o `a`:m `imm`.
fn lalign_ip(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = op.ar(1);
    let image = load_line(op, ea)?;
    op.set_valign(0, image);
    op.set_ar(1, ea.wrapping_add(op.imm(2) as u32));
    Ok(())
}

/// `LA_PP`, `u`:o `a`:i: the prime; the base is unchanged.
fn la_pp(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let image = load_line(op, op.ar(1))?;
    op.set_valign(0, image);
    Ok(())
}

/// `LA_PPXU`, `u`:o `a`:m `x`:i: indexed with pre-update (V-13).
fn la_ppxu(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = op.ar(1).wrapping_add(op.ar(2));
    let image = load_line(op, ea)?;
    op.set_valign(0, image);
    op.set_ar(1, ea);
    Ok(())
}

/// `LA…_IP`, `v`:o `u`:m `a`:m: a full step; the base moves by the bytes of the access (V-15).
fn la_ip(op: &mut Operation<'_>, element: Element) -> Result<(), MemoryFault> {
    let a = op.ar(2);
    la(op, element, element.access(), a.wrapping_add(element.access() as u32))
}

/// `LA…_XP`, `v`:o `u`:m `a`:m `x`:i: as `_IP`, the base moves by `A.x`.
fn la_xp(op: &mut Operation<'_>, element: Element) -> Result<(), MemoryFault> {
    let next = op.ar(2).wrapping_add(op.ar(3));
    la(op, element, element.access(), next)
}

/// `LAV…_XP`, `v`:o `u`:m `a`:m `len`:i: the base moves by the clamped length (section 4.4).
fn lav(op: &mut Operation<'_>, element: Element) -> Result<(), MemoryFault> {
    let n = clamp_length(op.ar(3), element.access());
    let next = op.ar(2).wrapping_add(n as u32);
    la(op, element, n, next)
}

/// One produce step: result, align register and base.
fn la(op: &mut Operation<'_>, element: Element, n: usize, next: u32) -> Result<(), MemoryFault> {
    let (bytes, u) = produce(op, op.valign(1), op.ar(2), n)?;
    op.set_vec(0, element.widen(&bytes));
    op.set_valign(1, u);
    op.set_ar(2, next);
    Ok(())
}

/// `LAT2NX8_XP`, `v`:m `u`:m `a`:m `x`:i `q`:i: bytes as `LA2NX8_XP`, merged per byte; `u` and `a`
/// move regardless (V-16).
fn lat(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let (bytes, u) = produce(op, op.valign(1), op.ar(2), 64)?;
    let merged = merge(Width::W8, op.vbool(4), &Line(bytes), op.vec(0));
    op.set_vec(0, merged);
    op.set_valign(1, u);
    op.set_ar(2, op.ar(2).wrapping_add(op.ar(3)));
    Ok(())
}

/// `SA…_IP`, `v`:i `u`:m `a`:m: a full step; the base moves by the bytes of the access.
fn sa_ip(op: &mut Operation<'_>, element: Element) -> Result<(), MemoryFault> {
    let next = op.ar(2).wrapping_add(element.access() as u32);
    sa(op, element, element.access(), next)
}

/// `SA…_XP`, `v`:i `u`:m `a`:m `x`:i: as `_IP`, the base moves by `A.x`.
fn sa_xp(op: &mut Operation<'_>, element: Element) -> Result<(), MemoryFault> {
    let next = op.ar(2).wrapping_add(op.ar(3));
    sa(op, element, element.access(), next)
}

/// `SAV…_XP`, `v`:i `u`:m `a`:m `len`:i: the base moves by the clamped length (section 4.4).
fn sav(op: &mut Operation<'_>, element: Element) -> Result<(), MemoryFault> {
    let n = clamp_length(op.ar(3), element.access());
    let next = op.ar(2).wrapping_add(n as u32);
    sa(op, element, n, next)
}

/// One append step: memory, align register and base.
fn sa(op: &mut Operation<'_>, element: Element, n: usize, next: u32) -> Result<(), MemoryFault> {
    let d = element.narrow(op.vec(0));
    append(op, op.ar(2), &d, n)?;
    op.set_ar(2, next);
    Ok(())
}

/// `SALIGN_I`, `u`:i `a`:i `imm`: all 64 bytes verbatim; `u` keeps its value (V-09).
fn salign_i(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = op.ar(1).wrapping_add(op.imm(2) as u32);
    op.store(line(ea), LINE, op.valign(0).0, u64::MAX)
}

/// `SALIGN_IP`, `u`:i `a`:m `imm`.
fn salign_ip(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let ea = op.ar(1);
    op.store(line(ea), LINE, op.valign(0).0, u64::MAX)?;
    op.set_ar(1, ea.wrapping_add(op.imm(2) as u32));
    Ok(())
}

/// `SAPOS_FP`, `u`:m `a`:i: flush the pending bytes, then clear; without pending bytes no access
/// (V-12).
fn sapos_fp(op: &mut Operation<'_>) -> Result<(), MemoryFault> {
    let u = op.valign(0);
    let a = op.ar(1);
    let phi = phase(a);
    let c = pending(u, phi);
    if c > 0 {
        op.store(line(a), LINE, u.0, positions(phi - c, phi))?;
    }
    op.set_valign(0, Line([0; LINE]));
    Ok(())
}

pub(super) const ROWS: &[Row] = &[
    registers("ZALIGN", zalign),
    registers("MALIGN", malign),
    accesses("LALIGN_I", lalign_i),
    accesses("LALIGN_IP", lalign_ip),
    accesses("LA_PP", la_pp),
    accesses("LA_PPXU", la_ppxu),
    accesses("LA2NX8_IP", |op| la_ip(op, Whole)),
    accesses("LANX16_IP", |op| la_ip(op, Whole)),
    accesses("LANX8U_IP", |op| la_ip(op, U8)),
    accesses("LANX8S_IP", |op| la_ip(op, S8)),
    accesses("LAN_2X16U_IP", |op| la_ip(op, U16)),
    accesses("LAN_2X16S_IP", |op| la_ip(op, S16)),
    accesses("LA2NX8_XP", |op| la_xp(op, Whole)),
    accesses("LANX16_XP", |op| la_xp(op, Whole)),
    accesses("LANX8U_XP", |op| la_xp(op, U8)),
    accesses("LANX8S_XP", |op| la_xp(op, S8)),
    accesses("LAN_2X16U_XP", |op| la_xp(op, U16)),
    accesses("LAN_2X16S_XP", |op| la_xp(op, S16)),
    accesses("LAV2NX8_XP", |op| lav(op, Whole)),
    accesses("LAVNX16_XP", |op| lav(op, Whole)),
    accesses("LAVNX8U_XP", |op| lav(op, U8)),
    accesses("LAVNX8S_XP", |op| lav(op, S8)),
    accesses("LAVN_2X16U_XP", |op| lav(op, U16)),
    accesses("LAVN_2X16S_XP", |op| lav(op, S16)),
    accesses("LAT2NX8_XP", lat),
    accesses("SA2NX8_IP", |op| sa_ip(op, Whole)),
    accesses("SANX16_IP", |op| sa_ip(op, Whole)),
    accesses("SANX8U_IP", |op| sa_ip(op, U8)),
    accesses("SANX8S_IP", |op| sa_ip(op, S8)),
    accesses("SAN_2X16U_IP", |op| sa_ip(op, U16)),
    accesses("SAN_2X16S_IP", |op| sa_ip(op, S16)),
    accesses("SA2NX8_XP", |op| sa_xp(op, Whole)),
    accesses("SAV2NX8_XP", |op| sav(op, Whole)),
    accesses("SAVNX16_XP", |op| sav(op, Whole)),
    accesses("SAVNX8U_XP", |op| sav(op, U8)),
    accesses("SAVNX8S_XP", |op| sav(op, S8)),
    accesses("SAVN_2X16U_XP", |op| sav(op, U16)),
    accesses("SAVN_2X16S_XP", |op| sav(op, S16)),
    accesses("SALIGN_I", salign_i),
    accesses("SALIGN_IP", salign_ip),
    accesses("SAPOS_FP", sapos_fp),
];
