//! Saved inputs of fuzz targets, `corpus/fuzz/<target>/*`: each file is the bytes that a generator reads.
//! The target `<family>_diff` belongs to the generator of `<family>`; files of a target without
//! generator are counted as skipped, with the reason.

use crate::corpus::CorpusError;
use crate::generate::{self, Generated, Generator};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One saved input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzInput {
    /// Target and file, as `tensor_diff/3f2a`.
    pub name: String,
    /// Family of the target.
    pub family: generate::Family,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Files of a target that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedTarget {
    /// The target.
    pub target: String,
    /// Its files.
    pub files: u64,
    /// Why.
    pub reason: String,
}

/// Every saved input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FuzzCorpora {
    /// Inputs by target, then by file name.
    pub inputs: Vec<FuzzInput>,
    /// Targets without generator.
    pub skipped: Vec<SkippedTarget>,
}

/// The family that a target drives.
pub fn family_of(target: &str) -> Option<generate::Family> {
    target.strip_suffix("_diff").and_then(generate::Family::from_name)
}

impl FuzzCorpora {
    /// Reads a folder of corpora; one that does not exist holds none.
    ///
    /// # Errors
    /// [`CorpusError::Read`].
    pub fn load(folder: &Path) -> Result<Self, CorpusError> {
        let mut corpora = Self::default();
        if !folder.is_dir() {
            return Ok(corpora);
        }
        for target in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            let name = name_of(&target);
            let files: Vec<PathBuf> =
                entries(&target)?.into_iter().filter(|path| path.is_file()).collect();
            let Some(family) = family_of(&name) else {
                let reason = format!("no generator belongs to target `{name}`");
                let files = files.len() as u64;
                corpora.skipped.push(SkippedTarget { target: name, files, reason });
                continue;
            };
            for file in files {
                let bytes = std::fs::read(&file)
                    .map_err(|source| CorpusError::Read { path: file.clone(), source })?;
                let name = format!("{name}/{}", name_of(&file));
                corpora.inputs.push(FuzzInput { name, family, bytes });
            }
        }
        Ok(corpora)
    }
}

/// The case of a saved input, into a reused place.
pub fn generate(generator: &mut Generator, input: &FuzzInput, out: &mut Generated) {
    generator.from_bytes(input.family, &input.bytes, out);
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Entries of a folder by name, without hidden ones and notes to people.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let fail = |source| CorpusError::Read { path: folder.to_path_buf(), source };
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(fail)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(fail)?;
    entries.retain(|path| {
        let name = name_of(path);
        !name.starts_with('.') && name != "README.md"
    });
    entries.sort();
    Ok(entries)
}
