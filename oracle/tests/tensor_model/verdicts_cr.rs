//! Table 4.1 of spec 02: every near-valid example, accept probe and sub-rule probe on every
//! generation, with the exact failing set.

use crate::support::{Record, at, b_cr, p, roomy, set, step, u};
use contract::isa::Generation;
use contract::outcome::{TensorReason, TensorVerdict};
use oracle::verdict::{failing_clauses, judge};

const OPCODES: [u8; 2] = [0x9A, 0xE6];

/// Generations up to this one.
const UP_TO_CAYMAN: fn(Generation) -> bool = |generation| generation <= Generation::Cayman;
const BEFORE_MAVERICK: fn(Generation) -> bool = |generation| generation < Generation::Maverick;
const ALL: fn(Generation) -> bool = |_| true;

/// Checks the failing set of a change to both baselines on the generations that `on` admits.
#[track_caller]
fn fails(on: fn(Generation) -> bool, change: impl Fn(Record, Generation) -> Record, ids: &[&str]) {
    for &generation in Generation::ALL.iter().filter(|&&generation| on(generation)) {
        for opcode in OPCODES {
            let record = change(b_cr(opcode), generation);
            assert_eq!(
                failing_clauses(generation, &record.0),
                set(ids),
                "{generation} {opcode:#x}"
            );
            let expected = match ids {
                [] => Ok(()),
                ids => Err(TensorVerdict::Reject(set(ids))),
            };
            assert_eq!(judge(generation, &record.0), expected, "{generation} {opcode:#x}");
        }
    }
}

#[track_caller]
fn unsupported(on: fn(Generation) -> bool, change: impl Fn(Record) -> Record, why: TensorReason) {
    for &generation in Generation::ALL.iter().filter(|&&generation| on(generation)) {
        for opcode in OPCODES {
            let verdict = judge(generation, &change(b_cr(opcode)).0);
            assert_eq!(verdict, Err(TensorVerdict::Unsupported(why.clone())), "{generation}");
        }
    }
}

#[test]
fn baselines_are_accepted() {
    fails(ALL, |r, _| r, &[]);
    for &generation in Generation::ALL {
        for opcode in OPCODES {
            let step = step(&mut roomy(generation), b_cr(opcode)).expect("regions hold it");
            assert_eq!(step.verdict, TensorVerdict::Accept, "{generation} {opcode:#x}");
        }
    }
}

#[test]
fn preamble_clauses_are_isolated() {
    fails(ALL, |r, _| r.byte(at::OPCODE, 0), &["HDR-OPC"]);
    fails(ALL, |r, _| r.byte(at::OPCODE, 0xFF), &["HDR-OPC"]);
    fails(ALL, |r, _| r.byte(at::INST_WORD_LEN, 15), &["HDR-LEN"]);
    fails(ALL, |r, _| r.byte(at::WAIT_MODE, 8), &["EVT-WAIT"]);
    fails(ALL, |r, _| r.byte(at::UPDATE_MODE, 8), &["EVT-UPD"]);
    // Register-valued wait codes are members, their neighbours are not (DD-EVT-REG).
    fails(ALL, |r, _| r.byte(at::WAIT_MODE, 0x85), &[]);
    fails(ALL, |r, _| r.byte(at::WAIT_MODE, 0x80), &["EVT-WAIT"]);
    fails(ALL, |r, _| r.byte(at::UPDATE_MODE, 0x86), &["EVT-UPD"]);
    // Fields without a rule.
    fails(ALL, |r, _| r.byte(5, 0xFF).byte(7, 0xFF).word(8, u32::MAX), &[]);
}

#[test]
fn an_undefined_opcode_has_preamble_clauses_only() {
    let broken = |r: Record| r.byte(at::OPCODE, 0).byte(at::ts::OP1, 0).byte(at::ts::RESERVED0, 1);
    fails(ALL, |r, _| broken(r), &["HDR-OPC"]);
    fails(
        ALL,
        |r, _| broken(r).byte(at::INST_WORD_LEN, 0).byte(at::WAIT_MODE, 8),
        &["HDR-OPC", "HDR-LEN", "EVT-WAIT"],
    );
}

#[test]
fn operator_clauses() {
    fails(ALL, |r, _| r.byte(at::ts::OP0, 0x07), &["CR-OP0-GEN"]);
    fails(ALL, |r, _| r.byte(at::ts::OP0, 0x1D), &["CR-OP0-GEN"]);
    fails(ALL, |r, _| r.byte(at::ts::OP0, 0xC4), &["CR-OP0-GEN"]);
    fails(ALL, |r, _| r.byte(at::ts::OP1, 0x00), &["CR-OP1"]);
    fails(UP_TO_CAYMAN, |r, _| r.byte(at::ts::OP0, 0x20), &["CR-OP0-ENUM", "CR-OP0-GEN"]);
    fails(|g| g >= Generation::Mariana, |r, _| r.byte(at::ts::OP0, 0x20), &[]);
    // SymmetricClamp is a member on maverick and in no set (VD-CLAMP).
    fails(BEFORE_MAVERICK, |r, _| r.byte(at::ts::OP0, 0x24), &["CR-OP0-ENUM", "CR-OP0-GEN"]);
    fails(|g| g == Generation::Maverick, |r, _| r.byte(at::ts::OP0, 0x24), &["CR-OP0-GEN"]);
    fails(|g| g == Generation::Sunda, |r, _| r.byte(at::ts::OP1, 0xC7), &["CR-OP1-ENUM", "CR-OP1"]);
    fails(|g| g > Generation::Sunda, |r, _| r.byte(at::ts::OP1, 0xC7), &["CR-OP1"]);
    fails(
        ALL,
        |r, _| r.byte(at::ts::OP0, 0x1E).byte(at::ts::OP1, 0xFF),
        &["CR-OP0-ENUM", "CR-OP1-ENUM", "CR-OP0-GEN", "CR-OP1"],
    );
}

#[test]
fn dtype_clauses() {
    for code in [0x08, 0x09] {
        fails(ALL, |r, _| r.byte(at::ts::IN_DTYPE, code), &["CR-TYPES"]);
    }
    for code in [0x0B, 0x0C, 0x01] {
        fails(ALL, |r, _| r.byte(at::ts::IN_DTYPE, code), &["CR-TYPES", "CR-IN-DT"]);
    }
    for code in [0x01, 0x0C] {
        fails(ALL, |r, _| r.byte(at::ts::OUT_DTYPE, code), &["CR-OUT-DT"]);
    }
    fails(ALL, |r, _| r.byte(at::ts::OUT_DTYPE, 0x0B), &[]);
    // INVALID and the codes from 0x10 on have no alignment; FP4_EXP2 has one from mariana on.
    for code in [0x00, 0x11, 0x12, 0x16, 0x17, 0x19, 0x1F, 0x20, 0xFF] {
        fails(ALL, |r, _| r.byte(at::ts::IN_DTYPE, code), &["CR-TYPES", "CR-SRC-MEM", "CR-IN-DT"]);
        fails(ALL, |r, _| r.byte(at::ts::OUT_DTYPE, code), &["CR-DST-MEM", "CR-OUT-DT"]);
    }
    fails(UP_TO_CAYMAN, |r, _| r.byte(at::ts::OUT_DTYPE, 0x10), &["CR-DST-MEM", "CR-OUT-DT"]);
    fails(|g| g >= Generation::Mariana, |r, _| r.byte(at::ts::OUT_DTYPE, 0x10), &["CR-OUT-DT"]);
}

#[test]
fn imm0_clause() {
    let imm0 = |r: Record, source, word| r.byte(at::ts::IMM0_SRC, source).word(at::ts::IMM0, word);
    fails(ALL, |r, _| imm0(r, 3, 0), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 1, 2), &["CR-IMM0"]);
    fails(ALL, |r, g| imm0(r, 1, p(g, 1)), &["CR-IMM0"]);
    fails(ALL, |r, g| imm0(r, 1, p(g, 32)), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 1, 0x2000_4000), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 1, 0x8000_0000), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 1, 0x1FFF_FFFC), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 2, 0x0000_0100), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 2, 64), &["CR-IMM0"]);
    fails(ALL, |r, _| imm0(r, 2, 63), &[]);
    fails(ALL, |r, _| imm0(r, 1, 0x4000), &[]);
    fails(BEFORE_MAVERICK, |r, _| imm0(r, 1, u(0)), &[]);
    fails(ALL, |r, _| imm0(r, 0, 0x7F80_0001), &[]);
    // The pointer is judged for the channels of the record.
    fails(ALL, |r, g| imm0(r, 1, p(g, 32)).byte(at::ts::NUM_ACTIVE_CHANNELS, 32), &[]);
}

#[test]
fn imm1_gate() {
    let imm1 = |r: Record, cmd, source, word| {
        r.byte(at::ts::ACCUMULATOR_CMD, cmd).byte(at::ts::IMM1_SRC, source).word(at::ts::IMM1, word)
    };
    for cmd in [2, 3] {
        fails(ALL, |r, _| imm1(r, cmd, 0, 0), &[]);
        fails(ALL, |r, _| imm1(r, cmd, 0, 1), &["CR-IMM1-GATE"]);
        fails(ALL, |r, _| imm1(r, cmd, 0, 0x8000_0000), &["CR-IMM1-GATE"]);
        fails(ALL, |r, _| imm1(r, cmd, 1, 0), &["CR-IMM1-GATE"]);
        fails(ALL, |r, _| imm1(r, cmd, 2, 0), &["CR-IMM1-GATE"]);
    }
    fails(ALL, |r, _| imm1(r, 4, 3, 0), &["CR-IMM1-GATE"]);
    fails(ALL, |r, _| imm1(r, 4, 1, 2), &["CR-IMM1-GATE"]);
    fails(ALL, |r, _| imm1(r, 4, 2, 64), &["CR-IMM1-GATE"]);
    fails(ALL, |r, _| imm1(r, 4, 0, 0xFFFF_FFFF), &[]);
    fails(ALL, |r, _| imm1(r, 4, 1, 0x1000), &[]);
    fails(ALL, |r, _| imm1(r, 4, 2, 63), &[]);
}

#[test]
fn address_clauses() {
    let src = |r: Record, word| r.word(at::ts::SRC_MEM_PATTERN, word);
    let dst = |r: Record, word| r.word(at::ts::DST_MEM_PATTERN, word);
    fails(ALL, |r, _| src(r, 2), &["CR-SRC-MEM"]);
    fails(ALL, |r, _| dst(r, 0x1002), &["CR-DST-MEM"]);
    fails(BEFORE_MAVERICK, |r, _| dst(r, u(0)).byte(at::ts::OUT_DTYPE, 0x07), &["CR-DST-MEM"]);
    fails(BEFORE_MAVERICK, |r, _| dst(r, u(0)), &[]);
    fails(BEFORE_MAVERICK, |r, _| src(r, u(0)).byte(at::ts::IN_DTYPE, 0x07), &[]);
    // Sub-rule probes of section 2.4: dead markers, register 64, a reserved byte, bit 28.
    for word in [0x6000_0000, 0xA000_0000, 0x8000_0040, 0x8000_0100, 0x9000_0000] {
        fails(ALL, |r, _| src(r, word), &["CR-SRC-MEM"]);
        fails(ALL, |r, _| dst(r, word), &["CR-DST-MEM"]);
    }
    fails(UP_TO_CAYMAN, |r, _| src(r, 0x2000_0000), &["CR-SRC-MEM"]);
    fails(ALL, |r, _| src(r, 0x8000_003F), &[]);
    // An address in no region and a start in another partition break the channel clause too.
    fails(ALL, |r, _| src(r, 0x1000_0000), &["CR-SRC-MEM", "CR-SRC-CH"]);
    fails(ALL, |r, _| dst(r, 0x1000_0000), &["CR-DST-MEM", "CR-DST-CH"]);
    fails(ALL, |r, g| src(r, p(g, 32)), &["CR-SRC-CH"]);
    fails(ALL, |r, g| dst(r, p(g, 32)), &["CR-DST-CH"]);
    fails(ALL, |r, g| src(r, p(g, 1)), &["CR-SRC-CH"]);
}

#[test]
fn channel_tiers() {
    let start = |r: Record, word: u32, channels| {
        r.word(at::ts::SRC_MEM_PATTERN, word)
            .word(at::ts::DST_MEM_PATTERN, word + 0x1000)
            .byte(at::ts::NUM_ACTIVE_CHANNELS, channels)
    };
    for (partition, limit) in [(0, 128), (32, 32), (64, 64), (96, 32)] {
        fails(ALL, |r, g| start(r, p(g, partition), limit), &[]);
        fails(BEFORE_MAVERICK, |r, _| start(r, u(partition), limit), &[]);
        let over = if partition == 0 {
            &["CR-CHAN", "CR-SRC-CH", "CR-DST-CH"][..]
        } else {
            &["CR-SRC-CH", "CR-DST-CH"][..]
        };
        fails(ALL, |r, g| start(r, p(g, partition), limit + 1), over);
        fails(ALL, |r, g| start(r, p(g, partition), 0), &["CR-CHAN"]);
    }
    fails(ALL, |r, g| start(r, p(g, 31), 255), &["CR-CHAN", "CR-SRC-CH", "CR-DST-CH"]);
    // PSUM addresses are SBUF partition 32 on maverick (DD-MAV-PSUM).
    fails(|g| g == Generation::Maverick, |r, _| start(r, u(0), 33), &["CR-SRC-CH", "CR-DST-CH"]);
    fails(|g| g == Generation::Maverick, |r, _| start(r, u(0), 32), &[]);
}

#[test]
fn starts_must_be_backed() {
    let src = |r: Record, word| r.word(at::ts::SRC_MEM_PATTERN, word);
    for (generation, active) in [
        (Generation::Sunda, 0x3_0000),
        (Generation::Cayman, 0x3_8000),
        (Generation::Maverick, 0x8_0000),
    ] {
        let record = src(b_cr(0x9A), active);
        assert_eq!(failing_clauses(generation, &record.0), set(&["CR-SRC-CH"]), "{generation}");
        let record = src(b_cr(0x9A), active - 4);
        assert_eq!(failing_clauses(generation, &record.0), set(&[]), "{generation}");
    }
    let record = src(b_cr(0x9A), 0x3_8000);
    assert_eq!(failing_clauses(Generation::Mariana, &record.0), set(&[]));
    fails(BEFORE_MAVERICK, |r, _| src(r, u(0) + 0x4000), &["CR-SRC-CH"]);
}

#[test]
fn count_clause_compares_products_only() {
    let counts = |r: Record, offset: usize, counts: [u16; 3]| {
        (0..3).fold(r, |r, axis| r.half(offset + 10 + 2 * axis, counts[axis]))
    };
    let dst = |r: Record, c| counts(r, at::ts::DST_MEM_PATTERN, c);
    let src = |r: Record, c| counts(r, at::ts::SRC_MEM_PATTERN, c);
    fails(ALL, |r, _| dst(r, [8, 1, 1]), &["CR-COUNT"]);
    fails(ALL, |r, _| dst(r, [1, 1, 1]), &["CR-COUNT"]);
    fails(ALL, |r, _| dst(r, [2, 4, 2]), &[]);
    fails(ALL, |r, _| dst(r, [0, 1, 1]), &["CR-DST-MEM", "CR-COUNT"]);
    fails(ALL, |r, _| src(r, [16, 0, 1]), &["CR-SRC-MEM", "CR-COUNT"]);
    fails(ALL, |r, _| src(dst(r, [1, 1, 0]), [0, 1, 1]), &["CR-SRC-MEM", "CR-DST-MEM"]);
    // 2^32 elements: a product of 32 bits would wrap to zero, and 2^48 would wrap to the same.
    fails(ALL, |r, _| src(dst(r, [0x8000, 0x8000, 4]), [0x8000, 4, 0x8000]), &[]);
    fails(ALL, |r, _| src(dst(r, [0x8000, 0x8000, 4]), [0x8000, 0x8000, 8]), &["CR-COUNT"]);
}

#[test]
fn field_clauses() {
    fails(ALL, |r, _| r.byte(at::ts::REVERSE_OPERANDS, 1), &["CR-REV"]);
    fails(ALL, |r, _| r.byte(at::ts::REVERSE_OPERANDS, 3), &["CR-REV"]);
    fails(ALL, |r, _| r.byte(at::ts::REVERSE_OPERANDS, 4), &["CR-REV-ENUM", "CR-REV"]);
    for offset in [13, 14, 15] {
        fails(ALL, |r, _| r.byte(offset, 1), &["CR-RSVD"]);
    }
    for cmd in [0, 1, 5, 0xFF] {
        fails(ALL, |r, _| r.byte(at::ts::ACCUMULATOR_CMD, cmd), &["CR-ACC"]);
    }
    fails(ALL, |r, _| r.byte(at::ts::ACCUMULATOR_CMD, 2), &[]);
    fails(ALL, |r, _| r.byte(at::ts::NUM_ACTIVE_CHANNELS, 0), &["CR-CHAN"]);
}

#[test]
fn every_failing_clause_is_listed_at_once() {
    fails(
        ALL,
        |_, _| {
            Record([0xFF; 64])
                .byte(at::OPCODE, 0x9A)
                .byte(2, 0)
                .byte(3, 0)
                .word(at::ts::SRC_MEM_PATTERN, 0x6000_0002)
                .word(at::ts::DST_MEM_PATTERN, 0xA000_0001)
        },
        &[
            "HDR-LEN",
            "EVT-WAIT",
            "EVT-UPD",
            "CR-OP0-ENUM",
            "CR-OP1-ENUM",
            "CR-OP0-GEN",
            "CR-OP1",
            "CR-TYPES",
            "CR-IMM0",
            "CR-IMM1-GATE",
            "CR-SRC-MEM",
            "CR-DST-MEM",
            "CR-REV-ENUM",
            "CR-REV",
            "CR-RSVD",
            "CR-ACC",
            "CR-IN-DT",
            "CR-OUT-DT",
            "CR-CHAN",
            "CR-SRC-CH",
            "CR-DST-CH",
        ],
    );
}

#[test]
fn shape_registers_and_indirect_patterns_are_unsupported() {
    for offset in [at::ts::SRC_MEM_PATTERN, at::ts::DST_MEM_PATTERN] {
        for word in [0x4000_0000, 0xC000_0000, 0x5FFF_FFFF] {
            unsupported(ALL, |r| r.word(offset, word), TensorReason::AddrShapereg);
        }
        unsupported(
            |g| g >= Generation::Mariana,
            |r| r.word(offset, 0x2000_0000),
            TensorReason::Ind,
        );
    }
    // The first word in record order decides; clauses are not looked at.
    let both = |r: Record, src, dst| {
        r.word(at::ts::SRC_MEM_PATTERN, src).word(at::ts::DST_MEM_PATTERN, dst).byte(1, 0)
    };
    let modern = |g| g >= Generation::Mariana;
    unsupported(modern, |r| both(r, 0x2000_0000, 0x4000_0000), TensorReason::Ind);
    unsupported(ALL, |r| both(r, 0x4000_0000, 0x2000_0000), TensorReason::AddrShapereg);
    unsupported(UP_TO_CAYMAN, |r| both(r, 0x2000_0000, 0x4000_0000), TensorReason::AddrShapereg);
}

#[test]
fn the_accept_set_has_its_worked_size() {
    for &generation in Generation::ALL {
        let mut accepted = 0;
        for op0 in 0..=255 {
            for op1 in 0..=255 {
                for cmd in 0..=6 {
                    let record = b_cr(0x9A)
                        .byte(at::ts::OP0, op0)
                        .byte(at::ts::OP1, op1)
                        .byte(at::ts::ACCUMULATOR_CMD, cmd);
                    accepted += u32::from(failing_clauses(generation, &record.0).is_empty());
                }
            }
        }
        let general = if generation >= Generation::Mariana { 21 } else { 17 };
        assert_eq!(accepted, general * 5 * 3, "{generation}");
    }
}
