//! Real kernels as vector programs, held in both models against plain Rust or against a tensor
//! instruction that computes the same: unaligned copies, log-step scans, cross-lane folds, a transpose.
//! What single ops promise one by one must add up to what people use them for.

use super::dtype::{OPCODE, Scan, scan_record};
use crate::models::{self, BoxedModel};
use contract::case::{Case, MemoryChunk, MemoryWindow, RegisterValue, TensorCase, VectorCase};
use contract::isa::{AluOp, Dtype, Generation};
use contract::outcome::{Outcome, VectorOutcome, VectorStep};
use contract::profile::{LaFresh, Profile};
use contract::state::{LINE, Line, Region, Space, VectorState};
use contract::text::parse_program;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const BASE: u32 = 0x0008_0000;

/// Both models with an outcome of each.
struct Pair {
    models: [BoxedModel; 2],
    outcomes: [Outcome; 2],
}

impl Pair {
    fn new() -> Self {
        let outcome = || Outcome::Vector(Box::default());
        Self {
            models: [models::oracle().make(), models::candidate().make()],
            outcomes: [outcome(), outcome()],
        }
    }

    /// Runs a kernel whose every bundle must be accepted; both models must answer alike.
    fn run(&mut self, case: &Case) -> &VectorOutcome {
        for (model, outcome) in self.models.iter_mut().zip(&mut self.outcomes) {
            model.run_into(case, outcome).unwrap();
        }
        let [Outcome::Vector(mine), Outcome::Vector(theirs)] = &self.outcomes else {
            panic!("a tensor outcome")
        };
        assert!(mine.steps.iter().all(|step| *step == VectorStep::Accept), "{:?}", mine.steps);
        assert_eq!(mine, theirs, "{}", case.id());
        mine
    }
}

fn case(id: String, text: &str, state: Vec<RegisterValue>, memory: MemoryWindow) -> VectorCase {
    let program = parse_program(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    VectorCase { id, profile: Profile::default(), cpenable: 2, state, memory, program }
}

/// A line of elements, given lane by lane.
fn line<const BYTES: usize>(element: impl Fn(usize) -> u64) -> Box<Line> {
    let mut line = Box::new(Line::default());
    for (lane, bytes) in line.0.chunks_exact_mut(BYTES).enumerate() {
        bytes.copy_from_slice(&element(lane).to_le_bytes()[..BYTES]);
    }
    line
}

/// Lanes of a register as signed numbers.
fn lanes(state: &VectorState, register: usize, bytes: usize) -> Vec<i64> {
    state.vec[register]
        .0
        .chunks_exact(bytes)
        .map(|chunk| {
            let mut code = [0; 8];
            code[8 - bytes..].copy_from_slice(chunk);
            i64::from_le_bytes(code) >> (64 - 8 * bytes)
        })
        .collect()
}

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// A copy of up to 256 bytes: prime, then chunks whose length falls by 64 and is clamped by the ops
/// themselves (spec 04 section 4.4), then the flush.
fn copy_program(prime: &str) -> String {
    let mut text = format!("{prime}\nN2 {{ S1 ZALIGN u1 }}\n");
    for _ in 0..4 {
        text.push_str(
            "N2 { S1 LAV2NX8_XP v1, u0, a2, a4 }\n\
             N2 { S0 SAV2NX8_XP v1, u1, a3, a4 }\n\
             X1 { S0 ADDI a4, a4, -64 }\n",
        );
    }
    text + "N2 { S0 SAPOS_FP u1, a3 }\n"
}

#[test]
fn an_unaligned_copy_moves_exactly_its_bytes_at_every_phase_and_length() {
    const SOURCE: u32 = BASE + 256;
    const TARGET: u32 = BASE + 1024;
    let source: Vec<u8> = (0..512).map(|index: u32| (index * 7 + index / 64) as u8 | 1).collect();
    let chunk = |address, data: Vec<u8>| MemoryChunk { address, data };
    let init = vec![chunk(SOURCE, source.clone()), chunk(TARGET - 64, vec![0xEE; 576])];
    let memory = MemoryWindow { base: BASE, bytes: 4096, init };
    // The line that a load fetches decides which prime is right (spec 04 section 4.5, V-05).
    let forms = [
        (LaFresh::Next, "N2 { S1 LA_PP u0, a2 }", 0),
        (LaFresh::Base, "N2 { S1 LALIGN_IP u0, a2, 64 }", 64),
    ];
    let mut pair = Pair::new();
    for (fresh, prime, ahead) in forms {
        let mut case =
            Case::Vector(case(String::new(), &copy_program(prime), Vec::new(), memory.clone()));
        case.profile_mut().la_fresh = fresh;
        for phase in 0..64_u32 {
            for length in 0..=200_u32 {
                // Every phase of the target occurs too, at every length.
                let target = (phase * 29 + length * 5) % 64;
                let Case::Vector(copy) = &mut case else { unreachable!("made above") };
                copy.state = vec![
                    RegisterValue::Ar(2, SOURCE + phase),
                    RegisterValue::Ar(3, TARGET + target),
                    RegisterValue::Ar(4, length),
                ];
                let outcome = pair.run(&case);
                let mut expected = vec![0xEE; 576];
                let start = 64 + target as usize;
                let moved = &source[phase as usize..(phase + length) as usize];
                expected[start..start + length as usize].copy_from_slice(moved);
                let bytes = outcome.state.memory.bytes();
                let at = (TARGET - 64 - BASE) as usize;
                assert!(
                    bytes[at..at + 576] == expected,
                    "phase {phase} to {target}, {length} bytes"
                );
                assert_eq!(bytes[256..256 + 512], source);
                assert_eq!(outcome.state.ar[2], SOURCE + phase + ahead + length);
                assert_eq!(outcome.state.ar[3], TARGET + target + length);
                assert_eq!(outcome.state.valign[1], Line::default());
            }
        }
    }
}

/// The log-step inclusive scan of v1 by `op` in lanes of `bytes`: v0 is what lanes before the first one
/// hold, the controls stand in v8 and up.
fn scan_case(op: &str, bytes: usize, values: &[i64], before: i64) -> VectorCase {
    let count = LINE / bytes;
    let shape = if bytes == 2 { "NX16" } else { "N_2X32" };
    let of = |element: &dyn Fn(usize) -> u64| match bytes {
        2 => line::<2>(element),
        _ => line::<4>(element),
    };
    let mut state = vec![
        RegisterValue::Vec(0, of(&|_| before as u64)),
        RegisterValue::Vec(1, of(&|lane| values[lane] as u64)),
    ];
    let mut text = String::new();
    let (mut step, mut control) = (1, 8);
    while step < count {
        // Below the step the index falls into the low half of the pool, which is `vr`.
        state.push(RegisterValue::Vec(control, of(&|lane| (count + lane - step) as u64)));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "F0 {{ S3 SEL{shape} v2, v1, v0, v{control} }}");
        let _ = writeln!(text, "F0 {{ S3 {op}{shape} v1, v1, v2 }}");
        step *= 2;
        control += 1;
    }
    case(format!("{op}{shape}"), &text, state, MemoryWindow::default())
}

/// The scan of 0x4E over one run of elements, on both models.
fn tensor_scan(op: AluOp, dtype: Dtype, values: &[i64]) -> Vec<i64> {
    let bytes = usize::from(dtype.storage_bytes());
    let mut data: Vec<u8> =
        values.iter().flat_map(|value| value.to_le_bytes()[..bytes].to_vec()).collect();
    let destination = data.len();
    data.resize(2 * destination, 0);
    let record = scan_record(&Scan {
        opcode: OPCODE,
        op,
        from: dtype,
        to: dtype,
        channels: 1,
        run: values.len() as u16,
        runs: 1,
        source: 0,
        destination: destination as u32,
    });
    let case = Case::Tensor(TensorCase {
        id: "scan".to_owned(),
        generation: Generation::Mariana,
        profile: Profile::default(),
        memory: vec![Region {
            space: Space::Sbuf,
            partition: 0,
            partitions: 1,
            offset: 0,
            stride: data.len() as u32,
            data,
        }],
        registers: BTreeMap::new(),
        program: vec![record],
    });
    let run = |mut model: BoxedModel| match model.run(&case).unwrap() {
        Outcome::Tensor(outcome) => outcome,
        Outcome::Vector(_) => panic!("a vector outcome"),
    };
    let (mine, theirs) = (run(models::oracle().make()), run(models::candidate().make()));
    assert_eq!(mine, theirs);
    let verdict = &mine.steps[0].verdict;
    assert_eq!(*verdict, contract::outcome::TensorVerdict::Accept);
    mine.state.regions[0].data[destination..]
        .chunks_exact(bytes)
        .map(|chunk| {
            let mut code = [0; 8];
            code[8 - bytes..].copy_from_slice(chunk);
            i64::from_le_bytes(code) >> (64 - 8 * bytes)
        })
        .collect()
}

/// Values for a scan: small ones, ones that reach the edge of exactness, and ones that wrap.
fn scan_values(random: &mut Random, bytes: usize, count: usize, round: usize) -> Vec<i64> {
    let bits = 8 * bytes as u32;
    let spread = [4, 10, bits - 6, bits][round % 4];
    (0..count).map(|_| (random.next() as i64) >> (64 - spread)).collect()
}

#[test]
fn a_log_step_sum_is_the_running_sum_and_0x4e_wherever_fp32_is_exact() {
    let mut pair = Pair::new();
    let mut random = Random(3);
    for (bytes, dtype) in [(2, Dtype::Int16), (4, Dtype::Int32)] {
        let (count, bits) = (LINE / bytes, 8 * bytes as u32);
        let mut exact_lanes = 0;
        for round in 0..200 {
            let values = scan_values(&mut random, bytes, count, round);
            let kernel = Case::Vector(scan_case("ADD", bytes, &values, 0));
            let found = lanes(&pair.run(&kernel).state, 1, bytes);
            let tensor = tensor_scan(AluOp::Add, dtype, &values);
            let (mut sum, mut exact) = (0_i64, true);
            for lane in 0..count {
                sum += values[lane];
                // Operands and result must be whole numbers of 24 bits, and the lane must hold the sum.
                exact &= values[lane].abs() <= 1 << 24 && sum.abs() <= 1 << 24;
                exact &= sum == sum << (64 - bits) >> (64 - bits);
                assert_eq!(found[lane], sum << (64 - bits) >> (64 - bits), "lane {lane}");
                if exact {
                    assert_eq!(found[lane], tensor[lane], "round {round} lane {lane}: {values:?}");
                    exact_lanes += 1;
                }
            }
        }
        assert!(exact_lanes > 100 * count, "{exact_lanes}");
    }
}

#[test]
fn a_log_step_maximum_is_the_running_maximum_and_0x4e() {
    let mut pair = Pair::new();
    let mut random = Random(4);
    for (bytes, dtype) in [(2, Dtype::Int16), (4, Dtype::Int32)] {
        let (count, bits) = (LINE / bytes, 8 * bytes as u32);
        for round in 0..200 {
            let mut values = scan_values(&mut random, bytes, count, round);
            // A zero register serves where nothing is negative, the least number everywhere.
            let zero = round % 2 == 0;
            if zero {
                values.iter_mut().for_each(|value| *value = (*value).max(!*value));
            }
            let least = -(1_i64 << (bits - 1));
            let kernel = scan_case("MAX", bytes, &values, if zero { 0 } else { least });
            let found = lanes(&pair.run(&Case::Vector(kernel)).state, 1, bytes);
            let tensor = tensor_scan(AluOp::Max, dtype, &values);
            let (mut most, mut exact) = (least, true);
            for lane in 0..count {
                most = most.max(values[lane]);
                exact &= values[lane].abs() <= 1 << 24;
                assert_eq!(found[lane], most, "round {round} lane {lane}");
                assert!(!exact || found[lane] == tensor[lane], "round {round} lane {lane}");
            }
        }
    }
}

/// A fold by halving: every lane meets the lane `step` away, for all steps; then the reduce op.
fn fold_program(op: &str, reduce: &str, shape: &str, count: usize) -> String {
    let mut text = String::from("F0 { S3 MOVVV v2, v1 }\n");
    let (mut step, mut control) = (1, 8);
    while step < count {
        let _ = writeln!(text, "F0 {{ S3 SHFL{shape} v3, v2, v{control} }}");
        let _ = writeln!(text, "F0 {{ S3 {op}{shape} v2, v2, v3 }}");
        step *= 2;
        control += 1;
    }
    let _ = writeln!(text, "F0 {{ S3 {reduce}{shape} v4, v1 }}");
    text
}

#[test]
fn folds_by_shuffles_give_what_the_reductions_give() {
    let mut pair = Pair::new();
    let mut random = Random(5);
    let widths = [(1, "2NX8"), (2, "NX16"), (4, "N_2X32")];
    let ops =
        [("ADD", "RADD"), ("MAX", "RMAX"), ("MIN", "RMIN"), ("MAXU", "RMAXU"), ("MINU", "RMINU")];
    for (bytes, shape) in widths {
        let count = LINE / bytes;
        for (op, reduce) in ops {
            for _ in 0..40 {
                let bits: Vec<u64> = (0..count).map(|_| random.next()).collect();
                let of = |element: &dyn Fn(usize) -> u64| match bytes {
                    1 => line::<1>(element),
                    2 => line::<2>(element),
                    _ => line::<4>(element),
                };
                let mut state = vec![RegisterValue::Vec(1, of(&|lane| bits[lane]))];
                for power in 0..count.ilog2() {
                    // The high bits of a control are ignored (spec 04 section 5).
                    let junk = bits[0] << (8 * bytes - 1);
                    let control = of(&|lane| (lane ^ (1 << power)) as u64 | junk);
                    state.push(RegisterValue::Vec(8 + power as u8, control));
                }
                let text = fold_program(op, reduce, shape, count);
                let id = format!("{reduce}{shape}");
                let case = Case::Vector(case(id, &text, state, MemoryWindow::default()));
                let outcome = pair.run(&case);
                let (folded, reduced) =
                    (lanes(&outcome.state, 2, bytes), lanes(&outcome.state, 4, bytes));
                // A sum keeps more bits than a lane; its low ones are the lane's.
                assert!(folded.iter().all(|lane| *lane == reduced[0]), "{op}{shape}");
            }
        }
    }
}

/// The transpose of a 32 × 32 matrix of half-words at a2: five rounds that swap the off-diagonal blocks
/// of every pair of rows, a2 plus 64 times the row by MOVI.
fn transpose_program() -> String {
    let mut text = String::new();
    for round in 0..5_u32 {
        let block = 1 << round;
        for row in (0..32_u32).filter(|row| row & block == 0) {
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "X1 {{ S0 MOVI a4, {} }}\n\
                 X1 {{ S0 MOVI a5, {} }}\n\
                 N2 {{ S0 LV2NX8_X v0, a2, a4 ; S1 LV2NX8_X v1, a2, a5 }}\n\
                 F0 {{ S3 DSELNX16 v1, v0, v1, v0, v{} }}\n\
                 N2 {{ S0 SV2NX8_X v0, a2, a4 }}\n\
                 N2 {{ S0 SV2NX8_X v1, a2, a5 }}\n",
                64 * row,
                64 * (row + block),
                8 + round
            );
        }
    }
    text
}

#[test]
fn dsel_steps_transpose_a_32_by_32_matrix() {
    let mut random = Random(6);
    let mut state = vec![RegisterValue::Ar(2, BASE)];
    for round in 0..5 {
        let block = 1 << round;
        // Low byte: the new upper row; high byte: the new lower one (spec 04 V-18).
        let control = line::<2>(|lane| {
            let (upper, lower) = if lane & block == 0 {
                (lane, lane + block)
            } else {
                (32 + lane - block, 32 + lane)
            };
            (upper | lower << 8) as u64
        });
        state.push(RegisterValue::Vec(8 + round as u8, control));
    }
    let matrix: Vec<u16> = (0..1024).map(|_| random.next() as u16).collect();
    let data: Vec<u8> = matrix.iter().flat_map(|element| element.to_le_bytes()).collect();
    let memory =
        MemoryWindow { base: BASE, bytes: 4096, init: vec![MemoryChunk { address: BASE, data }] };
    let case = Case::Vector(case("transpose".to_owned(), &transpose_program(), state, memory));
    let mut pair = Pair::new();
    let outcome = pair.run(&case);
    let bytes = &outcome.state.memory.bytes()[..2048];
    for (index, chunk) in bytes.chunks_exact(2).enumerate() {
        let (row, column) = (index / 32, index % 32);
        let found = u16::from_le_bytes([chunk[0], chunk[1]]);
        assert_eq!(found, matrix[32 * column + row], "row {row} column {column}");
    }
    // Rows load side by side, then a DSEL, then two stores in a row: no bundle waits for a register.
    assert_eq!(outcome.schedule.as_ref().unwrap().cycles as usize, outcome.steps.len());
}
