//! Every primitive of every path against its meaning lane by lane.

use super::{Lanes, Words};
#[cfg(target_arch = "x86_64")]
use super::{Ymm, Zmm};

type Bytes = [u8; 64];

fn lane(bytes: &Bytes, w: u32, l: usize) -> u64 {
    let size = w as usize / 8;
    let mut value = [0; 8];
    value[..size].copy_from_slice(&bytes[l * size..][..size]);
    u64::from_le_bytes(value)
}

fn signed(value: u64, w: u32) -> i64 {
    (value << (64 - w)).cast_signed() >> (64 - w)
}

/// A register from a function of the lane index.
fn lanes(w: u32, f: impl Fn(usize) -> i64) -> Bytes {
    let size = w as usize / 8;
    let mut out = [0; 64];
    for (l, chunk) in out.chunks_exact_mut(size).enumerate() {
        chunk.copy_from_slice(&f(l).to_le_bytes()[..size]);
    }
    out
}

/// A mask from a function of the lane index.
fn mask(w: u32, f: impl Fn(usize) -> bool) -> u64 {
    (0..64).filter(|byte| f(byte * 8 / w as usize)).fold(0, |mask, byte| mask | 1 << byte)
}

fn out<L: Lanes>(value: L) -> Bytes {
    let mut bytes = [0; 64];
    value.store(&mut bytes);
    bytes
}

/// SplitMix64.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Random bytes, half of them from the ends of the lane range so that limits meet.
fn register(seed: &mut u64) -> Bytes {
    let edges = random(seed).is_multiple_of(2);
    std::array::from_fn(|_| {
        let byte = random(seed) as u8;
        if edges { [0x00, 0x80, 0x7f, 0xff, 0x01][usize::from(byte) % 5] } else { byte }
    })
}

#[inline(always)]
fn check_width<L: Lanes, const W: u32>(x: &Bytes, y: &Bytes) {
    let (a, b) = (L::load(x), L::load(y));
    let u = |l| (lane(x, W, l).cast_signed(), lane(y, W, l).cast_signed());
    let s = |l| (signed(lane(x, W, l), W), signed(lane(y, W, l), W));
    assert_eq!(out(a.add::<W>(b)), lanes(W, |l| u(l).0 + u(l).1));
    assert_eq!(out(a.sub::<W>(b)), lanes(W, |l| u(l).0 - u(l).1));
    assert_eq!(out(a.min_signed::<W>(b)), lanes(W, |l| s(l).0.min(s(l).1)));
    assert_eq!(out(a.max_signed::<W>(b)), lanes(W, |l| s(l).0.max(s(l).1)));
    assert_eq!(out(a.min_unsigned::<W>(b)), lanes(W, |l| u(l).0.min(u(l).1)));
    assert_eq!(out(a.max_unsigned::<W>(b)), lanes(W, |l| u(l).0.max(u(l).1)));
    assert_eq!(a.equal::<W>(b), mask(W, |l| u(l).0 == u(l).1));
    assert_eq!(a.greater_signed::<W>(b), mask(W, |l| s(l).0 > s(l).1));
    assert_eq!(out(L::iota::<W>()), lanes(W, |l| l as i64));
    let value = u32::from_le_bytes([x[0], x[1], x[2], x[3]]);
    assert_eq!(out(L::splat::<W>(value)), lanes(W, |_| i64::from(value)));
}

#[inline(always)]
fn check_shifts<L: Lanes, const W: u32>(x: &Bytes, y: &Bytes, amount: u32) {
    let a = L::load(x);
    let left = |v: u64, n: u64| if n >= u64::from(W) { 0 } else { (v << n).cast_signed() };
    let right = |v: u64, n: u64| if n >= u64::from(W) { 0 } else { (v >> n).cast_signed() };
    let fill = |v: u64, n: u64| signed(v, W) >> n.min(u64::from(W) - 1);
    let n = u64::from(amount);
    assert_eq!(out(a.shift_left::<W>(amount)), lanes(W, |l| left(lane(x, W, l), n)));
    assert_eq!(out(a.shift_right::<W>(amount)), lanes(W, |l| right(lane(x, W, l), n)));
    assert_eq!(out(a.shift_right_signed::<W>(amount)), lanes(W, |l| fill(lane(x, W, l), n)));
    // Amounts of every size, and small ones.
    for amounts in [*y, lanes(W, |l| signed(lane(y, W, l) % (2 * u64::from(W) + 1), 32))] {
        let b = L::load(&amounts);
        let n = |l| lane(&amounts, W, l);
        assert_eq!(out(a.shift_left_each::<W>(b)), lanes(W, |l| left(lane(x, W, l), n(l))));
        assert_eq!(out(a.shift_right_each::<W>(b)), lanes(W, |l| right(lane(x, W, l), n(l))));
        assert_eq!(out(a.shift_right_signed_each::<W>(b)), lanes(W, |l| fill(lane(x, W, l), n(l))));
    }
}

#[inline(always)]
fn check_bytes<L: Lanes>(x: &Bytes, y: &Bytes, z: &Bytes, bits: u64) {
    let (a, b, c) = (L::load(x), L::load(y), L::load(z));
    assert_eq!(out(a), *x);
    assert_eq!(a.low32(), lane(x, 32, 0) as u32);
    let byte = |f: &dyn Fn(usize) -> u8| lanes(8, |i| i64::from(f(i)));
    assert_eq!(out(a.and(b)), byte(&|i| x[i] & y[i]));
    assert_eq!(out(a.or(b)), byte(&|i| x[i] | y[i]));
    assert_eq!(out(a.xor(b)), byte(&|i| x[i] ^ y[i]));
    assert_eq!(out(a.not()), byte(&|i| !x[i]));
    assert_eq!(out(L::zero()), [0; 64]);
    let chosen = |i: usize| bits >> i & 1 == 1;
    assert_eq!(out(L::blend(bits, a, b)), byte(&|i| if chosen(i) { x[i] } else { y[i] }));
    assert_eq!(out(a.permute(c)), byte(&|i| x[usize::from(z[i] % 64)]));
    let pool: Vec<u8> = x.iter().chain(y).copied().collect();
    assert_eq!(out(L::permute_pool(a, b, c)), byte(&|i| pool[usize::from(z[i] % 128)]));
    let table: [u8; 16] = std::array::from_fn(|i| y[i]);
    let nibbles = byte(&|i| z[i] & 15);
    assert_eq!(out(L::load(&nibbles).look_up(&table)), byte(&|i| table[usize::from(nibbles[i])]));
    assert_eq!(out(a.exchange::<1>()), byte(&|i| x[i ^ 1]));
    assert_eq!(out(a.exchange::<2>()), byte(&|i| x[i ^ 2]));
    assert_eq!(out(a.exchange::<4>()), byte(&|i| x[i ^ 4]));
    assert_eq!(out(a.exchange::<8>()), byte(&|i| x[i ^ 8]));
    assert_eq!(out(a.exchange::<16>()), byte(&|i| x[i ^ 16]));
    assert_eq!(out(a.exchange::<32>()), byte(&|i| x[i ^ 32]));
    let below = |i: usize| (bits & ((1 << i) - 1)).count_ones() as usize;
    let expanded = byte(&|i| if chosen(i) { x[below(i)] } else { y[i] });
    assert_eq!(out(a.expand(bits, b)), expanded);
    let s = |l| (signed(lane(x, 16, l), 16), signed(lane(y, 16, l), 16));
    let clamp = |v: i64| v.clamp(-0x8000, 0x7fff);
    assert_eq!(out(a.add_saturating_16(b)), lanes(16, |l| clamp(s(l).0 + s(l).1)));
    assert_eq!(out(a.sub_saturating_16(b)), lanes(16, |l| clamp(s(l).0 - s(l).1)));
    let product = |l| s(l).0 * s(l).1;
    let pairs = lanes(32, |l| product(2 * l) + product(2 * l + 1));
    assert_eq!(out(a.multiply_add_pairs_16(b)), pairs);
}

/// Runs every check; inlined into a function with the path's target features.
#[inline(always)]
fn check<L: Lanes>() {
    let mut seed = 0x51d;
    for round in 0..400 {
        let (x, y, z) = (register(&mut seed), register(&mut seed), register(&mut seed));
        let y = if round % 8 == 0 { x } else { y };
        let bits = match round % 16 {
            0 => 0,
            1 => u64::MAX,
            _ => random(&mut seed),
        };
        check_bytes::<L>(&x, &y, &z, bits);
        check_width::<L, 8>(&x, &y);
        check_width::<L, 16>(&x, &y);
        check_width::<L, 32>(&x, &y);
        let amount = random(&mut seed) as u32 % 40;
        check_shifts::<L, 16>(&x, &y, amount);
        check_shifts::<L, 32>(&x, &y, amount);
    }
    // The one pair sum that leaves 32 bits wraps.
    let least = [0x00, 0x80].repeat(32).try_into().expect("64 bytes");
    check_bytes::<L>(&least, &least, &least, 0x8000_0000_0000_0001);
}

#[test]
fn portable_primitives_mean_what_they_say() {
    check::<Words>();
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx2_primitives_mean_what_they_say() {
    #[target_feature(enable = "avx2")]
    fn run() {
        check::<Ymm>();
    }
    if is_x86_feature_detected!("avx2") {
        // SAFETY: just detected.
        unsafe { run() }
    } else {
        println!("skipped: this machine has no avx2");
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx512_primitives_mean_what_they_say() {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
    fn run() {
        check::<Zmm>();
    }
    if crate::simd::Simd::detect() == crate::simd::Simd::Avx512 {
        // SAFETY: just detected.
        unsafe { run() }
    } else {
        println!("skipped: this machine has no avx512");
    }
}
