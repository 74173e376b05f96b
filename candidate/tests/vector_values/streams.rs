//! Aligned and unaligned streams (spec 04 section 4).

use crate::random::{Edges, Random};
use crate::support::{BASE, accept, blank_state, executors, line, run, state_with};
use contract::outcome::{FaultReason, VectorStep};
use contract::profile::LaFresh;
use contract::state::{Line, VectorState};

/// A state with byte `i` of memory `i mod 251`, and a pattern in v1.
fn pattern_state() -> VectorState {
    let data: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let mut state = state_with(BASE, 4096, &[(BASE, data)]);
    state.vec[1] = line(8, 100..164);
    state
}

/// Bytes of memory from an offset on.
fn bytes(state: &VectorState, from: usize, count: usize) -> &[u8] {
    &state.memory.bytes()[from..from + count]
}

#[test]
fn prime_then_produce_delivers_the_bytes_at_the_base_at_every_phase() {
    for phase in 0..64 {
        let mut state = pattern_state();
        state.ar[2] = BASE + phase;
        let program = ["F0 { S1 LA_PP u0, a2 }", "F0 { S1 LA2NX8_IP v3, u0, a2 }"];
        for prime in ["F0 { S1 LALIGN_I u0, a2, 0 }", program[0]] {
            let end = accept(&state, &[prime, program[1], "F0 { S1 LANX16_IP v4, u0, a2 }"]);
            assert_eq!(end.vec[3].0, bytes(&state, phase as usize, 64));
            assert_eq!(end.vec[4].0, bytes(&state, phase as usize + 64, 64));
            assert_eq!(end.valign[0].0, bytes(&state, 128, 64));
            assert_eq!(end.ar[2], BASE + phase + 128);
        }
    }
}

#[test]
fn prime_with_post_increment_is_right_when_the_fresh_line_is_the_base_line() {
    for phase in 0..64 {
        let mut state = pattern_state();
        state.ar[2] = BASE + phase;
        let program = ["F0 { S1 LALIGN_IP u0, a2, 64 }", "F0 { S1 LA2NX8_IP v3, u0, a2 }"];
        state.profile.la_fresh = LaFresh::Base;
        let end = accept(&state, &program);
        assert_eq!(end.vec[3].0, bytes(&state, phase as usize, 64));
        assert_eq!(end.ar[2], BASE + phase + 128);
        // Under the other reading the stream skips a line.
        state.profile.la_fresh = LaFresh::Next;
        let end = accept(&state, &program);
        let skipped = [
            bytes(&state, phase as usize, 64 - phase as usize),
            bytes(&state, 128, phase as usize),
        ]
        .concat();
        assert_eq!(end.vec[3].0[..], skipped);
    }
}

#[test]
fn a_copy_by_streams_is_a_byte_copy_and_leaves_other_memory_alone() {
    let edges = Edges::read();
    let mut random = Random(0x0404);
    let mut executors = executors();
    // Loads, stores and the bytes that one step moves.
    let whole = ("F0 { S1 LAV2NX8_XP v3, u0, a2, a4 }", "F0 { S0 SAV2NX8_XP v3, u1, a3, a4 }", 64);
    let bytes_of_halves =
        ("F0 { S1 LAVNX8S_XP v3, u0, a2, a4 }", "F0 { S0 SAVNX8U_XP v3, u1, a3, a4 }", 32);
    let halves_of_words =
        ("F0 { S1 LAVN_2X16U_XP v3, u0, a2, a4 }", "F0 { S0 SAVN_2X16S_XP v3, u1, a3, a4 }", 32);
    for _ in 0..400 {
        let data: Vec<u8> = (0..4096).map(|_| random.next() as u8).collect();
        let mut start = state_with(BASE, 4096, &[(BASE, data.clone())]);
        start.valign[1] = Line::default();
        start.vec[3] = edges.line(&mut random);
        let from = random.below(1024) as u32;
        let to = 2048 + random.below(1024) as u32;
        start.ar[2] = BASE + from;
        start.ar[3] = BASE + to;
        let (load, store, size) = random.pick(&[whole, bytes_of_halves, halves_of_words]);
        let mut lengths = Vec::new();
        for _ in 0..random.below(12) {
            let length = random.below(90).cast_signed() - 10;
            // Half-words move in pairs of bytes.
            lengths.push(if load.contains("2X16") { length & !1 } else { length } as i32);
        }
        let moved: i32 = lengths.iter().map(|&length| length.clamp(0, size)).sum();
        for executor in &mut executors {
            let mut state = start.clone();
            let mut step = |state: &mut VectorState, text: &str| {
                let step = executor.execute(state, &crate::support::bundle(text));
                assert_eq!(step, VectorStep::Accept, "{text}");
            };
            step(&mut state, "F0 { S1 LA_PP u0, a2 }");
            for &length in &lengths {
                state.ar[4] = length.cast_unsigned();
                step(&mut state, load);
                step(&mut state, store);
            }
            step(&mut state, "F0 { S0 SAPOS_FP u1, a3 }");
            let mut expected = data.clone();
            let (from, to, moved) = (from as usize, to as usize, moved as usize);
            expected.copy_within(from..from + moved, to);
            assert_eq!(state.memory.bytes(), expected);
            assert_eq!(state.valign[1], Line::default());
            assert_eq!(state.ar[2], start.ar[2] + moved as u32);
            assert_eq!(state.ar[3], start.ar[3] + moved as u32);
        }
    }
}

#[test]
fn a_variable_length_acts_as_a_signed_byte_count() {
    let mut state = pattern_state();
    state.valign[0] = Line([9; 64]);
    state.ar[2] = BASE + 60;
    for (length, moved) in
        [(0, 0), (-1, 0), (i32::MIN, 0), (3, 3), (4, 4), (64, 64), (i32::MAX, 64)]
    {
        state.ar[4] = length.cast_unsigned();
        let end = accept(&state, &["F0 { S1 LAV2NX8_XP v3, u0, a2, a4 }"]);
        let from_register = 4.min(moved);
        let mut expected = [0; 64];
        expected[..from_register].fill(9);
        expected[from_register..moved].copy_from_slice(bytes(&state, 64, moved - from_register));
        assert_eq!(end.vec[3].0, expected, "{length}");
        assert_eq!(end.ar[2], BASE + 60 + moved as u32, "{length}");
        // From the line end on, the register is the next line.
        let crossed = moved >= 4;
        let left: &[u8] = if crossed { bytes(&state, 64, 64) } else { &[9; 64] };
        assert_eq!(end.valign[0].0, left, "{length}");
    }
}

#[test]
fn an_odd_length_leaves_the_upper_byte_of_a_half_word_zero() {
    let mut state = pattern_state();
    state.valign[0] = Line([0x85; 64]);
    state.ar[2] = BASE;
    state.ar[4] = 3;
    let end = accept(&state, &["F0 { S1 LAVN_2X16S_XP v3, u0, a2, a4 }"]);
    assert_eq!(end.vec[3], line(32, [0xffff_8585, 0x85]));
    assert_eq!(end.ar[2], BASE + 3);
}

#[test]
fn a_step_that_stays_inside_its_line_makes_no_access() {
    // The base lies far outside the window.
    let mut state = blank_state();
    state.ar[2] = 0x1000_0001;
    state.ar[4] = 62;
    state.valign[0] = line(8, 0..64);
    let end = accept(&state, &["F0 { S1 LAV2NX8_XP v3, u0, a2, a4 }"]);
    assert_eq!(end.vec[3], line(8, 1..63));
    let end = accept(&state, &["F0 { S0 SAV2NX8_XP v1, u0, a2, a4 }"]);
    assert_eq!(end.ar[2], 0x1000_003f);
    // One byte more reaches the line end.
    state.ar[4] = 63;
    let (step, end) = run(&state, &["F0 { S1 LAV2NX8_XP v3, u0, a2, a4 }"]);
    assert_eq!(step, VectorStep::Fault(FaultReason::BadAccess, Some(0x1000_0040)));
    assert_eq!(end, state);
    let (step, end) = run(&state, &["F0 { S0 SAV2NX8_XP v1, u0, a2, a4 }"]);
    assert_eq!(step, VectorStep::Fault(FaultReason::BadAccess, Some(0x1000_0000)));
    assert_eq!(end, state);
}

#[test]
fn a_flush_without_pending_bytes_makes_no_access_and_clears() {
    let mut state = blank_state();
    state.ar[2] = 0x1000_0005;
    state.valign[0] = line(8, (0..64).map(|i| if i == 63 { 0x40 } else { 7 }));
    let end = accept(&state, &["F0 { S0 SAPOS_FP u0, a2 }"]);
    assert_eq!(end.valign[0], Line::default());
    state.valign[0].0[63] = 0x41;
    let (step, end) = run(&state, &["F0 { S0 SAPOS_FP u0, a2 }"]);
    assert_eq!(step, VectorStep::Fault(FaultReason::BadAccess, Some(0x1000_0000)));
    assert_eq!(end, state);
}

#[test]
fn a_store_of_no_bytes_keeps_the_exact_register() {
    let mut state = blank_state();
    state.valign[0] = Line([0xee; 64]);
    state.ar[2] = BASE + 5;
    state.ar[4] = 0;
    let end = accept(&state, &["F0 { S0 SAV2NX8_XP v1, u0, a2, a4 }"]);
    assert_eq!(end, state);
}

#[test]
fn address_arithmetic_wraps_at_the_top_of_memory() {
    let base = 0xffff_ff00;
    let data: Vec<u8> = (0..=255).collect();
    let mut state = state_with(base, 256, &[(base, data)]);
    state.ar[2] = 0x10;
    let end = accept(&state, &["F0 { S1 LV2NX8_I v3, a2, -64 }"]);
    assert_eq!(end.vec[3], line(8, 0xc0..0x100));
    state.ar[2] = 0xffff_ffc0;
    let end = accept(&state, &["F0 { S1 LV2NX8_IP v3, a2, 64 }"]);
    assert_eq!(end.ar[2], 0);
    // The line after the last one is line 0, outside the window.
    let (step, _) = run(&state, &["F0 { S1 LA2NX8_IP v3, u0, a2 }"]);
    assert_eq!(step, VectorStep::Fault(FaultReason::BadAccess, Some(0)));
}
