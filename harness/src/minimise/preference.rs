//! Which members of an enum are simple, opcode by opcode, as a table.

use super::record::{Field, Record, Role, members};
use contract::isa::opcode;

/// Members that are simpler than the others, simplest first. The first row whose opcodes, role and
/// field fit counts; the members that it leaves out follow by ordinal.
struct Preference {
    role: Role,
    /// Empty: every opcode.
    opcodes: &'static [u8],
    /// Empty: every field.
    field: &'static str,
    simplest: &'static [&'static str],
}

const CACHE: &[u8] = &[opcode::TENSOR_SCALAR_CACHE_REDUCE, opcode::TENSOR_SCALAR_CACHE_CUMULATIVE];
const BITVEC: &[u8] = &[opcode::TENSOR_CUMULATIVE_BITVEC, 0x51, 0x52, 0x53, 0x54, 0x84];
const AXES: &[u8] =
    &[opcode::TENSOR_CUMULATIVE_ARITH, opcode::TENSOR_CUMULATIVE_BITVEC, 0x42, 0x52, 0x83, 0x84];

const fn prefer(
    role: Role,
    opcodes: &'static [u8],
    field: &'static str,
    simplest: &'static [&'static str],
) -> Preference {
    Preference { role, opcodes, field, simplest }
}

/// What is legal somewhere comes first, so that a verdict divergence is not led into records with
/// more faults than its own.
const PREFERENCES: &[Preference] = &[
    prefer(
        Role::Dtype,
        &[],
        "",
        &["FP32", "INT8", "UINT8", "INT32", "UINT32", "INT16", "UINT16", "FP16", "BFLOAT16"],
    ),
    prefer(Role::AluOp, CACHE, "op1", &["Add", "Subtract", "Mult", "Max", "Min"]),
    prefer(
        Role::AluOp,
        BITVEC,
        "",
        &["Bypass", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"],
    ),
    prefer(Role::AluOp, &[], "", &["Bypass", "Add", "Subtract", "Mult"]),
    prefer(Role::Accumulator, CACHE, "", &["ZeroAccumulate", "Accumulate", "LoadAccumulate"]),
    prefer(Role::Subdim, AXES, "", &["X"]),
];

/// Members of a field's enum in a record, simplest first.
pub(super) fn ranking(record: &Record, field: &Field) -> Vec<u64> {
    let mut members = members(field.role);
    let simplest = PREFERENCES
        .iter()
        .find(|row| {
            row.role == field.role
                && (row.opcodes.is_empty() || row.opcodes.contains(&record[0]))
                && (row.field.is_empty() || row.field == field.name)
        })
        .map_or(&[][..], |row| row.simplest);
    let place = |name: &str| simplest.iter().position(|&one| one == name);
    members.sort_by_key(|&(wire, name)| (place(name).unwrap_or(simplest.len()), wire));
    members.into_iter().map(|(wire, _)| wire).collect()
}
