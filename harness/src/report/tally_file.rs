//! `tally.json`: everything that a run counted, exactly. The summary says what people and scripts need;
//! this file is what `merge` adds up, so that the sum of shards is the summary of the whole run, byte
//! for byte.

use super::files::{WriteError, write_file};
use super::json;
use crate::campaign::{Tally, TallyRecord};
use crate::golden::{GoldenTally, Skipped};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Name of the file in a report.
pub const TALLY_FILE: &str = "tally.json";

/// The whole of `tally.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyFile {
    /// 1.
    pub version: u32,
    /// Counts and buckets.
    pub tally: TallyRecord,
    /// Golden vectors and regressions.
    pub golden: GoldenTally,
    /// Golden vectors that could not be checked.
    pub skipped: Vec<Skipped>,
}

impl TallyFile {
    /// Version of the form.
    pub const VERSION: u32 = 1;

    /// What a run counted.
    pub fn of(tally: &Tally, golden: &GoldenTally, skipped: &[Skipped]) -> Self {
        Self {
            version: Self::VERSION,
            tally: TallyRecord::of(tally),
            golden: golden.clone(),
            skipped: skipped.to_vec(),
        }
    }

    /// Writes the file into a report's folder.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        write_file(&folder.join(TALLY_FILE), json(self).as_bytes())
    }
}
