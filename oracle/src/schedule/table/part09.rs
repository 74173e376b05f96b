//! Part 09: gather and scatter, divide, and the rest of the integer unit (spec 09 section 9; golden
//! `lat_table_09.json`). `FS` is not scoreboarded (G-48).

use crate::schedule::table::family::{
    FAMILY, Family, LOAD, PAIRED_LOAD, STORE, between, multiples, ops, port, with,
};
use crate::schedule::table::operand::{
    ARR, ARS, ART, GS, GT, IMM, U, VBR, VBS, VBT, VR, VS, VT, VU,
};
use crate::schedule::table::slots::{
    ADDMOD7, ALU8_NO_N0, ALU9, ALU15, COUNTM4, DIV1, DUAL2, FSCMP5, FSFOLD2, LD8, LD9_F11, POPC3,
    SCAT2, SGINC7, STORE8_NO_N1, STORE9, X1_ONLY,
};
use contract::isa::RegClass;

/// Every row of part 09.
#[rustfmt::skip]
pub(super) const PART_09: &[Family] = &[
    // G-40
    Family {
        name: "GATHERA", slots: STORE9, memory: LOAD,
        members: &[ops(&["GATHERANX16", "GATHERANX8U", "GATHERAN_2X32"])],
        operands: &[GT, ARS, VS],
        postings: &[ARS.use_at(1), GT.def_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // G-40
    Family {
        name: "GATHERA_T", slots: STORE9, memory: LOAD,
        members: &[ops(&["GATHERANX16T", "GATHERANX8UT", "GATHERAN_2X32T"])],
        operands: &[GT, ARS, VS, VBR],
        postings: &[ARS.use_at(1), GT.def_at(10), VBR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // G-41
    Family {
        name: "GATHERD", slots: LD8,
        members: &[ops(&["GATHERDNX16", "GATHERDNX8S", "GATHERD2NX8_L"])],
        operands: &[VT, GS],
        postings: &[GS.use_at(9), VT.def_at(11)],
        ..FAMILY
    },
    // G-41, T-06
    Family {
        name: "GATHERD_M", slots: LD8,
        members: &[ops(&["GATHERD2NX8_H"])],
        operands: &[VT, GS],
        postings: &[GS.use_at(9), VT.use_at(10), VT.def_at(11)],
        ..FAMILY
    },
    // G-42, T-08
    Family {
        name: "MOVGATHERD", slots: STORE8_NO_N1,
        members: &[ops(&["MOVGATHERD"])],
        operands: &[GT, VS],
        postings: &[GT.def_at(10), VS.use_at(10), port(RegClass::Pr, 12)],
        ..FAMILY
    },
    // G-40
    Family {
        name: "SCATTER", slots: SCAT2, memory: STORE,
        members: &[
            ops(&["SCATTERNX16", "SCATTERNX8U", "SCATTERN_2X32", "SCATTER2NX8_L", "SCATTER2NX8_H"]),
        ],
        operands: &[VR, ARS, VS],
        postings: &[ARS.use_at(1), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // G-40
    Family {
        name: "SCATTER_T", slots: SCAT2, memory: STORE,
        members: &[
            ops(&[
                "SCATTERNX16T", "SCATTERNX8UT", "SCATTERN_2X32T", "SCATTER2NX8T_L",
                "SCATTER2NX8T_H",
            ]),
        ],
        operands: &[VR, ARS, VS, VBR],
        postings: &[ARS.use_at(1), VBR.use_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // G-40
    Family {
        name: "SCATTERINC", slots: SGINC7, memory: STORE,
        members: &[ops(&["SCATTERINCNX16"])],
        operands: &[ARS, VS],
        postings: &[ARS.use_at(1), VS.use_at(10)],
        ..FAMILY
    },
    // G-40
    Family {
        name: "SCATTERINC_T", slots: SGINC7, memory: STORE,
        members: &[ops(&["SCATTERINCNX16T"])],
        operands: &[ARS, VS, VBR],
        postings: &[ARS.use_at(1), VBR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // G-43
    Family {
        name: "SCATTERW", slots: X1_ONLY,
        members: &[ops(&["SCATTERW"])],
        operands: &[],
        postings: &[],
        ..FAMILY
    },
    // G-44
    Family {
        name: "DIV_SEED", slots: DIV1,
        members: &[
            with(&[
                "DIVNX16Q_4STEP0", "DIVNX16SQ_4STEP0", "DIVNX16S_4STEP0", "DIVNX16U_4STEP0",
                "DIVN_2X32X16S_4STEP0", "DIVN_2X32X16U_4STEP0",
            ], &[between(0, 1)]),
        ],
        operands: &[VT, VU, VR, VS, IMM],
        postings: &[VT.def_at(12), VU.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // G-44
    Family {
        name: "DIV_STEP", slots: DIV1,
        members: &[
            with(&[
                "DIVNX16S_4STEP", "DIVNX16S_4STEPN", "DIVNX16U_4STEP", "DIVNX16U_4STEPN",
                "DIVN_2X32X16S_4STEP", "DIVN_2X32X16S_4STEPN", "DIVN_2X32X16U_4STEP",
                "DIVN_2X32X16U_4STEPN",
            ], &[between(0, 1)]),
        ],
        operands: &[VT, VU, VR, IMM],
        postings: &[VT.use_at(10), VT.def_at(12), VU.use_at(10), VU.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // G-45
    Family {
        name: "L2U", slots: DUAL2, memory: PAIRED_LOAD,
        members: &[ops(&["L2U2NX8_XP"])],
        operands: &[VT, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VT.def_at(10)],
        ..FAMILY
    },
    // G-45
    Family {
        name: "L2AU_IP", slots: DUAL2, memory: PAIRED_LOAD,
        members: &[ops(&["L2AU2NX8_IP"])],
        operands: &[VT, U, ARS],
        postings: &[ARS.use_at(1), ARS.def_at(1), U.def_at(9), VT.def_at(10)],
        ..FAMILY
    },
    // G-45
    Family {
        name: "L2AU_IPI", slots: DUAL2, memory: PAIRED_LOAD,
        members: &[with(&["L2AU2NX8_IPI"], &[multiples(64, -512, 448)])],
        operands: &[VT, U, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), U.def_at(9), VT.def_at(10)],
        ..FAMILY
    },
    // G-45
    Family {
        name: "L2AU_XP", slots: DUAL2, memory: PAIRED_LOAD,
        members: &[ops(&["L2AU2NX8_XP"])],
        operands: &[VT, U, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.def_at(9), VT.def_at(10)],
        ..FAMILY
    },
    // G-45, T-22
    Family {
        name: "L2A4_IP", slots: DUAL2, memory: PAIRED_LOAD,
        members: &[ops(&["L2A4NX8_IP"])],
        operands: &[VU, VT, U, ARS],
        postings: &[
            ARS.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VU.def_at(10), VT.def_at(10),
        ],
        ..FAMILY
    },
    // G-45
    Family {
        name: "LABVDCMPRS", slots: DUAL2, memory: LOAD,
        members: &[with(&["LABVDCMPRS2NX8_XP"], &[between(0, 1)])],
        operands: &[VBR, VT, U, ARS, ART, IMM],
        postings: &[
            ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VT.def_at(10),
            VBR.use_at(10),
        ],
        ..FAMILY
    },
    // T-05
    Family {
        name: "SQZ", slots: ALU9,
        members: &[ops(&["SQZ2N", "SQZN", "SQZN_2", "UNSQZ2N", "UNSQZN", "UNSQZN_2"])],
        operands: &[VT, ARR, VBR],
        postings: &[VT.def_at(12), ARR.def_at(12), VBR.use_at(10)],
        ..FAMILY
    },
    // G-46
    Family {
        name: "COUNT", slots: ALU8_NO_N0,
        members: &[ops(&["COUNTEQ4NX8", "COUNTEQZ4NX8", "COUNTLE4NX8", "COUNTLEZ4NX8"])],
        operands: &[VT, ARS, VR, VS],
        postings: &[ARS.use_at(3), ARS.def_at(3), VT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // G-46
    Family {
        name: "COUNT_M", slots: COUNTM4,
        members: &[ops(&["COUNTEQM4NX8", "COUNTEQMZ4NX8", "COUNTLEM4NX8", "COUNTLEMZ4NX8"])],
        operands: &[VT, ARS, VR, VS, VBS, VBR],
        postings: &[
            ARS.use_at(3), ARS.def_at(3), VT.def_at(12), VR.use_at(10), VS.use_at(10),
            VBS.use_at(10), VBR.use_at(10),
        ],
        ..FAMILY
    },
    // G-47
    Family {
        name: "POPC", slots: POPC3,
        members: &[ops(&["POPC2NX8"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // G-47
    Family {
        name: "ADDMOD", slots: ADDMOD7,
        members: &[ops(&["ADDMOD16U"])],
        operands: &[ARR, ARS, ART],
        postings: &[ARR.def_at(1), ARS.use_at(1), ART.use_at(1)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "ALU2Y", slots: ALU15,
        members: &[ops(&["AVGRU2NX8", "AVGRUNX16"])],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "MINORMAX", slots: ALU15,
        members: &[ops(&["MINORMAX2NX8", "MINORMAXU2NX8"])],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // G-48
    Family {
        name: "FSLTU", slots: FSCMP5,
        members: &[
            ops(&[
                "FS0LTU2NX8", "FS1LTU2NX8", "FS2LTU2NX8", "FS3LTU2NX8", "FS4LTU2NX8", "FS5LTU2NX8",
                "FS6LTU2NX8", "FS7LTU2NX8",
            ]),
        ],
        operands: &[VR, VS],
        postings: &[VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "EXTBI", slots: ALU9,
        members: &[
            with(&["EXTBI2NX8"], &[between(0, 7)]),
            with(&["EXTBINX16"], &[between(0, 15)]),
            with(&["EXTBIN_2X32"], &[between(0, 31)]),
        ],
        operands: &[VBT, VR, IMM],
        postings: &[VBT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // T-14, G-32
    Family {
        name: "VBALU1X", slots: LD9_F11,
        members: &[ops(&["MB", "NOTB1"])],
        operands: &[VBT, VBR],
        postings: &[VBT.def_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "EXT0IB", slots: LD9_F11,
        members: &[with(&["EXT0IB"], &[between(0, 111)])],
        operands: &[VBT, VBR, IMM],
        postings: &[VBT.def_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-14, G-32
    Family {
        name: "VBALU2X", slots: LD8,
        members: &[ops(&["ANDNOTB1", "ORNOTB1"])],
        operands: &[VBT, VBR, VBS],
        postings: &[VBT.def_at(10), VBR.use_at(10), VBS.use_at(10)],
        ..FAMILY
    },
    // G-48, T-14
    Family {
        name: "FSFOLD", slots: FSFOLD2,
        members: &[ops(&["BORFS2N", "BNORFS2N"])],
        operands: &[VBT],
        postings: &[VBT.def_at(10)],
        ..FAMILY
    },
    // G-48, T-17
    Family {
        name: "MOVVFS", slots: LD8,
        members: &[ops(&["MOVVFS"])],
        operands: &[VT],
        postings: &[VT.def_at(11)],
        ..FAMILY
    },
    // G-48
    Family {
        name: "MOVFSV", slots: ALU9,
        members: &[ops(&["MOVFSV"])],
        operands: &[VR],
        postings: &[VR.use_at(10)],
        ..FAMILY
    },
    // T-15, T-17
    Family {
        name: "MOVPQA", slots: LD8,
        members: &[ops(&["MOVPA16", "MOVQA16"])],
        operands: &[VT, ARS],
        postings: &[ARS.use_at(3), VT.def_at(11)],
        ..FAMILY
    },
    // T-17
    Family {
        name: "MOVPQINT", slots: LD8,
        members: &[with(&["MOVPINT16", "MOVQINT16"], &[between(-32768, 32767)])],
        operands: &[VT, IMM],
        postings: &[VT.def_at(11)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "SELS", slots: ALU9,
        members: &[
            with(&["SELS2NX8"], &[between(0, 63)]),
            with(&["SELSNX16"], &[between(0, 31)]),
            with(&["SELSN_2X32"], &[between(0, 15)]),
        ],
        operands: &[VT, VR, IMM],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
];
