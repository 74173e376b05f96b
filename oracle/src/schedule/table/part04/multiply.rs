//! Part 04: the multiplies and packs that spec 05 section 5.2 lists (`MULPACK` to `PACK`; values in
//! spec 07 and spec 04 section 10).

use crate::schedule::table::family::{FAMILY, Family, ops};
use crate::schedule::table::operand::{PRR, VBR, VR, VS, VT, WVR, WVT};
use crate::schedule::table::slots::{LD8, MUL7, MUL8N1, MULPK4};

/// Multiply, accumulate, pack. The accumulator of `MULA` is read where it is written.
#[rustfmt::skip]
pub(in crate::schedule::table) const MULTIPLY: &[Family] = &[
    // T-18, T-19, M-37
    Family {
        name: "MULPACK", slots: MULPK4,
        members: &[ops(&["MULNX16PACKL"])],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-18, T-19, M-37
    Family {
        name: "MULPACK_A", slots: MULPK4,
        members: &[ops(&["MULANX16PACKL"])],
        operands: &[VT, VR, VS],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-06, T-18, T-19, M-37
    Family {
        name: "MULPACK_AT", slots: MULPK4,
        members: &[ops(&["MULANX16PACKLT"])],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-19, M-37
    Family {
        name: "MUL_W", slots: MUL8N1,
        members: &[ops(&["MUL2NX8", "MULNX16"])],
        operands: &[WVT, VR, VS],
        postings: &[WVT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19, M-37
    Family {
        name: "MULP_W", slots: MUL7,
        members: &[ops(&["MULPN16XR16"])],
        operands: &[WVT, VR, VS, PRR],
        postings: &[WVT.def_at(12), VR.use_at(10), VS.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-19, M-37
    Family {
        name: "MULA_W", slots: MUL8N1,
        members: &[ops(&["MULA2NX8", "MULANX16"])],
        operands: &[WVT, VR, VS],
        postings: &[WVT.use_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-18, T-19
    Family {
        name: "PACK", slots: LD8,
        members: &[ops(&["PACKL2NX24", "PACKLNX48"])],
        operands: &[VT, WVR],
        postings: &[VT.def_at(12), WVR.use_at(10)],
        ..FAMILY
    },
];
