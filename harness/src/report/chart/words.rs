//! Words in charts: ops as assembly writes them, causes, and words from outside made fit to print.

use super::grid::consumer_role;
use contract::bundle::{Operand, SlotOp};
use contract::schedule::Cause;
use std::fmt::Write as _;

/// Mnemonic and operands as assembly writes them.
pub(super) fn written_text(op: &SlotOp) -> String {
    let mut text = op.op.text().to_owned();
    for (index, operand) in op.operands.iter().enumerate() {
        text.push_str(if index == 0 { " " } else { ", " });
        // Writing to a string cannot fail.
        let _ = match operand {
            Operand::Reg(class, index) => write!(text, "{}{index}", class.prefix()),
            Operand::Imm(value) => write!(text, "{value}"),
            Operand::Word(word) => write!(text, "{word}"),
        };
    }
    plain(&text, 200)
}

/// Words of a case or of an external model as printable ASCII, at most `longest` characters. Control
/// characters must neither reach a terminal nor stand in XML, and other scripts would shift columns.
pub(super) fn plain(word: &str, longest: usize) -> String {
    let mut text = String::new();
    for character in word.chars() {
        if character == ' ' || character.is_ascii_graphic() {
            text.push(character);
        } else {
            text.extend(character.escape_default());
        }
        if text.len() > longest {
            text.truncate(longest.saturating_sub(3));
            text.push_str("...");
            break;
        }
    }
    text
}

/// `RAW v5 from B0.S3 (def@12), use@10, d=3`.
pub(super) fn cause_text(cause: &Cause) -> String {
    format!(
        "{} {}{} from B{}.S{} (def@{}), {}@{}, d={}",
        cause.hazard.name(),
        cause.class.prefix(),
        cause.index,
        cause.producer_bundle,
        cause.producer_slot,
        cause.producer_lat,
        consumer_role(cause.hazard).name(),
        cause.consumer_lat,
        cause.distance
    )
}
