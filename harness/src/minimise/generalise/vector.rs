//! Properties of vector cases: operations, formats, registers, immediates, distances between bundles,
//! lanes, switches.

use super::samples::{self, DISTANCES, IMMEDIATES};
use super::{Kind, Property, Scale, Trial, switches};
use crate::minimise::cell::Cell;
use crate::minimise::edit::{Edit, edit};
use crate::minimise::vector::{
    FORMATS, cells, class_of, exchange, has_lanes, points, used, with_format,
};
use contract::bundle::{Bundle, OpWord, Operand};
use contract::case::VectorCase;
use contract::isa::{Mnemonic, RegClass};

/// Mnemonics tried in the place of one.
const MOST_MNEMONICS: usize = 192;
/// Lanes that get a property each.
const MOST_LANES: usize = 16;

/// Every property; see the module.
pub(super) fn properties(case: &VectorCase) -> Vec<Property<'_, VectorCase>> {
    let mut properties = Vec::new();
    formats(case, &mut properties);
    mnemonics(case, &mut properties);
    registers(case, &mut properties);
    immediates(case, &mut properties);
    distances(case, &mut properties);
    lanes(case, &mut properties);
    properties.extend(switches(case.profile, |case: &mut VectorCase| &mut case.profile));
    properties
}

/// A name, with the bundle if there are several.
fn named(case: &VectorCase, at: usize, name: &str) -> String {
    if case.program.len() > 1 { format!("bundle {at} {name}") } else { name.to_owned() }
}

fn formats<'a>(case: &'a VectorCase, properties: &mut Vec<Property<'a, VectorCase>>) {
    for (at, bundle) in case.program.iter().enumerate().filter(|(_, bundle)| !bundle.ops.is_empty())
    {
        let trials = FORMATS.iter().map(|&format| {
            let way = |bundle: Bundle| -> Edit<'_, VectorCase> {
                edit(move |case: &mut VectorCase| case.program[at] = bundle)
            };
            Trial {
                value: samples::name(format.name()),
                ways: with_format(bundle, format).into_iter().map(way).collect(),
            }
        });
        properties.push(Property {
            subject: named(case, at, "format"),
            kind: Kind::Ordinary,
            scale: Scale::Names,
            current: samples::name(bundle.format.text()),
            trials: trials.collect(),
        });
    }
}

/// Each operation against others with the same operands.
fn mnemonics<'a>(case: &'a VectorCase, properties: &mut Vec<Property<'a, VectorCase>>) {
    for (at, bundle) in case.program.iter().enumerate() {
        for (op, slot) in bundle.ops.iter().enumerate() {
            let OpWord::Known(mnemonic) = slot.op else { continue };
            let kinds = |mnemonic: Mnemonic| {
                mnemonic.info().operands.iter().map(|&(_, kind)| kind).collect::<Vec<_>>()
            };
            let wanted = kinds(mnemonic);
            let alike: Vec<_> = Mnemonic::all()
                .filter(|&other| other == mnemonic || kinds(other) == wanted)
                .collect();
            let step = alike.len().div_ceil(MOST_MNEMONICS).max(1);
            let tried = alike.into_iter().step_by(step).map(|other| Trial {
                value: samples::name(other.name()),
                ways: vec![edit(move |case: &mut VectorCase| {
                    case.program[at].ops[op].op = OpWord::Known(other);
                })],
            });
            properties.push(Property {
                subject: named(case, at, &format!("op in slot {}", slot.slot)),
                kind: Kind::Mnemonic,
                scale: Scale::Names,
                current: samples::name(mnemonic.name()),
                trials: tried.collect(),
            });
        }
    }
}

/// Each register that the program names against the others of its file.
fn registers<'a>(case: &'a VectorCase, properties: &mut Vec<Property<'a, VectorCase>>) {
    for &class in RegClass::ALL {
        let used = used(case, class);
        for &index in &used {
            let free =
                (0..class.entries()).filter(|other| *other == index || !used.contains(other));
            let trials = free.map(|other| Trial {
                value: samples::name(format!("{}{other}", class.prefix())),
                ways: vec![edit(move |case: &mut VectorCase| exchange(case, class, index, other))],
            });
            let name = format!("{}{index}", class.prefix());
            properties.push(Property {
                subject: format!("register for {name}"),
                kind: Kind::Background,
                scale: Scale::Names,
                current: samples::name(name),
                trials: trials.collect(),
            });
        }
    }
}

fn immediates<'a>(case: &'a VectorCase, properties: &mut Vec<Property<'a, VectorCase>>) {
    for (at, bundle) in case.program.iter().enumerate() {
        for (op, slot) in bundle.ops.iter().enumerate() {
            for (place, operand) in slot.operands.iter().enumerate() {
                let Operand::Imm(current) = *operand else { continue };
                let trials = IMMEDIATES.iter().map(|&value| Trial {
                    value: samples::number(value),
                    ways: vec![edit(move |case: &mut VectorCase| {
                        case.program[at].ops[op].operands[place] = Operand::Imm(value);
                    })],
                });
                properties.push(Property {
                    subject: named(case, at, &format!("immediate of {}", slot.op.text())),
                    kind: Kind::Telling,
                    scale: Scale::Numbers,
                    current: samples::number(current),
                    trials: trials.collect(),
                });
            }
        }
    }
}

/// Bundles between one that does something and the next that does.
fn distances<'a>(case: &'a VectorCase, properties: &mut Vec<Property<'a, VectorCase>>) {
    let busy = case.program.iter().enumerate().filter(|(_, bundle)| !bundle.ops.is_empty());
    let busy: Vec<_> = busy.map(|(at, _)| at).collect();
    for pair in busy.windows(2) {
        let (first, second) = (pair[0], pair[1]);
        let trials = DISTANCES.iter().map(|&distance| Trial {
            value: samples::number(distance),
            ways: vec![edit(move |case: &mut VectorCase| {
                let empty = Bundle::empty(contract::isa::Format::F0);
                let between = std::iter::repeat_n(empty, distance as usize - 1);
                case.program.splice(first + 1..second, between);
            })],
        });
        properties.push(Property {
            subject: format!("distance of bundle {second} from bundle {first}"),
            kind: Kind::Telling,
            scale: Scale::Numbers,
            current: samples::number((second - first) as u64),
            trials: trials.collect(),
        });
    }
}

/// The lanes that are not zero, each; then the others of each register together.
fn lanes<'a>(case: &'a VectorCase, properties: &mut Vec<Property<'a, VectorCase>>) {
    let all: Vec<_> = cells(case).collect();
    for &cell in all.iter().filter(|cell| cell.value(case) != 0).take(MOST_LANES) {
        let dtype = samples::lane_dtype(cell.encoding());
        let subject = match (cell.lane(), cell.address(case)) {
            (Some((value, lane)), _) if has_lanes(case, value) => {
                format!("{} lane {lane}", register(case, value))
            }
            (Some((value, _)), _) if points(case, value) => {
                format!("distance of {} from the window's base", register(case, value))
            }
            (Some((value, _)), _) => register(case, value),
            (None, address) => format!("memory at {:#x}", address.unwrap_or_default()),
        };
        let values = samples::of_lane(cell.encoding()).into_iter();
        let trials = values.map(|(value, bits)| Trial {
            value,
            ways: vec![edit(move |case: &mut VectorCase| cell.set(case, bits))],
        });
        properties.push(Property {
            subject,
            kind: Kind::Element,
            scale: Scale::Numbers,
            current: samples::of_bits(dtype, cell.value(case)),
            trials: trials.collect(),
        });
    }
    for value in 0..case.state.len() {
        if !has_lanes(case, value) {
            continue;
        }
        let others = all.iter().filter(|cell| {
            cell.lane().is_some_and(|(register, _)| register == value) && cell.value(case) == 0
        });
        let others: Vec<_> = others.copied().collect();
        if others.is_empty() {
            continue;
        }
        let fill = |label: &str, bits: fn(usize) -> u64| {
            let others = others.clone();
            let mask = |bits: u64, bytes: usize| bits & (u64::MAX >> (64 - 8 * bytes));
            Trial {
                value: samples::name(label),
                ways: vec![edit(move |case: &mut VectorCase| {
                    for (lane, cell) in others.iter().enumerate() {
                        cell.set(case, mask(bits(lane), cell.encoding().bytes));
                    }
                })],
            }
        };
        properties.push(Property {
            subject: format!("other lanes of {}", register(case, value)),
            kind: Kind::Element,
            scale: Scale::Names,
            current: samples::name("0"),
            trials: vec![
                fill("0", |_| 0),
                fill("1", |_| 1),
                fill("-1", |_| u64::MAX),
                fill("their numbers", |lane| lane as u64 + 2),
                // Multiples of an odd constant: every bit pattern is met somewhere.
                fill("noise", |lane| (lane as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            ],
        });
    }
}

/// The text name of a register of the state.
fn register(case: &VectorCase, value: usize) -> String {
    match class_of(&case.state[value]) {
        Some((class, index)) => format!("{}{index}", class.prefix()),
        None => match &case.state[value] {
            contract::case::RegisterValue::Fs(index, _) => format!("fs{index}"),
            contract::case::RegisterValue::Fcr(_) => "fcr".to_owned(),
            _ => "fsr".to_owned(),
        },
    }
}
