//! The set of cases already judged, by a 128-bit digest of their canonical text: two cases that are
//! written alike are the same case.

use contract::case::Case;
use contract::json::write_case_into;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};

/// Digests of cases.
#[derive(Default)]
pub(super) struct Seen {
    digests: HashSet<u128>,
    text: String,
}

impl Seen {
    /// Adds a case; false if it was there.
    pub(super) fn insert(&mut self, case: &Case) -> bool {
        self.text.clear();
        write_case_into(&mut self.text, case);
        self.digests.insert(digest(self.text.as_bytes()))
    }
}

/// Two digests of one text under different prefixes, so that a chance collision of one (about 20,000
/// cases in 64 bits) cannot lose a reduction.
fn digest(text: &[u8]) -> u128 {
    let half = |prefix: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(prefix);
        hasher.write(text);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
