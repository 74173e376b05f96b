//! Tensor cases under synthetic interests.

use crate::support::{Noise, big_tensor, golden, minimised, pattern, tensor_interest, tensor_of};
use contract::case::{Case, TensorCase};
use contract::isa::Generation;
use contract::state::{Region, Space};

fn counts(record: &[u8; 64]) -> u64 {
    (0..3)
        .map(|axis| u64::from(u16::from_le_bytes([record[26 + 2 * axis], record[27 + 2 * axis]])))
        .product()
}

#[test]
fn a_fault_of_one_operator_shrinks_to_one_step_one_channel_one_element() {
    let case = Case::Tensor(big_tensor(1));
    let mut interest = tensor_interest(|case| {
        case.program
            .iter()
            .any(|record| record[0] == 0xe6 && record[37] == 8 && record[34] % 2 == 1)
    });
    let result = minimised(&case, &mut interest);
    println!("{result}");
    let small = tensor_of(&result.case);
    assert_eq!((result.after.steps, result.after.channels, result.after.elements), (1, 1, 1));
    assert_eq!(result.after.bytes, 0);
    assert_eq!(small.generation, Generation::Mariana);
    assert!(small.registers.is_empty() && small.profile.non_default().is_empty());
    let record = &small.program[0];
    // Bypass, Max, inline zero, FP32 in and out, ZeroAccumulate.
    assert_eq!(
        (record[36], record[37], record[35], record[32], record[33], record[12]),
        (0, 8, 0, 10, 10, 3)
    );
}

#[test]
fn parity_of_the_channels_and_a_middle_element_survive() {
    let case = Case::Tensor(big_tensor(2));
    // An odd number of channels and at least three elements in a step with op1 Max.
    let mut interest = tensor_interest(|case| {
        case.program.iter().any(|record| {
            record[37] == 8 && record[34] % 2 == 1 && record[34] > 2 && counts(record) >= 3
        })
    });
    let result = minimised(&case, &mut interest);
    assert_eq!((result.after.steps, result.after.channels, result.after.elements), (1, 3, 3));
}

#[test]
fn a_byte_of_memory_keeps_its_region_and_nothing_else() {
    let case = Case::Tensor(big_tensor(3));
    let bit = |case: &TensorCase| {
        case.memory.iter().any(|region| {
            region
                .data
                .chunks_exact(region.stride as usize)
                .any(|row| row.get(17).is_some_and(|byte| byte & 0x10 != 0))
        })
    };
    let mut interest = tensor_interest(move |case| !case.program.is_empty() && bit(case));
    let result = minimised(&case, &mut interest);
    println!("{result} {}", contract::json::write_case(&result.case));
    assert_eq!(result.after.steps, 1);
    assert_eq!(result.after.bytes, 18);
    assert_eq!(result.after.nonzero_bytes, 1);
}

#[test]
fn psum_pointers_and_strides_go_where_they_do_not_matter() {
    let case = Case::Tensor(big_tensor(4));
    let mut interest = tensor_interest(|case| case.program.len() >= 3);
    let result = minimised(&case, &mut interest);
    let small = tensor_of(&result.case);
    assert_eq!(small.program.len(), 3);
    assert!(small.memory.iter().all(|region| region.space == Space::Sbuf));
    for record in &small.program {
        assert_eq!((counts(record), record[35], record[34]), (1, 0, 1));
        assert_eq!(&record[20..26], &[1, 0, 1, 0, 1, 0]);
    }
}

#[test]
fn golden_cases_shrink_under_the_interest_of_their_first_opcode() {
    for case in golden("tensor_cases.jsonl") {
        let opcode = tensor_of(&case).program[0][0];
        let mut interest =
            tensor_interest(move |case| case.program.iter().any(|record| record[0] == opcode));
        let result = minimised(&case, &mut interest);
        let small = tensor_of(&result.case);
        assert_eq!((small.program.len(), small.memory.len()), (1, 0), "{}", case.id());
        assert!(result.after <= result.before);
    }
}

#[test]
fn golden_cases_shrink_around_their_data() {
    // The last byte of the data that is not zero must stay somewhere.
    for case in golden("tensor_cases.jsonl") {
        let data = |case: &TensorCase| -> Vec<u8> {
            case.memory.iter().flat_map(|region| region.data.clone()).collect()
        };
        let Some(byte) = data(tensor_of(&case)).into_iter().rev().find(|&byte| byte != 0) else {
            continue;
        };
        let mut interest =
            tensor_interest(move |case| !case.program.is_empty() && data(case).contains(&byte));
        let result = minimised(&case, &mut interest);
        assert!(result.after.nonzero_bytes <= 8, "{}: {}", case.id(), result.after);
    }
}

/// TensorCumulative over three rows: `op_dim` names two axes.
fn cumulative() -> TensorCase {
    let mut record = [0; 64];
    record[..4].copy_from_slice(&[0x4e, 16, 0, 0]);
    record[12..32].copy_from_slice(&pattern(0x104, [3, 32, 1, 1], [5, 1, 4, 1]));
    record[32..39].copy_from_slice(&[0x07, 0x0a, 7, 0, 0x08, 0x04, 0]);
    record[44..64].copy_from_slice(&pattern(0x1000, [1, 1, 5, 1], [5, 1, 4, 1]));
    let data = Noise(9).bytes(7 * 256);
    let region = |offset, data: Vec<u8>| Region {
        space: Space::Sbuf,
        partition: 0,
        partitions: 7,
        offset,
        stride: 256,
        data,
    };
    TensorCase {
        id: "scan".to_owned(),
        generation: Generation::Sunda,
        profile: Default::default(),
        memory: vec![region(0x100, data), region(0x1000, vec![0; 7 * 256])],
        registers: Default::default(),
        program: vec![record],
    }
}

#[test]
fn a_middle_element_moves_up_with_its_value() {
    // The FP16 number at row 2, column 3 of channel 4 has to stay an element of the source.
    let case = cumulative();
    let at = 4 * 256 + 4 + 2 * (2 * 3 + 3 * 3);
    let wanted = [case.memory[0].data[at], case.memory[0].data[at + 1]];
    let mut interest = tensor_interest(|case| {
        let [record] = &case.program[..] else { return false };
        let half = |at: usize| i64::from(i16::from_le_bytes([record[at], record[at + 1]]));
        let start = i64::from(u32::from_le_bytes([record[12], record[13], record[14], record[15]]));
        let (steps, counts) = ([16, 18, 20, 22].map(half), [24, 26, 28, 30].map(half));
        let index = |flat: i64| {
            let mut flat = flat;
            counts.map(|count| {
                let at = flat % count.max(1);
                flat /= count.max(1);
                at
            })
        };
        (0..counts.iter().product::<i64>()).any(|flat| {
            let distance: i64 = index(flat).iter().zip(steps).map(|(at, step)| at * step).sum();
            let offset = start + 2 * distance;
            (0..u32::from(record[34])).any(|channel| {
                case.memory.iter().any(|region| {
                    let place = region.index_of(Space::Sbuf, channel, offset as u32);
                    place.is_some_and(|place| region.data.get(place..place + 2) == Some(&wanted))
                })
            })
        })
    });
    let result = minimised(&Case::Tensor(case), &mut interest);
    let small = tensor_of(&result.case);
    assert_eq!((result.after.channels, result.after.elements), (1, 1), "{result}");
    let [source] = &small.memory[..] else { panic!("{result}") };
    // FP32 is the simpler dtype, and keeps the bits.
    assert_eq!((source.offset, &source.data[..]), (0, &[wanted[0], wanted[1], 0, 0][..]));
    assert_eq!(small.generation, Generation::Mariana);
}

#[test]
fn a_register_pointer_stays_where_it_is_needed() {
    let mut case = big_tensor(6);
    case.program.truncate(1);
    case.program[0][35] = 2;
    case.program[0][40..44].copy_from_slice(&[5, 0, 0, 0]);
    case.registers.insert(5, 0x4004);
    // imm0 comes from a register, and what it points at is not zero.
    let mut interest = tensor_interest(|case| {
        let [record] = &case.program[..] else { return false };
        let address = case.registers.get(&record[40]).copied().unwrap_or(0);
        record[35] == 2
            && case.memory.iter().any(|region| {
                let place = region.index_of(Space::Sbuf, 0, address);
                place.is_some_and(|place| region.data[place] != 0)
            })
    });
    let result = minimised(&Case::Tensor(case), &mut interest);
    let small = tensor_of(&result.case);
    assert_eq!(&small.program[0][40..44], &[0; 4], "register 0");
    assert_eq!(result.after.nonzero_bytes - small.registers.len(), 1, "{result}");
    assert!(result.after.bytes <= 4);
}
