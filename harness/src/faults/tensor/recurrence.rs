//! The arithmetic of a misreader: load, operator, store, and the recurrences of chapter 03 sections 7.4 and
//! 7.5 over the elements of one channel.

use super::reading::{Domain, Reading};
use super::rules::{Rules, Twist};
use contract::isa::AluOp;
use contract::profile::{Op1Order, Profile};
use contract::state::TensorState;
use oracle::numeric::{bits, convert, fp32, integer};

/// Memory code to compute value.
pub fn load(reading: &Reading, rules: &Rules, code: u64) -> u64 {
    let dtype = reading.source.dtype;
    match reading.domain {
        Domain::Float => {
            let right = || convert::load(code, dtype);
            u64::from((rules.load)(dtype, code).unwrap_or_else(right))
        }
        Domain::Integer(format) => convert::load_integer(code, dtype, format, &reading.profile),
        Domain::Bits(_) => code,
    }
}

/// Compute value to memory code.
pub fn store(reading: &Reading, rules: &Rules, value: u64, profile: &Profile) -> u64 {
    let dtype = reading.destination.dtype;
    match reading.domain {
        Domain::Float => (rules.store)(dtype, value as u32, profile)
            .unwrap_or_else(|| convert::store(value as u32, dtype, profile)),
        Domain::Integer(format) => (rules.store_integer)(dtype, format, value)
            .unwrap_or_else(|| convert::store_integer(value, dtype, format, profile)),
        Domain::Bits(_) => value,
    }
}

/// `op(L, R)`. An operator without a rule in the compute type, which only a misread record has, passes L.
pub fn apply(reading: &Reading, rules: &Rules, op: AluOp, left: u64, right: u64) -> u64 {
    match reading.domain {
        Domain::Float => {
            let (left, right) = (left as u32, right as u32);
            let rule = || fp32::operator(op).map_or(left, |rule| rule(left, right));
            u64::from((rules.float)(op, left, right).unwrap_or_else(rule))
        }
        Domain::Integer(format) => {
            let rule = || integer::operator(op).map_or(left, |rule| rule(format, left, right));
            (rules.integer)(op, format, left, right).unwrap_or_else(rule)
        }
        Domain::Bits(width) => {
            let rule = || bits::operator(op).map_or(left, |rule| rule(width, left, right));
            (rules.bits)(op, width, left, right).unwrap_or_else(rule)
        }
    }
}

/// `A = op1(A, t)`.
pub fn combine(
    reading: &Reading,
    rules: &Rules,
    state: &TensorState,
    running: u64,
    folded: u64,
) -> u64 {
    let op = if rules.twist == Twist::CombineFirst { reading.fold } else { reading.combine };
    let left =
        (state.profile.op1_order == Op1Order::AccLeft) != (rules.twist == Twist::ElementLeft);
    if left {
        apply(reading, rules, op, running, folded)
    } else {
        apply(reading, rules, op, folded, running)
    }
}

/// The recurrence of the cached opcodes: values become the running accumulator; what it ends with.
pub fn cached(
    reading: &Reading,
    rules: &Rules,
    state: &TensorState,
    start: u64,
    [scalar0, scalar1]: [u64; 2],
    values: &mut Vec<u64>,
    passes: &mut Vec<u64>,
) -> u64 {
    match rules.twist {
        Twist::LogStep | Twist::LogStepUnmasked | Twist::LogStepSwapped => {
            values[0] = combine(reading, rules, state, start, values[0]);
            log_step(reading, rules, values, passes);
            return values[values.len() - 1];
        }
        Twist::Tree => {
            passes.clear();
            passes.push(start);
            passes.extend_from_slice(values);
            let end = tree(reading, rules, passes);
            *values.last_mut().unwrap_or(&mut 0) = end;
            return end;
        }
        _ => {}
    }
    let row = usize::from(reading.source.pattern.counts[0]);
    let mut running = start;
    for (position, value) in values.iter_mut().enumerate() {
        if rules.twist == Twist::RestartPerRow && position % row == 0 {
            running = start;
        }
        let before = running;
        running = match rules.twist {
            Twist::TwoScalars => apply(reading, rules, reading.combine, *value, scalar1),
            Twist::Fused => fused(*value, scalar0, running),
            _ => combine(reading, rules, state, running, *value),
        };
        if rules.twist == Twist::RoundRunning {
            running = rounded(reading, running);
        }
        *value = if rules.twist == Twist::Exclusive { before } else { running };
    }
    running
}

/// Mult and Add without a rounding between them; the right result where a NaN would come out.
fn fused(value: u64, scalar: u64, running: u64) -> u64 {
    let [value, scalar, running] = [value, scalar, running].map(|bits| bits as u32);
    let [x, s, a] = [value, scalar, running].map(f32::from_bits);
    let result = x.mul_add(s, a);
    let bits = if result.is_nan() {
        fp32::add(running, fp32::mult(value, scalar))
    } else {
        result.to_bits()
    };
    u64::from(bits)
}

/// A value after a store to the output dtype and back.
fn rounded(reading: &Reading, value: u64) -> u64 {
    let (dtype, profile) = (reading.destination.dtype, &reading.profile);
    match reading.domain {
        Domain::Float => {
            u64::from(convert::load(convert::store(value as u32, dtype, profile), dtype))
        }
        Domain::Integer(format) => {
            let code = convert::store_integer(value, dtype, format, profile);
            convert::load_integer(code, dtype, format, profile)
        }
        Domain::Bits(_) => value,
    }
}

/// The recurrence of TensorCumulative in runs of `length`; what the last run ends with.
pub fn scan(
    reading: &Reading,
    rules: &Rules,
    start: Option<u64>,
    length: usize,
    values: &mut [u64],
    passes: &mut Vec<u64>,
) -> Option<u64> {
    let op = reading.combine;
    let mut running = start;
    let mut end = None;
    for run in values.chunks_mut(length) {
        if matches!(rules.twist, Twist::LogStep | Twist::LogStepUnmasked | Twist::LogStepSwapped) {
            log_step(reading, rules, run, passes);
            continue;
        }
        for value in run.iter_mut() {
            let before = running.unwrap_or(0);
            let next = match running {
                None if rules.twist == Twist::FirstThroughOperator => {
                    apply(reading, rules, op, 0, *value)
                }
                None => *value,
                Some(running) if rules.twist == Twist::ElementLeft => {
                    apply(reading, rules, op, *value, running)
                }
                Some(running) => apply(reading, rules, op, running, *value),
            };
            let next =
                if rules.twist == Twist::RoundRunning { rounded(reading, next) } else { next };
            *value = if rules.twist == Twist::Exclusive { before } else { next };
            running = Some(next);
        }
        end = running.take();
    }
    end
}

/// Hillis-Steele passes with strides 1, 2, 4, …
fn log_step(reading: &Reading, rules: &Rules, values: &mut [u64], passes: &mut Vec<u64>) {
    let count = values.len();
    let mut stride = 1;
    while stride < count {
        passes.clear();
        passes.extend_from_slice(values);
        for at in 0..count {
            let wraps = at < stride;
            if wraps && rules.twist != Twist::LogStepUnmasked {
                continue;
            }
            let partner = passes[(at + count - stride) % count];
            let own = passes[at];
            values[at] = if rules.twist == Twist::LogStepSwapped {
                apply(reading, rules, reading.combine, own, partner)
            } else {
                apply(reading, rules, reading.combine, partner, own)
            };
        }
        stride *= 2;
    }
}

/// A balanced tree that keeps the order of its leaves.
fn tree(reading: &Reading, rules: &Rules, leaves: &mut Vec<u64>) -> u64 {
    while leaves.len() > 1 {
        let pairs = leaves.len().div_ceil(2);
        for pair in 0..pairs {
            leaves[pair] = match leaves.get(2 * pair + 1) {
                Some(&right) => apply(reading, rules, reading.combine, leaves[2 * pair], right),
                None => leaves[2 * pair],
            };
        }
        leaves.truncate(pairs);
    }
    leaves.first().copied().unwrap_or(0)
}
