//! Conversion vectors (`dtype_vectors.json`). A TensorCumulative record with runs of length one does
//! nothing but load and store (spec 03 section 7.5), so one record checks every vector of a dtype pair,
//! through the whole model.

use super::{Directed, DirectedCase, Expectation, ExpectedElement};
use crate::corpus::{Corpus, CorpusError, read_documents};
use contract::case::{Case, RECORD, TensorCase};
use contract::isa::layout::{header, s4d4_tr};
use contract::isa::{AluOp, Dtype, Generation, Subdim, opcode};
use contract::json::JsonError;
use contract::profile::Profile;
use contract::state::{Region, Space};
use serde_json::Value;
use std::collections::BTreeMap;

/// The opcode that carries the conversions.
pub const OPCODE: u8 = opcode::TENSOR_CUMULATIVE_ARITH;

const FILE: &str = "dtype_vectors.json";

/// Dtypes and operator of one record.
type Key = (u8, u8, u8);

/// One vector: id, code in, code out.
type Vector = (String, u64, u64);

pub(super) fn load(corpus: &Corpus, directed: &mut Directed) -> Result<(), CorpusError> {
    let path = corpus.golden(FILE);
    let mut groups: BTreeMap<Key, Vec<Vector>> = BTreeMap::new();
    for document in read_documents(&path)? {
        let refuse = |error| CorpusError::Form { place: document.place.clone(), error };
        let rows = document.value.get("vectors").and_then(Value::as_array);
        let rows = rows.ok_or_else(|| {
            refuse(wrong("vectors".to_owned(), "nothing".to_owned(), "an array of vectors"))
        })?;
        for (number, row) in rows.iter().enumerate() {
            let (key, vector) = read_vector(&format!("vectors[{number}]"), row).map_err(refuse)?;
            groups.entry(key).or_default().push(vector);
        }
    }
    for ((from, to, op), vectors) in groups {
        // The keys were made from members of the enums.
        let (Some(from), Some(to), Some(op)) =
            (Dtype::from_wire(from), Dtype::from_wire(to), AluOp::from_wire(op))
        else {
            continue;
        };
        directed.cases.push(conversion_case(from, to, op, vectors));
    }
    Ok(())
}

fn wrong(path: String, found: String, expected: &str) -> JsonError {
    JsonError::Field { path, found, expected: expected.to_owned() }
}

fn read_vector(path: &str, row: &Value) -> Result<(Key, Vector), JsonError> {
    let text = |key: &str| {
        row.get(key)
            .and_then(Value::as_str)
            .ok_or_else(|| wrong(format!("{path}.{key}"), "nothing".to_owned(), "a string"))
    };
    let dtype = |key: &str| {
        let name = text(key)?;
        let name = if name == "BF16" { "BFLOAT16" } else { name };
        Dtype::from_name(name)
            .ok_or_else(|| wrong(format!("{path}.{key}"), format!("`{name}`"), "a dtype"))
    };
    let code = |key: &str| {
        let digits = text(key)?;
        digits
            .strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .ok_or_else(|| wrong(format!("{path}.{key}"), format!("`{digits}`"), "0x and hex"))
    };
    let op = match text("kind")? {
        // Bypass computes in FP32, AddInt in integers (spec 03 section 3.2).
        "load" | "store" => AluOp::Bypass,
        "int_load" | "int_store" => AluOp::AddInt,
        other => {
            return Err(wrong(format!("{path}.kind"), format!("`{other}`"), "load or store"));
        }
    };
    let key = (dtype("from")?.wire(), dtype("to")?.wire(), op.wire());
    Ok((key, (text("id")?.to_owned(), code("in")?, code("out")?)))
}

fn conversion_case(from: Dtype, to: Dtype, op: AluOp, vectors: Vec<Vector>) -> DirectedCase {
    let codes: Vec<u64> = vectors.iter().map(|&(_, code, _)| code).collect();
    let (case, destination) = convert(from, to, op, &codes, Profile::default());
    let bytes = usize::from(to.storage_bytes());
    let elements = vectors
        .into_iter()
        .enumerate()
        .map(|(number, (id, _, code))| ExpectedElement {
            id,
            at: destination + number * bytes,
            bytes,
            code,
        })
        .collect();
    let name = case.id.clone();
    DirectedCase {
        group: FILE.to_owned(),
        name: format!("{FILE} {name}"),
        case: Case::Tensor(case),
        expectation: Some(Expectation::Elements(elements)),
    }
}

/// A case that converts codes one by one in one channel, and the index of the first result in the data
/// of its only region.
pub(super) fn convert(
    from: Dtype,
    to: Dtype,
    op: AluOp,
    codes: &[u64],
    profile: Profile,
) -> (TensorCase, usize) {
    let (source_bytes, target_bytes) =
        (usize::from(from.storage_bytes()), usize::from(to.storage_bytes()));
    let destination = (codes.len() * source_bytes).next_multiple_of(64);
    let mut data = vec![0; destination + codes.len() * target_bytes];
    for (number, code) in codes.iter().enumerate() {
        data[number * source_bytes..][..source_bytes]
            .copy_from_slice(&code.to_le_bytes()[..source_bytes]);
    }
    let record = scan_record(&Scan {
        opcode: OPCODE,
        op,
        from,
        to,
        channels: 1,
        run: 1,
        runs: codes.len() as u16,
        source: 0,
        destination: destination as u32,
    });
    let case = TensorCase {
        id: format!("{}-to-{}-{}", from.name(), to.name(), op.name()),
        generation: Generation::Mariana,
        profile,
        memory: vec![Region {
            space: Space::Sbuf,
            partition: 0,
            partitions: 1,
            offset: 0,
            stride: data.len() as u32,
            data,
        }],
        registers: BTreeMap::new(),
        program: vec![record],
    };
    (case, destination)
}

/// Fields of a TensorCumulative record that scans `runs` runs of `run` elements in each channel, from
/// SBUF partition 0.
pub(super) struct Scan {
    pub(super) opcode: u8,
    pub(super) op: AluOp,
    pub(super) from: Dtype,
    pub(super) to: Dtype,
    pub(super) channels: u8,
    pub(super) run: u16,
    pub(super) runs: u16,
    pub(super) source: u32,
    pub(super) destination: u32,
}

pub(super) fn scan_record(scan: &Scan) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[header::OPCODE] = scan.opcode;
    record[header::INST_WORD_LEN] = 16;
    record[s4d4_tr::IN_DTYPE] = scan.from.wire();
    record[s4d4_tr::OUT_DTYPE] = scan.to.wire();
    record[s4d4_tr::NUM_ACTIVE_CHANNELS] = scan.channels;
    record[s4d4_tr::OP] = scan.op.wire();
    record[s4d4_tr::OP_DIM] = Subdim::X.wire();
    for (at, address) in
        [(s4d4_tr::SRC_MEM_PATTERN, scan.source), (s4d4_tr::DST_MEM_PATTERN, scan.destination)]
    {
        let mut put = |offset: usize, word: u16| {
            record[at + offset..][..2].copy_from_slice(&word.to_le_bytes());
        };
        put(0, address as u16);
        put(2, (address >> 16) as u16);
        // Steps of X, Y, Z, W, then their counts; the elements lie side by side.
        for (axis, (step, count)) in
            [(1, scan.run), (scan.run, scan.runs), (1, 1), (1, 1)].into_iter().enumerate()
        {
            put(4 + 2 * axis, step);
            put(12 + 2 * axis, count);
        }
    }
    record
}
