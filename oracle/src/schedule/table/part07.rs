//! Part 07: multiply, accumulate, pack and widen (spec 07 section 13; golden `lat_table_07.json`).
//! Sources post in text order, so that `prr` stands before the vectors in the `2NR8X16` forms.

use crate::schedule::table::family::{FAMILY, Family, ops};
use crate::schedule::table::operand::{ARS, PRR, VP, VQ, VR, VS, VT, WVR, WVT, WVU};
use crate::schedule::table::slots::{ALU15, LD8, MUL7, MUL8N1, MULF4, MULPK4, PACKF6};

/// Every row of part 07.
#[rustfmt::skip]
pub(super) const PART_07: &[Family] = &[
    // T-05, M-37, M-05, M-04, M-08, M-20, M-21
    Family {
        name: "MUL2A_W", slots: MUL8N1,
        members: &[
            ops(&[
                "MULS2NX8", "MULSNX16", "MULUSA2NX8", "MULUSS2NX8", "MULUSANX16", "MULUSSNX16",
                "MULUUA2NX8", "MULUUS2NX8", "MULUUANX16", "MULUUSNX16", "MULAN_2X32", "MULSN_2X32",
                "MULUSAN_2X32", "MULUSSN_2X32", "MULAN_2X16X32_0", "MULSN_2X16X32_0",
                "MULAN_2X16X32_1", "MULSN_2X16X32_1", "MULAHN_2X16X32_1", "MULSHN_2X16X32_1",
                "MULUSAN_2X16X32_0", "MULUSSN_2X16X32_0", "MULUSAN_2X16X32_1", "MULUSSN_2X16X32_1",
                "MULUSAHN_2X16X32_1", "MULUSSHN_2X16X32_1", "MULSUAN_2X16X32_0",
                "MULSUSN_2X16X32_0", "MULSUAN_2X16X32_1", "MULSUSN_2X16X32_1", "MULSUAHN_2X16X32_1",
                "MULSUSHN_2X16X32_1", "MULUUAN_2X16X32_0", "MULUUSN_2X16X32_0", "MULUUAN_2X16X32_1",
                "MULUUSN_2X16X32_1", "MULUUAHN_2X16X32_1", "MULUUSHN_2X16X32_1", "MULANX16C",
                "MULSNX16C", "MULANX16J", "MULSNX16J", "MULAN_2X32C_0", "MULAN_2X32C_1",
                "MULSN_2X32C_0", "MULSN_2X32C_1",
            ]),
        ],
        operands: &[WVT, VR, VS],
        postings: &[WVT.use_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, M-37, M-05, M-04, M-08, M-20, M-21
    Family {
        name: "MUL2_W", slots: MUL8N1,
        members: &[
            ops(&[
                "MULUS2NX8", "MULUSNX16", "MULUU2NX8", "MULUUNX16", "MULN_2X32", "MULUSN_2X32",
                "MULN_2X16X32_0", "MULN_2X16X32_1", "MULHN_2X16X32_1", "MULUSN_2X16X32_0",
                "MULUSN_2X16X32_1", "MULUSHN_2X16X32_1", "MULSUN_2X16X32_0", "MULSUN_2X16X32_1",
                "MULSUHN_2X16X32_1", "MULUUN_2X16X32_0", "MULUUN_2X16X32_1", "MULUUHN_2X16X32_1",
                "MULNX16C", "MULNX16J", "MULN_2X32C_0",
            ]),
        ],
        operands: &[WVT, VR, VS],
        postings: &[WVT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, M-37, M-09, M-10
    Family {
        name: "MUL4_W", slots: MULF4,
        members: &[
            ops(&[
                "MULP2NX8", "MULPD2NX8", "MULPNX16", "MULPDNX16", "MULUSP2NX8", "MULUSPD2NX8",
                "MULUSPNX16", "MULUSPDNX16", "MULUUP2NX8", "MULUUPD2NX8", "MULUUPNX16",
                "MULUUPDNX16",
            ]),
        ],
        operands: &[WVT, VR, VS, VP, VQ],
        postings: &[WVT.def_at(12), VR.use_at(10), VS.use_at(10), VP.use_at(10), VQ.use_at(10)],
        ..FAMILY
    },
    // T-05, M-37, M-09, M-10
    Family {
        name: "MUL4A_W", slots: MULF4,
        members: &[
            ops(&[
                "MULPA2NX8", "MULPDA2NX8", "MULPS2NX8", "MULPANX16", "MULPDANX16", "MULPSNX16",
                "MULUSPA2NX8", "MULUSPDA2NX8", "MULUSPS2NX8", "MULUSPANX16", "MULUSPDANX16",
                "MULUSPSNX16", "MULUUPA2NX8", "MULUUPDA2NX8", "MULUUPS2NX8", "MULUUPANX16",
                "MULUUPDANX16", "MULUUPSNX16",
            ]),
        ],
        operands: &[WVT, VR, VS, VP, VQ],
        postings: &[
            WVT.use_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10), VP.use_at(10),
            VQ.use_at(10),
        ],
        ..FAMILY
    },
    // T-05, M-12, M-37, M-38
    Family {
        name: "MUL1X_W", slots: MUL8N1,
        members: &[ops(&["MUL2N8XR16", "MULUS2N8XR16"])],
        operands: &[WVT, VR, PRR],
        postings: &[WVT.def_at(12), VR.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-12, M-37, M-38
    Family {
        name: "MUL1XA_W", slots: MUL8N1,
        members: &[ops(&["MULA2N8XR16", "MULUSA2N8XR16"])],
        operands: &[WVT, VR, PRR],
        postings: &[WVT.use_at(12), WVT.def_at(12), VR.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-11, M-37, M-38
    Family {
        name: "MUL2X_W", slots: MUL8N1,
        members: &[ops(&["MULP2N8XR16", "MULUSP2N8XR16"])],
        operands: &[WVT, VR, VS, PRR],
        postings: &[WVT.def_at(12), VR.use_at(10), VS.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-11, M-37, M-38
    Family {
        name: "MUL2XA_W", slots: MUL8N1,
        members: &[ops(&["MULPA2N8XR16", "MULUSPA2N8XR16"])],
        operands: &[WVT, VR, VS, PRR],
        postings: &[WVT.use_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-11, M-37, M-38
    Family {
        name: "MUL2XA_W", slots: MUL7,
        members: &[ops(&["MULPAN16XR16", "MULUSPAN16XR16", "MULSUPAN16XR16", "MULUUPAN16XR16"])],
        operands: &[WVT, VR, VS, PRR],
        postings: &[WVT.use_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-11, M-37, M-38
    Family {
        name: "MUL2X_W", slots: MUL7,
        members: &[ops(&["MULUSPN16XR16", "MULSUPN16XR16", "MULUUPN16XR16"])],
        operands: &[WVT, VR, VS, PRR],
        postings: &[WVT.def_at(12), VR.use_at(10), VS.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-13, M-37
    Family {
        name: "MUL3_W", slots: MULF4,
        members: &[ops(&["MULI2NX8X16", "MULUSI2NX8X16"])],
        operands: &[WVT, VP, VS, VR],
        postings: &[WVT.def_at(12), VP.use_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-13, M-37
    Family {
        name: "MUL3A_W", slots: MULF4,
        members: &[ops(&["MULAI2NX8X16", "MULUSAI2NX8X16"])],
        operands: &[WVT, VP, VS, VR],
        postings: &[WVT.use_at(12), WVT.def_at(12), VP.use_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-14, M-37, M-38
    Family {
        name: "MULX2_W", slots: MUL8N1,
        members: &[ops(&["MULI2NR8X16", "MULUSI2NR8X16"])],
        operands: &[WVT, PRR, VS, VR],
        postings: &[WVT.def_at(12), PRR.use_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-14, M-37, M-38
    Family {
        name: "MULX2A_W", slots: MUL8N1,
        members: &[ops(&["MULAI2NR8X16", "MULUSAI2NR8X16"])],
        operands: &[WVT, PRR, VS, VR],
        postings: &[WVT.use_at(12), WVT.def_at(12), PRR.use_at(10), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-14, M-37, M-38
    Family {
        name: "MULX4_W", slots: MULF4,
        members: &[ops(&["MULPI2NR8X16", "MULUSPI2NR8X16"])],
        operands: &[WVT, PRR, VS, VR, VQ, VP],
        postings: &[
            WVT.def_at(12), PRR.use_at(10), VS.use_at(10), VR.use_at(10), VQ.use_at(10),
            VP.use_at(10),
        ],
        ..FAMILY
    },
    // T-05, M-14, M-37, M-38
    Family {
        name: "MULX4A_W", slots: MULF4,
        members: &[ops(&["MULPAI2NR8X16", "MULUSPAI2NR8X16"])],
        operands: &[WVT, PRR, VS, VR, VQ, VP],
        postings: &[
            WVT.use_at(12), WVT.def_at(12), PRR.use_at(10), VS.use_at(10), VR.use_at(10),
            VQ.use_at(10), VP.use_at(10),
        ],
        ..FAMILY
    },
    // T-05, M-16, M-37, M-38
    Family {
        name: "MUL2X_W", slots: MUL8N1,
        members: &[
            ops(&["MUL4T2N8XR8", "MUL4TN16XR16", "MUL4TN16XR8", "MULUS4T2N8XR8", "MULUS4TN16XR16"]),
        ],
        operands: &[WVT, VS, VR, PRR],
        postings: &[WVT.def_at(12), VS.use_at(10), VR.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-16, M-37, M-38
    Family {
        name: "MUL2XA_W", slots: MUL8N1,
        members: &[
            ops(&[
                "MUL4TA2N8XR8", "MUL4TAN16XR16", "MUL4TAN16XR8", "MULUS4TA2N8XR8",
                "MULUS4TAN16XR16",
            ]),
        ],
        operands: &[WVT, VS, VR, PRR],
        postings: &[WVT.use_at(12), WVT.def_at(12), VS.use_at(10), VR.use_at(10), PRR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-15, M-38
    Family {
        name: "MUL4X_W", slots: MULF4,
        members: &[
            ops(&[
                "MULQ2N8XR8", "MULQN16XR16", "MULQN16XR8", "MULUSQ2N8XR8", "MULUSQN16XR16",
                "MULSUQ2N8XR8", "MULSUQN16XR16", "MULUUQ2N8XR8", "MULUUQN16XR16",
            ]),
        ],
        operands: &[WVT, VR, VS, VP, VQ, PRR],
        postings: &[
            WVT.def_at(12), VR.use_at(10), VS.use_at(10), VP.use_at(10), VQ.use_at(10),
            PRR.use_at(10),
        ],
        ..FAMILY
    },
    // T-05, M-15, M-38
    Family {
        name: "MUL4XA_W", slots: MULF4,
        members: &[
            ops(&[
                "MULQA2N8XR8", "MULQAN16XR16", "MULQAN16XR8", "MULUSQA2N8XR8", "MULUSQAN16XR16",
                "MULSUQA2N8XR8", "MULSUQAN16XR16", "MULUUQA2N8XR8", "MULUUQAN16XR16",
            ]),
        ],
        operands: &[WVT, VR, VS, VP, VQ, PRR],
        postings: &[
            WVT.use_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10), VP.use_at(10),
            VQ.use_at(10), PRR.use_at(10),
        ],
        ..FAMILY
    },
    // T-05, T-22, M-17, M-37, M-38
    Family {
        name: "DMUL4X_W", slots: MULF4,
        members: &[ops(&["DMULQ2N8XR8", "DMULUSQ2N8XR8", "DMULSUQ2N8XR8", "DMULUUQ2N8XR8"])],
        operands: &[WVU, WVT, VR, VS, VP, VQ, PRR],
        postings: &[
            WVU.def_at(12), WVT.def_at(12), VR.use_at(10), VS.use_at(10), VP.use_at(10),
            VQ.use_at(10), PRR.use_at(10),
        ],
        ..FAMILY
    },
    // T-05, T-22, M-17, M-37, M-38
    Family {
        name: "DMUL4XA_W", slots: MULF4,
        members: &[ops(&["DMULQA2N8XR8", "DMULUSQA2N8XR8", "DMULSUQA2N8XR8", "DMULUUQA2N8XR8"])],
        operands: &[WVU, WVT, VR, VS, VP, VQ, PRR],
        postings: &[
            WVU.use_at(12), WVU.def_at(12), WVT.use_at(12), WVT.def_at(12), VR.use_at(10),
            VS.use_at(10), VP.use_at(10), VQ.use_at(10), PRR.use_at(10),
        ],
        ..FAMILY
    },
    // T-18, M-23, M-37
    Family {
        name: "MULPACK_A4", slots: MULPK4,
        members: &[ops(&["MULSNX16PACKL"])],
        operands: &[VT, VR, VS],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19, M-22
    Family {
        name: "MULSGN", slots: ALU15,
        members: &[ops(&["MULSGNNX16", "MULSGNSNX16", "MULSGNN_2X32"])],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, M-36, M-37
    Family {
        name: "DECNEGW", slots: MUL8N1,
        members: &[ops(&["DECNEGW2NX24", "DECNEGWNX48"])],
        operands: &[WVT],
        postings: &[WVT.use_at(12), WVT.def_at(12)],
        ..FAMILY
    },
    // T-05, T-18, M-38
    Family {
        name: "PACK_R", slots: LD8,
        members: &[
            ops(&[
                "PACKVRNX48", "PACKVRNX48_0", "PACKVRNX48_1", "PACKVR2NX24", "PACKVR2NX24_0",
                "PACKVR2NX24_1", "PACKVRN_2X64W", "PACKVRNRNX48", "PACKVRNRNX48_0",
                "PACKVRNRNX48_1", "PACKVRNR2NX24", "PACKVRNR2NX24_0", "PACKVRNR2NX24_1",
                "PACKVRNRN_2X64W", "PACKVRU2NX24", "PACKVRU2NX24_0", "PACKVRU2NX24_1",
            ]),
        ],
        operands: &[VT, WVR, ARS],
        postings: &[ARS.use_at(3), VT.def_at(12), WVR.use_at(10)],
        ..FAMILY
    },
    // T-05, T-18, M-29, M-38
    Family {
        name: "PACK_V", slots: PACKF6,
        members: &[
            ops(&[
                "PACKVNX48", "PACKVNX48_0", "PACKVNX48_1", "PACKV2NX24", "PACKV2NX24_0",
                "PACKV2NX24_1", "PACKVN_2X64W", "PACKVNRNX48", "PACKVNRNX48_0", "PACKVNRNX48_1",
                "PACKVNR2NX24", "PACKVNR2NX24_0", "PACKVNR2NX24_1", "PACKVNRN_2X64W", "PACKVU2NX24",
                "PACKVU2NX24_0", "PACKVU2NX24_1",
            ]),
        ],
        operands: &[VT, WVR, VR],
        postings: &[VT.def_at(12), WVR.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-18, M-38
    Family {
        name: "PACK", slots: LD8,
        members: &[
            ops(&[
                "PACKL2NX24_1", "PACKMNX48", "PACKPNX48", "PACKQNX48", "PACKLN_2X96",
                "PACKHN_2X64W",
            ]),
        ],
        operands: &[VT, WVR],
        postings: &[VT.def_at(12), WVR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-32, M-34
    Family {
        name: "CVTW2", slots: MUL8N1,
        members: &[
            ops(&[
                "CVT24S2NX16", "CVT24U2NX16", "CVT24UNX32L", "CVT48SNX32", "CVT48UNX32",
                "CVT48UN_2X64L", "CVT96UN_2X64", "CVTG48N_2X32L",
            ]),
        ],
        operands: &[WVT, VS, VR],
        postings: &[WVT.def_at(12), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-32, M-34
    Family {
        name: "CVTW2M", slots: MUL8N1,
        members: &[ops(&["CVT24UNX32H", "CVT48UN_2X64H", "CVTG48N_2X32H"])],
        operands: &[WVT, VS, VR],
        postings: &[WVT.use_at(12), WVT.def_at(12), VS.use_at(10), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, M-33, M-32
    Family {
        name: "CVTW1", slots: MUL8N1,
        members: &[ops(&["CVT24U32", "CVT48U64", "CVT96U64", "CVT48SNX32L", "CVT48UNX32L"])],
        operands: &[WVT, VR],
        postings: &[WVT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, T-18, M-35, M-38
    Family {
        name: "CVT_RO", slots: LD8,
        members: &[
            ops(&[
                "CVT16S2NX24L", "CVT16S2NX24H", "CVT16U2NX24L", "CVT16U2NX24H", "CVT32S2NX24LL",
                "CVT32S2NX24LH", "CVT32S2NX24HL", "CVT32S2NX24HH", "CVT32SNX48L", "CVT32SNX48H",
                "CVT32UNX48L", "CVT32UNX48H", "CVT64SNX48LL", "CVT64SNX48LH", "CVT64SNX48HL",
                "CVT64SNX48HH",
            ]),
        ],
        operands: &[VT, WVR],
        postings: &[VT.def_at(12), WVR.use_at(10)],
        ..FAMILY
    },
];
