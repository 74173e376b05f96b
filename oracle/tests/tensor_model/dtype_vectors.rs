//! Every vector of `dtype_vectors.json` through the conversion functions, and the loads and stores
//! through an instruction where the clauses admit the dtypes.

use crate::support::{Record, at, b_tc, golden, hex, sbuf, step};
use contract::isa::{Dtype, Generation};
use contract::outcome::TensorVerdict;
use contract::profile::Profile;
use oracle::numeric::convert::{load, load_integer, store, store_integer};
use oracle::numeric::format::{IntegerFormat, element_size, integer_format};
use serde_json::Value;

struct Vector {
    id: String,
    kind: String,
    from: Dtype,
    to: Dtype,
    input: u64,
    output: u64,
}

fn vectors() -> Vec<Vector> {
    let file: Value = serde_json::from_str(&golden("dtype_vectors.json")).expect("valid JSON");
    let list = file["vectors"].as_array().expect("a list of vectors");
    assert_eq!(list.len() as u64, file["count"], "the file states its own count");
    list.iter()
        .map(|vector| {
            let text = |key: &str| vector[key].as_str().expect("a string").to_owned();
            let dtype = |key: &str| {
                let name = text(key).replace("BF16", "BFLOAT16");
                Dtype::from_name(&name).unwrap_or_else(|| panic!("no dtype {name}"))
            };
            Vector {
                id: text("id"),
                kind: text("kind"),
                from: dtype("from"),
                to: dtype("to"),
                input: hex(&text("in")),
                output: hex(&text("out")),
            }
        })
        .collect()
}

#[test]
fn every_vector_holds_through_the_conversion_functions() {
    let profile = Profile::default();
    let vectors = vectors();
    for vector in &vectors {
        let Vector { id, kind, from, to, input, output } = vector;
        let compute = |dtype: Dtype| {
            let IntegerFormat { bits, signed } = integer_format(dtype).expect("an integer dtype");
            assert!(bits == 32 || bits == 64, "{id}: the compute type is {bits} bits wide");
            IntegerFormat { bits, signed }
        };
        let got = match kind.as_str() {
            "load" => u64::from(load(*input, *from)),
            "store" => store(*input as u32, *to, &profile),
            "int_load" => load_integer(*input, *from, compute(*to), &profile),
            "int_store" => store_integer(*input, *to, compute(*from), &profile),
            other => panic!("{id}: unknown kind {other}"),
        };
        assert_eq!(got, *output, "{id}: {kind} {from:?} {input:#x} to {to:?}, got {got:#x}");
    }
    assert_eq!(vectors.len(), 1527);
}

/// A scan over one element converts and does nothing else.
fn convert_by_instruction(from: Dtype, to: Dtype, code: u64) -> Option<u64> {
    let record: Record = b_tc()
        .byte(at::tr::IN_DTYPE, from.wire())
        .byte(at::tr::OUT_DTYPE, to.wire())
        .byte(at::tr::NUM_ACTIVE_CHANNELS, 1)
        .pattern(at::tr::SRC_MEM_PATTERN, 0, [1; 4], [1; 4])
        .pattern(at::tr::DST_MEM_PATTERN, 8, [1; 4], [1; 4]);
    let mut data = code.to_le_bytes().to_vec();
    data.extend([0; 8]);
    let mut state = sbuf(Generation::Mariana, 1, 0, data);
    let step = step(&mut state, record).expect("the region holds both elements");
    if step.verdict != TensorVerdict::Accept {
        return None;
    }
    let bytes: [u8; 8] = state.regions[0].data[8..].try_into().expect("eight bytes");
    let size = element_size(to).expect("a sized dtype");
    assert!(bytes[size as usize..].iter().all(|&byte| byte == 0), "bytes behind the element");
    Some(u64::from_le_bytes(bytes))
}

#[test]
fn loads_and_stores_hold_through_an_instruction() {
    let mut checked = 0;
    for vector in vectors() {
        if vector.kind != "load" && vector.kind != "store" {
            continue;
        }
        if let Some(got) = convert_by_instruction(vector.from, vector.to, vector.input) {
            assert_eq!(got, vector.output, "{}", vector.id);
            checked += 1;
        }
    }
    assert!(checked > 1300, "only {checked} vectors are legal in an instruction");
}
