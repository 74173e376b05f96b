//! What the tensor cases of a campaign aim at in turn: *combinations* of opcode, generation, operators,
//! dtypes and accumulator command, which are also the bins of the tensor covergroups. Each cross is
//! numbered densely; a number of a combination that no valid record has (an operator that came with a later
//! generation, a dtype that an operator does not take) stays unused.

use super::OPCODES;
use super::tables::{
    BITVEC, BITVEC_DTYPES, CACHE_COMBINE, CACHE_INPUTS, GENERAL_ARITH, OUTPUTS, SCAN_ARITH,
    SCAN_INPUTS, SHIFT_RIGHT_DTYPES,
};
use crate::generate::{Options, Steer};
use contract::isa::{AccumCmd, AluOp, Dtype, Generation, opcode};

/// Opcodes with an accumulator.
const CACHED: [u8; 2] =
    [opcode::TENSOR_SCALAR_CACHE_REDUCE, opcode::TENSOR_SCALAR_CACHE_CUMULATIVE];

/// Commands that valid records have.
const COMMANDS: [AccumCmd; 3] =
    [AccumCmd::Accumulate, AccumCmd::ZeroAccumulate, AccumCmd::LoadAccumulate];

/// One combination. What a cross leaves open is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combination {
    /// Generation.
    pub generation: Generation,
    /// Opcode.
    pub opcode: u8,
    /// The choices.
    pub steer: Steer,
}

/// The crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cross {
    /// Cached opcode × generation × `op0` × `in_dtype` × `out_dtype` × command.
    Cached,
    /// Cached opcode × generation × `op0` × `op1` × command.
    Operators,
    /// 0x4E: generation × `op` × `in_dtype` × `out_dtype`.
    Scan,
    /// 0x5E: generation × `op` × dtype.
    Bitvec,
}

/// Splits a number into coordinates, the last one fastest.
fn coordinates<const N: usize>(mut number: usize, sizes: [usize; N]) -> [usize; N] {
    let mut found = [0; N];
    for at in (0..N).rev() {
        found[at] = number % sizes[at];
        number /= sizes[at];
    }
    found
}

/// Inverse of [`coordinates`].
fn number<const N: usize>(found: [usize; N], sizes: [usize; N]) -> usize {
    found.iter().zip(sizes).fold(0, |number, (at, size)| number * size + at)
}

/// Operators on the last generation, which has them all.
const fn most(class: super::tables::Operators) -> usize {
    class.count(Generation::ALL[Generation::ALL.len() - 1])
}

impl Cross {
    /// Every cross.
    pub const ALL: [Self; 4] = [Self::Cached, Self::Operators, Self::Scan, Self::Bitvec];

    const CACHED: [usize; 6] =
        [2, Generation::ALL.len(), most(GENERAL_ARITH), CACHE_INPUTS.len(), OUTPUTS.len(), 3];
    const OPERATORS: [usize; 5] =
        [2, Generation::ALL.len(), most(GENERAL_ARITH), CACHE_COMBINE.len(), 3];
    const SCAN: [usize; 4] =
        [Generation::ALL.len(), most(SCAN_ARITH), SCAN_INPUTS.len(), OUTPUTS.len()];
    const BITVEC: [usize; 3] = [Generation::ALL.len(), BITVEC.len() + 1, BITVEC_DTYPES.len()];

    /// Numbers, used or not.
    pub fn count(self) -> usize {
        match self {
            Self::Cached => Self::CACHED.iter().product(),
            Self::Operators => Self::OPERATORS.iter().product(),
            Self::Scan => Self::SCAN.iter().product(),
            Self::Bitvec => Self::BITVEC.iter().product(),
        }
    }

    /// The combination of a number; `None` if no valid record has it.
    pub fn at(self, bin: usize) -> Option<Combination> {
        let made = |generation, opcode, steer| Some(Combination { generation, opcode, steer });
        match self {
            Self::Cached => {
                let [code, generation, op, input, output, command] = coordinates(bin, Self::CACHED);
                let generation = Generation::ALL[generation];
                let steer = Steer {
                    operator: (op < GENERAL_ARITH.count(generation)).then(|| GENERAL_ARITH.at(op)),
                    input: Some(CACHE_INPUTS[input]),
                    output: Some(OUTPUTS[output]),
                    command: Some(COMMANDS[command]),
                    ..Steer::NONE
                };
                steer.operator.and_then(|_| made(generation, CACHED[code], steer))
            }
            Self::Operators => {
                let [code, generation, op, combine, command] = coordinates(bin, Self::OPERATORS);
                let generation = Generation::ALL[generation];
                let steer = Steer {
                    operator: (op < GENERAL_ARITH.count(generation)).then(|| GENERAL_ARITH.at(op)),
                    combine: Some(CACHE_COMBINE[combine]),
                    command: Some(COMMANDS[command]),
                    ..Steer::NONE
                };
                steer.operator.and_then(|_| made(generation, CACHED[code], steer))
            }
            Self::Scan => {
                let [generation, op, input, output] = coordinates(bin, Self::SCAN);
                let generation = Generation::ALL[generation];
                let steer = Steer {
                    operator: (op < SCAN_ARITH.count(generation)).then(|| SCAN_ARITH.at(op)),
                    input: Some(SCAN_INPUTS[input]),
                    output: Some(OUTPUTS[output]),
                    ..Steer::NONE
                };
                steer
                    .operator
                    .and_then(|_| made(generation, opcode::TENSOR_CUMULATIVE_ARITH, steer))
            }
            Self::Bitvec => {
                let [generation, op, dtype] = coordinates(bin, Self::BITVEC);
                let op = BITVEC.get(op).copied().unwrap_or(AluOp::Crc32);
                let dtype = BITVEC_DTYPES[dtype];
                if op == AluOp::LogicalShiftRight && !SHIFT_RIGHT_DTYPES.contains(&dtype) {
                    return None;
                }
                let dtype = Some(dtype);
                let steer =
                    Steer { operator: Some(op), input: dtype, output: dtype, ..Steer::NONE };
                made(Generation::ALL[generation], opcode::TENSOR_CUMULATIVE_BITVEC, steer)
            }
        }
    }

    /// Number of what a record holds; `None` if it holds something that the cross does not have.
    pub fn number(self, generation: Generation, opcode: u8, fields: &Fields) -> Option<usize> {
        let of = |list: &[Dtype], dtype: Dtype| list.iter().position(|&known| known == dtype);
        let cached = || CACHED.iter().position(|&known| known == opcode);
        let command = || COMMANDS.iter().position(|&known| Some(known) == fields.command);
        let generation = generation as usize;
        Some(match self {
            Self::Cached => number(
                [
                    cached()?,
                    generation,
                    (0..most(GENERAL_ARITH)).find(|&at| GENERAL_ARITH.at(at) == fields.operator)?,
                    of(CACHE_INPUTS, fields.input)?,
                    of(OUTPUTS, fields.output)?,
                    command()?,
                ],
                Self::CACHED,
            ),
            Self::Operators => number(
                [
                    cached()?,
                    generation,
                    (0..most(GENERAL_ARITH)).find(|&at| GENERAL_ARITH.at(at) == fields.operator)?,
                    CACHE_COMBINE.iter().position(|&op| Some(op) == fields.combine)?,
                    command()?,
                ],
                Self::OPERATORS,
            ),
            Self::Scan if opcode == opcode::TENSOR_CUMULATIVE_ARITH => number(
                [
                    generation,
                    (0..most(SCAN_ARITH)).find(|&at| SCAN_ARITH.at(at) == fields.operator)?,
                    of(SCAN_INPUTS, fields.input)?,
                    of(OUTPUTS, fields.output)?,
                ],
                Self::SCAN,
            ),
            Self::Bitvec if opcode == opcode::TENSOR_CUMULATIVE_BITVEC => number(
                [
                    generation,
                    match fields.operator {
                        AluOp::Crc32 => BITVEC.len(),
                        op => BITVEC.iter().position(|&known| known == op)?,
                    },
                    of(BITVEC_DTYPES, fields.input)?,
                ],
                Self::BITVEC,
            ),
            Self::Scan | Self::Bitvec => return None,
        })
    }
}

/// What a record holds in the fields of the crosses.
#[derive(Debug, Clone, Copy)]
pub struct Fields {
    /// `in_dtype`.
    pub input: Dtype,
    /// `out_dtype`.
    pub output: Dtype,
    /// `op0` of the cached opcodes, `op` of the others.
    pub operator: AluOp,
    /// `op1` of the cached opcodes.
    pub combine: Option<AluOp>,
    /// `accumulator_cmd` of the cached opcodes.
    pub command: Option<AccumCmd>,
}

impl Fields {
    /// The fields of a record of one of the four opcodes; `None` for another, or for a code that names
    /// nothing.
    pub fn of(record: &[u8; 64]) -> Option<Self> {
        let cached = CACHED.contains(&record[0]);
        if !cached && !OPCODES.contains(&record[0]) {
            return None;
        }
        Some(Self {
            input: Dtype::from_wire(record[32])?,
            output: Dtype::from_wire(record[33])?,
            operator: AluOp::from_wire(record[36])?,
            combine: if cached { AluOp::from_wire(record[37]) } else { None },
            command: if cached { AccumCmd::from_wire(record[12]) } else { None },
        })
    }
}

/// The combinations that given options allow, in the order in which cases take them.
#[derive(Debug, Default)]
pub struct Targets(Vec<(Cross, u32)>);

impl Targets {
    /// What these options allow: nothing if they steer by themselves, or if programs have one step (the
    /// combination stands beside a step that may be broken).
    pub fn new(options: &Options) -> Self {
        let tensor = &options.tensor;
        if tensor.steer != Steer::NONE || tensor.chain.high < 2 {
            return Self(Vec::new());
        }
        let chosen = |found: &Combination| {
            let generations = &options.generations;
            (generations.is_empty() || generations.contains(&found.generation))
                && (tensor.opcodes.is_empty() || tensor.opcodes.contains(&found.opcode))
        };
        let mut targets = Vec::new();
        for cross in Cross::ALL {
            let bins =
                (0..cross.count()).filter(|&bin| cross.at(bin).is_some_and(|at| chosen(&at)));
            targets.extend(bins.map(|bin| (cross, bin as u32)));
        }
        Self(targets)
    }

    /// Number of targets.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Every target: its cross and its number there.
    pub fn all(&self) -> &[(Cross, u32)] {
        &self.0
    }

    /// The target of an aiming case; `None` if there is none.
    pub fn of_case(&self, number: u64) -> Option<Combination> {
        let count = self.0.len().max(1) as u64;
        let &(cross, bin) = self.0.get((number % count) as usize)?;
        cross.at(bin as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combination_has_the_number_that_it_was_made_from() {
        for cross in Cross::ALL {
            let mut used = 0;
            for bin in 0..cross.count() {
                let Some(found) = cross.at(bin) else { continue };
                used += 1;
                let steer = found.steer;
                let fields = Fields {
                    input: steer.input.unwrap_or(Dtype::Fp32),
                    output: steer.output.unwrap_or(Dtype::Fp32),
                    operator: steer.operator.unwrap(),
                    combine: steer.combine,
                    command: steer.command,
                };
                assert_eq!(cross.number(found.generation, found.opcode, &fields), Some(bin));
            }
            let sizes = match cross {
                Cross::Cached => (81_900, 2 * 97 * 10 * 13 * 3),
                Cross::Operators => (3_150, 2 * 97 * 5 * 3),
                Cross::Scan => (21_060, 125 * 12 * 13),
                Cross::Bitvec => (200, 5 * 37),
            };
            assert_eq!((cross.count(), used), sizes, "{cross:?}");
        }
    }
}
