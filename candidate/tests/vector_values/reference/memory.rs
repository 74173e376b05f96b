//! Loads, stores and streams (spec 04 section 4).

use super::{Fault, Op, predicate, put, signed};
use crate::support::lane;
use contract::profile::LaFresh;
use contract::state::{LINE, Line};

impl Op<'_> {
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

    pub(super) fn memory(&mut self) -> Result<bool, Fault> {
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

    pub(super) fn streams(&mut self) -> Result<bool, Fault> {
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
                    for (byte, &pending) in
                        bytes.iter_mut().zip(&register.0).take(phi).skip(phi - c)
                    {
                        *byte = Some(pending);
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
}
