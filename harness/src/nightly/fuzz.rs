//! Saved inputs of fuzz targets, `corpus/fuzz/<target>/*`: each file is an input as
//! [`crate::fuzz`] reads it. Files of a target without models are counted as skipped, with the reason.

use crate::corpus::CorpusError;
use crate::fuzz::{Decoder, Target};
use crate::generate::Generated;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One saved input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuzzInput {
    /// Target and file, as `tensor_diff/3f2a`.
    pub name: String,
    /// The target.
    pub target: Target,
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
    /// Inputs that are no cases of models, by target.
    pub skipped: Vec<SkippedTarget>,
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
        let mut decoder = Decoder::default();
        let mut sample = Generated::default();
        for target in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            let name = name_of(&target);
            let files: Vec<PathBuf> =
                entries(&target)?.into_iter().filter(|path| path.is_file()).collect();
            let known = Target::from_name(&name);
            let Some(target) = known.filter(|target| target.has_models()) else {
                let reason = match known {
                    Some(_) => format!("no model runs in target `{name}`"),
                    None => format!("no fuzz target is called `{name}`"),
                };
                let files = files.len() as u64;
                corpora.skipped.push(SkippedTarget { target: name, files, reason });
                continue;
            };
            for file in files {
                let bytes = std::fs::read(&file)
                    .map_err(|source| CorpusError::Read { path: file.clone(), source })?;
                if let Err(skip) = decoder.decode(target, &bytes, &mut sample) {
                    corpora.skip(&name, skip.to_string());
                    continue;
                }
                let name = format!("{name}/{}", name_of(&file));
                corpora.inputs.push(FuzzInput { name, target, bytes });
            }
        }
        Ok(corpora)
    }

    fn skip(&mut self, target: &str, reason: String) {
        let same = |row: &&mut SkippedTarget| row.target == target && row.reason == reason;
        match self.skipped.iter_mut().find(same) {
            Some(row) => row.files += 1,
            None => {
                self.skipped.push(SkippedTarget { target: target.to_owned(), files: 1, reason })
            }
        }
    }
}

/// The case of a saved input, into a reused place; true for every input of [`FuzzCorpora`].
pub fn decode(decoder: &mut Decoder, input: &FuzzInput, out: &mut Generated) -> bool {
    decoder.decode(input.target, &input.bytes, out).is_ok()
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
