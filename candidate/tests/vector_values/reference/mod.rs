//! A lane-by-lane reading of spec 04, to test against: one op, one state in, one state out. It knows
//! nothing of the executor's algorithms; every rule is written as the chapter prints it.

mod crossbar;
mod lanes;
mod memory;

use contract::state::{Line, VectorState};

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
}
