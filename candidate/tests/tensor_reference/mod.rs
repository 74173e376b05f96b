//! A plain evaluation of the four instructions, element by element, for comparison: conversions by
//! exact arithmetic in double precision and by search in the list of a format's values, recurrences as
//! the formulas stand, memory byte by byte. Slow and obvious on purpose.
#![allow(dead_code, reason = "every test binary uses another part of this module")]

use crate::tensor_support::{Cache, Cumulative, Pattern};
use contract::isa::{AluOp, Dtype};
use contract::profile::{F2iRound, Fp8Overflow, Op1Order, Profile, ReduceEmit};
use contract::state::{OutsideCase, Space, TensorState};
use std::collections::{BTreeMap, BTreeSet};

/// Memory, partition and byte offset of an element.
type Place = (Space, u32, i64);

const QNAN: u32 = 0x7FC0_0000;

/// Bytes, exponent bits and fraction bits of the narrow formats.
fn narrow_format(dtype: Dtype) -> Option<(u32, u32)> {
    match dtype {
        Dtype::Fp8Exp3 => Some((3, 4)),
        Dtype::Fp8Exp4 => Some((4, 3)),
        Dtype::Fp8Exp5 => Some((5, 2)),
        Dtype::Fp16 => Some((5, 10)),
        Dtype::Bfloat16 => Some((8, 7)),
        _ => None,
    }
}

/// Range of an integer dtype.
fn integer_range(dtype: Dtype) -> Option<(i64, i64)> {
    match dtype {
        Dtype::Int8 => Some((-128, 127)),
        Dtype::Uint8 => Some((0, 255)),
        Dtype::Int16 => Some((-32768, 32767)),
        Dtype::Uint16 => Some((0, 65535)),
        Dtype::Int32 => Some((-(1 << 31), (1 << 31) - 1)),
        Dtype::Uint32 => Some((0, (1 << 32) - 1)),
        _ => None,
    }
}

/// The finite value of a magnitude code by the formula of spec 03 section 3.1.
fn magnitude_value(code: u32, exponent_bits: u32, fraction_bits: u32) -> f64 {
    let bias = (1 << (exponent_bits - 1)) - 1;
    let exponent = (code >> fraction_bits) as i32;
    let fraction = f64::from(code & ((1 << fraction_bits) - 1));
    let m = fraction_bits as i32;
    if exponent == 0 {
        fraction * 2f64.powi(1 - bias - m)
    } else {
        (fraction + 2f64.powi(m)) * 2f64.powi(exponent - bias - m)
    }
}

/// Integer value of a code.
fn integer_value(dtype: Dtype, code: u32) -> i64 {
    match dtype {
        Dtype::Int8 => i64::from(code as u8 as i8),
        Dtype::Int16 => i64::from(code as u16 as i16),
        Dtype::Int32 => i64::from(code as i32),
        _ => i64::from(code),
    }
}

/// Spec 03 section 3.3.
pub fn load(dtype: Dtype, code: u32) -> u32 {
    if integer_range(dtype).is_some() {
        return (integer_value(dtype, code) as f32).to_bits();
    }
    let Some((exponent_bits, fraction_bits)) = narrow_format(dtype) else { return code };
    let width = exponent_bits + fraction_bits;
    let sign = code >> width & 1;
    let magnitude = code & ((1 << width) - 1);
    let infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    let bits = if magnitude > infinity {
        QNAN
    } else if magnitude == infinity {
        f32::INFINITY.to_bits()
    } else {
        // Exact: every value of these formats is an FP32 value.
        (magnitude_value(magnitude, exponent_bits, fraction_bits) as f32).to_bits()
    };
    sign << 31 | bits
}

fn is_nan(bits: u32) -> bool {
    bits & 0x7FFF_FFFF > 0x7F80_0000
}

/// FP32 to an integer of a range (spec 03 section 3.4).
fn to_integer(value: u32, (low, high): (i64, i64), profile: &Profile) -> i64 {
    if is_nan(value) {
        return high;
    }
    let exact = f64::from(f32::from_bits(value));
    let whole = match profile.f2i_round {
        F2iRound::TowardZero => exact.trunc(),
        F2iRound::NearestEven => exact.round_ties_even(),
    };
    whole.clamp(low as f64, high as f64) as i64
}

/// Spec 03 section 3.4.
pub fn store(dtype: Dtype, value: u32, profile: &Profile) -> u32 {
    if let Some(range) = integer_range(dtype) {
        return to_integer(value, range, profile) as u32;
    }
    let sign = value >> 31;
    if dtype == Dtype::Fp32r {
        if is_nan(value) {
            return sign << 31 | QNAN;
        }
        let step = 1u64 << (23 - profile.fp32r_fraction.bits());
        let magnitude = u64::from(value & 0x7FFF_FFFF);
        let below = magnitude / step * step;
        let rest = magnitude - below;
        let odd = magnitude / step % 2 == 1;
        let up = 2 * rest > step || 2 * rest == step && odd;
        return sign << 31 | (below + if up { step } else { 0 }) as u32;
    }
    let Some((exponent_bits, fraction_bits)) = narrow_format(dtype) else { return value };
    let width = exponent_bits + fraction_bits;
    let infinity = ((1 << exponent_bits) - 1) << fraction_bits;
    if is_nan(value) {
        return sign << width | infinity | 1 << (fraction_bits - 1);
    }
    let magnitude = f64::from(f32::from_bits(value & 0x7FFF_FFFF));
    let code = if magnitude.is_infinite() {
        infinity
    } else {
        // The infinity code stands for the next step above the largest finite value.
        let value_of = |code: u32| magnitude_value(code, exponent_bits, fraction_bits);
        let (mut low, mut high) = (0, infinity);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if value_of(middle) <= magnitude { low = middle } else { high = middle }
        }
        let (below, above) = (value_of(low), value_of(high));
        let nearest = if magnitude >= above {
            high
        } else if magnitude - below == above - magnitude {
            if low % 2 == 0 { low } else { high }
        } else if magnitude - below < above - magnitude {
            low
        } else {
            high
        };
        let fp8 = width == 7;
        if nearest == infinity && fp8 && profile.fp8_overflow == Fp8Overflow::Saturate {
            infinity - 1
        } else {
            nearest
        }
    };
    sign << width | code
}

/// Arithmetic with the NaN rules of spec 03 section 4, the host's result being trusted for numbers.
fn arithmetic(left: u32, right: u32, host: f32) -> u32 {
    if is_nan(left) {
        left | 0x0040_0000
    } else if is_nan(right) {
        right | 0x0040_0000
    } else if host.is_nan() {
        QNAN
    } else {
        host.to_bits()
    }
}

/// `rn32(1/sqrt(x))` by bisection on exact 128-bit comparisons.
fn rsqrt(value: u32) -> u32 {
    if is_nan(value) {
        return value | 0x0040_0000;
    }
    match value {
        0 => return 0x7F80_0000,
        0x8000_0000 => return 0xFF80_0000,
        0x7F80_0000 => return 0,
        _ if value >> 31 == 1 => return QNAN,
        _ => {}
    }
    // value = x * 2^scale
    let (x, scale) = match value >> 23 {
        0 => (value, -149),
        exponent => (value & 0x7F_FFFF | 0x80_0000, exponent as i32 - 150),
    };
    // True if (y * 2^(e - 24))^2 * value < 1.
    let below_one = |y: u64, e: i32| {
        let product = u128::from(y) * u128::from(y) * u128::from(x);
        let power = 2 * (e - 24) + scale;
        if power >= 0 {
            false
        } else if -power >= 128 {
            true
        } else {
            product < 1u128 << -power
        }
    };
    // The largest normal FP32 whose square times the operand is below 1 or equal.
    let split =
        |bits: u32| (u64::from(bits & 0x7F_FFFF | 0x80_0000) << 1, (bits >> 23) as i32 - 127);
    let (mut low, mut high) = (0x0080_0000u32, 0x7F7F_FFFFu32);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let (y, e) = split(middle);
        if below_one(y, e) { low = middle } else { high = middle }
    }
    // Now low < 1/sqrt <= high; the midpoint of the two decides.
    let (y, e) = split(low);
    if below_one(y + 1, e) { high } else { low }
}

/// Spec 03 section 5.2.
pub fn float_op(op: AluOp, left: u32, right: u32) -> u32 {
    let (l, r) = (f32::from_bits(left), f32::from_bits(right));
    let truth = |x: f32| x != 0.0;
    let flag = |condition: bool| if condition { 1f32.to_bits() } else { 0 };
    let (abs_left, abs_right) = (left & 0x7FFF_FFFF, right & 0x7FFF_FFFF);
    match op {
        AluOp::Bypass => left,
        AluOp::Add => arithmetic(left, right, l + r),
        AluOp::Subtract => arithmetic(left, right, l - r),
        AluOp::Mult => arithmetic(left, right, l * r),
        AluOp::Max => {
            if l > r {
                left
            } else {
                right
            }
        }
        AluOp::Min => {
            if l < r {
                left
            } else {
                right
            }
        }
        AluOp::LogicalAnd => flag(truth(l) && truth(r)),
        AluOp::LogicalOr => flag(truth(l) || truth(r)),
        AluOp::LogicalXor => flag(truth(l) != truth(r)),
        AluOp::IsEQ => flag(l == r),
        AluOp::IsNE => flag(l != r),
        AluOp::IsGT => flag(l > r),
        AluOp::IsGE => flag(l >= r),
        AluOp::IsLE => flag(l <= r),
        AluOp::IsLT => flag(l < r),
        AluOp::AbsoluteDiff => float_op(AluOp::Subtract, left, right) & 0x7FFF_FFFF,
        AluOp::AbsoluteValue => abs_left,
        AluOp::AbsMax => float_op(AluOp::Max, abs_left, abs_right),
        AluOp::AbsMin => float_op(AluOp::Min, abs_left, abs_right),
        AluOp::ReLU => {
            if l > 0.0 {
                left
            } else {
                0
            }
        }
        AluOp::Square => float_op(AluOp::Mult, left, left),
        AluOp::Rsqrt => rsqrt(left),
        other => panic!("{other:?} is no C_F operator here"),
    }
}

/// Spec 03 section 5.3 on 32-bit integers of a signedness.
pub fn integer_op(op: AluOp, signed: bool, left: u32, right: u32) -> u32 {
    let read = |bits: u32| if signed { i64::from(bits as i32) } else { i64::from(bits) };
    let (l, r) = (read(left), read(right));
    let value = match op {
        AluOp::AddInt => l + r,
        AluOp::SubtractInt => l - r,
        AluOp::MultInt => l.wrapping_mul(r),
        AluOp::DivideInt if r == 0 => 0,
        AluOp::DivideInt => l / r,
        AluOp::ModInt if r == 0 => 0,
        AluOp::ModInt => l % r,
        other => panic!("{other:?} is no C_I operator here"),
    };
    value as u32
}

/// Spec 03 section 5.4 on patterns of `width` bits.
pub fn bit_op(op: AluOp, width: u32, left: u32, right: u32) -> u32 {
    let mask = (1u64 << width) - 1;
    let (l, n) = (u64::from(left), u64::from(right));
    let sign = l >> (width - 1) & 1 == 1;
    let value = match op {
        AluOp::Bypass => l,
        AluOp::BitwiseNot => !l,
        AluOp::BitwiseAnd => l & n,
        AluOp::BitwiseOr => l | n,
        AluOp::BitwiseXor => l ^ n,
        AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft if n >= u64::from(width) => 0,
        AluOp::ArithShiftLeft | AluOp::LogicalShiftLeft => l << n,
        AluOp::LogicalShiftRight if n >= u64::from(width) => 0,
        AluOp::LogicalShiftRight => l >> n,
        AluOp::ArithShiftRight => {
            let count = n.min(u64::from(width));
            let fill = if sign { mask & !(mask >> count) } else { 0 };
            l >> count | fill
        }
        AluOp::Crc32 => {
            let mut state = left;
            for byte in 0..width / 8 {
                state ^= right >> (8 * byte) & 0xFF;
                for _ in 0..8 {
                    let carry = state & 1 == 1;
                    state >>= 1;
                    if carry {
                        state ^= 0xEDB8_8320;
                    }
                }
            }
            u64::from(state)
        }
        other => panic!("{other:?} is no C_B operator here"),
    };
    (value & mask) as u32
}

/// Where a pattern starts: space, partition, offset.
fn place(state: &TensorState, address: u32) -> Place {
    let geometry = state.generation.geometry();
    if address < geometry.sbuf_region {
        let partition = address / geometry.sbuf_stride;
        (Space::Sbuf, partition, i64::from(address % geometry.sbuf_stride))
    } else {
        let inside = address - geometry.psum_base;
        let partition = inside / geometry.psum_stride;
        (Space::Psum, partition, i64::from(inside % geometry.psum_stride))
    }
}

/// Byte addresses (space, partition, offset) of every element of every channel.
pub fn elements(
    state: &TensorState,
    pattern: &Pattern,
    dtype: Dtype,
    channels: u8,
) -> Vec<Vec<Place>> {
    let (space, partition, start) = place(state, pattern.address);
    let size = i64::from(dtype.storage_bytes());
    let offsets = pattern.offsets();
    (0..u32::from(channels))
        .map(|channel| {
            offsets.iter().map(|at| (space, partition + channel, start + at * size)).collect()
        })
        .collect()
}

/// The condition of EXEC-BOUNDS for elements.
pub fn inside(state: &TensorState, elements: &[Vec<Place>]) -> bool {
    let geometry = state.generation.geometry();
    elements.iter().flatten().all(|&(space, partition, offset)| {
        let active = match space {
            Space::Sbuf => geometry.sbuf_active,
            Space::Psum => geometry.psum_active,
        };
        partition < 128 && offset >= 0 && offset < i64::from(active)
    })
}

/// The condition of EXEC-OVERLAP, byte by byte.
pub fn overlaps(source: (&[Vec<Place>], Dtype), destination: (&[Vec<Place>], Dtype)) -> bool {
    let bytes = |(elements, dtype): (&[Vec<Place>], Dtype)| -> BTreeSet<_> {
        let size = i64::from(dtype.storage_bytes());
        let all = elements.iter().flatten();
        all.flat_map(|&(space, p, at)| (at..at + size).map(move |byte| (space, p, byte))).collect()
    };
    let same =
        source.0 == destination.0 && source.1.storage_bytes() == destination.1.storage_bytes();
    !same && !bytes(source).is_disjoint(&bytes(destination))
}

fn read(state: &TensorState, (space, partition, offset): Place, bytes: u32) -> u32 {
    (0..bytes)
        .map(|k| u32::from(state.read_byte(space, partition, offset as u32 + k)) << (8 * k))
        .sum()
}

/// Writes collected elements in order, or finds the first byte outside every region.
fn write_all(
    state: &mut TensorState,
    writes: &[(Place, u32)],
    bytes: u32,
) -> Result<(), OutsideCase> {
    for &((space, partition, offset), _) in writes {
        for offset in offset as u32..offset as u32 + bytes {
            if state.find(space, partition, offset).is_none() {
                return Err(OutsideCase { space, partition, offset });
            }
        }
    }
    for &((space, partition, offset), code) in writes {
        for k in 0..bytes {
            state.write_byte(space, partition, offset as u32 + k, (code >> (8 * k)) as u8)?;
        }
    }
    Ok(())
}

/// The scalar of a channel (spec 03 section 3.6).
fn scalar(state: &TensorState, source: u8, word: u32, channel: u32) -> u32 {
    let address = match source {
        0 => return word,
        1 => word,
        _ => state.registers[word as usize],
    };
    let (space, partition, offset) = place(state, address);
    read(state, (space, partition + channel, offset), 4)
}

/// Executes a valid, executable 0x9A or 0xE6 record; the flag INDETERMINATE_ACC.
pub fn run_cache(state: &mut TensorState, record: &Cache) -> Result<bool, OutsideCase> {
    let profile = state.profile;
    let in_dtype = Dtype::from_wire(record.in_dtype).unwrap();
    let out_dtype = Dtype::from_wire(record.out_dtype).unwrap();
    let op0 = AluOp::from_wire(record.op0).unwrap();
    let op1 = AluOp::from_wire(record.op1).unwrap();
    let sources = elements(state, &record.source, in_dtype, record.channels);
    let destinations = elements(state, &record.destination, out_dtype, record.channels);
    let mut writes = Vec::new();
    let mut accumulators = BTreeMap::new();
    let mut indeterminate = false;
    for channel in 0..usize::from(record.channels) {
        let s0 = scalar(state, record.imm0_src, record.imm0, channel as u32);
        let seeded = state.seeded >> channel & 1 == 1;
        let mut a = match record.accumulator_cmd {
            3 => match op1 {
                AluOp::Add | AluOp::Subtract => 0.0f32.to_bits(),
                AluOp::Mult => 1.0f32.to_bits(),
                AluOp::Max => f32::NEG_INFINITY.to_bits(),
                _ => f32::INFINITY.to_bits(),
            },
            4 => scalar(state, record.imm1_src, record.imm1, channel as u32),
            _ if seeded => state.accumulators[channel],
            _ => {
                indeterminate = true;
                0
            }
        };
        let last = sources[channel].len() - 1;
        for (index, &at) in sources[channel].iter().enumerate() {
            let code = read(state, at, u32::from(in_dtype.storage_bytes()));
            let t = float_op(op0, load(in_dtype, code), s0);
            a = match profile.op1_order {
                Op1Order::AccLeft => float_op(op1, a, t),
                Op1Order::AccRight => float_op(op1, t, a),
            };
            let emitted = match (record.opcode, profile.reduce_emit) {
                (0xE6, _) => Some(a),
                (_, ReduceEmit::Elementwise) => Some(t),
                _ => (index == last).then_some(a),
            };
            if let Some(value) = emitted {
                writes.push((destinations[channel][index], store(out_dtype, value, &profile)));
            }
        }
        accumulators.insert(channel, a);
    }
    write_all(state, &writes, u32::from(out_dtype.storage_bytes()))?;
    for (channel, value) in accumulators {
        state.accumulators[channel] = value;
        state.seeded |= 1 << channel;
    }
    Ok(indeterminate)
}

/// Executes a valid, executable 0x4E or 0x5E record.
pub fn run_cumulative(state: &mut TensorState, record: &Cumulative) -> Result<(), OutsideCase> {
    let profile = state.profile;
    let in_dtype = Dtype::from_wire(record.in_dtype).unwrap();
    let out_dtype = Dtype::from_wire(record.out_dtype).unwrap();
    let op = AluOp::from_wire(record.op).unwrap();
    let width = 8 * u32::from(in_dtype.storage_bytes());
    let integer = op.wire() >= 0xC4;
    let signed = !matches!(in_dtype, Dtype::Uint8 | Dtype::Uint16 | Dtype::Uint32);
    let axes = usize::from(record.op_dim) - 1;
    let run: usize =
        record.source.counts.iter().take(axes).map(|&count| usize::from(count)).product();
    let sources = elements(state, &record.source, in_dtype, record.channels);
    let destinations = elements(state, &record.destination, out_dtype, record.channels);
    let ld = |code: u32| {
        if record.opcode == 0x5E {
            code
        } else if !integer {
            load(in_dtype, code)
        } else if integer_range(in_dtype).is_some() {
            integer_value(in_dtype, code) as u32
        } else {
            to_integer(load(in_dtype, code), (-(1 << 31), (1 << 31) - 1), &profile) as u32
        }
    };
    let st = |value: u32| {
        if record.opcode == 0x5E || integer && integer_range(out_dtype).is_some() {
            value
        } else if integer {
            let exact = if signed { i64::from(value as i32) } else { i64::from(value) };
            store(out_dtype, (exact as f32).to_bits(), &profile)
        } else {
            store(out_dtype, value, &profile)
        }
    };
    let apply = |left: u32, right: u32| {
        if record.opcode == 0x5E {
            bit_op(op, width, left, right)
        } else if integer {
            integer_op(op, signed, left, right)
        } else {
            float_op(op, left, right)
        }
    };
    let mut writes = Vec::new();
    for channel in 0..usize::from(record.channels) {
        let mut r = 0;
        for (index, &at) in sources[channel].iter().enumerate() {
            let x = ld(read(state, at, u32::from(in_dtype.storage_bytes())));
            r = if index % run == 0 { x } else { apply(r, x) };
            writes.push((destinations[channel][index], st(r)));
        }
    }
    write_all(state, &writes, u32::from(out_dtype.storage_bytes()))
}
