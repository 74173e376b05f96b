//! Known differences, `corpus/known.toml`: buckets that are accepted for a reason, by a person, until a
//! day. A known bucket does not fail a run, and is listed wherever the run is. An entry that is past its
//! day, or that meets no bucket any more, fails the nightly run: the list cannot rot.

use crate::corpus::{CorpusError, read_text};
use chrono::NaiveDate;
use globset::{Glob, GlobMatcher};
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use thiserror::Error;
use toml::{Spanned, Value};

/// Why the list was refused.
#[derive(Debug, Error)]
pub enum KnownError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] CorpusError),
    /// The file does not hold what it should.
    #[error("{file}:{line}: {what}")]
    Form {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

/// One accepted pattern of buckets.
#[derive(Debug, Clone)]
pub struct KnownEntry {
    /// Line of the pattern in the file, from 1.
    pub line: usize,
    /// Glob over bucket names.
    pub pattern: String,
    /// Why the difference is accepted.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The last day on which it is accepted.
    pub expires: NaiveDate,
    matcher: GlobMatcher,
}

impl KnownEntry {
    /// True if the bucket is meant.
    pub fn meets(&self, bucket: &str) -> bool {
        self.matcher.is_match(bucket)
    }
}

/// What is wrong with an entry, seen from one night.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// Its day is over.
    Expired,
    /// No bucket met it.
    NeverMet,
}

/// The accepted patterns, in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct KnownList {
    /// The file, as messages name it.
    pub file: String,
    /// The entries.
    pub entries: Vec<KnownEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    #[serde(default)]
    known: Vec<EntryForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryForm {
    bucket: Spanned<String>,
    reason: Spanned<String>,
    owner: Spanned<String>,
    expires: Spanned<Value>,
}

/// A wrong byte range of the file, and what is wrong with it.
type Wrong = (Range<usize>, String);

impl KnownList {
    /// Reads the list; a file that does not exist is an empty list.
    ///
    /// # Errors
    /// See [`KnownError`].
    pub fn load(path: &Path) -> Result<Self, KnownError> {
        let file = path.display().to_string();
        if !path.exists() {
            return Ok(Self { file, entries: Vec::new() });
        }
        Self::parse(&file, &read_text(path)?)
    }

    /// Reads the text of a list.
    ///
    /// # Errors
    /// [`KnownError::Form`].
    pub fn parse(file: &str, text: &str) -> Result<Self, KnownError> {
        let refuse = |(span, what): Wrong| {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            KnownError::Form { file: file.to_owned(), line, what }
        };
        let form: FileForm = toml::from_str(text).map_err(|error| {
            let what = error.message().trim().replace('\n', "; ");
            refuse((error.span().unwrap_or(0..0), what))
        })?;
        let mut entries = Vec::new();
        for entry in form.known {
            let start = entry.bucket.span().start;
            let line = text.get(..start).unwrap_or(text).matches('\n').count() + 1;
            entries.push(read_entry(entry, line).map_err(refuse)?);
        }
        Ok(Self { file: file.to_owned(), entries })
    }

    /// The first entry that means the bucket.
    pub fn find(&self, bucket: &str) -> Option<&KnownEntry> {
        self.entries.iter().find(|entry| entry.meets(bucket))
    }

    /// Entries that are past their day or met none of the buckets, in the order of the file.
    pub fn stale<'a>(
        &'a self,
        buckets: &[String],
        today: NaiveDate,
    ) -> impl Iterator<Item = (&'a KnownEntry, Stale)> {
        self.entries.iter().filter_map(move |entry| {
            let met = buckets.iter().any(|bucket| entry.meets(bucket));
            match (today > entry.expires, met) {
                (true, _) => Some((entry, Stale::Expired)),
                (false, false) => Some((entry, Stale::NeverMet)),
                (false, true) => None,
            }
        })
    }
}

fn read_entry(form: EntryForm, line: usize) -> Result<KnownEntry, Wrong> {
    let EntryForm { bucket, reason, owner, expires } = form;
    let text = |key: &str, text: Spanned<String>| {
        let span = text.span();
        let text = text.into_inner();
        if text.trim().is_empty() { Err((span, format!("`{key}` is empty"))) } else { Ok(text) }
    };
    let span = bucket.span();
    let pattern = text("bucket", bucket)?;
    let matcher = Glob::new(&pattern)
        .map_err(|error| (span, format!("`{pattern}` is no glob: {}", error.kind())))?
        .compile_matcher();
    let date = match expires.get_ref() {
        Value::Datetime(date) => date.to_string(),
        Value::String(date) => date.clone(),
        other => other.to_string(),
    };
    let expires = NaiveDate::parse_from_str(&date, "%Y-%m-%d")
        .map_err(|_| (expires.span(), format!("`expires` is `{date}`, not a day as 2027-01-31")))?;
    let (reason, owner) = (text("reason", reason)?, text("owner", owner)?);
    Ok(KnownEntry { line, pattern, reason, owner, expires, matcher })
}

/// Today's date in UTC.
pub fn today() -> NaiveDate {
    chrono::Utc::now().date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#"# Two entries.
[[known]]
bucket = "value-TensorScalarCacheReduce-*"
reason = "the vendor's parts differ"
owner = "jo"
expires = 2027-01-31

[[known]]
owner = "jo"
bucket = "schedule-*-ISSUE"
reason = "under discussion"
expires = "2026-06-30"
"#;

    fn day(text: &str) -> NaiveDate {
        NaiveDate::parse_from_str(text, "%Y-%m-%d").unwrap()
    }

    #[test]
    fn meets_buckets_by_glob_and_knows_its_lines() {
        let list = KnownList::parse("known.toml", TWO).unwrap();
        let lines: Vec<usize> = list.entries.iter().map(|entry| entry.line).collect();
        assert_eq!(lines, [3, 10]);
        let found = list.find("value-TensorScalarCacheReduce-memory").unwrap();
        assert_eq!((found.line, found.owner.as_str()), (3, "jo"));
        assert!(list.find("value-TensorScalarCacheCumulative-memory").is_none());
        assert_eq!(list.find("schedule-LAV_XP-ISSUE").unwrap().expires, day("2026-06-30"));
    }

    #[test]
    fn an_entry_is_stale_after_its_day_or_when_nothing_meets_it() {
        let list = KnownList::parse("known.toml", TWO).unwrap();
        let stale = |buckets: &[&str], today: &str| {
            let buckets: Vec<String> = buckets.iter().map(|&bucket| bucket.to_owned()).collect();
            list.stale(&buckets, day(today))
                .map(|(entry, stale)| (entry.line, stale))
                .collect::<Vec<_>>()
        };
        let both = ["value-TensorScalarCacheReduce-seeded", "schedule-MOVVA-ISSUE"];
        assert_eq!(stale(&both, "2026-06-30"), []);
        assert_eq!(stale(&both, "2026-07-01"), [(10, Stale::Expired)]);
        assert_eq!(stale(&both[..1], "2026-01-01"), [(10, Stale::NeverMet)]);
        assert_eq!(stale(&[], "2030-01-01"), [(3, Stale::Expired), (10, Stale::Expired)]);
    }

    #[test]
    fn a_bad_file_is_refused_with_its_line() {
        let rows = [
            (TWO.replace("\"jo\"\nexpires = 2027-01-31", "\"jo\""), "known.toml:2:", "expires"),
            (TWO.replace("2027-01-31", "2027-02-31"), "known.toml:6:", "out of range"),
            (TWO.replace("2026-06-30", "2026-06-31"), "known.toml:12:", "not a day"),
            (TWO.replace("2027-01-31", "2027-01-31T10:00:00"), "known.toml:6:", "not a day"),
            (TWO.replace("2027-01-31", "7"), "known.toml:6:", "not a day"),
            (TWO.replace("2026-06-30", "soon"), "known.toml:12:", "soon"),
            (TWO.replace("schedule-*-ISSUE", "schedule-[-ISSUE"), "known.toml:10:", "no glob"),
            (TWO.replace("schedule-*-ISSUE", " "), "known.toml:10:", "`bucket` is empty"),
            (TWO.replace("reason = \"under", "cause = \"under"), "known.toml:11:", "cause"),
            (TWO.replace("owner = \"jo\"\nexpires", "owner = jo\nexpires"), "known.toml:5:", ""),
            (TWO.replace("[[known]]\nowner", "[[knwon]]\nowner"), "known.toml:8:", "knwon"),
        ];
        for (text, place, about) in rows {
            assert_ne!(text, TWO);
            let error = KnownList::parse("known.toml", &text).unwrap_err().to_string();
            assert!(error.starts_with(place) && error.contains(about), "{error}");
        }
    }

    #[test]
    fn no_file_is_an_empty_list() {
        let list = KnownList::load(Path::new("/no/such/known.toml")).unwrap();
        assert!(list.entries.is_empty());
    }
}
