//! Part 04: the lane crossbar (spec 05 section 5.2 from `SEL` to `SHFLI_S4`; values in spec 04
//! section 5). Results post at 10 and controls at 12; the rows with `crossbar` have the other
//! reading of T-03.

use crate::schedule::table::family::{FAMILY, Family, between, one_of, ops, port, with};
use crate::schedule::table::operand::{ISEL, ISHFL, SLCT, SLCT_H, SR, VBR, VR, VS, VT, VU};
use crate::schedule::table::slots::{
    ALU9, DCMPRS2, DEAL4, PERM7, SELI_S0, SELI_S2, SELI_S4, SHFLI_S0,
};
use contract::isa::RegClass;

/// Select, shuffle, dual select, compress and the slot-pinned immediate forms.
#[rustfmt::skip]
pub(in crate::schedule::table) const CROSSBAR: &[Family] = &[
    // T-03
    Family {
        name: "SEL", slots: PERM7, crossbar: true,
        members: &[ops(&["SEL2NX8", "SELNX16", "SELN_2X32"])],
        operands: &[VT, VS, VR, SR],
        postings: &[VT.def_at(10), VS.use_at(10), VR.use_at(10), SR.use_at(12)],
        ..FAMILY
    },
    // T-03, T-06
    Family {
        name: "SEL_T", slots: PERM7, crossbar: true,
        members: &[ops(&["SEL2NX8T", "SELNX16T", "SELN_2X32T"])],
        operands: &[VT, VS, VR, SR, VBR],
        postings: &[
            VT.use_at(10), VT.def_at(10), VS.use_at(10), VR.use_at(10), SR.use_at(12),
            VBR.use_at(10),
        ],
        ..FAMILY
    },
    // T-03
    Family {
        name: "SEL_I", slots: ALU9, crossbar: true,
        members: &[with(&["SEL2NX8I"], &[between(0, 127)])],
        operands: &[VT, VS, VR, ISEL],
        postings: &[VT.def_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03
    Family {
        name: "SHFL", slots: PERM7, crossbar: true,
        members: &[ops(&["SHFL2NX8", "SHFLNX16", "SHFLN_2X32"])],
        operands: &[VT, VR, SR],
        postings: &[VT.def_at(10), VR.use_at(10), SR.use_at(12)],
        ..FAMILY
    },
    // T-03, T-06
    Family {
        name: "SHFL_T", slots: PERM7, crossbar: true,
        members: &[ops(&["SHFL2NX8T", "SHFLNX16T", "SHFLN_2X32T"])],
        operands: &[VT, VR, SR, VBR],
        postings: &[VT.use_at(10), VT.def_at(10), VR.use_at(10), SR.use_at(12), VBR.use_at(10)],
        ..FAMILY
    },
    // T-03
    Family {
        name: "SHFL_I", slots: ALU9, crossbar: true,
        members: &[with(&["SHFL2NX8I"], &[between(0, 127)])],
        operands: &[VT, VR, ISHFL],
        postings: &[VT.def_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-07, T-19, T-22
    Family {
        name: "DSEL", slots: DEAL4, crossbar: true,
        members: &[ops(&["DSELNX16", "DSELN_2X32"])],
        operands: &[VU, VT, VS, VR, SR],
        postings: &[VU.def_at(10), VT.def_at(10), VS.use_at(10), VR.use_at(10), SR.use_at(12)],
        ..FAMILY
    },
    // T-03, T-06, T-07, T-19, T-22
    Family {
        name: "DSEL_T", slots: DEAL4, crossbar: true,
        members: &[ops(&["DSELNX16T", "DSELN_2X32T"])],
        operands: &[VU, VT, VS, VR, SR, VBR],
        postings: &[
            VU.use_at(10), VU.def_at(10), VT.use_at(10), VT.def_at(10), VS.use_at(10),
            VR.use_at(10), SR.use_at(12), VBR.use_at(10),
        ],
        ..FAMILY
    },
    // T-03, T-19, T-22
    Family {
        name: "DSEL_I", slots: DEAL4, crossbar: true,
        members: &[with(&["DSEL2NX8I"], &[between(0, 15)])],
        operands: &[VU, VT, VS, VR, SLCT],
        postings: &[VU.def_at(10), VT.def_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-06, T-19, T-22
    Family {
        name: "DSEL_I_H", slots: DEAL4, crossbar: true,
        members: &[with(&["DSEL2NX8I_H"], &[between(0, 15)])],
        operands: &[VU, VT, VS, VR, SLCT_H],
        postings: &[VU.use_at(10), VU.def_at(10), VT.def_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-08
    Family {
        name: "DCMPRS", slots: DCMPRS2,
        members: &[ops(&["DCMPRS2NX8"])],
        operands: &[VT, VR, VBR],
        postings: &[VBR.use_at(10), VR.use_at(10), VT.def_at(12), port(RegClass::Pr, 12)],
        ..FAMILY
    },
    // T-03, T-19
    Family {
        name: "SELI_S0", slots: SELI_S0, crossbar: true,
        members: &[with(&["SEL2NX8I_S0"], &[one_of(&[0, 1, 2, 3, 8, 16, 32, 64])])],
        operands: &[VT, VS, VR, ISEL],
        postings: &[VT.def_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-19
    Family {
        name: "SELI_S2", slots: SELI_S2, crossbar: true,
        members: &[with(&["SEL2NX8I_S2"], &[one_of(&[0, 1, 2, 3, 8, 16, 32, 64])])],
        operands: &[VT, VS, VR, ISEL],
        postings: &[VT.def_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-19
    Family {
        name: "SELI_S4", slots: SELI_S4, crossbar: true,
        members: &[with(&["SEL2NX8I_S4"], &[one_of(&[0, 1, 2, 3, 8, 16, 32, 64])])],
        operands: &[VT, VS, VR, ISEL],
        postings: &[VT.def_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-19
    Family {
        name: "SHFLI_S0", slots: SHFLI_S0, crossbar: true,
        members: &[with(&["SHFL2NX8I_S0"], &[one_of(&[0, 1, 2, 3, 8, 16, 32, 64])])],
        operands: &[VT, VR, ISHFL],
        postings: &[VT.def_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-19
    Family {
        name: "SHFLI_S2", slots: SELI_S2, crossbar: true,
        members: &[with(&["SHFL2NX8I_S2"], &[one_of(&[0, 1, 2, 3, 8, 16, 32, 64])])],
        operands: &[VT, VR, ISHFL],
        postings: &[VT.def_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-03, T-19
    Family {
        name: "SHFLI_S4", slots: SELI_S4, crossbar: true,
        members: &[with(&["SHFL2NX8I_S4"], &[one_of(&[0, 1, 2, 3, 8, 16, 32, 64])])],
        operands: &[VT, VR, ISHFL],
        postings: &[VT.def_at(10), VR.use_at(10)],
        ..FAMILY
    },
];
