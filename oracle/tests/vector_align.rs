//! Align registers and streams (spec 04 sections 4.1 to 4.5): the copy property, every phase, every
//! length, the states of `u`, faults and accesses that do not happen.

mod vector_support;

use contract::outcome::FaultReason;
use contract::profile::{LaFresh, Profile};
use contract::state::{Line, VectorState};
use vector_support::{
    BASE, BYTES, Noise, faults, fill, lanes, line, machine, memory, ramp, run, run_op,
};

fn base_reading() -> Profile {
    Profile { la_fresh: LaFresh::Base, ..Profile::default() }
}

/// A machine whose whole window is noise.
fn noisy(profile: Profile, noise: &mut Noise) -> VectorState {
    let mut state = machine(profile);
    for at in (0..BYTES).step_by(64) {
        fill(&mut state, BASE + at, &noise.line().0);
    }
    state
}

/// Copies through `u0` and `u1` with mixed full and variable steps; checks every byte of memory.
fn copy(profile: Profile, prime: &str, lead: u32, noise: &mut Noise) {
    let mut state = noisy(profile, noise);
    state.valign[0] = noise.line();
    let source = BASE + noise.below(900) as u32;
    let target = BASE + 2048 + noise.below(900) as u32;
    let length = noise.below(400) as u32;
    let before = memory(&state, BASE, BYTES as usize).to_vec();

    state.ar[2] = source;
    state.ar[3] = target;
    run(&mut state, &[&format!("N2 {{ S0 ZALIGN u1 ; S1 {prime} }}")]);
    assert_eq!(state.ar[2], source + lead);
    let mut left = length as i32;
    while left > 0 {
        let full = left >= 64 && noise.below(2) == 0;
        if full {
            run(&mut state, &["N2 { S1 LA2NX8_IP v1, u0, a2 }", "N2 { S0 SA2NX8_IP v1, u1, a3 }"]);
            left -= 64;
        } else {
            // A length above what is left would copy too much; one above 64 acts as 64.
            let step = (noise.below(100) as i32 - 10).min(left);
            state.ar[4] = step as u32;
            let load = "N2 { S1 LAV2NX8_XP v1, u0, a2, a4 }";
            run(&mut state, &[load, "N2 { S0 SAVNX16_XP v1, u1, a3, a4 }"]);
            left -= step.clamp(0, 64);
        }
    }
    run(&mut state, &["N2 { S0 SAPOS_FP u1, a3 }"]);

    let mut wanted = before;
    let (from, to) = ((source - BASE) as usize, (target - BASE) as usize);
    wanted.copy_within(from..from + length as usize, to);
    assert_eq!(memory(&state, BASE, BYTES as usize), wanted);
    assert_eq!(state.valign[1], Line::default());
    assert_eq!(state.ar[2], source + lead + length);
    assert_eq!(state.ar[3], target + length);
}

#[test]
fn streams_copy_bytes_and_leave_other_memory_alone() {
    let mut noise = Noise(0x5eed_0001);
    for _ in 0..1500 {
        copy(Profile::default(), "LA_PP u0, a2", 0, &mut noise);
        copy(Profile::default(), "LALIGN_I u0, a2, 0", 0, &mut noise);
    }
}

#[test]
fn under_the_other_fresh_line_the_right_prime_advances_the_base() {
    let mut noise = Noise(0x5eed_0002);
    for _ in 0..1500 {
        copy(base_reading(), "LALIGN_IP u0, a2, 64", 64, &mut noise);
    }
}

#[test]
fn under_the_default_an_advancing_prime_skips_a_line() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE, &ramp(0, 256));
    state.ar[2] = BASE + 5;
    run(&mut state, &["N2 { S1 LALIGN_IP u0, a2, 64 }", "N2 { S1 LA2NX8_IP v1, u0, a2 }"]);
    let mut wanted = ramp(5, 59);
    wanted.extend(ramp(128, 5));
    assert_eq!(state.vec[1], line(&wanted));
}

#[test]
fn prime_then_produce_at_every_phase() {
    for phase in 0..64 {
        let mut state = machine(Profile::default());
        fill(&mut state, BASE, &ramp(7, 192));
        state.ar[2] = BASE + phase;
        run(&mut state, &["N2 { S1 LA_PP u0, a2 }", "N2 { S1 LA2NX8_IP v1, u0, a2 }"]);
        assert_eq!(state.vec[1], line(&ramp(7 + phase as u8, 64)), "phase {phase}");
        assert_eq!(state.valign[0], line(&ramp(7 + 64, 64)), "phase {phase}");
        assert_eq!(state.ar[2], BASE + phase + 64);
    }
}

#[test]
fn a_widening_step_crosses_only_if_it_reaches_the_line_end() {
    for phase in 0..64 {
        for (op, bits, signed) in [
            ("LANX8U_IP v1, u0, a2", 8, false),
            ("LANX8S_IP v1, u0, a2", 8, true),
            ("LAN_2X16U_IP v1, u0, a2", 16, false),
            ("LAN_2X16S_IP v1, u0, a2", 16, true),
        ] {
            let mut state = machine(Profile::default());
            let carried = ramp(0xa0, 64);
            let fresh = ramp(0x60, 64);
            state.valign[0] = line(&carried);
            fill(&mut state, BASE + 64, &fresh);
            state.ar[2] = BASE + phase;
            run_op(&mut state, op);
            let pool = [carried.clone(), fresh.clone()].concat();
            let bytes = &pool[phase as usize..phase as usize + 32];
            let wanted = match (bits, signed) {
                (8, false) => line(&bytes.iter().map(|&b| u16::from(b)).collect::<Vec<_>>()),
                (8, true) => line(&bytes.iter().map(|&b| i16::from(b as i8)).collect::<Vec<_>>()),
                _ => {
                    let halves: Vec<u16> = bytes
                        .chunks_exact(2)
                        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                        .collect();
                    let wide = |h: &u16| if signed { *h as i16 as i32 } else { i32::from(*h) };
                    line(&halves.iter().map(wide).collect::<Vec<i32>>())
                }
            };
            assert_eq!(state.vec[1], wanted, "{op} phase {phase}");
            let next = if phase >= 32 { fresh } else { carried };
            assert_eq!(state.valign[0], line(&next), "{op} phase {phase}");
            assert_eq!(state.ar[2], BASE + phase + 32);
        }
    }
}

#[test]
fn variable_loads_clamp_a_signed_length() {
    for (op, m) in [
        ("LAV2NX8_XP", 64),
        ("LAVNX16_XP", 64),
        ("LAVNX8U_XP", 32),
        ("LAVNX8S_XP", 32),
        ("LAVN_2X16U_XP", 32),
        ("LAVN_2X16S_XP", 32),
    ] {
        for length in [i32::MIN, -1, 0, 1, 2, 3, 31, 32, 33, 63, 64, 65, i32::MAX] {
            for phase in [0, 1, 31, 32, 33, 62, 63] {
                let n = length.clamp(0, m) as u32;
                let mut state = machine(Profile::default());
                let carried = ramp(0x80, 64);
                let fresh = ramp(0x80 + 64, 64);
                state.valign[0] = line(&carried);
                state.vec[1] = line(&ramp(1, 64));
                fill(&mut state, BASE + 64, &fresh);
                (state.ar[2], state.ar[3]) = (BASE + phase, length as u32);
                run_op(&mut state, &format!("{op} v1, u0, a2, a3"));
                let byte = |j: u32| if j < n { 0x80u8.wrapping_add((phase + j) as u8) } else { 0 };
                let wanted = match (m, &op[4..]) {
                    (64, _) => line(&(0..64).map(byte).collect::<Vec<u8>>()),
                    (_, "X8U_XP") => line(&(0..32).map(|l| byte(l).into()).collect::<Vec<u16>>()),
                    (_, "X8S_XP") => {
                        line(&(0..32).map(|l| i16::from(byte(l) as i8)).collect::<Vec<_>>())
                    }
                    (_, kind) => {
                        let half = |l: u32| u16::from_le_bytes([byte(2 * l), byte(2 * l + 1)]);
                        let wide = |l: u32| match kind {
                            "_2X16U_XP" => i32::from(half(l)),
                            "_2X16S_XP" => i32::from(half(l) as i16),
                            other => panic!("{other}"),
                        };
                        line(&(0..16).map(wide).collect::<Vec<i32>>())
                    }
                };
                assert_eq!(state.vec[1], wanted, "{op} phase {phase} length {length}");
                let next = if phase + n >= 64 { &fresh } else { &carried };
                assert_eq!(state.valign[0], line(next), "{op} phase {phase} length {length}");
                assert_eq!(state.ar[2], BASE + phase + n);
            }
        }
    }
}

#[test]
fn a_load_without_live_bytes_makes_no_access() {
    let mut state = machine(Profile::default());
    state.ar[2] = 0x1234_567f;
    state.valign[0] = line(&ramp(9, 64));
    state.vec[1] = line(&ramp(1, 64));
    run(&mut state, &["N2 { S1 LAV2NX8_XP v1, u0, a2, a3 }"]);
    assert_eq!((state.vec[1], state.ar[2]), (Line::default(), 0x1234_567f));
    assert_eq!(state.valign[0], line(&ramp(9, 64)));
}

#[test]
fn indexed_steps_move_the_base_by_the_register() {
    for (op, wanted) in [
        ("LA2NX8_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("LANX16_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("LANX8U_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("LANX8S_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("LAN_2X16U_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("LAN_2X16S_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("SA2NX8_XP v1, u0, a2, a3", BASE + 64 - 200),
        ("LA2NX8_XP v1, u0, a2, a2", (BASE + 64) * 2),
        ("SA2NX8_XP v1, u0, a2, a2", (BASE + 64) * 2),
        ("LA_PPXU u0, a2, a4", BASE + 65),
        ("LAV2NX8_XP v1, u0, a2, a2", BASE + 64 + 64),
    ] {
        let mut state = machine(Profile::default());
        (state.ar[2], state.ar[3], state.ar[4]) = (BASE + 64, 200u32.wrapping_neg(), 1);
        run_op(&mut state, op);
        assert_eq!(state.ar[2], wanted, "{op}");
    }
}

#[test]
fn predicated_aligning_load_merges_bytes_and_moves_regardless() {
    for q in [0, u64::MAX, 0x0123_4567_89ab_cdef] {
        let mut state = machine(Profile::default());
        fill(&mut state, BASE + 64, &ramp(64, 64));
        state.valign[0] = line(&ramp(0, 64));
        state.vec[1] = line(&[0xeeu8; 64]);
        (state.ar[2], state.ar[3], state.vbool[4]) = (BASE + 3, 70, q);
        run_op(&mut state, "LAT2NX8_XP v1, u0, a2, a3, vb4");
        for (j, byte) in lanes::<u8>(&state.vec[1]).into_iter().enumerate() {
            let live = q >> j & 1 == 1;
            assert_eq!(byte, if live { 3 + j as u8 } else { 0xee });
        }
        assert_eq!((state.ar[2], state.valign[0]), (BASE + 73, line(&ramp(64, 64))));
    }
}

#[test]
fn primes_and_moves_of_the_align_register() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE, &ramp(0, 256));
    let at = |n: u8| line(&ramp(n, 64));
    state.ar[2] = BASE + 70;
    run_op(&mut state, "LALIGN_I u0, a2, -64");
    assert_eq!((state.valign[0], state.ar[2]), (at(0), BASE + 70));
    run_op(&mut state, "LALIGN_IP u1, a2, -64");
    assert_eq!((state.valign[1], state.ar[2]), (at(64), BASE + 6));
    state.ar[3] = 130;
    run_op(&mut state, "LA_PPXU u2, a2, a3");
    assert_eq!((state.valign[2], state.ar[2]), (at(128), BASE + 136));
    run_op(&mut state, "MALIGN u3, u1");
    assert_eq!((state.valign[3], state.valign[1]), (at(64), at(64)));
    run_op(&mut state, "ZALIGN u3");
    assert_eq!(state.valign[3], Line::default());
    run_op(&mut state, "LA_PP u3, a2");
    assert_eq!((state.valign[3], state.ar[2]), (at(128), BASE + 136));
}

#[test]
fn append_keeps_any_bit_pattern_safe() {
    let mut noise = Noise(0xabc);
    for _ in 0..2000 {
        let mut state = noisy(Profile::default(), &mut noise);
        let (phase, n) = (noise.below(64) as usize, noise.below(66) as usize);
        let (u, d) = (noise.line(), noise.line());
        (state.valign[1], state.vec[1]) = (u, d);
        (state.ar[3], state.ar[4]) = (BASE + 64 + phase as u32, n as u32);
        let mut image = memory(&state, BASE + 64, 64).to_vec();
        let before = memory(&state, BASE, BYTES as usize).to_vec();
        run_op(&mut state, "SAV2NX8_XP v1, u1, a3, a4");

        // The pending bytes as a list, oldest first, the last of them just below the phase.
        let c = (u.0[63] as usize % 64).min(phase);
        let n = n.min(64);
        let mut pending = u.0[phase - c..phase].to_vec();
        pending.extend(&d.0[..n]);
        let first = phase - c;
        let mut wanted = Line::default();
        if n == 0 {
            wanted = u;
        } else if phase + n < 64 {
            wanted.0[first..first + pending.len()].copy_from_slice(&pending);
            wanted.0[63] = pending.len() as u8;
        } else {
            let rest = pending.split_off(64 - first);
            image[first..].copy_from_slice(&pending);
            wanted.0[..rest.len()].copy_from_slice(&rest);
            wanted.0[63] = rest.len() as u8;
        }
        assert_eq!(state.valign[1], wanted);
        let mut memory_wanted = before;
        memory_wanted[64..128].copy_from_slice(&image);
        assert_eq!(memory(&state, BASE, BYTES as usize), memory_wanted);
        assert_eq!(state.ar[3], BASE + 64 + (phase + n) as u32);
    }
}

#[test]
fn narrowing_stores_append_the_low_halves() {
    for (full, variable, lane) in [
        ("SANX8U_IP", "SAVNX8U_XP", 2),
        ("SANX8S_IP", "SAVNX8S_XP", 2),
        ("SAN_2X16U_IP", "SAVN_2X16U_XP", 4),
        ("SAN_2X16S_IP", "SAVN_2X16S_XP", 4),
    ] {
        let v = line(&ramp(1, 64));
        let low: Vec<u8> =
            v.0.chunks_exact(lane).flat_map(|lane| &lane[..lane.len() / 2]).copied().collect();
        for phase in [0, 10, 32, 33, 63] {
            for length in [-5i32, 0, 1, 17, 31, 32, 99] {
                let mut state = machine(Profile::default());
                (state.vec[1], state.ar[3]) = (v, BASE + phase);
                (state.ar[4], state.ar[5]) = (length as u32, BASE + 256 + phase);
                run_op(&mut state, &format!("{full} v1, u0, a3"));
                run_op(&mut state, "SAPOS_FP u0, a3");
                assert_eq!(state.ar[3], BASE + phase + 32, "{full}");
                assert_eq!(memory(&state, BASE + phase, 32), low, "{full}");
                run_op(&mut state, &format!("{variable} v1, u1, a5, a4"));
                run_op(&mut state, "SAPOS_FP u1, a5");
                let n = length.clamp(0, 32) as usize;
                assert_eq!(state.ar[5], BASE + 256 + phase + n as u32, "{variable}");
                assert_eq!(memory(&state, BASE + 256 + phase, n), &low[..n], "{variable}");
                assert_eq!(memory(&state, BASE + 256 + phase + n as u32, 1), [0], "{variable}");
            }
        }
    }
}

#[test]
fn typed_names_of_one_access_store_the_same_bits() {
    for (a, b) in [
        ("LA2NX8_IP v1, u0, a2", "LANX16_IP v1, u0, a2"),
        ("LA2NX8_XP v1, u0, a2, a3", "LANX16_XP v1, u0, a2, a3"),
        ("LAV2NX8_XP v1, u0, a2, a3", "LAVNX16_XP v1, u0, a2, a3"),
        ("SA2NX8_IP v1, u0, a2", "SANX16_IP v1, u0, a2"),
        ("SAV2NX8_XP v1, u0, a2, a3", "SAVNX16_XP v1, u0, a2, a3"),
    ] {
        let mut noise = Noise(0x77);
        let mut first = noisy(Profile::default(), &mut noise);
        (first.valign[0], first.vec[1]) = (noise.line(), noise.line());
        (first.ar[2], first.ar[3]) = (BASE + 77, 51);
        let mut second = first.clone();
        run_op(&mut first, a);
        run_op(&mut second, b);
        assert_eq!(first, second, "{a}");
    }
}

#[test]
fn flush_writes_the_pending_bytes_alone_and_clears() {
    for phase in 0..64usize {
        for count in 0..=255u8 {
            let mut state = machine(Profile::default());
            state.valign[1] = line(&ramp(100, 64));
            state.valign[1].0[63] = count;
            state.ar[3] = BASE + 64 + phase as u32;
            run_op(&mut state, "SAPOS_FP u1, a3");
            let c = usize::from(count & 63).min(phase);
            let mut wanted = [0; 64];
            wanted[phase - c..phase].copy_from_slice(&ramp(100, 64)[phase - c..phase]);
            assert_eq!(memory(&state, BASE + 64, 64), wanted, "phase {phase} count {count}");
            assert_eq!(state.valign[1], Line::default());
            assert_eq!(state.ar[3], BASE + 64 + phase as u32);
        }
    }
}

#[test]
fn salign_stores_the_register_verbatim() {
    let mut state = machine(Profile::default());
    state.valign[1] = line(&ramp(1, 64));
    state.ar[3] = BASE + 66;
    run_op(&mut state, "SALIGN_I u1, a3, 64");
    assert_eq!(memory(&state, BASE + 128, 64), ramp(1, 64));
    assert_eq!((state.valign[1], state.ar[3]), (line(&ramp(1, 64)), BASE + 66));
    run_op(&mut state, "SALIGN_IP u1, a3, 64");
    assert_eq!(memory(&state, BASE + 64, 64), ramp(1, 64));
    assert_eq!((state.valign[1], state.ar[3]), (line(&ramp(1, 64)), BASE + 130));
}

#[test]
fn a_performed_line_access_counts_as_all_64_bytes() {
    let end = BASE + BYTES;
    let bad = |address| (FaultReason::BadAccess, Some(address));
    let mut state = machine(Profile::default());
    state.ar[2] = end - 1;
    state.ar[3] = end + 60;
    state.ar[4] = 1;
    state.ar[5] = end + 10;
    state.ar[6] = BASE - 1;
    state.valign[1].0[63] = 63;
    for (text, address) in [
        ("N2 { S1 LA2NX8_IP v1, u0, a2 }", end),
        ("N2 { S1 LAV2NX8_XP v1, u0, a2, a4 }", end),
        ("N2 { S1 LA_PP u0, a3 }", end),
        ("N2 { S1 LALIGN_I u0, a2, 64 }", end),
        ("N2 { S1 LALIGN_IP u0, a6, 64 }", BASE - 64),
        ("N2 { S1 LA_PPXU u0, a2, a4 }", end),
        ("N2 { S0 SA2NX8_IP v1, u1, a3 }", end),
        ("N2 { S0 SANX8U_IP v1, u1, a3 }", end),
        ("N2 { S0 SALIGN_I u1, a2, 64 }", end),
        ("N2 { S0 SALIGN_IP u1, a6, 64 }", BASE - 64),
        ("N2 { S0 SAPOS_FP u1, a5 }", end),
    ] {
        assert_eq!(faults(&state, text), bad(address), "{text}");
    }
    // No access, no fault: a short load, a short store, a flush of nothing.
    state.ar[3] = end + 5;
    run_op(&mut state, "LAV2NX8_XP v1, u0, a3, a4");
    run_op(&mut state, "SANX8U_IP v1, u0, a3");
    state.ar[3] = end + 64;
    state.valign[1] = line(&[0xffu8; 64]);
    run_op(&mut state, "SAPOS_FP u1, a3");
    assert_eq!(state.valign[1], Line::default());
}

#[test]
fn under_the_other_fresh_line_the_base_line_is_the_one_accessed() {
    let mut state = machine(base_reading());
    state.ar[2] = BASE + BYTES - 64;
    run_op(&mut state, "LA2NX8_IP v1, u0, a2");
    let fault = faults(&state, "N2 { S1 LA2NX8_IP v1, u0, a2 }");
    assert_eq!(fault, (FaultReason::BadAccess, Some(BASE + BYTES)));
}

#[test]
fn a_stale_copy_does_not_see_later_stores() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE, &[1; 128]);
    state.vec[1] = line(&[9u8; 64]);
    (state.ar[2], state.ar[3]) = (BASE, BASE);
    run(
        &mut state,
        &[
            "N2 { S1 LA_PP u0, a2 }",
            "N2 { S0 SV2NX8_I v1, a3, 0 }",
            "N2 { S1 LA2NX8_IP v2, u0, a2 }",
        ],
    );
    assert_eq!(state.vec[2], line(&[1u8; 64]));
}
