//! Plain loads and stores (spec 04 sections 4.6 and 4.7), the memory window (section 2.3) and the
//! scalar accesses (section 10.1).

mod vector_support;

use contract::outcome::FaultReason;
use contract::profile::Profile;
use contract::state::{Line, VectorState};
use vector_support::{
    BASE, BYTES, Noise, faults, fill, line, machine, machine_at, memory, ramp, run, run_op,
};

/// Element forms: name part, bytes accessed, bytes of a lane, sign extension.
const FORMS: [(&str, usize, usize, bool); 5] = [
    ("2NX8", 64, 1, false),
    ("NX8U", 32, 2, false),
    ("NX8S", 32, 2, true),
    ("N_2X16U", 32, 4, false),
    ("N_2X16S", 32, 4, true),
];

/// Modes: suffix, third operand, effective address and base afterwards, as offsets from the base.
fn modes(grain: i64) -> [(&'static str, String, i64, i64); 4] {
    let imm = (-2 * grain).to_string();
    [
        ("_I", imm.clone(), -2 * grain, 0),
        ("_IP", imm, 0, -2 * grain),
        ("_X", "a3".to_owned(), 77, 0),
        ("_XP", "a3".to_owned(), 0, 77),
    ]
}

/// The register that memory bytes give.
fn widened(bytes: &[u8], lane: usize, signed: bool) -> Line {
    let element = if lane == 1 { 1 } else { lane / 2 };
    let mut register = Line::default();
    for (chunk, from) in register.0.chunks_exact_mut(lane).zip(bytes.chunks_exact(element)) {
        let negative = signed && from[element - 1] >> 7 == 1;
        chunk.fill(if negative { 0xff } else { 0 });
        chunk[..element].copy_from_slice(from);
    }
    register
}

/// The memory bytes that a register gives.
fn narrowed(register: &Line, lane: usize) -> Vec<u8> {
    let element = if lane == 1 { 1 } else { lane / 2 };
    register.0.chunks_exact(lane).flat_map(|chunk| &chunk[..element]).copied().collect()
}

fn prepared(noise: &mut Noise, base: u32) -> VectorState {
    let mut state = machine(Profile::default());
    for at in (0..1024).step_by(64) {
        fill(&mut state, BASE + at, &noise.line().0);
    }
    (state.vec[1], state.vbool[4]) = (noise.line(), noise.next());
    (state.ar[2], state.ar[3]) = (base, 77);
    state
}

#[test]
fn loads_round_the_address_down_and_extend() {
    let mut noise = Noise(0x10ad);
    for (form, bytes, lane, signed) in FORMS {
        for (suffix, third, offset, moved) in modes(bytes as i64) {
            for base in [BASE + 512, BASE + 513, BASE + 543, BASE + 544, BASE + 575] {
                let mut state = prepared(&mut noise, base);
                let ea = (i64::from(base) + offset) as u32 & !(bytes as u32 - 1);
                let wanted = widened(memory(&state, ea, bytes), lane, signed);
                run_op(&mut state, &format!("LV{form}{suffix} v1, a2, {third}"));
                assert_eq!(state.vec[1], wanted, "LV{form}{suffix}");
                assert_eq!(i64::from(state.ar[2]), i64::from(base) + moved, "LV{form}{suffix}");
            }
        }
    }
}

#[test]
fn stores_round_the_address_down_and_keep_low_halves() {
    let mut noise = Noise(0x57);
    for (form, bytes, lane, _) in FORMS {
        for (suffix, third, offset, moved) in modes(bytes as i64) {
            for base in [BASE + 512, BASE + 513, BASE + 543, BASE + 544, BASE + 575] {
                let state = prepared(&mut noise, base);
                let ea = (i64::from(base) + offset) as u32 & !(bytes as u32 - 1);
                let at = (ea - BASE) as usize;
                let low = narrowed(&state.vec[1], lane);
                let before = memory(&state, BASE, BYTES as usize).to_vec();

                let mut plain = state.clone();
                run_op(&mut plain, &format!("SV{form}{suffix} v1, a2, {third}"));
                let mut wanted = before.clone();
                wanted[at..at + bytes].copy_from_slice(&low);
                assert_eq!(memory(&plain, BASE, BYTES as usize), wanted, "SV{form}{suffix}");
                assert_eq!(i64::from(plain.ar[2]), i64::from(base) + moved, "SV{form}{suffix}");

                let mut predicated = state.clone();
                run_op(&mut predicated, &format!("SV{form}T{suffix} v1, a2, {third}, vb4"));
                let mut wanted = before;
                for (i, byte) in low.iter().enumerate() {
                    let l = i / if lane == 1 { 1 } else { lane / 2 };
                    if state.vbool[4] >> (l * lane) & 1 == 1 {
                        wanted[at + i] = *byte;
                    }
                }
                assert_eq!(memory(&predicated, BASE, BYTES as usize), wanted, "SV{form}T{suffix}");
                assert_eq!(i64::from(predicated.ar[2]), i64::from(base) + moved);
            }
        }
    }
}

#[test]
fn predicate_registers_move_as_eight_aligned_bytes() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE, &ramp(0, 64));
    state.ar[2] = BASE + 13;
    run_op(&mut state, "LB2N_I vb1, a2, 8");
    assert_eq!((state.vbool[1], state.ar[2]), (0x1716_1514_1312_1110, BASE + 13));
    run_op(&mut state, "LB2N_IP vb1, a2, -8");
    assert_eq!((state.vbool[1], state.ar[2]), (0x0f0e_0d0c_0b0a_0908, BASE + 5));
    state.vbool[2] = 0x8877_6655_4433_2211;
    run_op(&mut state, "SB2N_I vb2, a2, 56");
    assert_eq!(memory(&state, BASE + 55, 9)[0], 55);
    assert_eq!(memory(&state, BASE + 56, 8), 0x8877_6655_4433_2211u64.to_le_bytes());
    run_op(&mut state, "SB2N_IP vb2, a2, 8");
    assert_eq!(memory(&state, BASE, 8), 0x8877_6655_4433_2211u64.to_le_bytes());
    assert_eq!((memory(&state, BASE + 8, 1)[0], state.ar[2]), (8, BASE + 13));
}

#[test]
fn accesses_outside_the_window_fault_at_their_first_byte() {
    let end = BASE + BYTES;
    let mut state = machine(Profile::default());
    (state.ar[2], state.ar[3], state.ar[4]) = (end + 37, BASE - 1, 0xffff_ffff);
    for (text, address) in [
        ("N2 { S1 LV2NX8_I v1, a2, 0 }", end),
        ("N2 { S1 LVNX8U_I v1, a2, 0 }", end + 32),
        ("N2 { S1 LVN_2X16S_IP v1, a3, 64 }", BASE - 32),
        ("N2 { S1 LV2NX8_XP v1, a3, a2 }", BASE - 64),
        ("N2 { S0 SV2NX8_I v1, a3, 0 }", BASE - 64),
        ("N2 { S0 SVNX8S_IP v1, a2, 0 }", end + 32),
        ("N2 { S0 SV2NX8T_I v1, a2, 0, vb0 }", end),
        ("N2 { S0 SVN_2X16UT_X v1, a2, a5, vb0 }", end + 32),
        ("N2 { S1 LB2N_I vb1, a3, 0 }", BASE - 8),
        ("N2 { S0 SB2N_IP vb1, a2, 8 }", end + 32),
        ("N2 { S1 LV2NX8_I v1, a4, 0 }", 0xffff_ffc0),
    ] {
        assert_eq!(faults(&state, text), (FaultReason::BadAccess, Some(address)), "{text}");
    }
    // The last lines of the window are inside.
    state.ar[2] = end - 1;
    run_op(&mut state, "LV2NX8_I v1, a2, 0");
    run_op(&mut state, "SVNX8U_I v1, a2, 0");
}

#[test]
fn address_arithmetic_wraps_at_the_top_of_memory() {
    let mut state = machine_at(Profile::default(), 0xffff_ff80, 128, Vec::new());
    fill(&mut state, 0xffff_ffc0, &ramp(1, 64));
    (state.ar[2], state.ar[3]) = (0x0000_0010, 0xffff_ffe0);
    run_op(&mut state, "LV2NX8_I v1, a2, -64");
    assert_eq!(state.vec[1], line(&ramp(1, 64)));
    run_op(&mut state, "LVNX8U_XP v1, a3, a2");
    assert_eq!(state.ar[3], 0xffff_fff0);
    run_op(&mut state, "LVNX8U_IP v1, a3, 32");
    assert_eq!(state.ar[3], 0x0000_0010);
    assert_eq!(state.vec[1], line(&(33..65).collect::<Vec<u16>>()));
    assert_eq!(faults(&state, "N2 { S1 LV2NX8_I v1, a3, 0 }"), (FaultReason::BadAccess, Some(0)));
}

#[test]
fn base_and_index_may_be_one_register() {
    let mut state = machine_at(Profile::default(), 0, 4096, Vec::new());
    fill(&mut state, 1024, &ramp(5, 64));
    state.ar[2] = 512;
    run_op(&mut state, "LV2NX8_X v1, a2, a2");
    assert_eq!((state.vec[1], state.ar[2]), (line(&ramp(5, 64)), 512));
    run_op(&mut state, "SV2NX8_XP v1, a2, a2");
    assert_eq!((memory(&state, 512, 64), state.ar[2]), (&ramp(5, 64)[..], 1024));
}

#[test]
fn a_load_beside_a_store_sees_the_old_bytes() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE, &[1; 64]);
    state.vec[1] = line(&[2u8; 64]);
    state.ar[2] = BASE;
    run(&mut state, &["N2 { S0 SV2NX8_I v1, a2, 0 ; S1 LV2NX8_IP v1, a2, 64 }"]);
    assert_eq!((state.vec[1], state.ar[2]), (line(&[1u8; 64]), BASE + 64));
    assert_eq!(memory(&state, BASE, 64), [2; 64]);
}

#[test]
fn scalar_accesses_are_little_endian_and_aligned() {
    let mut state = machine(Profile::default());
    fill(&mut state, BASE + 4, &[0x78, 0x56, 0x34, 0x12]);
    state.ar[2] = BASE;
    run_op(&mut state, "L32I a3, a2, 4");
    assert_eq!(state.ar[3], 0x1234_5678);
    run_op(&mut state, "S32I a3, a2, 1020");
    assert_eq!(memory(&state, BASE + 1020, 8), [0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0]);
    run_op(&mut state, "L32I a2, a2, 4");
    assert_eq!(state.ar[2], 0x1234_5678);

    // Misalignment is tested before the window.
    state.ar[4] = 2;
    state.ar[5] = BASE + BYTES;
    for (text, fault) in [
        ("X1 { S0 L32I a3, a4, 4 }", (FaultReason::Alignment, Some(6))),
        ("X1 { S0 S32I a3, a4, 0 }", (FaultReason::Alignment, Some(2))),
        ("X1 { S0 L32I a3, a5, 0 }", (FaultReason::BadAccess, Some(BASE + BYTES))),
        ("X1 { S0 S32I a3, a5, 4 }", (FaultReason::BadAccess, Some(BASE + BYTES + 4))),
    ] {
        assert_eq!(faults(&state, text), fault, "{text}");
    }
}

#[test]
fn the_lowest_faulting_slot_is_reported() {
    let mut state = machine(Profile::default());
    (state.ar[2], state.ar[3], state.ar[4]) = (0, 0x100, 3);
    let bad = |address| (FaultReason::BadAccess, Some(address));
    let both = "N2 { S0 SV2NX8_I v1, a2, 0 ; S1 LV2NX8_I v2, a3, 0 }";
    assert_eq!(faults(&state, both), bad(0));
    let listed_backwards = "N2 { S1 LV2NX8_I v2, a3, 0 ; S0 SV2NX8_I v1, a2, 0 }";
    assert_eq!(faults(&state, listed_backwards), bad(0));
    let misaligned = "N2 { S0 L32I a5, a4, 0 ; S1 LV2NX8_I v2, a3, 0 }";
    assert_eq!(faults(&state, misaligned), (FaultReason::Alignment, Some(3)));
    // A fault squashes the other ops of the bundle, stores and base updates included.
    state.ar[6] = BASE;
    let squashed =
        "F0 { S0 SV2NX8_IP v1, a6, 64 ; S1 LV2NX8_IP v2, a3, 64 ; S3 ADDNX16 v3, v4, v4 }";
    state.vec[4] = line(&[7u8; 64]);
    assert_eq!(faults(&state, squashed), bad(0x100));
}
