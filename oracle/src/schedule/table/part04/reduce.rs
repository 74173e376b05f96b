//! Part 04: reductions and predicates (spec 05 section 5.2 from `RADD` to `EXTBOOL`; values in spec
//! 04 sections 8 and 10, spec 09 section 7).

use crate::schedule::table::family::{FAMILY, Family, between, ops, with};
use crate::schedule::table::operand::{ARS, IMM, VBR, VBS, VBT, VR, VT};
use crate::schedule::table::slots::{ALU9, FPRED6, LD8, LD9_F11};

/// Folds of a vector. Plain folds read their source at 12; flagged folds read it at 10 and post
/// both results at 12, flag first.
#[rustfmt::skip]
pub(in crate::schedule::table) const REDUCE: &[Family] = &[
    // T-03
    Family {
        name: "RADD", slots: ALU9, crossbar: true,
        members: &[
            ops(&["RADD2NX8", "RADDNX16", "RADDN_2X32", "RADDU2NX8", "RADDUNX16", "RADDSNX16"]),
        ],
        operands: &[VT, VR],
        postings: &[VT.def_at(10), VR.use_at(12)],
        ..FAMILY
    },
    // T-03, T-06
    Family {
        name: "RADD_T", slots: ALU9, crossbar: true,
        members: &[
            ops(&[
                "RADD2NX8T", "RADDNX16T", "RADDN_2X32T", "RADDU2NX8T", "RADDUNX16T", "RADDSNX16T",
            ]),
        ],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(10), VR.use_at(12), VBR.use_at(10)],
        ..FAMILY
    },
    // T-03
    Family {
        name: "RMAXMIN", slots: ALU9, crossbar: true,
        members: &[
            ops(&[
                "RMAX2NX8", "RMAXNX16", "RMAXN_2X32", "RMAXU2NX8", "RMAXUNX16", "RMAXUN_2X32",
                "RMIN2NX8", "RMINNX16", "RMINN_2X32", "RMINU2NX8", "RMINUNX16", "RMINUN_2X32",
            ]),
        ],
        operands: &[VT, VR],
        postings: &[VT.def_at(10), VR.use_at(12)],
        ..FAMILY
    },
    // T-03, T-06
    Family {
        name: "RMAXMIN_T", slots: ALU9, crossbar: true,
        members: &[ops(&["RMAXNX16T", "RMAXUNX16T", "RMINNX16T", "RMINUNX16T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(10), VR.use_at(12), VBR.use_at(10)],
        ..FAMILY
    },
    // T-03
    Family {
        name: "RNUM", slots: FPRED6, crossbar: true,
        members: &[ops(&["RMAXNUMNXF16", "RMAXNUMN_2XF32", "RMINNUMNXF16", "RMINNUMN_2XF32"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(10), VR.use_at(12)],
        ..FAMILY
    },
    // T-03, T-06
    Family {
        name: "RNUM_T", slots: FPRED6, crossbar: true,
        members: &[ops(&["RMAXNUMNXF16T", "RMAXNUMN_2XF32T", "RMINNUMNXF16T", "RMINNUMN_2XF32T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(10), VR.use_at(12), VBR.use_at(10)],
        ..FAMILY
    },
    Family {
        name: "RB", slots: ALU9,
        members: &[
            ops(&[
                "RBMAX2NX8", "RBMAXNX16", "RBMAXN_2X32", "RBMAXU2NX8", "RBMAXUNX16", "RBMAXUN_2X32",
                "RBMIN2NX8", "RBMINNX16", "RBMINN_2X32", "RBMINU2NX8", "RBMINUNX16", "RBMINUN_2X32",
            ]),
        ],
        operands: &[VT, VBT, VR],
        postings: &[VBT.def_at(12), VR.use_at(10), VT.def_at(12)],
        ..FAMILY
    },
    Family {
        name: "RBNUM", slots: FPRED6,
        members: &[ops(&["RBMAXNUMNXF16", "RBMAXNUMN_2XF32", "RBMINNUMNXF16", "RBMINNUMN_2XF32"])],
        operands: &[VT, VBT, VR],
        postings: &[VBT.def_at(12), VR.use_at(10), VT.def_at(12)],
        ..FAMILY
    },
    // T-09
    Family {
        name: "RBNUM_T", slots: FPRED6,
        members: &[
            ops(&["RBMAXNUMNXF16T", "RBMAXNUMN_2XF32T", "RBMINNUMNXF16T", "RBMINNUMN_2XF32T"]),
        ],
        operands: &[VT, VBT, VR, VBR],
        postings: &[VBT.def_at(12), VR.use_at(10), VT.def_at(12), VBR.use_at(10)],
        ..FAMILY
    },
];

/// Folds, tail masks and logic of predicates, all in the load pipe.
#[rustfmt::skip]
pub(in crate::schedule::table) const PREDICATE: &[Family] = &[
    // T-14
    Family {
        name: "RANDB_RORB", slots: LD9_F11,
        members: &[ops(&["RANDBN", "RANDBN_2", "RANDB2N", "RORBN", "RORBN_2", "RORB2N"])],
        operands: &[VBT, VBR],
        postings: &[VBT.def_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-14, T-15
    Family {
        name: "LTR", slots: LD9_F11,
        members: &[ops(&["LTRN", "LTRN_2", "LTR2N", "LTRSN", "LTRSN_2", "LTRS2N"])],
        operands: &[VBT, ARS],
        postings: &[ARS.use_at(3), VBT.def_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "LTR_I", slots: LD9_F11,
        members: &[with(&["LTRNI", "LTRN_2I", "LTR2NI"], &[between(0, 63)])],
        operands: &[VBT, IMM],
        postings: &[VBT.def_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "VBALU2", slots: LD8,
        members: &[ops(&["ANDB", "ORB", "XORB", "ANDNOTB", "ORNOTB", "JOINB"])],
        operands: &[VBT, VBR, VBS],
        postings: &[VBT.def_at(10), VBR.use_at(10), VBS.use_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "VBALU1", slots: LD9_F11,
        members: &[ops(&["NOTB"])],
        operands: &[VBT, VBR],
        postings: &[VBT.def_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-14
    Family {
        name: "EXTBOOL", slots: LD8,
        members: &[ops(&["EXTRACTBL", "EXTRACTBH"])],
        operands: &[VBT, VBR],
        postings: &[VBT.def_at(10), VBR.use_at(10)],
        ..FAMILY
    },
];
