//! The record editor: fields of a 64-byte record by name and role, made from the layouts of
//! `contract`. A struct that `contract` describes needs nothing here; a new kind of field is a row of
//! `role_of` and, where one of its values is simpler than the others, of the table in `preference`.

use contract::case::RECORD;
use contract::isa::layout::{self, StructLayout};
use contract::isa::opcode_info;
use contract::isa::{AccumCmd, AluOp, Dtype, ImmSrc, ReduceAxis, ReduceOp, RevOps, Subdim};
use std::sync::LazyLock;

/// A record.
pub(super) type Record = [u8; RECORD];

/// What a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Byte 0; kept, as every signature names it.
    Opcode,
    /// Record length in words; 16 is the one simple value.
    WordLength,
    /// Number of active channels.
    Channels,
    /// An element type.
    Dtype,
    /// An operator.
    AluOp,
    /// An accumulator command.
    Accumulator,
    /// Where an immediate comes from.
    ImmediateSource,
    /// Operand reversal.
    Reverse,
    /// Scanned or reduced axes.
    Subdim,
    /// Cross-lane operator.
    ReduceOp,
    /// Cross-lane axis.
    ReduceAxis,
    /// Immediate word or scale; a number, or an address.
    Immediate,
    /// A number of elements outside a pattern.
    ElementCount,
    /// Anything else: debug and event bytes, reserved bytes, flags. Zero is simple.
    Plain,
}

/// Which part of its bytes a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All.
    Whole,
    /// Low nibble.
    Low,
    /// High nibble.
    High,
}

/// One field.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Name of the interface; halves of a pair and parts of a pattern have their own.
    pub name: &'static str,
    /// Byte offset in the record.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
    /// Part of the bytes.
    pub part: Part,
    /// Role.
    pub role: Role,
}

impl Field {
    /// The field's value. Fields longer than 8 bytes are read byte by byte ([`Field::bytes`]).
    pub(super) fn get(&self, record: &Record) -> u64 {
        let value = super::element::load(self.bytes(record));
        match self.part {
            Part::Whole => value,
            Part::Low => value & 0xf,
            Part::High => value >> 4,
        }
    }

    /// Sets the field; bits that it has no room for are cut off.
    pub(super) fn set(&self, record: &mut Record, value: u64) {
        let bytes = &mut record[self.offset..self.offset + self.size];
        let value = match self.part {
            Part::Whole => value,
            Part::Low => u64::from(bytes[0] & 0xf0) | value & 0xf,
            Part::High => u64::from(bytes[0] & 0x0f) | (value & 0xf) << 4,
        };
        super::element::store(bytes, value);
    }

    /// The bytes of the field.
    pub(super) fn bytes<'a>(&self, record: &'a Record) -> &'a [u8] {
        &record[self.offset..self.offset + self.size]
    }
}

/// A tensor pattern in a record.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// `src`, `src0`, `src1` or `dst`.
    pub name: &'static str,
    /// Byte offset in the record.
    pub offset: usize,
    /// Dimensions, 1 to 4.
    pub axes: usize,
    /// Field that holds the dtype of its elements.
    pub dtype: usize,
    /// True for a destination.
    pub writes: bool,
}

/// What a pattern says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Walk {
    /// Start word.
    pub start: u32,
    /// Dimensions.
    pub axes: usize,
    /// Steps, innermost first; 1 beyond the dimensions.
    pub steps: [i16; 4],
    /// Counts, innermost first; 1 beyond the dimensions.
    pub counts: [u16; 4],
}

impl Walk {
    /// Product of the counts; at most 65535^4, which fits.
    pub(super) fn elements(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).product()
    }

    /// The distance of an element from the start, in elements.
    pub(super) fn distance(&self, index: [u16; 4]) -> i64 {
        index.iter().zip(self.steps).map(|(&at, step)| i64::from(at) * i64::from(step)).sum()
    }
}

impl Pattern {
    /// Reads the pattern.
    pub(super) fn read(&self, record: &Record) -> Walk {
        let half = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let mut walk = Walk { start: 0, axes: self.axes, steps: [1; 4], counts: [1; 4] };
        walk.start = super::element::load(&record[self.offset..self.offset + 4]) as u32;
        for axis in 0..self.axes {
            walk.steps[axis] = half(self.offset + 4 + 2 * axis) as i16;
            walk.counts[axis] = half(self.offset + 4 + 2 * (self.axes + axis));
        }
        walk
    }

    /// Writes the pattern.
    pub(super) fn write(&self, record: &mut Record, walk: &Walk) {
        let mut put = |at: usize, bytes: &[u8]| {
            record[at..at + bytes.len()].copy_from_slice(bytes);
        };
        put(self.offset, &walk.start.to_le_bytes());
        for axis in 0..self.axes {
            put(self.offset + 4 + 2 * axis, &walk.steps[axis].to_le_bytes());
            put(self.offset + 4 + 2 * (self.axes + axis), &walk.counts[axis].to_le_bytes());
        }
    }
}

/// An immediate and its selector.
#[derive(Debug, Clone)]
pub(super) struct Immediate {
    /// Field of the word.
    pub word: usize,
    /// Field of the selector.
    pub source: usize,
    /// Field of the dtype that a pointer reads, FP32 if none.
    pub dtype: Option<usize>,
}

/// The fields of one struct.
#[derive(Debug)]
pub(super) struct RecordLayout {
    /// Struct name.
    pub name: &'static str,
    /// Fields in offset order, nested structs taken apart.
    pub fields: Vec<Field>,
    /// Patterns in offset order.
    pub patterns: Vec<Pattern>,
    /// Immediates.
    pub immediates: Vec<Immediate>,
}

impl RecordLayout {
    fn of(layout: &StructLayout) -> Self {
        let mut fields = Vec::new();
        let mut patterns = Vec::new();
        for field in layout.fields {
            match field.name.strip_suffix("_mem_pattern") {
                Some(name) => patterns.push((name, field)),
                None => flatten(&mut fields, field),
            }
        }
        let find = |name: &str| fields.iter().position(|field: &Field| field.name == name);
        let patterns: Vec<_> = patterns
            .into_iter()
            .filter_map(|(name, field)| {
                let dtypes: &[&str] = match name {
                    "src" => &["in_dtype"],
                    "src0" => &["in0_dtype"],
                    "src1" => &["in1_dtype"],
                    _ => &["out_dtype", "dtype"],
                };
                let dtype = dtypes.iter().find_map(|name| find(name))?;
                let axes = (field.size - 4) / 4;
                Some(Pattern { name, offset: field.offset, axes, dtype, writes: name == "dst" })
            })
            .collect();
        let immediates = [("imm0", "imm0_src"), ("imm1", "imm1_src")]
            .into_iter()
            .filter_map(|(word, source)| {
                let dtype = find("imm0_dtype");
                Some(Immediate { word: find(word)?, source: find(source)?, dtype })
            })
            .collect();
        Self { name: layout.name, fields, patterns, immediates }
    }

    /// The field with this name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The channel count, if the struct has one.
    pub(super) fn channels(&self, record: &Record) -> Option<u32> {
        let field = self.fields.iter().find(|field| field.role == Role::Channels)?;
        Some(field.get(record) as u32)
    }

    /// Sets the channel count.
    pub(super) fn set_channels(&self, record: &mut Record, channels: u32) {
        if let Some(field) = self.fields.iter().find(|field| field.role == Role::Channels) {
            field.set(record, channels.into());
        }
    }

    /// The dtype in a field.
    pub(super) fn dtype(&self, record: &Record, field: usize) -> Option<Dtype> {
        Dtype::from_wire(self.fields[field].get(record) as u8)
    }

    /// The dtype that an immediate's scalars have, inline or behind a pointer (spec 03 section 3.6).
    pub(super) fn immediate_dtype(&self, record: &Record, immediate: &Immediate) -> Dtype {
        let bitvec = BITVEC_IMMEDIATES.contains(&record[0]);
        let own = immediate.dtype.and_then(|field| self.dtype(record, field));
        let input = self.field("in_dtype").map(|field| field.get(record) as u8);
        own.or(input.filter(|_| bitvec).and_then(Dtype::from_wire)).unwrap_or(Dtype::Fp32)
    }
}

/// Opcodes whose immediates have the width of the input (spec 02 section 2.8).
const BITVEC_IMMEDIATES: &[u8] = &[0x53, 0x54];
/// Opcodes whose immediate words are pointers whatever their selectors say (spec 03 section 3.6).
pub(super) const POINTER_IMMEDIATES: &[u8] = &[0x44, 0x54];

/// Appends a field, taken apart if it is a struct of its own.
fn flatten(fields: &mut Vec<Field>, field: &layout::Field) {
    let nested = match field.kind {
        "HEADER" | "EVENTS" => layout::layout(field.kind),
        _ => None,
    };
    if let Some(nested) = nested {
        for inner in nested.fields {
            flatten(fields, &layout::Field { offset: field.offset + inner.offset, ..*inner });
        }
        return;
    }
    let (offset, size) = (field.offset, field.size);
    if field.kind == "DTYPE_PAIR" {
        for (name, part) in [("in0_dtype", Part::Low), ("in1_dtype", Part::High)] {
            fields.push(Field { name, offset, size, part, role: Role::Dtype });
        }
    } else if size > 8 {
        // Longer than a number: byte by byte.
        fields.extend((offset..offset + size).map(|offset| Field {
            name: field.name,
            offset,
            size: 1,
            part: Part::Whole,
            role: Role::Plain,
        }));
    } else {
        let role = role_of(field);
        fields.push(Field { name: field.name, offset, size, part: Part::Whole, role });
    }
}

fn role_of(field: &layout::Field) -> Role {
    match (field.kind, field.name) {
        ("OPCODE", _) => Role::Opcode,
        ("u8 ==16", _) => Role::WordLength,
        ("DTYPE", _) => Role::Dtype,
        ("ALU_OP", _) => Role::AluOp,
        ("ACCUM_CMD", _) => Role::Accumulator,
        ("IMM_SRC", _) => Role::ImmediateSource,
        ("TENS_SCALAR_REV_OPS", _) => Role::Reverse,
        ("TENSOR_SUBDIM", _) => Role::Subdim,
        ("REDUCE_OP", _) => Role::ReduceOp,
        ("REDUCE_AXIS", _) => Role::ReduceAxis,
        ("IMM_VAL_INST_FIELD" | "f32", _) => Role::Immediate,
        (_, "num_active_channels") => Role::Channels,
        (_, "dst_element_count") => Role::ElementCount,
        _ => Role::Plain,
    }
}

/// The layout of a record; `None` for an opcode without one.
pub(super) fn layout_of(record: &Record) -> Option<&'static RecordLayout> {
    static LAYOUTS: LazyLock<Vec<RecordLayout>> = LazyLock::new(|| {
        layout::STRUCTS
            .iter()
            .filter(|layout| layout.size == RECORD)
            .map(RecordLayout::of)
            .collect()
    });
    let name = opcode_info(record[0])?.layout?;
    LAYOUTS.iter().find(|layout| layout.name == name)
}

/// Members of an enum role: wire value and name. Empty for roles that are numbers.
pub(super) fn members(role: Role) -> Vec<(u64, &'static str)> {
    macro_rules! all {
        ($enum:ident) => {
            $enum::ALL.iter().map(|member| (u64::from(member.wire()), member.name())).collect()
        };
    }
    match role {
        Role::Dtype => all!(Dtype),
        Role::AluOp => all!(AluOp),
        Role::Accumulator => all!(AccumCmd),
        Role::ImmediateSource => all!(ImmSrc),
        Role::Reverse => all!(RevOps),
        Role::Subdim => all!(Subdim),
        Role::ReduceOp => all!(ReduceOp),
        Role::ReduceAxis => all!(ReduceAxis),
        _ => Vec::new(),
    }
}
