//! Elements of tensor memory that differ: a run of differing bytes cut into the elements of the step that
//! wrote them, each with both codes. Shared by the text report and the page.

use super::text::address_of;
use crate::compare::{Destinations, Divergence, Element, Place};
use crate::number::{code_of, text_of};
use contract::case::{Case, TensorCase};
use contract::outcome::Outcome;
use contract::state::{Region, Space};

/// One differing element, or one byte that no accepted step wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementRow {
    /// The element; `None` where no destination covers the byte.
    pub element: Option<Element>,
    /// Memory.
    pub space: Space,
    /// Partition.
    pub partition: u32,
    /// Offset of the first byte in the partition.
    pub offset: u32,
    /// Absolute address of the first byte.
    pub address: u32,
    /// The reference's code.
    pub expected: u64,
    /// The candidate's code.
    pub actual: u64,
}

impl ElementRow {
    /// A code as hex with the number that it stands for.
    pub fn shown(&self, code: u64) -> String {
        match self.element {
            Some(element) => {
                let digits = 2 * usize::from(element.dtype.storage_bytes());
                format!("0x{code:0digits$x} ({})", text_of(element.dtype, code))
            }
            None => format!("0x{code:02x}"),
        }
    }
}

/// What is needed to cut a run of bytes into elements.
pub struct Elements<'a> {
    case: &'a TensorCase,
    expected: &'a [Region],
    actual: &'a [Region],
    destinations: Destinations,
}

impl<'a> Elements<'a> {
    /// Of a tensor case with two tensor outcomes; `None` for anything else.
    pub fn of(case: &'a Case, expected: &'a Outcome, actual: &'a Outcome) -> Option<Self> {
        let (Case::Tensor(case), Outcome::Tensor(expected), Outcome::Tensor(actual)) =
            (case, expected, actual)
        else {
            return None;
        };
        let destinations = Destinations::of(case, &expected.steps);
        let (expected, actual) = (&expected.state.regions, &actual.state.regions);
        Some(Self { case, expected, actual, destinations })
    }

    /// The elements that a run of differing bytes touches, at most `longest`. `None` if the divergence
    /// is no such run, or a region of it is missing.
    pub fn rows(&self, divergence: &Divergence, longest: usize) -> Option<Vec<ElementRow>> {
        let Place::TensorMemory { region, space, partition, offset, bytes } = divergence.place
        else {
            return None;
        };
        let (mine, theirs) = (self.expected.get(region)?, self.actual.get(region)?);
        let mut rows = Vec::new();
        let mut at = offset;
        while at < offset + bytes && rows.len() < longest {
            let element = self.destinations.element_at(space, partition, at);
            let (start, size) = match element {
                Some(element) => (element.offset, u32::from(element.dtype.storage_bytes())),
                None => (at, 1),
            };
            let code = |region: &Region| {
                region
                    .index_of(space, partition, start)
                    .and_then(|index| region.data.get(index..index + size as usize))
                    .map_or(0, code_of)
            };
            rows.push(ElementRow {
                element,
                space,
                partition,
                offset: start,
                address: address_of(self.case.generation, space, partition, start),
                expected: code(mine),
                actual: code(theirs),
            });
            at = start + size;
        }
        Some(rows)
    }
}
