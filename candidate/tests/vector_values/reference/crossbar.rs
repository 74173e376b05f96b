//! Crossbar, moves, predicates and wide registers (spec 04 sections 5, 6, 8.5 and 10).

use super::{Op, predicate, signed, split};
use crate::support::lane;
use contract::state::Line;

impl Op<'_> {
    pub(super) fn crossbar(&mut self) -> bool {
        if self.name == "DCMPRS2NX8" {
            let (x, q) = (self.vec(1), self.vbool(2));
            self.set_lanes(0, 8, None, |l| {
                let below = (0..l).filter(|&i| q >> i & 1 == 1).count();
                i64::from(if q >> l & 1 == 1 { x.0[below] } else { x.0[63] })
            });
            return true;
        }
        let Some((stem, w, rest)) = split(self.name) else { return false };
        let n = 512 / w;
        let pool = |low: Line, high: Line| {
            move |i: usize| (if i < n { lane(&low, w, i) } else { lane(&high, w, i - n) }) as i64
        };
        match (stem, rest) {
            ("SHFL", "" | "T") => {
                let (x, control) = (self.vec(1), self.vec(2));
                let mask = (rest == "T").then(|| self.vbool(3));
                self.set_lanes(0, w, mask, |l| {
                    lane(&x, w, lane(&control, w, l) as usize & (n - 1)) as i64
                });
            }
            ("SEL", "" | "T") => {
                let (pool, control) = (pool(self.vec(2), self.vec(1)), self.vec(3));
                let mask = (rest == "T").then(|| self.vbool(4));
                self.set_lanes(0, w, mask, |l| pool(lane(&control, w, l) as usize & (2 * n - 1)));
            }
            ("DSEL", "" | "T") => {
                let (pool, control) = (pool(self.vec(3), self.vec(2)), self.vec(4));
                let mask = (rest == "T").then(|| self.vbool(5));
                let index =
                    |l: usize, shift: usize| (lane(&control, w, l) >> shift) as usize & (2 * n - 1);
                self.set_lanes(1, w, mask, |l| pool(index(l, 0)));
                self.set_lanes(0, w, mask, |l| pool(index(l, w / 2)));
            }
            ("SHFL", _) => {
                let (x, imm) = (self.vec(1), self.index(2));
                self.set_lanes(0, 8, None, |l| {
                    i64::from(if imm < 64 { x.0[(l + imm) & 63] } else { x.0[l ^ (imm & 63)] })
                });
            }
            ("SEL", _) => {
                let (pool, imm) = (pool(self.vec(2), self.vec(1)), self.index(3));
                self.set_lanes(0, 8, None, |l| pool((l + imm) & 127));
            }
            ("DSEL", _) => self.deal_immediate(),
            _ => return false,
        }
        true
    }

    /// `DSEL2NX8I` as section 5.1 prints it.
    fn deal_immediate(&mut self) {
        let (vs, vr, imm) = (self.vec(2).0, self.vec(3).0, self.index(4));
        let (mut vt, mut vu) = (vr, vs);
        if imm & 7 <= 5 {
            let b = 1 << (imm & 7);
            let mut z = [0; 128];
            let mut p = [0; 128];
            p[..64].copy_from_slice(&vr);
            p[64..].copy_from_slice(&vs);
            for j in 0..64 / b {
                for i in 0..b {
                    z[2 * b * j + i] = vr[b * j + i];
                    z[2 * b * j + b + i] = vs[b * j + i];
                    if imm >= 8 {
                        vt[b * j + i] = p[2 * b * j + i];
                        vu[b * j + i] = p[2 * b * j + b + i];
                    }
                }
            }
            if imm < 8 {
                vt.copy_from_slice(&z[..64]);
                vu.copy_from_slice(&z[64..]);
            }
        }
        self.set_vec(0, Line(vu));
        self.set_vec(1, Line(vt));
    }

    pub(super) fn moves(&mut self) -> bool {
        match self.name {
            "MOVVV" => self.set_vec(0, self.vec(1)),
            "MOV2NX8T" => {
                let x = self.vec(1);
                self.set_lanes(0, 8, Some(self.vbool(2)), |l| i64::from(x.0[l]));
            }
            "MOVVA8" | "MOVVA16" | "MOVVA32" => {
                let w = self.name[5..].parse().expect("a width");
                let value = i64::from(self.ar(1));
                self.set_lanes(0, w, None, |_| value);
            }
            "MOVVINT8" | "MOVVINT16" => {
                let w = self.name[7..].parse().expect("a width");
                let value = self.args[1];
                self.set_lanes(0, w, None, |_| value);
            }
            "MOVAV8" | "MOVAVU8" => self.set_ar(0, lane(&self.vec(1), 8, 0) as u32),
            "MOVAV16" => self.set_ar(0, signed(lane(&self.vec(1), 16, 0), 16) as u32),
            "MOVAVU16" => self.set_ar(0, lane(&self.vec(1), 16, 0) as u32),
            "MOVAV32" => self.set_ar(0, lane(&self.vec(1), 32, 0) as u32),
            "MOVPRA32" => {
                let value = i64::from(self.ar(1).cast_signed()) as u64;
                let index = self.index(0);
                self.new.pr[index] = value;
            }
            "MOVPRPR" => {
                let (to, from) = (self.index(0), self.index(1));
                self.new.pr[to] = self.old.pr[from];
            }
            "MOVAB1" => self.set_ar(0, (self.vbool(1) & 1) as u32),
            "MOVBA1" => self.set_vbool(0, u64::from(self.ar(1) & 1)),
            "EXTRVRN_2X32" => {
                let (x, t) = (self.vec(1), self.ar(2));
                let byte = |at: u32| {
                    if t > 64 { 0 } else { x.0.get((t + at) as usize).copied().unwrap_or(0) }
                };
                self.set_ar(0, u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]));
            }
            _ => {
                let Some((stem, w, rest)) = split(self.name) else { return false };
                match stem {
                    "REP" => {
                        let value = lane(&self.vec(1), w, self.index(2) & (512 / w - 1)) as i64;
                        let mask = (rest == "T").then(|| self.vbool(3));
                        self.set_lanes(0, w, mask, |_| value);
                    }
                    "EXTR" => {
                        let value = lane(&self.vec(1), w, self.index(2) & (512 / w - 1));
                        self.set_ar(
                            0,
                            if w == 16 { signed(value, 16) as u32 } else { value as u32 },
                        );
                    }
                    "EXTRPR" => {
                        let index = self.index(0);
                        self.new.pr[index] = lane(&self.vec(1), w, self.index(2) & (512 / w - 1));
                    }
                    _ => return false,
                }
            }
        }
        true
    }

    pub(super) fn predicates(&mut self) -> bool {
        let n_of = |suffix: &str| match suffix {
            "2N" => Some(64),
            "N" => Some(32),
            "N_2" => Some(16),
            _ => None,
        };
        let two = |op: &Self| (op.vbool(1), op.args.get(2).map_or(0, |_| op.vbool(2)));
        let q = match self.name {
            "ANDB" => two(self).0 & two(self).1,
            "ORB" => two(self).0 | two(self).1,
            "XORB" => two(self).0 ^ two(self).1,
            "ANDNOTB" => two(self).0 & !two(self).1,
            "ORNOTB" => two(self).0 | !two(self).1,
            "NOTB" => !self.vbool(1),
            name => {
                if let Some(n) = name.strip_prefix("RANDB").and_then(n_of) {
                    let w = 512 / n;
                    u64::from((0..n).all(|l| predicate(self.vbool(1), w, l)))
                } else if let Some(n) = name.strip_prefix("RORB").and_then(n_of) {
                    let w = 512 / n;
                    u64::from((0..n).any(|l| predicate(self.vbool(1), w, l)))
                } else if let Some(n) = name.strip_prefix("LTRS").and_then(n_of) {
                    let t = i64::from(self.ar(1).cast_signed()).clamp(0, n as i64) as usize;
                    self.flags(512 / n, |l| l < t)
                } else if let Some(n) = name.strip_prefix("LTR").and_then(n_of) {
                    let t = self.ar(1) as usize % n;
                    self.flags(512 / n, |l| l < t)
                } else if let Some(n) =
                    name.strip_prefix("LTR").and_then(|s| s.strip_suffix('I')).and_then(n_of)
                {
                    let t = self.index(1) % n;
                    self.flags(512 / n, |l| l < t)
                } else {
                    return false;
                }
            }
        };
        self.set_vbool(0, q);
        true
    }

    pub(super) fn wide(&mut self) -> bool {
        match self.name {
            "MOVWW" => {
                let (to, from) = (self.index(0), self.index(1));
                self.new.wvec[to] = self.old.wvec[from];
            }
            "MULPN16XR16" => {
                let (x, y, pr) = (self.vec(1), self.vec(2), self.old.pr[self.index(3)]);
                let (g, h) = (signed(pr & 0xffff, 16), signed(pr >> 16 & 0xffff, 16));
                let to = self.index(0);
                for l in 0..32 {
                    let sum = signed(lane(&x, 16, l), 16) * h + signed(lane(&y, 16, l), 16) * g;
                    self.new.wvec[to][6 * l..][..6].copy_from_slice(&sum.to_le_bytes()[..6]);
                }
            }
            "PACKLNX48" => {
                let wide = self.old.wvec[self.index(1)];
                self.set_lanes(0, 16, None, |l| {
                    i64::from(u16::from_le_bytes([wide[6 * l], wide[6 * l + 1]]))
                });
            }
            _ => return false,
        }
        true
    }
}
