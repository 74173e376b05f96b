//! The products of every family of chapter 04: which values its directed cases must hold.

use super::super::edges::Edges;
use super::super::fill::compress_predicates;
use super::super::memory::Window;
use super::super::roles::{Lane, Role};
use super::super::table::{Row, Table};
use super::axes::{Axis, LaneAxis};
use super::lines;
use super::product::Product;
use contract::isa::Mnemonic;
use contract::state::LINE;

/// Phases of a base where the full sweep would say nothing new.
const PHASES: [u32; 7] = [0, 1, 31, 32, 33, 62, 63];

/// Register offsets: multiples of the access, single bytes, both signs.
const INDICES: [u32; 12] =
    [0, 1, 31, 32, 63, 64, 65, u32::MAX, (-32i32) as u32, (-64i32) as u32, (-512i32) as u32, 448];

/// The products of an op: its slots and its values; none outside chapter 04.
pub(super) fn of(row: &'static Row) -> Vec<Product> {
    if row.chapter != 4 {
        return Vec::new();
    }
    if row.mnemonic == Mnemonic::NOP {
        return vec![Product::Formats];
    }
    let mut products = values(row);
    products.push(Product::Slots);
    products
}

fn values(row: &'static Row) -> Vec<Product> {
    let family = Table::get().family(row);
    // Operand positions by name and role; every family below has those it names.
    let at = |name: &str| row.operand(name).unwrap_or(0);
    let mask = row.operands.iter().position(|o| o.role == Role::Mask && o.uses && !o.defs);
    let lanes = |names: &[&str]| {
        let axes = names.iter().map(|name| LaneAxis::edges(row, at(name))).collect();
        Product::Lanes { axes, mask }
    };
    match family {
        "ALU2" | "ALU2X" | "ALU2_T" | "CMP_INT" | "BMAXMIN" => vec![lanes(&["vr", "vs"])],
        "ALU1" | "ALU1_T" | "BABS" | "NSA" | "MOVVV" | "MOV_T" => vec![lanes(&["vr"])],
        "MULP_W" => {
            vec![lanes(&["vr", "vs"]), Product::Each(vec![Axis::Pair(at("prr"), pairs())])]
        }
        "SHIFT_V" => {
            let amounts = LaneAxis::of(row, at("vs"), amounts(row.lane));
            vec![Product::Lanes { axes: vec![LaneAxis::edges(row, at("vr")), amounts], mask }]
        }
        "SHIFT_I" | "SHIFT_I32" => {
            let turns = 0..Edges::get().lane(row.lane).len() as u32;
            let images = turns.map(|first| lines::rotated(row.lane, first)).collect();
            vec![
                Product::Cross(vec![Axis::Number(at("imm")), Axis::Vector(at("vr"), images)]),
                lanes(&["vr"]),
            ]
        }
        "REP" | "REP_T" | "EXTR" | "EXTRPR" => vec![Product::Cross(vec![
            Axis::Number(at("imm")),
            Axis::Selected(at("vr"), Some(at("imm"))),
        ])],
        "MOVAV" => vec![Product::Cross(vec![Axis::Selected(at("vr"), None)])],
        "SEL" | "SEL_T" | "SHFL" | "SHFL_T" => {
            let axes = vec![LaneAxis::of(row, at("sr"), controls(row.lane))];
            vec![Product::Lanes { axes, mask }]
        }
        "DSEL" | "DSEL_T" => {
            let half = row.lane.bits() / 2;
            let field = |shift| {
                let axes = vec![LaneAxis::field(at("sr"), shift, half, controls(row.lane))];
                Product::Lanes { axes, mask }
            };
            vec![field(0), field(half)]
        }
        "SEL_I" | "SELI_S0" | "SELI_S2" | "SELI_S4" => {
            vec![Product::Each(vec![Axis::Number(at("isel"))])]
        }
        "SHFL_I" | "SHFLI_S0" | "SHFLI_S2" | "SHFLI_S4" => {
            vec![Product::Each(vec![Axis::Number(at("ishfl"))])]
        }
        "DSEL_I" => vec![Product::Each(vec![Axis::Number(at("slct"))])],
        "DCMPRS" => {
            let mut masks = masks(Lane::I8);
            masks.extend(compress_predicates());
            vec![Product::Each(vec![Axis::Mask(at("vbr"), unique(masks))])]
        }
        "RADD" | "RADD_T" | "RMAXMIN" | "RMAXMIN_T" | "RNUM" | "RNUM_T" | "RB" | "RBNUM"
        | "RBNUM_T" => {
            let ties = row.operand("vbt").is_some();
            let images = lines::reductions(row.lane, ties);
            let mut each = vec![Axis::Vector(at("vr"), images)];
            each.extend(mask.map(|at| Axis::Mask(at, masks(row.lane))));
            vec![
                Product::Positions { axis: LaneAxis::edges(row, at("vr")), mask },
                Product::Each(each),
            ]
        }
        "VBALU2" => {
            let edges = &Edges::get().predicates;
            let axis = |name| Axis::Mask(at(name), edges.clone());
            vec![Product::Cross(vec![axis("vbr"), axis("vbs")])]
        }
        "VBALU1" | "RANDB_RORB" | "MOVAB1" => {
            vec![Product::Each(vec![Axis::Mask(at("vbr"), masks(row.lane))])]
        }
        "LTR" => vec![Product::Each(vec![Axis::Scalar(at("ars"), counts(row.lane))])],
        "LTR_I" | "MOVVINT" | "MOVI" => vec![Product::Each(vec![Axis::Number(at("imm"))])],
        "MOVVA" | "MOVPRA" | "MOVBA1" => {
            vec![Product::Each(vec![Axis::Scalar(at("ars"), scalars())])]
        }
        "EXTRVR" => {
            let mut offsets: Vec<u32> = (0..=70).collect();
            offsets.extend([127, 128, 255, 256, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
            vec![Product::Each(vec![Axis::Scalar(at("ars"), offsets)])]
        }
        "MOVPRPR" => vec![Product::Each(vec![Axis::Pair(at("prr"), pairs())])],
        "MOVWW" | "PACK" => {
            let images = (0..super::super::fill::WIDE_EDGE_COUNT).map(lines::wide).collect();
            vec![Product::Each(vec![Axis::Wide(at("wvr"), images)])]
        }
        "SADDI" => {
            vec![Product::Each(vec![Axis::Number(at("imm")), Axis::Scalar(at("ars"), scalars())])]
        }
        "SALU" | "SMUL" => {
            let edges = Edges::get().lane(Lane::I32).to_vec();
            let axis = |name| Axis::Scalar(at(name), edges.clone());
            vec![Product::Cross(vec![axis("ars"), axis("art")])]
        }
        _ => memory(row),
    }
}

/// The products of the ops that touch memory or align registers.
fn memory(row: &'static Row) -> Vec<Product> {
    let family = Table::get().family(row);
    let at = |name: &str| row.operand(name).unwrap_or(0);
    let every: Vec<u32> = (0..LINE as u32).collect();
    let phase = |phases: Vec<u32>| Axis::Phase(at("ars"), phases);
    let number = Axis::Number(at("imm"));
    let indices = || Axis::Scalar(at("art"), INDICES.to_vec());
    let (base, bytes) = (Window::DEFAULT.base, super::pack::WINDOW_BYTES);
    // Just below the window, in its last line, just above it.
    let borders = vec![base - LINE as u32, base + bytes - 1, base + bytes];
    let border = || Product::Alone(vec![Axis::Scalar(at("ars"), borders.clone())]);
    let mut products = match family {
        // Nothing is read, so the slots say all.
        "ZALIGN" => return Vec::new(),
        "MALIGN" => {
            return vec![Product::Each(vec![Axis::Align(at("us"), images())])];
        }
        "LALIGN_I" | "LALIGN_IP" => vec![Product::Cross(vec![number, phase(PHASES.into())])],
        "SALIGN_I" | "SALIGN_IP" => vec![
            Product::Cross(vec![number, phase(PHASES.into())]),
            Product::Each(vec![Axis::Align(at("u"), images())]),
        ],
        "LA_PP" => vec![Product::Each(vec![phase(every)])],
        "LA_PPXU" | "LA_XP" => vec![Product::Each(vec![phase(every), indices()])],
        "SA_XP" => vec![Product::Each(vec![phase(every), indices()])],
        "LAT_XP" => vec![Product::Each(vec![
            phase(every),
            indices(),
            Axis::Mask(at("vbr"), Edges::get().predicates.clone()),
        ])],
        "LA_IP" => vec![Product::Each(vec![phase(every)])],
        "SA_IP" => vec![
            Product::Each(vec![phase(every.clone())]),
            Product::Each(vec![
                phase(every),
                Axis::Pending(at("u"), (0..=64).chain([255]).collect()),
            ]),
        ],
        "LAV_XP" | "SAV_XP" => {
            let lengths = Axis::Scalar(at("art"), Edges::get().lengths.clone());
            vec![Product::Cross(vec![phase(every), lengths])]
        }
        "SAPOS_FP" => {
            let counts = vec![0, 1, 7, 31, 32, 33, 62, 63, 64, 127, 128, 255];
            vec![Product::Cross(vec![phase(every), Axis::Pending(at("u"), counts)])]
        }
        "LB_I" | "LB_IP" | "SB_I" | "SB_IP" => {
            vec![Product::Cross(vec![number, phase((0..16).collect())])]
        }
        "L32I" | "S32I" => vec![
            Product::Cross(vec![number, phase(vec![0, 4, 60])]),
            Product::Alone(vec![phase(vec![1, 2, 3, 63])]),
        ],
        _ if row.role(Role::Index).is_some() => {
            vec![Product::Cross(vec![phase(PHASES.into()), indices()])]
        }
        // Plain loads and stores with an immediate.
        _ => vec![Product::Cross(vec![number, phase(PHASES.into())])],
    };
    if family.starts_with("SVT") {
        let predicates = masks(row.lane);
        products.push(Product::Each(vec![Axis::Mask(at("vbr"), predicates)]));
    }
    if family.starts_with("SB_") {
        products.push(Product::Each(vec![Axis::Mask(at("vbr"), Edges::get().predicates.clone())]));
    }
    products.push(border());
    products
}

/// Align registers: clear, a ramp, pending bytes.
fn images() -> Vec<contract::state::Line> {
    vec![lines::line(Lane::I8, |_| 0), lines::ramp(1), lines::marked()]
}

/// Lane numbers of a crossbar: every byte, the same with junk above, and the edges.
fn controls(lane: Lane) -> Vec<u32> {
    let mut values: Vec<u32> = (0..256).collect();
    if lane.bits() > 8 {
        values.extend((0..256).map(|value| 0xffff_ff00 | value));
    }
    values.extend(&Edges::get().lane_numbers);
    values
}

/// Amounts around zero, the width and its double, and the edges.
fn amounts(lane: Lane) -> Vec<u32> {
    let most = 2 * lane.bits() as i32 + 1;
    let mut values: Vec<u32> = (-most..=most).map(|value| value as u32).collect();
    values.extend(Edges::get().amounts(lane));
    values
}

/// Predicates: the edges, each lane alone, all lanes but one, with clean and with dirty fields.
fn masks(lane: Lane) -> Vec<u64> {
    let width = lane.bits() / 8;
    let mut values = Edges::get().predicates.clone();
    for at in 0..lane.count() {
        let low = 1u64 << (at * width);
        let field = ((1u64 << width) - 1) << (at * width);
        values.extend([low, field, field & !low, !low, !field, !field | (field & !low)]);
    }
    unique(values)
}

fn unique(mut values: Vec<u64>) -> Vec<u64> {
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|&value| seen.insert(value));
    values
}

/// Counts: 0 to beyond the lane count, and the edges.
fn counts(lane: Lane) -> Vec<u32> {
    let mut values: Vec<u32> = (0..=lane.count() + 1).collect();
    for &edge in &Edges::get().counts {
        if !values.contains(&edge) {
            values.push(edge);
        }
    }
    values
}

/// Scalars: the edges of 32 and of 16 bits.
fn scalars() -> Vec<u32> {
    let edges = Edges::get();
    let mut values = edges.lane(Lane::I32).to_vec();
    for &edge in edges.lane(Lane::I16).iter().chain(edges.lane(Lane::I8)) {
        if !values.contains(&edge) {
            values.push(edge);
        }
    }
    values
}

/// Packed pairs of 16-bit edges.
fn pairs() -> Vec<u64> {
    (0..2 * Edges::get().lane(Lane::I16).len() as u32).map(lines::pair).collect()
}
