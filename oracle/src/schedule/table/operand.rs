//! Operand names of the table and the class of each: a name means the same class in every row.

use super::family::Operand;
use contract::isa::OperandKind::{Imm, Reg};
use contract::isa::RegClass::{self, Ar, Gvr, Pr, Valign, Vbool, Vec, Wvec};

const fn register(name: &'static str, class: RegClass) -> Operand {
    Operand { name, kind: Reg(class) }
}

const fn immediate(name: &'static str) -> Operand {
    Operand { name, kind: Imm }
}

/// Address, first scalar source, or the `AR` that a vector op reads.
pub const ARS: Operand = register("ars", Ar);
/// Index, second scalar source, or scalar result.
pub const ART: Operand = register("art", Ar);
/// Scalar result.
pub const ARR: Operand = register("arr", Ar);

/// Result, or the low one of two.
pub const VT: Operand = register("vt", Vec);
/// Second result.
pub const VU: Operand = register("vu", Vec);
/// First source.
pub const VR: Operand = register("vr", Vec);
/// Second source.
pub const VS: Operand = register("vs", Vec);
/// Third source.
pub const VP: Operand = register("vp", Vec);
/// Fourth source.
pub const VQ: Operand = register("vq", Vec);
/// Control vector.
pub const SR: Operand = register("sr", Vec);

/// Result.
pub const VBT: Operand = register("vbt", Vbool);
/// Mask or first source.
pub const VBR: Operand = register("vbr", Vbool);
/// Second source.
pub const VBS: Operand = register("vbs", Vbool);

/// Align register.
pub const U: Operand = register("u", Valign);
/// Source.
pub const US: Operand = register("us", Valign);

/// Accumulator.
pub const WVT: Operand = register("wvt", Wvec);
/// Second accumulator.
pub const WVU: Operand = register("wvu", Wvec);
/// Source.
pub const WVR: Operand = register("wvr", Wvec);

/// Result.
pub const PRT: Operand = register("prt", Pr);
/// Source.
pub const PRR: Operand = register("prr", Pr);

/// Result.
pub const GT: Operand = register("gt", Gvr);
/// Source.
pub const GS: Operand = register("gs", Gvr);

/// Number.
pub const IMM: Operand = immediate("imm");
/// First of two numbers.
pub const IMM0: Operand = immediate("imm0");
/// Second of two numbers.
pub const IMM1: Operand = immediate("imm1");
/// Select pattern.
pub const ISEL: Operand = immediate("isel");
/// Shuffle pattern.
pub const ISHFL: Operand = immediate("ishfl");
/// Dual-select pattern.
pub const SLCT: Operand = immediate("slct");
/// Dual-select pattern, upper half.
pub const SLCT_H: Operand = immediate("slct_h");
