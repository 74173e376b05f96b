//! The text targets: a reader never panics, and whatever it reads prints to a text that reads back as the
//! same value and prints as itself.

use super::Target;
use super::finding::Finding;
use super::worker::Checked;
use contract::bundle::Bundle;
use contract::case::Case;
use contract::json::{read_case, write_case_into};
use contract::text::{parse_program, write_bundle};

/// Texts that are reused.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    first: String,
    second: String,
}

/// Checks the JSON form of a case.
pub(super) fn case_json(bytes: &[u8], buffers: &mut Buffers) -> Checked {
    // The reader takes text; bytes that are none are not its input.
    let Ok(text) = std::str::from_utf8(bytes) else { return Checked::Agrees };
    round_trip(
        Target::CaseJson,
        text,
        buffers,
        |text| read_case(text).map_err(|error| error.to_string()),
        |out, case: &Case| write_case_into(out, case),
    )
}

/// Checks the text form of a program.
pub(super) fn bundle_text(bytes: &[u8], buffers: &mut Buffers) -> Checked {
    let Ok(text) = std::str::from_utf8(bytes) else { return Checked::Agrees };
    round_trip(
        Target::BundleText,
        text,
        buffers,
        |text| parse_program(text).map_err(|error| error.to_string()),
        |out, program: &Vec<Bundle>| {
            for bundle in program {
                // Writing to a string cannot fail.
                let _ = write_bundle(out, bundle);
                out.push('\n');
            }
        },
    )
}

/// Reads, prints, reads and prints again. A text that is refused says nothing.
fn round_trip<T: PartialEq>(
    target: Target,
    text: &str,
    buffers: &mut Buffers,
    read: impl Fn(&str) -> Result<T, String>,
    print: impl Fn(&mut String, &T),
) -> Checked {
    let Ok(value) = read(text) else { return Checked::Agrees };
    let Buffers { first, second } = buffers;
    first.clear();
    print(first, &value);
    let again = match read(first) {
        Ok(again) => again,
        Err(error) => {
            return found(target, text, first, &format!("what is printed is refused: {error}"));
        }
    };
    second.clear();
    print(second, &again);
    if first != second {
        let what = format!("what is printed does not print as itself, but as\n  {second}");
        return found(target, text, first, &what);
    }
    if value != again {
        return found(target, text, first, "what is printed reads back as another value");
    }
    Checked::Agrees
}

fn found(target: Target, input: &str, printed: &str, what: &str) -> Checked {
    let text = format!("{what}\n\ninput\n  {input}\nprinted\n  {printed}\n");
    Checked::Found(Box::new(Finding { target, case: None, text }))
}

/// What the reader of a text target says of an input, in words.
pub fn reading(target: Target, bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else { return "not UTF-8".to_owned() };
    match target {
        Target::CaseJson => match read_case(text) {
            Ok(case) => {
                let mut printed = String::new();
                write_case_into(&mut printed, &case);
                format!("reads as\n  {printed}\nwhich prints as itself")
            }
            Err(error) => format!("refused: {error}"),
        },
        Target::BundleText => match parse_program(text) {
            Ok(program) => {
                let lines: Vec<String> =
                    program.iter().map(|bundle| format!("  {bundle}\n")).collect();
                format!("reads as\n{}which prints as itself", lines.concat())
            }
            Err(error) => format!("refused: {error}"),
        },
        _ => "the target does nothing with its input".to_owned(),
    }
}
