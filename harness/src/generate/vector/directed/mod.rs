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

use super::table::Table;
use axes::Point;
use contract::case::Case;
use contract::isa::Mnemonic;
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

/// Reads the directed programs of an op back.
pub fn coverage(op: Mnemonic) -> DirectedCoverage {
    let row = Table::get().row(op);
    let products = products::of(row);
    let (mut covered, mut total, mut programs) = (0, 0, 0);
    let required: Vec<BTreeSet<Point>> = products.iter().map(|p| p.required(row)).collect();
    let mut found: Vec<BTreeSet<Point>> = vec![BTreeSet::new(); products.len()];
    for case in directed(op) {
        programs += 1;
        let Case::Vector(case) = case else { continue };
        for (product, found) in products.iter().zip(&mut found) {
            product.observe(row, &case, found);
        }
    }
    for (required, found) in required.iter().zip(&found) {
        total += required.len() as u64;
        covered += required.intersection(found).count() as u64;
    }
    DirectedCoverage { op, edges_covered: covered, edges_total: total, programs }
}
