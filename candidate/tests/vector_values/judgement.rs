//! The order of judgement of a bundle (spec 04 section 3).

use crate::support::{BASE, accept, blank_state, executors, line, run};
use candidate::simd::Simd;
use candidate::vector::VectorExecutor;
use contract::bundle::{Bundle, OpWord, Operand, Operands, SlotOp};
use contract::isa::{Format, Mnemonic, OperandKind};
use contract::outcome::{FaultReason, VectorStep};
use contract::profile::FsrGate;
use contract::state::Line;

const GATED: VectorStep = VectorStep::Fault(FaultReason::Coprocessor1Exception, None);

fn bad_access(address: u32) -> VectorStep {
    VectorStep::Fault(FaultReason::BadAccess, Some(address))
}

/// The op alone, register 0 and immediate 0 everywhere.
fn alone(mnemonic: Mnemonic) -> Bundle {
    let operands: Operands = mnemonic
        .info()
        .operands
        .iter()
        .map(|(_, kind)| match kind {
            OperandKind::Reg(class) => Operand::Reg(*class, 0),
            OperandKind::Imm => Operand::Imm(0),
        })
        .collect();
    let op = OpWord::Known(mnemonic);
    Bundle { ops: vec![SlotOp { slot: 0, op, operands }], ..Bundle::empty(Format::F0) }
}

#[test]
fn the_gate_stops_every_mnemonic_but_scalar_ones_before_anything_else() {
    let scalar =
        ["NOP", "MOVI", "ADDI", "ADD", "SUB", "AND", "OR", "XOR", "MUL16S", "MULL", "L32I", "S32I"];
    let mut state = blank_state();
    // Every bit but the one that counts; no address in r0 is inside the window.
    state.cpenable = !2;
    for mut executor in executors() {
        for mnemonic in Mnemonic::all() {
            let mut after = state.clone();
            let step = executor.execute(&mut after, &alone(mnemonic));
            let expected = match mnemonic.name() {
                "SCATTERW" | "ADDMOD16U" => VectorStep::Unsupported(mnemonic),
                "L32I" | "S32I" => bad_access(0),
                name if scalar.contains(&name) => VectorStep::Accept,
                _ => GATED,
            };
            assert_eq!(step, expected, "{mnemonic}");
            assert_eq!(after, state, "{mnemonic}");
        }
    }
}

#[test]
fn mnemonics_of_other_chapters_are_unsupported_and_change_nothing() {
    let state = blank_state();
    for mut executor in executors() {
        for mnemonic in Mnemonic::all().filter(|mnemonic| mnemonic.info().chapter != 4) {
            let mut after = state.clone();
            let step = executor.execute(&mut after, &alone(mnemonic));
            assert_eq!(step, VectorStep::Unsupported(mnemonic));
            assert_eq!(after, state, "{mnemonic}");
        }
    }
}

#[test]
fn unsupported_names_the_lowest_slot_and_comes_before_faults() {
    let state = blank_state();
    let text = "F3 { S1 LV2NX8_I v1, a0, 0 ; S2 MULNX16 wv0, v1, v2 ; S3 ADDNXF16 v3, v1, v2 }";
    let (step, after) = run(&state, &[text]);
    assert_eq!(step, VectorStep::Unsupported(Mnemonic::from_name("MULNX16").expect("a row")));
    assert_eq!(after, state);
}

#[test]
fn the_gate_comes_before_unsupported_and_before_faults() {
    let mut state = blank_state();
    state.cpenable = 0;
    for text in [
        "F0 { S1 LV2NX8_I v1, a0, 0 }",
        "F0 { S0 L32I a1, a0, 4 ; S1 ZALIGN u0 }",
        "F0 { S1 ADDMOD16U a5, a6, a7 ; S3 ADDNX16 v1, v2, v3 }",
    ] {
        let (step, after) = run(&state, &[text]);
        assert_eq!(step, GATED, "{text}");
        assert_eq!(after, state, "{text}");
    }
}

#[test]
fn the_lowest_faulting_slot_is_reported_and_nothing_lands() {
    let mut state = blank_state();
    state.ar[2] = 0x1040;
    state.ar[3] = 0x2040;
    state.ar[4] = BASE;
    state.vec[2] = Line([1; 64]);
    for (text, address) in [
        (
            "F4 { S0 LV2NX8_IP v1, a2, 64 ; S1 LV2NX8_IP v3, a3, 64 ; S3 ADD2NX8 v2, v2, v2 }",
            0x1040,
        ),
        ("F0 { S0 SV2NX8_I v2, a4, 0 ; S1 LV2NX8_IP v3, a3, 64 ; S3 ADD2NX8 v2, v2, v2 }", 0x2040),
        // Ops in another order than their slots.
        ("F4 { S1 LV2NX8_IP v3, a3, 64 ; S0 LV2NX8_IP v1, a2, 64 }", 0x1040),
    ] {
        let (step, after) = run(&state, &[text]);
        assert_eq!(step, bad_access(address), "{text}");
        assert_eq!(after, state, "{text}");
    }
}

#[test]
fn misalignment_of_scalar_accesses_comes_before_the_window() {
    let mut state = blank_state();
    state.ar[2] = 0x1002;
    for text in ["F0 { S0 L32I a1, a2, 4 }", "F0 { S0 S32I a1, a2, 4 }"] {
        let (step, after) = run(&state, &[text]);
        assert_eq!(step, VectorStep::Fault(FaultReason::Alignment, Some(0x1006)));
        assert_eq!(after, state);
    }
}

#[test]
fn a_predicated_store_tests_all_its_bytes() {
    let mut state = blank_state();
    state.ar[2] = BASE + 4096;
    for op in ["SV2NX8T", "SVNX8UT", "SVN_2X16ST"] {
        let (step, _) = run(&state, &[&format!("F0 {{ S0 {op}_I v1, a2, 0, vb0 }}")]);
        assert_eq!(step, bad_access(BASE + 4096), "{op}");
    }
    // With no predicate true, a store inside the window writes nothing.
    state.ar[2] = BASE;
    state.vec[1] = Line([7; 64]);
    let end = accept(&state, &["F0 { S0 SV2NX8T_I v1, a2, 0, vb0 }"]);
    assert_eq!(end, state);
}

#[test]
fn every_op_of_a_bundle_reads_the_state_before_it() {
    let mut state = blank_state();
    state.ar[2] = BASE;
    state.vec[1] = Line([1; 64]);
    state.vec[2] = Line([2; 64]);
    state.vbool[1] = 0;
    state.valign[1] = Line([3; 64]);
    let end = accept(
        &state,
        &["F0 { S0 SV2NX8_I v1, a2, 0 ; S1 LV2NX8_IP v1, a2, 64 ; S3 ADD2NX8 v3, v1, v2 }"],
    );
    assert_eq!(end.vec[1], Line([0; 64]));
    assert_eq!(end.vec[3], Line([3; 64]));
    assert_eq!(end.memory.bytes()[..64], [1; 64]);
    let end = accept(&end, &["F0 { S1 NOTB vb1, vb1 ; S3 MOV2NX8T v3, v2, vb1 }"]);
    assert_eq!(end.vec[3], Line([3; 64]));
    assert_eq!(end.vbool[1], !0);
    let end = accept(&end, &["F0 { S0 MALIGN u2, u1 ; S1 ZALIGN u1 }"]);
    assert_eq!(end.valign[2], Line([3; 64]));
    assert_eq!(end.valign[1], Line([0; 64]));
}

#[test]
fn registers_may_be_source_and_result_of_one_op() {
    let mut state = blank_state();
    state.vec[1] = line(16, 1..33);
    state.vec[2] = line(16, (0..32).rev());
    let end = accept(&state, &["F0 { S3 SELNX16 v2, v2, v1, v2 }"]);
    assert_eq!(end.vec[2], line(16, (1..33).rev()));
    let end = accept(&state, &["F0 { S3 DSELNX16 v1, v2, v1, v2, v2 }"]);
    assert_eq!(end.vec[2], line(16, 0..32));
    assert_eq!(end.vec[1], line(16, [31; 32]));
    state.ar[2] = BASE + 64;
    let end = accept(&state, &["F0 { S1 LV2NX8_XP v1, a2, a2 }"]);
    assert_eq!(end.ar[2], 2 * (BASE + 64));
}

#[test]
fn a_signalling_nan_raises_v_and_the_enable_matters_only_under_its_switch() {
    let mut state = blank_state();
    state.vec[1] = line(16, [0x7c01, 0x3c00]);
    state.fsr = 0x80;
    let op = "F0 { S3 RMAXNUMNXF16 v2, v1 }";
    for (gate, fcr, fsr) in [
        (FsrGate::Always, 0, 0x880),
        (FsrGate::Enabled, 0x3f, 0x80),
        (FsrGate::Enabled, 0x40, 0x880),
    ] {
        state.profile.fsr_gate = gate;
        state.fcr = fcr;
        let end = accept(&state, &[op]);
        assert_eq!(end.fsr, fsr);
        assert_eq!(end.vec[2], line(16, [0x3c00]));
    }
    // A quiet NaN does not, nor a killed signalling one.
    state.profile.fsr_gate = FsrGate::Always;
    state.vec[1] = line(16, [0x7e01, 0x7c01]);
    state.vbool[1] = !0b1100;
    let end = accept(&state, &["F0 { S3 RMAXNUMNXF16T v2, v1, vb1 }"]);
    assert_eq!(end.fsr, 0x80);
}

#[test]
fn an_executor_takes_the_forced_path_or_the_best_below_it() {
    assert_eq!(VectorExecutor::with_simd(Simd::Portable).simd(), Simd::Portable);
    assert_eq!(VectorExecutor::with_simd(Simd::Avx512).simd(), Simd::detect());
    assert_eq!(VectorExecutor::default().simd(), Simd::active());
}
