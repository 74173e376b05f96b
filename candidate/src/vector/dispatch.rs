//! From an op to the code that executes it: by family, then by code path. Each family is compiled
//! once per path, with that path's target features.

use super::lanes::Words;
#[cfg(target_arch = "x86_64")]
use super::lanes::{Ymm, Zmm};
use super::step::{Fault, Step};
use super::table::Op;
use super::{align, alu, crossbar, memory, moves, predicate, reduce, scalar, shift, wide};
use crate::simd::Simd;

/// Runs a family's generic `run` on the chosen path.
macro_rules! on_path {
    ($simd:expr, $family:ident::$ty:ident($op:expr, $step:expr) -> $result:ty) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn avx2(op: $family::$ty, step: &mut Step<'_>) -> $result {
            $family::run::<Ymm>(op, step)
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
        fn avx512(op: $family::$ty, step: &mut Step<'_>) -> $result {
            $family::run::<Zmm>(op, step)
        }
        fn portable(op: $family::$ty, step: &mut Step<'_>) -> $result {
            $family::run::<Words>(op, step)
        }
        match $simd {
            // SAFETY: the executor holds a path only if the machine has it.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => unsafe { avx2($op, $step) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => unsafe { avx512($op, $step) },
            _ => portable($op, $step),
        }
    }};
}

/// Executes one op on a path that the machine has.
#[inline]
pub(super) fn run(simd: Simd, op: Op, step: &mut Step<'_>) -> Result<(), Fault> {
    match op {
        Op::Nop | Op::Unsupported => {}
        Op::Scalar(op) => return scalar::run(op, step),
        Op::Memory(op) => {
            return on_path!(simd, memory::MemoryOp(op, step) -> Result<(), Fault>);
        }
        Op::Align(op) => return on_path!(simd, align::AlignOp(op, step) -> Result<(), Fault>),
        Op::Crossbar(op) => on_path!(simd, crossbar::CrossbarOp(op, step) -> ()),
        Op::Reduce(op) => on_path!(simd, reduce::ReduceOp(op, step) -> ()),
        Op::Predicate(op) => predicate::run(op, step),
        Op::Alu(op) => on_path!(simd, alu::AluOp(op, step) -> ()),
        Op::Shift(op) => on_path!(simd, shift::ShiftOp(op, step) -> ()),
        Op::Move(op) => on_path!(simd, moves::MoveOp(op, step) -> ()),
        Op::Wide(op) => on_path!(simd, wide::WideOp(op, step) -> ()),
    }
    Ok(())
}
