//! One op with values for its operands, and the ops that it needs before and after.

use super::super::roles::{Lane, Role};
use super::super::table::{Row, Table};
use super::lines;
use contract::isa::RegClass;
use contract::state::Line;
use smallvec::SmallVec;

/// What a register holds at the start.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// Anything; it is written.
    Fresh,
    /// A number in an address register.
    Scalar(u32),
    /// An address, from the start of the probe's own region of memory.
    Near(i32),
    /// A vector register.
    Vector(Box<Line>),
    /// A predicate.
    Mask(u64),
    /// An align register.
    Align(Box<Line>),
    /// A wide accumulator.
    Wide(Box<[u8; 192]>),
    /// A packed pair.
    Pair(u64),
    /// Gathered data.
    Gathered(Box<Line>),
}

/// What stands at an operand position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Arg {
    /// A register of the probe.
    Register(usize),
    /// An immediate.
    Number(i32),
}

/// One op of a probe.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) row: &'static Row,
    pub(super) args: SmallVec<[Arg; 7]>,
}

/// An op with its surroundings.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) registers: Vec<(RegClass, Value)>,
    pub(super) steps: Vec<Step>,
    /// It may end its program, so it has one of its own.
    pub(super) alone: bool,
    /// Offsets in its region near which it reads or writes memory.
    pub(super) touches: SmallVec<[i32; 2]>,
}

impl Probe {
    /// An op with these operands. `value` gives what a register that is read holds, `number` the
    /// immediate at a position.
    pub(super) fn of(
        row: &'static Row,
        mut value: impl FnMut(usize) -> Value,
        number: impl Fn(usize) -> i32,
    ) -> Self {
        let mut registers = Vec::new();
        let mut args = SmallVec::new();
        for (at, facts) in row.operands.iter().enumerate() {
            let Some(class) = facts.class() else {
                args.push(Arg::Number(number(at)));
                continue;
            };
            args.push(Arg::Register(registers.len()));
            registers.push((class, if facts.uses { value(at) } else { Value::Fresh }));
        }
        Self { registers, steps: vec![Step { row, args }], alone: false, touches: SmallVec::new() }
            .surrounded(row)
    }

    /// Primes a load stream, opens a store stream and flushes it, and notes where memory is touched.
    fn surrounded(mut self, row: &'static Row) -> Self {
        let step = self.steps[0].clone();
        let argument = |role: Role| row.role(role).map(|at| step.args[at]);
        let base = argument(Role::Base).or_else(|| argument(Role::WordBase));
        if let Some(Arg::Register(base)) = base
            && let Value::Near(offset) = self.registers[base].1
        {
            // Immediate and register offsets move the access; streams go on to the next lines.
            let moved = match (row.immediate(), argument(Role::Index)) {
                (Some((at, _)), _) => number(step.args[at]),
                (None, Some(Arg::Register(index))) => match self.registers[index].1 {
                    Value::Scalar(index) => index as i32,
                    _ => 0,
                },
                _ => 0,
            };
            self.touches.push(offset);
            if moved.unsigned_abs() <= 1024 && moved != 0 {
                self.touches.push(offset + moved);
            }
        }
        let vector = row.operands.iter().any(|facts| facts.class() == Some(RegClass::Vec));
        let (Some(base), true) = (base, vector) else { return self };
        let named = |name| Table::get().named(name);
        if let Some(align) = argument(Role::LoadAlign) {
            self.steps
                .insert(0, Step { row: named("LA_PP"), args: [align, base].into_iter().collect() });
        } else if let Some(align) = argument(Role::StoreAlign) {
            let Arg::Register(register) = align else { return self };
            if self.registers[register].1 == Value::Align(Box::default()) {
                let args = [align].into_iter().collect();
                self.steps.insert(0, Step { row: named("ZALIGN"), args });
            }
            self.steps
                .push(Step { row: named("SAPOS_FP"), args: [align, base].into_iter().collect() });
        }
        self
    }

    /// The same as the only probe of its program.
    pub(super) fn alone(mut self) -> Self {
        self.alone = true;
        self
    }
}

/// The number of an immediate.
fn number(arg: Arg) -> i32 {
    match arg {
        Arg::Number(value) => value,
        Arg::Register(_) => 0,
    }
}

/// What an operand holds where a product says nothing about it; `number` is the probe's.
pub(super) fn filler(row: &Row, at: usize, number: u32) -> Value {
    let facts = &row.operands[at];
    match facts.role {
        Role::Base | Role::WordBase => Value::Near(0),
        Role::Index => Value::Scalar(64),
        Role::Length => Value::Scalar(40),
        Role::Count | Role::Offset | Role::Scalar => {
            Value::Scalar(number.wrapping_mul(0x0101_0107))
        }
        Role::Mask => Value::Mask(lines::mask(number)),
        Role::LoadAlign => Value::Align(Box::new(lines::ramp(number))),
        Role::StoreAlign => Value::Align(Box::default()),
        Role::Wide => Value::Wide(Box::new(lines::wide(number))),
        Role::Pair => Value::Pair(lines::pair(number)),
        Role::Gathered => Value::Gathered(Box::new(lines::ramp(number))),
        // What a merge keeps must differ from what it writes.
        _ if facts.defs => Value::Vector(Box::new(lines::marked())),
        Role::Control | Role::Deal | Role::Amount | Role::Turn | Role::Offsets => {
            Value::Vector(Box::new(lines::ramp(0)))
        }
        // The bytes of two sources differ, and a few probes share one register.
        _ => Value::Vector(Box::new(lines::line(Lane::I8, |byte| {
            byte + 64 * at as u32 + 7 * (number / 8)
        }))),
    }
}
