//! The ordered list of spec 01 section 7.1: which outcome wins, and each precondition at its edges.

use crate::support::{
    Bits, Record, at, b_cr, b_tc, b_tcb, fp32_bytes, golden, roomy, sbuf, step, u,
};
use contract::isa::{DEFINED_OPCODES, Generation};
use contract::outcome::{TensorReason, TensorVerdict};
use contract::state::{OutsideCase, Region, Space, TensorState};
use oracle::verdict::{judge, operators};
use serde_json::Value;

fn verdict(state: &mut TensorState, record: Record) -> TensorVerdict {
    step(state, record).expect("no stray write").verdict
}

#[track_caller]
fn faults(record: Record, reason: TensorReason) {
    let mut state = roomy(Generation::Mariana);
    let before = state.clone();
    assert_eq!(verdict(&mut state, record), TensorVerdict::Fault(reason));
    assert_eq!(state, before, "a fault changes nothing");
}

#[track_caller]
fn accepts(record: Record) {
    assert_eq!(verdict(&mut roomy(Generation::Mariana), record), TensorVerdict::Accept);
}

#[test]
fn the_tile_flag_of_maverick_wins_over_everything() {
    for opcode in [0x9A, 0x9D, 0x00, 0x4E] {
        for offset in [at::DEBUG_CMD, at::DEBUG_HINT] {
            let record = b_cr(opcode).byte(offset, 1).byte(at::INST_WORD_LEN, 0);
            let tile = Err(TensorVerdict::Unsupported(TensorReason::HdrTile));
            assert_eq!(judge(Generation::Maverick, &record.0), tile, "{opcode:#x}");
        }
    }
}

#[test]
fn debug_bytes_never_change_a_verdict_before_maverick() {
    for &generation in Generation::ALL.iter().filter(|&&g| g != Generation::Maverick) {
        for record in [b_cr(0x9A), b_cr(0xE6).byte(at::ts::OP1, 0), b_tc(), b_cr(0)] {
            let plain = judge(generation, &record.0);
            for value in 1..=255 {
                let noisy = record.byte(at::DEBUG_CMD, value).byte(at::DEBUG_HINT, !value);
                assert_eq!(judge(generation, &noisy.0), plain, "{generation}");
            }
        }
    }
}

#[test]
fn defined_opcodes_without_a_group_are_out_of_scope() {
    for opcode in 0..=255_u8 {
        let record = Record([0xFF; 64]).byte(at::OPCODE, opcode).byte(2, 0).byte(3, 0);
        for &generation in Generation::ALL {
            let out_of_scope = judge(generation, &record.0)
                == Err(TensorVerdict::Unsupported(TensorReason::OutOfScope));
            let expected =
                DEFINED_OPCODES.contains(&opcode) && ![0x9A, 0xE6, 0x4E, 0x5E].contains(&opcode);
            assert_eq!(out_of_scope, expected, "{opcode:#x}");
        }
    }
}

#[test]
fn operator_sets_are_the_golden_ones() {
    let enums: Value = serde_json::from_str(&golden("enums.json")).expect("valid JSON");
    type OperatorSet = fn(Generation, u8) -> bool;
    let sets: [(&str, OperatorSet); 5] = [
        ("is_arith_op", operators::arith),
        ("is_general_arith_op", operators::general_arith),
        ("is_bitvec_op", operators::bitvec),
        ("is_valid_int_aluop", operators::int_aluop),
        ("is_valid_cache_reduce_op", operators::cache_combine),
    ];
    for &generation in Generation::ALL {
        for (name, predicate) in sets {
            let mut golden: Vec<u64> = enums["op_sets"][name][generation.name()]
                .as_array()
                .unwrap_or_else(|| panic!("{name} {generation}"))
                .iter()
                .map(|member| member["value"].as_u64().expect("a code"))
                .collect();
            golden.sort_unstable();
            let mine: Vec<u64> =
                (0..=255).filter(|&op| predicate(generation, op)).map(u64::from).collect();
            assert_eq!(mine, golden, "{name} {generation}");
        }
        let members: Vec<u64> = enums["ALU_OP"]
            .as_array()
            .expect("members")
            .iter()
            .filter(|member| {
                member["gens"].as_array().expect("gens").contains(&generation.name().into())
            })
            .map(|member| member["value"].as_u64().expect("a code"))
            .collect();
        let mine: Vec<u64> =
            (0..=255).filter(|&op| operators::aluop(generation, op)).map(u64::from).collect();
        assert_eq!(mine, members, "{generation}");
    }
}

#[test]
fn address_registers_fault_before_everything_else() {
    let register = b_cr(0x9A).word(at::ts::SRC_MEM_PATTERN, 0x8000_003F);
    faults(register, TensorReason::ExecAddrreg);
    faults(b_tc().word(at::tr::DST_MEM_PATTERN, 0x8000_0000), TensorReason::ExecAddrreg);
    // Also a bad immediate register, a walk out of bounds and a huge stream.
    let worse = register
        .byte(at::ts::IMM0_SRC, 2)
        .word(at::ts::IMM0, 0)
        .half(at::ts::DST_MEM_PATTERN + 4, -1000_i16 as u16);
    let mut state = roomy(Generation::Mariana);
    state.registers[0] = 2;
    assert_eq!(verdict(&mut state, worse), TensorVerdict::Fault(TensorReason::ExecAddrreg));
}

#[test]
fn immediate_registers_fault_before_bounds() {
    let record = b_cr(0xE6)
        .byte(at::ts::IMM0_SRC, 2)
        .word(at::ts::IMM0, 7)
        .half(at::ts::DST_MEM_PATTERN + 4, -1000_i16 as u16);
    let mut state = roomy(Generation::Mariana);
    for (pointer, reason) in [
        (2, TensorReason::ExecImmreg),
        (0x2000_0000, TensorReason::ExecImmreg),
        (0x8000_0000, TensorReason::ExecImmreg),
        (0x4_0000, TensorReason::ExecImmreg),
        (u(0) + 0x4000, TensorReason::ExecImmreg),
        (0x4000, TensorReason::ExecBounds),
        (u(0), TensorReason::ExecBounds),
    ] {
        state.registers[7] = pointer;
        assert_eq!(verdict(&mut state, record), TensorVerdict::Fault(reason), "{pointer:#x}");
    }
    // imm1's register is read under LoadAccumulate only, and imm0's even if op0 ignores it.
    let seed =
        b_cr(0xE6).byte(at::ts::ACCUMULATOR_CMD, 4).byte(at::ts::IMM1_SRC, 2).word(at::ts::IMM1, 9);
    state.registers[9] = 1;
    assert_eq!(verdict(&mut state, seed), TensorVerdict::Fault(TensorReason::ExecImmreg));
    state.registers[9] = 0;
    assert_eq!(verdict(&mut state, seed), TensorVerdict::Accept);
    let ignored = b_cr(0xE6).byte(at::ts::OP0, 0).byte(at::ts::IMM0_SRC, 2).word(at::ts::IMM0, 7);
    state.registers[7] = 3;
    assert_eq!(verdict(&mut state, ignored), TensorVerdict::Fault(TensorReason::ExecImmreg));
}

/// One channel, a walk of `steps` and `counts` from `start`, into a plain destination.
fn walk(start: u32, steps: [i16; 4], counts: [u16; 4]) -> Record {
    let count: u32 = counts.iter().map(|&count| u32::from(count)).product();
    let row = u16::try_from(count).expect("a small walk");
    b_tc()
        .byte(at::tr::NUM_ACTIVE_CHANNELS, 1)
        .pattern(at::tr::SRC_MEM_PATTERN, start, steps, counts)
        .pattern(at::tr::DST_MEM_PATTERN, 0x800, [1; 4], [row, 1, 1, 1])
}

#[test]
fn every_walked_address_stays_in_its_partition() {
    let mariana_end = 0x4_0000;
    accepts(walk(mariana_end - 16, [1; 4], [4, 1, 1, 1]));
    faults(walk(mariana_end - 12, [1; 4], [4, 1, 1, 1]), TensorReason::ExecBounds);
    // The walk may run downwards to offset 0, not below.
    accepts(walk(12, [-1, 0, 0, 0], [4, 1, 1, 1]));
    faults(walk(8, [-1, 0, 0, 0], [4, 1, 1, 1]), TensorReason::ExecBounds);
    // The excess of one axis is not made good by another: 0, 1, -2, -1.
    faults(walk(0, [1, -2, 0, 0], [2, 2, 1, 1]), TensorReason::ExecBounds);
    accepts(walk(8, [1, -2, 0, 0], [2, 2, 1, 1]));
    // Last element of the largest positive and negative excursion.
    faults(walk(0, [32767; 4], [3, 2, 1, 1]), TensorReason::ExecBounds);
    faults(walk(mariana_end - 4, [-32768; 4], [3, 1, 1, 1]), TensorReason::ExecBounds);
    // Steps of axes with one element do not matter.
    accepts(walk(0, [1, 32767, -32768, 32767], [4, 1, 1, 1]));
    // Destinations count, and PSUM partitions end at 16 KiB.
    faults(
        walk(0, [1; 4], [4, 1, 1, 1]).word(at::tr::DST_MEM_PATTERN, u(0) + 0x3FF4),
        TensorReason::ExecBounds,
    );
    let active = [
        (Generation::Sunda, 0x3_0000),
        (Generation::Cayman, 0x3_8000),
        (Generation::MarianaPlus, 0x4_0000),
        (Generation::Maverick, 0x8_0000),
    ];
    for (generation, end) in active {
        let mut state = roomy(generation);
        let inside = walk(end - 8, [1; 4], [2, 1, 1, 1]);
        assert_eq!(verdict(&mut state, inside), TensorVerdict::Accept, "{generation}");
        let outside = walk(end - 8, [1; 4], [3, 1, 1, 1]);
        let fault = TensorVerdict::Fault(TensorReason::ExecBounds);
        assert_eq!(verdict(&mut state, outside), fault, "{generation}");
    }
}

#[test]
fn sizes_above_two_to_the_twenty_fault() {
    // Broadcast walks, so that bounds hold. 128 × 8192 = 2^20.
    let stream = |x: u16, y: u16| {
        b_cr(0x9A).pattern(at::ts::SRC_MEM_PATTERN, 0, [0, 0, 0], [x, y, 1]).pattern(
            at::ts::DST_MEM_PATTERN,
            0x1000,
            [0, 0, 0],
            [x, y, 1],
        )
    };
    accepts(stream(8192, 1).byte(at::ts::NUM_ACTIVE_CHANNELS, 16));
    faults(stream(8193, 1), TensorReason::ExecSize);
    faults(stream(65535, 65535), TensorReason::ExecSize);
    let longest = b_tc().pattern(at::tr::SRC_MEM_PATTERN, 0, [0; 4], [65535; 4]).pattern(
        at::tr::DST_MEM_PATTERN,
        0x1000,
        [0; 4],
        [65535; 4],
    );
    faults(longest, TensorReason::ExecSize);
    // Bounds come first, overlap later.
    faults(longest.half(at::tr::SRC_MEM_PATTERN + 4, 32767), TensorReason::ExecBounds);
    faults(stream(8193, 1).word(at::ts::DST_MEM_PATTERN, 2 & !3), TensorReason::ExecSize);
}

/// Source and destination of one channel with FP32 in and the given output dtype.
fn pair(
    src: (u32, [i16; 4], [u16; 4]),
    dst: (u32, [i16; 4], [u16; 4]),
    out: u8,
    channels: u8,
) -> Record {
    b_tc()
        .byte(at::tr::NUM_ACTIVE_CHANNELS, channels)
        .byte(at::tr::OUT_DTYPE, out)
        .pattern(at::tr::SRC_MEM_PATTERN, src.0, src.1, src.2)
        .pattern(at::tr::DST_MEM_PATTERN, dst.0, dst.1, dst.2)
}

#[test]
fn overlap_is_judged_by_bytes_and_by_walked_addresses() {
    let row = |start, count| (start, [1; 4], [count, 1, 1, 1]);
    let overlap = |record| faults(record, TensorReason::ExecOverlap);
    // Same walk, whatever its description.
    accepts(pair(row(0x100, 4), row(0x100, 4), 0x0A, 1));
    accepts(pair(row(0x100, 4), (0x100, [1, 2, 0, 0], [2, 2, 1, 1]), 0x0A, 1));
    accepts(pair(
        (0x100, [1, 0, 0, 0], [2, 2, 1, 1]),
        (0x100, [1, 7, 0, 0], [2, 1, 1, 2]),
        0x0A,
        1,
    ));
    // Same bytes, other order, other size.
    overlap(pair(row(0x100, 4), (0x10C, [-1, 0, 0, 0], [4, 1, 1, 1]), 0x0A, 1));
    overlap(pair(row(0x100, 4), row(0x100, 4), 0x07, 1));
    overlap(pair(row(0x100, 1), row(0x100, 1), 0x07, 1));
    accepts(pair(row(0x100, 1), row(0x100, 1), 0x08, 1));
    // Neighbours touch, ranges cross.
    accepts(pair(row(0x100, 4), row(0x110, 4), 0x0A, 1));
    overlap(pair(row(0x100, 4), row(0x10C, 4), 0x0A, 1));
    overlap(pair(row(0x110, 4), row(0x104, 4), 0x0A, 1));
    accepts(pair(row(0x110, 4), row(0x100, 4), 0x0A, 1));
    // Strided patterns interleave without a common byte.
    let every_other = |start| (start, [2, 0, 0, 0], [4, 1, 1, 1]);
    accepts(pair(every_other(0x100), every_other(0x104), 0x0A, 1));
    // FP16 elements in the upper half of unread words: 4-byte reads every 8, 2-byte writes every 8.
    accepts(pair(every_other(0x100), (0x104, [4, 0, 0, 0], [4, 1, 1, 1]), 0x07, 1));
    overlap(pair(every_other(0x100), (0x102, [4, 0, 0, 0], [4, 1, 1, 1]), 0x07, 1));
    // One repeated destination byte inside the source.
    overlap(pair(row(0x100, 4), (0x10C, [0, 0, 0, 0], [4, 1, 1, 1]), 0x0A, 1));
}

#[test]
fn overlap_needs_a_common_partition_and_space() {
    let geometry = |src: u32, dst: u32, channels| {
        pair((src, [1; 4], [4, 1, 1, 1]), (dst, [1; 4], [4, 1, 1, 1]), 0x0A, channels)
    };
    let stride = 0x4_0000;
    accepts(geometry(0, 64 * stride + 4, 64));
    accepts(geometry(32 * stride, 64 * stride + 4, 32));
    faults(geometry(64 * stride, 64 * stride + 4, 64), TensorReason::ExecOverlap);
    // PSUM at the same offset and partition is another memory.
    let mut state = roomy(Generation::Mariana);
    state.regions.push(Region {
        space: Space::Psum,
        partition: 0,
        partitions: 32,
        offset: 0,
        stride: 64,
        data: vec![0; 32 * 64],
    });
    assert_eq!(verdict(&mut state, geometry(0, u(0) + 4, 32)), TensorVerdict::Accept);
    let within = geometry(u(0), u(0) + 4, 32);
    let fault = TensorVerdict::Fault(TensorReason::ExecOverlap);
    assert_eq!(verdict(&mut state, within), fault);
}

#[test]
fn unwritten_slots_of_the_reduce_count_as_destination() {
    // Only slot 3 at 0x11C is written, but slot 0 lies on the source.
    let record = b_cr(0x9A)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 1)
        .pattern(at::ts::SRC_MEM_PATTERN, 0x100, [1; 3], [4, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 0x10C, [1; 3], [4, 1, 1]);
    faults(record, TensorReason::ExecOverlap);
}

#[test]
fn pointer_immediates_may_lie_in_the_destination_and_are_read_first() {
    let record = b_cr(0xE6)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 2)
        .byte(at::ts::OP0, 6)
        .byte(at::ts::IMM0_SRC, 1)
        .word(at::ts::IMM0, 8)
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [1; 3], [2, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 8, [1; 3], [2, 1, 1]);
    let data = fp32_bytes(&[1.0, 2.0, 10.0, 0.0, 3.0, 4.0, 100.0, 0.0]);
    let mut state = sbuf(Generation::Mariana, 2, 0, data);
    assert_eq!(verdict(&mut state, record), TensorVerdict::Accept);
    let expected = fp32_bytes(&[1.0, 2.0, 10.0, 30.0, 3.0, 4.0, 300.0, 700.0]);
    assert_eq!(state.regions[0].data, expected);
}

#[test]
fn a_stray_write_is_reported_and_changes_nothing() {
    // Channel 1 has no region; the first byte of its first element is the stray one.
    let record = b_cr(0xE6)
        .byte(at::ts::NUM_ACTIVE_CHANNELS, 2)
        .pattern(at::ts::SRC_MEM_PATTERN, 0, [1; 3], [2, 1, 1])
        .pattern(at::ts::DST_MEM_PATTERN, 16, [1; 3], [2, 1, 1]);
    let mut state = sbuf(Generation::Mariana, 1, 0, fp32_bytes(&[1.0; 8]));
    let before = state.clone();
    let outside = OutsideCase { space: Space::Sbuf, partition: 1, offset: 16 };
    assert_eq!(step(&mut state, record), Err(outside));
    assert_eq!(state, before);
    // An element that only ends outside: its first stray byte is named.
    let mut state = sbuf(Generation::Mariana, 1, 0, vec![0; 22]);
    let one = record.byte(at::ts::NUM_ACTIVE_CHANNELS, 1);
    let outside = OutsideCase { space: Space::Sbuf, partition: 0, offset: 22 };
    assert_eq!(step(&mut state, one), Err(outside));
    assert_eq!(state.seeded, 0);
    // The reduce performs one write, so only that one needs a region.
    let mut state = sbuf(Generation::Mariana, 1, 20, vec![0; 4]);
    let reduce = one.byte(at::OPCODE, 0x9A);
    assert_eq!(verdict(&mut state, reduce), TensorVerdict::Accept);
}

#[test]
fn reads_outside_the_case_give_zero_and_elements_may_span_regions() {
    let region = |offset, data: Vec<u8>| Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: 1,
        offset,
        stride: data.len() as u32,
        data,
    };
    // 1.0 = 00 00 80 3f, of which the first region holds two bytes; the second element is outside.
    let regions = vec![
        region(0, vec![0x00, 0x00]),
        region(2, vec![0x80, 0x3F]),
        region(32, vec![0xEE; 3]),
        region(35, vec![0xEE; 5]),
    ];
    let mut state = TensorState { regions, ..TensorState::default() };
    let record = pair((0, [1; 4], [2, 1, 1, 1]), (32, [1; 4], [2, 1, 1, 1]), 0x0A, 1);
    assert_eq!(verdict(&mut state, record), TensorVerdict::Accept);
    assert_eq!(state.regions[2].data, [0x00, 0x00, 0x80]);
    assert_eq!(state.regions[3].data, [0x3F, 0x00, 0x00, 0x80, 0x3F]);
}

#[test]
fn any_bytes_are_judged_without_panic_and_only_accepted_records_act() {
    let mut bits = Bits(0x0DDB_1A5E_5BAD_5EED);
    let mut accepted = 0;
    for round in 0..60_000 {
        let generation = Generation::ALL[round % 5];
        let mut record = match round % 4 {
            0 => b_cr(0x9A),
            1 => b_cr(0xE6),
            2 => b_tc(),
            _ => b_tcb(),
        }
        .byte(34, 1 + (round % 3) as u8);
        match round % 8 {
            0 => record.0[1..].fill_with(|| bits.next() as u8),
            _ => {
                for _ in 0..1 + bits.next() % 4 {
                    let flip = bits.next() as usize % 512;
                    record.0[flip / 8] ^= 1 << (flip % 8);
                }
            }
        }
        let mut state = sbuf(generation, 4, 0, vec![0; 4 * 0x1080]);
        bits.next().to_le_bytes().iter().enumerate().for_each(|(i, &byte)| {
            state.regions[0].data[i] = byte;
        });
        let before = state.clone();
        match step(&mut state, record) {
            Ok(step) if step.verdict == TensorVerdict::Accept => accepted += 1,
            _ => assert_eq!(state, before, "{:02x?}", record.0),
        }
    }
    assert!(accepted > 5_000, "only {accepted} records were accepted");
}
