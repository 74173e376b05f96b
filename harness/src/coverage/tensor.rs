//! Coverage of tensor records: the combinations of accepted steps.

use super::bits::Hits;
use super::group::GroupId;
use crate::generate::tensor::targets::{Cross, Fields};
use contract::case::TensorCase;
use contract::outcome::{TensorStep, TensorVerdict};

/// The cross of each covergroup.
pub(super) const CROSSES: [(GroupId, Cross); 4] = [
    (GroupId::Cached, Cross::Cached),
    (GroupId::Operators, Cross::Operators),
    (GroupId::Scan, Cross::Scan),
    (GroupId::Bitvec, Cross::Bitvec),
];

/// Sets the bins that the accepted steps of a program hit.
pub(super) fn collect(case: &TensorCase, steps: &[TensorStep], hits: &mut Hits) {
    for (record, step) in case.program.iter().zip(steps) {
        if step.verdict != TensorVerdict::Accept {
            continue;
        }
        let Some(fields) = Fields::of(record) else { continue };
        for (group, cross) in CROSSES {
            if let Some(bin) = cross.number(case.generation, record[0], &fields) {
                hits.set(group, bin);
            }
        }
    }
}
