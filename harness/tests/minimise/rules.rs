//! The rules of the search: budget, interruption, panics, bad input, no drift, no case twice.

use crate::support::{Noise, Shows, big_tensor, big_vector, tensor_interest, vector_interest};
use contract::case::{Case, TensorCase};
use contract::isa::{Generation, OPCODES};
use contract::json::{read_case, write_case};
use harness::minimise::{
    Finding, Interest, MinimiseError, Progress, generalise, minimise, minimise_to, silent,
};
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// An interest with two faults: `Max` in a step, `Min` in a step. A case with both shows `Max` first.
struct TwoFaults {
    kept: Vec<Case>,
}

impl TwoFaults {
    fn faults(case: &Case) -> [bool; 2] {
        let Case::Tensor(case) = case else { return [false; 2] };
        let has = |op: u8| case.program.iter().any(|record| record[37] == op);
        [has(0x08), has(0x09)]
    }
}

impl Interest for TwoFaults {
    type Signature = &'static str;

    fn signature(&mut self, case: &Case) -> Option<&'static str> {
        match Self::faults(case) {
            [true, _] => Some("max"),
            [false, true] => Some("min"),
            _ => None,
        }
    }

    fn shows(&mut self, case: &Case, wanted: &&'static str) -> bool {
        let [max, min] = Self::faults(case);
        let shows = if *wanted == "max" { max } else { min };
        if shows {
            self.kept.push(case.clone());
        }
        shows
    }
}

#[test]
fn a_case_with_two_faults_keeps_the_one_that_was_asked_for() {
    let case = Case::Tensor(big_tensor(21));
    for (wanted, op) in [("max", 0x08), ("min", 0x09)] {
        let mut interest = TwoFaults { kept: Vec::new() };
        let result =
            minimise_to(&case, &wanted, &mut interest, 20_000, &mut silent).expect("shown");
        let Case::Tensor(small) = &result.case else { panic!("a tensor case") };
        assert_eq!((small.program.len(), small.program[0][37], result.signature), (1, op, wanted));
        assert_eq!(interest.kept.last(), Some(&result.case), "the result was judged itself");
        assert_eq!(interest.kept.len(), result.reductions + 1);
    }
    let mut interest = TwoFaults { kept: Vec::new() };
    let first = minimise(&case, &mut interest, 20_000, &mut silent).expect("shown");
    assert_eq!(first.signature, "max");
}

#[test]
fn the_budget_is_kept_and_said_to_be_exhausted() {
    let case = Case::Tensor(big_tensor(22));
    for budget in [1, 2, 7, 20] {
        let judged = Cell::new(0);
        let mut interest = tensor_interest(|case| {
            judged.set(judged.get() + 1);
            case.program.iter().any(|record| record[37] == 8 && record[34] > 1)
        });
        let mut last = 0;
        let mut progress = |progress: &Progress| {
            assert_eq!(progress.evaluations, last + 1);
            last = progress.evaluations;
            ControlFlow::Continue(())
        };
        let result =
            minimise_to(&case, &"synthetic", &mut interest, budget, &mut progress).expect("shown");
        assert!(result.exhausted_budget && !result.one_minimal && !result.interrupted);
        assert_eq!((result.evaluations, last), (budget, budget));
        assert!(result.after <= result.before);
        assert_eq!(judged.get(), budget);
    }
}

#[test]
fn a_callback_can_break_the_run() {
    let case = Case::Vector(big_vector(&["F0 { S3 ADDNX16 v1, v2, v3 }"; 4], 23));
    let mut interest = vector_interest(|case| !case.program.is_empty());
    let mut progress = |progress: &Progress| match progress.evaluations {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let result =
        minimise_to(&case, &"synthetic", &mut interest, 100, &mut progress).expect("shown");
    assert!(result.interrupted && !result.exhausted_budget && !result.one_minimal);
    assert_eq!(result.evaluations, 3);
}

#[test]
fn no_case_is_judged_twice() {
    for case in [
        Case::Tensor(big_tensor(24)),
        Case::Vector(big_vector(&["F0 { S3 ADDNX16 v1, v2, v3 ; S2 MULNX16 wv0, v1, v2 }"; 4], 24)),
    ] {
        let mut seen = HashSet::new();
        let count = Cell::new(0);
        let mut interest = Shows(|case: &Case| {
            count.set(count.get() + 1);
            assert!(seen.insert(write_case(case)));
            // Something that cannot go away quickly: an even number of set bits in the text.
            write_case(case).bytes().filter(|&byte| byte == b'1').count() > 20
        });
        let result =
            minimise_to(&case, &"synthetic", &mut interest, 3_000, &mut silent).expect("shown");
        assert_eq!(result.evaluations, count.get());
        assert_eq!(result.panics, 0, "the assertion above held");
    }
}

#[test]
fn a_judge_that_panics_refuses_the_case_and_is_counted() {
    let case = Case::Tensor(big_tensor(25));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut interest = tensor_interest(|case| {
        assert!(case.program.len() != 1, "one step is too much for me");
        case.program.len() > 1
    });
    let result = minimise(&case, &mut interest, 20_000, &mut silent).expect("shown");
    let mut always = Shows(|_: &Case| panic!("never again"));
    let error = minimise(&case, &mut always, 100, &mut silent).expect_err("a panic");
    let late =
        minimise_to(&case, &"synthetic", &mut always, 100, &mut silent).expect_err("a panic");
    std::panic::set_hook(hook);
    assert!(result.panics > 0 && result.one_minimal);
    assert_eq!(result.after.steps, 2);
    let expected = MinimiseError::Panicked { message: "never again".to_owned() };
    assert_eq!((error, late), (expected.clone(), expected));
}

#[test]
fn what_shows_nothing_or_cannot_be_read_is_an_error() {
    let case = Case::Tensor(big_tensor(26));
    let mut never = tensor_interest(|_| false);
    let error = minimise(&case, &mut never, 100, &mut silent).expect_err("nothing shown");
    assert_eq!(error, MinimiseError::NoDivergence);
    let error = minimise_to(&case, &"other", &mut never, 100, &mut silent).expect_err("not shown");
    assert_eq!(error, MinimiseError::NotShown { wanted: "other".to_owned() });

    let mut bad = big_tensor(26);
    bad.memory[1].offset = bad.memory[0].offset;
    let mut always = tensor_interest(|_| true);
    let error = minimise(&Case::Tensor(bad), &mut always, 100, &mut silent).expect_err("overlap");
    assert!(
        matches!(&error, MinimiseError::Malformed { reason } if reason.contains("memory")),
        "{error}"
    );

    let mut outside = big_vector(&["F0 { }"], 26);
    outside.memory.init[0].address = 0;
    let mut always = vector_interest(|_| true);
    let error =
        minimise(&Case::Vector(outside), &mut always, 100, &mut silent).expect_err("outside");
    assert!(matches!(error, MinimiseError::Malformed { .. }));
}

#[test]
fn a_generalisation_says_what_each_property_may_be() {
    // Odd channels, any op1 but Min, cayman and later, the first element below zero.
    let rule = |case: &TensorCase| {
        let [record] = &case.program[..] else { return false };
        let first = case.memory.first().and_then(|region| region.data.first_chunk::<4>());
        record[34] % 2 == 1
            && record[37] != 0x09
            && case.generation >= Generation::Cayman
            && first.is_some_and(|bytes| f32::from_le_bytes(*bytes) < 0.0)
    };
    let mut case = big_tensor(27);
    case.program.truncate(1);
    case.program[0][37] = 0x04;
    case.memory[0].data[..4].copy_from_slice(&(-3.5f32).to_le_bytes());
    let case = Case::Tensor(case);
    let mut interest = tensor_interest(rule);
    let small = minimise(&case, &mut interest, 20_000, &mut silent).expect("shown").case;
    let line = generalise(&small, &"synthetic", &mut interest, 5_000, &mut silent).expect("shown");
    let finding = |subject: &str| line.fact(subject).map(|fact| fact.finding.clone());
    assert_eq!(finding("channel count"), Some(Finding::Odd));
    assert_eq!(finding("op1"), Some(Finding::AllBut(vec!["Min".to_owned()])));
    assert_eq!(finding("generation"), Some(Finding::Since("cayman".to_owned())));
    assert_eq!(finding("element 0"), Some(Finding::Negative));
    assert_eq!(finding("op0"), Some(Finding::Any));
    assert_eq!(
        line.to_string(),
        "any in_dtype, out_dtype, accumulator_cmd, imm0_src, op0, reverse_operands, imm1_src, element count, \
         imm0 and imm1, any op1 but Min, any generation from cayman on; \
         needs an odd channel count; needs element 0 below 0"
    );
    let again = generalise(&small, &"synthetic", &mut interest, 5_000, &mut silent).expect("shown");
    assert_eq!(again, line);
    let part = generalise(&small, &"synthetic", &mut interest, 30, &mut silent).expect("shown");
    assert!(part.exhausted_budget && part.evaluations == 30 && part.facts.len() < line.facts.len());
    assert!(part.to_string().ends_with("(incomplete)"));
}

/// A record of noise under an opcode that has a layout, or under any byte.
fn garbage_record(noise: &mut Noise) -> [u8; 64] {
    let mut record = [0; 64];
    for byte in &mut record {
        // Zeros and small numbers, so that some records nearly make sense.
        *byte = match noise.next() >> 61 {
            0..=3 => 0,
            4 => (noise.next() >> 60) as u8,
            _ => (noise.next() >> 40) as u8,
        };
    }
    if noise.next() >> 62 != 0 {
        let named = OPCODES.iter().filter(|row| row.layout.is_some());
        let named: Vec<_> = named.map(|row| row.value).collect();
        record[0] = named[(noise.next() >> 32) as usize % named.len()];
    }
    record
}

#[test]
fn garbage_is_shrunk_without_a_panic() {
    for seed in 1..25 {
        let mut noise = Noise(seed * 0x9e37_79b9);
        let mut case = big_tensor(seed);
        case.memory.iter_mut().for_each(|region| {
            region.partitions = 3;
            region.data.truncate(3 * region.stride as usize);
        });
        case.generation = Generation::ALL[seed as usize % 5];
        if case.generation == Generation::Maverick {
            case.memory.retain(|region| region.space == contract::state::Space::Sbuf);
        }
        case.program = (0..3).map(|_| garbage_record(&mut noise)).collect();
        run_garbage(Case::Tensor(case), seed);

        let words =
            ["F0", "X1", "Q9", "N2", "S1", "S7", "ADDNX16", "FOO", "v99", "vb3", "a4", "-5"];
        let mut word = |range: std::ops::Range<usize>| {
            words[range.start + (noise.next() >> 33) as usize % range.len()]
        };
        let bundles: Vec<_> = (0..4)
            .map(|_| {
                let (format, slot, op) = (word(0..4), word(4..6), word(6..8));
                let (first, second) = (word(8..12), word(8..12));
                format!("{format} {{ {slot} {op} {first}, {second} ; S3 SUBNX16 v1, {first} }}")
            })
            .collect();
        let bundles: Vec<_> = bundles.iter().map(String::as_str).collect();
        run_garbage(Case::Vector(big_vector(&bundles, seed)), seed);
    }
}

/// Minimises and generalises under a rule that is as blind as a hash: a third of all cases show it.
fn run_garbage(case: Case, seed: u64) {
    let first = write_case(&case);
    let mut interest = Shows(|case: &Case| {
        let text = write_case(case);
        let hash = text
            .bytes()
            .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        text == first || hash % 3 == 0
    });
    let result = minimise_to(&case, &"synthetic", &mut interest, 150, &mut silent);
    let result = match result {
        Ok(result) => result,
        // The canonical form is another text.
        Err(MinimiseError::NotShown { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(read_case(&write_case(&result.case)).expect("readable"), result.case);
    generalise(&result.case, &"synthetic", &mut interest, 150, &mut silent).expect("shown");
}
