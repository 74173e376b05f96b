//! Known differences in a summary: which buckets `corpus/known.toml` accepts, and which ops differ in
//! nothing else.

use super::summary::{OTHER_MNEMONICS, OTHER_OPCODES, OpRow, Summary};
use crate::campaign::Tally;
use crate::triage::{ANY_OP, KnownList, Signature, op_family};
use contract::isa::Mnemonic;
use serde::{Deserialize, Serialize};

/// A bucket that is accepted, with the entry that accepts it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownRow {
    /// Bucket.
    pub bucket: String,
    /// Cases.
    pub count: u64,
    /// Line of the entry in `corpus/known.toml`.
    pub line: usize,
    /// Its pattern.
    pub pattern: String,
    /// Why the difference is accepted.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The last day on which it is accepted, as 2027-01-31.
    pub expires: String,
}

/// The row of the table that counts the divergences of an op: its own, else the one of all others of its
/// family. A bundle or a hazard of which no single op is guilty has none.
pub fn row_of(rows: &[OpRow], op: &str) -> Option<usize> {
    let named = |name: &str| rows.iter().position(|row| row.op == name);
    named(op).or_else(|| {
        if Mnemonic::from_name(op).is_some() {
            named(OTHER_MNEMONICS)
        } else if Signature::is_shared(op) {
            None
        } else {
            named(OTHER_OPCODES)
        }
    })
}

impl Summary {
    /// Lists the buckets that the list accepts.
    pub fn accept(&mut self, tally: &Tally, known: &KnownList) {
        let rows = self.divergences.iter().filter_map(|row| {
            let entry = known.find(&row.bucket)?;
            Some(KnownRow {
                bucket: row.bucket.clone(),
                count: row.count,
                line: entry.line,
                pattern: entry.pattern.clone(),
                reason: entry.reason.clone(),
                owner: entry.owner.clone(),
                expires: entry.expires.to_string(),
            })
        });
        let rows = rows.collect();
        self.accept_rows(tally, rows);
    }

    /// Lists these buckets as accepted.
    pub fn accept_rows(&mut self, tally: &Tally, known: Vec<KnownRow>) {
        self.known = known;
        let all_known = tally.unbucketed == 0 && self.unknown().next().is_none();
        // Per row: met by any bucket, met by one that is not accepted.
        let mut met = vec![(false, false); self.families.len()];
        for signature in tally.buckets.keys() {
            let accepted = self.is_known(&signature.bucket());
            let family = |row: &OpRow| signature.op == ANY_OP || op_family(&row.op) == signature.op;
            let named = signature.op.split('+').filter_map(|op| row_of(&self.families, op));
            let of_family = self.families.iter().enumerate().filter(|(_, row)| family(row));
            let mut rows: Vec<usize> = of_family.map(|(number, _)| number).collect();
            if rows.is_empty() {
                rows.extend(named);
            }
            for row in rows {
                met[row].0 = true;
                met[row].1 |= !accepted;
            }
        }
        for (row, (any, unknown)) in self.families.iter_mut().zip(met) {
            // A row without a bucket of its own differs because another one does.
            row.known = row.differs() && if any { !unknown } else { all_known };
        }
    }

    /// True if the bucket is accepted.
    pub fn is_known(&self, bucket: &str) -> bool {
        self.known.iter().any(|row| row.bucket == bucket)
    }

    /// Buckets that are not accepted.
    pub fn unknown(&self) -> impl Iterator<Item = &str> {
        self.divergences
            .iter()
            .map(|row| row.bucket.as_str())
            .filter(|bucket| !self.is_known(bucket))
    }
}

impl OpRow {
    /// True if some aspect differs.
    pub const fn differs(&self) -> bool {
        self.value_mismatches + self.verdict_mismatches + self.schedule_mismatches > 0
    }
}
