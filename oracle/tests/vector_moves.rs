//! Replicate, extract, move (spec 04 section 6), the predicate ALU, the paired multiply (section 10)
//! and the scalar support ops (section 10.1).

mod vector_support;

use contract::profile::Profile;
use contract::state::Line;
use vector_support::{Noise, lanes, line, machine, ramp, run_op, splat};

#[test]
fn replicate_fills_every_live_lane_with_the_named_one() {
    let mut noise = Noise(0x9e9);
    let mut state = machine(Profile::default());
    (state.vec[2], state.vbool[3]) = (noise.line(), noise.next());
    let (old, q) = (noise.line(), state.vbool[3]);
    for imm in 0..64 {
        run_op(&mut state, &format!("REP2NX8 v1, v2, {imm}"));
        assert_eq!(state.vec[1], splat(lanes::<u8>(&state.vec[2])[imm]));
        state.vec[1] = old;
        run_op(&mut state, &format!("REP2NX8T v1, v2, {imm}, vb3"));
        for l in 0..64 {
            let from = if q >> l & 1 == 1 { state.vec[2].0[imm] } else { old.0[l] };
            assert_eq!(state.vec[1].0[l], from);
        }
    }
    for imm in 0..32 {
        run_op(&mut state, &format!("REPNX16 v1, v2, {imm}"));
        let value = lanes::<u16>(&state.vec[2])[imm];
        assert_eq!(state.vec[1], splat(value));
        state.vec[1] = old;
        run_op(&mut state, &format!("REPNX16T v1, v2, {imm}, vb3"));
        let result = lanes::<u16>(&state.vec[1]);
        for (l, lane) in lanes::<u16>(&old).into_iter().enumerate() {
            assert_eq!(result[l], if q >> (2 * l) & 1 == 1 { value } else { lane });
        }
    }
    for imm in 0..16 {
        run_op(&mut state, &format!("REPN_2X32 v1, v2, {imm}"));
        let value = lanes::<u32>(&state.vec[2])[imm];
        assert_eq!(state.vec[1], splat(value));
        state.vec[1] = old;
        run_op(&mut state, &format!("REPN_2X32T v1, v2, {imm}, vb3"));
        let result = lanes::<u32>(&state.vec[1]);
        for (l, lane) in lanes::<u32>(&old).into_iter().enumerate() {
            assert_eq!(result[l], if q >> (4 * l) & 1 == 1 { value } else { lane });
        }
    }
}

#[test]
fn extracts_extend_as_their_width_says() {
    let mut noise = Noise(0xe87);
    let mut state = machine(Profile::default());
    state.vec[2] = noise.line();
    let v = state.vec[2];
    for imm in 0..64 {
        run_op(&mut state, &format!("EXTR2NX8 a1, v2, {imm}"));
        assert_eq!(state.ar[1], u32::from(v.0[imm]));
        run_op(&mut state, &format!("EXTRPR2NX8 pr1, v2, {imm}"));
        assert_eq!(state.pr[1], u64::from(v.0[imm]));
    }
    for imm in 0..32 {
        run_op(&mut state, &format!("EXTRNX16 a1, v2, {imm}"));
        assert_eq!(state.ar[1], i32::from(lanes::<i16>(&v)[imm]) as u32);
        run_op(&mut state, &format!("EXTRPRNX16 pr1, v2, {imm}"));
        assert_eq!(state.pr[1], u64::from(lanes::<u16>(&v)[imm]));
    }
    for imm in 0..16 {
        run_op(&mut state, &format!("EXTRN_2X32 a1, v2, {imm}"));
        assert_eq!(state.ar[1], lanes::<u32>(&v)[imm]);
        run_op(&mut state, &format!("EXTRPRN_2X32 pr1, v2, {imm}"));
        assert_eq!(state.pr[1], u64::from(lanes::<u32>(&v)[imm]));
    }
}

#[test]
fn extract_by_register_takes_a_byte_index_and_reads_zeros_past_the_end() {
    let mut state = machine(Profile::default());
    state.vec[2] = line(&ramp(0x80, 64));
    for (t, wanted) in [
        (0u32, 0x8382_8180),
        (1, 0x8483_8281),
        (60, 0xbfbe_bdbc),
        (61, 0x00bf_bebd),
        (63, 0x0000_00bf),
        (64, 0),
        (65, 0),
        (0x8000_0000, 0),
        (0xffff_ffff, 0),
    ] {
        (state.ar[1], state.ar[2]) = (0xdead_beef, t);
        run_op(&mut state, "EXTRVRN_2X32 a1, v2, a2");
        assert_eq!(state.ar[1], wanted, "byte {t}");
    }
}

#[test]
fn moves_into_vectors_replicate() {
    let mut state = machine(Profile::default());
    state.ar[2] = 0x89ab_cdef;
    run_op(&mut state, "MOVVA8 v1, a2");
    assert_eq!(state.vec[1], splat(0xefu8));
    run_op(&mut state, "MOVVA16 v1, a2");
    assert_eq!(state.vec[1], splat(0xcdefu16));
    run_op(&mut state, "MOVVA32 v1, a2");
    assert_eq!(state.vec[1], splat(0x89ab_cdefu32));
    for imm in [-128i8, -1, 0, 127] {
        run_op(&mut state, &format!("MOVVINT8 v1, {imm}"));
        assert_eq!(state.vec[1], splat(imm));
    }
    for imm in [-32768i16, -1, 300, 32767] {
        run_op(&mut state, &format!("MOVVINT16 v1, {imm}"));
        assert_eq!(state.vec[1], splat(imm));
    }
}

#[test]
fn moves_out_of_vectors_take_lane_0() {
    let mut state = machine(Profile::default());
    state.vec[2] = line(&[0x89ab_cdefu32, 0x1111_1111]);
    for (op, wanted) in [
        ("MOVAV8", 0xef),
        ("MOVAVU8", 0xef),
        ("MOVAV16", 0xffff_cdef),
        ("MOVAVU16", 0xcdef),
        ("MOVAV32", 0x89ab_cdef),
    ] {
        run_op(&mut state, &format!("{op} a1, v2"));
        assert_eq!(state.ar[1], wanted, "{op}");
    }
}

#[test]
fn copies_move_whole_registers() {
    let mut noise = Noise(0xc0b1);
    let mut state = machine(Profile::default());
    (state.vec[1], state.vec[2]) = (noise.line(), noise.line());
    let old = state.vec[1];
    run_op(&mut state, "MOVVV v3, v2");
    assert_eq!(state.vec[3], state.vec[2]);
    state.vbool[4] = noise.next();
    run_op(&mut state, "MOV2NX8T v1, v2, vb4");
    for l in 0..64 {
        let from = if state.vbool[4] >> l & 1 == 1 { &state.vec[2] } else { &old };
        assert_eq!(state.vec[1].0[l], from.0[l]);
    }
    state.wvec[2].copy_from_slice(&ramp(11, 192));
    run_op(&mut state, "MOVWW wv1, wv2");
    assert_eq!(state.wvec[1].as_slice(), ramp(11, 192));
    state.pr[2] = noise.next();
    run_op(&mut state, "MOVPRPR pr1, pr2");
    assert_eq!(state.pr[1], state.pr[2]);
    for (a, pr) in [(0x7fff_ffff, 0x7fff_ffff), (0x8000_0000, 0xffff_ffff_8000_0000u64)] {
        state.ar[2] = a;
        run_op(&mut state, "MOVPRA32 pr1, a2");
        assert_eq!(state.pr[1], pr);
    }
    state.vbool[2] = 0xffff_0000_0000_0002;
    run_op(&mut state, "MOVAB1 a1, vb2");
    assert_eq!(state.ar[1], 0);
    state.ar[2] = 0xffff_ffff;
    run_op(&mut state, "MOVBA1 vb2, a2");
    assert_eq!(state.vbool[2], 1);
    run_op(&mut state, "MOVAB1 a1, vb2");
    assert_eq!(state.ar[1], 1);
}

#[test]
fn predicate_alu_is_bitwise() {
    let mut noise = Noise(0xb001);
    let mut state = machine(Profile::default());
    (state.vbool[2], state.vbool[3]) = (noise.next(), noise.next());
    let (x, y) = (state.vbool[2], state.vbool[3]);
    for (op, wanted) in [
        ("ANDB vb1, vb2, vb3", x & y),
        ("ORB vb1, vb2, vb3", x | y),
        ("XORB vb1, vb2, vb3", x ^ y),
        ("ANDNOTB vb1, vb2, vb3", x & !y),
        ("ORNOTB vb1, vb2, vb3", x | !y),
        ("NOTB vb1, vb2", !x),
    ] {
        run_op(&mut state, op);
        assert_eq!(state.vbool[1], wanted, "{op}");
    }
}

#[test]
fn paired_multiply_fills_48_bit_lanes_and_pack_reads_their_low_halves() {
    let mut noise = Noise(0x48);
    let extremes = [-0x8000i16, 0x7fff, -1, 0, 1];
    for round in 0..200 {
        let mut state = machine(Profile::default());
        (state.vec[2], state.vec[3]) = (noise.line(), noise.line());
        state.pr[4] = noise.next();
        if round < 25 {
            let (x, y) = (extremes[round % 5], extremes[round / 5]);
            (state.vec[2], state.vec[3]) = (splat(x), splat(y));
            state.pr[4] = noise.next() << 32 | u64::from(x as u16) << 16 | u64::from(y as u16);
        }
        run_op(&mut state, "MULPN16XR16 wv1, v2, v3, pr4");
        let (g, h) = (state.pr[4] as i16, (state.pr[4] >> 16) as i16);
        let (x, y) = (lanes::<i16>(&state.vec[2]), lanes::<i16>(&state.vec[3]));
        let sums: Vec<i64> = (0..32)
            .map(|l| i64::from(x[l]) * i64::from(h) + i64::from(y[l]) * i64::from(g))
            .collect();
        let bytes: Vec<u8> = sums.iter().flat_map(|s| s.to_le_bytes()[..6].to_vec()).collect();
        assert_eq!(state.wvec[1].as_slice(), bytes);
        run_op(&mut state, "PACKLNX48 v1, wv1");
        assert_eq!(state.vec[1], line(&sums.iter().map(|s| *s as u16).collect::<Vec<_>>()));
    }
}

#[test]
fn scalar_arithmetic_is_modulo_two_to_the_32() {
    let mut state = machine(Profile::default());
    (state.ar[2], state.ar[3]) = (0x8000_ffff, 0x9000_8000);
    for (op, wanted) in [
        ("ADD a1, a2, a3", 0x1001_7fff),
        ("SUB a1, a2, a3", 0xf000_7fff),
        ("SUB a1, a3, a2", 0x0fff_8001),
        ("AND a1, a2, a3", 0x8000_8000),
        ("OR a1, a2, a3", 0x9000_ffff),
        ("XOR a1, a2, a3", 0x1000_7fff),
        ("MUL16S a1, a2, a3", 0x8000),
        ("MUL16S a1, a3, a3", 0x4000_0000),
        ("MULL a1, a2, a3", (0x8000_ffffu64 * 0x9000_8000) as u32),
        ("MOVI a1, -2048", 0xffff_f800),
        ("MOVI a1, 2047", 2047),
        ("ADDI a1, a2, -128", 0x8000_ff7f),
        ("ADDI a1, a2, 127", 0x8001_007e),
    ] {
        run_op(&mut state, op);
        assert_eq!(state.ar[1], wanted, "{op}");
    }
    run_op(&mut state, "NOP");
    assert_eq!(state.vec[1], Line::default());
}
