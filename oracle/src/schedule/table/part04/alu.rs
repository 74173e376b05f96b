//! Part 04: integer ALU, compares and shifts (spec 05 section 5.2 from `ALU2` to `NSA`; values in
//! spec 04 sections 7 and 9, of the floating compares in spec 08 section 4.3).

use crate::schedule::table::family::{FAMILY, Family, between, ops, with};
use crate::schedule::table::operand::{IMM, VBR, VBT, VR, VS, VT};
use crate::schedule::table::slots::{ALU9, ALU13_T, ALU15, ALU17_T, ALU19, CMP21, SHI12};

/// Lane-wise arithmetic, compares, and per-lane flagged extrema: the flag posts first.
#[rustfmt::skip]
pub(in crate::schedule::table) const ALU: &[Family] = &[
    // T-05
    Family {
        name: "ALU2", slots: ALU15,
        members: &[
            ops(&[
                "ADD2NX8", "ADDNX16", "ADDN_2X32", "ADDSNX16", "SUB2NX8", "SUBNX16", "SUBN_2X32",
                "SUBSNX16", "MIN2NX8", "MINNX16", "MINN_2X32", "MINU2NX8", "MINUNX16", "MINUN_2X32",
                "MAX2NX8", "MAXNX16", "MAXN_2X32", "MAXU2NX8", "MAXUNX16", "MAXUN_2X32", "AND2NX8",
                "OR2NX8", "XOR2NX8",
            ]),
        ],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "ALU2X", slots: ALU15,
        members: &[
            ops(&[
                "ABSSUB2NX8", "ABSSUBNX16", "ABSSUBU2NX8", "ABSSUBUNX16", "ABSSSUBNX16", "AVG2NX8",
                "AVGNX16", "AVGR2NX8", "AVGRNX16", "AVGU2NX8", "AVGUNX16",
            ]),
        ],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05
    Family {
        name: "ALU1", slots: ALU19,
        members: &[
            ops(&[
                "ABS2NX8", "ABSNX16", "ABSN_2X32", "ABSSNX16", "NEG2NX8", "NEGNX16", "NEGN_2X32",
                "NEGSNX16", "NOT2NX8",
            ]),
        ],
        operands: &[VT, VR],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, T-06
    Family {
        name: "ALU2_T", slots: ALU13_T,
        members: &[
            ops(&[
                "ADD2NX8T", "ADDNX16T", "ADDN_2X32T", "ADDSNX16T", "SUB2NX8T", "SUBNX16T",
                "SUBN_2X32T", "SUBSNX16T", "MAXNX16T", "MAXUNX16T", "MINNX16T", "MINUNX16T",
            ]),
        ],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-05, T-06
    Family {
        name: "ALU1_T", slots: ALU17_T,
        members: &[ops(&["NEG2NX8T", "NEGNX16T", "NEGN_2X32T", "NEGSNX16T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-05
    Family {
        name: "CMP_INT", slots: CMP21,
        members: &[
            ops(&[
                "EQ2NX8", "EQNX16", "EQN_2X32", "NEQ2NX8", "NEQNX16", "NEQN_2X32", "LT2NX8",
                "LTNX16", "LTN_2X32", "LTU2NX8", "LTUNX16", "LTUN_2X32", "LE2NX8", "LENX16",
                "LEN_2X32", "LEU2NX8", "LEUNX16", "LEUN_2X32",
            ]),
        ],
        operands: &[VBT, VR, VS],
        postings: &[VBT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-19, T-27
    Family {
        name: "CMP_FP", slots: CMP21,
        members: &[
            ops(&["OEQN_2XF32", "OEQNXF16", "OLEN_2XF32", "OLENXF16", "OLTN_2XF32", "OLTNXF16"]),
        ],
        operands: &[VBT, VR, VS],
        postings: &[VBT.def_at(10), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-19, T-27
    Family {
        name: "CMP_FP_T", slots: CMP21,
        members: &[
            ops(&[
                "OEQN_2XF32T", "OEQNXF16T", "OLEN_2XF32T", "OLENXF16T", "OLTN_2XF32T", "OLTNXF16T",
            ]),
        ],
        operands: &[VBT, VR, VS, VBR],
        postings: &[VBT.def_at(10), VBR.use_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "BMAXMIN", slots: ALU15,
        members: &[
            ops(&[
                "BMAX2NX8", "BMAXNX16", "BMAXN_2X32", "BMAXU2NX8", "BMAXUNX16", "BMAXUN_2X32",
                "BMIN2NX8", "BMINNX16", "BMINN_2X32", "BMINU2NX8", "BMINUNX16", "BMINUN_2X32",
                "BADDNORMNX16", "BSUBNORMNX16", "BABSSUB2NX8", "BABSSUBNX16", "BABSSUBU2NX8",
                "BABSSUBUNX16",
            ]),
        ],
        operands: &[VT, VBT, VR, VS],
        postings: &[VBT.def_at(11), VR.use_at(10), VS.use_at(10), VT.def_at(11)],
        ..FAMILY
    },
    // T-19
    Family {
        name: "BABS", slots: ALU15,
        members: &[ops(&["BABS2NX8", "BABSNX16", "BABSN_2X32"])],
        operands: &[VT, VBT, VR],
        postings: &[VBT.def_at(11), VR.use_at(10), VT.def_at(11)],
        ..FAMILY
    },
    // T-06, T-19
    Family {
        name: "BXOR", slots: ALU15,
        members: &[ops(&["BXORABSSUBU2NX8"])],
        operands: &[VT, VBT, VR, VS],
        postings: &[VBT.use_at(10), VBT.def_at(11), VR.use_at(10), VS.use_at(10), VT.def_at(11)],
        ..FAMILY
    },
];

/// Shifts, rotates, normalisation amounts.
#[rustfmt::skip]
pub(in crate::schedule::table) const SHIFT: &[Family] = &[
    // T-05
    Family {
        name: "SHIFT_V", slots: ALU9,
        members: &[
            ops(&[
                "SLLNX16", "SLLN_2X32", "SRLNX16", "SRLN_2X32", "SRANX16", "SRAN_2X32", "ROTRNX16",
                "ROTRN_2X32", "SLSNX16", "SLSN_2X32", "SRSNX16", "SRSN_2X32",
            ]),
        ],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "SHIFT_I", slots: SHI12,
        members: &[
            with(&["SLLI2NX8", "SRLI2NX8", "SRAI2NX8", "ROTRI2NX8"], &[between(0, 7)]),
            with(&["SLLINX16", "SRLINX16", "SRAINX16", "ROTRINX16"], &[between(0, 15)]),
        ],
        operands: &[VT, VR, IMM],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // T-05
    Family {
        name: "SHIFT_I32", slots: ALU9,
        members: &[
            with(&["SLLIN_2X32", "SRLIN_2X32", "SRAIN_2X32", "ROTRIN_2X32"], &[between(0, 31)]),
        ],
        operands: &[VT, VR, IMM],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // T-05, T-19
    Family {
        name: "NSA", slots: ALU9,
        members: &[ops(&["NSANX16", "NSAN_2X32", "NSAUNX16", "NSAUN_2X32"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
];
