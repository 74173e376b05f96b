//! Plain loads and stores (spec 04 section 4.6). Low address bits below the access size are ignored;
//! nothing here faults on misalignment.

use super::element::{Element, NARROW};
use super::lanes::Lanes;
use super::step::{Fault, Step};
use super::table::Rows;

/// How the address is formed; operand 1 is the base, operand 2 the offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Addressing {
    /// `_I`: base plus immediate.
    Immediate,
    /// `_IP`: base, then the immediate is added to it.
    ImmediatePost,
    /// `_X`: base plus register.
    Register,
    /// `_XP`: base, then the register is added to it.
    RegisterPost,
}

impl Addressing {
    /// Address of the access; a post-update is written to the base register.
    #[inline(always)]
    pub(super) fn effective(self, step: &mut Step<'_>) -> u32 {
        let base = step.ar(1);
        let offset = match self {
            Self::Immediate | Self::ImmediatePost => step.imm(2),
            Self::Register | Self::RegisterPost => step.ar(2),
        };
        let sum = base.wrapping_add(offset);
        match self {
            Self::Immediate | Self::Register => sum,
            Self::ImmediatePost | Self::RegisterPost => {
                step.set_ar(1, sum);
                base
            }
        }
    }
}

/// What an op of the family does.
#[derive(Debug, Clone, Copy)]
pub(super) enum MemoryOp {
    /// `LV`: `vt, ars, offset`
    Load(Element, Addressing),
    /// `SV`: `vr, ars, offset`
    Store(Element, Addressing),
    /// `SV…T`: `vr, ars, offset, vbr`
    StoreMasked(Element, Addressing),
    /// `LB2N`: `vbt, ars, imm`
    LoadBits(Addressing),
    /// `SB2N`: `vbr, ars, imm`
    StoreBits(Addressing),
}

/// Names of the family.
pub(super) fn rows(rows: &mut Rows<'_, MemoryOp>) {
    for (mode, addressing) in [
        ("I", Addressing::Immediate),
        ("IP", Addressing::ImmediatePost),
        ("X", Addressing::Register),
        ("XP", Addressing::RegisterPost),
    ] {
        for (name, element) in [("2NX8", Element::Whole)].into_iter().chain(NARROW) {
            rows.add(&format!("LV{name}_{mode}"), MemoryOp::Load(element, addressing));
            rows.add(&format!("SV{name}_{mode}"), MemoryOp::Store(element, addressing));
            rows.add(&format!("SV{name}T_{mode}"), MemoryOp::StoreMasked(element, addressing));
        }
        if matches!(addressing, Addressing::Immediate | Addressing::ImmediatePost) {
            rows.add(&format!("LB2N_{mode}"), MemoryOp::LoadBits(addressing));
            rows.add(&format!("SB2N_{mode}"), MemoryOp::StoreBits(addressing));
        }
    }
}

/// Executes the op.
#[inline(always)]
pub(super) fn run<L: Lanes>(op: MemoryOp, step: &mut Step<'_>) -> Result<(), Fault> {
    match op {
        MemoryOp::Load(element, addressing) => {
            let address = addressing.effective(step) & !(element.bytes() - 1);
            let bytes = match element {
                Element::Whole => L::load(step.memory(address)?),
                _ => low_half(step.memory(address)?),
            };
            step.set_vec(0, element.widen::<L>(bytes));
        }
        MemoryOp::Store(element, addressing) => {
            let address = addressing.effective(step) & !(element.bytes() - 1);
            let bytes = element.narrow::<L>(step.vec(0));
            bytes.store(&mut step.store(address, element.bytes() as usize)?.0);
        }
        MemoryOp::StoreMasked(element, addressing) => {
            let address = addressing.effective(step) & !(element.bytes() - 1);
            let bytes = element.narrow::<L>(step.vec(0));
            let old = match element {
                Element::Whole => L::load(step.memory(address)?),
                _ => low_half(step.memory(address)?),
            };
            let merged = L::blend(element.store_mask(step.vbool(3)), bytes, old);
            merged.store(&mut step.store(address, element.bytes() as usize)?.0);
        }
        MemoryOp::LoadBits(addressing) => {
            let address = addressing.effective(step) & !7;
            let bits = u64::from_le_bytes(*step.memory(address)?);
            step.set_vbool(0, bits);
        }
        MemoryOp::StoreBits(addressing) => {
            let address = addressing.effective(step) & !7;
            let bits = step.vbool(0).to_le_bytes();
            step.store(address, bits.len())?.0[..bits.len()].copy_from_slice(&bits);
        }
    }
    Ok(())
}

/// 32 bytes in the low half of a register.
#[inline(always)]
fn low_half<L: Lanes>(bytes: &[u8; 32]) -> L {
    let mut line = [0; 64];
    line[..32].copy_from_slice(bytes);
    L::load(&line)
}
