//! The journal of a night, `journal.jsonl`: a header with the plan, a line per session, a line per finished
//! chunk with everything that it found. It is only ever appended to, and every line is synced before the
//! chunk counts.
//!
//! A line that was being written when the program was killed has no end; it is cut off when the night is
//! resumed. Any other damage is an error with the line's number.

use super::work::Found;
use crate::campaign::TallyRecord;
use crate::golden::GoldenTally;
use crate::report::files::{WriteError, write_file};
use crate::report::json;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Name of the file in a report.
pub const JOURNAL_FILE: &str = "journal.jsonl";

/// The plan of a night, as far as it is not in the corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// 1.
    pub version: u32,
    /// Version of the program; another one may generate other cases.
    pub program: String,
    /// Seed of the night.
    pub seed: u64,
    /// When it began, in UTC, as 2027-01-31T03:00:00Z.
    pub started: String,
    /// Generated cases of each campaign.
    pub cases: Option<u64>,
    /// Seconds of the whole night.
    pub budget: Option<f64>,
    /// `--candidate`
    pub candidate: String,
    /// `--fault`
    pub fault: Option<String>,
    /// `--nan`
    pub nan: String,
    /// Fingerprint of golden vectors, regressions, fuzz inputs and generators.
    pub corpus: String,
}

/// A finished chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkLine {
    /// Its number.
    pub chunk: u64,
    /// Seconds that its thread spent on it.
    pub seconds: f64,
    /// Seconds since the session began.
    pub elapsed: f64,
    /// What it found.
    pub tally: TallyRecord,
    /// Golden vectors and regressions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub golden: Option<GoldenTally>,
}

impl ChunkLine {
    /// The line of a chunk.
    pub fn of(chunk: u64, seconds: f64, elapsed: f64, found: &Found) -> Self {
        let golden = (found.golden != GoldenTally::default()).then(|| found.golden.clone());
        Self { chunk, seconds, elapsed, tally: TallyRecord::of(&found.tally), golden }
    }
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The plan; the first line.
    Header(Header),
    /// A program begins or goes on.
    Session {
        /// When, in UTC.
        at: String,
        /// Worker threads.
        jobs: usize,
    },
    /// A finished chunk.
    Chunk(Box<ChunkLine>),
}

/// Why a journal cannot be read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// There is none.
    #[error("{}: no nightly run was begun here", folder.display())]
    None {
        /// The folder.
        folder: PathBuf,
    },
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// A line that is no line of a journal.
    #[error("{}:{line}: {what}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

/// A journal that is open for more lines.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal. The file is there with a whole header or not at all.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn create(folder: &Path, header: &Header) -> Result<Self, WriteError> {
        let path = folder.join(JOURNAL_FILE);
        write_file(&path, json(&Line::Header(header.clone())).as_bytes())?;
        Self::open(path)
    }

    fn open(path: PathBuf) -> Result<Self, WriteError> {
        let opened = OpenOptions::new().append(true).open(&path).and_then(|file| {
            file.sync_all()?;
            Ok(file)
        });
        match opened {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(WriteError { path, source }),
        }
    }

    /// Opens the journal of an unfinished night for more lines; a line without end is cut off.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn resume(folder: &Path) -> Result<Self, WriteError> {
        let path = folder.join(JOURNAL_FILE);
        let fail = |source| WriteError { path: path.clone(), source };
        let bytes = std::fs::read(&path).map_err(fail)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let journal = Self::open(path.clone())?;
        journal.file.set_len(whole as u64).map_err(fail)?;
        Ok(journal)
    }

    /// Adds a line and waits until it is on the disk.
    ///
    /// # Errors
    /// [`WriteError`], as on a full disk.
    pub fn append(&mut self, line: &Line) -> Result<(), WriteError> {
        self.file
            .write_all(json(line).as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|source| WriteError { path: self.path.clone(), source })
    }
}

/// The header of the journal in a folder.
///
/// # Errors
/// See [`JournalError`].
pub fn read_header(folder: &Path) -> Result<Header, JournalError> {
    let mut header = None;
    read(folder, |line| {
        if let Line::Header(found) = line {
            header = Some(found);
        }
        Ok(false)
    })?;
    header.ok_or_else(|| JournalError::None { folder: folder.to_path_buf() })
}

/// Hands every whole line of the journal in a folder to `take`, until it says `false`.
///
/// # Errors
/// See [`JournalError`]; what `take` refuses is an error of that line.
pub fn read(
    folder: &Path,
    mut take: impl FnMut(Line) -> Result<bool, String>,
) -> Result<(), JournalError> {
    let path = folder.join(JOURNAL_FILE);
    let file = match File::open(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(JournalError::None { folder: folder.to_path_buf() });
        }
        opened => opened.map_err(|source| JournalError::Read { path: path.clone(), source })?,
    };
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        reader
            .read_until(b'\n', &mut bytes)
            .map_err(|source| JournalError::Read { path: path.clone(), source })?;
        if bytes.last() != Some(&b'\n') {
            // Nothing more, or a line that was never finished.
            break;
        }
        let refuse = |what: String| JournalError::Form { path: path.clone(), line: number, what };
        let line: Line =
            serde_json::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
        if (number == 1) != matches!(line, Line::Header(_)) {
            return Err(refuse("a journal begins with one header".to_owned()));
        }
        if !take(line).map_err(refuse)? {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            version: 1,
            program: "0".to_owned(),
            seed: 7,
            started: "2027-01-31T03:00:00Z".to_owned(),
            cases: Some(10),
            budget: None,
            candidate: "builtin".to_owned(),
            fault: None,
            nan: "exact".to_owned(),
            corpus: "0".to_owned(),
        }
    }

    fn chunk(number: u64) -> Line {
        Line::Chunk(Box::new(ChunkLine::of(number, 0.5, 1.5, &Found::default())))
    }

    fn lines(folder: &Path) -> Result<Vec<Line>, JournalError> {
        let mut lines = Vec::new();
        read(folder, |line| {
            lines.push(line);
            Ok(true)
        })?;
        Ok(lines)
    }

    #[test]
    fn a_line_that_was_never_finished_is_cut_off_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(folder.path(), &header()).unwrap();
        journal.append(&chunk(0)).unwrap();
        journal.append(&chunk(1)).unwrap();
        let path = folder.path().join(JOURNAL_FILE);
        let whole = std::fs::read(&path).unwrap();
        let second = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        for length in second..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(lines(folder.path()).unwrap(), [Line::Header(header()), chunk(0)]);
            let mut journal = Journal::resume(folder.path()).unwrap();
            journal.append(&chunk(1)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
    }

    #[test]
    fn other_damage_is_an_error_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(folder.path(), &header()).unwrap();
        journal.append(&chunk(0)).unwrap();
        journal.append(&chunk(1)).unwrap();
        let path = folder.path().join(JOURNAL_FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("\"chunk\":0", "\"chunk\":x", 1)).unwrap();
        let error = lines(folder.path()).unwrap_err().to_string();
        assert!(error.contains("journal.jsonl:2: "), "{error}");
        std::fs::write(
            &path,
            text.lines().skip(1).fold(String::new(), |all, line| all + line + "\n"),
        )
        .unwrap();
        let error = lines(folder.path()).unwrap_err().to_string();
        assert!(error.contains("journal.jsonl:1: a journal begins with one header"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_journal() {
        let mut journal = Journal::open(PathBuf::from("/dev/full"));
        // A device has nothing to sync; the write is what must fail.
        if journal.is_err() {
            let file = OpenOptions::new().write(true).open("/dev/full").unwrap();
            journal = Ok(Journal { path: PathBuf::from("/dev/full"), file });
        }
        let error = journal.unwrap().append(&chunk(0)).unwrap_err();
        assert_eq!(error.source.kind(), std::io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("cannot write /dev/full"), "{error}");
    }
}
