//! Mutations of vector programs.

use super::Random;
use contract::bundle::{Bundle, FormatWord, OpWord, Operand, SlotOp};
use contract::isa::{Format, Mnemonic};

/// Changes one thing in a program.
pub(super) fn change(program: &mut Vec<Bundle>, random: &mut Random) {
    let Some(at) = random.at(program) else {
        program.push(Bundle::empty(random.pick(Format::ALL)));
        return;
    };
    match random.of(12) {
        0 if program.len() > 1 => drop(program.remove(at)),
        1 if program.len() < 24 => program.insert(at, program[at].clone()),
        // An empty bundle moves every distance by one.
        2 if program.len() < 24 => program.insert(at, Bundle::empty(random.pick(Format::ALL))),
        3 => program[at].format = FormatWord::Known(random.pick(Format::ALL)),
        _ => {
            // An op of another bundle, or one of this.
            let other = random.of(program.len());
            let donor = program[other].ops.first().cloned();
            let bundle = &mut program[at];
            match random.at(&bundle.ops) {
                Some(number) => op(&mut bundle.ops[number], random),
                None => bundle.ops.extend(donor),
            }
            bundle.canonicalise();
        }
    }
}

fn op(op: &mut SlotOp, random: &mut Random) {
    match random.of(8) {
        0 => op.slot = random.of(8) as u32,
        1 => {
            // Neighbours in the table mostly take the same operands.
            if let OpWord::Known(known) = op.op {
                let count = Mnemonic::count();
                let step = random.of(9) + count - 4;
                let index = (known.index() + step) % count;
                if let Some(found) = Mnemonic::all().nth(index) {
                    op.op = OpWord::Known(found);
                }
            }
        }
        2 => {
            let from = random.of(op.operands.len().max(1));
            if let Some(operand) = op.operands.get(from).cloned()
                && let Some(to) = random.at(&op.operands)
            {
                op.operands[to] = operand;
            }
        }
        _ => {
            let Some(at) = random.at(&op.operands) else { return };
            match &mut op.operands[at] {
                Operand::Reg(_, index) => {
                    *index = match random.of(4) {
                        0 => random.of(34) as u32,
                        1 => index.wrapping_add(1),
                        2 => index.saturating_sub(1),
                        _ => random.of(4) as u32,
                    };
                }
                Operand::Imm(value) => {
                    *value = match random.of(4) {
                        0 => random.of(256) as i64 - 128,
                        1 => value.wrapping_add(1),
                        2 => value.wrapping_neg(),
                        _ => value.wrapping_mul(2),
                    };
                }
                Operand::Word(_) => {}
            }
        }
    }
}
