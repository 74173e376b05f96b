//! Passes over single fields of records: enums, immediates behind pointers, registers, and the bytes
//! that are zero in a plain record.

use super::super::edit::{Edits, edit};
use super::super::element::{Encoding, encode, load};
use super::super::operand::Place;
use super::super::preference::ranking;
use super::super::record::{Field, RecordLayout, Role, layout_of, members};
use contract::case::TensorCase;
use contract::isa::{Dtype, ImmSrc};

/// Operators, accumulator commands, axes and reversals toward the members that are simplest for the
/// opcode.
pub(super) fn simpler_enums(case: &TensorCase) -> Edits<'_, TensorCase> {
    Box::new(fields(case).flat_map(move |(step, field)| {
        let ranked = match field.role {
            Role::Dtype | Role::ImmediateSource => Vec::new(),
            _ => ranking(&case.program[step], field),
        };
        let value = field.get(&case.program[step]);
        ranked.into_iter().take_while(move |&other| other != value).map(move |simpler| {
            edit(move |case: &mut TensorCase| field.set(&mut case.program[step], simpler))
        })
    }))
}

/// Every field of every record that has a layout.
fn fields(case: &TensorCase) -> impl Iterator<Item = (usize, &'static Field)> {
    case.program.iter().enumerate().flat_map(|(step, record)| {
        let fields = layout_of(record).map_or(&[][..], |layout| &layout.fields);
        fields.iter().map(move |field| (step, field))
    })
}

/// Immediates from the instruction itself: with the scalar that the first channel reads, with zero,
/// with one; then selectors alone.
pub(super) fn inline_immediates(case: &TensorCase) -> Edits<'_, TensorCase> {
    let inline = case.program.iter().enumerate().flat_map(move |(step, record)| {
        let layout = layout_of(record);
        let immediates = layout.map_or(&[][..], |layout| &layout.immediates);
        immediates.iter().flat_map(move |immediate| {
            // A layout was found, or there were no immediates.
            let layout = layout.into_iter();
            layout.flat_map(move |layout| {
                let dtype = layout.immediate_dtype(record, immediate);
                let pointed = pointed(case, layout, step, immediate.word, immediate.source, dtype);
                let words = [pointed, Some(0), encode(dtype, 1.0)].into_iter().flatten();
                let (word, source) =
                    (&layout.fields[immediate.word], &layout.fields[immediate.source]);
                words.map(move |value| {
                    edit(move |case: &mut TensorCase| {
                        let record = &mut case.program[step];
                        source.set(record, ImmSrc::InstructionImmediate.wire().into());
                        word.set(record, value);
                    })
                })
            })
        })
    });
    let selectors = fields(case).filter(|(_, field)| field.role == Role::ImmediateSource).flat_map(
        move |(step, field)| {
            let value = field.get(&case.program[step]);
            let ranked = ranking(&case.program[step], field);
            ranked.into_iter().take_while(move |&other| other != value).map(move |simpler| {
                edit(move |case: &mut TensorCase| field.set(&mut case.program[step], simpler))
            })
        },
    );
    Box::new(inline.chain(selectors))
}

/// The scalar that the first channel reads through a pointer immediate.
fn pointed(
    case: &TensorCase,
    layout: &RecordLayout,
    step: usize,
    word: usize,
    source: usize,
    dtype: Dtype,
) -> Option<u64> {
    let record = &case.program[step];
    let word = layout.fields[word].get(record) as u32;
    let address = match ImmSrc::from_wire(layout.fields[source].get(record) as u8)? {
        ImmSrc::InstructionImmediate => return None,
        ImmSrc::PointerImmediate => word,
        ImmSrc::RegPtrImmediate => *case.registers.get(&u8::try_from(word).ok()?)?,
    };
    let place = Place::of_word(case.generation, address)?;
    let width = usize::from(dtype.storage_bytes()).max(1);
    case.memory.iter().find_map(|region| {
        let at = region.index_of(place.space, place.partition, place.offset)?;
        Some(load(region.data.get(at..at + width)?))
    })
}

/// Registers left out, and the numbers of those that stay lowered.
pub(super) fn fewer_registers(case: &TensorCase) -> Edits<'_, TensorCase> {
    let dropped = case.registers.keys().map(|&number| {
        edit(move |case: &mut TensorCase| {
            case.registers.remove(&number);
        })
    });
    let used = fields(case).filter(move |(step, field)| {
        field.role == Role::Immediate && is_register(case, *step, field)
    });
    let renamed = used.flat_map(move |(step, field)| {
        let number = field.get(&case.program[step]) as u8;
        (0..number.min(64)).map(move |lower| {
            edit(move |case: &mut TensorCase| swap_registers(case, number, lower))
        })
    });
    Box::new(dropped.chain(renamed))
}

/// True if an immediate word is the number of a register.
fn is_register(case: &TensorCase, step: usize, word: &Field) -> bool {
    let record = &case.program[step];
    layout_of(record).is_some_and(|layout| {
        layout.immediates.iter().any(|immediate| {
            layout.fields[immediate.word].offset == word.offset
                && layout.fields[immediate.source].get(record)
                    == u64::from(ImmSrc::RegPtrImmediate.wire())
                && word.get(record) < 64
        })
    })
}

/// Exchanges two registers, in the state and in every immediate that names them.
fn swap_registers(case: &mut TensorCase, a: u8, b: u8) {
    for step in 0..case.program.len() {
        let Some(layout) = layout_of(&case.program[step]) else { continue };
        for immediate in &layout.immediates {
            let word = &layout.fields[immediate.word];
            if !is_register(case, step, word) {
                continue;
            }
            let number = word.get(&case.program[step]);
            let other = match () {
                () if number == u64::from(a) => b,
                () if number == u64::from(b) => a,
                () => continue,
            };
            word.set(&mut case.program[step], other.into());
        }
    }
    let (of_a, of_b) = (case.registers.remove(&a), case.registers.remove(&b));
    case.registers.extend(of_a.map(|value| (b, value)));
    case.registers.extend(of_b.map(|value| (a, value)));
}

/// Debug, event, reserved and flag bytes to zero: all of a record, then each field, then fewer bits;
/// record length and element counts to their one simple value. Records without a layout are bytes.
pub(super) fn plain_bytes(case: &TensorCase) -> Edits<'_, TensorCase> {
    let whole = (0..case.program.len()).map(|step| {
        edit(move |case: &mut TensorCase| {
            let record = &mut case.program[step];
            match layout_of(record) {
                None => record[2..].fill(0),
                Some(layout) => {
                    let plain = layout.fields.iter().filter(|field| field.role == Role::Plain);
                    plain.for_each(|field| field.set(record, 0));
                }
            }
        })
    });
    let each = fields(case).flat_map(move |(step, field)| {
        let value = field.get(&case.program[step]);
        let simple = match field.role {
            Role::WordLength => 16,
            Role::ElementCount => 1,
            _ => 0,
        };
        let candidates = match field.role {
            Role::WordLength | Role::ElementCount => toward(value, simple),
            Role::Plain => Encoding::integer(field.size).lighter(value).collect(),
            _ => Vec::new(),
        };
        candidates.into_iter().map(move |simpler| {
            edit(move |case: &mut TensorCase| field.set(&mut case.program[step], simpler))
        })
    });
    debug_assert!(members(Role::Plain).is_empty());
    let raw = case.program.iter().enumerate().filter(|(_, record)| layout_of(record).is_none());
    let raw = raw.flat_map(|(step, record)| {
        (1..record.len()).flat_map(move |byte| {
            Encoding::integer(1).lighter(record[byte].into()).map(move |value| {
                edit(move |case: &mut TensorCase| case.program[step][byte] = value as u8)
            })
        })
    });
    Box::new(whole.chain(each).chain(raw))
}

/// Numbers between a value and the simple one: the simple one, half-way, one nearer.
fn toward(value: u64, simple: u64) -> Vec<u64> {
    let (distance, up) = (value.abs_diff(simple), value > simple);
    let at = |distance: u64| if up { simple + distance } else { simple - distance };
    super::super::edit::smaller(distance, 0).map(at).collect()
}
