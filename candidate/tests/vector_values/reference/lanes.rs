//! Shifts, reductions and the ALU (spec 04 sections 7 to 9).

use super::{Op, predicate, put, saturate, signed, split};
use crate::support::lane;
use contract::profile::{FsrGate, RbTie, RotrMode};
use contract::state::{LINE, Line};

impl Op<'_> {
    pub(super) fn shifts(&mut self) -> bool {
        let Some((stem, w, _)) = split(self.name) else { return false };
        let x = self.vec(1);
        let bits = w as i64;
        let left = move |x: u64, n: i64| if n >= bits { 0 } else { (x << n) as i64 };
        let right = move |x: u64, n: i64| if n >= bits { 0 } else { (x >> n) as i64 };
        let arithmetic = move |x: u64, n: i64| signed(x, w) >> n.min(bits - 1);
        let clamped = move |x: u64, n: i64| saturate(i128::from(signed(x, w)) << n, w);
        let leading = move |x: u64| i64::from(x.leading_zeros()) - (64 - bits);
        match stem {
            "NSAU" => self.set_lanes(0, w, None, |l| leading(lane(&x, w, l))),
            "NSA" => self.set_lanes(0, w, None, |l| {
                let value = lane(&x, w, l);
                let folded =
                    if signed(value, w) < 0 { !value & (u64::MAX >> (64 - w)) } else { value };
                leading(folded) - 1
            }),
            "SLLI" | "SRLI" | "SRAI" => {
                let n = self.args[2];
                self.set_lanes(0, w, None, |l| match stem {
                    "SLLI" => left(lane(&x, w, l), n),
                    "SRLI" => right(lane(&x, w, l), n),
                    _ => arithmetic(lane(&x, w, l), n),
                });
            }
            "ROTR" | "ROTRI" => {
                let amounts = (stem == "ROTR").then(|| self.vec(2));
                let imm = self.args[2] as u64;
                let mode = self.old.profile.rotr_mode;
                self.set_lanes(0, w, None, |l| {
                    let t = amounts.map_or(imm, |y| lane(&y, w, l));
                    match mode {
                        RotrMode::Lane => {
                            lane(&x, w, ((l as u64 + t) % (512 / w as u64)) as usize) as i64
                        }
                        RotrMode::Bit => {
                            let (value, t) = (lane(&x, w, l), t as i64 % bits);
                            right(value, t) | left(value, bits - t)
                        }
                    }
                });
            }
            "SLL" | "SRL" | "SRA" | "SLS" | "SRS" => {
                let y = self.vec(2);
                self.set_lanes(0, w, None, |l| {
                    let n = signed(lane(&y, w, l), w).clamp(-2 * bits, 2 * bits - 1);
                    let x = lane(&x, w, l);
                    match (stem, n >= 0) {
                        ("SLL", true) => left(x, n),
                        ("SLL", false) => right(x, -n),
                        ("SRL", true) => right(x, n),
                        ("SRL", false) | ("SRA", false) => left(x, -n),
                        ("SRA", true) | ("SRS", true) => arithmetic(x, n),
                        ("SLS", true) => clamped(x, n),
                        ("SLS", false) => arithmetic(x, -n),
                        _ => clamped(x, -n),
                    }
                });
            }
            _ => return false,
        }
        true
    }

    /// Writes the low `r` bits of a result, zero above.
    fn set_low(&mut self, r: usize, value: i64) {
        let mut line = Line([0; LINE]);
        put(&mut line, r, 0, value);
        self.set_vec(0, line);
    }

    pub(super) fn reductions(&mut self) -> bool {
        let Some((stem, w, rest)) = split(self.name) else { return false };
        let Some(stem) = stem.strip_prefix('R') else { return false };
        let n = 512 / w;
        let (flagged, stem) = (stem.starts_with('B'), stem.strip_prefix('B').unwrap_or(stem));
        let source = if flagged { 2 } else { 1 };
        let x = self.vec(source);
        let q = if rest == "T" { self.vbool(source + 1) } else { !0 };
        let live = |l: usize| predicate(q, w, l);
        let sum = |sign: bool| -> i64 {
            (0..n)
                .filter(|&l| live(l))
                .map(|l| if sign { signed(lane(&x, w, l), w) } else { lane(&x, w, l) as i64 })
                .sum()
        };
        let max = stem.starts_with("MAX");
        match stem {
            "ADD" => self.set_low(if w == 8 { 16 } else { 32 }, sum(true)),
            "ADDU" => self.set_low(if w == 8 { 16 } else { 32 }, sum(false)),
            "ADDS" => self.set_low(16, saturate(sum(true).into(), 16)),
            "MAX" | "MIN" | "MAXU" | "MINU" => {
                let sign = !stem.ends_with('U');
                let value =
                    |l: usize| if sign { signed(lane(&x, w, l), w) } else { lane(&x, w, l) as i64 };
                let (least, most) =
                    if sign { (-1 << (w - 1), (1 << (w - 1)) - 1) } else { (0, (1 << w) - 1) };
                let replaced = |l: usize| match (live(l), max) {
                    (true, _) => value(l),
                    (false, true) => least,
                    (false, false) => most,
                };
                let values = (0..n).map(replaced);
                let best = if max { values.max() } else { values.min() }.expect("lanes");
                self.finish_extremum(flagged, w, best, |l| live(l) && value(l) == best);
            }
            "MAXNUM" | "MINNUM" => {
                let (infinity, quiet, canonical) = if w == 16 {
                    (0x7c00, 0x0200, 0x7e00)
                } else {
                    (0x7f80_0000, 0x0040_0000, 0x7fc0_0000)
                };
                let sign = 1_u64 << (w - 1);
                let identity = if max { infinity | sign } else { infinity };
                let nan = |b: u64| b & !sign > infinity;
                let signalling = (0..n)
                    .filter(|&l| live(l))
                    .map(|l| lane(&x, w, l))
                    .any(|b| nan(b) && b & quiet == 0);
                let enabled =
                    self.old.profile.fsr_gate == FsrGate::Always || self.old.fcr >> 6 & 1 == 1;
                if signalling && enabled {
                    self.new.fsr |= 0x800;
                }
                // Ordered by value, -0 below +0.
                let key = |b: u64| {
                    let magnitude = (b & !sign) as i64;
                    if b & sign == 0 { magnitude } else { -magnitude - 1 }
                };
                let numbers = (0..n)
                    .map(|l| if live(l) { lane(&x, w, l) } else { identity })
                    .filter(|&b| !nan(b));
                let best = if max {
                    numbers.max_by_key(|&b| key(b))
                } else {
                    numbers.min_by_key(|&b| key(b))
                };
                let result = best.unwrap_or(canonical);
                self.finish_extremum(flagged, w, result as i64, |l| {
                    best.is_some() && live(l) && lane(&x, w, l) == result
                });
            }
            _ => return false,
        }
        true
    }

    fn finish_extremum(
        &mut self,
        flagged: bool,
        w: usize,
        best: i64,
        tied: impl Fn(usize) -> bool,
    ) {
        if !flagged {
            self.set_low(w, best);
            return;
        }
        self.set_lanes(0, w, None, |_| best);
        let first = (0..512 / w).find(|&l| tied(l));
        let tie = self.old.profile.rb_tie;
        let q = self.flags(w, |l| match tie {
            RbTie::Union => tied(l),
            RbTie::Lowest => Some(l) == first,
        });
        self.set_vbool(1, q);
    }

    pub(super) fn alu(&mut self) -> bool {
        let Some((stem, w, rest)) = split(self.name) else { return false };
        let flagged = stem.strip_prefix('B');
        let relation = matches!(stem, "EQ" | "NEQ" | "LT" | "LE" | "LTU" | "LEU");
        let source = if flagged.is_some() { 2 } else { 1 };
        let function = flagged.unwrap_or(stem);
        let unary = matches!(function, "ABS" | "ABSS" | "NEG" | "NEGS" | "NOT");
        let x = self.vec(source);
        let y = if unary { Line([0; LINE]) } else { self.vec(source + 1) };
        let u = move |l: usize| (lane(&x, w, l) as i64, lane(&y, w, l) as i64);
        let s = move |l: usize| (signed(lane(&x, w, l), w), signed(lane(&y, w, l), w));
        if relation {
            let q = self.flags(w, |l| match stem {
                "EQ" => u(l).0 == u(l).1,
                "NEQ" => u(l).0 != u(l).1,
                "LT" => s(l).0 < s(l).1,
                "LE" => s(l).0 <= s(l).1,
                "LTU" => u(l).0 < u(l).1,
                _ => u(l).0 <= u(l).1,
            });
            self.set_vbool(0, q);
            return true;
        }
        let value: Box<dyn Fn(usize) -> i64> = match function {
            "ADD" => Box::new(move |l| s(l).0 + s(l).1),
            "SUB" => Box::new(move |l| s(l).0 - s(l).1),
            "ADDS" => Box::new(move |l| saturate((s(l).0 + s(l).1).into(), w)),
            "SUBS" => Box::new(move |l| saturate((s(l).0 - s(l).1).into(), w)),
            "MIN" => Box::new(move |l| s(l).0.min(s(l).1)),
            "MAX" => Box::new(move |l| s(l).0.max(s(l).1)),
            "MINU" => Box::new(move |l| u(l).0.min(u(l).1)),
            "MAXU" => Box::new(move |l| u(l).0.max(u(l).1)),
            "ABS" => Box::new(move |l| s(l).0.abs()),
            "NEG" => Box::new(move |l| -s(l).0),
            "ABSS" => Box::new(move |l| saturate(s(l).0.abs().into(), w)),
            "NEGS" => Box::new(move |l| saturate((-s(l).0).into(), w)),
            "ABSSUB" => Box::new(move |l| (s(l).0 - s(l).1).abs()),
            "ABSSUBU" => Box::new(move |l| (u(l).0 - u(l).1).abs()),
            "ABSSSUB" => Box::new(move |l| saturate((s(l).0 - s(l).1).abs().into(), w)),
            "AND" => Box::new(move |l| u(l).0 & u(l).1),
            "OR" => Box::new(move |l| u(l).0 | u(l).1),
            "XOR" => Box::new(move |l| u(l).0 ^ u(l).1),
            "NOT" => Box::new(move |l| !u(l).0),
            _ => return false,
        };
        let mask = (rest == "T").then(|| self.vbool(if unary { 2 } else { 3 }));
        self.set_lanes(0, w, mask, value);
        if flagged.is_some() {
            let q = self.flags(w, |l| match function {
                "MAX" => s(l).0 > s(l).1,
                "MAXU" => u(l).0 > u(l).1,
                "MIN" | "ABSSUB" => s(l).0 < s(l).1,
                "MINU" | "ABSSUBU" => u(l).0 < u(l).1,
                _ => s(l).0 < 0,
            });
            self.set_vbool(1, q);
        }
        true
    }
}
