//! Part 04: plain, predicated, single-element and predicate loads and stores (spec 05 section 5.2
//! from `LV_I` to `SB_IP`; values in spec 04 section 4.6 and spec 09 section 4). Members of a
//! family that share a range of immediates stand together.

use crate::schedule::table::family::{FAMILY, Family, LOAD, STORE, between, multiples, ops, with};
use crate::schedule::table::operand::{ARS, ART, IMM, VBR, VBT, VR, VT};
use crate::schedule::table::slots::{LD8, LOAD18, STORE8_NO_N0, STORE8_NO_N1, STORE9};

/// Loads.
#[rustfmt::skip]
pub(in crate::schedule::table) const LOADS: &[Family] = &[
    // T-19
    Family {
        name: "LV_I", slots: LOAD18, memory: LOAD,
        members: &[
            with(&["LV2NX8_I"], &[multiples(64, -512, 448)]),
            with(&[
                "LVNX8S_I", "LVNX8U_I", "LVN_2X16S_I", "LVN_2X16U_I",
            ], &[multiples(32, -256, 224)]),
            with(&["LS2NX8_I", "LSNX8S_I", "LSR2NX8_I"], &[between(-32, 31)]),
            with(&["LSNX16_I", "LSN_2X16S_I", "LSRNX16_I"], &[multiples(2, -64, 62)]),
            with(&["LSN_2X32_I", "LSRN_2X32_I"], &[multiples(4, -128, 124)]),
            with(&["LSN_4X64_I", "LSRN_4X64_I"], &[multiples(8, -256, 248)]),
            with(&["LSN_8X128_I"], &[multiples(16, -512, 496)]),
            with(&["LSN_16X256_I"], &[multiples(32, -1024, 992)]),
        ],
        operands: &[VT, ARS, IMM],
        postings: &[ARS.use_at(1), VT.def_at(10)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "LV_IP", slots: LOAD18, memory: LOAD,
        members: &[
            with(&["LV2NX8_IP"], &[multiples(64, -512, 448)]),
            with(&[
                "LVNX8S_IP", "LVNX8U_IP", "LVN_2X16S_IP", "LVN_2X16U_IP",
            ], &[multiples(32, -256, 224)]),
            with(&["LS2NX8_IP", "LSNX8S_IP", "LSR2NX8_IP"], &[between(-32, 31)]),
            with(&["LSNX16_IP", "LSN_2X16S_IP", "LSRNX16_IP"], &[multiples(2, -64, 62)]),
            with(&["LSN_2X32_IP", "LSRN_2X32_IP"], &[multiples(4, -128, 124)]),
            with(&["LSN_4X64_IP", "LSRN_4X64_IP"], &[multiples(8, -256, 248)]),
            with(&["LSN_8X128_IP"], &[multiples(16, -512, 496)]),
            with(&["LSN_16X256_IP"], &[multiples(32, -1024, 992)]),
        ],
        operands: &[VT, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), VT.def_at(10)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "LV_X", slots: LOAD18, memory: LOAD,
        members: &[
            ops(&[
                "LV2NX8_X", "LVNX8S_X", "LVNX8U_X", "LVN_2X16S_X", "LVN_2X16U_X", "LS2NX8_X",
                "LSNX16_X", "LSNX8S_X", "LSN_2X16S_X", "LSN_2X32_X", "LSN_4X64_X", "LSN_8X128_X",
                "LSN_16X256_X", "LSR2NX8_X", "LSRNX16_X", "LSRN_2X32_X", "LSRN_4X64_X",
            ]),
        ],
        operands: &[VT, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), VT.def_at(10)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "LV_XP", slots: LOAD18, memory: LOAD,
        members: &[
            ops(&[
                "LV2NX8_XP", "LVNX8S_XP", "LVNX8U_XP", "LVN_2X16S_XP", "LVN_2X16U_XP", "LS2NX8_XP",
                "LSNX16_XP", "LSNX8S_XP", "LSN_2X16S_XP", "LSN_2X32_XP", "LSN_4X64_XP",
                "LSN_8X128_XP", "LSN_16X256_XP", "LSR2NX8_XP", "LSRNX16_XP", "LSRN_2X32_XP",
                "LSRN_4X64_XP",
            ]),
        ],
        operands: &[VT, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VT.def_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "LB_I", slots: LD8, memory: LOAD,
        members: &[
            with(&["LBN_I"], &[multiples(4, -32, 28)]),
            with(&["LB2N_I"], &[multiples(8, -64, 56)]),
            with(&["LBN_2_I"], &[multiples(2, -16, 14)]),
        ],
        operands: &[VBT, ARS, IMM],
        postings: &[ARS.use_at(1), VBT.def_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "LB_IP", slots: LD8, memory: LOAD,
        members: &[
            with(&["LBN_IP"], &[multiples(4, -32, 28)]),
            with(&["LB2N_IP"], &[multiples(8, -64, 56)]),
            with(&["LBN_2_IP"], &[multiples(2, -16, 14)]),
        ],
        operands: &[VBT, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), VBT.def_at(10)],
        ..FAMILY
    },
];

/// Stores: no register is defined but the base.
#[rustfmt::skip]
pub(in crate::schedule::table) const STORES: &[Family] = &[
    // T-20
    Family {
        name: "SV_I", slots: STORE9, memory: STORE,
        members: &[
            with(&["SV2NX8_I"], &[multiples(64, -512, 448)]),
            with(&[
                "SVNX8S_I", "SVNX8U_I", "SVN_2X16S_I", "SVN_2X16U_I",
            ], &[multiples(32, -256, 224)]),
        ],
        operands: &[VR, ARS, IMM],
        postings: &[ARS.use_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-20
    Family {
        name: "SVT_I", slots: STORE9, memory: STORE,
        members: &[
            with(&["SV2NX8T_I"], &[multiples(64, -512, 448)]),
            with(&[
                "SVNX8ST_I", "SVNX8UT_I", "SVN_2X16ST_I", "SVN_2X16UT_I",
            ], &[multiples(32, -256, 224)]),
        ],
        operands: &[VR, ARS, IMM, VBR],
        postings: &[ARS.use_at(1), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SS_I", slots: STORE8_NO_N1, memory: STORE,
        members: &[
            with(&["SS2NX8_I", "SSNX8S_I"], &[between(-32, 31)]),
            with(&["SSNX16_I", "SSN_2X16S_I"], &[multiples(2, -64, 62)]),
            with(&["SSN_2X32_I"], &[multiples(4, -128, 124)]),
            with(&["SSN_4X64_I"], &[multiples(8, -256, 248)]),
            with(&["SSN_8X128_I"], &[multiples(16, -512, 496)]),
            with(&["SSN_16X256_I"], &[multiples(32, -1024, 992)]),
        ],
        operands: &[VR, ARS, IMM],
        postings: &[ARS.use_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SV_IP", slots: STORE9, memory: STORE,
        members: &[
            with(&["SV2NX8_IP"], &[multiples(64, -512, 448)]),
            with(&[
                "SVNX8S_IP", "SVNX8U_IP", "SVN_2X16S_IP", "SVN_2X16U_IP",
            ], &[multiples(32, -256, 224)]),
        ],
        operands: &[VR, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-20
    Family {
        name: "SVT_IP", slots: STORE9, memory: STORE,
        members: &[
            with(&["SV2NX8T_IP"], &[multiples(64, -512, 448)]),
            with(&[
                "SVNX8ST_IP", "SVNX8UT_IP", "SVN_2X16ST_IP", "SVN_2X16UT_IP",
            ], &[multiples(32, -256, 224)]),
        ],
        operands: &[VR, ARS, IMM, VBR],
        postings: &[ARS.use_at(1), ARS.def_at(1), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SS_IP", slots: STORE8_NO_N1, memory: STORE,
        members: &[
            with(&["SS2NX8_IP", "SSNX8S_IP"], &[between(-32, 31)]),
            with(&["SSNX16_IP", "SSN_2X16S_IP"], &[multiples(2, -64, 62)]),
            with(&["SSN_2X32_IP"], &[multiples(4, -128, 124)]),
            with(&["SSN_4X64_IP"], &[multiples(8, -256, 248)]),
            with(&["SSN_8X128_IP"], &[multiples(16, -512, 496)]),
            with(&["SSN_16X256_IP"], &[multiples(32, -1024, 992)]),
        ],
        operands: &[VR, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SV_X", slots: STORE9, memory: STORE,
        members: &[ops(&["SV2NX8_X", "SVNX8S_X", "SVNX8U_X", "SVN_2X16S_X", "SVN_2X16U_X"])],
        operands: &[VR, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-20
    Family {
        name: "SVT_X", slots: STORE9, memory: STORE,
        members: &[ops(&["SV2NX8T_X", "SVNX8ST_X", "SVNX8UT_X", "SVN_2X16ST_X", "SVN_2X16UT_X"])],
        operands: &[VR, ARS, ART, VBR],
        postings: &[ARS.use_at(1), ART.use_at(1), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SS_X", slots: STORE8_NO_N1, memory: STORE,
        members: &[
            ops(&[
                "SS2NX8_X", "SSNX16_X", "SSNX8S_X", "SSN_2X16S_X", "SSN_2X32_X", "SSN_4X64_X",
                "SSN_8X128_X", "SSN_16X256_X",
            ]),
        ],
        operands: &[VR, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SV_XP", slots: STORE9, memory: STORE,
        members: &[ops(&["SV2NX8_XP", "SVNX8S_XP", "SVNX8U_XP", "SVN_2X16S_XP", "SVN_2X16U_XP"])],
        operands: &[VR, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, T-20
    Family {
        name: "SVT_XP", slots: STORE9, memory: STORE,
        members: &[
            ops(&["SV2NX8T_XP", "SVNX8ST_XP", "SVNX8UT_XP", "SVN_2X16ST_XP", "SVN_2X16UT_XP"]),
        ],
        operands: &[VR, ARS, ART, VBR],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SS_XP", slots: STORE8_NO_N1, memory: STORE,
        members: &[
            ops(&[
                "SS2NX8_XP", "SSNX16_XP", "SSNX8S_XP", "SSN_2X16S_XP", "SSN_2X32_XP", "SSN_4X64_XP",
                "SSN_8X128_XP", "SSN_16X256_XP",
            ]),
        ],
        operands: &[VR, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SB_I", slots: STORE8_NO_N0, memory: STORE,
        members: &[
            with(&["SBN_I"], &[multiples(4, -32, 28)]),
            with(&["SB2N_I"], &[multiples(8, -64, 56)]),
            with(&["SBN_2_I"], &[multiples(2, -16, 14)]),
        ],
        operands: &[VBR, ARS, IMM],
        postings: &[ARS.use_at(1), VBR.use_at(10)],
        ..FAMILY
    },
    // T-20
    Family {
        name: "SB_IP", slots: STORE8_NO_N0, memory: STORE,
        members: &[
            with(&["SBN_IP"], &[multiples(4, -32, 28)]),
            with(&["SB2N_IP"], &[multiples(8, -64, 56)]),
            with(&["SBN_2_IP"], &[multiples(2, -16, 14)]),
        ],
        operands: &[VBR, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), VBR.use_at(10)],
        ..FAMILY
    },
];
