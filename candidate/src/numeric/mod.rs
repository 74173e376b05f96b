//! Numbers: conversions between memory codes and compute values, and the operators on lanes.
//!
//! A compute value is always a `u32`: FP32 bits in C_F, an integer modulo 2^32 in C_I(32), a
//! zero-extended pattern in C_B(W) (spec 03 section 3.2). Everything works on bit patterns, so that no
//! host NaN can leak into a result, and nearly everything is branch-free, so that the compiler turns
//! the slice kernels into vector code; each kernel is compiled once per path of [`simd`](crate::simd).
//!
//! - [`mod@format`]: FP32 to and from the narrow formats and the integers, one value at a time.
//! - [`mod@load`], [`mod@store`]: the same on whole slices of memory.
//! - `float`, `integer`, `bits`, `crc`, [`mod@rsqrt`]: operators of C_F, C_I and C_B.
//! - `operator`: the table of operators, and which of them an ALU_OP is in a compute type.
//! - `row`, `tile`: operators along one stream, and across many streams side by side.
//! - `transpose`: rows of a stream to lanes side by side, and back.

pub mod format;
pub mod load;
pub mod rsqrt;
pub mod store;

pub(crate) mod bits;
pub(crate) mod crc;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod operator;
pub(crate) mod row;
pub(crate) mod tile;
pub(crate) mod transpose;

#[cfg(test)]
pub(crate) mod testing;

pub use load::{Load, load};
pub use store::{Store, store};
