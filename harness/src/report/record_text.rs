//! A tensor record as text, decoded by the layouts of the contract: one line for reports, or field by
//! field for `explain`. Unknown codes are shown raw; nothing is judged here.

use crate::number::text_of;
use contract::case::RECORD;
use contract::isa::layout::{Field, layout};
use contract::isa::{
    AccumCmd, AluOp, DebugCmd, Dtype, Generation, ImmSrc, ReduceAxis, ReduceOp, RevOps, Subdim,
    UpdateMode, WaitMode, opcode_info,
};

/// One field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldText {
    /// Byte offset in the record.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
    /// Name, with the names of the enclosing structs before it.
    pub name: String,
    /// Its bytes in hex, first byte first.
    pub bytes: String,
    /// What they mean.
    pub meaning: String,
}

/// Name of the opcode, or its byte.
pub fn opcode_text(opcode: u8) -> String {
    match opcode_info(opcode) {
        Some(row) => format!("{opcode:#04x} {}", row.name),
        None => format!("{opcode:#04x}"),
    }
}

/// Every field of a record, nested structs opened. A record whose opcode has no layout has a header,
/// events and a body.
pub fn fields(record: &[u8; RECORD], generation: Generation) -> Vec<FieldText> {
    let name = opcode_info(record[0]).and_then(|row| row.layout);
    let mut out = Vec::new();
    match name.and_then(layout) {
        Some(body) => {
            for field in body.fields {
                open(record, generation, "", 0, field, &mut out);
            }
        }
        None => {
            for (name, offset, size, kind) in
                [("header", 0, 4, "HEADER"), ("events", 4, 8, "EVENTS"), ("body", 12, 52, "u8[52]")]
            {
                let field = Field { name, offset, size, kind };
                open(record, generation, "", 0, &field, &mut out);
            }
        }
    }
    out
}

fn open(
    record: &[u8; RECORD],
    generation: Generation,
    prefix: &str,
    base: usize,
    field: &Field,
    out: &mut Vec<FieldText>,
) {
    let offset = base + field.offset;
    let name = format!("{prefix}{}", field.name);
    let bytes = &record[offset..offset + field.size];
    // A union is shown by its plain arm; an indirect word shows in the marker of its start address.
    let nested = field.kind.split('|').next().and_then(layout);
    if let Some(nested) = nested.filter(|nested| !nested.fields.is_empty() && field.size > 1) {
        for inner in nested.fields {
            open(record, generation, &format!("{name}."), offset, inner, out);
        }
        return;
    }
    out.push(FieldText {
        offset,
        size: field.size,
        bytes: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        meaning: meaning(field, bytes, generation),
        name,
    });
}

fn meaning(field: &Field, bytes: &[u8], generation: Generation) -> String {
    let code = bytes[0];
    let named = |name: Option<&'static str>| {
        name.map_or_else(|| format!("{code:#04x} (no member)"), |name| format!("{name} ({code})"))
    };
    match field.kind {
        "OPCODE" => opcode_text(code),
        "DTYPE" => named(Dtype::from_wire(code).map(Dtype::name)),
        "ALU_OP" => named(AluOp::from_wire(code).map(AluOp::name)),
        "ACCUM_CMD" => named(AccumCmd::from_wire(code).map(AccumCmd::name)),
        "IMM_SRC" => named(ImmSrc::from_wire(code).map(ImmSrc::name)),
        "TENS_SCALAR_REV_OPS" => named(RevOps::from_wire(code).map(RevOps::name)),
        "TENSOR_SUBDIM" => named(Subdim::from_wire(code).map(Subdim::name)),
        "REDUCE_OP" => named(ReduceOp::from_wire(code).map(ReduceOp::name)),
        "REDUCE_AXIS" => named(ReduceAxis::from_wire(code).map(ReduceAxis::name)),
        "WAIT_MODE" => named(WaitMode::from_wire(code).map(WaitMode::name)),
        "UPDATE_MODE" => named(UpdateMode::from_wire(code).map(UpdateMode::name)),
        "DTYPE_PAIR" => {
            let name = |code| Dtype::from_wire(code).map_or("?", Dtype::name);
            format!("source 0 {}, source 1 {}", name(code & 15), name(code >> 4))
        }
        "ADDR4" => address_text(word(bytes), generation),
        "i16" => i16::from_le_bytes([bytes[0], bytes[1]]).to_string(),
        "u16" => u16::from_le_bytes([bytes[0], bytes[1]]).to_string(),
        "f32" => text_of(Dtype::Fp32, u64::from(word(bytes))),
        "IMM_VAL_INST_FIELD" => {
            format!("{:#010x}, as FP32 {}", word(bytes), text_of(Dtype::Fp32, word(bytes).into()))
        }
        "u8" if field.name == "debug_cmd" => named(DebugCmd::from_wire(code).map(DebugCmd::name)),
        _ if field.size == 1 => code.to_string(),
        _ if field.size == 4 => word(bytes).to_string(),
        _ if bytes.iter().all(|&byte| byte == 0) => "zero".to_owned(),
        _ => "not zero".to_owned(),
    }
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// A start word: marker, memory, partition and offset (spec 01 sections 3 and 7).
fn address_text(word: u32, generation: Generation) -> String {
    let geometry = generation.geometry();
    let address = word & 0x1FFF_FFFF;
    let place = if address < geometry.sbuf_region {
        let at = address - geometry.sbuf_base;
        format!(
            "sbuf partition {} offset {:#x}",
            at / geometry.sbuf_stride,
            at % geometry.sbuf_stride
        )
    } else if (geometry.psum_base..geometry.psum_base + geometry.psum_region).contains(&address) {
        let at = address - geometry.psum_base;
        format!(
            "psum partition {} offset {:#x}",
            at / geometry.psum_stride,
            at % geometry.psum_stride
        )
    } else {
        "no memory".to_owned()
    };
    match word >> 29 {
        0 => format!("{address:#010x}: {place}"),
        4 => format!("register {}", word & 0xFF),
        marker => format!("marker {:#04x}, {address:#010x}: {place}", marker << 5),
    }
}

/// A record in one line: opcode name and the fields that tell what it computes.
pub fn one_line(record: &[u8; RECORD]) -> String {
    let mut text = opcode_text(record[0]);
    let body = opcode_info(record[0]).and_then(|row| row.layout).and_then(layout);
    let Some(body) = body else { return text };
    for (name, short) in [
        ("op", "op"),
        ("op0", "op0"),
        ("op1", "op1"),
        ("op_dim", "dim"),
        ("in_dtype", "in"),
        ("out_dtype", "out"),
        ("num_active_channels", "channels"),
        ("accumulator_cmd", "cmd"),
    ] {
        if let Some(field) = body.field(name) {
            let code = record[field.offset];
            let value = match field.kind {
                "ALU_OP" => AluOp::from_wire(code).map(AluOp::name),
                "DTYPE" => Dtype::from_wire(code).map(Dtype::name),
                "ACCUM_CMD" => AccumCmd::from_wire(code).map(AccumCmd::name),
                "TENSOR_SUBDIM" => Subdim::from_wire(code).map(Subdim::name),
                _ => None,
            };
            let value = value.map_or_else(|| code.to_string(), str::to_owned);
            text.push_str(&format!(" {short}={value}"));
        }
    }
    for name in ["src_mem_pattern", "src0_mem_pattern", "src1_mem_pattern", "dst_mem_pattern"] {
        if let Some(field) = body.field(name) {
            let rank = (field.size - 4) / 4;
            let half = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
            let counts: Vec<String> = (0..rank)
                .map(|axis| half(field.offset + 4 + 2 * rank + 2 * axis).to_string())
                .collect();
            let short = name.trim_end_matches("_mem_pattern");
            text.push_str(&format!(
                " {short}={:#x}[{}]",
                word(&record[field.offset..]),
                counts.join("x")
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_tile_the_whole_record() {
        for opcode in 0..=u8::MAX {
            let mut record = [0; RECORD];
            record[0] = opcode;
            let mut at = 0;
            for field in fields(&record, Generation::Sunda) {
                assert_eq!(field.offset, at, "{opcode:#04x} {}", field.name);
                at += field.size;
            }
            assert_eq!(at, RECORD, "{opcode:#04x}");
        }
    }

    #[test]
    fn names_memory_partition_and_offset_of_an_address() {
        let text = |word| address_text(word, Generation::Mariana);
        assert_eq!(text(0x0004_1000), "0x00041000: sbuf partition 1 offset 0x1000");
        assert_eq!(text(0x0200_8004), "0x02008004: psum partition 1 offset 0x4");
        assert_eq!(text(0x8000_0005), "register 5");
        assert_eq!(text(0x2000_0000), "marker 0x20, 0x00000000: sbuf partition 0 offset 0x0");
        assert_eq!(text(0x0240_0000), "0x02400000: no memory");
    }
}
