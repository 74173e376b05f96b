//! Stall causes in the order of spec 05 section 3.4, each listed once.

use contract::schedule::Cause;
use std::cmp::Ordering;

/// RAW before WAW, then class, index, producer bundle and slot, consumer slot, producer LAT, consumer
/// LAT. The ninth field follows from the LATs, so causes that compare equal are equal.
fn order(a: &Cause, b: &Cause) -> Ordering {
    let key = |cause: &Cause| {
        (
            cause.hazard,
            cause.class,
            cause.index,
            cause.producer_bundle,
            cause.producer_slot,
            cause.consumer_slot,
            cause.producer_lat,
            cause.consumer_lat,
        )
    };
    key(a).cmp(&key(b))
}

/// Puts a cause into its place among those from `first` on, unless it is there already. A bundle has
/// few causes, and most arrive in order.
pub(super) fn insert(causes: &mut Vec<Cause>, first: usize, cause: Cause) {
    let mut place = causes.len();
    while place > first {
        match order(&causes[place - 1], &cause) {
            Ordering::Less => break,
            Ordering::Equal => return,
            Ordering::Greater => place -= 1,
        }
    }
    causes.insert(place, cause);
}
