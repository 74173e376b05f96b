//! Speed of the tensor half. Ignored by default: it measures, so it wants an optimised build and a
//! quiet machine (`cargo test -p candidate --release --test tensor_speed -- --ignored --nocapture`).

mod tensor_support;

use contract::isa::{AluOp, Dtype, Generation};
use contract::model::TensorModel;
use contract::outcome::TensorVerdict;
use contract::state::{Space, TensorState};
use std::time::Instant;
use tensor_support::{Cache, Cumulative, Pattern, models, region, state};

/// Best time of one step in nanoseconds.
fn best(model: &mut impl TensorModel, state: &mut TensorState, record: &[u8; 64], n: u32) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..25 {
        let start = Instant::now();
        for _ in 0..n {
            let step = model.step(state, record).expect("inside the regions");
            assert_eq!(step.verdict, TensorVerdict::Accept);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(n));
    }
    best
}

/// A state whose first region is source data and whose second is the destination.
fn memory(channels: u32, bytes: usize) -> TensorState {
    let mut seed = 1u32;
    let data = (0..channels as usize * bytes).map(|_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Exponents near 1, so that nothing becomes a NaN at once.
        (seed >> 24) as u8 & 0x3F
    });
    state(
        Generation::Mariana,
        vec![
            region(Space::Sbuf, 0, channels, 0, data.collect()),
            region(Space::Sbuf, 0, channels, 0x1_0000, vec![0; channels as usize * bytes]),
        ],
    )
}

#[test]
#[ignore = "measures; run with --release on a quiet machine"]
fn elements_take_about_a_nanosecond() {
    for (channels, elements) in
        [(128u8, 4096u16), (8, 4096), (1, 4096), (16, 64), (8, 64), (8, 16), (4, 16), (1, 1)]
    {
        let total = f64::from(channels) * f64::from(elements);
        let repeat = (2e5 / total).clamp(1.0, 2_000.0) as u32;
        for mut model in models() {
            let path = model.path();
            let mut measure = |name: &str, record: [u8; 64], size: usize| {
                let mut state = memory(u32::from(channels), usize::from(elements) * size);
                let time = best(&mut model, &mut state, &record, repeat);
                println!(
                    "{channels:>3} x {elements:>4} {path:?} {name}: {:.2} ns/element, {time:.0} ns",
                    time / total
                );
                assert!(time < 2_000.0 + 25.0 * total, "{name}");
            };
            let destination = Pattern::line(0x1_0000, elements);
            let source = Pattern::line(0, elements);
            for (dtype, size) in
                [(Dtype::Fp32, 4), (Dtype::Int16, 2), (Dtype::Bfloat16, 2), (Dtype::Fp8Exp4, 1)]
            {
                let dtype_name = dtype.name();
                for (opcode, op1) in
                    [(0x9A, AluOp::Add), (0xE6, AluOp::Add), (0xE6, AluOp::Max), (0x9A, AluOp::Max)]
                {
                    let record = Cache {
                        opcode,
                        channels,
                        op1: op1.wire(),
                        in_dtype: dtype.wire(),
                        out_dtype: dtype.wire(),
                        source: source.clone(),
                        destination: destination.clone(),
                        imm0: 0.25f32.to_bits(),
                        ..Cache::default()
                    };
                    let name = format!("{opcode:#04x} {dtype_name} Mult {}", op1.name());
                    measure(&name, record.encode(), size);
                }
                for op in [AluOp::Add, AluOp::Max, AluOp::AddInt, AluOp::LogicalXor, AluOp::Bypass]
                {
                    let record = Cumulative {
                        channels,
                        op: op.wire(),
                        in_dtype: dtype.wire(),
                        out_dtype: dtype.wire(),
                        source: source.clone(),
                        destination: destination.clone(),
                        ..Cumulative::default()
                    };
                    measure(&format!("0x4e {dtype_name} {}", op.name()), record.encode(), size);
                }
            }
            for (op, dtype, size) in [
                (AluOp::BitwiseXor, Dtype::Uint32, 4),
                (AluOp::BitwiseAnd, Dtype::Uint8, 1),
                (AluOp::LogicalShiftLeft, Dtype::Uint32, 4),
                (AluOp::Crc32, Dtype::Uint32, 4),
                (AluOp::Crc32, Dtype::Uint8, 1),
            ] {
                let record = Cumulative {
                    channels,
                    op: op.wire(),
                    in_dtype: dtype.wire(),
                    out_dtype: dtype.wire(),
                    source: source.clone(),
                    destination: destination.clone(),
                    ..Cumulative::bitvec()
                };
                let name = format!("0x5e {} {}", dtype.name(), op.name());
                measure(&name, record.encode(), size);
            }
        }
    }
}
