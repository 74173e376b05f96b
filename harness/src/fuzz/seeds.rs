//! First inputs of the targets: golden vectors, worked cases and regressions where an input can hold
//! them, then drawn inputs, each cut off behind the last decision that its case reads. `cargo fuzz cmin`
//! keeps those that add coverage.

use super::input::{DESCRIPTOR, Decoder, Extent, Form, HEADER, descriptor_of};
use super::{Target, input};
use crate::corpus::{Corpus, CorpusError};
use crate::family::Family;
use crate::generate::{CaseSeed, EXPANDED, Generated, expand};
use crate::golden::{self, DirectedCase};
use contract::case::Case;
use contract::isa::{Generation, Mnemonic};
use contract::json::write_case;
use contract::profile::Profile;
use contract::text::write_bundle;
use std::collections::{BTreeMap, BTreeSet};

/// Name of an input's file: the hash of its bytes, as the engine names files.
pub fn name_of(bytes: &[u8]) -> String {
    sha1_smol::Sha1::from(bytes).digest().to_string()
}

/// Seeds of a target by file name.
pub type Seeds = BTreeMap<String, Vec<u8>>;

/// The seeds of a target: everything golden, and `cases` drawn inputs of a seed.
///
/// # Errors
/// See [`CorpusError`].
pub fn seeds(target: Target, corpus: &Corpus, seed: u64, cases: u64) -> Result<Seeds, CorpusError> {
    let mut seeds = Seeds::new();
    let mut add = |bytes: Vec<u8>| {
        seeds.insert(name_of(&bytes), bytes);
    };
    let directed = golden::load(corpus, &every_op())?.cases;
    let cases_of = |family: Family| {
        directed.iter().filter(move |directed| Family::of(&directed.case) == family)
    };
    match target {
        Target::TensorDiff => {
            cases_of(Family::Tensor).filter_map(runnable).for_each(&mut add);
            drawn(target, seed, cases).for_each(&mut add);
        }
        Target::VectorDiff | Target::ScheduleDiff => {
            cases_of(Family::Vector).filter_map(runnable).for_each(&mut add);
            drawn(target, seed, cases).for_each(&mut add);
        }
        Target::DescriptorVerdict => {
            let mut records = BTreeSet::new();
            for directed in cases_of(Family::Tensor) {
                records.extend(records_of(&directed.case));
            }
            let mut decoder = Decoder::default();
            let mut sample = Generated::default();
            for input in drawn(Target::TensorDiff, seed, cases) {
                if decoder.decode(Target::TensorDiff, &input, &mut sample).is_ok() {
                    records.extend(records_of(&sample.case));
                }
            }
            records.into_iter().map(Vec::from).for_each(add);
        }
        Target::CaseJson => {
            for directed in &directed {
                add(write_case(&directed.case).into_bytes());
            }
        }
        Target::BundleText => {
            for directed in cases_of(Family::Vector) {
                if let Case::Vector(case) = &directed.case {
                    let mut text = String::new();
                    for bundle in &case.program {
                        // Writing to a string cannot fail.
                        let _ = write_bundle(&mut text, bundle);
                        text.push('\n');
                    }
                    add(text.into_bytes());
                }
            }
        }
        Target::Empty => {}
    }
    Ok(seeds)
}

/// Every op, so that every golden vector concerns one.
fn every_op() -> Vec<crate::family::Op> {
    [Family::Tensor, Family::Vector].into_iter().flat_map(crate::family::Op::enabled).collect()
}

/// A case in JSON, if a target runs it.
fn runnable(directed: &DirectedCase) -> Option<Vec<u8>> {
    input::check_size(&directed.case).ok()?;
    Some(write_case(&directed.case).into_bytes())
}

/// The steps of a tensor case as inputs of `descriptor_verdict`.
fn records_of(case: &Case) -> Vec<[u8; DESCRIPTOR]> {
    match case {
        Case::Tensor(case) => {
            (0..case.program.len()).filter_map(|step| descriptor_of(case, step)).collect()
        }
        Case::Vector(_) => Vec::new(),
    }
}

/// Drawn inputs: every size, every op in turn, every third with drawn switches.
fn drawn(target: Target, seed: u64, cases: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut decoder = Decoder::default();
    let mut sample = Generated::default();
    let mut random = Vec::new();
    (0..cases).filter_map(move |number| {
        let family = target.generator()?;
        let ops = u64::from(decoder.ops(family));
        let extent = match number % 8 {
            0..=3 => Extent::One,
            4 | 5 => Extent::Few,
            6 => Extent::Ordinary,
            _ => Extent::Long,
        };
        let form = Form {
            extent,
            switches: number % 3 == 0,
            // Half of them concentrate on an op; the step is odd, so every op meets every size.
            op: (number % 2 == 0).then(|| (number / 2 % ops) as u16),
        };
        expand(CaseSeed::of(seed, number), &mut random);
        let mut bytes = form.write().to_vec();
        bytes.extend_from_slice(&random[..EXPANDED]);
        let left = decoder.drawn(target, family, &bytes, &mut sample);
        bytes.truncate((bytes.len() - left).max(HEADER));
        Some(bytes)
    })
}

/// A dictionary of a text target, in the engine's form; `None` for the other targets.
pub fn dictionary(target: Target) -> Option<String> {
    let words: Vec<String> = match target {
        Target::CaseJson => case_words(),
        Target::BundleText => bundle_words(),
        _ => return None,
    };
    let mut text =
        format!("# Words of {}, written by `q7diff generate --format fuzz`.\n", target.name());
    for word in words {
        let word = word.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\x0a");
        text.push_str(&format!("\"{word}\"\n"));
    }
    Some(text)
}

fn case_words() -> Vec<String> {
    let keys = [
        "version",
        "kind",
        "id",
        "generation",
        "profile",
        "preset",
        "memory",
        "space",
        "partition",
        "partitions",
        "offset",
        "stride",
        "data",
        "registers",
        "program",
        "cpenable",
        "state",
        "base",
        "bytes",
        "init",
        "address",
    ];
    let values = ["tensor", "vector", "sbuf", "psum", "0x", "0x00080000", "00", "ff", "F0 { }"];
    let state = ["a0", "v0", "vb0", "u0", "wv0", "pr0", "gr0", "fs0", "fcr", "fsr"];
    let mut words: Vec<String> = keys.iter().map(|key| format!("\"{key}\":")).collect();
    words.extend(values.iter().chain(&state).map(|word| format!("\"{word}\"")));
    words.extend(Generation::ALL.iter().map(|generation| format!("\"{}\"", generation.name())));
    words.extend(Profile::PRESETS.iter().map(|name| format!("\"{name}\"")));
    words.extend(Profile::SWITCHES.iter().map(|key| format!("\"{key}\":")));
    words.extend(["{", "}", "[", "]", ",", "null", "1e9", "-1", "\\u0000"].map(str::to_owned));
    words
}

fn bundle_words() -> Vec<String> {
    let mut words: Vec<String> =
        contract::isa::Format::ALL.iter().map(|format| format.name().to_owned()).collect();
    words.extend((0..8).map(|slot| format!("S{slot} ")));
    words.extend(contract::isa::RegClass::ALL.iter().map(|class| format!("{}1", class.prefix())));
    words.extend(["{ ", " }", " ; ", ", ", "#", "\n", "0x7f", "-64"].map(str::to_owned));
    words.extend(Mnemonic::all().map(|mnemonic| mnemonic.name().to_owned()));
    words
}
