//! ALU, compares and flagged forms (spec 04 section 9) against native integer arithmetic: every row
//! at every width, on the edge values of the golden sets crossed with each other, and on noise.

mod vector_support;

use contract::profile::Profile;
use contract::state::{Line, VectorState};
use serde_json::Value;
use vector_support::{Element, Noise, golden, lanes, line, machine, number, run_op};

/// Edge values of a lane width.
fn edges<T: TryFrom<i128>>(set: &str) -> Vec<T>
where
    T::Error: std::fmt::Debug,
{
    let sets: Value = serde_json::from_str(&golden("edge_sets.json")).unwrap();
    let values = sets["lane_widths"][set]["values"].as_array().unwrap().clone();
    assert!(!values.is_empty());
    let bits = 8 * size_of::<T>();
    values
        .iter()
        .map(|value| {
            let value = i128::from(number(value));
            let signed = if value >> (bits - 1) & 1 == 1 { value - (1 << bits) } else { value };
            T::try_from(signed).unwrap()
        })
        .collect()
}

/// Registers that pair every edge value with every other, and some noise.
fn sources<T: Element + TryFrom<i128>>(set: &str) -> Vec<(Line, Line)>
where
    T::Error: std::fmt::Debug,
{
    let values: Vec<T> = edges(set);
    let pairs: Vec<(T, T)> =
        values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).collect();
    let mut sources: Vec<(Line, Line)> = pairs
        .chunks(64 / size_of::<T>())
        .map(|chunk| {
            let (x, y): (Vec<T>, Vec<T>) = chunk.iter().copied().unzip();
            (line(&x), line(&y))
        })
        .collect();
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    sources.extend((0..64).map(|_| (noise.line(), noise.line())));
    sources
}

/// What a lane is expected to give: a value, a flag, or both.
struct Rule<T> {
    value: Option<fn(T, T) -> T>,
    flag: Option<fn(T, T) -> bool>,
}

/// Checks a row and, if it has one, its T form, on every pair of sources.
fn check<T: Element + TryFrom<i128> + PartialEq + std::fmt::Debug>(
    name: &str,
    set: &str,
    one_source: bool,
    rule: &Rule<T>,
    merging: bool,
) where
    T::Error: std::fmt::Debug,
{
    let sources_text = if one_source { "v2" } else { "v2, v3" };
    let results = match (rule.value.is_some(), rule.flag.is_some()) {
        (true, false) => "v1",
        (false, true) => "vb1",
        _ => "v1, vb1",
    };
    let mut noise = Noise(0x1234_5678_9abc_def1);
    for (x, y) in sources::<T>(set) {
        let mut state = machine(Profile::default());
        (state.vec[1], state.vec[2], state.vec[3]) = (noise.line(), x, y);
        state.vbool[4] = noise.next();
        let before: VectorState = state.clone();
        let pairs: Vec<(T, T)> = lanes(&x).into_iter().zip(lanes(&y)).collect();

        run_op(&mut state, &format!("{name} {results}, {sources_text}"));
        if let Some(value) = rule.value {
            let wanted: Vec<T> = pairs.iter().map(|&(x, y)| value(x, y)).collect();
            assert_eq!(lanes::<T>(&state.vec[1]), wanted, "{name}");
        }
        if let Some(flag) = rule.flag {
            let field = (1 << size_of::<T>()) - 1;
            let mut wanted = 0;
            for (l, &(x, y)) in pairs.iter().enumerate() {
                wanted |= if flag(x, y) { field << (l * size_of::<T>()) } else { 0 };
            }
            assert_eq!(state.vbool[1], wanted, "{name}");
        }
        if merging {
            let mut state = before.clone();
            run_op(&mut state, &format!("{name}T {results}, {sources_text}, vb4"));
            let value = rule.value.unwrap();
            let old: Vec<T> = lanes(&before.vec[1]);
            for (l, actual) in lanes::<T>(&state.vec[1]).into_iter().enumerate() {
                let live = before.vbool[4] >> (l * size_of::<T>()) & 1 == 1;
                let (x, y) = pairs[l];
                assert_eq!(actual, if live { value(x, y) } else { old[l] }, "{name}T lane {l}");
            }
        }
    }
}

/// The rows of one width, in terms of its signed and unsigned native types.
macro_rules! rows {
    ($test:ident, $suffix:literal, $set:literal, $s:ty, $u:ty) => {
        #[test]
        fn $test() {
            let two = |name: &str, value: fn($s, $s) -> $s, merging| {
                let rule = Rule { value: Some(value), flag: None };
                check::<$s>(&format!("{name}{}", $suffix), $set, false, &rule, merging);
            };
            let one = |name: &str, value: fn($s, $s) -> $s, merging| {
                let rule = Rule { value: Some(value), flag: None };
                check::<$s>(&format!("{name}{}", $suffix), $set, true, &rule, merging);
            };
            let compare = |name: &str, flag: fn($s, $s) -> bool| {
                let rule = Rule { value: None, flag: Some(flag) };
                check::<$s>(&format!("{name}{}", $suffix), $set, false, &rule, false);
            };
            let flagged = |name: &str, value: fn($s, $s) -> $s, flag: fn($s, $s) -> bool| {
                let rule = Rule { value: Some(value), flag: Some(flag) };
                check::<$s>(&format!("{name}{}", $suffix), $set, name == "BABS", &rule, false);
            };
            let narrow = <$s>::BITS < 32;
            let only_16 = <$s>::BITS == 16;

            two("ADD", |x, y| x.wrapping_add(y), true);
            two("SUB", |x, y| x.wrapping_sub(y), true);
            two("MIN", |x, y| x.min(y), only_16);
            two("MAX", |x, y| x.max(y), only_16);
            two("MINU", |x, y| (x as $u).min(y as $u) as $s, only_16);
            two("MAXU", |x, y| (x as $u).max(y as $u) as $s, only_16);
            one("ABS", |x, _| x.wrapping_abs(), false);
            one("NEG", |x, _| x.wrapping_neg(), true);
            compare("EQ", |x, y| x == y);
            compare("NEQ", |x, y| x != y);
            compare("LT", |x, y| x < y);
            compare("LE", |x, y| x <= y);
            compare("LTU", |x, y| (x as $u) < (y as $u));
            compare("LEU", |x, y| (x as $u) <= (y as $u));
            flagged("BMAX", |x, y| x.max(y), |x, y| x > y);
            flagged("BMIN", |x, y| x.min(y), |x, y| x < y);
            flagged("BMAXU", |x, y| (x as $u).max(y as $u) as $s, |x, y| x as $u > y as $u);
            flagged("BMINU", |x, y| (x as $u).min(y as $u) as $s, |x, y| (x as $u) < y as $u);
            flagged("BABS", |x, _| x.wrapping_abs(), |x, _| x < 0);
            if narrow {
                two("ABSSUB", |x, y| x.abs_diff(y) as $s, false);
                two("ABSSUBU", |x, y| (x as $u).abs_diff(y as $u) as $s, false);
                flagged("BABSSUB", |x, y| x.abs_diff(y) as $s, |x, y| x < y);
                let unsigned_difference: fn($s, $s) -> $s =
                    |x, y| (x as $u).abs_diff(y as $u) as $s;
                flagged("BABSSUBU", unsigned_difference, |x, y| (x as $u) < y as $u);
            }
            if only_16 {
                two("ADDS", |x, y| x.saturating_add(y), true);
                two("SUBS", |x, y| x.saturating_sub(y), true);
                two("ABSSSUB", |x, y| <$s>::try_from(x.abs_diff(y)).unwrap_or(<$s>::MAX), false);
                one("ABSS", |x, _| x.saturating_abs(), false);
                one("NEGS", |x, _| x.saturating_neg(), true);
            }
        }
    };
}

rows!(rows_of_8_bit_lanes, "2NX8", "int8", i8, u8);
rows!(rows_of_16_bit_lanes, "NX16", "int16", i16, u16);
rows!(rows_of_32_bit_lanes, "N_2X32", "int32", i32, u32);

#[test]
fn logic_is_bitwise_on_the_whole_register() {
    let mut noise = Noise(77);
    let mut state = machine(Profile::default());
    (state.vec[2], state.vec[3]) = (noise.line(), noise.line());
    let (x, y) = (state.vec[2].0, state.vec[3].0);
    for (op, rule) in [
        ("AND2NX8 v1, v2, v3", (|x, y| x & y) as fn(u8, u8) -> u8),
        ("OR2NX8 v1, v2, v3", |x, y| x | y),
        ("XOR2NX8 v1, v2, v3", |x, y| x ^ y),
        ("NOT2NX8 v1, v2", |x, _| !x),
    ] {
        run_op(&mut state, op);
        for i in 0..64 {
            assert_eq!(state.vec[1].0[i], rule(x[i], y[i]), "{op}");
        }
    }
}

#[test]
fn worked_values_of_the_chapter() {
    let mut state = machine(Profile::default());
    state.vec[2] = line(&[0x8000u16]);
    state.vec[3] = line(&[0x7fffu16]);
    run_op(&mut state, "ABSSUBNX16 v1, v2, v3");
    assert_eq!(lanes::<u16>(&state.vec[1])[0], 0xffff);
    run_op(&mut state, "ABSSNX16 v1, v2");
    assert_eq!(lanes::<u16>(&state.vec[1])[0], 0x7fff);
}

#[test]
fn source_and_destination_may_be_one_register() {
    let mut state = machine(Profile::default());
    state.vec[1] = line(&[5u16, 6, 7]);
    run_op(&mut state, "SUBNX16 v1, v1, v1");
    assert_eq!(state.vec[1], Line::default());
    state.vec[1] = line(&[5u16, 6, 7]);
    state.vbool[1] = 0b11;
    run_op(&mut state, "BMINNX16 v1, vb1, v1, v0");
    assert_eq!(state.vec[1], Line::default());
    assert_eq!(state.vbool[1], 0);
}
