//! The corpus folder: where it is, and what its case files hold.
//!
//! A case file is a case (`*.json`), one case per line (`*.jsonl`), or either with the case under the key
//! `case` beside other keys, as golden files and counterexamples have it.

use crate::report::files::{self, WriteError};
use contract::case::Case;
use contract::json::{JsonError, case_from_value, write_case};
use serde_json::Value;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Files of a report that hold no case.
const REPORT_FILES: &[&str] =
    &["summary.json", "timing.json", "tally.json", "news.json", "journal.jsonl"];

/// Environment variable that names the corpus folder.
pub const CORPUS_VARIABLE: &str = "Q7DIFF_CORPUS";

/// Why a file of the corpus, or a file given by a person, was refused.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// No corpus folder was found.
    #[error("no corpus folder: {tried} holds no `golden` folder")]
    NoCorpus {
        /// The place that was looked at last.
        tried: String,
    },
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// A file does not hold what it should.
    #[error("{place}: {error}")]
    Form {
        /// File, with the line where it has several documents.
        place: String,
        /// What is wrong.
        #[source]
        error: JsonError,
    },
    /// A name that is no plain file name.
    #[error("`{name}` is no name for a regression (letters, digits, `-`, `_` and `.`)")]
    Name {
        /// As given.
        name: String,
    },
    /// A file of that name is there already.
    #[error("{}: a regression of this name exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder holds no case file.
    #[error("{}: no `.json` or `.jsonl` file in this folder", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
}

impl CorpusError {
    /// Advice for a person, if there is any.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoCorpus { .. } => Some(format!(
                "run inside the repository, pass --corpus DIR, or set {CORPUS_VARIABLE}"
            )),
            Self::Form { error, .. } => error.hint(),
            Self::Exists { .. } => Some("choose another name".to_owned()),
            Self::Read { .. } | Self::Empty { .. } | Self::Name { .. } | Self::Write(_) => None,
        }
    }
}

/// The corpus folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corpus {
    root: PathBuf,
}

impl Corpus {
    /// The folder that was asked for, else the one of the environment, else `corpus/` here, else the
    /// one of the repository that this program was built from.
    ///
    /// # Errors
    /// [`CorpusError::NoCorpus`] if the folder has no `golden/` in it.
    pub fn find(asked: Option<&Path>) -> Result<Self, CorpusError> {
        let named = asked.map(Path::to_path_buf).or_else(|| {
            std::env::var_os(CORPUS_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from)
        });
        let places = match named {
            Some(named) => vec![named],
            None => vec![
                PathBuf::from("corpus"),
                PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus")),
            ],
        };
        let found = places.iter().find(|root| root.join("golden").is_dir());
        match found {
            Some(root) => Ok(Self { root: root.clone() }),
            None => Err(CorpusError::NoCorpus {
                tried: places.last().map(|root| root.display().to_string()).unwrap_or_default(),
            }),
        }
    }

    /// A place in one of its files as it is named everywhere: from the folder of the corpus on.
    pub fn place<'a>(&self, place: &'a str) -> &'a str {
        let root = self.root.display().to_string();
        place.strip_prefix(&root).map_or(place, |rest| rest.trim_start_matches('/'))
    }

    /// A file of `golden/`.
    pub fn golden(&self, name: &str) -> PathBuf {
        self.root.join("golden").join(name)
    }

    /// The files of `golden/` whose names end so, ascending.
    ///
    /// # Errors
    /// [`CorpusError::Read`]; [`CorpusError::Empty`] if there is none.
    pub fn golden_files(&self, suffix: &str) -> Result<Vec<PathBuf>, CorpusError> {
        let folder = self.root.join("golden");
        let mut files: Vec<PathBuf> = entries(&folder)?
            .into_iter()
            .filter(|path| path.to_string_lossy().ends_with(suffix))
            .collect();
        files.sort();
        if files.is_empty() { Err(CorpusError::Empty { path: folder }) } else { Ok(files) }
    }

    /// The folder of regressions.
    pub fn regressions(&self) -> PathBuf {
        self.root.join("regressions")
    }

    /// The list of known differences.
    pub fn known(&self) -> PathBuf {
        self.root.join("known.toml")
    }

    /// The folder of fuzz corpora, one folder per target.
    pub fn fuzz(&self) -> PathBuf {
        self.root.join("fuzz")
    }

    /// Adds a case to the regressions, as `regressions/<name>.json`. The file is there whole or not at
    /// all, and an existing one stays.
    ///
    /// # Errors
    /// [`CorpusError::Name`], [`CorpusError::Exists`] or [`CorpusError::Write`].
    pub fn add_regression(&self, name: &str, case: &Case) -> Result<PathBuf, CorpusError> {
        let plain =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(CorpusError::Name { name: name.to_owned() });
        }
        let path = self.regressions().join(format!("{name}.json"));
        let content = write_case(case) + "\n";
        match files::write_new_file(&path, content.as_bytes()) {
            Err(error) if error.source.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(CorpusError::Exists { path })
            }
            Err(error) => Err(CorpusError::Write(error)),
            Ok(()) => Ok(path),
        }
    }
}

/// A document of a case file.
#[derive(Debug, Clone)]
pub struct Document {
    /// File, and the line where the file has several documents.
    pub place: String,
    /// The document.
    pub value: Value,
}

impl Document {
    /// The case of the document: itself, or what stands under `case`.
    ///
    /// # Errors
    /// [`CorpusError::Form`].
    pub fn case(&self) -> Result<Case, CorpusError> {
        let value = self.value.get("case").filter(|case| case.is_object()).unwrap_or(&self.value);
        case_from_value(value)
            .map_err(|error| CorpusError::Form { place: self.place.clone(), error })
    }
}

/// Reads a text file.
///
/// # Errors
/// [`CorpusError::Read`].
pub fn read_text(path: &Path) -> Result<String, CorpusError> {
    std::fs::read_to_string(path)
        .map_err(|source| CorpusError::Read { path: path.to_path_buf(), source })
}

/// Reads the documents of a `.json` file (one) or of any other file (one a line, blank lines left out).
///
/// # Errors
/// See [`CorpusError`].
pub fn read_documents(path: &Path) -> Result<Vec<Document>, CorpusError> {
    let text = read_text(path)?;
    let parse = |place: String, text: &str| {
        serde_json::from_str(text)
            .map(|value| Document { place: place.clone(), value })
            .map_err(|error| CorpusError::Form { place, error: error.into() })
    };
    if path.extension().is_some_and(|extension| extension == "json") {
        return Ok(vec![parse(path.display().to_string(), &text)?]);
    }
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| parse(format!("{}:{}", path.display(), number + 1), line))
        .collect()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let fail = |source| CorpusError::Read { path: folder.to_path_buf(), source };
    std::fs::read_dir(folder)
        .map_err(fail)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(fail)
}

/// The case files of a folder, ascending by name, folders inside it included; a file stands for itself.
/// `minimised.json` wins over the `case.json` beside it.
///
/// # Errors
/// See [`CorpusError`].
pub fn case_files(path: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut entries = entries(path)?;
    entries.sort();
    let minimised = entries.iter().any(|entry| entry.ends_with("minimised.json"));
    let mut files = Vec::new();
    for entry in entries {
        let of_case =
            entry.extension().is_some_and(|extension| extension == "json" || extension == "jsonl");
        let report = REPORT_FILES.iter().any(|file| entry.ends_with(file));
        if entry.is_dir() {
            files.extend(case_files(&entry)?);
        } else if of_case && !report && !(minimised && entry.ends_with("case.json")) {
            files.push(entry);
        }
    }
    Ok(files)
}
