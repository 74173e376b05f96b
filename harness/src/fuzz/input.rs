//! From the bytes of a fuzzer to a case.
//!
//! An input of a generator-driven target is either the JSON form of a case (it begins with `{`), as
//! golden vectors and regressions are kept, or a *drawn* input:
//!
//! | bytes | meaning |
//! | --- | --- |
//! | 0 | form: bits 0 and 1 the size (one step, few, ordinary, long), bit 2 draws the switches, bit 3 asks for one op |
//! | 1, 2 | the op, modulo their number, where bit 3 is set |
//! | 3 … | the decisions of the generator of campaigns ([`Draw`]) |
//!
//! Missing bytes are zeros. The header has one length whatever it says, so that a mutation of it moves
//! no decision. `descriptor_verdict` takes the 64 bytes of a record and one byte for the generation.

use super::Target;
use crate::family::{Family, Op, program_length};
use crate::generate::tensor::case_of_record;
use crate::generate::vector::chapter_04;
use crate::generate::{
    self, Draw, Generated, Generator, Intent, Options, Span, TensorOptions, VectorOptions,
};
use contract::case::{Case, RECORD, TensorCase};
use contract::isa::{Generation, Mnemonic};
use contract::json::read_case;
use std::collections::HashMap;
use thiserror::Error;

/// Bytes of the header of a drawn input.
pub const HEADER: usize = 3;

/// Bytes of an input of `descriptor_verdict`.
pub const DESCRIPTOR: usize = RECORD + 1;

/// Most bytes of a vector case's memory window, and of all regions of a tensor case. A model zeroes and
/// copies what a case declares; beyond this the engine would wait for memory, not for the models.
const MOST_MEMORY: u64 = 1 << 20;

/// Most elements × channels of one record of a case in JSON; EXEC-SIZE allows 2^20.
const MOST_WORK: u64 = 1 << 14;

/// Most steps of a case in JSON.
const MOST_STEPS: usize = 256;

/// Why an input is no case of its target.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Skip {
    /// The target takes texts, or nothing.
    #[error("inputs of this target are no cases")]
    NoCase,
    /// It begins like JSON and is none.
    #[error("the input is not UTF-8")]
    Utf8,
    /// The reader of cases refuses it.
    #[error("the reader of cases refuses the input: {0}")]
    Form(String),
    /// It is a case of another family.
    #[error("the input is a {0} case")]
    Family(&'static str),
    /// Running it would take long.
    #[error("the case is larger than a fuzz target runs: {0}")]
    Size(&'static str),
}

/// How large the cases of a drawn input are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extent {
    /// One step.
    One,
    /// Few steps.
    Few,
    /// As campaigns have them.
    Ordinary,
    /// Long programs, large operands.
    Long,
}

/// The header of a drawn input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Form {
    /// Size of the case.
    pub extent: Extent,
    /// The switches are drawn.
    pub switches: bool,
    /// The op that the case concentrates on, modulo the number of ops.
    pub op: Option<u16>,
}

impl Form {
    /// Reads the header.
    pub fn read(bytes: &[u8]) -> Self {
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        let extent = match byte(0) & 3 {
            0 => Extent::One,
            1 => Extent::Few,
            2 => Extent::Ordinary,
            _ => Extent::Long,
        };
        let op = (byte(0) & 8 != 0).then(|| u16::from_le_bytes([byte(1), byte(2)]));
        Self { extent, switches: byte(0) & 4 != 0, op }
    }

    /// The bytes of the header.
    pub fn write(self) -> [u8; HEADER] {
        let [low, high] = self.op.unwrap_or(0).to_le_bytes();
        let flags = u8::from(self.switches) << 2 | u8::from(self.op.is_some()) << 3;
        [self.extent as u8 | flags, low, high]
    }
}

/// True if the input is the JSON form of a case.
pub fn is_json(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'{')
}

/// Makes cases out of inputs; generators are made when they are first needed, and reused.
#[derive(Debug)]
pub struct Decoder {
    generators: HashMap<(Target, Form), Generator>,
    vector_ops: Vec<Mnemonic>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { generators: HashMap::new(), vector_ops: chapter_04().collect() }
    }
}

impl Decoder {
    /// The case of an input, into a reused place.
    ///
    /// # Errors
    /// See [`Skip`]; the place then holds any case.
    pub fn decode(
        &mut self,
        target: Target,
        bytes: &[u8],
        out: &mut Generated,
    ) -> Result<(), Skip> {
        match target.generator() {
            Some(family) if is_json(bytes) => {
                out.case = case_in_json(family, bytes)?;
                out.intent = Intent::Valid;
                Ok(())
            }
            Some(family) => {
                self.drawn(target, family, bytes, out);
                Ok(())
            }
            None if target == Target::DescriptorVerdict => {
                let (generation, record) = descriptor(bytes);
                out.case = Case::Tensor(case_of_record(generation, &record));
                out.intent = Intent::Bits { step: 0, flipped: 0 };
                Ok(())
            }
            None => Err(Skip::NoCase),
        }
    }

    /// The case of a drawn input; gives the number of bytes that were left.
    pub fn drawn(
        &mut self,
        target: Target,
        family: generate::Family,
        bytes: &[u8],
        out: &mut Generated,
    ) -> usize {
        let mut form = Form::read(bytes);
        form.op = form.op.map(|op| op % self.ops(family).max(1));
        let Self { generators, vector_ops } = self;
        let generator = generators
            .entry((target, form))
            .or_insert_with(|| Generator::new(options(target, form, vector_ops)));
        let mut draw = Draw::new(bytes.get(HEADER..).unwrap_or_default());
        generator.drawn(family, &mut draw, out);
        set_id(&mut out.case, target.name());
        draw.left()
    }

    /// Number of ops that the header can ask for.
    pub fn ops(&self, family: generate::Family) -> u16 {
        // A family has a few hundred ops at most.
        match family {
            generate::Family::Tensor => generate::tensor::OPCODES.len() as u16,
            generate::Family::Vector => self.vector_ops.len() as u16,
        }
    }
}

/// What the generator of a header is asked for.
fn options(target: Target, form: Form, vector_ops: &[Mnemonic]) -> Options {
    let mut options = Options { vary_switches: form.switches, aim: false, ..Options::default() };
    // All-ones words are a favourite of fuzzers, and would make every other case a huge one.
    options.tensor =
        TensorOptions { big_one_in: 0, huge_one_in: 0, size_one_in: 0, ..TensorOptions::DEFAULT };
    let (chain, bundles) = match form.extent {
        Extent::One => (Span::of(1, 1), Span::of(1, 1)),
        Extent::Few => (Span::of(1, 3), Span::of(1, 4)),
        Extent::Ordinary => (TensorOptions::DEFAULT.chain, VectorOptions::DEFAULT.bundles),
        Extent::Long => (Span::of(1, 6), Span::of(8, 32)),
    };
    options.tensor.chain = chain;
    options.vector.bundles = bundles;
    match form.extent {
        Extent::One => {
            options.tensor.medium_one_in = 0;
            options.tensor.work = 16;
            // Hazards, streams and chains need room; of one bundle they would leave their beginning.
            options.vector = VectorOptions {
                single: 60,
                mixed: 40,
                hazard: 0,
                stream: 0,
                chain: 0,
                ..options.vector
            };
        }
        Extent::Few => options.tensor.medium_one_in = 0,
        Extent::Ordinary => {}
        Extent::Long => {
            options.tensor.medium_one_in = 2;
            options.tensor.medium_work = 8192;
        }
    }
    if target == Target::ScheduleDiff && form.extent != Extent::One {
        options.near_valid = 0.1;
        options.vector = VectorOptions {
            single: 5,
            mixed: 30,
            hazard: 45,
            stream: 12,
            chain: 8,
            other_chapters: 50,
            ..options.vector
        };
    }
    if let Some(op) = form.op {
        options.tensor.opcodes =
            generate::tensor::OPCODES.get(usize::from(op)).copied().into_iter().collect();
        options.vector.ops = vector_ops.get(usize::from(op)).copied().into_iter().collect();
    }
    options
}

/// The case of an input in JSON, if a target of the family runs it.
fn case_in_json(family: generate::Family, bytes: &[u8]) -> Result<Case, Skip> {
    let text = std::str::from_utf8(bytes).map_err(|_| Skip::Utf8)?;
    let case = read_case(text).map_err(|error| Skip::Form(error.to_string()))?;
    if Family::of(&case) != Family::from(family) {
        return Err(Skip::Family(Family::of(&case).name()));
    }
    check_size(&case)?;
    Ok(case)
}

/// Refuses a case that would take long.
pub(super) fn check_size(case: &Case) -> Result<(), Skip> {
    if program_length(case) > MOST_STEPS {
        return Err(Skip::Size("too many steps"));
    }
    match case {
        Case::Tensor(case) => {
            let memory: u64 = case.memory.iter().map(|region| region.data.len() as u64).sum();
            if memory > MOST_MEMORY {
                return Err(Skip::Size("too much memory"));
            }
            if generate::tensor::work_of(&case.program) > MOST_WORK {
                return Err(Skip::Size("too many elements"));
            }
        }
        Case::Vector(case) => {
            if u64::from(case.memory.bytes) > MOST_MEMORY {
                return Err(Skip::Size("too large a memory window"));
            }
        }
    }
    Ok(())
}

/// Generation and record of an input of `descriptor_verdict`; missing bytes are zeros.
pub fn descriptor(bytes: &[u8]) -> (Generation, [u8; RECORD]) {
    let mut record = [0; RECORD];
    let length = bytes.len().min(RECORD);
    record[..length].copy_from_slice(&bytes[..length]);
    let number = usize::from(bytes.get(RECORD).copied().unwrap_or(0));
    (Generation::ALL[number % Generation::ALL.len()], record)
}

/// The input of `descriptor_verdict` for a step of a tensor case, if the case has nothing that such an
/// input cannot express: switches and address registers.
pub fn descriptor_of(case: &TensorCase, step: usize) -> Option<[u8; DESCRIPTOR]> {
    let number = Generation::ALL.iter().position(|&known| known == case.generation)?;
    let mut bytes = [0; DESCRIPTOR];
    bytes[..RECORD].copy_from_slice(case.program.get(step)?);
    bytes[RECORD] = number as u8;
    Some(bytes)
}

/// The ops that a header can ask for, in the order of their numbers.
pub fn ops_of(family: generate::Family) -> Vec<Op> {
    match family {
        generate::Family::Tensor => {
            generate::tensor::OPCODES.iter().map(|&opcode| Op::Tensor(opcode)).collect()
        }
        generate::Family::Vector => chapter_04().map(Op::Vector).collect(),
    }
}

fn set_id(case: &mut Case, name: &str) {
    let id = match case {
        Case::Tensor(case) => &mut case.id,
        Case::Vector(case) => &mut case.id,
    };
    id.clear();
    id.push_str(name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_reads_back_as_written() {
        for extent in [Extent::One, Extent::Few, Extent::Ordinary, Extent::Long] {
            for switches in [false, true] {
                for op in [None, Some(0), Some(369)] {
                    let form = Form { extent, switches, op };
                    assert_eq!(Form::read(&form.write()), form);
                    assert!(!is_json(&form.write()));
                }
            }
        }
    }

    #[test]
    fn a_small_form_gives_one_step_and_an_op_stands_in_its_cases() {
        let mut decoder = Decoder::default();
        let mut out = Generated::default();
        let mut met = 0;
        for number in 0..40u8 {
            let op = u16::from(number) * 9;
            let form = Form { extent: Extent::One, switches: false, op: Some(op) };
            let mut bytes = form.write().to_vec();
            bytes.extend((0..200).map(|at: u32| (at * 37 + u32::from(number) * 11) as u8));
            decoder.decode(Target::VectorDiff, &bytes, &mut out).unwrap();
            assert_eq!(program_length(&out.case), 1);
            let mut found = false;
            let wanted = ops_of(generate::Family::Vector)[usize::from(op)];
            crate::family::ops_of_step(&out.case, 0, |op| found |= op == wanted);
            met += u32::from(found);
        }
        assert!(met > 20, "{met}");
    }

    #[test]
    fn large_cases_and_cases_of_another_family_are_skipped() {
        let mut decoder = Decoder::default();
        let mut out = Generated::default();
        let mut decode = |target, text: &str| decoder.decode(target, text.as_bytes(), &mut out);
        let large = r#"{"version":1,"kind":"vector","memory":{"base":"0x0","bytes":1073741824},"program":[]}"#;
        assert_eq!(decode(Target::VectorDiff, large), Err(Skip::Size("too large a memory window")));
        assert_eq!(decode(Target::TensorDiff, large), Err(Skip::Family("vector")));
        assert!(matches!(decode(Target::TensorDiff, "{"), Err(Skip::Form(_))));
        assert_eq!(decode(Target::CaseJson, large), Err(Skip::NoCase));
    }
}
