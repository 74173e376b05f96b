//! Values of registers, by role and style: edge sets, ties, ramps, controls with junk above the mask,
//! amounts around the width, dirty predicates, NaN mixes, random bits. A style and a 64-bit sub-seed
//! are drawn; the elements come from a small generator of their own, so that bulk data costs no input.

use super::super::values::formats::nearest;
use super::super::{DataSource, Draw};
use super::bulk::{Bulk, lanes};
use super::edges::Edges;
use super::roles::{Lane, Role};
use contract::isa::Dtype;
use contract::state::LINE;

/// How the elements of vector data relate.
#[derive(Debug, Clone, Copy)]
enum Style {
    /// Small numbers of both signs.
    Small,
    /// Members of the edge set.
    Edges,
    /// Members of the edge set, one up or down.
    Beside,
    /// An arithmetic progression.
    Ramp,
    /// One element everywhere.
    Splat,
    /// Ordinary elements, and one extreme in several lanes.
    Ties,
    /// One element everywhere but in one lane.
    Lone,
    /// Two elements in turn.
    Alternating,
    /// Random bits.
    Bits,
    /// All zero.
    Zero,
    /// Floats: numbers among NaN, infinities, zeros and subnormals.
    Specials,
    /// Floats: NaN in every lane.
    Nan,
}

const INTEGERS: &[(u32, Style)] = &[
    (10, Style::Small),
    (24, Style::Edges),
    (6, Style::Beside),
    (10, Style::Ramp),
    (6, Style::Splat),
    (10, Style::Ties),
    (8, Style::Lone),
    (5, Style::Alternating),
    (19, Style::Bits),
    (2, Style::Zero),
];

const FLOATS: &[(u32, Style)] = &[
    (8, Style::Small),
    (26, Style::Edges),
    (6, Style::Beside),
    (6, Style::Splat),
    (14, Style::Ties),
    (6, Style::Lone),
    (4, Style::Alternating),
    (8, Style::Bits),
    (18, Style::Specials),
    (4, Style::Nan),
];

/// The value of a vector register in this role. `address` gives an address inside the memory window.
pub(super) fn vector(
    draw: &mut Draw<'_>,
    role: Role,
    lane: Lane,
    address: impl Fn(&mut Bulk) -> u32,
    out: &mut [u8; LINE],
) {
    match role {
        Role::Control => control(draw, lane, out),
        Role::Deal => deal(draw, lane, out),
        Role::Amount | Role::Turn => amounts(draw, lane, out),
        Role::Offsets => {
            let mut bulk = Bulk::new(draw.u64());
            lanes(lane, out, |_| bulk.below(256));
        }
        Role::Source if draw.percent(40) => {
            let mut bulk = Bulk::new(draw.u64());
            // Addresses for the ops that read a whole word, small numbers for the narrow ones.
            match lane.bits() {
                32 => lanes(lane, out, |_| address(&mut bulk)),
                _ => lanes(lane, out, |_| bulk.below(192)),
            }
        }
        _ => {
            // Now and then elements of another width than the op's.
            let lane = match draw.below(16) {
                14 => Lane::I16,
                15 => Lane::I32,
                _ => lane,
            };
            data(draw, lane, out);
        }
    }
}

/// Consecutive values of a data source, each the nearest that the element type has.
pub(super) fn from_source(
    draw: &mut Draw<'_>,
    lane: Lane,
    data: &DataSource,
    out: &mut [u8; LINE],
) {
    let dtype = match lane {
        Lane::I8 => Dtype::Int8,
        Lane::I16 => Dtype::Int16,
        Lane::I32 => Dtype::Int32,
        Lane::F16 => Dtype::Fp16,
        Lane::F32 => Dtype::Fp32,
    };
    let values = data.values();
    let first = draw.below(values.len() as u32) as usize;
    lanes(lane, out, |at| nearest(dtype, values[(first + at as usize) % values.len()]) as u32);
}

/// Plain vector data.
pub(super) fn data(draw: &mut Draw<'_>, lane: Lane, out: &mut [u8; LINE]) {
    let style = draw.weighted(if lane.is_float() { FLOATS } else { INTEGERS });
    let mut bulk = Bulk::new(draw.u64());
    let edges = Edges::get().lane(lane);
    let small = |bulk: &mut Bulk| match lane {
        Lane::F16 => (0x3800 + (bulk.below(64) << 7)) | (bulk.below(2) << 15),
        Lane::F32 => (0x3f00_0000 + (bulk.below(64) << 20)) | (bulk.below(2) << 31),
        _ => bulk.below(33).wrapping_sub(16),
    };
    match style {
        Style::Small => lanes(lane, out, |_| small(&mut bulk)),
        Style::Edges => lanes(lane, out, |_| bulk.pick(edges)),
        Style::Beside => {
            lanes(lane, out, |_| bulk.pick(edges).wrapping_add(bulk.below(3)).wrapping_sub(1));
        }
        Style::Ramp => {
            let (start, step) = (bulk.pick(edges), bulk.below(9).wrapping_sub(4));
            lanes(lane, out, |at| start.wrapping_add(at.wrapping_mul(step)));
        }
        Style::Splat => {
            let value = bulk.pick(edges);
            lanes(lane, out, |_| value);
        }
        Style::Ties => {
            let extreme = bulk.pick(edges);
            let often = 2 + bulk.below(15);
            lanes(lane, out, |_| if bulk.below(often) == 0 { extreme } else { small(&mut bulk) });
        }
        Style::Lone => {
            let (background, value) = (bulk.pick(edges), bulk.pick(edges));
            let place = bulk.below(lane.count());
            lanes(lane, out, |at| if at == place { value } else { background });
        }
        Style::Alternating => {
            // Zeros of both signs now and then: nothing else tells how an extremum orders them.
            let zeros = lane.is_float() && bulk.below(3) == 0;
            let pair = if zeros {
                let sign = 1 << (lane.bits() - 1);
                let background = [0, sign, nan(lane, &mut bulk)][bulk.below(3) as usize];
                [sign * bulk.below(2), background]
            } else {
                [bulk.pick(edges), bulk.pick(edges)]
            };
            lanes(lane, out, |at| pair[at as usize & 1]);
        }
        Style::Bits => bulk.fill(out),
        Style::Zero => out.fill(0),
        Style::Specials => lanes(lane, out, |_| match bulk.below(4) {
            0 => bulk.pick(edges),
            1 => nan(lane, &mut bulk),
            _ => small(&mut bulk),
        }),
        Style::Nan => {
            // Quiet ones alone must not raise a flag, so half of these registers hold no other.
            let quiet = bulk.below(2) == 0;
            lanes(lane, out, |_| nan(lane, &mut bulk) | if quiet { quiet_bit(lane) } else { 0 });
        }
    }
}

/// The top fraction bit.
const fn quiet_bit(lane: Lane) -> u32 {
    if lane.bits() == 16 { 0x0200 } else { 0x0040_0000 }
}

/// A NaN of either sign, quiet or signalling.
fn nan(lane: Lane, bulk: &mut Bulk) -> u32 {
    let (sign, exponent, fraction) =
        if lane.bits() == 16 { (15, 0x7c00, 0x03ff) } else { (31, 0x7f80_0000, 0x007f_ffff) };
    // At least one fraction bit, so that it is no infinity.
    (bulk.below(2) << sign) | exponent | (1 + bulk.below(fraction))
}

/// Lane numbers, most with junk above the bits that count.
fn control(draw: &mut Draw<'_>, lane: Lane, out: &mut [u8; LINE]) {
    let style = draw.below(8);
    let mut bulk = Bulk::new(draw.u64());
    let (count, pool) = (lane.count(), 2 * lane.count());
    let turn = bulk.below(pool);
    let edges = &Edges::get().lane_numbers;
    lanes(lane, out, |at| match style {
        0 => at,
        1 => count - 1 - at,
        2 => at + turn,
        3 => turn,
        4 => bulk.pick(edges),
        // The mask's boundary, from both sides.
        5 => (bulk.below(5) * count).wrapping_add(bulk.below(3)).wrapping_sub(1),
        6 => bulk.below(pool) | (bulk.next() as u32) << pool.trailing_zeros(),
        _ => bulk.next() as u32,
    });
}

/// Two lane numbers in each lane, the second in the upper half.
fn deal(draw: &mut Draw<'_>, lane: Lane, out: &mut [u8; LINE]) {
    let style = draw.below(4);
    let mut bulk = Bulk::new(draw.u64());
    let (half, pool) = (lane.bits() / 2, 2 * lane.count());
    lanes(lane, out, |at| match style {
        0 => (2 * at) | ((2 * at + 1) << half),
        1 => bulk.below(pool) | bulk.below(pool) << half,
        2 => bulk.pick(&Edges::get().lane_numbers) | bulk.below(pool) << half,
        _ => bulk.next() as u32,
    });
}

/// Signed amounts: around zero, the width and its double, and far beyond.
fn amounts(draw: &mut Draw<'_>, lane: Lane, out: &mut [u8; LINE]) {
    let style = draw.below(6);
    let mut bulk = Bulk::new(draw.u64());
    let width = lane.bits();
    let near = |bulk: &mut Bulk| {
        (bulk.below(5) * width).wrapping_sub(2 * width).wrapping_add(bulk.below(3)).wrapping_sub(1)
    };
    let everywhere = near(&mut bulk);
    let edges = Edges::get().amounts(lane);
    lanes(lane, out, |_| match style {
        0 => bulk.below(width),
        1 => bulk.below(4 * width + 4).wrapping_sub(2 * width + 2),
        2 => near(&mut bulk),
        3 => everywhere,
        4 => bulk.pick(edges),
        _ => bulk.next() as u32,
    });
}

/// The compress predicates that the edge sets describe in words.
const COMPRESS: [u64; 10] = [
    0x288,
    0x5555_5555_5555_5555,
    0,
    u64::MAX,
    0x7,
    0x55,
    1 << 63,
    1,
    0xffff_ffff_0000_0000,
    u64::MAX >> 1,
];

/// The predicates of [`COMPRESS`].
pub(super) const fn compress_predicates() -> [u64; 10] {
    COMPRESS
}

/// A predicate for lanes of this width: all, none, one, in turn, a prefix, random; the bits above the
/// one that counts are often dirty.
pub(super) fn predicate(draw: &mut Draw<'_>, lane: Lane) -> u64 {
    let style = draw.below(12);
    let mut bulk = Bulk::new(draw.u64());
    let width = lane.bits() / 8;
    let field = (1u64 << width) - 1;
    let first = u64::MAX / field;
    let lane_at = |at: u32| field << (at * width);
    let random = bulk.next();
    let clean = |low: u64| (low & first) * field;
    match style {
        0 => u64::MAX,
        1 => 0,
        2 => clean(random),
        3 => lane_at(bulk.below(lane.count())),
        4 => clean((u64::MAX / ((1 << (2 * width)) - 1)) << (bulk.below(2) * width)),
        5 => (1u64 << bulk.below(64)) - 1,
        6 => random & !first,
        7 => clean(random) ^ (bulk.next() & !first),
        8 => !lane_at(bulk.below(lane.count())),
        9 => {
            let edges = &Edges::get().predicates;
            edges[bulk.below(edges.len() as u32) as usize]
        }
        10 => COMPRESS[bulk.below(COMPRESS.len() as u32) as usize],
        _ => random,
    }
}

/// The bytes of an align register: clear, pending bytes with their count, or anything.
pub(super) fn align(draw: &mut Draw<'_>, store: bool, out: &mut [u8; LINE]) {
    let style = draw.weighted(&[(30, 0), (40, 1), (30, 2)]);
    let mut bulk = Bulk::new(draw.u64());
    match (style, store) {
        (0, _) => out.fill(0),
        (1, true) => {
            bulk.fill(out);
            // The count of a healthy stream is at most the phase, which only the program knows.
            out[LINE - 1] = bulk.below(64) as u8;
        }
        (1, false) => {
            let start = bulk.next() as u8;
            (0..).zip(out.iter_mut()).for_each(|(at, byte)| *byte = start.wrapping_add(at));
        }
        _ => bulk.fill(out),
    }
}

/// The bytes of a wide accumulator: edges of 48 bits, small numbers, or anything.
pub(super) fn wide(draw: &mut Draw<'_>, out: &mut [u8; 192]) {
    let style = draw.below(3);
    let mut bulk = Bulk::new(draw.u64());
    match style {
        0 => out.chunks_exact_mut(6).for_each(|bytes| {
            let value = wide_edge(bulk.below(WIDE_EDGES.len() as u32));
            bytes.copy_from_slice(&value.to_le_bytes()[..6]);
        }),
        1 => out.chunks_exact_mut(6).for_each(|bytes| {
            let value = i64::from(bulk.next() as i16);
            bytes.copy_from_slice(&value.to_le_bytes()[..6]);
        }),
        _ => bulk.fill(out),
    }
}

/// Edges of a 48-bit accumulator lane.
const WIDE_EDGES: [i64; 13] = [
    0,
    1,
    -1,
    0x7fff,
    0x8000,
    -0x8000,
    -0x8001,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    -0x8000_0000,
    0x7fff_ffff_ffff,
    -0x8000_0000_0000,
];

/// Number of [`wide_edge`]s.
pub(super) const WIDE_EDGE_COUNT: u32 = WIDE_EDGES.len() as u32;

/// An edge of a 48-bit accumulator lane; the number wraps around.
pub(super) const fn wide_edge(number: u32) -> i64 {
    WIDE_EDGES[(number % WIDE_EDGE_COUNT) as usize]
}

/// A packed scalar pair: edges of 16 bits in both halves, or anything, with junk above.
pub(super) fn pair(draw: &mut Draw<'_>) -> u64 {
    let style = draw.below(4);
    let mut bulk = Bulk::new(draw.u64());
    let edges = Edges::get().lane(Lane::I16);
    let halves = u64::from(bulk.pick(edges) | bulk.pick(edges) << 16);
    match style {
        0 => halves,
        1 => halves | bulk.next() << 32,
        2 => u64::from(bulk.below(17)) | u64::from(bulk.below(17)) << 16,
        _ => bulk.next(),
    }
}

/// The value of an address register that is no address.
pub(super) fn scalar(draw: &mut Draw<'_>, role: Role) -> u32 {
    let edges = Edges::get();
    match role {
        Role::Index => match draw.below(16) {
            0..=4 => (draw.below(17) * 64).wrapping_sub(512),
            5..=7 => draw.below(129).wrapping_sub(64),
            8..=10 => draw.below(1025).wrapping_sub(512),
            11..=12 => 64,
            13 => 32,
            14 => 0,
            _ => draw.pick(&[1, u32::MAX, 0x7fff_ffff, 0x8000_0000, 0xffff_ffc0, 0x1000]),
        },
        Role::Length => match draw.below(4) {
            0 => draw.pick(&[64, 0, u32::MAX, 1, 63, 65]),
            1 => draw.pick(&edges.lengths),
            2 => draw.below(65),
            _ => draw.below(200),
        },
        Role::Count => match draw.below(4) {
            0 => draw.pick(&edges.counts),
            1 => draw.u32(),
            _ => draw.below(72).wrapping_sub(4),
        },
        Role::Offset => match draw.below(4) {
            0 => draw.pick(&[0, 60, 61, 62, 63, 64, 65, u32::MAX, 0x8000_0000, 256]),
            _ => draw.below(68),
        },
        _ => match draw.below(4) {
            0 => draw.below(257).wrapping_sub(128),
            1 => draw.pick(edges.lane(Lane::I32)),
            2 => draw.pick(edges.lane(Lane::I16)),
            _ => draw.u32(),
        },
    }
}
