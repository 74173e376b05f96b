//! Tensor cases under synthetic interests.

use crate::support::{big_tensor, golden, minimised, tensor_interest, tensor_of};
use contract::case::{Case, TensorCase};
use contract::isa::Generation;
use contract::state::Space;

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
