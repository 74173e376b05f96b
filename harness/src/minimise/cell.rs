//! Cells, the values of a case that can be simplified one by one: elements of memory, lanes of
//! registers, immediates. Both kinds of case list theirs; the pass over them is one.

use super::edit::{Edits, chunks, edit};
use super::element::{Encoding, Heaviness};
use std::rc::Rc;

/// A place in a case that holds a value.
pub(super) trait Cell<C>: Copy {
    /// Width and simple values.
    fn encoding(&self) -> Encoding;
    /// The value that the case holds there.
    fn value(&self, case: &C) -> u64;
    /// Puts another value there.
    fn set(&self, case: &mut C, value: u64);
}

/// Heaviness of all values together: how many are not zero, classes, set bits, magnitudes.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Burden(u64, u64, u64, u128);

impl Burden {
    /// Adds the value of a cell.
    pub(super) fn add<C>(&mut self, cell: impl Cell<C>, case: &C) {
        let value = cell.value(case);
        let (class, bits, magnitude): Heaviness = cell.encoding().heaviness(value);
        self.0 += u64::from(value != 0);
        self.1 += class;
        self.2 += bits;
        self.3 += u128::from(magnitude);
    }
}

/// Simplifies values: chunks of those that are not zero to zero, chunks to one, then each on its own
/// toward zero, one, minus one and few set bits.
pub(super) fn simpler_values<'a, C, V: Cell<C> + 'a>(
    case: &'a C,
    cells: impl Iterator<Item = V>,
) -> Edits<'a, C> {
    let cells: Rc<[V]> = cells.filter(|cell| cell.value(case) != 0).collect();
    let all = |simple: fn(Encoding) -> u64| {
        let cells = Rc::clone(&cells);
        chunks(cells.len()).map(move |chunk| {
            let cells = Rc::clone(&cells);
            edit(move |case: &mut C| {
                cells[chunk].iter().for_each(|cell| cell.set(case, simple(cell.encoding())));
            })
        })
    };
    let zeros = all(|_| 0);
    let ones = all(Encoding::one);
    let each = (0..cells.len()).flat_map({
        let cells = Rc::clone(&cells);
        move |index| {
            let cell = cells[index];
            let lighter: Vec<_> = cell.encoding().lighter(cell.value(case)).collect();
            lighter.into_iter().map(move |value| edit(move |case: &mut C| cell.set(case, value)))
        }
    });
    Box::new(zeros.chain(ones).chain(each))
}
