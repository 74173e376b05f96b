//! Align registers and the streams through them (spec 04 sections 4.1 to 4.5).
//!
//! A produce step is a byte permute of the pool "align register, then fresh line". An append step
//! rotates the new bytes to their line positions once: the part from the phase on joins the carried
//! bytes in the line, the part that wrapped is already where the next line wants it.

use super::element::{Element, NARROW};
use super::lanes::Lanes;
use super::memory::Addressing;
use super::predicate::low_bits;
use super::step::{Fault, Step};
use super::table::Rows;
use contract::profile::LaFresh;
use contract::state::Line;

/// By how much a streaming op advances its base, operand 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advance {
    /// The access size.
    Size,
    /// A register, operand 3.
    Register,
    /// The bytes moved; operand 3 limits them.
    Variable,
}

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum AlignOp {
    /// `ZALIGN`: `u`
    Zero,
    /// `MALIGN`: `u, us`
    Copy,
    /// `LALIGN`: `u, ars, imm`
    LoadLine(Addressing),
    /// `SALIGN`: `u, ars, imm`
    StoreLine(Addressing),
    /// `LA_PP`: `u, ars`
    Prime,
    /// `LA_PPXU`: `u, ars, art`
    PrimeIndexed,
    /// `SAPOS_FP`: `u, ars`
    Flush,
    /// `LA`, `LAV`: `vt, u, ars[, art]`
    Produce(Element, Advance),
    /// `LAT2NX8_XP`: `vt, u, ars, art, vbr`
    ProduceMerging,
    /// `SA`, `SAV`: `vr, u, ars[, art]`
    Append(Element, Advance),
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, AlignOp>) {
    use AlignOp::*;
    for (name, op) in [
        ("ZALIGN", Zero),
        ("MALIGN", Copy),
        ("LALIGN_I", LoadLine(Addressing::Immediate)),
        ("LALIGN_IP", LoadLine(Addressing::ImmediatePost)),
        ("SALIGN_I", StoreLine(Addressing::Immediate)),
        ("SALIGN_IP", StoreLine(Addressing::ImmediatePost)),
        ("LA_PP", Prime),
        ("LA_PPXU", PrimeIndexed),
        ("SAPOS_FP", Flush),
        ("LAT2NX8_XP", ProduceMerging),
        ("SA2NX8_XP", Append(Element::Whole, Advance::Register)),
    ] {
        rows.add(name, op);
    }
    let whole = [("2NX8", Element::Whole), ("NX16", Element::Whole)];
    for (name, element) in whole.into_iter().chain(NARROW) {
        rows.add(&format!("LA{name}_IP"), Produce(element, Advance::Size));
        rows.add(&format!("LA{name}_XP"), Produce(element, Advance::Register));
        rows.add(&format!("LAV{name}_XP"), Produce(element, Advance::Variable));
        rows.add(&format!("SA{name}_IP"), Append(element, Advance::Size));
        rows.add(&format!("SAV{name}_XP"), Append(element, Advance::Variable));
    }
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: AlignOp, step: &mut Step<'_>) -> Result<(), Fault> {
    match op {
        AlignOp::Zero => step.set_valign(0, Line::default()),
        AlignOp::Copy => step.set_valign(0, *step.valign(1)),
        AlignOp::LoadLine(addressing) => {
            let address = addressing.effective(step) & !63;
            prime(step, address)?;
        }
        AlignOp::StoreLine(addressing) => {
            let address = addressing.effective(step) & !63;
            let carried = *step.valign(0);
            *step.store(address, 64)? = carried;
        }
        AlignOp::Prime => prime(step, step.ar(1) & !63)?,
        AlignOp::PrimeIndexed => {
            let address = step.ar(1).wrapping_add(step.ar(2));
            prime(step, address & !63)?;
            step.set_ar(1, address);
        }
        AlignOp::Flush => flush::<L>(step)?,
        AlignOp::Produce(element, advance) => {
            let live = amount(element, advance, step);
            let bytes = produce::<L>(live, step)?;
            step.set_vec(0, element.widen::<L>(bytes));
            advance_base(advance, live, step);
        }
        AlignOp::ProduceMerging => {
            let bytes = produce::<L>(64, step)?;
            let mask = step.vbool(4);
            step.merge_vec(0, mask, bytes);
            advance_base(Advance::Register, 64, step);
        }
        AlignOp::Append(element, advance) => {
            let accepted = amount(element, advance, step);
            append::<L>(element.narrow(step.vec(0)), accepted, step)?;
            advance_base(advance, accepted, step);
        }
    }
    Ok(())
}

/// Copies a whole line into the align register.
#[inline(always)]
fn prime(step: &mut Step<'_>, address: u32) -> Result<(), Fault> {
    let line = Line(*step.memory(address)?);
    step.set_valign(0, line);
    Ok(())
}

/// Bytes that a streaming op moves: its size, or the signed count in operand 3 limited to it (V-08).
#[inline(always)]
fn amount(element: Element, advance: Advance, step: &Step<'_>) -> u32 {
    let size = element.bytes();
    match advance {
        Advance::Size | Advance::Register => size,
        Advance::Variable => step.ar(3).cast_signed().clamp(0, size.cast_signed()).cast_unsigned(),
    }
}

/// Advances the base by what the op moved, or by the register.
#[inline(always)]
fn advance_base(advance: Advance, moved: u32, step: &mut Step<'_>) {
    let by = match advance {
        Advance::Size | Advance::Variable => moved,
        Advance::Register => step.ar(3),
    };
    let base = step.ar(2).wrapping_add(by);
    step.set_ar(2, base);
}

/// The produce step (spec 04 section 4.2): `live` bytes from the base on, zeros above; writes the
/// align register, operand 1.
#[inline(always)]
fn produce<L: Lanes>(live: u32, step: &mut Step<'_>) -> Result<L, Fault> {
    let base = step.ar(2);
    let phase = base & 63;
    let carried = step.valign(1);
    let fresh = if phase + live >= 64 {
        let line = match step.state.profile.la_fresh {
            LaFresh::Next => (base & !63).wrapping_add(64),
            LaFresh::Base => base & !63,
        };
        Line(*step.memory(line)?)
    } else {
        *carried
    };
    step.set_valign(1, fresh);
    let index = L::iota::<8>().add::<8>(L::splat::<8>(phase));
    let bytes = L::permute_pool(L::load(&carried.0), L::load(&fresh.0), index);
    Ok(L::blend(low_bits(live), bytes, L::zero()))
}

/// Pending bytes of a store stream at this phase, by line position.
#[inline(always)]
fn pending(carried: &Line, phase: u32) -> (u32, u64) {
    let count = u32::from(carried.0[63] & 63).min(phase);
    (count, low_bits(phase) & !low_bits(phase - count))
}

/// The append step (spec 04 section 4.3): accepts the first `accepted` bytes; operand 1 is the align
/// register.
#[inline(always)]
fn append<L: Lanes>(bytes: L, accepted: u32, step: &mut Step<'_>) -> Result<(), Fault> {
    let carried = step.valign(1);
    if accepted == 0 {
        step.set_valign(1, *carried);
        return Ok(());
    }
    let base = step.ar(2);
    let phase = base & 63;
    let end = phase + accepted;
    let (count, kept) = pending(carried, phase);
    let at_line = bytes.permute(L::iota::<8>().sub::<8>(L::splat::<8>(phase)));
    let fresh = low_bits(end.min(64)) & !low_bits(phase);
    let joined = L::blend(fresh, at_line, L::load(&carried.0));
    let (left, count) = if end < 64 {
        (L::blend(kept | fresh, joined, L::zero()), count + accepted)
    } else {
        let line = base & !63;
        let merged = L::blend(kept | fresh, joined, L::load(step.memory(line)?));
        merged.store(&mut step.store(line, 64)?.0);
        (L::blend(low_bits(end - 64), at_line, L::zero()), end - 64)
    };
    let mut next = Line::default();
    left.store(&mut next.0);
    // Position 63 never holds a pending byte.
    next.0[63] = count as u8;
    step.set_valign(1, next);
    Ok(())
}

/// `SAPOS_FP`: writes the pending bytes and clears the register (V-12).
#[inline(always)]
fn flush<L: Lanes>(step: &mut Step<'_>) -> Result<(), Fault> {
    let base = step.ar(1);
    let carried = step.valign(0);
    let (count, kept) = pending(carried, base & 63);
    if count > 0 {
        let line = base & !63;
        let merged = L::blend(kept, L::load(&carried.0), L::load(step.memory(line)?));
        merged.store(&mut step.store(line, 64)?.0);
    }
    step.set_valign(0, Line::default());
    Ok(())
}
