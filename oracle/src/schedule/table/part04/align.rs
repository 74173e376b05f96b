//! Part 04: primes, aligning loads and stores (spec 05 section 5.2 from `LALIGN_I` to `SAV_XP`;
//! values in spec 04 sections 4.1 to 4.5). The load side of the align file posts at 9, the store
//! side at 10.

use crate::schedule::table::family::{FAMILY, Family, LOAD, STORE, multiples, ops, with};
use crate::schedule::table::operand::{ARS, ART, IMM, U, US, VBR, VR, VT};
use crate::schedule::table::slots::{LOAD18, STALIGN10, STORE9, VALIGN20};

/// The ops that take an align register.
#[rustfmt::skip]
pub(in crate::schedule::table) const ALIGN: &[Family] = &[
    // T-10, T-19
    Family {
        name: "LALIGN_I", slots: LOAD18, memory: LOAD,
        members: &[with(&["LALIGN_I"], &[multiples(64, -512, 448)])],
        operands: &[U, ARS, IMM],
        postings: &[ARS.use_at(1), U.use_at(9), U.def_at(9)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "LALIGN_IP", slots: LOAD18, memory: LOAD,
        members: &[with(&["LALIGN_IP"], &[multiples(64, -512, 448)])],
        operands: &[U, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9)],
        ..FAMILY
    },
    // T-04, T-19
    Family {
        name: "LA_IP", slots: LOAD18, memory: LOAD,
        members: &[
            ops(&[
                "LA2NX8_IP", "LANX16_IP", "LANX8S_IP", "LANX8U_IP", "LAN_2X16S_IP", "LAN_2X16U_IP",
            ]),
        ],
        operands: &[VT, U, ARS],
        postings: &[ARS.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VT.def_at(10)],
        ..FAMILY
    },
    // T-04, T-19
    Family {
        name: "LA_IPI", slots: LOAD18, memory: LOAD,
        members: &[with(&["LA2NX8_IPI"], &[multiples(64, -512, 448)])],
        operands: &[VT, U, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VT.def_at(10)],
        ..FAMILY
    },
    // T-04, T-19
    Family {
        name: "LA_XP", slots: LOAD18, memory: LOAD,
        members: &[
            ops(&[
                "LA2NX8_XP", "LANX16_XP", "LANX8S_XP", "LANX8U_XP", "LAN_2X16S_XP", "LAN_2X16U_XP",
            ]),
        ],
        operands: &[VT, U, ARS, ART],
        postings: &[
            ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VT.def_at(10),
        ],
        ..FAMILY
    },
    // T-04, T-19
    Family {
        name: "LAV_XP", slots: LOAD18, memory: LOAD,
        members: &[
            ops(&[
                "LAV2NX8_XP", "LAVNX16_XP", "LAVNX8S_XP", "LAVNX8U_XP", "LAVN_2X16S_XP",
                "LAVN_2X16U_XP",
            ]),
        ],
        operands: &[VT, U, ARS, ART],
        postings: &[
            ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VT.def_at(10),
        ],
        ..FAMILY
    },
    // T-06, T-13, T-19
    Family {
        name: "LAT_XP", slots: LOAD18, memory: LOAD,
        members: &[ops(&["LAT2NX8_XP"])],
        operands: &[VT, U, ARS, ART, VBR],
        postings: &[
            ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9), VT.use_at(10),
            VT.def_at(10), VBR.use_at(10),
        ],
        ..FAMILY
    },
    // T-10, T-19
    Family {
        name: "LA_PP", slots: LOAD18, memory: LOAD,
        members: &[ops(&["LA_PP"])],
        operands: &[U, ARS],
        postings: &[ARS.use_at(1), U.use_at(9), U.def_at(9)],
        ..FAMILY
    },
    // T-10, T-19
    Family {
        name: "LA_PPXU", slots: LOAD18, memory: LOAD,
        members: &[ops(&["LA_PPXU"])],
        operands: &[U, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.use_at(9), U.def_at(9)],
        ..FAMILY
    },
    // T-11, T-19
    Family {
        name: "ZALIGN", slots: VALIGN20,
        members: &[ops(&["ZALIGN"])],
        operands: &[U],
        postings: &[U.def_at(9)],
        ..FAMILY
    },
    // T-11, T-19
    Family {
        name: "MALIGN", slots: VALIGN20,
        members: &[ops(&["MALIGN"])],
        operands: &[U, US],
        postings: &[US.use_at(9), U.def_at(9)],
        ..FAMILY
    },
    // T-12, T-23
    Family {
        name: "SALIGN_I", slots: STALIGN10, memory: STORE,
        members: &[with(&["SALIGN_I"], &[multiples(64, -512, 448)])],
        operands: &[U, ARS, IMM],
        postings: &[ARS.use_at(1), U.use_at(10), U.def_at(10)],
        ..FAMILY
    },
    // T-12, T-23
    Family {
        name: "SALIGN_IP", slots: STALIGN10, memory: STORE,
        members: &[with(&["SALIGN_IP"], &[multiples(64, -512, 448)])],
        operands: &[U, ARS, IMM],
        postings: &[ARS.use_at(1), ARS.def_at(1), U.use_at(10), U.def_at(10)],
        ..FAMILY
    },
    // T-23
    Family {
        name: "SAPOS_FP", slots: STALIGN10, memory: STORE,
        members: &[ops(&["SAPOS_FP"])],
        operands: &[U, ARS],
        postings: &[ARS.use_at(1), U.use_at(10), U.def_at(10)],
        ..FAMILY
    },
    // T-04, T-12, T-23
    Family {
        name: "SAPOS_FPXP", slots: STALIGN10, memory: STORE,
        members: &[ops(&["SAPOS_FPXP"])],
        operands: &[U, ARS, ART],
        postings: &[ARS.use_at(1), ART.use_at(1), ARS.def_at(1), U.use_at(10), U.def_at(10)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "SA_IP", slots: STORE9, memory: STORE,
        members: &[
            ops(&[
                "SA2NX8_IP", "SANX16_IP", "SANX8S_IP", "SANX8U_IP", "SAN_2X16S_IP", "SAN_2X16U_IP",
            ]),
        ],
        operands: &[VR, U, ARS],
        postings: &[ARS.use_at(1), ARS.def_at(1), VR.use_at(10), U.use_at(10), U.def_at(10)],
        ..FAMILY
    },
    // T-04, T-19
    Family {
        name: "SA_XP", slots: STORE9, memory: STORE,
        members: &[ops(&["SA2NX8_XP"])],
        operands: &[VR, U, ARS, ART],
        postings: &[
            ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VR.use_at(10), U.use_at(10), U.def_at(10),
        ],
        ..FAMILY
    },
    // T-04, T-19
    Family {
        name: "SAV_XP", slots: STORE9, memory: STORE,
        members: &[
            ops(&[
                "SAV2NX8_XP", "SAVNX16_XP", "SAVNX8S_XP", "SAVNX8U_XP", "SAVN_2X16S_XP",
                "SAVN_2X16U_XP",
            ]),
        ],
        operands: &[VR, U, ARS, ART],
        postings: &[
            ARS.use_at(1), ART.use_at(1), ARS.def_at(1), VR.use_at(10), U.use_at(10), U.def_at(10),
        ],
        ..FAMILY
    },
];
