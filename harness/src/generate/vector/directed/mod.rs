//! Directed cases: for every op of chapter 04 the edge values of its width squared, every amount,
//! control, immediate, phase, length and count that its products name, packed into few programs; and
//! random pairs packed likewise. [`coverage`] reads the finished programs back and says which points
//! of the products they hold.
//!
//! - [`axes`], [`product`]: coordinates, and sets of points made of them.
//! - [`products`]: the products of every family.
//! - [`probe`]: one op (and what it needs around it) with values for its operands.
//! - [`pack`]: probes become programs.
//! - [`random`]: random operands.

mod axes;
mod lines;
mod pack;
mod probe;
mod product;
mod products;
mod random;

use super::table::{Row, Table};
use axes::Point;
use contract::bundle::OpWord;
use contract::case::{Case, VectorCase};
use contract::isa::Mnemonic;
use product::Product;
use std::collections::BTreeSet;

/// How much of an op's edge points its directed programs hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectedCoverage {
    /// The op.
    pub op: Mnemonic,
    /// Points that the programs hold, as read back from them.
    pub edges_covered: u64,
    /// Points of the op's products: pairs of edge values, controls, immediates, phases × lengths, and
    /// so on.
    pub edges_total: u64,
    /// Number of programs.
    pub programs: u64,
}

/// The directed programs of an op, `d-<op>-0` and so on; none for an op outside chapter 04. Switches
/// are the default ones.
pub fn directed(op: Mnemonic) -> impl Iterator<Item = Case> {
    let row = Table::get().row(op);
    pack::programs(row, 'd', products::of(row).into_iter().flat_map(|product| product.probes(row)))
}

/// Programs `r-<op>-0` and so on in which the op meets at least `pairs` pairs of random elements, as
/// many to a program as its lanes and the registers hold. The seed fixes all of them.
pub fn random_pairs(op: Mnemonic, seed: u64, pairs: u32) -> impl Iterator<Item = Case> {
    let row = Table::get().row(op);
    pack::programs(row, 'r', random::probes(row, seed, pairs))
}

/// Reads programs of an op back: which points of its products they hold, and how many random pairs.
#[derive(Debug)]
pub struct Reader {
    row: &'static Row,
    products: Vec<Product>,
    required: Vec<BTreeSet<Point>>,
    found: Vec<BTreeSet<Point>>,
    programs: u64,
    pairs: u64,
}

impl Reader {
    /// A reader that has seen nothing. Outside chapter 04 there is nothing to see.
    pub fn new(op: Mnemonic) -> Self {
        let row = Table::get().row(op);
        let products = products::of(row);
        let required = products.iter().map(|product| product.required(row)).collect();
        let found = vec![BTreeSet::new(); products.len()];
        Self { row, products, required, found, programs: 0, pairs: 0 }
    }

    /// Notes the points of a directed program.
    pub fn edges(&mut self, case: &VectorCase) {
        self.programs += 1;
        for (product, found) in self.products.iter().zip(&mut self.found) {
            product.observe(self.row, case, found);
        }
    }

    /// Notes the pairs of a random program: one per lane, or one for an op on scalars.
    pub fn pairs(&mut self, case: &VectorCase) {
        let ops = case.program.iter().flat_map(|bundle| &bundle.ops);
        let own = ops.filter(|op| op.op == OpWord::Known(self.row.mnemonic)).count() as u64;
        self.pairs += own * u64::from(random::elements(self.row));
    }

    /// Random pairs that were read.
    pub const fn pair_count(&self) -> u64 {
        self.pairs
    }

    /// The points that were read, of those that the products require.
    pub fn coverage(&self) -> DirectedCoverage {
        let both = self.required.iter().zip(&self.found);
        DirectedCoverage {
            op: self.row.mnemonic,
            edges_covered: both
                .map(|(required, found)| required.intersection(found).count() as u64)
                .sum(),
            edges_total: self.required.iter().map(|required| required.len() as u64).sum(),
            programs: self.programs,
        }
    }
}

/// Reads the directed programs of an op back.
pub fn coverage(op: Mnemonic) -> DirectedCoverage {
    let mut reader = Reader::new(op);
    for case in directed(op) {
        if let Case::Vector(case) = case {
            reader.edges(&case);
        }
    }
    reader.coverage()
}

/// Points that the products of an op require.
pub fn edge_points(op: Mnemonic) -> u64 {
    Reader::new(op).coverage().edges_total
}

/// Whether random pairs can be made: `NOP` has no operands.
pub fn has_pairs(op: Mnemonic) -> bool {
    !Table::get().row(op).operands.is_empty()
}

/// Bits of an element of the op, the width of the edge set that is squared.
pub fn width(op: Mnemonic) -> u32 {
    Table::get().row(op).lane.bits()
}
