//! Vector cases under synthetic interests.

use crate::support::{big_vector, minimised, vector_interest, vector_of};
use contract::bundle::{OpWord, Operand};
use contract::case::{Case, RegisterValue, VectorCase};
use contract::isa::RegClass;

const PROGRAM: &[&str] = &[
    "N2 { S1 LALIGN_I u0, a3, 0 }",
    "F0 { S1 LA2NX8_IP v20, u0, a3 ; S3 ADDNX16 v9, v8, v7 }",
    "F0 { S3 SUBNX16 v10, v9, v11 }",
    "F0 { }",
    "F1 { S3 RADDNX16 v12, v10 }",
    "F0 { S3 ADDNX16 v13, v12, v9 }",
    "N2 { S0 SV2NX8_I v13, a3, 128 }",
];

fn position(case: &VectorCase, name: &str) -> Option<usize> {
    let holds = |op: &OpWord| op.text() == name;
    case.program.iter().position(|bundle| bundle.ops.iter().any(|op| holds(&op.op)))
}

#[test]
fn an_op_alone_is_left_of_a_program() {
    let case = Case::Vector(big_vector(PROGRAM, 1));
    let mut interest = vector_interest(|case| position(case, "RADDNX16").is_some());
    let result = minimised(&case, &mut interest);
    println!("{result}");
    let small = vector_of(&result.case);
    assert_eq!(small.program.len(), 1);
    assert_eq!(small.program[0].to_string(), "F0 { S3 RADDNX16 v0, v1 }");
    assert!(small.state.is_empty() && small.memory.init.is_empty());
    assert_eq!((small.cpenable, small.memory.base, small.memory.bytes), (2, 0x8_0000, 64));
    assert!(small.profile.non_default().is_empty());
}

#[test]
fn a_schedule_fault_keeps_its_distance() {
    let case = Case::Vector(big_vector(PROGRAM, 2));
    // RADDNX16 exactly two bundles behind an op of the ALU.
    let mut interest = vector_interest(|case| {
        let (alu, reduce) = (position(case, "SUBNX16"), position(case, "RADDNX16"));
        alu.zip(reduce).is_some_and(|(alu, reduce)| reduce == alu + 2)
    });
    let result = minimised(&case, &mut interest);
    let small = vector_of(&result.case);
    let texts: Vec<_> = small.program.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["F0 { S3 SUBNX16 v0, v1, v2 }", "F0 { }", "F0 { S3 RADDNX16 v3, v0 }"]);
}

#[test]
fn a_register_is_bypassed_to_its_producers_input() {
    let case = Case::Vector(big_vector(PROGRAM, 3));
    // The reduction has to read a register that is given, and given with some bit pattern.
    let mut interest = vector_interest(|case| {
        let Some(at) = position(case, "RADDNX16") else { return false };
        let Some(op) = case.program[at].ops.first() else { return false };
        let Operand::Reg(_, read) = op.operands[1] else { return false };
        // Or read what an operation before computes from such a register.
        let given = |wanted: u32| {
            case.state.iter().any(|value| {
                matches!(value, RegisterValue::Vec(index, line)
                    if u32::from(*index) == wanted && line.0.iter().any(|&byte| byte & 0x80 != 0))
            })
        };
        let mut wanted = vec![read];
        for bundle in case.program[..at].iter().rev() {
            for op in &bundle.ops {
                if op.operands.first().is_some_and(|def| {
                    wanted.iter().any(|&index| *def == Operand::Reg(RegClass::Vec, index))
                }) {
                    wanted.extend(op.operands[1..].iter().filter_map(|operand| match operand {
                        Operand::Reg(RegClass::Vec, index) => Some(*index),
                        _ => None,
                    }));
                    wanted.retain(|&index| op.operands[0] != Operand::Reg(RegClass::Vec, index));
                }
            }
        }
        wanted.into_iter().any(given)
    });
    let result = minimised(&case, &mut interest);
    let small = vector_of(&result.case);
    assert_eq!(small.program.len(), 1, "{result}");
    assert_eq!(
        small.state,
        [RegisterValue::Vec(1, {
            let mut line = Box::new(contract::state::Line::default());
            line.0[..2].copy_from_slice(&[0xff, 0xff]);
            line
        })]
    );
}

#[test]
fn memory_and_its_pointer_move_to_the_default_base() {
    let case = Case::Vector(big_vector(PROGRAM, 4));
    // Some byte with its low bit set stands where a3 points, and something loads through it.
    let mut interest = vector_interest(|case| {
        let loads = position(case, "LA2NX8_IP").is_some();
        let pointers = case.state.iter().filter_map(|value| match value {
            RegisterValue::Ar(_, address) => Some(*address),
            _ => None,
        });
        let at = |address: u32| {
            let chunks = case.memory.init.iter();
            chunks
                .rev()
                .find_map(|chunk| chunk.data.get(address.wrapping_sub(chunk.address) as usize))
        };
        loads && pointers.into_iter().any(|address| at(address).is_some_and(|byte| byte & 2 != 0))
    });
    let result = minimised(&case, &mut interest);
    let small = vector_of(&result.case);
    assert_eq!(small.memory.base, 0x8_0000);
    assert_eq!(small.memory.bytes, 64);
    let [chunk] = &small.memory.init[..] else { panic!("{result}") };
    assert_eq!((chunk.address, chunk.data.len()), (0x8_0000, 1));
    assert_eq!(small.state, [RegisterValue::Ar(0, 0x8_0000)]);
}

#[test]
fn immediates_formats_and_slots_go_to_the_simplest_that_stay() {
    let case = Case::Vector(big_vector(
        &["N1 { S2 MULNX16 wv3, v5, v6 }", "F3 { S0 SV2NX8_I v9, a7, 384 }"],
        5,
    ));
    let mut interest = vector_interest(|case| {
        case.program.iter().flat_map(|bundle| &bundle.ops).any(|op| {
            op.op.text() == "SV2NX8_I"
                && matches!(op.operands.last(), Some(Operand::Imm(value)) if *value >= 100)
        })
    });
    let result = minimised(&case, &mut interest);
    let small = vector_of(&result.case);
    let texts: Vec<_> = small.program.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["F0 { S0 SV2NX8_I v0, a0, 100 }"]);
}
