//! Registers of one program. They come from small pools, so that hazards, aliasing and in-out chains
//! are common; address registers are divided into bases, offsets, lengths and scalars, so that most
//! addresses stay inside the window.

use super::super::Draw;
use super::draft::Args;
use super::places::{Registers, single};
use super::roles::Role;
use super::table::{Immediates, Kind, Memory, OPERANDS, OperandFacts, Row};
use contract::isa::RegClass;

/// A few registers of one file, in an arithmetic progression around the file.
#[derive(Debug, Clone, Copy, Default)]
struct Pool {
    start: u8,
    /// Odd, so that no register comes twice.
    step: u8,
    count: u8,
}

impl Pool {
    fn nth(self, nth: u32, entries: u32) -> u32 {
        u32::from(self.start).wrapping_add(nth.wrapping_mul(self.step.into())) % entries
    }
}

/// Position of each kind of address register in the pool of `AR`.
#[derive(Debug, Clone, Copy, Default)]
struct Kinds {
    bases: u32,
    offsets: u32,
    lengths: u32,
    scalars: u32,
}

/// The registers of one program.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pools {
    pools: [Pool; 8],
    kinds: Kinds,
}

impl Pools {
    /// Draws pools; wide ones have about twice as many registers, for programs of few ops.
    pub(super) fn draw(draw: &mut Draw<'_>, wide: bool) -> Self {
        let mut pools = [Pool::default(); 8];
        for (pool, &class) in pools.iter_mut().zip(RegClass::ALL) {
            let entries = class.entries();
            let (low, high) = match class {
                RegClass::Vec if wide => (6, 10),
                RegClass::Vec => (3, 6),
                RegClass::Vbool if wide => (4, 6),
                RegClass::Valign => (1, 3),
                _ => (2, 3),
            };
            // One byte gives start and step.
            let byte = draw.u8();
            *pool = Pool {
                start: byte % entries as u8,
                step: (byte >> 5) * 2 + 1,
                count: draw.between(low, high) as u8,
            };
        }
        let kinds = Kinds {
            bases: draw.between(1, 3),
            offsets: draw.between(1, 2),
            lengths: draw.between(1, 2),
            scalars: draw.between(2, 4),
        };
        Self { pools, kinds }
    }

    /// The `nth` register of a class's pool.
    pub(super) fn nth(&self, class: RegClass, nth: u32) -> u32 {
        self.pools[class as usize].nth(nth, class.entries())
    }

    /// Number of registers in a class's pool.
    pub(super) fn count(&self, class: RegClass) -> u32 {
        self.pools[class as usize].count.into()
    }

    /// The `nth` base register.
    pub(super) fn base(&self, nth: u32) -> u32 {
        self.nth(RegClass::Ar, nth % self.kinds.bases)
    }

    /// The `nth` register for offsets.
    pub(super) fn offset(&self, nth: u32) -> u32 {
        self.nth(RegClass::Ar, self.kinds.bases + nth % self.kinds.offsets)
    }

    /// The `nth` register for lengths and counts.
    pub(super) fn length(&self, nth: u32) -> u32 {
        let Kinds { bases, offsets, lengths, .. } = self.kinds;
        self.nth(RegClass::Ar, bases + offsets + nth % lengths)
    }

    /// The `nth` register for other scalars.
    pub(super) fn scalar(&self, nth: u32) -> u32 {
        let Kinds { bases, offsets, lengths, scalars } = self.kinds;
        self.nth(RegClass::Ar, bases + offsets + lengths + nth % scalars)
    }

    /// A register for an operand.
    fn choose(&self, draw: &mut Draw<'_>, class: RegClass, role: Role) -> u32 {
        if class != RegClass::Ar {
            return self.nth(class, draw.below(self.count(class)));
        }
        let (kind, nth) = (draw.below(256), draw.below(16));
        match role {
            Role::Base | Role::WordBase if kind < 250 => self.base(nth),
            Role::Index if kind < 200 => self.offset(nth),
            Role::Index if kind < 250 => self.length(nth),
            Role::Length | Role::Count if kind < 240 => self.length(nth),
            Role::Offset if kind < 200 => self.length(nth),
            Role::Result if kind < 215 => self.scalar(nth),
            Role::Result if kind < 235 => self.length(nth),
            Role::Result if kind < 250 => self.offset(nth),
            Role::Result => self.base(nth),
            _ => draw.below(class.entries()),
        }
    }

    /// A register for an operand that must not be one of these; any of the file if the pool is
    /// exhausted, `None` if the file is.
    fn choose_free(
        &self,
        draw: &mut Draw<'_>,
        class: RegClass,
        role: Role,
        taken: Registers,
    ) -> Option<u32> {
        let free = |&index: &u32| taken & single(class, index) == 0;
        (0..3)
            .map(|_| self.choose(draw, class, role))
            .find(free)
            .or_else(|| (0..self.count(class)).map(|nth| self.nth(class, nth)).find(free))
            .or_else(|| (0..class.entries()).find(free))
    }

    /// Operands of an op that writes none of the registers `taken`. The operands in `fixed` get the
    /// value beside them, whatever it is. `None` if the registers do not suffice.
    pub(super) fn args(
        &self,
        draw: &mut Draw<'_>,
        row: &Row,
        taken: Registers,
        fixed: &[(usize, i32)],
    ) -> Option<Args> {
        let mut args = [0; OPERANDS];
        let mut taken = taken;
        for &(at, value) in fixed {
            args[at] = value;
            if let (true, Some(class)) = (row.operands[at].defs, row.operands[at].class()) {
                taken |= single(class, value as u32);
            }
        }
        for (at, facts) in row.operands.iter().enumerate() {
            if fixed.iter().any(|&(known, _)| known == at) {
                continue;
            }
            args[at] = match &facts.kind {
                Kind::Number(legal) => immediate(draw, legal, row.memory != Memory::None),
                &Kind::Register(class) => {
                    let index = self.operand(draw, class, facts, taken)?;
                    if facts.defs {
                        taken |= single(class, index);
                    }
                    index as i32
                }
            };
        }
        Some(args)
    }

    fn operand(
        &self,
        draw: &mut Draw<'_>,
        class: RegClass,
        facts: &OperandFacts,
        taken: Registers,
    ) -> Option<u32> {
        if facts.defs {
            self.choose_free(draw, class, facts.role, taken)
        } else {
            Some(self.choose(draw, class, facts.role))
        }
    }
}

/// A legal immediate; address offsets are mostly small.
pub(super) fn immediate(draw: &mut Draw<'_>, legal: &Immediates, address: bool) -> i32 {
    let count = legal.count();
    // Position of zero, or of the smallest value.
    let plain = match *legal {
        Immediates::Range { min, step, .. } if min < 0 => (-min / step) as u32,
        _ => 0,
    };
    let style = draw.below(16);
    legal.nth(match style {
        0 => plain,
        1..=6 if address => (plain + draw.below(5)).saturating_sub(2).min(count - 1),
        13 => count - 1,
        14 => 0,
        15 => (plain + 1).min(count - 1),
        _ => draw.below(count),
    })
}
