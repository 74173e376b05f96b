//! Part 08: floating point (spec 08 section 12; golden `lat_table_08.json`). `FCR`, `FSR` and the
//! coprocessor gate post nothing (T-20).

use crate::schedule::table::family::{FAMILY, Family, between, ops, with};
use crate::schedule::table::operand::{ARS, ART, IMM, VBR, VBT, VR, VS, VT};
use crate::schedule::table::slots::{
    ALU9, ALU13_T, CMP21, FMA7, FMA9, FPRED6, LD8, MUL8N1, QLIT5, SHI12, X1_ONLY,
};

/// Every row of part 08.
#[rustfmt::skip]
pub(super) const PART_08: &[Family] = &[
    // F-40, F-41
    Family {
        name: "FALU1", slots: ALU13_T,
        members: &[ops(&["ABSNXF16", "ABSN_2XF32", "NEGNXF16", "NEGN_2XF32"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // F-40, F-41, T-06, F-42
    Family {
        name: "FALU1_T", slots: ALU13_T,
        members: &[ops(&["ABSNXF16T", "ABSN_2XF32T", "NEGNXF16T", "NEGN_2XF32T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-40, F-41
    Family {
        name: "FMINMAX", slots: SHI12,
        members: &[
            ops(&[
                "MINNXF16", "MINN_2XF32", "MAXNXF16", "MAXN_2XF32", "MINNUMNXF16", "MINNUMN_2XF32",
                "MAXNUMNXF16", "MAXNUMN_2XF32",
            ]),
        ],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // F-40, F-41, T-06, F-42
    Family {
        name: "FMINMAX_T", slots: SHI12,
        members: &[
            ops(&[
                "MINNXF16T", "MINN_2XF32T", "MAXNXF16T", "MAXN_2XF32T", "MINNUMNXF16T",
                "MINNUMN_2XF32T", "MAXNUMNXF16T", "MAXNUMN_2XF32T",
            ]),
        ],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-33, F-40
    Family {
        name: "FADDEXP", slots: FPRED6,
        members: &[ops(&["ADDEXPNXF16", "ADDEXPN_2XF32", "ADDEXPMNXF16", "ADDEXPMN_2XF32"])],
        operands: &[VT, VR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // F-33, F-40, T-06, F-42
    Family {
        name: "FADDEXP_T", slots: FPRED6,
        members: &[ops(&["ADDEXPNXF16T", "ADDEXPN_2XF32T", "ADDEXPMNXF16T", "ADDEXPMN_2XF32T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-40, F-41
    Family {
        name: "FCLSFY", slots: ALU9,
        members: &[ops(&["CLSFYNXF16", "CLSFYN_2XF32"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(11), VR.use_at(10)],
        ..FAMILY
    },
    // F-40, F-41, T-06, F-42
    Family {
        name: "FCLSFY_T", slots: ALU9,
        members: &[ops(&["CLSFYNXF16T", "CLSFYN_2XF32T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(11), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // T-19, T-27, F-41
    Family {
        name: "CMP_FP", slots: CMP21,
        members: &[
            ops(&[
                "UEQNXF16", "UEQN_2XF32", "ULENXF16", "ULEN_2XF32", "ULTNXF16", "ULTN_2XF32",
                "ULEQNXF16", "ULEQN_2XF32", "ULTQNXF16", "ULTQN_2XF32", "UNEQNXF16", "UNEQN_2XF32",
                "UNNXF16", "UNN_2XF32",
            ]),
        ],
        operands: &[VBT, VR, VS],
        postings: &[VBT.def_at(10), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // T-19, T-27, F-18, F-41
    Family {
        name: "CMP_FP_T", slots: CMP21,
        members: &[
            ops(&[
                "UEQNXF16T", "UEQN_2XF32T", "ULENXF16T", "ULEN_2XF32T", "ULTNXF16T", "ULTN_2XF32T",
                "ULEQNXF16T", "ULEQN_2XF32T", "ULTQNXF16T", "ULTQN_2XF32T", "UNEQNXF16T",
                "UNEQN_2XF32T", "UNNXF16T", "UNN_2XF32T",
            ]),
        ],
        operands: &[VBT, VR, VS, VBR],
        postings: &[VBT.def_at(10), VBR.use_at(11), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // F-40
    Family {
        name: "FADDMUL", slots: FMA9,
        members: &[
            ops(&[
                "ADDNXF16", "ADDN_2XF32", "SUBNXF16", "SUBN_2XF32", "MULNXF16", "MULN_2XF32",
                "MULSONENXF16", "MULSONEN_2XF32",
            ]),
        ],
        operands: &[VT, VR, VS],
        postings: &[VT.def_at(13), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // F-40, T-06
    Family {
        name: "FADDMUL_T", slots: FMA9,
        members: &[
            ops(&[
                "ADDNXF16T", "ADDN_2XF32T", "SUBNXF16T", "SUBN_2XF32T", "MULNXF16T", "MULN_2XF32T",
                "MULSONENXF16T", "MULSONEN_2XF32T",
            ]),
        ],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-40
    Family {
        name: "FMADD", slots: FMA7,
        members: &[
            ops(&[
                "MULANXF16", "MULAN_2XF32", "MULSNXF16", "MULSN_2XF32", "MULANNXF16",
                "MULANN_2XF32", "MULSNNXF16", "MULSNN_2XF32",
            ]),
        ],
        operands: &[VT, VR, VS],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // F-40, T-06
    Family {
        name: "FMADD_T", slots: FMA7,
        members: &[
            ops(&[
                "MULANXF16T", "MULAN_2XF32T", "MULSNXF16T", "MULSN_2XF32T", "MULANNXF16T",
                "MULANN_2XF32T", "MULSNNXF16T", "MULSNN_2XF32T",
            ]),
        ],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-34, F-40
    Family {
        name: "FDIVN", slots: FMA7,
        members: &[ops(&["DIVNNXF16", "DIVNN_2XF32"])],
        operands: &[VT, VR, VS],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VS.use_at(10)],
        ..FAMILY
    },
    // F-34, F-40, T-06
    Family {
        name: "FDIVN_T", slots: FMA7,
        members: &[ops(&["DIVNNXF16T", "DIVNN_2XF32T"])],
        operands: &[VT, VR, VS, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VS.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-21
    Family {
        name: "FCVT_I2F", slots: FPRED6,
        members: &[
            with(&["FLOAT16NX16", "UFLOAT16NX16"], &[between(0, 15)]),
            with(&["FLOATN_2X32", "UFLOATN_2X32"], &[between(0, 31)]),
        ],
        operands: &[VT, VR, IMM],
        postings: &[VT.def_at(13), VR.use_at(10)],
        ..FAMILY
    },
    // F-21, T-06
    Family {
        name: "FCVT_I2F_T", slots: FPRED6,
        members: &[
            with(&["FLOAT16NX16T", "UFLOAT16NX16T"], &[between(0, 15)]),
            with(&["FLOATN_2X32T", "UFLOATN_2X32T"], &[between(0, 31)]),
        ],
        operands: &[VT, VR, IMM, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-23
    Family {
        name: "FCVT_F2I", slots: FPRED6,
        members: &[
            with(&["TRUNC16NXF16", "UTRUNC16NXF16"], &[between(0, 15)]),
            with(&["TRUNCN_2XF32", "UTRUNCN_2XF32"], &[between(0, 31)]),
        ],
        operands: &[VT, VR, IMM],
        postings: &[VT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // F-23, T-06
    Family {
        name: "FCVT_F2I_T", slots: FPRED6,
        members: &[
            with(&["TRUNC16NXF16T", "UTRUNC16NXF16T"], &[between(0, 15)]),
            with(&["TRUNCN_2XF32T", "UTRUNCN_2XF32T"], &[between(0, 31)]),
        ],
        operands: &[VT, VR, IMM, VBR],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-40
    Family {
        name: "FINT", slots: FPRED6,
        members: &[
            ops(&[
                "FIROUNDNXF16", "FIROUNDN_2XF32", "FICEILNXF16", "FICEILN_2XF32", "FIFLOORNXF16",
                "FIFLOORN_2XF32", "FIRINTNXF16", "FIRINTN_2XF32", "FITRUNCNXF16", "FITRUNCN_2XF32",
            ]),
        ],
        operands: &[VT, VR],
        postings: &[VT.def_at(13), VR.use_at(10)],
        ..FAMILY
    },
    // T-06, F-40
    Family {
        name: "FINT_T", slots: FPRED6,
        members: &[
            ops(&[
                "FIROUNDNXF16T", "FIROUNDN_2XF32T", "FICEILNXF16T", "FICEILN_2XF32T",
                "FIFLOORNXF16T", "FIFLOORN_2XF32T", "FIRINTNXF16T", "FIRINTN_2XF32T",
                "FITRUNCNXF16T", "FITRUNCN_2XF32T",
            ]),
        ],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-44, F-26, F-27
    Family {
        name: "FCVT_W", slots: FPRED6,
        members: &[
            ops(&[
                "CVTF32F16", "CVTF16F32", "CVTF32NXF16_0", "CVTF32NXF16_1", "CVTF16N_2XF32_0",
                "CVTF16N_2XF32_1",
            ]),
        ],
        operands: &[VT, VR],
        postings: &[VT.def_at(13), VR.use_at(10)],
        ..FAMILY
    },
    // F-26, T-06, F-27
    Family {
        name: "FCVT_W_T", slots: FPRED6,
        members: &[
            ops(&["CVTF32NXF16T_0", "CVTF32NXF16T_1", "CVTF16N_2XF32T_0", "CVTF16N_2XF32T_1"]),
        ],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-40
    Family {
        name: "FSEED", slots: FPRED6,
        members: &[
            ops(&[
                "RECIP0NXF16", "RECIP0N_2XF32", "RSQRT0NXF16", "RSQRT0N_2XF32", "SQRT0NXF16",
                "SQRT0N_2XF32", "DIV0NXF16", "DIV0N_2XF32", "NEXP01NXF16", "NEXP01N_2XF32",
                "NEXP0NXF16",
            ]),
        ],
        operands: &[VT, VR],
        postings: &[VT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // F-40, T-06
    Family {
        name: "FSEED_T", slots: FPRED6,
        members: &[
            ops(&[
                "RECIP0NXF16T", "RECIP0N_2XF32T", "RSQRT0NXF16T", "RSQRT0N_2XF32T", "SQRT0NXF16T",
                "SQRT0N_2XF32T", "DIV0NXF16T", "DIV0N_2XF32T", "NEXP01NXF16T", "NEXP01N_2XF32T",
                "NEXP0NXF16T",
            ]),
        ],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-35, F-42
    Family {
        name: "FADJ1", slots: FPRED6,
        members: &[ops(&["MKSADJNXF16", "MKSADJN_2XF32"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // F-35, F-42, T-06
    Family {
        name: "FADJ1_T", slots: FPRED6,
        members: &[ops(&["MKSADJNXF16T", "MKSADJN_2XF32T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-35, F-42
    Family {
        name: "FADJ2", slots: FPRED6,
        members: &[ops(&["MKDADJNXF16", "MKDADJN_2XF32"])],
        operands: &[VT, VR],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10)],
        ..FAMILY
    },
    // F-35, F-42, T-06
    Family {
        name: "FADJ2_T", slots: FPRED6,
        members: &[ops(&["MKDADJNXF16T", "MKDADJN_2XF32T"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(12), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-36
    Family {
        name: "FQLI", slots: FPRED6,
        members: &[ops(&["RECIPQLIN_2XF32_0", "RECIPQLIN_2XF32_1"])],
        operands: &[VT, VR],
        postings: &[VT.def_at(13), VR.use_at(10)],
        ..FAMILY
    },
    // F-36, T-06
    Family {
        name: "FQLI_T", slots: QLIT5,
        members: &[ops(&["RECIPQLIN_2XF32T_0", "RECIPQLIN_2XF32T_1"])],
        operands: &[VT, VR, VBR],
        postings: &[VT.use_at(10), VT.def_at(13), VR.use_at(10), VBR.use_at(10)],
        ..FAMILY
    },
    // F-37, F-40
    Family {
        name: "FCONST", slots: ALU9,
        members: &[with(&["CONSTNXF16", "CONSTN_2XF32"], &[between(0, 3)])],
        operands: &[VT, IMM],
        postings: &[VT.def_at(11)],
        ..FAMILY
    },
    // T-20, F-03
    Family {
        name: "RUR_FP", slots: FPRED6,
        members: &[ops(&["RUR_FCR", "RUR_FSR"])],
        operands: &[ART],
        postings: &[ART.def_at(12)],
        ..FAMILY
    },
    // T-20, F-03
    Family {
        name: "WUR_FP", slots: X1_ONLY,
        members: &[ops(&["WUR_FCR", "WUR_FSR"])],
        operands: &[ARS],
        postings: &[ARS.use_at(3)],
        ..FAMILY
    },
    // T-20, F-04, M-37
    Family {
        name: "MOVSCF", slots: MUL8N1,
        members: &[ops(&["MOVSCFV"])],
        operands: &[VR],
        postings: &[VR.use_at(10)],
        ..FAMILY
    },
    // T-20, F-04
    Family {
        name: "MOVSCF", slots: LD8,
        members: &[ops(&["MOVVSCF"])],
        operands: &[VT],
        postings: &[VT.def_at(11)],
        ..FAMILY
    },
];
