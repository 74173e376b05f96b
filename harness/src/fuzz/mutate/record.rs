//! Mutations of 64-byte records, field by field as the layouts of `contract` name them.

use super::Random;
use contract::case::RECORD;
use contract::isa::layout::{StructLayout, layout};
use contract::isa::opcode_info;
use std::sync::LazyLock;

/// Offset and size of a field.
type Span = (usize, usize);

/// The fields of every opcode with a layout, by byte 0.
static FIELDS: LazyLock<Vec<Vec<Span>>> = LazyLock::new(|| {
    (0..=u8::MAX)
        .map(|opcode| {
            let mut spans = Vec::new();
            let named = opcode_info(opcode).and_then(|row| row.layout).and_then(layout);
            if let Some(layout) = named {
                flatten(layout, 0, &mut spans);
            }
            spans
        })
        .collect()
});

/// Lists the fields of a struct and of the structs in it.
fn flatten(of: &StructLayout, at: usize, spans: &mut Vec<Span>) {
    for field in of.fields {
        match layout(field.kind) {
            Some(inner) if !inner.fields.is_empty() => flatten(inner, at + field.offset, spans),
            _ => spans.push((at + field.offset, field.size.clamp(1, 8))),
        }
    }
}

/// Changes a field of a record, or two.
pub(super) fn change(record: &mut [u8; RECORD], random: &mut Random) {
    for _ in 0..=random.of(2) {
        if random.of(24) == 0 {
            record[0] = random.pick(crate::generate::tensor::OPCODES);
            continue;
        }
        let fields = &FIELDS[usize::from(record[0])];
        let (at, size) = match random.at(fields) {
            Some(number) => fields[number],
            None => (random.of(RECORD), 1),
        };
        let end = (at + size).min(RECORD);
        let bytes = &mut record[at.min(end)..end];
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let value = value(u64::from_le_bytes(word), bytes.len(), random);
        bytes.copy_from_slice(&value.to_le_bytes()[..bytes.len()]);
    }
}

/// Another value for a field of so many bytes.
fn value(old: u64, size: usize, random: &mut Random) -> u64 {
    match (random.of(8), size) {
        (0, _) => old ^ 1 << random.of(8 * size),
        (1, _) => old.wrapping_add(random.pick(&[1, 2, 4, u64::MAX, 64])),
        (2, _) => 0,
        // Ordinals, channels, small counts and strides.
        (3 | 4, 1) => random.of(34) as u64,
        (3 | 4, 2) => random.pick(&[1, 2, 3, 4, 8, 16, 64, 0xFFFF, 0xFFFE]),
        (3 | 4, _) => {
            // Another partition, quadrant, memory or marker.
            let bit = random.pick(&[2, 13, 15, 17, 18, 19, 20, 22, 24, 25, 29, 30, 31]);
            old ^ 1 << bit
        }
        (5, 1) => random.pick(&[31, 32, 33, 63, 64, 127, 128, 129, 255]),
        (5, _) => old & !0xFF | random.word() & 0xFC,
        _ => random.word() >> random.of(8 * size),
    }
}
