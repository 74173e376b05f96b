//! A lane-by-lane reading of spec 04, to test against: one op, one state in, one state out. It knows
//! nothing of the executor's algorithms; every rule is written as the chapter prints it.

use crate::support::lane;
use contract::profile::{FsrGate, LaFresh, RbTie, RotrMode};
use contract::state::{LINE, Line, VectorState};

/// Reason text and address.
pub type Fault = (&'static str, u32);

/// What an op may read and write: the state before, the state after.
struct Op<'a> {
    name: &'a str,
    args: &'a [i64],
    old: &'a VectorState,
    new: VectorState,
}

/// Executes one op; `args` are register indices and immediates in assembly order.
pub fn execute(state: &VectorState, name: &str, args: &[i64]) -> Result<VectorState, Fault> {
    let mut op = Op { name, args, old: state, new: state.clone() };
    let done = op.scalar()
        || op.memory()?
        || op.streams()?
        || op.crossbar()
        || op.moves()
        || op.predicates()
        || op.wide()
        || op.shifts()
        || op.reductions()
        || op.alu();
    assert!(done, "no rule for {name}");
    Ok(op.new)
}

fn signed(x: u64, w: usize) -> i64 {
    ((x << (64 - w)) as i64) >> (64 - w)
}

fn saturate(x: i128, w: usize) -> i64 {
    x.clamp(-(1 << (w - 1)), (1 << (w - 1)) - 1) as i64
}

fn put(line: &mut Line, w: usize, l: usize, value: i64) {
    line.0[l * w / 8..][..w / 8].copy_from_slice(&value.to_le_bytes()[..w / 8]);
}

fn predicate(q: u64, w: usize, l: usize) -> bool {
    q >> (l * w / 8) & 1 == 1
}

fn field(w: usize, l: usize) -> u64 {
    ((1 << (w / 8)) - 1) << (l * w / 8)
}

/// Splits a mnemonic at its width: stem, width, what follows.
fn split(name: &str) -> Option<(&str, usize, &str)> {
    for (text, width) in [("2NX8", 8), ("NXF16", 16), ("NX16", 16), ("N_2XF32", 32), ("N_2X32", 32)]
    {
        if let Some((stem, rest)) = name.split_once(text) {
            return Some((stem, width, rest));
        }
    }
    None
}

impl Op<'_> {
    fn index(&self, position: usize) -> usize {
        self.args[position] as usize
    }

    fn ar(&self, position: usize) -> u32 {
        self.old.ar[self.index(position)]
    }

    fn vec(&self, position: usize) -> Line {
        self.old.vec[self.index(position)]
    }

    fn vbool(&self, position: usize) -> u64 {
        self.old.vbool[self.index(position)]
    }

    fn set_ar(&mut self, position: usize, value: u32) {
        let index = self.index(position);
        self.new.ar[index] = value;
    }

    fn set_vbool(&mut self, position: usize, value: u64) {
        let index = self.index(position);
        self.new.vbool[index] = value;
    }

    fn set_vec(&mut self, position: usize, value: Line) {
        let index = self.index(position);
        self.new.vec[index] = value;
    }

    /// Writes lanes; with a mask, only those whose predicate is true.
    fn set_lanes(
        &mut self,
        position: usize,
        w: usize,
        mask: Option<u64>,
        value: impl Fn(usize) -> i64,
    ) {
        let mut line = self.vec(position);
        for l in 0..512 / w {
            if mask.is_none_or(|q| predicate(q, w, l)) {
                put(&mut line, w, l, value(l));
            }
        }
        self.set_vec(position, line);
    }

    fn flags(&self, w: usize, flag: impl Fn(usize) -> bool) -> u64 {
        (0..512 / w).filter(|&l| flag(l)).fold(0, |q, l| q | field(w, l))
    }

    fn window(&self, address: u32, length: usize) -> Result<usize, Fault> {
        self.old.memory.window(address, length).ok_or(("BadAccess", address))
    }

    fn read(&self, address: u32, length: usize) -> Result<Vec<u8>, Fault> {
        let at = self.window(address, length)?;
        Ok(self.old.memory.bytes()[at..at + length].to_vec())
    }

    /// Writes the bytes that are `Some`; the access counts in full.
    fn write(&mut self, address: u32, bytes: &[Option<u8>]) -> Result<(), Fault> {
        let at = self.window(address, bytes.len())?;
        for (i, byte) in bytes.iter().enumerate() {
            if let Some(byte) = byte {
                self.new.memory.write(at + i, &[*byte]);
            }
        }
        Ok(())
    }

    fn scalar(&mut self) -> bool {
        let value = match self.name {
            "NOP" => return true,
            "MOVI" => self.args[1] as u32,
            "ADDI" => self.ar(1).wrapping_add(self.args[2] as u32),
            "ADD" => self.ar(1).wrapping_add(self.ar(2)),
            "SUB" => self.ar(1).wrapping_sub(self.ar(2)),
            "AND" => self.ar(1) & self.ar(2),
            "OR" => self.ar(1) | self.ar(2),
            "XOR" => self.ar(1) ^ self.ar(2),
            "MUL16S" => {
                let product = i64::from(self.ar(1) as i16) * i64::from(self.ar(2) as i16);
                product as u32
            }
            "MULL" => (u64::from(self.ar(1)) * u64::from(self.ar(2))) as u32,
            _ => return false,
        };
        self.set_ar(0, value);
        true
    }

    /// Address of an `_I`, `_IP`, `_X` or `_XP` form; updates the base.
    fn address(&mut self, mode: &str, base: usize) -> u32 {
        let offset =
            if mode.starts_with('I') { self.args[base + 1] as u32 } else { self.ar(base + 1) };
        let sum = self.ar(base).wrapping_add(offset);
        if mode.ends_with('P') {
            let old = self.ar(base);
            self.set_ar(base, sum);
            old
        } else {
            sum
        }
    }

    /// Memory bytes and lane width of a memory form's element.
    fn element(name: &str) -> (usize, usize, bool) {
        match name {
            "2NX8" | "NX16" => (64, 8, false),
            "NX8U" => (32, 16, false),
            "NX8S" => (32, 16, true),
            "N_2X16U" => (32, 32, false),
            "N_2X16S" => (32, 32, true),
            other => panic!("no element {other}"),
        }
    }

    fn widen(bytes: &[u8], w: usize, sign: bool) -> Line {
        let mut line = Line([0; LINE]);
        if w == 8 {
            line.0.copy_from_slice(bytes);
            return line;
        }
        let half = w / 2;
        for (l, chunk) in bytes.chunks_exact(half / 8).enumerate() {
            let mut value = 0;
            for (i, byte) in chunk.iter().enumerate() {
                value |= u64::from(*byte) << (8 * i);
            }
            put(&mut line, w, l, if sign { signed(value, half) } else { value as i64 });
        }
        line
    }

    fn narrow(line: &Line, w: usize) -> Vec<u8> {
        if w == 8 {
            return line.0.to_vec();
        }
        (0..512 / w).flat_map(|l| lane(line, w, l).to_le_bytes()[..w / 16].to_vec()).collect()
    }

    fn memory(&mut self) -> Result<bool, Fault> {
        if self.name == "L32I" || self.name == "S32I" {
            let address = self.ar(1).wrapping_add(self.args[2] as u32);
            if address & 3 != 0 {
                return Err(("Alignment", address));
            }
            if self.name == "L32I" {
                let bytes = self.read(address, 4)?;
                let value = u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
                self.set_ar(0, value);
            } else {
                let bytes = self.ar(0).to_le_bytes().map(Some);
                self.write(address, &bytes)?;
            }
            return Ok(true);
        }
        let Some((stem, mode)) = self.name.rsplit_once('_') else { return Ok(false) };
        if let Some(load) = ["LB2N", "SB2N"].iter().position(|name| *name == stem) {
            let address = self.address(mode, 1) & !7;
            if load == 0 {
                let bytes = self.read(address, 8)?;
                self.set_vbool(0, u64::from_le_bytes(bytes.try_into().expect("8 bytes")));
            } else {
                let bytes = self.vbool(0).to_le_bytes().map(Some);
                self.write(address, &bytes)?;
            }
            return Ok(true);
        }
        if let Some(element) = stem.strip_prefix("LV") {
            let (size, w, sign) = Self::element(element);
            let address = self.address(mode, 1) & !(size as u32 - 1);
            let bytes = self.read(address, size)?;
            self.set_vec(0, Self::widen(&bytes, w, sign));
            return Ok(true);
        }
        if let Some(rest) = stem.strip_prefix("SV") {
            let element = rest.strip_suffix('T').unwrap_or(rest);
            let (size, w, _) = Self::element(element);
            let q = if element == rest { !0 } else { self.vbool(3) };
            let address = self.address(mode, 1) & !(size as u32 - 1);
            let step = if w == 8 { 1 } else { w / 16 };
            let bytes: Vec<Option<u8>> = Self::narrow(&self.vec(0), w)
                .into_iter()
                .enumerate()
                .map(|(i, byte)| predicate(q, w, i / step).then_some(byte))
                .collect();
            self.write(address, &bytes)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn line_of(&self, address: u32) -> Result<Line, Fault> {
        Ok(Line(self.read(address & !63, 64)?.try_into().expect("64 bytes")))
    }

    /// Spec 04 section 4.2.
    fn produce(&self, u: &Line, a: u32, n: usize, m: usize) -> Result<(Vec<u8>, Line), Fault> {
        let phi = (a & 63) as usize;
        let cross = phi + n >= 64;
        let f = match self.old.profile.la_fresh {
            LaFresh::Next => (a & !63).wrapping_add(64),
            LaFresh::Base => a & !63,
        };
        let fresh = if cross { Some(self.line_of(f)?) } else { None };
        let byte = |j: usize| {
            let at = phi + j;
            if j >= n {
                0
            } else if at < 64 {
                u.0[at]
            } else {
                fresh.expect("only a crossing step reaches it").0[at - 64]
            }
        };
        Ok(((0..m).map(byte).collect(), fresh.unwrap_or(*u)))
    }

    /// Spec 04 section 4.3; returns the new register.
    fn append(&mut self, u: Line, a: u32, d: &[u8], n: usize) -> Result<Line, Fault> {
        if n == 0 {
            return Ok(u);
        }
        let phi = (a & 63) as usize;
        let c = usize::from(u.0[63] & 63).min(phi);
        let e = phi + n;
        let mut next = Line([0; LINE]);
        if e < 64 {
            next.0[phi - c..phi].copy_from_slice(&u.0[phi - c..phi]);
            next.0[phi..e].copy_from_slice(&d[..n]);
            next.0[63] = (c + n) as u8;
            return Ok(next);
        }
        let mut bytes = [None; LINE];
        for i in phi - c..64 {
            bytes[i] = Some(if i < phi { u.0[i] } else { d[i - phi] });
        }
        self.write(a & !63, &bytes)?;
        let r = e - 64;
        for i in 0..r {
            next.0[i] = d[64 - phi + i];
        }
        next.0[63] = r as u8;
        Ok(next)
    }

    fn set_u(&mut self, position: usize, value: Line) {
        let index = self.index(position);
        self.new.valign[index] = value;
    }

    fn streams(&mut self) -> Result<bool, Fault> {
        let u = |op: &Self, position: usize| op.old.valign[op.index(position)];
        match self.name {
            "ZALIGN" => self.set_u(0, Line([0; LINE])),
            "MALIGN" => self.set_u(0, u(self, 1)),
            "LALIGN_I" | "LALIGN_IP" => {
                let address = self.address(&self.name[7..], 1);
                let line = self.line_of(address)?;
                self.set_u(0, line);
            }
            "LA_PP" => {
                let line = self.line_of(self.ar(1))?;
                self.set_u(0, line);
            }
            "LA_PPXU" => {
                let address = self.ar(1).wrapping_add(self.ar(2));
                let line = self.line_of(address)?;
                self.set_u(0, line);
                self.set_ar(1, address);
            }
            "SALIGN_I" | "SALIGN_IP" => {
                let address = self.address(&self.name[7..], 1) & !63;
                self.write(address, &u(self, 0).0.map(Some))?;
            }
            "SAPOS_FP" => {
                let (register, base) = (u(self, 0), self.ar(1));
                let phi = (base & 63) as usize;
                let c = usize::from(register.0[63] & 63).min(phi);
                if c > 0 {
                    let mut bytes = [None; LINE];
                    for i in phi - c..phi {
                        bytes[i] = Some(register.0[i]);
                    }
                    self.write(base & !63, &bytes)?;
                }
                self.set_u(0, Line([0; LINE]));
            }
            _ => return self.streaming(),
        }
        Ok(true)
    }

    fn streaming(&mut self) -> Result<bool, Fault> {
        let Some((stem, mode)) = self.name.rsplit_once('_') else { return Ok(false) };
        let (load, rest) = match (stem.strip_prefix("LA"), stem.strip_prefix("SA")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return Ok(false),
        };
        let (variable, rest) = (rest.starts_with('V'), rest.strip_prefix('V').unwrap_or(rest));
        let (merging, element) = (rest.starts_with('T'), rest.strip_prefix('T').unwrap_or(rest));
        let (size, w, sign) = Self::element(element);
        let base = self.ar(2);
        let n = if variable {
            i64::from(self.ar(3).cast_signed()).clamp(0, size as i64) as usize
        } else {
            size
        };
        let u = self.old.valign[self.index(1)];
        if load {
            let (bytes, next) = self.produce(&u, base, n, size)?;
            let value = Self::widen(&bytes, w, sign);
            let mask = merging.then(|| self.vbool(4));
            self.set_lanes(0, 8, mask, |l| i64::from(value.0[l]));
            self.set_u(1, next);
        } else {
            let bytes = Self::narrow(&self.vec(0), w);
            let next = self.append(u, base, &bytes, n)?;
            self.set_u(1, next);
        }
        let advance = if variable || mode == "IP" { n as u32 } else { self.ar(3) };
        self.set_ar(2, base.wrapping_add(advance));
        Ok(true)
    }

    fn crossbar(&mut self) -> bool {
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
                    i64::from(if imm < 64 { x.0[l + imm & 63] } else { x.0[l ^ imm & 63] })
                });
            }
            ("SEL", _) => {
                let (pool, imm) = (pool(self.vec(2), self.vec(1)), self.index(3));
                self.set_lanes(0, 8, None, |l| pool(l + imm & 127));
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

    fn moves(&mut self) -> bool {
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

    fn predicates(&mut self) -> bool {
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

    fn wide(&mut self) -> bool {
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

    fn shifts(&mut self) -> bool {
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

    fn reductions(&mut self) -> bool {
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

    fn alu(&mut self) -> bool {
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
