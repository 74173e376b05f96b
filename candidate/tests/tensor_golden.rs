//! Golden vectors and golden cases of the tensor side.

mod tensor_support;

use candidate::numeric::{Load, Store, load, store};
use candidate::simd::Supported;
use contract::isa::Dtype;
use contract::model::TensorModel;
use contract::profile::Profile;
use contract::state::TensorState;
use serde_json::Value;
use tensor_support::{expected_step, golden, models, number, profile, regions};

/// Dtype of a vector; the vectors write BF16 for BFLOAT16.
fn dtype(value: &Value) -> Dtype {
    match value.as_str().unwrap() {
        "BF16" => Dtype::Bfloat16,
        name => Dtype::from_name(name).unwrap_or_else(|| panic!("dtype {name}")),
    }
}

/// The compute value of one memory code.
fn loaded(path: Supported, how: Load, code: u64) -> u32 {
    let mut value = [0];
    load(path, how, &code.to_le_bytes()[..how.bytes()], &mut value);
    value[0]
}

/// The memory code of one compute value.
fn stored(path: Supported, how: Store, value: u32) -> u64 {
    let mut code = [0; 8];
    store(path, how, &[value], &mut code[..how.bytes()]);
    u64::from_le_bytes(code)
}

#[test]
fn every_dtype_vector_holds_on_every_path() {
    let vectors: Value = serde_json::from_str(&golden("dtype_vectors.json")).unwrap();
    let list = vectors["vectors"].as_array().unwrap();
    let mut checked = 0;
    for path in Supported::all() {
        for vector in list {
            let (input, output) = (number(&vector["in"]), number(&vector["out"]));
            let (from, to) = (dtype(&vector["from"]), dtype(&vector["to"]));
            let seed = Profile::default();
            let actual = match vector["kind"].as_str().unwrap() {
                "load" => u64::from(loaded(path, Load::float(from).unwrap(), input)),
                "store" => stored(path, Store::float(to, &seed).unwrap(), input as u32),
                "int_load" => u64::from(loaded(path, Load::integer(from).unwrap(), input)),
                "int_store" => stored(path, Store::low_bits(to).unwrap(), input as u32),
                kind => panic!("kind {kind}"),
            };
            assert_eq!(actual, output, "{path:?} {vector}");
            checked += 1;
        }
    }
    assert_eq!(checked, list.len() * Supported::all().count());
    assert_eq!(list.len(), 1527);
}

#[test]
fn every_dtype_vector_holds_inside_long_slices() {
    // Vector loops and their scalar remainders take different code.
    let vectors: Value = serde_json::from_str(&golden("dtype_vectors.json")).unwrap();
    let list = vectors["vectors"].as_array().unwrap();
    let seed = Profile::default();
    for path in Supported::all() {
        for &to in Dtype::ALL {
            let Some(how) = Store::float(to, &seed) else { continue };
            let rows: Vec<(u32, u64)> = list
                .iter()
                .filter(|vector| vector["kind"] == "store" && dtype(&vector["to"]) == to)
                .map(|vector| (number(&vector["in"]) as u32, number(&vector["out"])))
                .collect();
            let values: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let mut codes = vec![0; values.len() * how.bytes()];
            store(path, how, &values, &mut codes);
            for (code, row) in codes.chunks_exact(how.bytes()).zip(&rows) {
                let mut wide = [0; 8];
                wide[..code.len()].copy_from_slice(code);
                assert_eq!(u64::from_le_bytes(wide), row.1, "{path:?} {to:?} {:08x}", row.0);
            }
        }
    }
}

#[test]
fn narrow_codes_survive_load_and_store() {
    let seed = Profile::default();
    for path in Supported::all() {
        for (dtype, bits, infinity, canonical) in [
            (Dtype::Fp8Exp3, 8, 0x70, 0x78),
            (Dtype::Fp8Exp4, 8, 0x78, 0x7C),
            (Dtype::Fp8Exp5, 8, 0x7C, 0x7E),
            (Dtype::Fp16, 16, 0x7C00, 0x7E00),
            (Dtype::Bfloat16, 16, 0x7F80, 0x7FC0),
        ] {
            let sign = 1u64 << (bits - 1);
            let (into, out) = (Load::float(dtype).unwrap(), Store::float(dtype, &seed).unwrap());
            for code in 0..1u64 << bits {
                let back = stored(path, out, loaded(path, into, code));
                let is_nan = code & (sign - 1) > infinity;
                let expected = if is_nan { code & sign | canonical } else { code };
                assert_eq!(back, expected, "{dtype:?} {code:#x}");
            }
        }
    }
}

#[test]
fn every_golden_case_of_the_four_opcodes_holds_on_every_path() {
    let mut cases = 0;
    for line in golden("tensor_cases.jsonl").lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let (case, expected) = (&entry["case"], &entry["expected"]);
        let program: Vec<[u8; 64]> = case["program"]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| tensor_support::hex(record.as_str().unwrap()).try_into().unwrap())
            .collect();
        if !program.iter().all(|record| [0x9A, 0xE6, 0x4E, 0x5E].contains(&record[0])) {
            continue;
        }
        cases += 1;
        for mut model in models() {
            let mut state = TensorState {
                generation: contract::isa::Generation::from_name(
                    case["generation"].as_str().unwrap(),
                )
                .unwrap(),
                profile: profile(&case["profile"]),
                regions: regions(&case["memory"]),
                ..TensorState::default()
            };
            for (register, value) in case["registers"].as_object().unwrap() {
                state.registers[register.parse::<usize>().unwrap()] = number(value) as u32;
            }
            for (index, record) in program.iter().enumerate() {
                let before = state.clone();
                let step = model.step(&mut state, record).expect("no write outside the case");
                let wanted = expected_step(&expected["steps"][index]);
                assert_eq!(step, wanted, "{} step {index}", case["id"]);
                if step.verdict != contract::outcome::TensorVerdict::Accept {
                    assert_eq!(state, before, "{} step {index}", case["id"]);
                }
            }
            assert_eq!(state.regions, regions(&expected["memory"]), "{}", case["id"]);
            let seeded: u128 = expected["seeded"]
                .as_array()
                .unwrap()
                .iter()
                .map(|lane| 1u128 << lane.as_u64().unwrap())
                .sum();
            assert_eq!(state.seeded, seeded, "{}", case["id"]);
            for lane in 0..128 {
                let value = &expected["accumulators"][lane.to_string()];
                let wanted = if value.is_null() { 0 } else { number(value) as u32 };
                assert_eq!(state.accumulators[lane], wanted, "{} lane {lane}", case["id"]);
            }
        }
    }
    assert!(cases >= 50, "only {cases} cases use the four opcodes alone");
    println!("{cases} golden cases");
}
