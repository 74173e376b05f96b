//! Small domains without gaps, model against model: every code of the 8-bit dtypes through load and
//! store to every dtype, and every pair of codes through every ALU operation that a scan takes.
//!
//! A pair `a, b` is a TensorCumulative run of length two: its second element is `st(op(ld(a), ld(b)))`
//! (spec 03 section 7.5). One record holds all 65,536 pairs, 512 in each of 128 channels. Operators that
//! the opcode does not take are judged too (both models must refuse them alike); nothing here asks
//! beforehand which those are.

use super::DirectedCase;
use super::dtype::{OPCODE, Scan, convert, scan_record};
use contract::case::{Case, TensorCase};
use contract::isa::{AluOp, Dtype, Generation, opcode};
use contract::profile::Profile;
use contract::state::{Region, Space};
use std::collections::BTreeMap;

/// Dtypes of one byte that a tensor instruction can load.
const BYTE_DTYPES: &[Dtype] =
    &[Dtype::Int8, Dtype::Uint8, Dtype::Fp8Exp3, Dtype::Fp8Exp4, Dtype::Fp8Exp5];

/// Dtypes that a tensor instruction can store.
const STORED: &[Dtype] = &[
    Dtype::Int8,
    Dtype::Uint8,
    Dtype::Int16,
    Dtype::Uint16,
    Dtype::Bfloat16,
    Dtype::Fp16,
    Dtype::Int32,
    Dtype::Uint32,
    Dtype::Fp32,
    Dtype::Fp32r,
    Dtype::Fp8Exp3,
    Dtype::Fp8Exp4,
    Dtype::Fp8Exp5,
];

/// Switches that a conversion reads (spec 03 section 2.2).
const CONVERSION_SWITCHES: &[&str] = &["f2i_round", "fp8_overflow", "fp32r_fraction"];

const CHANNELS: u8 = 128;
const PAIRS_PER_CHANNEL: u16 = 512;

/// Every exhaustive case, made one after the other.
pub fn cases() -> impl Iterator<Item = DirectedCase> {
    conversions().chain(pairs())
}

fn conversions() -> impl Iterator<Item = DirectedCase> {
    let codes: Vec<u64> = (0..256).collect();
    profiles().into_iter().flat_map(move |(setting, profile)| {
        let codes = codes.clone();
        BYTE_DTYPES.iter().flat_map(move |&from| {
            let (codes, setting) = (codes.clone(), setting.clone());
            STORED.iter().flat_map(move |&to| {
                let (codes, setting) = (codes.clone(), setting.clone());
                [AluOp::Bypass, AluOp::AddInt].into_iter().map(move |op| {
                    let (case, _) = convert(from, to, op, &codes, profile);
                    let name = format!("{} {setting}", case.id);
                    DirectedCase {
                        group: "exhaustive codes".to_owned(),
                        name,
                        case: Case::Tensor(case),
                        expectation: None,
                    }
                })
            })
        })
    })
}

/// The default profile, then every other value of one conversion switch.
fn profiles() -> Vec<(String, Profile)> {
    let mut profiles = vec![(String::new(), Profile::default())];
    for &switch in CONVERSION_SWITCHES {
        for value in Profile::values_of(switch).unwrap_or_default().into_iter().skip(1) {
            let mut profile = Profile::default();
            // Switch and value come from the profile's own table.
            if profile.set(switch, value).is_ok() {
                profiles.push((format!("{switch}={value}"), profile));
            }
        }
    }
    profiles
}

fn pairs() -> impl Iterator<Item = DirectedCase> {
    let arith = BYTE_DTYPES
        .iter()
        .flat_map(|&from| [Dtype::Fp32, from].into_iter().map(move |to| (OPCODE, from, to)));
    let bitvec = std::iter::once((opcode::TENSOR_CUMULATIVE_BITVEC, Dtype::Uint8, Dtype::Uint8));
    arith.chain(bitvec).flat_map(|(opcode, from, to)| {
        AluOp::ALL.iter().map(move |&op| pair_case(opcode, op, from, to))
    })
}

fn pair_case(opcode: u8, op: AluOp, from: Dtype, to: Dtype) -> DirectedCase {
    let source_stride = 2 * u32::from(PAIRS_PER_CHANNEL);
    let mut source = Vec::with_capacity(usize::from(CHANNELS) * source_stride as usize);
    for left in 0..=u8::MAX {
        for right in 0..=u8::MAX {
            source.extend([left, right]);
        }
    }
    let target_stride = source_stride * u32::from(to.storage_bytes());
    let region = |offset, stride: u32, data| Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: u32::from(CHANNELS),
        offset,
        stride,
        data,
    };
    let target = vec![0; usize::from(CHANNELS) * target_stride as usize];
    let case = TensorCase {
        id: format!("pairs-{opcode:#04x}-{}-{}-{}", op.name(), from.name(), to.name()),
        generation: Generation::Mariana,
        profile: Profile::default(),
        memory: vec![
            region(0, source_stride, source),
            region(source_stride, target_stride, target),
        ],
        registers: BTreeMap::new(),
        program: vec![scan_record(&Scan {
            opcode,
            op,
            from,
            to,
            channels: CHANNELS,
            run: 2,
            runs: PAIRS_PER_CHANNEL,
            source: 0,
            destination: source_stride,
        })],
    };
    DirectedCase {
        group: "exhaustive pairs".to_owned(),
        name: case.id.clone(),
        case: Case::Tensor(case),
        expectation: None,
    }
}
