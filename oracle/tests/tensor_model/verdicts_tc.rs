//! Table 4.2 of spec 02: every near-valid example, accept probe and sub-rule probe on every
//! generation, with the exact failing set.

use crate::support::{Record, at, b_tc, b_tcb, p, roomy, set, step, u};
use contract::isa::Generation;
use contract::outcome::TensorVerdict;
use oracle::verdict::{failing_clauses, judge};

const ALL: fn(Generation) -> bool = |_| true;
const BEFORE_MAVERICK: fn(Generation) -> bool = |generation| generation < Generation::Maverick;

#[track_caller]
fn record_fails(on: fn(Generation) -> bool, record: impl Fn(Generation) -> Record, ids: &[&str]) {
    for &generation in Generation::ALL.iter().filter(|&&generation| on(generation)) {
        let record = record(generation);
        assert_eq!(failing_clauses(generation, &record.0), set(ids), "{generation}");
        let expected = match ids {
            [] => Ok(()),
            ids => Err(TensorVerdict::Reject(set(ids))),
        };
        assert_eq!(judge(generation, &record.0), expected, "{generation}");
    }
}

/// A change that breaks the same clauses of both baselines.
#[track_caller]
fn fails(on: fn(Generation) -> bool, change: impl Fn(Record, Generation) -> Record, ids: &[&str]) {
    record_fails(on, |generation| change(b_tc(), generation), ids);
    record_fails(on, |generation| change(b_tcb(), generation), ids);
}

#[test]
fn baselines_are_accepted() {
    fails(ALL, |r, _| r, &[]);
    for &generation in Generation::ALL {
        for record in [b_tc(), b_tcb()] {
            let step = step(&mut roomy(generation), record).expect("regions hold it");
            assert_eq!(step.verdict, TensorVerdict::Accept, "{generation}");
        }
    }
}

#[test]
fn preamble_and_field_clauses() {
    fails(ALL, |r, _| r.byte(at::INST_WORD_LEN, 15), &["HDR-LEN"]);
    fails(ALL, |r, _| r.byte(at::WAIT_MODE, 8), &["EVT-WAIT"]);
    fails(ALL, |r, _| r.byte(at::UPDATE_MODE, 8), &["EVT-UPD"]);
    for offset in 39..=43 {
        fails(ALL, |r, _| r.byte(offset, 1), &["TC-RSVD"]);
    }
    fails(ALL, |r, _| r.byte(at::tr::MASK_ENABLE, 1), &["TC-MASK0"]);
    fails(ALL, |r, _| r.byte(at::tr::NEGATED, 1), &["TC-NEG0"]);
    for dim in [0, 1, 6, 0xFF] {
        fails(ALL, |r, _| r.byte(at::tr::OP_DIM, dim), &["TC-DIM"]);
    }
    for dim in 2..=5 {
        fails(ALL, |r, _| r.byte(at::tr::OP_DIM, dim), &[]);
    }
}

#[test]
fn dtype_clauses() {
    let arith =
        |r: Record, input, output| r.byte(at::tr::IN_DTYPE, input).byte(at::tr::OUT_DTYPE, output);
    record_fails(ALL, |_| arith(b_tc(), 0x0B, 0x0A), &["TC-IN-DT"]);
    record_fails(ALL, |_| arith(b_tc(), 0x0C, 0x0A), &["TC-IN-DT"]);
    record_fails(ALL, |_| arith(b_tc(), 0x0A, 0x0C), &["TC-OUT-DT"]);
    record_fails(ALL, |_| arith(b_tc(), 0x0A, 0x0B), &[]);
    for code in [0x08, 0x09] {
        record_fails(ALL, |_| arith(b_tc(), code, code), &[]);
    }
    record_fails(ALL, |_| arith(b_tc(), 0x00, 0x0A), &["TC-IN-DT", "TC-SRC-MEM"]);
    record_fails(ALL, |_| arith(b_tc(), 0x0A, 0x11), &["TC-OUT-DT", "TC-DST-MEM"]);
    record_fails(
        |g| g >= Generation::Mariana,
        |_| arith(b_tc(), 0x10, 0x10),
        &["TC-IN-DT", "TC-OUT-DT"],
    );
    record_fails(
        |g| g < Generation::Mariana,
        |_| arith(b_tc(), 0x10, 0x10),
        &["TC-IN-DT", "TC-OUT-DT", "TC-SRC-MEM", "TC-DST-MEM"],
    );

    record_fails(ALL, |_| arith(b_tcb(), 0x09, 0x08), &["TC-DT-BV"]);
    for code in [0x04, 0x02, 0x07, 0x0A] {
        record_fails(ALL, |_| arith(b_tcb(), code, code), &["TC-DT-BV"]);
    }
    for code in [0x03, 0x05, 0x08, 0x09] {
        record_fails(ALL, |_| arith(b_tcb(), code, code), &[]);
    }
    record_fails(ALL, |_| arith(b_tcb(), 0x0C, 0x0C), &["TC-IN-DT", "TC-OUT-DT", "TC-DT-BV"]);
    for (code, ids) in [(0x08, &[][..]), (0x09, &["TC-DT-BV"]), (0x03, &["TC-DT-BV"])] {
        record_fails(ALL, |_| arith(b_tcb().byte(at::tr::OP, 0x11), code, code), ids);
    }
    record_fails(ALL, |_| arith(b_tcb().byte(at::tr::OP, 0x03), 0x03, 0x03), &[]);
}

#[test]
fn operator_clauses() {
    for op in [0x07, 0x1A, 0x1B] {
        record_fails(ALL, |_| b_tc().byte(at::tr::OP, op), &["TC-EXCL"]);
        record_fails(ALL, |_| b_tcb().byte(at::tr::OP, op), &["TC-EXCL", "TC-BV"]);
    }
    record_fails(ALL, |_| b_tc().byte(at::tr::OP, 0x0A), &["TC-AR"]);
    record_fails(ALL, |_| b_tc().byte(at::tr::OP, 0x1C), &["TC-AR"]);
    record_fails(ALL, |_| b_tcb().byte(at::tr::OP, 0x04), &["TC-BV"]);
    record_fails(ALL, |_| b_tcb().byte(at::tr::OP, 0x1C), &[]);
    let sunda = |g| g == Generation::Sunda;
    let later = |g| g > Generation::Sunda;
    record_fails(later, |_| b_tc().byte(at::tr::OP, 0xCF), &["TC-AR"]);
    for op in [0xC7, 0xC8, 0xCF] {
        record_fails(sunda, |_| b_tc().byte(at::tr::OP, op), &["TC-OP-ENUM", "TC-AR"]);
    }
    for op in [0xC7, 0xC8] {
        record_fails(later, |_| b_tc().byte(at::tr::OP, op), &[]);
    }
    for op in [0x1D, 0xC4, 0xC5, 0xC6] {
        record_fails(ALL, |_| b_tc().byte(at::tr::OP, op), &[]);
    }
    for op in [0x1E, 0x1F, 0x25, 0xC3, 0xE2, 0xFF] {
        record_fails(ALL, |_| b_tc().byte(at::tr::OP, op), &["TC-OP-ENUM", "TC-AR"]);
        record_fails(ALL, |_| b_tcb().byte(at::tr::OP, op), &["TC-OP-ENUM", "TC-BV"]);
    }
    record_fails(|g| g == Generation::Maverick, |_| b_tc().byte(at::tr::OP, 0x24), &["TC-AR"]);
}

#[test]
fn address_channel_and_count_clauses() {
    let src = |r: Record, word| r.word(at::tr::SRC_MEM_PATTERN, word);
    let dst = |r: Record, word| r.word(at::tr::DST_MEM_PATTERN, word);
    fails(ALL, |r, _| r.byte(at::tr::NUM_ACTIVE_CHANNELS, 0), &["TC-CHAN"]);
    fails(
        ALL,
        |r, _| r.byte(at::tr::NUM_ACTIVE_CHANNELS, 129),
        &["TC-CHAN", "TC-SRC-CH", "TC-DST-CH"],
    );
    fails(ALL, |r, g| src(r, p(g, 32)), &["TC-SRC-CH"]);
    fails(ALL, |r, g| dst(r, p(g, 32)), &["TC-DST-CH"]);
    fails(ALL, |r, _| src(r, 2), &["TC-SRC-MEM"]);
    fails(ALL, |r, _| dst(r, 0x1002), &["TC-DST-MEM"]);
    record_fails(
        BEFORE_MAVERICK,
        |_| dst(b_tc(), u(0)).byte(at::tr::OUT_DTYPE, 0x07),
        &["TC-DST-MEM"],
    );
    fails(BEFORE_MAVERICK, |r, _| dst(src(r, u(0)), u(0) + 0x1000), &[]);
    for word in [0x6000_0000, 0xA000_0000, 0x8000_0040, 0x8000_0100] {
        fails(ALL, |r, _| src(r, word), &["TC-SRC-MEM"]);
        fails(ALL, |r, _| dst(r, word), &["TC-DST-MEM"]);
    }
    fails(|g| g < Generation::Mariana, |r, _| dst(r, 0x2000_0000), &["TC-DST-MEM"]);
    fails(ALL, |r, _| src(r, 0x8000_003F), &[]);
    let count0 = at::tr::DST_MEM_PATTERN + 12;
    fails(ALL, |r, _| r.half(count0, 8), &["TC-COUNT"]);
    fails(ALL, |r, _| r.half(count0, 4).half(count0 + 6, 4), &[]);
    fails(ALL, |r, _| r.half(count0 + 6, 0), &["TC-DST-MEM", "TC-COUNT"]);
}

#[test]
fn accept_sets_have_their_worked_sizes() {
    for &generation in Generation::ALL {
        let accepted = |record: Record| {
            (0..=255)
                .filter(|&op| {
                    failing_clauses(generation, &record.byte(at::tr::OP, op).0).is_empty()
                })
                .count()
        };
        let arith = match generation {
            Generation::Sunda => 21,
            Generation::Cayman => 23,
            _ => 27,
        };
        assert_eq!(accepted(b_tc()), arith, "{generation}");
        let int32 = b_tcb().byte(at::tr::IN_DTYPE, 0x08).byte(at::tr::OUT_DTYPE, 0x08);
        assert_eq!(accepted(int32), 10, "{generation}");
        assert_eq!(accepted(b_tcb()), 9, "{generation}: LogicalShiftRight wants INT32");
    }
}

#[test]
fn every_failing_clause_is_listed_at_once() {
    let broken = |opcode| {
        Record([0xFF; 64])
            .byte(at::OPCODE, opcode)
            .byte(at::DEBUG_CMD, 0)
            .byte(at::DEBUG_HINT, 0)
            .word(at::tr::SRC_MEM_PATTERN, 0x6000_0001)
            .word(at::tr::DST_MEM_PATTERN, 0xB000_0000)
            .half(at::tr::DST_MEM_PATTERN + 12, 0)
    };
    let common = [
        "HDR-LEN",
        "EVT-WAIT",
        "EVT-UPD",
        "TC-RSVD",
        "TC-MASK0",
        "TC-IN-DT",
        "TC-OUT-DT",
        "TC-OP-ENUM",
        "TC-DIM",
        "TC-CHAN",
        "TC-SRC-CH",
        "TC-DST-CH",
        "TC-SRC-MEM",
        "TC-DST-MEM",
        "TC-COUNT",
        "TC-NEG0",
    ];
    record_fails(ALL, |_| broken(0x4E), &[&common[..], &["TC-AR"]].concat());
    record_fails(ALL, |_| broken(0x5E), &[&common[..], &["TC-BV", "TC-DT-BV"]].concat());
}
