//! Part 04: `NOP` and the scalar support ops (T-25; values in spec 04 section 10.1). The scalar ops
//! list their result first, loads and stores their base.

use crate::schedule::table::family::{FAMILY, Family, LOAD, STORE, between, multiples, ops, with};
use crate::schedule::table::operand::{ARR, ARS, ART, IMM};
use crate::schedule::table::slots::{ANY, SCALAR, SCALAR_LD, SCALAR_MEM};

/// Every row without a vector operand.
#[rustfmt::skip]
pub(in crate::schedule::table) const NOP_AND_SCALAR: &[Family] = &[
    Family {
        name: "NOP", slots: ANY,
        members: &[ops(&["NOP"])],
        operands: &[],
        postings: &[],
        ..FAMILY
    },
    // T-25
    Family {
        name: "MOVI", slots: SCALAR,
        members: &[with(&["MOVI"], &[between(-2048, 2047)])],
        operands: &[ART, IMM],
        postings: &[ART.def_at(1)],
        ..FAMILY
    },
    // T-25
    Family {
        name: "SADDI", slots: SCALAR,
        members: &[with(&["ADDI"], &[between(-128, 127)])],
        operands: &[ART, ARS, IMM],
        postings: &[ART.def_at(4), ARS.use_at(4)],
        ..FAMILY
    },
    // T-25
    Family {
        name: "SALU", slots: SCALAR,
        members: &[ops(&["ADD", "SUB", "AND", "OR", "XOR"])],
        operands: &[ARR, ARS, ART],
        postings: &[ARR.def_at(4), ARS.use_at(4), ART.use_at(4)],
        ..FAMILY
    },
    // T-25
    Family {
        name: "SMUL", slots: SCALAR,
        members: &[ops(&["MUL16S", "MULL"])],
        operands: &[ARR, ARS, ART],
        postings: &[ARR.def_at(6), ARS.use_at(4), ART.use_at(4)],
        ..FAMILY
    },
    // T-25
    Family {
        name: "L32I", slots: SCALAR_LD, memory: LOAD,
        members: &[with(&["L32I"], &[multiples(4, 0, 1020)])],
        operands: &[ART, ARS, IMM],
        postings: &[ARS.use_at(1), ART.def_at(5)],
        ..FAMILY
    },
    // T-25
    Family {
        name: "S32I", slots: SCALAR_MEM, memory: STORE,
        members: &[with(&["S32I"], &[multiples(4, 0, 1020)])],
        operands: &[ART, ARS, IMM],
        postings: &[ARS.use_at(1), ART.use_at(5)],
        ..FAMILY
    },
];
