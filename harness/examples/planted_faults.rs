//! What is left of each planted fault after a campaign with default options: the table of
//! `harness/docs/minimising.md`.
//!
//! ```text
//! cargo run --release -p harness --example planted_faults [-- --seed S --cases N --details FAULT…]
//! ```
//!
//! Each fault has a campaign of its own over its family: golden vectors, regressions, edge products, then
//! N generated cases. The last lines count buckets per fault and name those that two faults share, also
//! buckets *as found*, in which one of two faults at once would hide behind the other.

use harness::campaign::{self, Budget, CampaignResult, Plan, Shard};
use harness::compare::{Comparator, Policy};
use harness::corpus::Corpus;
use harness::family::{Family, Op};
use harness::faults::{self, FAULTS, Fault};
use harness::generate::{self, Options};
use harness::minimise::Size;
use harness::shrink::{Groups, shrink_buckets};
use harness::triage::Signature;
use harness::{golden, lane::Lane, models};

use contract::bundle::{OpWord, Operand};
use contract::case::{Case, RegisterValue, VectorCase};
use contract::isa::RegClass;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

struct Arguments {
    seed: u64,
    cases: u64,
    details: bool,
    faults: Vec<&'static Fault>,
}

fn arguments() -> Result<Arguments, Box<dyn Error>> {
    let mut read =
        Arguments { seed: 1, cases: 200_000, details: false, faults: FAULTS.iter().collect() };
    let mut named = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().ok_or(format!("{word} needs a number"));
        match word.as_str() {
            "--seed" => read.seed = number()?.parse()?,
            "--cases" => read.cases = number()?.parse()?,
            "--details" => read.details = true,
            name => named.push(faults::by_name(name)?),
        }
    }
    if !named.is_empty() {
        read.faults = named;
    }
    Ok(read)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    println!("| fault | found | before | after | lanes | evaluations | seconds | buckets |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut shown: BTreeMap<Signature, BTreeSet<&str>> = BTreeMap::new();
    let mut found: BTreeMap<Signature, BTreeSet<&str>> = BTreeMap::new();
    let (mut buckets, mut detected) = (0, 0);
    for fault in &arguments.faults {
        let row = row(fault, &arguments)?;
        buckets += row.shown.len();
        detected += usize::from(!row.shown.is_empty());
        for (all, mine) in [(&mut shown, &row.shown), (&mut found, &row.found)] {
            for signature in mine {
                all.entry(signature.clone()).or_default().insert(fault.name);
            }
        }
    }
    let faults = arguments.faults.len();
    println!("\n{detected} of {faults} faults found, {buckets} buckets");
    for (what, all) in [("bucket", shown), ("bucket as found", found)] {
        for (signature, names) in all.into_iter().filter(|(_, names)| names.len() > 1) {
            let names: Vec<&str> = names.into_iter().collect();
            println!("shared {what} `{signature}`: {}", names.join(", "));
        }
    }
    Ok(())
}

struct Row {
    found: Vec<Signature>,
    shown: Vec<Signature>,
}

/// Runs the campaign of a fault and prints its rows.
fn row(fault: &'static Fault, arguments: &Arguments) -> Result<Row, Box<dyn Error>> {
    let plan = plan(fault, arguments)?;
    let interrupt = AtomicBool::new(false);
    let begin = Instant::now();
    let mut result = campaign::run(&plan, &interrupt, |_, _| {});
    let campaign = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    for (signature, error) in
        shrink_buckets(&mut result.tally, &plan.models(), plan.jobs, &interrupt)
    {
        println!("{}: {signature} was not minimised: {error}", fault.name);
    }
    let seconds = begin.elapsed().as_secs_f64();
    print_rows(fault, &result, seconds);
    if arguments.details {
        details(&result, campaign);
    }
    let groups = Groups::of(&result.tally).apply(&result.tally);
    Ok(Row {
        found: result.tally.buckets.keys().cloned().collect(),
        shown: groups.buckets.keys().cloned().collect(),
    })
}

fn plan(fault: &'static Fault, arguments: &Arguments) -> Result<Plan, Box<dyn Error>> {
    let ops = Op::enabled(fault.family());
    let families: Vec<generate::Family> = generate::Family::ALL
        .iter()
        .copied()
        .filter(|&it| Family::from(it) == fault.family())
        .collect();
    let directed = golden::load(&Corpus::find(None)?, &ops)?.cases;
    let products = ops.iter().filter_map(|op| match op {
        Op::Vector(mnemonic) => Some(*mnemonic),
        Op::Tensor(_) => None,
    });
    Ok(Plan {
        seed: arguments.seed,
        budget: Budget { cases: Some(arguments.cases), time: None },
        shard: Shard::WHOLE,
        jobs: std::thread::available_parallelism().map_or(1, |jobs| jobs.get()),
        comparator: Comparator { policy: Policy::default() },
        reference: models::oracle(),
        candidate: faults::candidate_with(fault),
        families,
        options: Options::default(),
        directed,
        products: products.collect(),
        until: None,
    })
}

/// One row per joined bucket: the case that stands for it; evaluations of all that were joined.
fn print_rows(fault: &Fault, result: &CampaignResult, seconds: f64) {
    let joined = Groups::of(&result.tally).apply(&result.tally);
    let fine = &result.tally.buckets;
    let evaluations: usize =
        fine.values().filter_map(|it| Some(it.minimal.as_ref()?.evaluations)).sum();
    let name = fault.name;
    if joined.buckets.is_empty() {
        println!("| `{name}` | not found | | | | | | 0 |");
    }
    for (number, (signature, bucket)) in joined.buckets.iter().enumerate() {
        let Some(minimal) = &bucket.minimal else {
            println!("| `{name}` | {} | | not minimised | | | | `{signature}` |", bucket.count);
            continue;
        };
        let spent = if number == 0 {
            format!("{evaluations} for {} buckets | {seconds:.1}", fine.len())
        } else {
            "\" | \"".to_owned()
        };
        let mark = if minimal.one_minimal { "" } else { " (budget)" };
        let lanes = match &minimal.case {
            Case::Vector(case) => lanes(case).to_string(),
            Case::Tensor(_) => String::new(),
        };
        println!(
            "| `{name}` | {} | {} | {}{mark} | {lanes} | {spent} | `{signature}` |",
            bucket.count,
            short(minimal.before),
            short(minimal.after()),
        );
    }
}

fn short(size: Size) -> String {
    let Size { steps, ops, channels, elements, nonzero_bytes, .. } = size;
    if channels > 0 {
        format!("{steps} st, {channels} ch, {elements} el, {nonzero_bytes} B")
    } else {
        format!("{steps} bu, {ops} op, {nonzero_bytes} B")
    }
}

/// Lane numbers at which some vector register or align register of the case is not zero, in the lanes of
/// the widest op of the program.
fn lanes(case: &VectorCase) -> usize {
    let ops = case.program.iter().flat_map(|bundle| &bundle.ops);
    let mut numbers = BTreeSet::new();
    for value in &case.state {
        let (class, index, bytes) = match value {
            RegisterValue::Vec(index, line) => (RegClass::Vec, *index, &line.0[..]),
            RegisterValue::Valign(index, line) => (RegClass::Valign, *index, &line.0[..]),
            RegisterValue::Gvr(index, line) => (RegClass::Gvr, *index, &line.0[..]),
            RegisterValue::Wvec(index, bytes) => (RegClass::Wvec, *index, &bytes[..]),
            _ => continue,
        };
        let named = Operand::Reg(class, index.into());
        let lane = ops.clone().find_map(|op| match op.op {
            OpWord::Known(mnemonic) if op.operands.contains(&named) => Some(Lane::of(mnemonic)),
            _ => None,
        });
        let width = lane.unwrap_or(Lane::BYTES).bytes();
        let elements = bytes.chunks(width).enumerate();
        let busy = elements.filter(|(_, element)| element.iter().any(|&byte| byte != 0));
        numbers.extend(busy.map(|(lane, _)| (class == RegClass::Valign, lane)));
    }
    numbers.len()
}

/// Every bucket as it was found.
fn details(result: &CampaignResult, campaign: f64) {
    println!("  campaign {campaign:.1} s, {} cases differ", result.tally.diverging_cases);
    for (signature, bucket) in &result.tally.buckets {
        println!("  {signature} ({}, {})", bucket.count, origin(bucket));
        let Some(minimal) = &bucket.minimal else { continue };
        println!("    {} {}", minimal.signature, minimal.line());
        println!("    {}", minimal.generalisation);
        println!("    {}", contract::json::write_case(&minimal.case));
    }
}

fn origin(bucket: &campaign::Bucket) -> &'static str {
    match bucket.best.origin {
        campaign::Origin::Directed { .. } => "directed",
        campaign::Origin::Product { .. } => "product",
        campaign::Origin::Generated { .. } => "generated",
    }
}
