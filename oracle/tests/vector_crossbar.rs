//! The lane crossbar (spec 04 section 5): every form against a pool written out as a list.

mod vector_support;

use contract::profile::Profile;
use contract::state::VectorState;
use vector_support::{Element, Noise, lanes, line, machine, ramp, run_op};

/// `v2` = `vs`, `v3` = `vr`, `v4` = control, `v1` and `v5` = old destinations, `vb6` = predicate.
fn noisy(noise: &mut Noise) -> VectorState {
    let mut state = machine(Profile::default());
    for register in 1..6 {
        state.vec[register] = noise.line();
    }
    state.vbool[6] = noise.next();
    state
}

/// Checks a register against the values expected of live lanes; dead lanes keep the old value.
fn merged<T: Element + PartialEq + std::fmt::Debug>(
    before: &VectorState,
    after: &VectorState,
    register: usize,
    fresh: &[T],
    text: &str,
) {
    let old = lanes::<T>(&before.vec[register]);
    for (l, value) in lanes::<T>(&after.vec[register]).into_iter().enumerate() {
        let live = before.vbool[6] >> (l * size_of::<T>()) & 1 == 1;
        assert_eq!(value, if live { fresh[l] } else { old[l] }, "{text} lane {l}");
    }
}

/// `SHFL`, `SEL` and their T forms at one width.
macro_rules! generic_forms {
    ($test:ident, $suffix:literal, $t:ty) => {
        #[test]
        fn $test() {
            let mut noise = Noise(0xc0ffee);
            for _ in 0..200 {
                let before = noisy(&mut noise);
                let (vs, vr) = (lanes::<$t>(&before.vec[2]), lanes::<$t>(&before.vec[3]));
                let control = lanes::<$t>(&before.vec[4]);
                let pool = [vr.clone(), vs].concat();
                let shuffled: Vec<$t> =
                    control.iter().map(|&c| vr[c as usize % vr.len()]).collect();
                let selected: Vec<$t> =
                    control.iter().map(|&c| pool[c as usize % pool.len()]).collect();
                for (name, operands, fresh) in
                    [("SHFL", "v1, v3, v4", &shuffled), ("SEL", "v1, v2, v3, v4", &selected)]
                {
                    let text = format!("{name}{} {operands}", $suffix);
                    let mut state = before.clone();
                    run_op(&mut state, &text);
                    assert_eq!(&lanes::<$t>(&state.vec[1]), fresh, "{text}");
                    let text = format!("{name}{}T {operands}, vb6", $suffix);
                    let mut state = before.clone();
                    run_op(&mut state, &text);
                    merged(&before, &state, 1, fresh, &text);
                }
            }
        }
    };
}
generic_forms!(select_and_shuffle_8_bit_lanes, "2NX8", u8);
generic_forms!(select_and_shuffle_16_bit_lanes, "NX16", u16);
generic_forms!(select_and_shuffle_32_bit_lanes, "N_2X32", u32);

/// `DSEL` and its T form at one width.
macro_rules! dual_forms {
    ($test:ident, $suffix:literal, $t:ty) => {
        #[test]
        fn $test() {
            let mut noise = Noise(0xd5e1);
            for _ in 0..200 {
                let before = noisy(&mut noise);
                let pool = [lanes::<$t>(&before.vec[3]), lanes::<$t>(&before.vec[2])].concat();
                let control = lanes::<$t>(&before.vec[4]);
                let half = <$t>::BITS / 2;
                let vt: Vec<$t> = control.iter().map(|&c| pool[c as usize % pool.len()]).collect();
                let vu: Vec<$t> =
                    control.iter().map(|&c| pool[(c >> half) as usize % pool.len()]).collect();
                let text = concat!("DSEL", $suffix, " v5, v1, v2, v3, v4");
                let mut state = before.clone();
                run_op(&mut state, text);
                assert_eq!(lanes::<$t>(&state.vec[1]), vt, "{text}");
                assert_eq!(lanes::<$t>(&state.vec[5]), vu, "{text}");
                let text = concat!("DSEL", $suffix, "T v5, v1, v2, v3, v4, vb6");
                let mut state = before.clone();
                run_op(&mut state, text);
                merged(&before, &state, 1, &vt, text);
                merged(&before, &state, 5, &vu, text);
            }
        }
    };
}
dual_forms!(dual_select_16_bit_lanes, "NX16", u16);
dual_forms!(dual_select_32_bit_lanes, "N_2X32", u32);

#[test]
fn pool_halves_are_vr_low_and_vs_high() {
    let mut state = machine(Profile::default());
    state.vec[2] = line(&[0xaau8; 64]);
    state.vec[3] = line(&[0xbbu8; 64]);
    state.vec[4] = line(&[0u8, 63, 64, 127, 128, 255]);
    run_op(&mut state, "SEL2NX8 v1, v2, v3, v4");
    assert_eq!(lanes::<u8>(&state.vec[1])[..6], [0xbb, 0xbb, 0xaa, 0xaa, 0xbb, 0xaa]);
}

#[test]
fn compress_expands_by_the_count_of_live_lanes_below() {
    let mut noise = Noise(0xdc);
    for q in [0, u64::MAX, 1, 1 << 63, 0x288, 0x5555_5555_5555_5555, noise.next(), noise.next()] {
        let mut state = machine(Profile::default());
        state.vec[3] = line(&ramp(0, 64));
        state.vbool[6] = q;
        run_op(&mut state, "DCMPRS2NX8 v1, v3, vb6");
        let mut next = 0;
        for (l, value) in lanes::<u8>(&state.vec[1]).into_iter().enumerate() {
            if q >> l & 1 == 1 {
                assert_eq!(value, next);
                next += 1;
            } else {
                assert_eq!(value, 63);
            }
        }
    }
}

#[test]
fn immediate_select_rotates_the_pool_and_immediate_shuffle_rotates_or_flips() {
    let mut state = machine(Profile::default());
    state.vec[2] = line(&ramp(64, 64));
    state.vec[3] = line(&ramp(0, 64));
    for imm in 0..128usize {
        run_op(&mut state, &format!("SEL2NX8I v1, v2, v3, {imm}"));
        let wanted: Vec<u8> = (0..64).map(|l| ((l + imm) % 128) as u8).collect();
        assert_eq!(lanes::<u8>(&state.vec[1]), wanted, "SEL2NX8I {imm}");
        run_op(&mut state, &format!("SHFL2NX8I v1, v3, {imm}"));
        let wanted: Vec<u8> =
            (0..64).map(|l| if imm < 64 { (l + imm) % 64 } else { l ^ (imm - 64) } as u8).collect();
        assert_eq!(lanes::<u8>(&state.vec[1]), wanted, "SHFL2NX8I {imm}");
    }
    for slot in ["_S0", "_S2", "_S4"] {
        for imm in [0u8, 1, 2, 3, 8, 16, 32, 64] {
            run_op(&mut state, &format!("SEL2NX8I{slot} v1, v2, v3, {imm}"));
            assert_eq!(state.vec[1], line(&ramp(imm, 64)));
            run_op(&mut state, &format!("SHFL2NX8I{slot} v1, v3, {imm}"));
            let wanted: Vec<u8> =
                (0..64).map(|l| if imm < 64 { (l + imm) % 64 } else { l }).collect();
            assert_eq!(state.vec[1], line(&wanted));
        }
    }
}

#[test]
fn immediate_dual_select_interleaves_and_separates_blocks() {
    let mut state = machine(Profile::default());
    let (vs, vr) = (ramp(64, 64), ramp(0, 64));
    state.vec[2] = line(&vs);
    state.vec[3] = line(&vr);
    for imm in 0..16 {
        let mut dual = state.clone();
        run_op(&mut dual, &format!("DSEL2NX8I v5, v1, v2, v3, {imm}"));
        let (vt, vu): (Vec<u8>, Vec<u8>) = if imm & 7 > 5 {
            (vr.clone(), vs.clone())
        } else if imm < 8 {
            let block = 1 << imm;
            let pairs = vr.chunks(block).zip(vs.chunks(block));
            let z: Vec<u8> = pairs.flat_map(|(r, s)| [r, s].concat()).collect();
            (z[..64].to_vec(), z[64..].to_vec())
        } else {
            let block = 1 << (imm & 7);
            let pool = [vr.clone(), vs.clone()].concat();
            let even = pool.chunks(block).step_by(2).flatten().copied().collect();
            let odd = pool.chunks(block).skip(1).step_by(2).flatten().copied().collect();
            (even, odd)
        };
        assert_eq!((dual.vec[1], dual.vec[5]), (line(&vt), line(&vu)), "DSEL2NX8I {imm}");
        if imm & 7 <= 5 && imm < 8 {
            // Separating what was interleaved gives the sources back.
            run_op(&mut dual, &format!("DSEL2NX8I v7, v8, v5, v1, {}", imm + 8));
            assert_eq!((dual.vec[8], dual.vec[7]), (line(&vr), line(&vs)));
        }
    }
}
