//! What a campaign counts. Tallies of chunks are merged in index order, so the sum is the same at any
//! number of threads.

use crate::compare::{Aspect, Compared, Ignored};
use crate::coverage::Hits;
use crate::family::{Family, Op};
use crate::generate::CaseSeed;
use crate::models::ModelFailure;
use crate::shrink::Minimal;
use crate::triage::{CaseSize, Root, Signature};
use contract::case::Case;
use contract::isa::{ClauseId, Generation, Mnemonic};
use std::collections::BTreeMap;

/// Where an examined case came from. Ordered as a campaign runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A golden vector or a regression.
    Directed {
        /// Number among the directed cases.
        number: u64,
        /// File, line and id.
        name: String,
    },
    /// A program of an op's edge product, or of its random pairs.
    Product {
        /// The op.
        op: Mnemonic,
        /// True for random pairs.
        random: bool,
        /// Number of the program.
        number: u64,
    },
    /// A generated case.
    Generated {
        /// Index in the campaign.
        index: u64,
        /// Case seed.
        seed: CaseSeed,
    },
}

impl Origin {
    /// Seed of a generated case.
    pub const fn seed(&self) -> Option<CaseSeed> {
        match self {
            Self::Directed { .. } | Self::Product { .. } => None,
            Self::Generated { seed, .. } => Some(*seed),
        }
    }
}

/// Counts of one op.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpTally {
    /// Steps in golden vectors, regressions and edge products.
    pub directed: u64,
    /// Steps in random pairs and generated cases.
    pub random: u64,
    /// Steps that the reference accepted, per generation; all of the vector family under the first.
    pub executed: [u64; Generation::ALL.len()],
    /// Cases whose first divergence of an aspect lies at a step of this op, by [`Aspect::ALL`].
    pub mismatches: [u64; Aspect::ALL.len()],
}

impl OpTally {
    /// Adds the counts of another op or chunk.
    pub fn add(&mut self, other: &Self) {
        self.directed += other.directed;
        self.random += other.random;
        for (mine, theirs) in self.executed.iter_mut().zip(other.executed) {
            *mine += theirs;
        }
        for (mine, theirs) in self.mismatches.iter_mut().zip(other.mismatches) {
            *mine += theirs;
        }
    }

    /// True if the op occurred or was blamed.
    pub fn occurred(&self) -> bool {
        *self != Self::default()
    }

    /// Steps that the reference accepted.
    pub fn executed_total(&self) -> u64 {
        self.executed.iter().sum()
    }
}

/// What was examined of an op's edge product and of its random pairs, as read back from the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProductTally {
    /// Points of the product.
    pub edges: u64,
    /// Random pairs of elements.
    pub pairs: u64,
}

/// Counts of every op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpTable {
    tensor: Vec<OpTally>,
    /// Empty until a vector op is counted.
    vector: Vec<OpTally>,
}

impl Default for OpTable {
    fn default() -> Self {
        Self { tensor: vec![OpTally::default(); 256], vector: Vec::new() }
    }
}

impl OpTable {
    /// Counts of an op.
    pub fn get(&self, op: Op) -> OpTally {
        match op {
            Op::Tensor(opcode) => self.tensor[opcode as usize],
            Op::Vector(mnemonic) => self.vector.get(mnemonic.index()).copied().unwrap_or_default(),
        }
    }

    /// Counts of an op, to be changed.
    pub fn get_mut(&mut self, op: Op) -> &mut OpTally {
        match op {
            Op::Tensor(opcode) => &mut self.tensor[opcode as usize],
            Op::Vector(mnemonic) => {
                self.vector.resize(Mnemonic::count(), OpTally::default());
                &mut self.vector[mnemonic.index()]
            }
        }
    }

    /// Ops that occurred, tensor opcodes ascending, then mnemonics in table order.
    pub fn occurred(&self) -> Vec<Op> {
        let tensor = (0..=u8::MAX).map(Op::Tensor);
        let vector = Mnemonic::all().take(self.vector.len()).map(Op::Vector);
        tensor.chain(vector).filter(|&op| self.get(op).occurred()).collect()
    }

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.tensor.iter_mut().zip(&other.tensor) {
            mine.add(theirs);
        }
        self.vector.resize(self.vector.len().max(other.vector.len()), OpTally::default());
        for (mine, theirs) in self.vector.iter_mut().zip(&other.vector) {
            mine.add(theirs);
        }
    }
}

/// Counts of one clause on one generation, from the reference's verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClauseTally {
    /// Steps in which it was the only failing clause.
    pub isolated: u64,
    /// Steps in which it failed.
    pub failed: u64,
    /// Cases that were meant to isolate it.
    pub meant: u64,
    /// Of those, cases in which it did fail alone.
    pub pure: u64,
}

impl ClauseTally {
    /// Share of the cases meant to isolate the clause that did, in percent.
    pub fn purity(&self) -> Option<f64> {
        (self.meant > 0).then(|| 100.0 * self.pure as f64 / self.meant as f64)
    }
}

/// Counts of every clause on every generation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseTable(Vec<[ClauseTally; Generation::ALL.len()]>);

impl Default for ClauseTable {
    fn default() -> Self {
        Self(vec![Default::default(); ClauseId::ALL.len()])
    }
}

impl ClauseTable {
    /// Counts of a clause on a generation.
    pub fn get(&self, clause: ClauseId, generation: Generation) -> ClauseTally {
        self.0[clause as usize][generation as usize]
    }

    /// Counts of a clause on a generation, to be changed.
    pub fn get_mut(&mut self, clause: ClauseId, generation: Generation) -> &mut ClauseTally {
        &mut self.0[clause as usize][generation as usize]
    }

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            mine.isolated += theirs.isolated;
            mine.failed += theirs.failed;
            mine.meant += theirs.meant;
            mine.pure += theirs.pure;
        }
    }
}

/// The smallest case of a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exemplar {
    /// Its size.
    pub size: CaseSize,
    /// Where it came from.
    pub origin: Origin,
    /// The case.
    pub case: Case,
    /// The signature of its bucket.
    pub signature: Signature,
    /// Step that made the difference, if it was found.
    pub step: Option<usize>,
}

/// All divergences of one signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    /// Cases.
    pub count: u64,
    /// The smallest one; of equal ones the first.
    pub best: Exemplar,
    /// What the minimiser made of it, if it was asked.
    pub minimal: Option<Box<Minimal>>,
}

/// A case on which a model gave no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCase {
    /// Where the case came from.
    pub origin: Origin,
    /// Its family.
    pub family: Family,
    /// The failure.
    pub failure: ModelFailure,
}

/// Everything that a campaign counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Generated cases that were examined.
    pub cases: u64,
    /// Cases examined per family, directed ones included.
    pub family_cases: BTreeMap<Family, u64>,
    /// Values, verdicts and postings.
    pub compared: Compared,
    /// What was ignored.
    pub ignored: Ignored,
    /// Per op.
    pub ops: OpTable,
    /// Per clause and generation.
    pub clauses: ClauseTable,
    /// Cases with at least one divergence.
    pub diverging_cases: u64,
    /// Buckets, at most [`Tally::MOST_BUCKETS`]: those with the smallest signatures, so that which ones
    /// are kept does not depend on the order of the cases.
    pub buckets: BTreeMap<Signature, Bucket>,
    /// Divergences whose bucket found no room.
    pub unbucketed: u64,
    /// Cases on which a model failed; the first [`Tally::MOST_FAILURES`].
    pub failures: Vec<FailedCase>,
    /// Number of all such cases.
    pub failure_count: u64,
    /// Cases that both models say write outside their memory; the first few.
    pub outside: Vec<Origin>,
    /// Bins of the covergroups.
    pub hits: Hits,
    /// What ran of the edge products, by op.
    pub products: BTreeMap<Mnemonic, ProductTally>,
}

impl Tally {
    /// Buckets that are kept with a case.
    pub const MOST_BUCKETS: usize = 512;
    /// Failed cases that are kept.
    pub const MOST_FAILURES: usize = 16;

    /// Adds the tally of another chunk or shard. The sum does not depend on the order.
    pub fn add(&mut self, other: Self) {
        self.cases += other.cases;
        for (family, cases) in other.family_cases {
            *self.family_cases.entry(family).or_default() += cases;
        }
        self.compared.add(other.compared);
        self.ignored.add(other.ignored);
        self.ops.add(&other.ops);
        self.clauses.add(&other.clauses);
        self.diverging_cases += other.diverging_cases;
        for (signature, bucket) in other.buckets {
            self.add_bucket(signature, bucket);
        }
        self.unbucketed += other.unbucketed;
        self.failure_count += other.failure_count;
        self.failures.extend(other.failures);
        self.failures.sort_by(|one, other| one.origin.cmp(&other.origin));
        self.failures.truncate(Self::MOST_FAILURES);
        self.outside.extend(other.outside);
        self.outside.sort();
        self.outside.truncate(Self::MOST_FAILURES);
        self.hits.add(&other.hits);
        for (op, product) in other.products {
            let mine = self.products.entry(op).or_default();
            mine.edges += product.edges;
            mine.pairs += product.pairs;
        }
    }

    /// True if a bucket with this signature is kept: there is room, or a larger one has to go.
    fn admits(&self, signature: &Signature) -> bool {
        self.buckets.len() < Self::MOST_BUCKETS
            || self.buckets.last_key_value().is_some_and(|(last, _)| signature <= last)
    }

    /// Takes a new bucket in; the one with the largest signature makes room.
    fn insert(&mut self, signature: Signature, bucket: Bucket) {
        self.buckets.insert(signature, bucket);
        if self.buckets.len() > Self::MOST_BUCKETS
            && let Some((_, last)) = self.buckets.pop_last()
        {
            self.unbucketed += last.count;
        }
    }

    fn add_bucket(&mut self, signature: Signature, bucket: Bucket) {
        let admitted = self.admits(&signature);
        match self.buckets.get_mut(&signature) {
            Some(mine) => {
                mine.count += bucket.count;
                let key = |exemplar: &Exemplar| (exemplar.size, exemplar.origin.clone());
                if key(&bucket.best) < key(&mine.best) {
                    mine.best = bucket.best;
                    mine.minimal = bucket.minimal;
                }
            }
            None if admitted => self.insert(signature, bucket),
            None => self.unbucketed += bucket.count,
        }
    }

    /// Counts a root; the case is cloned only if it is the smallest of its bucket.
    pub fn count_root(&mut self, root: Root, case: &Case, origin: &Origin) {
        let size = CaseSize::of(case);
        let exemplar = |Root { signature, step, .. }| Exemplar {
            size,
            origin: origin.clone(),
            case: case.clone(),
            signature,
            step,
        };
        let admitted = self.admits(&root.signature);
        match self.buckets.get_mut(&root.signature) {
            Some(bucket) => {
                bucket.count += 1;
                if (size, origin) < (bucket.best.size, &bucket.best.origin) {
                    bucket.best = exemplar(root);
                    bucket.minimal = None;
                }
            }
            None if admitted => {
                let signature = root.signature.clone();
                self.insert(signature, Bucket { count: 1, best: exemplar(root), minimal: None });
            }
            None => self.unbucketed += 1,
        }
    }

    /// Counts a case on which a model failed.
    pub fn count_failure(&mut self, failed: FailedCase) {
        self.failure_count += 1;
        if self.failures.len() < Self::MOST_FAILURES {
            self.failures.push(failed);
        }
    }

    /// Divergences over all buckets.
    pub fn divergence_count(&self) -> u64 {
        self.buckets.values().map(|bucket| bucket.count).sum::<u64>() + self.unbucketed
    }
}
