//! Interests, big cases and the checks that every result has to pass.

use contract::case::{Case, MemoryChunk, MemoryWindow, RegisterValue, TensorCase, VectorCase};
use contract::isa::Generation;
use contract::json::{read_case, write_case};
use contract::profile::Profile;
use contract::state::{Line, Region, Space};
use contract::text::parse_bundle;
use harness::minimise::{Interest, Minimised, minimise, silent, single_reductions};
use std::collections::BTreeMap;

/// An interest made of a predicate; it has one signature.
pub struct Shows<F>(pub F);

impl<F: FnMut(&Case) -> bool> Interest for Shows<F> {
    type Signature = &'static str;

    fn signature(&mut self, case: &Case) -> Option<&'static str> {
        self.0(case).then_some("synthetic")
    }
}

/// A predicate on tensor cases.
pub fn tensor_interest(
    mut predicate: impl FnMut(&TensorCase) -> bool,
) -> Shows<impl FnMut(&Case) -> bool> {
    Shows(move |case: &Case| matches!(case, Case::Tensor(case) if predicate(case)))
}

/// A predicate on vector cases.
pub fn vector_interest(
    mut predicate: impl FnMut(&VectorCase) -> bool,
) -> Shows<impl FnMut(&Case) -> bool> {
    Shows(move |case: &Case| matches!(case, Case::Vector(case) if predicate(case)))
}

/// Minimises and checks what holds of every result: it shows the signature, it is 1-minimal as the
/// neighbourhood says, it survives the JSON form, and a second run gives the same.
pub fn minimised<I: Interest>(case: &Case, interest: &mut I) -> Minimised<I::Signature>
where
    I::Signature: std::fmt::Debug,
{
    let result = minimise(case, interest, 200_000, &mut silent).expect("the case shows it");
    assert!(result.one_minimal, "{result}");
    assert!(interest.shows(&result.case, &result.signature));
    for neighbour in single_reductions(&result.case) {
        assert!(
            !interest.shows(&neighbour, &result.signature),
            "{}\nreduces to\n{}",
            write_case(&result.case),
            write_case(&neighbour)
        );
    }
    let text = write_case(&result.case);
    assert_eq!(read_case(&text).expect("a readable case"), result.case);
    let again = minimise(case, interest, 200_000, &mut silent).expect("the case shows it");
    assert!(again == result, "the second run went another way");
    result
}

/// The tensor case of a result.
pub fn tensor_of(case: &Case) -> &TensorCase {
    match case {
        Case::Tensor(case) => case,
        Case::Vector(_) => panic!("a tensor case was expected"),
    }
}

/// The vector case of a result.
pub fn vector_of(case: &Case) -> &VectorCase {
    match case {
        Case::Vector(case) => case,
        Case::Tensor(_) => panic!("a vector case was expected"),
    }
}

/// Cases of a golden file.
pub fn golden(file: &str) -> Vec<Case> {
    let path = format!("{}/../corpus/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the golden file");
    text.lines()
        .map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            contract::json::case_from_value(&row["case"]).expect("a case")
        })
        .collect()
}

/// Reproducible noise.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| (self.next() >> 32) as u8).collect()
    }
}

/// A pattern: start word, steps, counts.
pub fn pattern<const N: usize>(start: u32, steps: [i16; N], counts: [u16; N]) -> Vec<u8> {
    let mut bytes = start.to_le_bytes().to_vec();
    bytes.extend(steps.iter().flat_map(|step| step.to_le_bytes()));
    bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    bytes
}

/// What a cache record says.
pub struct Cache {
    pub opcode: u8,
    pub accumulator: u8,
    pub source: Vec<u8>,
    pub in_dtype: u8,
    pub out_dtype: u8,
    pub channels: u8,
    pub op0: u8,
    pub op1: u8,
    pub imm0: (u8, u32),
    pub imm1: u32,
    pub destination: Vec<u8>,
}

impl Cache {
    /// The record.
    pub fn record(&self) -> [u8; 64] {
        let mut record = [0; 64];
        record[..4].copy_from_slice(&[self.opcode, 16, 0, 0]);
        record[12] = self.accumulator;
        record[16..32].copy_from_slice(&self.source);
        let bytes = [self.in_dtype, self.out_dtype, self.channels, self.imm0.0, self.op0, self.op1];
        record[32..38].copy_from_slice(&bytes);
        record[40..44].copy_from_slice(&self.imm0.1.to_le_bytes());
        record[44..48].copy_from_slice(&self.imm1.to_le_bytes());
        record[48..64].copy_from_slice(&self.destination);
        record
    }
}

/// A case of four cache steps over 64 channels and 48 elements: strided sources, a PSUM destination,
/// pointer immediates, two chained steps, spare regions and registers.
pub fn big_tensor(seed: u64) -> TensorCase {
    let mut noise = Noise(seed);
    let float = |noise: &mut Noise| (0x3f00_0000u32 + (noise.next() as u32 >> 9)).to_le_bytes();
    let mut region = |space, partition, partitions: u32, offset, stride: u32| {
        let words = partitions * stride / 4;
        let data = (0..words).flat_map(|_| float(&mut noise)).collect();
        Region { space, partition, partitions, offset, stride, data }
    };
    let memory = vec![
        region(Space::Sbuf, 0, 64, 0x1000, 0x200),
        region(Space::Sbuf, 0, 64, 0x2000, 0x200),
        region(Space::Sbuf, 64, 64, 0x40, 0x100),
        region(Space::Psum, 0, 64, 0x80, 0x100),
        region(Space::Sbuf, 0, 64, 0x4000, 0x10),
    ];
    let cell = |partition: u32, offset: u32| partition * 0x4_0000 + offset;
    let step = |op1, accumulator, source, destination| Cache {
        opcode: 0xe6,
        accumulator,
        source,
        in_dtype: 0x0a,
        out_dtype: 0x0a,
        channels: 63,
        op0: 0x06,
        op1,
        imm0: (1, cell(0, 0x4004)),
        imm1: 0,
        destination,
    };
    let first = step(
        0x08,
        3,
        pattern(cell(0, 0x1000), [2, 16, 1], [8, 6, 1]),
        pattern(cell(0, 0x2000), [1, 8, 48], [8, 6, 1]),
    );
    let second = step(
        0x04,
        2,
        pattern(cell(0, 0x2000), [1, 1, 1], [48, 1, 1]),
        pattern(0x0200_0080, [1, 1, 1], [48, 1, 1]),
    );
    let third = step(
        0x08,
        2,
        pattern(0x0200_0080, [1, 1, 1], [48, 1, 1]),
        pattern(cell(64, 0x40), [1, 1, 1], [48, 1, 1]),
    );
    let fourth = step(
        0x09,
        2,
        pattern(cell(64, 0x40), [-1, 1, 1], [1, 1, 1]),
        pattern(cell(0, 0x2004), [1, 1, 1], [1, 1, 1]),
    );
    TensorCase {
        id: "big".to_owned(),
        generation: Generation::Cayman,
        profile: Profile {
            f2i_round: contract::profile::F2iRound::NearestEven,
            ..Profile::default()
        },
        memory,
        registers: BTreeMap::from([(5, 0x4004), (9, 0x1000)]),
        program: [first, second, third, fourth].iter().map(Cache::record).collect(),
    }
}

/// A vector case from the text of its bundles, with noise in many registers and two memory chunks.
pub fn big_vector(program: &[&str], seed: u64) -> VectorCase {
    let mut noise = Noise(seed);
    let mut line = |_| {
        let mut line = Box::new(Line::default());
        line.0.copy_from_slice(&noise.bytes(64));
        line
    };
    let mut state: Vec<_> = (0..24).map(|index| RegisterValue::Vec(index, line(()))).collect();
    state.extend((0..2).map(|index| RegisterValue::Valign(index, line(()))));
    state.push(RegisterValue::Vbool(2, 0x0123_4567_89ab_cdef));
    state.push(RegisterValue::Ar(3, 0x0009_0140));
    state.push(RegisterValue::Ar(4, 77));
    let chunk = |address, noise: &mut Noise| MemoryChunk { address, data: noise.bytes(96) };
    let init = vec![chunk(0x0009_0120, &mut noise), chunk(0x0009_0800, &mut noise)];
    VectorCase {
        id: "big".to_owned(),
        profile: Profile { rb_tie: contract::profile::RbTie::Union, ..Profile::default() },
        cpenable: 3,
        state,
        memory: MemoryWindow { base: 0x0009_0000, bytes: 8192, init },
        program: program.iter().map(|text| parse_bundle(text).expect("a bundle")).collect(),
    }
}
