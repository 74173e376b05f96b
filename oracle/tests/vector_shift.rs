//! Shift, rotate, normalise (spec 04 section 7) against powers of two in wide integers, which need
//! none of the chapter's case distinctions.

mod vector_support;

use contract::profile::{Profile, RotrMode};
use vector_support::{Element, Noise, lanes, line, machine, run_op};

/// A lane as an exact integer of either reading.
trait Lane: Element {
    const BITS: u32;
    fn unsigned(self) -> i128;
    fn signed(self) -> i128;
    fn cut(value: i128) -> Self;
    fn clamp(value: i128) -> Self;
}

macro_rules! lane {
    ($($u:ty, $s:ty;)*) => {$(
        impl Lane for $u {
            const BITS: u32 = <$u>::BITS;
            fn unsigned(self) -> i128 {
                i128::from(self)
            }
            fn signed(self) -> i128 {
                i128::from(self as $s)
            }
            fn cut(value: i128) -> Self {
                value as $u
            }
            fn clamp(value: i128) -> Self {
                value.clamp(i128::from(<$s>::MIN), i128::from(<$s>::MAX)) as $u
            }
        }
    )*};
}
lane!(u8, i8; u16, i16; u32, i32;);

fn left<T: Lane>(x: T, n: i128) -> T {
    T::cut(x.unsigned() * (1 << n))
}
fn right<T: Lane>(x: T, n: i128) -> T {
    T::cut(x.unsigned() / (1 << n))
}
fn arithmetic_right<T: Lane>(x: T, n: i128) -> T {
    T::cut(x.signed().div_euclid(1 << n))
}
fn saturating_left<T: Lane>(x: T, n: i128) -> T {
    T::clamp(x.signed() * (1 << n))
}

/// Values of interest at a width.
fn values<T: Lane>() -> Vec<T> {
    let mut noise = Noise(0xabcd_ef01_2345_6789);
    let top = 1 << (T::BITS - 1);
    [0, 1, 2, 3, top - 1, top, top + 1, top >> 1, 3 * (top >> 1), -1, -2, 0x55, 0xaa]
        .into_iter()
        .chain((0..16).map(|_| i128::from(noise.next())))
        .map(T::cut)
        .collect()
}

/// Runs an op with `x` and `y` in every lane and returns lane 0, all lanes being alike.
fn one_lane<T: Lane + PartialEq + std::fmt::Debug>(profile: Profile, op: &str, x: T, y: T) -> T {
    let mut state = machine(profile);
    state.vec[2] = vector_support::splat(x);
    state.vec[3] = vector_support::splat(y);
    run_op(&mut state, op);
    let result = lanes::<T>(&state.vec[1]);
    assert!(result.iter().all(|lane| *lane == result[0]));
    result[0]
}

/// The immediate forms of a width.
fn immediate_forms<T: Lane + PartialEq + std::fmt::Debug>(suffix: &str) {
    type Rule<T> = fn(T, i128) -> T;
    for (name, rule) in [("SLLI", left as Rule<T>), ("SRLI", right), ("SRAI", arithmetic_right)] {
        for x in values::<T>() {
            for imm in 0..T::BITS {
                let op = format!("{name}{suffix} v1, v2, {imm}");
                let result = one_lane(Profile::default(), &op, x, T::cut(0));
                assert_eq!(result, rule(x, i128::from(imm)), "{op} of {x:?}");
            }
        }
    }
}

/// The variable forms of a width, over amounts on both sides of every limit.
fn variable_forms<T: Lane + PartialEq + std::fmt::Debug>(suffix: &str) {
    type Rule<T> = fn(T, i128) -> T;
    let rules: [(&str, Rule<T>, Rule<T>); 5] = [
        ("SLL", left, right),
        ("SRL", right, left),
        ("SRA", arithmetic_right, left),
        ("SLS", saturating_left, arithmetic_right),
        ("SRS", arithmetic_right, saturating_left),
    ];
    let w = i128::from(T::BITS);
    let mut amounts: Vec<i128> = (-2 * w - 3..=2 * w + 3).collect();
    amounts.extend([-(1 << (T::BITS - 1)), (1 << (T::BITS - 1)) - 1, 1000, -1000]);
    for (name, positive, negative) in rules {
        let op = format!("{name}{suffix} v1, v2, v3");
        for x in values::<T>() {
            for &amount in &amounts {
                let n = amount.clamp(-2 * w, 2 * w - 1);
                let wanted = if n >= 0 { positive(x, n) } else { negative(x, -n) };
                let result = one_lane(Profile::default(), &op, x, T::cut(amount));
                assert_eq!(result, wanted, "{op}: {x:?} by {amount}");
            }
        }
    }
}

#[test]
fn immediate_shifts_are_products_and_quotients_of_powers_of_two() {
    immediate_forms::<u8>("2NX8");
    immediate_forms::<u16>("NX16");
    immediate_forms::<u32>("N_2X32");
}

#[test]
fn variable_shifts_limit_the_signed_amount_to_twice_the_width() {
    variable_forms::<u16>("NX16");
    variable_forms::<u32>("N_2X32");
}

#[test]
fn worked_values_of_the_chapter() {
    let seed = Profile::default();
    assert_eq!(one_lane::<u16>(seed, "SLLNX16 v1, v2, v3", 1, 17), 0);
    assert_eq!(one_lane::<u16>(seed, "SRANX16 v1, v2, v3", 0x8000, 4), 0xf800);
    assert_eq!(one_lane::<u16>(seed, "SLSNX16 v1, v2, v3", 0x4000, 2), 0x7fff);
    assert_eq!(one_lane::<u16>(seed, "SLSNX16 v1, v2, v3", 0xc000, 4), 0x8000);
}

#[test]
fn every_lane_shifts_by_its_own_amount() {
    let mut state = machine(Profile::default());
    state.vec[2] = line(&[0x00f0u16; 32]);
    state.vec[3] = line(&[4i16, -4, 0, 16, -16, 31, -32, i16::MIN]);
    run_op(&mut state, "SLLNX16 v1, v2, v3");
    let wanted = [0x0f00u16, 0x000f, 0x00f0, 0, 0, 0, 0, 0];
    assert_eq!(lanes::<u16>(&state.vec[1])[..8], wanted);
}

#[test]
fn lane_rotate_moves_elements_across_the_register() {
    let mut state = machine(Profile { rotr_mode: RotrMode::Lane, ..Profile::default() });
    state.vec[2] = line(&(0..32).map(|l| 0x1000 + l).collect::<Vec<u16>>());
    run_op(&mut state, "ROTRINX16 v1, v2, 4");
    let result = lanes::<u16>(&state.vec[1]);
    assert_eq!((result[0], result[31]), (0x1004, 0x1003));
    state.vec[2] = line(&(0..64).collect::<Vec<u8>>());
    run_op(&mut state, "ROTRI2NX8 v1, v2, 7");
    assert_eq!(lanes::<u8>(&state.vec[1])[57], 0);
    state.vec[2] = line(&(0..16).collect::<Vec<u32>>());
    run_op(&mut state, "ROTRIN_2X32 v1, v2, 31");
    assert_eq!(lanes::<u32>(&state.vec[1])[..2], [15, 0]);
}

#[test]
fn lane_rotate_takes_unsigned_amounts_modulo_the_lane_count() {
    let mut state = machine(Profile { rotr_mode: RotrMode::Lane, ..Profile::default() });
    state.vec[2] = line(&(0..16).collect::<Vec<u32>>());
    state.vec[3] = line(&[0xffff_ffffu32, 17, 0x8000_0003]);
    run_op(&mut state, "ROTRN_2X32 v1, v2, v3");
    assert_eq!(lanes::<u32>(&state.vec[1])[..4], [15, 2, 5, 3]);
}

#[test]
fn bit_rotate_stays_inside_the_lane() {
    let bit = Profile { rotr_mode: RotrMode::Bit, ..Profile::default() };
    let mut state = machine(bit);
    state.vec[2] = line(&(0..32).map(|l| 0x1000 + l).collect::<Vec<u16>>());
    run_op(&mut state, "ROTRINX16 v1, v2, 4");
    let result = lanes::<u16>(&state.vec[1]);
    assert_eq!((result[0], result[31]), (0x0100, 0xf101));
    for x in values::<u32>() {
        for amount in [0u32, 1, 31, 32, 33, 0xffff_ffff] {
            let op = "ROTRN_2X32 v1, v2, v3";
            assert_eq!(one_lane(bit, op, x, amount), x.rotate_right(amount % 32));
        }
        for imm in 0..32 {
            let op = format!("ROTRIN_2X32 v1, v2, {imm}");
            assert_eq!(one_lane(bit, &op, x, 0), x.rotate_right(imm));
        }
    }
    for x in values::<u16>() {
        for amount in [0u16, 1, 15, 16, 17, 0xffff] {
            let op = "ROTRNX16 v1, v2, v3";
            assert_eq!(one_lane(bit, op, x, amount), x.rotate_right(u32::from(amount) % 16));
        }
    }
    for x in values::<u8>() {
        for imm in 0..8 {
            let op = format!("ROTRI2NX8 v1, v2, {imm}");
            assert_eq!(one_lane(bit, &op, x, 0), x.rotate_right(imm));
        }
    }
}

#[test]
fn normalise_counts_leading_zeros_and_redundant_signs() {
    let seed = Profile::default();
    let domain: Vec<u16> = (0..=u16::MAX).collect();
    let mut state = machine(seed);
    for chunk in domain.chunks_exact(32) {
        state.vec[2] = line(chunk);
        run_op(&mut state, "NSANX16 v1, v2");
        run_op(&mut state, "NSAUNX16 v3, v2");
        let (nsa, nsau) = (lanes::<u16>(&state.vec[1]), lanes::<u16>(&state.vec[3]));
        for (l, &x) in chunk.iter().enumerate() {
            let sign_free = if (x as i16) < 0 { !x } else { x };
            assert_eq!(u32::from(nsa[l]), sign_free.leading_zeros() - 1, "{x:#x}");
            assert_eq!(u32::from(nsau[l]), x.leading_zeros(), "{x:#x}");
        }
    }
    for x in values::<u32>() {
        let sign_free = if (x as i32) < 0 { !x } else { x };
        let nsa = one_lane(seed, "NSAN_2X32 v1, v2", x, 0);
        assert_eq!(nsa, sign_free.leading_zeros() - 1);
        assert_eq!(one_lane(seed, "NSAUN_2X32 v1, v2", x, 0), x.leading_zeros());
    }
}
