//! Reductions (spec 04 section 8): native folds for every integer row, hand-picked lanes for the
//! `NUM` rule, tail masks and predicate folds.

mod vector_support;

use contract::profile::{FsrGate, Profile, RbTie};
use contract::state::{Line, VectorState};
use vector_support::{Element, Noise, lanes, line, machine, run_op, splat};

/// Registers with few distinct values, so that ties are common, and registers full of noise.
fn sources() -> Vec<Line> {
    let mut noise = Noise(0x0dd_ba11);
    let mut sources: Vec<Line> = (0..32).map(|_| noise.line()).collect();
    for _ in 0..32 {
        let mut line = noise.line();
        let palette = [0x00, 0x7f, 0x80, 0xff];
        line.0.iter_mut().for_each(|byte| *byte = palette[usize::from(*byte & 3)]);
        sources.push(line);
    }
    sources.extend([0x00, 0x7f, 0x80, 0xff].map(splat::<u8>));
    sources
}

/// Predicates: none, all, odd field bits only, noise.
fn predicates() -> Vec<u64> {
    let mut noise = Noise(0xfee1_dead);
    let mut predicates = vec![0, u64::MAX, 0xaaaa_aaaa_aaaa_aaaa, 0x8888_8888_8888_8888, 1 << 20];
    predicates.extend((0..8).map(|_| noise.next()));
    predicates
}

/// Lanes with a false predicate replaced by the identity.
fn killed<T: Element>(source: &Line, q: u64, identity: T) -> Vec<T> {
    let live = |l: usize| q >> (l * size_of::<T>()) & 1 == 1;
    let values = lanes::<T>(source).into_iter().enumerate();
    values.map(|(l, x)| if live(l) { x } else { identity }).collect()
}

/// Checks `R…`, and `R…T` with its identity: the low `bits` of the result, the rest zero.
fn fold<T: Element>(name: &str, bits: usize, result: fn(&[T]) -> i64, identity: Option<T>) {
    let wanted = |values: &[T]| {
        let mut line = Line::default();
        line.0[..bits / 8].copy_from_slice(&result(values).to_le_bytes()[..bits / 8]);
        line
    };
    for source in sources() {
        let mut state = machine(Profile::default());
        (state.vec[1], state.vec[2]) = (splat(0xeeu8), source);
        run_op(&mut state, &format!("{name} v1, v2"));
        assert_eq!(state.vec[1], wanted(&lanes(&source)), "{name}");
        let Some(identity) = identity else { continue };
        for q in predicates() {
            (state.vec[1], state.vbool[3]) = (splat(0xeeu8), q);
            run_op(&mut state, &format!("{name}T v1, v2, vb3"));
            assert_eq!(state.vec[1], wanted(&killed(&source, q, identity)), "{name}T {q:#x}");
        }
    }
}

#[test]
fn sums_widen_wrap_or_clamp_once() {
    fn signed<T: Copy + Into<i64>>(values: &[T]) -> i64 {
        values.iter().map(|&x| x.into()).sum()
    }
    fold::<i8>("RADD2NX8", 16, signed, Some(0));
    fold::<i16>("RADDNX16", 32, signed, Some(0));
    fold::<i32>("RADDN_2X32", 32, signed, Some(0));
    fold::<u8>("RADDU2NX8", 16, signed, Some(0));
    fold::<u16>("RADDUNX16", 32, signed, Some(0));
    fold::<i16>("RADDSNX16", 16, |v| signed(v).clamp(-0x8000, 0x7fff), Some(0));
}

/// Extrema of one width: `R…`, its T form if the table has one, and `RB…` under both ties.
macro_rules! extrema {
    ($test:ident, $suffix:literal, $s:ty, $u:ty, $predicated:literal) => {
        #[test]
        fn $test() {
            let t = $predicated;
            let bits = <$s>::BITS as usize;
            let name = |op: &str| format!("{op}{}", $suffix);
            let max = |v: &[$s]| v.iter().copied().max().unwrap();
            let min = |v: &[$s]| v.iter().copied().min().unwrap();
            let maxu = |v: &[$u]| v.iter().copied().max().unwrap();
            let minu = |v: &[$u]| v.iter().copied().min().unwrap();
            fold::<$s>(
                &name("RMAX"),
                bits,
                |v| v.iter().copied().max().unwrap().into(),
                t.then_some(<$s>::MIN),
            );
            fold::<$s>(
                &name("RMIN"),
                bits,
                |v| v.iter().copied().min().unwrap().into(),
                t.then_some(<$s>::MAX),
            );
            fold::<$u>(
                &name("RMAXU"),
                bits,
                |v| v.iter().copied().max().unwrap().into(),
                t.then_some(0),
            );
            fold::<$u>(
                &name("RMINU"),
                bits,
                |v| v.iter().copied().min().unwrap().into(),
                t.then_some(<$u>::MAX),
            );
            flagged::<$s>(&name("RBMAX"), max);
            flagged::<$s>(&name("RBMIN"), min);
            flagged::<$u>(&name("RBMAXU"), maxu);
            flagged::<$u>(&name("RBMINU"), minu);
        }
    };
}
extrema!(extrema_of_8_bit_lanes, "2NX8", i8, u8, false);
extrema!(extrema_of_16_bit_lanes, "NX16", i16, u16, true);
extrema!(extrema_of_32_bit_lanes, "N_2X32", i32, u32, false);

/// `RB…`: the extremum in every lane, flags on all tied lanes or on the lowest.
fn flagged<T: Element + PartialEq>(name: &str, extremum: impl Fn(&[T]) -> T) {
    for rb_tie in [RbTie::Lowest, RbTie::Union] {
        for source in sources() {
            let mut state = machine(Profile { rb_tie, ..Profile::default() });
            state.vec[2] = source;
            run_op(&mut state, &format!("{name} v1, vb1, v2"));
            let values: Vec<T> = lanes(&source);
            let best = extremum(&values);
            assert_eq!(state.vec[1], splat(best), "{name}");
            let mut tied: Vec<usize> = (0..values.len()).filter(|&l| values[l] == best).collect();
            if rb_tie == RbTie::Lowest {
                tied.truncate(1);
            }
            let field = (1u64 << size_of::<T>()) - 1;
            let wanted = tied.iter().map(|l| field << (l * size_of::<T>())).sum::<u64>();
            assert_eq!(state.vbool[1], wanted, "{name} {rb_tie:?}");
        }
    }
}

#[test]
fn ties_flag_the_lowest_lane_or_every_lane() {
    for (rb_tie, q) in [(RbTie::Lowest, 0x30), (RbTie::Union, 0xc_0030)] {
        let mut state = machine(Profile { rb_tie, ..Profile::default() });
        let mut values = [0u16; 32];
        (values[2], values[9]) = (0x200, 0x200);
        state.vec[2] = line(&values);
        run_op(&mut state, "RBMAXNX16 v1, vb1, v2");
        assert_eq!((state.vec[1], state.vbool[1]), (splat(0x200u16), q));
    }
}

/// A machine with fp16 lanes; lanes not given hold the filler.
fn half_lanes(profile: Profile, given: &[u16], filler: u16) -> VectorState {
    let mut state = machine(profile);
    let mut values = [filler; 32];
    values[..given.len()].copy_from_slice(given);
    state.vec[2] = line(&values);
    state
}

fn low(state: &VectorState) -> u16 {
    assert!(state.vec[1].0[2..].iter().all(|&byte| byte == 0), "high bits are not zero");
    lanes::<u16>(&state.vec[1])[0]
}

/// Bit V of `FSR`.
const V: u16 = 0x800;

#[test]
fn num_folds_drop_nans_and_order_signed_zeros() {
    let seed = Profile::default();
    for (given, filler, max, min) in [
        (vec![0x8000, 0x0000], 0x8000, 0x0000, 0x8000),
        (vec![0x7e00, 0x0001], 0xfe00, 0x0001, 0x0001),
        (vec![0xfc00, 0x7c00], 0x7e01, 0x7c00, 0xfc00),
        (vec![0x83ff, 0x8400], 0x8001, 0x8001, 0x8400),
        (vec![0x7bff], 0xfbff, 0x7bff, 0xfbff),
        (vec![], 0x7fff, 0x7e00, 0x7e00),
        (vec![], 0xfe00, 0x7e00, 0x7e00),
    ] {
        let mut state = half_lanes(seed, &given, filler);
        run_op(&mut state, "RMAXNUMNXF16 v1, v2");
        assert_eq!(low(&state), max);
        run_op(&mut state, "RMINNUMNXF16 v1, v2");
        assert_eq!(low(&state), min);
        assert_eq!(state.fsr, 0, "quiet NaNs raise nothing");
    }
}

#[test]
fn a_signalling_nan_raises_v_through_the_gate() {
    for (fsr_gate, fcr, raised) in [
        (FsrGate::Always, 0, V),
        (FsrGate::Always, 0x40, V),
        (FsrGate::Enabled, 0, 0),
        (FsrGate::Enabled, 0x3c, 0),
        (FsrGate::Enabled, 0x40, V),
    ] {
        for op in [
            "RMAXNUMNXF16 v1, v2",
            "RMINNUMNXF16 v1, v2",
            "RMAXNUMNXF16T v1, v2, vb3",
            "RMINNUMNXF16T v1, v2, vb3",
            "RBMAXNUMNXF16 v1, vb1, v2",
            "RBMINNUMNXF16 v1, vb1, v2",
            "RBMAXNUMNXF16T v1, vb1, v2, vb3",
            "RBMINNUMNXF16T v1, vb1, v2, vb3",
        ] {
            let profile = Profile { fsr_gate, ..Profile::default() };
            let mut state = half_lanes(profile, &[0x3c00, 0x7d55], 0x3c00);
            (state.fcr, state.fsr, state.vbool[3]) = (fcr, 0x080, u64::MAX);
            run_op(&mut state, op);
            assert_eq!(state.fsr, 0x080 | raised, "{op} {fsr_gate:?} {fcr:#x}");
            assert_eq!(lanes::<u16>(&state.vec[1])[0], 0x3c00);
        }
    }
}

#[test]
fn killed_num_lanes_take_part_as_infinities() {
    let seed = Profile::default();
    // Every live lane is a NaN and one lane is killed: the identity, not the canonical NaN (V-37).
    let mut state = half_lanes(seed, &[0x7c01], 0x7e00);
    state.vbool[3] = u64::MAX << 2;
    run_op(&mut state, "RMAXNUMNXF16T v1, v2, vb3");
    assert_eq!(low(&state), 0xfc00);
    run_op(&mut state, "RMINNUMNXF16T v1, v2, vb3");
    assert_eq!(low(&state), 0x7c00);
    assert_eq!(state.fsr, 0, "the signalling NaN is killed");
    // All lanes live, all NaN: canonical, nothing flagged even where the bits are the same.
    state.vbool[3] = u64::MAX;
    run_op(&mut state, "RBMAXNUMNXF16T v1, vb1, v2, vb3");
    assert_eq!((state.vec[1], state.vbool[1]), (splat(0x7e00u16), 0));
    assert_eq!(state.fsr, V);
}

#[test]
fn killed_lanes_are_never_flagged() {
    for (rb_tie, wanted) in [(RbTie::Lowest, 0xc), (RbTie::Union, 0x3c)] {
        let profile = Profile { rb_tie, ..Profile::default() };
        // Lane 0 would win but is killed; lanes 1 and 2 hold −∞, which is also the identity.
        let mut state = half_lanes(profile, &[0x7bff, 0xfc00, 0xfc00], 0x0000);
        state.vbool[3] = 0b01_01_00;
        run_op(&mut state, "RBMAXNUMNXF16T v1, vb1, v2, vb3");
        assert_eq!((state.vec[1], state.vbool[1]), (splat(0xfc00u16), wanted));
        state.vbool[3] = 0b10_10_10;
        state.vbool[1] = u64::MAX;
        run_op(&mut state, "RBMINNUMNXF16T v1, vb1, v2, vb3");
        assert_eq!((state.vec[1], state.vbool[1]), (splat(0x7c00u16), 0));
    }
}

#[test]
fn num_folds_of_fp32_lanes() {
    let mut state = machine(Profile::default());
    let mut values = [0xffff_ffffu32; 16];
    values[3..6].copy_from_slice(&[0x8000_0000, 0x0000_0000, 0x0000_0000]);
    state.vec[2] = line(&values);
    run_op(&mut state, "RMAXNUMN_2XF32 v1, v2");
    assert_eq!(state.vec[1], Line::default());
    run_op(&mut state, "RMINNUMN_2XF32 v1, v2");
    assert_eq!(state.vec[1], line(&[0x8000_0000u32]));
    run_op(&mut state, "RBMAXNUMN_2XF32 v1, vb1, v2");
    assert_eq!((state.vec[1], state.vbool[1]), (Line::default(), 0xf << 16));
    run_op(&mut state, "RBMINNUMN_2XF32 v1, vb1, v2");
    assert_eq!((state.vec[1], state.vbool[1]), (splat(0x8000_0000u32), 0xf << 12));
    assert_eq!(state.fsr, 0);
    state.vbool[3] = 1 << 20;
    run_op(&mut state, "RMAXNUMN_2XF32T v1, v2, vb3");
    assert_eq!(state.vec[1], Line::default());
    run_op(&mut state, "RMINNUMN_2XF32T v1, v2, vb3");
    assert_eq!(state.vec[1], Line::default());
    run_op(&mut state, "RBMAXNUMN_2XF32T v1, vb1, v2, vb3");
    assert_eq!((state.vec[1], state.vbool[1]), (Line::default(), 0xf << 20));
    run_op(&mut state, "RBMINNUMN_2XF32T v1, vb1, v2, vb3");
    assert_eq!((state.vec[1], state.vbool[1]), (Line::default(), 0xf << 20));
    state.vec[2] = splat(0x7fa0_0000u32);
    run_op(&mut state, "RMAXNUMN_2XF32 v1, v2");
    assert_eq!((state.vec[1], state.fsr), (line(&[0x7fc0_0000u32]), V));
}

#[test]
fn tail_masks_count_modulo_the_lanes_or_saturate() {
    for (count, n, two_n, n_2, sn, s2n, sn_2) in [
        (0u32, 0, 0, 0, 0, 0, 0),
        (1, 1, 1, 1, 1, 1, 1),
        (15, 15, 15, 15, 15, 15, 15),
        (16, 16, 16, 0, 16, 16, 16),
        (32, 0, 32, 0, 32, 32, 16),
        (63, 31, 63, 15, 32, 63, 16),
        (64, 0, 0, 0, 32, 64, 16),
        (0x8000_0011, 17, 17, 1, 0, 0, 0),
        (0x7fff_ffff, 31, 63, 15, 32, 64, 16),
        (0xffff_ffff, 31, 63, 15, 0, 0, 0),
    ] {
        let mask = |lanes: u32, field: u32| (0..lanes * field).map(|bit| 1u64 << bit).sum::<u64>();
        for (name, lanes, field) in [
            ("LTRN", n, 2),
            ("LTR2N", two_n, 1),
            ("LTRN_2", n_2, 4),
            ("LTRSN", sn, 2),
            ("LTRS2N", s2n, 1),
            ("LTRSN_2", sn_2, 4),
        ] {
            let mut state = machine(Profile::default());
            state.ar[5] = count;
            run_op(&mut state, &format!("{name} vb1, a5"));
            assert_eq!(state.vbool[1], mask(lanes, field), "{name} {count:#x}");
        }
        if count < 64 {
            for (name, lanes, field) in [("LTRNI", n, 2), ("LTR2NI", two_n, 1), ("LTRN_2I", n_2, 4)]
            {
                let mut state = machine(Profile::default());
                run_op(&mut state, &format!("{name} vb1, {count}"));
                assert_eq!(state.vbool[1], mask(lanes, field), "{name} {count}");
            }
        }
    }
}

#[test]
fn predicate_folds_look_at_the_low_bit_of_a_field() {
    for (q, all, any) in [
        (u64::MAX, [1, 1, 1], [1, 1, 1]),
        (0, [0, 0, 0], [0, 0, 0]),
        (0x5555_5555_5555_5555, [0, 1, 1], [1, 1, 1]),
        (0xaaaa_aaaa_aaaa_aaaa, [0, 0, 0], [1, 0, 0]),
        (0x1111_1111_1111_1111, [0, 0, 1], [1, 1, 1]),
        (0x4444_4444_4444_4444, [0, 0, 0], [1, 1, 0]),
        (1 << 63, [0, 0, 0], [1, 0, 0]),
        (!1, [0, 0, 0], [1, 1, 1]),
    ] {
        let mut state = machine(Profile::default());
        state.vbool[2] = q;
        for (i, suffix) in ["2N", "N", "N_2"].iter().enumerate() {
            run_op(&mut state, &format!("RANDB{suffix} vb1, vb2"));
            assert_eq!(state.vbool[1], all[i], "RANDB{suffix} {q:#x}");
            run_op(&mut state, &format!("RORB{suffix} vb1, vb2"));
            assert_eq!(state.vbool[1], any[i], "RORB{suffix} {q:#x}");
        }
    }
}
