//! Vector cases under synthetic interests.

use crate::support::{big_vector, golden, minimised, vector_interest, vector_of};
use contract::bundle::OpWord;
use contract::case::{Case, RegisterValue, VectorCase};

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
