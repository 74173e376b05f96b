//! Programs and bundles from seeds. One number gives one bundle, so that a shrinker may drop bundles
//! without changing the others.

use crate::golden::{GOLDEN, GoldenRow, Kind};
use crate::reference;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic, RegClass};

/// A small random source (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A legal program whose registers come from the first `pool` of each file.
pub fn legal_program(seed: u64, bundles: usize, pool: u32) -> Vec<Bundle> {
    let mut random = Random(seed);
    (0..bundles).map(|_| legal_bundle(random.next(), pool)).collect()
}

/// A legal bundle: ops are added slot by slot as long as the bundle stays legal.
pub fn legal_bundle(seed: u64, pool: u32) -> Bundle {
    let mut random = Random(seed);
    let format = *random.pick(Format::ALL);
    let mut bundle = Bundle::empty(format);
    let density = 1 + random.below(3);
    for slot in 0..format.slots().len() {
        let Some(rows) = GOLDEN.by_slot.get(&format.slot_name(slot).unwrap()) else { continue };
        if !random.one_in(density) {
            continue;
        }
        let row = &GOLDEN.rows[*random.pick(rows)];
        bundle.ops.push(op(slot as u32, row, &mut random, pool));
        if reference::judge(&bundle).is_err() {
            bundle.ops.pop();
        }
    }
    bundle
}

/// An op with legal operands.
pub fn op(slot: u32, row: &GoldenRow, random: &mut Random, pool: u32) -> SlotOp {
    let operands = row.operands.iter().map(|kind| operand(kind, random, pool)).collect();
    SlotOp { slot, op: OpWord::Known(row.mnemonic), operands }
}

fn operand(kind: &Kind, random: &mut Random, pool: u32) -> Operand {
    match kind {
        Kind::Reg(class) => {
            Operand::Reg(*class, random.below(pool.min(class.entries()) as usize) as u32)
        }
        Kind::Range(min, max, step) => {
            let values = (max - min) / step + 1;
            Operand::Imm(min + step * random.below(values as usize) as i64)
        }
        Kind::Set(values) => Operand::Imm(*random.pick(values)),
    }
}

/// A bundle that is often illegal: a legal or a crowded one with up to three things changed, ops in
/// any order.
pub fn spoilt_bundle(seed: u64) -> Bundle {
    let mut random = Random(seed);
    if random.one_in(4) {
        return crowded_bundle(&mut random);
    }
    let mut bundle = legal_bundle(random.next(), 6);
    for _ in 0..random.below(4) {
        spoil(&mut bundle, &mut random);
    }
    bundle
}

/// An op with legal operands in every slot, for the checks that look at all ops together. A load or
/// store is preferred where one fits.
fn crowded_bundle(random: &mut Random) -> Bundle {
    let format = *random.pick(Format::ALL);
    let mut bundle = Bundle::empty(format);
    for slot in 0..format.slots().len() {
        let Some(rows) = GOLDEN.by_slot.get(&format.slot_name(slot).unwrap()) else { continue };
        let rows: Vec<&GoldenRow> = rows.iter().map(|&row| &GOLDEN.rows[row]).collect();
        let memory: Vec<&GoldenRow> = rows.iter().copied().filter(|row| row.copies > 0).collect();
        let paired: Vec<&GoldenRow> = rows.iter().copied().filter(|row| row.copies > 1).collect();
        let choice = match random.below(4) {
            0 if !paired.is_empty() => &paired,
            0..=2 if !memory.is_empty() => &memory,
            _ => &rows,
        };
        let row = *random.pick(choice);
        bundle.ops.push(op(slot as u32, row, random, 8));
    }
    bundle
}

fn spoil(bundle: &mut Bundle, random: &mut Random) {
    let mnemonics: Vec<Mnemonic> = Mnemonic::all().collect();
    match random.below(12) {
        0 => bundle.format = FormatWord::Unknown("F5".into()),
        1 => bundle.format = FormatWord::Known(*random.pick(Format::ALL)),
        2 => {
            let row = random.pick(&GOLDEN.rows);
            let slot = *random.pick(&[0, 1, 2, 3, 4, 5, u32::MAX]);
            let extra = op(slot, row, random, 40);
            bundle.ops.insert(random.below(bundle.ops.len() + 1), extra);
        }
        3 => bundle.ops.reverse(),
        _ if bundle.ops.is_empty() => {}
        change => {
            let place = random.below(bundle.ops.len());
            let op = &mut bundle.ops[place];
            match change {
                4 => op.slot = random.below(6) as u32,
                5 => op.op = OpWord::Unknown("FOO".into()),
                6 => op.op = OpWord::Known(*random.pick(&mnemonics)),
                7 => op.op = OpWord::Known(Mnemonic::NOP),
                8 => {
                    let operand = any_operand(random);
                    op.operands.push(operand);
                }
                9 => drop(op.operands.pop()),
                _ if op.operands.is_empty() => {}
                _ => {
                    let place = random.below(op.operands.len());
                    op.operands[place] = match op.operands[place] {
                        Operand::Reg(class, _) if random.one_in(2) => {
                            let indices = [0, 3, 4, 7, 8, 15, 16, 31, 32, 255, 256, u32::MAX];
                            Operand::Reg(class, *random.pick(&indices))
                        }
                        Operand::Imm(value) if random.one_in(2) => {
                            let changes = [-64, -8, -1, 1, 2, 8, 64, 1 << 32];
                            Operand::Imm(value.wrapping_add(*random.pick(&changes)))
                        }
                        _ => any_operand(random),
                    };
                }
            }
        }
    }
}

fn any_operand(random: &mut Random) -> Operand {
    match random.below(3) {
        0 => Operand::Reg(*random.pick(RegClass::ALL), random.below(40) as u32),
        1 => Operand::Imm(*random.pick(&[i64::MIN, -1, 0, 1, 64, 1 << 32, i64::MAX])),
        _ => Operand::Word("x1".into()),
    }
}
