//! Part 04: replicate, inject, extract and move (spec 05 section 5.2 from `REP` to `MOVAB1`; values
//! in spec 04 section 6 and spec 09 section 8).

use crate::schedule::table::family::{FAMILY, Family, between, ops, with};
use crate::schedule::table::operand::{
    ARS, ART, IMM, IMM0, IMM1, PRR, PRT, VBR, VBT, VR, VS, VT, WVR, WVT,
};
use crate::schedule::table::slots::{
    ALU8_NO_N0, ALU9, ALU13_T, INJ18, LD8, MOV23, MUL8N1, REP17, XPR15,
};

/// One lane to all, one lane to a scalar.
#[rustfmt::skip]
pub(in crate::schedule::table) const REPLICATE: &[Family] = &[
    // T-19
    Family {
        name: "REP", slots: REP17,
        members: &[
            with(&["REP2NX8"], &[between(0, 63)]),
            with(&["REPNX16"], &[between(0, 31)]),
            with(&["REPN_2X32"], &[between(0, 15)]),
        ],
        operands: &[VT, VR, IMM],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-19
    Family {
        name: "REP_T", slots: REP17,
        members: &[
            with(&["REP2NX8T"], &[between(0, 63)]),
            with(&["REPNX16T"], &[between(0, 31)]),
            with(&["REPN_2X32T"], &[between(0, 15)]),
        ],
        operands: &[VT, VR, IMM, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-19
    Family {
        name: "INJBI", slots: INJ18,
        members: &[
            with(&["INJBI2NX8"], &[between(0, 7)]),
            with(&["INJBINX16"], &[between(0, 15)]),
            with(&["INJBIN_2X32"], &[between(0, 31)]),
        ],
        operands: &[VT, VBR, IMM],
        postings: &[VT.use_at(10), VT.def_at(11), VBR.use_at(10)],
        ..FAMILY
    },
    // T-16
    Family {
        name: "EXTR", slots: ALU9,
        members: &[
            with(&["EXTR2NX8"], &[between(0, 63)]),
            with(&["EXTRNX16"], &[between(0, 31)]),
            with(&["EXTRN_2X32"], &[between(0, 15)]),
        ],
        operands: &[ART, VR, IMM],
        postings: &[ART.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // T-15, T-16
    Family {
        name: "EXTRVR", slots: ALU8_NO_N0,
        members: &[ops(&["EXTRVRN_2X32"])],
        operands: &[ART, VR, ARS],
        postings: &[ARS.use_at(3), ART.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // T-16
    Family {
        name: "EXTRPR", slots: XPR15,
        members: &[
            with(&["EXTRPR2NX8"], &[between(0, 63)]),
            with(&["EXTRPRNX16"], &[between(0, 31)]),
            with(&["EXTRPRN_2X32"], &[between(0, 15)]),
            with(&["EXTRPR64N_4X64"], &[between(0, 7)]),
        ],
        operands: &[PRT, VR, IMM],
        postings: &[PRT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // T-16
    Family {
        name: "EXTRPRVR", slots: ALU9,
        members: &[ops(&["EXTRPRVRN_2X32"])],
        operands: &[PRT, VR, VS],
        postings: &[PRT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-16
    Family {
        name: "DEXTRPR", slots: ALU9,
        members: &[with(&["DEXTRPRN_2X32"], &[between(0, 15), between(0, 15)])],
        operands: &[PRT, VR, VS, IMM0, IMM1],
        postings: &[PRT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
];

/// Moves inside and between register files.
#[rustfmt::skip]
pub(in crate::schedule::table) const MOVE: &[Family] = &[
    // T-17, T-19
    Family {
        name: "MOVVV", slots: MOV23,
        members: &[ops(&["MOVVV"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-17
    Family {
        name: "MOV_T", slots: ALU13_T,
        members: &[ops(&["MOV2NX8T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(10), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-15, T-17
    Family {
        name: "MOVVA", slots: LD8,
        members: &[ops(&["MOVVA8", "MOVVA16", "MOVVA32"])],
        operands: &[VT, ARS],
        postings: &[ARS.use_at(3), VT.def_at(11)],
        ..FAMILY
    },
    // T-17
    Family {
        name: "MOVVINT", slots: LD8,
        members: &[
            with(&["MOVVINT8"], &[between(-128, 127)]),
            with(&["MOVVINT16"], &[between(-32768, 32767)]),
            with(&["MOVVINX16"], &[between(0, 7)]),
        ],
        operands: &[VT, IMM],
        postings: &[VT.def_at(11)],
        ..FAMILY
    },
    // T-16, T-17
    Family {
        name: "MOVAV", slots: ALU9,
        members: &[ops(&["MOVAV8", "MOVAV16", "MOVAV32", "MOVAVU8", "MOVAVU16"])],
        operands: &[ART, VR],
        postings: &[ART.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // T-17
    Family {
        name: "MOVPRPR", slots: ALU9,
        members: &[ops(&["MOVPRPR"])],
        operands: &[PRT, PRR],
        postings: &[PRT.def_at(11), PRR.use_at(10)],
        ..FAMILY
    },
    // T-17
    Family {
        name: "MOVVPR", slots: ALU9,
        members: &[ops(&["MOVVPR"])],
        operands: &[VT, PRR],
        postings: &[VT.def_at(12), PRR.use_at(10)],
        ..FAMILY
    },
    // T-15, T-17
    Family {
        name: "MOVPRA", slots: XPR15,
        members: &[ops(&["MOVPRA32"])],
        operands: &[PRT, ARS],
        postings: &[ARS.use_at(3), PRT.def_at(11)],
        ..FAMILY
    },
    // T-17, T-19, M-37
    Family {
        name: "MOVWW", slots: MUL8N1,
        members: &[ops(&["MOVWW"])],
        operands: &[WVT, WVR],
        postings: &[WVT.def_at(12), WVR.use_at(10)],
        ..FAMILY
    },
    // T-15, T-17
    Family {
        name: "MOVBA1", slots: LD8,
        members: &[ops(&["MOVBA1"])],
        operands: &[VBT, ARS],
        postings: &[ARS.use_at(3), VBT.def_at(10)],
        ..FAMILY
    },
    // T-16, T-17
    Family {
        name: "MOVAB1", slots: ALU9,
        members: &[ops(&["MOVAB1"])],
        operands: &[ART, VBR],
        postings: &[ART.def_at(12), VBR.use_at(10)],
        ..FAMILY
    },
];
