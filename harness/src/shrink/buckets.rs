//! The buckets of a campaign: the best case of each, minimised.

use super::{Minimal, Models, ShrinkError, shrink};
use crate::campaign::Tally;
use crate::minimise::silent;
use crate::triage::Signature;
use contract::case::Case;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Evaluations that one bucket may take; the same for every bucket, so that what comes out does not
/// depend on what else was found.
pub const BUCKET_BUDGET: usize = 2_000;

/// Buckets that are minimised, in the order of their signatures. With [`BUCKET_BUDGET`] this bounds what
/// a campaign that found hundreds of buckets spends.
pub const MOST_SHRUNK: usize = 128;

/// Minimises the best case of every bucket that has no minimised case yet, on `jobs` threads, and forgets
/// those of buckets beyond [`MOST_SHRUNK`]. The outcome depends on the tally alone. `interrupt` ends it
/// early.
///
/// Gives the buckets that could not be minimised, with the reason; they keep the case that was found.
pub fn shrink_buckets(
    tally: &mut Tally,
    models: &Models,
    jobs: usize,
    interrupt: &AtomicBool,
) -> Vec<(Signature, ShrinkError)> {
    for bucket in tally.buckets.values_mut().skip(MOST_SHRUNK) {
        bucket.minimal = None;
    }
    let work: Vec<(&Signature, &Case)> = tally
        .buckets
        .iter()
        .take(MOST_SHRUNK)
        .filter(|(_, bucket)| bucket.minimal.is_none())
        .map(|(signature, bucket)| (signature, &bucket.best.case))
        .collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            scope.spawn(|| {
                while let Some(&(signature, case)) = work.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if let Some(result) = one(case, signature, models, interrupt)
                        && let Ok(mut found) = found.lock()
                    {
                        found.insert(signature.clone(), result);
                    }
                }
            });
        }
    });
    let mut failed = Vec::new();
    for (signature, result) in found.into_inner().unwrap_or_default() {
        match result {
            Ok(minimal) => {
                if let Some(bucket) = tally.buckets.get_mut(&signature) {
                    bucket.minimal = Some(Box::new(minimal));
                }
            }
            Err(error) => failed.push((signature, error)),
        }
    }
    failed
}

/// `None` if it was interrupted: half a search would depend on the moment.
fn one(
    case: &Case,
    signature: &Signature,
    models: &Models,
    interrupt: &AtomicBool,
) -> Option<Result<Minimal, ShrinkError>> {
    let mut watch = |progress: &_| {
        if interrupt.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { silent(progress) }
    };
    let result = shrink(case, Some(signature), models, BUCKET_BUDGET, &mut watch);
    match result {
        Ok(minimal) if minimal.interrupted => None,
        result => Some(result),
    }
}
